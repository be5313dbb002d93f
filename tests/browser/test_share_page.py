"""The page of a seat and a table's screen, as they are served, with the table itself played by the test."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, Route, ViewportSize, WebSocketRoute, expect

import combatkit as ck
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._delta import changes
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._seat import SeatBudget, SeatVantage, seat_tracker
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._table import table_of
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.log import log_view
from tests.browser.failures import Recorder, open_page
from tests.browser.harness import Theme, Watched, faults_of
from tests.browser.servers import ROOT
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import THEMES

HOME = "http://table.test/"
STATIC = ROOT / "combatkit/static"
POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
PAGE = """<!doctype html><html lang="en"><head><meta charset="utf-8"><title>At the table</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="assets/seat.css"></head>
<body><main id="seat"></main><script type="module" src="assets/seat.js"></script></body></html>"""
KINDS = {".js": "text/javascript", ".css": "text/css"}
PHONE: ViewportSize = {"width": 390, "height": 844}
ACROSS: ViewportSize = {"width": 844, "height": 390}
BEAMER: ViewportSize = {"width": 1280, "height": 720}


class Table(Watched):
    """A page at a table: its server is this test, its fight is a real one."""

    def __init__(self, context: BrowserContext, enc: ck.Encounter, role: str, view: str = "gm") -> None:
        super().__init__(open_page(context))
        self.enc = enc
        self.role = role
        self.got: list[dict[str, Any]] = []
        self.sockets: list[WebSocketRoute] = []
        self.refuses: str | None = None
        self.is_mute = False
        table_of(enc).plays["Anna"] = ("Mara",)
        is_seat = role == "seat"
        self.vantage = SeatVantage(enc, "Anna") if is_seat else Vantage(enc, view)
        self.projectors: dict[str, Callable[[Vantage], Mapping[str, object]]] = {
            "tracker": seat_tracker if is_seat else tracker_view,
            "ladder": LadderProjector(),
            "budget": SeatBudget() if is_seat else BudgetProjector(),
            "log": log_view,
            "map": MapProjector(),
        }
        self.views = {name: {"revision": 0, **project(self.vantage)} for name, project in self.projectors.items()}
        self.page.route("**/*", self._serve)
        self.page.route_web_socket(re.compile("/wire$"), self._connect)

    def open(self, token: str = "secret") -> None:
        """Open the link of a seat."""
        self.page.goto(f"{HOME}#{token}" if token else HOME)

    def say(self, message: Mapping[str, object]) -> None:
        """Send the page a message."""
        self.sockets[-1].send(json.dumps(message))

    def tell(self) -> None:
        """Send what has changed in the fight."""
        parts = {}
        for name, project in self.projectors.items():
            old, new = self.views[name], project(self.vantage)
            base = int(str(old["revision"]))
            found = changes(old, {"revision": base, **new})
            if found:
                self.views[name] = {"revision": base + 1, **new}
                parts[name] = {"kind": "delta", "base": base, "revision": base + 1, "set": found}
        last = self.views["tracker"]["revision"]
        own = parts.pop("tracker", {"kind": "delta", "base": last, "revision": last, "set": []})
        self.say({**own, "parts": parts, "moment": 1 + int(str(last))})

    @property
    def last(self) -> dict[str, Any]:
        """What was asked last, without the number it has and the moment it is meant for."""
        return {key: value for key, value in self.got[-1].items() if key not in ("id", "moment")}

    def heading(self, name: str) -> Locator:
        """Give a heading of the page."""
        return self.page.get_by_role("heading", name=name)

    @property
    def end_turn(self) -> Locator:
        """The button that ends a turn."""
        return self.page.get_by_role("button", name="End turn")

    def _serve(self, route: Route) -> None:
        path = route.request.url.removeprefix(HOME).split("#")[0]
        if not path:
            route.fulfill(body=PAGE, content_type="text/html", headers={"Content-Security-Policy": POLICY})
        else:
            file = STATIC / Path(path).name
            body = file.read_bytes() if file.exists() else b""
            route.fulfill(body=body, content_type=KINDS[file.suffix])

    def _connect(self, socket: WebSocketRoute) -> None:
        self.sockets.append(socket)
        socket.on_message(lambda text: self._hear(socket, json.loads(text)))

    def _hear(self, socket: WebSocketRoute, message: dict[str, Any]) -> None:
        if message["kind"] != "ping":
            self.got.append(message)
        if self.is_mute:  # a proxy that swallows every byte
            return
        if message["kind"] == "ping":
            self.say({"kind": "pong"})
        elif message["kind"] == "hello" and message["token"] != "secret":
            socket.close(code=4003)
        elif message["kind"] == "hello":
            seat = {"name": "Anna", "role": self.role, "plays": ["Mara"]}
            welcome = {"kind": "welcome", "table": "monday", "seat": seat, "room": "open", "views": self.views}
            self.say({**welcome, "moment": 1})
            for number in message["open"]:
                self.say({"kind": "unsent", "id": number})
        elif self.refuses:
            self.say({"kind": "refused", "reason": self.refuses, "rule": "", "id": message["id"]})
        elif message["kind"] == "way" and isinstance(self.vantage, SeatVantage):
            self.say(hear_seat(self.vantage, {key: each for key, each in message.items() if key != "moment"}) or {})
        elif message["kind"] == "end_turn":
            self.enc.end_turn()
            self.tell()
            self.say({"kind": "done", "id": message["id"]})


def fight(system: str = "saga") -> ck.Encounter:
    enc = ck.Encounter(system, seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=38, attack_bonus=9)
    enc.add("Guard", side="empire", count=3, npc=True, dex=1, level=2, hp=16, defense=15)
    enc.start(rolls={"Mara": 17, "Guard 1": 9, "Guard 2": 4, "Guard 3": 3})
    return enc


@pytest.fixture
def seated(new_context: Recorder) -> Iterator[Callable[..., Table]]:
    """Give what opens a page at a table; the test fails if one has seen an error."""
    tables: list[Table] = []

    def seat(
        role: str = "gm",
        size: ViewportSize = PHONE,
        theme: Theme = "light",
        view: str = "gm",
        *,
        sets_clock: bool = False,
    ) -> Table:
        opened = new_context if sets_clock else new_context.lent  # a clock that is set can't be taken out again
        context = contexts.enter_context(opened(viewport=size, color_scheme=theme))
        tables.append(Table(context, fight(), role, view))
        return tables[-1]

    with ExitStack() as contexts:
        yield seat
        for table in tables:
            table.assert_clean()


def test_a_call_reaches_the_phone_and_the_phone_ends_the_turn(seated: Callable[..., Table]) -> None:
    table = seated()
    table.open()
    expect(table.page.get_by_text("Mara's turn").first).to_be_visible()
    table.enc.adjust("Mara", by=-16)
    table.tell()
    expect(table.page.locator(".ck-rung .ck-vital").first).to_contain_text("22")
    table.end_turn.click()
    expect(table.page.get_by_text("Guard 1's turn").first).to_be_visible()
    assert [each["kind"] for each in table.got] == ["hello", "end_turn"]
    assert table.page.title() == "Anna: at the table"


@pytest.mark.long
@pytest.mark.parametrize("role", ["seat", "screen"])
def test_what_happens_while_the_scripts_come_is_shown(seated: Callable[..., Table], role: str) -> None:
    table = seated(role, view="players")

    def meanwhile(route: Route) -> None:
        table.enc.end_turn()
        table.tell()
        route.fallback()

    table.page.route(f"**/{'tracker' if role == 'seat' else role}.js", meanwhile)
    table.open()
    expect(table.page.get_by_text("Guard 1's turn").first).to_be_visible()


def test_a_player_rolls_their_initiative_before_the_start(new_context: Recorder) -> None:
    enc = ck.Encounter("saga", seed=7)
    enc.add("Mara", side="rebels", dex=4, level=6, hp=38)
    enc.add("Guard", side="empire", npc=True, dex=1, level=2, hp=16)
    with new_context.lent(viewport=PHONE) as context:
        table = Table(context, enc, "seat")
        table.open()
        die = table.page.get_by_label("Mara rolls 1d20 for initiative")
        for typed, words in (("", "Fill this in."), ("21", "1 to 20.")):
            die.fill(typed)
            die.press("Enter")
            expect(die).to_have_accessible_description(words)
        table.screenshot("seat-initiative-wrong")
        die.fill("17")
        assert faults_of(table.page) == []
        die.press("Enter")
        table.wait_until(lambda: table.last == {"kind": "roll", "name": "Mara", "faces": [17]})
        hear_seat(table.vantage, table.last)  # type: ignore[arg-type]
        table.tell()
        expect(table.page.get_by_text("Mara rolled 17. Your GM starts the fight.")).to_be_visible()
        assert faults_of(table.page) == []
        table.screenshot("seat-initiative")
        table.page.get_by_role("button", name="Change").click()
        table.wait_until(lambda: table.last == {"kind": "roll", "name": "Mara", "faces": []})


def test_what_is_left_empty_is_asked_for_in_words(seated: Callable[..., Table]) -> None:
    table = seated()
    table.open("")
    code = table.page.get_by_label("Code")
    for typed in ("", "  "):
        code.fill(typed)
        table.page.get_by_role("button", name="Take my seat").click()
        expect(code).to_be_focused()
        expect(code).to_have_accessible_description("Fill this in.")
    table.screenshot("seat-code-empty")
    assert table.sockets == []


@pytest.mark.long
def test_a_refusal_is_told_in_words(seated: Callable[..., Table]) -> None:
    table = seated()
    table.refuses = "It's Vex's turn; you play Mara."
    table.open()
    table.end_turn.click()
    expect(table.page.get_by_text(table.refuses).first).to_be_visible()
    assert table.enc.active == "Mara"


@pytest.mark.long
def test_it_is_lost_and_comes_back(seated: Callable[..., Table]) -> None:
    table = seated()
    table.open()
    expect(table.end_turn).to_be_visible()
    table.sockets[-1].close(code=1012)
    expect(table.heading("Not connected")).to_be_visible()
    table.enc.end_turn()
    table.views = {name: {"revision": 9, **project(table.vantage)} for name, project in table.projectors.items()}
    expect(table.page.get_by_text("Guard 1's turn").first).to_be_visible()
    expect(table.heading("Not connected")).to_be_hidden()


def test_a_page_that_hears_nothing_says_so_and_what_was_tapped_was_not_sent(seated: Callable[..., Table]) -> None:
    table = seated("seat", sets_clock=True)
    page = table.page
    page.clock.install()
    table.open()
    end = page.get_by_role("button", name="End my turn")
    expect(end).to_be_visible()
    page.clock.run_for(20_000)
    expect(page.get_by_role("heading", level=1)).to_have_count(0)
    table.is_mute = True
    end.click()
    page.clock.run_for(3_000)
    expect(table.heading("Sent")).to_be_visible()
    page.clock.run_for(7_000)
    expect(table.heading("Not connected")).to_be_visible()
    expect(page.get_by_text("If your GM started again, scan the new code.")).to_be_visible()
    assert table.enc.active == "Mara"
    table.is_mute = False
    page.clock.run_for(20_000)
    expect(table.heading("Not connected")).to_have_count(0)
    expect(page.get_by_text("Not sent: the connection was gone.").first).to_be_visible()
    expect(page.get_by_role("heading", level=1)).to_have_count(0)
    assert [each["kind"] for each in table.got].count("end_turn") == 1
    end.click()
    expect(page.locator(".ck-turn")).to_contain_text("Guard 1's turn")
    assert [each["moment"] for each in table.got if each["kind"] == "end_turn"] == [1, 1]
    expect(page.get_by_text("Not sent")).to_have_count(0)


@pytest.mark.parametrize("wakes", ["visibilitychange", "pageshow", "online"])
def test_a_page_that_wakes_looks_whether_anybody_is_there(seated: Callable[..., Table], wakes: str) -> None:
    table = seated("screen", BEAMER, view="players", sets_clock=True)
    page = table.page
    page.clock.install()
    table.open()
    expect(page.get_by_text("Mara's turn")).to_be_visible()
    table.is_mute = True
    on = "document" if wakes == "visibilitychange" else "window"
    page.evaluate(f"{on}.dispatchEvent(new Event('{wakes}'))")
    page.clock.run_for(3_000)
    expect(table.heading("Not connected")).to_be_visible()
    table.is_mute = False
    page.evaluate(f"{on}.dispatchEvent(new Event('{wakes}'))")
    expect(table.heading("Not connected")).to_have_count(0)
    assert len(table.sockets) > 1


HEARD = """
globalThis.heard = [];
Object.defineProperty(navigator, "vibrate", { value: () => heard.push("buzz") });
Object.defineProperty(navigator, "wakeLock", { value: { request: async (what) => heard.push(what) } });
const start = OscillatorNode.prototype.start;
OscillatorNode.prototype.start = function (...given) {
  heard.push("note");
  globalThis.air = this.context;
  start.apply(this, given);
};
"""
RUNS = "new Promise((done) => (air.onstatechange = () => air.state === 'running' && done())())"


def test_a_turn_is_felt_and_heard_by_whoever_turned_the_sound_on(seated: Callable[..., Table]) -> None:
    table = seated("seat")
    page = table.page
    page.add_init_script(HEARD)
    table.open()

    def news() -> list[str]:
        return list(page.evaluate("heard.splice(0)"))

    def come_round() -> list[str]:
        """Let it be Mara's turn again, and give what was noticed of it."""
        while table.enc.active == "Mara" or table.enc.active is None:
            table.enc.end_turn()
        table.tell()
        expect(page).to_have_title("Anna: at the table")
        news()
        while table.enc.active != "Mara":
            table.enc.end_turn()
        table.tell()
        expect(page).to_have_title("Your turn · Anna: at the table")
        return news()

    sound = page.get_by_label("Sound when it's my turn")
    expect(sound).not_to_be_checked()
    assert news() == ["screen"], "the screen stays on, and nothing else"
    page.locator("summary", has_text="What happened").click()  # it has been touched
    assert come_round() == ["buzz"]
    sound.check()
    assert news() == ["note", "note"], "what will be heard"
    assert come_round() == ["buzz", "note", "note"]
    table.enc.end_turn()
    table.enc.trigger("Guard 1", to=["Mara"], text="Guard 1 runs past")
    table.tell()
    expect(page).to_have_title("You may react · Anna: at the table")
    assert news() == ["buzz", "note", "note"]
    table.enc.resolve()
    page.reload()
    expect(sound).to_be_checked()
    page.locator("summary", has_text="What happened").click()
    assert come_round() == ["buzz", "note", "note"]
    for wake in (
        lambda: page.evaluate("document.dispatchEvent(new Event('visibilitychange'))"),
        lambda: page.locator("summary", has_text="What happened").click(),
    ):
        page.evaluate("air.suspend()")  # as a phone does that sleeps
        wake()
        page.evaluate(RUNS)
    sound.uncheck()
    assert come_round() == ["buzz"]
    assert faults_of(page) == []
    table.screenshot("seat-sound")


