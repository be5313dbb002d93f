"""Many of one kind fold on the ladder: who has something to say stands apart, and a click or a setting shows all."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
VITAL = {"saga": "hp", "d6": "resolve", "ap": "hp", "segments": "hp", "phases": "stun"}

recorded = pytest.fixture(autouse=True)(recording)


def crowd(page: StubPage, system: str, size: int) -> Live:
    """Show four heroes against so many of one kind, on the first turn."""
    enc = ck.Encounter(system, id="crowd", seed=11)
    sheet: dict[str, Any] = {VITAL[system]: 20}
    for name in ("Mara", "Ilya", "Ossik", "Vex"):
        enc.add(name, side="heroes", **sheet)
    for some in range(0, size, 100):
        enc.add("Scout trooper", side="empire", count=min(size - some, 100), npc=True, **sheet)
    enc.start()
    while enc.active is None:
        enc.end_turn()
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(enc))
    live.settle()
    return live


CROWDS = [(system, 30) for system in SYSTEMS] + [("saga", 196)]
"""With the heroes, the last are as many as a ladder shows."""


@pytest.mark.parametrize("crowded", mostly_long(CROWDS, ("saga", 30)), ids=str)
def test_many_of_one_kind_fold_and_whoever_acts_stands_apart(stub_page: StubPage, crowded: tuple[str, int]) -> None:
    system, size = crowded
    live = crowd(stub_page, system, size)
    enc = live.tracker.encounter
    rungs = live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")
    now = live.root.locator('.ck-rung[aria-current="true"]')
    head = rungs.filter(has=live.root.page.locator("[aria-expanded]"))
    troopers = [name for name in enc.names if name.startswith("Scout")]
    for _ in range(8):
        expect(now).to_have_count(1)
        assert (now.get_attribute("aria-label") or "").startswith(f"{enc.active}, ")
        apart = enc.active in troopers
        expect(head).to_have_count(1)
        assert rungs.count() == 4 + 1 + apart, "the heroes, the kind, and whoever of it acts"
        said = head.get_attribute("aria-label") or ""
        assert said.startswith(f"Scout trooper, {len(troopers) - apart} folded")
        assert head.locator(".ck-name .z").inner_text() or head.locator(".ck-name").inner_text()
        live.click(live.root.locator(".ck-ctl > .is-main"))
        while live.tracker.encounter.active is None:
            live.click(live.root.locator(".ck-ctl > .is-main"))
    stub_page.screenshot(f"folding-{system}-{size}")
    enc.damage([troopers[3]], 5)
    live.follow()
    names = rungs.evaluate_all("all => all.map(each => each.ariaLabel)")
    assert any(name.startswith(f"{troopers[3]}, ") for name in names), "the blow can be found on the ladder"


def test_a_kind_opened_by_hand_stays_open_and_a_setting_keeps_all_of_them(stub_page: StubPage) -> None:
    live = crowd(stub_page, "saga", 30)
    rungs = live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")
    head = live.root.get_by_role("button", name="Scout trooper: ")
    head.focus()
    live.press("Enter")
    expect(head).to_have_attribute("aria-expanded", "true")
    expect(head).to_be_focused()
    assert rungs.count() == 4 + 30 + 1
    for _ in range(3):
        live.click(live.root.locator(".ck-ctl > .is-main"))
    assert rungs.count() == 4 + 30 + 1, "what is opened stays open"
    numbers = live.root.locator(".ck-ladder .ck-name .z")
    cut = numbers.evaluate_all("all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length")
    assert numbers.count() >= 30
    assert cut == 0, "numbers are never cut"
    live.click(head)
    assert rungs.count() <= 6
    live.root.locator(".ck-ctl > .is-main").focus()
    live.press("d")
    assert rungs.count() == 34, "damage is dealt among all of them"
    live.press("Escape")
    assert rungs.count() <= 6
    live.click("More")
    live.click("Settings")
    switch = live.root.get_by_role("switch", name="Fold those of one kind")
    switch.uncheck()
    live.press("Escape", "Escape")
    assert rungs.count() == 34
    live.click("More")
    live.click("Settings")
    switch.check()
    live.press("Escape", "Escape")
    assert rungs.count() <= 6


def test_few_stand_as_they_are(stub_page: StubPage) -> None:
    live = crowd(stub_page, "saga", 6)
    assert live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem").count() == 10
    expect(live.root.locator(".ck-kind")).to_have_count(0)
