"""The way back as plain data: which moment is looked at, what leads there, which branches there are."""

from __future__ import annotations

from typing import Any

from combatkit.widgets._seat import Seat


def travel_view(seat: Seat) -> dict[str, Any]:
    """Give what a log's scrubber shows; in the players' view, and before the fight begins, there is none."""
    encounter = seat.encounter
    if seat.players or encounter._state.stage == "setup":
        return {"events": 0, "at": None}
    line, seq = encounter._timeline, seat.seq
    way, fork = ("", 0), None
    if seq is not None:
        present, call = line.present, line.now.call_at(seq)
        way = seat.chronicle.trail.way(seq, present.first if present is not None else 0)
        # What is branched from is a call with all it caused: halfway through one nobody can go on.
        fork = call.last if call is not None and call.first <= seq <= call.last else seq
    return {
        "events": len(encounter._events),
        "at": seat.seq,
        "label": seat.now.clock.label,
        "way": list(way) if way[0] else None,
        "fork": fork,
        "branch": encounter.id,
        "branches": list(seat.family),
    }
