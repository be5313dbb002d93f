"""The columns of every frame, in order, with their types: the same for all systems, so that frames stack.

Closed vocabularies are Enums; names, and what a plug-in can add to (systems, actions, slots, phases), are String.
Scores are Float64, since a system may have halves; every other number is Int64. A phase is text, because some systems
number their phases and others name them.
"""

from __future__ import annotations

from combatkit.core.model import EVENT_KINDS
from combatkit.frames import pl

KIND = pl.Enum(EVENT_KINDS)
"""What an event can be."""

BY = pl.Enum(["player", "gm", "rules"])
"""Whose doing an event is."""

SOURCE = pl.Enum(["seeded", "table"])
"""Where the faces of a roll come from."""

_FIGHT: dict[str, pl.DataType] = {"encounter": pl.String(), "system": pl.String()}
_WHEN: dict[str, pl.DataType] = {"round": pl.Int64(), "phase": pl.String(), "step": pl.Int64()}
_WHOSE: dict[str, pl.DataType] = {
    "combatant": pl.String(),
    "side": pl.String(),
    "initiative": pl.Float64(),
    "place": pl.Int64(),
}

EVENTS = pl.Schema(
    {
        **_FIGHT,
        "seq": pl.Int64(),
        **_WHEN,
        "clock": pl.String(),
        "seconds": pl.Float64(),
        "kind": KIND,
        "actor": pl.String(),
        "action": pl.String(),
        "target": pl.String(),
        "amount": pl.Int64(),
        "text": pl.String(),
        "note": pl.String(),
        "rules": pl.List(pl.String()),
        "by": BY,
        "undone": pl.Boolean(),
    }
)
"""One row per event."""

ROLLS = pl.Schema(
    {
        **_FIGHT,
        "seq": pl.Int64(),
        **_WHEN,
        "actor": pl.String(),
        "purpose": pl.String(),
        "notation": pl.String(),
        "faces": pl.List(pl.Int64()),
        "modifier": pl.Int64(),
        "total": pl.Int64(),
        "needed": pl.Int64(),
        "outcome": pl.String(),
        "source": SOURCE,
    }
)
"""One row per roll in effect."""

TURNS = pl.Schema(
    {
        **_FIGHT,
        **_WHEN,
        "turn": pl.Int64(),
        **_WHOSE,
        "began_seq": pl.Int64(),
        "ended_seq": pl.Int64(),
        "actions": pl.Int64(),
        "reactions": pl.Int64(),
        "real_seconds": pl.Float64(),
    }
)
"""One row per turn taken."""

ROUNDS = pl.Schema(
    {
        **_FIGHT,
        "round": pl.Int64(),
        "seconds": pl.Float64(),
        **_WHOSE,
        "acted": pl.Boolean(),
        "surprised": pl.Boolean(),
        "actions": pl.Int64(),
        "reactions": pl.Int64(),
        "budget_total": pl.Int64(),
        "budget_spent": pl.Int64(),
        "damage_dealt": pl.Int64(),
        "damage_taken": pl.Int64(),
        "vital_end": pl.Int64(),
        "conditions": pl.List(pl.String()),
    }
)
"""One row per combatant and round."""

BUDGETS = pl.Schema(
    {
        **_FIGHT,
        "round": pl.Int64(),
        "phase": pl.String(),
        "combatant": pl.String(),
        "slot": pl.String(),
        "total": pl.Int64(),
        "spent": pl.Int64(),
    }
)
"""One row per combatant, slot and refresh."""

SCHEMAS = {"events": EVENTS, "rolls": ROLLS, "turns": TURNS, "rounds": ROUNDS, "budgets": BUDGETS}
"""The schema of every frame, by its name."""

ABOUT = {
    "events": "an event",
    "rolls": "a die roll",
    "turns": "a turn taken",
    "rounds": "a combatant in a round",
    "budgets": "a slot as it was filled, by combatant",
}
"""What a row of each frame is."""
