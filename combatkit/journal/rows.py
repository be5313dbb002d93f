"""Calls as rows and back: what is written of each event, and the checksum that every reading is checked against."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Any

import msgspec
from msgspec.structs import astuple, replace

from combatkit.core.model import Event, Fighter, Place, State
from combatkit.core.past import Call
from combatkit.core.payloads import DEEPEST, check_depth, check_events

ROOT = struct.pack(">II", 0, 1)
"""The checksum before the first call."""

WIDTH = 17
"""How many columns of a row its checksum covers: the heading's five, the event's twelve."""

_json = msgspec.json.encode
_packed = msgspec.msgpack.encode
_read_json = msgspec.json.Decoder().decode
_read_state = msgspec.msgpack.Decoder(State).decode
_read_rules = msgspec.json.Decoder(tuple[str, ...]).decode

UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
"""What reading JSON that somebody else wrote can come to."""

Row = tuple[Any, ...]
"""A row of one of a journal's tables, as the database gives it."""

_Typed = tuple[
    int | None, int | None, int | None, int | None, str | None,
    int, int | None, str, str | None, str | None, str | None, int | None, str, str | None, str | None, str, str | None,
]  # fmt: skip
"""What a row's columns hold: the heading's five, the event's twelve."""

Heading = tuple[int, int, int | None, int | None, str | None]
"""What a call's first row says of the call: size, parent, depth, tip, title."""

_LATER = (None,) * 5
_rules_text: dict[tuple[str, ...], str | None] = {(): None}
_rules_read: dict[str | None, tuple[str, ...]] = {None: ()}


def heading_of(call: Call) -> Heading:
    """Return what is written of a call besides its events."""
    return (call.last - call.first + 1, call.parent, call.depth, None, call.title)


def values(heading: Heading, events: Iterable[Event]) -> list[object]:
    """Return a call as a flat list of what goes into columns, `WIDTH` a row; only its first row has the heading."""
    flat: list[Any] = []
    start: tuple[object, ...] = heading
    for event in events:
        flat += start
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
        start = _LATER
    return flat


def mark_of(before: bytes, flat: list[object]) -> bytes:
    """Return the checksum of some calls, one after the other.

    It goes on from the one before them, so what verifies is a true prefix; and since it goes on from value to value,
    many calls are verified at once by the last one's.
    """
    packed = _packed(flat)
    body = memoryview(packed)[1 if len(flat) < 16 else 3 if len(flat) < 1 << 16 else 5 :]  # without the list's length
    crc, adler = struct.unpack(">II", before)
    return struct.pack(">II", zlib.crc32(body, crc), zlib.adler32(body, adler))


def mark_of_rows(before: bytes, rows: Iterable[Row]) -> bytes:
    """Return the checksum of some whole calls from their rows."""
    return mark_of(before, list(chain.from_iterable(rows)))


def events_of(rows: Sequence[Row]) -> list[Event]:
    """Return events from their rows, whose checksums are right; but somebody else may have worked those out.

    Raises
    ------
    UNREADABLE
        If a fight never makes such events.
    """
    msgspec.convert(rows, list[_Typed])
    # One reading of all of it is quicker than many of one each.
    data = _read_json("[" + ",".join([row[16] or "{}" for row in rows]) + "]")
    known = _rules_read
    for rules in {row[14] for row in rows} - known.keys():
        known[rules] = _read_rules(rules)
    events = [
        Event(seq, round, kind, actor, action, target, amount, text, note or "", known[rules], by, read)
        for (_, _, _, _, _, seq, round, kind, actor, action, target, amount, text, note, rules, by, _), read in zip(
            rows, data, strict=True
        )
    ]
    check_events(events)
    for row, read in zip(rows, data, strict=True):
        if row[16] and row[16].count("[") + row[16].count("{") > DEEPEST:
            check_depth(read)
    return events


def write_state(state: State) -> bytes:
    """Return a state as bytes; the order of its mappings is kept, since it tells who was added first."""
    return _packed(state)


def mark_state(mark: bytes, state: bytes) -> bytes:
    """Return the checksum of a state kept with a call of this checksum."""
    return mark_of(mark, [state])


def read_state(written: bytes) -> State:
    """Return a state from bytes; what compares or stands on a map is tuples all the way down, as `evolve` makes it."""
    state = _read_state(written)
    fighters = {name: _fighter(fighter) for name, fighter in state.fighters.items()}
    return replace(state, fighters=fighters, agenda=tuple(_place(place) for place in state.agenda))


def _fighter(fighter: Fighter) -> Fighter:
    stats = {stat: _tuples(value) for stat, value in fighter.stats.items()}
    return replace(fighter, stats=stats, position=_tuples(fighter.position))


def _place(place: Place) -> Place:
    return replace(place, rank=_tuples(place.rank), key=tuple((name, _tuples(value)) for name, value in place.key))


def _tuples(value: object) -> object:
    return tuple(_tuples(each) for each in value) if isinstance(value, (list, tuple)) else value
