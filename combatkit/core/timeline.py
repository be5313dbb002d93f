"""The log of a fight and the way back: columns that only grow, what still stands, undo and redo by one assignment."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import blake2b
from itertools import islice
from typing import Any, NamedTuple, Protocol, overload

from msgspec import Struct, json
from msgspec.structs import replace

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State

# ── what has happened so far, and the one small object that says how far it counts ──


class Call(Struct, gc=False):
    """One accepted call: its events, the state after them, and the call it followed, by its first event (0: none).

    States share what they have in common. A call never holds another: a chain of a million of them could not be freed.
    """

    first: int
    last: int
    parent: int
    title: str
    state: State


class Step(Struct, gc=False):
    """A call, or a move of the present (an undo or redo), as it is written down.

    A call has a title and says which call it follows; a move says to which call it leads; all by their first events.
    When it was made is in seconds since 1970, by the clock that the timeline was given.
    """

    first: int
    events: Sequence[Event]
    when: float
    after: int | None = None
    title: str = ""
    to: int | None = None


class Log(Sequence[Event]):
    """The first so many events of a list that only grows, so that a log stays what it was when it was made.

    Parameters
    ----------
    events : list of Event
        There may be more than count.
    length : int
        How many count.
    firsts : list of int
        With which events what was accepted as one begins: a call, or a move of the present. It grows along.
    """

    __slots__ = ("_events", "_firsts", "_length")

    def __init__(self, events: list[Event], length: int, firsts: list[int]) -> None:
        self._events = events
        self._length = length
        self._firsts = firsts

    def __len__(self) -> int:
        """Count the events."""
        return self._length

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        """Return an event, or a list of some."""
        if isinstance(index, slice):
            return self._events[slice(*index.indices(self._length))] if self._length else []
        place = index if index >= 0 else index + self._length
        if not 0 <= place < self._length:
            raise IndexError(f"there is no event {index}; the log has {self._length}")
        return self._events[place]

    def __iter__(self) -> Iterator[Event]:
        """Go through the events in order."""
        return iter(self._events[: self._length])

    def __eq__(self, other: object) -> bool:
        """Check whether another sequence holds the same events."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def upto(self, seq: int) -> Log:
        """Return the log as it was when event `seq` had been logged."""
        return Log(self._events, seq, self._firsts)

    def retold(self, events: list[Event]) -> Log:
        """Return as much of it, with the events as somebody is told them."""
        return Log(events, self._length, self._firsts)

    def begins(self, seq: int) -> bool:
        """Check whether a call, or a move of the present, begins with an event."""
        index = bisect_left(self._firsts, seq)
        return self._firsts[index : index + 1] == [seq]


class Stand(Struct, gc=False):
    """Where a step led, a call or a move of the present: the present after it, and where redo leads to."""

    step: Step
    call: Call
    tip: int


class Tape(Struct, eq=False):
    """What a timeline holds: events, and the steps they came in by the first; a `Moment` says how far it counts."""

    events: list[Event] = []
    firsts: list[int] = []
    stands: list[Stand] = []

    def cut(self, events: int, stands: int) -> None:
        """Forget what does not count: a call that was interrupted left it. What is put on first goes last."""
        del self.stands[stands:]
        del self.firsts[stands:]
        del self.events[events:]


