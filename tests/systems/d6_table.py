"""A table to try the D6 zone system at: fights set up by the scores people act on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import combatkit as ck

BLASTER = {"name": "blaster", "attack": "4D+1", "damage": "3D", "type": "energy", "range": "long"}
RIFLE = {"name": "rifle", "attack": "5D", "damage": "4D+2", "type": "energy", "range": "extreme"}
BLADE = {"name": "blade", "attack": "3D", "damage": "4D", "type": "physical", "range": "melee"}
LANCE = {"name": "lance", "attack": "4D+1", "damage": "3D", "type": "energy", "range": "long", "piercing": True}

LINE = [("Z0", "Z1"), ("Z1", "Z2"), ("Z2", "Z3"), ("Z3", "Z4"), ("Z4", "Z5")]
"""Six zones in a row: from Z0, Close is Z0, Short Z1 ... Extreme Z4 and Z5."""

_FACE = 3


def pc(score: int, **stats: Any) -> dict[str, Any]:
    """A player's character who acts on a score: rank + the face 3."""
    return {"side": "rebels", "initiative": score - _FACE, "resolve": 12, "defense": 10, "weapons": [BLASTER], **stats}


def npc(score: int, **stats: Any) -> dict[str, Any]:
    """An NPC who acts on a score: rank + 3."""
    least = {"side": "empire", "npc": True, "initiative": score - 3, "resolve": 6, "defense": 10, "weapons": [BLASTER]}
    return {**least, **stats}


def fight(
    people: Mapping[str, dict[str, Any]],
    *,
    options: Mapping[str, Any] | None = None,
    map: Sequence[tuple[str, str]] | None = None,
    tables: Mapping[str, Any] | None = None,
    ties: Sequence[str] | None = None,
    start: bool = True,
    seed: int = 7,
) -> ck.Encounter:
    """Begin a fight in which everybody acts on the score given."""
    enc = ck.Encounter("d6", seed=seed, options=options, map=map, tables=tables)
    for name, given in people.items():
        enc.add(name, **given)
    if start:
        enc.start(rolls={n: _FACE for n, given in people.items() if not given.get("npc")}, ties=ties)
    return enc


def kinds(events: Sequence[ck.Event], kind: str) -> list[ck.Event]:
    """The events of one kind."""
    return [event for event in events if event.kind == kind]


def only(events: Sequence[ck.Event], kind: str) -> ck.Event:
    """The one event of a kind."""
    (event,) = kinds(events, kind)
    return event


def cites(events: Sequence[ck.Event], rule: str) -> bool:
    """Whether an event rests on a rule."""
    return any(rule in event.rules for event in events)


def wound(enc: ck.Encounter, name: str) -> None:
    """Bring somebody to 0 Resolve, who becomes Wounded by it."""
    enc.adjust(name, "resolve", -enc[name].values["resolve"])


def hurt(enc: ck.Encounter, name: str, by: int) -> None:
    """Let a Wounded character take further damage, by the GM's hand."""
    enc.adjust(name, "resolve", -by)


def offered(enc: ck.Encounter, name: str) -> tuple[str, ...]:
    """What somebody may answer now."""
    return next((offer.actions for offer in enc.pending if offer.who == name), ())
