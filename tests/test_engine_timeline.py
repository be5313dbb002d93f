"""The way back: undo, redo, looks at the past, branches; nothing is ever deleted."""

from __future__ import annotations

import copy
import json
import pickle
import shlex
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

import combatkit as ck
from combatkit.core.model import EVENT_KINDS
from combatkit.core.timeline import fold, standing
from tests import soaking
from tests.conformance.player import play

ROOT = Path(__file__).parents[1]
SYSTEMS = [rules.id for rules in ck.rulesets()]


def fight() -> ck.Encounter:
    enc = ck.Encounter("saga", id="saga-7", seed=7)
    enc.add("Mara", side="rebels", hp=20)
    enc.add("Vex", side="empire", hp=20)
    enc.start(rolls={"Mara": 20, "Vex": 10})
    return enc


def state(enc: ck.Encounter) -> bytes:
    return msgspec.msgpack.encode(enc._state, order="deterministic")


def test_undo_takes_back_one_call_with_all_it_caused() -> None:
    enc = fight()
    before = state(enc)
    events = enc.end_turn()
    assert len(events) > 2
    (undo,) = enc.undo()
    assert (undo.kind, undo.by, undo.text) == ("undo", "gm", "undone: End turn (Mara)")
    assert state(enc) == before
    assert enc.active == "Mara"


def test_undo_deletes_nothing_and_is_itself_logged() -> None:
    enc = fight()
    enc.do("Mara", "move")
    length = len(enc._events)
    enc.undo()
    assert len(enc._events) == length + 1
    assert [e.kind for e in enc._events[-2:]] == ["action", "undo"]
    assert [e.seq for e in enc._events] == list(range(1, len(enc._events) + 1))


def test_a_new_call_after_undo_leaves_nothing_to_redo() -> None:
    enc = fight()
    enc.do("Mara", "move")
    enc.undo()
    assert enc.can_redo == "Move (Mara)"
    enc.do("Mara", "aid_another")
    assert enc.can_redo == ""
    with pytest.raises(ck.InvalidInput, match="nothing to redo"):
        enc.redo()


def test_undo_and_redo_to_an_event() -> None:
    enc = fight()
    marks = [(len(enc._events), state(enc))]
    for action in ("move", "aid_another", "speak"):
        enc.do("Mara", action)
        marks.append((len(enc._events), state(enc)))
    enc.undo(to=marks[1][0])
    assert state(enc) == marks[1][1]
    enc.redo(to=marks[2][0])
    assert state(enc) == marks[2][1]
    enc.redo(to=marks[3][0])
    assert state(enc) == marks[3][1]
    enc.undo(to=marks[0][0])
    assert state(enc) == marks[0][1]
    assert enc.can_undo == "Start the fight"


def test_only_what_was_undone_from_here_is_redone() -> None:
    enc = fight()
    enc.do("Mara", "move")
    dropped = len(enc._events)
    enc.undo()
    enc.do("Mara", "aid_another")
    (undo,) = enc.undo()
    before = enc.digest
    for to in (1, dropped, undo.seq):
        with pytest.raises(ck.InvalidInput, match=f"event {to} was not undone from here"):
            enc.redo(to=to)
    assert enc.digest == before


def test_of_many_calls_taken_back_at_once_three_are_named() -> None:
    enc = fight()
    start = len(enc._events)
    for action in ("move", "aid_another", "speak"):
        enc.do("Mara", action)
    (three,) = enc.undo(to=start)
    assert three.text == "undone: Speak (Mara), Aid another (Mara), Move (Mara)"
    enc.redo(to=three.seq - 1)
    enc.end_turn()
    (four,) = enc.undo(to=start)
    assert four.text == "undone: End turn (Mara), Speak (Mara), Aid another (Mara) ..."


def test_nobody_has_acted_while_the_order_is_still_being_made() -> None:
    enc = fight()
    placed = [event.seq for event in enc._events if event.kind == "initiative"]
    for count, seq in enumerate(placed, 1):
        assert [rung.status for rung in enc.at(seq).order] == ["waits"] * count