def test_a_page_that_had_to_go_can_sit_down_again(seated: Callable[..., Table]) -> None:
    table = seated("seat")
    table.open()
    expect(table.page.get_by_role("button", name="End my turn")).to_be_visible()
    table.say({"kind": "room", "state": "crowded"})
    table.sockets[-1].close(code=4002)
    expect(table.heading("Open on too many pages")).to_be_visible()
    assert faults_of(table.page) == []
    table.page.get_by_role("button", name="Sit here again").click()
    expect(table.page.get_by_role("button", name="End my turn")).to_be_visible()


@pytest.mark.long
def test_the_room_says_how_things_stand(seated: Callable[..., Table]) -> None:
    table = seated("seat")
    table.open()
    end = table.page.get_by_role("button", name="End my turn")
    expect(end).to_be_visible()
    for state, words in (
        ("busy", "The GM is busy"),
        ("asking", "Waiting for the GM"),
        ("paused", "The table is paused"),
    ):
        table.say({"kind": "room", "state": state})
        expect(table.heading(words)).to_be_visible()
    table.say({"kind": "room", "state": "open"})
    expect(table.page.get_by_role("heading", level=1)).to_have_count(0)
    table.say({"kind": "room", "state": "revoked"})
    table.sockets[-1].close(code=4001)
    expect(table.heading("This seat was closed")).to_be_visible()
    expect(end).to_be_hidden()


