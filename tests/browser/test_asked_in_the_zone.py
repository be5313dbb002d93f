"""What only the table can say about an attack is asked in the result zone, and what it says stays on the sheet."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.wire import recording

ASKS: dict[str, tuple[dict[str, Any], str, int]] = {
    "saga": ({"hp": 20, "attack_bonus": 5}, "defense", 10),
    "ap": ({"hp": 20, "attack_bonus": 5}, "defense", 10),
    "segments": ({"hp": 20}, "aac0", 18),
    "d6": ({"resolve": 20}, "", 0),
}
"""Numbers of those who fight, and the one that would tell whether they hit."""

recorded = pytest.fixture(autouse=True)(recording)


def begun(page: StubPage, system: str, at_table: bool, **ann: Any) -> Live:
    """Show Ann's turn against two Bobs."""
    enc = ck.Encounter(system, id="yard", seed=7)
    enc.add("Ann", side="reds", **{**ASKS[system][0], **ann})
    enc.add("Bob", side="blues", npc=True, count=2, **ASKS[system][0])
    enc.start()
    while enc.active != "Ann":
        enc.end_turn()
    page.page.set_viewport_size({"width": 848, "height": 800})
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(at_table)
    live = Live(page, tracker)
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    return live


@pytest.mark.parametrize("system", mostly_long(list(ASKS), "saga"))
def test_a_hit_and_how_much_are_asked_in_the_result_zone(stub_page: StubPage, system: str) -> None:
    live = begun(stub_page, system, at_table=False)
    enc, zone = live.tracker.encounter, live.root.locator(".ck-res")
    vital = next(iter(ASKS[system][0]))
    expect(zone).to_contain_text("hit?")
    aimed = live.root.locator(".ck-rung.ck-target .ck-name").first.inner_text()
    expect(zone).to_contain_text(f" against {aimed}: ")
    live.page.screenshot(f"zone-{system}")
    assert zone.bounding_box()["height"] == 44  # type: ignore[index]
    assert live.root.locator(".is-main:visible:not([aria-disabled])").count() == 2, "one, and the main button outlined"
    expect(zone.get_by_role("button", name="Hit")).to_be_focused()
    live.press("Enter")
    expect(zone).to_contain_text("How much?")
    expect(zone.get_by_role("textbox", name="How much?")).to_be_focused()
    live.press("7", "Enter")
    if live.root.locator(".ck-desk [data-window]").count():
        live.click("Carry on")
    assert enc["Bob 1"].values[vital] == 13
    expect(zone).to_contain_text("Ann")
    expect(live.root.locator(".ck-asked")).to_have_count(0)


@pytest.mark.parametrize("system", mostly_long(list(ASKS), "saga"))
def test_dice_said_for_the_damage_stay_on_the_sheet_and_undo_takes_them_back(stub_page: StubPage, system: str) -> None:
    live = begun(stub_page, system, at_table=True)
    enc, zone = live.tracker.encounter, live.root.locator(".ck-res")
    dice = live.root.locator("input.ck-face")
    if dice.count():
        live.press("9", "Enter")
    live.click(zone.get_by_role("button", name="Hit"))
    live.press(*("2d" if system == "d6" else "2d4+1"), "Enter")
    expect(dice.last).to_be_focused() if dice.count() == 1 else expect(dice.nth(dice.count() - 2)).to_be_focused()
    assert enc["Ann"].stats["weapons"][0]["damage"]
    live.press("3", "2", "Enter")
    if live.root.locator(".ck-desk [data-window]").count():
        live.click("Carry on")
    assert enc["Bob 1"].values[next(iter(ASKS[system][0]))] < 20
    while enc["Ann"].stats.get("weapons"):
        live.press("u")
    assert enc["Bob 1"].values[next(iter(ASKS[system][0]))] == 20


@pytest.mark.parametrize("system", mostly_long([each for each in ASKS if ASKS[each][1]], "saga"))
def test_the_number_that_tells_is_asked_once(stub_page: StubPage, system: str) -> None:
    live = begun(stub_page, system, at_table=False)
    enc, zone = live.tracker.encounter, live.root.locator(".ck-res")
    _, stat, number = ASKS[system]
    box = zone.get_by_role("textbox")
    box.fill(str(number))
    live.press("Enter")
    whose = "Ann" if system == "segments" else "Bob 1"
    assert enc[whose].values[stat] == number
    if live.root.locator(".ck-desk [data-window]").count():
        live.click("Carry on")
    assert enc.history.events.filter(kind="attack").height == 1
    while enc[whose].values.get(stat) == number:
        live.press("u")
    assert not enc.history.events.filter(kind="attack", undone=False).height
    assert enc[whose].values.get(stat) is None


def test_the_next_number_that_tells_is_asked_in_an_empty_box(stub_page: StubPage) -> None:
    live = begun(stub_page, "saga", at_table=True, attack_bonus=None)
    zone = live.root.locator(".ck-res")
    bonus = zone.get_by_role("textbox", name="Ann's attack bonus")
    bonus.fill("3")
    live.press("Enter")
    expect(bonus).to_have_count(0)
    expect(zone.get_by_role("textbox", name="Bob 1's Defense")).to_have_value("")


