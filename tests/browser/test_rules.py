"""The table of rulebooks with a stub model."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import combatkit as ck
from combatkit.study.differences import topics
from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import HOSTILE, THEMES, WIDTHS, answer, delta, focused, intents, refuse

SYSTEMS = [["saga", "Star Wars Saga Edition", True], ["d6", "D6 zone system", True], ["ap", "Action points", False]]


def delays() -> dict[str, Any]:
    """Give the view of a topic, some of its answers missing."""
    price = [[["Delaying costs a free action.", "saga.delay.free", False]], [], []]
    lasts = [
        [["The new count replaces the old for the rest of the combat.", "saga.delay.permanent", False]],
        [["Whether the new place lasts past this round is not said.", "d6.init.shift.persist", True]],
        [],
    ]
    more = [[["You declare a delay on your own turn.", "saga.delay.on-own-turn", False]], [], []]
    return {
        "revision": 0,
        "topic": "delay",
        "topics": [["initiative", "Initiative"], ["delay", "Delay"]],
        "systems": SYSTEMS,
        "rows": [{"question": "What does it cost?", "cells": price}, {"question": "Does it last?", "cells": lasts}],
        "more": {"question": "What else the rulebook says", "cells": more},
    }


@pytest.mark.long
def test_shows_a_row_a_question_and_a_column_a_system(stub_page: StubPage) -> None:
    root = stub_page.mount("rules", {"view": delays()})
    table = root.get_by_role("table", name="Delay", exact=True)
    expect(table.get_by_role("columnheader")).to_have_text(["Question", *(str(title) for _, title, _ in SYSTEMS)])
    row = table.get_by_role("row", name="Does it last?")
    expect(row.get_by_role("cell").nth(1)).to_contain_text("is not said. disputed")
    expect(row.get_by_role("cell").nth(2)).to_have_text("The rulebook says nothing.")
    expect(root.get_by_label("Topic")).to_have_value("delay")
    expect(root.get_by_text("own turn")).to_be_hidden()
    root.get_by_text("What else the rulebook says (1 rule)").click()
    expect(root.get_by_text("own turn")).to_be_visible()


BROKEN = """() => {
  const broken = [];
  for (const mark of document.querySelectorAll('.ck-rule')) {
    const texts = document.createTreeWalker(mark, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
      for (const word of texts.currentNode.data.matchAll(/[a-z0-9]+/g)) {
        const range = new Range();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        if (new Set([...range.getClientRects()].map((r) => r.top)).size > 1) broken.push(mark.dataset.rule);
      }
    }
  }
  return broken;
}"""


@pytest.mark.parametrize("topic", mostly_long(list(topics()), "reactions"))
def test_a_rules_id_breaks_only_after_a_dot_or_a_hyphen(stub_page: StubPage, topic: str) -> None:
    stub_page.set_width(700)
    root = stub_page.mount("rules", {"view": ck.RuleTable(ck.contrast(topic)).view})
    expect(root.locator("thead").first).to_be_visible()
    assert root.locator(".ck-rule").count() > 2
    assert stub_page.page.evaluate(BROKEN) == []


def test_a_mark_opens_its_rule_by_keyboard(stub_page: StubPage) -> None:
    root = stub_page.mount("rules", {"view": delays()})
    mark = root.get_by_role("button", name="Rule saga.delay.free")
    mark.press("Enter")
    answer(stub_page, "rule", rule="saga.delay.free", text="Delaying costs a free action.", locator="AT[2]")
    expect(mark).to_have_attribute("aria-expanded", "true")
    expect(root.locator(".ck-pop")).to_contain_text("AT[2]")
    stub_page.page.keyboard.press("Escape")
    expect(root.locator(".ck-pop")).to_have_count(0)
    assert focused(stub_page) == "Rule saga.delay.free"


def test_an_example_runs_and_closes_again(stub_page: StubPage) -> None:
    root = stub_page.mount("rules", {"view": delays()})
    button = root.get_by_role("button", name="Example, D6 zone system")
    button.press("Enter")
    question = answer(stub_page, "example", system="d6", code='enc = ck.Encounter("d6")\nenc.order', outcome="Mara 9")
    assert question["system"] == "d6"
    expect(root.get_by_label("Code")).to_have_text('enc = ck.Encounter("d6")\nenc.order')
    expect(root.get_by_label("Result")).to_have_text("Mara 9")
    expect(root.get_by_role("status")).to_have_text("Result: Mara 9")
    expect(button).to_have_attribute("aria-expanded", "true")
    expect(button).to_be_focused()
    button.press("Enter")
    expect(root.get_by_label("Code")).to_have_count(0)
    expect(root.get_by_role("button", name="Example")).to_have_count(2)


def test_another_topic_is_asked_for_and_shown(stub_page: StubPage) -> None:
    root = stub_page.mount("rules", {"view": delays()})
    root.get_by_role("button", name="Example, D6 zone system").click()
    answer(stub_page, "example", system="d6", code="enc.order", outcome="Mara 9")
    root.get_by_label("Topic").select_option("initiative")
    assert intents(stub_page)[-1] == {"kind": "topic", "topic": "initiative"}
    roll = {"question": "What decides?", "cells": [[["d20.", "saga.init.formula", False]], [], []]}
    delta(stub_page, (["topic"], "initiative"), (["rows"], [roll]))
    expect(root.get_by_role("table", name="Initiative", exact=True)).to_contain_text("d20.")
    expect(root.get_by_label("Code")).to_have_count(0)
    expect(root.get_by_role("status")).to_have_text("Initiative: 1 question")


def test_a_refusal_is_said(stub_page: StubPage) -> None:
    root = stub_page.mount("rules", {"view": delays()})
    root.get_by_role("button", name="Example, D6 zone system").click()
    refuse(stub_page, "example", "There is none.")
    expect(root.get_by_role("status")).to_have_text("There is none.")


def test_one_topic_has_a_heading(stub_page: StubPage) -> None:
    root = stub_page.mount("rules", {"view": delays() | {"topics": [["delay", "Delay"]]}})
    expect(root.get_by_role("heading")).to_have_text("Delay")
    expect(root.get_by_role("combobox")).to_have_count(0)


def test_words_are_text(stub_page: StubPage) -> None:
    view = delays()
    view["topics"][1][1] = view["rows"][0]["question"] = HOSTILE
    view["rows"][0]["cells"][0] = [[HOSTILE, "saga.delay.free", False]]
    view["systems"] = [["saga", HOSTILE, True], *SYSTEMS[1:]]
    root = stub_page.mount("rules", {"view": view})
    expect(root.get_by_role("columnheader", name=HOSTILE)).to_be_visible()
    root.get_by_role("button", name="Example").first.click()
    answer(stub_page, "example", system="saga", code=HOSTILE, outcome=HOSTILE)
    expect(root.get_by_label("Code")).to_have_text(HOSTILE)
    expect(root.locator("img")).to_have_count(0)


def test_teardown_leaves_nothing(stub_page: StubPage) -> None:
    stub_page.mount("rules", {"view": delays()})
    assert stub_page.listener_count() > 0
    stub_page.teardown()
    assert stub_page.listener_count() == 0


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures(stub_page: StubPage, theme: Theme) -> None:
    root = stub_page.mount("rules", {"view": delays()})
    stub_page.set_theme(theme)
    root.locator("summary").click()
    root.get_by_role("button", name="Example, D6 zone system").click()
    answer(stub_page, "example", system="d6", code='enc = ck.Encounter("d6", seed=1)\nenc.order', outcome="Mara 9")
    for width in WIDTHS:
        stub_page.set_width(width)
        expect(root.get_by_label("Code")).to_be_visible()
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"rules-{theme}-{width}")
