"""Phases: what a phase buys, the table of actions, the 1-hex step."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.errors import InvalidInput
from tests.systems.phases_table import CLOSE, FOUR, cells, cited, fight, opportunities, question, to
from tests.systems.table import holds, left, refused

# ── budget ──


@pytest.mark.rule("phases.act.four")
def test_there_are_four_types_of_actions_besides_what_is_none() -> None:
    types = {a.cost for a in ck.ruleset("phases").actions if a.when == "own turn"}
    assert types == {"attack", "move", "full_phase", "free", "step", "none"}
    assert [s.title for s in ck.ruleset("phases").slots] == ["Attack", "Move", "1-hex step", "Opportunity"]


@pytest.mark.rule("phases.act.budget", "phases.act.no-two-attacks", "phases.act.move-for-attack")
def test_an_attack_and_a_move_action_in_either_order_and_no_second_attack() -> None:
    for first, second in (("block", "perceive"), ("perceive", "block")):
        enc = fight()
        enc.do("Vex", first)
        enc.do("Vex", second)
        assert left(enc, "Vex") == {"attack": 0, "move": 0, "step": 1, "aoo": 1}
        assert refused(enc, "Vex", "perceive").rule == "phases.act.budget"
    enc = fight()
    enc.do("Vex", "block")
    ruling = refused(enc, "Vex", "dodge")
    assert ruling.rules[:2] == ("phases.act.no-two-attacks", "phases.act.budget")
    assert (ruling.rule, "Vex has taken it (Block)" in ruling.reason) == (ruling.rules[0], True)
    enc = fight()
    enc.condition("Vex", "limited")
    enc.do("Vex", "block")
    assert refused(enc, "Vex", "dodge").rule == "phases.act.limited", "a move action would be one too many as well"
    enc = fight(surprised=["Mara"])
    enc.do("Vex", "block")
    assert refused(enc, "Vex", "dodge").rule == "phases.sur.one-action"


@pytest.mark.rule("phases.act.move-for-attack", "phases.act.budget")
def test_a_move_action_may_replace_the_attack_but_no_attack_a_move() -> None:
    enc = fight()
    enc.do("Vex", "perceive")
    enc.do("Vex", "open_or_close_door")
    assert left(enc, "Vex")["attack"] == 0
    ruling = refused(enc, "Vex", "block")
    assert ruling.rule == "phases.act.budget"
    enc = fight()
    enc.do("Vex", "perceive", pay="attack")
    assert refused(enc, "Vex", "block", pay="move").rule == "phases.act.budget"


@pytest.mark.rule("phases.act.budget", "phases.full.entire")
def test_a_full_phase_action_takes_the_whole_phase_whichever_comes_first() -> None:
    enc = fight()
    enc.do("Vex", "take_recovery")
    assert left(enc, "Vex") == {"attack": 0, "move": 0, "step": 1, "aoo": 1}
    for action in ("block", "perceive", "change_clothes"):
        assert refused(enc, "Vex", action).rule == "phases.full.entire"
    for action in ("block", "perceive"):
        enc = fight()
        enc.do("Vex", action)
        ruling = refused(enc, "Vex", "take_recovery")
        went = f"({enc.ruleset.actions[action].title})"
        reason = f"Needs the whole phase, and Vex has already acted {went}; it can be done in the next phase."
        assert (ruling.rule, ruling.reason) == ("phases.full.entire", reason)


@pytest.mark.rule("phases.act.free", "phases.free.no-time", "phases.free.no-aoo", "phases.tab.free")
def test_free_actions_cost_nothing_and_never_provoke() -> None:
    free = [a.id for a in ck.ruleset("phases").actions if a.rule == "phases.tab.free"]
    named = {"brace", "shift_multipower", "soliloquy", "presence_attack", "turn_power_on_or_off", "casual_strength"}
    assert {*named, "drop_item", "drop_prone"} <= set(free)
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "take_recovery")
    seconds = enc.clock.seconds
    for action in free:
        enc.do("Mara", action)
        assert enc.pending == ()
    assert (enc.clock.seconds, enc.active) == (seconds, "Mara")
    assert "prone" in holds(enc, "Mara")


@pytest.mark.rule("phases.free.limit")
def test_the_gm_may_limit_their_number_in_a_turn() -> None:
    enc = fight()
    enc.condition("Vex", "free_limit", value=2, note="house rule")
    enc.do("Vex", "soliloquy")
    to(enc, "Vex", 2)
    enc.do("Vex", "brace")
    ruling = refused(enc, "Vex", "drop_item")
    assert ruling.rule == "phases.free.limit"
    to(enc, "Vex", 1, 2)
    enc.do("Vex", "drop_item")
    enc.condition("Vex", "free_limit", off=True)
    to(enc, "Vex", 1, 3)
    for _ in range(3):
        enc.do("Vex", "brace")
    with pytest.raises(InvalidInput, match="free_limit"):
        enc.condition("Mara", "free_limit")


@pytest.mark.rule("phases.act.limited", "phases.act.limited-free", "phases.act.limited-no-full")
def test_one_who_is_limited_has_a_single_attack_or_move_action_and_free_ones() -> None:
    enc = fight()
    enc.condition("Mara", "limited", until="end of round")
    enc.end_turn()
    ruling = refused(enc, "Mara", "take_recovery")
    assert ruling.rule == "phases.act.limited-no-full"
    enc.do("Mara", "perceive")
    assert left(enc, "Mara")["attack"] == 0
    assert refused(enc, "Mara", "block").rule == "phases.act.limited"
    assert refused(enc, "Mara", "perceive").rule == "phases.act.limited"
    enc.do("Mara", "soliloquy")
    to(enc, "Mara", 2)
    enc.do("Mara", "block")
    assert refused(enc, "Mara", "perceive").rule == "phases.act.limited"
    to(enc, "Mara", 1, 2)
    enc.do("Mara", "block")
    enc.do("Mara", "perceive")


@pytest.mark.rule("phases.act.limited")
def test_a_limit_set_in_mid_phase_counts_what_was_done() -> None:
    enc = fight()
    enc.do("Vex", "perceive")
    enc.condition("Vex", "limited")
    assert refused(enc, "Vex", "block").rule == "phases.act.limited"


# ── halves ──


@pytest.mark.rule("phases.act.start-complete", "phases.tab.startfull")
def test_a_full_phase_action_may_be_started_and_completed_with_a_move_action_each() -> None:
    enc = fight(Vex={"stun": 30, "recovery": 4})
    enc.adjust("Vex", "stun", -10)
    enc.condition("Vex", "limited")
    enc.do("Vex", "start_or_complete", action="take_recovery", outcome="negated")
    assert enc["Vex"].progress["take_recovery"] == ck.Progress(1, 2)
    assert enc["Vex"].values["stun"] == 20
    to(enc, "Vex", 2)
    events = enc.do("Vex", "start_or_complete", action="take_recovery", outcome="negated")
    assert (enc["Vex"].progress, enc["Vex"].values["stun"]) == ({}, 24)
    done = [e.data["progress"] for e in events if e.kind == "progress"]
    assert done == [[2, 2]]
    assert (events[0].kind, events[0].data["progress"], events[0].data["completed"]) == ("action", [2, 2], True)


@pytest.mark.rule("phases.act.start-complete")
def test_both_halves_may_fall_into_one_phase_and_only_full_phase_actions_have_them() -> None:
    enc = fight()
    for _ in range(2):
        enc.do("Vex", "start_or_complete", action="take_recovery", outcome="negated")
    assert (enc["Vex"].progress, left(enc, "Vex")["attack"]) == ({}, 0)
    enc.end_turn()
    assert refused(enc, "Mara", "start_or_complete", action="perceive").rule == "phases.act.start-complete"
    assert refused(enc, "Mara", "start_or_complete").rules == ("phases.act.start-complete",)


@pytest.mark.rule("phases.act.start-complete")
@pytest.mark.parametrize(("halves", "kept"), [("consecutive", False), ("any", True)])
def test_whether_the_phases_must_be_consecutive_is_an_option(halves: str, kept: bool) -> None:
    enc = fight(options={"full_phase_halves": halves})
    enc.do("Vex", "start_or_complete", action="sweep", outcome="negated")
    to(enc, "Dray", 2)
    assert "sweep" in enc["Vex"].progress
    enc.end_turn()
    assert ("sweep" in enc["Vex"].progress) is kept
    with pytest.raises(InvalidInput, match="full_phase_halves"):
        fight(options={"full_phase_halves": "never"})


@pytest.mark.rule("phases.act.start-complete")
def test_what_is_completed_wants_what_the_action_wants_and_is_checked_like_it() -> None:
    enc = fight(at=CLOSE)
    enc.do("Vex", "start_or_complete", action="sweep", outcome="negated")
    assert "needs a target" in refused(enc, "Vex", "start_or_complete", action="sweep").reason
    ruling = refused(enc, "Vex", "start_or_complete", action="sweep", target="Ilya")
    assert ruling.rule == "phases.atk.melee-adj"
    events = enc.do("Vex", "start_or_complete", action="sweep", target="Mara", outcome="negated")
    assert [e.target for e in events if e.kind == "attack"] == ["Mara"]


@pytest.mark.rule("phases.tab.startfull")
def test_starting_one_and_completing_it_usually_provoke_whatever_the_action_does_by_itself() -> None:
    # The row "Start or complete a full-phase action: Usually (varies)" names both; that a withdrawal done at once
    # provokes nobody does not say that completing one does not.
    enc = fight(at=CLOSE)
    enc.end_turn()
    ways: tuple[dict[str, Any], ...] = ({}, {"to": (3, 0)})
    for where in ways:
        enc.do("Mara", "start_or_complete", action="withdraw", **where)
        offer = question(enc)
        assert offer is not None
        assert (offer.rule, "Usually this provokes" in offer.about) == ("phases.tab.startfull", True)
        enc.resolve(answer="failed")
        assert [(o.who, o.rule) for o in enc.pending] == [("Vex", "phases.aoo.distract")]
        enc.resolve()
    assert (enc.pending, enc["Mara"].position) == ((), (3, 0))
    assert refused(enc, "Mara", "1_hex_step", to=(4, 0)).rule == "phases.step.no-move"


@pytest.mark.rule("phases.tab.startfull")
@pytest.mark.parametrize(("outcome", "who"), [("failed", ["Vex"]), ("negated", [])])
def test_whether_completing_provokes_may_come_with_the_call(outcome: str, who: list[str]) -> None:
    enc = fight(at=CLOSE, Mara={"stun": 20, "recovery": 4})
    enc.adjust("Mara", "stun", -6)
    enc.end_turn()
    enc.do("Mara", "start_or_complete", action="take_recovery", outcome="negated")
    enc.do("Mara", "start_or_complete", action="take_recovery", outcome=outcome)
    assert (question(enc), opportunities(enc)) == (None, who)
    if who:
        assert enc["Mara"].values["stun"] == 14
        enc.resolve()
    assert enc["Mara"].values["stun"] == 18


@pytest.mark.rule("phases.tab.startfull", "phases.tab.full-yes", "phases.tab.full-move")
def test_what_provokes_by_itself_provokes_once_when_completed_and_by_its_own_row() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "start_or_complete", action="change_clothes", outcome="negated")
    assert refused(enc, "Mara", "start_or_complete", action="change_clothes", outcome="negated").rule == (
        "phases.tab.full-yes"
    )
    enc.do("Mara", "start_or_complete", action="change_clothes")
    assert (question(enc), opportunities(enc)) == (None, ["Vex"])
    enc.resolve()
    assert enc.pending == ()
    enc = fight(at=CLOSE)
    enc.end_turn()
    enc.do("Mara", "start_or_complete", action="full_move", outcome="negated")
    enc.do("Mara", "start_or_complete", action="full_move", to=(4, 0))
    offer = question(enc)
    assert offer is not None
    assert offer.rule == "phases.tab.full-move"
    enc.resolve(answer="negated")
    assert (enc.pending, enc["Mara"].position) == ((), (4, 0))


@pytest.mark.rule("phases.tab.startfull")
def test_how_an_attack_that_is_completed_comes_out_does_not_say_whether_that_provokes() -> None:
    enc = fight(at=CLOSE)
    with pytest.raises(InvalidInput, match=r"outcome is 'hit'; give failed or negated"):
        enc.do("Vex", "start_or_complete", action="sweep", outcome="hit")
    enc.do("Vex", "start_or_complete", action="sweep", outcome="negated")
    with pytest.raises(InvalidInput, match=r"outcome is 'foiled'; give failed, negated, hit or miss"):
        enc.do("Vex", "start_or_complete", action="sweep", target="Mara", outcome="foiled")
    enc.do("Vex", "start_or_complete", action="sweep", target="Mara", outcome="miss")
    assert question(enc) is not None
    events = enc.resolve(answer="negated")
    assert [e.data["outcome"] for e in events if e.kind == "attack"] == ["miss"]


# ── the table ──

TABLE = [
    ("phases.tab.attack", "Attack", "no", ["block", "disarm", "dodge", "grab", "haymaker", "missile_deflection"]),
    ("phases.tab.attack", "Attack", "no", ["roll_with_a_punch", "strike", "other_attacks"]),
    ("phases.tab.move-half", "Move", "skill", ["half_move"]),
    ("phases.tab.crawl", "Move", "skill", ["crawl"]),
    ("phases.tab.draw", "Move", "skill", ["draw_or_sheathe_focus"]),
    ("phases.tab.stand", "Move", "skill", ["stand_up"]),
    ("phases.tab.mount", "Move", "skill", ["mount_or_dismount"]),
    ("phases.tab.reload", "Move", "skill", ["reload"]),
    ("phases.tab.move-skill", "Move", "varies", ["move_skill"]),
    ("phases.tab.startfull", "Move", "varies", ["start_or_complete"]),
    ("phases.tab.move-no", "Move", "no", ["analyse_weaknesses", "perceive", "resist_knockback", "open_or_close_door"]),
    ("phases.tab.move-yes", "Move", "yes", ["move_heavy_object", "pick_up_item"]),
    ("phases.tab.full-move", "Full phase", "skill", ["full_move"]),
    ("phases.tab.noncombat", "Full phase", "yes", ["noncombat_move"]),
    ("phases.tab.full-skill", "Full phase", "varies", ["full_skill"]),
    ("phases.tab.full-yes", "Full phase", "yes", ["retrieve_or_stow_focus", "change_clothes"]),
    ("phases.tab.full-no", "Full phase", "no", ["move_by", "move_through", "rapid_fire", "sweep", "withdraw"]),
    ("phases.tab.full-no", "Full phase", "no", ["recover_from_stunned", "take_recovery"]),
    ("phases.tab.free", "Free", "no", ["brace", "shift_multipower", "soliloquy", "presence_attack"]),
    ("phases.tab.free", "Free", "no", ["turn_power_on_or_off", "casual_strength", "drop_item", "drop_prone"]),
    ("phases.tab.not-action", "No action", "no", ["delay"]),
    ("phases.tab.not-action", "1-hex step", "no", ["1_hex_step"]),
]
ROWS = [(rule, cost, provokes, action) for rule, cost, provokes, actions in TABLE for action in actions]


@pytest.mark.rule("phases.act.move-for-attack")
def test_a_move_in_place_of_an_attack_costs_the_attack_and_is_said_to() -> None:
    enc = fight(at=CLOSE)
    assert enc.can("Vex", "half_move", to=(-1, 0)).cost == "Move"
    enc.do("Vex", "perceive")
    assert enc.can("Vex", "perceive").cost == "Attack"
    assert enc.can("Vex", "half_move", to=(-1, 0)).cost == "Attack", "the step is used up, no price"
    enc.do("Vex", "half_move", to=(-1, 0), outcome="negated")
    assert left(enc, "Vex") == {"attack": 0, "move": 0, "step": 0, "aoo": 1}


@pytest.mark.rule(*dict.fromkeys(row[0] for row in TABLE))
@pytest.mark.parametrize(("rule", "cost", "provokes", "action"), ROWS, ids=[row[3] for row in ROWS])
def test_each_row_of_the_table_costs_and_provokes_as_it_says(rule: str, cost: str, provokes: str, action: str) -> None:
    enc = fight({**FOUR, "Ossik": 4}, at={**CLOSE, "Ossik": (2, 0)})
    enc.condition("Ossik", "unconscious")
    if action != "drop_prone":
        enc.condition("Mara", "prone")
    if action == "recover_from_stunned":  # whoever is stunned can do nothing else
        enc.condition("Mara", "stunned")
    enc.end_turn()
    params: dict[str, Any] = {"action": "change_clothes"} if action == "start_or_complete" else {}
    if "attack" in ck.ruleset("phases").actions[action].tags:
        params = {"target": "Vex"}
    if "movement" in ck.ruleset("phases").actions[action].tags:
        params["to"] = (0, 1) if action.startswith("move_") else (2, 0)
    if action == "1_hex_step":
        params["to"] = (1, 1)
    ruling = enc.can("Mara", action, **params)
    assert (ruling.allowed, ruling.cost) == (True, cost)
    events = enc.do("Mara", action, **params)
    assert rule in cited(events)
    asked = question(enc) is not None
    assert asked is (provokes in ("skill", "varies"))
    if asked:
        enc.resolve(answer="failed")
    assert opportunities(enc) == ([] if provokes == "no" else ["Vex"])


@pytest.mark.rule("phases.tab.full-no", "phases.act.start-complete")
def test_whoever_is_stunned_does_nothing_until_they_have_recovered() -> None:
    enc = fight({**FOUR, "Ossik": 4}, at={**CLOSE, "Ossik": (2, 0)})
    enc.condition("Mara", "stunned")
    assert refused(enc, "Mara", "abort", action="dodge").reason == "Mara is stunned."
    assert not enc["Mara"].threatens
    enc.do("Vex", "pick_up_item")
    assert "Mara" not in opportunities(enc)
    while enc.pending:
        enc.resolve()
    enc.end_turn()
    assert enc.active == "Mara", "their turn comes, to recover in"
    assert [o.action for o in enc.options("Mara") if o.allowed] == ["start_or_complete", "recover_from_stunned"]
    halves = [c for c in enc.choices("Mara", "start_or_complete") if c.param == "action"]
    assert [c.value for c in halves if c.ruling.allowed] == ["recover_from_stunned"]
    half: dict[str, Any] = {"action": "recover_from_stunned", "outcome": "negated"}
    enc.do("Mara", "start_or_complete", **half)
    enc.do("Mara", "start_or_complete", **half)
    assert "stunned" not in holds(enc, "Mara")
    assert enc["Mara"].threatens


def test_the_table_is_the_whole_catalogue_of_ones_own_turn() -> None:
    more = {"ready", "free_action"}
    own = {a.id for a in ck.ruleset("phases").actions if a.when == "own turn"}
    assert own == {row[3] for row in ROWS} | more


@pytest.mark.rule("phases.tab.stand", "phases.tab.full-no")
def test_what_ends_a_condition_needs_it() -> None:
    enc = fight()
    assert refused(enc, "Vex", "stand_up").rule == "phases.tab.stand"
    assert refused(enc, "Vex", "recover_from_stunned").rule == "phases.tab.full-no"
    enc.condition("Vex", "stunned", modifiers={"dcv": -3})
    assert enc["Vex"].values["dcv"] == 2
    enc.do("Vex", "recover_from_stunned")
    assert enc["Vex"].values["dcv"] == 5
    enc.end_turn()
    enc.do("Mara", "drop_prone")
    enc.do("Mara", "stand_up", outcome="negated")
    assert "prone" not in holds(enc, "Mara")


@pytest.mark.rule("phases.tab.move-half", "phases.tab.full-move", "phases.tab.noncombat", "phases.tab.crawl")
def test_how_far_each_move_goes() -> None:
    enc = fight(at=CLOSE, Vex={"movement": 7})
    for action, far, rule in (
        ("half_move", 3, "phases.tab.move-half"),
        ("crawl", 1, "phases.tab.crawl"),
        ("full_move", 7, "phases.tab.full-move"),
    ):
        assert enc.can("Vex", action, to=(-far, 0)).allowed
        ruling = refused(enc, "Vex", action, to=(-far - 1, 0))
        assert (ruling.rule, f"at most {far}" in ruling.reason) == (rule, True)
    assert enc.can("Vex", "noncombat_move", to=(-40, 0)).allowed
    assert refused(enc, "Vex", "half_move", to=(0, 0)).rule == "phases.tab.move-half"
    with pytest.raises(InvalidInput, match="half_move: to"):
        enc.do("Vex", "half_move", to=[(1, 2, 3)])


@pytest.mark.rule("phases.tab.full-no")
def test_a_move_by_strikes_whom_it_passes() -> None:
    enc = fight(at={**CLOSE, "Ilya": (3, -1)})
    events = enc.do("Vex", "move_by", target="Ilya", to=[(0, 1), (1, 1), (2, 0), (3, 0)])
    assert [e.kind for e in events if e.kind in ("move", "attack")] == ["move"] * 4 + ["attack"]
    assert enc["Vex"].position == (3, 0)
    enc = fight(at={**CLOSE, "Ilya": (3, -1)})
    assert refused(enc, "Vex", "move_by", target="Ilya", to=(0, 4)).rule == "phases.atk.melee-adj"


@pytest.mark.parametrize(
    ("action", "text"),
    [
        ("move_skill", "uses a skill on Mara"),
        ("full_skill", "uses a skill for the whole phase on Mara"),
        ("analyse_weaknesses", "analyses weaknesses of Mara"),
        ("perceive", "searches with a non-targeting sense for Mara"),
        ("presence_attack", "makes a presence attack on Mara"),
        ("strike", "strikes Mara"),
    ],
)
def test_what_is_done_to_somebody_reads_as_a_sentence(action: str, text: str) -> None:
    assert fight().do("Vex", action, target="Mara")[0].text == text


# ── the 1-hex step ──


@pytest.mark.rule("phases.step.when", "phases.step.one", "phases.step.anytime")
def test_one_hex_before_between_or_after_other_actions_and_no_more() -> None:
    for index in range(3):
        enc = fight(at=CLOSE)
        deeds = ["block", "perceive"]
        deeds.insert(index, "1_hex_step")
        for deed in deeds:
            params: dict[str, Any] = {"to": (0, 1)} if deed == "1_hex_step" else {}
            enc.do("Vex", deed, **params)
        assert enc["Vex"].position == (0, 1)
        assert refused(enc, "Vex", "1_hex_step", to=(0, 0)).rule == "phases.step.one"
    enc = fight(at=CLOSE)
    ruling = refused(enc, "Vex", "1_hex_step", to=(0, 2))
    assert (ruling.rule, ruling.reason) == ("phases.step.when", "That's 2 hexes; a 1-hex step is at most 1 hex.")
    assert ruling.rules == ("phases.step.when",)
    around = [(1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1)]
    assert [c.value for c in enc.choices("Vex", "1_hex_step")] == around


@pytest.mark.rule("phases.step.no-move")
def test_not_in_a_phase_in_which_any_distance_is_moved() -> None:
    enc = fight()
    enc.do("Vex", "half_move", outcome="negated")
    assert refused(enc, "Vex", "1_hex_step").rule == "phases.step.no-move"
    enc.do("Vex", "half_move", outcome="negated")
    enc.end_turn()
    enc.do("Mara", "1_hex_step")
    for action in ("half_move", "crawl", "full_move", "withdraw", "noncombat_move"):
        assert refused(enc, "Mara", action).rule == "phases.step.no-move"
    enc.do("Mara", "perceive")
    to(enc, "Mara", 2)
    enc.do("Mara", "half_move", outcome="negated")


@pytest.mark.rule("phases.full.step-ok")
def test_a_step_goes_with_a_full_phase_action_that_moves_nobody() -> None:
    for first in (True, False):
        enc = fight()
        if first:
            enc.do("Vex", "1_hex_step")
        enc.do("Vex", "take_recovery")
        if not first:
            enc.do("Vex", "1_hex_step")
        assert left(enc, "Vex") == {"attack": 0, "move": 0, "step": 0, "aoo": 1}
    enc = fight()
    enc.do("Vex", "full_move", outcome="negated")
    assert refused(enc, "Vex", "1_hex_step").rule == "phases.step.no-move"


@pytest.mark.rule("phases.step.terrain")
def test_not_where_terrain_or_darkness_hampers() -> None:
    enc = fight()
    enc.condition("Vex", "hampered", note="knee-deep mud")
    assert refused(enc, "Vex", "1_hex_step").rule == "phases.step.terrain"
    enc.do("Vex", "half_move", outcome="negated")


@pytest.mark.rule("phases.step.slow", "phases.step.slow-cost")
@pytest.mark.parametrize("movement", [0, 1, 2])
def test_not_for_one_whose_movement_is_one_hex_who_takes_a_move_action_for_it(movement: int) -> None:
    enc = fight(at=CLOSE, Vex={"movement": movement})
    assert enc.can("Vex", "1_hex_step", to=(0, 1)).allowed is (movement > 1)
    if movement < 2:
        ruling = refused(enc, "Vex", "1_hex_step", to=(0, 1))
        assert ruling.rules[:2] == ("phases.step.slow", "phases.step.slow-cost")
    enc.do("Vex", "half_move", to=(0, 1), outcome="negated")
    assert (enc["Vex"].position, left(enc, "Vex")["move"]) == ((0, 1), 0)


# ── what the widgets show ──


def test_the_cells_say_what_each_did_in_every_phase() -> None:
    enc = fight()
    enc.do("Vex", "block")
    enc.do("Vex", "perceive")
    enc.end_turn()
    enc.do("Mara", "perceive")
    enc.do("Mara", "perceive")
    enc.end_turn()
    enc.do("Ilya", "take_recovery")
    enc.end_turn()
    enc.end_turn()
    enc.do("Vex", "block")
    assert cells(enc, "Vex") == ["AM", "A", "", "", ""]
    assert cells(enc, "Mara") == ["MM", "", "", "", ""]
    assert cells(enc, "Ilya") == ["F", "", "", "", ""]
    (strip,) = enc.ruleset.presentation.now(enc._state).strips
    assert strip == {
        "type": "cells",
        "label": "CV",
        "titles": ["Phase 1", "Phase 2", "Phase 3", "Phase 4", "Post-Turn"],
        "now": 1,
        "note": "4 to act",
    }
    assert (
        enc.ruleset.presentation.now(enc._state).headline
        == "second of four 3-second phases; Post-Turn recovery follows phase 4"
    )
    to(enc, "Vex", 1, 2)
    assert cells(enc, "Vex") == ["", "", "", "", ""]


def test_the_strip_counts_who_is_to_act_in_a_phase_and_who_has_given_it_up() -> None:
    def note() -> object:
        (strip,) = enc.ruleset.presentation.now(enc._state).strips
        return strip["note"] if strip["type"] == "cells" else None

    enc = fight()
    enc.do("Dray", "abort", action="dodge")
    assert note() == "3 to act, 1 aborted", "of this phase"
    (strip,) = enc.ruleset.presentation.now(enc._state).strips
    assert strip.get("why") == "Dray gave up this phase's action to an abort."
    enc.end_turn()
    enc.do("Vex", "abort", action="block")
    assert note() == "2 to act, 1 aborted", "Vex owes the next phase"
    to(enc, "Mara", 2)
    assert note() == "3 to act, 1 aborted"
    enc.condition("Ilya", "unconscious")
    assert note() == "2 to act, 1 aborted"


def test_whoever_acts_is_told_who_threatens_them() -> None:
    enc = fight(at=CLOSE)
    enc.end_turn()
    about = enc.ruleset.presentation.now(enc._state).about
    assert about[:2] == [
        {"strong": "Threatened"},
        " by Vex: moving out of this hex provokes; a 1-hex step or withdrawing does not. ",
    ]
    assert not fight().ruleset.presentation.now(fight()._state).about
    enc.condition("Vex", "stunned")
    assert not enc.ruleset.presentation.now(enc._state).about, "who can't strike provokes nobody"
    enc.condition("Vex", "stunned", off=True)
    enc.do(str(enc.active), "half_move", to=(0, 1))
    enc.resolve(answer="failed")
    enc.do("Vex", "attack_of_opportunity", target=enc.active, outcome="miss")
    assert str(enc.distance("Vex", str(enc.active))).startswith("Distance(steps=1,")
    assert not enc.ruleset.presentation.now(enc._state).about, "nor does one who has had their opportunity"


# ── where somebody goes ──


@pytest.mark.rule("phases.tab.move-half", "phases.step.when", "phases.tab.full-move")
@pytest.mark.parametrize("action", ["half_move", "full_move", "crawl", "noncombat_move", "withdraw", "1_hex_step"])
def test_one_who_stands_in_a_hex_says_where_a_move_goes(action: str) -> None:
    enc = fight(at=CLOSE)
    ruling = refused(enc, "Vex", action)
    assert "to" in ruling.reason or "place" in ruling.reason
    assert next(o for o in enc.options("Vex") if o.action == action).needs == ("to",)
    enc = fight()
    assert enc.can("Vex", action).allowed
    assert next(o for o in enc.options("Vex") if o.action == action).needs == ()


def test_the_step_has_a_name_that_begins_with_a_letter() -> None:
    enc = fight(at=CLOSE)
    assert enc.do("Vex", "one_hex_step", to=(0, 1))[0].action == "1_hex_step"
    assert refused(enc, "Vex", "one_hex_step", to=(0, 0)).rule == "phases.step.one"
    assert ck.ruleset("phases").actions["one_hex_step"].id == "1_hex_step"


@pytest.mark.rule("phases.act.start-complete")
def test_half_of_an_action_is_told_once_and_says_of_which() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Vex", side="hunters", combat_value=9, at=(0, 0))
    enc.add("Mara", side="rebels", combat_value=5, at=(3, 0))
    enc.start()
    enc.do("Vex", "start_or_complete", action="move_through", target="Mara", to=(2, 0), outcome="negated")
    enc.end_turn()
    enc.end_turn()
    enc.do("Vex", "start_or_complete", action="move_through", target="Mara", to=(2, 0), outcome="miss")
    log = str(enc.log()).split("## Rules")[0]
    assert log.count("begins to move through") == log.count("completes what they began") == 1
    assert log.count("to (2, 0)") == 1, "where to, once"
    assert "full-phase action" not in log


@pytest.mark.rule("phases.act.start-complete", "phases.aoo.interrupts")
def test_what_is_begun_is_told_as_completed_only_when_it_is() -> None:
    def told(damage: int) -> list[str]:
        enc = ck.Encounter("phases", seed=1)
        enc.add("Vex", side="hunters", combat_value=9, stun=20, at=(0, 0))
        enc.add("Mara", side="rebels", combat_value=5, at=(1, 0))
        enc.start()
        for outcome in ("negated", "failed"):
            enc.do("Vex", "start_or_complete", action="take_recovery", outcome=outcome)
        before = [event.text for event in enc._events]
        assert "completes what they began" not in before
        assert before[-2:] == ["goes on to take a Recovery", "is interrupted: Mara may react"]
        enc.do("Mara", "attack_of_opportunity", target="Vex", damage=damage, outcome="hit")
        return [event.text for event in enc._events]

    assert "completes what they began" not in told(30)
    done = told(1)
    assert done.index("completes what they began") == done.index("takes a Recovery") - 1


@pytest.mark.rule("phases.act.start-complete")
def test_what_is_begun_takes_a_weapon_and_a_skill() -> None:
    sling, bow = ({"name": name, "range": 9, "damage": damage} for name, damage in (("sling", "1"), ("bow", "9")))
    enc = ck.Encounter("phases", seed=1)
    enc.add("Vex", side="hunters", combat_value=9, weapons=[bow, sling], at=(0, 0))
    enc.add("Mara", side="rebels", combat_value=5, stun=20, at=(3, 0))
    enc.start()
    half: dict[str, Any] = {"action": "rapid_fire", "target": ["Mara"], "weapon": "sling", "outcome": "negated"}
    with pytest.raises(ck.CombatkitError, match="sling"):
        enc.do("Vex", "start_or_complete", **{**half, "weapon": "slang"})
    enc.do("Vex", "start_or_complete", **half)
    enc.do("Vex", "start_or_complete", **{**half, "outcome": "hit"})
    assert enc["Mara"].values["stun"] == 19
    enc.end_turn()
    enc.do("Mara", "start_or_complete", action="full_skill", rank="Stealth", outcome="negated")
    done = enc.do("Mara", "start_or_complete", action="full_skill", rank="Stealth", outcome="negated")
    assert done[-1].text == "uses a skill for the whole phase: Stealth"


@pytest.mark.parametrize(("system", "skill"), [("phases", "move_skill"), ("saga", "use_skill"), ("d6", "use_skill")])
def test_what_is_kept_for_later_says_which_skill(system: str, skill: str) -> None:
    first: dict[str, Any] = {"phases": {"combat_value": 9}, "saga": {"dex": 20}, "d6": {"initiative": 20}}[system]
    enc = ck.Encounter(system, seed=1)
    enc.add("Vex", side="hunters", **first)
    enc.add("Mara", side="rebels")
    enc.start()
    keep, use = ("hold", "use_held") if system == "d6" else ("ready", "use_readied")
    enc.do("Vex", keep, action=skill, rank="hide", trigger="the door opens")
    if enc.active == "Vex":
        enc.end_turn()
    done = enc.do("Vex", use, trigger="it opens")
    while enc.pending:
        done += enc.resolve(answer="nobody" if enc.pending[0].who == "GM" else None)
    assert any(event.action == skill and "hide" in event.text.casefold() for event in done)


def test_who_is_stunned_finds_recovering_before_all_else() -> None:
    enc = fight()
    shown = ck.ActionBudget(enc, "Vex")
    enc.condition("Vex", "stunned")
    first = shown.view["group"][shown.view["groups"][0]]
    assert first["actions"] == ["recover_from_stunned"]


def test_out_of_turn_what_can_be_done_stands_before_attacks_that_cannot() -> None:
    enc = fight()
    other = next(name for name in enc.names if name != enc.active)
    view = ck.ActionBudget(enc, other).view
    assert view["groups"][-1] == "attacks"
    assert "abort" in [id for group in view["groups"][:-1] for id in view["group"][group]["actions"]]
    own = ck.ActionBudget(enc).view["groups"]
    assert own[0] == "attacks", "in one's own turn they keep their place"
