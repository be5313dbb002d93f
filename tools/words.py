"""What there is to translate: ``python -m tools.words`` writes it down, and says what each language lacks.

Words of ours stand in four places: templates of the log and titles (TOML), sentences in the code (f-strings), and the
front ends (JavaScript). All are templates with fields in braces: ``{name} has no {slot} left``. They are gathered in
``combatkit/text/words.txt``, sorted, one a line, so that a language can be compared with it wherever the kit runs.
"""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterable, Iterator
from itertools import product
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "combatkit"
LISTED = PACKAGE / "text" / "words.txt"
SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
NOT_SAID = frozenset(
    (
        *("Color", "Shape", "Stroke", "abs(datum.value)", "damage {number}", "filled", "shared"),
        "{words} {names} action",
        *("the same clicks at the same times as", "its questions are not those of"),
        "run all its cells and save it",
        *("an exercise", "class", "monster", "owed", "parted"),
        "{self}: what was clicked before can't be played again from call {it} on: {error}",
        *("action {it}: range", "capped", "condition {id}: value", "crowded", "declined", "fared", "pasted rows.txt"),
        *("{!r} is shared from here as well, at {}: its pages stay there, until its room is closed.",),
        (
            "{fight}: a call was interrupted after it had been written to the journal. It counts, and is read in now: "
            "events {it} to {length}"
        ),
        *(
            "combatkit",
            "{it} is-asking",
            "give at most {DOERS}, or none",
            "the fight has not begun; start it first",
            "{title} ({number} combatants)",
            "leave it out, or give {LOADING}",
            "No {self} is possible",
            "{it}ves",
        ),
        *(
            "use temporary({each}, ...), or edit {number}_max",
            *("temporary: amount", "timer: on", "place: off"),
            "{name}: count",
            "{name}: npc",
            "{where}: uses of {name}",
            "{where}: armor against {kind}",
            "{where}: attribute {name}",
            "{where}: {name}: attack",
            "{where}: {name}: damage",
        ),
    )
)
"""What looks like words for people, and is for Python."""

SPOKEN = (
    *("rules", "systems", "report", "share", "widgets", "fight", "history/summary.py", "history/charts.py"),
    *(
        "study/exercises/task.py",
        "study/exercises/played.py",
        "study/quiz/handed_in.py",
        "study/quiz/gathering.py",
        "simulation/wishes.py",
        "notebook/tables.py",
        "study/odds/charts.py",
    ),
)
"""The parts that say something on screen."""

ASIDE = frozenset(
    [
        "rules/validate.py",
        "rules/reading.py",
        "rules/rulebook.py",
        "rules/catalogue.py",
        "rules/checks.py",
        "share/server.py",
        "fight/lock.py",
        "share/addresses.py",
        "share/__init__.py",
        "widgets/__init__.py",
        "widgets/shapes.py",
        "rules/case.py",
        "systems/segments/sheet.py",
        "widgets/_downloads.py",
        "rules/sheet.py",
    ]
)
"""Modules that say what is wrong with a ruleset, a file or a call in Python, or that write lessons."""

FIELD = re.compile(r"\{[^{}]*\}")
_WORD = re.compile(r"[A-Za-z]{2,}['\u2019]?[ ,.:?!…·]|[ ·(][A-Za-z]{2,}|^[A-Z][a-z]+|^[a-z]+ed$")
_ID = re.compile(r"^sha256-|[a-z]-?\{|\}-[a-z]|\}\.[a-z]|\{\"|\}px|&nbsp;")
_CODE = re.compile(
    r"[a-z]+_[a-z]|^[\w.-]+\.[\w.-]+$|=|\\|^\W*$|[<>]|^[a-z]+[:/](?! )|\.(py|toml|js|css)\b|`|--|\bck-"
    r"|^[a-z-]+( [a-z]+-[a-z-]+)+$|^\w+\.(\W|$)|\bck\.|^[A-Z]\w*[a-z][A-Z]\w*$"
    r"|^[.:(]\S*[:(-]|^default-src|^sha256|\dpx\b"
    r"|^:\w|^(button|form|input)(, \w+)+$|:is\(|^M h|\.is-"
)
_ERRORS = (
    "InvalidInput",
    "UnknownName",
    "of",
    "TypeError",
    "ValueError",
    "KeyError",
    "RuntimeError",
    "within",
    "Meta",
    "JournalError",
    "NotImplementedError",
    "TypeVar",
    "compile",
    "AttributeError",
    "check_words",
    "check_map",
    "check_known",
)


