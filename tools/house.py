"""Print how much house there is: what `docs/where.md` promises to keep small.

``python -m tools.house`` counts in ``combatkit/``: lines of code (imports, docstrings, comments and blanks not
counted), the longest files, hooks of a ruleset, what is typed ``Any``, functions that take many parameters, imports
made late; how far a call goes through it, and how many calls somebody's options take.
"""

from __future__ import annotations

import ast
import io
import re
import sys
import tokenize
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import combatkit as ck
from benchmarks.scenes import unarmed

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


def calls(system: str) -> int:
    """Return how many calls of Python the options of who acts first in catwalk take, asked once before."""
    count = 0

    def follow(_: FrameType, kind: str, __: Any) -> None:
        nonlocal count
        count += kind == "call"

    for run in range(2):
        enc, name = first(system)
        if run:
            sys.setprofile(follow)
        enc.options(name)
        sys.setprofile(None)
    return count


def main() -> None:
    """Print the numbers."""
    texts = files()
    code = {path: code_lines(text) for path, text in texts.items()}
    rooms = Counter[str]()
    for path, lines in code.items():
        rooms["/".join(path.split("/")[:2]) if path.startswith("systems/") else path.split("/")[0]] += lines
    print(f"{sum(code.values()):,} lines of code in {len(texts)} files")
    print("  " + ", ".join(f"{room} {lines:,}" for room, lines in rooms.most_common()))
    longest = sorted(code.items(), key=lambda each: -each[1])[:5]
    print(f"the longest: {', '.join(f'{path} {lines}' for path, lines in longest)}")
    print(f"{len(hooks(texts))} hooks of a ruleset")
    print(f"{sum(len(_ANY.findall(text)) for text in texts.values())} times Any")
    several = [(path, name, args) for path, text in texts.items() for name, args in functions(text)]
    print(f"{sum(set(TOGETHER) <= set(args) for _, _, args in several)} functions take {', '.join(TOGETHER)}")
    print(f"{sum(len(args) - ('self' in args) > 5 for _, _, args in several)} functions take more than five parameters")
    print(f"{sum(map(late_imports, texts.values()))} imports inside functions")
    ways = {ruleset.id: way(ruleset.id) for ruleset in ck.rulesets()}
    print(f"a first deed: {', '.join(f'{id} {seen} modules, {moves} moves' for id, (seen, moves) in ways.items())}")
    print(f"calls for somebody's options: {', '.join(f'{id} {calls(id):,}' for id in ways)}")


if __name__ == "__main__":
    main()
