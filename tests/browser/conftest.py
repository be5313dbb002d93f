"""Fixtures of the browser tests."""

from __future__ import annotations

import shutil
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, sync_playwright

from tests.browser.failures import FAILED, Lender, Recorder, open_context
from tests.browser.harness import CHROMIUM_FLAGS, LabPage, StubPage, find_chromium
from tests.browser.servers import FAILURES, NO_DELAY, JupyterServer, StubSite, run_jupyter


def pytest_configure(config: pytest.Config) -> None:
    """Take away what the last run has kept of its failures, once a run."""
    if not hasattr(config, "workerinput"):
        shutil.rmtree(FAILURES, ignore_errors=True)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what needs a browser, by what it asks for, so that no test can forget to say so.

    Tests that start a server share one worker: it starts one JupyterLab, and no two of them weigh on each other. This
    comes before xdist looks for groups.
    """
    here = Path(__file__).parent
    for item in items:
        if item.path.is_relative_to(here):
            item.add_marker(pytest.mark.browser)
            if "lab_server" in getattr(item, "fixturenames", ()):
                item.add_marker(pytest.mark.lab)
            if item.get_closest_marker("lab"):
                item.add_marker(pytest.mark.xdist_group("lab"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(item: pytest.Item) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    """Tell what a test has opened that it has failed, before it is closed."""
    report = yield
    if report.failed:
        item.stash[FAILED] = True
    return report


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """Give a headless Chromium, shared by all tests of a run."""
    with sync_playwright() as playwright:
        path = find_chromium(playwright.chromium.executable_path)
        running = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield running
        running.close()


@pytest.fixture(scope="session")
def lender(browser: Browser) -> Iterator[Lender]:
    """Give the contexts that tests use in turn."""
    lender = Lender(browser)
    yield lender
    lender.close()


@pytest.fixture
def new_context(browser: Browser, lender: Lender, request: pytest.FixtureRequest) -> Recorder:
    """Give what opens the contexts of a test: no test makes one in another way."""
    return Recorder(browser, lender, request.node)


@pytest.fixture(scope="session")
def stub_site() -> Iterator[StubSite]:
    """Give the site that serves the stub page and the bundles."""
    site = StubSite()
    yield site
    site.close()


@pytest.fixture(scope="session")
def lent(browser: Browser, stub_site: StubSite) -> Iterator[list[StubPage]]:
    """Give the page that tests use in turn, once one is opened: that takes as long as half a test."""
    pages: list[StubPage] = []
    yield pages
    for page in pages:
        page.page.context.close()


@pytest.fixture
def stub_page(
    browser: Browser, new_context: Recorder, lent: list[StubPage], stub_site: StubSite, request: pytest.FixtureRequest
) -> Iterator[StubPage]:
    """Give a page for one widget with a stub model; the test fails if the page has seen an error.

    A test that fails takes the page with it: whatever it has left hurts nobody else.
    """
    page = lent.pop() if lent else StubPage(open_context(browser).new_page(), stub_site)
    try:
        with new_context.watching(page.page.context):
            yield page
            page.assert_clean()
    finally:
        if request.node.stash.get(FAILED, False):
            page.page.context.close()
        else:
            page.renew()
            lent.append(page)


@pytest.fixture(scope="session")
def lab_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JupyterServer]:
    """Give a JupyterLab as ``make demo`` starts it, shared by all tests of a run."""
    with run_jupyter(tmp_path_factory.mktemp("lab"), connection=NO_DELAY) as server:
        yield server


@pytest.fixture
def lab_page(new_context: Recorder, lab_server: JupyterServer) -> Iterator[LabPage]:
    """Give a page for one notebook in JupyterLab; the test fails if the page has seen an error.

    Kernels end with the test, so that none weighs on those that follow.
    """
    new_context.logs.append(lab_server.log)
    try:
        with new_context(viewport={"width": 1280, "height": 900}) as context:
            page = LabPage(context.new_page(), lab_server)
            yield page
            page.assert_clean()
    finally:
        lab_server.end_sessions()
