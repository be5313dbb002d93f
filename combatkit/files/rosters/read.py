"""Reading rosters: files, text and frames of all kinds, checked against the ruleset's stats."""

from __future__ import annotations

import csv
import re
from collections.abc import Collection, Iterator, Mapping
from datetime import date
from os import PathLike
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from combatkit.core.dice import MINUS
from combatkit.core.limits import ADDED
from combatkit.core.plain import own, short
from combatkit.errors import InvalidInput, UnknownName, clipped, within
from combatkit.files.paths import as_path, read_file, toml_of
from combatkit.files.sheets import (
    ROWS,
    Row,
    as_frame,
    cells_of,
    cells_of_columns,
    is_empty,
    rows_of_cells,
    rows_of_text,
    rows_of_workbook,
    text_of_bytes,
)
from combatkit.frames import pl
from combatkit.rules.catalogue import Stat
from combatkit.rules.checks import check_name, check_stat
from combatkit.rules.rulebook import Rulebook
from combatkit.rules.sheet import MOST
from combatkit.rules.typed import is_typed, parts_of

REQUIRED = ("name", "side")
"""The columns every roster has."""

OWN = (
    Stat("name", "text", text="their name; no two may be the same"),
    Stat("side", "text", text="whose side they are on"),
    Stat("count", "int", range=(1, ADDED), default=1, text="how many alike; they are numbered"),
    Stat("npc", "bool", default=False, text="whether the GM plays them"),
    Stat("group", "text", text="a group that shares what the rules let groups share"),
    Stat("at", "text|list", text="where they stand"),
    Stat("conditions", "list", default=(), text="conditions they begin with"),
)
"""The columns that aren't stats, with their types, defaults and meanings."""

TOML_ROWS = "combatants"
"""The array of tables that a roster is in TOML."""

_UNREADABLE = (
    OSError,
    csv.Error,
    pl.exceptions.PolarsError,
    pl.exceptions.PanicException,
    msgspec.DecodeError,
)
"""The errors that reading a file can end in."""

_MOST = 1 << 22
"""No roster file has more bytes: one of a thousand combatants has some 200,000."""

_SHOWN = 6
"""How many headings are told."""

_THOUSANDS = " '\N{RIGHT SINGLE QUOTATION MARK}\xa0\u2009\u202f"
"""What surely stands between thousands: 1.000 and 1,000 may be one as well, and are refused."""

_WHOLE = re.compile(
    rf"([+-]?(?:[0-9]{{1,300}}|[0-9]{{1,3}}(?:[{_THOUSANDS}][0-9]{{3}})+))(?:[.,]0{{1,2}}|\.0{{4,9}})?\Z"
)
_OF = re.compile(r"\s*(\d+)\s*(?:/|\bof\b|\bvon\b)\s*(\d+)\s*\Z")
"""What is left of a number, and how much it is at most."""

_ROLLED = re.compile(r"(?<=\d)\s*\(\s*\d*\s*[dwDW]\s*\d+\s*(?:[+-]\s*\d+\s*)?\)\s*\Z")
"""The dice that a number came of, as bestiaries write them beside it: 7 (2d6)."""

_DATE = re.compile(r"\d{4}-\d\d-\d\d\b|\d{1,2}([./-])\d{1,2}\1(\d\d){1,2}\Z|\d{1,2}[.-] ?[^\W\d]{3,4}\.?([ -]\d+)?\Z")
"""What spreadsheets make of 3-4."""

_COMMAS = re.compile(r",(?![^(]*\))")
"""What stands between the items of a list without semicolons, outside brackets."""

NOTHING = frozenset(("nan", "na", "n/a", "#n/a", "<na>", "nat", "null", "none", "-", "\N{EN DASH}", "\N{EM DASH}"))
"""How programs and people write that nothing is there, where anything but text is looked for."""

_TRUTH = {
    **dict.fromkeys(("true", "yes", "y", "x", "1", "wahr", "ja", "vrai", "oui", "\N{CHECK MARK}"), True),
    **dict.fromkeys(("false", "no", "n", "0", "falsch", "nein", "faux", "non"), False),
}
"""What is true and false, as spreadsheets write it in their owner's language."""


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


