"""Segments: where in a round somebody acts by what it does there, and what the ladder says of it."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import (
    SPELLS,
    cites,
    fight,
    hp,
    key,
    left,
    roll,
    rolled,
    to_turn,
    turns,
    used,
    why,
)
from tests.systems.table import holds, refused

FAST: dict[str, Any] = {"weapons": [{"name": "knife", "speed": 1}]}
SLOW: dict[str, Any] = {"weapons": [{"name": "axe", "speed": 7}]}
BOTH: dict[str, Any] = {"weapons": [{"name": "dagger", "speed": 2}, {"name": "axe", "speed": 7}]}
SWORD: dict[str, Any] = {"weapons": [{"name": "sword", "speed": 5}]}
BOW = {"name": "bow", "missile": True, "range": 50, "speed": 3}
AXE = {"name": "axe", "speed": 7}
CROSSBOW = {"name": "light crossbow", "missile": True, "range": 80, "speed": 4, "delaying": True}

# ── another type of action than the place was given for ──


def tied(mara: dict[str, Any], vex: dict[str, Any], **declared: Any) -> ck.Encounter:
    """Mara against Vex, both groups on 4; Mara declares what is given."""
    enc = fight("Mara", "Vex", Mara=mara, Vex=vex)
    if declared:
        enc.do("Mara", "declare", **declared)
    roll(enc, 4, 4)
    return enc


@pytest.mark.rule("segments.seq.2-tied-order")
@pytest.mark.parametrize(
    ("mara", "vex", "declared", "done", "falls"),
    [
        (SLOW, FAST, {"action": "innate_ability"}, {"action": "attack"}, "D3 (melee, speed 7), after Vex"),
        (
            {"weapons": [AXE, BOW]},
            FAST,
            {"action": "missile_attack"},
            {"action": "attack"},
            "D3 (melee, speed 7), after Vex",
        ),
        (
            BOTH,
            SWORD,
            {"action": "attack", "weapon": "dagger"},
            {"action": "attack", "weapon": "axe"},
            "D3 (melee, speed 7)",
        ),
        (FAST, SWORD, {}, {"action": "move"}, "D4 (other, 1 segment), after Vex in D3 (melee, speed 5)"),
        (SWORD, SWORD, {}, {"action": "move"}, "D4 (other, 1 segment), after Vex in D3 (melee, speed 5)"),
    ],
)
def test_in_a_tie_what_belongs_later_waits_for_those_who_come_before_it(
    mara: dict[str, Any], vex: dict[str, Any], declared: dict[str, Any], done: dict[str, Any], falls: str
) -> None:
    enc = tied(mara, vex, **declared)
    assert enc.active == "Mara"
    action, params = done["action"], {k: v for k, v in done.items() if k != "action"}
    aimed = {**params, "target": "Vex"} if action == "attack" else params
    ruling = refused(enc, "Mara", action, **aimed)
    assert (ruling.rule, falls in ruling.reason) == ("segments.seq.2-tied-order", True)
    assert "Declare it, and Vex goes first" in ruling.reason
    # Declared in her turn, it has its place, and Vex goes first.
    happened = enc.do("Mara", "declare", **done)
    assert cites(happened, "segments.seq.2-tied-order")
    assert (enc.active, left(enc, "Mara", "major")) == ("Vex", 1)
    enc.do("Vex", "attack", target="Mara")
    enc.end_turn()
    assert enc.active == "Mara"
    enc.do("Mara", action, **aimed)
    assert turns(enc) == [(5, "Mara")]


@pytest.mark.rule("segments.seq.2-tied-order")
def test_nothing_waits_where_no_tied_group_comes_before_it() -> None:
    assert rolled("Mara", "Bo", "Vex").can("Mara", "move").allowed  # Bo's D3 is of her own group
    assert (
        tied({"weapons": [*SWORD["weapons"], BOW]}, SLOW).can("Mara", "missile_attack", target="Vex").allowed
    )  # late for D2, and harms no order
    enc = tied(BOTH, SLOW, action="attack", weapon="dagger")
    assert enc.can("Mara", "attack", target="Vex", weapon="axe").allowed  # 7 against 7: at the same time
    assert refused(enc, "Mara", "declare", action="attack", weapon="axe").rule == "segments.seq.1-declare"
    # The GM's word places whom it likes, and overrules.
    enc = tied(SLOW, FAST)
    enc.place("Mara", before="Vex", note="she saw it coming")
    to_turn(enc, "Mara")
    assert enc.can("Mara", "move").allowed
    enc = tied(FAST, SWORD)
    assert enc.do("Mara", "move", override=True)[0].data["overruled"] == ["segments.seq.2-tied-order"]


@pytest.mark.rule("segments.innate.d1")
def test_who_has_used_its_innate_ability_in_d1_takes_the_place_of_what_it_does_next() -> None:
    enc = tied(SLOW, FAST, action="innate_ability")
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D1", "segments": 1}
    enc.do("Mara", "innate_ability")
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D3", "speed": 8}
    assert enc.active == "Vex"
    enc.end_turn()
    enc.do("Mara", "attack", target="Vex")
    assert used(enc, "Mara") == 2


def test_a_declared_weapon_is_used_where_none_is_named() -> None:
    enc = tied(BOTH, SWORD, action="attack", weapon="axe")
    to_turn(enc, "Mara")
    assert enc.do("Mara", "attack", target="Vex")[0].data["weapon"] == "axe"


# ── casters and their minor actions ──


def with_spell(*others: str, spell: str = "fireball", **rest: Any) -> ck.Encounter:
    """Mara declares a spell, and what else is named."""
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS}, **rest)
    for other in others:
        enc.do("Mara", "declare", action=other)
    enc.do("Mara", "declare", spell=spell)
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    return enc


@pytest.mark.rule("segments.minor.variety", "segments.simple.alone-d4")
def test_a_caster_who_declared_a_minor_action_has_a_turn_for_it_in_its_half() -> None:
    enc = with_spell("drop_item")
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D4", "segments": 1}
    assert turns(with_spell("drop_item")) == [(5, "Bo"), (5, "Mara"), (5, "Vex"), (7, "Mara")]
    assert turns(with_spell()) == [(5, "Bo"), (5, "Vex"), (7, "Mara")]
    to_turn(enc, "Mara", 5)
    enc.do("Mara", "drop_item")
    assert refused(enc, "Mara", "fireball").rule == "segments.seq.7-spells"
    to_turn(enc, "Mara", 7)
    assert key(enc, "Mara", 1) == {"half": "HIGH", "segments": 4}  # three, and one for what was dropped
    enc.do("Mara", "fireball")
    assert used(enc, "Mara") == 4
    # What delays is done in LOW.
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="delaying_activity")
    enc.do("Mara", "declare", spell="fireball")
    roll(enc, 2, 5)
    enc.end_turn()
    enc.do("Mara", "announce_target", target="Vex")
    assert (enc.active, enc.clock.phase) == ("Mara", "LOW")
    assert enc.can("Mara", "delaying_activity").allowed


@pytest.mark.rule("segments.simple.alone-d4", "segments.delay.no-minor-outside")
def test_a_caster_has_a_turn_in_its_half_for_a_minor_action_declared_in_it() -> None:
    enc = with_spell()
    assert enc.active == "Bo"
    ruling = refused(enc, "Mara", "drop_item")
    assert (ruling.reason, ruling.rule) == (
        "Declare it, and Mara has a turn for it in HIGH.",
        "segments.simple.alone-d4",
    )
    assert "segments.delay.no-minor-outside" not in ruling.rules
    assert not enc.can("Mara", "declare", action="attack").allowed
    enc.do("Mara", "declare", action="drop_item")
    to_turn(enc, "Mara", 5)
    enc.do("Mara", "drop_item")
    to_turn(enc, "Mara", 7)
    assert key(enc, "Mara", 1) == {"half": "HIGH", "segments": 4}
    # When the half is over, so is its chance.
    enc = with_spell()
    to_turn(enc, "Vex")
    assert "segments.delay.no-minor-outside" in refused(enc, "Mara", "drop_item").rules
    assert not enc.can("Mara", "declare", action="drop_item").allowed


@pytest.mark.rule("segments.minor.variety", "segments.simple.before-after", "segments.pos.after-major")
def test_a_caster_may_do_minor_actions_before_its_spell_and_after() -> None:
    enc = with_spell()
    to_turn(enc, "Mara", 7)
    assert refused(enc, "Mara", "position", feet=5).rule == "segments.pos.after-major"
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.seq.7-spells"
    enc.do("Mara", "speak")
    enc.do("Mara", "free_action")
    enc.do("Mara", "fireball", damage=3)
    enc.do("Mara", "position", feet=10)
    enc.do("Mara", "speak")
    assert (used(enc, "Mara"), hp(enc, "Vex")) == (6, 27)


@pytest.mark.rule("segments.minor.adds-1")
def test_what_a_caster_does_before_its_spell_in_step_seven_lets_quicker_spells_first() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    enc.do("Bo", "declare", spell="fireball")
    roll(enc)
    for name in ("Mara", "Bo"):
        enc.do(name, "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    happened = enc.do("Mara", "speak")  # four segments against Bo's three
    (moved,) = [e for e in happened if e.kind == "order" and "casts a segment later" in e.text]
    assert moved.rules == ("segments.minor.adds-speed",)
    assert (enc.active, why(enc, "Vex")) == ("Bo", "")
    assert turns(enc) == [(7, "Bo"), (7, "Mara")]


@pytest.mark.rule("segments.minor.variety")
def test_a_minor_action_goes_with_the_attacks_of_step_six() -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 2})
    enc.condition("Mara", "in_melee")
    roll(enc)
    enc.do("Mara", "attack", target="Vex")
    to_turn(enc, "Mara", 6)
    enc.do("Mara", "speak")
    assert enc.do("Mara", "attack", target="Vex")[0].data["routine"] == "iterative"
    assert refused(enc, "Mara", "move", feet=10).rule == "segments.seq.6-remaining"


def rungs_of(enc: ck.Encounter, name: str) -> list[tuple[object, str]]:
    """Return what is said of somebody's places for attacks of a routine: in whose half, and what they are doing."""
    return [(dict(r.key)["half"], r.status) for r in enc.order if r.combatant == name and "multi-attack" in dict(r.key)]


