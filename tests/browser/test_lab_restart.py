"""A kernel that is restarted in the middle of a fight: one cell, and play goes on as if nothing had been."""

from __future__ import annotations

import re

from playwright.sync_api import Locator, expect

from tests.browser.harness import LabPage

FIGHT = """
import combatkit as ck
enc = ck.Encounter("saga", seed=7, journal="restart.combat")
enc.add("Mara", side="rebels", dex=4, level=6, hp=38)
enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=16)
enc.start(rolls={"Mara": 17, "Guard 1": 9, "Guard 2": 4})
enc
"""
AGAIN = """
import combatkit as ck
enc = ck.Encounter.open("restart.combat")
enc
"""


def test_after_a_restart_one_cell_goes_on_and_undo_reaches_back_before_it(lab_page: LabPage) -> None:
    page = lab_page.page
    page.set_viewport_size({"width": 1280, "height": 1400})
    lab_page.open([FIGHT])
    lab_page.run_all()
    tracker = lab_page.cell(0).locator("[data-lm-suppress-shortcuts]").first
    press(tracker, "Climb")
    for whose in ("Guard 1", "Guard 2", "Mara", "Guard 1", "Guard 2"):
        press(tracker, "End turn")
        expect(tracker.get_by_text(f"{whose}'s turn", exact=True)).to_be_visible()

    page.get_by_role("menuitem", name="Kernel", exact=True).click()
    page.get_by_role("menuitem", name=re.compile("^Restart Kernel…")).click()
    page.get_by_role("dialog").get_by_role("button", name="Restart", exact=False).last.click()
    page.wait_for_function("() => jupyterapp.shell.currentWidget.sessionContext.session.kernel.status !== 'idle'")
    lab_page.wait_until_idle()

    lab_page.add_and_run_cell(AGAIN)
    tracker = lab_page.cell(1).locator("[data-lm-suppress-shortcuts]").first
    expect(tracker.get_by_text("Guard 2's turn", exact=True)).to_be_visible()
    expect(tracker.get_by_role("heading", level=3)).to_contain_text("Round 2")
    press(tracker, "End turn")
    expect(tracker.get_by_text("Mara's turn", exact=True)).to_be_visible()
    press(tracker, "Climb")
    lab_page.screenshot("lab-restarted", of=tracker)
    for whose in ("Mara", "Guard 2", "Guard 1", "Mara", "Guard 2", "Guard 1", "Mara"):
        tracker.get_by_role("button", name="Undo").click()
        expect(tracker.get_by_text(f"{whose}'s turn", exact=True)).to_be_visible()
    assert lab_page.add_and_run_cell("enc.clock.round, enc.active, enc.can_undo") == "(1, 'Mara', 'Climb')"
    lab_page.add_and_run_cell("enc.redo()")
    assert lab_page.add_and_run_cell("enc.clock.round, enc.active") == "(1, 'Guard 1')"
    assert lab_page.add_and_run_cell("enc.history.events['kind'].to_list().count('undo')") == "7"


def press(tracker: Locator, name: str) -> None:
    tracker.get_by_role("button", name=name, exact=True).click()
