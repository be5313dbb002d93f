"""Reading what is left of a damaged file, page by page, without asking how its pages hang together.

Rows are never changed once written, so a row is as good wherever it is found: in the file or in its write-ahead log,
on a page that is still in use or on an old copy of it. Whether it is what was written, its checksum says.
See sqlite.org/fileformat.html for pages, cells and records.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from contextlib import ExitStack
from io import BytesIO
from pathlib import Path
from typing import IO

from msgspec import Struct

from combatkit.files.paths import beside
from combatkit.journal.guard import PAGE, ROW
from combatkit.journal.rescue.damage import FRAME_HEADER, LOG_HEADER
from combatkit.journal.rows import Row

_LEAF = 0x0D
_EVENT_COLUMNS = 18
_ENCOUNTER_COLUMNS = 11
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}

_COPIES = 4
"""A long row may be found so often, as each old copy of its page leads to the rest of it."""


class Found(Struct):
    """Rows by key: of the events, and of the encounters."""

    events: dict[int, Row]
    encounters: dict[int, Row]


class _Pages:
    """The pages of a file and of its write-ahead log; and how many bytes of rows there can still be on them."""

    def __init__(self, path: Path, stack: ExitStack) -> None:
        self._whole, size = _opened(path, stack)
        self._frames, more = _opened(beside(path, "wal"), stack)
        self._count = -(-size // PAGE)
        self._starts = range(LOG_HEADER, more - FRAME_HEADER - PAGE + 1, FRAME_HEADER + PAGE)
        self._logged = {struct.unpack(">I", _read(self._frames, start, 4))[0]: start for start in self._starts}
        self.room = _COPIES * (size + more)

    def __iter__(self) -> Iterator[bytes]:
        for number in range(1, self._count + 1):
            yield self._written(number)
        for start in self._starts:
            yield self._frame(start)

    def newest(self, number: int) -> bytes:
        """Return a page as it was written last."""
        start = self._logged.get(number)
        return self._written(number) if start is None else self._frame(start)

    def _written(self, number: int) -> bytes:
        # Of a page that the file ends within, too, something may be made out.
        page = _read(self._whole, (number - 1) * PAGE, PAGE)
        return page + bytes(PAGE - len(page))

    def _frame(self, start: int) -> bytes:
        return _read(self._frames, start + FRAME_HEADER, PAGE)


def _opened(path: Path, stack: ExitStack) -> tuple[IO[bytes], int]:
    """Return a file, an empty one if there is none, and its size."""
    if not path.is_file():
        return BytesIO(), 0
    return stack.enter_context(path.open("rb")), path.stat().st_size


def _read(file: IO[bytes], start: int, size: int) -> bytes:
    file.seek(start)
    return file.read(size)


def salvage(path: Path) -> Found:
    """Return every row that can be made out in a file and in its write-ahead log."""
    found = Found({}, {})
    with ExitStack() as stack:
        pages = _Pages(path, stack)
        for page in pages:
            for key, record in _cells(page, pages):
                try:
                    row = _columns(record)
                except (IndexError, ValueError, struct.error):
                    continue
                if len(row) == _EVENT_COLUMNS:
                    found.events[key] = row[1:]
                elif len(row) == _ENCOUNTER_COLUMNS:
                    found.encounters[key] = row[1:]
    return found


def _cells(page: bytes, pages: _Pages) -> Iterator[tuple[int, bytes]]:
    """Yield the key and the record of each cell of a page, if it is a leaf of a table."""
    start = 100 if page.startswith(b"SQLite format 3\0") else 0
    if page[start] != _LEAF:
        return
    count = struct.unpack(">H", page[start + 3 : start + 5])[0]
    used = 0
    for index in range(min(count, PAGE // 4)):
        try:
            pointer = struct.unpack(">H", page[start + 8 + 2 * index : start + 10 + 2 * index])[0]
            length, at = _varint(page, pointer)
            key, at = _varint(page, at)
            used += min(length, PAGE // 8)  # of a longer one at least so much is on the page
            if used > PAGE:  # cells lie side by side, so these are none
                return
            yield key, _payload(page, at, length, pages)
        except (IndexError, ValueError, struct.error):
            continue


def _payload(page: bytes, at: int, length: int, pages: _Pages) -> bytes:
    """Return a record, the part of it on overflow pages included."""
    if length > min(ROW, pages.room):
        raise ValueError
    if length <= PAGE - 35:
        pages.room -= length
        return page[at : at + length]
    least = (PAGE - 12) * 32 // 255 - 23
    local = least + (length - least) % (PAGE - 4)
    local = local if local <= PAGE - 35 else least
    parts = [page[at : at + local]]
    left = length - local
    following = struct.unpack(">I", page[at + local : at + local + 4])[0]
    while following and left > 0:
        over = pages.newest(following)
        following = struct.unpack(">I", over[:4])[0]
        parts.append(over[4 : 4 + left])
        left -= PAGE - 4
        pages.room -= PAGE
    if left > 0:
        raise ValueError
    return b"".join(parts)


def _varint(written: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        byte = written[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | written[at], at + 1


def _columns(record: bytes) -> tuple[object, ...]:
    """Return the values of a record."""
    end, at = _varint(record, 0)
    types = []
    while at < end:
        kind, at = _varint(record, at)
        types.append(kind)
    values: list[object] = []
    at = end
    for kind in types:
        if kind in _INTEGERS:
            size = _INTEGERS[kind]
            values.append(int.from_bytes(record[at : at + size], "big", signed=True))
        elif kind in (0, 8, 9):
            size = 0
            values.append(None if kind == 0 else kind - 8)
        else:
            size = (kind - 12) // 2
            part = record[at : at + size]
            values.append(part.decode() if kind % 2 else part)
        at += size
    if at != len(record):
        raise ValueError
    return tuple(values)
