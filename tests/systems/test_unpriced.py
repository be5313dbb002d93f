"""What sources name and give no price, at prices of ours: segments, phases and d6 with the list ``book``."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems import d6_table, phases_table, segments_table
from tests.systems.segments_table import roll, rolled, to_step, to_turn
from tests.systems.table import holds, left, refused

BOOK = {"actions": "book"}


def damage(events: tuple[ck.Event, ...]) -> list[tuple[str | None, int | None]]:
    return [(event.target, event.amount) for event in events if event.kind == "damage"]


# ── segments ──


def test_a_door_and_an_item_take_a_segment_each() -> None:
    enc = rolled("Mara", "Vex", options=BOOK)
    to_turn(enc, "Mara")
    assert enc.do("Mara", "open_or_close_door")[0].data["segments"] == 1
    assert enc.do("Mara", "retrieve_item", option="flask of oil")[0].data["segments"] == 1
    assert enc.budget("Mara")["major"].left == 1
    assert enc.can("Mara", "attack", target="Vex").allowed


def test_a_door_alone_stands_in_d4_where_it_is_declared() -> None:
    enc = segments_table.fight("Mara", "Vex", options=BOOK)
    enc.do("Mara", "declare", action="open_or_close_door")
    roll(enc)
    to_turn(enc, "Mara")
    assert "D4" in enc.clock.label
    enc.do("Mara", "open_or_close_door")


def test_a_back_stab_doubles_what_all_modifiers_came_to() -> None:
    enc = rolled("Mara", "Vex", options=BOOK)
    to_turn(enc, "Mara")
    events = enc.do("Mara", "back_stab", target="Vex", damage="1d6+2", rolls={"attack": [19], "damage": [4]})
    assert damage(events) == [("Vex", 12)]
    assert enc["Vex"].values["hp"] == 18
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.major.one"


def test_another_multiplier_given_takes_the_place_of_the_usual() -> None:
    enc = rolled("Mara", "Vex", options=BOOK)
    to_turn(enc, "Mara")
    rolls = {"attack": [19], "damage": [4]}
    events = enc.do("Mara", "back_stab", target="Vex", damage="1d6+2", multipliers={"back stab": 3}, rolls=rolls)
    assert damage(events) == [("Vex", 18)]


def charged(**more: Any) -> ck.Encounter:
    """Let Vex, in HIGH, charge Mara."""
    enc = segments_table.fight("Mara", "Vex", options=BOOK, **more)
    enc.do("Vex", "declare", action="charge", target="Mara")
    roll(enc, party=2, foes=5)
    to_step(enc, 3)
    enc.do("Vex", "charge", target="Mara", damage=6, rolls={"attack": [20]})
    return enc


def test_a_charge_may_be_met_with_a_set_weapon_before_it_strikes() -> None:
    enc = charged()
    (offer,) = enc.pending
    assert (offer.who, offer.actions, offer.rule) == ("Mara", ("set_for_charge",), "segments.book.set")
    events = enc.do("Mara", "set_for_charge", target="Vex", damage=8, rolls={"attack": [19]})
    assert damage(events) == [("Vex", 16), ("Mara", 6)]
    assert enc.budget("Mara")["major"].left == 0


def test_a_charge_is_offered_to_nobody_who_is_surprised_and_not_without_the_list() -> None:
    assert charged(surprised=["Mara"]).pending == ()
    enc = segments_table.fight("Mara", "Vex")
    enc.do("Vex", "declare", action="charge", target="Mara")
    roll(enc, party=2, foes=5)
    to_step(enc, 3)
    enc.do("Vex", "charge", target="Mara")
    assert enc.pending == ()


def test_a_spell_like_ability_is_the_one_spell_of_the_round() -> None:
    enc = segments_table.fight("Mara", "Vex", options=BOOK)
    enc.do("Mara", "declare", action="spell_like_ability")
    roll(enc)
    to_turn(enc, "Mara")
    assert "D1" in enc.clock.label
    enc.do("Mara", "spell_like_ability", target="Vex", damage=3)
    assert enc["Vex"].values["hp"] == 27
    assert enc.budget("Mara")["spell"].left == 0
    assert enc.budget("Mara")["major"].left == 1
    assert "segments.spell.one" in enc.can("Mara", "spell_like_ability").rules


# ── phases ──


def test_combat_levels_are_put_into_ocv_and_dcv_until_they_are_assigned_anew() -> None:
    enc = phases_table.fight(options=BOOK)
    phases_table.to(enc, "Mara")
    enc.do("Mara", "assign_combat_levels", modifiers={"ocv": 2, "dcv": 1})
    assert (enc["Mara"].values["ocv"], enc["Mara"].values["dcv"]) == (7, 6)
    assert enc.can("Mara", "strike", target="Vex").notation == "3d6+7"
    enc.do("Mara", "assign_combat_levels", modifiers={"dcv": 3})
    assert (enc["Mara"].values["ocv"], enc["Mara"].values["dcv"]) == (5, 8)
    enc.do("Mara", "assign_combat_levels", modifiers={})
    assert "combat_levels" not in holds(enc, "Mara")
    log = enc.log(rules=False).markdown.replace("*", "").replace("\n", " ")
    for said in ("assigns their combat levels: OCV 2, DCV 1", ": DCV 3", ": none."):
        assert said in log, log
    assert (left(enc, "Mara")["attack"], left(enc, "Mara")["move"]) == (1, 1), "free actions all"


@pytest.mark.parametrize("given", [{"hp": 2}, {"ocv": -1}, 3])
def test_levels_go_nowhere_else(given: Any) -> None:
    enc = phases_table.fight(options=BOOK)
    phases_table.to(enc, "Mara")
    with pytest.raises(ck.InvalidInput, match="ocv"):
        enc.do("Mara", "assign_combat_levels", modifiers=given)


@pytest.mark.parametrize("action", ["perception_roll", "perceive_with_targeting_sense"])
def test_to_perceive_is_free_and_draws_no_attack(action: str) -> None:
    enc = phases_table.fight(options=BOOK, at=phases_table.CLOSE)
    phases_table.to(enc, "Mara")
    assert enc.can("Mara", action, target="Vex").cost == "Free"
    enc.do("Mara", action, target="Vex")
    assert enc.pending == ()


# ── d6 ──


def test_a_rest_takes_the_whole_turn_and_lets_fates_be_ignored_again() -> None:
    enc = d6_table.fight({"Mara": d6_table.pc(10, stamina=2), "Vex": d6_table.npc(8)}, options=BOOK)
    enc.condition("Mara", "ignored_fates", value=2)
    assert enc["Mara"].values["ignores_left"] == 0
    enc.condition("Mara", "wounded")
    enc.do("Mara", "rest")
    assert enc["Mara"].values["ignores_left"] == 2
    assert "wounded" not in {c.id for c in enc["Mara"].conditions}
    assert [left(enc, "Mara")[slot] for slot in ("move", "action")] == [0, 0]
    assert refused(enc, "Mara", "dash").rule == "d6.turn.cap-two"


def test_no_rest_in_a_turn_in_which_one_has_acted() -> None:
    enc = d6_table.fight({"Mara": d6_table.pc(10), "Vex": d6_table.npc(8)}, options=BOOK)
    enc.do("Mara", "defend", rank="agility")
    ruling = refused(enc, "Mara", "rest")
    assert ruling.reason.startswith("A Rest takes the whole turn, and Mara has already acted")
