"""Phases: time, initiative, surprise."""

from __future__ import annotations

from collections import Counter

import pytest

import combatkit as ck
from tests.systems.phases_table import CLOSE, FOUR, attack, cells, cited, fight, opportunities, to, value
from tests.systems.table import holds, left, order, refused

# ── time ──


@pytest.mark.rule("phases.time.cycle", "phases.time.act-each-phase", "phases.init.same-order")
def test_everybody_acts_in_every_phase_in_the_same_order_again_and_again() -> None:
    enc = fight()
    seen = []
    for _ in range(4 * len(FOUR) + 1):
        seen.append((enc.clock.round, enc.clock.phase, enc.active))
        enc.end_turn()
    expected = [(1, phase, name) for phase in (1, 2, 3, 4) for name in ("Vex", "Mara", "Ilya", "Dray")]
    assert seen == [*expected, (2, 1, "Vex")]


@pytest.mark.rule("phases.time.act-each-phase")
def test_nobody_acts_twice_in_a_phase_and_one_action_is_enough_to_have_acted() -> None:
    enc = fight()
    enc.do("Vex", "perceive")
    enc.do("Vex", "open_or_close_door")
    enc.end_turn()
    assert refused(enc, "Vex", "perceive").rule == "phases.time.act-each-phase"
    assert refused(enc, "Dray", "perceive").rule == "phases.init.desc"


@pytest.mark.rule("phases.time.init-roll", "phases.init.score")
def test_no_die_is_rolled_for_the_order() -> None:
    enc = fight()
    assert [e.kind for e in enc._events if e.data.get("purpose")] == []
    assert ck.ruleset("phases").rules["phases.time.init-roll"].disputed


@pytest.mark.rule("phases.time.phase-3s", "phases.time.turn-12s", "phases.time.post-turn", "phases.time.post-turn-zero")
def test_four_phases_of_three_seconds_and_a_post_turn_that_takes_no_time() -> None:
    enc = fight()
    seconds = {}
    before = 0
    while enc.clock.round == 1:
        seconds[enc.clock.phase] = enc.clock.seconds
        before = len(enc._events)
        enc.end_turn()
    assert seconds == {1: 0, 2: 3, 3: 6, 4: 9}
    assert (enc.clock.round, enc.clock.phase, enc.clock.seconds, enc.clock.label) == (2, 1, 12, "Turn 2 · Phase 1")
    told = [e.text for e in enc._events[before:] if e.kind in ("step", "round")]
    assert told == ["Post-Turn", "Turn 2", "Phase 1"]
    post = next(e for e in enc._events if e.text == "Post-Turn")
    assert enc.at(post.seq).clock.seconds == 12
    assert enc.at(post.seq).clock.phase is None


@pytest.mark.rule("phases.time.post-turn", "phases.time.post-turn-recovery")
def test_in_the_post_turn_most_take_a_recovery_up_to_what_they_had() -> None:
    stats = {"stun": 30, "end": 20, "body": 10, "recovery": 6}
    enc = fight(Vex=stats, Mara={**stats, "auto_recovery": False}, Ilya={**stats, "recovery": 50})
    for name in ("Vex", "Mara", "Ilya"):
        enc.adjust(name, "stun", -10)
        enc.adjust(name, "end", -4)
        enc.adjust(name, "body", -3)
    to(enc, "Dray", 4)
    assert enc["Vex"].values["stun"] == 20
    events = enc.end_turn()
    after = {name: [enc[name].values[v] for v in ("stun", "end", "body")] for name in ("Vex", "Mara", "Ilya")}
    assert after == {"Vex": [26, 20, 7], "Mara": [20, 16, 7], "Ilya": [30, 20, 7]}
    assert "phases.time.post-turn-recovery" in cited(events)


