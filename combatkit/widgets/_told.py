"""What calls came to, as it is told: every blow, every loss and whoever fell; then the dice; then how much more."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from typing import Any

from combatkit.core.curtain import shows_numbers, shows_words, vital_word
from combatkit.core.model import Act, Event, Fighter
from combatkit.fight.owed import is_owed
from combatkit.report.effects import Strike, Suffered, harms, suffered
from combatkit.report.shapes import Line
from combatkit.report.words import FAILS, plain
from combatkit.rules.shapes import Parts
from combatkit.rules.vitals import most_of
from combatkit.text import PLAIN, Title, neutral, say, signed
from combatkit.text.phrases import capital
from combatkit.widgets._owed import unsaid
from combatkit.widgets._table import table_of
from combatkit.widgets._tokens import token
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Owed, Result

_ASIDES = ("window", "answer", "refresh")
"""Kinds of event that are no result where a call came to something else: who was asked, and who let it go."""

_TELL = frozenset(("attack", "damage", "vital", "effect", "stopped"))
"""The kinds of event that are told with all that belongs to them."""

_DEEDS = ("action", "fact")
"""Kinds of event that tell what somebody does before it comes to anything."""

_GOES = "moves"
"""The verb of what leads somewhere, and is nothing else."""

_STRONG = re.compile("\ue000(.*?)\ue001")
"""What is to be strong in a sentence, between two characters that no text has."""

_BEGINS = re.compile("^\ue000?.")
"""Where a sentence begins: a name that stands for another may be a phrase."""

_ROOM, _WRAPS = 110, 900
"""How many characters of other lines of the log are said besides: in the one row a GM has, and where it may wrap."""

_TIMES = ("once", "twice")

_THROWN = {"attack": "to_hit", "damage": "damage"}


class Told:
    """What calls came to, as it is told from a vantage.

    Every loss, every fall and every blow is named, the gravest first; then the dice. Of what else the log tells as
    much is said as there is room for, and the rest counted.

    Parameters
    ----------
    vantage : Vantage
        From where.
    events : sequence of Event
        What happened.
    latest : int
        The first event of the last call: of what else happened, its part comes first.

    Attributes
    ----------
    people : list of Suffered
        What each person went through, as far as it is told, the gravest first.
    stops : list of Event
        What is told to have got no further.
    """

    def __init__(self, vantage: Vantage, events: Sequence[Event], latest: int) -> None:
        self.events = events
        self._latest = latest
        self._vantage = vantage
        self._log = vantage.log_lines
        self._now = vantage.now
        self._lines: list[Line] = []
        self._by_seq: dict[int, Event] = {}
        self._goals: dict[tuple[str | None, str | None], int] = {}
        self._answered = ""
        tells = False
        for event in events:
            self._by_seq[event.seq] = event
            tells = tells or event.kind in _TELL
        for line in self._log.span(events[0].seq, events[-1].seq)[0].values():
            if line["seq"] in self._by_seq:
                self._lines.append(line)
                event = self._by_seq[line["seq"]]
                if event.kind == "move":  # a plain move has no line but that of its action
                    self._goals[event.actor, event.action] = event.seq
        self.people: list[Suffered] = []
        self.stops: list[Event] = []
        self._strikes: list[Strike] = []
        self._blows: list[Event] = []
        if not tells:
            return
        told = self._log.told_in(self._lines) - self._log.unnamed
        events = [event for event in events if event.seq in told or event.kind == "answer"]
        self.stops = [event for event in events if event.kind == "stopped"]
        rules = self._now.ruleset
        usual = rules.vitals[0].name if rules.vitals else ""
        self.people = suffered(events, rules.incapable - {"left"}, usual)
        if len(self.people) > 1:
            self.people.sort(key=lambda each: _gravity(vantage, each), reverse=True)
        for person in self.people:
            self._strikes += person.strikes
        for strike in self._strikes:
            self._blows += strike.blows

    def result(self) -> Result | None:
        """Return it as the headline and what stands below it; nothing if the log tells nothing."""
        lines = self._others()
        if self.people:
            deed = next((line for line in lines if self._leads(line)), None)
            answers, lines = self._answers([line for line in lines if line is not deed])
            text = [*(_sentence(deed) if deed else []), *([" "] if deed else []), *self._headline(answers)]
            who = next((strike.who for strike in self.people[0].strikes), self.people[0].who)
        elif lines:
            told = 1 + (len(lines) > 1 and self._completes(lines[0], lines[1]))
            text = [part for index, line in enumerate(lines[:told]) for part in (*([" "] * index), *_sentence(line))]
            who, lines = lines[0]["actor"], lines[told:]
        else:
            return None
        below = self._below() if self.people or self.stops else []
        owed = self._owed() if self._blows else None
        if self._vantage.at.plays and not self._vantage.players:
            below += self._asked_elsewhere(owed, bool(below))
        if lines:
            below += self._besides(lines, len(plain(below)))
        shown = about(self._vantage, who, text, below or self._when())
        rules: dict[str, None] = {}
        for line in self._lines:
            rules.update(dict.fromkeys(line["cite"]))
        if rules:
            shown["rules"] = list(rules)
        if self._blows and any(map(_is_twenty, self._blows)):
            shown["twenty"] = True
        if owed is not None:
            shown["owed"] = owed
        return shown

    @property
    def only_passes(self) -> bool:
        """Whether nothing is told but that a step of the round is over."""
        return bool(self._lines) and all(map(self._is_passing, self._lines))

    def _is_passing(self, line: Line) -> bool:
        """Check whether a line says just that a step of the round is over: it comes right before its end."""
        event, after = self._by_seq[line["seq"]], self._by_seq.get(line["seq"] + 1)
        return (event.kind, event.actor) == ("fact", None) and after is not None and after.kind == "step_end"

    def _say(self, id: str, **fields: Any) -> str:
        return self._log.told(say(f"result.{id}", **fields))

    # ── the headline ──

    def _headline(self, answers: Sequence[Line]) -> Parts:
        """Return the strikes at each, what they did against them in vain, and what it took."""
        said = []
        for person in self.people:
            said += [self._struck(strike) for strike in person.strikes if strike.blows]
            said += [plain(_sentence(line)).rstrip(".") for line in answers if line["actor"] == person.who]
            if person.losses or person.falls:
                said.append(self._lost(person))
            if person.gains:
                said.append(self._gained(person))
            if person.rises:
                what = [event.text for event in person.rises]
                said.append(self._say("suffers", who=neutral(person.who), what=what))
        return marked(" ".join(f"{_BEGINS.sub(_large, each)}." for each in said))

    def _struck(self, strike: Strike) -> str:
        """Say how often somebody hits and misses; of a single blow, what it needed."""
        outcomes = [FAILS.get(word := blow._data.get("outcome") or "", word) for blow in strike.blows]
        hits, misses = outcomes.count("hit"), outcomes.count("miss")
        fields: dict[str, Any] = {"who": neutral(strike.who), "target": strong(neutral(strike.whom))}
        again = bool(strike.answers) and strike.answers == self._answered
        fields["answer"] = self._say("likewise") if again else self._called(strike.answers)
        self._answered = strike.answers
        if hits + misses < len(outcomes):
            fields["outcomes"] = [self._outcome(blow) for blow in strike.blows]
            return self._say("attacks", **fields)
        if len(self._blows) == 1 and self._may_know(strike.whom):
            fields |= {key: strike.blows[0]._data.get(key) for key in ("total", "needed")}
        if hits and misses:
            return self._say("mixed", **fields, hits=self._times(hits), misses=self._times(misses))
        often = self._times(hits + misses) if hits + misses > 1 else ""
        return self._say("hits" if hits else "misses", **fields, times=often)

    def _outcome(self, blow: Event) -> str:
        """Return what a blow came to in a word; the number, where nobody has said."""
        outcome, total = blow._data.get("outcome"), blow._data.get("total")
        outcome = FAILS.get(outcome or "", outcome)
        said = say(PLAIN, text=Title(outcome or "?")) if outcome or total is None else say("log.comes_to", total=total)
        return self._log.told(said)

    def _called(self, action: str) -> str:
        found = self._now.ruleset.catalogue(self._now._state).get(action)
        return "" if found is None else self._log.told(say(PLAIN, text=found.called))

    def _times(self, number: int) -> str:
        return self._say("times", number=number) if number > len(_TIMES) else self._say(_TIMES[number - 1])

    def _lost(self, person: Suffered) -> str:
        """Say what somebody lost in all, what is left, and how they fell."""
        what = []
        if person.losses and not self._may_know(person.who):
            what.append(self._log.told(say("log.hurt" if any(map(harms, person.losses)) else "log.unhurt")))
        else:
            few = len([each for each in self.people if each.losses]) <= 2
            what += [self._loses(person, vital, whole=few and not person.falls) for vital in person.lost]
        what += [
            event.text
            for event in (*person.brought, *(in_the_end(person.falls) if len(person.falls) > 2 else person.falls))
        ]
        return self._say("suffers", who=neutral(person.who), what=what)

    def _gained(self, person: Suffered) -> str:
        """Say what came back to somebody in all."""
        who = neutral(person.who)
        if not self._may_know(person.who):
            return self._say("suffers", who=who, what=[self._log.told(say("log.recovers"))])
        gained = person.gained.items()
        what = [self._say("gain", amount=strong(str(n)), vital=self._points(vital, n)) for vital, n in gained]
        return self._say("gains", who=who, what=what)

    def _loses(self, person: Suffered, vital: str, *, whole: bool) -> str:
        """Say what somebody lost of one vital in all."""
        events = [event for event in person.losses if event._data.get("vital", person.usual) == vital]
        rules = self._now.ruleset
        unsaid = ("",) if rules.presentation.on_rung > 1 else ("", rules.vitals[0].name)
        left, full = _left(self._vantage, events[-1]) if whole else (None, None)
        alone = events[0]._data if len(events) == 1 else {}
        armor, halved = alone.get("armor"), alone.get("halved")
        temporary = sum(event._data.get("temporary", 0) for event in events)
        dealt = [event._data.get("dealt") for event in events]
        lost = [abs(event.amount or 0) + event._data.get("temporary", 0) for event in events]
        over = sum(whole if whole is not None else part for whole, part in zip(dealt, lost, strict=True))
        return self._say(
            "loses",
            amount=strong(str(sum(lost))),
            over=over if over != sum(lost) else None,
            vital="" if vital in unsaid else self._points(vital, person.lost[vital]),
            rolled=alone.get("rolled"),
            armor=(armor or None) if halved is None else None,
            half=armor,
            halved=halved,
            temporary=temporary or None,
            left=None if left is None or left < 0 or full is None else signed(left),
            full=full,
            rest=None if left is None or left < 0 or full is not None else signed(left),
            below=signed(left) if left is not None and left < 0 else None,
        )

    def _points(self, vital: str, number: int) -> str:
        """Return what so many of a vital are called."""
        return self._log.told(say("result.vital", of=vital, number=number, word=Title(vital.replace("_", " "))))

    def _may_know(self, who: str) -> bool:
        """Check whether somebody's numbers may be told here."""
        return not self._log.hides_numbers(who)

    # ── what it rests on ──

    def _below(self) -> Parts:
        """Return the dice, and who is bloodied now."""
        parts = self._dice()
        for person in self.people:
            if self._is_bloodied(person):
                said = self._say("stands", who=neutral(person.who), word=Title(vital_word(1, 2)))
                parts += [" " if parts else "", said]
        return parts

    def _dice(self) -> Parts:
        """Return the dice of each blow, and of what it dealt; of several blows what each came to."""
        told: list[Parts] = []
        for strike in self._strikes:
            blows, harms = self._dice_to_hit(strike), self._dice_of_damage(strike)
            if blows or harms:
                mark: Parts = ["; " if len(strike.blows) > 1 else ", "] if blows and harms else []
                told.append([*self._whose_dice(strike), *blows, *mark, *harms])
        told += [[*faces, f": {self._say('unused')}"] for faces in self._unused()]
        parts = [*_joined(told, "; "), "."] if told else []
        return [capital(parts[0]), *parts[1:]] if parts and isinstance(parts[0], str) else parts

    def _whose_dice(self, strike: Strike) -> Parts:
        """Return whose dice they are, where several strike, and at whom, where one strikes at several."""
        who = neutral(strike.who) if len({each.who for each in self._strikes}) > 1 else ""
        if len({each.whom for each in self._strikes if each.who == strike.who}) < 2:
            return [f"{who}: "] if who else []
        said = self._say("at", who=who, target=neutral(strike.whom))
        return [f"{said}: "]

    def _dice_to_hit(self, strike: Strike) -> Parts:
        told: list[Parts] = []
        for blow in strike.blows:
            thrown = self._by_seq.get(blow._data.get("roll", 0), blow)  # help may have come to dice thrown before
            alone = len(self._blows) == 1
            whole = not (alone and self._may_know(strike.whom) and blow._data.get("needed") is not None)
            if faces := self._faces(thrown, whole=whole):
                told.append([*faces, f" {self._say('to_hit') if alone or not _came(blow) else self._outcome(blow)}"])
        return _joined(told, ", ")

    def _dice_of_damage(self, strike: Strike) -> Parts:
        log_lines = self._log
        person = next(each for each in self.people if each.who == strike.whom)
        knows = self._may_know(strike.whom)
        # What one of the players threw they have seen; who strikes in two ways deals what each of them does.
        deeds = {blow.action for blow in strike.blows} if sum(s.who == strike.who for s in person.strikes) > 1 else None
        dealt = [
            loss
            for loss in person.losses
            if loss.actor == strike.who
            and (deeds is None or loss.action in deeds)
            and (knows or not log_lines.is_npc(loss.actor))
        ]
        told = [faces for loss in dealt if (faces := self._faces(loss, whole=not knows or len(dealt) > 1))]
        return [*_joined(told, ", "), f" {self._say('damage')}"] if told else []

    def _faces(self, event: Event, *, whole: bool) -> Parts:
        """Return the dice of a roll and what was added; the total too, unless the sentence says it."""
        parts = self._log.dice(event)[
            0 if "multiplier" in event._data else 1 :
        ]  # what is multiplied is said as a whole
        return parts if whole else [p.partition(" = ")[0] if isinstance(p, str) else p for p in parts]

    def _unused(self) -> Iterator[Parts]:
        """Yield the dice that were thrown for what then came to nothing."""
        stopped = [event._data.get("act") for event in self.stops]
        held = {}
        for event in self.events:
            if event.kind == "window" and (act := event._data.get("act")) and act["seq"] in stopped:
                held[act["seq"]] = act["faces"]
        for faces in held.values():
            told: list[Parts] = []
            for purpose, thrown in faces.items():
                if purpose in _THROWN and thrown:
                    dice: Parts = []
                    for face in thrown:
                        dice += [{"die": face, "table": True}, " "]
                    told.append([*dice, self._say(_THROWN[purpose])])
            if told:
                yield _joined(told, ", ")

    def _is_bloodied(self, person: Suffered) -> bool:
        """Check whether somebody has come to half or less by this: it is news with the blow that makes it so."""
        vantage = self._vantage
        if not person.losses or person.falls:
            return False
        if not self._may_know(person.who) and not shows_words(self._now._state):
            return False
        usual = self._now.ruleset.vitals[0].name
        left, full = _left(vantage, person.losses[-1])
        lost = person.lost.get(usual, 0)
        return left is not None and full is not None and left > 0 and 2 * left <= full < 2 * (left + lost)

    # ── the rest of the log ──

    def _others(self) -> list[Line]:
        """Return the lines that tell what the headline does not name, and what gets no further before all else."""
        lines = self._lines
        if self._goals:
            lines = [line for line in lines if not self._leads_on(self._by_seq[line["seq"]])]
        if self.people or self.stops:
            named, deeds = self._named()
            kept = []
            for line in lines:
                event = self._by_seq[line["seq"]]
                does = event.kind in _DEEDS and (event.actor, event.action) in deeds
                if event.kind == "stopped" or (not does and named.isdisjoint(self._log.tells(line))):
                    kept.append(line)
            lines = kept
        if not lines:
            return []
        kinds = {line["seq"]: self._by_seq[line["seq"]].kind for line in lines}
        news = [line for line in lines if kinds[line["seq"]] not in _ASIDES]
        lines = news or ([] if self.people else lines)
        if len(lines) < 2:
            return lines
        if "leave" in [event.kind for event in self.events]:  # in their own turn they end it first: no news
            return sorted(lines, key=lambda line: kinds[line["seq"]] == "turn_end")
        return sorted(lines, key=lambda line: (kinds[line["seq"]] != "stopped", line["seq"] < self._latest))

    def _leads_on(self, event: Event) -> bool:
        """Check whether it says no more than that somebody moves, or is part of a way, and another says where to."""
        goal = self._goals.get((event.actor, event.action), event.seq)
        if event.seq == goal or event.kind not in ("action", "move"):
            return False
        found = self._now.ruleset.catalogue(self._now._state).get(event.action or "")
        return event.kind == "move" or (found is not None and found.verb == _GOES)

    def _named(self) -> tuple[set[int], set[tuple[str | None, str | None]]]:
        """Return the events that the headline names, and the deeds: by whom, and which action."""
        named = {event.seq for event in self._blows}
        for person in self.people:
            named |= {
                event.seq for event in (*person.losses, *person.falls, *person.gains, *person.brought, *person.rises)
            }
        named |= {blow._data["roll"] for blow in self._blows if "roll" in blow._data}
        # What waits under a window is what the window is about.
        named |= {frame.seq for frame in self._now._state.focus if isinstance(frame, Act)}
        # A blow tells its action, and what is foiled tells by whom and how.
        deeds = {(blow.actor, blow.action) for blow in self._blows}
        for event in self.stops:
            if by := {*map(tuple, event._data.get("by") or ())}:
                deeds |= {(event.actor, event.action), *by}
                named |= {each.seq for each in self.events if each.kind == "fact" and (each.actor, each.action) in by}
        return named, deeds

    def _answers(self, lines: Sequence[Line]) -> tuple[list[Line], list[Line]]:
        """Part what those who were struck did against it in vain, as a parry that failed, from the other lines.

        That the GM decided so is said with it.
        """
        hurt = {person.who for person in self.people if person.strikes or person.losses}
        deeds = {(event.actor, event.action) for event in self.events if event.kind == "answer" and event.actor in hurt}
        events = {line["seq"]: self._by_seq[line["seq"]] for line in lines}
        answers = [line for line in lines if (each := events[line["seq"]]).kind in _DEEDS and _deed(each) in deeds]
        failed = {_deed(event) for line in answers if (event := events[line["seq"]]).kind == "fact"}
        asked = {event.seq for event in self.events if event.kind == "window" and _deed(event) in failed}
        told = {line["seq"] for line in answers}
        told |= {seq for seq, event in events.items() if event._data.get("window") in asked}
        return answers, [line for line in lines if line["seq"] not in told]

    def _leads(self, line: Line) -> bool:
        """Check whether a line tells the deed that a loss comes of, where no blow does."""
        event = self._by_seq[line["seq"]]
        return event.kind in ("action", "attack") and any(
            loss.actor == event.actor and loss.action == event.action
            for person in self.people
            for loss in person.losses
        )

    def _completes(self, deed: Line, line: Line) -> bool:
        """Check whether a line says how the deed before it went, or what another side has rolled besides.

        One is nothing without the other.
        """
        done, fact = self._by_seq[deed["seq"]], self._by_seq[line["seq"]]
        if done.kind == fact.kind == "roll":
            return done.actor is None and fact.actor is None
        return (done.kind, fact.kind) == _DEEDS and (done.actor, done.action) == (fact.actor, fact.action)

    def _besides(self, lines: Sequence[Line], used: int) -> Parts:
        """Return other lines of the log as far as there is room, as they came, and how many more there are."""
        is_news = bool(self.people or self.stops)  # what stands with it on a phone is all it sees besides
        room = (_WRAPS if self._vantage.players and not is_news else _ROOM) - used
        told: dict[int, Parts] = {}
        for line in lines:
            said = _sentence(line)
            room -= len(plain(said))
            if room < 0 and len(lines) > 1:
                break
            told[line["seq"]] = said
        parts: Parts = []
        for seq in sorted(told):
            parts += [" " if parts or used else "", *told[seq]]
        left = len(lines) - len(told)
        return [*parts, f"{' ' if parts or used else ''}{left} more in the log."] if left else parts

    def _when(self) -> Parts:
        """Return when it was, for a row that is never empty: another round may have begun since."""
        if self._now._state.window is not None:
            return []
        first = self._blows[:1] or [self._by_seq[line["seq"]] for line in self._lines[:1]] or self.events
        return place(self._vantage, first[0].seq)

    def _owed(self) -> Owed | None:
        """Return who is hit by something that takes off them what nobody has said yet, where it is said from here.

        A seat is asked for longer: see `owed_at`.
        """
        vantage = self._vantage
        if vantage.past is not None or vantage.seat:
            return None
        for blow in self._blows:
            who = str(blow.actor)
            if vantage.deals_for(who) and is_owed(self._now, blow, self.events):
                owed: Owed = {"name": str(blow.target), "attacker": who}
                table = table_of(vantage.encounter)
                seat = None if blow.seq in table.left_open else table.dealer(who)
                return owed if seat is None else {**owed, "seat": seat}
        return None

    def _asked_elsewhere(self, owed: Owed | None, more: bool) -> Parts:
        """Say to the GM at which seats it is asked how much hits take, those of before too."""
        seat_of = table_of(self._vantage.encounter).seat_of
        said = [self._say("owed", who=neutral(owed["seat"]))] if owed is not None and "seat" in owed else []
        told = {blow.seq for blow in self._blows}
        for blow in unsaid(self._vantage):
            if not (said and blow.seq in told):
                who, target = neutral(str(seat_of(str(blow.actor)))), neutral(str(blow.target))
                said.append(self._say("of_whom", who=who, target=target))
        return [" " * more, " ".join(dict.fromkeys(said))] if said else []


