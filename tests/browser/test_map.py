"""The map with Python behind it: a place is chosen, its way is shown, and the second tap goes there."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage, Theme
from tests.browser.widget_views import HOSTILE, THEMES, WIDTHS
from tests.wire import recording, sent

MINUS = "\N{MINUS SIGN}"

recorded = pytest.fixture(autouse=True)(recording)


def show(page: StubPage, enc: ck.Encounter, **how: Any) -> tuple[Locator, ck.Map]:
    """Show a map whose messages are carried out."""
    map = ck.Map(enc, **how)
    sent(map)

    def hear(_: str, content: Any) -> list[tuple[str, Any]]:
        map._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
        return [("map", each) for each in sent(map)]

    page.answer_by(hear)
    return page.mount("map", {"view": map.view}), map


def gantry(name: str = "Mara") -> ck.Encounter:
    """It is the turn of whoever stands at 0, 0, beside a foe."""
    enc = ck.Encounter("phases", seed=7)
    enc.add(name, side="crew", at=(0, 0), movement=6, combat_value=9, stun=30)
    enc.add("Vex", side="gang", npc=True, at=(1, 0))
    enc.add("Bo", side="pack", npc=True, at=(4, -2))
    enc.start()
    while enc.active != name:
        enc.end_turn()
    return enc


def tap(root: Locator, across: float, down: float) -> None:
    """Tap the ground so many hexes from the one whose turn it is."""
    box = root.locator(".mp-here").bounding_box()
    assert box is not None
    x, y = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    root.page.mouse.click(x + (across + down / 2) * box["width"], y + down * box["width"] * 0.866)


def test_a_tap_shows_the_way_and_a_second_goes_there(stub_page: StubPage) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    tap(root, -2, 0)
    expect(root.locator(".mp-tag")).to_have_text("Half move, 2 of 3 hexes · 1 may attack")
    expect(root.locator(".mp-row")).to_contain_text(f"Half move to ({MINUS}2, 0)")
    expect(root.locator(".mp-row")).to_contain_text("Vex may attack.")
    expect(root.get_by_role("status")).to_contain_text(f"({MINUS}2, 0). Half move, 2 of 3 hexes. Vex may attack.")
    expect(root.locator(".mp-dot")).to_have_count(2)
    assert enc["Mara"].position == (0, 0)
    before = len(enc._events)
    tap(root, -2, 0)
    stub_page.wait_until(lambda: len(enc._events) > before)
    expect(root.locator(".mp-tag")).to_have_count(0)
    stub_page.assert_clean()


def test_it_is_sent_by_the_button_and_let_go_by_escape(stub_page: StubPage) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    tap(root, -1, 0)
    expect(root.get_by_role("button", name="Move Mara")).to_be_visible()
    stub_page.page.keyboard.press("Escape")
    expect(root.get_by_role("button")).to_have_count(0)
    tap(root, -1, 0)
    before = len(enc._events)
    root.get_by_role("button", name="Move Mara").click()
    stub_page.wait_until(lambda: len(enc._events) > before)


def test_too_far_says_why_and_offers_nothing_to_press(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), speed=2)
    enc.add("Vex", side="gang", npc=True, at=(1, 0))
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    root, _ = show(stub_page, enc)
    box = root.locator(".mp-here").bounding_box()
    assert box is not None
    stub_page.page.mouse.click(box["x"] - 8.2 * box["width"], box["y"] + 5)
    expect(root.locator(".mp-row")).to_contain_text("That is 9 squares")
    expect(root.get_by_role("button")).to_have_text(["Not now"])


def test_who_may_only_look_chooses_nothing(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry(), view="players")
    tap(root, -2, 0)
    expect(root.locator(".mp-goal")).to_have_count(0)
    assert stub_page.sent() == []


@pytest.mark.parametrize("theme", THEMES)
@pytest.mark.parametrize("width", WIDTHS)
def test_it_is_clean_for_readers_and_no_text_runs_out(stub_page: StubPage, width: int, theme: Theme) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 600})
    stub_page.set_theme(theme)
    root, _ = show(stub_page, gantry())
    assert stub_page.axe() == []
    tap(root, -2, 0)
    expect(root.get_by_role("button", name="Move Mara")).to_be_visible()
    assert stub_page.axe() == []
    assert root.evaluate("el => el.scrollWidth <= el.clientWidth")
    small = [
        size
        for size in root.locator("svg text").evaluate_all(
            "all => all.map(el => parseFloat(getComputedStyle(el).fontSize))"
        )
        if size < 11
    ]
    assert small == []


def test_names_are_text_and_nothing_is_left_on_the_page(stub_page: StubPage) -> None:
    enc = gantry(HOSTILE)
    stub_page.mount("ladder", {"view": ck.InitiativeLadder(enc).view})
    before = set(stub_page.page.evaluate("Object.keys(window)"))
    root, _ = show(stub_page, enc)
    expect(root.locator(".mp-name.is-now")).to_have_text(HOSTILE)
    expect(root.locator("img")).to_have_count(0)
    tap(root, -1, 0)
    expect(root.get_by_role("button", name=f"Move {HOSTILE}")).to_be_visible()
    assert set(stub_page.page.evaluate("Object.keys(window)")) <= before
    stub_page.teardown()
    assert stub_page.listener_count() == 0
    stub_page.assert_clean()


@pytest.mark.parametrize("theme", THEMES)
def test_the_picture_is_drawn_without_a_script_in_light_and_in_dark(stub_page: StubPage, theme: Theme) -> None:
    picture = ck.Map(gantry(HOSTILE))._static()
    assert HOSTILE not in picture
    stub_page.page.emulate_media(color_scheme=theme)
    stub_page.page.set_content(f'<meta name="color-scheme" content="light dark">{picture}')
    image = stub_page.page.get_by_role("img", name="Map")
    stub_page.wait_until(lambda: bool(image.evaluate("el => el.complete && el.naturalWidth > 0")))
    corner = """async el => {
        const canvas = document.createElement("canvas");
        const pen = canvas.getContext("2d");
        pen.drawImage(el, 0, 0);
        return [...pen.getImageData(3, 3, 1, 1).data.slice(0, 3)].reduce((a, b) => a + b);
    }"""
    assert (image.evaluate(corner) > 600) == (theme == "light")
    rows = stub_page.page.get_by_role("row").all_inner_texts()
    assert [row.split("\t")[2:] for row in rows[1:]] == [
        ["(0, 0)", ""],
        ["(1, 0)", "1 hex"],
        [f"(4, {MINUS}2)", "4 hexes"],
    ]
