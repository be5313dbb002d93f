"""Views to show in stub-model tests, as JSON after the mock-up, and Python's part of the wire."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from playwright.sync_api import Locator

from tests.browser.harness import StubPage, Theme, settle

FIXTURES = Path(__file__).parent / "fixtures"
FIGHTS = ["slots", "zones", "points", "steps", "cells"]
PARTS = ["ladder", "budget", "log"]
THEMES: list[Theme] = ["light", "dark"]
WIDTHS = [420, 960]
CUT = """el => {
    const [within, cut, texts] = [el.getBoundingClientRect(), [], document.createTreeWalker(el, NodeFilter.SHOW_TEXT)];
    const isOut = ({ right, bottom }) => right > within.right + 1 || bottom > within.bottom + 1;
    while (texts.nextNode())
        for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
            const range = new Range();
            range.setStart(texts.currentNode, word.index);
            range.setEnd(texts.currentNode, word.index + word[0].length);
            if ([...range.getClientRects()].some(isOut)) cut.push(word[0]);
        }
    return cut;
}"""
"""What of a line is drawn beyond its place: words in a line have no width of their own that could tell."""
HOSTILE = "<img src=x onerror=alert(1)>"
DIE = {"purpose": "Mara", "legend": "Mara rolls 1d20 for initiative", "sides": [20], "sum": [], "error": ""}
MEMBERS = [
    {"name": "Mara", "side": 0, "npc": False, "summary": "dex 4 · level 6", "stats": {"dex": 4, "level": 6}},
    {"name": "Guard 1", "side": 1, "npc": True, "summary": "dex 1 · level 2", "stats": {"dex": 1, "level": 2}},
]
"""Who is in a fight that is being set up; the second is surprised."""


def fight(name: str = "slots") -> dict[str, Any]:
    """Give the views of one fight, by widget."""
    views: dict[str, Any] = json.loads((FIXTURES / f"{name}.json").read_text(encoding="utf-8"))
    return views


def tracked(name: str = "slots", /, **changes: object) -> dict[str, Any]:
    """Give a fight's views with some of the Tracker's own changed."""
    views = fight(name)
    views["tracker"] |= changes
    return views


def setup_views(**changes: object) -> dict[str, Any]:
    """Give the views of a fight that is being set up."""
    views = tracked(mode="setup", system="one", announce="", turn={"title": "", "sub": ""}, **changes)
    setup = views["tracker"]["setup"]
    setup["combatants"] = [each | {"surprised": each["npc"]} for each in MEMBERS]
    setup["foes"] = "empire"
    for stat in setup["stats"]:
        if stat["type"] == "int":
            stat["first"] = True
        if stat["vital"]:
            stat["row"] = True
    return views


def press(root: Locator, name: str) -> Locator:
    """Give a button of the Tracker's."""
    return root.get_by_role("button", name=name, exact=True)


def mount_tracker(page: StubPage, views: Mapping[str, Any]) -> Locator:
    """Show a Tracker with its three parts."""
    refs = {part: f"anywidget:{part}" for part in PARTS}
    children = {part: (part, {"view": views[part]}) for part in PARTS}
    return page.mount("tracker", {"view": views["tracker"], **refs}, children)


def delta(page: StubPage, *entries: tuple[list[str], object], to: str | None = None) -> None:
    """Change a widget's view as Python does: by a delta on what it has."""
    revision = page.state(to)["view"]["revision"]
    page.deliver(
        {"kind": "delta", "base": revision, "revision": revision + 1, "set": [list(each) for each in entries]}, to
    )


def answer(page: StubPage, kind: str, to: str | None = None, **content: object) -> dict[str, Any]:
    """Answer the last question of a kind once it is there, and give the question."""
    question: dict[str, Any] = page.wait_for_question(kind, to)
    page.deliver({"kind": kind, "id": question["id"], **content}, to)
    return question


def refuse(page: StubPage, kind: str, reason: str, rule: str = "", to: str | None = None) -> None:
    """Refuse the last intent of a kind."""
    page.deliver({"kind": "refused", "id": page.wait_for_question(kind, to)["id"], "reason": reason, "rule": rule}, to)


def intents(page: StubPage, to: str | None = None) -> list[dict[str, Any]]:
    """Give what a widget has sent so far, without the numbers, and without its looks at the shelf."""
    sent = [each for each in page.sent(to) if each["kind"] != "shelf"]
    return [{key: value for key, value in each.items() if key != "id"} for each in sent]


def focused(page: StubPage) -> str:
    """Give the name, or else the text, of what has the focus, without its key."""
    script = """() => {
        const on = document.activeElement;
        const [key] = on.querySelectorAll("kbd");
        return on.ariaLabel ?? on.innerText.slice(0, -key?.innerText.length || undefined).trim();
    }"""
    return str(page.page.evaluate(script))


def unused_selectors(page: StubPage, widget: str) -> set[str]:
    """Give the selectors in a widget's sheet that match nothing on the page now, states of the pointer aside."""
    script = """widget => {
        const unused = new Set();
        const bare = selector => selector
            .replace(/::[\\w-]+/g, "")
            .replace(/:(hover|focus-visible|empty)\\b/g, "")
            .replace(/(^|[\\s>+~])$/, "$1*");
        const walk = (rules, outer) => {
            for (const rule of rules) {
                const selector = rule.selectorText && outer
                    ? (rule.selectorText.includes("&") ? rule.selectorText.replaceAll("&", `:is(${outer})`)
                        : `:is(${outer}) :is(${rule.selectorText})`)
                    : rule.selectorText;
                if (selector && rule.style.length && !document.querySelector(bare(selector))) unused.add(selector);
                if (rule.cssRules) walk(rule.cssRules, selector ?? outer);
            }
        };
        walk(document.getElementById(`css-/static/${widget}.js`).sheet.cssRules, "");
        return [...unused];
    }"""
    return set(page.page.evaluate(script, widget))


def unfold(root: Locator, name: str | re.Pattern[str] = re.compile(" ")) -> None:
    """Open a folded line of actions, by how its button begins; all of them if none is named."""
    lines = root.locator('.ck-fold > [aria-expanded="false"]').filter(has_text=name)
    while lines.count():
        lines.first.click()
        settle(root.page)
