"""Which rules the tests cite: read from all of them, so that a run of a few tests judges the same."""

from __future__ import annotations

import importlib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any

import pytest

TESTS = Path(__file__).parent
LEDGERS = TESTS / "ledger"


def ledger(system: str) -> tuple[str, ...]:
    """Give the ids a ruleset must have, in the order of its ledger; empty if it has none."""
    path = LEDGERS / f"{system}.txt"
    return tuple(path.read_text(encoding="utf-8").split()) if path.exists() else ()


def systems() -> tuple[str, ...]:
    """Give every system there is a ledger for."""
    return tuple(sorted(path.stem for path in LEDGERS.glob("*.txt")))


@cache
def cited() -> dict[str, tuple[str, ...]]:
    """Give every rule id that a test is marked with, and the tests that are."""
    found: dict[str, list[str]] = {}
    for path in sorted(TESTS.rglob("test_*.py")):
        if "mark." + "rule(" in path.read_text(encoding="utf-8"):
            name = ".".join(path.relative_to(TESTS.parent).with_suffix("").parts)
            for test, id in marks_in(importlib.import_module(name)):
                found.setdefault(id, []).append(f"{name}::{test}")
    return {id: tuple(tests) for id, tests in found.items()}


def marks_in(module: ModuleType) -> Iterator[tuple[str, str]]:
    """Give each test of a module with each id it is marked with: by itself, its class, a parameter or the module.

    Raises
    ------
    ValueError
        For a mark on what no run would collect.
    """
    above = marks_of(module)
    for name, value in vars(module).items():
        if isinstance(value, type) and name.startswith("Test"):
            for inner, method in vars(value).items():
                yield from _ids(f"{name}::{inner}", method, [*above, *marks_of(value)])
        else:
            yield from _ids(name, value, above)


def _ids(name: str, value: Any, above: list[pytest.Mark]) -> Iterator[tuple[str, str]]:
    if not isinstance(value, FunctionType):
        return
    own = list(rule_ids(marks_of(value)))
    if name.rpartition("::")[2].startswith("test_"):
        yield from ((name, id) for id in dict.fromkeys([*own, *rule_ids(above)]))
    elif own:
        raise ValueError(f"{name} is marked with {own[0]}, but no run would collect it as a test")


def marks_of(bearer: Any) -> list[pytest.Mark]:
    """Give the marks something bears itself."""
    given = vars(bearer).get("pytestmark", [])
    return [mark.mark if isinstance(mark, pytest.MarkDecorator) else mark for mark in _list(given)]


def rule_ids(marks: list[pytest.Mark]) -> Iterator[str]:
    """Give the ids of rule marks, those on single parameters too."""
    for mark in marks:
        if mark.name == "rule":
            yield from mark.args
        elif mark.name == "parametrize":
            for parameter in mark.args[1] if len(mark.args) > 1 else mark.kwargs.get("argvalues", ()):
                inner = getattr(parameter, "marks", ())
                yield from rule_ids([m.mark if isinstance(m, pytest.MarkDecorator) else m for m in _list(inner)])


def _list(marks: Any) -> list[Any]:
    return list(marks) if isinstance(marks, (list, tuple)) else [marks]
