"""How many clicks and keys a turn takes in every system, by hand and with Python behind the page."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
RIFLE = {"name": "Blaster rifle", "attack": 9, "damage": "3d8+2"}
MARA: dict[str, dict[str, Any]] = {
    "saga": {"dex": 14, "level": 6, "hp": 38, "weapons": [RIFLE]},
    "d6": ck.Shelf().take("Smuggler", system="d6") | {"initiative": 9},
    "ap": ck.Shelf().take("Hill brigand", system="ap") | {"initiative_rating": 19},
    "segments": ck.Shelf().take("Lane footpad", system="segments") | {"aac0": 2},
    "phases": ck.Shelf().take("Gang gunner", system="phases") | {"combat_value": 9},
}
"""Mara is armed, and acts first."""
EASY = {
    "saga": {"defense": 1},
    "d6": {"defense": 1},
    "ap": {"defense": 1},
    "segments": {"ac": 10, "hp": 30},
    "phases": {"dcv": 0},
}
"""Guards are hit by whatever is thrown."""
VITAL = {"saga": "hp", "d6": "resolve", "ap": "hp", "segments": "hp", "phases": "stun"}
ASKED = dict.fromkeys(SYSTEMS, 0) | {"ap": 1}
"""So many clicks let everybody's reactions to an attack go: in ap whoever is attacked may always react."""


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def show(page: StubPage, enc: ck.Encounter) -> Live:
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(enc))
    live.settle()
    return live


def fight(page: StubPage, system: str) -> Live:
    """Show a fight in which it is Mara's turn, with two guards against her."""
    enc = ck.Encounter(system, seed=7)
    mara = MARA[system]
    enc.add(**mara | {"name": "Mara", "side": "rebels", "npc": False})
    enc.add(**mara | EASY[system] | {"name": "Guard", "side": "empire", "count": 2, "npc": True})
    enc.start()
    if system == "segments":
        enc.do("Mara", "declare", action="attack", target="Guard 1")
    while enc.active != "Mara":
        enc.end_turn()
    return show(page, enc)


def roll_at_the_table(live: Live) -> None:
    live.click("More")
    live.click("Settings")
    live.root.get_by_role("radio", name="we roll at the table").check()
    live.settle()
    live.press("Escape", "Escape")
    live.turn()


def aim(live: Live) -> None:
    """Take the first of one's own attacks, or the routine of a creature in segments, and its first target."""
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    live.click(live.root.locator(".ck-work").get_by_role("group", name="Target").locator(".ck-pick").first)


def pass_by(live: Live, system: str) -> None:
    """Let the others' reactions go."""
    for _ in range(ASKED[system]):
        live.click("Carry on")


def end(live: Live) -> None:
    live.click(live.root.locator(".ck-ctl > .is-main"))


def left(live: Live, system: str) -> int:
    """Add up what the guards have left."""
    enc = live.tracker.encounter
    return sum(enc[name].values[VITAL[system]] for name in ("Guard 1", "Guard 2"))


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_an_attack_with_its_damage_and_the_end_of_the_turn_take_three_clicks(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    before = left(live, system)
    aim(live)
    pass_by(live, system)
    end(live)
    assert live.turn() == (3 + ASKED[system], 0)
    assert live.tracker.encounter.active != "Mara"
    assert left(live, system) < before, "the hit brings its damage"


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_an_attack_with_the_tables_dice_takes_three_clicks_and_the_numbers(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    before = left(live, system)
    roll_at_the_table(live)
    aim(live)
    stub_page.screenshot(f"hands-{system}-dice")
    typed = 0
    for _ in range(2):
        boxes = live.root.locator(".ck-face:visible").count()
        if boxes:
            live.press(*["5"] * boxes, "Enter")
            typed += boxes + 1
        if live.root.locator(".ck-desk [data-window]").count():
            pass_by(live, system)
    end(live)
    assert live.turn() == (3 + ASKED[system], typed)
    assert live.tracker.encounter.active != "Mara"
    assert left(live, system) < before


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_damage_by_hand_takes_a_click_or_a_key_the_number_and_enter(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    vital = VITAL[system]
    full = live.tracker.encounter["Mara"].values[vital]
    live.root.locator(".ck-ctl > .is-main").focus()
    live.press("d", "3", "Enter")
    assert live.turn() == (0, 3)
    assert live.tracker.encounter["Mara"].values[vital] == full - 3
    live.press("u")
    assert live.tracker.encounter["Mara"].values[vital] == full
    live.turn()
    rung = live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem").filter(has_text="Mara")
    live.click(rung.get_by_role("button", name="Damage or heal"))
    live.press("3", "Enter")
    assert live.turn() == (1, 2)
    assert live.tracker.encounter["Mara"].values[vital] == full - 3


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_the_next_turn_takes_a_key(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    live.root.locator(".ck-ctl > .is-main").focus()
    live.press("n")
    assert live.turn() == (0, 1)
    assert live.tracker.encounter.active != "Mara"


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_a_creature_is_added_by_its_first_letters_and_enter(stub_page: StubPage, system: str) -> None:
    live = show(stub_page, ck.Encounter(system, seed=7))
    live.root.get_by_role("searchbox", name="Find a creature").focus()
    name = MARA[system].get("name", "Nexu")
    live.turn()
    letters = name[:6]
    live.press(*letters, "Enter")
    assert live.turn() == (0, len(letters) + 1)
    assert live.tracker.encounter.names == (name,)
    live.press("Enter")
    assert live.turn() == (0, 1), "one more of them is one key"
    assert len(live.tracker.encounter.names) == 2


@pytest.mark.parametrize("system", mostly_long(["saga", "phases"], "phases"))
def test_delaying_takes_a_click_and_coming_back_another(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    live.click(live.root.locator('.ck-desk [data-action="delay"]'))
    assert live.turn() == (1, 0)
    assert live.tracker.encounter.active != "Mara"
    rung = live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem").filter(has_text="Mara")
    live.click(rung.get_by_role("button", name="Act now"))
    assert live.turn() == (1, 0)
    assert live.tracker.encounter.active == "Mara"


def test_in_d6_going_later_takes_a_click_and_a_name(stub_page: StubPage) -> None:
    """The place in the order is chosen at once, behind whoever has yet to act; nobody comes back from it."""
    live = fight(stub_page, "d6")
    live.click(live.root.locator('.ck-desk [data-action="shift"]'))
    live.click(live.root.locator(".ck-work [role=group] .ck-pick:not(.is-more)").last)
    assert live.turn() == (2, 0)
    assert live.tracker.encounter.order[-1].combatant == "Mara"


def test_in_segments_what_everybody_means_to_do_takes_a_click_each(stub_page: StubPage) -> None:
    """The first is asked with a click; whoever is next is asked when that is answered. Who delays is called again."""
    enc = ck.Encounter("segments", seed=7)
    for name, side in (("Mara", "rebels"), ("Guard", "empire"), ("Vex", "empire")):
        enc.add(**MARA["segments"] | {"name": name, "side": side})
    enc.start()
    live = show(stub_page, enc)
    live.click(live.root.locator(".ck-list [data-key]").first)
    for action in ("Attack routine", "Attack routine", "Delay"):
        live.click(live.root.locator(".ck-work").get_by_role("button", name=action, exact=True))
    assert live.turn() == (4, 0)
    calls = live.tracker.budget.view["calls"]
    assert calls is not None
    assert [call["said"] for call in calls["rows"].values()] == ["attack routine", "attack routine", "delay"]
