"""A turn by hand, with Python behind the page: vitals, whom to attack, what is usual, which key does what."""

from __future__ import annotations

import re
from collections.abc import Iterator

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from tests.browser.harness import StubPage
from tests.browser.live import Live
from tests.wire import recording

pytestmark = pytest.mark.long

CELL = 848
"""So wide is a cell of JupyterLab in a window of 1280, with its side bar open."""


RIFLE = {"name": "Blaster rifle", "attack": 9, "damage": "3d8+2"}


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


def shown(page: StubPage, enc: ck.Encounter, width: int = CELL) -> Live:
    """Show a fight in a tracker."""
    page.page.set_viewport_size({"width": width, "height": 800})
    live = Live(page, ck.Tracker(enc))
    live.settle()
    return live


def rung(live: Live, name: str) -> Locator:
    return live.root.get_by_role("list", name="Initiative ladder").get_by_role("listitem", name=re.compile(f"^{name},"))


# ── vitals on the rungs ──


def phased() -> ck.Encounter:
    """Give a fight of phases that has begun, Mara's phase."""
    enc = ck.Encounter("phases", seed=3)
    enc.add("Mara", side="rebels", combat_value=8, stun=35, body=11, end=30)
    enc.add("Captain Dray", side="empire", combat_value=5, stun=30, body=11, end=28)
    enc.add("Vex", side="empire", combat_value=9, stun=100, body=10, end=30)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


@pytest.mark.parametrize("width", [761, CELL, 1024])
def test_a_rung_of_phases_has_three_vitals_and_room_for_a_name(stub_page: StubPage, width: int) -> None:
    enc = phased()
    enc.damage(["Mara"], 4)
    live = shown(stub_page, enc, width)
    row = rung(live, "Mara")
    expect(row.locator(".ck-vital b")).to_have_text(["31", "11", "30"])
    expect(row).to_have_accessible_name(re.compile("; stun 31 of 35; body 11 of 11; endurance 30 of 30"))
    expect(
        row.get_by_role("button", name="Mara: stun 31 of 35, body 11 of 11, endurance 30 of 30. Damage or heal")
    ).to_be_visible()
    filled = [
        float(each.evaluate("el => parseFloat(getComputedStyle(el).backgroundSize) / 100 * el.clientWidth"))
        for each in row.locator(".ck-vital .ck-bar").all()
    ]
    assert filled[0] < filled[1] == filled[2], "a bar is as long as what is left"
    assert row.locator(".ck-name > .h").evaluate("el => el.scrollWidth <= el.clientWidth"), "the name is not cut"
    ladder = live.root.locator(".ck-ladder")
    assert ladder.evaluate("el => el.scrollWidth - el.clientWidth") == 0
    stub_page.screenshot(f"turn-phases-{width}")


def test_while_damage_is_dealt_a_rung_of_phases_says_only_what_it_comes_off(stub_page: StubPage) -> None:
    live = shown(stub_page, phased())
    live.button("Done acting").focus()
    live.press("d", "6")
    rung(live, "Mara").focus()
    live.press("Space")
    expect(rung(live, "Mara").locator("button.ck-vital")).to_contain_text("35\xa0→\xa029")
    live.root.get_by_role("combobox", name="Which").select_option("body")
    live.settle()
    expect(rung(live, "Mara").locator("button.ck-vital")).to_contain_text("11\xa0→\xa05")
    expect(rung(live, "Vex").locator(".ck-vital b")).to_have_text(["10"])
    live.root.get_by_role("textbox", name="How much").focus()
    live.press("Enter")
    expect(rung(live, "Mara").locator(".ck-vital b")).to_have_text(["35", "5", "30"])


# ── whom to attack ──