class Moment(Struct, frozen=True, gc=False):
    """Where a timeline stands: what counts of its tape, the present call and state, and where redo leads to.

    Everything that is true of a fight is in this one object: to replace it is the one assignment by which a call, an
    undo or a redo happens. What is asked of it stays right whatever happens meanwhile.
    """

    tape: Tape
    length: int
    steps: int
    present: Call | None
    state: State
    tip: int

    @property
    def log(self) -> Log:
        """The events that count."""
        return Log(self.tape.events, self.length, self.tape.firsts)

    def before(self, call: Call) -> Call | None:
        """Return the call that a call followed."""
        return self.call_at(call.parent) if call.parent else None

    def call_at(self, seq: int) -> Call:
        """Return the call that was the present when event `seq` had been logged."""
        return self.tape.stands[bisect_right(self.tape.firsts, seq, hi=self.steps) - 1].call

    def end_of(self, seq: int) -> int:
        """Return the last event of what was accepted as one with event `seq`: a call, or a move of the present."""
        return max(seq, self.call_at(seq).last)

    def at(self, seq: int) -> State:
        """Return the state as it was when event `seq` had been logged."""
        call = self.call_at(seq)
        if not call.first <= seq < call.last:
            return call.state
        before = self.before(call)
        return fold(self.log[call.first - 1 : seq], State() if before is None else before.state)

    def undone(self) -> list[Call]:
        """Return the calls that redo brings back, the next one last."""
        stop = self.present.first if self.present is not None else 0
        found: list[Call] = []
        first = self.tip
        while first != stop:
            found.append(self.call_at(first))
            first = found[-1].parent
        return found

    def passed(self) -> Iterator[Step]:
        """Return each step in order."""
        return (stand.step for stand in self.tape.stands[: self.steps])


# ── which events hold ──
# This is the one place that knows what undo and redo do. Both are events like any other. They say which calls they take
# back or take up again (`calls`, each by its first and last event), and after which event the present stands (`to`).


MOVES = ("undo", "redo")
"""The kinds of event that move the present."""

TURN_ENDS = ("turn_end", "turn_back")
"""The kinds of event that end a turn: it is over or given up, or its untouched opening is taken back."""

_PIECE = 16
"""How many events are taken from a log at a time."""


class Line:
    """The events that hold, by their numbers; read on as the log grows.

    Parameters
    ----------
    events : iterable of Event
        The log so far.

    Attributes
    ----------
    count : int
        How much of the log has been read.
    """

    def __init__(self, events: Iterable[Event] = ()) -> None:
        self.count = 0
        self._held: list[int] = []
        for event in events:
            self.take(event)

    def take(self, event: Event) -> None:
        """Take in the next event of the log."""
        self.count += 1
        if event.kind not in MOVES:
            self._held.append(event.seq)
        elif event.kind == "undo":
            del self._held[bisect_right(self._held, event._data["to"]) :]
        else:
            for first, last in event._data["calls"]:
                self._held += range(first, last + 1)

    def holds(self, seq: int) -> bool:
        """Check whether an event holds; an undo or redo never does."""
        index = bisect_right(self._held, seq)
        return index > 0 and self._held[index - 1] == seq

    def standing(self, log: Sequence[Event]) -> Iterator[Event]:
        """Return the events of the whole log that hold."""
        return (log[seq - 1] for seq in self._held)


def standing(log: Sequence[Event]) -> list[Event]:
    """Return the events of a whole log that hold: without what was undone, with what was redone."""
    return list(Line(log).standing(log))


class Stay(NamedTuple):
    """What of a log is about somebody who was taken out again before the fight began: between which events."""

    who: str
    first: int
    last: int

    def about(self, event: Event) -> bool:
        """Check whether an event is about them, whom nobody met."""
        return self.first <= event.seq <= self.last and self.who in (event.actor, event.target)

    def there(self, event: Event) -> bool:
        """Check whether they are there after an event: that is where an undo or a redo leads."""
        seq = event._data["to"] if event.kind in MOVES else event.seq
        return self.first <= seq < self.last


def taken_out(log: Sequence[Event], line: Line | None = None) -> list[Stay]:
    """Return who was added and taken out again before the fight began, as far as a log holds.

    Whoever is only called otherwise since, which leaves a mark of its own, is still there; and who was in a fight that
    was taken back has been in one.
    """
    for event in log:
        if event.kind == "leave" and event.round is None:
            break
    else:
        return []
    line = line or Line(log)
    added: dict[str | None, int] = {}
    found = []
    for event in log:
        if event.kind == "combatant":  # be it taken back, too, and done again
            added.setdefault(event.actor, event.seq)
        elif event.kind == "begin" and not line.holds(event.seq):
            added.clear()
        elif not line.holds(event.seq):
            continue
        elif event.kind == "begin":
            break
        elif event.kind == "effect" and event._data["id"] == "left":
            added.pop(event.target, None)
        elif event.kind == "leave" and event.actor in added:
            found.append(Stay(str(event.actor), added.pop(event.actor), event.seq))
    return found