def test_a_past_moment_has_no_events_that_came_later() -> None:
    enc = fight()
    past = enc.at(5)
    assert len(past._events) == 5 < len(enc._events)
    assert past._events[4] == past._events[-1] == enc._events[4]
    for index in (5, -6):
        with pytest.raises(IndexError, match="the log has 5"):
            past._events[index]


def test_undo_to_the_middle_of_a_call_keeps_the_call() -> None:
    enc = fight()
    events = enc.end_turn()
    enc.do("Vex", "move")
    enc.undo(to=events[0].seq)
    assert enc.active == "Vex"
    assert enc.budget("Vex")["move"].left == 1


def test_undo_to_what_was_undone_is_refused() -> None:
    enc = fight()
    moved = enc.do("Mara", "move")
    enc.undo()
    enc.do("Mara", "aid_another")
    with pytest.raises(ck.InvalidInput, match="present's past"):
        enc.undo(to=moved[0].seq)


def test_at_looks_at_every_moment_even_inside_a_call_and_inside_what_was_undone() -> None:
    enc = fight()
    moved = enc.do("Mara", "move")
    ended = enc.end_turn()
    enc.undo(to=moved[0].seq - 1)
    assert enc.at(moved[-1].seq).budget("Mara")["move"].left == 0
    assert enc.at(ended[0].seq).active is None
    assert enc.at(ended[-1].seq).active == "Vex"
    assert enc.at(len(enc._events)).active == "Mara"


def test_a_look_at_the_past_cannot_change_it() -> None:
    enc = fight()
    past = enc.at(len(enc._events))
    for call in ("do", "end_turn", "undo", "adjust", "condition", "add", "start"):
        assert not hasattr(past, call)


def test_a_view_that_is_asked_late_still_tells_of_its_moment() -> None:
    enc = fight()
    past, asked = enc.at(len(enc._events)), enc.at(len(enc._events))
    assert asked.active == "Mara"
    enc.end_turn()
    enc.undo(to=1)
    enc.add("Zed", side="rebels", dex=1, level=1)
    assert (past.active, past.order, past.digest) == (asked.active, asked.order, asked.digest)
    assert past.names == asked.names


def test_what_follows_from_the_past_is_answered_as_it_was() -> None:
    enc = fight()
    start = len(enc._events)
    enc.do("Mara", "run")
    assert not enc.can("Mara", "move").allowed
    assert enc.at(start).can("Mara", "move").allowed
    assert [o.allowed for o in enc.at(start).options("Mara")] != [o.allowed for o in enc.options("Mara")]


def test_a_branch_shares_the_past_and_goes_its_own_way() -> None:
    enc = fight()
    start = len(enc._events)
    enc.do("Mara", "move")
    other = enc.branch(start)
    assert other.id == f"saga-7@{start}"
    other.do("Mara", "aid_another")
    assert enc.budget("Mara")["standard"].left == 1
    assert other.budget("Mara")["move"].left == 1
    assert list(other._events[:start]) == list(enc._events[:start])


