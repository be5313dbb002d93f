"""Segments: what one attacks with decides where one stands: weapon speed in ties, loading in LOW."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import cites, events, fight, hp, key, left, roll, rolled, to_round, to_turn, turns
from tests.systems.table import holds, order, refused

AXE, DAGGER, MACE = ({"name": n, "speed": s} for n, s in (("axe", 7), ("dagger", 2), ("mace", 7)))
CROSSBOW = {"name": "light crossbow", "missile": True, "delaying": True}


# ── weapon speed in ties ──


@pytest.mark.rule("segments.seq.2-tied-order")
def test_the_weapon_that_is_used_decides_a_tie_and_not_the_first_on_the_sheet() -> None:
    stats: dict[str, Any] = {"Mara": {"weapons": [AXE, DAGGER]}, "Vex": {"weapons": [MACE]}}
    enc = rolled("Vex", "Mara", party=4, foes=4, **stats)
    assert (order(enc), key(enc, "Mara")["speed"]) == (["Mara", "Vex"], 2)
    enc.do("Mara", "attack", target="Vex", weapon="dagger")
    assert key(enc, "Mara")["speed"] == 2
    # Her axe is as fast as his mace: nobody comes before that, and the ladder says which weapon it was.
    enc = rolled("Vex", "Mara", party=4, foes=4, **stats)
    enc.do("Mara", "attack", target="Vex")
    assert key(enc, "Mara") == {"half": "HIGH", "type": "D3", "speed": 7}


@pytest.mark.rule("segments.seq.2-tied-order")
def test_a_slower_weapon_is_asked_about_at_the_tie_where_it_matters() -> None:
    stats: dict[str, Any] = {"Mara": {"weapons": [AXE, DAGGER]}, "Vex": {"weapons": [{"name": "sword", "speed": 5}]}}
    enc = rolled("Mara", "Vex", party=4, foes=4, **stats)
    ruling = refused(enc, "Mara", "attack", target="Vex")
    assert ruling.rule == "segments.seq.2-tied-order"
    assert ruling.reason.startswith("Attack routine comes in D3 (melee, speed 7), after Vex in D3 (melee, speed 5)")
    enc.do("Mara", "declare", action="attack", weapon="axe")
    assert (enc.active, key(enc, "Mara")["speed"]) == ("Vex", 7)
    # Where no other group is met, nobody asks.
    enc = rolled("Mara", "Vex", party=5, foes=4, **stats)
    enc.do("Mara", "attack", target="Vex")
    assert key(enc, "Mara")["speed"] == enc["Mara"].values["weapon_speed"] == 7, "the axe was used, not the dagger"


@pytest.mark.rule("segments.seq.2-tied-order")
def test_the_weapon_that_was_declared_stands_against_a_faster_one() -> None:
    stats: dict[str, Any] = {"Mara": {"weapons": [AXE, DAGGER]}, "Vex": {"weapons": [{"name": "sword", "speed": 5}]}}
    enc = fight("Mara", "Vex", **stats)
    enc.do("Mara", "declare", action="attack", weapon="axe")
    roll(enc, 4, 4)
    assert (order(enc), key(enc, "Mara")["speed"]) == (["Vex", "Mara"], 7)
    enc = fight("Mara", "Vex", **stats)
    enc.do("Mara", "declare", action="attack", weapon="dagger")
    roll(enc, 4, 4)
    assert order(enc) == ["Mara", "Vex"]
    assert refused(enc, "Mara", "attack", target="Vex", weapon="axe").rule == "segments.seq.2-tied-order"


@pytest.mark.rule("segments.minor.adds-speed")
def test_the_time_of_what_came_first_stays_with_the_weapon_that_is_used() -> None:
    stats: dict[str, Any] = {"Mara": {"weapons": [AXE, DAGGER]}, "Vex": {"weapons": [{"name": "maul", "speed": 9}]}}
    enc = rolled("Mara", "Vex", party=4, foes=4, **stats)
    enc.do("Mara", "drop_item")
    assert key(enc, "Mara")["speed"] == 3
    enc.do("Mara", "attack", target="Vex", weapon="axe")
    assert key(enc, "Mara")["speed"] == 8


# ── delaying activities, declared late ──


@pytest.mark.rule("segments.delaying.low-only", "segments.delaying.no-cond")
def test_who_says_so_in_high_goes_to_low_undelayed() -> None:
    enc = rolled("Mara", "Vex")
    ruling = refused(enc, "Mara", "delaying_activity")
    assert ruling.rule == "segments.delaying.low-only"
    waits = "A delaying activity waits for LOW: declare it now, and Mara goes to LOW but isn't delayed."
    assert ruling.reason == waits
    happened = enc.do("Mara", "declare", action="delaying_activity")
    assert cites(happened, "segments.delaying.no-cond")
    assert (enc.active, enc.clock.phase, holds(enc, "Mara")) == ("Vex", "LOW", {"declared"})
    assert key(enc, "Mara") == {"half": "LOW", "type": "D4", "segments": 1}
    enc.end_turn()
    assert enc.active == "Mara"
    enc.do("Mara", "delaying_activity")
    enc.do("Mara", "attack", target="Vex")  # a major action may follow
    # An attack that takes loading with it goes the same way, in D2 of LOW.
    enc = rolled("Mara", "Vex", Mara={"weapons": [DAGGER, CROSSBOW]})
    shot: dict[str, Any] = {"weapon": "light crossbow"}
    assert refused(enc, "Mara", "missile_attack", target="Vex", **shot).rule == "segments.delaying.low-only"
    enc.do("Mara", "declare", action="missile_attack", **shot)
    assert (enc.active, key(enc, "Mara")) == ("Mara", {"half": "LOW", "type": "D2", "segments": 1})
    assert enc.clock.phase == "LOW"
    enc.do("Mara", "missile_attack", target="Vex", damage=3, rolls=[20])
    assert (hp(enc, "Vex"), "delayed" in holds(enc, "Mara")) == (27, False)


@pytest.mark.rule("segments.delaying.low-only", "segments.delay.no-minor-outside")
def test_who_has_made_the_major_action_in_high_has_no_low_to_go_to() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "attack", target="Vex")
    assert refused(enc, "Mara", "declare", action="delaying_activity").rule == "segments.seq.1-declare"
    ruling = refused(enc, "Mara", "delaying_activity")
    assert (ruling.rule, "has already taken the major action" in ruling.reason) == ("segments.delaying.low-only", True)


@pytest.mark.rule("segments.delaying.low-only")
def test_what_was_declared_beside_it_stays_declared() -> None:
    enc = fight("Mara", "Vex", Mara={"weapons": [AXE]})
    enc.do("Mara", "declare", action="attack", weapon="axe")
    roll(enc)
    enc.do("Mara", "declare", action="delaying_activity")
    assert [c.value["action"] for c in enc["Mara"].conditions] == ["attack", "delaying_activity"]
    assert key(enc, "Mara")["half"] == "LOW"


# ── the delayed ──


@pytest.mark.rule("segments.delayed.delaying-complex", "segments.delaying.attack")
def test_for_the_delayed_loading_makes_the_attack_complex_and_last() -> None:
    enc = rolled("Mara", "Vex", Mara={"weapons": [DAGGER, CROSSBOW]})
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    shot: dict[str, Any] = {"weapon": "light crossbow"}
    happened = enc.do("Mara", "missile_attack", target="Vex", **shot)
    assert "loads first, which is complex for the delayed, and goes last" in [event.text for event in happened]
    assert [event.kind for event in happened if event.kind in ("attack", "damage")] == []
    assert (enc.active, enc.clock.step, left(enc, "Mara", "major")) == ("Mara", 8, 1)
    assert refused(enc, "Mara", "attack", target="Vex", weapon="dagger").rule == "segments.complex.only"
    happened = enc.do("Mara", "missile_attack", target="Vex", damage=3, rolls=[20], **shot)
    assert (happened[0].data["segments"], happened[0].data["cost"]) == (10, "complex")
    assert (hp(enc, "Vex"), left(enc, "Mara", "major")) == (27, 0)
    # It leaves room for nothing else, before it either.
    enc = rolled("Mara", "Vex", Mara={"weapons": [DAGGER, CROSSBOW]})
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    for before in ("speak", "draw"):
        enc.do("Mara", before)
        ruling = refused(enc, "Mara", "missile_attack", target="Vex", **shot)
        assert (ruling.rule, "room for nothing else" in ruling.reason) == ("segments.delayed.delaying-complex", True)
        enc.undo()
    # Her dagger she may use as ever.
    enc.do("Mara", "attack", target="Vex", weapon="dagger")


@pytest.mark.rule("segments.delay.declared-low", "segments.seq.4-multi")
@pytest.mark.parametrize("how", ["declared", "delaying", "condition"])
def test_who_is_kept_to_low_has_no_turn_in_step_four(how: str) -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 3})
    enc.condition("Mara", "in_melee")
    enc.condition("Vex", "in_melee")
    if how == "declared":
        enc.do("Mara", "delay")
    elif how == "delaying":
        enc.do("Mara", "declare", action="delaying_activity")
    else:
        enc.condition("Mara", "delayed", until="end of round")
    roll(enc)
    assert sorted(turns(enc)) == [(5, "Mara"), (5, "Vex")]
    # The routines that are left come in step 6 all the same.
    to_round(enc, 2)
    enc.do("Mara", "delay")
    roll(enc)
    to_turn(enc, "Mara")
    assert (enc.clock.step, enc.clock.phase) == (5, "LOW")
    enc.do("Mara", "attack", target="Vex")
    to_turn(enc, "Mara", 6)
    assert not cites(events(enc, "turn_lost"), "segments.seq.4-multi")


# ── attack lines and weapons are one sheet ──

BOWMAN: dict[str, Any] = {"attacks": ["MISSILE: 2 longbow arrows (1d6/1d6)"]}
LONGBOW: dict[str, Any] = {"name": "longbow", "missile": True, "range": 210}
BOTH: dict[str, Any] = {"attacks": ["MELEE: sword (1d8)", *BOWMAN["attacks"]], "weapons": [{"name": "sword"}, LONGBOW]}


@pytest.mark.rule("segments.major.examples")
@pytest.mark.parametrize("sheet", [BOWMAN, BOWMAN | {"weapons": [LONGBOW]}])
def test_an_archer_attacks_with_the_routine_of_the_line_and_from_afar(sheet: dict[str, Any]) -> None:
    enc = rolled("Mara", "Vex", Mara=sheet)
    assert key(enc, "Mara")["type"] == "D2"
    happened = enc.do("Mara", "attack", target="Vex", rolls={"attack": [19, 18], "damage": [4, 2]})
    assert [e.amount for e in happened if e.kind == "damage"] == [4, 2]
    assert not any(c.id == "in_melee" for who in ("Mara", "Vex") for c in enc[who].conditions)


@pytest.mark.rule("segments.grid.measure")
@pytest.mark.parametrize(
    ("at", "used"), [((1, 1), "sword"), ((2, 0), "longbow arrows"), ((42, 0), "longbow arrows"), ((43, 0), None)]
)
def test_on_a_grid_the_first_that_reaches_is_used(at: tuple[int, int], used: str | None) -> None:
    enc = rolled("Mara", "Vex", Mara={**BOTH, "at": (0, 0)}, Vex={"at": at})
    for named in ("longbow", "longbow arrows"):
        assert enc.can("Mara", "attack", target="Vex", weapon=named).allowed is (used is not None)
    if used is None:
        assert refused(enc, "Mara", "attack", target="Vex").reason == "Vex is 215 ft away; the range is 210 ft."
        return
    rolls = [e for e in enc.do("Mara", "attack", target="Vex", outcome="miss") if e.kind == "attack"]
    assert {e.data["attack"] for e in rolls} == {used}
    values = [c.value for c in enc.choices("Mara", "attack", target="Vex") if c.param == "weapon"]
    assert values == ["sword", "longbow", "longbow arrows"], "each once"


@pytest.mark.rule("segments.seq.3-fast")
def test_a_charge_is_made_hand_to_hand_whatever_else_is_on_the_sheet() -> None:
    enc = fight("Mara", "Vex", Mara=BOWMAN | {"weapons": [LONGBOW]})
    enc.do("Mara", "declare", action="charge")
    roll(enc)
    ruling = refused(enc, "Mara", "charge", target="Vex", weapon="longbow")
    assert ruling.reason == "Charge is made hand to hand, not with the longbow."
    enc.do("Mara", "charge", target="Vex", rolls={"attack": [19]})
    assert any(c.id == "in_melee" for c in enc["Mara"].conditions)


def test_a_weapon_that_no_line_names_does_the_damage_it_states() -> None:
    enc = rolled("Mara", "Vex", Mara={"weapons": [{"name": "club", "damage": "1d6+1"}]})
    happened = enc.do("Mara", "attack", target="Vex", rolls={"attack": [19], "damage": [3]})
    assert [e.amount for e in happened if e.kind == "damage"] == [4]
    with pytest.raises(ck.InvalidInput, match="damage is 'a lot'"):
        enc.edit("Mara", weapons=[{"name": "club", "damage": "a lot"}])


# ── what takes no time costs none, and the ladder knows the weapon ──


@pytest.mark.rule("segments.free.no-effect", "segments.free.per-segment", "segments.free.per-opponent")
def test_a_free_attack_with_a_weapon_to_load_costs_nothing_but_itself() -> None:
    crossbow = {"name": "light crossbow", "missile": True, "delaying": True}
    enc = rolled("Mara", "Bo", "Vex", Mara={"attacks": ["MISSILE: light crossbow (1d6)"], "weapons": [crossbow]})
    enc.condition("Mara", "delayed")
    immediate = enc.can("Mara", "immediate_attack", target="Vex", trigger="Vex slips")
    assert (immediate.allowed, immediate.cost) == (True, "Immediate")
    enc.do("Mara", "free_attack", target="Vex", trigger="Vex slips", outcome="miss")
    assert (enc.budget("Mara")["major"].left, enc["Mara"].values["segments"]) == (1, 0)
    assert {"segments.free.per-segment", "segments.free.per-opponent"} <= {
        *enc.can("Mara", "free_attack", target="Vex", trigger="Vex slips").rules
    }


@pytest.mark.rule("segments.seq.2-tied-order")
def test_the_ladder_follows_the_weapons_of_a_sheet_that_is_changed() -> None:
    stats: dict[str, Any] = {"Mara": {"weapons": [DAGGER]}, "Vex": {"weapons": [{"name": "sword", "speed": 5}]}}
    enc = rolled("Mara", "Vex", party=4, foes=4, **stats)
    enc.edit("Mara", weapons=[{"name": "club", "speed": 4}])
    assert (enc.order[0].combatant, enc.order[0].why) == ("Mara", "speed 4 before 5 [segments.seq.2-tied-order]")
    enc.edit("Mara", weapons=[AXE])
    assert (enc.active, key(enc, "Mara")["speed"]) == ("Vex", 7), "whoever is quicker now begins"
    enc.undo()
    assert enc.active == "Mara"


@pytest.mark.rule("segments.delaying.attack")
@pytest.mark.parametrize(("weapon", "offered"), [({"name": "sword"}, False), ({"name": "bow", "missile": True}, True)])
def test_loading_is_offered_only_with_something_to_load(weapon: dict[str, Any], offered: bool) -> None:
    enc = rolled("Mara", "Vex", Mara={"weapons": [weapon]})
    found = enc.choices("Mara", "called_shot", target="Vex")
    assert ("load" in [c.value for c in found if c.param == "option"]) is offered


# ── what is counted of an attack line ──

BREATH, CLAW = "MELEE: breath (3d6)", "MELEE: 2 claws (1d4/1d4)"
ARROWS, SPIT = "MISSILE: 2 longbow arrows (1d6/1d6)", "MISSILE: spit (1d4)"


@pytest.mark.parametrize(
    ("action", "lines", "counter"),
    [
        ("attack", [BREATH], "breath"),
        ("attack", [BREATH], "Breath"),
        ("attack", [CLAW], "claw"),
        ("missile_attack", [ARROWS], "longbow arrows"),
        ("missile_attack", [ARROWS], "longbow"),
    ],
)
@pytest.mark.parametrize("named", [False, True])
def test_an_attack_line_that_is_counted_is_counted_whether_it_is_named_or_not(
    action: str, lines: list[str], counter: str, named: bool
) -> None:
    enc = rolled("Mara", "Vex", Mara={"attacks": lines, "uses": {counter: 2}}, Vex={"hp": 90})
    given: dict[str, Any] = {"weapon": counter} if named else {}
    done = enc.do("Mara", action, target="Vex", **given)
    assert len([event for event in done if event.kind == "attack"]) == len(blows_in(lines[0]))
    assert enc["Mara"].values["uses"] == {counter: 1}
    enc.undo()
    assert enc["Mara"].values["uses"] == {counter: 2}


def blows_in(line: str) -> list[str]:
    """Return the damage of each attack of a line."""
    return line.partition("(")[2].partition(")")[0].split("/")


def test_a_line_that_is_used_up_gives_way_to_the_next_and_to_bare_hands() -> None:
    enc = rolled("Mara", "Vex", Mara={"attacks": [BREATH, CLAW], "uses": {"breath": 0}}, Vex={"hp": 90})
    assert [e.data["attack"] for e in enc.do("Mara", "attack", target="Vex") if e.kind == "attack"] == ["claws"] * 2
    enc = rolled("Mara", "Vex", Mara={"attacks": [BREATH], "uses": {"breath": 0}}, Vex={"hp": 90})
    assert ["attack" in e.data for e in enc.do("Mara", "attack", target="Vex") if e.kind == "attack"] == [False]
    fist: Any = {"name": "fist", "damage": 7}
    enc = rolled("Mara", "Vex", Mara={"attacks": [BREATH], "weapons": [fist], "uses": {"breath": 0}}, Vex={"hp": 90})
    enc.do("Mara", "attack", target="Vex", outcome="hit")
    assert hp(enc, "Vex") == 83


def test_who_has_shot_everything_shoots_no_more_and_whoever_has_more_lines_takes_the_next() -> None:
    enc = rolled("Mara", "Vex", Mara={"attacks": [ARROWS], "uses": {"longbow": 0}})
    assert refused(enc, "Mara", "missile_attack", target="Vex").reason == "Mara has no longbow."
    enc = rolled("Mara", "Vex", Mara={"attacks": [ARROWS, SPIT], "uses": {"longbow": 0}})
    assert [e.data["attack"] for e in enc.do("Mara", "missile_attack", target="Vex") if e.kind == "attack"] == ["spit"]


BOLTS = "MISSILE: light crossbow bolts (1d6)"


@pytest.mark.parametrize(
    ("line", "counter"), [(BOLTS, "bow"), (BOLTS, "Light"), ("MELEE: shortsword (1d6)", "sword"), (BREATH, "eat")]
)
def test_what_is_counted_is_called_by_whole_words(line: str, counter: str) -> None:
    action = "attack" if line.startswith("MELEE") else "missile_attack"
    enc = rolled("Mara", "Vex", Mara={"attacks": [line], "uses": {counter: 0}})
    (struck,) = [event for event in enc.do("Mara", action, target="Vex") if event.kind == "attack"]
    assert struck.data["attack"] in line
    assert enc["Mara"].values["uses"] == {counter: 0}


@pytest.mark.parametrize("counter", ["bolts", "Crossbow", "light_crossbow", "Light crossbow bolt", "lightcrossbow"])
@pytest.mark.parametrize("named", [False, True])
def test_what_is_shot_is_counted_by_itself_or_by_what_shoots_it(counter: str, named: bool) -> None:
    enc = rolled("Mara", "Vex", Mara={"attacks": [BOLTS], "uses": {counter: 1}})
    given: dict[str, Any] = {"weapon": "light crossbow bolts"} if named else {}
    done = enc.do("Mara", "missile_attack", target="Vex", **given)
    assert [event.data["attack"] for event in done if event.kind == "attack"] == ["light crossbow bolts"]
    assert enc["Mara"].values["uses"] == {counter: 0}


ROUTINE = "MELEE: 2 claws (1d4/1d4), bite (1d6)"


@pytest.mark.parametrize("order", [("claw", "bite"), ("bite", "claw")])
@pytest.mark.parametrize("named", [{}, {"weapon": "claws"}, {"weapon": "bite"}])
def test_each_counted_attack_of_a_routine_is_taken_once(order: tuple[str, str], named: dict[str, Any]) -> None:
    enc = rolled("Mara", "Vex", Mara={"attacks": [ROUTINE], "uses": dict.fromkeys(order, 2)}, Vex={"hp": 90})
    done = enc.do("Mara", "attack", target="Vex", **named)
    assert [e.data["attack"] for e in done if e.kind == "attack"] == ["claws", "claws", "bite"]
    assert enc["Mara"].values["uses"] == {"claw": 1, "bite": 1}
    enc.undo()
    assert enc["Mara"].values["uses"] == {"claw": 2, "bite": 2}


@pytest.mark.parametrize("spent", ["claw", "bite"])
def test_a_routine_is_used_up_with_any_of_its_attacks(spent: str) -> None:
    uses = {"claw": 3, "bite": 3} | {spent: 0}
    enc = rolled("Mara", "Vex", Mara={"attacks": [ROUTINE, BREATH], "uses": uses}, Vex={"hp": 90})
    assert [e.data["attack"] for e in enc.do("Mara", "attack", target="Vex") if e.kind == "attack"] == ["breath"]
    enc.undo()
    assert refused(enc, "Mara", "attack", target="Vex", weapon="claws").reason == f"Mara has no {spent}."


def test_a_bow_that_no_line_is_shot_with_is_offered_beside_a_crossbow_and_taken_by_name() -> None:
    bow: Any = {"name": "bow", "missile": True, "damage": 3}
    enc = rolled("Mara", "Vex", Mara={"attacks": [BOLTS], "weapons": [bow]})
    assert [each["name"] for each in enc.ruleset.presentation.arsenal(enc._fighter("Mara"))][1:] == ["bow"]
    enc.do("Mara", "missile_attack", target="Vex", weapon="bow", outcome="hit")
    assert hp(enc, "Vex") == 27
