"""Phases: delay, ready, abort."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.errors import UnknownName
from tests.systems.phases_table import CLOSE, FOUR, attack, cells, cited, fight, opportunities, question, to, value
from tests.systems.table import holds, left, order, refused


def scores(enc: ck.Encounter) -> list[tuple[str, Any]]:
    """Who acts on which score, top first."""
    return [(rung.combatant, rung.initiative) for rung in enc.order]


def acted(enc: ck.Encounter, phase: int) -> list[str]:
    """Who takes a turn in a phase, in order; it must be still to come or have just begun."""
    while enc.clock.phase != phase:
        enc.end_turn()
    seen = []
    while enc.clock.phase == phase:
        seen.append(enc.active or "nobody")
        enc.end_turn()
    return seen


@pytest.mark.rule("phases.spec.ways")
def test_two_ways_change_the_place_and_one_does_not() -> None:
    enc = fight()
    enc.do("Vex", "delay", after="Mara")
    assert order(enc) == ["Mara", "Vex", "Ilya", "Dray"]
    enc.do("Mara", "ready", action="block", trigger={"actor": "Ilya"})
    enc.end_turn()
    enc.end_turn()
    enc.do("Ilya", "perceive")
    enc.do("Mara", "use_readied")
    assert order(enc) == ["Vex", "Mara", "Ilya", "Dray"]
    enc.do("Dray", "abort", action="dodge")
    assert order(enc) == ["Vex", "Mara", "Ilya", "Dray"]


# ── delay ──


@pytest.mark.rule("phases.delay.no-act", "phases.tab.not-action")
def test_delaying_is_no_action_and_only_for_one_who_has_taken_none() -> None:
    enc = fight()
    assert enc.can("Vex", "delay").cost == "No action"
    enc.do("Vex", "soliloquy")
    enc.do("Vex", "delay")
    assert (enc.active, left(enc, "Vex")["attack"]) == ("Mara", 1)
    enc.do("Mara", "perceive")
    assert refused(enc, "Mara", "delay").rule == "phases.delay.no-act"


@pytest.mark.rule("phases.delay.name-or-wait", "phases.delay.fix")
@pytest.mark.parametrize(
    ("params", "placed"),
    [
        ({"before": "Dray"}, [("Mara", 8), ("Ilya", 6), ("Vex", 5), ("Dray", 5)]),
        ({"after": "Mara"}, [("Mara", 8), ("Vex", 8), ("Ilya", 6), ("Dray", 5)]),
        ({"count": 6}, [("Mara", 8), ("Ilya", 6), ("Vex", 6), ("Dray", 5)]),
        ({"count": 7}, [("Mara", 8), ("Vex", 7), ("Ilya", 6), ("Dray", 5)]),
    ],
)
def test_the_new_place_may_be_named_and_is_kept(params: dict[str, Any], placed: list[tuple[str, int]]) -> None:
    enc = fight()
    enc.do("Vex", "delay", **params)
    assert scores(enc) == placed
    names = [name for name, _ in placed]
    assert acted(enc, 1) == names
    assert acted(enc, 2) == names


@pytest.mark.rule("phases.delay.name-or-wait")
def test_a_place_that_is_none_is_refused() -> None:
    enc = fight()
    for params in ({"before": "Mara"}, {"count": 9}):
        assert refused(enc, "Vex", "delay", **params).rule == "phases.delay.name-or-wait"
    nowhere: tuple[dict[str, Any], ...] = ({"before": "Vex"}, {"count": 6, "after": "Mara"})
    for params in nowhere:
        assert refused(enc, "Vex", "delay", **params).rule == "phases.delay.name-or-wait"
    enc.end_turn()
    assert refused(enc, "Mara", "delay", after="Vex").rule == "phases.delay.name-or-wait"


@pytest.mark.rule("phases.delay.name-or-wait", "phases.delay.fix")
def test_or_one_waits_and_steps_in_which_fixes_the_score() -> None:
    enc = fight()
    enc.do("Vex", "delay")
    enc.end_turn()
    assert enc.active == "Ilya"
    assert next(r.status for r in enc.order if r.combatant == "Vex") == "delayed"
    enc.do("Vex", "act_now")
    assert (enc.active, scores(enc)[:3]) == ("Vex", [("Mara", 8), ("Vex", 6), ("Ilya", 6)])
    enc.do("Vex", "block")
    enc.end_turn()
    assert enc.active == "Ilya"
    assert acted(enc, 2) == ["Mara", "Vex", "Ilya", "Dray"]


@pytest.mark.rule("phases.delay.fix")
def test_when_all_others_have_acted_the_delayer_may_still_act_last() -> None:
    enc = fight()
    enc.do("Mara", "delay") if enc.active == "Mara" else enc.end_turn()
    enc.do("Mara", "delay")
    enc.end_turn()
    enc.end_turn()
    assert (enc.active, enc.clock.phase) == (None, 1)
    enc.do("Mara", "act_now")
    assert (enc.active, scores(enc)[-1]) == ("Mara", ("Mara", 5))
    enc.end_turn()
    assert acted(enc, 2) == ["Vex", "Ilya", "Dray", "Mara"]


def test_who_waits_is_told_to_delay_at_the_score_they_still_have() -> None:
    enc = fight({"Vex": 9, "Mara": 5})
    enc.do("Vex", "delay")
    assert "delays at 9." in enc.log(rules=False).markdown
    assert enc.order[0].initiative == 9


@pytest.mark.rule("phases.delay.no-interrupt")
def test_a_delayed_action_interrupts_nobody() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "delay")
    enc.do("Mara", "perceive")
    ruling = refused(enc, "Vex", "act_now")
    assert (ruling.rule, "wait for the end of that turn" in ruling.reason) == ("phases.delay.no-interrupt", True)
    enc.end_turn()
    enc.do("Vex", "act_now")
    assert enc.active == "Vex"


@pytest.mark.rule("phases.delay.lost", "phases.delay.again")
def test_at_ones_next_action_the_delayed_one_is_lost_and_one_may_delay_again() -> None:
    enc = fight()
    enc.do("Vex", "delay")
    for _ in range(3):
        enc.end_turn()
    assert enc.active is None
    enc.end_turn()
    assert [enc.active, enc.clock.phase, enc["Vex"].values["initiative"]] == ["Vex", 2, 9]
    assert "delayed" not in holds(enc, "Vex")
    assert refused(enc, "Vex", "act_now").rule == "phases.delay.fix"
    enc.do("Vex", "delay")
    assert "delayed" in holds(enc, "Vex")


@pytest.mark.rule("phases.delay.next-phase", "phases.delay.next-phase-cost")
def test_used_in_the_next_phase_the_score_rises_for_good_and_the_regular_action_is_forfeit() -> None:
    enc = fight()
    to(enc, "Ilya")
    enc.do("Ilya", "delay")
    enc.end_turn()
    assert [enc.active, enc.clock.phase] == [None, 1]
    enc.end_turn()
    assert [enc.active, enc.clock.phase] == ["Vex", 2]
    enc.end_turn()
    events = enc.do("Ilya", "act_now")
    assert {"phases.delay.next-phase", "phases.delay.next-phase-cost"} <= cited(events)
    assert enc.active == "Ilya"
    assert scores(enc) == [("Vex", 9), ("Ilya", 8), ("Mara", 8), ("Dray", 5)]
    enc.do("Ilya", "block")
    enc.end_turn()
    rest: list[str | None] = []
    while enc.clock.phase == 2:
        rest.append(enc.active)
        enc.end_turn()
    assert rest == ["Mara", "Dray"]
    assert acted(enc, 3) == ["Vex", "Ilya", "Mara", "Dray"]


@pytest.mark.rule("phases.delay.next-phase", "phases.delay.next-phase-cost")
@pytest.mark.parametrize("params", [{"before": "Vex"}, {"count": 10}])
def test_a_place_above_ones_own_may_be_named_and_comes_in_the_next_phase(params: dict[str, Any]) -> None:
    enc = fight()
    to(enc, "Ilya")
    enc.do("Ilya", "delay", **params)
    assert (enc.active, order(enc)) == ("Dray", ["Ilya", "Vex", "Mara", "Dray"])
    enc.end_turn()
    assert acted(enc, 2) == ["Ilya", "Vex", "Mara", "Dray"]


# ── ready ──

WHEN_VEX_MOVES = {"actor": "Vex", "action": "half_move"}


def readied(action: str = "strike", trigger: Any = None, **params: Any) -> ck.Encounter:
    """Mara, one hex from where Vex will pass, readies in phase 1; it is Vex's turn in phase 2."""
    enc = fight(at={**CLOSE, "Mara": (2, 0)})
    to(enc, "Mara")
    enc.do("Mara", "ready", action=action, trigger=trigger or WHEN_VEX_MOVES, **params)
    to(enc, "Vex", 2)
    return enc


