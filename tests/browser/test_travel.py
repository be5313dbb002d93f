"""The scrubber: in the log by itself and in the Tracker, with a stub model and with Python behind it."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from combatkit.widgets import Tracker
from tests.browser.harness import StubPage, Theme, settle
from tests.browser.sizes import mostly_long
from tests.browser.test_log import long_log
from tests.browser.widget_views import PARTS, THEMES, WIDTHS, answer, delta, fight, intents, refuse

NOW = {
    "events": 240,
    "at": None,
    "label": "Round 6",
    "way": None,
    "fork": None,
    "given": None,
    "branch": "saga-7",
    "branches": ["saga-7"],
}


def mount(page: StubPage, **changes: object) -> Locator:
    """Show a log with a scrubber, and give the scrubber's range."""
    page.mount("log", {"view": fight()["log"] | NOW | changes})
    return page.page.get_by_role("slider", name="Moment")


def arrive(page: StubPage, at: int | None, label: str = "Round 2", way: object = None) -> None:
    """Answer where one has gone."""
    delta(page, (["at"], at), (["label"], label), (["way"], way))


def status(page: StubPage) -> Locator:
    return page.page.get_by_role("status")


def press(page: StubPage, name: str) -> None:
    page.page.get_by_role("button", name=name, exact=True).click()


def test_says_event_and_round(stub_page: StubPage) -> None:
    moment = mount(stub_page)
    expect(moment).to_have_value("240")
    expect(moment).to_have_attribute("aria-valuetext", "Event 240 of 240, Round 6")
    expect(stub_page.page.get_by_text("The past.")).to_have_count(0)
    moment.press("ArrowLeft")
    expect(moment).to_have_attribute("aria-valuetext", "Event 239 of 240")
    arrive(stub_page, 239)
    expect(moment).to_have_attribute("aria-valuetext", "Event 239 of 240, Round 2")
    expect(stub_page.page.get_by_text("The past.")).to_be_visible()
    expect(moment).to_be_focused()
    expect(status(stub_page)).to_have_text("")


def test_keys_go_by_events_by_rounds_and_to_the_ends(stub_page: StubPage) -> None:
    moment = mount(stub_page, at=100)
    stub_page.page.evaluate("() => { globalThis.heard = 0; document.body.onkeydown = () => { heard += 1; }; }")
    for key, intent, at in (
        ("ArrowLeft", {"seq": 99}, 99),
        ("ArrowUp", {"seq": 100}, 100),
        ("PageDown", {"seq": 100, "rounds": -1}, 81),
        ("PageUp", {"seq": 81, "rounds": 1}, 121),
        ("Home", {"seq": 1}, 1),
        ("End", {"seq": None}, None),
    ):
        moment.press(key)
        assert intents(stub_page)[-1] == {"kind": "at", **intent}, key
        arrive(stub_page, at)
        expect(moment).to_have_attribute("aria-valuetext", f"Event {at or 240} of 240, Round 2")
    count = len(intents(stub_page))
    moment.press("PageUp")
    moment.press("ArrowRight")
    arrive(stub_page, 1)
    expect(moment).to_have_attribute("aria-valuetext", "Event 1 of 240, Round 2")
    moment.press("PageDown")
    moment.press("ArrowLeft")
    assert len(intents(stub_page)) == count, "there is nothing beyond the ends"
    assert stub_page.page.evaluate("heard") == 0


def test_one_question_at_a_time_and_then_the_newest_wish(stub_page: StubPage) -> None:
    moment = mount(stub_page)
    for _ in range(30):
        moment.press("ArrowLeft")
    assert intents(stub_page) == [{"kind": "at", "seq": 239}]
    expect(moment).to_have_value("210")
    delta(stub_page, (["last"], 45))
    settle(stub_page.page)
    assert len(intents(stub_page)) == 1, "other news is no answer"
    arrive(stub_page, 239)
    expect(moment).to_have_value("210")
    stub_page.wait_until(lambda: len(intents(stub_page)) == 2)
    assert intents(stub_page)[-1] == {"kind": "at", "seq": 210}
    moment.press("ArrowRight")
    moment.press("ArrowLeft")
    arrive(stub_page, 210)
    expect(moment).to_have_attribute("aria-valuetext", "Event 210 of 240, Round 2")
    assert len(intents(stub_page)) == 2, "one is there already"


