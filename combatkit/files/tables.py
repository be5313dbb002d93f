"""Reading the tables that users supply: TOML files, rows or frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from os import PathLike

from combatkit.core.limits import ROWS, TITLE
from combatkit.core.model import State
from combatkit.core.plain import plain, short
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.files.paths import as_path, read_toml

SCENE = "scene"
"""A table that every system takes: what a source leaves out of a fight, a row per combatant.

`action` is their attack of choice, `params` what is given with an attack, such as the damage. When their first vital
drops to `at` they fall: the condition `becomes` begins, by the GM's word.
"""

_COLUMNS: dict[str, type] = {"id": str, "action": str, "params": dict, "at": int, "becomes": str}


def read_table(id: str, source: object) -> list[dict[str, object]]:
    """Return the rows of a table.

    Parameters
    ----------
    id : str
        The table's id; in a TOML file, the array of tables to take.
    source : str, Path, sequence of mappings or polars.DataFrame
        Where the rows are.

    Returns
    -------
    list of dict
        The rows, plain.

    Raises
    ------
    InvalidInput
        If there are no rows, or they aren't rows.
    """
    if isinstance(source, (str, PathLike)):
        path = as_path(source, f"table {id}")
        with within(f"table {id}"):
            rows = read_toml(path, f"table {id}").get(id)
        if not isinstance(rows, list):
            raise InvalidInput(f"table {id}: {path.name} has no rows; write them as [[{id}]]")
    elif hasattr(source, "to_dicts"):
        rows = [{k: v for k, v in row.items() if v is not None} for row in source.to_dicts()]
    elif isinstance(source, Sequence) and not isinstance(source, str):
        rows = list(source)
    else:
        raise InvalidInput(f"table {id}: give a TOML file, rows or a frame, not {type(source).__name__}")
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise InvalidInput(f"table {id}, row {number}: {short(row)} is not a row; give a mapping")
    filled = [{key: None if _is_empty(value) else value for key, value in row.items()} for row in rows]
    built: list[dict[str, object]] = plain(filled, f"table {id}")
    return built


def _is_empty(value: object) -> bool:
    """Check whether a cell is empty as frames have it: "not a number"."""
    return type(value) is float and isnan(value)


def check_scene(rows: Iterable[Mapping[str, object]]) -> None:
    """Check rows of the table `SCENE`.

    Raises
    ------
    UnknownName
        For an unknown column.
    InvalidInput
        For a value that is missing or of the wrong kind.
    """
    for row in rows:
        for key, value in row.items():
            if key not in _COLUMNS:
                raise UnknownName.of(f"column of {SCENE}", key, _COLUMNS)
            if type(value) is not _COLUMNS[key]:
                raise InvalidInput(f"table {SCENE}, {row.get('id')!r}: {key} is {short(value)}")
        if not row.get("id") or ("at" in row) != ("becomes" in row):
            raise InvalidInput(f"table {SCENE}: {short(row)}; a row has an id, and both of at and becomes or neither")


def check_rows(state: State, id: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Refuse more rows than a fight's tables have room for, and an action with a text too long for a button."""
    held = sum(map(len, state.tables.values()))
    if held + len(rows) > ROWS:
        raise InvalidInput(f"table {id}: {len(rows):,} rows; the tables of a fight hold {ROWS}, and it has {held}")
    for number, row in enumerate(rows if id == "actions" else (), 1):
        for column, value in row.items():
            if isinstance(value, str) and len(value) > TITLE:
                raise InvalidInput(
                    f"table {id}, row {number}: {column} has {len(value):,} characters; give at most {TITLE}"
                )
