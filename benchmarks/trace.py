"""Where the milliseconds of a click go: Python, script, style, layout, paint; the rest is wire and waiting."""

from __future__ import annotations

import json
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from statistics import median
from typing import Any

from playwright.sync_api import Browser

from benchmarks.clicks import COUNTER, COUNTER_AT, MEASURE, TRACKER, TRACKER_AT, chromium
from tests.browser.harness import LabPage
from tests.browser.servers import run_jupyter

COUNTS = (8, 200)
BLOCKS = 3
CLICKS = 40
SMALLEST = {"COUNTS": (8,), "BLOCKS": 1, "CLICKS": 2}

# Times what the kernel does with a widget's messages, from taking one up until its answer is on the way.
WATCH = """
import time
from ipywidgets import Widget
spent = []
hear = Widget._handle_msg
def timed(self, msg):
    began = time.perf_counter()
    hear(self, msg)
    spent.append(time.perf_counter() - began)
Widget._handle_msg = timed
"""

KINDS = {
    "style": {"UpdateLayoutTree", "RecalculateStyles", "ParseAuthorStyleSheet", "ScheduleStyleRecalculation"},
    "layout": {"Layout", "InvalidateLayout", "HitTest"},
    "paint": {
        "Paint",
        "PrePaint",
        "Layerize",
        "Commit",
        "UpdateLayer",
        "UpdateLayerTree",
        "CompositeLayers",
        "PaintImage",
    },
    "script": {
        *("EvaluateScript", "FunctionCall", "EventDispatch", "FireAnimationFrame", "TimerFire", "RunMicrotasks"),
        *("MinorGC", "MajorGC", "V8.GC_MC_BACKGROUND_MARKING", "HandlePostMessage", "WebSocketReceive"),
    },
}
KIND = {name: kind for kind, names in KINDS.items() for name in names}


def run() -> Iterator[str]:
    """Measure and give the lines to print."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        browser = stack.enter_context(chromium())
        server = stack.enter_context(run_jupyter(home))
        for count in COUNTS:
            lab = LabPage(browser.new_page(viewport={"width": 1200, "height": 900}), server)
            lab.open([WATCH, COUNTER, TRACKER.format(count=count, events=10)])
            lab.run_all()
            lab.page.wait_for_selector(TRACKER_AT[1])
            for name, at in (("tracker", TRACKER_AT), ("counter", COUNTER_AT)):
                lab.add_and_run_cell("spent.clear()")
                lab.page.locator(at[1]).first.scroll_into_view_if_needed()
                found = [_traced(browser, lab, at) for _ in range(BLOCKS)]
                parts = {kind: median(block[kind] for block in found) for kind in found[0]}
                parts["Python"] = float(
                    lab.add_and_run_cell("import statistics; print(1_000 * statistics.median(spent))")
                )
                parts["wire and waiting"] = 2 * parts["in all"] - sum(parts.values())
                said = ", ".join(f"{kind} {spent:.1f}" for kind, spent in parts.items())
                yield f"(b) a click's milliseconds, stock server, {count} combatants, {name}: {said}"
            lab.page.close()


def _traced(browser: Browser, lab: LabPage, at: tuple[str, str]) -> dict[str, float]:
    """Click a block while Chromium keeps a trace, and give the milliseconds a click by kind."""
    page = lab.page
    page.bring_to_front()
    browser.start_tracing(page=page, categories=["devtools.timeline", "disabled-by-default-v8.gc"])
    times = page.evaluate(MEASURE, [*at, CLICKS])
    events = json.loads(browser.stop_tracing())["traceEvents"]
    spent = {kind: total / CLICKS for kind, total in _alone(events).items()}
    return {"in all": median(times), **{kind: spent.get(kind, 0.0) for kind in KINDS}}


def _alone(events: list[dict[str, Any]]) -> dict[str, float]:
    """Return milliseconds by kind on threads that run scripts; what is inside another event counts only once."""
    threads: dict[tuple[int, int], list[dict[str, Any]]] = defaultdict(list)
    for event in events:
        if event.get("ph") == "X" and event["name"] in KIND:
            threads[event["pid"], event["tid"]].append(event)
    spent: dict[str, float] = defaultdict(float)
    for thread in threads.values():
        open_: list[tuple[float, str]] = []
        for event in sorted(thread, key=lambda each: (each["ts"], -each.get("dur", 0))):
            while open_ and open_[-1][0] <= event["ts"]:
                open_.pop()
            length = event.get("dur", 0) / 1_000
            if open_:
                spent[open_[-1][1]] -= length
            spent[KIND[event["name"]]] += length
            open_.append((event["ts"] + event.get("dur", 0), KIND[event["name"]]))
    return spent
