"""Segments: what is given up or put off: a declared major action, a turn, a spell; and what the ladder shows of it."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.systems.segments_table import (
    SPELLS,
    cites,
    fight,
    key,
    left,
    roll,
    rolled,
    to_round,
    to_turn,
    turns,
)
from tests.systems.table import holds, refused


def status(enc: ck.Encounter, name: str) -> str:
    """What somebody's own rung shows."""
    return next(r.status for r in enc.order if r.combatant == name and "type" in dict(r.key))


# ── a complex activity given up ──


@pytest.mark.rule("segments.immatk.replace", "segments.immatk.consequence")
def test_a_complex_activity_given_up_for_an_immediate_attack_leaves_the_rest_of_the_round() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Vex", "declare", action="complex_activity")
    roll(enc)
    assert key(enc, "Vex")["type"] == "go last"
    happened = enc.do("Vex", "immediate_attack", target="Mara", trigger="Mara runs past")
    ended = [e for e in happened if e.kind == "effect_end"]
    assert [e.text for e in ended] == ["gives up the plan to complete a complex activity"]
    assert ended[0].rules == ("segments.immatk.consequence",)
    assert key(enc, "Vex") == {"half": "LOW", "type": "D4", "segments": 1}
    to_turn(enc, "Vex")
    assert (enc.clock.step, enc.clock.phase) == (5, "LOW")
    enc.do("Vex", "speak")
    enc.do("Vex", "sheathe")
    assert turns(enc) == [(5, "Vex")]


@pytest.mark.rule("segments.immatk.replace", "segments.immatk.consequence")
def test_any_other_declared_major_action_is_given_up_in_so_many_words() -> None:
    enc = fight("Mara", "Vex")
    enc.do("Vex", "declare", action="move")
    enc.do("Vex", "declare", action="speak")
    roll(enc)
    happened = enc.do("Vex", "immediate_attack", target="Mara", trigger="Mara runs past")
    assert [e.text for e in happened if e.kind == "effect_end"] == ["gives up the plan to move"]
    assert [c.value["action"] for c in enc["Vex"].conditions if c.id == "declared"] == ["speak"]


# ── delayed, and delayed again ──


@pytest.mark.rule("segments.delay.condition")
def test_delaying_twice_leaves_one_condition() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    happened = enc.do("Mara", "delay")
    assert [c.id for c in enc["Mara"].conditions] == ["delayed"]
    assert cites(happened, "segments.delay.low")
    assert (left(enc, "Mara", "major"), refused(enc, "Mara", "delay").rule) == (0, "segments.delay.when")


@pytest.mark.rule("segments.delayed.always-low")
def test_the_delayed_have_acted_once_their_turn_is_over() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "delay")
    enc.do("Bo", "delay")
    assert status(enc, "Mara") == "delayed"
    to_turn(enc, "Mara")
    assert status(enc, "Mara") == "now"
    to_turn(enc, "Bo")
    assert (status(enc, "Mara"), "delayed" in holds(enc, "Mara")) == ("acted", True)


# ── casters ──


@pytest.mark.rule("segments.cast.lost")
def test_who_has_lost_its_spell_after_its_half_waits_for_nothing() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    assert status(enc, "Mara") == "casting"
    to_turn(enc, "Vex")
    enc.adjust("Mara", by=-1)
    assert status(enc, "Mara") == "acted"
    # In his own half he keeps a turn for minor actions.
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Bo", "declare", spell="fireball")
    roll(enc)
    enc.adjust("Bo", by=-1)
    assert (enc.active, status(enc, "Bo")) == ("Mara", "waits")
    to_turn(enc, "Bo")
    assert enc.clock.round == 1


