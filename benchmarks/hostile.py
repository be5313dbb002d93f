"""What the dearest hostile file takes until it is refused: seconds, and memory; the tests see that it is refused."""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from pathlib import Path
from tempfile import TemporaryDirectory

import polars as pl

import combatkit as ck
from tests.test_foreign_bombs import BOMBS
from tests.test_roster_bombs import ROSTERS

SECONDS, MEMORY = 2.0, 128
"""The targets: seconds and MiB."""


def taken(read: Callable[[Path], object], path: Path) -> tuple[float, float]:
    """Read a file in a process of its own, and return its seconds and MiB."""
    reading, writing = os.pipe()
    if not os.fork():
        held, began = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, time.process_time()
        with suppress(ck.CombatkitError):
            read(path)
        grown = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - held
        os.write(writing, json.dumps([time.process_time() - began, grown / 1024]).encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        seconds, mib = json.loads(pipe.read())
    os.wait()
    return seconds, mib


def files(folder: Path) -> Iterator[tuple[str, Callable[[Path], object], Path]]:
    """Make file after file; yield what it is, what reads it, and its path."""
    for what, (ending, content, _) in ROSTERS.items():
        path = folder / f"party{ending}"
        path.write_bytes(content())
        yield what, lambda path: ck.Encounter("saga", seed=1).add_roster(path), path
    for what, (content, _) in BOMBS.items():
        path = folder / "party.dat"
        path.write_bytes(content())
        yield what, ck.foreign, path


def run() -> list[str]:
    """Measure and give the lines to print."""
    ck.Encounter("saga", seed=1).add_roster(pl.DataFrame({"name": ["Mara"], "side": ["law"]}))  # what it loads is there
    with TemporaryDirectory() as folder:
        told = [(*taken(read, path), what) for what, read, path in files(Path(folder))]
    seconds, _, slow = max(told)
    mib, large = max((each[1], each[2]) for each in told)
    met = "met" if seconds <= SECONDS and mib <= MEMORY else "NOT MET"
    line = (
        f"(h) {len(told)} hostile files: {seconds:.2f} s the slowest ({slow}), {mib:.0f} MiB the largest ({large}); "
        f"target {SECONDS:g} s, {MEMORY} MiB: {met}"
    )
    return [line]
