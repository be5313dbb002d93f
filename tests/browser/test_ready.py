"""What is kept ready is used by a button that says so, under the header and on its rung, when the table sees it."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long

KEEPS: dict[str, tuple[str, dict[str, Any]]] = {
    "saga": ("ready", {"action": "attack"}),
    "d6": ("hold", {"action": "attack"}),
    "phases": ("ready", {"action": "strike"}),
}


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.mark.parametrize("system", KEEPS)
def test_what_is_kept_ready_is_used_from_its_rung(stub_page: StubPage, system: str) -> None:
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    keep, kept = KEEPS[system]
    enc = ck.scene("catwalk").encounter(system, seed=7)
    while enc.active is None or enc._state.fighters[enc.active].npc:
        enc.end_turn()
    name = enc.active
    if not enc.can(name, keep, **kept, trigger="the door opens").allowed:
        enc.end_turn()
        name = enc.active or ""
    enc.do(name, keep, **kept, trigger="the door opens")
    live = Live(stub_page, ck.Tracker(enc))
    button = live.root.locator(".ck-rung").get_by_role("button", name="Use it")
    if enc.active == name:
        enc.end_turn()
        live.follow()
    expect(button).to_be_visible()
    vital = button.locator("xpath=ancestor::li").locator(".ck-vital").bounding_box()
    beside = button.bounding_box()
    assert vital is not None
    assert beside is not None
    assert vital["x"] + vital["width"] <= beside["x"], "it lies over nothing"
    live.click(button)
    form = live.root.locator(".ck-work")
    for _ in range(4):
        if not form.count():
            break
        empty = form.locator(".ck-pick:visible:not(.is-more, [aria-disabled], [aria-pressed=true])")
        live.click(empty.first if empty.count() else form.locator(".is-main"))
    assert any(event.action == kept["action"] and event.actor == name for event in enc._events)
    expect(button).to_have_count(0)


@pytest.mark.parametrize("words", ["opens the door", ""], ids=["words", "alone"])
@pytest.mark.parametrize("system", KEEPS)
def test_who_sets_it_off_is_chosen_in_the_form(stub_page: StubPage, system: str, words: str) -> None:
    keep, kept = KEEPS[system]
    enc = ck.scene("catwalk").encounter(system, seed=7)
    while not enc.can(enc.active or "", keep, **kept, trigger="the door opens").allowed:
        enc.end_turn()
    who = enc.active or ""
    foe = next(name for name in enc.names if enc[name].side != enc[who].side)
    live = Live(stub_page, ck.Tracker(enc))
    live.click(live.root.locator(f".ck-desk [data-action={keep}]"))
    form = live.root.locator(".ck-work")
    live.type(form.get_by_label("Trigger"), words)
    live.click(form.get_by_role("group", name="Set off by").get_by_role("button", name=foe))
    expect(form.get_by_label("Trigger")).to_have_value(words)
    chosen = kept["action"].capitalize()
    live.click(form.get_by_role("group", name=": Action").get_by_role("button", name=chosen, exact=True))
    assert not [effect for effect in enc._state.fighters[who].effects if effect.watches], "a choice only selects"
    expect(form.locator(".is-main")).to_have_text(re.compile(f"^{keep.capitalize()}"))
    live.click(form.locator(".is-main"))
    (said,) = [effect.value["trigger"] for effect in enc._state.fighters[who].effects if effect.watches]
    assert said == {"actor": foe, **({"text": words} if words else {})}


def test_who_is_down_is_the_last_to_set_anything_off(stub_page: StubPage) -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=7)
    own = enc[enc.active or ""].side
    foes = [name for name in enc.names if enc[name].side != own]
    enc.damage([foes[0]], 60)
    live = Live(stub_page, ck.Tracker(enc))
    live.click(live.root.locator(".ck-desk [data-action=ready]"))
    offered = live.root.locator(".ck-work").get_by_role("group", name="Set off by").get_by_role("button")
    expect(offered.first).to_contain_text(foes[1])
    expect(offered.filter(has_text=foes[0])).to_have_count(1)
    assert [name for name in offered.all_inner_texts() if name.split("\n")[0] in enc.names][-1].startswith(foes[0])
