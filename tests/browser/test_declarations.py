"""A round of segments is declared on the stage: a spell with its name, and what somebody would rather do after all."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)


def test_a_declaration_is_changed_taken_back_and_a_spell_asked_for(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", id="yard", seed=7)
    for name, side in (("Vytas", "party"), ("Bo", "party"), ("Orc", "foes")):
        enc.add(name, side=side, hp=20, aac0=18, ac=5, weapons=[{"name": "club", "damage": "1d6", "speed": 4}])
    enc.start()
    stub_page.page.set_viewport_size({"width": 1101, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    work = live.root.locator(".ck-work")

    def rows() -> list[str]:
        calls = live.tracker.budget.view["calls"]
        assert calls is not None
        return [call["said"] for call in calls["rows"].values()]

    live.click(live.root.get_by_role("button", name="Declare: Vytas"))
    live.click(work.get_by_role("button", name="Incantation", exact=True))
    expect(work.get_by_role("textbox", name="Name of the spell")).to_be_focused()
    live.press(*"Web", "Tab", "3")
    live.page.screenshot("declarations-spell")
    live.click(work.get_by_role("button", name="Charge", exact=True))  # what was typed of a spell is dropped with it
    assert rows() == ["", "", ""], "as long as more is asked for, a choice sends nothing"
    live.press("Enter")
    assert rows() == ["charge", "", ""]
    live.press("Escape")
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    live.click(work.get_by_role("button", name="Incantation", exact=True))
    live.press(*"Web", "Tab", "3")
    live.press("Enter")
    assert rows() == ["Web, 3 segments", "", ""]
    expect(live.root.get_by_role("button", name="Declare: Bo")).to_have_attribute("aria-expanded", "true")
    live.click(work.get_by_role("button", name="Charge", exact=True))
    live.press("Escape")
    live.click(live.root.get_by_role("button", name="Change: Bo"))
    expect(work.get_by_role("button", name="Charge")).to_have_accessible_description("declared")
    live.page.screenshot("declarations-change")
    live.click(work.get_by_role("button", name="Attack routine", exact=True))
    assert rows() == ["Web, 3 segments", "attack routine", ""]
    expect(live.root.get_by_role("log")).to_contain_text("now plans to attack")
    live.press("u")
    expect(live.root.locator(".ck-res")).to_contain_text("Undone: Declare (Bo).")
    assert rows() == ["Web, 3 segments", "charge", ""]
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    expect(work.get_by_role("textbox", name="Name of the spell")).to_have_value("Web")
    live.click(work.get_by_role("button", name="Declare"))
    assert rows() == ["Web, 3 segments", "charge", ""], "the same again stands"
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    work.get_by_role("spinbutton", name="Segments").fill("5")
    live.settle()
    live.press("Enter")
    assert rows() == ["Web, 5 segments", "charge", ""]
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    live.click("Take it back")
    assert rows() == ["", "charge", ""]


def test_the_next_is_asked_in_every_round(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", id="yard", seed=7)
    for name, side in (("Vytas", "party"), ("Bo", "party"), ("Orc", "foes")):
        enc.add(name, side=side, hp=20, aac0=18, ac=5)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    for number in (1, 2):
        assert enc.clock.round == number
        live.click(live.root.get_by_role("button", name="Declare: Vytas"))
        for _ in range(3):
            live.click(live.root.locator(".ck-work").get_by_role("button", name="Attack routine", exact=True))
        calls = live.tracker.budget.view["calls"]
        assert calls is not None
        assert {call["said"] for call in calls["rows"].values()} == {"attack routine"}
        while enc.clock.round == number:
            live.press("n")
