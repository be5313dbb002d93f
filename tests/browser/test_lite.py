"""The site that runs in a browser: built, opened in Chromium, played in, and cut off from the network."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, FrameLocator, Locator, Page, Route, expect

import combatkit as ck
from tests import sites
from tests.browser.failures import Recorder
from tests.browser.harness import SCREENSHOTS, CellError, LabPage, Theme, faults_of
from tests.browser.servers import ROOT, FolderSite

pytestmark = [pytest.mark.slow, pytest.mark.long, pytest.mark.xdist_group("lite"), pytest.mark.timeout(1200)]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give a folder with the site, built as `make lite` builds it, and the documentation beside it."""
    subprocess.run(["make", "-o", ".venv/.stamp", "lite"], cwd=ROOT, check=True, stdout=subprocess.DEVNULL)
    made = tmp_path_factory.mktemp("pages")
    (made / "lite").symlink_to(ROOT / "build" / "lite")
    (made / "docs").symlink_to(sites.made(tmp_path_factory.mktemp("site")))
    return made


@pytest.fixture(scope="module")
def lite(folder: Path) -> Iterator[str]:
    """Give the address of the site."""
    server = FolderSite(folder)
    yield f"{server.url}/lite"
    server.close()


@pytest.fixture
def cut(folder: Path) -> Iterator[FolderSite]:
    """Serve both for a test that cuts them off."""
    server = FolderSite(folder)
    yield server
    server.close()


def hosts_of(context: BrowserContext) -> set[str]:
    """Give the set that fills with the hosts that are asked for anything."""
    hosts: set[str] = set()
    context.on("request", lambda request: hosts.add(urlsplit(request.url.removeprefix("blob:")).netloc))
    return hosts


def opened(context: BrowserContext, lite: str, notebook: str) -> LabPage:
    page = LabPage(context.new_page(), None)  # type: ignore[arg-type]
    page.page.set_default_timeout(300_000)
    page.page.goto(f"{lite}/lab/index.html?path={notebook}")
    page.wait_until_idle()
    return page


DIGESTS = """
import json
import combatkit as ck

digests = {}
for rules in ck.rulesets():
    fight = ck.scene("catwalk").encounter(rules.id, seed=7)
    ck.play(fight, ck.tactics.strike, rounds=3)
    digests[rules.id] = fight.digest
print(json.dumps(digests))
"""

MANY = """
for _ in range(4):
    fight = ck.Encounter("saga", seed=7)
    fight.add("A", side="a"), fight.add("B", side="b"), fight.start()
    for _ in range(5_000):
        fight.end_turn()
    del fight
print(ck.Encounter("saga").clock.label)
"""


def test_the_first_notebook_is_played_and_nobody_else_is_asked_for_anything(new_context: Recorder, lite: str) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        hosts = hosts_of(context)
        page = opened(context, lite, "00-start-here.ipynb")
        page.page.get_by_role("menuitem", name="Run", exact=True).click()
        page.page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        at_table(page.page)
        root = page.cell(1).locator("[data-lm-suppress-shortcuts]").first
        root.get_by_role("group", name="Attacks").get_by_role("button", name="Heavy blaster").click()
        root.get_by_role("group", name="Heavy blaster: Target").get_by_role("button", name="Guard 1").click()
        expect(root.get_by_text("loses 11").first).to_be_visible()
        assert page.add_and_run_cell("enc.history.rolls['actor'][-1]") == "'Ilya'"
        root.get_by_role("button", name="End turn").first.click()
        expect(root.get_by_role("list", name="Initiative ladder").locator("[aria-current=true]")).to_contain_text(
            "Mara"
        )
        page.screenshot("lite-lab")

        there = json.loads(page.add_and_run_cell(DIGESTS))
        scope: dict[str, object] = {}
        exec(DIGESTS, scope)
        assert there == scope["digests"]
        assert page.add_and_run_cell(MANY)
        assert page.add_and_run_cell("print(enc.history.turns.columns)") == str(enc_columns())
        assert "polars" in page.add_and_run_cell("enc.roster()")
        assert hosts == {urlsplit(lite).netloc}


