"""What lies between two combatants: the distance in feet, barriers, cover and concealment."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping

from combatkit.core.geometry import as_pair, square_distance
from combatkit.core.model import Effect, Fighter
from combatkit.rules.case import Objection, against

FEET = 5
"""The side of a square in feet."""

SMALL = ("very_small", "shares_square")
"""What lets combatants share a square and fight there."""


def out_of_range(fighter: Fighter, what: str, spot: object, reach: float) -> Iterator[Objection]:
    """Refuse what is beyond a range, from centre to centre; where there is only a name, it may be anywhere."""
    here, there = as_pair(fighter.position), as_pair(spot)
    if here is not None and there is not None and (feet := FEET * square_distance(here, there)) > reach:
        yield Objection(f"{what} is {feet:.0f} ft away; the range is {reach} ft.", "segments.grid.measure")


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
