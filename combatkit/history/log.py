"""The log as a frame: every event with its moment, and whether it is undone at present."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.projection import MOVES, Projection, strokes
from combatkit.history.schema import EVENTS
from combatkit.history.table import Table
from combatkit.rules.ruleset import Ruleset


class Moment(Struct, frozen=True, gc=False):
    """A moment of game time, as the columns tell it."""

    phase: str | None
    step: int | None
    label: str
    seconds: float | None


class Log(Projection[tuple[State, Moment]]):
    """The events frame, kept as events are read.

    What the clock says is folded from those events alone that can move it, by the ruleset's `clock_moves`.

    Parameters
    ----------
    id : str
        The encounter's id.
    rules : Ruleset
        Its system, whose `clock` gives the label.
    """

    spacing = 8

    def __init__(self, id: str, rules: Ruleset) -> None:
        self._id = id
        self._rules = rules
        self._table = Table(EVENTS)
        self._state = State()
        self._now = Moment(None, None, "", None)
        super().__init__()

    def take(self, event: Event) -> None:
        """Move the clock."""
        moves = self._rules.clock_moves
        if moves is None or event.kind in moves:
            self._state = evolve(self._state, event)
            self._now = self._moment(event)

    def mark(self) -> tuple[State, Moment]:
        """Return what the clock rests on, and what it says."""
        return self._state, self._now

    def rewind(self, mark: tuple[State, Moment]) -> None:
        """Put the clock back."""
        self._state, self._now = mark

    def _moment(self, event: Event) -> Moment:
        now = self._now
        data = event._data
        label = self._rules.clock(self._state).label
        match event.kind:
            case "round":
                return Moment(None, None, label, data["seconds"])
            case "step":
                phase = data["phase"]
                return Moment(None if phase is None else str(phase), data["number"], label, data["seconds"])
        return replace(now, label=label)

    def read(self, log: Sequence[Event]) -> None:
        """Take in the events that are new; an undo or redo falls in the moment it was called in."""
        events: list[Event] = []
        moments: list[Moment] = []
        called = self._now
        for event in self.follow(log):
            events.append(event)
            moments.append(called if event.kind in MOVES else self._now)
            called = self._now
        count = len(events)
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
            for seqs, undone in strokes(e):
                for seq in seqs:
                    self._table.mend(seq - 1, "undone", undone)

    def frame(self, name: str) -> pl.DataFrame:
        """Return the frame by its name; it is the only one."""
        return self._table.frame()
