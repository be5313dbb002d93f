"""Exact odds: beside every face there is counted out, and beside a million fights."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from functools import cache
from itertools import groupby, permutations, product
from math import prod
from typing import Any

import numpy as np
import pytest

import combatkit as ck
from combatkit.errors import InvalidInput
from combatkit.rules.draw import Draw, Lot
from combatkit.simulation.vectors import initiative, seeds
from combatkit.study.odds.order import place_chances
from combatkit.study.odds.rolls import ways
from combatkit.study.odds.table import percent
from tests.odds_scenes import SYSTEMS, Scene, scenes

# ── counting out every face, by the rules' own words and nothing of the kit ──

Row = dict[str, Any]
Key = Callable[[Row, int, bool], tuple[Any, ...]]


@cache
def roll_off(count: int, sides: int = 20) -> dict[tuple[int, ...], Fraction]:
    """Give the chance of each order of some who are even and roll off, again among those who stay even.

    All even is the same question again: its chance is divided out.
    """
    if count == 1:
        return {(0,): Fraction(1)}
    patterns: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for faces in product(range(sides), repeat=count):
        by_face = sorted(range(count), key=lambda i: -faces[i])
        patterns[tuple(tuple(sorted(same)) for _, same in groupby(by_face, faces.__getitem__))] += 1
    again = patterns.pop((tuple(range(count)),))
    found: Counter[tuple[int, ...]] = Counter()
    for pattern, times in patterns.items():
        for order, chance in settled(pattern, sides):
            found[order] += times * chance  # type: ignore[assignment]
    return {order: Fraction(chance) / (sides**count - again) for order, chance in found.items()}


def settled(groups: Sequence[tuple[int, ...]], sides: int = 20) -> Iterator[tuple[tuple[int, ...], Fraction]]:
    """Give each order of groups of even ones, with its chance, each group rolling off for itself."""
    parts = [
        [(tuple(group[i] for i in order), chance) for order, chance in roll_off(len(group), sides).items()]
        for group in groups
    ]
    for chosen in product(*parts):
        yield sum((order for order, _ in chosen), ()), prod((chance for _, chance in chosen), start=Fraction(1))


def saga_key(row: Row, die: int, surprised: bool) -> tuple[Any, ...]:
    return (not surprised, die + row["dex"] + row["level"] // 2, row["dex"])


def d6_key(row: Row, die: int, surprised: bool) -> tuple[Any, ...]:
    if row["npc"]:
        return (row["initiative"] + (6 if row["major"] else 3), 0)
    return (row["initiative"] + die, 1)


def ap_key(row: Row, die: int, surprised: bool) -> tuple[Any, ...]:
    rating, luck = row["initiative_rating"], row.get("luck_bonus")
    rank = (0, 0) if luck is None and row["npc"] else (1, luck or 0)
    return (rating + (0 if surprised else die), rating, rank)


def phases_key(row: Row, die: int, surprised: bool) -> tuple[Any, ...]:
    return (not surprised, row["combat_value"] + row["lightning_reflexes"])


def segments_key(row: Row, high: int, ties_by_speed: bool) -> tuple[Any, ...]:
    delayed = bool(row.get("conditions"))
    (weapon,) = row["weapons"]
    missile = "missile" in weapon
    speed = -weapon["speed"] if not missile and ties_by_speed else 0
    return (bool(high) and not delayed, missile, not delayed, speed)


def throwers(scene: Scene) -> dict[str, str]:
    """Give who throws a die, and whose die it is."""
    if scene.system == "saga":
        return {row["name"]: row["name"] for row in scene.rows}
    if scene.system == "d6":
        return {row["name"]: row["name"] for row in scene.rows if not row["npc"]}
    if scene.system == "ap":
        rolls = [row for row in scene.rows if row["name"] not in scene.surprised]
        return {row["name"]: row.get("group") or row["name"] if row["npc"] else row["name"] for row in rolls}
    if scene.system == "segments":
        return {row["name"]: row.get("group") or row["side"] for row in scene.rows}
    return {}


def ranked(scene: Scene) -> Iterator[tuple[Fraction, list[tuple[int, ...]]]]:
    """Give for all faces there are who comes in which order: groups of those who are even, with the chance of each."""
    dice = throwers(scene)
    units = list(dict.fromkeys(dice.values()))
    sides = 20 if scene.system == "saga" else 6
    unaware = scene.surprised if len(scene.surprised) < len(scene.rows) or scene.system == "ap" else ()
    found: Counter[tuple[tuple[int, ...], ...]] = Counter()
    for faces in product(range(1, sides + 1), repeat=len(units)):
        face = dict(zip(units, faces, strict=True))
        keys = []
        for row in scene.rows:
            name = row["name"]
            die = face.get(dice.get(name, ""), 0)
            if scene.system == "segments":
                keys.append(segments_key(row, die == max(faces), scene.options["weapon_speed_ties"]))
            else:
                keys.append(KEYS[scene.system](row, die, name in unaware))
        order = sorted(range(len(keys)), key=keys.__getitem__, reverse=True)
        found[tuple(tuple(sorted(same)) for _, same in groupby(order, keys.__getitem__))] += 1
    for groups, times in found.items():
        yield Fraction(times, sides ** len(units)), list(groups)


KEYS: dict[str, Key] = {"saga": saga_key, "d6": d6_key, "ap": ap_key, "phases": phases_key}


def counted(scene: Scene) -> dict[str, list[Fraction]]:
    """Give everybody's chance of each place: ties rolled off, at once, or as they were added."""
    names = scene.names()
    places = {name: [Fraction()] * len(names) for name in names}
    for chance, groups in ranked(scene):
        if scene.system in ("saga", "phases"):
            for order, share in settled(groups):
                for place, index in enumerate(order):
                    places[names[index]][place] += chance * share
            continue
        ahead = 0
        for group in groups:
            for nth, index in enumerate(group):
                places[names[index]][ahead + (0 if scene.system == "segments" else nth)] += chance
            ahead += len(group)
    return places


