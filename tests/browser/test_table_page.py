"""The table page as a visitor meets it, on a phone first; `test_lite.py` has it with all its Python in the browser."""

from __future__ import annotations

import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.failures import Recorder
from tests.browser.servers import StubSite
from tests.browser.sizes import mostly_long
from tests.browser.table_page import TablePage, table_page, table_python


@pytest.fixture(scope="module")
def python() -> Iterator[subprocess.Popen[str]]:
    """Give the process with the rules, shared by all visits."""
    with table_python() as running:
        yield running


@pytest.fixture
def table(
    new_context: Recorder, stub_site: StubSite, python: subprocess.Popen[str], tmp_path: Path
) -> Iterator[TablePage]:
    """Give the table page on a phone; the test fails if it has seen an error."""
    with new_context.lent(viewport={"width": 390, "height": 844}, locale="en-GB") as context:
        page = table_page(context, stub_site, tmp_path, python)
        yield page
        page.assert_clean()


@pytest.fixture
def touched(
    new_context: Recorder, stub_site: StubSite, python: subprocess.Popen[str], tmp_path: Path
) -> Iterator[TablePage]:
    """Give the table page on a phone that fingers touch."""
    phone = {"viewport": {"width": 390, "height": 844}, "locale": "en-GB", "has_touch": True, "is_mobile": True}
    with new_context.lent(**phone) as context:
        page = table_page(context, stub_site, tmp_path, python)
        yield page
        page.assert_clean()


FIGHTS = (("d6", "de"), ("saga", "en"), ("saga", "de"), ("phases", "de"))


@pytest.mark.parametrize("fights", [FIGHTS[:2], pytest.param(FIGHTS, marks=pytest.mark.long)], ids=["two", "four"])
def test_one_fight_after_another_in_another_language(table: TablePage, fights: tuple[tuple[str, str], ...]) -> None:
    table.open()
    table.load()
    ladder = table.page.get_by_role("list", name="Initiative ladder")
    expect(ladder).to_be_visible()
    for system, language in fights:
        table.begin(system, "catwalk", language)
        expect(table.page.locator("#fight > div > .ck")).to_have_attribute("lang", language)
        expect(ladder).to_be_visible()
        expect(table.page.locator("[data-ck-part=budget] button").first).to_be_visible()
        expect(table.page.locator("[data-ck-part=log] li").first).to_be_attached()


def test_what_is_said_of_a_fight_stays_in_its_language_when_the_pages_changes(table: TablePage) -> None:
    table.open()
    table.load()
    page, about = table.page, table.page.locator("#about")
    expect(about).to_have_text("Catwalk: rebels against hunters. You play both.")
    page.locator("#new > summary").click()
    page.locator("select[name=language]").select_option("de")
    expect(page.locator("#said")).to_have_text("Die Sprache gilt ab dem nächsten Kampf.")
    expect(about).to_have_text("Catwalk: rebels against hunters. You play both.")
    expect(about).to_have_attribute("lang", "en")
    page.locator("#choose button").click()
    expect(about).to_have_text("Laufsteg: Rebellen gegen Jäger. Du spielst beide.")
    expect(about).to_have_attribute("lang", "de")


@pytest.mark.parametrize("language", mostly_long(["en", "de"], "de"))
def test_every_button_of_the_bar_is_on_a_phone_after_undo_too(table: TablePage, language: str) -> None:
    table.open()
    table.load()
    table.begin("saga", "catwalk", language)
    bar = table.page.locator("#fight .ck-ctl")
    expect(table.page.locator("#fight > div > .ck")).to_have_attribute("lang", language)
    bar.locator(".is-main").click()
    bar.locator("[aria-keyshortcuts*=Control]").first.click()
    expect(bar.locator(".is-icon:not([aria-disabled])")).to_be_visible()
    right = bar.evaluate("bar => bar.getBoundingClientRect().right")
    for button in bar.get_by_role("button").all():
        assert button.evaluate("on => on.getBoundingClientRect().right") <= right - 8
        assert button.evaluate("on => on.scrollWidth <= on.clientWidth")
    label = table.page.locator("#fight .ck-clock").evaluate(
        "on => { const range = document.createRange(); "
        "const word = [...on.childNodes].find(each => each.nodeType === 3 && each.data.trim()); "
        "range.selectNodeContents(word); return range.getBoundingClientRect().height; }"
    )
    assert label < 30, "the round is on one line"
    assert table.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_a_fight_that_begins_is_seen_to_be_made_at_once(table: TablePage) -> None:
    table.open()
    table.load()
    table.page.locator("#fight .ck-ctl").wait_for()
    table.page.evaluate(
        """() => {
            const hear = window.hearTable;
            window.hearTable = (message) =>
                new Promise((resolve) => { window.answer = () => hear(message).then(resolve); });
        }"""
    )
    table.begin("saga", "bridge", "en")
    said = table.page.locator("#said")
    expect(said).to_have_text("The fight is being made.")
    expect(table.page.locator("#fight")).to_have_attribute("inert", "")
    table.page.evaluate("() => answer()")
    expect(table.page.locator("#about")).to_contain_text("Bridge: ")
    expect(said).to_be_hidden()
    expect(table.page.locator("#fight")).not_to_have_attribute("inert", "")


