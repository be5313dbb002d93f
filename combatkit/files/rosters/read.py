"""Reading rosters: CSV, JSON, TOML and Parquet files and polars frames, checked against the ruleset's stats."""

from __future__ import annotations

import csv
import re
import tomllib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import msgspec
import polars as pl

from combatkit.core.limits import ADDED
from combatkit.core.plain import short
from combatkit.errors import CombatkitError, InvalidInput, UnknownName
from combatkit.files.paths import as_path, read_file, toml_of
from combatkit.files.rosters.parquet import check_frame, check_parquet
from combatkit.rules.catalogue import Stat
from combatkit.rules.checks import check_name, check_stat
from combatkit.rules.rulebook import Rulebook

REQUIRED = ("name", "side")
"""The columns every roster has."""

OWN = (
    Stat("name", "text"),
    Stat("side", "text"),
    Stat("count", "int", range=(1, ADDED), default=1),
    Stat("npc", "bool", default=False),
    Stat("group", "text"),
    Stat("at", "text|list"),
    Stat("conditions", "list", default=()),
)
"""The columns that aren't stats, with their types and defaults."""

TOML_ROWS = "combatants"
"""The array of tables that a roster is in TOML."""

_UNREADABLE = (
    OSError,
    csv.Error,
    pl.exceptions.PolarsError,
    msgspec.DecodeError,
    tomllib.TOMLDecodeError,
)
"""The errors that reading a file can end in."""

_MOST = 1 << 22
"""No roster file has more bytes: one of a thousand combatants has some 200,000."""

_ROWS = 10_000
_COLUMNS = 1_000
_CELLS = 250_000
_HEAD = 1 << 17
"""How much of a CSV file is searched for its header, in characters."""

_WORDS = 200
"""How much of a library's message is passed on; it may quote the file."""

_WHOLE = re.compile(r"[+-]?[0-9]{1,300}\Z")
_TRUTH = {"true": True, "yes": True, "1": True, "false": False, "no": False, "0": False}


class RosterFile(NamedTuple):
    """A roster file's content and its name, if it was given rather than opened."""

    name: str
    content: bytes


class RosterRow(msgspec.Struct, frozen=True):
    """One checked row of a roster, as `Encounter.add` takes it.

    Parameters
    ----------
    where : str
        Where it is: ``"creatures.csv, row 3 (line 4)"``.
    name, side : str
        Their name, and whose side they are on.
    count : int
        How many alike.
    npc : bool
        Whether the GM plays them.
    group : str or None
        The group they share rolls with.
    at : str, tuple of int or None
        Where they stand on the map.
    conditions : tuple of str
        The conditions they begin with.
    stats : dict
        The stats given.
    """

    where: str
    name: str
    side: str
    count: int
    npc: bool
    group: str | None
    at: str | tuple[int, int] | None
    conditions: tuple[str, ...]
    stats: dict[str, object]

    @contextmanager
    def located(self) -> Iterator[None]:
        """Make any refusal inside say which row it is about; its class stays the same.

        Raises
        ------
        CombatkitError
            What was raised inside, with file and row in front.
        """
        with _located(self.where):
            yield


@contextmanager
def _located(where: str) -> Iterator[None]:
    try:
        yield
    except CombatkitError as error:
        error.args = (f"{where}: {error}",)
        raise


def read_roster(rules: Rulebook, source: object) -> list[RosterRow]:
    """Read and check a whole roster.

    Columns are ``name`` and ``side``, and optionally ``count``, ``npc``, ``group``, ``at``, ``conditions`` and the
    ruleset's stats. An empty cell is the default. Where a column is text, as all are in CSV, a list is written with
    semicolons, a mapping as JSON, yes or no as true, false, yes, no, 1 or 0; where a column may hold numbers as well,
    text in double quotes is text.

    Parameters
    ----------
    rules : Rulebook
        Whose combatants they are.
    source : str, Path, RosterFile or polars.DataFrame
        A CSV file, a JSON file (an array of objects), a TOML file (an array of tables, ``[[combatants]]``), a Parquet
        file, what stands in one, or a frame.

    Returns
    -------
    list of RosterRow
        Every row, in order.

    Raises
    ------
    UnknownName
        For a column that is neither a roster's nor a stat of the ruleset; it suggests the nearest.
    InvalidInput
        For a source that can't be read, or a bad value; it names the file, the row (from 1, not counting the header)
        and the column.

    Examples
    --------
    >>> import combatkit as ck
    >>> import polars as pl
    >>> frame = pl.DataFrame({"name": ["Tuk'ata"], "side": ["wild"], "dex": [2], "feats": ["Run; Pin"]})
    >>> [(row.name, row.stats) for row in read_roster(ck.ruleset("saga"), frame)]
    [("Tuk'ata", {'dex': 2, 'feats': ('Run', 'Pin')})]
    """
    file, rows = _rows(source)
    known = {stat.name: stat for stat in (*OWN, *rules.stats)}
    columns = dict.fromkeys(column for _, row in rows for column in row)
    for column in columns:
        if column not in known:
            raise UnknownName.of(f"column in {file}", column, known)
    taken: dict[str, str] = {}
    checked = []
    for where, cells in rows:
        row = _check(where, {c: v for c, v in cells.items() if v is not None}, known)
        for name in [row.name] if row.count == 1 else [f"{row.name} {i}" for i in range(1, row.count + 1)]:
            if name in taken:
                raise InvalidInput(f"{where}: name is {name!r}, as in {taken[name]}; names must differ")
            taken[name] = where.removeprefix(f"{file}, ")
        checked.append(row)
    if not checked:
        raise InvalidInput(f"{file} has no rows; give one for each combatant, with a name and a side")
    return checked


