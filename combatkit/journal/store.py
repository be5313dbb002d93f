"""One encounter's place in a journal file: what is written as the fight goes on, and what is read of it."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Sequence
from pathlib import Path
from weakref import finalize

from combatkit.core.model import Event, State
from combatkit.core.past import Call, Moment
from combatkit.core.timeline import Standing
from combatkit.errors import JournalError
from combatkit.journal.claim import Claim
from combatkit.journal.desk import PLAYED, Birth, Desk, Entry, itself
from combatkit.journal.form import Damage, told
from combatkit.journal.pages import Home, Kept, Reader, Step
from combatkit.journal.rows import ROOT, Heading, heading_of, mark_state, write_state
from combatkit.rules.ruleset import Ruleset

_ENDS = frozenset(("turn_end", "step_end", "round_end", "over"))
"""The kinds of event whose call commits a batch."""

SNAPSHOT = 32
"""Every so many calls the state is written as well, so that reopening a long log reads at most that many calls."""

SHORT = 1_000
"""No state is kept of the first so many events, nor trusted: opening verifies them, and folds them quickly."""


_SHOW = "UPDATE encounters SET taken = (SELECT 1 + max(taken) FROM encounters) WHERE number = ?"
_TAKE = """
    UPDATE encounters SET host = ?, process = ?, since = ?, taken = (SELECT 1 + max(taken) FROM encounters)
    WHERE number = ?