def bounds(scene: Scene) -> dict[str, list[tuple[Fraction, Fraction]]]:
    """Give the least and most chance of each place, whatever is chosen among those even; who shares a die is not."""
    names = scene.names()
    dice = throwers(scene)
    found = {name: [(Fraction(), Fraction())] * len(names) for name in names}
    for chance, groups in ranked(scene):
        ahead = 0
        for group in groups:
            possible: dict[int, set[int]] = {index: set() for index in group}
            for order in permutations(group):
                unit = [dice.get(names[i], names[i]) for i in order]
                kept = all(i < j for (i, u), (j, v) in zip_pairs(order, unit) if u == v)
                if kept:
                    for nth, index in enumerate(order):
                        possible[index].add(ahead + nth)
            for index, at in possible.items():
                for place in at:
                    least, most = found[names[index]][place]
                    found[names[index]][place] = (least + (chance if len(at) == 1 else 0), most + chance)
            ahead += len(group)
    return found


def zip_pairs(order: Sequence[int], unit: Sequence[str]) -> Iterator[tuple[tuple[int, str], tuple[int, str]]]:
    both = list(zip(order, unit, strict=True))
    return ((both[i], both[j]) for i in range(len(both)) for j in range(i + 1, len(both)))


COUNTS = [(2, 12), (3, 8), (4, 1), pytest.param(4, 3, marks=pytest.mark.long)]
"""How many act, and in how many scenes: all faces of four dice are many."""


def first_chances(lots: Draw) -> dict[str, Fraction]:
    """Give everybody's chance to act first, worked out for that place alone."""
    return {who: chances.chance[0] for who, chances in place_chances(lots, first=True).items()}


