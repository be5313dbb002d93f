"""The turn's controls as plain data: the clock, whose turn it is, open windows."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Literal

from msgspec.structs import replace

from combatkit.core.curtain import SOMEBODY
from combatkit.core.model import Bid, State
from combatkit.core.plain import counted
from combatkit.fight.fight import Encounter
from combatkit.registry import rulesets
from combatkit.report.shapes import Clock
from combatkit.report.words import (
    clock_view,
    condition_said,
    condition_word,
    number_word,
    ordinal,
    said_time,
    sides_view,
    whole,
)
from combatkit.rules.judge import judge
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Language, neutral, say_names
from combatkit.text.phrases import capital
from combatkit.widgets._end_view import alone, end_view, ending
from combatkit.widgets._fit import MANY, first
from combatkit.widgets._passing import last_passed
from combatkit.widgets._result import result_of
from combatkit.widgets._rung_acts import by_concern, choices_told, concerned, offer, stops, what_is_asked, who_is_asked
from combatkit.widgets._setup_view import setup_view
from combatkit.widgets._table import still_asked, table_of
from combatkit.widgets._tokens import token
from combatkit.widgets._tongue import language_at
from combatkit.widgets._travel_view import travel_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Asked, Ending, TrackerView, TurnWords, Way
from combatkit.widgets.shapes import Window as ShownWindow

_UNTILS = (
    "",
    "end of round",
    "start of turn",
    "end of turn",
    "next action",
    "1 round",
    "2 rounds",
    "3 rounds",
    "10 rounds",
)
"""Until when a form sets a condition; a call takes any number of rounds, and another's turn."""


_OWN_TURN = "end of their own turn"
"""What the end of a combatant's turn is called where rounds are Turns."""


@lru_cache
def untils(rules: Ruleset, language: Language) -> dict[str, str]:
    """Return until when a form sets a condition, as the system says it, by what that is in the fight's language."""
    found: dict[str, str] = {}
    for said in map(rules.said_span, _UNTILS):
        shown = language.several(said)
        if shown.casefold() in map(str.casefold, found):  # a Turn of twelve seconds is another than one's own
            shown = language.several(_OWN_TURN)
        found[shown] = said
    return found


_MODES: dict[str, Literal["setup", "play", "over"]] = {"setup": "setup", "running": "play", "over": "over"}
"""What can be done, by the stage of the fight."""

_ASKED = 12
"""How many of those who are asked in a window are named here; a ladder shows them all."""

_NAMED = 3
"""How many of those who are asked at once are named in a sentence."""

_ROUND = re.compile(", | · ")


def head_of(vantage: Vantage) -> TrackerView:
    """Return what stands at the head of a moment: when it is, whose turn, what play has stopped for."""
    now = vantage.now
    rules, state = now.ruleset, now._state
    return {
        "mode": "past" if vantage.past is not None else _MODES[state.stage],
        "system": rules.id,
        "clock": _clock(vantage),
        "turn": _turn(rules, state, vantage),
        "windows": [] if state.stage != "running" else _windows(vantage, rules, state),
        "announce": neutral(_announcement(vantage, rules, state)),
        "sides": sides_view(vantage.sides),
        "players": vantage.players,
    }


