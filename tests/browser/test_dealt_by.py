"""Damage by hand may be somebody's."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
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
