"""Blows that land where nobody has said how much they do: only the table can."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from combatkit.core.model import Event
from combatkit.fight.view import View


def blow_of(log: Sequence[Event], attacker: str, struck: Container[str]) -> Event | None:
    """Return the last attack of somebody on one of those struck, in all that stands; None if there is none."""
    blows = (e for e in reversed(log) if e.kind == "attack" and e.actor == attacker and e.target in struck)
    return next(blows, None)


def is_owed(view: View, blow: Event, events: Iterable[Event]) -> bool:
    """Check whether a hit takes something off somebody, and nobody has said how much.

    Parameters
    ----------
    view : View
        The moment after it.
    blow : Event
        An attack.
    events : iterable of Event
        What is told with it.
    """
    rules, state = view.ruleset, view._state
    action, struck = rules.catalogue(state).get(blow.action or ""), state.fighters.get(blow.target or "")
    if action is None or struck is None or blow._data.get("outcome") != "hit":
        return False
    keeps = bool(rules.vitals) and struck.vitals.get(rules.vitals[0].name) is not None
    paid = any(e.kind == "damage" and e.target == blow.target and e.actor in (None, blow.actor) for e in events)
    return keeps and not paid and "attack" in action.tags and "damage" in action.takes
