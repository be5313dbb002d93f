"""Segments: what a fourth reading of the text found, each with its sentence and worked numbers."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.core.dice import TIMES
from combatkit.report.words import plain
from tests.systems.segments_table import cites, events, fight, hp, left, roll, to_round, to_step, to_turn, turns, used
from tests.systems.table import refused

ROWS: list[dict[str, Any]] = [
    {"id": "glare", "title": "Glare", "tags": ["innate"]},
    {"id": "howl", "title": "Howl", "tags": ["innate"]},
    {"id": "torch", "title": "Torch", "tags": ["delaying"]},
    {"id": "search", "title": "Search", "tags": ["complex"]},
    {"id": "web", "title": "Web", "tags": ["incantation"], "segments": 2},
    {"id": "slow", "title": "Slow web", "tags": ["incantation"], "segments": 4},
    {"id": "quick", "title": "Quick", "tags": ["incantation"], "segments": 1},
    {"id": "wand", "title": "Wand", "tags": ["invocation"]},
    {"id": "rite", "title": "Rite", "tags": ["incantation"], "segments": 25},
    {"id": "veil", "title": "Veil", "tags": ["incantation"], "segments": 1, "duration": "a turn (C)"},
]
BLADES = [
    {"name": "sword", "speed": 5, "damage": "1d8"},
    {"name": "dagger", "speed": 2, "damage": "1d4"},
    {"name": "dart", "speed": 2, "missile": True, "range": 45, "damage": "1d3"},
]
FLIER = {"at": (0, 0), "movement": {"walk": 60, "fly": 180}}
ARROWS = "MISSILE: 2 longbow arrows (1d6/1d6)"
BOW = {"attacks": [ARROWS], "weapons": [{"name": "longbow", "missile": True}]}


def table(*names: str, **rest: Any) -> ck.Encounter:
    """Set up a fight with these actions."""
    return fight(*names, tables={"actions": ROWS}, **rest)


def struck(enc: ck.Encounter, name: str, target: str, action: str = "attack", damage: int = 1, **params: Any) -> None:
    """Hit with a 19."""
    enc.do(name, action, target=target, damage=damage, rolls={"attack": [19]}, **params)


def told(enc: ck.Encounter) -> str:
    """The log's lines as they are read, with whom each is about."""
    return "\n".join(f"{ln['actor']} {plain(ln['text'])}".strip() for ln in ck.CombatLog(enc).view["lines"].values())


# ── D1 ──


