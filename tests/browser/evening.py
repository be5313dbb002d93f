"""One who plays by hand, by nothing but what a tracker shows: on the stub page and in a notebook alike."""

from __future__ import annotations

import re
from itertools import count

from playwright.sync_api import Locator

GO_ON = ("End turn", "Done acting", "End step", "Carry on")
AWAY = re.compile("^(Cancel|Back|Let it go)$")
DICE = "input.ck-face:visible:not(.is-num)"


class Hand:
    """What a page lends: the tracker's element, a button of it by its name, and ways to press, type and choose.

    Attributes
    ----------
    root
        The tracker's element.
    """

    root: Locator

    def button(self, name: str) -> Locator:
        """Give a button by its whole name."""
        return self.root.get_by_role("button", name=name, exact=True)

    def click(self, what: str | Locator) -> None:
        """Press a button."""
        (self.button(what) if isinstance(what, str) else what).click()
        self.settle()

    def go(self, to: Locator) -> None:
        """Give something the focus."""
        to.focus()

    def type(self, box: Locator, text: str, *, enter: bool = False) -> None:
        """Type into a field, and Enter if that is wanted."""
        box.fill(text)
        if enter:
            box.press("Enter")
        self.settle()

    def choose(self, box: Locator, title: str) -> None:
        """Choose one of a list by its title."""
        box.select_option(label=title)
        self.settle()

    def tick(self, box: Locator) -> None:
        """Tick a box, or take one of several."""
        box.check()
        self.settle()

    def settle(self) -> None:
        """Wait until what was done has come to something."""
        raise NotImplementedError


