"""The first fight, played by clicks in a real JupyterLab: what ``make demo`` opens."""

from __future__ import annotations

import re
from ast import literal_eval

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import LabPage
from tests.browser.sizes import mostly_long

NOTEBOOK = "notebooks/00-start-here.ipynb"
TRACKER = 1
ORDER = ["Ilya", "Mara", "Guard 1", "Guard 2", "Guard 3", "Ossik"]

# Every event but the bookkeeping of rounds, pools and places: what was clicked, and nothing else.
TELL = """
import polars as pl

kinds = ["begin", "action", "attack", "turn_end", "undo"]
told = enc.history.events.with_columns(pl.col("kind", "by").cast(str)).filter(pl.col("kind").is_in(kinds))
print(told.select("kind", "round", "actor", "action", "target", "amount", "by", "undone").rows())
"""


class Board:
    """The tracker in a notebook's cell, found as a screen reader finds it."""

    def __init__(self, page: LabPage, cell: int) -> None:
        self.page = page
        self.root = page.cell(cell).locator("[data-lm-suppress-shortcuts]").first
        self.ladder = self.root.get_by_role("list", name="Initiative ladder")
        self.voice = self.root.get_by_role("status").first

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def roll(self, who: str) -> None:
        """Choose in the settings who rolls."""
        self.button("More").click()
        self.button("Settings").click()
        self.root.get_by_role("radio", name=who).check()
        self.button("Close").click()

    def action(self, group: str, name: str) -> Locator:
        """Give the button of an action: its form, once open, has one of the same name."""
        offers = self.root.get_by_role("group", name=group, exact=True).locator("[data-action]")
        return offers.and_(self.root.get_by_role("button", name=name, exact=True))

    def attack(self, target: str, weapon: str = "Heavy blaster") -> None:
        self.action("Attacks", weapon).click()
        self.root.get_by_role("group", name=f"{weapon}: Target").get_by_role("button", name=target).click()

    def expect_left(self, slot: str, left: int) -> None:
        meter = self.root.get_by_role("meter", name=slot, exact=True)
        expect(meter).to_have_attribute("aria-valuenow", str(left))

    def expect_turn(self, name: str, round: int) -> None:
        expect(self.root.get_by_role("heading", name=f"Round {round}").first).to_be_visible()
        expect(self.ladder.locator('[aria-current="true"]')).to_contain_text(name)
        expect(self.root.get_by_role("group", name=f"Action budget: {name}")).to_be_visible()

    def picture(self, name: str) -> None:
        self.page.screenshot(f"journey-{name}", of=self.root)


@pytest.mark.long
def test_first_fight(lab_page: LabPage) -> None:
    lab_page.page.set_viewport_size({"width": 1320, "height": 1500})
    lab_page.open(NOTEBOOK)
    lab_page.run_all()
    board = Board(lab_page, TRACKER)
    board.picture("begun")
    expect(board.ladder.get_by_role("listitem")).to_have_count(len(ORDER))
    board.expect_turn("Ilya", 1)

    type_the_notebook_s_keys(board)
    spend_standard_and_move(board)
    read_why_full_round_is_refused(board)
    for name in [*ORDER[1:], ORDER[0]]:
        board.button("End turn").click()
        board.expect_turn(name, 2 if name == ORDER[0] else 1)
    for name in ["Ossik", "Guard 3"]:
        board.button("Undo").click()
        board.expect_turn(name, 1)
    throw_a_die_at_the_table(board)

    told = literal_eval(lab_page.add_and_run_cell(TELL))
    clicked = [
        ("begin", None, None, None, None, None, "rules", False),
        ("action", 1, "Ilya", "attack", "Guard 1", None, "player", False),
        ("attack", 1, "Ilya", "attack", "Guard 1", 17, "rules", False),
        ("action", 1, "Ilya", "move", None, None, "player", False),
        *[("turn_end", 1, name, None, None, None, "player", name in ("Guard 3", "Ossik")) for name in ORDER],
        ("undo", 2, None, None, None, None, "gm", False),
        ("undo", 1, None, None, None, None, "gm", False),
        ("action", 1, "Guard 3", "attack", "Mara", None, "player", False),
        ("attack", 1, "Guard 3", "attack", "Mara", 19, "rules", False),
    ]
    assert told == clicked
    assert lab_page.add_and_run_cell("enc.history.rolls['source'].cast(str).to_list()[-1]") == "'table'"
    take_pictures(board)


