"""What has happened so far, as columns that only grow, and the one small object that says how far they count."""

from __future__ import annotations

from array import array
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, overload

from msgspec import Struct

from combatkit.core.fold import fold
from combatkit.core.model import Event, State
from combatkit.errors import JournalError, clipped

if TYPE_CHECKING:
    from combatkit.core.timeline import Journal

KEPT = 4
"""After how many calls the state is kept, so that any past moment costs at most that many calls to fold."""

_RECENT = 2
"""How many of the calls that were newest keep their state too, because they are looked at again."""


class Call(Struct, gc=False):
    """One accepted call: the events it made, and the call it followed, by that one's first event (0: none).

    A call never holds another: a chain of a million of them could not be freed.
    """

    first: int
    last: int
    parent: int
    depth: int
    title: str
    state: State | None = None


class Log(Sequence[Event]):
    """The first so many events: older ones that a journal holds, read on demand, and newer ones in memory.

    Both only grow, so a log stays what it was when it was made.

    Parameters
    ----------
    old : sequence of Event
        Those of the journal.
    new : list of Event
        Those that follow them; there may be more than count.
    length : int
        How many count, of both.
    """

    __slots__ = ("_length", "_new", "_old")

    def __init__(self, old: Sequence[Event], new: list[Event], length: int) -> None:
        self._old = old
        self._new = new
        self._length = length

    def __len__(self) -> int:
        """Count the events."""
        return self._length

    @overload
    def __getitem__(self, index: int) -> Event: ...
    @overload
    def __getitem__(self, index: slice) -> list[Event]: ...
    def __getitem__(self, index: int | slice) -> Event | list[Event]:
        """Return an event, or a list of some."""
        border = len(self._old)
        if isinstance(index, int):
            place = index if index >= 0 else index + self._length
            if not 0 <= place < self._length:
                raise IndexError(f"there is no event {index}; the log has {self._length}")
            return self._new[place - border] if place >= border else self._old[place]
        start, stop, step = index.indices(self._length)
        if step != 1:
            return [self[place] for place in range(start, stop, step)]
        new = self._new[max(start - border, 0) : max(stop - border, 0)]
        return [*self._old[start : min(stop, border)], *new] if start < border else new

    def __iter__(self) -> Iterator[Event]:
        """Go through the events in order."""
        border = len(self._old)
        if self._length <= border:
            yield from self._old[: self._length]
            return
        yield from self._old
        yield from self._new[: self._length - border]

    def __eq__(self, other: object) -> bool:
        """Check whether another sequence holds the same events."""
        return isinstance(other, Sequence) and list(self) == list(other)

    __hash__ = None  # type: ignore[assignment]

    def upto(self, seq: int) -> Log:
        """Return the log as it was when event `seq` had been logged."""
        return Log(self._old, self._new, seq)