@pytest.mark.rule("segments.innate.d1", "segments.seq.3-fast")
@pytest.mark.parametrize("dice", [(6, 1), (1, 6), (4, 4)])
@pytest.mark.parametrize("fast", ["parley", "flee"])
def test_what_was_done_in_step_three_closes_nobodys_d1(dice: tuple[int, int], fast: str) -> None:
    """ "Innate abilities must be used 1st in initiative": step 3 is not group initiative."""
    enc = table("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action=fast)
    enc.do("Bo", "declare", action="glare")
    roll(enc, *dice)
    enc.do("Mara", fast)
    to_turn(enc, "Bo", 5)
    assert "D1" in enc.clock.label
    enc.do("Bo", "glare", target="Vex")
    assert used(enc, "Bo") == 1


@pytest.mark.rule("segments.innate.d1", "segments.seq.4-multi")
def test_what_was_done_in_step_four_closes_nobodys_d1_declared_or_not() -> None:
    enc = table("Mara", "Bo", "Ann", "Vex", Mara={"routines": 2})
    enc.condition(["Mara", "Vex"], "in_melee")
    enc.do("Bo", "declare", action="glare")
    roll(enc, 6, 1)
    assert enc.clock.step == 4
    struck(enc, "Mara", "Vex")
    to_turn(enc, "Bo", 5)
    assert enc.can("Ann", "howl", target="Vex").allowed, "nobody has done anything in HIGH yet"
    enc.do("Bo", "glare", target="Vex")


@pytest.mark.rule("segments.innate.d1")
def test_declared_abilities_of_one_group_come_before_what_else_their_owners_do() -> None:
    """ "Innate abilities must be used 1st in initiative", also among those of one group."""
    enc = table("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="glare")
    enc.do("Bo", "declare", action="glare")
    roll(enc, 6, 1)
    early = refused(enc, "Mara", "attack", target="Vex")
    assert early.reason.startswith("Attack routine comes in D3 (melee, speed 5), after Bo in D1 (innate, 1 segment).")
    assert early.rule == "segments.innate.d1"
    enc.do("Mara", "glare", target="Vex")
    assert (enc.active, enc.clock.label) == ("Bo", "Round 1, HIGH half, innate (D1)")
    enc.do("Bo", "glare", target="Vex")
    enc.end_turn()
    assert enc.active == "Mara"
    struck(enc, "Mara", "Vex")
    # Whoever declared none is too late.
    assert refused(enc, "Mara", "howl", target="Vex").rule == "segments.innate.d1"
    assert turns(enc) == [(5, "Mara"), (5, "Vex")]


@pytest.mark.rule("segments.innate.d1", "segments.major.one")
@pytest.mark.parametrize("other", ["attack", "move", "speak", "web", "wand", "search", "torch", "howl"])
def test_an_ability_declared_beside_anything_else_has_a_turn_in_d1(other: str) -> None:
    enc = table("Mara", "Bo", "Vex")
    enc.do("Bo", "declare", action="glare")
    if other == "search":  # "No other action or activity can be performed that round."
        assert enc.do("Bo", "declare", action="search")
        return
    enc.do("Bo", "declare", action=other)
    roll(enc, 6, 1)
    if enc.pending:
        enc.do("Bo", "announce_target", target="Vex")
    assert (enc.active, "D1" in enc.clock.label) == ("Bo", True)
    if other != "howl":
        assert refused(enc, "Bo", "drop_item").rule in ("segments.innate.d1", "segments.simple.alone-d4")
    enc.do("Bo", "glare", target="Vex")
    enc.end_turn()
    if other == "attack":
        to_turn(enc, "Bo", 5)
        struck(enc, "Bo", "Vex")
        assert used(enc, "Bo") == 2


@pytest.mark.rule("segments.innate.d1")
def test_whoever_passes_has_done_nothing_and_a_turn_in_d1_that_is_passed_costs_no_other() -> None:
    enc = table("Mara", "Bo", "Vex")
    roll(enc, 6, 1)
    enc.end_turn()
    enc.do("Bo", "glare", target="Vex")
    enc = table("Mara", "Vex")
    enc.do("Mara", "declare", action="glare")
    enc.do("Mara", "declare", action="attack")
    roll(enc, 6, 1)
    enc.end_turn()
    assert (enc.active, enc.clock.phase) == ("Mara", "HIGH")
    struck(enc, "Mara", "Vex")
    assert "is over for Mara" in refused(enc, "Mara", "glare", target="Vex").reason


@pytest.mark.rule("segments.innate.d1", "segments.major.one")
@pytest.mark.parametrize("dice", [(6, 1), (1, 6), (4, 4)])
def test_whoever_lets_d1_go_without_the_only_thing_they_declared_keeps_their_turn(dice: tuple[int, int]) -> None:
    """ "Each round, during combat, a creature has an opportunity to accomplish 1 major task." """
    enc = table("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="glare")
    roll(enc, *dice)
    to_turn(enc, "Mara")
    assert enc.clock.label.endswith("innate (D1)")
    happened = enc.end_turn()
    assert [(e.text, e.rules[-1:]) for e in happened if e.kind == "effect_end"] == [
        ("no longer plans to use glare", ("segments.innate.d1",))
    ]
    assert refused(enc, "Mara", "glare", target="Vex").rule == "segments.innate.d1"
    to_turn(enc, "Mara")
    assert (enc.clock.round, enc.clock.step) == (1, 5)
    struck(enc, "Mara", "Vex")
    enc.end_turn()
    assert (enc.clock.round, enc.active) != (1, "Mara")
    # Who leaves in that turn has had it, and one that is skipped is lost.
    enc = table("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="glare")
    roll(enc, 6, 1)
    skipped = enc.branch(len(enc._events))
    assert "waits" not in [event.text for event in skipped.next_round()]
    enc.leave("Mara")
    enc.join("Mara")
    assert "Mara" not in [who for _, who in turns(enc)]


@pytest.mark.rule("segments.innate.d1", "segments.delay.high")
def test_a_delay_takes_a_declared_ability_along_to_low() -> None:
    """ "If you are in HIGH initiative, you lose all actions until LOW initiative." """
    enc = table("Mara", "Vex")
    enc.do("Mara", "declare", action="glare")
    enc.do("Mara", "declare", action="attack")
    roll(enc, 6, 1)
    enc.do("Mara", "delay")
    assert [(step, who) for step, who in turns(enc) if who == "Mara"] == [(5, "Mara"), (5, "Mara")]
    assert enc.clock.round == 2


@pytest.mark.rule("segments.minor.variety", "segments.delaying.low-only", "segments.innate.d1")
@pytest.mark.parametrize(("minor", "half"), [("glare", "HIGH"), ("torch", "LOW"), ("speak", "HIGH")])
@pytest.mark.parametrize("major", ["fast", "multi"])
def test_a_minor_action_beside_a_fast_one_or_a_multi_attack_has_its_place_in_step_five(
    major: str, minor: str, half: str
) -> None:
    """ "in addition to one major action, creatures can perform a variety of minor actions"."""
    enc = table("Mara", "Bo", "Vex", Mara={"routines": 2} if major == "multi" else {})
    if major == "multi":
        enc.condition(["Mara", "Vex"], "in_melee")
        if minor == "torch":  # whoever does what waits for LOW is kept to LOW
            return
    else:
        enc.do("Mara", "declare", action="parley")
    enc.do("Mara", "declare", action=minor)
    roll(enc, 6, 1)
    assert enc.active == "Mara"
    if major == "multi":
        struck(enc, "Mara", "Vex")
    else:
        enc.do("Mara", "parley")
    enc.end_turn()
    to_turn(enc, "Mara", 5)
    assert enc.clock.phase == half
    assert not enc.can("Mara", "attack", target="Vex").allowed, "one major action"
    enc.do("Mara", minor, target="Vex" if minor == "glare" else None)
    assert used(enc, "Mara") == 2


def test_a_minor_action_that_is_done_with_the_fast_one_leaves_no_turn_to_click_through() -> None:
    enc = table("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="parley")
    enc.do("Mara", "declare", action="speak")
    roll(enc, 6, 1)
    enc.do("Mara", "parley")
    enc.do("Mara", "speak")
    assert turns(enc) == [(3, "Mara"), (5, "Bo"), (5, "Vex")]


# ── passing, losing ──


@pytest.mark.rule("segments.major.one", "segments.seq.3-fast", "segments.seq.4-multi")
@pytest.mark.parametrize("step", [3, 4])
def test_a_turn_in_step_three_or_four_that_is_passed_up_leaves_minor_actions(step: int) -> None:
    enc = table("Mara", "Vex", Mara={"routines": step - 2})
    if step == 3:
        enc.do("Mara", "declare", action="flee")
    else:
        enc.condition(["Mara", "Vex"], "in_melee")
    roll(enc, 6, 1)
    assert (enc.active, enc.clock.step) == ("Mara", step)
    happened = enc.end_turn()
    assert any("has only minor actions left" in event.text for event in happened)
    assert (enc.active, enc.clock.step) == ("Mara", 5)
    assert refused(enc, "Mara", "attack", target="Vex").rules[0].startswith(f"segments.seq.{step}-")
    enc.do("Mara", "speak")
    enc.do("Mara", "attack", target="Vex", rolls=[19], override=True)


def test_whoever_is_asked_in_step_four_keeps_the_move_they_declared() -> None:
    enc = table("Mara", "Vex", Mara={"routines": 2})
    enc.condition(["Mara", "Vex"], "in_melee")
    enc.do("Mara", "declare", action="move")
    roll(enc, 6, 1)
    assert enc.clock.step == 4
    enc.end_turn()
    enc.do("Mara", "move", feet=30)


@pytest.mark.rule("segments.cast.lost", "segments.minor.no-declare")
def test_whose_spell_is_lost_in_high_has_a_turn_for_minor_actions_in_low() -> None:
    """ "decided on the spur of the moment ... do not need to be declared before the round starts"."""
    enc = table("Mara", "Vex")
    enc.do("Mara", "declare", spell="web")
    roll(enc, 1, 6)
    struck(enc, "Vex", "Mara")
    enc.end_turn()
    assert (enc.active, enc.clock.phase) == ("Mara", "LOW")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.cast.lost"
    enc.do("Mara", "speak")


# ── step 6 ──


@pytest.mark.rule("segments.seq.6-remaining")
@pytest.mark.parametrize("how", ["killed", "left", "fled"])
def test_attacks_left_over_come_whatever_became_of_the_first_foe(how: str) -> None:
    """ "those with any remaining attacks ... complete their action"; "(and is in melee)" stands in step 4 only."""
    enc = table("Mara", "Vex", "Orc", Mara={"routines": 3})
    roll(enc, 6, 1)
    struck(enc, "Mara", "Vex")
    if how == "killed":
        enc.condition("Vex", "dead")
    elif how == "left":
        enc.leave("Vex")
    else:
        enc.condition("Vex", "in_melee", off=True)
    to_turn(enc, "Mara", 6)
    for _ in range(2):
        struck(enc, "Mara", "Orc")
    assert hp(enc, "Orc") == 28
    assert not enc.can("Mara", "attack", target="Orc").allowed


@pytest.mark.rule("segments.seq.6-remaining")
@pytest.mark.parametrize("back", [5, 6, 7])
def test_who_comes_back_makes_the_attacks_left_over(back: int) -> None:
    """What was spent stays spent, and no more: of four routines the rest is still to come, until step 6 is over."""
    enc = table("Mara", "Bo", "Vex", "Orc", Mara={"routines": 4}, Orc={"routines": 2})
    enc.do("Bo", "declare", spell="web")
    roll(enc, 6, 1)
    enc.do("Bo", "announce_target", option="no target")
    struck(enc, "Mara", "Vex")
    enc.leave("Mara")
    if back == 6:
        to_turn(enc, "Orc", 5)
        struck(enc, "Orc", "Bo")
    to_step(enc, back)
    enc.join("Mara")
    if back == 7:
        assert "Mara" not in dict(turns(enc)).values()
        return
    to_turn(enc, "Mara", 6)
    for _ in range(3):
        struck(enc, "Mara", "Vex")
    assert not enc.can("Mara", "attack", target="Vex").allowed


@pytest.mark.rule("segments.seq.6-remaining", "segments.seq.4-multi")
@pytest.mark.parametrize("action", ["attack", "missile_attack", "called_shot", "grab_item"])
def test_steps_four_and_six_take_every_attack(action: str) -> None:
    enc = table("Mara", "Vex", Mara={"routines": 2} | BOW | {"attacks": [ARROWS, "MELEE: fist (1d2)"]})
    enc.condition(["Mara", "Vex"], "in_melee")
    roll(enc, 6, 1)
    assert enc.clock.step == 4
    enc.do("Mara", action, target="Vex", outcome="miss")
    to_turn(enc, "Mara", 6)
    enc.do("Mara", action, target="Vex", outcome="miss")
    assert refused(enc, "Mara", "move", feet=10).rule == "segments.seq.6-remaining"


@pytest.mark.rule("segments.seq.6-remaining", "segments.routine.one")
def test_an_archer_out_of_melee_makes_both_routines() -> None:
    enc = table("Mara", "Vex", Mara={"routines": 2} | BOW)
    roll(enc, 6, 1)
    enc.do("Mara", "missile_attack", target="Vex", rolls={"attack": [19, 19], "damage": [3, 3]})
    assert hp(enc, "Vex") == 24
    to_turn(enc, "Mara", 6)
    enc.do("Mara", "missile_attack", target="Vex", rolls={"attack": [19, 19], "damage": [3, 3]})
    assert hp(enc, "Vex") == 18


@pytest.mark.rule("segments.seq.6-remaining")
def test_what_is_left_of_the_routines_is_what_the_sheet_leaves() -> None:
    enc = table("Mara", "Vex", Mara={"routines": 3})
    roll(enc, 6, 1)
    struck(enc, "Mara", "Vex")
    enc.edit("Mara", routines=2)
    to_turn(enc, "Mara", 6)
    struck(enc, "Mara", "Vex")
    assert not enc.can("Mara", "attack", target="Vex").allowed
    enc.undo(3)
    enc = table("Mara", "Vex", Mara={"routines": 2})
    roll(enc, 6, 1)
    struck(enc, "Mara", "Vex")
    enc.edit("Mara", routines=1)
    assert turns(enc)[-1] == (5, "Vex")


# ── spells ──


@pytest.mark.rule("segments.los.when", "segments.loe.needed")
@pytest.mark.parametrize("spell", ["web", "wand", "veil"])
@pytest.mark.parametrize("how", ["left", "dead"])
def test_a_spell_does_nothing_to_whoever_has_left_or_died(spell: str, how: str) -> None:
    """ "the caster must be able to see the creature or object when the spell casting is complete"."""
    enc = table("Mara", "Vex", "Orc")
    enc.do("Mara", "declare", spell=spell)
    roll(enc, 6, 1)
    enc.do("Mara", "announce_target", target="Vex")
    if how == "left":
        enc.leave("Vex")
    else:
        enc.condition("Vex", "dead")
    to_turn(enc, "Mara", 5 if spell == "wand" else 7)
    happened = enc.do("Mara", spell, damage=4)
    assert hp(enc, "Vex") == 30
    why = "has left the fight" if how == "left" else "is dead"
    told = [event for event in happened if event.kind in ("action", "stopped") and event.text]
    said = f"uses the wand on nobody: Vex {why}" if spell == "wand" else f"casts {spell} at nobody: Vex {why}"
    assert [(event.text, event.target) for event in told] == [(said, None)], "which says it all"
    assert f"{said}." in enc.log(rules=False).markdown, "and nothing beside it"
    assert "casting" not in [c.id for c in enc["Mara"].conditions]
    assert "concentration" not in [c.id for c in enc["Mara"].conditions]


def test_what_remains_of_a_spell_is_carried_out_and_the_dead_may_be_meant() -> None:
    enc = table("Mara", "Vex", "Orc")
    enc.do("Mara", "declare", spell="web")
    roll(enc, 6, 1)
    enc.do("Mara", "announce_target", target=["Vex", "Orc"])
    enc.leave("Vex")
    to_turn(enc, "Mara", 7)
    happened = enc.do("Mara", "web", damage=4)
    assert (hp(enc, "Vex"), hp(enc, "Orc")) == (30, 26)
    told = [(event.text, event.target) for event in happened if event.kind in ("action", "stopped")]
    assert told == [("casts web at Orc", "Orc"), ("loses Vex as a target: Vex has left the fight", "Vex")]
    enc = table("Mara", "Bo", "Vex")
    enc.condition("Bo", "dead")
    enc.do("Mara", "declare", spell="web")
    roll(enc, 6, 1)
    enc.do("Mara", "announce_target", target="Bo")
    to_turn(enc, "Mara", 7)
    assert [event for event in enc.do("Mara", "web") if event.kind == "stopped"] == []


@pytest.mark.rule("segments.cast.lost")
@pytest.mark.parametrize("how", ["struck", "not cast", "given up", "by its own name"])
def test_a_spell_that_is_lost_counts_as_cast(how: str) -> None:
    """ "the spell being cast fails and is lost as if cast"."""
    enc = table("Mara", "Vex", Mara={"uses": {"Web": 1}})
    if how == "by its own name":
        enc.do("Mara", "declare", action="incantation", spell_name="Web", segments=2)
    else:
        enc.do("Mara", "declare", spell="web")
    assert enc["Mara"].values["uses"] == {"Web": 1}, "it is not cast yet"
    roll(enc, 6, 1)
    if how == "given up":
        enc.do("Mara", "announce_target", target="Vex")
        enc.do("Mara", "immediate_attack", target="Vex", outcome="miss", trigger="Vex runs past")
    elif how == "struck":
        enc.damage("Mara", 1)
    else:
        enc.do("Mara", "announce_target", target="Vex")
        if how == "by its own name":
            to_turn(enc, "Mara", 7)
            enc.do("Mara", "incantation")
    if enc.pending:
        enc.resolve()
    to_round(enc, 2)
    assert enc["Mara"].values["uses"] == {"Web": 0}
    assert not enc.can("Mara", "declare", spell="web").allowed
    if how == "struck":
        enc.undo()
        enc.redo()
        assert enc["Mara"].values["uses"] == {"Web": 0}


@pytest.mark.parametrize("what", ["web", "charge", "search", "torch", "glare", "missile_attack"])
def test_what_is_used_up_cannot_be_declared(what: str) -> None:
    uses = {"missile_attack": "longbow"}.get(what, what)
    enc = table("Mara", "Vex", Mara={"uses": {uses: 0}} | BOW)
    refused(enc, "Mara", "declare", action=what)
    offered = [c.value for c in enc.choices("Mara", "declare") if c.param == "action" and c.ruling.allowed]
    assert what not in offered
    enc.adjust("Mara", uses, 1)
    enc.do("Mara", "declare", action=what)


@pytest.mark.rule("segments.major.one")
def test_one_thing_is_declared_at_a_time_and_a_listed_spell_keeps_its_name_and_time() -> None:
    enc = table("Mara", "Vex")
    assert "one thing" in refused(enc, "Mara", "declare", spell="web", action="attack").reason
    assert "name of its own" in refused(enc, "Mara", "declare", spell="web", spell_name="Fog").reason
    assert "takes 2 segments, not 1" in refused(enc, "Mara", "declare", spell="web", segments=1).reason
    enc.do("Mara", "declare", spell="web", action="web", segments=2)


@pytest.mark.rule("segments.target.d1")
def test_a_casting_of_three_rounds_owes_its_target_in_the_third() -> None:
    """25 segments: 10, 10 and 5."""
    enc = table("Mara", "Vex")
    enc.do("Mara", "declare", spell="rite")
    for number in (1, 2, 3):
        to_round(enc, number)
        roll(enc, 6, 1)
        assert [offer.who for offer in enc.pending] == (["Mara"] if number == 3 else [])


@pytest.mark.rule("segments.target.d1")
def test_a_caster_who_is_placed_in_low_announces_and_casts_in_low() -> None:
    """ "during the caster's Group initiative turn, the caster must announce the target"."""
    enc = table("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", spell="quick")
    enc.do("Bo", "declare", spell="slow")
    roll(enc, 6, 1)
    assert {offer.who for offer in enc.pending} == {"Mara", "Bo"}
    enc.place("Mara", count="LOW")
    enc.do("Bo", "announce_target", target="Vex")
    to_step(enc, 5, "LOW")
    assert [offer.who for offer in enc.pending] == ["Mara"]
    enc.do("Mara", "announce_target", target="Vex")
    to_step(enc, 7)
    assert enc.active == "Bo", "HIGH before LOW, though four segments are more than one"


@pytest.mark.rule("segments.called.20")
@pytest.mark.parametrize("how", ["left", "dead"])
def test_the_question_about_a_natural_twenty_goes_with_its_target(how: str) -> None:
    enc = table("Mara", "Vex", "Orc", Mara=BOW)
    roll(enc, 6, 1)
    enc.do("Mara", "called_shot", target="Vex", rolls={"attack": [20]})
    assert enc.pending
    if how == "left":
        enc.leave("Vex")
    else:
        enc.condition("Vex", "dead")
    assert enc.pending == ()


# ── time and distance ──


@pytest.mark.rule("segments.simple.included", "segments.minor.adds-speed")
@pytest.mark.parametrize(
    ("drawn", "struck_with", "segments", "speed"),
    [
        (["sword"], "sword", 1, 5),
        (["dagger"], "sword", 2, 6),
        (["dart"], "sword", 2, 6),
        (["sword"], "dart", 2, None),
        (["dagger", "sword"], "sword", 2, 6),
        (["sword", "dagger", "dart"], "sword", 3, 7),
        ([None], "sword", 1, 5),
        ([None, None], "sword", 2, 6),
    ],
)
def test_drawing_what_is_not_used_takes_its_segment(
    drawn: list[str | None], struck_with: str, segments: int, speed: int | None
) -> None:
    """ "some activities are included in a complimentary major action ... (e.g. drawing a weapon during an attack)"."""
    enc = table("Mara", "Vex", Mara={"weapons": BLADES})
    roll(enc, 6, 1)
    for name in drawn:
        enc.do("Mara", "draw", weapon=name)
    kind = "missile_attack" if struck_with == "dart" else "attack"
    enc.do("Mara", kind, target="Vex", weapon=struck_with, outcome="miss")
    assert used(enc, "Mara") == segments
    if speed is not None:
        assert enc["Mara"].values["weapon_speed"] == speed


@pytest.mark.rule("segments.simple.included")
def test_two_weapons_of_one_routine_are_both_drawn_for_it() -> None:
    lines = ["MELEE: sword (1d8) and dagger (1d4)"]
    enc = table("Mara", "Vex", Mara={"weapons": BLADES, "attacks": lines})
    roll(enc, 6, 1)
    enc.do("Mara", "draw", weapon="sword")
    enc.do("Mara", "draw", weapon="dagger")
    enc.do("Mara", "attack", target="Vex", rolls=[2, 2])
    assert used(enc, "Mara") == 1


@pytest.mark.rule("segments.grid.measure", "segments.pos.10ft", "segments.conc.half-move")
@pytest.mark.parametrize("action", ["move", "flee", "position"])
def test_squares_are_measured_whatever_is_said(action: str) -> None:
    enc = table("Mara", "Vex", Mara={"at": (0, 0), "movement": 120}, Vex={"at": (0, 9)})
    if action == "flee":
        enc.do("Mara", "declare", action="flee")
    roll(enc, 6, 1)
    if action == "position":
        enc.do("Mara", "attack", target="Vex", outcome="miss")
        enc.condition("Mara", "in_melee", off=True)
    ruling = refused(enc, "Mara", action, to=(8, 0), feet=5)
    assert (ruling.rule, ruling.reason) == ("segments.grid.measure", "This way is 40 ft long, not 5.")
    if action == "position":
        enc.do("Mara", action, to=(2, 0), feet=10)
    else:
        enc.do("Mara", action, to=[[4, 0], [4, 4]], feet=40)


@pytest.mark.rule("segments.move.major")
def test_what_is_farther_than_the_sheet_says_is_noted_or_by_the_option_refused() -> None:
    enc = table("Mara", "Vex", Mara={"at": (0, 0), "movement": 60})
    roll(enc, 6, 1)
    happened = enc.do("Mara", "move", to=(29, 0))
    assert happened[0].text == "moves 145 ft (their sheet says 60 a round)"
    enc = table(
        "Mara", "Vex", Mara={"at": (0, 0), "movement": {"walk": 60, "fly": 180}}, options={"movement": "refused"}
    )
    roll(enc, 6, 1)
    assert refused(enc, "Mara", "move", to=(29, 0)).reason == "Mara moves 60 ft a round, and this is 145."
    assert enc.do("Mara", "move", to=(29, 0), option="fly")[0].text == "moves 145 ft"
    enc = table("Mara", "Vex", Mara={"movement": 60}, options={"movement": "refused"})
    roll(enc, 6, 1)
    assert refused(enc, "Mara", "move", feet=61).rule == "segments.move.major"
    enc.do("Mara", "move", feet=60)


@pytest.mark.parametrize("end", [(5, 0), (28, 0)])
def test_a_charge_ends_beside_its_target(end: tuple[int, int]) -> None:
    enc = table("Mara", "Vex", Mara={"at": (0, 0), "movement": 120}, Vex={"at": (30, 0)})
    enc.do("Mara", "declare", action="charge")
    roll(enc, 6, 1)
    assert "ends beside Vex" in refused(enc, "Mara", "charge", target="Vex", to=end).reason
    text = enc.do("Mara", "charge", target="Vex", to=(29, 0), outcome="miss")[0].text
    assert text == "charges Vex over 145 ft (their sheet says 120 a round)"


# ── sums and lines ──


@pytest.mark.rule("segments.dmg.mult-all")
def test_the_sum_of_multiplied_damage_is_said_as_it_is_made() -> None:
    """ "before the total is doubled": three times 4 + 3 is 21."""
    enc = table("Mara", "Vex")
    roll(enc, 6, 1)
    faces = {"attack": [19], "damage": [4]}
    enc.do("Mara", "attack", target="Vex", damage="1d8+3", multipliers=[3], rolls=faces)
    assert f"Vex loses 21, 9 left: (1d8 4 + 3) {TIMES} 3 = 21" in told(enc)
    row = enc.history.flat.rolls.tail(1)
    assert (row["notation"][0], row["faces"][0], row["total"][0]) == (f"(1d8+3) {TIMES} 3", "4", 21)
    for damage, words in (("1d8", "1d8 4 * 2 = 8"), (8, "8 * 2 = 16"), ("2d4", "(2d4 1 2) * 2 = 6")):
        enc = table("Mara", "Vex")
        roll(enc, 6, 1)
        dice: dict[str, list[int]] = {"1d8": {"damage": [4]}, "2d4": {"damage": [1, 2]}}.get(str(damage), {})
        enc.do("Mara", "attack", target="Vex", damage=damage, multipliers=2, rolls={"attack": [19]} | dice)
        assert words.replace("*", TIMES) in told(enc), words


@pytest.mark.rule("segments.grid.melee-zone")
def test_the_log_says_with_whom_somebody_is_in_melee() -> None:
    enc = table("Mara", "Bo", "Vex")
    enc.condition("Mara", "in_melee", value=["Vex"])
    enc.condition("Vex", "in_melee", value=["Mara"])
    enc.condition("Bo", "in_melee", value=["Vex"])
    enc.condition("Mara", "grappled", value=["Vex"])
    enc.condition("Mara", "concentration", value="veil")
    lines = told(enc)
    for line in (
        "Mara is in melee with Vex",
        "Bo is in melee with Vex",
        "Mara is grappled: Vex",
        "Mara is concentrating on veil",
    ):
        assert line in lines, line


@pytest.mark.rule("segments.grid.melee-zone")
def test_melee_without_names_ends_when_nobody_else_is_in_it() -> None:
    enc = table("Mara", "Vex", "Orc")
    enc.condition(["Mara", "Vex"], "in_melee")
    roll(enc, 6, 1)
    enc.condition("Vex", "dead")
    assert "in_melee" not in [c.id for c in enc["Mara"].conditions]
    # While somebody else is in it, it goes on; where only one was marked, anybody may be whom they fight.
    enc = table("Mara", "Vex", "Orc")
    enc.condition(["Mara", "Vex", "Orc"], "in_melee")
    enc.condition("Vex", "dead")
    assert "in_melee" in [c.id for c in enc["Mara"].conditions]
    enc = table("Mara", "Vex", "Orc")
    enc.condition("Mara", "in_melee")
    enc.condition("Vex", "dead")
    assert "in_melee" in [c.id for c in enc["Mara"].conditions]


def test_uses_count_times_and_not_arrows() -> None:
    enc = table("Mara", "Vex", Mara=BOW | {"uses": {"longbow": 3}})
    roll(enc, 6, 1)
    enc.do("Mara", "missile_attack", target="Vex", rolls=[2, 2])
    assert enc["Mara"].values["uses"] == {"longbow": 2}
    assert left(enc, "Mara", "major") == 0
    assert not cites(events(enc, "damage"), "segments.dmg.mult-all")


# ── the GM's hand ──


@pytest.mark.rule("segments.seq.5-high-low")
@pytest.mark.parametrize("where", [{"before": "Mara"}, {"after": "Mara"}, {"count": "HIGH"}])
def test_whoever_is_placed_in_a_half_that_is_over_comes_next(where: Any) -> None:
    """Placing somebody never costs them the turn."""
    enc = table("Mara", "Vex", "Orc")
    roll(enc, 6, 1)
    enc.end_turn()
    enc.place("Orc", at=None, **where)
    assert turns(enc) == [(5, "Vex"), (5, "Orc")]
    enc = table("Mara", "Bo", "Vex")
    roll(enc, 6, 1)
    enc.end_turn()
    enc.place("Bo", count="LOW")
    assert enc.clock.phase == "LOW"
    enc.place("Bo", count="HIGH")
    assert {who for _, who in turns(enc)} == {"Bo", "Vex"}


# ── checks ──


@pytest.mark.rule("segments.conc.break-save")
@pytest.mark.parametrize(("face", "met"), [(13, False), (14, True)])
@pytest.mark.parametrize("how", ["needed", "the only one", "by name"])
def test_a_save_is_rolled_against_the_number_to_meet(how: str, face: int, met: bool) -> None:
    """14 is needed: a 13 fails and "caster fails a save" breaks concentration."""
    sheets: dict[str, dict[str, int]] = {
        "needed": {},
        "the only one": {"poison": 14, "morale": 8},
        "by name": {"Poison": 14, "wands": 3},
    }
    enc = table("Mara", "Vex", Mara={"checks": sheets[how]})
    enc.condition("Mara", "concentration", value="veil")
    calls: dict[str, dict[str, Any]] = {
        "needed": {"needed": 14},
        "the only one": {},
        "by name": {"option": "Poison"},
    }
    given = calls[how]
    assert enc.can("Mara", "save", **given).needed == 14
    happened = enc.do("Mara", "save", rolls={"save": [face]}, **given)
    (event,) = [e for e in happened if e.kind == "roll"]
    assert (event.amount, event.data["needed"], event.data["outcome"]) == (face, 14, "passed" if met else "failed")
    assert ("concentration" in [c.id for c in enc["Mara"].conditions]) is met
    assert f": 1d20 {face}, needs 14: {'passed' if met else 'failed'}" in told(enc)
    row = enc.history.flat.rolls.tail(1)
    assert (row["total"][0], row["needed"][0], row["outcome"][0]) == (face, 14, "passed" if met else "failed")


@pytest.mark.rule("segments.ehd.morale")
def test_morale_has_the_bonus_of_enhanced_hit_dice() -> None:
    """ "a bonus to morale checks equal to the enhanced hit dice bonus": 4+4 hit dice, so that a 6 comes to 10."""
    enc = table("Mara", "Vex", Vex={"hit_dice": "4+4", "checks": {"morale": 10}})
    (event,) = [e for e in enc.do("Vex", "morale", rolls={"morale": [6]}) if e.kind == "roll"]
    assert (event.amount, event.data["outcome"]) == (10, "passed")
    assert "Vex checks morale: 1d20 6 + 4 = 10, needs 10: passed" in told(enc)
    (event,) = [e for e in enc.do("Vex", "morale", modifiers=-2, rolls={"morale": [6]}) if e.kind == "roll"]
    assert (event.amount, event.data["outcome"]) == (8, "failed")
    seeded = [e for e in enc.do("Vex", "morale", needed=12) if e.kind == "roll"]
    assert seeded[0].data["source"] == "seeded"


@pytest.mark.rule("segments.ehd.morale")
def test_no_other_check_has_that_bonus() -> None:
    enc = table("Mara", "Vex", Vex={"hit_dice": "4+4", "checks": {"morale": 10, "save": 10}})
    assert [enc.can("Vex", check).notation for check in ("morale", "save")] == ["1d20+4", "1d20"]


@pytest.mark.rule("segments.conc.break-save")
@pytest.mark.parametrize(("outcome", "word"), [("failed", "failed"), ("negated", "passed")])
def test_what_a_check_comes_to_is_told_once(outcome: str, word: str) -> None:
    enc = table("Mara", "Vex", Mara={"checks": {"save": 14}})
    for params, dice in (({}, ""), ({"option": "poison"}, ""), ({"rolls": {"save": [3]}}, ", 1d20 3, needs 14")):
        event, *_ = enc.do("Mara", "save", outcome=outcome, **params)
        assert event.text == f"makes a saving throw{' against poison' * ('option' in params)}: {word}"
        assert told(enc).splitlines()[-1].rstrip(".") == f"Mara {event.text}{dice}"
    event, *_ = enc.do("Mara", "morale", outcome=outcome)
    assert event.text == f"checks morale: {word}"


def test_a_check_without_a_number_takes_what_the_table_says() -> None:
    enc = table("Mara", "Vex")
    assert refused(enc, "Mara", "save").reason == "Give the number to meet, or what the check comes to."
    enc.condition("Mara", "concentration", value="veil")
    enc.do("Mara", "save", outcome="negated")
    happened = enc.do("Mara", "save", outcome="failed", rolls={"save": [3]})
    assert [e.data["faces"] for e in happened if e.kind == "roll"] == [[3]]
    assert "concentration" not in [c.id for c in enc["Mara"].conditions]
    with pytest.raises(ck.InvalidInput, match="from 1 to 100"):
        enc.do("Mara", "save", needed=0)
    with pytest.raises(ck.InvalidInput, match="checks"):
        enc.edit("Mara", checks={"poison": "high"})
    enc.condition("Mara", "blessed", modifiers={"save": 2})
    (event,) = [e for e in enc.do("Mara", "save", needed=14, rolls={"save": [12]}) if e.kind == "roll"]
    assert (event.amount, event.data["outcome"]) == (14, "passed")


@pytest.mark.rule("segments.seq.surprise")
def test_the_surprise_check_that_opens_the_fight_says_both_numbers() -> None:
    """ "The GM will check for Surprise": whoever has a number for it rolls, unless the GM has named them."""
    sheet = {"checks": {"surprise": 12}}
    enc = fight("Mara", "Bo", "Vex", start=False, Mara=sheet, Bo=sheet, Vex=sheet)
    enc.start(surprised=["Vex"], rolls={"Mara": [11], "Bo": [12]})
    assert {n for n in ("Mara", "Bo", "Vex") if "surprised" in [c.id for c in enc[n].conditions]} == {"Mara", "Vex"}
    lines = told(enc)
    assert "Mara is checked for surprise: 1d20 11, needs 12: failed" in lines
    assert "Bo is checked for surprise: 1d20 12, needs 12: passed" in lines


def test_players_read_no_number_that_a_foe_needs() -> None:
    enc = table("Mara", "Vex", Vex={"checks": {"poison": 14}, "npc": True})
    enc.do("Vex", "save", rolls={"save": [3]})
    lines = ck.CombatLog(enc, view="players").view["lines"].values()
    read = "\n".join(plain(line["text"]) for line in lines)
    assert "failed" in read
    assert "needs" not in read


@pytest.mark.rule("segments.free.mods")
def test_a_free_attack_on_whoever_flees_has_the_bonus_of_the_table() -> None:
    """ "In many cases, a free attack will be granted with a bonus to the attack roll (ex. Flee Melee)"."""
    for bonus in (0, 4):
        enc = table("Mara", "Vex", options={"flee_bonus": bonus})
        enc.condition("Mara", "in_melee", value=["Vex"])
        enc.condition("Vex", "in_melee", value=["Mara"])
        enc.do("Vex", "declare", action="flee")
        roll(enc, 6, 1)
        enc.do("Vex", "flee")
        assert enc.can("Mara", "free_attack", target="Vex").notation == ("1d20+4" if bonus else "1d20")
        assert any("Vex flees: free attack at +4" in offer.about for offer in enc.pending) is bool(bonus)
        happened = enc.do("Mara", "free_attack", target="Vex", rolls={"attack": [8]}, damage=3)
        (blow,) = [e for e in happened if e.kind == "attack"]
        assert (blow.amount, blow.data["needed"], blow.data["outcome"]) == (8 + bonus, 10, "hit" if bonus else "miss")
        assert cites([blow], "segments.free.mods") is bool(bonus)
        # Another time it has none.
        to_round(enc, 2)
        enc.do("Mara", "free_attack", target="Vex", trigger="Vex stumbles", rolls={"attack": [9]}, damage=1)
        assert events(enc, "attack")[-1].amount == 9


def test_notes_say_with_whom_somebody_is_in_melee() -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="a")
    enc.add("Dray", side="b")
    enc.start()
    enc.condition("Mara", "in_melee", value=["Dray"])
    assert "in melee with Dray" in static_picture(enc)


def static_picture(enc: ck.Encounter) -> str:
    """Return what a tracker shows where no front end runs."""
    bundle: Any = ck.Tracker(enc)._repr_mimebundle_()
    return str(bundle)


@pytest.mark.rule("segments.minor.adds-speed", "segments.innate.d1")
@pytest.mark.parametrize("uses", [True, False])
def test_a_declared_ability_slows_what_follows_only_if_it_is_used(uses: bool) -> None:
    enc = table("Mara", "Vex")
    enc.do("Mara", "declare", action="glare")
    enc.do("Mara", "declare", action="attack")
    roll(enc, 4, 4)
    if uses:
        enc.do("Mara", "glare", target="Vex")
    enc.end_turn()
    own = [dict(rung.key) for rung in enc.order if rung.combatant == "Mara"][-1]
    assert (own["type"], own["speed"]) == ("D3", 6 if uses else 5)


@pytest.mark.rule("segments.delaying.1seg", "segments.simple.alone-d4")
def test_a_delaying_activity_alone_takes_as_long_as_a_simple_one() -> None:
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="delaying_activity")
    enc.do("Bo", "declare", action="simple_activity")
    roll(enc, 1, 6)
    assert [dict(rung.key)["segments"] for rung in enc.order if rung.combatant != "Vex"] == [1, 1]


@pytest.mark.rule("segments.conc.half-move")
def test_the_feet_a_caster_has_gone_end_with_the_round_in_silence() -> None:
    enc = table("Mara", "Vex", Mara={"movement": 120})
    enc.condition("Mara", "concentration", value="veil")
    roll(enc, 6, 1)
    enc.do("Mara", "move", feet=60)
    to_round(enc, 2)
    assert "walked" not in told(enc)
