"""All or nothing: interrupted anywhere, a fight stands before a call or after it, in memory and in its file.

A call is traced once, which gives every place an interrupt can strike; then it is made again and again, struck at
another place each time, and after each everything that can be asked of the fight is held against what it was before
the call and what it is after one that nobody disturbed.
"""

from __future__ import annotations

import gc
import os
import shutil
import signal
import sys
import tempfile
import warnings
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from functools import partial
from pathlib import Path
from random import Random
from types import FrameType
from typing import Any, NamedTuple

import msgspec
import pytest

import combatkit as ck
from combatkit.core.timeline import fold
from combatkit.journal import book, opening
from tests import soaking

SYSTEMS = [rules.id for rules in ck.rulesets()]
MEMORY = "/dev/shm" if Path("/dev/shm").is_dir() else None
PACKAGE = str(Path(ck.__file__).parent) + os.sep
COMMITTING = tuple(
    PACKAGE + part
    for part in (
        "core/timeline.py",
        "fight/lock.py",
        "journal/book.py",
        "journal/lines.py",
        "journal/store.py",
        "fight/fight.py",
    )
)
"""The code that makes a change true: the long form strikes at every line of it."""

# Python says that it closes a file which an interrupt kept from being closed.
pytestmark = pytest.mark.filterwarnings("ignore:unclosed file:ResourceWarning")

CALLS: list[Callable[[ck.Encounter], tuple[ck.Event, ...]]] = [
    lambda enc: enc.end_turn(),
    lambda enc: enc.end_turn(),
    lambda enc: enc.condition("Mara", "tired"),
    lambda enc: enc.adjust("Guard", by=-1),
    lambda enc: enc.undo(),
    lambda enc: enc.redo(),
]

ERRORS = (KeyboardInterrupt, MemoryError)

Record = Callable[[str, object], None]
Site = tuple[str, int, int]
"""Where an interrupt can strike: file, line or instruction, and the how manieth time it is come to."""


# ── striking ──


class Tracer:
    """Counts the places that a call comes to, by lines of some files or by every instruction; strikes at one."""

    def __init__(
        self, files: tuple[str, ...], opcodes: bool, strike: int = -1, error: type[BaseException] = Exception
    ) -> None:
        self.files = files
        self.opcodes = opcodes
        self.strike = strike
        self.error = error
        self.sites: list[tuple[str, int]] = []
        self.count = 0
        self.struck = False

    def __call__(self, frame: FrameType, event: str, arg: object) -> Any:
        name = frame.f_code.co_filename
        if name == __file__ or name.startswith("<frozen") or (self.files and not name.startswith(self.files)):
            return None
        frame.f_trace_opcodes = self.opcodes
        frame.f_trace_lines = not self.opcodes
        return self.at

    def at(self, frame: FrameType, event: str, arg: object) -> Any:
        if event == ("opcode" if self.opcodes else "line"):
            if self.count == self.strike:
                self.count += 1
                self.struck = True
                raise self.error("struck")
            self.count += 1
            if self.strike < 0:
                self.sites.append((frame.f_code.co_filename, frame.f_lasti if self.opcodes else frame.f_lineno))
        return self.at


@contextmanager
def quiet() -> Iterator[None]:
    """Leave what is struck while an object is freed: nobody can be told of it, and nothing comes of it."""
    hook = sys.unraisablehook
    sys.unraisablehook = lambda _: None
    try:
        yield
    finally:
        sys.unraisablehook = hook


def traced(call: Callable[[], object], tracer: Tracer) -> None:
    """Make a call under a tracer; what strikes ends it."""
    before = sys.gettrace()
    with quiet():
        try:
            sys.settrace(tracer)
            call()
        except ERRORS:
            pass
        finally:
            sys.settrace(before)


# ── what a fight is ──


class Stand(NamedTuple):
    """All that can be asked of a fight."""

    log: bytes
    digest: str
    moments: tuple[bytes, ...]
    undo: str
    redo: str


