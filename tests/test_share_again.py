"""The cell that shares a fight, run again: the same fight, the same room, the same seats, with their pages."""

from __future__ import annotations

import socket
from pathlib import Path
from typing import Any

import pytest

import combatkit as ck
from combatkit.share.panel import RoomPanel
from tests.share_client import Page
from tests.test_share import begun, fight
from tests.test_share_restart import AGAIN, BEGIN, kernel, token

GUIDE = Path(__file__).parents[1] / "docs" / "guides" / "share.md"
SAID = "seats, code = room.seats, room.code('Anna')\n"


def cell(port: int) -> str:
    """Give the cell that the guide says, at a port of the test's own."""
    shown = GUIDE.read_text(encoding="utf-8").split("```python\n")[1].partition("```")[0]
    return shown.replace("8123", str(port)).replace('"0.0.0.0"', '"127.0.0.1"')


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])


def test_the_guides_cell_run_again_goes_on_and_so_do_its_pages(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    code, names = cell(free_port()), dict[str, Any]()
    exec(code, names)
    room, anna, screen = names["room"], names["anna"], names["screen"]
    with room, Page(room, anna) as page, Page(room, screen) as wide:
        page.until("welcome")
        wide.until("welcome")
        names["enc"].start()
        for _ in range(2):
            exec(code, names)
            assert names["room"] is room
            assert (names["anna"], names["screen"]) == (anna, screen)
        assert page.ask("rule", rule="saga.std.one")["kind"] == "rule"
        assert not any(message["kind"] == "room" for message in page.got)
        assert [entry.stage for entry in ck.campaign("friday.combat")] == ["running"]
    names["enc"].close()


def test_the_guides_cell_run_after_a_restart_goes_on_with_the_same_links(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    code = cell(free_port()).removesuffix("room\n")
    with kernel(code + "enc.start()\n" + SAID, tmp_path) as first:
        anna, screen = map(token, first.said["seats"])
    with kernel(code + SAID, tmp_path) as second:
        assert (second.port, second.said["digest"]) == (first.port, first.said["digest"])
        for link in (anna, screen):
            with Page(second, link) as page:
                page.until("welcome")
    assert [(entry.id, entry.stage) for entry in ck.campaign("friday.combat")] == [("saga", "running")]


# ── a fight beside one that was begun ──


def test_a_fight_beside_one_that_was_begun_is_said_and_open_takes_the_one_that_was(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    old = begun(journal=path)
    old.close()
    with pytest.warns(UserWarning, match=r"'saga.*' is a new fight, beside 'docks', .*'docks'\) goes on"):
        new = ck.Encounter("saga", journal=path)
    new.add("Mara", side="rebels")
    new.close()
    with pytest.warns(UserWarning, match=rf"this is 'docks', which has begun; {new.id!r}, added after it, has not"):
        enc = ck.Encounter.open(path)
    assert enc.id == "docks"
    enc.close()
    for given in (new.id, "docks"):
        with ck.Encounter.open(path, given) as enc:
            assert enc.id == given
    with ck.Encounter.open(path, new.id) as enc:
        enc.start()
    for given in (new.id, "docks"):
        other = ({new.id, "docks"} - {given}).pop()
        with ck.Encounter.open(path, given) as enc:
            enc.end_turn()
        with ck.Encounter.open(path, other) as enc, enc.share() as room:
            room.seat("Anna")
        said = rf"this is '{given}', .* played last; '{other}' has begun too, .*open\('friday.combat', '{other}'\)"
        with pytest.warns(UserWarning, match=said), ck.Encounter.open(path) as enc:
            assert enc.id == given, "who is given a seat in another has not played it"
    for given in ("docks", new.id):
        with ck.Encounter.open(path, given) as enc:
            enc.finish()
            enc.branch(2).close()
    with ck.Encounter.open(path) as enc:
        assert enc.parent is not None


def test_beside_what_is_over_of_another_kind_or_named_nothing_is_said(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    with begun(journal=path) as enc:
        ck.Encounter("d6", journal=path).close()
        ck.Encounter("saga", id="sunday", journal=path).close()
        enc.finish()
    ck.Encounter("saga", journal=path).close()
    with ck.Encounter.open(path) as enc:
        assert enc._state.stage == "setup"


# ── the next fight of the evening ──


def test_the_next_fight_in_a_journal_takes_the_seats_of_the_one_before_it_along(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    enc = begun(journal=path)
    first = enc.share(ask=True)
    anna, ben = first.seat("Anna", plays=["Mara"]), first.seat("Ben", plays=enc.names[1:2])
    screen, cleo = first.screen(), first.seat("Cleo")
    first.revoke("Cleo")
    enc.finish()
    other = ck.Encounter("saga", id="the-gate", journal=path)
    other.add("Mara", side="rebels", dex=4)
    other.add("Sentry", side="empire")
    with Page(first, anna) as page:
        page.until("welcome")
        room = other.share(port=first.port)
    with room:
        assert first.closed
        assert (room.port, room.chosen.asks, room.chosen.paused) == (first.port, True, False)
        assert [(seat.name, seat.plays) for seat in room.seats] == [
            ("Anna", ("Mara",)),
            ("Ben", ()),
            ("Table screen", ()),
        ]
        for link in (anna, ben, screen):
            with Page(room, link) as again:
                assert again.until("welcome")["table"] == room.name
        assert Page(room, cleo).hear() is None
        room.revoke("Ben")
    with other.share(port=first.port) as room:
        assert [seat.name for seat in room.seats] == ["Anna", "Table screen"], "what is settled here holds here"
    with enc.share() as room:
        assert [seat.name for seat in room.seats] == ["Anna", "Ben", "Table screen"]
    for each in (enc, other):
        each.close()


def test_the_next_fight_is_served_where_the_one_before_it_was(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    enc = begun(journal=path)
    first = enc.share("0.0.0.0", origins="https://table.example")
    anna = first.seat("Anna", plays=["Mara"])
    enc.finish()
    with ck.Encounter("saga", id="the-gate", journal=path) as other:
        other.add("Mara", side="rebels")
        with other.share() as room:
            assert (room.port, room.url, first.closed) == (first.port, first.url, True)
            assert room.notice.startswith("This fight is open to the network")
            with Page(room, anna, origin="https://table.example") as page:
                assert page.until("welcome")["table"] == room.name
    enc.close()


def test_a_fight_that_goes_on_keeps_its_room_beside_the_next_one(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    enc, other = begun(journal=path), ck.Encounter("saga", id="the-gate", journal=path)
    with enc.share() as first:
        first.seat("Anna", plays=["Mara"])
        with other.share() as room:
            assert not first.closed
            assert room.seats == ()
    for each in (enc, other):
        each.close()


def test_a_branch_of_a_fight_that_is_over_takes_nobodys_seat(tmp_path: Path) -> None:
    with begun(journal=tmp_path / "friday.combat") as enc:
        enc.finish()
        with enc.share() as first:
            first.seat("Anna", plays=["Mara"])
            with enc.branch(2) as branch, branch.share() as room:
                assert not first.closed
                assert room.seats == ()


# ── shared again ──


def test_a_fight_is_shared_once_and_what_is_said_anew_holds(capsys: pytest.CaptureFixture[str]) -> None:
    enc = begun()
    with enc.share(origins="https://table.example") as room:
        anna = room.seat("Anna", plays=["Mara"])
        assert enc.share() is room
        assert enc.share(port=room.port, dice="gm", ask=True, url="https://hub.example/proxy/") is room
        assert (room.chosen.throws, room.chosen.asks, room.url) == (False, True, "https://hub.example/proxy/")
        assert room.join["url"] == room.url
        assert room.seat("Anna").url == anna.url.replace(f"http://127.0.0.1:{room.port}/", room.url)
        for origin in ("https://table.example", "https://hub.example", f"http://127.0.0.1:{room.port}"):
            with Page(room, anna, origin=origin) as page:
                page.until("welcome")
        for elsewhere in ({"host": "0.0.0.0"}, {"port": room.port + 1}):
            with pytest.raises(ck.InvalidInput, match=rf"shared at 127.0.0.1, port {room.port}, and cannot be"):
                enc.share(**elsewhere)
        with pytest.raises(ck.InvalidInput, match="it is 'seats' or 'gm'"):
            enc.share(dice="mine")
        assert enc.share() is room
    with enc.share() as another:
        assert another is not room
    assert capsys.readouterr().out == ""


def test_what_is_said_anew_holds_even_if_it_is_the_default_and_what_is_left_out_stays(tmp_path: Path) -> None:
    enc = begun(journal=tmp_path / "friday.combat")
    with enc.share(ask=True, dice="gm", origins=["https://table.example"]) as room:
        enc.share()
        assert (room.chosen.asks, room.chosen.throws) == (True, False)
        enc.share(ask=False, dice="seats", origins=())
        assert (room.chosen.asks, room.chosen.throws, room.table.throws) == (False, True, True)
        assert not room.admits("https://table.example", "", "")
        enc.share(ask=True, dice="gm")
    with enc.share() as room:
        assert (room.chosen.asks, room.table.throws) == (True, False)
    with enc.share(host="127.0.0.1", ask=False, dice="seats") as room:
        assert (room.chosen.asks, room.table.throws) == (False, True)
        assert enc.share(host="127.0.0.1") is room
    enc.close()


def test_a_second_fight_shared_from_here_says_where_the_first_one_is() -> None:
    with fight().share() as first, fight().share() as second:
        assert (
            second.notice
            == f"'docks' is shared from here as well, at {first.url}: its pages stay there, until its room is closed."
        )


def test_a_seat_given_again_is_that_seat_and_plays_whom_it_is_to_play() -> None:
    enc = begun()
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        anna = room.seat("Anna", plays=["Mara", "Ossik"])
        assert page.until("welcome")["seat"]["plays"] == ["Mara", "Ossik"]
        assert room.seat("Anna") == anna
        assert page.ask("end_turn")["kind"] == "done"
        assert page.ask("end_turn")["kind"] == "done"
        ben = room.seat("Ben")
        with pytest.raises(ck.InvalidInput, match="Ossik is Anna's to play"):
            room.seat("Ben", plays=["Ossik"])
        room.seat("Anna", plays=["Mara"])
        assert page.until("welcome")["seat"]["plays"] == ["Mara"]
        assert room.seat("Ben", plays=["Ossik"]).url == ben.url
        room.gm()
        with pytest.raises(ck.InvalidInput, match="GM is a seat of another kind"):
            room.seat("GM")
    assert room._problems == []


def test_a_seat_is_that_of_its_name_in_capitals_or_not() -> None:
    with begun().share() as room:
        anna = room.seat("Anna", plays=["Mara"])
        assert room.seat("anna") == room.seat("ANNA", plays=["Mara"]) == anna
        panel: Any = RoomPanel(room)
        assert panel._answer({"kind": "seat", "name": "anna", "plays": [], "id": 1})["reason"].startswith("Anna has a")
        room.screen()
        with pytest.raises(ck.InvalidInput, match="Table screen is a seat of another kind"):
            room.seat("table screen")
        room.revoke("anna")
        assert [seat.name for seat in room.seats] == ["Table screen"]


def test_who_is_to_play_nobody_plays_nobody() -> None:
    with begun().share() as room, Page(room, room.seat("Ben", plays=["Ossik"])) as page:
        page.until("welcome")
        assert room.seat("Ben").plays == ("Ossik",)
        assert room.seat("Ben", plays=[]).plays == ()
        assert page.until("welcome")["seat"]["plays"] == []
        assert room.seat("Anna", plays=["Ossik"]).plays == ("Ossik",)
        assert room._problems == []


def test_where_the_port_that_was_named_is_taken_the_guides_cell_says_so_and_shows_new_codes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    code, names = cell(free_port()), dict[str, Any]()
    exec(code, names)
    port = names["room"].port
    names["room"].close()
    names["enc"].close()
    capsys.readouterr()
    with socket.create_server(("127.0.0.1", port)):
        exec(code, names)
        room, panel = names["room"], RoomPanel(names["room"])
        said = (
            f"Port {port} was taken as this room was opened, perhaps by another kernel that shares this fight. "
            f"It is at port {room.port}, "
        )
        assert capsys.readouterr().out.startswith(said)
        assert panel.view["astray"].startswith(said)
        exec(code, names)
        assert names["room"] is room
        answer: Any = panel._answer({"kind": "codes", "id": 1})
        assert [name for name, _ in answer["codes"]] == [seat.name for seat in room.seats]
        for _, typed in answer["codes"]:
            with Page(room, "", hello={"kind": "pair", "code": typed}) as page:
                page.until("welcome")
        assert panel.view["astray"] == ""
    room.close()
    names["enc"].close()


def test_a_room_says_that_it_stays_where_it_is_once_its_port_is_free_until_it_is_closed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    port, names = free_port(), dict[str, Any]()
    with socket.create_server(("127.0.0.1", port)):
        exec(cell(port), names)
    room = names["room"]
    capsys.readouterr()
    exec(cell(port), names)
    said = capsys.readouterr().out
    assert names["room"] is room
    assert "is taken" not in said
    assert f"It is at port {room.port}, " in said
    assert "stays there until you close it (room.close())" in said
    room.close()
    exec(cell(port), names)
    assert names["room"].port == port
    assert capsys.readouterr().out.startswith(f"Links from before lead to port {room.port}. This room is at another")
    names["room"].close()
    names["enc"].close()


def test_behind_a_proxy_a_room_is_where_the_proxy_looks_for_it_or_nowhere() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        with pytest.raises(ck.InvalidInput, match=f"port {port} is taken"):
            begun().share(port=port, url="https://hub.example/proxy/")


def test_where_the_port_is_taken_new_codes_are_shown_on_demand(tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    with kernel(BEGIN, path) as first:
        pass
    with socket.create_server(("127.0.0.1", first.port)), ck.Encounter.open(path) as enc, enc.share() as room:
        panel = RoomPanel(room)
        assert panel.view["astray"] == room.lost
        assert panel.view["notice"] == ""
        assert room.notice.startswith("Links from before lead to port")
        answer: Any = panel._answer({"kind": "codes", "id": 1})
        assert [name for name, _ in answer["codes"]] == ["Anna", "Table screen"]
        assert (room.astray, room.notice) == ([], "")
        for _, code in answer["codes"]:
            assert code not in str(panel.view)
            with Page(room, "", hello={"kind": "pair", "code": code}) as page:
                page.until("welcome")
    with kernel(AGAIN, path) as third:
        assert third.said["notice"] == ""
