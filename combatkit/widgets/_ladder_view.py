"""The initiative ladder as plain data: what a rung says of the one who stands on it."""

from __future__ import annotations

from typing import Any, Literal

from combatkit.core.limits import VIEW
from combatkit.core.model import Effect, Fighter, Place, State, Turn
from combatkit.report.words import (
    clock_view,
    condition_word,
    plain,
    reason_parts,
    said_value,
    sides_view,
    tie_parts,
    trigger_words,
)
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.checks import say_anchor
from combatkit.rules.judge import judge
from combatkit.rules.ladder import status_of
from combatkit.rules.params import said_trigger
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.shapes import Parts
from combatkit.text import signed
from combatkit.widgets._fit import around, size
from combatkit.widgets._odds_view import Forecaster, foretold
from combatkit.widgets._rung_acts import rung_acts
from combatkit.widgets._seat import Seat
from combatkit.widgets.shapes import Delay, LadderHead, LadderView, Row

WORDS = {"reacts": "may react"}
"""What a status is called where it is not its own word."""

_PAST_WORDS = {**WORDS, "now": "then"}
"""The same in the past."""

_FEW = 8
"""When so many may react, each says with what."""

_NAMED = 4
"""So many of the actions it may react with are named on a rung."""

_Where = Literal["", "top", "mid", "end"]

_TIES: dict[tuple[bool, bool], _Where] = {
    (False, False): "",
    (False, True): "top",
    (True, True): "mid",
    (True, False): "end",
}
"""Where a rung stands in a tie, by whether it is tied with the one above and the one below."""

_SURE, _LARGE = 100, 2_000
"""So many rungs fit in any case, if none of them is larger than that."""

_KEYS = 24
"""What naming a rung takes beside the rung itself: its number, in the order and as a key."""

_SPARE = 2_000
"""What a view holds beside its rungs and all that was measured."""

_CHIPS = 8
"""So many conditions stand on a rung; of more it says how many."""

_Known = tuple[tuple[Any, ...], Row, int]
"""What a rung was made of, the rung, and how many bytes it takes."""

_Tie = tuple[_Where, str]
"""Where a rung stands in a tie, and its neighbour: the one below it for the first, else the one above."""


class LadderProjector:
    """Makes the ladder's view, and keeps the rows in which nothing has changed."""

    def __init__(self) -> None:
        self._rows: dict[int, _Known] = {}
        self._forecast = Forecaster()

    def __call__(self, seat: Seat) -> LadderView:
        """Return the view of the moment a seat looks at."""
        now = seat.now
        rules, state = now.ruleset, now._state
        sides = seat.sides
        turn = state.turn
        current = _current(state, turn)
        head: LadderHead = {
            "system": rules.id,
            "score": rules.score_title,
            "clock": clock_view(now.clock),
            "sides": sides_view(sides),
            "words": WORDS if seat.past is None else _PAST_WORDS,
            "current": None if current is None else str(current.id),
            "selected": None if seat.selected == now.active else seat.selected,
            "delay": None if seat.looks_on else _delay(rules, state, turn),
            "players": seat.looks_on,
            "acts": not seat.looks_on and state.stage == "running",
            "dice": "table" if seat.table else "seeded",
            "strips": rules.presentation.strips(state),
        }
        rows = self._project(seat, rules, state, sides)
        start, stop = 0, len(rows)
        if len(rows) > _SURE or any(row[2] > _LARGE for row in self._rows.values()):
            place = state.agenda.index(current) if current is not None else 0
            room = VIEW - size(head) - _SPARE
            start, stop = around([self._rows[each.id][2] for each in state.agenda], place, room)
        order = [str(place.id) for place in state.agenda[start:stop]]
        view: LadderView = {**head, "order": order, "rows": rows}
        if stop - start < len(rows):
            view["rows"] = {id: rows[id] for id in order}
            view["score"] += f" · {stop - start} of {len(rows)} shown"
            if view["delay"] is not None:
                view["delay"]["places"] = [place for place in view["delay"]["places"] if place[0] in view["rows"]]
        chances = None if seat.players else self._forecast(rules, state)
        return view if chances is None else foretold(view, rules, state, sides, chances)

    def _project(self, seat: Seat, rules: Ruleset, state: State, sides: dict[str, int]) -> dict[str, Row]:
        rows: dict[int, _Known] = {}
        agenda = state.agenda
        window = state.window
        offers = {b.who: b.actions for b in window.bids if not b.answered} if window is not None else {}
        detailed = len(offers) <= _FEW
        acts = {} if seat.looks_on or state.stage != "running" else rung_acts(rules, state)
        tied = [False, *map(_are_tied, agenda, agenda[1:]), False]
        heading = None
        for index, place in enumerate(agenda):
            fighter = state.fighters[place.who]
            status = status_of(rules, state, index)
            word = _TIES[tied[index], tied[index + 1]]
            tie = (word, agenda[index + 1 if word == "top" else index - 1].who if word else "")
            offer = offers.get(place.who, ()) if detailed else ()
            extras = rules.presentation.rung_extras(state, place)
            if extras.get("group") == heading and heading:  # the first rung under a heading bears it for the others
                extras = extras.copy()
                del extras["group"]
            else:
                heading = extras.get("group")
            own = acts.get(place.who)
            seen = (place, fighter.effects, fighter.stats, fighter.vitals, status, tie, offer, extras, own)
            known = self._rows.get(place.id)
            if known is not None and known[0] == seen:
                rows[place.id] = known
            else:
                row = _Row(rules, state, seat.players, place, fighter, status, tie, offer).view(sides)
                sub = [*row.get("sub", ()), *extras.get("sub", ())]
                row = {**row, **extras}
                if sub:
                    row["sub"] = sub
                if own:
                    row["acts"] = own
                rows[place.id] = (seen, row, size(row) + _KEYS)
        self._rows = rows
        return {str(id): row for id, (_, row, _) in rows.items()}


