"""The stage in every state, in both themes, by an automatic audit."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest

import combatkit as ck
from tests.browser.evening import Player
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.test_hands import MARA, SYSTEMS, VITAL, bar, fight, roll_at_the_table, rung, show
from tests.browser.test_stage import told
from tests.browser.widget_views import THEMES
from tests.wire import recording

pytestmark = pytest.mark.long

ALL = ("minor", "moderate", "serious", "critical")


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def before(live: Live, system: str) -> Iterator[str]:
    """Go through the set-up, to the dice that begin a fight."""
    yield "nobody is in"
    live.go(live.root.get_by_role("searchbox", name="Find a creature"))
    live.press(*MARA[system].get("name", "Nexu"), "Enter", "Enter")
    yield "two are in"
    live.tick(live.root.get_by_role("radio", name="we roll at the table"))
    live.click("Start")
    yield "dice are asked for"


def during(live: Live, system: str) -> Iterator[str]:
    """Go through a fight, from a turn to the end."""
    yield "a turn"
    live.root.locator('.ck-fold > [aria-expanded="false"]:not(.ck-sec)').last.click()
    live.root.locator('.ck-budget [data-action][aria-disabled="true"]').last.press("Enter")
    live.settle()
    yield "something is refused"
    roll_at_the_table(live)
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    yield "an attack is aimed"
    aim_again = live.root.locator(".ck-work").get_by_role("group", name="Target").locator(".ck-pick").first
    live.click(aim_again)
    live.press("1")
    yield "a die is typed"
    live.press("Escape", "Escape")
    live.click("More")
    yield "more"
    for title in ("Bring somebody in", "Set a condition", "Call for reactions"):
        live.click(title)
        yield title
        live.press("Escape")
        if live.button("More").get_attribute("aria-expanded") != "true":
            live.click("More")
    for title in ("Settings", "Shortcuts"):
        live.click(live.root.get_by_role("button", name=title, exact=True))
        yield title
        live.press("Escape")
    live.press("Escape")
    enc = live.tracker.encounter
    enc.trigger("Mara", text="runs past")
    live.follow()
    yield "somebody may react"
    Player(live).go_on()
    live.click(bar(live, "Guard 1"))
    live.click(live.root.get_by_role("checkbox", name="Guard 2"))
    live.press("3")
    yield "damage is dealt"
    live.press("Escape")
    live.click(rung(live, "Guard 1").get_by_role("button", name="card"))
    yield "a card"
    live.press("Escape")
    enc.adjust("Guard 1", VITAL[system], by=-500)
    live.follow()
    yield "somebody is down"
    live.go(live.root.get_by_role("slider", name="Moment"))
    live.press("ArrowLeft", "ArrowLeft")
    yield "the past"
    live.click(live.root.get_by_role("button", name=re.compile("^Play on")))
    yield "another way on"
    live.click("More")
    live.click("End the fight")
    yield "the end"


def audit(page: StubPage, states: Iterator[str]) -> None:
    """Let axe look at every state, in both themes."""
    seen = 0
    for state in states:
        seen += 1
        for theme in THEMES:
            page.set_theme(theme)
            assert page.axe(ALL) == [], f"{state}, {theme}"
    assert seen > 2


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_stage_has_no_fault_that_axe_finds_in_either_theme(stub_page: StubPage, system: str) -> None:
    audit(stub_page, during(fight(stub_page, system), system))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_set_up_has_no_fault_that_axe_finds_in_either_theme(stub_page: StubPage, system: str) -> None:
    audit(stub_page, before(show(stub_page, ck.Encounter(system, seed=7)), system))


@pytest.mark.parametrize("system", SYSTEMS)
def test_the_busiest_ladder_has_no_fault_that_axe_finds_in_either_theme(stub_page: StubPage, system: str) -> None:
    live = show(stub_page, told(system))

    def states() -> Iterator[str]:
        yield "much is said of everybody"
        live.tracker.encounter.adjust(live.tracker.encounter.order[0].combatant, VITAL[system], by=-500)
        live.follow()
        yield "and somebody is down"
        stub_page.page.set_viewport_size({"width": 436, "height": 800})
        live.click(live.root.get_by_role("button", name=re.compile(r"^All \d")))
        yield "in a narrow frame"

    audit(stub_page, states())
