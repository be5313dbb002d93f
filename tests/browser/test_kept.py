"""What is typed is lost only when it is sent or put away by hand: not by a look at the past, nor because others act."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long

SYSTEMS = [rules.id for rules in ck.rulesets()]


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield from recording(monkeypatch)


def begun(page: StubPage, system: str = "saga", dice: str = "table") -> Live:
    """Show a fight in which somebody acts."""
    page.page.set_viewport_size({"width": 1000, "height": 800})
    enc = ck.scene("catwalk").encounter(system, seed=7)
    while enc.active is None:
        enc.end_turn()
    live = Live(page, ck.Tracker(enc))
    live.tracker._vantage.throw(dice == "table")
    live.show(live.tracker)
    live.settle()
    return live


def there_and_back(live: Live) -> None:
    """Look at the fight's beginning, where much is otherwise, and come back."""
    live.root.get_by_role("slider", name="Moment").press("Home")
    live.settle()
    expect(live.button("Back to now")).to_be_visible()
    forms = ".ck-work:visible, .ck-deal:visible, .ck-card:visible, .ck-form:visible"
    expect(live.root.locator(forms)).to_have_count(0)
    live.click("Back to now")
    expect(live.button("Back to now")).to_have_count(0)


def look_and_return(live: Live) -> None:
    """Look at the beginning and come back from where the time line is in sight: another view of the same fight."""
    live.tracker._vantage.travel(1)
    live.follow()
    expect(live.root.locator(".ck-form:visible, .ck-mem:visible")).to_have_count(0)
    live.tracker._vantage.travel(None)
    live.follow()


def ask(live: Live) -> Locator:
    """Open a form that asks for something to be typed, and fill it in."""
    form = live.root.locator(".ck-desk .ck-work")
    boxes = form.locator("input:visible:not([type=checkbox])")
    choice = form.locator('.ck-pick:visible:not(.is-more, [aria-disabled], [aria-pressed="true"])')
    offers = live.root.locator('.ck-desk [data-action][aria-expanded="false"]:not([aria-disabled])')
    for offer in offers.all():
        live.click(offer)
        while choice.count() and not boxes.count():
            live.click(choice.first)
        typed = 0
        while typed < boxes.count():  # after a miss no damage is asked for
            boxes.nth(typed).press_sequentially("3")
            live.settle()
            typed += 1
        if boxes.count():
            return form
        live.press("Escape")
    raise AssertionError(f"nothing is typed in {offers.all_inner_texts()}")


def typed(form: Locator) -> list[str]:
    boxes = form.locator(":is(input, select):visible")
    return [boxes.nth(n).input_value() for n in range(boxes.count())]


@pytest.mark.parametrize("system", SYSTEMS)
def test_an_actions_form_stands_as_it_was_after_a_look_at_the_past(stub_page: StubPage, system: str) -> None:
    live = begun(stub_page, system)
    name = live.tracker.encounter.active
    form = ask(live)
    before, chosen = typed(form), form.locator("[aria-pressed=true]").all_inner_texts()
    assert any(before)
    live.click(form.get_by_role("button", name="Options"))
    live.root.get_by_role("textbox", name="Note", exact=True).first.fill("from the catwalk")
    before, chosen = typed(form), form.locator("[aria-pressed=true]").all_inner_texts()
    there_and_back(live)
    expect(form).to_be_visible()
    assert (typed(form), form.locator("[aria-pressed=true]").all_inner_texts()) == (before, chosen)
    expect(live.root.get_by_role("textbox", name="Note", exact=True).first).to_have_value("from the catwalk")
    assert live.tracker.encounter.active == name


def test_damage_half_typed_stands_as_it_was_after_a_look_at_the_past(stub_page: StubPage) -> None:
    live = begun(stub_page)
    live.button("End turn").focus()
    live.press("d")
    form = live.root.get_by_role("form", name="Damage or heal")
    form.get_by_role("textbox", name="How much").fill("2d6+3")
    form.get_by_role("textbox", name="Note").fill("the crate falls")
    live.click(form.get_by_role("button", name="Condition", exact=True))
    form.get_by_role("combobox", name="Which condition").fill("prone")
    live.click(live.root.get_by_role("checkbox", name="Ilya", exact=True))
    before = typed(form)
    there_and_back(live)
    assert typed(form) == before
    expect(live.root.get_by_role("checkbox", name="Ilya", exact=True)).to_be_checked()
    expect(live.root.locator(".ck-desk .ck-list")).to_contain_text("Ilya")


def test_a_card_half_changed_stands_as_it_was_after_a_look_at_the_past(stub_page: StubPage) -> None:
    live = begun(stub_page)
    live.button("End turn").focus()
    live.press("c")
    card = live.root.get_by_role("form", name="Card:")
    card.get_by_role("spinbutton").first.fill("17")
    live.click("Add a weapon")
    live.page.page.keyboard.type("Net")
    before = typed(card)
    assert {"17", "Net"}.issubset(before)
    there_and_back(live)
    assert typed(card) == before


def test_a_form_of_more_stands_as_it_was_after_a_look_at_the_past(stub_page: StubPage) -> None:
    live = begun(stub_page)
    live.click("More")
    live.click(live.root.locator(".is-join"))
    form = live.root.get_by_role("form", name="Bring somebody in")
    form.get_by_role("textbox", name="Name", exact=True).fill("Ossik")
    before = typed(form)
    look_and_return(live)
    expect(form).to_be_visible()
    assert typed(form) == before
    form.get_by_role("textbox", name="Name", exact=True).press("Escape")
    expect(form).to_have_count(0)


