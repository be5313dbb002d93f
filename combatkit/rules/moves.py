"""Going somewhere else: the way that was said, and standing where it leads."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.core.model import Act
from combatkit.rules.draft import Draft
from combatkit.text import say


def way_of(params: Mapping[str, Any]) -> list[Any]:
    """Return where an action leads, place by place; empty if nothing is said."""
    to = params.get("to")
    if to is None:
        return []
    return [to] if isinstance(to, str) or isinstance(to[0], int) else list(to)


def stand(draft: Draft, act: Act, rules: tuple[str, ...]) -> Act:
    """Stand where an action leads, by these rules, if that was said."""
    way, spot = way_of(act.params), draft.fighter(act.who).position
    here = list(spot) if isinstance(spot, tuple) else spot  # an event holds lists, not tuples
    if way and way[-1] != here:
        data = {"from": here, "to": way[-1]}
        text = say("move.goes", origin=said_spot(here), to=said_spot(way[-1]))
        draft.emit("move", act.who, act.action, text=text, rules=rules, data=data)
    return act


def said_spot(spot: Any) -> str:
    """Return a place as it stands in the log: a zone's name, or coordinates in parentheses; nothing for nowhere."""
    return "" if spot is None else spot if isinstance(spot, str) else f"({spot[0]}, {spot[1]})"