def tracker_view(vantage: Vantage) -> TrackerView:
    """Return the view of the turn's controls."""
    now = vantage.now
    rules, state = now.ruleset, now._state
    encounter = vantage.encounter
    view = head_of(vantage)
    view |= {
        "end": _end(rules, state, encounter),
        "undo": _way("" if vantage.players else _taken_back(encounter), "Undo"),
        "redo": _way("" if vantage.players else encounter.can_redo, "Redo"),
        "dice": "table" if vantage.table else "seeded",
    }
    mode = view["mode"]
    if mode != "past" and (told := result_of(vantage)):
        view["result"] = told
    if mode == "over":
        view["card"] = end_view(vantage)
    if mode != "setup" and not vantage.players:
        view["past"] = travel_view(vantage)
    if vantage.task is not None:
        view["task"] = True
    if vantage.players:
        return view
    if mode == "play" and not view["windows"] and (wins := ending(vantage)):
        view["ends"] = alone(wins)
    asks = table_of(encounter).asked()
    if mode == "play" and asks:
        view["ready"] = asks
        view["announce"] = " ".join([*(f"{each['text']}." for each in asks), view["announce"]])
    watch = encounter._stopwatch
    if watch.runs and mode == "play":
        watch.lap()  # of what has just happened it may not have been told
        view["timer"] = round(watch.began * 1000)
    view["systems"] = [[each.id, each.title] for each in rulesets()] if mode == "setup" else []
    view["setup"] = setup_view(vantage, mode)
    gone = [f.name for f in encounter._state.fighters.values() if f.effect("left") is not None]
    view["gm"] = {
        "names": first((name for name in encounter.names if name not in gone), MANY),
        "gone": first(gone, MANY),
        "conditions": [*condition_words(vantage)],
        "untils": [*untils(rules, language_at(vantage))],
        "skip": language_at(vantage).word(rules.skip_title),
    }
    whose = vantage.whose
    if whose is not None and whose not in (encounter.active, *gone):
        view["gm"]["chosen"] = whose
    return view


def condition_words(vantage: Vantage) -> dict[str, str]:
    """Return the conditions that a form offers by their words in the fight's language: the system's, and those kept.

    One that needs a number has one, which stands for any.
    """
    return _offered(vantage.now.ruleset, language_at(vantage)) | {each.id: each.id for each in vantage.kept}


@lru_cache
def _offered(rules: Ruleset, language: Language) -> dict[str, str]:
    """Return the conditions of a system that a form offers, by their words in the fight's language."""
    offered = [each for each in rules.conditions if each.offered]
    return {language.several(condition_said(each.id, each.needs)): condition_word(each.id) for each in offered}


def _clock(vantage: Vantage) -> Clock:
    """Return the clock; what a strip of the ladder tells about the round is not said twice."""
    return part_clock(vantage, 1)


def part_clock(vantage: Vantage, count: int) -> Clock:
    """Return the clock with so many parts of its label, the round first, then its phase or half."""
    shown = clock_view(vantage.now.clock)
    ends = [part.start() for part in _ROUND.finditer(shown["label"])]
    return shown | {"label": shown["label"][: ends[count - 1]] if len(ends) >= count else shown["label"]}


def _taken_back(encounter: Encounter) -> str:
    """Return what undo would take: what somebody has let go since the last call, else that call."""
    name = last_passed(encounter)
    return f"Let it go ({name})" if name else encounter.can_undo


def _way(title: str, word: str) -> Way:
    return {"allowed": bool(title), "title": f"{word}: {title}" if title else f"Nothing to {word.lower()}."}


def _turn(rules: Ruleset, state: State, vantage: Vantage) -> TurnWords:
    if state.stage == "setup":
        sides = len({fighter.side for fighter in state.fighters.values()})
        many = f"{counted(len(state.fighters), 'combatant')}, {counted(sides, 'side')}"
        return {"title": "", "sub": many if sides else "nobody is in yet"}
    if state.round is None:
        return {"title": "", "sub": "not begun yet"}
    if state.stage == "over":
        return {"title": "The fight is over", "sub": ""}
    turn = state.turn
    alone = _asked(vantage, state) if turn is None else []
    if len(alone) == 1:
        who = alone[0].who
        shown = token(state.fighters[who], vantage.sides)
        return {"title": neutral(who), "sub": what_is_asked(alone), "who": shown}
    words: TurnWords = {"title": _whose(vantage, rules, state), "sub": ""}
    if turn is not None:
        words["who"] = token(state.fighters[turn.who], vantage.sides)
        if veil := vantage.veil(state.fighters[turn.who]):
            words["who"]["veil"] = veil
    waits = _waits_for(vantage, rules, state)
    words["sub"] = neutral(waits or (_place_of(rules, state) if turn else _nobody(vantage, rules, state)))
    fighter = state.fighters[turn.who] if turn is not None else None
    if fighter is not None and rules.may_fall(state, fighter) and not vantage.hides(fighter):
        vital = rules.vitals[0]
        words["sub"] = f"no {(vital.title or vital.name).lower()} left: end the turn if they are down"
    return words


