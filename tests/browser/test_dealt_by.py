"""Damage by hand may be somebody's, and is no less than nothing."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)


def test_it_may_be_said_who_deals_damage(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=3)
    for name, side in (("Mara", "rebels"), ("Vex", "empire")):
        enc.add(name, side=side, hp=9)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    form = live.root.get_by_role("form", name="Damage or heal")
    for by, amount in (("", "1"), ("Mara", "2")):
        live.root.locator(".ck-res").focus()
        live.press("d")
        live.tick(live.root.get_by_role("checkbox", name="Vex"))
        live.type(form.get_by_role("textbox", name="How much"), amount)
        if by:
            live.choose(form.get_by_role("combobox", name="Who deals it"), by)
        live.click(form.get_by_role("button", name="Damage"))
        event = enc._events[-1]
        assert (event.kind, event.actor or "", event.target, event.amount) == ("damage", by, "Vex", int(amount))


@pytest.mark.parametrize("system", mostly_long([rules.id for rules in ck.rulesets()], "ap"))
def test_what_is_less_than_nothing_is_refused_wherever_it_is_typed(stub_page: StubPage, system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=5)
    live = Live(stub_page, ck.Tracker(enc))
    digest = enc.digest
    live.root.locator(".ck-res").focus()
    live.press("d")
    rung = live.root.locator(".ck-rung").nth(1)
    rung.click()
    rung.focus()
    live.press(*"-10")
    expect(live.root.get_by_label("How much", exact=True)).to_have_value("-10")
    why = live.root.locator(".ck-deal .ck-why")
    for key in ("Enter", "Shift+Enter"):
        live.press(key)
        expect(why).to_contain_text("amount is '-10'; give a number from 0 up")
    live.click(live.root.locator(".ck-deal").get_by_role("button", name="Set", exact=True))
    expect(why).to_contain_text("is -10; give a whole number from 0 to")
    assert enc.digest == digest, "nothing has changed"


@pytest.mark.parametrize("first", ["Set condition", "Damage"])
def test_of_a_number_and_a_condition_typed_together_neither_is_thrown_away(stub_page: StubPage, first: str) -> None:
    enc = ck.Encounter("segments", seed=3)
    for name, side in (("Mara", "rebels"), ("Vex", "empire")):
        enc.add(name, side=side, hp=9)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    form = live.root.get_by_role("form", name="Damage or heal")
    number = form.get_by_role("textbox", name="How much")
    live.root.locator(".ck-res").focus()
    live.press("d")
    live.tick(live.root.get_by_role("checkbox", name="Vex"))
    live.type(number, "6")
    live.click(form.get_by_role("button", name="Condition", exact=True))
    condition = form.get_by_role("combobox", name="Which condition")
    live.type(condition, "webbed")
    live.click(form.get_by_role("button", name=first, exact=True))
    if first == "Damage":
        expect(number).to_have_value("")
        expect(condition).to_be_focused()
        live.click(form.get_by_role("button", name="Set condition"))
    else:
        expect(condition).to_have_value("")
        expect(number).to_be_focused()
        live.click(form.get_by_role("button", name="Damage", exact=True))
    expect(form).to_have_count(0)
    assert enc["Vex"].values["hp"] == 3
    assert [each.id for each in enc["Vex"].conditions] == ["webbed"]
