"""The map of a tracker in a real JupyterLab: it comes with the first place, and what is tapped on it is done."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.harness import LabPage

pytestmark = pytest.mark.long

FIGHT = """
import combatkit as ck
enc = ck.Encounter("phases", id="gantry", seed=7)
enc.add("Mara", side="crew", movement=6, combat_value=9, stun=30)
enc.add("Vex", side="gang", npc=True, stun=30)
enc.start()
"""


def test_it_comes_with_the_first_place_and_what_is_tapped_is_done(lab_page: LabPage) -> None:
    lab_page.page.set_viewport_size({"width": 1500, "height": 1100})
    lab_page.open([FIGHT, "ck.Tracker(enc)"])
    lab_page.run_all()
    root = lab_page.cell(1).locator("[data-lm-suppress-shortcuts]").first
    expect(root.locator(".ck-rung[aria-current=true]")).to_be_visible()
    expect(root.locator(".ck-map")).to_have_count(0)
    lab_page.add_and_run_cell('place = enc.place({"Mara": (0, 0), "Vex": (4, 0)})')
    expect(root.locator(".mp-name")).to_have_text(["Mara", "Vex"])
    here = root.locator(".mp-here").bounding_box()
    assert here is not None
    x, y = here["x"] - 1.5 * here["width"], here["y"] + here["height"] / 2
    lab_page.page.mouse.click(x, y)
    expect(root.locator(".mp-form")).to_contain_text("2 of 3 hexes")
    lab_page.page.mouse.click(x, y)
    expect(root.locator(".mp-form")).to_have_count(0)
    assert lab_page.add_and_run_cell('enc["Mara"].position').strip() == "(-2, 0)"
    lab_page.screenshot("lab-map", of=root)
