"""The same seed and the same calls give the same fight: in another process, from its log, after a restart."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import msgspec
import pytest

import combatkit as ck
from combatkit.core.model import State
from combatkit.core.timeline import fold
from tests.conformance.player import play

ROOT = Path(ck.__file__).parents[1]
CALLS = 150
SEEDS = (1, *(pytest.param(seed, marks=pytest.mark.long) for seed in (2, 3)))

OTHER_PROCESS = """
import sys
import msgspec
import combatkit as ck
from tests.conformance.player import play
if sys.argv[1] not in [ruleset.id for ruleset in ck.rulesets()]:
    ck.add_ruleset(sys.argv[4])
enc = play(sys.argv[1], int(sys.argv[2]), int(sys.argv[3]))
sys.stdout.buffer.write(b"\\n".join(msgspec.json.encode(event) for event in enc._events))
print("\\n" + enc.digest, end="")
"""


def lines(enc: ck.Encounter) -> list[bytes]:
    return [msgspec.json.encode(event) for event in enc._events]


def in_another_process(system: str, seed: int) -> list[bytes]:
    command = [sys.executable, "-c", OTHER_PROCESS, system, str(seed), str(CALLS), str(ck.ruleset(system).folder)]
    environment = {**os.environ, "PYTHONHASHSEED": "1", "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=ROOT, env=environment, capture_output=True, check=False)
    assert done.returncode == 0, done.stderr.decode()
    return done.stdout.split(b"\n")


@pytest.mark.slow
def test_the_same_calls_give_the_same_events_byte_for_byte_in_a_second_process(system: str) -> None:
    here = play(system, 5, CALLS)
    assert len(here._events) > 100
    *events, digest = in_another_process(system, 5)
    assert events == lines(here)
    assert digest.decode() == here.digest


@pytest.mark.parametrize("seed", SEEDS)
def test_the_log_alone_gives_state_and_digest_again_without_dice(system: str, seed: int) -> None:
    enc = play(system, seed, CALLS)
    written = b"[" + b",".join(lines(enc)) + b"]"
    events = msgspec.json.decode(written, type=list[ck.Event])
    assert msgspec.json.encode(events) == written
    state = fold(events)
    assert state == fold(enc._events)
    assert encoded(state) == encoded(enc._state)
    other = enc.branch(len(events))
    line = other._timeline
    line.now.tape.events[:] = events
    line.now = msgspec.structs.replace(line.now, state=state)
    assert other.digest == enc.digest


def encoded(state: State) -> bytes:
    return msgspec.msgpack.encode(state, order="deterministic")


def test_a_past_view_has_the_digest_of_its_moment_and_says_which_it_is(system: str) -> None:
    enc = play(system, 1, 12)
    seq, digest, label = len(enc._events), enc.digest, enc.clock.label
    enc.condition(enc.names[0], "tired")
    enc.undo()
    view = enc.at(seq)
    assert (view.digest, view.digest) == (digest, digest)
    assert repr(view) == repr(enc.at(seq))
    assert repr(view).startswith(f"<View {enc.id}, event {seq}: {label}")


@pytest.mark.parametrize("seed", SEEDS)
def test_folding_throws_no_dice(system: str, seed: int, monkeypatch: pytest.MonkeyPatch) -> None:
    enc = play(system, seed, CALLS)

    def thrown(seed: int, number: int, sides: int) -> int:
        raise AssertionError("a die was thrown")

    monkeypatch.setattr("combatkit.rules.draft.faces", thrown)
    assert encoded(fold(enc._events)) == encoded(enc._state)
    assert encoded(enc.at(len(enc._events))._state) == encoded(enc._state)


@pytest.mark.parametrize("seed", SEEDS)
def test_what_goes_on_from_a_branch_and_after_undo_and_redo_is_the_same(system: str, seed: int) -> None:
    enc = play(system, seed, CALLS // 3)
    other = enc.branch(len(enc._events))
    assert other.digest == enc.digest
    if enc.can_undo:
        enc.undo()
        enc.redo()
    assert [e.data for e in go_on(enc)] == [e.data for e in go_on(other)]


def go_on(enc: ck.Encounter) -> list[ck.Event]:
    events: list[ck.Event] = []
    for _ in range(20):
        if enc.pending:
            break
        try:
            events.extend(enc.end_turn())
        except ck.IllegalAction:
            break
    return [e for e in events if e.kind in ("roll", "round", "step", "refresh")]


@pytest.mark.parametrize("seed", SEEDS)
def test_a_restart_with_the_same_seed_and_calls_is_the_same_fight(system: str, seed: int) -> None:
    enc = play(system, seed, 0)
    again = enc.restart(seed=enc.seed)
    surprised = next(e.data["surprised"] for e in enc._events if e.kind == "begin")
    again.start(surprised=surprised)
    assert encoded(again._state) == encoded(enc._state)


def test_two_encounters_of_one_ruleset_do_not_share_anything(system: str) -> None:
    one, other = play(system, 1, 30), play(system, 1, 30)
    before = one.digest
    play(system, 2, 60)
    for _ in range(3):
        try:
            other.end_turn()
        except ck.IllegalAction:
            break
    assert one.digest == before


def test_who_is_taken_off_the_list_takes_its_conditions_along(system: str) -> None:
    enc = ck.Encounter(system, seed=3)
    enc.add("Ada", side="a")
    enc.add("Bo", side="a")
    enc.add("Cy", side="b")
    for until in ("end of round", "start of turn: Bo", "end of turn", "next action"):
        enc.condition("Ada", f"dazed {until}", until=until)
    enc.leave("Ada")
    enc.start()
    enc.next_round()
    enc.join("Ada", side="a")
    assert not any(c.id.startswith("dazed") for c in enc["Ada"].conditions)
    enc.next_round()