# ── sentences in Python ──


def sentences(source: str) -> Iterator[str]:
    """Yield the texts of a module that are more than an id, each field named after what fills it."""
    tree = ast.parse(source)
    aside = {id(node) for node in _aside(tree)}
    for node in _walk(tree, aside):
        if isinstance(node, (ast.JoinedStr, ast.Constant, ast.BinOp)):
            for text in texts(node):
                if is_said(text):
                    yield text


def is_said(text: str) -> bool:
    """Check whether people read it: it has a word, and nothing of code."""
    bare = FIELD.sub("", text).strip()
    if text.startswith("   ") or _ID.search(text):
        return False
    filled = bare != text.strip() and re.search("[a-z]{3,}", bare) is not None
    return bool(filled or _WORD.search(bare)) and not _CODE.search(bare)


def _aside(tree: ast.Module) -> Iterator[ast.AST]:
    """Yield what is never said: descriptions, types, and what is wrong with arguments in Python."""
    for node in ast.walk(tree):
        for each in getattr(node, "body", None) or () if isinstance(getattr(node, "body", None), list) else ():
            if isinstance(each, ast.Expr) and isinstance(each.value, ast.Constant):
                yield each
        if isinstance(node, ast.Call) and _called(node) in _ERRORS:
            yield from node.args
        if isinstance(node, (ast.AnnAssign, ast.arg)) and node.annotation is not None:
            yield node.annotation
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.returns is not None:
            yield node.returns
        if isinstance(node, ast.Subscript):
            yield node.slice
        if isinstance(node, ast.Compare):
            yield from node.comparators


def _walk(node: ast.AST, aside: set[int]) -> Iterator[ast.AST]:
    """Yield what is said, each text as a whole, and what stands in its fields."""
    if id(node) in aside:
        return
    whole = isinstance(node, (ast.JoinedStr, ast.Constant)) or (isinstance(node, ast.BinOp) and _is_text(node))
    if whole:
        yield node
        for each in ast.walk(node):
            if isinstance(each, ast.FormattedValue) and not isinstance(each.value, ast.IfExp):
                yield from _walk(each.value, aside)
        return
    for each in ast.iter_child_nodes(node):
        yield from _walk(each, aside)


def _is_text(node: ast.AST) -> bool:
    if isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add):
        return _is_text(node.left) or _is_text(node.right)
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))


def texts(node: ast.AST) -> list[str]:
    """Return what an expression may say: each of several ways there are."""
    return list(dict.fromkeys("".join(_numbered(way)) for way in product(*_pieces(node))))[:16]


def _pieces(node: ast.AST) -> Iterator[list[str]]:
    match node:
        case ast.JoinedStr(values=values):
            for value in values:
                yield from _pieces(value)
        case ast.Constant(value=str(text)):
            yield [text]
        case ast.FormattedValue(value=ast.IfExp(body=one, orelse=other)):
            yield [*texts(one), *texts(other)]
        case ast.FormattedValue(value=ast.BinOp(left=ast.Constant(value=str(text)), op=ast.Mult())):
            yield [text, ""]
        case ast.FormattedValue(value=value):
            yield [f"{{{_named(value)}}}"]
        case ast.BinOp(left=left, op=ast.Add(), right=right):
            yield from _pieces(left)
            yield from _pieces(right)
        case ast.IfExp(body=one, orelse=other):
            yield [*texts(one), *texts(other)]
        case _:
            yield [f"{{{_named(node)}}}"]


def _numbered(pieces: Iterable[str]) -> Iterator[str]:
    """Yield pieces with each field under a name of its own."""
    seen: dict[str, int] = {}
    for piece in FIELD.split("\0".join(pieces)) and re.split(r"(\{[^{}]*\})", "".join(pieces)):
        if FIELD.fullmatch(piece):
            name = piece[1:-1].rstrip("0123456789")
            seen[name] = seen.get(name, 0) + 1
            yield f"{{{name}{seen[name] if seen[name] > 1 else ''}}}"
        else:
            yield piece