def test_a_link_nobody_knows_is_tried_again_slowly(seated: Callable[..., Table]) -> None:
    table = seated(sets_clock=True)
    table.page.clock.install()
    table.open("forged")
    expect(table.heading("This link no longer works")).to_be_visible()
    assert len(table.sockets) == 1
    table.page.clock.run_for(9_000)
    expect(table.heading("This link no longer works")).to_be_visible()
    assert len(table.sockets) == 2


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_a_phone_can_be_read(seated: Callable[..., Table], theme: Theme) -> None:
    table = seated(theme=theme)
    table.open()
    expect(table.page.get_by_role("button", name="Attack").first).to_be_visible()
    assert faults_of(table.page) == []
    assert table.page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    box = table.end_turn.bounding_box()
    assert box
    assert box["height"] >= 44
    table.screenshot(f"seat-{theme}")


def tops(table: Table, *selectors: str) -> list[float]:
    """Give where things begin on the page, in the order asked for."""
    boxes = [table.page.locator(selector).first.bounding_box() for selector in selectors]
    return [box["y"] for box in boxes if box]


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_a_players_phone_begins_with_what_they_can_do(seated: Callable[..., Table], theme: Theme) -> None:
    table = seated("seat", theme=theme)
    table.open()
    page = table.page
    end = page.get_by_role("button", name="End my turn")
    ladder = page.locator("summary", has_text="Who is next")
    expect(page.locator(".ck-turn b").first).to_have_text("Your turn")
    expect(page).to_have_title("Your turn · Anna: at the table")
    expect(page.locator(".seat-me")).to_contain_text("Mara38 of 38")
    expect(ladder).to_contain_text("Guard 1, Guard 2, Guard 3")
    expect(page.get_by_role("list", name="Initiative ladder")).to_be_hidden()
    order = tops(table, ".ck-turn b", ".seat-me", ".ck-slots", ".ck-act", ".seat-fold:not(.is-map)")
    assert order == sorted(order)
    assert len(order) == 5
    box = end.bounding_box()
    assert box
    assert PHONE["height"] - 80 < box["y"] + box["height"] <= PHONE["height"]
    assert box["height"] >= 44
    small = page.evaluate(
        "[...document.querySelectorAll('button, summary, input')].map(each => each.getBoundingClientRect())"
        ".filter(box => box.width && Math.min(box.width, box.height) < 24).length"
    )
    assert small == 0
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    assert faults_of(table.page) == []
    table.screenshot(f"phone-turn-{theme}")
    ladder.press("Enter")
    expect(page.get_by_role("list", name="Initiative ladder")).to_be_visible()
    ladder.press("Enter")

    # Who waits sees the others, and what is asked of them before everything else.
    table.enc.end_turn()
    table.enc.trigger("Guard 1", to=["Mara"], text="Guard 1 runs past")
    table.enc.damage("Mara", 19)
    table.enc.temporary("Mara", 8)
    table.tell()
    expect(page.locator(".ck-turn")).to_contain_text("You may react")
    expect(page.locator(".ck-hurt")).to_have_text("You lose 19, 19 left.")
    expect(page).to_have_title("You may react. You lose 19, 19 left. · Anna: at the table")
    expect(page.locator(".ck-res")).to_contain_text("Guard 1 runs past")
    expect(page.locator(".seat-me")).to_contain_text("Mara19 of 38, 8 temporary")
    expect(page.locator(".seat-me .ck-bar")).to_have_css("background-size", re.compile("^50%"))
    order = tops(table, ".ck-turn b", ".ck-res", ".seat-me", ".ck-slots")
    assert order == sorted(order)
    assert len(order) == 4
    table.say({"kind": "room", "state": "busy"})
    expect(table.heading("The GM is busy")).to_be_visible()
    box = page.locator(".ck-ctl > .is-pass").bounding_box()
    assert box
    assert box["y"] + box["height"] <= PHONE["height"]
    assert faults_of(table.page) == []
    table.screenshot(f"phone-asked-{theme}")


