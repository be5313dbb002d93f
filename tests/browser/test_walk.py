"""A walk that measures: random evenings by clicks, and after each the page's own boxes are asked."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from random import Random
from typing import Any

import pytest

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

MEASURE = (Path(__file__).parent / "measure.js").read_text(encoding="utf-8")
SYSTEMS = ("saga", "segments", "phases", "d6", "ap")
CROWDS = (4, 9, 30)
WIDTHS = (833, 420, 1085)
SHORT, LONG = 30, 5000
PRESSED = (
    ".ck-ctl > .is-main, .ck-undo > .ck-btn, .ck-res .a .ck-btn, .ck-state .ck-btn, .ck-order .ck-vital, "
    ".ck-box input, .ck-budget button:not(.ck-sec), .ck-rung, .ck-ctl > .is-log"
)
"""What a hand presses on the way; it types into whatever has the focus and is empty."""

recorded = pytest.fixture(autouse=True)(recording)

NUMBERS: dict[str, dict[str, Any]] = {
    "saga": {"dex": 2, "level": 4, "hp": 24, "defense": 15, "attack_bonus": 6},
    "segments": {"aac0": 12, "ac": 5, "hp": 12, "class_level": 3},
    "phases": {"combat_value": 5, "stun": 22, "body": 9, "end": 20},
    "d6": {"initiative": 2, "resolve": 12, "defense": 12, "agility": 3},
    "ap": {"initiative_rating": 9, "hp": 20, "attack_bonus": 6, "defense": 14},
}
NAMES = ("Mara", "Captain Dray of the lower docks", "Ilya", "Ossik")


def crowd(system: str, size: int, seed: int) -> ck.Encounter:
    """Begin a fight of so many: a few with names, the rest of one kind."""
    enc = ck.Encounter(system, seed=seed, id="walk")
    for name in NAMES[: size // 2]:
        enc.add(name, side="heroes", npc=False, **NUMBERS[system])
    enc.add("Scout trooper captain", side="empire", count=size - min(len(NAMES), size // 2), **NUMBERS[system])
    enc.start()
    return enc


class Walker:
    """Presses what can be pressed, by a seed, and keeps what is wrong with what came of it."""

    def __init__(self, page: StubPage, system: str, size: int, width: int, seed: int) -> None:
        self.page = page
        self.rng = Random(seed)
        page.page.set_viewport_size({"width": width + 16, "height": 800})
        self.live = Live(page, ck.Tracker(crowd(system, size, seed)))
        page.page.add_style_tag(content="body { margin: 8px; }")
        self.before: dict[str, Any] | None = None
        self.found: Counter[str] = Counter()
        self.where: dict[str, str] = {}
        self.live.root.locator(".ck-ctl > .is-main").focus()

    def measure(self, step: str) -> None:
        """Ask the boxes."""
        told = self.page.page.evaluate(MEASURE, {"before": self.before})
        self.before = told["now"]
        for each in told["wrong"]:
            self.found[each] += 1
            self.where.setdefault(each, step)

    def walk(self, steps: int) -> None:
        """Take so many steps."""
        for number in range(steps):
            self.measure(f"step {number}: {self.step()}")

    def step(self) -> str:
        """Press or type something."""
        if self.rng.random() < 0.3 and (typed := self.type()):
            return typed
        if self.live.root.get_by_role("button", name="Run it again").count():
            self.live.click("Undo")
            return "Undo"
        index = self.page.page.evaluate(
            """([selector, random]) => {
                const shell = document.querySelector(".ck-shell");
                const there = [...shell.querySelectorAll(selector)].filter((each) => {
                    if (!each.checkVisibility() || each.ariaDisabled === "true") return false;
                    const { left, top, width, height } = each.getBoundingClientRect();
                    const on = document.elementFromPoint(left + width / 2, top + height / 2);
                    return on && each.contains(on) && !(each.matches("li") && on.closest("button, input, label"));
                });
                if (!there.length) return null;
                // As often as not what goes on.
                const main = shell.querySelector(".ck-ctl > .is-main:not([aria-disabled])");
                const chosen = main && random < 0.25 ? main : there[Math.floor(random * there.length)];
                const { left, top, width, height } = chosen.getBoundingClientRect();
                return [left + width / 2, top + height / 2, (chosen.ariaLabel ?? chosen.innerText).slice(0, 40)];
            }""",
            [PRESSED, self.rng.random()],
        )
        if index is None:
            return "nothing to press"
        x, y, name = index
        self.page.page.mouse.click(x, y)
        self.live.settle()
        return str(name)

    def type(self) -> str:
        """Fill what has the focus and is empty, and go on from there."""
        kind = self.page.page.evaluate(
            """() => {
                const on = document.activeElement;
                return on.matches("input:not([type=range], [type=checkbox]):placeholder-shown") ? on.className : null;
            }"""
        )
        if kind is None or "ck-face" not in kind:
            return ""
        text = str(self.rng.randint(1, 6))
        self.page.page.keyboard.type(text)
        if self.rng.random() < 0.5:
            self.page.page.keyboard.press("Enter")
        self.live.settle()
        return f"typed {text}"


@pytest.mark.parametrize(
    ("system", "size", "width"), [(s, CROWDS[i % 3], WIDTHS[i % 3]) for i, s in enumerate(SYSTEMS)]
)
def test_after_every_click_everything_is_in_its_place(stub_page: StubPage, system: str, size: int, width: int) -> None:
    walker = Walker(stub_page, system, size, width, seed=11)
    walker.walk(SHORT)
    assert not walker.found, summary(walker)


@pytest.mark.long
@pytest.mark.timeout(1800)  # hundreds of clicks, each of them measured
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("size", CROWDS)
@pytest.mark.parametrize("system", SYSTEMS)
def test_after_thousands_of_clicks_everything_is_in_its_place(
    stub_page: StubPage, system: str, size: int, width: int
) -> None:
    walker = Walker(stub_page, system, size, width, seed=size * width)
    walker.walk(LONG // len(CROWDS) // len(WIDTHS))
    assert not walker.found, summary(walker)


def summary(walker: Walker) -> str:
    """Say what is wrong, the most frequent first, and where it was first seen."""
    return "\n".join(f"{times} x {what} ({walker.where[what]})" for what, times in walker.found.most_common(20))
