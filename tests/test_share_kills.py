"""Pages that are cut off in the middle of a fight, without a word: they come back, and show what the fight has come to.

It has a long form, in a soak.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from random import Random
from socket import SHUT_RDWR
from typing import Any

import pytest

import combatkit as ck
from combatkit.share import Room, Seat
from combatkit.share.post import Post, encoded
from combatkit.widgets._seat import SeatVantage
from tests import soaking
from tests.conformance.player import some
from tests.share_client import Page
from tests.waiting import until

SEED = 20_261_125
SOAKED = 500
SEATS = 6


def fight() -> ck.Encounter:
    enc = ck.Encounter("saga", id="docks", seed=7)
    for number in range(SEATS):
        enc.add(f"Hero {number}", side="rebels", hp=38)
    enc.add("Guard", side="empire", count=4, npc=True, hp=16)
    enc.start()
    return enc


def kill(page: Page) -> None:
    """End a page as a phone does that is switched off: without a word."""
    page.socket.socket.shutdown(SHUT_RDWR)


def seen(views: Mapping[str, Mapping[str, Any]]) -> dict[str, dict[str, Any]]:
    """Give what can be seen of views: groups of actions listed no more may be kept, unseen; a delta takes out None."""
    budget = views["budget"]
    group = {id: budget["group"][id] for id in (*budget["groups"], *budget["folds"]) if id in budget["group"]}
    all_views = {**views, "budget": {**budget, "group": group}}
    return {
        part: {key: value for key, value in view.items() if key != "revision" and value is not None}
        for part, view in all_views.items()
    }


def due(room: Room, seat: Seat) -> dict[str, dict[str, Any]]:
    """Give what a seat is to see of the fight as it stands, worked out anew."""
    post = Post(room, seat.name, "seat")
    post.close()
    at, kept = post.vantage, room.posts[seat.name].vantage
    assert isinstance(at, SeatVantage)
    assert isinstance(kept, SeatVantage)
    at.made, at.selected = kept.made, kept.selected
    return seen(json.loads(encoded(post._project())))


def check(room: Room, page: Page, seat: Seat) -> None:
    """Check that a page shows the fight as it stands, once all that was asked for is done."""

    def shown() -> bool:
        page.settled()
        return seen(page.views) == due(room, seat)

    until(shown, "the page shows the fight", pause=0.1)  # a page may not ask too often


@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=[pytest.mark.long, pytest.mark.soak])])
def test_a_page_that_is_killed_comes_back_to_the_fight_as_it_stands(
    kills: int, record_property: Callable[[str, object], None]
) -> None:
    kills = kills if soaking.seconds(1) is None else SOAKED
    rng = Random(SEED)
    enc = fight()
    with enc.share() as room:
        seats = [room.seat(f"Seat {number}", plays=[f"Hero {number}"]) for number in range(SEATS)]
        pages = [Page(room, seat) for seat in seats]
        for page in pages:
            page.until("welcome")
        accepted = 0
        for _ in range(kills):
            at = rng.randrange(SEATS)
            # What a page has heard of is done; what it asked for with its last breath is done once, or not at all.
            before = len(enc._events)
            turn = next((number for number in range(SEATS) if enc.active == f"Hero {number}"), None)
            if turn is not None and rng.randrange(2):
                pages[turn].send({"kind": "end_turn"})
                pages[turn].until("delta")
                accepted += 1
                assert len(enc._events) > before
            elif enc.pending:
                enc.resolve()
            else:
                enc.end_turn()
            if turn == at and rng.randrange(2):
                pages[at].send({"kind": "do", "name": f"Hero {at}", "action": "move"})
            kill(pages[at])
            enc.adjust(some(rng, enc.names), by=-1)
            pages[at] = Page(room, seats[at])
            pages[at].until("welcome")
            for page, seat in zip(pages, seats, strict=True):
                check(room, page, seat)
        assert room._problems == []
        assert sum(len(post.pages) for post in room.posts.values()) == SEATS
        record_property("kills", f"{kills} kills, {accepted} calls from pages")
