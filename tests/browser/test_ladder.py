"""The initiative ladder with a stub model."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import (
    FIGHTS,
    HOSTILE,
    THEMES,
    WIDTHS,
    delta,
    fight,
    focused,
    intents,
    refuse,
)


def rung(root: Locator, name: str) -> Locator:
    """Give the rung of a combatant."""
    return root.get_by_role("listitem", name=re.compile(f"^{name},"))


def test_shows_order_scores_statuses_and_why_ties_broke(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    expect(root.get_by_role("heading", name="Round 3 0:18")).to_be_visible()
    rungs = root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")
    expect(rungs).to_have_count(8)
    expect(rungs.nth(0)).to_have_accessible_name(re.compile(r"^Vex, initiative 26, hunters, acted"))
    expect(rungs.nth(2)).to_have_attribute("aria-current", "true")
    expect(root.locator("[aria-current]")).to_have_count(1)
    expect(rungs.nth(2)).to_contain_text("tie: Dex +4 over +2")
    expect(rungs.nth(4)).to_contain_text("d20 14 over 9")
    expect(rungs.nth(6).locator("s")).to_have_text("27")
    expect(rungs.nth(7)).to_contain_text("surprised")
    expect(rungs.nth(7)).to_contain_text("16/16")


def test_a_status_that_a_system_brings_bears_the_mark_that_is_named(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    ids = view["order"]
    for id, mark in zip(ids, ({"mark": "bang"}, {}), strict=False):
        view["rows"][id] = {**view["rows"][id], "status": "off_balance", "word": "off-balance", **mark}
    root = stub_page.mount("ladder", {"view": view})
    drawn = [state.locator("svg").inner_html() for state in root.locator(".ck-state").all()]
    assert drawn[0] == drawn[7] != drawn[1]  # as the surprised one has it
    expect(root.locator(".ck-state").nth(1)).to_have_text("off-balance")


def test_who_is_stunned_rests_and_is_not_struck(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    fallen, stunned = view["order"][:2]
    view["rows"][fallen] = {**view["rows"][fallen], "status": "out", "word": "down"}
    view["rows"][stunned] = {**view["rows"][stunned], "status": "out", "word": "stunned", "idle": True}
    root = stub_page.mount("ladder", {"view": view})
    lines = [each.evaluate("el => getComputedStyle(el).textDecorationLine") for each in root.locator(".ck-name").all()]
    assert lines[:2] == ["line-through", "none"]
    expect(root.locator(".ck-state").nth(1)).to_have_text("stunned")
    expect(root.get_by_text("7 in the fight")).to_be_visible()


def test_who_has_two_places_is_one_of_those_in_the_fight_and_no_chance_touches_a_token(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    last = view["order"][-1]
    view["rows"]["99"] = {**view["rows"][last], "score": "100%"}
    view["order"] = [*view["order"], "99"]
    view["rows"][view["order"][1]]["status"] = "out"
    root = stub_page.mount("ladder", {"view": view})
    expect(root.locator(".ck-rung")).to_have_count(9)
    expect(root.locator(".ck-order .ck-end").first).to_have_text("7 in the fight")
    expect(root.locator(".ck-order .ck-all")).to_have_text("All 8")
    score = root.locator(".ck-score").last.evaluate(
        "el => { const range = document.createRange(); range.selectNodeContents(el);"
        " return range.getBoundingClientRect().right; }"
    )
    token = root.locator(".ck-rung .ck-tok").last.bounding_box()
    assert token is not None
    assert score <= token["x"]


@pytest.mark.parametrize("name", FIGHTS)
def test_strips_groups_cells_and_pips(stub_page: StubPage, name: str) -> None:
    root = stub_page.mount("ladder", {"view": fight(name)["ladder"]})
    expect(root.get_by_role("list", name="Initiative ladder").get_by_role("listitem").first).to_be_visible()
    zones = root.get_by_role("list", name="Zones, measured from Mara")
    flow = root.get_by_role("list", name="Round sequence")
    expect(zones).to_have_count(int(name == "zones"))
    expect(flow).to_have_count(int(name == "steps"))
    if name == "zones":
        expect(zones.get_by_role("listitem")).to_have_count(5)
    if name == "steps":
        expect(flow.locator("[aria-current=step]")).to_contain_text("HIGH")
        expect(rung(root, "Mara").first.locator(".ck-tens > .h")).to_have_count(1)
        cells = rung(root, "Mara").first.locator(".ck-tens > i")
        widths = cells.evaluate_all("all => all.map(each => each.getBoundingClientRect().width)")
        assert len(widths) == 10
        assert len(set(widths)) == 1, "a segment is as wide as another"
    if name == "cells":
        expect(rung(root, "Ilya").locator(".is-owed")).to_have_text("\u00d7")
        expect(root.get_by_role("list", name="Phases").locator("[aria-current=step]")).to_have_text(
            "Phase 3 6 to act, 1 aborted"
        )
    if name == "points":
        expect(rung(root, "Ilya").locator(".ck-pip.is-off")).to_have_count(1)


@pytest.mark.parametrize("name", mostly_long(FIGHTS, "cells"))
def test_vitals_stand_beside_whatever_else_a_rung_carries(stub_page: StubPage, name: str) -> None:
    view = fight(name)["ladder"]
    for row in view["rows"].values():
        row["vital"] = [7, 16]
        row.pop("more", None)
    root = stub_page.mount("ladder", {"view": view})
    rungs = root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")
    for width in WIDTHS:
        stub_page.set_width(width)
        for each in rungs.all():
            expect(each.locator(".ck-vital")).to_have_text("7/16")
            state, vital = each.locator(".ck-state").bounding_box(), each.locator(".ck-vital").bounding_box()
            assert state
            assert vital
            assert vital["width"] >= 40
            assert vital["x"] + vital["width"] <= state["x"]
    if name == "cells":
        expect(rungs.locator(".ck-cells").first).to_be_visible()
    if name == "points":
        expect(rungs.locator(".ck-pips").first).to_be_visible()


def test_who_is_down_is_struck_and_less_than_nothing_has_a_minus_sign(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    ids = view["order"]
    view["rows"][ids[0]] |= {"status": "out", "vital": [-2, 14]}
    root = stub_page.mount("ladder", {"view": view})
    down, other = rung(root, "Vex"), rung(root, "Mara")
    expect(down.locator(".ck-vital")).to_have_text("\N{MINUS SIGN}2/14")
    expect(down.locator(".ck-name")).to_have_css("text-decoration-line", "line-through")
    expect(other.locator(".ck-name")).to_have_css("text-decoration-line", "none")


def test_is_one_tab_stop_and_walked_by_arrows(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    root.evaluate("el => el.insertAdjacentElement('afterend', document.createElement('button'))")
    keys = stub_page.page.keyboard
    keys.press("Tab")
    assert focused(stub_page).startswith("Mara,")
    for key, name in [
        ("ArrowDown", "Captain Dray"),
        ("End", "Sentry"),
        ("Home", "Vex"),
        ("ArrowDown", "Ossik"),
        ("ArrowUp", "Vex"),
    ]:
        keys.press(key)
        assert focused(stub_page).startswith(f"{name},"), key
    keys.press("ArrowDown")
    keys.press("Enter")
    assert intents(stub_page) == [{"kind": "look", "name": "Ossik"}]
    keys.press("Tab")
    assert focused(stub_page) == ""
    keys.press("Shift+Tab")
    assert focused(stub_page).startswith("Ossik,")


def test_handled_keys_stay_inside(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    expect(root.locator(".ck")).to_have_attribute("data-lm-suppress-shortcuts", "true")
    stub_page.page.evaluate(
        "() => { globalThis.heard = []; document.body.onkeydown = event => heard.push(event.key); }"
    )
    rung(root, "Mara").focus()
    for key in ["ArrowDown", "Enter", "d"]:
        stub_page.page.keyboard.press(key)
    assert stub_page.page.evaluate("heard") == ["d"]


def test_focus_and_elements_stay_across_updates(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    guard = rung(root, "Guard 1")
    guard.focus()
    guard.evaluate("el => { el.own = true; }")
    row = fight()["ladder"]["rows"]["5"]
    delta(
        stub_page,
        (["rows", "5"], row | {"vital": [7, 16]}),
        (["order"], ["5", "1", "2", "4", "3", "6", "7"]),
        (["current"], "5"),
    )
    expect(guard).to_contain_text("7/16")
    expect(root.get_by_role("listitem")).to_have_count(7)
    assert focused(stub_page).startswith("Guard 1,")
    assert guard.evaluate("el => el.own && el.tabIndex === 0")
    expect(root.get_by_role("list", name="Initiative ladder").locator("> [tabindex='0']")).to_have_count(1)


def test_the_next_rung_takes_the_focus_of_one_that_left(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    rung(root, "Guard 1").focus()
    delta(stub_page, (["rows", "5"], None), (["order"], ["1", "2", "3", "4", "6", "7", "8"]))
    expect(rung(root, "Guard 1")).to_have_count(0)
    assert focused(stub_page).startswith("Mara,")


def test_two_hundred_rungs_draw_only_what_changed(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    row = view["rows"]["4"]
    view["rows"] = {
        str(index): row | {"name": f"Guard {index} of the yard", "label": f"Guard {index} of the yard, waits"}
        for index in range(200)
    }
    view["order"] = list(view["rows"])
    view["current"] = "0"
    root = stub_page.mount("ladder", {"view": view})
    root.evaluate(
        """el => {
            globalThis.touched = new Set();
            new MutationObserver(records => {
                for (const { target } of records) {
                    const rung = (target instanceof Element ? target : target.parentElement)?.closest("li");
                    if (rung) touched.add(rung.getAttribute("aria-label"));
                }
            }).observe(el, { subtree: true, childList: true, characterData: true, attributes: true });
        }"""
    )
    delta(stub_page, (["rows", "120"], view["rows"]["120"] | {"word": "acted", "status": "acted"}))
    expect(rung(root, "Guard 120 of the yard")).to_contain_text("acted")
    # The tab stop is put where it is on each draw.
    assert set(stub_page.page.evaluate("[...touched]")) <= {
        "Guard 120 of the yard, waits",
        "Guard 0 of the yard, waits",
    }
    assert root.get_by_role("list", name="Initiative ladder").evaluate("el => el.clientHeight") <= 640


def test_delay_by_keys(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    mara = rung(root, "Mara")
    status = root.get_by_role("status")
    mara.focus()
    keys = stub_page.page.keyboard
    keys.press("Alt+ArrowDown")
    expect(status).to_have_text("Delay behind Guard 1, at 17. Enter delays, Escape cancels.")
    expect(root.locator("[data-gap]")).to_have_attribute("aria-label", re.compile("^Guard 1,"))
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    expect(root.locator("[data-gap]")).to_have_attribute("data-gap", "behind Ilya, at 16")
    keys.press("ArrowUp")
    keys.press("Escape")
    expect(root.locator("[data-gap]")).to_have_count(0)
    assert intents(stub_page) == []
    keys.press("Alt+ArrowDown")
    keys.press("ArrowDown")
    keys.press("Enter")
    expect(root.locator("[data-gap]")).to_have_count(0)
    assert intents(stub_page) == [{"kind": "do", "name": "Mara", "action": "delay", "params": {"count": 17}}]
    expect(mara).to_be_focused()
    refuse(stub_page, "do", "Mara has already acted this turn.", "saga.round.one-turn-each")
    expect(status).to_have_text("Mara has already acted this turn.")


def test_delay_by_keys_says_why_there_is_no_place(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    view["delay"] = {
        "name": "Mara",
        "places": [],
        "reason": ["Mara has already acted. ", {"rule": "saga.round.one-turn-each"}],
    }
    root = stub_page.mount("ladder", {"view": view})
    rung(root, "Mara").focus()
    stub_page.page.keyboard.press("Alt+ArrowDown")
    expect(root.get_by_role("status")).to_have_text("Mara has already acted.")
    assert intents(stub_page) == []


def drag(page: StubPage, name: str, to: str, *, drop: bool = True) -> None:
    """Drag a rung to just below the middle of another."""
    start = rung(page.page.locator("#views"), name).bounding_box()
    end = rung(page.page.locator("#views"), to).bounding_box()
    assert start
    assert end
    mouse = page.page.mouse
    mouse.move(start["x"] + 200, start["y"] + 10)
    mouse.down()
    mouse.move(start["x"] + 200, start["y"] + 30)
    mouse.move(start["x"] + 200, end["y"] + end["height"] * 0.75)
    if drop:
        mouse.up()


def test_delay_by_dragging(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    gap = root.locator("[data-gap]")
    drag(stub_page, "Mara", "Guard 2", drop=False)
    expect(gap).to_have_attribute("data-gap", "behind Guard 2, at 17")
    stub_page.screenshot("ladder-drag")
    stub_page.page.mouse.up()
    expect(gap).to_have_count(0)
    assert intents(stub_page) == [{"kind": "do", "name": "Mara", "action": "delay", "params": {"count": 17}}]


def test_dragging_elsewhere_says_why_and_sends_nothing(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    mara = rung(root, "Mara")
    drag(stub_page, "Mara", "Vex", drop=False)
    expect(mara).to_contain_text("Only a later place can be delayed to.")
    expect(root.locator("[data-gap]")).to_have_count(0)
    stub_page.page.mouse.up()
    expect(root.get_by_role("status")).to_have_text("Only a later place can be delayed to.")
    expect(mara).not_to_contain_text("Only a later place")
    drag(stub_page, "Mara", "Guard 2", drop=False)
    stub_page.page.keyboard.press("Escape")
    expect(root.locator("[data-gap]")).to_have_count(0)
    stub_page.page.mouse.up()
    drag(stub_page, "Guard 1", "Ilya")
    assert [each["kind"] for each in intents(stub_page) if each["kind"] != "look"] == []


def test_players_may_not_delay(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"] | {"players": True}})
    rung(root, "Mara").focus()
    stub_page.page.keyboard.press("Alt+ArrowDown")
    drag(stub_page, "Mara", "Guard 2", drop=False)
    expect(root.locator("[data-gap]")).to_have_count(0)
    stub_page.page.mouse.up()
    assert [each for each in intents(stub_page) if each["kind"] == "do"] == []


def test_a_name_is_text(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    view["rows"]["3"] |= {"name": HOSTILE, "label": f"{HOSTILE}, initiative 24, now", "group": HOSTILE}
    view["sides"][0]["name"] = HOSTILE
    root = stub_page.mount("ladder", {"view": view})
    expect(root.get_by_role("listitem", name=HOSTILE).get_by_text(HOSTILE)).to_be_visible()
    expect(root.locator("img")).to_have_count(0)


def test_a_long_name_ends_before_the_numbers(stub_page: StubPage) -> None:
    view = fight()["ladder"]
    view["rows"]["1"]["name"] = "Archduke Maximilian of the Seven Hundred Silver Towers and his whole Retinue"
    root = stub_page.mount("ladder", {"view": view})
    stub_page.set_width(420)
    row = root.get_by_role("listitem").filter(has_text="Archduke")
    name, vital = row.locator(".ck-name").bounding_box(), row.locator(".ck-vital").bounding_box()
    assert name
    assert vital
    assert name["x"] + name["width"] <= vital["x"]


def test_a_delta_is_drawn_at_once_and_a_burst_of_them_twice(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    shown = stub_page.page.evaluate(
        """async () => {
            const label = () => document.querySelector(".ck-clock").textContent.match(/Round \\d+/)[0];
            const shown = [];
            const base = stub.model("ladder").state.view.revision;
            for (let step = 0; step < 20; step += 1) {
                const set = [[["clock", "label"], `Round ${step + 50}`]];
                const delta = { kind: "delta", base: base + step, revision: base + step + 1, set };
                stub.model("ladder").trigger("msg:custom", delta, []);
                shown.push(label());
            }
            await new Promise(requestAnimationFrame);
            return [...new Set([...shown, label()])];
        }"""
    )
    assert shown == ["Round 50", "Round 69"]
    expect(root).to_contain_text("Round 69")


def test_a_gap_in_the_deltas_asks_for_the_whole(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    second = stub_page.show()
    stub_page.deliver({"kind": "delta", "base": 40, "revision": 41, "set": [[["clock"], {"label": "Round 9"}]]})
    stub_page.wait_for_sent("full")
    assert len(stub_page.sent()) == 1
    stub_page.deliver(
        {"kind": "full", "view": fight()["ladder"] | {"revision": 41, "clock": {"label": "Round 9", "time": "0:54"}}}
    )
    expect(root.get_by_role("heading", name="Round 9 0:54")).to_be_visible()
    delta(stub_page, (["clock"], {"label": "Round 10"}))
    expect(root.get_by_role("heading", name="Round 10")).to_be_visible()
    expect(second.get_by_role("heading", name="Round 10")).to_be_visible()
    assert stub_page.saved() == []


def test_what_cannot_be_drawn_at_all_is_told_in_words(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": {"revision": 0}})
    expect(root.get_by_role("alert")).to_contain_text("This part of the widget failed")
    question = stub_page.wait_for_sent("static")
    stub_page.deliver({"kind": "static", "id": question["id"], "text": f"24 | Mara | now\n18 | {HOSTILE} | waits"})
    expect(root.get_by_text(f"18 | {HOSTILE} | waits")).to_be_visible()
    stub_page.deliver({"kind": "full", "view": fight()["ladder"]})
    expect(rung(root, "Mara")).to_be_visible()
    expect(root.locator("pre")).to_have_count(0)
    expect(root.get_by_role("alert")).to_have_count(0)
    stub_page.problems.clear()


def test_a_failure_is_told_in_place(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    delta(stub_page, (["rows", "3"], {"name": HOSTILE, "sub": [7]}))
    expect(root.get_by_role("alert")).to_contain_text("This part of the widget failed")
    expect(rung(root, "Vex")).to_be_visible()
    delta(stub_page, (["rows", "3"], fight()["ladder"]["rows"]["3"]))
    expect(rung(root, "Mara")).to_be_visible()
    expect(root.get_by_role("alert")).to_have_count(0)
    assert len(stub_page.problems) == 1
    stub_page.problems.clear()


def test_teardown_leaves_nothing(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": fight()["ladder"]})
    expect(rung(root, "Mara")).to_be_visible()
    assert stub_page.listener_count() > 0
    stub_page.teardown()
    assert stub_page.listener_count() == 0
    assert stub_page.page.locator("#views").evaluate("el => el.childElementCount") == 0


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
@pytest.mark.parametrize("name", mostly_long(FIGHTS, "cells"))
def test_axe_and_pictures(stub_page: StubPage, name: str, theme: Theme) -> None:
    root = stub_page.mount("ladder", {"view": fight(name)["ladder"]})
    stub_page.set_theme(theme)
    for width in WIDTHS:
        stub_page.set_width(width)
        expect(root.get_by_role("list", name="Initiative ladder")).to_be_visible()
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        stub_page.screenshot(f"ladder-{name}-{theme}-{width}")
