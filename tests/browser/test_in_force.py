"""What is on somebody stays in sight on their rung, or is counted there."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)


def test_a_condition_comes_before_a_spent_tie_and_what_has_no_room_is_counted(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", seed=1)
    for name in ("Berta", "Odo"):
        enc.add(name, side="party", hp=14, ac=4, aac0=18, weapons=[{"name": "sword", "damage": "1d8", "speed": 5}])
    enc.add("Orc", side="foes", count=3, npc=True, hp=8, ac=6, aac0=19, weapons=[{"name": "axe", "speed": 7}])
    enc.start()
    for fighter in ("Berta", "Odo", "Orc 1", "Orc 2", "Orc 3"):
        enc.do(fighter, "declare", action="attack")
    enc.end_turn(rolls={"party": [3], "foes": [3]})
    enc.condition("Berta", "in_melee", value=["Orc 1", "Orc 3"])
    enc.condition("Berta", "held", until="end of round", note="save failed")
    stub_page.page.set_viewport_size({"width": 1101, "height": 700})
    live = Live(stub_page, ck.Tracker(enc))
    rung = live.root.locator(".ck-rung", has_text="Berta").first
    cut = """rung => { const chips = rung.querySelector(".ck-chips"), { bottom } = chips.getBoundingClientRect();
        return [...chips.children].filter(each => each.getBoundingClientRect().top < bottom).map(e => e.innerText); }"""
    seen = rung.evaluate(cut)
    assert [text.split()[0] for text in seen] == ["attack", "held"], "what they mean to do, and what is on them"
    more = rung.get_by_role("button", name="+1")
    expect(more).to_be_visible()
    expect(rung.locator(".ck-sub")).to_have_attribute("title", "attack routine; held until end of round; melee: O1, O3")
    expect(live.root.get_by_role("log")).to_contain_text("Berta is held until the end of the round save failed")
    live.click(more)
    expect(live.root.get_by_role("list", name="Conditions")).to_contain_text("in melee with Orc 1 and Orc 3")
    stub_page.set_width(1600)
    enc.condition("Berta", "in_melee", off=True)
    live.follow()
    expect(more).to_have_count(0)
