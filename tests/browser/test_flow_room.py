"""What shows a round keeps its room: dice that are asked for above it leave the steps and the segments as they are."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield from recording(monkeypatch)


def test_steps_of_a_round_cover_nothing_while_dice_are_asked_for(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    enc = ck.Encounter("segments", seed=7)
    for side in ("foes", "rebels"):
        enc.add(f"Lane footpad of the {side}", side=side, count=3, aac0=18, hp=5)
    enc.start()
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(True)
    live = Live(stub_page, tracker)
    live.settle()
    live.click("End step")
    assert live.root.locator(".ck-rolls").count() == 1
    flow, ticks = (live.root.locator(each).bounding_box() for each in (".ck-flow", ".ck-seg"))
    assert flow
    assert ticks
    inside = live.root.locator(".ck-flow").evaluate("el => el.scrollHeight - el.clientHeight")
    assert inside <= 0, "the steps are as tall as what stands in them"
    assert flow["y"] + flow["height"] <= ticks["y"] + 1


BESIDE = """(el, selector) => [...el.querySelectorAll(selector)].filter((line) => {
  const { right, top, height } = line.getBoundingClientRect();
  return line.contains(document.elementFromPoint(right + 3, top + height / 2));
}).map((line) => line.textContent)"""
"""Gives the lines whose text runs on beyond their own right edge."""


def test_a_name_in_a_zone_runs_over_nothing_beside_it(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(stub_page, ck.Tracker(ck.scene("warehouse-raid").encounter("d6", seed=1)))
    live.settle()
    lines = ".ck-zone:not(:last-child) p"
    assert "Watch sergeant Zone 3" in " ".join(live.root.locator(lines).all_inner_texts()).replace("\n", " ")
    assert live.root.evaluate(BESIDE, lines) == []


def eight(stub_page: StubPage) -> Live:
    """Give a fight of eight in a round with steps, in a frame as tall as a notebook's on a small screen."""
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    enc = ck.Encounter("segments", seed=7)
    for side in ("foes", "party"):
        enc.add(f"Footpad of the {side}", side=side, count=4, aac0=18, hp=5, attacks=["MELEE: club (1d6)"])
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    return live


def test_the_ladder_shows_whose_turn_it_is_among_eight(stub_page: StubPage) -> None:
    live = eight(stub_page)
    ladder, now = live.root.locator(".ck-ladder"), live.root.locator('.ck-rung[aria-current="true"]')
    ladder.evaluate("el => { el.scrollTop = el.scrollHeight; }")
    live.click("End step")
    for _ in range(8):
        frame, rung = ladder.bounding_box(), now.bounding_box()
        assert frame
        assert rung
        assert frame["height"] >= 5 * 30, "there is room for five"
        assert frame["y"] - 1 <= rung["y"]
        assert rung["y"] + rung["height"] <= frame["y"] + frame["height"] + 1
        live.click("End turn")
        if not now.count():
            break


def test_the_way_back_from_a_branch_and_a_past_moment_can_be_pressed(stub_page: StubPage) -> None:
    live = eight(stub_page)
    live.click("End step")
    given = live.tracker.encounter
    live.root.get_by_role("slider", name="Moment").focus()
    live.press("ArrowLeft")
    for name in ("Previous event", "Next event", "Back to now"):
        assert live.button(name).evaluate(PRESSED), name
    another = live.root.get_by_role("button", name="Try another line from")
    assert another.evaluate(PRESSED)
    live.click(another)
    assert live.tracker.encounter is not given
    back = live.root.get_by_role("button", name=f"Back to {given.id}")
    assert back.evaluate(PRESSED)
    live.click(back)
    assert live.tracker.encounter is given


PRESSED = """(el) => {
  const { x, y, width, height } = el.getBoundingClientRect();
  return el.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""Says whether a mouse reaches something where it stands, with nothing scrolled."""
