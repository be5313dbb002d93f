"""Reading the tables that users supply: TOML files, rows or frames."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from combatkit.engine.plain import plain
from combatkit.errors import InvalidInput


def read_table(id: str, source: Any) -> list[dict[str, Any]]:
    """Give the rows of a table.

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
        If there are none, or they are no rows.
    """
    if isinstance(source, (str, Path)):
        import tomllib

        path = Path(source)
        try:
            data = tomllib.loads(path.read_text(encoding="utf-8"))
        except tomllib.TOMLDecodeError as error:
            raise InvalidInput(f"table {id}: {path.name}: {error}") from None
        except (OSError, ValueError):
            raise InvalidInput(f"table {id}: there is no file of text {path.name!r}") from None
        rows = data.get(id)
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
            raise InvalidInput(f"table {id}, row {number}: {row!r} is no row; give a mapping")
    built: list[dict[str, Any]] = plain([dict(row) for row in rows], f"table {id}")
    return built
