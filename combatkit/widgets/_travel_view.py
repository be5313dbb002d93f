"""The way back as plain data: which moment is looked at, what leads there, which branches there are."""

from __future__ import annotations

from combatkit.report.shapes import Travel
from combatkit.widgets._seat import Seat

_MOST = 100
"""So many branches are listed."""


def travel_view(seat: Seat) -> Travel:
    """Return what a log's scrubber shows; in the players' view, and before the fight begins, there is none."""
    encounter = seat.encounter
    if seat.players or encounter._state.stage == "setup":
        return {"events": 0, "at": None}
    line, seq = encounter._timeline, seat.seq
    way, fork = None, seq
    if seq is not None:
        call, state = line.now.call_at(seq), seat.now._state
        way = _way(seat, seq)
        if call is not None and state.stage == "running" and state.step < 0:
            fork = call.last  # a fight that is only half begun cannot be gone on with
    return {
        "events": len(encounter._events),
        "at": seat.seq,
        "label": seat.now.clock.label,
        "way": way,
        "fork": fork,
        "branch": encounter.id,
        "given": seat.elsewhere,
        "branches": _few(list(seat.family), encounter.id),
    }


def _way(seat: Seat, seq: int) -> list[str | int] | None:
    """Say how the present gets to the moment of an event: by undo or redo, and to which event."""
    line = seat.encounter._timeline
    call, present = line.now.call_at(seq), line.present
    if call is None or present is None:
        return None
    to = min(seq, call.last)  # an undo or redo stands where it led
    if seat.log_lines.index.holds(to):
        return ["undo", to] if to < present.first else None
    return ["redo", to] if any(ahead.first == call.first for ahead in line.undone) else None


def _few(ids: list[str], shown: str) -> list[str]:
    """Return the ids to choose from: of very many the first, the newest, and the one that is shown."""
    if len(ids) <= _MOST:
        return ids
    few = [ids[0], *ids[1 - _MOST :]]
    return few if shown in few else [*few, shown]