class Tape:
    """What a timeline holds in memory, in columns; how much of them counts, a `Moment` says.

    `events` are those newer than the journal's `old` ones; `steps` has for each the step it belongs to, since a search
    would touch cold memory. A step is a call, or a move of the present: its first event (`firsts`), the present after
    it (`calls`), and where redo leads to (`tips`).
    """

    __slots__ = ("calls", "events", "firsts", "journal", "old", "read", "recent", "steps", "tips")

    def __init__(self, journal: Journal | None = None, old: Sequence[Event] = ()) -> None:
        self.journal = journal
        self.old = old
        self.events: list[Event] = []
        self.steps = array("q")
        self.firsts = array("q")
        self.calls: list[Call | None] = []
        self.tips = array("q")
        self.read: dict[int, Call] = {}
        self.recent: list[Call] = []

    def cut(self, events: int, steps: int) -> None:
        """Forget what does not count: a call that was interrupted left it. What is put on first goes last."""
        del self.tips[steps:]
        del self.calls[steps:]
        del self.firsts[steps:]
        del self.steps[events:]
        del self.events[events:]

    def part(self, events: int, steps: int) -> Tape:
        """Return the beginning as a tape of its own."""
        other = Tape()
        other.events = self.events[:events]
        other.steps = self.steps[:events]
        other.firsts = self.firsts[:steps]
        other.calls = self.calls[:steps]
        other.tips = self.tips[:steps]
        return other

    def remember(self, call: Call) -> None:
        """Let a call keep its state for a while, and drop the state of one that has kept it long enough."""
        self.recent.append(call)
        if len(self.recent) > 2 * _RECENT:
            for old in self.recent[:_RECENT]:
                if old.depth % KEPT:
                    old.state = None
            del self.recent[:_RECENT]


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
        return Log(self.tape.old, self.tape.events, self.length)

    def call(self, first: int) -> Call:
        """Return the call that made event `first` as its first."""
        tape = self.tape
        step = self._step_of(first)
        if step is None and tape.journal is not None:
            call = tape.read.get(first)
            if call is None:
                call = tape.read[first] = tape.journal.call(first)
            return call
        found = tape.calls[step] if step is not None else None
        assert found is not None
        return found

    def _step_of(self, seq: int) -> int | None:
        """Return the step in memory that logged an event, or None if only the journal has it."""
        place = seq - 1 - len(self.tape.old)
        return self.tape.steps[place] if place >= 0 else None

    def before(self, call: Call) -> Call | None:
        """Return the call that a call followed."""
        return self.call(call.parent) if call.parent else None

    def state_of(self, call: Call | None) -> State:
        """Return the state after a call, folding from the nearest kept one."""
        return self._sure(lambda: self._fold_to(call))

    def _fold_to(self, call: Call | None) -> State:
        path: list[Call] = []
        state = State()
        tape = self.tape
        while call is not None:
            kept = call.state
            if kept is None and tape.journal is not None:
                kept = tape.journal.state(call)
            if kept is not None:
                state = kept
                break
            path.append(call)
            call = self.before(call)
        for step in reversed(path):
            state = self._folded(step.first, step.last, state)
            if step is path[0] or not step.depth % KEPT:
                step.state = state
                tape.remember(step)
        return state

    def call_at(self, seq: int) -> Call | None:
        """Return the call that was the present when event `seq` had been logged."""
        step = self._step_of(seq)
        if step is not None:
            return self.tape.calls[step]
        journal = self.tape.journal
        first = journal.present_at(seq) if journal is not None else 0
        return self.call(first) if first else None

    def end_of(self, seq: int) -> int:
        """Return the last event of what was accepted as one with event `seq`: a call, or a move of the present."""
        call = self.call_at(seq)
        return seq if call is None else max(seq, call.last)

    def at(self, seq: int) -> State:
        """Return the state as it was when event `seq` had been logged."""
        call = self.call_at(seq)
        if call is None or not call.first <= seq < call.last:
            return self.state_of(call)
        return self.after(call, seq)

    def after(self, call: Call, seq: int) -> State:
        """Return the state after event `seq` of a call from the one before it, whatever was kept of the call itself."""
        return self._sure(lambda: self._folded(call.first, seq, self._fold_to(self.before(call))))

    def _sure(self, find: Callable[[], State]) -> State:
        """Find a state; if the events do not fit the states that the journal kept, do it again without those."""
        tape = self.tape
        try:
            return find()
        except JournalError:
            if tape.journal is None or not tape.journal.doubt():
                raise
        for call in tape.read.values():
            call.state = None
        return find()

    def _folded(self, first: int, last: int, state: State) -> State:
        """Return the state after some events; a file may hold some that somebody forged."""
        events = self.log[first - 1 : last]
        try:
            return fold(events, state)
        except Exception as error:
            if self.tape.journal is None:
                raise
            why = f"{type(error).__name__}: {clipped(str(error))}"
            raise JournalError(f"events {first} to {last} of the journal are not what a fight makes: {why}") from error

    def look(self, seq: int) -> Callable[[], State]:
        """Return what gives the state after event `seq`, found when it is asked for; a file may be closed by then."""
        if self.tape.journal is None:
            return partial(self.at, seq)
        state = self.at(seq)
        return lambda: state

    def undone(self) -> list[Call]:
        """Return the calls that redo brings back, the next one last."""
        stop = self.present.first if self.present is not None else 0
        found: list[Call] = []
        first = self.tip
        while first != stop:
            found.append(self.call(first))
            first = found[-1].parent
        return found

    def passed(self) -> Iterator[tuple[int, int, Call | None, int]]:
        """Yield each step held in memory: its first and last event, the present after it, and where redo leads to."""
        tape, count = self.tape, self.steps
        firsts = tape.firsts[:count]
        ends = [first - 1 for first in firsts[1:]]
        yield from zip(firsts, [*ends, self.length], tape.calls[:count], tape.tips[:count], strict=True)
