"""The desk in a tracker: where the focus goes, who is asked next, what the GM allows. With Python behind the page."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.test_map_pane import box_of
from tests.wire import recording

BLADE = {"name": "Blade", "attack": 9, "damage": "1d6+1"}


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def yard(page: StubPage, **guard: Any) -> Live:
    """Show a fight in which Mara acts, then Ilya, then two guards."""
    enc = ck.Encounter("saga", id="yard", seed=7)
    for name in ("Mara", "Ilya"):
        enc.add(name, side="rebels", hp=30, defense=15, weapons=[BLADE])
    enc.add("Guard", side="empire", count=2, npc=True, hp=20, weapons=[BLADE], **guard)
    enc.start(rolls={"Mara": 18, "Ilya": 15, "Guard 1": 9, "Guard 2": 4})
    page.page.set_viewport_size({"width": 848, "height": 800})
    live = Live(page, ck.Tracker(enc))
    live.settle()
    return live


def test_the_second_press_of_a_double_click_is_not_the_next_ones(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    live.root.locator('.ck-desk [data-action="delay"]').dblclick()
    live.settle()
    assert live.tracker.encounter.active == "Ilya"
    expect(live.root.locator(".ck-res")).to_be_focused()


def test_what_is_refused_is_told_in_the_result_zone_and_the_gm_may_allow_it(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    attack = live.root.get_by_role("group", name="Attacks").locator("[data-action]").first
    live.click(attack)
    live.press("Enter")
    expect(live.root.locator(".ck-res")).to_be_focused()
    top = attack.bounding_box()
    attack.press("Enter")
    expect(live.root.locator(".ck-res")).to_contain_text("Needs a standard action")
    assert attack.bounding_box() == top, "what is spent stays where it is"
    live.click("GM allows it")
    live.click(live.root.locator(".ck-work").get_by_role("button", name="Guard 2"))
    done = live.tracker.encounter.history.events.filter(kind="action", action="attack", actor="Mara")
    assert done.height == 2


@pytest.mark.parametrize("width", [1280, 848, 390])
def test_more_leads_to_the_sheet_of_whoever_acts_with_its_weapons_whole(stub_page: StubPage, width: int) -> None:
    live = yard(stub_page, defense=15)
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live.click("More")
    live.click("Edit a sheet")
    expect(live.root.locator(".ck-more")).to_have_count(0)
    card = live.root.get_by_role("form", name="Card: Mara")
    expect(card).to_be_focused()
    damage = card.locator('[name="weapons:damage"]')
    expect(damage).to_have_value("1d6+1")
    assert damage.evaluate("box => box.scrollWidth <= box.clientWidth"), "all of it is to be read"
    assert card.evaluate("form => form.scrollWidth <= form.clientWidth")
    damage.fill("10d6+12")
    assert damage.evaluate("box => box.scrollWidth <= box.clientWidth"), "it grows with what is typed"
    live.click("Save")
    assert live.tracker.encounter["Mara"].stats["weapons"][0]["damage"] == "10d6+12"


def test_after_a_condition_set_from_a_card_the_card_has_the_keys(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    live.click("Guard 2: card")
    live.click("Set a condition: Guard 2")
    box = live.root.get_by_role("combobox", name="Condition")
    expect(box).to_be_focused()  # whose it is, is known
    box.fill("prone")
    box.press("Enter")
    card = live.root.get_by_role("form", name="Card: Guard 2")
    expect(card.get_by_role("list", name="Conditions")).to_contain_text("prone")
    expect(card).to_be_focused()
    live.press("Escape")
    expect(card).to_have_count(0)


def test_where_no_name_can_be_pressed_none_is_asked_for(stub_page: StubPage) -> None:
    enc = ck.Encounter("d6", id="docks", seed=6, map=[("quay", "crane")])
    blade, blaster = ({"name": "blade", "attack": "5D", "range": "melee"}, {"name": "blaster", "attack": "4D"})
    enc.add("Mara", side="rebels", at="quay", initiative=9, weapons=[blade, blaster])
    enc.add("Guard", side="empire", at="crane", npc=True, defense=11, weapons=[blaster])
    enc.start(rolls={"Mara": 6})
    live = Live(stub_page, ck.Tracker(enc))
    attacks = live.root.get_by_role("group", name="Attacks").locator("[data-action]")
    attacks.first.press("Enter")
    expect(live.root).to_contain_text("blade: No target is possible: Guard is at Short; the blade reaches")
    live.settle()
    expect(live.root).not_to_contain_text("Press a name to attack")
    live.click(attacks.last)
    expect(live.root.locator(".ck-work")).to_contain_text("Press a name to attack")


def test_escape_puts_the_log_away_where_it_covers_the_desk(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    stub_page.page.set_viewport_size({"width": 640, "height": 800})
    live.click("Log")
    opener = live.root.get_by_role("button", name="Log", exact=True)
    expect(opener).to_have_attribute("aria-expanded", "true")
    live.root.locator('[data-ck-part="log"] :is(button, a, [tabindex])').first.focus()
    heard = "() => { window.heard = 0; document.addEventListener('keydown', () => (window.heard += 1)); }"
    stub_page.page.evaluate(heard)
    live.press("Escape")
    expect(opener).to_have_attribute("aria-expanded", "false")
    expect(opener).to_be_focused()
    assert stub_page.page.evaluate("window.heard") == 0, "a notebook does something else with it"


def test_a_name_on_the_ladder_says_whom_a_form_is_about(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    live.tracker.encounter.table_dice = True
    live.follow()
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    live.click("Guard 2: card")
    expect(live.root.locator('.ck-work [aria-pressed="true"]')).to_contain_text("Guard 2")
    live.click("Cancel")
    slots = live.root.get_by_role("meter")
    expect(slots.first).to_have_accessible_name("Standard")
    live.click("Guard 2: card")
    expect(live.root.get_by_role("form", name="Card: Guard 2")).to_be_focused()
    desk = live.root.locator(".ck-budget")
    expect(desk.get_by_text("Guard 2", exact=True)).to_have_count(1)
    expect(slots).to_have_count(1)
    expect(slots.first).to_have_accessible_name("Reaction")
    stub_page.page.set_viewport_size({"width": 436, "height": 800})
    expect(desk.get_by_role("heading", name="Guard 2")).to_be_visible()
    live.click("Close Guard 2's card")
    expect(desk.get_by_role("heading", name="Mara")).to_be_visible()


def test_a_face_whose_first_figure_misses_leads_on_to_the_damage(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    live.tracker.encounter.table_dice = True
    live.follow()
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    faces = live.root.locator("input.ck-face")
    expect(faces).to_have_count(2)
    live.press("1")
    expect(faces).to_have_count(1)
    live.press("5")
    expect(faces.nth(1)).to_be_focused()
    live.press("4", "Enter")
    assert live.tracker.encounter["Guard 1"].values["hp"] == 15


@pytest.mark.parametrize("width", [848, 420])
def test_who_lets_it_go_is_asked_no_more_and_it_is_seen(stub_page: StubPage, width: int) -> None:
    live = yard(stub_page, defense=15)
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live.tracker.encounter.trigger("Mara", text="Mara runs past", offers=("attack_of_opportunity",))
    live.follow()
    rung = live.root.get_by_role("listitem", name="Guard 2,")
    expect(live.root.get_by_role("button", name="Let go: Guard 2")).to_have_count(0 if width > 720 else 1)
    live.click(rung.get_by_role("button", name="Let go") if width > 720 else "Let go: Guard 2")
    expect(rung.locator(".ck-state")).to_have_text("lets it go")
    expect(live.root.get_by_role("button", name="Let go: Guard 2")).to_have_count(0)
    expect(live.root.locator(".ck-budget h4")).to_have_text("Guard 1")
    live.press("u")
    live.tracker.encounter.trigger("Mara", text="Mara runs back", offers=("attack_of_opportunity",))
    live.follow()
    expect(rung.locator(".ck-state")).not_to_contain_text("lets it go")


def test_behind_the_last_who_reacts_the_desk_is_with_whose_turn_it_is(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    live.tracker.encounter.trigger("Mara", text="Mara runs past", offers=("attack_of_opportunity",))
    live.follow()
    live.root.locator(".ck-ctl .is-main").focus()
    live.press("l")
    expect(live.root.locator(".ck-budget h4")).to_have_text("Guard 2")
    live.press("n")
    expect(live.root.locator(".ck-budget h4")).to_have_text("Mara")
    expect(live.root.locator(".ck-res")).to_be_focused()


def test_l_lets_go_from_a_die_too(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    enc = live.tracker.encounter
    enc.table_dice = True
    live.root.locator(".ck-ctl .is-main").focus()
    enc.trigger("Mara", text="Mara runs past", offers=("attack_of_opportunity",))
    live.follow()
    expect(live.root.locator(".ck-face").first).to_be_focused()
    live.press("l")
    expect(live.root.locator(".ck-budget h4")).to_have_text("Guard 2")


def test_after_an_answer_comes_the_next_who_has_not_let_it_go(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    enc = live.tracker.encounter
    live.root.locator(".ck-ctl .is-main").focus()
    enc.trigger("Mara", text="Mara runs past", offers=("attack_of_opportunity",))
    live.follow()
    who = live.root.locator(".ck-budget h4")
    expect(who).to_have_text("Guard 1")
    live.press("l")
    expect(who).to_have_text("Guard 2")
    expect(live.root.locator(".ck-work .is-main")).to_be_focused()
    live.press("Enter")
    assert not enc.pending or enc.pending[0].who == "Guard 1"
    assert enc.history.events.filter(action="attack_of_opportunity", actor="Guard 2").height


def test_a_number_the_sheet_lacks_stays_on_it_once_it_is_said(stub_page: StubPage) -> None:
    live = yard(stub_page)
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    zone = live.root.locator(".ck-res")
    expect(zone).to_contain_text("hit?")
    zone.get_by_role("textbox", name="Guard 1's Defense").fill("14")
    live.press("Enter")
    assert live.tracker.encounter["Guard 1"].values["defense"] == 14
    assert live.tracker.encounter.history.events.filter(kind="attack", actor="Mara").height == 1


def test_the_next_fight_begins_with_the_rail(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    stub_page.page.set_viewport_size({"width": 700, "height": 800})
    live.click("All 4")
    expect(live.root.get_by_role("button", name="Fewer")).to_be_visible()
    live.tracker.encounter.finish()
    live.follow()
    live.click("Run it again")
    live.click("Start")
    expect(live.root.get_by_role("button", name="All 4")).to_have_attribute("aria-expanded", "false")


@pytest.mark.parametrize("system", ["saga", "phases"])
@pytest.mark.parametrize("width", [390, 700])
def test_the_rail_says_what_everybody_has_left(stub_page: StubPage, system: str, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    enc = ck.scene("catwalk").encounter(system, seed=7)
    live = Live(stub_page, ck.Tracker(enc))
    for row in live.root.locator(".ck-rung").all():
        number, bar = row.locator(".ck-vital b:visible"), row.locator(".ck-bar").first
        expect(number).to_have_count(1)  # of several vitals, the first
        assert number.inner_text().isdecimal()
        (left, top, wide, high), (_, bar_top, _, bar_high) = box_of(number), box_of(bar)
        x, y, width_of, height_of = box_of(row)
        assert x <= left < left + wide <= x + width_of
        assert top + high <= min(bar_top, y + height_of) or bar_top + bar_high <= top < top + high <= y + height_of


@pytest.mark.parametrize("opens", ["bar", "card", "find", "look", "again"])
def test_the_whole_ladder_gives_way_to_what_is_opened_under_it(stub_page: StubPage, opens: str) -> None:
    live = yard(stub_page, defense=15)
    stub_page.page.set_viewport_size({"width": 700, "height": 800})
    ladder = live.root.get_by_role("list", name="Initiative ladder")
    guard = ladder.get_by_role("listitem", name="Guard 2,")
    live.click("All 4")
    if opens == "card":
        live.click("Guard 2: card")
    elif opens == "find":
        live.root.locator(".ck-ctl .is-more").focus()
        live.press("/")
    elif opens == "look":
        live.click(guard.locator(".ck-state"))
    else:
        live.click(guard.locator(".ck-vital"))
        live.press("5")
    expect(live.root.get_by_role("button", name="All 4")).to_have_attribute("aria-expanded", "false")
    if opens == "bar":
        form = live.root.get_by_role("form", name="Damage or heal")
        box = form.get_by_role("textbox", name="How much")
        expect(box).to_be_focused()
        expect(box).to_have_value("5")
        assert box.evaluate("""el => {
            const {left, top, width, height} = el.getBoundingClientRect();
            return document.elementFromPoint(left + width / 2, top + height / 2) === el;
        }"""), "it is in sight"
    if opens == "again":
        live.click("All 4")
        live.click(ladder.get_by_role("checkbox", name="Guard 1"))
        expect(live.root.get_by_role("button", name="Fewer")).to_be_visible()


def test_the_log_gives_way_to_the_form_for_damage(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    stub_page.page.set_viewport_size({"width": 700, "height": 800})
    live.click(live.root.locator(".ck-ctl .is-log"))
    live.press("d")
    expect(live.root.get_by_role("textbox", name="How much")).to_be_visible()


def test_whoever_is_clicked_first_stands_in_for_who_was_ticked_as_a_guess(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    live.tracker.encounter.do("Mara", "attack", target="Guard 1", rolls=[2])
    live.follow()
    live.root.locator(".ck-res").focus()
    live.press("d")
    expect(live.root.get_by_text("1 ticked")).to_be_visible()
    live.click(live.root.get_by_role("listitem", name="Guard 2,").locator(".ck-tok"))
    live.press("5")
    live.press("Enter")
    enc = live.tracker.encounter
    assert [enc[name].values["hp"] for name in ("Guard 1", "Guard 2")] == [20, 15]


def test_whoever_takes_half_is_no_guess_any_more(stub_page: StubPage) -> None:
    live = yard(stub_page, defense=15)
    live.tracker.encounter.do("Mara", "attack", target="Guard 1", rolls=[2])
    live.follow()
    live.root.locator(".ck-res").focus()
    live.press("d")
    live.click(live.root.get_by_role("button", name="Half for Guard 1"))
    live.click(live.root.get_by_role("listitem", name="Guard 2,").locator(".ck-tok"))
    expect(live.root.get_by_text("2 ticked")).to_be_visible()


def catwalk(system: str, *calls: tuple[str, str, Any]) -> ck.Encounter:
    """Give the catwalk in somebody's turn, after some calls of whoever acts."""
    enc = ck.scene("catwalk").encounter(system, seed=7)
    while enc.active is None:
        enc.end_turn()
    who = enc.active
    for call, what, params in calls:
        getattr(enc, call)(who, what, **params)
    return enc


