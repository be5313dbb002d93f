"""What calls did to people, made from their events: every blow, every loss, and who fell."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from typing import NamedTuple

from combatkit.core.model import Act, Event, Window
from combatkit.core.past import Call, Moment


class Strike(NamedTuple):
    """All that somebody dealt somebody, blow by blow; whether it `answers` what another does, and by which action."""

    who: str
    whom: str
    blows: tuple[Event, ...]
    answers: str = ""


class Suffered(NamedTuple):
    """What somebody went through: the strikes at them, what they lost, how they fell and, it may be, got up again."""

    who: str
    strikes: tuple[Strike, ...]
    losses: tuple[Event, ...]
    falls: tuple[Event, ...]

    @property
    def lost(self) -> dict[str, int]:
        """The sum that was lost of each vital; damage of which nobody said to what is of the first, called ``""``."""
        sums: dict[str, int] = {}
        for event in self.losses:
            vital = str(event._data.get("vital", ""))
            sums[vital] = sums.get(vital, 0) + abs(event.amount or 0)
        return sums


def exchange(moment: Moment, call: Call, last: int) -> list[Event]:
    """Return the events of a call up to one of them, with those before it that a window it answers has waited for.

    Whoever answers an attack, and what the attack came to in the end, are told together however many calls it took.

    Parameters
    ----------
    moment : Moment
        Where the fight stands.
    call : Call
        The call.
    last : int
        The last event that counts.
    """
    calls, start = [call], call.first
    before = moment.before(call)
    waits = next((i for i, each in enumerate(before.state.focus) if _stops(each)), None) if before else None
    if before is not None and waits is not None:
        below, window = before.state.focus[waits - 1] if waits else None, before.state.focus[waits]
        assert isinstance(window, Window)
        start = below.seq if isinstance(below, Act) else window.seq
    while before is not None and calls[-1].first > start:
        calls.append(before)
        before = moment.before(before)
    return [
        event
        for each in reversed(calls)
        for event in moment.tape.events[each.first - 1 : each.last]
        if start <= event.seq <= last
    ]


def _stops(frame: object) -> bool:
    return isinstance(frame, Window) and not frame.soft


def suffered(events: Sequence[Event], falling: Collection[str]) -> list[Suffered]:
    """Return what each person went through, in the order in which it came to them.

    Parameters
    ----------
    events : sequence of Event
        Those that are told.
    falling : collection of str
        The conditions of those who have fallen.
    """
    people: dict[str, Suffered] = {}
    for event in events:
        name = event.target or ""
        if name and (event.kind == "attack" or is_loss(event) or is_fall(event, falling)):
            people.setdefault(name, Suffered(name, (), (), ()))
    answers = {(e.actor, e.action) for e in events if e.kind == "answer" and e.action}
    for name in people:
        losses = tuple(e for e in events if e.target == name and is_loss(e))
        falls = tuple(e for e in events if e.target == name and is_fall(e, falling))
        standing = [e for e in falls if e.kind == "effect"]
        people[name] = Suffered(name, tuple(_strikes(events, name, answers)), losses, falls if standing else ())
    return [each for each in people.values() if each.strikes or each.losses or each.falls]


def _strikes(
    events: Sequence[Event], whom: str, answers: Collection[tuple[str | None, str | None]]
) -> Iterator[Strike]:
    blows: dict[tuple[str, str], list[Event]] = {}
    for event in events:
        if event.kind == "attack" and event.target == whom:
            answer = str(event.action) if (event.actor, event.action) in answers else ""
            blows.setdefault((event.actor or "", answer), []).append(event)
    for (who, answer), each in blows.items():
        yield Strike(who, whom, tuple(each), answer)


def is_loss(event: Event) -> bool:
    """Check whether an event tells of a loss, even of nothing by a blow that armor stops."""
    return event.kind == "damage" or (event.kind == "vital" and (event.amount or 0) < 0)


def is_fall(event: Event, falling: Collection[str]) -> bool:
    """Check whether somebody falls by an event, or gets up again."""
    return event.kind in ("effect", "effect_end") and event._data.get("id") in falling
