"""Tables as spreadsheets and other programs write them: their bytes as text, and the rows and headings in them.

The standard library's `csv.Sniffer` guesses a delimiter by how often letters occur, and polars takes one as given: here
the first line that has any decides. The encoding is no guess either: a mark or the zeros of UTF-16 give it away, what
is UTF-8 hardly is anything else by chance, and the rest is what Windows programs write in the West, or refused if that
gives no words. Libraries that guess want longer text: of Western rosters of 1 to 40 names `charset-normalizer` misread
half, `chardet` a quarter; held to what is sure, they refused three quarters and more.
"""

from __future__ import annotations

import codecs
import csv
import re
import zlib
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from io import BytesIO, StringIO
from itertools import islice, zip_longest
from typing import Any, NamedTuple
from zipfile import BadZipFile, ZipFile

from combatkit.core.plain import bare, counted, own, short
from combatkit.errors import InvalidInput
from combatkit.files.paths import codec_of
from combatkit.frames import pl

MARKS = ",;\t"
"""What stands between the cells of a line."""

COLUMNS = 1_000
ROWS = 10_000
CELLS = 250_000
"""No table of combatants is larger."""

_BYTES = 1 << 24
"""No frame is larger: a few bytes of Parquet may unpack to any number."""

_UNPACKED = 1 << 26
_HEAD = 1 << 16
"""How much of a table is looked at for what stands between its cells, in characters."""

_LINES = 200
"""How many of its lines."""

_LETTER, _SMALL, _CAPITAL = r"[^\W\d_]", "a-zß-öø-ÿšœž", "À-ÖØ-ÞŠŒŽŸ"
_VOWEL, _MUTE = "aeiouyáäéíóöúüýAEIOUYÁÄÉÍÓÖÚÜÝ", "b-df-hj-np-tv-zB-DF-HJ-NP-TV-Z"
_BESIDE = r"!-~\u2013\u2014\u2018-\u201e\u2026«»¿¡°·®©\u2122\u20ac"
"""Signs that may stand beside a letter."""

_NO_WORD = re.compile(
    rf"""
    # Macs and DOS: a capital or a sign in a word, š for ö, á for ß; their ñ and í
      (?<=[{_SMALL}])[{_CAPITAL}] | (?<={_LETTER})[{_CAPITAL}](?=[{_SMALL}])
    | (?<={_LETTER})[\u2018\u201a\u201e¿¡] | (?<={_LETTER})[\u201c\u201d«»](?={_LETTER})
    | [®©\u2122\u20ac¼¾](?={_LETTER}) | (?<={_LETTER})[^\w\s{_BESIDE}] | [^\w\s{_BESIDE}](?={_LETTER})
    | (?<={_LETTER})[\xa0\u2026](?=[a-z]) | [ƒ\u02c6] | (?<![aeiouáéí])[šž](?![aeiouáéí]) | (?:[ao]|ei)á
    | \b[A-Z][{_SMALL}]*(?:[\u2013\u2014] | (?<=[{_SMALL}])\u2019(?!(?:s|t|d|m|ll|re|ve)\b))[a-z]
    # Cyrillic, Greek and whatever has no Latin letters: a word of nothing but accents or signs
    | (?<!{_LETTER})[^\W\d_A-Za-z]{{2,}}(?!{_LETTER}) | (?!(.)\1)[^\0-\x7f]{{4}}
    # Czech, Slovak, Croatian: ø, è, ì, ò, ù for ř, č, ě, ň, ů; final æ for ć; Latvian: Ì, ç, í for Ģ, ē, ķ
    | [øØ](?=[aeiouáéíóú]) | (?<=[{_VOWEL}])ø | [èÈòÒ](?=[{_VOWEL}]) | [ìòùÌ](?={_LETTER}) | iæ
    | [çÇ](?=[{_MUTE}]) | [íÍ]i
    # Polish: œ, ñ, ê for ś, ń, ę where French and Spanish have none, ¹, ³ for ą, ł; Romanian: ã, º, ª for ă, ş, Ş
    | œ(?![iu]) | ñ(?![{_VOWEL}]) | iê | ê(?=[bdgkz]) | ã(?=[a-df-np-rt-z]) | (?<![\d.MN])[¹³ºª]
    """,
    re.VERBOSE,
)
"""What Windows' Western encoding makes of the letters of another."""

