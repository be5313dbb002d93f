"""More, its list and its panels, and the letters that are shortcuts, with stub models."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.failures import Recorder
from tests.browser.harness import StubPage, Theme
from tests.browser.servers import StubSite
from tests.browser.sizes import mostly_long
from tests.browser.test_tracker import listed, past
from tests.browser.widget_views import (
    PARTS,
    THEMES,
    answer,
    delta,
    fight,
    focused,
    intents,
    mount_tracker,
    press,
    refuse,
    setup_views,
    tracked,
)

OPTIONS: list[dict[str, Any]] = [
    {"id": "trade_down", "title": "Trade down", "text": "Whether it may be traded.", "rules": ["saga.swift.one"]}
    | {"type": "switch", "value": False, "word": "no", "values": [[False, "no"], [True, "yes"]]},
    {"id": "charge", "title": "Charge", "text": "What a charge costs.", "rules": ["saga.full.ex.charge"]}
    | {"type": "one", "value": "full_round", "word": "full round"}
    | {"values": [["full_round", "full round"], ["standard", "standard"]]},
    {"id": "free_action_cap", "title": "Free action cap", "text": "How many.", "rules": []}
    | {"type": "number", "value": None, "word": "none", "values": []},
]
SETTINGS: dict[str, Any] = {
    "unbegun": True,
    "title": "Star Wars Saga Edition",
    "options": OPTIONS,
    "seed": "18446744073709551615",
}
SETTINGS |= {"called": "The docks", "timer": False, "journal": "", "fight": "docks", "fights": [], "given": None}

ITEMS = [
    "Bring somebody in",
    "Take out of the fight",
    "Damage or heal",
    "Edit a sheet",
    "Set a condition",
    "Change the order",
    "Call for reactions",
    "Map",
    "Skip to the next round",
    "End the fight",
    "Make a question",
    "Make an exercise",
    "Settings",
    "Shortcuts",
    "Save web page",
    "Save log",
    "Save roster",
    "Save copy",
]


def smallest(root: Locator) -> float:
    """Give the height of the lowest button, field or line of More that is shown."""
    targets = root.locator(".ck-more :is(.ck-btn, label, select, input:not([type=checkbox], [type=radio]))")
    return min(box["height"] for each in targets.all() if (box := each.bounding_box()))


def test_more_is_a_list_of_words_that_escape_closes(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    opener = press(root, "More")
    opener.press("Enter")
    menu = root.get_by_role("group", name="More", exact=True)
    expect(press(root, ITEMS[0])).to_be_focused()
    expect(opener).to_have_attribute("aria-expanded", "true")
    items = menu.get_by_role("button")
    expect(items).to_have_count(len(ITEMS))
    for name, item in zip(ITEMS, items.all(), strict=True):
        expect(item).to_contain_text(name)
    stub_page.page.keyboard.press("ArrowDown")
    assert focused(stub_page) == ITEMS[1]
    stub_page.page.keyboard.press("ArrowUp")
    stub_page.page.keyboard.press("ArrowUp")
    expect(items.last).to_be_focused()
    end = press(root, "End turn").bounding_box()
    box = menu.bounding_box()
    assert end
    assert box
    assert box["y"] >= end["y"] + end["height"], "the header stays usable"
    assert box["width"] < 300
    stub_page.page.keyboard.press("Escape")
    expect(menu).to_have_count(0)
    expect(opener).to_be_focused()
    opener.press("Enter")
    expect(press(root, ITEMS[0])).to_be_focused()
    opener.press("Enter")
    expect(menu).to_have_count(0)


def test_a_form_of_the_list_gives_way_to_it_and_a_page_closes(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    item = listed(root, "Set a condition")
    item.press("Enter")
    expect(item).to_have_count(0)
    stub_page.page.keyboard.press("Escape")
    expect(item).to_be_focused()
    stub_page.page.keyboard.press("Escape")
    expect(press(root, "More")).to_be_focused()
    for name in ["Settings", "Shortcuts"]:
        listed(root, name).press("Enter")
        expect(root.get_by_role("group", name=name)).to_be_visible()
        stub_page.page.keyboard.press("Escape")
        expect(root.locator(".ck-more")).to_have_count(0)
        expect(press(root, "More")).to_be_focused()
    listed(root, "Settings").press("Enter")
    press(root, "Close").press("Enter")
    expect(root.get_by_role("group", name="Settings")).to_have_count(0)
    expect(press(root, "More")).to_be_focused()
    for name in ["Set a condition", "Shortcuts"]:
        listed(root, name).press("Enter")
        press(root, "More").press("Enter")
        expect(press(root, ITEMS[0])).to_be_focused()


def test_letters_do_what_their_buttons_do(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, tracked(redo={"allowed": True, "title": "Redo: Mara moves"}))
    vex = root.get_by_role("listitem", name=re.compile("^Vex,"))
    for key in ["n", "u", "Shift+U"]:
        vex.press(key)
    assert intents(stub_page) == [{"kind": "end_turn"}, {"kind": "undo"}, {"kind": "redo"}]
    for name, keys in [("More", "M"), ("End turn", "N"), ("Undo", "U Control+Z"), ("Redo", "Shift+U Control+Shift+Z")]:
        expect(press(root, name)).to_have_attribute("aria-keyshortcuts", keys)
    vex.press("/")
    find = root.get_by_role("textbox", name="Find an action")
    expect(find).to_be_focused()
    find.press_sequentially("mun?")
    expect(find).to_have_value("mun?")
    assert len(intents(stub_page)) == 3
    vex.press("m")
    expect(press(root, "Bring somebody in")).to_be_focused()
    stub_page.page.keyboard.press("m")
    expect(vex).to_be_focused()
    vex.press("?")
    told = root.get_by_role("group", name="Shortcuts")
    expect(told.get_by_text("Start, end turn, or carry on")).to_be_visible()
    stub_page.page.keyboard.press("Escape")
    expect(told).to_have_count(0)
    expect(vex).to_be_focused()


def test_a_letter_whose_button_is_barred_says_why(stub_page: StubPage) -> None:
    ending = {"label": "End turn", "allowed": False, "reason": ["Waiting for an answer."]}
    root = mount_tracker(stub_page, tracked(end=ending, undo={"allowed": False, "title": "Nothing to undo."}))
    vex = root.get_by_role("listitem", name=re.compile("^Vex,"))
    vex.press("n")
    expect(root.get_by_role("status")).to_have_text("Waiting for an answer.")
    vex.press("u")
    expect(root.get_by_role("status")).to_have_text("Nothing to undo.")
    vex.press("c")
    expect(root.get_by_role("status")).to_have_text("No card to open here.")
    assert intents(stub_page) == []
    delta(stub_page, (["end", "allowed"], True))
    vex.press("n")
    refuse(stub_page, "end_turn", "Not now.")
    expect(root.get_by_role("status")).to_have_text("Not now.")


def test_letters_count_neither_in_the_past_nor_for_players(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, past())
    vex = root.get_by_role("listitem", name=re.compile("^Vex,"))
    vex.press("n")
    expect(root.get_by_role("status")).to_have_text("This is the past: go back to now first.")
    views = fight()
    for part in [*PARTS, "tracker"]:
        views[part]["players"] = True
    root = mount_tracker(stub_page, views)
    vex = root.get_by_role("listitem", name=re.compile("^Vex,"))
    for key in ["n", "u", "m", "?", "d"]:
        vex.press(key)
    expect(root.get_by_role("group", name="More", exact=True)).to_have_count(0)
    assert intents(stub_page) == []


def test_n_does_what_the_main_button_says(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight("reaction"))
    root.get_by_role("listitem", name=re.compile("^Vex,")).press("n")
    assert intents(stub_page) == [{"kind": "resolve"}]
    root = mount_tracker(stub_page, setup_views())
    find = root.get_by_role("searchbox", name="Find a creature")
    find.press("n")
    find.press("u")
    expect(find).to_have_value("nu")
    assert intents(stub_page) == [], "who is looked for by name has all letters"
    find.fill("")
    find.press("Escape")
    expect(root.locator(".ck-res")).to_be_focused()
    root.locator(".ck-res").press("n")
    assert [each["kind"] for each in intents(stub_page)] == ["start"]


def test_one_switch_turns_all_letters_off(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    caps = root.locator(".ck-k:visible")
    expect(caps).not_to_have_count(0)
    listed(root, "Settings").press("Enter")
    switch = root.get_by_role("switch", name="Keyboard shortcuts")
    expect(switch).to_be_checked()
    switch.press("Space")
    press(root, "Close").press("Enter")
    expect(caps).to_have_count(0)
    expect(press(root, "End turn")).not_to_have_attribute("aria-keyshortcuts", "N")
    expect(press(root, "Undo")).to_have_attribute("aria-keyshortcuts", "Control+Z")
    vex = root.get_by_role("listitem", name=re.compile("^Vex,"))
    for key in ["n", "u", "m", "?", "/"]:
        vex.press(key)
    expect(vex).to_be_focused()
    assert intents(stub_page) == [{"kind": "settings"}]
    vex.press("Control+z")
    assert intents(stub_page)[1:] == [{"kind": "undo"}]
    assert stub_page.saved() == [], "it is not saved with the notebook"


def test_damage_and_the_card_are_wishes_that_the_ladder_may_hear(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    vex = root.get_by_role("listitem", name=re.compile("^Vex,"))
    press(root, "End turn").press("d")
    expect(root.get_by_role("status")).to_have_text("Nobody can be damaged or healed here.")
    root.evaluate(
        """el => {
            globalThis.wishes = [];
            const ladder = el.querySelector('[data-ck-part="ladder"]');
            for (const name of ["ck-damage", "ck-card"]) {
                ladder.addEventListener(name, event => {
                    event.preventDefault();
                    wishes.push([name, event.target.getAttribute("aria-label")?.slice(0, 3) ?? ""]);
                });
            }
        }"""
    )
    vex.press("d")
    press(root, "End turn").press("c")
    expect(root.get_by_role("form")).to_have_count(0)
    listed(root, "Damage or heal").press("Enter")
    assert stub_page.page.evaluate("wishes") == [["ck-damage", "Vex"], ["ck-card", ""], ["ck-damage", ""]]


def test_a_file_is_saved_part_by_part(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    item = root.get_by_role("button", name="Save log")
    listed(root, "Settings").focus()
    with stub_page.page.expect_download() as kept:
        item.press("Enter")
        expect(item).to_contain_text("…")
        item.press("Enter")
        for part, text in enumerate(["# döcks".encode(), b"\nThe end."]):
            stub_page.wait_until(lambda part=part: stub_page.wait_for_sent("download").get("part") == part)  # type: ignore[misc]
            told: dict[str, Any] = {"name": "docks.md", "type": "text/markdown", "last": part == 1}
            answer(stub_page, "download", **told, data=b64encode(text).decode())
    assert kept.value.suggested_filename == "docks.md"
    assert kept.value.path().read_text(encoding="utf-8") == "# döcks\nThe end."
    assert intents(stub_page) == [{"kind": "download", "what": "log", "part": part} for part in (0, 1)]
    expect(root.get_by_role("status")).to_have_text("Saved docks.md.")
    expect(item).to_be_focused()
    item.press("Enter")
    refuse(stub_page, "download", "The fight went on.")
    expect(root.get_by_role("status")).to_have_text("Not saved: The fight went on.")
    expect(root.locator(".ck-more")).to_contain_text("Not saved: The fight went on.")


def settings(page: StubPage, root: Locator, **changes: Any) -> Locator:
    """Open the settings as Python tells them."""
    listed(root, "Settings").press("Enter")
    answer(page, "settings", **{**SETTINGS, **changes})
    panel = root.get_by_role("group", name="Settings", exact=True)
    expect(panel.get_by_text("House rules")).to_be_visible()
    return panel


def test_readings_and_seed_are_chosen_before_the_start(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, setup_views())
    panel = settings(stub_page, root)
    panel.get_by_role("switch", name="Trade down").check()
    panel.get_by_role("combobox", name="Charge").select_option("standard")
    panel.get_by_role("spinbutton", name="Free action cap").fill("2")
    panel.get_by_role("spinbutton", name="Free action cap").press("Tab")
    seed = panel.get_by_role("textbox", name="Seed")
    expect(seed).to_have_value("18446744073709551615")
    seed.fill("7")
    seed.press("Enter")
    panel.get_by_role("switch", name="Turn timer").check()
    title = panel.get_by_role("textbox", name="Title")
    expect(title).to_have_value("The docks")
    title.fill("The docks at night")
    title.press("Enter")
    assert [each for each in intents(stub_page) if each["kind"] != "settings"] == [
        {"kind": "anew", "options": {"trade_down": True}},
        {"kind": "anew", "options": {"charge": "standard"}},
        {"kind": "anew", "options": {"free_action_cap": 2}},
        {"kind": "anew", "seed": "7"},
        {"kind": "timer", "on": True},
        {"kind": "title", "title": "The docks at night"},
    ]
    panel.get_by_role("switch", name="Trade down").focus()
    delta(stub_page, (["turn", "sub"], "2 combatants, 2 sides"))
    options = [OPTIONS[0] | {"value": True, "word": "yes"}, *OPTIONS[1:]]
    answer(stub_page, "settings", **{**SETTINGS, "options": options, "seed": "7"})
    expect(seed).to_have_value("7")
    expect(panel.get_by_role("switch", name="Trade down")).to_be_checked()
    expect(panel.get_by_role("switch", name="Trade down")).to_be_focused()
    panel.get_by_role("combobox", name="Charge").select_option("full round")
    panel.get_by_role("combobox", name="Charge").select_option("standard")
    refuse(stub_page, "anew", "This cannot be.")
    expect(root.get_by_role("group", name="Result")).to_contain_text("This cannot be.")


def test_after_the_start_readings_are_only_told(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    panel = settings(stub_page, root, unbegun=False, given="first")
    expect(panel.get_by_role("switch")).to_have_count(3)
    expect(panel.get_by_role("combobox")).to_have_count(0)
    expect(panel).to_contain_text("full round")
    expect(panel).to_contain_text("Chosen before the start; they can't change now.")
    expect(panel).to_contain_text(
        "This is docks; in the notebook it is tracker.encounter. The variable you started with still holds first."
    )
    sent = len(intents(stub_page))
    press(panel, "Run it again, same dice").press("Enter")
    expect(root.get_by_role("status")).to_have_text("This fight isn't kept in a file. Press again to leave it.")
    assert len(intents(stub_page)) == sent
    press(panel, "Leave this fight and run it again").press("Enter")
    assert intents(stub_page)[-1] == {"kind": "restart", "seed": "18446744073709551615"}


def test_a_journal_is_named_and_leaving_a_fight_is_asked_twice(stub_page: StubPage) -> None:
    root = mount_tracker(stub_page, fight())
    panel = settings(stub_page, root, unbegun=False)
    name = panel.get_by_role("textbox", name="File to keep it in, or to open")
    name.fill("friday")
    name.press("Enter")
    refuse(stub_page, "journal", "This fight isn't kept in a file.")
    expect(panel).to_contain_text("This fight isn't kept in a file.")
    expect(root.get_by_role("status")).to_have_text("This fight isn't kept in a file.")
    name.press("Enter")
    stub_page.wait_until(lambda: len([each for each in intents(stub_page) if each["kind"] == "journal"]) == 2)
    answer(stub_page, "journal", name="friday.combat", text="This is thursday, from friday.combat.")
    expect(panel).to_contain_text("This is thursday, from friday.combat.")
    assert [each for each in intents(stub_page) if each["kind"] == "journal"] == [
        {"kind": "journal", "name": "friday"},
        {"kind": "journal", "name": "friday", "leave": True},
    ]


@pytest.fixture
def timed_page(new_context: Recorder, stub_site: StubSite) -> Iterator[StubPage]:
    """Give a page of one's own: a clock that is set can't be taken out again."""
    with new_context() as context:
        page = StubPage(context.new_page(), stub_site)
        page.page.clock.install(time=1_000)
        yield page
        page.assert_clean()


def test_the_timer_ticks_by_itself(timed_page: StubPage) -> None:
    stub_page = timed_page
    root = mount_tracker(stub_page, tracked(timer=1_000_000))
    timer = root.get_by_role("timer", name="This turn")
    stub_page.page.clock.pause_at(1_065)
    stub_page.page.clock.run_for(1_000)
    expect(timer).to_have_text(re.compile("^1:0[56]$"))
    expect(root.locator(".ck-turn")).to_contain_text("3rd of 8 this round · 1:0")
    assert intents(stub_page) == []
    delta(stub_page, (["timer"], None))
    expect(timer).to_have_count(0)


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
@pytest.mark.parametrize("width", mostly_long([1280, 420], 420))
def test_more_is_plain_to_see_and_to_hear(stub_page: StubPage, width: int, theme: Theme) -> None:
    root = mount_tracker(stub_page, fight())
    least = 44 if width == 420 else 24
    stub_page.set_width(width)
    stub_page.set_theme(theme)
    press(root, "More").press("Enter")
    expect(press(root, ITEMS[0])).to_be_visible()
    assert stub_page.axe() == []
    assert smallest(root) >= least
    stub_page.screenshot(f"more-list-{theme}-{width}")
    for name in ["Set a condition", "Bring somebody in", "Settings", "Shortcuts"]:
        if not press(root, name).count():
            press(root, "More").press("Enter")
        press(root, name).press("Enter")
        if name == "Settings":
            answer(stub_page, "settings", **SETTINGS)
            expect(root.get_by_text("House rules")).to_be_visible()
        stub_page.screenshot(f"more-{name.split()[0].lower()}-{theme}-{width}")
        assert stub_page.axe() == []
        assert smallest(root) >= least
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.page.keyboard.press("Escape")
    expect(press(root, "More")).to_be_focused()
    assert root.locator(".ck-k:visible").count() == (3 if width == 1280 else 0)
