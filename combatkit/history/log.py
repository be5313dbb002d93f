"""The log as a frame: every event with its moment, and whether it is undone at present."""

from __future__ import annotations

from collections.abc import Sequence

from combatkit.core.evolve import evolve
from combatkit.core.model import Event, State
from combatkit.core.timeline import MOVES, Line
from combatkit.frames import pl
from combatkit.history.schema import EVENTS
from combatkit.history.table import framed
from combatkit.rules.ruleset import Ruleset

Moment = tuple[str | None, int | None, str, float | None]
"""A moment of game time, as the columns tell it: phase, step, the clock's label, seconds."""


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
    after: list[tuple[State, Moment]] = [(State(), (None, None, "", None))]
    for e in log:
        called = after[-1]
        after.append(after[e._data["to"]] if e.kind in MOVES else _next(rules, e, *called))
        now = (called if e.kind in MOVES else after[-1])[1]
        when = [e.seq, e.round, *now]
        what = [e.kind, e.actor, e.action, e.target, e.amount, e.text, e.note, e.rules, e.by]
        rows.append([id, rules.id, *when, *what, e.kind not in MOVES and not line.holds(e.seq)])
    return framed(EVENTS, rows)


def _next(rules: Ruleset, event: Event, state: State, now: Moment) -> tuple[State, Moment]:
    """Return what the clock rests on and what it says, after one event more."""
    moves = rules.clock_moves
    if moves is not None and event.kind not in moves:
        return state, now
    state = evolve(state, event)
    phase, step, _, seconds = now
    data = event._data
    if event.kind == "round":
        phase, step, seconds = None, None, data["seconds"]
    elif event.kind == "step":
        named = data["phase"]
        phase, step, seconds = None if named is None else str(named), data["number"], data["seconds"]
    return state, (phase, step, rules.clock(state).label, seconds)
