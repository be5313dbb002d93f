"""What a journal costs: a call beside one without, reopening, reading, the way back; as the log grows."""

from __future__ import annotations

import gc
import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import closing
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any, NamedTuple

import msgspec

from benchmarks import pairs
from benchmarks.pairs import paired, summary, verdict

if TYPE_CHECKING:
    import combatkit as ck

CALLS = 900
LENGTHS = (100, 1_000, 100_000)
LOOKS = 60
EVENTS = 6
REOPENINGS = 9
SMALLEST = {"CALLS": 9, "LENGTHS": (100, 200, 300), "LOOKS": 5, "REOPENINGS": 1}


def begun(**more: Any) -> ck.Encounter:
    """Begin a fight of eight."""
    import combatkit as ck

    enc = ck.Encounter("saga", seed=7, **more)
    for i in range(8):
        enc.add(f"F{i}", side="ab"[i % 2], dex=i % 4, level=i + 1, hp=100_000, attack_bonus=i, defense=15)
    enc.start()
    return enc


def turns(enc: ck.Encounter) -> Iterator[Callable[[], Any]]:
    """Yield call after call: each turn a move, an attack with its dice, an end of turn."""
    names = enc.names
    other = dict(zip(names, [*names[1:], names[0]], strict=True))
    while True:
        who = enc.active
        assert who is not None
        yield partial(enc.do, who, "move")
        yield partial(enc.do, who, "attack", target=other[who], damage="1d6")
        yield enc.end_turn


def played(length: int, **more: Any) -> ck.Encounter:
    """Play until the log has so many events."""
    enc = begun(**more)
    calls = turns(enc)
    while len(enc._events) < length:
        next(calls)()
    return enc


def took(work: Callable[[], Any]) -> float:
    """Return the seconds that something takes."""
    began = time.perf_counter()
    work()
    return time.perf_counter() - began


