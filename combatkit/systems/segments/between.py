"""What lies between two combatants: the distance in feet, barriers, cover and concealment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from combatkit.core.geometry import square_distance
from combatkit.core.model import Effect, Fighter
from combatkit.rules.case import Objection, against

FEET = 5
"""The side of a square in feet."""


def feet_between(a: Fighter, b: Fighter) -> float | None:
    """Return the feet from the centre of one square to the centre of the other; None without positions."""
    if isinstance(a.position, tuple) and isinstance(b.position, tuple):
        return FEET * square_distance(a.position, b.position)
    return None


def out_of_range(a: Fighter, b: Fighter, reach: float) -> Iterator[Objection]:
    """Refuse a target beyond a range, measured from centre to centre."""
    feet = feet_between(a, b)
    if feet is not None and feet > reach:
        yield Objection(f"{b.name} is {feet:.0f} ft away; the range is {reach} ft.", "segments.grid.measure")


def point_out_of_range(fighter: Fighter, point: object, reach: float) -> Iterator[Objection]:
    """Refuse a point beyond a range; an object, or a place that is only a name, may lie anywhere."""
    if isinstance(point, list) and all(type(n) is int for n in point):
        feet = FEET * square_distance(fighter.position, (point[0], point[1]))
        if feet > reach:
            reason = f"{point_in_words(point)} is {feet:.0f} ft away; the range is {reach} ft."
            yield Objection(reason, "segments.grid.measure")


def point_in_words(point: str | Iterable[object]) -> str:
    """Say what point a spell is aimed at: a name, or a square."""
    return point if isinstance(point, str) else f"({', '.join(str(n) for n in point)})"


def line_objections(caster: Fighter, target: Fighter) -> Iterator[Objection]:
    """Yield what breaks the line of effect or the line of sight between two combatants."""
    name = target.name
    mine, theirs = (f.effect("barrier") if f.effects else None for f in (caster, target))
    for barrier in (mine, theirs):
        if barrier is None or is_open(barrier) or (mine and theirs and _what(mine) == _what(theirs) == "water"):
            continue
        reason = f"No line of effect to {name}: {_what(barrier) or 'a barrier'} lies between."
        yield from against(reason, "segments.loe.blocks", "segments.loe.needed")
        break
    if _percent(target, "cover") > 50:
        reason = f"No line of effect to {name}: more than half covered."
        yield from against(reason, "segments.loe.cover", "segments.loe.needed")
    if _percent(target, "concealment") >= 75:
        reason = f"No line of sight to {name} as the spell is completed."
        yield from against(reason, "segments.los.conceal", "segments.los.needed", "segments.los.when")


def is_open(barrier: Effect) -> bool:
    """Check whether a barrier leaves an opening of at least 1 by 1 ft."""
    value = barrier.value
    feet = value.get("opening", 0) if isinstance(value, Mapping) else value if type(value) is int else 0
    return bool(feet >= 1)


def _what(barrier: Effect) -> str:
    value = barrier.value
    return str(value.get("what", "")) if isinstance(value, Mapping) else value if isinstance(value, str) else ""


def _percent(fighter: Fighter, id: str) -> float:
    held = fighter.effect(id) if fighter.effects else None
    return held.value if held is not None and isinstance(held.value, (int, float)) else 0