def read_roster(
    rules: Rulebook, source: object, *, side: str = "", rest: dict[str, dict[str, object]] | None = None
) -> list[RosterRow]:
    """Read and check a whole roster.

    Columns are ``name`` and ``side``, and optionally ``count``, ``npc``, ``group``, ``at``, ``conditions`` and the
    ruleset's stats. An empty cell is the default. Where a column is text, as all are in CSV, a list is written with
    semicolons, or without any with commas, a mapping as JSON or as ``fire: 3; cold: 2``, weapons as ``axe +4, 1d8;
    bow``, yes or no as true, false, yes, no, 1 or 0; where a column may hold numbers as well, text in double quotes is
    text.

    Parameters
    ----------
    rules : Rulebook
        Whose combatants they are.
    source : str, Path, bytes, RosterFile, frame, list or mapping
        A table as spreadsheets write it (CSV, text, a workbook), a JSON file (an array of objects), a TOML file (an
        array of tables, ``[[combatants]]``), a Parquet file; its text or bytes; a frame of polars or pandas; a list of
        mappings; a mapping of columns. Headings may be in any case.
    side : str
        Whose side those are on for whom the source says none; without it, that is refused.
    rest : dict, optional
        Where what stands in unknown columns is put, by place and column; without it, they are refused.

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
    file, rows = _rows(source, REQUIRED if not side else REQUIRED[:1])
    known = {stat.name: stat for stat in columns(rules)}
    meant: dict[str, str] = {}
    for column in dict.fromkeys(column for _, row in rows for column in row):
        name = meant[column] = _heading(column, known)
        if name not in known and rest is None:
            raise UnknownName.of(f"column in {file}", column, known)
    for kept in {tuple(row): None for _, row in rows}:  # of each table; two may spell a heading each in their own way
        for name in dict.fromkeys(meant[column] for column in kept):
            if len(alike := [column for column in kept if meant[column] == name]) > 1:
                raise InvalidInput(f"{file}: two columns are {name}: {', '.join(alike)}")
    rows = [(where, {meant[column]: cell for column, cell in row.items()}) for where, row in rows]
    lacking = [each for each in REQUIRED[: 1 if side else 2] if each not in meant.values()]
    if rest is not None and meant and lacking:
        there = ", ".join(short(column) for column in [*meant][:_SHOWN])
        raise InvalidInput(
            f"{file} has no column called {lacking[0]}, only {there}; write headings over the rows: name, side"
        )
    usual = {"side": side} if side else {}
    checked = []
    for where, cells in rows:
        given = {column: cell for column, cell in cells.items() if cell is not None}
        if rest is not None:
            rest[where] = {column: given.pop(column) for column in [*given] if column not in known}
        checked.append(_check(where, usual | given, known))
    if not checked:
        raise InvalidInput(f"{file} has no rows; give one for each combatant, with a name and a side")
    return checked


def columns(rules: Rulebook) -> tuple[Stat, ...]:
    """Return every column a roster of this ruleset may have: the maximum of a vital stands beside what is left."""
    mosts = {vital.name: (_most_of(vital),) for vital in rules.vitals if not vital.most}
    return (*OWN, *(each for stat in rules.stats for each in (stat, *mosts.get(stat.name, ()))))


def _most_of(vital: Stat) -> Stat:
    """Return the column of a vital's maximum."""
    heads = tuple(f"{most} {name}" for name in (vital.name, vital.title.casefold()) for most in ("max", "maximum"))
    return replace(
        vital,
        name=vital.name + MOST,
        vital=False,
        title="",
        short="",
        default=None,
        example=None,
        text=f"the most of {vital.name}, if less is left",
        headed=heads,
    )


def _heading(column: str, known: Mapping[str, Stat]) -> str:
    """Return the column that a heading means by a name or title, in whatever case and with spaces for its words."""
    spelled = "_".join(column.casefold().replace("-", " ").split())
    titles = {title: name for name, stat in known.items() for title in (stat.title.casefold(), *stat.headed) if title}
    meant = spelled if spelled in known else titles.get(column.casefold(), column)
    return column if column in known else meant


def _check(where: str, cells: dict[str, object], known: Mapping[str, Stat]) -> RosterRow:
    for column in REQUIRED:
        if column not in cells:
            sums = f"; if {short(cells['name'])} is a sum, leave that row out" if "name" in cells else ""
            raise InvalidInput(f"{where}: {column} is missing; every row has a name and a side{sums}")
    for column, cell in cells.items():
        if isinstance(cell, str) and _DATE.match(cell.strip()) and "int" in known[column].type.split("|"):
            raise InvalidInput(f"{where}: {column} is {short(cell)}, a date that a spreadsheet made; write it as text")
    given = {column: _read(known[column], cell) for column, cell in _halved(cells, known)}
    values = {column: check_stat(known[column], v, where) for column, v in given.items() if v is not None}
    with within(where):
        name = check_name(values.pop("name"))
    for column in cells:
        left, most = values.get(column), values.get(column + MOST)
        if type(left) is type(most) is int and left > most:
            right = f"write {most}/{left} if {most} are left, or give temporary points in the fight"
            raise InvalidInput(f"{where}: {column} is {left}/{most}, more than there can be; {right}")
    own = {stat.name: values.pop(stat.name, stat.default) for stat in OWN if stat.name != "name"}
    for column in ("side", "group"):
        if own[column] is not None and not own[column].strip():
            raise InvalidInput(f"{where}: {column} is {own[column]!r}; give text")
    for condition in own["conditions"]:
        if not isinstance(condition, str) or not condition.strip():
            raise InvalidInput(f"{where}: conditions has {condition!r}; give text")
    at = own["at"]
    if isinstance(at, tuple):
        at = tuple(n if (whole := _whole(n)) is None else whole for n in at)
        if len(at) != 2 or any(type(n) is not int for n in at):
            raise InvalidInput(f"{where}: at is {own['at']!r}; give a name, or a pair of whole numbers")
    return RosterRow(where=where, name=name, **{**own, "at": at}, stats=values)


