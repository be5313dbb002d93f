"""A seat's page gone bad: whatever it sends, nothing changes that is not its to change, and the GM plays on.

It has a long form, in a soak.
"""

from __future__ import annotations

import gc
import json
import time
from random import Random
from typing import Any

import pytest
from websockets.exceptions import ConnectionClosed

import combatkit as ck
from combatkit.core.limits import MESSAGE
from combatkit.share import Room, Seat
from combatkit.widgets._intents import KINDS
from tests import soaking
from tests.share_client import Page

SEED = 20_261_125
SOAKED = 100_000
NAMES = ("Mara", "Ossik", "Guard", "Lurk", "nobody", "", "x" * 300, "\u202e", 7, None, ["Mara"], {"a": 1})
WORDS: tuple[Any, ...] = (
    *NAMES,
    "attack",
    "end_turn",
    1e308,
    -1,
    True,
    [],
    {},
    [[]] * 50,
    "saga.std.one",
    "seq",
    2**70,
)
FIELDS = (
    *("name", "names", "action", "target", "params", "rolls", "note", "override", "answer", "to", "seq", "by", "vital"),
    *("amount", "condition", "mode", "rule", "from", "propose", "id", "kind", "token", "at", "ruleset", "seed", "what"),
)


def fight() -> ck.Encounter:
    enc = ck.Encounter("saga", id="docks", seed=7)
    enc.add("Ossik", side="rebels")
    enc.add("Mara", side="rebels")
    enc.add("Guard", side="empire", npc=True)
    enc.add("Lurk", side="empire", npc=True)
    enc.condition("Lurk", "hidden")
    enc.start(rolls={"Ossik": 20, "Mara": 15, "Guard": 9, "Lurk": 4})
    return enc


def forged(rng: Random) -> str | bytes:
    """Give a message that does what is not Mara's, who is not on turn, or is none at all."""
    match rng.randrange(8):
        case 0:
            return rng.randbytes(rng.randrange(60))
        case 1:
            return "".join(chr(rng.randrange(32, 1200)) for _ in range(rng.randrange(80)))
        case 2:
            text = json.dumps(honest(rng))
            return text[: rng.randrange(len(text))]
        case 3:
            return "[" * rng.randrange(900) + "]" * rng.randrange(900)
        case 4 | 5:
            message = {rng.choice(FIELDS): rng.choice(WORDS) for _ in range(rng.randrange(6))}
            return json.dumps({"kind": rng.choice([*KINDS, "hello", "pair", "full", "welcome", ""]), **message})
        case _:
            return json.dumps(honest(rng))


def honest(rng: Random) -> dict[str, Any]:
    """Give a message that is well made, and not allowed now."""
    return rng.choice(
        [
            {"kind": "end_turn"},
            {"kind": "do", "name": "Mara", "action": "attack", "target": "Guard"},
            {"kind": "do", "name": "Ossik", "action": "move"},
            {"kind": "do", "name": "Mara", "action": "attack", "target": "Lurk", "override": True},
            {"kind": "adjust", "names": "Mara", "by": 99},
            {"kind": "undo"},
            {"kind": "undo", "to": 1},
            {"kind": "resolve", "answer": True},
            {"kind": "choices", "name": "Guard", "action": "attack"},
            {"kind": "restart"},
        ]
    )


def flood(room: Room, seat: Seat, count: int, rng: Random) -> int:
    """Send so many such messages, from a new page wherever one is shut; give how many pages that took."""
    pages = sent = 0
    while sent < count:
        pages += 1
        with Page(room, seat) as page:
            try:
                page.until("welcome")
                while sent < count:
                    page.send(forged(rng))
                    sent += 1
                    if sent % 20 == 0:
                        page.send({"kind": "rule", "rule": "saga.std.one", "id": 12345})
                        while (message := page.hear()) is not None and message.get("kind") != "rule":
                            if message.get("reason", "").startswith("Too many"):
                                page.send({"kind": "rule", "rule": "saga.std.one", "id": 12345})
                                time.sleep(0.05)
                        if message is None:
                            break
            except ConnectionClosed:
                continue
    return pages


def objects(room: Room, seat: Seat) -> int:
    """Count the objects there are that hold others, while a new page is there: the pages before it are gone by then."""
    with Page(room, seat) as page:
        page.until("welcome")
        gc.collect()
        return len(gc.get_objects())


@pytest.mark.parametrize("count", [100, pytest.param(400, marks=[pytest.mark.long, pytest.mark.soak])])
@pytest.mark.parametrize("who", ["seat", "screen"])
def test_whatever_a_page_sends_changes_nothing_that_is_not_its_own(
    who: str, count: int, monkeypatch: pytest.MonkeyPatch, record_property: Any
) -> None:
    monkeypatch.setattr("combatkit.share.client.Pace.spend", lambda _: True)  # its own test is below
    enc = fight()
    with enc.share() as room:
        seat = room.seat("Anna", plays=["Mara"]) if who == "seat" else room.screen()
        before = enc.digest
        flood(room, seat, 100, Random(SEED))  # what is kept once is there
        held = objects(room, seat)
        count = count if soaking.seconds(1) is None else SOAKED
        pages = flood(room, seat, count, Random(SEED + 1))
        grown = objects(room, seat) - held
        record_property("flood", f"{count:,} messages, {pages} pages, {grown:,} objects more held")
        assert enc.digest == before
        assert room._problems == []
        assert grown < count / 2, "something of each message is kept"
        enc.end_turn()
        assert enc.active == "Mara"


def test_the_gm_is_answered_while_a_page_floods() -> None:
    enc = fight()
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as bad, Page(room, room.gm()) as gm:
        gm.until("welcome")
        rng = Random(SEED)
        for _ in range(30):
            try:
                for _ in range(20):
                    bad.send(forged(rng))
            except ConnectionClosed:
                break
            gm.send({"kind": "adjust", "names": "Mara", "by": -1})
            gm.until("delta")
        assert enc["Mara"].values


def test_a_page_that_sends_too_much_at_once_is_told_so() -> None:
    enc = fight()
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        for number in range(100):
            page.send({"kind": "end_turn", "id": number})
        while not (answer := page.until("refused"))["reason"].startswith("Too many"):
            pass
        assert answer["id"] in range(100), "a page knows which of its taps was not heard"
        assert enc.active == "Ossik"


def test_a_message_too_large_shuts_the_page() -> None:
    enc = fight()
    with enc.share() as room, Page(room, room.seat("Anna", plays=["Mara"])) as page:
        page.until("welcome")
        page.send("x" * (MESSAGE + 1))
        while page.hear() is not None:
            pass
        assert page.code == 1009


def test_a_replayed_hello_is_no_message_of_a_seat() -> None:
    enc = fight()
    with enc.share() as room:
        seat = room.seat("Anna", plays=["Mara"])
        token = seat.url.partition("#")[2]
        with Page(room, seat) as page:
            page.until("welcome")
            assert page.ask("hello", token=token)["kind"] == "refused"
            assert token not in "".join(page.raw)
