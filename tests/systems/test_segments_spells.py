"""Segments: spells from the declaration to the effect, concentration, line of effect and of sight, attributes."""

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
from tests.systems.table import holds, refused

ASKS = "Name a target or a point, or say that there is no target."


def casting(spell: str = "fireball", *others: str, **stats: Any) -> ck.Encounter:
    """Mara casts at Vex; the fight stands after D1 of HIGH."""
    enc = fight("Mara", *others, "Vex", tables={"actions": SPELLS}, **stats)
    enc.do("Mara", "declare", spell=spell)
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    return enc


def resolving(spell: str = "fireball", **stats: Any) -> ck.Encounter:
    """Mara is about to complete her spell at Vex, in step 7."""
    enc = casting(spell, **stats)
    to_turn(enc, "Mara", 7)
    return enc


# ── what a spell is ──


@pytest.mark.rule("segments.spell.one", "segments.spell.def")
def test_one_spell_a_round_immediate_ones_included() -> None:
    rows = [*SPELLS, {"id": "drain", "title": "Drain", "tags": ["innate"], "cost": "spell"}]
    enc = fight("Mara", "Vex", tables={"actions": rows})
    enc.do("Mara", "declare", spell="fireball")
    assert left(enc, "Mara", "spell") == 0
    assert refused(enc, "Mara", "feather_fall").rule == "segments.spell.one"
    enc.do("Mara", "declare", spell="staff")  # in its place
    assert left(enc, "Mara", "spell") == 0
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    assert refused(enc, "Mara", "feather_fall").rule == "segments.spell.one"
    enc.do("Vex", "feather_fall")
    to_turn(enc, "Vex")
    assert "segments.spell.one" in refused(enc, "Vex", "drain").rules
    # Incantation, invocation and spell-like ability: each of them is the one.
    for spell in ("fireball", "staff", "feather_fall", "drain"):
        enc = fight("Mara", "Vex", tables={"actions": rows})
        if spell in ("fireball", "staff"):
            enc.do("Mara", "declare", spell=spell)
        else:
            roll(enc)
            enc.do("Mara", spell)
        assert left(enc, "Mara", "spell") == 0
    assert rule("spell.def").kind == "definition"


@pytest.mark.rule("segments.major.one")
def test_a_spell_that_was_given_up_for_an_attack_is_not_said_to_be_cast() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Mara", "declare", action="invocation")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 5)
    enc.do("Mara", "attack", target="Vex")
    no = refused(enc, "Mara", "invocation")
    assert (no.reason, no.rule) == ("Mara has given up invocation this round.", "segments.major.one")


@pytest.mark.rule("segments.spell.one")
def test_a_spell_that_was_cast_is_said_to_be() -> None:
    enc = resolving()
    enc.do("Mara", "fireball")
    no = refused(enc, "Mara", "fireball")
    assert (no.reason, no.rule) == ("Mara has cast fireball this round.", "segments.spell.one")
    enc.adjust("Mara", "spell", 1)
    enc.adjust("Mara", "major", 1)
    anew = refused(enc, "Mara", "fireball", target="Vex")  # one that the GM grants has to be declared, too
    assert anew.rules == ("segments.seq.1-declare",)


@pytest.mark.rule("segments.spell.innate-gm")
def test_an_innate_ability_counts_as_a_spell_where_the_gm_says_so() -> None:
    gaze = {"id": "gaze", "title": "Gaze", "tags": ["innate", "fear"]}
    enc = rolled("Mara", "Vex", tables={"actions": [gaze, {**gaze, "id": "charm", "title": "Charm", "cost": "spell"}]})
    enc.do("Mara", "gaze", target="Vex")
    assert left(enc, "Mara", "spell") == 1
    enc.do("Mara", "charm", target="Vex")
    assert (left(enc, "Mara", "spell"), left(enc, "Mara", "major")) == (0, 1)
    assert rule("spell.innate-gm").kind == "gm"


@pytest.mark.rule("segments.ability.default-innate")
def test_an_ability_without_notation_is_innate_minor_and_takes_a_segment() -> None:
    enc = rolled("Mara", "Vex", tables={"actions": [{"id": "spit", "title": "Spit"}]})
    made = enc.ruleset.catalogue(enc._state)["spit"]
    assert (made.tags, made.cost) == (("innate",), "minor")
    assert enc.do("Mara", "spit", target="Vex")[0].data["segments"] == 1
    assert (used(enc, "Mara"), left(enc, "Mara", "major")) == (1, 1)