def _whose(vantage: Vantage, rules: Ruleset, state: State) -> str:
    """Say whose turn it is; to players the turn of somebody hidden looks as any moment at which the GM goes on."""
    window = state.window
    if state.turn is not None:
        return f"{capital(neutral(state.turn.who))}'s turn"
    if rules.presentation.now(state).roll_call is not None:
        return "Declarations"
    if not vantage.players:
        return "It's nobody's turn"
    if window is None:
        return "Waiting for the GM"
    return "Somebody acts" if window.about.startswith(SOMEBODY) else "Something happens"


def _waits_for(vantage: Vantage, rules: Ruleset, state: State) -> str:
    """Say who play has stopped for."""
    window, asked = state.window, _asked(vantage, state)
    if window is None or not (asked or window.question or window.bids or state.turn is None):
        return ""
    if not asked:
        if window.question:
            return "interrupted: a question to the GM"
        return "interrupted: waiting for the GM" if vantage.players else "interrupted: everybody lets it go"
    near = _near(rules, state, asked) or asked
    names, who = {bid.who for bid in near}, near[0].who
    number = len(names)
    if len(near) < len(asked) and not near[0].must:  # others may step in as well
        number = len({bid.who for bid in asked})
        more = number - 1
        if len(names) == 1:
            return f"interrupted: {who} and {'one other' if more == 1 else f'{more} more'} may react"
    must = all(bid.must for bid in near)
    return f"interrupted: {who if number == 1 else number_word(number)} {'must answer' if must else 'may react'}"


def _asked(vantage: Vantage, state: State) -> list[Bid]:
    """Return whose answer is still to come."""
    passed = vantage.passed
    bids = state.window.bids if state.window is not None else ()
    return [bid for bid in bids if not bid.answered and bid.who not in passed]


def _near(rules: Ruleset, state: State, asked: list[Bid]) -> list[Bid]:
    """Return those of them whom it concerns."""
    near = concerned(rules, state)
    return [bid for bid in asked if bid.who in near]


def _nobody(vantage: Vantage, rules: Ruleset, state: State) -> str:
    if vantage.past is not None:
        return ""
    step = rules.present_step(state)
    chooses = step is not None and step.stops
    sight = rules.presentation.now(state)
    if sight.roll_call is not None:
        said = sight.unsaid or "Say what each will do."
        return said if _end(rules, state, vantage.encounter).get("first") else f"{said} End the step to go on."
    if vantage.players:
        return ""
    return "pick somebody on the ladder, then an action" if chooses else "anyone waiting may act now"


def _turns_of(rules: Ruleset, state: State) -> tuple[list[str], int]:
    """Return whose turns a round still has, in their order, and how many have begun; none where nobody's runs."""
    agenda, occasion, turn = state.agenda, state.occasion, state.turn
    steps = [step for step in rules.schedule(state) if step.turns] if turn is not None else ()
    now = (
        next((i for i, place in enumerate(agenda) if turn is not None and place.id == turn.place), -1) if steps else -1
    )
    if now < 0:
        return [], 0
    # A place that no step calls has no turn: a caster's own, while the spell has another. Whose turn runs has theirs.
    due = [
        at != now
        and place.done < occasion
        and rules.has_turns(state.fighters[place.who])
        and True in [rules.calls(state, step, place) for step in steps]
        for at, place in enumerate(agenda)
    ]
    left = [place.who for place, is_due in zip(agenda[now + 1 :], due[now + 1 :], strict=True) if is_due]
    # Whom the order has passed and who can act again, as somebody who is healed, comes before all of them.
    step = rules.present_step(state) if True in due[:now] else None
    if step is not None:
        past = [p for p, is_due in zip(agenda[:now], due, strict=False) if is_due and not p.waits]
        left[:0] = [place.who for place in past if rules.calls(state, step, place)]
    # A turn that was had counts on, though no step calls it now; a place of one who acted by another does not.
    opened = [place.opened for place in agenda]
    begun = opened[: now + 1].count(occasion)
    if occasion in opened[now + 1 :]:  # who has put it off is still to come
        begun += sum(
            at == occasion and not is_due for at, is_due in zip(opened[now + 1 :], due[now + 1 :], strict=True)
        )
    return left, begun


