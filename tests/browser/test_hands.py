"""How many clicks and keys a turn takes, by hand and with Python behind the page."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

RIFLE = {"name": "Blaster rifle", "attack": 9, "damage": "3d8+2"}


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.fixture
def live(stub_page: StubPage) -> Live:
    """Show a fight of saga that has begun: Mara, who is armed, acts first."""
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=38, weapons=[RIFLE])
    enc.add("Ilya", side="rebels", dex=3, level=4, hp=28)
    enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=40, defense=15)
    enc.start(rolls={"Mara": 17, "Ilya": 12, "Guard 1": 9, "Guard 2": 4})
    shown = Live(stub_page, ck.Tracker(enc))
    expect(shown.button("End turn")).to_be_visible()
    shown.settle()
    return shown


def test_an_attack_with_damage_and_the_end_of_the_turn_take_three_clicks(live: Live) -> None:
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]"))
    live.click(live.root.get_by_role("group", name="Blaster rifle: Target").locator(".ck-act").first)
    live.click("End turn")
    assert live.turn() == (3, 0)
    enc = live.tracker.encounter
    assert enc.active == "Ilya"
    [attack] = enc.history.events.filter(kind="attack").iter_rows(named=True)
    assert (attack["actor"], attack["target"]) == ("Mara", "Guard 1")
    assert "17 against 15: hit" in attack["text"]
    assert enc["Guard 1"].values["hp"] == 24, "the hit brings its damage"


def test_an_attack_with_the_tables_dice_takes_three_clicks_and_the_numbers(live: Live) -> None:
    live.click("More")
    live.click(live.root.locator(".is-settings"))
    live.root.get_by_role("radio", name="we roll at the table").check()
    live.settle()
    live.press("Escape", "Escape")
    live.turn()
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]"))
    live.click(live.root.get_by_role("group", name="Blaster rifle: Target").locator(".ck-act").first)
    live.press("1", "7", "3", "4", "5", "Enter")
    live.click("End turn")
    assert live.turn() == (3, 6), "two numbers, Enter"
    assert live.tracker.encounter.active == "Ilya"


def test_damage_by_hand_takes_a_key_the_number_and_enter(live: Live) -> None:
    live.button("End turn").focus()
    live.press("d", "5", "Enter")
    assert live.turn() == (0, 3)
    assert live.tracker.encounter["Mara"].values["hp"] == 33
    live.press("u")
    assert live.tracker.encounter["Mara"].values["hp"] == 38


def test_the_next_turn_takes_a_key(live: Live) -> None:
    live.button("End turn").focus()
    live.press("n")
    assert live.turn() == (0, 1)
    assert live.tracker.encounter.active == "Ilya"


def test_delaying_takes_a_click_and_coming_back_another(live: Live) -> None:
    live.click(live.root.locator('.ck-cost [data-action="delay"]'))
    assert live.turn() == (1, 0)
    assert live.tracker.encounter.active == "Ilya"
    live.click(live.root.get_by_role("listitem").filter(has_text="Mara").get_by_role("button", name="Act now"))
    assert live.turn() == (1, 0)
    assert live.tracker.encounter.active == "Mara"
