"""Many fights: by the engine, as arrays, at random, as an environment; ten thousand with a cold and a warm pool."""

from __future__ import annotations

from collections.abc import Callable
from itertools import pairwise
from time import perf_counter, process_time

import numpy as np

import combatkit as ck
from benchmarks import pairs
from benchmarks.pairs import Ratio, summary, verdict
from benchmarks.scenes import unarmed
from combatkit.simulation.aec import env
from combatkit.simulation.arrays import kind_of
from combatkit.simulation.engines import Engine
from combatkit.simulation.fights import Bounds, Setup, seed_of
from combatkit.simulation.work import Job, play_some

AT_LEAST = 100
FIGHTS = 8
MANY = 10_000
STEPS = 60
SCENE = "catwalk"
SMALLEST = {"FIGHTS": 1, "MANY": 20, "STEPS": 5, "AT_LEAST": 0}


def rate(work: Callable[[], int]) -> float:
    """Return how many of what work counts go into a second of one processor."""
    began = process_time()
    count = work()
    return count / (process_time() - began)


def middle(work: Callable[[], int]) -> float:
    """Return the median of as many measurements as there are pairs."""
    found = sorted(rate(work) for _ in range(pairs.PAIRS))
    return found[len(found) // 2]


def fought(job: Job, count: int) -> int:
    """Play fights."""
    play_some(job, [(number, seed_of(7, number)) for number in range(count)])
    return count


def deeds(setup: Setup) -> int:
    """Play fights at random, and count the deeds."""
    return sum(ck.play(setup.encounter(seed), ck.tactics.at_random, rounds=10).deeds for seed in range(FIGHTS))


def steps(system: str, masked: bool) -> int:
    """Take steps of an environment: any that the mask allows, or pass without looking at it."""
    fight, rng = env(unarmed(SCENE, system).encounter(system, seed=7)), np.random.default_rng(7)
    fight.reset(seed=7)
    for _ in range(STEPS):
        if not fight.agents:
            fight.reset()
        _, _, terminated, truncated, told = fight.last()
        if terminated or truncated:
            fight.step(None)
        elif masked:
            fight.step(int(rng.choice(np.flatnonzero(told["action_mask"]))))
        else:
            fight.step(0)
    return STEPS


def against_engine(system: str) -> tuple[float, float, Ratio]:
    """Return fights a second and core by the engine and as arrays, and the ratio, measured in turn."""
    setup = Setup(ck.scene(SCENE).encounter(system, seed=7))
    job = Job(setup, ck.tactics.strike, Bounds())
    found = [
        (rate(lambda: fought(job, FIGHTS)), rate(lambda: fought(job._replace(arrays=True), MANY)))
        for _ in range(pairs.PAIRS)
    ]
    engine, arrays = (sorted(column)[pairs.PAIRS // 2] for column in zip(*found, strict=True))
    return engine, arrays, summary([fast / slow for slow, fast in found])


def run() -> list[str]:
    """Measure and give the lines to print."""
    lines = []
    for rules in ck.rulesets():
        setup = Setup(unarmed(SCENE, rules.id).encounter(rules.id, seed=7))
        job = Job(setup, ck.tactics.strike, Bounds())
        figures = [
            f"{middle(lambda: fought(job, FIGHTS)):.0f} fights a second and core with strike",  # noqa: B023 - at once
            f"{middle(lambda: deeds(setup)):.0f} deeds with at_random",  # noqa: B023
            f"{middle(lambda: steps(rules.id, True)):.0f} steps of an environment with its mask",  # noqa: B023
            f"{middle(lambda: steps(rules.id, False)):.0f} without",  # noqa: B023
        ]
        lines.append(f"many, {rules.id}: {', '.join(figures)}")
        if kind_of(rules) is not None:
            engine, arrays, ratio = against_engine(rules.id)
            name = f"many, {rules.id}: {arrays:,.0f} fights a second and core as arrays, {engine:.0f} by the engine"
            lines.append(verdict(name, ratio, at_least=AT_LEAST))
    ways: tuple[Engine, ...] = ("arrays", "engine")
    for way in ways:
        count, ends = MANY if way == "arrays" else MANY // 20, [perf_counter()]
        with ck.simulation.processes(2) as pool:
            for _ in range(2):
                ck.simulate(ck.scene(SCENE), count, executor=pool, systems="saga", engine=way, progress=False)
                ends.append(perf_counter())
        cold, warm = (after - before for before, after in pairwise(ends))
        lines.append(f"many, saga, two processes: {count:,} fights by {way} in {cold:.1f} s cold, {warm:.1f} s warm")
    return lines
