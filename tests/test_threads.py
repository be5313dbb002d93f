"""One fight in many hands: threads, tasks, signals and callbacks. Every accepted call counts, and none is torn."""

from __future__ import annotations

import ast
import asyncio
import inspect
import signal
import sys
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from random import Random
from threading import Event as Flag
from threading import Thread, get_ident
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.core.timeline import digest_of, fold
from combatkit.fight import lock
from tests import soaking, wire

SYSTEMS = [rules.id for rules in ck.rulesets()]
THREADS = 6
CALLS = 50
LOOKS = 20
WAIT = 60.0
"""Seconds after which a thread that has not ended hangs."""

Record = Callable[[str, object], None]


@contextmanager
def switching() -> Iterator[None]:
    """Let Python turn to another thread as often as it can."""
    before = sys.getswitchinterval()
    sys.setswitchinterval(1e-6)
    try:
        yield
    finally:
        sys.setswitchinterval(before)


def fight(system: str, path: Path | None = None, **more: Any) -> ck.Encounter:
    enc = ck.Encounter(system, id="docks", seed=7, journal=path, **more)
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", count=2, npc=True)
    enc.start()
    return enc


def some_call(enc: ck.Encounter, rng: Random, note: str) -> tuple[ck.Event, ...]:
    """Make some call that is accepted in most states of any system."""
    match rng.randrange(8):
        case 0 | 1:
            return enc.end_turn()
        case 2:
            return enc.undo()
        case 3:
            return enc.redo()
        case 4:
            return enc.adjust("Guard 1", by=-1, note=note)
        case 5:
            options = [option for option in enc.options(rng.choice(enc.names)) if option.allowed and not option.needs]
            return enc.do(rng.choice(enc.names), rng.choice(options).action, note=note) if options else ()
        case 6:
            return enc.place("Mara", after="Guard 2", note=note)
    return enc.condition("Mara", rng.choice(["tired", "prone"]), note=note)


def look(enc: ck.Encounter, rng: Random) -> None:
    """Look at everything; a look that were torn would raise, or show what never was."""
    repr(enc), enc.order, enc.clock, enc.pending, enc.can_undo, enc.can_redo, enc.digest
    for name in enc.names:
        enc[name], enc.budget(name), enc.options(name)
    seq = rng.randrange(1, len(enc._events) + 1)
    assert len(enc.at(seq)._events) == seq
    enc.at(seq).digest, enc.explain(seq)
    assert enc.history.events.height >= seq
    assert enc.history.rounds.width
    assert enc.history.turns.width
    enc.log()


def encoded(events: Sequence[ck.Event]) -> bytes:
    return msgspec.json.encode(list(events))


class Crowd:
    """Threads at one fight: some call, some look; what is accepted is kept."""

    def __init__(self) -> None:
        self.accepted: list[tuple[ck.Event, ...]] = []
        self.counts: Counter[str] = Counter()
        self.failures: list[BaseException] = []

    def caller(self, enc: ck.Encounter, seed: int, calls: int) -> Thread:
        rng = Random(seed)

        def work() -> None:
            for number in range(calls):
                try:
                    events = some_call(enc, rng, f"{seed}.{number}")
                except ck.CombatkitError:
                    self.counts["refused"] += 1
                else:
                    if events:
                        self.accepted.append(events)

        return self._thread(work)

    def looker(self, enc: ck.Encounter, seed: int, looks: int = LOOKS) -> Thread:
        rng = Random(seed)

        def work() -> None:
            for _ in range(looks):
                look(enc, rng)
                self.counts["looks"] += 1

        return self._thread(work)

    def _thread(self, work: Callable[[], None]) -> Thread:
        def kept() -> None:
            try:
                work()
            except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
                self.failures.append(error)

        return Thread(target=kept, daemon=True)

    def meet(self, callers: list[Thread], lookers: list[Thread]) -> None:
        for thread in [*callers, *lookers]:
            thread.start()
        for thread in [*callers, *lookers]:
            thread.join(WAIT)
        if self.failures:
            raise self.failures[0]
        assert not any(thread.is_alive() for thread in [*callers, *lookers])


def check(enc: ck.Encounter, accepted: list[tuple[ck.Event, ...]]) -> None:
    """See that every accepted call is in the log, whole and where it says, and that the log gives the state."""
    log = list(enc._events)
    assert [event.seq for event in log] == list(range(1, len(log) + 1))
    for events in accepted:
        assert encoded(log[events[0].seq - 1 : events[-1].seq]) == encoded(events)
    firsts = [events[0].seq for events in accepted]
    assert len(set(firsts)) == len(firsts)
    assert fold(log) == enc._state
    for seq in range(1, len(log), 17):
        assert enc.at(seq)._state == fold(log[:seq])