@pytest.mark.long
def test_the_ladder_opens_for_whoever_waits_until_they_fold_it(seated: Callable[..., Table]) -> None:
    table = seated("seat")
    table.open()
    ladder = table.page.get_by_role("list", name="Initiative ladder")
    expect(table.page.locator(".seat-fold").first).to_be_visible()
    expect(ladder).to_be_hidden()
    table.enc.end_turn()
    table.tell()
    expect(ladder).to_be_visible()
    table.page.locator("summary", has_text="Who is next").click()
    expect(ladder).to_be_hidden()
    table.enc.end_turn()
    table.tell()
    expect(table.page.locator(".ck-turn")).to_contain_text("Guard 2's turn")
    expect(ladder).to_be_hidden()


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_a_screen_is_read_from_across_the_room(seated: Callable[..., Table], theme: Theme) -> None:
    table = seated("screen", BEAMER, theme, "players")
    table.enc.do("Mara", "attack", target="Guard 1", rolls=[14])
    table.views = {name: {"revision": 1, **project(table.vantage)} for name, project in table.projectors.items()}
    table.open()
    expect(table.page.get_by_text("Mara's turn")).to_be_visible()
    expect(table.page.locator(".scr-rung").filter(has_text="Guard 2")).to_be_visible()
    sizes = table.page.evaluate(
        "[...document.querySelectorAll('#seat *')].filter(each => [...each.childNodes].some(node =>"
        " node.nodeType === 3 && node.data.trim())).map(each => parseFloat(getComputedStyle(each).fontSize)"
        " * (each.ownerSVGElement ? each.getScreenCTM().a : 1))"  # a drawing's own units are not the page's
    )
    assert sizes
    assert min(sizes) >= 16
    assert table.page.evaluate("document.documentElement.scrollHeight") <= BEAMER["height"]
    assert faults_of(table.page) == []
    expect(table.page.get_by_role("button")).to_have_count(0)
    expect(table.page.locator(".scr-rung .ck-tok")).to_have_count(4)
    table.screenshot(f"screen-{theme}")
    table.enc.end_turn()
    table.tell()
    expect(table.page.get_by_text("Guard 1's turn")).to_be_visible()


