"""What may be given: a combatant's stats, an action's weapon and mode, and what a condition holds."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert

from combatkit.core.model import Fighter, State
from combatkit.core.plain import check_whole, is_text, short
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import armed
from combatkit.systems.segments.notation import read_aac0, read_attack, read_hit_dice
from combatkit.systems.segments.rolled import CHECKS, kinds_of_save
from combatkit.systems.segments.tables import LONGEST
from combatkit.systems.segments.weapons import (
    LOADING,
    attack_lines,
    check_mode,
    check_named,
    check_weapon,
    may_load,
    modes_of,
    weapons_of,
)


def check_order(ruleset: str, id: str, value: object, listed: tuple[str, ...] | None) -> list[str]:
    """Return an option that is an order: of the listed names, or of any.

    Raises
    ------
    InvalidInput
        If it is not a list, names something twice, or names what is not listed.
    """
    order = list(value) if isinstance(value, (list, tuple)) else []
    texts = all(isinstance(v, str) and v for v in order) and len(set(order)) == len(order)
    if texts and order and (listed is None or sorted(order) == sorted(listed)):
        return order
    right = "names, each once, in order" if listed is None else f"these four: {', '.join(listed)}"
    raise InvalidInput(f"option {id!r} of {ruleset} cannot be {value!r}: it takes a list of {right}")


Check = Callable[[Case], Iterable[Objection]]

BLOWS = ("attack", "called_shot", "free_attack", "immediate_attack")
"""What makes an attack besides a charge."""


def check_stats(stats: Mapping[str, Any], where: str) -> None:
    """Check a combatant's stats beyond their types: AAC0, hit dice, attack lines, weapons, movement by mode.

    Raises
    ------
    InvalidInput
        If a value is impossible; the message names the combatant and the stat.
    """
    with within(where):
        if stats["aac0"] is not None:
            read_aac0(stats["aac0"])
        read_hit_dice(stats["hit_dice"])
    with within(f"{where}: attacks"):
        for line in attack_lines(stats):
            read_attack(str(line))
    for weapon in stats["weapons"]:
        check_weapon(weapon, where)
    for name, number in (stats.get(CHECKS) or {}).items():
        if not is_text(name, 100) or not name.strip():
            raise InvalidInput(f"{where}: checks has {short(name)}; give what the check is called")
        check_whole(number, f"{where}: checks: {name}", 1, 100)
    movement = stats["movement"]
    if isinstance(movement, Mapping) and any(type(n) is not int or n < 0 for n in movement.values()):
        raise InvalidInput(f"{where}: movement is {movement!r}; give feet, or feet by mode")


def checked(check: Check | None) -> Check:
    """Return a check that first refuses an unknown weapon or mode."""

    def whole(case: Case) -> Iterable[Objection]:
        params = case.params
        if "weapon" in params:
            check_named(case, params["weapon"])
        if "option" in params:
            _check_option(case)
        return () if check is None else check(armed(case))

    return whole


def _check_option(case: Case) -> None:
    """Refuse an option where none is read, and a mode that the weapon or movement does not have."""
    fighter, action, params = case.fighter, case.action, case.params
    where = action.id
    if action.id == "declare":
        chosen = params.get("spell", params.get("action"))
        if chosen is None:
            return
        action = case.rules.catalogue(case.state)[chosen]
        where = f"declare: {action.id}"
    taken = [p.id for p in action.parameters]
    if "option" not in taken:
        raise InvalidInput(f"{where} takes no 'option'; its parameters are: {', '.join(taken) or 'none'}")
    listed = action.facts.get("options", ())
    if listed and params["option"] not in listed:
        raise InvalidInput(f"{where}: option is {params['option']!r}; it is {' or '.join(repr(o) for o in listed)}")
    moves = _ways(fighter) if action.does in ("move", "charge") else ()
    if moves and (action.does == "move" or params["option"].lower() in moves):
        if params["option"].lower() not in moves:
            right = ", ".join(moves)
            raise InvalidInput(f"{where}: option is {params['option']!r}; {fighter.name} moves by {right}")
    elif action.does in (*BLOWS, "charge"):
        check_mode(fighter, action, params)


def _ways(fighter: Fighter) -> tuple[str, ...]:
    """Return the ways a combatant can move; none if only feet are stated, or nothing."""
    movement = fighter.stats.get("movement")
    return tuple(str(way).lower() for way in movement) if isinstance(movement, Mapping) else ()


def listed_options(fighter: Fighter, action: Action) -> tuple[str, ...] | None:
    """Return the modes of an action; None if free text is allowed."""
    if action.does in ("move", "charge"):
        ways = _ways(fighter)
        if action.does == "move":
            return ways or None
        return tuple(dict.fromkeys((*ways, *_modes(fighter))))
    if action.does == "save":
        return kinds_of_save(fighter) if action.id == "save" else ()
    if action.does not in BLOWS:
        return tuple(action.facts.get("options", ())) or None
    return (*_modes(fighter), LOADING) if "missile" in action.tags and may_load(fighter) else _modes(fighter)


def _modes(fighter: Fighter) -> tuple[str, ...]:
    return tuple(dict.fromkeys(mode for weapon in weapons_of(fighter) for mode in modes_of(weapon)))


# ── what the conditions that rules read may hold: checked as they begin, not when a rule reads them ──


_Number = Annotated[float, Meta(ge=0)]
_PerCent = Annotated[float, Meta(ge=0, le=100)]
_Segments = Annotated[int, Meta(ge=0, le=LONGEST)]


class _Barrier(Struct, forbid_unknown_fields=True):
    """What lies between, and how wide its opening is."""

    what: str = ""
    opening: _Number = 0


class _Plan(Struct):
    """What is declared."""

    action: Any


class _Casting(Struct):
    """A spell under way."""

    spell: Any
    kind: Literal["incantation", "invocation"]
    segments: _Segments
    step: Literal["group", "spells"]
    done: _Segments = 0
    target: list[str] = []


_HELD: dict[str, tuple[Any, str]] = {
    "cover": (_PerCent | None, "per cent, a number from 0 to 100"),
    "concealment": (_PerCent | None, "per cent, a number from 0 to 100"),
    "restricted": (_Number | None, "feet, a number from 0"),
    "walked": (_Number | None, "feet, a number from 0"),
    "in_melee": (list[str] | None, "nothing, or a list of those it is with"),
    "barrier": (
        _Barrier | str | _Number | None,
        "what it is, the feet of its opening, or {'what': 'wall', 'opening': 1}",
    ),
    "declared": (_Plan, "{'action': 'attack'}, or declare it in step 1"),
    "casting": (
        _Casting,
        (
            "{'spell': 'incantation', 'kind': 'incantation', 'segments': 3, 'step': 'spells'}, or declare it in step 1"
            "; a target is a list of combatants"
        ),
    ),
    "completing": (Any, "an action's id"),
}
"""What the value of a condition must be, and how that is said."""


def check_condition(rules: Ruleset, state: State, id: str, value: object) -> None:
    """Check the value of a condition that a rule of this system reads.

    Raises
    ------
    InvalidInput, UnknownName
        If no rule could read it; it says what would be right.
    """
    kind, right = _HELD.get(id, (Any, ""))
    try:
        held = convert(value, kind)
        names = held.target if id == "casting" else held if id == "in_melee" else None
        if any(name not in state.fighters for name in names or ()) or (id == "casting" and held.done > held.segments):
            raise ValidationError
    except ValidationError:
        raise InvalidInput(f"condition {id}: value is {short(value)}; give {right}") from None
    if id in ("declared", "casting", "completing"):
        action = held.action if id == "declared" else held.spell if id == "casting" else held
        if not isinstance(action, str):
            raise InvalidInput(f"condition {id}: value is {short(action)}; give an action's id")
        if action not in rules.catalogue(state):
            raise UnknownName.of(f"action of a condition {id}", action, rules.catalogue(state).ids())