def _gravity(vantage: Vantage, person: Suffered) -> tuple[int, int, bool, bool, bool]:
    """Return how grave it is: dead before down, then the greatest loss, a hit before a miss, who rises before a gain.

    Losses count that players may know, whoever reads: what the GM reads out stands in one order on every page.
    """
    ids = {event._data["id"] for event in person.falls}
    fell = 2 if "dead" in ids else 1 if ids else 0
    state = vantage.now._state
    fighter = state.fighters.get(person.who)
    is_known = fighter is not None and (not fighter.npc or shows_numbers(state, fighter))
    lost = sum(person.lost.values()) if is_known else 0
    hit = any(blow._data.get("outcome") == "hit" for strike in person.strikes for blow in strike.blows)
    return fell, lost, hit or bool(person.losses), bool(person.strikes), bool(person.rises)


def _left(vantage: Vantage, loss: Event) -> tuple[int | None, int | None]:
    """Return what is left of the vital that was lost of, and its maximum, as far as they are known."""
    fighter: Fighter | None = vantage.now._state.fighters.get(loss.target or "")
    left, full = loss._data.get("left"), fighter and most_of(vantage.now.ruleset, fighter, loss._data.get("vital", ""))
    return (left, full if type(full) is int else None) if type(left) is int else (None, None)


