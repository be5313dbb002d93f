"""What an evening by hand has found: typed dice that were lost, searches that said nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

import combatkit as ck
from combatkit.rules.typed import parts_of
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def fight(system: str = "saga", **stats: Any) -> ck.Encounter:
    enc = ck.Encounter(system, seed=7)
    for name, side in (("Mara", "rebels"), ("Ossik", "rebels"), ("Vex", "empire")):
        enc.add(name, side=side, npc=side == "empire", **stats)
    return enc


def table(live: Live) -> list[str]:
    boxes = live.root.locator(".ck-rolls input")
    return [boxes.nth(n).input_value() for n in range(boxes.count())]


def test_the_dice_of_a_tie_take_the_place_of_none_that_are_typed(stub_page: StubPage) -> None:
    tracker = ck.Tracker(fight())
    tracker._vantage.throw(True)
    live = Live(stub_page, tracker)
    live.click("Start")
    for face in ("15", "9", "15"):
        live.press(*face, "Enter")
    assert table(live) == ["15", "", "9", "15", ""], "those who are tied roll again"
    for face in ("8", "3"):
        live.press(*face, "Enter")
    assert table(live) == ["15", "8", "9", "15", "3"]
    expect(live.root.locator(".ck-work .is-main")).to_be_focused()


def test_another_target_leads_to_the_die_although_the_gm_is_asked_whether_it_hits(stub_page: StubPage) -> None:
    enc = fight(hp=30, attack_bonus=5)
    enc.start()
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(True)
    live = Live(stub_page, tracker)
    live.click(live.root.locator("[data-group=attacks] [data-action=attack]"))
    target = live.root.get_by_role("group", name="Attack: Target")
    live.click(target.locator('.ck-pick[aria-pressed="false"]').first)
    expect(live.root.locator(".ck-face").first).to_be_focused()


def test_a_search_that_finds_nothing_says_so(stub_page: StubPage) -> None:
    enc = fight()
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    voice = live.root.get_by_role("status").first
    live.root.get_by_label("Find an action").focus()
    live.press(*"mov")
    found = live.root.get_by_role("group", name="Found", exact=True).get_by_role("button").count()
    expect(voice).to_have_text(f"{found} found.")
    live.press("Escape", *"xyz")
    expect(voice).to_contain_text("No action matches \u201cxyz\u201d.")
    expect(live.root.locator(".ck-desk > .ck-words")).to_have_text("No action matches \u201cxyz\u201d.")
    live.press("Enter")
    expect(voice).to_contain_text("No action matches \u201cxyz\u201d.")
    live.press("Escape")
    expect(live.root.locator(".ck-desk > .ck-words")).to_have_count(0)


def test_a_search_of_the_shelf_that_finds_nobody_says_so(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker())
    live.root.get_by_role("searchbox", name="Find a creature").fill("xyzzy")
    live.settle()
    expect(live.root.get_by_text("Nobody on the shelf matches \u201cxyzzy\u201d.").last).to_be_visible()
    expect(live.root.get_by_role("status").first).to_contain_text("Nobody on the shelf matches")


def test_another_turn_begins_folded_and_at_its_top(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 900, "height": 620})
    enc = fight(hp=30)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    fold = live.root.get_by_role("button", name=re.compile("can do now$"))
    live.click(fold)
    expect(fold).to_have_attribute("aria-expanded", "true")
    budget = live.root.locator(".ck-desk")
    budget.evaluate("node => node.scrollTo(0, 200)")
    assert budget.evaluate("node => node.scrollTop") > 0
    live.click("End turn")
    expect(live.root.locator('.ck-fold button[aria-expanded="true"]')).to_have_count(0)
    assert budget.evaluate("node => node.scrollTop") == 0


@pytest.mark.parametrize("system", ["saga", "ap", "segments", "phases"])
def test_who_has_nothing_left_is_down_on_the_ladder(stub_page: StubPage, system: str) -> None:
    vital = ck.ruleset(system).vitals[0].name
    enc = fight(system, **{vital: 20})
    enc.start()
    waits = next(rung.combatant for rung in enc.order if rung.status == "waits")
    live = Live(stub_page, ck.Tracker(enc))
    rung = live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem").filter(has_text=waits).first
    expect(rung.locator(".ck-state")).not_to_have_text("down")
    enc.damage(waits, 25)
    live.follow()
    expect(rung.locator(".ck-state")).to_have_text("down")
    expect(rung).to_have_attribute("data-status", "out")
    assert ", down" in (rung.get_attribute("aria-label") or "")
    enc.heal(waits, 9)
    live.follow()
    expect(rung.locator(".ck-state")).not_to_have_text("down")


@pytest.mark.parametrize("system", [each.id for each in ck.rulesets()])
def test_a_weapon_is_given_by_hand_before_the_fight(stub_page: StubPage, system: str) -> None:
    live = Live(stub_page, ck.Tracker())
    live.root.get_by_role("combobox", name="Rules").select_option(system)
    live.settle()
    form = live.root.get_by_role("form", name="By hand")
    form.get_by_role("textbox", name="Name", exact=True).fill("Mara")
    form.get_by_role("combobox", name="Side").fill("rebels")
    stat = live.tracker.encounter.ruleset.stats["weapons"]
    attack = form.get_by_role("textbox", name="Attack")
    attack.fill(", ".join(str(stat.example[0].get(part, "")) for part in parts_of(stat)).rstrip(", ") + ", 1" * 5)
    live.press("Enter")
    expect(attack).to_be_focused()
    expect(attack).to_have_accessible_description(re.compile(f"Mara: Attack .*give {', '.join(parts_of(stat))}"))
    assert not live.tracker.encounter.names
    attack.fill(str(attack.get_attribute("placeholder")))
    stub_page.screenshot(f"found-weapons-{system}")
    live.press("Enter")
    enc = live.tracker.encounter
    (weapon,) = enc["Mara"].stats["weapons"]
    assert weapon.items() <= stat.example[0].items()
    assert weapon.keys() >= {"name", "damage"}
    live.click("Edit Mara")
    sheet = live.root.get_by_role("form", name="Edit Mara")
    expect(sheet.get_by_role("textbox", name="Name of weapon 1")).to_have_value(stat.example[0]["name"])
    live.click(f"Remove {stat.example[0]['name']}")
    live.click(sheet.get_by_role("button", name="Add a weapon"))
    sheet.get_by_role("textbox", name="Name of weapon 1").fill("stick")
    live.press("Enter")
    assert enc["Mara"].stats["weapons"] == ({"name": "stick"},)


def test_a_line_of_the_log_has_one_mark_that_opens_all_its_rules(stub_page: StubPage) -> None:
    enc = fight("segments", hp=20, ac=5, aac0=20)
    enc.start()
    enc.next_round()
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    several = [line for line in live.tracker.log.view["lines"].values() if len(line["cite"]) > 1]
    assert several, "a line rests on several rules"
    cite = several[-1]["cite"]
    log = live.root.get_by_role("log")
    lines = log.get_by_role("listitem").all()
    assert max(line.locator("[data-rule]").count() for line in lines) == 1
    mark = log.locator(f'[data-rule="{" ".join(cite)}"]').last
    expect(mark).to_have_text("§")
    live.click(mark)
    note = live.root.locator("[popover]")
    texts = [enc.ruleset.rules[id].text for id in cite]
    expect(note.locator("> span")).to_have_text(texts)
    said = " ".join(texts)
    expect(live.root.get_by_role("status").filter(has_text=said)).to_have_count(1)
    stub_page.screenshot("found-rules-of-a-line")
    live.press("Escape")
    expect(note).to_have_count(0)
    expect(mark).to_be_focused()
