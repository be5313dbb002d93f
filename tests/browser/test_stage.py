"""The tracker's stage with Python behind it: what is in sight, in every system, with few and with many."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.wire import recording

SYSTEMS = [rules.id for rules in ck.rulesets()]
TALLEST = 612
"""So many pixels a tracker is tall at most in a window of 800."""

CELL = 848
"""So wide is a cell of JupyterLab in a window of 1280, with its side bar open."""

PHONE = 320
"""So wide is the window of a tracker that a cell of JupyterLab leaves 304 px in a phone's window of 420."""

BROKEN = """root => [...root.querySelectorAll(".ck-clock, .ck-ctl")].flatMap(each => {
    const found = [], texts = document.createTreeWalker(each, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) for (const word of texts.currentNode.data.matchAll(/\\S+/g)) {
        const range = document.createRange();
        range.setStart(texts.currentNode, word.index);
        range.setEnd(texts.currentNode, word.index + word[0].length);
        const lines = range.getClientRects(), edge = root.getBoundingClientRect();
        const isOut = [...lines].some(({left, right}) => left < edge.left || right > edge.right);
        if (lines.length > 1 || isOut) found.push(word[0]);
    }
    return found;
})"""
"""The words that are broken over two lines, or stand beyond the edge."""


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def crowd(system: str, count: int) -> ck.Encounter:
    """Give a fight of so many that has begun, with whatever each system needs to act."""
    enc = ck.scene("catwalk").encounter(system, seed=7)
    for n in range(len(enc.names), count):
        enc.join(f"Guard of the northern customs house, second night watch, {n}", side="guards")
    while enc.active is None:
        enc.end_turn()
    return enc


SOLID = """shell => [...shell.querySelectorAll(".ck-btn, .ck-pick.is-main")].filter(each => {
    const [box, frame] = [each.getBoundingClientRect(), shell.getBoundingClientRect()];
    const on = document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2);
    const isSolid = getComputedStyle(each).backgroundColor === getComputedStyle(shell).color;
    return isSolid && box.height && box.bottom <= frame.bottom && each.contains(on);
}).map(each => each.innerText.split("\\n")[0])"""
"""The solid buttons in sight."""


@pytest.mark.parametrize("width", mostly_long([CELL, 436], CELL))
def test_one_button_is_solid_when_a_caster_is_asked_and_when_somebody_is_brought_in(
    stub_page: StubPage, width: int
) -> None:
    enc = crowd("segments", 5)
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    shell = live.root.locator(".ck-shell")
    assert shell.evaluate(SOLID) == ["End turn"]
    live.click("More")
    live.click("Bring somebody in")
    assert shell.evaluate(SOLID) == ["Bring in"]
    live.press("Escape", "Escape")
    caster = enc.order[0].combatant
    while enc.clock.step != 1:
        enc.end_turn()
    enc.do(caster, "declare", action="invocation", segments=2)
    while not enc.pending:
        enc.end_turn()
    live.follow()
    solid = live.root.locator(".ck-work .is-main")
    assert shell.evaluate(SOLID) == [(solid.get_attribute("aria-label") or solid.inner_text()).split("\n")[0]]
    expect(live.root.get_by_role("form", name="Announce target")).to_be_visible()
    desk = live.root.get_by_role("group", name=f"Action budget: {caster}")
    expect(desk.get_by_text("invocation, in Spells")).to_be_visible()
    live.click(solid)
    assert not enc.pending


@pytest.mark.parametrize("width", mostly_long([CELL, 436], CELL))
def test_one_button_is_solid_where_the_fight_may_end(stub_page: StubPage, width: int) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", hp=38)
    enc.add("Guard", side="empire", npc=True, hp=4)
    enc.start()
    enc.damage("Guard", 40)
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(enc))
    shell = live.root.locator(".ck-shell")
    assert shell.evaluate(SOLID) == ["End the fight"]
    live.root.locator(".ck-res").focus()
    live.press("d", "3")
    assert shell.evaluate(SOLID) == ["Damage"]
    live.press("Escape")
    assert shell.evaluate(SOLID) == ["End the fight"]
    live.click("More")
    live.click("Bring somebody in")
    assert shell.evaluate(SOLID) == ["Bring in"]


@pytest.mark.parametrize("width", mostly_long([390, PHONE], PHONE))
def test_every_answer_of_a_question_is_in_sight_on_a_phone(stub_page: StubPage, width: int) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", npc=True)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    stub_page.page.set_viewport_size({"width": width, "height": 844})
    live = Live(stub_page, ck.Tracker(enc))
    live.click(live.root.locator(".ck-attacks .ck-act").first)
    zone = live.root.get_by_role("group", name="Result")
    box = zone.bounding_box()
    assert box is not None
    answers = zone.locator(".ck-asked").locator("button, .ck-quiet, input")
    expect(answers).to_have_count(4)
    for answer in answers.all():
        at = answer.bounding_box()
        assert at is not None
        assert at["x"] + at["width"] <= box["x"] + box["width"]


