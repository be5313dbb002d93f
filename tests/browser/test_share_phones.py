"""Phones at a real table: what one lets go the others see, and each types its own dice."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from playwright.sync_api import BrowserContext, Page, ViewportSize, WebSocketRoute, expect

import combatkit as ck
from combatkit.share import Room, Seat
from tests.browser.failures import Recorder, open_page
from tests.test_owed import brawl, hit, turn_of
from tests.test_seat_dice import SHEETS, duel
from tests.test_seat_forms import ZONED, docks
from tests.test_share_restart import AGAIN, ASKED, kernel
from tests.waiting import until
from tests.windows_asked import ap, d6, segments

FILLED = "el => getComputedStyle(el).backgroundColor !== 'rgba(0, 0, 0, 0)'"
PHONE: ViewportSize = {"width": 390, "height": 844}


def sit(context: BrowserContext, seat: Seat) -> Page:
    """Open a seat's page."""
    page = open_page(context)
    page.goto(seat.url)
    return page


def zone(page: Page) -> Any:
    return page.get_by_role("group", name="Result")


def waits(room: Room, seat: str) -> bool:
    """Check whether what was tapped at a seat waits: before that its page may have asked how it is done."""
    waiting: list[Any] = [each for inbox in list(room.posts[seat]._inboxes.values()) for each in list(inbox._waiting)]
    return any(asked["kind"] == "do" for asked in waiting)


def test_what_is_let_go_is_seen_by_all_and_the_last_one_carries_on(new_context: Recorder) -> None:
    enc = ap()
    gm = ck.Tracker(enc)
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, ben = (sit(context, room.seat(name, plays=who)) for name, who in (("Anna", ["Mara"]), ("Ben", ["Ilya"])))
        expect(anna.locator(".ck-turn")).to_contain_text("You may react")
        for page in (anna, ben):
            expect(page.get_by_role("button", name=re.compile("Let"))).to_have_count(1)
        anna.get_by_role("button", name="Let it go").click()
        expect(zone(anna)).to_contain_text("You let it go. Waiting for Ben and your GM.")
        expect(anna.locator(".ck-budget button, .ck-budget input")).to_have_count(0)
        expect(anna.locator(".ck-budget .ck-slot").first).to_be_visible()
        expect(zone(ben)).to_contain_text("Waiting for you and your GM.")
        anna.reload()
        expect(zone(anna)).to_contain_text("You let it go. Waiting for Ben and your GM.")
        anna.get_by_role("button", name="Take back").click()
        expect(zone(ben)).to_contain_text("Waiting for you, Anna and your GM.")
        anna.get_by_role("button", name="Let it go").click()
        ben.get_by_role("button", name="Let it go").click()
        expect(zone(ben)).to_contain_text("You let it go. Waiting for your GM.")
        answered: Any = gm._answer({"kind": "pass", "name": "Guard 2"})
        assert answered is None
        for page in (anna, ben):
            expect(zone(page)).not_to_contain_text("Waiting for")
        assert not enc.pending
        done(room)


def test_whoever_others_are_aimed_at_lets_it_go_by_the_thumb_and_has_chosen_nothing(new_context: Recorder) -> None:
    with ap().share(ask=True) as room, new_context.lent(viewport=PHONE) as context:
        anna, ben = (sit(context, room.seat(name, plays=who)) for name, who in (("Anna", ["Mara"]), ("Ben", ["Ilya"])))
        thumb = ".ck-ctl > .is-pass"
        expect(anna.locator(thumb)).not_to_contain_class("is-main")
        expect(anna.locator('.ck-pick[aria-pressed="true"]')).to_have_count(1)
        expect(ben.locator(thumb)).to_contain_class("is-main")
        expect(ben.locator(".ck-pick, .is-asking")).to_have_count(0)
        for page in (anna, ben):
            box = page.locator(thumb).bounding_box()
            assert box is not None
            assert box["y"] + box["height"] <= PHONE["height"]
            assert box["width"] > PHONE["width"] / 2
        ben.get_by_role("button", name="React all the same").click()
        expect(ben.locator('.ck-pick[aria-pressed="true"], .is-asking')).to_have_count(0)
        assert ben.locator(thumb).evaluate(FILLED)
        ben.get_by_role("button", name="Parry").click()
        expect(ben.get_by_role("button", name="It worked")).to_be_visible()
        assert not ben.locator(thumb).evaluate(FILLED), "what is being answered is the one solid thing"
        ben.get_by_role("button", name="It worked").click()
        expect(ben.locator(".seat-said")).to_contain_text("Ilya parries Guard 1; it worked.")
        expect(ben.locator(".ck-desk")).to_have_attribute("inert", "")
        ben.get_by_role("button", name="Take it back").click()
        expect(ben.locator(".ck-desk")).not_to_have_attribute("inert", "")
        ben.locator(thumb).click()
        expect(zone(ben)).to_contain_text("You let it go. Waiting for Anna and your GM.")
        done(room)


def test_an_answer_that_failed_is_told_and_then_who_is_waited_for(new_context: Recorder) -> None:
    with ap().share() as room, new_context.lent(viewport=PHONE) as context:
        anna, again = (sit(context, room.seat("Anna", plays=["Mara"])) for _ in range(2))
        ask, answer = (anna.get_by_text("Parry: did it work?"), anna.get_by_role("button", name="It worked"))
        tops = [
            box["y"] + box["height"] if each is ask else box["y"]
            for each in (ask, answer)
            if (box := each.bounding_box())
        ]
        assert tops == sorted(tops), "the question stands over its answers"
        anna.get_by_role("button", name="It failed").click()
        for page in (anna, again):
            expect(zone(page)).to_contain_text("Mara parries. Mara fails, and can't try again.")
            expect(zone(page)).to_contain_text("Waiting for your GM.")
        done(room)


def test_what_another_answers_moves_nothing_where_one_is_still_asked(new_context: Recorder) -> None:
    with ap().share() as room, new_context.lent(viewport=PHONE) as context:
        room.seat("Anna", plays=["Mara"])
        ben = sit(context, room.seat("Ben", plays=["Ilya"]))
        react = ben.get_by_role("button", name="React all the same")
        before = react.bounding_box()
        room.encounter.do("Mara", "parry", outcome="foiled")
        expect(zone(ben)).to_contain_text("Mara parries. Mara foils it.")
        assert react.bounding_box() == before
        done(room)


def test_who_wants_that_lets_go_what_is_aimed_at_others(new_context: Recorder) -> None:
    """It goes by itself, once a window, and the one who is aimed at is asked as before."""
    with ap().share() as room, new_context.lent(viewport=PHONE) as context:
        anna, ben = (sit(context, room.seat(name, plays=who)) for name, who in (("Anna", ["Mara"]), ("Ben", ["Ilya"])))
        for page in (anna, ben):
            page.get_by_label("Let go what isn't aimed at me").check()
        expect(zone(ben)).to_contain_text("You let it go.")
        expect(anna.locator('.ck-pick[aria-pressed="true"]')).to_have_count(1)
        ben.reload()
        expect(ben.get_by_label("Let go what isn't aimed at me")).to_be_checked()
        enc = room.encounter
        enc.adjust("Guard 2", by=-1)
        enc.undo()  # all are asked anew by that, and nothing goes by itself: the GM could take nothing back
        expect(zone(ben)).not_to_contain_text("You let it go.")
        done(room)


def crew(*names: str, **options: Any) -> ck.Encounter:
    """A crew of two and a gang, who may all react to everything; it has not begun."""
    enc = ck.Encounter("ap", id="crew", seed=7, **options)
    common: dict[str, Any] = {"hp": 20, "weapons": [{"name": "Knife", "attack": 5}]}
    for name in ("Kess", "Ossik"):
        enc.add(name, side="crew", **common)
    for name in names:
        enc.add(name, side="gang", npc=True, **common)
    return enc


