"""A round of segments is declared on the stage: a spell with its name, and what somebody would rather do after all."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

import combatkit as ck
from combatkit.widgets._table import table_of
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)


def test_a_declaration_is_changed_taken_back_and_a_spell_asked_for(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", id="yard", seed=7)
    for name, side in (("Vytas", "party"), ("Bo", "party"), ("Orc", "foes")):
        enc.add(name, side=side, hp=20, aac0=18, ac=5, weapons=[{"name": "club", "damage": "1d6", "speed": 4}])
    enc.start()
    stub_page.page.set_viewport_size({"width": 1101, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    work = live.root.locator(".ck-work")

    def rows() -> list[str]:
        calls = live.tracker.budget.view["calls"]
        assert calls is not None
        return [call["said"] for call in calls["rows"].values()]

    live.click(live.root.get_by_role("button", name="Declare: Vytas"))
    expect(work).to_contain_text("Press one to declare it")
    live.click(work.get_by_role("button", name="Incantation", exact=True))
    expect(work.get_by_role("textbox", name="Name of the spell")).to_be_focused()
    live.press(*"Web", "Tab", "3")
    live.page.screenshot("declarations-spell")
    live.click(work.get_by_role("button", name="Charge", exact=True))  # what was typed of a spell is dropped with it
    assert rows() == ["", "", ""], "as long as more is asked for, a choice sends nothing"
    live.press("Enter")
    assert rows() == ["charge", "", ""]
    live.press("Escape")
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    live.click(work.get_by_role("button", name="Incantation", exact=True))
    live.press(*"Web", "Tab", "3")
    live.press("Enter")
    assert rows() == ["Web, 3 segments", "", ""]
    expect(live.root.get_by_role("button", name="Declare: Bo")).to_have_attribute("aria-expanded", "true")
    live.click(work.get_by_role("button", name="Charge", exact=True))
    live.press("Escape")
    live.click(live.root.get_by_role("button", name="Change: Bo"))
    expect(work.get_by_role("button", name="Charge")).to_have_accessible_description("declared")
    live.page.screenshot("declarations-change")
    live.click(work.get_by_role("button", name="Attack routine", exact=True))
    assert rows() == ["Web, 3 segments", "attack routine", ""]
    expect(live.root.get_by_role("log")).to_contain_text("now plans to attack")
    live.press("u")
    expect(live.root.locator(".ck-res")).to_contain_text("Undone: Declare (Bo).")
    assert rows() == ["Web, 3 segments", "charge", ""]
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    expect(work.get_by_role("textbox", name="Name of the spell")).to_have_value("Web")
    live.click(work.get_by_role("button", name="Declare"))
    assert rows() == ["Web, 3 segments", "charge", ""], "the same again stands"
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    work.get_by_role("spinbutton", name="Segments").fill("5")
    live.settle()
    live.press("Enter")
    assert rows() == ["Web, 5 segments", "charge", ""]
    live.click(live.root.get_by_role("button", name="Change: Vytas"))
    live.click("Take it back")
    assert rows() == ["", "charge", ""]


def test_the_next_is_asked_in_every_round(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", id="yard", seed=7)
    for name, side in (("Vytas", "party"), ("Bo", "party"), ("Orc", "foes")):
        enc.add(name, side=side, hp=20, aac0=18, ac=5)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    for number in (1, 2):
        assert enc.clock.round == number
        live.click(live.root.get_by_role("button", name="Declare: Vytas"))
        for _ in range(3):
            live.click(live.root.locator(".ck-work").get_by_role("button", name="Attack routine", exact=True))
        calls = live.tracker.budget.view["calls"]
        assert calls is not None
        assert {call["said"] for call in calls["rows"].values()} == {"attack routine"}
        while enc.clock.round == number:
            live.press("n")


def declaring() -> ck.Encounter:
    enc = ck.Encounter("segments", id="yard", seed=7)
    for name, side in (("Vytas", "party"), ("Bo", "party"), ("Orc", "foes")):
        enc.add(name, side=side, hp=20, aac0=18, ac=5)
    enc.start()
    return enc


def test_a_rung_and_the_key_that_finds_lead_to_what_is_declared_and_back(stub_page: StubPage) -> None:
    enc = ck.scene("catwalk").encounter("segments", seed=5)
    live = Live(stub_page, ck.Tracker(enc))
    rungs = live.root.locator(".ck-rung")
    live.root.locator(".ck-res").focus()
    live.press("/")
    expect(live.root.get_by_role("button", name="Declare: Mara")).to_be_focused()
    for index, name in ((1, "Ilya"), (2, "Vex")):
        rungs.nth(index).focus()
        live.press("Enter")
        expect(live.root.get_by_role("form", name=f"Declare: {name}")).to_be_visible()
        expect(live.root.locator(".ck-work button").first).to_be_focused()
        live.root.locator(".ck-res").focus()
        live.press("/")
        expect(live.root.locator(".ck-work :focus")).to_be_visible()
    rungs.nth(2).focus()
    live.press("Enter")
    expect(live.root.get_by_role("group", name="Action budget: Vex")).to_be_visible()
    live.press("/")
    expect(live.root.get_by_label("Find an action")).to_be_focused()
    live.click("Back to Declare")
    expect(live.root.get_by_role("form", name="Declare: Vex")).to_be_visible()


def solid(live: Live) -> list[str]:
    """Give the solid buttons of the header."""
    script = """all => all.filter(el => getComputedStyle(el).fontWeight === "600")
        .map(el => el.innerText.split("\\n")[0])"""
    return list(live.root.locator(".ck-ctl > .is-main").evaluate_all(script))


def test_the_step_does_not_end_unasked_where_some_have_declared_nothing(stub_page: StubPage) -> None:
    enc = declaring()
    enc.do("Vytas", "declare", action="charge")
    live = Live(stub_page, ck.Tracker(enc))
    words = "2 have not declared: Bo and Orc. Once more ends the step."
    live.click("End step")
    expect(live.root.locator(".ck-say > p")).to_have_text(words)
    assert enc.clock.step == 1
    assert solid(live) == ["End step"], "what it does is said now"
    stub_page.screenshot("declarations-undeclared")
    enc.do("Bo", "declare", action="charge")
    live.follow()
    assert solid(live) == [], "what is due comes first"
    live.click("End step")
    expect(live.root.locator(".ck-say > p")).to_have_text("Orc has not declared. Once more ends the step.")
    live.press("n")
    assert enc.clock.step != 1


def test_a_round_of_plain_attacks_begins_with_one_press(stub_page: StubPage) -> None:
    enc = declaring()
    live = Live(stub_page, ck.Tracker(enc))
    expect(live.root.locator(".ck-turn small")).to_contain_text(
        "A plain attack needs no declaring. End the step to go on."
    )
    assert solid(live) == ["End step"]
    live.click("End step")
    assert enc.active


def test_players_who_have_said_nothing_yet_are_not_passed_over_unasked() -> None:
    enc = declaring()
    tracker = ck.Tracker(enc)
    assert "first" not in tracker.view["end"]
    table_of(enc).plays = {"Anna": ("Bo",)}
    table_of(enc).look_again()
    words = "3 have not declared: Vytas, Bo and Orc. Once more ends the step."
    assert tracker.view["end"].get("first") == words


def test_what_is_declared_is_no_longer_the_first_to_do(stub_page: StubPage) -> None:
    enc = declaring()
    for name in enc.names:
        enc.do(name, "declare", action="attack")
    live = Live(stub_page, ck.Tracker(enc))
    assert solid(live) == ["End step"]
    live.click("End step")
    assert enc.active
    usual = live.root.get_by_role("group", name="Usual").locator("[data-action]")
    expect(usual.first).to_be_visible()
    expect(usual.first).not_to_have_attribute("data-action", "declare")


def test_the_past_shows_who_had_declared(stub_page: StubPage) -> None:
    enc = declaring()
    enc.do("Vytas", "declare", action="charge")
    done = enc._events[-1].seq
    enc.do("Bo", "declare", action="charge")
    live = Live(stub_page, ck.Tracker(enc))
    line = live.root.locator(".ck-log .ck-line", has_text="Vytas plans to charge")
    live.click(line.locator(".ck-seq"))
    rows = live.root.get_by_role("list", name="Declare").get_by_role("listitem")
    expect(rows).to_have_text(["Vytascharge", "Bo", "Orc"])
    expect(rows.get_by_role("button")).to_have_count(0)
    expect(live.root.locator(".ck-budget .ck-end")).to_have_text(f"as it was at event {done}")


def test_a_spell_that_is_due_is_not_lost_unasked(stub_page: StubPage) -> None:
    enc = declaring()
    enc.do("Vytas", "declare", action="incantation", spell_name="Web", segments=3)
    while not enc.pending:
        enc.end_turn()
    enc.do("Vytas", "announce_target", target="Orc")
    while enc.active != "Vytas":
        enc.end_turn()
    live = Live(stub_page, ck.Tracker(enc))
    assert solid(live) == []
    live.click("End turn")
    expect(live.root.locator(".ck-say > p")).to_have_text(
        "Web is due now, and is lost if it isn't cast. Once more ends the turn."
    )
    stub_page.screenshot("declarations-due")
    live.click("End turn")
    expect(live.root.locator(".ck-log")).to_contain_text("loses Web as if cast")


def test_an_action_is_found_by_its_other_names_where_it_is_declared(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(declaring()))
    live.click(live.root.get_by_role("button", name="Declare: Vytas"))
    box = live.root.locator(".ck-work").get_by_role("searchbox", name="Find an action")
    for word, found in (("cast", "Incantation"), ("spell", "Incantation"), ("rush", "Charge")):
        live.type(box, word)
        expect(live.root.locator(".ck-work")).not_to_contain_text("Nothing matches.")
        expect(live.root.locator(".ck-work").get_by_role("button", name=found, exact=True)).to_be_visible()


def test_the_header_does_not_send_on_whom_the_button_will_ask() -> None:
    enc = declaring()
    tracker = ck.Tracker(enc)
    assert tracker.view["turn"]["sub"] == "A plain attack needs no declaring. End the step to go on."
    enc.do("Vytas", "declare", action="charge")
    assert "first" in tracker.view["end"]
    assert tracker.view["turn"]["sub"] == "A plain attack needs no declaring."
