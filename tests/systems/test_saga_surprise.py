"""Saga Edition: who is surprised, and what the surprise round allows."""

from __future__ import annotations

from typing import Any

import pytest

from tests.systems.table import fight, holds, last, left, order, refused, turns

THREE = {"Mara": 18, "Vex": 15, "Bo": 10}


@pytest.mark.rule("saga.seq.surprise-first")
def test_who_is_surprised_is_settled_before_initiative_and_any_turn() -> None:
    enc = fight(THREE, start=False)
    events = enc.start(surprised=["Vex"], rolls={"Mara": 18, "Vex": 15, "Bo": 10})
    kinds = [event.kind for event in events]
    assert kinds[0] == "begin"
    assert events[0].data["surprised"] == ["Vex"]
    assert kinds.index("effect") < kinds.index("roll") < kinds.index("round") < kinds.index("turn")


@pytest.mark.rule("saga.surprise.when", "saga.seq.surprise-round-second", "saga.surprise.aware-act")
def test_some_but_not_all_aware_gives_a_surprise_round_before_the_first_regular_one() -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert (enc.clock.round, enc.clock.seconds, enc.clock.label) == (0, 0, "Surprise round")
    assert [e.text for e in enc.at(last(enc))._events if e.kind == "step"] == ["Surprise round"]
    assert turns(enc, 2) == ["Mara", "Bo"]
    assert (enc.clock.round, enc.clock.seconds) == (1, 6)


@pytest.mark.rule("saga.surprise.unaware-idle")
def test_the_unaware_have_no_turn_in_the_surprise_round() -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert turns(enc, 5) == ["Mara", "Bo", "Mara", "Vex", "Bo"]
    enc = fight(THREE, surprised=["Vex"])
    assert "saga.surprise.unaware-idle" in refused(enc, "Vex", "move").rules


@pytest.mark.rule("saga.surprise.none-if-all-aware")
def test_no_surprise_round_if_all_are_aware() -> None:
    enc = fight(THREE)
    assert (enc.clock.round, enc.clock.seconds, enc.active) == (1, 0, "Mara")


@pytest.mark.rule("saga.surprise.none-if-none-aware")
def test_no_surprise_round_if_all_come_to_it_surprised() -> None:
    enc = fight({}, start=False)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name, conditions=["surprised"])
    enc.start(rolls={"Mara": 18, "Vex": 15})
    assert enc.clock.round == 1


@pytest.mark.rule("saga.surprise.none-if-none-aware")
def test_no_surprise_round_if_nobody_is_aware() -> None:
    enc = fight(THREE, surprised=["Mara", "Vex", "Bo"])
    assert (enc.clock.round, enc.clock.seconds, enc.active) == (1, 0, "Mara")
    assert [holds(enc, name) for name in THREE] == [set()] * 3
    assert turns(enc, 3) == ["Mara", "Vex", "Bo"]


@pytest.mark.rule("saga.seq.first-regular-all", "saga.seq.descending")
def test_everyone_acts_from_highest_to_lowest_in_the_first_regular_round() -> None:
    after_surprise = fight({"Bo": 10, "Mara": 18, "Vex": 15}, surprised=["Vex", "Bo"])
    assert order(after_surprise) == ["Mara", "Vex", "Bo"]
    assert turns(after_surprise, 4) == ["Mara", "Mara", "Vex", "Bo"]
    straight_away = fight({"Bo": 10, "Mara": 18, "Vex": 15})
    assert turns(straight_away, 3) == ["Mara", "Vex", "Bo"]


@pytest.mark.rule("saga.surprise.budget-one")
@pytest.mark.parametrize("action", ["aid_another", "move", "talent_or_power"])
def test_one_standard_or_one_move_or_one_swift_action_in_the_surprise_round(action: str) -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert left(enc, "Mara") == {"standard": 1, "move": 1, "swift": 1, "reaction": 1, "aoo": 0}
    enc.do("Mara", action)
    assert left(enc, "Mara") == {"standard": 0, "move": 0, "swift": 0, "reaction": 1, "aoo": 0}
    for more in ("aid_another", "move", "talent_or_power"):
        assert refused(enc, "Mara", more).rule == "saga.surprise.budget-one"


@pytest.mark.rule("saga.surprise.budget-one")
def test_the_whole_budget_is_back_in_the_first_regular_turn() -> None:
    enc = fight(THREE, surprised=["Vex"])
    enc.do("Mara", "move")
    turns(enc, 2)
    assert left(enc, "Mara") == {"standard": 1, "move": 1, "swift": 1, "reaction": 1, "aoo": 0}


@pytest.mark.rule("saga.surprise.no-full-round")
@pytest.mark.parametrize("action", ["run", "full_round_skill"])
def test_no_full_round_action_in_the_surprise_round(action: str) -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert refused(enc, "Mara", action).rule == "saga.surprise.no-full-round"
    turns(enc, 2)
    assert enc.can("Mara", action).allowed


