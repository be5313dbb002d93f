"""What browser tests browse in, and what is kept of one that fails: traces, pictures and the logs of its servers."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import chain
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


class Lender:
    """Has contexts that tests use in turn: to open one and end it takes as long as a short test.

    The first page of each is its own, and stays, with its process; those of a test are closed after it.
    """

    def __init__(self, browser: Browser) -> None:
        self._browser = browser
        self._free: dict[str, list[BrowserContext]] = {}

    def take(self, options: Mapping[str, Any]) -> BrowserContext:
        """Give a context with those options that nobody has: one that was given back, or a new one."""
        free = self._free.setdefault(repr(options), [])
        if free:
            return free.pop()
        context = open_context(self._browser, **options)
        context.new_page()
        return context

    def give_back(self, context: BrowserContext, options: Mapping[str, Any]) -> None:
        """Take a context back as good as new: without pages, and with nothing that they have stored or were allowed.

        A clock of a test's stays in a context for good.
        """
        own, *others = context.pages
        assert own.evaluate("typeof __pwClock") == "undefined", "whoever sets a clock opens a context of their own"
        for page in others:
            page.close()
        session = context.new_cdp_session(own)
        session.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": "all"})
        session.detach()
        context.clear_cookies()
        context.clear_permissions()
        self._free[repr(options)].append(context)

    def close(self) -> None:
        """Close what is here."""
        for context in chain.from_iterable(self._free.values()):
            context.close()


class Recorder:
    """Opens what a test browses in, with a trace that is kept if the test fails: ``playwright show-trace`` opens it.

    Attributes
    ----------
    logs
        Files that are kept beside the traces: a server's log, where its kernels write as well.
    """

    def __init__(self, browser: Browser, lender: Lender, test: pytest.Item) -> None:
        self._browser = browser
        self._lender = lender
        self._test = test
        self.logs: list[Path] = []

    @contextmanager
    def __call__(self, **options: Any) -> Iterator[BrowserContext]:
        """Open a context of the test's own, with Playwright's own options, until the block ends."""
        with open_context(self._browser, **options) as context, self.watching(context):
            yield context

    @contextmanager
    def lent(self, **options: Any) -> Iterator[BrowserContext]:
        """Lend a context that other tests had before, for pages of `open_page`, until the block ends.

        A test that fails takes it along. One that listens or routes in the context itself opens its own.
        """
        context = self._lender.take(options)
        try:
            with self.watching(context, others=1):
                yield context
        finally:
            if self._test.stash.get(FAILED, False):
                context.close()
            else:
                try:
                    self._lender.give_back(context, options)
                except BaseException:
                    context.close()
                    raise

    @contextmanager
    def watching(self, context: BrowserContext, others: int = 0) -> Iterator[None]:
        """Keep what happens in a context until the block ends, if the test fails; so many pages are not the test's."""
        context.tracing.start_chunk()
        try:
            yield
        except BaseException:
            self._test.stash[FAILED] = True
            raise
        finally:
            if self._test.stash.get(FAILED, False):
                self._keep(context, context.pages[others:])

    def _keep(self, context: BrowserContext, pages: Sequence[Page]) -> None:
        folder = folder_of(self._test.nodeid)
        folder.mkdir(parents=True, exist_ok=True)
        number = len(list(folder.glob("trace*.zip"))) + 1
        which = f"-{number}" if number > 1 else ""
        for count, page in enumerate(pages, 1):
            try:
                page.screenshot(path=folder / f"page{which}{f'.{count}' if count > 1 else ''}.png", timeout=5000)
            except Error as error:  # a page that hangs or has crashed shows nothing
                (folder / f"page{which}.txt").write_text(str(error))
        context.tracing.stop_chunk(path=folder / f"trace{which}.zip")
        for log in self.logs:
            shutil.copy(log, folder)
