"""What a game master who plays segments by hand is shown: own attacks, what is declared, the order of choices."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets import Tracker
from tests.systems.segments_table import SPELLS, rolled, to_step
from tests.wire import hear, recording

LINES = ["MELEE: 2 claws (1d4/1d4+1) and bite (1d6)", "MISSILE: spit (1d3)"]


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def tracker(**stats: Any) -> Tracker:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Thing", side="dead", ac=4, hp=25, attacks=LINES, **stats)
    enc.add("Mara", side="party", ac=4, hp=30, aac0=16)
    return Tracker(enc)


def begun(**stats: Any) -> Tracker:
    shown = tracker(**stats)
    shown.encounter.start()
    while shown.encounter.active != "Thing":
        shown.encounter.end_turn()
    return shown


def asked(shown: Tracker, action: str, /, **params: Any) -> dict[str, Any]:
    answer: dict[str, Any]
    (answer,) = hear(shown, {"kind": "choices", "id": 1, "name": "Thing", "action": action, "params": params})
    return answer


def test_attack_lines_stand_first_as_own_attacks() -> None:
    view = begun(aac0=15, weapons=["staff"]).budget.view
    assert view["groups"][0] == "attacks"
    rows = [view["action"][id] for id in view["group"]["attacks"]["actions"]]
    assert [(row["id"], row["title"], row.get("extra")) for row in rows] == [
        ("attack", "2 claws and bite", "1d4/1d4+1, 1d6"),
        ("missile_attack", "spit", "1d3"),
        ("attack", "staff", None),
    ]
    assert [row["params"] for row in rows] == [{"weapon": "claws"}, {"weapon": "spit"}, {"weapon": "staff"}]


def test_what_was_declared_stands_first_in_its_turn_and_says_so() -> None:
    shown = tracker()
    enc = shown.encounter
    enc.start()
    enc.do("Mara", "declare", action="invocation")
    while enc.active != "Mara":
        if enc.pending:
            enc.do("Mara", "announce_target", target="Thing")
        else:
            enc.end_turn()
    view = shown.budget.view
    first = view["group"]["usual"]["actions"][0]
    assert (first, view["action"][first]["extra"]) == ("invocation", "declared")


def test_attack_lines_can_be_typed_and_are_shown_as_they_were() -> None:
    shown = tracker()
    assert shown.view["setup"]["combatants"][0]["stats"]["attacks"] == "; ".join(LINES)
    typed = "MELEE: long sword (1d8+1); MISSILE: dagger (1d4)"
    hear(shown, {"kind": "edit", "name": "Mara", "attacks": typed})
    (told,) = hear(shown, {"kind": "card", "id": 1, "name": "Mara"})
    assert told["has"]["attacks"] == typed
    shown.encounter.start()
    shown.encounter.end_turn()
    enc = shown.encounter
    while enc.active != "Mara":
        enc.end_turn()
    enc.do("Mara", "attack", target="Thing", weapon="long sword", rolls={"attack": [19], "damage": [4]})
    assert enc["Thing"].values["hp"] == 25 - 5


def test_damage_is_not_dealt_before_somebody_says_that_it_hits() -> None:
    shown = begun()
    said = asked(shown, "attack", target=["Mara"], damage="2d4")
    why = "Thing's sheet has no Roll to hit AC 0. Say whether it hits."
    assert (said["ruling"]["allowed"], said["ruling"]["reason"]) == (False, [why])
    for outcome in ("hit", "miss"):
        assert asked(shown, "attack", target=["Mara"], damage="2d4", outcome=outcome)["ruling"]["allowed"]
    assert asked(begun(aac0=15), "attack", target=["Mara"], damage="2d4")["ruling"]["allowed"], "a roll tells"


def test_attacks_and_what_is_usual_are_declared_first() -> None:
    shown = tracker()
    shown.encounter.start()
    values = next(each for each in asked(shown, "declare")["params"] if each["id"] == "action")["values"]
    assert [each["value"] for each in values][:4] == ["attack", "missile_attack", "flee", "charge"]
    assert values[-1]["value"] != "declare"


def test_a_declaration_stands_on_its_rung_once_and_until_it_is_done() -> None:
    shown = tracker(aac0=15)
    enc = shown.encounter
    enc.start()
    enc.do("Thing", "declare", action="attack")
    row = next(each for each in shown.ladder.view["rows"].values() if each["name"] == "Thing")
    assert [part["chip"] for sub in row["sub"] for part in sub if "chip" in part] == ["attack routine"]
    while enc.active != "Thing":
        enc.end_turn()
    enc.do("Thing", "attack", target="Mara")
    enc.end_turn()
    row = next(each for each in shown.ladder.view["rows"].values() if each["name"] == "Thing")
    assert "declared" not in str(row)


def test_a_step_names_a_few_and_only_what_is_under_way_has_a_bar() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Hound", side="wild", count=5, aac0=18, hp=5)
    enc.start()
    enc.end_turn()
    flow, ticks = enc.ruleset.presentation.now(enc._state).strips
    assert flow["type"] == "flow"
    (half,) = [step["lines"] for step in flow["steps"] if len(step["lines"]) == 3 and ["3 more"] in step["lines"]]
    assert half[0] == [{"side": 0}, "Hound 1"]
    assert ticks["type"] == "ticks"
    assert ticks["bars"] == []


def declaring(**params: Any) -> tuple[list[dict[str, Any]], list[str]]:
    """Give what can be declared that isn't its own label, once this was, and what the form asks for."""
    shown = tracker()
    enc = shown.encounter
    enc.add_table("actions", SPELLS)
    enc.start()
    for plan in ("sheathe", "attack"):
        enc.do("Thing", "declare", action=plan)
    asks = asked(shown, "declare", **params)["params"]
    (values,) = [each["values"] for each in asks if each["id"] == "action"]
    return [each for each in values if isinstance(each, dict)], [each["id"] for each in asks if each["required"]]