def _halved(cells: Mapping[str, object], known: Mapping[str, Stat]) -> Iterator[tuple[str, object]]:
    """Yield the cells of a row: what is left of a vital and its maximum, as in "5/7", as two."""
    for column, cell in cells.items():
        both = _OF.match(cell) if known[column].vital and isinstance(cell, _Text) else None
        yield column, _Text(both[1]) if both else cell
        if both:
            yield column + MOST, _Text(both[2])


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
    value = _read(stat, _Text(text))
    return stat.default if value is None else check_stat(stat, value, where)


class _Text(str):
    """A cell of a text column, for a value of whatever type its column has."""

    __slots__ = ()


def _whole(cell: object) -> int | None:
    """Return the whole number that a text is, as spreadsheets show it; None if it is none."""
    found = _WHOLE.match(_ROLLED.sub("", cell).translate(MINUS)) if isinstance(cell, str) else None
    return int(found[1].translate(dict.fromkeys(map(ord, _THOUSANDS)))) if found else None


def _read(stat: Stat, cell: object) -> object:
    """Return the value of a text cell; if it fits none of the stat's types it stays text, to be refused."""
    kinds = stat.type.split("|")
    if not isinstance(cell, _Text):
        value = own(cell)
        return bool(value) if kinds == ["bool"] and type(value) is int and value in (0, 1) else value
    text = str(cell).strip()
    if "text" in kinds and len(kinds) > 1 and text.startswith('"'):
        try:
            return msgspec.json.decode(text, type=str)
        except msgspec.DecodeError:
            return text
    if kinds != ["text"] and text.casefold() in NOTHING:
        return None
    if "int" in kinds and (whole := _whole(text)) is not None:
        return whole
    if "bool" in kinds and text.casefold() in _TRUTH:
        return _TRUTH[text.casefold()]
    if ("mapping" in kinds and text.startswith("{")) or ("list" in kinds and text.startswith("[")):
        try:
            return msgspec.json.decode(text)
        except (msgspec.DecodeError, RecursionError):
            return text
    if "mapping" in kinds and ":" in text:
        pairs = [part.partition(":") for part in text.split(";") if part.strip()]
        numbers = {name.strip(): (_whole(said.strip()), said.strip()) for name, _, said in pairs}
        return {name: said if whole is None else whole for name, (whole, said) in numbers.items()}
    if parts_of(stat) and is_typed(text):  # typed, as in a form
        return text
    if "list" in kinds and ("text" not in kinds or ";" in text):
        parts = text.split(";") if ";" in text or "text" in kinds else _COMMAS.split(text)
        return tuple(part.strip() for part in parts if part.strip())
    return text


# ── files ──

ENDINGS = (".csv", ".tsv", ".txt", ".json", ".toml", ".parquet", ".xlsx")
"""The endings of files that a roster is read from, wherever they lie."""

_NAMED = (*ENDINGS, ".md")
"""Those of files that are named: in a folder, Markdown is mostly logs and notes."""

_CONTENT = re.compile(r"[\n\r]|\A\ufeff?\s*(?:\[.*\]|\{.*\})\s*\Z")
"""What no path is: lines, and JSON."""

_BEGINS = ((b"PAR1", ".parquet"), (b"PK\x03\x04", ".xlsx"), (b"[[", ".toml"), (b"[", ".json"), (b"{", ".json"))


