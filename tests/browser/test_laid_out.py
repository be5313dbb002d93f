"""A click lays the page out once: what is read of it is read once all is written, as the browser's own trace counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable
from statistics import median

import pytest
from playwright.sync_api import Browser, Locator

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

KINDS = {"Layout": 2, "UpdateLayoutTree": 4, "Paint": 3}
"""What a click comes to at most: how often all is laid out, styles are worked out, and it is painted."""

TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline"]

recorded = pytest.fixture(autouse=True)(recording)


def fight(guards: int) -> ck.Encounter:
    enc = ck.Encounter("saga", seed=7, id="docks")
    blade = {"name": "Vibroblade", "damage": "2d6", "attack": 9, "range": "melee"}
    enc.add("Mara", side="rebels", dex=9, level=20, hp=6000, weapons=[blade])
    for name, count in (("Guard", guards // 2), ("Scout", guards - guards // 2)):
        enc.add(name, side="empire", count=count, npc=True, hp=3000, weapons=[blade])
    enc.start()
    return enc


class Traced:
    """A tracker whose clicks the browser writes down."""

    def __init__(self, page: StubPage, browser: Browser, enc: ck.Encounter) -> None:
        page.page.set_viewport_size({"width": 1280, "height": 800})
        self.page = page.page
        self.browser = browser
        self.enc = enc
        self.live = Live(page, ck.Tracker(enc))
        self.live.settle()

    def click(self, what: Locator) -> None:
        """Press the mouse on something without asking the page what lies there, which would lay it out."""
        box = what.bounding_box()
        assert box is not None
        self.page.mouse.click(box["x"] + 5, box["y"] + 5)
        self.live.settle()

    def count(self, times: int, act: Callable[[], None]) -> dict[str, float]:
        """Do something many times, and give how often the page was laid out, styled and painted for it, as medians."""
        found: list[Counter[str]] = []
        for _ in range(times):
            self.browser.start_tracing(page=self.page, categories=TRACED)
            act()
            self.live.settle()
            events = json.loads(self.browser.stop_tracing())["traceEvents"]
            found.append(Counter(each["name"] for each in events if each["ph"] in "XB"))
        return {kind: median(each[kind] for each in found) for kind in KINDS}

    def end(self) -> None:
        self.click(self.live.root.locator(".ck-ctl .is-main"))

    def undo(self) -> None:
        self.click(self.page.get_by_role("button", name="Undo").first)


@pytest.mark.parametrize(
    ("guards", "clicks"), [(7, 5), *(pytest.param(n, 20, marks=pytest.mark.long) for n in (7, 199))]
)
def test_a_click_lays_out_once(stub_page: StubPage, browser: Browser, guards: int, clicks: int) -> None:
    traced = Traced(stub_page, browser, fight(guards))
    told = {
        "end of turn": traced.count(clicks, traced.end),
        "undo": traced.count(clicks, traced.undo),
    }
    over = {what: counts for what, counts in told.items() if any(counts[kind] > most for kind, most in KINDS.items())}
    assert not over, over
    assert all(counts["Layout"] for counts in told.values()), "nothing was traced"
