"""Lists of actions beside the source's: what all of them promise, whatever the system."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.validate import check_ruleset
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._vantage import Vantage
from tests.systems.test_ap_book import texts

BOOKS = [rules.id for rules in ck.rulesets() if "actions" in rules.lists]


def book_of(system: str) -> Any:
    return ck.ruleset(system).lists["actions"]["book"]


def fight(system: str) -> ck.Encounter:
    return ck.scene("catwalk").encounter(system, seed=7, options={"actions": "book"})


@pytest.mark.parametrize("system", BOOKS)
def test_a_list_is_whole_and_says_where_it_is_from(system: str) -> None:
    rules, book = ck.ruleset(system), book_of(system)
    check_ruleset(rules, system)
    assert "not the source" in book.source or "system data" in book.source
    assert rules.options["actions"].default == "ours"
    for action in book.added:
        assert "book" in action.tags, action.id
        assert any(rule.startswith(f"{system}.book.") for rule in action.cited), action.id
    for rule in book.rules:
        assert rule.id.startswith(f"{system}.book.")
        assert rule.id not in rules.rules.ids(), "not counted with those of the text"
        assert rules.rules[rule.id] is rule, "and found all the same"
        assert not rule.locator.startswith(('"', "Actions")), "a locator that a reader of the source would look for"


@pytest.mark.parametrize("system", BOOKS)
def test_every_rule_of_a_list_is_one_that_an_action_of_it_rests_on(system: str) -> None:
    book = book_of(system)
    named = {text for action in book.added for text in (*action.cited, *texts(action.facts))}
    assert [id for id in book.rules.ids() if id not in named] == []


@pytest.mark.parametrize("system", [id for id in BOOKS if id != "ap"])
def test_a_list_stands_beside_what_the_source_has_and_changes_nothing_of_it(system: str) -> None:
    rules, book = ck.ruleset(system), book_of(system)
    own = rules.actions.ids()
    assert book.actions.ids() == (*own, *book.added.ids())
    assert all(book.actions[id] is rules.actions[id] for id in own)
    plain = ck.scene("catwalk").encounter(system, seed=7)
    with pytest.raises(ck.UnknownName):
        plain.can("Mara", book.added.ids()[0])


@pytest.mark.parametrize("system", BOOKS)
def test_a_button_says_what_is_not_from_the_source_where_others_are(system: str) -> None:
    enc = fight(system)
    view = BudgetProjector()(Vantage(enc, "gm"))
    added = set(book_of(system).added.ids())
    for id, action in view["action"].items():
        assert ("not from the source" in action.get("extra", "")) == (system != "ap" and id in added), id


def test_saga_has_every_action_of_the_data_at_its_price() -> None:
    path = Path(__file__).parent / "saga_book_actions.csv"
    rows = list(csv.DictReader(path.read_text(encoding="utf-8").splitlines()))
    assert len(rows) == 18
    rules, book = ck.ruleset("saga"), book_of("saga")
    titles = {action.title: action for action in book.added}
    for row in rows:
        price = rules.costs[titles[row["name"]].cost].title.lower()
        assert price == row["cost"].partition(" or ")[0], row["name"]
        provokes = "provokes" in titles[row["name"]].facts
        assert provokes == (row["provokes"] == "yes"), row["name"]
    assert rules.costs[titles["Escape bonds (full round)"].cost].title == "Full-round"
