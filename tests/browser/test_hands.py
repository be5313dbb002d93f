"""How many clicks and keys a turn takes in every system, by hand and with Python behind the page."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

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
EASY: dict[str, dict[str, Any]] = {
    "saga": {"defense": 1},
    "d6": {"defense": 1},
    "ap": {"defense": 1},
    "segments": {"ac": 10, "hp": 30},
    "phases": {"dcv": 0},
}
"""Guards are hit by whatever is thrown."""
HARD: dict[str, dict[str, Any]] = {
    "saga": {"defense": 60},
    "d6": {"defense": 60},
    "ap": {"defense": 60},
    "segments": {"ac": -10},
    "phases": {"dcv": 30},
}
"""Guards are missed by a one."""
VITAL = {"saga": "hp", "d6": "resolve", "ap": "hp", "segments": "hp", "phases": "stun"}
Count = Callable[[Live, str, int, int], None]
ASKED = dict.fromkeys(SYSTEMS, 0) | {"ap": 1}
"""So many clicks let everybody's reactions to an attack go: in ap whoever is attacked may always react."""


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


@pytest.fixture
def count(record_property: Callable[[str, object], None], request: pytest.FixtureRequest) -> Count:
    """Give what checks a row of the click table: what was done since the last is counted, and told after the run."""

    def done(live: Live, what: str, clicks: int, keys: int) -> None:
        found = live.turn()
        system = live.tracker.encounter.ruleset.id
        record_property("told", f"hands: {system:8}  {what:40}  clicks {found[0]}, keys {found[1]}")
        assert found == (clicks, keys), what

    return done


def show(page: StubPage, enc: ck.Encounter) -> Live:
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(enc))
    live.settle()
    return live


def fight(page: StubPage, system: str, guards: dict[str, dict[str, Any]] = EASY) -> Live:
    """Show a fight in which it is Mara's turn, with two guards against her."""
    enc = ck.Encounter(system, seed=7)
    mara = MARA[system]
    enc.add(**mara | {"name": "Mara", "side": "rebels", "npc": False})
    enc.add(**mara | guards[system] | {"name": "Guard", "side": "empire", "count": 2, "npc": True})
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


def rung(live: Live, name: str) -> Locator:
    return live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem", name=re.compile(f"^{name},"))


def bar(live: Live, name: str) -> Locator:
    return rung(live, name).get_by_role("button", name="Damage or heal")


def end(live: Live) -> None:
    live.click(live.root.locator(".ck-ctl > .is-main"))


def left(live: Live, system: str) -> int:
    """Add up what the guards have left."""
    enc = live.tracker.encounter
    return sum(enc[name].values[VITAL[system]] for name in ("Guard 1", "Guard 2"))


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_an_attack_with_its_damage_and_the_end_of_the_turn_take_three_clicks(
    stub_page: StubPage, system: str, count: Count
) -> None:
    live = fight(stub_page, system)
    before = left(live, system)
    aim(live)
    pass_by(live, system)
    end(live)
    count(live, "attack with damage, end", 3 + ASKED[system], 0)
    assert live.tracker.encounter.active != "Mara"
    assert left(live, system) < before, "the hit brings its damage"


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_an_attack_with_the_tables_dice_takes_three_clicks_and_the_numbers(
    stub_page: StubPage, system: str, count: Count
) -> None:
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
    count(live, "attack and damage with table dice, end", 3 + ASKED[system], typed)
    assert live.tracker.encounter.active != "Mara"
    assert left(live, system) < before


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_damage_by_hand_takes_a_click_or_a_key_the_number_and_enter(
    stub_page: StubPage, system: str, count: Count
) -> None:
    live = fight(stub_page, system)
    vital = VITAL[system]
    full = live.tracker.encounter["Mara"].values[vital]
    bar(live, "Mara").focus()
    live.press("d", "3", "Enter")
    count(live, "damage by hand, by keys", 0, 3)
    assert live.tracker.encounter["Mara"].values[vital] == full - 3
    live.press("u")
    count(live, "undo", 0, 1)
    assert live.tracker.encounter["Mara"].values[vital] == full
    live.click(bar(live, "Mara"))
    live.press("5", "Enter")
    count(live, "damage by hand", 1, 2)
    assert live.tracker.encounter["Mara"].values[vital] == full - 5
    live.click(bar(live, "Mara"))
    live.press("2", "Shift+Enter")
    count(live, "heal", 1, 2)
    assert live.tracker.encounter["Mara"].values[vital] == full - 3


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_the_next_turn_takes_a_key_also_after_an_attack(stub_page: StubPage, system: str, count: Count) -> None:
    live = fight(stub_page, system)
    aim(live)
    pass_by(live, system)
    live.turn()
    live.press("n")
    count(live, "next turn, after an attack", 0, 1)
    who = live.tracker.encounter.active
    assert who != "Mara"
    live.press("n")
    count(live, "next turn", 0, 1)
    assert live.tracker.encounter.active != who


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_a_creature_is_added_by_its_first_letters_and_enter(stub_page: StubPage, system: str, count: Count) -> None:
    live = show(stub_page, ck.Encounter(system, seed=7))
    live.root.get_by_role("searchbox", name="Find a creature").focus()
    name = MARA[system].get("name", "Nexu")
    live.turn()
    letters = name[:6]
    live.press(*letters, "Enter")
    count(live, f"a creature: {letters}, Enter", 0, len(letters) + 1)
    assert live.tracker.encounter.names == (name,)
    live.press("Enter")
    count(live, "one more of them", 0, 1)
    assert len(live.tracker.encounter.names) == 2


