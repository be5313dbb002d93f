"""Why phases, purses and endings come as they do in phases: the rules that boundaries and special cases cite."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.phases_table import CLOSE, fight, to


def cited(enc: ck.Encounter, kind: str, **is_: Any) -> set[str]:
    """Give the rules of the newest event of a kind, without the system's id; `explain` tells each."""
    found = [e for e in enc._events if e.kind == kind and all(getattr(e, k) == v for k, v in is_.items())]
    said = enc.explain(found[-1].seq)
    assert all(f"   {rule}: " in said for rule in found[-1].rules)
    return {rule.removeprefix("phases.") for rule in found[-1].rules}


@pytest.mark.rule("phases.sur.when", "phases.sur.none", "phases.sur.before", "phases.sur.not-counted")
@pytest.mark.rule("phases.sur.def", "phases.sur.per-char", "phases.sur.perception")
def test_the_beginning_says_why_there_is_a_surprise_phase_or_none() -> None:
    some = fight(surprised=["Vex"])
    assert {"sur.when", "sur.def", "sur.per-char", "sur.perception"} <= cited(some, "begin")
    assert {"sur.when", "sur.before", "sur.not-counted"} <= cited(some, "round")
    assert "sur.aware-act" in cited(some, "step")
    for surprised in ([], ["Vex", "Mara", "Ilya", "Dray"]):
        none = fight(surprised=surprised)
        assert "sur.none" in cited(none, "begin")
        assert "sur.none" in cited(none, "round")


@pytest.mark.rule("phases.sur.dcv-ends", "phases.sur.free-ok", "phases.sur.one-action")
def test_the_surprise_phase_gives_one_action_and_ends_its_penalty() -> None:
    enc = fight(surprised=["Vex"])
    assert cited(enc, "refresh") == {"sur.one-action", "sur.free-ok"}
    assert "phases.sur.free-ok" in enc.can("Mara", "soliloquy").rules
    to(enc, "Vex", 1)
    assert "sur.dcv-ends" in cited(enc, "effect_end", target="Vex")
    assert "phases.sur.free-ok" not in enc.can("Vex", "soliloquy").rules


@pytest.mark.rule("phases.time.cycle", "phases.time.phase-3s", "phases.time.turn-12s", "phases.time.post-turn")
@pytest.mark.rule("phases.time.post-turn-zero", "phases.init.same-order", "phases.init.change-only-special")
def test_turns_phases_and_the_post_turn_say_how_long_they_are_and_in_what_order() -> None:
    enc = fight()
    assert {"time.cycle", "time.turn-12s"} <= cited(enc, "round")
    assert cited(enc, "step") == {"time.phase-3s", "init.desc"}
    assert {"act.budget", "act.free"} <= cited(enc, "refresh")
    to(enc, "Vex", 2)
    assert {"init.same-order", "init.change-only-special"} <= cited(enc, "step")
    to(enc, "Vex", 1, 2)
    assert cited(enc, "step", text="Post-Turn") == {"time.post-turn", "time.post-turn-zero"}


@pytest.mark.rule("phases.delay.lost", "phases.delay.again")
def test_a_delay_that_is_not_used_is_lost_and_may_be_taken_again() -> None:
    enc = fight()
    enc.do("Vex", "delay")
    to(enc, "Mara")
    enc.end_turn()
    to(enc, "Vex", 2)
    assert "delay.lost" in cited(enc, "effect_end", target="Vex")
    assert "phases.delay.again" in enc.do("Vex", "delay")[0].rules
    enc.do("Vex", "act_now")
    assert cited(enc, "effect_end", target="Vex") == {"delay.fix"}


@pytest.mark.rule("phases.act.limited-free", "phases.full.step-ok")
def test_what_still_goes_with_a_limit_and_with_a_full_phase_says_so() -> None:
    enc = fight(at=CLOSE)
    enc.condition("Vex", "limited")
    assert "phases.act.limited-free" in enc.can("Vex", "soliloquy").rules
    to(enc, "Ilya")
    assert "phases.full.step-ok" not in enc.can("Ilya", "1_hex_step", to=(10, 0)).rules
    enc.do("Ilya", "take_recovery")
    assert "phases.full.step-ok" in enc.can("Ilya", "1_hex_step", to=(10, 0)).rules