def test_a_topic_is_tried_in_the_documentations_page_and_another_without_a_network(
    new_context: Recorder, cut: FolderSite
) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        hosts = hosts_of(context)
        page = context.new_page()
        page.goto(f"{cut.url}/docs/differences.html")
        mark = live(page, "delay").get_by_role("button", name="Rule saga.delay.free")
        mark.click(timeout=300_000)
        rule = ck.ruleset("saga").rules["saga.delay.free"]
        expect(live(page, "delay").locator(".ck-pop")).to_contain_text(rule.text)
        live(page, "delay").locator("[data-kept]").wait_for(state="attached")
        page.wait_for_function("async () => (await navigator.serviceWorker.ready).active?.state === 'activated'")
        cut.close()

        page.reload()
        live(page, "surprise").get_by_role("button", name="Rule saga.surprise").first.wait_for(timeout=300_000)
        assert hosts - {""} == {urlsplit(cut.url).netloc}  # the page's own blobs are of no host


def live(page: Page, topic: str) -> FrameLocator:
    """Open what is live beside a topic, if it is not, and give it."""
    fold = page.locator(f"#{topic} details.try")
    if not fold.evaluate("fold => fold.open"):
        fold.get_by_text("Try it", exact=True).click()
    return fold.frame_locator("iframe")


def enc_columns() -> list[str]:
    return ck.Encounter("saga").history.turns.columns


JOURNAL = """
kept = ck.Encounter("saga", seed=7, id="friday", journal="friday.combat")
kept.add("Zoë", side="rebels"), kept.add("Vex", side="empire"), kept.start()
for _ in range(5):
    kept.end_turn()
kept.close()
print(kept.digest)
"""


def test_a_journal_of_the_site_is_gone_on_with_here_and_there_again(
    new_context: Recorder, lite: str, tmp_path: Path
) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        page = opened(context, lite, "00-start-here.ipynb")
        page.add_and_run_cell("import combatkit as ck")
        written = page.add_and_run_cell(JOURNAL).splitlines()[-1]
        path = tmp_path / "friday.combat"
        path.write_text(page.add_and_run_cell("print(open('friday.combat').read(), end='')") + "\n", encoding="utf-8")
        enc = ck.Encounter.open(path)
        assert enc.digest == written
        enc.end_turn()
        enc.close()
        page.add_and_run_cell(f"_ = open('friday.combat', 'w').write({path.read_text(encoding='utf-8')!r})")
        assert page.add_and_run_cell("print(ck.Encounter.open('friday.combat').digest)") == enc.digest


def test_of_two_kernels_with_one_journal_neither_writes_over_the_other(new_context: Recorder, lite: str) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        first, second = (opened(context, lite, name) for name in ("00-start-here.ipynb", "01-saga.ipynb"))
        first.add_and_run_cell("import combatkit as ck")
        first.add_and_run_cell(JOURNAL.replace("kept.close()", ""))
        second.add_and_run_cell("import combatkit as ck")
        second.add_and_run_cell("mine = ck.Encounter.open('friday.combat'); mine.end_turn()")
        with pytest.raises(CellError, match=r"gone on with this fight\. What it did is shown now"):
            first.add_and_run_cell("kept.end_turn()")
        assert first.add_and_run_cell("print(kept.digest)") == second.add_and_run_cell("print(mine.digest)")


def at_table(page: Page) -> Locator:
    """Wait for the table's ladder and give it."""
    ladder = page.get_by_role("list", name="Initiative ladder")
    ladder.wait_for(timeout=300_000)
    return ladder


def test_a_second_tab_waits_until_the_first_is_closed(new_context: Recorder, lite: str) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        first, second = context.new_page(), context.new_page()
        first.goto(f"{lite}/table/")
        at_table(first)
        second.goto(f"{lite}/table/")
        said = second.get_by_text("The table is open in another tab. Close it there, and it goes on here.")
        said.wait_for(timeout=300_000)
        first.close()
        at_table(second)
        expect(said).to_be_hidden()


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize("width", [390, 1280])
def test_the_table_can_be_read_and_heard(new_context: Recorder, lite: str, width: int, theme: Theme) -> None:
    with new_context(viewport={"width": width, "height": 844}, color_scheme=theme) as context:
        page = context.new_page()
        page.goto(f"{lite}/table/")
        at_table(page)
        page.screenshot(path=SCREENSHOTS / f"lite-table-{width}-{theme}.png")
        assert faults_of(page) == []


