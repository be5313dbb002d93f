"""What the GM does on rungs: damage, healing and conditions, who may act now, the card; with a stub model."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.test_ladder import rung
from tests.browser.widget_views import (
    FIGHTS,
    HOSTILE,
    THEMES,
    WIDTHS,
    answer,
    delta,
    fight,
    focused,
    intents,
    mount_tracker,
    refuse,
)

LONG = "Archduke Maximilian of the Seven Hundred Silver Towers, twice"


def acting(name: str = "slots", **rows: dict[str, Any]) -> dict[str, Any]:
    """Give a ladder on which the GM acts, with some rows changed by the name that is on them."""
    view: dict[str, Any] = fight(name)["ladder"] | {"acts": True, "dice": "seeded"}
    for row in view["rows"].values():
        row.update(rows.get(row["name"].replace(" ", "_"), {}))
    return view


def dealing(
    page: StubPage,
    vital: str = "hp",
    why: object = (),
    to: str | None = None,
    high: str = "",
    words: dict[str, str] | None = None,
    **rungs: object,
) -> Any:
    """Answer the last question for what damage would come to."""
    vitals = [["hp", "Hit points"]] if vital == "hp" else [["stun", "Stun"], ["body", "Body"]]
    found: dict[str, Any] = {
        "vitals": vitals,
        "vital": vital,
        "conditions": ["prone", "stunned"],
        "untils": ["", "end of turn"],
    }
    told = {name.replace("_", " "): each for name, each in rungs.items()}
    found |= {"untils": ["", "end of turn"], "high": [high] if high else [], "words": words or {}}
    return answer(page, "deal", to, **found, rungs=told, why=list(why) if isinstance(why, tuple) else why)


def vital(root: Locator, name: str) -> Locator:
    """Give the bar of a combatant."""
    return root.get_by_role("button", name=re.compile(f"^{name}: .*Damage or heal$"))


def opened(page: StubPage, view: dict[str, Any] | None = None) -> Locator:
    """Show a ladder with the form for damage open under Guard 1."""
    root = page.mount("ladder", {"view": view or acting()})
    vital(root, "Guard 1").click()
    dealing(page, Guard_1=[12, 16, None])
    return root


def calls(page: StubPage) -> list[dict[str, Any]]:
    return [each for each in intents(page) if each["kind"] not in ("deal", "card")]


def test_a_vital_opens_the_form_and_the_ladder_is_the_form(stub_page: StubPage) -> None:
    root = opened(stub_page)
    form = root.get_by_role("form", name="Damage or heal")
    assert focused(stub_page) == "How much"
    expect(root.get_by_text("click a rung to tick it")).to_be_visible()
    assert root.get_by_role("checkbox").count() > 6
    stub_page.page.keyboard.type("14")
    rung(root, "Guard 2").locator(".ck-score").click()
    root.get_by_role("checkbox", name="Sentry").check()
    root.get_by_role("button", name="Half for Sentry").click()
    question = dealing(
        stub_page,
        words={"Guard 1": "falls", "Guard 2": "is wounded"},
        Guard_1=[12, 16, 0],
        Guard_2=[4, 16, 0],
        Sentry=[16, 16, 9],
    )
    assert question["names"] == ["Guard 1", "Guard 2", "Sentry"]
    assert (question["amount"], question["half"]) == ("14", ["Sentry"])
    expect(root.get_by_role("listitem").filter(has_text="is wounded")).to_be_visible()
    ends = root.get_by_role("listitem").filter(has_text="all; has")
    assert ends.all_inner_texts() == ["Guard 1\nall; has 12\nfalls", "Guard 2\nall; has 4\nis wounded"]
    expect(root.get_by_role("listitem").filter(has_text="half of 14")).to_contain_text("7, 9 left")
    expect(vital(root, "Sentry")).to_have_accessible_name("Sentry: 16 of 16, then 9. Damage or heal")
    expect(vital(root, "Sentry")).to_contain_text("16\xa0→\xa09")
    expect(vital(root, "Mara")).to_have_accessible_name("Mara: 22 of 38. Damage or heal")
    expect(form.get_by_role("button", name="Set to 14")).to_be_visible()
    assert calls(stub_page) == []
    form.get_by_role("textbox", name="Note").fill("thermal detonator")
    stub_page.page.keyboard.press("Enter")
    assert calls(stub_page) == [
        {
            "kind": "damage",
            "names": ["Guard 1", "Guard 2", "Sentry"],
            "amount": 14,
            "half": ["Sentry"],
            "note": "thermal detonator",
        }
    ]
    dealing(stub_page)
    expect(form).to_have_count(0)
    expect(vital(root, "Guard 1")).to_be_focused()


def test_healing_setting_and_conditions_are_calls_of_their_own(stub_page: StubPage) -> None:
    root = opened(stub_page)
    keys = stub_page.page.keyboard
    keys.type("2d6+3")
    dealing(stub_page, Guard_1=[12, 16, None])
    keys.press("Shift+Enter")
    dealing(stub_page)
    keys.press("Enter")
    root.get_by_role("textbox", name="How much").fill("5")
    dealing(stub_page, Guard_1=[12, 16, 7])
    root.get_by_role("button", name="Set to 5").click()
    dealing(stub_page)
    vital(root, "Guard 1").click()
    root.get_by_role("textbox", name="How much").fill("50")
    dealing(stub_page, Guard_1=[12, 16, 0], high="Guard 1 has at most 16 hit points.")
    much = root.get_by_role("button", name="Set to 50")
    expect(much).to_have_attribute("aria-disabled", "true")
    much.press("Enter")
    stub_page.wait_for_sent("set")
    refuse(stub_page, "set", "Guard 1 has at most 16 hit points.")
    expect(root.get_by_role("form", name="Damage or heal")).to_contain_text("Guard 1 has at most 16 hit points.")
    keys.press("Escape")
    vital(root, "Guard 1").click()
    dealing(stub_page, Guard_1=[12, 16, None])
    root.get_by_role("button", name="Condition", exact=True).click()
    assert focused(stub_page) == "Which condition"
    keys.type("prone")
    root.get_by_role("combobox", name="Until").fill("3 rounds")
    root.get_by_role("button", name="Set condition").click()
    dealing(stub_page)
    assert calls(stub_page) == [
        {"kind": "heal", "names": ["Guard 1"], "amount": "2d6+3"},
        {"kind": "set", "names": ["Guard 1"], "vital": "hp", "amount": 5},
        {"kind": "set", "names": ["Guard 1"], "vital": "hp", "amount": 50},
        {"kind": "condition", "name": ["Guard 1"], "condition": "prone", "until": "3 rounds"},
    ]
    expect(root.get_by_role("form")).to_have_count(0)


def test_a_refusal_is_told_in_the_form_and_nothing_typed_is_lost(stub_page: StubPage) -> None:
    root = opened(stub_page)
    keys = stub_page.page.keyboard
    keys.press("Enter")
    expect(root.get_by_role("form")).to_contain_text("Type how much: a number, or dice such as 2d6+3.")
    assert calls(stub_page) == []
    keys.type("lots")
    dealing(stub_page, why=["amount is 'lots'; give a number"], Guard_1=[12, 16, None])
    expect(root.get_by_text("amount is 'lots'; give a number")).to_be_visible()
    keys.press("Enter")
    refuse(stub_page, "damage", "damage: no such amount", "saga.std.one")
    dealing(stub_page)
    expect(root.get_by_role("form")).to_contain_text("damage: no such amount")
    expect(root.get_by_role("textbox", name="How much")).to_have_value("lots")
    keys.press("Escape")
    expect(root.get_by_role("form")).to_have_count(0)
    expect(vital(root, "Guard 1")).to_be_focused()


def test_the_form_is_reached_and_left_by_keys(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": acting()})
    expect(vital(root, "Vex")).to_be_visible()
    rung(root, "Guard 1").focus()
    keys = stub_page.page.keyboard
    keys.press("d")
    dealing(stub_page, Guard_1=[12, 16, None])
    assert focused(stub_page) == "How much"
    keys.type("3")
    root.get_by_role("checkbox", name="Guard 2").press("h")
    expect(root.get_by_role("button", name="Half for Guard 2")).to_have_attribute("aria-pressed", "true")
    keys.press("Escape")
    assert focused(stub_page).startswith("Guard 1: 12 of 16")
    keys.press("ArrowDown")
    assert focused(stub_page).startswith("Guard 2,")
    assert calls(stub_page) == []


def test_a_ladder_is_one_tab_stop_and_tab_goes_on_into_its_rung(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": acting()})
    expect(vital(root, "Vex")).to_be_visible()
    keys = stub_page.page.keyboard
    keys.press("Tab")
    assert focused(stub_page).startswith("Mara, initiative 24")
    bar = root.get_by_role("button", name="Mara: 22 of 38. Damage or heal", exact=True)
    seen = []
    for _ in range(2):
        keys.press("Tab")
        seen.append(bar.evaluate("el => el === document.activeElement"))
    assert any(seen)
    tabbable = root.get_by_role("list", name="Initiative ladder").locator("[tabindex='0']")
    assert all("Mara" in (each.get_attribute("aria-label") or "Mara") for each in tabbable.all())


def test_of_several_vitals_one_is_chosen(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": acting()})
    vital(root, "Guard 1").click()
    dealing(stub_page, "stun", Guard_1=[12, 16, None])
    root.get_by_role("combobox", name="Which").select_option("body")
    dealing(stub_page, "body", Guard_1=[9, 10, None])
    root.get_by_role("textbox", name="How much").fill("2")
    dealing(stub_page, "body", Guard_1=[9, 10, 7])
    expect(vital(root, "Guard 1")).to_have_accessible_name("Guard 1: 9 of 10, then 7. Damage or heal")
    stub_page.page.keyboard.press("Enter")
    assert calls(stub_page) == [{"kind": "damage", "names": ["Guard 1"], "amount": 2, "vital": "body"}]


def test_with_table_dice_the_faces_are_asked_for(stub_page: StubPage) -> None:
    root = opened(stub_page, acting() | {"dice": "table"})
    stub_page.page.keyboard.type("2d6+3")
    stub_page.page.keyboard.press("Enter")
    die = {"purpose": "damage", "legend": "The GM rolls 2d6 for damage", "sides": [6, 6], "sum": [], "error": ""}
    question = answer(stub_page, "choices", params=[], dice=[die], ruling={"allowed": True})
    assert (question["name"], question["action"]) == (None, "damage")
    assert calls(stub_page)[:-1] == []
    root.get_by_role("textbox", name="First d6").fill("4")
    root.get_by_role("textbox", name="Second d6").fill("5")
    answer(stub_page, "choices", params=[], dice=[die], ruling={"allowed": True})
    stub_page.page.keyboard.press("Enter")
    sent = stub_page.wait_for_sent("damage")
    assert (sent["amount"], sent["rolls"]) == ("2d6+3", {"damage": [4, 5]})


def test_who_may_act_now_has_buttons_on_their_rung(stub_page: StubPage) -> None:
    acts: dict[str, Any] = {"Ilya": {"acts": [{"id": "act_now", "title": "Act now"}]}}
    acts |= {"Ossik": {"acts": [{"id": "use_readied", "title": "Use it"}, {"id": "pass", "title": "Let go"}]}}
    root = stub_page.mount("ladder", {"view": acting(**acts)})
    rung(root, "Ilya").get_by_role("button", name="Act now").click()
    stub_page.wait_for_sent("do")
    refuse(stub_page, "do", "Mara has already acted.", "saga.delay.what")
    answer(stub_page, "choices", params=[], dice=[], ruling={"allowed": False, "reason": ["Mara has already acted."]})
    expect(root.get_by_role("form", name="Act now: Ilya")).to_contain_text("Mara has already acted.")
    rung(root, "Ossik").get_by_role("button", name="Let go").click()
    stub_page.wait_for_sent("pass")
    assert [each for each in calls(stub_page) if each["kind"] != "choices"] == [
        {"kind": "do", "name": "Ilya", "action": "act_now", "params": {}},
        {"kind": "pass", "name": "Ossik"},
    ]


def test_players_have_nothing_to_press(stub_page: StubPage) -> None:
    view = acting(Ilya={"acts": [{"id": "act_now", "title": "Act now"}]}) | {"acts": False, "players": True}
    root = stub_page.mount("ladder", {"view": view})
    expect(rung(root, "Mara")).to_be_visible()
    expect(root.locator(".ck-rung button:not([data-rule])")).to_have_count(0)
    rung(root, "Mara").press("d")
    assert intents(stub_page) == []


def test_the_form_goes_with_the_gms_view(stub_page: StubPage) -> None:
    root = opened(stub_page)
    delta(stub_page, (["acts"], False))
    expect(root.get_by_role("form")).to_have_count(0)
    expect(root.get_by_role("checkbox")).to_have_count(0)


def test_a_tracker_asks_for_damage_on_its_ladder(stub_page: StubPage) -> None:
    views = fight()
    views["ladder"] = acting()
    root = mount_tracker(stub_page, views)
    expect(vital(root, "Mara")).to_be_visible()
    root.get_by_role("button", name="End turn").focus()
    stub_page.page.keyboard.press("d")
    desk = root.get_by_role("group", name="Action budget: Mara")
    expect(desk.get_by_role("form", name="Damage or heal")).to_be_visible()
    expect(desk.get_by_role("heading", name="Damage or heal")).to_be_visible()
    assert focused(stub_page) == "How much"


STATS = [
    {"id": "hp", "title": "Hit points", "type": "int", "default": None, "min": 0, "max": None, "vital": True},
    {"id": "feats", "title": "Feats", "type": "list", "default": [], "min": None, "max": None, "vital": False},
    {"id": "portrait", "title": "Portrait", "type": "text", "default": None, "min": None, "max": None, "vital": False},
    {
        "id": "weapons",
        "title": "Weapons",
        "type": "rows",
        "parts": [["name", "Name", "text"], ["attack", "Attack", "int"], ["damage", "Damage", "dice"]],
        "default": [],
        "min": None,
        "max": None,
        "vital": False,
    },
]
CARD: dict[str, Any] = {
    "name": "Mara",
    "side": "rebels",
    "npc": False,
    "stats": STATS,
    "has": {
        "hp": 22,
        "feats": ["Quick Draw"],
        "portrait": "★",
        "weapons": [{"name": "Blaster rifle", "attack": 9, "damage": "3d8+2"}, {"name": "Club", "damage": "1d6"}],
    },
    "lines": [["Attributes", "agility 3"]],
    "conditions": [{"id": "prone", "word": "prone", "lasts": "until end of turn"}],
    "left": [
        {"id": "standard", "title": "Standard", "total": 1, "left": 0},
        {"id": "move", "title": "Move", "total": 1, "left": 1},
    ],
}


def carded(page: StubPage, name: str = "Mara", **changed: object) -> Locator:
    """Show a ladder with somebody's card open."""
    root = page.mount("ladder", {"view": acting()})
    root.get_by_role("button", name=f"{name}: card").click()
    answer(page, "card", **{**CARD, "name": name, **changed})
    return root


