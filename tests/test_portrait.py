"""A portrait: a few characters or an emoji beside a name, a stat that every system has."""

from __future__ import annotations

import pytest

import combatkit as ck

SYSTEMS = [rules.id for rules in ck.rulesets()]
ASTRONAUT = "\N{WOMAN}\N{EMOJI MODIFIER FITZPATRICK TYPE-5}\N{ZERO WIDTH JOINER}\N{ROCKET}"
FLAG = "\N{REGIONAL INDICATOR SYMBOL LETTER C}\N{REGIONAL INDICATOR SYMBOL LETTER H}"
ACCENTS = "M" + "\N{COMBINING ACUTE ACCENT}" * 99
TURNED = "\N{RIGHT-TO-LEFT OVERRIDE}M"


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_system_has_portraits(system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for number, portrait in enumerate(("M", "\N{DRAGON}", " Boss ", ASTRONAUT, FLAG, "e\N{COMBINING ACUTE ACCENT}")):
        name = f"Mara {number}"
        enc.add(name, side="rebels", portrait=portrait)
        assert enc[name].stats["portrait"] == portrait.strip()
    enc.add("Vex", side="empire")
    assert enc["Vex"].stats["portrait"] is None
    again = ck.Encounter(system, seed=7)
    again.add_roster(enc.roster())
    assert again["Mara 3"].stats["portrait"] == ASTRONAUT


@pytest.mark.parametrize("wrong", ["Stormtrooper", "", "  ", "a\nb", TURNED, ACCENTS, 7])
def test_a_portrait_is_a_few_characters_that_can_be_seen(wrong: object) -> None:
    enc = ck.Encounter("saga", seed=7)
    before = enc.digest
    with pytest.raises(ck.InvalidInput, match=r"portrait is .*; give text of 1 to 4 characters"):
        enc.add("Mara", side="rebels", portrait=wrong)
    assert enc.digest == before
