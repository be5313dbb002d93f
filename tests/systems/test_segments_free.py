"""Segments: free attacks with both their counters, and immediate attacks."""

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
    to_turn,
    turns,
    used,
)
from tests.systems.table import holds, refused


def fleeing(**rest: Any) -> ck.Encounter:
    """Vex declared to flee from Mara and Bo, all in melee; it is her turn in step 3."""
    enc = fight("Mara", "Bo", "Vex", **rest)
    for name in ("Mara", "Bo", "Vex"):
        enc.condition(name, "in_melee")
    enc.do("Vex", "declare", action="flee")
    roll(enc)
    assert (enc.active, enc.clock.step) == ("Vex", 3)
    return enc


@pytest.mark.rule("segments.free.instant", "segments.free.before")
def test_a_free_attack_comes_as_the_trigger_occurs_and_before_it_completes() -> None:
    enc = fleeing(Mara={"attacks": ["MELEE: sword (1d8)", "MELEE: fist (1d2)"]})
    segment = enc.clock.segment
    happened = enc.do("Vex", "flee", feet=60)
    assert happened[-1].kind == "window"
    assert [(o.who, o.actions, o.targets) for o in enc.pending] == [
        ("Mara", ("free_attack",), ("Vex",)),
        ("Bo", ("free_attack",), ("Vex",)),
    ]
    assert "in_melee" in holds(enc, "Vex")  # she has not got away yet
    attack = enc.do("Mara", "free_attack", target="Vex", rolls={"attack": [20], "damage": [8]})
    assert next(e.data["attack"] for e in attack if e.kind == "attack") == "sword"  # the primary routine
    assert (hp(enc, "Vex"), "in_melee" in holds(enc, "Vex")) == (22, True)
    assert enc.clock.segment == segment
    enc.resolve()
    assert "in_melee" not in holds(enc, "Vex")
    assert refused(enc, "Bo", "free_attack", target="Vex").rule == "segments.free.instant"


def test_one_who_flees_by_the_gms_word_while_no_turn_runs_gets_away_once_answered() -> None:
    enc = fight("Mara", "Vex")
    for name in ("Mara", "Vex"):
        enc.condition(name, "in_melee")
    assert enc.active is None
    enc.do("Vex", "flee", feet=60, override=True)
    assert "in_melee" in holds(enc, "Vex")
    enc.resolve()
    assert "in_melee" not in holds(enc, "Vex")


def test_who_falls_to_a_free_attack_does_not_get_away() -> None:
    enc = fleeing(options={"down_at_zero": False})
    enc.do("Vex", "flee")
    enc.do("Mara", "free_attack", target="Vex", damage=40, rolls=[20])
    assert [o.who for o in enc.pending] == ["Bo"]
    (stopped,) = [e for e in enc.condition("Vex", "dead") if e.kind == "stopped"]
    assert stopped.text == "is dead and gets no further"
    assert "segments.free.before" in stopped.rules
    assert enc.pending == (), "nobody strikes the dead"
    assert "gets out of the melee" not in [e.text for e in events(enc, "effect_end")]
    assert turns(enc) == [(3, "Vex"), (5, "Mara"), (5, "Bo")]


@pytest.mark.rule("segments.free.per-segment")
def test_one_free_attack_a_segment_so_the_attacker_chooses() -> None:
    enc = rolled("Mara", "Vex", "Ossik")
    enc.trigger("Vex", "Ossik", text="both flee", segment=2)
    assert [(o.who, o.targets) for o in enc.pending] == [("Mara", ("Vex", "Ossik"))]
    enc.do("Mara", "free_attack", target="Ossik")
    assert [o.actions for o in enc.pending] == [("immediate_attack",)], (
        "no second free attack: the attacker had to choose"
    )
    enc.resolve()
    enc.trigger("Vex", text="stumbles", segment=2)
    assert [o.actions for o in enc.pending] == [("immediate_attack",)]  # no second free one in this segment
    assert enc.can("Mara", "free_attack", target="Vex", trigger="flees").rule == "segments.free.per-segment"
    enc.resolve()
    to_turn(enc, "Vex")
    assert refused(enc, "Mara", "free_attack", target="Vex", trigger="stumbles", segment=2).rule.endswith("per-segment")
    enc.trigger("Vex", text="stumbles", segment=4)
    enc.do("Mara", "free_attack", target="Vex")


