"""The Tracker with stub models: its own controls, and the three widgets it holds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import SCREENSHOTS, StubPage
from tests.browser.widget_views import (
    HOSTILE,
    PARTS,
    answer,
    delta,
    fight,
    focused,
    intents,
    mount_tracker,
    press,
    refuse,
    setup_views,
    tracked,
    unfold,
)

QUESTION = {
    "id": "w60",
    "title": "Does the shot break the ward?",
    "question": True,
    "rows": [
        {"who": "GM", "side": None, "choices": [["failed", "They may attack"], ["negated", "No attack of opportunity"]]}
    ],
    "sub": ["The GM decides."],
    "rules": ["saga.ward"],
}


def past() -> dict[str, Any]:
    """Give a fight's views as they are while a past moment is looked at."""
    travel = {"events": 44, "at": 41, "label": "Round 3", "way": ["undo", 41], "fork": 41}
    views = tracked(mode="past", past=travel)
    views["log"] |= travel
    return views


def result(root: Locator) -> Locator:
    """Give the zone under the header, where everything is said."""
    return root.get_by_role("group", name="Result")


def more(root: Locator, name: str) -> Locator:
    """Open a form of More, and give it."""
    listed(root, name).press("Enter")
    return root.get_by_role("form")


def listed(root: Locator, name: str) -> Locator:
    """Give what stands in the list of More."""
    if not root.get_by_role("group", name="More", exact=True).count():
        press(root, "More").press("Enter")
    return press(root, name)


