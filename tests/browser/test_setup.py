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


NAMES = ("Mara", "Guard 1", "Guard 2")


def thrown(**typed: int) -> list[dict[str, Any]]:
    """Give what Python asks of three who roll for initiative, with what is typed so far."""
    lines = []
    for side, name in enumerate(NAMES):
        face = typed.get(name.replace(" ", "_"))
        who: dict[str, Any] = {
            "name": name,
            "side": side,
            "note": "GM" if side else "",
            "plus": "+ 4 Dex + 3 level",
        }
        die = DIE | {"purpose": name, "legend": f"{name} rolls 1d20 for initiative", "who": who}
        die["sum"] = ["d20 + 4 Dex + 3 level ", {"rule": "saga.init.formula"}]
        if face is not None and face <= 20:
            who["total"] = face + 7
        elif face is not None:
            die["error"] = f"{face} is not a face of a d20. Type 1 to 20."
        lines.append(die)
    return lines


def told(page: StubPage, **typed: int) -> dict[str, Any]:
    """Answer the question for the dice of the start, and give the question."""
    allowed = {"allowed": True, "reason": []}
    return answer(page, "choices", "budget", params=[], dice=thrown(**typed), ruling=allowed)


def face(root: Locator, name: str) -> Locator:
    return root.get_by_role("row", name=name).get_by_role("textbox")


def test_dice_of_many_stand_in_one_table_and_enter_rolls_none(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views(dice="table"))
    press(root, "Start").press("Enter")
    assert told(stub_page)["rolls"] == {}
    expect(root.get_by_role("table").get_by_role("row")).to_have_count(4)
    expect(face(root, "Mara")).to_be_focused()
    expect(face(root, "Mara")).to_have_accessible_name("Mara rolls 1d20 for initiative: Face of the d20")
    expect(root).to_contain_text("0 of 3 typed")
    assert face(root, "Guard 2").bounding_box()["y"] - face(root, "Mara").bounding_box()["y"] < 2 * 40  # type: ignore[index]
    face(root, "Mara").press("2")
    face(root, "Mara").press("Enter")
    assert told(stub_page, Mara=2)["rolls"] == {"Mara": [2]}
    expect(root.get_by_role("row", name="Mara")).to_contain_text("+ 4 Dex + 3 level")
    expect(root.get_by_role("row", name="Mara").get_by_role("cell", name="9", exact=True)).to_be_visible()
    expect(face(root, "Guard 1")).to_be_focused()
    stub_page.page.keyboard.press("Enter")
    expect(face(root, "Guard 2")).to_be_focused()
    stub_page.page.keyboard.press("Shift+Enter")
    expect(face(root, "Guard 1")).to_be_focused()
    face(root, "Guard 2").press("5")
    told(stub_page, Mara=2, Guard_2=5)
    face(root, "Guard 2").press("Enter")
    expect(face(root, "Guard 1")).to_be_focused()
    for name in ("Start", "Use these"):
        press(root, name).press("Enter")
        expect(face(root, "Guard 1")).to_be_focused()
    assert intents(stub_page) == [], "what is empty is not rolled unasked"
    press(root, "Roll the other 1 for me").press("Enter")
    surprised = {"kind": "start", "surprised": ["Guard 1"]}
    assert intents(stub_page) == [surprised | {"rolls": {"Mara": [2], "Guard 2": [5]}}]


def test_with_all_dice_typed_enter_leads_to_the_button_and_start_begins(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views(dice="table"))
    press(root, "Start").press("Enter")
    told(stub_page)
    for number, name in enumerate(NAMES):
        face(root, name).press_sequentially(str(number + 2))
    told(stub_page, Mara=2, Guard_1=3, Guard_2=4)
    face(root, "Guard 2").press("Enter")
    expect(press(root, "Use these")).to_be_focused()
    assert intents(stub_page) == []
    expect(press(root, "Roll the other 1 for me")).to_have_count(0)
    press(root, "Start").press("Enter")
    rolls = {"Mara": [2], "Guard 1": [3], "Guard 2": [4]}
    assert intents(stub_page) == [{"kind": "start", "surprised": ["Guard 1"], "rolls": rolls}]


def test_a_wrong_face_is_told_in_its_line(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views(dice="table"))
    press(root, "Start").press("Enter")
    told(stub_page)
    face(root, "Guard 1").press_sequentially("23")
    told(stub_page, Guard_1=23)
    expect(face(root, "Guard 1")).to_have_attribute("aria-invalid", "true")
    expect(face(root, "Guard 1")).to_have_accessible_description("23 is not a face of a d20. Type 1 to 20.")
    face(root, "Guard 1").press("Escape")
    expect(root.get_by_role("table")).to_have_count(0)
    expect(press(root, "Start")).to_be_focused()
    press(root, "Start").press("Enter")
    told(stub_page)
    press(root, "Back").press("Enter")
    expect(root.get_by_role("table")).to_have_count(0)
    assert intents(stub_page) == []


@pytest.mark.parametrize("theme", THEMES)
def test_axe_and_pictures_of_the_dice(stub_page: StubPage, theme: Theme) -> None:
    root = mount_tracker(stub_page, setup_views(dice="table"))
    stub_page.set_theme(theme)
    press(root, "Start").press("Enter")
    told(stub_page)
    face(root, "Mara").press_sequentially("17")
    face(root, "Guard 1").press_sequentially("23")
    allowed = {"allowed": True, "reason": []}
    dice = thrown(Mara=17, Guard_1=23)
    dice[2]["who"]["name"] = LONG
    answer(stub_page, "choices", "budget", params=[], dice=dice, ruling=allowed)
    for width in WIDTHS:
        stub_page.set_width(width)
        expect(root.get_by_role("table")).to_be_visible()
        expect(press(root, "Remove Mara")).to_be_hidden()
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"setup-dice-{theme}-{width}")


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
