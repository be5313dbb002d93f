"""A name as long as they come: all that must be pressed is in reach, and the whole name can be read."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long

SYSTEMS = [rules.id for rules in ck.rulesets()]
WORDS = "Guard of the northern customs house, second night watch, the"
WORD = "Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunt"


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def cut_off(root: Locator) -> list[str]:
    """Give what stands beyond the edge of the widget, or of a part that does not scroll."""
    return list(
        root.evaluate(
            """root => {
                const outer = root.querySelector(".ck").getBoundingClientRect();
                return [...root.querySelectorAll("button, input, select, summary, legend, h4, h5, label, .ck-budget p")]
                    // What scrolls is left out.
                    .filter(each => each.checkVisibility() && !each.closest(".ck-sr, .ck-flow, .ck-res > .a"))
                    .filter(each => {
                        const box = each.getBoundingClientRect();
                        const part = each.closest(".ck-budget, .ck-news, .ck-order, .ck-over") ?? each;
                        const edge = Math.min(outer.right, part.getBoundingClientRect().right);
                        return box.right > edge + 1 || box.left < outer.left - 1;
                    })
                    .map(each => `${each.tagName} ${each.className} ${each.textContent.trim().slice(0, 30)}`);
            }"""
        )
    )


@pytest.mark.parametrize("width", [420, 1280])
@pytest.mark.parametrize("system", SYSTEMS)
def test_a_long_name_cuts_nothing_off(stub_page: StubPage, system: str, width: int) -> None:
    assert len(WORDS) == len(WORD) == 60
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    enc = ck.Encounter(system, seed=7)
    enc.add(WORDS, side="one")
    enc.add(WORD, side="two", npc=True)
    live = Live(stub_page, ck.Tracker(enc))
    assert cut_off(live.root) == [], "while it is set up"
    enc.start()
    while enc.active is None:
        enc.end_turn()
    live.tracker._vantage.throw(True)
    live.show(live.tracker)
    live.settle()
    assert cut_off(live.root) == []
    attack = "strike" if system == "phases" else "attack"
    live.click(live.root.locator(f'.ck-budget [data-action^="{attack}"]').first)
    form = live.root.locator(".ck-work")
    expect(form).to_be_visible()
    choice = form.get_by_role("group", name="Target").locator(".ck-pick").first
    expect(choice).to_contain_text(WORD if enc.active == WORDS else WORDS)
    stub_page.screenshot(f"long-names-{system}-{width}")
    assert cut_off(live.root) == []
    live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem").first.press("d")
    live.settle()
    assert cut_off(live.root) == []
    expect(live.root.locator("button.ck-name-of > .ck-name").first).to_have_attribute("title", enc.order[0].combatant)


CUT = """ladder => [...ladder.querySelectorAll(".ck-sub .z, .ck-chips .z, .ck-chips small:not(.h)")]
    .filter(each => each.checkVisibility())
    .filter(each => {
        const text = document.createRange();
        text.selectNodeContents(each);
        const { top, right } = text.getBoundingClientRect();
        const outer = each.closest(".ck-chips, .w").getBoundingClientRect();
        return top < outer.bottom - 1 && right > outer.right + 1;
    })
    .map(each => each.textContent)"""
"""What of the rungs' numbers, and of how long something lasts, stands beyond its place."""


@pytest.mark.parametrize("width", [436, 848, 1101])
@pytest.mark.parametrize("system", SYSTEMS)
def test_how_long_a_condition_lasts_is_never_cut(stub_page: StubPage, system: str, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    enc = ck.Encounter(system, seed=7)
    for name, until in (("Mara", "3 rounds"), ("Gang boss of the docks 1", "12 rounds"), ("Vex", "end of round")):
        enc.add(name, side=name)
        enc.condition(name, "entangled in nets and ropes of the third harbour 2", until=until)
    enc.add("Ossik", side="Mara")
    enc.condition("Ossik", "dazzled", until="start of turn: Gang boss of the docks 1")
    enc.condition("Mara", "blessed", until="2 rounds")
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    if width == 436:
        live.click("All 4")
    live.settle()
    stub_page.screenshot(f"lasting-{system}-{width}")
    for name, lasts in (("Vex", "end of round"), ("Gang boss of the docks 1", "12 rounds")):
        rung = live.root.locator(".ck-rung").filter(has=stub_page.page.get_by_title(name, exact=True)).first
        assert lasts in rung.locator(".ck-chips small").first.inner_text()
    assert live.root.locator(".ck-ladder").evaluate(CUT) == []
