"""Saga Edition: rounds and turns."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.systems.table import fight, last, refused, to_round, turns

THREE = {"Mara": 18, "Vex": 15, "Bo": 10}


@pytest.mark.rule("saga.round.seconds")
def test_a_round_takes_six_seconds() -> None:
    enc = fight(THREE)
    seconds = []
    for number in (1, 2, 3):
        to_round(enc, number)
        seconds.append(enc.clock.seconds)
    assert seconds == [0, 6, 12]


@pytest.mark.rule("saga.round.seconds")
def test_no_time_has_begun_before_the_fight() -> None:
    clock = fight(THREE, start=False).clock
    assert (clock.round, clock.seconds, clock.label) == (None, None, "Not begun")


@pytest.mark.rule("saga.round.seconds")
def test_the_surprise_round_takes_six_seconds_too() -> None:
    enc = fight(THREE, surprised=["Bo"])
    assert (enc.clock.round, enc.clock.seconds) == (0, 0)
    to_round(enc, 2)
    assert enc.clock.seconds == 12


@pytest.mark.rule("saga.round.one-turn-each", "saga.round.order")
def test_each_has_one_turn_a_round_in_order_of_initiative() -> None:
    enc = fight({"Bo": 10, "Vex": 15, "Mara": 18})
    assert turns(enc, 7) == ["Mara", "Vex", "Bo", "Mara", "Vex", "Bo", "Mara"]


@pytest.mark.rule("saga.round.order")
def test_one_whose_turn_has_not_come_cannot_act() -> None:
    enc = fight(THREE)
    ruling = refused(enc, "Bo", "move")
    assert ruling.rule == "saga.round.order"
    assert "Mara" in ruling.reason


@pytest.mark.rule("saga.round.one-turn-each")
def test_one_who_has_had_its_turn_cannot_act_again() -> None:
    enc = fight(THREE)
    enc.end_turn()
    assert refused(enc, "Mara", "move").rule == "saga.round.one-turn-each"


@pytest.mark.rule("saga.round.new-when-all-done")
def test_a_new_round_begins_when_all_have_had_their_turn() -> None:
    enc = fight(THREE)
    rounds = []
    for _ in range(4):
        rounds.append(enc.clock.round)
        enc.end_turn()
    assert rounds == [1, 1, 1, 2]


@pytest.mark.rule("saga.round.eligible-only")
@pytest.mark.parametrize("condition", ["unconscious", "dead"])
def test_one_who_cannot_act_does_not_hold_the_round_up(condition: str) -> None:
    enc = fight(THREE)
    enc.condition("Vex", condition)
    assert turns(enc, 4) == ["Mara", "Bo", "Mara", "Bo"]
    assert refused(enc, "Vex", "move").rule == "saga.round.eligible-only"
    enc.condition("Vex", condition, off=True)
    assert turns(enc, 3) == ["Mara", "Vex", "Bo"]


@pytest.mark.rule("saga.round.eligible-only")
def test_one_who_falls_in_its_own_turn_can_do_nothing_more() -> None:
    enc = fight(THREE)
    enc.condition("Mara", "unconscious")
    assert refused(enc, "Mara", "move").rule == "saga.round.eligible-only"
    enc.end_turn()
    assert enc.active == "Vex"


@pytest.mark.rule("saga.round.eligible-only")
def test_one_who_falls_in_a_window_of_their_turn_still_has_it_to_end() -> None:
    enc = fight(THREE)
    enc.trigger("Mara", text="runs through fire")
    enc.condition("Mara", "unconscious")
    enc.resolve()
    assert enc.active == "Mara"
    enc.end_turn()
    assert enc.active == "Vex"


@pytest.mark.rule("saga.round.eligible-only")
def test_one_who_leaves_is_off_the_ladder_and_the_round_goes_on() -> None:
    enc = fight(THREE)
    enc.leave("Mara")
    assert enc.active == "Vex"
    assert turns(enc, 3) == ["Vex", "Bo", "Vex"]
    assert refused(enc, "Mara", "move").rule == "saga.round.eligible-only"


def test_with_nobody_able_to_act_rounds_still_pass() -> None:
    enc = fight({"Mara": 18, "Vex": 15})
    for name in ("Vex", "Mara"):
        enc.condition(name, "unconscious")
    enc.end_turn()
    assert enc.active is None
    enc.end_turn()
    assert (enc.clock.round, enc.active) == (2, None)
    enc.condition("Vex", "unconscious", off=True)
    assert enc.active == "Vex"


@pytest.mark.rule("saga.seq.repeat-until-end")
def test_rounds_follow_until_the_fight_is_ended() -> None:
    enc = fight(THREE)
    to_round(enc, 20)
    enc.finish()
    assert enc.active is None
    assert "over" in refused(enc, "Mara", "move").reason
    with pytest.raises(ck.IllegalAction, match="over"):
        enc.end_turn()


@pytest.mark.rule("saga.round.new-when-all-done")
def test_the_gm_may_go_on_to_the_next_round_and_who_did_not_act_is_logged() -> None:
    enc = fight(THREE)
    events = enc.next_round()
    assert (enc.clock.round, enc.active) == (2, "Mara")
    lost = [(e.actor, e.text) for e in events if e.kind == "turn_lost"]
    assert lost == [("Vex", "had no turn"), ("Bo", "had no turn")]
    assert [e.by for e in events if e.kind == "turn_end"] == ["gm"]


@pytest.mark.rule("saga.round.order")
def test_the_gm_may_move_somebody_on_the_ladder() -> None:
    enc = fight(THREE)
    events = enc.place("Bo", before="Vex", note="heard them coming")
    assert (events[0].by, events[0].note) == ("gm", "heard them coming")
    assert turns(enc, 3) == ["Mara", "Bo", "Vex"]
    enc.place("Vex", count=30)
    assert [(r.combatant, r.initiative) for r in enc.order] == [("Vex", 30), ("Mara", 18), ("Bo", 15)]


def test_moving_one_who_has_acted_gives_no_second_turn() -> None:
    enc = fight(THREE)
    enc.end_turn()
    enc.place("Mara", after="Bo")
    assert turns(enc, 3) == ["Vex", "Bo", "Vex"]


@pytest.mark.rule("saga.meta.source")
def test_everything_is_from_the_core_rulebook_and_a_variant_says_where_it_is_from() -> None:
    saga = ck.ruleset("saga")
    assert "core rulebook" in saga.source
    assert "source" in saga.rules["saga.meta.source"].text
    enc = fight(THREE, start=False)
    row = {"id": "burst_fire", "title": "Burst fire (another book)", "cost": "full_round", "tags": ["attack"]}
    enc.add_table("actions", [row])
    enc.start(rolls={"Mara": 18, "Vex": 15, "Bo": 10})
    assert enc.can("Mara", "burst_fire").cost == "Full-round"
    assert next(e for e in enc.at(last(enc))._events if e.kind == "table").data["rows"] == [row]


def test_one_who_came_too_late_for_a_turn_lets_others_in_before_it() -> None:
    enc = fight({"Mara": 20, "Vex": 5})
    enc.do("Mara", "delay")
    enc.end_turn()
    assert enc.active is None, "Mara may still act"
    late = enc.join("Bo", side="rebels", rolls=[10])
    assert [e.text for e in late if e.kind == "turn_lost"] == ["acts from the next round on"], (
        "Vex has had the turn, and is below"
    )
    enc.leave("Vex")
    assert [e.kind for e in enc.join("Cy", side="rebels", rolls=[12])].count("turn_lost") == 0
    assert [rung.combatant for rung in enc.order] == ["Mara", "Cy", "Bo"]


def test_what_a_round_and_a_turn_give_is_said_as_what_it_is() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    told = [event.text for event in (*enc.end_turn(), *enc.end_turn()) if event.kind == "refresh"]
    assert told == ["has the actions of a turn", "everybody may react anew", "has the actions of a turn"]
