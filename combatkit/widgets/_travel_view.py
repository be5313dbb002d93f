"""Travel in time as plain data: which moment is looked at, what leads there, which branches there are."""

from __future__ import annotations

from combatkit.report.shapes import Travel
from combatkit.widgets._vantage import Vantage

_MOST = 100
"""How many branches are listed."""


def travel_view(vantage: Vantage) -> Travel:
    """Return what a log's scrubber shows; in the players' view, and before the fight begins, there is none."""
    encounter = vantage.encounter
    if vantage.players or encounter._state.stage == "setup":
        return {"events": 0, "at": None}
    line, seq, family = encounter._timeline, vantage.seq, list(vantage.family)
    way, fork = None, seq
    if seq is not None:
        way, fork = _way(vantage, seq), line.now.end_of(seq)  # a branch keeps the whole call
    return {
        "events": len(encounter._events),
        "at": vantage.seq,
        "label": vantage.now.clock.label,
        "way": way,
        "fork": fork,
        "branch": encounter.id,
        "given": vantage.elsewhere,
        "branches": _few(family, encounter.id),
    }


def _way(vantage: Vantage, seq: int) -> list[str | int] | None:
    """Say how to take the present to the moment of an event: by undo or redo, and to which event."""
    line = vantage.encounter._timeline
    call, present = line.now.call_at(seq), line.present
    if present is None:
        return None
    to = min(seq, call.last)  # an undo or redo stands where it led
    if vantage.log_lines.index.holds(to):
        return ["undo", to] if to < present.first else None
    return ["redo", to] if any(ahead.first == call.first for ahead in line.undone) else None


def _few(ids: list[str], shown: str) -> list[str]:
    """Return the ids to choose from: of very many, the first, the newest, and the one that is shown."""
    if len(ids) <= _MOST:
        return ids
    few = [ids[0], *ids[1 - _MOST :]]
    return few if shown in few else [*few, shown]
