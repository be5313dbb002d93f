"""The log's words are made in one place, from templates, and nobody takes them apart again."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import pytest

import combatkit as ck
from combatkit.errors import InvalidInput
from combatkit.text import Language, Title, languages, read_language, say
from combatkit.text.words import Template

pytestmark = pytest.mark.xdist_group("words")  # the package is read once

PACKAGE = Path(ck.__file__).parent
SYSTEMS = tuple(sorted(path.name for path in (PACKAGE / "systems").iterdir() if (path / "rules.toml").is_file()))

APART = frozenset(
    ("partition", "rpartition", "split", "rsplit", "startswith", "endswith", "removeprefix", "removesuffix", "find")
)
"""What takes a text apart."""

SEARCHES = frozenset(("match", "search", "fullmatch", "sub", "findall", "finditer"))
"""What looks for a pattern in one."""

WRITTEN = (ast.Constant, ast.JoinedStr)
"""Words that stand in the code."""

MAY_LOOK = {
    ("core/model.py", "subject"): "a person's words may begin with the name that would stand before them",
    ("journal/mending.py", "_doubts"): "of a line changed by hand it is said that its words tell another number",
}
"""Who may look into an event's text, and why."""


def nodes() -> Iterator[tuple[str, str, ast.AST]]:
    """Yield all there is in the package's modules, each with its module and the function it stands in."""
    for path in sorted(PACKAGE.rglob("*.py")):
        name = path.relative_to(PACKAGE).as_posix()
        left: list[tuple[str, ast.AST]] = [("", ast.parse(path.read_text("utf-8")))]
        while left:
            function, node = left.pop()
            yield name, function, node
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
                function = node.name
            left += [(function, child) for child in ast.iter_child_nodes(node)]


def is_events_text(node: ast.AST) -> bool:
    """Check whether something is the text of what looks like an event."""
    if not (isinstance(node, ast.Attribute) and node.attr == "text"):
        return False
    owner = node.value
    name = owner.id if isinstance(owner, ast.Name) else owner.attr if isinstance(owner, ast.Attribute) else ""
    return name in ("self", "event", "e", "first", "last", "each", "begun", "found")


def looks(node: ast.AST) -> bool:
    """Check whether an event's text is taken apart here, or held against other words."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        if node.func.attr in APART:
            return is_events_text(node.func.value)
        return node.func.attr in SEARCHES and any(map(is_events_text, node.args))
    if isinstance(node, ast.Compare):
        sides = [node.left, *node.comparators]
        return any(map(is_events_text, sides)) and any(isinstance(each, WRITTEN) for each in sides)
    return isinstance(node, ast.Subscript) and is_events_text(node.value)


class Code(NamedTuple):
    """What the package says: calls of ``say``, who takes an event's text apart, texts and how others begin."""

    says: list[tuple[str, ast.Call]]
    apart: list[str]
    texts: set[str]
    begun: set[str]


@cache
def code() -> Code:
    """Read the package once, and keep nothing else of its half a million nodes: all tests after would drag them."""
    found = Code([], [], set(), set())
    for name, function, node in nodes():
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "say" and node.args:
            found.says.append((name, node))
        if isinstance(node, ast.expr) and looks(node) and (name, function) not in MAY_LOOK:
            found.apart.append(f"{name}:{node.lineno}, in {function}")
        if isinstance(node, ast.Constant) and isinstance(node.value, str):
            found.texts.add(node.value)
        elif isinstance(node, ast.JoinedStr) and isinstance(node.values[0], ast.Constant):
            found.begun.add(str(node.values[0].value))
    return found


def test_nobody_takes_an_events_text_apart() -> None:
    assert not code().apart


def calls_of_say() -> list[tuple[str, ast.Call]]:
    """Return every call of ``say``, with its module."""
    return code().says


def branches(node: ast.expr) -> Iterator[str]:
    """Yield the ids of what is said, where they are written out."""
    if isinstance(node, ast.IfExp):
        yield from branches(node.body)
        yield from branches(node.orelse)
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield node.value


@cache
def language_of(name: str) -> Language:
    """Return the English a module speaks: its system's, or what all systems share."""
    folder = PACKAGE / "systems" / name.split("/")[1] if name.startswith("systems/") else PACKAGE / "text"
    return read_language("en", folder)


