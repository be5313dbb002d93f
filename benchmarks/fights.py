"""Whole fights by tactics, beside the same calls replayed with the options read once a decision."""

from __future__ import annotations

from collections.abc import Callable
from time import process_time
from typing import Any

import combatkit as ck
from benchmarks import pairs
from benchmarks.pairs import Ratio, summary, verdict
from benchmarks.scenes import unarmed
from combatkit.fight.view import View
from combatkit.simulation.fights import Bounds, Setup
from combatkit.simulation.work import Job, play_some
from combatkit.tactics import Deed, Tactic

AT_MOST = 1.3
FIGHTS = 4
ROUNDS = 20
SCENE = "catwalk"
SMALLEST = {"FIGHTS": 1, "ROUNDS": 1}
CHANGES = ("do", "end_turn", "resolve", "condition", "finish")

Call = Callable[[ck.Encounter], object]


def recorded(setup: Setup, seed: int, tactic: Tactic) -> tuple[list[Call], str]:
    """Play a fight; give its calls, with the options read once for each decision, and where it comes to."""
    enc = setup.encounter(seed)
    calls: list[Call] = []

    def decide(view: View, name: str) -> Deed | None:
        calls.append(lambda other: other.options(name))
        return tactic(view, name)

    def through(method: str) -> Callable[..., Any]:
        change = getattr(enc, method)

        def call(*args: Any, **keys: Any) -> Any:
            calls.append(lambda other: getattr(other, method)(*args, **keys))
            return change(*args, **keys)

        return call

    for method in CHANGES:
        setattr(enc, method, through(method))
    ck.play(enc, decide, rounds=ROUNDS)
    return calls, enc.digest


def replay(setup: Setup, seed: int, calls: list[Call]) -> ck.Encounter:
    """Make a fight's calls again."""
    enc = setup.encounter(seed)
    for call in calls:
        call(enc)
    return enc


def timed(work: Callable[[int], object]) -> float:
    """Return the processor's seconds for all fights."""
    began = process_time()
    for seed in range(FIGHTS):
        work(seed)
    return process_time() - began


def compare(system: str, tactic: Tactic) -> tuple[float, Ratio]:
    """Return fights a second and core, and their time over the replay's, all fights of a pair in turn."""
    setup = Setup(unarmed(SCENE, system).encounter(system, seed=0))
    job = Job(setup, tactic, Bounds(ROUNDS))
    scripts = [recorded(setup, seed, tactic) for seed in range(FIGHTS)]
    for seed, (calls, digest) in enumerate(scripts):
        assert replay(setup, seed, calls).digest == digest, f"{system}, seed {seed}: not the same fight"
    played: list[float] = []
    ratios: list[float] = []
    for _ in range(pairs.PAIRS):
        played.append(timed(lambda seed: play_some(job, [(seed, seed)])))
        ratios.append(played[-1] / timed(lambda seed: replay(setup, seed, scripts[seed][0])))
    return FIGHTS / sorted(played)[pairs.PAIRS // 2], summary(ratios)


def run() -> list[str]:
    """Measure and give the lines to print."""
    lines = []
    for rules in ck.rulesets():
        for tactic in (ck.tactics.strike, ck.tactics.hold_back, ck.tactics.at_random):
            rate, ratio = compare(rules.id, tactic)
            name = f"fights, {rules.id}, {tactic.__name__}: {rate:.0f} a second and core; time over the replay's"
            lines.append(verdict(name, ratio, at_most=AT_MOST))
    return lines
