"""Many fights in NumPy: the same dice and the same order as on the engine, fight by fight."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import combatkit as ck
from combatkit.core.dice import face
from combatkit.errors import InvalidInput
from combatkit.simulation import seed_of
from combatkit.simulation.vectors import faces, initiative, seeds
from tests import soaking
from tests.odds_scenes import SYSTEMS, Scene, firsts, scenes

SMALL, COUNT, LONG_COUNT = 20, 500, 2_000
"""So many scenes a system are played in `make test`, in `make test-all`, and in a soak."""


def seed(number: int) -> np.ndarray[Any, np.dtype[np.uint64]]:
    return np.array([seed_of(11, number)], np.uint64)


@given(st.integers(0, 2**64 - 1), st.integers(0, 2**40), st.integers(2, 2**32))
def test_a_die_is_the_engines(seed: int, number: int, sides: int) -> None:
    fights = np.array([seed, seed ^ 1], np.uint64)
    expected = [face(int(s), number, sides) for s in fights]
    assert faces(fights, number, sides).tolist() == expected
    assert faces(fights, np.full(2, number, np.uint64), sides).tolist() == expected


def test_the_seeds_of_many_fights_are_those_that_are_played_one_by_one() -> None:
    assert seeds(7, 50).tolist() == [seed_of(7, number) for number in range(50)]


@pytest.mark.parametrize("count", [SMALL, pytest.param(COUNT, marks=(pytest.mark.long, pytest.mark.soak))])
@pytest.mark.parametrize("system", SYSTEMS)
def test_scenes_come_out_as_on_the_engine(system: str, count: int) -> None:
    for number, scene in enumerate(scenes(system, count if soaking.seconds(1) is None else LONG_COUNT)):
        found = initiative(scene.encounter(0), seed(number), surprised=scene.surprised)
        enc = scene.encounter(seed_of(11, number))
        enc.start(surprised=scene.surprised)
        where = f"scene {number}: {scene}"
        order = [found.names[i] for i in found.order[0]]
        assert (order, found.dice[0]) == firsts(enc), where


def crowd(system: str) -> Scene:
    return next(scene for scene in scenes(system, 50, 5, salt=1) if not scene.surprised)


@pytest.mark.parametrize("system", SYSTEMS)
def test_many_fights_at_once_are_the_same_fights_one_by_one(system: str) -> None:
    enc = crowd(system).encounter(0)
    fights = seeds(3, 2_000)
    together = initiative(enc, fights)
    chosen = [0, 1, 999, 1_000, 1_999]
    for number in chosen:
        alone = initiative(enc, fights[number : number + 1])
        assert alone.turn[0].tolist() == together.turn[number].tolist()
        assert alone.place[0].tolist() == together.place[number].tolist()
        assert alone.dice[0] == together.dice[number]


def test_those_who_act_at_once_share_a_place_and_have_turns_of_their_own() -> None:
    enc = ck.Encounter("segments", seed=1)
    for name, side in (("Mara", "party"), ("Dray", "party"), ("Vex", "cult")):
        enc.add(name, side=side, weapons=[{"name": "sword", "speed": 5}])
    found = initiative(enc, seeds(1, 500))
    for turn, place in zip(found.turn.tolist(), found.place.tolist(), strict=True):
        assert sorted(turn) == [1, 2, 3]
        assert place in ([1, 1, 1], [1, 1, 3], [2, 2, 1])


def test_a_tie_that_is_rolled_off_again_and_again_takes_the_dice_it_takes() -> None:
    """Six who are all alike: ties within ties, each settled to its end before the next."""
    enc = ck.Encounter("saga", seed=0)
    enc.add("Guard", side="empire", count=6, dex=1)
    found = initiative(enc, seeds(5, 3_000))
    deep = np.argsort(found.dice)[-40:]
    assert found.dice[deep].min() >= 6 + 6
    assert found.dice.max() >= 6 + 9
    for number in deep:
        played = enc.restart(int(seeds(5, 3_000)[number]))
        played.start()
        assert [found.names[i] for i in found.order[number]] == [rung.combatant for rung in played.order]
        assert found.dice[number] == played._state.die


@pytest.mark.parametrize("squads", [4, pytest.param(13, marks=pytest.mark.long)])
def test_a_crowd_that_is_all_alike_is_put_in_order(squads: int) -> None:
    """Numbers of a crowd's ties fit no longer into the narrowest type."""
    enc = ck.Encounter("saga", seed=0)
    for squad in range(squads):
        enc.add(f"Guard of {squad}", side="empire", count=10, dex=1)
    found = initiative(enc, seeds(5, 2))
    played = enc.restart(5)
    played.start()
    assert [found.names[i] for i in found.order[0]] == [rung.combatant for rung in played.order]
    assert found.dice[0] == played._state.die


def test_one_who_cannot_act_throws_its_die_and_has_no_turn() -> None:
    enc = ck.Encounter("saga", seed=0)
    enc.add("Mara", side="rebels", dex=1)
    enc.add("Vex", side="empire", dex=1, conditions=["unconscious"])
    enc.add("Ossik", side="rebels", dex=1)
    found = initiative(enc, seeds(5, 2_000))
    assert found.names == ("Mara", "Ossik")
    for number, each in enumerate(seeds(5, 60)):
        played = enc.restart(int(each))
        played.start()
        assert found.dice[number] == played._state.die
        assert found.names[found.order[number][0]] == played.active


def test_what_is_no_question_for_many_fights_at_once_is_refused() -> None:
    enc = ck.Encounter("saga", seed=0)
    enc.add("Mara", side="rebels", attack_bonus=5)
    enc.add("Vex", side="empire", defense=12)
    enc.start()
    with pytest.raises(InvalidInput, match="has begun"):
        initiative(enc, seeds(1, 2))
