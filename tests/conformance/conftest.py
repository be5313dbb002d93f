"""Every test here is for every ruleset there is, those to come included."""

from __future__ import annotations

import pytest

import combatkit as ck


def pytest_generate_tests(metafunc: pytest.Metafunc) -> None:
    """Run a test that asks for `system` once a ruleset."""
    if "system" in metafunc.fixturenames:
        metafunc.parametrize("system", [ruleset.id for ruleset in ck.rulesets()])
