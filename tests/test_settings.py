"""Settings of a tracker: readings and seed before the start, the turn timer, and the file a fight is kept in."""

from __future__ import annotations

import re
from itertools import count
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.widgets._intents import hear


@pytest.fixture(autouse=True)
def _folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "notebooks").mkdir()
    monkeypatch.chdir(tmp_path / "notebooks")


def tell(tracker: ck.Tracker, kind: str, **content: Any) -> dict[str, Any]:
    return hear(tracker._vantage, {"kind": kind, **content}) or {}


def readings(tracker: ck.Tracker) -> dict[str, Any]:
    return {each["id"]: each for each in tell(tracker, "settings")["options"]}


def ready(**options: Any) -> ck.Tracker:
    enc = ck.Encounter("saga", id="docks", seed=7, options=options or None)
    enc.add("Mara", side="rebels", dex=4, feats=["Quick Draw"])
    enc.add("Guard", side="empire", count=2, npc=True)
    enc.edit("Guard 2", level=3)
    return ck.Tracker(enc)


# ── readings and seed ──


def test_every_option_is_told_with_its_readings_in_words() -> None:
    for ruleset in ck.rulesets():
        told = readings(ck.Tracker(ck.Encounter(ruleset)))
        assert list(told) == ["vital_words", *ruleset.options]
        for id, option in told.items():
            assert option["text"].endswith("."), "in words"
            if id in ruleset.options:
                assert option["text"] == ruleset.options[id].text
                assert option["rules"] == list(ruleset.options[id].rules[:4])
            assert "_" not in option["title"] + option["word"]
            assert not re.search(r"\b(?:Ap|Pcs|[Nn]pcs?)\b", option["title"]), "as a table writes it"
            assert not re.search(r"[a-z]_[a-z]", option["text"]), "no id"
    saga = readings(ready())
    assert saga["trade_down"]["type"] == "switch"
    assert (saga["charge"]["type"], saga["charge"]["word"]) == ("one", "full round")
    assert saga["charge"]["values"] == [["full_round", "full round"], ["standard", "standard"]]
    assert (saga["free_action_cap"]["type"], saga["free_action_cap"]["value"]) == ("number", None)


def test_what_players_read_of_foes_is_chosen_before_the_start() -> None:
    tracker = ready()
    assert readings(tracker)["vital_words"]["word"] == "nothing"
    assert tell(tracker, "anew", options={"vital_words": "words"}) == {}
    assert readings(tracker)["vital_words"]["word"] == "words"
    enc = tracker.encounter
    enc.edit("Guard 1", hp=10)
    enc.start()
    enc.damage("Guard 1", 6)
    (rung,) = [row for row in ck.Tracker(enc, view="players").ladder.view["rows"].values() if row["name"] == "Guard 1"]
    assert "bloodied" in str(rung)
    assert "4" not in str(rung.get("vitals", ""))


def test_readings_and_seed_are_chosen_before_the_start_and_everybody_stays() -> None:
    tracker = ready(drop_item="swift")
    before = [tracker.encounter[name] for name in tracker.encounter.names]
    assert tell(tracker, "anew", options={"trade_down": True}) == {}
    enc = tracker.encounter
    assert (enc._state.options["trade_down"], enc._state.options["drop_item"], enc.seed) == (True, "swift", 7)
    assert [enc[name] for name in enc.names] == before
    assert tell(tracker, "anew", seed=str(2**64 - 1)) == {}
    assert (tracker.encounter.seed, tell(tracker, "settings")["seed"]) == (2**64 - 1, "18446744073709551615")
    assert tracker.encounter._state.options["trade_down"] is True
    wrongs: list[dict[str, Any]] = [{"options": {"charge": "free"}}, {"options": {"luck": 1}}]
    for wrong in [*wrongs, {"seed": "x"}, {"seed": -1}, {"seed": "9" * 20}]:
        enc = tracker.encounter
        assert tell(tracker, "anew", **wrong)["kind"] == "refused"
        assert tracker.encounter is enc
    enc.start()
    assert tell(tracker, "settings")["unbegun"] is False
    assert "before the start" in tell(tracker, "anew", options={"trade_down": False})["reason"]
    assert tracker.encounter is enc


def test_another_list_of_actions_brings_its_own_defaults_and_keeps_what_was_chosen() -> None:
    enc = ck.Encounter("ap", options={"pcs_beat_npcs": not ck.ruleset("ap").options["pcs_beat_npcs"].default})
    book = ck.Encounter("ap", options={"actions": "book"})._state.options
    other = enc.restart(options={"actions": "book"})._state.options
    assert other == {**book, "pcs_beat_npcs": enc._state.options["pcs_beat_npcs"]}
    assert enc.restart()._state.options == enc._state.options
    back = ck.Encounter("ap", options={"actions": "book"}).restart(options={"actions": "ours"})
    assert back._state.options == ck.Encounter("ap")._state.options