@pytest.mark.rule("phases.time.post-turn-recovery")
def test_the_unconscious_recover_and_the_dead_do_not() -> None:
    enc = fight(Mara={"stun": 30, "recovery": 5}, Ilya={"stun": 30, "recovery": 5})
    for name, condition in (("Mara", "unconscious"), ("Ilya", "dead")):
        enc.adjust(name, "stun", -12)
        enc.condition(name, condition)
    enc.next_round()
    assert (enc["Mara"].values["stun"], enc["Ilya"].values["stun"]) == (23, 18)


@pytest.mark.rule("phases.time.post-turn-recovery")
def test_who_recovers_nothing_has_no_recovery_in_the_log() -> None:
    enc = fight(Mara={"stun": 30, "recovery": 0})
    enc.adjust("Mara", "stun", -12)
    assert not [event for event in enc.next_round() if event.kind == "vital"]
    assert enc["Mara"].values["stun"] == 18


# ── initiative ──


@pytest.mark.rule("phases.init.score", "phases.init.desc")
def test_the_score_is_combat_value_plus_lightning_reflexes_from_high_to_low() -> None:
    enc = fight({"Mara": 5, "Vex": 7, "Ilya": 6}, Mara={"lightning_reflexes": 4})
    assert [(r.combatant, r.initiative) for r in enc.order] == [("Mara", 9), ("Vex", 7), ("Ilya", 6)]
    assert enc.order[0].key == (("score", 9), ("lightning_reflexes", 4))
    assert enc["Mara"].values["initiative"] == 9


@pytest.mark.rule("phases.init.tie-random")
def test_a_tie_is_drawn_and_drawn_again_among_those_still_tied() -> None:
    rolls = {"Mara": [4, 2], "Vex": [4, 3], "Ilya": [6]}
    enc = fight({"Mara": 8, "Vex": 8, "Ilya": 8, "Dray": 9}, rolls=rolls)
    assert order(enc) == ["Dray", "Ilya", "Vex", "Mara"]
    whys = [r.why for r in enc.order]
    assert whys == [
        "",
        "random draw, 6 over 4 [phases.init.tie-random]",
        "random draw, 3 over 2 [phases.init.tie-random]",
        "",
    ]
    thrown = [(e.actor, e.amount) for e in enc._events if e.data.get("purpose") == "tie"]
    assert thrown == [("Mara", 4), ("Vex", 4), ("Ilya", 6), ("Mara", 2), ("Vex", 3)]


@pytest.mark.rule("phases.init.tie-random")
def test_at_the_table_a_tie_may_be_drawn_with_any_die() -> None:
    enc = fight({"Mara": 8, "Vex": 8, "Ilya": 8}, rolls={"Mara": [57], "Vex": [100], "Ilya": [20]})
    assert order(enc) == ["Vex", "Mara", "Ilya"]
    assert enc.order[0].why == "random draw, 100 over 57 [phases.init.tie-random]"
    assert enc.history.rolls["notation"].to_list() == ["1d100", "1d100", "1d20"]
    with pytest.raises(ck.errors.InvalidInput, match="101 is not on a d100"):
        fight({"Mara": 8, "Vex": 8}, rolls={"Mara": [101], "Vex": [1]})


@pytest.mark.rule("phases.init.tie-random")
def test_either_of_two_may_win_a_tie_and_the_seed_says_which() -> None:
    first: Counter[str] = Counter()
    for seed in range(200):
        enc = ck.Encounter("phases", seed=seed)
        enc.add("Mara", side="rebels", combat_value=8)
        enc.add("Vex", side="hunters", combat_value=8)
        enc.start()
        first[order(enc)[0]] += 1
    assert 70 < first["Mara"] < 130


@pytest.mark.rule("phases.init.tie-random")
def test_the_table_may_draw_the_order_itself() -> None:
    scores = {"Mara": 8, "Vex": 8, "Ilya": 8, "Dray": 9}
    enc = fight(scores, ties=["Ilya", "Mara", "Vex"])
    assert order(enc) == ["Dray", "Ilya", "Mara", "Vex"]
    assert enc.order[1].why == "the table decided [phases.init.tie-random]"
    with pytest.raises(ck.errors.InvalidInput, match="Mara, Vex and Ilya are tied; name them all"):
        fight(scores, ties=["Ilya", "Mara"])