def test_keys_held_down_add_up_and_never_wait_for_nothing(stub_page: StubPage) -> None:
    moment = mount(stub_page)
    for _ in range(3):
        moment.press("PageDown")
    assert intents(stub_page) == [{"kind": "at", "seq": 240, "rounds": -1}]
    arrive(stub_page, 121)
    stub_page.wait_until(lambda: len(intents(stub_page)) == 2)
    assert intents(stub_page)[-1] == {"kind": "at", "seq": 121, "rounds": -2}
    moment.press("PageUp")
    moment.press("PageDown")
    arrive(stub_page, 81)
    expect(moment).to_have_attribute("aria-valuetext", "Event 81 of 240, Round 2")
    moment.press("ArrowRight")
    assert intents(stub_page)[2:] == [{"kind": "at", "seq": 82}]


def test_a_refusal_is_said_and_the_needle_goes_back(stub_page: StubPage) -> None:
    moment = mount(stub_page)
    moment.press("Home")
    refuse(stub_page, "at", "There is no event 1.")
    expect(status(stub_page)).to_have_text("There is no event 1.")
    expect(moment).to_have_value("240")
    moment.press("Home")
    assert len(intents(stub_page)) == 2, "it may be asked again"


def test_what_can_be_done_from_the_past(stub_page: StubPage) -> None:
    moment = mount(stub_page, **long_log(41, 240) | {"at": 100, "cursor": 100}, way=["undo", 104], fork=100)
    press(stub_page, "Previous event")
    delta(stub_page, (["at"], 99), (["cursor"], 99), (["label"], "Round 2"))
    expect(status(stub_page)).to_have_text(re.compile(r"does 99\. Event 99 of 240, Round 2\.$"))
    press(stub_page, "Next event")
    arrive(stub_page, 100, way=["undo", 104])
    press(stub_page, "Undo what came after")
    press(stub_page, "Play on from here")
    arrive(stub_page, 100, way=["redo", 103])
    press(stub_page, "Redo up to here")
    press(stub_page, "Back to now")
    assert intents(stub_page) == [
        {"kind": "at", "seq": 99},
        {"kind": "at", "seq": 100},
        {"kind": "undo", "to": 104},
        {"kind": "branch", "seq": 100},
        {"kind": "redo", "to": 103},
        {"kind": "at", "seq": None},
    ]
    arrive(stub_page, None)
    expect(stub_page.page.get_by_role("button", name="Back to now")).to_have_count(0)
    expect(moment).to_be_focused()


def test_neither_undo_nor_redo_where_neither_leads(stub_page: StubPage) -> None:
    mount(stub_page, at=100)
    expect(stub_page.page.get_by_role("button", name=re.compile("^Undo|^Redo"))).to_have_count(0)


def test_a_branch_from_within_a_call_is_offered_from_its_end(stub_page: StubPage) -> None:
    mount(stub_page, at=5, fork=12, call="Move (Vex)")
    press(stub_page, "Play on from after Move (Vex)")
    assert intents(stub_page) == [{"kind": "branch", "seq": 12}]


def test_another_fight_than_the_one_given_says_so_and_leads_back(stub_page: StubPage) -> None:
    mount(stub_page, branch="docks@41", branches=["docks", "docks@41"], given="docks", called="docks")
    travel = stub_page.page.get_by_role("group", name="Travel")
    expect(travel).to_be_visible()
    page = stub_page.page
    expect(page.get_by_text("The variable you started with still holds docks.")).to_be_visible()
    expect(page.get_by_text("Another way on: docks@41.")).to_be_visible()
    stub_page.screenshot("travel-branch")
    assert stub_page.axe() == []
    press(stub_page, "Back to docks")
    assert intents(stub_page) == [{"kind": "switch", "branch": "docks"}]
    delta(stub_page, (["branch"], "saga-9"), (["branches"], ["saga-9"]))
    expect(page.get_by_text("Another fight: saga-9.")).to_be_visible()
    expect(stub_page.page.get_by_role("button", name="Back to docks")).to_have_count(0)


def test_a_fight_without_a_title_is_the_one_that_was_begun_with(stub_page: StubPage) -> None:
    mount(stub_page, branch="saga-7@41", branches=["saga-7", "saga-7@41"], given="saga-7")
    said = "The variable you started with still holds the fight you began with."
    expect(stub_page.page.get_by_text(said)).to_be_visible()
    press(stub_page, "Back to the fight you began with")
    assert intents(stub_page) == [{"kind": "switch", "branch": "saga-7"}]