def test_a_branch_can_be_undone_into_the_shared_past() -> None:
    enc = fight()
    enc.do("Mara", "move")
    other = enc.branch(len(enc._events))
    before = enc.digest
    while other.can_undo:
        other.undo()
    assert other.names == ()
    assert enc.digest == before


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_branch_keeps_the_whole_call_that_made_the_event_as_undo_does(system: str) -> None:
    enc = play(system, 3, 40)
    for seq in range(1, len(enc._events) + 1, 3):
        call = enc._timeline.now.call_at(seq)
        assert call is not None
        last = max(call.last, seq)  # an undo or redo is a step of its own
        other = enc.branch(seq)
        assert other.parent == (enc.id, last)
        assert (len(other._events), other._state) == (last, enc.at(last)._state)


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_loses_a_turn_by_a_branch(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    for name in ("Ada", "Orc", "Bes"):
        enc.add(name, side=name)
    enc.start()
    ended = (*enc.end_turn(), *enc.end_turn())
    enc.adjust("Ada", by=-1)
    for event in ended:
        if event.kind in ("turn_end", "step_end", "round_end"):
            one, other = enc.branch(event.seq), enc.branch(len(enc._events))
            other.undo(to=event.seq)
            assert (one.active, one.clock) == (other.active, other.clock)


def test_a_long_fight_is_undone_to_its_start() -> None:
    enc = fight()
    states = [state(enc)]
    for _ in range(150):
        enc.end_turn()
        states.append(state(enc))
    for past in reversed(states[:-1]):
        enc.undo()
        assert state(enc) == past
    for future in states[1:]:
        enc.redo()
        assert state(enc) == future


def test_the_log_folds_to_the_present_past_undo_and_redo() -> None:
    enc = fight()
    enc.do("Mara", "move")
    enc.end_turn()
    enc.undo()
    enc.undo()
    enc.redo()
    enc.do("Mara", "aid_another")
    assert fold(enc._events) == enc._state
    kinds = [event.kind for event in standing(enc._events)]
    assert "undo" not in kinds
    assert "redo" not in kinds
    assert kinds.count("action") == 2


def test_every_event_is_of_a_kind_in_the_closed_list() -> None:
    enc = fight()
    enc.do("Mara", "ready", action="move", trigger="now")
    enc.end_turn()
    enc.do("Vex", "move")
    enc.undo()
    enc.finish()
    assert {event.kind for event in enc._events} <= set(EVENT_KINDS)
    assert ck.EVENT_KINDS == EVENT_KINDS


def test_the_digest_is_of_the_log_too() -> None:
    one, other = fight(), fight()
    assert one.digest == other.digest
    other.do("Mara", "move")
    other.undo()
    assert state(one) == state(other)
    assert one.digest != other.digest


def test_notes_stay_with_the_call_they_were_made_with() -> None:
    enc = fight()
    enc.do("Mara", "ready", action="move", trigger="the door opens")
    enc.end_turn()
    enc.do("Vex", "move")
    events = enc.do("Vex", "aid_another", note="over here")
    assert [(e.kind, e.action) for e in events if e.note] == [("action", "aid_another")]


def test_dice_stay_with_the_call_they_were_thrown_for() -> None:
    enc = ck.Encounter("saga", id="saga-7", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Vex", side="empire", attack_bonus=0)
    enc.start(rolls={"Mara": 20, "Vex": 10})
    enc.do("Mara", "ready", action="move", trigger="a shot")
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara")
    with pytest.raises(ck.InvalidInput, match="this call takes no dice"):
        enc.do("Vex", "speak", rolls=[19])
    strike = next(e for e in enc.history.events.to_dicts() if e["kind"] == "attack")
    roll = next(e for e in enc.history.rolls.to_dicts() if e["actor"] == "Vex" and e["purpose"] == "attack")
    assert strike["actor"] == "Vex"
    assert roll["source"] == "seeded", "19 was not thrown for the attack that waited"


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, pickle.dumps])
def test_a_fight_cannot_be_copied_and_it_says_what_can_be_done(copied: Callable[[object], object]) -> None:
    enc = fight()
    with pytest.raises(ck.InvalidInput, match=r"'saga-7' cannot be copied or pickled: .*enc\.branch\(seq\).*enc\.save"):
        copied(enc)
    assert enc.end_turn()


def test_a_look_at_the_past_is_its_own_copy() -> None:
    past = fight().at(3)
    assert copy.copy(past) is past
    assert copy.deepcopy(past) is past
    with pytest.raises(ck.InvalidInput, match="cannot be copied or pickled"):
        pickle.dumps(past)


LONG = """
import sys
import combatkit as ck
enc = ck.Encounter("saga", seed=7)
enc.add("Mara", side="rebels"), enc.add("Vex", side="empire"), enc.start()
for _ in range(int(sys.argv[1])):
    enc.end_turn()
print(len(enc._events))
del enc
"""


