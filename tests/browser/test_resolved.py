"""An attack that no roll resolves is asked about: whether it hits, and for how much. With Python behind the page."""

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

CLUB: dict[str, dict[str, Any]] = {
    "saga": {"hp": 20},
    "d6": {"resolve": 20},
    "ap": {"hp": 20},
    "segments": {"hp": 20},
}


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(page: StubPage, system: str, weapon: dict[str, Any]) -> Live:
    """Show a fight in which Ann, who has a weapon and no number to hit with, acts against Bob."""
    enc = ck.Encounter(system, id="yard", seed=7)
    enc.add("Ann", side="reds", weapons=[weapon], **CLUB[system])
    enc.add("Bob", side="blues", npc=True, **CLUB[system])
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    live = Live(page, ck.Tracker(enc))
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    return live


@pytest.mark.parametrize("system", CLUB)
def test_an_attack_without_a_number_asks_hit_or_miss_and_for_how_much(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system, {"name": "Club"})
    enc = live.tracker.encounter
    vital = next(iter(CLUB[system]))
    form = live.root.locator(".ck-attacks .ck-work")
    assert not enc.history.events.filter(kind="attack").height, "nothing is done before it is said"
    zone = live.root.locator(".ck-res")
    outcome = zone.get_by_role("group", name="Does it hit?")
    assert outcome.get_by_role("button").all_inner_texts() == ["Hit", "Miss"]
    expect(zone.get_by_role("textbox", name="How much?")).to_have_count(0)
    live.click(outcome.get_by_role("button", name="Hit"))
    damage = zone.get_by_role("textbox", name="How much?")
    expect(damage).to_be_focused()
    live.page.page.keyboard.type("5")
    live.press("Enter")
    expect(form).to_have_count(0)
    if live.root.locator(".ck-desk [data-window]").count():
        live.click("Carry on")
    assert enc["Bob"].values[vital] == 15


@pytest.mark.parametrize("system", CLUB)
def test_a_miss_is_all_there_is_to_say(stub_page: StubPage, system: str) -> None:
    damage = {"d6": {"damage": "2d"}, "segments": {}}.get(system, {"damage": "1d4+2"})
    live = fight(stub_page, system, {"name": "Club", **damage})
    enc = live.tracker.encounter
    form = live.root.locator(".ck-attacks .ck-work")
    zone = live.root.locator(".ck-res")
    live.click(zone.get_by_role("group", name=re.compile("hit")).get_by_role("button", name="Miss"))
    expect(form).to_have_count(0)
    if live.root.locator(".ck-desk [data-window]").count():
        live.click("Carry on")
    assert any("miss" in event.text for event in enc._events)
    assert enc["Bob"].values[next(iter(CLUB[system]))] == 20


