"""What is imported when: the engine runs anywhere, and imports point one way."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.rules.mechanisms import MECHANISMS

pytestmark = pytest.mark.xdist_group("imports")  # the package is read once

PACKAGE = Path(ck.__file__).parent
ROOT = PACKAGE.parent
SYSTEMS = sorted(p.parent.name for p in (PACKAGE / "systems").glob("*/ruleset.py"))

LAYERS = {
    "errors": 0,
    "text": 0,
    "core": 1,
    "frames": 1,
    "rules": 2,
    "arrays": 3,
    "files": 3,
    "systems": 3,
    "registry": 4,
    "fight": 5,
    "tactics": 6,
    "history": 7,
    "journal": 7,
    "notebook": 7,
    "report": 7,
    "shelf": 7,
    "simulation": 7,
    "study": 7,
    "widgets": 8,
    "lab": 8,
    "share": 9,
}
"""Every part of the package; one imports from its own layer and those below."""

UPWARD = {
    ("errors", "CombatkitError._render_traceback_", "combatkit.notebook"),
    ("rules", "Rulebook.roster_template", "combatkit.files"),
    ("fight", "View.odds", "combatkit.study"),
    ("fight", "Encounter.__init__", "combatkit.journal"),
    ("fight", "Encounter.__init__", "combatkit.notebook"),
    ("fight", "Encounter.history", "combatkit.history"),
    ("fight", "Encounter.log", "combatkit.report"),
    ("fight", "Encounter.summary", "combatkit.history"),
    ("fight", "Encounter.share", "combatkit.share"),
    ("fight", "Encounter.to_html", "combatkit.widgets"),
    ("fight", "Encounter._repr_mimebundle_", "combatkit.widgets"),
    ("fight", "Encounter._new_id", "combatkit.journal"),
    ("fight", "Encounter.open", "combatkit.journal"),
    ("fight", "Encounter.save", "combatkit.journal"),
    ("fight", "Encounter.branch", "combatkit.journal"),
    ("fight", "Encounter.branches", "combatkit.journal"),
    ("study", "Exercise._ipython_display_", "combatkit.widgets"),
    ("study", "Differences._repr_mimebundle_", "combatkit.widgets"),
}
"""The only imports that point up: late ones, inside methods and properties."""


def in_a_new_process(code: str) -> str:
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


@cache
def loaded() -> frozenset[str]:
    """Give what a new process has loaded once it has imported the package."""
    return frozenset(in_a_new_process("import combatkit, sys; print(*sys.modules)").split())


@pytest.mark.parametrize(
    "heavy",
    [
        *("polars", "anywidget", "traitlets", "ipywidgets", "IPython", "importlib.metadata", "numpy", "pyarrow"),
        *("defusedxml", "ruamel", "xml", "csv", "combatkit.files.foreign", "combatkit.shelf"),
        *("starlette", "uvicorn", "websockets", "segno", "psutil", "asyncio", "PIL"),
    ],
)
def test_importing_combatkit_loads_none_of(heavy: str) -> None:
    assert "combatkit" in loaded()
    assert heavy not in loaded()


FIGHT = """
import sys
for name in ("polars", "anywidget", "traitlets", "ipywidgets", "IPython", "numpy"):
    sys.modules[name] = None
