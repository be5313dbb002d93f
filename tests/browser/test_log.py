"""The combat log with a stub model."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import expect

from tests.browser.harness import StubPage, Theme
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import CUT, HOSTILE, THEMES, WIDTHS, answer, delta, fight, focused, intents, refuse


def long_log(first: int, last: int) -> dict[str, Any]:
    """Give a log that holds some of its lines, with a round every ten."""
    lines = {
        str(seq): {"seq": seq, "side": 0, "actor": "Mara", "text": [f"does {seq}."], "cite": [], "undone": False}
        for seq in range(first, last + 1)
    }
    heads = {
        str(seq): {"title": f"Round {seq // 10}", "time": "0:06"} for seq in range(first, last + 1) if seq % 10 == 0
    }
    whole: dict[str, Any] = fight()["log"]
    return whole | {"first": 1, "last": last, "cursor": last, "lines": lines, "heads": heads}


def test_shows_lines_with_faces_rules_notes_and_what_was_undone(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": fight()["log"]})
    log = root.get_by_role("log", name="Log")
    expect(log).to_have_attribute("aria-live", "off")
    lines = log.get_by_role("listitem")
    expect(lines).to_have_count(7)
    expect(lines.nth(5)).to_contain_text("attacks Guard 2 from the catwalk 1d20 14 + 9 = 23")
    expect(lines.nth(5).locator(".ck-die.is-table")).to_have_text("14")
    expect(lines.nth(6).locator(".ck-die:not(.is-table)")).to_have_text(["4", "1", "5"])
    expect(lines.nth(3)).to_contain_text("(undone)")
    expect(lines.nth(3).locator(".txt")).to_have_css("text-decoration-line", "line-through")
    expect(lines.nth(6)).to_have_attribute("aria-current", "true")
    expect(lines.nth(1).get_by_role("button", name="Rules: ")).to_have_text("§")
    expect(log.get_by_role("heading")).to_have_text(["Round 2 0:12", "Round 3 0:18"])


def test_what_the_gm_did_is_set_off(stub_page: StubPage) -> None:
    view = fight()["log"]
    seq = max(view["lines"], key=int)
    view["lines"][seq] |= {"text": ["the crane swings.", " ", {"quiet": "by the GM"}], "cite": ["saga.delay.free"]}
    root = stub_page.mount("log", {"view": view})
    line = root.get_by_role("listitem").last
    expect(line.locator(".txt")).to_contain_text("the crane swings. \N{MIDDLE DOT} by the GM")


def test_opens_at_its_end_and_scrolls_only_inside(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(1, 120)})
    log = root.get_by_role("log", name="Log")
    expect(root.get_by_text("does 120.")).to_be_in_viewport()
    expect(root.get_by_text("does 1.", exact=True)).not_to_be_in_viewport()
    assert log.evaluate("el => el.clientHeight") <= 324
    assert stub_page.page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    line = long_log(121, 121)["lines"]["121"]
    delta(stub_page, (["lines", "121"], line), (["last"], 121), (["cursor"], 121))
    expect(root.get_by_text("does 121.")).to_be_in_viewport()
    stub_page.screenshot("log-long")


def test_follows_again_after_somebody_has_read_further_up(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(1, 120)})
    log = root.get_by_role("log", name="Log")
    log.hover()
    stub_page.page.mouse.wheel(0, -400)
    expect(root.get_by_text("does 120.")).not_to_be_in_viewport()
    lines = long_log(121, 123)["lines"]
    delta(stub_page, (["lines", "121"], lines["121"]), (["last"], 121), (["cursor"], 121))
    expect(root.get_by_text("does 121.")).not_to_be_in_viewport()  # who reads there is left in peace
    stub_page.page.mouse.move(1, 1)
    delta(stub_page, (["lines", "122"], lines["122"]), (["last"], 122), (["cursor"], 122))
    expect(root.get_by_text("does 122.")).to_be_in_viewport()


def test_the_page_scrolls_on_over_a_log_that_has_nothing_to_scroll(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(1, 3)})
    stub_page.page.evaluate("document.body.style.minHeight = '3000px'")
    root.get_by_role("log", name="Log").hover()
    stub_page.page.mouse.wheel(0, 200)
    stub_page.page.wait_for_function("scrollY > 100")


def test_a_number_travels_there(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": fight()["log"]})
    root.get_by_role("button", name="Go to event 41").press("Enter")
    assert intents(stub_page) == [{"kind": "at", "seq": 41}]
    refuse(stub_page, "at", "There is no event 41.")
    expect(root.get_by_role("status")).to_have_text("There is no event 41.")


def test_what_a_line_says_done_is_done_where_it_leads(stub_page: StubPage) -> None:
    view = long_log(38, 44)
    view["lines"]["40"]["done"] = 43
    root = stub_page.mount("log", {"view": view})
    root.get_by_role("button", name="Go to event 40").click()
    root.get_by_text("does 40.").click()
    root.get_by_text("does 41.").click()
    assert intents(stub_page) == [{"kind": "at", "seq": seq} for seq in (43, 43, 41)]


def test_a_line_travels_there_and_its_words_can_be_marked(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": fight()["log"]})
    line = root.get_by_role("listitem").nth(1)
    words = line.locator(".txt > span")
    box = words.bounding_box()
    assert box
    mouse = stub_page.page.mouse
    mouse.move(box["x"] + 2, box["y"] + 12)
    mouse.down()
    mouse.move(box["x"] + box["width"] - 2, box["y"] + 12)
    mouse.up()
    assert stub_page.page.evaluate("getSelection().toString()")
    line.get_by_role("button", name="Rules: ").click()
    assert [each["kind"] for each in intents(stub_page) if each["kind"] == "at"] == []
    stub_page.page.keyboard.press("Escape")
    line = root.get_by_role("listitem").nth(2)
    seq = int(line.locator(".ck-seq").inner_text())
    line.locator(".txt > span").click()
    assert intents(stub_page)[-1] == {"kind": "at", "seq": seq}
    stub_page.screenshot("log-line")


def test_earlier_lines_come_on_request_and_stay(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(241, 440)})
    lines = root.get_by_role("listitem")
    earlier = root.get_by_role("button", name="Earlier")
    earlier.focus()
    stub_page.page.keyboard.press("Enter")
    page = long_log(41, 240)
    question = answer(stub_page, "log", lines=page["lines"], heads=page["heads"])
    assert (question["from"], question["to"]) == (41, 240)
    expect(lines).to_have_count(400)
    expect(earlier).to_be_focused()
    expect(root.get_by_role("heading", name="Round 23 ")).to_be_attached()
    delta(stub_page, (["lines", "441"], long_log(441, 441)["lines"]["441"]), (["lines", "241"], None), (["last"], 441))
    expect(lines).to_have_count(401)
    earlier.press("Enter")
    page = long_log(1, 40)
    answer(stub_page, "log", lines=page["lines"], heads=page["heads"])
    expect(lines).to_have_count(441)
    expect(earlier).to_have_count(0)
    assert focused(stub_page) == "Log"


def test_another_fight_forgets_the_earlier_lines(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(41, 240)})
    root.get_by_role("button", name="Earlier").click()
    page = long_log(1, 40)
    answer(stub_page, "log", lines=page["lines"], heads=page["heads"])
    expect(root.get_by_role("listitem")).to_have_count(240)
    stub_page.deliver({"kind": "full", "view": long_log(1, 2) | {"revision": 9}})
    expect(root.get_by_role("listitem")).to_have_count(2)


def test_a_refused_page_says_why(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": long_log(41, 240)})
    root.get_by_role("button", name="Earlier").click()
    refuse(stub_page, "log", "No such lines.")
    expect(root.get_by_role("status")).to_have_text("No such lines.")


def test_focus_stays_across_updates(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": fight()["log"]})
    number = root.get_by_role("button", name="Go to event 43")
    number.focus()
    number.evaluate("el => { el.own = true; }")
    view = fight()["log"]
    undone = view["lines"]["44"] | {"undone": True}
    delta(stub_page, (["lines", "44"], undone), (["lines", "37"], None), (["cursor"], 43))
    expect(root.get_by_role("listitem")).to_have_count(6)
    expect(number).to_be_focused()
    assert number.evaluate("el => el.own") is True


def test_a_rule_mark_opens_the_words_of_all_rules_of_its_line(stub_page: StubPage) -> None:
    view = fight()["log"]
    view["lines"]["44"]["cite"] = ["saga.one", "saga.two"]
    root = stub_page.mount("log", {"view": view})
    mark = root.get_by_role("listitem").last.get_by_role("button", name="Rules: ")
    mark.click()
    expect(mark).to_have_attribute("aria-expanded", "false")
    for question in stub_page.sent():
        told = {
            "rule": question["rule"],
            "text": f"Words of {question['rule']}.",
            "locator": "p. 149",
            "disputed": True,
        }
        stub_page.deliver({"kind": "rule", "id": question["id"], "rule": question["rule"], **told})
    words = root.locator("[popover]")
    expect(words).to_contain_text("Words of saga.one.")
    expect(words).to_contain_text("Words of saga.two.")
    expect(words.get_by_text("A disputed reading.").first).to_be_visible()
    expect(mark).to_have_attribute("aria-expanded", "true")
    stub_page.page.keyboard.press("Escape")
    expect(words).to_have_count(0)
    expect(mark).to_be_focused()
    mark.press("Enter")
    expect(words).to_be_visible()
    mark.click()
    expect(words).to_have_count(0)
    assert [each["kind"] for each in intents(stub_page)] == ["rule", "rule"]


def test_an_unknown_rule_says_so(stub_page: StubPage) -> None:
    view = fight()["log"]
    view["lines"]["44"]["cite"] = ["saga.one"]
    root = stub_page.mount("log", {"view": view})
    root.get_by_role("button", name="Rules: ").last.click()
    refuse(stub_page, "rule", "There is no such rule.")
    expect(root.locator("[popover]").get_by_text("There is no such rule.")).to_be_visible()


def test_a_line_is_24_px_and_what_is_longer_goes_on_below(stub_page: StubPage) -> None:
    view = fight()["log"]
    dice = [{"die": face} for face in (4, 2, 4, 5, 4)]
    view["lines"]["44"]["text"] = [
        "attacks Mara the Quick of Low Harbour ",
        {"note": "from above, " * 9},
        ": ",
        *dice,
        " = 19, hit",
    ]
    root = stub_page.mount("log", {"view": view})
    stub_page.set_width(760)
    lines = root.get_by_role("listitem")
    heights = [line.bounding_box()["height"] for line in lines.all()]  # type: ignore[index]
    assert set(heights[:-1]) == {24}
    assert heights[-1] == 48
    text = lines.last.locator(".txt")
    expect(text).to_contain_text("attacks Mara the Quick of Low Harbour from above")
    assert text.evaluate(CUT) == []
    text.evaluate("el => Object.assign(el.firstElementChild.style, {whiteSpace: 'nowrap'})")
    assert text.evaluate(CUT) != [], "what is beyond the line's own place would be seen"


def test_players_cannot_travel(stub_page: StubPage) -> None:
    root = stub_page.mount("log", {"view": fight()["log"] | {"players": True}})
    expect(root.get_by_role("listitem")).to_have_count(7)
    expect(root.get_by_role("button", name="Go to event")).to_have_count(0)
    root.get_by_role("listitem").nth(1).locator(".txt > span").click()
    assert intents(stub_page) == []


def test_a_name_is_text(stub_page: StubPage) -> None:
    view = fight()["log"]
    view["lines"]["44"] |= {"actor": HOSTILE, "text": [HOSTILE, {"note": HOSTILE}, {"chip": HOSTILE}]}
    view["heads"]["40"]["title"] = HOSTILE
    root = stub_page.mount("log", {"view": view})
    expect(root.get_by_text(HOSTILE, exact=True)).to_have_count(4)
    expect(root.get_by_role("heading", name=HOSTILE)).to_be_visible()
    expect(root.locator("img")).to_have_count(0)


def test_teardown_leaves_nothing(stub_page: StubPage) -> None:
    stub_page.mount("log", {"view": fight()["log"]})
    assert stub_page.listener_count() > 0
    stub_page.teardown()
    assert stub_page.listener_count() == 0


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_axe_and_pictures(stub_page: StubPage, theme: Theme) -> None:
    root = stub_page.mount("log", {"view": fight()["log"]})
    stub_page.set_theme(theme)
    for width in WIDTHS:
        stub_page.set_width(width)
        expect(root.get_by_role("log")).to_be_visible()
        assert stub_page.axe() == []
        stub_page.screenshot(f"log-{theme}-{width}")