def test_an_attack_that_is_rolled_asks_nothing_more(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", id="yard", seed=7)
    enc.add("Ann", side="reds", hp=20, weapons=[{"name": "Club", "attack": 9, "damage": "1d4+2"}])
    enc.add("Bob", side="blues", npc=True, hp=20, defense=12)
    enc.start(rolls={"Ann": 17, "Bob": 3})
    live = Live(stub_page, ck.Tracker(enc))
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    live.click(live.root.get_by_role("group", name="Club: Target").locator(".ck-pick").first)
    assert enc.history.events.filter(kind="attack").height == 1


def test_an_answer_without_a_number_asks_before_it_is_sent(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", id="yard", seed=7)
    enc.add("Ann", side="reds", hp=20)
    enc.add("Bob", side="blues", npc=True, hp=20)
    enc.start(rolls={"Ann": 3, "Bob": 17})
    enc.trigger("Bob", text="runs past")
    live = Live(stub_page, ck.Tracker(enc))
    window = live.root.locator(".ck-desk [data-window]")
    live.click(live.root.locator(".ck-rung").get_by_role("button", name="React"))
    assert not any(event.action == "attack_of_opportunity" for event in enc._events)
    expect(window).to_be_visible()
    live.click(live.root.locator(".ck-res").get_by_role("button", name="Hit"))
    live.page.page.keyboard.type("4")
    live.press("Enter")
    assert enc["Bob"].values["hp"] == 16


@pytest.mark.parametrize("system", ["saga", "ap"])
def test_typed_dice_wait_until_it_is_said_whether_they_hit(stub_page: StubPage, system: str) -> None:
    enc = ck.Encounter(system, id="yard", seed=7)
    enc.add("Ann", side="reds", hp=20, attack_bonus=5, weapons=[{"name": "Blade", "damage": "1d8+2"}])
    enc.add("Bob", side="blues", npc=True, hp=20)
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(True)
    live = Live(stub_page, tracker)
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    form = live.root.locator(".ck-attacks .ck-work")
    zone = live.root.locator(".ck-res")
    why = zone.get_by_text("Bob's sheet has no Defense.")
    live.press(*"154")
    live.press("Enter")
    expect(why).to_be_visible()
    boxes = form.locator(".ck-face")
    assert [boxes.nth(n).input_value() for n in range(2)] == ["15", "4"]
    assert not enc.history.events.filter(kind="attack").height, "nothing is done before it is said"
    stub_page.screenshot(f"resolved-asked-{system}")
    live.click(zone.get_by_role("group", name="Did 20 hit?").get_by_role("button", name="Hit"))
    expect(form).to_have_count(0)
    if live.root.locator(".ck-desk [data-window]").count():
        live.click("Carry on")
    assert enc["Bob"].values["hp"] == 20 - 6


COUNTER: dict[str, tuple[str, dict[str, Any], list[int]]] = {
    "saga": ("attack_of_opportunity", {"attack_bonus": 5, "defense": 10, "hp": 20}, [15]),
    "ap": ("counter_attack", {"attack_bonus": 5, "defense": 5, "hp": 20}, [15]),
    "segments": ("immediate_attack", {"aac0": 20, "ac": 10, "hp": 20}, [15]),
    "phases": ("attack_of_opportunity", {"ocv": 5, "dcv": 5, "stun": 20, "body": 20, "end": 20}, [5, 5, 5]),
}


@pytest.mark.parametrize("system", COUNTER)
def test_a_counter_attack_that_hits_asks_how_much_before_the_next_may_react(stub_page: StubPage, system: str) -> None:
    action, stats, faces = COUNTER[system]
    enc = ck.Encounter(system, id="yard", seed=7)
    for name, side in (("Ann", "reds"), ("Bob", "blues"), ("Cid", "blues")):
        enc.add(name, side=side, weapons=[{"name": "Club"}], **stats)
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    vital = enc.ruleset.vitals[0].name
    enc.trigger("Ann", text="runs past")
    live = Live(stub_page, ck.Tracker(enc))
    live.root.get_by_role("button", name="Carry on").focus()
    enc.do("Bob", action, target="Ann", rolls={"attack": faces})
    live.follow()
    assert "Cid" in {offer.who for offer in enc.pending}, "others may still react"
    zone = live.root.locator(".ck-res")
    expect(zone).to_contain_text("Bob hits Ann")
    expect(zone).to_contain_text("Ann: runs past.")
    expect(zone.get_by_role("textbox", name="How much does Ann lose?")).to_be_focused()
    live.press("N")
    assert enc.pending, "it is not passed over"
    live.press("7", "Enter")
    assert enc["Ann"].values[vital] == 13
    expect(zone.get_by_role("textbox")).to_have_count(0)
    expect(zone).to_be_focused()


def test_what_is_asked_can_be_answered_though_a_refusal_stands_there(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", id="yard", seed=7)
    for name, side in (("Ann", "reds"), ("Bob", "blues")):
        enc.add(name, side=side, weapons=[{"name": "Club"}], hp=20)
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    enc.trigger("Ann", text="runs past")
    live = Live(stub_page, ck.Tracker(enc))
    live.click(live.root.locator("[data-window]").get_by_role("button", name="Immediate attack"))
    live.click("Carry on")
    zone = live.root.locator(".ck-res")
    expect(zone).to_contain_text("Immediate attack: Bob's answer isn't sent yet")
    live.click(zone.get_by_role("button", name="Hit"))
    expect(zone.get_by_role("textbox", name="How much?")).to_be_focused()
    live.press("5", "Enter")
    assert enc["Ann"].values["hp"] == 15