@pytest.mark.rule("segments.seq.6-remaining")
def test_a_place_for_attacks_that_nobody_has_left_waits_for_nothing() -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 3})
    enc.condition("Mara", "in_melee")
    roll(enc)
    enc.do("Mara", "attack", target="Vex")
    enc.end_turn()
    assert rungs_of(enc, "Mara") == [("HIGH", "acted"), ("HIGH", "waits")]
    enc.edit("Mara", routines=1)
    assert rungs_of(enc, "Mara") == [("HIGH", "acted"), ("HIGH", "acted")]
    enc.edit("Mara", routines=2)
    assert rungs_of(enc, "Mara") == [("HIGH", "acted"), ("HIGH", "waits")]


@pytest.mark.rule("segments.seq.6-remaining")
def test_who_is_put_in_low_attacks_again_with_those_of_low() -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 3})
    enc.condition("Mara", "in_melee")
    roll(enc)
    enc.do("Mara", "attack", target="Vex")
    enc.end_turn()
    happened = enc.place("Mara", count="LOW")
    assert [event.text for event in happened] == ["acts in LOW", "attacks again with those of LOW"]
    assert happened[1].rules == ("segments.seq.6-remaining",)
    assert rungs_of(enc, "Mara") == [("HIGH", "acted"), ("LOW", "waits")]


