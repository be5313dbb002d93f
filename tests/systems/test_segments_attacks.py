"""Segments: what is needed to hit, hit dice, routines, multipliers, called shots, foiled attacks, notation."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.systems.segments.attacks import multiplier_of, needed
from combatkit.systems.segments.notation import Strike, read_attack
from tests.systems.segments_table import cites, events, fight, hp, left, roll, rolled, rule, to_turn
from tests.systems.table import refused


def blows(happened: Any) -> list[tuple[Any, Any, Any]]:
    """Total, needed and outcome of every attack that was rolled."""
    return [(e.data["total"], e.data["needed"], e.data["outcome"]) for e in happened if e.kind == "attack"]


# ── to hit ──


@pytest.mark.rule("segments.atk.roll")
def test_an_attack_is_a_d20_against_armor_class_after_the_gms_modifiers() -> None:
    enc = rolled("Mara", "Vex", Mara={"aac0": 15}, Vex={"ac": 3})
    preview = enc.can("Mara", "attack", target="Vex", modifiers={"rear": 2, "dark": -1})
    assert (preview.notation, preview.needed) == ("1d20+1", 12)
    happened = enc.do("Mara", "attack", target="Vex", modifiers={"rear": 2, "dark": -1}, rolls=[11])
    assert blows(happened) == [(12, 12, "hit")]
    assert happened[1].data["modifiers"] == {"rear": 2, "dark": -1}
    enc = rolled("Mara", "Vex", Mara={"aac0": 15}, Vex={"ac": 3})
    assert blows(enc.do("Mara", "attack", target="Vex", rolls=[11])) == [(11, 12, "miss")]


@pytest.mark.rule("segments.ac.scale")
def test_armor_class_runs_from_minus_ten_to_ten() -> None:
    assert ck.ruleset("segments").stats["ac"].range == (-10, 10)
    for ac in (-10, 0, 10):
        fight("Mara", Mara={"ac": ac})
    for ac in (-11, 11):
        with pytest.raises(ck.InvalidInput, match="ac is"):
            fight("Mara", Mara={"ac": ac})
    assert [needed(15, ac) for ac in (-5, 0, 5, 10)] == [20, 15, 10, 5]  # the lower, the harder to hit
    enc = fight("Mara", Mara={"ac": 9})
    enc.condition("Mara", "naked", modifiers={"ac": -4})
    assert enc["Mara"].values["ac"] == 10


@pytest.mark.rule("segments.ac.bonus-lowers")
def test_a_bonus_is_written_positive_and_lowers_armor_class() -> None:
    enc = rolled("Mara", "Vex", Mara={"aac0": 15}, Vex={"ac": 5})
    enc.condition("Vex", "shielded", modifiers={"ac": 2})
    assert enc["Vex"].values["ac"] == 3
    assert enc.can("Mara", "attack", target="Vex").needed == 12
    enc.condition("Vex", "shielded", off=True)
    enc.condition("Vex", "off guard", modifiers={"ac": -2})
    assert enc["Vex"].values["ac"] == 7
    assert enc.can("Mara", "attack", target="Vex").needed == 8
    # Said with an attack, it is the target's for this one roll: the number used, and the AC told.
    (blow,) = [e for e in enc.do("Mara", "attack", target="Vex", modifiers={"ac": 3}, rolls=[10]) if e.kind == "attack"]
    assert (blow.data["needed"], blow.data["modifiers"]) == (11, {})
    assert blow.text == "rolls 10 against 11 (AAC0 15, AC 4): miss"
    assert enc["Vex"].values["ac"] == 7


@pytest.mark.rule("segments.atk.tables")
def test_the_classed_use_their_class_table_and_others_the_monster_table() -> None:
    rows = [
        {"id": "fighter 5", "table": "class", "row": "5", "aac0": 16},
        {"id": "monster 5", "table": "monster", "row": "5", "aac0": 15},
        {"id": "monster 1+", "table": "monster", "row": "1+", "aac0": 18},
        {"id": "monster 6", "table": "monster", "row": "6", "aac0": 14},
    ]
    stats: dict[str, Any] = {
        "Mara": {"aac0": None, "class_level": 5},
        "Bo": {"aac0": None, "hit_dice": "5"},
        "Vex": {"aac0": None, "hit_dice": "1+1"},
        "Ossik": {"aac0": None, "hit_dice": "5+5"},
        "Orc": {"aac0": None, "hit_dice": "9"},
    }
    enc = rolled("Mara", "Bo", "Vex", "Ossik", "Orc", tables={"attack_tables": rows}, **stats)
    assert [enc[n].values["aac0"] for n in ("Mara", "Bo", "Vex", "Ossik", "Orc")] == [16, 15, 18, 14, None]
    assert enc.can("Mara", "attack", target="Vex").needed == 11  # AC 5
    # With no row and no AAC0, the roll is the table's: made or typed in, and logged.
    to_turn(enc, "Orc")
    assert enc.can("Orc", "attack", target="Mara").needed is None
    assert blows(enc.do("Orc", "attack", target="Mara", rolls=[9], damage=2)) == [(9, None, None)]
    assert hp(enc, "Mara") == 28


@pytest.mark.rule("segments.atk.modified")
def test_numbers_are_modified_scores_a_twenty_with_plus_two_hits_on_eighteen() -> None:
    assert needed(19, -1) == 20
    for face, outcome in ((17, "miss"), (18, "hit"), (19, "hit"), (20, "hit")):
        enc = rolled("Mara", "Vex", Mara={"aac0": 19}, Vex={"ac": -1})
        (blow,) = blows(enc.do("Mara", "attack", target="Vex", modifiers=2, rolls=[face]))
        assert blow == (face + 2, 20, outcome)


@pytest.mark.rule("segments.aac0")
def test_from_aac0_the_others_are_worked_out() -> None:
    assert [needed(12, ac) for ac in (10, 5, 0, -5, -8)] == [2, 7, 12, 17, 20]
    assert needed(12, -13) == 20
    assert needed(12, -14) == 21


@pytest.mark.rule("segments.aac0.star")
def test_a_starred_twenty_is_needed_against_ac_one_as_well() -> None:
    assert [needed("20*", ac) for ac in (2, 1, 0, -4, -5)] == [19, 20, 20, 20, 21]
    assert [needed(20, ac) for ac in (2, 1, 0, -5, -6)] == [18, 19, 20, 20, 21]
    enc = rolled("Mara", "Vex", Mara={"aac0": "20*"}, Vex={"ac": 1})
    assert enc.can("Mara", "attack", target="Vex").needed == 20
    with pytest.raises(ck.InvalidInput, match="aac0 is '19\\*'"):
        fight("Bo", Bo={"aac0": "19*"})


@pytest.mark.rule("segments.rep20.six")
@pytest.mark.parametrize("aac0", [12, 16, 20, "20*", 21, 23])
def test_six_twenties_in_a_row_then_one_more_for_each_armor_class(aac0: int | str) -> None:
    row = [needed(aac0, ac) for ac in range(30, -41, -1)]
    assert row.count(20) == 6
    after = row[row.index(20) + 6 :]
    assert after == list(range(21, 21 + len(after)))
    before = row[: row.index(20)]
    assert before == list(range(20 - len(before), 20))
    stated = row[30]
    assert stated == (20 if aac0 == "20*" else aac0)


@pytest.mark.rule("segments.ac.scale", "segments.ac.bonus-lowers")
@pytest.mark.parametrize(("ac", "bonus", "needs"), [(-8, 2, 20), (-8, 5, 20), (9, -4, 5)])
def test_no_bonus_takes_an_armor_class_off_its_scale(ac: int, bonus: int, needs: int) -> None:
    enc = rolled("Mara", "Vex", Mara={"aac0": 15}, Vex={"ac": ac})
    enc.condition("Vex", "warded", modifiers={"ac": bonus})
    assert enc.can("Mara", "attack", target="Vex").needed == needs


@pytest.mark.rule("segments.rep20.borrow")
def test_a_class_without_a_chart_uses_any_with_the_same_aac0() -> None:
    rows = [{"id": "fighter 5", "table": "class", "row": "5", "aac0": 16}]
    stats: dict[str, Any] = {"Mara": {"aac0": None, "class_level": 5}, "Bo": {"aac0": 16, "class_level": 2}}
    enc = rolled("Mara", "Bo", "Vex", tables={"attack_tables": rows}, **stats)
    for ac in range(-10, 11):
        enc.condition("Vex", "armour", modifiers={"ac": 5 - ac})
        assert enc.can("Mara", "attack", target="Vex").needed == enc.can("Bo", "attack", target="Vex").needed


@pytest.mark.rule("segments.nat1", "segments.nat20")
def test_a_natural_one_misses_and_a_natural_twenty_hits_whatever_is_needed() -> None:
    for face, modifier, ac, aac0, outcome in ((1, 30, 10, 10, "miss"), (20, 0, -10, 23, "hit"), (20, -9, 0, 20, "hit")):
        enc = rolled("Mara", "Vex", Mara={"aac0": aac0}, Vex={"ac": ac})
        happened = enc.do("Mara", "attack", target="Vex", modifiers=modifier, rolls=[face])
        assert blows(happened)[0][2] == outcome
        assert cites(happened, f"segments.nat{face}")
    assert needed(23, -10) == 33


# ── hit dice ──


@pytest.mark.rule("segments.hd.race", "segments.hd.higher")
def test_racial_hit_dice_are_used_unless_the_class_level_is_higher() -> None:
    enc = fight("Mara", "Bo", "Vex", Mara={"hit_dice": "4", "class_level": 2}, Bo={"hit_dice": "4", "class_level": 4})
    assert [enc[n].values["attack_as"] for n in ("Mara", "Bo")] == [4, 4]
    enc = fight("Mara", Mara={"hit_dice": "4", "class_level": 5})
    assert enc["Mara"].values["attack_as"] == 5


@pytest.mark.rule("segments.ehd.def")
def test_enhanced_hit_dice_are_the_number_after_the_plus_of_the_classless() -> None:
    enc = fight("Mara", "Bo", Mara={"hit_dice": "4+4"}, Bo={"hit_dice": "4+4", "class_level": 1})
    assert (enc["Mara"].values["attack_as"], enc["Mara"].values["morale"]) == (5, 4)
    assert (enc["Bo"].values["attack_as"], enc["Bo"].values["morale"]) == (4, 0)
    for wrong in ("four", "4-1", "+4"):
        with pytest.raises(ck.InvalidInput, match="hit_dice"):
            fight("Mara", Mara={"hit_dice": wrong})


@pytest.mark.rule("segments.ehd.atk-low", "segments.ehd.atk-high")
def test_up_to_plus_three_is_the_plus_column_and_four_or_more_one_hit_die_never_more() -> None:
    given = {"1+1": "1+", "2+3": "2+", "4+4": 5, "5+5": 6, "3+13": 4, "6": 6}
    for dice, column in given.items():
        assert fight("Mara", Mara={"hit_dice": dice})["Mara"].values["attack_as"] == column


@pytest.mark.rule("segments.ehd.save", "segments.ehd.overall")
def test_saves_and_overall_hit_dice_gain_one_for_each_started_four_without_end() -> None:
    given = {"4": 4, "4+1": 5, "4+4": 5, "5+5": 7, "4+8": 6, "4+9": 7, "4+12": 7, "4+13": 8, "4+16": 8, "4+17": 9}
    for dice, save in given.items():
        values = fight("Mara", Mara={"hit_dice": dice})["Mara"].values
        assert (values["save_hd"], values["overall_hd"]) == (save, save)


@pytest.mark.rule("segments.ehd.hp", "segments.ehd.morale")
def test_hit_points_gain_the_bonus_per_hit_die_and_morale_the_bonus() -> None:
    for dice, points, morale in (("4+4", "4d8+16", 4), ("8+2", "8d8+16", 2), ("1+1", "1d8+1", 1), ("3", "3d8", 0)):
        values = fight("Mara", Mara={"hit_dice": dice})["Mara"].values
        assert (values["hp_dice"], values["morale"]) == (points, morale)


# ── routines ──


@pytest.mark.rule("segments.routine.def", "segments.routine.examples")
def test_a_routine_is_one_or_more_attacks_in_the_same_segment() -> None:
    lines = {
        "MELEE: sword (1d8)": 1,
        "MELEE: sword (1d8) and dagger (1d4)": 2,
        "MELEE: 2 claws (1d8/1d8) and bite (2d6)": 3,
        "MISSILE: 2 longbow arrows (1d6/1d6)": 2,
    }
    for line, number in lines.items():
        enc = rolled("Mara", "Vex", Mara={"attacks": [line]})
        action = "attack" if line.startswith("MELEE") else "missile_attack"
        happened = enc.do("Mara", action, target="Vex")
        assert len(blows(happened)) == number
        assert (happened[0].data["segments"], left(enc, "Mara", "major")) == (1, 0)
    assert rule("routine.def").kind == rule("routine.examples").kind == "definition"


def test_who_has_attacked_and_would_attack_again_is_told_which_turn_a_skipped_round_takes() -> None:
    enc = rolled("Mara", "Vex", Mara={"routines": 2})
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    lost = [(e.actor, e.text) for e in enc.next_round() if e.kind == "turn_lost"]
    assert lost == [("Vex", "had no turn"), ("Mara", "had no turn in step 6, Remaining attacks")]


@pytest.mark.rule("segments.routine.one-target")
def test_all_attacks_of_a_routine_are_at_one_target() -> None:
    enc = rolled("Mara", "Vex", "Ossik", Mara={"attacks": ["MELEE: 2 claws (1d8/1d8)"]})
    assert refused(enc, "Mara", "attack", target=["Vex", "Ossik"]).rule == "segments.routine.one-target"
    happened = enc.do("Mara", "attack", target="Vex")
    assert {e.target for e in happened if e.kind == "attack"} == {"Vex"}


def test_damage_that_is_given_with_a_routine_comes_off_once_with_the_first_attack_that_hits() -> None:
    enc = rolled("Mara", "Vex", Mara={"attacks": ["MELEE: 2 claws (1d8/1d8)"]})
    happened = enc.do("Mara", "attack", target="Vex", damage=7, rolls=[2, 12])
    assert [outcome for *_, outcome in blows(happened)] == ["miss", "hit"]
    assert hp(enc, "Vex") == 30 - 7


@pytest.mark.rule("segments.primary.two")
def test_primary_means_the_main_hand_or_the_main_routine() -> None:
    assert rule("primary.two").kind == "definition"
    enc = fight("Mara", "Vex", Mara={"routines": 2, "weapons": ["sword", "dagger"]})
    enc.condition("Mara", "in_melee")
    roll(enc)
    first = enc.do("Mara", "attack", target="Vex")[0].data
    assert (first["routine"], first["weapon"]) == ("primary", "sword")
    to_turn(enc, "Vex")
    free = enc.do("Mara", "free_attack", target="Vex", trigger="turns away")
    data = next(e.data for e in free if e.kind == "action")
    assert (data["routine"], data["weapon"]) == ("primary", "sword")
    to_turn(enc, "Mara", 6)
    again = enc.do("Mara", "attack", target="Vex", weapon="dagger")[0].data
    assert (again["routine"], again["weapon"]) == ("iterative", "dagger")


@pytest.mark.rule("segments.note.attack")
def test_attack_lines_are_read_as_the_source_writes_them() -> None:
    line = read_attack("MELEE: 2 claws (1d8/1d8) and bite (2d6 poison; AAC0 14) plus swallow whole;")
    assert line.kind == "MELEE"
    assert line.strikes == (
        Strike("claws", 2, ("1d8", "1d8")),
        Strike("bite", 1, ("2d6",), "poison", 14),
    )
    assert line.effects == "swallow whole"
    assert read_attack("MISSILE: 2 longbow arrows (1d6/1d6)").strikes == (Strike("longbow arrows", 2, ("1d6", "1d6")),)
    assert read_attack("melee: fist (1d2; AAC0 20*)").strikes[0].aac0 == "20*"
    for wrong in (
        "claws (1d8)",
        "MELEE: claws",
        "MELEE: 3 claws (1d8/1d8)",
        "MELEE: claw (sharp)",
        "MELEE: claw (1d4) or bite (1d6)",
    ):
        with pytest.raises(ck.InvalidInput, match="attack line"):
            read_attack(wrong)
    # The damages between slashes belong to one attack each; a line's own AAC0 counts.
    enc = rolled(
        "Mara", "Vex", Mara={"aac0": 15, "attacks": [line_text := "MELEE: 2 claws (1d8/1d8) and bite (2d6; AAC0 11)"]}
    )
    assert line_text in enc["Mara"].stats["attacks"]
    happened = enc.do("Mara", "attack", target="Vex", rolls={"attack": [10, 9, 6], "damage": [7, 5, 4]})
    assert blows(happened) == [(10, 10, "hit"), (9, 10, "miss"), (6, 6, "hit")]
    assert [(e.data["notation"], e.amount) for e in happened if e.kind == "damage"] == [("1d8", 7), ("2d6", 9)]
    assert hp(enc, "Vex") == 30 - 7 - 9


def test_the_line_that_names_the_weapon_is_used_and_each_kind_of_attack_its_own() -> None:
    lines = ["MELEE: sword (1d8)", "MISSILE: 2 arrows (1d6/1d6)"]
    enc = rolled("Mara", "Vex", Mara={"attacks": lines})
    assert len(blows(enc.do("Mara", "missile_attack", target="Vex"))) == 2
    enc = rolled("Mara", "Vex", Mara={"attacks": lines})
    assert len(blows(enc.do("Mara", "attack", target="Vex", weapon="sword"))) == 1


# ── damage ──


@pytest.mark.rule("segments.dmg.mult-all")
def test_multipliers_come_after_all_modifiers_are_added() -> None:
    enc = rolled("Mara", "Vex")
    rolls = {"attack": [20], "damage": [5]}
    happened = enc.do("Mara", "attack", target="Vex", damage="1d8+3", multipliers=2, rolls=rolls)
    assert (happened[-1].amount, hp(enc, "Vex")) == (16, 14)  # (5 + 3) * 2
    assert cites(happened, "segments.dmg.mult-all")


@pytest.mark.rule("segments.dmg.mult-highest")
def test_multipliers_do_not_stack_the_highest_counts_unless_magic_says_otherwise() -> None:
    assert [multiplier_of(m) for m in (None, 3, [2, 3, 2], {"back stab": 2, "charge": 3})] == [1, 3, 3, 3]
    assert multiplier_of({"charge": 3, "magic": 2}) == 6
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "attack", target="Vex", damage=4, multipliers={"back stab": 2, "charge": 3}, rolls=[20])
    assert hp(enc, "Vex") == 18
    with pytest.raises(ck.InvalidInput, match="multipliers is"):
        enc.can("Mara", "attack", target="Vex", multipliers=[0])


# ── called shots, foiled attacks ──


@pytest.mark.rule("segments.called.gm")
def test_called_shots_and_grabbed_items_are_the_gms_to_modify() -> None:
    for action in ("called_shot", "grab_item"):
        enc = rolled("Mara", "Vex")
        happened = enc.do("Mara", action, target="Vex", modifiers={"called shot": -8}, rolls=[19])
        assert "segments.called.gm" in happened[0].rules
        assert happened[1].data["modifiers"] == {"called shot": -8}
        assert left(enc, "Mara", "major") == 0
    assert rule("called.gm").kind == "gm"


@pytest.mark.rule("segments.called.20")
def test_a_natural_twenty_is_put_to_the_gm_and_anything_else_is_wasted() -> None:
    enc = rolled("Mara", "Vex")
    happened = enc.do("Mara", "called_shot", target="Vex", damage=4, rolls=[19])
    assert (happened[-1].kind, happened[-1].rules) == ("stopped", ("segments.called.20",))
    assert hp(enc, "Vex") == 30
    for answer, points in (("some result", 26), ("wasted", 30)):
        enc = rolled("Mara", "Vex")
        enc.do("Mara", "called_shot", target="Vex", damage=4, rolls=[20])
        (offer,) = enc.pending
        assert (offer.who, offer.choices, offer.must) == ("GM", ("some result", "wasted"), True)
        enc.resolve(answer=answer)
        assert (hp(enc, "Vex"), left(enc, "Mara", "major")) == (points, 0)
        outcome = "hit" if points < 30 else "wasted"
        assert enc.history.rolls.filter(purpose="attack").select("faces", "outcome").rows() == [([20], outcome)]


@pytest.mark.rule("segments.called.20")
@pytest.mark.parametrize(("face", "why"), [(19, ". Mara needs a natural 20 and the GM's say-so for that."), (3, ".")])
def test_a_wasted_called_shot_is_told_once_and_a_miss_as_a_miss(face: int, why: str) -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "called_shot", target="Vex", damage=4, rolls=[face])
    told = enc.log(rules=False).markdown
    assert told.count("waste") == (face == 19)
    assert f"{'wasted' if face == 19 else 'miss'}{why}\n" in told


@pytest.mark.rule("segments.foiled")
def test_a_called_shot_that_is_foiled_is_wasted_whatever_the_die() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Vex", "immune", value="attack")
    happened = enc.do("Mara", "called_shot", target="Vex", damage=4, rolls=[20])
    assert blows(happened) == [(20, 10, "foiled")]
    assert (enc.pending, hp(enc, "Vex")) == ((), 30)
    assert not cites(happened[1:], "segments.called.20"), "no natural 20 would have helped"


@pytest.mark.rule("segments.foiled")
def test_a_foiled_attack_is_made_fails_and_is_wasted() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Vex", "immune", value="attack")
    happened = enc.do("Mara", "attack", target="Vex", damage=9, rolls=[19])
    assert blows(happened) == [(19, 10, "foiled")]
    assert cites(happened, "segments.foiled")
    assert (hp(enc, "Vex"), left(enc, "Mara", "major")) == (30, 0)
    # Or said with the attack.
    enc = rolled("Mara", "Vex")
    assert blows(enc.do("Mara", "attack", target="Vex", damage=9, outcome="foiled", rolls=[20]))[0][2] == "foiled"
    assert hp(enc, "Vex") == 30


@pytest.mark.rule("segments.foiled.apparent")
def test_hedging_is_apparent_after_the_first_routine_and_immunity_is_not() -> None:
    seen = {}
    for condition in ("hedged", "immune"):
        enc = rolled("Mara", "Vex")
        enc.condition("Vex", condition)
        (attack,) = [e for e in enc.do("Mara", "attack", target="Vex", rolls=[19]) if e.kind == "attack"]
        seen[condition] = attack
    assert (seen["hedged"].data["apparent"], "as everyone can see" in seen["hedged"].text) == (True, True)
    assert (seen["immune"].data["apparent"], "for all to see" in seen["immune"].text) == (False, False)
    assert rule("foiled.apparent").kind == "gm"


def test_dice_come_from_the_seed_where_none_are_given() -> None:
    enc = rolled("Mara", "Vex")
    happened = enc.do("Mara", "attack", target="Vex", damage="1d8")
    again = rolled("Mara", "Vex")
    assert [e.data for e in again.do("Mara", "attack", target="Vex", damage="1d8")] == [e.data for e in happened]
    assert next(e.data["source"] for e in events(enc, "attack")) == "seeded"


@pytest.mark.rule("segments.called.gm", "segments.called.20")
@pytest.mark.parametrize(
    ("action", "given"), [("grab_item", {}), ("called_shot", {}), ("called_shot", {"damage": "1d6"})]
)
def test_what_a_called_shot_comes_to_is_the_gms_and_deals_no_damage_of_itself(
    action: str, given: dict[str, Any]
) -> None:
    line = "MISSILE: bow (1d6)" if action == "called_shot" else "MELEE: sword (1d8)"
    enc = rolled("Mara", "Vex", Mara={"attacks": [line]})
    enc.do("Mara", action, target="Vex", rolls={"attack": [20]}, **given)
    happened = enc.resolve(answer="some result")
    assert [e.kind for e in happened if e.kind == "damage"] == ["damage"] * len(given)
    assert (hp(enc, "Vex") == 30) is not bool(given)


def test_nobody_makes_less_than_one_routine_and_the_number_shown_is_that() -> None:
    enc = rolled("Mara", "Vex", Mara={"routines": 2})
    enc.condition("Mara", "slowed", modifiers={"routines": -1})
    assert enc["Mara"].values["routines"] == 1
    enc.condition("Mara", "slower", modifiers={"routines": -1})
    assert enc["Mara"].values["routines"] == 1