def placed() -> ck.Encounter:
    """It is the turn of Mara, who stands beside a foe, with a hidden one and one whom players know otherwise."""
    enc = ck.Encounter("phases", seed=7)
    enc.add("Mara", side="crew", at=(0, 0), movement=6, combat_value=9, stun=30)
    enc.add("Vex", side="gang", npc=True, at=(1, 0), shown_as="a hooded man")
    enc.add("Lurk", side="gang", npc=True, at=(0, -1), conditions=["hidden"])
    enc.start()
    while enc.active != "Mara":
        enc.end_turn()
    return enc


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_the_screen_has_a_map_as_players_see_it(new_context: Recorder, theme: Theme) -> None:
    with new_context.lent(viewport=BEAMER, color_scheme=theme) as context:
        table = Table(context, placed(), "screen", "players")
        table.open()
        ground = table.page.get_by_role("img", name="Map")
        expect(ground.locator(".mp-name")).to_have_text(["Mara", "a hooded man"])
        box, frame = ground.bounding_box(), table.page.locator(".scr-map").bounding_box()
        assert box is not None
        assert frame is not None
        assert box["width"] > 500
        assert box["height"] <= frame["height"] + 1
        assert table.page.evaluate("document.documentElement.scrollHeight") <= BEAMER["height"]
        assert min(ground.locator(".mp-name").evaluate_all(TEXT_SIZES)) >= 16
        assert faults_of(table.page) == []
        table.screenshot(f"screen-map-{theme}")
        table.enc.place("Mara", at=(-2, 0))
        before = ground.locator(".mp-tok").first.get_attribute("transform")
        table.tell()
        expect(ground.locator(".mp-tok").first).not_to_have_attribute("transform", before or "")