@pytest.mark.rule("segments.free.per-segment", "segments.free.per-opponent")
def test_a_trigger_says_which_segment_its_free_attacks_are_in() -> None:
    enc = rolled("Mara", "Vex", "Ossik", party=6, foes=1)
    enc.trigger("Vex", text="stumbles")
    enc.do("Mara", "free_attack", target="Vex", outcome="miss")
    ruling = enc.can("Mara", "free_attack", target="Vex", segment=7)
    assert ruling.rule == "segments.free.per-opponent"
    enc.resolve()
    enc.trigger("Ossik", text="stumbles")
    ruling = refused(enc, "Mara", "free_attack", target="Ossik", segment=7)
    assert (ruling.rule, "names another with a trigger" in ruling.reason) == ("segments.free.per-segment", True)
    enc.resolve()
    enc.trigger("Ossik", text="stumbles", segment=7)
    assert refused(enc, "Mara", "free_attack", target="Ossik", segment=8).rule == "segments.free.before"
    enc.do("Mara", "free_attack", target="Ossik", segment=7)


@pytest.mark.rule("segments.free.per-opponent")
def test_who_draws_free_attacks_suffers_one_per_opponent_and_round() -> None:
    enc = rolled("Vex", "Mara", "Bo", party=1, foes=6)
    enc.do("Mara", "free_attack", target="Vex", trigger="turns", segment=3)
    ruling = refused(enc, "Mara", "free_attack", target="Vex", trigger="turns", segment=4)
    assert ruling.rule == "segments.free.per-opponent"
    enc.do("Bo", "free_attack", target="Vex", trigger="turns", segment=3)  # another opponent
    assert refused(enc, "Bo", "free_attack", target="Vex", trigger="turns", segment=11).rule == "segments.time.segments"
    to_round(enc, 2)
    roll(enc, 1, 6)
    enc.do("Mara", "free_attack", target="Vex", trigger="turns", segment=3)


@pytest.mark.rule("segments.free.no-effect", "segments.free.breaks-conc")
def test_it_leaves_the_attackers_other_actions_alone_but_breaks_its_concentration() -> None:
    enc = fleeing()
    before = (left(enc, "Mara", "major"), left(enc, "Mara", "spell"), used(enc, "Mara"), key(enc, "Mara"))
    enc.condition("Mara", "concentration", value="Bless")
    enc.do("Vex", "flee")
    assert cites(enc.do("Mara", "free_attack", target="Vex"), "segments.free.breaks-conc")
    assert (left(enc, "Mara", "major"), left(enc, "Mara", "spell"), used(enc, "Mara"), key(enc, "Mara")) == before
    assert "concentration" not in holds(enc, "Mara")
    enc.resolve()
    to_turn(enc, "Mara")
    assert enc.can("Mara", "attack", target="Vex").allowed
    # A spell being cast is lost with it.
    enc = fleeing(tables={"actions": SPELLS})
    to_round(enc, 2)
    enc.do("Mara", "declare", spell="fireball")
    enc.do("Vex", "declare", action="flee")
    roll(enc)
    enc.do("Vex", "flee")
    enc.do("Mara", "free_attack", target="Vex")
    assert "casting" not in holds(enc, "Mara")
    assert left(enc, "Mara", "major") == 0


@pytest.mark.rule("segments.free.surprised")
def test_the_surprised_make_no_free_attacks() -> None:
    enc = fleeing(surprised=["Bo"])
    enc.do("Vex", "flee")
    assert [o.who for o in enc.pending] == ["Mara"]
    enc.resolve()
    assert refused(enc, "Bo", "free_attack", target="Vex", trigger="flees").rule == "segments.free.surprised"
    to_turn(enc, "Vex")
    assert refused(enc, "Bo", "free_attack", target="Vex", trigger="turns").rule == "segments.free.surprised"


@pytest.mark.rule("segments.free.mods")
def test_a_free_attack_may_come_with_a_bonus_or_an_armor_penalty() -> None:
    assert rule("free.mods").kind == "gm"
    enc = fleeing()
    enc.condition("Vex", "back turned", modifiers={"ac": -2}, until="end of round")
    enc.do("Vex", "flee")
    happened = enc.do("Mara", "free_attack", target="Vex", modifiers={"flee": 2}, rolls=[6])
    data = next(e.data for e in happened if e.kind == "attack")
    assert (data["total"], data["needed"], data["outcome"]) == (8, 8, "hit")  # AAC0 15, AC 5 - (-2) = 7


