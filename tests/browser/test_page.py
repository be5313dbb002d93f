"""An exported fight, opened as a reader does: from a file, offline."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Locator, Request, expect

import combatkit as ck
from combatkit.text import signed
from tests.browser.failures import Recorder
from tests.browser.harness import CHROMIUM_FLAGS, Theme, Watched, faults_of, find_chromium, settle
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import THEMES, WIDTHS, unfold
from tests.conformance.player import play

SYSTEMS = [rules.id for rules in ck.rulesets()]
HOSTILE = "</script><img src=x onerror=alert(1)>"


class Exported(Watched):
    """A page of a fight, and every request it makes."""

    def __init__(self, context: BrowserContext) -> None:
        super().__init__(context.new_page())
        self.requests: list[str] = []
        context.on("request", self._on_request)
        self.page.on("dialog", lambda dialog: self.problems.append(f"dialog: {dialog.message}"))

    def open(self, enc: ck.Encounter, folder: Path, **options: Any) -> None:
        """Write a fight and open the file."""
        self.enc = enc
        self.page.goto(enc.to_html(folder / "fight.html", **options).as_uri())

    @property
    def moment(self) -> Locator:
        """The scrubber."""
        return self.page.get_by_role("slider", name="Moment")

    @property
    def log(self) -> Locator:
        """The combat log."""
        return self.page.get_by_role("log", name="Log")

    def go(self, seq: int) -> None:
        """Move the scrubber to an event."""
        self.moment.fill(str(seq))
        expect(self.moment).to_have_attribute("aria-valuetext", re.compile(f"^Event {seq} of [0-9]+, "))

    def press(self, name: str) -> None:
        """Press a button."""
        self.page.get_by_role("button", name=name, exact=True).click()

    def shown_as(self, seq: int) -> None:
        """Compare ladder, budget and clock with the encounter's own past."""
        past = self.enc.at(seq)
        folded = self.page.locator(".ck-kind [aria-expanded=false]")
        while folded.count():
            folded.first.click()
        rungs = self.page.locator(".ck-rung:not(.ck-kind)")
        order = past.order
        expect(rungs).to_have_count(len(order))
        expect(rungs.locator(".ck-name")).to_have_text([rung.combatant for rung in order])
        for index, rung in enumerate(order):
            if rung.initiative is not None:
                expect(rungs.nth(index).locator(".ck-score")).to_have_text(
                    str(rung.initiative).replace("-", "\N{MINUS SIGN}")
                )
        current = rungs.locator("xpath=self::*[@aria-current='true']").locator(".ck-name")
        expect(current).to_have_text([past.active] if past.active else [])
        vital = past.ruleset.vitals[0].name
        for index, rung in enumerate(order):
            values = past[rung.combatant].values
            full = past[rung.combatant].stats.get(vital)
            if type(full) is int and rungs.nth(index).locator(".ck-vital").count():
                several = past.ruleset.presentation.on_rung > 1
                said = signed(values[vital]) if several else f"{signed(values[vital])}/{full}"
                expect(rungs.nth(index).locator(".ck-vital")).to_contain_text(said)
        label, _, phase = past.clock.label.partition(" · ")
        expect(self.page.get_by_role("heading", level=3)).to_contain_text(label)
        if phase:
            expect(self.page.locator(".ck-strip .is-now")).to_contain_text(phase)
        budget = self.page.get_by_role("group", name=re.compile("^Action budget: "))
        who = ck.ActionBudget(past).view["name"]  # whose turn it is, or who is asked
        assert who == past.active or who in [offer.who for offer in past.pending]
        expect(budget).to_have_accessible_name(f"Action budget: {who or 'nobody'}")
        if who is None:
            return
        for slot in past.budget(who).slots:
            if not slot.unlimited and slot.total > 0:
                meter = budget.get_by_role("meter", name=slot.title, exact=True).first
                expect(meter).to_have_attribute("aria-valuenow", str(slot.left))
                expect(meter).to_have_attribute("aria-valuemax", str(slot.total))
        unfold(budget)
        settle(self.page)
        titles = {option.title for option in past.options(who)}
        shown = {text.removesuffix(" ").strip() for text in budget.locator(".ck-act").all_inner_texts()}
        assert len(shown) == len(titles)
        refused = sum(not option.allowed for option in past.options(who))
        expect(budget.locator(".ck-act.is-off")).to_have_count(refused)

    def _on_request(self, request: Request) -> None:
        self.requests.append(request.url)


@pytest.fixture
def exported(new_context: Recorder) -> Iterator[Exported]:
    """Give a page without a network; the test fails if it has asked for anything but its own file, or seen an error."""
    with new_context(viewport={"width": 960, "height": 800}, offline=True) as context:
        page = Exported(context)
        yield page
        assert [url for url in page.requests if not (url.startswith("file:") and url.endswith("/fight.html"))] == []
        assert len(page.requests) >= 1
        page.assert_clean()