@pytest.mark.rule("phases.init.tie-once", "phases.init.same-order")
def test_a_tie_is_settled_once_and_for_newcomers_only_among_them_and_the_others() -> None:
    enc = fight({"Mara": 8, "Vex": 8}, rolls={"Mara": [5], "Vex": [3]})
    drawn = sum(1 for e in enc._events if e.data.get("purpose") == "tie")
    for _ in range(3):
        assert order(enc) == ["Mara", "Vex"]
        enc.next_round()
    assert sum(1 for e in enc._events if e.data.get("purpose") == "tie") == drawn == 2
    enc.join("Ilya", side="rebels", combat_value=8, rolls={"Ilya": [4]})
    assert order(enc) == ["Mara", "Ilya", "Vex"]
    with pytest.raises(ck.IllegalAction, match=r"^Ilya can't go ahead of Mara on 8: random draw, 5 over 4\. "):
        enc.join("Dray", side="hunters", combat_value=8, ties=["Ilya", "Mara", "Vex", "Dray"])
    enc.join("Dray", side="hunters", combat_value=8, ties=["Mara", "Ilya", "Vex", "Dray"])
    assert order(enc) == ["Mara", "Ilya", "Vex", "Dray"]


@pytest.mark.rule("phases.init.change-only-special")
def test_what_one_does_leaves_the_score_alone_unless_it_is_a_special_action() -> None:
    enc = fight(at=CLOSE)
    before = [(r.combatant, r.initiative) for r in enc.order]
    enc.do("Vex", "strike", target="Mara")
    enc.do("Vex", "1_hex_step", to=(0, 1))
    enc.end_turn()
    enc.do("Mara", "dodge")
    enc.do("Dray", "abort", action="block")
    to(enc, "Vex", 3)
    assert [(r.combatant, r.initiative) for r in enc.order] == before
    enc.do("Vex", "delay", after="Mara")
    assert [(r.combatant, r.initiative) for r in enc.order][:2] == [("Mara", 8), ("Vex", 8)]


@pytest.mark.rule("phases.init.retain")
@pytest.mark.parametrize("condition", ["unconscious", "paralysed"])
def test_one_who_cannot_act_keeps_the_score_and_is_passed_over(condition: str) -> None:
    enc = fight()
    enc.condition("Mara", condition)
    assert refused(enc, "Mara", "abort", action="dodge").rule == "phases.init.retain"
    enc.end_turn()
    assert enc.active == "Ilya"
    assert (order(enc), enc.order[1].status) == (["Vex", "Mara", "Ilya", "Dray"], "out")
    to(enc, "Vex", 2)
    enc.condition("Mara", condition, off=True)
    enc.end_turn()
    assert (enc.active, enc["Mara"].values["initiative"]) == ("Mara", 8)


# ── surprise ──


@pytest.mark.rule("phases.sur.def", "phases.sur.when", "phases.sur.before", "phases.sur.per-char")
def test_some_unaware_on_either_side_bring_a_surprise_phase_before_the_first() -> None:
    enc = fight(surprised=["Mara", "Dray"])
    assert (enc.clock.phase, enc.clock.round, enc.clock.label) == (0, 0, "Surprise Phase")
    assert [name for name in FOUR if "surprised" in holds(enc, name)] == ["Mara", "Dray"]
    assert enc.active == "Vex"
    enc.end_turn()
    assert enc.active == "Ilya"
    enc.end_turn()
    assert (enc.clock.label, enc.active) == ("Turn 1 · Phase 1", "Vex")


@pytest.mark.rule("phases.sur.none", "phases.sur.when")
@pytest.mark.parametrize("surprised", [[], list(FOUR)])
def test_none_if_no_one_or_everyone_is_surprised(surprised: list[str]) -> None:
    enc = fight(surprised=surprised)
    assert enc.clock.label == "Turn 1 · Phase 1"
    assert not any("surprised" in holds(enc, name) for name in FOUR)


