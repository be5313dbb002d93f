"""The way back as plain data: which moment is looked at, what leads there, which branches there are."""

from __future__ import annotations

from typing import Any

from combatkit.widgets._seat import Seat


def travel_view(seat: Seat) -> dict[str, Any]:
    """Give what a log's scrubber shows; in the players' view, and before the fight begins, there is none."""
    encounter = seat.encounter
    if seat.players or encounter._state.stage == "setup":
        return {"events": 0, "at": None}
    present = encounter._timeline.present
    way = ("", 0)
    if seat.seq is not None:
        way = seat.chronicle.trail.way(seat.seq, present.first if present is not None else 0)
    return {
        "events": len(encounter._events),
        "at": seat.seq,
        "label": seat.now.clock.label,
        "way": list(way) if way[0] else None,
        "branch": encounter.id,
        "branches": list(seat.family),
    }
