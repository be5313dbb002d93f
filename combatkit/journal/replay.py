"""A timeline from its steps: each call folded, each undo and redo followed."""

from __future__ import annotations

from combatkit.core.fold import fold
from combatkit.core.past import Call
from combatkit.core.timeline import Timeline
from combatkit.journal.desk import Desk
from combatkit.journal.pages import Run, Step
from combatkit.journal.store import is_kept


def replayed(run: Run) -> Timeline:
    """Return the timeline whose steps these are, in memory.

    Raises
    ------
    ValueError
        If a step does not follow from those before it.
    """
    line = Timeline()
    for step in run.steps:
        events = run.events[step.first - 1 : step.last]
        if step.depth is not None:
            follows, depth = (line.present.first, line.present.depth + 1) if line.present else (0, 0)
            if (step.parent, step.depth) != (follows, depth):
                raise ValueError(f"the call of event {step.first} does not follow the one before it")
            line.append(events, fold(events, line.state), step.title or "")
        else:
            line.go(_come_to(line, step, events[0].kind), events[0])
    return line


def _come_to(line: Timeline, step: Step, kind: str) -> Call:
    """Return the call that an undo or redo leads to."""
    for call in line.done if kind == "undo" else reversed(line.undone):
        if call.first == step.parent and call is not line.present:
            return call
    raise ValueError(f"the {kind} of event {step.first} does not lead to event {step.parent}")


def write_past(desk: Desk, line: Timeline, steps: list[Step]) -> None:
    """Write a whole timeline in the transaction under way, with the states that are kept."""
    for step in steps:
        size = step.last - step.first + 1
        kept = step.depth is not None and is_kept(step.first, step.depth)
        state = line.now.call(step.first).state if kept else None
        heading = (size, step.parent, step.depth, step.tip, step.title)
        desk.mark = desk.insert([(heading, line.events[step.first - 1 : step.last], state)])
