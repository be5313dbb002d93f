"""Where somebody stands: squares of a metre, or places with names."""

from __future__ import annotations

from typing import Any

from combatkit.engine.draft import Draft
from combatkit.engine.model import Act, Distance, Fighter


def distance_between(a: Fighter, b: Fighter) -> Distance | None:
    """Count squares of one metre; a diagonal step counts as one, which the source leaves open."""
    if type(a.position) is not tuple or type(b.position) is not tuple:
        return None
    return Distance(max(abs(a.position[0] - b.position[0]), abs(a.position[1] - b.position[1])))


def move(draft: Draft, act: Act) -> Act:
    """Stand where the action leads, if that was said; how far that may be, the source does not tell."""
    to, here = act.params.get("to"), _plain(draft.fighter(act.who).position)
    if to is None:
        return act
    goal = to if isinstance(to, str) or isinstance(to[0], int) else to[-1]  # a path is a list of places
    if goal != here:
        origin = "" if here is None else f"from {_said(here)} "
        rules = () if isinstance(goal, str) else ("ap.map.metre",)
        data = {"from": here, "to": goal}
        draft.emit("move", act.who, act.action, text=f"goes {origin}to {_said(goal)}", rules=rules, data=data)
    return act


def _plain(spot: Any) -> Any:
    """Give a place as parameters have it: an event holds lists, not tuples."""
    return list(spot) if isinstance(spot, tuple) else spot


def _said(spot: Any) -> str:
    return spot if isinstance(spot, str) else f"({spot[0]}, {spot[1]})"