def test_a_name_opens_the_card_and_what_was_changed_is_sent(stub_page: StubPage) -> None:
    root = carded(stub_page)
    form = root.get_by_role("form", name="Card: Mara")
    assert focused(stub_page) == "Card: Mara"
    expect(form).to_contain_text("Left: Standard 0 of 1, Move 1 of 1")
    expect(form).to_contain_text("Attributes: agility 3")
    expect(form.get_by_role("textbox", name="Feats")).to_have_value("Quick Draw")
    form.get_by_role("spinbutton", name="Hit points").fill("30")
    form.get_by_role("textbox", name="Feats").fill("")
    form.get_by_role("textbox", name="Damage of weapon 2").fill("2d6")
    form.get_by_role("button", name="Remove Blaster rifle").click()
    form.get_by_role("button", name="Add a weapon").click()
    assert focused(stub_page) == "Name of weapon 2"
    stub_page.page.keyboard.type("Sling")
    form.get_by_role("textbox", name="Attack of weapon 2").fill("-1")
    stub_page.page.keyboard.press("Enter")
    weapons = [{"name": "Club", "damage": "2d6"}, {"name": "Sling", "attack": -1}]
    assert calls(stub_page) == [{"kind": "edit", "name": "Mara", "hp": 30, "feats": None, "weapons": weapons}]
    answer(stub_page, "card", **CARD)
    expect(form).to_have_count(0)
    expect(root.get_by_role("button", name="Mara: card")).to_be_focused()


