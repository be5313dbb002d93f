"""What of a log holds: undo and redo strike events and take the stroke off again, and are themselves in the log."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from combatkit.engine.model import Event


def undone(events: Iterable[Event]) -> set[int]:
    """Give the numbers of the events that are undone at the end of a log."""
    struck: set[int] = set()
    for event in events:
        if event.kind in ("undo", "redo"):
            change = struck.update if event.kind == "undo" else struck.difference_update
            for first, last in event.data["calls"]:
                change(range(first, last + 1))
    return struck


def effective(events: Sequence[Event]) -> list[Event]:
    """Give the events that hold, without the undoing and redoing that led to them."""
    struck = undone(events)
    return [event for event in events if event.kind not in ("undo", "redo") and event.seq not in struck]