FEW: dict[str, tuple[list[tuple[str, str, Any]], str, set[str]]] = {
    "saga": ([("do", "delay", {})], "Vex", {"act_now"}),
    "d6": ([("do", "dash", {}), ("do", "move", {})], "Vex", {"pick_up", "talk"}),
    "ap": ([], "Mara", {"free_action", "speak"}),
    "segments": ([], "Vex", {"immediate_action", "morale"}),
    "phases": ([("condition", "stunned", {})], "Vex", {"start_or_complete", "recover_from_stunned"}),
}
"""By system: what is done first, whose desk it is, and the few things that can be done besides what is usual."""


@pytest.mark.parametrize("system", FEW)
def test_the_few_things_that_can_be_done_stand_in_the_open_first(stub_page: StubPage, system: str) -> None:
    calls, who, few = FEW[system]
    view = ck.ActionBudget(catwalk(system, *calls), who).view
    root = stub_page.mount("budget", {"view": view})
    first = root.locator(".ck-desk [data-action]")
    expect(first.first).to_be_visible()
    shown = first.evaluate_all("all => all.map(each => each.dataset.action)")
    assert set(shown[: len(few)]) == few
    expect(root.get_by_text(re.compile(r"\d more .* can do now"))).to_have_count(0)


def test_more_than_a_few_fold(stub_page: StubPage) -> None:
    root = stub_page.mount("budget", {"view": ck.ActionBudget(catwalk("ap")).view})
    expect(root.get_by_role("button", name="14 more Vex can do now")).to_have_attribute("aria-expanded", "false")


