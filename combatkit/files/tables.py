"""Reading the tables that users supply: TOML files, rows or frames."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import isnan
from os import PathLike

from combatkit.core.limits import ROWS, TITLE
from combatkit.core.model import State
from combatkit.core.plain import own, plain, short
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
    source : str, Path, mapping or sequence of them, mapping of lists, or frame
        Where the rows are; a frame of polars or pandas.

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
    elif isinstance(source, Sequence):
        rows = list(source)
    elif isinstance(source, Mapping) and isinstance(source.get("id"), (str, int)):
        rows = [source]
    else:
        rows = _of_columns(f"table {id}", source)
    for number, row in enumerate(rows, 1):
        if not isinstance(row, Mapping):
            raise InvalidInput(f"table {id}, row {number}: {short(row)} is not a row; give a mapping")
    filled = [{key: None if _is_empty(value) else value for key, value in row.items()} for row in rows]
    built: list[dict[str, object]] = plain(filled, f"table {id}")
    return built


def _of_columns(where: str, source: object) -> list[dict[str, object]]:
    """Return the rows of a frame, or of columns by their names, each with the cells that hold something."""
    from combatkit.files.sheets import as_frame, cells_of, cells_of_columns, is_empty

    if (frame := as_frame(source)) is not None:
        head, cells = cells_of(where, frame)
    elif isinstance(source, Mapping):
        head, cells = cells_of_columns(where, source)
    else:
        raise InvalidInput(f"{where}: give a TOML file, rows or a frame, not {type(source).__name__}")
    return [{name: own(cell) for name, cell in zip(head, row, strict=True) if not is_empty(cell)} for row in cells]


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
                raise UnknownName.of("column", key, _COLUMNS, owner=SCENE)
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
