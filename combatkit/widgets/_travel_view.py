"""The way back as plain data: which moment is looked at, what leads there, which branches there are."""

from __future__ import annotations

from typing import Any

from combatkit.widgets._seat import Seat

_MOST = 100
"""So many branches are listed."""


def travel_view(seat: Seat) -> dict[str, Any]:
    """Give what a log's scrubber shows; in the players' view, and before the fight begins, there is none."""
    encounter = seat.encounter
    if seat.players or encounter._state.stage == "setup":
        return {"events": 0, "at": None}
    line, seq = encounter._timeline, seat.seq
    way, fork = ("", 0), seq
    if seq is not None:
        present, call, state = line.present, line.now.call_at(seq), seat.now._state
        way = seat.chronicle.trail.way(seq, present.first if present is not None else 0)
        if call is not None and state.stage == "running" and state.step < 0:
            fork = call.last  # a fight that is only half begun cannot be gone on with
    return {
        "events": len(encounter._events),
        "at": seat.seq,
        "label": seat.now.clock.label,
        "way": list(way) if way[0] else None,
        "fork": fork,
        "branch": encounter.id,
        "given": seat.elsewhere,
        "branches": _few(list(seat.family), encounter.id),
    }


def _few(ids: list[str], shown: str) -> list[str]:
    """Give the ids to choose from: of very many the first, the newest, and the one that is shown."""
    if len(ids) <= _MOST:
        return ids
    few = [ids[0], *ids[1 - _MOST :]]
    return few if shown in few else [*few, shown]
