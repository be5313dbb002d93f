"""Dice: a pure function of the seed and the die's number, and how they are written."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import combatkit as ck
from combatkit.core.dice import Dice, face, parse_dice

SEEDS = st.integers(0, 2**64 - 1)


def by_numpy(seed: int, first: int, count: int, sides: int) -> list[int]:
    """The documented formula, in NumPy's 64 bits."""
    with np.errstate(over="ignore"):
        number = np.arange(first + 1, first + count + 1, dtype=np.uint64)
        z = np.uint64(seed) + number * np.uint64(0x9E3779B97F4A7C15)
        z = (z ^ (z >> np.uint64(30))) * np.uint64(0xBF58476D1CE4E5B9)
        z = (z ^ (z >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
        z = z ^ (z >> np.uint64(31))
        return [int(n) for n in np.uint64(1) + ((z >> np.uint64(32)) * np.uint64(sides) >> np.uint64(32))]


def test_the_first_dice_of_a_seed_are_what_they_always_were() -> None:
    assert [face(7, i, 20) for i in range(5)] == [8, 1, 19, 12, 10]


@given(SEEDS, st.integers(0, 2**40), st.integers(2, 1_000_000))
def test_numpy_computes_the_same_faces(seed: int, first: int, sides: int) -> None:
    assert [face(seed, first + i, sides) for i in range(8)] == by_numpy(seed, first, 8, sides)


@given(SEEDS, st.integers(0, 2**40), st.sampled_from([2, 4, 6, 8, 10, 12, 20, 100]))
def test_a_face_is_one_of_the_dies(seed: int, number: int, sides: int) -> None:
    assert 1 <= face(seed, number, sides) <= sides


@pytest.mark.parametrize("sides", [6, 20])
def test_every_face_comes_up_about_as_often(sides: int) -> None:
    throws = 20_000
    counts = np.bincount(by_numpy(1, 0, throws, sides), minlength=sides + 1)[1:]
    expected = throws / sides
    assert float(((counts - expected) ** 2 / expected).sum()) < 3 * sides, "chi squared"


@pytest.mark.parametrize(
    ("text", "dice"),
    [
        ("3d8+2", Dice(3, 8, 2)),
        ("d20", Dice(1, 20)),
        ("d", Dice(1, 6)),
        (" 2 D 6 - 1 ", Dice(2, 6, -1)),
        ("3D+1", Dice(3, 6, 1)),
        ("7", Dice(0, 6, 7)),
        ("-2", Dice(0, 6, -2)),
    ],
)
def test_dice_are_read_as_they_are_written(text: str, dice: Dice) -> None:
    assert parse_dice(text) == dice


@pytest.mark.parametrize(
    "text",
    ["", "a lot", "0d6", "3d1", "1001d6", "3d8+", "3d8+d+", "3d8 2d6", "21/2d6", "½d3", "9" * 5000, "1d6+" + "9" * 30],
)
def test_what_is_no_dice_is_none(text: str) -> None:
    assert parse_dice(text) is None


@given(st.integers(1, 1000), st.integers(2, 1_000_000), st.integers(-999, 999))
def test_dice_are_written_as_they_are_read(count: int, sides: int, plus: int) -> None:
    dice = Dice(count, sides, plus)
    assert parse_dice(dice.notation) == dice


def duel(seed: int) -> ck.Encounter:
    enc = ck.Encounter("saga", seed=seed)
    enc.add("Mara", side="rebels", attack_bonus=5)
    enc.add("Vex", side="empire", defense=15, hp=30)
    enc.start(rolls={"Mara": 20, "Vex": 1})
    return enc


def test_a_fight_takes_the_seeds_dice_in_order_and_table_dice_take_none() -> None:
    enc = duel(7)
    assert enc._state.die == 0
    events = enc.do("Mara", "attack", target="Vex", damage="2d6", rolls={"damage": [4, 5]})
    strike = next(e for e in events if e.kind == "attack")
    assert (strike.data["faces"], strike.data["source"]) == ([face(7, 0, 20)], "seeded")
    assert enc._state.die == 1
    harm = [e for e in events if e.kind == "damage"]
    assert [e.data["source"] for e in harm] == ["table"] * len(harm)


def test_undo_takes_a_die_back_and_redo_gives_the_same_face() -> None:
    enc = duel(7)
    first = enc.do("Mara", "attack", target="Vex")
    enc.undo()
    assert enc._state.die == 0
    enc.redo()
    assert enc._state.die == 1
    enc.undo()
    again = enc.do("Mara", "attack", target="Vex")
    assert [e.data for e in again] == [e.data for e in first]


def test_a_seed_that_is_not_given_is_drawn_and_logged() -> None:
    enc = ck.Encounter("saga")
    made = enc._events[0]
    assert made.data["seed"] == enc.seed
    assert str(enc.seed) not in made.text, "the words are for all who play"
    assert max(ck.Encounter("saga").seed for _ in range(40)) >= 1 << 58, "all 64 bits are drawn"
