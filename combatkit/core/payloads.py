"""What each kind of event holds: a log that somebody else wrote is checked against it before it is folded or shown.

An event that a fight makes is right by itself; one that is read may be forged, checksum and all. A kind's record
names what the engine, and everything that shows a fight, reads from its data, with the types they expect; whatever
else a kind holds is a system's own. What `evolve` decodes itself, effects, places, windows, it refuses itself; and a
timeline, an undo or redo that names other calls than those on its way.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Annotated, Literal

from msgspec import Meta, Struct, convert

from combatkit.core.model import EVENT_KINDS, Count, Event, Fighter, Number, Whole

Span = tuple[Count, Count]
Faces = list[Count]

_BY = ("player", "gm", "rules")


class _Encounter(Struct, frozen=True):
    id: str
    system: str
    seed: Annotated[int, Meta(ge=0)]
    language: Annotated[str, Meta(pattern="^[a-z]{2}$")] = "en"
    public: list[Literal["conditions", "groups"]] = []
    tables: dict[str, list[dict[str, object]]] = {}


class _Table(Struct, frozen=True):
    table: str
    rows: list[dict[str, object]]


class _Combatant(Fighter, frozen=True, kw_only=True):
    group: str | None
    npc: bool
    stats: dict[str, object]
    vitals: dict[str, Whole | None]
    conditions: tuple[str, ...] = ()
    edited: tuple[str, ...] = ()
    reveals: str = ""


class _Begin(Struct, frozen=True):
    surprised: list[str]


class _Round(Struct, frozen=True):
    seconds: Number


class _Step(Struct, frozen=True):
    index: Count
    occasion: Count
    id: str
    seconds: Number
    phase: Whole | str | None
    number: Whole | None


class _Turn(Struct, frozen=True):
    place: Count
    initiative: Number | None = None


class _TurnEnd(Struct, frozen=True):
    turn: Count
    given_up: bool = False


class _TurnLost(Struct, frozen=True):
    place: Count
    occasion: Count


class _Refresh(Struct, frozen=True):
    pools: dict[str, dict[str, Count | None]]
    at: str = ""
    raised: dict[str, dict[str, Whole]] = {}
    returned: dict[str, dict[str, Whole]] = {}
    capped: dict[str, dict[str, Count]] = {}
    late: dict[str, dict[str, Count]] = {}


class _Action(Struct, frozen=True):
    cost: str = ""
    touches: Count = 0
    overruled: list[str] = []
    paid: dict[str, Whole] = {}
    paid_rule: str = ""
    params: dict[str, object] = {}
    progress: Span | None = None
    completed: bool = False
    threat: Count = 0
    segments: Count | None = None


class _Progress(Struct, frozen=True):
    done: Count
    total: Count
    targets: list[str] = []


class _Roll(Struct, frozen=True):
    purpose: str = ""
    notation: str = ""
    faces: Faces = []
    modifier: Whole = 0
    total: Whole | None = None
    needed: Whole | None = None
    outcome: str | None = None
    source: Literal["seeded", "table"] | None = None
    drawn: Count = 0
    modifiers: dict[str, Whole] = {}
    group: str | None = None
    rolled: Whole | None = None
    armor: Whole | None = None
    halved: Whole | None = None
    dealt: Count = 0
    vital: str = ""
    left: Whole | None = None
    temporary: Count = 0


class _Vital(Struct, frozen=True):
    vital: str
    left: Whole | None
    temporary: Count = 0


class _EffectEnd(Struct, frozen=True):
    number: Count
    id: str
    anchor: str | None = None


class _Move(Struct, frozen=True):
    to: str | tuple[Whole, Whole] | None


class _Trigger(Struct, frozen=True):
    by: list[str] = []


class _Answer(Struct, frozen=True):
    used: str | None = None
    targets: list[str] = []
    declined: bool = False


class _WindowEnd(Struct, frozen=True):
    window: Count = 0


class _Fact(Struct, frozen=True):
    facts: dict[str, object]
    drawn: Count = 0


class _Moved(Struct, frozen=True):
    calls: list[Span]
    to: Count


_TurnBack = _TurnEnd
_Stopped = _Action
_Attack = _Damage = _Roll
_Undo = _Redo = _Moved

RECORDS: dict[str, type[Struct]] = {
    kind: record for kind in EVENT_KINDS if (record := globals().get(f"_{kind.title().replace('_', '')}")) is not None
}
"""What the data of a kind holds: the record of its name; a kind without one has none that matters."""


def check_events(events: list[Event]) -> None:
    """Check events that somebody else wrote against what their kinds may hold.

    Raises
    ------
    ValueError, msgspec.ValidationError
        If a fight never makes such an event; it says which.
    """
    for event in events:
        if event.kind not in EVENT_KINDS or event.by not in _BY:
            wrong = event.by if event.kind in EVENT_KINDS else event.kind
            raise ValueError(f"event {event.seq}: there is no {wrong[:40]!r}")
        if event.kind in RECORDS:
            convert(event._data, RECORDS[event.kind])
        for role, named, others in _named_twice(event):
            if named not in others:
                whom = " and ".join(repr(str(each)[:40]) for each in others[:3])
                raise ValueError(f"event {event.seq}: its {role} is {str(named)[:40]!r}, its data is of {whom}")


def _named_twice(event: Event) -> Iterator[tuple[str, str | None, list[object]]]:
    """Yield whom an event names that its data names as well, with those."""
    data = event._data
    if event.kind == "combatant":
        yield "actor", event.actor, [data["name"]]
    elif event.kind in ("initiative", "order") and isinstance(place := data.get("place"), dict):
        yield "actor", event.actor, [place.get("who")]
    elif event.kind == "action" and isinstance(targets := data.get("params", {}).get("target"), list) and targets:
        yield "target", event.target, [", ".join(map(str, targets))]
