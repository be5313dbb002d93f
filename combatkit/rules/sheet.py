"""A sheet that is changed: what becomes of stats and vitals, and how that is told."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Fighter, State
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case
from combatkit.rules.checks import check_stats
from combatkit.rules.judge import judge, ruling_of
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Said, Title, say

_TOLD = 120
"""So many characters of a value are told."""


def changed(rules: Ruleset, state: State, fighter: Fighter, given: Mapping[str, Any]) -> Fighter:
    """Return somebody with other stats; what is not given stays as it was, and None puts the default back.

    Before the fight a vital is what the sheet says. Once it has begun, a vital that is given is what is left of it now;
    the most it can be stays as it was stated, and rises to it if that is more.
    """
    stats = check_stats(rules, {**fighter.stats, **given}, fighter.name)
    vitals = dict(fighter.vitals)
    for vital in rules.vitals:
        if vital.name not in given:
            continue
        left = vitals[vital.name] = stats[vital.name]
        full = fighter.stats.get(vital.name)
        if state.stage != "setup" and left is not None and full is not None:
            stats[vital.name] = max(left, full)
    return replace(fighter, stats=stats, vitals=vitals)


def said_changes(rules: Ruleset, old: Fighter, new: Fighter, given: Mapping[str, Any]) -> list[Said]:
    """Return what is told of a changed sheet, a part for each stat that is another now."""
    said = []
    for stat in rules.stats:
        if stat.name not in given:
            continue
        before, now = (
            f.vitals.get(stat.name) if stat.vital else f.stats.get(stat.name, stat.default) for f in (old, new)
        )
        if before != now:
            named = Title(stat.name.replace("_", " "))
            template = "sheet.none" if now in (None, ()) else "sheet.now"
            said.append(say(template, stat=named, value=_words(now), was=_words(before)))
    return said


def _words(value: Any) -> str:
    """Say a stat's value shortly: of what it holds, the names."""
    if value is None or value == ():
        return ""
    if isinstance(value, (list, tuple)):
        said = ", ".join(str(each.get("name", each)) if isinstance(each, Mapping) else str(each) for each in value)
    elif isinstance(value, Mapping):
        said = ", ".join(f"{key} {each}" for key, each in value.items())
    else:
        said = {True: "yes", False: "no"}[value] if isinstance(value, bool) else str(value)
    return said if len(said) <= _TOLD else f"{said[: _TOLD - 1]}…"


def check_kept(rules: Ruleset, state: State, name: str) -> None:
    """See that what somebody keeps ready or has declared can still be weighed with a sheet that was changed.

    Raises
    ------
    InvalidInput
        If it names something that is no longer on it; it says what.
    """
    fighter = state.fighters[name]
    if not fighter.effects:
        return
    for action in rules.catalogue(state):
        case = Case(rules, state, fighter, action)
        try:
            ruling_of(case, judge(case))
        except (InvalidInput, UnknownName) as error:
            why = f"{action.title} of {name} rests on it: {short(str(error))}"
            raise InvalidInput(f"edit: {why}; use or end that first") from None
