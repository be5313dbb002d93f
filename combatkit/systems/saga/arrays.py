"""Many fights at once: what of these rules a hit and a round come to."""

from __future__ import annotations

from combatkit.arrays import Fights
from combatkit.core.model import Fighter


class Arrays(Fights):
    """Out at 0 hit points."""

    @classmethod
    def against(cls, fighter: Fighter) -> str:
        """Feats may let somebody attack more often."""
        return f"{fighter.name} has feats" if fighter.stats["feats"] else ""
