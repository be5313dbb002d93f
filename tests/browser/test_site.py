"""The documentation site, opened from a file and without a network: it shows, it searches, it asks for nothing."""

from __future__ import annotations

import subprocess
import sys
import threading
from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests import sites
from tests.browser.failures import Recorder
from tests.browser.servers import ROOT

pytestmark = [pytest.mark.slow, pytest.mark.long]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Give the site as it has been built, or build it without running its cells: these are looked at elsewhere."""
    built = sites.kept()
    if built is not None:
        return built
    folder = tmp_path_factory.mktemp("site")
    command = [
        sys.executable,
        "-m",
        "sphinx",
        "-E",
        "-q",
        "-D",
        "nb_execution_mode=off",
        "-d",
        str(folder / "doctrees"),
    ]
    subprocess.run([*command, "docs", str(folder / "html")], cwd=ROOT, check=True, stderr=subprocess.DEVNULL)
    return folder / "html"


class Quiet(SimpleHTTPRequestHandler):
    """Serves a folder, and writes nothing down."""

    def log_message(self, format: str, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def served(site: Path, tmp_path: Path) -> Iterator[str]:
    """Serve the site, with something in the place of the one that is live beside it."""
    (tmp_path / "docs").symlink_to(site)
    for app in ("notebooks", "repl"):
        (tmp_path / "lite" / app).mkdir(parents=True)
        (tmp_path / "lite" / app / "index.html").write_text(f"<title>{app}</title>live {app}", encoding="utf-8")
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=tmp_path)) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()


@pytest.mark.parametrize(
    ("page", "app", "asked"),
    [
        ("notebooks/07-same-fight-five-ways.html", "notebooks", "path=07-same-fight-five-ways.ipynb"),
        ("differences.html", "repl", "code=import%20combatkit%20as%20ck%0Ack.contrast%28%22initiative%22%29"),
    ],
)
def test_what_is_live_is_loaded_once_it_is_opened_and_from_the_site_itself(
    new_context: Recorder, served: str, page: str, app: str, asked: str
) -> None:
    with new_context(viewport={"width": 1280, "height": 900}) as context:
        tab = context.new_page()
        requests: list[str] = []
        tab.on("request", lambda request: requests.append(request.url))
        tab.goto(f"{served}/docs/{page}")
        assert [address for address in requests if "/lite/" in address] == []
        tab.get_by_text("Try it", exact=True).first.click()
        expect(tab.frame_locator("details.try iframe").first.get_by_text(f"live {app}")).to_be_visible()
        (live,) = (address for address in requests if "/lite/" in address)
        assert live.startswith(f"{served}/lite/{app}/index.html?")
        assert live.endswith(asked)
        assert [address for address in requests if not address.startswith((served, "data:"))] == []


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
