"""Fights in which a window asks three at once, in every system: Mara and Ilya, whom players play, and an NPC."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import combatkit as ck
from combatkit.widgets._table import table_of


def _until(enc: ck.Encounter, name: str) -> None:
    for _ in range(40):
        if enc.active == name:
            return
        enc.end_turn()
    raise AssertionError(f"{name}'s turn did not come")


def ap(**options: Any) -> ck.Encounter:
    """Reactions: Guard 1 attacks Mara."""
    enc = ck.Encounter("ap", id="asked", seed=7, **options)
    for name in ("Mara", "Ilya"):
        enc.add(name, side="rebels", hp=20)
    enc.add("Guard", side="empire", count=2, npc=True, hp=20)
    enc.start()
    _until(enc, "Guard 1")
    enc.do("Guard 1", "attack", target="Mara")
    return enc


def _kept(system: str, keeps: str, does: str, **options: Any) -> ck.Encounter:
    enc = ck.Encounter(system, id="asked", seed=7, **options)
    for name in ("Mara", "Ilya"):
        enc.add(name, side="rebels")
    enc.add("Guard", side="empire", count=2, npc=True)
    enc.start()
    if (last := enc.order[-1].combatant) != "Guard 1":
        enc.place("Guard 1", after=last)
    while enc.clock.round == 1:  # what is held lasts for a round
        enc.end_turn()
    waiting = {"Mara": "Guard 1", "Ilya": "Guard 1", "Guard 2": "Mara"}
    while waiting or enc.active != "Guard 1":
        name = str(enc.active)
        if target := waiting.pop(name, None):
            enc.do(name, keeps, action="attack", target=target, trigger={"actor": "Guard 1"})
        if enc.active == name:
            enc.end_turn()
    enc.do("Guard 1", does)
    return enc


def saga(**options: Any) -> ck.Encounter:
    """Readied actions: for whatever Guard 1 does, and he moves."""
    return _kept("saga", "ready", "move", **options)


def d6(**options: Any) -> ck.Encounter:
    """Held actions, likewise."""
    return _kept("d6", "hold", "move", **options)


def segments(**options: Any) -> ck.Encounter:
    """Free attacks: Guard 1 flees from a melee of three sides."""
    enc = ck.Encounter("segments", id="asked", seed=7, **options)
    for name, side in (("Mara", "rebels"), ("Ilya", "rebels"), ("Guard 1", "empire"), ("Guard 2", "cult")):
        enc.add(name, side=side, hp=20, npc=side != "rebels", conditions=["in_melee"])
    enc.start()
    enc.do("Guard 1", "declare", action="flee")
    _until(enc, "Guard 1")
    enc.do("Guard 1", "flee", feet=60)
    return enc


def phases(**options: Any) -> ck.Encounter:
    """Attacks of opportunity: Guard 1 leaves hexes that three threaten."""
    enc = ck.Encounter("phases", id="asked", seed=7, **options)
    for name, side, at in (("Mara", "rebels", (0, 0)), ("Ilya", "rebels", (0, 1)), ("Guard 2", "cult", (2, 0))):
        enc.add(name, side=side, npc=side != "rebels", at=at)
    enc.add("Guard 1", side="empire", npc=True, at=(1, 0))
    enc.start()
    _until(enc, "Guard 1")
    enc.do("Guard 1", "half_move", to=(3, -3), outcome="failed")
    return enc


SCENES: dict[str, Callable[..., ck.Encounter]] = {
    "ap": ap,
    "d6": d6,
    "phases": phases,
    "saga": saga,
    "segments": segments,
}


def seated(enc: ck.Encounter, **plays: str) -> dict[str, ck.Tracker]:
    """Seat people without a room, each playing one; give the tracker of each, the GM's as GM."""
    table_of(enc).plays = {seat: (name,) for seat, name in plays.items()}
    return {"GM": ck.Tracker(enc)} | {seat: ck.Tracker(enc, view="players", seat=seat) for seat in plays}