def _deed(event: Event) -> tuple[str | None, str | None]:
    """Return by whom an event is, and by which action."""
    return event.actor, event.action


def _came(blow: Event) -> bool:
    """Check whether somebody has said what a blow came to."""
    return bool(blow._data.get("outcome"))


def _is_twenty(blow: Event) -> bool:
    return list(blow._data.get("faces") or ()) == [20] and str(blow._data.get("notation", "")).startswith("1d20")


def in_the_end(falls: Sequence[Event]) -> list[Event]:
    """Return how somebody fell, without what they got up from only to fall again."""
    told: list[Event] = []
    for event in falls:
        alike = [each for each in told if each._data["id"] == event._data["id"]]
        if event.kind == "effect" and any(each.kind == "effect_end" for each in alike):
            told = [each for each in told if each not in alike]
        told.append(event)
    return told


def _joined(told: Sequence[Parts], mark: str) -> Parts:
    return [part for index, parts in enumerate(told) for part in ([mark] if index else []) + parts]


def about(vantage: Vantage, who: str | None, text: Parts, sub: Parts) -> Result:
    """Return a result, with what stands for whoever it is about, if they are there."""
    fighter = vantage.now._state.fighters.get(who or "")
    shown: Result = {"text": text, "sub": sub}
    return shown if fighter is None else {**shown, "who": token(fighter, vantage.sides)}


def _sentence(line: Line) -> Parts:
    """Return a line as a sentence: with a subject, and an end."""
    loud = [part for part in line["text"] if not (isinstance(part, dict) and "quiet" in part)]
    parts: Parts = loud if plain(loud) else [plain(line["text"])]
    while parts and isinstance(parts[-1], str) and not parts[-1].strip():
        parts = parts[:-1]
    actor = neutral(line["actor"])
    told: Parts = [f"{capital(actor)} ", *parts] if actor else parts
    return told if plain(told)[-1:] in ".!?" else [*told, "."]


def place(vantage: Vantage, seq: int) -> Parts:
    """Return when an event was, for a line that is never empty: another round may have begun since."""
    return [vantage.encounter.at(seq).clock.label]


def _large(found: re.Match[str]) -> str:
    return found[0].upper()


def strong(text: str) -> str:
    """Mark text that is to be strong; `marked` makes parts of it."""
    return f"\ue000{text}\ue001"


def marked(text: str) -> Parts:
    """Return text with what is strong in it as marks."""
    pieces = _STRONG.split(text)
    return [{"strong": piece} if index % 2 else piece for index, piece in enumerate(pieces) if piece]
