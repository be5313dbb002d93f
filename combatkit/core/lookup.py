"""Looking up what would otherwise be searched for again and again: who is there, what somebody is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from combatkit.core.model import Bid, Fighter, Pool, State

Items = TypeVar("Items")
Made = TypeVar("Made")


class Lookup(Generic[Items, Made]):
    """What is made from a frozen object, kept while that same object is asked about: questions come in runs.

    Parameters
    ----------
    make : callable
        Makes it.
    """

    __slots__ = ("_last", "_make")

    def __init__(self, make: Callable[[Items], Made]) -> None:
        self._make = make
        self._last: tuple[Items, Made] | None = None

    def __call__(self, items: Items) -> Made:
        """Return what is made of it."""
        last = self._last
        if last is None or last[0] is not items:
            last = self._last = (items, self._make(items))  # replaced whole, so that threads can share it
        return last[1]


@Lookup
def open_bids(bids: tuple[Bid, ...]) -> dict[str, list[Bid]]:
    """Return the offers of a window that have not been answered, by combatant."""
    found: dict[str, list[Bid]] = {}
    for bid in bids:
        if not bid.answered:
            found.setdefault(bid.who, []).append(bid)
    return found


@Lookup
def present(fighters: dict[str, Fighter]) -> tuple[str, ...]:
    """Return those who have not left."""
    return tuple([name for name, fighter in fighters.items() if not (fighter.effects and fighter.effect("left"))])


def foes_first(fighters: dict[str, Fighter], side: str, names: Iterable[str], most: int) -> tuple[str, ...]:
    """Return so many of some names at most, other sides first."""
    foes: list[str] = []
    friends: list[str] = []
    for name in names:
        (foes if fighters[name].side != side else friends).append(name)
        if len(foes) == most:
            break
    return (*foes, *friends)[:most]


def numbered(came: Iterable[tuple[str, bool]]) -> dict[str, int]:
    """Return the number of every side in the order in which they came, the players' own first.

    Marks and colours go by it, so that those of the heroes are the same in every fight, whoever was added first.

    Parameters
    ----------
    came : iterable of (str, bool)
        The side of everybody, and whether the GM plays them.

    Examples
    --------
    >>> numbered([("gang", True), ("crew", False), ("watch", True)])
    {'crew': 0, 'gang': 1, 'watch': 2}
    """
    foes: dict[str, bool] = {}
    for side, npc in came:
        foes[side] = npc and foes.get(side, True)
    own = [side for side, is_foe in foes.items() if not is_foe][:1]
    return {side: number for number, side in enumerate(dict.fromkeys([*own, *foes]))}


@Lookup
def sides_of(fighters: dict[str, Fighter]) -> dict[str, int]:
    """Return the number of every side of a fight."""
    return numbered((each.side, each.npc) for each in fighters.values())


def what_is_left(pools: Mapping[str, Pool], way: tuple[str, ...]) -> tuple[str, ...]:
    """Return what can still be paid of a price: the GM may allow what is too dear, and then it takes all there is."""
    left = {pool: pools[pool].left for pool in way if pool in pools}
    paid = []
    for pool in way:
        if left.get(pool, int(":" in pool)) > 0:  # a keyed pool exists from its first use
            left[pool] = left.get(pool, 1) - 1
            paid.append(pool)
    return tuple(paid)


def foes_of(state: State, who: str) -> list[Fighter]:
    """Return everybody of another side who is on the ladder, in its order."""
    fighters, side = state.fighters, state.fighters[who].side
    return [fighters[place.who] for place in state.agenda if fighters[place.who].side != side]