def test_the_tracker_fills_a_phones_window_and_nothing_scrolls(table: TablePage) -> None:
    table.open()
    table.load()
    shell = table.page.locator("#fight .ck-shell")
    expect(shell).to_be_visible()
    assert 800 < shell.evaluate("on => on.getBoundingClientRect().bottom") <= 844
    assert table.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_a_phone_on_its_side_scrolls_no_page_and_nothing_of_an_own_fight_lies_over_the_rest(table: TablePage) -> None:
    table.open()
    table.load()
    shell = table.page.locator("#fight .ck-shell")
    expect(shell).to_be_visible()
    table.begin("d6", "", "en")
    for name in ("Dockhand", "Harbour watch", "Watch sergeant"):
        table.page.get_by_role("button", name=f"Add 1 {name}").click()
    table.page.get_by_role("button", name="By hand").click()
    expect(table.page.locator(".ck-hand [name=name]")).to_be_focused()
    expect(table.page.locator(".ck-hand [name=side]")).to_have_value("heroes")
    table.page.set_viewport_size({"width": 844, "height": 390})
    expect(table.page.locator(".ck-set .l .ck-name").first).to_be_in_viewport()
    dice, hand = (table.page.locator(f".ck-set {part}") for part in (".ck-dice", ".ck-hand"))
    hand.get_by_role("button", name="Add").scroll_into_view_if_needed()
    bottom = dice.evaluate("on => on.getBoundingClientRect().bottom")
    assert bottom <= hand.evaluate("on => on.getBoundingClientRect().top") + 1
    assert table.page.evaluate("document.documentElement.scrollHeight <= innerHeight")


def test_what_can_be_done_of_a_fight_that_is_over_is_in_a_phones_window(table: TablePage) -> None:
    table.open()
    table.load()
    table.page.set_viewport_size({"width": 390, "height": 640})
    table.page.locator("#fight .ck-ctl .is-main").click()
    expect(table.page.locator("#fight .ck-res")).not_to_contain_text("The fight begins.")
    table.page.get_by_role("button", name="More", exact=True).click()
    table.page.get_by_role("button", name="End the fight").click()
    expect(table.page.locator("#fight .ck-won")).to_be_visible()
    bar, last = table.page.locator("#fight .ck-ctl"), table.page.get_by_role("button", name="Look back")
    expect(bar.locator(".is-main")).to_be_in_viewport(ratio=1)
    picture, dealt = (table.page.locator(f"#fight .ck-won {part}") for part in (".foot .is-large >> nth=0", ".ck-went"))
    tops = [each.evaluate("on => on.getBoundingClientRect().top") for each in (picture, dealt)]
    assert tops == sorted(tops), "the picture to send comes before the long rest"
    seen = """main => {
        const { x, y, width, height } = main.getBoundingClientRect();
        return main.contains(document.elementFromPoint(x + width / 2, y + height / 2));
    }"""
    table.page.set_viewport_size({"width": 390, "height": 480})  # of this card there is more than fits
    table.wait_until(lambda: bool(table.page.evaluate("document.documentElement.scrollHeight > innerHeight + 60")))
    assert bar.locator(".is-main").evaluate(seen), "the card goes by below it"
    last.scroll_into_view_if_needed()
    table.page.mouse.wheel(0, 2000)
    last.click()


def test_a_fight_stays_chosen_when_another_system_has_it_too(table: TablePage) -> None:
    table.open()
    system, scene = (table.page.locator(f"select[name={name}]") for name in ("system", "scene"))
    expect(scene).to_have_value("catwalk")
    scene.select_option("ambush")
    system.select_option("segments")
    expect(scene).to_have_value("ambush")
    system.select_option("d6")
    expect(scene).to_have_value("catwalk")


