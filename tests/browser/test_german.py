"""A tracker in German: no word of ours on the page is English, but for the names by which it is found."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

import combatkit as ck
from combatkit.widgets._base import ViewWidget
from combatkit.widgets.exercise import panel_of
from tests.browser.harness import StubPage
from tests.browser.live import SETTLED, Live
from tests.browser.sizes import mostly_long
from tests.test_language import UNMARKED, is_english, marked  # noqa: F401
from tests.wire import recording, sent
from tools.words import PROMISED

PATHS = {
    "saga": "Zug beenden",
    "d6": "Zug beenden",
    "ap": "Zug beenden",
    "segments": "Schritt beenden",
    "phases": "Zug beenden",
}

SHOWN = """() => {
    const isEnglish = (on) => on.closest('[lang]')?.lang === 'en';  // not for what the page itself is in
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { parentElement: on, data } = walk.currentNode;
        const aside = 'script, style, kbd, noscript, .ck-rule, [translate="no"]';
        if (!on.closest(aside) && !isEnglish(on)) found.add(data.trim());
    }
    for (const on of document.body.querySelectorAll('*'))
        for (const name of ['aria-label', 'title', 'placeholder', 'aria-description', 'aria-valuetext', 'alt'])
            if (on.hasAttribute(name) && !isEnglish(on)) found.add(on.getAttribute(name));
    return [...found];
}"""


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def english_on(page: Page) -> set[str]:
    """Return what is read on a page and is in English."""
    promised = re.compile("|".join(re.sub(r"\\\{\w+\\\}", ".*", re.escape(name)) for name in PROMISED))
    shown = {re.sub(r"§[\w.-]+|[a-z]+(\.[\w-]+)+|\b[A-Z]\b", "", text) for text in page.evaluate(SHOWN)}
    return {text for text in shown if is_english(text) and not promised.fullmatch(text)}


NAMES = frozenset(["AP", "Mara", "Ilya", "Vex", "combatkit", "Enter", "OCV", "DCV", "sp"])
"""What is nobody's word: who fights, and what stays as it is in every language."""


def unmarked_on(page: Page) -> set[str]:
    """Return what is read on a page and does not come from a language's file."""
    promised = re.compile("|".join(re.sub(r"\\\{\w+\\\}", ".*", re.escape(name)) for name in PROMISED))
    shown = {text: re.sub(r"§[\w.-]+|[a-z]+(\.[\w-]+)+", "", text) for text in page.evaluate(SHOWN)}
    return {text for text, rest in shown.items() if {*UNMARKED.findall(rest)} - NAMES and not promised.fullmatch(text)}


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("system", PATHS)
def test_whatever_a_scene_of_the_kits_own_shows_is_in_the_words_of_its_language(
    system: str, stub_page: StubPage
) -> None:
    enc = ck.scene("catwalk").encounter(system, id="hof", seed=7, language="de", localized=True)
    live = Live(stub_page, ck.Tracker(enc))
    found = unmarked_on(stub_page.page)
    actions = live.root.locator(".ck-desk [data-action]")
    for part in range(min(4, actions.count())):
        actions.nth(part).click(force=True)
        live.settle()
        folded = live.root.locator(".ck-work .is-more[aria-expanded=false]")
        while folded.count():
            folded.first.click(force=True)
            live.settle()
        found |= unmarked_on(stub_page.page)
        live.press("Escape", "Escape")
    assert not found, "\n".join(sorted(found))


