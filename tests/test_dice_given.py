"""Dice rolled at the table: each has its roll, and what has none is refused, with how many are due."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck


def refuses(enc: ck.Encounter, words: str, name: str, action: str, **given: Any) -> None:
    """Check that dice are refused in these words, and that nothing has changed."""
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=words):
        enc.do(name, action, **given)
    assert enc.digest == before


@pytest.fixture
def saga() -> ck.Encounter:
    """Mara's turn; Vex has a readied action that no attack sets off."""
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", attack_bonus=5)
    enc.add("Vex", side="empire", npc=True, defense=15, hp=20)
    enc.add("Bo", side="empire", npc=True, defense=15, hp=20)
    enc.start(rolls={"Mara": 17, "Vex": 3, "Bo": 2})
    return enc


def d6() -> ck.Encounter:
    """Ada's turn, at Close."""
    enc = ck.Encounter("d6", seed=1)
    gun = {"name": "gun", "attack": "3D", "damage": "2D"}
    enc.add("Ada", side="h", resolve=10, weapons=[gun], at="hall")
    enc.add("Nox", side="f", npc=True, defense=9, resolve=10, at="hall")
    enc.add("Bes", side="h", resolve=10, at="hall")
    enc.start(rolls={"Ada": 6, "Bes": 1})
    return enc


def test_a_penalty_makes_fewer_dice_due() -> None:
    enc = d6()
    refuses(
        enc,
        r"takes 2 dice for attack \(3D, less 1D at Close\), but 3 are given; leave out \[6\]",
        "Ada",
        "attack",
        target="Nox",
        rolls={"attack": [1, 1, 6]},
    )
    enc.do("Ada", "attack", target="Nox", rolls={"attack": [1, 1]})


def test_a_list_may_be_shorter_than_what_is_asked_and_never_longer() -> None:
    enc = d6()
    refuses(
        enc,
        r"takes 4 dice \(3D, less 1D at Close\), but 5 are given; leave out \[3\]",
        "Ada",
        "attack",
        target="Nox",
        rolls=[6, 6, 1, 2, 3],
    )
    refuses(
        enc,
        r"takes 4 dice \(3D, less 1D at Close\), but 5 are given; leave out \[3\]",
        "Ada",
        "attack",
        target="Nox",
        rolls=[1, 1, 1, 2, 3],
    )
    enc.do("Ada", "attack", target="Nox", rolls=[6, 6])
    assert enc.history.rolls.filter(purpose="damage")["source"].to_list() == ["seeded"]


def test_dice_that_a_miss_makes_idle_are_counted_too() -> None:
    enc = d6()
    three = {"attack": [1, 1], "damage": [4, 4, 4]}
    refuses(enc, r"takes 2 dice for damage, but 3 are given", "Ada", "attack", target="Nox", rolls=three)
    enc.do("Ada", "attack", target="Nox", rolls={"attack": [1, 1], "damage": [4, 4]})
    assert enc["Nox"].values["resolve"] == 10


def test_of_several_targets_each_has_its_dice() -> None:
    enc = ck.Encounter("phases", seed=1)
    enc.add("Mara", side="rebels", combat_value=9, ocv=5)
    enc.add("Vex", side="empire", dcv=3, stun=20)
    enc.add("Bo", side="empire", dcv=3, stun=20)
    enc.start()
    both: dict[str, Any] = {"target": ["Vex", "Bo"], "damage": "1d6"}
    dice = {"attack": [1, 1, 1, 6, 6, 6, 2]}
    refuses(enc, "takes 6 dice for attack, but 7 are given", "Mara", "sweep", **both, rolls=dice)
    one_hit: dict[str, Any] = {"attack": [1, 1, 1, 6, 6, 6], "damage": [4, 5]}
    enc.do("Mara", "sweep", **both, rolls=one_hit)
    assert (enc["Vex"].values["stun"], enc["Bo"].values["stun"]) == (20, 16)


def test_damage_dice_where_no_damage_is_given_are_refused(saga: ck.Encounter) -> None:
    dice = {"attack": [15], "damage": [4]}
    refuses(saga, "takes no dice for damage, but 1 is given", "Mara", "attack", target="Vex", rolls=dice)