def next_in(rules: Ruleset, state: State) -> str:
    """Return who else comes next in this round; nobody, where no turn runs or nobody else has one left."""
    left, _ = _turns_of(rules, state)
    return _other(left, state)


def _other(left: list[str], state: State) -> str:
    """Return the first of these whose turn it is not already."""
    active = "" if state.turn is None else state.turn.who
    for name in left:
        if name != active:
            return name
    return ""


def _place_of(rules: Ruleset, state: State) -> str:
    """Say where among the turns of the round this one is, and who else comes next: some have several."""
    left, begun = _turns_of(rules, state)
    if not begun:
        return rules.presentation.now(state).headline
    number = begun + len(left)
    other = _other(left, state)
    after = whole(other) if other else f"the next {rules.occasion_title}"
    return f"{ordinal(begun)} of {number} turns, then {after}" if number > 1 else f"the only turn, then {after}"


def _end(rules: Ruleset, state: State, encounter: Encounter) -> Ending:
    label = rules.end_title if state.turn is not None else rules.end_step_title
    window = state.window
    why = "" if state.stage == "running" else "The fight isn't running."
    if window is not None and not window.soft:
        why = "Waiting for an answer."
    ending: Ending = {"label": label, "allowed": not why, "reason": [why] if why else []}
    if not why and (skipped := rules.presentation.now(state).skipped or _left_off(rules, state)):
        asked = rules.presentation.now(state).roll_call
        # Who plays all of them and has said nothing of any has no more to say; players may be thinking still.
        if asked is None or any(call["said"] for call in asked["rows"].values()) or table_of(encounter).plays:
            ending["first"] = skipped
    return ending


def _left_off(rules: Ruleset, state: State) -> str:
    """Say that what somebody has begun is lost if they don't go on with it before their turn ends."""
    turn = state.turn
    if turn is None:
        return ""
    fighter = state.fighters[turn.who]
    for action, case in rules.presentation.lapsing(state, turn) if rules.able(fighter) else ():
        if not judge(case, brief=True).objections:
            return f"{action.title} is under way, and lost if it doesn't go on now. Once more ends the turn."
    return ""


def _announcement(vantage: Vantage, rules: Ruleset, state: State) -> str:
    if state.stage == "setup" or vantage.past is not None:  # the log says to which moment one has gone
        return ""
    if state.stage == "over":
        return "The fight is over."
    window = state.window
    if window is not None:
        asked, passed = _asked(vantage, state), vantage.passed
        if passed:
            return f"{passed[-1]} lets it go. {_still(asked, vantage.players)}"
        near = _near(rules, state, asked)
        words = _who_is_asked(vantage, rules, state, asked)
        names = list(dict.fromkeys(bid.who for bid in asked))
        if near == asked and len(names) > 1:
            words = f"{who_is_asked(names, all(bid.must for bid in asked))}."
        return f"{_sentence(window.about)} {words}" if asked else _sentence(window.about)
    clock = rules.clock(state)
    time = said_time(clock.seconds)
    return f"{_whose(vantage, rules, state)}. {clock.label}{f', {time}' if time else ''}."


