"""One connection to a journal, and everything that is written by it."""

from __future__ import annotations

import os
import socket
import sqlite3
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from threading import RLock

from combatkit.core.model import Event, State
from combatkit.errors import JournalError
from combatkit.journal.claim import Claim
from combatkit.journal.form import BITS, REFUSALS, ours, told
from combatkit.journal.guard import ROW
from combatkit.journal.pages import HEAD
from combatkit.journal.rows import ROOT, WIDTH, Heading, mark_of, mark_state, values, write_state

MOST = 24
"""How many events go in one statement, which is a transaction of its own; more go in a transaction of several."""


COLUMNS = (
    "mark, size, parent, depth, tip, title, "
    'at, round, kind, actor, action, target, amount, text, note, rules, "by", data'
)


Birth = tuple[str, str, str, str | None, int | None]
"""A new encounter's row: id, system, title, the encounter it was branched from, and at which event."""


PLAYED: dict[Path, int] = {}
"""The encounter of each file that was taken up last here: reopened without an id, a file gives that one."""

Entry = tuple[Heading, Sequence[Event], State | None]


def bear(db: sqlite3.Connection, number: int, birth: Birth) -> None:
    """Write down a new encounter."""
    columns = "number, id, system, title, parent, parent_seq, mark, taken"
    taken = "(SELECT 1 + coalesce(max(taken), 0) FROM encounters)"
    db.execute(
        f"INSERT INTO encounters ({columns}, host, process, since) VALUES (?, ?, ?, ?, ?, ?, ?, {taken}, ?, ?, ?)",
        (number, *birth, mark_of(ROOT, [*birth]), *itself()),
    )


class Desk:
    """What must be tidied up when a store is closed: rows not yet written, the claim, the connection.

    Its lock is held for each use of the connection, and for nothing else: whoever looks at the past, in whatever
    thread, reads what it needs between two writes.
    """

    def __init__(
        self, path: Path, db: sqlite3.Connection, number: int, birth: Birth | None, lock: RLock | None = None
    ) -> None:
        self.path = path
        self._name = str(path)
        self.db = db
        self.number = number
        self.birth = birth
        self.base = number << BITS
        self.process = os.getpid()
        self.inode = path.stat().st_ino
        self.mark = ROOT
        self.lock = RLock() if lock is None else lock
        self.waiting: list[Entry] = []
        self.claim: Claim | None = None
        self._leaving: Claim | None = None
        self.open = True
        self._statements: dict[int, str] = {}

    def check(self) -> None:
        """Refuse to write where it would be lost."""
        if os.getpid() != self.process:
            raise JournalError(f"{self.path.name} was opened in another process: open it in this one to go on with it")
        if not self.open:
            raise JournalError(f"{self.path.name} is closed: ck.Encounter.open({self.path.name!r}) goes on with it")
        try:
            there = os.stat(self._name).st_ino == self.inode  # noqa: PTH116 - half of what Path.stat takes, in every call
        except OSError:
            there = False
        if not there:
            raise JournalError(f"{self.path} is no longer there, or is another file: nothing is written. Put it back")

    def commit(self, entries: list[Entry]) -> None:
        """Write entries in one transaction, all or none."""
        try:
            heading, events, state = entries[0]
            if len(entries) == 1 and state is None and len(events) <= MOST and self.birth is None:
                flat = values(heading, events)
                mark = mark_of(self.mark, flat)
                statement = self._statement(len(events))
                with self.lock:
                    self.db.execute(statement, [mark, *flat])
                self.mark = mark
            else:
                self._commit_all(entries)
        except REFUSALS as error:
            raise ours(self.path, "write to it", error) from error

    def _commit_all(self, entries: list[Entry]) -> None:
        with self.lock:
            try:
                self.db.execute("BEGIN IMMEDIATE")
                if self.birth is not None:
                    bear(self.db, self.number, self.birth)
                mark = self.insert(entries)
                self.db.execute("COMMIT")
            except BaseException:
                if self.db.in_transaction:
                    self.db.execute("ROLLBACK")
                raise
        self.mark = mark
        self.birth = None

    def insert(self, entries: list[Entry]) -> bytes:
        """Insert entries in the transaction under way, and give the last one's checksum."""
        mark = self.mark
        for heading, events, state in entries:
            flat = values(heading, events)
            mark = mark_of(mark, flat)
            for start in range(0, len(events), MOST):
                count = min(len(events) - start, MOST)
                part = flat[WIDTH * start : WIDTH * (start + count)]
                self.db.execute(self._statement(count), [None if start else mark, *part])
            written = write_state(state) if state is not None else b""
            if 0 < len(written) <= ROW:
                row = (self.base + events[0].seq, written, mark_state(mark, written))
                self.db.execute("INSERT OR REPLACE INTO states VALUES (?, ?, ?)", row)
        return mark

    def _statement(self, count: int) -> str:
        found = self._statements.get(count)
        if found is None:
            row = f"?, ?, ?, ?, ?, {self.base} + ?{', ?' * 11}"
            rows = [f"(?, {row})"] + [f"(NULL, {row})"] * (count - 1)
            found = self._statements[count] = f"INSERT INTO events ({COLUMNS}) VALUES {', '.join(rows)}"
        return found

    def settle(self) -> int:
        """Look at what the file holds if a write was interrupted or refused; give the number of its newest event."""
        with self.lock:
            if self.db.in_transaction:
                self.db.execute("ROLLBACK")
            row = self.db.execute(HEAD, (self.base, self.base + (1 << BITS) - 1)).fetchone()
        if row is None:
            self.mark = ROOT
            return 0
        ends = int(row[0] - self.base + row[1] - 1)
        self.mark = row[2]
        self.birth = None
        self.waiting = [entry for entry in self.waiting if ends < entry[1][0].seq]
        return ends

    def put_away(self) -> None:
        """Write what waits, let others write, close the file; if it is interrupted, it can be called again."""
        if not self.open or os.getpid() != self.process:
            return
        refused: JournalError | None = None
        try:
            with told(self.path, "write to it"):
                if self.waiting:
                    self.settle()
            if self.waiting:
                self.commit(self.waiting)
        except JournalError as error:
            refused = error
        self.waiting = []
        self.leave()
        self.open = False
        with self.lock:
            self.db.close()
        if refused is not None:
            raise refused

    def taking(self, claim: Claim) -> None:
        """Note a claim that is about to be taken."""
        self.leave()
        self._leaving = claim

    def taken(self, claim: Claim) -> None:
        """Hold a claim that has been taken."""
        self.claim = claim
        self._leaving = None

    def leave(self) -> None:
        """Give up a claim, also one whose taking or leaving was interrupted."""
        if self.claim is not None:
            self._leaving = self.claim
            self.claim = None
        if self._leaving is not None:
            self._leaving.give_up()
            self._leaving = None


def itself() -> tuple[str, int, str]:
    """Return who this is: the host, the process, and since when (UTC)."""
    return (socket.gethostname(), os.getpid(), datetime.now(UTC).strftime("%Y-%m-%d %H:%M"))
