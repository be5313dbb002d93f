"""Every test here is for every ruleset there is, those to come included."""

from __future__ import annotations

from functools import cache

import pytest

import combatkit as ck


def pytest_addoption(parser: pytest.Parser) -> None:
    """Let one more ruleset be held to the suite, alone: ``pytest tests/conformance --ruleset FOLDER``."""
    parser.addoption("--ruleset", metavar="FOLDER", help="hold the ruleset in this folder to the suite, and no other")


@cache
def added(folder: str) -> str:
    """Make a ruleset known, and give its id."""
    return ck.add_ruleset(folder).id


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `system` once a ruleset."""
    if "system" in metafunc.fixturenames:
        folder = metafunc.config.getoption("--ruleset", None)
        metafunc.parametrize("system", [added(folder)] if folder else [ruleset.id for ruleset in ck.rulesets()])
