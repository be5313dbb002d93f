"""The notebooks where nothing runs: rendered by nbconvert, opened offline, read."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from nbconvert import HTMLExporter
from playwright.sync_api import expect
from traitlets.config import Config

from tests.browser.failures import Recorder
from tests.browser.servers import ROOT
from tests.browser.sizes import mostly_long
from tools.notebooks import WIDGET_VIEW

NOTEBOOKS = sorted((ROOT / "notebooks").glob("*.ipynb"))
LARGEST = 300_000
OF_NBCONVERT = ("/require.min.js", "/mathjax/")
"""What nbconvert's own page asks for; neither is needed to read what combatkit shows."""


def pictures(notebook: Any) -> list[tuple[str, str]]:
    """Give each widget's repr, with its picture, as the notebook holds them."""
    cells = [cell for cell in notebook.cells if cell.cell_type == "code"]
    data = [output.data for cell in cells for output in cell.outputs if "data" in output]
    shown = [(each.get("text/plain", ""), each.get("text/html", "")) for each in data]
    return [
        (words, html)
        for words, html in shown
        if re.match(r"<(Tracker|InitiativeLadder|ActionBudget|CombatLog)\b", words)
    ]


@pytest.mark.parametrize("path", mostly_long(NOTEBOOKS, NOTEBOOKS[0]), ids=lambda path: path.stem)
def test_every_widget_is_read_without_a_kernel_or_a_network(path: Path, new_context: Recorder, tmp_path: Path) -> None:
    assert path.stat().st_size < LARGEST
    notebook = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
    assert "widgets" not in notebook.metadata
    assert WIDGET_VIEW not in path.read_text(encoding="utf-8")
    wanted = {"Initiative ladder": 0, "Action budget: ": 0, "Combat log, last ": 0}
    for words, html in pictures(notebook):
        kind, began = words.split(":")[0].strip("<"), "Not begun" not in words
        wanted["Initiative ladder"] += kind == "InitiativeLadder" or (kind == "Tracker" and began)
        wanted["Action budget: "] += kind == "ActionBudget" or (kind == "Tracker" and "'s turn" in words)
        wanted["Combat log, last "] += kind == "CombatLog" or (kind == "Tracker" and began)
        assert html.startswith("<p>"), words

    config = Config({"NbConvertBase": {"display_data_priority": ["text/html", "image/svg+xml", "text/plain"]}})
    body, _ = HTMLExporter(config=config).from_notebook_node(notebook)  # type: ignore[no-untyped-call]
    page_file = tmp_path / "notebook.html"
    page_file.write_text(body, encoding="utf-8")
    failed: list[str] = []
    errors: list[str] = []
    with new_context(offline=True) as context:
        page = context.new_page()
        page.on("requestfailed", lambda request: failed.append(request.url))
        page.on("pageerror", lambda error: errors.append(str(error)))
        page.goto(page_file.as_uri())
        for words, count in wanted.items():
            found = page.locator("caption, p > b").filter(has_text=re.compile(f"^{words}"))
            expect(found).to_have_count(count)
            for each in found.all():
                expect(each).to_be_visible()
        expect(page.get_by_text(re.compile("could not be displayed|Loading widget"))).to_have_count(0)
    assert [url for url in failed if not any(part in url for part in OF_NBCONVERT)] == []
    assert errors == []


def test_some_notebook_shows_each_kind() -> None:
    kinds = {
        words.split(":")[0].strip("<")
        for path in NOTEBOOKS
        for words, _ in pictures(nbformat.read(path, as_version=4))  # type: ignore[no-untyped-call]
    }
    assert kinds == {"Tracker", "InitiativeLadder", "ActionBudget", "CombatLog"}
