"""A room: who gets in, what a seat may do, what it is sent."""

from __future__ import annotations

import asyncio
import json
import sys
import threading
from collections.abc import Callable, Iterator
from types import SimpleNamespace
from typing import Any
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import pytest
from websockets.exceptions import InvalidStatus

import combatkit as ck
from combatkit.share import Room
from combatkit.share.tokens import Codes
from tests.share_client import PATIENCE, Page, settled
from tests.test_map_look import drawn
from tests.test_map_look import fight as laid_out

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"


def fight(system: str = "saga", **options: Any) -> ck.Encounter:
    enc = ck.Encounter(system, id="docks", seed=7, **options)
    enc.add("Mara", side="rebels")
    enc.add("Ossik", side="rebels")
    enc.add("Guard", side="empire", count=2, npc=True)
    if system == "saga":
        enc.edit("Mara", hp=38, attack_bonus=9)
        enc.edit("Guard 1", hp=16, defense=15)
    return enc


def begun(system: str = "saga", **options: Any) -> ck.Encounter:
    enc = fight(system, **options)
    enc.start(rolls={"Mara": 20, "Ossik": 15, "Guard 1": 9, "Guard 2": 4})
    return enc


def sharing() -> Iterator[Callable[..., Room]]:
    """Give what shares fights; in the end each room is closed, and nothing went wrong in it."""
    rooms: list[Room] = []

    def share(enc: ck.Encounter | None = None, **options: Any) -> Room:
        rooms.append((begun() if enc is None else enc).share(**options))
        return rooms[-1]

    yield share
    for room in rooms:
        room.close()
        assert room._problems == []


shared = pytest.fixture(sharing)


