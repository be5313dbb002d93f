"""What is said to a word that is no action's id, where a system has better to say than the nearest id."""

from __future__ import annotations

import re

import pytest

import combatkit as ck

HINTS = [(rules.id, word) for rules in ck.rulesets() for word in rules.hints]
SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.mark.parametrize(("system", "word"), HINTS)
def test_a_hint_is_for_a_word_that_does_nothing_and_names_what_does_it(system: str, word: str) -> None:
    rules = ck.ruleset(system)
    assert word not in rules.actions
    named = [id for id in re.findall(r"\w+", rules.hints[word]) if id in rules.actions]
    assert named, rules.hints[word]
    enc = ck.Encounter(system, seed=1)
    enc.add("Ann", side="x")
    enc.start()
    with pytest.raises(ck.UnknownName, match=f"{system} has no action '{word}': here it is ") as caught:
        enc.do("Ann", word)
    assert str(caught.value).endswith(rules.hints[word])


def test_where_no_hint_says_more_the_actions_of_that_name_are_told() -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Ann", side="x")
    enc.start()
    with pytest.raises(ck.UnknownName, match=r"saga has no action 'Shoot': here it is attack or full_attack$"):
        enc.do("Ann", "Shoot")


@pytest.mark.parametrize("system", SYSTEMS)
def test_every_list_of_a_system_names_its_usual_actions_and_other_words_for_them(system: str) -> None:
    rules = ck.ruleset(system)
    lists = [rules.actions, *(each.actions for lists in rules.lists.values() for each in lists.values())]
    for actions in lists:
        assert 8 <= sum(action.usual for action in actions) <= 12
        assert any("shoot" in action.names for action in actions)
