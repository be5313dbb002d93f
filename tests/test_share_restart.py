"""A room whose kernel was killed: with a journal its seats come back, with the same links while the port is free."""

from __future__ import annotations

import json
import socket
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import msgspec
import pytest

import combatkit as ck
from combatkit.journal.lines import marked_line
from combatkit.share.keeping import Keeper, Kept
from tests.share_client import Page
from tests.test_share import begun

BEGIN = """
enc = ck.Encounter("saga", id="docks", seed=7, journal=path, options={"vital_words": "words"})
enc.add("Mara", side="rebels"), enc.add("Ossik", side="rebels"), enc.add("Guard", side="empire", npc=True, hp=16)
enc.start(rolls={"Mara": 20, "Ossik": 15, "Guard": 9})
room = enc.share(ask=True)
seats = [room.seat("Anna", plays=["Mara"]), room.seat("Ben", plays=["Ossik"]), room.screen()]
room.revoke("Ben")
code = room.code("Anna")
room.pause()
"""
AGAIN = """
enc = ck.Encounter.open(path)
room = enc.share()
seats, code = room.seats, ""
"""
TELL = """
print(json.dumps({"port": room.port, "notice": room.notice, "code": code, "digest": enc.digest,
                  "asks": room.chosen.asks, "paused": room.paused, "words": enc._state.options.get("vital_words"),
                  "seats": [[seat.name, seat.plays, seat.url] for seat in seats]}), flush=True)
code or room.pause(False)
sys.stdin.read()
"""


class Kernel(NamedTuple):
    """A process that serves a room, and what it said of it."""

    process: subprocess.Popen[str]
    port: int
    said: dict[str, Any]