def _named(node: ast.AST) -> str:
    """Return a name for what fills a field."""
    match node:
        case ast.Name(id=name):
            return name.strip("_")
        case ast.Attribute(value=ast.Name(id=name), attr="title" | "text" | "id" | "word"):
            return name.strip("_")
        case ast.Attribute(value=inner, attr="title" | "text" | "id"):
            return _named(inner)
        case ast.Attribute(attr=name):
            return name.strip("_")
        case ast.Subscript(slice=ast.Constant(value=str(name))) if name.isidentifier():
            return name
        case ast.Subscript(value=inner):
            return _named(inner)
        case ast.Call(func=ast.Name(id="say_names")):
            return "names"
        case ast.Call(func=ast.Name(id="len" | "sum" | "signed" | "abs")):
            return "number"
        case ast.Call(
            func=ast.Attribute(value=inner, attr="lower" | "upper" | "rstrip" | "replace" | "strip" | "title")
        ):
            return _named(inner)
        case ast.Call(func=ast.Attribute(attr="join"), args=[inner, *_]):
            return _named(inner) if isinstance(inner, (ast.Name, ast.Attribute)) else "list"
        case ast.Call(args=[inner, *_]):
            return _named(inner)
        case ast.BoolOp(values=[first, *_]):
            return _named(first)
        case _:
            return "it"


def _called(node: ast.Call) -> str:
    return str(getattr(node.func, "id", getattr(node.func, "attr", "")))


# ── words in JavaScript ──

_JS = re.compile(
    r"//[^\n]*|/\*.*?\*/|\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'|`|(?<=[(,=:\[!&|?{};\n])\s*/(?![/*])(?:\\.|\[(?:\\.|[^\]\n])*\]|[^/\\\n])+/[a-z]*",
    re.DOTALL,
)
_READ = re.compile(r"\s(?:aria-label|aria-description|aria-valuetext|title|placeholder|label|alt)=\"?([^\"<>]*)\"")
_TAG = re.compile(r"<!--.*?-->|<[^<>]*>", re.DOTALL)


def front_end(source: str) -> Iterator[str]:
    """Yield the texts of a front end: between tags, in what is read aloud, and in the code."""
    for text, markup in _literals(source, 0)[0]:
        is_markup = markup or "</" in text
        for each in [*_READ.findall(text), *_TAG.split(text)] if is_markup else [text]:
            words = "".join(_numbered(re.split(r"(\{[^{}]*\})", re.sub(r"\s+", " ", each).strip())))
            if (is_said(words) and (is_markup or not re.fullmatch(r"[a-z]+(-[a-z]+)*", words))) or (
                is_markup and re.search("[a-z]{2}", FIELD.sub("", words)) and not _CODE.search(words.rstrip(":"))
            ):
                yield words


def _literals(source: str, at: int, closing: str = "") -> tuple[list[tuple[str, bool]], int]:
    """Return the texts in code, each with whether it is markup, and where the code ends."""
    found: list[tuple[str, bool]] = []
    depth = 0
    while at < len(source):
        if closing and source[at] == "}" and not depth:
            return found, at + 1
        if closing and source[at] in "{}":
            depth += 1 if source[at] == "{" else -1
            at += 1
            continue
        token = _JS.match(source, at)
        if token is None:
            at += 1
            continue
        text = token[0]
        if text == "`":
            tagged = source[max(0, at - 4) : at] == "html"
            more, whole, at = _template(source, at + 1)
            found += [*more, (whole, tagged)]
            continue
        at = token.end()
        if text[0] in "\"'":
            found.append(
                (
                    text[1:-1]
                    .replace('\\"', '"')
                    .encode()
                    .decode("unicode_escape")
                    .encode("latin1", "ignore")
                    .decode("utf-8", "ignore")
                    if "\\u" in text
                    else text[1:-1].replace('\\"', '"'),
                    False,
                )
            )
    return found, at