def test_fields_of_the_set_up_stand_as_they_were_after_a_look_at_the_past(stub_page: StubPage) -> None:
    tracker = ck.Tracker()
    tracker.encounter.add("Mara", side="rebels")
    live = Live(stub_page, tracker)
    form = live.root.get_by_role("form", name="By hand")
    form.get_by_role("textbox", name="Name", exact=True).fill("Ossik")
    live.click("Edit Mara")
    sheet = live.root.get_by_role("form", name="Edit Mara")
    sheet.get_by_role("spinbutton").first.fill("3")
    live.root.get_by_role("checkbox", name="surprised").check()
    before = typed(form), typed(sheet)
    look_and_return(live)
    expect(form).to_be_visible()
    assert (typed(form), typed(sheet)) == before
    expect(live.root.get_by_role("checkbox", name="surprised")).to_be_checked()


def test_an_answer_half_typed_stands_as_it_was_after_a_look_at_the_past(stub_page: StubPage) -> None:
    live = begun(stub_page)
    live.tracker.encounter.edit("Mara", weapons=[{"name": "Blade", "attack": 9, "damage": "2d6"}])
    live.tracker.encounter.edit("Guard 1", defense=15)
    live.tracker.encounter.trigger("Guard 1", text="runs past")
    live.follow()
    live.click(live.root.locator(".ck-rung", has_text="Mara").get_by_role("button", name="React"))
    form = live.root.locator(".ck-desk [data-window] .ck-work")
    form.locator(".ck-face").first.press_sequentially("14")
    form.get_by_role("button", name="Options").click()
    form.get_by_role("textbox", name="Note").fill("through the door")
    before = typed(form)
    assert "14" in before
    there_and_back(live)
    assert typed(form) == before


def test_dice_typed_for_an_action_outlast_a_look_at_another_and_a_reaction(stub_page: StubPage) -> None:
    live = begun(stub_page)
    enc = live.tracker.encounter
    name, other = enc.active, next(each for each in enc.names if each != enc.active)
    form = ask(live)
    before = typed(form)
    live.tracker._vantage.look(other)  # a rung clicked would be a target chosen
    live.follow()
    expect(live.root.get_by_role("group", name=f"Action budget: {other}")).to_be_visible()
    expect(form).to_have_count(0)
    live.tracker._vantage.look(name)
    live.follow()
    assert typed(form) == before
    enc.adjust(other, vital="hp", by=-1)
    live.follow()
    assert typed(form) == before
    enc.end_turn()
    live.follow()
    expect(form).to_have_count(0)
    live.root.get_by_role("list", name="Initiative ladder").locator("li", has_text=name).locator(".ck-state").click()
    live.settle()
    expect(form).to_have_count(0)


def dice(live: Live) -> list[str]:
    boxes = live.root.locator(".ck-rolls .ck-face")
    return [boxes.nth(n).input_value() for n in range(boxes.count())]


@pytest.mark.parametrize(("system", "faces"), [("saga", ["15", "12", "9"]), ("phases", ["4", "2", "6"])])
def test_enter_behind_a_face_that_led_on_leads_no_further(stub_page: StubPage, system: str, faces: list[str]) -> None:
    tracker = ck.Tracker(ck.Encounter(system))
    for name in ("Mara", "Vex", "Ilya"):
        tracker.encounter.add(name, side="rebels")
    tracker._vantage.throw(True)
    live = Live(stub_page, tracker)
    live.click("Start")
    boxes = len(dice(live))
    typed = [*faces, *faces, *faces][:boxes]
    for face in typed:
        live.press(*face, "Enter")
    assert dice(live) == typed
    assert live.page.page.evaluate("document.activeElement.innerText").startswith("Start")


def test_dice_of_the_table_outlast_back_while_they_are_asked_for(stub_page: StubPage) -> None:
    tracker = ck.Tracker(ck.Encounter("saga", seed=7))
    for name in ("Mara", "Vex", "Ilya"):
        tracker.encounter.add(name, side="rebels")
    tracker._vantage.throw(True)
    live = Live(stub_page, tracker)
    live.click("Start")
    for face in ("11", "7"):
        live.page.page.keyboard.type(face)
    live.settle()
    assert dice(live) == ["11", "7", ""]
    live.click("Back")
    live.click("Remove Vex")
    live.click("Start")
    assert dice(live) == ["11", ""]
    expect(live.root.locator(".ck-rolls")).to_contain_text("11")
    expect(live.root.locator(".ck-work").get_by_role("button", name="Roll the rest")).to_be_visible()
    live.page.page.keyboard.press("Escape")
    live.settle()
    live.click("Start")
    assert dice(live) == ["11", ""], "Escape is Back"
    live.click(live.root.locator(".ck-work").get_by_role("button", name="Roll the rest"))
    assert tracker.encounter._state.stage == "running"
    rolls = {roll["actor"]: roll for roll in tracker.encounter.history.rolls.iter_rows(named=True)}
    assert (rolls["Mara"]["faces"], rolls["Mara"]["source"]) == ([11], "table")
    assert rolls["Ilya"]["source"] == "seeded", "what was typed for Vex is not Ilya's"