def test_a_fight_is_taken_off_the_list_once_that_is_meant(table: TablePage) -> None:
    table.open()
    table.load()
    main = table.page.locator("#fight .ck-ctl .is-main")
    for scene in ("catwalk", "bridge"):
        expect(main).to_be_visible()
        table.begin("saga", scene, "en")
        if scene == "bridge":
            table.page.locator("#sure .main").click()
        expect(table.page.locator("#about")).to_contain_text(scene.capitalize())
        main.click()
        expect(table.page.locator("#fight .ck-ctl [aria-keyshortcuts*=Control]").first).not_to_have_attribute(
            "aria-disabled", "true"
        )
    table.page.locator("#kept > summary").click()
    expect(table.page.locator("#kept p")).to_contain_text("nobody has done anything yet")
    rows = table.page.locator("#kept li")
    expect(rows).to_have_count(2)
    off = table.page.get_by_role("button", name="Take “Catwalk” off the list")
    table.page.once("dialog", lambda dialog: dialog.dismiss())
    off.click()
    expect(rows).to_have_count(2)
    table.page.once("dialog", lambda dialog: dialog.accept())
    off.click()
    expect(rows).to_have_count(1)
    expect(rows).to_contain_text("Bridge")


def test_an_own_fight_in_german_is_called_in_german_and_nouns_stay_large(table: TablePage) -> None:
    table.open()
    table.load()
    expect(table.page.locator("#fight .ck-ctl")).to_be_visible()
    table.begin("d6", "", "de")
    add = table.page.get_by_role("button", name="1 Hafenarbeiter hinzufügen")
    add.click()
    table.page.get_by_role("button", name="1 Schmuggler hinzufügen").click()
    expect(table.page.locator("#about")).to_contain_text("Hafenarbeiter und Schmuggler")
    expect(table.page.locator(".ck-hand")).to_contain_text("Angriff: Name, Angriff, Schaden")


def test_a_fight_that_is_run_again_is_listed_and_stays_and_keeps_its_surprise(table: TablePage) -> None:
    table.open()
    table.load()
    page, main = table.page, table.page.locator("#fight .ck-ctl .is-main")
    expect(main).to_be_visible()
    table.begin("saga", "ambush", "en")
    main.click()
    page.get_by_role("button", name="More", exact=True).click()
    page.get_by_role("button", name="End the fight").click()
    page.get_by_role("button", name="Run it again").click()
    caught = page.get_by_role("checkbox", name="surprised")
    expect(caught.and_(page.locator(":checked"))).to_have_count(1)
    main.click()
    expect(page.locator("#fight .ck-clock")).to_contain_text("Surprise round")
    main.click()
    rows = page.locator("#kept li")
    page.locator("#kept > summary").click()
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Surprise round")
    expect(rows.first).to_contain_text(re.compile(r"\d+ \w+, \d+:\d\d$"))
    expect(rows.last).to_contain_text("No side has won")
    table.open()
    table.load()
    expect(page.locator("#fight .ck-clock")).to_contain_text("Surprise round")
    table.begin("saga", "catwalk", "en")
    expect(page.locator("#sure")).to_contain_text("“Ambush” is under way.")


def test_a_face_that_is_tapped_is_marked_and_a_button_leads_back(table: TablePage) -> None:
    table.open()
    table.load()
    heading = table.page.locator("[data-ck-part=budget] h4")
    expect(heading).to_be_visible()
    # The scene throws for initiative: it may be anybody's turn.
    acts = (heading.text_content() or "").strip()
    other = "Mara" if acts == "Vex" else "Vex"
    face = table.page.locator("#fight").get_by_role("listitem", name=re.compile(f"^{other}, "))
    face.click(position={"x": 20, "y": 15})
    expect(heading).to_have_text(other)
    expect(face).to_have_class(re.compile("is-look"))
    table.page.get_by_role("button", name=f"Back to {acts}", exact=True).click()
    expect(heading).to_have_text(acts)
    expect(face).not_to_have_class(re.compile("is-look"))


def test_whoever_is_at_turn_is_named_whole_and_all_of_a_ladder_of_phases_fits(table: TablePage) -> None:
    table.open()
    table.load()
    table.begin("phases", "rooftop-chase", "de")
    expect(table.page.locator("#fight > div > .ck")).to_have_attribute("lang", "de")
    title = table.page.locator("#fight .ck-turn b")
    expect(title).to_have_text(re.compile(" ist am Zug$"))
    assert title.evaluate("on => on.scrollWidth <= on.clientWidth && on.scrollHeight <= on.clientHeight + 1")
    table.page.get_by_role("button", name="Alle 7").click()
    for rung in table.page.locator(".ck-rung").all():
        assert rung.evaluate("on => on.getBoundingClientRect().right") <= 382


def test_a_fight_with_places_has_its_map_on_a_phone_when_it_is_asked_for(table: TablePage) -> None:
    table.open()
    table.load()
    table.begin("ap", "ford-at-dusk", "en")
    shown = table.page.get_by_role("group", name="Shown")
    expect(shown.get_by_role("button", name="Actions", pressed=True)).to_be_visible()
    expect(table.page.locator("[data-ck-part=budget] .ck-find")).to_be_visible()
    shown.get_by_role("button", name="Map").click()
    expect(table.page.get_by_role("region", name="Map")).to_be_visible()
    expect(table.page.locator(".ck-map svg").first).to_be_visible()
    # It stays for the next fight, and one without places has none.
    table.begin("saga", "catwalk", "en")
    expect(table.page.locator("#about")).to_contain_text("Catwalk")
    expect(table.page.locator(".ck-map")).to_have_count(0)


