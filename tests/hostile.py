"""A process in which files that somebody hostile made are opened: what comes of it, and how much work it was.

Each case runs in a fork of its own, which is killed if it hangs. `python -m tests.hostile` reads a line of
JSON a case, `[code, path]`, and answers with one.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.counting import calls

ROOT = Path(__file__).parents[1]
HANGS = 60
"""After so many seconds a case that has not come back is killed: it hangs."""
CALLS = 6_000_000
"""So many function calls a refusal makes at most, about one a byte; how far C reads, the words of the refusal tell."""


class Outcome(NamedTuple):
    """What a call came to: the error's class and words, both empty if there was none; function calls it made."""

    error: str
    words: str
    calls: int


class Child:
    """A process that opens files."""

    def __init__(self) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "tests.hostile"], cwd=ROOT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def run(self, code: str, path: Path) -> Outcome:
        """Run code that has `ck` and `path`, in a process of its own."""
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(json.dumps([code, str(path)]) + "\n")
        self.process.stdin.flush()
        return Outcome(*json.loads(self.process.stdout.readline()))

    def refused(self, code: str, path: Path, *, writes: bool = False) -> str:
        """See that a call is refused with little work, in words, and writes nothing; give the words."""
        before = held(path.parent)
        outcome = self.run(code, path)
        assert outcome.error in ("JournalError", "InvalidInput", "UnknownName"), outcome
        assert outcome.calls < CALLS, outcome
        assert len(outcome.words) < 700, outcome
        assert writes or held(path.parent) == before
        return outcome.words


def held(folder: Path) -> dict[str, Any]:
    """Give what a folder holds: of files their size and beginning, of links where they lead."""
    found: dict[str, Any] = {}
    for each in sorted(folder.iterdir()):
        if each.is_symlink():
            found[each.name] = str(each.readlink())
        elif each.is_file():
            with each.open("rb") as file:
                found[each.name] = (each.stat().st_size, file.read(1 << 20))
        else:
            found[each.name] = each.stat().st_mode
    return found


@contextmanager
def child() -> Iterator[Child]:
    """Give a process that opens files."""
    made = Child()
    try:
        yield made
    finally:
        made.process.communicate()


def answer(code: str, path: str) -> Outcome:
    """Run a case in a fork, and give what came of it."""
    reading, writing = os.pipe()
    pid = os.fork()
    if not pid:
        signal.alarm(HANGS)
        said = json.dumps(tried(code, path))
        os.write(writing, said.encode())
        os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        said = pipe.read().decode()
    _, status = os.waitpid(pid, 0)
    return Outcome(*json.loads(said)) if said else Outcome(f"killed ({status})", "", 0)


def tried(code: str, path: str) -> Outcome:
    import combatkit as ck

    error = words = ""

    def work() -> None:
        nonlocal error, words
        try:
            exec(code, {"ck": ck, "path": path})
        except Exception as raised:  # noqa: BLE001 - which it is, the test looks at
            error = next((kind.__name__ for kind in type(raised).__mro__ if kind.__name__ in ck.__all__), repr(raised))
            words = str(raised)

    made = calls(work)
    return Outcome(error, words[:2000], made)


def serve() -> None:
    import polars as pl  # noqa: F401 - what any of it loads is loaded before anything is counted

    import combatkit as ck
    import combatkit.files.rosters
    import combatkit.history
    import combatkit.journal

    for rules in ck.rulesets():
        ck.Encounter(rules.id, seed=1)
    for line in sys.stdin:
        print(json.dumps(answer(*json.loads(line))), flush=True)  # noqa: T201 - the answer


if __name__ == "__main__":
    serve()
