"""What the conditions that rules read may hold: checked as they begin, not when a rule reads them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NoReturn, TypeGuard

from combatkit.core.model import State
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.tables import LONGEST

ROUND_LONG = ("declared", "casting", "completing")
"""Conditions that last one round, unless a longer time is given."""

_CASTING = {"kind": ("incantation", "invocation"), "step": ("group", "spells")}


def check_condition(rules: Ruleset, state: State, id: str, value: object) -> None:
    """Check the value of a condition that a rule of this system reads.

    Raises
    ------
    InvalidInput, UnknownName
        If no rule could read it; it says what would be right.
    """
    match id:
        case "cover" | "concealment":
            if value is not None and not (_is_number(value) and value <= 100):
                _refuse(id, value, "per cent, a number from 0 to 100")
        case "restricted" | "walked":
            if value is not None and not _is_number(value):
                _refuse(id, value, "feet, a number from 0")
        case "in_melee":
            names = value if isinstance(value, list) else [None]
            if value is not None and any(name not in state.fighters for name in names):
                _refuse(id, value, "nothing, or a list of those it is with")
        case "barrier":
            _check_barrier(value)
        case "declared":
            if not isinstance(value, Mapping) or "action" not in value:
                _refuse(id, value, "{'action': 'attack'}, or declare it in step 1")
            _check_action(rules, state, id, value["action"])
        case "casting":
            _check_casting(rules, state, value)
        case "completing":
            _check_action(rules, state, id, value)


def _is_number(value: object) -> TypeGuard[float]:
    return (type(value) is int or type(value) is float) and value >= 0


def _refuse(id: str, value: object, right: str) -> NoReturn:
    raise InvalidInput(f"condition {id}: value is {short(value)}; give {right}")


def _check_barrier(value: object) -> None:
    right = "what it is, the feet of its opening, or {'what': 'wall', 'opening': 1}"
    if value is None or isinstance(value, str) or _is_number(value):
        return
    if not isinstance(value, Mapping) or any(key not in ("what", "opening") for key in value):
        _refuse("barrier", value, right)
    if not isinstance(value.get("what", ""), str) or not _is_number(value.get("opening", 0)):
        _refuse("barrier", value, right)


def _check_action(rules: Ruleset, state: State, id: str, action: object) -> None:
    catalogue = rules.catalogue(state)
    if not isinstance(action, str):
        _refuse(id, action, "an action's id")
    if action not in catalogue:
        raise UnknownName.of(f"action of a condition {id}", action, catalogue.ids())


def _check_casting(rules: Ruleset, state: State, value: object) -> None:
    right = (
        "{'spell': 'incantation', 'kind': 'incantation', 'segments': 3, 'step': 'spells'}, "
        "or declare the spell in step 1"
    )
    if not isinstance(value, Mapping) or any(key not in value for key in ("spell", "segments", *_CASTING)):
        _refuse("casting", value, right)
    _check_action(rules, state, "casting", value["spell"])
    wrong = any(value[key] not in known for key, known in _CASTING.items())
    done, segments = value.get("done", 0), value["segments"]
    if wrong or type(segments) is not int or type(done) is not int or not 0 <= done <= segments <= LONGEST:
        _refuse("casting", value, right)
    names = value.get("target", [])
    if not isinstance(names, list) or any(name not in state.fighters for name in names):
        _refuse("casting", value, f"{right}; a target is a list of combatants")