@pytest.mark.rule("saga.surprise.free-open")
def test_option_surprise_free_actions() -> None:
    allowed = fight(THREE, surprised=["Vex"])
    allowed.do("Mara", "speak")
    assert left(allowed, "Mara")["standard"] == 1, "a free action is not the one action"
    barred = fight(THREE, surprised=["Vex"], options={"surprise_free_actions": False})
    assert refused(barred, "Mara", "speak").rule == "saga.surprise.free-open"
    assert refused(barred, "Mara", "delay", count=5).rule == "saga.surprise.free-open"
    assert barred.can("Mara", "move").allowed
    turns(barred, 2)
    assert barred.can("Mara", "speak").allowed, "only the surprise round is bare of free actions"


@pytest.mark.rule("saga.surprise.surprised-no-actions")
@pytest.mark.parametrize(
    "action", ["aid_another", "move", "talent_or_power", "run", "speak", "delay", "attack_of_opportunity"]
)
def test_the_surprised_have_no_action_of_any_kind(action: str) -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert "saga.surprise.surprised-no-actions" in refused(enc, "Vex", action).rules


@pytest.mark.rule("saga.surprise.flat-footed")
def test_the_surprised_are_flat_footed_and_the_aware_are_not() -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert "flat_footed" in holds(enc, "Vex")
    assert holds(enc, "Mara") == holds(enc, "Bo") == set()


@pytest.mark.rule("saga.surprise.flat-footed-ends")
def test_flat_footed_until_ones_own_first_regular_turn() -> None:
    enc = fight(THREE, surprised=["Vex"])
    turns(enc, 2)
    assert (enc.clock.round, enc.active) == (1, "Mara")
    assert holds(enc, "Vex") == {"surprised", "flat_footed"}, "a faster foe in round 1 still catches it so"
    enc.end_turn()
    assert enc.active == "Vex"
    assert holds(enc, "Vex") == set()
    assert enc.can("Vex", "move").allowed


@pytest.mark.rule("saga.surprise.no-reaction")
def test_the_surprised_make_no_attack_of_opportunity_before_their_first_regular_turn() -> None:
    enc = fight(THREE, surprised=["Vex"])
    catch = {"target": "Mara", "trigger": "moves past"}
    assert refused(enc, "Vex", "attack_of_opportunity", **catch).rule == "saga.surprise.no-reaction"
    enc.trigger("Mara", text="moves past")
    assert enc.pending == (), "Bo is no enemy of hers"
    turns(enc, 2)
    assert enc.clock.round == 1
    assert refused(enc, "Vex", "attack_of_opportunity", **catch).rule == "saga.surprise.no-reaction"
    turns(enc, 2)
    assert enc.active == "Bo"
    assert enc.can("Vex", "attack_of_opportunity", target="Bo", trigger="moves past").allowed


@pytest.mark.rule("saga.surprise.flat-footed", "saga.surprise.when")
def test_surprise_set_down_beside_a_combatant_works_as_if_said_at_the_start() -> None:
    enc = fight({"Mara": 18}, start=False)
    enc.add("Vex", side="empire", conditions=["surprised"])
    enc.start(rolls={"Mara": 18, "Vex": 19})
    assert enc.clock.round == 0
    assert holds(enc, "Vex") == {"surprised", "flat_footed"}
    assert turns(enc, 1) == ["Mara"]
    assert (enc.clock.round, enc.active) == (1, "Vex")
    assert holds(enc, "Vex") == set()


@pytest.mark.rule("saga.surprise.flat-footed-ends")
def test_the_gm_may_surprise_somebody_in_the_middle_of_a_fight() -> None:
    enc = fight(THREE)
    for _ in range(2):
        enc.condition("Vex", "surprised")
    assert sorted(c.id for c in enc["Vex"].conditions) == ["flat_footed", "surprised"]
    assert [c.until for c in enc["Vex"].conditions] == ["own turn", "own turn"]
    enc.end_turn()
    assert (enc.active, holds(enc, "Vex")) == ("Vex", set())


@pytest.mark.parametrize("more", [{}, {"value": "by the trap"}, {"modifiers": {"defense": -2}}])
@pytest.mark.rule("saga.surprise.no-reaction", "saga.surprise.flat-footed-ends")
def test_surprise_by_hand_is_as_at_the_start_whatever_is_said_of_it(more: dict[str, Any]) -> None:
    enc = fight(THREE, surprised=["Bo"], Vex={"defense": 12})
    enc.condition("Vex", "surprised", **more)
    assert left(enc, "Vex")["reaction"] == 0
    assert holds(enc, "Vex") == {"surprised", "flat_footed"}
    assert dict(enc.history.rounds.select("combatant", "budget_total").rows())["Vex"] == 0
    assert turns(enc, 2) == ["Mara", "Mara"]
    assert (enc.active, holds(enc, "Vex"), left(enc, "Vex")["reaction"]) == ("Vex", set(), 1)


