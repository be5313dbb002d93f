"""The digest of a fight: what happened in it, whatever it is called and in whatever words it is told.

``docs/engine.md`` has the canonical form: anyone who works it out from there must get the same string.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import blake2b

from msgspec import json

from combatkit.core.model import Event, State

_SIZE = 16


class Digest:
    """Digests a log as it grows, so that asking costs only what is new; what it has so far is replaced whole."""

    __slots__ = ("_counted",)

    def __init__(self) -> None:
        self._counted: tuple[blake2b, int] = (blake2b(digest_size=_SIZE), 0)

    def of(self, events: Sequence[Event], state: State) -> str:
        """Return the digest of a log that leads to a state; its beginning is the one there was at the last look."""
        counted, number = self._counted
        if number != len(events):
            # More may have been counted already, by a thread that looked at a later moment.
            counted, number = (counted.copy(), number) if number < len(events) else (blake2b(digest_size=_SIZE), 0)
            for event in events[number:]:
                counted.update(canonical(event))
            self._counted = (counted, len(events))
        whole = counted.copy()
        whole.update(json.encode([state.seed, state.die]))
        return str(whole.hexdigest())


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
