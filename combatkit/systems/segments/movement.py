"""Movement: how far, which way, and what stands against it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from combatkit.engine.catalogue import Action
from combatkit.engine.geometry import square_distance
from combatkit.engine.model import Fighter, State
from combatkit.engine.ruleset import Objection, Ruleset
from combatkit.errors import InvalidInput
from combatkit.systems.segments.checks import FEET, common, lost_to_delay

_NATIVE = ("fly", "swim")


def check_move(
    rules: Ruleset, state: State, fighter: Fighter, action: Action, params: Mapping[str, Any]
) -> Iterator[Objection]:
    """Refuse positioning before the major action or in melee, a walk too long to concentrate, a way through enemies."""
    yield from common(rules, state, fighter, action, params)
    feet = feet_of(fighter, params)
    most = action.facts.get("feet")
    if most is not None:
        if not _has_made_major(rules, state, fighter):
            yield Objection("Positioning comes only after a major action.", "segments.pos.after-major")
        if fighter.effects and fighter.effect("in_melee"):
            yield Objection("There is no positioning in melee.", "segments.pos.not-melee")
        if feet is not None and feet > most:
            yield Objection(f"{feet:g} ft is more than positioning covers, {most} ft.", "segments.pos.10ft")
            yield Objection("", "segments.move.major")
    if feet is not None and fighter.effects and fighter.effect("concentration"):
        yield from _slowly(fighter, feet, params.get("option"))
    if len(path := path_of(params)) > 1:
        yield from _barred(state, fighter, path[:-1])


def _barred(state: State, fighter: Fighter, through: list[tuple[int, int]]) -> Iterator[Objection]:
    """Refuse a way through squares where foes stand."""
    standing: dict[Any, list[str]] = {}
    for other in state.fighters.values():
        if other.side != fighter.side and not (other.effects and other.effect("left")):
            standing.setdefault(other.position, []).append(other.name)
    for square in dict.fromkeys(through):
        for name in standing.get(square, ()):
            reason = f"{name} stands in the way at {square}: only allies pass through."
            yield Objection(reason, "segments.grid.pass-breaks")


def _has_made_major(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Say whether a major action was made: one given up to a delay is lost, not made."""
    major = fighter.pools.get("major")
    return major is not None and major.left < 1 and not lost_to_delay(rules, state, fighter)


def _slowly(fighter: Fighter, feet: float, mode: str | None) -> Iterator[Objection]:
    """Refuse a caster who concentrates more than half the movement, native flying and swimming excepted."""
    movement = fighter.stats.get("movement")
    if isinstance(movement, Mapping):
        rate = movement.get((mode or "walk").lower(), next(iter(movement.values()), None))
    else:
        rate = movement
    if native(fighter, mode):
        if feet > rate:
            yield Objection(f"{fighter.name} concentrates: {mode} {rate} ft at most.", "segments.conc.native-full")
        return
    feet += walked(fighter)
    if type(rate) is int and feet > rate / 2:
        reason = f"{fighter.name} concentrates: half the movement, {rate / 2:g} ft, at most."
        yield Objection(reason, "segments.conc.half-move")


def native(fighter: Fighter, mode: str | None) -> bool:
    """Say whether somebody moves in a way of its own, flying or swimming: then at full speed."""
    movement = fighter.stats.get("movement")
    return mode is not None and mode.lower() in _NATIVE and isinstance(movement, Mapping) and mode.lower() in movement


def walked(fighter: Fighter) -> float:
    """Give the feet one who concentrates has gone this round."""
    held = fighter.effect("walked")
    return held.value if held is not None and isinstance(held.value, (int, float)) else 0


def path_of(params: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Give the squares a move goes through, the last one included."""
    to = params.get("to")
    if to is None or isinstance(to, str):
        return []
    if len(to) == 2 and all(type(n) is int for n in to):
        return [(to[0], to[1])]
    return [(x, y) for x, y in to]


def feet_of(fighter: Fighter, params: Mapping[str, Any]) -> float | None:
    """Give how many feet a move covers: as said, else along its squares, from centre to centre."""
    if "feet" in params:
        if params["feet"] < 0:
            raise InvalidInput(f"feet is {params['feet']}; give a number from 0")
        return float(params["feet"])
    path = path_of(params)
    if not path or not isinstance(fighter.position, tuple):
        return None
    stops = [fighter.position, *path]
    return FEET * sum(square_distance(a, b) for a, b in pairwise(stops))
