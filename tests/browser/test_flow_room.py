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


def test_dice_that_are_asked_for_stand_on_the_desk_and_move_nothing(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    enc = ck.Encounter("segments", seed=7)
    for side in ("foes", "rebels"):
        enc.add(f"Lane footpad of the {side}", side=side, count=3, aac0=18, hp=5)
    enc.start()
    enc.table_dice = True
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    zones = (".ck-strip", ".ck-res", ".ck-order", ".ck-log", ".ck-budget")
    before = [live.root.locator(each).bounding_box() for each in zones]
    live.click("End step")
    live.click("End step")  # nobody has declared anything
    assert live.root.locator(".ck-budget .ck-face").count() == 2
    assert [live.root.locator(each).bounding_box() for each in zones] == before


def test_a_zone_says_who_is_in_it(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(stub_page, ck.Tracker(ck.scene("warehouse-raid").encounter("d6", seed=1)))
    live.settle()
    zones = live.root.get_by_role("list", name="Zones, measured from")
    assert "Watch sergeant" in " ".join(zones.get_by_role("listitem").all_inner_texts())
    assert zones.bounding_box()["height"] == 28  # type: ignore[index]


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
    live.click("End step")  # nobody has declared anything
    for _ in range(8):
        frame, rung = ladder.bounding_box(), now.bounding_box()
        assert frame
        assert rung
        assert frame["height"] >= 6 * 36, "there is room for six"
        assert frame["y"] - 1 <= rung["y"]
        assert rung["y"] + rung["height"] <= frame["y"] + frame["height"] + 1
        live.click("End turn")
        if not now.count():
            break


def test_the_way_back_from_a_branch_and_a_past_moment_can_be_pressed(stub_page: StubPage) -> None:
    live = eight(stub_page)
    live.click("End step")
    live.click("End step")  # nobody has declared anything
    given = live.tracker.encounter
    live.root.get_by_role("slider", name="Moment").focus()
    live.press("ArrowLeft")
    another = live.root.get_by_role("button", name="Play on from")
    for button in (live.button("Back to now"), another):
        assert button.evaluate(PRESSED), button
    live.click(another)
    assert live.tracker.encounter is not given
    back = live.root.get_by_role("button", name=f"Back to {given._called}")
    assert back.evaluate(PRESSED)
    live.click(back)
    assert live.tracker.encounter is given


PRESSED = """(el) => {
  const { x, y, width, height } = el.getBoundingClientRect();
  return el.contains(document.elementFromPoint(x + width / 2, y + height / 2));
}"""
"""Says whether a mouse reaches something where it stands, with nothing scrolled."""
