"""Nothing is empty, cut or covered: every form of every action, at every width we name."""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from random import Random

import pytest
from playwright.sync_api import Locator, ViewportSize, expect

import combatkit as ck
from combatkit.rules.weapons import said_spot
from tests.browser.failures import Recorder
from tests.browser.harness import StubPage, settle
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.browser.test_share_page import Table
from tests.browser.test_share_page import fight as saga_fight
from tests.browser.widget_views import unfold
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)

WHOLE = (Path(__file__).parent / "whole.js").read_text(encoding="utf-8")
SCENES = {
    "saga": "cantina-cages",
    "d6": "warehouse-raid",
    "ap": "ford-at-dusk",
    "segments": "crypt-stairs",
    "phases": "rooftop-chase",
}
SIZES: dict[str, ViewportSize] = {
    "1280": {"width": 1280, "height": 800},
    "833": {"width": 833, "height": 800},
    "420": {"width": 420, "height": 800},
    "390": {"width": 390, "height": 844},
}
TABLE_SIZES = SIZES | {"844x390": {"width": 844, "height": 390}}
"""Those of seats and the screen: a phone that lies on its side, too."""


def fight(system: str) -> ck.Encounter:
    """Begin a scene of the kit, everybody in a place of their own where places are measured."""
    enc = ck.scene(SCENES[system]).encounter(system, seed=5)
    if enc._state.stage == "setup":
        enc.start()
    while enc.active is None:
        enc.end_turn()
    if enc.ruleset.board.unit:
        for number, name in enumerate(enc.names):
            enc.place(name, at=(3 * number, number % 2))
    return enc


def shown(page: StubPage, enc: ck.Encounter) -> Live:
    """Show a fight in a window without a rim."""
    page.page.set_viewport_size(SIZES["1280"])
    live = Live(page, ck.Tracker(enc))
    page.page.add_style_tag(content="body { padding: 0; }")
    return live


def wrong_in(root: Locator, sizes: Mapping[str, ViewportSize], what: str) -> list[str]:
    """Give what has no name, is cut or is covered, at each size."""
    found = []
    for name, size in sizes.items():
        root.page.set_viewport_size(size)
        settle(root.page)
        found += [f"{what} at {name}: {each}" for each in root.evaluate(WHOLE)]
    root.page.set_viewport_size(SIZES["1280"])
    settle(root.page)
    return found


def open_form(live: Live, key: str) -> None:
    """Open the form of an action with all that it may ask, whether the rules allow it or not."""
    unfold(live.root.locator(".ck-budget"))
    live.root.locator(f'.ck-act[data-key="{key}"]').first.dispatch_event("click")
    live.settle()
    form = live.root.locator(".ck-work")
    for more in (
        live.root.locator(".ck-res").get_by_role("button", name="GM allows it"),
        form.get_by_role("checkbox", name="GM allows it"),
        form.get_by_role("button", name="Options", expanded=False),
    ):
        if more.count():
            more.first.dispatch_event("click")
            live.settle()


def wrong_in_form(page: StubPage, enc: ck.Encounter, key: str) -> list[str]:
    """Say what is wrong with the form of an action; one without a form is done, and taken back."""
    before = len(enc._events)
    live = shown(page, enc)
    open_form(live, key)
    found = wrong_in(live.root, SIZES, f"{enc.ruleset.id} {key}")
    if len(enc._events) > before:
        enc.undo()
    return found


def keys_of(enc: ck.Encounter) -> list[str]:
    """Give the actions that stand on the desk, by their keys."""
    return list(ck.Tracker(enc).budget.view["action"])


def test_a_form_is_shown_whole(stub_page: StubPage) -> None:
    rng = Random(41)
    enc = fight(rng.choice(list(SCENES)))
    found = wrong_in_form(stub_page, enc, rng.choice(keys_of(enc)))
    assert not found, told(found)


@pytest.mark.long
@pytest.mark.timeout(1800)  # every form is opened, and looked at in each size
@pytest.mark.parametrize("system", SCENES)
def test_every_form_is_shown_whole(stub_page: StubPage, system: str) -> None:
    enc = fight(system)
    found = [each for key in keys_of(enc) for each in wrong_in_form(stub_page, enc, key)]
    assert not found, told(found)


