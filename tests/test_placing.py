"""The GM moves the active one on the ladder, in every system: an untouched turn goes with its place."""

from __future__ import annotations

import pytest

import combatkit as ck

SYSTEMS = [r.id for r in ck.rulesets()]


def begun(system: str) -> ck.Encounter:
    """Three in a fight, the first of them active; in segments all are of one group."""
    enc = ck.Encounter(system, seed=5)
    for name in ("Ann", "Bo", "Vex"):
        enc.add(name, side="x" if system == "segments" else name)
    enc.start()
    if enc.active is None:
        enc.end_turn()
    return enc


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_who_has_done_nothing_has_its_turn_where_it_is_put(system: str) -> None:
    enc = begun(system)
    first, second, third = (rung.combatant for rung in enc.order)
    enc.place(first, after=third)
    assert enc.active == second
    seen = []
    for _ in range(2):
        enc.end_turn()
        seen.append(enc.active)
    assert seen == [third, first]


@pytest.mark.parametrize("system", SYSTEMS)
def test_one_who_stays_first_goes_on_with_its_turn(system: str) -> None:
    enc = begun(system)
    first, second, _ = (rung.combatant for rung in enc.order)
    before = enc.digest
    (moved,) = enc.place(first, before=second)
    assert (moved.kind, enc.active, enc.digest != before) == ("order", first, True)


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_is_placed_beside_themselves_or_who_has_left(system: str) -> None:
    enc = begun(system)
    first, second, third = (rung.combatant for rung in enc.order)
    enc.leave(third)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=f"^{second} can't go before or after themselves; name somebody else$"):
        enc.place(second, before=second)
    with pytest.raises(ck.InvalidInput, match=f"^{third} has no place on the ladder; name somebody who is on it$"):
        enc.place(second, after=third)
    assert (enc.digest, enc.active) == (before, first)
