"""Break the package in one place after another, and say which breaks no test notices.

``python -m tools.mutate --count 200 --seed 7 [combatkit/history combatkit/fight/view.py:62 ...]`` draws so many
places by lot (the same for the same seed), breaks each in a copy of the tree, and runs the tests that come by its line,
the quickest first. Which tests those are is measured once and kept in ``build/mutants`` until the package or the test
file changes.

This is a file of our own since mutmut 3 leaves decorated functions and all outside functions whole, drops no check and
draws no lots, and cosmic-ray runs the whole suite for every break.
"""

from __future__ import annotations

import argparse
import ast
import builtins
import hashlib
import json
import mmap
import os
import random
import resource
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from itertools import accumulate
from pathlib import Path
from typing import Any, NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
KEPT = "build/mutants"
TARGETS = [f"combatkit/{room}" for room in ("core", "rules", "fight", "history", "journal")]
MARKS = "not slow and not soak and not browser and not lab"

FIRST = 25
"""So many tests are asked first, alone: most breaks show at once, and collecting more takes longer than running it."""

MEMORY = 6 << 30
"""A broken loop might otherwise eat all there is."""

COMPARISONS: dict[type[ast.cmpop], tuple[type[ast.cmpop], ...]] = {
    ast.Lt: (ast.LtE, ast.GtE),
    ast.LtE: (ast.Lt, ast.Gt),
    ast.Gt: (ast.GtE, ast.LtE),
    ast.GtE: (ast.Gt, ast.Lt),
    ast.Eq: (ast.NotEq,),
    ast.NotEq: (ast.Eq,),
    ast.Is: (ast.IsNot,),
    ast.IsNot: (ast.Is,),
    ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}

UNBROKEN = {"annotation", "decorator_list", "returns"}
"""Parts of a definition that say how it is made or typed, not what it does."""


class Place(NamedTuple):
    """One thing that can be broken: its line, its statement's, what it was and what it becomes."""

    line: int
    statement: int
    was: str
    now: str


def changes(node: ast.AST) -> Iterator[tuple[str, Any]]:
    """Give every way to break a node: the field, and what stands there instead."""
    match node:
        case ast.Compare(ops=ops):
            for n, op in enumerate(ops):
                for other in COMPARISONS[type(op)]:
                    yield "ops", [*ops[:n], other(), *ops[n + 1 :]]
        case ast.BoolOp(op=op):
            yield "op", ast.Or() if isinstance(op, ast.And) else ast.And()
        case ast.UnaryOp(op=ast.Not(), operand=operand):
            yield "operand", ast.UnaryOp(ast.Not(), operand)
        case ast.If(body=[*_, ast.Raise() | ast.Expr(ast.Yield() | ast.Call(ast.Attribute(attr="append")))]):
            yield "test", ast.Constant(value=False)
        case ast.Constant(value=bool(value)):
            yield "value", not value
        case ast.Constant(value=int(value)):
            yield "value", value + 1


def nodes(tree: ast.AST, statement: int = 0) -> Iterator[tuple[ast.AST, int]]:
    """Give every node that may be broken, with the line of its statement, from the top down."""
    statement = tree.lineno if isinstance(tree, ast.stmt) else statement
    yield tree, statement
    for field, value in ast.iter_fields(tree):
        if field not in UNBROKEN and not (field == "keywords" and isinstance(tree, ast.ClassDef)):
            for part in value if isinstance(value, list) else [value]:
                if isinstance(part, ast.AST):
                    yield from nodes(part, statement)


def breaks(tree: ast.Module) -> Iterator[Place]:
    """Break a tree in one place after another; each is mended before the next."""
    for node, statement in nodes(tree):
        for field, value in changes(node):
            told = node.test if isinstance(node, ast.If) else node
            assert isinstance(told, ast.expr)
            kept, was = getattr(node, field), ast.unparse(told)
            setattr(node, field, value)
            yield Place(told.lineno, statement, was, "no check" if isinstance(node, ast.If) else ast.unparse(told))
            setattr(node, field, kept)


def broken(text: str, number: int) -> str:
    """Return a file's text with its place of that number broken."""
    tree = ast.parse(text)
    return next(ast.unparse(tree) for found, _ in enumerate(breaks(tree)) if found == number)


def sample(texts: dict[str, str], wanted: list[str], count: int, seed: int) -> list[tuple[str, int, Place]]:
    """Return so many of the places that are wanted, drawn by lot: the file, the place's number in it, and the place."""
    starts = tuple(name + end for name in wanted for end in "/:")
    files = [path for path in texts if any(f"{path}:".startswith(start.partition(":")[0]) for start in starts)]
    found = [(path, n, place) for path in files for n, place in enumerate(breaks(ast.parse(texts[path])))]
    found = [each for each in found if f"{each[0]}:{each[2].line}:".startswith(starts)]
    random.Random(seed).shuffle(found)
    return found[:count]


