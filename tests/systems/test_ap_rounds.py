"""Action points: rounds, their refresh by either rule, what ends with them."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.ap_table import fight, last, log, points, through, to
from tests.systems.table import holds, refused, turns

AP = ck.ruleset("ap")
BY_TURN = {"ap_refresh": "turn"}


@pytest.mark.rule("ap.step.order")
def test_the_six_steps_come_in_order_and_two_of_them_repeat() -> None:
    enc = fight(surprised=["Ilya"])
    enc.next_round()
    enc.finish()
    told = {"begin": "surprise", "fact": "scene", "initiative": "initiative", "round": "start", "round_end": "end"}
    told |= {"over": "over"}
    steps = [told[e.kind] for e in log(enc) if e.kind in told]
    assert list(dict.fromkeys(steps)) == ["surprise", "scene", "initiative", "start", "end", "over"]
    assert [s for s in steps if s != "initiative"] == ["surprise", "scene", "start", "end", "start", "end", "over"]


@pytest.mark.rule("ap.scene.describe", "ap.scene.map")
def test_the_scene_is_set_before_initiative_with_the_places_on_the_grid() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="rebels", at=(2, 3))
    enc.add("Vex", side="hunters")
    events = enc.start()
    scene = last(events, "fact")
    assert (scene.text, scene.by) == ("the scene is set, on a grid", "gm")
    assert scene.data["facts"] == {"scene": {"Mara": [2, 3]}}
    assert scene.rules == ("ap.scene.describe", "ap.scene.map", "ap.map.assumed")
    assert scene.seq < next(e.seq for e in events if e.kind == "initiative")


@pytest.mark.rule("ap.round.one-turn", "ap.round.until-all", "ap.end.all-turns")
def test_each_has_one_turn_and_then_the_round_ends() -> None:
    enc = fight()
    assert turns(enc, 2) == ["Mara", "Vex"]
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert "ap.round.one-turn" in ruling.rules
    assert (enc.active, enc.clock.round) == ("Ilya", 1)
    events = enc.end_turn()
    kinds = [e.kind for e in events]
    assert kinds.index("round_end") < kinds.index("round") < kinds.index("turn")
    assert (enc.active, enc.clock.round) == ("Mara", 2)


@pytest.mark.rule("ap.round.desc")
def test_who_is_not_yet_called_is_told_the_order() -> None:
    enc = fight()
    assert "ap.round.desc" in refused(enc, "Vex", "attack", target="Mara").rules


@pytest.mark.rule("ap.round.refresh")
def test_all_replenish_as_the_round_begins() -> None:
    enc = fight()
    enc.do("Mara", "dash")
    enc.do("Vex", "evade", trigger="a falling crate")
    assert points(enc, "Mara", "Vex", "Ilya") == [2, 2, 3]
    to(enc, "Mara", 2)
    assert points(enc, "Mara", "Vex", "Ilya") == [3, 3, 3]
    refresh = last(log(enc), "refresh")
    assert refresh.seq < last(log(enc), "turn").seq
    assert set(refresh.data["pools"]) == {"Mara", "Vex", "Ilya"}


@pytest.mark.rule("ap.round.refresh-to-max")
def test_replenishing_carries_nothing_over() -> None:
    enc = fight(Vex={"ap": 4})
    enc.do("Vex", "evade", trigger="a falling crate")
    to(enc, "Mara", 3)
    assert points(enc, "Mara", "Vex") == [3, 4]
    enc.condition("Vex", "slowed", modifiers={"ap": -2})
    to(enc, "Mara", 4)
    assert points(enc, "Vex") == [2]


@pytest.mark.rule("ap.turn.spend")
def test_points_are_spent_on_actions_which_are_then_resolved() -> None:
    enc = fight(Mara={"attack_bonus": 4}, Vex={"defense": 12, "hp": 20})
    events = through(enc, "Mara", "attack", target="Vex", damage=6, rolls=[8])
    declared, strike, harm = (last(events, kind) for kind in ("action", "attack", "damage"))
    assert declared.data["paid"] == {"ap": 1}
    assert (strike.amount, strike.data["needed"], strike.data["outcome"]) == (12, 12, "hit")
    assert (harm.amount, enc["Vex"].values["hp"], points(enc, "Mara")) == (6, 14, [2])


@pytest.mark.rule("ap.turn.next")
def test_the_next_highest_comes_next() -> None:
    enc = fight({"Ilya": 9, "Mara": 14, "Vex": 12, "Dray": 11})
    assert turns(enc, 4) == ["Mara", "Vex", "Dray", "Ilya"]


@pytest.mark.rule("ap.end.regardless-ap", "ap.end.no-second-turn")
def test_points_left_over_neither_hold_the_round_nor_give_another_turn() -> None:
    enc = fight()
    assert points(enc, "Mara", "Vex", "Ilya") == [3, 3, 3]
    assert turns(enc, 3) == ["Mara", "Vex", "Ilya"]
    assert enc.clock.round == 2
    to(enc, "Ilya", 2)
    assert points(enc, "Mara") == [3]
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert "ap.round.one-turn" in ruling.rules
    assert enc.active == "Ilya"


@pytest.mark.rule("ap.end.effects")
def test_what_lasts_until_the_end_of_the_round_ends_with_it() -> None:
    enc = fight()
    enc.condition("Vex", "off balance", until="end of round")
    enc.condition("Vex", "bleeding")
    to(enc, "Ilya")
    assert holds(enc, "Vex") == {"off balance", "bleeding"}
    events = enc.end_turn()
    ended = last(events, "effect_end")
    assert ended.seq < last(events, "round_end").seq
    assert holds(enc, "Vex") == {"bleeding"}


@pytest.mark.rule("ap.enc.repeat")
def test_rounds_repeat() -> None:
    enc = fight()
    assert turns(enc, 9) == ["Mara", "Vex", "Ilya"] * 3
    assert [e.round for e in log(enc) if e.kind == "round"] == [1, 2, 3, 4]


@pytest.mark.rule("ap.enc.stop")
def test_they_stop_when_the_gm_says_the_fight_is_over() -> None:
    enc = fight()
    enc.finish()
    assert (last(log(enc), "over").by, enc.active) == ("gm", None)
    with pytest.raises(ck.IllegalAction):
        enc.end_turn()
    assert not enc.can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("ap.round.six-seconds")
def test_a_round_takes_six_seconds() -> None:
    enc = fight()
    assert enc.clock.seconds == 0
    to(enc, "Mara", 2)
    assert (enc.clock.seconds, enc.clock.label) == (6, "Round 2")
    to(enc, "Ilya", 3)
    assert enc.clock.seconds == 12


# ── the optional rule: points come back with one's own turn ──


@pytest.mark.rule("ap.var.optional")
def test_the_turn_based_refresh_is_chosen_by_the_group() -> None:
    setting = AP.options["ap_refresh"]
    assert (setting.default, setting.values) == ("round", ("round", "turn"))
    assert "ap.var.optional" in setting.rules
    with pytest.raises(ck.InvalidInput, match="ap_refresh"):
        fight(options={"ap_refresh": "never"})


@pytest.mark.rule("ap.var.first-round-max")
def test_all_begin_the_first_round_full() -> None:
    assert points(fight(options=BY_TURN, Ilya={"ap": 5}), "Mara", "Vex", "Ilya") == [3, 3, 5]


@pytest.mark.rule("ap.var.no-double-first")
def test_ones_own_turn_in_the_first_round_refreshes_nothing() -> None:
    enc = fight(options=BY_TURN)
    enc.do("Vex", "evade", trigger="a falling crate")
    to(enc, "Vex")
    assert (points(enc, "Vex"), enc.clock.round) == ([2], 1)


@pytest.mark.rule("ap.var.own-turn", "ap.var.not-round-start")
def test_from_the_second_round_on_ones_own_turn_refreshes_and_the_round_does_not() -> None:
    enc = fight(options=BY_TURN)
    enc.do("Mara", "dash")
    enc.do("Ilya", "evade", trigger="a falling crate")
    enc.do("Vex", "evade", trigger="a falling crate")
    to(enc, "Mara", 2)
    assert points(enc, "Mara", "Vex", "Ilya") == [3, 2, 2]
    enc.end_turn()
    assert points(enc, "Mara", "Vex", "Ilya") == [3, 3, 2]
    enc.end_turn()
    assert points(enc, "Mara", "Vex", "Ilya") == [3, 3, 3]


@pytest.mark.rule("ap.var.carry")
def test_what_is_left_serves_reactions_past_the_rounds_end() -> None:
    enc = fight(options=BY_TURN)
    to(enc, "Ilya")
    enc.do("Ilya", "dash")
    to(enc, "Vex", 2)
    assert points(enc, "Ilya") == [2]
    for _ in range(2):
        enc.do("Vex", "attack", target="Ilya")
        enc.do("Ilya", "evade", outcome="failed")
        enc.resolve()
    assert points(enc, "Ilya") == [0]
    enc.do("Vex", "attack", target="Ilya")
    assert refused(enc, "Ilya", "evade").rule == "ap.react.needs-ap"
    enc.resolve()
    enc.end_turn()
    assert (enc.active, points(enc, "Ilya")) == ("Ilya", [3])


@pytest.mark.rule("ap.var.own-turn", "ap.init.newcomer")
@pytest.mark.parametrize("refresh", ["round", "turn"])
def test_a_newcomer_has_its_points_at_once(refresh: str) -> None:
    enc = fight(options={"ap_refresh": refresh})
    to(enc, "Mara", 2)
    enc.join("Ossik", side="hunters", initiative_rating=4, ap=2)
    assert points(enc, "Ossik") == [2]


# ── the map ──


@pytest.mark.rule("ap.map.assumed", "ap.map.metre")
def test_a_square_is_a_metre() -> None:
    rows = [{"id": "throw_knife", "title": "Throw knife", "parameters": ["target"], "range": 6}]
    enc = fight(rows=rows)
    assert AP.rules["ap.map.assumed"].kind == "definition"
    for name, at in {"Mara": (0, 0), "Vex": (6, 2), "Ilya": (-3, 7)}.items():
        enc.place(name, at=at)
    assert enc.distance("Mara", "Vex") == ck.Distance(6)
    assert enc.distance("Vex", "Ilya") == ck.Distance(9)
    assert enc.can("Mara", "throw_knife", target="Vex").allowed
    ruling = refused(enc, "Mara", "throw_knife", target="Ilya")
    assert (ruling.rule, ruling.reason) == ("ap.map.metre", "Ilya is 7 metres away; Throw knife reaches 6 metres.")


@pytest.mark.rule("ap.map.metre")
@pytest.mark.parametrize(("to", "said"), [((4, 2), "(4, 2)"), ([(1, 1), (4, 2)], "(4, 2)"), ("the gate", "the gate")])
@pytest.mark.parametrize("action", ["dash", "disengage"])
def test_a_move_leads_where_it_says(action: str, to: Any, said: str) -> None:
    enc = fight({"Mara": 14, "Vex": 12})
    here = "the court" if said == "the gate" else (0, 0)
    enc.place("Mara", at=here)
    enc.place("Vex", at=(4, 4))
    events = through(enc, "Mara", action, to=to)
    moved = next(e for e in events if e.kind == "move")
    assert (moved.actor, moved.action, moved.text) == ("Mara", action, f"goes from {here} to {said}")
    if said == "the gate":
        assert (enc["Mara"].position, enc.distance("Mara", "Vex"), moved.rules) == ("the gate", None, ())
    else:
        assert (enc["Mara"].position, enc.distance("Mara", "Vex")) == ((4, 2), ck.Distance(2))
        assert moved.rules == ("ap.map.metre",)


@pytest.mark.rule("ap.map.optional")
def test_a_move_without_a_place_named_moves_nobody_on_the_map() -> None:
    enc = fight()
    assert [e.kind for e in enc.do("Mara", "dash")] == ["action"]
    moved = enc.do("Mara", "dash", to=(2, 2))[-1]
    assert (enc["Mara"].position, moved.text, moved.data) == ((2, 2), "goes to (2, 2)", {"from": None, "to": [2, 2]})
    assert enc.can("Mara", "dash", to=(2, 2)).reason == "Mara is already there."


@pytest.mark.rule("ap.map.metre", "ap.react.purpose")
def test_a_move_that_is_foiled_leads_nowhere_and_a_charge_strikes_from_where_it_ends() -> None:
    rows = [
        {"id": "charge", "title": "Charge", "tags": ["attack"], "parameters": ["to"]},
        {"id": "dart", "title": "Dart away", "tags": ["threat"], "parameters": ["to"]},
    ]
    enc = fight(rows=rows)
    enc.place("Mara", at=(0, 0))
    enc.do("Mara", "dart", to=(5, 5))
    assert enc["Mara"].position == (0, 0), "others may still do something about it"
    enc.do("Vex", "trip", target="Mara", outcome="foiled")
    enc.resolve()
    assert enc["Mara"].position == (0, 0)
    events = through(enc, "Mara", "charge", target="Vex", to=(3, 0), outcome="hit")
    assert [e.kind for e in events if e.kind in ("move", "attack")] == ["move", "attack"]
    assert enc["Mara"].position == (3, 0)


@pytest.mark.rule("ap.map.optional")
def test_without_a_map_nothing_is_measured_and_everything_works() -> None:
    enc = fight(rows=[{"id": "throw_knife", "title": "Throw knife", "parameters": ["target"], "range": 6}])
    assert AP.rules["ap.map.optional"].kind == "definition"
    assert enc.distance("Mara", "Vex") is None
    assert enc["Mara"].position is None
    through(enc, "Mara", "throw_knife", target="Vex")
    assert points(enc, "Mara") == [2]


@pytest.mark.rule("ap.var.not-round-start")
@pytest.mark.parametrize("cap", [None, 2])
def test_by_turns_no_round_is_said_to_fill_points_that_it_leaves(cap: int | None) -> None:
    enc = fight(options={**BY_TURN, "max_attacks": cap})
    enc.do("Mara", "attack", target="Vex", outcome="miss")
    enc.do("Vex", "parry", outcome="failed")
    enc.resolve()
    enc.next_round()
    said = [event.text for event in log(enc) if event.kind == "refresh" and event.data["at"] == "round"]
    assert said == ["everybody's Action Points are full again", "attacks and attempts to react are counted anew"]


@pytest.mark.rule("ap.primary.any-number")
def test_who_returns_in_the_round_is_not_said_to_count_anew() -> None:
    enc = fight(options={"max_attacks": 2})
    for _ in range(2):
        through(enc, "Mara", "attack", target="Vex", outcome="miss")
    enc.leave("Mara")
    assert [event.text for event in enc.join("Mara") if event.kind == "refresh"] == []
    enc.next_round()
    enc.leave("Mara")
    assert [event.text for event in enc.join("Mara") if event.kind == "refresh"] == ["has actions from now on"]
