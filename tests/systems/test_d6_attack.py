"""D6: attacks, range, Defend, Aim, Help, damage and armour."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.d6_table import BLADE, BLASTER, LANCE, LINE, RIFLE, cites, fight, kinds, npc, offered, only, pc
from tests.systems.table import holds, left, refused, rolled, to_round

HIT = {"attack": [6, 6, 2, 1], "damage": [2, 2, 2]}
"""4D+1 come to 16: six above a Defense of 10, so that no margin halves armour; damage 6."""


def at(zone: str, *, weapons: Any = (RIFLE, BLADE), options: Any = None, **stats: Any) -> ck.Encounter:
    """Mara in Z0 with a rifle and a blade, Vex in some zone."""
    people = {"Mara": pc(9, at="Z0", weapons=list(weapons), tactics=2, search=3), "Vex": npc(7, at=zone, **stats)}
    return fight(people, map=LINE, options=options)


# ── attack and range ──


@pytest.mark.rule("d6.act.attack")
def test_an_attack_is_a_roll_against_one_target() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7), "Bo": npc(5)})
    ruling = enc.can("Mara", "attack", target="Vex")
    assert (ruling.notation, ruling.needed, ruling.cost) == ("4D+1", 10, "Action")
    assert refused(enc, "Mara", "attack", target=["Vex", "Bo"]).rule == "d6.act.attack"
    assert refused(enc, "Mara", "attack").reason.startswith("Attack needs a target")
    assert refused(enc, "Mara", "attack", target="Mara").rule == "d6.act.attack"
    events = enc.do("Mara", "attack", target="Vex", rolls=HIT)
    attack = only(events, "attack")
    assert attack.data["faces"] == [6, 6, 2, 1]
    assert (attack.data["total"], attack.data["needed"], attack.data["outcome"]) == (16, 10, "hit")
    assert attack.data["modifiers"] == {"pips": 1}
    assert attack.data["notation"] == "4D+1"
    assert left(enc, "Mara")["action"] == 0


@pytest.mark.rule("d6.act.attack.range")
def test_a_target_out_of_range_is_no_legal_target() -> None:
    enc = at("Z4", weapons=[BLASTER])
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert ruling.rule == "d6.act.attack.range"
    assert ruling.reason == "Vex is at Extreme; the blaster reaches Long."
    assert at("Z3", weapons=[BLASTER]).can("Mara", "attack", target="Vex").allowed
    events = enc.do("Mara", "attack", target="Vex", override=True, rolls={"attack": [6, 6]})
    assert only(events, "attack").data["penalty"] == -2
    assert events[0].data["overruled"] == ["d6.act.attack.range", "d6.zone.order"]


@pytest.mark.rule("d6.range.close.pen", "d6.range.short", "d6.range.medium", "d6.range.long", "d6.range.extreme")
@pytest.mark.parametrize(
    ("zone", "notation", "rule"),
    [
        ("Z0", "4D", "d6.range.close.pen"),
        ("Z1", "5D", "d6.range.short"),
        ("Z2", "5D", "d6.range.medium"),
        ("Z3", "4D", "d6.range.long"),
        ("Z4", "3D", "d6.range.extreme"),
        ("Z5", "3D", "d6.range.extreme"),
    ],
)
def test_ranged_attacks_have_the_penalty_of_their_band(zone: str, notation: str, rule: str) -> None:
    enc = at(zone)
    assert enc.can("Mara", "attack", target="Vex").notation == notation
    events = enc.do("Mara", "attack", target="Vex")
    attack = only(events, "attack")
    assert len(attack.data["faces"]) == int(notation[0])
    assert rule in attack.rules


@pytest.mark.rule("d6.range.close.pen", "d6.range.long", "d6.range.extreme")
@pytest.mark.parametrize("zone", ["Z0", "Z3", "Z4"])
def test_the_penalty_is_against_enemies_and_an_ally_is_shot_at_without(zone: str) -> None:
    enc = at(zone)
    enc.join("Ilya", at=zone, **pc(5))
    assert enc.can("Mara", "attack", target="Ilya").notation == "5D"
    attack = only(enc.do("Mara", "attack", target="Ilya"), "attack")
    assert (len(attack.data["faces"]), attack.data["penalty"]) == (5, 0)
    assert not [rule for rule in attack.rules if rule.startswith("d6.range.")]


def test_a_penalty_never_takes_more_dice_than_there_are() -> None:
    stub = {"name": "stub", "attack": "1D+2", "range": "extreme"}
    enc = at("Z4", weapons=[stub], defense=2)
    assert enc.can("Mara", "attack", target="Vex").notation == "0D+2"
    attack = only(enc.do("Mara", "attack", target="Vex"), "attack")
    assert (attack.data["faces"], attack.data["total"], attack.data["outcome"]) == ([], 2, "hit")


@pytest.mark.rule("d6.range.melee-open")
def test_melee_reaches_ones_own_zone_without_penalty_and_farther_as_an_option() -> None:
    enc = at("Z0")
    assert enc.can("Mara", "attack", target="Vex", weapon="blade").notation == "3D"
    enc = at("Z1")
    ruling = refused(enc, "Mara", "attack", target="Vex", weapon="blade")
    assert ruling.rule == "d6.act.attack.range"
    assert "d6.range.melee-open" in ruling.rules
    enc = at("Z1", options={"melee_reach": "short"})
    assert enc.can("Mara", "attack", target="Vex", weapon="blade").notation == "3D"
    enc = at("Z2", options={"melee_reach": "short"})
    assert not enc.can("Mara", "attack", target="Vex", weapon="blade").allowed


def test_an_attack_uses_the_first_weapon_that_reaches_and_its_damage() -> None:
    baton = {"name": "baton", "attack": "3D", "damage": "2D", "range": "melee"}
    enc = at("Z1", weapons=[baton, BLASTER])
    assert [option.allowed for option in enc.options("Mara") if option.action == "attack"] == [True]
    assert enc.can("Mara", "attack", target="Vex").notation == "4D+1"
    assert not enc.can("Mara", "attack", target="Vex", weapon="baton").allowed
    assert at("Z1", weapons=[]).can("Mara", "attack", target="Vex", weapon="fist").allowed, "any word, without weapons"
    events = enc.do("Mara", "attack", target="Vex", rolls=HIT)
    assert only(events, "damage").data["rolled"] == 6
    assert at("Z0", weapons=[baton, BLASTER]).can("Mara", "attack", target="Vex").notation == "3D"
    ruling = refused(at("Z4", weapons=[baton, BLASTER]), "Mara", "attack", target="Vex")
    assert ruling.reason == "Vex is at Extreme; the blaster reaches Long."


def test_without_a_weapon_what_is_said_is_logged_and_damage_is_taken_off() -> None:
    enc = fight({"Mara": pc(9, weapons=[]), "Vex": npc(7)})
    assert enc.can("Mara", "attack", target="Vex").notation is None
    events = enc.do("Mara", "attack", target="Vex", outcome="hit", damage="2D", rolls={"damage": [1, 2]})
    assert only(events, "attack").data["outcome"] == "hit"
    assert enc["Vex"].values["resolve"] == 3
    to_round(enc, 2, "Mara")
    enc.do("Mara", "attack", target="Vex", outcome="miss", damage=3)
    assert enc["Vex"].values["resolve"] == 3


# ── what the table says ──


def test_an_outcome_that_is_given_is_the_tables_word_and_throws_no_die() -> None:
    enc = fight({"Mara": pc(9, tactics=2), "Vex": npc(7, resolve=60, armor=4)})
    enc.do("Mara", "aim", option="bonus", rank="tactics")
    to_round(enc, 2, "Mara")
    events = enc.do("Mara", "attack", target="Vex", outcome="miss")
    attack = only(events, "attack")
    assert (attack.text, attack.by, attack.rules, attack.amount) == ("misses Vex", "gm", (), None)
    assert [attack.data[k] for k in ("total", "needed", "outcome", "modifiers")] == [None, None, "miss", {}]
    assert ("faces" in attack.data, kinds(events, "damage")) == (False, [])
    assert holds(enc, "Mara") == set(), "it was the next attack all the same"
    to_round(enc, 3, "Mara")
    events = enc.do("Mara", "attack", target="Vex", outcome="hit", rolls={"damage": [3, 3, 3]})
    assert only(events, "attack").text == "hits Vex"
    assert only(events, "damage").text == "loses 5 (9 less armor 4), 55 left"
    assert [row["purpose"] for row in enc.history.rolls.iter_rows(named=True)] == ["initiative", "damage"]
    with pytest.raises(ck.InvalidInput, match=r"attack: outcome is 'foiled'; give hit or miss"):
        enc.can("Mara", "attack", target="Vex", outcome="foiled")


@pytest.mark.rule("d6.hit.ge")
@pytest.mark.parametrize(
    ("faces", "outcome", "text", "cited"),
    [
        ([6, 6, 3, 2], "miss", "rolls 18 against 14 to hit Vex: miss, the table decided", False),
        ([6, 6, 3, 2], "hit", "rolls 18 against 14 to hit Vex: hit", True),
        ([1, 1, 1, 1], "hit", "rolls 5 against 14 to hit Vex: hit, the table decided", False),
    ],
)
def test_dice_thrown_at_the_table_are_kept_beside_its_word_and_the_rule_is_cited_only_where_it_agrees(
    faces: list[int], outcome: str, text: str, cited: bool
) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, defense=14, resolve=60)})
    events = enc.do("Mara", "attack", target="Vex", outcome=outcome, rolls={"attack": faces, "damage": [1, 1, 1]})
    attack = only(events, "attack")
    assert (attack.text, attack.by, "d6.hit.ge" in attack.rules) == (text, "gm", cited)
    assert (attack.data["faces"], attack.data["source"]) == (faces, "table")
    assert bool(kinds(events, "damage")) is (outcome == "hit")


@pytest.mark.rule("d6.dmg.margin7")
def test_a_hit_by_word_alone_has_no_margin_and_one_with_its_dice_has() -> None:
    for rolls, lost in (({}, 9 - 5), ({"attack": [6, 6, 4, 4]}, 9 - 2)):  # 6 + 6 + 4 + 4 + 1 = 21 = 14 + 7
        enc = fight({"Mara": pc(9), "Vex": npc(7, defense=14, resolve=60, armor=5)})
        events = enc.do("Mara", "attack", target="Vex", outcome="hit", rolls={**rolls, "damage": [3, 3, 3]})
        assert only(events, "damage").amount == lost
        assert cites(events, "d6.dmg.margin7") is bool(rolls)


def test_a_destiny_die_is_thrown_with_the_attack_and_by_word_alone_only_at_the_table() -> None:
    rows = [{"id": "gain_momentum", "faces": [19, 20]}]
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=100)}, tables={"destiny": rows})
    events = enc.do("Mara", "attack", target="Vex", outcome="miss", rolls={"destiny": [19]})
    assert [e.data["outcome"] for e in kinds(events, "roll")] == ["gain_momentum"]
    assert not kinds(enc.do("Mara", "attack", target="Vex", outcome="miss"), "roll")


def test_damage_that_would_heal_is_refused() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    with pytest.raises(ck.InvalidInput, match=r"damage is -3; give a number from 0 up, or dice such as '3D\+2'"):
        enc.do("Mara", "attack", target="Vex", outcome="hit", damage=-3)
    with pytest.raises(ck.InvalidInput, match=r"Ilya: dud: damage is -3; give a number from 0 up"):
        enc.join("Ilya", side="rebels", weapons=[{"name": "dud", "damage": -3}])
    enc.do("Mara", "attack", target="Vex", outcome="hit", damage=0)
    assert enc["Vex"].values["resolve"] == 6


def test_the_dead_and_those_who_are_out_are_no_targets() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    wound_events = enc.adjust("Vex", "resolve", -6)
    assert cites(wound_events, "d6.wound.minor-npc")
    assert refused(enc, "Mara", "attack", target="Vex").reason == "Vex is out."


# ── hitting ──


@pytest.mark.rule("d6.hit.ge")
@pytest.mark.parametrize(("faces", "outcome"), [([1, 2, 3, 2], "miss"), ([1, 2, 3, 3], "hit"), ([6, 6, 6, 6], "hit")])
def test_a_roll_equal_to_defense_hits(faces: list[int], outcome: str) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7)})
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": faces})
    assert only(events, "attack").data["outcome"] == outcome
    assert only(events, "attack").data["total"] == sum(faces) + 1
    assert bool(kinds(events, "damage")) is (outcome == "hit")


@pytest.mark.rule("d6.dmg.roll")
def test_a_hit_is_followed_by_the_weapons_damage_roll() -> None:
    enc = at("Z1", resolve=100)
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [2, 2, 2, 2, 2], "damage": [1, 2, 3, 4]})
    damage = only(events, "damage")
    assert (damage.data["notation"], damage.data["faces"], damage.data["rolled"]) == ("4D+2", [1, 2, 3, 4], 12)
    enc = at("Z0", resolve=100)
    events = enc.do("Mara", "attack", target="Vex", weapon="blade", rolls={"attack": [6, 6, 6], "damage": [1, 1, 1, 1]})
    assert only(events, "damage").data["rolled"] == 4


# ── damage ──


@pytest.mark.rule("d6.dmg.resolve")
@pytest.mark.parametrize(("armor", "taken"), [(2, 4), ({"energy": 5, "physical": 1}, 1), ({"physical": 4}, 6), (0, 6)])
def test_resolve_drops_by_damage_less_armor_against_that_type(armor: Any, taken: int) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, armor=armor, resolve=20)})
    events = enc.do("Mara", "attack", target="Vex", rolls=HIT)
    damage = only(events, "damage")
    assert (damage.amount, damage.data["rolled"], damage.data["armor"]) == (taken, 6, 6 - taken)
    assert enc["Vex"].values["resolve"] == 20 - taken


@pytest.mark.rule("d6.dmg.floor")
def test_armor_above_the_damage_heals_nobody() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, armor=9, resolve=20)})
    enc.adjust("Vex", "resolve", -5)
    events = enc.do("Mara", "attack", target="Vex", rolls=HIT)
    assert only(events, "damage").amount == 0
    assert "d6.dmg.floor" in only(events, "damage").rules
    assert enc["Vex"].values["resolve"] == 15


def test_resolve_stops_at_nothing() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=4)})
    events = enc.do("Mara", "attack", target="Vex", rolls=HIT)
    damage = only(events, "damage")
    assert (damage.amount, damage.data["rolled"], damage.text) == (4, 6, "loses 4 of 6 dealt, 0 left")
    assert enc["Vex"].values["resolve"] == 0


@pytest.mark.rule("d6.dmg.narration")
def test_lost_resolve_is_told_as_one_likes_and_does_nothing_more() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=20)})
    before = enc.can("Vex", "attack", target="Mara").notation
    events = enc.adjust("Vex", "resolve", -19, note="winded, not hurt")
    assert events[0].note == "winded, not hurt"
    assert "d6.dmg.narration" in events[0].rules
    assert holds(enc, "Vex") == set()
    assert enc.can("Vex", "attack", target="Mara").notation == before


@pytest.mark.rule("d6.dmg.margin7")
@pytest.mark.parametrize(("faces", "armor"), [([6, 5, 2, 2], 4), ([6, 5, 3, 2], 2)])
def test_a_roll_seven_above_defense_halves_armor(faces: list[int], armor: int) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, armor=4, resolve=20)})
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": faces, "damage": [2, 2, 2]})
    assert only(events, "attack").data["total"] == (16 if armor == 4 else 17)
    assert only(events, "damage").data["armor"] == armor
    assert enc["Vex"].values["resolve"] == 20 - 6 + armor


@pytest.mark.rule("d6.dmg.margin7.round")
@pytest.mark.parametrize(("rating", "half"), [(1, 0), (3, 1), (5, 2), (8, 4)])
def test_the_half_is_rounded_down(rating: int, half: int) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, armor={"energy": rating}, resolve=20)})
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [6, 6, 6, 6], "damage": [6, 6, 6]})
    assert only(events, "damage").data["armor"] == half


@pytest.mark.rule("d6.dmg.margin7.round")
@pytest.mark.parametrize(("rating", "rounds"), [(5, True), (4, False)])
def test_only_a_half_that_is_rounded_rests_on_the_rounding(rating: int, rounds: bool) -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, armor=rating, resolve=20)})
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [6, 6, 6, 6], "damage": [6, 6, 6]})
    assert ("d6.dmg.margin7.round" in only(events, "damage").rules) is rounds


@pytest.mark.rule("d6.dmg.margin7.piercing")
def test_a_piercing_attack_halves_no_armor_and_passes_none() -> None:
    enc = fight({"Mara": pc(9, weapons=[LANCE]), "Vex": npc(7, armor=4, resolve=20)})
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [6, 6, 6, 6], "damage": [2, 2, 2]})
    assert only(events, "damage").data["armor"] == 4
    assert "d6.dmg.margin7.piercing" in only(events, "damage").rules


def test_the_margin_is_counted_from_the_defense_in_force() -> None:
    enc = fight({"Vex": npc(9, armor=4, resolve=20, hide=1), "Mara": pc(7)})
    enc.do("Vex", "defend", rank="hide")
    enc.end_turn()
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [6, 6, 3, 2], "damage": [2, 2, 2]})
    assert (only(events, "attack").amount, only(events, "attack").data["needed"]) == (18, 12)
    assert only(events, "damage").data["armor"] == 4, "18 is seven above 10, but not above 12"


# ── Defend ──


def defended(**ranks: int) -> ck.Encounter:
    """Vex defends with the Hide rank, and Mara is to act; Defense 10."""
    enc = fight({"Vex": npc(9, resolve=60, hide=2, **ranks), "Mara": pc(7), "Ossik": pc(5)})
    enc.do("Vex", "defend", rank="hide")
    enc.end_turn()
    return enc


@pytest.mark.rule("d6.act.defend")
@pytest.mark.parametrize(("rank", "value"), [("agility", 1), ("athletics", 2), ("hide", 3)])
def test_defend_raises_defense_by_twice_a_rank(rank: str, value: int) -> None:
    enc = fight({"Mara": pc(9, **{rank: value}), "Vex": npc(7)})
    enc.do("Mara", "defend", rank=rank)
    assert enc["Mara"].values["defense"] == 10 + 2 * value
    assert enc.can("Vex", "attack", target="Mara").needed == 10 + 2 * value
    assert left(enc, "Mara")["action"] == 0


@pytest.mark.rule("d6.act.defend.choice")
def test_one_of_three_ranks_is_used_not_their_sum() -> None:
    enc = fight({"Mara": pc(9, agility=1, athletics=2, hide=3), "Vex": npc(7)})
    assert [c.value for c in enc.choices("Mara", "defend")] == ["agility", "athletics", "hide"]
    assert refused(enc, "Mara", "defend").rules == ("d6.act.defend.choice",)
    assert refused(enc, "Mara", "defend", rank="tactics").rule == "d6.act.defend.choice"
    with pytest.raises(ck.UnknownName, match="'hide'"):
        enc.can("Mara", "defend", rank="hyde")
    enc.do("Mara", "defend", rank="hide")
    assert enc["Mara"].values["defense"] == 16


@pytest.mark.rule("d6.act.defend", "d6.act.defend.expend")
def test_a_second_defend_adds_to_the_first_and_both_are_spent_together() -> None:
    enc = fight({"Vex": npc(9, hide=2, agility=1, resolve=60), "Mara": pc(7)})
    enc.do("Vex", "defend", rank="hide")
    enc.adjust("Vex", "action", 1)
    enc.do("Vex", "defend", rank="agility")
    assert enc["Vex"].values["defense"] == 16, "10, 4 for Hide and 2 for Agility: a weaker one takes nothing away"
    enc.end_turn()
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [3, 3, 3, 3]})
    assert (only(events, "attack").amount, only(events, "attack").data["outcome"]) == (13, "miss")
    assert enc["Vex"].values["defense"] == 10, "neither alone, but both together made 13 miss"
    assert "a second adds to the first" in enc.ruleset.rules["d6.act.defend"].text, "the reading is said in its rule"


@pytest.mark.rule("d6.act.defend.duration")
def test_the_bonus_lasts_to_the_start_of_the_next_turn() -> None:
    enc = defended()
    assert enc["Vex"].values["defense"] == 14
    enc.end_turn()
    assert enc["Vex"].values["defense"] == 14
    enc.end_turn()
    assert enc.active == "Vex"
    assert enc["Vex"].values["defense"] == 10


@pytest.mark.rule("d6.act.defend.expend")
def test_the_miss_it_caused_spends_the_bonus_at_once() -> None:
    enc = defended()
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [3, 3, 3, 3]})
    attack = only(events, "attack")
    assert (attack.amount, attack.data["needed"], attack.data["outcome"]) == (13, 14, "miss")
    assert cites(events, "d6.act.defend.expend")
    assert enc["Vex"].values["defense"] == 10
    enc.end_turn()
    events = enc.do("Ossik", "attack", target="Vex", rolls={"attack": [3, 3, 3, 3]})
    assert only(events, "attack").data["outcome"] == "hit"


@pytest.mark.rule("d6.act.defend.not-expended")
@pytest.mark.parametrize(("faces", "spent"), [([2, 2, 2, 2], False), ([2, 2, 2, 3], True), ([3, 3, 3, 4], False)])
def test_only_a_roll_from_the_old_defense_up_to_the_new_one_spends_it(faces: list[int], spent: bool) -> None:
    enc = defended()
    enc.do("Mara", "attack", target="Vex", rolls={"attack": faces, "damage": [1, 1, 1]})
    total = sum(faces) + 1
    assert spent is (10 <= total < 14)
    assert enc["Vex"].values["defense"] == (10 if spent else 14)


def test_the_miss_is_judged_by_the_roll_with_help_in_it() -> None:
    enc = fight({"Ossik": pc(11, tactics=2), "Vex": npc(9, resolve=60, hide=2), "Mara": pc(7)})
    enc.do("Ossik", "help")
    enc.end_turn()
    enc.do("Vex", "defend", rank="hide")
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex", rolls={"attack": [2, 2, 2, 2]})
    assert enc["Vex"].values["defense"] == 14
    events = enc.do("Ossik", "add_help", rank="tactics")
    assert only(events, "attack").amount == 11
    assert enc["Vex"].values["defense"] == 10, "9 would have missed anyway, 11 would not"


def test_what_a_roll_came_to_with_help_stays_so_when_something_later_is_taken_back() -> None:
    enc = fight({"Ossik": pc(11, tactics=2), "Mara": pc(9), "Vex": npc(7, resolve=60)})
    enc.do("Ossik", "help")
    enc.end_turn()

    def attack() -> tuple[int, str | None]:
        row = enc.history.rolls.filter(purpose="attack").row(-1, named=True)
        return row["total"], row["outcome"]

    enc.do("Mara", "attack", target="Vex", rolls={"attack": [2, 2, 2, 2]})
    assert attack() == (9, None)
    before = len(enc._events)
    enc.do("Ossik", "add_help", rank="tactics")
    assert attack() == (11, "hit")
    for _ in range(150):
        enc.condition("Mara", "tired")
    assert attack() == (11, "hit")
    enc.undo()
    assert attack() == (11, "hit")
    enc.undo(to=before)
    assert attack() == (9, None)


# ── Aim ──


@pytest.mark.rule("d6.act.aim.bonus")
@pytest.mark.parametrize(("rank", "value"), [("tactics", 2), ("search", 3)])
def test_aim_adds_a_rank_to_the_next_attack_roll(rank: str, value: int) -> None:
    enc = at("Z1", resolve=60)
    enc.do("Mara", "aim", option="bonus", rank=rank)
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == f"5D+{value}"
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [2, 2, 2, 2, 1]})
    attack = only(events, "attack")
    assert attack.data["modifiers"] == {f"aim ({rank})": value}
    assert attack.amount == 9 + value
    assert "d6.act.aim.bonus" in attack.rules


def test_aim_without_a_rank_takes_the_better_one_and_no_other() -> None:
    enc = at("Z1")
    assert refused(enc, "Mara", "aim", option="bonus", rank="hide").rule == "d6.act.aim.bonus"
    enc.do("Mara", "aim", option="bonus")
    (aim,) = enc["Mara"].conditions
    assert aim.value == {"option": "bonus", "rank": "search", "add": 3}


@pytest.mark.rule("d6.act.aim.bonus")
def test_aim_without_a_rank_takes_tactics_where_both_are_as_good() -> None:
    enc = fight({"Mara": pc(9, tactics=3, search=3), "Vex": npc(7)})
    assert enc.do("Mara", "aim", option="bonus")[-1].text == "gets +3 (Tactics) on the next attack roll"
    assert [aim.value["rank"] for aim in enc["Mara"].conditions] == ["tactics"]


@pytest.mark.rule("d6.act.aim.range")
def test_aims_take_no_more_off_a_penalty_than_there_is() -> None:
    enc = at("Z3")
    for number in (2, 3):
        enc.do("Mara", "aim", option="range")
        to_round(enc, number, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "5D", "1D less at Long, and nothing gained by the second"


@pytest.mark.rule("d6.act.aim.range")
def test_aim_may_ignore_one_die_of_the_penalty_at_long() -> None:
    enc = at("Z3")
    enc.do("Mara", "aim", option="range")
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "5D"
    assert cites(enc.do("Mara", "attack", target="Vex"), "d6.act.aim.range")


@pytest.mark.rule("d6.act.aim.extreme")
def test_at_extreme_aim_leaves_one_die_of_penalty() -> None:
    enc = at("Z4")
    assert enc.can("Mara", "attack", target="Vex").notation == "3D"
    enc.do("Mara", "aim", option="range")
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "4D"


@pytest.mark.rule("d6.act.aim.not-close")
def test_aim_does_not_touch_the_penalty_at_close() -> None:
    enc = at("Z0")
    enc.do("Mara", "aim", option="range")
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "4D"


@pytest.mark.rule("d6.act.aim.exclusive")
def test_one_aim_is_one_option() -> None:
    enc = at("Z3")
    assert refused(enc, "Mara", "aim").rules == ("d6.act.aim.exclusive",)
    assert refused(enc, "Mara", "aim", option="range", rank="search").rule == "d6.act.aim.exclusive"
    with pytest.raises(ck.UnknownName, match="'bonus'"):
        enc.can("Mara", "aim", option="both")
    enc.do("Mara", "aim", option="bonus", rank="search")
    to_round(enc, 2, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "4D+3", "the penalty at Long stays"
    enc.do("Mara", "aim", option="bonus", rank="tactics")
    to_round(enc, 3, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "4D+5", "the second adds to the first"


@pytest.mark.rule("d6.act.aim.bonus", "d6.act.aim.range")
@pytest.mark.parametrize(("adds", "bonus", "far"), [(True, "5D+5", "5D"), (False, "5D+2", "4D")])
def test_a_second_aim_of_a_kind_adds_or_takes_the_place_of_the_first(adds: bool, bonus: str, far: str) -> None:
    cases: tuple[tuple[str, tuple[dict[str, Any], ...], str], ...] = (
        ("Z1", ({"option": "bonus", "rank": "search"}, {"option": "bonus", "rank": "tactics"}), bonus),
        ("Z4", ({"option": "range"}, {"option": "range"}), far),
    )
    for zone, given, notation in cases:
        enc = at(zone, options={"aims_add": adds})
        for number, aim in enumerate(given):
            enc.do("Mara", "aim", **aim)
            to_round(enc, number + 2, "Mara")
        assert enc.can("Mara", "attack", target="Vex").notation == notation
        enc.do("Mara", "attack", target="Vex", rolls={"attack": [1] * int(notation[0])})
        assert "aiming" not in holds(enc, "Mara"), "both are used up"


@pytest.mark.rule("d6.act.aim.next")
@pytest.mark.parametrize("outcome", ["hit", None])
def test_an_attack_rolled_at_the_table_uses_the_aim_up(outcome: str | None) -> None:
    enc = fight({"Mara": pc(9, weapons=[], search=3), "Vex": npc(7)})
    enc.do("Mara", "aim", option="bonus")
    to_round(enc, 2, "Mara")
    enc.do("Mara", "attack", target="Vex", outcome=outcome, damage=2)
    assert "aiming" not in holds(enc, "Mara")


@pytest.mark.rule("d6.act.attack.range", "d6.range.melee-open")
def test_without_zones_melee_reaches_and_no_shot_has_a_penalty() -> None:
    enc = fight({"Mara": pc(9, weapons=[BLADE]), "Vex": npc(7, weapons=[RIFLE])})
    assert enc.can("Mara", "attack", target="Vex").notation == "3D"
    assert enc.can("Vex", "attack", target="Mara").notation == "5D"
    near = at("Z1", weapons=[BLADE, RIFLE])
    assert near.can("Mara", "attack", target="Vex").notation == "5D", (
        "one zone off, the rifle is the first that reaches"
    )
    assert not near.can("Mara", "attack", target="Vex", weapon="blade").allowed


@pytest.mark.rule("d6.act.attack.range")
def test_a_held_attack_is_offered_with_the_first_weapon_that_reaches() -> None:
    enc = at("Z1", weapons=[BLADE, RIFLE])
    enc.do("Mara", "hold", action="attack", target="Vex", trigger={"actor": "Vex", "action": "defend"})
    enc.do("Vex", "defend", rank="agility")
    assert [offer.who for offer in enc.pending] == ["Mara"]
    used = [e for e in enc.do("Mara", "use_held", rolls={"attack": [1] * 5}) if e.action == "attack"]
    assert used[0].data["params"]["weapon"] == "rifle"


@pytest.mark.rule("d6.act.aim.next")
def test_an_aim_waits_for_the_next_attack_roll_and_no_longer() -> None:
    enc = at("Z1", resolve=100)
    enc.do("Mara", "aim", option="bonus", rank="search")
    to_round(enc, 4, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "5D+3"
    enc.do("Mara", "attack", target="Vex")
    assert holds(enc, "Mara") == set()
    to_round(enc, 5, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "5D"


@pytest.mark.rule("d6.act.aim.next")
def test_as_an_option_an_aim_is_lost_as_the_next_own_turn_ends() -> None:
    enc = at("Z1", resolve=100, options={"aim_expires": "own_turn"})
    enc.do("Mara", "aim", option="bonus", rank="search")
    assert holds(enc, "Mara") == {"aiming"}
    enc.end_turn()
    assert holds(enc, "Mara") == {"aiming"}
    enc.end_turn()
    assert enc.active == "Mara"
    assert enc.can("Mara", "attack", target="Vex").notation == "5D+3"
    events = enc.end_turn()
    assert [e.text for e in events if e.kind == "effect_end"] == ["loses the aim"]
    to_round(enc, 3, "Mara")
    assert enc.can("Mara", "attack", target="Vex").notation == "5D"


# ── Help ──


def helped(**more: Any) -> ck.Encounter:
    """Ossik and Ilya have helped, Bo too; Mara attacks Vex with 4D+1 against 10 and has rolled 5."""
    stats: dict[str, Any] = {"tactics": 2, "athletics": 4, **more}
    helpers = {"Ossik": pc(12, **stats), "Ilya": pc(11, **stats), "Bo": pc(10, **stats)}
    enc = fight({**helpers, "Mara": pc(9, tactics=5), "Vex": npc(7, resolve=60)})
    for name in helpers:
        enc.do(name, "help", note="calls out where they hide")
        enc.end_turn()
    enc.do("Mara", "attack", target="Vex", rolls={"attack": [1, 1, 1, 1], "damage": [1, 1, 1]})
    return enc


@pytest.mark.rule("d6.act.help.add")
def test_help_adds_a_rank_of_the_helpers_choice_to_anothers_roll() -> None:
    enc = helped()
    assert set(offered(enc, "Ossik")) == {"add_help"}
    enc.do("Ossik", "add_help", rank="athletics")
    events = enc.resolve()
    attack = only(events, "attack")
    assert attack.amount == 5 + 4
    assert attack.data["modifiers"] == {"pips": 1, "help from Ossik (athletics)": 4}
    assert holds(enc, "Ossik") == set(), "one Help is one addition"
    with pytest.raises(ck.UnknownName, match="'athletics'"):
        helped().can("Ossik", "add_help", rank="athletic")


@pytest.mark.rule("d6.act.help.add")
def test_help_is_added_to_attribute_checks_too() -> None:
    enc = fight({"Ossik": pc(11, search=3), "Mara": pc(9, attributes={"wits": "2D"}), "Vex": npc(7)})
    enc.do("Ossik", "help")
    enc.end_turn()
    enc.do("Mara", "use_skill", option="wits", rolls={"skill": [2, 3]})
    assert enc.pending[0].about == "Mara uses a skill"
    events = enc.do("Ossik", "add_help", rank="search")
    assert only(events, "roll").data["total"] == 8
    assert only(events, "roll").text == "comes to 8 with help"


@pytest.mark.rule("d6.act.defend", "d6.act.help.add", "d6.act.aim.bonus")
def test_a_rank_below_nothing_increases_by_nothing() -> None:
    enc = fight({"Ossik": pc(11), "Mara": pc(9), "Vex": npc(7)})
    for name in ("Ossik", "Mara"):
        enc.condition(name, "ill", modifiers={"agility": -5, "tactics": -5, "search": -5})
    enc.do("Ossik", "help")
    enc.end_turn()
    enc.adjust("Mara", "action", 2)
    enc.adjust("Mara", "cap", 2)
    enc.do("Mara", "defend", rank="agility")
    enc.do("Mara", "aim", option="bonus")
    assert enc["Mara"].values["defense"] == 10
    assert enc.can("Mara", "attack", target="Vex").notation == "4D+1"
    enc.do("Mara", "attack", target="Vex", rolls=HIT)
    events = enc.do("Ossik", "add_help", rank="tactics")
    assert only(events, "attack").amount == sum(HIT["attack"]) + 1


@pytest.mark.rule("d6.dmg.resolve")
def test_armor_is_shown_as_it_is_used() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, armor=1, resolve=60)})
    enc.condition("Vex", "rust", modifiers={"armor": -3})
    assert enc["Vex"].values["armor"] == 0
    enc.do("Mara", "attack", target="Vex", rolls={"attack": [3, 3, 3, 1], "damage": [2, 2, 2]})
    assert enc["Vex"].values["resolve"] == 54


@pytest.mark.rule("d6.act.help.unused", "d6.act.defend")
def test_help_by_hand_is_help_and_a_defence_is_told_its_action() -> None:
    enc = fight({"Ossik": pc(11), "Mara": pc(9), "Vex": npc(7)})
    enc.condition("Ossik", "helping")
    assert [c.until for c in enc["Ossik"].conditions] == ["start of turn"]
    to_round(enc, 2, "Ossik")
    assert offered(enc, "Ossik") == ("help_recovery",)
    assert holds(enc, "Ossik") == set()
    with pytest.raises(ck.InvalidInput, match="only an action gives it") as caught:
        enc.condition("Mara", "defending", value="agility")
    assert 'do("Mara", "defend", ...)' in str(caught.value)


@pytest.mark.rule("d6.act.help.timing")
def test_help_comes_after_the_roll_and_before_its_result() -> None:
    enc = fight({"Ossik": pc(11, tactics=4), "Mara": pc(9), "Vex": npc(7, resolve=60)})
    enc.do("Ossik", "help")
    ruling = refused(enc, "Ossik", "add_help", rank="tactics")
    assert ruling.rule == "d6.act.help.timing"
    enc.end_turn()
    events = enc.do("Mara", "attack", target="Vex", rolls={"attack": [2, 2, 1, 1], "damage": [1, 1, 1]})
    assert rolled(events, "attack") == [("Mara", [2, 2, 1, 1])]
    assert not kinds(events, "attack"), "the dice lie on the table; what they came to is open"
    events = enc.do("Ossik", "add_help", rank="tactics")
    assert (only(events, "attack").amount, only(events, "attack").data["outcome"]) == (11, "hit")
    assert refused(enc, "Ossik", "add_help", rank="tactics").rule == "d6.act.help.timing"


def test_nobody_waits_for_help_if_nobody_has_any() -> None:
    enc = fight({"Ossik": pc(11), "Mara": pc(9), "Vex": npc(7, resolve=60)})
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex")
    assert not enc.pending


@pytest.mark.rule("d6.act.help.not-damage")
@pytest.mark.rule("d6.act.help.add")
def test_a_check_that_was_helped_rests_on_the_help_and_one_that_was_not_on_the_check() -> None:
    for helped_by, cited in ((1, ("d6.act.help.add",)), (0, ("d6.act.skill",))):
        enc = fight({"Ossik": pc(11, tactics=2), "Mara": pc(9, attributes={"might": "3D"}), "Vex": npc(7)})
        enc.do("Ossik", "help")
        enc.end_turn()
        enc.do("Mara", "use_skill", option="might", needed=10, rolls=[2, 3, 4])
        events = enc.do("Ossik", "add_help", rank="tactics") if helped_by else enc.resolve()
        (came_to,) = [event for event in events if event.kind == "roll"]
        assert (came_to.amount, came_to.rules) == (9 + 2 * helped_by, cited)


@pytest.mark.rule("d6.act.help.add")
def test_help_that_was_added_lasts_no_longer_than_the_turn() -> None:
    enc = fight({"Ossik": pc(11), "Ilya": pc(10), "Mara": pc(9), "Vex": npc(7)})
    for name in ("Ossik", "Ilya"):
        enc.do(name, "help")
        enc.end_turn()
    enc.do("Mara", "attack", target="Vex")
    enc.do("Ossik", "add_help", rank="tactics")  # the roll still waits for Ilya
    assert [(c.id, c.until) for c in enc["Mara"].conditions] == [("helped", "end of turn")]


def test_help_is_not_added_to_damage() -> None:
    enc = fight({"Ossik": pc(11, tactics=4), "Mara": pc(9), "Vex": npc(7, resolve=60)})
    enc.do("Ossik", "help")
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex", rolls=HIT)
    enc.resolve()
    assert holds(enc, "Ossik") == {"helping"}
    assert enc["Vex"].values["resolve"] == 54, "no window stood between damage roll and damage"
    ruling = refused(enc, "Ossik", "add_help", rank="tactics")
    assert "d6.act.help.not-damage" in ruling.rules


@pytest.mark.rule("d6.act.help.not-self")
def test_only_anothers_roll_can_be_helped() -> None:
    enc = fight({"Ossik": pc(12, tactics=2), "Mara": pc(9, tactics=4), "Vex": npc(7, resolve=60)})
    enc.do("Ossik", "help")
    enc.end_turn()
    enc.adjust("Mara", "action", 1)
    enc.do("Mara", "help")
    enc.do("Mara", "attack", target="Vex")
    assert offered(enc, "Mara") == ()
    assert refused(enc, "Mara", "add_help", rank="tactics").rule == "d6.act.help.not-self"


@pytest.mark.rule("d6.act.help.add", "d6.act.help.not-self")
def test_the_roll_of_any_other_character_can_be_helped_on_whichever_side() -> None:
    people = {"Ossik": pc(12, tactics=4), "Ilya": pc(11), "Vex": npc(9, resolve=60), "Bo": npc(7, resolve=60)}
    enc = fight(people)
    assert refused(enc, "Ossik", "help", target=["Vex", "Ossik"]).rule == "d6.act.help.not-self"
    events = enc.do("Ossik", "help", target="Vex", note="the traitor must not die")
    assert (events[0].target, events[0].text) == ("Vex", "stands ready to help Vex")
    enc.end_turn()
    enc.do("Ilya", "use_item")
    enc.end_turn()
    enc.do("Vex", "attack", target="Ilya", rolls={"attack": [1, 1, 1, 2]})
    assert offered(enc, "Ossik") == ("add_help",)
    events = enc.do("Ossik", "add_help", rank="tactics")
    attack = only(events, "attack")
    assert (attack.amount, attack.data["needed"], attack.data["outcome"]) == (5 + 1 + 4, 10, "hit")
    enc = fight(people)
    enc.do("Ossik", "help", target="Vex")
    to_round(enc, 1, "Bo")
    told = only(enc.do("Bo", "attack", target="Ilya", rolls={"attack": [1, 1, 1, 1]}), "attack")
    assert told.data["outcome"] == "miss", "Ossik is not asked about other foes"


@pytest.mark.rule("d6.act.help.max-two")
def test_at_most_two_helps_on_a_roll() -> None:
    enc = helped()
    enc.do("Ossik", "add_help", rank="tactics")
    assert offered(enc, "Bo") == ("add_help",)
    events = enc.do("Ilya", "add_help", rank="athletics")
    assert [e.actor for e in events if e.rules == ("d6.act.help.max-two",)] == ["Bo"]
    assert enc.pending == ()
    assert (only(events, "attack").amount, only(events, "attack").data["outcome"]) == (5 + 2 + 4, "hit")
    assert holds(enc, "Bo") == {"helping"}


@pytest.mark.rule("d6.act.help.narrate")
def test_how_the_help_works_is_told_and_kept_with_it() -> None:
    enc = helped()
    told = next(e for e in enc._events if e.action == "help")
    assert told.note == "calls out where they hide"
    assert "d6.act.help.narrate" in told.rules
    events = enc.do("Ossik", "add_help", rank="tactics", note="behind the crate!")
    assert only(events, "action").note == "behind the crate!"  # the deed bears it, not the answer that it is


@pytest.mark.rule("d6.act.help.unused")
def test_unused_help_gives_one_resolve_as_the_helpers_next_turn_begins() -> None:
    enc = fight({"Ossik": pc(11), "Mara": pc(9), "Vex": npc(7)})
    enc.adjust("Mara", "resolve", -5)
    enc.do("Ossik", "help")
    assert refused(enc, "Ossik", "help_recovery", target="Mara").rule == "d6.act.help.unused"
    to_round(enc, 2, "Ossik")
    (offer,) = enc.pending
    assert (offer.who, offer.actions, offer.must) == ("Ossik", ("help_recovery",), False)
    events = enc.do("Ossik", "help_recovery", target="Mara")
    assert enc["Mara"].values["resolve"] == 8
    assert cites(events, "d6.act.help.unused")
    assert not enc.pending
    assert refused(enc, "Ossik", "help_recovery", target="Mara").rule == "d6.act.help.unused"
    assert enc.can("Ossik", "shift", after="Mara").allowed, "the turn has only begun"


def test_heart_is_given_to_one_who_is_not_wounded_oneself_included_and_up_to_the_maximum() -> None:
    enc = fight({"Ossik": pc(11), "Mara": pc(9), "Vex": npc(7)})
    enc.adjust("Mara", "resolve", -12)
    enc.do("Ossik", "help")
    to_round(enc, 2, "Ossik")
    assert enc.pending[0].targets == ("Ossik", "Vex")
    ruling = refused(enc, "Ossik", "help_recovery", target="Mara")
    assert (ruling.rule, ruling.reason) == ("d6.act.help.unused", "Mara is Wounded.")
    assert refused(enc, "Ossik", "help_recovery", target=["Ossik", "Vex"]).rule == "d6.act.help.unused"
    assert {c.value for c in enc.choices("Ossik", "help_recovery") if c.ruling.allowed} == {"Ossik", "Vex"}
    enc.do("Ossik", "help_recovery", target="Ossik")
    assert enc["Ossik"].values["resolve"] == 12


@pytest.mark.rule("d6.act.help.unused")
def test_nobody_who_is_out_of_the_fight_regains_by_unused_help() -> None:
    enc = fight({"Ossik": pc(11), "Vex": npc(9), "Mara": pc(7)})
    enc.adjust("Vex", "resolve", -6)  # a minor NPC: out, not Wounded
    enc.do("Ossik", "help")
    to_round(enc, 2, "Ossik")
    assert enc.pending[0].targets == ("Ossik", "Mara")
    assert refused(enc, "Ossik", "help_recovery", target="Vex").reason == "Vex is out."


def test_used_help_gives_no_heart_and_an_offer_passed_by_is_gone() -> None:
    enc = helped()
    enc.do("Ossik", "add_help", rank="tactics")
    enc.resolve()
    to_round(enc, 2, "Ossik")
    assert not enc.pending
    enc.end_turn()
    assert enc.active == "Ilya"
    assert offered(enc, "Ilya") == ("help_recovery",)
    before = enc.digest
    assert "Waiting for Ilya" in refused(enc, "Ilya", "use_item").reason
    with pytest.raises(ck.IllegalAction):
        enc.end_turn()
    assert (enc.digest, enc.active) == (before, "Ilya"), "nothing goes by before the recovery is given or let go"
    enc.resolve()
    enc.do("Ilya", "use_item")
    assert not enc.pending
    assert refused(enc, "Ilya", "help_recovery", target="Mara").rule == "d6.act.help.unused"


def test_help_is_offered_on_ones_own_side_only() -> None:
    enc = fight({"Ossik": pc(11), "Vex": npc(9), "Mara": pc(7, resolve=60)})
    enc.do("Ossik", "help")
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara")
    assert not enc.pending


# ── history ──


def test_the_log_keeps_the_dice_and_the_result_of_a_helped_roll() -> None:
    enc = helped()
    enc.do("Ossik", "add_help", rank="athletics")
    enc.resolve()
    row = enc.history.rolls.filter(enc.history.rolls["purpose"] == "attack").to_dicts()
    assert [(r["notation"], r["faces"], r["needed"], r["outcome"]) for r in row] == [("4D+1", [1, 1, 1, 1], 10, "miss")]


def test_momentum_shows_in_the_budget_frame() -> None:
    enc = fight({"Mara": pc(9), "Vex": npc(7, resolve=100)})
    enc.do("Mara", "attack", target="Vex", destiny="gain_momentum")
    enc.do("Mara", "attack", target="Vex")
    frame = enc.history.budgets
    rows = frame.filter((frame["combatant"] == "Mara") & frame["slot"].is_in(["action", "cap"]))
    assert rows.select("slot", "total", "spent").rows() == [("action", 2, 2), ("cap", 3, 2)]


@pytest.mark.rule("d6.act.defend.expend")
def test_a_typed_miss_uses_up_the_defend_bonus_if_the_dice_say_that_it_caused_the_miss() -> None:
    for outcome, faces, kept in (
        ("miss", [4, 3, 3, 2], False),
        ("miss", [1, 1, 1, 1], True),
        ("hit", [4, 3, 3, 2], True),
    ):
        enc = fight({"Vex": npc(9, agility=2), "Mara": pc(1, defense=5)})
        enc.do("Vex", "defend", rank="agility")
        enc.end_turn()
        enc.do("Mara", "attack", target="Vex", outcome=outcome, rolls={"attack": faces})  # 13 or 5 against 10 + 4
        assert ("defending" in holds(enc, "Vex")) is kept


@pytest.mark.rule("d6.act.aim.range", "d6.act.aim.bonus")
@pytest.mark.parametrize("option", ["bonus", "range"])
def test_an_aim_rests_on_the_option_that_is_taken(option: str) -> None:
    enc = at("Z3")
    rules = (f"d6.act.aim.{option}", "d6.act.aim.next")
    assert enc.can("Mara", "aim", option=option).rules == rules
    assert enc.do("Mara", "aim", option=option)[0].rules == rules


@pytest.mark.rule("d6.zone.move-cost", "d6.act.dash")
@pytest.mark.parametrize(("action", "rule"), [("move", "d6.zone.move-cost"), ("dash", "d6.act.dash")])
def test_whoever_moves_between_zones_says_where_to(action: str, rule: str) -> None:
    ruling = refused(at("Z3"), "Mara", action)
    assert (ruling.rule, ruling.rules) == (rule, (rule,))


@pytest.mark.rule("d6.turn.cap-two")
def test_what_the_gm_allows_beyond_the_limit_takes_nothing_from_it() -> None:
    enc = fight({"Mara": pc(9, free_actions=3), "Vex": npc(7)})
    enc.do("Mara", "free_action")
    enc.do("Mara", "free_action")
    events = enc.do("Mara", "free_action", override=True)
    assert events[0].data["paid"] == {"free": 1}
    frame = enc.history.budgets
    rows = frame.filter((frame["combatant"] == "Mara") & frame["slot"].is_in(["free", "cap"]))
    assert rows.select("slot", "spent").rows() == [("free", 3), ("cap", 2)]
