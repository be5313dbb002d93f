"""Calls as rows and back: what is written of each event, and the checksum that every read is held against."""

from __future__ import annotations

from hashlib import blake2b
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from combatkit.engine.model import Event, Fighter, Place, State
from combatkit.engine.timeline import Call

ROOT = b""
"""The checksum before the first call."""

_MARK = 8
_WIDTH = 12

_json = msgspec.json.encode
_packed = msgspec.msgpack.encode
_read_json = msgspec.json.Decoder().decode
_read_state = msgspec.msgpack.Decoder(State).decode
_read_rules = msgspec.json.Decoder(tuple[str, ...]).decode

Row = tuple[Any, ...]
Heading = tuple[int, int, int | None, int | None, str | None]
"""What a call's first row says of the call: size, parent, depth, tip, title."""

_rules_text: dict[tuple[str, ...], str | None] = {(): None}
_rules_read: dict[str | None, tuple[str, ...]] = {None: ()}


def heading_of(call: Call) -> Heading:
    """Give what is written of a call besides its events."""
    return (call.last - call.first + 1, call.parent, call.depth, None, call.title)


def values(heading: Heading, events: Any) -> list[Any]:
    """Give a call as a flat list of what goes into columns: the heading's five, then each event's twelve."""
    flat: list[Any] = [*heading]
    for event in events:
        flat += astuple(event)
        if not flat[-4]:
            flat[-4] = None
        rules = flat[-3]
        text = _rules_text.get(rules)
        if text is None and rules:
            text = _rules_text[rules] = _json(rules).decode()
        flat[-3] = text
        data = flat[-1]
        flat[-1] = _json(data).decode() if data else None
    return flat


def mark_of(before: bytes, flat: list[Any]) -> bytes:
    """Give a call's checksum, which covers the call before it as well: so what verifies is a true prefix."""
    return blake2b(before + _packed(flat), digest_size=_MARK).digest()


def flat_of(group: list[Row]) -> list[Any]:
    """Give a call as `values` gives it from its rows: an event's twelve, then the heading's five, then the mark."""
    flat: list[Any] = [*group[0][_WIDTH:-1]]
    for row in group:
        flat += row[:_WIDTH]
    return flat


def event_of(row: Row) -> Event:
    """Give an event from its row, which has been verified."""
    seq, round, kind, actor, action, target, amount, text, note, rules, by, data, *_ = row
    cited = _rules_read.get(rules)
    if cited is None:
        cited = _rules_read[rules] = _read_rules(rules)
    read = _read_json(data) if data else {}
    return Event(seq, round, kind, actor, action, target, amount, text, note or "", cited, by, read)


def write_state(state: State) -> bytes:
    """Give a state as bytes; the order of its mappings is kept, since it tells who was added first."""
    return _packed(state)


def mark_state(mark: bytes, state: bytes) -> bytes:
    """Give the checksum of a state kept with a call of this checksum."""
    return blake2b(mark + state, digest_size=_MARK).digest()


def read_state(written: bytes) -> State:
    """Give a state from bytes; what compares or stands on a map is tuples all the way down, as `evolve` makes it."""
    state = _read_state(written)
    fighters = {name: _fighter(fighter) for name, fighter in state.fighters.items()}
    return replace(state, fighters=fighters, agenda=tuple(_place(place) for place in state.agenda))


def _fighter(fighter: Fighter) -> Fighter:
    stats = {stat: _tuples(value) for stat, value in fighter.stats.items()}
    return replace(fighter, stats=stats, position=_tuples(fighter.position))


def _place(place: Place) -> Place:
    return replace(place, rank=_tuples(place.rank), key=tuple((name, _tuples(value)) for name, value in place.key))


def _tuples(value: Any) -> Any:
    return tuple(_tuples(each) for each in value) if isinstance(value, (list, tuple)) else value
