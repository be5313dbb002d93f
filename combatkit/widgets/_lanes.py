"""One fight as a lane on the clock of game seconds: who acted when, who waited, what was refused then and why."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cached_property
from typing import Literal, NamedTuple

from msgspec.structs import replace

from combatkit.core.model import Event, Step
from combatkit.core.timeline import TURN_ENDS, in_turns, standing
from combatkit.fight.fight import Encounter
from combatkit.report.shapes import Deeds, LaneView, Moment
from combatkit.report.words import clock_time, reason_parts
from combatkit.rules.counts_as import counted_as
from combatkit.rules.shapes import Parts
from combatkit.simulation.wishes import Wish, wishes
from combatkit.widgets._end_view import victory, winner
from combatkit.widgets._fit import noted

_WAITS = ("waits", "delayed")


class Spell(NamedTuple):
    """A turn on the clock: when it begins and how wide it is drawn, its first event and its last, whose it was.

    One given up by a delay is not `taken`, and has no row in the history's turns.
    """

    at: float
    width: float
    first: int
    last: int
    who: str
    taken: bool


class Look(NamedTuple):
    """What is seen at the end of a turn: the clock's words, who has won, who had yet to act, what else was wished."""

    label: str
    wins: str
    waits: list[str]
    wishes: list[Wish]


class Lane:
    """Reads one encounter for a `Comparison`, and keeps what it has seen of turns that are over.

    Parameters
    ----------
    encounter : Encounter
        The fight.
    length : float, optional
        Game seconds a round takes, for a system that fixes none.
    """

    def __init__(self, encounter: Encounter, length: float | None = None) -> None:
        self.encounter = encounter
        self.length = length
        self._looks: dict[tuple[int, int], Look] = {}

    @property
    def is_fixed(self) -> bool:
        """Whether the rules say how long a round is: then the clock has seconds, once it runs."""
        rules, state = self.encounter.ruleset, self.encounter._state
        return rules.clock(replace(state, round=1, step=0)).seconds is not None

    @property
    def round_seconds(self) -> float:
        """Game seconds a round takes in the history."""
        return sum(step.length for step in self.schedule) or 1

    @property
    def schedule(self) -> tuple[Step, ...]:
        """The steps of an ordinary round."""
        return self.encounter.ruleset.schedule(replace(self.encounter._state, round=1))

    def view(self, sides: dict[str, int], span: float) -> LaneView:
        """Return the lane as plain data, up to so many seconds; see ``docs/wire.md``.

        Parameters
        ----------
        sides : dict of str to int
            Every side's number.
        span : float
            Where the clock ends.

        Returns
        -------
        dict
            What a front end draws.
        """
        enc = self.encounter
        side_of = {name: sides[fighter.side] for name, fighter in enc._state.fighters.items()}
        reading = _Reading(self)
        spells = [spell for spell in reading.spells if spell.at < span]
        marks: dict[str, Deeds] = {
            str(side): {"turns": [], "actions": [], "reactions": []} for side in sorted({*side_of.values()})
        }
        whys: list[Parts] = []
        moments: list[Moment] = []
        counts: Counter[str] = Counter(turns=0, actions=0, attacks=0, reactions=0)
        for number, spell in enumerate(spells):
            first = spell.first if number else 0
            done = [deed for deed in reading.deeds if first <= deed[0].seq < reading.end_of(spell)]
            step = spell.width * 0.7 / (len(done) + 1)
            for index, (event, kind) in enumerate(done, 1):
                at = round(spell.at + step * index, 2)
                counts[kind] += 1
                if kind != "attacks":
                    marks[str(side_of[event.actor or ""])][kind].append(at)
            if spell.taken:
                counts["turns"] += 1
                marks[str(side_of[spell.who])]["turns"].append(spell.at)
            look = self._look(spell)
            asked: list[list[object]] = [
                [title, None if ruling.allowed else noted(whys, reason_parts(ruling.reason, ruling.rule))]
                for title, ruling in look.wishes
            ]
            moments.append(
                {
                    "t": spell.at,
                    "label": look.label,
                    "who": spell.who,
                    "side": side_of[spell.who],
                    "waits": look.waits,
                    "wishes": asked,
                    "sums": [counts[kind] for kind in _SUMS],
                }
            )
        rounds = reading.starts("round", span)
        result, ends = self._result(reading, spells, sides, span)
        return {
            "system": enc.ruleset.id,
            "encounter": enc.id,
            "label": enc.clock.label,
            "rounds": rounds,
            "steps": reading.starts("step", span),
            "rests": reading.rests(span),
            "marks": marks,
            "moments": moments,
            "whys": whys,
            "sums": [counts[kind] for kind in _SUMS],
            "caption": self._caption(len(rounds)),
            "result": result,
            "ends": ends,
            "length": None if self.is_fixed else self.length or self.round_seconds,
        }

    def _caption(self, rounds: int) -> Parts:
        word = self.encounter.ruleset.round_title.lower() + ("" if rounds == 1 else "s")
        length = self.length or self.round_seconds
        fixed = f"{rounds} {word} of {length:g} s"
        words = fixed if self.is_fixed else f"{rounds} {word}, {length:g} s each: the rules fix no length"
        return reason_parts(words, self.encounter.ruleset.cite.get("length", ""))

    def _result(
        self, reading: _Reading, spells: list[Spell], sides: dict[str, int], span: float
    ) -> tuple[Parts, float | None]:
        """Return who won and in which part of a round, in words, and where in it the lane ends."""
        if self.encounter._state.stage == "setup":
            return [], None
        looks = [self._look(spell) for spell in spells]
        wins = looks[-1].wins if looks else ""
        if not wins:
            late = reading.now >= span
            return [f"nobody has won by {clock_time(span)}" if late else "nobody has won yet"], span if late else None
        first = next(n for n in range(len(looks)) if all(look.wins == wins for look in looks[n:]))
        spell, label = spells[first], looks[first].label
        parts: Parts = [{"side": sides[wins] % 8}, " ", {"strong": victory(wins)}]
        parts.append(f" in {label}, begun at {clock_time(reading.began(spell))}")
        return parts, round(spell.at + spell.width * 0.7, 2)

    def _look(self, spell: Spell) -> Look:
        key = (spell.first, spell.last)
        if key not in self._looks:
            view = self.encounter.at(spell.last)
            waits = dict.fromkeys(r.combatant for r in view.order if r.status in _WAITS and r.combatant != spell.who)
            asked = wishes(view, spell.who) if view.active == spell.who and not view.pending else []
            self._looks[key] = Look(view.clock.label, winner(view.ruleset, view._state), list(waits), asked)
        return self._looks[key]


