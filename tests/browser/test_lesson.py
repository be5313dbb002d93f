"""A lesson by hand: a question and an exercise from a past moment, and a tracker in which nobody is GM."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage, Theme
from tests.browser.live import Live
from tests.browser.widget_views import THEMES
from tests.test_questions import handed_out
from tests.wire import recording


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def played() -> ck.Encounter:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    enc.do("Vex", "move")
    enc.do("Vex", "attack", target="Mara")
    enc.end_turn()
    return enc


def line_of(live: Live) -> str:
    return live.root.get_by_role("textbox", name="Lines of Python").input_value()


def in_the_past(page: StubPage, enc: ck.Encounter) -> tuple[Live, int]:
    """Show a tracker in the past, after the move."""
    live = Live(page, ck.Tracker(enc))
    seq = next(event.seq for event in enc._events if event.kind == "action")
    live.root.get_by_role("slider", name="Moment").fill(str(seq))
    live.settle()
    return live, seq


@pytest.mark.parametrize("theme", THEMES)
def test_a_past_moment_gives_lines_that_can_be_run(
    stub_page: StubPage, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    enc = played()
    live, seq = in_the_past(stub_page, enc)
    stub_page.set_theme(theme)
    live.click("More")
    live.click("Make a question")
    form = live.root.get_by_role("group", name="Make a question")
    form.get_by_label("Action").select_option("full_attack")
    live.settle()
    form.get_by_label("Target").select_option("Ilya")
    live.settle()
    expect(form).to_contain_text("May Vex make a full attack on Ilya?")
    expect(form).to_contain_text("They may not.")
    assert f".fight').at({seq})" in line_of(live)
    assert "ck.question(moment, 'Vex', 'full_attack', target='Ilya')" in line_of(live)
    (made,) = handed_out(line_of(live), enc).items
    assert made.ruling.rule == "saga.full.symmetric"
    for width in (1280, 390):
        stub_page.set_width(width)
        live.settle()
        assert stub_page.axe() == []
        stub_page.screenshot(f"moment-question-{theme}-{width}")


def test_what_cannot_be_asked_says_why_and_has_nothing_to_copy(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(played()))
    live.click("More")
    live.click("Make a question")
    form = live.root.get_by_role("group", name="Make a question")
    expect(form.get_by_role("button", name="Copy")).to_be_visible()
    form.get_by_label("Action").select_option("stand_up")
    live.settle()
    expect(form).to_contain_text("This can't be asked: they may not, but no rule says so")
    expect(form.get_by_role("button", name="Copy")).to_have_count(0)
    expect(form.get_by_role("textbox", name="Lines of Python")).to_have_count(0)


def test_the_lines_are_copied_also_of_the_present_moment(stub_page: StubPage) -> None:
    enc = played()
    live = Live(stub_page, ck.Tracker(enc))
    live.click("More")
    live.click("Make a question")
    box = live.root.get_by_role("textbox", name="Lines of Python")
    expect(box).to_be_visible()
    assert f".at({len(enc._events)})" in line_of(live)
    assert box.evaluate("box => box.scrollHeight <= box.clientHeight")
    stub_page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    live.click("Copy")
    expect(live.root.locator(".is-moment .ck-quiet", has_text="Copied.")).to_be_visible()
    assert stub_page.page.evaluate("navigator.clipboard.readText()") == line_of(live)
    stub_page.page.evaluate("() => void (navigator.clipboard.writeText = () => Promise.reject(new Error('not here')))")
    live.click("Copy")
    expect(live.root.locator(".is-moment .ck-quiet", has_text="It is selected: press Ctrl+C.")).to_be_visible()
    assert stub_page.page.evaluate("String(getSelection())") == line_of(live)


def test_an_exercise_has_a_goal_in_a_sentence(
    stub_page: StubPage, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    enc = played()
    live, seq = in_the_past(stub_page, enc)
    live.click("More")
    live.click("Make an exercise")
    form = live.root.get_by_role("group", name="Make an exercise")
    form.get_by_label("Who").select_option("Mara")
    live.settle()
    form.get_by_label("Action").select_option("attack")
    live.settle()
    box = form.get_by_label("Goal in a sentence")
    wide = [form.locator(each).evaluate("el => el.getBoundingClientRect().width") for each in (".ck-form", ".w2")]
    assert wide[1] > wide[0] - 40, "a sentence has the line to itself"
    box.fill("Let Mara's turn come, and strike.")
    box.press("Tab")
    live.settle()
    task = handed_out(line_of(live), enc)
    assert task.goal == "Let Mara's turn come, and strike."
    assert f".fight').at({seq})" in line_of(live)
    stub_page.screenshot("moment-exercise")
    stub_page.page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    box.fill("Strike first.")
    live.click("Copy")
    assert "words='Strike first.'" in stub_page.page.evaluate("navigator.clipboard.readText()")
    stub_page.page.keyboard.press("Escape")
    expect(form).to_have_count(0)
    expect(live.root.get_by_role("button", name="More", exact=True)).to_be_focused()


def test_in_an_exercise_nobody_is_gm(stub_page: StubPage) -> None:
    task = ck.exercise("saga-keep-the-reaction")
    live = Live(stub_page, ck.Tracker(task.encounter))
    live.click("More")
    more = live.root.get_by_role("group", name="More")
    assert more.get_by_role("button").all_inner_texts()[0].startswith("Shortcuts")
    expect(more.get_by_role("button", name="Damage or heal")).to_have_count(0)
    expect(more.get_by_role("button", name="Settings")).to_have_count(0)
    stub_page.page.keyboard.press("Escape")
    expect(live.root.locator("button.ck-vital")).to_have_count(0)
    live.press("d")
    expect(live.root.get_by_text("GM allows it")).to_have_count(0)
    task.encounter.do("Mara", "attack", target="Vex")
    live.follow()
    live.click("End turn")
    assert task.check().passed, task.check()
    stub_page.screenshot("exercise-tracker")
