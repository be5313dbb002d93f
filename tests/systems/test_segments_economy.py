"""Segments: what takes time, the one major action, the minor ones beside it, and what fills the round."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import (
    SPELLS,
    cites,
    events,
    fight,
    hp,
    key,
    left,
    roll,
    rolled,
    rule,
    to_round,
    to_step,
    to_turn,
    turns,
    used,
)
from tests.systems.table import holds, order, refused

AXE = [{"name": "battle axe", "speed": 7}]


@pytest.mark.rule("segments.time.default-1")
def test_an_action_without_a_listed_time_takes_a_segment() -> None:
    rows = [{"id": "whistle", "title": "Whistle", "tags": ["simple"]}]
    enc = rolled("Mara", "Vex", tables={"actions": rows})
    assert enc.do("Mara", "whistle")[0].data["segments"] == 1
    assert enc.do("Mara", "attack", target="Vex")[0].data["segments"] == 1
    assert used(enc, "Mara") == 2


@pytest.mark.rule("segments.time.asterisk", "segments.simple.asterisk")
def test_an_asterisk_means_no_time_and_adds_none() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "glance", "title": "Glance", "notation": "[simple*]"},
        {"id": "nod", "title": "Nod", "tags": ["simple"], "segments": 0},
    ]
    enc = rolled("Mara", "Vex", tables={"actions": rows}, Mara={"weapons": AXE})
    for action in ("glance", "nod", "free_action"):
        assert enc.do("Mara", action)[0].data["segments"] == 0
    assert used(enc, "Mara") == 0
    assert key(enc, "Mara")["speed"] == 7
    assert enc.do("Mara", "attack", target="Vex")[0].data["segments"] == 1
    assert used(enc, "Mara") == 1


@pytest.mark.rule("segments.time.immediate", "segments.immediate.no-time", "segments.immediate.anytime")
def test_immediate_actions_take_no_time_no_declaration_and_come_any_time() -> None:
    enc = fight("Mara", "Vex", "Bo")
    enc.do("Vex", "declare", action="flee")
    assert refused(enc, "Mara", "declare", action="immediate_action").rule == "segments.immediate.no-time"
    roll(enc, party=1, foes=6)
    assert (enc.active, enc.clock.step) == ("Vex", 3)
    assert enc.do("Mara", "immediate_action")[0].data["segments"] == 0  # during fast actions
    enc.end_turn()
    assert (enc.active, enc.clock.phase) == ("Vex", "HIGH")
    enc.do("Mara", "immediate_action")  # in another group's initiative
    enc.do("Mara", "immediate_action")
    assert used(enc, "Mara") == 0


@pytest.mark.rule("segments.immediate.no-effect")
def test_immediate_actions_leave_the_others_as_they_are() -> None:
    enc = rolled("Mara", "Vex")
    before = (left(enc, "Mara", "major"), left(enc, "Mara", "spell"), key(enc, "Mara"))
    enc.do("Mara", "immediate_action")
    assert (left(enc, "Mara", "major"), left(enc, "Mara", "spell"), key(enc, "Mara")) == before
    assert enc.can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("segments.time.complex", "segments.complex.major")
def test_complex_activities_and_one_round_actions_take_the_full_round() -> None:
    rows = [{"id": "hymn", "title": "Hymn", "tags": ["simple"], "cost": "major", "segments": "1 round"}]
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    to_turn(enc, "Mara")
    assert enc.do("Mara", "complex_activity")[0].data["segments"] == 10
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (10, 0)
    to_round(enc, 2)
    roll(enc)
    enc.do("Mara", "hymn")
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (10, 0)
    assert refused(enc, "Mara", "speak").rule == "segments.time.overflow"


@pytest.mark.rule("segments.major.one", "segments.routine.one")
def test_one_major_action_a_round_and_so_one_attack_routine() -> None:
    enc = rolled("Mara", "Vex")
    assert [(s.id, s.total, s.left) for s in enc.budget("Mara")] == [("major", 1, 1), ("spell", 1, 1)]
    enc.do("Mara", "attack", target="Vex")
    assert left(enc, "Mara", "major") == 0
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert ruling.rule == "segments.major.one"
    assert "segments.routine.one" in ruling.rules
    assert refused(enc, "Mara", "move", feet=30).rule == "segments.major.one"
    to_round(enc, 2)
    assert left(enc, "Mara", "major") == 1
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "move", feet=30)
    assert "segments.routine.one" not in refused(enc, "Mara", "attack", target="Vex").rules, "it went on no routine"


@pytest.mark.rule("segments.major.examples")
def test_a_stroke_a_shot_and_a_spell_are_major() -> None:
    for action in ("attack", "missile_attack"):
        enc = rolled("Mara", "Vex")
        enc.do("Mara", action, target="Vex")
        assert left(enc, "Mara", "major") == 0
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    assert left(enc, "Mara", "major") == 1
    enc.do("Mara", "fireball")
    assert left(enc, "Mara", "major") == 0


@pytest.mark.rule("segments.major.complex-note")
def test_a_major_action_of_the_whole_round_is_noted_complex() -> None:
    rows = [{"id": "bandage", "title": "Bandage", "notation": "[complex]"}]
    enc = fight("Mara", tables={"actions": rows})
    made = enc.ruleset.catalogue(enc._state)["bandage"]
    assert (made.cost, made.facts["segments"], made.tags) == ("complex", 10, ("complex",))
    assert "complex" in enc.ruleset.actions["complex_activity"].tags


@pytest.mark.rule("segments.minor.variety", "segments.minor.many", "segments.minor.no-declare")
def test_several_minor_actions_come_in_addition_to_the_major_one_undeclared() -> None:
    enc = rolled("Mara", "Vex")
    for action in ("speak", "drop_item", "simple_activity"):
        enc.do("Mara", action)
    enc.do("Mara", "attack", target="Vex")
    enc.do("Mara", "speak")
    assert left(enc, "Mara", "major") == 0
    assert used(enc, "Mara") == 5


@pytest.mark.rule("segments.minor.examples")
def test_drawing_speaking_and_dropping_are_minor() -> None:
    actions = ck.ruleset("segments").actions
    assert [actions[id].cost for id in ("draw", "speak", "drop_item")] == ["minor"] * 3
    enc = rolled("Mara", "Vex")
    for action in ("draw", "speak", "drop_item"):
        enc.do("Mara", action)
    assert left(enc, "Mara", "major") == 1


@pytest.mark.rule("segments.minor.simple-note", "segments.simple.def", "segments.simple.default-type")
def test_a_simple_activity_is_minor_and_takes_a_segment_unless_noted_otherwise() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "open", "title": "Open a door", "notation": "[simple]"},
        {"id": "wave", "title": "Wave", "tags": ["simple"]},
        {"id": "heave", "title": "Heave", "tags": ["simple"], "cost": "major"},
    ]
    enc = rolled("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "open")
    enc.do("Mara", "wave")
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (2, 1)
    enc.do("Mara", "heave")
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (3, 0)
    simple = [a.id for a in enc.ruleset.actions if "simple" in a.tags]
    assert {"draw", "sheathe", "speak", "drop_item", "simple_activity"} <= set(simple)


@pytest.mark.rule("segments.simple.before-after")
def test_simple_activities_come_before_or_after_the_major_action() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "speak")
    enc.do("Mara", "attack", target="Vex")
    enc.do("Mara", "drop_item")
    assert [e.action for e in events(enc, "action")] == ["speak", "attack", "drop_item"]


@pytest.mark.rule("segments.simple.alone-d4")
def test_alone_a_simple_activity_falls_in_d4_of_the_group() -> None:
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="speak")
    roll(enc)
    assert (order(enc)[:2], key(enc, "Mara")["type"]) == (["Bo", "Mara"], "D4")
    enc.end_turn()
    assert enc.clock.label == "Round 1, HIGH half, other (D4)"
    # Declared together with a major action, it goes with that.
    to_round(enc, 2)
    enc.do("Mara", "declare", action="speak")
    enc.do("Mara", "declare", action="attack")
    roll(enc)
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D3", "speed": 6}
    # Done alone without a declaration, it is put where it belongs.
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "speak")
    happened = enc.end_turn()
    assert cites(happened, "segments.simple.alone-d4")
    assert (order(enc), key(enc, "Mara")["type"]) == (["Bo", "Mara", "Vex"], "D4")


@pytest.mark.rule("segments.innate.d1")
def test_innate_abilities_go_first_in_d1() -> None:
    enc = rolled("Mara", "Bo", "Vex", tables={"actions": [{"id": "gaze", "title": "Gaze"}]})
    assert enc.active == "Mara"
    assert refused(enc, "Vex", "gaze").rule == "segments.innate.d1"
    enc.do("Bo", "gaze")  # D1 of HIGH, although the turn is Mara's
    enc.do("Mara", "innate_ability")
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Bo", "innate_ability").rule == "segments.innate.d1"
    enc.end_turn()
    assert refused(enc, "Bo", "innate_ability").rule == "segments.innate.d1"
    enc.end_turn()
    assert (enc.active, enc.clock.phase) == ("Vex", "LOW")
    enc.do("Vex", "gaze")
    # Declared, it has its place in D1, ahead of the others of its half.
    to_round(enc, 2)
    enc.do("Bo", "declare", action="gaze")
    assert refused(enc, "Bo", "gaze").rule == "segments.innate.d1"
    roll(enc)
    assert (enc.active, key(enc, "Bo")["type"]) == ("Bo", "D1")
    assert enc.clock.label == "Round 2, HIGH half, innate (D1)"
    enc.do("Bo", "gaze")


@pytest.mark.rule("segments.minor.adds-1", "segments.minor.adds-speed")
def test_a_minor_action_of_a_segment_adds_one_to_the_major_and_to_its_weapon_speed() -> None:
    enc = rolled("Mara", "Vex", Mara={"weapons": AXE})
    assert enc["Mara"].values["weapon_speed"] == 7
    enc.do("Mara", "drop_item")
    assert (key(enc, "Mara")["speed"], enc["Mara"].values["weapon_speed"]) == (8, 8)
    enc.do("Mara", "attack", target="Vex")
    assert used(enc, "Mara") == 2
    enc.do("Mara", "speak")  # no matter when
    assert used(enc, "Mara") == 3
    # Other timed actions: a missile's segments.
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="sheathe")
    enc.do("Mara", "declare", action="missile_attack")
    roll(enc)
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D2", "segments": 2}


@pytest.mark.rule("segments.activity.axe", "segments.activity.add-before")
def test_dropping_a_shield_makes_the_battle_axes_seven_an_eight() -> None:
    knife = [{"name": "hammer", "speed": 8}]
    enc = rolled("Mara", "Vex", party=3, foes=3, Mara={"weapons": AXE}, Vex={"weapons": knife})
    assert [(n, key(enc, n)["speed"]) for n in order(enc)] == [("Mara", 7), ("Vex", 8)]
    enc.do("Mara", "drop_item")
    assert key(enc, "Mara")["speed"] == 8
    assert enc.active == "Mara"  # 8 against 8: at the same time, so nobody goes first
    enc.do("Mara", "drop_item")
    assert key(enc, "Mara")["speed"] == 9
    assert enc.active == "Vex"  # 9 against 8: the tie is lost
    enc.end_turn()
    assert enc.active == "Mara"
    enc.do("Mara", "attack", target="Vex")
    assert turns(enc) == [(5, "Mara")]
    # Declared beforehand, it counts from the start.
    enc = fight("Mara", "Vex", Mara={"weapons": AXE}, Vex={"weapons": AXE})
    enc.do("Mara", "declare", action="drop_item")
    enc.do("Mara", "declare", action="attack")
    roll(enc, 3, 3)
    assert [(n, key(enc, n)["speed"]) for n in order(enc)] == [("Vex", 7), ("Mara", 8)]
    assert used(enc, "Mara") == 0


@pytest.mark.rule("segments.simple.included")
@pytest.mark.parametrize("order", [(None, "sword"), ("sword", None)])
def test_whatever_is_drawn_without_a_name_is_the_other_weapon_of_the_routine(order: tuple[str | None, ...]) -> None:
    weapons = [{"name": "sword", "speed": 5}, {"name": "dagger", "speed": 2}]
    enc = rolled("Mara", "Vex", Mara={"attacks": ["MELEE: sword (1d8) and dagger (1d4)"], "weapons": weapons})
    for weapon in order:
        given: dict[str, Any] = {} if weapon is None else {"weapon": weapon}
        enc.do("Mara", "draw", **given)
    enc.do("Mara", "attack", target="Vex")
    assert used(enc, "Mara") == 1, "both are drawn for the attack, which is one segment"


@pytest.mark.rule("segments.simple.sheath-draw", "segments.simple.included")
def test_sheathing_and_drawing_keeps_the_group_order_but_adds_one_to_the_speed() -> None:
    sword = [{"name": "sword", "speed": 5}]
    enc = rolled("Mara", "Bo", "Vex", Mara={"weapons": sword}, Bo={"weapons": sword})
    assert enc.do("Mara", "sheathe")[0].data["segments"] == 1
    assert enc.do("Mara", "draw")[0].data["segments"] == 0  # included in the attack that follows
    assert enc.active == "Mara"
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D3", "speed": 6}
    enc.do("Mara", "attack", target="Vex")
    assert used(enc, "Mara") == 2
    assert enc.do("Mara", "draw")[0].data["segments"] == 1  # no attack left for it to belong to
    assert turns(enc) == [(5, "Mara"), (5, "Bo"), (5, "Vex")]


@pytest.mark.rule("segments.activity.nonmagical")
def test_activities_wrap_action_types_and_are_no_spells() -> None:
    kinds = {"simple", "delaying", "complex"}
    wrapped = [a for a in ck.ruleset("segments").actions if kinds & set(a.tags)]
    assert len(wrapped) >= 3
    assert not [a for a in wrapped if {"incantation", "invocation", "innate"} & set(a.tags)]
    assert {a.cost for a in wrapped} == {"minor", "complex"}


@pytest.mark.rule("segments.minor.multi-delay", "segments.simple.oil", "segments.declare.discuss")
def test_several_activities_at_once_are_talked_over_and_the_gm_rules() -> None:
    # The GM assigns a delay.
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "speak")
    enc.do("Mara", "simple_activity", note="closes the door")
    happened = enc.condition("Mara", "delayed", until="end of round", note="door, flask and oil take their time")
    assert (happened[0].by, happened[0].note) == ("gm", "door, flask and oil take their time")
    assert (enc.active, key(enc, "Mara")["half"]) == ("Vex", "LOW")
    assert turns(enc) == [(5, "Vex"), (5, "Mara")]
    # Or rules it delaying, or complex, as it is declared.
    enc = fight("Mara", "Vex")
    said = enc.do("Mara", "declare", action="delaying_activity", note="door, flask, oil")
    assert "segments.declare.discuss" in said[0].rules
    roll(enc)
    assert (key(enc, "Mara")["half"], key(enc, "Mara")["type"]) == ("LOW", "D4")
    to_round(enc, 2)
    enc.do("Mara", "declare", action="complex_activity", note="and a lit torch")
    roll(enc)
    assert key(enc, "Mara")["type"] == "go last"


# ── complex ──


@pytest.mark.rule("segments.complex.declared", "segments.complex.undeclared")
def test_a_complex_activity_must_be_declared_or_the_gm_allows_a_part_of_it() -> None:
    enc = rolled("Mara", "Vex")
    ruling = refused(enc, "Mara", "complex_activity")
    assert ruling.rule == "segments.complex.declared"
    assert "segments.complex.undeclared" in ruling.rules
    happened = enc.do("Mara", "complex_activity", override=True, note="as far as it goes")
    (part,) = [e for e in happened if e.kind == "progress"]
    assert (part.rules, part.data["progress"]) == (("segments.complex.undeclared",), [1, 2])
    assert part.data["completed"] is False
    assert enc["Mara"].progress["complex_activity"].done == 1
    to_round(enc, 2)
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    to_turn(enc, "Mara")
    done = enc.do("Mara", "complex_activity")[-1]
    assert (done.kind, done.data["completed"], done.data["progress"]) == ("progress", True, [2, 2])
    assert enc["Mara"].progress == {}


@pytest.mark.rule("segments.complex.go-last")
def test_a_complex_activity_is_completed_last() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="complex_activity")
    enc.do("Bo", "declare", spell="sleep")
    roll(enc, party=6, foes=1)
    enc.do("Bo", "announce_target", target="Vex")
    assert turns(enc) == [(5, "Vex"), (7, "Bo"), (8, "Mara")]
    assert key(enc, "Mara") == {"group": "party"}


@pytest.mark.rule("segments.complex.only")
def test_nothing_else_fits_beside_a_complex_activity() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    to_turn(enc, "Mara")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.complex.only"
    assert refused(enc, "Mara", "speak").rule == "segments.complex.only"
    enc.do("Mara", "complex_activity")
    assert refused(enc, "Mara", "free_action").rule == "segments.complex.only"
    assert refused(enc, "Mara", "complex_activity").rule == "segments.complex.only"


def test_immediate_actions_and_free_attacks_stay_open_beside_a_complex_activity() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    assert enc.active == "Vex"
    enc.do("Mara", "immediate_action")
    assert enc.do("Mara", "free_attack", target="Vex", trigger="turns away")[-1].kind != "stopped"
    to_turn(enc, "Mara")
    assert enc.can("Mara", "complex_activity").allowed


@pytest.mark.rule("segments.complex.delayed-ok")
def test_the_delayed_complete_a_complex_activity_normally() -> None:
    enc = fight("Mara", "Vex")
    enc.condition("Mara", "delayed", until="end of round")
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    to_turn(enc, "Mara", 8)
    assert key(enc, "Mara") == {"half": "LOW", "type": "go last", "delayed": True}
    assert enc.do("Mara", "complex_activity")[-1].data["completed"] is True


# ── delaying activities ──


@pytest.mark.rule("segments.delaying.low-only")
def test_a_delaying_activity_is_done_in_low_only_in_its_d4() -> None:
    enc = rolled("Mara", "Vex")
    ruling = refused(enc, "Mara", "delaying_activity")
    assert ruling.rule == "segments.delaying.low-only"
    assert ruling.reason == "A delaying activity waits for LOW: declare it now, and Mara goes to LOW but isn't delayed."
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="delaying_activity")
    roll(enc, party=6, foes=1)
    assert key(enc, "Mara") == {"half": "LOW", "type": "D4", "segments": 1}  # as any activity alone
    assert turns(enc) == [(5, "Bo"), (5, "Vex"), (5, "Mara")]
    # Undeclared, it takes its place in D4 with it; who is tied there and comes earlier goes first.
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "delay")
    assert (enc.active, key(enc, "Vex")["type"]) == ("Vex", "D3")
    enc.do("Vex", "delaying_activity")
    assert (enc.active, key(enc, "Vex")["type"]) == ("Mara", "D4")
    enc.end_turn()
    assert enc.active == "Vex"
    enc.do("Vex", "attack", target="Mara")


@pytest.mark.rule("segments.delaying.no-cond")
def test_a_delaying_activity_does_not_make_one_delayed() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="delaying_activity")
    roll(enc)
    to_turn(enc, "Mara")
    enc.do("Mara", "delaying_activity")
    assert "delayed" not in holds(enc, "Mara")
    assert "delayed" not in key(enc, "Mara")


@pytest.mark.rule("segments.delaying.1seg")
def test_a_delaying_activity_says_that_it_takes_a_segment() -> None:
    enc = rolled("Mara", "Vex", party=1, foes=6)
    to_turn(enc, "Mara")
    assert "segments.delaying.1seg" in enc.do("Mara", "delaying_activity")[0].rules


@pytest.mark.rule("segments.delaying.1seg", "segments.delaying.default-type")
def test_a_delaying_activity_is_minor_and_takes_a_segment() -> None:
    rows = [{"id": "potion", "title": "Drink a potion", "notation": "[delaying]"}]
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "declare", action="potion")
    roll(enc)
    to_turn(enc, "Mara")
    assert enc.do("Mara", "potion")[0].data["segments"] == 1
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (1, 1)


@pytest.mark.rule("segments.delaying.major-after")
def test_a_major_action_may_follow_a_delaying_activity() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="delaying_activity")
    roll(enc)
    to_turn(enc, "Mara")
    enc.do("Mara", "delaying_activity")
    enc.do("Mara", "attack", target="Vex")
    assert left(enc, "Mara", "major") == 0


@pytest.mark.rule("segments.delaying.some-major")
def test_some_delaying_activities_are_major_and_longer() -> None:
    rows = [{"id": "scroll", "title": "Unroll", "tags": ["delaying"], "cost": "major", "segments": 3}]
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "declare", action="scroll")
    roll(enc)
    to_turn(enc, "Mara")
    enc.do("Mara", "scroll")
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (3, 0)
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.major.one"
    # Declared with a major action to follow, it is done in D4 all the same.
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="delaying_activity")
    enc.do("Mara", "declare", action="attack")
    roll(enc)
    assert key(enc, "Mara") == {"half": "LOW", "type": "D4", "segments": 2}


@pytest.mark.rule("segments.delaying.attack")
def test_loading_a_light_crossbow_resolves_with_the_shot_in_low() -> None:
    bow = [{"name": "light crossbow", "missile": True, "delaying": True}]
    enc = fight("Mara", "Bo", "Vex", Mara={"weapons": bow})
    enc.do("Mara", "declare", action="missile_attack", weapon="light crossbow")
    roll(enc, party=6, foes=1)
    assert key(enc, "Mara") == {"half": "LOW", "type": "D2", "segments": 1}
    to_turn(enc, "Mara")
    assert enc.clock.phase == "LOW"
    assert enc.do("Mara", "missile_attack", target="Vex", damage=3, rolls=[20])[0].data["segments"] == 1
    assert hp(enc, "Vex") == 27
    # Who has nothing else to attack with starts in LOW; with another weapon there is a choice.
    enc = rolled("Mara", "Bo", "Vex", Mara={"weapons": bow})
    assert key(enc, "Mara") == {"half": "LOW", "type": "D2", "segments": 1}
    enc = rolled("Mara", "Bo", "Vex", Mara={"weapons": [*bow, "dagger"]})
    assert key(enc, "Mara")["half"] == "HIGH"
    to_turn(enc, "Mara")
    assert refused(enc, "Mara", "missile_attack", target="Vex").rule == "segments.delaying.low-only"
    assert rolled("Mara", "Vex").can("Mara", "missile_attack", target="Vex", option="load").rule.endswith("low-only")


@pytest.mark.rule("segments.delayed.delaying-complex")
def test_for_the_delayed_a_delaying_activity_is_complex_and_goes_last() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    happened = enc.do("Mara", "delaying_activity")  # undeclared, and allowed
    assert happened[0].data["segments"] == 10
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (10, 0)
    assert "segments.delayed.delaying-complex" in happened[1].rules
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.complex.only"
    to_round(enc, 2)
    (through,) = [e for e in events(enc, "progress") if e.actor == "Mara"]
    last_step = next(e.seq for e in events(enc, "step") if e.data["number"] == 8)
    assert (through.data["completed"], through.seq > last_step) == (True, True)
    # It leaves room for nothing else, before it either.
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    for before in ("speak", "draw"):  # drawing takes no time of an action to follow, and is an activity all the same
        enc.do("Mara", before)
        ruling = refused(enc, "Mara", "delaying_activity")
        assert (ruling.rule, "room for nothing else" in ruling.reason) == ("segments.delayed.delaying-complex", True)
        enc.undo()


# ── movement as an action ──


@pytest.mark.rule("segments.pos.10ft", "segments.move.major")
def test_up_to_ten_feet_is_minor_and_other_movement_major() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "missile_attack", target="Vex")
    ruling = refused(enc, "Mara", "position", feet=11)
    assert ruling.rule == "segments.pos.10ft"
    assert "segments.move.major" in ruling.rules
    enc.do("Mara", "position", feet=10)
    assert refused(enc, "Mara", "move", feet=5).rule == "segments.major.one"
    to_turn(enc, "Vex")
    enc.do("Vex", "move", feet=5)
    assert left(enc, "Vex", "major") == 0


@pytest.mark.rule("segments.pos.after-major")
def test_positioning_comes_after_a_major_action_only() -> None:
    enc = rolled("Mara", "Vex")
    assert refused(enc, "Mara", "position", feet=5).rule == "segments.pos.after-major"
    enc.do("Mara", "missile_attack", target="Vex")
    ruling = enc.can("Mara", "position", feet=5)
    assert (ruling.allowed, "segments.pos.after-major" in ruling.rules) == (True, True)


@pytest.mark.rule("segments.pos.after-major", "segments.delay.low")
def test_a_major_action_lost_to_a_delay_is_none_to_take_position_after() -> None:
    enc = rolled("Mara", "Vex", party=1, foes=6)
    to_turn(enc, "Mara")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    assert left(enc, "Mara", "major") == 0
    assert refused(enc, "Mara", "position", feet=5).rule == "segments.pos.after-major"


@pytest.mark.rule("segments.pos.not-melee")
def test_there_is_no_positioning_in_melee() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Mara", "position", feet=5).rule == "segments.pos.not-melee"
    enc.condition("Mara", "in_melee", off=True)
    assert enc.can("Mara", "position", feet=5).allowed


def test_another_foe_in_melee_leaves_what_the_gm_has_said_of_it() -> None:
    enc = rolled("Mara", "Vex", "Bo")
    enc.condition("Mara", "in_melee", value=["Vex"], modifiers={"ac": 1})
    enc.do("Mara", "attack", target="Bo")
    held = next(held for held in enc["Mara"].conditions if held.id == "in_melee")
    assert (held.value, held.modifiers) == (["Vex", "Bo"], {"ac": 1})


def test_definitions_of_this_page_are_marked_as_such() -> None:
    for id in ("simple.def", "major.examples", "minor.examples", "delaying.default-type"):
        assert rule(id).kind == "definition"
    for id in ("minor.multi-delay", "simple.oil", "complex.undeclared", "declare.discuss"):
        assert rule(id).kind == "gm"


def test_low_waits_for_those_who_declared_a_delaying_activity() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="delaying_activity")
    roll(enc, party=4, foes=4)
    to_step(enc, 5, "LOW")
    assert enc.active == "Mara"


@pytest.mark.rule("segments.pos.after-major", "segments.cast.lost")
@pytest.mark.parametrize("why", ["harmed", "parley", "routine"])
def test_there_is_no_positioning_after_a_major_action_that_was_lost(why: str) -> None:
    """A spell lost as if cast was not made, nor was what its step has passed."""
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS}, Mara={"routines": 2})
    if why == "routine":
        enc.condition("Mara", "in_melee", value=["Vex"])
    else:
        enc.do("Mara", "declare", action="fireball" if why == "harmed" else why)
    roll(enc)
    if why == "harmed":
        enc.damage("Mara", 1)
    else:
        enc.end_turn()
    if why == "routine":
        enc.condition("Vex", "down")
    to_turn(enc, "Mara", 5)
    assert left(enc, "Mara", "major") == 0
    assert refused(enc, "Mara", "position", feet=5).rule == "segments.pos.after-major"


@pytest.mark.rule("segments.major.one", "segments.immatk.needs-major")
def test_whoever_has_spent_the_major_action_in_step_1_declares_no_other() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.trigger("Vex")
    enc.do("Mara", "immediate_attack", target="Vex", rolls=[2])
    enc.resolve()
    for said in ({"action": "charge"}, {"action": "complex_activity"}, {"action": "attack"}, {"spell": "fireball"}):
        ruling = refused(enc, "Mara", "declare", **said)
        assert (ruling.reason, ruling.rule) == ("Mara has no major action left this round.", "segments.major.one")
    assert enc.may("Mara", "declare", action="speak")
    assert enc.may("Bo", "declare", action="charge")


@pytest.mark.rule("segments.major.one", "segments.immatk.consequence")
def test_a_complex_activity_given_up_is_refused_for_the_major_action_it_was_given_up_for() -> None:
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    enc.trigger("Vex")
    enc.do("Mara", "immediate_attack", target="Vex", rolls=[2])
    enc.resolve()
    to_turn(enc, "Mara")
    assert refused(enc, "Mara", "complex_activity").reason.startswith(
        "Needs the whole round, and Mara has already acted"
    )


@pytest.mark.rule("segments.seq.7-invocation")
def test_an_item_is_used_where_a_spell_is_cast() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    told = [e.text for e in enc.do("Mara", "declare", spell="wand")]
    assert "starts using a wand in segment 1" in told
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara")
    assert "has used the wand" in [e.text for e in enc.do("Mara", "wand")]
