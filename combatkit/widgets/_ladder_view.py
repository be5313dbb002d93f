"""The initiative ladder as plain data: what a rung says about whoever is on it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from operator import attrgetter
from typing import Literal

from combatkit.core.curtain import is_hidden, shows_numbers, shows_words, vital_word
from combatkit.core.limits import RUNGS
from combatkit.core.model import Effect, Fighter, Place, State, Turn
from combatkit.report.words import (
    clock_view,
    condition_said,
    condition_word,
    plain,
    reason_parts,
    sides_view,
    tie_parts,
    trigger_words,
)
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Stat
from combatkit.rules.checks import say_until, tell_until
from combatkit.rules.delays import is_beside
from combatkit.rules.judge import judge
from combatkit.rules.ladder import status_of
from combatkit.rules.params import said_trigger
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts, RungExtras
from combatkit.rules.vitals import DOWN, TEMPORARY
from combatkit.rules.windows import answers_left
from combatkit.text import signed
from combatkit.widgets._odds_view import foretold
from combatkit.widgets._proposals import aimed
from combatkit.widgets._rung_acts import rung_acts, what_is_asked
from combatkit.widgets._tokens import initials, place_of
from combatkit.widgets._tongue import as_typed
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Delay, LadderView, Row

WORDS = {"reacts": "may react", "paused": "paused"}
"""What a status is called where front ends have no word for it."""

_PAST_WORDS = {**WORDS, "now": "then"}
"""The same in the past."""

_FEW = 8
"""If no more than this may react, each says with what."""

_NAMED = 4
"""How many of the actions somebody may react with are named on a rung."""

_Where = Literal["", "top", "mid", "end"]

_TIES: dict[tuple[bool, bool], _Where] = {
    (False, False): "",
    (False, True): "top",
    (True, True): "mid",
    (True, False): "end",
}
"""A rung's place in a tie, by whether it is tied with the one above and the one below."""

_STANDS = ("now", "waits", "acted", "joining")
"""What a rung is that has nothing else to say."""

_CHIPS = 8
"""How many conditions a rung shows; it says how many more there are."""

_Known = tuple[tuple[object, ...], Row]
"""What a rung was made from, and the rung."""

_Tie = tuple[_Where, str]
"""A rung's place in a tie, and its neighbour: the one below it for the first, else the one above."""


