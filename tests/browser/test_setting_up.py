"""Setting a fight up with Python behind it: from the shelf, from a file, kept in a journal, begun with typed dice."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

ACTOR = Path(__file__).parents[1] / "data" / "foreign" / "gundark.json"


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield from recording(monkeypatch)


@pytest.mark.parametrize("width", [1000, 420])
def test_a_fight_is_filled_by_hand_and_gone_on_with(stub_page: StubPage, tmp_path: Path, width: int) -> None:
    (tmp_path / "mine").mkdir()
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(shelf="mine", journal="friday.combat"))
    root = live.root
    root.get_by_role("combobox", name="Rules").select_option("saga")
    search = root.get_by_role("searchbox", name="Find a creature")
    found = root.get_by_role("list", name="Found").get_by_role("listitem")
    expect(found).to_have_count(12)
    stub_page.screenshot(f"setting-up-empty-{width}")
    search.press_sequentially("nexu")
    expect(found).to_have_count(1)
    live.turn()
    live.press("Enter")
    assert live.turn() == (0, 1), "search, Enter"
    live.press("Enter")
    members = root.get_by_role("list", name="Combatants").get_by_role("listitem")
    expect(members).to_have_count(2)
    expect(members.nth(1)).to_contain_text("Nexu 2")
    with stub_page.page.expect_file_chooser() as chooser:
        live.button("Choose a file").click()
    chooser.value.set_files(ACTOR)
    review = root.get_by_role("form", name="Review of gundark.json")
    expect(review).to_be_visible()
    review.get_by_role("textbox", name="Side of").fill("wild")
    stub_page.screenshot(f"setting-up-review-{width}")
    live.press("Enter")
    expect(members).to_have_count(3)
    if not root.get_by_role("form", name="By hand").count():
        live.click("By hand")
    sheet = root.get_by_role("form", name="By hand")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    sheet.get_by_role("textbox", name="Name").fill("Mara")
    live.press("Enter")
    stub_page.page.keyboard.type("Ossik")
    live.press("Enter")
    expect(members).to_have_count(5)
    live.click("Keep the party")
    keep = root.get_by_role("form", name="Keep the party")
    expect(keep.get_by_role("combobox", name="Who")).to_have_value("rebels")
    keep.get_by_role("textbox", name="Call it").fill("Night crew")
    live.press("Enter")
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["Night crew.saga.toml"]
    stub_page.screenshot(f"setting-up-{width}")
    assert stub_page.axe() == []
    root.get_by_role("radio", name="we roll at the table").check()
    live.click("Start")
    dice = root.get_by_role("table").get_by_role("textbox")
    expect(dice).to_have_count(5)
    for _ in range(4):
        stub_page.page.keyboard.type("11")
    live.settle()
    stub_page.screenshot(f"setting-up-dice-{width}")
    assert live.tracker.encounter._state.stage == "setup"
    live.click("Roll the other 1 for me")
    expect(root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")).to_have_count(
        5 if width > 600 else 4  # folded to now and the next three
    )
    before = live.tracker.encounter.digest
    live.tracker.encounter.close()
    live.tracker.close()
    again = ck.Tracker(shelf="mine", journal="friday.combat")
    assert again.encounter.digest == before
    again.encounter.finish()
    live.show(again)
    live.click("Clear the foes, keep rebels")
    expect(root.get_by_role("list", name="Combatants").get_by_role("listitem")).to_have_count(2)
    live.tracker.encounter.close()
