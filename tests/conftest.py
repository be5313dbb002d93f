"""For all tests: the examples they are given, and what is said at the end of a run."""

from __future__ import annotations

import gc

import pytest
from hypothesis import HealthCheck, settings

from tests import rule_marks

# The same examples each time, so that a change is to blame for what fails.
settings.register_profile(
    "same",
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
    derandomize=True,
    max_examples=50,
)
settings.load_profile("same")


def pytest_collection_finish() -> None:
    """Leave what all tests share out of each look for garbage: ten thousand tests and their modules are most of it."""
    gc.collect()
    gc.freeze()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say what tests have measured, and in a run of all of them how many of each ledger's rules they cite."""
    for report in terminalreporter.getreports("passed"):
        for name, value in report.user_properties:
            if name == "told":
                terminalreporter.write_line(value)
    if "tests" not in terminalreporter.config.args:
        return
    try:
        cited = rule_marks.cited()
    except Exception as error:  # noqa: BLE001 - whatever keeps a test file from loading, the run has said so already
        terminalreporter.write_line(f"rules: not counted, since a test cannot be loaded: {error}")
        return
    for system in rule_marks.systems():
        ids = rule_marks.ledger(system)
        covered = sum(id in cited for id in ids)
        terminalreporter.write_line(f"rules: {system} {covered} of {len(ids)}")
