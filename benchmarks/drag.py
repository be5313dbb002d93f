"""Frame times of a drag among 200 on the map, as the browser counts them, and how many bytes a move takes."""

from __future__ import annotations

from collections.abc import Iterator
from statistics import median, quantiles

from msgspec.json import encode
from playwright.sync_api import Browser, Locator, sync_playwright

import combatkit as ck
from benchmarks.ground import crowd
from combatkit.widgets._delta import changes
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._vantage import Vantage
from tests.browser.harness import CHROMIUM_FLAGS, StubPage, find_chromium
from tests.browser.servers import StubSite

PEOPLE, STEPS = 200, 240
SMALLEST = {"PEOPLE": 8, "STEPS": 6}
SYSTEMS = ("saga", "ap", "segments", "phases")

COUNT = """() => {
    window.frames_ = [];
    let last;
    const next = now => {
        if (last !== undefined) window.frames_.push(now - last);
        last = now;
        window.counting_ = requestAnimationFrame(next);
    };
    window.counting_ = requestAnimationFrame(next);
}"""
COUNTED = "() => { cancelAnimationFrame(window.counting_); return window.frames_; }"


def run() -> Iterator[str]:
    """Yield a line for each system."""
    site = StubSite()
    try:
        with sync_playwright() as playwright:
            path = find_chromium(playwright.chromium.executable_path)
            browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
            for system in SYSTEMS:
                enc = crowd(system, PEOPLE)
                frames = _frames(browser, site, enc)
                often, rarely = median(frames), quantiles(frames, n=20)[-1]
                yield (
                    f"drag: {system}, among {PEOPLE}: a frame in {often:.1f} ms, 95 % within {rarely:.1f} ms; "
                    f"a move {_bytes(enc)} bytes"
                )
            browser.close()
    finally:
        site.close()


def _frames(browser: Browser, site: StubSite, enc: ck.Encounter) -> list[float]:
    """Return how many milliseconds each frame took while whoever acts was dragged to and fro."""
    page = StubPage(browser.new_context().new_page(), site)
    root = page.mount("map", {"view": ck.Map(enc).view})
    mouse = page.page.mouse
    x, y = _middle(root.locator(".mp-here"))
    mouse.move(x, y)
    mouse.down()
    page.page.evaluate(COUNT)
    for turn in range(6):
        mouse.move(x + (-1) ** turn * 200, y + (-1) ** (turn // 2) * 120, steps=STEPS // 6)
    frames: list[float] = page.page.evaluate(COUNTED)
    page.page.context.close()
    return frames


def _middle(what: Locator) -> tuple[float, float]:
    box = what.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2


def _bytes(enc: ck.Encounter) -> str:
    """Return the bytes of a move of somebody who doesn't act, and of whoever acts with what they reach from there."""
    told = []
    for name in ("F1", "Mara"):
        vantage, project = Vantage(enc), MapProjector(alone=True)
        before = project(vantage)
        x, y = enc[name].position
        enc.place(name, at=(x + 1, y))
        told.append(len(encode(changes(before, project(Vantage(enc))))))
    return f"{told[0]}, with another ground {told[1]:,}"
