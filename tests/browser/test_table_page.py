"""The table page as a visitor meets it, on a phone first; `test_lite.py` has it with all its Python in the browser."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.failures import Recorder
from tests.browser.servers import StubSite
from tests.browser.table_page import TablePage, table_page


@pytest.fixture
def table(new_context: Recorder, stub_site: StubSite, tmp_path: Path) -> Iterator[TablePage]:
    """Give the table page on a phone; the test fails if it has seen an error."""
    with (
        new_context(viewport={"width": 390, "height": 844}, locale="en-GB") as context,
        table_page(context, stub_site, tmp_path) as page,
    ):
        yield page
        page.assert_clean()


def test_one_fight_after_another_in_another_language(table: TablePage) -> None:
    table.open()
    table.load()
    ladder = table.page.get_by_role("list", name="Initiative ladder")
    expect(ladder).to_be_visible()
    for system, language in (("d6", "de"), ("saga", "en"), ("saga", "de"), ("phases", "de")):
        table.begin(system, "catwalk", language)
        expect(table.page.locator("#fight > div > .ck")).to_have_attribute("lang", language)
        expect(ladder).to_be_visible()
        expect(table.page.locator("[data-ck-part=budget] button").first).to_be_visible()
        expect(table.page.locator("[data-ck-part=log] li").first).to_be_attached()
