"""The comparison with a stub model: lanes, needle, what is refused, the seconds of a round."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import (
    HOSTILE,
    THEMES,
    WIDTHS,
    answer,
    delta,
    focused,
    intents,
    refuse,
    unused_selectors,
)

ALLOWED = ["move too", None]


def moment(t: float, at: str, who: str, side: int, *sums: int, **more: Any) -> dict[str, Any]:
    """Give what a lane shows from one turn on."""
    return {"t": t, "label": at, "who": who, "side": side, "waits": [], "wishes": [ALLOWED], "sums": list(sums), **more}


def lane(title: str, moments: list[dict[str, Any]], **more: Any) -> dict[str, Any]:
    """Give a lane: Mara above the line, Vex below."""
    marks = {
        "0": {"turns": [7.2], "actions": [8], "reactions": []},
        "1": {"turns": [1.2], "actions": [2, 3], "reactions": [4]},
    }
    return {
        "system": title,
        "title": title,
        "encounter": f"{title}-7",
        "label": "Round 2",
        "rounds": [0, 6],
        "steps": [0, 6],
        "rests": [6],
        "marks": marks,
        "moments": moments,
        "whys": [["Spent on Attack. ", {"rule": f"{title}.std.one"}]],
        "sums": [2, 3, 2, 1],
        "caption": ["2 rounds of 6 s ", {"rule": f"{title}.round.seconds"}],
        "result": ["nobody has won yet"],
        "ends": None,
        "length": None,
        **more,
    }


def two() -> dict[str, Any]:
    """Give a view of two systems and one that has not begun."""
    again = ["second attack", 0]
    saga = [
        moment(1.2, "Round 1", "Vex", 1, 1, 2, 2, 1, waits=["Mara", "Ilya"], wishes=[again, ALLOWED]),
        moment(7.2, "Round 2", "Mara", 0, 2, 3, 2, 1, wishes=[ALLOWED]),
    ]
    d6 = [moment(10, "Round 2", "Mara", 0, 1, 1, 1, 0, wishes=[again])]
    return {
        "revision": 0,
        "title": "One minute, three systems",
        "about": "Mara against Vex",
        "span": 60,
        "axis": [[0, "0:00"], [20, "0:20"], [40, "0:40"], [60, "1:00"]],
        "sides": [{"name": "rebels", "mark": 0}, {"name": "hunters", "mark": 1}],
        "order": ["0", "1", "2"],
        "lanes": {
            "0": lane("saga", saga),
            "1": lane("d6", d6, rounds=[0, 10], rests=[], length=10),
            "2": lane("ap", [], label="Not begun", marks={}, rounds=[], steps=[], rests=[], sums=[0] * 4, result=[]),
        },
    }


def lane_of(root: Locator, number: int) -> Locator:
    return root.get_by_role("list", name="Systems").get_by_role("listitem").nth(number)


def slider(root: Locator) -> Locator:
    return root.get_by_role("slider", name="Game seconds")


def test_a_lane_a_system_with_its_numbers_and_the_newest_moment(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    expect(root.get_by_role("heading", name="One minute, three systems Mara against Vex")).to_be_visible()
    lanes = root.get_by_role("list", name="Systems").get_by_role("listitem")
    expect(lanes).to_have_count(3)
    counted = "2 turns, 3 actions, 1 reaction, including 2 attacks"
    assert lanes.nth(0).get_attribute("aria-label") == f"saga: nobody has won yet. {counted}"
    assert lanes.nth(2).get_attribute("aria-label") == "ap: 0 turns, 0 actions, including 0 attacks"
    expect(lanes.nth(0).locator(".rate")).to_have_text(re.compile(r"^\s*3actions\s+1 reaction\s+2 are attacks\s*$"))
    expect(slider(root)).to_have_value("10")
    expect(lanes.nth(0).locator(".at")).to_have_text("Round 2")
    told = lanes.nth(0).locator(".told p")
    expect(told.nth(0)).to_have_text("last turn: Mara")
    expect(told.nth(1)).to_have_text(f"everybody so far: {counted}")
    expect(lanes.nth(2).locator(".at")).to_have_text("Not begun")


def test_the_picture_has_a_mark_a_turn_action_and_reaction(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    strip = lane_of(root, 0).locator(".strip")
    marks = strip.locator("[data-side='1'] path")
    assert [mark.get_attribute("d") for mark in marks.all()] == ["M1.2 23v16", "M2 23v9M3 23v9", "M4 41h0"]
    above = strip.locator("[data-side='0'] path")
    assert [mark.get_attribute("d") for mark in above.all()] == ["M7.2 21v-16", "M8 21v-9", ""]
    assert strip.locator(".now").get_attribute("d") == "M10 0v44"
    assert strip.locator(".ring").get_attribute("d") == "M6 22h0"


def test_who_won_and_when_stands_under_each_lane_and_the_needle_at_the_end_of_the_clock(stub_page: StubPage) -> None:
    view = two()
    del view["lanes"]["2"]
    view["order"] = ["0", "1"]
    view["lanes"]["0"] |= {"result": [{"side": 1}, " ", {"strong": "hunters won"}, " at 0:06, Round 2"], "ends": 8.5}
    view["lanes"]["1"] |= {"result": ["nobody has won by 1:00"], "ends": 60}
    root = stub_page.mount("comparison", {"view": view})
    expect(lane_of(root, 0).locator(".result")).to_have_text("hunters won at 0:06, Round 2")
    expect(lane_of(root, 0)).to_have_accessible_name(re.compile("^saga: hunters won at 0:06, Round 2. 2 turns"))
    expect(lane_of(root, 1).locator(".result")).to_have_text("nobody has won by 1:00")
    expect(slider(root)).to_have_value("60")
    strips = [lane_of(root, number).locator(".strip") for number in (0, 1)]
    assert [strip.locator(".base").get_attribute("d") for strip in strips] == ["M0 22H8.5", "M0 22H60"]
    assert strips[0].locator(".over").get_attribute("d") == "M8.5 4v36"
    expect(strips[1].locator(".over")).to_have_count(0)


def test_the_needle_is_moved_by_keys_by_second_and_by_round(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    needle = slider(root)
    needle.focus()
    page = stub_page.page.keyboard
    page.press("Home")
    expect(needle).to_have_value("0")
    expect(lane_of(root, 0).locator(".told")).to_have_count(0)
    assert needle.get_attribute("aria-valuetext") == "0:00. saga: nobody yet. d6: nobody yet. ap: Not begun"
    page.press("PageUp")
    expect(needle).to_have_value("6")
    page.press("PageUp")
    page.press("PageDown")
    expect(needle).to_have_value("6")
    page.press("ArrowRight")
    page.press("ArrowRight")
    assert needle.get_attribute("aria-valuetext") == "0:08. saga: Round 2, Mara. d6: nobody yet. ap: Not begun"
    page.press("End")
    expect(needle).to_have_value("60")
    assert focused(stub_page) == "Game seconds"
    assert intents(stub_page) == []


def test_keys_stay_in_the_widget(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    stub_page.page.evaluate("() => { window.got = []; document.addEventListener('keydown', e => got.push(e.key)); }")
    slider(root).focus()
    for key in ("ArrowLeft", "PageUp", "Home"):
        stub_page.page.keyboard.press(key)
    lane_of(root, 0).focus()
    for key in ("ArrowDown", "End", "ArrowRight"):
        stub_page.page.keyboard.press(key)
    assert stub_page.page.evaluate("() => got") == []


def test_the_needle_is_moved_by_the_pointer_on_axis_and_lanes(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    strip = lane_of(root, 1).locator(".strip")
    box = strip.bounding_box()
    assert box is not None
    mouse = stub_page.page.mouse
    mouse.move(box["x"] + box["width"] * 0.5, box["y"] + 20)
    mouse.down()
    expect(slider(root)).to_have_value("30")
    mouse.move(box["x"] + box["width"] * 0.75, box["y"] + 200)
    mouse.up()
    expect(slider(root)).to_have_value("45")
    mouse.move(box["x"], box["y"] + 20)
    expect(slider(root)).to_have_value("45")
    axis = slider(root).bounding_box()
    assert axis is not None
    mouse.click(axis["x"] + axis["width"] * 0.25, axis["y"] + 10)
    expect(slider(root)).to_have_value("15")


def test_the_buttons_go_by_seconds_and_say_so(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    root.get_by_role("button", name="Back one second").click()
    expect(slider(root)).to_have_value("9")
    expect(root.get_by_role("status")).to_have_text("0:09. saga: Round 2, Mara. d6: nobody yet. ap: Not begun")
    root.get_by_role("button", name="Forward one second").click()
    expect(slider(root)).to_have_value("10")


def test_who_waits_and_what_is_refused_and_allowed_there(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    for _ in range(6):
        root.get_by_role("button", name="Back one second").click()
    told = lane_of(root, 0).locator(".told")
    expect(told).to_contain_text("waiting: Mara, Ilya")
    expect(told).to_contain_text("second attack: Spent on Attack. §")
    expect(told.locator("p").last).to_have_text("move too")


def test_a_rules_words_open_from_a_lane_by_keyboard(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    lane_of(root, 0).focus()
    stub_page.page.keyboard.press("ArrowDown")
    stub_page.page.keyboard.press("ArrowRight")
    assert focused(stub_page) == "Rule d6.round.seconds"
    stub_page.page.keyboard.press("Enter")
    answer(stub_page, "rule", rule="d6.round.seconds", text="No fixed length.", locator="p. 1", disputed=False)
    expect(root.locator(".ck-pop")).to_contain_text("No fixed length.")
    stub_page.page.keyboard.press("Escape")
    expect(root.locator(".ck-pop")).to_have_count(0)
    assert focused(stub_page) == "Rule d6.round.seconds"


def test_the_lanes_are_one_tab_stop(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    slider(root).focus()
    stub_page.page.keyboard.press("Tab")
    assert focused(stub_page).startswith("saga: nobody has won yet. 2 turns")
    stub_page.page.keyboard.press("End")
    assert focused(stub_page).startswith("ap: 0 turns")
    stub_page.page.keyboard.press("Tab")
    assert stub_page.page.evaluate("() => document.activeElement.type") == "number"
    stub_page.page.keyboard.press("Shift+Tab")
    assert focused(stub_page).startswith("ap: 0 turns")


def test_seconds_of_a_round_are_asked_of_python_and_a_refusal_is_said(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    field = root.get_by_label("Seconds a round, d6")
    expect(field).to_have_value("10")
    expect(root.get_by_label("Seconds a round, saga")).to_have_count(0)
    field.fill("12")
    field.press("Enter")
    assert intents(stub_page) == [{"kind": "seconds", "system": "d6", "value": 12}]
    refuse(stub_page, "seconds", "seconds of d6 is 0")
    expect(root.get_by_role("status")).to_have_text("seconds of d6 is 0")


def test_it_follows_a_fight_until_the_needle_is_put_somewhere(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    more = [*two()["lanes"]["0"]["moments"], moment(14, "Round 3", "Vex", 1, 3, 4, 3, 1)]
    delta(stub_page, (["lanes", "0", "moments"], more))
    expect(slider(root)).to_have_value("14")
    root.get_by_role("button", name="Back one second").click()
    delta(stub_page, (["lanes", "0", "moments"], [*more, moment(20, "Round 4", "Vex", 1, 4, 5, 4, 1)]))
    expect(slider(root)).to_have_value("13")


def test_focus_stays_where_it_is_when_lanes_change(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": two()})
    lane_of(root, 1).focus()
    delta(stub_page, (["lanes", "1", "sums"], [2, 2, 2, 0]))
    expect(lane_of(root, 1).locator(".rate")).to_contain_text("2 are attacks")
    assert focused(stub_page).startswith("d6: nobody has won yet. 2 turns")


def hostile() -> dict[str, Any]:
    """Give a view in which every text would be markup."""

    def poison(value: Any) -> Any:
        if isinstance(value, str):
            return HOSTILE
        if isinstance(value, dict):
            return {key: poison(inner) for key, inner in value.items()}
        return [poison(inner) for inner in value] if isinstance(value, list) else value

    view = two()
    lanes = {key: poison(inner) for key, inner in view["lanes"].items()}
    return {**view, "title": HOSTILE, "about": HOSTILE, "sides": [{"name": HOSTILE, "mark": 0}] * 2, "lanes": lanes}


def test_text_is_shown_as_text(stub_page: StubPage) -> None:
    root = stub_page.mount("comparison", {"view": hostile()})
    expect(root.locator("img")).to_have_count(0)
    expect(root.get_by_role("heading").first).to_contain_text(HOSTILE)
    expect(lane_of(root, 0).locator(".told")).to_contain_text(HOSTILE)


@pytest.mark.parametrize("width", mostly_long(WIDTHS, 420))
@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_has_no_accessibility_faults(stub_page: StubPage, theme: Theme, width: int) -> None:
    stub_page.set_width(width)
    root = stub_page.mount("comparison", {"view": two()})
    stub_page.set_theme(theme)
    slider(root).fill("4")
    assert stub_page.axe(("minor", "moderate", "serious", "critical")) == []
    inside = stub_page.page.evaluate("() => document.documentElement.scrollWidth <= window.innerWidth")
    assert inside
    head, title = (root.locator(each).bounding_box() for each in (".ck-head", ".ck-head h3"))
    assert head
    assert title
    assert title["y"] > head["y"]
    assert title["y"] + title["height"] < head["y"] + head["height"] - 1
    stub_page.screenshot(f"comparison-{theme}-{width}", root)


def test_everything_in_its_sheet_is_used(stub_page: StubPage) -> None:
    view = two()
    view["sides"] = [{"name": str(number), "mark": number} for number in range(8)]
    view["lanes"]["0"]["ends"] = 8
    view["lanes"]["0"]["marks"] = {str(n): {"turns": [n], "actions": [n], "reactions": [n]} for n in range(8)}
    root = stub_page.mount("comparison", {"view": view})
    root.get_by_role("button", name="Rule saga.round.seconds").click()
    answer(stub_page, "rule", rule="saga.round.seconds", text="Six.", locator="", disputed=False)
    left = {s for s in unused_selectors(stub_page, "comparison") if "ck-" in s and "vscode" not in s}
    own = {
        s
        for s in left
        if any(word in s for word in ("compare", "axis", "lane", "strip", "told", "legend", "data-side"))
    }
    assert {s for s in own if "slider-thumb" not in s and "range-thumb" not in s} == set()


def test_teardown_leaves_nothing_behind(stub_page: StubPage) -> None:
    stub_page.mount("comparison", {"view": two()})
    stub_page.show()
    stub_page.teardown()
    assert stub_page.listener_count() == 0
    expect(stub_page.page.locator(".ck")).to_have_count(0)
