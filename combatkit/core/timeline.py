"""The log and the way back: calls are taken in, undone and redone, each by one assignment."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, Protocol

from combatkit.core.fold import fold
from combatkit.core.model import Event, State
from combatkit.core.past import Call, Log, Moment, Stand, Step, Tape
from combatkit.core.projection import MOVES


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
        """What is settled about the fight and is no part of it: its title, whether we roll at the table."""
        return self._settings if self.journal is None else self.journal.settings

    def settle(self, **settings: object) -> None:
        """Settle something, or raise and settle nothing."""
        if self.journal is None:
            self._settings = {**self._settings, **settings}
        else:
            self.journal.settle(settings)

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
        other.now = Moment(part, seq, steps, there.call, there.call.state, there.tip)
        return other
