"""The ladder before initiative is rolled, with a stub model."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import THEMES, WIDTHS


def unrolled() -> dict[str, object]:
    enc = ck.Encounter("d6", seed=7)
    enc.add("Mara", side="rebels", initiative=2)
    enc.add("Ossik", side="rebels", initiative=2)
    enc.add("Stormtrooper", side="empire", count=2, npc=True)
    return dict(ck.InitiativeLadder(enc).view)


def test_each_rung_holds_its_chance_to_act_first(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": unrolled()})
    rungs = root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")
    expect(rungs).to_have_count(4)
    expect(rungs.nth(0)).to_have_accessible_name(re.compile(r"^Mara, 58\.3 % to act first, rebels, waits; "))
    expect(rungs.nth(0)).to_contain_text("as ties are chosen")
    expect(rungs.nth(0).locator(".ck-score")).to_have_text("58%")
    expect(root).to_contain_text("chance to act first")
    expect(root.locator("[aria-current]")).to_have_count(0)


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
@pytest.mark.parametrize("width", mostly_long(WIDTHS, 420))
def test_it_fits_and_can_be_read(stub_page: StubPage, theme: Theme, width: int) -> None:
    stub_page.set_theme(theme)
    stub_page.set_width(width)
    root = stub_page.mount("ladder", {"view": unrolled()})
    for score in root.locator(".ck-score").all():
        assert score.evaluate("each => each.scrollWidth <= each.clientWidth + 1")
    assert stub_page.axe() == []
    stub_page.screenshot(f"ladder-odds-{theme}-{width}", root)