def test_a_seat_shows_and_does_what_is_its_own(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna, Page(room, room.seat("Ben", plays="Ossik")) as ben:
        welcome = anna.until("welcome")
        assert (welcome["seat"], welcome["room"]) == ({"name": "Anna", "role": "seat", "plays": ["Mara"]}, "open")
        assert anna.views["tracker"]["end"]["allowed"]
        ben.until("welcome")
        assert ben.views["tracker"]["end"] == {
            "label": "End my turn",
            "allowed": False,
            "reason": ["It's Mara's turn."],
        }
        assert (anna.views["budget"]["name"], ben.views["budget"]["name"]) == ("Mara", "Ossik")
        before = enc.digest
        refused = ben.ask("end_turn")
        assert refused["reason"] == "It's Mara's turn. Mara is Anna's to play; you play Ossik."
        assert ben.ask("do", name="Ossik", action="attack", target="Guard 1")["rule"] == "saga.round.order"
        assert enc.digest == before
        anna.send({"kind": "do", "name": "Mara", "action": "attack", "target": "Guard 1", "note": "for the docks"})
        anna.until("delta")
        ben.until("delta")
        assert enc._events[-1].round == 1
        assert "for the docks" in json.dumps(ben.views["log"])
        anna.send({"kind": "end_turn"})
        anna.until("delta")
        ben.until("delta")
        assert enc.active == "Ossik"
        assert ben.views["tracker"]["end"]["allowed"]


@pytest.mark.parametrize(
    ("kind", "fields"),
    [
        ("adjust", {"names": "Mara", "by": 5}),
        ("damage", {"names": "Guard 1", "amount": 5}),
        ("condition", {"name": "Mara", "condition": "cover"}),
        ("place", {"name": "Mara", "before": "Ossik"}),
        ("next_round", {}),
        ("finish", {}),
        ("redo", {}),
        ("branch", {"seq": 1}),
        ("at", {"seq": 1}),
        ("settings", {}),
        ("download", {"what": "page"}),
        ("card", {"name": "Guard 1"}),
        ("deal", {"names": ["Guard 1"], "amount": "1"}),
        ("do", {"name": "Guard 1", "action": "attack", "target": "Mara"}),
        ("do", {"name": "Mara", "action": "attack", "target": "Guard 1", "override": True}),
        ("do", {"name": "Mara", "action": "attack", "params": {"target": "Guard 1", "modifiers": {"attack": 20}}}),
        ("do", {"name": "Mara", "action": "attack", "params": {"target": "Guard 1", "damage": "90d6"}}),
        ("do", {"name": "Mara", "action": "attack", "params": {"target": "Guard 1", "outcome": "hit"}}),
        ("choices", {"name": "Guard 1", "action": "attack"}),
        ("choices", {"name": None, "action": "join", "params": {"name": "X", "side": "y"}}),
        ("resolve", {}),
        ("undo", {}),
        ("undo", {"to": 1}),
        ("look", {"name": "Guard 1"}),
    ],
)
def test_a_seat_never_does_what_is_the_gms(shared: Callable[..., Room], kind: str, fields: dict[str, Any]) -> None:
    room = shared()
    before = room.encounter.digest
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        answer = anna.ask(kind, **fields)
        assert answer["kind"] == "refused"
        assert answer["reason"]
    assert room.encounter.digest == before


@pytest.mark.parametrize("throws", [True, False])
def test_who_answers_says_how_it_went_where_no_roll_tells(shared: Callable[..., Room], throws: bool) -> None:
    enc = fight("ap")
    enc.start()
    room = shared(enc, dice="seats" if throws else "gm")
    while enc.active != "Guard 1":
        enc.end_turn()
    enc.do("Guard 1", "attack", target="Mara")
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        asked = {param["id"]: param["required"] for param in anna.ask("choices", name="Mara", action="parry")["params"]}
        assert asked["outcome"]
        before = enc.digest
        anna.send({"kind": "do", "name": "Mara", "action": "parry", "params": {"outcome": "foiled"}})
        if throws:
            anna.until("delta")
            assert [event.action for event in enc._events if event.actor == "Mara"][-1] == "parry"
        else:
            assert anna.until("refused")["reason"] == "Outcome: this is your GM's to say."
            assert enc.digest == before


def test_the_gms_second_screen_does_what_the_gm_does(shared: Callable[..., Room]) -> None:
    room = shared()
    with Page(room, room.gm()) as gm:
        gm.send({"kind": "adjust", "names": "Guard 1", "by": -4})
        gm.until("delta")
        assert room.encounter["Guard 1"].values["hp"] == 12
        for kind, given in (("journal", {"name": "x.combat"}), ("shelf", {}), ("anew", {"options": {}})):
            refused = gm.ask(kind, **given)
            assert refused["kind"] == "refused"
            assert refused["reason"] == "The shelf, files and house rules are in your notebook, not on this page."


def test_the_gms_second_screen_lays_the_picture_that_is_there_and_is_offered_no_file(
    shared: Callable[..., Room],
) -> None:
    enc = laid_out()
    room = shared(enc)
    with Page(room, room.gm()) as gm:
        gm.until("welcome")
        assert "lays" not in gm.views["map"]
        enc.map_look(drawn(), square=48)
        gm.until("delta")
        assert (gm.views["map"]["lays"], gm.views["map"]["second"]) == (True, True)
        gm.send({"kind": "map_look", "shown": False})
        gm.until("delta")
        assert gm.views["map"]["picture"]["shown"] is False
    assert "second" not in ck.Map(enc).view


def test_the_gms_second_screen_has_the_settings_and_chooses_for_all_seats(shared: Callable[..., Room]) -> None:
    room = shared()
    with Page(room, room.gm()) as gm, Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        gm.until("welcome")
        assert gm.views["tracker"]["chosen"] == {"throws": True, "asks": False}
        assert gm.ask("settings")["fight"] == room.encounter.id
        for number, (what, on) in enumerate((("asks", True), ("throws", False)), 1):
            gm.send({"kind": "choose", "what": what, "on": on, "id": number})
            gm.until("done")
        assert (room.chosen.asks, room.chosen.throws) == (True, False)
        gm.send({"kind": "timer", "on": True, "id": 3})
        gm.until("done")
        assert room.encounter._stopwatch.runs
        anna.send({"kind": "choose", "what": "asks", "on": False, "id": 1})
        anna.until("refused")
        assert room.chosen.asks


def test_a_seat_takes_back_its_last_call_while_no_die_was_thrown(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        before = enc.digest
        anna.send({"kind": "do", "name": "Mara", "action": "move"})
        anna.until("delta")
        assert anna.views["tracker"]["undo"] == {"allowed": True, "title": "Take back: Move (Mara)"}
        assert enc.digest != before
        anna.send({"kind": "undo"})
        anna.until("delta")
        assert enc._events[-1].kind == "undo"
        anna.send({"kind": "do", "name": "Mara", "action": "attack", "target": "Guard 1"})
        anna.until("delta")
        assert anna.ask("undo")["kind"] == "refused"
        anna.send({"kind": "do", "name": "Mara", "action": "move"})
        anna.until("delta")
        enc.adjust("Mara", by=-1)
        assert anna.ask("undo")["kind"] == "refused"


def test_a_reaction_is_let_go_by_whom_it_is_offered(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    enc.end_turn()
    enc.end_turn()
    enc.trigger("Guard 1", text="Guard 1 runs past")
    asked = {offer.who for offer in enc.pending}
    assert {"Mara", "Ossik"} <= asked
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna, Page(room, room.seat("Ben", plays=["Ossik"])) as ben:
        anna.until("welcome")
        rows = {row["who"]: row for row in anna.views["tracker"]["windows"][0]["rows"]}
        assert "waits" not in rows["Mara"]
        assert rows["Ossik"]["waits"]
        anna.send({"kind": "resolve"})
        anna.until("delta")
        assert enc.pending
        if asked == {"Mara", "Ossik"}:
            ben.settled()  # with what Anna let go
            ben.send({"kind": "resolve"})
            ben.settled()
        else:
            enc.resolve()
        assert not enc.pending


def test_where_the_gm_rolls_a_seat_types_no_dice(shared: Callable[..., Room]) -> None:
    room = shared(dice="gm")
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        asked = {"name": "Mara", "action": "attack", "target": "Guard 1", "rolls": [20]}
        assert anna.ask("do", **asked)["reason"] == "Your GM rolls at this table."
        assert anna.ask("dice", mode="table")["reason"] == "Your GM rolls at this table."


def test_what_is_needed_is_told_only_with_numbers(shared: Callable[..., Room]) -> None:
    for words in ("nothing", "words", "numbers"):
        enc = begun(options={"vital_words": words})
        room = shared(enc)
        with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
            anna.send({"kind": "dice", "mode": "table"})
            anna.until("delta")
            for rolls in ({}, {"attack": [2]}, {"attack": [19]}):
                answer = anna.ask("choices", name="Mara", action="attack", params={"target": "Guard 1"}, rolls=rolls)
                assert ("15" in json.dumps(answer["dice"][0]["sum"])) == (words == "numbers")
        row = next(row for row in anna.views["ladder"]["rows"].values() if row["name"] == "Guard 1")
        assert row.get("vital") == ([16, 16] if words == "numbers" else None)
        assert (["fresh"] in row.get("sub", [])) == (words == "words")


def test_a_revealed_npc_shows_its_numbers(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        enc.condition("Guard 1", "revealed")
        anna.until("delta")
        rows = {row["name"]: row for row in anna.views["ladder"]["rows"].values()}
        assert rows["Guard 1"]["vital"] == [16, 16]
        assert "vital" not in rows["Guard 2"]
        assert "revealed" not in json.dumps(anna.views)
        enc.damage("Guard 1", 5)
        anna.until("delta")
        assert "5" in json.dumps(anna.views["tracker"]["result"])


def test_the_gm_confirms_what_a_seat_asks_for(shared: Callable[..., Room]) -> None:
    room = shared(ask=True)
    enc = room.encounter
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        anna.send({"kind": "end_turn", "id": 1})
        assert anna.until("room")["state"] == "asking"
        assert [(each.seat, each.words) for each in room.requests] == [("Anna", "Mara ends the turn")]
        room.decline()
        assert anna.until("room")["state"] == "open"
        assert anna.until("refused")["reason"] == "You asked: Mara ends the turn. Your GM says no."
        assert enc.active == "Mara"
        anna.send({"kind": "end_turn", "id": 2})
        anna.until("room")
        room.confirm()
        anna.until("delta")
        assert enc.active == "Ossik"


def test_the_gm_confirms_from_the_tracker(shared: Callable[..., Room]) -> None:
    room = shared(ask=True)
    enc = room.encounter
    gm, players = ck.Tracker(enc), ck.Tracker(enc, view="players")
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna, Page(room, room.gm()) as second:
        anna.until("welcome")
        second.until("welcome")
        for number, (kind, shown) in enumerate([("decline", "refused"), ("confirm", "delta")]):
            anna.send({"kind": "end_turn", "id": 100 + number})
            while "ready" not in second.views["tracker"]:  # that Anna is here may be told first
                second.until("delta")
            settled(room)
            (row,) = second.views["tracker"]["ready"]
            assert (row["who"], row["text"]) == ("Anna", "Mara ends the turn")
            assert gm.view["ready"] == [row]
            assert gm.view["announce"].startswith("Mara ends the turn. ")
            assert "ready" not in players.view
            assert "ready" not in anna.views["tracker"]
            sends = {act["id"]: act["sends"] for act in row["actions"]}
            refused: Any = players._answer(sends[kind])
            assert refused["kind"] == "refused"
            assert gm._answer(sends[kind]) is None
            anna.until(shown)
            again: Any = gm._answer(sends[kind])
            assert again["reason"].startswith("no request has the number")
            second.ask("rule", rule="saga.std.one")
            assert "ready" not in second.views["tracker"]
        assert enc.active == "Ossik"
        for kind in ("confirm", "decline"):
            assert anna.ask(kind, number=1)["kind"] == "refused"


def test_a_room_nobody_is_in_closes_without_a_pause(monkeypatch: pytest.MonkeyPatch) -> None:
    slept, sleep = list[float](), asyncio.sleep

    async def noted(delay: float, *more: Any) -> None:
        slept.append(delay)
        await sleep(delay, *more)

    monkeypatch.setattr(asyncio, "sleep", noted)
    enc = ck.scene("catwalk").encounter("saga", seed=7)
    with enc.share() as room, urlopen(room.url) as answer:
        assert answer.headers["Date"]
    assert max(slept, default=0.0) < 0.1
    assert room._server._server.told.is_set(), "it isn't looked for once a second"
    assert not room._server._thread.is_alive()


def test_a_paused_room_is_told_nothing_until_it_goes_on(shared: Callable[..., Room]) -> None:
    room = shared()
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        room.pause()
        assert anna.until("room")["state"] == "paused"
        assert anna.ask("end_turn")["reason"] == "The table is paused."
        room.encounter.join("Lurk", side="cult", npc=True)
        room.encounter.condition("Lurk", "hidden")
        room.pause(False)
        assert anna.until("room")["state"] == "open"
        assert anna.ask("rule", rule="saga.std.one")["kind"] == "rule"
        assert not any("Lurk" in text or "cult" in text for text in anna.raw)


# ── who gets in ──


@pytest.mark.parametrize("token", ["", "x", "A" * 22, "\u2603", 7, None, ["a"], "a" * 100_000])
def test_a_forged_token_opens_nothing(shared: Callable[..., Room], token: object) -> None:
    room = shared()
    room.seat("Anna", plays=["Mara"])
    page = Page(room, "", hello={"kind": "hello", "token": token})
    assert page.hear() is None
    assert page.code in (4003, 1009)


@pytest.mark.parametrize("hello", ["", "[", "[]", "3", '{"kind": "do"}', b"\x00\xff", '{"kind": {"a": 1}}', "[" * 5000])
def test_a_first_message_that_is_none_opens_nothing(shared: Callable[..., Room], hello: str | bytes) -> None:
    room = shared()
    page = Page(room, "", hello=hello or " ")
    assert page.hear() is None


def test_a_revoked_seat_is_shut_at_once_and_its_link_is_dead(shared: Callable[..., Room]) -> None:
    room = shared()
    seat = room.seat("Anna", plays=["Mara"])
    page = Page(room, seat)
    page.until("welcome")
    room.revoke("Anna")
    assert page.until("room")["state"] == "revoked"
    assert page.hear() is None
    assert page.code == 4001
    assert room.seats == ()
    again = Page(room, seat)
    assert again.hear() is None
    assert again.code == 4003
    fresh = room.seat("Anna", plays=["Mara"])
    assert fresh.url != seat.url


def test_a_new_link_ends_the_old_one(shared: Callable[..., Room]) -> None:
    room = shared()
    old = room.seat("Anna", plays=["Mara"])
    new = room.renew("Anna")
    assert Page(room, old).hear() is None
    with Page(room, new) as page:
        page.until("welcome")
    with pytest.raises(ck.InvalidInput, match="Mara is Anna's to play"):
        room.seat("Ben", plays=["Mara"])


def test_a_code_is_good_once_and_for_few_tries(shared: Callable[..., Room], monkeypatch: pytest.MonkeyPatch) -> None:
    room = shared()
    seat = room.seat("Anna", plays=["Mara"])
    code = room.code("Anna")
    page = Page(room, "", hello={"kind": "pair", "code": code.lower().replace("-", " ")})
    token = page.until("paired")["token"]
    assert page.until("welcome")["seat"]["name"] == "Anna"
    assert Page(room, "", hello={"kind": "pair", "code": code}).hear() is None
    assert Page(room, seat).hear() is None  # the link it had ends
    with Page(room, token) as again:
        again.until("welcome")
    codes = Codes()
    good = codes.make("Anna")
    for _ in range(5):
        assert codes.take("AAAA-AAAA") is None
    assert codes.take(good) is None
    good = codes.make("Anna")
    later = SimpleNamespace(monotonic=lambda: float("inf"))
    monkeypatch.setattr("combatkit.share.tokens.time", later)  # not the room's
    assert codes.take(good) is None


@pytest.mark.parametrize("origin", ["http://evil.example", "null", "https://127.0.0.1", "http://127.0.0.1:1"])
def test_a_page_from_elsewhere_does_not_connect(shared: Callable[..., Room], origin: str) -> None:
    room = shared()
    seat = room.seat("Anna", plays=["Mara"])
    with pytest.raises(InvalidStatus, match="403"):
        Page(room, seat, origin=origin)


def test_origins_that_were_named_do(shared: Callable[..., Room]) -> None:
    room = shared(url="https://table.example/user/gm/proxy/8123", origins=["https://other.example"])
    seat = room.seat("Anna", plays=["Mara"])
    assert seat.url.startswith("https://table.example/user/gm/proxy/8123/#")
    for origin in ("https://table.example", "https://other.example"):
        with Page(room, seat, origin=origin) as page:
            page.until("welcome")


def test_what_is_served_brings_its_own_rules(shared: Callable[..., Room]) -> None:
    room = shared()
    with urlopen(room.url) as page:
        assert page.headers["Content-Security-Policy"] == POLICY
        assert page.headers["Referrer-Policy"] == "no-referrer"
        assert "server" not in page.headers
        text = page.read().decode()
    script = text.split('src="')[1].split('"')[0]
    with urlopen(room.url + script) as found:
        assert found.headers["Content-Type"].startswith("text/javascript")
        kept = found.headers["ETag"]
    with pytest.raises(HTTPError, match="304"):  # what a browser has kept is not sent again
        urlopen(Request(room.url + script, headers={"If-None-Match": kept}))
    for wrong in ("assets/../room.py", "assets/secret.js", "docs"):
        with pytest.raises(HTTPError, match="404"):
            urlopen(Request(room.url + wrong))


def test_links_are_not_shown_by_accident(shared: Callable[..., Room]) -> None:
    room = shared()
    seat = room.seat("Anna", plays=["Mara"])
    token = seat.url.partition("#")[2]
    assert len(token) == 22
    assert token not in repr(seat) + repr(room) + repr(room.seats) + str(room._repr_mimebundle_())


def test_it_says_aloud_that_a_network_hears(shared: Callable[..., Room], capsys: pytest.CaptureFixture[str]) -> None:
    shared()
    assert capsys.readouterr().out == ""
    room = shared(host="0.0.0.0")
    assert "open to the network" in capsys.readouterr().out
    assert "0.0.0.0" not in room.url


def test_a_closed_room_is_over(shared: Callable[..., Room]) -> None:
    room = shared()
    page = Page(room, room.seat("Anna", plays=["Mara"]))
    page.until("welcome")
    room.close()
    room.close()
    assert page.until("room")["state"] == "over"
    assert page.hear() is None
    with pytest.raises(ck.CombatkitError, match="closed"):
        room.seat("Ben")
    assert room.encounter.end_turn()


def test_who_says_hello_while_the_room_closes_is_told_so(
    shared: Callable[..., Room], monkeypatch: pytest.MonkeyPatch
) -> None:
    room = shared()
    token, stop = room.seat("Anna", plays=["Mara"]).url.partition("#")[2], room._server.close
    told: list[Any] = []

    def closing() -> None:
        page = Page(room, token)
        page.until("welcome")
        told.extend([page.until("room")["state"], page.hear(), page.code])
        stop()

    monkeypatch.setattr(room, "admits", lambda *_: True)  # it was let in, and hadn't said who it is
    monkeypatch.setattr(room._server, "close", closing)
    room.close()
    assert told == ["over", None, 1001]


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"dice": "nobody"}, "'seats' or 'gm'"),
        ({"port": -1}, "0 to 65535"),
        ({"host": 3}, "give an address"),
        ({"url": "table.example"}, "is no address"),
        ({"host": "192.0.2.1"}, "cannot be had"),
        ({"host": "192.0.2.1", "port": 8123}, "port 8123 cannot be had"),
    ],
)
def test_what_cannot_be_is_said(options: dict[str, Any], words: str) -> None:
    with pytest.raises(ck.InvalidInput, match=words):
        begun().share(**options)