def test_foes_out_of_reach_have_one_reason_for_all(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add(
        "Mara", side="rebels", at=(0, 0), attack_bonus=3, weapons=[{"name": "axe", "damage": "1d6", "range": "melee"}]
    )
    for name, squares in (("Vex", 1), ("Guard 1", 6), ("Guard 2", 7), ("Guard 3", 8)):
        enc.add(name, side="empire", npc=True, at=(squares, 0), defense=12)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    live = Live(stub_page, ck.Tracker(enc))
    live.click(live.root.locator(".ck-attacks .ck-act").first)
    form = live.root.locator(".ck-work")
    live.click(form.get_by_role("button", name="3 can't be chosen"))
    why = form.locator(".ck-why").filter(has_text="the axe reaches 1")
    expect(why).to_have_count(1)
    expect(why).to_contain_text("Guard 1 is 6 squares away; the axe reaches 1 square.")
    expect(why).to_contain_text("2 more likewise")
    last = form.get_by_role("button", name="Guard 3")
    expect(last).to_have_accessible_description(re.compile("Guard 3 is 8 squares away; the axe reaches 1 square."))


WIDE = 1101
"""So wide is a cell with the side bar closed."""


def told(system: str) -> ck.Encounter:
    """Give a fight in which much is said of everybody on the ladder: what they wait for, conditions and how long."""
    enc = crowd(system, 6)
    first, second, third, *_ = [rung.combatant for rung in enc.order]
    for name in (first, second):
        enc.condition(name, "flat_footed", until="12 rounds")
        enc.condition(name, "concealment", value=50, until="3 rounds")
        enc.condition(name, "wounded")
    enc.condition(third, "stunned", until="end of turn")
    keeps = next((o.action for o in enc.options(enc.active or "") if o.action in ("ready", "hold") and o.allowed), None)
    if keeps and enc.active:
        deed = "strike" if system == "phases" else "attack"
        enc.do(enc.active, keeps, action=deed, trigger="the door of the customs house opens")
    return enc


LINES = """rung => {
    const within = (inner, outer) => inner.right <= outer.right + 0.5 && inner.bottom <= outer.bottom + 0.5;
    const box = each => each.getBoundingClientRect();
    const cut = [...rung.querySelectorAll(".z")].filter(end => !within(box(end), box(end.parentElement)))
        .filter(end => box(end).top < box(end.parentElement).bottom - 0.5);
    const [chip] = rung.querySelectorAll(".ck-chip");
    return {
        chip: !chip || (within(box(chip), box(chip.parentElement)) && chip.scrollWidth <= chip.clientWidth),
        cut: cut.map(each => each.textContent),
        all: [...rung.querySelectorAll(".ck-sub, .ck-chips")].map(each => each.title).join("; "),
    };
}"""
"""Whether the first condition of a rung is in sight, the numbers that are cut, and what its titles say."""


@pytest.mark.parametrize("width", mostly_long([CELL, WIDE], CELL))
@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_a_rung_cuts_neither_a_number_nor_a_condition(stub_page: StubPage, system: str, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(told(system)))
    live.settle()
    rows = live.tracker.ladder.view["rows"]
    assert sum("flat footed" in str(row.get("sub")) for row in rows.values()) == 2
    for row in rows.values():
        rung = live.root.get_by_role("listitem", name=re.compile(f"^{re.escape(row['name'])},")).first
        line = rung.evaluate(LINES)
        assert line["chip"], f"{row['name']}: a condition is in sight"
        assert line["cut"] == [], row["name"]
        for parts in row.get("sub", ()):
            for part in parts:
                words = part if isinstance(part, str) else str(part.get("chip") or part.get("die") or "")
                assert words.strip() in line["all"], "what has no room is in the title"


@pytest.mark.parametrize("count", mostly_long([8, 30], 30))
@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_a_turn_is_in_sight(stub_page: StubPage, system: str, count: int) -> None:
    stub_page.page.set_viewport_size({"width": CELL, "height": 800})
    live = Live(stub_page, ck.Tracker(crowd(system, count)))
    shell = live.root.locator(".ck-shell")
    expect(shell.get_by_role("listitem")).not_to_have_count(0)
    box = shell.bounding_box()
    assert box is not None
    assert box["height"] <= TALLEST
    for name in ("End turn", "Done acting"):
        ends = live.button(name)
        if ends.count():
            expect(ends).to_be_in_viewport(ratio=1)
    expect(live.button("Undo")).to_be_in_viewport(ratio=1)
    expect(live.root.locator(".ck-res")).to_be_in_viewport(ratio=1)
    live.page.screenshot(f"stage-{system}-{count}")
    over = """el => [el, ...el.querySelectorAll("*")].filter(each => each.scrollWidth > each.clientWidth + 1
        && ["auto", "scroll"].includes(getComputedStyle(each).overflowX) && !each.matches(".ck-strip"))
        .map(each => each.className)"""
    assert shell.evaluate(over) == []


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_a_phone_breaks_no_word_and_shows_everybody_on_demand(stub_page: StubPage, system: str) -> None:
    stub_page.page.set_viewport_size({"width": PHONE, "height": 800})
    live = Live(stub_page, ck.Tracker(crowd(system, 5)))
    live.settle()
    shell = live.root.locator(".ck-shell")
    names = shell.get_by_role("list", name="Initiative ladder").locator(".ck-name:visible")
    assert names.count() == 0
    assert shell.locator(".ck-rung .ck-tok:visible").count() == 5
    stub_page.screenshot(f"stage-phone-folded-{system}")
    live.click(shell.get_by_role("button", name=re.compile(r"^All \d")))
    assert names.count() == 5
    stub_page.screenshot(f"stage-phone-{system}")
    assert shell.evaluate(BROKEN) == []


SLIVER = 68
"""So wide is the window of a tracker that JupyterLab's open side bar leaves 52 px in a phone's window of 420."""


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_beside_an_open_side_bar_a_turn_can_still_be_ended(stub_page: StubPage, system: str) -> None:
    stub_page.page.set_viewport_size({"width": SLIVER, "height": 800})
    live = Live(stub_page, ck.Tracker(crowd(system, 5)))
    live.settle()
    ends = live.root.locator(".ck-ctl > .is-main")
    expect(ends).to_be_in_viewport(ratio=1)
    assert ends.evaluate("el => el.scrollWidth <= el.clientWidth")
    before = len(live.tracker.encounter._events)
    ends.click()
    live.settle()
    assert len(live.tracker.encounter._events) > before


def test_a_phone_shows_the_present_step_in_its_line(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 420, "height": 800})
    live = Live(stub_page, ck.Tracker(crowd("segments", 5)))
    live.settle()
    steps = live.root.get_by_role("list", name="Round sequence")
    for _ in range(4):
        expect(steps.locator("[aria-current=step]")).to_be_in_viewport(ratio=0.9)
        assert steps.bounding_box()["height"] == 28  # type: ignore[index]
        live.click(live.root.locator(".ck-ctl > .is-main"))


