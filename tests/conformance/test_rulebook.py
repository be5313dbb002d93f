"""What every ruleset's folder says is whole: its words cite only rules there are, its costs only pools there are."""

from __future__ import annotations

import re
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.catalogue import WHEN
from combatkit.rules.validate import check_class, check_ruleset
from combatkit.study.differences import topics
from combatkit.study.differences.examples import examples, outcome

KINDS = ("mechanical", "definition", "gm")


def texts(value: Any) -> list[str]:
    """Every text inside plain data."""
    if isinstance(value, str):
        return [value]
    if isinstance(value, dict):
        return [text for inner in value.values() for text in texts(inner)]
    return [text for inner in value for text in texts(inner)] if isinstance(value, (list, tuple)) else []


def test_every_rule_says_what_it_is(system: str) -> None:
    ruleset = ck.ruleset(system)
    assert ruleset.title
    assert ruleset.source
    for rule in ruleset.rules:
        assert rule.id.startswith(f"{system}.")
        assert rule.text
        assert rule.locator
        assert rule.kind in KINDS


def test_every_rule_says_what_it_rules_where_it_stands_alone(system: str) -> None:
    """A choice in a quiz is a rule's text and nothing more: two words rule nothing."""
    short = [rule.text for rule in ck.ruleset(system).rules if len(rule.text.split()) < 3]
    assert short == []


def test_no_rule_is_torn(system: str) -> None:
    """What a parser or a hasty hand cuts: quotes and brackets without their fellows, words that stop in mid-air."""
    for rule in ck.ruleset(system).rules:
        for said in (rule.text, rule.locator):
            assert said == " ".join(said.split()), rule.id
            assert not said.count('"') % 2, (rule.id, said)
            assert "\\" not in said, (rule.id, said)
            assert all(said.count(one) == said.count(other) for one, other in ("()", "[]", "{}")), (rule.id, said)
        assert rule.text.endswith((".", ".)")), (rule.id, rule.text)
        assert not rule.locator.endswith((",", ":", ";")), (rule.id, rule.locator)


def test_a_locator_is_words_of_the_source_and_no_path_of_a_data_file(system: str) -> None:
    for rule in ck.ruleset(system).rules:
        assert not re.search(r"[a-z]_[a-z]|[a-z]\[\d|[a-z]\.[a-z]", rule.locator), (rule.id, rule.locator)


def test_the_folder_is_as_whole_as_one_that_is_added_must_be(system: str) -> None:
    ruleset = ck.ruleset(system)
    check_class(type(ruleset), system)
    check_ruleset(ruleset, system)


def test_the_folder_cites_only_rules_there_are(system: str) -> None:
    ruleset = ck.ruleset(system)
    known = set(ruleset.rules.ids())
    cited: set[str] = set(ruleset.cite.values())
    for action in ruleset.actions:
        cited |= {action.rule, *action.rules, *(p.rule for p in action.parameters), *(p.rule for p in action.prices)}
        cited |= {rule for price in action.prices for rule in price.rules}
        cited |= {text for text in texts(action.facts) if text.startswith(f"{system}.")}
    for cost in ruleset.costs:
        cited |= {cost.rule, *cost.rules, cost.spent_rule}
    cited |= {cap.rule for cap in ruleset.caps}
    cited |= {rule for row in ruleset.boundaries.rows for rule in row.rules}
    cited |= {rule for setting in ruleset.options.values() for rule in setting.rules}
    assert cited - known - {""} == set()


def test_the_code_cites_only_rules_there_are(system: str) -> None:
    ruleset = ck.ruleset(system)
    known = set(ruleset.rules.ids())
    for path in ruleset.folder.glob("*.py"):
        source = path.read_text(encoding="utf-8")
        cited = set(re.findall(rf'"({system}\.[a-z0-9-]+(?:\.[a-z0-9-]+)+)"', source))
        heads = {id for id in cited if any(rule.startswith(f"{id}.") for rule in known)}
        assert cited - known - heads == set(), path.name


def test_every_action_has_a_rule_a_known_cost_and_known_parameters(system: str) -> None:
    ruleset = ck.ruleset(system)
    for action in ruleset.actions:
        assert action.title
        assert action.rule, action.id
        assert action.cost in ruleset.costs, action.id
        assert action.when in WHEN, action.id
        assert action.does in ruleset.mechanisms, action.id
        assert {p.id for p in action.parameters} <= set(ruleset.parameters.ids()), action.id
        assert all(price.option == "" or price.option in ruleset.options for price in action.prices)


def test_every_option_takes_its_default_and_what_it_lists_and_names_its_rules(system: str) -> None:
    ruleset = ck.ruleset(system)
    for id, setting in ruleset.options.items():
        assert setting.rules, id
        assert setting.text, id
        for value in (setting.default, *setting.values):
            assert ck.Encounter(system, seed=1, options={id: value})._state.options[id] == value
        with pytest.raises(ck.InvalidInput, match=id):
            ck.Encounter(system, seed=1, options={id: object()})


def test_every_stat_takes_its_default_and_the_ends_of_its_range(system: str) -> None:
    ruleset = ck.ruleset(system)
    enc = ck.Encounter(system, seed=1)
    enc.add("Plain", side="blue")
    for stat in ruleset.stats:
        low, high = stat.range or (None, None)
        assert stat.default is None or low is None or not isinstance(stat.default, int) or low <= stat.default
        for beyond in (None if low is None else low - 1, None if high is None else high + 1):
            if beyond is not None:
                before = enc.digest
                given: dict[str, Any] = {stat.name: beyond}
                with pytest.raises(ck.InvalidInput, match=stat.name):
                    enc.add("Odd", side="blue", **given)
                assert enc.digest == before


def test_vitals_come_first_in_line_for_damage(system: str) -> None:
    ruleset = ck.ruleset(system)
    assert ruleset.vitals
    assert all(stat.vital and "int" in stat.type.split("|") for stat in ruleset.vitals)


def test_every_slot_of_the_budget_is_shown(system: str) -> None:
    enc = ck.Encounter(system, seed=1)
    enc.add("Plain", side="blue")
    assert [slot.id for slot in enc.budget("Plain")] == list(enc.ruleset.slots.ids())


def test_every_rule_bears_a_topic_and_answers_questions_there_are(system: str) -> None:
    known = {f"{topic.id}.{question}" for topic in topics().values() for question in topic.questions}
    for rule in ck.ruleset(system).rules:
        assert rule.topic in topics(), rule.id
        assert set(rule.answers) - known == set(), rule.id


def test_every_example_is_for_a_topic_and_runs_in_five_lines_or_fewer(system: str) -> None:
    for topic, code in examples(ck.ruleset(system)).items():
        assert topic in topics()
        assert len(code.splitlines()) <= 5, topic
        assert max(map(len, code.splitlines())) <= 120, topic
        assert outcome(code), topic
        assert "UnknownName" not in outcome(code), topic
        assert outcome(code) == outcome(code)
