"""The log and the way back: an append-only list of events, and a cursor over the calls that made them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from msgspec import Struct

from combatkit.engine.evolve import fold
from combatkit.engine.model import Event, State

_KEPT = 32
"""Every so many calls the state is kept, so that any past moment costs at most that many calls to fold."""

_RECENT = 64
"""So many of the newest calls keep their state, because they are what is undone."""


class Call(Struct, gc=False):
    """One accepted call: the events it made, and the call it followed."""

    first: int
    last: int
    parent: Call | None
    depth: int
    title: str
    state: State | None


class Timeline:
    """Everything that happened, and where the present is in it.

    Undo moves the present to the call before and is itself logged; nothing is ever deleted.
    """

    def __init__(self) -> None:
        self.events: list[Event] = []
        self.present: Call | None = None
        self.undone: list[Call] = []
        self.state = State()
        self._firsts: list[int] = []
        self._marks: list[Call | None] = []
        self._recent: list[Call] = []

    @property
    def next_seq(self) -> int:
        """The number the next event will have."""
        return len(self.events) + 1

    def append(self, events: Sequence[Event], state: State, title: str) -> None:
        """Take in an accepted call: its events and the state they lead to."""
        parent = self.present
        call = Call(events[0].seq, events[-1].seq, parent, parent.depth + 1 if parent else 0, title, state)
        self.events.extend(events)
        self._mark(events[0].seq, call)
        self.present = call
        self.state = state
        self.undone.clear()
        self._recent.append(call)
        if len(self._recent) > 2 * _RECENT:
            for old in self._recent[:_RECENT]:
                if old.depth % _KEPT:
                    old.state = None
            del self._recent[:_RECENT]

    def _mark(self, first: int, call: Call | None) -> None:
        self._firsts.append(first)
        self._marks.append(call)

    def go(self, call: Call | None, event: Event, undone: list[Call]) -> None:
        """Move the present to another call; `event` logs the move."""
        self.events.append(event)
        self._mark(event.seq, call)
        self.present = call
        self.state = self.state_of(call)
        self.undone = undone

    def state_of(self, call: Call | None) -> State:
        """Give the state after a call, folding from the nearest kept one."""
        path: list[Call] = []
        while call is not None and call.state is None:
            path.append(call)
            call = call.parent
        state = State() if call is None or call.state is None else call.state
        for step in reversed(path):
            state = fold(self.events[step.first - 1 : step.last], state)
        return state

    def call_at(self, seq: int) -> Call | None:
        """Give the call that was the present when event `seq` had been logged."""
        index = bisect_right(self._firsts, seq) - 1
        return self._marks[index] if index >= 0 else None

    def at(self, seq: int) -> State:
        """Give the state as it was when event `seq` had been logged."""
        call = self.call_at(seq)
        if call is None or not call.first <= seq < call.last:
            return self.state_of(call)
        return fold(self.events[call.first - 1 : seq], self.state_of(call.parent))

    def cut(self, seq: int) -> Timeline:
        """Give a timeline of its own that shares the past up to event `seq`."""
        other = Timeline()
        other.events = self.events[:seq]
        index = bisect_right(self._firsts, seq)
        other._firsts = self._firsts[:index]
        other._marks = self._marks[:index]
        call = self.call_at(seq)
        if call is not None and call.first <= seq < call.last:
            call = Call(call.first, seq, call.parent, call.depth, call.title, None)
            other._marks[-1] = call
        other.present = call
        other.state = other.state_of(call)
        return other
