"""Going through a fight from a widget: to any past moment, back, undone to there, branched from there."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import nullcontext
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.weapons import said_spot
from combatkit.widgets import CombatLog, Tracker
from tests.conformance.player import play
from tests.test_widgets import crowd, make, parts, size
from tests.wire import hear, recording, sent

SYSTEMS = [rules.id for rules in ck.rulesets()]
LIMIT = 4 * 1024


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight() -> ck.Encounter:
    """Give a fight that has come to its third round."""
    enc = make()
    enc.do("Mara", "attack", target="Guard 1", rolls=[14], damage=5)
    while len(enc.history.rounds["round"].unique()) < 3:
        enc.end_turn()
    enc.end_turn()
    return enc


def go(widget: Any, **message: Any) -> dict[str, Any]:
    """Send a message, which must not be refused, and give the log's view."""
    answers = hear(widget, message)
    assert [each for each in answers if each["kind"] == "refused"] == []
    view: dict[str, Any] = (widget.log if isinstance(widget, Tracker) else widget).view
    return view


def rounds(enc: ck.Encounter) -> list[int]:
    """Give the last event of each call that opened a round."""
    calls = (enc._timeline.now.call_at(event.seq) for event in enc._events if event.kind == "round")
    return [call.last for call in calls]


def test_the_log_says_where_it_stands() -> None:
    enc = fight()
    tracker = Tracker(enc)
    events = len(enc._events)
    assert [tracker.log.view[key] for key in ("events", "at", "label", "way")] == [events, None, "Round 3", None]
    view = go(tracker, kind="at", seq=21)
    assert (view["at"], view["label"], view["way"], view["cursor"]) == (21, "Round 1", ["undo", 22], 20)
    assert tracker.view["past"]["call"] == enc._timeline.now.call_at(21).title, "it has only begun"
    assert "call" not in go(tracker, kind="at", seq=22)
    go(tracker, kind="at", seq=21)
    assert tracker.view["mode"] == "past"
    assert tracker.view["clock"]["label"] == "Round 1"
    assert tracker.budget.view["caption"] == "as it was at event 21"
    assert tracker.ladder.view["words"]["now"] == "then", "nothing is now in the past"
    view = go(tracker, kind="at", seq=None)
    assert (view["at"], view["cursor"]) == (None, view["last"])
    assert tracker.budget.view["caption"] == "speed 6"
    assert "now" not in tracker.ladder.view["words"]


def test_pages_go_by_rounds_to_the_ends_and_no_further() -> None:
    enc = fight()
    tracker = Tracker(enc)
    first, second, third = rounds(enc)
    assert go(tracker, kind="at", seq=len(enc._events), rounds=-1)["at"] == third
    assert go(tracker, kind="at", seq=third, rounds=-1)["at"] == second
    assert go(tracker, kind="at", seq=second + 1, rounds=-1)["at"] == second
    assert go(tracker, kind="at", seq=second, rounds=-2)["at"] == 1
    assert go(tracker, kind="at", seq=1, rounds=1)["at"] == first
    assert go(tracker, kind="at", seq=first, rounds=1)["at"] == second
    assert go(tracker, kind="at", seq=third, rounds=1)["at"] is None, "after the last round comes the present"


@pytest.mark.parametrize("every", [27, pytest.param(9, marks=pytest.mark.long)])
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_way_it_names_leads_there_and_there_is_no_other(system: str, every: int) -> None:
    ways: dict[str, int] = {}
    enc = play(system, 15, 70)
    for seq in range(1, len(enc._events) + 1, every):
        enc = play(system, 15, 70)
        way = go(Tracker(enc), kind="at", seq=seq)["way"]
        ways[way[0] if way else ""] = ways.get(way[0] if way else "", 0) + 1
        for kind, call in (("undo", enc.undo), ("redo", enc.redo)):
            if way and way[0] == kind:
                whole = enc._timeline.now.call_at(seq)
                assert whole is not None
                there = enc.at(whole.last)._state
                call(way[1])
                assert enc._state == there
            elif not way and enc._events[seq - 1].kind not in ("undo", "redo"):
                with pytest.raises(ck.InvalidInput):
                    call(seq)
    assert ways["undo"] > 3


