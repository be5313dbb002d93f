"""Exact odds beside icepool's own evaluation of the same question; initiative of many fights beside bare NumPy."""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from time import process_time
from typing import Any

import icepool  # type: ignore[import-untyped]
import numpy as np

import combatkit as ck
from benchmarks.pairs import paired, verdict
from combatkit.simulation.vectors import draw, seeds
from combatkit.study.odds.order import place_chances

TABLE = ((4, 6), (3, 6), (2, 7), (0, 5), (1, 2), (1, 2), (1, 2), (1, 2))
"""Eight at a table, Dexterity and level: four heroes, and four guards who are all alike."""
FIGHTS = 100_000
QUICK, SLOW = 400, 3
"""So often each is asked in one measurement."""
SMALLEST = {"FIGHTS": 100, "QUICK": 1, "SLOW": 1}


def fight() -> ck.Encounter:
    """Return the eight, not begun."""
    enc = ck.Encounter("saga", seed=7)
    for number, (dex, level) in enumerate(TABLE):
        enc.add(f"F{number}", side="ab"[number // 4], dex=dex, level=level)
    return enc


def by_icepool() -> Callable[[], Any]:
    """Return a call that works out who acts first: each die beside the best so far and those even with it."""
    start = icepool.Die([((-99, -99), 0)])
    dice = [
        icepool.Die([((dex + level // 2 + face, dex), 1 << number) for face in range(1, 21)])
        for number, (dex, level) in enumerate(TABLE)
    ]

    def best(so_far: tuple[tuple[int, int], int], thrown: tuple[tuple[int, int], int]) -> tuple[tuple[int, int], int]:
        if thrown[0] == so_far[0]:
            return so_far[0], so_far[1] | thrown[1]
        return max(so_far, thrown)

    def first(top: tuple[tuple[int, int], int]) -> Any:
        return icepool.Die([number for number in range(len(TABLE)) if top[1] >> number & 1])

    return lambda: icepool.reduce(best, dice, initial=start).map(first, star=False)


def rate(work: Callable[[], object], times: int) -> float:
    """Return how often a second of the processor's time is enough for."""
    work()
    began = process_time()
    for _ in range(times):
        work()
    return times / (process_time() - began)


def run() -> list[str]:
    """Measure and give the lines to print."""
    lots = fight().odds().lots
    peer = by_icepool()
    die = peer()
    exact = {f"F{number}": Fraction(die.quantity(number), die.denominator()) for number in range(len(TABLE))}
    told = {who: chances.chance[0] for who, chances in place_chances(lots, first=True).items()}
    assert told == exact, "the same question has the same answer"
    chances = paired(lambda: rate(lambda: place_chances(lots, first=True), QUICK), lambda: rate(peer, SLOW))

    fights = seeds(7, FIGHTS)
    modifiers = np.array([dex + level // 2 for dex, level in TABLE], np.int8)
    random = np.random.default_rng(7)

    def bare() -> object:
        return np.argsort(random.integers(1, 21, (FIGHTS, len(TABLE)), np.int8) + modifiers, axis=1)

    rolls = paired(lambda: rate(lambda: draw(lots, fights), SLOW), lambda: rate(bare, SLOW))
    return [
        verdict("(o) exact chance to act first, 8 combatants, rate over icepool's", chances, at_least=100),
        verdict("(o) vectorised initiative, 8 combatants, rate over bare draws and sort", rolls, at_least=1 / 3),
    ]
