"""The notebook of odds in a real JupyterLab: charts are drawn without a network, sliders answer."""

from __future__ import annotations

import pytest
from playwright.sync_api import expect

from tests.browser.harness import LabPage, Theme
from tests.browser.widget_views import THEMES

pytestmark = pytest.mark.long

NOTEBOOK = "notebooks/08-odds.ipynb"
LADDER, FIRST, PLACES, SLIDERS = 3, 4, 6, 10


@pytest.mark.parametrize("theme", THEMES)
def test_the_odds_are_drawn_and_the_sliders_answer(lab_page: LabPage, theme: Theme) -> None:
    lab_page.page.set_viewport_size({"width": 1100, "height": 1400})
    lab_page.open(NOTEBOOK)
    lab_page.set_theme(theme)
    lab_page.run_all()
    ladder = lab_page.cell(LADDER).get_by_role("list", name="Initiative ladder")
    expect(ladder.get_by_role("listitem").first).to_contain_text("39")
    for name, cell in (("first", FIRST), ("places", PLACES)):
        drawn = lab_page.cell(cell).locator(".vega-embed").locator("canvas, svg").first
        expect(drawn).to_be_visible()
        lab_page.screenshot(f"odds-{name}-{theme}", of=lab_page.cell(cell))
    sliders = lab_page.cell(SLIDERS)
    expect(sliders).to_contain_text("first of four: 60091/160000")
    handle = sliders.locator(".noUi-handle").first
    handle.focus()
    handle.press("ArrowRight")
    expect(sliders).not_to_contain_text("60091/160000")
    expect(sliders).to_contain_text("first of four:")