def stand(enc: ck.Encounter) -> Stand:
    digest = enc.digest
    events = list(enc._events)
    assert [event.seq for event in events] == list(range(1, len(events) + 1))
    moments = [msgspec.msgpack.encode(enc.at(seq)._state, order="deterministic") for seq in range(1, len(events) + 1)]
    assert msgspec.msgpack.encode(enc._state, order="deterministic") == moments[-1]
    return Stand(msgspec.json.encode(events), digest, tuple(moments), enc.can_undo, enc.can_redo)


class Watcher:
    """Whoever watches: what it is told of last."""

    def __init__(self) -> None:
        self.told: set[int] = set()

    def happened(self, events: tuple[ck.Event, ...]) -> None:
        self.told |= {event.seq for event in events}


def fight(system: str, path: Path | None = None) -> ck.Encounter:
    """Give a fight that can be undone and redone."""
    enc = ck.Encounter(system, id="docks", seed=7, journal=path)
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", npc=True)
    enc.start()
    enc.condition("Mara", "tired", note="a long night")
    enc.end_turn()
    enc.condition("Mara", "tired", off=True)
    enc.undo()
    return enc


class Scene(NamedTuple):
    """A call that is struck: whether in a journal, or in batches; how it is made; whether another process wrote."""

    call: Callable[[ck.Encounter], object]
    journalled: bool = False
    batch: bool = False
    another: bool = False


SCENES: dict[str, Scene] = {
    "a call": Scene(lambda enc: enc.end_turn()),
    "an undo": Scene(lambda enc: enc.undo()),
    "a redo": Scene(lambda enc: enc.redo()),
    "a journalled call": Scene(lambda enc: enc.end_turn(), journalled=True),
    "a journalled undo": Scene(lambda enc: enc.undo(), journalled=True),
    "a journalled redo": Scene(lambda enc: enc.redo(), journalled=True),
    "a refresh": Scene(lambda enc: enc.refresh(), journalled=True, another=True),
    "a turn in batches": Scene(lambda enc: (enc.adjust("Mara", by=-1), enc.end_turn()), journalled=True, batch=True),
    "a close of a batch": Scene(lambda enc: enc.close(), journalled=True, batch=True),
}