def armed() -> ck.Encounter:
    """Give a fight of three guards against Mara, who has a rifle and acts."""
    enc = ck.Encounter("saga", id="yard", seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=38, weapons=[RIFLE])
    enc.add("Ilya", side="rebels", dex=3, level=4, hp=28)
    enc.add("Guard", side="empire", count=3, npc=True, dex=1, level=2, hp=40, defense=15)
    enc.start(rolls={"Mara": 17, "Ilya": 12, "Guard 1": 9, "Guard 2": 4, "Guard 3": 2})
    return enc


def attack(live: Live) -> Locator:
    """Open the form of Mara's own attack, and give the group of its targets."""
    live.click(live.root.get_by_role("group", name="Attacks").locator("[data-action]").first)
    return live.root.get_by_role("group", name="Blaster rifle: Target")


def chosen(targets: Locator) -> Locator:
    return targets.locator('.ck-pick[aria-pressed="true"]')


def test_an_attack_begins_with_the_last_target_and_enter_makes_it(stub_page: StubPage) -> None:
    live = shown(stub_page, armed())
    targets = attack(live)
    expect(chosen(targets)).to_have_accessible_name("Guard 1")
    expect(live.root.locator(".ck-work .is-main")).to_be_focused()
    live.click(targets.get_by_role("button", name="Guard 2"))
    live.click("End turn")
    while live.tracker.encounter.active != "Mara":
        live.click("End turn")
    targets = attack(live)
    expect(chosen(targets)).to_have_accessible_name("Guard 2")
    expect(live.root.locator(".ck-work .is-main")).to_be_focused()
    live.turn()
    live.press("Enter")
    assert live.turn() == (0, 1)
    attacks = live.tracker.encounter.history.events.filter(kind="attack", actor="Mara")
    assert [row["target"] for row in attacks.iter_rows(named=True)] == ["Guard 2", "Guard 2"]


def test_typed_dice_outlast_another_target(stub_page: StubPage) -> None:
    live = shown(stub_page, armed())
    live.click("More")
    live.click(live.root.locator(".is-settings"))
    live.root.get_by_role("radio", name="we roll at the table").check()
    live.settle()
    live.press("Escape", "Escape")
    targets = attack(live)
    expect(live.root.get_by_role("textbox", name="Number on the d20")).to_be_focused()
    live.press("1", "7")
    live.click(targets.get_by_role("button", name="Guard 3"))
    expect(chosen(targets)).to_have_accessible_name("Guard 3")
    expect(live.root.get_by_role("textbox", name="Number on the d20")).to_have_value("17")
    expect(live.root.get_by_role("textbox", name="First d8")).to_be_focused()
    assert live.tracker.encounter.history.events.filter(kind="attack").height == 0, "nothing is sent yet"
    live.press("3", "4", "5", "Enter")
    [row] = live.tracker.encounter.history.events.filter(kind="attack").iter_rows(named=True)
    assert row["target"] == "Guard 3"
    assert live.tracker.encounter["Guard 3"].values["hp"] == 40 - 14


# ── what is usual ──


def test_what_was_done_last_stands_after_the_usual(stub_page: StubPage) -> None:
    enc = armed()
    live = shown(stub_page, enc)
    group = live.root.get_by_role("group", name="Usual")
    expect(group.locator('[data-action="climb"]')).to_have_count(0)
    live.root.get_by_role("textbox", name="Find an action").fill("climb")
    live.press("Enter")
    live.click("End turn")
    while enc.active != "Mara":
        live.click("End turn")
    expect(group.locator("[data-action]").last).to_have_accessible_name("Climb")
    expect(live.root.locator('[data-action="climb"]')).to_have_count(1)


# ── keys ──


def settings(live: Live, *, letters: bool | None = None, table: bool = False) -> None:
    """Change how this table plays, and close the settings."""
    live.click("More")
    live.click(live.root.locator(".is-settings"))
    if letters is not None:
        live.root.get_by_role("switch", name="Keyboard shortcuts").set_checked(letters)
    if table:
        live.root.get_by_role("radio", name="we roll at the table").check()
    live.settle()
    live.press("Escape", "Escape")
    live.button("End turn").focus()


