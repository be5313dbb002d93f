"""The parameters actions take: their titles, their types, and what a wrong value is told."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any, NamedTuple

from combatkit.engine.dice import parse_dice
from combatkit.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from combatkit.engine.catalogue import Action
    from combatkit.engine.model import State
    from combatkit.engine.ruleset import Ruleset


class ParameterSpec(NamedTuple):
    """How a parameter is asked for and checked. `kind` names the check."""

    title: str
    kind: str


PARAMETERS: dict[str, ParameterSpec] = {
    "target": ParameterSpec("Target", "names"),
    "count": ParameterSpec("Count", "int"),
    "round": ParameterSpec("Round", "int"),
    "before": ParameterSpec("Before", "name"),
    "after": ParameterSpec("After", "name"),
    "action": ParameterSpec("Action", "action"),
    "trigger": ParameterSpec("Trigger", "trigger"),
    "to": ParameterSpec("To", "places"),
    "option": ParameterSpec("Option", "text"),
    "rank": ParameterSpec("Rank", "text"),
    "threat": ParameterSpec("Threat", "int"),
    "weapon": ParameterSpec("Weapon", "text"),
    "pay": ParameterSpec("Paid from", "text"),
    "modifiers": ParameterSpec("Modifiers", "modifiers"),
    "damage": ParameterSpec("Damage", "dice"),
    "outcome": ParameterSpec("Outcome", "outcome"),
    "unaware": ParameterSpec("Unaware", "names"),
    "segment": ParameterSpec("Segment", "int"),
    "segments": ParameterSpec("Segments", "int"),
    "destiny": ParameterSpec("Destiny", "text"),
    "manoeuvre": ParameterSpec("Manoeuvre", "any"),
    "spell": ParameterSpec("Spell", "action"),
    "feet": ParameterSpec("Feet", "int"),
    "multipliers": ParameterSpec("Multipliers", "any"),
    "attributes": ParameterSpec("Attributes", "any"),
    "witnesses": ParameterSpec("Witnesses", "names"),
}
"""Every parameter any action may take; another is refused as unknown."""

OUTCOMES = ("hit", "miss", "failed", "foiled", "negated")

_ALWAYS = frozenset({"pay", "modifiers", "option"})


def as_names(value: Any) -> tuple[str, ...]:
    """Give a name or names as a tuple.

    Raises
    ------
    InvalidInput
        If it is neither.
    """
    if isinstance(value, str):
        return (value,)
    if isinstance(value, Iterable):
        names = tuple(value)
        if all(isinstance(name, str) for name in names):
            return names
    raise InvalidInput(f"{value!r} is no name; give a combatant's name, or several")


def check_params(rules: Ruleset, state: State, action: Action, params: Mapping[str, Any]) -> dict[str, Any]:
    """Check an action's parameters one by one and give them in plain form.

    Raises
    ------
    UnknownName
        For a parameter no action has, or a name nobody bears.
    InvalidInput
        For one that this action does not take, or a value of the wrong kind.
    """
    if not params:
        return {}
    checked: dict[str, Any] = {}
    taken = {p.id for p in action.parameters}
    for id, value in params.items():
        spec = PARAMETERS.get(id)
        if spec is None:
            raise UnknownName.of(f"parameter of {action.id}", id, [*sorted(taken), *PARAMETERS])
        if value is None:
            continue
        if id not in taken and id not in _ALWAYS and not (id == "trigger" and action.when != "own turn"):
            right = ", ".join(sorted(taken)) or "none"
            raise InvalidInput(f"{action.id} takes no {id!r}; its parameters are: {right}")
        checked[id] = _check(rules, state, action, id, spec, value)
    return checked


def _check(rules: Ruleset, state: State, action: Action, id: str, spec: ParameterSpec, value: Any) -> Any:
    where = f"{action.id}: {id}"
    match spec.kind:
        case "int":
            if type(value) is not int:
                raise InvalidInput(f"{where} is {value!r}; give a whole number")
        case "name" | "names":
            names = as_names(value) if isinstance(value, (str, list, tuple)) else None
            if not names or (spec.kind == "name" and len(names) != 1):
                raise InvalidInput(f"{where} is {value!r}; give a combatant's name")
            for name in names:
                if name not in state.fighters:
                    raise UnknownName.of("combatant", name, state.fighters)
            return names[0] if spec.kind == "name" else list(names)
        case "action":
            return find_action(rules, state, value).id
        case "trigger":
            return _trigger(where, value)
        case "places":
            return _places(rules, state, where, value)
        case "dice":
            if type(value) is not int and not (isinstance(value, str) and parse_dice(value)):
                raise InvalidInput(f"{where} is {value!r}; give a number or dice such as '3d8+2'")
        case "outcome":
            if value not in OUTCOMES:
                raise InvalidInput(f"{where} is {value!r}; it is one of {', '.join(OUTCOMES)}")
        case "modifiers":
            if type(value) is not int and not _is_modifiers(value):
                raise InvalidInput(f"{where} is {value!r}; give a number, or numbers by name: {{'cover': -2}}")
        case "text":
            if not isinstance(value, str) or len(value) > 500:
                raise InvalidInput(f"{where} is {value!r}; give text of at most 500 characters")
    return value


def _places(rules: Ruleset, state: State, where: str, value: Any) -> Any:
    """Give a place, or a path of them, plain: an event holds lists, not tuples."""
    path = isinstance(value, (list, tuple)) and not (len(value) == 2 and all(type(n) is int for n in value))
    if path and not value:
        raise InvalidInput(f"{where} is {value!r}; give a place, or a path of them")
    try:
        spots = [rules.check_position(state, each) for each in (value if path else [value])]
    except InvalidInput as error:
        raise InvalidInput(f"{where}: {error}") from None
    plain = [list(spot) if isinstance(spot, tuple) else spot for spot in spots]
    return plain if path else plain[0]


def find_action(rules: Ruleset, state: State, name: Any) -> Action:
    """Find an action by its id, among the ruleset's and those a user supplied.

    Raises
    ------
    UnknownName
        If there is none; it names the nearest.
    """
    catalogue = rules.catalogue(state)
    found = catalogue.get(name) if isinstance(name, str) else None
    if found is None:
        raise UnknownName.of(f"action of {rules.id}", name, catalogue.ids())
    return found


def _is_modifiers(value: Any) -> bool:
    return isinstance(value, Mapping) and all(isinstance(k, str) and type(v) is int for k, v in value.items())


_TRIGGER_KEYS = ("actor", "side", "action", "target", "text")


def _trigger(where: str, value: Any) -> Any:
    if isinstance(value, str) and value.strip() and len(value) <= 500:
        return value
    if isinstance(value, Mapping) and value:
        for key, inner in value.items():
            if key not in _TRIGGER_KEYS:
                raise UnknownName.of("part of a trigger", key, _TRIGGER_KEYS)
            if not isinstance(inner, str) or not inner:
                raise InvalidInput(f"{where}: {key} is {inner!r}; give text")
        return dict(value)
    raise InvalidInput(f"{where} is {value!r}; give text, or a mapping of {', '.join(_TRIGGER_KEYS)}")


def trigger_text(trigger: Any) -> str:
    """Say a trigger in words."""
    if isinstance(trigger, str):
        return trigger
    who = trigger.get("actor") or (f"one of {trigger['side']}" if "side" in trigger else "somebody")
    words = [who]
    if "action" in trigger:
        words.append(f"does {trigger['action'].replace('_', ' ')}")
    if "target" in trigger:
        words.append(f"to {trigger['target']}")
    if "text" in trigger:
        words.append(trigger["text"])
    return " ".join(words)