PANELS = (
    "Bring somebody in",
    "Take out of the fight",
    "Damage or heal",
    "Set a condition",
    "Change the order",
    "Call for reactions",
    "Settings",
    "Shortcuts",
)
"""What More opens."""


def wrong_in_panel(page: StubPage, enc: ck.Encounter, panel: str) -> list[str]:
    """Say what is wrong with what More opens."""
    live = shown(page, enc)
    live.click(live.root.locator(".ck-ctl > .is-more"))
    live.root.locator(".ck-more").get_by_role("button", name=panel).dispatch_event("click")
    live.settle()
    over = live.root.locator(".ck-more")
    return wrong_in(over if over.count() else live.root, SIZES, f"{enc.ruleset.id} {panel}")


def test_a_condition_is_set_in_a_form_shown_whole(stub_page: StubPage) -> None:
    found = wrong_in_panel(stub_page, fight("saga"), "Set a condition")
    assert not found, told(found)


@pytest.mark.long
@pytest.mark.timeout(900)
@pytest.mark.parametrize("system", SCENES)
def test_set_up_sheets_and_panels_are_shown_whole(stub_page: StubPage, system: str) -> None:
    enc = ck.Encounter(system)
    enc.add("Tarn", side="party")
    enc.add("Bone sentinel", side="dead", count=2)
    live = shown(stub_page, enc)
    found = wrong_in(live.root, SIZES, "set-up")
    live.root.get_by_role("button", name="Edit Bone sentinel 2").dispatch_event("click")
    live.settle()
    found += wrong_in(live.root, SIZES, "edit")
    enc = fight(system)
    found += [each for panel in PANELS for each in wrong_in_panel(stub_page, enc, panel)]
    live = shown(stub_page, enc)
    live.root.locator(".ck-rung .ck-name-of").first.dispatch_event("click")
    expect(live.root.locator(".ck-card")).to_be_visible()
    found += wrong_in(live.root, SIZES, "card")
    assert not found, told(found)


def test_never_the_same_is_paid_by_hand(stub_page: StubPage) -> None:
    enc = ck.Encounter("d6", seed=3)
    enc.add("Juno", side="heroes", npc=False, resolve=12, attributes={"might": "3D", "agility": "3D"})
    enc.add("Watch", side="foes", resolve=12)
    enc.start()
    enc.damage("Juno", 12)
    enc.damage("Juno", 4)
    live = shown(stub_page, enc)
    asked = live.root.locator("[data-window]")
    expect(asked).to_contain_text("Take a turn at once, and die at its end.")
    live.click(asked.get_by_role("button", name="Never the Same", exact=True).first)
    ways = asked.get_by_role("group", name="Never the Same: Attributes").get_by_role("button")
    expect(ways.filter(has_text="from")).to_have_text(
        ["2D from might", "2D from agility", "1D from each: might, agility"]
    )
    live.click(ways.filter(has_text="1D from each"))
    assert enc["Juno"].values["attributes"] == {"might": "2D", "agility": "2D"}


def test_a_destination_says_where_one_stands_and_what_to_type(stub_page: StubPage) -> None:
    enc = fight("phases")
    live = shown(stub_page, enc)
    expect(live.root.get_by_role("group", name="Action budget")).to_contain_text("at (0, 0)")
    open_form(live, "full_move")
    where = live.root.get_by_role("textbox", name="Destination")
    expect(where).to_have_accessible_description("· Kestrel is at (0, 0)")
    near = live.root.get_by_role("group", name="Near places").get_by_role("button").first
    spot = where.get_attribute("placeholder") or ""
    expect(near).to_have_text(re.compile(rf"^next to .+ {re.escape(spot)}$"))
    assert not wrong_in(live.root, SIZES, "destination")
    live.click(near)
    expect(where).to_have_value(spot)
    live.press("Enter")
    assert str(enc["Kestrel"].position) == spot


