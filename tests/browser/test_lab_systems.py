"""A round and a hard case of each further system, played by mouse and keyboard in a real JupyterLab."""

from __future__ import annotations

from ast import literal_eval
from collections.abc import Sequence

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

from tests import soaking
from tests.browser.harness import LabPage
from tests.browser.widget_views import unfold

pytestmark = pytest.mark.long

AP = """
fight = docks()
ck.Tracker(fight)  # played by clicks
"""
SEGMENTS = """
fight = ck.Encounter("segments", seed=4)
fight.add_table("weapon_speeds", [{"id": "sword", "speed": 5}, {"id": "dagger", "speed": 2}])
fight.add("Mara", side="party", aac0=14, ac=3, hp=38, weapons=["sword"])
fight.add("Ilya", side="party", aac0=19, ac=8, hp=17, weapons=["dagger"])
fight.add("Vex", side="cult", npc=True, aac0=17, ac=6, hp=20, weapons=["sword"])
fight.start()
ck.Tracker(fight)  # played by clicks
"""
D6 = """
fight = ck.Encounter("d6", seed=6, map=docks)
fight.add("Ossik", side="rebels", at="quay", initiative=3, resolve=12, defense=11, search=2, weapons=[rifle])
fight.add("Mara", side="rebels", at="quay", initiative=2, resolve=15, defense=12, weapons=[blaster])
fight.add("Guard", side="empire", at="stacks", count=2, npc=True, initiative=2, resolve=6, defense=11, weapons=[rifle])
fight.start(rolls={"Ossik": 6, "Mara": 5})
ck.Tracker(fight)  # played by clicks
"""
PHASES = """
fight = ck.Encounter("phases", seed=5, tables={"manoeuvres": [{"id": "dodge", "title": "Dodge", "ocv": 0, "dcv": 3}]})
fight.add("Vex", **hunters, combat_value=9, ocv=7, dcv=7, stun=40, movement=8, at=(0, 0))
fight.add("Ilya", **rebels, combat_value=8, ocv=6, dcv=7, stun=30, movement=10, at=(0, 1))
fight.add("Dray", **hunters, combat_value=5, ocv=6, dcv=5, stun=45, movement=6, at=(1, 1))
fight.start()
ck.Tracker(fight)  # played by clicks
"""
WINDOW: ViewportSize = {"width": 1320, "height": 2600}
"""Tall enough for the whole of a tracker, which is then one picture."""
# What people chose, without what the rules made of it and without dice.
TELL = """
told = fight.history.events.with_columns(pl.col("kind", "by").cast(str))
told = told.filter((pl.col("by") == "player") & pl.col("kind").is_in(["action", "answer", "turn_end"]))
print(told.select("kind", "round", "actor", "action", "target").rows())
"""


class Board:
    """The tracker of the fight in an added cell, found as a screen reader finds it."""

    def __init__(self, page: LabPage, system: str) -> None:
        self.page = page
        self.system = system
        cell = page.page.locator(".jp-NotebookPanel:visible .jp-Cell", has_text="# played by clicks")
        self.root = cell.locator("[data-lm-suppress-shortcuts]").first
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

    def group(self, name: str) -> Locator:
        return self.root.get_by_role("group", name=name, exact=True)

    def act(self, name: str, **choices: str) -> None:
        """Press an action and choose what it asks for, each by its button."""
        button = self.root.locator(".ck-desk [data-action]").and_(self.button(name))
        if not button.count():
            self.root.locator(".ck-fold > [aria-expanded=false]").first.click()  # so many more can be done
        button.click()
        for asked, value in choices.items():
            self.group(f"{name}: {asked.title()}").get_by_role("button", name=value, exact=True).click()

    def answer(self, *choices: str) -> None:
        """Answer what is asked, each choice by its button; what is left to press sends it."""
        window = self.root.locator(".ck-desk [data-window]")
        for choice in choices:
            window.get_by_role("button", name=choice, exact=True).first.click()
        send = window.locator(".ck-work .is-main")
        if send.count():
            send.click()

    def rung(self, name: str) -> Locator:
        return self.ladder.get_by_role("listitem").filter(has_text=name)

    def slot(self, title: str) -> Locator:
        return self.root.get_by_role("meter", name=title, exact=True)

    def expect_left(self, slot: str, left: int) -> None:
        expect(self.slot(slot)).to_have_attribute("aria-valuenow", str(left))

    def end_turn(self, then: str, label: str = "End turn") -> None:
        self.button(label).click()
        self.expect_turn(then)

    def expect_turn(self, name: str) -> None:
        expect(self.ladder.locator('[aria-current="true"]')).to_contain_text(name)
        expect(self.group(f"Action budget: {name}")).to_be_visible()

    def tell(self) -> Sequence[tuple[object, ...]]:
        """Give what the kernel holds of the fight: kind, round, actor, action and target of what was chosen."""
        told = literal_eval(self.page.add_and_run_cell(TELL))
        assert isinstance(told, list)
        return told

    def picture(self, name: str) -> None:
        self.page.screenshot(f"systems-{self.system}-{name}", of=self.root)

    def take_pictures(self) -> None:
        """Save in a soak how it looks in either theme, and as narrow as a phone."""
        if soaking.seconds(1) is None:
            return
        self.picture("light")
        self.page.set_theme("dark")
        self.picture("dark")
        self.page.set_theme("light")
        self.page.page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
        self.page.page.set_viewport_size({"width": 536, "height": 4000})
        self.picture("420")
        self.page.page.evaluate("() => jupyterapp.commands.execute('application:toggle-left-area')")
        self.page.page.set_viewport_size(WINDOW)


