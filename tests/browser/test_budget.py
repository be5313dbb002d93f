"""The action budget with a stub model."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import (
    FIGHTS,
    HOSTILE,
    THEMES,
    WIDTHS,
    answer,
    delta,
    fight,
    focused,
    intents,
    refuse,
)

ALLOWED = {"allowed": True, "reason": []}
TARGETS = {
    "id": "target",
    "title": "Attack whom?",
    "type": "one",
    "required": True,
    "values": [
        {"value": "Guard 1", "label": [{"side": 1}, "Guard 1", {"quiet": "Close"}]},
        {"value": "Guard 2", "label": [{"side": 1}, "Guard 2", {"quiet": "Short"}]},
    ],
    "no": [
        {
            "why": ["Vex: beyond this weapon's range. ", {"rule": "d6.act.attack.range"}],
            "values": [{"value": "Vex", "label": ["Vex", {"quiet": "Extreme"}]}],
        }
    ],
}
ATTACK_DIE = {"purpose": "attack", "legend": "Mara rolls 1d20 to hit Guard 2", "sides": [20], "sum": [], "error": ""}


def choices(page: StubPage, *params: object, dice: list[Any] | None = None, ruling: object = None) -> dict[str, Any]:
    """Answer the last question for an action's choices."""
    return answer(page, "choices", params=list(params), dice=dice or [], ruling=ruling or ALLOWED)


def act(root: Locator, name: str) -> Locator:
    """Give the button of an action."""
    return root.get_by_role("button", name=name, exact=True)


def open_to_all() -> dict[str, Any]:
    """Give a budget in which nothing standard is refused."""
    view: dict[str, Any] = fight()["budget"]
    fold = view["folds"].pop(0)
    view["group"]["usual"]["actions"] += view["group"].pop(fold)["actions"]
    del view["action"]["attack"]["off"]
    return view


def test_shows_slots_actions_costs_and_refusals(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    expect(root.get_by_role("group", name="Action budget: Mara")).to_be_visible()
    move = root.get_by_role("meter", name="Move", exact=True)
    expect(move).to_have_attribute("aria-valuenow", "1")
    expect(move).to_have_attribute("aria-valuemax", "1")
    expect(root.get_by_role("meter")).to_have_count(4)
    expect(root.get_by_text("∞")).to_be_visible()
    attack = act(root, "Attack")
    expect(attack).to_have_attribute("aria-disabled", "true")
    expect(attack).to_contain_text("standard spent")
    line = act(root, "4 more: Spent on Attack, event 43.")
    expect(line).to_have_attribute("aria-expanded", "false")
    expect(act(root, "Force power")).to_have_count(0)
    line.press("Enter")
    expect(line).to_have_attribute("aria-expanded", "true")
    expect(act(root, "Force power")).to_have_attribute("aria-disabled", "true")
    expect(act(root, "Speak")).to_have_count(0)
    act(root, "6 more Mara can do now").click()
    expect(act(root.get_by_role("group", name="Free", exact=True), "Speak")).to_be_visible()
    expect(attack).to_have_accessible_description("Spent on Attack, event 43.")
    expect(act(root, "Second wind")).to_contain_text("1 of 3")
    expect(act(root, "Second wind")).not_to_have_attribute("aria-disabled", "true")


def test_progress_across_turns(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight("points")["budget"]})
    bar = root.get_by_role("progressbar", name="Bind the ward")
    expect(bar).to_have_attribute("aria-valuenow", "3")
    expect(bar).to_have_attribute("aria-valuemax", "5")


