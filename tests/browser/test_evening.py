"""An evening by hand in every system: only what a mouse and a keyboard reach, with Python behind it."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
ROUNDS = dict.fromkeys(SYSTEMS, 5) | {"phases": 2}
"""Of phases' rounds, which have four phases and a recovery each, two are as long as the others' five."""

MOST_STEPS = 400
"""More than any evening takes; a fight that hangs ends here."""


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield from recording(monkeypatch)


class Evening:
    """One who plays by hand: takes turns, answers what is asked, and counts."""

    def __init__(self, live: Live) -> None:
        self.live = live
        self.root = live.root
        self.done: dict[str, int] = {}

    @property
    def enc(self) -> ck.Encounter:
        return self.live.tracker.encounter

    @property
    def events(self) -> int:
        return self.enc.history.events.height

    def turn(self) -> None:
        """Do one thing that stands on the stage: answer what is asked, act, or go on."""
        windows = self.root.locator(".ck-react")
        if windows.count():
            self.answer(windows.last)
        elif self.enc.active is None:
            self.call_the_roll()
            self.go_on()
        else:
            self.act()
            if not windows.count():
                self.go_on()

    def go_on(self) -> None:
        for name in ("End turn", "End phase", "End step", "Carry on"):
            if self.live.button(name).count():
                self.live.click(name)
                self.fill_dice()
                return

    def act(self) -> None:
        """Do the first thing that has not been done often, with the first target there is."""
        budget = self.root.locator(".ck-budget")
        offers = budget.locator(".ck-cost:not([hidden]) [data-action]")
        found = [(offers.nth(n).get_attribute("data-action") or "", n) for n in range(offers.count())]
        if not found:
            return
        action, index = min(found, key=lambda each: (self.done.get(each[0], 0), each[1]))
        self.done[action] = self.done.get(action, 0) + 1
        offer = offers.nth(index)
        before = self.events
        self.live.click(offer)
        self.fill_form(before)

    def fill_form(self, before: int) -> None:
        """Choose the first of each that is asked for, type dice, and use them; what can't be done is closed again."""
        form = self.root.locator(".ck-targets")
        for _ in range(8):
            if self.events > before or not form.count():
                return
            asked = form.locator('[role="group"]:visible')
            empty = [
                asked.nth(n).locator('.ck-act:not([aria-disabled]):not([aria-pressed="true"])').first
                for n in range(asked.count())
                if not asked.nth(n).locator('[aria-pressed="true"]').count()
            ]
            empty = [each for each in empty if each.count()]
            texts = form.locator("input:visible:not(.ck-face):not([type=checkbox])")
            for n in range(texts.count()):
                if not texts.nth(n).input_value():
                    texts.nth(n).fill("3" if texts.nth(n).get_attribute("type") == "number" else "the door opens")
            if empty:
                self.live.click(empty[0])
                continue
            if self.root.locator(".ck-face:visible").count() and self.fill_dice():
                continue
            go = form.locator(".ck-btn.is-main:not([aria-disabled])")
            if not go.count():
                break
            self.live.click(go.first)
        if form.count() and self.events == before:
            form.locator("button, input, summary").first.press("Escape")
            self.live.settle()

    def fill_dice(self) -> bool:
        """Type a middling face into each box, and use them; say whether they could be used."""
        boxes = self.root.locator(".ck-face:visible")
        for index in range(boxes.count()):
            if not boxes.nth(index).input_value():
                boxes.nth(index).press_sequentially("3")
        self.live.settle()
        use = self.root.locator(".ck-btn:not([aria-disabled])", has_text="Use th")
        if not use.count():
            return False
        self.live.click(use)
        return True

    def answer(self, window: Locator) -> None:
        """Take up the first offer that is new; else carry on, where nobody must answer."""
        before = self.events
        offers = window.locator(".ck-pair > .ck-btn:visible")
        names = [offers.nth(n).inner_text() for n in range(offers.count())]
        wanted = next((n for n, name in enumerate(names) if not self.done.get(name)), None)
        on = self.live.button("Carry on")
        if not names or (wanted is None and on.count() and not on.get_attribute("aria-disabled")):
            self.go_on()
            return
        wanted = wanted or 0
        self.done[names[wanted]] = 1
        self.live.click(offers.nth(wanted))
        self.fill_form(before)
        self.fill_dice()

    def call_the_roll(self) -> None:
        """Say what everybody means to do, where everybody is asked."""
        asked = self.root.locator('.ck-doing [role="listitem"] [data-action]')
        if asked.count():
            before = self.events
            self.live.click(asked.first)
            self.fill_form(before)
            if self.root.locator(".ck-targets").count():
                self.root.locator(".ck-targets button").first.press("Escape")

    # ── what is done besides ──

    def more(self, title: str, **fields: str) -> None:
        """Fill in a form of More, each field by its label, and send it."""
        self.live.click("More")
        self.live.click(title)
        form = self.root.get_by_role("form", name=title)
        for label, text in fields.items():
            field = form.get_by_role("combobox", name=label).or_(form.get_by_role("textbox", name=label)).first
            if field.evaluate("el => el.tagName") == "SELECT":
                field.select_option(text)
            else:
                field.fill(text)
        self.live.click(form.locator("button.is-main"))
        self.fill_dice()
        if self.live.button("More").get_attribute("aria-expanded") == "true":
            self.live.click("More")

    def leave(self) -> None:
        self.gone = self.enc.names[-1]
        self.more("Take out of the fight", Who=self.gone)
        assert self.gone not in [rung.combatant for rung in self.enc.order]

    def join(self) -> None:
        self.more("Bring somebody in", Name="Ossik", Side="rebels")
        assert "Ossik" in self.enc.names

    def come_back(self) -> None:
        self.more("Bring somebody in", Name=self.gone, Side="empire")
        assert self.gone in [rung.combatant for rung in self.enc.order]

    def undo_a_wrong_click(self) -> None:
        before = self.enc["Vex"].conditions
        self.more("Set a condition", Who="Vex", Condition="hidden")
        assert [each.id for each in self.enc["Vex"].conditions if each not in before] == ["hidden"]
        self.live.click("Undo")
        assert self.enc["Vex"].conditions == before

    def hurt_and_heal(self) -> None:
        """Damage takes a click, the number and Enter; it undoes in one step."""
        vital = self.root.get_by_role("button", name="Damage or heal").last
        before = vital.inner_text()
        self.live.turn()
        self.live.click(vital)
        self.live.press("3", "Enter")
        assert self.live.turn() == (1, 2)
        assert vital.inner_text() != before
        self.live.button("End turn").or_(self.live.button("End phase")).focus()
        self.live.press("u")
        assert vital.inner_text() == before

    def save_the_page(self) -> None:
        self.live.click("More")
        with self.live.page.page.expect_download() as saved:
            self.live.click(self.root.get_by_role("button", name="Save page"))
        assert saved.value.suggested_filename.endswith(".html")
        if self.live.button("More").get_attribute("aria-expanded") == "true":
            self.live.click("More")

    def restart(self) -> None:
        """The kernel ends; one cell in the next goes on."""
        before = self.enc.digest
        self.enc.close()
        self.live.tracker.close()
        self.live.show(ck.Tracker(journal="friday.combat"))
        self.root = self.live.root
        assert self.enc.digest == before
        self.live.click("More")
        self.live.click("Settings")
        self.root.get_by_role("radio", name="we roll at the table").check()
        self.live.settle()
        self.live.click("More")

    def look_back_and_branch(self) -> None:
        given, events = self.enc, self.events
        self.root.get_by_role("slider", name="Moment").focus()
        self.live.press(*["ArrowLeft"] * 3)
        self.live.click(self.root.get_by_role("button", name="Branch from"))
        assert self.enc is not given
        assert self.events < events
        expect(self.root).to_contain_text("tracker.encounter")
        self.live.click(f"Back to {given.id}")
        assert self.enc is given


