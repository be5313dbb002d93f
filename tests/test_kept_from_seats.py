"""What a seat is kept from learning by roundabout ways: a pause, guessed names, numbers, the server's own log."""

from __future__ import annotations

import json
import logging
from pathlib import Path

import pytest

import combatkit as ck
from combatkit.share import Room
from tests.share_client import Page

SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())


def welcomed(room: Room, url: str) -> str:
    """Give all that a page is told as it comes."""
    with Page(room, url.partition("#")[2]) as page:
        return json.dumps(page.until("welcome"))


# ── a pause ──


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_pause_hides_what_comes_in_from_new_and_returning_pages(system: str, tmp_path: Path) -> None:
    enc = ck.Encounter(system, seed=5, journal=tmp_path / "p.combat")
    enc.add("Mara", side="red"), enc.add("Ossik", side="red"), enc.start()
    room = enc.share()
    anna = room.seat("Anna", plays=["Mara"])
    with Page(room, anna) as page:
        page.until("welcome")
        room.pause()
        enc.join("Ambusher", side="black", npc=True)
        enc.damage("Mara", 1)
        new = [room.seat("Ben", plays=["Ossik"]), room.screen()]
        told = [welcomed(room, seat.url) for seat in (anna, *new)]
        assert not any("Ambusher" in words or "black" in words for words in told)
        assert all('"room": "paused"' in words for words in told)
        room.pause()  # again: it is the same pause
        assert "Ambusher" not in welcomed(room, room.renew("Ben").url)
    room.close()
    enc.close()
    enc = ck.Encounter.open(tmp_path / "p.combat")
    with enc.share() as room:
        assert room.paused
        assert "Ambusher" not in welcomed(room, anna.url)
        with Page(room, anna) as page:
            page.until("welcome")
            room.pause(False)
            while "Ambusher" not in page.raw[-1]:
                assert page.hear() is not None
            now = page.views
        assert "Ambusher" in welcomed(room, anna.url)
        with Page(room, anna) as page:
            page.until("welcome")
            assert {part: {**view, "revision": 0} for part, view in page.views.items()} == {
                part: {**view, "revision": 0} for part, view in now.items()
            }
    enc.close()


# ── the server's own log ──


def test_no_token_is_logged_at_any_level(caplog: pytest.LogCaptureFixture) -> None:
    caplog.set_level(1)
    loggers = [
        logging.getLogger(name) for name in ("uvicorn", "uvicorn.error", "uvicorn.asgi", "websockets", "asyncio")
    ]
    before = [logger.level for logger in loggers]
    for logger in loggers:
        logger.setLevel(1)
    enc = ck.Encounter("saga", seed=5)
    enc.add("Mara", side="red")
    with enc.share() as room:
        seat = room.seat("Anna", plays=["Mara"])
        code = room.code("Anna")
        welcomed(room, seat.url)
        with Page(room, seat, hello={"kind": "pair", "code": code}) as page:
            token = page.until("paired")["token"]
    for logger, level in zip(loggers, before, strict=True):
        logger.setLevel(level)
    server = [record for record in caplog.records if not record.name.startswith("websockets.client")]
    assert server, "something is logged"
    words = "\n".join(f"{record.getMessage()} {record.exc_text}" for record in server)
    for secret in (seat.url.partition("#")[2], code, token):
        assert secret not in words