@pytest.mark.parametrize("system", mostly_long(["saga", "phases"], "phases"))
def test_delaying_takes_a_click_and_coming_back_another(stub_page: StubPage, system: str, count: Count) -> None:
    live = fight(stub_page, system)
    live.click(live.root.locator('.ck-desk [data-action="delay"]'))
    count(live, "delay", 1, 0)
    assert live.tracker.encounter.active != "Mara"
    live.click(rung(live, "Mara").get_by_role("button", name="Act now"))
    count(live, "come back from delaying", 1, 0)
    assert live.tracker.encounter.active == "Mara"


def test_in_d6_going_later_takes_a_click_and_a_name(stub_page: StubPage, count: Count) -> None:
    """The place in the order is chosen at once, behind whoever has yet to act; nobody comes back from it."""
    live = fight(stub_page, "d6")
    live.click(live.root.locator('.ck-desk [data-action="shift"]'))
    live.click(live.root.locator(".ck-work [role=group] .ck-pick:not(.is-more)").last)
    count(live, "go later: shift", 2, 0)
    assert live.tracker.encounter.order[-1].combatant == "Mara"


def test_in_segments_what_everybody_means_to_do_takes_a_click_each(stub_page: StubPage, count: Count) -> None:
    """The first is asked with a click; whoever is next is asked when that is answered. Who delays is called again."""
    enc = ck.Encounter("segments", seed=7)
    for name, side in (("Mara", "rebels"), ("Guard", "empire"), ("Vex", "empire")):
        enc.add(**MARA["segments"] | {"name": name, "side": side})
    enc.start()
    live = show(stub_page, enc)
    live.click(live.root.locator(".ck-list [data-key]").first)
    for action in ("Attack routine", "Attack routine", "Delay"):
        live.click(live.root.locator(".ck-work").get_by_role("button", name=action, exact=True))
    count(live, "three declarations", 4, 0)
    calls = live.tracker.budget.view["calls"]
    assert calls is not None
    assert [call["said"] for call in calls["rows"].values()] == ["attack routine", "attack routine", "delay"]


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_a_miss_with_the_tables_dice_takes_no_damage_dice(stub_page: StubPage, system: str, count: Count) -> None:
    live = fight(stub_page, system, HARD)
    before = left(live, system)
    roll_at_the_table(live)
    aim(live)
    faces = live.root.locator(".ck-work fieldset").first.locator("input.ck-face")
    typed = faces.count()
    live.press(*["1"] * typed, "Enter")
    pass_by(live, system)
    end(live)
    count(live, "a miss with table dice, end", 3 + ASKED[system], typed + 1)
    assert live.tracker.encounter.active != "Mara"
    assert left(live, system) == before


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "segments"))
def test_damage_to_three_and_a_condition_take_a_click_each(stub_page: StubPage, system: str, count: Count) -> None:
    live = fight(stub_page, system)
    enc, vital = live.tracker.encounter, VITAL[system]
    full = {name: enc[name].values[vital] for name in enc.names}
    live.click(bar(live, "Mara"))
    for name in ("Guard 1", "Guard 2"):
        live.click(live.root.get_by_role("checkbox", name=name))
    live.click("Half for Guard 2")
    live.press("4", "Enter")
    count(live, "damage to three, one half", 4, 2)
    assert [full[name] - enc[name].values[vital] for name in ("Mara", "Guard 1", "Guard 2")] == [4, 4, 2]
    live.click(bar(live, "Guard 1"))
    live.click(live.root.get_by_role("form", name="Damage or heal").get_by_role("button", name="Condition", exact=True))
    live.press(*"slow", "Enter")
    count(live, "a condition: slow, Enter", 2, 5)
    assert "slow" in [each.id for each in enc["Guard 1"].conditions]


@pytest.mark.parametrize(("system", "keeps"), [("saga", "ready"), ("d6", "hold"), ("phases", "ready")])
@pytest.mark.long
def test_readying_takes_two_clicks_and_its_trigger(stub_page: StubPage, system: str, keeps: str, count: Count) -> None:
    live = fight(stub_page, system)
    live.click(live.root.locator(f'.ck-desk [data-action="{keeps}"]'))
    live.press(*"door")
    live.click(live.root.locator(".ck-work .ck-pick:visible").filter(has_text=re.compile("^(Attack|Strike)")).first)
    count(live, "ready: door", 2, 4)
    assert any(effect.watches for effect in live.tracker.encounter._state.fighters["Mara"].effects)