def test_undone_to_here_and_redone_to_there() -> None:
    enc = fight()
    tracker = Tracker(enc)
    second = rounds(enc)[1]
    digest = enc.digest
    go(tracker.log, kind="at", seq=second)
    (answer,) = hear(tracker, {"kind": "undo"})
    assert "this is the past" in answer["reason"], "a step of undo is none that leads here"
    assert enc.digest == digest
    view = go(tracker.log, kind="undo", to=tracker.log.view["way"][1])
    assert (view["at"], tracker.view["mode"]) == (None, "play")
    assert enc.clock.round == 2
    later = rounds(enc)[2]
    view = go(tracker.log, kind="at", seq=later)
    assert view["way"] == ["redo", later]
    go(tracker.log, kind="redo", to=later)
    assert enc.clock.round == 3


def test_the_moment_of_an_undo_is_that_which_it_went_back_to() -> None:
    enc = make()
    enc.do("Mara", "climb")
    enc.undo()
    undone = len(enc._events)
    enc.do("Mara", "move")
    enc.end_turn()
    tracker = Tracker(enc)
    assert go(tracker, kind="at", seq=undone)["way"] == ["undo", enc._events[undone - 1].data["to"]]
    assert go(tracker, kind="at", seq=undone - 1)["way"] is None, "what was taken back and left so is not come back to"


def test_a_branch_is_shown_from_where_it_was_made_and_left_again() -> None:
    enc = fight()
    tracker = Tracker(enc)
    go(tracker, kind="at", seq=21)
    view = go(tracker, kind="branch", seq=21)
    branch = tracker.encounter
    assert branch is not enc
    assert enc.branches == (branch,)
    assert (view["branch"], view["branches"]) == ("saga-7@22", ["saga-7", "saga-7@22"])
    assert (view["events"], view["at"], tracker.view["mode"]) == (22, None, "play")
    hear(tracker, {"kind": "end_turn"})
    assert len(branch._events) > 22
    there = len(enc._events)
    view = go(tracker, kind="switch", branch="saga-7")
    assert tracker.encounter is enc
    assert view["events"] == there
    second = enc.branch(21)
    assert go(tracker, kind="at", seq=5)["branches"] == ["saga-7", "saga-7@22", second.id], "made elsewhere, listed too"
    view = go(tracker, kind="switch", branch=second.id)
    assert tracker.encounter is second
    (answer,) = hear(tracker, {"kind": "switch", "branch": "saga-8"})
    assert "unknown branch 'saga-8'" in answer["reason"]


def test_the_fight_that_a_branch_leads_back_to_goes_by_its_title() -> None:
    enc = fight()
    tracker = Tracker(enc)
    view = go(tracker, kind="branch", seq=21)
    named = enc.ruleset.title  # nobody has called it anything
    assert ("called" in view, view["titles"]) == (False, [named, f"{named}, from event 22"])
    enc.title = "Friday at the ford"
    tracker.refresh()
    assert tracker.view["past"]["called"] == "Friday at the ford"
    assert tracker.view["past"]["titles"] == ["Friday at the ford", "Friday at the ford, from event 22"]
    assert tracker.view["past"]["given"] == enc.id
    branch = enc.branch(15)
    branch.branch(14)
    assert Tracker(branch).view["past"]["titles"] == [
        f"Friday at the ford, from event {at}" for at in ("19", "19, from event 19")
    ], "in a tracker of a branch its own branches are told apart, too"


def test_a_branch_keeps_the_call_whose_moment_is_shown() -> None:
    enc = fight()
    tracker = Tracker(enc)
    inside = [call for call in (each.call for each in enc._timeline.now.tape.stands) if call.first < call.last]
    for call in inside[-3:]:
        assert go(tracker, kind="at", seq=call.first)["fork"] == call.last
        go(tracker, kind="branch", seq=call.first)
        shown = tracker.encounter
        assert shown.id == f"saga-7@{call.last}"
        assert shown._state == enc.at(call.last)._state
        go(tracker, kind="switch", branch="saga-7")


def test_a_fight_set_up_in_the_tracker_is_its_own_and_only_its_branches_are_others() -> None:
    tracker = ck.Tracker()
    go(tracker, kind="ruleset", ruleset="d6")
    go(tracker, kind="add", name="Mara", side="rebels")
    assert go(tracker, kind="start")["given"] is None
    own = tracker.encounter.id
    assert go(tracker, kind="branch", seq=4)["given"] == own
    assert go(tracker, kind="switch", branch=own)["given"] is None


