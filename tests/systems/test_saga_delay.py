"""Saga Edition: taking one's turn later."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.systems.table import counts, fight, holds, last, left, order, refused, to_round, turns

FOUR = {"Mara": 20, "Vex": 15, "Bo": 10, "Dray": 5}


@pytest.mark.rule("saga.delay.what")
def test_a_delayer_acts_later_in_the_round_on_the_count_it_named() -> None:
    enc = fight(FOUR)
    events = enc.do("Mara", "delay", count=12)
    assert counts(enc) == [("Vex", 15), ("Mara", 12), ("Bo", 10), ("Dray", 5)]
    assert turns(enc, 4) == ["Vex", "Mara", "Bo", "Dray"]
    assert "saga.delay.what" in enc.explain(events[0].seq)


@pytest.mark.rule("saga.delay.permanent")
def test_the_new_count_is_the_count_from_then_on() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", count=12)
    to_round(enc, 3)
    assert counts(enc) == [("Vex", 15), ("Mara", 12), ("Bo", 10), ("Dray", 5)]
    assert turns(enc, 4) == ["Vex", "Mara", "Bo", "Dray"]


@pytest.mark.rule("saga.delay.free")
def test_delaying_costs_a_free_action_and_nothing_else() -> None:
    enc = fight(FOUR)
    assert enc.can("Mara", "delay", count=12).cost == "Free"
    enc.do("Mara", "delay", count=12)
    enc.end_turn()
    assert enc.active == "Mara"
    assert left(enc, "Mara") == {"standard": 1, "move": 1, "swift": 1, "reaction": 1, "aoo": 0}


@pytest.mark.rule("saga.delay.free")
def test_the_free_action_of_a_delay_counts_against_the_cap_and_the_turn_taken_up_has_no_new_one() -> None:
    enc = fight(FOUR, options={"free_action_cap": 2})
    enc.do("Mara", "speak")
    enc.do("Mara", "delay", count=12)
    enc.end_turn()
    assert enc.active == "Mara"
    assert refused(enc, "Mara", "speak").rule == "saga.free.gm-cap"


@pytest.mark.rule("saga.delay.on-own-turn")
@pytest.mark.parametrize("name", ["Vex", "Dray"])
def test_a_delay_is_declared_on_ones_own_turn(name: str) -> None:
    enc = fight(FOUR)
    assert refused(enc, name, "delay", count=2).rule == "saga.delay.on-own-turn"


@pytest.mark.rule("saga.delay.on-own-turn")
def test_not_even_the_gm_can_let_somebody_delay_a_turn_that_is_not_its_own() -> None:
    enc = fight(FOUR)
    before = enc.digest
    with pytest.raises(ck.IllegalAction):
        enc.do("Bo", "delay", count=2, override=True)
    assert enc.digest == before


@pytest.mark.rule("saga.delay.lower-only")
@pytest.mark.parametrize("count", [20, 21, 400])
def test_the_new_count_is_lower_than_the_present_one(count: int) -> None:
    enc = fight(FOUR)
    ruling = refused(enc, "Mara", "delay", count=count)
    assert ruling.rule == "saga.delay.lower-only"
    assert "19 or less" in ruling.reason
    assert enc.can("Mara", "delay", count=19).allowed


@pytest.mark.rule("saga.delay.lower-only")
def test_lower_means_lower_than_the_count_one_has_now() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", count=12)
    enc.end_turn()
    assert refused(enc, "Mara", "delay", count=15).rule == "saga.delay.lower-only"
    enc.do("Mara", "delay", count=3)
    assert turns(enc, 3) == ["Bo", "Dray", "Mara"]


@pytest.mark.rule("saga.delay.lower-only")
def test_a_count_below_zero_is_a_count() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", count=-3)
    assert turns(enc, 4) == ["Vex", "Bo", "Dray", "Mara"]


@pytest.mark.rule("saga.delay.next-round")
def test_a_delay_may_name_a_count_of_the_next_round() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", count=7, round=2)
    assert turns(enc, 7) == ["Vex", "Bo", "Dray", "Vex", "Bo", "Mara", "Dray"]
    assert "delayed" not in holds(enc, "Mara")


@pytest.mark.rule("saga.delay.next-round")
def test_a_delay_may_name_a_round_further_on_and_the_turns_passed_over_are_lost() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.do("Mara", "delay", count=7, round=3)
    assert turns(enc, 4) == ["Vex", "Vex", "Vex", "Mara"]
    assert enc.clock.round == 4


@pytest.mark.rule("saga.delay.next-round")
def test_a_delay_into_a_later_round_names_its_count_and_no_past_round() -> None:
    enc = fight(FOUR)
    to_round(enc, 2)
    assert refused(enc, "Mara", "delay", round=3).rule == "saga.delay.next-round"
    assert refused(enc, "Mara", "delay", count=3, round=1).rule == "saga.delay.next-round"
    assert enc.can("Mara", "delay", count=3, round=2).allowed


@pytest.mark.rule("saga.delay.next-round")
def test_a_delay_leads_from_the_surprise_round_into_the_first_regular_one() -> None:
    enc = fight(FOUR, surprised=["Dray"])
    enc.do("Mara", "delay", count=7, round=1)
    assert turns(enc, 6) == ["Vex", "Bo", "Vex", "Bo", "Mara", "Dray"]


@pytest.mark.rule("saga.delay.lower-only", "saga.delay.permanent")
def test_option_delay_may_rise() -> None:
    by_the_text = fight(FOUR)
    by_the_text.end_turn()
    assert refused(by_the_text, "Vex", "delay", count=18, round=2).rule == "saga.delay.lower-only"
    rising = fight(FOUR, options={"delay_may_rise": True})
    rising.end_turn()
    assert refused(rising, "Vex", "delay", count=18).rule == "saga.delay.lower-only", "in the same round it never may"
    rising.do("Vex", "delay", count=25, round=2)
    assert turns(rising, 4) == ["Bo", "Dray", "Vex", "Mara"]
    assert counts(rising)[0] == ("Vex", 25), "for good"


@pytest.mark.rule("saga.delay.what")
@pytest.mark.parametrize("action", ["move", "aid_another", "talent_or_power", "run"])
def test_the_turn_is_delayed_whole(action: str) -> None:
    enc = fight(FOUR)
    enc.do("Mara", action)
    assert refused(enc, "Mara", "delay", count=12).rule == "saga.delay.what"


@pytest.mark.rule("saga.delay.what")
def test_a_free_action_before_it_does_not_keep_from_delaying() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "speak")
    enc.do("Mara", "delay", count=12)
    assert order(enc)[1] == "Mara"


@pytest.mark.rule("saga.delay.what")
def test_on_a_count_already_held_the_delayer_acts_after_those_there() -> None:
    enc = fight(FOUR, Mara={"dex": 5})
    enc.do("Mara", "delay", count=15)
    assert counts(enc)[:2] == [("Vex", 15), ("Mara", 15)]
    enc = fight({"Mara": 20, "Vex": 15, "Bo": 15, "Dray": 5}, Vex={"dex": 2})
    enc.do("Mara", "delay", count=15)
    assert counts(enc) == [("Vex", 15), ("Bo", 15), ("Mara", 15), ("Dray", 5)]


@pytest.mark.rule("saga.delay.what")
def test_but_after_somebody_named_means_just_after_them() -> None:
    enc = fight({"Mara": 20, "Vex": 15, "Bo": 15, "Dray": 5}, Vex={"dex": 2})
    enc.do("Mara", "delay", after="Vex")
    assert counts(enc) == [("Vex", 15), ("Mara", 15), ("Bo", 15), ("Dray", 5)]
    enc = fight({"Mara": 20, "Ilya": 18, "Vex": 15, "Dray": 5}, Ilya={"dex": 2})
    enc.do("Mara", "delay", after="Vex")
    enc.do("Ilya", "delay", after="Vex")
    assert counts(enc) == [("Vex", 15), ("Ilya", 15), ("Mara", 15), ("Dray", 5)], "the higher Dexterity first"


@pytest.mark.rule("saga.delay.what")
def test_among_delayers_on_one_count_the_higher_dexterity_then_the_earlier_delay() -> None:
    enc = fight(
        {"Mara": 20, "Vex": 18, "Bo": 16, "Ilya": 14, "Dray": 8},
        Mara={"dex": 1},
        Vex={"dex": 3},
        Bo={"dex": 1},
        Ilya={"dex": 2},
    )
    for name in ("Mara", "Vex", "Bo", "Ilya"):
        enc.do(name, "delay", count=8)
    assert order(enc) == ["Dray", "Vex", "Ilya", "Mara", "Bo"]
    assert turns(enc, 5) == ["Dray", "Vex", "Ilya", "Mara", "Bo"]


def why(enc: ck.Encounter) -> dict[str, str]:
    return {rung.combatant: rung.why for rung in enc.order}


@pytest.mark.rule("saga.delay.what")
def test_who_delayed_earlier_stays_ahead_also_when_those_before_it_have_gone() -> None:
    quick = {"dex": 1}
    enc = fight({"Ada": 20, "Bo": 18, "Cy": 16, "Dee": 14, "Eve": 3}, Ada=quick, Bo=quick, Cy=quick, Dee=quick)
    for name in ("Ada", "Bo", "Cy"):
        enc.do(name, "delay", count=5)
    enc.leave("Ada")
    enc.leave("Bo")
    enc.do("Dee", "delay", count=5)
    assert counts(enc) == [("Cy", 5), ("Dee", 5), ("Eve", 3)]
    assert why(enc) == {"Cy": "", "Dee": "delayed to 5: later than Cy [saga.delay.what]", "Eve": ""}


@pytest.mark.rule("saga.delay.what")
def test_a_delayer_who_delays_on_leaves_the_others_of_its_count_as_they_were() -> None:
    enc = fight({"Ada": 20, "Bo": 18, "Cy": 16, "Dee": 14, "Eve": 3})
    for name in ("Ada", "Bo", "Cy"):
        enc.do(name, "delay", count=5, round=2)
    turns(enc, 2)  # Dee and Eve end round 1; Dee opens round 2
    enc.end_turn()
    enc.do("Ada", "delay", count=4)
    enc.do("Bo", "delay", count=4)
    to_round(enc, 3, "Dee")
    enc.do("Dee", "delay", count=5)
    assert order(enc) == ["Cy", "Dee", "Ada", "Bo", "Eve"]


@pytest.mark.rule("saga.delay.what", "saga.init.tie.dex")
def test_a_delayed_rung_says_why_it_stands_there() -> None:
    enc = fight({"Ada": 20, "Bo": 18, "Cy": 16, "Dee": 8}, Ada={"dex": 4}, Bo={"dex": 2}, Cy={"dex": 4})
    events = enc.do("Ada", "delay", count=8)
    held = "delayed to 8: after those already there [saga.delay.what]"
    assert counts(enc)[-2:] == [("Dee", 8), ("Ada", 8)]
    assert why(enc) == {"Bo": "", "Cy": "", "Dee": "", "Ada": held}
    assert len([e for e in events if e.kind == "order"]) == 1, "said with the move itself"
    enc.do("Bo", "delay", count=8)
    assert why(enc)["Bo"] == "delayed to 8: Dex +2 behind +4 [saga.init.tie.dex]"
    enc.do("Cy", "delay", count=8)
    assert order(enc) == ["Dee", "Ada", "Cy", "Bo"]
    assert why(enc)["Cy"] == "delayed to 8: later than Ada [saga.delay.what]"


@pytest.mark.rule("saga.delay.what", "saga.init.tie.dex")
def test_a_delay_takes_back_what_it_made_untrue() -> None:
    enc = fight({"Mara": 15, "Vex": 15, "Bo": 5, "Ilya": 5}, Mara={"dex": 3}, Vex={"dex": 1}, Bo={"dex": 2})
    assert why(enc)["Mara"] == "Dex +3 over +1 [saga.init.tie.dex]"
    enc.do("Mara", "delay", count=9)
    enc.do("Vex", "delay", count=9)
    assert why(enc) == {
        "Mara": "",
        "Vex": "delayed to 9: Dex +1 behind +3 [saga.init.tie.dex]",
        "Bo": "Dex +2 over 0 [saga.init.tie.dex]",
        "Ilya": "",
    }
    enc.do("Mara", "delay", count=5)
    assert order(enc) == ["Vex", "Bo", "Ilya", "Mara"]
    assert why(enc)["Vex"] == "", "nobody else is on its count any more"


@pytest.mark.rule("saga.delay.what")
@pytest.mark.parametrize(("delayer", "comes"), [("Vex", "Bo"), ("Mara", None)])
def test_a_newcomer_above_one_who_delayed_acts_at_once_and_above_one_who_acted_has_missed_its_count(
    delayer: str, comes: str | None
) -> None:
    enc = fight({"Mara": 20, "Vex": 10})
    while enc.active:
        if enc.active == delayer:
            enc.do(delayer, "delay")
        else:
            enc.end_turn()
    enc.join("Bo", side="rebels", rolls={"Bo": 15})
    assert (enc.active, enc.clock.round) == (comes, 1)


@pytest.mark.rule("saga.delay.what")
def test_a_newcomer_to_a_delayers_count_comes_before_it_and_the_delayer_says_so() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.do("Mara", "delay", count=8)
    assert why(enc)["Mara"] == ""
    events = enc.join("Bo", side="rebels", rolls={"Bo": 8})
    assert order(enc) == ["Vex", "Bo", "Mara"]
    assert why(enc)["Mara"] == "delayed to 8: after those already there [saga.delay.what]"
    told = next(e for e in events if e.kind == "order")
    assert (told.actor, told.rules) == ("Mara", ("saga.delay.what",))


def test_one_who_fights_alone_may_still_wait() -> None:
    enc = fight({"Mara": 15, "Vex": 15}, Mara={"dex": 3})
    enc.leave("Vex")
    enc.do("Mara", "delay")
    assert (order(enc), why(enc)) == (["Mara"], {"Mara": ""})


@pytest.mark.rule("saga.delay.what")
def test_an_open_delay_steps_in_before_somebody_who_has_not_begun() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay")
    assert (enc.active, enc.order[0].status) == ("Vex", "delayed")
    enc.end_turn()
    events = enc.do("Mara", "act_now")
    assert [e.actor for e in events if e.kind == "turn_back"] == ["Bo"]
    assert counts(enc) == [("Vex", 15), ("Mara", 10), ("Bo", 10), ("Dray", 5)]
    assert turns(enc, 5) == ["Mara", "Bo", "Dray", "Vex", "Mara"], "and for good"


@pytest.mark.rule("saga.delay.what")
def test_stepping_in_takes_back_what_the_other_turn_had_opened_with() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.end_turn()
    enc.do("Vex", "ready", action="move", trigger={"actor": "Mara", "action": "run"})
    enc.end_turn()
    enc.do("Mara", "delay")
    assert enc.active == "Vex"
    assert "readied" not in holds(enc, "Vex"), "it lapsed as the turn began"
    enc.do("Mara", "act_now")
    assert "readied" in holds(enc, "Vex"), "which it did not, after all"
    assert left(enc, "Vex")["standard"] == 0, "nor has Vex a new budget before its turn"
    enc.end_turn()
    assert (enc.active, left(enc, "Vex")["standard"]) == ("Vex", 1)


@pytest.mark.rule("saga.delay.what")
@pytest.mark.parametrize("action", ["speak", "move"])
def test_nobody_steps_in_once_the_other_has_done_anything(action: str) -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay")
    enc.do("Vex", action)
    assert "wait for the end of that turn" in refused(enc, "Mara", "act_now").reason
    before = enc.digest
    with pytest.raises(ck.IllegalAction):
        enc.do("Mara", "act_now", override=True)
    assert enc.digest == before


@pytest.mark.rule("saga.delay.what")
def test_only_a_delayer_steps_in_and_not_in_its_own_turn() -> None:
    enc = fight(FOUR)
    assert "isn't delaying" in refused(enc, "Bo", "act_now").reason
    enc.do("Mara", "delay", count=10)
    turns(enc, 2)
    assert enc.active == "Mara"
    assert not enc.can("Mara", "act_now").allowed


@pytest.mark.rule("saga.delay.lower-only")
def test_stepping_in_takes_a_lower_count() -> None:
    enc = fight({"Mara": 15, "Vex": 15}, Mara={"dex": 2})
    enc.do("Mara", "delay")
    assert enc.active == "Vex"
    assert refused(enc, "Mara", "act_now").rule == "saga.delay.lower-only"


@pytest.mark.rule("saga.delay.what")
def test_with_everybody_else_done_a_delayer_may_still_act() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.do("Mara", "delay")
    enc.end_turn()
    assert (enc.active, enc.clock.round) == (None, 1)
    enc.do("Mara", "act_now")
    assert (enc.active, enc.clock.round) == ("Mara", 1)
    assert counts(enc) == [("Vex", 15), ("Mara", 15)]
    assert turns(enc, 3) == ["Mara", "Vex", "Mara"]


@pytest.mark.rule("saga.delay.lower-only")
def test_the_lowest_of_all_acts_after_its_delay_one_count_below_its_own() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.end_turn()
    enc.do("Vex", "delay")
    enc.do("Vex", "act_now")
    assert counts(enc) == [("Mara", 20), ("Vex", 14)]


@pytest.mark.rule("saga.delay.what", "saga.delay.permanent")
def test_an_open_delay_that_is_never_used_loses_the_turn_and_keeps_the_count() -> None:
    enc = fight({"Mara": 20, "Vex": 15})
    enc.do("Mara", "delay")
    enc.end_turn()
    events = enc.end_turn()
    assert [(e.actor, e.text) for e in events if e.kind == "turn_lost"] == [("Mara", "skips the turn")]
    assert (enc.clock.round, enc.active) == (2, "Mara")
    assert counts(enc) == [("Mara", 20), ("Vex", 15)]


@pytest.mark.rule("saga.round.one-turn-each")
def test_no_delay_gives_two_turns_in_a_round() -> None:
    enc = fight({"Mara": 20, "Vex": 15, "Bo": 10})
    enc.do("Mara", "delay", count=12)
    assert turns(enc, 3) == ["Vex", "Mara", "Bo"]
    assert (enc.clock.round, enc.active) == (2, "Vex")
    enc.do("Vex", "delay")
    enc.end_turn()
    enc.do("Vex", "act_now")
    enc.end_turn()
    assert "act_now" not in [o.action for o in enc.options("Vex") if o.allowed]
    assert turns(enc, 2) == ["Bo", "Mara"]
    assert enc.clock.round == 3


@pytest.mark.rule("saga.delay.next-round")
def test_a_round_given_up_cannot_be_acted_in_after_all() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", count=7, round=2)
    assert refused(enc, "Mara", "act_now").rule == "saga.round.one-turn-each"


@pytest.mark.rule("saga.delay.what")
def test_a_delay_before_somebody_takes_that_place() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", before="Dray")
    assert counts(enc) == [("Vex", 15), ("Bo", 10), ("Mara", 5), ("Dray", 5)]
    assert why(enc)["Mara"] == "delayed to just before Dray [saga.delay.what]"
    enc.join("Tam", side="rebels", rolls={"Tam": 12})
    assert order(enc) == ["Vex", "Tam", "Bo", "Mara", "Dray"]


@pytest.mark.rule("saga.delay.lower-only")
def test_a_delay_beside_somebody_is_no_way_up() -> None:
    enc = fight(FOUR)
    turns(enc, 2)
    assert refused(enc, "Bo", "delay", before="Vex").rule == "saga.delay.lower-only"
    assert refused(enc, "Bo", "delay", after="Mara").rule == "saga.delay.lower-only"


@pytest.mark.parametrize(
    "places",
    [{"count": 3, "before": "Vex"}, {"count": 3, "after": "Vex"}, {"before": "Vex", "after": "Dray"}],
)
def test_a_delay_names_one_place(places: dict[str, object]) -> None:
    enc = fight(FOUR)
    turns(enc, 2)
    assert "one place" in refused(enc, "Bo", "delay", **places).reason


def test_stepping_in_keeps_its_place_when_others_join() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay")
    enc.end_turn()
    enc.do("Mara", "act_now")
    enc.join("Tam", side="rebels", dex=-1, rolls={"Tam": 11})
    assert order(enc) == ["Vex", "Mara", "Bo", "Tam", "Dray"]


@pytest.mark.rule("saga.delay.permanent")
def test_the_ladder_says_where_a_delayer_was() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", count=12)
    delayed = next(c for c in enc["Mara"].conditions if c.id == "delayed")
    assert delayed.value == {"was": 20, "count": 12}
    assert [r.status for r in enc.order] == ["now", "delayed", "waits", "waits"]
    assert "is now at 12 (was 20)" in " ".join(e.text for e in enc.at(last(enc))._events)


@pytest.mark.rule("saga.init.tie.dex")
def test_whom_the_gm_puts_on_the_same_count_stands_there_for_a_reason_that_is_said() -> None:
    enc = fight(FOUR, Bo={"dex": 2}, Dray={"dex": 1})
    enc.place("Dray", count=10)
    assert [rung.why for rung in enc.order if rung.combatant == "Bo"] == ["Dex +2 over +1 [saga.init.tie.dex]"]


@pytest.mark.rule("saga.delay.what")
def test_the_end_of_a_delay_rests_on_what_a_delay_is() -> None:
    enc = fight(FOUR)
    enc.do("Mara", "delay", count=12)
    ended = [event for event in enc.end_turn() if event.kind == "effect_end"]
    assert [event.rules for event in ended] == [("saga.delay.what",)]


@pytest.mark.rule("saga.delay.what")
def test_what_ends_as_the_delayers_turn_starts_ends_as_it_does_however_late_it_was_laid_on() -> None:
    enc = fight({"Ada": 20, "Bo": 17, "Cy": 12})
    enc.do("Ada", "delay", count=8)
    enc.end_turn()
    enc.condition("Ada", "weak", until="start of turn")
    enc.condition("Bo", "marked", until="start of turn: Ada")
    enc.end_turn()
    assert enc.active == "Ada"
    assert "weak" not in holds(enc, "Ada")
    assert "marked" not in holds(enc, "Bo")


@pytest.mark.rule("saga.delay.what")
def test_whoever_has_the_turn_late_delays_to_what_is_still_to_come() -> None:
    """ "Later in the round": somebody woken after their count has passed may come after those who have acted."""
    enc = fight(FOUR)
    enc.condition("Vex", "unconscious")
    enc.end_turn()
    enc.condition("Vex", "unconscious", off=True)
    enc.end_turn()
    assert enc.active == "Vex"
    for given in ({"count": 12}, {"before": "Bo"}):
        ruling = refused(enc, "Vex", "delay", **given)
        assert (ruling.rule, ruling.reason) == (
            "saga.delay.what",
            "The order has come to Bo at 10: delay to 10 or less, or to a later round.",
        )
    later = enc.branch(last(enc))
    later.do("Vex", "delay", count=12, round=2)
    assert turns(later, 4) == ["Dray", "Mara", "Vex", "Bo"]
    enc.do("Vex", "delay", count=4)
    assert turns(enc, 3) == ["Dray", "Vex", "Mara"]
