"""What a journal costs: a call beside one without, reopening, reading, the way back; as the log grows."""

from __future__ import annotations

import gc
import os
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from random import Random
from statistics import median
from typing import TYPE_CHECKING, Any
from unittest import mock

from benchmarks import pairs
from benchmarks.pairs import paired, summary, verdict

if TYPE_CHECKING:
    import combatkit as ck

CALLS = 900
LENGTHS = (100, 5_000, 100_000)
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
    """Return the processor's seconds that something takes."""
    began = time.process_time()
    work()
    return time.process_time() - began


def calls() -> tuple[float, float]:
    """Make the same calls without a journal and with one, in turn; the disk is not waited for."""
    sums = [0.0, 0.0]
    with tempfile.TemporaryDirectory() as name, mock.patch.object(os, "fsync", int):
        fights = (begun(), begun(journal=Path(name, "each")))
        ways = [turns(enc) for enc in fights]
        gc.collect()
        for _ in range(CALLS):
            for index, way in enumerate(ways):
                sums[index] += took(next(way))
        fights[1].close()
    return sums[0], sums[1]


def opened(path: Path) -> float:
    """Return the processor's seconds that opening a file takes, each line held against its mark: the median of some."""
    import combatkit as ck

    times = []
    for _ in range(REOPENINGS):
        gc.collect()
        began = time.process_time()
        enc = ck.Encounter.open(path)
        times.append(time.process_time() - began)
        enc.close()
    return median(times)


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


def run() -> list[str]:
    """Measure and give the lines to print."""
    least, _, most = (f"{length:,} events" for length in LENGTHS)
    added = summary([journalled / plain for plain, journalled in (calls() for _ in range(pairs.PAIRS))])
    lines = [verdict("(j) a call with a journal over one without", added, at_most=1.3)]
    with tempfile.TemporaryDirectory() as name:
        for length in LENGTHS:
            path = Path(name, f"{length}.combat")
            enc = played(length, journal=path, batch=True)
            enc.close()
            each = path.stat().st_size / len(enc._events)
            lines.append(f"(j) {length:,} events are opened in {opened(path) * 1000:.0f} ms, {each:.0f} bytes an event")
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
            ("undo and redo", lambda: back_and_forth(many), lambda: back_and_forth(few)),
        ):
            lines.append(verdict(f"(j) {what}, {most} over {least}", paired(one, other), at_most=1.5))
    return lines
