"""Every rule of every ledger is in its rulebook and cited by a test, and no test cites a rule there is not.

The marks are read from all tests, so it does not matter which of them are run.
"""

from __future__ import annotations

from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

import combatkit as ck
from tests import rule_marks

BUILT_IN = tuple(sorted(p.parent.name for p in (Path(ck.__file__).parent / "systems").glob("*/rules.toml")))


def test_every_ruleset_of_the_kit_has_a_ledger() -> None:
    assert rule_marks.systems() == BUILT_IN


@pytest.mark.parametrize("system", BUILT_IN)
def test_the_rulebook_holds_the_ledger_and_nothing_else(system: str) -> None:
    ids = rule_marks.ledger(system)
    assert len(set(ids)) == len(ids)
    book = ck.ruleset(system).rules.ids()
    assert [id for id in ids if id not in book] == [], "missing in the rulebook"
    assert [id for id in book if id not in ids] == [], "not in the ledger"


@pytest.mark.parametrize("system", BUILT_IN)
def test_every_rule_is_cited_by_a_test(system: str) -> None:
    cited = rule_marks.cited()
    assert [id for id in rule_marks.ledger(system) if id not in cited] == []


def test_no_test_cites_a_rule_there_is_not() -> None:
    known = {id for system in rule_marks.systems() for id in rule_marks.ledger(system)}
    assert {id: tests for id, tests in rule_marks.cited().items() if id not in known} == {}


def test_no_test_that_cites_a_rule_is_skipped() -> None:
    for path in rule_marks.TESTS.rglob("test_*.py"):
        text = path.read_text(encoding="utf-8")
        if "mark." + "rule(" in text:
            assert "mark." + "skip" not in text, path.name
            assert "mark." + "xfail" not in text, path.name


def module(**names: Any) -> ModuleType:
    made = ModuleType("made")
    vars(made).update(names)
    return made


def test_marks_are_found_wherever_pytest_allows_them() -> None:
    @pytest.mark.rule("x.one", "x.two")
    def test_a() -> None: ...

    @pytest.mark.parametrize("n", [pytest.param(1, marks=pytest.mark.rule("x.param")), 2])
    def test_b(n: int) -> None: ...

    @pytest.mark.rule("x.class")
    class TestC:
        @pytest.mark.rule("x.method")
        def test_d(self) -> None: ...

    marked = module(
        test_a=test_a, test_b=test_b, TestC=TestC, pytestmark=[pytest.mark.slow, pytest.mark.rule("x.module")]
    )
    assert sorted(rule_marks.marks_in(marked)) == [
        ("TestC::test_d", "x.class"),
        ("TestC::test_d", "x.method"),
        ("TestC::test_d", "x.module"),
        ("test_a", "x.module"),
        ("test_a", "x.one"),
        ("test_a", "x.two"),
        ("test_b", "x.module"),
        ("test_b", "x.param"),
    ]


def test_a_mark_that_covers_nothing_is_an_error() -> None:
    @pytest.mark.rule("x.one")
    def helper() -> None: ...

    with pytest.raises(ValueError, match="no run would collect"):
        list(rule_marks.marks_in(module(helper=helper)))
