"""Checking what people give: stats against their types and ranges, names against who is there."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from combatkit.engine.catalogue import Stat
from combatkit.engine.model import State
from combatkit.engine.ruleset import Ruleset
from combatkit.errors import InvalidInput, UnknownName

_RESERVED = ("GM",)


def check_stats(rules: Ruleset, stats: Mapping[str, Any], where: str) -> dict[str, Any]:
    """Check stats against a ruleset and fill in the defaults.

    Parameters
    ----------
    rules : Ruleset
        Whose stats they are.
    stats : mapping
        By name.
    where : str
        What to call their owner in an error.

    Returns
    -------
    dict
        Every stat of the ruleset, in its order.

    Raises
    ------
    UnknownName
        For a stat the ruleset does not have.
    InvalidInput
        For a value of the wrong type or out of range.
    """
    for name in stats:
        if name not in rules.stats:
            raise UnknownName.of(f"stat of {rules.id} ({where})", name, rules.stats.ids())
    checked = {
        s.name: check_stat(s, stats[s.name], where) if stats.get(s.name) is not None else s.default for s in rules.stats
    }
    rules.check_combatant(checked, where)
    return checked


def check_stat(stat: Stat, value: Any, where: str) -> Any:
    """Check one stat's value; lists become tuples."""
    kinds = stat.type.split("|")
    for kind in kinds:
        if kind == "int" and type(value) is int:
            return _in_range(stat, value, where)
        if kind == "bool" and type(value) is bool:
            return value
        if kind == "text" and isinstance(value, str):
            return value
        if kind == "list" and isinstance(value, Sequence) and not isinstance(value, str):
            return tuple(value)
        if kind == "mapping" and isinstance(value, Mapping):
            return dict(value)
    names = {"int": "a whole number", "bool": "True or False", "text": "text", "list": "a list", "mapping": "a mapping"}
    right = " or ".join(names[k] for k in kinds)
    if "int" in kinds and stat.range:
        right += f" from {_bounds(stat)}"
    raise InvalidInput(f"{where}: {stat.name} is {value!r}; give {right}")


def _in_range(stat: Stat, value: int, where: str) -> int:
    low, high = stat.range or (None, None)
    if (low is not None and value < low) or (high is not None and value > high):
        raise InvalidInput(f"{where}: {stat.name} is {value}; give a whole number from {_bounds(stat)}")
    return value


def _bounds(stat: Stat) -> str:
    low, high = stat.range or (None, None)
    return f"{low} up" if high is None else f"{low} to {high}"


def check_name(name: Any) -> str:
    """Check a combatant's name: text, not empty, not reserved."""
    if not isinstance(name, str) or not name.strip() or len(name) > 200:
        raise InvalidInput(f"a combatant's name is {name!r}; give text of 1 to 200 characters")
    if name.strip() in _RESERVED:
        raise InvalidInput(f"{name.strip()!r} means the game master; give the combatant another name")
    return name.strip()


def check_condition(id: Any) -> str:
    """Check a condition's id: text, not empty."""
    if not isinstance(id, str) or not id.strip() or len(id) > 100:
        raise InvalidInput(f"condition is {id!r}; give text of 1 to 100 characters")
    return id.strip()


def check_known(state: State, names: Sequence[str]) -> tuple[str, ...]:
    """Check that everybody named is in the fight."""
    for name in names:
        if name not in state.fighters:
            raise UnknownName.of("combatant", name, state.fighters)
    return tuple(dict.fromkeys(names))


_SEVERAL = 4


def say_names(names: Sequence[str]) -> str:
    """Say names in a sentence; of many only the first, and how many more there are."""
    if len(names) > _SEVERAL:
        return f"{', '.join(names[:_SEVERAL])} and {len(names) - _SEVERAL} more"
    return ", ".join(names)


_UNTIL = {"end of round": "round_end", "end of step": "step_end"}
_UNTIL_OWN = {"start of turn": "turn_start", "end of turn": "turn_end", "next action": "action"}


def anchor_of(state: State, name: str, until: Any) -> str | None:
    """Give the anchor of an ending said in words: "end of round", "start of turn", "start of turn: NAME" ...

    Raises
    ------
    InvalidInput
        If it is none of the endings there are.
    """
    if until is None or until == "":
        return None
    if isinstance(until, str):
        if until in _UNTIL:
            return _UNTIL[until]
        head, colon, who = until.partition(":")
        head, who = head.strip(), who.strip()
        if head in _UNTIL_OWN:
            if colon:
                check_known(state, [who])
            return f"{_UNTIL_OWN[head]}:{who or name}"
    known = ", ".join(repr(k) for k in (*_UNTIL, *_UNTIL_OWN, "start of turn: NAME"))
    raise InvalidInput(f"until is {until!r}; it is one of {known}")


def say_anchor(name: str, anchor: str | None) -> str | None:
    """Say an anchor in words, as `condition` takes them."""
    if anchor is None:
        return None
    head, _, who = anchor.partition(":")
    for table in (_UNTIL, _UNTIL_OWN):
        for words, key in table.items():
            if key == head:
                return words if not who or who == name else f"{words}: {who}"
    if head == "place":
        return "own place passed"
    return "own turn" if head == "turn" else head.replace("_", " ")