@pytest.mark.parametrize(("size", "count"), COUNTS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_the_odds_are_what_counting_out_all_faces_gives(system: str, size: int, count: int) -> None:
    for scene in scenes(system, count, size):
        odds = scene.encounter(1).odds(surprised=scene.surprised)
        expected = counted(scene)
        assert {name: list(c.chance) for name, c in odds.exact.items()} == expected, scene
        first = {name: places[0] for name, places in expected.items()}
        assert first_chances(odds.lots) == first


@pytest.mark.parametrize("size", [2, 3, 4])
@pytest.mark.parametrize("system", ["d6", "ap"])
def test_a_choice_among_those_even_is_bounded_by_what_it_could_be(system: str, size: int) -> None:
    for scene in scenes(system, 12, size):
        odds = scene.encounter(1).odds(surprised=scene.surprised)
        found = {name: list(zip(c.least, c.most, strict=True)) for name, c in odds.exact.items()}
        assert found == bounds(scene), scene


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_where_dice_part_ties_nothing_is_left_open(system: str) -> None:
    for scene in scenes(system, 5, 4):
        for chances in scene.encounter(1).odds(surprised=scene.surprised).exact.values():
            assert chances.least == chances.chance == chances.most


def test_those_who_act_at_once_have_a_chance_to_be_first_together_and_one_to_be_first_alone() -> None:
    enc = ck.Encounter("segments", seed=1)
    for name, side in (("Mara", "party"), ("Vex", "cult")):
        enc.add(name, side=side, weapons=[{"name": "sword", "speed": 5}])
    chances = enc.odds().exact["Mara"]
    assert chances.chance == (Fraction(21, 36), Fraction(15, 36))
    assert chances.least == (Fraction(15, 36), Fraction(15, 36))


MILLION = 1_000_000


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_million_fights_come_as_near_as_chance_allows(system: str) -> None:
    scene = next(s for s in scenes(system, 50, 4, salt=2) if not s.surprised)
    enc = scene.encounter(1)
    odds = enc.odds()
    found = initiative(enc, seeds(2, MILLION))
    for column, name in enumerate(found.names):
        counts = np.bincount(found.place[:, column], minlength=len(found.names) + 1)[1:]
        for count, exact in zip(counts.tolist(), odds.exact[name].chance, strict=True):
            p = float(exact)
            assert abs(count / MILLION - p) <= 4 * (p * (1 - p) / MILLION) ** 0.5, (name, exact)


# ── the rest of what is offered ──


def test_worked_by_hand_one_point_of_dexterity_against_a_twin() -> None:
    """A d20 each: with Dexterity 1 Mara is first where Vex's face is at most one higher, 229 pairs of 400."""
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", dex=1)
    enc.add("Vex", side="empire")
    odds = enc.odds()
    assert odds.exact["Mara"].chance[0] == Fraction(229, 400)
    frame = odds.first
    assert frame.columns == ["combatant", "side", "chance", "exact", "least", "most"]
    assert frame.row(0) == ("Mara", "rebels", 229 / 400, "229/400", 229 / 400, 229 / 400)


def test_groups_stand_for_the_best_of_them_and_halves_for_a_score() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Mara", side="party", weapons=[{"name": "sword", "speed": 5}])
    enc.add("Bow", side="party", weapons=[{"name": "bow", "missile": True}])
    enc.add("Vex", side="cult", weapons=[{"name": "dagger", "speed": 2}])
    odds = enc.odds()
    assert dict(odds.groups.select("group", "exact").rows()) == {"party": "7/12", "cult": "5/12"}
    assert odds.exact["Bow"].chance[0] == Fraction(21, 36)
    assert odds.exact["Mara"].chance[0] == 0
    halves = {(who, label): exact for who, _, _, label, _, exact in odds.scores.rows()}
    assert halves["Vex", "HIGH"] == "7/12"
    assert odds.scores["initiative"].null_count() == 6


def test_what_is_declared_in_step_one_changes_the_odds_of_the_round() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Mara", side="party", weapons=[{"name": "sword", "speed": 5}])
    enc.add("Vex", side="cult", weapons=[{"name": "sword", "speed": 5}])
    enc.start()
    assert enc.odds().exact["Mara"].chance[0] == Fraction(21, 36)
    enc.do("Vex", "declare", action="charge")
    assert enc.odds().exact["Mara"].chance[0] == 0
    assert enc.odds().exact["Vex"].chance[0] == 1


def test_the_distribution_of_a_score() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="rebels", initiative=2)
    enc.add("Guard", side="empire", npc=True, initiative=1, major=True)
    rows = enc.odds().scores.select("combatant", "initiative", "exact").rows()
    assert rows == [*(("Mara", n, "1/6") for n in range(3, 9)), ("Guard", 7, "1")]