def _check(where: str, cells: dict[str, object], known: Mapping[str, Stat]) -> RosterRow:
    for column in REQUIRED:
        if column not in cells:
            raise InvalidInput(f"{where}: {column} is missing; every row has a name and a side")
    values = {column: check_stat(known[column], _read(known[column], v), where) for column, v in cells.items()}
    with _located(where):
        name = check_name(values.pop("name"))
    own = {stat.name: values.pop(stat.name, stat.default) for stat in OWN if stat.name != "name"}
    for column in ("side", "group"):
        if own[column] is not None and not own[column].strip():
            raise InvalidInput(f"{where}: {column} is {own[column]!r}; give text")
    for condition in own["conditions"]:
        if not isinstance(condition, str) or not condition.strip():
            raise InvalidInput(f"{where}: conditions has {condition!r}; give text")
    at = own["at"]
    if isinstance(at, tuple):
        at = tuple(int(n) if isinstance(n, str) and _WHOLE.match(n) else n for n in at)
        if len(at) != 2 or any(type(n) is not int for n in at):
            raise InvalidInput(f"{where}: at is {own['at']!r}; give a name, or a pair of whole numbers")
    return RosterRow(where=where, name=name, **{**own, "at": at}, stats=values)


def read_cell(rules: Rulebook, column: str, text: str, where: str) -> object:
    """Return the value of a text in one column of a roster.

    Raises
    ------
    InvalidInput
        For a bad value; it names the column, and says where.

    Examples
    --------
    >>> import combatkit as ck
    >>> read_cell(ck.ruleset("saga"), "dex", " 4", "Mara"), read_cell(ck.ruleset("saga"), "feats", "Run; Pin", "Mara")
    (4, ('Run', 'Pin'))
    """
    stat = {each.name: each for each in (*OWN, *rules.stats)}[column]
    return check_stat(stat, _read(stat, _Text(text)), where)


class _Text(str):
    """A cell of a text column, for a value of whatever type its column has."""

    __slots__ = ()


def _read(stat: Stat, cell: object) -> object:
    """Return the value of a text cell; if it fits none of the stat's types it stays text, to be refused."""
    if not isinstance(cell, _Text):
        return cell
    text = str(cell).strip()
    kinds = stat.type.split("|")
    if "text" in kinds and len(kinds) > 1 and text.startswith('"'):
        try:
            return msgspec.json.decode(text, type=str)
        except msgspec.DecodeError:
            return text
    if "int" in kinds and _WHOLE.match(text):
        return int(text)
    if "bool" in kinds and text.casefold() in _TRUTH:
        return _TRUTH[text.casefold()]
    if ("mapping" in kinds and text.startswith("{")) or ("list" in kinds and text.startswith("[")):
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            return text
    if "list" in kinds and ("text" not in kinds or ";" in text):
        return tuple(part.strip() for part in text.split(";") if part.strip())
    return text


# ── files ──


def _rows(source: object) -> tuple[str, list[tuple[str, dict[str, object]]]]:
    """Return a source's name, and its rows by column, each with its place."""
    if isinstance(source, pl.DataFrame):
        return "frame", _rows_of_frame("frame", source)
    if not isinstance(source, (str, Path, RosterFile)):
        what = type(source).__name__
        raise InvalidInput(f"a roster is {what}; give a CSV, JSON, TOML or Parquet file, or a polars frame")
    given = source.content if isinstance(source, RosterFile) else None
    path = as_path(source.name if isinstance(source, RosterFile) else source, "a roster")
    file = path.name
    readers = {".csv": _rows_of_csv, ".json": _rows_of_json, ".toml": _rows_of_toml, ".parquet": _rows_of_parquet}
    reader = readers.get(path.suffix.casefold())
    if reader is None:
        raise InvalidInput(f"roster {file!r} ends in {path.suffix!r}; give a file that ends in {', '.join(readers)}")
    try:
        return file, reader(file, read_file(path, "a roster", _MOST) if given is None else given)
    except FileNotFoundError:
        raise InvalidInput(f"there is no roster {str(source)!r}; give the path of a file that exists") from None
    except UnicodeDecodeError as error:
        why = f"byte {error.start} of it is not text in UTF-8"
        raise InvalidInput(f"{file} cannot be read: {why}; save it as UTF-8") from None
    except RecursionError:
        raise InvalidInput(f"{file} cannot be read: it is nested too deeply; give a row for each combatant") from None
    except _UNREADABLE as error:
        why = getattr(error, "strerror", None) or str(error).partition("\n")[0][:_WORDS]
        raise InvalidInput(f"{file} cannot be read: {why}") from None


