"""The log as a frame: every event with its moment, and whether it is undone at present."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl
from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.projection import MOVES, strokes
from combatkit.history.rows import frame_from
from combatkit.history.schema import EVENTS
from combatkit.rules.ruleset import Ruleset

_LASTING = pl.Schema({name: kind for name, kind in EVENTS.items() if name != "undone"})
"""What is never changed once it has been read."""


class Moment(Struct, frozen=True, gc=False):
    """A moment of game time, as the columns tell it, and the state it is read from."""

    state: State
    phase: str | None = None
    step: int | None = None
    label: str = ""
    seconds: float | None = None


class Log:
    """The events frame; read on as the log grows.

    What the clock says is folded from those events alone that can move it, by the ruleset's `clock_moves`.

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
        self._lasting = _LASTING.to_frame()
        self._undone: list[bool] = []
        self._moments = [Moment(State())]
        """Where the clock stood before the first event, and after each."""

    @property
    def count(self) -> int:
        """How much of the log has been read."""
        return len(self._undone)

    def read(self, log: Sequence[Event]) -> None:
        """Take in the events that are new; an undo or redo falls in the moment it was called in."""
        events = log[self.count :]
        moments = self._moments
        fell: list[Moment] = []
        for event in events:
            moves = event.kind in MOVES
            moments.append(moments[event._data["to"]] if moves else self._after(event, moments[-1]))
            fell.append(moments[-2 if moves else -1])
            self._undone.append(False)
            for seqs, undone in strokes(event):
                self._undone[seqs.start - 1 : seqs.stop - 1] = [undone] * len(seqs)
        if not events:
            return
        count = len(events)
        new = frame_from(
            (
                [self._id] * count,
                [self._rules.id] * count,
                [e.seq for e in events],
                [e.round for e in events],
                [m.phase for m in fell],
                [m.step for m in fell],
                [m.label for m in fell],
                [m.seconds for m in fell],
                [e.kind for e in events],
                [e.actor for e in events],
                [e.action for e in events],
                [e.target for e in events],
                [e.amount for e in events],
                [e.text for e in events],
                [e.note for e in events],
                [e.rules for e in events],
                [e.by for e in events],
            ),
            _LASTING,
        )
        self._lasting = pl.concat([self._lasting, new], rechunk=True)

    def _after(self, event: Event, now: Moment) -> Moment:
        moves = self._rules.clock_moves
        if moves is not None and event.kind not in moves:
            return now
        state = evolve(now.state, event)
        label = self._rules.clock(state).label
        match event.kind:
            case "round":
                return Moment(state, None, None, label, event._data["seconds"])
            case "step":
                phase, number = event._data["phase"], event._data["number"]
                return Moment(state, None if phase is None else str(phase), number, label, event._data["seconds"])
        return replace(now, state=state, label=label)

    def frame(self, name: str) -> pl.DataFrame:
        """Return the frame by its name; it is the only one."""
        return self._lasting.with_columns(pl.Series("undone", self._undone, pl.Boolean))