def test_branches_are_listed_and_switched_to(stub_page: StubPage) -> None:
    mount(stub_page)
    menu = stub_page.page.get_by_role("combobox", name="Branch")
    expect(menu).to_have_count(0)
    delta(stub_page, (["branches"], ["saga-7", "saga-7@41"]))
    expect(menu).to_have_value("saga-7")
    menu.select_option("saga-7@41")
    assert intents(stub_page) == [{"kind": "switch", "branch": "saga-7@41"}]
    delta(stub_page, (["branch"], "saga-7@41"), (["events"], 41))
    expect(menu).to_have_value("saga-7@41")
    expect(stub_page.page.get_by_role("slider", name="Moment")).to_have_value("41")


def test_players_have_none(stub_page: StubPage) -> None:
    stub_page.mount("log", {"view": fight()["log"] | {"players": True, "events": 0, "at": None}})
    expect(stub_page.page.get_by_role("log")).to_be_visible()
    expect(stub_page.page.get_by_role("slider")).to_have_count(0)


def test_a_moment_long_past_shows_the_lines_around_it(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(241, 440) | NOW | {"events": 440}})
    delta(stub_page, (["at"], 60), (["cursor"], 60))
    page = long_log(48, 72)
    question = answer(stub_page, "log", lines=page["lines"], heads=page["heads"])
    assert (question["from"], question["to"]) == (48, 72)
    expect(root.get_by_role("listitem")).to_have_count(25)
    expect(root.get_by_text("does 60.")).to_be_in_viewport()
    expect(root.locator("[aria-current]")).to_contain_text("does 60.")
    expect(root.get_by_role("button", name="Earlier")).to_have_count(0)
    delta(stub_page, (["at"], 61), (["cursor"], 61))
    expect(root.locator("[aria-current]")).to_contain_text("does 61.")
    assert len([each for each in intents(stub_page) if each["kind"] == "log"]) == 1
    delta(stub_page, (["at"], None), (["cursor"], 440))
    expect(root.get_by_role("listitem")).to_have_count(200)
    expect(root.get_by_text("does 440.")).to_be_in_viewport()


def test_the_cursor_of_the_past_is_in_sight(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(1, 120) | NOW | {"events": 120}})
    delta(stub_page, (["at"], 20), (["cursor"], 20))
    expect(root.locator(".ck-line").get_by_text("does 20.")).to_be_in_viewport()
    assert stub_page.page.evaluate("scrollY") == 0
    delta(stub_page, (["at"], None), (["cursor"], 120))
    expect(root.get_by_text("does 120.")).to_be_in_viewport()


# ── with Python behind it ──


class Table:
    """A Tracker on a page, its fight in Python: messages are carried between them by hand."""

    def __init__(self, page: StubPage) -> None:
        self.page = page
        self.enc = ck.Encounter("saga", seed=7)
        self.enc.add("Mara", side="rebels", dex=4, level=6, hp=38, attack_bonus=9)
        self.enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=16, defense=15)
        self.enc.start(rolls={"Mara": 17, "Guard 1": 9, "Guard 2": 4})
        for _ in range(2):
            self.enc.do("Mara", "attack", target="Guard 1", rolls=[14], damage=5)
            for _ in range(3):
                self.enc.end_turn()
        self.tracker = Tracker(self.enc)
        self.tracker._wake()
        self.down: list[Any] = []
        self.tracker.send = self.down.append
        self.heard = dict.fromkeys(["tracker", *PARTS], 0)
        refs = {part: f"anywidget:{part}" for part in PARTS}
        children = {part: (part, {"view": getattr(self.tracker, part).view}) for part in PARTS}
        self.root = page.mount("tracker", {"view": self.tracker.view, **refs}, children)
        self.moment = self.root.get_by_role("slider", name="Moment")
        self.clock = self.root.get_by_role("heading", level=3)

    def carry(self) -> None:
        """Carry what was sent to Python, and what it says to the page."""
        for name in self.heard:
            for message in self.page.sent(name)[self.heard[name] :]:
                self.heard[name] += 1
                widget = self.tracker if name == "tracker" else getattr(self.tracker, name)
                widget._hear(None, message, [])
        while self.down:
            self.page.deliver(self.down.pop(0), "tracker")

    def rung(self, name: str) -> Locator:
        return self.root.get_by_role("listitem", name=re.compile(f"^{name},"))


