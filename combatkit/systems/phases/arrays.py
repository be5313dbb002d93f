"""Many fights at once: what of these rules a hit and a round come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combatkit.arrays import Fights, Whole
from combatkit.core.model import Fighter, State

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset


class Arrays(Fights):
    """A turn in each of four phases; stun comes back in the Post-Turn, but whom the scene leaves out stays out."""

    read = frozenset({"meets_hits"})

    def __init__(self, rules: Ruleset, state: State, seeds: npt.NDArray[np.uint64]) -> None:
        super().__init__(rules, state, seeds)
        gains = [(rules.value(f, "recovery") or 0) * bool(f.stats["auto_recovery"]) for f in self.people]
        self.gains, self.top = np.array(gains), self.left[0].copy()

    def end_round(self, rows: Whole) -> None:
        """Give everybody a Recovery."""
        left = self.left[rows]
        self.left[rows] = np.where(left < self.top, np.minimum(left + self.gains, self.top), left)

    @classmethod
    def against(cls, fighter: Fighter) -> str:
        """Whoever is whole at fewer points than the sheet says recovers more."""
        return "" if fighter.vitals["stun"] == fighter.stats["stun"] else f"{fighter.name} has taken damage already"