def test_who_is_surprised_acts_after_the_aware_or_without_a_die() -> None:
    saga = ck.Encounter("saga", seed=1)
    saga.add("Mara", side="rebels")
    saga.add("Vex", side="empire", dex=9)
    assert saga.odds(surprised=["Vex"]).exact["Mara"].chance[0] == 1
    both = saga.odds(surprised=["Vex", "Mara"]).exact["Mara"].chance[0]
    assert both == saga.odds().exact["Mara"].chance[0], "all unaware: there is no surprise round"
    ap = ck.Encounter("ap", seed=1)
    ap.add("Mara", side="rebels", initiative_rating=3)
    ap.add("Vex", side="empire", initiative_rating=1)
    assert ap.odds(surprised=["Mara"]).exact["Mara"].chance[0] == Fraction(2, 6)
    assert ap._state.fighters["Mara"].effects == (), "asking changes nothing"


@pytest.mark.parametrize(("needed", "hits"), [(15, 6), (21, 1), (-5, 19)])
def test_a_natural_one_misses_and_a_natural_twenty_hits(needed: int, hits: int) -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Mara", side="party", aac0=needed)
    enc.add("Vex", side="cult", ac=0)
    row = enc.odds().to_hit("Mara", target="Vex").row(0, named=True)
    assert (row["needed"], row["exact"]) == (needed, str(Fraction(hits, 20)))


def test_the_plateau_of_twenties_has_one_chance() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Mara", side="party", aac0="20*")
    for ac in (2, 1, -4, -5):
        enc.add(f"AC {ac}", side="cult", ac=ac)
    frame = enc.odds().to_hit("Mara", target=["AC 2", "AC 1", "AC -4", "AC -5"])
    assert frame["needed"].to_list() == [19, 20, 20, 21]
    assert frame["exact"].to_list() == ["1/10", "1/20", "1/20", "1/20"]


def test_a_routine_is_a_roll_a_blow() -> None:
    enc = ck.Encounter("segments", seed=1)
    enc.add("Bear", side="wild", aac0=15, attacks=["MELEE: 2 claws (1d8/1d8) and bite (2d6)"])
    enc.add("Mara", side="party", ac=3)
    frame = enc.odds().to_hit("Bear", target="Mara")
    assert frame.select("attack", "needed", "exact").rows() == [(n, 12, "9/20") for n in (1, 2, 3)]


def test_dice_codes_against_a_number() -> None:
    enc = ck.Encounter("d6", seed=1)
    enc.add("Mara", side="rebels", weapons=[{"name": "blaster", "attack": "3D+1"}])
    enc.add("Vex", side="empire", defense=12)
    row = enc.odds().to_hit("Mara", target="Vex").row(0, named=True)
    hits = sum(sum(faces) + 1 >= 12 for faces in product(range(1, 7), repeat=3))
    assert (row["notation"], row["exact"]) == ("3D+1", str(Fraction(hits, 216)))