def test_a_phone_has_the_log_one_tap_away(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 420, "height": 800})
    enc = crowd("saga", 8)
    enc.do(enc.active or "", "attack", target=enc.order[-1].combatant, note="from the far end of the catwalk")
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    expect(live.root.get_by_role("log")).to_have_count(0)
    live.click("Log")
    lines = live.root.get_by_role("log").get_by_role("listitem")
    assert sum(line.is_visible() for line in lines.all()) >= 5
    texts = live.root.locator(".ck-line > .txt, .ck-line > .txt > span")
    assert texts.evaluate_all("all => all.filter(each => each.scrollWidth > each.clientWidth + 1).length") == 0
    expect(lines.last).to_be_in_viewport(ratio=1)
    live.click("Log")
    expect(live.root.get_by_role("log")).to_have_count(0)


@pytest.mark.parametrize("system", mostly_long(SYSTEMS, "phases"))
def test_nothing_jumps_when_something_is_refused(stub_page: StubPage, system: str) -> None:
    stub_page.page.set_viewport_size({"width": CELL, "height": 800})
    enc = crowd(system, 8)
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    live.root.locator('.ck-fold > [aria-expanded="false"]:not(.ck-sec)').last.click()
    refused = live.root.locator('.ck-budget [data-action][aria-disabled="true"]').last
    expect(refused).to_be_visible()
    # What stands below the refused ones makes room for the reason; nothing else moves.
    places = """root => {
        const refused = [...root.querySelectorAll('.ck-budget [data-action][aria-disabled="true"]')].at(-1);
        return [...root.querySelectorAll(".ck-res, .ck-rung, .ck-log, .ck-budget button")]
            .filter(each => !(refused.compareDocumentPosition(each) & 4) || !each.closest(".ck-budget"))
            .map(each => each.getBoundingClientRect().y + (each.closest(".ck-desk")?.scrollTop ?? 0));
    }"""
    before = live.root.evaluate(places)
    refused.click(force=True)  # it says why
    live.settle()
    expect(live.root.get_by_role("group", name="Result").locator(".ck-i")).not_to_have_count(0)
    after = live.root.evaluate(places)
    assert len(after) == len(before) > 5
    assert max(abs(y - was) for y, was in zip(after, before, strict=True)) <= 4
