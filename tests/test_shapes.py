"""What is sent is what is declared: every view of real fights held against its shape, no key too many or too few."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import UnionType
from typing import Annotated, Any, Literal, NotRequired, Union, get_args, get_origin, get_type_hints, is_typeddict

import pytest

import combatkit as ck
from combatkit.report.shapes import ComparisonData, LogData, LogView, QuizData, RulesData, Side
from combatkit.rules.shapes import Parts
from combatkit.widgets import shapes
from combatkit.widgets._ask import AskChoices, choices_answer
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._map_ways import AskArea, AskWay, area_answer, ways_answer
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.log import log_view
from tests.conformance.corpus import fight
from tests.conformance.player import play
from tests.wire import hear, recording
from tools.shapes import shapes as every_shape
from tools.shapes import types, written

ROOT = Path(__file__).parents[1]
SYSTEMS = [rules.id for rules in ck.rulesets()]
VIEWS = ("gm", "players")
MOMENTS = (8, pytest.param(40, marks=pytest.mark.long))
"""So many moments of each fight are looked at."""

STRIPS = {"saga": [], "d6": ["zones"], "ap": [], "segments": ["flow", "ticks"], "phases": ["cells"]}
"""What each system shows above its ladder."""


@pytest.fixture(autouse=True)
def _recorded(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def wrong(value: Any, hint: Any, path: str = "view") -> Iterator[str]:
    """Say what is not as its shape says: a key too many, one too few, another kind of value."""
    origin, given = get_origin(hint), get_args(hint)
    if hint is object:
        return
    if is_typeddict(hint):
        yield from wrong_keys(value, hint, path)
    elif origin in (Union, UnionType):
        alike = [each for each in given if is_typeddict(each) == isinstance(value, dict)]
        found = [list(wrong(value, each, path)) for each in alike or given]
        if all(found):
            yield min(found, key=len)[0]
    elif origin is Literal:
        if value not in given:
            yield f"{path}: {value!r} is none of {given}"
    elif origin is Annotated:
        kinds = get_args(given[1])
        if type(value) is not list or len(value) != len(kinds):
            yield f"{path}: {value!r} is no list of {len(kinds)}"
        else:
            for place, (each, kind) in enumerate(zip(value, kinds, strict=True)):
                yield from wrong(each, kind, f"{path}.{place}")
    elif origin in (list, dict):
        if type(value) is not origin:
            yield f"{path}: {value!r} is no {origin.__name__}"
        else:
            for key, each in enumerate(value) if origin is list else value.items():
                yield from wrong(each, given[-1], f"{path}.{key}")
    elif type(value) not in ((int, float) if hint is float else (hint,)):
        yield f"{path}: {value!r} is no {hint.__name__}"


def wrong_keys(value: Any, shape: Any, path: str) -> Iterator[str]:
    if type(value) is not dict:
        yield f"{path}: {value!r} is no {shape.__name__}"
        return
    hints = get_type_hints(shape, include_extras=True)
    for key in value.keys() - hints.keys():
        yield f"{path}: {key} is not declared in {shape.__name__}"
    for key, hint in hints.items():
        optional = get_origin(hint) is NotRequired
        if key in value:
            yield from wrong(value[key], get_args(hint)[0] if optional else hint, f"{path}.{key}")
        elif not optional:
            yield f"{path}: {key} of {shape.__name__} is missing"


def check(value: Any, shape: Any) -> None:
    assert list(wrong(value, shape, shape.__name__)) == []


def check_widgets(tracker: Any) -> None:
    check(tracker.view, shapes.TrackerData)
    check(tracker.ladder.view, shapes.LadderData)
    check(tracker.budget.view, shapes.BudgetData)
    check(tracker.log.view, LogData)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_what_widgets_show_is_as_declared(system: str, view: str) -> None:
    check_widgets(ck.Tracker(ck.Encounter(system, seed=7), view=view))
    begun = ck.scene("catwalk").encounter(system, seed=7)
    check_widgets(ck.Tracker(begun, view=view))
    enc = play(system, 3, 120)
    tracker = ck.Tracker(enc, view=view)
    check_widgets(tracker)
    if view == "gm":
        for seq in range(1, len(enc._events), len(enc._events) // 5):
            hear(tracker, {"kind": "at", "seq": seq})
            check_widgets(tracker)


@pytest.mark.parametrize("moments", MOMENTS)
@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_every_moment_of_a_fight_is_as_declared(system: str, view: str, moments: int) -> None:
    enc = fight(system, 11)
    vantage = Vantage(enc, view)
    ladder, budget = LadderProjector(), BudgetProjector()
    some = range(1, len(enc._events) + 1, max(1, len(enc._events) // moments))
    windows = [event.seq for event in enc._events if event.kind == "window"][:moments]
    shown = 0
    for seq in sorted({*some, *windows}):
        vantage.past, vantage.seq = enc.at(seq), seq
        tracker = tracker_view(vantage)
        check(tracker, shapes.TrackerView)
        check(ladder(vantage), shapes.LadderView)
        check(budget(vantage), shapes.BudgetView)
        check(log_view(vantage), LogView)
        shown += len(tracker["windows"])
    assert shown


@pytest.mark.parametrize("system", SYSTEMS)
def test_what_a_form_is_told_is_as_declared(system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7)
    vantage = Vantage(enc)
    vantage.table = True
    name = enc.active or enc.names[0]
    for option in enc.options(name):
        check(choices_answer(vantage, AskChoices(name, option.action)), shapes.Choices)
    vantage = Vantage(ck.scene("catwalk").set_up(system, seed=7))
    vantage.table = True
    check(choices_answer(vantage, AskChoices(None, "start")), shapes.Choices)


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_map_is_as_declared(system: str, view: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7, places=True)
    vantage, project = Vantage(enc, view), MapProjector()
    for seq in range(1, len(enc._events) + 1):
        vantage.past, vantage.seq = enc.at(seq), seq
        check(project(vantage), shapes.MapView)
    check(ck.Map(enc, view=view).view, shapes.MapData)
    check(MapProjector()(Vantage(ck.Encounter(system, seed=7), view)), shapes.MapView)
    name = enc.active or enc.names[0]
    for to in [[30, 0], [1, 1]] * bool(enc.board.cell) + [enc[each].position for each in enc.names]:
        check(ways_answer(Vantage(enc), AskWay(name, to)), shapes.MapWays)
    check(area_answer(Vantage(enc), AskArea("circle", name, size=1)), shapes.MapArea)


def test_what_stands_side_by_side_is_as_declared() -> None:
    fights = [play(system, 5, 60) for system in SYSTEMS]
    check(ck.Comparison(fights).view, ComparisonData)
    table = ck.RuleTable(ck.contrast())
    for topic in table.differences.topics:
        table.topic = topic
        check(table.view, RulesData)


def test_a_quiz_is_as_declared() -> None:
    quiz = ck.quiz(["d6"], n=1)
    check(quiz.view, QuizData)
    quiz.hint(0)
    quiz.answer(0, True)
    check(quiz.view, QuizData)


@pytest.mark.parametrize("system", SYSTEMS)
def test_strips_are_as_declared(system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7)
    view = ck.InitiativeLadder(enc).view
    check(view, shapes.LadderData)
    assert [strip["type"] for strip in view["strips"]] == STRIPS[system]


def test_who_threatens_whoever_acts_is_told_on_the_desk() -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="rebels", at=(0, 0))
    enc.add("Vex", side="empire", at=(1, 0))
    enc.start()
    tracker = ck.Tracker(enc)
    view = tracker.budget.view
    check(view, shapes.BudgetData)
    foe = "Vex" if enc.active == "Mara" else "Mara"
    assert view["about"][:1] == [{"strong": "Threatened"}]
    assert str(view["about"][1]).startswith(f" by {foe}: moving out of this hex provokes")
    enc.condition(foe, "unconscious")
    assert "about" not in tracker.budget.view


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"colour": "red"}, "colour is not declared in Side"),
        ({"mark": "1"}, "Side.mark: '1' is no int"),
        ({"mark": True}, "Side.mark: True is no int"),
        ({"name": None}, "Side.name: None is no str"),
    ],
)
def test_a_key_or_a_kind_that_is_not_declared_is_found(changed: dict[str, Any], said: str) -> None:
    (found,) = wrong({"name": "rebels", "mark": 0, **changed}, Side, "Side")
    assert said in found
    assert list(wrong({"name": "rebels"}, Side, "Side")) == ["Side: mark of Side is missing"]


def test_a_part_and_a_pair_are_looked_into() -> None:
    assert list(wrong([{"rule": "a", "die": "6"}], Parts)) == ["view.0.die: '6' is no int"]
    pair = Annotated[list[str | int], tuple[Literal["undo", "redo"], int]]
    assert list(wrong(["undo", 3], pair)) == []
    assert list(wrong(["undo"], pair)) == ["view: ['undo'] is no list of 2"]


# ── the types of front ends ──


def test_front_ends_have_every_shape_as_a_type() -> None:
    named = re.findall(r"@typedef \{.*\} (\w+)", types())
    assert named == list(every_shape())
    for name, shape in every_shape().items():
        if is_typeddict(shape):
            block = types().partition(f"@typedef {{object}} {name}\n")[2].partition("*/")[0]
            told = re.findall(r"@property \{.*\} \[?(\w+)\]?\n", block)
            assert told == list(get_type_hints(shape))


@pytest.mark.parametrize(
    ("hint", "told"),
    [
        (dict[str, list[str | int | None]], "Record<string, (string | number | null)[]>"),
        (list[list[int]], "number[][]"),
        (Annotated[list[str | int], tuple[Literal["undo", "redo"], int]], '["undo" | "redo", number]'),
        (list[Annotated[list[object], tuple[str, int | None]]], "[string, number | null][]"),
        (object, "unknown"),
    ],
)
def test_a_kind_is_told_as_front_ends_write_it(hint: Any, told: str) -> None:
    assert written(hint, {}) == told


def test_what_is_asked_of_the_types_is_among_them_or_by_hand() -> None:
    """Each `@import` from the types finds its name: what is made is made of all that front ends use."""
    for path in sorted((ROOT / "js").glob("*/*.js")):
        for names in re.findall(r'@import \{ (.*) \} from "\S*/types\.js"', path.read_text(encoding="utf-8")):
            assert set(names.split(", ")) <= set(every_shape()), path.name