@pytest.mark.rule("phases.ready.attack-action", "phases.ready.no-aoo")
def test_readying_is_an_attack_action_that_does_not_provoke() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    assert enc.can("Mara", "ready", action="block", trigger="he moves").cost == "Attack"
    enc.do("Mara", "ready", action="block", trigger="he moves")
    assert (enc.pending, left(enc, "Mara")["attack"], left(enc, "Mara")["move"]) == ((), 0, 1)
    assert refused(enc, "Mara", "ready", action="block", trigger="he moves").rule == "phases.act.no-two-attacks"


@pytest.mark.rule("phases.ready.no-aoo")
def test_but_the_readied_action_might() -> None:
    enc = fight(at={**CLOSE, "Dray": (2, 0)})
    enc.end_turn()
    enc.do("Mara", "ready", action="pick_up_item", trigger={"actor": "Ilya"})
    enc.end_turn()
    enc.do("Ilya", "perceive")
    enc.do("Mara", "use_readied")
    assert opportunities(enc) == ["Vex", "Dray"]


@pytest.mark.rule("phases.ready.kinds")
def test_attack_move_and_free_actions_can_be_readied_and_no_others() -> None:
    enc = fight()
    for action in ("strike", "half_move", "soliloquy"):
        assert enc.can("Vex", "ready", action=action, trigger="he moves").allowed
    for action in ("withdraw", "delay", "1_hex_step", "ready", "attack_of_opportunity"):
        assert refused(enc, "Vex", "ready", action=action, trigger="he moves").rule == "phases.ready.kinds"


@pytest.mark.rule("phases.ready.kinds", "phases.tab.startfull", "phases.act.start-complete")
def test_starting_or_completing_a_full_phase_action_is_a_move_action_and_can_be_readied() -> None:
    enc = readied("start_or_complete", option="take_recovery", outcome="negated")
    stored = {"action": "take_recovery", "outcome": "negated"}
    assert value(enc, "Mara", "readied")["params"] == stored
    enc.do("Vex", "half_move", to=(0, 1), outcome="negated")
    enc.do("Mara", "use_readied")
    assert enc["Mara"].progress["take_recovery"] == ck.Progress(1, 2)
    assert scores(enc)[:2] == [("Mara", 9), ("Vex", 9)]


@pytest.mark.rule("phases.ready.specify", "phases.act.start-complete")
def test_which_full_phase_action_is_specified_as_it_is_readied() -> None:
    enc = fight()
    words: dict[str, Any] = {"action": "start_or_complete", "trigger": "he moves"}
    ruling = refused(enc, "Vex", "ready", **words)
    assert (ruling.reason, ruling.rule) == ("Say which full-phase action.", "phases.act.start-complete")
    assert refused(enc, "Vex", "ready", option="perceive", **words).rule == "phases.act.start-complete"
    with pytest.raises(UnknownName, match="take_recovery"):
        enc.can("Vex", "ready", option="take_recovary", **words)
    enc.do("Vex", "ready", option="take_recovery", **words)
    assert "readies an action (take a recovery, to start or complete it): he moves" in enc._events[-1].text


