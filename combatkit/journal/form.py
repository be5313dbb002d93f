"""The form of a journal file: how it is made, told from other files, and brought up to date."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from combatkit.errors import JournalError
from combatkit.journal.guard import (
    PAGE,
    Object,
    are_alike,
    check_files,
    differs,
    limited,
    schema,
    schema_made_by,
    secure,
)

APPLICATION = int.from_bytes(b"cmbt", "big")
"""What marks an SQLite file as a journal (its `application_id`)."""

BITS = 32
"""An event's key is its encounter's number times 2**32, and its own number: so one encounter's events lie together."""

WAIT = 5.0
"""Seconds to wait for another process's commit, which takes a fraction of one."""

_OPENING = 20_000
"""Looking at the schema takes a few hundred steps, making it some thousand."""

MIGRATIONS: tuple[str, ...] = (
    f"""
    CREATE TABLE made (version TEXT NOT NULL, form INTEGER NOT NULL);
    CREATE TABLE encounters (
        number INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, system TEXT NOT NULL, title TEXT NOT NULL,
        parent TEXT, parent_seq INTEGER, mark BLOB NOT NULL,
        taken INTEGER NOT NULL DEFAULT 0, host TEXT, process INTEGER, since TEXT
    );
    CREATE TABLE events (
        at INTEGER PRIMARY KEY,
        round INTEGER, kind TEXT, actor TEXT, action TEXT, target TEXT, amount INTEGER, text TEXT, note TEXT,
        rules TEXT, "by" TEXT, data TEXT,
        size INTEGER, parent INTEGER, depth INTEGER, tip INTEGER, title TEXT, mark BLOB
    );
    CREATE TABLE states (at INTEGER PRIMARY KEY, state BLOB NOT NULL, mark BLOB NOT NULL);
    CREATE VIEW log AS
        SELECT encounters.id AS encounter, events.at & {(1 << BITS) - 1} AS seq, round, kind, actor, action, target,
               amount, text, note, rules, "by", data
        FROM events JOIN encounters ON encounters.number = events.at >> {BITS} ORDER BY events.at;
    """,
)
"""What makes a new file, step by step; an older file goes through those it lacks.

`events` holds one row per event. The first of a call holds the call as well: how many events it has (`size`), the
call it followed (`parent`), how many came before it (`depth`), its `title`, and a checksum (`mark`). An undo or redo
holds the call that is now the present (`parent`) and the newest that redo leads to (`tip`). `states` holds the state
after some calls, and at number 0 of an encounter what is no part of its fight (`Store.keep_aside`). `log` is for
reading with plain SQL.
"""


class Damage(JournalError):
    """A journal whose bytes are not those that were written; what is before the damage can be recovered."""


@contextmanager
def told(path: Path, doing: str) -> Iterator[None]:
    """Turn what SQLite raises into our own errors, saying which file and what was being done."""
    try:
        yield
    except REFUSALS as error:
        raise ours(path, doing, error) from error


REFUSALS = (sqlite3.Error, UnicodeError)
"""What SQLite raises; what it says of a damaged file may hold bytes of it, and be no text."""


def ours(path: Path, doing: str, error: Exception) -> JournalError:
    """Return what SQLite raised as one of ours."""
    name = getattr(error, "sqlite_errorname", "")
    if isinstance(error, sqlite3.ProgrammingError):
        return JournalError(f"{path.name} is closed: ck.Encounter.open({path.name!r}) goes on with it")
    said = f"{path.name}: cannot {doing}: {error}"
    if name.startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
        return JournalError(f"{said}; another program holds the file: close it there and try again")
    if name.startswith(("SQLITE_PROTOCOL", "SQLITE_NOLFS")) or (name.startswith("SQLITE_IOERR") and "LOCK" in name):
        return JournalError(f"{said}; its folder is on a disk whose locks fail: keep it on a disk of this computer")
    if name.startswith(("SQLITE_READONLY", "SQLITE_PERM", "SQLITE_CANTOPEN")):
        return JournalError(f"{said}; the file and its folder must be yours to write")
    if name.startswith("SQLITE_FULL") or (name.startswith("SQLITE_IOERR") and "SHORT_READ" not in name):
        return JournalError(f"{said}; see that the disk has room and is sound, and try again")
    if isinstance(error, sqlite3.IntegrityError):
        return JournalError(said)
    return Damage(f"{said}; the file is damaged")


def connect(path: Path) -> sqlite3.Connection:
    """Open an existing file, and bring an older one up to date.

    Raises
    ------
    JournalError
        If there is none, if its schema is not exactly ours, or if a newer combatkit made it.
    Damage
        If it cannot be read.
    """
    if not path.is_file():
        what = "a folder" if path.is_dir() else "not there"
        raise JournalError(f"{path} is {what}; ck.Encounter(..., journal={path.name!r}) begins a journal")
    check_files(path)
    with told(path, "open it"):
        connection = sqlite3.connect(path, timeout=WAIT, isolation_level=None, check_same_thread=False)
    try:
        with told(path, "open it"), limited(connection, _OPENING):
            secure(connection)
            found = _check_schema(path, connection)
            connection.execute("PRAGMA synchronous=NORMAL")
            _bring_up(path, connection, found)
    except Damage:
        connection.close()
        _check_kind(path)
        raise
    except BaseException:
        connection.close()
        raise
    return connection


