"""Who may strike: space, range and shared squares, one routine at one target, free and immediate attacks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from combatkit.core.geometry import square_neighbours
from combatkit.core.model import Bid, Fighter, Lookup, State
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Objection, against
from combatkit.rules.catalogue import Action
from combatkit.rules.judge import demands
from combatkit.rules.params import as_names
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import armed
from combatkit.systems.segments.checks import SMALL, common, in_feet, out_of_range
from combatkit.systems.segments.movement import measured
from combatkit.systems.segments.tables import SEGMENTS
from combatkit.systems.segments.weapons import Weapon, arm_of, fights, modes_of, unsuited
from combatkit.text import Said, say, say_names


def check_attack(case: Case) -> Iterator[Objection]:
    """Refuse an attack that is out of place, one that takes no surprise, and one on several targets."""
    if case.has("surprised") and (unaware := case.action.facts.get("unaware")):
        yield Objection(f"{case.fighter.name} is surprised.", unaware)
    yield from common(case)
    if "multipliers" in case.params:
        check_multipliers(case.params["multipliers"])
    yield from unsuited(case)
    if len(case.targets) > 1:
        yield Objection("All attacks of a routine are made at a single target.", "segments.routine.one-target")


def check_charge(case: Case) -> Iterator[Objection]:
    """Refuse a charge as any attack, and by the way it takes."""
    yield from check_attack(case)
    yield from measured(case)


def can_strike(case: Case) -> Iterator[Objection]:
    """Refuse an attack in a shared square, without space, or beyond range."""
    state, fighter = case.state, case.fighter
    weapon, _, missile = arm_of(fighter, case.action, armed(case).params)
    if weapon is not None:
        yield from _space(state, fighter, weapon, case.params.get("option"))
    squares, able = _standing(state.fighters)
    near = squares.get(fighter.position, [])
    small = bool(fighter.effects) and any(map(fighter.effect, SMALL))
    near = [] if small else [f for f in near if f.name != fighter.name]
    for other in near:
        if other.name not in able:
            able[other.name] = case.rules.able(other)
    crowd = [f.name for f in near if able[f.name] or f.name in case.targets]
    if crowd:
        reason = f"{fighter.name} shares a square with {say_names(crowd)}, and nobody can fight in it."
        yield Objection(reason, "segments.grid.no-combat-shared")
    for name in case.targets:
        target = state.fighters[name]
        if weapon is not None and "range" in weapon and missile:
            yield from out_of_range(fighter, name, target.position, weapon["range"])


def check_multipliers(given: object) -> None:
    """Check damage multipliers as given.

    Raises
    ------
    InvalidInput
        If they are not whole numbers from 1.
    """
    values = given.values() if isinstance(given, Mapping) else given if isinstance(given, list) else [given]
    if any(type(n) is not int or n < 1 for n in values):
        raise InvalidInput(f"multipliers is {given!r}; give whole numbers from 1: one, a list, or by name")


def meeting(case: Case) -> tuple[Bid, ...]:
    """Return who may answer an action aimed at them: those the list of actions lets do so, with a major left."""
    return tuple(
        Bid(name, (answer.id,), answer.rule, targets=(case.fighter.name,))
        for answer in case.rules.catalogue(case.state)
        if answer.facts.get("meets") == case.action.id
        for name in case.targets
        if (major := case.state.fighters[name].pools.get("major")) is not None
        and major.left > 0
        and _could(case, case.state.fighters[name], answer)
    )


def parting(case: Case) -> tuple[Bid, ...]:
    """Return who may make a free attack on somebody who flees a melee; any foe may where nobody else is in it."""
    fighter, fighters = case.fighter, case.state.fighters.values()
    free = case.rules.catalogue(case.state)["free_attack"]
    held = fighter.effect("in_melee")
    foes = [foe for foe in fighters if fights(foe, fighter)]
    if not foes and held is not None and held.value is None:
        foes = [foe for foe in fighters if foe.side != fighter.side]
    return tuple(
        Bid(foe.name, (free.id,), "segments.free.before", targets=(fighter.name,))
        for foe in foes
        if _could(case, foe, free)
    )


def said_parting(case: Case, bids: tuple[Bid, ...]) -> Said | None:
    """Say that somebody flees, if there is more to it: a bonus, or a foe who stands elsewhere and fights them still.

    A melee is no place on the grid, so whoever is put apart by hand has not left it.
    """
    fields: dict[str, Any] = {"bonus": bonus} if (bonus := case.state.options["flee_bonus"]) else {}
    for bid in bids:
        apart = case.rules.distance(case.state, case.fighter, case.state.fighters[bid.who])
        if apart is not None and apart.steps > 1:
            foe, far = bid.who, f"{in_feet(apart.length or 0)} {case.rules.board.unit}"
            return say("melee.parting", of="apart", who=case.fighter.name, foe=foe, far=far, **fields)
    return say("melee.parting", who=case.fighter.name, **fields) if fields else None


def _could(case: Case, foe: Fighter, answer: Action) -> bool:
    """Check whether somebody could do this to whoever acts."""
    at = {"target": [case.fighter.name]}
    return case.rules.able(foe) and not demands(Case(case.rules, case.state, foe, answer, at))


def _squares(fighters: dict[str, Fighter]) -> tuple[dict[object, list[Fighter]], dict[str, bool]]:
    """Return who crowds each square, and a place to note who is able; a named place is not a square."""
    squares: dict[object, list[Fighter]] = {}
    for fighter in fighters.values():
        if isinstance(fighter.position, tuple) and not (fighter.effects and any(map(fighter.effect, SMALL))):
            squares.setdefault(fighter.position, []).append(fighter)
    return squares, {}


_standing = Lookup(_squares)


def _space(state: State, fighter: Fighter, weapon: Weapon, mode: str | None) -> Iterator[Objection]:
    """Refuse a weapon whose mode lacks space: because the GM says so, or because no square nearby is open."""
    modes = modes_of(weapon)
    needed = modes.get(mode, weapon.get("space", 0)) if mode is not None else weapon.get("space")
    if needed is None:
        needed = min(modes.values(), default=0)
    held = fighter.effect("restricted") if fighter.effects else None
    if held is not None and isinstance(held.value, (int, float)) and needed > held.value:
        reason = f"{weapon['name']} needs {needed} ft of space, and only {held.value} are free."
        yield Objection(reason, "segments.space.modes" if modes else "segments.space.effects")
    if needed > 4 and isinstance(fighter.position, tuple):
        taken = {f.position for f in state.fighters.values() if not f.effects or not f.effect("left")}
        if all(square in taken for square in square_neighbours(fighter.position)):
            reason = f"{weapon['name']} needs {needed} ft of space, and no square beside {fighter.name} is open."
            yield from against(reason, "segments.space.open", "segments.space.effects")


def segment_now(rules: Ruleset, state: State, named: object) -> int:
    """Return the segment something happens in: the one given, or else the window's, or else the step's."""
    if isinstance(named, int):
        return named
    for frame in reversed(state.focus):
        said = getattr(frame, "segment", None)
        if said is not None:
            return int(said)
    step = rules.present_step(state)
    return step.segment or 1 if step is not None else 1


def free_pools(rules: Ruleset, state: State, params: Mapping[str, object]) -> tuple[str, ...]:
    """Return the keyed pools a free attack draws on: one per segment, and one per round for whoever draws it."""
    pools = [f"free:{segment_now(rules, state, params.get('segment'))}"]
    pools.extend(f"drawn:{name}" for name in as_names(params.get("target", ())))
    return tuple(pools)


def already_made(rules: Ruleset, state: State, fighter: Fighter, params: Mapping[str, object]) -> Iterator[Objection]:
    """Refuse a second free attack on the same opponent, in whatever segment, or in the same segment."""
    for pool in free_pools(rules, state, params)[1:]:
        spent = fighter.pools.get(pool)
        if spent is not None and spent.left < 1:
            name = pool.partition(":")[2]
            reason = f"{fighter.name} has already made a free attack on {name} this round."
            yield Objection(reason, "segments.free.per-opponent")
    segment = segment_now(rules, state, params.get("segment"))
    spent = fighter.pools.get(f"free:{segment}")
    if spent is not None and spent.left < 1:
        reason = f"In segment {segment} {fighter.name} has already made a free attack."
        if "segment" not in params and not any(getattr(frame, "segment", None) for frame in state.focus):
            if state.window is None:
                reason += " That segment stands for this whole step; if this is another, name it."
            else:
                reason += " That segment stands for this whole step; the GM names another with a trigger."
        yield Objection(reason, "segments.free.per-segment")


def check_free(case: Case) -> Iterator[Objection]:
    """Refuse a second free attack on the same opponent or in the same segment, and one in another than its trigger."""
    state, fighter, params, window = case.state, case.fighter, case.params, case.window
    if not 1 <= params.get("segment", 1) <= SEGMENTS:
        yield Objection(f"A round has segments 1 to {SEGMENTS}.", "segments.time.segments")
    elif window is not None and window.segment is not None and params.get("segment", window.segment) != window.segment:
        yield Objection(f"This happens in segment {window.segment}, and so does a free attack.", "segments.free.before")
    yield from already_made(case.rules, state, fighter, params)
    yield from check_attack(case)