def _template(source: str, at: int) -> tuple[list[tuple[str, bool]], str, int]:
    """Return the texts in a template's fields, the template itself, and where it ends."""
    found: list[tuple[str, bool]] = []
    whole = []
    while source[at] != "`":
        if source.startswith("${", at):
            end = at + 2
            more, at = _literals(source, end, "}")
            name = re.findall(r"[A-Za-z]\w*", source[end : at - 1])
            whole.append(f"{{{name[-1] if name else 'it'}}}" if len(name) < 4 else "{it}")
            found += more
        else:
            step = 2 if source[at] == "\\" else 1
            whole.append(source[at + step - 1])
            at += step
    return found, "".join(whole), at + 1


# ── titles in TOML ──

_TITLES = (
    "goal",
    "hints",
    "words",
    "title",
    "small",
    "noun",
    "verb",
    "on",
    "reason",
    "untouched_reason",
    "wanted",
    "without",
    "once",
    "lacking",
    "word",
    "lacks",
    "spent",
    "question",
    "extra",
    "brief",
    "legend",
    "note",
    "short",
    "means",
)


def titles(table: Any, key: str = "") -> Iterator[str]:
    """Yield what a table of rules says on screen."""
    if isinstance(table, dict):
        for name, value in table.items():
            if name != "rules" or not (isinstance(value, list) and value and isinstance(value[0], dict)):
                yield from titles(value, name)
    elif isinstance(table, list):
        for each in table:
            yield from titles(each, key)
    elif isinstance(table, str) and key in _TITLES:
        yield table


PROMISED = ("Initiative ladder", "Action budget: {nobody}")
"""Names that stay in every language, since whoever tests or drives a page finds things by them."""


ANSWERS = (
    *("everybody", "nobody", "hit", "miss", "yes", "no", "passed", "failed", "negated", "goes on", "falls"),
    *(
        "target",
        "folded",
        "party",
        "foes",
        "heroes",
        "minute",
        "second",
        "now",
        "waits",
        "acted",
        "out",
        "delayed",
        "readied",
        "surprised",
        "ready",
        "the GM",
        "GM",
        "me",  # who rolls
        "1 other",
        "{name} reacts: {about}",
    ),
    *("the players", "start", "before", "after"),
    *("stun", "body", "end"),  # vitals, where there is room for their ids
    *(
        "some result",
        "action",
        "actions",
        "above",
        "below",
        "open",
        "right",
        "not right",
        "wrong",
        "to come",
        "wasted",
        "fresh",
        "hurt",
        "bloodied",
        "down",
        "vitality",
    ),
)
"""What front ends are sent as data, and show."""


def stats(system: str) -> Iterator[str]:
    """Yield what a system's stats are called, and what may be typed in one of several parts."""
    import combatkit as ck
    from combatkit.rules.typed import example_typed, parts_of

    for stat in ck.ruleset(system).stats:
        yield from filter(None, (stat.title, stat.name.replace("_", " ")))
        if parts_of(stat):
            yield example_typed(stat)


def slots(system: str) -> Iterator[str]:
    """Yield what one of each of a system's slots is called, and what several of them, and more of them, are."""
    import combatkit as ck

    for slot in ck.ruleset(system).slots:
        yield from (slot.called, slot.in_all(1), slot.more(1))
        yield from ("{digits}" + say(2)[1:] for say in (slot.in_all, slot.more))


def conditions(system: str) -> Iterator[str]:
    """Yield what the conditions are called that a system's rules read, or its actions bring; also with whom."""
    import combatkit as ck
    from combatkit.report.words import condition_said, condition_word

    rules = ck.ruleset(system)
    yield from map(condition_word, rules.read)
    yield from (condition_said(each.id, "{name}") for each in rules.conditions if each.needs == "NAME")


def readings(system: str) -> Iterator[str]:
    """Yield what a system's house rules are called, what they say, and what each can be."""
    import combatkit as ck
    from combatkit.widgets._settings import reading

    for id, setting in ck.ruleset(system).options.items():
        shown = reading(id, setting, setting.default)
        yield from (shown["title"], shown["text"])
        for word in (shown["word"], *(each for _, each in shown["values"])):
            yield from () if word.isdecimal() else word.split(", ")


def texts_in(table: Any) -> Iterator[str]:
    """Yield every text of a table."""
    for value in table.values():
        yield from [value] if isinstance(value, str) else texts_in(value)


