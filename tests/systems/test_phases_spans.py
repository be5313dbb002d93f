"""Phases: how long a condition lasts, said in the words of this system."""

from __future__ import annotations

import pytest

import combatkit as ck


@pytest.mark.parametrize(
    ("until", "more"),
    [
        ("end of phase", 0),
        ("End of Phase", 0),
        ("2 phases", 1),
        ("1 phase", 0),
        ("end of Turn", 3),
        ("end of round", 3),
    ],
)
def test_a_condition_lasts_phases_or_a_turn_of_twelve_seconds(until: str, more: int) -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, value in (("Ace", 9), ("Crow", 5)):
        enc.add(name, side=name, combat_value=value)
    enc.start()
    enc.condition("Crow", "hexed", until=until)
    lasted = 0
    while any(each.id == "hexed" for each in enc["Crow"].conditions):
        before = enc.clock.phase
        enc.end_turn()
        lasted += enc.clock.phase != before and any(each.id == "hexed" for each in enc["Crow"].conditions)
    assert lasted == more
