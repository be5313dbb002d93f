"""Reading a journal: verified runs of whole calls, a page at a time."""

from __future__ import annotations

import gc
import sqlite3
import struct
from bisect import bisect_right
from collections import OrderedDict
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from threading import RLock
from typing import NamedTuple, overload

from msgspec import Struct

from combatkit.core.model import Event, State
from combatkit.core.past import Call
from combatkit.core.projection import MOVES
from combatkit.errors import JournalError, clipped
from combatkit.journal.door import check_state
from combatkit.journal.form import BITS, Damage, told
from combatkit.journal.guard import MANY, ROW, limited, rows_of
from combatkit.journal.older import completed, completed_state
from combatkit.journal.rows import ROOT, UNREADABLE, Row, events_of, mark_of_rows, mark_state, read_state
from combatkit.rules.ruleset import Ruleset

_PAGE = 5
"""A page holds the calls that reach into 2**5 events: a first look at some moment reads few more than it needs."""

_HELD = 4_096
"""How many pages are held."""

_RUN = 2_048
"""How many events are read at once where all are wanted."""

_TAIL = 1_000
"""How many of the newest events are verified when a journal is opened; older ones are verified when they are read."""

_CALL = 1 << 17
"""No call makes more events."""

_COLUMNS = (
    'size, parent, depth, tip, title, at - ?, round, kind, actor, action, target, amount, text, note, rules, "by", data'
)
_READ = f"SELECT {_COLUMNS} FROM events WHERE at BETWEEN ? AND ? ORDER BY at LIMIT ?"
HEAD = "SELECT at, size, mark FROM events WHERE at BETWEEN ? AND ? AND size IS NOT NULL ORDER BY at DESC LIMIT 1"
_ASIDE = "SELECT state, mark FROM states WHERE at = ?"
_STATE = "SELECT states.state, states.mark, events.mark FROM states JOIN events USING (at) WHERE at = ?"


class Step(Struct, gc=False):
    """What a journal says of one step besides its events: a call, or a move of the present."""

    first: int
    last: int
    parent: int
    depth: int | None
    tip: int | None
    title: str | None

    @property
    def present(self) -> int:
        """The call that is the present after it, by its first event."""
        return self.parent if self.depth is None else self.first

    @property
    def newest(self) -> int:
        """The call that redo leads to in the end, by its first event."""
        return self.first if self.tip is None else self.tip

    @property
    def call(self) -> Call:
        """The call; only of a step that is one."""
        if self.depth is None:
            raise JournalError(f"event {self.first} is not a call, yet another call claims to follow it")
        return Call(self.first, self.last, self.parent, self.depth, self.title or "")


class Run(Struct, gc=False):
    """Some whole steps in the order of the log, and their events."""

    steps: list[Step]
    events: list[Event]


class Home(NamedTuple):
    """Where an encounter is kept: the file, a connection to it, the encounter's number there, and its id."""

    path: Path
    db: sqlite3.Connection
    number: int
    id: str


