"""Dice text: sums of dice and numbers as people write them, wherever they are read."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.core.dice import parse_dice

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
VITAL = {"saga": "hp", "d6": "resolve", "ap": "hp", "segments": "hp", "phases": "stun"}


def fight(system: str, **stats: Any) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7)
    vital: dict[str, Any] = {VITAL[system]: 60}
    enc.add("Mara", side="a", **vital, **stats)
    enc.add("Vex", side="b", **vital)
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize(
    ("text", "rolls", "lost"),
    [
        ("1d6+1d4+2", [5, 3], 10),
        ("2d8\N{MINUS SIGN}1", [4, 4], 7),
        ("2d8\N{EN DASH}1", [4, 4], 7),
        ("1d8-1d4", [5, 2], 3),
        ("10-1d4", [4], 6),
        ("d%", [37], 37),
        ("½d6", [3], 3),
        ("5½d6", [1, 1, 1, 1, 1, 3], 8),
        ("2.5d6", [6, 6, 2], 14),
        ("2 1/2d6", [6, 6, 2], 14),
        ("(1d6+2)", [4], 6),
        ("1d6+1d6-1-1", [4, 4], 6),
        ("1d4-1d8", [1, 8], 0),
    ],
)
def test_a_sum_of_dice_is_rolled_as_it_is_written(system: str, text: str, rolls: list[int], lost: int) -> None:
    enc = fight(system)
    events = enc.damage("Vex", text, rolls=rolls)
    (roll,) = [event for event in events if event.kind == "roll"]
    assert (roll.data["faces"], roll.data["total"]) == (rolls, lost)
    assert enc["Vex"].values[VITAL[system]] == 60 - lost


def test_seeded_faces_of_a_sum_are_the_fights_next_dice() -> None:
    enc = fight("saga")
    roll = enc.damage("Vex", "2d20+1d6-1")[0]
    assert (roll.data["faces"], roll.data["total"]) == ([8, 1, 6], 14)
    assert enc.damage("Vex", "1d20")[0].data["faces"] == [12]


def test_a_sum_shows_every_face_in_the_log() -> None:
    enc = fight("saga")
    enc.damage("Vex", "1d6+1d4\N{MINUS SIGN}2", rolls=[5, 3])
    assert "1d6+1d4 ⟦5⟧ ⟦3⟧ \N{MINUS SIGN} 2 = 6" in str(enc.log())


@pytest.mark.parametrize("given", [[5], [5, 5], [5, 3, 1]])
def test_faces_that_do_not_fit_the_sum_are_refused(given: list[int]) -> None:
    enc = fight("saga")
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"1d6 and 1d4|not on a d4|leave out"):
        enc.damage("Vex", "1d6+1d4", rolls=given)
    assert enc.digest == before


@pytest.mark.parametrize("system", SYSTEMS)
@pytest.mark.parametrize("text", ["", "a lot", "1d6+", "1d6++1", "2d6x3", "½d3", "21/2d6", "-3", "1d6 1d4"])
def test_what_is_no_dice_says_what_can_be_read(system: str, text: str) -> None:
    enc = fight(system)
    with pytest.raises(ck.InvalidInput, match=r"dice such as '2d6\+3' or '1d6\+1d4'"):
        enc.damage("Vex", text)


@pytest.mark.parametrize("system", ["saga", "ap", "phases"])
def test_a_weapon_may_do_two_kinds_of_dice(system: str) -> None:
    enc = fight(system, weapons=[{"name": "blade", "damage": "1d8+1d4"}])
    enc.start(ties=["Mara", "Vex"] if system in ("saga", "ap") else None)
    while enc.active != "Mara":
        enc.end_turn()
    action = "strike" if system == "phases" else "attack"
    events = enc.do("Mara", action, target="Vex", outcome="hit", rolls={"damage": [8, 3]})
    while enc.pending:
        events += enc.resolve()
    assert [event.amount for event in events if event.kind == "damage"] == [11]


def test_a_weapon_of_a_dice_code_system_may_have_other_dice() -> None:
    enc = fight("d6", weapons=[{"name": "axe", "attack": "3D\N{MINUS SIGN}1", "damage": "2D+1d4+1"}], agility=1)
    assert enc["Mara"].stats["weapons"][0]["damage"] == "2D+1d4+1"
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    events = enc.do("Mara", "attack", target="Vex", outcome="hit", rolls={"damage": [2, 2, 3]})
    (hurt,) = [event for event in events if event.kind == "damage"]
    assert (hurt.amount, hurt.data["notation"]) == (8, "2d6+1d4+1")


@pytest.mark.parametrize(
    ("text", "dice"),
    [("2-8", "2d4"), ("1-8", "1d8"), ("8-32", "8d4"), ("3\N{EN DASH}12", "3d4"), ("2-5", "1d4+1"), ("1-6+2", "1d6+2")],
)
def test_a_range_is_the_dice_it_means_where_the_books_write_so(text: str, dice: str) -> None:
    enc = fight("segments", attacks=f"MELEE: claw ({text})", aac0=20)
    meant = parse_dice(dice)
    assert meant is not None
    faces = [1] * len(meant.each)
    roll = enc.damage("Vex", text, rolls=faces)[0]
    assert roll.data["notation"] == dice
    with pytest.raises(ck.InvalidInput, match="dice such as"):
        fight("saga").damage("Vex", "8-32")


def test_a_weapons_damage_may_be_a_range_and_is_rolled_as_its_dice() -> None:
    enc = fight("segments", aac0=20, weapons=[{"name": "claw", "damage": "2-8"}])
    enc.start()
    while not enc.can("Mara", "attack", target="Vex").allowed:
        enc.end_turn()
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [20], "damage": [1, 4]})
    assert [(event.amount, event.data["notation"]) for event in events if event.kind == "damage"] == [(5, "2d4")]


@pytest.mark.parametrize("given", [{"weapons": [{"name": "claw", "damage": "8-2"}]}, {"attacks": "MELEE: claw (8-2)"}])
def test_a_range_that_runs_backwards_is_refused_where_ranges_are_dice(given: dict[str, Any]) -> None:
    enc, words = fight("segments"), "'8-2' is a range from more to less; write 2-8"
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=words):
        enc.add("Rat", side="b", **given)
    with pytest.raises(ck.InvalidInput, match=words):
        enc.damage("Vex", "8-2")
    assert enc.digest == before
    assert enc.damage("Vex", "3-3")[-1].amount == 3
    assert fight("saga").damage("Vex", "8-2")[-1].amount == 6, "a sum of numbers, where no source writes ranges"


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("1\N{MINUS SIGN}1", {"attack_as": "1-1", "save_hd": 1}),
        ("1-1", {"attack_as": "1-1", "save_hd": 1, "morale": 0, "hp_dice": "1d8-1"}),
        ("½", {"attack_as": "½", "save_hd": 0, "morale": 0, "hp_dice": "1d4"}),
        ("1/2", {"attack_as": "½", "save_hd": 0, "morale": 0, "hp_dice": "1d4"}),
        ("1d6 hp", {"attack_as": "½", "save_hd": 0, "morale": 0, "hp_dice": "1d6"}),
        ("4 + 4", {"attack_as": 5, "save_hd": 5, "morale": 4, "hp_dice": "4d8+16"}),
    ],
)
def test_hit_dice_are_read_as_sources_write_them(text: str, says: dict[str, object]) -> None:
    values = fight("segments", hit_dice=text)["Mara"].values
    assert {key: values[key] for key in says} == says


@pytest.mark.parametrize("text", ["3-8", "4-1", "many", "1d4", "4++1", "-1"])
def test_hit_dice_that_say_nothing_are_refused(text: str) -> None:
    with pytest.raises(ck.InvalidInput, match="give them like '4', '4\\+4', '1-1', '½' or '1d4 hp'"):
        fight("segments", hit_dice=text)


def test_damage_by_weapon_is_left_to_the_table() -> None:
    enc = fight("segments", attacks="MELEE: 2 swords (by weapon) and bite (1-8)", aac0=20)
    enc.start()
    while not enc.can("Mara", "attack", target="Vex").allowed:
        enc.end_turn()
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [20, 20, 20], "damage": [7]})
    while enc.pending:
        events += enc.resolve()
    assert [event.amount for event in events if event.kind == "damage"] == [7]


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_form_of_a_sum_has_a_box_for_every_die(system: str) -> None:
    enc = fight(system)
    tracker = ck.Tracker(enc)
    tracker._vantage.table = True
    answer = tracker._vantage
    from combatkit.rules.mechanisms import CHANGES, deal_asks
    from combatkit.widgets._dice import dice_of, roll_of

    (box,) = dice_of(answer, [roll_of("The GM", *deal_asks(enc.ruleset, CHANGES["damage"], "2d6+1d4-1"))], {})
    assert (box["sides"], box["legend"]) == ([6, 6, 4], "The GM rolls 2d6+1d4 for damage")


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "segments", "phases"])
def test_a_die_is_said_with_its_sides_but_where_dice_are_codes(system: str) -> None:
    enc = fight(system)
    name = enc.names[0]
    if system == "d6":
        assert enc.damage(name, "1d")[0]._data["notation"] in ("1D", "1d6")
        return
    with pytest.raises(ck.InvalidInput, match=r"amount is '1d'; give a number from 0 up, or dice such as '2d6\+3'"):
        enc.damage(name, "1d")
    with pytest.raises(ck.InvalidInput, match="amount is '2d"):
        enc.heal(name, "2d + 1")
    assert enc.damage(name, "1d%"), "percentile dice have their sides"
