"""The corpus: a few long fights a system, played at random once a process, for every test that looks at some fights."""

from __future__ import annotations

from functools import cache

import pytest

import combatkit as ck
from tests.conformance.player import play

CALLS = 240
SMALL, WHOLE = 2, 12
"""How many fights a system there are in `make test`, and in `make test-all`."""

by_system = pytest.mark.parametrize(
    "system", [pytest.param(ruleset.id, marks=pytest.mark.xdist_group(ruleset.id)) for ruleset in ck.rulesets()]
)
"""Runs a test once a system, those of one system in the same process, which then plays its fights alone."""

sizes = pytest.mark.parametrize("fights", [SMALL, pytest.param(WHOLE, marks=pytest.mark.long)])
"""Runs a test on the small corpus, and in its long form on the whole."""


def corpus(system: str, fights: int = SMALL, language: str = "en") -> list[ck.Encounter]:
    """Return the first so many fights, of the seeds 0, 1, 2 and on.

    They are for looking at, with their undone calls and open windows. Whoever calls something takes a `copied` one.
    """
    return [fight(system, seed, language) for seed in range(fights)]


def copied(enc: ck.Encounter, seq: int) -> ck.Encounter:
    """Return a branch of a fight from an event on that the fight itself knows nothing of: a tracker lists those."""
    other = enc.branch(seq)
    enc._branches.remove(other)
    return other


def fight(system: str, seed: int, language: str = "en") -> ck.Encounter:
    """Return one fight, and print how it is played alone; who has changed it is told on by the next that asks."""
    print(f"seed {seed}; alone: tests.conformance.player.play({system!r}, {seed}, {CALLS}, language={language!r})")  # noqa: T201
    enc, digest, length = _played(system, seed, language)
    same = (enc.digest, len(enc._events), enc._branches) == (digest, length, [])
    assert same, f"a test has changed {enc.id}: let it take a copied one"
    return enc


@cache
def _played(system: str, seed: int, language: str) -> tuple[ck.Encounter, str, int]:
    enc = play(system, seed, CALLS, language=language)
    return enc, enc.digest, len(enc._events)