def begin(page: StubPage, system: str) -> Evening:
    """Set a fight of eight up, and start it with dice from the table."""
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(journal="friday.combat"))
    hand = Evening(live)
    live.root.get_by_role("combobox", name="Rules").select_option(system)
    live.settle()
    search = live.root.get_by_role("searchbox", name="Find a creature")
    search.focus()
    live.press(*["Enter"] * 6)
    for name in ("Mara", "Vex"):
        sheet = live.root.get_by_role("form", name="By hand")
        if not sheet.count():
            live.click("By hand")
        sheet.get_by_role("textbox", name="Name").fill(name)
        sheet.get_by_role("combobox", name="Side").fill("rebels")
        sheet.get_by_role("textbox", name="Name").press("Enter")
        live.settle()
    live.root.get_by_role("radio", name="we roll at the table").check()
    live.settle()
    live.click("Start")
    hand.fill_dice()
    return hand


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_evening_is_played_by_hand(stub_page: StubPage, system: str) -> None:
    hand = begin(stub_page, system)
    assert len(hand.enc.names) == 8
    besides = [hand.undo_a_wrong_click, hand.leave, hand.join, hand.come_back, hand.hurt_and_heal]
    besides += [hand.look_back_and_branch, hand.save_the_page, hand.restart]
    for _ in range(MOST_STEPS):
        if (hand.enc.clock.round or 0) > ROUNDS[system]:
            break
        if besides and hand.enc.active and not hand.root.locator(".ck-react").count():
            besides.pop(0)()
        hand.turn()
    stub_page.screenshot(f"evening-{system}")
    assert (hand.enc.clock.round or 0) > ROUNDS[system]
    assert not besides
    live = hand.live
    live.click("More")
    live.click("End the fight")
    expect(live.button("Run it again").or_(live.button("Fight again"))).to_be_visible()
    hand.enc.close()
