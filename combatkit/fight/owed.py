"""Blows that land where nobody has said how much they do: only the table can."""

from __future__ import annotations

from collections.abc import Container, Iterable, Sequence

from combatkit.core.model import Event
from combatkit.core.timeline import MOVES, Line
from combatkit.fight.view import View
from combatkit.rules.vitals import DEAD, DOWN, TEMPORARY


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
    paid = any(e.kind == "damage" and e.target == blow.target and e.actor in (None, blow.actor) for e in events)
    return not paid and takes(view, blow)


def takes(view: View, blow: Event) -> bool:
    """Check whether an attack is a hit that takes something off somebody who is there, and has it to lose."""
    rules, struck = view.ruleset, view._state.fighters.get(blow.target or "")
    if struck is None or not _hits(view, blow):
        return False
    return bool(rules.vitals) and struck.vitals.get(rules.vitals[0].name) is not None


def _hits(view: View, blow: Event) -> bool:
    action = view.ruleset.catalogue(view._state).get(blow.action or "")
    if action is None or blow._data.get("outcome") != "hit":
        return False
    return "attack" in action.tags and "damage" in action.takes


class Unsaid:
    """The hits of a whole fight for which nobody has said how much they take, read on as its log grows.

    What a hit takes is said by its own deed, by whoever says how much (of the oldest hit first), by the GM's word on
    whoever is hit, and by their fall: then nothing is left to ask.
    """

    def __init__(self) -> None:
        self._line = Line()
        self._marks: list[Event] = []
        self._deeds: dict[str | None, int] = {}
        self._found: list[tuple[int, Event]] = []

    def read(self, fight: View) -> list[Event]:
        """Return the hits, the oldest first; of those of one deed at one target, the first."""
        new = fight._events[self._line.count :]
        for event in new:
            self._line.take(event)
            if event.kind in _READ:
                self._marks.append(event)
        if any(event.kind in MOVES for event in new):
            self._deeds, self._found = {}, []
            new = [event for event in self._marks if self._line.holds(event.seq)]
        for event in new:
            self._take(fight, event)
        found: dict[tuple[int, str | None, str | None], Event] = {}
        for deed, hit in self._found:
            found.setdefault((deed, hit.actor, hit.target), hit)
        return [*found.values()]

    def _take(self, fight: View, event: Event) -> None:
        if event.kind == "action":
            self._deeds[event.actor] = event.seq
        elif event.kind == "attack":
            if _hits(fight, event):
                self._found.append((self._deeds.get(event.actor, 0), event))
        elif event.kind == "damage" and event.actor is not None:
            of = [deed for deed, hit in self._found if (hit.actor, hit.target) == (event.actor, event.target)]
            if of:
                said = (of[0] if event.by == "gm" else of[-1], event.actor, event.target)
                self._found = [each for each in self._found if (each[0], each[1].actor, each[1].target) != said]
        elif _settles(event):
            self._found = [(deed, hit) for deed, hit in self._found if hit.target != event.target]


_READ = ("action", "attack", "damage", "vital", "effect")


def _settles(event: Event) -> bool:
    """Check whether after an event nothing is left to say of what somebody has lost by the hits before."""
    if event.kind == "effect":
        return event._data.get("id") in (DOWN, DEAD)
    if event.by != "gm" or event._data.get("vital") == TEMPORARY:
        return False
    return event.kind == "damage" or (event.kind == "vital" and (event.amount or 0) < 0)