@pytest.mark.parametrize(("meets", "exact"), [(True, "5/8"), (False, "1/2")])
def test_three_dice_against_ten_plus_the_difference(meets: bool, exact: str) -> None:
    enc = ck.Encounter("phases", seed=1, options={"meets_hits": meets})
    enc.add("Mara", side="party", ocv=7)
    enc.add("Vex", side="cult", dcv=7)
    assert enc.odds().to_hit("Mara", target="Vex")["exact"].to_list() == [exact]


def test_modifiers_count_and_an_unknown_defence_leaves_the_chance_open() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Mara", side="rebels", attack_bonus=5)
    enc.add("Vex", side="empire", defense=16)
    enc.add("Ossik", side="empire")
    odds = enc.odds()
    assert odds.to_hit("Mara", target="Vex")["exact"].to_list() == ["1/2"]
    assert odds.to_hit("Mara", "charge", target="Vex", modifiers={"charge": 2})["exact"].to_list() == ["3/5"]
    assert odds.to_hit("Mara", target="Ossik").row(0) == ("Mara", "Ossik", 1, "1d20+5", None, None, None)


def test_ways_to_a_total() -> None:
    assert sum(ways(3, 6).values()) == 216
    assert (ways(3, 6)[10], ways(3, 6)[3]) == (27, 1)
    assert ways(0, 6) == {0: 1}


def test_what_cannot_be_asked_is_said() -> None:
    enc = ck.Encounter("saga", seed=1)
    with pytest.raises(InvalidInput, match="nobody here can act"):
        enc.odds()
    enc.add("Mara", side="rebels")
    with pytest.raises(ck.UnknownName, match="did you mean 'Mara'"):
        enc.odds(surprised=["Mora"])
    with pytest.raises(InvalidInput, match="asks for no attack roll"):
        enc.odds().to_hit("Mara")
    with pytest.raises(InvalidInput, match="a chart is of 'first', 'places', 'scores', not of 'last'"):
        enc.odds().chart("last")
    enc.start()
    with pytest.raises(InvalidInput, match="the fight has begun"):
        enc.odds(surprised=["Mara"])


def test_those_who_share_a_die_need_a_key_for_each_face() -> None:
    uneven = Draw((Lot("A", "pack", ((1,), (2,)), (1, 2)), Lot("B", "pack", ((1,),), (1,))), 2)
    with pytest.raises(InvalidInput, match="pack shares a die"):
        place_chances(uneven)


def test_whoever_has_a_lot_is_called_unless_it_says_otherwise() -> None:
    lots = Draw((Lot("A", "A", ((1,),), (1,)), Lot("B", "B", ((2,),), (2,)), Lot("C", "C", ((3,),), (3,), out=True)))
    assert first_chances(lots) == {"A": 0, "B": 1}


def test_a_crowd_is_counted_too() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Guard", side="empire", count=60, dex=1)
    enc.add("Mara", side="rebels", dex=1)
    assert set(first_chances(enc.odds().lots).values()) == {Fraction(1, 61)}


@pytest.mark.parametrize("of", ["first", "places", "scores"])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_chart_is_the_same_for_the_same_odds_and_holds_their_numbers(system: str, of: str) -> None:
    scene = next(scenes(system, 1, 3))
    one, two = (scene.encounter(seed).odds() for seed in (1, 2))
    assert one.chart(of).to_json() == two.chart(of).to_json()
    drawn = one.chart(of).to_dict()
    assert drawn["background"] == "transparent", "so that it stands in light and dark"
    rows = {"first": one.first, "places": one.places, "scores": one.scores}[of]
    told = {(row["combatant"], row["exact"]) for row in drawn["datasets"][drawn["data"]["name"]]}
    assert told == set(rows.select("combatant", "exact").rows())


def test_a_chance_is_never_written_as_none_or_all_unless_it_is() -> None:
    assert [percent(Fraction(n, 10_000)) for n in (0, 1, 3333, 9999, 10_000)] == [
        "0 %",
        "< 0.1 %",
        "33.3 %",
        "> 99.9 %",
        "100 %",
    ]