import combatkit as ck
for ruleset in ck.rulesets():
    enc = ck.Encounter(ruleset.id, seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", count=2, npc=True)
    enc.start()
    for _ in range(20):
        enc.options(enc.names[0])
        if enc.pending:
            break
        enc.end_turn()
    enc.undo()
    print(ruleset.id, len(enc.digest))
"""


def test_the_engine_plays_a_fight_where_polars_and_widgets_are_not_to_be_had() -> None:
    played = in_a_new_process(FIGHT).split()
    assert set(SYSTEMS) <= set(played[::2])


def part(module: str) -> str:
    """Give the part of the package a module belongs to."""
    return module.split(".")[1] if "." in module else ""


@cache
def sources() -> tuple[tuple[str, ast.Module], ...]:
    """Give every module of the package, but the one that gathers the public names."""
    paths = {
        ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    return tuple(
        (name, ast.parse(path.read_text(encoding="utf-8"))) for name, path in paths.items() if name != "combatkit"
    )


@pytest.fixture(scope="module", autouse=True)
def _let_go() -> Iterator[None]:
    """Keep no syntax trees behind these tests: half a million nodes, and each look for garbage goes through them."""
    yield
    sources.cache_clear()


def is_type_checking(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) in ("TYPE_CHECKING", "typing.TYPE_CHECKING")


def imports(node: ast.AST, where: str = "") -> Iterator[tuple[str, str]]:
    """Give each import of the package's own modules that is carried out, and the function it stands in."""
    for child in ast.iter_child_nodes(node):
        if is_type_checking(child):
            continue
        inner = where
        if isinstance(child, (ast.FunctionDef, ast.ClassDef)):
            inner = f"{where}.{child.name}".lstrip(".")
        if isinstance(child, ast.Import):
            yield from ((inner, name.name) for name in child.names if name.name.split(".")[0] == "combatkit")
        elif isinstance(child, ast.ImportFrom) and child.module and child.module.split(".")[0] == "combatkit":
            assert child.level == 0
            names = {f"{child.module}.{name.name}" for name in child.names}
            modules = {name for name in names if (ROOT / f"{name.replace('.', '/')}.py").exists()}
            packages = {name for name in names if (ROOT / name.replace(".", "/") / "__init__.py").exists()}
            rest = {child.module} if len(modules | packages) < len(names) else set()
            yield from ((inner, name) for name in sorted(modules | packages | rest))
        yield from imports(child, inner)


def test_every_part_of_the_package_has_its_layer() -> None:
    assert {part(name) for name, _ in sources()} - set(LAYERS) == set()


def test_imports_point_one_way_but_for_the_late_ones_listed() -> None:
    wrong = []
    for name, module in sources():
        own = part(name)
        for where, imported in imports(module):
            upward = imported != "combatkit" and LAYERS[part(imported)] > LAYERS[own]
            if upward and (own, where, ".".join(imported.split(".")[:2])) not in UPWARD:
                wrong.append(f"{name}, {where or 'at module level'}: {imported}")
    assert wrong == []


def test_the_engine_reaches_for_nothing_outside() -> None:
    allowed = {"msgspec", *sys.stdlib_module_names}
    for name, module in sources():
        if part(name) in ("core", "rules", "text"):
            for node in ast.walk(module):
                if isinstance(node, (ast.Import, ast.ImportFrom)):
                    named = [n.name for n in node.names] if isinstance(node, ast.Import) else [node.module or ""]
                    assert {n.split(".")[0] for n in named} <= {"combatkit", *allowed}, name


@pytest.mark.parametrize("impure", ["time", "datetime", "random", "os", "socket", "subprocess", "sqlite3", "threading"])
def test_the_engine_knows_no_wall_clock_no_chance_and_no_files(impure: str) -> None:
    for name, module in sources():
        if part(name) in ("core", "rules", "text"):
            for node in ast.walk(module):
                if isinstance(node, ast.Import):
                    assert impure not in [n.name for n in node.names], name
                elif isinstance(node, ast.ImportFrom):
                    assert node.module != impure, name


def test_there_is_no_circle_at_module_level() -> None:
    graph = {name: {to for where, to in imports(module) if not where} for name, module in sources()}
    done: set[str] = set()

    def visit(name: str, path: tuple[str, ...]) -> None:
        assert name not in path, " -> ".join([*path[path.index(name) :], name])
        if name not in done:
            for to in sorted(graph.get(name, ())):
                visit(to, (*path, name))
            done.add(name)

    for name in graph:
        visit(name, ())


def test_no_ruleset_is_named_outside_its_folder() -> None:
    """Examples in docstrings may name one; code may neither compare with an id nor cite a rule."""
    named = []
    for name, module in sources():
        own = name.split(".")[2] if name.startswith("combatkit.systems.") else ""
        others = [system for system in SYSTEMS if system != own]
        for node in ast.walk(module):
            for word in words_that_decide(node):
                if str(word.value).split(".")[0] in others:
                    named += [f"{name}:{word.lineno}: {word.value!r}"]
    assert named == []


ELSE = {
    "abort": "what stops a listener in a browser",
    "act": "a frame of the focus",
    "announce": "what a front end says aloud",
    "area": "a circle, a cone or a line on the map",
    "armor": "promised of a damage event",
    "attacks": "what is counted",
    "block": "how a browser scrolls",
    "check": "an icon, and an integrity check",
    "declared": "the stage of an action that has been declared",
    "end": "where a turn, a tie or a condition ends",
    "escape": "a key",
    "free": "what a quiz says of something that costs nothing",
    "half": "promised of a call for damage",
    "held": "a window that waits for those at their seats",
    "movement": "a tag",
    "none": "what the GM answers, how many are surprised, a list of nothing",
    "notation": "how dice are written",
    "object": "a thing in Python",
    "out": "a status, and a flag of conditions",
    "position": "a field of a combatant",
    "reaction": "when an action may be done",
    "recovery": "a tag",
    "resolve": "a call",
    "search": "a box to look for something",
    "segment": "promised of a trigger",
    "reach": "where an action leads on the map",
    "withdraw": "what a seat does with what it asked of the GM",
    "rest": "a key of a reader's progress",
    "speed": "a field of a scene",
    "step": "a kind of event",
    "strike": "a stage of the common attack",
    "sweep": "a call that fights a scene over and over",
    "threat": "what a window is about",
}
"""Words that a system has, and shared code has as well: what they mean there."""


def test_shared_code_has_no_word_of_a_system() -> None:
    own = words_of_systems()
    found = {where: word for where, word in (*texts_of_shared_python(), *texts_of_front_ends()) if word in own}
    strange = [f"{where}: {word} of {own[word]}" for where, word in found.items() if word not in ELSE]
    assert strange == [], "let the ruleset declare it, and ask the ruleset"
    assert set(ELSE) == set(found.values()), "a word that is no longer used needs no excuse"


@pytest.mark.parametrize("word", ["manoeuvre", "casting", "declare", "unaware", "feats", "force_points", "duration"])
def test_a_word_of_a_system_would_be_found(word: str) -> None:
    assert word in words_of_systems()


@cache
def words_of_systems() -> dict[str, str]:
    """Give each id that a system brings, with one of them; what the kit or every system has is left out."""
    kit = tomllib.loads((PACKAGE / "rules" / "kit.toml").read_text(encoding="utf-8"))
    common = set(MECHANISMS) | {
        word
        for part in kit.values()
        for word in (part if isinstance(part, dict) else [e["id"] if isinstance(e, dict) else e for e in part])
    }
    owners: dict[str, set[str]] = {}
    for rules in map(ck.ruleset, SYSTEMS):
        lists = [each.actions for by_value in rules.lists.values() for each in by_value.values()]
        parts: list[Any] = [*lists, rules.actions, rules.costs, rules.slots, rules.caps, rules.stats]
        parts += [rules.conditions, rules.parameters, rules.columns]
        ids = {each.id for part in parts for each in part}
        for word in {*ids, *rules.purposes, *rules.options, *rules.tables, *rules.mechanisms, *effects_of(rules.id)}:
            owners.setdefault(word, set()).add(rules.id)
    return {word: min(of) for word, of in owners.items() if len(of) < len(SYSTEMS) and word not in common}


def effects_of(system: str) -> set[str]:
    """Give the conditions that a system's code sets, ends or looks for, declared or not."""
    named = [
        text
        for name, module in sources()
        if name.startswith(f"combatkit.systems.{system}.")
        for node in ast.walk(module)
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)
        if node.func.attr in ("effect", "end_effects")
        for text in node.args
    ]
    return {each.value for each in named if isinstance(each, ast.Constant) and isinstance(each.value, str)}


