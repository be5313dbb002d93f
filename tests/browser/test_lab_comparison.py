"""One fight in five systems, scrubbed by keyboard and mouse in a real JupyterLab."""

from __future__ import annotations

import re
from ast import literal_eval

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

import combatkit as ck
from tests.browser.harness import LabPage

pytestmark = pytest.mark.long

WINDOW: ViewportSize = {"width": 1180, "height": 1500}
LIVE = """
live = [catwalk.encounter(system, seed=7) for system in systems]
ck.Comparison(live, span=30)  # followed
"""
# What the histories say of the first minute, in the order of the lanes: turns, actions, attacks, reactions.
SUMS = """
sums = []
for fight in fights:
    h = fight.history
    early = h.rounds.filter(pl.col("seconds") < 60)  # one stopped at the minute has just opened the next round
    until = pl.col("round") <= early["round"].max()
    declared = h.events.filter((pl.col("kind") == "action") & ~pl.col("undone") & until)
    attacks = [a for a in declared["action"] if "attack" in fight.ruleset.actions[a].tags]
    turns = h.turns.filter(until)
    sums.append((turns.height, early["actions"].sum(), len(attacks), early["reactions"].sum()))
print(sums)
"""


def comparison(page: LabPage, code: str) -> Locator:
    cell = page.page.locator(".jp-NotebookPanel:visible .jp-Cell", has_text=code)
    return cell.locator("[data-lm-suppress-shortcuts]").first


def numbers(lane: Locator) -> tuple[int, ...]:
    """Read a lane's own words: turns, actions, attacks, reactions."""
    words = lane.get_attribute("aria-label") or ""
    found = {what: int(n) for n, what in re.findall(r"(\d+) (turn|action|attack|reaction)", words)}
    return found["turn"], found["action"], found["attack"], found.get("reaction", 0)


def test_the_comparison_is_scrubbed_by_keyboard_and_mouse(lab_page: LabPage) -> None:
    lab_page.page.set_viewport_size(WINDOW)
    lab_page.open("notebooks/07-same-fight-five-ways.ipynb")
    lab_page.run_all()
    root = comparison(lab_page, "ck.Comparison(fights)")
    lanes = root.get_by_role("list", name="Systems").get_by_role("listitem")
    expect(lanes).to_have_count(5)
    needle = root.get_by_role("slider", name="Game seconds")

    # Each lane's numbers are those of its encounter's history.
    told = literal_eval(lab_page.add_and_run_cell(SUMS))
    assert [numbers(lane) for lane in lanes.all()] == told

    # By keyboard: ends, seconds, rounds. The notebook takes none of these keys.
    cells = lab_page.page.locator(".jp-NotebookPanel:visible .jp-Cell").count()
    needle.focus()
    for key in ("Home", "d", "d", "PageUp", "PageUp", "ArrowRight"):
        lab_page.page.keyboard.press(key)
    expect(needle).to_have_value("13")
    assert lab_page.page.locator(".jp-NotebookPanel:visible .jp-Cell").count() == cells
    expect(lanes.nth(0).locator(".at")).to_have_text("Round 3")
    expect(lanes.nth(3).locator(".at")).to_have_text("Round 1, HIGH half, melee (D3)")
    assert (needle.get_attribute("aria-valuetext") or "").startswith("0:13. Star Wars Saga Edition: Round 3, Vex. ")
    lab_page.page.keyboard.press("Tab")
    lab_page.page.keyboard.press("ArrowDown")
    lab_page.page.keyboard.press("ArrowRight")
    lab_page.page.keyboard.press("Enter")
    expect(root.locator(".ck-pop")).to_contain_text("A round has no fixed length")
    lab_page.page.keyboard.press("Escape")

    # By mouse: a press on a lane, and a drag along it.
    strip = lanes.nth(4).locator(".strip")
    strip.scroll_into_view_if_needed()
    box = strip.bounding_box()
    assert box is not None
    lab_page.page.mouse.move(box["x"] + 2, box["y"] + 20)
    lab_page.page.mouse.down()
    lab_page.page.mouse.move(box["x"] + box["width"] * 0.45, box["y"] + 20, steps=5)
    lab_page.page.mouse.up()
    expect(needle).to_have_value("27")
    told_there = lanes.nth(0).locator(".told")
    expect(told_there).to_contain_text("second attack: Needs a standard action")
    expect(told_there).to_contain_text("§")

    # What a round of d6 is taken to last is a setting.
    field = root.get_by_label(f"Seconds a round, {ck.ruleset('d6').title}")
    field.fill("10")
    field.press("Enter")
    expect(lanes.nth(1)).to_contain_text("rounds, 10 s each")
    assert lab_page.page.locator(".jp-NotebookPanel:visible .jp-Cell").count() == cells

    for theme in ("light", "dark"):
        lab_page.set_theme(theme)
        lab_page.screenshot(f"comparison-lab-{theme}", of=root)
    lab_page.set_theme("light")
    lab_page.page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
    lab_page.page.set_viewport_size({"width": 536, "height": 2600})
    lab_page.screenshot("comparison-lab-420", of=root)
    inside = root.evaluate("node => node.scrollWidth <= node.clientWidth")
    assert inside


def test_the_comparison_follows_fights_as_they_go_on(lab_page: LabPage) -> None:
    lab_page.page.set_viewport_size(WINDOW)
    lab_page.open("notebooks/07-same-fight-five-ways.ipynb")
    lab_page.run_all()
    lab_page.add_and_run_cell(LIVE)
    root = comparison(lab_page, "# followed")
    lanes = root.get_by_role("list", name="Systems").get_by_role("listitem")
    expect(lanes.nth(0).locator(".told")).to_contain_text("last turn: Vex everybody so far: 1 turn, 0 actions")
    lab_page.add_and_run_cell("_ = live[0].do('Vex', 'attack', target='Mara')")
    expect(lanes.nth(0).locator(".rate")).to_contain_text("1action 1 is an attack")
    lab_page.add_and_run_cell("for fight in live: ck.play(fight, ck.tactics.strike, seconds=12)")
    expect(lanes.nth(4).locator(".at")).to_have_text("Turn 2 · Phase 1")
    lab_page.add_and_run_cell("_ = live[0].undo(1)")
    expect(lanes.nth(0).locator(".rate")).to_contain_text("0actions 0 are attacks")
