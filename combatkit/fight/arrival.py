"""One who is to come into a fight."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

if TYPE_CHECKING:
    pass


class Arrival(NamedTuple):
    """One who is to come into a fight, or several alike, as `Setup.add` was given them."""

    name: Any
    side: Any
    count: Any
    npc: Any
    group: Any
    at: Any
    conditions: Iterable[str]
    stats: Mapping[str, Any]
