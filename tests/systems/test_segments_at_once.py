"""Who falls and still acts, as it happens at the same time: in tied groups, by the blow of whoever's turn it is."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from tests.systems.segments_table import SPELLS, fight, hp, roll, rolled, to_turn, turns
from tests.systems.table import holds, refused

SWORD: dict[str, Any] = {"weapons": [{"name": "sword", "speed": 5}]}
HIT: dict[str, Any] = {"rolls": {"attack": [19]}}


def strikes(enc: ck.Encounter, who: str, target: str, action: str = "attack") -> None:
    """Strike somebody so that they fall."""
    enc.do(who, action, target=target, damage=40, **HIT)


def slips(enc: ck.Encounter, who: str, to: str) -> None:
    """Let somebody give an opening, and the other one take it."""
    enc.trigger(who, to=[to], text="slips", offers=["free_attack"])
    strikes(enc, to, who, "free_attack")


@pytest.mark.rule("segments.seq.2-tied-order")
def test_who_falls_in_the_turn_of_an_ally_acts_no_more() -> None:
    enc = rolled("Mara", "Vex", "Ossik", party=6, foes=1, Mara=SWORD, Vex=SWORD, Ossik=SWORD)
    to_turn(enc, "Vex")
    slips(enc, "Ossik", to="Mara")
    assert "Ossik" not in [name for _, name in turns(enc)]
    enc = rolled("Mara", "Vex", "Ossik", party=6, foes=1, Mara=SWORD, Vex=SWORD, Ossik=SWORD)
    to_turn(enc, "Vex")
    enc.damage("Ossik", 40)
    assert "Ossik" not in [name for _, name in turns(enc)]
    # Two that flee together, too.
    enc = fight("Mara", "Vex", "Ossik", Mara=SWORD, Vex=SWORD, Ossik=SWORD)
    enc.condition("Mara", "in_melee", value=["Vex", "Ossik"])
    for name in ("Vex", "Ossik"):
        enc.do(name, "declare", action="flee")
    roll(enc, 1, 6)
    assert (enc.clock.step, enc.active) == (3, "Vex")
    enc.do("Vex", "flee", feet=30)
    enc.resolve()
    slips(enc, "Ossik", to="Mara")
    assert "Ossik" not in [name for _, name in turns(enc)]


@pytest.mark.rule("segments.seq.2-tied-order")
def test_in_a_tie_only_the_blow_of_whoever_acts_is_at_the_same_time() -> None:
    enc = rolled("Mara", "Bo", "Vex", party=4, foes=4, Mara=SWORD, Bo=SWORD, Vex=SWORD)
    assert enc.active == "Mara"
    slips(enc, "Vex", to="Bo")
    assert "Vex" not in [name for _, name in turns(enc)]
    enc = rolled("Mara", "Bo", "Vex", party=4, foes=4, Mara=SWORD, Bo=SWORD, Vex=SWORD)
    strikes(enc, "Mara", "Vex")
    assert "Vex" in [name for _, name in turns(enc)]


@pytest.mark.rule("segments.seq.7-spells", "segments.cast.lost")
def test_a_spell_broken_by_a_third_ones_blow_is_lost() -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS}, Vex=SWORD)
    for name in ("Mara", "Bo"):
        enc.do(name, "declare", spell="fireball")
    roll(enc)
    for name in ("Mara", "Bo"):
        enc.do(name, "announce_target", target="Vex")
    to_turn(enc, "Mara", 7)
    enc.trigger("Bo", to=["Vex"], text="slips", offers=["free_attack"])
    enc.do("Vex", "free_attack", target="Bo", damage=3, **HIT)
    assert "casting" not in holds(enc, "Bo")


@pytest.mark.rule("segments.seq.2-tied-order")
@pytest.mark.parametrize("how", ["healed", "by hand"])
def test_who_fell_at_the_same_time_and_is_up_again_may_act_later_as_anybody(how: str) -> None:
    both = {"weapons": [{"name": "sword", "speed": 5}, {"name": "axe", "speed": 7}]}
    enc = rolled("Mara", "Vex", "Ossik", party=4, foes=4, Mara=both, Vex=both)
    strikes(enc, "Mara", "Vex")
    happened = enc.heal("Vex", 40) if how == "healed" else enc.condition("Vex", "down", off=True)
    assert "at_the_same_time" not in holds(enc, "Vex")
    assert [event.text for event in happened if event.kind == "effect_end"] == ["is no longer down", ""]
    to_turn(enc, "Vex")
    assert enc.can("Vex", "move", feet=30).allowed
    assert [who for _, who in turns(enc)].count("Vex") == 1


@pytest.mark.rule("segments.seq.2-tied-order")
@pytest.mark.parametrize("how", ["leaves", "by hand"])
def test_who_leaves_or_is_no_longer_to_act_at_the_same_time_has_not_had_that_turn(how: str) -> None:
    enc = rolled("Mara", "Vex", party=4, foes=4)
    strikes(enc, "Mara", "Vex")
    assert "at_the_same_time" in holds(enc, "Vex")
    happened = enc.leave("Vex") if how == "leaves" else enc.condition("Vex", "at the same time", off=True)
    told = [event.text for event in happened if event.kind == "effect_end" and event.target == "Vex"]
    assert "no longer has a turn at the same time" in told
    assert enc.condition("Mara", "at the same time")[-1].text == "has a turn at the same time"


@pytest.mark.rule("segments.seq.2-tied-order", "segments.delay.high")
def test_who_fell_at_the_same_time_acts_no_later() -> None:
    def felled() -> ck.Encounter:
        enc = rolled("Mara", "Vex", "Bo", party=4, foes=4, Mara=SWORD, Vex=SWORD, Bo=SWORD)
        strikes(enc, "Mara", "Vex")
        enc.end_turn()
        assert (enc.active, hp(enc, "Vex")) == ("Vex", -10)
        return enc

    enc = felled()
    enc.do("Vex", "delay")
    assert turns(enc) == [(5, "Bo")]
    enc = felled()
    enc.do("Vex", "speak")  # speed 6 by now
    assert refused(enc, "Vex", "attack", target="Mara").reason == "Vex is down."
    enc = felled()
    enc.place("Vex", count="LOW")
    assert turns(enc) == [(5, "Bo")]
    # What takes longer isn't at the same time either.
    enc = felled()
    said = refused(enc, "Vex", "move")
    assert said.reason == (
        "Vex fell, and can only do what comes at the same time; move comes later, in D4 (other, 1 segment)."
    )
    enc.do("Vex", "attack", target="Mara", damage=3, **HIT)
    assert hp(enc, "Mara") == 27


@pytest.mark.rule("segments.seq.2-tied-order")
@pytest.mark.parametrize("weapon", ["sword", "dagger"])
def test_the_weapon_that_is_used_decides_whose_blow_comes_first(weapon: str) -> None:
    """A dagger at the belt makes no sword the faster."""
    both = {"weapons": [{"name": "sword", "speed": 5}, {"name": "dagger", "speed": 2}]}
    enc = rolled("Mara", "Vex", party=4, foes=4, Mara=both, Vex=SWORD)
    strikes_with = enc.do("Mara", "attack", target="Vex", weapon=weapon, damage=40, **HIT)
    assert [event.kind for event in strikes_with if event.kind in ("order", "attack")][-1] == "attack"
    enc.end_turn()
    if weapon == "sword":
        assert enc.active == "Vex"
        strikes(enc, "Vex", "Mara")
        assert hp(enc, "Mara") == -10
    else:
        assert (enc.active, enc.clock.round) == (None, 2)


@pytest.mark.rule("segments.seq.2-tied-order", "segments.delay.high")
def test_who_falls_at_the_same_time_and_delays_misses_the_turn_in_low_and_no_other() -> None:
    enc = rolled("Mara", "Vex", party=3, foes=3, Mara=SWORD, Vex=SWORD)
    to_turn(enc, "Mara")
    enc.condition("Vex", "unconscious", until="end of turn")
    enc.end_turn()
    enc.do("Vex", "delay")
    assert enc.clock.round == 2
    assert "misses a turn: unconscious" in [event.text for event in enc._events if event.actor == "Vex"]
    assert not holds(enc, "Vex"), "it cost that turn, and not the next round's"
    roll(enc, 3, 2)
    assert [name for _, name in turns(enc)] == ["Mara", "Vex"]


@pytest.mark.rule("segments.seq.2-tied-order")
def test_who_fell_and_still_acts_has_what_that_takes_to_spend() -> None:
    enc = rolled("Mara", "Vex", "Bo", party=4, foes=4, Mara=SWORD, Vex=SWORD, Bo=SWORD)
    strikes(enc, "Mara", "Vex")
    enc.end_turn()
    major = enc.budget("Vex")["major"]
    assert (enc.active, major.left, major.total, enc.can("Vex", "attack", target="Mara").allowed) == ("Vex", 1, 1, True)
    enc.do("Vex", "attack", target="Mara")
    assert (enc.budget("Vex")["major"].left, enc.budget("Vex")["major"].total) == (0, 1)
    enc.end_turn()
    assert (enc.budget("Vex")["major"].left, enc.budget("Vex")["major"].total) == (0, 0)
    enc.next_round()
    spent = enc.history.budgets.filter(combatant="Vex", slot="major").select("total", "spent").rows()
    assert spent[0] == (1, 1)
