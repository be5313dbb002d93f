"""Segments: what is given is read as it is written or refused at once: weapons, modes, AAC0, conditions."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.systems.segments import sheet
from combatkit.systems.segments.attacks import needed
from combatkit.systems.segments.notation import read_attack
from tests.systems.segments_table import SPELLS, cites, fight, key, left, roll, rolled, to_round, to_turn
from tests.systems.table import order, refused

HALBERD = {"name": "halberd", "speed": 9, "modes": {"spear": 2, "chop": 6}}
AXE = {"name": "battle axe", "speed": 7, "space": 4}
KNIFE = {"name": "knife", "speed": 2}


def wrong(enc: ck.Encounter, error: type[Exception], says: str, name: str, act: str, /, **params: Any) -> None:
    """See that input is refused alike by `can` and `do`, and that nothing has changed."""
    before = enc.digest
    for call in (enc.can, enc.do):
        with pytest.raises(error, match=says):
            call(name, act, **params)
    assert enc.digest == before


# ── weapons and their modes ──


def test_a_weapon_nobody_knows_of_is_refused_with_the_nearest() -> None:
    enc = fight("Mara", "Vex", Mara={"weapons": [AXE], "attacks": ["MELEE: 2 claws (1d8/1d8)"]})
    params = {"action": "attack", "weapon": "battel axe"}
    wrong(enc, ck.UnknownName, "did you mean 'battle axe'", "Mara", "declare", **params)
    roll(enc)
    wrong(enc, ck.UnknownName, "has no weapon", "Mara", "attack", target="Vex", weapon="battel axe")
    wrong(enc, ck.UnknownName, "has no weapon", "Mara", "draw", weapon="bow")
    for known in ("Battle Axe", "claws"):
        assert enc.can("Mara", "attack", target="Vex", weapon=known).allowed
    listed = [c.value for c in enc.choices("Mara", "attack") if c.param == "weapon"]
    assert listed == ["battle axe", "claws"]
    # The table of speeds makes a weapon known; where nothing is stated at all, any word will do.
    enc = fight("Mara", "Bo", "Vex", Mara={"weapons": [AXE]})
    enc.add_table("weapon_speeds", [{"id": "net", "speed": 3}])
    enc.do("Mara", "declare", action="attack", weapon="net")
    wrong(enc, ck.UnknownName, "did you mean 'net'", "Bo", "declare", action="attack", weapon="nett")
    roll(enc)
    assert key(enc, "Mara")["speed"] == 3
    assert rolled("Mara", "Vex").can("Mara", "attack", target="Vex", weapon="chair").allowed


@pytest.mark.rule("segments.space.modes")
def test_an_option_is_a_mode_there_is() -> None:
    enc = rolled("Mara", "Bo", "Vex", Mara={"weapons": [HALBERD, AXE]}, Bo={"movement": {"walk": 90, "fly": 200}})
    to_turn(enc, "Mara")
    wrong(enc, ck.InvalidInput, "modes of halberd are 'spear', 'chop'", "Mara", "attack", target="Vex", option="whip")
    axe: dict[str, Any] = {"target": "Vex", "weapon": "battle axe"}
    wrong(enc, ck.InvalidInput, "battle axe has no modes", "Mara", "attack", option="spear", **axe)
    listed = {c.value: c.ruling.allowed for c in enc.choices("Mara", "attack") if c.param == "option"}
    assert listed == {"spear": True, "chop": True}
    assert enc.can("Mara", "attack", target="Vex", option="spear").allowed
    to_round(enc, 2)
    roll(enc)
    wrong(enc, ck.InvalidInput, "Bo moves by walk, fly", "Bo", "move", option="swim")
    assert [c.value for c in enc.choices("Bo", "move") if c.param == "option"] == ["walk", "fly"]
    # Where it would be read by nothing it is refused.
    for action, params in (("speak", {}), ("delay", {}), ("morale", {"outcome": "failed"})):
        wrong(enc, ck.InvalidInput, f"{action} takes no 'option'", "Bo", action, option="spear", **params)
    assert "option" in [p.id for p in ck.ruleset("segments").actions["missile_attack"].parameters]
    to_round(enc, 3)
    wrong(enc, ck.InvalidInput, "declare: speak takes no 'option'", "Bo", "declare", action="speak", option="spear")
    # What is loaded is shot: with nothing else it would be read as a reason to wait for LOW.
    bow = {"name": "bow", "missile": True}
    enc.edit("Mara", weapons=[HALBERD, AXE, bow])
    for given, says in (
        ({}, "modes of halberd are 'spear', 'chop'$"),
        ({"weapon": "battle axe"}, "options are: none$"),
    ):
        wrong(enc, ck.InvalidInput, says, "Mara", "declare", action="attack", option="load", **given)
    enc.do("Mara", "declare", action="attack", weapon="bow", option="load")
    roll(enc)
    assert key(enc, "Mara")["half"] == "LOW"


@pytest.mark.parametrize(
    ("weapon", "says"),
    [
        ({"name": "axe", "speed": 7.5}, "speed is 7.5; give a whole number from 0"),
        ({"name": "axe", "speed": -1}, "speed is -1"),
        ({"name": "axe", "delaying": "yes"}, "delaying is 'yes'; give True or False"),
        ({"name": "axe", "missile": 3}, "missile is 3; give True or False"),
        ({"name": "axe", "space": True}, "space is True"),
        ({"name": "axe", "modes": [{"name": "chop", "space": 6, "damage": "1d8"}]}, "modes has 'damage'; a mode takes"),
    ],
)
def test_a_weapon_whose_facts_cannot_be_is_refused(weapon: dict[str, Any], says: str) -> None:
    with pytest.raises(ck.InvalidInput, match=says):
        fight("Mara", Mara={"weapons": [weapon]})


@pytest.mark.parametrize("modes", [3, True, {"chop": -1}, [["chop"]]])
def test_modes_that_are_none_are_refused(modes: Any) -> None:
    with pytest.raises(ck.InvalidInput, match="give feet by mode"):
        fight("Mara", Mara={"weapons": [{"name": "axe", "modes": modes}]})


def test_a_sheet_from_before_a_check_is_taken_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    spear = {"name": "spear", "modes": [{"name": "thrust", "space": 3, "damage": "1d8"}]}
    with monkeypatch.context() as before:
        before.setattr(sheet, "check_weapon", lambda *_: None)
        enc = fight("Mara", "Vex", Mara={"weapons": [spear]})
    enc.edit("Mara", hp=7)
    enc.another("Mara")
    enc.leave("Mara")
    enc.join("Mara")
    assert [enc[name].stats["weapons"] for name in ("Mara", "Mara 2")] == [(spear,), (spear,)]
    with pytest.raises(ck.InvalidInput, match="modes has 'damage'"):
        enc.edit("Mara", weapons=[{**spear, "speed": 4}])


# ── AAC0 ──


@pytest.mark.rule("segments.aac0", "segments.aac0.star")
def test_an_aac0_in_words_is_the_number_it_says() -> None:
    for text, number, against_five in (("21", 21, 20), ("12", 12, 7), ("-2", -2, -7)):
        assert [needed(text, ac) for ac in range(-10, 11)] == [needed(number, ac) for ac in range(-10, 11)]
        enc = rolled("Mara", "Vex", Mara={"aac0": text})
        assert (enc["Mara"].values["aac0"], enc.can("Mara", "attack", target="Vex").needed) == (number, against_five)
    for given in ("19*", "x", "²", "41", "-21"):
        with pytest.raises(ck.InvalidInput, match="Mara: aac0 is"):
            fight("Mara", Mara={"aac0": given})


@pytest.mark.rule("segments.note.attack", "segments.aac0")
@pytest.mark.parametrize(
    ("written", "meant"), [("AAC0 -2", -2), ("aac0 12", 12), ("[AAC0 12]", 12), ("[AAC0 20*]", "20*")]
)
def test_the_aac0_of_an_attack_line_is_read_however_it_is_written(written: str, meant: int | str) -> None:
    (strike,) = read_attack(f"MELEE: bite (2d6 poison; {written})").strikes
    assert (strike.aac0, strike.special) == (meant, "poison")
    with pytest.raises(ck.InvalidInput, match=r"attack line .*: aac0 is '19\*'"):
        read_attack("MELEE: bite (2d6; AAC0 19*)")


@pytest.mark.parametrize("aac0", [True, "x", 25.5, "19*", 41, None])
def test_an_attack_table_holds_what_can_be_rolled_against(aac0: Any) -> None:
    enc = fight("Mara", start=False)
    with pytest.raises(ck.InvalidInput, match="table attack_tables, 'f5': aac0 is"):
        enc.add_table("attack_tables", [{"id": "f5", "table": "class", "row": "5", "aac0": aac0}])
    with pytest.raises(ck.InvalidInput, match="speed is -1; give a whole number from 0"):
        enc.add_table("weapon_speeds", [{"id": "net", "speed": -1}])


# ── conditions ──


@pytest.mark.parametrize(
    ("id", "value", "says"),
    [
        ("casting", None, "give {'spell': 'incantation'"),
        ("casting", {"spell": "incantation"}, "give {'spell': 'incantation'"),
        ("casting", {"spell": "fire", "kind": "incantation", "segments": 1, "step": "spells"}, "unknown action"),
        ("declared", None, "give {'action': 'attack'}"),
        ("declared", {"action": "atack"}, "did you mean 'attack'"),
        ("declared", {"action": 3}, "give an action's id"),
        ("completing", None, "give an action's id"),
        ("barrier", {"opening": "x"}, "give what it is"),
        ("barrier", {"width": 2}, "give what it is"),
        ("cover", "60%", "per cent, a number from 0 to 100"),
        ("cover", -1, "per cent"),
        ("concealment", 101, "per cent"),
        ("concealment", True, "per cent"),
        ("restricted", "tight", "feet, a number from 0"),
    ],
)
def test_a_condition_no_rule_could_read_is_refused_as_it_begins(id: str, value: Any, says: str) -> None:
    enc = rolled("Mara", "Vex")
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=says):
        enc.condition("Mara", id, value=value)
    assert enc.digest == before


def test_a_condition_a_rule_reads_may_be_set_by_hand_in_its_shape() -> None:
    enc = fight("Mara", "Bo", "Vex")
    enc.condition("Mara", "declared", value={"action": "move"})
    enc.condition(
        "Bo", "casting", value={"spell": "incantation", "kind": "incantation", "segments": 3, "step": "spells"}
    )
    assert {c.until for n in ("Mara", "Bo") for c in enc[n].conditions} == {"end of round"}
    roll(enc)
    enc.do("Bo", "announce_target", target="Vex")
    assert (key(enc, "Mara")["type"], enc.options("Bo") != ()) == ("D4", True)
    to_turn(enc, "Bo", 7)
    enc.do("Bo", "incantation")
    enc.condition("Vex", "barrier")
    enc.condition("Vex", "barrier", value=1.5)


@pytest.mark.parametrize("id", ["cover", "concealment", "restricted", "walked"])
@pytest.mark.rule("segments.loe.cover", "segments.los.conceal")
def test_a_condition_that_is_nothing_without_its_number_asks_for_it(id: str) -> None:
    enc = fight("Mara", "Vex")
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=rf'say how much, as in condition\("Vex", "{id}", value=\d+\)'):
        enc.condition("Vex", id)
    with pytest.raises(ck.InvalidInput, match=rf'bring Bo in first, then say how much, as in .*"{id}", val'):
        enc.join("Bo", side="party", conditions=[id.capitalize()])
    assert enc.digest == before
    enc.condition("Vex", id, modifiers={"ac": 2})  # what it changes is read
    assert enc["Vex"].values["ac"] == 3
    enc.condition("Vex", id, value=4)


@pytest.mark.rule("segments.spell.one")
def test_a_casting_by_the_gms_word_is_the_rounds_spell_as_if_declared() -> None:
    rows = [
        {"id": "bless", "title": "Bless", "tags": ["incantation"], "segments": 2},
        {"id": "blink", "title": "Blink", "tags": ["incantation", "immediate"], "cost": "immediate", "segments": 0},
    ]
    spell = {"spell": "bless", "kind": "incantation", "segments": 2, "step": "spells"}
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.condition("Mara", "casting", value=spell)
    assert left(enc, "Mara", "spell") == 0
    enc.do("Mara", "declare", action="incantation")
    assert [c.value["spell"] for c in enc["Mara"].conditions if c.id == "casting"] == ["incantation"]
    enc.undo()
    roll(enc, party=6, foes=1)
    assert "Mara is casting bless" in refused(enc, "Mara", "blink").reason
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "bless")
    assert "Mara has cast bless" in refused(enc, "Mara", "blink").reason
    enc = rolled("Mara", "Vex", tables={"actions": rows})
    enc.condition("Mara", "casting", value=spell)  # in HIGH: it has its place in step 7 all the same
    assert left(enc, "Mara", "spell") == 0
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "bless", target="Vex")


@pytest.mark.rule("segments.spell.one", "segments.seq.7-spells")
@pytest.mark.parametrize("late", [False, True])
def test_a_second_casting_by_the_gms_word_takes_the_place_of_the_first(late: bool) -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    if late:
        roll(enc)
    for spell in ("fireball", "sleep"):
        enc.condition("Mara", "casting", value={"spell": spell, "kind": "incantation", "segments": 3, "step": "spells"})
    assert [c.value["action"] for c in enc["Mara"].conditions if c.id == "declared"] == ["sleep"]
    assert left(enc, "Mara", "spell") == 0
    if not late:
        roll(enc)
        enc.do("Mara", "announce_target", target="Vex")
    assert [rung.combatant for rung in enc.order].count("Mara") == 2
    to_turn(enc, "Mara", 7)
    assert refused(enc, "Mara", "fireball", target="Vex").rule == "segments.spell.one"
    if late:
        enc.do("Mara", "sleep", target="Vex")
    else:
        enc.do("Mara", "sleep")


@pytest.mark.rule("segments.spell.one", "segments.major.one")
@pytest.mark.parametrize("late", [False, True])
def test_a_casting_by_the_gms_word_takes_the_place_of_another_plan(late: bool) -> None:
    rows = [{"id": "bless", "title": "Bless", "tags": ["incantation"], "segments": 2}]
    spell = {"spell": "bless", "kind": "incantation", "segments": 2, "step": "spells"}
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "declare", action="attack")
    enc.do("Mara", "declare", action="speak")
    if late:
        roll(enc, party=1, foes=6)
    told = [event.text for event in enc.condition("Mara", "casting", value=spell)]
    assert "no longer plans to attack" in told
    assert [c.value["action"] for c in enc["Mara"].conditions if c.id == "declared"] == ["speak", "bless"]
    if late:
        assert key(enc, "Mara")["type"] == "D4"


@pytest.mark.rule("segments.aac0", "segments.ehd.morale", "segments.seq.2-tied-order")
def test_what_a_condition_adds_to_a_value_counts_in_it_and_wherever_it_is_read() -> None:
    stats: dict[str, Any] = {"Mara": {"aac0": 15, "hit_dice": "4+4", "weapons": [KNIFE]}, "Vex": {"weapons": [AXE]}}
    enc = rolled("Mara", "Vex", party=4, foes=4, **stats)
    assert order(enc) == ["Mara", "Vex"]
    enc.condition("Mara", "slowed", modifiers={"aac0": 2, "weapon_speed": 6, "morale": -1})
    values = enc["Mara"].values
    assert (values["aac0"], values["weapon_speed"], values["morale"]) == (17, 8, 3)
    assert (order(enc), key(enc, "Mara")["speed"]) == (["Vex", "Mara"], 8)
    assert enc.can("Mara", "attack", target="Vex").needed == 12  # 17 against AC 5
    enc.condition("Mara", "slowed", off=True)
    assert (order(enc), key(enc, "Mara")["speed"]) == (["Mara", "Vex"], 2)
    enc.condition("Mara", "slowed", modifiers={"weapon_speed": 6}, until="end of turn: Vex")
    enc.end_turn()
    enc.end_turn()
    assert enc.clock.round == 2
    assert enc["Mara"].values["weapon_speed"] == 2


# ── the rule that is cited ──


@pytest.mark.rule("segments.delayed.delaying-complex")
def test_for_the_delayed_a_delaying_activity_says_that_it_is_complex_and_major() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    ruling = enc.can("Mara", "delaying_activity")
    assert (ruling.allowed, ruling.cost, ruling.rule) == (True, "Complex", "segments.delayed.delaying-complex")
    paid = enc.do("Mara", "delaying_activity")[0].data["paid"]
    assert paid == {"major": 1, "segments": 10}


@pytest.mark.rule("segments.delay.low")
def test_what_a_delay_in_low_has_cost_is_said_to_be_lost_to_it() -> None:
    enc = rolled("Vex", "Mara", party=1, foes=6)
    to_turn(enc, "Mara")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    assert left(enc, "Mara", "major") == 0
    assert refused(enc, "Mara", "delaying_activity").rule == "segments.delay.low"
    # A caster who delays in LOW has no major action left to complete the spell with, and loses it.
    enc = fight("Vex", "Mara", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    enc.do("Mara", "declare", action="speak")
    roll(enc, 1, 6)
    enc.end_turn()
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 5)
    happened = enc.do("Mara", "delay")
    assert left(enc, "Mara", "major") == 0
    assert [e.rules for e in happened if e.kind == "stopped"] == [("segments.cast.lost", "segments.delay.low")]
    ruling = refused(enc, "Mara", "fireball")
    assert (ruling.reason, ruling.rule) == ("Mara has lost fireball this round.", "segments.cast.lost")
    assert "segments.delay.low" in ruling.rules


@pytest.mark.rule("segments.cast.lost")
@pytest.mark.parametrize(("name", "title"), [({"spell_name": "Murk"}, "Murk"), ({}, "incantation")])
def test_a_spell_that_is_lost_is_called_by_the_name_it_was_given(name: dict[str, Any], title: str) -> None:
    enc = fight("Vex", "Mara")
    enc.do("Mara", "declare", action="incantation", segments=3, **name)
    roll(enc, 1, 6)
    enc.damage("Mara", 1)
    to_turn(enc, "Mara")
    assert refused(enc, "Mara", "incantation").reason == f"Mara has lost {title} this round."


@pytest.mark.rule("segments.attr.magic-tags", "segments.attr.implied")
def test_immunity_to_what_an_ability_is_noted_as_rests_on_nothing_implied() -> None:
    rows = [{"id": "scare", "title": "Scare", "tags": ["innate", "fear"]}]
    for immunity, implied in (("fear", False), ("mind-affecting", True)):
        enc = rolled("Mara", "Vex", tables={"actions": rows})
        enc.condition("Vex", "immune", value=immunity)
        happened = enc.do("Mara", "scare", target="Vex")
        assert cites(happened, "segments.attr.magic-tags")
        assert cites(happened, "segments.attr.implied") is implied


@pytest.mark.rule("segments.free.per-opponent", "segments.free.per-segment")
def test_a_second_free_attack_in_another_segment_is_refused_for_its_opponent_alone() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Vex", "free_attack", target="Mara", trigger="she turns", segment=3)
    ruling = enc.can("Vex", "free_attack", target="Mara", trigger="again", segment=4)
    assert (ruling.rule, "segments.free.per-segment" in ruling.rules) == ("segments.free.per-opponent", False)
    ruling = enc.can("Vex", "free_attack", target="Mara", trigger="again", segment=3)
    assert (ruling.rule, "name the segment" in ruling.reason) == ("segments.free.per-opponent", False), "no help"
    assert enc.can("Vex", "free_attack", target="Bo", trigger="again", segment=3).rule == "segments.free.per-segment"
    assert enc.can("Vex", "free_attack", target="Bo", trigger="again", segment=4).allowed