def _rows(source: object, asked: Collection[str]) -> tuple[str, list[Row]]:
    """Return a source's name, and its rows by column and with their places; of tables those that have what is asked."""
    if (frame := as_frame(source)) is not None:
        return "frame", _rows_of_frame("frame", frame)
    if isinstance(source, Mapping):
        return "mapping", _texts(rows_of_cells("mapping", *cells_of_columns("mapping", source)))
    if isinstance(source, (list, tuple)) and not isinstance(source, RosterFile):
        if wrong := [row for row in source if not isinstance(row, Mapping)]:
            raise InvalidInput(
                f"a roster holds {short(wrong[0])}; give a list of mappings, each with a name and a side"
            )
        return "list", _texts(_numbered("list", [{str(key): cell for key, cell in row.items()} for row in source]))
    if isinstance(source, (bytes, bytearray, memoryview)):
        source = RosterFile("the bytes", bytes(source))
    elif isinstance(source, str) and _CONTENT.search(source):
        source = RosterFile("the text", source.encode("utf-8", "surrogatepass"))
    if not isinstance(source, (str, PathLike, RosterFile)):
        right = "a CSV, JSON, TOML, Parquet or Excel file, its text or bytes, a frame, or a list of mappings"
        raise InvalidInput(f"a roster is {type(source).__name__}; give {right}")
    if isinstance(source, RosterFile):
        return source.name, _rows_of_file(source.name, source.content, asked)
    path = as_path(source, "a roster")
    if path.suffix.casefold() not in _NAMED:
        raise InvalidInput(f"a roster is a file that ends in {', '.join(_NAMED)}; {path.name!r} doesn't")
    return path.name, _rows_of_file(path.name, read_file(path, "a roster", _MOST), asked)


def _rows_of_file(file: str, written: bytes, asked: Collection[str]) -> list[Row]:
    """Return the rows of a file's content; its name says what it is, or else how it begins."""
    ending = Path(file).suffix.casefold()
    if ending not in _NAMED:
        begins = written.removeprefix(b"\xef\xbb\xbf").lstrip()
        ending = next((ending for begin, ending in _BEGINS if begins.startswith(begin)), ".csv")
    try:
        match ending:
            case ".parquet":
                return _rows_of_frame(file, pl.scan_parquet(written).head(ROWS + 1).collect())
            case ".xlsx":
                return _texts(rows_of_workbook(file, written, asked))
            case ".toml":
                return _rows_of_toml(file, written)
            case ".json":
                return _rows_of_json(file, written)
        return _texts(rows_of_text(file, text_of_bytes(written), asked))
    except UnicodeDecodeError as error:
        why = f"byte {error.start} of it is not text in UTF-8"
        raise InvalidInput(f"{file} cannot be read: {why}; save it as UTF-8") from None
    except RecursionError:
        raise InvalidInput(f"{file} cannot be read: it is nested too deeply; give a row for each combatant") from None
    except _UNREADABLE as error:
        why = getattr(error, "strerror", None) or clipped(str(error).partition("\n")[0])
        why = why.replace("unexpected end of data", "a cell begins with a double quote and no other ends it")
        raise InvalidInput(f"{file} cannot be read: {why}") from None


def _rows_of_json(file: str, written: bytes) -> list[Row]:
    text = written.decode("utf-8-sig")
    try:
        data = msgspec.json.decode(text)
    except msgspec.DecodeError:  # JSON Lines, which polars and pandas write
        if not text.lstrip().startswith("{"):
            raise
        data = msgspec.json.Decoder().decode_lines(text)
    if not isinstance(data, list):
        raise InvalidInput(f"{file} is not an array; give an array of objects, one for each combatant")
    for number, row in enumerate(data, 1):
        if not isinstance(row, dict):
            raise InvalidInput(f"{file}, row {number}: {short(row)} is not an object; give one, with a name and a side")
    return _numbered(file, data)


def _rows_of_toml(file: str, written: bytes) -> list[Row]:
    data = toml_of(file, written)
    rows = data.pop(TOML_ROWS, None)
    if not isinstance(rows, list) or not all(isinstance(row, dict) for row in rows):
        raise InvalidInput(f"{file} has no rows; write each combatant under [[{TOML_ROWS}]]")
    for key in data:
        raise UnknownName.of(f"table in {file}", key, (TOML_ROWS,))
    return _numbered(file, rows)


def _numbered(file: str, rows: list[dict[str, object]]) -> list[Row]:
    if len(rows) > ROWS:
        raise InvalidInput(f"{file} has {len(rows)} rows; no roster has over {ROWS}")
    return [(f"{file}, row {number}", row) for number, row in enumerate(rows, 1)]


def _rows_of_frame(file: str, frame: Any) -> list[Row]:
    return _texts(rows_of_cells(file, *cells_of(file, frame)))


def _texts(rows: list[Row]) -> list[Row]:
    """Return rows in which text is read as its column's type."""
    return [(where, {column: _cell(cell) for column, cell in cells.items()}) for where, cells in rows]


def _cell(cell: object) -> object:
    """Return a cell as it would have been written: text is read as its column's type, nulls of a struct go."""
    if is_empty(cell):
        return None
    if isinstance(cell, (str, date)):
        return _Text(cell)
    return [_bare(item) for item in cell] if isinstance(cell, list) else _bare(cell)


def _bare(item: object) -> object:
    return {key: value for key, value in item.items() if value is not None} if isinstance(item, dict) else item
