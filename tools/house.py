"""Print how much house there is: what `docs/where.md` promises to keep small.

``python -m tools.house`` counts in ``combatkit/``: lines of code (docstrings, comments and blanks not counted), with
imports and without, the longest files, hooks of a ruleset, what is typed ``Any``, functions that take many parameters,
imports made late, places that keep an answer, files that know undo or ties; for each system how far a call goes through
it, and the work of a turn, of somebody's options and of a click, in bytecodes and calls.
"""

from __future__ import annotations

import ast
import gc
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from types import FrameType
from typing import Any, NamedTuple

import combatkit as ck
from benchmarks.scenes import unarmed

TraceFunction = Callable[[FrameType, str, Any], Any]

PACKAGE = Path(__file__).parents[1] / "combatkit"
PARTS = ("rules/ruleset.py", "rules/presentation.py")
"""Where the methods stand that a system may override."""

TOGETHER = ("rules", "state", "fighter", "action")
"""What a function takes that is really about one case."""

_ANY = re.compile(r"\bAny\b")
_BLANK = (tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENDMARKER)


def code_lines(text: str) -> int:
    r"""Count the lines of a file that say what happens.

    Examples
    --------
    >>> code_lines('import os\n\ndef f():\n    "Return one."\n    return 1  # why\n')
    2
    """
    lines = {
        line
        for token in tokenize.generate_tokens(io.StringIO(text).readline)
        if token.type not in _BLANK
        for line in range(token.start[0], token.end[0] + 1)
    }
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.Import | ast.ImportFrom | ast.Expr) and _is_left_out(node):
            lines -= set(range(node.lineno, (node.end_lineno or node.lineno) + 1))
    return len(lines)


def import_lines(text: str) -> int:
    """Count the lines of a file's imports."""
    nodes = (node for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Import | ast.ImportFrom))
    return sum((node.end_lineno or node.lineno) - node.lineno + 1 for node in nodes)


def _is_left_out(node: ast.Import | ast.ImportFrom | ast.Expr) -> bool:
    """Check whether a statement is an import, or nothing but a string: a docstring, of a constant too."""
    return not isinstance(node, ast.Expr) or (isinstance(node.value, ast.Constant) and type(node.value.value) is str)


def files() -> dict[str, str]:
    """Return the text of every file of the package, by its path in it."""
    return {p.relative_to(PACKAGE).as_posix(): p.read_text(encoding="utf-8") for p in sorted(PACKAGE.rglob("*.py"))}


def functions(text: str) -> Iterator[tuple[str, list[str]]]:
    """Yield the name and the parameters of every function of a file."""
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            yield node.name, [a.arg for a in (*node.args.posonlyargs, *node.args.args, *node.args.kwonlyargs)]


def hooks(texts: dict[str, str]) -> list[str]:
    """Return the methods of a ruleset and its parts that a system may override: those that are not final."""
    classes = (n for path in PARTS for n in ast.parse(texts[path]).body if isinstance(n, ast.ClassDef))
    bodies = (n for owner in classes if owner.name in ("Ruleset", "Presentation") for n in owner.body)
    found = (n for n in bodies if isinstance(n, ast.FunctionDef) and not n.name.startswith("_"))
    return [n.name for n in found if "final" not in map(ast.unparse, n.decorator_list)]


def late_imports(text: str) -> int:
    """Count the imports inside functions."""
    bodies = (n for n in ast.walk(ast.parse(text)) if isinstance(n, ast.FunctionDef))
    return sum(isinstance(n, ast.Import | ast.ImportFrom) for body in bodies for n in ast.walk(body))


KEEPERS = ("Lookup", "cache", "lru_cache", "cached_property")
"""What keeps an answer, by name."""

UNDO, TIES = ("undo", "undone", "redo"), ("tie", "ties", "tied")
"""Words of what is known all over the house."""


def keepers(text: str) -> int:
    r"""Count the places where an answer is kept by what it is an answer to: functions, methods and properties.

    Examples
    --------
    >>> keepers("@cache\ndef f(): ...\ng = Lookup(f)\n")
    2
    """
    named = (
        node.func if isinstance(node, ast.Call) else node
        for top in ast.walk(ast.parse(text))
        for node in (
            top.decorator_list if isinstance(top, ast.FunctionDef) else [top] if isinstance(top, ast.Call) else []
        )
    )
    return sum(getattr(node, "id", getattr(node, "attr", "")) in KEEPERS for node in named)


def knows(text: str, words: tuple[str, ...]) -> bool:
    """Check whether the code of a file has one of some words as part of a name or as a text of its own."""
    tree = ast.parse(text)
    names = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    names |= {node.attr for node in ast.walk(tree) if isinstance(node, ast.Attribute)}
    names |= {str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)}
    return any(set(words) & {*name.strip("_").split("_")} for name in names)


def first(system: str) -> tuple[ck.Encounter, str]:
    """Return the scene catwalk as somebody is active for the first time, and who that is."""
    enc = unarmed("catwalk", system).encounter(system, seed=7)
    while (name := enc.active) is None:
        enc.end_turn()
    return enc, name


