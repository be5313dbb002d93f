"""A click lays the page out once: what is read of it is read once all is written, as the browser's own trace counts."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from statistics import median
from typing import Any

import pytest
from playwright.sync_api import Browser, Locator, Page

import combatkit as ck
from tests.browser.failures import Recorder
from tests.browser.harness import StubPage, settle
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.browser.test_share_page import BEAMER, PHONE, Table
from tests.wire import recording

KINDS = {"Layout": 2, "UpdateLayoutTree": 4, "Paint": 3}
"""What a click comes to at most: how often all is laid out, styles are worked out, and it is painted."""

OWN = 2
"""Whatever is pressed, or gives the focus away or gets it, is styled anew by the browser itself: so many at once."""

TRACED = ["devtools.timeline", "disabled-by-default-devtools.timeline"]
MOTIONS = ["reduce", pytest.param("no-preference", marks=pytest.mark.long)]
CROWDS = [(7, 5), *(pytest.param(guards, 20, marks=pytest.mark.long) for guards in (7, 199))]
SHEETS: dict[str, dict[str, Any]] = {
    "saga": {"weapons": [{"name": "Vibroblade", "damage": "2d6", "attack": 9, "range": "melee"}]},
    "ap": {"weapons": [{"name": "Axe", "damage": "1d6"}], "attack_bonus": 3, "defense": 11, "initiative_rating": 5},
}
FIRST: dict[str, dict[str, Any]] = {"saga": {"dex": 9, "level": 20}, "ap": {"initiative_rating": 30}}

recorded = pytest.fixture(autouse=True)(recording)
pytestmark = [pytest.mark.parametrize("motion", MOTIONS), pytest.mark.parametrize(("guards", "clicks"), CROWDS)]


def fight(system: str, guards: int) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7, id="docks")
    sheet = SHEETS[system]
    enc.add("Mara", side="rebels", hp=6000, **{**sheet, **FIRST[system]})
    for name, count in (("Guard", guards // 2), ("Scout", guards - guards // 2)):
        enc.add(name, side="empire", count=count, npc=True, hp=3000, **sheet)
    enc.start()
    assert enc.active == "Mara"
    return enc


class Counts:
    """How often a page was laid out, styled and painted, for what was done on it again and again."""

    def __init__(self, page: Page, browser: Browser, motion: str) -> None:
        page.emulate_media(reduced_motion=motion)  # type: ignore[arg-type]
        self.page = page
        self.browser = browser
        self.moves = motion != "reduce"
        self.found: dict[str, list[Counter[str]]] = {}

    @contextmanager
    def of(self, what: str) -> Iterator[None]:
        """Count what is done in the block."""
        self.browser.start_tracing(page=self.page, categories=TRACED)
        yield
        events = json.loads(self.browser.stop_tracing())["traceEvents"]
        self.found.setdefault(what, []).append(Counter(each["name"] for each in events if self._counts(each)))

    def over(self, waits: Mapping[str, int]) -> dict[str, dict[str, float]]:
        """Give the medians that are more than they may be.

        `waits` says how many answers of Python's each thing waits for, one after another: what comes is painted when
        it comes, besides what is pressed, and what comes third is laid out again. Where things move, paints are theirs.
        """
        told = {
            what: {kind: median(each[kind] for each in some) for kind in KINDS} for what, some in self.found.items()
        }
        assert all(counts["Layout"] for counts in told.values()), f"nothing was traced: {told}"
        most = {
            what: {**KINDS, "Layout": max(KINDS["Layout"], waits[what]), "Paint": min(KINDS["Paint"], 1 + waits[what])}
            for what in told
        }
        kinds = [kind for kind in KINDS if kind != "Paint" or not self.moves]
        return {what: counts for what, counts in told.items() if any(counts[each] > most[what][each] for each in kinds)}

    @staticmethod
    def _counts(event: dict[str, Any]) -> bool:
        told = event.get("args", {})
        if event["name"] == "Paint":  # whatever scrolls by itself is painted with the page, and told again
            return bool(told["data"].get("nodeName") == "#document")
        return event["ph"] in "XB" and told.get("elementCount", OWN + 1) > OWN


class Traced(Live):
    """A tracker whose clicks the browser writes down."""

    def __init__(self, page: StubPage, browser: Browser, enc: ck.Encounter, motion: str) -> None:
        page.page.set_viewport_size({"width": 1280, "height": 800})
        super().__init__(page, ck.Tracker(enc))
        self.counts = Counts(page.page, browser, motion)
        self.settle()

    def trace(self, what: str, button: Locator) -> None:
        """Press the mouse on something without asking the page what lies there, which would lay it out."""
        button.scroll_into_view_if_needed()
        box = button.bounding_box()
        assert box is not None
        mouse = self.page.page.mouse
        mouse.move(box["x"] + 5, box["y"] + 5)
        self.settle()
        with self.counts.of(what):
            mouse.down()
            mouse.up()
            self.settle()


def test_a_click_lays_out_once(stub_page: StubPage, browser: Browser, guards: int, clicks: int, motion: str) -> None:
    live = Traced(stub_page, browser, fight("saga", guards), motion)
    for _ in range(clicks):
        live.trace("end of turn", live.root.locator(".ck-ctl .is-main"))
    for _ in range(clicks):
        live.trace("undo", live.button("Undo"))
    assert not live.counts.over({"end of turn": 1, "undo": 1})


ATTACKS = {
    "saga": {"the form": (1, '[data-group="attacks"] [data-action]'), "it hits": (2, ".ck-asked .is-main")},
    "ap": {
        "the form": (1, '[data-group="attacks"] [data-action]'),
        # The second to be seen is the window, the third the form of its first answer.
        "the attack": (3, ".ck-work :is(.is-main, .ck-pick:not(.is-more))"),
        "the window": (1, ".ck-ctl .is-main"),
    },
}
"""The clicks of an attack: how many answers of Python's each waits for, and on what it is."""


@pytest.mark.parametrize("system", mostly_long(ATTACKS, "ap"))
def test_each_click_of_an_attack_lays_out_once(
    stub_page: StubPage, browser: Browser, guards: int, clicks: int, motion: str, system: str
) -> None:
    enc = fight(system, guards)
    live = Traced(stub_page, browser, enc, motion)
    begun = enc._events[-1].seq
    for _ in range(clicks):
        for what, (_, selector) in ATTACKS[system].items():
            live.trace(what, live.root.locator(selector).first)
        assert enc._events[-1].seq > begun
        enc.undo(to=begun)
        live.follow()
    assert not live.counts.over({what: waits for what, (waits, _) in ATTACKS[system].items()})


@pytest.mark.parametrize("role", ["seat", "screen"])
def test_a_page_at_the_table_lays_out_once(
    new_context: Recorder, browser: Browser, guards: int, clicks: int, motion: str, role: str
) -> None:
    enc = fight("saga", guards)
    calls: dict[str, Callable[[], object]] = {
        "end of turn": enc.end_turn,
        "undo": enc.undo,
        "attack": lambda: enc.do("Mara", "attack", target="Guard 1"),
        "undo of an attack": enc.undo,
    }
    with new_context.lent(viewport=PHONE if role == "seat" else BEAMER) as context:
        table = Table(context, enc, role, "players")
        counts = Counts(table.page, browser, motion)
        table.open()
        table.page.locator(".ck-desk, .scr-log").first.wait_for()
        for what, call in [*calls.items()] * clicks:
            with counts.of(what):
                call()
                table.tell()
                table.page.wait_for_timeout(100)
                settle(table.page)
        assert not counts.over(dict.fromkeys(calls, 1))
        table.assert_clean()
