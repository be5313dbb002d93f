"""What a goal asks for, as data: each part names one thing that can be seen in a fight."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from combatkit.core.model import Event
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.view import View

Events = tuple[Event, ...]


def _does(view: View, events: Events, who: str, action: str, target: str | None = None, times: int = 1) -> bool:
    """Check whether somebody has done something so often since the moment, and not taken it back."""
    done = [e for e in events if e.kind == "action" and (e.actor, e.action) == (who, action)]
    return sum(target in (None, e.target) for e in done) >= times


def _before(view: View, events: Events, who: str, other: str) -> bool:
    """Check whether somebody has acted, and the other has not acted before; to wait is not to act."""
    actions = view.ruleset.catalogue(view._state)
    done = [e for e in events if e.kind == "action" and "wait" not in actions[e.action or ""].tags]
    acting = [e.actor for e in done if e.actor in (who, other)]
    return acting[:1] == [who]


def _keeps(view: View, events: Events, who: str, slot: str, least: int = 1) -> bool:
    """Check whether somebody has so much left of a slot."""
    found = view.budget(who)[slot]
    return found.unlimited or found.left >= least


def _active(view: View, events: Events, who: str) -> bool:
    """Check whether it is somebody's turn."""
    return view.active == who


def _round(view: View, events: Events, least: int) -> bool:
    """Check whether a round has been reached."""
    return (view._state.round or 0) >= least


def _has(view: View, events: Events, who: str, condition: str, on: bool = True) -> bool:
    """Check whether somebody has a condition, or not."""
    return (view._fighter(who).effect(condition) is not None) is on


def _status(view: View, events: Events, who: str, status: str) -> bool:
    """Check how somebody stands in the turn order."""
    return any(rung.combatant == who and rung.status == status for rung in view.order)


KINDS: dict[str, Callable[..., bool]] = {
    "does": _does, "before": _before, "keeps": _keeps, "active": _active, "round": _round, "has": _has,
    "status": _status,
}  # fmt: skip
"""Every kind of thing that a goal can ask for."""


def met(part: Mapping[str, Any], view: View, events: Events) -> bool:
    """Check whether a part of a goal is met.

    Parameters
    ----------
    part : mapping
        Its `kind`, and what that kind takes; with ``no = true`` it must not be so.
    view : View
        The fight as it stands.
    events : tuple of Event
        What has happened since the moment and still stands.

    Raises
    ------
    InvalidInput, UnknownName
        If there is no such kind, or it takes something else.
    """
    given = {key: value for key, value in part.items() if key not in ("kind", "no", "words", "rule")}
    kind = part.get("kind", "")
    if kind not in KINDS:
        raise UnknownName.of("kind of a goal", kind, KINDS)
    try:
        return KINDS[kind](view, events, **given) is not part.get("no", False)
    except TypeError:
        raise InvalidInput(f"exercise: {kind} doesn't take {', '.join(given)}") from None