@pytest.mark.usefixtures("marked")
@pytest.mark.parametrize("system", mostly_long(PATHS, "saga"))
def test_the_shelf_is_in_the_words_of_its_language(system: str, stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(ck.Encounter(system, id="hof", seed=7, language="de")))
    expect(live.root.locator(".ck-stock li").first).to_be_visible()
    found = unmarked_on(stub_page.page)
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("system", mostly_long(PATHS, "phases"))
def test_a_tracker_in_german_has_no_english_word(system: str, stub_page: StubPage) -> None:
    enc = ck.Encounter(system, id="hof", seed=7, language="de", map=[("Hof", "Tor")] if system == "d6" else None)
    live = Live(stub_page, ck.Tracker(enc))
    found = english_on(stub_page.page)
    for name, side in (("Mira", "Helden"), ("Vex", "Schurken")):
        enc.add(name, side=side)
    live.follow()
    found |= english_on(stub_page.page)
    enc.start()
    live.follow()
    expect(stub_page.page.locator(".ck").first).to_have_attribute("lang", "de")
    found |= english_on(stub_page.page)
    for part in range(live.root.locator(".ck-desk [data-action]").count()):
        if part < 6:
            live.root.locator(".ck-desk [data-action]").nth(part).click(force=True)
            live.settle()
            found |= english_on(stub_page.page)
            live.press("Escape", "Escape")
    live.click("Mehr")
    entries = live.root.locator(".ck-more button").all_inner_texts()
    for entry in dict.fromkeys(filter(None, entries)):
        button = live.root.locator(".ck-more").get_by_role("button", name=entry.split("\n")[0], exact=True)
        if button.count():
            button.first.click(force=True)
            live.settle()
            found |= english_on(stub_page.page)
            live.press("Escape")
            if not live.root.locator(".ck-more").count():
                live.click("Mehr")
    live.press("Escape", "Escape")
    if enc._state.stage == "running" and enc._state.window is None:
        enc.finish()
    live.follow()
    found |= english_on(stub_page.page)
    assert not found, "\n".join(sorted(found))