def test_a_card_reveals_who_somebody_is_by_one_press(stub_page: StubPage) -> None:
    root = carded(stub_page, has={**CARD["has"], "shown_as": "a hooded man"})
    expect(root.get_by_role("form")).to_contain_text("Players see a hooded man.")
    root.get_by_role("button", name="Reveal Mara").click()
    assert calls(stub_page) == [{"kind": "reveal", "name": "Mara"}]
    answer(stub_page, "card", **CARD)
    expect(root.get_by_role("button", name="Reveal Mara")).to_have_count(0)
    assert focused(stub_page) == "Card: Mara"


def test_a_card_that_is_left_as_it_was_sends_nothing(stub_page: StubPage) -> None:
    root = carded(stub_page)
    root.get_by_role("button", name="Save").click()
    expect(root.get_by_role("form")).to_have_count(0)
    rung(root, "Guard 1").press("c")
    answer(stub_page, "card", **{**CARD, "name": "Guard 1"})
    expect(root.get_by_role("form", name="Card: Guard 1")).to_be_visible()
    stub_page.page.keyboard.press("Escape")
    expect(root.get_by_role("button", name="Guard 1: card")).to_be_focused()
    assert calls(stub_page) == []


def test_a_card_tells_a_refusal_in_place_and_removes_a_condition(stub_page: StubPage) -> None:
    root = carded(stub_page)
    hp = root.get_by_role("spinbutton", name="Hit points")
    hp.fill("31")
    hp.press("Enter")
    refuse(stub_page, "edit", "Mara: hp is 31; give less")
    answer(stub_page, "card", **CARD)
    expect(root.get_by_role("form")).to_contain_text("Mara: hp is 31; give less")
    expect(hp).to_have_value("31")
    root.get_by_role("button", name="Remove it: prone").click()
    answer(stub_page, "card", **{**CARD, "conditions": []})
    expect(root.get_by_role("list", name="Conditions")).to_have_count(0)
    expect(hp).to_have_value("31")
    assert calls(stub_page)[-1] == {"kind": "condition", "name": "Mara", "condition": "prone", "off": True}


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_a_card_in_a_tracker_is_clean_at_every_width(stub_page: StubPage, theme: Theme) -> None:
    views = fight()
    views["ladder"] = acting(Mara={"portrait": "★"})
    root = mount_tracker(stub_page, views)
    stub_page.set_theme(theme)
    root.get_by_role("button", name="Mara: card").click()
    conditions = [*CARD["conditions"], {"id": "x", "word": HOSTILE, "lasts": f"until {LONG}"}]
    answer(stub_page, "card", "ladder", **{**CARD, "name": LONG, "conditions": conditions})
    for width in (420, 1280):
        stub_page.set_width(width)
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        for target in root.locator(".ck-card :is(button, input)").all():
            box = target.bounding_box()
            assert box
            assert box["height"] >= (44 if width == 420 else 24) - 0.5, target.evaluate("el => el.outerHTML")
        stub_page.screenshot(f"sheet-card-{theme}-{width}")