class Stage:
    """A scene made ready again and again, and what its fight is before and after."""

    def __init__(self, system: str, name: str, folder: Path) -> None:
        self.scene = SCENES[name]
        self.closes = name == "a close of a batch"
        self.folder = folder
        self.number = 0
        self.base = fight(system)
        self.file = folder / f"{system}-base.combat"
        if self.scene.journalled and not self.file.exists():
            fight(system, self.file).close()
        self.path: Path | None = None
        self.stands: list[Stand] = []
        self.goes_on: dict[str, str] = {}
        enc, _ = self.ready()
        if self.scene.another:
            self.stands.append(stand(self.base))
        self._keep(enc)
        count = 1
        # A turn in batches is two calls: it may stand between them.
        if self.scene.batch and not self.closes:
            enc.adjust("Mara", by=-1)
            self._keep(enc)
            enc.end_turn()
            self._keep(enc)
        elif not self.closes:
            self.scene.call(enc)
            self._keep(enc)
        assert count
        for found in self.stands:
            self.goes_on[found.digest] = ""
        self.put_away(enc)

    def _keep(self, enc: ck.Encounter) -> None:
        found = stand(enc)
        if found not in self.stands:
            self.stands.append(found)

    def ready(self) -> tuple[ck.Encounter, Watcher]:
        """Make the scene ready anew."""
        scene = self.scene
        self.number += 1
        watcher = Watcher()
        if not scene.journalled:
            enc = self.base.branch(len(self.base._events))
            self.base._branches.clear()
        else:
            self.path = self.folder / f"{self.number}.combat"
            shutil.copyfile(self.file, self.path)
            enc = ck.Encounter.open(self.path, batch=scene.batch)
            if self.closes:
                enc.adjust("Mara", by=-1)
            if scene.another:
                enc.digest  # noqa: B018 - it looks
                held = opening.store_of(enc).book
                book._books.remove(held)  # who opens it now is as another process
                with ck.Encounter.open(self.path) as other:
                    other.end_turn()
                book._books.add(held)
        enc.watch(watcher.happened)
        self.watcher = watcher
        return enc, watcher

    def put_away(self, enc: ck.Encounter) -> None:
        enc.close()
        if self.path is not None:
            for file in self.folder.glob(f"{self.path.name}*"):
                file.unlink()
            self.path = None

    def sites(self, opcodes: bool) -> list[tuple[str, int]]:
        """Give the places that the call comes to."""
        tracer = Tracer(() if opcodes else COMMITTING, opcodes)
        for _ in range(2):  # what is made once is made by the first
            tracer = Tracer(tracer.files, opcodes)
            enc, _ = self.ready()
            traced(partial(self.scene.call, enc), tracer)
            self.put_away(enc)
        return tracer.sites

    def strike(self, place: int, opcodes: bool, error: type[BaseException]) -> str:
        """Make the call, strike at a place, see that all is right; say how the fight stood."""
        enc, watcher = self.ready()
        tracer = Tracer(() if opcodes else COMMITTING, opcodes, place, error)
        with warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")
            traced(partial(self.scene.call, enc), tracer)
            if self.path is not None and not opening.store_of(enc).is_open:
                enc = ck.Encounter.open(self.path)
                enc.watch(watcher.happened)
            found = stand(enc)
            assert found in self.stands, "the fight is neither as before the call nor as after it"
            self.check(enc, watcher, found)
        taken_in = [str(each.message) for each in said if each.category is not ResourceWarning]
        assert all("was interrupted after it had been written" in each for each in taken_in), taken_in
        assert len(taken_in) <= 1
        self.put_away(enc)
        if not tracer.struck:
            return "not come to"
        return "before" if found == self.stands[0] else "taken in" if taken_in else "after"

    def check(self, enc: ck.Encounter, watcher: Watcher, found: Stand) -> None:
        """Save the fight, go on with it or show it, and open it again: one after the other, each at another strike."""
        length = len(found.moments)
        now = found
        match self.number % 3:
            case 0:
                saved = self.folder / "saved.fight"
                enc.save(saved)
                assert stand(ck.load(saved)) == found
            case 1:
                events = enc.condition("Mara", "prone")
                assert events[0].seq == length + 1
                enc.undo()
                assert enc._state.fighters == enc.at(length)._state.fighters
                enc.redo()
                now = stand(enc)
            case 2:
                enc.refresh()
        if self.number % 3 and not self.closes:
            assert set(range(len(self.stands[0].moments) + 1, length + 1)) <= watcher.told, "not all has been shown"
        if self.path is not None:
            enc.close()
            with ck.Encounter.open(self.path) as reopened:
                assert stand(reopened) == now


@pytest.fixture
def folder() -> Iterator[Path]:
    """Give a folder in memory; what interrupts have left over goes with it."""
    with tempfile.TemporaryDirectory(dir=MEMORY) as made:
        yield Path(made)
        gc.collect()


def distinct(sites: list[tuple[str, int]], most: int) -> list[int]:
    """Give the places, of those come to again and again the first few times."""
    seen = Counter[tuple[str, int]]()
    kept = []
    for number, site in enumerate(sites):
        seen[site] += 1
        if seen[site] <= most:
            kept.append(number)
    return kept


def struck(stage: Stage, where: str, place: int, opcodes: bool, error: type[BaseException]) -> str:
    try:
        return stage.strike(place, opcodes, error)
    except BaseException as problem:
        problem.add_note(f"{where}, struck by {error.__name__} at {'instruction' if opcodes else 'line'} {place}")
        raise


