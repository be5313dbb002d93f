"""Movement: how far, which way, and what stands in it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any

from combatkit.core.geometry import Square, as_pair, square_distance
from combatkit.core.model import Fighter, State
from combatkit.errors import InvalidInput
from combatkit.rules import weapons
from combatkit.rules.case import Case, Objection, against
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.checks import FEET, SMALL, common, in_feet, lost_to_delay
from combatkit.systems.segments.places import has_made_major
from combatkit.systems.segments.weapons import changed
from combatkit.text import Said, Title, say

_NATIVE = ("fly", "swim")


def check_move(case: Case) -> Iterator[Objection]:
    """Refuse positioning before the major action, or in melee, and a way that is too long or not as long as said."""
    fighter = case.fighter
    yield from common(case)
    yield from measured(case)
    feet = feet_of(fighter, case.params)
    most = case.action.facts.get("feet")
    if most is not None:
        if not has_made_major(fighter) or lost_to_delay(case.rules, case.state, fighter):
            yield Objection("Positioning comes only after a major action.", "segments.pos.after-major")
        if fighter.effects and fighter.effect("in_melee"):
            yield Objection("There is no positioning in melee.", "segments.pos.not-melee")
        if feet is not None and feet > most:
            reason = f"Positioning covers up to {most} ft, not {in_feet(feet, most)}."
            yield from against(reason, "segments.pos.10ft", "segments.move.major")


def measured(case: Case) -> Iterator[Objection]:
    """Refuse a way that leads nowhere or isn't as long as said, a charge out of reach, by an option what is too far."""
    yield from weapons.already_there(case, "segments.grid.measure")
    fighter, params = case.fighter, case.params
    stated, way = params.get("feet"), feet_of(fighter, {k: v for k, v in params.items() if k != "feet"})
    if stated is not None and stated >= 0 and way is not None and abs(stated - way) >= 1:
        yield Objection(f"This way is {in_feet(way)} ft long, not {stated}.", "segments.grid.measure", firm=True)
        return
    end = as_pair(next(iter(weapons.way_of(params)[-1:]), None))
    for name in case.targets:
        spot = as_pair(case.state.fighters[name].position)
        if end is not None and spot is not None and weapons.apart(end, spot) > 1:
            far = FEET * square_distance(end, spot)
            at = weapons.said_spot(end)
            yield case.object(f"{case.action.title} ends beside {name}, and {at} is {in_feet(far)} ft away from there.")
    beyond = too_far(fighter, params)
    if beyond is not None and case.state.options["movement"] == "refused":
        feet, most = beyond
        reason = f"{fighter.name} moves {most} ft a round, and this is {in_feet(feet, most)}."
        yield Objection(reason, "segments.move.major")


def too_far(fighter: Fighter, params: Mapping[str, Any]) -> tuple[float, int] | None:
    """Return how many feet a move covers, and the movement on the sheet, if it is less."""
    feet, most = feet_of(fighter, params), rate_of(fighter, params.get("option"))
    return (feet, most) if feet is not None and most is not None and feet > most else None


def rate_of(fighter: Fighter, mode: str | None) -> int | None:
    """Return somebody's movement a round, by a mode if the sheet has several; None if it has none."""
    movement = fighter.stats.get("movement")
    if isinstance(movement, Mapping):
        by_mode = {str(way).lower(): feet for way, feet in movement.items()}
        movement = by_mode.get((mode or "walk").lower(), next(iter(by_mode.values()), None))
    return max(0, movement + changed(fighter, "movement")) if type(movement) is int else None


def whither(case: Case) -> tuple[str, ...]:
    """Return where a move goes, if that must still be named and no feet are given instead."""
    return () if "feet" in case.params else weapons.whither(case)


def leads(rules: Ruleset, case: Case) -> float | None:
    """Return how many feet a move leads: so far as the action says, or by an option as far as the sheet does."""
    most: float | None = case.action.facts.get("feet")
    if case.state.options["movement"] == "refused":
        rate = rate_of(case.fighter, case.params.get("option"))
        most = rate if most is None else most if rate is None else min(most, rate)
    return most


def closed(rules: Ruleset, case: Case) -> tuple[Mapping[Square, str], Mapping[Square, str]]:
    """Return the enemies' squares: nobody passes those, nor, by an option, ends there, unless very small."""
    foes = weapons.foes_on(rules, case.state, case.fighter.name)
    passing = {spot: foe.name for spot, foe in foes.items()}
    if case.state.options["squeezing"] == "anybody" or any(map(case.fighter.effect, SMALL)):
        return passing, {}
    return passing, {spot: foe.name for spot, foe in foes.items() if not any(map(foe.effect, SMALL))}


def passed_on(rules: Ruleset, state: State, fighter: Fighter, params: Mapping[str, object]) -> Iterator[Fighter]:
    """Yield those whose squares a move goes through, in order; it is straight from place to place."""
    way = weapons.path_of(rules.board, fighter, params)
    for spot in dict.fromkeys(way[:-1]):
        for other in state.fighters.values():
            if other.position == spot and other.name != fighter.name and not (other.effects and other.effect("left")):
                yield other


def too_fast(fighter: Fighter, feet: float, mode: str | None) -> tuple[Said, str, float] | None:
    """Say which limit a moving caster breaks, by which rule, and the feet it is; None if concentration holds.

    The limit is half the movement in a round, or all of it for those who fly or swim by nature.
    """
    rate = rate_of(fighter, mode)
    if rate is None:
        return None
    if native(fighter, mode):
        own = say("broken.own_move", way=Title(mode), feet=rate)
        return (own, "segments.conc.native-full", rate) if feet > rate else None
    if feet + walked(fighter) > rate / 2:
        return say("broken.half_move", feet=rate / 2), "segments.conc.half-move", rate / 2
    return None


def native(fighter: Fighter, mode: str | None) -> bool:
    """Check whether a combatant flies or swims by nature, and so moves at full speed."""
    movement = fighter.stats.get("movement")
    return mode is not None and mode.lower() in _NATIVE and isinstance(movement, Mapping) and mode.lower() in movement


def walked(fighter: Fighter) -> float:
    """Return the feet a concentrating combatant has gone this round."""
    held = fighter.effect("walked")
    return held.value if held is not None and isinstance(held.value, (int, float)) else 0


def path_of(params: Mapping[str, Any]) -> list[tuple[int, int]]:
    """Return the squares a move goes through, including the last; none if part of the way is only a name."""
    squares = [as_pair(place) for place in weapons.way_of(params)]
    found = [square for square in squares if square is not None]
    return found if len(found) == len(squares) else []


def feet_of(fighter: Fighter, params: Mapping[str, Any]) -> float | None:
    """Return how many feet a move covers: along its squares, from centre to centre, or else as given."""
    if params.get("feet", 0) < 0:
        raise InvalidInput(f"feet is {params['feet']}; give a number from 0")
    path = path_of(params)
    if not path or not isinstance(fighter.position, tuple):
        return float(params["feet"]) if "feet" in params else None
    stops = [fighter.position, *path]
    return FEET * sum(square_distance(a, b) for a, b in pairwise(stops))