def to_turn_of(enc: ck.Encounter, name: str) -> None:
    while enc.active != name:
        enc.end_turn()


def test_whoever_plays_two_is_told_who_is_asked_and_lets_go_for_each(new_context: Recorder) -> None:
    enc = crew("Vex", "Dray")
    gm = ck.Tracker(enc)
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna = sit(context, room.seat("Anna", plays=["Kess", "Ossik"]))
        chips, thumb = anna.get_by_role("group", name="You play"), anna.locator(".ck-ctl > .is-pass")
        expect(anna.locator(".ck-turn")).to_contain_text("You play Kess and Ossik")
        expect(chips).to_have_count(0)  # before the start there is nothing to choose
        enc.start()
        to_turn_of(enc, "Vex")
        enc.do("Vex", "attack", target="Kess", rolls={"attack": [15]})
        expect(thumb).to_contain_text("Kess lets it go")
        expect(chips.get_by_role("button")).to_have_text([re.compile("Kess.*asked"), re.compile("Ossik.*asked")])
        thumb.click()
        expect(thumb).to_contain_text("Ossik lets it go")
        expect(chips.get_by_role("button", name="asked")).to_have_count(1)
        thumb.click()
        expect(zone(anna)).to_contain_text("Kess and Ossik let it go. Waiting for your GM.")
        anna.get_by_label("Let go what isn't aimed at me").check()
        assert gm._answer({"kind": "pass"}) is None
        enc.damage("Kess", 1, attacker="Vex")
        to_turn_of(enc, "Kess")
        enc.do("Kess", "attack", target="Vex", rolls={"attack": [15]})
        expect(zone(anna)).to_contain_text("Ossik lets it go. Waiting for your GM.")
        assert gm._answer({"kind": "pass"}) is None
        enc.damage("Vex", 1, attacker="Kess")
        to_turn_of(enc, "Vex")
        enc.do("Vex", "attack", target="Kess", rolls={"attack": [15]})
        expect(zone(anna)).to_contain_text("Ossik lets it go. Waiting for Kess and your GM.")
        expect(thumb).to_contain_text("Kess lets it go")
        done(room)