_DOUBTS = (
    ("[ðþýÐÞ]|Ý(?!m)", "áéíóúåÁÉÍÓÚÅ"),  # Turkish ğ, ş and Baltic š, ž; or Icelandic
    ("[õÕ](?!e)|[ûÛ]", "ãäåçèêñôùœß"),  # Hungarian ő, ű and Baltic ū; or Portuguese, French
    (f"â(?!t)|Â(?![mn])|(?<=[{_MUTE}])[ëî]|æ(?=st)", "ãäåçèéêñóôõöøùúüßœÄÉÓÖÚÜ"),  # Baltic ā, ė, ī, ę
)
"""What may be letters of another, unless some that those languages lack stand in the table."""

_RULED = re.compile(r"^ {0,3}(?=[^\n]*\|)\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*\r?$", re.MULTILINE)
"""The line that Markdown has below the headings of a table."""

_BAR = re.compile(r"(?<!\\)\|")
_SET = re.compile(
    r"""
    \\([!-/:-@\[-`{-~])  # a sign that is meant
    | (\*\*|__|~~|`|\*|(?<!\w)_)(?=\S)(.+?)(?<=\S)\2(?!\w) | !?\[([^\[\]]*)\]\([^()\s]*\)
    | \[\[(?:[^\[\]|"]+\|)?([^\[\]|"]+)\]\]
    """,
    re.VERBOSE,
)
"""What Markdown sets apart in a cell: bold, crossed out, code, a link."""

_FORCED = re.compile(r'\A="(.*)"\Z', re.DOTALL)
"""How spreadsheets write what is text and no number to them."""

_SIGNS = r"=+\-@\t\r\uff1d\uff0b\uff0d\uff20"
"""With what a formula begins; in Japanese ones also with the wide forms."""

_FORMULA = re.compile(rf"\A(?='*[{_SIGNS}])")
"""Where an apostrophe keeps a text from being a formula; one more, where it begins with one and such a sign."""

_KEPT = re.compile(rf"\A'('*[{_SIGNS}].*)\Z", re.DOTALL)
"""A text that was kept from it."""

_NO_VALUE = re.compile(
    rb'<c r="(\w+)"(?=[^>]* t="e")[^>]*>(?:<f[^<]*(?:</f>)?)?<v>(#(?!N/A)[^<]{1,20})</v>'
    rb'|<c r="(\w+)"(?![^>]* t="str")[^>]*><f[^<]*(?:</f>)?(?:<v ?/>|<v></v>)?</c>'
)
"""A cell of a workbook that spreadsheets show as an error, or that has yet to be reckoned."""

_INDEX = re.compile(r"(index|row|row_index|row_nr|level_0|unnamed: ?[\d.]+)?\Z")
"""How a column is called that some programs number the rows in."""

Row = tuple[str, dict[str, object]]
"""Where a row is, and its cells by heading."""


class Line(NamedTuple):
    """The cells of a line that holds any, which row of the table it is, and at which line of a file it begins."""

    row: int
    cells: Sequence[object]
    begins: int = 0


def text_of_bytes(written: bytes) -> str:
    """Return bytes as text, in the encoding they are most surely in; lines that end in CR alone are old Macs'.

    Raises
    ------
    UnicodeDecodeError
        If they are in none, or what Windows' gives could as well be another's: "Jšrg" for "Jörg".

    Examples
    --------
    >>> text_of_bytes("Zoë".encode("utf-16")), text_of_bytes("Zoë".encode("cp1252")), text_of_bytes("Zoë".encode())
    ('Zoë', 'Zoë', 'Zoë')
    """
    if codec := codec_of(written):
        return written.decode(codec)
    try:
        return written.decode("utf-8")
    except UnicodeDecodeError:
        if b"\r" in written and b"\n" not in written:
            return written.decode("mac_roman")
        text = written.decode("cp1252")
        doubted = any(re.search(found, text) and not set(known) & set(text) for found, known in _DOUBTS)
        if doubted or "\0" in text or _NO_WORD.search(text):
            raise
        return text


def lines_of(file: str, text: str) -> list[Line]:
    """Return the lines of a table that hold anything; of tables in Markdown, the first.

    Raises
    ------
    InvalidInput
        If it has more cells than any table read here.
    csv.Error
        If a quote is not closed.
    """
    return _tables(file, text)[0]


def rows_of_text(file: str, text: str, asked: Collection[str]) -> list[Row]:
    """Return the rows of a table, or of all in Markdown with the headings asked for; if none has them, of the first.

    Raises
    ------
    InvalidInput, csv.Error
        If it can't be read; see `lines_of` and `rows_of`.
    """
    tables = _tables(file, text)
    headed = [lines for lines in tables if _headed(lines, asked) is not None] or tables[:1]
    return [row for lines in headed for row in rows_of(file, lines, asked)]