def open_fight(page: LabPage, notebook: str, cell: str) -> Board:
    page.page.set_viewport_size(WINDOW)
    page.open(f"notebooks/{notebook}.ipynb")
    page.run_all()
    page.add_and_run_cell(cell)
    board = Board(page, notebook[3:])
    expect(board.ladder).to_be_visible()
    return board


@pytest.mark.soak
def test_ap_reaction_is_paid_off_turn(lab_page: LabPage) -> None:
    board = open_fight(lab_page, "03-action-points", AP)
    board.expect_turn("Mara")
    board.act("Attack", target="Vex")
    window = board.group("Vex reacts: Mara attacks Vex")
    expect(window).to_be_visible()
    board.expect_left("Action Points", 3)
    board.picture("window")
    board.answer("Parry", "It failed")
    expect(window).to_have_count(0)
    board.button("Carry on").click()
    board.expect_turn("Mara")
    board.end_turn("Vex")
    board.expect_left("Action Points", 2)
    board.picture("paid")
    board.take_pictures()
    for name in ("Ilya", "Guard 2", "Guard 1", "Mara"):
        board.end_turn(name)
    expect(board.root.get_by_role("heading", name="Round 2").first).to_be_visible()
    assert board.tell() == [
        ("action", 1, "Mara", "attack", "Vex"),
        ("action", 1, "Vex", "parry", None),
        *[("answer", 1, name, None, None) for name in ("Ilya", "Guard 2", "Guard 1")],
        *[("turn_end", 1, name, None, None) for name in ("Mara", "Vex", "Ilya", "Guard 2", "Guard 1")],
    ]
    spent = "fight.history.budgets.filter((pl.col('combatant') == 'Vex') & (pl.col('round') == 1))['spent'].to_list()"
    assert lab_page.add_and_run_cell(spent) == "[1]"


@pytest.mark.soak
def test_segments_tie_and_one_who_delays(lab_page: LabPage) -> None:
    board = open_fight(lab_page, "04-segments", SEGMENTS)
    board.picture("declare")
    board.roll("we roll at the table")
    board.button("End step").click()
    board.button("End step").click()  # nobody has declared anything
    faces = board.root.get_by_role("textbox", name="Number on the d6")
    faces.first.press("4")
    faces.last.press("4")
    use = board.root.locator(".ck-work .is-main")
    expect(use).not_to_have_attribute("aria-disabled", "true")
    faces.last.press("Enter")  # leads to the button, and rolls nothing
    expect(use).to_be_focused()
    use.press("Enter")
    board.expect_turn("Ilya")
    board.roll("combatkit rolls")
    board.act("Delay")
    board.expect_turn("Mara")
    expect(board.rung("Ilya")).to_contain_text("delayed")
    board.take_pictures()
    board.act("Attack routine", target="Vex")
    board.end_turn("Vex")
    board.act("Attack routine", target="Ilya")
    board.end_turn("Ilya")
    board.button("End turn").click()
    expect(board.root.get_by_role("heading", name="Round 2").first).to_be_visible()
    assert board.tell() == [
        ("action", 1, "Ilya", "delay", None),
        ("action", 1, "Mara", "attack", "Vex"),
        ("turn_end", 1, "Mara", None, None),
        ("action", 1, "Vex", "attack", "Ilya"),
        ("turn_end", 1, "Vex", None, None),
        ("turn_end", 1, "Ilya", None, None),
    ]
    dice = "fight.history.rolls.filter(pl.col('source').cast(str) == 'table')['faces'].to_list()"
    assert lab_page.add_and_run_cell(dice) == "[[4], [4]]"