@pytest.mark.rule("segments.invoc.time")
def test_an_invocation_takes_its_listed_segments_else_one() -> None:
    enc = casting("staff")
    assert next(c.value["segments"] for c in enc["Mara"].conditions if c.id == "casting") == 4
    to_turn(enc, "Mara", 7)
    assert enc.do("Mara", "staff")[0].data["segments"] == 4
    enc = casting("wand")
    assert next(c.value["segments"] for c in enc["Mara"].conditions if c.id == "casting") == 1


@pytest.mark.rule("segments.invoc.declared-major", "segments.incant.similar")
def test_invocations_are_declared_and_major_and_incantations_alike() -> None:
    enc = rolled("Mara", "Vex", tables={"actions": SPELLS})
    ruling = refused(enc, "Mara", "staff", target="Vex")
    assert (ruling.rule, "segments.invoc.declared-major" in ruling.rules) == ("segments.seq.1-declare", True)
    ruling = refused(enc, "Mara", "fireball", target="Vex")
    assert (ruling.rule, "segments.incant.similar" in ruling.rules) == ("segments.seq.1-declare", True)
    for spell in ("staff", "fireball"):
        enc = resolving(spell)
        enc.do("Mara", spell)
        assert left(enc, "Mara", "major") == 0
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="staff")
    enc.do("Mara", "declare", action="attack")
    assert "casting" not in holds(enc, "Mara")


@pytest.mark.rule("segments.invoc.start-1")
def test_activation_begins_on_the_first_segment() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="staff")
    assert (enc.clock.segment, "casting" in holds(enc, "Mara")) == (1, True)
    roll(enc)
    ticks = enc.ruleset.presentation.now(enc._state).strips[1]
    assert ticks["type"] == "ticks"
    (bar,) = ticks["bars"]
    assert (bar["name"], bar["from"], bar["to"]) == ("Mara", 1, 4)


# ── the target ──


@pytest.mark.rule("segments.target.not-declared", "segments.target.d1")
def test_the_target_is_announced_in_d1_of_the_casters_half_and_cannot_be_passed_over() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    enc.do("Vex", "declare", spell="sleep")
    assert "target" not in next(c.value for c in enc["Mara"].conditions if c.id == "casting")
    assert refused(enc, "Mara", "announce_target", target="Vex").rule == "segments.target.d1"
    roll(enc, party=5, foes=2)
    assert (enc.active, enc.clock.phase) == (None, "HIGH")
    assert enc.clock.label == "Round 1, HIGH half, innate (D1)"
    (offer,) = enc.pending
    assert (offer.who, offer.must, offer.actions, offer.rule) == (
        "Mara",
        True,
        ("announce_target",),
        "segments.target.d1",
    )
    with pytest.raises(ck.IllegalAction):
        enc.resolve()
    with pytest.raises(ck.IllegalAction):
        enc.end_turn()
    assert refused(enc, "Vex", "announce_target", target="Mara").rule == "segments.target.d1"
    enc.do("Mara", "announce_target", target=["Vex", "Bo"])
    assert (enc.pending, enc.active) == ((), "Bo")
    assert refused(enc, "Mara", "announce_target", target="Vex").rule == "segments.target.d1"
    enc.end_turn()
    assert [(o.who, o.must) for o in enc.pending] == [("Vex", True)]
    assert enc.clock.phase == "LOW"
    enc.do("Vex", "announce_target", target="Mara")
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "fireball", damage=5)
    assert (hp(enc, "Vex"), hp(enc, "Bo")) == (25, 25)


def asked(spell: str = "fireball", **stats: Any) -> ck.Encounter:
    """Mara is asked for the target of her spell, in D1 of HIGH."""
    enc = fight("Mara", "Vex", "Ossik", tables={"actions": SPELLS}, **stats)
    enc.do("Mara", "declare", spell=spell)
    roll(enc)
    return enc