class Reader:
    """One encounter's rows.

    Parameters
    ----------
    home : Home
        Where they are.
    rules : Ruleset, optional
        What it is played by, if that is known here.
    """

    def __init__(self, home: Home, rules: Ruleset | None) -> None:
        self._path, self._db, number, self._id = home
        self._rules = rules
        self.base = number << BITS
        self.lock = RLock()
        self._pages: OrderedDict[int, Run] = OrderedDict()
        self._forged = False

    def last(self) -> tuple[Step, bytes] | None:
        """Return the newest step and its checksum, or None; it and the thousand events before it are verified."""
        with self.lock, told(self._path, "read it"), limited(self._db):
            head = self._head((1 << BITS) - 1)
        if head is None:
            return None
        newest = head[0]
        run = self.read(max(1, newest - _TAIL), newest)
        # What opening folds is part of it, and need not be read again.
        whole = range((run.events[0].seq + (1 << _PAGE) - 2) >> _PAGE, ((newest - 1) >> _PAGE) + 1)
        self._pages.update(dict.fromkeys(whole, run))
        return run.steps[-1], head[2]

    def ends(self) -> int:
        """Return the number of the newest event, or 0."""
        with self.lock, told(self._path, "read it"), limited(self._db):
            head = self._head((1 << BITS) - 1)
        return head[0] + head[1] - 1 if head else 0

    def mark(self, seq: int) -> bytes:
        """Return the checksum up to the step that event `seq` belongs to."""
        with self.lock, told(self._path, "read it"), limited(self._db):
            head = self._head(seq)
        return head[2] if head else ROOT

    def _head(self, seq: int) -> tuple[int, int, bytes] | None:
        """Return the step that event `seq` belongs to, or else the last before it: where it begins, size, checksum."""
        row = self._db.execute(HEAD, (self.base, self.base + seq)).fetchone()
        if row is None:
            return None
        first = row[0] - self.base
        if type(row[1]) is not int or not 0 < row[1] <= _CALL or type(row[2]) is not bytes or len(row[2]) != len(ROOT):
            raise self._damage(first, first)
        return first, row[1], row[2]

    def read(self, low: int, high: int) -> Run:
        """Return the steps that reach into the events from `low` to `high`, verified.

        Raises
        ------
        Damage
            If they are not what was written.
        """
        with _uncollected():
            rows = self._rows(low, high)
            try:
                events = events_of(rows)
                return Run(list(_steps(rows)), events if self._rules is None else completed(self._rules, events))
            except (*UNREADABLE, TypeError) as error:
                which = f"events {low} to {high} of {self._id!r}"
                raise JournalError(
                    f"{self._path.name}: {which} were not made by combatkit: {clipped(str(error))}"
                ) from None

    def _rows(self, low: int, high: int) -> list[Row]:
        with self.lock, told(self._path, f"read events {low} to {high} of {self._id!r}"), limited(self._db):
            start = self._head(low)
            last = self._head(high)
            if start is None or last is None:
                raise self._damage(low, high)
            before = self._head(start[0] - 1) or (0, 1, ROOT)
            ends = last[0] + last[1] - 1
            rows = self._fetch(start[0], max(high, ends))
        whole = before[0] + before[1] == start[0] and len(rows) == ends - start[0] + 1
        try:
            if whole and mark_of_rows(before[2], rows) == last[2]:
                return rows
        except (TypeError, ValueError, OverflowError, struct.error):
            pass
        raise self._damage(low, high)

    def _fetch(self, low: int, high: int) -> list[Row]:
        values = (self.base, self.base + low, self.base + high, high - low + 1)
        if high - low < MANY:
            with suppress(sqlite3.DataError):  # a row is long
                return self._db.execute(_READ, values).fetchall()
        return rows_of(self._path, self._db, _READ, values)

    def _damage(self, low: int, high: int) -> Damage:
        return Damage(
            f"{self._path.name}: events {low} to {high} of {self._id!r} are not what was written: the file is damaged. "
            f"ck.Encounter.open({self._path.name!r}, {self._id!r}, check=True) recovers what is before the damage"
        )

    def page(self, seq: int) -> Run:
        """Return the page that event `seq` is on."""
        number = (seq - 1) >> _PAGE
        found = self._pages.get(number)
        if found is None:
            found = self._pages[number] = self.read((number << _PAGE) + 1, (number + 1) << _PAGE)
            with self.lock:
                if len(self._pages) > _HELD:
                    self._pages.popitem(last=False)
        return found

    def forget(self, seq: int) -> None:
        """Read the page that event `seq` is on again when it is next wanted: it was not full."""
        self._pages.pop((seq - 1) >> _PAGE, None)

    def step(self, seq: int) -> Step:
        """Return the step that event `seq` belongs to."""
        steps = self.page(seq).steps
        return steps[bisect_right(steps, seq, key=lambda step: step.first) - 1]

    def state(self, call: Call) -> State | None:
        """Return the state that was kept after a call, if it was, and a fight may come to it: else it is folded.

        Once one was forged, none is trusted.
        """
        if self._forged:
            return None
        with self.lock, told(self._path, "read it"), limited(self._db, length=ROW):
            row = self._db.execute(_STATE, (self.base + call.first,)).fetchone()
        try:
            state = read_state(row[0]) if row is not None and mark_state(row[2], row[0]) == row[1] else None
        except (*UNREADABLE, TypeError, struct.error):
            return None
        if state is None or self._rules is None:
            return state
        try:
            state = completed_state(self._rules, state)
            check_state(self._rules, state)
        except Exception:  # noqa: BLE001 - whatever a state that no fight can reach may cause
            self.doubt()
            return None
        return state

    def aside(self) -> bytes:
        """Return what is kept beside the fight, or nothing if it is not what was written."""
        with self.lock, told(self._path, "read it"), limited(self._db, length=ROW):
            row = self._db.execute(_ASIDE, (self.base,)).fetchone()
        return row[0] if row is not None and type(row[0]) is bytes and mark_state(ROOT, row[0]) == row[1] else b""

    def doubt(self) -> bool:
        """Trust no kept state from now on; say whether any was trusted before."""
        trusted = not self._forged
        self._forged = True
        return trusted


