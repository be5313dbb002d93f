"""What the zone system's rules are cited for besides actions: turns and what they hold, Aim and Defend, fates."""

from __future__ import annotations

import pytest

import combatkit as ck

GUN = {"name": "Gun", "attack": "3D", "damage": "1D", "range": "extreme"}
ZONES = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e")]


def fight(there: str = "a", resolve: int = 9) -> ck.Encounter:
    """Ada in zone a with a gun; Orc in another, with Agility 2, who can bear 9."""
    enc = ck.Encounter("d6", seed=1, map=ZONES)
    enc.add("Ada", side="heroes", at="a", initiative=3, defense=9, resolve=9, weapons=[GUN])
    enc.add("Orc", side="foes", at=there, defense=9, agility=2, resolve=resolve, stamina=1)
    enc.start(rolls={"Ada": 6, "Orc": 1})
    return enc


def cited(enc: ck.Encounter, kind: str, **is_: object) -> set[str]:
    """Give the rules of the newest event of a kind, without the system's id."""
    found = [e for e in enc._events if e.kind == kind and all(getattr(e, k) == v for k, v in is_.items())]
    return {rule.removeprefix("d6.") for rule in found[-1].rules}


@pytest.mark.rule("d6.turn.move", "d6.turn.action", "d6.turn.free", "d6.turn.cap-two", "d6.turn.any-order")
@pytest.mark.rule("d6.round.scope", "d6.round.elastic", "d6.init.declare-and-resolve", "d6.init.whole-encounter")
def test_a_turn_says_what_it_holds_and_a_round_how_long_it_is() -> None:
    enc = fight()
    assert cited(enc, "refresh") == {"turn.move", "turn.action", "turn.free", "turn.cap-two", "turn.object"}
    assert cited(enc, "turn") == {"init.desc", "init.declare-and-resolve", "turn.any-order"}
    assert cited(enc, "round") == {"round.scope", "round.elastic"}
    enc.end_turn()
    enc.end_turn()
    assert "init.whole-encounter" in cited(enc, "round")


@pytest.mark.rule("d6.act.aim.extreme", "d6.act.aim.not-close", "d6.range.close.same")
@pytest.mark.parametrize(
    ("there", "penalty", "rules"),
    [
        ("a", -1, {"range.close.same", "range.close.pen", "act.aim.not-close"}),
        ("d", 0, {"range.long", "act.aim.range"}),
        ("e", -1, {"range.extreme", "act.aim.range", "act.aim.extreme"}),
    ],
)
def test_an_aim_says_what_it_does_in_each_band(there: str, penalty: int, rules: set[str]) -> None:
    enc = fight(there)
    enc.do("Ada", "aim", option="range")
    enc.end_turn()
    enc.end_turn()
    enc.do("Ada", "attack", target="Orc", rolls=[1] * (3 + penalty))
    assert cited(enc, "attack") == {"hit.ge", *rules}


@pytest.mark.rule("d6.act.defend.expend", "d6.act.defend.not-expended")
@pytest.mark.parametrize(("faces", "used"), [([1, 1, 1], False), ([5, 4, 1], True), ([6, 6, 6], False)])
def test_a_defence_says_why_it_is_kept_or_used_up(faces: list[int], used: bool) -> None:
    enc = fight("b")
    enc.end_turn()
    enc.do("Orc", "defend", rank="agility")  # 9 + 4 = 13: 10 would hit 9 and misses 13
    enc.end_turn()
    enc.do("Ada", "attack", target="Orc", rolls={"attack": faces})
    assert ("act.defend.not-expended" in cited(enc, "attack")) != used
    assert (enc["Orc"].conditions == ()) == used


@pytest.mark.rule("d6.fate.list", "d6.fate.ignore.big.strict")
@pytest.mark.parametrize(("lost", "strict"), [(3, False), (4, True)])
def test_a_fate_says_that_there_are_four_and_that_just_half_may_be_ignored(lost: int, strict: bool) -> None:
    enc = fight()
    enc.adjust("Orc", vital="resolve", by=-9)
    enc.adjust("Orc", vital="resolve", by=-lost)  # half of 9, rounded down, is 4
    assert ("fate.ignore.big.strict" in cited(enc, "window")) == strict
    assert "fate.list" in cited(enc, "window")
    assert enc.can("Orc", "ignore_fate").allowed


@pytest.mark.rule("d6.zone.order")
def test_out_of_range_rests_on_the_order_of_the_bands() -> None:
    enc = ck.Encounter("d6", seed=1, map=ZONES)
    enc.add("Ada", side="heroes", at="a", weapons=[{**GUN, "range": "short"}])
    enc.add("Orc", side="foes", npc=True, at="c")
    enc.start(rolls={"Ada": 6})
    assert enc.can("Ada", "attack", target="Orc").rules[:2] == ("d6.act.attack.range", "d6.zone.order")
