"""The claim to write an encounter: one process at a time, and a killed process no longer holds it."""

from __future__ import annotations

import os
import sqlite3
import stat
from contextlib import suppress
from pathlib import Path

from combatkit.errors import JournalError
from combatkit.journal.guard import kind_of

_PATIENCE = 0.25
"""Seconds to try for: somebody who only asks whether the claim is held holds it for a moment."""


class Claim:
    """A lock that the operating system drops with the process, however that ends.

    It is SQLite's own lock, on an empty file beside the journal: portable, tried on every system, and, unlike locks on
    open files, not handed on to processes that this one forks. The file is removed when the claim is given up.

    Parameters
    ----------
    path : Path
        The empty file.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._opened: list[sqlite3.Connection] = []
        """Every connection that may hold the lock, noted before it does."""
        self._holds = False

    def take(self) -> bool:
        """Claim it; False if another process has."""
        while True:
            held = _lock(self._path, _PATIENCE, self._opened)
            if held is None:
                return False
            # Whoever gave it up a moment ago may have removed the file under us: then the name leads to another one.
            other = _lock(self._path, 0, self._opened)
            if other is None:
                self._holds = True
                return True
            other.close()
            held.close()

    def give_up(self) -> None:
        """Let others claim it; if it is interrupted, it can be called again."""
        if self._holds:
            self._holds = False
            with suppress(OSError):  # where open files cannot be removed, an empty one stays
                self._path.unlink(missing_ok=True)
        while self._opened:
            self._opened[-1].close()
            self._opened.pop()


def is_claimed(path: Path) -> bool:
    """Check whether some process holds the claim."""
    if not os.path.lexists(path):
        return False
    held = _lock(path, 0)
    if held is not None:
        held.close()
    return held is None


def _lock(path: Path, patience: float, opened: list[sqlite3.Connection] | None = None) -> sqlite3.Connection | None:
    with suppress(FileNotFoundError):
        there = path.lstat()
        if not stat.S_ISREG(there.st_mode) or there.st_size:
            what = kind_of(there.st_mode) if not stat.S_ISREG(there.st_mode) else f"a file of {there.st_size} bytes"
            raise JournalError(f"{path.name} is {what}, and should be an empty file: take it away from {path.parent}")
    connection = sqlite3.connect(path, timeout=patience, isolation_level=None, check_same_thread=False)
    if opened is not None:
        opened.append(connection)
    try:
        connection.execute("PRAGMA journal_mode=MEMORY")
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        connection.close()
        if getattr(error, "sqlite_errorname", "").startswith(("SQLITE_BUSY", "SQLITE_LOCKED")):
            return None
        raise
    return connection