@pytest.mark.rule("segments.target.d1", "segments.loe.opening")
def test_a_spell_is_aimed_at_a_point_or_an_object_as_well() -> None:
    enc = asked()
    assert [(o.who, o.must) for o in enc.pending] == [("Mara", True)]
    aimed = enc.do("Mara", "announce_target", point="the door")
    assert [e.text for e in aimed if e.kind == "effect"] == ["aims fireball at the door"]
    assert (enc.pending, enc.active) == ((), "Vex")
    to_turn(enc, "Mara", 7)
    # Whoever is caught where it goes off is named as it is completed.
    happened = enc.do("Mara", "fireball", target=["Vex", "Ossik"], damage=6)
    assert "has cast fireball at the door" in [e.text for e in happened]
    assert [hp(enc, name) for name in ("Vex", "Ossik")] == [24, 24]
    # A square is measured as a target is: 24 squares are 120 ft.
    for square, allowed in (((24, 0), True), ((25, 0), False)):
        enc = asked()
        enc.place("Mara", at=(0, 0))
        enc.do("Mara", "announce_target", point=square)
        to_turn(enc, "Mara", 7)
        ruling = enc.can("Mara", "fireball")
        assert (ruling.allowed, ruling.rule) == (allowed, ruling.rule if allowed else "segments.grid.measure")


@pytest.mark.rule("segments.target.d1")
def test_a_spell_without_a_target_says_so_and_can_take_none_later() -> None:
    enc = asked("bless")
    happened = enc.do("Mara", "announce_target", option="no target")
    assert "announces no target" in [e.text for e in happened]
    to_turn(enc, "Mara", 7)
    ruling = refused(enc, "Mara", "bless", target="Vex")
    assert (ruling.rule, ruling.reason) == ("segments.target.d1", "Mara has announced no target, not Vex.")
    enc.do("Mara", "bless")
    assert "concentration" in holds(enc, "Mara")


@pytest.mark.rule("segments.target.d1")
def test_what_is_announced_is_one_thing_and_one_there_is() -> None:
    enc = asked()
    assert refused(enc, "Mara", "announce_target").reason == ASKS
    ruling = refused(enc, "Mara", "announce_target", target="Vex", point="the door")
    assert ruling.reason == "Aim the spell at only one of these: target or point."
    with pytest.raises(ck.InvalidInput, match="option is 'nobody'; it is 'no target'"):
        enc.do("Mara", "announce_target", option="nobody")
    with pytest.raises(ck.InvalidInput, match="give one place, or the name of an object"):
        enc.do("Mara", "announce_target", point=[(1, 1), (2, 2)])


# ── casting ──


@pytest.mark.rule("segments.cast.deep", "segments.cast.lost")
def test_an_incantation_broken_while_it_is_cast_is_lost_as_if_cast() -> None:
    enc = casting("fireball", "Bo")
    to_turn(enc, "Vex")
    happened = enc.do("Vex", "attack", target="Mara", damage=1, rolls=[20])
    (lost,) = [e for e in happened if e.kind == "stopped"]
    assert (lost.actor, lost.action) == ("Mara", "fireball")
    assert lost.rules == ("segments.cast.lost", "segments.conc.break-damage")
    assert "casting" not in holds(enc, "Mara")
    assert (left(enc, "Mara", "spell"), left(enc, "Mara", "major")) == (0, 0)
    assert turns(enc) == [(5, "Vex"), (7, "Mara")]  # for minor actions
    # A lost spell still counts as the one of the round.
    enc = casting("fireball", "Bo")
    enc.adjust("Mara", by=-1)
    assert refused(enc, "Mara", "feather_fall").rule == "segments.spell.one"
    to_round(enc, 2)
    assert (left(enc, "Mara", "spell"), left(enc, "Mara", "major")) == (1, 1)


def test_a_caster_hurt_before_the_target_was_announced_has_none_to_announce() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    assert [o.who for o in enc.pending] == ["Mara"]
    enc.adjust("Mara", by=-2)
    assert (enc.pending, enc.active) == ((), "Bo")
    to_turn(enc, "Mara")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.cast.lost"
    enc.do("Mara", "speak")


def test_a_spell_that_is_not_resolved_in_the_round_is_lost() -> None:
    enc = resolving()
    happened = enc.end_turn()
    assert cites(happened, "segments.cast.lost")
    assert enc.clock.round == 2


