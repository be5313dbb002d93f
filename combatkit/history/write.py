"""A fight's five frames as files."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from html import escape
from pathlib import Path
from typing import IO, Any
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

import msgspec

from combatkit.errors import InvalidInput
from combatkit.files.paths import as_path, check_target, whole_file
from combatkit.files.sheets import csv_of
from combatkit.frames import pl


def write_frames(frames: Mapping[str, pl.DataFrame], folder: str | Path, format: str) -> Path:
    """Write frames into a folder, a file each; see `Frames.write`."""
    if format not in list(_WRITERS):
        raise InvalidInput(f"format is {format!r}; give one of {', '.join(_WRITERS)}")
    folder = as_path(folder, "a folder of frames")
    paths = {name: folder / f"{name}.{format}" for name in frames}
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for path in paths.values():
            check_target(path)
        for name, frame in frames.items():
            with whole_file(paths[name]) as file:
                _WRITERS[format](frame, file)
    except (OSError, pl.exceptions.PolarsError) as error:
        why = getattr(error, "strerror", None) or error
        raise InvalidInput(f"{folder} cannot be written to: {why}; give a folder that can") from None
    return folder


def _write_csv(frame: pl.DataFrame, file: IO[bytes]) -> None:
    # JSON text, which `str.json_decode` reads
    texts = _as_text(frame, (pl.List,), lambda items: msgspec.json.encode(items).decode())
    file.write(csv_of(texts))


def flat(frame: pl.DataFrame) -> pl.DataFrame:
    """Return a frame without lists and closed vocabularies: their items stand in one text, with commas between."""
    return _as_text(
        frame, (pl.List, pl.Enum), lambda value: value if isinstance(value, str) else ", ".join(map(str, value))
    )


def _as_text(frame: pl.DataFrame, kinds: tuple[Any, ...], said: Callable[[Any], str]) -> pl.DataFrame:
    """Return a frame in which the columns of some kinds are text."""
    names = [name for name, kind in frame.schema.items() if isinstance(kind, kinds)]
    columns = {name: [None if value is None else said(value) for value in frame[name].to_list()] for name in names}
    return frame.with_columns(*(pl.Series(name, texts, pl.String) for name, texts in columns.items()))


_SHEET_ROWS = 2**20
"""The most rows that a sheet has, its headings included."""

_SHEET_TEXT = 32_767
"""The most characters that a cell of a sheet holds."""

_NOT_IN_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_TYPE = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_BOOK = {
    "[Content_Types].xml": f'<Types xmlns="{_PACKAGE}/content-types"><Default Extension="rels" '
    'ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
    f'<Override PartName="/xl/workbook.xml" ContentType="{_TYPE}.sheet.main+xml"/>'
    f'<Override PartName="/xl/worksheets/sheet1.xml" ContentType="{_TYPE}.worksheet+xml"/></Types>',
    "_rels/.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/officeDocument" Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{_MAIN}" xmlns:r="{_OFFICE}"><sheets>'
    '<sheet name="Sheet1" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="{_PACKAGE}/relationships"><Relationship Id="r1" '
    f'Type="{_OFFICE}/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
}
"""What a workbook of one sheet holds besides that sheet."""


def _write_xlsx(frame: pl.DataFrame, file: IO[bytes]) -> None:
    if frame.height >= _SHEET_ROWS:
        raise InvalidInput(f"a sheet has at most {_SHEET_ROWS:,} rows, and these are {frame.height:,}; write parquet")
    with ZipFile(file, "w", ZIP_DEFLATED) as book:
        for name, text in _BOOK.items():
            book.writestr(ZipInfo(name), f'<?xml version="1.0" encoding="UTF-8"?>{text}', ZIP_DEFLATED)
        with book.open(ZipInfo("xl/worksheets/sheet1.xml"), "w") as sheet:
            sheet.write(f'<?xml version="1.0" encoding="UTF-8"?><worksheet xmlns="{_MAIN}"><sheetData>'.encode())
            for row in (frame.columns, *flat(frame).iter_rows()):
                sheet.write(f"<row>{''.join(map(_cell, row))}</row>".encode())
            sheet.write(b"</sheetData></worksheet>")


def _cell(value: object) -> str:
    if value is None:
        return "<c/>"
    if isinstance(value, bool):
        return f'<c t="b"><v>{int(value)}</v></c>'
    if isinstance(value, (int, float)):
        return f"<c><v>{value}</v></c>"
    text = escape(_NOT_IN_XML.sub("", str(value))[:_SHEET_TEXT], quote=False)
    return f'<c t="inlineStr"><is><t xml:space="preserve">{text}</t></is></c>'


_WRITERS: dict[str, Callable[[pl.DataFrame, IO[bytes]], object]] = {
    "parquet": lambda frame, file: frame.write_parquet(file),
    "csv": _write_csv,
    "xlsx": _write_xlsx,
    "json": lambda frame, file: file.write(frame.write_json().encode()),
}
"""What frames can be written as."""
