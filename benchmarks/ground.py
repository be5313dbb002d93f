"""Milliseconds to say where one among 200 can go, and the ways to a place: 15 are the aim for the ground."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from random import Random
from time import perf_counter
from typing import Any

import combatkit as ck

PEOPLE, TIMES = 200, 15
SMALLEST = {"PEOPLE": 8, "TIMES": 1}
SPREAD = 12
"""Half the side of the field on which they stand."""
OPTIONS = {"saga": {"openings": "leaving_reach"}, "segments": {"movement": "refused"}}
"""Readings by which there is something to tell."""


def crowd(system: str, people: int = 200) -> ck.Encounter:
    """Return a fight in which it is the turn of Mara, who stands in the middle of a crowd."""
    zones = [f"Zone {n}" for n in range(9)]
    map = list(pairwise(zones)) if system == "d6" else None
    enc = ck.Encounter(system, seed=1, options=OPTIONS.get(system), map=map)
    field = range(-SPREAD, SPREAD)
    spots: list[object] = [(x, y) for x in field for y in field if (x, y) != (0, 0)]
    Random(1).shuffle(spots)
    speed: dict[str, Any] = {"movement": 60} if system == "segments" else {}
    for number in range(people):
        at = zones[number % 9] if map else spots[number] if number else (0, 0)
        enc.add(f"F{number}" if number else "Mara", side="ab"[number % 2], at=at, **speed)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def _least(work: Callable[[], object]) -> float:
    """Return the milliseconds of the quickest time."""
    taken = []
    for _ in range(TIMES):
        began = perf_counter()
        work()
        taken.append(perf_counter() - began)
    return 1000 * min(taken)


def run() -> Iterator[str]:
    """Yield a line for each system."""
    for system in (each.id for each in ck.rulesets()):
        enc = crowd(system, PEOPLE)
        found = enc.ground("Mara")
        line = f"ground: {system}, one among {PEOPLE}: {_least(partial(enc.ground, 'Mara')):.1f} ms"
        if found.lengths:
            goal = max(found.lengths, key=found.lengths.__getitem__)
            line += f", ways {_least(partial(enc.ways, 'Mara', goal)):.1f} ms"
        yield f"{line}, {len(found.lengths)} places, {len(found.threats)} threats"
