"""A fight that is killed: children play it and die by SIGKILL at a chosen point, then its journal is reopened.

Run as a module it forks them, one after the other, in a process of its own, which has no threads and no open files of
the tests: ``python -m tests.kills SYSTEM POINTS [batch]`` prints how many were killed, how, and where.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NoReturn

import combatkit as ck
from combatkit.core.timeline import Timeline

MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
"""Where the files are: what a killed process has written, the system has, whether or not on a disk."""

Calls = list[Callable[[ck.Encounter], Any]]


def calls() -> Calls:
    """Give the calls of a fight any system knows: setting up, turns, bookkeeping, the way back."""
    setup: Calls = [
        lambda enc: enc.add("Mara", side="rebels"),
        lambda enc: enc.add("Guard", side="empire", count=2, npc=True),
        lambda enc: enc.start(),
    ]
    turn: Calls = [
        lambda enc: enc.end_turn(),
        lambda enc: enc.condition("Mara", "tired", note="a long night"),
        lambda enc: enc.adjust("Guard 1", vital=enc.ruleset.vitals[0].name, by=-1),
        lambda enc: enc.undo(),
        lambda enc: enc.end_turn(),
        lambda enc: enc.undo(),
        lambda enc: enc.redo(),
        lambda enc: enc.condition("Mara", "tired", off=True),
    ]
    return setup + turn * 3


class Reference:
    """The fight as nobody disturbs it: after each call, how far the log is, and its digest."""

    def __init__(self, system: str) -> None:
        enc = ck.Encounter(system, seed=7)
        self.lengths = [len(enc._events)]
        self.digests = [enc.digest]
        for call in calls():
            call(enc)
            self.lengths.append(len(enc._events))
            self.digests.append(enc.digest)


def play(system: str, path: Path, batch: bool, told: int) -> None:
    """Play the fight, and tell of each call that has returned."""
    enc = ck.Encounter(system, seed=7, journal=path, batch=batch)
    os.write(told, b".")
    for call in calls():
        call(enc)
        os.write(told, b".")


def _die() -> NoReturn:
    os.kill(os.getpid(), signal.SIGKILL)
    raise AssertionError


def _after(count: int) -> Callable[..., None]:
    """Give a callback that dies when it is called for the n-th time."""
    left = [count]

    def call(*_: Any) -> None:
        left[0] -= 1
        if left[0] == 0:
            _die()

    return call


def _profiled(action: Callable[[], None], callback: Callable[..., None]) -> None:
    """Call back at each function's call and return, those of the system among them."""
    sys.setprofile(callback)
    try:
        action()
    finally:
        sys.setprofile(None)


def _written(action: Callable[[], None], callback: Callable[..., None]) -> None:
    """Call back as each call has been written, and has not returned."""
    written = Timeline.append.__code__

    def watch(frame: FrameType, kind: str, _: Any) -> None:
        if kind == "return" and frame.f_code is written:
            callback()

    sys.setprofile(watch)
    try:
        action()
    finally:
        sys.setprofile(None)


def _counted(how: Callable[..., None], system: str, batch: bool) -> int:
    """Count how often a callback is called in the whole fight."""
    seen = Counter[str]()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Path(os.devnull).open("wb") as told:
        how(
            lambda: play(system, Path(folder, "x.combat"), batch, told.fileno()),
            lambda *_: seen.update(["all"]),
        )
    return seen["all"]


def _killed(path: Path, system: str, batch: bool, how: Callable[..., None] | None, point: float) -> int:
    """Let a child play until it is killed; give how many calls had returned."""
    heard, told = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.close(heard)
            if how is None:
                play(system, path, batch, told)
            else:
                how(lambda: play(system, path, batch, told), _after(int(point)))
        finally:
            _die()
    os.close(told)
    if how is None:
        time.sleep(point)
        os.kill(child, signal.SIGKILL)
    said = b""
    while part := os.read(heard, 4096):
        said += part
    os.close(heard)
    _, status = os.waitpid(child, 0)
    assert os.WTERMSIG(status) == signal.SIGKILL, f"the child ended otherwise: {status}"
    return len(said)


def check(system: str, path: Path, reference: Reference, returned: int) -> str:
    """See that every call that had returned is there, none twice, none half; give where the kill struck."""
    if returned == 0 and not (path.exists() and ck.campaign(path)):
        with ck.Encounter(system, seed=7, journal=path) as enc:  # what is half made is made whole
            assert enc.digest == reference.digests[0]
        return "before the first call"
    with ck.Encounter.open(path) as enc:
        length = len(enc._events)
        assert length in reference.lengths, f"{length} events are not whole calls: {reference.lengths}"
        there = reference.lengths.index(length)
        assert enc.digest == reference.digests[there], "the state is not what the log gives"
        assert returned - 1 <= there <= returned, f"{returned - 1} calls had returned, {there} are there"
        if there < len(reference.lengths) - 1:  # play goes on as if nothing had happened
            calls()[there](enc)
            assert enc.digest == reference.digests[there + 1], "the fight went on otherwise"
    return "before a call was written" if there == returned - 1 else "after one was written, before it returned"


def main(system: str, points: int, batch: bool) -> None:
    """Kill so many children and print what came of it."""
    reference = Reference(system)
    rng = Random(system)
    struck = Counter[str]()
    began = time.perf_counter()
    with tempfile.TemporaryDirectory(dir=MEMORY) as folder, Path(os.devnull).open("wb") as told:
        play(system, Path(folder, "x.combat"), batch, told.fileno())
    lasts = time.perf_counter() - began
    ways: list[tuple[Callable[..., None] | None, float]] = []
    for watched, share in ((_profiled, 0.8), (_written, 0.05)):
        count = max(2, int(points * share))  # the first call that has been made is written after it
        total = _counted(watched, system, batch)
        ways += [(watched, 1 + (total - 1) * number // count) for number in range(count)]
    ways += [(None, rng.uniform(0, 1.2 * lasts)) for _ in range(points - len(ways))]
    for how, point in ways:
        with tempfile.TemporaryDirectory(dir=MEMORY) as folder:
            path = Path(folder, "x.combat")
            returned = _killed(path, system, batch, how, point)
            where = check(system, path, reference, returned)
        struck[where] += 1
    sys.stdout.write(json.dumps({"points": sum(struck.values()), **struck}))


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]), "batch" in sys.argv[3:])
