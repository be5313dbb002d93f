"""The log and the way back: calls are taken in, undone and redone, each by one assignment."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Protocol

from msgspec import Struct

from combatkit.core.model import Event, State
from combatkit.core.past import Call, Log, Moment, Tape


class Standing(Struct, gc=False):
    """Where a timeline stands: the present call, and the one that redo leads to in the end; by their first events."""

    events: Sequence[Event]
    present: int
    tip: int
    own: bool = False
    """Whether what is new was made here, and only its return was interrupted."""


class Journal(Protocol):
    """Where a timeline is kept: it is written before the present moves, and read where memory does not reach.

    Attributes
    ----------
    follows : bool
        Whether it may hold more than the timeline knows, so that `news` is worth asking: somebody else may go on with
        the fight, or a call was interrupted after it had been written. The timeline says when it is in step.
    """

    follows: bool

    def write(self, call: Call, events: Sequence[Event]) -> None:
        """Keep an accepted call, or raise and keep nothing."""

    def write_move(self, event: Event, present: int, tip: int) -> None:
        """Keep a move of the present, an undo or redo, or raise and keep nothing."""

    def news(self, length: int) -> Standing | None:
        """Return where the timeline stands if the journal holds more than so many events."""

    def call(self, first: int) -> Call:
        """Return the call that made event `first` as its first."""

    def present_at(self, seq: int) -> int:
        """Return the call that was the present when event `seq` had been logged, by its first event, or 0."""

    def state(self, call: Call) -> State | None:
        """Return the state after a call, if it was kept."""

    def doubt(self) -> bool:
        """Trust no kept state from now on: one was forged; say whether any might have been given before."""

    @property
    def close(self) -> Callable[[], object]:
        """Write what waits, and let others write."""


class Timeline:
    """Everything that happened, and where the present is in it.

    Undo moves the present to the call before and is itself logged; nothing is ever deleted. A change is prepared on
    the tape, beyond what counts; it is written to the journal; and it becomes true as `now` is assigned. Whatever
    interrupts it on the way, the timeline stands either before the change or after it.

    Parameters
    ----------
    journal : Journal, optional
        Where it is kept.
    standing : Standing, optional
        Where it stands by its journal; else it begins.

    Attributes
    ----------
    now : Moment
        Where it stands.
    """

    def __init__(self, journal: Journal | None = None, standing: Standing | None = None) -> None:
        self.journal = journal
        self.now = Moment(Tape(journal), 0, 0, None, State(), 0)
        self._above: tuple[int, list[Call]] = (0, [])
        """Where redo leads to, and the way down from there: it is long to go, and the same for as long as that is."""
        if standing is not None:
            self._stand(standing)

    def _stand(self, standing: Standing) -> None:
        """Take over where the timeline stands, and read on demand what led there."""
        tape = Tape(self.journal, standing.events)
        length = len(standing.events)
        now = Moment(tape, length, 0, None, State(), standing.tip)
        present = now.call(standing.present) if standing.present else None
        self.now = Moment(tape, length, 0, present, now.state_of(present), standing.tip)

    def keep_in(self, journal: Journal) -> None:
        """Keep it in a journal from its first event on."""
        self.journal = self.now.tape.journal = journal

    def follow(self) -> Standing | None:
        """Take over what the journal holds and memory does not: another process's calls, or an interrupted one."""
        journal = self.journal
        if journal is None:
            return None
        standing = journal.news(self.now.length)
        if standing is not None:
            self._stand(standing)
        return standing

    @property
    def events(self) -> Log:
        """The log."""
        return self.now.log

    @property
    def state(self) -> State:
        """The present state."""
        return self.now.state

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

    @property
    def undone(self) -> Sequence[Call]:
        """The calls that redo brings back, the next one last."""
        now = self.now
        present, tip = now.present, now.tip
        if tip == (present.first if present is not None else 0):
            return ()
        known, way = self._above
        count = now.call(tip).depth - (present.depth if present is not None else -1)
        if known != tip or len(way) < count:
            way = now.undone()
            self._above = (tip, way)
        return way[:count]

    def append(self, events: Sequence[Event], state: State, title: str) -> None:
        """Take in an accepted call: its events and the state they lead to."""
        now = self.now
        parent = now.present
        first, depth = (parent.first, parent.depth + 1) if parent is not None else (0, 0)
        call = Call(events[0].seq, events[-1].seq, first, depth, title, state)
        after = self._ready(now, events, call, state, call.first)
        journal = self.journal
        if journal is None:
            self.now = after
        else:
            journal.write(call, events)
            self.now = after
            journal.follows = False
        after.tape.remember(call)

    def go(self, call: Call, event: Event) -> None:
        """Move the present to a call before it, or to one of `undone`; `event` logs it."""
        now = self.now
        after = self._ready(now, (event,), call, now.state_of(call), now.tip)
        journal = self.journal
        if journal is None:
            self.now = after
        else:
            journal.write_move(event, call.first, now.tip)
            self.now = after
            journal.follows = False

    def _ready(self, now: Moment, events: Sequence[Event], call: Call, state: State, tip: int) -> Moment:
        """Prepare a step on the tape, beyond what counts, and return the moment in which it counts."""
        tape, steps, count = now.tape, now.steps, len(events)
        held = now.length - len(tape.old)
        if len(tape.events) != held:  # a call that was interrupted left more
            tape.cut(held, steps)
        tape.events.extend(events)
        tape.steps.extend([steps] * count)
        tape.firsts.append(events[0].seq)
        tape.calls.append(call)
        tape.tips.append(tip)
        return Moment(tape, now.length + count, steps + 1, call, state, tip)

    def cut(self, seq: int) -> Timeline:
        """Return a timeline of its own, in memory only, that shares the past up to event `seq`, the last of a call."""
        now = self.now
        steps = now.tape.steps[seq - 1] + 1
        tape = now.tape.part(seq, steps)
        call = now.call_at(seq)
        there = Moment(tape, seq, steps, call, State(), tape.tips[-1])
        other = Timeline()
        other.now = Moment(tape, seq, steps, call, there.state_of(call), there.tip)
        return other
