"""Who leaves a fight, and who comes back to it, by hand, in every system."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(page: StubPage, system: str) -> Live:
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(ck.scene("catwalk").encounter(system, seed=7)))
    live.settle()
    return live


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_left_comes_back_by_one_click_as_they_were(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    enc = live.tracker.encounter
    gone = enc.names[1]
    before, order = enc[gone], [rung.combatant for rung in enc.order]
    live.click("More")
    live.click("Bring somebody in")
    expect(live.root.get_by_role("group", name="Bring back")).to_have_count(0)
    live.press("Escape", "Escape")
    live.click("More")
    live.click("Take out of the fight")
    live.root.get_by_role("combobox", name="Who").select_option(gone)
    live.click("Take out")
    assert gone not in [rung.combatant for rung in enc.order]
    live.click("More")
    live.click("Bring somebody in")
    back = live.root.get_by_role("group", name="Bring back")
    expect(back.get_by_role("button")).to_have_text([gone])
    stub_page.screenshot(f"bring-back-{system}")
    live.click(f"Bring {gone} back")
    assert gone in [rung.combatant for rung in enc.order]
    assert (enc[gone].side, enc[gone].stats) == (before.side, before.stats)
    assert [rung.combatant for rung in enc.order] == order, "in their own place"
    expect(live.root.locator(".ck-res")).to_contain_text(f"{gone} is back")
    expect(live.root.locator(".ck-more")).to_have_count(0)
    expect(live.root.locator(".ck-res")).to_be_focused()
    live.press("u")
    assert gone not in [rung.combatant for rung in enc.order]
    live.press("u")
    assert [rung.combatant for rung in enc.order] == order


@pytest.mark.parametrize("system", SYSTEMS)
def test_who_is_taken_out_is_told_and_the_next_enter_takes_out_nobody(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    enc = live.tracker.encounter
    gone = enc.names[0]
    live.click("More")
    live.click("Take out of the fight")
    live.root.get_by_role("combobox", name="Who").select_option(gone)
    live.press("Tab", "Enter")
    expect(live.root.get_by_role("form", name="Take out of the fight")).to_have_count(0)
    expect(live.root.locator(".ck-res")).to_contain_text(f"{gone} leaves the fight")
    assert gone not in [rung.combatant for rung in enc.order]
    left = len(enc.order)
    stub_page.screenshot(f"taken-out-{system}")
    live.press("Enter")
    assert len(enc.order) == left


@pytest.mark.parametrize("by", ["damage", "more"])
def test_half_a_word_of_a_condition_is_completed_once(stub_page: StubPage, by: str) -> None:
    live = fight(stub_page, "saga")
    enc = live.tracker.encounter
    name = enc.names[1]
    if by == "damage":
        live.root.locator("button.ck-vital").filter(has_text=name).click()
        live.click("Condition")
        form = live.root.get_by_role("form", name="Damage or heal")
        box = form.get_by_role("combobox", name="Which condition")
    else:
        live.click("More")
        live.click("Set a condition")
        form = live.root.get_by_role("form", name="Set a condition")
        form.get_by_role("combobox", name="Who").select_option(name)
        box = form.get_by_role("combobox", name="Condition")
    box.press_sequentially("stun")
    box.press("Enter")
    expect(form).to_contain_text("Did you mean stunned?")
    expect(box).to_have_value("stunned")
    assert "stunned" not in [each.id for each in enc[name].conditions]
    box.press("Enter")
    live.settle()
    assert [each.id for each in enc[name].conditions if each.id.startswith("stun")] == ["stunned"]


def test_who_types_half_a_word_once_more_means_it(stub_page: StubPage) -> None:
    live = fight(stub_page, "saga")
    name = live.tracker.encounter.names[1]
    live.root.locator("button.ck-vital").filter(has_text=name).click()
    live.click("Condition")
    box = live.root.get_by_role("combobox", name="Which condition")
    for _ in range(2):
        box.fill("stun")
        box.press("Enter")
    live.settle()
    assert "stun" in [each.id for each in live.tracker.encounter[name].conditions]
