"""What segments' rules are cited for besides actions: steps and rounds, numbers to hit, what goes beside what."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import SPELLS, events, fight, roll, rolled, to_round, to_turn


def cited(enc: ck.Encounter, kind: str, **is_: Any) -> set[str]:
    """Give the rules of the newest event of a kind, without the system's id."""
    found = [e for e in enc._events if e.kind == kind and all(getattr(e, k) == v for k, v in is_.items())]
    return {rule.removeprefix("segments.") for rule in found[-1].rules}


def rests(ruling: ck.Ruling) -> set[str]:
    """Give the rules of a ruling, without the system's id."""
    return {rule.removeprefix("segments.") for rule in ruling.rules}


@pytest.mark.rule("segments.time.round", "segments.seq.eight-steps", "segments.seq.2-group", "segments.major.one")
def test_rounds_steps_and_what_they_fill_say_why() -> None:
    enc = fight("Mara", "Vex")
    assert cited(enc, "round") == {"time.round", "seq.eight-steps"}
    assert cited(enc, "refresh") == {"major.one", "spell.one", "time.segments"}
    assert cited(enc, "step") == {"seq.1-declare"}
    roll(enc)
    assert cited(enc, "step") == {"seq.5-high-low"}
    assert cited(enc, "turn", actor="Mara") == {"seq.5-high-low"}
    to_round(enc, 2)
    assert cited(enc, "fact", text="initiative will be rolled anew") == {"seq.2-group"}


@pytest.mark.rule("segments.minor.many", "segments.minor.multi-delay", "segments.minor.no-declare")
@pytest.mark.rule("segments.minor.adds-1", "segments.simple.before-after")
def test_minor_actions_say_that_there_may_be_many_and_when() -> None:
    enc = rolled("Mara", "Vex")
    assert "minor.no-declare" in rests(enc.can("Mara", "speak"))
    assert "minor.many" not in rests(enc.can("Mara", "speak"))
    enc.do("Mara", "sheathe")
    assert "minor.adds-1" in cited(enc, "order", actor="Mara")
    assert {"minor.many", "minor.multi-delay"} <= rests(enc.can("Mara", "speak"))
    enc.do("Mara", "attack", target="Vex")
    assert {"simple.before-after", "minor.variety"} <= rests(enc.can("Mara", "speak"))


@pytest.mark.rule("segments.time.default-1")
def test_a_full_round_leaves_no_room_for_an_action_of_one_segment() -> None:
    enc = rolled("Mara", "Vex")
    for _ in range(10):
        enc.do("Mara", "speak")
    assert {"time.overflow", "time.default-1"} <= rests(enc.can("Mara", "attack", target="Vex"))


@pytest.mark.rule("segments.delay.declared-nocond", "segments.delayed.fast-unaffected", "segments.complex.delayed-ok")
def test_the_delayed_are_told_what_stays_open_to_them() -> None:
    enc = fight("Mara", "Vex")
    assert "delay.declared-nocond" in rests(enc.can("Mara", "delay"))
    enc.condition("Mara", "delayed")
    enc.do("Mara", "declare", action="parley")
    roll(enc)
    assert "delayed.fast-unaffected" in rests(enc.can("Mara", "parley"))
    enc = fight("Mara", "Vex")
    enc.condition("Mara", "delayed")
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    to_turn(enc, "Mara", 8)
    assert "complex.delayed-ok" in rests(enc.can("Mara", "complex_activity"))


@pytest.mark.rule("segments.delaying.major-after", "segments.delaying.attack")
def test_after_a_delaying_activity_a_major_action_may_follow() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="delaying_activity")
    roll(enc)
    to_turn(enc, "Mara")
    enc.do("Mara", "delaying_activity")
    assert "delaying.major-after" in rests(enc.can("Mara", "attack", target="Vex"))
    bow = [{"name": "light crossbow", "missile": True, "delaying": True}]
    enc = rolled("Mara", "Vex", Mara={"weapons": bow})
    to_turn(enc, "Mara")
    assert "delaying.attack" in rests(enc.can("Mara", "missile_attack", target="Vex"))


@pytest.mark.rule("segments.atk.tables", "segments.hd.race", "segments.hd.higher")
@pytest.mark.rule("segments.ehd.atk-low", "segments.ehd.atk-high")
@pytest.mark.parametrize(
    ("stats", "row", "rules"),
    [
        ({"hit_dice": "4", "class_level": 3}, ("monster", "4"), {"atk.tables", "hd.race"}),
        ({"hit_dice": "4", "class_level": 4}, ("monster", "4"), {"atk.tables", "hd.race"}),
        ({"hit_dice": "4", "class_level": 6}, ("class", "6"), {"atk.tables", "hd.higher"}),
        ({"hit_dice": "4+2"}, ("monster", "4+"), {"atk.tables", "ehd.atk-low"}),
        ({"hit_dice": "4+4"}, ("monster", "5"), {"atk.tables", "ehd.atk-high"}),
        ({"aac0": 15}, ("monster", "5"), set()),
    ],
)
def test_an_attack_says_whose_table_gives_its_number(
    stats: dict[str, Any], row: tuple[str, str], rules: set[str]
) -> None:
    table = [{"id": "a", "table": row[0], "row": row[1], "aac0": 15}]
    enc = rolled("Mara", "Vex", tables={"attack_tables": table}, Mara={"aac0": None, **stats})
    enc.do("Mara", "attack", target="Vex", rolls=[12])
    assert cited(enc, "attack") == {"aac0", *rules}