@pytest.mark.parametrize("height", mostly_long([720, 900], 720))
def test_run_all_ends_where_a_second_attack_is_refused_with_its_rule(lab_page: LabPage, height: int) -> None:
    lab_page.page.set_viewport_size({"width": 1280, "height": height})
    lab_page.open(NOTEBOOK)
    lab_page.run_all()
    board = Board(lab_page, TRACKER)
    expect(board.button("End turn")).to_be_in_viewport(ratio=1)
    lab_page.screenshot(f"journey-run-all-{height}")
    board.action("Attacks", "Heavy blaster").click()
    board.root.get_by_role("group", name="Heavy blaster: Target").get_by_role("button", name="Guard 1").click()
    expect(board.root.get_by_text("loses 11").first).to_be_visible()
    again = board.action("Attacks", "Heavy blaster")
    why = re.compile("Needs a standard action; Ilya has none left")
    expect(again).to_have_accessible_description(why)
    again.press("Enter")
    expect(board.root.get_by_role("group", name="Result")).to_contain_text("Ilya has none left")


def type_the_notebook_s_keys(board: Board) -> None:
    """Type what deletes a cell, adds one, stops a kernel: on whatever part has the focus, the notebook takes none."""
    cells = board.page.page.locator(".jp-NotebookPanel:visible .jp-Cell")
    before = cells.count()
    rung = board.ladder.get_by_role("listitem").nth(1)
    for part in (
        rung,
        board.action("Attacks", "Heavy blaster"),
        board.button("End turn"),
        board.root.get_by_role("slider", name="Moment"),
    ):
        part.focus()
        expect(part).to_be_focused()
        for key in "ddabxiimy":
            board.page.page.keyboard.press(key)
        board.page.wait_until_idle()
        expect(cells).to_have_count(before)
        # D and M are the tracker's own: what they have opened is closed again.
        for _ in range(3):
            board.page.page.keyboard.press("Escape")
    expect(board.root.get_by_role("group", name="More", exact=True)).to_have_count(0)
    board.expect_turn("Ilya", 1)


def spend_standard_and_move(board: Board) -> None:
    board.action("Attacks", "Heavy blaster").click()
    expect(board.root.get_by_role("group", name="Heavy blaster: Target")).to_be_visible()
    board.picture("target")
    board.action("Attacks", "Heavy blaster").click()
    board.attack("Guard 1")
    board.expect_left("Standard", 0)
    board.action("Usual", "Move").click()
    board.expect_left("Move", 0)
    board.expect_left("Swift", 1)


def read_why_full_round_is_refused(board: Board) -> None:
    why = "Needs the whole turn, and Ilya has already acted (Attack"
    charge = board.button("Charge")
    expect(charge).to_have_attribute("aria-disabled", "true")
    expect(charge).to_have_accessible_description(re.compile(re.escape(why)))
    charge.press("Enter")
    expect(board.voice).to_contain_text(why)
    board.button("Rule saga.full.symmetric").last.click()
    expect(board.root.get_by_text("Once you have taken a standard").last).to_be_visible()
    board.picture("refused")
    board.page.page.keyboard.press("Escape")
    charge.press("Enter")


def throw_a_die_at_the_table(board: Board) -> None:
    board.roll("we roll at the table")
    board.attack("Mara", "Blaster pistol")
    die = board.root.get_by_role("textbox", name="Number on the d20")
    die.fill("21")
    expect(board.root.get_by_text(re.compile(r"21 is not on a d20\. Type 1 to 20")).first).to_be_visible()
    die.fill("15")
    expect(board.root.get_by_text(re.compile(r"\+ 4 = 19"))).to_be_visible()
    board.picture("table-die")
    for which in ("First", "Second", "Third"):
        board.root.get_by_role("textbox", name=f"{which} d6").fill("2")
    board.root.locator(".ck-work .is-main").click()
    log = board.root.get_by_role("log")
    expect(log).to_contain_text("attacks Mara: 1d20 15 + 4 = 19 against 18, hit")
    expect(log).to_contain_text("loses 7")


def take_pictures(board: Board) -> None:
    """Save how it looks in either theme, and as narrow as a phone."""
    board.picture("light")
    board.page.set_theme("dark")
    board.picture("dark")
    board.page.set_theme("light")
    board.page.page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
    board.page.page.set_viewport_size({"width": 536, "height": 2600})
    board.picture("420")