TEXT_SIZES = "all => all.map(each => parseFloat(getComputedStyle(each).fontSize) * each.getScreenCTM().a)"


def test_a_phone_moves_its_own_by_tapping_twice_and_nobody_else(new_context: Recorder) -> None:
    with new_context.lent(viewport=PHONE, has_touch=True) as context:
        table = Table(context, placed(), "seat", "players")
        table.open()
        page = table.page
        ground, fold = page.locator(".mp-ground"), page.locator("summary", has_text="Map")
        order = tops(table, ".seat-me", ".seat-fold.is-map", ".ck-slots", ".ck-act")
        assert order == sorted(order), "what can be done is not pushed down, and the map is not below all of it"
        expect(ground).to_be_hidden()
        fold.click()
        expect(page.locator(".mp-name")).to_have_text(["Mara", "a hooded man"])
        page.reload()
        expect(ground).to_be_visible()  # whoever opens it keeps it open
        expect(page.locator(".ck-budget .ck-find, .ck-budget .ck-act").first).to_be_attached()
        here = page.locator(".mp-here").bounding_box()
        assert here is not None
        x, y = here["x"] + here["width"] / 2, here["y"] + here["height"] / 2
        page.touchscreen.tap(x - 2 * here["width"], y)
        expect(page.locator(".mp-row")).to_contain_text("Half move to")
        expect(page.locator(".mp-row")).to_contain_text("A hooded man may attack.")
        page.set_viewport_size({"width": 390, "height": 640})
        move = page.get_by_role("button", name="Move Mara")
        page.wait_for_function(
            "([button, bar]) => button.getBoundingClientRect().bottom <= bar.getBoundingClientRect().top + 1",
            arg=[move.element_handle(), page.locator(".ck-ctl").element_handle()],
        )
        move.click()
        expect(page.locator(".mp-row.is-way")).to_have_count(0)
        page.set_viewport_size(PHONE)
        (sent,) = [each for each in table.got if each["kind"] == "do"]
        assert (sent["name"], sent["action"], sent["params"]) == ("Mara", "half_move", {"to": [-2, 0]})
        table.screenshot("phone-map")
        page.get_by_role("button", name="Ruler").click()
        expect(page.locator(".mp-row")).to_contain_text("Tap where it is measured from, or drag.")