@contextmanager
def kernel(code: str, path: Path) -> Iterator[Kernel]:
    """Run a process that shares a fight, and kill it in the end."""
    whole = "import json, sys\nimport combatkit as ck\npath = sys.argv[1]\n" + code + TELL
    with subprocess.Popen(
        [sys.executable, "-c", whole, path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            lines = iter(process.stdout.readline, "")
            said = json.loads(next(line for line in lines if line.startswith("{")))
            yield Kernel(process, said["port"], said)
        finally:
            process.kill()
            process.wait()


def token(seat: list[Any]) -> str:
    return str(seat[2].partition("#")[2])


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "friday.combat"


def test_seats_come_back_with_their_links_after_a_kill(path: Path) -> None:
    with kernel(BEGIN, path) as first:
        anna, ben, screen = map(token, first.said["seats"])
        with Page(first, anna) as page:
            table = page.until("welcome")["table"]
            with Page(first, screen) as wide:
                assert wide.until("welcome")["table"] == table
        assert first.said["notice"] == ""
    with kernel(AGAIN, path) as second:
        said = second.said
        assert (second.port, said["notice"], said["digest"]) == (first.port, "", first.said["digest"])
        assert (said["asks"], said["paused"], said["words"]) == (True, True, "words")
        assert said["seats"] == [["Anna", ["Mara"], ""], ["Table screen", [], ""]]
        with Page(second, anna) as page, Page(second, screen) as wide:
            welcome = page.until("welcome")
            assert welcome["seat"] == {"name": "Anna", "role": "seat", "plays": ["Mara"]}
            assert welcome["table"] != table, "nothing is known of what was asked before"
            assert page.views["tracker"]["end"]["allowed"]
            assert wide.until("welcome")["seat"]["role"] == "screen"
        gone = Page(second, ben)
        assert (gone.hear(), gone.code) == (None, 4003)
        old = Page(second, "", hello={"kind": "pair", "code": first.said["code"]})
        assert (old.hear(), old.code) == (None, 4003)


ASKED = """
from tests.windows_asked import ap
enc = ap(journal=path)
room = enc.share()
seats, code = [room.seat("Anna", plays=["Mara"]), room.seat("Ben", plays=["Ilya"])], "-"
"""


def test_who_has_let_it_go_is_not_asked_again_after_a_kill(path: Path) -> None:
    let = {"kind": "pass", "name": "Mara", "id": 1}
    with kernel(ASKED, path) as first:
        anna, _ = map(token, first.said["seats"])
        with Page(first, anna) as page:
            page.send({**let, "moment": page.until("welcome")["moment"]})
            assert page.until("done", "refused")["kind"] == "done"
    with kernel(AGAIN, path) as second, Page(second, anna) as page:
        page.until("welcome")
        assert page.views["tracker"]["windows"][0]["sub"] == ["You let it go. Waiting for Ben and your GM."]
        assert page.views["tracker"]["undo"]["title"] == "Take back: let it go"
        page.send({"kind": "undo", "id": 2})
        page.until("done", "refused")
    with kernel(AGAIN, path) as third, Page(third, anna) as page:
        page.until("welcome")
        assert page.views["tracker"]["windows"][0]["sub"][0].startswith("Waiting for you, Ben")


@pytest.mark.parametrize("system", ["saga", "d6", "ap", "phases"])  # in segments no turn comes before declarations
def test_what_was_done_before_a_restart_is_not_done_again(path: Path, system: str) -> None:
    enc = ck.Encounter(system, seed=7, journal=path)
    enc.add("Mara", side="rebels", count=2)
    enc.start()
    with enc.share() as room, Page(room, room.seat("Anna", plays=enc.names)) as page:
        tap = {"kind": "end_turn", "moment": page.until("welcome")["moment"], "id": 1}
        page.send(tap)
        assert page.until("done", "refused")["kind"] == "done"
        token = room.seats[0].url.partition("#")[2]
    enc.close()
    with ck.Encounter.open(path) as again, again.share() as room, Page(room, token) as page:
        page.until("welcome")
        before = again.digest
        page.send(tap)
        assert page.until("done", "refused")["reason"].startswith("Not done: the fight went on.")
        assert again.digest == before


def test_where_the_port_is_taken_the_room_says_so_and_old_links_are_dead(path: Path) -> None:
    with kernel(BEGIN, path) as first:
        anna = token(first.said["seats"][0])
    with socket.create_server(("127.0.0.1", first.port)), kernel(AGAIN, path) as second:
        assert second.port != first.port
        assert second.said["notice"].startswith(f"Links from before lead to port {first.port}. This room is at another")
        assert "Seats that are given again get new ones" in second.said["notice"]
        page = Page(second, anna)
        assert (page.hear(), page.code) == (None, 4003)
    with kernel(AGAIN, path) as third:  # nothing was given out meanwhile
        assert third.port == first.port
        with Page(third, anna) as page:
            page.until("welcome")


# ── without a second process ──


def test_a_new_link_is_the_only_one_and_is_what_comes_back(path: Path) -> None:
    enc = begun(journal=path)
    with enc.share() as room:
        old = room.seat("Anna", plays=["Mara"])
    with enc.share() as room:
        assert room.port == int(old.url.split(":")[2].split("/")[0])
        assert [(seat.name, seat.plays, seat.url) for seat in room.seats] == [("Anna", ("Mara",), "")]
        new = room.renew("Anna")
        assert new.url.partition("#")[0] == room.url
        code = room.code("Anna")
        with Page(room, "", hello={"kind": "pair", "code": code}) as page:
            paired = page.until("paired")["token"]
            page.until("welcome")
    with enc.share() as room:
        for dead in (old, new):
            assert Page(room, dead).hear() is None
        with Page(room, paired) as page:
            page.until("welcome")
    enc.close()


def test_the_journal_holds_no_token_and_the_fight_is_what_it_was(path: Path) -> None:
    enc = begun(journal=path)
    digest, states = enc.digest, len(path.read_bytes())
    with enc.share() as room:
        tokens = [seat.url.partition("#")[2] for seat in (room.seat("Anna", plays=["Mara"]), room.gm())]
    enc.end_turn()
    enc.undo()
    enc.branch(3).close()
    enc.close()
    written = b"".join(file.read_bytes() for file in path.parent.iterdir())
    assert states <= len(written)
    assert not any(token.encode() in written for token in tokens)
    with ck.Encounter.open(path, "docks") as again:
        assert again.at(len(begun()._events)).digest == digest
        with again.share() as room:
            assert [seat.name for seat in room.seats] == ["Anna", "GM"]
    with ck.Encounter.open(path, "docks@3") as branch, branch.share() as room:
        assert room.seats == ()


def test_a_fight_that_is_kept_later_keeps_its_seats(path: Path) -> None:
    enc = begun()
    with enc.share() as room:
        room.seat("Anna", plays=["Mara"])
        tracker = ck.Tracker(enc)
        from combatkit.journal.opening import keep

        keep(enc, path)
        enc.end_turn()
        assert tracker.view["mode"] == "play"
    enc.close()
    with ck.Encounter.open(path) as again, again.share() as room:
        assert [seat.name for seat in room.seats] == ["Anna"]


WRONG: list[Any] = [
    {"seats": 3},
    {"seats": {"A": {"name": "B", "role": "gm", "plays": []}}},
    {"seats": {"A": {"name": "A", "role": "god", "plays": []}}},
    {"seats": {"A": {"name": "A", "role": "seat", "plays": ["Nobody"]}}},
    {"seats": {"A": {"name": "A", "role": "seat", "plays": [], "digest": "short"}}},
    {"seats": {"A": {"name": "A", "role": "seat", "plays": [], "port": 70000}}},
]


def test_what_no_room_wrote_is_as_if_nothing_were_there(path: Path) -> None:
    begun(journal=path).close()
    right = Kept(asks=True)
    found = []
    for room in (*WRONG, msgspec.to_builtins(right)):
        written = path.read_bytes()
        raw, _ = marked_line(msgspec.json.encode({"fight": 1, "set": {"room": room}}), written[-19:-3])
        path.write_bytes(written + raw)
        with ck.Encounter.open(path) as enc:
            found.append(Keeper(enc).now)
    assert found == [*[Kept()] * len(WRONG), right]


def test_what_the_journal_refuses_is_not_given(path: Path) -> None:
    enc = begun(journal=path)
    with enc.share() as room:
        room.seat("Anna", plays=["Mara"])
        enc.close()
        with pytest.raises(ck.JournalError, match="is closed"):
            room.seat("Ben", plays=["Ossik"])
        with pytest.raises(ck.JournalError, match="is closed"):
            room.revoke("Anna")
        assert room.seats == ()


def test_as_many_seats_as_a_room_has_come_back(path: Path) -> None:
    enc = begun(journal=path)
    names = [f"{number:02}" + "é" * 58 for number in range(64)]
    with enc.share() as room:
        for name in names:
            room.seat(name)
    with enc.share() as room:
        assert [seat.name for seat in room.seats] == names
    enc.close()
