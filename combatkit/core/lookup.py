"""Looking up what would else be searched for again and again: who owns a place, what somebody is offered."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import TYPE_CHECKING, Any, Generic, TypeVar

if TYPE_CHECKING:
    from combatkit.core.model import Pool

Items = TypeVar("Items")
Made = TypeVar("Made")


class Lookup(Generic[Items, Made]):
    """What is made of something frozen, kept while the same one is asked about: whoever asks once asks for all of it.

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


def owned(agenda: tuple[Any, ...]) -> dict[str, Any]:
    """Return the own place of each who has one: the first it was given."""
    own: dict[str, Any] = {}
    for place in agenda:
        if place.who not in own or place.id < own[place.who].id:
            own[place.who] = place
    return own


def offered(bids: tuple[Any, ...]) -> dict[str, list[Any]]:
    """Return the offers of a window that have not been answered, by whose they are."""
    found: dict[str, list[Any]] = {}
    for bid in bids:
        if not bid.answered:
            found.setdefault(bid.who, []).append(bid)
    return found


def staying(fighters: dict[str, Any]) -> tuple[str, ...]:
    """Return those who have not left."""
    return tuple([name for name, fighter in fighters.items() if not (fighter.effects and fighter.effect("left"))])


def foes_first(fighters: dict[str, Any], side: str, names: Iterable[str]) -> Iterator[str]:
    """Yield names, those of other sides first, as far as they are asked for."""
    friends = []
    for name in names:
        if fighters[name].side != side:
            yield name
        else:
            friends.append(name)
    yield from friends


present = Lookup(staying)
own_places = Lookup(owned)
open_bids = Lookup(offered)


def what_is_left(pools: Mapping[str, Pool], way: tuple[str, ...]) -> tuple[str, ...]:
    """Return what can still be paid of a price: the GM may allow what is too dear, and then it takes all of that."""
    left = {pool: pools[pool].left for pool in way if pool in pools}
    paid = []
    for pool in way:
        if left.get(pool, int(":" in pool)) > 0:  # a keyed pool exists from its first use
            left[pool] = left.get(pool, 1) - 1
            paid.append(pool)
    return tuple(paid)
