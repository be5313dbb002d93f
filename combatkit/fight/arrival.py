"""Those who are about to come into a fight."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, Union

if TYPE_CHECKING:
    from combatkit.files.rosters import RosterRow


class Arrival(NamedTuple):
    """Somebody about to come into a fight, or several alike, as `Setup.add` was given them."""

    name: object = None
    side: object = None
    count: Any = 1
    npc: object = None
    group: object = None
    at: object = None
    conditions: object = ()
    stats: Mapping[str, object] = MappingProxyType({})

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Arrival:
        """Return an arrival from what `Setup.add` takes, the stats by name beside the rest."""
        usual: dict[str, Any] = {key: value for key, value in given.items() if key in cls._fields[:-1]}
        return cls(**usual, stats={key: value for key, value in given.items() if key not in usual})


Comer = Union[Arrival, "RosterRow"]
"""Somebody to come, or a row of a roster."""