def test_every_template_that_is_said_is_there_and_gets_its_fields() -> None:
    wrong = []
    for name, call in calls_of_say():
        for id in branches(call.args[0]):
            template = language_of(name).templates.get(id)
            given = {word.arg for word in call.keywords if word.arg}
            several = any(word.arg is None for word in call.keywords)
            if template is None:
                wrong.append(f"{name}:{call.lineno} says {id!r}, which isn't a template")
            elif not several and not template.fields <= given:
                wrong.append(f"{name}:{call.lineno} gives {id!r} no {sorted(template.fields - given)}")
    assert not wrong, wrong


def test_no_words_are_passed_off_as_a_persons() -> None:
    wrong = [
        f"{name}:{call.lineno}"
        for name, call in calls_of_say()
        if isinstance(call.args[0], ast.Name) and call.args[0].id == "PLAIN"
        if any(word.arg == "text" and isinstance(word.value, WRITTEN) for word in call.keywords)
    ]
    assert not wrong, f"make a template of what these say: {wrong}"


def test_every_template_is_said_somewhere() -> None:
    said, begun = code().texts, code().begun
    toml = "\n".join(path.read_text("utf-8") for path in (PACKAGE / "systems").rglob("*.toml") if path.stem != "en")
    unsaid = []
    for system in SYSTEMS:
        for id in read_language("en", PACKAGE / "systems" / system).templates:
            stem = id.rpartition(".")[0]  # what is said otherwise of one thing is said by the id before it
            known = id in said or stem in said or any("." in head and id.startswith(head) for head in begun)
            if not known and f'"{id}"' not in toml:
                unsaid.append(f"{system}: {id}")
    assert not unsaid, unsaid


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_is_told_of_a_condition_is_told_as_people_are_in_it(system: str) -> None:
    rules, unread = ck.ruleset(system), []
    for id in read_language("en", PACKAGE / "systems" / system).templates:
        what, _, condition = id.removeprefix("condition.").partition(".")
        if id.startswith(("condition.begins_", "condition.ends_", "condition.lacks_")) and condition:
            how = what.partition("_")[2]
            if how != rules.held_as(condition) and not (how == "called" and condition in rules.called):
                unread.append(id)
    assert not unread, unread


# ── templates ──


@pytest.mark.parametrize(
    ("text", "fields", "told"),
    [
        ("waits", {}, "waits"),
        ("loses {n}", {"n": 3}, "loses 3"),
        ("loses {n}[, {left} left]", {"n": 3, "left": 0}, "loses 3, 0 left"),
        ("loses {n}[, {left} left]", {"n": 3, "left": None}, "loses 3"),
        ("{verb}[ {on}][ {targets}]", {"verb": "shoots", "on": "at", "targets": ("Bo", "Cy")}, "shoots at Bo and Cy"),
        ("{verb}[ {on}][ {targets}]", {"verb": "shoots", "on": "", "targets": ()}, "shoots"),
        ("{who} act", {"who": ["Bo", "Cy", "Di"]}, "Bo, Cy and Di act"),
        ("{who:all} act", {"who": ["Bo", "Cy", "Di"]}, "Bo, Cy, Di act"),
        ("{who:and} act", {"who": ["Bo"]}, "Bo act"),
        ("{n} {n:hex|hexes}", {"n": 1}, "1 hex"),
        ("{n} {n:hex|hexes}", {"n": 0}, "0 hexes"),
        ("Dex {mine:+} over {theirs:+}", {"mine": 2, "theirs": -1}, "Dex +2 over \N{MINUS SIGN}1"),
        ("{n} left", {"n": -7}, "\N{MINUS SIGN}7 left"),
        ("{who} acts", {"who": "Ma\u202era"}, "Mara acts"),
        ("{who:^} acts", {"who": "somebody"}, "Somebody acts"),
    ],
)
def test_a_template_is_filled(text: str, fields: dict[str, Any], told: str) -> None:
    joints = {"names.comma": Template("comma", ", "), "names.and": Template("and", " and ")}
    language = Language("en", {"it": Template("it", text), **joints}, {})
    assert language.render(say("it", **fields)) == told


