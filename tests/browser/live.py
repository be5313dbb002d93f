"""A Tracker on the stub page with Python behind it: what is clicked is carried out, and what comes of it is shown."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator

import combatkit as ck
from combatkit.widgets._base import ViewWidget
from tests.browser.evening import Hand
from tests.browser.harness import StubPage
from tests.browser.widget_views import PARTS
from tests.wire import sent

SETTLED = """async () => {
    const frame = () => new Promise(requestAnimationFrame);
    for (let quiet = 0; quiet < 2; quiet = stub.asking ? 0 : quiet + 1) await frame();
}"""
"""Waits until Python has answered and all that came of it is drawn."""


class Live(Hand):
    """A Tracker that is played by hand, and what the hand has done.

    Attributes
    ----------
    tracker
        Python's half; its messages need a recorder in the place of a comm.
    clicks, keys
        How often the mouse and a key were pressed since `turn` was called last.
    """

    def __init__(self, page: StubPage, tracker: ck.Tracker) -> None:
        self.page = page
        self.clicks = self.keys = 0
        page.answer_by(self._hear)
        self.show(tracker)

    def show(self, tracker: ck.Tracker) -> None:
        """Show a tracker on an empty page, as after a restart."""
        self.tracker = tracker
        parts = [part for part in (*PARTS, "map") if getattr(tracker, part) is not None]
        self._widgets: dict[str, Any] = {"tracker": tracker} | {part: getattr(tracker, part) for part in parts}
        self._said()
        refs = {part: f"anywidget:{part}" for part in parts}
        children = {part: (part, {"view": getattr(tracker, part).view, "within": True}) for part in parts}
        self.root = self.page.mount("tracker", {"view": tracker.view, **refs}, children)

    def click(self, what: str | Locator) -> None:
        """Press a button, and count it."""
        self.clicks += 1
        super().click(what)

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is, and count them."""
        for key in keys:
            self.page.page.keyboard.press(key)
            self.keys += 1
        self.settle()

    def settle(self) -> None:
        """Wait until Python has answered and all that came of it is drawn."""
        self.page.page.evaluate(SETTLED)

    def follow(self) -> None:
        """Show what Python has done by itself: in another cell, or from another view."""
        for name, message in self._said():
            self.page.deliver(message, name)
        self.settle()

    def turn(self) -> tuple[int, int]:
        """Give the clicks and keys so far, and begin anew."""
        done = self.clicks, self.keys
        self.clicks = self.keys = 0
        return done

    def _hear(self, name: str, content: Any) -> list[tuple[str, Any]]:
        """Carry out what a widget has sent, and give what goes back to each."""
        widget: ViewWidget = self._widgets[name]
        widget._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
        return self._said()

    def _said(self) -> list[tuple[str, Any]]:
        return [(name, message) for name, widget in self._widgets.items() for message in sent(widget)]


class Keys(Live):
    """The same without a mouse: whatever is pressed or filled in is gone to by keys first."""

    def click(self, what: str | Locator) -> None:
        """Go to a button, press it by Enter, and see that the focus is not lost by that."""
        what = self.button(what) if isinstance(what, str) else what
        name = what.evaluate("el => el.ariaLabel ?? el.innerText")
        self.go(what)
        self.press("Enter")
        assert self.page.page.evaluate("document.activeElement !== document.body"), f"{name} has lost the focus"

    def type(self, box: Locator, text: str, *, enter: bool = False) -> None:
        """Go to a field, and type over what is in it."""
        self.go(box)
        self.press("Control+a")
        self.page.page.keyboard.type(text)
        self.keys += len(text)
        self.press(*["Enter"] * enter)

    def choose(self, box: Locator, title: str) -> None:
        """Go to a list, and down it."""
        self.go(box)
        self.press("Home", *["ArrowDown"] * box.locator("option").all_inner_texts().index(title))

    def tick(self, box: Locator) -> None:
        """Go to a box and tick it, or to the one of several that is taken and on from there."""
        if box.get_attribute("type") != "radio":
            self.go(box)
            self.press("Space")
            return
        self.go(box.locator("xpath=ancestor::*[@role='radiogroup']").locator("input:checked"))
        while not box.is_checked():
            self.press("ArrowDown")

    def go(self, to: Locator) -> None:
        """Go to something by Tab, and by arrows in the ladder."""
        name = to.evaluate("el => el.ariaLabel ?? el.innerText")
        pressed: list[str] = []
        while (key := to.evaluate(WAY)) and pressed[-4:] != ["Tab", "Shift+Tab"] * 2:
            self.page.page.keyboard.press(key)
            self.keys += 1
            pressed.append(key)
        assert not key, f"{name} is not reached by keys"


WAY = """to => {
    const on = document.activeElement;
    if (on === to) return "";
    const isAfter = (one, other) => one.compareDocumentPosition(other) & Node.DOCUMENT_POSITION_FOLLOWING;
    const [from, into] = [on, to].map(each => each.closest(".ck-rung"));
    if (!from || !into) return isAfter(on, to) ? "Tab" : "Shift+Tab";
    if (from !== into) return isAfter(from, into) ? "ArrowDown" : "ArrowUp";
    return isAfter(on, to) ? "ArrowRight" : "ArrowLeft";
}"""
"""The key that leads from what has the focus towards something; none if that has it."""
