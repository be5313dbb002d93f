"""A quiz with a stub model: answered by hand and by keyboard, and read by whoever doesn't see it."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import HOSTILE, THEMES, WIDTHS, delta, intents

RULE = ["saga.move.max-two", "Moving takes at most two of a turn's actions."]
ANSWER = {
    "allowed": False,
    "rule": "saga.delay.what",
    "right": False,
    "may": False,
    "head": "They may not, but by another rule.",
    "told": "Mara has moved twice.",
    "because": [RULE],
    "others": [["D6 zone system", "One move a turn."]],
}


def asked(**changes: Any) -> dict[str, Any]:
    """Give the view of a question."""
    return {
        "revision": 0,
        "at": 1,
        "strip": [True, None, None],
        "moment": "Round 3",
        "system": "Star Wars Saga Edition",
        "situation": "It's Mara's turn. So far: Move, Draw.",
        "question": "May Mara charge?",
        "order": [
            {"name": "Vex", "score": "26", "side": 1, "status": "acted", "state": "acted", "asked": False},
            {"name": "Mara", "score": "24", "side": 0, "status": "now", "state": "now", "asked": True},
        ],
        "slots": [
            {"title": "Standard", "left": "1/1", "spent": False},
            {"title": "Move", "left": "0/1", "spent": True},
        ],
        "laws": [["saga.delay.what", "A delay is declared on your own turn."], RULE],
        "hints": [],
        "more": 3,
        "refuses": False,
        "note": "",
        **changes,
    }


def test_a_question_is_answered_by_keyboard(stub_page: StubPage) -> None:
    root = stub_page.mount("quiz", {"view": asked()})
    expect(root.get_by_role("heading", level=3)).to_have_text("Question 2 of 3")
    expect(root.get_by_role("group")).to_have_count(1)
    root.get_by_role("button", name="They may not").press("Enter")
    expect(root.get_by_role("status")).to_have_text("By which rule?")
    root.get_by_role("group", name="Rule").get_by_role("button", name="A delay is declared on your own turn.").press(
        "Enter"
    )
    assert intents(stub_page)[-1] == {"kind": "answer", "question": 1, "allowed": False, "rule": "saga.delay.what"}
    delta(stub_page, (["answer"], ANSWER), (["strip"], [True, False, None]))
    expect(root.get_by_role("status")).to_have_text("They may not, but by another rule. Mara has moved twice.")
    expect(root.get_by_role("button", name="They may not right")).to_have_attribute("aria-pressed", "true")
    expect(root.get_by_role("button", name="A delay is declared on your own turn. your answer")).to_be_visible()
    expect(root.get_by_role("button", name="Moving takes at most two of a turn's actions. right")).to_be_visible()
    expect(root.get_by_text("One move a turn.")).to_be_visible()
    before = len(intents(stub_page))
    root.get_by_role("button", name="They may", exact=True).press("Enter")
    assert len(intents(stub_page)) == before


PRINTED = """el => {
    const range = document.createRange();
    range.selectNodeContents(el);
    return range.getBoundingClientRect().toJSON();
}"""
"""Where the words of something are printed."""


@pytest.mark.parametrize("width", [420, 833, 1280])
def test_the_moment_and_its_rules_lie_beside_each_other_or_below(stub_page: StubPage, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    moment = {"moment": "Round 3, HIGH half, melee (D3)", "system": "Segments (one-minute rounds)"}
    root = stub_page.mount("quiz", {"view": asked(**moment)})
    cap = root.get_by_role("region", name="The moment").locator(".ck-cap")
    when, rules, whole = (at.evaluate(PRINTED) for at in (cap.locator("h4"), cap.locator(".ck-label"), cap))
    beside = when["x"] + when["width"] + 8 <= rules["x"] + 0.1
    assert beside or when["y"] + when["height"] <= rules["y"] + 0.1
    box = cap.bounding_box()
    assert box is not None
    assert whole["x"] + whole["width"] <= box["x"] + box["width"] + 0.1
    assert whole["y"] + whole["height"] <= box["y"] + box["height"] + 0.1


def test_a_yes_is_one_tap_and_a_hint_is_shown(stub_page: StubPage) -> None:
    root = stub_page.mount("quiz", {"view": asked()})
    root.get_by_role("button", name="Hint").click()
    assert intents(stub_page)[-1] == {"kind": "hint", "question": 1}
    delta(stub_page, (["hints"], ["Left to Mara: Standard 1."]), (["more"], 0))
    expect(root.locator(".ck-hint")).to_have_text("Left to Mara: Standard 1.")
    expect(root.get_by_role("button", name="Hint")).to_have_count(0)
    root.get_by_role("button", name="They may", exact=True).click()
    assert intents(stub_page)[-1] == {"kind": "answer", "question": 1, "allowed": True, "rule": ""}


def test_where_they_may_no_rule_is_asked_for(stub_page: StubPage) -> None:
    root = stub_page.mount("quiz", {"view": asked()})
    root.get_by_role("button", name="They may", exact=True).click()
    may = {**ANSWER, "allowed": True, "rule": "", "right": True, "may": True, "head": "Right.", "told": "They may."}
    delta(stub_page, (["answer"], may), (["strip"], [True, True, None]))
    expect(root.get_by_role("status")).to_have_text("Right. They may.")
    expect(root.get_by_role("group", name="Rule")).to_have_count(0)


def test_the_strip_leads_to_any_question(stub_page: StubPage) -> None:
    root = stub_page.mount("quiz", {"view": asked()})
    root.get_by_role("button", name="They may not").click()
    root.get_by_role("button", name="1: right").click()
    assert intents(stub_page)[-1] == {"kind": "refuse", "question": 1}, "half an answer is told first"
    root.get_by_role("button", name="1: right").click()
    assert intents(stub_page)[-1] == {"kind": "turn_to", "question": 0}
    root.get_by_role("button", name="Next question").click()
    assert intents(stub_page)[-1] == {"kind": "turn_to", "question": 2}
    delta(stub_page, (["at"], 2), (["question"], HOSTILE), (["situation"], ""))
    expect(root.get_by_role("status")).to_contain_text(HOSTILE)
    expect(root.get_by_role("group")).to_have_count(1)
    expect(root.get_by_role("button", name="Next question")).to_have_count(0)
    root.get_by_role("button", name="How it went").click()
    assert intents(stub_page)[-1] == {"kind": "turn_to_end"}
    expect(root.locator("img")).to_have_count(0)
    stub_page.teardown()
    assert stub_page.listener_count() == 0


END = {
    "title": "1 of 3 right",
    "text": "Still open: 3. Tap a question to answer it. Save the notebook: your answers are in it.",
    "rows": [
        {"text": "May Vex move?", "right": True, "told": "They may.", "rule": ""},
        {
            "text": "May Mara charge Guard 1?",
            "right": False,
            "told": "They may not. Mara has moved twice.",
            "rule": RULE[0],
        },
        {"text": "May Guard 1 make an attack of opportunity on Mara?", "right": None, "told": "", "rule": ""},
    ],
}


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_the_last_page_says_what_was_right(stub_page: StubPage, theme: Theme) -> None:
    root = stub_page.mount("quiz", {"view": asked(strip=[True, False, None])})
    stub_page.set_theme(theme)
    delta(stub_page, (["at"], 3), (["end"], END))
    expect(root.get_by_role("status")).to_have_text(f"{END['title']}. {END['text']}")
    expect(root.get_by_role("heading", level=3)).to_have_text("So far")
    expect(root.get_by_text("They may not. Mara has moved twice. §")).to_be_visible()
    expect(root.get_by_text("not answered")).to_be_visible()
    told = root.locator(".ck-went p").nth(1).bounding_box()
    assert told is not None
    assert told["height"] < 32, "its § makes no line taller"
    delta(stub_page, (["strip"], [True, False, True]))
    expect(root.get_by_role("heading", level=3)).to_have_text("Done")
    for width in WIDTHS:
        stub_page.set_width(width)
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"quiz-end-{theme}-{width}")
    root.get_by_role("button", name="3. May Guard 1").click()
    assert intents(stub_page)[-1] == {"kind": "turn_to", "question": 2}


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures(stub_page: StubPage, theme: Theme) -> None:
    root = stub_page.mount("quiz", {"view": asked(hints=["Left to Mara: Standard 1."], more=2)})
    stub_page.set_theme(theme)
    root.get_by_role("button", name="They may not").click()
    for width in WIDTHS:
        stub_page.set_width(width)
        expect(root.get_by_text(RULE[1])).to_be_visible()
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"quiz-{theme}-{width}")
    delta(stub_page, (["answer"], ANSWER), (["strip"], [True, False, None]))
    expect(root.get_by_text("One move a turn.")).to_be_visible()
    assert stub_page.axe() == []
    stub_page.screenshot(f"quiz-{theme}-answered")


def test_half_an_answer_is_said_to_be_none_once(stub_page: StubPage) -> None:
    root = stub_page.mount("quiz", {"view": asked()})
    half = "Choose a rule first, or go on without an answer."
    root.get_by_role("button", name="They may not").click()
    before = len(intents(stub_page))
    root.get_by_role("button", name="Next question").click()
    assert len(intents(stub_page)) == before
    expect(root.get_by_role("status")).to_have_text(half)
    expect(root.locator(".ck-hint")).to_have_text(half)
    root.get_by_role("button", name="Next question").click()
    assert intents(stub_page)[-1] == {"kind": "turn_to", "question": 2}
    delta(stub_page, (["at"], 2))
    expect(root.get_by_text(half)).to_have_count(0)
    root.get_by_role("button", name="They may not").click()
    root.get_by_role("button", name="How it went").click()
    expect(root.locator(".ck-hint")).to_have_text(half)
    root.get_by_role("group", name="Rule").get_by_role("button").first.click()
    delta(stub_page, (["answer"], ANSWER))
    expect(root.get_by_text(half)).to_have_count(0)
    root.get_by_role("button", name="How it went").click()
    assert intents(stub_page)[-1] == {"kind": "turn_to_end"}


def test_the_next_question_comes_into_sight_where_the_answer_was_long(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 390, "height": 500})
    root = stub_page.mount("quiz", {"view": asked()})
    stub_page.page.add_style_tag(content="body { padding-block-end: 200vh }")  # as in a notebook: more comes below
    delta(stub_page, (["answer"], ANSWER), (["strip"], [True, False, None]))
    head = root.get_by_role("heading", level=3)
    root.get_by_role("button", name="Next question").click()
    expect(head).not_to_be_in_viewport()
    assert intents(stub_page)[-1] == {"kind": "turn_to", "question": 2}
    delta(stub_page, (["at"], 2), (["answer"], None))
    expect(head).to_have_text("Question 3 of 3")
    expect(head).to_be_in_viewport()
