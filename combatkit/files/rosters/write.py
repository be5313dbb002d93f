"""Writing rosters: a file or frame that reads back as the same combatants."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from io import BytesIO
from pathlib import Path

import msgspec

from combatkit.errors import InvalidInput
from combatkit.files.paths import as_path, write_file
from combatkit.files.rosters.read import NOTHING, OWN, REQUIRED, TOML_ROWS, columns
from combatkit.files.sheets import csv_of
from combatkit.frames import pl
from combatkit.rules.catalogue import Stat
from combatkit.rules.rulebook import Rulebook
from combatkit.rules.typed import is_typed, parts_of

_PLAIN_ITEM = re.compile(r"[^\s;\[\"](?:[^;\r\n]*[^\s;])?\Z")
"""What can be between semicolons and reads back as it was."""

_PLAIN_TEXT = re.compile(r"(?![+-]?[0-9]+\Z)[^\s;\[{\"](?:[^;\r\n]*[^\s;])?\Z")
"""What is text even where numbers, lists or mappings may be."""

_DTYPES: dict[str, pl.DataType] = {"int": pl.Int64(), "bool": pl.Boolean()}


def roster_frame(rules: Rulebook, rows: Iterable[Mapping[str, object]]) -> pl.DataFrame:
    """Return combatants as a frame that any format can hold: lists and mappings are text, as in CSV.

    Parameters
    ----------
    rules : Rulebook
        Whose combatants they are.
    rows : iterable of mapping
        One for each, by column; what is missing or None is an empty cell.

    Returns
    -------
    polars.DataFrame
        `add_roster` takes it, or a file written from it. It has a column for a vital's maximum if any row has one.

    Examples
    --------
    >>> import combatkit as ck
    >>> row = {"name": "Mara", "side": "rebels", "feats": ("Run", "Quick Draw")}
    >>> roster_frame(ck.ruleset("saga"), [row]).select("name", "dex", "feats").rows()
    [('Mara', None, 'Run; Quick Draw')]
    """
    rows = list(rows)
    series = []
    for column in _held(rules, rows):
        dtype = _DTYPES.get(column.type, pl.String())
        cells = [_cell(column, row.get(column.name)) for row in rows]
        series.append(pl.Series(column.name, cells, dtype=dtype, strict=True))
    return pl.DataFrame(series)


def write_roster(
    rules: Rulebook, rows: Sequence[Mapping[str, object]], path: str | Path, head: str | None = None
) -> Path:
    """Write combatants to a file, replacing any that exists.

    Parameters
    ----------
    rules : Rulebook
        Whose combatants they are.
    rows : sequence of mapping
        One for each, by column.
    path : str or Path
        Ends in ``.csv``, ``.json``, ``.toml`` or ``.parquet``.
    head : str, optional
        For a template: what to say first where a format has comments, TOML; columns that say nothing stay in. Without
        it they are left out.

    Returns
    -------
    Path
        The file.

    Raises
    ------
    InvalidInput
        For another ending, a place that can't be written to, or anything the format can't hold.
    """
    path = as_path(path, "a roster")
    writer = _WRITERS.get(path.suffix.casefold())
    if writer is None:
        raise InvalidInput(f"a roster is a file that ends in {', '.join(_WRITERS)}; {path.name!r} doesn't")
    used = _held(rules, rows) if head is not None else _used(rules, rows)
    written = writer(roster_frame(rules, rows).select(c.name for c in used), _nested(used, rows), head or "")
    return write_file(path, written)


# ── cells as text ──


def _cell(column: Stat, value: object) -> object:
    """Return a value as a cell of its column: a number, a truth value, or text that `read_roster` reads back."""
    kinds = column.type.split("|")
    if column.type in _DTYPES:
        return value
    if value is None or (not value and value == column.default):
        return None
    if isinstance(value, str):
        return value if len(kinds) == 1 or _PLAIN_TEXT.match(value) else _json(value)
    if isinstance(value, (list, tuple)):
        alone = "list" in kinds and "text" not in kinds
        plain = all(isinstance(item, str) and _PLAIN_ITEM.match(item) for item in value)
        if (len(value) == 1 and "," in str(value[0])) or (parts_of(column) and any(is_typed(str(v)) for v in value)):
            plain = False  # it would be read as several, or as the parts of one
        several = len(value) > 1 or (
            alone and len(kinds) == len(value) == 1 and str(value[0]).casefold() not in NOTHING
        )
        return "; ".join(value) if plain and several else _json(value)
    return _json(value)


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


# ── files ──


def _held(rules: Rulebook, rows: Sequence[Mapping[str, object]]) -> list[Stat]:
    """Return the columns but for those of maxima that nobody has."""
    always = {*(column.name for column in OWN), *(stat.name for stat in rules.stats)}
    return [c for c in columns(rules) if c.name in always or any(row.get(c.name) is not None for row in rows)]


def _used(rules: Rulebook, rows: Sequence[Mapping[str, object]]) -> list[Stat]:
    """Return the columns that say anything."""
    return [
        column
        for column in columns(rules)
        if column.name in REQUIRED or any(row.get(column.name, column.default) != column.default for row in rows)
    ]


def _nested(used: Sequence[Stat], rows: Sequence[Mapping[str, object]]) -> list[dict[str, object]]:
    """Return rows as JSON and TOML hold them: lists and mappings as they are, empty cells left out."""
    return [{c.name: msgspec.to_builtins(row[c.name]) for c in used if row.get(c.name) is not None} for row in rows]


def _csv(frame: pl.DataFrame, rows: list[dict[str, object]], head: str) -> bytes:
    return csv_of(frame)


def _parquet(frame: pl.DataFrame, rows: list[dict[str, object]], head: str) -> bytes:
    buffer = BytesIO()
    frame.write_parquet(buffer)
    return buffer.getvalue()


def _json_file(frame: pl.DataFrame, rows: list[dict[str, object]], head: str) -> bytes:
    return msgspec.json.format(msgspec.json.encode(rows), indent=2) + b"\n"


def _toml(frame: pl.DataFrame, rows: list[dict[str, object]], head: str) -> bytes:
    import tomli_w  # only who writes TOML waits for it

    try:
        return (head + tomli_w.dumps({TOML_ROWS: rows})).encode()
    except TypeError:
        raise InvalidInput("a list or mapping holds an empty value, which TOML cannot; write JSON") from None


_WRITERS = {".csv": _csv, ".json": _json_file, ".toml": _toml, ".parquet": _parquet}