def test_who_has_completed_its_spell_has_acted() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="sleep")
    roll(enc)
    enc.do("Mara", "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "sleep")
    to_round(enc, 2)
    for seq in range(1, len(enc._events)):
        moment = enc.at(seq)
        if moment.clock.step == 8:
            assert {r.status for r in moment.order} <= {"acted"}


# ── what is given up by leaving ──


@pytest.mark.rule("segments.cast.lost")
@pytest.mark.parametrize(("spell", "uses"), [("sleep", "Sleep"), ("staff", "Staff"), ("wand", "Wand")])
@pytest.mark.parametrize("by_hand", [False, True])
def test_a_spell_begun_is_lost_as_if_cast_when_its_caster_leaves(spell: str, uses: str, by_hand: bool) -> None:
    enc = fight("Mara", "Vex", "Orc", tables={"actions": SPELLS}, Mara={"uses": {uses: 1}})
    enc.do("Mara", "declare", spell=spell)
    roll(enc, party=2, foes=5)
    happened = enc.condition("Mara", "left") if by_hand else enc.leave("Mara")
    lost = next(e for e in happened if e.kind == "stopped")
    assert (lost.text.split(" as")[0], lost.rules[0]) == (
        f"loses {'' if spell == 'sleep' else 'the '}{spell}",
        "segments.cast.lost",
    )
    enc.join("Mara")
    assert enc["Mara"].conditions == ()
    assert (enc["Mara"].values["uses"], left(enc, "Mara", "major"), left(enc, "Mara", "spell")) == ({uses: 0}, 0, 0)
    to_turn(enc, "Mara")
    assert enc.can("Mara", "speak").allowed, "what needs no major action is left"
    to_round(enc, 2)
    assert "as often as possible" in refused(enc, "Mara", "declare", spell=spell).reason


@pytest.mark.rule("segments.cast.lost")
def test_a_long_casting_lost_between_two_rounds_counts_as_cast() -> None:
    long = [{"id": "rite", "title": "Rite", "tags": ["incantation"], "segments": 25}]
    for harm in ("damage", "leave"):
        enc = fight("Mara", "Vex", tables={"actions": long}, Mara={"uses": {"Rite": 1}})
        enc.do("Mara", "declare", spell="rite")
        roll(enc)
        to_round(enc, 2)
        if harm == "damage":
            enc.damage("Mara", 1)
        else:
            enc.leave("Mara")
            enc.join("Mara")
        assert enc["Mara"].values["uses"] == {"Rite": 0}
        assert (left(enc, "Mara", "major"), left(enc, "Mara", "spell")) == (1, 1), "this round's are not begun"


@pytest.mark.rule("segments.spell.one")
def test_a_casting_of_an_earlier_round_is_the_spell_of_this_one_from_its_beginning() -> None:
    """ "Only one spell can be cast per round (even if one is cast as an immediate action)"."""
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="incantation", spell_name="Web", segments=14)
    to_round(enc, 2)
    ruling = refused(enc, "Mara", "feather_fall")
    assert (ruling.rule, "Mara is casting Web." in ruling.reason) == ("segments.spell.one", True)
    roll(enc)
    assert (left(enc, "Mara", "spell"), enc.can("Mara", "feather_fall").allowed) == (0, False)


def test_by_the_gms_word_a_spell_beside_a_long_casting_leaves_no_less_than_none() -> None:
    enc = fight("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="incantation", spell_name="Web", segments=14)
    to_round(enc, 2)
    enc.do("Mara", "feather_fall", override=True)
    roll(enc)
    assert left(enc, "Mara", "spell") == 0
    assert [c.id for c in enc["Mara"].conditions if c.id == "casting"] == ["casting"]


def test_what_was_planned_or_is_to_be_completed_last_ends_as_somebody_leaves() -> None:
    enc = fight("Mara", "Vex", "Orc")
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc, party=2, foes=5)
    gone = enc.leave("Mara")
    told = [e.text for e in gone if e.kind == "effect_end"]
    assert told == ["no longer plans to complete a complex activity"], "they may return, and have nothing planned then"
    enc.join("Mara")
    assert enc["Mara"].conditions == ()
    assert turns(enc)[-1] == (5, "Mara"), "not in step 8"
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    enc.do("Mara", "delaying_activity")
    told = [e.text for e in enc.leave("Mara") if e.kind in ("effect_end", "progress")]
    assert told[0] == "doesn't finish a delaying activity"
    assert not [text for text in told if text.startswith("completes")], "though the round is over with it"


