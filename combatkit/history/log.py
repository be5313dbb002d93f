"""The log as a frame: every event with its moment, and whether it is undone at present."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.projection import MOVES, strokes
from combatkit.frames import pl
from combatkit.history.schema import EVENTS
from combatkit.history.table import framed
from combatkit.rules.ruleset import Ruleset


class Moment(Struct, frozen=True, gc=False):
    """A moment of game time, as the columns tell it."""

    phase: str | None
    step: int | None
    label: str
    seconds: float | None


class Log:
    """The events frame, read on as the log grows.

    What the clock says is folded from those events alone that can move it, by the ruleset's `clock_moves`. What it
    said after each event is kept, so that an undo or redo puts it back.

    Parameters
    ----------
    id : str
        The encounter's id.
    rules : Ruleset
        Its system, whose `clock` gives the label.
    """

    def __init__(self, id: str, rules: Ruleset) -> None:
        self._id = id
        self._rules = rules
        self._rows: list[list[object]] = []
        self._after: list[tuple[State, Moment]] = [(State(), Moment(None, None, "", None))]

    @property
    def count(self) -> int:
        """How many events have been read."""
        return len(self._rows)

    def _next(self, event: Event) -> tuple[State, Moment]:
        """Return what the clock rests on and what it says, after one event more."""
        if event.kind in MOVES:
            to: int = event._data["to"]
            return self._after[to]
        state, now = self._after[-1]
        moves = self._rules.clock_moves
        if moves is not None and event.kind not in moves:
            return state, now
        state = evolve(state, event)
        label = self._rules.clock(state).label
        data = event._data
        match event.kind:
            case "round":
                return state, Moment(None, None, label, data["seconds"])
            case "step":
                phase = data["phase"]
                return state, Moment(None if phase is None else str(phase), data["number"], label, data["seconds"])
        return state, replace(now, label=label)

    def read(self, log: Sequence[Event]) -> None:
        """Take in the events that are new; an undo or redo falls in the moment it was called in."""
        for e in log[self.count :]:
            called = self._after[-1][1]
            self._after.append(self._next(e))
            now = called if e.kind in MOVES else self._after[-1][1]
            when = [e.seq, e.round, now.phase, now.step, now.label, now.seconds]
            what = [e.kind, e.actor, e.action, e.target, e.amount, e.text, e.note, e.rules, e.by, False]
            self._rows.append([self._id, self._rules.id, *when, *what])
            for seqs, undone in strokes(e):
                for seq in seqs:
                    self._rows[seq - 1][-1] = undone

    def frame(self, name: str) -> pl.DataFrame:
        """Return the frame by its name; it is the only one."""
        return framed(EVENTS, self._rows)
