"""What the tracker knows of a fight that is being set up: who is in, what is asked of somebody new."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.widgets import Tracker
from tests.wire import hear, recording

SYSTEMS = [each.id for each in ck.rulesets()]


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(system: str = "saga", **options: Any) -> ck.Encounter:
    return ck.Encounter(system, seed=7, **options)


def members(tracker: Tracker) -> dict[str, dict[str, Any]]:
    return {each["name"]: each for each in tracker.view["setup"]["combatants"]}


def refused(tracker: Tracker, message: dict[str, Any]) -> str:
    """Send a message that is refused, and return why; nothing has changed."""
    enc = tracker.encounter
    before = enc.digest
    (answer,) = hear(tracker, message)
    assert answer["kind"] == "refused", answer
    assert tracker.encounter is enc
    assert enc.digest == before
    return str(answer["reason"])


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_fight_needs_comes_first_and_is_little(system: str) -> None:
    stats = Tracker(fight(system)).view["setup"]["stats"]
    first = [stat["id"] for stat in stats if stat.get("first")]
    assert 3 <= len(first) <= 6
    assert {stat["id"] for stat in stats if stat["vital"]} <= set(first)


def test_a_stat_that_is_a_number_or_a_word_can_be_typed() -> None:
    tracker = Tracker(fight("segments"))
    kinds = {stat["id"]: stat["type"] for stat in tracker.view["setup"]["stats"]}
    assert kinds["aac0"] == kinds["hit_dice"] == "either"
    hear(tracker, {"kind": "add", "name": "Toad", "side": "foes", "aac0": "20*", "hit_dice": 2})
    assert members(tracker)["Toad"]["stats"] == {"aac0": "20*", "hit_dice": 2}


def test_a_member_is_edited_and_what_is_cleared_is_as_usual() -> None:
    tracker = Tracker(fight())
    hear(tracker, {"kind": "add", "name": "Mara", "side": "rebels", "dex": 4, "level": 6, "feats": ["Dodge"]})
    assert members(tracker)["Mara"]["stats"] == {"dex": 4, "level": 6, "feats": ["Dodge"]}
    hear(tracker, {"kind": "edit", "name": "Mara", "dex": None, "level": 7})
    assert members(tracker)["Mara"]["stats"] == {"level": 7, "feats": ["Dodge"]}
    assert "level is" in refused(tracker, {"kind": "edit", "name": "Mara", "level": 700})


def test_a_weapon_stands_by_its_name_in_a_member_s_line() -> None:
    enc = fight()
    enc.add("Mara", side="rebels", weapons=[{"name": "Blaster rifle", "damage": "3d8", "attack": 9}])
    assert members(Tracker(enc))["Mara"]["summary"] == "Blaster rifle +9, 3d8"


@pytest.mark.parametrize("system", SYSTEMS)
def test_name_and_side_are_changed_in_one_step(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels", portrait="M")
    enc.add("Guard", side="empire", count=2, npc=True, conditions=["prone"])
    tracker = Tracker(enc)
    hear(tracker, {"kind": "sheet", "name": "Guard 1", "called": " Sarge ", "side": "rebels", "portrait": "S"})
    assert list(members(tracker)) == ["Mara", "Sarge", "Guard 2"], "where they stood"
    sarge = enc["Sarge"]
    assert (sarge.side, sarge.group, sarge.stats["portrait"]) == ("rebels", "Guard", "S")
    assert [held.id for held in sarge.conditions] == ["prone"]
    assert tracker.view["result"]["text"] == [
        {"strong": "Guard 1"},
        " is now ",
        {"strong": "Sarge"},
        " (side: rebels).",
    ]
    before = enc.digest
    wrong = {"kind": "sheet", "name": "Mara", "called": "Mara", "side": "rebels"}
    for changed, why in (
        ({"called": "Sarge"}, "already in the fight"),
        ({"called": ""}, "name"),
        ({"side": ""}, "side"),
    ):
        assert why in refused(tracker, {**wrong, **changed})
    assert enc.digest == before
    enc.undo()
    assert list(members(tracker)) == ["Mara", "Guard 1", "Guard 2"], "one step of undo"
    hear(tracker, {"kind": "start"})
    assert "the fight is running" in refused(tracker, wrong)


def test_who_comes_in_and_who_comes_back_is_told() -> None:
    enc = fight()
    tracker = Tracker(enc)
    said = []
    guard = {"name": "Guard", "side": "empire", "npc": True}
    calls: list[dict[str, Any]] = [
        {"kind": "add", **guard, "count": 2},
        {"kind": "add", "name": "Mara", "side": "rebels"},
        {"kind": "start"},
        {"kind": "join", **guard},
        {"kind": "leave", "name": "Mara"},
        {"kind": "join", "name": "Mara"},
    ]
    for call in calls:
        hear(tracker, call)
        said.append(
            "".join(each if isinstance(each, str) else each["strong"] for each in tracker.view["result"]["text"])
        )
    assert said[:2] == [
        "Guard 1 and Guard 2 join the fight (side: empire).",
        "Mara joins the fight (side: rebels).",
    ]
    assert said[3] == "Guard 3 joins the fight (side: empire).", "numbered on"
    assert said[5] == "Mara is back (side: rebels)."


def test_dice_of_many_are_told_a_line_each() -> None:
    enc = fight("ap")
    enc.add("Mara", side="rebels", initiative_rating=9)
    enc.add("Guard", side="empire", count=3, npc=True)
    tracker = Tracker(enc)
    hear(tracker, {"kind": "dice", "mode": "table"})
    (answer,) = hear(
        tracker, {"kind": "choices", "name": None, "action": "start", "rolls": {"Mara": [4], "Guard 1": [9]}}
    )
    mara, guards = answer["dice"]
    assert mara["who"] == {"name": "Mara", "side": 0, "note": "", "plus": "+ 9 Initiative Rating", "total": 13}
    assert guards["who"]["note"] == "for all of Guard · the GM rolls"
    assert "total" not in guards["who"]
    assert guards["error"].startswith("9 is not on a d6")


# ── who was taken out before the start ──


def told(enc: ck.Encounter, folder: Path) -> list[str]:
    """All that a fight tells in words: its log, for both readers, and as pages."""
    enc.to_html(folder / "page.html")
    whole = [str(enc.log(undone=undone, view=view)) for undone in (False, True) for view in ("gm", "players")]
    return [*whole, enc.log().html, (folder / "page.html").read_text()]


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_who_was_taken_out_before_the_start_was_never_in_the_fight(system: str, tmp_path: Path) -> None:
    spot: Any = "hall" if system == "d6" else (0, 3)
    enc = ck.Encounter(system, seed=3, journal=tmp_path / "fight.combat")
    enc.add("Quark", side="town", count=2, at=spot)
    enc.add("Bone", side="undead")
    enc.add("Ann", side="town")
    enc.condition(["Quark 1", "Ann"], "blessed")
    enc.place("Quark 1", at=spot)
    enc.condition("Bone", "cursed")
    enc.condition("Quark 1", "cursed")
    enc.undo()
    enc.leave(["Quark 1", "Bone"])
    assert "Quark 1" not in str(enc.log(undone=True))
    enc.undo()
    assert "Quark 1 and Ann are blessed" in str(enc.log()), "they are there again"
    enc.redo()
    enc.add("Bone", side="town")
    enc.condition("Bone", "hexed")
    enc.start()
    for _ in range(2):
        while enc.pending:
            enc.resolve()
        enc.end_turn()
    enc.close()
    for each in (enc, ck.Encounter.open(tmp_path / "fight.combat")):
        assert "Bone is hexed" in str(each.log())
        for text in told(each, tmp_path):
            assert "Quark 2" in text
            assert "Ann" in text
            for gone in ("Quark 1", "undead", "cursed"):
                assert gone not in text, text[max(0, text.find(gone) - 80) :][:200]


def test_who_is_only_called_otherwise_was_there_all_along() -> None:
    enc = ck.Encounter("saga", seed=3)
    enc.add("Guard", side="town")
    enc.condition("Guard", "prone")
    enc._turn_into("Guard", "Gus", "town", {})
    enc.start()
    assert "Guard is prone" in str(enc.log())


def test_who_is_called_otherwise_keeps_what_their_conditions_say() -> None:
    enc = ck.Encounter("segments", seed=3)
    enc.add("Guard", side="town", conditions=["prone"])
    enc.condition("Guard", "cover", value=50, until="3 rounds")
    enc.condition("Guard", "watchful", modifiers={"ac": 2})
    before = [(held.id, held.value, held.modifiers) for held in enc["Guard"].conditions]
    enc._turn_into("Guard", "Gus", "town", {})
    assert [(held.id, held.value, held.modifiers) for held in enc["Gus"].conditions] == before
    assert [held.id for held in enc.restart()["Gus"].conditions] == ["prone"]


def test_who_leaves_once_the_fight_has_begun_was_in_it() -> None:
    enc = ck.Encounter("saga", seed=3)
    enc.add("Guard", side="town")
    enc.add("Ann", side="town")
    enc.condition("Guard", "prone")
    enc.start()
    enc.leave("Guard")
    assert "Guard is prone" in str(enc.log())


def test_a_number_that_may_be_several_by_kind_has_a_box_as_long_as_it_is_one() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Mara", side="party", movement=90)
    enc.add("Roc", side="foes", movement={"walk": 30, "fly": 240})
    setup = ck.Tracker(enc).view["setup"]
    assert [(stat["type"], stat["default"]) for stat in setup["stats"] if stat["id"] == "movement"] == [("int", None)]
    assert [member["stats"].get("movement") for member in setup["combatants"]] == [90, None]
    armor = [stat["type"] for stat in ck.Tracker(ck.Encounter("d6")).view["setup"]["stats"] if stat["id"] == "armor"]
    assert armor == ["int"]
