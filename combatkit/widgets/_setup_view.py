"""What setting a fight up needs, as plain data: who is in, and what may be typed of somebody new."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Literal

from combatkit.core.model import Fighter, State
from combatkit.report.words import sides_view
from combatkit.rules.catalogue import Stat
from combatkit.rules.ruleset import Ruleset
from combatkit.widgets._fit import first
from combatkit.widgets._shelf import party_of
from combatkit.widgets.shapes import Member, Setup
from combatkit.widgets.shapes import Stat as ShownStat

_TYPED: dict[str, Literal["int", "text", "list", "bool", "either"]] = {
    "int": "int",
    "text": "text",
    "list": "list",
    "bool": "bool",
    "int|text": "either",
    "text|int": "either",
}
"""Kinds of stats that can be typed into a box, and as what: mappings cannot."""

_MANY = 110_000
"""So many bytes the list of combatants takes."""


def setup_view(rules: Ruleset, state: State, sides: dict[str, int], mode: str) -> Setup:
    """Return what the set-up shows; in play, what is asked of somebody who joins."""
    typed = [stat for stat in rules.stats if is_typed(stat)]
    setup: Setup = {"stats": [shown_stat(stat) for stat in typed], "sides": sides_view(sides)}
    party = party_of(state) if mode in ("setup", "over") else ""
    if party:
        setup["party"] = party
    if mode == "setup":
        members = (_member(rules, typed, fighter, sides) for fighter in state.fighters.values())
        setup["combatants"] = first(members, _MANY)
    return setup


def is_typed(stat: Stat) -> bool:
    """Check whether a stat can be typed into a box."""
    return stat.type in _TYPED and not stat.parts


def shown_stat(stat: Stat) -> ShownStat:
    """Return what a form asks of a stat."""
    low, high = stat.range or (None, None)
    shown: ShownStat = {
        "id": stat.id,
        "title": stat.title or stat.id.replace("_", " ").capitalize(),
        "type": _TYPED[stat.type],
        "default": plain_value(stat.default),
        "min": low,
        "max": high,
        "vital": stat.vital,
    }
    if stat.vital or type(stat.example) is int:  # as in a roster to begin with
        shown["first"] = True
    return shown


def _member(rules: Ruleset, typed: list[Stat], fighter: Fighter, sides: dict[str, int]) -> Member:
    stats = {stat.id: plain_value(fighter.stats.get(stat.id, stat.default)) for stat in typed}
    return {
        "name": fighter.name,
        "side": sides[fighter.side],
        "npc": fighter.npc,
        "summary": member_summary(rules, fighter),
        "stats": {stat.id: stats[stat.id] for stat in typed if stats[stat.id] != plain_value(stat.default)},
        "surprised": fighter.effect("surprised") is not None,
    }


def plain_value(value: Any) -> Any:
    """Return a stat's value as plain data."""
    return list(value) if isinstance(value, tuple) else value


def member_summary(rules: Ruleset, fighter: Fighter) -> str:
    """Return the stats in which a combatant differs from the usual."""
    words = []
    for stat in rules.stats:
        value = fighter.stats.get(stat.id)
        if value is None or value == stat.default or value == ():
            continue
        if isinstance(value, (tuple, list)):
            words.append(
                ", ".join(str(each.get("name", each) if isinstance(each, Mapping) else each) for each in value)
            )
        else:
            words.append(f"{stat.id.replace('_', ' ')} {value}")
    return " · ".join(words)


def _called(entry: Any) -> str:
    return str(entry.get("name", entry) if isinstance(entry, Mapping) else entry)
