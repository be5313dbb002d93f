"""Action points: what a referee who hadn't seen the code would say, a sentence or a rule at a time."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.ap_table import fight


def begun(options: dict[str, Any] | None = None, **people: dict[str, Any]) -> ck.Encounter:
    enc = ck.Encounter("ap", seed=1, options=options)
    for name, stats in people.items():
        enc.add(name, **{"side": "b" if name in "VW" else "a", "hp": 9, **stats})
    enc.start()
    return enc


BOOK = {"actions": "book"}


def test_points_that_are_gone_already_still_have_a_most() -> None:
    enc = begun(Bo={}, V={})
    enc.adjust("Bo", "ap", -3)
    assert "can have at most 2 Action Points now" in [e.text for e in enc.condition("Bo", "slow", modifiers={"ap": -1})]
    assert "can have at most 0 Action Points now" in [e.text for e in enc.condition("Bo", "out", modifiers={"ap": -9})]
    assert enc["Bo"].values["ap"] == 0
    assert not [event for event in enc.condition("Bo", "out", off=True) if "  " in event.text]
    assert enc["Bo"].values["ap"] == 2


@pytest.mark.parametrize("value", [True, 1.5, 0])
def test_advantages_are_a_number_from_one_up(value: object) -> None:
    enc = begun(Bo={}, V={})
    with pytest.raises(ck.InvalidInput, match="give how many they have, from 1 up"):
        enc.condition("Bo", "advantage", value=value)


def test_an_all_out_attack_is_no_extended_action() -> None:
    poor = begun(BOOK, Bo={"ap": 1, "initiative_rating": 9}, V={})
    assert poor.can("Bo", "all_out_attack", target="V").rule == "ap.book.all-out"
    rich = begun(BOOK, Bo={"initiative_rating": 9}, V={})
    assert not [e for e in rich.do("Bo", "all_out_attack", target="V") if "ap.extended.def" in e.rules]


def test_of_two_who_delay_the_one_put_off_again_loses_nothing_by_it() -> None:
    enc = fight({"Mara": 14, "Vex": 12, "Dray": 10}, options={"actions": "book"})
    enc.do("Mara", "delay")
    enc.do("Vex", "delay")
    enc.do("Vex", "act_now")
    enc.do("Mara", "act_now")
    ends = [e for e in enc.end_turn() if e.kind == "effect_end"]
    assert [(e.target, e.text, e.rules) for e in ends] == [
        ("Vex", "is no longer delaying", ("ap.book.delay.act",)),
    ]
    assert enc.active == "Vex"


def test_one_who_delays_and_is_placed_acts_by_the_order() -> None:
    enc = fight({"Mara": 14, "Vex": 12, "Dray": 10}, options={"actions": "book"})
    enc.do("Mara", "delay")
    enc.place("Mara", after="Vex")
    ends = [e for e in enc.end_turn() if e.kind == "effect_end"]
    assert [(e.target, e.rules) for e in ends] == [("Mara", ("ap.round.desc",))]


def test_a_delay_that_nobody_took_up_ends_by_the_rule_of_its_lapse() -> None:
    enc = fight({"Mara": 14, "Vex": 12}, options={"actions": "book"})
    enc.do("Mara", "delay")
    enc.end_turn()
    ends = [e for e in enc.next_round() if e.kind == "effect_end"]
    assert [(e.target, e.rules) for e in ends] == [("Mara", ("ap.book.delay.lost",))]


def test_who_steps_in_too_late_is_told_by_the_rule_of_the_delay() -> None:
    enc = begun(BOOK, A={"initiative_rating": 20}, B={"initiative_rating": 10}, V={"ap": 0})
    enc.do("A", "delay", trigger="x")
    enc.do("B", "aim")
    assert enc.can("A", "act_now").rule == "ap.book.delay.act"


def test_what_comes_with_the_next_filling_is_no_gain_as_a_condition_ends() -> None:
    enc = begun(Bo={"initiative_rating": 9}, V={})

    def held() -> tuple[int, int]:
        slot = enc.budget("Bo")["ap"]
        return slot.left, slot.total

    enc.edit("Bo", ap=5)
    enc.do("Bo", "dash")
    for _ in range(2):
        enc.condition("Bo", "slowed", modifiers={"ap": -2})
        enc.condition("Bo", "dazed", modifiers={"ap": -1})
        assert held() == (2, 2)
        enc.condition("Bo", "slowed", off=True)
        assert held() == (2, 3)
        enc.condition("Bo", "dazed", off=True)
        assert held() == (2, 3)
    enc.condition("Bo", "slowed", modifiers={"ap": -2})
    enc.condition("Bo", "quick", modifiers={"ap": 1})
    assert held() == (3, 4), "a gain is that gain alone"
    enc.condition("Bo", "slowed", off=True)
    assert held() == (3, 4)
    enc.condition("Bo", "quick", off=True)
    assert held() == (2, 3)
    enc.next_round()
    assert held() == (5, 5)


def test_what_a_fall_breaks_off_cites_no_rule_of_its_type() -> None:
    enc = begun(Bo={"initiative_rating": 9}, V={})
    for _ in range(2):
        enc.do("Bo", "dash")
    enc.do("Bo", "drink_potion")
    lost = [event for event in enc.damage("Bo", 20) if event.kind == "progress"]
    assert [(event.text, event.rules) for event in lost] == [("has to begin the potion again", ())]


def test_a_spell_on_oneself_is_on_themselves_and_of_several_each_is_named() -> None:
    enc = begun(Bo={"initiative_rating": 9, "attack_bonus": 5, "defense": 9}, V={"defense": 9}, W={"defense": 9})
    assert enc.do("Bo", "cast_magic", target="Bo", damage=1)[0].text == "casts magic on themselves"
    enc.do("Bo", "cast_magic", target=["V", "W"], damage=1, rolls=[15, 3])
    told = [event.text for event in enc.resolve() if event.kind == "attack"]
    assert told == ["rolls 20 against 9 to hit V: hit", "rolls 8 against 9 to hit W: miss"]


def test_a_reaction_to_words_says_once_what_it_comes_to() -> None:
    enc = begun(Bo={"initiative_rating": 9}, V={}, W={})
    foiled = [e.text for e in enc.do("V", "evade", trigger="a rope snaps", outcome="foiled") if e.actor == "V"]
    assert foiled == ["answers: evade", "evades (a rope snaps)", "foils it"]
    failed = [e.text for e in enc.do("W", "evade", trigger="a rope snaps", outcome="failed") if e.actor == "W"]
    assert failed[1:] == ["evades (a rope snaps)", "fails, and can't try again"]


def test_a_condition_put_on_again_says_how_the_old_one_ends_and_the_log_only_the_new_one() -> None:
    enc = begun(Bo={}, V={})
    enc.condition("Bo", "prone")
    events = enc.condition("Bo", "prone", until="end of round")
    assert [event.text for event in events] == ["is prone: what is said now holds from here on", "is prone"]
    assert "from here on" not in enc.log().markdown


def test_whoever_is_dead_is_not_said_to_be_no_longer_dead_as_it_is_put_on_again() -> None:
    enc = begun(Bo={}, V={})
    enc.condition("Bo", "dead")
    said = [event.text for event in enc.condition("Bo", "dead")]
    assert said == ["is dead: what is said now holds from here on", "is dead already"]


def test_an_answer_of_the_gm_is_taken_back_under_its_name() -> None:
    enc = begun(Bo={"initiative_rating": 9}, V={})
    enc.do("Bo", "attack", target="V", outcome="hit", damage=1)
    enc.do("V", "parry")
    enc.resolve(answer="foiled")
    assert enc.undo()[0].text == "undone: The GM's answer"


@pytest.mark.parametrize("by", [-2, 2])
def test_what_ends_as_a_turn_begins_takes_nothing_from_what_that_turn_fills(by: int) -> None:
    enc = fight({"Mara": 14, "Vex": 12}, options={"ap_refresh": "turn"})
    enc.end_turn()
    enc.condition("Mara", "changed", modifiers={"ap": by}, until="start of turn")
    enc.end_turn()
    assert enc.active == "Mara"
    assert enc.budget("Mara")["ap"] == ck.Slot("ap", "Action Points", 3, 3)


def test_what_ends_as_a_turn_begins_gives_no_free_action_of_d6_in_it() -> None:
    enc = ck.Encounter("d6", seed=3)
    enc.add("Ada", side="a", initiative=9, free_actions=1)
    enc.add("Bes", side="b", initiative=1)
    enc.start()
    first = enc.active
    assert first is not None
    left = enc.budget(first)["free"].total
    enc.end_turn()
    enc.condition(first, "quick", modifiers={"free_actions": 1}, until="start of turn")
    enc.end_turn()
    assert (enc.active, enc.budget(first)["free"].total) == (first, left)


def test_what_is_foiled_says_at_whom_the_foiling_was_aimed() -> None:
    enc = begun(BOOK, Bo={}, V={})
    while enc.active != "Bo":
        enc.end_turn()
    enc.do("Bo", "attack", target="V", outcome="hit", damage=1)
    events = enc.do("V", "trip", target="Bo", outcome="foiled")
    assert [e.text for e in events if e.kind == "stopped"] == ["is foiled: V tries to trip Bo"]


@pytest.mark.parametrize(("action", "given"), [("trip", {"target": "V"}), ("hide", {}), ("resist", {})])
def test_a_contest_given_as_lost_is_told_to_be_lost_once_it_has_come_to_it(action: str, given: dict[str, Any]) -> None:
    enc = begun(BOOK, Bo={}, V={})
    while enc.active != "Bo":
        enc.end_turn()
    enc.condition("Bo", "grappled")
    events = enc.do("Bo", action, outcome="failed", **given)
    events += enc.resolve() if enc.pending else ()
    assert (events[-1].kind, events[-1].actor, events[-1].text) == ("fact", "Bo", "fails")
    enc.end_turn()
    enc.do("V", "attack", target="Bo", outcome="miss")
    events = enc.do("Bo", "trip", target="V", outcome="failed")
    assert [e.text for e in events if e.kind == "fact"] == ["fails, and can't try again"], "told once"
