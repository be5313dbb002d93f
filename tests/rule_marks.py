"""Which rules the tests cite: read from the sources of all of them, so that a run of a few tests judges the same."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import TypeGuard

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
        for test, id in marks_in(path.read_text(encoding="utf-8")):
            found.setdefault(id, []).append(f"{path.relative_to(TESTS).as_posix()}::{test}")
    return {id: tuple(tests) for id, tests in found.items()}


def marks_in(source: str) -> Iterator[tuple[str, str]]:
    """Give each test of a file with each id it is marked with, by itself, by its class, by a parameter or by the file.

    Raises
    ------
    ValueError
        For a mark that is not written out, or that no test would bear.
    """
    module = ast.parse(source)
    seen: set[ast.Call] = set()
    for test, owners in _tests(module):
        for owner in owners:
            for call in _rule_calls(owner):
                seen.add(call)
                ids = [a.value for a in call.args if isinstance(a, ast.Constant) and isinstance(a.value, str)]
                if len(ids) < len(call.args):
                    raise ValueError(f"line {call.lineno}: write the rule's id out: mark.rule('saga.std.one')")
                yield from ((test, id) for id in ids)
    for call in _rule_calls(module):
        if call not in seen:
            raise ValueError(f"line {call.lineno}: this mark is on nothing that is collected as a test")


def _tests(module: ast.Module) -> Iterator[tuple[str, list[ast.AST]]]:
    """Give each test with what may bear its marks: its decorators, its class's, the file's ``pytestmark``."""
    files: list[ast.AST] = [
        node
        for node in module.body
        if isinstance(node, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == "pytestmark" for target in node.targets)
    ]
    for node in module.body:
        if _is_test(node):
            yield node.name, [*node.decorator_list, *files]
        elif isinstance(node, ast.ClassDef) and node.name.startswith("Test"):
            for inner in node.body:
                if _is_test(inner):
                    yield f"{node.name}::{inner.name}", [*inner.decorator_list, *node.decorator_list, *files]


def _is_test(node: ast.stmt) -> TypeGuard[ast.FunctionDef]:
    return isinstance(node, ast.FunctionDef) and node.name.startswith("test_")


def _rule_calls(node: ast.AST) -> Iterator[ast.Call]:
    for inner in ast.walk(node):
        if isinstance(inner, ast.Call) and ast.unparse(inner.func) == "pytest.mark.rule":
            yield inner