PLACES = """root => [...root.querySelectorAll(".ck-rung:not(.ck-kind)")].map(rung => {
    const [at] = rung.querySelectorAll(".ck-at");
    const [box, around] = [at, at?.parentElement].map(each => each?.getBoundingClientRect());
    const isWhole = at && box.width && box.left >= around.left && box.right <= around.right + 0.5;
    return isWhole && at.scrollWidth <= at.clientWidth ? at.innerText : "cut";
})"""
"""Where the rungs say that their people are, from the top."""


@pytest.mark.parametrize("system", mostly_long([each for each in SCENES if each != "d6"], "phases"))
def test_a_rung_says_where_somebody_is(stub_page: StubPage, system: str) -> None:
    enc = fight(system)
    for number, name in enumerate(enc.names):
        enc.place(name, at=(-30 - number, 20))
    live = shown(stub_page, enc)
    live.root.get_by_role("group", name="Shown").get_by_role("button").last.click()  # else the map says it

    def wrong() -> list[str]:
        places = [said_spot(enc[rung.combatant].position) for rung in enc.order]
        found = []
        for name, size in (SIZES | {"320": {"width": 320, "height": 800}}).items():
            live.page.page.set_viewport_size(size)
            live.settle()
            folded = live.root.locator(".ck-all[aria-expanded=false]")
            if folded.is_visible():
                folded.click()
            if live.root.evaluate(PLACES) != places:
                found.append(f"{system} at {name}: {live.root.evaluate(PLACES)}")
        return found

    assert not wrong()
    live.press("d")  # where answers stand on a rung, the place stands beside them
    expect(live.root.locator(".ck-rung > .is-ans")).not_to_have_count(0)
    assert not wrong()


BUTTONS = """root => [...root.querySelectorAll(".ck-res .a .ck-btn")].map(each => {
    const box = each.getBoundingClientRect(), frame = root.querySelector(".ck-shell").getBoundingClientRect();
    const on = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isIn = box.left >= frame.left && box.right <= frame.right && each.contains(on);
    return isIn && each.scrollWidth <= each.clientWidth ? each.innerText.trim() : "cut";
})"""
"""What can be answered in the result zone, or that it is cut."""


@pytest.mark.parametrize("width", mostly_long([833, 420, 390], 390))
def test_the_ways_out_of_the_past_and_how_who_fell_stands_are_shown_whole(stub_page: StubPage, width: int) -> None:
    enc = fight("saga")
    first, *_, other, last = enc.names
    enc.do(enc.active or first, "use_skill")
    enc.damage([other, last], 400)
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size({"width": width, "height": 844})
    live.settle()
    assert live.root.evaluate(BUTTONS) == ["Down", "Dead", "Fights on"]
    expect(live.root.locator(".ck-whom > small")).to_have_text(other)
    live.click(live.root.locator(".ck-whom").get_by_role("radio", name="Dead"))
    assert ["dead" in str(enc[name].conditions) for name in (other, last)] == [True, False]
    live.press("[", "[", "[")
    expect(live.root.locator(".ck-say > p")).to_contain_text(re.compile(r"of \d+\. Round 1\.$"))
    ways = live.root.evaluate(BUTTONS)
    assert ways[0] == "Back to now"
    assert len(ways) > 1
    assert "cut" not in ways


@pytest.mark.parametrize("word", ["Down", "Dead"])
def test_one_tap_says_how_the_last_foe_stands_and_the_end_is_proposed(stub_page: StubPage, word: str) -> None:
    enc = ck.Encounter("saga", seed=1)
    for name in ("Mara", "Guard"):
        enc.add(name, side=name, defense=10, hp=9)
    enc.start()
    enc.adjust("Guard", "hp", -9)
    live = shown(stub_page, enc)
    assert live.root.evaluate(BUTTONS) == ["Down", "Dead", "Fights on"]
    live.click(live.root.locator(".ck-whom").get_by_role("radio", name=word))
    assert live.root.evaluate(BUTTONS) == ["End the fight"]
    assert live.page.page.evaluate("document.activeElement !== document.body"), "keys go on from there"
    live.click(live.button("Undo"))
    assert [condition.id for condition in enc["Guard"].conditions] == ["down"], "a wrong tap can be taken back"