def test_the_gm_going_on_to_the_next_round_loses_what_was_being_cast() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    happened = enc.next_round(rolls={"party": [4], "foes": [4]})
    assert (enc.clock.round, enc.pending, enc.active) == (2, (), None)
    assert cites(happened, "segments.cast.lost")


# ── concentration ──


@pytest.mark.rule("segments.conc.break-damage")
def test_damage_always_breaks_concentration() -> None:
    enc = rolled("Vex", "Mara", party=2, foes=5)
    enc.condition("Mara", "concentration", value="Bless")
    enc.do("Vex", "attack", target="Mara", rolls=[1], damage=4)
    assert "concentration" in holds(enc, "Mara")
    to_round(enc, 2)
    roll(enc, 2, 5)
    assert cites(enc.do("Vex", "attack", target="Mara", rolls=[20], damage=1), "segments.conc.break-damage")
    assert "concentration" not in holds(enc, "Mara")
    enc.condition("Mara", "concentration", value="Bless")
    enc.adjust("Mara", by=3)
    assert "concentration" in holds(enc, "Mara")
    enc.adjust("Mara", by=-1)
    assert "concentration" not in holds(enc, "Mara")


@pytest.mark.rule("segments.conc.break-save")
def test_a_failed_save_always_breaks_it() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Mara", "concentration", value="Bless")
    for wrong in ("passed", "hit"):
        with pytest.raises(ck.InvalidInput, match=f"save: outcome is '{wrong}'; give failed or negated"):
            enc.do("Mara", "save", outcome=wrong)
    enc.do("Mara", "save", outcome="negated")
    assert "concentration" in holds(enc, "Mara")
    assert cites(enc.do("Mara", "save", outcome="failed"), "segments.conc.break-save")
    assert "concentration" not in holds(enc, "Mara")
    enc = casting()
    enc.do("Mara", "save", outcome="failed")
    assert "casting" not in holds(enc, "Mara")


@pytest.mark.rule("segments.conc.break-impede")
@pytest.mark.parametrize("condition", ["prone", "stunned", "hampered", "limited", "unconscious"])
def test_impeded_movement_or_ability_to_act_always_breaks_it(condition: str) -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Mara", "concentration", value="Bless")
    enc.condition("Mara", "blessed")
    assert "concentration" in holds(enc, "Mara")
    assert cites(enc.condition("Mara", condition), "segments.conc.break-impede")
    assert "concentration" not in holds(enc, "Mara")


@pytest.mark.rule("segments.conc.marked", "segments.conc.loss", "segments.conc.one")
def test_a_maintained_effect_is_noted_ends_with_its_concentration_and_gives_way_to_another() -> None:
    enc = resolving("bless")
    assert enc.ruleset.catalogue(enc._state)["bless"].facts["concentration"] is True
    enc.do("Mara", "bless")
    (held,) = [c for c in enc["Mara"].conditions if c.id == "concentration"]
    assert (held.value, held.rule) == ("Bless", "segments.conc.marked")
    # A second action that needs concentration, the casting of any incantation, ends it.
    to_round(enc, 2)
    enc.do("Mara", "declare", spell="fireball")
    assert "concentration" in holds(enc, "Mara")  # casting begins on the first segment, and not as it is declared
    happened = enc.end_turn(rolls={"party": [5], "foes": [2]})
    ended = next(e for e in happened if e.kind == "effect_end")
    assert ended.rules == ("segments.conc.one", "segments.conc.loss")
    assert ended.text == "concentrates on something else: concentration is broken, Bless ends"
    rows = [{"id": "hover", "title": "Hover", "tags": ["innate", "concentration"]}]
    enc = rolled("Mara", "Vex", tables={"actions": rows})
    enc.condition("Mara", "concentration", value="Bless")
    enc.do("Mara", "hover")
    assert [c.value for c in enc["Mara"].conditions if c.id == "concentration"] == ["Hover"]
    assert cites(events(enc, "effect_end"), "segments.conc.loss")


@pytest.mark.rule("segments.invoc.start-1", "segments.conc.one")
def test_an_invocation_needs_no_concentration_and_ends_none() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.condition("Mara", "concentration", value="Bless")
    enc.do("Mara", "declare", spell="staff")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "staff")
    assert "concentration" in holds(enc, "Mara")


