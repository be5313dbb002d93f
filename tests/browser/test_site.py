"""The documentation site, from a file and from a server: it shows, it searches, and asks for nothing from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests import sites
from tests.browser.failures import Recorder
from tests.browser.servers import ROOT, FolderSite

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the site, opened as a folder."""
    return sites.made(tmp_path_factory.mktemp("site"))


@pytest.fixture
def served(site: Path, tmp_path: Path) -> Iterator[FolderSite]:
    """Serve the site, with something in the place of the one that is live beside it."""
    (tmp_path / "docs").symlink_to(site)
    for app in ("notebooks", "repl"):
        (tmp_path / "lite" / app).mkdir(parents=True)
        (tmp_path / "lite" / app / "index.html").write_text(f"<title>{app}</title>live {app}", encoding="utf-8")
    server = FolderSite(tmp_path)
    yield server
    server.close()


@pytest.mark.parametrize(
    ("page", "app", "asked"),
    [
        ("notebooks/07-same-fight-five-ways.html", "notebooks", "path=07-same-fight-five-ways.ipynb"),
        ("differences.html", "repl", "code=import%20combatkit%20as%20ck%0Ack.contrast%28%22initiative%22%29"),
    ],
)
def test_what_is_live_is_loaded_once_it_is_opened_and_from_the_site_itself(
    new_context: Recorder, served: FolderSite, page: str, app: str, asked: str
) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        tab = context.new_page()
        requests: list[str] = []
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(f"{served.url}/docs/{page}")
        assert [address for address in requests if "/lite/" in address] == []
        tab.get_by_text("Try it", exact=True).first.click()
        expect(tab.frame_locator("details.try iframe").first.get_by_text(f"live {app}")).to_be_visible()
        (live,) = (address for address in requests if "/lite/" in address)
        assert live.startswith(f"{served.url}/lite/{app}/index.html?")
        assert live.endswith(asked)
        assert [address for address in requests if not address.startswith((served.url, "data:"))] == []


def test_all_of_it_opens_again_without_a_network_after_one_page_was_visited(
    new_context: Recorder, served: FolderSite
) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        asked: list[str] = []
        context.on("request", lambda request: asked.append(request.url))
        page = context.new_page()
        page.goto(f"{served.url}/docs/")
        page.wait_for_function("async () => (await navigator.serviceWorker.ready).active?.state === 'activated'")
        served.close()

        page.goto(f"{served.url}/docs/")
        expect(page.get_by_role("heading", name="combatkit", level=1)).to_be_visible()
        expect(page.locator("img:visible").first).not_to_have_js_property("naturalWidth", 0)
        for book in ck.rulesets()[:5]:
            page.goto(f"{served.url}/docs/systems/{book.id}.html")
            expect(page.locator(f'[id^="rule-{book.id}-"]').first).to_be_visible()
        page.goto(f"{served.url}/docs/search.html?q=saga.full.symmetric")
        page.get_by_role("link", name="saga.full.symmetric").first.click()
        expect(page.locator('[id="rule-saga-full-symmetric"]')).to_be_in_viewport()
        page.goto(f"{served.url}/docs/five-ways.html")
        expect(page.get_by_role("list", name="Systems").get_by_role("listitem")).to_have_count(5)
        assert [address for address in asked if not address.startswith((served.url, "data:"))] == []


def test_it_opens_from_a_file_and_finds_a_rule(new_context: Recorder, site: Path) -> None:
    with new_context(viewport={"width": 1280, "height": 900}, offline=True) as context:
        page = context.new_page()
        asked: list[str] = []
        problems: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("pageerror", lambda error: problems.append(str(error)))
        page.goto((site / "index.html").as_uri())
        expect(page.get_by_role("heading", name="combatkit", level=1)).to_be_visible()
        page.screenshot(path=ROOT / "build" / "screenshots" / "site.png")

        page.get_by_role("searchbox").or_(page.get_by_placeholder("Search")).first.fill("saga.full.symmetric")
        page.keyboard.press("Enter")
        expect(page.get_by_text("Search Results").first).to_be_visible()
        page.get_by_role("link", name="saga.full.symmetric").first.click()
        expect(page.get_by_role("heading", name="Star Wars Saga Edition", level=1)).to_be_attached()
        expect(page.locator('[id="rule-saga-full-symmetric"]')).to_be_in_viewport()
        page.screenshot(path=ROOT / "build" / "screenshots" / "site-rule.png")

        page.goto((site / "notebooks" / "00-start-here.html").as_uri())
        page.get_by_text("Try it", exact=True).click()
        expect(page.get_by_text("Live pages need a server")).to_be_visible()

        assert [address for address in asked if not address.startswith(("file:", "data:"))] == []
        assert problems == []