class Bare:
    """SQLite and nothing else: what a journal writes of a call, committed as the same rows, or as one blob."""

    def __init__(self, folder: Path, journal: Path) -> None:
        self._db = _connected(folder / "bare.db")
        self._db.execute("PRAGMA journal_mode=WAL")
        self._journal = _connected(journal)
        made = "SELECT sql FROM sqlite_schema WHERE name = 'events'"
        self._db.execute(self._journal.execute(made).fetchone()[0])
        self._db.execute("CREATE TABLE blobs (number INTEGER PRIMARY KEY, bytes BLOB)")
        self._last = self._journal.execute("SELECT max(at) FROM events").fetchone()[0]

    def new(self) -> list[tuple[Any, ...]]:
        """Return the rows that the journal has got since the last time."""
        rows = self._journal.execute("SELECT * FROM events WHERE at > ? ORDER BY at", (self._last,)).fetchall()
        self._last = rows[-1][0]
        return rows

    def commit_rows(self, rows: list[tuple[Any, ...]]) -> None:
        """Commit them as rows."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.executemany(f"INSERT INTO events VALUES (?{', ?' * 17})", rows)
        self._db.execute("COMMIT")

    def commit_blob(self, written: bytes) -> None:
        """Commit their bytes as one blob."""
        self._db.execute("BEGIN IMMEDIATE")
        self._db.execute("INSERT INTO blobs (bytes) VALUES (?)", (written,))
        self._db.execute("COMMIT")

    def close(self) -> None:
        """Close both files."""
        self._db.close()
        self._journal.close()


def _connected(path: Path) -> sqlite3.Connection:
    db = sqlite3.connect(path, isolation_level=None)
    db.execute("PRAGMA synchronous=NORMAL")
    return db


class Sums(NamedTuple):
    """The seconds of the same calls: in SQLite alone, as rows and as blobs; without a journal, with one, in batches."""

    rows: float
    blobs: float
    plain: float
    journalled: float
    batched: float


def calls() -> Sums:
    """Make the same calls in each way in turn."""
    sums = [0.0] * 5
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        fights = (begun(), begun(journal=folder / "each"), begun(journal=folder / "batch", batch=True))
        ways = [turns(enc) for enc in fights]
        with closing(Bare(folder, folder / "each")) as bare:
            gc.collect()
            for _ in range(CALLS):
                for index, way in enumerate(ways, 2):
                    sums[index] += took(next(way))
                rows = bare.new()
                written = msgspec.msgpack.encode(rows)
                sums[0] += took(partial(bare.commit_rows, rows))
                sums[1] += took(partial(bare.commit_blob, written))
        for enc in fights:
            enc.close()
    return Sums(*sums)


def reopened(path: Path) -> float:
    """Return the seconds from opening a file to the next call accepted: the median of some, as a disk is waited for."""
    import combatkit as ck

    times = []
    for _ in range(REOPENINGS):
        gc.collect()
        began = time.perf_counter()
        enc = ck.Encounter.open(path)
        enc.condition("F0", "tired")
        times.append(time.perf_counter() - began)
        enc.close()
    return median(times)


def read(path: Path) -> float:
    """Return the seconds that reading every event takes, each held against its checksum."""
    import combatkit as ck

    with ck.Encounter.open(path) as enc:
        gc.collect()
        return took(lambda: list(enc._events))


def fetched(path: Path) -> float:
    """Return the seconds of a bare `fetchall` of the same rows."""
    with closing(sqlite3.connect(path)) as db:
        gc.collect()
        return took(lambda: db.execute("SELECT * FROM events ORDER BY at").fetchall())


def back_and_forth(enc: ck.Encounter) -> float:
    """Return the seconds of undoing and redoing."""
    gc.collect()

    def work() -> None:
        for _ in range(LOOKS):
            enc.undo()
            enc.redo()

    return took(work)


def visits(enc: ck.Encounter, rng: Random, work: Callable[[ck.Encounter, int], Any]) -> float:
    """Return the seconds of some work at moments anywhere in the past."""
    seqs = [rng.randrange(30, len(enc._events)) for _ in range(LOOKS)]
    gc.collect()
    return took(lambda: [work(enc, seq) for seq in seqs])


def drag(enc: ck.Encounter, rng: Random, work: Callable[[ck.Encounter, int], Any]) -> float:
    """Return the seconds of some work at moments one after the other, as a scrubber is drawn along."""
    start = rng.randrange(30, len(enc._events) - LOOKS)
    gc.collect()
    return took(lambda: [work(enc, seq) for seq in range(start, start + LOOKS)])


def at(enc: ck.Encounter, seq: int) -> None:
    """Go to a past moment, and look at nothing there."""
    enc.at(seq)


def ask(enc: ck.Encounter, seq: int) -> None:
    """Ask one thing of a past moment."""
    assert enc.at(seq).clock.round


def read_some(enc: ck.Encounter, seq: int) -> None:
    """Read the events before a past moment, and compute nothing."""
    for event in enc._events[seq - EVENTS : seq]:
        assert event.kind
        assert event.data is not None


def look(enc: ck.Encounter, seq: int) -> None:
    """Look at a past moment: at what a tracker shows of it."""
    view = enc.at(seq)
    assert view.order
    assert view.clock.label
    view.budget("F0")
    view.options("F0")


def first_looks(path: Path, rng: Random) -> float:
    """Return the seconds of a first look at the past of a reopened fight: the median of some."""
    import combatkit as ck

    times = []
    for _ in range(REOPENINGS):
        with ck.Encounter.open(path) as enc:
            gc.collect()
            times.append(took(lambda enc=enc: look(enc, rng.randrange(30, len(enc._events)))))  # type: ignore[misc]
    return median(times)


def first_undo(path: Path) -> float:
    """Return the seconds of undoing and redoing the call before a reopening: the median of some."""
    import combatkit as ck

    times = []
    for _ in range(REOPENINGS):
        with ck.Encounter.open(path) as enc:
            enc.condition("F0", "tired")
            enc.undo()
            gc.collect()
            times.append(took(lambda enc=enc: (enc.undo(), enc.redo())))  # type: ignore[misc]
    return median(times)


def run() -> list[str]:
    """Measure and give the lines to print."""
    least, less, most = (f"{length:,} events" for length in LENGTHS)
    figures = [calls() for _ in range(pairs.PAIRS)]
    added = summary([(each.journalled - each.plain) / each.rows for each in figures])
    blob = summary([(each.journalled - each.plain) / each.blobs for each in figures])
    batched = summary([each.batched / each.plain for each in figures])
    lines = [
        verdict("(j) what a journal adds to a call, over a bare commit of the same rows", added, at_most=1.5),
        f"(j) the same over a bare commit of their bytes as one blob, which nobody can query: {blob}",
        verdict("(j) a call in batches over one without a journal", batched, at_most=2),
    ]
    with tempfile.TemporaryDirectory() as name:
        short, middle, long = (Path(name, f"{length}.combat") for length in LENGTHS)
        for path, length in zip((short, middle, long), LENGTHS, strict=True):
            played(length, journal=path, batch=True).close()
        ratio = paired(lambda: reopened(long), lambda: reopened(middle))
        lines.append(verdict(f"(j) reopening until a call is accepted, {most} over {less}", ratio, at_most=1.5))
        ratio = paired(lambda: read(long), lambda: fetched(long))
        lines.append(verdict(f"(j) reading {most} over a bare fetchall of the rows", ratio, at_most=3))
        rng = Random(7)
        # Looks come before undos: an undo in the log is a past moment whose state is at hand.
        many, few = played(LENGTHS[2]), played(LENGTHS[0])
        ratio = paired(lambda: visits(many, rng, ask), lambda: visits(few, rng, ask))
        lines.append(f"(j) `at(n).clock`, a state folded and hardly looked at, anywhere in the past: {ratio}")
        ratio = paired(lambda: visits(many, rng, read_some), lambda: visits(few, rng, read_some))
        lines.append(f"(j) only reading the events of such a moment, wherever memory holds them: {ratio}")
        for what, one, other in (
            ("`at`, one moment after the other", lambda: drag(many, rng, at), lambda: drag(few, rng, at)),
            ("`at`, anywhere in the past", lambda: visits(many, rng, at), lambda: visits(few, rng, at)),
            ("what a tracker shows, one after the other", lambda: drag(many, rng, look), lambda: drag(few, rng, look)),
            ("what a tracker shows, anywhere", lambda: visits(many, rng, look), lambda: visits(few, rng, look)),
            (
                "a first look at the past of a reopened fight",
                lambda: first_looks(long, rng),
                lambda: first_looks(short, rng),
            ),
            ("undo and redo", lambda: back_and_forth(many), lambda: back_and_forth(few)),
            ("undo and redo past a reopening", lambda: first_undo(long), lambda: first_undo(short)),
        ):
            lines.append(verdict(f"(j) {what}, {most} over {least}", paired(one, other), at_most=1.5))
    return lines