def accent(page: StubPage, of: Locator) -> bool:
    """Say whether something bears the one accent."""
    red, green, blue = of.evaluate("el => getComputedStyle(el).color.match(/[\\d.]+/g).slice(0, 3).map(Number)")
    return bool(red > green + 40 > blue)


def test_the_past_is_shown_in_ladder_budget_and_clock_and_left(stub_page: StubPage) -> None:
    table = Table(stub_page)
    expect(table.clock).to_have_text(re.compile("Round 3"))
    expect(table.rung("Guard 1")).to_have_accessible_name(re.compile("vitality 6 of 16"))
    state = table.rung("Mara").locator(".ck-state")
    assert accent(stub_page, state)
    table.moment.press("PageDown")
    table.carry()
    expect(table.clock).to_have_text(re.compile("Round 2"))
    table.moment.press("ArrowRight")
    table.carry()
    past = table.enc.at(int(table.moment.input_value()))
    expect(table.rung("Guard 1")).to_have_accessible_name(re.compile(f"vitality {past['Guard 1'].values['hp']} of 16"))
    expect(table.rung("Mara")).to_have_accessible_name(re.compile(", then;"))
    expect(state).to_have_text("then")
    assert not accent(stub_page, state), "the accent means now"
    expect(table.root.get_by_role("group", name="Action budget: Mara")).to_contain_text("as it was at event")
    expect(table.root.get_by_role("button", name="End turn")).to_have_count(0)
    expect(table.moment).to_be_focused()
    press(stub_page, "Back to now")
    table.carry()
    expect(state).to_have_text("now")
    assert accent(stub_page, state)
    expect(table.root.get_by_role("button", name="End turn")).to_be_visible()
    expect(status(stub_page)).to_have_text("Mara's turn. Round 3, 12 seconds.")


def test_undone_to_a_moment_and_redone_from_the_page(stub_page: StubPage) -> None:
    table = Table(stub_page)
    third = table.tracker._vantage.log_lines.index.rounds[2]
    table.moment.press("Home")
    table.carry()
    for _ in range(2):
        table.moment.press("PageUp")
        table.carry()
        expect(table.root.get_by_role("group", name="Result")).to_contain_text("You are at event")
    press(stub_page, "Undo what came after")
    table.carry()
    assert table.enc.clock.round == 2
    expect(table.root.get_by_role("group", name="Result")).not_to_contain_text("You are at event")
    table.moment.press("End")
    for _ in range(60):
        if table.moment.input_value() == str(third):
            break
        table.moment.press("ArrowLeft")
        table.carry()
    press(stub_page, "Redo up to here")
    table.carry()
    expect(table.clock).to_have_text(re.compile("Round 3"))
    assert table.enc.clock.round == 3


def test_a_branch_from_the_page_and_back(stub_page: StubPage) -> None:
    table = Table(stub_page)
    table.moment.press("Home")
    table.carry()
    table.moment.press("PageUp")
    table.carry()
    press(stub_page, "Play on from here")
    table.carry()
    menu = table.root.get_by_role("combobox", name="Branch")
    (branch,) = table.enc.branches
    expect(menu).to_have_value(branch.id)
    assert table.tracker.encounter is branch
    expect(table.clock).to_have_text(re.compile("Round 1"))
    table.root.get_by_role("button", name="End turn").click()
    table.carry()
    menu.select_option(table.enc.id)
    table.carry()
    expect(table.clock).to_have_text(re.compile("Round 3"))
    assert table.tracker.encounter is table.enc


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures(stub_page: StubPage, theme: Theme) -> None:
    table = Table(stub_page)
    table.enc.branch(20)
    stub_page.set_theme(theme)
    for moment in ("now", "past"):
        if moment == "past":
            table.moment.press("Home")
            table.carry()
            table.moment.press("PageUp")
            table.carry()
            expect(table.root.get_by_role("combobox", name="Branch")).to_be_visible()
        for width in WIDTHS:
            stub_page.set_width(width)
            assert stub_page.axe() == []
            assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
            stub_page.screenshot(f"travel-{moment}-{theme}-{width}")