def _tables(file: str, text: str) -> list[list[Line]]:
    """Return the lines of each table in a text that hold anything: in Markdown, with bars between cells, of several."""
    if _RULED.search(text[:_HEAD]):
        return [_filled(file, table) for table in _barred(text)]
    first, _, rest = text.partition("\n")
    said = first.strip().strip('"').casefold()
    skipped = 0
    if said.startswith("sep=") and len(said) in (4, 5):  # what spreadsheets say to one another
        mark, text, skipped = said[4:] or "\t", rest, 1
    else:
        # A title may have commas above a table that has none: most lines count, then most cells.
        mark = max(MARKS, key=lambda mark: _fit(text[:_HEAD], mark))
    reader = csv.reader(StringIO(text, newline=""), delimiter=mark, strict=True, skipinitialspace=True)
    return [_filled(file, _begun(reader, skipped, is_forced='="' in text or "'" in text))]


def _barred(text: str) -> list[list[tuple[int, list[str]]]]:
    """Return the lines of each table in Markdown with their numbers: the headings above a ruled line, and what follows.

    Cells are what stands between bars that no backslash takes away.
    """
    tables: list[list[tuple[int, list[str]]]] = []
    above, is_in = "", False
    for number, line in enumerate(text.splitlines(), 1):
        if is_head := bool(not is_in and "|" in above and _RULED.match(line)):
            tables.append([(number - 1, _cells(above))])
        elif is_in and "|" in line:
            tables[-1].append((number, _cells(line)))
        is_in = is_head or (is_in and "|" in line)
        above = line
    return tables or [[]]


def _cells(line: str) -> list[str]:
    cells = _BAR.split(line.strip())
    within = slice(not cells[0], -1 if len(cells) > 1 and not cells[-1] else None)
    return [_unset(cell.strip().replace("\\|", "|")) for cell in cells[within]]


def _unset(text: str) -> str:
    r"""Return what a cell of Markdown says, without what sets it apart.

    Examples
    --------
    >>> [_unset(each) for each in ("**Vex**, the _old_", "[Mara](mara.md)", "[[npcs/Kell|Kell]]", "hp_max", r"3 \* 4")]
    ['Vex, the old', 'Mara', 'Kell', 'hp_max', '3 * 4']
    """
    return _SET.sub(lambda found: found[1] or _unset(found[3] or found[4] or found[5] or ""), text)


def _begun(reader: Iterator[list[str]], line: int, *, is_forced: bool) -> Iterator[tuple[int, list[str]]]:
    """Yield the rows of a file with the line at which each begins."""
    for cells in reader:
        plain = is_forced and len(cells) <= COLUMNS  # no wider line is kept
        yield line + 1, [_KEPT.sub(r"\1", _FORCED.sub(r"\1", cell)) for cell in cells] if plain else cells
        line += 1 + sum(cell.count("\n") for cell in cells)


def _fit(text: str, mark: str) -> tuple[int, int]:
    """Return how many lines a mark makes a table of, and how wide that is."""
    rows = csv.reader(StringIO(text, newline=""), delimiter=mark, skipinitialspace=True)
    counts = [len(row) for row in islice(rows, _LINES)]
    at = _heads(counts)
    return sum(1 < count <= counts[at] for count in counts[at:]), counts[at] if counts else 0


def csv_of(frame: pl.DataFrame) -> bytes:
    r"""Return a frame as CSV in which spreadsheets find no formula, and whose letters they show as they are.

    Text that begins with a sign of theirs gets an apostrophe before it; `lines_of` takes it off again.

    Examples
    --------
    >>> from combatkit.frames import pl
    >>> csv_of(pl.DataFrame({"name": ["=1+1", "Mara"]})).decode("utf-8-sig")
    "name\n'=1+1\nMara\n"
    """
    texts = [
        pl.Series(name, [_FORMULA.sub("'", text) if text else text for text in frame[name].to_list()], pl.String)
        for name, kind in frame.schema.items()
        if isinstance(kind, (pl.String, pl.Enum))
    ]
    return codecs.BOM_UTF8 + frame.with_columns(*texts).write_csv().encode()