def summed(record: Record, system: str, what: str, outcomes: Counter[str]) -> None:
    told = ", ".join(f"{number} {outcome}" for outcome, number in sorted(outcomes.items()))
    record("told", f"interrupted: {system} at {sum(outcomes.values())} {what} ({told})")


@pytest.mark.slow
@pytest.mark.parametrize("every", [12, pytest.param(1, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_at_every_line_that_makes_a_change_true(system: str, every: int, folder: Path, record_property: Record) -> None:
    outcomes = Counter[str]()
    for name in SCENES:
        stage = Stage(system, name, folder)
        for place in distinct(stage.sites(False), 1)[::every]:
            error = ERRORS[(place + SYSTEMS.index(system)) % 2]
            outcomes[struck(stage, name, place, False, error)] += 1
    summed(record_property, system, "lines of the committing code", outcomes)
    assert outcomes["before"] > 100 // every
    assert outcomes["after"] > 50 // every
    assert outcomes["taken in"] or every > 1  # there are few such lines
    assert outcomes["not come to"] < 10  # a page that was read before need not be read again


@pytest.mark.slow
@pytest.mark.parametrize("instructions", [40, pytest.param(400, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.parametrize("system", SYSTEMS)
def test_at_any_instruction(system: str, instructions: int, folder: Path, record_property: Record) -> None:
    rng = Random(system)
    stages = {name: Stage(system, name, folder) for name in SCENES}
    places = [(name, place) for name, stage in stages.items() for place in range(len(stage.sites(True)))]
    rng.shuffle(places)
    soaked = soaking.seconds(0.07) is not None
    outcomes = Counter[str]()
    for (name, place), _ in zip(places, soaking.rounds(instructions, 0.07), strict=False):
        for error in ERRORS if soaked else (rng.choice(ERRORS),):
            outcomes[struck(stages[name], name, place, True, error)] += 1
    summed(record_property, system, f"of {len(places)} instructions", outcomes)
    assert outcomes["before"]
    assert outcomes["after"]


@pytest.mark.slow
@pytest.mark.parametrize("timed", [100, pytest.param(800, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer that signals")
@pytest.mark.filterwarnings("ignore::combatkit.errors.InterruptedCall")
# A strike in the callback of a weak reference is lost in Python itself, and said so.
@pytest.mark.filterwarnings("ignore:Exception ignored in. <function Weak:pytest.PytestUnraisableExceptionWarning")
@pytest.mark.parametrize("system", SYSTEMS)
def test_by_ctrl_c_at_any_time(system: str, timed: int, folder: Path, record_property: Record) -> None:
    rng = Random(system)
    path = folder / "friday.combat"
    fights = [fight(system), fight(system, path)]
    accepted: list[list[tuple[ck.Event, ...]]] = [[], []]
    strikes = calls = 0

    def strike(number: int, frame: object) -> None:
        raise KeyboardInterrupt

    others = gc.callbacks[:]  # a test tool's own, in which a strike would be lost
    gc.callbacks.clear()
    before = signal.signal(signal.SIGALRM, strike)
    try:
        for calls in soaking.rounds(timed, 0.01):
            which = calls % 2
            try:
                with suppress(ck.CombatkitError):
                    signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-6, 6e-4))
                    accepted[which].append(CALLS[rng.randrange(len(CALLS))](fights[which]))
                signal.setitimer(signal.ITIMER_REAL, 0)
            except KeyboardInterrupt:
                strikes += 1
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        gc.callbacks.extend(others)
    for enc, kept in zip(fights, accepted, strict=True):
        log = list(enc._events)
        for events in kept:
            assert msgspec.json.encode(log[events[0].seq - 1 : events[-1].seq]) == msgspec.json.encode(list(events))
        assert fold(log) == enc._state
    digest = fights[1].digest
    fights[1].close()
    with ck.Encounter.open(path) as again:
        assert again.digest == digest
    record_property("told", f"interrupted: {system} {strikes} times by Ctrl-C in {calls + 1} calls, none lost")