def test_a_hit_for_which_nobody_said_how_much_can_be_told_behind_it(stub_page: StubPage) -> None:
    live = begun(stub_page, "saga", at_table=False)
    enc, zone = live.tracker.encounter, live.root.locator(".ck-res")
    zone.get_by_role("textbox", name="Bob 1's Defense").fill("1")
    live.press("Enter")
    expect(zone).to_contain_text("Ann hits Bob 1")
    zone.get_by_role("textbox", name="How much does Bob 1 lose?").fill("7")
    live.press("Enter")
    assert enc["Bob 1"].values["hp"] == 13
    expect(zone.get_by_role("textbox")).to_have_count(0)


@pytest.mark.parametrize("system", mostly_long(list(ASKS), "ap"))
def test_what_is_no_amount_is_asked_for_again(stub_page: StubPage, system: str) -> None:
    live = begun(stub_page, system, at_table=False)
    enc, zone = live.tracker.encounter, live.root.locator(".ck-res")
    live.press("Enter")
    box = zone.get_by_role("textbox", name="How much?")
    for amount in ("", "much"):
        box.fill(amount)
        live.press("Enter")
        expect(zone).to_contain_text("How much?")
        expect(box).to_be_focused()
    expect(live.root.locator(".ck-work .ck-why")).to_be_empty()
    assert live.root.locator(".is-main:visible:not([aria-disabled])").count() == 2, "one, and the main button outlined"
    box.fill("7")
    live.click(zone.get_by_role("button", name="Damage"))
    if live.root.locator(".ck-desk [data-window]").count():
        live.click("Carry on")
    assert enc["Bob 1"].values[next(iter(ASKS[system][0]))] == 13


def test_an_answer_that_attacks_is_asked_nothing_twice(stub_page: StubPage) -> None:
    live = begun(stub_page, "ap", at_table=False)
    live.press("Enter")
    live.press("6", "Enter")
    live.click(live.root.locator(".ck-desk").get_by_role("button", name="Counter-attack"))
    expect(live.root.locator(".ck-res")).to_contain_text("hit?")
    form = live.root.locator(".ck-work")
    expect(form.get_by_role("button", name="Options")).to_have_attribute("aria-expanded", "false")
    expect(form.get_by_role("textbox")).to_have_count(0)
    live.click(form.get_by_role("button", name="Options"))
    expect(form).not_to_contain_text("hit?")


def test_the_answer_that_sends_an_attack_leaves_the_focus_inside(stub_page: StubPage) -> None:
    live = begun(stub_page, "ap", at_table=False)
    live.press("Enter")
    live.press("6", "Enter")
    live.press("n")  # it is in no field by now
    live.press("1")
    expect(live.root.locator(".ck-res").get_by_role("button", name="Hit")).to_be_focused()
    live.press("Enter")
    assert live.tracker.encounter.history.events.filter(kind="window").height == 2, "as much as before"
    expect(live.root.locator(":focus")).to_have_count(1)


@pytest.mark.parametrize("width", [436, 848])
def test_many_answers_of_the_gm_leave_the_sentence_its_place(stub_page: StubPage, width: int) -> None:
    enc = ck.Encounter("phases", id="yard", seed=6)
    for name in ("Mara", "Captain Dray of the lower docks", "Ilya", "Ossik"):
        enc.add(name, side=name[:5], combat_value=5, stun=20, body=9, end=20)
    enc.start()
    enc.do(enc.active or "", "half_move")
    assert enc._state.window is not None
    assert len(enc._state.window.choices) == 5
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    shell, zone = live.root.locator(".ck-shell"), live.root.locator(".ck-res")
    assert shell.evaluate("el => el.scrollWidth - el.clientWidth") == 0
    over = 0 if width > 720 else 64  # on a phone the answers lie over the rail, below what is asked
    assert zone.bounding_box()["height"] == 44 + over  # type: ignore[index]
    assert zone.locator(".ck-say").bounding_box()["width"] >= 110  # type: ignore[index]
    live.click(zone.get_by_role("button", name="nobody"))
    assert enc._state.window is None


def test_a_long_name_that_may_react_widens_nothing(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", id="yard", seed=7)
    enc.add("Captain Dray of the lower docks", side="reds", hp=20)
    enc.add("Bob", side="blues", hp=20)
    enc.start(rolls={"Bob": 17, "Captain Dray of the lower docks": 3})
    enc.trigger("Bob", text="Bob runs past")
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    desk = live.root.locator(".ck-budget")
    expect(desk).to_contain_text("reaction, outside their turn")
    assert (
        desk.evaluate("el => el.firstElementChild.getBoundingClientRect().right - el.getBoundingClientRect().right")
        == 0
    )


def test_what_alone_is_offered_is_said_once(stub_page: StubPage) -> None:
    enc = ck.Encounter("ap", id="yard", seed=7, options={"actions": "book"})
    enc.add("Ann", side="reds", initiative_rating=20, hp=20, defense=12, at=(0, 0))
    knife = {"name": "knife", "damage": "1d4"}
    enc.add("Bob", side="blues", npc=True, hp=20, attack_bonus=5, weapons=[knife], at=(1, 0))
    enc.start()
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    enc.do("Ann", "drink_potion")
    live.follow()
    expect(live.root.locator(".ck-say")).to_contain_text("Bob may make an attack of opportunity on Ann.")
    expect(live.root.locator(".ck-desk .ck-work")).to_be_visible()
    expect(live.root.locator(".ck-desk")).not_to_contain_text("may take")


def test_a_number_that_is_lacking_names_whose_sheet_it_goes_on(stub_page: StubPage) -> None:
    zone = begun(stub_page, "segments", at_table=False).root.locator(".ck-res")
    expect(zone.locator(".ck-say small")).to_contain_text("What is typed stays on Ann's sheet.")
