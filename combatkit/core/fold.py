"""Folding a whole log, and the sheet everybody was added with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

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
    """Return the event that added each combatant, with the sheet they last came with, as a fight begins with it."""
    added: dict[str, Event] = {}
    for event in standing(log):
        if event.kind == "combatant":
            who, data = event.actor or "", event._data
            anew = data.get("returns") or "edited" in data  # somebody added before, with a new sheet
            added[who] = _as_first_added(added[who], event) if anew else event
    return added


def _as_first_added(first: Event, now: Event) -> Event:
    """Return the event that added somebody, with a later sheet; where they stood and what they had left stays out."""
    sheet = {key: now._data[key] for key in ("side", "group", "npc", "stats")}
    stats, held = now._data["stats"], now._data["vitals"]
    vitals = {vital: stats[vital] for vital in held if vital in stats}
    return replace(first, data={**first._data, **sheet, "vitals": vitals})