@pytest.mark.rule("phases.aoo.reach", "phases.aoo.reach-more", "phases.aoo.move-in", "phases.aoo.avoid-step")
def test_reach_bounds_a_blow_and_coming_near_provokes_nobody() -> None:
    enc = fight(at=CLOSE, Ilya={"reach": 3})
    assert "phases.aoo.reach" in enc.can("Vex", "strike", target="Ilya").rules
    to(enc, "Ilya")
    assert "phases.aoo.reach-more" in enc.can("Ilya", "strike", target="Vex").rules
    enc.do("Ilya", "half_move", to=(8, 0))
    assert "aoo.move-in" not in cited(enc, "move")
    to(enc, "Ilya", 2)
    enc.do("Ilya", "half_move", to=(4, 0))
    to(enc, "Ilya", 3)
    enc.do("Ilya", "half_move", to=(1, -1))
    assert "aoo.move-in" in cited(enc, "move")
    to(enc, "Mara", 4)
    assert "phases.aoo.avoid-step" in enc.do("Mara", "1_hex_step", to=(2, 0))[0].rules


@pytest.mark.rule("phases.aoo.reach-more")
@pytest.mark.parametrize(("reach", "more"), [(1, False), (2, True), (3, True)])
def test_any_reach_beyond_one_hex_is_more(reach: int, more: bool) -> None:
    enc = fight(at={**CLOSE, "Mara": (5, 0)}, Vex={"reach": reach})
    assert ("phases.aoo.reach-more" in enc.can("Vex", "strike", target="Mara").rules) is more


@pytest.mark.rule("phases.free.limit", "phases.act.limited")
@pytest.mark.parametrize(("id", "rule"), [("free_limit", "phases.free.limit"), ("limited", "phases.act.limited")])
def test_a_limit_that_is_lifted_names_the_rule_of_its_own(id: str, rule: str) -> None:
    enc = fight()
    enc.condition("Mara", id, value=1 if id == "free_limit" else None)
    (lifted,) = [event for event in enc.condition("Mara", id, off=True) if event.kind == "refresh"]
    assert lifted.rules == (rule,)


@pytest.mark.rule("phases.aoo.reach-more")
def test_no_reach_goes_beyond_what_the_sheet_may_say() -> None:
    for far, allowed in ((100, True), (101, False)):
        enc = fight(at={**CLOSE, "Mara": (far, 0)}, Vex={"reach": 90})
        enc.condition("Vex", "giant", modifiers={"reach": 50})
        assert enc.can("Vex", "strike", target="Mara").allowed is allowed


@pytest.mark.rule("phases.aoo.move-in")
def test_only_the_step_into_reach_says_that_it_provokes_nobody() -> None:
    enc = fight(at={**CLOSE, "Mara": (4, 0)}, Vex={"reach": 2})
    to(enc, "Mara")
    events = (*enc.do("Mara", "half_move", to=[(3, 0), (2, 0), (1, 0)]), *enc.resolve(answer="negated"))
    assert [(e.data["to"], "phases.aoo.move-in" in e.rules) for e in events if e.kind == "move"] == [
        ([3, 0], False),
        ([2, 0], True),
        ([1, 0], False),  # out of one hex that Vex threatens into another: that does provoke
    ]


@pytest.mark.rule("phases.aoo.not-same", "phases.aoo.cr-more", "phases.aoo.cr-limit", "phases.aoo.cr-same-foe")
@pytest.mark.rule("phases.aoo.resume", "phases.aoo.threat-offturn", "phases.aoo.cv-stack-pen")
def test_an_opportunity_says_what_allows_it() -> None:
    heavy = [{"id": "heavy", "ocv": -2, "dcv": -1}]
    enc = fight(at=CLOSE, Mara={"combat_reflexes": True}, tables={"manoeuvres": heavy})
    enc.do("Vex", "reload")
    enc.resolve(answer="failed")
    said = enc.do("Mara", "attack_of_opportunity", manoeuvre="heavy", rolls=[3, 3, 3])
    rules = next(e.rules for e in said if e.kind == "action")
    for rule in ("not-same", "cr-more", "cr-limit", "cr-same-foe", "threat-offturn"):
        assert f"phases.aoo.{rule}" in rules
    assert "aoo.cv-stack-pen" in cited(enc, "effect", target="Mara")
    assert "aoo.resume" in cited(enc, "window_end")


@pytest.mark.rule("phases.atk.ge")
@pytest.mark.parametrize(("faces", "even"), [([4, 3, 3], True), ([4, 4, 3], False)])
def test_an_attack_that_just_meets_its_number_says_by_which_reading(faces: list[int], even: bool) -> None:
    enc = fight(at=CLOSE)  # 3d6 + 5 against 15
    enc.do("Vex", "strike", target="Mara", rolls=faces)
    assert ("atk.ge" in cited(enc, "attack")) == even


@pytest.mark.rule("phases.aoo.two-kinds")
def test_who_has_given_no_opportunity_has_done_neither_of_two_kinds_of_thing() -> None:
    enc = fight(at={**CLOSE, "Dray": (1, 1)}, Mara={"combat_reflexes": True})
    enc.do("Vex", "reload")
    enc.resolve(answer="failed")
    assert "phases.aoo.two-kinds" in enc.can("Mara", "attack_of_opportunity", target="Dray").rules