def backward(log: Sequence[Event]) -> Iterator[Event]:
    """Yield the events of a log that hold, the newest first; whoever has found enough reads no further."""
    at = len(log)
    while at:
        for event in reversed(log[max(0, at - _PIECE) : at]):
            at = event.seq - 1
            if event.kind == "undo":
                at = event._data["to"]
                break
            if event.kind == "redo":
                for first, last in reversed(event._data["calls"]):
                    yield from reversed(log[first - 1 : last])
            else:
                yield event


def in_turns(events: Iterable[Event]) -> Iterator[tuple[Event, Event | None]]:
    """Yield events of a log, each with the one that began the turn it falls in; None in no turn.

    A turn's first event and its last are in it. Of turns that interrupt each other it is the innermost. In a whole log
    an undo or redo falls in what it leads to.
    """
    turns: tuple[Event, ...] = ()
    after = {0: turns}
    for event in events:
        if event.kind == "turn":
            turns = (*turns, event)
        elif event.kind in MOVES:
            turns = after[event._data["to"]]
        yield event, turns[-1] if turns else None
        if event.kind in TURN_ENDS:
            turns = turns[:-1]
        after[event.seq] = turns


def strokes(event: Event) -> Iterator[tuple[range, bool]]:
    """Yield the numbers of events that an undo strikes or a redo takes the stroke off, and whether they are struck."""
    if event.kind in MOVES:
        for first, last in event._data["calls"]:
            yield range(first, last + 1), event.kind == "undo"


# ── a whole log, and the sheet everybody was added with ──


def fold(events: Iterable[Event], state: State | None = None) -> State:
    """Fold events over a state; a whole log, from the empty one, with what was undone left out."""
    if state is None:
        events, state = standing(list(events)), State()
    for event in events:
        state = evolve(state, event)
    return state


def as_added(log: Sequence[Event]) -> dict[str, Event]:
    """Return the event that added each combatant, with the sheet and the place that a fight begins with."""
    added: dict[str, Event] = {}
    begun = False
    for event in standing(log):
        begun |= event.kind == "begin"
        if event.kind == "combatant":
            who, data = event.actor or "", event._data
            anew = data.get("returns") or "edited" in data  # somebody added before, with a new sheet
            added[who] = _as_first_added(added[who], event, begun=begun) if anew else event
        elif event.kind == "move" and event.action is None and (not begun or event._data["from"] is None):
            # A map is often laid out once the fight has begun: who stood nowhere begins where they are first set down.
            # Where they went by an action of theirs, they have not been set down.
            who = event.actor or ""
            if not begun or added[who]._data["position"] is None:
                added[who] = replace(added[who], data={**added[who]._data, "position": event._data["to"]})
    return added


def unaware_of(log: Sequence[Event]) -> tuple[str, ...]:
    """Return who was surprised as a fight began; who is, as long as it is set up."""
    found: dict[str, None] = {}
    for event in standing(log):
        if event.kind == "begin":
            return tuple(found | dict.fromkeys(event._data["surprised"]))
        if event.kind in ("effect", "effect_end") and event.target is not None and event._data["id"] == "surprised":
            found.pop(event.target, None)
            if event.kind == "effect":
                found[event.target] = None
    return tuple(found)


def begins_as(data: dict[str, Any], *, surprised: bool) -> dict[str, Any]:
    """Return what an event says that added somebody, who begins surprised, or doesn't."""
    begins = [each for each in data.get("conditions", ()) if each != "surprised"]
    if surprised:
        begins.append("surprised")
    return {**data, "conditions": begins} if begins or "conditions" in data else data


