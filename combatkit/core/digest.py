"""The digest of a fight: what happened in it, whatever it is called and in whatever words it is told.

``docs/engine.md`` has the canonical form: anyone who works it out from there must get the same string.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from msgspec import json

from combatkit.core.model import Event, State

_SIZE = 16


def digest_of(events: Sequence[Event], state: State) -> str:
    """Return the digest of a log that leads to a state."""
    whole = blake2b(digest_size=_SIZE)
    for event in events:
        whole.update(canonical(event))
    whole.update(json.encode([state.seed, state.die]))
    return whole.hexdigest()


def canonical(event: Event) -> bytes:
    r"""Return an event as a line of JSON, without its number, moment and words, and without the name of an encounter.

    Examples
    --------
    >>> canonical(Event(9, 1, "action", "Mara", "move", text="moves", rules=("saga.move",), by="player", data={"b": 1}))
    b'["action","Mara","move",null,null,"",["saga.move"],"player",{"b":1}]\n'
    """
    data = event._data
    if event.kind == "encounter":
        data = {key: value for key, value in data.items() if key not in ("id", "language", "public")}
    told = (event.kind, event.actor, event.action, event.target, event.amount, event.note, event.rules, event.by, data)
    return json.encode(told, order="deterministic") + b"\n"
