"""A comparison saved as a page, opened as a class does: from a file, offline, on phones too."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.failures import Recorder
from tests.browser.harness import Theme, faults_of
from tests.browser.sizes import mostly_long
from tests.browser.test_page import Exported
from tests.browser.widget_views import THEMES


@pytest.fixture
def lanes(new_context: Recorder, tmp_path: Path) -> Iterator[Exported]:
    """Give the page of one fight in five systems; it asks for nothing but its own file, and no error is seen."""
    fights = [ck.scene("catwalk").encounter(rules.id, seed=7) for rules in ck.rulesets()]
    for enc in fights:
        ck.play(enc, ck.tactics.strike, seconds=60)
    file = ck.Comparison(fights).to_html(tmp_path / "five-ways.html", title="The same fight, five ways")
    with new_context(viewport={"width": 1080, "height": 900}, offline=True) as context:
        shown = Exported(context)
        shown.page.goto(file.as_uri())
        yield shown
        assert shown.requests == [file.as_uri()]
        shown.assert_clean()


def test_lanes_and_three_questions_and_no_code_in_sight(lanes: Exported) -> None:
    page = lanes.page
    expect(page.get_by_role("heading", name="The same fight, five ways")).to_be_visible()
    systems = page.get_by_role("list", name="Systems").get_by_role("listitem")
    expect(systems).to_have_count(5)
    expect(systems.nth(0)).to_contain_text("The hunters win in Round 8, begun at 0:42")
    expect(page.locator("pre, code, form, input[type=number]")).to_have_count(0)

    page.get_by_role("slider", name="Game seconds").fill("2")
    expect(systems.nth(0).locator(".told")).to_contain_text("second attack: Needs a standard action")
    systems.nth(0).get_by_role("button", name="Rule saga.std.one").click()
    expect(page.locator(".ck-pop")).to_contain_text(ck.ruleset("saga").rules["saga.std.one"].text)
    page.keyboard.press("Escape")

    questions = page.get_by_role("heading", name="Three questions").locator("xpath=..").locator("ol > li")
    expect(questions).to_have_count(3)
    expect(questions.nth(0).get_by_text("Needs an Action")).to_be_hidden()
    questions.nth(0).get_by_text("Answers").click()
    expect(questions.nth(0).get_by_text("Needs an Action")).to_be_visible()


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures(lanes: Exported, theme: Theme) -> None:
    lanes.page.emulate_media(color_scheme=theme)
    for answer in lanes.page.get_by_text("Answers").all():
        answer.click()
    for width in (390, 1080):
        lanes.set_width(width)
        assert faults_of(lanes.page) == []
        assert lanes.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        lanes.screenshot(f"lanes-{theme}-{width}")
