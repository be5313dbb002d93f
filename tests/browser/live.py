"""A Tracker on the stub page with Python behind it: what is clicked is carried out, and what comes of it is shown."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Locator

import combatkit as ck
from combatkit.widgets._base import ViewWidget
from tests.browser.harness import StubPage
from tests.browser.widget_views import PARTS
from tests.wire import sent


class Live:
    """A Tracker that is played by hand, and what the hand has done.

    Attributes
    ----------
    tracker
        Python's half; its messages need a recorder in the place of a comm.
    root
        The element it is shown in.
    clicks, keys
        How often the mouse and a key were pressed since `turn` was called last.
    """

    def __init__(self, page: StubPage, tracker: ck.Tracker) -> None:
        self.page = page
        self.clicks = self.keys = 0
        page.page.expose_function("toPython", self._hear)
        self.show(tracker)

    def show(self, tracker: ck.Tracker) -> None:
        """Show a tracker on an empty page, as after a restart."""
        self.tracker = tracker
        self._widgets: dict[str, Any] = {"tracker": tracker} | {part: getattr(tracker, part) for part in PARTS}
        self._said()
        refs = {part: f"anywidget:{part}" for part in PARTS}
        children = {part: (part, {"view": getattr(tracker, part).view, "within": True}) for part in PARTS}
        self.root = self.page.mount("tracker", {"view": tracker.view, **refs}, children)

    def button(self, name: str) -> Locator:
        """Give a button by its whole name."""
        return self.root.get_by_role("button", name=name, exact=True)

    def click(self, what: str | Locator) -> None:
        """Press a button, and count it."""
        (self.button(what) if isinstance(what, str) else what).click()
        self.clicks += 1
        self.settle()

    def press(self, *keys: str) -> None:
        """Press keys, wherever the focus is, and count them."""
        for key in keys:
            self.page.page.keyboard.press(key)
            self.keys += 1
        self.settle()

    def settle(self) -> None:
        """Wait until Python has answered and all that came of it is drawn."""
        self.page.page.evaluate(
            """async () => {
                const frame = () => new Promise(requestAnimationFrame);
                for (let quiet = 0; quiet < 2; quiet = stub.asking ? 0 : quiet + 1) await frame();
            }"""
        )

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
