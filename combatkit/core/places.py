"""A place of the agenda: as an event tells it, and where it goes."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec import convert
from msgspec.structs import replace

from combatkit.core.model import (
    Gone,
    Place,
)


def inserted(agenda: tuple[Place, ...], place: Place, data: dict[str, object]) -> tuple[Place, ...]:
    """Put a place where the event says: just before or after another, else by rank, after those of equal rank."""
    rest = [p for p in agenda if p.id != place.id]
    index = len(rest)
    if "before" in data or "after" in data:
        other = data.get("before", data.get("after"))
        index = next(i for i, p in enumerate(rest) if p.id == other) + ("after" in data)
    else:
        rank = place.rank
        index = next((i for i, p in enumerate(rest) if p.rank < rank), index)
    rest.insert(index, place)
    return tuple(rest)


def spot_of(agenda: tuple[Place, ...], gone: Mapping[str, Gone], who: str) -> int:
    """Return how many places come before that of somebody who has left: those of equal rank keep their order."""
    place, before = gone[who].place, gone[who].before
    following = {each.place.id: each.before for each in gone.values()}
    while before in following:
        before = following[before]
    for index, other in enumerate(agenda):
        if other.rank < place.rank or (other.id == before and other.rank == place.rank):
            return index
    return len(agenda)


def to_place(data: dict[str, object]) -> Place:
    """Return a place as an event holds it."""
    place = convert(data, Place)
    # JSON has no tuples: what compares must be tuples again, all the way down
    return replace(place, rank=tuples(place.rank), key=tuple([(k, tuples(v)) for k, v in place.key]))


def tuples(value: object) -> object:
    """Return a value with tuples for lists, all the way down."""
    return tuple([tuples(v) for v in value]) if isinstance(value, (list, tuple)) else value