@pytest.mark.parametrize("theme", ["light", "dark"])
@pytest.mark.parametrize(("width", "app"), [(390, "notebooks"), (1280, "lab")])
def test_a_notebook_fits_its_window_and_what_is_ours_can_be_read_and_heard(
    new_context: Recorder, lite: str, width: int, app: str, theme: Theme
) -> None:
    with new_context(viewport={"width": width, "height": 844}, color_scheme=theme) as context:
        page = context.new_page()
        page.set_default_timeout(300_000)
        page.goto(f"{lite}/lab/index.html?path=00-start-here.ipynb")
        page.locator(".jp-Notebook .jp-Cell").first.wait_for()
        assert urlsplit(page.url).path == f"/lite/{app}/index.html"
        expect(page.locator("body")).to_have_attribute("data-jp-theme-light", str(theme == "light").lower())
        page.wait_for_function("jupyterapp.shell.currentWidget.sessionContext.session?.kernel?.status === 'idle'")
        page.get_by_role("menuitem", name="Run", exact=True).click()
        page.get_by_role("menuitem", name="Run All Cells", exact=True).click()
        ladder = at_table(page)
        ladder.scroll_into_view_if_needed()
        page.screenshot(path=SCREENSHOTS / f"lite-{app}-{width}-{theme}.png")
        assert faults_of(page, within=".ck") == []


def test_notebooks_open_again_without_a_network(new_context: Recorder, cut: FolderSite) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        page = opened(context, f"{cut.url}/lite", "00-start-here.ipynb")
        page.add_and_run_cell("import combatkit as ck")
        page.page.locator("[data-kept]").wait_for(state="attached")
        cut.close()
        page.page.close()
        page = opened(context, f"{cut.url}/lite", "00-start-here.ipynb")
        assert page.add_and_run_cell("import combatkit as ck; print(ck.Encounter('saga').clock.label)")


def test_the_table_is_played_on_a_phone_kept_and_opened_again_without_a_network(
    new_context: Recorder, cut: FolderSite, tmp_path: Path
) -> None:
    with new_context(viewport={"width": 390, "height": 844}, accept_downloads=True) as context:
        hosts = hosts_of(context)
        page = context.new_page()
        page.goto(f"{cut.url}/lite/table/")
        at_table(page)
        page.screenshot(path=SCREENSHOTS / "lite-table-phone.png")
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for rules in ck.rulesets():
            page.get_by_text("New fight", exact=True).click()
            page.get_by_role("combobox", name="System").select_option(rules.id)
            page.get_by_role("button", name="Begin", exact=True).click()
            expect(page.get_by_role("log", include_hidden=True)).to_contain_text(rules.title)
        last = ck.rulesets()[-1]
        page.get_by_role("button", name="More", exact=True).click()
        with page.expect_download() as download:
            page.get_by_role("button", name="Save copy").click()
        download.value.save_as(tmp_path / "copy.fight")
        there = ck.load(tmp_path / "copy.fight")
        assert there.ruleset.id == last.id
        page.wait_for_function("async () => (await navigator.serviceWorker.ready).active?.state === 'activated'")
        assert hosts == {urlsplit(cut.url).netloc}

        cut.close()
        page.reload()
        at_table(page)
        expect(page.get_by_role("log", include_hidden=True)).to_contain_text(last.title)
        page.set_viewport_size({"width": 1280, "height": 900})
        page.emulate_media(color_scheme="dark")
        page.screenshot(path=SCREENSHOTS / "lite-table-dark.png")
        page.get_by_text("New fight", exact=True).click()
        page.get_by_role("combobox", name="Fight").select_option("")
        page.get_by_role("button", name="Begin", exact=True).click()
        notebook = page.get_by_role("link", name="A tour in a notebook")
        expect(notebook).to_have_attribute("href", re.compile("lab/index.html"))
        expect(notebook).to_have_attribute("target", "_blank")