@pytest.mark.rule("phases.ready.no-aoo", "phases.tab.startfull")
def test_what_is_completed_when_readied_provokes_and_wants_what_it_wants() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "start_or_complete", action="sweep", outcome="negated")
    enc.do("Mara", "ready", action="start_or_complete", option="sweep", trigger=WHEN_VEX_MOVES)
    to(enc, "Vex", 2)
    enc.do("Vex", "half_move", to=(0, 1), outcome="negated")
    assert "needs a target" in refused(enc, "Mara", "use_readied").reason
    assert refused(enc, "Mara", "use_readied", target="Dray").rule == "phases.atk.melee-adj"
    enc.do("Mara", "use_readied", target="Vex")
    asked = question(enc)
    assert asked is not None
    assert asked.rule == "phases.tab.startfull"
    events = enc.resolve(answer="negated")
    assert [e.target for e in events if e.kind == "attack"] == ["Vex"]


@pytest.mark.rule("phases.ready.step", "phases.step.no-move")
def test_a_place_named_for_a_readied_withdrawal_is_where_it_leads_and_no_step() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "start_or_complete", action="withdraw", outcome="negated")
    enc.do("Mara", "ready", action="start_or_complete", option="withdraw", trigger=WHEN_VEX_MOVES, to=(3, 0))
    to(enc, "Vex", 2)
    enc.do("Vex", "half_move", to=(0, 1), outcome="negated")
    enc.do("Mara", "use_readied", outcome="negated")
    assert (enc["Mara"].position, left(enc, "Mara")["step"]) == ((3, 0), 0)
    assert [e.action for e in enc._events if e.action == "1_hex_step"] == []


@pytest.mark.rule("phases.ready.specify")
def test_action_and_condition_are_specified() -> None:
    enc = fight()
    assert refused(enc, "Vex", "ready", trigger="he moves").reason == "Say what Vex readies."
    assert refused(enc, "Vex", "ready", action="block").rules == ("phases.ready.specify",)
    events = enc.do("Vex", "ready", action="block", trigger="he moves")
    assert "phases.ready.specify" in next(e for e in events if e.kind == "action").rules
    assert value(enc, "Vex", "readied") == {"action": "block", "trigger": "he moves", "use": "use_readied"}


@pytest.mark.rule("phases.ready.window")
def test_it_is_for_after_ones_turn_and_before_the_next() -> None:
    enc = fight()
    enc.do("Vex", "ready", action="block", trigger="he moves")
    assert refused(enc, "Vex", "use_readied", trigger="he moves").rule == "phases.ready.window"
    enc.end_turn()
    assert refused(enc, "Vex", "use_readied").rule == "phases.ready.window"
    enc.do("Vex", "use_readied", trigger="he moves")
    assert "readied" not in holds(enc, "Vex")


@pytest.mark.rule("phases.ready.score")
def test_set_off_by_nobody_the_score_is_the_moment_it_was_used() -> None:
    enc = readied("block", "the door opens")
    enc.trigger(text="the door opens")
    enc.do("Mara", "use_readied")
    assert scores(enc)[:2] == [("Mara", 9), ("Vex", 9)]


@pytest.mark.rule("phases.ready.before", "phases.ready.interrupt", "phases.ready.resume", "phases.ready.score")
def test_it_goes_off_before_what_triggered_it_which_then_goes_on() -> None:
    enc = readied("grab", target="Vex")
    enc.place("Vex", at=(1, 0))
    enc.do("Vex", "half_move", to=(0, 0), outcome="negated")
    assert [(o.who, o.actions) for o in enc.pending] == [("Mara", ("use_readied",))]
    assert enc["Vex"].position == (1, 0)
    events = enc.do("Mara", "use_readied", rolls=[3, 3, 3])
    assert attack(events)["outcome"] == "miss"
    assert (enc["Vex"].position, enc.active) == ((0, 0), "Vex")
    assert scores(enc)[:2] == [("Mara", 9), ("Vex", 9)]
    assert enc.order[0].why == "just before Vex [phases.ready.score]"
    assert acted(enc, 3) == ["Mara", "Vex", "Ilya", "Dray"]


@pytest.mark.rule("phases.ready.resume")
def test_what_is_interrupted_comes_to_nothing_if_its_owner_no_longer_can() -> None:
    enc = readied("block")
    enc.do("Vex", "half_move", to=(1, 0))
    events = enc.condition("Vex", "paralysed")
    assert [e.kind for e in events if e.kind in ("move", "stopped")] == ["stopped"]
    assert enc["Vex"].position == (0, 0)


@pytest.mark.rule("phases.ready.optional")
def test_it_need_not_be_taken() -> None:
    enc = readied("block")
    enc.do("Vex", "half_move", to=(1, 0))
    events = enc.resolve()
    assert [e.actor for e in events if e.kind == "answer"] == ["Mara"]
    assert (enc["Vex"].position, "readied" in holds(enc, "Mara"), scores(enc)[1]) == ((1, 0), True, ("Mara", 8))


@pytest.mark.rule("phases.ready.before")
def test_a_condition_in_words_may_come_true_at_any_hex_of_a_move() -> None:
    enc = readied("strike", "Vex comes near", target="Vex")
    enc.condition("Mara", "hampered")
    enc.do("Vex", "half_move", to=[(0, 1), (1, 1), (1, 2)], outcome="negated")
    assert enc["Vex"].position == (1, 1)
    assert [o.who for o in enc.pending] == ["Mara"]
    enc.do("Mara", "use_readied")
    assert enc["Vex"].position == (1, 2)
    enc = readied("strike", "Vex comes near", target="Vex")
    enc.do("Vex", "half_move", to=[(0, 1), (1, 1), (1, 2)], outcome="negated")
    enc.end_turn()
    assert (enc["Vex"].position, enc.active) == ((1, 2), "Mara")