def two_arms() -> ck.Encounter:
    enc = armed()
    enc.edit("Mara", weapons=[RIFLE, {"name": "Vibroblade", "attack": 11, "damage": "2d6+4"}])
    return enc


def test_figures_open_the_own_attacks_and_t_goes_back_to_the_target(stub_page: StubPage) -> None:
    live = shown(stub_page, two_arms())
    attacks = live.root.get_by_role("group", name="Attacks").locator("[data-action]")
    for index in range(2):
        expect(attacks.nth(index)).to_have_attribute("aria-keyshortcuts", str(index + 1))
    live.button("End turn").focus()
    live.press("3")
    expect(live.button("End turn")).to_be_focused()
    live.press("2")
    expect(live.root.get_by_role("form", name="Vibroblade: Mara")).to_be_visible()
    targets = live.root.get_by_role("group", name="Vibroblade: Target")
    expect(chosen(targets)).to_have_accessible_name("Guard 1")
    expect(live.root.locator(".ck-work .is-main")).to_be_focused()
    live.button("End turn").focus()
    live.press("t")
    expect(chosen(targets)).to_have_accessible_name("Guard 2")
    expect(rung(live, "Guard 2").locator(".ck-state")).to_contain_text("target")
    expect(live.root.locator(".ck-work .is-main")).to_be_focused()
    for _ in range(2):
        live.press("2")
        expect(chosen(targets)).to_have_accessible_name("Guard 2")
    assert live.tracker.encounter.history.events.filter(kind="attack").height == 0, "nothing is sent yet"
    live.press("1")
    expect(live.root.get_by_role("form")).to_have_accessible_name("Blaster rifle: Mara")
    live.turn()
    live.press("Enter")
    assert live.turn() == (0, 1)
    assert live.tracker.encounter.history.events.filter(kind="attack", actor="Mara").height == 1
    live.press("t", "1")
    assert live.tracker.encounter.history.events.filter(kind="attack").height == 1, "nothing is left to do"


def test_brackets_go_through_the_fight_and_back(stub_page: StubPage) -> None:
    enc = armed()
    live = shown(stub_page, enc)
    last = len(enc.history.events)
    live.button("End turn").focus()
    live.press("]")
    assert live.tracker.view["mode"] == "play", "there is nothing after now"
    live.press("[", "[")
    assert (live.tracker.view["mode"], live.tracker.log.view["at"]) == ("past", last - 2)
    live.press("]")
    assert live.tracker.log.view["at"] == last - 1
    live.press("]")
    assert live.tracker.view["mode"] == "play"
    live.press("n", "n", "n", "n", "n")
    live.press("{")
    assert live.tracker.view["mode"] == "past"
    live.press("}")
    assert live.tracker.view["mode"] == "play"


def test_l_lets_a_reaction_go(stub_page: StubPage) -> None:
    enc = ck.Encounter("ap", seed=2)
    for name, side in (("Mara", "rebels"), ("Vex", "hunters"), ("Dray", "hunters")):
        enc.add(name, side=side)
    enc.start()
    who = enc.active
    assert who is not None
    foe = "Mara" if who != "Mara" else "Vex"
    live = shown(stub_page, enc)
    live.press("l")
    enc.do(who, "attack", target=foe)
    live.show(live.tracker)
    passes = live.root.locator(".ck-rung").get_by_role("button", name="Let go", exact=True)
    expect(live.button("Let it go")).to_have_attribute("aria-keyshortcuts", "L")
    live.button("More").focus()
    live.press("l")
    expect(passes).to_have_count(0)
    expect(rung(live, foe)).to_contain_text("lets it go")
    live.press("n")  # who isn't aimed at is one line, to open: they are carried on without
    assert not enc.pending