@pytest.mark.rule("segments.conc.half-move", "segments.conc.native-full")
def test_one_who_concentrates_walks_half_its_movement_and_flies_or_swims_all_of_it() -> None:
    enc = rolled("Mara", "Vex", Mara={"movement": 120}, Vex={"movement": {"walk": 90, "fly": 240}})
    for name in ("Mara", "Vex"):
        enc.condition(name, "concentration", value="Bless")
    enc.do("Mara", "move", feet=60)
    assert "concentration" in holds(enc, "Mara")
    to_turn(enc, "Vex")
    enc.do("Vex", "move", feet=240, option="fly")
    enc.do("Vex", "position", feet=0)
    assert "concentration" in holds(enc, "Vex")


@pytest.mark.rule("segments.conc.half-move", "segments.conc.native-full", "segments.conc.loss")
@pytest.mark.parametrize(
    ("move", "rule", "limit"),
    [
        ({"feet": 46}, "half-move", "half their movement, 45 ft"),
        ({"feet": 241, "option": "fly"}, "native-full", "their fly movement, 240 ft"),
    ],
)
def test_who_goes_faster_than_that_may_and_loses_the_effect(move: dict[str, Any], rule: str, limit: str) -> None:
    enc = rolled("Mara", "Vex", Mara={"movement": {"walk": 90, "fly": 240}})
    enc.condition("Mara", "concentration", value="Bless")
    happened = enc.do("Mara", "move", **move)
    (lost,) = [e for e in happened if e.kind == "effect_end"]
    assert lost.rules == (f"segments.conc.{rule}", "segments.conc.loss")
    assert lost.text == f"goes {move['feet']} ft, more than {limit}: concentration is broken, Bless ends"
    assert "concentration" not in holds(enc, "Mara")


@pytest.mark.rule("segments.conc.half-move")
def test_half_the_movement_is_for_the_whole_round_and_the_gms_word_is_no_way_round_it() -> None:
    for feet, kept in ((5, True), (6, False)):
        enc = rolled("Mara", "Vex", Mara={"movement": 120})
        enc.condition("Mara", "concentration", value="Bless")
        enc.do("Mara", "move", feet=55)
        enc.do("Mara", "position", feet=feet)
        assert ("concentration" in holds(enc, "Mara")) is kept
    enc = rolled("Mara", "Vex", Mara={"movement": 120})
    enc.condition("Mara", "concentration", value="Bless")
    to_turn(enc, "Vex")
    enc.do("Mara", "move", feet=100, override=True)
    assert "concentration" not in holds(enc, "Mara")


@pytest.mark.rule("segments.conc.half-move")
def test_what_was_walked_counts_to_the_end_of_the_round_and_no_longer() -> None:
    enc = rolled("Mara", "Vex", Mara={"movement": 120})
    enc.condition("Mara", "concentration", value="Bless")
    enc.do("Mara", "move", feet=55)
    to_turn(enc, "Vex")
    assert [c.until for c in enc["Mara"].conditions if c.id == "walked"] == ["end of round"]
    to_round(enc, 2)
    assert holds(enc, "Mara") == {"concentration"}
    to_turn(enc, "Mara", 5)
    enc.do("Mara", "move", feet=60)
    assert "concentration" in holds(enc, "Mara")


@pytest.mark.rule("segments.conc.no-penalty")
def test_maintaining_costs_nothing_in_combat() -> None:
    enc = rolled("Mara", "Vex")
    before = (enc.can("Mara", "attack", target="Vex"), enc["Mara"].values["ac"])
    enc.condition("Mara", "concentration", value="Bless")
    assert (enc.can("Mara", "attack", target="Vex"), enc["Mara"].values["ac"]) == before
    data = enc.do("Mara", "attack", target="Vex", rolls=[12])[1].data
    assert (data["modifiers"], data["total"]) == ({}, 12)
    assert "concentration" in holds(enc, "Mara")


# ── line of effect, line of sight ──