def evening() -> ck.Encounter:
    """Give a fight of some rounds with a line undone and a hostile name."""
    enc = ck.Encounter("saga", seed=7, id="friday")
    enc.add("Mara", side="rebels", dex=4, level=6, hp=38, attack_bonus=9)
    enc.add(HOSTILE, side="empire", count=2, npc=True, dex=1, level=2, hp=16, defense=15)
    enc.start(rolls={"Mara": 17, f"{HOSTILE} 1": 9, f"{HOSTILE} 2": 4})
    for turn in range(12):
        if enc.active == "Mara":
            enc.do("Mara", "move")
            enc.undo()
            enc.do("Mara", "attack", target=f"{HOSTILE} 1", rolls=[14], damage=1 + turn % 3, note=HOSTILE)
        enc.end_turn()
    return enc


@pytest.mark.parametrize("theme", mostly_long(THEMES, "light"))
@pytest.mark.parametrize("width", [420, 960])
def test_a_fight_that_is_over_begins_with_its_card(
    exported: Exported, width: int, theme: Theme, tmp_path: Path
) -> None:
    exported.page.set_viewport_size({"width": width, "height": 800})
    exported.page.emulate_media(color_scheme=theme)
    enc = evening()
    enc.adjust([f"{HOSTILE} 1", f"{HOSTILE} 2"], by=-40)
    enc.finish()
    exported.open(enc, tmp_path)
    card = exported.page.get_by_role("region", name="The end")
    expect(card.get_by_role("heading", name="The rebels win")).to_be_in_viewport()
    expect(card.get_by_role("list", name="Damage dealt").get_by_role("listitem")).to_contain_text("Mara")
    expect(card.get_by_role("button")).to_have_count(0)
    assert exported.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    exported.screenshot(f"page-over-{width}-{theme}")
    assert faults_of(exported.page) == []