def crowd(system: str, path: Path | None, calls: int, seed: int = 0, *, batch: bool = False) -> Crowd:
    """Let several threads play one fight, and see that nothing is lost, in memory or in the file."""
    enc = fight(system, path, **({"batch": True} if batch else {}))
    met = Crowd()
    callers = [met.caller(enc, seed + number, calls) for number in range(THREADS)]
    met.meet(callers, [met.looker(enc, seed + number, max(LOOKS, calls)) for number in range(2)])
    check(enc, met.accepted)
    if path is not None:
        digest = enc.digest
        enc.close()
        with ck.Encounter.open(path) as again:
            assert again.digest == digest
            check(again, met.accepted)
    met.counts["accepted"] = len(met.accepted)
    return met


@pytest.mark.slow
@pytest.mark.parametrize("calls", [10, pytest.param(CALLS, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_call_of_every_thread_counts(system: str, calls: int, tmp_path: Path, record_property: Record) -> None:
    total = Counter[str]()
    with switching():
        for number in soaking.rounds(1, 0.01):
            seed = 100 * number
            total += crowd(system, None, calls, seed).counts
            total += crowd(system, tmp_path / f"{seed}.combat", calls, seed).counts
            total += crowd(system, tmp_path / f"{seed}-batch.combat", calls, seed, batch=True).counts
    told = ", ".join(f"{number} {what}" for what, number in sorted(total.items()))
    record_property("told", f"threads: {system}, {THREADS} at a time: {told}, none lost")


@pytest.mark.parametrize("journalled", [False, True])
def test_two_fights_of_one_file_are_played_side_by_side(journalled: bool, tmp_path: Path) -> None:
    path = tmp_path / "friday.combat" if journalled else None
    one = fight("saga", path)
    other = one.branch(len(one._events)) if journalled else fight("saga")
    met = Crowd()
    again = Crowd()
    with switching():
        met.meet([met.caller(one, 1, CALLS), again.caller(other, 2, CALLS)], [])
    assert not again.failures
    check(one, met.accepted)
    check(other, again.accepted)
    if path is not None:
        digests = {each.id: each.digest for each in (one, other)}
        one.close()
        other.close()
        for id, digest in digests.items():
            with ck.Encounter.open(path, id) as opened:
                assert opened.digest == digest


def test_threads_that_open_a_journal_at_once_are_given_the_same_fight(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    fight("saga", path).close()
    opened: list[ck.Encounter] = []
    threads = [Thread(target=lambda: opened.append(ck.Encounter.open(path)), daemon=True) for _ in range(8)]
    with switching():
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(WAIT)
    assert len(opened) == 8
    assert len({id(each) for each in opened}) == 1
    opened[0].close()


@pytest.mark.parametrize("system", SYSTEMS)
def test_tasks_call_one_after_the_other(system: str, tmp_path: Path) -> None:
    enc = fight(system, tmp_path / "friday.combat")
    accepted: list[tuple[ck.Event, ...]] = []

    async def one(number: int) -> None:
        rng = Random(number)
        for turn in range(20):
            with suppress(ck.CombatkitError):
                if number % 2:
                    events = await asyncio.to_thread(some_call, enc, rng, f"{number}.{turn}")
                else:
                    events = some_call(enc, rng, f"{number}.{turn}")
                if events:
                    accepted.append(events)
            await asyncio.sleep(0)

    async def all_of_them() -> None:
        await asyncio.gather(*(one(number) for number in range(6)))

    asyncio.run(all_of_them())
    check(enc, accepted)
    digest = enc.digest
    enc.close()
    with ck.Encounter.open(tmp_path / "friday.combat") as again:
        assert again.digest == digest


# ── from within ──


class Meddler:
    """Whoever watches a fight, and does in the middle of a call what can be done."""

    def __init__(self, does: Callable[[], object]) -> None:
        self.does = does
        self.got: list[object] = []

    def happened(self, events: tuple[ck.Event, ...]) -> None:
        try:
            self.got.append(self.does())
        except Exception as error:  # noqa: BLE001 - what comes of it is what is tested
            self.got.append(error)


def changing_methods() -> dict[str, Any]:
    """Give every public method of an encounter that gives events, and those that keep it."""
    found = {
        name: method
        for name, method in inspect.getmembers(ck.Encounter, inspect.isfunction)
        if not name.startswith("_")
        and (
            inspect.get_annotations(method).get("return") == "tuple[Event, ...]" or name in ("save", "close", "branch")
        )
    }
    assert len(found) >= 20
    return found


@pytest.mark.parametrize("name", changing_methods())
def test_every_call_that_changes_something_is_guarded(name: str) -> None:
    assert getattr(changing_methods()[name], "__guarded__", False)


def test_nothing_takes_a_call_in_but_what_is_guarded() -> None:
    """Only a guarded method takes a call in, or one that only guarded ones call, or before anybody knows the fight."""
    tree = ast.parse((Path(ck.__file__).parent / "fight" / "fight.py").read_text("utf-8"))
    methods = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    calls = {method: [call.func for call in ast.walk(method) if isinstance(call, ast.Call)] for method in methods}

    def is_guarded(method: ast.FunctionDef) -> bool:
        return "changing" in {ast.unparse(mark) for mark in method.decorator_list}

    alone = {"__init__", "_bring_all", "replayed", "_accept"}

    def is_held(method: ast.FunctionDef) -> bool:
        callers = [each for each in methods if f"self.{method.name}" in map(ast.unparse, calls[each])]
        return method.name in alone or is_guarded(method) or (bool(callers) and all(map(is_held, callers)))

    for method in methods:
        attributes = [func for func in calls[method] if isinstance(func, ast.Attribute)]
        owners = {ast.unparse(func.value) for func in attributes if func.attr in {"_accept", "append", "go"}}
        if owners & {"self", "line", "self._timeline"}:
            assert is_held(method), method.name


INSIDE: dict[str, Callable[[ck.Encounter], object]] = {
    "a turn's end": lambda enc: enc.end_turn(),
    "undo": lambda enc: enc.undo(),
    "redo": lambda enc: enc.redo(),
    "bookkeeping": lambda enc: enc.condition("Mara", "tired"),
    "refresh": lambda enc: enc.refresh(),
    "a branch": lambda enc: enc.branch(1),
    "closing": lambda enc: enc.close(),
}


@pytest.mark.parametrize("journalled", [False, True])
@pytest.mark.parametrize("what", INSIDE)
def test_a_call_from_a_callback_is_refused_and_changes_nothing(what: str, journalled: bool, tmp_path: Path) -> None:
    path = tmp_path / "friday.combat" if journalled else None
    enc = fight("saga", path)
    meddler = Meddler(lambda: INSIDE[what](enc))
    enc.watch(meddler.happened)
    events = enc.end_turn()
    assert len(meddler.got) == 1
    error = meddler.got[0]
    assert type(error) is ck.CombatkitError
    assert "a call of 'docks' is under way" in str(error)
    assert "Nothing has changed" in str(error)
    assert list(enc._events)[-len(events) :] == list(events)
    enc.unwatch(meddler.happened)
    check(enc, [events, enc.end_turn()])
    enc.close()


@pytest.mark.parametrize("journalled", [False, True])
def test_who_looks_from_a_callback_or_beside_a_call_sees_what_is_whole(journalled: bool, tmp_path: Path) -> None:
    enc = fight("saga", tmp_path / "friday.combat" if journalled else None)
    seen: list[str] = []

    def beside() -> None:
        seen.append(enc.digest)
        look(enc, Random(1))
        seen.append(enc.digest)

    def from_both() -> str:
        thread = Thread(target=beside, daemon=True)
        thread.start()
        thread.join(WAIT)
        assert not thread.is_alive(), "a look waits for a call"
        look(enc, Random(2))
        return enc.digest

    meddler = Meddler(from_both)
    enc.watch(meddler.happened)
    enc.end_turn()
    assert [*seen, *meddler.got] == [enc.digest] * 3
    enc.close()


def test_a_past_moment_has_its_digest_though_a_later_one_was_looked_at_first() -> None:
    enc = fight("saga")
    enc.end_turn()
    for seq in (1, 3, len(enc._events)):
        whole = enc.digest
        assert enc.at(seq).digest == digest_of(enc._events[:seq], enc.at(seq)._state)
        assert whole == enc.digest == digest_of(enc._events, enc._state)


def test_another_fight_may_be_gone_on_with_from_a_callback() -> None:
    enc, other = fight("saga"), fight("d6")
    meddler = Meddler(other.end_turn)
    enc.watch(meddler.happened)
    events = enc.end_turn()
    assert isinstance(meddler.got[0], tuple)
    check(enc, [events])
    check(other, [meddler.got[0]])


def test_a_call_waits_for_another_thread_s_and_says_so_if_it_takes_too_long(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.05)
    enc = fight("saga")
    begun, end = Flag(), Flag()

    def holds() -> object:
        begun.set()
        return end.wait(WAIT)

    meddler = Meddler(holds)
    enc.watch(meddler.happened)
    thread = Thread(target=enc.end_turn, daemon=True)
    thread.start()
    assert begun.wait(WAIT)
    before = enc.digest
    with pytest.raises(
        ck.CombatkitError, match=r"condition: another thread has held the fight for 0\.05 seconds. Nothing"
    ):
        enc.condition("Mara", "tired")
    assert enc.digest == before
    end.set()
    thread.join(WAIT)
    assert meddler.got == [True]
    assert enc.condition("Mara", "tired")


def test_a_lock_that_nobody_holds_any_more_is_let_go_of() -> None:
    enc = fight("saga")
    lock.gate.acquire(True, -1)  # as an interrupt leaves it that strikes just where it is let go of
    assert enc.end_turn()
    assert not lock.gate.is_ours()
    thread = Thread(target=enc.end_turn, daemon=True)
    thread.start()
    thread.join(WAIT)
    assert not thread.is_alive()


@pytest.mark.skipif(not hasattr(signal, "setitimer"), reason="this system has no timer that signals")
@pytest.mark.parametrize("journalled", [False, True])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_signal_handler_calls_and_looks_without_harm(
    system: str, journalled: bool, tmp_path: Path, record_property: Record
) -> None:
    path = tmp_path / "friday.combat" if journalled else None
    enc = fight(system, path)
    accepted: list[tuple[ck.Event, ...]] = []
    counts = Counter[str]()
    rng = Random(3)
    handled = 0

    def handler(number: int, frame: object) -> None:
        nonlocal handled
        handled += 1
        try:
            accepted.append(enc.condition("Mara", "tired", note="by a signal"))
            counts["accepted"] += 1
        except ck.CombatkitError:
            counts["refused"] += 1
        look(enc, Random(handled))

    before = signal.signal(signal.SIGALRM, handler)
    try:
        number = 0
        while (counts["refused"] < 10 or counts["accepted"] < 10) and number < 20_000:
            number += 1
            signal.setitimer(signal.ITIMER_REAL, rng.uniform(1e-5, 1e-3))
            with suppress(ck.InvalidInput, ck.IllegalAction):
                events = some_call(enc, rng, "")
                if events:
                    accepted.append(events)
            if len(enc._events) > 1_000:
                break
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    assert handled
    check(enc, accepted)
    if path is not None:
        digest = enc.digest
        enc.close()
        with ck.Encounter.open(path) as again:
            assert again.digest == digest
    where = "in a journal" if journalled else "in memory"
    told = ", ".join(f"{number} {what}" for what, number in sorted(counts.items()))
    record_property("told", f"signals: {system} {where}: {handled} handled, of their calls {told}")


# ── widgets ──


@pytest.fixture
def recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from wire.recording(monkeypatch)


def message(content: dict[str, Any]) -> dict[str, Any]:
    return {"content": {"data": {"method": "custom", "content": content}}, "buffers": []}


@pytest.mark.usefixtures("recorded")
@pytest.mark.parametrize("system", SYSTEMS)
def test_clicks_in_another_thread_while_a_cell_calls(system: str, tmp_path: Path, record_property: Record) -> None:
    enc = fight(system, tmp_path / "friday.combat")
    tracker = ck.Tracker(enc)
    answers: list[Any] = []
    failures: list[BaseException] = []

    def click() -> None:
        try:
            for number in range(60):
                tracker._handle_msg(message({"kind": "condition", "name": "Mara", "condition": "tired", "id": number}))
                tracker._handle_msg(message({"kind": "look", "name": "Mara" if number % 2 else None, "id": number}))
        except BaseException as error:  # noqa: BLE001 - it is raised where it is waited for
            failures.append(error)

    met = Crowd()
    clicks = Thread(target=click, daemon=True)
    cell = met.caller(enc, 1, 60)
    with switching():
        met.meet([clicks, cell], [])
    assert not failures
    revision = 0
    for kind, data in tracker.comm.sent:  # the recorder in a comm's place
        if kind == "comm_msg" and data["method"] == "custom":
            said = data["content"]
            if said["kind"] == "delta":
                assert said["base"] == revision, "deltas follow one another"
                revision = said["revision"]
            else:
                answers.append(said)
    assert revision == tracker.view["revision"]
    assert answers == []
    check(enc, met.accepted)
    clicked = [event for event in enc._events if event.kind == "effect" and event.data["id"] == "tired"]
    assert len(clicked) >= 60
    digest = enc.digest
    tracker.close()
    enc.close()
    with ck.Encounter.open(tmp_path / "friday.combat") as again:
        assert again.digest == digest
    record_property("told", f"clicks: {system}: 120 beside {met.counts['refused'] + len(met.accepted)} calls of a cell")


@pytest.mark.usefixtures("recorded")
def test_a_message_that_cannot_begin_is_answered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(lock, "PATIENCE", 0.05)
    enc = fight("saga")
    tracker = ck.Tracker(enc)
    wire.sent(tracker)
    me = get_ident()
    meddler = Meddler(lambda: tracker._handle_msg(message({"kind": "end_turn", "id": 5})))
    enc.watch(meddler.happened)
    enc.end_turn()
    assert get_ident() == me
    refused = [said for said in wire.sent(tracker) if said["kind"] == "refused"]
    assert [said["id"] for said in refused] == [5]
    assert "a call of 'docks' is under way" in refused[0]["reason"]
    assert msgspec.json.encode(refused)
    tracker.close()