@pytest.mark.rule("phases.ready.lost")
def test_at_ones_next_action_it_is_lost_and_may_be_readied_again() -> None:
    enc = readied("block")
    events = enc.end_turn()
    assert (enc.active, "readied" in holds(enc, "Mara")) == ("Mara", False)
    assert [e.text for e in events if e.kind == "effect_end"] == ["loses the readied action"]
    enc.do("Mara", "ready", action="block", trigger=WHEN_VEX_MOVES)
    assert "readied" in holds(enc, "Mara")


@pytest.mark.rule("phases.ready.score", "phases.ready.next-phase")
def test_used_in_the_same_phase_the_score_falls_and_used_in_the_next_it_rises_for_the_regular_action() -> None:
    enc = fight()
    enc.end_turn()
    enc.do("Mara", "ready", action="block", trigger={"actor": "Dray"})
    to(enc, "Dray")
    enc.do("Dray", "perceive")
    enc.do("Mara", "use_readied")
    assert scores(enc)[2:] == [("Mara", 5), ("Dray", 5)]
    assert acted(enc, 2) == ["Vex", "Ilya", "Mara", "Dray"]
    enc = readied("block")
    enc.do("Vex", "half_move", to=(1, 0))
    events = enc.do("Mara", "use_readied")
    assert "phases.ready.next-phase" in cited(events)
    assert left(enc, "Mara") == {"attack": 0, "move": 0, "step": 1, "aoo": 1}
    enc.end_turn()
    assert enc.active == "Ilya"
    assert next(rung.status for rung in enc.order if rung.combatant == "Mara") == "acted", "by what was readied"
    assert cells(enc, "Mara")[:2] == ["A", "R"]


@pytest.mark.rule("phases.ready.next-phase")
def test_triggered_by_one_who_has_yet_to_act_it_still_costs_the_regular_action() -> None:
    enc = fight(at={**CLOSE, "Dray": (0, 1)})
    to(enc, "Mara")
    enc.do("Mara", "ready", action="block", trigger={"actor": "Dray"})
    to(enc, "Vex", 2)
    enc.do("Vex", "perceive")
    enc.end_turn()
    enc = fight({"Vex": 9, "Mara": 6, "Dray": 5}, at={"Vex": (0, 0), "Mara": (5, 5), "Dray": (9, 0)})
    to(enc, "Mara")
    enc.do("Mara", "ready", action="block", trigger={"actor": "Dray"})
    to(enc, "Vex", 2)
    enc.do("Dray", "abort", action="block")
    assert [o.who for o in enc.pending] == ["Mara"]
    enc.do("Mara", "use_readied")
    assert scores(enc) == [("Vex", 9), ("Mara", 5), ("Dray", 5)]
    enc.end_turn()
    assert (enc.clock.phase, enc.active) == (3, "Vex")


@pytest.mark.rule("phases.ready.step")
def test_a_step_may_be_part_of_it_if_no_other_distance_is_moved() -> None:
    enc = fight(at={**CLOSE, "Mara": (3, 0)})
    enc.end_turn()
    enc.do("Mara", "ready", action="strike", trigger={"actor": "Vex"}, target="Vex")
    to(enc, "Vex", 2)
    enc.place("Vex", at=(1, 0))
    enc.do("Vex", "perceive")
    ruling = refused(enc, "Mara", "use_readied")
    assert (ruling.rule, ruling.reason) == ("phases.ready.step", "That is out of reach: step to (2, 0) first.")
    assert refused(enc, "Mara", "use_readied", to=(4, 0)).rule == "phases.atk.melee-adj"
    assert refused(enc, "Mara", "use_readied", to=(1, 1)).rules[0] == "phases.step.when"
    events = enc.do("Mara", "use_readied", to=(2, 0))
    assert [e.kind for e in events if e.kind in ("move", "attack")] == ["move", "attack"]
    assert "phases.ready.step" in cited(events)
    assert (enc["Mara"].position, left(enc, "Mara")["step"]) == ((2, 0), 0)
    assert opportunities(enc) == []


@pytest.mark.rule("phases.ready.step")
@pytest.mark.parametrize(("option", "kinds"), [("before", ["move", "attack"]), ("after", ["attack", "move"])])
def test_the_step_comes_before_or_after_what_was_readied(option: str, kinds: list[str]) -> None:
    enc = fight(at={**CLOSE, "Mara": (3, 0)})
    enc.end_turn()
    enc.do("Mara", "ready", action="strike", trigger={"actor": "Vex"}, target="Vex")
    to(enc, "Vex", 2)
    enc.place("Vex", at=(2, 0))
    enc.do("Vex", "perceive")
    events = enc.do("Mara", "use_readied", to=(3, -1), option=option)
    assert [event.kind for event in events if event.kind in ("move", "attack")] == kinds
    assert enc["Mara"].position == (3, -1)


@pytest.mark.rule("phases.abort.cost")
def test_one_who_is_let_off_a_debt_has_all_of_the_phase_again() -> None:
    enc = fight()
    to(enc, "Dray", 2)
    enc.condition("Mara", "owes")
    enc.end_turn()
    assert (enc.clock.phase, left(enc, "Mara")) == (3, {"attack": 0, "move": 0, "step": 0, "aoo": 1})
    enc.condition("Mara", "owes", off=True)
    assert left(enc, "Mara") == {"attack": 1, "move": 1, "step": 1, "aoo": 1}


