"""What of a log holds: undo and redo strike events and take the stroke off again, and are themselves in the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from combatkit.engine.model import Event


def undone(events: Iterable[Event]) -> set[int]:
    """Give the numbers of the events that are undone at the end of a log."""
    struck: set[int] = set()
    for event in events:
        if event.kind in ("undo", "redo"):
            calls = {seq for first, last in event.data["calls"] for seq in range(first, last + 1)}
            struck = struck | calls if event.kind == "undo" else struck - calls
    return struck


def effective(events: Sequence[Event]) -> list[Event]:
    """Give the events that hold, without the undoing and redoing that led to them."""
    struck = undone(events)
    return [event for event in events if event.kind not in ("undo", "redo") and event.seq not in struck]