def sheets_of_workbook(file: str, written: bytes) -> dict[str, list[Line]]:
    """Return the lines that hold anything, by the names of the sheets a reader of the workbook sees.

    Raises
    ------
    InvalidInput
        If it can't be read, or the extra ``sheets`` isn't installed.
    """
    try:
        from python_calamine import CalamineError, CalamineWorkbook, SheetTypeEnum, SheetVisibleEnum
    except ImportError:
        raise InvalidInput(f"{file} is a workbook; pip install 'combatkit[sheets]', or save it as CSV") from None
    sheets: dict[str, list[Line]] = {}
    try:
        with ZipFile(BytesIO(written)) as packed:
            if sum(part.file_size for part in packed.infolist()) > _UNPACKED:
                raise InvalidInput(f"{file} is too large when unpacked; save the combatants alone")
            for part in packed.namelist():
                if part.startswith("xl/worksheets/") and (wrong := _NO_VALUE.search(packed.read(part))):
                    at, what = (
                        part.decode() for part in (wrong[1] or wrong[3], wrong[2] or b"a formula and no result")
                    )
                    raise InvalidInput(f"{file}: cell {at} holds {what}; mend that in a spreadsheet, and save it")
        book = CalamineWorkbook.from_filelike(BytesIO(written))
        cells = 0
        for each in book.sheets_metadata:
            if (each.typ, each.visible) != (SheetTypeEnum.WorkSheet, SheetVisibleEnum.Visible):
                continue
            sheet = book.get_sheet_by_name(each.name)
            cells += sheet.total_height * sheet.total_width
            if cells > CELLS:
                raise InvalidInput(f"{file} has too many cells; no table here has over {CELLS:,}")
            sheets[each.name] = _filled(file, enumerate(sheet.to_python(skip_empty_area=False), 1))
    except (CalamineError, BadZipFile, EOFError, ValueError, OSError, RuntimeError, zlib.error) as error:
        raise InvalidInput(f"{file} cannot be read: {short(str(error))}; save it as CSV") from None
    return {name: lines for name, lines in sheets.items() if lines} or {"": []}


def rows_of_workbook(file: str, written: bytes, asked: Collection[str]) -> list[Row]:
    """Return the rows of all sheets with the headings asked for; if none has them, of the first.

    Raises
    ------
    InvalidInput
        If it can't be read, as for one sheet.
    """
    sheets = sheets_of_workbook(file, written)
    headed = [name for name, lines in sheets.items() if _headed(lines, asked) is not None] or [*sheets][:1]
    where = {name: f"{file}, {name}" if len(headed) > 1 else file for name in headed}
    return [row for name in headed for row in rows_of(where[name], sheets[name], asked)]


def _filled(file: str, numbered: Iterable[tuple[int, Sequence[object]]]) -> list[Line]:
    lines: list[Line] = []
    cells = 0
    for place, (number, row) in enumerate(numbered):
        if len(row) <= COLUMNS and any(row) and any(not is_empty(cell) for cell in row):
            lines.append(Line(place, row, number))
            cells += len(row)
        if cells > CELLS or len(row) > COLUMNS or len(lines) > ROWS + 1 or place > CELLS:
            most = f"over {COLUMNS:,} in a line, {ROWS:,} lines or {CELLS:,} in all"
            raise InvalidInput(f"{file}, line {number}: it has more cells than any table read here: {most}")
    return lines


def rows_of(file: str, lines: Sequence[Line], asked: Collection[str] = (), *, titled: bool = True) -> list[Row]:
    """Return the rows beneath the headings: the first line with those asked for, else one that is about full.

    What stands above it is a title. A column with neither heading nor cells is left out, and one that numbers the rows.

    Raises
    ------
    InvalidInput
        For a cell without a heading, or two columns of a name.
    """
    at = _headed(lines, asked) if titled and asked else None
    if at is None:
        at = _heads([_count(line.cells) for line in lines]) if titled else 0
    head = ["" if is_empty(cell) else bare(str(cell)) for cell in lines[at].cells] if lines else []
    below = lines[at + 1 :]
    indexes = _indexes(head, below)
    for name, times in Counter(filter(None, head)).items():
        if times > 1:
            raise InvalidInput(f"{file}: two columns are called {short(name)}; keep one, or name the other")
    rows: list[Row] = []
    for line in below:
        where = f"{file}, row {line.row - lines[at].row}{f' (line {line.begins})' if line.begins else ''}"
        row: dict[str, object] = {}
        for column, (name, cell) in enumerate(zip_longest(head, line.cells)):
            if column < indexes or (not name and is_empty(cell)):
                continue
            if name is None:
                most, right = counted(len(head), "column"), "put a cell that holds a comma in double quotes"
                raise InvalidInput(f"{where}: {short(cell)} is one cell too many for {most}; {right}")
            if not name:
                raise InvalidInput(
                    f"{where}: column {column + 1} holds {short(cell)} and has no heading; write one over it"
                )
            row[name] = None if is_empty(cell) else cell
        rows.append((where, row))
    return rows