# ── windows ──


def _windows(vantage: Vantage, rules: Ruleset, state: State) -> list[ShownWindow]:
    """Return the window on top: those below wait for it."""
    window = state.window
    if window is None:
        return []
    asked, passed = by_concern(state, window), vantage.passed
    plays = vantage.plays  # whoever is asked here has an answer here, however many others there are
    listed = sorted(asked, key=lambda bid: bid.who not in plays) if plays else asked
    rows: list[Asked] = [
        {"who": bid.who, "side": vantage.sides[state.fighters[bid.who].side], "must": bid.must}
        for bid in listed[:_ASKED]
    ]
    for row in rows:
        if row["who"] in passed:
            row["passed"] = True
    cited = list(dict.fromkeys(bid.rule for bid in asked if bid.rule))
    sub = neutral(
        _still(_asked(vantage, state), vantage.players) if passed else _who_is_asked(vantage, rules, state, asked)
    )
    seats, own = ([], []) if vantage.players or vantage.past is not None else still_asked(vantage.encounter)
    names = say_names([table_of(vantage.encounter).called(seat) for seat in seats])
    if window.question:
        choices = [] if vantage.players else first(choices_told(rules, state, window), MANY)
        rows.append({"who": "GM", "side": None, "must": True, "choices": choices})
        if window.many:
            rows[-1]["many"] = True
        cited.append(window.question)
    title = _sentence(neutral(window.about))
    if window.question and (more := title.partition("? ")[2]):  # the buttons answer the question itself
        title, sub = title.removesuffix(f" {more}"), f"{more} {sub}"
    shown: ShownWindow = {
        "id": str(vantage.log_lines.number(window.seq)),
        "title": title,
        "question": bool(window.question),
        "rows": rows,
        "more": len(asked[_ASKED:]),
        "sub": [f"Waiting for {names}.", " ", sub] if seats else [sub],
        "rules": cited,
        "soft": not stops(rules, state),
    }
    if seats and own and not shown["soft"]:
        shown["shared"] = True
    elif not shown["soft"] and not table_of(vantage.encounter).here.isdisjoint(seats):
        shown["held"] = True
    return [shown]


def _sentence(about: str) -> str:
    """Return what a window is about as a sentence: one with a question mark, or a stop, needs no other."""
    about = capital(about)
    return about if about[-1:] in ".?!" else f"{about}."


def _who_is_asked(vantage: Vantage, rules: Ruleset, state: State, asked: list[Bid]) -> str:
    if not asked:
        return "The GM decides." if vantage.task is None else "You decide: you play everybody."
    near = _near(rules, state, asked)
    names = list(dict.fromkeys(bid.who for bid in near))
    rest = len({bid.who for bid in asked}) - len(names)
    if not near:
        return "One other may react." if rest == 1 else f"{number_word(rest).capitalize()} others may react."
    also = f" {number_word(rest).capitalize()} others may react too." if rest else ""
    if rest == 1:
        also = " One other may react too."
    if len(names) == 1:
        told = replace(near[0], actions=tuple([action for bid in near for action in bid.actions]))
        return f"{offer(rules, state, told, vantage.hides(state.fighters[told.who]))}.{also}"
    few = say_names(names) if len(names) <= _NAMED else number_word(len(names)).capitalize()
    if all(bid.must for bid in near):
        return f"{few} must answer, in any order.{also}"
    return f"{few} may react, in any order.{also}"


def _still(asked: list[Bid], players: bool) -> str:
    """Say who may still answer, where others have let it go."""
    names = list(dict.fromkeys(bid.who for bid in asked))
    if not names:  # players can't tell whether the GM types dice still, or answers for somebody hidden
        return "Waiting for the GM." if players else "Everybody lets it go."
    if len(names) == 1:
        return f"Only {names[0]} {'must' if asked[0].must else 'may'} still react."
    return f"{len(names)} may still react: {say_names(names)}."