@pytest.mark.rule("segments.loe.needed", "segments.loe.blocks")
@pytest.mark.parametrize("what", ["wall", "glass", "corner", "water"])
def test_what_lies_between_blocks_the_line_of_effect(what: str) -> None:
    enc = resolving()
    enc.condition("Vex", "barrier", value=what)
    ruling = refused(enc, "Mara", "fireball")
    assert ruling.rule == "segments.loe.blocks"
    assert "segments.loe.needed" in ruling.rules
    enc.condition("Vex", "barrier", off=True)
    assert enc.can("Mara", "fireball").allowed
    # Beyond touch only.
    enc = resolving("cure")
    enc.condition("Vex", "barrier", value=what)
    assert enc.can("Mara", "cure").allowed


def test_under_water_both_reach_each_other() -> None:
    enc = resolving()
    enc.condition("Vex", "barrier", value="water")
    assert not enc.can("Mara", "fireball").allowed
    enc.condition("Mara", "barrier", value="water")
    assert enc.can("Mara", "fireball").allowed
    enc.condition("Vex", "barrier", off=True)
    assert refused(enc, "Mara", "fireball").rule == "segments.loe.blocks"
    for name in ("Mara", "Vex"):
        enc.condition(name, "barrier", value="wall")
    assert not enc.can("Mara", "fireball").allowed


@pytest.mark.rule("segments.loe.opening")
def test_a_clear_opening_of_a_foot_is_enough() -> None:
    enc = resolving()
    enc.condition("Vex", "barrier", value={"what": "wall", "opening": 0.5})
    assert refused(enc, "Mara", "fireball").rule == "segments.loe.blocks"
    enc.condition("Vex", "barrier", value={"what": "wall", "opening": 1})
    assert enc.can("Mara", "fireball").allowed


@pytest.mark.rule("segments.loe.cover")
def test_more_than_half_cover_blocks_the_line_of_effect() -> None:
    enc = resolving()
    enc.condition("Vex", "cover", value=50)
    assert enc.can("Mara", "fireball").allowed
    enc.condition("Vex", "cover", value=51)
    assert refused(enc, "Mara", "fireball").rule == "segments.loe.cover"


@pytest.mark.rule("segments.los.needed", "segments.los.conceal")
def test_three_quarters_concealment_blocks_the_line_of_sight() -> None:
    enc = resolving()
    enc.condition("Vex", "concealment", value=74)
    assert enc.can("Mara", "fireball").allowed
    enc.condition("Vex", "concealment", value=75)
    ruling = refused(enc, "Mara", "fireball")
    assert ruling.rule == "segments.los.conceal"
    assert "segments.los.needed" in ruling.rules
    enc = resolving("cure")
    enc.condition("Vex", "concealment", value=100)
    assert enc.can("Mara", "cure").allowed


@pytest.mark.rule("segments.los.when")
def test_sight_is_tested_when_the_casting_is_complete() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.condition("Vex", "concealment", value=90)
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")  # not now
    to_turn(enc, "Mara", 7)
    assert not enc.can("Mara", "fireball").allowed  # but now
    enc.condition("Vex", "concealment", off=True)
    enc.do("Mara", "fireball")


def test_a_spell_reaches_as_far_as_its_range_from_centre_to_centre() -> None:
    enc = resolving("fireball")
    enc.place("Mara", at=(0, 0))
    enc.place("Vex", at=(24, 0))
    assert enc.can("Mara", "fireball").allowed  # 120 ft
    enc.place("Vex", at=(24, 1))
    assert refused(enc, "Mara", "fireball").rule == "segments.grid.measure"


# ── attributes ──


@pytest.mark.rule("segments.attr.magic-tags", "segments.attr.implied")
def test_immunity_to_an_attribute_is_immunity_to_the_effect_also_where_it_is_implied() -> None:
    rows = [*SPELLS, {"id": "scare", "title": "Scare", "tags": ["incantation", "fear"], "segments": 1}]
    for immunity, harmed in (("fear", False), ("mind-affecting", False), ("fire", True)):
        enc = fight("Mara", "Vex", tables={"actions": rows})
        enc.condition("Vex", "immune", value=immunity)
        enc.do("Mara", "declare", spell="scare")
        roll(enc)
        enc.do("Mara", "announce_target", target="Vex")
        to_turn(enc, "Mara", 7)
        happened = enc.do("Mara", "scare", damage=5)
        outcomes = [e.data["outcome"] for e in happened if e.kind == "attack"]
        assert (hp(enc, "Vex") == 25, outcomes == ["negated"]) == (harmed, not harmed)
    # Others can be told what they imply.
    charm = {"id": "charm", "title": "Charm", "tags": ["innate", "enchantment"]}
    tables = {"actions": [charm], "attributes": [{"id": "enchantment", "implies": ["mind-affecting"]}]}
    enc = rolled("Mara", "Vex", tables=tables)
    enc.condition("Vex", "immune", value=["mind-affecting"])
    assert enc.do("Mara", "charm", target="Vex")[1].data["outcome"] == "negated"


