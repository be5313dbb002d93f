"""The map within a tracker, with Python behind it: where it stands, what is chosen, what is shown of an attack."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.browser.test_map import gantry, tap
from tests.browser.widget_views import PARTS
from tests.wire import recording

recorded = pytest.fixture(autouse=True)(recording)

MINUS = "\N{MINUS SIGN}"

STAYING = (".ck-head", ".ck-strip", ".ck-res", ".ck-map:not(.is-off) .mp-ground", ".ck-ctl")
"""What no turn and no question moves."""


def opened(page: StubPage, enc: ck.Encounter, width: int) -> Live:
    page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(page, ck.Tracker(enc))
    live.settle()
    return live


def places(root: Locator) -> list[tuple[float, ...]]:
    """Give where each stands that makes a box of its own; the zone keeps its place, and may lie over what is below."""
    found: list[tuple[float, ...]] = []
    for each in STAYING:
        part = root.locator(each)
        if part.is_visible() and part.bounding_box():
            found.append(box_of(part)[: 3 if each == ".ck-res" else None])
    return found


def box_of(what: Locator) -> tuple[float, ...]:
    """Give where something begins, and how large it is."""
    box = what.bounding_box()
    assert box is not None
    return (box["x"], box["y"], box["width"], box["height"])


def within(root: Locator, outer: str, inner: str) -> bool:
    """Check whether one thing lies within another, to a px."""
    (x, y, wide, high), (left, top, across, down) = box_of(root.locator(outer)), box_of(root.locator(inner))
    return x - 1 <= left and left + across <= x + wide + 1 and y - 1 <= top and top + down <= y + high + 1


@pytest.mark.parametrize(("system", "left", "full"), [("saga", 17, 24), ("phases", 23, 30)])
def test_what_is_left_stands_over_the_map_and_is_told_on_it(
    stub_page: StubPage, system: str, left: int, full: int
) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=5, places=True)
    enc.damage(["Vex"], 7)
    live = opened(stub_page, enc, 1000)
    number = live.root.get_by_role("listitem", name=re.compile("^Vex,")).locator(".ck-vital b").first
    expect(number).to_be_visible()
    expect(number).to_have_text(str(left))
    titles = live.root.locator("[data-token] > title").evaluate_all("all => all.map(each => each.textContent)")
    assert f"Vex: {left}/{full}" in titles


def test_there_is_a_map_from_when_on_somebody_has_a_place() -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="crew")
    tracker: Any = ck.Tracker(enc)
    shown = [tracker.map]
    enc.place("Mara", at=(2, 1))
    shown.append(tracker.map)
    assert [each is None for each in shown] == [True, False]
    assert tracker.map.view["tokens"]["1"]["at"] == [2, 1]
    tracker.close()
    assert tracker.map.comm is None


def test_without_places_nothing_of_it_is_there(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.start()
    live = opened(stub_page, enc, 1100)
    expect(live.root.locator(".ck-map")).to_have_count(0)
    assert [name for name in live._widgets if name != "tracker"] == PARTS


@pytest.mark.parametrize("width", mostly_long([1280, 1100, 850, 390], 1100))
def test_nothing_jumps_while_a_place_is_chosen_and_gone_to(stub_page: StubPage, width: int) -> None:
    enc = gantry()
    live = opened(stub_page, enc, width)
    shell = live.root.locator(".ck-shell")
    before = places(live.root)
    tap(live.root, -2, 0)
    live.settle()
    assert places(live.root) == before
    main = shell.locator(".is-main:visible")
    expect(main.filter(has_text=re.compile("^Move Mara"))).to_have_count(1)
    live.click(main.filter(has_text="Move Mara"))
    assert places(live.root) == before
    assert enc.pending  # Vex may attack
    live.root.get_by_role("button", name="No attack of opportunity").click()
    live.settle()
    assert not enc.pending
    assert places(live.root) == before
    assert within(live.root, ".ck-shell", ".ck-map")
    stub_page.assert_clean()


def test_what_is_chosen_stands_with_its_ways_on_the_desk(stub_page: StubPage) -> None:
    enc = gantry()
    live = opened(stub_page, enc, 1100)
    tap(live.root, -2, 0)
    form = live.root.locator(".ck-budget").get_by_role("group", name="Move", exact=True)
    expect(form).to_contain_text(f"Move to ({MINUS}2, 0)")
    expect(form.get_by_role("button", name="Half move")).to_have_attribute("aria-pressed", "true")
    expect(form.locator(".mp-way")).to_contain_text("2 of 3 hexes")
    expect(form.locator(".mp-way")).to_contain_text("Vex may attack.")
    expect(live.root.locator(".ck-slots")).to_be_visible()
    live.click(form.get_by_role("button", name="Full move"))
    expect(live.root.locator(".mp-tag")).to_contain_text("Full move, 2 of 6 hexes")
    stub_page.page.keyboard.press("Escape")
    expect(form).to_have_count(0)
    tap(live.root, -1, 0)
    live.click(form.get_by_role("button", name="Not now"))
    expect(form).to_have_count(0)
    expect(live.root.get_by_placeholder("Find an action")).to_be_visible()
    assert enc["Mara"].position == (0, 0)


def test_the_second_tap_goes_there_and_the_desk_is_free_again(stub_page: StubPage) -> None:
    enc = gantry()
    live = opened(stub_page, enc, 1100)
    tap(live.root, -2, 0)
    live.settle()
    before = len(enc._events)
    tap(live.root, -2, 0)
    live.settle()
    assert len(enc._events) > before
    expect(live.root.locator(".mp-form")).to_have_count(0)


def test_a_tap_on_somebody_aims_at_them_and_all_are_so_far_away(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", seed=7)
    enc.add("Aldo", side="party", at=(4, 9), weapons=[{"name": "longbow", "speed": 3, "damage": "1d6", "range": 210}])
    enc.add("Orc", side="orcs", npc=True, count=2, ac=6)
    enc.place({"Orc 1": (13, 8), "Orc 2": (14, 7)})
    enc.start()
    while enc.active != "Aldo":
        enc.end_turn()
    live = opened(stub_page, enc, 1100)
    expect(live.root.locator(".mp-name")).to_have_text(["Aldo", "Orc 1", "Orc 2"])
    live.click(live.root.locator(".ck-attacks .ck-act").first)
    tap_on(live, "Orc 2")
    expect(live.root.locator(".mp-cross")).to_have_count(1)
    expect(live.root.locator(".mp-name")).to_contain_text(["Aldo", "Orc 1 · 45 ft", "Orc 2 · 51 ft"])
    expect(live.root.locator(".ck-rung.ck-target")).to_contain_text("Orc 2")
    live.press("Escape")
    expect(live.root.locator(".mp-cross")).to_have_count(0)
    assert enc.pending == ()


def test_t_on_the_map_aims_at_the_next(stub_page: StubPage) -> None:
    enc = gang()
    while enc.active != "Kestrel":
        enc.end_turn()
    live = opened(stub_page, enc, 1280)
    live.click(live.root.locator(".ck-attacks .ck-act").first)
    aimed = live.root.locator(".ck-rung.ck-target")
    live.root.locator("[role=gridcell][tabindex='0']").focus()
    live.press("t")
    expect(live.root.locator(".mp-cross")).to_have_count(1)
    first = aimed.inner_text()
    live.root.locator("[role=gridcell][tabindex='0']").focus()
    live.press("t")
    expect(aimed).not_to_have_text(first)
    expect(live.root.locator(".mp-cross")).to_have_count(1)


def test_who_is_tapped_on_the_map_is_ticked_while_damage_is_dealt(stub_page: StubPage) -> None:
    enc = gang()
    live = opened(stub_page, enc, 1280)
    live.root.locator(".ck-res").focus()
    acting = str(enc.active)
    other = next(name for name in enc.names if name != acting)
    before = {name: dict(enc[name].values) for name in (acting, other)}
    live.press("d", "1")
    for name in (acting, other):
        tap_on(live, name)
        expect(live.root.locator(".ck-desk .ck-list")).to_contain_text(name)
    live.press("Enter")
    expect(live.root.get_by_role("form", name="Damage or heal")).to_have_count(0)
    assert all(dict(enc[name].values) != before[name] for name in before)


def tap_on(live: Live, name: str) -> None:
    """Tap somebody who stands on the map."""
    live.root.locator(".mp-tok").filter(has_text=name).locator(".plate").click(force=True)
    live.settle()


OVER = """root => {
    const boxes = each => [...root.querySelectorAll(each)].map(el => [el.textContent, el.getBoundingClientRect()]);
    const words = boxes(".mp-name, .mp-word"), tokens = boxes(".mp-tok .ck-tok .sh");
    const ground = root.querySelector(".mp-ground").getBoundingClientRect();
    const isOver = (a, b) => Math.min(a.right, b.right) - Math.max(a.left, b.left) > 1
        && Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top) > 2;
    return words.flatMap(([word, a], n) => [
        ...[...words.slice(n + 1), ...tokens].filter(([, b]) => isOver(a, b))
            .map(([other]) => `${word} on ${other || "a token"}`),
        ...(a.left < ground.left - 1 || a.right > ground.right + 1 ? [`${word} is cut`] : []),
    ]);
}"""
"""Which names and words of a map lie on others, or on a token, and which are cut."""


def gang() -> ck.Encounter:
    """Eight with long names, close together."""
    enc = ck.Encounter("phases", seed=11)
    stats: dict[str, Any] = {"combat_value": 3, "movement": 6, "stun": 20, "body": 10, "end": 20}
    enc.add("Kestrel", side="party", at=(0, 0), **stats | {"combat_value": 6})
    for name, at in {"Rime": (1, -1), "Night Warden": (-1, 1)}.items():
        enc.add(name, side="party", at=at, **stats)
    enc.add("Gang boss", side="gang", npc=True, at=(2, -1), **stats)
    for name in ("Watchman", "Gang gunner"):
        enc.add(name, side="gang", npc=True, count=2, **stats)
    enc.place({"Watchman 1": (1, 0), "Watchman 2": (2, 0), "Gang gunner 1": (4, -2), "Gang gunner 2": (4, -1)})
    enc.start()
    return enc


@pytest.mark.parametrize("width", [1280, 833, 390])
def test_no_name_and_no_word_lies_on_another_or_on_a_token(stub_page: StubPage, width: int) -> None:
    enc = gang()
    live = opened(stub_page, enc, width)
    names = live.root.locator(".mp-name")
    expect(names).to_have_count(8)
    over = [live.root.evaluate(OVER)]
    for to in [(-1, 0), (1, 1), (0, -1), (3, -1)]:
        enc.end_turn()
        enc.place("Night Warden", at=to)
        live.follow()
        over.append(live.root.evaluate(OVER))
    assert over == [[]] * 5


def test_who_has_fallen_lies_beside_whoever_stands_there(stub_page: StubPage) -> None:
    enc = gang()
    enc.damage(["Kestrel"], 200)
    enc.place("Night Warden", at=(0, 0))
    live = opened(stub_page, enc, 1280)
    standing = live.root.locator(".mp-tok").filter(has_text="Night Warden").locator(".sh")
    fallen = live.root.locator(".mp-tok.is-out .sh")
    assert box_of(standing)[2] > 20
    assert box_of(fallen)[2] < 16
    expect(live.root.locator(".mp-name").filter(has_text="Kestrel")).to_have_text(re.compile("^Night Warden"))


def test_who_may_attack_a_mover_is_marked_on_top_of_them(stub_page: StubPage) -> None:
    enc = gang()
    live = opened(stub_page, enc, 1280)
    tap(live.root, -3, 0)
    live.settle()
    bang = live.root.locator(".mp-bang")
    expect(bang.first).to_be_visible()
    order = live.root.locator(".mp-tok, .mp-bang").evaluate_all("all => all.map(each => each.classList[0])")
    assert order == ["mp-tok"] * 8 + ["mp-bang"] * len(order[8:]), "no token hides the mark of another"


STRIP = """root => [...root.querySelectorAll(".ck-rung")].flatMap(rung => {
    const box = el => el.getBoundingClientRect(), list = box(rung.parentElement), at = box(rung);
    if (at.right <= list.left + 1 || at.left >= list.right - 1) return [];
    const [token, number, name] = [".ck-tok", ".ck-vital b", ".ck-name"].map(each => rung.querySelector(each));
    const who = name.textContent;
    return [
        at.left < list.left - 1 || at.right > list.right + 1 ? `${who} is cut` : "",
        box(number).width && box(name).width ? "" : `${who} has no number or no name`,
        box(token).right + 2 > box(number).left ? `${who} touches their number` : "",
        box(token).left < box(rung.querySelector(".ck-score")).right ? `${who} touches their score` : "",
    ].filter(Boolean);
})"""
"""What is wrong with those in sight on a ladder that lies."""


@pytest.mark.parametrize("width", [1100, 833, 716, 560])
def test_on_a_strip_nobody_is_cut_and_each_has_their_number_beside_their_token(stub_page: StubPage, width: int) -> None:
    enc = gang()
    enc.damage(["Rime"], 38)
    live = opened(stub_page, enc, width)
    seen = [live.root.evaluate(STRIP)]
    for _ in range(6):
        enc.end_turn()
    live.follow()
    expect(live.root.locator(".ck-rung.is-now .ck-name")).to_have_text(str(enc.active))
    seen.append(live.root.evaluate(STRIP))
    assert seen == [[], []]


FILLED = """bar => {
    const probe = Object.assign(document.createElement("i"), {className: "ck-bar", style: "--v:1"});
    bar.after(probe);
    const [mine, full] = [bar, probe].map(el => getComputedStyle(el).backgroundImage);
    probe.remove();
    return mine === full ? parseFloat(getComputedStyle(bar).backgroundSize) : 0;
}"""


def test_what_is_left_of_those_who_are_down_is_in_their_bars(stub_page: StubPage) -> None:
    enc = gang()
    enc.damage(["Rime"], 38)
    live = opened(stub_page, enc, 1280)
    bars = live.root.get_by_role("listitem", name=re.compile("^Rime,")).locator(".ck-bar")
    assert [bar.evaluate(FILLED) for bar in bars.all()] == [0, 100, 100]


@pytest.mark.parametrize("width", [716, 390])
def test_that_the_fight_may_be_over_is_read_in_lines_that_have_room(stub_page: StubPage, width: int) -> None:
    enc = gang()
    live = opened(stub_page, enc, width)
    enc.damage([name for name in enc.names if name.startswith(("Gang", "Watch"))], 40)
    live.follow()
    zone = live.root.locator(".ck-res.is-ends")
    expect(zone).to_contain_text("Only the party still stands.")
    lines = zone.locator(".ck-say > *").evaluate_all(
        "all => all.map(each => parseFloat(getComputedStyle(each).fontSize))"
    )
    assert min(lines) >= 12
    (_, top, _, high), (_, begins, _, tall) = box_of(zone), box_of(zone.locator(".ck-say"))
    assert begins - top >= 6
    assert top + high - begins - tall >= 6


@pytest.mark.parametrize("width", [833, 390])
def test_what_is_said_of_a_way_lies_on_nobody_and_no_name_lies_on_the_way(stub_page: StubPage, width: int) -> None:
    live = opened(stub_page, gang(), width)
    tap(live.root, -3, 0)
    live.settle()
    expect(live.root.locator(".mp-tag")).to_contain_text("3 of")
    on = """root => {
        const box = el => el.getBoundingClientRect();
        const isOn = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
        const [tag, tokens] = [box(root.querySelector(".mp-tag")), [...root.querySelectorAll(".mp-tok .sh")]];
        const [names, steps] = [".mp-name", ".mp-dot"].map(each => [...root.querySelectorAll(each)]);
        const crossed = names.filter(name => steps.some(at => isOn(box(name), box(at))));
        return [tokens.filter(each => isOn(tag, box(each))).length, crossed.length];
    }"""
    assert live.root.evaluate(on) == [0, 0]


@pytest.mark.parametrize("width", [560, 390, 360])
def test_on_a_phone_a_question_has_all_its_answers_in_sight(stub_page: StubPage, width: int) -> None:
    enc = gang()
    live = opened(stub_page, enc, width)
    ground = box_of(live.root.locator(".mp-ground"))
    tap(live.root, -2, 0)
    live.settle()
    live.click(live.root.get_by_role("button", name="Move Kestrel"))
    zone = live.root.locator(".ck-res.is-stop")
    expect(zone).to_contain_text("may Watchman 1 attack?")
    left, _, wide, _ = box_of(zone)
    for button in zone.locator(".a > .ck-btn").all():
        x, _, across, _ = box_of(button)
        assert left <= x
        assert x + across <= left + wide, "it is not cut"
    assert box_of(live.root.locator(".mp-ground")) == ground, "and nothing moves for them"


@pytest.mark.parametrize(("width", "other"), [(1280, "Off"), (1100, "Log"), (390, "Actions")])
def test_the_switch_puts_today_s_layout_back_and_is_kept(stub_page: StubPage, width: int, other: str) -> None:
    enc = gantry()
    live = opened(stub_page, enc, width)
    switch = live.root.get_by_role("group", name="Shown")
    assert [each.inner_text() for each in switch.get_by_role("button").all()] == ["Map", other]
    live.root.locator(".ck-res").focus()
    live.press("g") if width > 720 else switch.get_by_role("button", name=other).click()
    expect(live.root.locator(".mp-ground")).to_have_count(0)
    expect(live.root.locator(".ck-budget")).to_be_visible()
    if width > 720:
        assert box_of(live.root.locator(".ck-ladder"))[3] > 200
        expect(live.root.locator(".ck-log-body")).to_be_visible()
    live.click("Done acting")
    expect(live.root.locator(".mp-ground")).to_have_count(0)
    switch.get_by_role("button", name="Map").click()
    expect(live.root.locator(".mp-ground")).to_be_visible()
    expect(live.root.locator(".ck-budget")).to_be_visible(visible=width > 720)
    stub_page.assert_clean()


def test_on_a_phone_no_word_lies_under_the_buttons(stub_page: StubPage) -> None:
    live = opened(stub_page, gantry(), 390)
    cap = live.root.locator(".ck-map > .ck-cap")
    expect(cap.get_by_role("button", name="Zoom out")).to_be_visible()
    expect(cap.locator("h4")).to_be_hidden()
    expect(cap.get_by_role("button", name="Map")).to_be_visible()


@pytest.mark.parametrize("width", [1280, 850])
def test_what_is_held_is_used_where_the_rungs_have_no_room_for_answers(stub_page: StubPage, width: int) -> None:
    enc = ck.Encounter("d6", seed=6, map=[("quay", "crane")])
    enc.add("Ossik", side="rebels", at="quay", initiative=3, resolve=12)
    enc.add("Guard", side="empire", at="crane", npc=True, initiative=2, resolve=6)
    enc.start(rolls={"Ossik": 6})
    enc.do("Ossik", "hold", action="attack", trigger="a guard raises his rifle")
    enc.do("Guard", "aim", option="bonus")
    live = opened(stub_page, enc, width)
    live.click(live.root.locator(".ck-budget").get_by_role("button", name="React: Ossik"))
    live.settle()
    answers = live.root.get_by_role("group", name="Ossik reacts: Guard aims")
    live.click(answers.get_by_role("button", name="miss"))
    assert not enc.pending
    assert "held" not in {each.id for each in enc["Ossik"].conditions}
    stub_page.assert_clean()


def test_two_who_share_a_hex_are_told_apart(stub_page: StubPage) -> None:
    enc = ck.scene("rooftop-chase").encounter("phases", seed=7)
    enc.place({"Rime": enc["Kestrel"].position})
    live = opened(stub_page, enc, 1100)
    for letter in "KR":
        expect(live.root.locator(".mp-tok text").get_by_text(letter, exact=True)).to_be_visible()


def test_the_ladder_lies_above_it_and_opens_over_it(stub_page: StubPage) -> None:
    enc = gantry()
    live = opened(stub_page, enc, 1100)
    rail = live.root.locator(".ck-order")
    assert round(box_of(rail)[3]) == 64
    live.click("All 3")
    assert box_of(rail)[3] > 300
    assert within(live.root, ".ck-lie", ".ck-order")
    live.click("Fewer")
    assert round(box_of(rail)[3]) == 64


def test_who_takes_everybody_off_the_map_takes_the_map_away(stub_page: StubPage) -> None:
    enc = gantry()
    live = opened(stub_page, enc, 1100)
    enc.place(dict.fromkeys(enc.names, None))
    live.follow()
    expect(live.root.locator(".ck-map")).to_have_count(0)
    expect(live.root.locator("pre")).to_have_count(0)
    enc.undo()
    live.follow()
    expect(live.root.locator(".mp-ground")).to_be_visible()


def test_on_a_phone_it_gives_way_to_what_is_put_on_the_desk(stub_page: StubPage) -> None:
    live = opened(stub_page, gantry(), 390)
    desk = live.root.locator(".ck-budget")
    expect(desk).to_be_hidden()
    live.click("All 3")
    live.root.get_by_role("button", name=re.compile("^Mara.*Damage or heal")).click()
    expect(desk.locator(".ck-deal")).to_be_visible()
    expect(live.root.locator(".mp-ground")).to_be_hidden()
    live.press("Escape")
    expect(live.root.locator(".mp-ground")).to_be_visible()


def test_it_is_clean_to_axe(stub_page: StubPage) -> None:
    live = opened(stub_page, gantry(), 1100)
    tap(live.root, -2, 0)
    live.settle()
    assert stub_page.axe() == []


@pytest.mark.parametrize("system", mostly_long(["saga", "ap", "segments", "phases"], "segments"))
def test_g_lays_out_a_map_on_which_nobody_stands_yet(stub_page: StubPage, system: str) -> None:
    enc = ck.Encounter(system, seed=7)
    for name, side in (("Mara", "crew"), ("Vex", "hunters")):
        enc.add(name, side=side)
    live = opened(stub_page, enc, 1101)
    enc.start()
    live.follow()
    live.root.locator(".ck-res").focus()
    live.press("g")
    assert live.tracker.map is not None
    live.show(live.tracker)
    live.settle()
    tray = live.root.locator(".mp-tray")
    expect(tray.get_by_role("button")).to_have_text(["Mara", "Vex"])
    live.click(tray.get_by_role("button", name="Vex"))
    ground = live.root.locator(".mp-ground")
    ground.click(position={"x": 120, "y": 120})
    live.settle()
    assert enc["Vex"].position is not None
    expect(live.root.locator(".ck-ctl").get_by_role("button", name="More")).to_be_visible()
    live.click("More")
    expect(live.root.locator(".ck-more").get_by_role("button", name="Map")).to_have_count(0)


def test_a_map_that_comes_later_is_drawn_though_nothing_else_has_changed(stub_page: StubPage) -> None:
    tracker = ck.Tracker(gantry())
    parts = ("ladder", "budget", "log", "map")
    refs = {part: f"anywidget:{part}" for part in parts if part != "map"}
    children = {part: (part, {"view": getattr(tracker, part).view, "within": True}) for part in parts}
    root = stub_page.mount("tracker", {"view": tracker.view, **refs}, children)
    expect(root.locator(".ck-rung").first).to_be_visible()
    expect(root.locator(".mp-ground")).to_have_count(0)
    stub_page.page.evaluate("stub.model('tracker').set('map', 'anywidget:map')")
    expect(root.locator(".mp-ground")).to_be_visible()


def test_where_there_is_nothing_to_stand_on_g_says_so(stub_page: StubPage) -> None:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="crew")
    enc.add("Vex", side="hunters")
    enc.start()
    live = opened(stub_page, enc, 1101)
    live.click("More")
    live.click(live.root.locator(".ck-more").get_by_role("button", name="Map"))
    expect(live.root.locator(".ck-res")).to_contain_text("There is no map: this fight has no zones.")
    assert live.tracker.map is None


def test_whoever_acts_is_in_sight_on_a_strip_that_is_longer_than_its_place(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=3)
    for at in range(12):
        enc.add(f"Mate {chr(65 + at)}", side="crew" if at % 2 else "hunters", at=(at, 0))
    enc.start()
    live = opened(stub_page, enc, 1101)
    for _ in range(11):
        enc.end_turn()
    live.follow()
    left, _, wide, _ = box_of(live.root.locator(".ck-ladder"))
    here, _, across, _ = box_of(live.root.locator(".ck-rung.is-now"))
    assert left <= here, "it is scrolled to whoever acts"
    assert here + across <= left + wide + 1


def test_a_phone_on_its_side_has_the_map_under_the_ladder_and_its_switch(stub_page: StubPage) -> None:
    live = opened(stub_page, gantry(), 844)
    stub_page.page.set_viewport_size({"width": 844, "height": 390})
    live.settle()
    order, ground, desk = (box_of(live.root.locator(each)) for each in (".ck-order", ".mp-ground", ".ck-budget"))
    assert order[3] == 64
    assert ground[1] >= order[1] + order[3]
    assert ground[3] > 140
    assert abs(order[2] - ground[2]) <= 2
    assert ground[0] + ground[2] <= desk[0] + 1
    live.root.get_by_role("group", name="Shown").get_by_role("button", name="Off").click()
    live.settle()
    expect(live.root.locator(".mp-ground")).to_be_hidden()
    assert box_of(live.root.locator(".ck-order"))[3] > 200
    live.root.get_by_role("group", name="Shown").get_by_role("button", name="Map").click()
    live.settle()
    expect(live.root.locator(".mp-ground")).to_be_visible()
    live.click("Log")
    assert live.root.locator(".ck-line .txt").last.is_visible()


@pytest.mark.parametrize("width", [390, 360])
def test_on_a_phone_what_is_pressed_on_the_map_is_as_large_as_a_finger(stub_page: StubPage, width: int) -> None:
    live = opened(stub_page, gantry(), width)
    cap = live.root.locator(".ck-map > .ck-cap")
    right = box_of(cap)[0] + box_of(cap)[2]
    for button in cap.get_by_role("button").all():
        left, _, wide, high = box_of(button)
        assert min(wide, high) >= 44
        assert left + wide <= right
    assert within(live.root, ".ck-map", ".ck-map > .ck-cap")


@pytest.mark.parametrize("width", [390, 833])
def test_damage_and_heal_begin_in_line_with_what_they_take(stub_page: StubPage, width: int) -> None:
    live = opened(stub_page, gang(), width)
    live.root.locator(".ck-res").focus()
    live.press("d")
    form = live.root.get_by_role("form", name="Damage or heal")
    number, damage, heal = (
        box_of(form.locator(each)) for each in (".is-num", ".is-high >> nth=0", ".is-high >> nth=1")
    )
    if width < 720:
        assert heal[1] == damage[1] == number[1]
    assert heal[1] == damage[1] or heal[0] == number[0], "in its row, or at the beginning of the next"


def setting_up(page: StubPage, width: int) -> Live:
    """Show the set-up of a fight in which three stand somewhere and one does not, with the map open."""
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="crew", at=(0, 0))
    enc.add("Ilya", side="crew", at=(3, -3))
    enc.add("Vex", side="watch", npc=True, at=(3, 0))
    enc.add("Dray", side="watch", npc=True)
    live = opened(page, enc, width)
    expect(live.root.locator(".mp-ground")).to_have_count(0)
    live.click("Map")
    expect(live.root.locator(".mp-ground")).to_be_visible()
    return live


@pytest.mark.parametrize("width", mostly_long([1280, 1100, 833, 390], 1100))
def test_in_the_set_up_it_stands_beside_the_lists_and_starts_with_the_fight(stub_page: StubPage, width: int) -> None:
    live = setting_up(stub_page, width)
    ground, members = live.root.locator(".mp-ground"), live.root.get_by_role("list", name="Combatants")
    assert within(live.root, ".ck-shell", ".ck-map")
    if width > 720:
        assert box_of(ground)[0] + box_of(ground)[2] <= box_of(members)[0]
        expect(members).to_contain_text("watch · at (3, 0)")
        expect(live.root.get_by_role("searchbox", name="Find a creature")).to_be_visible()
    else:
        expect(members).to_be_hidden()
    assert box_of(live.root.locator(".ck-map"))[1] == pytest.approx(
        sum(box_of(live.root.locator(".ck-res"))[1::2]), abs=1
    ), "it begins below the zone"
    assert stub_page.axe() == []
    live.click("Close the map")
    expect(ground).to_have_count(0)
    expect(members).to_be_visible()
    assert live.root.locator(".is-map").evaluate("el => el === document.activeElement")
    live.press("g")
    expect(ground).to_be_visible()
    live.click(live.root.locator(".ck-ctl").get_by_role("button", name="Start"))
    expect(live.root.locator(".ck-map:not(.is-off) .mp-ground")).to_be_visible()
    expect(live.root.locator(".ck-rung").first).to_be_visible()
    stub_page.assert_clean()


def test_in_the_set_up_people_are_dragged_from_the_list_and_picked_there(stub_page: StubPage) -> None:
    live = setting_up(stub_page, 1100)
    enc, mouse = live.tracker.encounter, stub_page.page.mouse
    plate = box_of(live.root.locator(".mp-tok").filter(has_text="Mara").locator(".plate"))
    x, y = plate[0] + plate[2] / 2, plate[1] + plate[3] / 2
    cell = box_of(live.root.locator("[data-cell='0,0']"))[2]
    row = live.root.get_by_role("listitem").filter(has_text="Dray").locator(".ck-tok")
    left, top, wide, high = box_of(row)
    mouse.move(left + wide / 2, top + high / 2)
    mouse.down()
    mouse.move(x, y, steps=4)
    mouse.move(x + cell, y - cell)
    expect(live.root.locator(".mp-ghost")).to_have_count(1)
    mouse.up()
    stub_page.wait_until(lambda: enc["Dray"].position == (1, -1))
    live.settle()
    expect(live.root.get_by_role("listitem").filter(has_text="Dray")).to_contain_text(f"at (1, {MINUS}1)")
    mouse.move(x + cell, y - cell)
    mouse.down()
    mouse.move(left, top, steps=4)
    mouse.up()
    live.settle()
    assert enc["Dray"].position == (1, -1), "a drop beside the ground is none"
    live.click(row)
    expect(live.root.locator(".mp-row")).to_contain_text("Dray Tap where they stand.")
    mouse.click(x + 2 * cell, y)
    stub_page.wait_until(lambda: enc["Dray"].position == (2, 0))
    live.click(live.root.get_by_role("button", name="Edit Dray"))
    expect(live.root.get_by_role("form", name="Edit Dray")).to_be_visible()
    expect(live.root.locator(".mp-row")).not_to_contain_text("Tap where they stand.")
    stub_page.assert_clean()


def test_in_the_set_up_people_are_set_down_by_keys(stub_page: StubPage) -> None:
    live = setting_up(stub_page, 1100)
    enc = live.tracker.encounter
    live.root.locator(".mp-tray").get_by_role("button", name="Dray").focus()
    live.press("Enter")
    live.root.locator("[role=gridcell][tabindex='0']").focus()
    focused = live.root.locator("[role=gridcell]:focus")
    expect(focused).to_have_accessible_name(f"(3, {MINUS}3). Ilya, crew")
    live.press("ArrowLeft", "ArrowUp", "Enter")
    stub_page.wait_until(lambda: enc["Dray"].position == (2, -4))
    live.settle()
    live.press("Enter", "ArrowLeft", "Enter")
    stub_page.wait_until(lambda: enc["Dray"].position == (1, -4))
    live.press("Control+z")
    stub_page.wait_until(lambda: enc["Dray"].position == (2, -4))


def test_a_map_is_laid_out_in_the_set_up_where_nobody_stands_yet(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=7)
    for name, side in (("Mara", "crew"), ("Vex", "hunters")):
        enc.add(name, side=side)
    live = opened(stub_page, enc, 1101)
    live.click("Map")
    assert live.tracker.map is not None
    live.show(live.tracker)
    live.settle()
    tray = live.root.locator(".mp-tray")
    expect(tray.get_by_role("button")).to_have_text(["Mara", "Vex"])
    left, top, wide, high = box_of(tray.get_by_role("button", name="Vex"))
    ground = box_of(live.root.locator(".mp-ground"))
    mouse = stub_page.page.mouse
    mouse.move(left + wide / 2, top + high / 2)
    mouse.down()
    mouse.move(ground[0] + ground[2] / 2, ground[1] + ground[3] / 2, steps=4)
    mouse.up()
    stub_page.wait_until(lambda: enc["Vex"].position == (0, 0))
    live.settle()
    expect(tray.get_by_role("button")).to_have_text(["Mara"])
    stub_page.assert_clean()


@pytest.mark.parametrize(
    ("words", "at"),
    [
        (f"to {MINUS}2 0", f"({MINUS}2, 0)"),
        ("to (-2, 1)", f"({MINUS}2, 1)"),
        ("beside bo", f"(3, {MINUS}2)"),
        ("to vex", "(0, 1)"),
    ],
)
def test_a_place_is_typed_where_actions_are_looked_for(stub_page: StubPage, words: str, at: str) -> None:
    enc = gantry()
    live = opened(stub_page, enc, 1280)
    live.root.locator(".ck-res").focus()
    live.press("/")
    live.root.page.keyboard.type(words)
    expect(live.root.get_by_role("button", name=f"Show the way {words}")).to_be_visible()
    expect(live.root.get_by_role("status").first).to_have_text(f"Show the way {words}")
    expect(live.root.locator(".ck-find small")).to_have_text("")
    live.press("Enter")
    expect(live.root.locator(".mp-form h5")).to_have_text(f"Move to {at}")
    expect(live.root.locator(".mp-form .is-main")).to_be_visible()
    before = len(enc._events)
    live.press("Enter")
    live.settle()
    assert len(enc._events) > before, "the cell has the focus, and Enter goes there"


def test_g_leads_into_the_grid_and_escape_from_a_search_back_there(stub_page: StubPage) -> None:
    live = opened(stub_page, gantry(), 1100)
    focused = live.root.locator("[role=gridcell]:focus")
    live.root.locator(".ck-res").focus()
    live.press("g")
    expect(live.root.locator(".mp-ground")).to_have_count(0)
    live.press("g")
    expect(focused).to_have_accessible_name(re.compile(r"^\(0, 0\)\. Mara"))
    live.press("ArrowLeft")
    expect(focused).to_have_accessible_name(re.compile(rf"^\({MINUS}1, 0\)"))
    live.press("/", "x", "Escape")
    expect(live.root.get_by_placeholder("Find an action")).to_be_focused()
    live.press("Escape")
    expect(focused).to_have_accessible_name(re.compile(rf"^\({MINUS}1, 0\)"))
    live.root.locator(".ck-res").focus()
    live.press("g", "g")
    expect(focused).to_have_accessible_name(re.compile(r"^\(0, 0\)\. Mara"))


def test_the_list_of_keys_has_those_of_the_map_where_there_is_one(stub_page: StubPage) -> None:
    live = opened(stub_page, gantry(), 1100)
    keys = live.root.locator(".ck-keys > div")
    live.root.locator(".ck-res").focus()
    live.press("?")
    theirs = keys.filter(has=stub_page.page.get_by_role("heading", name="The map", exact=True))
    caps = set(theirs.locator("kbd").all_inner_texts())
    assert caps >= {*f"←→↑↓,.WVO+{MINUS}0/", "Enter", "Shift+↑"}
    expect(theirs).to_contain_text("to (3, 4)")
    bare = ck.Encounter("phases", seed=7)
    bare.add("Mara", side="crew")
    bare.start()
    live = opened(stub_page, bare, 1100)
    live.root.locator(".ck-res").focus()
    live.press("?")
    expect(keys.filter(has_text="The timeline")).to_have_count(1)
    expect(keys.filter(has=stub_page.page.get_by_role("heading", name="The map", exact=True))).to_have_count(0)


def test_a_place_that_nobody_knows_is_refused_by_name(stub_page: StubPage) -> None:
    live = opened(stub_page, gantry(), 1280)
    live.root.locator(".ck-res").focus()
    live.press("/")
    live.root.page.keyboard.type("to vax")
    live.press("Enter")
    expect(live.root.locator(".mp-row .mp-says")).to_contain_text("Vex")


def test_an_open_form_shows_what_is_true_once_somebody_is_moved(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=3)
    stats: dict[str, Any] = {"movement": 6, "stun": 20, "body": 10, "end": 20}
    enc.add("Kestrel", side="party", at=(0, 0), combat_value=6, **stats)
    for name, at in {"Gang boss": (6, 0), "Watchman": (0, 1)}.items():
        enc.add(name, side="gang", npc=True, at=at, combat_value=3, **stats)
    enc.start()
    live = opened(stub_page, enc, 1280)
    live.root.get_by_role("textbox", name="Find an action").fill("grab")
    live.press("Enter")
    form = live.root.get_by_role("form", name="Grab: Kestrel")
    live.click(form.get_by_role("button", name="1 can't be chosen"))
    boss, far = form.get_by_role("button", name="Gang boss"), form.get_by_text("Gang boss is 6 hexes away")
    expect(boss).to_have_attribute("aria-disabled", "true")
    expect(far).to_be_visible()
    enc.place("Gang boss", at=(1, 0))
    live.follow()
    expect(boss).not_to_have_attribute("aria-disabled", "true")
    expect(far).to_have_count(0)
    enc.undo()
    live.follow()
    expect(boss).to_have_attribute("aria-disabled", "true")
    expect(far).to_be_visible()


def test_an_open_form_asks_again_where_the_fight_went_on_before_its_answer_came(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=3)
    for name, side, at in (("Kestrel", "party", (0, 0)), ("Gang boss", "gang", (6, 0)), ("Watchman", "gang", (0, 1))):
        enc.add(name, side=side, at=at, combat_value=6 if side == "party" else 3, movement=6, stun=20, body=10, end=20)
    enc.start()
    live = opened(stub_page, enc, 1280)
    asked: list[Any] = []

    def late(name: str, content: Any) -> list[tuple[str, Any]]:
        """Let the fight go on once the answer is worked out, and tell of that first."""
        answer = live._hear(name, content)
        asked.extend([content] * (content["kind"] == "choices"))
        if len(asked) == 2:
            enc.place("Gang boss", at=(1, 0))
            return [*live._said(), *answer]
        return answer

    stub_page.answer_by(late)
    live.root.get_by_role("textbox", name="Find an action").fill("grab")
    live.press("Enter")
    form = live.root.get_by_role("form", name="Grab: Kestrel")
    live.click(form.get_by_role("button", name="Options"))
    box = form.get_by_role("textbox").first
    box.fill("1")
    live.settle()
    boss = form.get_by_role("group", name="Grab: Target").get_by_role("button", name="Gang boss")
    expect(boss).not_to_have_attribute("aria-disabled", "true")


def test_an_open_form_shows_what_is_true_once_a_condition_is_set(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=3)
    for name, side, at in (("Kestrel", "party", (0, 0)), ("Gang boss", "gang", (1, 0))):
        enc.add(name, side=side, at=at, combat_value=6 if side == "party" else 3, movement=6, stun=20, body=10, end=20)
    enc.start()
    live = opened(stub_page, enc, 1280)
    live.root.get_by_role("textbox", name="Find an action").fill("grab")
    live.press("Shift+Enter")
    boss = live.root.get_by_role("form", name="Grab: Kestrel").get_by_role("button", name="Gang boss", exact=True)
    expect(boss).to_have_accessible_description("20/20 \N{MIDDLE DOT} needs 7 or more")
    enc.condition("Gang boss", "unconscious")
    live.follow()
    expect(boss).to_have_accessible_description("unconscious \N{MIDDLE DOT} needs 7 or more")


@pytest.mark.parametrize("width", [1100, 716])
def test_a_strip_shows_whoever_declares_next(stub_page: StubPage, width: int) -> None:
    enc = ck.Encounter("segments", seed=7)
    names = [f"Guard {number}" for number in range(1, 10)]
    for number, name in enumerate(names):
        enc.add(name, side="party" if number % 2 else "foes", hp=20, aac0=18, ac=5, at=(number, 0))
    enc.start()
    live = opened(stub_page, enc, width)
    for at, name in enumerate(names[:-1]):
        enc.do(name, "declare", action="flee")
        live.follow()
        rung = live.root.get_by_role("listitem", name=re.compile(f"^{names[at + 1]},"))
        expect(rung).to_be_in_viewport(ratio=0.9)


def test_on_a_strip_the_number_itself_opens_the_damage_form(stub_page: StubPage) -> None:
    live = opened(stub_page, ck.scene("catwalk").encounter("segments", seed=5, places=True), 1000)
    vital = live.root.get_by_role("listitem", name=re.compile("^Vex,")).locator(".ck-vital > span:not(.ck-bar)").last
    box = vital.bounding_box()
    assert box is not None
    assert min(box["width"], box["height"]) >= 24
    live.click(vital)
    expect(live.root.get_by_role("form", name="Damage or heal")).to_be_visible()


def test_on_a_strip_a_further_turn_shows_what_its_owner_has_left(stub_page: StubPage) -> None:
    enc = ck.Encounter("segments", seed=5)
    enc.add("Mara", side="party", aac0=14, ac=3, hp=38, routines=2)
    enc.add("Vex", side="cult", npc=True, aac0=17, ac=3, hp=20)
    enc.place({"Mara": (2, 2), "Vex": (3, 2)})
    enc.start()
    enc.end_turn(rolls={"party": [5], "cult": [2]})
    enc.do("Mara", "attack", target="Vex", rolls=[2])
    enc.end_turn()
    enc.end_turn()
    live = opened(stub_page, enc, 1000)
    left = live.root.locator(".ck-rung.is-again.is-now .ck-vital b")
    expect(left).to_be_visible()
    expect(left).to_have_text("38")


@pytest.mark.parametrize("key", ["1", "/", "t"])
def test_a_key_that_leads_to_the_actions_turns_the_pane_to_them(stub_page: StubPage, key: str) -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=5, places=True)
    while enc.active is None:
        enc.end_turn()
    live = opened(stub_page, enc, 700)
    if key == "t":
        live.root.locator(".ck-ctl .is-main").focus()
        live.press("1", "g")
    budget = live.root.locator(".ck-budget")
    expect(budget).to_be_hidden()
    live.root.locator(".ck-ctl .is-main").focus()
    live.press(key)
    expect(budget).to_be_visible()
    expect(budget.locator(":focus")).to_have_count(1)