@pytest.mark.slow
@pytest.mark.parametrize("turns", [20_000, pytest.param(200_000, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.skipif(not Path("/bin/sh").exists(), reason="this system sets no limits in a shell")
def test_a_long_fight_is_dropped_with_a_small_stack(turns: int) -> None:
    turns = turns if soaking.seconds(1) is None else 1_000_000
    command = f"ulimit -s 1024; exec {shlex.quote(sys.executable)} -c {shlex.quote(LONG)} {turns}"
    done = subprocess.run(["/bin/sh", "-c", command], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert int(done.stdout) > turns


FLAT = """
import json, sys
import combatkit as ck
from tests.counting import calls
path, events = sys.argv[1], int(sys.argv[2])

def fight(id):
    enc = ck.Encounter("saga", id=id, seed=7, journal=path + id)
    enc.add("Mara", side="rebels"), enc.add("Vex", side="empire"), enc.start()
    return enc

def turns(enc):
    for _ in range(20):
        enc.end_turn()

enc = fight("long")
size = enc._timeline.journal.path.stat
pages, blocks = [], []
for tenth in range(1, 11):
    while len(enc._events) < events * tenth // 10:
        turns(enc)
    pages.append(size().st_size)
    blocks.append(sys.getallocatedblocks())
new, pairs = fight("new"), []
while len(new._events) < events // 10:
    pairs.append([calls(lambda: turns(each)) for each in (enc, new)])
print(json.dumps([pages, blocks, pairs]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("events", [5_000, pytest.param(100_000, marks=pytest.mark.long)])
def test_a_call_of_a_long_journalled_fight_is_no_more_work_than_one_of_the_first(
    events: int, tmp_path: Path, record_property: Callable[[str, object], None]
) -> None:
    command = [sys.executable, "-c", FLAT, str(tmp_path / "long.combat"), str(events)]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    pages, blocks, pairs = json.loads(done.stdout)
    # Both come in large pieces: of halves, not of tenths.
    first, last = pages[4] - pages[0], pages[9] - pages[5]
    assert last <= 1.05 * first, "the file grows by more and more"
    assert blocks[9] - blocks[5] <= 1.15 * (blocks[4] - blocks[0]), "more and more is held"
    late, early = (sum(pair[which] for pair in pairs) for which in (0, 1))
    told = f"{late / early:.2f} times the function calls a call"
    record_property("told", f"{events:,} events in a journal: {told}, {last / first:.2f} the bytes")
    assert late <= 1.15 * early


BOOKKEEPING: dict[str, Callable[[ck.Encounter], object]] = {
    "damage": lambda e: e.damage("Mara", 3),
    "no damage": lambda e: e.damage("Mara", 0),
    "healing": lambda e: e.heal("Mara", 1),
    "healing at full": lambda e: e.heal("Vex", 5),
    "an adjustment": lambda e: e.adjust("Mara", by=-1),
    "no adjustment": lambda e: e.adjust("Mara", by=0),
    "a slot": lambda e: e.adjust(e.active or "", e.ruleset.slots.ids()[0], -1),
    "an edit": lambda e: e.edit("Mara", portrait="M"),
    "a condition": lambda e: e.condition("Mara", "bold"),
    "a place": lambda e: e.place("Mara", after="Vex"),
}


@pytest.mark.parametrize("what", BOOKKEEPING)
@pytest.mark.parametrize("system", SYSTEMS)
def test_undo_takes_back_one_call_of_bookkeeping(system: str, what: str) -> None:
    enc = ck.Encounter(system, seed=7)
    vital = enc.ruleset.vitals[0].name
    for name in ("Mara", "Vex"):
        sheet: dict[str, Any] = {vital: 20}
        enc.add(name, side=name, **sheet)
    enc.start()
    while enc.active is None:
        enc.end_turn()
    enc.damage("Mara", 9)
    for before in BOOKKEEPING.values():
        before(enc)
        between = enc._state
        BOOKKEEPING[what](enc)
        enc.undo()
        assert enc._state == between
        enc.redo()
        enc.undo()
        assert enc._state == between