IN_SIGHT = """list => {
    const box = list.getBoundingClientRect();
    const rows = [...list.children].map(each => each.getBoundingClientRect());
    return rows.filter(row => row.top >= box.top - 1 && row.bottom <= box.bottom + 1).length;
}"""
"""How many of a list are in sight from top to bottom."""


def test_titles_are_read_whole_and_who_is_in_stays_in_sight_beside_more_stats(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 1280, "height": 800})
    enc = ck.Encounter("phases", seed=1)
    for name in ("Kestrel", "Rime", "Night Warden", "Gang boss", "Watchman 1", "Watchman 2", "Gang gunner 1"):
        enc.add(name, side="gang" if " " in name else "party", npc=" " in name)
    live = Live(stub_page, ck.Tracker(enc))
    live.root.locator(".ck-hand summary").click()
    titles = live.root.locator(".ck-hand .ck-field")
    expect(live.root.get_by_role("spinbutton", name="Offensive Combat Value")).to_be_visible()
    cut = "all => all.filter(each => each.scrollWidth > each.clientWidth).map(each => each.innerText)"
    assert titles.evaluate_all(cut) == []
    assert live.root.get_by_role("list", name="Combatants").evaluate(IN_SIGHT) >= 4


def test_whoever_is_added_comes_into_sight(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 1000, "height": 800})
    live = Live(stub_page, ck.Tracker(ck.Encounter("phases", seed=1)))
    for at in range(9):
        live.root.get_by_role("textbox", name="Name", exact=True).fill(f"Guard {at}")
        live.press("Enter")
        row = live.root.get_by_role("list", name="Combatants").get_by_role("listitem").nth(at)
        expect(row).to_contain_text(f"Guard {at}")
        expect(row).to_be_in_viewport(ratio=0.9)


