"""The log as a frame: every event with the moment it fell in, and whether it is undone at present."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from combatkit.engine.evolve import evolve
from combatkit.engine.model import Event, State
from combatkit.engine.ruleset import Ruleset
from combatkit.history.schema import EVENTS
from combatkit.history.table import Table

_TIMED = frozenset(("encounter", "table", "begin", "round", "step", "fact", "over"))
"""The kinds that can change what the clock says."""

_MOVING = _TIMED | {"undo", "redo"}
"""The kinds that need a look at the clock."""


class Moment(Struct, frozen=True, gc=False):
    """A moment of game time, as the columns tell it."""

    phase: str | None
    step: int | None
    label: str
    seconds: float | None


class Clockwork:
    """What the clock said at each event, undo and redo followed.

    It folds only the events that can move a clock: a ruleset's `clock` reads the round, the step and what the system
    notes of the round, never who stands where.

    Parameters
    ----------
    rules : Ruleset
        The system, whose `clock` gives the label.
    """

    def __init__(self, rules: Ruleset) -> None:
        self._rules = rules
        self._state = State()
        self.now = Moment(None, None, "", None)
        self._seqs = [0]
        self._states = [self._state]
        self._moments = [self.now]

    def take(self, event: Event) -> Moment:
        """Take in the next event and give the moment it fell in: of an undo or redo, the one it was called in."""
        kind = event.kind
        if kind in _TIMED:
            self._state = evolve(self._state, event)
            self.now = self._moment(event)
            self._remember(event.seq)
        elif kind in ("undo", "redo"):
            called = self.now
            then = bisect_right(self._seqs, event.data["to"]) - 1
            self._state, self.now = self._states[then], self._moments[then]
            self._remember(event.seq)
            return called
        return self.now

    def _remember(self, seq: int) -> None:
        self._seqs.append(seq)
        self._states.append(self._state)
        self._moments.append(self.now)

    def _moment(self, event: Event) -> Moment:
        now = self.now
        data = event.data
        label = self._rules.clock(self._state).label
        match event.kind:
            case "round":
                return Moment(None, None, label, data["seconds"])
            case "step":
                phase = data["phase"]
                return Moment(None if phase is None else str(phase), data["number"], label, data["seconds"])
        return replace(now, label=label)


class Log:
    """The events frame, kept as events are read.

    Parameters
    ----------
    id : str
        The encounter's id.
    rules : Ruleset
        Its system.
    """

    def __init__(self, id: str, rules: Ruleset) -> None:
        self._id = id
        self._rules = rules
        self._table = Table(EVENTS)
        self._clockwork = Clockwork(rules)

    def read(self, events: Sequence[Event]) -> None:
        """Take in the events that are new."""
        count, clockwork = len(events), self._clockwork
        moments = [clockwork.take(e) if e.kind in _MOVING else clockwork.now for e in events]
        self._table.extend(
            (
                [self._id] * count,
                [self._rules.id] * count,
                [e.seq for e in events],
                [e.round for e in events],
                [m.phase for m in moments],
                [m.step for m in moments],
                [m.label for m in moments],
                [m.seconds for m in moments],
                [e.kind for e in events],
                [e.actor for e in events],
                [e.action for e in events],
                [e.target for e in events],
                [e.amount for e in events],
                [e.text for e in events],
                [e.note for e in events],
                [e.rules for e in events],
                [e.by for e in events],
                [False] * count,
            )
        )
        for e in events:
            if e.kind in ("undo", "redo"):
                for first, last in e.data["calls"]:
                    for index in range(first - 1, last):
                        self._table.mend(index, "undone", e.kind == "undo")

    def frame(self) -> pl.DataFrame:
        """Give the frame."""
        return self._table.frame()
