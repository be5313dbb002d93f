"""Numbers are told as people say them: what is below 0, what is nothing, and where somebody stands."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())


def alone(system: str, **stats: Any) -> ck.Encounter:
    """Begin a fight of somebody who has something to lose."""
    enc = ck.Encounter(system, seed=1)
    enc.add("Ada", side="red", **stats)
    enc.add("Nox", side="blue", npc=True)
    enc.start()
    return enc


@pytest.mark.parametrize(("system", "vital"), [("saga", "hp"), ("ap", "hp"), ("segments", "hp"), ("phases", "stun")])
def test_log_and_headline_say_in_one_way_what_is_below_zero(system: str, vital: str) -> None:
    enc = alone(system, **{vital: 10})
    tracker = ck.Tracker(enc)
    assert enc.damage("Ada", 12)[0].text == "takes 12 damage, now at \N{MINUS SIGN}2"
    assert enc.adjust("Ada", vital, by=-3)[0].text == f"loses 3 {vital}, now at \N{MINUS SIGN}5"
    assert "now at \N{MINUS SIGN}5" in str(tracker.view["result"]["text"])
    assert enc.adjust("Ada", vital, by=1)[0].text == f"gains 1 {vital}, now at \N{MINUS SIGN}4"
    assert enc.adjust("Ada", vital, by=0)[0].text == f"is still at \N{MINUS SIGN}4 {vital}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_nothing_is_no_number(system: str) -> None:
    vital = ck.ruleset(system).vitals[0].name
    enc = alone(system, **{vital: 10})
    assert enc.damage("Ada", 0)[0].text == "takes no damage, 10 left"
    assert enc.heal("Ada", 0)[0].text == f"still has 10 {vital}"
    assert enc.adjust("Ada", "temporary", by=1)[0].text == "gains 1 temporary point, 1 left"
    assert enc.adjust("Ada", "temporary", by=2)[0].text == "gains 2 temporary points, 3 left"


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_a_place_below_zero_has_a_minus_sign(system: str) -> None:
    enc = alone(system)
    assert enc.place("Ada", at=(-3, 0))[0].text == "stands at (\N{MINUS SIGN}3, 0)"


def test_endurance_is_told_by_its_whole_name() -> None:
    enc = alone("phases", stun=10, end=10)
    assert enc.adjust("Ada", "end", by=-4)[0].text == "loses 4 endurance, 6 left"
