"""A round by keyboard alone, as a screen reader tells it: `docs/heard.md` is what was heard."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.wire import recording

HEARD = Path(__file__).parents[2] / "docs" / "heard.md"
RIFLE = {"name": "Blaster rifle", "attack": 9, "damage": "3d8+2"}
KEYS = (
    *("Tab", "Tab", "/", "b", "l", "a", "Enter", "Enter", "Escape", "n"),
    *("d", "5", "Enter", "Escape", "n", "n", "c", "Escape", "?", "Escape", "n"),
    *("1", "Escape", "[", "]"),
    *("1", "t", "Enter", "n", "/", "d", "e", "l", "Enter", "n"),
    *("m", *["ArrowDown"] * 9, "Enter", "s", "Enter"),
)


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def test_a_round_by_keyboard_is_heard_as_written(stub_page: StubPage) -> None:
    stub_page.page.set_viewport_size({"width": 848, "height": 800})
    enc = ck.Encounter("saga", id="docks", seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=38, weapons=[RIFLE])
    enc.add("Ilya", side="rebels", dex=3, level=4, hp=28)
    enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2, hp=40, defense=15)
    enc.start(rolls={"Mara": 17, "Ilya": 12, "Guard 1": 9, "Guard 2": 4})
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    lines: list[str] = []
    said = ""
    for key in KEYS:
        live.press(key)
        on = stub_page.page.locator(":focus").aria_snapshot().splitlines()[0].removeprefix("- ").removesuffix(":")
        now = live.root.get_by_role("status").first.inner_text().strip()
        lines.append(f"{key:<9}  {on}" + (f"\n{'':<9}  says: {now}" if now and now != said else ""))
        said = now
    told = "\n".join(lines)
    head, _, rest = HEARD.read_text(encoding="utf-8").partition("```text\n")
    tail = rest.partition("```")[2]
    if os.environ.get("COMBATKIT_HEARD"):
        HEARD.write_text(f"{head}```text\n{told}\n```{tail}", encoding="utf-8")
    assert rest.partition("\n```")[0] == told, "COMBATKIT_HEARD=1 writes what was heard; read it before it is kept"
    assert enc.clock.round == 2


@pytest.mark.parametrize("system", mostly_long([rules.id for rules in ck.rulesets()], "ap"))
def test_what_is_no_longer_true_is_not_heard_again(stub_page: StubPage, system: str) -> None:
    enc = ck.scene("catwalk").encounter(system, seed=7)
    while enc.active is None:
        enc.end_turn()
    live = Live(stub_page, ck.Tracker(enc))
    heard = live.root.get_by_role("status")
    expect(heard).to_have_count(1)
    live.button("Redo").press("Enter")
    expect(heard).to_have_text("Nothing to redo.")
    enc.condition("Ilya", "prone")
    live.follow()
    expect(heard).to_contain_text("Ilya")
    live.root.locator('.ck-fold > [aria-expanded="false"]:not(.ck-sec)').last.click()
    live.root.locator('.ck-budget [data-action][aria-disabled="true"]').last.press("Enter")
    live.settle()
    refused = heard.inner_text()
    assert refused.strip()
    live.click("Undo")
    expect(heard).to_contain_text("Undone")
    expect(live.root.get_by_role("group", name="Result")).to_contain_text("Undone")
    live.root.get_by_role("slider", name="Moment").press("Home")
    live.settle()
    live.press("Shift+Tab", "]")
    expect(heard).to_contain_text("Event 2")
    live.click("Back to now")
    expect(heard).to_contain_text("turn")
    expect(heard).not_to_contain_text("Event 2")
    live.click(live.root.locator(".ck-ctl .is-main"))
    told = heard.inner_text()
    enc.adjust(enc.names[0], vital=enc.ruleset.vitals[0].id, by=-1)
    live.follow()
    assert heard.inner_text() != told


def heard(live: Live) -> Locator:
    return live.root.get_by_role("status").first


def leaving() -> ck.Encounter:
    """Give a fight in which two may strike at Mara, who leaves them."""
    enc = ck.Encounter("saga", seed=1, options={"openings": "leaving_reach"})
    enc.add("Mara", side="rebels", dex=20, hp=20, at=(0, 0))
    enc.add("Guard", side="empire", npc=True, hp=20, at=(1, 0))
    enc.start()
    enc.do("Mara", "move", to=(-3, 0))
    return enc


def test_n_and_l_lead_to_what_the_gm_is_asked(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=1)
    for name, side, rank in (("Mara", "rebels", 8), ("Vex", "hunters", 5)):
        enc.add(name, side=side, combat_value=rank, ocv=6, dcv=6)
    enc.start()
    enc.do("Mara", "pick_up_item")
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    zone = live.root.get_by_role("group", name="Result")
    choice = zone.locator(".a :is(input, button)").first
    for key in ("n", "l"):
        live.root.locator(".ck-ctl .is-main").focus()
        live.press(key)
        expect(choice).to_be_focused()
        expect(heard(live)).to_contain_text("threatens them")
    enc.resolve(answer="nobody")
    live.follow()
    live.root.locator(".ck-ctl .is-main").focus()
    live.press("l")
    expect(heard(live)).to_have_text("Nothing to let go.")


def test_who_is_added_is_heard(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker(ck.Encounter("phases", seed=1)))
    live.settle()
    for name in ("Mara", "Vex"):
        live.tracker.encounter.add(name, side=name)
        live.follow()
        expect(heard(live)).to_contain_text(f"{name} joins the fight")
        expect(live.root.get_by_role("checkbox", name=f"Surprised: {name}")).to_have_count(1)


def test_a_slash_that_leads_nowhere_says_so_and_a_slider_lets_it_through(stub_page: StubPage) -> None:
    enc = leaving()
    live = Live(stub_page, ck.Tracker(enc))
    live.settle()
    live.root.locator(".ck-ctl .is-main").focus()
    live.press("/")
    expect(heard(live)).to_have_text("Nothing to look for now.")
    enc.resolve()
    live.follow()
    live.root.get_by_role("slider", name="Moment").focus()
    live.press("/")
    expect(live.root.locator(".ck-find input")).to_be_focused()
