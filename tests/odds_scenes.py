"""Random scenes in every system, with many ties, and what the engine makes of them: for the tests of odds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import combatkit as ck

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
ATTACK = {"phases": "strike"}
SURPRISE = ("saga", "ap", "phases")


class Scene(NamedTuple):
    """Who is in a fight, by the arguments of `add`, and who is surprised."""

    system: str
    rows: tuple[dict[str, Any], ...]
    surprised: tuple[str, ...]
    options: dict[str, Any]

    def encounter(self, seed: int) -> ck.Encounter:
        enc = ck.Encounter(self.system, seed=seed, options=self.options)
        for row in self.rows:
            enc.add(**row)
        return enc

    def names(self) -> list[str]:
        return [row["name"] for row in self.rows]


def scenes(system: str, count: int, size: int | None = None, *, salt: int = 0) -> Iterator[Scene]:
    """Give scenes of two to five combatants, or of a size; the same each time."""
    chance = Random(f"{system} {size} {salt}")
    for _ in range(count):
        names = [f"F{n}" for n in range(size or chance.randint(2, 5))]
        rows = tuple({"name": name, **_common(chance), **STATS[system](chance)} for name in names)
        surprised = [name for name in names if chance.random() < 0.25]
        some = system in SURPRISE and chance.random() < 0.4
        options = {"weapon_speed_ties": chance.random() < 0.7} if system == "segments" else {}
        yield Scene(system, rows, tuple(surprised) if some else (), options)


def _common(chance: Random) -> dict[str, Any]:
    return {"side": chance.choice("ab"), "npc": chance.random() < 0.5}


def _saga(chance: Random) -> dict[str, Any]:
    attack = {"attack_bonus": chance.randint(0, 9), "defense": chance.randint(10, 20)}
    return {"dex": chance.randint(0, 2), "level": chance.randint(0, 4), **attack}


def _d6(chance: Random) -> dict[str, Any]:
    weapon = {"name": "blaster", "attack": chance.choice(["2D", "3D+1", "4D+2", "6D"])}
    ranks = {"initiative": chance.randint(0, 3), "major": chance.random() < 0.3}
    return {**ranks, "defense": chance.randint(8, 16), "weapons": [weapon]}


def _ap(chance: Random) -> dict[str, Any]:
    luck = {"luck_bonus": chance.randint(0, 1)} if chance.random() < 0.5 else {}
    group = {"group": chance.choice(["guards", "hounds"])} if chance.random() < 0.4 else {}
    attack = {"attack_bonus": chance.randint(0, 9), "defense": chance.randint(10, 20)}
    return {"initiative_rating": chance.randint(0, 2), **luck, **group, **attack}


def _segments(chance: Random) -> dict[str, Any]:
    weapon = chance.choice(
        [{"name": "sword", "speed": 5}, {"name": "dagger", "speed": 2}, {"name": "bow", "missile": True, "range": 70}]
    )
    group = {"group": "third"} if chance.random() < 0.2 else {}
    delayed = {"conditions": ["delayed"]} if chance.random() < 0.15 else {}
    attack = {"aac0": chance.choice([12, 17, 20, "20*", 24]), "ac": chance.randint(-8, 9)}
    return {"weapons": [weapon], **group, **delayed, **attack}


def _phases(chance: Random) -> dict[str, Any]:
    quick = {"lightning_reflexes": chance.randint(0, 1)}
    return {"combat_value": chance.randint(3, 5), **quick, "dcv": chance.randint(2, 8)}


STATS = {"saga": _saga, "d6": _d6, "ap": _ap, "segments": _segments, "phases": _phases}


class Round(NamedTuple):
    """What the engine made of the first round: who had its first turn when, and every attack roll in order."""

    firsts: list[str]
    initiative_dice: int
    dice: int
    blows: list[tuple[str, str, int, str | None]]
    spent: dict[str, dict[str, int]]


def play(enc: ck.Encounter, targets: dict[str, str], action: str, tries: int) -> Round:
    """Play the first round, everybody attacking its target as often as its budget allows, at most so many times."""
    firsts: list[str] = []
    blows: list[tuple[str, str, int, str | None]] = []
    spent: dict[str, dict[str, int]] = {}
    dice = None
    while (enc.clock.round or 0) <= 1:
        name = enc.active
        if name is None:
            enc.end_turn()
            continue
        dice = enc._state.die if dice is None else dice
        if name not in firsts:
            firsts.append(name)
        for _ in range(tries if name in targets else 0):
            if not enc.can(name, action, target=targets[name]).allowed:
                break
            events = enc.do(name, action, target=targets[name])
            while enc.pending:
                events += enc.resolve()
            rolled = [event for event in events if event.kind == "attack"]
            blows += [(name, str(e.target), sum(e.data["faces"]), e.data["outcome"]) for e in rolled]
        own = spent.setdefault(name, {})
        for slot in enc.budget(name):
            own[slot.id] = own.get(slot.id, 0) + slot.total - slot.left
        enc.end_turn()
    # In a system that rolls each round anew the next round's dice are not thrown before its first step is closed.
    return Round(firsts, dice or 0, enc._state.die, blows, spent)
