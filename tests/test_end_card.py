"""What the card at the end of a fight tells: how long it was, who fell in which order, who nearly did."""

from __future__ import annotations

from typing import Any

import pytest

import combatkit as ck
from combatkit.report.words import plain
from combatkit.widgets._end_view import end_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import End

VITAL = {"saga": "hp", "d6": "resolve", "ap": "hp", "segments": "hp", "phases": "stun"}


def fight(system: str) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7)
    more: dict[str, Any] = {VITAL[system]: 20, **({"body": 20, "end": 20} if system == "phases" else {})}
    for name, side in (("Ann", "heroes"), ("Bob", "heroes"), ("Cid", "foes"), ("Dot", "foes")):
        enc.add(name, side=side, **more)
    enc.start()
    return enc


def card(enc: ck.Encounter) -> End:
    enc.finish()
    return end_view(Vantage(enc))


def facts(shown: End) -> dict[str, str]:
    return {fact["title"]: plain(fact["text"]) for fact in shown["facts"]}


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_who_fell_stands_in_the_order_in_which_they_did_for_the_last_time(system: str) -> None:
    enc = fight(system)
    for name in ("Dot", "Bob", "Cid"):
        enc.adjust(name, VITAL[system], -20)
    enc.adjust("Dot", VITAL[system], 20)
    enc.adjust("Dot", VITAL[system], -25)
    assert facts(card(enc))["Fell"].split(", ") == ["Bob", "Cid", "Dot"]


@pytest.mark.parametrize("system", VITAL)
def test_the_closest_call_is_the_least_that_anybody_standing_had_left_at_any_time(system: str) -> None:
    enc = fight(system)
    enc.adjust("Ann", VITAL[system], -19)
    enc.adjust("Ann", VITAL[system], 15)
    enc.adjust("Cid", VITAL[system], -9)
    enc.adjust("Dot", VITAL[system], -18)
    enc.adjust("Dot", VITAL[system], -9)
    assert facts(card(enc))["Closest call"] == "Ann: 1 of 20 left"


@pytest.mark.parametrize("system", ["saga", "d6", "ap"])
def test_a_round_in_which_nobody_acted_is_not_counted_and_the_title_says_more_than_that_it_is_over(system: str) -> None:
    enc = fight(system)
    enc.next_round()
    action = next(each.action for each in enc.options(enc.active or "") if each.allowed and not each.needs)
    enc.do(enc.active or "", action)
    enc.next_round()
    shown = card(enc)
    assert shown["lead"].startswith("2 rounds")
    assert shown["title"] == "No side has won"