@pytest.mark.soak
def test_d6_held_action_is_triggered(lab_page: LabPage) -> None:
    board = open_fight(lab_page, "02-d6", D6)
    board.expect_turn("Ossik")
    board.act("Move", destination="crane")
    board.expect_left("Move", 0)
    board.act("Hold", action="Attack")
    form = board.root.get_by_role("form", name="Hold: Ossik")
    form.get_by_role("textbox", name="Trigger").fill("a guard raises his rifle")
    board.picture("hold")
    form.get_by_role("button", name="Hold", exact=True).click()
    board.expect_turn("Mara")
    expect(board.rung("Ossik")).to_contain_text("Use it")
    board.act("Aim", option="bonus")
    expect(board.group("Result")).to_contain_text("Ossik may use the held attack: a guard raises his rifle")
    board.take_pictures()
    board.button("Carry on").click()  # nobody has raised a rifle
    board.end_turn("Guard 1")
    expect(board.rung("Mara")).to_contain_text("aiming")
    board.act("rifle", target="Mara")
    board.picture("window")
    board.button("React: Ossik").click()
    expect(board.group("Ossik reacts: Guard 1 attacks Mara")).to_be_visible()
    board.answer()
    expect(board.rung("Ossik")).not_to_contain_text("raises his rifle")
    expect(board.rung("Guard 1")).to_contain_text("out")  # so its own shot, which waited, is never fired
    board.picture("fired")
    board.end_turn("Guard 2")  # the turn of one who is out is not over by itself
    board.end_turn("Ossik")
    expect(board.root.get_by_role("heading", name="Round 2").first).to_be_visible()
    assert board.tell() == [
        ("action", 1, "Ossik", "move", None),
        ("action", 1, "Ossik", "hold", None),
        ("action", 1, "Mara", "aim", None),
        ("answer", 1, "Ossik", None, None),
        ("turn_end", 1, "Mara", None, None),
        ("action", 1, "Guard 1", "attack", "Mara"),
        ("action", 1, "Ossik", "use_held", "Guard 1"),
        ("action", 1, "Ossik", "attack", "Guard 1"),
        ("turn_end", 1, "Guard 1", None, None),
        ("turn_end", 1, "Guard 2", None, None),
    ]
    shots = "fight.history.rolls.filter(pl.col('purpose') == 'attack').select('actor', 'notation').rows()"
    assert lab_page.add_and_run_cell(shots) == "[('Ossik', '4D+1')]"


@pytest.mark.soak
def test_phases_abort_and_its_debt(lab_page: LabPage) -> None:
    board = open_fight(lab_page, "05-phases", PHASES)
    board.expect_turn("Vex")
    board.end_turn("Ilya", "Done acting")
    board.end_turn("Dray", "Done acting")
    board.rung("Ilya").click()
    expect(board.group("Action budget: Ilya")).to_be_visible()
    board.act("Abort")
    board.picture("abort")
    board.group("Abort: Action").get_by_role("button", name="Dodge", exact=True).click()
    expect(board.rung("Ilya")).to_contain_text("owes phase 2")
    expect(board.rung("Ilya").locator(".ck-cells > i")).to_have_text(["", "\u00d7", "", ""])
    board.take_pictures()
    unfold(board.root)
    again = board.root.locator('.ck-desk [data-action="abort"]')
    expect(again).to_have_attribute("aria-disabled", "true")
    expect(again).to_have_accessible_description("Ilya has already given up phase 2.")
    board.end_turn("Vex", "Done acting")
    board.act("Strike", target="Ilya")
    board.picture("phase-2")
    board.end_turn("Dray", "Done acting")
    board.end_turn("Vex", "Done acting")
    board.end_turn("Ilya", "Done acting")
    for name in ("Dray", "Vex", "Ilya", "Dray", "Vex"):
        board.end_turn(name, "Done acting")
    expect(board.root.get_by_role("heading", name="Turn 2").first).to_be_visible()
    assert board.tell() == [
        *[("turn_end", 1, name, None, None) for name in ("Vex", "Ilya")],
        ("action", 1, "Ilya", "abort", None),
        ("action", 1, "Ilya", "dodge", None),
        ("turn_end", 1, "Dray", None, None),
        ("action", 1, "Vex", "strike", "Ilya"),
        *[("turn_end", 1, name, None, None) for name in ("Vex", "Dray", "Vex", "Ilya", "Dray", "Vex", "Ilya", "Dray")],
    ]
    owed = "fight.history.events.filter(pl.col('kind') == 'turn_lost').select('actor', 'text').rows()"
    assert lab_page.add_and_run_cell(owed) == "[('Ilya', 'gives up the action in phase 2')]"
