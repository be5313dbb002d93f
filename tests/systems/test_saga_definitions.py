"""Saga Edition: rules that define rather than decide, shown where a player meets them."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.systems.table import fight

SAGA = ck.ruleset("saga")


def costing(cost: str) -> set[str]:
    return {action.id for action in SAGA.actions if action.cost == cost}


@pytest.mark.rule("saga.std.use")
def test_standard_actions_attack_use_skills_activate_powers_or_do_the_like() -> None:
    assert costing("standard") == {"attack", "aid_another", "use_skill", "force_power", "ready"}
    assert "attacking" in SAGA.rules["saga.std.use"].text


@pytest.mark.rule("saga.move.use")
def test_move_actions_move_or_do_something_of_similar_effort() -> None:
    assert costing("move") == {"move", "climb", "draw_weapon", "holster", "stand_up", "open_or_close_door"}
    assert "similar effort" in SAGA.rules["saga.move.use"].text


@pytest.mark.rule("saga.swift.nature")
def test_swift_actions_are_short_but_dearer_than_free_ones() -> None:
    assert costing("swift") == {"second_wind", "talent_or_power"}
    enc = fight({"Mara": 20, "Vex": 10})
    for _ in range(2):
        enc.do("Mara", "speak")
    enc.do("Mara", "talent_or_power")
    assert not enc.can("Mara", "talent_or_power").allowed
    assert "more effort than a free one" in SAGA.rules["saga.swift.nature"].text


@pytest.mark.rule("saga.free.nature")
def test_free_actions_take_nothing_of_the_budget() -> None:
    assert costing("free") == {"speak", "drop_item", "end_concentration", "free_action", "delay"}
    assert SAGA.costs["free"].pay == ((),)
    assert "negligible" in SAGA.rules["saga.free.nature"].text


@pytest.mark.rule("saga.full.replaces", "saga.full.whole-turn")
def test_a_full_round_action_pays_all_three() -> None:
    assert costing("full_round") == {"full_attack", "charge", "run", "full_round_skill"}
    assert SAGA.costs["full_round"].pay == (("standard", "move", "swift"),)


@pytest.mark.rule("saga.react.nature")
def test_reactions_are_marked_as_such_in_the_catalogue() -> None:
    assert {a.id for a in SAGA.actions if a.when == "reaction"} == {
        "attack_of_opportunity",
        "use_readied",
        "talent_reaction",
    }


@pytest.mark.rule("saga.init.other-mods", "saga.init.is-dex")
def test_the_rulebook_says_what_goes_into_initiative() -> None:
    assert SAGA.stats["dex"].title == "Dexterity modifier"
    assert SAGA.rules["saga.init.other-mods"].locator == "Initiative, Check Formula"


def test_every_rule_has_words_a_locator_a_kind_and_says_whether_it_is_disputed() -> None:
    for rule in SAGA.rules:
        assert rule.text.endswith((".", ")."))
        assert rule.locator
        assert rule.topic
        assert rule.kind in ("mechanical", "definition", "gm")
    disputed = {rule.id for rule in SAGA.rules if rule.disputed}
    assert disputed == {
        "saga.surprise.no-full-round",
        "saga.surprise.free-open",
        "saga.surprise.no-reaction",
        "saga.init.as-reaction",
        "saga.init.tie.reroll",
        "saga.ready.lapse-open",
        "saga.act.budget-swift",
        "saga.full.excludes",
        "saga.full.ex.charge",
        "saga.swift.one",
        "saga.swift.ex.secondwind",
        "saga.free.ex.drop",
    }


def test_the_kinds_of_rules() -> None:
    kinds = {rule.id: rule.kind for rule in SAGA.rules}
    assert {id for id, kind in kinds.items() if kind == "definition"} == {
        "saga.meta.source",
        "saga.init.is-dex",
        "saga.init.other-mods",
        "saga.init.as-reaction",
        "saga.std.use",
        "saga.move.use",
        "saga.swift.nature",
        "saga.free.nature",
    }
    assert {id for id, kind in kinds.items() if kind == "gm"} == {"saga.free.gm-cap"}


@pytest.mark.rule("saga.meta.source")
def test_explain_gives_the_rule_in_words_with_its_locator() -> None:
    enc = fight({"Mara": 20, "Vex": 10})
    seq = enc.do("Mara", "charge", target="Vex")[0].seq
    words = enc.explain(seq)
    assert "saga.full.ex.charge" in words
    assert '[Actions in Combat, Full-Round Action: "Charging"]' in words
    assert "(disputed)" in words