def test_what_was_declared_is_marked_where_it_can_be_changed() -> None:
    values, _ = declaring()
    assert {each["value"] for each in values if each.get("small") == "declared"} == {"sheathe", "attack"}


@pytest.mark.parametrize("action", ["incantation", "invocation"])
def test_a_form_asks_which_spell_it_is_and_how_long_it_takes(action: str) -> None:
    values, asks = declaring(action=action)
    assert asks == ["action", "spell_name", "segments"]
    assert {each["value"] for each in values if each.get("more")} == {"incantation", "invocation"}
    for known in ("fireball", "attack"):
        assert declaring(action=known)[1] == ["action"]
    shown = tracker()
    shown.encounter.start()
    typed = asked(shown, "declare", action=action, spell_name="web of stone")["params"]
    assert "no" not in next(each for each in typed if each["id"] == "action"), "all others can still be chosen"
    shown.encounter.do("Thing", "declare", action=action, spell_name="web of stone", segments=14)
    asks = [each["id"] for each in asked(shown, "declare", action=action)["params"] if each["required"]]
    assert asks == ["action", "spell_name", "segments"], "it can be said otherwise"
    (given,) = asked(shown, "declare")["said"]
    assert given == {"action": action, "spell_name": "web of stone", "segments": 14}


def test_what_is_needed_is_said_once_where_nothing_is_added() -> None:
    enc = rolled("Thing", "Vex", Thing={"weapons": [{"name": "club", "damage": "1d6", "speed": 4}]})
    to_step(enc, 5, "HIGH")
    shown = Tracker(enc)
    hear(shown, {"kind": "dice", "mode": "table"})
    attack = next(die for die in asked(shown, "attack", target="Vex", weapon="club")["dice"] if "attack" in str(die))
    assert plain(attack["sum"]).strip() == "10 or more hits"


def test_a_bow_that_is_typed_by_hand_is_a_bow() -> None:
    enc = ck.Encounter("segments", seed=7)
    weapons = next(stat for stat in Tracker(enc).view["setup"]["stats"] if stat["id"] == "weapons")
    assert weapons["example"].endswith(", missile")
    enc.add("Tess", side="party", aac0=16, hp=12, weapons="short bow, 1d6, 7, 5, missile")
    held = next(each for each in Tracker(enc).view["setup"]["combatants"] if each["name"] == "Tess")
    assert held["stats"]["weapons"][0]["missile"] is True, "what can't stand in a box can't be changed there"
    enc.add("Cutthroat", side="dead", ac=7, hp=9)
    enc.start()
    assert enc.can("Tess", "declare", action="missile_attack").allowed
    to_step(enc, 5)
    while enc.active not in ("Tess", None):
        enc.end_turn()
    enc.do("Tess", "missile_attack", target="Cutthroat", rolls={"attack": [19], "damage": [4]})
    assert not enc["Tess"].conditions


def test_what_offers_nothing_to_choose_is_not_asked_for() -> None:
    shown = begun()
    assert not [
        each["id"] for each in asked(shown, "attack")["params"] if each.get("values") == [] and not each.get("no")
    ]


def test_who_is_on_the_map_by_name_alone_is_said_to_have_only_the_name() -> None:
    tracker = ck.Tracker(ck.Encounter("segments"))
    tracker.encounter.add("Bram", side="a")
    assert tracker.view["setup"]["combatants"][0]["summary"] == "only the name"
    tracker.encounter.place("Bram", at=(1, 0))
    assert tracker.view["setup"]["combatants"][0]["summary"] == "at (1, 0) · only the name"