@pytest.mark.rule("phases.abort.cost", "phases.delay.next-phase-cost")
def test_one_who_owes_the_next_action_by_hand_keeps_nothing_for_it() -> None:
    enc = fight()
    to(enc, "Mara")
    enc.condition("Mara", "owes")
    assert refused(enc, "Mara", "delay").rule == "phases.delay.next-phase-cost"
    enc.do("Mara", "ready", action="strike", target="Vex", trigger={"actor": "Vex"})
    while enc.clock.phase == 1:
        enc.end_turn()
    assert refused(enc, "Mara", "use_readied", trigger="Vex acts").rule == "phases.abort.skip"


@pytest.mark.rule("phases.abort.cost")
@pytest.mark.parametrize("keeps", ["delay", "ready"])
def test_what_was_kept_for_the_next_action_is_over_with_a_debt_by_hand_too(keeps: str) -> None:
    enc = fight()
    to(enc, "Mara")
    more: dict[str, Any] = {"action": "strike", "target": "Vex", "trigger": {"actor": "Vex"}}
    enc.do("Mara", keeps, **(more if keeps == "ready" else {}))
    while enc.clock.phase == 1:
        enc.end_turn()
    enc.condition("Mara", "owes")
    assert not {"delayed", "readied"} & {*holds(enc, "Mara")}
    while enc.clock.phase == 2:
        enc.end_turn()
    to(enc, "Mara", 3)
    assert "owes" not in holds(enc, "Mara")


@pytest.mark.rule("phases.ready.step")
@pytest.mark.parametrize(
    ("first", "rule"),
    [("half_move", "phases.ready.step"), ("1_hex_step", "phases.step.one"), ("perceive", "")],
)
def test_but_not_after_another_distance_or_another_step_in_the_phase(first: str, rule: str) -> None:
    enc = fight(at={**CLOSE, "Mara": (3, 0)})
    enc.end_turn()
    enc.do("Mara", first, to=(4, 0) if first != "perceive" else None)
    enc.do("Mara", "ready", action="block", trigger={"actor": "Ilya"})
    enc.end_turn()
    enc.do("Ilya", "perceive")
    ruling = enc.can("Mara", "use_readied", to=(3, 1) if first == "perceive" else (4, 1))
    assert (ruling.allowed, rule in (ruling.rule, "")) == (not rule, True)
    assert enc.can("Mara", "use_readied").allowed


@pytest.mark.rule("phases.ready.step")
@pytest.mark.parametrize("option", ["before", "after"])
def test_no_step_is_part_of_a_readied_move(option: str) -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "ready", action="half_move", to=(-2, 0), trigger={"actor": "Mara"})
    enc.end_turn()
    enc.do("Mara", "open_or_close_door")
    ruling = enc.can("Vex", "use_readied", option=option)
    assert ruling.reason == "No 1-hex step is part of a readied action that moves."
    assert ruling.rule == "phases.ready.step"
    assert enc.can("Vex", "use_readied").allowed


@pytest.mark.rule("phases.ready.step", "phases.step.no-move")
def test_a_readied_move_uses_up_the_step() -> None:
    enc = fight(at={**CLOSE, "Mara": (3, 0)})
    enc.end_turn()
    enc.do("Mara", "1_hex_step", to=(4, 0))
    enc.do("Mara", "ready", action="half_move", trigger={"actor": "Ilya"}, to=(5, 0))
    enc.end_turn()
    enc.do("Ilya", "perceive")
    assert enc.pending == ()
    enc = fight(at={**CLOSE, "Mara": (3, 0)})
    enc.end_turn()
    enc.do("Mara", "ready", action="half_move", trigger={"actor": "Ilya"}, to=(5, 0))
    enc.end_turn()
    enc.do("Ilya", "perceive")
    enc.do("Mara", "use_readied")
    assert (enc["Mara"].position, left(enc, "Mara")["step"]) == ((5, 0), 0)


# ── abort ──


@pytest.mark.rule("phases.abort.what", "phases.abort.cost")
def test_before_ones_place_it_costs_this_phases_action() -> None:
    enc = fight()
    assert enc.active == "Vex"
    events = enc.do("Mara", "abort", action="dodge")
    assert {"phases.abort.what", "phases.abort.cost", "phases.abort.score"} <= cited(events)
    assert value(enc, "Mara", "owes") == 1
    assert left(enc, "Mara") == {"attack": 0, "move": 0, "step": 1, "aoo": 1}
    enc.end_turn()
    assert enc.active == "Ilya"
    assert "owes" not in holds(enc, "Mara")
    assert cells(enc, "Mara") == ["\u00d7", "", "", "", ""]
    ruling = refused(enc, "Mara", "strike", target="Vex")
    assert ruling.rule == "phases.abort.skip"
    assert "phases.act.no-two-attacks" not in ruling.rules, "they have made none"
    assert acted(enc, 2) == list(FOUR)


@pytest.mark.rule("phases.abort.what")
def test_only_to_a_defensive_attack_or_move_action() -> None:
    dive = {"id": "dive", "title": "Dive", "cost": "move", "tags": ["defensive", "movement"], "parameters": ["to"]}
    enc = fight(tables={"actions": [dive]})
    for action in ("block", "dodge", "missile_deflection", "roll_with_a_punch", "resist_knockback", "dive"):
        where = {"to": (1, 1)} if action == "dive" else {}
        assert enc.can("Mara", "abort", action=action, **where).allowed
    for action in ("strike", "half_move", "withdraw", "soliloquy", "ready"):
        assert refused(enc, "Mara", "abort", action=action).rule == "phases.abort.what"
    told = refused(enc, "Mara", "abort", action="other_attacks").reason
    assert told.startswith("You abort to a defensive attack or move action, and “Other attacks” isn't one.")
    assert refused(enc, "Mara", "abort").rules == ("phases.abort.what",)
    assert refused(enc, "Vex", "abort", action="dodge").rule == "phases.abort.what"


