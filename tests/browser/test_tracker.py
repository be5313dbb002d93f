"""The Tracker with stub models: its own controls, and the three widgets it holds."""

from __future__ import annotations

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import StubPage
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
    "rows": [{"who": "GM", "side": None, "text": "The GM decides", "sub": [], "choices": ["failed", "negated"]}],
    "notes": [],
}


def past() -> dict[str, Any]:
    """Give a fight's views as they are while a past moment is looked at."""
    views = tracked(mode="past")
    views["log"] |= {"events": 44, "at": 41, "label": "Round 3", "way": ["undo", 41]}
    return views


def more(root: Locator, name: str) -> Locator:
    """Open a form of More, and give it."""
    listed(root, name).press("Enter")
    return root.get_by_role("form")


def listed(root: Locator, name: str) -> Locator:
    """Give what stands in the list of More."""
    if press(root, "More").get_attribute("aria-expanded") == "true":
        press(root, "More").press("Enter")
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
    assert ladder["y"] + ladder["height"] < budget["y"]


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
    root.get_by_role("button", name="Climb").press("Control+Shift+Z")
    assert intents(stub_page) == [{"kind": "undo"}, {"kind": "redo"}]
    note = root.get_by_role("textbox", name="Note")
    note.fill("x")
    before = stub_page.page.evaluate("heard")
    note.press("Control+z")
    assert len(intents(stub_page)) == 2
    assert stub_page.page.evaluate("heard") > before