@pytest.mark.parametrize("system", mostly_long([each for each in SYSTEMS if each != "d6"], "saga"))
def test_calling_for_reactions_and_answering_with_dice_take_three_clicks_and_one(
    stub_page: StubPage, system: str, count: Count
) -> None:
    live = fight(stub_page, system)
    roll_at_the_table(live)
    end(live)
    live.turn()
    live.click("More")
    live.click("Call for reactions")
    live.press(*"runs")
    live.click(live.root.get_by_role("checkbox", name="Guard 1"))
    live.press("Enter")
    count(live, "call for reactions: runs, Enter", 3, 5)
    stub_page.screenshot(f"hands-{system}-reaction")
    live.click(rung(live, "Mara").get_by_role("button").filter(has_not_text="Let go").last)
    faces = live.root.locator(".ck-desk [data-window] .ck-work input.ck-face").count()
    if system == "ap":  # what a reaction comes to is asked, and no die
        live.click("It worked")
    else:
        live.press(*["5"] * faces, "Enter")
    count(live, "answer with table dice", 1 + (system == "ap"), (faces + 1) * (system != "ap"))
    assert any(event.actor == "Mara" and event.kind == "action" for event in live.tracker.encounter._events)


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "d6"))
def test_who_comes_leaves_and_returns_takes_three_clicks_at_most(
    stub_page: StubPage, system: str, count: Count
) -> None:
    live = fight(stub_page, system)
    enc = live.tracker.encounter
    live.click("More")
    live.click("Bring somebody in")
    letters = MARA[system].get("name", "Nexu")[:6]
    live.press(*letters, "Enter")
    count(live, f"somebody comes: {letters}, Enter", 2, len(letters) + 1)
    assert len(enc.names) == 4
    live.press("Escape", "Escape")
    live.turn()
    live.click("More")
    live.click("Take out of the fight")
    live.root.get_by_role("combobox", name="Who").select_option("Guard 2")
    live.press("Tab", "Enter")
    count(live, "somebody leaves: a list, Tab, Enter", 2, 2)
    assert "Guard 2" not in [each.combatant for each in enc.order]
    live.click("More")
    live.click("Bring somebody in")
    live.click("Bring Guard 2 back")
    count(live, "somebody returns", 3, 0)
    assert "Guard 2" in [each.combatant for each in enc.order]


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "ap"))
def test_the_past_a_branch_the_end_and_the_page_take_two_clicks_at_most(
    stub_page: StubPage, system: str, count: Count
) -> None:
    live = fight(stub_page, system)
    enc = live.tracker.encounter
    end(live)
    end(live)
    live.turn()
    lines = live.root.get_by_role("log").get_by_role("button", name=re.compile("^Go to event"))
    live.click(lines.nth(-2))
    count(live, "a look at the past", 1, 0)
    live.click("Back to now")
    count(live, "back to now", 1, 0)
    live.click(lines.nth(-2))
    live.click(live.root.get_by_role("button", name=re.compile("^Play on")))
    count(live, "a branch", 2, 0)
    assert live.tracker.encounter.id != enc.id
    expect(live.root.locator(".ck-res")).not_to_contain_text(f"{enc.id} is kept")
    live.click("Back to the fight you began with")
    count(live, "back from the branch", 1, 0)
    assert live.tracker.encounter.id == enc.id
    live.click("Undo")
    count(live, "undo, by a click", 1, 0)
    live.click("More")
    live.click("End the fight")
    count(live, "the end", 2, 0)
    with stub_page.page.expect_download():
        live.click("Save web page")
    count(live, "save the page", 1, 0)


@pytest.mark.parametrize("system", SYSTEMS)
def test_nobody_who_is_down_is_struck_by_enter_alone(stub_page: StubPage, system: str) -> None:
    live = fight(stub_page, system)
    enc = live.tracker.encounter
    for name in ("Guard 1", "Guard 2"):
        enc.condition(name, "down")
    live.follow()
    before = enc.digest
    live.go(live.root.locator(".ck-res"))
    live.press("1")
    live.press("Enter")
    assert enc.digest == before
    live.click(live.root.locator(".ck-work .ck-pick").filter(has_text="Guard 1"))
    assert enc.digest != before or live.root.locator('.ck-work .ck-pick[aria-pressed="true"]').count(), (
        "who means it can"
    )


def test_a_name_is_no_target_of_what_takes_none(stub_page: StubPage) -> None:
    live = fight(stub_page, "phases")
    live.tracker._vantage.look("Guard 1")
    live.follow()
    live.type(live.root.get_by_label("Find an action"), "abort", enter=True)
    form = live.root.get_by_role("form", name="Abort: Guard 1")
    form.wait_for()
    live.settle()
    live.click(rung(live, "Mara").get_by_role("button").first)
    assert "takes no target" not in live.root.inner_text()
