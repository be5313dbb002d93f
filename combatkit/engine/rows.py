"""A user's own actions: one row each, with the columns that any system knows, so that a frame serves several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from combatkit.engine.catalogue import WHEN, Action, Parameter
from combatkit.engine.plain import is_number, short
from combatkit.errors import InvalidInput, UnknownName

if TYPE_CHECKING:
    from combatkit.engine.rulebook import Rulebook

COLUMNS = (
    *("id", "title", "type", "special", "cost", "when", "tags", "parameters", "single_turn", "segments", "range"),
    "source",
)
"""Every column of a row; what a system has no use for is without effect there."""


def read_row(rules: Rulebook, row: Mapping[str, Any]) -> Action:
    """Make an action of a user's row.

    Parameters
    ----------
    rules : Rulebook
        The system, whose costs it names.
    row : mapping
        Values by column; what is None was not given.

    Returns
    -------
    Action
        The action.

    Raises
    ------
    UnknownName
        For a column, cost, time or parameter that there is none of.
    InvalidInput
        If the row lacks an id, a title or a cost, or holds a value of the wrong kind.
    """
    given, where = open_row(row, "id", "title", "cost")
    if given["cost"] not in rules.costs:
        raise UnknownName.of("cost", given["cost"], rules.costs.ids())
    if given.get("when", WHEN[0]) not in WHEN:
        raise UnknownName.of(f"time for {given['id']}", given["when"], WHEN)
    _check_elsewhere(where, given)
    parameters = parameters_of(rules, where, given)
    return Action(
        given["id"],
        given["title"],
        given["cost"],
        when=given.get("when", WHEN[0]),
        parameters=tuple(Parameter(name) for name in parameters),
        tags=texts(where, "tags", given.get("tags", ())),
    )


def open_row(row: Mapping[str, Any], *needed: str, more: tuple[str, ...] = ()) -> tuple[dict[str, Any], str]:
    """Give what a row says, and how to name it in a message.

    Parameters
    ----------
    row : mapping
        Values by column.
    *needed : str
        Columns that must hold text.
    more : tuple of str
        Columns that a system has besides those that all know.

    Raises
    ------
    UnknownName
        For a column that there is none of.
    InvalidInput
        For text that is lacking.
    """
    columns = (*COLUMNS, *more)
    for key in row:
        if key not in columns:
            raise UnknownName.of("column of an action", key, columns)
    for key in needed:
        if not isinstance(row.get(key), str) or not row[key]:
            raise InvalidInput(f"action {short(row.get('id'))}: {key} is {short(row.get(key))}; give text")
    return {key: value for key, value in row.items() if value is not None}, f"action {row['id']!r}"


def parameters_of(rules: Rulebook, where: str, given: Mapping[str, Any]) -> tuple[str, ...]:
    """Give the parameters a row names, each of which there is."""
    names = texts(where, "parameters", given.get("parameters", ()))
    for name in names:
        if name not in rules.parameters:
            raise UnknownName.of(f"parameter of {where}", name, rules.parameters.ids())
    return names


def _check_elsewhere(where: str, given: Mapping[str, Any]) -> None:
    """Check the kinds of columns that mean something in other systems only."""
    for key in ("type", "source"):
        if not isinstance(given.get(key, ""), str):
            raise InvalidInput(f"{where}: {key} is {short(given[key])}; give text")
    for key in ("special", "single_turn"):
        if type(given.get(key, False)) is not bool:
            raise InvalidInput(f"{where}: {key} is {short(given[key])}; give True or False")
    for key, word in (("segments", "1 round"), ("range", "touch")):
        value = given.get(key, 0)
        if not (is_number(value) and value >= 0) and value != word:
            raise InvalidInput(f"{where}: {key} is {short(value)}; give a whole number from 0 up, or {word!r}")


def texts(where: str, key: str, value: Any) -> tuple[str, ...]:
    """Give texts, each once; a single one stands for a list of it."""
    listed = (value,) if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(each, str) for each in listed):
        raise InvalidInput(f"{where}: {key} is {short(value)}; give a list of texts")
    return tuple(dict.fromkeys(listed))