# Measuring: which tests come by which lines


class Measured(NamedTuple):
    """What a test takes, and the lines it comes by: a bit for each, of all files one after another."""

    seconds: float
    lines: int


def spans(texts: dict[str, str]) -> dict[str, range]:
    """Return which bits stand for the lines of each file; that of line N is the Nth."""
    found, begin = {}, 0
    for path, text in texts.items():
        found[path] = range(begin, begin := begin + text.count("\n") + 2)
    return found


def marked(text: str, span: range) -> str:
    """Return a file's text that marks each statement as it is come by, but for those run on import."""
    tree = ast.parse(text)
    for node in [*ast.walk(tree)]:
        for field in ("body", "orelse", "finalbody"):
            block = getattr(node, field, None)
            if isinstance(block, list) and not isinstance(node, ast.Module | ast.ClassDef):
                for at, statement in reversed([*enumerate(block)]):
                    # A docstring must stay the first.
                    if not (isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)):
                        block[at:at] = ast.parse(f"__hit__[{span[statement.lineno]}] = {ord('1')}").body
    return ast.unparse(tree)


def measured(tree: Path, texts: dict[str, str]) -> dict[str, Measured]:
    """Return what every test comes by: measured in the copy, each file on its own, or as it was kept."""
    tests = {p.relative_to(tree).as_posix(): p.read_bytes() for p in sorted((tree / "tests").rglob("*")) if p.is_file()}
    data = [p.read_bytes() for p in sorted((tree / "combatkit").rglob("*.toml"))]
    shared = [*(text.encode() for text in texts.values()), *data, *(tests[p] for p in tests if "/test_" not in p)]
    common = hashlib.sha256(b"".join(shared))
    files = {"combatkit": b""} | {p: tests[p] for p in tests if "/test_" in p and "/browser/" not in p}
    span = spans(texts)
    for path, text in texts.items():
        (tree / path).write_text(marked(text, span[path]), encoding="utf-8")
    # A file in memory, so that what a test has other processes do is its own, too.
    hit = tree.parent / "hit"
    hit.write_bytes(b"0" * max(r.stop for r in span.values()))
    start = f"import builtins, mmap\nwith open({str(hit)!r}, 'r+b') as file:\n"
    start += "    builtins.__hit__ = mmap.mmap(file.fileno(), 0)\n"
    (tree / "sitecustomize.py").write_text(start, encoding="utf-8")
    (ROOT / KEPT).mkdir(parents=True, exist_ok=True)
    found: dict[str, Measured] = {}
    stale = {*(ROOT / KEPT).iterdir()}
    for path, content in files.items():
        digest = common.copy()
        digest.update(path.encode() + content)
        kept = ROOT / KEPT / f"{digest.hexdigest()[:24]}.json"
        stale.discard(kept)
        if not kept.exists():
            run(tree, 1200, "--maxfail=1000", f"--measure-into={kept}", path)
        if kept.exists():
            both = json.loads(kept.read_text(encoding="utf-8"))
            found |= {id: Measured(seconds, int(lines, 16)) for id, (seconds, lines) in both.items()}
    for kept in stale:
        kept.unlink()
    (tree / "sitecustomize.py").unlink()
    for path in texts:
        shutil.copy2(ROOT / path, tree / path)
    return found


def pytest_addoption(parser: pytest.Parser) -> None:
    """Take the two files that a run in the copy is given: there, this module is a plugin."""
    parser.addoption("--measure-into", type=Path)
    parser.addoption("--only-from", type=Path)


