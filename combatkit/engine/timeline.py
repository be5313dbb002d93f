"""The log and the way back: an append-only list of events, and a cursor over the calls that made them."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Protocol, overload

from msgspec import Struct

from combatkit.engine.evolve import fold
from combatkit.engine.model import Event, State

KEPT = 4
"""Every so many calls the state is kept, so that any past moment costs at most that many calls to fold."""

_RECENT = 2
"""So many of the calls that were newest last keep their state too, because they are looked at again."""


class Call(Struct, gc=False):
    """One accepted call: the events it made, and the call it followed, by that one's first event (0: none).

    `before` is that call itself, if it is in memory.
    """

    first: int
    last: int
    parent: int
    depth: int
    title: str
    state: State | None = None
    before: Call | None = None


class Standing(Struct, gc=False):
    """Where a timeline stands: the present call, and the one that redo leads to in the end; by their first events."""

    events: Sequence[Event]
    present: int
    tip: int


class Journal(Protocol):
    """Where a timeline is kept: it is written before the present moves, and read where memory does not reach."""

    def write(self, call: Call, events: Sequence[Event]) -> None:
        """Keep an accepted call, or raise and keep nothing."""

    def write_move(self, event: Event, present: int, tip: int) -> None:
        """Keep a move of the present, an undo or redo, or raise and keep nothing."""

    def news(self) -> Standing | None:
        """Give where the timeline stands if somebody else has gone on with it."""

    def call(self, first: int) -> Call:
        """Give the call that made event `first` as its first."""

    def present_at(self, seq: int) -> int:
        """Give the call that was the present when event `seq` had been logged, by its first event, or 0."""

    def state(self, call: Call) -> State | None:
        """Give the state after a call, if it was kept."""

    @property
    def close(self) -> Callable[[], object]:
        """Write what waits, and let others write."""


class Timeline:
    """Everything that happened, and where the present is in it.

    Undo moves the present to the call before and is itself logged; nothing is ever deleted.

    Parameters
    ----------
    journal : Journal, optional
        Where it is kept.
    standing : Standing, optional
        Where it stands by its journal; else it begins.

    Attributes
    ----------
    follows : bool
        Whether somebody else may go on with it, so that `follow` is worth asking.
    """

    def __init__(self, journal: Journal | None = None, standing: Standing | None = None) -> None:
        self.journal = journal
        self.follows = journal is not None
        self.events: Sequence[Event] = []
        self.present: Call | None = None
        self.state = State()
        self._new: list[Event] = self.events
        self._undone: list[Call] | None = []
        self._tip = 0
        self._firsts = array("q")
        self._marks: list[Call | None] = []
        self._tips = array("q")
        self._steps = array("q")
        """Of each event in memory, the step it belongs to: looked up, since a search would touch cold memory."""
        self._recent: list[Call] = []
        self._read: dict[int, Call] = {}
        if standing is not None:
            self._stand(standing)

    def _stand(self, standing: Standing) -> None:
        """Take over where the timeline stands, and read on demand what led there."""
        self._new = []
        self.events = Log(standing.events, self._new)
        self._firsts, self._marks, self._tips, self._steps = array("q"), [], array("q"), array("q")
        self._recent = []
        self._read = {}
        self.present = self.call(standing.present) if standing.present else None
        self._tip, self._undone = standing.tip, None
        self.state = self.state_of(self.present)

    def follow(self) -> tuple[Event, ...]:
        """Take over what somebody else has added to the journal, and give it."""
        standing = self.journal.news() if self.journal is not None else None
        if standing is None:
            return ()
        before = len(self.events)
        self._stand(standing)
        return tuple(self.events[before:])

    @property
    def next_seq(self) -> int:
        """The number the next event will have."""
        return len(self.events) + 1

    @property
    def undone(self) -> Sequence[Call]:
        """The calls that redo takes up again, the next one last."""
        return self._stack()

    def _stack(self) -> list[Call]:
        if self._undone is None:
            stop = self.present.first if self.present else 0
            undone: list[Call] = []
            first = self._tip
            while first != stop:
                undone.append(self.call(first))
                first = undone[-1].parent
            self._undone = undone
        return self._undone

    def append(self, events: Sequence[Event], state: State, title: str) -> None:
        """Take in an accepted call: its events and the state they lead to."""
        parent = self.present
        first, depth = (parent.first, parent.depth + 1) if parent else (0, 0)
        call = Call(events[0].seq, events[-1].seq, first, depth, title, state, parent)
        if self.journal is not None:
            self.follows = True  # if this is refused, somebody else may have gone on
            self.journal.write(call, events)
            self.follows = False
        self._new.extend(events)
        self._steps.extend([len(self._marks)] * len(events))
        self._firsts.append(call.first)
        self._marks.append(call)
        self._tips.append(call.first)
        self.present = call
        self.state = state
        if self._undone is None or self._undone:
            self._undone = []
        self._remember(call)

    def _remember(self, call: Call) -> None:
        self._recent.append(call)
        if len(self._recent) > 2 * _RECENT:
            for old in self._recent[:_RECENT]:
                if old.depth % KEPT:
                    old.state = None
            del self._recent[:_RECENT]

    def go_back(self, path: Sequence[Call], event: Event) -> None:
        """Take back the calls of `path`, newest first; `event` logs it."""
        undone = self._stack()
        tip = undone[0] if undone else path[0]
        self._go(self.before(path[-1]), event, tip)
        undone.extend(path)

    def go_forth(self, path: Sequence[Call], event: Event) -> None:
        """Take up again the calls of `path`, the next ones of `undone`; `event` logs it."""
        undone = self._stack()
        self._go(path[-1], event, undone[0])
        del undone[-len(path) :]

    def _go(self, call: Call | None, event: Event, tip: Call) -> None:
        state = self.state_of(call)
        if self.journal is not None:
            self.follows = True
            self.journal.write_move(event, call.first if call else 0, tip.first)
            self.follows = False
        self._new.append(event)
        self._steps.append(len(self._marks))
        self._firsts.append(event.seq)
        self._marks.append(call)
        self._tips.append(tip.first)
        self.present = call
        self.state = state

    def call(self, first: int) -> Call:
        """Give the call that made event `first` as its first."""
        step = self._step_of(first)
        if step is None and self.journal is not None:
            call = self._read.get(first)
            if call is None:
                call = self._read[first] = self.journal.call(first)
            return call
        found = self._marks[step] if step is not None else None
        assert found is not None
        return found

    def _step_of(self, seq: int) -> int | None:
        """Give the step in memory that logged an event, or None if only the journal has it."""
        place = seq - 1 - (len(self.events) - len(self._new))
        return self._steps[place] if place >= 0 else None

    def before(self, call: Call) -> Call | None:
        """Give the call that a call followed."""
        return call.before or (self.call(call.parent) if call.parent else None)

    def state_of(self, call: Call | None) -> State:
        """Give the state after a call, folding from the nearest kept one."""
        path: list[Call] = []
        state = State()
        while call is not None:
            kept = call.state
            if kept is None and self.journal is not None:
                kept = self.journal.state(call)
            if kept is not None:
                state = kept
                break
            path.append(call)
            call = self.before(call)
        for step in reversed(path):
            state = fold(self.events[step.first - 1 : step.last], state)
            if step is path[0] or not step.depth % KEPT:
                step.state = state
                self._remember(step)
        return state

    def call_at(self, seq: int) -> Call | None:
        """Give the call that was the present when event `seq` had been logged."""
        step = self._step_of(seq)
        if step is not None:
            return self._marks[step]
        first = self.journal.present_at(seq) if self.journal is not None else 0
        return self.call(first) if first else None

    def at(self, seq: int) -> State:
        """Give the state as it was when event `seq` had been logged."""
        call = self.call_at(seq)
        if call is None or not call.first <= seq < call.last:
            return self.state_of(call)
        return fold(self.events[call.first - 1 : seq], self.state_of(self.before(call)))

    def look(self, seq: int) -> Callable[[], State]:
        """Give what gives the state after event `seq`, found when it is asked for; a file may be closed by then."""
        if self.journal is None:
            return partial(self.at, seq)
        state = self.at(seq)
        return lambda: state

    def steps(self) -> Iterator[tuple[int, int, Call | None, int]]:
        """Give each step held in memory: its first and last event, the present after it, and where redo leads to."""
        ends = [first - 1 for first in self._firsts[1:]]
        yield from zip(self._firsts, [*ends, len(self.events)], self._marks, self._tips, strict=True)

    def cut(self, seq: int) -> Timeline:
        """Give a timeline of its own, in memory only, that shares the past up to event `seq`."""
        other = Timeline()
        other.events = other._new = list(self.events[:seq])
        index = self._steps[seq - 1] + 1
        other._steps = self._steps[:seq]
        other._firsts = self._firsts[:index]
        other._marks = self._marks[:index]
        other._tips = self._tips[:index]
        call = self.call_at(seq)
        if call is not None and call.first <= seq < call.last:
            call = Call(call.first, seq, call.parent, call.depth, call.title)
            other._marks[-1] = call
        other.present = call
        other._tip, other._undone = other._tips[-1], None
        other.state = other.state_of(call)
        return other


class Log(Sequence[Event]):
    """Events of which the older ones are read on demand.

    Parameters
    ----------
    old : sequence of Event
        Those that are read.
    new : list of Event
        Those that follow them.
    """

    def __init__(self, old: Sequence[Event], new: list[Event]) -> None:
        self._old = old
        self._new = new

    def __len__(self) -> int:
        """Count the events."""
        return len(self._old) + len(self._new)

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        """Give an event, or a list of some."""
        border = len(self._old)
        if isinstance(index, int):
            place = index if index >= 0 else index + len(self)
            return self._new[place - border] if place >= border else self._old[place if place >= 0 else index]
        start, stop, step = index.indices(len(self))
        if step != 1:
            return [self[place] for place in range(start, stop, step)]
        old = self._old[start : min(stop, border)] if start < border else []
        return [*old, *self._new[max(start - border, 0) : max(stop - border, 0)]]

    def __iter__(self) -> Iterator[Event]:
        """Go through the events in order."""
        yield from self._old
        yield from self._new


class Prefix(Sequence[Event]):
    """The first events of a log, as far as a moment of the past."""

    def __init__(self, events: Sequence[Event], length: int) -> None:
        self._events = events
        self._length = length

    def __len__(self) -> int:
        """Count the events."""
        return self._length

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> Sequence[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | Sequence[Event]:
        """Give an event, or a list of some."""
        if isinstance(index, int):
            return self._events[range(self._length)[index]]
        start, stop, step = index.indices(self._length)
        if step != 1:
            return [self[place] for place in range(start, stop, step)]
        return self._events[start:stop]
