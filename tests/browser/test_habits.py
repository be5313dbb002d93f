"""What people do with notebooks and screens: scroll away, run a cell again, open two tabs, choose their own colours."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import LabPage, StubPage
from tests.browser.test_hands import bar, fight, rung
from tests.wire import recording

pytestmark = pytest.mark.long

FIGHT = """
import combatkit as ck

enc = ck.scene("catwalk").encounter("saga", seed=7)
"""
FRAMES = """
    () => {
        globalThis.frames = 0;
        jupyterapp.shell.currentWidget.sessionContext.session.kernel.anyMessage.connect((_, { msg, direction }) => {
            if (direction === "recv" && msg.header.msg_type === "comm_msg") globalThis.frames += 1;
        });
    }
"""
"""Counts the messages of widgets that the kernel sends."""


@pytest.fixture
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


RUN = """
    async cell => {
        jupyterapp.shell.currentWidget.content.activeCellIndex = cell;
        await jupyterapp.commands.execute("notebook:run-cell");
    }
"""


def tracker_of(page: LabPage) -> Locator:
    cell = page.page.locator(".jp-NotebookPanel:visible .jp-Cell", has_text="# the tracker")
    return cell.locator("[data-lm-suppress-shortcuts]").first


def scroll_to(page: LabPage, cell: int) -> None:
    page.page.evaluate("cell => jupyterapp.shell.currentWidget.content.scrollToItem(cell)", cell)


def test_what_is_half_typed_stands_after_scrolling_twenty_cells_away_and_back(lab_page: LabPage) -> None:
    tall = ["print('\\n' * 50)"] * 40
    lab_page.open([*tall[:3], FIGHT, "ck.Tracker(enc)  # the tracker", *tall[5:]])
    lab_page.run_all()
    scroll_to(lab_page, 4)
    root = tracker_of(lab_page)
    root.get_by_role("button", name="Damage or heal").last.click()
    form = root.get_by_role("form", name="Damage or heal")
    form.get_by_role("textbox", name="How much").fill("2d6+3")
    form.get_by_role("textbox", name="Note").fill("the crate falls")
    root.get_by_role("checkbox").first.check()
    ticks = [box.is_checked() for box in root.get_by_role("checkbox").all()]
    scroll_to(lab_page, 26)
    expect(root).not_to_be_in_viewport()
    scroll_to(lab_page, 4)
    expect(root).to_be_in_viewport()
    expect(form.get_by_role("textbox", name="How much")).to_have_value("2d6+3")
    expect(form.get_by_role("textbox", name="Note")).to_have_value("the crate falls")
    assert [box.is_checked() for box in root.get_by_role("checkbox").all()] == ticks
    events = int(lab_page.add_and_run_cell("len(enc.history.events.filter(kind='damage'))"))
    scroll_to(lab_page, 4)
    form.get_by_role("button", name="Damage", exact=True).click()
    expect(form).to_have_count(0)
    assert int(lab_page.add_and_run_cell("len(enc.history.events.filter(kind='damage'))")) == events + sum(ticks)


def test_a_cell_that_ran_thirty_times_costs_a_message_a_click(lab_page: LabPage) -> None:
    lab_page.open([FIGHT, "ck.Tracker(enc)  # the tracker"])
    lab_page.run_all()
    for _ in range(30):
        lab_page.page.evaluate(RUN, 1)
    root = tracker_of(lab_page)
    who = root.locator(".ck-turn b").inner_text()
    lab_page.wait_until_idle()
    lab_page.page.evaluate(FRAMES)
    root.get_by_role("button", name="End turn", exact=True).click()
    expect(root.locator(".ck-turn b")).not_to_have_text(who)
    lab_page.wait_until_idle()
    assert lab_page.page.evaluate("frames") == 1
    assert lab_page.page.locator(".ck-shell").count() == 1


def test_of_two_tabs_one_may_be_closed_in_mid_form_and_a_refusal_shows_once(stub_page: StubPage, wire: None) -> None:
    live = fight(stub_page, "saga")
    live.click(bar(live, "Guard 1"))
    live.press("5")
    second = stub_page.show()
    first = stub_page.page.locator('[data-view="tracker"]').first
    live.settle()
    expect(first.get_by_role("textbox", name="How much")).to_have_value("5")
    expect(second.get_by_role("textbox", name="How much")).to_have_count(0)
    second.get_by_role("button", name="Redo").press("Enter")
    live.settle()
    expect(second.get_by_role("status").first).to_have_text("Nothing to redo.")
    expect(first.get_by_role("status").first).not_to_have_text("Nothing to redo.")
    stub_page.hide()
    live.settle()
    expect(stub_page.page.locator('[data-view="tracker"]')).to_have_count(1)
    left = stub_page.page.locator('[data-view="tracker"]')
    who = left.locator(".ck-turn b").inner_text()
    left.get_by_role("button", name="End turn", exact=True).click()
    expect(left.locator(".ck-turn b")).not_to_have_text(who)


@pytest.mark.parametrize("system", ["saga", "ap", "segments"])
@pytest.mark.parametrize("theme", ["light", "dark"])
def test_in_colours_of_ones_own_pips_bars_and_whose_turn_it_is_are_told_apart(
    stub_page: StubPage, wire: None, system: str, theme: str
) -> None:
    stub_page.page.emulate_media(forced_colors="active", color_scheme=theme)  # type: ignore[arg-type]
    live = fight(stub_page, system)
    live.tracker.encounter.damage("Guard 1", 3)
    live.follow()
    colours = """el => { const { backgroundColor, backgroundImage, borderColor } = getComputedStyle(el);
        return [backgroundColor, backgroundImage.match(/rgba?\\([^)]*\\)/)?.[0], borderColor]; }"""
    page = live.root.locator(".ck-shell").evaluate("el => getComputedStyle(el).color")
    for pip in live.root.locator(".ck-slots .ck-pip:not(.is-spent, .is-off)").all():
        assert pip.evaluate(colours)[0] == page, "what is left is filled"
    filled = bar(live, "Guard 1").locator(".ck-bar")
    assert filled.evaluate(colours)[1] != live.root.locator(".ck").first.evaluate(colours)[0]
    expect(rung(live, "Mara")).to_have_attribute("aria-current", "true")
    now, other = (
        rung(live, name).locator(".ck-state").evaluate("el => getComputedStyle(el).color")
        for name in ("Mara", "Guard 1")
    )
    assert now != other
    stub_page.screenshot(f"forced-colours-{system}-{theme}")