"""


def is_kept(first: int, depth: int) -> bool:
    """Check whether the state after a call is written."""
    return first > SHORT and not depth % SNAPSHOT


class Store:
    """Where an encounter's timeline is kept: the engine's `Journal`, in SQLite.

    Parameters
    ----------
    home : Home
        Where it is kept; the connection is this store's own from now on.
    rules : Ruleset, optional
        What it is played by; None where that is not known here, and only its log is looked at.
    batch : bool
        Whether calls are written in one transaction at the end of each turn.
    birth : Birth, optional
        What is written of a new encounter with its first call.
    """

    def __init__(self, home: Home, rules: Ruleset | None, *, batch: bool = False, birth: Birth | None = None) -> None:
        self.path, db, self.number, self.id = home
        self.batch = batch
        self.reader = Reader(home, rules)
        self._desk = Desk(self.path, db, self.number, birth, self.reader.lock)
        self._border = 0
        self._length = 0
        self._version = -1
        self._settled = False
        self.follows = True
        finalize(self, self._desk.put_away)

    # ── reading ──

    def standing(self, *, own: bool = False) -> Standing:
        """Return where the timeline stands by the file, and whether this process made what is new."""
        version = self._data_version()
        self.reader.forget(max(self._border, 1))
        last = self.reader.last()
        if last is None:
            self._check_begun()
            self._border, self._length, self._desk.mark = 0, 0, ROOT
            self._version = version
            return Standing((), 0, 0)
        step, self._desk.mark = last
        self._border = self._length = step.last
        self._version = version
        return Standing(Kept(self.reader, step.last), step.present, step.newest, own)

    def news(self, length: int) -> Standing | None:
        """Return where the timeline stands if the file holds more than it does."""
        desk = self._desk
        if not desk.open or os.getpid() != desk.process:
            return None
        if desk.claim is not None:
            standing = None if self._settled and self._length <= length else self._settle(length)
            if standing is None:
                self.follows = False
            return standing
        version = self._data_version()
        if self._length == length and (version == self._version or self.reader.ends() == length):
            self._version = version
            return None
        return self.standing()

    def _settle(self, length: int) -> Standing | None:
        """Look at what the file holds of a call that was interrupted, or refused, after so many events."""
        desk = self._desk
        with told(self.path, "look at it"):
            ends = desk.settle()
        desk.waiting = [entry for entry in desk.waiting if entry[1][-1].seq <= length]
        self._length = ends
        standing = self.standing(own=True) if ends > length else None
        self._settled = True
        return standing

    def _data_version(self) -> int:
        with self.reader.lock, told(self.path, "look at it"):
            return int(self._desk.db.execute("PRAGMA data_version").fetchone()[0])

    def call(self, first: int) -> Call:
        """Return the call that made event `first` as its first."""
        return self.reader.step(first).call

    def present_at(self, seq: int) -> int:
        """Return the call that was the present when event `seq` had been logged, by its first event, or 0."""
        return self.reader.step(seq).present

    def state(self, call: Call) -> State | None:
        """Return the state after a call, if it was kept."""
        return self.reader.state(call) if is_kept(call.first, call.depth) else None

    def doubt(self) -> bool:
        """Trust no kept state from now on; say whether any was trusted before."""
        return self.reader.doubt()

    def aside(self) -> bytes:
        """Return what is kept beside the fight; see `keep_aside`."""
        return self.reader.aside()

    def steps(self) -> Iterator[tuple[Step, Sequence[Event]]]:
        """Yield every step with its events."""
        self.flush()
        start, end = 1, self.reader.ends()
        while start <= end:
            run = self.reader.read(start, min(start + 2_047, end))
            for step in run.steps:
                if step.first >= start:
                    offset = step.first - run.events[0].seq
                    yield step, run.events[offset : offset + step.last - step.first + 1]
            start = run.steps[-1].last + 1

    def check(self, now: Moment) -> None:
        """Check every event against its checksum, and every kept state against its events."""
        if not self.reader.ends():
            self._check_begun()
        for step, _ in self.steps():
            if step.depth is not None and is_kept(step.first, step.depth):
                kept = self.reader.state(step.call)
                if kept is not None and write_state(kept) != write_state(now.after(step.call, step.last)):
                    raise Damage(
                        f"{self.path.name}: the state kept with event {step.first} of {self.id!r} is not what its "
                        "events come to: the file is damaged"
                    )

    def _check_begun(self) -> None:
        """Check that an encounter without events is one that has still to be written: the first are written with it."""
        if self._desk.birth is None:
            raise Damage(
                f"{self.path.name}: {self.id!r} is listed, and none of its events is there: the file is damaged. "
                f"ck.Encounter.open({self.path.name!r}, {self.id!r}) recovers what is before the damage"
            )

    def branch_ids(self) -> list[str]:
        """Return the ids of the encounters that were branched from this one."""
        with self.reader.lock:
            rows = self._desk.db.execute("SELECT id FROM encounters WHERE parent = ? ORDER BY number", (self.id,))
            return [row[0] for row in rows]

    # ── writing ──

    def write(self, call: Call, events: Sequence[Event]) -> None:
        """Keep an accepted call, or raise `JournalError` and keep nothing."""
        self._write(heading_of(call), events, call.state if is_kept(call.first, call.depth) else None)

    def write_move(self, event: Event, present: int, tip: int) -> None:
        """Keep an undo or redo, or raise `JournalError` and keep nothing."""
        self._write((1, present, None, tip, None), (event,), None)

    def _write(self, heading: Heading, events: Sequence[Event], state: State | None) -> None:
        desk = self._desk
        desk.check()
        if desk.claim is None:
            self._take()
        self._doubt()
        if PLAYED.get(self.path) != desk.number:
            self._take_up()
        entry = (heading, events, state)
        if self.batch and desk.birth is None and not any(event.kind in _ENDS for event in events):
            desk.waiting = [*desk.waiting, entry]
            return
        desk.commit([*desk.waiting, entry])
        self._length = events[-1].seq
        if desk.waiting:
            desk.waiting = []

    def write_all(self, entries: list[Entry]) -> None:
        """Keep all of a fight that was kept nowhere, or raise `JournalError` and keep nothing."""
        self._take()
        self._doubt()
        self._desk.commit(entries)
        self._length = entries[-1][1][-1].seq
        self.follows = False

    def keep_aside(self, written: bytes) -> None:
        """Keep something that is no part of the fight, in the place of what was kept so; or raise `JournalError`.

        It is the state before the first event, which no fight has: what reads journals of this form passes it over.
        """
        desk = self._desk
        desk.check()
        if desk.claim is None:
            self._take()
        with told(self.path, "write to it"), desk.lock:
            row = (desk.base, written, mark_state(ROOT, written))
            desk.db.execute("INSERT OR REPLACE INTO states VALUES (?, ?, ?)", row)

    def _doubt(self) -> None:
        """Let the next look read what the file holds, unless all goes well: anything may interrupt a write."""
        self._settled = False
        self.follows = True

    def flush(self) -> None:
        """Write what waits for the end of the turn."""
        desk = self._desk
        if desk.waiting and os.getpid() == desk.process:
            desk.check()
            self._doubt()
            desk.commit(desk.waiting)
            self._length = desk.waiting[-1][1][-1].seq
            desk.waiting = []
            self.follows = False

    @property
    def is_open(self) -> bool:
        """Whether it has not been closed."""
        return self._desk.open

    def close(self) -> None:
        """Write what waits, let others write, close the file."""
        self._doubt()
        self._desk.put_away()

    def _take(self) -> None:
        """Claim the encounter for this process."""
        desk = self._desk
        claim = Claim(claim_path(self.path, desk.number))
        desk.taking(claim)
        try:
            self._claim(claim)
        except BaseException:
            desk.leave()
            raise
        desk.taken(claim)
        PLAYED.pop(self.path, None)

    def _take_up(self) -> None:
        """Note that this one is played now; one that has still to be written is noted with its first call."""
        desk = self._desk
        if desk.birth is None:
            with told(self.path, "write to it"), desk.lock:
                desk.db.execute(_TAKE, (*itself(), desk.number))
        PLAYED[self.path] = desk.number

    def turn_to(self) -> None:
        """Note that this one is looked at now, whoever writes it: its file, opened without an id, gives it."""
        desk = self._desk
        if desk.birth is None and PLAYED.get(self.path) != desk.number:
            with told(self.path, "write to it"), desk.lock:
                desk.db.execute(_SHOW, (desk.number,))
            PLAYED.pop(self.path, None)

    def _claim(self, claim: Claim) -> None:
        desk = self._desk
        with told(self.path, "claim it"):
            if not claim.take():
                raise JournalError(
                    f"{self.path.name}: {self.id!r} is being written by {signed(desk.db, desk.number)}. Nothing is "
                    "lost: what is done there is shown here. To go on here, close it there (enc.close(), or end that "
                    "kernel), and make the call again"
                )
        if desk.birth is None and self._data_version() != self._version and self.reader.ends() != self._length:
            raise JournalError(
                f"{self.path.name}: another process has just gone on with {self.id!r}. What it did is shown "
                "now: look, and make this call again"
            )


def signed(db: sqlite3.Connection, number: int) -> str:
    """Say who wrote an encounter last, or writes it now."""
    row = db.execute("SELECT process, host, since FROM encounters WHERE number = ?", (number,)).fetchone()
    return f"process {row[0]} on {row[1]} since {row[2]} (UTC)" if row else "another process"


def claim_path(path: Path, number: int) -> Path:
    """Return the file that stands for the claim to write an encounter."""
    return path.with_name(f"{path.name}-writer-{number}")
