"""Segments: who comes into melee, and how it is over."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import events, fight, roll, rolled, to_turn, turns
from tests.systems.table import holds, refused

BOW = {"weapons": [{"name": "bow", "missile": True}]}


def with_whom(enc: ck.Encounter, name: str) -> Any:
    """With whom somebody is in melee; None if they are in none."""
    return next((c.value for c in enc[name].conditions if c.id == "in_melee"), None)


@pytest.mark.rule("segments.grid.melee-zone")
@pytest.mark.parametrize("action", ["attack", "grab_item", "charge", "immediate_attack"])
def test_a_blow_or_a_charge_brings_both_into_melee(action: str) -> None:
    enc = fight("Mara", "Vex", "Ossik")
    if action == "charge":
        enc.do("Mara", "declare", action="charge")
    roll(enc)
    if action == "immediate_attack":
        to_turn(enc, "Vex")
        happened = enc.do("Mara", action, target="Vex", trigger="Vex runs past", rolls=[2])
    else:
        happened = enc.do("Mara", action, target="Vex", rolls=[2])
    assert [e.text for e in happened if e.kind == "effect"] == ["is in melee with Vex", "is in melee with Mara"]
    assert [with_whom(enc, n) for n in ("Mara", "Vex", "Ossik")] == [["Vex"], ["Mara"], None]


@pytest.mark.rule("segments.grid.melee-zone")
def test_shots_bring_nobody_into_melee() -> None:
    for action in ("missile_attack", "called_shot"):
        enc = rolled("Mara", "Vex")
        enc.do("Mara", action, target="Vex", rolls=[2])
        assert with_whom(enc, "Mara") is None
    enc = rolled("Mara", "Vex", Mara=BOW)
    enc.do("Mara", "attack", target="Vex", rolls=[2])  # a routine of bow shots
    assert with_whom(enc, "Vex") is None


@pytest.mark.rule("segments.pos.not-melee", "segments.seq.4-multi")
def test_what_hangs_on_melee_follows_without_the_gm() -> None:
    enc = fight("Mara", "Vex", Vex={"routines": 2})
    roll(enc)
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    assert refused(enc, "Mara", "position", feet=5).rule == "segments.pos.not-melee"
    enc.end_turn()
    enc.do("Vex", "attack", target="Mara", rolls=[2])  # in LOW: he came into melee after step 4
    assert turns(enc) == [(5, "Vex"), (6, "Vex")]
    roll(enc)
    assert (enc.active, enc.clock.step) == ("Vex", 4)


@pytest.mark.parametrize("how", ["off", "until"])
def test_who_is_out_of_it_by_the_gms_word_or_in_time_ends_it_for_the_last_foe(how: str) -> None:
    enc = rolled("Mara", "Vex", "Ossik")
    to_turn(enc, "Mara")
    enc.condition("Vex", "in_melee", until="end of turn: Mara" if how == "until" else None)
    enc.condition("Mara", "in_melee")
    if how == "off":
        enc.condition("Vex", "in_melee", off=True)
    else:
        enc.end_turn()
    assert [c.id for n in ("Mara", "Vex") for c in enc[n].conditions] == [], "Ossik stands, and isn't in it"


@pytest.mark.rule("segments.free.before")
def test_flight_ends_it_for_who_flees_and_for_whom_it_was_the_last_foe() -> None:
    enc = rolled("Mara", "Bo", "Vex", "Ossik")
    for name, foe in (("Mara", "Vex"), ("Bo", "Ossik"), ("Vex", "Mara")):
        to_turn(enc, name)
        enc.do(name, "attack", target=foe, rolls=[2])
    to_turn(enc, "Ossik")
    enc.do("Ossik", "attack", target="Bo", rolls=[2])
    enc.end_turn()
    enc.do("Vex", "declare", action="flee")
    roll(enc)
    enc.do("Vex", "flee")
    assert [o.who for o in enc.pending] == ["Mara"]  # Bo is in another melee
    enc.resolve()
    assert [with_whom(enc, n) for n in ("Mara", "Bo", "Vex", "Ossik")] == [None, ["Ossik"], None, ["Bo"]]
    assert [e.text for e in events(enc, "effect_end") if "melee" in e.text] == [
        "gets out of the melee",
        "is out of the melee",
    ]


@pytest.mark.rule("segments.grid.melee-zone")
@pytest.mark.parametrize("how", ["dead", "unconscious", "leaves"])
def test_it_is_over_with_the_last_foe_standing(how: str) -> None:
    enc = rolled("Mara", "Vex", "Ossik")
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    to_turn(enc, "Vex")
    enc.end_turn()
    enc.do("Ossik", "attack", target="Mara", rolls=[2])
    assert with_whom(enc, "Mara") == ["Vex", "Ossik"]
    for name, left in (("Vex", ["Ossik"]), ("Ossik", None)):
        if how == "leaves":
            enc.leave(name)
        else:
            enc.condition(name, how)
        assert with_whom(enc, "Mara") == left
        assert with_whom(enc, name) is None


@pytest.mark.rule("segments.grid.melee-zone")
def test_both_sides_say_the_same_of_who_is_in_melee() -> None:
    enc = rolled("Mara", "Bo", "Vex", "Ossik")
    enc.condition("Mara", "in_melee", value=["Vex", "Ossik"])
    enc.condition("Bo", "in_melee", value=["Ossik"])
    told = enc.condition("Vex", "down")
    assert [(e.target, e.text) for e in told if "melee" in e.text] == [
        ("Vex", "is out of the melee"),
        ("Mara", "is in melee only with Ossik"),
    ]
    enc.leave("Mara")
    enc.join("Mara")
    assert [with_whom(enc, n) for n in ("Mara", "Bo", "Vex", "Ossik")] == [None, ["Ossik"], None, ["Bo"]]
    enc.condition("Mara", "in_melee", value=["Ossik"])
    enc.condition("Mara", "in_melee", off=True)
    assert [with_whom(enc, n) for n in ("Mara", "Bo", "Ossik")] == [None, ["Ossik"], ["Bo"]]


@pytest.mark.rule("segments.grid.melee-zone")
@pytest.mark.parametrize("how", ["off", "healed"])
def test_who_is_up_again_in_the_same_turn_is_back_in_the_melee(how: str) -> None:
    enc = rolled("Mara", "Vex", "Ossik", Vex={"hp": 5})
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    enc.damage("Vex", 7)
    assert with_whom(enc, "Mara") is None
    if how == "off":
        enc.condition("Vex", "down", off=True)
    else:
        enc.heal("Vex", 7)
    assert (with_whom(enc, "Mara"), with_whom(enc, "Vex")) == (["Vex"], ["Mara"])
    enc.condition("Mara", "unconscious")
    enc.end_turn()
    assert with_whom(enc, "Mara") is None, "the turn in which she fell is over"
    enc.condition("Mara", "unconscious", off=True)
    assert (with_whom(enc, "Mara"), with_whom(enc, "Vex")) == (None, None)


@pytest.mark.rule("segments.grid.melee-zone")
@pytest.mark.parametrize("way", ["feet", "squares"])
def test_who_has_gone_away_from_one_who_fell_is_in_no_melee_with_them_again(way: str) -> None:
    at: dict[str, Any] = {"Mara": {"at": (0, 0)}, "Vex": {"at": (1, 0)}} if way == "squares" else {}
    enc = rolled("Mara", "Vex", "Ossik", **at)
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    enc.condition("Vex", "down")
    if way == "squares":
        enc.place("Mara", at=(9, 9))
    else:
        enc.do("Mara", "move", feet=30, override=True)
    enc.condition("Vex", "down", off=True)
    assert (with_whom(enc, "Mara"), with_whom(enc, "Vex")) == (None, None)


@pytest.mark.rule("segments.grid.melee-zone")
def test_the_gm_may_say_that_somebody_is_in_melee_and_with_whom() -> None:
    enc = rolled("Mara", "Bo", "Vex", "Ossik")
    enc.condition("Mara", "in_melee")
    enc.condition("Vex", "dead")
    assert "in_melee" in holds(enc, "Mara")  # Ossik stands
    enc.condition("Ossik", "dead")
    assert "in_melee" not in holds(enc, "Mara")
    enc = rolled("Mara", "Vex")
    enc.condition("Mara", "in_melee", value=["Vex"])
    with pytest.raises(ck.InvalidInput, match="a list of those it is with"):
        enc.condition("Mara", "in_melee", value="close")


@pytest.mark.rule("segments.grid.melee-zone", "segments.free.before")
def test_the_gms_word_puts_both_in_melee_as_a_blow_does() -> None:
    enc = fight("Mara", "Bo", "Vex", "Ossik")
    happened = enc.condition("Mara", "in_melee", value=["Vex", "Ossik"])
    assert [e.text for e in happened] == [
        "is in melee with Vex and Ossik",
        "is in melee with Mara",
        "is in melee with Mara",
    ]
    assert [with_whom(enc, n) for n in ("Mara", "Bo", "Vex", "Ossik")] == [["Vex", "Ossik"], None, ["Mara"], ["Mara"]]
    enc.condition("Bo", "in_melee", value=["Vex"])
    enc.condition("Mara", "in_melee", value=["Ossik"])  # and no longer with Vex
    assert [with_whom(enc, n) for n in ("Mara", "Bo", "Vex", "Ossik")] == [["Ossik"], ["Vex"], ["Bo"], ["Mara"]]
    enc.condition("Bo", "in_melee", off=True)
    assert [with_whom(enc, n) for n in ("Mara", "Bo", "Vex", "Ossik")] == [["Ossik"], None, None, ["Mara"]]
    enc.do("Mara", "declare", action="flee")
    roll(enc)
    enc.do("Mara", "flee")
    assert [o.who for o in enc.pending] == ["Ossik"]


@pytest.mark.rule("segments.grid.melee-zone", "segments.free.before")
def test_of_a_melee_with_nobody_named_any_foe_may_strike_at_one_who_flees() -> None:
    enc = fight("Mara", "Bo", "Vex", "Ossik")
    enc.condition("Mara", "in_melee", value=[])
    assert with_whom(enc, "Mara") is None
    assert "in_melee" in holds(enc, "Mara")
    enc.do("Mara", "declare", action="flee")
    roll(enc)
    enc.do("Mara", "flee")
    assert [o.who for o in enc.pending] == ["Vex", "Ossik"]


def test_nobody_is_in_melee_with_themselves_or_one_who_cannot_fight() -> None:
    enc = rolled("Mara", "Vex", "Ossik")
    enc.condition("Vex", "unconscious")
    enc.leave("Ossik")
    for foe, why in (("Mara", "with themselves"), ("Vex", "Vex is unconscious"), ("Ossik", "Ossik has left the fight")):
        before = enc.digest
        with pytest.raises(ck.InvalidInput, match=why):
            enc.condition("Mara", "in_melee", value=[foe])
        assert enc.digest == before


@pytest.mark.rule("segments.grid.melee-zone")
def test_melee_for_a_time_ends_for_both() -> None:
    enc = rolled("Mara", "Vex")
    enc.condition("Mara", "in_melee", value=["Vex"], until="end of round")
    to_turn(enc, "Vex")
    enc.end_turn()
    assert [with_whom(enc, n) for n in ("Mara", "Vex")] == [None, None]


@pytest.mark.rule("segments.free.per-segment")
def test_a_step_counts_as_one_segment_unless_another_is_said() -> None:
    enc = rolled("Mara", "Vex", "Ossik", party=2, foes=5)
    enc.do("Mara", "free_attack", target="Vex", trigger="Vex drops his guard")
    ruling = refused(enc, "Mara", "free_attack", target="Ossik", trigger="Ossik stumbles")
    assert ruling.rule == "segments.free.per-segment"
    assert "In segment 3 Mara has already made a free attack. That segment stands for this whole step" in ruling.reason
    enc.do("Mara", "free_attack", target="Ossik", trigger="Ossik stumbles", segment=4)


def test_whoever_was_put_apart_is_told_to_be_in_the_melee_still_as_they_flee() -> None:
    enc = ck.Encounter("segments", seed=3)
    enc.add("Odo", side="heroes", hp=10, at=(0, 0))
    enc.add("Orc", side="orcs", npc=True, hp=10, at=(1, 0))
    enc.start()
    enc.condition("Odo", "in_melee", value=["Orc"])
    enc.place("Orc", at=(3, 1))
    enc.do("Odo", "declare", action="flee")
    enc.end_turn()
    while enc.active != "Odo":
        enc.end_turn()
    enc.do("Odo", "flee", to=(-5, 0))
    assert enc.pending[0].who == "Orc", "a melee is no place on the grid"
    assert enc.pending[0].about == "Odo flees, still in melee with Orc, 16 ft away"


@pytest.mark.rule("segments.complex.only", "segments.seq.4-multi")
def test_who_declared_a_complex_activity_has_no_turn_for_an_attack_in_step_four() -> None:
    enc = fight("Mara", "Bo", "Vex", Mara={"routines": 2})
    enc.condition("Mara", "in_melee", value=["Vex"])
    enc.do("Mara", "declare", action="complex_activity")
    roll(enc)
    assert turns(enc) == [(5, "Bo"), (5, "Vex"), (8, "Mara")]


@pytest.mark.rule("segments.grid.melee-zone")
def test_a_foe_named_twice_is_one_foe() -> None:
    enc = fight("Mara", "Vex")
    assert enc.condition("Mara", "in_melee", value=["Vex", "Vex"])[0].text == "is in melee with Vex"
    assert with_whom(enc, "Mara") == ["Vex"]


@pytest.mark.rule("segments.seq.4-multi", "segments.major.one")
def test_a_charge_into_melee_leaves_no_attack_for_step_4_and_none_is_told() -> None:
    enc = fight("Mara", "Vex", Mara={"routines": 2})
    enc.do("Mara", "declare", action="charge")
    roll(enc)
    enc.do("Mara", "charge", target="Vex", rolls=[2])
    told = [e.text for e in enc.end_turn() if e.actor == "Mara"]
    assert "attacks in step 4" not in told
    assert [r.status for r in enc.order if r.combatant == "Mara"] == ["acted", "acted"]