# ── the target that was announced ──


@pytest.mark.rule("segments.target.d1")
def test_a_spell_hits_the_target_that_was_announced_and_no_other() -> None:
    enc = with_spell()
    to_turn(enc, "Mara", 7)
    ruling = refused(enc, "Mara", "fireball", target="Bo")
    assert (ruling.rule, ruling.reason) == ("segments.target.d1", "Mara has announced Vex, not Bo.")
    assert [c.value for c in enc.choices("Mara", "fireball") if c.param == "target" and c.ruling.allowed] == ["Vex"]
    enc.do("Mara", "fireball", target="Vex", damage=5)
    assert (hp(enc, "Vex"), hp(enc, "Bo")) == (25, 30)


# ── why one comes before another ──


@pytest.mark.rule("segments.delayed.loses-ties")
def test_the_ladder_says_why_where_groups_meet_in_low() -> None:
    enc = rolled("Mara", "Vex", party=5, foes=2)
    enc.do("Mara", "delay")
    assert [(r.combatant, r.why) for r in enc.order] == [
        ("Vex", "Mara is delayed [segments.delayed.loses-ties]"),
        ("Mara", ""),
    ]
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="party", weapons=[{"name": "axe", "speed": 5}])
    enc.add("Vex", side="foes")
    enc.add("Ghoul", side="dead", weapons=[{"name": "claw", "speed": 3}])
    enc.start()
    enc.end_turn(rolls={"party": [2], "foes": [6], "dead": [1]})
    assert [(r.combatant, r.why) for r in enc.order] == [
        ("Vex", ""),  # HIGH before LOW: the dice say it
        ("Ghoul", "speed 3 before 5 [segments.seq.2-tied-order]"),
        ("Mara", ""),
    ]