def test_r_leaves_a_die_to_combatkit(stub_page: StubPage) -> None:
    live = shown(stub_page, armed())
    settings(live, table=True)
    live.press("1")
    die = live.root.get_by_role("textbox", name="Number on the d20")
    expect(die).to_be_focused()
    live.press("r")
    expect(live.root.get_by_role("textbox", name="Number on the d20, rolled for you")).to_have_attribute(
        "placeholder", "me"
    )
    expect(live.root.get_by_role("textbox", name="First d8")).to_be_focused()
    live.press("3", "4", "5", "Enter")
    rolled = [event.data["source"] for event in live.tracker.encounter._events if event.kind in ("attack", "damage")]
    assert rolled in (["seeded", "table"], ["seeded"]), "a miss brings no damage"


def test_space_ticks_and_h_halves_on_the_rungs(stub_page: StubPage) -> None:
    live = shown(stub_page, armed())
    live.button("End turn").focus()
    live.press("d", "8")
    rung(live, "Mara").focus()
    live.press("Space")
    rung(live, "Guard 1").focus()
    live.press("Space", "ArrowDown", "Space", "h")
    expect(live.root.get_by_role("checkbox", name="Guard 1")).to_be_checked()
    expect(live.root.get_by_role("button", name="Half for Guard 2")).to_have_attribute("aria-pressed", "true")
    live.press("ArrowUp", "Space")
    expect(live.root.get_by_role("checkbox", name="Guard 1")).not_to_be_checked()
    live.root.get_by_role("textbox", name="How much").focus()
    live.press("Enter")
    values = {name: live.tracker.encounter[name].values["hp"] for name in ("Mara", "Guard 1", "Guard 2")}
    assert values == {"Mara": 30, "Guard 1": 40, "Guard 2": 36}


def test_enter_on_a_rung_does_what_the_form_says_of_it(stub_page: StubPage) -> None:
    live = shown(stub_page, armed())
    live.button("End turn").focus()
    live.press("d", "8")
    rung(live, "Guard 1").click(position={"x": 4, "y": 4})
    rung(live, "Guard 2").click(position={"x": 4, "y": 4})
    expect(rung(live, "Guard 2")).to_be_focused()
    live.press("Enter")
    expect(live.root.get_by_role("form", name="Damage or heal")).to_have_count(0)
    enc = live.tracker.encounter
    assert [enc[name].values["hp"] for name in ("Mara", "Guard 1", "Guard 2")] == [30, 32, 32]
    live.press("d", "5")
    rung(live, "Guard 2").click(position={"x": 4, "y": 4})
    live.press("Shift+Enter")
    expect(live.root.get_by_role("form", name="Damage or heal")).to_have_count(0)
    assert [enc[name].values["hp"] for name in ("Guard 1", "Guard 2")] == [32, 37]


def test_the_switch_turns_every_letter_off_and_the_list_names_them_all(stub_page: StubPage) -> None:
    live = shown(stub_page, two_arms())
    live.button("End turn").focus()
    live.press("?")
    keys = set(live.root.locator(".ck-keys kbd").all_inner_texts())
    assert {*"NU/123TDHLRCM?[]{}", "Shift+U", "Space bar", "Alt+↓", "Enter", "Shift+Enter", "Esc"} <= keys
    live.press("Escape")
    settings(live, letters=False, table=True)
    before = len(live.tracker.encounter.history.events)
    live.press(*"nudcm?123tl[]/{")
    expect(live.button("End turn")).to_be_focused()
    assert (live.tracker.view["mode"], len(live.tracker.encounter.history.events)) == ("play", before)
    expect(live.root.locator(".ck-more, .ck-work, .ck-deal, .ck-card")).to_have_count(0)
    attack(live)
    die = live.root.get_by_role("textbox", name="Number on the d20")
    expect(die).to_be_focused()
    live.press("r", "t")
    expect(die).to_be_focused()
    expect(die).to_have_value("")


