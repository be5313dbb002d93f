"""A tracker in German: no word of ours on the page is English, but for the names by which it is found."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.test_language import is_english
from tests.wire import recording
from tools.words import PROMISED

PATHS = {
    "saga": "Zug beenden",
    "d6": "Zug beenden",
    "ap": "Zug beenden",
    "segments": "Schritt beenden",
    "phases": "Zug beenden",
}

SHOWN = """() => {
    const found = new Set();
    const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (walk.nextNode()) {
        const { parentElement: on, data } = walk.currentNode;
        if (!on.closest('script, style, kbd, noscript, [lang="en"], [translate="no"]')) found.add(data.trim());
    }
    for (const on of document.body.querySelectorAll('*'))
        for (const name of ['aria-label', 'title', 'placeholder', 'aria-description'])
            if (on.hasAttribute(name) && !on.closest('[lang="en"]')) found.add(on.getAttribute(name));
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


@pytest.mark.parametrize("system", PATHS)
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
    assert not found, sorted(found)


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