@pytest.mark.rule("segments.seq.7-spells")
def test_the_ladder_says_why_a_spell_comes_before_another() -> None:
    enc = fight("Mara", "Bo", "Ana", "Vex", tables={"actions": SPELLS})
    for name, spell in (("Mara", "fireball"), ("Bo", "sleep"), ("Ana", "fireball"), ("Vex", "sleep")):
        enc.do(name, "declare", spell=spell)
    roll(enc)
    found = [(r.combatant, r.why.removesuffix(" [segments.seq.7-spells]")) for r in enc.order][-4:]
    assert found == [
        ("Bo", "1 segment before 3"),
        ("Mara", "at the same time as Ana"),
        ("Ana", "HIGH before LOW"),
        ("Vex", ""),
    ]
    chart = [{"id": "quick", "max": 2, "order": 1}, {"id": "slow", "min": 3, "order": 2}]
    enc = fight("Mara", "Vex", tables={"actions": SPELLS, "spell_chart": chart})
    enc.do("Mara", "declare", spell="fireball")
    enc.do("Vex", "declare", spell="sleep")
    roll(enc)
    assert [r.why for r in enc.order][-2:] == ["chart 1 before 2 [segments.seq.7-spells]", ""]


@pytest.mark.rule("segments.innate.d1")
def test_an_innate_ability_that_delays_a_spell_is_not_called_a_delay() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    happened = enc.do("Mara", "innate_ability")
    assert not cites(happened, "segments.delayed.spells-low")
    assert [e.rules for e in happened if "casts a segment later" in e.text] == [("segments.minor.adds-speed",)]
    assert "delayed" not in holds(enc, "Mara")


# ── the time in a key ──


@pytest.mark.rule("segments.simple.def", "segments.time.default-1", "segments.seq.2-tied-order")
def test_what_is_done_alone_takes_its_own_time_and_no_more() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="simple_activity")
    enc.do("Vex", "declare", action="move")
    roll(enc, 4, 4)
    assert [key(enc, n) for n in ("Mara", "Vex")] == [{"half": "HIGH", "type": "D4", "segments": 1}] * 2
    assert why(enc, "Mara") == "at the same time as Vex [segments.seq.2-tied-order]"


@pytest.mark.rule("segments.time.actions-measured", "segments.delaying.some-major")
@pytest.mark.parametrize(
    ("row", "expected"),
    [
        ({"tags": ["simple"], "cost": "major", "segments": 7}, {"half": "HIGH", "type": "D4", "segments": 7}),
        ({"tags": ["delaying"], "cost": "major", "segments": 3}, {"half": "LOW", "type": "D4", "segments": 3}),
        ({"tags": ["simple"], "cost": "major", "segments": 14}, {"half": "HIGH", "type": "D4", "segments": 10}),
    ],
)
def test_a_longer_major_action_stands_with_its_own_segments(row: dict[str, Any], expected: dict[str, Any]) -> None:
    enc = fight("Mara", "Vex", tables={"actions": [{"id": "toil", "title": "Toil", **row}]})
    enc.do("Mara", "declare", action="toil")
    roll(enc)
    assert key(enc, "Mara") == expected
    enc = fight("Mara", "Vex", tables={"actions": [{"id": "toil", "title": "Toil", **row}]})
    enc.do("Mara", "declare", action="speak")
    enc.do("Mara", "declare", action="toil")
    roll(enc)
    assert key(enc, "Mara") == {**expected, "segments": expected["segments"] + 1}


# ── the weapon where none is named ──


@pytest.mark.rule("segments.grid.measure")
def test_a_missile_attack_is_made_with_a_missile_weapon() -> None:
    enc = rolled("Mara", "Vex", Mara={"weapons": [AXE, BOW], "at": (0, 0)}, Vex={"at": (30, 0)})
    ruling = refused(enc, "Mara", "missile_attack", target="Vex")
    assert ruling.reason == "Vex is 150 ft away; the range is 50 ft."
    enc.place("Vex", at=(10, 0))
    assert enc.do("Mara", "missile_attack", target="Vex")[0].data["weapon"] == "bow"


