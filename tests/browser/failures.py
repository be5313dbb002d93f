"""What is kept of a browser test that fails: traces and pictures of its pages, and the logs of its servers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Error, Page

from tests.browser.servers import FAILURES

FAILED = pytest.StashKey[bool]()
"""Whether a test has failed so far: what it has opened asks when it is closed."""


def folder_of(nodeid: str) -> Path:
    """Give the folder for what is kept of a test, by its id without the group that xdist adds."""
    return FAILURES / re.sub(r"[^\w.,=\[\]-]+", "-", re.sub(r"@\w+$", "", nodeid).removeprefix("tests/browser/"))


def open_context(browser: Browser, **options: Any) -> BrowserContext:
    """Open a context without animations, ready to be traced, with Playwright's own options."""
    context = browser.new_context(reduced_motion="reduce", **options)
    context.tracing.start()
    return context


def open_page(context: BrowserContext) -> Page:
    """Open one more page in a window of its own: of a tab behind another, some Chromiums draw one frame a second."""
    if not context.pages:
        return context.new_page()
    with context.expect_page() as opened:
        context.pages[0].evaluate("void open('about:blank', '_blank', 'popup,noopener')")
    return opened.value


class Recorder:
    """Opens what a test browses in, with a trace that is kept if the test fails: ``playwright show-trace`` opens it.

    Attributes
    ----------
    logs
        Files that are kept beside the traces: a server's log, where its kernels write as well.
    """

    def __init__(self, browser: Browser, test: pytest.Item) -> None:
        self._browser = browser
        self._test = test
        self.logs: list[Path] = []

    @contextmanager
    def __call__(self, **options: Any) -> Iterator[BrowserContext]:
        """Open a context of the test's own, with Playwright's own options, until the block ends."""
        with open_context(self._browser, **options) as context, self.watching(context):
            yield context

    @contextmanager
    def watching(self, context: BrowserContext) -> Iterator[None]:
        """Keep what happens in a context until the block ends, if the test fails."""
        context.tracing.start_chunk()
        try:
            yield
        except BaseException:
            self._test.stash[FAILED] = True
            raise
        finally:
            if self._test.stash.get(FAILED, False):
                self._keep(context)

    def _keep(self, context: BrowserContext) -> None:
        folder = folder_of(self._test.nodeid)
        folder.mkdir(parents=True, exist_ok=True)
        number = len(list(folder.glob("trace*.zip"))) + 1
        which = f"-{number}" if number > 1 else ""
        for count, page in enumerate(context.pages, 1):
            try:
                page.screenshot(path=folder / f"page{which}{f'.{count}' if count > 1 else ''}.png", timeout=5000)
            except Error as error:  # a page that hangs or has crashed shows nothing
                (folder / f"page{which}.txt").write_text(str(error))
        context.tracing.stop_chunk(path=folder / f"trace{which}.zip")
        for log in self.logs:
            shutil.copy(log, folder)
