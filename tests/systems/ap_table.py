"""A table to try action points at: fights by the results people act on, with three points each unless told."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import combatkit as ck

HUNTERS = ("Vex", "Ossik", "Dray")
THREE = {"Mara": 14, "Vex": 12, "Ilya": 10}
"""Mara and Ilya are rebels, Vex hunts them; nobody is an NPC unless told."""


def fight(
    results: Mapping[str, int] | None = None,
    *,
    surprised: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    rows: Sequence[Mapping[str, Any]] = (),
    ties: Sequence[str] | None = None,
    rolls: Mapping[str, list[int]] | None = None,
    start: bool = True,
    **stats: Mapping[str, Any],
) -> ck.Encounter:
    """Begin a fight in which everybody acts on the result given; further stats by name.

    Everybody throws a 3 unless an Initiative Rating is given: 3 + Rating = result. The surprised throw nothing.
    """
    enc = ck.Encounter("ap", seed=7, options=options)
    if rows:
        enc.add_table("actions", rows)
    faces: dict[str, list[int]] = {}
    for name, result in (results or THREE).items():
        given = {"initiative_rating": result if name in surprised else result - 3, **stats.get(name, {})}
        enc.add(name, side="hunters" if name in HUNTERS else "rebels", **given)
        if name not in surprised:
            faces[name] = [result - given["initiative_rating"]]
    if start:
        enc.start(surprised=surprised, rolls={**faces, **(rolls or {})}, ties=ties)
    return enc


def points(enc: ck.Encounter, *names: str) -> list[int]:
    """Give the points that those named have left."""
    return [enc.budget(name)["ap"].left for name in names]


def through(enc: ck.Encounter, name: str, action: str, /, **params: Any) -> tuple[ck.Event, ...]:
    """Carry out an action that nobody answers."""
    events = enc.do(name, action, **params)
    return (*events, *enc.resolve()) if enc.pending else events


def offered(enc: ck.Encounter) -> list[str]:
    """Who may answer now."""
    return [offer.who for offer in enc.pending if offer.actions]


def to(enc: ck.Encounter, name: str, round: int | None = None) -> None:
    """Let turns pass until somebody's turn, of a round if one is named."""
    for _ in range(100):
        if enc.active == name and round in (None, enc.clock.round):
            return
        enc.end_turn()
    raise AssertionError(f"{name}'s turn of round {round} did not come")


def last(events: Sequence[ck.Event], kind: str) -> ck.Event:
    """Give the last event of a kind."""
    return [event for event in events if event.kind == kind][-1]


def log(enc: ck.Encounter) -> Sequence[ck.Event]:
    """Give every event so far."""
    return enc._events
