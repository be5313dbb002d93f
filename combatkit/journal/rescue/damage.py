"""Signs that a journal or its write-ahead log has lost something, looked for at every opening.

SQLite leaves out, without a word, whatever of a log follows bytes that are not what was written, and reads a page that
the file ends within as if zeros followed. Only the log is ever read here: to open and close the file or its index
would drop the locks that SQLite holds on them in this process. The log's format: sqlite.org/walformat.html.
"""

from __future__ import annotations

import sqlite3
import struct
import time
from pathlib import Path
from typing import NamedTuple

from combatkit.errors import JournalError
from combatkit.files.paths import beside
from combatkit.journal.form import WAIT, Damage
from combatkit.journal.guard import PAGE

LOG_HEADER = 32
FRAME_HEADER = 24
_ATTEMPTS = 4
_PAUSE = 0.05


class Log(NamedTuple):
    """What the header of a write-ahead log says, the last of its frames that ends a commit, and the pages it holds."""

    salts: bytes
    newest: int
    pages: frozenset[int]


def check_log(path: Path) -> Log | None:
    """Check that a write-ahead log can be taken in; to be asked before SQLite opens the file.

    Raises
    ------
    Damage
        If its header is not what was written, or there is nothing to take it into.
    """
    log = beside(path, "wal")
    try:
        size = log.stat().st_size
    except OSError:
        return None
    if size <= LOG_HEADER:
        return None
    if not path.stat().st_size:
        raise Damage(f"{path.name} is empty, and {log.name} is not: it is damaged")
    with log.open("rb") as file:
        header = file.read(LOG_HEADER)
        magic, _, page = struct.unpack(">III", header[:12])
        if magic & ~1 != 0x377F0682 or _sum(header[:24], ">" if magic & 1 else "<") != header[24:32]:
            raise Damage(f"{log.name}, which holds the newest calls, does not begin as it was written: it is damaged")
        if page != PAGE:
            raise Damage(f"{log.name}: its pages are not of {PAGE} bytes: it is damaged")
        newest = 0
        pages = set()
        for frame in range((size - LOG_HEADER) // (FRAME_HEADER + page)):
            file.seek(LOG_HEADER + frame * (FRAME_HEADER + page))
            start = file.read(FRAME_HEADER)
            if start[8:16] == header[16:24]:
                pages.add(int.from_bytes(start[:4], "big"))
                if start[4:8] != b"\0\0\0\0":
                    newest = frame + 1
    return Log(header[16:24], newest, frozenset(pages))


def check_taken_in(path: Path, db: sqlite3.Connection) -> None:
    """Check that SQLite has taken in every commit of the write-ahead log.

    Raises
    ------
    Damage
        If some stand behind bytes that are not what was written.
    JournalError
        If another process does not let it be seen.
    """
    attempts = 0
    patience = time.monotonic() + WAIT
    while True:
        log = check_log(path)
        if log is None:
            return
        is_busy, valid, _ = db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
        if is_busy:  # another process is taking the log into the file, and nothing is known of it meanwhile
            if time.monotonic() > patience:
                raise JournalError(f"{path.name}: another process is busy with {path.name}-wal: try again in a while")
        elif log.newest <= valid or log != check_log(path):
            return
        else:
            attempts += 1
            if attempts == _ATTEMPTS:
                lost = log.newest - valid
                raise Damage(f"{path.name}-wal, which holds the newest calls, is damaged: {lost} of its pages are lost")
        time.sleep(_PAUSE)  # somebody may be writing just now


def check_length(path: Path, db: sqlite3.Connection) -> None:
    """Check that every page is there in full, in the file or in its write-ahead log.

    Raises
    ------
    Damage
        If the file ends before its last page does.
    """
    count = db.execute("PRAGMA page_count").fetchone()[0]
    page = db.execute("PRAGMA page_size").fetchone()[0]
    if path.stat().st_size >= count * page:
        return
    # The log first: a page that another process takes out of it meanwhile is in the file by the time that is measured,
    # since a file never gets shorter.
    log = check_log(path)
    size = path.stat().st_size
    held = log.pages if log is not None else frozenset()
    if any(number not in held for number in range(size // page + 1, count + 1)):
        raise Damage(f"{path.name} has {size} bytes, and {count * page} were written: it has been cut off")


def _sum(written: bytes, order: str) -> bytes:
    first = second = 0
    words = struct.unpack(f"{order}{len(written) // 4}I", written)
    for index in range(0, len(words), 2):
        first = (first + words[index] + second) & 0xFFFFFFFF
        second = (second + words[index + 1] + first) & 0xFFFFFFFF
    return struct.pack(">II", first, second)