# ── the notation of abilities ──


@pytest.mark.rule("segments.note.ability", "segments.note.innate")
def test_ability_notation_is_read_with_what_the_source_takes_for_granted() -> None:
    rows: list[dict[str, Any]] = [
        {"id": "a", "title": "A", "notation": "(major, 3 segments)"},
        {"id": "b", "title": "B", "notation": "(minor)"},
        {"id": "c", "title": "C", "notation": "(immediate)"},
        {"id": "d", "title": "D", "notation": "[innate; fear, cold] (minor, 2 segments)"},
        {"id": "e", "title": "E", "notation": "[invocation]"},
        {"id": "f", "title": "F", "notation": "[invocation; fire] (declared; major; 1 round)"},
        {"id": "g", "title": "G", "notation": "[complex]"},
        {"id": "h", "title": "H", "notation": "[delaying] (major, 3 segments)"},
        {"id": "i", "title": "I", "notation": "[immediate] (major)"},
    ]
    enc = fight("Mara", tables={"actions": rows})
    made = {a.id: a for a in enc.ruleset.catalogue(enc._state)}
    assert {id: (made[id].cost, made[id].facts["segments"]) for id in "abcdefghi"} == {
        "a": ("major", 3),
        "b": ("minor", 1),
        "c": ("immediate", 0),
        "d": ("minor", 2),
        "e": ("spell", 1),
        "f": ("spell", 10),
        "g": ("complex", 10),
        "h": ("major", 3),
        "i": ("immediate_attack", 0),
    }
    assert made["d"].tags == ("innate", "fear", "cold")
    assert made["f"].tags == ("invocation", "fire")
    assert [rule(id).kind for id in ("note.ability", "note.innate", "note.attack")] == ["definition"] * 3
    with pytest.raises(ck.InvalidInput, match="it reads like"):
        fight("Mara", tables={"actions": [{"id": "z", "title": "Z", "notation": "innate"}]})


@pytest.mark.parametrize(
    ("row", "says"),
    [
        ({"id": "x"}, "title is None"),
        ({"id": "x", "title": "X", "colour": "red"}, "column of an action"),
        ({"id": "x", "title": "X", "segments": -1}, "segments is -1"),
        ({"id": "x", "title": "X", "range": "far"}, "range is 'far'"),
        ({"id": "x", "title": "X", "tags": 5}, "tags is 5"),
        ({"id": "x", "title": "X", "cost": "swift"}, "swift"),
        ({"id": "x", "title": "X", "when": "never"}, "when is 'never'"),
        ({"id": "attack", "title": "Attack"}, "is already there"),
    ],
)
def test_rows_that_cannot_be_are_refused(row: dict[str, Any], says: str) -> None:
    enc = fight("Mara", start=False)
    before = enc.digest
    with pytest.raises(ck.CombatkitError, match=says):
        enc.add_table("actions", [row])
    assert enc.digest == before


def test_a_minor_action_of_a_segment_adds_to_the_casting_time() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="speak")
    enc.do("Mara", "declare", spell="sleep")  # 1 and 1
    enc.do("Bo", "declare", spell="sleep")
    roll(enc)
    spells = [(r.combatant, dict(r.key)["segments"]) for r in enc.order if "type" not in dict(r.key)]
    assert spells == [("Bo", 1), ("Mara", 2)]


def test_a_delayed_casters_spell_waits_for_low_to_ask_its_target() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    enc.condition("Mara", "delayed", until="end of round")
    roll(enc, party=6, foes=1)
    assert (enc.active, key(enc, "Mara")["half"]) == ("Bo", "LOW")
    to_step(enc, 5, "LOW")
    assert [o.who for o in enc.pending] == ["Mara"]