def test_while_the_gm_plays_somebody_hidden_a_phone_says_what_became_of_its_tap(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="docks", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Lurk", side="empire", npc=True)
    enc.condition("Lurk", "hidden")
    enc.start(rolls={"Mara": 20, "Lurk": 1})
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page, screen = sit(context, room.seat("Anna", plays=["Mara"])), open_page(context)
        screen.goto(room.screen().url)
        page.get_by_role("button", name="End my turn").first.click()
        expect(page.get_by_role("heading", name="The GM is busy")).to_be_visible()
        expect(page.get_by_text("You ended your turn.").first).to_be_visible()
        expect(screen.locator(".seat-said")).not_to_contain_text("you")
        enc.end_turn()
        expect(page.locator(".seat-said")).to_have_count(0)
        expect(page.locator(".ck-desk")).not_to_have_attribute("inert", "")
        room.pause()
        expect(page.locator(".ck-desk")).to_have_attribute("inert", "")
        room.pause(False)
        expect(page.locator(".ck-desk")).not_to_have_attribute("inert", "")
        done(room)


def test_what_is_asked_in_three_lines_is_not_printed_over_what_it_takes(new_context: Recorder) -> None:
    enc = ck.Encounter("ap", id="asked", seed=7)
    enc.add("Wilhelmina Hollenbeck", side="heroes", hp=20)
    enc.add("Ulverton the Elder", side="cult", npc=True, hp=20)
    enc.start()
    if enc.active != "Wilhelmina Hollenbeck":
        enc.end_turn()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page = sit(context, room.seat("Anna", plays=["Wilhelmina Hollenbeck"]))
        page.locator('[data-action="attack"]').click()
        page.get_by_role("button", name="Hit").click()
        takes = page.locator(".ck-say > small")
        expect(takes).to_have_text("A number, or dice.")
        last = page.locator(".ck-say > p > b").bounding_box()
        box = takes.bounding_box()
        assert box is not None
        assert last is not None
        assert last["y"] + last["height"] <= box["y"] + 1
        clock = page.locator(".ck-clock")
        assert clock.evaluate("el => el.getBoundingClientRect().height") <= 48
        done(room)


def test_before_the_start_a_phone_says_whom_one_plays_and_who_is_there(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="lobby", seed=7)
    for name in ("Mara", "Ilya"):
        enc.add(name, side="rebels")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, _ben = (sit(context, room.seat(name, plays=[who])) for name, who in (("Anna", "Mara"), ("Ben", "Ilya")))
        expect(anna.locator(".ck-turn")).to_contain_text("You play MaraYour GM has not begun the fight.")
        there = anna.get_by_role("region", name="At the table").get_by_role("listitem")
        expect(there).to_have_text([re.compile("Youplay Mara$"), re.compile("Benplays Ilya.*is here")])
        expect(anna.get_by_label("Sound when it's my turn")).to_be_visible()
        enc.start()
        expect(there).to_have_count(0)
        done(room)


def test_what_a_fight_is_called_stays_as_it_is_in_another_language(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="called", seed=7, title="At the table", language="de")
    enc.add("Mara", side="rebels")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, screen = (sit(context, seat) for seat in (room.seat("Anna", plays=["Mara"]), room.screen()))
        expect(anna.get_by_text("At the table", exact=True)).to_be_visible()
        expect(screen.locator(".scr-turn")).to_have_text("At the table")
        expect(anna.get_by_role("region", name="Am Tisch")).to_be_visible()
        done(room)


def test_another_link_in_the_same_tab_is_another_seat(new_context: Recorder) -> None:
    enc = duel("saga")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        dead = room.seat("Anna", plays=["Mara"])
        room.revoke("Anna")
        page = open_page(context)
        page.goto(dead.url)
        expect(page.get_by_role("heading", name="This link no longer works")).to_be_visible()
        expect(page.get_by_label("Code")).to_be_visible()
        page.goto(room.seat("Ben", plays=["Mara"]).url)
        expect(page.locator(".ck-turn")).to_be_visible()
        page.goto(room.screen().url)
        expect(page.locator(".scr-turn")).to_be_visible()
        done(room)


def test_a_page_by_a_name_that_is_none_of_the_tables_says_what_helps(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        link, page = room.seat("Anna", plays=["Mara"]).url, open_page(context)
        page.goto(link.replace("127.0.0.1", "table.localhost"))
        expect(page.get_by_role("heading", name="Not connected")).to_be_visible()
        expect(page.get_by_role("status").first).to_contain_text("open the page by the address that your GM's notebook")
        expect(page.get_by_role("button", name="Try now")).to_be_visible()
        assert "A page from http://table.localhost" in room.notice
        page.goto(link)
        expect(page.locator(".ck-turn")).to_contain_text("You play Mara")
        done(room)


RIGHT = """el => {
    const range = document.createRange();
    range.selectNodeContents(el);
    return Math.max(...[...range.getClientRects()].map(each => each.right));
}"""
"""How far the words of something reach."""


def test_nothing_lies_on_something_else_at_the_head_of_a_phone(new_context: Recorder) -> None:
    said = {"segments": "Round 1, Declare", "d6": "Round 1", "phases": "Turn 1 · Phase 1"}
    for system, words in said.items():
        enc = ck.scene("catwalk").encounter(system, seed=7)
        with enc.share() as room, new_context.lent(viewport=PHONE) as context:
            page = sit(context, room.seat("Anna", plays=["Mara"]))
            expect(page.locator(".ck-clock")).to_contain_text(words)
            expect(page.locator(".ck-turn b").first).to_be_visible()
            assert page.locator(".ck-turn").evaluate(OVER_CLOCK) == 0
            page.locator("summary", has_text="Who is next").evaluate("each => each.parentElement.open = true")
            wide = page.locator(".ck-strip > li:not(.is-now)").evaluate_all(
                "all => all.map(each => each.scrollWidth - each.clientWidth)"
            )
            assert max(wide) <= 0
            done(room)


def test_nine_fit_on_the_screen_and_of_ten_it_says_how_many_more(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", seed=7)
    for number in range(9):
        enc.add(f"Guard {number}", side="guards")
    enc.start()
    with enc.share() as room, new_context.lent(viewport={"width": 1280, "height": 720}) as context:
        page = sit(context, room.screen())
        rungs = page.locator(".scr-rung")
        expect(rungs).to_have_count(9)
        last = rungs.last.bounding_box()
        assert last is not None
        assert last["y"] + last["height"] <= 720
        enc.join("Mara", side="rebels")
        expect(page.locator(".scr-more")).to_have_text("2 more")
        expect(rungs).to_have_count(8)
        done(room)


def test_a_players_sheet_cites_no_rule_by_its_id(new_context: Recorder) -> None:
    enc = ck.scene("catwalk").encounter("ap", seed=7)
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page = sit(context, room.seat("Anna", plays=["Guard 1"]))
        told = page.locator(".seat-me .ck-sub")
        expect(told).to_have_text("one roll for the group, added first §")
        told.get_by_role("button", name="Rules: one roll for the group, added first").click()
        expect(page.locator(".ck-pop")).to_be_visible()
        done(room)


def test_a_phone_types_its_own_dice_where_the_table_rolls(new_context: Recorder) -> None:
    enc = ck.Encounter("ap", id="phones", seed=7)
    sheet: dict[str, Any] = {"attack_bonus": 3, "defense": 11, "weapons": [{"name": "axe", "damage": "1d6"}]}
    for name, side in (("Mara", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side, npc=side == "empire", hp=25, **sheet)
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    enc.table_dice = True
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        expect(page.locator(".ck-turn b").first).to_have_text("Your turn")
        page.get_by_role("group", name="Attacks").get_by_role("button").first.click()
        faces = page.locator("input.ck-face")
        expect(faces).to_have_count(2)
        faces.nth(0).fill("25")
        expect(page.get_by_text("25 is not on a d20. Type 1 to 20. Nothing has been rolled yet.")).to_be_visible()
        faces.nth(0).fill("18")
        faces.nth(1).fill("5")
        expect(faces.nth(1)).to_have_value("5")
        faces.nth(1).press("Enter")
        expect(zone(page)).to_contain_text("Guard")
        while enc.pending:
            enc.resolve()
        (attack,) = [event for event in enc._events if event.kind == "attack"]
        assert list(attack.data["faces"]) == [18]
        assert enc["Guard"].values["hp"] == 20
        done(room)


def test_a_finger_finds_the_answers_on_a_phone_held_across(new_context: Recorder) -> None:
    across: ViewportSize = {"width": 844, "height": 390}
    with ap().share() as room, new_context.lent(viewport=across, has_touch=True, is_mobile=True) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        page.get_by_role("button", name="Parry").wait_for()
        heights = page.locator(".ck-pick:visible").evaluate_all("all => all.map(each => each.offsetHeight)")
        assert heights
        assert min(heights) >= 44
        done(room)


def test_at_the_end_it_is_said_in_whole_words_and_nobody_waits_any_more(new_context: Recorder) -> None:
    enc = ap(options={"vital_words": "words"})
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page, screen = sit(context, room.seat("Anna", plays=["Mara"])), sit(context, room.screen())
        expect(screen.locator(".scr-status").first).not_to_be_empty()
        enc.resolve()
        enc.damage(["Guard 1", "Guard 2"], 40)
        enc.finish()
        expect(page.locator(".ck-turn")).to_have_text("The rebels winThe fight is over")
        for gone in (".ck-slots", ".ck-res", ".seat-bell"):
            expect(page.locator(gone)).to_be_hidden()
        expect(screen.locator(".scr-result h2")).to_have_text("The rebels win")
        for rung in screen.locator(".scr-rung:not(.is-out) .scr-status").all():
            expect(rung).to_be_empty()
        for rung in screen.locator(".scr-rung.is-out").all():
            assert rung.inner_text().count("down") == 1
        done(room)


def test_at_the_end_the_card_comes_first_also_where_the_map_is_open(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="ends", seed=7)
    for name, side, x in (("Mara", "rebels", 0), ("Ilya", "rebels", 1), ("Vex", "empire", 4)):
        enc.add(name, side=side, npc=name == "Vex", at=(x, 0))
    enc.start()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page = sit(context, room.seat("Anna", plays=["Mara", "Ilya"]))
        page.locator("summary", has_text="Map").click()
        expect(page.locator(".mp-ground")).to_be_visible()
        enc.condition("Vex", "dead")
        enc.finish()
        expect(page.locator(".ck-won")).to_be_visible()
        parts = [page.locator(each) for each in (".ck-turn", ".ck-won", ".seat-me", ".mp-ground")]
        tops = [box["y"] for part in parts if (box := part.bounding_box())]
        assert len(tops) == len(parts)
        assert tops == sorted(tops)
        done(room)


def test_the_line_that_was_tapped_keeps_the_colour_of_its_zone(new_context: Recorder) -> None:
    with ap().share() as room, new_context.lent(viewport=PHONE) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        page.get_by_role("button", name="Let it go").click()
        expect(zone(page)).to_contain_text("You let it go")
        zone(page).focus()
        colours = zone(page).evaluate(
            "el => [el, el.querySelector('p')].map(each => getComputedStyle(each).backgroundColor)"
        )
        assert colours[1] in {colours[0], "rgba(0, 0, 0, 0)"}
        done(room)


def done(room: Room) -> None:
    assert room._problems == []


def test_how_much_a_blow_takes_is_asked_on_the_phone_of_whoever_struck(new_context: Recorder) -> None:
    enc = duel("saga")
    enc.edit("Mara", weapons=[])
    enc.table_dice = True
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, gm = sit(context, room.seat("Anna", plays=["Mara"])), sit(context, room.gm())
        anna.locator('[data-action="attack"]').click()
        anna.locator(".ck-face").fill("19")
        anna.locator(".ck-work .is-main").click()
        expect(zone(gm)).to_contain_text("Anna says how much.")
        box = anna.get_by_label("How much does Guard lose?")
        expect(box).to_be_focused()
        anna.reload()  # it is asked again
        dealt, said = anna.get_by_role("button", name="Damage", exact=True), anna.locator(".ck-say")
        dealt.click()
        assert enc["Guard"].values["hp"] == 20, "nothing was typed"
        asked, above = dealt.bounding_box(), said.bounding_box()
        assert asked is not None
        assert above is not None
        assert asked["y"] >= above["y"] + above["height"] - 1, "in a line of its own"
        box.fill("9")
        dealt.click()
        expect(zone(gm)).to_contain_text("Guard loses 9, 11 of 20 left.")
        expect(box).to_have_count(0)
        anna.get_by_role("button", name="Take back").click()
        expect(box).to_be_visible()
        done(room)


def test_what_must_be_answered_has_no_way_out(new_context: Recorder) -> None:
    enc = duel("d6")
    enc.edit("Mara", resolve=4)
    enc.condition("Mara", "wounded")
    enc.end_turn()
    enc.do("Guard", "attack", target="Mara", outcome="hit", damage=9)
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna = sit(context, room.seat("Anna", plays=["Mara"]))
        expect(anna.get_by_role("form")).to_be_visible()
        expect(anna.get_by_role("button", name="Cancel")).to_have_count(0)
        done(room)


def test_a_rules_words_give_way_to_what_is_asked(new_context: Recorder) -> None:
    enc = ap()
    enc.undo()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna = sit(context, room.seat("Anna", plays=["Mara"]))
        anna.locator("[data-rule]:visible").first.click()
        expect(anna.locator(":popover-open")).to_have_count(1)
        enc.do("Guard 1", "attack", target="Mara")
        expect(anna.locator(".ck-turn")).to_contain_text("You may react")
        expect(anna.locator(":popover-open")).to_have_count(0)
        done(room)


def test_a_page_of_the_gms_begins_without_a_refusal_and_offers_no_shelf(new_context: Recorder) -> None:
    enc = ck.Encounter("ap", seed=7)
    enc.add("Mara", side="crew", hp=20)
    with enc.share() as room, new_context.lent() as context:
        gm = sit(context, room.gm())
        expect(zone(gm)).to_contain_text("joins the fight")
        expect(gm.get_by_role("combobox", name="Rules")).to_have_count(0)
        expect(gm.get_by_text("in your notebook, not on this page")).to_have_count(0)
        expect(gm.get_by_role("searchbox")).to_have_count(0)
        expect(gm.get_by_role("button", name="Choose a file")).to_have_count(0)
        done(room)


def test_looking_back_on_a_phone_shows_what_happened(new_context: Recorder) -> None:
    enc = duel("saga")
    enc.end_turn()
    enc.finish()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        gm = sit(context, room.gm())
        gm.get_by_role("button", name="Look back").click()
        expect(zone(gm)).to_contain_text("You are at event")
        expect(gm.get_by_role("slider", name="Moment")).to_be_visible()
        expect(gm.locator(".ck-log")).to_contain_text("does nothing")
        done(room)


def test_the_clock_lies_on_nothing_where_a_phone_held_across_says_one_is_hit(new_context: Recorder) -> None:
    enc = duel("saga")
    enc.end_turn()
    across: ViewportSize = {"width": 844, "height": 390}
    with enc.share() as room, new_context.lent(viewport=across, has_touch=True, is_mobile=True) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        expect(page.locator(".ck-turn")).to_be_visible()
        enc.damage("Mara", 5, attacker="Guard")
        hurt = page.locator(".ck-hurt")
        expect(hurt).to_have_text("You are hit for 5, 15 left.")
        said, clock = hurt.bounding_box(), page.locator(".ck-clock").bounding_box()
        assert said is not None
        assert clock is not None
        assert said["y"] + said["height"] <= clock["y"] + 1
        done(room)


CLIPPED = "each => Math.max(each.scrollHeight - each.clientHeight, each.scrollWidth - each.clientWidth)"
"""How much of something isn't seen."""


def test_on_a_phone_held_across_all_is_said_in_full_and_lies_on_nothing(new_context: Recorder) -> None:
    enc = ap(options={"vital_words": "words"})
    enc.resolve()
    while enc.active != "Mara":
        enc.end_turn()
    across: ViewportSize = {"width": 844, "height": 390}
    with enc.share() as room, new_context.lent(viewport=across, has_touch=True, is_mobile=True) as context:
        anna, ben = (sit(context, room.seat(name, plays=who)) for name, who in (("Anna", ["Mara"]), ("Ben", ["Ilya"])))
        expect(anna.locator(".ck-turn")).to_contain_text("Your turn")
        enc.do("Mara", "attack", target="Guard 2")
        ben.get_by_role("button", name="Let it go").click()
        expect(zone(ben)).to_contain_text("Waiting for your GM.")
        for page in (anna, ben):
            say = page.locator(".ck-say")
            assert say.evaluate(CLIPPED) <= 0
            assert all(each <= 0 for each in say.locator("> *").evaluate_all(f"all => all.map({CLIPPED})"))
        said, clock = anna.locator(".ck-turn small").last, anna.locator(".ck-clock").bounding_box()
        expect(said).to_contain_text("may react")
        assert clock is not None
        assert said.evaluate(RIGHT) <= clock["x"]
        word = ben.locator(".ck-rung .h", has_text="fresh").first
        assert word.evaluate(CLIPPED) <= 0
        done(room)


OVER_CLOCK = """turn => {
    const rects = all => {
        const words = document.createTreeWalker(all, NodeFilter.SHOW_TEXT), range = document.createRange(), found = [];
        while (words.nextNode()) {
            range.selectNodeContents(words.currentNode);
            found.push(...range.getClientRects());
        }
        return found.filter(each => each.width);
    };
    const clock = rects(turn.parentElement.querySelector(".ck-clock"));
    return rects(turn).filter(each => clock.some(at => each.right > at.left + 1 && each.bottom > at.top + 1)).length;
}"""
"""How many lines of what is said lie on the clock."""


def test_what_one_is_hit_for_lies_on_no_clock_of_a_phase(new_context: Recorder) -> None:
    enc = ck.Encounter("phases", id="hurt", seed=7)
    for name, side in (("Mara", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side, npc=side == "empire", stun=35)
    enc.start()
    with enc.share() as room, new_context.lent(viewport=PHONE, has_touch=True, is_mobile=True) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        expect(page.locator(".ck-turn")).to_be_visible()
        turn, told = page.locator(".ck-turn.is-now").bounding_box(), page.locator(".ck-res").bounding_box()
        assert turn is not None
        assert told is not None
        assert turn["y"] + turn["height"] >= told["y"] - 1, "a clock of three lines leaves no gap below it"
        for left in (26, 17, 8):
            enc.damage("Mara", 9, attacker="Guard")
            expect(page.locator(".ck-res")).to_contain_text(str(left))
            expect(page.locator(".ck-hurt")).to_contain_text("stun")
            expect(page.locator(".ck-turn.is-now")).to_have_count(int(enc.active == "Mara"))
            assert page.locator(".ck-turn").evaluate(OVER_CLOCK) == 0
            hurt = page.locator(".ck-hurt").bounding_box()
            assert hurt is not None
            assert hurt["height"] < 40, "it has the width of the clock too, which stands below it"
            below = page.locator(".ck-turn > div > small").first.bounding_box()
            assert below is not None
            assert enc.active != "Mara" or below["height"] < 50, "who comes then has a line beside the clock"
            enc.end_turn()
        done(room)


def test_the_clock_of_ones_own_turn_is_as_wide_as_that_of_anothers(new_context: Recorder) -> None:
    """Its wash took the space at its sides off the clock: "Round / 1, Fast / actions / 0:00"."""
    enc = ck.Encounter("segments", id="clock", seed=7)
    for name, side in (("Mara", "party"), ("Zealot", "cult")):
        enc.add(name, side=side, npc=side == "cult", hp=30)
    enc.start()
    with enc.share() as room, new_context(viewport=PHONE, has_touch=True, is_mobile=True) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        expect(page.locator(".ck-turn")).to_contain_text("Say what you'll do")
        assert page.locator(".ck-turn").evaluate(OVER_CLOCK) == 0
        enc.do("Mara", "declare", action="charge")
        enc.end_turn(rolls={"party": [5], "cult": [2]})
        expect(page.locator(".ck-turn.is-now")).to_contain_text("Your turn")
        expect(page.locator(".ck-clock")).to_contain_text("Fast actions")
        clock = page.locator(".ck-clock").bounding_box()
        assert clock is not None
        assert clock["height"] <= 3 * 18 + 12
        assert page.locator(".ck-turn").evaluate(OVER_CLOCK) == 0
        done(room)


def test_whoever_is_struck_aborts_with_one_large_button(new_context: Recorder) -> None:
    enc = ck.Encounter("phases", id="hurt", seed=7)
    for name, side, score in (("Guard", "empire", 9), ("Mara", "rebels", 5)):
        enc.add(name, side=side, npc=side == "empire", stun=35, body=10, combat_value=score)
    enc.start()
    with enc.share() as room, new_context.lent(viewport=PHONE, has_touch=True, is_mobile=True) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        enc.damage("Mara", 9, attacker="Guard")
        expect(page.locator(".ck-hurt")).to_be_visible()
        expect(page.locator(".seat-me")).to_contain_text("26 of 35 stun · 10 body")
        abort = page.get_by_role("button", name="Abort", exact=True)
        box = abort.bounding_box()
        assert box is not None
        assert box["height"] >= 56
        assert box["width"] >= PHONE["width"] * 0.8
        abort.tap()
        expect(page.get_by_role("button", name="Dodge", exact=True)).to_be_visible()
        done(room)


def test_what_a_phone_said_is_taken_back_there_too_and_a_tap_puts_it_away(new_context: Recorder) -> None:
    enc = duel("saga")
    enc.end_turn()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, screen = (sit(context, seat) for seat in (room.seat("Anna", plays=["Mara"]), room.screen()))
        hurt = anna.locator(".ck-hurt")
        expect(anna.locator(".ck-turn")).to_be_visible()
        enc.damage("Mara", 5, attacker="Guard")
        expect(hurt).to_have_text("You are hit for 5, 15 left.")
        enc.undo()
        expect(zone(anna)).to_have_text("Undone: Damage (Mara).You have 20 again.")
        expect(screen.get_by_text("Undone: Damage (Mara).")).to_be_visible()
        expect(hurt).to_have_count(0)
        enc.redo()
        expect(zone(anna)).to_contain_text("Done again.")
        hurt.click()
        expect(hurt).to_be_hidden()
        enc.damage("Mara", 2, attacker="Guard")
        expect(hurt).to_have_text("You are hit for 2, 13 left.")
        expect(hurt).to_be_visible()
        done(room)


def test_on_a_phone_what_selects_selects_and_a_button_that_says_so_sends(new_context: Recorder) -> None:
    enc = ck.scene("catwalk").encounter("d6", seed=7)
    while enc.active != "Mara":
        enc.end_turn()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page = sit(context, room.seat("Anna", plays=["Mara"]))
        events = len(enc._events)
        page.get_by_role("button", name="Use a Skill").click()
        page.locator(".ck-pick").first.click()
        expect(page.get_by_role("button", name="Use a Skill now")).to_be_visible()
        page.get_by_role("button", name="Cancel").click()
        pane = page.locator(".ck-parts")
        pane.evaluate("el => el.scrollTo(0, 150)")
        page.get_by_role("button", name=re.compile("^Hold")).click()
        page.get_by_label("Trigger").fill("somebody runs")
        pane.evaluate("el => el.scrollTo(0, 9999)")
        page.get_by_role("group", name="Hold: Action").get_by_role("button", name="Attack").click()
        expect(page.get_by_role("button", name="Hold now")).to_be_enabled()
        assert len(enc._events) == events, "choosing has done nothing"
        page.get_by_role("button", name="Cancel").click()
        expect(pane).to_have_js_property("scrollTop", 150)
        page.get_by_role("button", name=re.compile("^Hold")).click()
        page.get_by_label("Trigger").fill("somebody runs")
        page.get_by_role("group", name="Hold: Action").get_by_role("button", name="Attack").click()
        page.get_by_role("button", name="Hold now").click()
        expect(zone(page)).to_contain_text("Mara holds an attack")
        done(room)


def test_the_gms_second_screen_says_who_is_there_pauses_and_offers_nothing_it_refuses(new_context: Recorder) -> None:
    enc = ap()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        gm, anna = (sit(context, seat) for seat in (room.gm(), room.seat("Anna", plays=["Mara"])))
        room.seat("Ben", plays=["Ilya"])
        gm.locator(".seat-table summary").click()
        expect(gm.get_by_role("listitem").filter(has_text="Anna")).to_contain_text("is here")
        expect(gm.get_by_role("listitem").filter(has_text="Ben")).to_contain_text("not here yet")
        gm.get_by_role("button", name="Pause the table").click()
        expect(anna.get_by_role("heading", name="The table is paused")).to_be_visible()
        gm.get_by_role("button", name="Go on").click()
        expect(anna.get_by_role("heading", name="The table is paused")).to_have_count(0)
        enc.resolve()
        enc.finish()
        expect(gm.get_by_role("button", name="Save a picture")).to_be_visible()
        for name in ("New fight, heroes rested", "Run it again"):
            expect(gm.get_by_role("button", name=name)).to_have_count(0)
        done(room)


def test_the_gms_second_screen_has_the_settings_and_asks_first(new_context: Recorder) -> None:
    with ap().share() as room, new_context.lent(viewport=PHONE) as context:
        gm = sit(context, room.gm())
        gm.locator(".seat-table summary").click()
        asks, throws = (
            gm.get_by_label(words) for words in ("Ask me before a seat does anything", "Seats roll their own dice")
        )
        expect(asks).not_to_be_checked()
        expect(throws).to_be_checked()
        asks.check()
        expect(asks).to_be_checked()
        room.choose(throws=False)
        expect(throws).not_to_be_checked()
        gm.get_by_role("button", name="More", exact=True).click()
        gm.get_by_role("button", name="Settings").click()
        settings = gm.get_by_role("group", name="Settings")
        expect(settings.get_by_role("heading", name="House rules")).to_be_visible()
        settings.get_by_label("Turn timer").check()
        expect(gm.get_by_role("timer")).to_be_visible()
        assert room.chosen.asks, "what a page asks is done in order"
        expect(settings.get_by_role("form", name="Title")).to_be_visible()
        expect(settings.get_by_role("form", name=re.compile("Journal|Seed"))).to_have_count(0)
        expect(settings.get_by_text("They are chosen in your notebook.")).to_be_visible()
        done(room)


def test_a_pause_is_ended_where_the_gm_reads_of_it(new_context: Recorder) -> None:
    with ap().share() as room, new_context.lent(viewport=PHONE) as context:
        gm, anna = (sit(context, seat) for seat in (room.gm(), room.seat("Anna", plays=["Mara"])))
        expect(anna.locator(".ck-turn")).to_be_visible()
        room.pause()
        expect(anna.get_by_role("heading", name="The table is paused")).to_be_visible()
        expect(anna.get_by_role("button", name="Go on")).to_have_count(0)
        expect(gm.get_by_role("heading", name="You have paused the table")).to_be_visible()
        gm.get_by_role("button", name="Go on").click()
        expect(anna.get_by_role("heading", name="The table is paused")).to_have_count(0)
        done(room)


def test_a_gm_is_led_to_what_is_theirs_and_waits_for_players_who_are_there(new_context: Recorder) -> None:
    with d6().share() as room, new_context.lent(viewport={"width": 1280, "height": 800}) as context:
        anna, ben = (sit(context, room.seat(name, plays=who)) for name, who in (("Anna", ["Mara"]), ("Ben", ["Ilya"])))
        for page in (anna, ben):
            expect(page.locator(".ck-turn")).to_contain_text("You may react")
        gm = sit(context, room.gm())
        expect(gm.get_by_role("group", name="Action budget: Guard 2")).to_be_visible()
        gm.get_by_role("button", name="Let mine go").click()
        carry = gm.get_by_role("button", name="Carry on")
        expect(carry).to_be_visible()
        assert not carry.evaluate(FILLED)
        for page in (anna, ben):
            page.close()
        expect(gm.get_by_role("group", name="Action budget: Mara")).to_be_visible()
        expect(gm.locator(".ck-rung .ck-away")).to_have_count(2)
        expect(carry).not_to_contain_class("is-held")
        done(room)


def test_the_screen_says_which_phase_it_is(new_context: Recorder) -> None:
    enc = ck.scene("catwalk").encounter("phases", seed=5)
    with enc.share() as room, new_context.lent(viewport={"width": 1280, "height": 720}) as context:
        screen = sit(context, room.screen())
        expect(screen.locator("h1")).to_have_text("Turn 1 · Phase 1 0:00")
        while enc.clock.phase == 1:
            enc.end_turn()
        expect(screen.locator("h1")).to_have_text("Turn 1 · Phase 2 0:03")
        enc.damage("Mara", 1)
        expect(screen.locator(".scr-result p")).to_have_text([re.compile("^Mara loses 1 ")])
        done(room)


def test_the_screen_tells_what_the_gm_took_back_in_a_sentence(new_context: Recorder) -> None:
    """Also while somebody is asked; what its header says it does not say again."""
    enc = ap()
    with enc.share() as room, new_context.lent(viewport={"width": 1280, "height": 720}) as context:
        screen = sit(context, room.screen())
        result = screen.locator(".scr-result p")
        expect(result.first).to_have_text("Guard 1 attacks Mara.")
        enc.adjust("Mara", by=-4)
        enc.undo()
        expect(result.nth(1)).to_contain_text(re.compile(r"^Undone: .*Mara.*\. Waiting for"))
        while enc.pending:
            enc.resolve()
        enc.end_turn()
        enc.undo()
        expect(result).to_have_text(["Undone: End turn (Guard 1)."])
        done(room)


def test_in_german_no_button_of_the_gms_phone_and_no_word_of_the_screen_is_cut(new_context: Recorder) -> None:
    with ap(language="de").share() as room, new_context.lent(viewport=PHONE) as context:
        gm, screen, _ = (sit(context, seat) for seat in (room.gm(), room.screen(), room.seat("Anna", plays=["Mara"])))
        expect(
            gm.get_by_role("button", name="F\N{LATIN SMALL LETTER U WITH DIAERESIS}r meine verzichten")
        ).to_be_visible()
        bar, last = (gm.locator(f".ck-ctl{part}").bounding_box() for part in ("", " > .is-main"))
        assert bar is not None
        assert last is not None
        assert last["x"] + last["width"] <= bar["x"] + bar["width"]
        for size in ({"width": 1280, "height": 720}, {"width": 844, "height": 390}):
            screen.set_viewport_size(size)  # type: ignore[arg-type]
            status = screen.locator(".scr-status")
            expect(status).to_have_count(4)
            assert {each.evaluate("el => el.getClientRects().length") for each in status.all()} == {1}
            lines = status.evaluate_all(
                "all => all.map(el => el.offsetHeight / parseFloat(getComputedStyle(el).lineHeight))"
            )
            assert max(lines) < 1.5, lines
        done(room)


def test_dice_that_are_typed_for_whoever_acts_are_not_dropped_while_another_is_looked_at(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="docks", seed=7)
    for name, side in (("Mara", "rebels"), ("Ilya", "rebels"), ("Vex", "empire")):
        enc.add(name, side=side, npc=name == "Vex", hp=20, defense=12, attack_bonus=5)
    enc.start(rolls={"Mara": 20, "Ilya": 12, "Vex": 5})
    gm = ck.Tracker(enc)
    gm._answer({"kind": "dice", "mode": "table"})
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        page = sit(context, room.seat("Anna", plays=["Mara", "Ilya"]))
        page.locator('.ck-desk [data-group="attacks"] .ck-act, .ck-desk .ck-act[data-action="attack"]').first.click()
        page.locator(".ck-work .ck-pick", has_text="Vex").click()
        page.locator(".ck-work .ck-face").first.fill("15")
        page.get_by_role("group", name="You play").get_by_role("button", name="Ilya").click()
        expect(page.locator(".ck-work")).to_have_count(0)
        page.get_by_role("button", name="End my turn").click()
        expect(zone(page)).to_contain_text("Mara's dice aren't sent yet; send them, or cancel.")
        expect(page.locator(".ck-work .ck-face").first).to_have_value("15")
        assert enc.active == "Mara"
        done(room)


def test_what_is_filled_in_outlasts_a_reload_until_it_is_sent(new_context: Recorder) -> None:
    enc = ck.scene("catwalk").encounter("saga", seed=5)
    turn_of(enc, "Mara")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna = sit(context, room.seat("Anna", plays=["Mara"]))
        ready = anna.get_by_role("button", name="Ready", exact=True)
        form = anna.get_by_role("form", name="Ready: Mara")
        ready.click()
        form.get_by_role("button", name="Attack", exact=True).click()
        form.get_by_label("Trigger").fill("the door opens")
        expect(form.get_by_role("button", name="Ready now")).to_be_enabled()
        anna.reload()
        expect(form.get_by_label("Trigger")).to_have_value("the door opens")
        expect(form.get_by_role("button", name="Attack", exact=True)).to_have_attribute("aria-pressed", "true")
        form.get_by_role("button", name="Ready now").click()
        expect(form).to_have_count(0)
        anna.reload()
        expect(anna.locator(".ck-turn")).to_contain_text("Your turn")
        expect(form).to_have_count(0)
        assert [event.action for event in enc._events if event.kind == "action" and event.actor == "Mara"] == ["ready"]
        done(room)


def test_of_several_alike_the_one_that_was_filled_in_outlasts_a_reload(new_context: Recorder) -> None:
    mine = duel("saga")
    mine.edit("Mara", weapons=[{"name": "blaster", "damage": "3d8"}, {"name": "knife", "damage": "1d4"}])
    asked = segments()
    asked.edit("Mara", attacks=["MELEE: sword (1d8)", "MELEE: knife (1d4)"])
    for enc in (mine, asked):
        with enc.share() as room, new_context.lent(viewport=PHONE) as context:
            anna = sit(context, room.seat("Anna", plays=["Mara"]))
            anna.locator(".ck-desk").get_by_role("button", name="knife").click()
            form = anna.get_by_role("form", name="knife: Mara")
            form.get_by_role("button", name="Options").click()
            form.get_by_label("Note").fill("over the table")
            anna.reload()
            expect(form.get_by_label("Note")).to_have_value("over the table")
            done(room)


def test_what_is_typed_and_what_was_let_go_outlast_the_kernel(new_context: Recorder, tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    with new_context.lent(viewport=PHONE) as context:
        anna, ben = open_page(context), open_page(context)
        with kernel(ASKED, path) as first:
            for page, (_, _, url) in zip((anna, ben), first.said["seats"], strict=True):
                page.goto(url)
            anna.get_by_role("button", name="Let it go").click()
            expect(zone(anna)).to_contain_text("You let it go.")
            ben.get_by_role("button", name="React all the same").click()
            ben.get_by_role("button", name="Parry").click()
            ben.get_by_role("button", name="Options").click()
            ben.get_by_label("Note").fill("over the table")
        for page in (anna, ben):
            expect(page.get_by_role("heading", name="Not connected")).to_be_visible()
        expect(ben.locator(".seat-said")).to_contain_text("What you typed is not sent, and stays here.")
        with kernel(AGAIN, path):
            for page in (anna, ben):
                expect(page.get_by_role("heading", name="Not connected")).to_have_count(0)
            expect(zone(anna)).to_contain_text("You let it go. Waiting for Ben and your GM.")
            expect(anna.locator(".ck-pick")).to_have_count(0)
            expect(ben.get_by_label("Note")).to_have_value("over the table")
            ben.get_by_role("button", name="It failed").click()
            expect(zone(ben)).to_contain_text("Ilya parries")
    parries = [event for event in ck.load(path)._events if event.kind == "action" and event.action == "parry"]
    assert [event.note for event in parries] == ["over the table"]


def test_where_nothing_is_told_of_foes_how_they_stand_is_in_their_line(new_context: Recorder) -> None:
    with (
        docks("d6", ZONED).share() as room,
        new_context.lent(viewport={"width": 1280, "height": 720}) as context,
    ):
        screen = sit(context, room.screen())
        expect(screen.locator(".scr-vital > *").first).to_be_visible()
        for rung in screen.locator(".scr-rung").all():
            line, word = rung.bounding_box(), rung.locator(".scr-status").bounding_box()
            assert line is not None
            assert word is not None
            assert line["y"] <= word["y"] <= word["y"] + word["height"] <= line["y"] + line["height"]
        done(room)


ROWS = """all => {
    const [title] = all.children, before = title.clientHeight;
    const more = Object.assign(document.createElement("p"), { textContent: "as the log tells ".repeat(20) });
    all.append(more);
    const isBelow = more.offsetTop >= title.offsetTop + before && title.clientHeight === before;
    more.remove();
    return isBelow;
}"""
"""Whether much that is told besides leaves the headline its width."""


def test_a_screen_with_a_map_says_what_is_left_and_a_banner_cuts_nothing(new_context: Recorder) -> None:
    enc = docks("d6", ZONED, options={"vital_words": "words"})
    enc.damage("Mara", 20)
    with enc.share() as room, new_context.lent(viewport={"width": 1280, "height": 720}) as context:
        screen, gm = sit(context, room.screen()), sit(context, room.gm())
        left = screen.locator(".scr-vital")
        expect(left).to_have_text(["0/20", "fresh", "fresh", "20/20"])
        for each in left.all():
            expect(each).to_be_visible()
        assert screen.locator(".scr-result").evaluate(ROWS), "what else is told has lines of its own"
        room.busy.work()
        expect(screen.get_by_role("heading", name="The GM is busy")).to_be_visible()
        news = screen.locator(".scr-result").bounding_box()
        assert news is not None
        assert news["y"] + news["height"] <= 720
        expect(gm.get_by_role("heading", name="A cell is running")).to_be_visible()
        gm.get_by_role("button", name="End turn").click()
        room.busy.end()
        expect(gm.get_by_role("heading", name="A cell is running")).to_have_count(0)
        expect(gm.locator(".ck-turn")).not_to_contain_text("Mara")
        done(room)


def test_a_long_half_leaves_whose_turn_it_is_its_line_on_the_screen(new_context: Recorder) -> None:
    enc = ck.Encounter("segments", id="halves", seed=7)
    for name, side in (("Wilhelmina", "rebels"), ("Ilya", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side, npc=side == "empire")
    enc.start()
    with enc.share() as room, new_context.lent(viewport={"width": 1280, "height": 800}) as context:
        screen = sit(context, room.screen())
        expect(screen.locator("h1")).to_contain_text("Round 1, Declare")
        before = screen.locator(".scr-head").bounding_box()
        enc.end_turn()
        expect(screen.locator("h1")).to_contain_text("half, melee (D3)")
        assert screen.locator(".scr-head").bounding_box() == before
        done(room)


def test_what_seats_roll_while_the_gms_dice_are_open_is_no_more_to_be_typed(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="first", seed=7)
    enc.table_dice = True
    for name, side in (("Mara", "rebels"), ("Ilya", "rebels"), ("Guard", "empire")):
        enc.add(name, side=side, npc=side == "empire")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, gm = sit(context, room.seat("Anna", plays=["Mara"])), sit(context, room.gm())
        gm.get_by_role("button", name="Start").click()
        expect(gm.get_by_text("0 of 3 typed")).to_be_visible()
        anna.get_by_role("spinbutton").fill("14")
        anna.get_by_role("button", name="Use this roll").click()
        expect(gm.get_by_text("0 of 2 typed")).to_be_visible()
        expect(gm.get_by_role("list", name="Order so far")).to_contain_text("Mara, 14")
        done(room)


def test_how_much_a_hit_takes_is_asked_until_it_is_answered_though_the_fight_goes_on(new_context: Recorder) -> None:
    enc, _ = brawl("saga")
    turn_of(enc, "Mara")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, ben = (sit(context, room.seat(name, plays=who)) for name, who in (("Anna", ["Mara"]), ("Ben", ["Ilya"])))
        hit(enc, "Guard")
        hit(enc, "Rat")
        guard, rat = (anna.get_by_role("textbox", name=f"How much does {name} lose?") for name in ("Guard", "Rat"))
        guard.fill("4")
        anna.get_by_role("button", name="End my turn").click()
        expect(anna.locator(".ck-turn")).not_to_contain_text("Your turn")
        expect(guard).to_have_value("4")
        expect(ben.locator("[data-owed]")).to_have_count(0)
        anna.reload()
        for shown in (anna.get_by_text("How much does Guard lose?"), anna.get_by_role("button", name="Leave it")):
            box = shown.bounding_box()
            assert box is not None
            assert 0 <= box["x"] <= box["x"] + box["width"] <= PHONE["width"]
        guard.fill("5")
        anna.get_by_role("button", name="Damage", exact=True).click()
        expect(rat).to_have_value("")
        anna.get_by_role("button", name="Leave it to the GM").click()
        expect(anna.locator("[data-owed]")).to_have_count(0)
        assert [enc[name].values["hp"] for name in ("Guard", "Rat")] == [15, 20]
        done(room)


def test_a_tap_is_seen_at_once_waits_and_is_told_when_it_came_too_late(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="docks", seed=7)
    for name in ("Mara", "Lurk", "Guard"):
        enc.add(name, side="rebels" if name == "Mara" else "empire", npc=name != "Mara")
    enc.condition("Lurk", "hidden")
    enc.start(rolls={"Mara": 20, "Lurk": 10, "Guard": 1})
    enc.do("Mara", "delay")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna = sit(context, room.seat("Anna", plays=["Mara"]))
        anna.get_by_role("button", name="Act now").click()
        expect(anna.locator("[data-sent]")).to_contain_text("Act now")
        expect(anna.locator(".seat-said")).to_contain_text("What you tapped waits, and comes next.")
        until(lambda: waits(room, "Anna"), "what was tapped has come to the room")
        enc.do("Lurk", "attack", target="Mara", rolls={"attack": [1]})
        enc.end_turn()
        expect(anna.locator(".seat-age")).to_have_text("Not done: the fight went on. Do it again if you still want it.")
        expect(anna.locator("[data-sent]")).to_have_count(0)
        enc.condition("Guard", "prone")
        expect(zone(anna)).to_contain_text("Guard is prone")
        expect(anna.locator(".seat-age")).to_have_count(1)
        anna.locator(".ck-work .is-main").click()
        expect(anna.locator(".ck-turn")).to_contain_text("Your turn")
        expect(anna.locator(".seat-age")).to_have_count(0)
        before = anna.locator(".ck-turn").bounding_box()
        room.busy.work()
        expect(anna.get_by_role("heading", name="The GM is busy")).to_be_visible()
        assert anna.locator(".ck-turn").bounding_box() == before, "what is over in a moment moves nothing"
        said, last = anna.locator(".seat-said").bounding_box(), anna.locator(".ck-ctl").bounding_box()
        assert said is not None
        assert last is not None
        assert abs(said["y"] + said["height"] - last["y"]) <= 1, "nothing is seen between it and the last row"
        anna.get_by_role("button", name="End my turn").click()
        expect(anna.locator("[data-sent]")).to_contain_text("End my turn")
        expect(anna.locator("[data-sent]")).to_have_css("border-style", "solid")  # it waits, and is not dead
        room.busy.end()
        expect(anna.locator("[data-sent], .seat-said")).to_have_count(0)
        done(room)


def test_what_asks_first_is_meant_for_the_moment_in_which_it_was_tapped(new_context: Recorder) -> None:
    """Two phones at one seat: while the answer is on its way to one, the other has moved already."""
    enc = duel("saga")
    held: list[Any] = []

    def hold(socket: WebSocketRoute) -> None:
        server = socket.connect_to_server()
        server.on_message(lambda text: held.append((socket, text)) if '"choices"' in text else socket.send(text))

    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        seat = room.seat("Anna", plays=["Mara"])
        one, two = sit(context, seat), open_page(context)
        two.route_web_socket(re.compile("/wire$"), hold)
        two.goto(seat.url)
        move = two.locator('[data-action="move"]')
        move.click()
        while not held:
            two.wait_for_timeout(20)
        one.locator('[data-action="move"]').click()
        expect(zone(two)).to_contain_text("Mara moves")
        for socket, text in held:
            socket.send(text)
        expect(two.locator(".seat-age")).to_have_text("Not done: the fight went on. Do it again if you still want it.")
        assert [event.action for event in enc._events if event.kind == "action"] == ["move"]
        done(room)


def test_what_was_tapped_while_the_gm_is_busy_is_not_overtaken_by_the_end_of_the_turn(new_context: Recorder) -> None:
    enc = duel("saga")
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna = sit(context, room.seat("Anna", plays=["Mara"]))
        move, end = anna.locator('[data-action="move"]'), anna.get_by_role("button", name="End my turn")
        expect(move).to_be_visible()
        room.busy.work()
        expect(anna.get_by_role("heading", name="The GM is busy")).to_be_visible()
        move.click()
        end.click()
        expect(zone(anna)).to_contain_text("Move isn't done yet: do this once it is.")
        room.busy.end()
        expect(zone(anna)).to_contain_text("Mara moves")
        end.click()
        expect(anna.locator(".ck-turn")).to_contain_text("Guard's turn")
        assert [event.action for event in enc._events if event.kind == "action"] == ["move"]
        done(room)


def test_what_a_form_waits_for_is_no_more_said_once_it_has_come(new_context: Recorder) -> None:
    """Another's answer, or the connection; what was filled in stays."""
    enc = ck.Encounter("saga", id="brawl", seed=7)
    for name, side in (("Mara", "rebels"), ("Ilya", "rebels"), ("Guard", "empire"), ("Rat", "empire")):
        enc.add(name, side=side, npc=side == "empire", **SHEETS["saga"])
    enc.start(rolls={"Ilya": 20, "Mara": 10, "Guard": 5, "Rat": 3})
    enc.do("Ilya", "ready", action="attack", target="Guard", trigger={"actor": "Mara"})
    enc.end_turn()
    with enc.share() as room, new_context.lent(viewport=PHONE) as context:
        anna, ben = (sit(context, room.seat(name, plays=who)) for name, who in (("Anna", ["Mara"]), ("Ben", ["Ilya"])))
        anna.get_by_role("button", name=re.compile("blaster", re.IGNORECASE)).first.click()
        rat = anna.locator(".ck-work").get_by_role("button", name="Rat")
        rat.click()
        expect(rat).to_have_attribute("aria-pressed", "true")
        enc.do("Mara", "move")
        expect(zone(anna)).to_contain_text("Waiting for Ben")
        why, attack = anna.locator(".ck-why"), anna.locator(".ck-work .is-main")
        expect(why).to_contain_text("Waiting for Ilya")
        ben.get_by_role("button", name="Let it go").click()
        expect(why).to_be_empty()
        expect(attack).to_be_enabled()
        context.set_offline(True)
        anna.evaluate("dispatchEvent(new Event('offline'))")
        expect(anna.locator(".seat-said")).to_contain_text("Not connected")
        attack.click()
        expect(anna.get_by_text("Not connected: nothing was sent.")).to_be_visible()
        context.set_offline(False)
        expect(anna.locator(".seat-said, .seat-age")).to_have_count(0)
        expect(why).to_be_empty()
        attack.click()
        expect(zone(anna)).to_contain_text("Mara attacks Rat")
        done(room)


def test_what_one_is_hit_for_is_read_whole_also_on_a_phone_held_across(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", id="docks", seed=7)
    for name in ("Mara", "Ilya", "Guard"):
        enc.add(name, side="empire" if name == "Guard" else "rebels", npc=name == "Guard", hp=25)
    enc.start(rolls={"Mara": 20, "Ilya": 10, "Guard": 1})
    with enc.share() as room, new_context.lent(viewport={"width": 844, "height": 390}) as context:
        page = sit(context, room.seat("Anna", plays=["Mara", "Ilya"]))
        enc.damage("Mara", 13, attacker="Guard")
        enc.damage("Ilya", 12, attacker="Guard")
        hurt, turn = page.locator(".ck-hurt"), page.locator(".ck-turn")
        expect(hurt).to_have_text("Mara is hit for 13, 12 left. Ilya is hit for 12, 13 left.")
        for part in (hurt, turn):
            assert part.evaluate("el => el.scrollHeight <= el.clientHeight && el.scrollWidth <= el.clientWidth")
        done(room)


def test_where_there_are_no_keys_damage_says_nothing_of_any(new_context: Recorder) -> None:
    with duel("saga").share() as room:
        for touch in (True, False):
            with new_context.lent(viewport={"width": 1000, "height": 700}, has_touch=touch, is_mobile=touch) as context:
                page = sit(context, room.gm())
                page.locator(".ck-res").focus()
                page.keyboard.press("d")
                words = page.locator(".ck-words").filter(has_text="to tick them")
                (expect(words).not_to_contain_text if touch else expect(words).to_contain_text)(
                    "halves it", use_inner_text=True
                )


LINES = "all => Math.max(...all.map(each => each.clientHeight / parseFloat(getComputedStyle(each).lineHeight)))"
CUT = """all => all.filter(each => each.scrollHeight > each.clientHeight + 1 || each.scrollWidth > each.clientWidth + 1)
    .map(each => each.textContent)"""


def test_in_german_no_name_is_cut_on_a_screen_with_a_map_or_where_both_heroes_are_asked(
    new_context: Recorder,
) -> None:
    enc = ck.Encounter("ap", seed=7, language="de", options={"vital_words": "words"})
    common: dict[str, Any] = {"hp": 12, "attack_bonus": 5, "defense": 5, "weapons": [{"name": "Knife"}]}
    for name, side, at in (("Mara", "crew", (0, 0)), ("Ossik", "crew", (2, 0))):
        enc.add(name, side=side, at=at, **common)
    enc.add("Vex", side="gang", npc=True, at=(1, 0), shown_as="ein Vermummter", **common)
    enc.start()
    while enc.active != "Vex":
        enc.end_turn()
    enc.damage("Vex", 4)
    with enc.share() as room, new_context.lent(viewport={"width": 1280, "height": 720}) as context:
        screen, phone = sit(context, room.screen()), sit(context, room.seat("Anna", plays=["Mara", "Ossik"]))
        phone.set_viewport_size(PHONE)
        names, ground = screen.locator(".scr-name"), screen.locator(".scr-map")
        expect(screen.locator(".scr-rung", has_text="ein Vermummter")).to_contain_text("angeschlagen")
        assert names.evaluate_all(CUT) == []
        assert names.evaluate_all(LINES) < 2.1, "no word is broken"
        place = ground.bounding_box()
        enc.do("Vex", "attack", target="Mara", rolls={"attack": [15]})
        may = "Reaktion m\N{LATIN SMALL LETTER O WITH DIAERESIS}glich"
        expect(phone.locator(".ck-turn")).to_contain_text(f"Mara: {may}")
        expect(phone.locator(".ck-ctl > .is-pass")).to_contain_text("Mara verzichtet")
        assert phone.locator(".ck-turn b, .ck-turn b *").evaluate_all(CUT) == []
        expect(screen.locator(".scr-told")).to_contain_text("greift Mara an")
        assert ground.bounding_box() == place, "the map keeps its place"
        enc.damage(["Mara", "Ossik", "Vex"], 1, note="a bolt falls on all of them, from the rafters above. " * 9)
        expect(screen.locator(".scr-told")).to_contain_text("Ossik")
        assert ground.bounding_box() == place, "the map keeps its place"
        enc.resolve()
        enc.finish()
        expect(screen.locator(".scr-result h2")).to_be_visible()
        expect(screen.locator(".scr-log")).to_have_count(0)
        done(room)
