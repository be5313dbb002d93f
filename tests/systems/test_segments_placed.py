"""Segments: the GM moves somebody, or sets a declaration through: the turn goes with the place."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.systems.segments_table import SPELLS, fight, key, left, roll, rolled, to_step, to_turn, turns
from tests.systems.table import holds


@pytest.mark.rule("segments.seq.5-high-low")
@pytest.mark.parametrize("count", ["LOW", "low", 2])
def test_the_active_one_who_is_put_in_low_has_its_turn_there(count: str | int) -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.place("Mara", count=count)
    assert (enc.active, enc.clock.phase, key(enc, "Mara")["half"]) == ("Bo", "HIGH", "LOW")
    assert turns(enc) == [(5, "Bo"), (5, "Vex"), (5, "Mara")]
    # What she has done before goes along: her turn waits.
    enc = rolled("Mara", "Bo", "Vex")
    enc.do("Mara", "speak")
    enc.place("Mara", count=count)
    assert enc.active == "Bo"
    to_turn(enc, "Mara")
    enc.do("Mara", "speak")
    assert (enc.clock.phase, key(enc, "Mara")["half"], left(enc, "Mara", "major")) == ("LOW", "LOW", 1)
    enc.do("Mara", "attack", target="Vex")


@pytest.mark.rule("segments.seq.5-high-low")
def test_place_knows_the_halves_and_the_die_stays_the_groups() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.place("Vex", count="HIGH")
    (rung,) = [r for r in enc.order if r.combatant == "Vex"]
    assert (rung.initiative, dict(rung.key)["half"]) == (2, "HIGH")  # the group's die, and the half it acts in
    assert turns(enc) == [(5, "Mara"), (5, "Bo"), (5, "Vex")]


@pytest.mark.rule("segments.seq.5-high-low")
def test_one_who_is_put_in_low_in_an_open_window_has_its_turn_there_once_it_closes() -> None:
    enc = rolled("Mara", "Bo", "Vex")
    enc.trigger("Mara", text="a stumble")
    enc.place("Mara", count="LOW")
    assert enc.active == "Mara"
    enc.resolve()
    assert (enc.active, enc.clock.phase) == ("Bo", "HIGH")
    assert sorted(turns(enc)) == [(5, "Bo"), (5, "Mara"), (5, "Vex")]


@pytest.mark.rule("segments.delaying.low-only")
def test_one_put_in_high_may_still_go_to_low_with_what_delays() -> None:
    enc = rolled("Mara", "Vex")
    enc.place("Vex", count="HIGH")
    to_turn(enc, "Vex")
    assert enc.clock.phase == "HIGH"
    enc.do("Vex", "declare", action="delaying_activity")
    assert (enc.active, enc.clock.phase, key(enc, "Vex")["half"]) == ("Vex", "LOW", "LOW")
    enc.do("Vex", "delaying_activity")


def test_a_place_in_no_half_is_refused() -> None:
    enc = rolled("Mara", "Vex")
    with pytest.raises(ck.InvalidInput, match="count is 'MIDDLE'; give 'HIGH' or 'LOW', or a whole number"):
        enc.place("Mara", count="MIDDLE")
    enc = fight("Mara", "Vex")
    with pytest.raises(ck.InvalidInput, match="nobody has initiative before step 2"):
        enc.place("Mara", count="LOW")


@pytest.mark.rule("segments.delay.declared-low")
@pytest.mark.parametrize("who", ["Mara", "Bo"])
def test_a_delay_declared_by_the_gms_word_takes_the_turn_along(who: str) -> None:
    enc = rolled("Mara", "Bo", "Vex")
    events = enc.do(who, "declare", action="delay", override=True)
    assert ("segments.delay.declared-low", "segments.delay.declared-nocond") in [e.rules for e in events]
    assert (enc.active, key(enc, who)["half"]) == ("Bo" if who == "Mara" else "Mara", "LOW")
    assert sorted(turns(enc)) == [(5, "Bo"), (5, "Mara"), (5, "Vex")]


@pytest.mark.rule("segments.seq.7-spells")
def test_a_spell_declared_by_the_gms_word_has_its_place_in_step_seven() -> None:
    enc = rolled("Mara", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", spell="fireball", override=True)
    assert "casting" in holds(enc, "Mara")
    assert enc.active == "Mara"  # her turn goes on, for minor actions
    to_turn(enc, "Mara", 7)
    enc.do("Mara", "fireball", target="Vex", damage=3)
    assert enc["Vex"].values["hp"] == 27


@pytest.mark.rule("segments.seq.5-high-low")
@pytest.mark.parametrize("spoke", [False, True])
def test_the_last_of_low_is_put_into_high_in_their_own_turn_and_keeps_it(spoke: bool) -> None:
    enc = rolled("Mara", "Vex", party=1, foes=6)
    enc.end_turn()
    assert (enc.active, enc.clock.phase) == ("Mara", "LOW")
    if spoke:
        enc.do("Mara", "speak")
    events = enc.place("Mara", count="HIGH")
    assert [event.text for event in events] == ["acts in HIGH", "comes next in LOW: HIGH is over"]
    assert (enc.active, enc.clock.phase, enc.can("Mara", "attack", target="Vex").allowed) == ("Mara", "LOW", True)


@pytest.mark.rule("segments.target.d1")
@pytest.mark.parametrize("how", ["placed", "not delayed"])
def test_a_caster_who_comes_into_the_half_under_way_is_asked_for_the_target_there(how: str) -> None:
    enc = fight("Mara", "Bo", "Vex", tables={"actions": SPELLS})
    enc.do("Mara", "declare", action="fireball")
    if how == "not delayed":
        enc.condition("Mara", "delayed")
    roll(enc, party=1 if how == "placed" else 6, foes=6 if how == "placed" else 1)
    asked = [offer.who for offer in enc.pending]
    assert asked == []
    if how == "placed":
        enc.place("Mara", count="HIGH")
    else:
        enc.condition("Mara", "delayed", off=True)
    assert [(offer.who, offer.must) for offer in enc.pending] == [("Mara", True)]
    enc.do("Mara", "announce_target", target="Vex")
    to_step(enc, 7)
    assert (enc.active, enc.pending) == ("Mara", ())
