"""The ground's answer is what happens: where somebody may go, for what, who is asked on the way, and where it ends."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

import combatkit as ck
from combatkit.fight.ground import _likely, moves_of
from tests.conformance.player import MOVES, Player, some


def fights(system: str, rng: Random) -> Iterator[ck.Encounter]:
    """Give moments of random fights in which people have places, without end."""
    while True:
        player = Player(system, rng)
        if not player.placed:
            continue
        for _ in range(12):
            getattr(player, some(rng, MOVES))(rng)
            if player.enc._state.stage == "running":
                yield player.enc


def goal(rng: Random, enc: ck.Encounter, ground: ck.Ground) -> Any:
    """Pick a place, mostly one that can be reached."""
    if enc.board.kind == "zones":
        return some(rng, list(enc.board.zones))
    if ground.lengths and rng.randrange(4):
        return some(rng, list(ground.lengths))
    x, y = ground.at
    return (x + rng.randrange(-4, 5), y + rng.randrange(-4, 5))


def asked_by_doing(enc: ck.Encounter, who: str, action: str, to: Any) -> tuple[list[tuple[str, Any]], Any]:
    """Make a move and let everybody pass; give who was asked where, and where it ended. It is undone."""
    calls, below = 1, len(enc._state.focus)
    enc.do(who, action, to=to)
    found = []
    while (window := enc._state.window) is not None and len(enc._state.focus) > below:
        found += [(offer.who, enc[who].position) for offer in enc.pending]
        enc.resolve(answer=_likely(enc._state, window))
        calls += 1
    end = enc[who].position
    for _ in range(calls):
        enc.undo()
    return found, end


def once(found: list[tuple[str, Any]]) -> list[tuple[str, Any]]:
    return list(dict.fromkeys(found))


def check(rng: Random, enc: ck.Encounter) -> int:
    """Compare the ground with what is judged and done; give how many moves were compared."""
    who = enc.active or some(rng, enc.names)
    ground = enc.ground(who)
    if ground.at is None or isinstance(ground.at, str) != (enc.board.kind == "zones"):
        assert not ground.reach
        return 0
    if enc._state.window is not None and enc._state.window.soft:
        return 0  # any call lets it go first, and what comes then isn't what is now
    there = goal(rng, enc, ground)
    for action in moves_of(enc.ruleset, enc._state):
        ruling, led = enc.can(who, action.id, to=there), [each for each in ground.by(there) if each.action == action.id]
        if ruling.allowed and there != ground.at:
            assert led, (who, action.id, there, ground)
            assert ruling.cost in [each.cost for each in led]
        ways = enc.ways(who, there, action=action.id)
        if led and led[-1].limit is not None and there != ground.at:
            assert ways, (who, action.id, there, ground)
        for way in ways:
            told = enc.can(who, way.action, to=way.to)
            assert (told.allowed, told.cost) == (True, way.cost), (who, way)
            seen = enc.foresee(who, way.action, to=way.to)
            assert seen.ruling == told
            found, end = asked_by_doing(enc, who, way.action, way.to)
            assert once(found) == once([(each.who, each.at) for each in seen.asked]), (who, way)
            assert end == seen.end, (who, way)
    return 1


def compared(system: str, rng: Random, most: int) -> None:
    count = 0
    measured = ck.ruleset(system).board.kind != "names"
    for enc in fights(system, rng):
        before = enc.digest
        state = enc._state
        ground = enc.ground(some(rng, enc.names))
        assert measured or not ground.reach
        assert (enc.digest, enc._state) == (before, state)
        count += check(rng, enc) if measured else 1
        if count >= most:
            return


def test_what_the_ground_says_is_what_is_done(system: str) -> None:
    compared(system, Random(system), 25)


@pytest.mark.long
def test_what_the_ground_says_is_what_is_done_in_many_fights(system: str) -> None:
    compared(system, Random(f"many {system}"), 2_000)
