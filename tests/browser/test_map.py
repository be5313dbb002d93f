"""The map with Python behind it: a place is chosen, its way is shown, and the second tap goes there."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
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
    expect(root.get_by_role("button", name="Move Mara")).to_have_count(0)
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
    expect(root.locator(".mp-row").get_by_role("button")).to_have_text(["Not now"])


def spot(root: Locator, across: float, down: float) -> tuple[float, float]:
    """Give where a hex lies on the page, seen from the one in the middle of a map on which nobody stands."""
    box = root.locator(".mp-ground").bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2 + (across + down / 2) * 40, box["y"] + box["height"] / 2 + down * 40 * 0.866


def test_people_are_set_down_one_after_another_moved_and_taken_off(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew")
    enc.add("Vex", side="gang", npc=True)
    root, _ = show(stub_page, enc)
    mouse = stub_page.page.mouse
    expect(root.locator(".mp-row").get_by_role("button")).to_have_text(["Mara", "Vex"])
    root.get_by_role("button", name="Mara").click()
    expect(root.locator(".mp-row")).to_contain_text("Mara Tap where they stand.")
    mouse.click(*spot(root, 0, 0))
    stub_page.wait_until(lambda: enc["Mara"].position == (0, 0))
    expect(root.locator(".mp-row")).to_contain_text("Vex Tap where they stand.")
    mouse.click(*spot(root, 3, -2))
    stub_page.wait_until(lambda: enc["Vex"].position == (3, -2))
    expect(root.locator(".mp-row")).to_have_text("Tap whoever you want to move.")
    mouse.move(*spot(root, 0, 0))
    mouse.down()
    mouse.move(*spot(root, -2, 1), steps=4)
    expect(root.locator(".mp-ghost")).to_have_count(1)
    mouse.up()
    stub_page.wait_until(lambda: enc["Mara"].position == (-2, 1))
    mouse.click(*spot(root, 3, -2))
    root.get_by_role("button", name="Off the map").click()
    stub_page.wait_until(lambda: enc["Vex"].position is None)
    expect(root.locator(".mp-row").get_by_role("button")).to_have_text(["Vex"])
    stub_page.assert_clean()


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_the_first_is_set_down_by_keys_where_nobody_stands_yet(stub_page: StubPage, system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name)
    root, _ = show(stub_page, enc)
    press, said = stub_page.page.keyboard.press, root.get_by_role("status")
    focused = root.locator("[role=gridcell]:focus")
    root.locator(".mp-tray").get_by_role("button", name="Mara").focus()
    press("Enter")
    expect(focused).to_have_accessible_name("(0, 0)")
    expect(said).to_have_text("Mara: where?")
    press("ArrowRight")
    expect(focused).to_have_accessible_name("(1, 0)")
    press("Enter")
    expect(said).to_have_text("Vex: where?")
    stub_page.wait_until(lambda: enc["Mara"].position == (1, 0))
    press("ArrowRight")
    press("Enter")
    stub_page.wait_until(lambda: enc["Vex"].position == (2, 0))
    expect(focused).to_have_accessible_name("(2, 0). Vex, Vex")
    press("Enter")
    expect(said).to_have_text("Vex: where?")
    root.get_by_role("button", name="Off the map").focus()
    press("Enter")
    stub_page.wait_until(lambda: enc["Vex"].position is None)
    expect(focused).to_have_accessible_name("(2, 0)")
    assert stub_page.axe() == []
    stub_page.assert_clean()


def test_two_are_set_down_faster_than_python_answers(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=7)
    for name in ("Mara", "Vex"):
        enc.add(name, side=name)
    root = stub_page.mount("map", {"view": ck.Map(enc).view})
    root.get_by_role("button", name="Mara").click()
    for to in ((0, 0), (3, -2)):
        stub_page.page.mouse.click(*spot(root, *to))
    expect(root.locator(".mp-row")).not_to_contain_text("Tap where they stand.")
    told = [each["name"] for each in stub_page.sent() if each["kind"] == "place"]
    assert told == [{"Mara": [0, 0]}, {"Vex": [3, -2]}]


def test_a_drop_of_whoever_acts_chooses_and_of_another_sets_them_down(stub_page: StubPage) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    box = root.locator(".mp-here").bounding_box()
    assert box is not None
    wide, x, y = box["width"], box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = stub_page.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - 2 * wide, y, steps=4)
    mouse.up()
    expect(root.locator(".mp-row")).to_contain_text(f"Half move to ({MINUS}2, 0)")
    assert enc["Mara"].position == (0, 0)
    mouse.move(x + wide, y)
    mouse.down()
    mouse.move(x + 2 * wide, y, steps=4)
    mouse.up()
    stub_page.wait_until(lambda: enc["Vex"].position == (2, 0))
    before = root.locator(".mp-here").bounding_box()
    assert before is not None
    mouse.move(x - 4 * wide, y)
    mouse.down()
    mouse.move(x - 3 * wide, y, steps=4)
    mouse.up()
    after = root.locator(".mp-here").bounding_box()
    assert after is not None
    assert after["x"] - before["x"] == pytest.approx(wide, abs=2), "the ground goes along with who holds it"
    expect(root.locator(".mp-goal")).to_have_count(0)
    stub_page.assert_clean()


def test_it_is_played_by_keys_and_heard(stub_page: StubPage) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    press = stub_page.page.keyboard.press
    grid = root.get_by_role("grid", name="Map")
    expect(grid.locator("[tabindex='0']")).to_have_count(1)
    grid.locator("[tabindex='0']").focus()
    focused = root.locator("[role=gridcell]:focus")
    expect(focused).to_have_accessible_name("(0, 0). Mara, crew. Threatened by gang")
    press("ArrowRight")
    expect(focused).to_have_accessible_name("(1, 0). Vex, gang. Threatened by gang")
    press("Enter")
    expect(root.locator(".mp-row")).to_contain_text("1 hex from Mara")
    expect(root.get_by_role("status")).to_contain_text("1 hex from Mara")
    press("Escape")
    press("w")
    expect(root.get_by_role("status")).to_have_text("No other way.")
    expect(root.locator(".mp-row")).to_contain_text("Tap where to go.")
    press(",")
    expect(focused).to_have_accessible_name("(0, 0). Mara, crew. Threatened by gang")
    press("Enter")
    expect(root.get_by_role("status")).to_have_text("The ground of Mara is shown.")
    press("ArrowLeft")
    press("Shift+ArrowDown")
    expect(focused).to_have_accessible_name(f"({MINUS}2, 1). Half move")
    press("Enter")
    expect(root.get_by_role("status")).to_contain_text(f"({MINUS}2, 1). Half move, 2 of 3 hexes.")
    expect(root.get_by_role("status")).not_to_contain_text(". nobody")
    assert stub_page.axe() == []
    before = len(enc._events)
    press("Enter")
    stub_page.wait_until(lambda: len(enc._events) > before)
    stub_page.assert_clean()


def test_where_a_move_that_is_stopped_leads_is_heard(stub_page: StubPage) -> None:
    enc = gantry()
    enc.do("Mara", "half_move", to=[[-1, 0], [-2, 0]])
    assert enc.pending
    root, _ = show(stub_page, enc)
    grid = root.get_by_role("grid", name="Map")
    expect(grid.get_by_role("gridcell", name="Mara is going here")).to_have_accessible_name(
        re.compile(rf"^\({MINUS}2, 0\)\. Mara is going here")
    )
    expect(grid.get_by_role("gridcell", name="On the way of Mara")).to_have_accessible_name(
        re.compile(rf"^\({MINUS}1, 0\)\. On the way of Mara")
    )


def test_keys_are_for_the_cell_that_a_screen_reader_is_at(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry())
    here = root.get_by_role("gridcell", name=f"({MINUS}2, 1). Half move", exact=True)
    expect(here).to_have_attribute("tabindex", "-1")
    here.focus()
    stub_page.page.keyboard.press("Enter")
    expect(root.get_by_role("status")).to_contain_text(f"({MINUS}2, 1). Half move, 2 of 3 hexes.")
    stub_page.page.keyboard.press("ArrowLeft")
    expect(root.locator("[role=gridcell]:focus")).to_have_accessible_name(f"({MINUS}3, 1). Half move")
    stub_page.assert_clean()


def test_a_cell_far_from_all_is_walked_to_and_stays_in_sight(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry())
    root.locator("[role=gridcell][tabindex='0']").focus()
    for _ in range(30):
        stub_page.page.keyboard.press("ArrowLeft")
    focused = root.locator("[role=gridcell]:focus")
    expect(focused).to_have_accessible_name(f"({MINUS}30, 0)")
    cell, ground = focused.bounding_box(), root.locator(".mp-ground").bounding_box()
    assert cell is not None
    assert ground is not None
    assert ground["x"] - 1 <= cell["x"] <= ground["x"] + ground["width"] - cell["width"] + 1


def test_zones_are_chosen_by_keys(stub_page: StubPage) -> None:
    enc = ck.Encounter("d6", seed=7, map=[["quay", "crane"], ["crane", "roof"]])
    enc.add("Mara", side="crew")
    root, _ = show(stub_page, enc)
    root.get_by_role("button", name="Mara").click()
    root.locator("[role=gridcell][tabindex='0']").focus()
    stub_page.page.keyboard.press("ArrowRight")
    expect(root.locator("[role=gridcell]:focus")).to_have_accessible_name("crane")
    stub_page.page.keyboard.press("Enter")
    stub_page.wait_until(lambda: enc["Mara"].position == "crane")
    assert stub_page.axe() == []


def test_who_may_only_look_chooses_nothing(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry(), view="players")
    tap(root, -2, 0)
    expect(root.locator(".mp-goal")).to_have_count(0)
    assert stub_page.sent() == []


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
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


def test_a_way_leads_over_stops_set_by_key_and_by_shift(stub_page: StubPage) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc)
    press = stub_page.page.keyboard.press
    root.locator("[role=gridcell][tabindex='0']").focus()
    press("ArrowLeft")
    press("v")
    expect(root.get_by_role("status")).to_contain_text("1-hex step")
    expect(root.get_by_role("status")).to_contain_text("A stop on the way.")
    expect(root.locator(".mp-stop")).to_have_count(1)
    press("v")
    expect(root.locator(".mp-stop")).to_have_count(0)
    press("v")
    expect(root.locator(".mp-stop")).to_have_count(1)
    press("Shift+ArrowDown")
    press("ArrowRight")
    press("Enter")
    expect(root.locator(".mp-row")).to_contain_text(f"Half move to ({MINUS}1, 1)")
    expect(root.locator(".mp-tag")).to_contain_text("2 of 3 hexes")
    expect(root.locator(".mp-stop")).to_have_count(1)
    assert stub_page.axe() == []
    before = len(enc._events)
    press("Enter")
    stub_page.wait_until(lambda: len(enc._events) > before)
    stops = next(event._data["params"]["to"] for event in enc._events[before:] if "params" in event._data)
    assert [list(stop) for stop in stops] == [[-1, 0], [-1, 1]]
    stub_page.assert_clean()


def test_a_tap_with_shift_is_a_stop_and_escape_forgets_it(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry())
    stub_page.page.keyboard.down("Shift")
    tap(root, -1, 0)
    stub_page.page.keyboard.up("Shift")
    expect(root.locator(".mp-stop")).to_have_count(1)
    tap(root, -1, 1)
    expect(root.locator(".mp-row")).to_contain_text(f"Half move to ({MINUS}1, 1)")
    expect(root.locator(".mp-stop")).to_have_count(1)
    stub_page.page.keyboard.press("Escape")
    expect(root.locator(".mp-stop")).to_have_count(0)
    tap(root, -1, 1)
    expect(root.locator(".mp-row")).to_contain_text(f"1-hex step to ({MINUS}1, 1)")
    expect(root.locator(".mp-stop")).to_have_count(0)


def test_who_is_held_over_a_place_in_a_drag_stops_there(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry())
    box = root.locator(".mp-here").bounding_box()
    assert box is not None
    wide, x, y = box["width"], box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = stub_page.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x - wide, y)
    mouse.move(x - wide - 2, y)
    expect(root.locator(".mp-stop")).to_have_count(1)
    mouse.move(x - 2 * wide, y)
    mouse.up()
    expect(root.locator(".mp-row")).to_contain_text(f"Half move to ({MINUS}2, 0)")
    expect(root.locator(".mp-stop")).to_have_count(1)


def test_all_that_is_threatened_is_shown_and_heard(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry())
    mine = root.locator(".mp-threat").count()
    root.locator("[role=gridcell][tabindex='0']").focus()
    stub_page.page.keyboard.press("o")
    expect(root.get_by_role("status")).to_contain_text("All that is threatened is shown.")
    expect(root.locator(".mp-threat")).to_have_count(3)
    assert mine < 3
    expect(root.get_by_role("gridcell", name="Threatened by pack").first).to_be_attached()
    stub_page.page.keyboard.press("o")
    expect(root.locator(".mp-threat")).to_have_count(mine)


def test_the_ruler_measures_between_any_places_by_taps_drag_and_keys(stub_page: StubPage) -> None:
    enc = gantry()
    root, _ = show(stub_page, enc, view="players")
    root.get_by_role("button", name="Ruler").click()
    tap(root, 1, 0)
    expect(root.locator(".mp-row")).to_contain_text("Tap where it is measured to.")
    tap(root, -2, 1)
    says = f"(1, 0) to ({MINUS}2, 1): 3 hexes"

    expect(root.locator(".mp-row")).to_contain_text(says)
    expect(root.locator(".mp-tag")).to_have_text("3 hexes")
    expect(root.get_by_role("status")).to_contain_text(says)
    assert stub_page.axe() == []
    box = root.locator(".mp-here").bounding_box()
    assert box is not None
    wide, x, y = box["width"], box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse = stub_page.page.mouse
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 4 * wide, y, steps=3)
    mouse.up()
    expect(root.locator(".mp-tag")).to_have_text("4 hexes")
    expect(root.get_by_role("status")).to_contain_text("(0, 0) to (4, 0): 4 hexes")
    root.locator("[role=gridcell][tabindex='0']").focus()
    for key in ("Enter", "ArrowLeft", "Enter"):
        stub_page.page.keyboard.press(key)
    expect(root.locator(".mp-tag")).to_have_text("1 hex")
    stub_page.page.keyboard.press("Escape")
    expect(root.locator(".mp-tag")).to_have_count(0)
    expect(root.get_by_role("button", name="Ruler")).to_be_focused()
    assert enc["Mara"].position == (0, 0)
    stub_page.assert_clean()


def test_several_are_taken_up_by_shift_and_move_together(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=7)
    for name, at in {"Mara": (0, 0), "Vex": (2, 0), "Bo": (2, -2)}.items():
        enc.add(name, side=name, at=at)
    root, _ = show(stub_page, enc)
    mouse, press = stub_page.page.mouse, stub_page.page.keyboard.press
    box = root.locator("[data-cell='0,0']").bounding_box()
    assert box is not None
    wide, x, y = box["width"], box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    mouse.click(x, y)
    stub_page.page.keyboard.down("Shift")
    mouse.click(x + 2 * wide, y)
    stub_page.page.keyboard.up("Shift")
    expect(root.locator(".mp-row")).to_contain_text("Mara and 1 more")
    expect(root.get_by_role("status")).to_contain_text("Mara, Vex")
    expect(root.locator(".mp-taken")).to_have_count(2)
    assert stub_page.axe() == []
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + wide, y, steps=3)
    expect(root.locator(".mp-ghost")).to_have_count(2)
    mouse.up()
    stub_page.wait_until(lambda: enc["Vex"].position == (3, 0))
    assert (enc["Mara"].position, enc["Bo"].position) == ((1, 0), (2, -2))
    expect(root.locator(".mp-taken")).to_have_count(0)
    root.locator("[data-cell='1,0']").focus()
    press("Shift+Enter")
    press("ArrowRight")
    press("ArrowRight")
    press("Shift+Enter")
    expect(root.locator(".mp-row")).to_contain_text("Mara and 1 more")
    press("ArrowDown")
    press("Enter")
    stub_page.wait_until(lambda: enc["Vex"].position == (5, 1))
    assert enc["Mara"].position == (3, 1)
    enc.undo()
    assert (enc["Mara"].position, enc["Vex"].position) == ((1, 0), (3, 0)), "one step takes all of them back"
    stub_page.assert_clean()


def test_no_line_is_drawn_over_words_nor_through_them(stub_page: StubPage) -> None:
    root, _ = show(stub_page, gantry())
    texts = root.locator(".mp-word, .mp-name")
    expect(root.locator(".mp-word").first).to_be_visible()
    over = """all => all.filter(word => [...word.closest("svg").querySelectorAll(".mp-edge, .mp-here, .mp-threat")]
        .some(line => word.compareDocumentPosition(line) & Node.DOCUMENT_POSITION_FOLLOWING)).length"""
    assert texts.evaluate_all(over) == 0
    halo = texts.evaluate_all("all => all.map(each => parseFloat(getComputedStyle(each).strokeWidth))")
    assert min(halo) >= 6, "a space of this size is 3 px wide, and the line behind it shows"


def test_a_place_says_what_it_costs_and_by_which_other_action_one_gets_there(stub_page: StubPage) -> None:
    enc = ck.Encounter("ap", seed=7)
    for name, at in (("Mara", (0, 0)), ("Vex", (3, 0))):
        enc.add(name, side=name, at=at)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    root, _ = show(stub_page, enc)
    tap(root, -1, 0)
    row = root.locator(".mp-row")
    expect(row).to_contain_text("Disengage to")
    expect(row.locator(".mp-says")).to_contain_text("1 AP")
    row.get_by_role("button", name="Dash 1 AP").click()
    expect(row).to_contain_text("Dash to")
    expect(row.get_by_role("button", name="Disengage 1 AP")).to_be_visible()
