"""The scrubber in a real JupyterLab, with a kernel behind it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import LabPage

pytestmark = pytest.mark.long

FIGHT = """
import combatkit as ck
enc = ck.Encounter("saga", id="saga-7", seed=7)
enc.add("Mara", side="rebels", dex=4, level=6, hp=38)
enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=16)
enc.start(rolls={"Mara": 17, "Guard 1": 9, "Guard 2": 4})
for _ in range(7):
    enc.adjust("Guard 1", "hp", -1)
    enc.end_turn()
tracker = ck.Tracker(enc)
"""


def test_a_tracker_that_stands_in_another_widget_is_shown_what_happens(lab_page: LabPage) -> None:
    lab_page.open([FIGHT, "enc.end_turn()\nimport ipywidgets\nipywidgets.VBox([tracker])"])
    lab_page.run_all()
    root = lab_page.cell(1).locator("[data-lm-suppress-shortcuts]").first
    now = root.locator(".ck-rung[aria-current=true]")
    expect(now).to_be_visible()
    for _ in range(2):
        active = lab_page.add_and_run_cell("enc.end_turn(); print(enc.active)")
        expect(now).to_contain_text(active.strip())
    assert lab_page.add_and_run_cell("print(tracker.gone)").strip() == "False"


def test_the_past_is_gone_to_by_keys_and_mouse_undone_to_and_branched_from(lab_page: LabPage) -> None:
    lab_page.page.set_viewport_size({"width": 1280, "height": 1400})
    lab_page.open([FIGHT, "tracker"])
    lab_page.run_all()
    root = lab_page.cell(1).locator("[data-lm-suppress-shortcuts]").first
    moment = root.get_by_role("slider", name="Moment")
    clock = root.get_by_role("heading", level=3)
    guard = root.get_by_role("listitem", name=re.compile("^Guard 1,"))
    expect(clock).to_contain_text("Round 3")
    expect(guard).to_have_accessible_name(re.compile("vitality 9 of 16"))

    moment.focus()
    moment.press("PageDown")
    moment.press("PageDown")
    expect(clock).to_contain_text("Round 2")
    expect(guard).to_have_accessible_name(re.compile("vitality 13 of 16"))
    expect(root.get_by_text(re.compile("^You are at event"))).to_be_visible()
    expect(moment).to_be_focused()
    assert lab_page.add_and_run_cell("len(enc._events) > 30, tracker.view['mode']") == "(True, 'past')"

    drag(moment, 0.9, 0.1)
    expect(clock).not_to_contain_text("Round 2")
    expect(moment).to_have_attribute("aria-valuetext", re.compile("^Event [0-9]+ of [0-9]+, "))
    at = int(moment.input_value())
    assert lab_page.add_and_run_cell("tracker.log.view['at']") == str(at)
    moment.press("PageUp")
    expect(clock).to_contain_text("Round 1")
    lab_page.screenshot("lab-past", of=root)

    press(root, "Play on from here")
    expect(root.get_by_role("combobox", name="Branch")).to_have_value(re.compile("^saga-7@"))
    press(root, "End turn")
    expect(root.get_by_text("Guard 1's turn", exact=True)).to_be_visible()
    shared = "enc.branches[0].clock.round, enc.clock.round, tracker.encounter is enc.branches[0]"
    assert lab_page.add_and_run_cell(shared) == "(1, 3, True)"
    root.get_by_role("combobox", name="Branch").select_option("saga-7")
    expect(clock).to_contain_text("Round 3")

    moment.press("PageDown")
    expect(root.get_by_text(re.compile("^You are at event"))).to_be_visible()
    moment.press("PageDown")
    expect(clock).to_contain_text("Round 2")
    press(root, "Undo what came after")
    expect(root.get_by_text(re.compile("^You are at event"))).to_have_count(0)
    assert lab_page.add_and_run_cell("enc.clock.round, enc.active") == "(2, 'Mara')"


def press(root: Locator, name: str) -> None:
    root.get_by_role("button", name=name, exact=True).click()


def drag(moment: Locator, start: float, end: float) -> None:
    """Drag along the scrubber, from one part of its length to another."""
    box = moment.bounding_box()
    assert box
    mouse = moment.page.mouse
    y = box["y"] + box["height"] / 2
    mouse.move(box["x"] + start * box["width"], y)
    mouse.down()
    mouse.move(box["x"] + end * box["width"], y, steps=25)
    mouse.up()