def test_the_widget_says_when_it_shows_another_fight_than_the_one_given() -> None:
    enc = fight()
    tracker = Tracker(enc)
    assert tracker.log.view["given"] is None
    assert go(tracker, kind="branch", seq=21)["given"] == "saga-7"
    assert go(tracker, kind="switch", branch="saga-7")["given"] is None
    hear(tracker, {"kind": "restart", "seed": 5})
    assert go(tracker, kind="start")["given"] == "saga-7"


def test_a_branch_is_of_a_whole_start() -> None:
    enc = fight()
    tracker = Tracker(enc)
    begun = next(event.seq for event in enc._events if event.kind == "round")
    view = go(tracker, kind="at", seq=begun)
    go(tracker, kind="branch", seq=view["fork"])
    assert tracker.encounter.active == "Mara", "a start that is only half there could not be gone on from"
    hear(tracker, {"kind": "end_turn"})
    assert tracker.encounter.active == "Ossik"


def test_a_branch_of_a_branch_leads_home() -> None:
    enc = fight()
    tracker = Tracker(enc)
    go(tracker, kind="branch", seq=30)
    view = go(tracker, kind="branch", seq=21)
    assert view["branches"] == ["saga-7", "saga-7@31", "saga-7@31@22"]
    go(tracker, kind="switch", branch="saga-7")
    assert tracker.encounter is enc
    alone = Tracker(enc.branches[0])
    assert alone.log.view["branches"] == ["saga-7@31", "saga-7@31@22"]
    hear(tracker, {"kind": "restart", "seed": 5})
    family = go(tracker, kind="start")["branches"]
    assert family == [tracker.encounter.id] != ["saga-7@31"], "another fight has another family"


def test_a_journal_goes_on_with_the_line_that_was_shown_last_and_leads_to_the_others(tmp_path: Path) -> None:
    friday = tmp_path / "friday.combat"
    tracker = Tracker(journal=friday)
    for name in ("Mara", "Vex"):
        hear(tracker, {"kind": "add", "name": name, "side": name})
    hear(tracker, {"kind": "start"})
    given = tracker.encounter.id
    go(tracker, kind="branch", seq=len(tracker.encounter._events))
    branch = tracker.encounter.id
    assert branch != given
    for shown in (given, branch):
        if shown != tracker.encounter.id:
            go(tracker, kind="switch", branch=shown)
        fights = tracker._vantage.family.values()
        tracker.close()
        for each in fights:
            each.close()
        with nullcontext() if shown == given else pytest.warns(match=f"open.*{given!r}. opens what it is a branch of"):
            tracker = Tracker(journal=friday)
        assert tracker.encounter.id == shown, "what was looked at last, though nothing was done in it"
        assert tracker.log.view["branches"] == [given, branch], "a branch leads back as well"
        assert tracker.log.view["given"] == (None if shown == given else given)
        hear(tracker, {"kind": "end_turn"})
    go(tracker, kind="switch", branch=given)
    assert tracker.encounter.id == given


def test_branches_stand_side_by_side() -> None:
    enc = fight()
    branch, again = enc.branch(21), enc.branch(21)
    branch.adjust("Mara", "hp", -9)
    frames = ck.history.stack([enc, branch, again])
    assert sorted(frames.events["encounter"].unique()) == ["saga-7", "saga-7@22", "saga-7@22-2"]
    trackers = [Tracker(enc), Tracker(branch)]
    vitals = [next(r["vital"] for r in t.ladder.view["rows"].values() if r["name"] == "Mara") for t in trackers]
    assert vitals == [[38, 38], [29, 38]]


def test_players_and_a_fight_that_has_not_begun_have_no_scrubber() -> None:
    enc = fight()
    players = Tracker(enc, view="players")
    assert (players.log.view["events"], players.log.view["at"]) == (0, None)
    for message in ({"kind": "at", "seq": 5}, {"kind": "branch", "seq": 5}, {"kind": "switch", "branch": "saga-7"}):
        (answer,) = hear(players, message)
        assert answer["reason"] == "this is the players' view: you can only watch"
    assert CombatLog(make(started=False)).view["events"] == 0


@pytest.mark.parametrize("count", [8, 200])
def test_a_step_of_the_scrubber_is_small(count: int) -> None:
    enc = crowd(count, 10)
    for _ in range(30):
        enc.end_turn()
    tracker = Tracker(enc)
    events = len(enc._events)
    go(tracker, kind="at", seq=events - 100)
    for seq in range(events - 99, events):
        message = {"kind": "at", "seq": seq, "id": 281_474_976_710_655}
        [sent(widget) for widget in parts(tracker)]
        found = [*hear(tracker, message), *(each for widget in parts(tracker)[1:] for each in sent(widget))]
        assert len(found) == 1
        assert size(message) + size(found[0]) <= LIMIT