def _current(state: State, turn: Turn | None) -> Place | None:
    if turn is None:
        return None
    return state.place(turn.place) if turn.place else state.place_of(turn.who)


def _half(place: Place) -> object:
    """Return the first term of a key where it is no score: equal scores on two sides of it are no tie."""
    term, value = place.key[0] if place.key else ("", None)
    return (term, value) if isinstance(value, str) else None


def _are_tied(above: Place, below: Place) -> bool:
    return above.score is not None and above.score == below.score and _half(above) == _half(below)


class _Row:
    """One rung: what it shows, and what it is called."""

    def __init__(
        self,
        rules: Ruleset,
        state: State,
        players: bool,
        place: Place,
        fighter: Fighter,
        status: str,
        tie: _Tie,
        offer: tuple[str, ...],
    ) -> None:
        self.rules = rules
        self.state = state
        self.hides = players and fighter.npc
        self.place = place
        self.fighter = fighter
        self.status = status
        self.tie = tie
        self.offer = offer
        self.sub: list[Parts] = []
        self.said: list[str] = []
        self.word = ""
        """What the rules call what is kept ready, if that is another word."""

    def view(self, sides: dict[str, int]) -> Row:
        """Return the row, and its name in two halves, between which its status stands."""
        place, fighter = self.place, self.fighter
        self._tell_place()
        chips = 0
        for effect in fighter.effects:
            if effect.watches:
                self._tell_readied(effect)
            elif effect.id == "delayed":
                self._tell_delay(effect)
            elif effect.id not in self.rules.told["rung"]:
                chips += 1
                if chips <= _CHIPS:
                    self._tell_condition(effect)
        if chips > _CHIPS:
            self._tell([f"and {chips - _CHIPS} more"], f"and {chips - _CHIPS} more conditions")
        if self.offer:
            titles = [self._title(action) for action in self.offer]
            more = [f"{len(titles) - _NAMED} more"] if len(titles) > _NAMED + 1 else []
            words = " or ".join([title.lower() for title in titles[: _NAMED if more else None]] + more)
            self.sub.append([f"off turn: {words}"])
        vital = None if self.hides else _vital(self.rules, fighter)
        if vital is not None:
            self.said.append(f"vitality {vital[0]} of {vital[1]}")
        score = "" if place.score is None else signed(place.score)
        initiative = f"initiative {score}" if score else "no initiative yet"
        details = "".join(f"; {said}" for said in self.said)
        row: Row = {
            "name": fighter.name,
            "side": sides[fighter.side],
            "score": score,
            "status": self.status,
            "tie": self.tie[0],
            "label": [f"{fighter.name}, {initiative}, {fighter.side}, ", details],
        }
        if self.status == "readied" and self.word:
            row["word"] = self.word
        elif "_" in self.status:
            row["word"] = condition_word(self.status)
        if self.status in self.rules.marks:
            row["mark"] = self.rules.marks[self.status]
        if portrait := fighter.stats.get("portrait"):
            row["portrait"] = portrait
        if vital is not None:
            row["vital"] = vital
        if self.sub:
            row["sub"] = self.sub
        return row

    def _tell(self, parts: Parts, said: str) -> None:
        self.sub.append(parts)
        self.said.append(said)

    def _tell_place(self) -> None:
        """Say what broke a tie, or why somebody stands where it stands."""
        place = self.place
        where, other = self.tie
        rule = place.why_rule
        if place.why:
            by_rank = "tie" in rule.replace("-", ".").split(".")
            parts: Parts = ["tie: ", *tie_parts(place.why)] if by_rank else [place.why]
            said = f"ahead of {other}, {place.why}" if by_rank and where == "top" else place.why
            self._tell([*parts, " ", {"rule": rule}] if rule else parts, said)
        elif where in ("end", "mid"):
            self.said.append(f"tied at {place.score}, behind {other}")

    def _tell_readied(self, effect: Effect) -> None:
        if self.hides:
            return
        self.word = str(self.rules.catalogue(self.state)[effect.value["use"]].facts.get("word", ""))
        action = self._title(effect.value["action"])
        trigger = trigger_words(
            said_trigger(effect.value["trigger"], self.rules.catalogue(self.state)), self.rules.english
        )
        rule = _trigger_rule(self.rules.catalogue(self.state), effect) or effect.rule
        self._tell(reason_parts(f"{action}, {trigger}", rule), f"{action.lower()}, {trigger}")

    def _tell_delay(self, effect: Effect) -> None:
        place = self.place
        waits = ", waits" if place.waits else f", waits for {place.score}"
        if place.was is None:
            words = waits.removeprefix(", ")
            self._tell([f"{words} ", {"rule": effect.rule}], words)
            return
        self._tell(["was ", {"was": str(place.was)}, f"{waits} ", {"rule": effect.rule}], f"was {place.was}{waits}")

    def _tell_condition(self, effect: Effect) -> None:
        value = effect.value.get("id") if isinstance(effect.value, dict) else effect.value
        word = condition_word(effect.id) + said_value(value)
        parts: Parts = [{"chip": word}]
        until = say_anchor(self.fighter.name, effect.anchor)
        if until == "own turn":
            until = "its next turn" if self.place.opened else "its first turn"
        if until:
            parts.append(f"until {until} ")
        if effect.rule:
            parts.append({"rule": effect.rule})
        self._tell(parts, f"{word} until {until}" if until else word)

    def _title(self, action: str) -> str:
        found = self.rules.catalogue(self.state).get(action)
        return found.title if found is not None else action.replace("_", " ").capitalize()


