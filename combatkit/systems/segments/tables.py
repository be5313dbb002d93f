"""The steps of a round, and the tables the source leaves to users: weapon speeds, spells, attacks."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.core.model import State, Step
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset

SEGMENTS = 10
"""The segments of a round."""

STEPS = (
    Step("declare", "Declare", 1, segment=1, turns=False, occasion=True, stops=True),
    Step("initiative", "Group initiative", 2, segment=1, turns=False),
    Step("fast", "Fast actions", 3, segment=1, stage=8, occasion=False),
    Step("multi", "Multi-attack", 4, segment=2, seconds=6, stage=7, occasion=False),
    Step("high", "HIGH", 5, "HIGH", 3, seconds=12, stage=6, occasion=False),
    Step("low", "LOW", 5, "LOW", 5, seconds=24, stage=5, occasion=False),
    Step("remaining", "Remaining attacks", 6, segment=7, seconds=36, stage=4, occasion=False),
    Step("spells", "Spells", 7, segment=8, seconds=42, stage=3, occasion=False),
    Step("end", "End of the round", 8, segment=10, seconds=54, length=60, stage=2, occasion=False),
)
"""The steps of a round. The source does not say which segment one falls in; these are ours, so that a clock can run."""

ORDER = {
    "declare": "segments.seq.1-declare",
    "fast": "segments.seq.3-fast",
    "multi": "segments.seq.4-multi",
    "remaining": "segments.seq.6-remaining",
    "spells": "segments.seq.7-spells",
    "end": "segments.complex.go-last",
}
"""The rule that says who comes when, by step; in the two halves it is that of group initiative."""

LONGEST = 1000
"""How many segments the longest action takes."""

SPELLS = ("incantation", "invocation")


def rows(rules: Ruleset, state: State, table: str) -> list[dict[str, Any]]:
    """Return a table's rows: those supplied, or the labelled default if there are none."""
    return state.tables.get(table) or rules.tables.get(table, [])


# ── the spell chart ──


def chart_order(rules: Ruleset, state: State, action: Action, half: str, segments: int) -> int:
    """Return a spell's place on the chart, lower first; spells the chart lacks come last."""
    chart = rows(rules, state, "spell_chart")
    for row in chart:
        if _fits(row, action, half, segments):
            return int(row["order"])
    return max((int(row["order"]) for row in chart), default=0) + 1


def _fits(row: Mapping[str, Any], action: Action, half: str, segments: int) -> bool:
    return (
        row.get("half", half) == half
        and row.get("spell", action.id) == action.id
        and row.get("kind", "") in ("", *action.tags)
        and row.get("min", segments) <= segments <= row.get("max", segments)
    )