class LadderProjector:
    """Makes the ladder's view, and keeps rows that have not changed."""

    def __init__(self) -> None:
        self._rows: dict[int, _Known] = {}

    def __call__(self, vantage: Vantage) -> LadderView:
        """Return the view of the moment a vantage looks at."""
        now = vantage.now
        rules, state = now.ruleset, now._state
        sides = vantage.sides
        turn = state.turn
        current = _current(state, turn)
        shown = _on_rung(rules)
        own = {place.who: place.id for place in sorted(state.agenda, key=attrgetter("id"), reverse=True)}
        # A further turn that is lost has no rung: what was to come in it comes no more.
        stand = [n for n, p in enumerate(state.agenda) if p.id == own[p.who] or not p.lost or p == current]
        count, at = len(stand), next((n for n, index in enumerate(stand) if state.agenda[index] == current), 0)
        start = max(0, min(at - RUNGS // 3, count - RUNGS))
        rows = self._project(vantage, rules, state, sides, stand[start : start + RUNGS], own)
        view: LadderView = {
            "system": rules.id,
            "score": rules.score_title,
            "clock": clock_view(now.clock),
            "sides": sides_view(sides),
            "words": WORDS if vantage.past is None else _PAST_WORDS,
            "current": None if current is None else str(current.id),
            "selected": None if vantage.whose == now.active else vantage.whose,
            "delay": None if vantage.looks_on else _delay(rules, state, turn),
            "players": vantage.looks_on,
            "acts": not vantage.looks_on and state.stage == "running",
            "dice": "table" if vantage.table else "seeded",
            "vitals": [[vital.name, vital.title or vital.name] for vital in shown] if len(shown) > 1 else [],
            "strips": list(rules.presentation.now(state).strips),
            "past": vantage.past is not None,
            "order": list(rows),
            "rows": rows,
        }
        struck = aimed(now) if view["acts"] else None
        if struck is not None and (rung := state.place_of(struck)) is not None:
            view["aimed"] = str(rung.id)
        if vantage.task is not None:
            view["task"] = True
        if len(rows) < count:
            view["note"] = f"{len(rows)} of {count} shown"
            view["score"] += f" · {view['note']}"
        if view["delay"] is not None:
            view["delay"]["places"] = [place for place in view["delay"]["places"] if place[0] in rows]
        return view if vantage.players else foretold(view, rules, state, sides)

    def _project(
        self,
        vantage: Vantage,
        rules: Ruleset,
        state: State,
        sides: dict[str, int],
        shown: Iterable[int],
        first: Mapping[str, int],
    ) -> dict[str, Row]:
        rows: dict[int, _Known] = {}
        agenda = state.agenda
        window = state.window
        bids = [bid for bid in window.bids if not bid.answered] if window is not None else []
        offers = {bid.who: bid for bid in bids if len(bids) <= _FEW}
        begun = window is not None and (len(bids) < len(window.bids) or bool(window.used))  # what it opens with holds
        passed, absent = vantage.passed, vantage.away
        asked = rules.presentation.now(state).roll_call if state.turn is None else None
        declared = [call["name"] for call in asked["rows"].values() if call["said"]] if asked is not None else []
        acts = {} if vantage.looks_on or state.stage != "running" else rung_acts(rules, state, passed)
        lost = {} if vantage.players else lost_in(vantage)
        firsts = [place.id == first[place.who] for place in agenda]
        tied = [False, *map(_are_tied, agenda, agenda[1:]), False]
        tied = [each and all(firsts[index - 1 : index + 1]) for index, each in enumerate(tied)]
        heading = None
        for index in shown:
            place = agenda[index]
            fighter = state.fighters[place.who]
            status = status_of(rules, state, index)
            word = _TIES[tied[index], tied[index + 1]]
            tie = (word, agenda[index + 1 if word == "top" else index - 1].who if word else "")
            again = not firsts[index]
            lets_go = place.who in passed and not again
            has_said = place.who in declared and not again
            away = place.who in absent and not again
            own = None if again else acts.get(place.who)
            elsewhere = own or lets_go or (vantage.players and vantage.acts_for(place.who))  # there are buttons for it
            bid = offers.get(place.who) if not elsewhere else None
            offer = () if bid is None or again else answers_left(rules, state, bid) if begun else bid.actions
            extras = rules.presentation.rung_extras(state, place)
            if extras.get("group") == heading and heading:  # the first rung under a heading has it for the others
                extras = extras.copy()
                del extras["group"]
            else:
                heading = extras.get("group")
            gone = 0 if again else lost.get(place.who, 0)
            seen = (
                place,
                fighter.effects,
                fighter.stats,
                fighter.vitals,
                fighter.position,
                status,
                tie,
                offer,
                extras,
                own,
                gone,
                lets_go,
                has_said,
                again,
                away,
            )
            known = self._rows.get(place.id)
            if known is not None and known[0] == seen:
                rows[place.id] = known
            else:
                row = _Row(vantage, rules, state, place, fighter, status, tie, offer, again, away).view(sides, extras)
                if own:
                    row["acts"] = own
                if lets_go:
                    row |= {"word": "lets it go", "mark": "check"}
                elif has_said:
                    row |= {"word": "declared", "mark": "check"}
                if gone:
                    row["lost"] = gone
                rows[place.id] = (seen, row)
        self._rows = rows
        return {str(id): row for id, (_, row) in rows.items()}


def lost_in(vantage: Vantage) -> dict[str, int]:
    """Return what the last call has taken from whom by now, so that what is told of it can be found on the ladder."""
    found: dict[str, int] = {}
    for event in vantage.exchange_at(vantage.cursor)[0] if vantage.cursor else ():
        if event.kind == "damage" and event.target is not None and "left" in event._data:
            found[event.target] = found.get(event.target, 0) + (event.amount or 0)
    return found


def _current(state: State, turn: Turn | None) -> Place | None:
    if turn is None:
        return None
    return state.place(turn.place) if turn.place else state.place_of(turn.who)


def _half(place: Place) -> object:
    """Return the first term of a key unless it is a score: equal scores on either side of it are no tie."""
    term, value = place.key[0] if place.key else ("", None)
    return (term, value) if isinstance(value, str) else None


def _are_tied(above: Place, below: Place) -> bool:
    return above.score is not None and above.score == below.score and _half(above) == _half(below)


@dataclass
class _Row:
    """One rung: what it shows, and what it is called."""

    vantage: Vantage
    rules: Ruleset
    state: State
    place: Place
    fighter: Fighter
    status: str
    tie: _Tie
    offer: tuple[str, ...]
    again: bool
    """Whether it is a further turn: what is on its owner stands on the rung of their own, and here while it is now."""
    away: bool
    """Whether the pages of whoever plays them are all gone."""
    sub: list[Parts] = field(default_factory=list)
    said: list[str] = field(default_factory=list)
    ties: list[Parts] = field(default_factory=list)
    """Conditions that name others, on whose rungs they stand too: where there is no room they give way first."""
    word: str = ""
    """What the rules call something kept ready, if they have another word."""

    def view(self, sides: dict[str, int], extras: RungExtras) -> Row:
        """Return the row, and its name in two halves with its status between them."""
        place, fighter = self.place, self.fighter
        number = "" if place.score is None else signed(place.score)
        row: Row = {
            "name": fighter.name,
            "side": sides[fighter.side],
            "initials": initials(fighter.name),
            "score": number,
            "status": self.status,
            "tie": self.tie[0],
            "label": [],
        }
        self._tell_place()
        if self.again:
            row["again"] = True
        if not self.again or self.status in ("now", "paused"):  # then their own rung may be out of sight
            self._tell_who(row)
            self._tell_left(row)
        if self.status == "readied" and self.word:
            row["word"] = self.word
        elif self.status == "joining":
            row["word"] = f"next {self.rules.occasion_title}"
        elif self.status == "reacts" and self.again:  # not in this turn
            row["word"], row["mark"] = ("acted", "check") if place.done >= self.state.occasion else ("waits", "wait")
        elif self.status == "reacts" and (window := self.state.window) is not None:
            open_ = [bid for bid in window.bids if bid.who == fighter.name and not bid.answered]
            if (word := what_is_asked(open_)) != WORDS["reacts"]:
                row["word"] = word
        elif "_" in self.status:
            row["word"] = condition_word(self.status)
        if self._is_down(row.get("vital")):
            if self.status in ("now", "paused"):
                row["word"] = f"{self.status}, down"
            else:
                row["status"], row["word"] = "out", "down"
        elif self.status == "out" and not self.rules.is_beaten(fighter):
            row["idle"] = True
            row["word"] = condition_word(next(e.id for e in fighter.effects if e.id in self.rules.incapable))
        if self.status in self.rules.marks:
            row["mark"] = self.rules.marks[self.status]
        if portrait := fighter.stats.get("portrait"):
            row["portrait"] = portrait
        initiative = f"initiative {number}" if number else "no initiative yet"
        details = [*self.said, *(map(plain, extras.get("sub", ())) if self.again else ())]
        row["label"] = [f"{fighter.name}, {initiative}, {fighter.side}, ", "".join(f"; {said}" for said in details)]
        row = {**row, **extras}
        own = extras.get("sub", ())
        meant = [parts for parts in own if isinstance(parts[0], dict) and "chip" in parts[0]]
        if sub := [*meant, *self.sub, *self.ties, *(parts for parts in own if parts not in meant)]:
            row["sub"] = sub
        return row

    def _tell_who(self, row: Row) -> None:
        """Say how somebody is: what is on them, what is left of them, where they are, with what they may answer."""
        fighter = self.fighter
        if veil := self.vantage.veil(fighter):
            row["veil"] = veil
            if not is_hidden(fighter):  # that is a condition, and told as all are
                self._tell([veil], veil)
        chips = 0
        for effect in fighter.effects:
            if effect.watches:
                self._tell_readied(effect)
            elif effect.id == "delayed":
                self._tell_delay(effect)
            elif effect.id not in self.rules.told["rung"] and not self._keeps(effect):
                chips += 1
                if chips <= _CHIPS:
                    self._tell_condition(effect)
        if self.away:
            row["away"] = True
            self.said.append("offline")
        if chips > _CHIPS:
            self._tell([f"and {chips - _CHIPS} more"], f"and {chips - _CHIPS} more conditions")
        if self.offer:
            titles = [self._title(action) for action in self.offer]
            few = titles if len(titles) <= _NAMED + 1 else [*titles[:_NAMED], f"{len(titles) - _NAMED} more"]
            words = " or ".join(word for word in (", ".join(few[:-1]), few[-1]) if word)
            self.sub.append([f"off turn: {words.lower()}"])

    def _tell_left(self, row: Row) -> None:
        """Say what is left of somebody, and where they are; it stands on the rung of whoever acts, too."""
        fighter = self.fighter
        hides = self.vantage.hides(fighter)
        shown = () if hides and not shows_numbers(self.state, fighter) else _on_rung(self.rules)
        if hides and not shown and shows_words(self.state):
            self._tell_word(row)
        vitals = [_left(fighter, vital.name) for vital in shown]
        for vital, left in zip(shown, vitals, strict=True):
            if left is not None:
                title = "vitality" if len(shown) == 1 else (vital.title or vital.name).lower()
                self.said.append(f"{title} {signed(left[0])} of {left[1]}")
        if vitals and vitals[0] is not None:
            row["vital"] = vitals[0]
        if any(vitals[1:]):
            row["more"] = [[*(left or (None, None))] for left in vitals[1:]]
        if at := place_of(self.rules, fighter):
            row["at"] = at
            self.said.append(f"at {at}")
        if first := fighter.vitals.get(TEMPORARY) if shown else None:
            row["temporary"] = first
            self.said.append(f"{first} temporary")

    def _keeps(self, effect: Effect) -> bool:
        return self.vantage.players and self.rules.keeps(self.state, effect.id)

    def _tell_word(self, row: Row) -> None:
        """Say in a word how somebody is whose numbers players may not know."""
        for vital in _on_rung(self.rules)[:1]:
            left = _left(self.fighter, vital.name)
            if left is not None:
                stands = self.rules.able(self.fighter) and not self.rules.may_fall(self.state, self.fighter)
                word = vital_word(*left, stands=stands)
                self._tell([word], word)
                row["how"] = word

    def _is_down(self, vital: Sequence[int] | None) -> bool:
        """Check whether a rung shows that somebody is down, or has nothing left and nothing else of it."""
        if self.fighter.effect(DOWN) is not None:
            return not any(effect.id in self.rules.fallen for effect in self.fighter.effects)
        return self.status in _STANDS and vital is not None and self.rules.may_fall(self.state, self.fighter)

    def _tell(self, parts: Parts, said: str) -> None:
        self.sub.append(parts)
        self.said.append(said)

    def _tell_place(self) -> None:
        """Say why somebody is where they are.

        What broke a tie is news until their first turn, where a delay led until it is over; beside whom they were put
        is seen.
        """
        place = self.place
        where, other = self.tie
        rule = place.why_rule
        if place.why:
            by_rank = "tie" in rule.replace("-", ".").split(".")
            parts: Parts = ["tie: ", *tie_parts(place.why)] if by_rank else [place.why]
            said = f"ahead of {other}, {place.why}" if by_rank and where == "top" else place.why
            led = place.was is not None and self.fighter.effect("delayed") is None
            if not ((by_rank and place.opened) or led or is_beside(place)):
                self.sub.append([*parts, " ", {"rule": rule}] if rule else parts)
            self.said.append(said)
        elif where in ("end", "mid"):
            self.said.append(f"tied at {place.score}, behind {other}")

    def _tell_readied(self, effect: Effect) -> None:
        if self.vantage.hides(self.fighter):
            return
        self.word = str(self.rules.catalogue(self.state)[effect.value["use"]].facts.get("word", ""))
        action = self._title(effect.value["action"])
        trigger = trigger_words(
            said_trigger(effect.value["trigger"], self.rules, self.state),
            self.rules.languages[self.state.language],
        )
        rule = _trigger_rule(self.rules.catalogue(self.state), effect) or effect.rule
        self._tell(reason_parts(f"{action}, {trigger}", rule), f"{action.lower()}, {trigger}")

    def _tell_delay(self, effect: Effect) -> None:
        place = self.place
        if place.was in (None, place.score):  # the score is in sight, and what they are is said beside it
            if place.waits:
                self._tell(["waits ", {"rule": effect.rule}], "waits")
            return
        waits = ", waits" if place.waits else f", waits until {place.score}"
        self._tell(["was ", {"was": str(place.was)}, f"{waits} ", {"rule": effect.rule}], f"was {place.was}{waits}")

    def _tell_condition(self, effect: Effect) -> None:
        word, lasts = held(self.rules, self.fighter, effect, self.place)
        names = effect.value if isinstance(effect.value, (list, tuple)) else ()
        short = word
        if names and not self.vantage.players and all(name in self.state.fighters for name in names):
            # As on the tokens beside it: a rung has no room for several names.
            short = f"{condition_word(effect.id).removeprefix('in ')}: {', '.join(map(initials, names))}"
        is_own = self.rules.is_own(effect.id)
        parts: Parts = [{"chip": short, "theirs": True} if is_own else {"chip": short}]
        if lasts:
            parts.append(f"{lasts} ")
        if effect.rule:
            parts.append({"rule": effect.rule})
        (self.sub if short == word else self.ties).append(parts)
        self.said.append(f"{as_typed(self.vantage, word) if is_own else word} {lasts}".rstrip())

    def _title(self, action: str) -> str:
        return self.rules.catalogue(self.state)[action].title


def held(rules: Ruleset, fighter: Fighter, effect: Effect, place: Place | None) -> tuple[str, str]:
    """Say what condition somebody has, and how long; nothing of that where it has no end."""
    value = effect.value.get("id") if isinstance(effect.value, dict) else effect.value
    anchor = "" if effect.rounds else effect.anchor or ""
    if ":" in anchor and anchor.partition(":")[2] != fighter.name:
        return condition_said(effect.id, value), tell_until(rules, fighter.name, effect)
    until = say_until(rules, fighter.name, effect)
    if until == "own turn":
        until = "their next turn" if place is not None and place.opened else "their first turn"
    lasts = f"{'for' if effect.rounds else 'until'} {until}" if until else ""
    return condition_said(effect.id, value), lasts


def _trigger_rule(catalogue: Iterable[Action], effect: Effect) -> str:
    """Return the rule that had a trigger named with what somebody keeps ready."""
    kept = (effect.id, effect.value["use"])
    naming = (action for action in catalogue if (action.facts.get("effect"), action.facts.get("use")) == kept)
    return next((p.rule for action in naming for p in action.parameters if p.id == "trigger"), "")


def _on_rung(rules: Ruleset) -> tuple[Stat, ...]:
    """Return the vitals shown on a rung."""
    return rules.vitals[: rules.presentation.on_rung]


def _left(fighter: Fighter, name: str) -> list[int] | None:
    """Return what is left of a vital and its maximum; None where it is not kept."""
    left, full = fighter.vitals.get(name), fighter.stats.get(name)
    return None if left is None or type(full) is not int else [left, full]


def _delay(rules: Ruleset, state: State, turn: Turn | None) -> Delay | None:
    """Return the rungs behind which the active combatant may be put, each with the count that asks for it."""
    action = rules.catalogue(state).get("delay")
    if action is None or "count" not in action.takes:
        return None
    if turn is None or not turn.place or type(state.top) is not Turn:
        return None
    case, own = Case(rules, state, state.fighters[turn.who], action), state.place(turn.place)
    refused = judge(case, brief=True).objections
    if refused:
        return {"name": turn.who, "places": [], "reason": reason_parts(refused[0].reason, refused[0].rule)}
    places: list[list[str | int | None]] = []
    others = [place for place in state.agenda if place.id != own.id]
    for count in dict.fromkeys(p.score for p in others):
        if type(count) is not int or judge(case.given({"count": count})).objections:
            continue
        rung = _last_above(others, rules.later(case.given({"count": count}), own).place)
        if rung is not None:
            places.append([str(rung.id), count])
    barred = judge(case.given({"count": own.score})).objections if type(own.score) is int else []
    reason = reason_parts(barred[0].reason, barred[0].rule) if barred else []
    return {"name": turn.who, "places": places, "reason": reason}


def _last_above(agenda: list[Place], moved: Place | None) -> Place | None:
    """Return the rung just above where a place would stand."""
    if moved is None:
        return None
    index = next((i for i, place in enumerate(agenda) if place.rank < moved.rank), len(agenda))
    return agenda[index - 1] if index else None
