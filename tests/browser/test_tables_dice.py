"""With "we roll at the table" every die is asked for, and what is typed lands where the hint says it will."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.test_table_dice import ARMED
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
PEOPLE = ("Mara", "Ilya", "Ossik", "Guard 1", "Guard 2", "Vex")
FACES = (9, 17, 12, 20, 4, 15)

recorded = pytest.fixture(autouse=True)(recording)


def table(page: StubPage, enc: ck.Encounter) -> Live:
    """Show a fight in which everybody rolls at the table."""
    page.page.set_viewport_size({"width": 848, "height": 800})
    tracker = ck.Tracker(enc)
    tracker._vantage.throw(True)
    live = Live(page, tracker)
    live.settle()
    return live


def solid(live: Live) -> Locator:
    return live.root.locator(".ck-work .is-main")


def test_initiative_typed_as_the_hint_says_lands_at_each_person(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=7)
    for name in PEOPLE:
        enc.add(name, side="rebels" if name in PEOPLE[:3] else "empire", dex=2, level=4, hp=20)
    live = table(stub_page, enc)
    live.click("Start")
    for face in FACES:
        live.press(*str(face), "Enter")
    rows = live.root.locator(".ck-rolls tbody tr")
    typed = [(row.locator("th").inner_text(), row.locator("input").first.input_value()) for row in rows.all()]
    assert typed == [(name, str(face)) for name, face in zip(PEOPLE, FACES, strict=True)]
    assert not enc.history.rolls.height, "Enter behind the last die rolls nothing"
    expect(live.root.get_by_text("6 of 6 typed")).to_be_visible()
    expect(solid(live)).to_be_focused()
    live.press("Enter")
    rolled = enc.history.rolls.select("actor", "faces", "source").rows()
    assert sorted(rolled) == sorted((name, [face], "table") for name, face in zip(PEOPLE, FACES, strict=True))


HOLD = """() => {
    const ask = window.toPython;
    const held = new Promise(resolve => { window.letGo = resolve; });
    window.toPython = async (...said) => { await held; return ask(...said); };
}"""
"""Keeps what Python answers until `letGo` is called."""


@pytest.mark.parametrize("slow", mostly_long([False, True], True))
def test_who_ties_and_who_joins_a_tie_roll_it_off_at_the_table(stub_page: StubPage, slow: bool) -> None:
    enc = ck.Encounter("saga", seed=7)
    for name in PEOPLE[:3]:
        enc.add(name, side="rebels", dex=2, level=4, hp=20)
    live = table(stub_page, enc)
    live.click("Start")
    live.press("9", "Enter", "9", "Enter", "1", "2", "Enter")
    boxes = live.root.locator(".ck-rolls input")
    assert [box.input_value() for box in boxes.all()] == ["9", "", "9", "", "12"], "Mara and Ilya roll again"
    order = live.root.get_by_role("list", name="Order so far").get_by_role("listitem")
    expect(order).to_have_text([re.compile("Ossik, 16$"), re.compile(r"Mara, 13, \?.*Ilya, 13, \?$")])
    expect(boxes.nth(1)).to_be_focused()
    live.press("Enter")
    expect(boxes.nth(3)).to_be_focused()
    boxes.nth(1).focus()
    live.press("7", "Enter", "1", "1", "Enter")
    expect(order).to_have_text([re.compile(each) for each in ("Ossik, 16$", "Ilya, 13, 11$", "Mara, 13, 7$")])
    expect(solid(live)).to_be_focused()
    live.press("Enter")
    assert [rung.combatant for rung in enc.order] == ["Ossik", "Ilya", "Mara"]
    live.click("More")
    live.click("Bring somebody in")
    form = live.root.get_by_role("form", name="Bring somebody in")
    form.get_by_role("textbox", name="Name", exact=True).fill("Vex")
    form.get_by_role("combobox", name="Side").fill("empire")
    for name, number in (("Dexterity", "2"), ("Level", "4")):
        form.get_by_role("spinbutton", name=name).or_(form.get_by_role("textbox", name=name)).first.fill(number)
    live.press("Enter")
    if slow:
        live.page.page.evaluate(HOLD)
        for key in ("1", "2", "Enter"):
            live.page.page.keyboard.press(key)
        live.page.page.evaluate("letGo()")
        live.settle()
    else:
        live.press("1", "2", "Enter")
    assert [(box.input_value()) for box in boxes.all()] == ["12", "", ""], "Ossik is asked as well"
    live.press("3", "Enter", "8", "Enter")
    expect(solid(live)).to_be_focused()
    live.press("Enter")
    assert [rung.combatant for rung in enc.order][:2] == ["Ossik", "Vex"]
    assert set(enc.history.rolls["source"]) == {"table"}
    assert enc._state.die == 0, "the seed gave none"


def test_enter_after_enter_declares_for_one_after_another(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", seed=7)
    for name in PEOPLE[:3]:
        enc.add(name, side="heroes", hp=9, aac0=19, ac=5, weapons=[{"name": "club", "damage": "1d6", "speed": 5}])
    enc.start()
    live = table(stub_page, enc)
    live.root.get_by_role("button", name="Declare: Mara").focus()
    live.page.page.evaluate(HOLD)
    for _ in range(4):
        live.page.page.keyboard.press("Enter")
    live.page.page.evaluate("letGo()")
    live.settle()
    first = live.root.locator(".ck-work .ck-pick").first
    expect(first).to_be_focused()
    for whom in PEOPLE[1:3]:
        live.press("Enter")
        expect(live.root.get_by_role("button", name=f"Declare: {whom}")).to_have_attribute("aria-expanded", "true")
        expect(first).to_be_focused()
    live.press("Enter")
    expect(live.root.get_by_text("3 of 3").first).to_be_visible()


def test_a_face_on_no_die_keeps_the_focus_until_it_is_right(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Mara", side="heroes", hp=9, aac0=19, ac=5)
    enc.add("Vex", side="foes", hp=9, aac0=19, ac=5)
    enc.start()
    live = table(stub_page, enc)
    live.click("End step")
    live.click("End step")  # nobody has declared anything
    boxes = live.root.locator("input.ck-face")
    boxes.first.focus()
    live.press("7")
    expect(boxes.first).to_be_focused()
    live.press("3")
    assert [box.input_value() for box in boxes.all()] == ["3", ""]
    expect(boxes.last).to_be_focused()


def duel(page: StubPage, system: str) -> tuple[ck.Encounter, Live, list[int | None]]:
    """Give a duel in which Mara's attack asks for its dice, and faces with which it misses."""
    enc = ck.Encounter(system, seed=3)
    armed, target, missing = ARMED[system]
    enc.add("Mara", side="rebels", **armed)
    enc.add("Vex", side="empire", **target)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    live = table(page, enc)
    live.press("Tab")
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    return enc, live, missing


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_what_hits_is_said_before_it_is_sent_and_a_miss_needs_no_damage(stub_page: StubPage, system: str) -> None:
    enc, live, missing = duel(stub_page, system)
    form = live.root.locator(".ck-work")
    expect(form.locator(".ck-sum").first).to_contain_text(re.compile(r"\d+ or (more|less) hits"))
    assert form.locator("input.ck-face").count() > len(missing), "damage is asked for beside it"
    expect(form.locator("fieldset > .ck-quiet")).to_have_text(["to hit", "damage"])
    for face in missing:
        live.press(str(face))
    live.settle()
    expect(form.locator(".ck-sum").first).to_contain_text("misses by")
    assert form.locator("input.ck-face").count() == len(missing), "the dice of damage are put away"
    assert not enc.history.events.filter(kind="attack").height
    expect(solid(live)).to_have_text(re.compile("^Miss"))
    live.press("Enter")
    rolled = enc.history.rolls.filter(purpose="attack").select("actor", "outcome", "source").rows()
    if not rolled:
        live.click("Carry on")
        rolled = enc.history.rolls.filter(purpose="attack").select("actor", "outcome", "source").rows()
    assert rolled == [("Mara", "miss", "table")]
    assert not enc.history.rolls.filter(purpose="damage").height


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "saga"))
def test_which_faces_hit_stands_beside_each_target(stub_page: StubPage, system: str) -> None:
    _, live, _ = duel(stub_page, system)
    said = live.root.locator(".ck-work .ck-sum").first.inner_text()
    found = re.search(r"(\d+) or (more|less) hits", said)
    assert found
    expect(live.root.locator(".ck-work .ck-pick > small").first).to_contain_text(f"needs {found[1]} or {found[2]}")


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_enter_passes_over_no_die_not_even_from_among_the_options(stub_page: StubPage, system: str) -> None:
    _, live, missing = duel(stub_page, system)
    form = live.root.locator(".ck-work")
    first = form.locator("input.ck-face").first
    expect(first).to_be_focused()
    for _ in range(2):
        live.press("Enter")
        expect(first).to_be_focused()
    expect(form.locator(".ck-why")).to_have_text("Type what was rolled; R rolls it here.")
    form.get_by_role("button", name="Options").click()
    for _ in range(2):
        form.get_by_label("Note").press("Enter")
        expect(first).to_be_focused()
    live.press(str(missing[0]))
    expect(form.locator(".ck-why")).to_have_text("")


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "segments"))
def test_enter_behind_a_miss_sends_it_though_the_answer_comes_late(stub_page: StubPage, system: str) -> None:
    enc, live, missing = duel(stub_page, system)
    expect(live.root.locator(".ck-work input.ck-face").first).to_be_visible()
    live.page.page.evaluate(HOLD)
    for key in (*"".join(map(str, missing)), "Enter"):
        live.page.page.keyboard.press(key)
    live.page.page.evaluate("letGo()")
    live.settle()
    expect(live.root.locator(".ck-work input.ck-face")).to_have_count(0)
    assert enc.history.events.filter(kind="attack").height or enc.pending


def test_a_face_of_two_digits_leads_on_although_its_first_alone_would_miss(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=3)
    enc.add("Mara", side="rebels", attack_bonus=9, weapons=[{"name": "knife", "damage": "1d6"}])
    enc.add("Vex", side="empire", defense=15, hp=20)
    enc.start(rolls={"Mara": 18, "Vex": 3})
    live = table(stub_page, enc)
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    dice = live.root.locator(".ck-work input.ck-face")
    live.press("1")
    expect(dice).to_have_count(1)
    live.press("4")
    expect(dice).to_have_count(2)
    expect(dice.last).to_be_focused()
    live.press("5", "Enter")
    assert enc["Vex"].values["hp"] == 15