def test_too_many_dice_are_refused_although_their_throw_has_to_wait(saga: ck.Encounter) -> None:
    saga.end_turn()
    saga.do("Vex", "ready", action="aid_another", trigger={"actor": "Mara", "action": "attack"})
    saga.next_round()
    dice: dict[str, Any] = {"attack": [15], "damage": [4, 3]}
    refuses(saga, "takes 1 die for damage, but 2 are given", "Mara", "attack", target="Vex", damage="1d6", rolls=dice)
    saga.do("Mara", "attack", target="Vex", damage="1d6", rolls={"attack": [15], "damage": [4]})
    assert saga.pending
    saga.resolve()
    assert saga["Vex"].values["hp"] == 16


def test_too_many_dice_are_refused_although_the_gm_is_asked_first() -> None:
    enc = ck.Encounter("phases", seed=1, options={"ranged_provokes": True})
    enc.add("Mara", side="rebels", combat_value=9, ocv=5)
    enc.add("Vex", side="empire", combat_value=3, dcv=5)
    enc.start()
    shot: dict[str, Any] = {"target": "Vex", "option": "ranged"}
    refuses(enc, "takes 3 dice for attack, but 4 are given", "Mara", "strike", **shot, rolls={"attack": [3, 3, 3, 3]})
    enc.do("Mara", "strike", **shot, rolls={"attack": [3, 3, 3]})
    assert enc.pending[0].who == "GM"
    enc.resolve(answer="nobody")
    assert enc.history.rolls.filter(purpose="attack")["faces"].to_list() == [[3, 3, 3]]


FIRST = {"saga": ("Bo", [11]), "d6": ("Bo", [3]), "ap": ("Bo", [4])}


@pytest.mark.parametrize("system", FIRST)
def test_dice_for_a_roll_off_that_is_not_needed_are_refused(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Bo", side="a")
    enc.add("Cy", side="b")
    name, faces = FIRST[system]
    low = [face - 1 for face in faces]
    with pytest.raises(ck.InvalidInput, match=r"takes 1 die for Bo, but 2 are given; leave out \[2\]"):
        enc.start(rolls={name: [*faces, 2], "Cy": low})
    assert enc.start(rolls={name: faces, "Cy": low})
    with pytest.raises(ck.InvalidInput, match=r"takes 1 die for Dee, but 2 are given"):
        enc.join("Dee", side="b", rolls={"Dee": [1, 2]})


def test_dice_for_one_who_is_not_tied_or_beside_a_given_order_are_refused() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, value in (("Ace", 7), ("Bolt", 7), ("Crow", 5)):
        enc.add(name, side=name, combat_value=value)
    with pytest.raises(ck.InvalidInput, match="takes no dice for Crow"):
        enc.start(rolls={"Ace": [3, 4], "Bolt": [2], "Crow": [5]})
    ap = ck.Encounter("ap", seed=1)
    ap.add("Bo", side="a", luck_bonus=1)
    ap.add("Cy", side="b", luck_bonus=1)
    with pytest.raises(ck.InvalidInput, match="but 2 are given; leave out"):
        ap.start(rolls={"Bo": [4, 5], "Cy": [4, 3]}, ties=["Cy", "Bo"])


def test_a_group_throws_one_die() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Ann", side="party")
    enc.add("Orc", side="foes")
    enc.start()
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"takes 1 die for foes, but 2 are given; leave out \[3\]"):
        enc.end_turn(rolls={"party": [2], "foes": [5, 3]})
    assert enc.digest == before
    enc.end_turn(rolls={"party": [2], "foes": [5]})


def test_a_group_that_shares_a_die_throws_one() -> None:
    enc = ck.Encounter("ap", seed=1)
    enc.add("Orc", side="foes", count=2, npc=True)
    with pytest.raises(ck.InvalidInput, match="takes no dice for Orc 2"):
        enc.start(rolls={"Orc 1": 3, "Orc 2": 5})
    enc.start(rolls={"Orc": 3})


def test_of_many_faces_too_many_only_the_first_are_told(saga: ck.Encounter) -> None:
    with pytest.raises(ck.InvalidInput, match=r"takes no dice, but \[20, 20, .* characters\) is given") as caught:
        saga.do("Mara", "move", rolls=[20] * 1_000)
    assert len(str(caught.value)) < 200