@pytest.mark.rule("segments.time.overflow")
def test_what_somebody_is_to_complete_last_is_lost_as_they_go_down_though_they_get_up_again() -> None:
    enc = rolled("Mara", "Vex")
    enc.do("Mara", "delay")
    to_turn(enc, "Mara")
    enc.do("Mara", "delaying_activity")
    told = [e.text for e in enc.damage("Mara", 60) if e.kind == "effect_end"]
    assert "doesn't finish a delaying activity" in told
    enc.heal("Mara", 90)
    rest = [e.text for e in enc.next_round() if e.actor == "Mara"]
    assert not [text for text in rest if text.startswith("completes")]


@pytest.mark.rule("segments.seq.6-remaining")
@pytest.mark.parametrize("lasts", [True, False])
def test_a_routine_that_a_condition_adds_is_made_as_long_as_it_lasts(lasts: bool) -> None:
    enc = fight("Mara", "Vex")
    enc.condition("Mara", "haste", modifiers={"routines": 1})
    roll(enc)
    to_turn(enc, "Mara")
    enc.do("Mara", "attack", target="Vex", outcome="miss")
    enc.end_turn()
    if not lasts:
        enc.condition("Mara", "haste", off=True)
    more = 0
    while enc.clock.round == 1:
        more += enc.active == "Mara" and enc.can("Mara", "attack", target="Vex").allowed
        enc.end_turn()
    assert more == lasts


@pytest.mark.rule("segments.seq.3-fast", "segments.minor.variety")
def test_who_leaves_in_step_three_and_returns_in_their_half_has_minor_actions_left() -> None:
    """A declared fast action that is passed up leaves a turn for minor actions, wherever its owner was meanwhile."""
    enc = fight("Mara", "Bo", "Vex")
    enc.do("Mara", "declare", action="flee")
    roll(enc, party=5, foes=2)
    assert (enc.clock.step, enc.active) == (3, "Mara")
    assert [e.text for e in enc.leave("Mara")].count("no longer plans to flee") == 0, "that they don't flee says it"
    assert enc.active == "Bo"
    enc.join("Mara")
    to_turn(enc, "Mara")
    assert enc.clock.step == 5
    assert (enc.can("Mara", "speak").allowed, enc.can("Mara", "attack", target="Vex").allowed) == (True, False)
    enc.leave("Mara")
    enc.join("Mara")
    assert turns(enc) == [(5, "Vex")], "nobody has that turn twice"


@pytest.mark.parametrize("plan", ["flee", "charge", "attack", "fireball", "lost"])
def test_who_leaves_drops_no_plan_that_is_carried_out_or_lost(plan: str) -> None:
    """What has been done, and a spell that is gone already, isn't planned any more, whatever the round still shows."""
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    spell = plan in ("fireball", "lost")
    enc.do("Mara", "declare", action="fireball" if spell else plan)
    roll(enc)
    if spell:
        enc.do("Mara", "announce_target", target="Vex")
    if plan == "lost":
        to_turn(enc, "Vex")
        enc.do("Vex", "attack", target="Mara", damage=1, rolls=[20])
    else:
        to_turn(enc, "Mara", 7 if spell else None)
        shot = {"target": "Vex", "damage": 1} if spell else {"target": "Vex", "outcome": "miss"}
        enc.do("Mara", plan, **({} if plan == "flee" else shot))
    assert "declared" in holds(enc, "Mara")
    assert not [e.text for e in enc.leave("Mara") if "no longer plans" in e.text]
