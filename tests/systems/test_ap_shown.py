"""Action points: what the ladder shows of them."""

from __future__ import annotations

from typing import Any

import combatkit as ck
from tests.systems.ap_table import fight, to

AP = ck.ruleset("ap")


def extras(enc: ck.Encounter, name: str) -> dict[str, Any]:
    place = enc._state.place_of(name)
    assert place is not None
    return AP.rung_extras(enc._state, place)


def test_a_rung_shows_its_points_and_which_were_spent_off_turn() -> None:
    enc = fight()
    assert extras(enc, "Vex") == {"pips": {"total": 3, "left": 3, "off": 0}}
    enc.do("Mara", "attack", target="Vex")
    enc.do("Vex", "parry")
    enc.resolve()
    to(enc, "Vex")
    enc.do("Vex", "dash")
    assert extras(enc, "Vex") == {
        "pips": {"total": 3, "left": 1, "off": 1},
        "sub": [["Parry off turn, 1 AP ", {"rule": "ap.react.needs-ap"}]],
    }
    assert extras(enc, "Mara")["pips"] == {"total": 3, "left": 2, "off": 0}
    to(enc, "Mara", 2)
    assert extras(enc, "Vex") == {"pips": {"total": 3, "left": 3, "off": 0}}


def test_points_spent_off_turn_stay_hatched_until_the_turn_that_refreshes_them() -> None:
    enc = fight(options={"ap_refresh": "turn"})
    to(enc, "Mara", 2)
    enc.do("Ilya", "hide", trigger="Mara runs")
    assert extras(enc, "Ilya")["pips"] == {"total": 3, "left": 2, "off": 1}
    to(enc, "Ilya")
    assert extras(enc, "Ilya")["pips"] == {"total": 3, "left": 3, "off": 0}


def test_a_rung_without_a_die_says_so_and_what_surprise_leaves() -> None:
    enc = fight({"Mara": 14, "Vex": 7}, surprised=["Vex"])
    assert extras(enc, "Vex")["sub"] == [["no die: Rating 7 alone; reactions only ", {"rule": "ap.surprise.no-die"}]]
    to(enc, "Vex")
    assert AP.headline(enc._state) == "surprised: reactions only until this turn has passed"
    enc.end_turn()
    assert extras(enc, "Vex")["sub"] == [["no die: Rating 7 alone ", {"rule": "ap.surprise.no-die"}]]


def test_the_headline_counts_the_points_of_the_turn() -> None:
    enc = fight()
    assert AP.headline(enc._state) == "0 of 3 AP spent; reactions draw on what is left"
    enc.do("Mara", "dash")
    assert AP.headline(enc._state) == "1 of 3 AP spent; reactions draw on what is left"
    enc.do("Mara", "attack", target="Vex")
    assert AP.headline(enc._state) == "2 of 3 AP spent; reactions draw on what is left"
    assert AP.headline(fight(start=False)._state) == ""


def test_the_dice_to_be_thrown_are_one_for_each_and_one_for_a_group() -> None:
    enc = fight({"Mara": 14}, start=False)
    enc.add("Guard", side="hunters", count=2, npc=True, initiative_rating=7)
    enc.add("Ossik", side="hunters", npc=True, conditions=["surprised"])
    asks = {f.name: AP.initiative_asks(enc._state, f) for f in enc._state.fighters.values()}
    assert {name: len(each) for name, each in asks.items()} == {"Mara": 1, "Guard 1": 1, "Guard 2": 0, "Ossik": 0}
    (ask,) = asks["Guard 1"]
    assert (ask.dice, ask.sides, ask.addends) == (1, 6, ((7, "Initiative Rating"),))


def test_what_is_left_shows_in_the_budget_before_and_in_the_fight() -> None:
    enc = fight(start=False, Mara={"ap": 4})
    assert enc.budget("Mara")["ap"] == ck.Slot("ap", "Action Points", 4, 4)
    enc = fight(Mara={"ap": 4})
    enc.do("Mara", "dash")
    assert enc.budget("Mara")["ap"] == ck.Slot("ap", "Action Points", 4, 3)
    assert [slot.id for slot in enc.budget("Mara")] == ["ap"]
