"""Those who are about to come into a fight."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Union

if TYPE_CHECKING:
    from combatkit.files.rosters import RosterRow


class Arrival(NamedTuple):
    """Somebody about to come into a fight, or several alike, as `Setup.add` was given them."""

    name: object
    side: object
    count: Any
    npc: object
    group: object
    at: object
    conditions: object
    stats: Mapping[str, object]

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Arrival:
        """Return an arrival from what `Setup.add` takes, the stats by name beside the rest."""
        usual = {"name": None, "side": None, "count": 1, "npc": None, "group": None, "at": None, "conditions": ()}
        stats = {key: value for key, value in given.items() if key not in usual}
        return cls(**{key: given.get(key, value) for key, value in usual.items()}, stats=stats)


Comer = Union[Arrival, "RosterRow"]
"""Somebody to come, or a row of a roster."""