def _check_kind(path: Path) -> None:
    """Check that what SQLite cannot read has been a journal at all."""
    with path.open("rb") as file:
        head = file.read(72)
    if head.startswith(b'{"combatkit"'):
        raise JournalError(f"{path.name} is a saved copy, not a journal: read it with ck.load({path.name!r})")
    if not head.startswith(b"SQLite format 3\0") and head[68:72] != APPLICATION.to_bytes(4, "big"):
        raise JournalError(f"{path.name} is not a combatkit journal: it does not begin like one; name another file")


def make(path: Path) -> sqlite3.Connection:
    """Make a new file, or open the one that is there; one that was only half made is completed."""
    check_files(path)
    if path.exists():
        return connect(path)
    if not path.parent.is_dir():
        raise JournalError(f"there is no folder {path.parent} to keep {path.name} in: make it, or name another")
    with told(path, "make it"):
        sqlite3.connect(path).close()  # a path that SQLite cannot open is refused before there is a file
    try:
        path.touch()
    except OSError as error:
        raise JournalError(f"{path} cannot be made: {error.strerror}; the folder must be yours to write") from error
    return connect(path)


def _check_schema(path: Path, connection: sqlite3.Connection) -> int:
    """Check that a file is a journal of a known format before reading it, and return the format: 0 if it is empty."""
    application = connection.execute("PRAGMA application_id").fetchone()[0]
    try:
        found = schema(connection)
    except sqlite3.Error as error:
        if getattr(error, "sqlite_errorname", "") in ("SQLITE_INTERRUPT", "SQLITE_TOOBIG"):
            raise JournalError(
                f"{path.name} is not a journal that combatkit made: what says which tables it has is far too long. "
                "It was not read; name another file"
            ) from None
        raise
    if not found and application != APPLICATION:
        return 0
    form = max(0, connection.execute("PRAGMA user_version").fetchone()[0])
    forms = {schema_made_by(MIGRATIONS[:number]): number for number in range(1, len(MIGRATIONS) + 1)}
    if application != APPLICATION:
        if any(are_alike(found, right) for right in forms):
            raise Damage(f"{path.name}: what marks it as a journal is not what was written: it is damaged")
        raise JournalError(f"{path.name} is an SQLite file, but not a combatkit journal; name another file")
    form, maker = _form(connection, form, found)
    if form > len(MIGRATIONS):
        raise JournalError(
            f"{path.name} is of format {form}, and combatkit {version()} reads up to {len(MIGRATIONS)}: "
            f"install {maker} (pip install --upgrade combatkit)"
        )
    if not form:
        raise Damage(f"{path.name}: what says which format it has is not what was written: it is damaged")
    if forms.get(found) != form:
        if any(are_alike(found, right) for right in forms):
            raise Damage(f"{path.name}: what says which tables it has is not what was written: it is damaged")
        why = differs(found, schema_made_by(MIGRATIONS[:form]))
        raise JournalError(
            f"{path.name} is not a journal that combatkit made: {why}. It was not read; name another file"
        )
    if connection.execute("PRAGMA page_size").fetchone()[0] != PAGE:
        raise Damage(f"{path.name}: its pages are not of {PAGE} bytes: it is damaged")
    return form


def _bring_up(path: Path, connection: sqlite3.Connection, form: int) -> None:
    if not form:
        connection.execute("PRAGMA journal_mode=WAL")
    if form < len(MIGRATIONS):
        try:
            connection.execute("BEGIN IMMEDIATE")
            for number in range(_check_schema(path, connection), len(MIGRATIONS)):
                for statement in filter(str.strip, MIGRATIONS[number].split(";")):
                    connection.execute(statement)
            connection.execute("DELETE FROM made")
            connection.execute("INSERT INTO made VALUES (?, ?)", (version(), len(MIGRATIONS)))
            connection.execute(f"PRAGMA user_version={len(MIGRATIONS)}")
            connection.execute(f"PRAGMA application_id={APPLICATION}")
            connection.execute("COMMIT")
        except BaseException:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            raise


def _form(connection: sqlite3.Connection, form: int, found: Sequence[Object]) -> tuple[int, str]:
    """Return a file's format, 0 if nothing says which it has, and what made it.

    It is marked in two places: if one is damaged the other holds, and if either is newer than known the file is.
    """
    by = made = None
    if schema_made_by(MIGRATIONS[:1])[0] in found:
        with suppress(*REFUSALS):
            by, made = connection.execute("SELECT version, form FROM made").fetchone() or (None, None)
    if type(made) is int and made >= form and isinstance(by, str):
        return made, f"combatkit {by[:40]} or newer"
    return form, "a newer combatkit"


def version() -> str:
    """Return the version of this combatkit."""
    from combatkit import __version__

    return __version__