@pytest.mark.rule("phases.sur.perception")
def test_who_is_aware_is_the_gms_to_say_and_is_logged() -> None:
    enc = fight(start=False)
    enc.condition("Mara", "surprised", note="her Perception roll failed")
    enc.start(surprised=["Dray"])
    begin = next(e for e in enc._events if e.kind == "begin")
    assert begin.data["surprised"] == ["Dray"]
    assert next(e.note for e in enc._events if e.target == "Mara") == "her Perception roll failed"
    assert [name for name in FOUR if "surprised" in holds(enc, name)] == ["Mara", "Dray"]
    assert enc["Mara"].values["dcv"] == 2


@pytest.mark.rule("phases.sur.aware-act", "phases.sur.one-action")
def test_the_aware_act_from_high_to_low_with_one_attack_or_one_move_action() -> None:
    enc = fight(surprised=["Mara"])
    assert left(enc, "Vex") == {"attack": 1, "move": 1, "step": 1, "aoo": 1}
    enc.do("Vex", "strike", target="Mara")
    assert left(enc, "Vex") == {"attack": 0, "move": 0, "step": 1, "aoo": 1}
    assert refused(enc, "Vex", "perceive").rule == "phases.sur.one-action"
    enc.end_turn()
    enc.do("Ilya", "perceive")
    assert refused(enc, "Ilya", "strike", target="Dray").rule == "phases.sur.one-action"
    enc.end_turn()
    assert enc.active == "Dray"
    enc.end_turn()
    assert left(enc, "Vex") == {"attack": 1, "move": 1, "step": 1, "aoo": 1}
    enc.do("Vex", "strike", target="Mara")
    enc.do("Vex", "perceive")


@pytest.mark.rule("phases.sur.free-ok")
def test_free_actions_and_a_step_go_with_it() -> None:
    enc = fight(surprised=["Mara"], at=CLOSE)
    enc.do("Vex", "strike", target="Mara")
    enc.do("Vex", "soliloquy")
    enc.do("Vex", "drop_item")
    enc.do("Vex", "1_hex_step", to=(0, 1))
    assert enc["Vex"].position == (0, 1)


@pytest.mark.rule("phases.sur.no-full")
def test_no_full_phase_action_in_it_but_one_can_be_started() -> None:
    enc = fight(surprised=["Mara"])
    ruling = refused(enc, "Vex", "take_recovery")
    assert ruling.rule == "phases.sur.no-full"
    assert "phases.act.limited-no-full" in ruling.rules
    enc.do("Vex", "start_or_complete", action="take_recovery", outcome="negated")
    assert enc["Vex"].progress["take_recovery"].done == 1


@pytest.mark.rule("phases.sur.unaware-idle")
def test_the_unaware_do_nothing_in_it_not_even_out_of_turn() -> None:
    enc = fight(surprised=["Mara"], at={**CLOSE, "Dray": (2, 0)})
    for action, params in (
        ("dodge", {}),
        ("abort", {"action": "dodge"}),
        ("attack_of_opportunity", {"target": "Vex", "trigger": "moves past"}),
        ("soliloquy", {}),
    ):
        assert refused(enc, "Mara", action, **params).rule == "phases.sur.unaware-idle"
    enc.do("Vex", "pick_up_item")
    assert opportunities(enc) == []
    enc.end_turn()
    assert enc.active == "Ilya"
    to(enc, "Vex", 1)
    enc.do("Vex", "pick_up_item")
    assert opportunities(enc) == ["Mara"]


@pytest.mark.rule("phases.sur.unaware-dcv")
def test_one_whom_the_gm_surprises_later_is_so_to_the_end_of_the_phase() -> None:
    enc = fight()
    enc.condition("Mara", "surprised")
    to(enc, "Dray", 1)
    assert "surprised" in holds(enc, "Mara")
    enc.end_turn()
    assert (enc.clock.phase, "surprised" in holds(enc, "Mara")) == (2, False)


