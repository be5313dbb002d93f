"""A whole log folded, and with what sheet everybody was added."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from msgspec.structs import replace

from combatkit.core.evolve import evolve
from combatkit.core.model import (
    Event,
    State,
)
from combatkit.core.projection import standing


def fold(events: Iterable[Event], state: State | None = None) -> State:
    """Fold events over a state; a whole log, from the empty one, with what was undone left out."""
    if state is None:
        events, state = standing(list(events)), State()
    for event in events:
        state = evolve(state, event)
    return state


def as_added(log: Sequence[Event]) -> dict[str, Event]:
    """Return for everybody the event that added them, with the sheet they last came with, as a fight begins with it."""
    added: dict[str, Event] = {}
    for event in standing(log):
        if event.kind == "combatant":
            who = event.actor or ""
            added[who] = _as_first_added(added[who], event.data) if _is_another_sheet(event.data) else event
    return added


def _is_another_sheet(data: dict[str, Any]) -> bool:
    """Check whether somebody who was added before comes with another sheet: who returns, and who was edited."""
    return bool(data.get("returns") or "edited" in data)


def _as_first_added(first: Event, now: dict[str, Any]) -> Event:
    """Return the event that added somebody with a later sheet; where they stood and what was left of them stays out."""
    sheet = {key: now[key] for key in ("side", "group", "npc", "stats")}
    vitals = {vital: now["stats"][vital] for vital in now["vitals"]}
    return replace(first, data={**first.data, **sheet, "vitals": vitals})
