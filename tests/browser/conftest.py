"""Fixtures of the browser tests."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.harness import CHROMIUM_FLAGS, LabPage, StubPage, find_chromium
from tests.browser.servers import NO_DELAY, JupyterServer, StubSite, run_jupyter


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser, by what it asks for, so that no test can forget to say so."""
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)
            if "lab_server" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.lab)


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give a headless Chromium, shared by all tests of a run."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def stub_site() -> Iterator[StubSite]:
    """Give the site that serves the stub page and the bundles."""
    site = StubSite()
    yield site
    site.close()


@pytest.fixture
def stub_page(browser: Browser, stub_site: StubSite) -> Iterator[StubPage]:
    """Give a page for one widget with a stub model; the test fails if the page has seen an error."""
    with browser.new_context(viewport={"width": 960, "height": 800}) as context:
        page = StubPage(context.new_page(), stub_site)
        yield page
        page.assert_clean()


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    """Give a JupyterLab as ``make demo`` starts it, shared by all tests of a run."""
    with run_jupyter(tmp_path_factory.mktemp("lab"), connection=NO_DELAY) as server:
        yield server


@pytest.fixture
def lab_page(browser: Browser, lab_server: JupyterServer) -> Iterator[LabPage]:
    """Give a page for one notebook in JupyterLab; the test fails if the page has seen an error."""
    with browser.new_context(viewport={"width": 1280, "height": 900}) as context:
        page = LabPage(context.new_page(), lab_server)
        yield page
        page.assert_clean()