@pytest.mark.rule("phases.sur.unaware-dcv", "phases.sur.one-action")
def test_one_whom_the_gm_surprises_in_the_surprise_phase_is_told_of_no_slots() -> None:
    enc = fight(surprised=["Dray"])

    def told(events: tuple[ck.Event, ...]) -> list[tuple[str, tuple[str, ...]]]:
        return [(e.text, e.rules) for e in events if e.kind in ("effect", "effect_end", "refresh") and e.text]

    assert told(enc.condition("Mara", "surprised")) == [("is surprised", ("phases.sur.unaware-dcv",))]
    assert left(enc, "Mara") == {"attack": 0, "move": 0, "step": 0, "aoo": 0}
    assert told(enc.condition("Mara", "surprised", off=True)) == [
        ("is no longer surprised", ("phases.sur.unaware-dcv",)),
        ("has actions from now on", ("phases.sur.one-action", "phases.sur.free-ok")),
    ]
    assert left(enc, "Mara") == {"attack": 1, "move": 1, "step": 1, "aoo": 1}
    came = enc.join("Zed", side="rebels", combat_value=3, conditions=["surprised"])
    assert told(came) == [("is surprised", ("phases.sur.unaware-dcv",))], "and no actions, since they have none"


@pytest.mark.rule("phases.sur.unaware-idle")
def test_the_unaware_have_nothing_to_spend_in_it_whatever_it_is_spent_on() -> None:
    enc = fight(surprised=["Mara"])
    assert left(enc, "Mara") == {"attack": 0, "move": 0, "step": 0, "aoo": 0}
    to(enc, "Vex", 1)
    assert left(enc, "Mara") == {"attack": 1, "move": 1, "step": 1, "aoo": 1}


@pytest.mark.rule("phases.sur.unaware-dcv", "phases.sur.dcv-ends")
def test_the_unaware_are_easier_to_hit_while_the_phase_lasts() -> None:
    enc = fight(surprised=["Mara"])
    assert enc["Mara"].values["dcv"] == 2
    assert attack(enc.do("Vex", "strike", target="Mara", rolls=[1, 4, 2]))["needed"] == 12
    to(enc, "Vex", 1)
    assert "surprised" not in holds(enc, "Mara")
    assert enc["Mara"].values["dcv"] == 5
    assert attack(enc.do("Vex", "strike", target="Mara", rolls=[1, 4, 2]))["needed"] == 15


@pytest.mark.rule("phases.sur.not-counted")
def test_the_surprise_phase_takes_three_seconds_and_is_none_of_the_four() -> None:
    enc = fight(surprised=["Mara"])
    assert (enc.clock.phase, enc.clock.seconds) == (0, 0)
    to(enc, "Vex", 1)
    assert (enc.clock.round, enc.clock.seconds) == (1, 3)
    to(enc, "Vex", 4)
    assert enc.clock.seconds == 12
    to(enc, "Vex", 1, 2)
    assert enc.clock.seconds == 15
    assert ck.ruleset("phases").rules["phases.sur.not-counted"].disputed


@pytest.mark.rule("phases.sur.aware-act", "phases.abort.after")
def test_one_who_acted_in_the_surprise_phase_may_abort_and_owes_phase_one() -> None:
    enc = fight(surprised=["Mara"])
    enc.end_turn()
    enc.do("Vex", "abort", action="dodge")
    assert value(enc, "Vex", "owes") == 1
    to(enc, "Mara", 1)
    assert cells(enc, "Vex")[0] == "\u00d7"


def test_who_is_surprised_by_a_name_nobody_has_is_told_the_nearest_group_or_side() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Mara", side="rebels"), enc.add("Vex", side="hunters")
    with pytest.raises(ck.UnknownName, match="did you mean 'hunters'"):
        enc.start(surprised=["Hunter"])