def texts_of_shared_python() -> Iterator[tuple[str, str]]:
    """Give each text in shared code and where it stands; what a statement alone consists of is a docstring."""
    for name, module in sources():
        if name.startswith("combatkit.systems."):
            continue
        told = {id(node.value) for node in ast.walk(module) if isinstance(node, ast.Expr)}
        for node in ast.walk(module):
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in told:
                yield f"{name}:{node.lineno}:{node.col_offset}", node.value


def texts_of_front_ends() -> Iterator[tuple[str, str]]:
    """Give each word between quotes or before a colon in a front end, and where it stands."""
    for path in sorted((ROOT / "js").glob("*/*.js")):
        if path.parent.name == "test":
            continue
        for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), start=1):
            for found in re.finditer(r"""["'`](\w+)["'`]|\b(\w+):""", line):
                yield f"{path.relative_to(ROOT)}:{number}:{found.start()}", found[1] or found[2]


def words_that_decide(node: ast.AST) -> list[ast.Constant]:
    """Give the texts that are compared with, matched, looked up or passed on; docstrings are not."""
    found: list[ast.AST] = []
    if isinstance(node, ast.Compare):
        found = [inner for side in (node.left, *node.comparators) for inner in ast.walk(side)]
    elif isinstance(node, ast.MatchValue):
        found = [node.value]
    elif isinstance(node, ast.Subscript):
        found = [node.slice]
    elif isinstance(node, ast.Call):
        found = [*node.args, *(keyword.value for keyword in node.keywords)]
    return [word for word in found if isinstance(word, ast.Constant) and isinstance(word.value, str)]


def test_systems_do_not_import_one_another() -> None:
    for name, module in sources():
        if name.startswith("combatkit.systems."):
            for _, imported in imports(module):
                if imported.startswith("combatkit.systems."):
                    assert imported.split(".")[2] == name.split(".")[2], f"{name} imports {imported}"
