"""A table to try rules at: fights set up by the counts people act on, and refusals checked from both sides."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import pytest

import combatkit as ck

EMPIRE = ("Vex", "Ossik", "Dray")


def fight(
    counts: Mapping[str, int],
    *,
    surprised: Sequence[str] = (),
    options: Mapping[str, Any] | None = None,
    start: bool = True,
    seed: int = 7,
    **stats: Mapping[str, Any],
) -> ck.Encounter:
    """Begin a Saga fight in which everybody acts on the count given; `stats` by name.

    The face that gives the count is worked out here: face + Dexterity + half level + other = count.
    """
    enc = ck.Encounter("saga", seed=seed, options=options)
    rolls = {}
    for name, count in counts.items():
        given = dict(stats.get(name, {}))
        enc.add(name, side="empire" if name in EMPIRE else "rebels", **given)
        rolls[name] = count - given.get("dex", 0) - given.get("level", 1) // 2 - given.get("initiative_misc", 0)
    if start:
        enc.start(surprised=surprised, rolls=rolls)
    return enc


def order(enc: ck.Encounter) -> list[str]:
    """Who acts, top first."""
    return [rung.combatant for rung in enc.order]


def counts(enc: ck.Encounter) -> list[tuple[str, Any]]:
    """Who acts on which count, top first."""
    return [(rung.combatant, rung.initiative) for rung in enc.order]


def left(enc: ck.Encounter, name: str) -> dict[str, int]:
    """What somebody has left to spend."""
    return {slot.id: slot.left for slot in enc.budget(name)}


def holds(enc: ck.Encounter, name: str) -> set[str]:
    """The conditions somebody is under."""
    return {condition.id for condition in enc[name].conditions}


def refused(enc: ck.Encounter, name: str, action: str, /, **params: Any) -> ck.Ruling:
    """Give the ruling of a refusal: what `can` shows is what `do` raises, and nothing has changed."""
    before = enc.digest
    ruling = enc.can(name, action, **params)
    assert not ruling.allowed, f"{name} may {action}"
    with pytest.raises(ck.IllegalAction) as caught:
        enc.do(name, action, **params)
    assert caught.value.ruling == ruling
    assert enc.digest == before
    return ruling


def turns(enc: ck.Encounter, number: int) -> list[str]:
    """Who has the next turns, in order; each is ended at once."""
    seen = []
    for _ in range(number):
        seen.append(enc.active or "nobody")
        enc.end_turn()
    return seen


def to_round(enc: ck.Encounter, number: int, name: str | None = None) -> None:
    """Let turns pass until a round, and somebody's turn in it."""
    for _ in range(100):
        if enc.clock.round == number and (name is None or enc.active == name):
            return
        enc.end_turn()
    raise AssertionError(f"round {number} did not come to {name}")


def said(enc: ck.Encounter) -> list[str]:
    """The log as a person reads it."""
    return [f"{event.actor or event.target or ''} {event.text}".strip() for event in enc.at(last(enc))._events]


def last(enc: ck.Encounter) -> int:
    """The number of the newest event."""
    return len(enc._events)


def rolled(events: Sequence[ck.Event], purpose: str) -> list[tuple[str | None, list[int]]]:
    """Who threw which faces for a purpose."""
    return [(e.actor, e.data["faces"]) for e in events if e.data.get("purpose") == purpose]
