"""Setting a fight up with Python behind it: from the shelf, from a file, kept in a journal, begun with typed dice."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long

ACTOR = Path(__file__).parents[1] / "data" / "foreign" / "gundark.json"


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[None]:
    monkeypatch.chdir(tmp_path)
    yield from recording(monkeypatch)


def test_the_first_button_of_a_cell_that_is_run_again_goes_on_with_the_fight(stub_page: StubPage) -> None:
    first = ck.Tracker()
    first.encounter.title = "Catwalk"
    for name in ("Mara", "Vex"):
        first.encounter.add(name, side=name)
    first.encounter.start()
    live = Live(stub_page, ck.Tracker())
    expect(live.root.get_by_text("Kept in this kernel only.")).to_have_count(1)
    button = live.root.locator(".ck-setup button:visible").first
    expect(button).to_have_text(re.compile("^Go on with \u201cCatwalk\u201d, Round "))
    stub_page.screenshot("setting-up-again")
    live.click(button)
    assert live.tracker.encounter is first.encounter
    expect(live.root.locator(".ck-setup")).to_have_count(0)
    first.close()


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
    sheet = root.get_by_role("form", name="By hand")
    sheet.get_by_role("combobox", name="Side").fill("rebels")
    sheet.get_by_role("textbox", name="Name", exact=True).fill("Mara")
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
    live.click("Roll the rest")
    expect(root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")).to_have_count(5)
    before = live.tracker.encounter.digest
    live.tracker.encounter.close()
    live.tracker.close()
    again = ck.Tracker(shelf="mine", journal="friday.combat")
    assert again.encounter.digest == before
    again.encounter.finish()
    live.show(again)
    live.click("New fight, heroes rested: clear the foes, keep rebels")
    expect(root.get_by_role("list", name="Combatants").get_by_role("listitem")).to_have_count(2)
    live.tracker.encounter.close()


def test_a_file_is_reviewed_all_or_none_at_a_time(stub_page: StubPage, tmp_path: Path) -> None:
    (tmp_path / "docks.csv").write_text("name,side\nMara,rebels\nOssik,rebels\nVex,empire\n", encoding="utf-8")
    live = Live(stub_page, ck.Tracker())
    with stub_page.page.expect_file_chooser() as chooser:
        live.button("Choose a file").click()
    chooser.value.set_files(tmp_path / "docks.csv")
    expect(live.button("Add 3")).to_be_focused()
    boxes = [live.root.locator(each).bounding_box() for each in (".ck-setup", ".ck-set", ".ck-review")]
    assert boxes[1:] == boxes[:1] * 2, "it stands over all of the set-up"
    live.click("None")
    expect(live.root.locator(".ck-review").get_by_role("checkbox", checked=True)).to_have_count(0)
    live.root.get_by_role("checkbox", name="Vex").check()
    expect(live.button("Add 1")).to_be_visible()
    live.click("All")
    stub_page.screenshot("review-all-or-none")
    live.click("Add 3")
    assert live.tracker.encounter.names == ("Mara", "Ossik", "Vex")


@pytest.mark.parametrize("width", [1000, 420])
def test_several_of_the_shelf_are_brought_into_a_fight_with_their_dice(
    stub_page: StubPage, tmp_path: Path, width: int
) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=4)
    enc.add("Vex", side="empire", npc=True)
    enc.start()
    live = Live(stub_page, ck.Tracker(enc))
    root = live.root
    live.tracker._vantage.throw(True)
    live.show(live.tracker)
    live.click("More")
    live.click("Bring somebody in")
    search = root.get_by_role("searchbox", name="Find a creature")
    expect(search).to_be_focused()
    expect(root.get_by_role("combobox", name="On side")).to_have_value("empire")
    expect(root.get_by_role("button", name="Load the scene")).to_have_count(0)
    search.press_sequentially("nexu")
    found = root.get_by_role("list", name="Found").get_by_role("listitem")
    expect(found).to_have_count(1)
    live.click("One more Nexu")
    stub_page.screenshot(f"joining-from-the-shelf-{width}")
    assert stub_page.axe() == []
    live.click("Add 2 Nexu")
    assert "Nexu 1" not in enc.names, "nobody is rolled for unasked"
    dice = root.get_by_role("form", name="Bring in 2 Nexu").get_by_role("textbox")
    expect(dice).to_have_count(2)
    dice.nth(0).press_sequentially("11")
    dice.nth(1).press_sequentially("11")
    expect(dice).to_have_count(4)
    expect(root.get_by_text("tied: roll again")).to_have_count(2)
    expect(dice.nth(0)).to_have_value("11")
    dice.nth(1).fill("4")
    dice.nth(3).fill("15")
    live.click("Bring in 2 Nexu")
    assert [rung.combatant for rung in enc.order if rung.combatant.startswith("Nexu")] == ["Nexu 2", "Nexu 1"]
    assert {enc[name].side for name in enc.names[2:]} == {"empire"}
    result = root.get_by_role("group", name="Result")
    expect(result).to_contain_text("Nexu 1 and Nexu 2 join the fight (side: empire).")
    form = root.locator(".ck-more").get_by_role("form", name="Bring somebody in")
    name = form.get_by_role("textbox", name="Name", exact=True)
    # Who is typed in comes to one's own side, though foes from the shelf came last.
    expect(form.get_by_role("combobox", name="Side")).to_have_value("rebels")
    name.fill("Vex")
    live.press("Enter")
    expect(result).to_contain_text("'Vex' is already in the fight")
    faces = root.locator(".ck-face:visible")
    expect(faces).to_have_count(0)
    name.fill("Tarn")
    live.press("Enter")
    expect(faces).to_have_count(1)
    live.press("Escape")
    expect(name).to_have_value("Tarn")
    form.get_by_role("spinbutton", name="How many").fill("2")
    live.click("Bring in")
    expect(faces).to_have_count(2)
    faces.nth(0).press_sequentially("9")
    faces.nth(1).press_sequentially("14")
    live.click(root.locator(".ck-work .is-main"))
    assert {"Tarn 1", "Tarn 2"} <= {*enc.names}
    expect(result).to_contain_text("Tarn 1 and Tarn 2 join the fight (side: rebels).")
    expect(name).to_be_focused()
    expect(form.get_by_role("combobox", name="Side")).to_have_value("rebels")
    (tmp_path / "crew.csv").write_text("name,count\nOssik,1\nGuard,2\n", encoding="utf-8")
    with stub_page.page.expect_file_chooser() as chooser:
        live.button("Choose a file").click()
    chooser.value.set_files(tmp_path / "crew.csv")
    review = root.get_by_role("form", name="Review of crew.csv")
    review.get_by_role("checkbox", name="Ossik").uncheck()
    live.click("Add 2")
    expect(faces).to_have_count(2)
    live.click("Roll all")
    assert {"Guard 1", "Guard 2"} <= {*enc.names}
    expect(review).to_have_count(0)
    enc.leave("Mara")
    live.follow()
    name.fill("Mara")
    live.press("Enter")
    expect(result).to_contain_text("Mara is back (side: rebels).")
    search.focus()
    live.press("Escape")
    expect(live.button("Bring somebody in")).to_be_focused()


def test_the_rules_can_be_chosen_anew_when_somebody_is_in(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker())
    rules = live.root.get_by_role("combobox", name="Rules")
    rules.select_option("saga")
    live.root.get_by_role("form", name="By hand").get_by_role("textbox", name="Name", exact=True).fill("Mara")
    live.root.get_by_role("combobox", name="Side", exact=True).fill("rebels")
    live.press("Enter")
    expect(rules).to_be_visible()
    expect(rules).to_have_accessible_description(re.compile("^Changing the rules keeps names and sides"))
    expect(rules.locator("option:checked")).to_have_text(ck.ruleset("saga").title)
    expect(live.root.get_by_role("button", name="Undo")).not_to_have_attribute("aria-disabled", "true")
    rules.select_option("segments")
    live.settle()
    expect(rules).to_have_value("segments")
    expect(live.root.get_by_role("list", name="Combatants").get_by_role("listitem")).to_contain_text(["Mara"])
    live.click("Start")
    assert live.tracker.encounter.ruleset.id == "segments"
    expect(rules).to_have_count(0)


def test_a_saved_fight_is_opened_by_hand_and_goes_on(stub_page: StubPage, tmp_path: Path) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    enc.save(tmp_path / "docks.fight")
    live = Live(stub_page, ck.Tracker())
    root = live.root
    with stub_page.page.expect_file_chooser() as chooser:
        live.button("Choose a file").click()
    chooser.value.set_files(tmp_path / "docks.fight")
    told = root.get_by_role("group", name="Saved fight docks.fight")
    expect(told).to_contain_text("Round 1, Vex's turn, 5 combatants")
    expect(live.button("Play on")).to_be_focused()
    assert stub_page.axe() == []
    live.press("Escape")
    expect(told).to_have_count(0)
    with stub_page.page.expect_file_chooser() as chooser:
        live.button("Choose a file").click()
    chooser.value.set_files(tmp_path / "docks.fight")
    expect(live.button("Play on")).to_be_focused()
    live.press("Enter")
    expect(root.get_by_role("list", name="Initiative ladder").get_by_role("listitem")).to_have_count(5)
    assert live.tracker.encounter.digest == enc.digest
    live.click("End turn")
    assert live.tracker.encounter.active != enc.active


@pytest.mark.long
@pytest.mark.parametrize("width", [436, 849, 1101])
@pytest.mark.parametrize("system", [rules.id for rules in ck.rulesets()])
def test_the_rules_are_named_whole(stub_page: StubPage, system: str, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(ck.Encounter(system, seed=7)))
    live.settle()
    rules = live.root.get_by_role("combobox", name="Rules")
    needs = """el => {
        const free = el.cloneNode(true);
        free.selectedIndex = el.selectedIndex;
        free.style = "position: absolute; inline-size: auto; max-inline-size: none";
        el.after(free);
        const wide = free.offsetWidth;
        free.remove();
        return wide - el.offsetWidth;
    }"""
    assert rules.evaluate(needs) <= 0
    fits = """el => {
        const text = document.createRange();
        text.selectNodeContents(el);
        const [inner, outer] = [text.getBoundingClientRect(), el.getBoundingClientRect()];
        return inner.right <= outer.right + 0.5 || inner.top >= outer.bottom - 0.5;
    }"""
    assert live.root.locator(".ck-turn > small").evaluate(fits), "who is in is told whole, or out of sight"


@pytest.mark.parametrize("width", [436, 849, 1101])
def test_a_summary_is_read_whole_before_anybody_is_added(stub_page: StubPage, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(stub_page, ck.Tracker(ck.Encounter("saga", seed=7)))
    live.settle()
    lines = live.root.get_by_role("list", name="Found").locator("small")
    expect(lines).to_have_count(12)
    for line in lines.all():
        assert line.inner_text().count(" · ") > 1
        cut = line.evaluate("el => el.scrollWidth - el.clientWidth || getComputedStyle(el).whiteSpace === 'nowrap'")
        assert not cut, line.inner_text()


def test_start_drops_no_name_that_is_typed_and_says_who_is_alone(stub_page: StubPage) -> None:
    live = Live(stub_page, ck.Tracker())
    hand = live.root.get_by_role("form", name="By hand")
    expect(hand.get_by_role("combobox", name="Side")).to_have_value("heroes")
    hand.get_by_role("textbox", name="Name", exact=True).fill("Mara")
    hand.get_by_role("button", name="Add", exact=True).click()
    result = live.root.get_by_role("group", name="Result")
    expect(result).to_contain_text("Nobody is against them yet.")
    hand.get_by_role("textbox", name="Name", exact=True).fill("Vex")
    live.root.get_by_role("button", name="Start", exact=True).click()
    expect(result).to_contain_text("Vex is typed, and not in yet: Add them, or clear the name.")
    assert live.tracker.encounter.names == ("Mara",)
    hand.get_by_role("combobox", name="Side").fill("hunters")
    hand.get_by_role("button", name="Add", exact=True).click()
    expect(result).not_to_contain_text("Nobody is against them yet.")
    live.root.get_by_role("button", name="Start", exact=True).click()
    expect(live.root.get_by_role("list", name="Initiative ladder")).to_be_visible()


@pytest.mark.parametrize(
    ("system", "typed", "said"),
    [
        ("saga", "short bow, 1d6; axe, 1d8, 4, melee", ["short bow: at any distance", "axe: melee"]),
        ("d6", "bow, 4D, 3D, energy, long", ["bow: ranged"]),
        ("ap", "short bow, 1d6, 4, 60", ["short bow: ranged"]),
        ("segments", "short bow, 1d6", ["short bow: melee, as no range is given", "space, range"]),
        ("phases", "short bow, 1d6; sling, 1d6, 0, , 8", ["short bow: melee, as no range is given", "sling: ranged"]),
    ],
)
def test_an_attack_typed_by_hand_says_how_it_is_made(
    stub_page: StubPage, system: str, typed: str, said: list[str]
) -> None:
    live = Live(stub_page, ck.Tracker(ck.Encounter(system, seed=1)))
    hand = live.root.get_by_role("form", name="By hand")
    hand.locator("[name=weapons]").fill(typed)
    for words in said:
        expect(hand.locator(".ck-made")).to_contain_text(words)
    hand.get_by_role("textbox", name="Name", exact=True).fill("Ash")
    hand.get_by_role("button", name="Add", exact=True).click()
    live.settle()
    expect(live.root.get_by_role("form", name="By hand").locator(".ck-made")).to_be_empty()
    live.click("Edit Ash")
    kinds = live.root.get_by_role("form", name="Edit Ash").locator("td.ck-made")
    short = [words.partition(": ")[2].partition(",")[0] for words in said if ": " in words]
    assert kinds.all_inner_texts() == short
    live.root.get_by_role("textbox", name=re.compile("^Range.* of weapon 1$")).fill("30" if system != "d6" else "")
    expect(kinds.first).to_have_text("ranged" if system != "d6" else "at any distance")


def test_the_fight_that_was_run_again_is_one_press_away(stub_page: StubPage) -> None:
    """It was on nothing that is shown; what it was called ran on below the shelf's search."""
    stub_page.page.set_viewport_size({"width": 1280, "height": 800})
    tracker = ck.Tracker()
    ended = tracker.encounter
    for name in ("Footpad captain", "Northern gate guard", "Donaudampfschiff", "Bren the cautious"):
        ended.add(name, side=name)
    ended.start()
    ended.finish()
    live = Live(stub_page, tracker)
    live.click("Run it again")
    there = live.root.get_by_role("button", name="Look at")
    expect(there).to_contain_text("Bren the cautious\u201d, ended in Round 1")
    button, column = there.bounding_box(), live.root.locator(".ck-set > .l").bounding_box()
    assert button is not None
    assert column is not None
    assert button["x"] + button["width"] <= column["x"] + column["width"]
    assert there.evaluate("each => each.scrollWidth <= each.clientWidth && each.scrollHeight <= each.clientHeight")
    there.click()
    expect(live.root.locator(".ck-setup")).to_have_count(0)
    assert tracker.encounter is ended