def test_the_title_is_shown_and_changed_and_kept_with_the_fight() -> None:
    tracker = ready()
    tell(tracker, "journal", name="friday")
    digest = tracker.encounter.digest
    assert tell(tracker, "settings")["called"] == ""
    assert tell(tracker, "title", title="The docks <b>at night</b>") == {}
    assert tell(tracker, "settings")["called"] == "The docks <b>at night</b>"
    assert tracker.encounter.digest == digest
    page = tracker.encounter.to_html("docks.html").read_text(encoding="utf-8")
    assert "<title>The docks &lt;b&gt;at night&lt;/b&gt;</title>" in page
    assert tell(tracker, "title", title="x" * 201)["kind"] == "refused"
    tracker.encounter.start()
    tell(tracker, "restart")
    assert tell(tracker, "settings")["called"] == "The docks <b>at night</b>", "the same fight, run again"
    tracker.encounter.close()
    assert {entry.title for entry in ck.campaign("friday.combat")} == {"The docks <b>at night</b>"}
    tell(tracker, "title", title="")
    assert "<title>docks" in ready().encounter.to_html("untold.html").read_text(encoding="utf-8")


def test_a_fight_that_is_set_up_by_other_rules_keeps_its_title() -> None:
    own = ck.Tracker()
    tell(own, "title", title="The docks")
    tell(own, "ruleset", ruleset="d6")
    assert own.encounter.ruleset.id == "d6"
    assert tell(own, "settings")["called"] == "The docks"


def test_a_fight_is_run_again_from_the_same_seed() -> None:
    tracker = ready()
    tell(tracker, "anew", seed=str(2**63 + 1))
    first = tracker.encounter
    first.start()
    tell(tracker, "restart", seed=str(first.seed))
    tracker.encounter.start()
    assert tracker.encounter is not first
    assert tracker.encounter.digest == first.digest
    tell(tracker, "restart")
    assert tracker.encounter.seed != first.seed


def test_players_are_told_no_setting() -> None:
    tracker = ck.Tracker(ready().encounter, view="players")
    messages: list[tuple[str, dict[str, Any]]] = [
        ("settings", {}),
        ("anew", {}),
        ("timer", {"on": True}),
        ("title", {"title": "x"}),
    ]
    for kind, content in [*messages, ("journal", {"name": "friday"})]:
        assert tell(tracker, kind, **content)["kind"] == "refused"
    assert list(Path.cwd().iterdir()) == []


# ── which fight is shown ──


def given(tracker: ck.Tracker) -> Any:
    return tracker.log.view.get("given")


def test_a_tracker_says_when_it_shows_another_fight_than_the_one_given() -> None:
    enc = ready().encounter
    enc.start()
    tracker = ck.Tracker(enc)
    assert given(tracker) is None
    tell(tracker, "branch", seq=len(enc._events))
    assert (given(tracker), tracker.encounter.parent) == ("docks", ("docks", len(enc._events)))
    tell(tracker, "switch", branch="docks")
    assert given(tracker) is None
    tell(tracker, "restart")
    tracker.encounter.start()
    assert given(tracker) == "docks"
    own = ck.Tracker()
    tell(own, "ruleset", ruleset="d6")
    tell(own, "anew", seed=3)
    own.encounter.add("Mara", side="heroes")
    own.encounter.start()
    assert given(own) is None, "nobody holds what it began with"


# ── the timer ──


def test_the_header_is_told_when_the_turn_began_and_nothing_else_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    tracker = ready()
    enc = tracker.encounter
    enc.start()
    ticks, wall = count(), [1_000.0]
    enc._stopwatch._clock = lambda: float(next(ticks))
    monkeypatch.setattr("combatkit.fight.fight.time", lambda: wall[0])
    before, state = enc.digest, enc._state
    assert "timer" not in tracker.view
    tell(tracker, "timer", on=True)
    assert tracker.view["timer"] == 1_000_000
    assert tell(tracker, "settings")["timer"] is True
    assert (enc.digest, enc._state) == (before, state)
    wall[0] = 1_010.0
    enc.damage("Mara", 0)
    assert tracker.view["timer"] == 1_000_000, "it stays while the turn lasts"
    wall[0] = 1_020.0
    enc.end_turn()
    assert tracker.view["timer"] == 1_020_000
    tell(tracker, "at", seq=5)
    assert "timer" not in tracker.view, "the past takes no time"
    tell(tracker, "at", seq=None)
    assert "timer" in tracker.view
    tell(tracker, "branch", seq=len(enc._events))
    assert [each._stopwatch.runs for each in (tracker.encounter, enc)] == [True, False]
    tracker.encounter.finish()
    assert "timer" not in tracker.view
    tell(tracker, "timer", on=False)
    assert tell(tracker, "settings")["timer"] is False
    assert "timer" not in ck.Tracker(enc, view="players").view
    assert tell(tracker, "timer", on=1)["kind"] == "refused"


# ── the journal ──


