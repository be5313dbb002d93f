"""Why rounds, turns and points come and go with action points: `explain` of a boundary says the rule."""

from __future__ import annotations

import pytest

import combatkit as ck


def fight(surprised: tuple[str, ...] = (), **options: str) -> ck.Encounter:
    """Ada on 10, Orc on 8, three points each."""
    enc = ck.Encounter("ap", seed=1, options=options)
    enc.add("Ada", side="heroes", initiative_rating=6, luck_bonus=2, ap=3)
    enc.add("Orc", side="foes", npc=True, initiative_rating=4, ap=3)
    enc.start(rolls={name: 4 for name in ("Ada", "Orc") if name not in surprised}, surprised=surprised)
    return enc


def cited(enc: ck.Encounter, kind: str, **is_: object) -> set[str]:
    """Give the rules of the newest event of a kind, without the system's id; `explain` tells each."""
    found = [e for e in enc._events if e.kind == kind and all(getattr(e, k) == v for k, v in is_.items())]
    said = enc.explain(found[-1].seq)
    assert all(f"   {rule}: " in said for rule in found[-1].rules)
    return {rule.removeprefix("ap.") for rule in found[-1].rules}


def next_round(enc: ck.Encounter) -> None:
    """Let everybody's turn pass."""
    now = enc.clock.round
    while enc.clock.round == now:
        enc.end_turn()


@pytest.mark.rule("ap.round.refresh", "ap.round.refresh-to-max", "ap.act.max")
def test_points_come_back_with_the_round_and_say_why() -> None:
    enc = fight()
    assert {"round.refresh", "round.refresh-to-max", "act.max"} <= cited(enc, "refresh")
    enc.do("Ada", "attack", target="Orc")
    enc.resolve()
    next_round(enc)
    assert cited(enc, "refresh") == {"round.refresh", "round.refresh-to-max", "act.max"}
    assert enc.budget("Ada")["ap"].left == 3


@pytest.mark.rule(
    "ap.var.optional",
    "ap.var.first-round-max",
    "ap.var.own-turn",
    "ap.var.not-round-start",
    "ap.var.no-double-first",
    "ap.var.carry",
)
def test_by_the_variant_each_refresh_and_each_that_is_missing_says_so() -> None:
    enc = fight(ap_refresh="turn")
    assert {"var.optional", "var.first-round-max"} <= cited(enc, "refresh")
    assert "var.no-double-first" in cited(enc, "turn", actor="Ada")
    next_round(enc)
    assert "var.carry" in cited(enc, "round_end")
    assert "var.not-round-start" in cited(enc, "round")
    assert "var.own-turn" in cited(enc, "refresh", actor="Ada")
    assert "var.no-double-first" not in cited(enc, "turn", actor="Ada")


@pytest.mark.rule("ap.end.all-turns", "ap.end.regardless-ap", "ap.end.no-second-turn", "ap.enc.repeat", "ap.enc.stop")
def test_a_round_ends_with_points_left_and_says_why() -> None:
    enc = fight()
    next_round(enc)
    assert cited(enc, "round_end") == {"end.all-turns", "end.regardless-ap", "end.no-second-turn"}
    assert "enc.repeat" in cited(enc, "round")
    enc.finish()
    assert "enc.stop" in cited(enc, "over")


@pytest.mark.rule("ap.end.effects")
def test_what_lasts_to_the_end_of_the_round_ends_by_that_rule() -> None:
    enc = fight()
    enc.condition("Ada", "hampered", until="end of round")
    enc.condition("Orc", "hampered", until="start of turn")
    enc.end_turn()
    assert cited(enc, "effect_end", target="Orc") == set()
    enc.end_turn()
    assert cited(enc, "effect_end", target="Ada") == {"end.effects"}


@pytest.mark.rule("ap.surprise.first-round", "ap.surprise.gm", "ap.surprise.individual", "ap.surprise.who")
def test_surprise_says_who_decides_it_and_what_ends_it() -> None:
    enc = fight(surprised=("Orc",))
    assert {"surprise.gm", "surprise.individual", "surprise.who"} <= cited(enc, "effect", target="Orc")
    next_round(enc)
    assert "surprise.until-own-turn" in cited(enc, "effect_end", target="Orc")
    enc = fight(surprise_lasts="first_round")
    enc.end_turn()
    enc.join("Nox", side="late", initiative_rating=30, conditions=["surprised"])
    enc.next_round()
    assert "surprise.first-round" in cited(enc, "effect_end", target="Nox")


@pytest.mark.rule("ap.multi.allowed", "ap.primary.any-number", "ap.secondary.any-number", "ap.react.any-number")
def test_a_second_one_rests_on_what_allows_more_than_one() -> None:
    enc = fight()
    assert "ap.multi.allowed" not in enc.do("Ada", "dash")[0].rules
    assert {"ap.multi.allowed", "ap.secondary.any-number"} <= set(enc.can("Ada", "aim").rules)
    assert {"ap.multi.allowed", "ap.primary.any-number"} <= set(enc.do("Ada", "attack", target="Orc")[0].rules)
    assert "ap.react.any-number" not in enc.can("Orc", "parry").rules
    enc.do("Orc", "parry", outcome="failed")  # the last answer, so the window closes
    enc.do("Ada", "attack", target="Orc")
    assert "ap.react.any-number" in enc.can("Orc", "parry").rules
    assert "ap.react.any-number" not in enc.can("Orc", "speak").rules, "which is no reaction"


@pytest.mark.rule("ap.act.min-cost")
def test_with_nothing_left_a_refusal_says_that_it_costs_a_point_at_least() -> None:
    enc = fight()
    for _ in range(3):
        enc.do("Ada", "dash")
    assert "ap.act.min-cost" in enc.can("Ada", "dash").rules
    assert "ap.act.min-cost" not in enc.can("Ada", "speak").rules


def test_of_an_action_of_several_points_the_last_one_is_no_matter_of_the_least_cost() -> None:
    enc = fight()
    enc.add_table("actions", [{"id": "rite", "title": "Rite", "type": "secondary", "cost": 4}])
    enc.do("Ada", "rite")
    ruling = enc.can("Ada", "rite")
    assert ruling.reason == "Takes 1 AP; Ada has 0 until the next round."
    assert "ap.act.min-cost" not in ruling.rules


@pytest.mark.rule("ap.init.tie.order", "ap.init.tie.luck")
def test_luck_parts_the_tied_only_after_the_rating_and_says_so() -> None:
    enc = ck.Encounter("ap", seed=1)
    for name, luck in (("Ada", 2), ("Bes", 1)):
        enc.add(name, side="heroes", initiative_rating=4, luck_bonus=luck)
    enc.start(rolls={"Ada": 3, "Bes": 3})
    assert cited(enc, "order", actor="Ada") >= {"init.tie.luck", "init.tie.order"}
