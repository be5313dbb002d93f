"""Setting a fight up with stub models: by hand, on the way to Start, and its dice at the table."""

from __future__ import annotations

import json
from base64 import b64decode
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
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
    """Give the form that adds somebody, with what is folded in it."""
    sheet = root.get_by_role("form", name="By hand")
    sheet.locator("details").evaluate_all("all => all.forEach(fold => fold.open = true)")
    return sheet


def type_in(sheet: Locator, name: str, side: str) -> None:
    """Type who it is and for whom they fight, and send it with Enter."""
    sheet.get_by_role("textbox", name="Name", exact=True).fill(name)
    sheet.get_by_role("combobox", name="Side").fill(side)
    sheet.get_by_role("textbox", name="Name", exact=True).press("Enter")


def test_a_fight_is_set_up(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    expect(root.get_by_role("heading", name="New fight")).to_be_visible()
    expect(root.get_by_role("list", name="Initiative ladder")).to_be_hidden()
    root.get_by_role("combobox", name="Rules").select_option("Ruleset two")
    start = press(root, "Start").bounding_box()
    assert start
    assert start["y"] < 60, "who is in is enough to begin with"
    sheet = root.get_by_role("form", name="By hand")
    sheet.get_by_role("textbox", name="Name", exact=True).fill("Guard")
    sheet.get_by_role("combobox", name="Side").fill("empire")
    sheet.get_by_role("spinbutton", name="How many").fill("3")
    sheet.get_by_role("checkbox", name="GM plays them").check()
    sheet.get_by_role("textbox", name="Name", exact=True).press("Enter")
    members = root.get_by_role("list", name="Combatants").get_by_role("listitem")
    expect(members).to_have_count(2)
    expect(root.get_by_role("combobox", name="Rules")).to_be_visible()
    expect(root.get_by_role("group", name="Undo and redo")).to_be_visible()
    expect(members.nth(1)).to_contain_text("dex 1 · level 2 · GM")
    press(root, "Remove Mara").press("Enter")
    members.nth(0).get_by_role("checkbox", name="surprised").check()
    sheet.get_by_role("textbox", name="Name", exact=True).clear()  # nothing answers here, so that it still stands there
    press(root, "Start").press("Enter")
    assert intents(stub_page) == [
        {"kind": "ruleset", "ruleset": "two"},
        {"kind": "add", "name": "Guard", "side": "empire", "npc": True, "count": 3},
        {"kind": "leave", "name": "Mara"},
        {"kind": "start", "surprised": ["Mara", "Guard 1"]},
    ]


def test_a_field_that_is_refused_is_named_by_its_label_marked_and_in_sight(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = by_hand(root)
    type_in(sheet, "Guard", "empire")
    refuse(stub_page, "add", "Guard: dex is 'nineteen'; give a number")
    field = sheet.locator('[name="dex"]')
    expect(field).to_have_attribute("aria-invalid", "true")
    expect(field).to_be_focused()
    expect(field).to_be_in_viewport()
    expect(field).to_have_accessible_description("Guard: Dexterity modifier is 'nineteen'; give a number")
    expect(root.get_by_role("status")).to_have_text("Guard: Dexterity modifier is 'nineteen'; give a number")
    field.fill("3")
    expect(field).not_to_have_attribute("aria-invalid", "true")


def test_an_empty_set_up_has_no_parts_and_cannot_start(stub_page: StubPage) -> None:
    view = setup_views()["tracker"]
    members = view["setup"]["combatants"]
    view["setup"]["combatants"] = []
    root = stub_page.mount("tracker", {"view": view, "ladder": None, "budget": None, "log": None})
    sheet = by_hand(root)
    expect(sheet).to_be_visible()
    delta(stub_page, (["setup", "combatants"], members[:1]))
    expect(root.get_by_role("list", name="Combatants").get_by_role("listitem")).to_have_count(1)
    expect(sheet).to_be_visible()
    delta(stub_page, (["setup", "combatants"], []))
    press(root, "Start").press("Enter")
    expect(root.get_by_role("status")).to_have_text("Add at least one combatant.")
    assert intents(stub_page) == []


@pytest.mark.long
def test_after_one_is_added_the_next_begins_at_the_name(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = by_hand(root)
    sheet.get_by_role("textbox", name="Name", exact=True).focus()
    for name in ("Guard", "Sentry"):
        stub_page.page.keyboard.type(name)
        sheet.get_by_role("combobox", name="Side").fill("empire")
        if name == "Guard":
            sheet.get_by_role("checkbox", name="GM plays them").check()
        sheet.get_by_role("spinbutton", name="Level").fill("3")
        sheet.get_by_role("spinbutton", name="Level").press("Enter")
        delta(stub_page, (["turn", "sub"], f"{name} is in"))
        expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_be_focused()
        expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_have_value("")
        expect(sheet.get_by_role("spinbutton", name="Level")).to_have_value("")
        expect(sheet.get_by_role("combobox", name="Side")).to_have_value("empire")
        expect(sheet.get_by_role("checkbox", name="GM plays them")).to_be_checked()
    added = {"kind": "add", "side": "empire", "npc": True, "level": 3}
    assert intents(stub_page) == [added | {"name": "Guard"}, added | {"name": "Sentry"}]


def test_a_refused_form_keeps_what_was_typed(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = by_hand(root)
    type_in(sheet, "Mara", "rebels")
    refuse(stub_page, "add", "'Mara' is already in the fight; give another name")
    expect(root.get_by_role("group", name="Result")).to_contain_text("give another name")
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_have_value("Mara")
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_be_focused()


@pytest.mark.long
def test_what_a_fight_needs_is_asked_first_and_the_rest_is_folded(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = root.get_by_role("form", name="By hand")
    expect(sheet.get_by_role("spinbutton", name="Hit points")).to_be_visible()
    expect(sheet.get_by_role("textbox", name="Feats")).to_be_hidden()
    sheet.get_by_text("More stats: dexterity modifier, 3 more").click()
    sheet.get_by_role("textbox", name="Feats").fill("Quick Draw, Dodge")
    sheet.get_by_role("textbox", name="Name", exact=True).fill("Mara")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    press(sheet, "Add").press("Enter")
    added = {"kind": "add", "name": "Mara", "side": "rebels", "feats": ["Quick Draw", "Dodge"]}
    assert intents(stub_page) == [added]


@pytest.mark.long
def test_a_number_that_cannot_be_is_shown_though_it_is_folded(stub_page: StubPage) -> None:
    views = setup_views()
    for stat in views["tracker"]["setup"]["stats"]:
        stat.pop("row", None)
    root = mount_tracker(stub_page, views)
    sheet = root.get_by_role("form", name="By hand")
    fold = sheet.get_by_text("More stats: dexterity modifier, 4 more")
    fold.click()
    sheet.get_by_role("spinbutton", name="Dexterity").fill("99")
    fold.click()
    type_in(sheet, "Mara", "rebels")
    expect(sheet.get_by_role("spinbutton", name="Dexterity")).to_be_focused()
    assert intents(stub_page) == []


def test_an_empty_name_is_asked_for_beside_its_field(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    sheet = by_hand(root)
    name = sheet.get_by_role("textbox", name="Name", exact=True)
    level = sheet.get_by_role("spinbutton", name="Level")
    level.fill("-1")
    top = level.bounding_box()
    press(sheet, "Add").press("Enter")
    expect(name).to_be_focused()
    expect(name).to_have_accessible_description("Fill this in.")
    expect(name).to_have_attribute("aria-invalid", "true")
    expect(level).to_have_accessible_description("0 or more.")
    stub_page.screenshot("setup-empty-name")
    assert level.bounding_box() == top, "nothing moves for it"
    assert stub_page.axe() == []
    press(sheet, "Add").press("Enter")
    expect(sheet.get_by_text("Fill this in.")).to_have_count(1)
    name.fill("Guard")
    expect(name).not_to_have_attribute("aria-invalid", "true")
    expect(sheet.get_by_text("Fill this in.")).to_have_count(0)
    sheet.get_by_role("combobox", name="Side").fill("empire")
    level.fill("9")
    press(sheet, "Add").press("Enter")
    assert intents(stub_page) == [{"kind": "add", "name": "Guard", "side": "empire", "level": 9}]


def test_somebody_is_edited_where_they_stand(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    press(root, "Edit Mara").press("Enter")
    sheet = root.get_by_role("form", name="Edit Mara")
    level = sheet.get_by_role("spinbutton", name="Level")
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_be_focused()
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_have_value("Mara")
    expect(sheet.get_by_role("combobox", name="Side")).to_have_value("rebels")
    expect(level).to_have_value("6")
    stub_page.screenshot("setup-edit")
    assert stub_page.axe() == []
    level.fill("7")
    sheet.get_by_role("spinbutton", name="Dexterity").fill("")
    level.press("Enter")
    assert intents(stub_page) == [{"kind": "edit", "name": "Mara", "dex": None, "level": 7}]
    refuse(stub_page, "edit", "level is too high")
    expect(root.get_by_role("group", name="Result")).to_contain_text("level is too high")
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


WEAPONS: dict[str, Any] = {
    "id": "weapons",
    "title": "Weapons",
    "type": "rows",
    "parts": [["name", "Name", "text"], ["damage", "Damage", "dice"], ["attack", "Attack bonus", "int"]],
    "default": [],
    "min": None,
    "max": None,
    "vital": False,
    "first": True,
    "row": True,
    "example": "spear +6, 1d8+1",
}
BLASTER = {"name": "Blaster", "damage": "3d8", "attack": 9}


def armed_views() -> dict[str, Any]:
    """Give a set-up whose rules have weapons; Mara has a blaster, and is not surprised."""
    views = setup_views()
    views["tracker"]["setup"]["stats"].append(WEAPONS)
    views["tracker"]["setup"]["combatants"][0]["stats"] |= {"weapons": [BLASTER]}
    return views


def box(form: Locator, part: str, number: int) -> Locator:
    return form.get_by_role("textbox", name=f"{part} of weapon {number}")


def test_an_attack_is_typed_before_the_start_and_what_cannot_be_read_is_said_beside_it(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, armed_views())
    sheet = root.get_by_role("form", name="By hand")
    sheet.get_by_role("textbox", name="Name", exact=True).fill("Vex")
    sheet.get_by_role("combobox", name="Side").fill("empire")
    attack = sheet.get_by_role("textbox", name="Attack")
    expect(attack).to_have_attribute("placeholder", "spear +6, 1d8+1")
    attack.fill("Blade, 2, 3, 4, 5")
    attack.press("Enter")
    sent = {"kind": "add", "name": "Vex", "side": "empire"}
    assert intents(stub_page) == [sent | {"weapons": "Blade, 2, 3, 4, 5"}]
    refuse(stub_page, "add", "Vex: weapons holds 'Blade, 2, 3, 4, 5'; give name, damage, attack")
    expect(attack).to_be_focused()
    expect(attack).to_have_accessible_description("Vex: Attack holds 'Blade, 2, 3, 4, 5'; give name, damage, attack")
    stub_page.screenshot("setup-weapons")
    assert stub_page.axe() == []
    attack.fill("Blade \u22121, 2d6+2; Club")
    attack.press("Enter")
    assert intents(stub_page)[1:] == [sent | {"weapons": "Blade \u22121, 2d6+2; Club"}]
    delta(stub_page, (["turn", "sub"], "Vex is in"))
    expect(attack).to_have_value("")
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_be_focused()


def test_name_side_and_weapons_are_edited_where_they_stand(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, armed_views())
    press(root, "Edit Mara").press("Enter")
    sheet = root.get_by_role("form", name="Edit Mara")
    expect(box(sheet, "Damage", 1)).to_have_value("3d8")
    press(sheet, "Save").press("Enter")
    assert intents(stub_page) == [], "what is as it was is not sent"
    press(root, "Edit Mara").press("Enter")
    box(sheet, "Attack bonus", 1).fill("10")
    box(sheet, "Attack bonus", 1).press("Enter")
    armed = {"weapons": [BLASTER | {"attack": 10}]}
    assert intents(stub_page) == [{"kind": "edit", "name": "Mara", **armed}]
    refuse(stub_page, "edit", "attack is too high")
    sheet.get_by_role("textbox", name="Name", exact=True).fill("Marra")
    sheet.get_by_role("combobox", name="Side").fill("empire")
    press(sheet, "Save").press("Enter")
    assert intents(stub_page)[1:] == [{"kind": "sheet", "name": "Mara", "called": "Marra", "side": "empire", **armed}]
    members = armed_views()["tracker"]["setup"]["combatants"]
    delta(stub_page, (["setup", "combatants"], [members[0] | {"name": "Marra", "side": 1}, members[1]]))
    expect(sheet).to_have_count(0)
    expect(press(root, "Edit Marra")).to_be_focused()


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
    face = root.get_by_role("textbox", name="Number on the d20")
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
            die["error"] = f"{face} is not on a d20. Type 1 to 20."
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
    expect(face(root, "Mara")).to_have_accessible_name("Mara rolls 1d20 for initiative: Number on the d20")
    expect(root).to_contain_text("0 of 3 typed")
    expect(root.get_by_role("button", name="Rules: Dice")).to_have_text("§")
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
    press(root, "Start").press("Enter")
    expect(face(root, "Guard 1")).to_be_focused()
    assert intents(stub_page) == [], "what is empty is not rolled unasked"
    press(root, "Roll the rest").press("Enter")
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
    expect(root.locator(".ck-call .is-main")).to_be_focused()
    assert intents(stub_page) == []
    expect(root.get_by_role("button", name="Roll")).to_have_count(0)
    press(root, "Start").first.press("Enter")
    rolls = {"Mara": [2], "Guard 1": [3], "Guard 2": [4]}
    assert intents(stub_page) == [{"kind": "start", "surprised": ["Guard 1"], "rolls": rolls}]


def test_a_wrong_face_is_told_in_its_line(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views(dice="table"))
    press(root, "Start").press("Enter")
    told(stub_page)
    face(root, "Guard 1").press_sequentially("23")
    told(stub_page, Guard_1=23)
    expect(face(root, "Guard 1")).to_have_attribute("aria-invalid", "true")
    expect(face(root, "Guard 1")).to_have_accessible_description("23 is not on a d20. Type 1 to 20.")
    face(root, "Guard 1").press("Escape")
    expect(root.get_by_role("table")).to_have_count(0)
    expect(press(root, "Start")).to_be_focused()
    press(root, "Start").press("Enter")
    told(stub_page)
    press(root, "Back").press("Enter")
    expect(root.get_by_role("table")).to_have_count(0)
    assert intents(stub_page) == []


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
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
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"setup-dice-{theme}-{width}")


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
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


STOCK: dict[str, Any] = {
    "rows": [
        {"name": "Dock guard", "source": "kit", "says": "dex 1, level 2, hp 16"},
        {"name": LONG, "source": "wall.csv", "says": "level 5, hp 34"},
    ],
    "parties": [{"name": "Night crew", "source": "Night crew.saga.toml", "says": "Mara, Ossik"}],
    "found": 2,
    "others": 3,
    "scenes": [["catwalk", "Catwalk"], ["bridge", "Bridge"]],
}


def empty(**changes: object) -> dict[str, Any]:
    """Give the views of a fight nobody is in yet."""
    views = setup_views(**changes)
    setup = views["tracker"]["setup"]
    setup["combatants"] = []
    del setup["foes"]
    return views


def with_stock(page: StubPage, views: dict[str, Any]) -> Locator:
    """Show a set-up whose shelf has answered."""
    root = mount_tracker(page, views)
    assert answer(page, "shelf", **STOCK)["text"] == ""
    expect(root.get_by_role("list", name="Found").get_by_role("listitem")).to_have_count(3)
    return root


def test_a_creature_is_found_and_added_with_enter(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    search = root.get_by_role("searchbox", name="Find a creature")
    search.fill("long")
    stub_page.wait_until(lambda: stub_page.wait_for_sent("shelf")["text"] == "long")
    answer(stub_page, "shelf", **{**STOCK, "rows": STOCK["rows"][1:], "parties": [], "found": 1})
    found = root.get_by_role("list", name="Found").get_by_role("listitem")
    expect(found).to_have_count(1)
    expect(root.get_by_role("status")).to_have_text("1 found.")
    expect(found).to_contain_text("level 5, hp 34 · wall.csv")
    search.press("Enter")
    expect(search).to_be_focused()
    taken = {"kind": "take", "name": LONG, "source": "wall.csv", "side": "empire", "count": 1}
    assert intents(stub_page) == [taken], "on the side of the last that the GM plays"
    refuse(stub_page, "take", "no room")
    expect(root).to_contain_text("no room")


def test_the_rest_of_the_shelf_is_listed_by_a_button(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    root.get_by_role("searchbox", name="Find a creature").fill("a")
    stub_page.wait_until(lambda: stub_page.wait_for_sent("shelf")["text"] == "a")
    answer(stub_page, "shelf", **{**STOCK, "parties": [], "rows": STOCK["rows"][:1], "found": len(STOCK["rows"])})
    press(root, f"{len(STOCK['rows']) - 1} more").press("Enter")
    stub_page.wait_until(lambda: stub_page.wait_for_sent("shelf").get("all") is True)
    answer(stub_page, "shelf", **{**STOCK, "parties": [], "found": len(STOCK["rows"])})
    expect(root.get_by_role("list", name="Found").get_by_role("listitem")).to_have_count(len(STOCK["rows"]))
    expect(press(root, f"Add 1 {STOCK['rows'][1]['name']}")).to_be_focused()


def test_enter_waits_for_what_was_typed_to_be_found(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    search = root.get_by_role("searchbox", name="Find a creature")
    search.fill("lo")
    search.fill("long")
    search.press("Enter")
    assert intents(stub_page) == [], "the first of the list before is not meant"
    answer(stub_page, "shelf", **{**STOCK, "rows": STOCK["rows"][1:], "parties": [], "found": 1})
    stub_page.wait_until(lambda: bool(intents(stub_page)))
    assert [(each["kind"], each["name"]) for each in intents(stub_page)] == [("take", LONG)]


@pytest.mark.long
def test_how_many_and_on_which_side_is_said_first(stub_page: StubPage) -> None:
    root = with_stock(stub_page, empty())
    expect(root.get_by_role("combobox", name="On side")).to_have_value("foes")
    root.get_by_role("combobox", name="On side").fill("harbour")
    for step in ("more", "more", "fewer", "more"):
        press(root, f"One {step} Dock guard").press("Enter")
    press(root, "Add 3 Dock guard").press("Enter")
    press(root, "Add all of Night crew").press("Enter")
    assert intents(stub_page) == [
        {"kind": "take", "name": "Dock guard", "source": "kit", "side": "harbour", "count": 3},
        {"kind": "take", "source": "Night crew.saga.toml"},
    ]
    expect(press(root, "Add 1 Dock guard")).to_be_visible()
    expect(root).to_contain_text("3 for other rules")


def test_an_empty_fight_begins_with_a_scene(stub_page: StubPage) -> None:
    root = with_stock(stub_page, empty())
    root.get_by_role("combobox", name="Or begin with a scene").select_option("Bridge")
    press(root, "Load the scene").press("Enter")
    assert intents(stub_page) == [{"kind": "scene", "scene": "bridge"}]
    delta(stub_page, (["setup", "combatants"], setup_views()["tracker"]["setup"]["combatants"]))
    expect(press(root, "Load the scene")).to_have_count(0)


@pytest.mark.long
def test_other_rules_have_other_creatures(stub_page: StubPage) -> None:
    with_stock(stub_page, setup_views())
    delta(stub_page, (["system"], "two"))
    stub_page.wait_until(lambda: len([each for each in stub_page.sent() if each["kind"] == "shelf"]) == 2)


@pytest.mark.long
def test_a_party_is_kept_and_the_foes_are_cleared(stub_page: StubPage) -> None:
    views = setup_views()
    views["tracker"]["setup"] |= {"party": "rebels", "keeps": True}
    root = with_stock(stub_page, views)
    keep, clear = (press(root, name).bounding_box() for name in ("Keep the party", "Clear the foes, keep rebels"))
    assert keep
    assert clear
    assert clear["x"] > keep["x"] + keep["width"], "two buttons, not one of two halves"
    press(root, "Clear the foes, keep rebels").press("Enter")
    press(root, "Keep the party").press("Enter")
    form = root.get_by_role("form", name="Keep the party")
    expect(form.get_by_role("combobox", name="Who")).to_have_value("rebels")
    form.get_by_role("textbox", name="Call it").fill("Night crew")
    form.get_by_role("textbox", name="Call it").press("Enter")
    assert intents(stub_page) == [
        {"kind": "clear", "side": "rebels"},
        {"kind": "keep", "name": "Night crew", "side": "rebels"},
    ]
    answer(stub_page, "keep", file="Night crew.saga.toml")
    expect(root.get_by_role("status")).to_have_text("Kept as Night crew.saga.toml.")
    expect(form).to_have_count(0)
    expect(press(root, "Keep the party")).to_be_focused()
    over = setup_views()
    card = {"title": "The heroes win", "lead": "", "faces": [], "facts": [], "dealt": [], "total": 0, "fared": []}
    over["tracker"] |= {"mode": "over", "card": card, "setup": {**over["tracker"]["setup"], "party": "rebels"}}
    press(mount_tracker(stub_page, over), "New fight, heroes as they are: clear the foes, keep rebels").press("Enter")
    assert intents(stub_page) == [{"kind": "clear", "side": "rebels", "rested": False}]


REVIEW: dict[str, Any] = {
    "file": "docks.json",
    "title": "Foundry actors",
    "found": 4,
    "more": 0,
    "keeps": True,
    "rows": [
        {
            "row": 0,
            "name": "Captain Dray",
            "side": "foes",
            "count": 1,
            "says": "hp 30, defense 16",
            "unused": "12 skills, 5 abilities, portrait",
            "left": ["skills: climb, jump (only Initiative is part of a stat)"],
            "more": 36,
            "unread": ["melee “Club (2d6)”: it isn't a name, a bonus and dice"],
            "asks": [],
        },
        {
            "row": 1,
            "name": HOSTILE,
            "side": "foes",
            "count": 3,
            "says": "hp 16",
            "unused": "",
            "left": [],
            "more": 0,
            "unread": [],
            "asks": [
                {"stat": "dex", "title": "Dexterity", "why": "the file does not say", "proposed": "2", "open": True},
                {"stat": "weapons", "title": "Weapons", "why": "no attack found", "proposed": None, "open": False},
            ],
        },
    ],
}


def choose(page: StubPage, root: Locator, name: str, content: bytes) -> None:
    """Choose a file."""
    with page.page.expect_file_chooser() as chooser:
        press(root, "Choose a file").click()
    chooser.value.set_files({"name": name, "mimeType": "application/json", "buffer": content})


def test_a_file_is_sent_in_pieces_reviewed_and_then_added(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    choose(stub_page, root, "docks.json", b"x" * 25_000)
    come = b""
    for at in (0, 11_000, 22_000):
        stub_page.wait_until(lambda at=at: stub_page.wait_for_sent("file")["at"] == at)  # type: ignore[misc]
        piece = stub_page.wait_for_sent("file")
        assert piece["size"] == 25_000
        assert len(json.dumps(piece)) < 16 * 1024
        come += b64decode(piece["data"])
        done = len(come) == 25_000
        whole: dict[str, Any] = {"review": REVIEW} if done else {}
        answer(stub_page, "file", None, at=len(come), **whole)
    assert come == b"x" * 25_000
    review = root.get_by_role("form", name="Review of docks.json")
    expect(root.get_by_role("status")).to_have_text("docks.json: 4 found. Nothing is added until you say so.")
    expect(press(review, "Add 4")).to_be_focused()
    assert [each["kind"] for each in intents(stub_page)] == ["file"] * 3, "nothing is added without a review"
    result = root.get_by_role("group", name="Result")
    expect(result).to_contain_text("docks.json holds 4 for these rules; all are ticked.")
    expect(review).to_contain_text("Could not read")
    expect(review.get_by_text("Club (2d6)")).to_be_visible()
    review.get_by_text("12 skills, 5 abilities, portrait").click()
    expect(review.get_by_text("skills: climb, jump")).to_be_visible()
    expect(review.get_by_text("36 more", exact=True)).to_be_visible()
    expect(review).to_contain_text("Weapons: no attack found")
    expect(review.get_by_text("2 of 2 ticked")).to_be_visible()
    press(review, "None").press("Enter")
    expect(result).to_contain_text("none are ticked")
    expect(press(review, "Add 0")).to_be_visible()
    press(review, "All").press("Enter")
    review.get_by_role("checkbox", name="Captain Dray").uncheck()
    expect(review.get_by_text("1 of 2 ticked")).to_be_visible()
    expect(press(review, "Add 3")).to_be_visible()
    review.get_by_role("textbox", name=f"Side of {HOSTILE}").fill("empire")
    review.get_by_role("textbox", name=f"Dexterity of {HOSTILE}").fill("3")
    review.get_by_role("textbox", name=f"Dexterity of {HOSTILE}").press("Enter")
    assert intents(stub_page)[-1] == {"kind": "bring", "rows": [{"row": 1, "side": "empire", "given": {"dex": "3"}}]}
    refuse(stub_page, "bring", "dex is too high")
    expect(root.get_by_role("group", name="Result")).to_contain_text("dex is too high")
    review.get_by_role("textbox", name=f"Name of {HOSTILE}").fill("Sentry")
    review.get_by_role("checkbox", name="Keep them on the shelf too").check()
    press(review, "Add 3").press("Enter")
    named = {"row": 1, "side": "empire", "given": {"name": "Sentry", "dex": "3"}}
    assert intents(stub_page)[-1] == {"kind": "bring", "rows": [named], "keep": True}
    delta(stub_page, (["turn", "sub"], "3 in"))
    expect(review).to_have_count(0)
    expect(press(root, "Choose a file")).to_be_focused()


def test_a_file_that_is_no_use_says_why_where_all_is_said(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    result = root.get_by_role("group", name="Result")
    choose(stub_page, root, "much.json", b"x" * ((1 << 20) + 1))
    expect(result).to_contain_text("much.json has 1,048,577 bytes; give a file of 1 to 1,048,576 bytes.")
    choose(stub_page, root, "none.json", b"")
    expect(result).to_contain_text("none.json is empty; give a file of 1 to 1,048,576 bytes.")
    assert intents(stub_page) == []
    choose(stub_page, root, "odd.json", b"{}")
    refuse(stub_page, "file", "odd.json comes from no tool known here")
    expect(result).to_contain_text("odd.json comes from no tool known here")
    expect(root.get_by_role("status")).to_have_text("odd.json comes from no tool known here")


PASTE = """(el, text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData("text/plain", text);
    return !el.dispatchEvent(new ClipboardEvent("paste", { clipboardData, bubbles: true, cancelable: true }));
}"""
DROP = """el => {
    const dataTransfer = new DataTransfer();
    dataTransfer.items.add(new File(["{}"], "docks.json"));
    const event = kind => new DragEvent(kind, { dataTransfer, bubbles: true, cancelable: true });
    return ["dragover", "drop"].map(kind => !el.dispatchEvent(event(kind)));
}"""


def test_rows_of_a_sheet_are_pasted_and_files_dropped_anywhere(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    name = by_hand(root).get_by_role("textbox", name="Name", exact=True)
    for words in ("Mara", "Mara\tSolo", "one line\n", "Mara\nOssik"):
        assert name.evaluate(PASTE, words) is False, "that is a name, and no table"
    rows = "Name\tHP\r\nKobold\t4\r\nÖgre\t30\r\n"
    assert name.evaluate(PASTE, rows) is True
    sent = stub_page.wait_for_sent("file")
    assert (sent["name"], b64decode(sent["data"]).decode()) == ("pasted rows.txt", rows)
    answer(stub_page, "file", at=sent["size"], review={**REVIEW, "file": "pasted rows.txt"})
    review = root.get_by_role("form", name="Review of pasted rows.txt")
    expect(press(review, "Add 4")).to_be_focused()
    assert review.get_by_role("list").evaluate("el => el.scrollTop") == 0
    stub_page.page.keyboard.press("Escape")
    expect(review).to_have_count(0)
    for where in (".ck-clock", ".ck-res", '[aria-label="Combatants"]', ".ck-hand"):
        before = len(intents(stub_page))
        assert root.locator(where).first.evaluate(DROP) == [True, True]
        stub_page.wait_until(lambda before=before: len(intents(stub_page)) > before)  # type: ignore[misc]
        assert intents(stub_page)[-1]["name"] == "docks.json"


def test_a_saved_copy_is_offered_and_played_on(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    choose(stub_page, root, "friday.fight", b"x")
    copy = {"file": "friday.fight", "says": "Ruleset one: Round 3, Mara's turn, 8 combatants", "leaves": True}
    answer(stub_page, "file", at=1, copy=copy)
    told = root.get_by_role("group", name="Saved fight friday.fight")
    expect(told).to_contain_text("Round 3, Mara's turn, 8 combatants")
    expect(root.get_by_role("status")).to_contain_text("friday.fight is a saved fight.")
    stub_page.page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    choose(stub_page, root, "friday.fight", b"x")
    answer(stub_page, "file", at=1, copy=copy)
    play = press(told, "Drop it and play the saved one")
    expect(play).to_be_focused()
    play.press("Enter")
    assert intents(stub_page)[-1] == {"kind": "open", "leave": True}


@pytest.mark.long
def test_of_two_files_the_later_counts_and_one_can_be_put_away(stub_page: StubPage) -> None:
    root = with_stock(stub_page, setup_views())
    choose(stub_page, root, "first.json", b"1")
    first = stub_page.wait_for_sent("file")
    choose(stub_page, root, "docks.json", b"2")
    stub_page.wait_until(lambda: stub_page.wait_for_sent("file")["name"] == "docks.json")
    answer(stub_page, "file", at=1, review=REVIEW)
    stub_page.deliver({"kind": "file", "id": first["id"], "at": 1, "review": {**REVIEW, "file": "first.json"}})
    expect(root.get_by_role("form", name="Review of docks.json")).to_be_visible()
    press(root, "Not now").press("Enter")
    expect(root.get_by_role("form", name="Review")).to_have_count(0)
    expect(press(root, "Choose a file")).to_be_focused()


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures_of_shelf_and_review(stub_page: StubPage, theme: Theme) -> None:
    views = setup_views()
    views["tracker"]["setup"] |= {"party": "rebels", "keeps": True}
    root = with_stock(stub_page, views)
    stub_page.set_theme(theme)
    choose(stub_page, root, "docks.json", b"{}")
    answer(stub_page, "file", at=2, review=REVIEW)
    expect(root.get_by_role("form", name="Review of docks.json")).to_be_visible()
    for width in (420, 760, 1000):
        stub_page.set_width(width)
        stub_page.screenshot(f"setup-shelf-{theme}-{width}", of=root)
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert too_small(root, 44 if width == 420 else 24) == []
    expect(root.locator("img")).to_have_count(0)


def too_small(root: Locator, least: int) -> list[Any]:
    """Give what can be pressed in the set-up and is lower than it should be, with how low."""
    script = """(el, least) => [...el.querySelectorAll(".ck-over :is(button, input, select, summary, .ck-check)")]
        .filter(each => each.checkVisibility() && !each.matches(".ck-check input"))
        .map(each => [each.ariaLabel ?? each.name ?? each.innerText, each.getBoundingClientRect().height])
        .filter(([, height]) => height < least)"""
    return list(root.evaluate(script, least))