@pytest.mark.parametrize("text", ["loses {", "loses }", "loses [{n}", "loses {n}]", "loses {}", "[a [b]]"])
def test_a_template_with_a_loose_end_is_refused_with_its_place(text: str) -> None:
    with pytest.raises(InvalidInput, match=r"d6/en\.toml: damage\.loses"):
        Template("d6/en.toml: damage.loses", text)


def test_a_persons_braces_and_brackets_stay_as_they_are() -> None:
    language = read_language("en", PACKAGE / "text")
    assert language.render(say("plain", text="{left} [or not] %s {}")) == "{left} [or not] %s {}"
    assert language.render(say("window.opens", about="{who}", asked="[x]")) == "{who}; [x]"


def test_what_is_said_otherwise_of_one_thing_goes_first() -> None:
    templates = {"is": Template("is", "is {word}"), "is.dead": Template("is.dead", "has died")}
    language = Language("xx", templates, {"prone": "am Boden"})
    assert language.render(say("is", of="dead", word=Title("dead"))) == "has died"
    assert language.render(say("is", of="prone", word=Title("prone"))) == "is am Boden"
    assert language.render(say("is", of="prone", word="prone")) == "is prone"


def test_a_field_or_a_template_that_is_missing_is_named() -> None:
    language = Language("en", {"it": Template("it", "loses {n}")}, {})
    with pytest.raises(InvalidInput, match=r"'it' needs the field 'n'; it has \['m'\]"):
        language.render(say("it", m=1))
    with pytest.raises(InvalidInput, match=r"no template is called 'that'; add it to the ruleset's en\.toml"):
        language.render(say("that"))


@pytest.mark.parametrize("field", ["{n!r}", "{n:zzz}", "{n:{m}}", "{n:>99999999}", "{0}", "{n.real}", "{n[0]}"])
def test_a_field_is_named_and_formed_as_a_template_can_have_it(field: str) -> None:
    with pytest.raises(InvalidInput, match=r"en\.toml: it: .* isn't a template"):
        Template("en.toml: it", f"loses {field}")


@pytest.mark.parametrize("text", ["loses {n:+}", "loses {n:and}"])
def test_what_a_template_cannot_write_is_refused_with_its_name(text: str) -> None:
    language = Language("en", {"it": Template("it", text), "names.and": Template("", " and ")}, {})
    with pytest.raises(InvalidInput, match="template 'it' can't show what it was given"):
        language.render(say("it", n="much" if "+" in text else 3))


# ── a folder's words ──


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('titles = "a"', r"titles is 'a'; give a table"),
        ("titles.hit = 5", r"titles\.hit is 5; give text"),
        ("turn.begins = []", r"turn\.begins is \[\]; give text"),
        (".".join("a" * 3000) + ' = "b"', "nested too deep"),
        ("x = " + "{a=" * 3000 + "1" + "}" * 3000, "nested too deep"),
    ],
)
def test_a_folders_words_that_are_none_are_refused_with_their_place(tmp_path: Path, text: str, reason: str) -> None:
    (tmp_path / "de.toml").write_text(text, encoding="utf-8")
    with pytest.raises(InvalidInput, match=rf"/de\.toml.*{reason}"):
        read_language("de", tmp_path)


def test_a_title_of_a_folder_keeps_its_dots(tmp_path: Path) -> None:
    (tmp_path / "de.toml").write_text('titles = { "etc." = "usw.", "" = "nichts" }', encoding="utf-8")
    language = read_language("de", tmp_path)
    assert (language.write(Title("etc.")), language.write(Title(""))) == ("usw.", "nichts")


def test_only_two_small_letters_name_a_language(tmp_path: Path) -> None:
    for name in ("v2", "DE", "d-", "deu"):
        (tmp_path / f"{name}.toml").write_text("rows = [1]", encoding="utf-8")
    assert languages(tmp_path) == ["de", "en"]


@pytest.mark.parametrize(
    ("name", "text", "told"),
    [
        ("B", "Bo falls", "B Bo falls"),
        ("b", "breaks the door", "B breaks the door"),
        ("Dee 1", "Dee 12 falls", "Dee 1 Dee 12 falls"),
        ("Bo", "Bo falls", "Bo falls"),
        ("Bo", "Bo's wound opens", "Bo's wound opens"),
        ("Bo", "Bo", "Bo"),
    ],
)
def test_only_a_whole_name_at_the_front_stands_for_who_it_is_about(name: str, text: str, told: str) -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add(name, side="rebels")
    enc.add("Vex", side="empire")
    enc.start()
    enc.trigger(name, text=text)
    seq = next(event.seq for event in enc._events if event.kind == "trigger")
    assert enc.explain(seq).splitlines()[0] == f"{seq}. {told}"