@pytest.mark.rule("phases.abort.what")
def test_it_is_said_before_an_attack_is_declared_which_opens_no_window_for_it() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "strike", target="Mara")
    assert enc.pending == ()


@pytest.mark.rule("phases.abort.what")
def test_it_may_be_said_while_a_window_is_open() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "pick_up_item")
    enc.do("Dray", "abort", action="block")
    assert (opportunities(enc), value(enc, "Dray", "owes")) == (["Vex"], 1)
    enc.resolve()
    assert enc.active == "Mara"


@pytest.mark.rule("phases.abort.after", "phases.abort.skip")
def test_after_it_the_next_phases_which_passes_without_the_one_who_owes() -> None:
    enc = fight()
    to(enc, "Dray", 2)
    enc.do("Ilya", "abort", action="dodge")
    assert value(enc, "Ilya", "owes") == 3
    assert next(c.until for c in enc["Ilya"].conditions if c.id == "owes") == "own place passed"
    assert cells(enc, "Ilya")[2] == "\u00d7"
    enc.end_turn()
    assert enc.clock.phase == 3
    assert left(enc, "Ilya") == {"attack": 0, "move": 0, "step": 0, "aoo": 1}
    assert next(r.status for r in enc.order if r.combatant == "Ilya") == "owes"
    enc.end_turn()
    enc.end_turn()
    assert enc.active == "Dray"
    assert "owes" not in holds(enc, "Ilya")
    assert refused(enc, "Ilya", "perceive").rule == "phases.abort.skip"
    enc.end_turn()
    assert acted(enc, 4) == list(FOUR)


@pytest.mark.rule("phases.abort.cost", "phases.abort.after")
def test_the_place_of_the_last_one_passes_as_well_where_only_those_who_delay_are_left() -> None:
    enc = fight()
    to(enc, "Mara", 1)
    enc.do("Mara", "delay")
    enc.do("Dray", "abort", action="dodge")
    enc.end_turn()
    assert (enc.active, "owes" in holds(enc, "Dray")) == (None, False)
    enc.do("Mara", "act_now")
    enc.do("Dray", "abort", action="block")
    assert value(enc, "Dray", "owes") == 2
    enc.end_turn()
    assert acted(enc, 2) == ["Vex", "Ilya", "Mara"]


@pytest.mark.rule("phases.abort.after")
@pytest.mark.parametrize("until", ["start of turn: Ilya", "end of turn: Ilya"])
def test_what_waits_for_a_turn_that_is_owed_ends_as_its_place_passes(until: str) -> None:
    enc = fight()
    to(enc, "Dray", 2)
    enc.condition("Mara", "dazed", until=until)
    enc.do("Ilya", "abort", action="dodge")
    to(enc, "Mara", 3)
    assert "dazed" in holds(enc, "Mara")
    enc.end_turn()
    assert (enc.active, "dazed" in holds(enc, "Mara")) == ("Dray", False)


@pytest.mark.rule("phases.abort.after")
def test_after_phase_four_it_is_phase_one_of_the_next_turn() -> None:
    enc = fight()
    to(enc, "Mara", 4)
    enc.do("Vex", "abort", action="block")
    assert value(enc, "Vex", "owes") == 1
    to(enc, "Mara", 1, 2)
    assert enc.order[0].status == "acted"


@pytest.mark.rule("phases.abort.score")
def test_initiative_does_not_change() -> None:
    enc = fight()
    before = scores(enc)
    enc.do("Ilya", "abort", action="dodge")
    to(enc, "Mara", 2)
    enc.do("Vex", "abort", action="dodge")
    to(enc, "Dray", 4)
    assert scores(enc) == before


@pytest.mark.rule("phases.abort.no-chain")
def test_one_debt_at_a_time_until_the_place_owed_has_passed() -> None:
    enc = fight()
    to(enc, "Ilya")
    enc.do("Mara", "abort", action="dodge")
    assert refused(enc, "Mara", "abort", action="block").rule == "phases.abort.no-chain"
    to(enc, "Vex", 2)
    assert refused(enc, "Mara", "abort", action="block").rule == "phases.abort.no-chain"
    enc.end_turn()
    assert enc.active == "Ilya"
    enc.do("Mara", "abort", action="block")
    assert value(enc, "Mara", "owes") == 3
    to(enc, "Ilya", 3)
    to(enc, "Mara", 4)


@pytest.mark.rule("phases.abort.no-chain")
def test_before_ones_place_as_well() -> None:
    enc = fight()
    enc.do("Mara", "abort", action="dodge")
    assert refused(enc, "Mara", "abort", action="block").rule == "phases.abort.no-chain"
    enc.end_turn()
    enc.do("Mara", "abort", action="block")
    assert value(enc, "Mara", "owes") == 2


@pytest.mark.rule("phases.abort.cost", "phases.delay.lost")
def test_one_who_waits_gives_the_delayed_action_up() -> None:
    enc = fight()
    enc.do("Vex", "delay")
    enc.do("Vex", "abort", action="block")
    assert value(enc, "Vex", "owes") == 1
    assert "delayed" not in holds(enc, "Vex")
    assert refused(enc, "Vex", "act_now").rule == "phases.delay.fix"
    enc.end_turn()
    enc.end_turn()
    enc.end_turn()
    assert (enc.clock.phase, enc.active) == (2, "Vex")


