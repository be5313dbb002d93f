"""A circle, a cone or a line on the map aims at all who stand in it, while a form asks for several."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.test_map_pane import opened, places
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)

GRENADE = {"name": "grenade", "damage": "4d6", "range": 12}


def cantina(language: str = "en") -> ck.Encounter:
    """It is Mara's turn; two stand beside each other, one far from them."""
    enc = ck.Encounter("saga", seed=7, options={"actions": "book"}, language=language)
    enc.add("Mara", side="rebels", at=(0, 0), level=6, attack_bonus=9, weapons=[GRENADE])
    enc.add("Guard", side="empire", npc=True, count=3, defense=15, hp=20)
    enc.place({"Guard 1": (5, 0), "Guard 2": (6, 1), "Guard 3": (5, -6)})
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


def asked(page: StubPage, enc: ck.Encounter, width: int = 1280, title: str = "Area attack") -> Live:
    """Show whom an action of several targets is aimed at: the nearest, at first."""
    live = opened(page, enc, width)
    live.click(live.root.locator(".ck-find input"))
    live.root.page.keyboard.type(title)
    live.press("Enter")
    expect(live.root.locator(".mp-cross")).to_have_count(1)
    return live


def point(live: Live, x: int, y: int) -> tuple[float, float]:
    """Give where a square is on the page, counted from the one of whoever acts, at 0, 0."""
    box = live.root.locator(".mp-here").bounding_box()
    assert box is not None
    side = box["width"]
    return box["x"] + side / 2 + x * side, box["y"] + side / 2 + y * side


def tap(live: Live, x: int, y: int) -> None:
    live.root.page.mouse.click(*point(live, x, y))
    live.settle()


def says(live: Live, words: str) -> None:
    """Check what the map says of an area; with it, who is aimed at has come as well."""
    expect(live.root.locator(".mp-row .mp-says")).to_have_text(words)


def aimed(live: Live) -> set[str]:
    """Give at whom the form is aimed."""
    chosen = live.root.locator('.ck-work .ck-pick[aria-pressed="true"]')
    return {name for text in chosen.all_inner_texts() for name in re.findall(r"Guard \d", text)}


def test_a_tap_in_the_middle_and_one_at_the_edge_aim_at_all_between(stub_page: StubPage) -> None:
    enc = cantina()
    live = asked(stub_page, enc)
    before = places(live.root)
    live.click(live.root.get_by_role("button", name="Circle"))
    says(live, "Tap its middle, or drag from there.")
    tap(live, 6, 0)
    says(live, "Tap how far it reaches.")
    tap(live, 7, 0)
    says(live, "Circle of 1 square Guard 2, Guard 1")
    assert places(live.root) == before, "nothing jumps"
    live.click(live.root.locator(".ck-work .is-main"))
    (event,) = [each for each in enc._events if each.action == "area_attack" and each.kind == "action"]
    assert set(event.data["params"]["target"]) == {"Guard 1", "Guard 2"}
    expect(live.root.get_by_role("button", name="Circle")).to_have_count(0)


def test_a_drag_draws_it_and_only_its_end_aims(stub_page: StubPage) -> None:
    live = asked(stub_page, cantina())
    live.click(live.root.get_by_role("button", name="Line"))
    says(live, "Tap how far it reaches.")
    mouse = live.root.page.mouse
    mouse.move(*point(live, 0, 2))
    mouse.down()
    mouse.move(*point(live, 5, 1))
    mouse.move(*point(live, 6, 1), steps=4)
    says(live, "Line of 6 squares Guard 2")
    assert aimed(live) == {"Guard 1"}, "it is still drawn"
    mouse.up()
    live.settle()
    says(live, "Line of 6 squares Guard 2")
    assert aimed(live) == {"Guard 2"}
    tap(live, 5, -6)
    says(live, "Line of 6 squares Guard 3")  # from whoever acts, as long as nothing else is drawn


def test_it_is_drawn_by_keys_with_a_size_that_is_typed(stub_page: StubPage) -> None:
    live = asked(stub_page, cantina())
    live.root.get_by_role("button", name="Circle").focus()
    live.press("Enter")
    expect(live.root.locator('.mp-cell[data-cell="0,0"]')).to_be_focused()
    box = live.root.get_by_label("How far it reaches")
    box.focus()
    live.root.page.keyboard.type("2")
    live.press("Enter")
    expect(live.root.locator('.mp-cell[data-cell="0,0"]')).to_be_focused()
    live.press(*["ArrowRight"] * 4, "Enter")
    says(live, "Circle of 2 squares Guard 2, Guard 1")
    expect(live.root.page.locator("[role=status]")).to_have_text("Circle of 2 squares: Guard 2, Guard 1.")
    assert aimed(live) == {"Guard 1", "Guard 2"}
    live.press("Escape")
    says(live, "An area aims at all who stand in it.")
    assert aimed(live) == {"Guard 1", "Guard 2"}, "who is aimed at stays"
    live.click(live.root.locator(".ck-work").get_by_role("button", name="Cancel"))
    expect(live.root.get_by_role("button", name="Cone")).to_have_count(0)


def test_where_nobody_stands_nobody_is_aimed_at_and_it_says_what_is_wrong(stub_page: StubPage) -> None:
    live = asked(stub_page, cantina())
    live.click(live.root.get_by_role("button", name="Cone"))
    tap(live, -3, 0)
    says(live, "Cone of 3 squares nobody to aim at")
    assert aimed(live) == set()
    live.root.get_by_label("How far it reaches").fill("90")
    says(live, "size is 90; give a number from 0 to 60 (squares)")


def test_an_action_with_one_target_has_no_area(stub_page: StubPage) -> None:
    live = asked(stub_page, cantina(), title="Burst fire")
    expect(live.root.get_by_role("button", name="Circle")).to_have_count(0)


def test_it_is_clean_to_axe_and_whole_in_german(stub_page: StubPage) -> None:
    live = asked(stub_page, cantina("de"), 833, "Flächenangriff")
    live.click(live.root.get_by_role("button", name="Kreis"))
    tap(live, 5, 0)
    tap(live, 6, 1)
    says(live, "Kreis, 1 Feld Guard 2, Guard 1")
    assert stub_page.axe() == []