@contextmanager
def _uncollected() -> Iterator[None]:
    """Keep the collector from looking for garbage while much is made, none of which is garbage yet."""
    runs = gc.isenabled()
    try:
        gc.disable()
        yield
    finally:
        if runs:
            gc.enable()


def _steps(rows: list[Row]) -> Iterator[Step]:
    """Yield the steps of verified rows."""
    for row in rows:
        size, parent, depth, tip, title, first = row[:6]
        if size is not None:
            if depth is None:
                follows = size == 1 and row[7] in MOVES and 0 < parent < first and 0 < tip < first
            else:
                follows = tip is None and 0 <= parent < first and depth >= 0 and (parent == 0) == (depth == 0)
            if not follows:
                raise ValueError(f"event {first} does not follow from those before it")
            yield Step(first, first + size - 1, parent, depth, tip, title)


def verified(rows: list[Row], before: bytes, mark: bytes) -> Run | None:
    """Return the rows of a step as one, checked against its checksum and the one before; None if it isn't sound."""
    try:
        if mark_of_rows(before, rows) == mark:
            return Run(list(_steps(rows)), events_of(rows))
    except (*UNREADABLE, TypeError, OverflowError, struct.error):
        pass
    return None


class Kept(Sequence[Event]):
    """The events of one encounter that its journal held when this was made; read when they are looked at."""

    def __init__(self, reader: Reader, count: int) -> None:
        self._reader = reader
        self._count = count

    def __len__(self) -> int:
        """Count the events."""
        return self._count

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        """Return an event, or a list of some."""
        if isinstance(index, int):
            seq = range(1, self._count + 1)[index]
            page = self._reader.page(seq)
            return page.events[seq - page.events[0].seq]
        start, stop, step = index.indices(self._count)
        if step != 1:
            return [self[place] for place in range(start, stop, step)]
        return [event for part in self._parts(start, stop) for event in part]

    def __iter__(self) -> Iterator[Event]:
        """Go through the events in order."""
        for part in self._parts(0, self._count):
            yield from part

    def _parts(self, start: int, stop: int) -> Iterator[list[Event]]:
        """Yield the events of these indices in lists, by pages where they are few."""
        few = stop - start <= 8 << _PAGE
        while start < stop:
            run = self._reader.page(start + 1) if few else self._reader.read(start + 1, min(start + _RUN, stop))
            skipped = start + 1 - run.events[0].seq
            part = run.events[skipped : skipped + stop - start]
            yield part
            start += len(part)
