"""The room as its GM sees it: seats made and ended by hand, links shown on demand, and who is there."""

from __future__ import annotations

import json
import re
import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, expect

import combatkit as ck
from combatkit.share import Room
from combatkit.share.panel import RoomPanel
from tests.browser.harness import StubPage, Theme
from tests.browser.live import Live
from tests.browser.sizes import mostly_long
from tests.browser.widget_views import THEMES
from tests.share_client import Page, settled
from tests.windows_asked import ap
from tests.wire import recording, sent


@pytest.fixture(autouse=True)
def wire(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    yield from recording(monkeypatch)


class Shown:
    """A room's panel on the stub page, with Python behind it."""

    def __init__(self, page: StubPage, room: Room) -> None:
        self.page = page
        self.panel = RoomPanel(room)
        room.table.onlookers.add(self.panel)
        sent(self.panel)
        page.answer_by(self._hear)
        self.root = page.mount("room", {"view": self.panel.view})

    def _hear(self, _: str, content: Any) -> list[tuple[str, Any]]:
        self.panel._handle_msg({"content": {"data": {"method": "custom", "content": content}}, "buffers": []})
        return [("room", message) for message in sent(self.panel)]

    def until(self, there: Callable[[], bool]) -> None:
        """Show what Python has done by itself, until something is there."""

        def looked() -> bool:
            for message in sent(self.panel):
                self.page.deliver(message)
            return there()

        self.page.wait_until(looked)

    def until_said(self, words: str) -> None:
        """Wait for words."""
        self.until(lambda: words in self.root.inner_text())

    def button(self, name: str) -> Locator:
        return self.root.get_by_role("button", name=name, exact=True)

    def make(self, name: str, *plays: str) -> None:
        """Make a seat."""
        self.root.get_by_label("New seat for").fill(name)
        for who in plays:
            self.root.get_by_role("checkbox", name=who, exact=True).check()
        self.button("Make a link").click()


@pytest.fixture
def room() -> Iterator[Room]:
    enc = ck.Encounter("saga", id="docks", seed=7)
    enc.add("Mara", side="rebels", hp=38)
    enc.add("Ossik", side="rebels")
    enc.add("Guard", side="empire", npc=True)
    enc.start(rolls={"Mara": 20, "Ossik": 15, "Guard": 9})
    with enc.share() as room:
        yield room
    assert room._problems == []


def test_a_link_is_shown_on_demand_and_stands_in_no_view(stub_page: StubPage, room: Room) -> None:
    shown = Shown(stub_page, room)
    shown.make("Jo", "Mara")
    expect(shown.root.get_by_role("img", name="QR code for Jo")).to_be_visible()
    (seat,) = room.seats
    assert seat.plays == ("Mara",)
    expect(shown.root.get_by_role("textbox", name="Link")).to_have_value(seat.url)
    code = shown.root.locator(".ck-code").inner_text()
    assert room.codes.take(code) == "Jo", "what is read out lets Jo in"
    token = seat.url.partition("#")[2]
    kept = json.dumps([shown.panel.view, shown.panel._repr_mimebundle_()])
    assert token not in kept
    assert code not in kept
    shown.button("Link, Jo").click()
    expect(shown.root.get_by_role("img")).to_have_count(0)


def test_a_used_code_goes(stub_page: StubPage, room: Room) -> None:
    shown = Shown(stub_page, room)
    shown.make("Jo", "Mara")
    expect(shown.root.get_by_text(re.compile("Only this machine can open it, no phone"))).to_be_visible()
    code = shown.root.locator(".ck-code").inner_text()
    with Page(room, "", hello={"kind": "pair", "code": code}) as jo:
        jo.until("welcome")
        shown.until_said("The code has been used")
        expect(shown.root.locator(".ck-code")).to_have_count(0)


def test_a_new_link_ends_the_old_one(stub_page: StubPage, room: Room) -> None:
    old = room.seat("Jo", plays="Mara")
    shown = Shown(stub_page, room)
    with Page(room, old) as jo:
        jo.until("welcome")
        shown.button("Link, Jo").click()
        shown.button("New link").click()
        expect(shown.root.get_by_role("textbox", name="Link")).not_to_have_value(old.url)
        while jo.hear() is not None:
            pass
        assert jo.code == 4001


def test_the_panel_says_who_is_there_and_who_is_gone(stub_page: StubPage, room: Room) -> None:
    seat = room.seat("Jo", plays="Mara")
    shown = Shown(stub_page, room)
    expect(shown.root).to_contain_text("1 seat, 0 connected.")
    with Page(room, seat) as jo:
        jo.until("welcome")
        shown.until_said("connected; has the turn")
        room.encounter.end_turn()
        shown.until(lambda: "has the turn" not in shown.root.inner_text())
    shown.until_said("gone for less than a minute")
    shown.button("Revoke, Jo").click()
    expect(shown.root).to_contain_text("0 seats, 0 connected.")
    assert room.seats == ()


def test_the_gm_is_asked_first_and_confirms(stub_page: StubPage, room: Room) -> None:
    seat = room.seat("Jo", plays="Mara")
    shown = Shown(stub_page, room)
    shown.root.get_by_label("Ask me before a seat does anything").check()
    shown.until(lambda: room.chosen.asks)
    with Page(room, seat) as jo:
        jo.until("welcome")
        jo.send({"kind": "end_turn"})
        shown.until_said("asks:")
        assert room.encounter.active == "Mara"
        shown.button("Confirm").click()
        shown.until(lambda: room.encounter.active == "Ossik")
        shown.until(lambda: shown.root.get_by_role("group", name="Jo asks").count() == 0)


def test_a_refusal_stands_in_place(stub_page: StubPage, room: Room) -> None:
    room.seat("Jo", plays="Mara")
    shown = Shown(stub_page, room)
    shown.make("Jo", "Ossik")
    expect(shown.root.get_by_role("alert")).to_contain_text("Jo has a seat already")
    expect(shown.root.get_by_label("New seat for")).to_have_value("Jo")
    shown.button("Pause all seats").click()
    expect(shown.root).to_contain_text("Paused.")
    assert room.paused
    shown.button("Close the room").click()
    expect(shown.root).to_contain_text("This room is closed.")


@pytest.mark.parametrize("width", mostly_long([900, 420], 420))
@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_it_can_be_read(stub_page: StubPage, room: Room, theme: Theme, width: int) -> None:
    stub_page.page.set_viewport_size({"width": width, "height": 900})
    room.seat("Jo", plays="Mara")
    room.screen()
    shown = Shown(stub_page, room)
    stub_page.set_theme(theme)
    shown.button("Link, Jo").click()
    expect(shown.root.get_by_role("img")).to_be_visible()
    assert stub_page.axe() == []
    assert stub_page.page.evaluate("document.documentElement.scrollWidth") <= width
    least = 44 if width < 600 else 24
    for button in shown.root.get_by_role("button").all():
        box = button.bounding_box()
        assert box
        assert box["height"] >= least
    stub_page.screenshot(f"room-{width}-{theme}")


@pytest.mark.long
def test_the_tracker_confirms_and_declines(stub_page: StubPage) -> None:
    enc = ck.Encounter("saga", id="docks", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Ossik", side="rebels")
    enc.start(rolls={"Mara": 20, "Ossik": 10})
    with enc.share(ask=True) as room, Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        live: Live | None = None
        for number, (button, shown, active) in enumerate(
            [("Decline", "refused", "Mara"), ("Confirm", "delta", "Ossik")]
        ):
            anna.send({"kind": "end_turn", "id": number})
            assert anna.until("room")["state"] == "asking"
            settled(room)
            if live is None:
                live = Live(stub_page, ck.Tracker(enc))
            else:
                live.show(live.tracker)
            expect(live.root.locator(".ck-res.is-stop")).to_contain_text("Mara ends the turn")
            live.click("Confirm" if button == "Confirm" else f"{button}: Anna")
            anna.until(shown)
            settled(room)
            assert enc.active == active
            live.show(live.tracker)
            expect(live.root.locator(".ck-res.is-stop")).to_have_count(0)


def test_what_a_seat_asks_in_a_window_is_confirmed_in_the_tracker(stub_page: StubPage) -> None:
    enc = ap()
    with enc.share(ask=True) as room, Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        parry = {"action": "parry", "params": {"outcome": "foiled"}}
        anna.send({"kind": "do", "name": "Mara", **parry, "id": 1})
        assert anna.until("room")["state"] == "asking"
        settled(room)
        live = Live(stub_page, ck.Tracker(enc))
        zone = live.root.locator(".ck-res.is-stop")
        expect(zone).to_contain_text("Mara parries Guard 1; it worked.")
        expect(zone).to_contain_text("Anna waits for you. Guard 1 attacks Mara.")
        live.click("Confirm")
        anna.until("delta")
        settled(room)
        live.show(live.tracker)
        expect(zone).to_contain_text("Mara parries.")
        live.button("Carry on").wait_for()


def test_the_gm_lets_their_own_go_and_waits_for_the_players(stub_page: StubPage) -> None:
    enc = ap()
    with enc.share() as room:
        room.seat("Anna", plays=["Mara", "Ilya"])
        live = Live(stub_page, ck.Tracker(enc))
        zone = live.root.locator(".ck-res.is-stop")
        expect(zone).to_contain_text("Waiting for Anna.")
        live.click("Let mine go")
        expect(zone).to_contain_text("Waiting for Anna. 2 may still react: Mara and Ilya.")
        assert enc.pending
        live.click("Carry on")  # whoever doesn't answer is not waited for
        assert not enc.pending


@pytest.mark.parametrize("theme", mostly_long(THEMES, "dark"))
def test_another_address_and_codes_for_links_that_lead_elsewhere(
    stub_page: StubPage, theme: Theme, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("combatkit.share.addresses.own_addresses", lambda _: ("192.168.1.20", "10.8.0.2"))
    stub_page.set_theme(theme)
    path = tmp_path / "friday.combat"
    with ck.Encounter("saga", id="docks", seed=7, journal=path) as enc:
        enc.add("Mara", side="rebels", hp=38)
        with enc.share() as room:
            room.seat("Jo", plays="Mara")
            port = room.port
        with socket.create_server(("127.0.0.1", port)), enc.share(host="0.0.0.0") as room:
            shown = Shown(stub_page, room)
            expect(
                shown.root.get_by_text(f"Links from before lead to port {port}. This room is at another")
            ).to_be_visible()
            stub_page.screenshot(f"room-astray-{theme}")
            shown.button("New codes for all of them").click()
            code = shown.root.locator(".ck-astray .ck-code")
            expect(code).to_have_text(re.compile(r"^\w{4}-\w{4}$"))
            expect(shown.root.locator(".ck-astray")).to_contain_text(f"Open http://192.168.1.20:{room.port}/")
            shown.button("10.8.0.2").click()
            expect(shown.root.locator(".ck-astray")).to_contain_text(f"Open http://10.8.0.2:{room.port}/")
            shown.button("Link, Jo").click()
            link = shown.root.get_by_role("textbox", name="Link")
            expect(link).to_have_value(re.compile(rf"^http://10\.8\.0\.2:{room.port}/#"))
            expect(code).to_have_count(0)  # the one beside the link has taken its place
            expect(shown.button("192.168.1.20")).to_be_visible()
            stub_page.screenshot(f"room-address-{theme}")


@pytest.mark.parametrize("motion", ["no-preference", "reduce"])
def test_a_press_meant_for_another_button_confirms_nothing(stub_page: StubPage, motion: Any) -> None:
    enc = ck.Encounter("saga", id="docks", seed=7)
    enc.add("Mara", side="rebels")
    enc.add("Ossik", side="rebels")
    enc.start(rolls={"Mara": 20, "Ossik": 10})
    stub_page.page.emulate_media(reduced_motion=motion)
    with enc.share(ask=True) as room, Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        live = Live(stub_page, ck.Tracker(enc))
        clock = stub_page.page.context.new_cdp_session(stub_page.page)
        clock.send("Animation.enable")
        clock.send("Animation.setPlaybackRate", {"playbackRate": 0.001})  # what follows is within half a second
        spot = live.button("End turn").bounding_box()
        assert spot
        anna.send({"kind": "end_turn", "id": 1})
        assert anna.until("room")["state"] == "asking"
        settled(room)
        live.follow()
        live.button("Confirm").wait_for()
        stub_page.page.mouse.click(spot["x"] + 5, spot["y"] + 5)
        live.press("n")
        assert (enc.active, len(room.requests)) == ("Mara", 1)
        clock.send("Animation.setPlaybackRate", {"playbackRate": 1000})
        live.click("Confirm")  # waits until it can be pressed
        anna.until("delta")
        settled(room)
        assert enc.active == "Ossik"
