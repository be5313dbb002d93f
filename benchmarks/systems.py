"""Turns a second of each system beside Saga's: eight combatants, each turn an attack with its dice and its end."""

from __future__ import annotations

import time
from functools import partial
from typing import Any, NamedTuple

import combatkit as ck
from benchmarks.pairs import paired, verdict

TURNS = 800
COUNT = 8
FIRST = "saga"
SHARE = 0.5
SMALLEST = {"TURNS": 16}


class Fight(NamedTuple):
    """What a combatant has in a system, and what it does in its turn."""

    stats: dict[str, Any]
    action: str


FIGHTS = {
    "saga": Fight({"dex": 2, "level": 4, "hp": 100_000, "attack_bonus": 5, "defense": 15}, "attack"),
    "d6": Fight(
        {
            "initiative": 2,
            "resolve": 1_000,
            "defense": 30,
            "weapons": [{"name": "blaster", "attack": "4D", "damage": "1D", "type": "energy", "range": "long"}],
        },
        "attack",
    ),
    "ap": Fight({"initiative_rating": 5, "ap": 3, "hp": 100_000, "attack_bonus": 5, "defense": 15}, "attack"),
    "segments": Fight({"aac0": 18, "ac": 5, "hit_dice": "4", "hp": 10_000}, "attack"),
    "phases": Fight({"combat_value": 5, "ocv": 5, "dcv": 5, "stun": 1_000, "body": 1_000, "end": 1_000}, "strike"),
}


def rate(system: str) -> float:
    """Play a fight and give turns a second, windows let pass and steps closed on the way."""
    enc = ck.Encounter(system, seed=7)
    names = [f"F{i}" for i in range(COUNT)]
    for i, name in enumerate(names):
        enc.add(name, side="ab"[i % 2], **FIGHTS[system].stats)
    enc.start()
    other = dict(zip(names, [*names[1:], names[0]], strict=True))
    action = FIGHTS[system].action
    turns = 0
    began = time.perf_counter()
    while turns < TURNS:
        who = enc.active
        if who is not None:
            if enc.can(who, action, target=other[who]).allowed:
                enc.do(who, action, target=other[who])
                while enc.pending:
                    enc.resolve()
            turns += 1
        enc.end_turn()
    return turns / (time.perf_counter() - began)


def run() -> list[str]:
    """Measure and give the lines to print."""
    lines = []
    for ruleset in ck.rulesets():
        if ruleset.id in FIGHTS and ruleset.id != FIRST:
            ratio = paired(partial(rate, ruleset.id), partial(rate, FIRST))
            lines.append(verdict(f"(f) {ruleset.id}: turns a second over {FIRST}'s", ratio, at_least=SHARE))
    return lines