def test_what_is_said_of_one_thing_is_not_taken_for_another_template() -> None:
    language = Language("en", {"is": Template("is", "is {word}"), "is.no": Template("is.no", "is not {word}")}, {})
    assert language.render(say("is", of="no.more", word="here")) == "is here"
    assert language.render(say("is.no", of="more", word="here")) == "is not here"


@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_a_target_is_told_after_a_word_that_leads_to_it(system: str) -> None:
    enc = ck.Encounter(system, seed=1, options={"actions": "book"})
    leads = {
        "on",
        "at",
        "to",
        "by",
        "of",
        "with",
        "from",
        "help",
        "blind",
        "disarm",
        "trip",
        "grab",
        "back",
        "through",
        "stabs",
    }
    actions = [a for a in enc.ruleset.catalogue(enc._state) if "target" in a.takes and " " in a.verb]
    assert [a.verb for a in actions if not a.on and a.verb.split()[-1] not in leads] == []


@pytest.mark.parametrize(
    ("system", "action", "given", "told"),
    [
        ("phases", "move_skill", {"rank": "Acrobatics"}, "uses a skill: Acrobatics"),
        ("phases", "reload", {"weapon": "bow"}, "reloads: bow"),
        ("phases", "strike", {"target": "Bo", "manoeuvre": "haymaker"}, "strikes Bo (haymaker)"),
        ("phases", "dodge", {"manoeuvre": "dodge"}, "dodges"),
        ("saga", "draw_weapon", {"weapon": "bow"}, "draws a weapon: bow"),
        ("saga", "use_skill", {"option": "jump", "rank": "trained"}, "uses a skill: jump, trained"),
        ("segments", "draw", {"weapon": "bow"}, "draws a weapon: bow"),
    ],
)
def test_what_was_said_with_an_action_is_told(system: str, action: str, given: dict[str, Any], told: str) -> None:
    enc = ck.Encounter(system, seed=3)
    enc.add("Ada", side="red", weapons=[{"name": "bow"}, {"name": "axe"}])
    enc.add("Bo", side="blue")
    enc.start()
    while enc.active != "Ada":
        enc.end_turn()
    assert [event.text for event in enc.do("Ada", action, **given) if event.kind == "action"] == [told]


@pytest.mark.parametrize("system", SYSTEMS)
def test_no_option_is_called_by_an_id_that_holds_shorthand(system: str) -> None:
    options = ck.ruleset(system).options
    called = {id: option.title or id.replace("_", " ") for id, option in options.items()}
    short = {"aoo", "d", "on", "may", "takes"}
    assert [name for name in called.values() if name.islower() and short & set(name.split())] == []


LOADED: dict[str, Any] = {"weapons": [{"name": "crossbow", "missile": True, "delaying": True}]}
READIED: dict[str, Any] = {"action": "strike", "trigger": "Vex moves", "option": "ranged"}
DECLARED: dict[str, Any] = {"action": "attack", "option": "load"}


@pytest.mark.parametrize(
    ("system", "sheet", "action", "given", "language", "told"),
    [
        ("phases", {"combat_value": 9}, "ready", READIED, "en", "readies an action (ranged)"),
        ("phases", {"combat_value": 9}, "ready", READIED, "de", "bereitet eine Aktion vor (Fernkampf)"),
        ("segments", LOADED, "declare", DECLARED, "en", "declares: load"),
        ("segments", LOADED, "declare", DECLARED, "de", "sagt eine Aktion an: Laden"),
    ],
)
def test_how_what_is_kept_is_done_is_told_in_the_language(
    system: str, sheet: dict[str, Any], action: str, given: dict[str, Any], language: str, told: str
) -> None:
    enc = ck.Encounter(system, seed=1, language=language)
    enc.add("Ada", side="red", **sheet)
    enc.add("Vex", side="blue")
    enc.start()
    assert enc.do("Ada", action, **given)[0].text == told