def test_words_that_come_again_leave_the_parts_and_other_words_make_them_anew(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", id="hof", seed=7, language="de")
    enc.add("Mira", side="Helden"), enc.add("Vex", side="Schurken"), enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    ladder = live.root.get_by_role("list", name="Initiative ladder")
    ladder.evaluate("on => { on.dataset.stays = true; }")
    view: dict[str, Any] = json.loads(json.dumps(live.tracker.view))
    stub_page.deliver({"kind": "full", "view": view}, "tracker")
    live.settle()
    expect(ladder).to_have_attribute("data-stays", "true")

    english = {key: value for key, value in view.items() if key != "tongue"}
    for shown, language in ((english, "en"), (view, "de")):
        stub_page.deliver({"kind": "full", "view": shown}, "tracker")
        expect(live.root.locator("[data-ck-part=ladder] .ck")).to_have_attribute("lang", language)
        expect(ladder).to_be_visible()


def test_a_saved_page_in_german_has_no_english_word(stub_page: StubPage, tmp_path: Path) -> None:
    enc = ck.Encounter("saga", id="hof", seed=7, language="de")
    for name, side in (("Mira", "Helden"), ("Vex", "Schurken")):
        enc.add(name, side=side, hp=12, defense=10, attack_bonus=5)
    enc.start()
    enc.do(enc.active or "", "attack", target="Vex" if enc.active == "Mira" else "Mira", damage=4)
    enc.finish()
    stub_page.page.goto(enc.to_html(tmp_path / "hof.html").as_uri())
    expect(stub_page.page.locator("html")).to_have_attribute("lang", "de")
    expect(stub_page.page.locator(".ck:not([lang=de])")).to_have_count(0)
    assert not (found := english_on(stub_page.page)), sorted(found)


class Shown:
    """A widget of its own on the stub page, with Python behind it."""

    def __init__(self, page: StubPage, name: str, widget: ViewWidget) -> None:
        self.page, self.name, self.widget = page, name, widget
        sent(widget)
        page.answer_by(self._hear)
        self.root = page.mount(name, {"view": widget.view})

    def _hear(self, _: str, content: Any) -> list[tuple[str, Any]]:
        self.widget._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
        return [(self.name, message) for message in sent(self.widget)]

    def press(self, name: str) -> set[str]:
        """Press a button that is there, and return what is in English afterwards."""
        self.root.get_by_role("button", name=name).first.click()
        self.page.page.evaluate(SETTLED)
        return english_on(self.page.page)


@pytest.mark.parametrize("system", mostly_long(PATHS, "segments"))
def test_a_quiz_in_german_has_no_english_word(system: str, stub_page: StubPage) -> None:
    quiz = ck.quiz(system, n=5, seed=2, language="de-AT")
    shown = Shown(stub_page, "quiz", quiz)
    expect(stub_page.page.locator(".ck").first).to_have_attribute("lang", "de")
    found = english_on(stub_page.page)
    for i, item in enumerate(quiz.items):
        for _ in range(3):
            found |= shown.press("Hinweis")
        found |= shown.press("Nein, nicht erlaubt")
        if item.ruling.allowed or i % 2:
            found |= shown.press("Ja, erlaubt")
        else:
            shown.root.locator(".ck-answers").last.get_by_role("button").first.click()
            stub_page.page.evaluate(SETTLED)
            found |= english_on(stub_page.page)
        found |= shown.press("Nächste Frage" if i < 4 else "Wie es lief")
    stub_page.screenshot(f"german-quiz-{system}")
    assert not found, "\n".join(sorted(found))


@pytest.mark.parametrize("id", mostly_long(ck.exercises(), "phases-to-the-door"))
def test_an_exercise_in_german_has_no_english_word(id: str, stub_page: StubPage) -> None:
    task = ck.exercise(id, language="de")
    shown = Shown(stub_page, "exercise", panel_of(task))
    found = shown.press("Prüfen")
    for _ in task.hints:
        found |= shown.press("Hinweis")
    missing = [part["words"] for parts in task._parts.values() for part in parts]
    told = [repr(task.check()).partition(" §")[0], task.goal, *missing]
    found |= {text for text in told if is_english(text)}
    assert not found, "\n".join(sorted(found))


def test_a_comparison_in_german_has_no_english_word(stub_page: StubPage, tmp_path: Path) -> None:
    fights = [
        ck.scene("catwalk").encounter(system, id=system, seed=7, language="de", localized=True) for system in PATHS
    ]
    for enc in fights:
        ck.play(enc, ck.tactics.strike, seconds=30)
    shown = Shown(stub_page, "comparison", comparison := ck.Comparison(fights))
    found = english_on(stub_page.page)
    for _ in range(20):
        found |= shown.press("Eine Sekunde vor")
    stub_page.screenshot("german-comparison")
    static = re.sub(r"<[^>]*>|\([\w.-]+\)", "\n", comparison._static()).split("\n")
    found |= {text for text in static if is_english(text)}
    stub_page.page.goto(comparison.to_html(tmp_path / "bahnen.html").as_uri())
    expect(stub_page.page.locator("html")).to_have_attribute("lang", "de")
    found |= english_on(stub_page.page)
    assert not found, "\n".join(sorted(found))


@pytest.mark.usefixtures("marked")
def test_what_is_said_of_points_of_files_and_of_the_map_is_german_and_rules_are_english(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", id="hof", seed=7, language="de")
    enc.add("Mara", side="Ilya", stun=30)
    live = Live(stub_page, ck.Tracker(enc))
    live.press("g")
    found = unmarked_on(stub_page.page)
    enc.start()
    enc.temporary("Mara", 4)
    live.follow()
    found |= unmarked_on(stub_page.page)
    live.root.locator(".ck-desk [data-rule]").first.click()
    live.settle()
    voice = live.root.get_by_role("status").first
    expect(voice).to_have_attribute("lang", "en")
    found |= unmarked_on(stub_page.page)
    live.press("Escape")
    live.press("s", "Enter")
    expect(live.root.locator(".ck-more .ck-why")).to_be_visible()
    live.press("Escape")
    found |= unmarked_on(stub_page.page)
    expect(voice).not_to_have_attribute("lang", "en")
    assert not found - {"HTML", "CSV"}, "\n".join(sorted(found))