def _trigger_rule(catalogue: Any, effect: Effect) -> str:
    """Return the rule by which a trigger was named with what somebody keeps ready."""
    action: Action
    for action in catalogue:
        if action.facts.get("effect") == effect.id and action.facts.get("use") == effect.value["use"]:
            return next((p.rule for p in action.parameters if p.id == "trigger"), "")
    return ""


def _vital(rules: Ruleset, fighter: Fighter) -> list[int] | None:
    if not rules.vitals:
        return None
    name = rules.vitals[0].name
    left, full = fighter.vitals.get(name), fighter.stats.get(name)
    return None if left is None or type(full) is not int else [left, full]


def _delay(rules: Ruleset, state: State, turn: Turn | None) -> Delay | None:
    """Return the rungs behind which the active combatant may be put, each with the count that asks for it."""
    action = rules.catalogue(state).get("delay")
    if action is None or turn is None or not turn.place or type(state.top) is not Turn:
        return None
    if not any(p.id == "count" for p in action.parameters):
        return None
    fighter, own = state.fighters[turn.who], state.place(turn.place)
    refused = judge(Case(rules, state, fighter, action)).objections
    if refused:
        return {"name": turn.who, "places": [], "reason": reason_parts(refused[0].reason, refused[0].rule)}
    places: list[list[str | int | None]] = []
    others = [place for place in state.agenda if place.id != own.id]
    for count in dict.fromkeys(p.score for p in others):
        if type(count) is not int or judge(Case(rules, state, fighter, action, {"count": count})).objections:
            continue
        moved = rules.delayed_place(state, fighter, own, {"count": count})
        rung = _last_above(others, moved)
        if rung is not None:
            places.append([str(rung.id), count])
    barred = (
        judge(Case(rules, state, fighter, action, {"count": own.score})).objections if type(own.score) is int else []
    )
    reason = reason_parts(barred[0].reason, barred[0].rule) if barred else []
    return {"name": turn.who, "places": places, "reason": reason}


def _last_above(agenda: list[Place], moved: Place | None) -> Place | None:
    """Return the rung just above where a place would stand."""
    if moved is None:
        return None
    index = next((i for i, place in enumerate(agenda) if place.rank < moved.rank), len(agenda))
    return agenda[index - 1] if index else None


def said_rung(row: Row) -> str:
    """Return a row's whole name, as a screen reader says it."""
    status = row["status"]
    before, after = row["label"]
    return f"{before}{row.get('word') or WORDS.get(status, status)}{after}"


def row_notes(row: Row) -> str:
    """Return what a row says beneath its name, as plain text."""
    return "; ".join(words for words in (plain(parts) for parts in row.get("sub", ())) if words)