def test_a_fight_is_kept_from_now_on_with_everything_so_far() -> None:
    tracker = ready()
    enc = tracker.encounter
    enc.start()
    enc.end_turn()
    enc.undo()
    branch = enc.branch(len(enc._events))
    branch.end_turn()
    answer = tell(tracker, "journal", id=4, name="friday")
    assert answer["text"] == (
        "From now on docks is kept in friday.combat, with everything so far. In the notebook it is tracker.encounter."
    )
    assert (answer["id"], answer["name"], tell(tracker, "settings")["journal"]) == (4, "friday.combat", "friday.combat")
    assert tracker.encounter is enc
    assert [each.id for each in enc.branches] == [branch.id]
    assert enc.can_redo
    enc.redo()
    enc.end_turn()
    enc.undo()
    digests = enc.digest, branch.digest
    events = [(each.seq, each.text) for each in enc._events]
    enc.close()
    branch.close()
    again = ck.Encounter.open("friday.combat", "docks")
    assert again is not enc
    assert (again.digest, [(each.seq, each.text) for each in again._events]) == (digests[0], events)
    assert ck.Encounter.open("friday.combat", branch.id).digest == digests[1]
    again.undo()
    again.redo()
    assert tell(ck.Tracker(again), "journal", name="friday")["reason"] == "This fight is already kept in friday.combat."
    again.close()


def test_a_long_fight_is_kept_whole() -> None:
    enc = ready().encounter
    enc.start()
    for _ in range(400):
        enc.end_turn()
    assert len(enc._events) > 1_100
    assert tell(ck.Tracker(enc), "journal", name="long")["kind"] == "journal"
    digest = enc.digest
    enc.close()
    with ck.Encounter.open("long.combat") as again:
        assert again.digest == digest


def test_a_journal_that_is_there_is_opened_and_said() -> None:
    with ck.Encounter("d6", id="thursday", journal="old.combat") as old:
        old.add("Ada", side="heroes")
        old.start()
    tracker = ready()
    answer = tell(tracker, "journal", name="old.combat")
    assert "isn't kept in a file" in answer["reason"]
    assert tracker.encounter.id == "docks"
    answer = tell(tracker, "journal", name="old.combat", leave=True)
    assert answer["text"].startswith("This is thursday, from old.combat; the fight you had open is closed.")
    assert tracker.encounter.id == "thursday"
    assert tracker.log.view["given"] == "docks"
    tell(tracker, "restart")
    assert tracker.encounter._timeline.journal is not None, "what follows is kept there as well"
    assert "is kept in old.combat" in tell(tracker, "journal", name="new")["reason"]
    assert [path.name for path in Path.cwd().glob("*.combat")] == ["old.combat"]
    tracker.encounter.close()


@pytest.mark.parametrize(
    "name",
    [
        *("../up.combat", "a/b.combat", "a\\b.combat", "/x.combat", "C:x.combat", "..", ".", "", ".hidden.combat"),
        *(
            "~.combat",
            "a..b",
            "x\x00.combat",
            "x\n.combat",
            "CON",
            "nul.txt.combat",
            "\u202ex.combat",
            "x" * 200,
            "-x",
            " x",
        ),
    ],
)
def test_only_a_bare_plain_name_is_a_journal(name: str) -> None:
    tracker = ready()
    answer = tell(tracker, "journal", name=name)
    assert "isn't a plain file name" in answer["reason"], answer
    assert list(Path.cwd().parent.rglob("*")) == [Path.cwd()]
    assert tracker.encounter._timeline.journal is None


def test_what_is_no_journal_or_leads_out_is_left_as_it_is(tmp_path: Path) -> None:
    tracker = ready()
    Path("notes.combat").write_text("my notes", encoding="utf-8")
    Path("folder.combat").mkdir()
    ck.Encounter("saga", id="elsewhere", journal=tmp_path / "elsewhere.combat").close()
    Path("link.combat").symlink_to(tmp_path / "elsewhere.combat")
    Path("new.combat").symlink_to(tmp_path / "made.combat")
    for name, reason in [
        ("notes", "exists and isn't a journal"),
        ("folder", "exists and isn't a journal"),
        ("link", "leads out of the notebook's folder"),
        ("new", "leads out of the notebook's folder"),
    ]:
        assert reason in tell(tracker, "journal", name=name, leave=True)["reason"]
    assert Path("notes.combat").read_text(encoding="utf-8") == "my notes"
    assert not (tmp_path / "made.combat").exists()
    assert tracker.encounter._timeline.journal is None


def test_the_other_fights_of_a_journal_are_listed_and_gone_back_to() -> None:
    tracker = ck.Tracker(journal="friday.combat")
    first = tracker.encounter
    first.add("Mara", side="rebels")
    first.title = "The yard"
    assert tell(tracker, "settings")["fights"] == []
    first.start()
    first.finish()
    tell(tracker, "restart")
    (other,) = tell(tracker, "settings")["fights"]
    assert (other["fight"], other["title"]) == (first.id, "The yard")
    assert other["about"].startswith(first.ruleset.title)
    second = tracker.encounter
    tell(tracker, "fight", fight=first.id)
    assert (tracker.encounter, tracker.view["mode"]) == (first, "over")
    assert [each["fight"] for each in tell(tracker, "settings")["fights"]] == [second.id]
    tell(tracker, "fight", fight=second.id)
    assert tracker.encounter is second
    assert "nobody" in tell(tracker, "fight", fight="nobody")["reason"]
    assert "isn't kept in a file" in tell(ready(), "fight", fight="docks")["reason"]
