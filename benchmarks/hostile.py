"""What the dearest hostile file takes until it is refused: seconds, and memory; the tests see that it is refused."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from itertools import islice
from pathlib import Path
from tempfile import TemporaryDirectory

import combatkit as ck
from benchmarks.limits import peak

SECONDS, MEMORY = 2.0, 128
"""The targets: seconds and MiB."""

KINDS: int | None = None
SMALLEST = {"KINDS": 2}
"""How many of the kinds of files are measured; all of them, if it is not said."""


def measure(what: str, path: Path) -> None:
    """Read a file in this process, and print its seconds and MiB."""
    import polars as pl

    enc = ck.Encounter("saga", seed=1)
    enc.add_roster(pl.DataFrame({"name": ["Mara"], "side": ["law"]}))  # what it loads is there
    held, began = peak(), time.process_time()
    with suppress(ck.CombatkitError):
        if path.suffix == ".dat":
            ck.foreign(path)
        else:
            enc.add_roster(path)
    took, grown = time.process_time() - began, peak() - held
    sys.stdout.write(json.dumps([took, grown / (1 << 20), what]))


def files(folder: Path) -> Iterator[tuple[str, Path]]:
    """Make file after file; yield what it is, and its path."""
    from tests.test_foreign_bombs import BOMBS
    from tests.test_roster_bombs import ROSTERS

    contents = {what: (ending, content) for what, (ending, content, _) in ROSTERS.items()}
    contents |= {what: (".dat", content) for what, (content, _) in BOMBS.items()}
    for what, (ending, content) in islice(contents.items(), KINDS):
        path = folder / f"party{ending}"
        path.write_bytes(content())
        yield what, path


def run() -> list[str]:
    """Measure and give the lines to print."""
    told = []
    with TemporaryDirectory() as folder:
        for what, path in files(Path(folder)):
            command = [sys.executable, "-m", "benchmarks.hostile", what, str(path)]
            done = subprocess.run(command, check=True, capture_output=True, text=True)
            told.append(json.loads(done.stdout))
    seconds, _, slow = max(told)
    mib, large = max((each[1], each[2]) for each in told)
    met = "met" if seconds <= SECONDS and mib <= MEMORY else "NOT MET"
    line = (
        f"(h) {len(told)} hostile files: {seconds:.2f} s the slowest ({slow}), {mib:.0f} MiB the largest ({large}); "
        f"target {SECONDS:g} s, {MEMORY} MiB: {met}"
    )
    return [line]


if __name__ == "__main__":
    measure(sys.argv[1], Path(sys.argv[2]))