def pytest_configure(config: pytest.Config) -> None:
    """Keep memory within bounds, and measure if that is wanted."""
    # What is written counts, not what is set aside: the library that draws charts sets aside far more.
    resource.setrlimit(resource.RLIMIT_DATA, (MEMORY, MEMORY))
    if (into := config.getoption("--measure-into")) is not None:
        config.pluginmanager.register(_Measure(into))


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave the tests that were asked for, in that order."""
    if (only := config.getoption("--only-from")) is not None:
        by_id = {item.nodeid: item for item in items}
        items[:] = [by_id[id] for id in json.loads(only.read_text(encoding="utf-8")) if id in by_id]


class _Measure:
    """Notes for each test that passes how long it takes, and what it comes by, its fixtures included."""

    def __init__(self, into: Path) -> None:
        self.into = into
        self.hit: mmap.mmap = vars(builtins)["__hit__"]
        self.found: dict[str, tuple[float, str]] = {}

    def pytest_runtest_logstart(self) -> None:
        self.hit[:] = b"0" * len(self.hit)
        self.seconds, self.passed = 0.0, True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        self.seconds += report.duration
        self.passed &= report.passed

    def pytest_runtest_logfinish(self, nodeid: str) -> None:
        # A test that fails here or is skipped, with nothing broken, cannot judge a break.
        if self.passed:
            self.found[nodeid] = round(self.seconds, 4), hex(int(self.hit[::-1], 2))

    def pytest_sessionfinish(self) -> None:
        self.into.write_text(json.dumps(self.found), encoding="utf-8")


# Running


def copied(tree: Path) -> None:
    """Copy what git has or would take into a folder, and the bundles, which tests read."""
    command = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split("\0")
    bundles = (path.relative_to(ROOT).as_posix() for path in (ROOT / "combatkit/static").rglob("*"))
    for name in [*names, *bundles]:
        if (ROOT / name).is_file():
            (tree / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(ROOT / name, tree / name)


def run(tree: Path, seconds: float, *arguments: str) -> bool:
    """Say whether tests pass in the copy, in time."""
    command = [sys.executable, "-m", "pytest", "-p", "tools.mutate", "-o", "addopts=", "--import-mode=importlib"]
    command += ["-p", "no:terminal", "-p", "no:cacheprovider", "--doctest-modules", "-x", "-m", MARKS, *arguments]
    home = str(tree.parent)
    # Plugins that nobody asked for take longer to load than most tests to run.
    env = os.environ | {"PYTHONPATH": str(tree), "PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1", "HOME": home, "TMPDIR": home}
    quiet = subprocess.DEVNULL
    with subprocess.Popen(command, cwd=tree, env=env, stdout=quiet, stderr=quiet, start_new_session=True) as process:
        try:
            return process.wait(seconds) in (pytest.ExitCode.OK, pytest.ExitCode.NO_TESTS_COLLECTED)
        except subprocess.TimeoutExpired:
            return False
        finally:
            if process.poll() is None:
                os.killpg(process.pid, signal.SIGKILL)


def covering(tests: dict[str, Measured], line: int, file: range) -> list[str]:
    """Return the tests that come by a line, the quickest first.

    What runs on import belongs to no test: there, it is all that come by the file, or all there are.
    """
    for bits in (1 << file[line], sum(1 << bit for bit in file), -1):
        if found := [id for id, test in tests.items() if test.lines & bits]:
            return sorted(found, key=lambda test: tests[test].seconds)
    return []


def passes(tree: Path, tests: dict[str, Measured], ids: list[str]) -> bool:
    """Say whether tests pass in the copy as it stands."""
    only = tree.parent / "only.json"
    for batch in filter(None, (ids[:FIRST], ids[FIRST:])):
        only.write_text(json.dumps(batch), encoding="utf-8")
        limit = 20 + 5 * sum(tests[id].seconds for id in batch)
        if not run(tree, limit, f"--only-from={only}", *sorted({id.partition("::")[0] for id in batch})):
            return False
    return True


def main(arguments: list[str]) -> int:
    """Break, run and tell."""
    parser = argparse.ArgumentParser(prog="python -m tools.mutate", description=__doc__.splitlines()[0])
    parser.add_argument("places", nargs="*", default=TARGETS, help="folders, files, or FILE.py:LINE")
    parser.add_argument("--count", type=int, default=100, help="how many places (100)")
    parser.add_argument("--seed", type=int, default=0, help="which places (0)")
    parser.add_argument("--seconds", type=float, default=60, help="how long the tests of one break may take (60)")
    given = parser.parse_args(arguments)
    files = sorted((ROOT / "combatkit").rglob("*.py"))
    texts = {file.relative_to(ROOT).as_posix(): file.read_text(encoding="utf-8") for file in files}
    span = spans(texts)
    tried = survived = 0
    with tempfile.TemporaryDirectory() as folder:
        tree = Path(folder) / "tree"
        copied(tree)
        tests = measured(tree, texts)
        for path, number, place in sample(texts, given.places, given.count, given.seed):
            ids = covering(tests, place.statement, span[path])
            spent = accumulate(tests[id].seconds for id in ids)
            asked = [id for id, seconds in zip(ids, spent, strict=True) if seconds <= given.seconds]
            (tree / path).write_text(broken(texts[path], number), encoding="utf-8")
            # Two breaks of one second would look alike to Python, which compiles again what has another time.
            os.utime(tree / path, (tried, tried))
            tried += 1
            if passes(tree, tests, asked):
                survived += 1
                print(
                    f"{path}:{place.line}: {place.was}  ->  {place.now}  ({len(asked)} of {len(ids)} tests)", flush=True
                )
            shutil.copy2(ROOT / path, tree / path)
    print(f"{tried} tried, {tried - survived} killed, {survived} survived")
    return 0


if __name__ == "__main__":
    raise SystemExit(main(sys.argv[1:]))
