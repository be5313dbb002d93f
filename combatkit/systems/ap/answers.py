"""What can be a reaction, by the list of actions, and which reactions somebody could take now."""

from __future__ import annotations

from typing import NamedTuple

from combatkit.core.model import Fighter, Lookup, State
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Catalogue
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.ap.actions import is_counted, still_due
from combatkit.systems.ap.modes import in_range
from combatkit.systems.ap.openings import takers

Means = tuple[int, frozenset[str], bool, bool]
"""What somebody has to answer with: points and conditions; whether only Reactions are open, no Secondary Action; and
whether the attacks of the round are spent.
"""


class Reactive(NamedTuple):
    """Which actions of a list can be reactions.

    Answers to any threat, Reactions first; those with a limited reach, of their own or with a weapon; those that take
    an opening; the conditions that answers need or free from; the tag of what some answer; those against
    enemies only; and what was worked out for somebody, by what it rests on.
    """

    answers: tuple[Action, ...]
    ranged: tuple[Action, ...]
    armed: tuple[Action, ...]
    takers: tuple[Action, ...]
    needed: frozenset[str]
    against: dict[str, str]
    foes: frozenset[str]
    known: dict[Means, tuple[str, ...]]


def _sort_out(catalogue: Catalogue[Action]) -> Reactive:
    taking = takers(catalogue)
    found = sorted(
        (a for a in catalogue if "reaction" in a.when and a not in taking), key=lambda a: a.cost != "reaction"
    )
    ranged = tuple(a for a in found if "range" in a.facts or "modes" in a.facts)
    needed = frozenset(id for a in found for id in (*a.requires, *a.facts.get("frees", ())))
    armed = tuple(a for a in found if a in ranged or ("attack" in a.tags and "weapon" in a.takes))
    foes = frozenset([a.id for a in found if "foes" in a.facts])
    against = {a.id: a.facts["against"] for a in found if "against" in a.facts}
    return Reactive(tuple(found), ranged, armed, taking, needed, against, foes, {})


reactive_of = Lookup(_sort_out)
"""What of a list of actions can be a reaction."""


def answers_of(fighter: Fighter, reactive: tuple[Action, ...], means: Means) -> tuple[str, ...]:
    """Return what somebody can answer a threat with."""
    left, held, only, spent = means
    return tuple(
        a.id
        for a in reactive
        if max(1, still_due(fighter, a)) <= left
        and not (only and a.cost == "secondary")
        and not (spent and is_counted(a))
        and held.issuperset(a.requires)
        and not ("frees" in a.facts and held.isdisjoint(a.facts["frees"]))
    )


def too_far(rules: Ruleset, state: State, who: str, by: str, ranged: tuple[Action, ...]) -> tuple[str, ...]:
    """Return the answers to an action that don't reach whoever they would strike: who does it."""
    fighter = state.fighters[who]
    return tuple(a.id for a in ranged if not in_range(Case(rules, state, fighter, a), by))