def test_a_fight_in_which_all_was_taken_back_stays_on_the_shelf(table: TablePage) -> None:
    table.open()
    table.load()
    table.begin("saga", "ambush", "en")
    expect(table.page.locator("#about")).to_contain_text("Ambush")
    bar = table.page.locator("#fight .ck-ctl")
    bar.locator(".is-main").click()
    bar.locator("[aria-keyshortcuts*=Control]").first.click()
    expect(bar.locator(".is-icon:not([aria-disabled])")).to_be_visible()
    table.begin("saga", "catwalk", "en")
    expect(table.page.locator("#about")).to_contain_text("Catwalk")
    table.page.locator("#kept > summary").click()
    expect(table.page.locator("#kept li")).to_contain_text(["Catwalk", "Ambush"])


def test_a_fight_of_ones_own_is_called_after_groups_not_after_each_of_a_kind(table: TablePage) -> None:
    table.open()
    table.load()
    table.begin("saga", "", "en")
    form = table.page.locator(".ck-hand > form").first
    for name in ("Brigand 1", "Brigand 2", "Anja"):
        form.locator('[name="name"]').fill(name)
        form.locator('[name="name"]').press("Enter")
        expect(table.page.locator("#fight")).to_contain_text(name)
    expect(table.page.locator("#about")).to_contain_text("Brigand and Anja")


def test_a_map_that_is_laid_out_is_in_sight_at_once(table: TablePage) -> None:
    table.open()
    table.load()
    table.page.locator("#fight .ck-ctl").get_by_role("button", name="More", exact=True).click()
    table.page.get_by_role("button", name="Map", exact=True).click()
    expect(table.page.locator("#fight .mp-ground")).to_be_visible()
    expect(table.page.locator("#fight .mp-row")).to_contain_text("Not on the map:")


@pytest.mark.parametrize("system", mostly_long(["saga", "d6"], "d6"))
def test_by_touch_no_target_looks_chosen_and_what_is_spent_makes_room(touched: TablePage, system: str) -> None:
    touched.open()
    touched.load()
    if system != "saga":  # a visit begins with that
        touched.begin(system, "catwalk", "en")
        expect(touched.page.locator("#fight .ck-strip")).to_contain_text("Medium")
    groups = touched.page.locator("[data-group]")
    attack = groups.first.locator("button").first
    begins = "on => getComputedStyle(on, '::first-letter').textTransform"
    assert attack.locator(".n").evaluate(begins) == "uppercase", "a weapon is a title here"
    attack.click()
    names = touched.page.locator(".ck-work .ck-pick:has(small)")
    expect(names.nth(1)).to_be_visible()
    looks = "on => { const is = getComputedStyle(on); return [is.backgroundColor, is.boxShadow, is.fontWeight]; }"
    assert names.first.evaluate(looks) == names.last.evaluate(looks)
    expect(touched.page.locator(".ck-work")).to_contain_text(re.compile(r"\w · .*hits"))
    names.first.click()
    expect(touched.page.locator(".ck-work")).to_have_count(0)
    rows = touched.page.locator(".ck-desk [data-group] > button:visible")
    expect(rows.first).not_to_have_attribute("aria-disabled", "true")
    spent = rows.evaluate_all("rows => rows.map(row => row.ariaDisabled === 'true')")
    assert spent == sorted(spent), "what can be done comes first"
    assert spent.count(True) > 3


def test_a_row_of_the_shelf_says_who_fought_and_what_opens_it_stands_at_the_left(table: TablePage) -> None:
    table.open()
    table.load()
    page, main = table.page, table.page.locator("#fight .ck-ctl .is-main")
    expect(main).to_be_visible()
    main.click()
    expect(page.locator("#fight .ck-res")).not_to_contain_text("The fight begins.")
    table.begin("saga", "bridge", "en")
    page.locator("#sure .main").click()
    expect(page.locator("#about")).to_contain_text("Bridge")
    page.locator("#kept > summary").click()
    rows = page.locator("#kept li")
    expect(rows).to_have_count(2)
    expect(rows.first).to_contain_text("Corin, Anja against Raider")
    expect(rows.last).to_contain_text("Mara, Ilya against Vex, Guard")
    tops = rows.last.locator("button:first-child > *").evaluate_all("parts => parts.map(on => on.offsetTop)")
    assert tops[0] == tops[1] < tops[2] < tops[3], "who fought and when stand on lines of their own"
    lefts = page.locator("nav summary").evaluate_all("on => on.map(each => each.getBoundingClientRect().left)")
    assert len({*lefts}) == 1