def _as_first_added(first: Event, now: Event, *, begun: bool) -> Event:
    """Return the event that added somebody, with a later sheet.

    Where they stood stays out, and once the fight has begun what they have lost in it: what they came without stays.
    """
    sheet = {key: now._data[key] for key in ("side", "group", "npc", "stats")}
    stats, vitals = now._data["stats"], {**now._data["vitals"]}
    if begun:
        most, left = first._data["stats"], first._data["vitals"]
        came = {v: n for v, n in left.items() if n is not None and n < most.get(v, n)}
        vitals = {v: min(came.get(v, stats[v]), stats[v]) for v in vitals if stats.get(v) is not None}
    return replace(first, data={**first._data, **sheet, "vitals": vitals})


# ── calls are taken in, undone and redone ──


class Journal(Protocol):
    """Where a timeline is kept: it is written before the present moves.

    Attributes
    ----------
    follows : bool
        Whether it may hold more than the timeline knows, so that `follow` is worth asking: somebody else may go on with
        the fight, or a call was interrupted after it had been written.
    """

    follows: bool

    @property
    def settings(self) -> Mapping[str, Any]:
        """What is settled about the fight; see `Timeline.settings`."""

    def write(self, step: Step) -> None:
        """Keep an accepted call, an undo or redo, or raise and keep nothing."""

    def settle(self, settings: Mapping[str, Any]) -> None:
        """Keep settings, or raise and keep nothing."""

    def in_step(self) -> None:
        """Note that the timeline has taken in what was written."""

    def keep(self, name: str, content: bytes) -> None:
        """Keep a file that goes with the fight, or raise."""

    def kept(self, name: str) -> bytes | None:
        """Return such a file's content; None if it isn't there any more."""

    def follow(self, line: Timeline) -> bool:
        """Let a timeline take in what it does not know; say whether that was made here."""

    @property
    def close(self) -> Callable[[], object]:
        """Let others write."""


