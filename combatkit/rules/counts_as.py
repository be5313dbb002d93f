"""What a logged action counts as, wherever actions are counted: frames, lanes, many fights."""

from __future__ import annotations

from typing import Literal

from combatkit.core.model import Event
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset

Column = Literal["actions", "reactions"]
"""What actions are counted under."""


def counted_as(rules: Ruleset, action: Action, event: Event, whose: str | None) -> Column | None:
    """Say what an action counts as for whoever does it.

    Parameters
    ----------
    rules : Ruleset
        The system, for what the action cost.
    action : Action
        What is done.
    event : Event
        Its event.
    whose : str or None
        Whose turn is under way.

    Returns
    -------
    str or None
        "actions" or "reactions"; None for what isn't an action of its own: one that another action carries out,
        stepping in, and a declaration or a word between turns, which costs nothing and answers nobody.
    """
    if (action.when == "own turn" and "touches" not in event._data) or not action.counts:
        return None
    if action.when == "reaction":
        return "reactions"
    if "overruled" in event._data and (action.when == "own turn" or "threat" not in event._data):
        return "actions"  # the GM's word lets somebody act out of turn: that answers nobody
    if whose is None and not event._data.get("paid"):
        return None
    cost = rules.costs.get(event._data.get("cost", ""))
    if whose == event.actor:
        return "actions"
    return None if cost is not None and cost.light else "reactions"  # what costs nothing answers nothing
