"""What has happened so far, as columns that only grow, and the one small object that says how far they count."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from typing import overload

from msgspec import Struct

from combatkit.core.fold import fold
from combatkit.core.model import Event, State


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