@pytest.mark.parametrize("size", mostly_long([(1280, 900), (1024, 768), (1920, 1080)], (1024, 768)), ids=str)
def test_names_have_room_on_a_screen_of_any_shape(seated: Callable[..., Table], size: tuple[int, int]) -> None:
    table = seated("screen", {"width": size[0], "height": size[1]}, view="players")
    table.open()
    names = table.page.locator(".scr-name")
    expect(names).to_have_count(4)
    for name in names.all():
        assert name.evaluate("el => el.clientHeight < 2 * parseFloat(getComputedStyle(el).lineHeight)")


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
@pytest.mark.parametrize("size", [PHONE, ACROSS], ids=["phone", "across"])
def test_a_seat_learns_who_won_and_keeps_the_rest(new_context: Recorder, size: ViewportSize, theme: Theme) -> None:
    enc = fight()
    with new_context.lent(viewport=size, color_scheme=theme) as context:
        table = Table(context, enc, "seat")
        table.open()
        page = table.page
        end = page.get_by_role("button", name="End my turn")
        expect(end).to_be_visible()
        box = end.bounding_box()
        assert box
        assert box["y"] + box["height"] <= size["height"], "what ends a turn is in sight"
        for name in ("Guard 1", "Guard 2", "Guard 3"):
            enc.condition(name, "dead")
        enc.finish()
        table.tell()
        card = page.locator(".ck-won")
        expect(card.get_by_role("heading", name="The rebels win")).to_be_visible()
        expect(card).to_contain_text("Guard 1, ")
        expect(page.locator(".seat-me")).to_contain_text("Mara")
        page.locator("summary", has_text="What happened").click()
        expect(page.locator(".ck-log")).to_contain_text("Guard 3")
        assert page.evaluate("document.documentElement.scrollWidth") <= size["width"]
        assert faults_of(page) == []
        table.screenshot(f"seat-over-{size['width']}-{theme}")


@pytest.mark.parametrize("theme", mostly_long(THEMES, "light"))
def test_a_screen_says_how_to_join_what_is_waited_for_and_who_won(new_context: Recorder, theme: Theme) -> None:
    enc = fight()
    with new_context.lent(viewport=BEAMER, color_scheme=theme) as context:
        table = Table(context, enc, "screen", "players")
        join = {"url": "http://table.test/", "qr": ["101", "010", "101"]}
        seats = [
            {"name": "Anna", "plays": ["Mara"], "here": True, "word": "is here"},
            {"name": "Ben", "plays": ["Ossik"], "here": False, "word": "not here yet"},
        ]
        begun = table.views
        setup = {**begun["tracker"], "mode": "setup", "join": join, "sits": seats}
        table.views = {**begun, "tracker": setup}
        table.open()
        page = table.page
        expect(page.get_by_role("img", name="QR code for http://table.test/")).to_be_visible()
        expect(page.get_by_role("region", name="At the table")).to_contain_text("Annaplays Mara")
        assert faults_of(page) == []
        table.screenshot(f"screen-join-{theme}")
        table.views = begun
        table.say({"kind": "full", "views": {**begun, "tracker": {**begun["tracker"], "revision": 2}}})
        table.views["tracker"]["revision"] = 2
        enc.end_turn()
        enc.trigger("Guard 1", to=["Mara"], text="Guard 1 runs past")
        table.tell()
        expect(page.locator(".scr-result")).to_contain_text("Guard 1 runs past")
        enc.resolve()
        for name in ("Guard 1", "Guard 2", "Guard 3"):
            enc.condition(name, "dead")
        enc.finish()
        table.tell()
        expect(page.get_by_role("heading", name="The rebels win")).to_be_visible()
        assert page.evaluate("document.documentElement.scrollHeight") <= BEAMER["height"]
        assert page.locator(".scr").evaluate("each => each.offsetHeight") == BEAMER["height"]
        assert faults_of(page) == []
        table.screenshot(f"screen-won-{theme}")