@pytest.mark.rule("segments.major.examples")
def test_nobody_shoots_or_throws_what_is_for_the_hand() -> None:
    enc = fight("Mara", "Vex", Mara=SWORD)
    assert refused(enc, "Mara", "declare", action="missile_attack").reason == "Mara has nothing to shoot or throw."
    roll(enc, 6, 1)
    ruling = refused(enc, "Mara", "missile_attack", target="Vex")
    assert (ruling.reason, ruling.rule) == ("Mara has nothing to shoot or throw.", "segments.major.examples")
    named = refused(enc, "Mara", "missile_attack", target="Vex", weapon="sword").reason
    assert named == "Missile attack is made from afar, not with the sword."
    enc.edit("Mara", attacks=["MELEE: bite (1d4)"], weapons=[])
    assert not enc.can("Mara", "missile_attack", target="Vex").allowed
    enc.edit("Mara", attacks=["MISSILE: spit (1d4)"])
    assert enc.can("Mara", "missile_attack", target="Vex").allowed
    enc.edit("Mara", attacks=[], weapons=[{"name": "dagger", "range": 30}])
    assert enc.can("Mara", "missile_attack", target="Vex").allowed
    enc.edit("Mara", weapons=[])
    assert enc.can("Mara", "missile_attack", target="Vex").allowed, "the sheet says nothing"
    enc.edit("Mara", **SWORD)
    assert enc.can("Mara", "called_shot", target="Vex").allowed, "any number of creative ideas"


@pytest.mark.rule("segments.minor.adds-speed", "segments.delaying.attack")
def test_a_melee_attack_is_made_with_a_melee_weapon_at_its_speed() -> None:
    for first in (BOW, CROSSBOW):
        enc = fight("Mara", "Vex", Mara={"weapons": [first, AXE]})
        enc.do("Mara", "declare", action="attack")
        roll(enc)
        assert key(enc, "Mara") == {"half": "HIGH", "type": "D3", "speed": 7}
        assert enc.do("Mara", "attack", target="Vex")[0].data["weapon"] == "axe"
    # A knife can be thrown and held.
    enc = fight("Mara", "Vex", Mara={"weapons": [BOW, {"name": "knife", "speed": 2, "range": 20}]})
    enc.do("Mara", "declare", action="attack")
    roll(enc)
    assert key(enc, "Mara")["speed"] == 2


@pytest.mark.rule("segments.routine.examples", "segments.seq.2-tied-order")
def test_an_attack_routine_with_a_bow_is_one_of_missiles() -> None:
    enc = fight("Mara", "Vex", Mara={"weapons": [BOW], "at": (0, 0)}, Vex={"at": (30, 0)})
    enc.do("Mara", "declare", action="attack")
    roll(enc)
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D2", "segments": 1}
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.grid.measure"
    enc = tied({"weapons": [AXE, BOW]}, SWORD, action="missile_attack")
    assert enc.can("Mara", "attack", target="Vex", weapon="bow").allowed  # it is D2 as well


@pytest.mark.rule("segments.delaying.attack")
def test_a_crossbow_beside_the_sword_is_loaded_for_missiles_only() -> None:
    enc = rolled("Mara", "Vex", Mara={"weapons": [SWORD["weapons"][0], CROSSBOW]})
    assert enc.can("Mara", "attack", target="Vex").allowed
    assert refused(enc, "Mara", "missile_attack", target="Vex").rule == "segments.delaying.low-only"


@pytest.mark.rule("segments.seq.2-tied-order")
@pytest.mark.parametrize("how", ["condition", "edit"])
def test_who_is_slowed_before_they_do_anything_lets_the_others_go_first(how: str) -> None:
    enc = tied({"weapons": [{"name": "axe", "speed": 4}]}, SWORD)
    assert enc.active == "Mara"
    if how == "condition":
        enc.condition("Mara", "slow", modifiers={"weapon_speed": 3})
    else:
        enc.edit("Mara", weapons=[AXE])
    assert (enc.active, key(enc, "Mara")["speed"]) == ("Vex", 7)
    assert turns(enc) == [(5, "Vex"), (5, "Mara")]


@pytest.mark.rule("segments.simple.alone-d4", "segments.minor.variety")
@pytest.mark.parametrize("how", ["immediate_attack", "routine", "parley"])
def test_a_turn_for_minor_actions_alone_is_in_d4(how: str) -> None:
    enc = fight("Bo", "Mara", "Vex", Mara={"routines": 2})
    if how == "routine":
        enc.condition("Mara", "in_melee", value=["Vex"])
    elif how == "parley":
        enc.do("Mara", "declare", action="parley")
    roll(enc, 4, 4)
    if how == "immediate_attack":
        enc.do("Mara", how, target="Vex", trigger="turns", rolls={"attack": [2]})
    else:
        enc.end_turn()  # passed up
    own = next(rung for rung in enc.order if rung.combatant == "Mara" and "type" in dict(rung.key))
    assert dict(own.key) == {"half": "HIGH", "type": "D4", "segments": 1}
