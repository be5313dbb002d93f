"""How often a fight asks whether something is allowed: what is known of a moment is not asked of it again."""

from __future__ import annotations

import sys
from collections.abc import Callable
from types import FrameType

import pytest

import combatkit as ck
from benchmarks.ground import crowd
from benchmarks.scenes import unarmed
from combatkit.fight.view import View
from combatkit.rules.judge import allowed, judge
from tests.budgets import GROUND

MOST = {"saga": 61, "d6": 181, "ap": 170, "segments": 83, "phases": 53}


def judged(call: Callable[[], object]) -> int:
    """Count how often a call judges an action."""
    calls = 0
    asked = (judge.__code__, allowed.__code__)

    def count(frame: FrameType, event: str, _: object) -> None:
        nonlocal calls
        calls += event == "call" and frame.f_code in asked

    sys.setprofile(count)
    try:
        call()
    finally:
        sys.setprofile(None)
    return calls


@pytest.mark.parametrize("system", MOST)
def test_a_fight_played_by_a_tactic_judges_no_more_than_it_must(system: str) -> None:
    enc = unarmed("catwalk", system).encounter(system, seed=0)
    assert 0 < judged(lambda: ck.play(enc, ck.tactics.strike, rounds=10)) <= MOST[system]


def test_what_is_still_offered_after_an_answer_is_judged_once() -> None:
    enc = ck.scene("catwalk").encounter("ap", seed=0)
    again: list[int] = []

    def looks_twice(view: View, name: str) -> ck.tactics.Deed | None:
        if (window := view._state.window) is not None and any(bid.answered for bid in window.bids):
            assert [offer.who for offer in view.pending] == [bid.who for bid in window.bids if not bid.answered]
            again.append(judged(lambda: view.pending))
        return ck.tactics.strike(view, name)

    ck.play(enc, looks_twice, rounds=2)
    assert len(again) > 1
    assert not any(again)


@pytest.mark.parametrize("system", GROUND)
def test_where_somebody_can_go_is_not_judged_place_by_place(system: str) -> None:
    enc = crowd(system, 60)
    ground = enc.ground("Mara")
    asked = judged(lambda: enc.ground("Mara"))
    assert bool(ground.lengths) is (system != "ap")
    assert asked - len(ground.threats) <= GROUND[system]