def test_shows_the_turn_around_ladder_budget_and_log(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    expect(root.get_by_role("heading", name="Round 3 0:18", level=3)).to_have_count(1)
    expect(root.get_by_text("Mara's turn", exact=True)).to_be_visible()
    expect(root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")).to_have_count(8)
    expect(root.get_by_role("group", name="Action budget: Mara")).to_be_visible()
    expect(root.get_by_role("log", name="Log")).to_be_visible()
    expect(root.get_by_role("status")).to_have_count(1)
    expect(root.get_by_role("status")).to_have_text("Mara's turn. Round 3, 18 seconds.")
    ladder = root.get_by_role("list", name="Initiative ladder").bounding_box()
    budget = root.get_by_role("group", name="Action budget: Mara").bounding_box()
    assert ladder
    assert budget
    assert ladder["x"] + ladder["width"] < budget["x"]
    stub_page.set_width(420)
    expect(press(root, "End turn")).to_have_css("min-height", "44px")
    ladder = root.get_by_role("list", name="Initiative ladder").bounding_box()
    budget = root.get_by_role("group", name="Action budget: Mara").bounding_box()
    assert ladder
    assert budget
    assert ladder["y"] + ladder["height"] <= budget["y"]


def test_controls_send_their_calls(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    press(root, "Undo").press("Enter")
    press(root, "End turn").press("Space")
    listed(root, "Skip to the next round").press("Enter")
    listed(root, "End the fight").press("Enter")
    listed(root, "Settings").press("Enter")
    root.get_by_role("radio", name="we roll at the table").check()
    assert intents(stub_page) == [
        {"kind": "undo"},
        {"kind": "end_turn"},
        {"kind": "next_round"},
        {"kind": "finish"},
        {"kind": "settings"},
        {"kind": "dice", "mode": "table"},
    ]
    press(root, "Redo").press("Enter")
    expect(root.get_by_role("status")).to_have_text("Nothing to redo.")
    expect(press(root, "Redo")).to_have_attribute("aria-disabled", "true")
    assert len(intents(stub_page)) == 6


def test_undo_and_redo_by_keys_anywhere_inside(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked(redo={"allowed": True, "title": "Redo: Mara moves"}))
    stub_page.page.evaluate("() => { globalThis.heard = 0; document.body.onkeydown = () => { heard += 1; }; }")
    root.get_by_role("listitem", name=re.compile("^Vex,")).press("Control+z")
    root.get_by_role("listitem", name=re.compile("^Mara,")).press("Control+Shift+Z")
    assert intents(stub_page) == [{"kind": "undo"}, {"kind": "redo"}]
    note = root.locator(".ck-find input")
    note.fill("x")
    before = stub_page.page.evaluate("heard")
    note.press("Control+z")
    assert len(intents(stub_page)) == 2
    assert stub_page.page.evaluate("heard") > before


def test_a_refusal_is_told_in_the_result_zone_and_aloud(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    end = press(root, "End turn")
    end.press("Enter")
    refuse(stub_page, "end_turn", "A window is open.", "saga.react.one")
    expect(root.get_by_role("status")).to_have_text("A window is open.")
    expect(result(root)).to_contain_text("A window is open.")
    expect(end).to_be_focused()
    end.press("Enter")
    expect(result(root)).not_to_contain_text("A window is open.")


def test_what_a_part_says_is_said_here(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    unfold(root)
    attack = press(root, "Attack")
    attack.press("Enter")
    status = root.get_by_role("status")
    expect(status).to_have_count(1)
    expect(status).to_have_text("Attack: Spent on Attack, event 43.")
    attack.press("Enter")
    attack.press("Enter")
    expect(status).to_have_text("Attack: Spent on Attack, event 43.")
    assert intents(stub_page) == intents(stub_page, "budget") == []


def test_tab_order(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    expect(root.get_by_role("listitem").first).to_be_visible()
    seen = []
    for _ in range(6):
        stub_page.page.keyboard.press("Tab")
        seen.append(focused(stub_page))
    assert seen[:4] == ["Undo", "Redo", "More", "Carry on"]
    assert seen[4].startswith("Rules (")
    assert seen[5].startswith("Vex,")


def test_a_window_is_stated_once_and_answered_on_the_rungs(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    expect(result(root)).to_contain_text("Vex moves out of reach.")
    expect(result(root)).to_contain_text("Mara and Ossik may react, in any order.")
    assert result(root).bounding_box()["height"] == 44  # type: ignore[index]
    rungs = root.get_by_role("list", name="Initiative ladder")
    expect(rungs.get_by_role("button", name="Let go", exact=True)).to_have_count(2)
    press(root, "Carry on").press("Enter")
    assert intents(stub_page) == [{"kind": "resolve"}]


def test_a_window_closes_when_all_let_it_go(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    rungs = root.get_by_role("list", name="Initiative ladder")
    press(rungs.get_by_role("listitem", name=re.compile("^Mara,")), "Let go").press("Enter")
    assert intents(stub_page) == [{"kind": "pass", "name": "Mara"}]
    views = fight("reaction")
    window = views["tracker"]["windows"][0]
    window["rows"][0]["passed"] = True
    window["sub"] = ["Only Ossik may still react."]
    views["tracker"]["announce"] = "Mara lets it go. Only Ossik may still react."
    stub_page.deliver({"kind": "full", "view": {**views["tracker"], "revision": 2}})
    expect(root.get_by_role("status")).to_have_text("Mara lets it go. Only Ossik may still react.")
    expect(result(root)).to_contain_text("Only Ossik may still react.")
    press(rungs.get_by_role("listitem", name=re.compile("^Ossik,")), "Let go").press("Enter")
    assert intents(stub_page)[1:] == [{"kind": "resolve"}]


@pytest.mark.parametrize(
    ("sub", "said"), [("3", "Mara moves. The GM decides."), ("2", "Round 2, Fast actions. The GM")]
)
def test_what_came_of_the_last_answer_ends_before_who_is_asked(stub_page: StubPage, sub: str, said: str) -> None:
    news = {"text": ["Mara moves."], "sub": [f"Round {sub}, Fast actions"]}
    expect(result(mount_tracker(stub_page, tracked(windows=[QUESTION], result=news)))).to_contain_text(said)


def test_a_question_is_answered_and_cannot_be_passed(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked(windows=[QUESTION]))
    expect(result(root)).to_contain_text("Does the shot break the ward?")
    press(root, "Carry on").press("Enter")
    expect(root.get_by_role("status")).to_have_text("The GM must answer this first.")
    press(result(root), "No attack of opportunity").press("Enter")
    assert intents(stub_page) == [{"kind": "resolve", "answer": "negated"}]
    assert stub_page.axe() == []


def test_a_window_takes_the_focus_from_nobody_who_does_something_else(stub_page: StubPage) -> None:
    windows = fight("reaction")["tracker"]["windows"]
    root = mount_tracker(stub_page, fight())
    rung = root.get_by_role("listitem", name=re.compile("^Vex,"))
    rung.focus()
    delta(stub_page, (["windows"], windows))
    expect(result(root)).to_contain_text("Vex moves out of reach.")
    expect(rung).to_be_focused()
    delta(stub_page, (["announce"], "Vex goes on."), (["windows"], []))
    expect(root.get_by_role("status")).to_have_text("Vex goes on.")
    expect(rung).to_be_focused()


@pytest.mark.parametrize("title", ["Set a condition", "Take out of the fight"])
def test_nobody_is_meant_until_somebody_is_chosen(stub_page: StubPage, title: str) -> None:
    root = mount_tracker(stub_page, fight())
    sheet = more(root, title)
    expect(sheet.get_by_role("combobox", name="Who")).to_have_value("")
    if title == "Set a condition":
        sheet.get_by_role("combobox", name="Condition").fill("prone")
    sheet.locator("button.is-main").press("Enter")
    assert intents(stub_page) == []


def test_bookkeeping(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    sheet = more(root, "Set a condition")
    sheet.get_by_role("combobox", name="Who").select_option("Guard 1")
    sheet.get_by_role("combobox", name="Condition").fill("prone")
    sheet.get_by_role("combobox", name="Until").select_option("end of round")
    press(sheet, "Set").press("Enter")
    sheet.get_by_role("checkbox", name="Remove it").check()
    sheet.get_by_role("combobox", name="Until").select_option("")
    press(sheet, "Set").press("Enter")
    more(root, "Take out of the fight")
    sheet.get_by_role("combobox", name="Who").select_option("Sentry")
    press(sheet, "Take out").press("Enter")
    more(root, "Change the order")
    sheet.get_by_role("combobox", name="Who").select_option("Vex")
    press(sheet, "Move").press("Enter")
    sheet.get_by_role("combobox", name="Goes").select_option("after")
    sheet.get_by_role("combobox", name="Combatant").select_option("Mara")
    press(sheet, "Move").press("Enter")
    more(root, "Call for reactions")
    sheet.get_by_role("textbox", name="What happens?").fill("the crane falls")
    sheet.get_by_role("checkbox", name="Sentry").check()
    press(sheet, "Ask for reactions").press("Enter")
    assert intents(stub_page) == [
        {"kind": "condition", "name": "Guard 1", "condition": "prone", "until": "end of round"},
        {"kind": "condition", "name": "Guard 1", "condition": "prone", "off": True},
        {"kind": "leave", "name": "Sentry"},
        {"kind": "place", "name": "Vex", "before": "Ossik"},
        {"kind": "place", "name": "Vex", "after": "Mara"},
        {"kind": "trigger", "text": "the crane falls", "by": ["Sentry"]},
    ]


def test_a_newcomer_joins_and_a_refused_form_keeps_its_text(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    sheet = more(root, "Bring somebody in")
    sheet.get_by_role("textbox", name="Name", exact=True).fill("Tarn")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    sheet.get_by_text("More stats").click()
    sheet.get_by_role("spinbutton", name="Level").fill("3")
    sheet.get_by_role("textbox", name="Feats").fill("Quick Draw, Dodge")
    sheet.get_by_role("checkbox", name="Major opponent").check()
    press(sheet, "Bring in").press("Enter")
    assert intents(stub_page) == [
        {"kind": "join", "name": "Tarn", "side": "rebels", "level": 3, "feats": ["Quick Draw", "Dodge"], "major": True}
    ]
    refuse(stub_page, "join", "There is a Tarn already.")
    expect(result(root)).to_contain_text("There is a Tarn already.")
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_have_value("Tarn")
    press(sheet, "Bring in").press("Enter")
    delta(stub_page, (["announce"], "Tarn joins."))
    expect(sheet.get_by_role("textbox", name="Name", exact=True)).to_have_value("")
    sheet.get_by_role("textbox", name="Name", exact=True).press("Escape")
    expect(sheet).to_have_count(0)
    expect(press(root, "Bring somebody in")).to_be_focused()


@pytest.mark.long
def test_the_parts_come_when_there_is_a_fight(stub_page: StubPage) -> None:
    views = fight()
    children = {part: (part, {"view": views[part]}) for part in PARTS}
    view = setup_views()["tracker"]
    root = stub_page.mount("tracker", {"view": view, "ladder": None, "budget": None, "log": None}, children)
    expect(press(root, "Start")).to_be_visible()
    stub_page.change(**{part: f"anywidget:{part}" for part in PARTS})
    stub_page.deliver({"kind": "full", "view": views["tracker"] | {"revision": 8}})
    expect(root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")).to_have_count(8)
    expect(root.get_by_role("log")).to_be_visible()


def test_what_a_call_came_to_is_a_sentence_and_nothing_moves_for_it(stub_page: StubPage) -> None:
    told = {
        "text": ["Mara hits ", {"strong": "Guard 2"}, ": 23 against 15, loses ", {"strong": "15"}, "."],
        "sub": [{"die": 14, "table": True}, " + 9 to hit."],
        "rules": ["saga.std.ex.attack"],
        "who": {"side": 0, "initials": "M"},
    }
    root = mount_tracker(stub_page, tracked(result=told))
    expect(result(root)).to_contain_text("Mara hits Guard 2: 23 against 15, loses 15.")
    expect(result(root).locator(".ck-die.is-table")).to_have_text("14")
    expect(result(root).get_by_role("button", name="Rules (")).to_be_visible()
    boxes = [root.locator(each).bounding_box() for each in (".ck-res", ".ck-order", ".ck-log", ".ck-budget")]
    delta(stub_page, (["result"], None))
    expect(result(root)).not_to_contain_text("Mara")
    assert [root.locator(each).bounding_box() for each in (".ck-res", ".ck-order", ".ck-log", ".ck-budget")] == boxes
    delta(stub_page, (["windows"], fight("reaction")["tracker"]["windows"]))
    expect(result(root)).to_contain_text("Vex moves out of reach.")
    assert [root.locator(each).bounding_box() for each in (".ck-res", ".ck-order", ".ck-log", ".ck-budget")] == boxes


def test_who_falls_is_down_dead_or_fights_on(stub_page: StubPage) -> None:
    told = {"text": ["Guard 1 falls."], "sub": ["Taken as down."], "fell": {"name": "Guard 1", "stands": "down"}}
    root = mount_tracker(stub_page, tracked(result=told))
    stands = root.get_by_role("radiogroup", name="How Guard 1 stands")
    expect(stands.get_by_role("radio", name="Down")).to_have_attribute("aria-checked", "true")
    stands.get_by_role("radio", name="Down").click()
    stands.get_by_role("radio", name="Dead").click()
    stands.get_by_role("radio", name="Fights on").click()
    assert intents(stub_page) == [
        {"kind": "condition", "name": "Guard 1", "condition": "down"},
        {"kind": "condition", "name": "Guard 1", "condition": "dead"},
        {"kind": "condition", "name": "Guard 1", "condition": "down", "off": True},
    ]


def test_a_branch_says_so_though_somebody_has_just_fallen(stub_page: StubPage) -> None:
    told = {"text": ["Guard 1 falls."], "sub": ["Taken as down."], "fell": {"name": "Guard 1", "stands": "down"}}
    past = {"events": 40, "at": None, "given": "saga-7", "called": "Catwalk", "branches": ["saga-7"]}
    root = mount_tracker(stub_page, tracked(result=told, past=past))
    expect(result(root)).to_contain_text(
        "Taken as down. · Played on from an earlier moment: Catwalk is kept as it was."
    )
    expect(root.get_by_role("radiogroup", name="How Guard 1 stands")).to_be_visible()


def test_without_a_kernel_it_is_greyed_and_says_how_to_go_on(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    stub_page.page.evaluate("() => { stub.model('tracker').send = () => { throw new Error('Cannot send'); }; }")
    press(root, "End turn").press("Enter")
    expect(result(root)).to_contain_text("Not connected: run the cell again to go on.")
    expect(root.get_by_role("status")).to_contain_text("Not connected")
    expect(root.locator(".ck-order")).to_have_css("opacity", "0.52")
    expect(root.locator(".ck-head")).to_have_css("pointer-events", "none")
    end = root.get_by_role("button", name="End turn")
    expect(end).to_have_css("border-style", "dashed")
    expect(end).to_have_css("background-color", "rgba(0, 0, 0, 0)")


def test_the_letter_s_saves_nothing_before_it_is_pressed_again(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    press(root, "End turn").focus()
    stub_page.page.keyboard.press("s")
    page = root.get_by_role("group", name="More").get_by_role("button", name="Save web page")
    expect(page).to_be_focused()
    assert not [message for message in stub_page.sent("tracker") if message["kind"] == "download"]
    stub_page.page.keyboard.press("Enter")
    assert stub_page.wait_for_sent("download", "tracker")["what"] == "page"


def test_the_second_press_of_a_double_click_hits_nobody(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    press(root, "End turn").dblclick()
    assert intents(stub_page) == [{"kind": "end_turn"}]


def test_a_window_that_asks_nobody_is_stated_all_the_same(stub_page: StubPage) -> None:
    window = fight("reaction")["tracker"]["windows"][0] | {"rows": []}
    root = mount_tracker(stub_page, tracked("reaction", windows=[window]))
    expect(result(root)).to_contain_text("Vex moves out of reach.")
    press(root, "Carry on").press("Enter")
    assert intents(stub_page) == [{"kind": "resolve"}]


def test_a_turn_ends_without_dice_even_at_the_table(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked(dice="table"))
    press(root, "End turn").press("Enter")
    answer(stub_page, "choices", "budget", params=[], dice=[], ruling={"allowed": True, "reason": []})
    assert stub_page.wait_for_sent("end_turn")["kind"] == "end_turn"


def test_the_past_is_marked_and_left(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, past())
    expect(result(root)).to_contain_text("You are at event 41 of 44.")
    expect(press(root, "End turn")).to_have_count(0)
    root.get_by_role("listitem", name=re.compile("^Vex,")).press("Control+z")
    press(root, "Back to now").press("Enter")
    press(root, "Play on from here").press("Enter")
    assert intents(stub_page) == [{"kind": "at", "seq": None}, {"kind": "branch", "seq": 41}]
    stub_page.screenshot("tracker-past")
    assert stub_page.axe() == []


def test_what_is_refused_in_the_past_leaves_the_way_back(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, past())
    press(root, "Play on from here").click()
    refuse(stub_page, "branch", "Not now.")
    expect(result(root)).to_contain_text("Not now.")
    press(root, "Back to now").click()
    assert stub_page.wait_for_sent("at")["seq"] is None


def test_when_it_is_over(stub_page: StubPage) -> None:
    dealt = [{"who": {"side": 0, "initials": "M"}, "name": "Mara", "amount": 32}]
    fared = [{"side": 0, "name": "rebels", "points": [90, 44]}, {"side": 1, "name": "empire", "points": [60, 0]}]
    card = {"title": "The rebels win", "lead": "3 rounds", "faces": [{"side": 0, "initials": "M"}], "total": 32}
    card |= {"facts": [{"title": "Hardest blow", "text": ["Mara: ", {"strong": "24"}]}], "dealt": dealt, "fared": fared}
    card |= {"seats": ["Anna"]}
    root = mount_tracker(stub_page, tracked(mode="over", turn={"title": "The fight is over", "sub": ""}, card=card))
    expect(press(root, "End turn")).to_have_count(0)
    expect(root.get_by_role("heading", name="The rebels win")).to_be_visible()
    expect(root.get_by_role("list", name="Damage dealt")).to_contain_text("32")
    press(root, "Save web page").click()
    assert stub_page.wait_for_sent("download")["what"] == "page"
    refuse(stub_page, "download", "Not now.")
    assert stub_page.axe() == []
    seen = root.get_by_role("radiogroup", name="Page as seen by")
    expect(seen.get_by_role("radio", checked=True)).to_have_text("the GM")
    for whose in ("the players", "Anna"):
        seen.get_by_role("radio", name=whose).click()
        expect(seen.get_by_role("radio", checked=True)).to_have_text(whose)
        press(root, "Save web page").click()
        refuse(stub_page, "download", "Not now.")
    saved = [{key: each[key] for key in ("seen", "seat") if key in each} for each in intents(stub_page)]
    assert saved == [{}, {"seen": "players"}, {"seat": "Anna"}]
    press(root, "Run it again").press("Enter")
    press(root, "Undo").press("Enter")
    assert intents(stub_page)[3:] == [{"kind": "restart"}, {"kind": "undo"}]


def test_beside_few_who_dealt_damage_stands_how_the_sides_fared(stub_page: StubPage) -> None:
    fared = [{"side": 0, "name": "rebels", "points": [90, 44]}, {"side": 1, "name": "empire", "points": [60, 0]}]
    fell = [text for name in ("Guard", "Trooper", "Sentry", "Marshal") for text in ({"side": 1}, f"\u00a0{name}", ", ")]
    card = {"title": "The rebels win", "lead": "3 rounds", "faces": [], "dealt": [], "total": 0, "fared": fared}
    card["facts"] = [{"title": "Fell", "text": fell}]
    stub_page.page.set_viewport_size({"width": 1100, "height": 800})
    root = mount_tracker(stub_page, tracked(mode="over", turn={"title": "The fight is over", "sub": ""}, card=card))
    left, right = (root.locator(f".ck-won > .{side}") for side in "lr")
    expect(right.get_by_role("img", name="Hit points by round")).to_be_visible()
    # Nor does a line end between a mark and the name after it.
    apart = """el => [...el.querySelectorAll(".ck-side")].map(mark => {
        const [range, texts] = [new Range(), document.createTreeWalker(el, NodeFilter.SHOW_TEXT)];
        texts.currentNode = mark;
        while (!/\\p{L}/u.test(texts.nextNode().data));
        range.selectNodeContents(texts.currentNode);
        return range.getBoundingClientRect().bottom - mark.getBoundingClientRect().bottom;
    })"""
    for width in range(260, 400, 10):
        stub_page.set_width(width)
        assert all(0 <= below < 12 for below in left.locator("dd").evaluate(apart)), width


def test_how_it_ended_is_a_picture_to_send(stub_page: StubPage) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    for name in enc.names[2:]:
        enc.damage(name, 99)
    enc.finish()
    view = ck.Tracker(enc).view
    card = {**view["card"], "told": {**view["card"]["told"], "scene": "The pier", "title": "The rebels <win> & live"}}
    root = mount_tracker(stub_page, tracked(mode="over", turn={"title": "The fight is over", "sub": ""}, card=card))
    # What a visitor wants comes first.
    assert root.locator(".foot button").all_inner_texts()[:2] == ["Save a picture", "Run it again"]
    for width in (390, 1280):
        stub_page.page.set_viewport_size({"width": width, "height": 844})
        expect(press(root, "Save a picture")).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
        expect(press(root, "Save web page")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    with stub_page.page.expect_download() as download:
        press(root, "Save a picture").click()
    assert download.value.suggested_filename == "The-pier-The-rebels-win-live.png"
    path = SCREENSHOTS / "end-picture.png"
    download.value.save_as(path)
    assert path.read_bytes()[:24] == b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR" + (1200).to_bytes(4, "big") + (630).to_bytes(
        4, "big"
    )


def test_many_who_stand_last_are_named_in_letters_that_can_be_read(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Gang gunner", side="gang", count=6, defense=12, hp=9)
    enc.add("Mara", side="rebels", defense=12, hp=9)
    enc.start()
    enc.damage("Mara", 99)
    enc.finish()
    card = ck.Tracker(enc).view["card"]
    root = mount_tracker(stub_page, tracked(mode="over", turn={"title": "The fight is over", "sub": ""}, card=card))
    stub_page.page.evaluate(
        """() => {
            const own = Object.getOwnPropertyDescriptor(HTMLImageElement.prototype, "src");
            Object.defineProperty(HTMLImageElement.prototype, "src", {
                ...own,
                set(src) {
                    window.drawn = decodeURIComponent(src);
                    Object.defineProperty(HTMLImageElement.prototype, "src", own);
                    this.src = src;
                },
            });
        }"""
    )
    with stub_page.page.expect_download() as download:
        press(root, "Save a picture").click()
    download.value.save_as(SCREENSHOTS / "end-picture-of-many.png")
    texts = re.findall(r"<text ([^>]*)>(?:<!--.*?-->)*([^<]*)", stub_page.page.evaluate("window.drawn"))
    lines = [text for given, text in texts if 'x="72"' in given and 'font-size="24"' in given and "fill" not in given]
    told = " ".join(lines)
    names = [f"Gang gunner {number}".replace(" ", "\u00a0") for number in range(1, 6)]
    assert told == f"Still standing: {', '.join(names)} and 1 more Fell: Mara"
    assert all(any(name in line for line in lines) for name in names), "no line ends in a name"
    assert max(map(len, lines)) <= 36


def test_the_end_that_is_proposed_is_one_button_and_play_goes_on_without_it(stub_page: StubPage) -> None:
    root = mount_tracker(
        stub_page, tracked(ends="Only the rebels still stand.", result={"text": ["Vex is dead."], "sub": []})
    )
    said = root.get_by_role("group", name="Result")
    expect(said).to_contain_text("Vex is dead.")
    expect(said).to_contain_text("Only the rebels still stand.")
    end = said.get_by_role("button", name="End the fight")
    expect(end).not_to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(press(root, "End turn")).to_have_css("background-color", "rgba(0, 0, 0, 0)")
    expect(said.locator("p")).to_have_text("Only the rebels still stand.")
    end.click()
    assert intents(stub_page) == [{"kind": "finish"}]
    expect(press(root, "End turn")).to_be_enabled()


def test_players_see_and_control_nothing(stub_page: StubPage) -> None:
    views = fight("reaction")
    for part in [*PARTS, "tracker"]:
        views[part]["players"] = True
    views["ladder"]["acts"] = False
    views["budget"]["asked"] = None
    root = mount_tracker(stub_page, views)
    expect(result(root)).to_contain_text("Vex moves out of reach.")
    buttons = root.get_by_role("button")
    expect(buttons).not_to_have_count(0)
    acts = buttons.evaluate_all("all => all.filter(each => !each.matches('.ck-sec, [aria-expanded]')).length")
    assert acts == 0, "only rules and folds can be opened"
    expect(root.get_by_role("textbox")).to_have_count(0)
    assert stub_page.axe() == []


def test_a_name_is_text(stub_page: StubPage) -> None:
    text = json.dumps(fight("reaction")).replace("Vex", HOSTILE)
    root = mount_tracker(stub_page, json.loads(text))
    expect(result(root)).to_contain_text(f"{HOSTILE} moves out of reach.")
    expect(root.get_by_role("listitem", name=HOSTILE)).to_have_count(1)
    more(root, "Call for reactions")
    expect(root.get_by_role("checkbox", name=HOSTILE)).to_be_visible()
    expect(root.locator("img")).to_have_count(0)


def test_a_rule_mark_of_a_window_opens_once(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    mark = result(root).get_by_role("button", name="Rules (")
    mark.click()
    for question in [each for each in stub_page.sent("budget") if each["kind"] == "rule"]:
        told = {"rule": question["rule"], "text": "One may strike.", "locator": "p. 155", "disputed": False}
        stub_page.deliver({"kind": "rule", "id": question["id"], **told}, "budget")
    expect(root.locator("[popover]")).to_contain_text("One may strike.")
    stub_page.page.keyboard.press("Escape")
    expect(root.locator("[popover]")).to_have_count(0)
    expect(mark).to_be_focused()
    root.get_by_role("listitem").first.focus()
    log = root.get_by_role("log").get_by_role("button", name="Rules: Vex moves")
    log.click()
    for question in [each for each in stub_page.sent("log") if each["kind"] == "rule"]:
        told = {"rule": question["rule"], "text": "As fast as it says.", "locator": "", "disputed": False}
        stub_page.deliver({"kind": "rule", "id": question["id"], **told}, "log")
    expect(root.locator("[popover]")).to_have_count(1)


def both(page: StubPage, number: int) -> None:
    """Change the ladder and the log of a tracker with one message."""
    name = [["rows", "1", "name"], f"Vex {number}"]
    parts = {
        "ladder": {"kind": "delta", "base": number, "revision": number + 1, "set": [name]},
        "log": {"kind": "delta", "base": number, "revision": number + 1, "set": [[["lines", "1"], None]]},
    }
    page.deliver({"kind": "delta", "base": 7, "revision": 7, "set": [], "parts": parts})


def test_one_message_changes_the_parts(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    second = stub_page.show()
    for each in [root, second]:
        expect(each.get_by_role("log")).to_be_visible()
    both(stub_page, 7)
    for each in [root, second]:
        expect(each.get_by_role("list", name="Initiative ladder")).to_contain_text("Vex 7")
    both(stub_page, 7)
    assert [stub_page.state(part)["view"]["revision"] for part in PARTS] == [8, 7, 8]
    assert [stub_page.sent(part) for part in PARTS] == [[], [], []]
    both(stub_page, 12)
    for part in ["ladder", "log"]:
        assert stub_page.sent(part) == [{"kind": "full"}]


def test_a_tracker_shown_late_brings_its_parts_up_to_date(stub_page: StubPage) -> None:
    views = fight()
    refs = {part: f"anywidget:{part}" for part in PARTS}
    children = {part: (part, {"view": views[part]}) for part in PARTS}
    stub_page.mount("tracker", {"view": views["tracker"], "ladder": None, "budget": None, "log": None}, children)
    both(stub_page, 7)
    both(stub_page, 8)
    assert stub_page.state("ladder")["view"]["revision"] == 7
    stub_page.change(**refs)
    root = stub_page.show()
    expect(root.get_by_role("log")).to_be_visible()
    for part in ["ladder", "log"]:
        stub_page.wait_for_sent("full", part)
        stub_page.deliver({"kind": "full", "view": views[part] | {"revision": 9}}, part)
    both(stub_page, 9)
    expect(root.get_by_role("list", name="Initiative ladder")).to_contain_text("Vex 9")


def test_the_parts_of_one_message_are_drawn_in_one_frame(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    expect(root.get_by_role("log")).to_be_visible()
    root.evaluate(
        """el => {
            globalThis.frames = [];
            let frame = 0;
            const count = () => { frame += 1; requestAnimationFrame(count); };
            count();
            for (const part of el.querySelectorAll(".ck-ladder, .ck-log-body")) {
                new MutationObserver(() => frames.push([part.className, frame]))
                    .observe(part, { subtree: true, childList: true, characterData: true, attributes: true });
            }
        }"""
    )
    both(stub_page, 7)
    expect(root.get_by_role("list", name="Initiative ladder")).to_contain_text("Vex 7")
    assert len({frame for _, frame in stub_page.page.evaluate("frames")}) == 1


def test_a_part_shown_alone_says_so(stub_page: StubPage) -> None:
    views = fight()
    stub_page.mount("log", {"view": views["log"], "within": True})
    assert stub_page.sent() == [{"kind": "alone"}]
    children = {part: (part, {"view": views[part], "within": True}) for part in PARTS}
    refs = {part: f"anywidget:{part}" for part in PARTS}
    root = stub_page.mount("tracker", {"view": views["tracker"], **refs}, children)
    expect(root.get_by_role("log")).to_be_visible()
    assert [stub_page.sent(part) for part in PARTS] == [[], [], []]


def test_a_part_that_fails_leaves_the_others(stub_page: StubPage) -> None:
    views = fight()
    views["budget"]["slots"] = [None]
    root = mount_tracker(stub_page, views)
    expect(root.get_by_role("alert")).to_contain_text("This part of the widget failed")
    expect(root.get_by_role("list", name="Initiative ladder")).to_be_visible()
    expect(root.get_by_role("log")).to_be_visible()
    expect(press(root, "End turn")).to_be_visible()
    assert len(stub_page.problems) == 1
    stub_page.problems.clear()


def test_a_missing_part_says_so(stub_page: StubPage) -> None:
    views = fight()
    traits = {"view": views["tracker"], "ladder": "anywidget:nothing", "budget": None, "log": None}
    root = stub_page.mount("tracker", traits)
    expect(root.get_by_role("alert")).to_contain_text("nothing")
    expect(press(root, "End turn")).to_be_visible()
    stub_page.problems.clear()
