"""Why things begin, are filled and end by themselves in Saga: `explain` of a boundary says the rule."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.systems.table import fight, to_round


def why(enc: ck.Encounter, kind: str, **is_: object) -> str:
    """Explain the newest event of a kind."""
    found = [e for e in enc._events if e.kind == kind and all(getattr(e, k) == v for k, v in is_.items())]
    return enc.explain(found[-1].seq)


@pytest.mark.rule("saga.seq.surprise-first", "saga.init.when")
@pytest.mark.parametrize(
    ("surprised", "rule", "first"),
    [
        ((), "saga.surprise.none-if-all-aware", "Round 1"),
        (("Vex",), "saga.surprise.when", "Surprise round"),
        (("Mara", "Vex"), "saga.surprise.none-if-none-aware", "Round 1"),
    ],
)
def test_the_beginning_says_why_there_is_a_surprise_round_or_none(
    surprised: tuple[str, ...], rule: str, first: str
) -> None:
    enc = fight({"Mara": 20, "Vex": 10}, surprised=surprised)
    for kind in ("begin", "round"):
        assert f"   {rule}: " in why(enc, kind)
    assert "saga.seq.surprise-first" in why(enc, "begin")
    assert first in why(enc, "round")


@pytest.mark.rule("saga.surprise.budget-one", "saga.act.budget-std-move", "saga.act.budget-swift")
def test_a_purse_says_what_it_holds_and_why() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, surprised=["Vex"])
    assert "saga.surprise.budget-one" in why(enc, "refresh", actor="Mara")
    assert "budget-std-move" not in why(enc, "refresh", actor="Mara")
    to_round(enc, 1)
    said = why(enc, "refresh", actor="Mara")
    for rule in ("budget-std-move", "budget-or-full", "budget-swift", "budget-free"):
        assert f"saga.act.{rule}" in said
    assert "surprise" not in said


@pytest.mark.rule("saga.surprise.flat-footed", "saga.surprise.flat-footed-ends")
def test_flat_footed_begins_by_one_rule_and_ends_by_another() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, surprised=["Vex"])
    begun = why(enc, "effect", target="Vex")
    assert "saga.surprise.flat-footed:" in begun
    assert "flat-footed-ends" not in begun
    to_round(enc, 1, "Vex")
    assert "saga.surprise.flat-footed-ends" in why(enc, "effect_end", target="Vex")


@pytest.mark.rule("saga.init.once", "saga.seq.repeat-until-end", "saga.round.new-when-all-done")
def test_rounds_say_why_they_come_and_go() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, surprised=["Vex"])
    to_round(enc, 1)
    assert "saga.round.new-when-all-done" in why(enc, "round_end")
    assert "saga.seq.first-regular-all" in why(enc, "round")
    assert "none-if" not in why(enc, "round")  # there was a surprise round
    to_round(enc, 2)
    assert "saga.init.once" in why(enc, "round")
    enc.finish()
    assert "saga.seq.repeat-until-end" in why(enc, "over")


@pytest.mark.rule("saga.full.free-ok", "saga.move.quickdraw-not-holster", "saga.swift.ex.quickdraw")
def test_what_a_price_rests_on_is_cited_where_it_is_paid() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"feats": ["Quick Draw"]})
    assert "saga.move.quickdraw-not-holster" in enc.do("Mara", "holster")[0].rules
    assert "saga.swift.ex.quickdraw" in enc.do("Mara", "draw_weapon")[0].rules
    assert "saga.full.free-ok" not in enc.do("Mara", "speak")[0].rules
    enc.end_turn()
    enc.do("Vex", "full_attack", target="Mara")
    assert "saga.full.free-ok" in enc.do("Vex", "speak")[0].rules


@pytest.mark.rule("saga.ready.count-only-if-used")
def test_to_decline_says_that_the_count_stays() -> None:
    enc = fight({"Mara": 20, "Vex": 10})
    enc.do("Mara", "ready", action="attack", target="Vex", trigger={"actor": "Vex"})
    enc.end_turn()
    enc.do("Vex", "move")
    enc.resolve()
    assert "saga.ready.count-only-if-used" in why(enc, "answer", actor="Mara")


def test_what_other_modifiers_are_is_said_where_there_are_any() -> None:
    enc = fight({"Mara": 20, "Vex": 10}, Mara={"initiative_misc": 2})
    assert "saga.init.other-mods" in why(enc, "roll", actor="Mara")
    assert "saga.init.other-mods" not in why(enc, "roll", actor="Vex")