def _rows_of_csv(file: str, written: bytes) -> list[tuple[str, dict[str, object]]]:
    text = written.decode("utf-8-sig")
    _check_cells(file, text)
    try:
        frame = pl.read_csv(written, infer_schema=False)
    except pl.exceptions.ComputeError:
        _find_ragged(file, text)
        raise
    frame = frame.rename(str.strip)
    rows: list[tuple[str, dict[str, object]]] = []
    line = 2
    for number, cells in enumerate(frame.iter_rows(named=True), 1):
        texts = {column: _Text(cell) for column, cell in cells.items() if cell is not None and cell.strip()}
        if texts:
            rows.append((f"{file}, row {number} (line {line})", {column: texts.get(column) for column in cells}))
        line += 1 + sum(text.count("\n") for text in cells.values() if text)
    return rows


def _check_cells(file: str, text: str) -> None:
    """Refuse more cells than any roster has, counted by columns and lines."""
    head = next(csv.reader(text[:_HEAD].splitlines(keepends=True)), ())
    cells = len(head) * (text.count("\n") + text.count("\r") + 1)
    if len(head) > _COLUMNS or cells > _CELLS:
        raise InvalidInput(
            f"{file} has {len(head)} columns and {cells} cells; no roster has over {_COLUMNS} or {_CELLS}"
        )


def _find_ragged(file: str, text: str) -> None:
    """Name the first row with more cells than there are columns, if that is what is wrong."""
    reader = csv.reader(text.splitlines(keepends=True))
    columns = len(next(reader, ()))
    for number, cells in enumerate(reader, 1):
        if len(cells) > columns:
            where = f"{file}, row {number} (line {reader.line_num})"
            right = "put a cell that holds a comma in double quotes"
            raise InvalidInput(f"{where}: {short(cells[columns])} is one cell too many for {columns} columns; {right}")


def _rows_of_json(file: str, written: bytes) -> list[tuple[str, dict[str, object]]]:
    data = msgspec.json.decode(written)
    if not isinstance(data, list):
        raise InvalidInput(f"{file} is not an array; give an array of objects, one for each combatant")
    for number, row in enumerate(data, 1):
        if not isinstance(row, dict):
            raise InvalidInput(f"{file}, row {number}: {short(row)} is not an object; give one, with a name and a side")
    return _numbered(file, data)


def _rows_of_toml(file: str, written: bytes) -> list[tuple[str, dict[str, object]]]:
    data = toml_of(file, written)
    rows = data.pop(TOML_ROWS, None)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InvalidInput(f"{file} has no rows; write each combatant under [[{TOML_ROWS}]]")
    for key in data:
        raise UnknownName.of(f"table in {file}", key, (TOML_ROWS,))
    return _numbered(file, rows)


def _numbered(file: str, rows: list[dict[str, object]]) -> list[tuple[str, dict[str, object]]]:
    if len(rows) > _ROWS:
        raise InvalidInput(f"{file} has {len(rows)} rows; no roster has over {_ROWS}")
    return [(f"{file}, row {number}", row) for number, row in enumerate(rows, 1)]


def _rows_of_parquet(file: str, written: bytes) -> list[tuple[str, dict[str, object]]]:
    check_parquet(file, written)
    return _rows_of_frame(file, pl.read_parquet(written))


def _rows_of_frame(file: str, frame: pl.DataFrame) -> list[tuple[str, dict[str, object]]]:
    check_frame(file, frame)
    return [
        (f"{file}, row {number}", {column: _cell(cell) for column, cell in cells.items()})
        for number, cells in enumerate(frame.iter_rows(named=True), 1)
    ]


def _cell(cell: object) -> object:
    """Return a frame's cell as it would have been written: text is read as its column's type, nulls of a struct go."""
    if isinstance(cell, str):
        return _Text(cell) if cell.strip() else None
    return [_bare(item) for item in cell] if isinstance(cell, list) else _bare(cell)


def _bare(item: object) -> object:
    return {key: value for key, value in item.items() if value is not None} if isinstance(item, dict) else item