_SUMS = ("turns", "actions", "attacks", "reactions")
"""What is counted, in this order; actions and reactions as the history tells them apart."""


_Deed = tuple[Event, Literal["actions", "attacks", "reactions"]]


class _Reading:
    """An encounter's log and history as they stand, read once."""

    def __init__(self, lane: Lane) -> None:
        enc = lane.encounter
        self._enc = enc
        self._schedule = lane.schedule
        self._scale = 1 if lane.length is None else lane.length / lane.round_seconds
        self._seconds: list[float] = [seconds or 0 for seconds in enc.history.events["seconds"].to_list()]
        self._valid = list(in_turns(standing(enc._events)))
        self._after = len(enc._events) + 1

    @cached_property
    def spells(self) -> list[Spell]:
        """Every turn begun, including those given up, spread over the step it fell in."""
        taken = set(self._enc.history.turns["began_seq"].to_list())
        begun = self._begun()
        together = Counter(self._when(event) for event, _ in begun)
        places = len(self._enc._state.agenda)
        seen: Counter[float] = Counter()
        found: list[Spell] = []
        for event, end in begun:
            start = self._when(event)
            width = (self._next(start) - start) / max(together[start], places)
            at = round((start + width * (seen[start] + 0.2)) * self._scale, 2)
            seen[start] += 1
            who = event.actor or ""
            found.append(Spell(at, width * self._scale, event.seq, end - 1, who, event.seq in taken))
        return found

    def end_of(self, spell: Spell) -> int:
        """Return the number of the event after a turn and what came before the next."""
        return next((s.first for s in self.spells if s.first > spell.first), self._after)

    @cached_property
    def deeds(self) -> list[_Deed]:
        """Actions and reactions as the history tells them apart, and attacks, whoever's turn it was.

        What a reaction carries out, such as a readied attack, counts as that reaction and nothing else.
        """
        found: list[_Deed] = []
        catalogue = self._enc.ruleset.catalogue(self._enc._state)
        for event, turn in self._valid:
            if event.kind == "action":
                action = catalogue[event.action or ""]
                if "attack" in action.tags:
                    found.append((event, "attacks"))
                column = counted_as(self._enc.ruleset, action, event, None if turn is None else turn.actor)
                if column is not None:
                    found.append((event, column))
        return found

    @property
    def now(self) -> float:
        """When it is."""
        return self._seconds[-1] * self._scale

    def began(self, spell: Spell) -> float:
        """Return when the step began that a turn fell in."""
        return self._seconds[spell.first - 1] * self._scale

    def starts(self, kind: str, span: float) -> list[float]:
        """Return when the events of a kind happened, each moment once."""
        found = sorted({self._when(event) for event, _ in self._valid if event.kind == kind})
        return [t for start in found if (t := round(start * self._scale, 2)) < span]

    def rests(self, span: float) -> list[float]:
        """Return when a step that calls nobody and takes no time followed others of its round."""
        idle = {step.id for step in self._schedule if not step.turns and not step.length and step.seconds}
        found = [self._when(e) for e, _ in self._valid if e.kind == "step" and e._data["id"] in idle]
        return [t for start in found if (t := round(start * self._scale, 2)) <= span]

    def _when(self, event: Event) -> float:
        return self._seconds[event.seq - 1]

    def _next(self, start: float) -> float:
        """Return when the step after the one that begins at `start` begins."""
        return next((t for t in self._borders if t > start), start + 1)

    @cached_property
    def _borders(self) -> Sequence[float]:
        enc, state = self._enc, self._enc._state
        known = {self._when(event) for event, _ in self._valid if event.kind in ("round", "step")}
        known |= {state.began + step.seconds for step in enc.ruleset.schedule(state)}
        return sorted(known | {enc.ruleset.round_seconds(state, (state.round or 0) + 1)})

    def _begun(self) -> list[tuple[Event, int]]:
        """Return the turns in the order they began, each with the number of the event that ended it."""
        ends = {turn.seq: event for event, turn in self._valid if turn is not None and event.kind in TURN_ENDS}
        begun = [(event, ends.get(event.seq)) for event, _ in self._valid if event.kind == "turn"]
        return [(e, end.seq if end else self._after) for e, end in begun if end is None or end.kind != "turn_back"]
