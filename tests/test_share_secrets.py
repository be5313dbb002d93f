"""Seats are sent nothing that only the GM may know: fights are played, and every byte of every socket is searched.

It has a long form, in a soak.
"""

from __future__ import annotations

import json
import re
import sys
from collections.abc import Callable
from functools import partial
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.fight.lock import HOLDING, guarded
from combatkit.share import Room
from tests import soaking
from tests.conformance.player import CONDITIONS, some
from tests.share_client import Page
from tests.test_secrets import CALLS, FOES, HUSH, MOVES, SEED, Evening

Record = Callable[[str, object], None]
SYSTEMS = tuple(ruleset.id for ruleset in ck.rulesets())
FIGHTS = 2
SOAKED = 1_000
LURKER = "Zqvxlurk"
COVEN = "Zqvxcoven"
BARON, THUG = "Zqvxbaron", "Zqvxthug"
"""Whom players know by another name only."""
GUISE = "a hooded man"
TARGETS = (LURKER, *FOES, BARON, THUG, f"{THUG} 1", GUISE, "hooded man 2")


class Night(Evening):
    """An evening at which somebody lurks whom nobody ever shows."""

    lurks = 0

    @guarded(HOLDING)
    def attempt(self, call: Callable[[], Any]) -> bool:
        """Make a call; what a seat asks for meanwhile waits, or it would pass for what the call has changed."""
        return super().attempt(call)

    def condition(self, rng: Random) -> None:
        """Let a condition begin; who lurks goes on lurking."""
        name, id = some(rng, [each for each in self.enc.names if each != LURKER]), some(rng, CONDITIONS)
        self.attempt(lambda: self.enc.condition(name, id, note=HUSH))

    def undo(self, rng: Random) -> None:
        """Take back a call, none of those that hid somebody."""
        present = self.enc._timeline.present
        if present is not None and present.first > self.lurks:
            self.attempt(self.enc.undo)


def secrets_of(fight: Evening) -> list[str]:
    """Give what must be in no byte; of a number its digits alone, which the number of a moment may have in it."""
    numbers = [str(value - 13) for value in fight.vitals.values() if value > 1000]
    words = [HUSH, LURKER, COVEN, BARON, THUG, *fight.digests]
    return [*words, *(rf"(?<!\d){number}(?!\d)" for number in (str(fight.enc.seed), *numbers))]


def evening(system: str, number: int) -> tuple[int, int]:
    """Play a fight with three seats, and search what they were sent; give how many bytes and messages that was."""
    rng = Random(SEED + number)
    fight = Night(system, rng, None)
    enc = fight.enc
    with enc.share() as room:
        room.pause()
        enc.join(LURKER, side=COVEN, npc=True)
        enc.condition(LURKER, "hidden", note=HUSH)
        enc.join(BARON, side="foes", npc=True, shown_as=GUISE, group=f"{BARON}'s men")
        enc.join(THUG, side=f"{BARON}'s side", npc=True, count=2, shown_as=GUISE)
        fight.lurks = len(enc._events)
        room.pause(False)
        own = [name for name in enc.names if not fight.is_npc(name)]
        seats = [room.seat(f"Seat {each}", plays=own[each : each + 1]) for each in range(2)] + [room.screen()]
        pages = [Page(room, seat) for seat in seats]
        for page in pages:
            page.until("welcome")
        for _ in range(CALLS):
            move = some(rng, MOVES)
            getattr(fight, move)(rng)
            if rng.randrange(3) == 0:
                asked(rng, room, some(rng, pages), own)
        for _ in range(CALLS):
            if enc.pending:
                answer = enc.pending[0].choices[-1] if enc.pending[0].choices else None
                fight.attempt(partial(enc.resolve, answer=answer))
        fight.attempt(enc.finish)  # how it ended is told to all
        total = messages = 0
        for page, seat in zip(pages, seats, strict=True):
            room.revoke(seat.name)
            while page.hear() is not None:
                pass
            total += page.bytes
            messages += len(page.got)
            # A word that a seat has sent itself comes back as it was: of nobody just the same is said.
            names = "|".join((LURKER, BARON, f"{THUG}( 1)?"))
            text = re.sub(f"unknown combatant '({names})'|({names}) isn't yours", "", "\n".join(page.raw))
            assert GUISE in text
            for secret in secrets_of(fight):
                assert not re.search(secret, text), (system, number, secret)
            page.close()
        assert room._problems == []
    return total, messages