class Player:
    """Takes turns, answers what is asked, and remembers what has been done.

    Attributes
    ----------
    done
        How often each action and answer was chosen.
    """

    def __init__(self, hand: Hand) -> None:
        self.live = hand
        self.done: dict[str, int] = {}
        self._thrown = count()

    @property
    def root(self) -> Locator:
        return self.live.root

    @property
    def events(self) -> int:
        """How many events the log's scrubber has."""
        return int(self.root.get_by_role("slider", name="Moment").get_attribute("max") or 0)

    @property
    def round(self) -> int:
        """Which round the header says it is."""
        said = re.search(r"(?:Round|Turn) (\d+)", self.root.locator("h3.ck-clock").inner_text())
        return int(said[1]) if said else 0

    @property
    def windows(self) -> Locator:
        return self.root.locator(".ck-desk [data-window]")

    @property
    def acts(self) -> bool:
        """Whether it is somebody's turn, and nothing else is asked first."""
        main = [self.live.button(name) for name in GO_ON[:2]]
        return not self.windows.count() and any(each.count() for each in main)

    def turn(self) -> None:
        """Do one thing that stands on the stage: answer what is asked, act out of turn or in it, or go on."""
        waits = self.root.locator(".ck-rung .is-mini:visible")
        titles = waits.all_inner_texts()
        new = next((n for n, title in enumerate(titles) if not self.done.get(title)), None)
        if self.windows.count():
            self.answer(self.windows.last)
        elif new is not None:
            self.done[titles[new]] = 1
            before = self.events
            self.live.click(waits.nth(new))
            self.fill_form(before)
        elif not self.acts:
            self.call_the_roll()
            self.go_on()
        else:
            self.act()
            if not self.windows.count():
                self.go_on()

    def go_on(self) -> None:
        """Press what ends the turn or the step, or lets the others' offers go."""
        for name in GO_ON:
            if self.live.button(name).count():
                self.live.click(name)
                self.fill_dice()
                return

    def act(self) -> None:
        """Do the first thing that has not been done yet, with the first target there is; with all done, attack."""
        offers = self.root.locator(".ck-desk .ck-act[data-action]:not([aria-disabled])")
        found: list[str] = offers.evaluate_all("all => all.map(each => each.dataset.action)")
        if not found:
            return
        wanted = next((n for n, action in enumerate(found) if not self.done.get(action)), 0)
        self.done[found[wanted]] = self.done.get(found[wanted], 0) + 1
        before = self.events
        self.live.click(offers.nth(wanted))
        self.fill_form(before)

    def fill_form(self, before: int) -> None:
        """Choose the first of each that is asked for, type dice, and use them; what can't be done is closed again."""
        form = self.root.locator(".ck-work")
        for _ in range(12):
            if self.events > before or not form.count():
                return
            empty = [
                group.locator('.ck-pick:not(.is-more, [aria-disabled], [aria-pressed="true"])').first
                for group in form.locator('[role="group"]:visible').all()
                if not group.locator('[aria-pressed="true"]').count()
            ]
            empty = [each for each in empty if each.count()]
            asked = self.root.locator(".ck-asked:visible")  # what only the table can say: it hits, for so much
            lack = form.locator(".is-short:visible").or_(asked.get_by_role("textbox"))  # or what a sheet lacks
            if lack.count():
                self.live.type(lack.first, "3", enter=True)
                continue
            if asked.get_by_role("button").count() and not self.root.locator(DICE).count():
                self.live.click(asked.get_by_role("button").first)
                continue
            for box in form.locator("input:visible:not(.ck-face, [type=checkbox], [type=search])").all():
                if not box.input_value():
                    title = box.evaluate("el => el.labels[0].innerText")
                    self.live.type(box, "the door opens" if title.startswith("Trigger") else "3")
            if empty:
                self.live.click(empty[0])
                continue
            if not self.fill_dice():
                break
        if form.count() and self.events == before:
            self.live.click(form.get_by_role("button", name=AWAY).last)

    def fill_dice(self) -> bool:
        """Type a face into each box, also those that ties bring, and press what uses them; say whether it could be."""
        boxes = self.root.locator(DICE)
        while (empty := boxes.evaluate_all("all => all.findIndex(each => !each.value)")) >= 0:
            box = boxes.nth(empty)
            sides = int(re.findall(r"d(\d+)", box.get_attribute("aria-label") or "")[-1])
            self.live.type(box, str(next(self._thrown) * 7 % sides + 1))
        use = self.root.locator(".ck-work .is-main:not([aria-disabled])")
        if not use.count():
            return False
        self.live.click(use.first)
        return True

    def answer(self, window: Locator) -> None:
        """Take up the first answer that is new; else carry on, where nobody must answer."""
        owed = self.root.locator("[data-owed]:visible")  # what the last answer takes comes first
        if owed.count():
            self.live.type(owed, "3", enter=True)
            return
        before = self.events
        picks = window.locator(".ck-pick[data-key]:visible")
        new = next((n for n, name in enumerate(picks.all_inner_texts()) if not self.done.get(name)), None)
        if new is not None:
            self.done[picks.nth(new).inner_text()] = 1
            self.live.click(picks.nth(new))
        choices = self.root.locator(".ck-res.is-stop .a > .ck-btn")
        form = window.get_by_role("form")
        asked = (form.first.get_attribute("aria-label") if form.count() else "") or ""
        on = self.live.button("Carry on")
        if choices.count():
            self.live.click(choices.first)
            if self.events == before:  # those who are meant were to be ticked: it is nobody
                self.live.click(choices.last)
        elif self.root.locator(".ck-asked:visible").count():
            self.fill_form(before)
        elif new is None and self.done.get(asked) and on.count() and not on.get_attribute("aria-disabled"):
            self.go_on()
        else:
            self.done[asked] = 1
            self.fill_form(before)
            self.fill_dice()

    def call_the_roll(self) -> None:
        """Say what everybody means to do, where everybody is asked."""
        asked = self.root.locator(".ck-desk .ck-list [data-key]")
        if asked.count():
            before = self.events
            self.live.click(asked.first)
            self.fill_form(before)
            if self.root.locator(".ck-work").count():
                self.live.click("Cancel")
