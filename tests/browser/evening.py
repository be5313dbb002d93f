"""One who plays by hand, by nothing but what a tracker shows: on the stub page and in a notebook alike."""

from __future__ import annotations

import re
from typing import Protocol

from playwright.sync_api import Locator

GO_ON = ("End turn", "End phase", "End step", "Carry on")
FACE = "3"
"""What every die of the table shows."""


class Hand(Protocol):
    """What a page lends: the tracker's element, a button of it by its name, and a way to press one and wait."""

    @property
    def root(self) -> Locator: ...

    def button(self, name: str) -> Locator: ...

    def click(self, what: str | Locator) -> None: ...

    def settle(self) -> None: ...


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
        """Do one thing that stands on the stage: answer what is asked, act, or go on."""
        back = self.live.button("Act now")
        if self.windows.count():
            self.answer(self.windows.last)
        elif back.count() and not self.done.get("Act now"):
            self.done["Act now"] = 1
            self.live.click(back.first)
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
        for _ in range(8):
            if self.events > before or not form.count():
                return
            asked = self.root.locator(".ck-asked:visible")
            if asked.count() and not self.root.locator(".ck-face:visible").count():
                self.tell(asked)
                continue
            empty = [
                group.locator('.ck-pick:not(.is-more, [aria-disabled], [aria-pressed="true"])').first
                for group in form.locator('[role="group"]:visible').all()
                if not group.locator('[aria-pressed="true"]').count()
            ]
            empty = [each for each in empty if each.count()]
            for box in form.locator("input:visible:not(.ck-face, [type=checkbox], [type=search])").all():
                if not box.input_value():
                    title = box.evaluate("el => el.labels[0].innerText")
                    counts = box.get_attribute("type") == "number" or title.startswith("Damage")
                    box.fill(FACE if counts else "the door opens")
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

    def tell(self, asked: Locator) -> None:
        """Say what only the table can say: it hits, for so much."""
        if asked.get_by_role("button").count():
            self.live.click(asked.get_by_role("button").first)
        else:
            asked.get_by_role("textbox").fill(FACE)
            asked.get_by_role("textbox").press("Enter")
            self.live.settle()

    def fill_dice(self) -> bool:
        """Type a face into each box, let the ties be rolled, and use them; say whether they could be used."""
        boxes = self.root.locator(".ck-face:visible")
        # Those that stand there now: a miss takes some away, and ties bring others, which the kit rolls.
        for box in boxes.element_handles():
            if box.is_visible() and not box.input_value():
                box.type(FACE)
                self.live.settle()
        use = self.root.locator(".is-main:not([aria-disabled])", has_text=re.compile("^(Roll all|Hit|Miss)"))
        if not use.count():
            return False
        self.live.click(use.first)
        return True

    def answer(self, window: Locator) -> None:
        """Take up the first offer that is new, in the window or on a rung; else carry on, where nobody must answer."""
        before = self.events
        offers = window.locator(".ck-pick[data-key]:visible").or_(self.root.locator(".ck-rung .is-mini:visible"))
        names = offers.all_inner_texts()
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
        asked = self.root.locator(".ck-desk .ck-list [data-key]")
        if asked.count():
            before = self.events
            self.live.click(asked.first)
            self.fill_form(before)
            if self.root.locator(".ck-work").count():
                self.root.locator(".ck-work button").first.press("Escape")
