"""No page shows people what only programs say: the ledgers' names of rules, and those of actions in snake case."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import combatkit as ck
from combatkit.widgets._table import table_of
from combatkit.widgets.exercise import panel_of
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.browser.test_german import Shown
from tests.wire import recording, sent

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())

READ = """() => {
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { parentElement: on, data } = walk.currentNode;
        if (!on.closest('script, style, noscript, pre, code')) found.add(data.trim());
    }
    for (const on of document.body.querySelectorAll('*'))
        for (const name of ['title', 'placeholder', 'aria-description'])
            if (on.hasAttribute(name)) found.add(on.getAttribute(name));
    return [...found];
}"""
"""What is read on a page. The name by which a rule's mark is found holds its id, as promised: that is no text."""


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@cache
def known() -> re.Pattern[str]:
    """Give what finds an id: of a rule, whole or without its system, and of whatever has an underscore in it."""
    ids = {id for rules in ck.rulesets() for id in rules.rules.ids()}
    ids |= {id.partition(".")[2] for id in ids if re.search(r"\..*[.-]", id)}
    rules = "|".join(map(re.escape, sorted(ids, key=len, reverse=True)))
    return re.compile(rf"(?<![\w.])({rules}|[a-z0-9]+(_[a-z0-9]+)+)(?![\w-])")


def ids_on(page: Page) -> set[str]:
    """Give each text of a page in which an id stands."""
    return {text for text in page.evaluate(READ) if known().search(text)}


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "segments"))
def test_a_tracker_and_all_its_forms_show_no_id(system: str, stub_page: StubPage) -> None:
    page = stub_page.page
    enc = ck.scene("catwalk").encounter(system, id="docks", seed=7)
    live = Live(stub_page, ck.Tracker(enc))
    found = ids_on(page)
    deeds = live.root.locator(".ck-desk [data-action]")
    for number in range(deeds.count()):
        if number >= deeds.count():  # one that is done at once may leave fewer
            break
        deeds.nth(number).click(force=True)
        live.settle()
        found |= ids_on(page)
        live.press("Escape", "Escape")
    marks = live.root.locator("[data-rule]:visible")
    for number in range(min(marks.count(), 3)):
        marks.nth(number).click(force=True)
        live.settle()
        found |= ids_on(page)
        live.press("Escape")
    live.click("More")
    for entry in dict.fromkeys(filter(None, live.root.locator(".ck-more button").all_inner_texts())):
        button = live.root.locator(".ck-more").get_by_role("button", name=entry.split("\n")[0], exact=True)
        if button.count():
            button.first.click(force=True)
            live.settle()
            found |= ids_on(page)
            live.press("Escape")
            if not live.root.locator(".ck-more").count():
                live.click("More")
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("seat", ["Anna", None])
@pytest.mark.parametrize("system", ["saga", "ap"])
def test_a_players_view_and_its_forms_show_no_id(system: str, seat: str | None, stub_page: StubPage) -> None:
    enc = ck.scene("catwalk").encounter(system, id="docks", seed=7)
    if seat:
        table_of(enc).plays[seat] = ("Mara", "Vex")
    live = Live(stub_page, ck.Tracker(enc, view="players", seat=seat))
    found = ids_on(stub_page.page)
    deeds = live.root.locator(".ck-desk [data-action]")
    assert bool(deeds.count()) is bool(seat)
    for number in range(deeds.count()):
        if number >= deeds.count():  # one that is done at once may leave fewer
            break
        deeds.nth(number).click(force=True)
        live.settle()
        found |= ids_on(stub_page.page)
        live.press("Escape", "Escape")
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_a_quiz_shows_no_id(system: str, stub_page: StubPage) -> None:
    quiz = ck.quiz(system, n=4, seed=2)
    shown = Shown(stub_page, "quiz", quiz)
    found = set()
    for i in range(4):
        shown.press("They may not")
        found |= ids_on(stub_page.page)
        stub_page.page.locator(".ck-answers .ck-answer").nth(2).click()
        expect(stub_page.page.locator(".ck-verdict")).to_be_visible()
        found |= ids_on(stub_page.page)
        shown.press("Next question" if i < 3 else "How it went")
        found |= ids_on(stub_page.page)
    assert not found, "\n".join(sorted(found))


FIRST = [next(id for id in ck.exercises() if id.startswith(system)) for system in SYSTEMS]


@pytest.mark.parametrize(
    "id", [id if id in FIRST else pytest.param(id, marks=pytest.mark.long) for id in ck.exercises()]
)
def test_an_exercise_shows_no_id(id: str, stub_page: StubPage) -> None:
    task = ck.exercise(id)
    shown = Shown(stub_page, "exercise", panel_of(task))
    found = ids_on(stub_page.page)
    shown.press("Check")
    found |= ids_on(stub_page.page)
    for _ in task.hints:
        shown.press("Hint")
        found |= ids_on(stub_page.page)
    sent(shown.widget)
    assert not found, "\n".join(sorted(found))


def test_a_comparison_shows_no_id(stub_page: StubPage, tmp_path: Path) -> None:
    fights = [ck.scene("catwalk").encounter(system, id=system, seed=7) for system in SYSTEMS]
    for enc in fights:
        ck.play(enc, ck.tactics.strike, seconds=12)
    comparison = ck.Comparison(fights)
    shown = Shown(stub_page, "comparison", comparison)
    found = ids_on(stub_page.page)
    for _ in range(12):
        shown.press("Forward one second")
        found |= ids_on(stub_page.page)
    static = re.sub(r"<[^>]*>", "\n", comparison._static()).split("\n")  # for whoever has no page
    found |= {text for text in static if known().search(text)}
    stub_page.page.goto(comparison.to_html(tmp_path / "lanes.html").as_uri())
    found |= ids_on(stub_page.page)
    assert not found, "\n".join(sorted(found))
