"""Random scenes in every system, with many ties, and what the engine makes of them: for the tests of odds."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any, NamedTuple

import combatkit as ck

SYSTEMS = ("saga", "d6", "ap", "segments", "phases")
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


def firsts(enc: ck.Encounter) -> tuple[list[str], int]:
    """Play the first round without deeds; give who had its first turn when, and how many dice were thrown for that."""
    found: dict[str, None] = {}
    dice = None
    while (enc.clock.round or 0) <= 1:
        if enc.active is not None:
            dice = enc._state.die if dice is None else dice
            found[enc.active] = None
        enc.end_turn()
    return list(found), dice or 0
