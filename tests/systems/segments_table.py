"""A table to try one-minute rounds at: two groups, faces rolled at the table, refusals checked from both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import combatkit as ck

FOES = ("Vex", "Ossik", "Orc")

SPELLS: list[dict[str, Any]] = [
    {"id": "fireball", "title": "Fireball", "tags": ["incantation"], "segments": 3, "range": 120},
    {"id": "sleep", "title": "Sleep", "tags": ["incantation"], "segments": 1, "range": 120},
    {"id": "bless", "title": "Bless", "tags": ["incantation"], "segments": 10, "duration": "6 rounds (C)"},
    {"id": "cure", "title": "Cure", "tags": ["incantation"], "segments": 5, "range": "touch"},
    {"id": "wand", "title": "Wand", "tags": ["invocation"]},
    {"id": "staff", "title": "Staff", "tags": ["invocation"], "segments": 4},
    {"id": "feather_fall", "title": "Feather fall", "tags": ["incantation", "immediate"]},
]


def fight(
    *names: str,
    options: Mapping[str, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    seed: int = 7,
    surprised: Sequence[str] = (),
    start: bool = True,
    **stats: Mapping[str, Any],
) -> ck.Encounter:
    """Bring a fight to step 1; `stats` by name. Vex, Ossik and Orc are the foes, everybody else is of the party."""
    enc = ck.Encounter("segments", id="segments", seed=seed, options=options, tables=tables)
    for name in names:
        given: dict[str, Any] = {"aac0": 15, "ac": 5, "hp": 30, **stats.get(name, {})}
        enc.add(name, side="foes" if name in FOES else "party", **given)
    if start:
        enc.start(surprised=surprised)
    return enc


def roll(enc: ck.Encounter, party: int = 5, foes: int = 2) -> None:
    """Close step 1 with these group dice."""
    enc.end_turn(rolls={"party": [party], "foes": [foes]})


def rolled(*names: str, party: int = 5, foes: int = 2, **rest: Any) -> ck.Encounter:
    """Bring a fight to the first turn after initiative; nobody has declared anything."""
    enc = fight(*names, **rest)
    roll(enc, party, foes)
    return enc


def to_step(enc: ck.Encounter, number: int, half: str | None = None) -> None:
    """Let turns pass until a step of the round, and a half of it."""
    for _ in range(60):
        if enc.clock.step == number and half in (None, enc.clock.phase):
            return
        enc.end_turn()
    raise AssertionError(f"step {number} did not come")


def to_turn(enc: ck.Encounter, name: str, step: int | None = None) -> None:
    """Let turns pass until somebody's."""
    for _ in range(60):
        if enc.active == name and step in (None, enc.clock.step):
            return
        enc.end_turn()
    raise AssertionError(f"{name} had no turn")


def to_round(enc: ck.Encounter, number: int) -> None:
    """Let turns pass until a round."""
    for _ in range(200):
        if enc.clock.round == number:
            return
        enc.end_turn()
    raise AssertionError(f"round {number} did not come")


def turns(enc: ck.Encounter) -> list[tuple[int | None, str | None]]:
    """Every turn left in this round, by step and name; each is ended at once."""
    seen: list[tuple[int | None, str | None]] = []
    number = enc.clock.round
    while enc.clock.round == number:
        if enc.active is not None:
            seen.append((enc.clock.step, enc.active))
        enc.end_turn()
    return seen


def key(enc: ck.Encounter, name: str, number: int = 0) -> dict[str, Any]:
    """The terms of one of somebody's places, top first."""
    return dict([rung.key for rung in enc.order if rung.combatant == name][number])


def why(enc: ck.Encounter, name: str) -> str:
    """What put somebody ahead of the next."""
    return next(rung.why for rung in enc.order if rung.combatant == name)


def left(enc: ck.Encounter, name: str, slot: str) -> int:
    """What is left of a slot."""
    return enc.budget(name)[slot].left


def used(enc: ck.Encounter, name: str) -> int:
    """The segments somebody has used this round."""
    total: int = enc[name].values["segments"]
    return total


def hp(enc: ck.Encounter, name: str) -> int:
    """Somebody's hit points."""
    left: int = enc[name].values["hp"]
    return left


def events(enc: ck.Encounter, kind: str) -> list[ck.Event]:
    """Every event of a kind."""
    return [event for event in enc.at(len(enc._events))._log if event.kind == kind]


def cites(happened: Sequence[ck.Event], rule: str) -> bool:
    """Say whether any of these events rests on a rule."""
    return any(rule in event.rules for event in happened)


def rule(id: str) -> Any:
    """Give a rule of this ruleset."""
    return ck.ruleset("segments").rules[f"segments.{id}"]
