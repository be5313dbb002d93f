"""What an archive of a million events weighs, and what one fight of it costs to read, beside reading all.

The fights are real play, by the random player of the conformance suite, in all five systems, until there are a quarter
of a million events; they are put in four times, under other ids. That makes them no lighter: rows lie by id and each
row group is compressed by itself, so that two tellings of a fight never meet in one. The first telling is weighed in an
archive of its own as well, for proof.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from itertools import count, cycle
from pathlib import Path
from statistics import median
from tempfile import TemporaryDirectory
from typing import Any

from benchmarks.pairs import paired, verdict

EVENTS = 250_000
TELLINGS = 4
CALLS = 300
LOOKS = 10
"""So many fights are read against one reading of all, and their median counts: one takes a few milliseconds."""

SMALLEST = {"EVENTS": 2_000, "CALLS": 30, "LOOKS": 1}

FRAMES = ("events", "rolls", "turns", "rounds", "budgets")


def play() -> list[Any]:
    """Play fights, one system after the other, until there are enough events."""
    import combatkit as ck
    from tests.conformance.player import play

    systems = [rules.id for rules in ck.rulesets()]
    fights: list[Any] = []
    left = EVENTS
    for seed in count():
        with suppress(ck.CombatkitError):  # random play can come to where it cannot go on: another fight, then
            fights.append(play(systems[seed % len(systems)], seed, CALLS))
            left -= len(fights[-1]._events)
        if left <= 0:
            break
    return fights


def told(fights: list[Any], telling: int) -> Iterator[Any]:
    """Yield every fight under an id of this telling, its frames to be made anew."""
    for seed, enc in enumerate(fights):
        enc.id = f"{telling}-{enc.ruleset.id}-{seed}"
        enc._history = None
        yield enc
        enc._history = None


def weigh(path: Path) -> tuple[int, float]:
    """Return an archive's events, and its bytes an event."""
    import polars as pl

    from combatkit.history import scan

    events: int = scan(path).events.select(pl.len()).collect().item()
    return events, sum(file.stat().st_size for file in path.rglob("*.parquet")) / events


def read(path: Path, names: tuple[str, ...], one: str | None = None) -> float:
    """Open the archive and read frames, of one fight or of all; give the seconds."""
    import polars as pl

    from combatkit.history import scan

    began = time.perf_counter()
    archive = scan(path)
    frames: list[pl.LazyFrame] = [getattr(archive, name) for name in names]
    if one is not None:
        frames = [frame.filter(pl.col("encounter") == one) for frame in frames]
    assert pl.collect_all(frames)[0].height > 0
    return time.perf_counter() - began


def _ratio(path: Path, names: tuple[str, ...], ids: Callable[[], str]) -> str:
    read(path, names)
    ratio = paired(lambda: median(read(path, names, ids()) for _ in range(LOOKS)), lambda: read(path, names))
    what = "its events" if len(names) == 1 else "all five frames"
    return verdict(f"archive, scan of one fight over reading all fights, {what}", ratio, at_most=0.1)


def run() -> list[str]:
    """Measure and give the lines to print."""
    from combatkit.history import archive, scan

    fights = play()
    with TemporaryDirectory() as folder:
        alone = archive(Path(folder) / "alone", told(fights, 0))
        path = archive(Path(folder) / "campaign", (enc for n in range(TELLINGS) for enc in told(fights, n)))
        del fights
        once, lone = weigh(alone)
        events, weight = weigh(path)
        ids = scan(path).encounters
        met = "met" if weight <= 10 and events >= EVENTS * TELLINGS else "NOT MET"
        chosen = cycle(ids[:: max(1, len(ids) // 20)]).__next__
        proof = f"{lone:.2f} for {once:,} events, none told twice"
        return [
            f"archive, {events:,} events of {len(ids):,} fights: bytes each {weight:.2f} ({proof}); at most 10 {met}",
            _ratio(path, FRAMES[:1], chosen),
            _ratio(path, FRAMES, chosen),
        ]