def _headed(lines: Sequence[Line], asked: Collection[str]) -> int | None:
    """Return the first line with all the headings asked for."""
    heads = ({bare(str(cell)).casefold() for cell in line.cells} for line in lines)
    return next((n for n, head in enumerate(heads) if head.issuperset(asked)), None)


def _indexes(head: Sequence[str], below: Sequence[Line]) -> int:
    """Return how many of the first columns do nothing but number the rows, in whatever order these are now.

    Where one is called so some may be missing; without a heading they count from 0 or 1.
    """
    for column, name in enumerate(head):
        numbers = {str(own(line.cells[column])).strip() for line in below if len(line.cells) > column}
        counted = any(numbers == {str(first + n) for n in range(len(below))} for first in (0, 1))
        called = name and len(numbers) == len(below) and all(map(str.isdecimal, numbers))
        if not _INDEX.match(name.casefold()) or not (counted or called):
            return column
    return len(head)


def _heads(counts: Sequence[int]) -> int:
    """Return the first line with at least half as many cells as the fullest."""
    return next((n for n, count in enumerate(counts) if count >= max(2, max(counts) / 2)), 0)


def _count(cells: Sequence[object]) -> int:
    return sum(not is_empty(cell) for cell in cells)


def is_empty(cell: object) -> bool:
    """Check whether a cell holds nothing: no text, or no number."""
    if cell is None or isinstance(cell, str):
        return not (cell and cell.strip())
    try:
        return bool(cell != cell)
    except TypeError:  # pandas' own nothing is neither itself nor anything else
        return True
    except ValueError:  # an array
        return False


def cells_of_columns(file: str, given: Mapping[Any, object]) -> tuple[list[str], Iterable[Sequence[object]]]:
    """Return the headings of columns, and the cells of each row; all must be of a length.

    Raises
    ------
    InvalidInput
        If they aren't.
    """
    found = {str(name): _as_list(column) for name, column in given.items()}
    lengths = {name: len(column) for name, column in found.items()}
    if len(set(lengths.values())) > 1:
        said = ", ".join(f"{name} {length}" for name, length in lengths.items())
        raise InvalidInput(f"{file}: its columns differ in length ({short(said)}); give each as many cells")
    return [*found], zip(*found.values(), strict=True)


def as_frame(source: Any) -> Any | None:
    """Return a frame that is at hand, of polars or pandas, whatever kind it was given as; nothing of what is none."""
    if isinstance(source, pl.LazyFrame):
        return source.head(ROWS + 1).collect()
    if hasattr(source, "iloc") and hasattr(source, "notna"):  # pandas, without any package between
        named = any(name is not None for name in source.index.names)
        return source.reset_index() if named else source
    if isinstance(source, pl.DataFrame):
        return source
    return pl.DataFrame(source) if hasattr(source, "__arrow_c_stream__") else None


def cells_of(file: str, frame: Any) -> tuple[list[str], Iterable[Sequence[object]]]:
    """Return the headings of a frame that is at hand, and the cells of each row.

    Raises
    ------
    InvalidInput
        If it is larger than any table of people.
    """
    rows, columns = frame.shape
    if rows > ROWS or columns > COLUMNS or rows * columns > CELLS:
        raise InvalidInput(f"{file} has {columns} columns and {rows} rows; no roster has over {COLUMNS} or {ROWS}")
    if not isinstance(frame, pl.DataFrame):
        return [_lowest(name) for name in frame.columns], frame.itertuples(index=False, name=None)
    if frame.estimated_size() > _BYTES:
        raise InvalidInput(f"{file} holds values of over {_BYTES} bytes, and no roster does; give a smaller one")
    return list(frame.columns), frame.iter_rows()


def _lowest(name: object) -> str:
    """Return how a column is called: of headings in several lines by the lowest that says anything."""
    parts = name if isinstance(name, tuple) else (name,)
    return str(next((part for part in reversed(parts) if not is_empty(part)), ""))


def _as_list(column: Any) -> list[object]:
    """Return a column of any kind as a list."""
    return [column] if isinstance(column, str) or not isinstance(column, Iterable) else [*column]


def rows_of_cells(file: str, head: Sequence[str], cells: Iterable[Sequence[object]]) -> list[Row]:
    """Return the rows of a frame: its headings, and the cells of each row."""
    return rows_of(file, [Line(0, head), *(Line(n, row) for n, row in enumerate(cells, 1))], titled=False)
