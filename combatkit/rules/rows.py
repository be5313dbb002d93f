"""A user's own actions: one row each, with the columns that any system knows, so that a frame serves several."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from combatkit.core.plain import check_bool, is_number, is_text, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.catalogue import WHEN, Action, Parameter

if TYPE_CHECKING:
    from combatkit.rules.rulebook import Rulebook


def read_row(rules: Rulebook, row: Mapping[str, Any]) -> Action:
    """Make an action from a user's row.

    Parameters
    ----------
    rules : Rulebook
        The system whose costs it names.
    row : mapping
        Values by column; what is None was not given.

    Returns
    -------
    Action
        The action.

    Raises
    ------
    UnknownName
        For a column, cost, time or parameter that doesn't exist.
    InvalidInput
        If the row lacks an id, a title or a cost, or has a value of the wrong kind.
    """
    given, where = open_row(rules, row, "id", "title", "cost")
    if given["cost"] not in rules.costs:
        raise UnknownName.of("cost", given["cost"], rules.costs.ids())
    if given.get("when", WHEN[0]) not in WHEN:
        raise UnknownName.of(f"time for {given['id']}", given["when"], WHEN)
    parameters = parameters_of(rules, where, given)
    return Action(
        given["id"],
        given["title"],
        given["cost"],
        when=given.get("when", WHEN[0]),
        verb=f"uses {given['title'].lower()}",
        on="on",
        parameters=tuple(Parameter(name) for name in parameters),
        tags=texts(where, "tags", given.get("tags", ())),
    )


def open_row(rules: Rulebook, row: Mapping[str, object], *needed: str) -> tuple[dict[str, Any], str]:
    """Return what a row says, each column checked as declared, and what to call it in a message.

    Parameters
    ----------
    rules : Rulebook
        The system, which says what columns there are.
    row : mapping
        Values by column.
    *needed : str
        Columns that must hold text.

    Raises
    ------
    UnknownName
        For a column that doesn't exist.
    InvalidInput
        For missing text, or a value of the wrong kind.
    """
    for key in row:
        if key not in rules.columns:
            raise UnknownName.of("column of an action", key, rules.columns.ids())
    for key in needed:
        if not isinstance(row.get(key), str) or not row[key]:
            raise InvalidInput(f"action {short(row.get('id'))}: {key} is {short(row.get(key))}; give text")
    given, where = {key: value for key, value in row.items() if value is not None}, f"action {row['id']!r}"
    _check_columns(rules, where, given)
    return given, where


def parameters_of(rules: Rulebook, where: str, given: Mapping[str, object]) -> tuple[str, ...]:
    """Return the parameters a row names; all of them must exist."""
    names = texts(where, "parameters", given.get("parameters", ()))
    for name in names:
        if name not in rules.parameters:
            raise UnknownName.of(f"parameter of {where}", name, rules.parameters.ids())
    return names


_LONGEST = 500
"""How many characters of text a column may hold."""


def _check_columns(rules: Rulebook, where: str, given: Mapping[str, Any]) -> None:
    """Check the types of columns, including those that mean something only in other systems."""
    for column in rules.columns:
        value = given.get(column.id)
        if value is None:
            continue
        if column.kind == "text" and not is_text(value, _LONGEST):
            raise InvalidInput(f"{where}: {column.id} is {short(value)}; give text of at most {_LONGEST} characters")
        if column.kind == "flag":
            check_bool(value, f"{where}: {column.id}")
        if column.kind == "number" and not (is_number(value) and value >= 0) and value != column.word:
            right = f"a whole number from 0 up, or {column.word!r}"
            raise InvalidInput(f"{where}: {column.id} is {short(value)}; give {right}")


def texts(where: str, key: str, value: object) -> tuple[str, ...]:
    """Return texts, each once; a single text counts as a list."""
    listed = (value,) if isinstance(value, str) else value
    if not isinstance(listed, (list, tuple)) or not all(isinstance(each, str) for each in listed):
        raise InvalidInput(f"{where}: {key} is {short(value)}; give a list of texts")
    return tuple(dict.fromkeys(listed))
