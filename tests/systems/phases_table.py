"""A table to try phases at: fights by the scores people act on, and their places on the hexes."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import combatkit as ck

HUNTERS = ("Vex", "Ossik", "Dray")
FOUR = {"Vex": 9, "Mara": 8, "Ilya": 6, "Dray": 5}
"""Vex and Dray hunt, Mara and Ilya rebel."""
CLOSE: dict[str, Any] = {"Vex": (0, 0), "Mara": (1, 0), "Ilya": (9, 0), "Dray": (18, 0)}
"""Mara stands beside Vex, the others far away."""


def fight(
    scores: Mapping[str, int] | None = None,
    *,
    at: Mapping[str, Any] | None = None,
    surprised: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    tables: Mapping[str, Any] | None = None,
    rolls: Any = None,
    ties: Sequence[str] | None = None,
    start: bool = True,
    **stats: Mapping[str, Any],
) -> ck.Encounter:
    """Begin a fight in which everybody acts on the score given; further stats by name."""
    enc = ck.Encounter("phases", seed=7, options=options, tables=tables)
    for name, score in (scores or FOUR).items():
        side = "hunters" if name in HUNTERS else "rebels"
        given = {"combat_value": score, "ocv": 5, "dcv": 5, "movement": 8, **stats.get(name, {})}
        enc.add(name, side=side, at=(at or {}).get(name), **given)
    if start:
        enc.start(surprised=surprised, rolls=rolls, ties=ties)
    return enc


def to(enc: ck.Encounter, name: str, phase: int | None = None, round: int | None = None) -> None:
    """Let turns pass until somebody's turn, in a phase and a turn of 12 seconds if they are named."""
    for _ in range(200):
        here = phase in (None, enc.clock.phase) and round in (None, enc.clock.round)
        if enc.active == name and here:
            return
        enc.end_turn()
    raise AssertionError(f"{name}'s turn in phase {phase} of turn {round} did not come")


def opportunities(enc: ck.Encounter) -> list[str]:
    """Who may make an attack of opportunity now."""
    return [offer.who for offer in enc.pending if "attack_of_opportunity" in offer.actions]


def question(enc: ck.Encounter) -> ck.Offer | None:
    """Give what the GM is asked now."""
    return next((offer for offer in enc.pending if offer.who == "GM"), None)


def attack(events: Sequence[ck.Event]) -> dict[str, Any]:
    """Give what the one attack among events came to."""
    (event,) = [e for e in events if e.kind == "attack"]
    return event.data


def cited(events: Sequence[ck.Event]) -> set[str]:
    """Every rule that events rest on."""
    return {rule for event in events for rule in event.rules}


def value(enc: ck.Encounter, name: str, id: str) -> Any:
    """Give the value of a condition somebody is under."""
    return next(c.value for c in enc[name].conditions if c.id == id)


def cells(enc: ck.Encounter, name: str) -> list[str]:
    """What a rung shows of the phases of the turn."""
    state = enc._state
    place = state.place_of(name)
    assert place is not None
    shown: list[str] = enc.ruleset.presentation.rung_extras(state, place)["cells"]
    return [cell.replace("\u200a", "") for cell in shown]