def asked(rng: Random, room: Room, page: Page, own: list[str]) -> None:
    """Let a seat try something, mostly what is not its to do."""
    name = some(rng, [*own, *FOES, LURKER, BARON, GUISE, "nobody"])
    message: dict[str, Any] = some(
        rng,
        [
            {"kind": "do", "name": name, "action": "attack", "target": some(rng, TARGETS)},
            {"kind": "choices", "name": name, "action": "attack", "propose": True},
            {"kind": "choices", "name": name, "action": "attack", "params": {"target": some(rng, TARGETS)}},
            {"kind": "log", "from": 1, "to": 500},
            {"kind": "look", "name": some(rng, TARGETS)},
            {"kind": "card", "name": LURKER},
            {"kind": "end_turn"},
            {"kind": "pass", "name": name},
            {"kind": "resolve"},
            {"kind": "undo"},
            {"kind": "full"},
        ],
    )
    page.send({**message, "id": rng.randrange(10**9)})


@pytest.mark.soak
@pytest.mark.parametrize("system", SYSTEMS)
def test_no_byte_tells_a_seat_what_only_the_gm_may_know(
    system: str, record_property: Callable[[str, object], None]
) -> None:
    total = messages = fights = 0
    for number in soaking.rounds(FIGHTS if soaking.seconds(1) is None else SOAKED, 0):
        told = evening(system, number)
        total, messages, fights = total + told[0], messages + told[1], fights + 1
    record_property("searched", f"{total:,} bytes in {messages:,} messages of {fights} fights")
    sys.stdout.write(f"{system}: {total:,} bytes in {messages:,} messages of {fights} fights, none told\n")
    assert total > 10_000


def test_messages_are_the_same_while_only_somebody_hidden_can_answer_and_while_the_gm_is_busy() -> None:
    """Two fights: in one somebody hidden may react to what Anna does, in the other the GM is at something else."""
    told = []
    for hidden in (True, False):
        enc = ck.Encounter("saga", id="docks", seed=7)
        enc.add("Mara", side="rebels")
        enc.add("Ossik", side="rebels")
        enc.add("Lurk", side="empire", npc=True)
        enc.add("Guard", side="empire", npc=True)
        enc.condition("Lurk", "hidden")
        enc.start(rolls={"Mara": 20, "Ossik": 15, "Lurk": 1, "Guard": 5})
        with enc.share() as room:
            pages = [Page(room, room.seat("Anna", plays=["Mara"])), Page(room, room.seat("Ben", plays=["Ossik"]))]
            for page in pages:
                page.until("welcome")
                assert page.got[-1]["room"] == "open"
            anna = pages[0]
            if hidden:
                enc.trigger("Mara", to=["Lurk"], text="Mara runs past")
                assert [offer.who for offer in enc.pending] == ["Lurk"]
            else:
                room.busy.work()
            for page in pages:
                assert page.until("room")["state"] == "busy"
            if hidden:
                anna.send({"kind": "do", "name": "Mara", "action": "move"})
                enc.resolve()
            else:
                anna.send({"kind": "do", "name": "Mara", "action": "move"})
                enc.trigger("Mara", to=["Guard"], text="Mara runs past")
                enc.resolve()
                room.busy.end()
            for page in pages:
                page.send({"kind": "rule", "id": 9, "rule": "saga.std.one"})
                page.until("rule")
                page.close()
            told.append([[shape(message) for message in page.got[1:]] for page in pages])
    assert told[0] == told[1], told


def shape(message: dict[str, Any]) -> str:
    """Give a message without the numbers of its fight."""
    return json.dumps([message["kind"], message.get("state"), message.get("reason")])
