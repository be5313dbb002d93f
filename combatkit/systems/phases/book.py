"""What the actions of the list ``book`` do: the source names them without a price."""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.core.model import Act
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Mechanism, Objection, Stage
from combatkit.rules.draft import Draft
from combatkit.text import Said, Title, say

_VALUES = ("ocv", "dcv")


def check_levels(case: Case) -> Iterable[Objection]:
    """Refuse to put levels into anything but OCV and DCV, or to take any out of them."""
    given = case.params.get("modifiers", {})
    if type(given) is int or any(id not in _VALUES or number < 0 for id, number in given.items()):
        raise InvalidInput(f'{case.action.id}: modifiers is {given!r}; give levels by value, as {{"ocv": 2, "dcv": 1}}')
    yield from ()


def assign(draft: Draft, act: Act) -> Act:
    """Put combat levels where they are wanted, and take them out everywhere else."""
    action = draft.actions[act.action]
    id, given = action.facts["begins"], {id: number for id, number in act.params["modifiers"].items() if number}
    draft.end_effects(act.who, id)
    if given:
        draft.effect(act.who, id, modifiers=given, rule=action.rule)
    return act


def said_of_levels(case: Case) -> Said:
    """Return the words for where somebody's combat levels go."""
    given, does = case.params["modifiers"], case.action.said()
    levels = [say("levels.one", value=Title(id.upper()), number=given[id]) for id in _VALUES if given.get(id)]
    return say("levels.assigns", does=does, levels=levels) if levels else say("levels.none", does=does)


DEEDS: dict[str, Mechanism] = {"levels": Mechanism(check_levels, (Stage("levels", assign),))}
"""The mechanisms of the list, by the name that ``does`` uses."""
