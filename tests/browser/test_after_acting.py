"""Where a hand is after it has done something: letters go on to count, and what opens is in sight."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.evening import Player
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.test_stage import CELL, crowd
from tests.wire import recording

pytestmark = pytest.mark.long

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.mark.parametrize("system", SYSTEMS)
def test_after_an_attack_n_ends_the_turn(stub_page: StubPage, system: str) -> None:
    """Also where it cannot be made again, and its button is gone."""
    stub_page.page.set_viewport_size({"width": CELL, "height": 800})
    live = Live(stub_page, ck.Tracker(crowd(system, 5)))
    live.settle()
    enc, hand = live.tracker.encounter, Player(live)
    before, turn = hand.events, enc._state.turn
    attacks = live.root.get_by_role("group", name="Attacks").locator("[data-action]")
    live.click(attacks.first)
    hand.fill_form(before)
    assert hand.events > before
    while hand.windows.count():
        hand.go_on()
    owed = live.root.locator("[data-owed]")
    if owed.count():  # it hits, and nothing says for how much
        expect(owed).to_be_focused()
        live.press("3", "Enter")
    on = live.root.locator(":focus")
    assert on.count() == 1, "the focus stays inside"
    assert not on.evaluate("el => el.matches('input, select')")
    live.press("n")
    assert enc._state.turn != turn


def test_an_action_found_by_typing_leaves_the_filter(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(crowd("saga", 5)))
    live.settle()
    enc = live.tracker.encounter
    who = enc.active
    live.root.get_by_label("Find an action").focus()
    live.press(*"draw", "Enter")
    live.press("n")
    assert enc.active != who


def test_dice_for_damage_at_the_bottom_of_the_ladder_open_in_sight(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": CELL, "height": 800})
    tracker = ck.Tracker(crowd("saga", 30))
    tracker._vantage.throw(True)
    live = Live(stub_page, tracker)
    live.settle()
    live.click(live.root.get_by_role("button", name="Damage or heal").last)
    live.press(*"2d6", "Enter")
    dice = live.root.locator("[data-ask=deal]")
    expect(dice.get_by_role("textbox").first).to_be_focused()
    for each in dice.get_by_role("button").all():
        expect(each).to_be_in_viewport(ratio=1)
    stub_page.screenshot("damage-dice-at-the-bottom")


@pytest.mark.parametrize(("system", "keep"), [("saga", "ready"), ("d6", "hold"), ("phases", "ready")])
def test_what_is_readied_is_asked_for_by_its_trigger_first(stub_page: StubPage, system: str, keep: str) -> None:
    live = Live(stub_page, ck.Tracker(crowd(system, 5)))
    live.settle()
    enc = live.tracker.encounter
    who, before = enc.active or "", Player(live).events
    live.click(live.root.locator(f'[data-action="{keep}"]'))
    form = live.root.locator(".ck-work")
    expect(form.get_by_role("textbox", name="Trigger")).to_be_focused()
    live.press(*"door")
    named = form.get_by_role("group", name=": Action").locator(".ck-pick:visible")
    assert named.count() <= 10, "eight, and what folds away"
    stub_page.screenshot(f"readying-{system}")
    find = form.get_by_role("searchbox", name="Find an action")
    if find.count():
        find.focus()
        live.press(*"xyzzy")
        expect(form).to_contain_text("Nothing matches.")
        live.press("Escape", *("block" if system == "phases" else "move"), "Enter")
        expect(form.locator(".is-main")).to_be_focused()
        live.press("Enter")
    else:
        Player(live).fill_form(before)
    assert not form.count()
    assert any(effect.watches for effect in enc._state.fighters[who].effects)


def test_letters_typed_on_a_choice_look_for_another_and_enter_takes_what_they_find(stub_page: StubPage) -> None:
    spells = [{"id": "dazzle", "title": "Dazzle", "tags": ["incantation"], "segments": 1}]
    enc = ck.Encounter("segments", seed=4, tables={"actions": spells})
    for name in ("Ysolde", "Odo"):
        enc.add(name, side=name, hp=14)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    live.click(live.root.get_by_role("button", name="Declare").first)
    live.root.locator(".ck-work .ck-pick:has-text('Flee')").focus()
    live.press(*"dazz", "Enter")
    assert [each.value["action"] for each in enc["Ysolde"].conditions if each.id == "declared"] == ["dazzle"]


@pytest.mark.parametrize("is_on", [True, False])
def test_a_letter_on_a_choice_is_looked_for_where_it_is_no_key(stub_page: StubPage, is_on: bool) -> None:
    spells = [{"id": "nebel", "title": "Nebel", "tags": ["incantation"], "segments": 1}]
    enc = ck.Encounter("segments", seed=4, tables={"actions": spells})
    for name in ("Ysolde", "Odo"):
        enc.add(name, side=name, hp=14)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    if not is_on:
        live.click("More")
        live.click(live.root.locator(".is-settings"))
        live.root.get_by_role("switch", name="Keyboard shortcuts").set_checked(False)
        live.press("Escape", "Escape")
    live.click(live.root.get_by_role("button", name="Declare").first)
    live.root.locator(".ck-work .ck-pick:has-text('Flee')").focus()
    live.press("n")
    find = live.root.locator(".ck-work input[type=search]")
    expect(find).to_have_value("" if is_on else "n")


@pytest.mark.parametrize("does", ["Block", "Dodge"])
def test_after_an_abort_enter_sends_the_attack_that_waits_for_it(stub_page: StubPage, does: str) -> None:
    enc = ck.Encounter("phases", seed=4)
    for name, side, value in (("Kestrel", "heroes", 7), ("Wu", "heroes", 5), ("Boss", "foes", 6)):
        enc.add(name, side=side, combat_value=value, stun=30, weapons="axe, 1d6+2")
    enc.start()
    enc.end_turn()
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    live.root.locator(".ck-res").focus()
    live.press("1")
    target = live.root.locator(".ck-pick.is-main")
    expect(target).to_be_focused()
    live.root.locator(".ck-res").focus()
    live.press("1")
    expect(target).to_be_focused()
    expect(target).to_contain_text("Kestrel")
    live.press("a")
    live.click(live.root.locator(f'.ck-desk .ck-pick:has-text("{does}")').first)
    expect(target).to_be_focused()
    live.press("Enter")
    assert [(event.actor, event.target) for event in enc._events if event.kind == "attack"] == [("Boss", "Kestrel")]


def test_esc_leaves_the_past_and_a_press_beside_the_widget_the_letters(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(crowd("saga", 5)))
    live.settle()
    enc = live.tracker.encounter
    live.root.locator(".ck-res").focus()
    live.press("[", "[")
    assert live.tracker.view["mode"] == "past"
    live.press("Escape")
    assert live.tracker.view["mode"] == "play"
    who = enc.active
    live.root.locator(".ck-res").focus()
    # A notebook keeps the focus where it is when something beside a cell is pressed.
    stub_page.page.evaluate(
        """() => {
            const beside = Object.assign(document.createElement("p"), { id: "beside", textContent: "[1]:" });
            beside.addEventListener("mousedown", event => event.preventDefault());
            document.body.append(beside);
        }"""
    )
    stub_page.page.locator("#beside").click()
    live.press("n")
    assert enc.active == who
    stub_page.page.evaluate("document.querySelector('#beside').remove()")


def test_what_no_action_is_can_be_written_down(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(crowd("saga", 5)))
    live.settle()
    enc = live.tracker.encounter
    live.type(live.root.get_by_label("Find an action"), "sing a song")
    live.click("Write it down as a note")
    assert enc._events[-1].text.endswith(f"{enc.active}: sing a song")
    expect(live.root.locator(".ck-say")).to_contain_text("sing a song")
    live.press("u")
    assert enc._events[-1].kind == "undo"
