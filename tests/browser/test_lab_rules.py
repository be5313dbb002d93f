"""Rulebooks side by side in a real JupyterLab, with a kernel that answers."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.harness import LabPage

pytestmark = pytest.mark.long

CELLS = ["import combatkit as ck", 'ck.contrast("delay", "ties")']


def test_a_topic_is_chosen_a_rule_opened_and_an_example_run(lab_page: LabPage) -> None:
    lab_page.open(CELLS)
    lab_page.run_all()
    widget = lab_page.cell(1).locator(".ck")
    table = widget.get_by_role("table", name="Delay", exact=True)
    expect(table.get_by_role("columnheader").nth(1)).to_have_text("Star Wars Saga Edition")

    mark = widget.get_by_role("button", name="Rule saga.delay.free")
    mark.press("Enter")
    expect(widget.locator(".ck-pop")).to_contain_text("Delaying costs a free action.")
    lab_page.page.keyboard.press("Escape")
    expect(widget.locator(".ck-pop")).to_have_count(0)

    widget.get_by_role("button", name="Example, Segments").press("Enter")
    expect(widget.get_by_label("Result")).to_have_text("Orc LOW now\nBo LOW delayed")
    lab_page.screenshot("lab-rules")

    widget.get_by_label("Topic").select_option("ties")
    expect(widget.get_by_role("table", name="Ties", exact=True)).to_contain_text("the higher Dexterity modifier")
    expect(widget.get_by_label("Result")).to_have_count(0)