@pytest.mark.rule("saga.surprise.no-reaction")
def test_a_reaction_spent_before_surprise_stays_spent_after_it() -> None:
    enc = fight(THREE)
    enc.do("Vex", "attack_of_opportunity", target="Mara", trigger="Mara slips", outcome="miss")
    enc.condition("Vex", "surprised")
    mended = enc.branch(last(enc))
    mended.condition("Vex", "surprised", off=True)
    assert left(mended, "Vex")["reaction"] == 0
    enc.end_turn()
    assert (enc.active, left(enc, "Vex")["reaction"]) == ("Vex", 0)


@pytest.mark.rule("saga.surprise.when")
def test_one_who_left_before_the_fight_is_neither_aware_nor_unaware() -> None:
    enc = fight(THREE, start=False)
    enc.leave("Bo")
    enc.start(surprised=["Mara", "Vex"], rolls={"Mara": 18, "Vex": 15})
    assert enc.clock.round == 1, "nobody who is there is aware"
    assert order(enc) == ["Mara", "Vex"]


@pytest.mark.rule("saga.surprise.surprised-no-actions")
def test_a_refusal_of_the_surprised_is_explained_in_the_log() -> None:
    enc = fight(THREE, surprised=["Vex"])
    seq = next(e.seq for e in enc.at(last(enc))._events if e.kind == "effect" and e.target == "Vex")
    assert "saga.surprise.surprised-no-actions" in enc.explain(seq)


@pytest.mark.rule("saga.surprise.no-reaction", "saga.surprise.budget-one")
def test_the_surprised_show_no_reaction_until_their_own_first_turn() -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert left(enc, "Vex") == {"standard": 0, "move": 0, "swift": 0, "reaction": 0, "aoo": 0}
    totals = dict(enc.history.rounds.select("combatant", "budget_total").rows())
    assert totals["Vex"] == 0
    assert totals["Mara"] == 2, "one action and the reaction"
    turns(enc, 2)
    assert (enc.clock.round, enc.active, left(enc, "Vex")["reaction"]) == (1, "Mara", 0)
    enc.end_turn()
    assert (enc.active, left(enc, "Vex")["reaction"]) == ("Vex", 1)
    enc.end_turn()
    assert enc.can("Vex", "attack_of_opportunity", target="Mara", trigger="moves past").allowed


@pytest.mark.rule("saga.surprise.flat-footed")
def test_surprise_that_the_gm_ends_takes_along_what_came_with_it() -> None:
    enc = fight(THREE, surprised=["Vex"])
    assert holds(enc, "Vex") == {"surprised", "flat_footed"}
    enc.condition("Vex", "surprised", off=True)
    assert holds(enc, "Vex") == set()
    assert left(enc, "Vex")["reaction"] == 1


@pytest.mark.rule("saga.surprise.none-if-none-aware")
def test_if_all_are_unaware_the_log_does_not_call_anybody_surprised() -> None:
    enc = fight(THREE, start=False)
    begin, *events = enc.start(surprised=["Mara", "Vex", "Bo"], rolls={"Mara": 18, "Vex": 15, "Bo": 10})
    assert begin.text == "the fight begins; surprised: Mara, Vex, Bo"
    assert not any("surprised" in event.text for event in events)
    assert enc.clock.round == 1


@pytest.mark.rule("saga.surprise.flat-footed-ends", "saga.react.one")
@pytest.mark.parametrize("until", ["end of turn", "1 round", None])
def test_surprise_ends_with_reactions_where_a_first_turn_is_lost(until: str | None) -> None:
    enc = fight(THREE, surprised=["Vex"])
    enc.condition("Vex", "stunned", until=until)
    turns(enc, 2)
    assert (enc.clock.round, enc.active, left(enc, "Vex")["reaction"]) == (1, "Mara", 0)
    assert (
        "saga.surprise.no-reaction"
        in refused(enc, "Vex", "attack_of_opportunity", target="Mara", trigger="moves past").rules
    )
    enc.end_turn()
    assert enc.active == "Bo"
    assert not holds(enc, "Vex") & {"surprised", "flat_footed"}
    assert left(enc, "Vex")["reaction"] == 1
    ruling = enc.can("Vex", "attack_of_opportunity", target="Bo", trigger="moves past")
    assert ruling.allowed == (until is not None)
    assert "saga.react.one" not in ruling.rules, "it is no spent reaction that keeps them from it"


@pytest.mark.rule("saga.surprise.flat-footed-ends")
def test_one_who_is_passed_over_in_their_first_turn_spends_one_reaction_a_round() -> None:
    enc = fight(THREE, surprised=["Vex"])
    enc.condition("Vex", "stunned", until="end of turn")
    turns(enc, 3)
    enc.do("Vex", "attack_of_opportunity", target="Bo", trigger="moves past", outcome="miss")
    assert refused(enc, "Vex", "attack_of_opportunity", target="Bo", trigger="again").rule == "saga.react.one"
    enc.condition("Vex", "surprised")
    enc.condition("Vex", "surprised", off=True)
    assert left(enc, "Vex")["reaction"] == 0, "and nobody gets it back"
    enc.end_turn()
    assert (enc.clock.round, left(enc, "Vex")["reaction"]) == (2, 1)