def test_a_long_past_moment_has_its_lines_on_request() -> None:
    enc = make()
    for _ in range(250):
        enc.adjust("Mara", "hp", -1)
        enc.adjust("Mara", "hp", 1)
    log = CombatLog(enc)
    view = go(log, kind="at", seq=25)
    assert view["cursor"] == 25
    assert "25" not in view["lines"]
    (answer,) = hear(log, {"kind": "log", "id": 1, "from": 13, "to": 37})
    assert "25" in answer["lines"]
    assert len(json.dumps(answer)) <= LIMIT


def test_a_widget_of_a_moment_stays_there_until_somebody_goes_on_from_it() -> None:
    enc = fight()
    then, who = enc.at(), enc.active
    assert then.digest == enc.digest
    label = enc.clock.label
    shown = [ck.InitiativeLadder(then), ck.ActionBudget(then), CombatLog(then), Tracker(then)]
    enc.end_turn()
    enc.damage("Mara", 3)
    assert enc.active != who
    assert [repr(each).count(f"{label}, {who}'s turn") for each in shown] == [1] * len(shown)
    ladder, budget, log, tracker = shown
    assert (ladder.view["rows"][ladder.view["current"]]["name"], budget.view["name"]) == (who, who)
    assert log.view["at"] == then._events[-1].seq
    assert tracker.view["mode"] == "past"
    assert tracker.encounter is enc
    go(tracker, kind="at", seq=None)
    assert (tracker.view["mode"], tracker.budget.view["name"]) == ("play", enc.active)
    enc.end_turn()
    assert tracker.budget.view["name"] == enc.active


# ── the moment of a line ──

GOES: dict[str, tuple[str, Any, Any]] = {
    "saga": ("move", (0, 0), (-3, 0)),
    "d6": ("move", "Z1", "Z2"),
    "ap": ("dash", (0, 0), (-3, 0)),
    "segments": ("move", (0, 0), (-3, 0)),
    "phases": ("half_move", (0, 0), (-3, 0)),
}


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_moment_of_a_line_shows_what_it_says_done(system: str) -> None:
    action, at, to = GOES[system]
    enc = ck.Encounter(system, seed=3, map=[("Z1", "Z2")] if system == "d6" else None)
    enc.add("Ann", side="a", at=at)
    enc.add("Bob", side="b", at=at if system == "d6" else (9, 9))
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    enc.do("Ann", action, to=to)
    enc.end_turn()
    tracker = Tracker(enc)
    line = next(
        line for line in tracker.log.view["lines"].values() if str(line["text"][0]).startswith(("moves", "dash"))
    )
    assert said_spot(to) in line["text"][0]
    view = go(tracker, kind="at", seq=line["done"])
    assert tracker._vantage.now["Ann"].position == to
    assert tracker._vantage.now.active == "Ann"
    assert view["cursor"] == line["seq"], "it stands at the line that was clicked"
    seen = Tracker(enc, view="players").log.view["lines"].values()
    assert not any("done" in line for line in seen), "players learn no number of an event"


def test_the_moment_of_a_line_ends_where_others_are_asked_and_when_the_next_turn_begins() -> None:
    enc = ck.Encounter("saga", seed=3, options={"openings": "leaving_reach"})
    enc.add("Ann", side="a", at=(0, 0))
    enc.add("Bob", side="b", at=(1, 0))
    enc.start(rolls={"Ann": 20, "Bob": 1})
    enc.condition("Ann", "prone")
    enc.do("Ann", "stand_up")
    enc.do("Ann", "move", to=(-3, 0))
    enc.do("Bob", "attack_of_opportunity", target="Ann", outcome="miss")
    enc.resolve() if enc.pending else None
    enc.end_turn()
    lines = Tracker(enc).log.view["lines"].values()
    at = {str(line["text"][0]): enc.at(line.get("done", line["seq"])) for line in lines}
    assert at["is prone"]["Ann"].conditions[0].id == "prone"
    assert at["stands up."]["Ann"].conditions == ()
    assert at["moves."].pending == ()
    assert at["moves."]["Ann"].position == (0, 0)
    goes = f"goes from (0, 0) to {said_spot((-3, 0))}."
    assert at[goes]["Ann"].position == (-3, 0)
    assert at[goes].active == "Ann"
