"""Reading what is left of a damaged file, page by page, without asking how its pages hang together.

Rows are never changed once written, so a row is as good wherever it is found: in the file or in its write-ahead log,
on a page that is still in use or on an old copy of it. Whether it is what was written, its checksum says.
See sqlite.org/fileformat.html for pages, cells and records.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from msgspec import Struct

from combatkit.journal.damage import FRAME_HEADER, LOG_HEADER
from combatkit.paths import beside

PAGE = 4096
"""The size of a page in every journal (SQLite's default)."""

_LEAF = 0x0D
_EVENT_COLUMNS = 18
_ENCOUNTER_COLUMNS = 11
_INTEGERS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class Found(Struct):
    """Rows by key: of the events, and of the encounters."""

    events: dict[int, tuple[Any, ...]]
    encounters: dict[int, tuple[Any, ...]]


def salvage(path: Path) -> Found:
    """Give every row that can be made out in a file and in its write-ahead log."""
    whole = path.read_bytes()
    whole += bytes(-len(whole) % PAGE)  # of a page that the file ends within, too, something may be made out
    pages = [whole[start : start + PAGE] for start in range(0, len(whole) - PAGE + 1, PAGE)]
    newest = dict(enumerate(pages, 1))
    log = beside(path, "wal")
    if log.is_file():
        frames = log.read_bytes()
        for start in range(LOG_HEADER, len(frames) - FRAME_HEADER - PAGE + 1, FRAME_HEADER + PAGE):
            page = frames[start + FRAME_HEADER : start + FRAME_HEADER + PAGE]
            pages.append(page)
            newest[struct.unpack(">I", frames[start : start + 4])[0]] = page
    found = Found({}, {})
    for page in pages:
        for key, record in _cells(page, newest):
            try:
                row = _columns(record)
            except (IndexError, ValueError, struct.error):
                continue
            if len(row) == _EVENT_COLUMNS:
                found.events[key] = row[1:]
            elif len(row) == _ENCOUNTER_COLUMNS:
                found.encounters[key] = row[1:]
    return found


def _cells(page: bytes, newest: dict[int, bytes]) -> Iterator[tuple[int, bytes]]:
    """Give the key and the record of each cell of a page, if it is a leaf of a table."""
    start = 100 if page.startswith(b"SQLite format 3\0") else 0
    if page[start] != _LEAF:
        return
    count = struct.unpack(">H", page[start + 3 : start + 5])[0]
    for index in range(min(count, PAGE // 4)):
        try:
            pointer = struct.unpack(">H", page[start + 8 + 2 * index : start + 10 + 2 * index])[0]
            length, at = _varint(page, pointer)
            key, at = _varint(page, at)
            yield key, _payload(page, at, length, newest)
        except (IndexError, ValueError, struct.error):
            continue


def _payload(page: bytes, at: int, length: int, newest: dict[int, bytes]) -> bytes:
    """Give a record, the part of it on overflow pages included."""
    if length <= PAGE - 35:
        return page[at : at + length]
    least = (PAGE - 12) * 32 // 255 - 23
    local = least + (length - least) % (PAGE - 4)
    local = local if local <= PAGE - 35 else least
    record = page[at : at + local]
    following = struct.unpack(">I", page[at + local : at + local + 4])[0]
    while following and len(record) < length:
        over = newest.get(following, b"")
        following = struct.unpack(">I", over[:4])[0]
        record += over[4 : 4 + length - len(record)]
    if len(record) < length:
        raise ValueError
    return record


def _varint(written: bytes, at: int) -> tuple[int, int]:
    value = 0
    for _ in range(8):
        byte = written[at]
        at += 1
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at
    return value << 8 | written[at], at + 1


def _columns(record: bytes) -> tuple[Any, ...]:
    """Give the values of a record."""
    end, at = _varint(record, 0)
    types = []
    while at < end:
        kind, at = _varint(record, at)
        types.append(kind)
    values: list[Any] = []
    at = end
    for kind in types:
        if kind in _INTEGERS:
            size = _INTEGERS[kind]
            values.append(int.from_bytes(record[at : at + size], "big", signed=True))
        elif kind in (0, 8, 9):
            size = 0
            values.append(None if kind == 0 else kind - 8)
        elif kind == 7:
            size = 8
            values.append(struct.unpack(">d", record[at : at + 8])[0])
        else:
            size = (kind - 12) // 2
            part = record[at : at + size]
            values.append(part.decode() if kind % 2 else part)
        at += size
    if at != len(record):
        raise ValueError
    return tuple(values)
