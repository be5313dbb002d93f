"""What a tally carries from event to event."""

from __future__ import annotations

from typing import Any

from msgspec import Struct

from combatkit.core.model import State

Row = dict[str, Any]
"""A row of a frame, by column."""


class Fill(Struct):
    """A slot as last refreshed: `row` is its row of the budgets.

    `used` is what was spent of it in the present round. What is left of one that was filled in an earlier round is
    `lent` to the present one as soon as something is spent of it there. So much is `held` while its owner lies there.
    """

    row: Row
    used: int = 0
    lent: bool = False
    held: int = 0


class Share(Struct):
    """A combatant's share in the present round, as the columns of `rounds` have it.

    `standing` is its score and place if it has left; `over` is what was filled beyond the caps.
    """

    acted: bool = False
    surprised: bool = False
    actions: int = 0
    reactions: int = 0
    total: int = 0
    spent: int = 0
    dealt: int = 0
    taken: int = 0
    standing: tuple[float | None, int | None] | None = None
    over: int = 0


def standings_of(state: State) -> dict[str, tuple[float | None, int | None]]:
    """Return everybody's score and place on the ladder: of several places, the first."""
    standings: dict[str, tuple[float | None, int | None]] = {}
    for number, place in enumerate(state.agenda, 1):
        standings.setdefault(place.who, (place.score, number))
    return standings