@pytest.mark.parametrize("width", mostly_long([390, 360], 360))
@pytest.mark.parametrize("language", mostly_long(["en", "de"], "de"))
def test_on_a_phone_how_who_fell_stands_is_answered_below_it_and_covers_nothing(
    stub_page: StubPage, width: int, language: str
) -> None:
    enc = ck.Encounter("saga", seed=1, language=language)
    for name in ("Mara", "Guard 1", "Guard 2"):
        enc.add(name, side=name[0], defense=10, hp=9)
    enc.start(rolls={"Mara": 1, "Guard 1": 20, "Guard 2": 2})
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size({"width": width, "height": 844})
    enc.do("Guard 1", "attack", target="Mara", weapon="the long vibroblade", damage=21, outcome="hit")
    live.follow()
    live.root.locator(".ck-res").focus()
    assert "cut" not in live.root.evaluate(BUTTONS)
    parts = (".ck-say > p", ".ck-whom", ".ck-res", ".ck-rung >> nth=0")
    boxes = [live.root.locator(each).bounding_box() for each in parts]
    said, whom, zone, rung = [(box["y"], box["y"] + box["height"]) for box in boxes if box]
    assert said[1] <= whom[0]
    assert whom[1] <= zone[1] <= rung[0] + 1
    assert live.root.locator(".ck-say > p").evaluate("el => el.scrollHeight <= el.clientHeight")


def test_a_phone_shows_what_is_asked_before_of_what(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=1)
    enc.add("Kess", side="heroes")
    enc.add("Guard of the northern customs house", side="foes", npc=True, defense=14, hp=16)
    enc.start(rolls={"Kess": 20, "Guard of the northern customs house": 1})
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    live.click(live.root.locator(".ck-act").first)
    live.click(live.root.locator(".ck-work .ck-pick").first)
    said = live.root.locator(".ck-say > p")
    assert said.get_by_text("Does it hit?").evaluate(
        "el => el.getBoundingClientRect().bottom <= el.parentElement.getBoundingClientRect().bottom"
    )


def test_a_phone_shows_against_whom_and_no_line_is_cut_under_a_long_title(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=1, language="de")
    enc.add("Fährtensucher", side="Helden", weapons="langes Gewehr, 3d8")
    enc.add("Schmuggler", side="Feinde", npc=True, defense=14, hp=16)
    enc.start(rolls={"Fährtensucher": 20, "Schmuggler": 1})
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    live.click(live.root.locator(".ck-act").first)
    said = live.root.locator(".ck-say > p")
    expect(said).to_contain_text("gegen Schmuggler")
    for part in (said, live.root.locator(".ck-turn > div")):
        assert part.evaluate("el => el.scrollHeight <= el.clientHeight"), part.inner_text()


def test_on_a_phone_what_somebody_is_in_short_has_the_width_of_the_set_up(stub_page: StubPage) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=1)
    if enc._state.stage != "setup":
        enc.undo()
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    row = live.root.locator(".ck-mem").first
    whole, short, acts = (row.locator(each).bounding_box() for each in ("xpath=.", "small", ".a"))
    assert whole is not None
    assert short is not None
    assert acts is not None
    assert short["width"] > 0.75 * whole["width"]
    assert short["y"] >= acts["y"] + acts["height"] - 1


def test_on_a_phone_no_name_and_no_title_of_the_set_up_is_cut_and_sides_are_named(stub_page: StubPage) -> None:
    enc = ck.Encounter("d6", seed=1, language="de")
    enc.add("Hafenarbeiterin", side="Feinde", npc=True)
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    live.click(live.root.locator(".ck-hand summary"))
    expect(live.root.locator(".ck-mem small").first).to_have_text(re.compile("^Feinde · "))
    for each in live.root.locator(".ck-hand .ck-field, .ck-mem .ck-name .h, .ck-file small").all():
        assert each.evaluate("el => el.scrollWidth <= el.clientWidth || !el.clientWidth"), each.inner_text()


