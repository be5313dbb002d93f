"""What calls did to people, made from their events: every blow, every loss, and who fell."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple

from combatkit.core.model import Act, Event, Window
from combatkit.core.timeline import Call, Moment


def harms(event: Event) -> bool:
    """Check whether damage does anything, even to somebody who has nothing left to lose."""
    return bool(event.amount or event._data.get("dealt"))


class Strike(NamedTuple):
    """All that somebody dealt somebody, blow by blow; whether it `answers` what another does, and by which action."""

    who: str
    whom: str
    blows: tuple[Event, ...]
    answers: str = ""


class Suffered(NamedTuple):
    """What somebody went through: the strikes at them, what they lost, how they fell and, it may be, got up again.

    What the rules or a deed of theirs gave back are their `gains`, and the conditions that ended with it what they rise
    from; what the GM gives is told as the GM gives it. `brought` is what else a loss put them under, as it came.
    """

    who: str
    strikes: tuple[Strike, ...]
    losses: tuple[Event, ...]
    falls: tuple[Event, ...]
    gains: tuple[Event, ...]
    brought: tuple[Event, ...] = ()
    rises: tuple[Event, ...] = ()
    usual: str = ""

    @property
    def lost(self) -> dict[str, int]:
        """The sum that was lost of each vital; damage of which nobody said to what is of the `usual` one."""
        sums: dict[str, int] = {}
        for event in self.losses:
            vital = event._data.get("vital", self.usual)
            sums[vital] = sums.get(vital, 0) + abs(event.amount or 0)
        return sums

    @property
    def gained(self) -> dict[str, int]:
        """The sum that came back of each vital."""
        sums: dict[str, int] = {}
        for event in self.gains:
            sums[event._data["vital"]] = sums.get(event._data["vital"], 0) + (event.amount or 0)
        return sums


class _Gathered:
    """What somebody went through, as it is gathered: strikes by who strikes, and in answer by what."""

    def __init__(self) -> None:
        self.strikes: dict[tuple[str, str], list[Event]] = {}
        self.losses: list[Event] = []
        self.falls: list[Event] = []
        self.gains: list[Event] = []
        self.brought: list[Event] = []
        self.rises: list[Event] = []


def exchange(moment: Moment, call: Call, last: int) -> list[Event]:
    """Return the events of a call up to one of them, with those before it that a window it answers has waited for.

    Whoever answers an attack, and what the attack came to in the end, are told together however many calls it took; so
    is how much a blow takes that had hit before.

    Parameters
    ----------
    moment : Moment
        Where the fight stands.
    call : Call
        The call.
    last : int
        The last event that counts.
    """
    log, before, start = moment.tape.events, moment.before(call), call.first
    focus = before.state.focus if before is not None else ()
    for index, frame in enumerate(focus):
        if isinstance(frame, Window) and not frame.soft:
            below = focus[index - 1] if index else None
            start = below.seq if isinstance(below, Act) else frame.seq
            break
    events = log[max(start, call.first) - 1 : min(call.last, last)]
    while before is not None and call.first > start:
        call, before = before, moment.before(before)
        events[:0] = log[max(start, call.first) - 1 : call.last]
    said = next((event for event in events if event.kind == "damage"), None)
    if before is not None and said is not None and said.by == "gm" and said.actor is not None:
        struck = exchange(moment, before, before.last)
        if any((e.kind, e.actor, e.target) == ("attack", said.actor, said.target) for e in struck):
            return [*struck, *events]
    return events


def suffered(events: Sequence[Event], falling: Collection[str], usual: str) -> list[Suffered]:
    """Return what each person went through, in the order in which it came to them.

    Parameters
    ----------
    events : sequence of Event
        Those that are told.
    falling : collection of str
        The conditions of those who have fallen.
    usual : str
        The vital that damage comes off, where nobody says which.
    """
    answers = {(event.actor, event.action) for event in events if event.kind == "answer" and event.action}
    people: dict[str, _Gathered] = {}
    before: Event | None = None
    for event in events:
        last, before = before, event
        kind, name = event.kind, event.target
        if not name:
            continue
        if kind == "attack":
            answer = str(event.action) if (event.actor, event.action) in answers else ""
            strikes = people.setdefault(name, _Gathered()).strikes
            strikes.setdefault((event.actor or "", answer), []).append(event)
        elif kind == "damage" or (kind == "vital" and (event.amount or 0) < 0):
            people.setdefault(name, _Gathered()).losses.append(event)
        elif kind == "vital" and event.by != "gm" and event.amount:
            people.setdefault(name, _Gathered()).gains.append(event)
        elif kind == "effect" and event._data.get("id") in falling:
            people.setdefault(name, _Gathered()).falls.append(event)
        elif (
            kind == "effect" and last is not None and (last.kind, last.target) == ("damage", name) and event.by != "gm"
        ):
            people[name].brought.append(event)
        elif kind == "effect_end" and name in people:
            had = people[name]
            if any(fall._data["id"] == event._data["id"] for fall in had.falls):
                had.falls.append(event)
            elif had.gains and event._data["id"] in falling:  # what has lasted longer is told apart, but for this
                had.rises.append(event)
    return [
        Suffered(
            name,
            tuple([Strike(who, name, tuple(blows), answer) for (who, answer), blows in had.strikes.items()]),
            tuple(had.losses),
            tuple(had.falls),
            tuple(had.gains),
            tuple(had.brought),
            tuple(had.rises),
            usual,
        )
        for name, had in people.items()
    ]