def test_without_the_extra_it_says_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("combatkit.share.find_spec", lambda name: None if name == "segno" else name)
    with pytest.raises(ck.CombatkitError, match=r"pip install 'combatkit\[share\]'"):
        begun().share()
    monkeypatch.setattr(sys, "platform", "emscripten")
    with pytest.raises(ck.CombatkitError, match="browser"):
        begun().share()


def test_a_tracker_shows_a_seat(shared: Callable[..., Room]) -> None:
    room = shared()
    room.seat("Anna", plays=["Mara"])
    tracker = ck.Tracker(room.encounter, view="players", seat="Anna")
    assert tracker.view["end"]["label"] == "End my turn"
    refused: Any = tracker._answer({"kind": "adjust", "names": "Mara", "by": 3})
    assert refused["reason"] == "Your GM has to settle that: ask them."
    assert tracker._answer({"kind": "end_turn"}) is None
    assert room.encounter.active == "Ossik"
    with pytest.raises(ck.UnknownName, match="Anna"):
        ck.Tracker(room.encounter, view="players", seat="Ana")
    with pytest.raises(ck.InvalidInput, match="seat="):
        ck.Tracker(room.encounter, seat="Anna")


def test_who_is_not_in_the_fight_is_told_with_who_is(shared: Callable[..., Room]) -> None:
    enc = ck.Encounter("saga")
    enc.add("Guard", side="rebels", count=20, npc=True)
    enc.add("Mara", side="ossiks")
    room = shared(enc)
    words = "unknown combatant 'Ossik': give one of 'Mara', 'Guard 1', 'Guard 2'"
    with pytest.raises(ck.UnknownName, match=words):
        room.seat("Anna", plays=["Ossik"])
    assert room.seat("Anna").plays == ()
    assert room.seat("Anna", plays="ossiks").plays == ("Mara",)


def test_a_slow_page_gets_the_whole_state(shared: Callable[..., Room]) -> None:
    room = shared()
    enc = room.encounter
    with Page(room, room.seat("Anna", plays=["Mara"])) as anna:
        anna.until("welcome")
        (client,) = room.posts["Anna"].pages
        held = client.socket.send_text
        gate, sending = asyncio.Event(), threading.Event()

        async def slow(data: str) -> None:
            sending.set()
            await gate.wait()
            await held(data)

        client.socket.send_text = slow  # type: ignore[method-assign]
        enc.adjust("Mara", by=1)
        assert sending.wait(PATIENCE)  # it is slow from its first message on
        for by in range(80):
            enc.adjust("Mara", by=1 if by % 2 else -1)
        room._server.loop.call_soon_threadsafe(gate.set)
        full = anna.until("full")
        assert full["views"]["ladder"] == room.posts["Anna"].views["ladder"]
        assert len(anna.got) < 80