def test_names_of_sides_are_offered_and_what_is_wrong_hides_no_title(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments")
    enc.add("Tarn", side="party")
    enc.add("Bone sentinel", side="dead")
    live = shown(stub_page, enc)
    hand = live.root.get_by_role("form", name="By hand")
    side = hand.get_by_role("combobox", name="Side")
    expect(side).to_have_attribute("placeholder", "party, dead")
    expect(side).to_have_value("party")
    side.clear()
    hand.get_by_role("textbox", name="Name", exact=True).fill("Pell")
    hand.get_by_role("button", name="Add", exact=True).click()
    expect(hand.locator(".ck-wrong")).to_have_text("Fill this in.")
    assert not wrong_in(live.root, SIZES, "set-up")


def test_more_opens_under_its_button_and_covers_no_other(stub_page: StubPage) -> None:
    live = shown(stub_page, fight("saga"))
    button = live.root.locator(".ck-ctl > .is-more")
    live.click(button)
    menu, more, head = (live.root.locator(each).bounding_box() for each in (".ck-more", ".is-more.ck-btn", ".ck-head"))
    assert menu is not None
    assert more is not None
    assert head is not None
    assert abs(menu["x"] + menu["width"] - more["x"] - more["width"]) <= 2
    assert menu["y"] >= head["y"] + head["height"]
    live.click(button)
    expect(live.root.locator(".ck-more")).to_have_count(0)


def test_on_a_phone_why_not_is_shown_whole_at_once(stub_page: StubPage) -> None:
    live = shown(stub_page, fight("phases"))
    stub_page.page.set_viewport_size(SIZES["390"])
    live.click("Actions")
    open_form(live, "sweep")
    expect(live.root.locator(".ck-res")).to_have_class(re.compile("is-word"))
    assert live.root.locator(".ck-say > p").evaluate("el => el.scrollHeight > 40 && el.scrollHeight <= el.clientHeight")


def test_a_tap_shows_the_whole_of_a_long_result(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=1)
    names = ("Guard of the northern customs house", "Smuggler of the southern harbour quarter")
    for name in names:
        enc.add(name, side=name[0], defense=10, hp=90)
    enc.start(rolls=dict(zip(names, (20, 1), strict=True)))
    enc.do(names[0], "attack", target=names[1], weapon="vibroblade", damage=21, outcome="hit")
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    said = live.root.locator(".ck-say > p")
    assert said.evaluate("el => el.scrollHeight - el.clientHeight") > 0
    live.root.locator(".ck-res > .m").click()
    assert said.evaluate("el => el.scrollHeight - el.clientHeight") == 0
    zone, shell = live.root.locator(".ck-res").bounding_box(), live.root.locator(".ck-shell").bounding_box()
    assert zone is not None
    assert shell is not None
    assert shell["width"] - zone["width"] <= 2, "nothing below shows beside it"
    assert said.evaluate("el => el.getBoundingClientRect().bottom") <= zone["y"] + zone["height"]


@pytest.mark.parametrize("role", ["seat", "screen"])
def test_a_page_at_the_table_is_shown_whole(new_context: Recorder, role: str) -> None:
    with new_context.lent(viewport=TABLE_SIZES["390"]) as context:
        table = Table(context, saga_fight(), role)
        table.open()
        table.page.locator(".ck-desk, .scr-log").first.wait_for()
        found = wrong_in(table.page.locator("#seat"), TABLE_SIZES, role)
        assert not found, told(found)
        if role == "seat":
            table.page.set_viewport_size(TABLE_SIZES["844x390"])
            expect(table.page.get_by_role("button", name="End my turn")).to_be_in_viewport(ratio=1)
        table.assert_clean()


def told(found: list[str]) -> str:
    """Say how many there are, and the first."""
    return "\n".join([f"{len(found)} findings", *found[:80]])


def test_on_a_phone_each_tap_on_undo_counts_and_redo_stands_beside_it(stub_page: StubPage) -> None:
    enc = fight("saga")
    for _ in range(12):
        enc.end_turn()
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    undo = live.root.get_by_role("button", name="Undo", exact=True)
    redo = live.root.get_by_role("button", name="Redo", exact=True)
    before = enc.clock, enc.active
    expect(redo).to_be_disabled()
    places = [each.bounding_box() for each in (undo, redo)]
    undo.click(click_count=8)
    live.settle()
    expect(redo).to_be_enabled()
    assert [each.bounding_box() for each in (undo, redo)] == places
    redo.click(click_count=8)
    live.settle()
    assert (enc.clock, enc.active) == before
    expect(redo).to_be_disabled()
    assert [each.bounding_box() for each in (undo, redo)] == places
    assert [event.kind for event in enc._events].count("undo") == 8


def test_on_a_phone_who_is_down_is_read_beside_the_end_that_is_offered(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side in (("Kess", "heroes"), ("Guard of the customs house", "foes")):
        enc.add(name, side=side, defense=14, hp=16)
    enc.start()
    enc.damage("Guard of the customs house", 40)
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    said = live.root.locator(".ck-say > p")
    expect(live.root.locator(".ck-say")).to_contain_text("down")
    assert said.evaluate("el => el.scrollHeight <= el.clientHeight")
    live.click(live.root.locator(".ck-ctl > .is-main"))
    live.click(live.button("End the fight"))
    assert enc._state.stage == "over"


def test_on_a_phone_what_can_be_done_after_the_fight_lies_below_no_rim(stub_page: StubPage) -> None:
    enc = fight("saga")
    foes = [name for name in enc.names if enc[name].side != enc[enc.names[0]].side]
    enc.damage(foes, 400)
    enc.finish()
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(SIZES["390"])
    live.settle()
    card = live.root.locator(".ck-won")
    assert card.evaluate("el => el.scrollHeight <= el.clientHeight")
    bar = live.root.locator(".ck-ctl").bounding_box()
    last = live.button("Run it again").bounding_box()
    assert bar is not None
    assert last is not None
    assert last["y"] + last["height"] <= bar["y"]


def test_a_phone_on_its_side_keeps_the_turn_in_sight_and_its_log_in_full(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=1)
    for name, side in (("Kess", "heroes"), ("Guard of the customs house", "foes")):
        enc.add(name, side=side, defense=14, hp=16, attack_bonus=5)
    enc.start()
    enc.do(enc.active or "", "use_skill")
    enc.end_turn()
    live = shown(stub_page, enc)
    stub_page.page.set_viewport_size(TABLE_SIZES["844x390"])
    live.settle()
    live.root.locator('[data-group="attacks"] [data-action]:not([aria-disabled])').first.click()
    live.settle()
    for part in (".ck-turn", ".ck-res", ".ck-ctl .is-main", ".ck-work"):
        expect(live.root.locator(part)).to_be_in_viewport()
    live.click(live.button("Log"))
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
    assert live.root.locator(".ck-line .txt").evaluate_all(cut) == []
    assert live.root.locator(".ck-line .txt").last.is_visible()


@pytest.mark.parametrize("system", mostly_long(["saga", "ap", "phases"], "saga"))
def test_more_stats_by_hand_leave_the_rest_in_sight(stub_page: StubPage, system: str) -> None:
    stub_page.page.set_viewport_size({"width": 1000, "height": 700})
    live = shown(stub_page, ck.Encounter(system, seed=1))
    hand = live.root.locator(".ck-hand")
    hand.locator(".ck-rest > summary").click()
    assert hand.evaluate("on => on.scrollHeight <= on.clientHeight"), "what is typed first stays in sight"
    fields = hand.locator(".ck-rest .ck-field:has(> input)")
    assert fields.evaluate_all("all => all.every(each => each.scrollWidth <= each.clientWidth)"), "titles are whole"
    assert fields.evaluate_all("all => all.every(each => each.firstElementChild.offsetWidth <= each.clientWidth)")


def test_in_a_notebook_on_a_phone_the_turn_is_ended_in_whole_words(stub_page: StubPage) -> None:
    live = shown(stub_page, ck.scene("catwalk").encounter("saga", seed=7, language="de"))
    narrow: dict[str, ViewportSize] = {"273": {"width": 273, "height": 844}}
    stub_page.page.set_viewport_size(narrow["273"])
    live.click("Zug beenden")
    assert live.tracker.encounter.active == "Mara"
    assert (cut := wrong_in(live.root, narrow, "saga")) == [], told(cut)