@pytest.mark.rule("segments.immatk.instant", "segments.immatk.needs-major")
def test_an_immediate_attack_uses_the_primary_routine_and_an_available_major_action() -> None:
    lines = ["MELEE: sword (1d8)", "MELEE: fist (1d2)"]
    enc = rolled("Vex", "Mara", "Bo", party=1, foes=6, Mara={"attacks": lines})
    happened = enc.do("Mara", "immediate_attack", target="Vex", trigger="steps close")
    assert next(e.data["attack"] for e in happened if e.kind == "attack") == "sword"
    assert left(enc, "Mara", "major") == 0
    assert refused(enc, "Mara", "immediate_attack", target="Vex", trigger="again").rule == "segments.immatk.needs-major"
    to_turn(enc, "Mara")
    assert refused(enc, "Mara", "attack", target="Vex").rule == "segments.major.one"
    enc.do("Mara", "speak")
    # Without a trigger or window it is refused by the rule that defines it.
    to_round(enc, 2)
    roll(enc, 1, 6)
    assert refused(enc, "Bo", "immediate_attack", target="Vex").rule == "segments.immatk.instant"


@pytest.mark.rule("segments.immatk.replace", "segments.immatk.consequence")
def test_it_may_replace_a_declared_major_action_at_that_actions_cost() -> None:
    enc = fight("Vex", "Mara", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball")
    roll(enc, party=1, foes=6)
    happened = enc.do("Mara", "immediate_attack", target="Vex", trigger="steps close")
    (lost,) = [e for e in happened if e.kind == "stopped"]
    assert (lost.action, lost.rules) == ("fireball", ("segments.cast.lost", "segments.immatk.consequence"))
    assert (left(enc, "Mara", "major"), left(enc, "Mara", "spell")) == (0, 0)
    assert "casting" not in holds(enc, "Mara")
    # Another declared major action is simply used up.
    enc = fight("Vex", "Mara")
    enc.do("Mara", "declare", action="move")
    roll(enc, party=1, foes=6)
    enc.do("Mara", "immediate_attack", target="Vex", trigger="steps close")
    to_turn(enc, "Mara")
    assert refused(enc, "Mara", "move", feet=30).rule == "segments.major.one"


@pytest.mark.rule("segments.immatk.surprised")
def test_the_surprised_make_no_immediate_attacks_either() -> None:
    enc = rolled("Vex", "Mara", party=1, foes=6, surprised=["Mara"])
    ruling = refused(enc, "Mara", "immediate_attack", target="Vex", trigger="steps close")
    assert ruling.rule == "segments.immatk.surprised"
    assert refused(enc, "Mara", "free_attack", target="Vex", trigger="turns").rule == "segments.free.surprised"
    to_round(enc, 2)
    roll(enc, 1, 6)
    assert enc.can("Mara", "immediate_attack", target="Vex", trigger="steps close").allowed


def test_something_that_happens_lets_the_enemies_of_those_who_did_it_answer() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.trigger("Vex", text="drops her guard", offers=["immediate_attack"], to=["Bo"])
    assert [(o.who, o.actions) for o in enc.pending] == [("Bo", ("immediate_attack",))]
    enc.do("Bo", "immediate_attack", target="Vex")
    assert enc.pending == ()


@pytest.mark.rule("segments.free.per-opponent")
def test_who_can_no_longer_be_struck_is_not_among_those_a_free_attack_is_offered_at() -> None:
    enc = rolled("Mara", "Vex", "Ossik")
    enc.trigger("Vex", "Ossik", offers=["free_attack"], to=["Mara"], text="slip")
    enc.condition("Vex", "dead")
    assert enc.pending[0].targets == ("Ossik",)
    enc = rolled("Mara", "Vex", "Ossik")
    enc.trigger("Vex", offers=["free_attack"], to=["Mara"], text="slips", segment=3)
    enc.do("Mara", "free_attack", target="Vex", outcome="miss")
    enc.trigger("Vex", "Ossik", offers=["free_attack"], to=["Mara"], text="slip", segment=4)
    assert enc.pending[0].targets == ("Ossik",)
