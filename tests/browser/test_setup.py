"""Setting a fight up with stub models: by hand, on the way to Start, and its dice at the table."""

from __future__ import annotations

import json
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import StubPage, Theme
from tests.browser.widget_views import (
    DIE,
    HOSTILE,
    THEMES,
    WIDTHS,
    answer,
    delta,
    focused,
    intents,
    mount_tracker,
    press,
    refuse,
    setup_views,
)

LONG = "Gate guard, veteran of the northern customs house, 3rd watch."
"""A name of 60 characters."""


def by_hand(root: Locator) -> Locator:
    """Open the form that adds somebody, and give it."""
    press(root, "By hand").press("Enter")
    return root.get_by_role("form", name="By hand")


def test_a_fight_is_set_up(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    expect(root.get_by_role("heading", name="New fight")).to_be_visible()
    expect(root.get_by_role("list", name="Initiative ladder")).to_be_hidden()
    root.get_by_role("combobox", name="Rules").select_option("Ruleset two")
    start = press(root, "Start").bounding_box()
    assert start
    assert start["y"] < 60, "who is in is enough to begin with"
    expect(press(root, "By hand")).to_have_attribute("aria-expanded", "false")
    sheet = by_hand(root)
    expect(sheet.get_by_role("textbox", name="Name")).to_be_focused()
    sheet.get_by_role("textbox", name="Name").fill("Guard")
    sheet.get_by_role("combobox", name="Side").fill("empire")
    sheet.get_by_role("spinbutton", name="How many").fill("3")
    sheet.get_by_role("checkbox", name="GM plays them").check()
    sheet.get_by_role("textbox", name="Name").press("Enter")
    members = root.get_by_role("list", name="Combatants").get_by_role("listitem")
    expect(members).to_have_count(2)
    expect(members.nth(1)).to_contain_text("dex 1 · level 2 · GM")
    press(root, "Remove Mara").press("Enter")
    members.nth(0).get_by_role("checkbox", name="surprised").check()
    press(root, "Start").press("Enter")
    assert intents(stub_page) == [
        {"kind": "ruleset", "ruleset": "two"},
        {"kind": "add", "name": "Guard", "side": "empire", "npc": True, "count": 3},
        {"kind": "leave", "name": "Mara"},
        {"kind": "start", "surprised": ["Mara", "Guard 1"]},
    ]


def test_an_empty_set_up_has_no_parts_and_cannot_start(stub_page: StubPage) -> None:
    view = setup_views()["tracker"]
    members = view["setup"]["combatants"]
    view["setup"]["combatants"] = []
    root = stub_page.mount("tracker", {"view": view, "ladder": None, "budget": None, "log": None})
    sheet = root.get_by_role("form", name="By hand")
    expect(sheet).to_be_visible()
    delta(stub_page, (["setup", "combatants"], members[:1]))
    expect(root.get_by_role("list", name="Combatants").get_by_role("listitem")).to_have_count(1)
    expect(sheet).to_be_visible()
    delta(stub_page, (["setup", "combatants"], []))
    press(root, "Start").press("Enter")
    expect(root.get_by_role("status")).to_have_text("Add at least one combatant.")
    assert intents(stub_page) == []


def test_after_one_is_added_the_next_begins_at_the_name(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = by_hand(root)
    for name in ("Guard", "Sentry"):
        stub_page.page.keyboard.type(name)
        sheet.get_by_role("combobox", name="Side").fill("empire")
        if name == "Guard":
            sheet.get_by_role("checkbox", name="GM plays them").check()
        sheet.get_by_role("spinbutton", name="Level").fill("3")
        sheet.get_by_role("spinbutton", name="Level").press("Enter")
        delta(stub_page, (["turn", "sub"], f"{name} is in"))
        expect(sheet.get_by_role("textbox", name="Name")).to_be_focused()
        expect(sheet.get_by_role("textbox", name="Name")).to_have_value("")
        expect(sheet.get_by_role("spinbutton", name="Level")).to_have_value("")
        expect(sheet.get_by_role("combobox", name="Side")).to_have_value("empire")
        expect(sheet.get_by_role("checkbox", name="GM plays them")).to_be_checked()
    added = {"kind": "add", "side": "empire", "npc": True, "level": 3}
    assert intents(stub_page) == [added | {"name": "Guard"}, added | {"name": "Sentry"}]


def test_a_refused_form_keeps_what_was_typed(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = by_hand(root)
    sheet.get_by_role("textbox", name="Name").fill("Mara")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    sheet.get_by_role("textbox", name="Name").press("Enter")
    refuse(stub_page, "add", "'Mara' is in the fight already; give another name")
    expect(sheet).to_contain_text("give another name")
    expect(sheet.get_by_role("textbox", name="Name")).to_have_value("Mara")
    expect(sheet.get_by_role("textbox", name="Name")).to_be_focused()


def test_what_a_fight_needs_is_asked_first_and_the_rest_is_folded(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = by_hand(root)
    expect(sheet.get_by_role("spinbutton", name="Hit points")).to_be_visible()
    expect(sheet.get_by_role("textbox", name="Feats")).to_be_hidden()
    sheet.get_by_text("More stats: feats, 1 more").click()
    sheet.get_by_role("textbox", name="Feats").fill("Quick Draw, Dodge")
    sheet.get_by_role("textbox", name="Name").fill("Mara")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    press(sheet, "Add").press("Enter")
    added = {"kind": "add", "name": "Mara", "side": "rebels", "feats": ["Quick Draw", "Dodge"]}
    assert intents(stub_page) == [added]


def test_a_number_that_cannot_be_is_shown_though_it_is_folded(stub_page: StubPage) -> None:
    views = setup_views()
    for stat in views["tracker"]["setup"]["stats"]:
        stat.pop("first", None)
    root = mount_tracker(stub_page, views)
    sheet = by_hand(root)
    fold = sheet.get_by_text("More stats: dexterity modifier, 4 more")
    fold.click()
    sheet.get_by_role("spinbutton", name="Dexterity").fill("99")
    fold.click()
    sheet.get_by_role("textbox", name="Name").fill("Mara")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    sheet.get_by_role("textbox", name="Name").press("Enter")
    expect(sheet.get_by_role("spinbutton", name="Dexterity")).to_be_focused()
    assert intents(stub_page) == []


def test_somebody_is_edited_where_they_stand(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    press(root, "Edit Mara").press("Enter")
    sheet = root.get_by_role("form", name="Edit Mara")
    level = sheet.get_by_role("spinbutton", name="Level")
    expect(sheet.get_by_role("spinbutton", name="Dexterity")).to_be_focused()
    expect(level).to_have_value("6")
    expect(sheet.get_by_role("textbox", name="Name")).to_have_count(0)
    stub_page.screenshot("setup-edit")
    assert stub_page.axe() == []
    level.fill("7")
    sheet.get_by_role("spinbutton", name="Dexterity").fill("")
    level.press("Enter")
    assert intents(stub_page) == [{"kind": "edit", "name": "Mara", "dex": None, "level": 7}]
    refuse(stub_page, "edit", "level is too high")
    expect(sheet).to_contain_text("level is too high")
    press(sheet, "Save").press("Enter")
    delta(stub_page, (["turn", "sub"], "changed"))
    expect(sheet).to_have_count(0)
    assert focused(stub_page) == "Edit Mara"
    press(root, "Edit Guard 1").press("Enter")
    other = root.get_by_role("form", name="Edit Guard 1")
    press(other, "Save").press("Enter")
    expect(other).to_have_count(0)
    press(root, "Edit Guard 1").press("Enter")
    other.get_by_role("spinbutton", name="Level").press("Escape")
    assert focused(stub_page) == "Edit Guard 1"
    assert len(intents(stub_page)) == 2, "what is as it was is not sent"


def test_initiative_dice_of_the_table(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views(dice="table"))
    press(root, "Start").press("Enter")
    question = answer(stub_page, "choices", "budget", params=[], dice=[DIE], ruling={"allowed": True, "reason": []})
    assert question | {"id": 0} == {
        "kind": "choices",
        "id": 0,
        "name": None,
        "action": "start",
        "params": {"surprised": ["Guard 1"]},
        "rolls": {},
    }
    face = root.get_by_role("textbox", name="Face of the d20")
    expect(face).to_be_focused()
    face.press_sequentially("17")
    total = DIE | {"sum": ["17 + 7 = 24"]}
    answer(stub_page, "choices", "budget", params=[], dice=[total], ruling={"allowed": True, "reason": []})
    expect(root.get_by_text("17 + 7 = 24")).to_be_visible()
    stub_page.screenshot("tracker-initiative-dice")
    face.press("Enter")
    assert intents(stub_page) == [{"kind": "start", "surprised": ["Guard 1"], "rolls": {"Mara": [17]}}]


def test_enter_goes_to_the_next_die_and_rolls_none(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views(dice="table"))
    dice = [{**DIE, "purpose": name, "legend": f"{name} rolls 1d20"} for name in ("Mara", "Guard 1", "Guard 2")]

    def told(rolls: int) -> None:
        question = answer(stub_page, "choices", "budget", params=[], dice=dice, ruling={"allowed": True, "reason": []})
        assert len(question["rolls"]) == rolls

    def face(name: str) -> Locator:
        return root.get_by_role("group", name=f"{name} rolls 1d20").get_by_role("textbox")

    press(root, "Start").press("Enter")
    told(0)
    expect(face("Mara")).to_be_focused()
    expect(press(root, "Roll for me")).to_be_visible()
    face("Mara").press("2")
    face("Mara").press("Enter")
    told(1)
    expect(face("Guard 1")).to_be_focused()
    expect(press(root, "Roll the other 2 for me")).to_be_visible()
    face("Guard 2").press("5")
    told(2)
    face("Guard 2").press("Enter")
    expect(face("Guard 1")).to_be_focused()
    press(root, "Use these").press("Enter")
    expect(face("Guard 1")).to_be_focused()
    assert intents(stub_page) == []
    stub_page.screenshot("tracker-initiative-missing")
    press(root, "Roll the other 1 for me").press("Enter")
    surprised = {"kind": "start", "surprised": ["Guard 1"]}
    assert intents(stub_page) == [surprised | {"rolls": {"Mara": [2], "Guard 2": [5]}}]


@pytest.mark.parametrize("theme", THEMES)
def test_axe_and_pictures_of_the_set_up(stub_page: StubPage, theme: Theme) -> None:
    text = json.dumps(setup_views()).replace("Mara", LONG).replace("Guard 1", HOSTILE)
    root = mount_tracker(stub_page, json.loads(text))
    stub_page.set_theme(theme)
    by_hand(root)
    press(root, f"Edit {LONG}").press("Enter")
    for width in WIDTHS:
        stub_page.set_width(width)
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        small = 44 if width == 420 else 24
        assert too_small(root, small) == []
        stub_page.screenshot(f"setup-{theme}-{width}")
    expect(root.locator("img")).to_have_count(0)


def too_small(root: Locator, least: int) -> list[Any]:
    """Give what can be pressed in the set-up and is lower than it should be, with how low."""
    script = """(el, least) => [...el.querySelectorAll(".ck-over :is(button, input, select, summary, .ck-check)")]
        .filter(each => each.checkVisibility() && !each.matches(".ck-check input"))
        .map(each => [each.ariaLabel ?? each.name ?? each.innerText, each.getBoundingClientRect().height])
        .filter(([, height]) => height < least)"""
    return list(root.evaluate(script, least))