# ── the form of an attack ──


def test_an_attack_is_two_rows_and_says_what_hits(stub_page: StubPage) -> None:
    enc = armed()
    live = shown(stub_page, enc)
    settings(live, table=True)
    live.press("1")
    stub_page.screenshot("turn-attack")
    form = live.root.get_by_role("form", name="Blaster rifle: Mara")
    picks = form.get_by_role("group", name="Blaster rifle: Target").locator(".ck-pick")
    assert [each.strip() for each in picks.all_inner_texts()] == [
        *(f"Guard {n}\n40/40 · needs 6 or more" for n in (1, 2, 3)),
        "Allies",
        "Options",
    ]
    dice = form.locator("input.ck-face")
    expect(dice.first).to_be_focused()
    box = dice.first.bounding_box()
    assert box is not None
    assert (box["width"], box["height"]) == (36, 30)
    tops = {round(box["y"]) for each in dice.all() if (box := each.bounding_box())}
    assert len(tops) == 2, "to hit, then damage"
    expect(form).to_contain_text("+ 9 against 15: 6 or more hits")
    live.press("2")
    expect(form).to_contain_text("+ 9 = 11 against 15: misses by 4")
    expect(form.locator("span.ck-face.is-off")).to_have_count(3)
    expect(live.root.locator(".is-main:not([aria-disabled])").filter(has_text="Miss")).to_have_count(1)
    live.click(rung(live, "Guard 3").locator(".ck-score"))
    expect(picks.nth(2)).to_have_attribute("aria-pressed", "true")
    expect(dice.first).to_have_value("2")
    act = form.get_by_role("button", name="Options")
    expect(form.get_by_role("textbox", name="Damage")).to_have_count(0)
    act.click()
    expect(form.get_by_role("textbox", name="Damage")).to_be_visible()
    assert stub_page.axe() == []
    live.click(form.get_by_role("button", name="Miss", exact=True))
    expect(form).to_have_count(0)
    expect(live.root.locator(".ck-res")).to_be_focused()
    assert live.tracker.encounter["Guard 3"].values["hp"] == 40


def test_refused_targets_are_one_line_that_says_why(stub_page: StubPage) -> None:
    enc = ck.Encounter("phases", seed=3)
    sword = {"name": "Vibroblade", "ocv": 1, "damage": "1d6", "reach": 1}
    enc.add("Mara", side="rebels", combat_value=9, at=(0, 0), weapons=[sword])
    for name, at in {"Guard 1": (1, 0), "Guard 2": (9, 0), "Guard 3": (0, 9)}.items():
        enc.add(name, side="empire", npc=True, at=at)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    live = shown(stub_page, enc)
    live.button("Done acting").focus()
    live.press("1")
    targets = live.root.get_by_role("group", name="Vibroblade: Target")
    expect(targets.locator(".ck-pick:not(.is-more)")).to_have_count(1)
    targets.get_by_role("button", name="2 can't be chosen").click()
    live.settle()
    refused = targets.get_by_role("button", name="Guard 3")
    expect(refused).to_have_attribute("aria-disabled", "true")
    expect(refused).to_have_accessible_description(re.compile("."))
    live.page.screenshot("turn-refused")
    expect(targets.locator('[aria-pressed="true"]')).to_have_accessible_name("Guard 1")


def test_the_name_of_three_vitals_is_no_label_beside_what_is_seen(stub_page: StubPage) -> None:
    live = shown(stub_page, phased())
    button = rung(live, "Mara").locator("button.ck-vital")
    expect(button).to_have_accessible_name(re.compile("^Mara: stun 35 of 35, body 11 of 11"))
    stub_page.axe()
    asks = (
        "rule => axe.run('#views', {runOnly: [rule]}).then(({violations}) => violations.map(each => each.nodes.length))"
    )
    assert stub_page.page.evaluate(asks, "label-content-name-mismatch") == []