def test_a_refusal_is_told_below_the_controls_and_aloud(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    end = press(root, "End turn")
    end.press("Enter")
    refuse(stub_page, "end_turn", "A window is open.", "saga.react.one")
    expect(root.get_by_role("status")).to_have_text("A window is open. Rule saga.react.one.")
    expect(root.get_by_text("A window is open.", exact=True)).to_be_visible()
    expect(end).to_be_focused()
    end.press("Enter")
    expect(root.get_by_text("A window is open.", exact=True)).to_have_count(0)


def test_what_a_part_says_is_said_here(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    unfold(root)
    attack = press(root, "Attack")
    attack.press("Enter")
    status = root.get_by_role("status")
    expect(status).to_have_count(1)
    expect(status).to_have_text("Attack: Spent on Attack, event 43. Rule saga.std.one.")
    attack.press("Enter")
    attack.press("Enter")
    expect(status).to_have_text("Attack: Spent on Attack, event 43. Rule saga.std.one.")
    assert intents(stub_page) == intents(stub_page, "budget") == []


def test_tab_order(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked("reaction"))
    expect(root.get_by_role("listitem").first).to_be_visible()
    seen = []
    for _ in range(12):
        stub_page.page.keyboard.press("Tab")
        seen.append(focused(stub_page))
    assert seen[:2] == ["More", "Carry on"]
    assert seen[2:11] == [
        "Rule saga.react.ex.aoo",
        "Attack",
        "Let it go",
        "Rule saga.ready.count-moves",
        "Attack",
        "Let it go",
        "Rule saga.react.one",
        "Undo",
        "Redo",
    ]
    assert seen[11].startswith("Vex,")


def test_a_window_is_answered(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    window = root.get_by_role("group", name="Reaction window: Vex moves out of reach")
    expect(window).to_contain_text("Mara may make an attack of opportunity")
    expect(window).to_contain_text("Not asked: Ilya")
    press(window, "Attack").first.press("Enter")
    stub_page.wait_for_sent("do", "budget")
    assert intents(stub_page, "budget") == [{"kind": "do", "name": "Mara", "action": "attack", "params": {}}]
    refuse(stub_page, "do", "Her reaction is spent.", "saga.react.one", to="budget")
    expect(window).to_contain_text("Her reaction is spent. §react.one")
    press(root, "Carry on").press("Enter")
    assert intents(stub_page) == [{"kind": "resolve"}]


@pytest.mark.long
def test_a_window_closes_when_all_let_it_pass(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    window = root.get_by_role("group", name="Reaction window")
    press(window, "Let it go").first.press("Enter")
    expect(window).to_contain_text("lets it go")
    expect(root.get_by_role("status")).to_have_text("Mara lets it go.")
    assert intents(stub_page) == []
    assert focused(stub_page) == "Attack"
    press(window, "Let it go").press("Enter")
    assert intents(stub_page) == [{"kind": "resolve"}]
    delta(stub_page, (["windows"], []))
    expect(window).to_have_count(0)
    assert focused(stub_page) == "End turn"


def test_a_reaction_that_needs_something_asks_in_the_window(stub_page: StubPage) -> None:
    views = fight("reaction")
    views["tracker"]["windows"][0]["rows"][0]["actions"][0]["needs"] = ["weapon"]
    root = mount_tracker(stub_page, views)
    window = root.get_by_role("group", name="Reaction window")
    attack = press(window, "Attack").first
    attack.press("Enter")
    weapon = {"id": "weapon", "title": "With what?", "type": "one", "required": True}
    weapon |= {"values": [{"value": "blade", "label": ["Blade"], "allowed": True, "why": []}]}
    answer(stub_page, "choices", "budget", params=[weapon], dice=[], ruling={"allowed": True, "reason": []})
    expect(press(window, "Blade")).to_be_focused()
    window.get_by_text("Options", exact=True).click()
    window.get_by_role("textbox", name="Note").fill("from below")
    stub_page.screenshot("tracker-window-form")
    press(window, "Blade").press("Escape")
    expect(press(window, "Blade")).to_have_count(0)
    expect(attack).to_be_focused()
    attack.press("Enter")
    answer(stub_page, "choices", "budget", params=[weapon], dice=[], ruling={"allowed": True, "reason": []})
    window.get_by_text("Options", exact=True).click()
    window.get_by_role("textbox", name="Note").fill("from below")
    press(window, "Blade").press("Enter")
    assert intents(stub_page, "budget")[-1] == {
        "kind": "do",
        "name": "Mara",
        "action": "attack",
        "params": {"weapon": "blade"},
        "note": "from below",
    }


def test_a_question_is_answered_and_cannot_be_passed(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked(windows=[QUESTION]))
    window = root.get_by_role("group", name="Question: Does the shot break the ward?")
    expect(press(window, "Let it go")).to_have_count(0)
    press(root, "Carry on").press("Enter")
    expect(root.get_by_role("status")).to_have_text("GM must answer first.")
    press(window, "negated").press("Enter")
    assert intents(stub_page) == [{"kind": "resolve", "answer": "negated"}]
    assert stub_page.axe() == []


def test_a_window_takes_the_focus_only_from_who_opened_it(stub_page: StubPage) -> None:
    windows = fight("reaction")["tracker"]["windows"]
    root = mount_tracker(stub_page, fight())
    climb = press(root, "Climb")
    climb.focus()
    delta(stub_page, (["windows"], windows))
    expect(root.get_by_role("group", name="Reaction window")).to_be_visible()
    expect(climb).to_be_focused()
    delta(stub_page, (["windows"], []))
    climb.press("Enter")
    stub_page.wait_for_sent("do", "budget")
    delta(stub_page, (["windows"], windows))
    expect(press(root, "Attack").first).to_be_focused()
    delta(stub_page, (["windows"], []))
    expect(climb).to_be_focused()


def test_focus_and_elements_stay_across_updates(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    passing = press(root, "Let it go").last
    passing.focus()
    passing.evaluate("el => { el.own = true; }")
    window = fight("reaction")["tracker"]["windows"][0]
    window["rows"] = window["rows"][1:]
    delta(stub_page, (["windows"], [window]), (["turn"], {"title": "Vex waits", "sub": ""}))
    expect(root.get_by_text("Vex waits")).to_be_visible()
    expect(press(root, "Let it go")).to_have_count(1)
    expect(passing).to_be_focused()
    assert passing.evaluate("el => el.own") is True
    rung = root.get_by_role("listitem", name=re.compile("^Vex,"))
    rung.focus()
    delta(stub_page, (["announce"], "Vex goes on."), (["windows"], []))
    expect(root.get_by_role("status")).to_have_text("Vex goes on.")
    expect(rung).to_be_focused()


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
    sheet.get_by_role("textbox", name="Name").fill("Tarn")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    sheet.get_by_role("spinbutton", name="Level").fill("3")
    sheet.get_by_role("textbox", name="Feats").fill("Quick Draw, Dodge")
    sheet.get_by_role("checkbox", name="Major opponent").check()
    press(sheet, "Bring in").press("Enter")
    assert intents(stub_page) == [
        {"kind": "join", "name": "Tarn", "side": "rebels", "level": 3, "feats": ["Quick Draw", "Dodge"], "major": True}
    ]
    refuse(stub_page, "join", "There is a Tarn already.")
    expect(sheet).to_contain_text("There is a Tarn already.")
    expect(sheet.get_by_role("textbox", name="Name")).to_have_value("Tarn")
    press(sheet, "Bring in").press("Enter")
    delta(stub_page, (["announce"], "Tarn joins."))
    expect(sheet.get_by_role("textbox", name="Name")).to_have_value("")
    sheet.get_by_role("textbox", name="Name").press("Escape")
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


def test_what_a_call_came_to_stands_under_the_controls(stub_page: StubPage) -> None:
    hit = [
        {"side": 0},
        " ",
        "Mara attacks Guard 2 ",
        {"die": 14},
        " + 9 = 23, hit",
        " ",
        {"rule": "saga.std.ex.attack"},
    ]
    root = mount_tracker(stub_page, tracked(result=[hit, ["Guard 2 loses 15, 1 left."]]))
    expect(root).to_contain_text("Mara attacks Guard 2 14 + 9 = 23, hit §std.ex.attack")
    told = root.get_by_text("Guard 2 loses 15, 1 left.").bounding_box()
    assert told
    assert told["y"] < 120
    ladder = root.get_by_role("list", name="Initiative ladder")
    before = ladder.bounding_box()
    delta(stub_page, (["result"], []))
    expect(root.get_by_text("Guard 2 loses 15, 1 left.")).to_have_count(0)
    assert ladder.bounding_box() == before, "its room is kept"


def test_a_window_that_asks_nobody_has_no_banner(stub_page: StubPage) -> None:
    window = fight("reaction")["tracker"]["windows"][0] | {"rows": []}
    root = mount_tracker(stub_page, tracked("reaction", windows=[window]))
    expect(root.get_by_role("group", name="Reaction window")).to_have_count(0)
    press(root, "Carry on").press("Enter")
    assert intents(stub_page) == [{"kind": "resolve"}]


def test_a_turn_ends_without_dice_even_at_the_table(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked(dice="table"))
    press(root, "End turn").press("Enter")
    answer(stub_page, "choices", "budget", params=[], dice=[], ruling={"allowed": True, "reason": []})
    assert stub_page.wait_for_sent("end_turn")["kind"] == "end_turn"


def test_the_past_is_marked_and_left(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, past())
    expect(root.get_by_text("The past.")).to_be_visible()
    expect(press(root, "End turn")).to_have_count(0)
    root.get_by_role("listitem", name=re.compile("^Vex,")).press("Control+z")
    press(root, "Back to now").press("Enter")
    assert intents(stub_page) == []
    assert intents(stub_page, "log") == [{"kind": "at", "seq": None}]
    stub_page.screenshot("tracker-past")
    assert stub_page.axe() == []


def test_when_it_is_over(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked(mode="over", turn={"title": "The fight is over", "sub": ""}))
    expect(press(root, "End turn")).to_have_count(0)
    press(root, "Run it again").press("Enter")
    press(root, "Undo").press("Enter")
    assert intents(stub_page) == [{"kind": "restart"}, {"kind": "undo"}]


def test_players_see_and_control_nothing(stub_page: StubPage) -> None:
    views = fight("reaction")
    for part in [*PARTS, "tracker"]:
        views[part]["players"] = True
    root = mount_tracker(stub_page, views)
    expect(root.get_by_role("group", name="Reaction window")).to_contain_text("waiting for")
    buttons = root.get_by_role("button")
    expect(buttons).not_to_have_count(0)
    folds = buttons.and_(root.locator(".ck-fold > .row > [aria-expanded]")).count()
    names = buttons.evaluate_all("all => all.map(each => each.ariaLabel ?? '')")
    assert sum(not name.startswith(("Rule ", "Rules ")) for name in names) == folds == 4
    expect(root.get_by_role("textbox")).to_have_count(0)
    assert stub_page.axe() == []


def test_a_name_is_text(stub_page: StubPage) -> None:
    text = json.dumps(fight("reaction")).replace("Vex", HOSTILE)
    root = mount_tracker(stub_page, json.loads(text))
    expect(root.get_by_role("heading", name=f"{HOSTILE} moves out of reach")).to_be_visible()
    expect(root.get_by_role("listitem", name=HOSTILE)).to_have_count(1)
    more(root, "Call for reactions")
    expect(root.get_by_role("checkbox", name=HOSTILE)).to_be_visible()
    expect(root.locator("img")).to_have_count(0)


def test_a_rule_mark_of_a_window_opens_once(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    mark = root.get_by_role("button", name="Rule saga.react.ex.aoo")
    mark.click()
    answer(
        stub_page, "rule", "budget", rule="saga.react.ex.aoo", text="One may strike.", locator="p. 155", disputed=False
    )
    expect(root.locator("[popover]")).to_contain_text("One may strike.")
    stub_page.page.keyboard.press("Escape")
    expect(root.locator("[popover]")).to_have_count(0)
    expect(mark).to_be_focused()
    root.get_by_role("listitem").first.focus()
    log = root.get_by_role("log").get_by_role("button", name="Rule saga.move.ex.speed")
    log.click()
    answer(stub_page, "rule", "log", rule="saga.move.ex.speed", text="As fast as it says.", locator="", disputed=False)
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
