"""A spell is aimed at several by hand: a press selects, and one more sends."""

from __future__ import annotations

import pytest

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)


def test_a_spell_is_aimed_at_one_and_at_another(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", seed=3)
    enc.add("Odo", side="heroes", hp=9)
    enc.add("Orc", side="orcs", npc=True, count=2, hp=9)
    enc.start()
    enc.do("Odo", "declare", action="incantation", spell_name="fireball", segments=3)
    enc.end_turn()
    while not enc.pending:
        enc.end_turn()
    stub_page.page.set_viewport_size({"width": 1101, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    work = live.root.locator(".ck-work")
    live.click(work.get_by_role("button", name="Orc 2").first)  # beside the one that is proposed
    live.click(work.locator(".is-main"))
    (event,) = [each for each in enc._events if each.action == "announce_target" and each.kind == "action"]
    assert event.data["params"]["target"] == ["Orc 1", "Orc 2"]