def staged() -> set[str]:
    """Return what the kit calls those of its own scenes and shelves: kinds, not people; their sides and weapons."""
    found: set[str] = set()
    for path in [PACKAGE / "study/scenes/examples.toml", *(PACKAGE / "systems").glob("*/shelf/*.toml")]:
        table = tomllib.loads(path.read_text(encoding="utf-8"))
        scenes = [table] if path.stem == "creatures" else [*table.values()]
        found.update(scene["name"] for scene in scenes if "name" in scene)
        for who in (each for scene in scenes for each in scene["combatants"]):
            found.update(who[key] for key in ("take", "side") if key in who and path.stem != "creatures")
            found.update([who["name"]] if path.stem == "creatures" or ("count" in who and "name" in who) else ())
            found.update(armed(who))
    for path in (PACKAGE / "systems").glob("*/scene.toml"):
        mapping = tomllib.loads(path.read_text(encoding="utf-8"))
        found.update(filter(None, [mapping["places"].get("close")]))
        for stats in mapping["stats"]["weapons"]["values"].values():
            found.update(armed({"weapons": stats}))
    return found


def armed(sheet: dict[str, Any]) -> Iterator[str]:
    """Yield what somebody strikes with."""
    from combatkit.files.creatures import armed_in

    seen: dict[str, str] = {}
    armed_in(sheet, lambda name: seen.setdefault(name, name))
    yield from seen


MADE_UP = frozenset(
    (
        *("Nobody to come after", "Nobody to come before"),  # from what an action lacks
        "initiative bonus {digits}",  # as a stat is said on a sheet; else it is the initiative that is "bonus 5"
        *("walk", "climb", "fly", "swim"),  # how the kit's own creatures move
    )
)
"""What is put together of words of ours, and would not be understood by its parts."""

_NOT_TITLES = ("de", "en", "scene", "examples", "words")
"""Files that say nothing on screen, or in another way."""


def behind() -> set[str]:
    """Return what Python says: titles of TOML files, and sentences in the code."""
    import combatkit as ck

    found: set[str] = set()
    for path in PACKAGE.rglob("*.toml"):
        if path.parent.name in ("rules", "exercises", *SYSTEMS) and path.stem not in _NOT_TITLES:
            read = tomllib.loads(path.read_text(encoding="utf-8"))
            read.pop("facts", None)  # what whoever writes a system reads of them
            found.update(titles(read))
    for path in (PACKAGE / "study").rglob("words.toml"):
        found.update(texts_in(tomllib.loads(path.read_text(encoding="utf-8"))))
    topics = tomllib.loads((PACKAGE / "study/differences/topics.toml").read_text(encoding="utf-8"))
    found.update(topic["title"] for topic in topics["topics"])
    for part in SPOKEN:
        for path in (PACKAGE / part).rglob("*.py") if (PACKAGE / part).is_dir() else (PACKAGE / part,):
            if path.relative_to(PACKAGE).as_posix() in ASIDE:
                continue
            found.update(sentences(path.read_text(encoding="utf-8")))
    for system in SYSTEMS:
        found.update(stats(system))
        found.update(readings(system))
        found.update(slots(system))
        found.update(conditions(system))
        found.add(ck.ruleset(system).occasion_title)
    return (found - NOT_SAID) | staged() | MADE_UP


def before() -> set[str]:
    """Return what the front ends say."""
    found: set[str] = set()
    for path in (ROOT / "js").rglob("*.js"):
        if not {"node_modules", "test"} & {*path.parts}:
            found.update(front_end(path.read_text(encoding="utf-8")))
    return {*found, *ANSWERS} - {*PROMISED} - NOT_SAID


def listed() -> str:
    """Return all words as they are written down."""
    return "\n".join(["# behind", *sorted(behind()), "", "# front ends", *sorted(before()), ""])


if __name__ == "__main__":
    LISTED.write_text(listed(), encoding="utf-8")
    from combatkit.registry import languages

    for code, lacking in languages().items():
        print(f"{code} lacks {len(lacking)}")
        for text in lacking if "-v" in sys.argv else ():
            print(f"  {text}")
