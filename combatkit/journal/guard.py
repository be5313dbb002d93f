"""What keeps a stranger's journal from doing anything: it is compared with what combatkit makes before it is read.

SQLite runs what a file's schema says: triggers, views, generated columns. So a file whose schema is not exactly the
known one is never read. What stands beside it must be plain files, as SQLite writes through links; and no reading
of it may take more steps, or rows of more bytes, than a journal can need: a file's pages may lead in circles.
"""

from __future__ import annotations

import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import closing, contextmanager
from functools import cache, partial
from itertools import repeat
from pathlib import Path

from combatkit.errors import JournalError
from combatkit.files.paths import beside
from combatkit.journal.rows import Row

PAGE = 4096
"""The size of a page in every journal (SQLite's default)."""

ROW = 1 << 23
"""No row has more bytes."""

SMALL = 1 << 15
"""Rows of up to so many bytes are read many at a time; longer ones a few."""

MANY = 4_096
"""How many small rows may be read at once."""

_FEW = 8
_STEPS = 8_000_000
"""No reading takes more steps of SQLite's machine: of the longest call's events some fifty each."""

_BETWEEN = 1_000
"""How many steps lie between two looks at how many are left."""

_SIZES = {"": 1 << 32, "-wal": 1 << 30, "-shm": 1 << 28, "-journal": 1 << 20}
"""How many bytes a journal has at most, and each file that SQLite keeps beside it."""

_SUPER = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
"""What a rollback journal ends with that names another file: SQLite might remove that."""

Object = tuple[str, str, str, str | None]
"""What a schema says of one thing in it: kind, name, table, SQL."""


def check_files(path: Path) -> None:
    """Check that a journal and what SQLite keeps beside it are plain files of a sensible size.

    Raises
    ------
    JournalError
        If one is a link, a pipe, a folder or larger than any journal's.
    """
    for ending, most in _SIZES.items():
        file = path.with_name(path.name + ending)
        try:
            found = file.lstat()
        except OSError:
            continue
        if not stat.S_ISREG(found.st_mode):
            raise JournalError(
                f"{file.name} is {kind_of(found.st_mode)}, not a file of its own: take it away from {path}"
            )
        if found.st_size > most:
            raise JournalError(f"{file.name} has {found.st_size} bytes; no journal has over {most}: name another file")
    rollback = beside(path, "journal")
    try:
        names_another = rollback.read_bytes().endswith(_SUPER)
    except OSError:
        return
    if names_another:
        raise JournalError(f"{rollback.name} names another file, as none of combatkit's does: take it away from {path}")


def kind_of(mode: int) -> str:
    """Say what is there instead of a regular file."""
    kinds = {stat.S_ISLNK: "a link", stat.S_ISDIR: "a folder", stat.S_ISFIFO: "a pipe"}
    return next((words for is_one, words in kinds.items() if is_one(mode)), "a device")


def secure(db: sqlite3.Connection) -> None:
    """Set what a connection may do at most, before anything is read through it."""
    for limit, most in (
        (sqlite3.SQLITE_LIMIT_LENGTH, ROW),
        (sqlite3.SQLITE_LIMIT_ATTACHED, 0),
        (sqlite3.SQLITE_LIMIT_TRIGGER_DEPTH, 1),
    ):
        db.setlimit(limit, most)
    db.execute("PRAGMA trusted_schema=OFF")
    db.execute("PRAGMA cell_size_check=ON")


@contextmanager
def limited(db: sqlite3.Connection, steps: int = _STEPS, length: int = SMALL) -> Iterator[None]:
    """Let what is read inside take so many steps, and no row longer than this; then SQLite gives up."""
    # Made of what is not Python's code, so that no signal is handled, and lost, within it.
    try:
        db.set_progress_handler(partial(next, repeat(0, steps // _BETWEEN), 1), _BETWEEN)
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, length)
        yield
    finally:
        db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, ROW)
        db.set_progress_handler(None, 0)


def rows_of(path: Path, db: sqlite3.Connection, sql: str, values: Sequence[object] = ()) -> list[Row]:
    """Return the rows of a query; they have no more bytes than the file, or its pages lead in circles."""
    room = sum(file.stat().st_size for file in (path, beside(path, "wal")) if file.exists())
    db.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, ROW)
    rows: list[Row] = []
    cursor = db.execute(sql, values)
    while part := cursor.fetchmany(_FEW):
        rows += part
        room -= sum(len(value) for row in part for value in row if isinstance(value, (str, bytes)))
        if room < 0:
            raise sqlite3.DatabaseError("its rows are longer than the file")
    return rows


def schema(db: sqlite3.Connection) -> tuple[Object, ...]:
    """Return what a file's schema says."""
    return tuple(db.execute("SELECT type, name, tbl_name, sql FROM sqlite_schema ORDER BY rowid"))


@cache
def schema_made_by(migrations: tuple[str, ...]) -> tuple[Object, ...]:
    """Return the schema of the file that these statements make."""
    with closing(sqlite3.connect(":memory:")) as db:
        db.executescript("".join(migrations))
        return schema(db)


def are_alike(found: Sequence[Object], right: Sequence[Object]) -> bool:
    """Check whether a schema may be the right one with some bytes damaged: none is more, less or elsewhere."""
    return [[len(part or "") for part in each] for each in found] == [
        [len(part or "") for part in each] for each in right
    ]


def differs(found: Sequence[Object], right: Sequence[Object]) -> str:
    """Say in what a schema is not the right one."""
    known = {name: (kind, sql) for kind, name, _, sql in right}
    for kind, name, _, sql in found:
        if name not in known:
            return f"it holds the {kind} {str(name)[:40]!r}, which none has"
        if known[name] != (kind, sql):
            return f"its {kind} {name!r} is not as combatkit makes it"
    lacking = known.keys() - {name for _, name, _, _ in found}
    return f"it lacks {min(lacking)!r}" if lacking else "something of it is there twice"