def way(system: str) -> tuple[int, int]:
    """Return how many modules the first deed of `strike` in the scene catwalk passes, and with how many moves.

    A move is a call whose caller is another module. What is worked out once for all is worked out before.
    """
    seen: set[str] = set()
    moves = 0

    def follow(frame: FrameType, kind: str, _: Any) -> None:
        nonlocal moves
        if kind == "call" and (into := frame.f_globals.get("__name__", "")).startswith("combatkit"):
            seen.add(into)
            caller = frame.f_back.f_globals.get("__name__", "") if frame.f_back is not None else ""
            moves += caller.startswith("combatkit") and caller != into

    for run in range(2):
        enc, name = first(system)
        deed = ck.tactics.strike(enc, name)
        if deed is None:
            raise SystemExit(f"{system}: nobody strikes first in catwalk")
        if run:
            sys.setprofile(follow)
        enc.do(name, deed.action, **deed.params)
        sys.setprofile(None)
    return len(seen), moves


class Work(NamedTuple):
    """What something takes of Python: calls, and bytecodes of the package's own functions."""

    calls: int
    bytecodes: int


def measured(work: Callable[[], object]) -> Work:
    """Do something, and count what it takes."""
    calls = bytecodes = 0

    def enter(frame: FrameType, kind: str, _: Any) -> TraceFunction | None:
        nonlocal calls
        calls += 1
        if not frame.f_globals.get("__name__", "").startswith("combatkit"):
            return None
        frame.f_trace_opcodes, frame.f_trace_lines = True, False
        return step

    def step(_: FrameType, kind: str, __: Any) -> TraceFunction:
        nonlocal bytecodes
        bytecodes += kind == "opcode"
        return step

    before, collects = sys.gettrace(), gc.isenabled()
    gc.disable()  # what others have left behind would be counted where it happens to be cleared away
    sys.settrace(enter)
    try:
        work()
    finally:
        sys.settrace(before)
        if collects:
            gc.enable()
    return Work(calls, bytecodes)


def options(system: str) -> Work:
    """Measure the options of who acts first in catwalk, asked once before."""
    enc, name = first(system)
    enc.options(name)
    enc, name = first(system)
    return measured(partial(enc.options, name))


def turn(system: str) -> Work:
    """Measure the first deed of `strike` in catwalk, and the end of that turn, played once before."""
    _played(system)
    done, ended = _played(system)
    return Work(done.calls + ended.calls, done.bytecodes + ended.bytecodes)


def _played(system: str) -> tuple[Work, Work]:
    enc, name = first(system)
    deed = ck.tactics.strike(enc, name)
    if deed is None:
        raise SystemExit(f"{system}: nobody strikes first in catwalk")
    done = measured(partial(enc.do, name, deed.action, **deed.params))
    while enc.pending:
        enc.resolve()
    return done, measured(enc.end_turn)


def click(system: str) -> Work:
    """Measure a click that ends the turn in a tracker, from the message to the views that follow."""
    works = [measured(partial(ck.Tracker(first(system)[0])._hear, None, {"kind": "end_turn"}, [])) for _ in range(2)]
    return works[-1]


def main() -> None:
    """Print the numbers."""
    texts = files()
    code = {path: code_lines(text) for path, text in texts.items()}
    rooms = Counter[str]()
    for path, lines in code.items():
        rooms["/".join(path.split("/")[:2]) if path.startswith("systems/") else path.split("/")[0]] += lines
    imported = sum(import_lines(text) for text in texts.values())
    print(f"{sum(code.values()):,} lines of code and {imported:,} of imports in {len(texts)} files")
    print("  " + ", ".join(f"{room} {lines:,}" for room, lines in rooms.most_common()))
    longest = sorted(code.items(), key=lambda each: -each[1])[:5]
    print(f"the longest: {', '.join(f'{path} {lines}' for path, lines in longest)}")
    print(f"{len(hooks(texts))} hooks of a ruleset")
    print(f"{sum(len(_ANY.findall(text)) for text in texts.values())} times Any")
    several = [(path, name, args) for path, text in texts.items() for name, args in functions(text)]
    print(f"{sum(set(TOGETHER) <= set(args) for _, _, args in several)} functions take {', '.join(TOGETHER)}")
    print(f"{sum(len(args) - ('self' in args) > 5 for _, _, args in several)} functions take more than five parameters")
    print(f"{sum(map(late_imports, texts.values()))} imports inside functions")
    print(f"{sum(map(keepers, texts.values()))} places keep an answer")
    for what, words in (("undo", UNDO), ("ties", TIES)):
        print(f"{sum(knows(text, words) for text in texts.values())} files know {what}")
    ways = {ruleset.id: way(ruleset.id) for ruleset in ck.rulesets()}
    print(f"a first deed: {', '.join(f'{id} {seen} modules, {moves} moves' for id, (seen, moves) in ways.items())}")
    for what, measure in (("a turn", turn), ("somebody's options", options), ("a click", click)):
        works = ((id, measure(id)) for id in ways)
        print(f"{what}: {', '.join(f'{id} {work.bytecodes:,} bytecodes, {work.calls:,} calls' for id, work in works)}")


if __name__ == "__main__":
    main()