def test_a_bar_says_with_a_minus_sign_what_is_left(stub_page: StubPage) -> None:
    root = stub_page.mount("ladder", {"view": acting(Vex={"vital": [-2, 14]})})
    bar = root.get_by_role("button", name="Vex: \N{MINUS SIGN}2 of 14. Damage or heal")
    expect(bar).to_contain_text("\N{MINUS SIGN}2")


@pytest.mark.parametrize("name", mostly_long([HOSTILE, LONG], HOSTILE))
def test_hostile_and_long_names_stay_inside(stub_page: StubPage, name: str) -> None:
    view = acting(Guard_1={"name": name, "label": [f"{name}, initiative 18, ", ""], "portrait": "★"})
    root = stub_page.mount("ladder", {"view": view})
    root.get_by_role("button", name=f"{name}: 12 of 16. Damage or heal").click()
    answer(
        stub_page, "deal", vitals=[], vital="hp", conditions=[HOSTILE], untils=[""], rungs={}, words={}, why=[HOSTILE]
    )
    expect(root.locator(".ck-list")).to_contain_text(name)
    expect(root.locator("img")).to_have_count(0)
    for width in WIDTHS:
        stub_page.set_width(width)
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
@pytest.mark.parametrize("name", mostly_long(FIGHTS, "cells"))
def test_axe_targets_and_pictures(stub_page: StubPage, name: str, theme: Theme) -> None:
    view = acting(name)
    for row in view["rows"].values():
        row["vital"] = row.get("vital") or [7, 16]
    view["rows"]["2"]["acts"] = [{"id": "use", "title": "Use it"}, {"id": "pass", "title": "Let go"}]
    views = fight(name)
    views["ladder"] = view
    root = mount_tracker(stub_page, views)
    stub_page.set_theme(theme)
    names = [view["rows"][id]["name"] for id in view["order"][:3]]
    vital(root, names[1]).click()
    stub_page.page.keyboard.type("5")
    came: dict[str, Any] = {names[1].replace(" ", "_"): [7, 16, 2]}
    dealing(stub_page, to="ladder", **came)
    root.get_by_role("button", name="Condition", exact=True).click()
    for width in (420, 1280):
        stub_page.set_width(width)
        assert stub_page.axe() == []
        assert stub_page.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        least = 44 if width == 420 else 24
        for target in root.locator(".ck-deal :is(button, input, select):visible").all():
            box = target.bounding_box()
            assert box
            assert min(box["width"], box["height"]) >= least - 0.5, target.inner_html()
        stub_page.screenshot(f"sheet-{name}-{theme}-{width}")
