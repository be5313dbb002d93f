"""What notebooks show of each public object: a name brings no element and no attribute into it."""

from __future__ import annotations

import importlib
import inspect
import json
import pkgutil
import re
from base64 import b64decode
from collections.abc import Callable, Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

import pytest
from markdown_it import MarkdownIt

import combatkit as ck
from combatkit.frames import plain
from combatkit.notebook.tables import html_of
from combatkit.study.quiz.handed_in import HandedIn, schema

DISPLAYS = ("_repr_html_", "_repr_mimebundle_", "_repr_markdown_", "_repr_svg_")
TAME = "Mara"
HOSTILE = (
    "<img src=x onerror=alert(1)>",
    "\"><script>alert('1')</script>",
    "' onmouseover='alert(1)' x='",
    "</td></tr></table><svg onload=alert(1)>",
    "&lt;b&gt; & <b>",
    "[a](javascript:alert(1)) <i>",
    "Ma\ufffera",
)
_PICTURE = re.compile(r"data:image/svg\+xml;base64,([\w+/=]+)")


class Skeleton(HTMLParser):
    """The elements of a page, each with the names of its attributes."""

    def __init__(self) -> None:
        super().__init__()
        self.elements: list[tuple[str, ...]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.elements.append((tag, *(name for name, _ in attrs)))


def skeleton(page: str) -> list[tuple[str, ...]]:
    reader = Skeleton()
    reader.feed(page)
    reader.close()
    return reader.elements


def pages(shown: object) -> Iterable[str]:
    """Yield all HTML that a notebook could make of an object; Markdown as a page that allows HTML would."""
    for way in DISPLAYS:
        told = getattr(shown, way)() if hasattr(shown, way) else None
        data = told[0] if isinstance(told, tuple) else told if isinstance(told, dict) else {way: told}
        for kind, text in data.items():
            if text is not None and kind in ("_repr_html_", "text/html", "_repr_svg_", "image/svg+xml"):
                yield text
                for picture in _PICTURE.findall(text):
                    drawn = b64decode(picture).decode()
                    ET.fromstring(drawn)  # a picture that is no XML is not shown
                    yield drawn
            elif text is not None and kind in ("_repr_markdown_", "text/markdown"):
                yield MarkdownIt("commonmark", {"html": True}).render(text)
    if (table := html_of(shown)) is not None:
        yield table


def fought(name: str, **more: Any) -> ck.Encounter:
    enc = ck.Encounter("saga", seed=5, id="fight", **more)
    enc.add(name, side=name, group=name, hp=30, weapons=[{"name": name, "attack": 5, "damage": "2d6"}], at=(0, 0))
    enc.add("Vex", side="foes", hp=30, npc=True)
    enc.condition(name, name)
    enc.start(rolls={name: 20, "Vex": 5})
    enc.do(name, "attack", target="Vex", outcome="hit", note=name)
    enc.damage(name, 3, note=name)
    enc.trigger("Vex", text=name)
    return enc


OPEN: list[Any] = []
"""The rooms that a test has opened."""


@pytest.fixture(autouse=True)
def close_rooms() -> Iterator[None]:
    """Leave no room open for the tests that follow."""
    yield
    while OPEN:
        OPEN.pop().close()


def zones(name: str) -> object:
    enc = ck.Encounter("d6", seed=5, map=[(name, "roof")])
    enc.add(name, side=name, at=name)
    enc.start()
    return ck.Map(enc)


def room(name: str) -> Any:
    shared = fought(name).share()
    OPEN.append(shared)
    shared.seat("Anna", plays=[name])
    return shared


def seated(name: str) -> object:
    shared = room(name)
    return ck.Tracker(shared.encounter, view="players", seat="Anna")


def listed(name: str, folder: Path) -> object:
    path = folder / "friday.combat"
    with ck.Encounter("saga", seed=5, id="friday", journal=path) as enc:
        enc.add(name, side=name)
    return ck.campaign(path)


def scene(name: str) -> Any:
    people = [{"name": name, "side": name}, {"name": "Vex", "side": "foes"}]
    return ck.scene(people)


def foreign(name: str) -> object:
    return ck.foreign(json.dumps([{"Name": name, "HP": {"Value": 4}, "Player": "npc", "Note": name}]), system="d6")


def handed_in(name: str) -> object:
    kinds = schema()
    return HandedIn([{**dict.fromkeys(kinds), "student": name, "task": name, "rule": name}], schema=kinds)


def exercise(name: str) -> Any:
    goal = {"kind": "does", "who": name, "action": "move"}
    enc = fought(name)
    return ck.exercise(enc.at(enc.history.events.height), goal=goal, words=name, hints=[name])


MAKERS: dict[str, Callable[[str], object]] = {
    "Encounter": fought,
    "PlayedEncounter": lambda name: exercise(name).encounter,
    "Foreign": foreign,
    "DataFrame": lambda name: plain.DataFrame([{name: name}]),
    "Flat": lambda name: fought(name).history.flat,
    "Frames": lambda name: fought(name).history,
    "History": lambda name: fought(name).history,
    "Stack": lambda name: ck.history.stack([fought(name)]),
    "Summary": lambda name: fought(name).summary(),
    "Chart": lambda name: fought(name).history.charts.initiative(),
    "Document": lambda name: fought(name).log(),
    "Room": room,
    "RoomPanel": room,
    "Check": lambda name: exercise(name).check(),
    "Odds": lambda name: fought(name).restart(seed=1).odds(),
    "HandedIn": handed_in,
    "Scene": scene,
    "ActionBudget": lambda name: ck.ActionBudget(fought(name), name),
    "Comparison": lambda name: ck.Comparison([fought(name), fought(name)]),
    "ExercisePanel": exercise,
    "InitiativeLadder": lambda name: ck.InitiativeLadder(fought(name)),
    "Map": lambda name: ck.Map(fought(name)),
    "a map of zones": zones,
    "CombatLog": lambda name: ck.CombatLog(fought(name)),
    "Quiz": lambda name: ck.quiz(["saga"], seed=3, n=2, student=name),
    "Key": lambda name: ck.quiz(["saga"], secret=name, n=2, student=name).key(name),
    "Tracker": lambda name: ck.Tracker(fought(name)),
    "the players' tracker": seated,
    "a ladder": lambda name: fought(name).order,
    "a budget": lambda name: fought(name).budget(name),
    "options": lambda name: fought(name).options(name),
    "choices": lambda name: fought(name).choices(name, "attack"),
    "offers": lambda name: fought(name).pending,
    "a combatant": lambda name: fought(name)[name],
    "a ruling": lambda name: fought(name).can("Vex", "attack", target=name),
    "events": lambda name: fought(name).damage(name, 2, note=name),
}
NAMELESS = {"Differences", "Goals", "RuleTable"}
"""What shows nothing that people name."""

BASES = {"_Drawn", "LayerChart", "FacetChart", "EncounterWidget", "ViewWidget", "LessonWidget"}
"""What is shown as another of these."""


def shown() -> set[str]:
    """Return the names of all classes of the package that a notebook shows in a way of their own."""
    found = set()
    for module in pkgutil.walk_packages(ck.__path__, "combatkit."):
        for kind in vars(importlib.import_module(module.name)).values():
            if inspect.isclass(kind) and kind.__module__ == module.name and any(hasattr(kind, way) for way in DISPLAYS):
                found.add(kind.__name__)
    return found


def test_each_public_object_that_is_shown_is_tried() -> None:
    assert shown() <= MAKERS.keys() | NAMELESS | BASES | {"Campaign"}


def checked(make: Callable[[str], object]) -> None:
    list(pages(make(TAME)))  # what is said only once is said here
    expected = [skeleton(page) for page in pages(make(TAME))]
    for name in HOSTILE:
        assert [skeleton(page) for page in pages(make(name))] == expected, name


@pytest.mark.parametrize("what", MAKERS)
def test_a_name_brings_nothing_into_what_is_shown(what: str) -> None:
    checked(MAKERS[what])


def test_a_name_brings_nothing_into_a_list_of_fights(tmp_path: Path) -> None:
    made = iter(range(100))

    def make(name: str) -> object:
        folder = tmp_path / str(next(made))
        folder.mkdir()
        return listed(name, folder)

    checked(make)


@pytest.mark.parametrize("view", ["gm", "players"])
def test_a_name_brings_nothing_into_a_saved_page(view: str, tmp_path: Path) -> None:
    def saved(name: str) -> list[tuple[str, ...]]:
        return skeleton(fought(name).to_html(tmp_path / "fight.html", view=view).read_text("utf-8"))

    assert [saved(name) == saved(TAME) for name in HOSTILE] == [True] * len(HOSTILE)
