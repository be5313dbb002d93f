"""Which of a log's events hold, and what is made of them: the one place that knows what undo and redo do.

Both are events like any other. They say which calls they take back or take up again (`calls`, each by its first and
last event), and after which event the present stands then (`to`).
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from combatkit.core.model import Event

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
