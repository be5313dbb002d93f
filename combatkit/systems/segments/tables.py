"""The steps of a round, and the tables the source leaves to users: weapon speeds, spells, attacks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from combatkit.core.model import State, Step
from combatkit.errors import InvalidInput, UnknownName, within
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.notation import read_aac0

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


# ── checking what is supplied ──

_COLUMNS: dict[str, dict[str, type]] = {
    "weapon_speeds": {"id": str, "name": str, "speed": int, "label": str},
    "spell_chart": {
        "id": str,
        "order": int,
        "half": str,
        "spell": str,
        "kind": str,
        "min": int,
        "max": int,
        "label": str,
    },
    "attack_tables": {"id": str, "table": str, "row": str, "aac0": object, "label": str},
    "attributes": {"id": str, "implies": list, "label": str},
}
_NEEDED = {
    "weapon_speeds": ("id", "speed"),
    "spell_chart": ("id", "order"),
    "attack_tables": ("id", "table", "row", "aac0"),
    "attributes": ("id", "implies"),
}


def check_rows(table: str, given: Iterable[Mapping[str, Any]]) -> None:
    """Check the rows of one of this system's tables.

    Raises
    ------
    UnknownName
        For a column the table does not have.
    InvalidInput
        For a value that is missing or of the wrong kind.
    """
    columns = _COLUMNS[table]
    for row in given:
        where = f"table {table}, {row.get('id')!r}"
        for name, value in row.items():
            if name not in columns:
                raise UnknownName.of(f"column of {table}", name, columns)
            if not isinstance(value, columns[name]) or (type(value) is bool and columns[name] is int):
                raise InvalidInput(f"{where}: {name} is {value!r}; give {_WORDS[columns[name]]}")
        for name in _NEEDED[table]:
            if name not in row:
                raise InvalidInput(f"{where}: {name} is missing")
        if row.get("half", "HIGH") not in ("HIGH", "LOW"):
            raise InvalidInput(f"{where}: half is {row['half']!r}; it is HIGH or LOW")
        if row.get("speed", 0) < 0:
            raise InvalidInput(f"{where}: speed is {row['speed']}; give a whole number from 0")
        if "aac0" in row:
            with within(where):
                read_aac0(row["aac0"])
        if row.get("table", "class") not in ("class", "monster"):
            raise InvalidInput(f"{where}: table is {row['table']!r}; it is class or monster")


_WORDS: dict[type, str] = {str: "text", int: "a whole number", list: "a list"}