def test_what_is_chosen_while_python_loads_is_what_comes(new_context: Recorder, lite: str) -> None:
    with new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{lite}/table/")
        page.get_by_role("combobox", name="System").select_option("phases")
        page.get_by_role("combobox", name="Fight").select_option("bridge")
        expect(page.get_by_role("status").first).to_have_text("The rules are loading. Then it begins: Bridge.")
        at_table(page)
        expect(page.get_by_role("log", include_hidden=True)).to_contain_text(ck.ruleset("phases").title)
        expect(page.locator("#about")).to_contain_text("Bridge: ")

        page.reload()
        said = "The rules are loading. Then your last fight is here again: Bridge."
        expect(page.get_by_role("status").first).to_have_text(said)
        expect(page.get_by_role("button", name="Begin", exact=True)).to_be_hidden()


def test_page_and_fight_take_the_visitors_language(new_context: Recorder, lite: str) -> None:
    with new_context(viewport={"width": 390, "height": 844}, locale="de-AT") as context:
        page = context.new_page()
        page.goto(f"{lite}/table/")
        expect(page.get_by_role("status").first).to_have_text("Die Regeln werden geladen.")
        at_table(page)
        expect(page.locator("#about")).to_contain_text("Rebellen gegen Jäger")
        page.get_by_text("Neuer Kampf", exact=True).click()
        page.get_by_role("combobox", name="Sprache").select_option("en")
        page.get_by_role("button", name="Begin", exact=True).click()
        at_table(page)


def test_a_fight_that_was_played_stays_on_the_shelf_and_begin_asks_first(new_context: Recorder, lite: str) -> None:
    with new_context(viewport={"width": 390, "height": 844}) as context:
        page = context.new_page()
        page.goto(f"{lite}/table/")
        at_table(page)
        # From opening to the first attack resolved: the weapon, then whom.
        page.get_by_role("group", name="Attacks").get_by_role("button", name="vibroblade").first.click()
        page.get_by_role("group", name="vibroblade: Target").get_by_role("button").first.click()
        log = page.get_by_role("log", include_hidden=True)
        made = re.compile(r"\w attacks \w")  # the dice of each visit say who is first
        expect(log).to_contain_text(made)

        begin_an_empty_table(page)
        sure = page.get_by_role("dialog")
        expect(sure).to_contain_text("“Catwalk” is under way. It stays under Your fights.")
        sure.get_by_role("button", name="Go on with this one").click()
        expect(log).to_contain_text(made)
        begin_an_empty_table(page)
        sure.get_by_role("button", name="Begin the new fight").click()
        page.get_by_text("Who is in this fight?").wait_for()

        page.get_by_text("Your fights", exact=True).click()
        page.get_by_role("button", name="Catwalk Round 1").click()
        expect(log).to_contain_text(made)
        page.reload()
        at_table(page)
        expect(log).to_contain_text(made)

        page.get_by_role("button", name="More", exact=True).click()
        page.get_by_role("button", name="End the fight", exact=True).click()
        page.get_by_text("No side has won").first.wait_for()
        begin_an_empty_table(page)  # what is over is not asked about
        page.get_by_text("Who is in this fight?").wait_for()
        page.get_by_text("Your fights", exact=True).click()
        page.get_by_role("button", name="Catwalk No side has won").wait_for()


def begin_an_empty_table(page: Page) -> None:
    fold = page.locator("#new")
    if not fold.evaluate("fold => fold.open"):
        page.get_by_text("New fight", exact=True).click()
    page.get_by_role("combobox", name="Fight").select_option("")
    page.get_by_role("button", name="Begin", exact=True).click()


FULL = """
IDBObjectStore.prototype.put = function () {
  throw new DOMException("no room left", "QuotaExceededError");
};
"""


def test_a_browser_that_keeps_nothing_is_told_of_with_a_download(
    new_context: Recorder, lite: str, tmp_path: Path
) -> None:
    with new_context(viewport={"width": 390, "height": 844}, accept_downloads=True) as context:
        # A worker takes no script from a test: it is put in front of its own.
        def full(route: Route) -> None:
            route.fulfill(response=(answer := route.fetch()), body=FULL + answer.text())

        context.route("**/worker.js", full)
        page = context.new_page()
        page.goto(f"{lite}/table/")
        at_table(page)
        said = page.get_by_role("alert").filter(has_text="This browser isn't keeping your fights")
        expect(said).to_be_visible()
        with page.expect_download() as download:
            said.get_by_role("button", name="Download").click()
        download.value.save_as(tmp_path / "evening.combat")
        assert [fight.system for fight in ck.campaign(tmp_path / "evening.combat")] == ["saga"]
