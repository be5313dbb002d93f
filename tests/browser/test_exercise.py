"""An exercise's goal with a stub model: its hints, its check, and what the verdict says, seen and heard."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import HOSTILE, THEMES, WIDTHS, delta, intents

GOAL = "Mara comes before Vex. Let Vex act first this round, and Mara attack after that."
RULE = ["saga.delay.what", "A combatant may act later in the round than their count would have them act."]
NOT_YET = {"passed": False, "text": "Vex hasn't acted before Mara.", "rules": [RULE]}
PASSED = {"passed": True, "text": "The goal is reached, in 4 steps.", "rules": []}


def asked(**changes: Any) -> dict[str, Any]:
    """Give the view of an exercise."""
    return {"revision": 0, "goal": GOAL, "hints": [], "more": 3, **changes}


def test_a_check_says_what_is_missing_and_by_which_rule(stub_page: StubPage) -> None:
    root = stub_page.mount("exercise", {"view": asked()})
    expect(root.get_by_role("heading", level=3)).to_have_text(GOAL)
    root.get_by_role("button", name="Check").press("Enter")
    assert intents(stub_page)[-1] == {"kind": "check"}
    delta(stub_page, (["verdict"], NOT_YET))
    expect(root.get_by_role("status")).to_have_text("Not yet. Vex hasn't acted before Mara.")
    expect(root.get_by_text(RULE[1])).to_be_visible()
    delta(stub_page, (["verdict"], PASSED))
    expect(root.get_by_role("status")).to_have_text("Well done. The goal is reached, in 4 steps.")
    expect(root.get_by_text(RULE[1])).to_have_count(0)


def test_hints_come_one_by_one_as_text(stub_page: StubPage) -> None:
    root = stub_page.mount("exercise", {"view": asked()})
    root.get_by_role("button", name="Hint").click()
    assert intents(stub_page)[-1] == {"kind": "hint"}
    delta(stub_page, (["hints"], [HOSTILE]), (["more"], 0))
    expect(root.get_by_role("status")).to_contain_text(HOSTILE)
    expect(root.get_by_role("button", name="Hint")).to_have_count(0)
    expect(root.locator("img")).to_have_count(0)
    stub_page.teardown()
    assert stub_page.listener_count() == 0


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures(stub_page: StubPage, theme: Theme) -> None:
    root = stub_page.mount("exercise", {"view": asked(hints=["Nobody has to act at once."], verdict=NOT_YET)})
    stub_page.set_theme(theme)
    for width in WIDTHS:
        stub_page.set_width(width)
        expect(root.get_by_text(RULE[1])).to_be_visible()
        tops = [button.bounding_box() for button in root.get_by_role("button", name=re.compile("Hint|Check")).all()]
        assert len({box["y"] for box in tops if box}) == 1, "what can be done stands in one line"
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"exercise-{theme}-{width}")
