"""The log as a frame: every event with its moment, and whether it is undone at present."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.projection import MOVES, Line
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


def log_frame(id: str, rules: Ruleset, log: Sequence[Event]) -> pl.DataFrame:
    """Return a log as a frame.

    What the clock says is folded from those events alone that can move it, by the ruleset's `clock_moves`. An undo or
    redo falls in the moment it was called in, and after it the clock says what it said after the event it led to.

    Parameters
    ----------
    id : str
        The encounter's id.
    rules : Ruleset
        Its system, whose `clock` gives the label.
    log : sequence of Event
        All that has been logged.
    """
    rows: list[list[object]] = []
    line = Line(log)
    after = [(State(), Moment(None, None, "", None))]
    for e in log:
        called = after[-1]
        after.append(after[e._data["to"]] if e.kind in MOVES else _next(rules, e, *called))
        now = (called if e.kind in MOVES else after[-1])[1]
        when = [e.seq, e.round, now.phase, now.step, now.label, now.seconds]
        what = [e.kind, e.actor, e.action, e.target, e.amount, e.text, e.note, e.rules, e.by]
        rows.append([id, rules.id, *when, *what, e.kind not in MOVES and not line.holds(e.seq)])
    return framed(EVENTS, rows)


def _next(rules: Ruleset, event: Event, state: State, now: Moment) -> tuple[State, Moment]:
    """Return what the clock rests on and what it says, after one event more."""
    moves = rules.clock_moves
    if moves is not None and event.kind not in moves:
        return state, now
    state = evolve(state, event)
    label = rules.clock(state).label
    data = event._data
    match event.kind:
        case "round":
            return state, Moment(None, None, label, data["seconds"])
        case "step":
            phase = data["phase"]
            return state, Moment(None if phase is None else str(phase), data["number"], label, data["seconds"])
    return state, replace(now, label=label)
