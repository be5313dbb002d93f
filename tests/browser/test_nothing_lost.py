"""What is pressed by habit loses nothing, and what is asked or done is said where one looks."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import CUT
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)

AXE = {"name": "hand axe", "damage": "1d6+1", "attack": 3, "range": "melee"}
SYSTEMS = [rules.id for rules in ck.rulesets()]
STATS: dict[str, Any] = {"initiative_rating": 10, "attack_bonus": 3, "defense": 12, "hp": 16, "weapons": [AXE]}


def fight(*, thrown: bool = False, **brynja: Any) -> ck.Tracker:
    """Give a fight in ap: Brynja acts first, and whoever is attacked may react."""
    enc = ck.Encounter("ap", seed=5)
    enc.add("Brynja", side="heroes", **(STATS | {"initiative_rating": 19} | brynja))
    for name in ("Chief", "Wolf"):
        enc.add(name, side="foes", **STATS)
    enc.start()
    assert enc.active == "Brynja"
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(thrown)
    return tracker


def live_of(page: StubPage, tracker: ck.Tracker) -> Live:
    page.page.set_viewport_size({"width": 1086, "height": 900})
    live = Live(page, tracker)
    live.settle()
    return live


def focus(page: StubPage) -> str:
    """Give what has the focus, by what it is called."""
    return str(page.page.evaluate("(on => on.ariaLabel ?? on.innerText ?? on.tagName)(document.activeElement)"))


def attack(live: Live, target: str = "Chief") -> None:
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    live.click(live.root.locator(".ck-work").get_by_role("button", name=re.compile(f"^{target}")))


def asked(live: Live) -> Locator:
    return live.root.locator(".ck-desk [data-window]")


def test_a_tab_behind_a_full_face_stays_at_the_die_it_has_led_to(stub_page: StubPage) -> None:
    live = live_of(stub_page, fight(thrown=True))
    attack(live)
    dice = live.root.locator(".ck-desk input.ck-face")
    live.press("1", "5")
    expect(dice.last).to_be_focused()
    live.press("Tab", "4", "Tab")
    assert [box.input_value() for box in dice.all()] == ["15", "4"]
    expect(live.root.locator(".ck-work [type=submit]")).to_be_focused()
    live.press("Enter")
    live.click("Carry on")
    assert live.tracker.encounter.history.rolls.tail(2)["faces"].to_list() == [[15], [4]]


def test_the_dice_of_a_call_say_who_rolls_at_whom_and_show_nobodys_points(stub_page: StubPage) -> None:
    live = live_of(stub_page, fight())
    attack(live)
    live.tracker._vantage.throw(True)
    live.follow()
    expect(live.root.locator(".ck-slots")).to_contain_text("Action Points")
    live.click("Carry on")
    expect(live.root.locator(".ck-desk legend").first).to_be_visible()
    expect(live.root.locator(".ck-desk legend").first).to_have_text("Brynja rolls 1d20 to hit Chief")
    expect(live.root.locator(".ck-slots")).to_have_count(0)
    live.click("Cancel")
    live.press("d")
    expect(live.root.get_by_role("heading", name="Damage or heal")).to_be_visible()
    expect(live.root.locator(".ck-slots")).to_have_count(0)


def test_enter_in_the_empty_shelf_box_adds_nobody(stub_page: StubPage) -> None:
    live = live_of(stub_page, ck.Tracker(ck.Encounter("ap", seed=5)))
    find = live.root.get_by_role("searchbox", name="Find a creature")
    find.press("Enter")
    live.settle()
    assert not live.tracker.encounter._state.fighters
    expect(live.root.get_by_role("status")).to_have_text("Type a name first.")
    find.fill("brigand")
    find.press("Enter")
    live.settle()
    assert len(live.tracker.encounter._state.fighters) == 1


def test_the_list_of_more_gives_way_to_whatever_else_is_done(stub_page: StubPage) -> None:
    live = live_of(stub_page, fight())
    menu = live.root.get_by_role("group", name="More", exact=True)
    live.click("More")
    live.click("Bring somebody in")
    live.press("Escape")
    expect(menu).to_be_visible()
    live.click("End turn")
    expect(menu).to_have_count(0)
    for way in ("mouse", "Enter", "letter", "Escape"):
        live.click("More")
        expect(menu).to_be_visible()
        end = live.button("End turn")
        if way == "mouse":
            live.root.locator(".ck-log .ck-cap h4").click()
        elif way == "Enter":
            end.focus()
            live.press("Enter")
            expect(end).to_be_focused()
        elif way == "letter":
            live.press("1")
            expect(live.root.locator(".ck-work")).to_be_visible()
            live.press("Escape")
        else:
            end.focus()
            live.press("Escape")
        expect(menu).to_have_count(0)


def test_how_much_is_asked_with_the_focus_and_a_letter_does_not_pass_it_over(stub_page: StubPage) -> None:
    tracker = fight(weapons=[], attack_bonus=30)
    live = live_of(stub_page, tracker)
    attack(live)
    live.click("Carry on")
    box = live.root.get_by_role("textbox", name="How much does Chief lose?")
    expect(box).to_be_focused()
    live.press("Escape")
    expect(live.root.locator(".ck-res")).to_be_focused()
    live.press("n")
    expect(live.root.get_by_role("status")).to_have_text("Say how much first.")
    expect(box).to_be_focused()
    assert tracker.encounter.active == "Brynja"
    live.press("4", "Enter")
    assert tracker.encounter.history.events.filter(kind="damage").height == 1


def test_after_running_it_again_by_keys_nothing_begins_by_another_enter(stub_page: StubPage) -> None:
    tracker = fight()
    live = live_of(stub_page, tracker)
    tracker.encounter.finish()
    live.follow()
    live.button("Run it again").focus()
    live.press("Enter", "Enter")
    expect(live.root.locator(".ck-res")).to_be_focused()
    expect(live.button("Start")).to_be_visible()


def test_an_answer_that_is_filled_in_is_not_dropped_by_carrying_on(stub_page: StubPage) -> None:
    live = live_of(stub_page, fight())
    attack(live)
    window = live.tracker.encounter.pending
    live.click(asked(live).get_by_role("button", name=re.compile("^Counter-attack")).first)
    live.click("Carry on")
    assert live.tracker.encounter.pending == window
    told = live.root.get_by_role("group", name="Result")
    expect(told).to_contain_text("Counter-attack: Chief's answer isn't sent yet; send it, or let it go.")
    live.press("l")
    if live.tracker.encounter.pending:
        live.click("Carry on")
    assert not live.tracker.encounter.pending


def test_a_window_opens_with_the_focus_on_what_gives_nothing_away(stub_page: StubPage) -> None:
    live = live_of(stub_page, fight())
    attack(live)
    window = live.tracker.encounter.pending
    assert focus(stub_page).startswith("Parry")
    live.press("Enter")
    assert live.tracker.encounter.pending == window
    assert not live.root.get_by_text("lets it go").count()


def test_a_page_saved_at_the_end_says_so_in_sight(stub_page: StubPage) -> None:
    tracker = fight()
    live = live_of(stub_page, tracker)
    tracker.encounter.finish()
    live.follow()
    with stub_page.page.expect_download() as kept:
        live.click("Save web page")
    told = live.root.get_by_role("group", name="Result")
    expect(told).to_contain_text(f"Saved {kept.value.suggested_filename}.")


def test_a_file_under_review_is_read_from_its_top(stub_page: StubPage) -> None:
    live = live_of(stub_page, ck.Tracker(ck.Encounter("ap", seed=5)))
    stub_page.page.set_viewport_size({"width": 1086, "height": 400})
    live.root.locator('[type="file"]').set_input_files(
        {"name": "party.csv", "mimeType": "text/csv", "buffer": b"Name,HP\nAldis,24\nBrynja,20\n"}
    )
    review = live.root.get_by_role("form", name="Review of party.csv")
    expect(review.get_by_role("heading", name="party.csv")).to_be_in_viewport()
    expect(review.get_by_role("button", name="Add 2")).to_be_focused()


@pytest.mark.parametrize("answer", ["counter_attack", "evade"])
def test_what_came_of_a_reaction_is_told_while_others_are_still_asked(stub_page: StubPage, answer: str) -> None:
    tracker = fight()
    enc = tracker.encounter
    enc.do("Brynja", "attack", target="Chief")
    live = live_of(stub_page, tracker)
    told = live.root.get_by_role("group", name="Result")
    expect(told).to_have_text(re.compile(r"Brynja attacks Chief\.\s*Chief may react\. One other may react too\."))
    given: dict[str, Any] = {} if answer == "counter_attack" else {"outcome": "failed"}
    enc.do("Chief", answer, **given)
    live.follow()
    expect(told).to_contain_text("Brynja attacks Chief.")
    answered = (
        r"Chief misses Brynja \(counter-attack\): \d+ against 12\." if answer == "counter_attack" else r"Chief fails"
    )
    expect(told).to_contain_text(re.compile(answered))


def test_numbers_hit_or_miss_and_rounds_are_never_cut(stub_page: StubPage) -> None:
    tracker = fight()
    enc = tracker.encounter
    live = live_of(stub_page, tracker)
    stub_page.page.set_viewport_size({"width": 833, "height": 800})
    enc.condition("Wolf", "poisoned", until="3 rounds")
    enc.do("Brynja", "attack", target="Chief")
    enc.do("Chief", "counter_attack")
    live.follow()
    line = live.root.locator(".ck-log .ck-line", has_text="Chief counter-attacks")
    text = line.locator(".txt")
    expect(text).to_have_text(re.compile(r"= \d+ against \d+, (hit|miss)$"))
    rung = live.root.locator(".ck-rung", has_text="Wolf")
    expect(rung.locator(".ck-chips small")).to_have_text("for 3 rounds")
    for told in (text, rung.locator(".ck-chips small")):
        box, within = told.bounding_box(), told.locator("xpath=..").bounding_box()
        assert box
        assert within
        assert told.evaluate(CUT) == []
        assert box["x"] + box["width"] <= within["x"] + within["width"] + 0.5
        assert box["y"] + box["height"] <= within["y"] + within["height"] + 0.5


def test_more_stats_come_into_sight_when_they_are_unfolded(stub_page: StubPage) -> None:
    live = live_of(stub_page, ck.Tracker(ck.Encounter("ap", seed=5)))
    if not live.root.get_by_text("More stats").is_visible():
        live.click(live.root.get_by_text("By hand", exact=True))
    live.click(live.root.get_by_text("More stats"))
    expect(live.root.locator(".ck-rest .ck-field").last).to_be_in_viewport(ratio=1)


def test_what_brings_somebody_in_comes_into_sight(stub_page: StubPage) -> None:
    live = live_of(stub_page, fight())
    stub_page.page.set_viewport_size({"width": 1086, "height": 400})
    live.click("More")
    live.click("Bring somebody in")
    expect(live.root.get_by_role("button", name="Bring in", exact=True)).to_be_in_viewport(ratio=1)


def test_n_ends_no_turn_over_dice_that_are_typed(stub_page: StubPage) -> None:
    tracker = fight(thrown=True)
    live = live_of(stub_page, tracker)
    attack(live)
    live.press("1", "2", "Tab", "n")
    live.root.locator(".ck-work").get_by_role("button", name="Cancel").focus()
    live.press("n")
    assert tracker.encounter.active == "Brynja"
    expect(live.root.get_by_role("alert").or_(live.root.locator(".ck-res"))).to_contain_text("dice aren't sent yet")
    live.click("Cancel")
    live.press("n")
    assert tracker.encounter.active != "Brynja"


def test_n_ends_no_turn_over_a_form_that_is_filled_in(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=5)
    enc.add("Brynja", side="heroes", combat_value=9)
    enc.add("Chief", side="foes", combat_value=5)
    enc.start()
    live = live_of(stub_page, ck.Tracker(enc))
    live.click(live.root.locator('.ck-desk [data-action="ready"]'))
    form = live.root.locator(".ck-work")
    form.get_by_role("textbox", name="Trigger").fill("somebody comes through the door")
    form.get_by_role("button", name="Cancel").focus()
    live.press("n")
    assert enc.active == "Brynja"
    expect(live.root.locator(".ck-res")).to_contain_text("Ready: Brynja's choice isn't sent yet; send it, or cancel.")
    expect(form.get_by_role("textbox", name="Trigger")).to_have_value("somebody comes through the door")
    live.click("Cancel")
    live.press("n")
    assert enc.active != "Brynja"


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_temporary_points_stand_beside_what_is_left(stub_page: StubPage, system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    full: dict[str, Any] = {vital.name: 10 for vital in enc.ruleset.vitals}
    for name in ("Mara", "Vex"):
        enc.add(name, side=name, **full)
    enc.start()
    enc.temporary("Mara", 8)
    live = live_of(stub_page, ck.Tracker(enc))
    stub_page.page.set_viewport_size({"width": 849, "height": 800})
    vital = live.root.locator(".ck-rung", has_text="Mara").locator("button.ck-vital")
    expect(vital).to_have_accessible_name(re.compile(r"Mara: .*10 of 10, 8 temporary.*\. Damage or heal"))
    expect(vital).to_contain_text("10+8")
    stub_page.screenshot(f"temporary-{system}")
    enc.damage("Mara", 3)
    live.follow()
    expect(vital).to_contain_text("10+5")
    assert vital.evaluate("el => el.scrollWidth <= el.clientWidth")
    assert vital.evaluate(
        "el => [...el.children].every(each => each.matches('.ck-sr') || each.scrollWidth <= each.clientWidth)"
    )
