"""The documentation site, opened from a file and without a network: it shows, it searches, it asks for nothing."""

from __future__ import annotations

import subprocess
import sys
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

        assert [address for address in asked if not address.startswith(("file:", "data:"))] == []
        assert problems == []