@pytest.mark.rule("phases.abort.after", "phases.abort.no-chain")
@pytest.mark.parametrize("turns", [0, 1, 2])
def test_one_who_waited_and_gave_that_up_may_abort_again_at_the_price_of_the_next_phase(turns: int) -> None:
    enc = fight()
    enc.do("Vex", "delay")
    enc.do("Mara", "delay")
    for _ in range(turns):
        enc.end_turn()
    assert enc.active == ("Ilya", "Dray", None)[turns]
    enc.do("Vex", "abort", action="block")
    enc.do("Vex", "abort", action="block")
    assert value(enc, "Vex", "owes") == 2
    ruling = refused(enc, "Vex", "abort", action="block")
    assert (ruling.rule, ruling.reason) == ("phases.abort.no-chain", "Vex has already given up phase 2.")
    assert acted(enc, 2) == ["Mara", "Ilya", "Dray"]
    assert acted(enc, 3) == ["Vex", "Mara", "Ilya", "Dray"]


@pytest.mark.rule("phases.abort.no-chain")
def test_but_not_before_the_place_that_was_named_has_passed() -> None:
    enc = fight()
    enc.do("Vex", "delay", before="Dray")
    enc.do("Vex", "abort", action="block")
    assert refused(enc, "Vex", "abort", action="block").rule == "phases.abort.no-chain"
    to(enc, "Dray")
    assert enc.can("Vex", "abort", action="block").allowed


@pytest.mark.rule("phases.ready.lost", "phases.abort.cost")
def test_what_was_readied_is_lost_with_the_next_action_that_an_abort_takes() -> None:
    enc = readied("block")
    assert enc.active == "Vex"
    assert enc.clock.phase == 2
    events = enc.do("Mara", "abort", action="dodge")
    (end,) = [e for e in events if e.kind == "effect_end"]
    assert (end.target, end.rules) == ("Mara", ("phases.ready.lost",))
    enc.do("Vex", "half_move", to=(1, 0), outcome="negated")
    assert enc.pending == ()
    assert refused(enc, "Mara", "use_readied", trigger="he moves").reason == "What Mara had readied (block) has lapsed."


@pytest.mark.rule("phases.ready.lost", "phases.abort.after")
def test_one_who_owes_the_next_phase_has_nothing_readied_in_it_or_after_it() -> None:
    enc = fight()
    enc.end_turn()
    enc.do("Mara", "ready", action="block", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Mara", "abort", action="dodge")
    assert value(enc, "Mara", "owes") == 2
    for phase in (2, 3):
        to(enc, "Vex", phase)
        assert (
            refused(enc, "Mara", "use_readied", trigger="he acts").reason == "What Mara had readied (block) has lapsed."
        )


@pytest.mark.rule("phases.abort.what")
def test_an_abort_comes_before_an_attack_is_declared_and_no_open_window_changes_that() -> None:
    enc = fight(at=CLOSE)
    to(enc, "Ilya")
    enc.do("Ilya", "ready", action="block", trigger={"actor": "Vex"})
    to(enc, "Vex", 2)
    assert enc.can("Mara", "abort", action="dodge").allowed
    enc.do("Vex", "strike", target="Mara")
    assert [offer.who for offer in enc.pending] == ["Ilya"]
    ruling = refused(enc, "Mara", "abort", action="dodge")
    assert ruling.rule == "phases.abort.what"
    assert ruling.reason == "Vex's strike is already declared: you abort before an attack, not against it."


@pytest.mark.rule("phases.abort.what", "phases.abort.cost")
def test_an_abort_to_a_defence_that_moves_goes_where_it_says() -> None:
    dive = {"id": "dive", "title": "Dive", "cost": "move", "tags": ["defensive", "movement"], "parameters": ["to"]}
    enc = fight(at=CLOSE, tables={"actions": [dive]})
    assert refused(enc, "Mara", "abort", action="dive").reason == "Say where Mara goes."
    enc.do("Mara", "abort", action="dive", to=(2, 0))
    assert enc["Mara"].position == (2, 0)


@pytest.mark.rule("phases.delay.no-act", "phases.step.anytime")
def test_a_step_is_no_action_so_one_may_still_delay_after_it() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "1_hex_step", to=(0, 1))
    enc.do("Vex", "delay")
    assert enc.active == "Mara"
    enc.end_turn()
    enc.do("Vex", "act_now")
    assert refused(enc, "Vex", "1_hex_step", to=(0, 0)).rule == "phases.step.one"
    assert enc.can("Vex", "strike", target="Mara").allowed


@pytest.mark.rule("phases.aoo.no-dodge", "phases.delay.no-act")
def test_a_delay_is_no_action_so_a_dodge_still_bars_opportunities() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "dodge")
    to(enc, "Vex", 2)
    enc.do("Vex", "delay")
    assert enc.active == "Mara"
    enc.do("Mara", "pick_up_item")
    assert opportunities(enc) == []
    enc.end_turn()
    enc.do("Vex", "act_now")
    assert "dodged" not in holds(enc, "Vex")


@pytest.mark.rule("phases.aoo.no-dodge", "phases.abort.what")
def test_an_abort_is_the_next_action_that_ends_an_earlier_dodges_bar() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "dodge")
    enc.end_turn()
    enc.do("Vex", "abort", action="block")
    enc.do("Mara", "pick_up_item")
    assert opportunities(enc) == ["Vex"]


def test_what_only_an_action_brings_is_not_begun_by_hand() -> None:
    enc = fight()
    before = enc.digest
    for id, value_ in (("owes", "a drink"), ("manoeuvre", None), ("manoeuvre", {"ocv": 3}), ("dodged", 1)):
        with pytest.raises(ck.InvalidInput, match=f"condition {id}"):
            enc.condition("Mara", id, value=value_)
    assert enc.digest == before


# ── what a refusal names ──


@pytest.mark.rule("phases.ready.interrupt")
def test_while_only_something_readied_is_waited_for_its_own_rule_says_so() -> None:
    enc = fight()
    enc.do("Vex", "ready", action="block", trigger={"actor": "Mara"})
    enc.end_turn()
    enc.do(str(enc.active), "open_or_close_door")
    assert [offer.actions for offer in enc.pending] == [("use_readied",)]
    assert refused(enc, str(enc.active), "half_move", to=(5, 5)).rule == "phases.ready.interrupt"


