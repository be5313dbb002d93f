"""What a tally carries from event to event."""

from __future__ import annotations

from typing import NamedTuple

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.model import State
from combatkit.rules.counts_as import Column


class Turn(Struct, frozen=True, gc=False):
    """A turn that has begun; `filled` are the budget rows of its opening, `before` the fills they replaced.

    `capped` is how much of what was filled lies beyond a cap, `deeds` what was done in it and counts, with who did it.
    """

    seq: int
    round: int | None
    phase: str | None
    step: int | None
    who: str
    initiative: float | None
    place: int | None
    surprised: bool
    ended: int | None = None
    actions: int = 0
    reactions: int = 0
    deeds: tuple[tuple[str, Column], ...] = ()
    filled: tuple[int, int] | None = None
    before: tuple[tuple[str, Fill | None], ...] = ()
    capped: int = 0


class Fill(Struct, frozen=True, gc=False):
    """A slot as last refreshed: `index` is its row of the budgets.

    `used` is what was spent of it in the present round. What is left of one that was filled in an earlier round is
    `lent` to the present one as soon as something is spent of it there.
    """

    index: int
    round: int
    total: int
    spent: int = 0
    used: int = 0
    lent: bool = False


class Share(Struct, frozen=True, gc=False):
    """A combatant's share in the present round; `standing` is its score and place if it has left."""

    acted: bool = False
    surprised: bool = False
    actions: int = 0
    reactions: int = 0
    total: int = 0
    spent: int = 0
    dealt: int = 0
    taken: int = 0
    standing: tuple[float | None, int | None] | None = None


class Sums(Struct):
    """All that is carried from event to event. Its values are never changed in place, so that a copy is cheap.

    `carried` holds what has been done in no turn that counts, with who did it: it counts with their next turn.
    `waiting` holds the rolls whose result is still open, by their number: row, modifier, total.
    """

    state: State
    phase: str | None = None
    step: int | None = None
    taken: int = 0
    turns: tuple[Turn, ...] = ()
    shares: dict[str, Share] = {}
    fills: dict[tuple[str, str], Fill] = {}
    carried: tuple[tuple[str, Column], ...] = ()
    gone: frozenset[str] = frozenset()
    waiting: dict[int, tuple[int, int, int]] = {}

    def copy(self) -> Sums:
        """Return a copy that goes its own way."""
        return replace(self, shares=dict(self.shares), fills=dict(self.fills))


class Mark(NamedTuple):
    """A moment to go back to: the heights of the tables, the sums."""

    heights: tuple[int, int, int, int]
    sums: Sums


def count(shares: dict[str, Share], who: str | None, field: str, by: int) -> None:
    """Count on a number of somebody's share, if they have one."""
    if who in shares:
        share = shares[who]
        shares[who] = replace(share, **{field: getattr(share, field) + by})


def standings_of(state: State) -> dict[str, tuple[float | None, int | None]]:
    """Return everybody's score and place on the ladder: of several places, the first."""
    standings: dict[str, tuple[float | None, int | None]] = {}
    for number, place in enumerate(state.agenda, 1):
        standings.setdefault(place.who, (place.score, number))
    return standings
