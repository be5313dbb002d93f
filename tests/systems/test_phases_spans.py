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


@pytest.mark.parametrize(
    ("until", "told", "german"),
    [
        ("end of phase", "until the end of the phase", "bis Phasenende"),
        ("end of Turn", "until the end of the Turn", "bis Rundenschluss"),
        ("2 phases", "for 2 phases", "für 2 Phasen"),
        ("1 phase", "for 1 phase", "für 1 Phase"),
        ("start of turn", "until the start of their turn", "bis Zugbeginn"),
    ],
)
def test_a_condition_is_shown_to_last_as_long_as_it_was_said_to(until: str, told: str, german: str) -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, value in (("Ace", 9), ("Crow", 5)):
        enc.add(name, side=name, combat_value=value)
    enc.start()
    enc.condition("Crow", "hexed", until=until)
    (held,) = enc["Crow"].conditions
    assert held.until == until
    enc.condition("Crow", "hexed", until=held.until)
    assert [each.until for each in enc["Crow"].conditions] == [until], "it can be given again as it is shown"
    lasts = "for" if until[0].isdigit() else "until"
    assert f"{lasts} {until}" in str(ck.InitiativeLadder(enc).view["rows"])
    assert enc.ruleset.languages["de"].word(f"{lasts} {until}") == german
    assert f"Crow is hexed {told} (by the GM)" in str(enc.log())


def test_who_has_no_turn_is_named_unless_it_is_the_bearer() -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, value in (("Ace", 9), ("Crow", 5), ("Bolt", 3)):
        enc.add(name, side=name, combat_value=value)
    enc.start()
    enc.do("Crow", "abort", action="block")
    enc.condition("Bolt", "hexed", until="start of turn: Crow")
    enc.condition("Crow", "slow", until="start of turn")
    ended = {e.target: e.text for e in enc.end_turn() if e.kind == "effect_end" and "this time" in e.text}
    assert ended == {
        "Bolt": "is no longer hexed: Crow has no turn this time",
        "Crow": "is no longer slow: they have no turn this time",
    }