@pytest.mark.rule("segments.rep20.six", "segments.rep20.borrow")
@pytest.mark.parametrize(("stats", "borrows"), [({"aac0": None}, False), ({"aac0": 20}, True)])
def test_a_class_with_a_table_of_its_own_borrows_none(stats: dict[str, Any], borrows: bool) -> None:
    table = [{"id": "a", "table": "class", "row": "1", "aac0": 20}]
    enc = rolled("Mara", "Vex", tables={"attack_tables": table}, Mara={"class_level": 1, **stats}, Vex={"ac": -2})
    enc.do("Mara", "attack", target="Vex", rolls=[12])
    assert "rep20.six" in cited(enc, "attack")
    assert ("rep20.borrow" in cited(enc, "attack")) is borrows


@pytest.mark.rule("segments.aac0.star", "segments.rep20.six", "segments.rep20.borrow", "segments.ac.bonus-lowers")
@pytest.mark.rule("segments.atk.modified")
def test_an_attack_says_what_changes_its_number() -> None:
    enc = rolled("Mara", "Vex", Mara={"aac0": "20*", "class_level": 1}, Vex={"ac": 1})
    enc.do("Mara", "attack", target="Vex", rolls=[12])
    assert cited(enc, "attack") == {"aac0", "aac0.star"}  # 20 against AC 1, 19 against AC 2
    enc = rolled("Mara", "Vex", Mara={"aac0": "20*", "class_level": 1}, Vex={"ac": 0})
    enc.do("Mara", "attack", target="Vex", rolls=[12])
    assert cited(enc, "attack") == {"aac0", "aac0.star", "rep20.six", "rep20.borrow"}  # the second of six 20s
    enc = rolled("Mara", "Vex")
    enc.condition("Vex", "shielded", modifiers={"ac": 2})
    enc.condition("Mara", "blessed", modifiers={"attack": 1})
    enc.do("Mara", "attack", target="Vex", rolls=[12])
    assert cited(enc, "attack") == {"aac0", "ac.bonus-lowers", "atk.modified"}


@pytest.mark.rule("segments.conc.no-penalty", "segments.foiled.apparent")
def test_an_attack_says_what_does_not_hamper_it_and_what_foils_it() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Mara", "concentration", value="Bless")
    enc.condition("Vex", "hedged")
    enc.do("Mara", "attack", target="Vex", rolls=[12])
    assert {"conc.no-penalty", "foiled", "foiled.apparent"} <= cited(enc, "attack")


@pytest.mark.rule("segments.loe.opening", "segments.los.when", "segments.spell.innate-gm")
def test_a_spell_says_what_it_passes_and_when_its_target_must_be_seen() -> None:
    gaze = {"id": "gaze", "title": "Gaze", "tags": ["innate"], "cost": "spell"}
    enc = fight("Mara", "Vex", tables={"actions": [*SPELLS, gaze]})
    assert enc.can("Mara", "gaze", target="Vex").allowed is False
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    enc.condition("Vex", "barrier", value={"opening": 2})
    assert "loe.opening" in rests(enc.can("Mara", "fireball", target="Vex"))
    enc.condition("Vex", "concealment", value=80)
    assert "los.when" in rests(enc.can("Mara", "fireball", target="Vex"))
    enc = rolled("Mara", "Vex", tables={"actions": [gaze]})
    assert "spell.innate-gm" in rests(enc.can("Mara", "gaze", target="Vex"))


@pytest.mark.rule("segments.free.mods", "segments.free.no-effect", "segments.primary.two", "segments.grid.5ft")
@pytest.mark.rule("segments.grid.melee-zone", "segments.spell.def")
def test_free_attacks_moves_and_melees_say_what_they_rest_on() -> None:
    enc = rolled("Mara", "Vex", Mara={"movement": 120})
    enc.condition("Mara", "in_melee")
    assert "grid.melee-zone" in cited(enc, "effect", target="Mara")
    enc = rolled("Mara", "Vex", Mara={"movement": 120})
    enc.do("Mara", "move", to=[(0, 1), (0, 2)])
    assert [e.rules for e in events(enc, "move")] == [("segments.move.major", "segments.grid.5ft")] * 2
    enc.trigger("Mara", text="turns their back")
    rules = rests(enc.can("Vex", "free_attack", target="Mara"))
    assert {"free.no-effect", "primary.two"} <= rules
    enc = fight("Mara", "Vex")
    assert "spell.def" in rests(enc.can("Mara", "declare", spell="attack"))