class Timeline:
    """Everything that happened, and where the present is in it.

    Undo moves the present to the call before and is itself logged; nothing is ever deleted. A change is prepared on
    the tape, beyond what counts; it is written to the journal; and it becomes true as `now` is assigned. Whatever
    interrupts it on the way, the timeline stands either before the change or after it.

    Parameters
    ----------
    settings : mapping, optional
        What is settled about it; see `settings`.

    Attributes
    ----------
    now : Moment
        Where it stands.
    clock : callable
        What tells when a call is made; the engine itself knows no time.
    begun : float or None
        When the fight was begun.
    journal : Journal or None
        Where it is kept.
    """

    def __init__(self, settings: Mapping[str, Any] | None = None, begun: float | None = None) -> None:
        self.journal: Journal | None = None
        self.clock: Callable[[], float] = float
        self.begun = begun
        self.now = Moment(Tape(), 0, 0, None, State(), 0)
        self._settings = settings or {}

    @property
    def settings(self) -> Mapping[str, Any]:
        """What is settled about the fight and is no part of it: title, pictures, whether we roll at the table."""
        return self._settings if self.journal is None else self.journal.settings

    def settle(self, **settings: object) -> None:
        """Settle something, or raise and settle nothing."""
        if self.journal is None:
            self._settings = {**self._settings, **settings}
        else:
            self.journal.settle(settings)

    def stands(self, first: int, seq: int | None = None) -> bool:
        """Check whether a call stands, by its first event: at present, or as it was after event `seq`."""
        call = self.now.present if seq is None else self.now.call_at(seq)
        while call is not None and call.first > first:
            call = self.now.before(call)
        return call is not None and call.first == first

    @property
    def events(self) -> Log:
        """The log."""
        return self.now.log

    @property
    def present(self) -> Call | None:
        """The present call."""
        return self.now.present

    @property
    def next_seq(self) -> int:
        """The number the next event will have."""
        return self.now.length + 1

    @property
    def done(self) -> Iterator[Call]:
        """The calls that hold, the newest first."""
        call = self.now.present
        while call is not None:
            yield call
            call = self.now.before(call)

    def append(self, events: Sequence[Event], state: State, title: str) -> None:
        """Take in an accepted call: its events and the state they lead to."""
        self._take(Step(events[0].seq, events, self.clock(), self._follows(), title), state, self.journal)

    def go(self, call: Call, event: Event) -> None:
        """Move the present to a call before it, or to one of `undone`; `event` logs it."""
        self._stand(Step(event.seq, (event,), self.clock(), to=call.first), call, self.now.tip, self.journal)

    def take(self, step: Step) -> None:
        """Take in a step as it was written down.

        Raises
        ------
        ValueError
            If it does not go on from where this stands. And whatever else folding events that no fight makes may cause.
        """
        events, now = step.events, self.now
        if not events or [event.seq for event in events] != [*range(step.first, step.first + len(events))]:
            raise ValueError("its events are not in order")
        if step.first != now.length + 1 or (step.first == 1) != (events[0].kind == "encounter"):
            raise ValueError(f"it begins with event {step.first}, and {now.length} came before")
        moves = [event for event in events if event.kind in MOVES]
        if step.to is not None:
            if len(events) != 1 or not moves:
                raise ValueError("it goes back or forth by other than one event")
            self._stand(step, self._led_to(events[0], step.to), self.now.tip, None)
        elif moves or step.after != self._follows():
            raise ValueError("it does not follow the call before it")
        else:
            self._take(step, fold(events, now.state), None)

    def _follows(self) -> int:
        present = self.now.present
        return present.first if present is not None else 0

    def _led_to(self, event: Event, to: int) -> Call:
        """Return the call that an undo or redo leads to, if the calls that it names are those on the way."""
        spans = event._data["calls"]
        if event.kind == "undo":
            *way, call = islice(self.done, len(spans) + 1)
        else:
            way = self.now.undone()[::-1][: len(spans)]
            call = way[-1] if way else next(self.done)
        if not way or [[each.first, each.last] for each in way] != spans:
            raise ValueError(f"the {event.kind} names calls that are not on its way")
        if (call.first, call.last) != (to, event._data["to"]):
            raise ValueError(f"the {event.kind} does not lead to event {to}")
        return call

    def _take(self, step: Step, state: State, journal: Journal | None) -> None:
        call = Call(step.first, step.events[-1].seq, step.after or 0, step.title, state)
        self._stand(step, call, call.first, journal)

    def _stand(self, step: Step, call: Call, tip: int, journal: Journal | None) -> None:
        """Put a step on the tape, beyond what counts, and make the moment in which it counts the present."""
        now = self.now
        tape, steps = now.tape, now.steps
        if len(tape.events) != now.length:  # a call that was interrupted left more
            tape.cut(now.length, steps)
        tape.events.extend(step.events)
        tape.firsts.append(step.first)
        tape.stands.append(Stand(step, call, tip))
        after = Moment(tape, len(tape.events), steps + 1, call, call.state, tip)
        if journal is not None:
            journal.write(step)
        self.now = after
        if journal is not None:
            journal.in_step()

    def cut(self, seq: int) -> Timeline:
        """Return a timeline of its own, in memory only, that shares the past up to event `seq`, the last of a call."""
        tape = self.now.tape
        steps = bisect_right(tape.firsts, seq)
        part = Tape(tape.events[:seq], tape.firsts[:steps], tape.stands[:steps])
        there = part.stands[-1]
        other = Timeline({name: value for name, value in self.settings.items() if name != "room"})
        if looks := other.settings.get("looks"):  # its own calls may begin with events of the same numbers
            other.settle(looks=[laid for laid in looks if laid[0] <= seq])
        other.now = Moment(part, seq, steps, there.call, there.call.state, there.tip)
        return other


# ── what happened, whatever it is called and in whatever words it is told ──
# `docs/engine.md` has the canonical form: anyone who works it out from there must get the same string.


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