@pytest.mark.long
@pytest.mark.parametrize("system", SYSTEMS)
def test_any_moment_is_as_it_was(exported: Exported, system: str, tmp_path: Path) -> None:
    enc = play(system, 12, 70)
    exported.open(enc, tmp_path)
    events = len(enc._events)
    for seq in (events // 2, events // 2 + 1, events // 4, events):
        exported.go(seq)
        if enc.at(seq)._state.stage != "setup":
            exported.shown_as(seq)


def test_it_is_stepped_through_by_buttons_keys_and_lines(exported: Exported, tmp_path: Path) -> None:
    enc = evening()
    exported.open(enc, tmp_path, title="Friday's fight")
    assert exported.page.title() == "Friday's fight"
    first = int(exported.moment.input_value())
    exported.shown_as(first)
    assert enc.at(first).active == "Mara", "it opens where the first may act"
    exported.press("Next event")
    exported.shown_as(first + 1)
    exported.press("Previous event")
    exported.shown_as(first)
    exported.press("Next round")
    expect(exported.page.get_by_role("heading", level=3)).to_contain_text("Round 2")
    exported.press("Previous round")
    exported.shown_as(first)
    exported.page.evaluate("document.activeElement.blur()")
    exported.page.keyboard.press("ArrowRight")
    exported.shown_as(first + 1)
    exported.moment.press("End")
    exported.shown_as(len(enc._events))
    exported.moment.press("PageDown")
    expect(exported.moment).not_to_have_value(str(len(enc._events)))
    exported.shown_as(int(exported.moment.input_value()))
    exported.moment.press("Home")
    expect(exported.moment).to_have_attribute("aria-valuetext", re.compile("^Event 1 of "))
    exported.page.keyboard.press("PageUp")
    exported.shown_as(first)
    exported.log.get_by_role("button", name=re.compile("^Go to event")).nth(-6).click()
    expect(exported.moment).not_to_have_value(str(first))
    exported.shown_as(int(exported.moment.input_value()))


def test_nothing_can_be_done_but_look(exported: Exported, tmp_path: Path) -> None:
    exported.open(evening(), tmp_path)
    names = [re.compile(word) for word in ("End turn", "^Undo", "Attack", "Branch", "Back to now", "More")]
    for name in names:
        expect(exported.page.get_by_role("button", name=name)).to_have_count(0)
    exported.page.get_by_role("listitem", name=re.compile("^Mara,")).press("Enter")
    expect(exported.page.get_by_role("status")).to_contain_text("This is a saved fight")
    rule = exported.page.get_by_role("button", name=re.compile("^Rules: Mara rolls")).first
    rule.click()
    words = ck.ruleset("saga").rules["saga.init.formula"].text
    expect(exported.page.locator("[popover]")).to_contain_text(words)


def test_names_are_text_and_what_was_undone_is_struck(exported: Exported, tmp_path: Path) -> None:
    exported.open(evening(), tmp_path, title=HOSTILE)
    expect(exported.page.get_by_role("heading", level=1)).to_have_text(HOSTILE)
    expect(exported.page.locator(".ck-name", has_text=HOSTILE)).to_have_count(2)
    expect(exported.page.locator("img")).to_have_count(0)
    struck = exported.log.locator(".is-undone .txt").first
    expect(struck).to_have_css("text-decoration-line", "line-through")


def test_the_players_page_says_no_more_than_they_know(exported: Exported, tmp_path: Path) -> None:
    exported.open(evening(), tmp_path, view="players")
    exported.moment.press("End")
    rungs = exported.page.get_by_role("list", name="Initiative ladder").get_by_role("listitem")
    expect(rungs.filter(has_text="Mara").locator(".ck-vital b")).to_have_count(1)
    expect(rungs.filter(has_text="img").locator(".ck-vital b")).to_have_count(0)
    expect(exported.page.get_by_text("as the players saw it")).to_be_visible()


@pytest.mark.long
def test_a_long_fight_asks_itself_for_its_lines(exported: Exported, tmp_path: Path) -> None:
    enc = evening()
    for _ in range(75):
        enc.adjust("Mara", "hp", -1)
        enc.adjust("Mara", "hp", 1)
    exported.open(enc, tmp_path)
    exported.shown_as(int(exported.moment.input_value()))
    exported.log.scroll_into_view_if_needed()
    expect(exported.log.locator("[aria-current]")).to_be_in_viewport()
    exported.moment.press("End")
    expect(exported.log.get_by_role("listitem")).to_have_count(60)
    exported.press("Earlier")
    expect(exported.log.get_by_text("The fight begins.")).to_be_attached()


@pytest.mark.long
def test_without_scripts_it_can_be_read(browser: Browser, tmp_path: Path) -> None:
    found = find_chromium(browser.browser_type.executable_path)
    flags = [*CHROMIUM_FLAGS, "--blink-settings=scriptEnabled=false"]
    plain = browser.browser_type.launch(executable_path=found, args=flags)
    page = plain.new_page()
    page.goto(evening().to_html(tmp_path / "fight.html").as_uri())
    expect(page.locator("main table caption").first).to_be_visible()
    words = page.locator("main").inner_text()
    assert "Initiative ladder" in words
    assert "The fight begins." in words
    expect(page.locator("input")).to_have_count(0)
    plain.close()


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures(exported: Exported, theme: Theme, tmp_path: Path) -> None:
    exported.page.emulate_media(color_scheme=theme)
    exported.open(evening(), tmp_path)
    background = exported.page.evaluate("getComputedStyle(document.documentElement).backgroundColor")
    assert (background == "rgb(255, 255, 255)") == (theme == "light")
    for width in WIDTHS:
        exported.set_width(width)
        assert faults_of(exported.page) == []
        assert exported.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        exported.screenshot(f"page-{theme}-{width}")


def places(exported: Exported) -> dict[str, str]:
    """Give where everybody stands on the map, by their title."""
    told = "all => all.map(each => [each.querySelector('title').textContent, each.getAttribute('transform')])"
    tokens = exported.page.locator(".mp-tok").evaluate_all(told)
    return {title.split(":")[0]: at for title, at in tokens}


def test_the_time_line_moves_who_stands_on_the_map(exported: Exported, tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=5, places=True)
    first = len(enc._events)
    enc.place("Mara", at=(2, 2))
    moved = len(enc._events)
    enc.end_turn()
    exported.open(enc, tmp_path)
    exported.go(moved)
    after = places(exported)
    ghosts = exported.page.locator(".mp-ghost")
    expect(ghosts).to_have_count(0)
    exported.go(first)
    expect(ghosts).to_have_count(1)
    before = places(exported)
    assert before["Mara"] != after["Mara"]
    assert {name: at for name, at in before.items() if name != "Mara"} == {
        name: at for name, at in after.items() if name != "Mara"
    }
    expect(exported.page.get_by_role("button", name="Ruler")).to_have_count(0)
    expect(exported.page.locator(".mp-here")).to_have_count(0)
    exported.press("Log")
    expect(exported.page.locator(".mp-ground")).to_have_count(0)
    exported.press("Map")
    expect(exported.page.locator(".mp-ground")).to_be_visible()
    assert faults_of(exported.page) == []
    exported.assert_clean()


def test_players_see_no_ghosts_on_a_saved_map_and_nobody_hidden(exported: Exported, tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=5, places=True)
    first = len(enc._events)
    enc.place("Mara", at=(2, 2))
    enc.condition("Vex", "hidden")
    exported.open(enc, tmp_path, view="players")
    exported.page.keyboard.press("Home")
    expect(exported.page.locator(".mp-tok")).not_to_have_count(0)
    assert "Vex" not in places(exported)
    expect(exported.page.locator(".mp-ghost")).to_have_count(0)
    assert "Vex" not in exported.page.content()
    assert first
    exported.assert_clean()


def test_a_page_without_places_brings_no_map(exported: Exported, tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=5)
    exported.open(enc, tmp_path)
    expect(exported.page.locator(".ck-rung").first).to_be_visible()
    expect(exported.page.locator(".ck-map")).to_have_count(0)
    assert exported.page.locator("script[type=module]").count() == 1