@pytest.mark.rule("phases.step.no-move")
def test_after_other_movement_nothing_else_is_against_a_step() -> None:
    enc = fight({"Vex": 9, "Mara": 8}, at={"Vex": (0, 0), "Mara": (9, 0)})
    enc.do("Vex", "half_move", to=(1, 0))
    assert refused(enc, "Vex", "1_hex_step", to=(2, 0)).rules == ("phases.step.no-move",)


@pytest.mark.rule("phases.sur.one-action")
def test_with_the_one_action_gone_nobody_is_told_to_go_nearer() -> None:
    enc = fight(surprised=["Mara"], at={"Vex": (0, 0), "Mara": (5, 0)})
    enc.do("Vex", "open_or_close_door")
    assert refused(enc, "Vex", "strike", target="Mara").rule == "phases.sur.one-action"


def test_of_two_attack_actions_that_the_gm_gave_both_are_said_to_be_gone() -> None:
    enc = fight(at=CLOSE)
    enc.adjust("Vex", "attack", 1)
    for _ in range(2):
        enc.do("Vex", "strike", target="Mara")
    ruling = refused(enc, "Vex", "strike", target="Mara")
    assert (ruling.rule, ruling.reason.startswith("Needs an attack action")) == ("phases.act.budget", True)


def test_once_a_turn_is_over_whose_it_is_comes_first() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "strike", target="Mara")
    enc.end_turn()
    assert refused(enc, "Vex", "strike", target="Mara").rule != "phases.act.no-two-attacks"


def test_nobody_is_put_beside_one_who_has_left() -> None:
    enc = fight()
    enc.leave("Dray")
    with pytest.raises(ck.InvalidInput, match="Dray has left the fight; bring them back first"):
        enc.place("Dray", before="Vex")
    assert refused(enc, "Vex", "delay", before="Dray").reason == "Dray has left the fight."


@pytest.mark.rule("phases.init.tie-once", "phases.ready.score")
def test_who_comes_back_does_not_part_two_of_whom_one_readied() -> None:
    enc = fight({"Mara": 9, "Ilya": 6, "Dray": 6}, rolls={"Ilya": 16, "Dray": 4})
    enc.do("Mara", "ready", action="block", trigger={"actor": "Dray"})
    to(enc, "Dray")
    enc.leave("Ilya")
    enc.do("Dray", "perceive")
    enc.do("Mara", "use_readied")
    enc.join("Ilya")
    assert order(enc) == ["Ilya", "Mara", "Dray"]


@pytest.mark.rule("phases.abort.after")
def test_a_debt_is_paid_where_its_owners_place_would_have_passed_while_they_are_away() -> None:
    enc = fight()
    to(enc, "Dray")
    enc.do("Mara", "abort", action="block")
    enc.leave("Mara")
    to(enc, "Vex", 3)
    enc.join("Mara")
    assert "owes" not in holds(enc, "Mara")


@pytest.mark.rule("phases.ready.optional", "phases.aoo.cr-move-one")
def test_who_is_asked_again_on_a_movers_way_is_told_where_that_is() -> None:
    enc = fight({"Ilya": 9, "Vex": 8, "Mara": 7}, at={"Vex": (0, 0), "Mara": (1, 0), "Ilya": (9, 9)})
    enc.do("Ilya", "ready", action="half_move", to=(8, 9), trigger="somebody comes close")
    enc.end_turn()
    enc.do("Vex", "half_move", to=[(0, 1), (1, 1)], outcome="failed")
    asked = []
    while enc.pending:
        asked.append({offer.who: offer.about for offer in enc.pending})
        enc.resolve()
    assert asked == [
        {"Mara": "Vex moves", "Ilya": "Vex moves"},
        {"Ilya": "Vex moves, at (0, 1)"},
        {"Ilya": "Vex moves, at (1, 1)"},
    ]
    told = [event.text for event in enc._events if event.kind == "window"]
    assert told == [
        "is interrupted: Mara and Ilya may react",
        "is interrupted at (0, 1): Ilya may react",
        "is interrupted at (1, 1): Ilya may react",
    ]


@pytest.mark.rule("phases.act.start-complete")
def test_what_is_begun_is_named_as_something_to_do() -> None:
    enc = fight()
    events = enc.do("Vex", "start_or_complete", action="full_move", outcome="negated")
    assert events[0].text == "begins to make a full move"
    to(enc, "Vex", 2)
    events = enc.do("Vex", "start_or_complete", action="full_move", to=(1, 0), outcome="negated")
    assert events[0].text == "goes on to make a full move"


@pytest.mark.rule("phases.abort.after")
def test_an_action_of_the_next_turn_is_said_to_be_of_it() -> None:
    enc = fight()
    to(enc, "Mara", 4)
    events = enc.do("Vex", "abort", action="dodge")
    assert "gives up the action in phase 1 of the next Turn" in [event.text for event in events]
    enc.condition("Vex", "dodged", off=True)
    assert enc.history.events["text"].to_list()[-1] == "no longer counts as dodging"


@pytest.mark.rule("phases.delay.name-or-wait")
def test_a_delay_among_the_tied_says_beside_whom() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Vex", side="hunters", combat_value=7), enc.add("Mara", side="rebels", combat_value=7)
    enc.start(rolls={"Vex": 20, "Mara": 5})
    assert enc.do("Vex", "delay", after="Mara")[1].text == "is now just after Mara"
    assert "delays: is now just after Mara" in enc.log(rules=False).markdown


def test_a_yes_or_no_of_a_sheet_says_which_it_is_now() -> None:
    enc = fight()
    assert enc.edit("Vex", combat_reflexes=True)[0].text == "now has combat reflexes"
