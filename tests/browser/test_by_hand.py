"""What a hand does without thinking: damage goes where the blow went, and a turn begins at the top."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(page: StubPage, system: str) -> Live:
    """Show a fight of three of the shelf against three."""
    enc = ck.Encounter(system, seed=7)
    shelf = ck.Shelf()
    names = shelf.search("", system=system)["name"].to_list()
    for name, side in zip(names[:6], ["rebels", "empire"] * 3, strict=True):
        enc.add(**shelf.take(name, system=system), side=side)
    enc.start()
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(enc))
    live.settle()
    return live


def box(what: Locator) -> dict[str, float]:
    found = what.bounding_box()
    assert found is not None
    return {"x": found["x"], "y": found["y"], "width": found["width"], "height": found["height"]}


def end_turn(live: Live) -> Locator:
    return live.root.locator(".ck-ctl > .is-main")


@pytest.mark.parametrize("system", ["saga", "phases"])
def test_after_an_attack_the_key_for_damage_means_whoever_was_attacked(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    enc = live.tracker.encounter
    attacker = enc.active
    live.press("Tab")
    end_turn(live).focus()
    live.press("d")
    expect(live.root.get_by_role("form", name="Damage or heal")).to_be_visible()
    expect(live.root.get_by_role("checkbox", checked=True)).to_have_count(0)  # nobody was meant yet
    live.press("Escape")
    foe = next(rung.combatant for rung in enc.order if enc[rung.combatant].side != enc[attacker or ""].side)
    enc.do(attacker or "", "attack", target=foe)
    live.follow()
    end_turn(live).focus()
    live.press("d")
    expect(live.root.get_by_role("checkbox", checked=True)).to_have_accessible_name(foe)


def test_the_next_turn_shows_its_actions_from_the_first(stub_page: StubPage) -> None:
    live = fight(stub_page, "phases")
    desk = live.root.locator(".ck-desk")
    desk.evaluate("el => { el.scrollTop = el.scrollHeight; }")
    assert desk.evaluate("el => el.scrollTop") > 0
    live.click(end_turn(live))
    assert desk.evaluate("el => el.scrollTop") == 0


def test_who_ends_a_turn_from_a_form_can_end_the_next(stub_page: StubPage) -> None:
    """What the form's button had leads to no field, in which the next N would be a letter."""
    live = fight(stub_page, "ap")
    enc = live.tracker.encounter
    live.click(live.root.get_by_role("group", name="Usual").locator('[data-action="trip"], [data-action="dash"]').first)
    live.press("Escape")
    end_turn(live).focus()
    for _ in range(2):
        before = enc.active
        live.press("1", "Shift+Tab", "n")
        assert enc.active != before
    expect(live.root.get_by_role("textbox", name="Find an action")).to_have_value("")


def test_the_menu_is_out_of_the_way_once_something_else_is_pressed(stub_page: StubPage) -> None:
    live = fight(stub_page, "saga")
    live.click("More")
    menu = live.root.get_by_role("group", name="More", exact=True)
    expect(menu).to_be_visible()
    bar = live.root.get_by_role("button", name="Damage or heal").last
    live.click(bar)
    expect(menu).to_have_count(0)
    expect(live.root.get_by_role("form", name="Damage or heal")).to_be_visible()
    expect(live.root.get_by_role("textbox", name="How much")).to_be_focused()


def test_the_scrubber_stands_in_the_line_of_its_caption(stub_page: StubPage) -> None:
    live = fight(stub_page, "ap")
    caption = box(live.root.get_by_role("heading", name="Log", exact=True))
    line = box(live.root.get_by_role("slider", name="Moment"))
    assert caption["x"] + caption["width"] <= line["x"]
    middle = caption["y"] + caption["height"] / 2
    assert line["y"] < middle < line["y"] + line["height"]


def test_what_is_wrong_with_a_die_moves_no_column(stub_page: StubPage) -> None:
    enc = ck.Encounter("ap", seed=7)
    for name in ("Mara", "Ossik", "Vex"):
        enc.add(name, side="rebels", initiative_rating=9)
    page = stub_page.page
    page.set_viewport_size({"width": 848, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    live.root.get_by_role("radio", name="we roll at the table").check()
    live.settle()
    live.click("Start")
    dice = live.root.locator(".ck-rolls .ck-face")
    live.press("3", "Enter", "4")
    before = [box(each) for each in (*dice.all(), *live.root.locator(".ck-rolls thead th").all())]
    live.press("Enter", "9")
    expect(live.root.locator(".ck-rolls")).to_contain_text("9 is not on a d6")
    after = [box(each) for each in (*dice.all(), *live.root.locator(".ck-rolls thead th").all())]
    assert [each["x"] for each in after] == [each["x"] for each in before]
    assert [each["y"] for each in after] == [each["y"] for each in before]


def test_while_dice_of_damage_are_typed_one_button_is_the_main_one(stub_page: StubPage) -> None:
    live = fight(stub_page, "saga")
    live.tracker.encounter.table_dice = True
    live.tracker.refresh()
    live.follow()
    live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem").first.focus()
    live.press("d")
    desk = live.root.locator(".ck-desk")
    live.press(*"2d6", "Enter")
    expect(desk.get_by_role("button", name="Cancel")).to_have_count(1)
    expect(desk.locator("button.is-main")).to_have_count(1)
    live.press("Escape")
    expect(desk.get_by_role("button", name="Cancel")).to_have_count(1)
    expect(desk.locator("button.is-main")).to_have_text(re.compile("^Damage"))