def test_an_action_is_done_and_takes_the_note_along(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    act(root, "Climb").press("Enter")
    act(root, "Move").press("Shift+Enter")
    choices(stub_page)
    root.get_by_role("textbox", name="Note").fill("up the gantry")
    root.get_by_role("form", name="Move: Mara").get_by_role("button", name="Move").click()
    assert [each for each in intents(stub_page) if each["kind"] == "do"] == [
        {"kind": "do", "name": "Mara", "action": "climb", "params": {}},
        {"kind": "do", "name": "Mara", "action": "move", "params": {}, "note": "up the gantry"},
    ]
    expect(act(root, "Move")).to_be_focused()


def test_the_second_press_of_a_double_click_and_a_held_key_do_nothing(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    act(root, "Climb").dblclick()
    act(root, "Move").focus()
    stub_page.page.keyboard.down("Enter")
    stub_page.page.keyboard.down("Enter")
    stub_page.page.keyboard.up("Enter")
    assert [each["action"] for each in intents(stub_page)] == ["climb", "move"]


def test_a_refused_action_sends_nothing_and_repeats_its_reason(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    attack = act(root, "Attack")
    attack.focus()
    stub_page.page.keyboard.press("Enter")
    expect(root.get_by_role("status")).to_have_text("Attack: Spent on Attack, event 43.")
    expect(attack).to_be_focused()
    assert intents(stub_page) == []
    expect(attack).to_have_attribute("aria-expanded", "true")
    stub_page.page.keyboard.press("Enter")
    expect(attack).not_to_have_attribute("aria-expanded", "true")


def test_the_gm_overrules(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    act(root, "Attack").press("Enter")
    root.get_by_role("checkbox", name="GM allows it").press("Space")
    question = choices(stub_page, TARGETS, ruling={"allowed": False, "reason": ["Spent."]})
    assert question["override"] is True
    stub_page.screenshot("budget-overrule")
    act(root, "Vex Extreme").press("Enter")
    assert intents(stub_page)[-1] == {
        "kind": "do",
        "name": "Mara",
        "action": "attack",
        "params": {"target": "Vex"},
        "override": True,
    }


def test_a_target_is_asked_in_place(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    attack = act(root, "Attack")
    expect(attack).to_have_attribute("aria-expanded", "false")
    attack.press("Enter")
    assert choices(stub_page, TARGETS) | {"id": 0} == {
        "kind": "choices",
        "id": 0,
        "name": "Mara",
        "action": "attack",
        "params": {},
        "rolls": {},
        "propose": True,
    }
    expect(attack).to_have_attribute("aria-expanded", "true")
    expect(act(root, "Guard 1 Close")).to_be_focused()
    act(root, "1 can't be chosen").click()
    vex = act(root, "Vex Extreme")
    expect(vex).to_have_attribute("aria-disabled", "true")
    expect(vex).to_have_accessible_description("Vex: beyond this weapon's range. Rule d6.act.attack.range")
    stub_page.screenshot("budget-targets")
    assert stub_page.axe() == []
    vex.press("Enter")
    expect(root.get_by_role("status")).to_have_text("Vex: beyond this weapon's range.")
    stub_page.page.keyboard.press("Escape")
    expect(vex).to_have_count(0)
    expect(attack).to_be_focused()
    expect(attack).to_have_attribute("aria-expanded", "false")
    attack.press("Enter")
    choices(stub_page, TARGETS)
    act(root, "Guard 2 Short").press("Enter")
    assert intents(stub_page)[-1] == {"kind": "do", "name": "Mara", "action": "attack", "params": {"target": "Guard 2"}}
    expect(attack).to_be_focused()
    expect(vex).to_have_count(0)


def test_an_answer_that_comes_late_opens_nothing_that_was_closed(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    attack, ready = act(root, "Attack"), act(root, "Ready")

    def answer_late(params: list[Any]) -> None:
        for question in stub_page.sent():
            content = {"kind": "choices", "id": question["id"], "params": params, "dice": [], "ruling": ALLOWED}
            stub_page.deliver(content)

    attack.click()
    stub_page.page.keyboard.press("Escape")
    expect(attack).to_be_focused()
    answer_late([TARGETS])
    expect(attack).to_have_attribute("aria-expanded", "false")
    attack.click()
    attack.click()
    answer_late([TARGETS])
    expect(act(root, "Guard 1 Close")).to_be_visible()
    stub_page.page.keyboard.press("Escape")
    expect(attack).to_have_attribute("aria-expanded", "false")
    attack.click()
    ready.click()
    answer_late([])
    expect(attack).to_have_attribute("aria-expanded", "false")
    assert [each["action"] for each in intents(stub_page) if each["kind"] == "do"] == ["ready"]


def test_ready_asks_for_an_action_and_a_trigger(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    act(root, "Ready").press("Enter")
    what = {"id": "action", "title": "Ready what?", "type": "one", "required": True}
    what |= {"values": ["attack"], "titled": True}
    when = {"id": "trigger", "title": "When", "type": "text", "required": True}
    missing = {"allowed": False, "reason": ["Say what triggers it. ", {"rule": "saga.ready.specify-trigger"}]}
    choices(stub_page, what, when, ruling=missing)
    form = root.get_by_role("form", name="Ready: Mara")
    act(form, "Attack").press("Enter")
    choices(stub_page, what, when, ruling=missing)
    expect(act(form, "Attack")).to_have_attribute("aria-pressed", "true")
    expect(act(form, "Ready")).to_have_attribute("aria-disabled", "true")
    act(form, "Ready").press("Enter")
    expect(root.get_by_role("status")).to_have_text("Say what triggers it.")
    trigger = form.get_by_role("textbox", name="When")
    trigger.fill("the door opens")
    question = choices(stub_page, what, when)
    assert question["params"] == {"action": "attack", "trigger": "the door opens"}
    expect(act(form, "Ready")).not_to_have_attribute("aria-disabled", "true")
    trigger.press("Enter")
    assert intents(stub_page)[-1] == {
        "kind": "do",
        "name": "Mara",
        "action": "ready",
        "params": {"action": "attack", "trigger": "the door opens"},
    }
    expect(act(root, "Ready")).to_be_focused()


def test_many_reasons_fold_and_the_pressed_one_shows(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    act(root, "Attack").press("Enter")
    no = [{"why": [f"{name} is out of range."], "values": [name]} for name in ["Vex", "Dray", "Ilya"]]
    choices(stub_page, TARGETS | {"values": [], "no": no})
    form = root.get_by_role("form", name="Attack: Mara")
    expect(form.get_by_text("is out of range.").filter(visible=True)).to_have_count(0)
    act(form, "3 can't be chosen").click()
    expect(act(form, "Dray")).to_have_accessible_description("Dray is out of range.")
    expect(form.get_by_text("Vex is out of range.")).to_be_visible()
    act(form, "Dray").press("Enter")
    expect(form.get_by_text("Dray is out of range.").filter(visible=True)).to_have_count(2)
    assert [each["kind"] for each in intents(stub_page)] == ["choices"]


def test_enter_works_where_the_host_takes_it_from_fields(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all() | {"dice": "table"}})
    stub_page.page.evaluate("() => { document.body.addEventListener('beforeinput', event => event.preventDefault()); }")
    act(root, "Force power").press("Enter")
    choices(stub_page, dice=[ATTACK_DIE])
    face = root.get_by_role("textbox", name="Number on the d20")
    face.evaluate("el => { el.value = '17'; el.dispatchEvent(new InputEvent('input', { bubbles: true, data: '7' })); }")
    choices(stub_page, dice=[ATTACK_DIE])
    face.press("Enter")
    assert intents(stub_page)[-1]["rolls"] == {"attack": [17]}


def test_digits_that_come_before_their_dice_are_not_dropped(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all() | {"dice": "table"}})
    damage = {"purpose": "damage", "legend": "Damage", "sides": [8, 8], "sum": [], "error": ""}
    for keys in (["1", "5", "Tab", "4", "6"], ["1", "5", "4", "6"]):
        act(root, "Force power").press("Enter")
        choices(stub_page, dice=[ATTACK_DIE])
        root.get_by_role("textbox", name="Number on the d20").focus()
        for key in keys:
            stub_page.page.keyboard.press(key)
        choices(stub_page, dice=[ATTACK_DIE, damage])
        expect(root.locator(".ck-face")).to_have_count(3)
        assert root.locator(".ck-face").evaluate_all("all => all.map(each => each.value)") == ["15", "4", "6"]
        choices(stub_page, dice=[ATTACK_DIE, damage])
        stub_page.page.keyboard.press("Escape")
        expect(root.locator(".ck-face")).to_have_count(0)


def test_an_option_that_turns_out_to_be_needed_is_open(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    act(root, "Climb").press("Enter")
    refuse(stub_page, "do", "Climb needs a target.", "saga.move.ex.climb")
    choices(stub_page, TARGETS | {"required": False}, ruling={"allowed": False, "reason": ["Climb needs a target."]})
    form = root.get_by_role("form", name="Climb: Mara")
    expect(form).to_contain_text("Climb needs a target.")
    act(form, "Guard 2 Short").press("Enter")
    choices(stub_page, TARGETS | {"required": False})
    act(form, "Climb").press("Enter")
    assert intents(stub_page)[-1]["params"] == {"target": "Guard 2"}


@pytest.mark.long
def test_all_kinds_of_parameters(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    act(root, "Aid another").press("Enter")
    many = TARGETS | {"id": "targets", "title": "Whom?", "type": "many"}
    number = {"id": "bonus", "title": "Bonus", "type": "number", "required": False}
    asked = (many, number)
    choices(stub_page, *asked)
    act(root, "Guard 1 Close").click()
    choices(stub_page, *asked)
    act(root, "Guard 2 Short").click()
    choices(stub_page, *asked)
    act(root, "Guard 1 Close").click()
    choices(stub_page, *asked)
    act(root, "Options").click()
    root.get_by_role("spinbutton", name="Bonus").fill("2")
    choices(stub_page, *asked)
    root.get_by_role("form").get_by_role("button", name="Aid another").click()
    assert intents(stub_page)[-1]["params"] == {"targets": ["Guard 2"], "bonus": 2}


def test_options_of_an_action_that_needs_nothing(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    act(root, "Move").press("Shift+Enter")
    choices(stub_page, {"id": "feet", "title": "Feet", "type": "number", "required": False})
    root.get_by_role("spinbutton", name="Feet").fill("30")
    choices(stub_page, {"id": "feet", "title": "Feet", "type": "number", "required": False})
    root.get_by_role("form").get_by_role("button", name="Move").click()
    assert intents(stub_page)[-1] == {"kind": "do", "name": "Mara", "action": "move", "params": {"feet": 30}}


def test_a_late_refusal_is_told_where_it_was_pressed(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    act(root, "Climb").press("Enter")
    refuse(stub_page, "do", "There is nothing to climb.", "saga.move.ex.climb")
    expect(root.get_by_role("form", name="Climb: Mara")).to_contain_text("There is nothing to climb. §")
    expect(root.get_by_role("status")).to_have_text("There is nothing to climb.")
    act(root, "Attack").press("Enter")
    choices(stub_page, TARGETS)
    act(root, "Guard 1 Close").press("Enter")
    refuse(stub_page, "do", "Guard 1 has just left.")
    form = root.get_by_role("form", name="Attack: Mara")
    expect(form).to_contain_text("Guard 1 has just left.")
    expect(act(form, "Guard 2 Short")).to_be_visible()


def test_dice_thrown_at_the_table(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all() | {"dice": "table"}})
    act(root, "Attack").press("Enter")
    choices(stub_page, TARGETS)
    act(root, "Guard 2 Short").press("Enter")
    question = choices(stub_page, TARGETS, dice=[ATTACK_DIE])
    assert question["params"] == {"target": "Guard 2"}
    face = root.get_by_role("textbox", name="Number on the d20")
    expect(root.get_by_role("group", name="Mara rolls 1d20 to hit Guard 2")).to_be_visible()
    expect(act(root, "Roll all")).to_be_visible()
    face.focus()
    stub_page.page.keyboard.type("17")
    total = ATTACK_DIE | {"sum": ["+ 9 = 26 against 15: ", {"strong": "hits"}, " ", {"rule": "saga.std.ex.attack"}]}
    assert choices(stub_page, TARGETS, dice=[total])["rolls"] == {"attack": [17]}
    said = "Type what you rolled (1 to 20). + 9 = 26 against 15: hits"
    expect(face).to_have_accessible_description(re.compile(re.escape(said)))
    expect(act(root, "Hit")).not_to_have_attribute("aria-disabled", "true")
    stub_page.screenshot("budget-dice")
    face.press("Enter")
    assert intents(stub_page)[-1] == {
        "kind": "do",
        "name": "Mara",
        "action": "attack",
        "params": {"target": "Guard 2"},
        "rolls": {"attack": [17]},
    }


@pytest.mark.long
def test_faces_lead_on_and_back_and_wrong_ones_say_so(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all() | {"dice": "table"}})
    die = {"purpose": "damage", "legend": "Vex rolls 3d6 to hit Mara", "sides": [6, 6, 6], "sum": [], "error": ""}
    act(root, "Force power").press("Enter")
    choices(stub_page, dice=[die])
    expect(root.get_by_role("textbox", name="First d6")).to_be_focused()
    stub_page.page.keyboard.type("49")
    expect(root.get_by_role("textbox", name="Second d6")).to_be_focused()
    wrong = "9 is not on a d6. Type 1 to 6 for the second die. Nothing has been rolled yet."
    choices(stub_page, dice=[die | {"error": wrong}])
    second = root.get_by_role("textbox", name="Second d6")
    expect(second).to_have_attribute("aria-invalid", "true")
    expect(second).to_have_accessible_description(wrong)
    stub_page.screenshot("budget-dice-wrong")
    assert stub_page.axe() == []
    stub_page.page.keyboard.press("Enter")
    expect(root.get_by_role("status")).to_have_text(wrong)
    assert [each["kind"] for each in intents(stub_page) if each["kind"] == "do"] == []
    expect(second).to_be_focused()
    stub_page.page.keyboard.type("52")
    expect(root.get_by_role("textbox", name="Third d6")).to_have_value("2")
    choices(stub_page, dice=[die | {"sum": ["4 + 5 + 2 = 11"]}])
    root.get_by_role("form").get_by_role("button", name="Force power").click()
    assert intents(stub_page)[-1]["rolls"] == {"damage": [4, 5, 2]}


def test_combatkit_may_roll_after_all(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all() | {"dice": "table"}})
    act(root, "Force power").press("Enter")
    choices(stub_page, dice=[ATTACK_DIE])
    act(root, "Roll all").click()
    assert intents(stub_page)[-1] == {"kind": "do", "name": "Mara", "action": "force_power", "params": {}}
    act(root, "Climb").press("Enter")
    choices(stub_page)
    stub_page.wait_until(lambda: intents(stub_page)[-1]["action"] == "climb")
    assert intents(stub_page)[-1] == {"kind": "do", "name": "Mara", "action": "climb", "params": {}}


def test_enter_waits_for_the_answer_and_goes_to_the_die_that_comes_of_it(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all() | {"dice": "table"}})
    act(root, "Force power").press("Enter")
    choices(stub_page, dice=[ATTACK_DIE])
    face = root.get_by_role("textbox", name="Number on the d20")
    face.press_sequentially("17")
    face.press("Enter")
    harm = {"purpose": "damage", "legend": "Mara rolls 1d8 for damage", "sides": [8], "sum": [], "error": ""}
    choices(stub_page, dice=[ATTACK_DIE, harm])
    expect(root.get_by_role("textbox", name="Number on the d8")).to_be_focused()
    assert [each["kind"] for each in intents(stub_page)][-1] == "choices"
    act(root, "Roll the rest").press("Enter")
    assert intents(stub_page)[-1]["rolls"] == {"attack": [17]}


def test_a_wrong_text_is_led_to_and_a_right_one_kept(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    damage = {"id": "damage", "title": "Damage", "type": "text", "required": False}
    field = root.get_by_role("textbox", name="Damage")
    wrong = {"allowed": False, "reason": ["attack: damage is '3x'."], "param": "damage"}
    act(root, "Attack").press("Enter")
    choices(stub_page, TARGETS, damage)
    act(root, "Options").click()
    field.fill("3x")
    act(root, "Guard 1 Close").click()
    refuse(stub_page, "do", "attack: damage is '3x'.")
    choices(stub_page, TARGETS, damage, ruling=wrong)
    expect(field).to_be_focused()
    expect(field).to_have_value("3x")
    expect(field).to_have_accessible_description("attack: damage is '3x'.")
    act(root, "Guard 1 Close").click()
    expect(field).to_be_focused()
    assert [each["kind"] for each in intents(stub_page)].count("do") == 1
    field.fill("3d8")
    choices(stub_page, TARGETS, damage)
    act(root, "Guard 1 Close").click()
    assert intents(stub_page)[-1]["params"] == {"target": "Guard 1", "damage": "3d8"}
    act(root, "Attack").press("Enter")
    given = {"target": "Guard 2", "damage": "3d8"}
    asked = answer(stub_page, "choices", params=[TARGETS, damage], dice=[], ruling=ALLOWED, given=given)
    assert (asked["params"], asked["propose"]) == ({}, True)
    expect(field).to_have_value("3d8")
    expect(act(root, "Guard 2 Short")).to_have_attribute("aria-pressed", "true")
    expect(act(root, "Guard 2 Short")).to_be_focused()


def test_focus_stays_across_updates(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    climb = act(root, "Climb")
    climb.focus()
    climb.evaluate("el => { el.own = true; }")
    group = fight()["budget"]["group"]["usual"]
    group["actions"] = group["actions"][1:]
    delta(stub_page, (["name"], "Vex"), (["group", "usual"], group), (["groups"], ["usual", "move"]))
    expect(root.get_by_role("group", name="Action budget: Vex")).to_be_visible()
    expect(climb).to_be_focused()
    assert climb.evaluate("el => el.own") is True
    group = group | {"actions": group["actions"][1:]}
    delta(stub_page, (["group", "usual"], group))
    expect(climb).to_have_count(0)
    expect(root.get_by_role("heading", name="Vex")).to_be_focused()


def test_an_own_attack_is_made_with_its_weapon(stub_page: StubPage) -> None:
    view = open_to_all()
    rifle = {"id": "attack", "title": "Rifle", "params": {"weapon": "Rifle"}, "needs": True}
    sword = rifle | {"extra": "+9 · 3d8", "title": "Sword", "params": {"weapon": "Sword"}}
    view["action"] |= {"attack:0": rifle, "attack:1": sword}
    view["group"]["attacks"] = {"id": "attacks", "title": "Attacks", "actions": ["attack:0", "attack:1"]}
    root = stub_page.mount("budget", {"view": view})
    act(root, "Rifle").click()
    choices(stub_page, TARGETS)
    act(root, "Sword").click()
    assert choices(stub_page, TARGETS)["params"] == {"weapon": "Sword"}
    expect(act(root, "Rifle")).to_have_attribute("aria-expanded", "false")
    stub_page.screenshot("budget-own-attack")
    act(root.get_by_role("group", name="Sword: Attack whom?"), "Guard 2 Short").click()
    assert intents(stub_page)[-1]["params"] == {"weapon": "Sword", "target": "Guard 2"}


def test_what_is_left_of_a_counter_stands_beside_the_action_in_pips_and_words(stub_page: StubPage) -> None:
    view = open_to_all()
    view["action"]["aid_another"]["uses"] = [1, 3]
    view["action"]["attack"]["uses"] = [9, 30]
    root = stub_page.mount("budget", {"view": view})
    aid = act(root, "Aid another")
    expect(aid.locator(".ck-pip")).to_have_count(3)
    expect(aid.locator(".ck-pip.is-spent")).to_have_count(2)
    expect(aid).to_contain_text("1 of 3 left")
    expect(aid).to_have_accessible_description("1 of 3 left")
    many = root.locator("[data-action=attack]").first
    expect(many).to_contain_text("9 of 30 left")
    expect(many.locator(".ck-pip")).to_have_count(0)
    assert stub_page.axe() == []


def test_an_action_is_found_by_what_is_typed(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"]})
    box = root.get_by_role("textbox", name="Find an action")
    expect(root.get_by_text("10 can be done")).to_be_visible()
    box.fill("at")
    expect(root.get_by_text("3 found", exact=True)).to_be_visible()
    expect(act(root, "Move")).to_be_hidden()
    expect(act(root, "Full attack")).to_have_attribute("aria-disabled", "true")
    stub_page.screenshot("budget-find")
    assert stub_page.axe() == []
    box.fill("cl")
    box.press("Enter")
    assert intents(stub_page) == [{"kind": "do", "name": "Mara", "action": "climb", "params": {}}]
    box.fill("cl")
    box.press("Escape")
    expect(box).to_have_value("")
    expect(act(root, "Move")).to_be_visible()
    act(root, "Move").press("/")
    expect(box).to_be_focused()
    box.press_sequentially("r/")
    expect(box).to_have_value("r/")
    delta(stub_page, (["name"], "Vex"))
    expect(box).to_have_value("")
    expect(act(root, "Move")).to_be_visible()


def test_an_action_is_found_by_its_other_names_and_its_cost(stub_page: StubPage) -> None:
    view = fight()["budget"]
    view["action"]["climb"] |= {"names": "scale get up"}
    root = stub_page.mount("budget", {"view": view})
    climb = act(root, "Climb")
    expect(climb).to_have_text("ClimbMove")
    box = root.get_by_role("textbox", name="Find an action")
    box.fill("scale")
    expect(root.get_by_text("1 found", exact=True)).to_be_visible()
    expect(climb).to_be_visible()
    box.fill("swift")
    expect(climb).to_be_hidden()
    expect(act(root, "Talent or power")).to_be_visible()
    box.fill("move")
    expect(climb).to_be_visible()
    expect(act(root, "Holster")).to_be_visible()


def test_an_open_form_survives_updates_and_ends_with_the_turn(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    act(root, "Ready").press("Enter")
    when = {"id": "trigger", "title": "When", "type": "text", "required": True}
    choices(stub_page, when)
    trigger = root.get_by_role("textbox", name="When")
    trigger.fill("the door")
    delta(stub_page, (["group", "usual", "title"], "Usually"))
    expect(root.get_by_role("group", name="Usually", exact=True)).to_be_visible()
    expect(trigger).to_have_value("the door")
    expect(trigger).to_be_focused()
    delta(stub_page, (["name"], "Vex"))
    expect(trigger).to_have_count(0)
    expect(act(root, "Ready")).to_be_focused()
    act(root, "Ready").press("Enter")
    choices(stub_page, when)
    expect(trigger).to_be_visible()
    delta(stub_page, (["name"], "Mara"))
    expect(trigger).to_have_value("the door")  # what was typed for her is hers
    delta(stub_page, (["turns"], 1))
    expect(trigger).to_have_count(0)
    expect(act(root, "Ready")).to_have_attribute("aria-expanded", "false")


def test_players_see_and_press_nothing(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": fight()["budget"] | {"players": True}})
    expect(root.get_by_text("Climb")).to_be_visible()
    expect(act(root, "Climb")).to_have_count(0)
    expect(root.get_by_role("textbox")).to_have_count(0)
    assert stub_page.axe() == []


def test_nobody_acts(stub_page: StubPage) -> None:
    view = fight()["budget"] | {"name": None, "slots": [], "groups": [], "folds": [], "group": {}, "action": {}}
    root = stub_page.mount("budget", {"view": view})
    expect(root.get_by_role("heading", name="It's nobody's turn")).to_be_visible()
    assert stub_page.axe() == []


@pytest.mark.long
def test_a_name_is_text(stub_page: StubPage) -> None:
    view = open_to_all() | {"name": HOSTILE}
    view["action"]["climb"]["title"] = HOSTILE
    root = stub_page.mount("budget", {"view": view})
    expect(root.get_by_role("heading", name=HOSTILE)).to_be_visible()
    act(root, "Attack").press("Enter")
    target = TARGETS | {"values": [HOSTILE]}
    choices(stub_page, target)
    expect(act(root, HOSTILE)).to_have_count(2)
    expect(root.locator("img")).to_have_count(0)
    assert focused(stub_page) == HOSTILE


def test_two_on_a_page_share_no_ids(stub_page: StubPage) -> None:
    stub_page.mount("budget", {"view": fight()["budget"]})
    stub_page.show()
    expect(stub_page.page.get_by_role("group", name="Action budget: Mara")).to_have_count(2)
    ids = stub_page.page.evaluate("() => [...document.querySelectorAll('#views [id]')].map(each => each.id)")
    assert ids
    assert len(set(ids)) == len(ids)


def test_teardown_leaves_nothing(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": open_to_all()})
    act(root, "Attack").press("Enter")
    choices(stub_page, TARGETS)
    expect(act(root, "Guard 1 Close")).to_be_visible()
    stub_page.teardown()
    assert stub_page.listener_count() == 0


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
@pytest.mark.parametrize("name", mostly_long(FIGHTS, "slots"))
def test_axe_and_pictures(stub_page: StubPage, name: str, theme: Theme) -> None:
    root = stub_page.mount("budget", {"view": fight(name)["budget"]})
    stub_page.set_theme(theme)
    for width in WIDTHS:
        stub_page.set_width(width)
        expect(root.get_by_role("group", name="Action budget")).to_be_visible()
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"budget-{name}-{theme}-{width}")


def test_everybody_is_asked_in_one_table(stub_page: StubPage) -> None:
    rows = {str(n): {"name": name, "side": n - 1, "said": ""} for n, name in enumerate(("Mara", "Vex", "Ilya"), 1)}
    calls = {"action": "declare", "title": "Declare", "rows": rows}
    root = stub_page.mount("budget", {"view": fight()["budget"] | {"name": None, "calls": calls}})
    meant = {
        "id": "action",
        "title": "Action",
        "type": "one",
        "required": True,
        "values": ["flee", "charge"],
        "titled": True,
    }
    expect(root.get_by_text("0 of 3")).to_be_visible()
    expect(root.get_by_role("listitem")).to_have_count(3)
    act(root, "Declare: Mara").press("Enter")
    choices(stub_page, meant)
    stub_page.screenshot("budget-calls")
    assert stub_page.axe() == []
    act(root.get_by_role("group", name="Declare: Action"), "Charge").press("Enter")
    assert intents(stub_page)[1] == {"kind": "do", "name": "Mara", "action": "declare", "params": {"action": "charge"}}
    delta(stub_page, (["calls", "rows", "1", "said"], "charge"))
    expect(root.get_by_text("1 of 3")).to_be_visible()
    expect(root.get_by_role("listitem").first).to_contain_text("charge")
    # Whoever has said nothing yet is asked next, and what comes in meanwhile leaves the question open.
    choices(stub_page, meant)
    expect(act(root, "Declare: Vex")).to_have_attribute("aria-expanded", "true")
    expect(act(root, "Flee")).to_be_focused()
    delta(stub_page, (["calls"], None))
    expect(act(root, "Flee")).to_have_count(0)
    expect(root.get_by_text("Pick somebody on the ladder")).to_be_visible()