def test_the_log_opens_with_a_line_that_is_seen_from_its_beginning(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", id="crypt", seed=7)
    for name in ("Mara", "Ossik"):
        enc.add(name, side="heroes", hp=18, ac=4)
    enc.add("Gang gunner", side="gang", npc=True, hp=7, ac=6, count=4)
    enc.start()  # all of them wait, which takes two lines
    for name in ("Gang gunner 1", "Mara", "Ossik"):
        enc.damage(name, 2)
    enc.end_turn()
    stub_page.page.set_viewport_size({"width": 1100, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    cut = """body => {
        const { top, bottom } = body.getBoundingClientRect();
        const lines = [...body.querySelectorAll(".ck-line")].map(line => line.getBoundingClientRect());
        const isCut = lines.some(line => line.top < top - 1 && line.bottom > top + 1);
        return body.querySelectorAll(".ck-line").length && !isCut && lines.at(-1).bottom <= bottom + 1;
    }"""
    body = live.root.locator(".ck-log-body")
    for loses in range(6):
        stub_page.wait_until(lambda: bool(body.evaluate(cut)))
        enc.damage("Mara", loses + 1)
        live.follow()


def test_whom_something_is_on_keeps_their_whole_name_in_the_rail(stub_page: StubPage) -> None:
    enc = ck.scene("rooftop-chase").encounter("phases", seed=7)
    enc.condition("Gang gunner 1", "prone")
    stub_page.page.set_viewport_size({"width": 653, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    head = live.root.locator(".ck-rung .ck-name", has_text="gunner 1").locator(".h")
    assert head.evaluate("el => el.scrollWidth <= el.clientWidth")


def test_no_heading_stands_over_nothing_but_a_form(stub_page: StubPage) -> None:
    enc = ck.scene("rooftop-chase").encounter("phases", seed=7)
    enc.end_turn()
    stub_page.page.set_viewport_size({"width": 1100, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    live.click(live.root.locator(".ck-rung").first.locator(".ck-tok"))
    headings = live.root.locator(".ck-desk :is(h5, h6):visible")
    expect(headings).to_contain_text(["Now", "Next action"])
    live.click(live.root.locator('.ck-desk [data-action="abort"]'))
    expect(live.root.locator(".ck-work")).to_be_visible()
    expect(headings.filter(has_text=re.compile("^(Now|Next action)$"))).to_have_count(0)


@pytest.mark.parametrize("width", [330, 390, 653, 848])
def test_no_mark_of_a_rule_stands_alone_on_a_line(stub_page: StubPage, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(ck.scene("rooftop-chase").encounter("phases", seed=7)))
    if width < 721:
        live.click("Actions")
    live.click(live.root.locator('.ck-desk [data-action="grab"]'))
    expect(live.root.locator(".ck-why:visible > .ck-cite").first).to_be_visible()
    for why in live.root.locator(".ck-why:visible").all():
        words, cites = why.locator("> span:not(.ck-cite)"), why.locator("> .ck-cite")
        assert cites.count(), "it says why, with the rule"
        for cite in cites.all():
            at = box_of(cite)
            lines = [box_of(each) for each in words.all()]
            assert any(top <= at[1] + at[3] / 2 <= top + high for _, top, _, high in lines)
