"""What the last call came to: who went through what, what it rests on, and how much more the log tells."""

from __future__ import annotations

from collections.abc import Sequence

from combatkit.core.model import Event
from combatkit.core.timeline import MOVES
from combatkit.report.words import plain
from combatkit.rules.shapes import Parts
from combatkit.rules.vitals import DEAD
from combatkit.text import Title, neutral, say, say_names, signed
from combatkit.text.phrases import capital
from combatkit.widgets._end_view import open_falls
from combatkit.widgets._told import Told, about, marked, place, strong
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Fell, Result

_SET_UP = ("encounter", "table", "combatant", "begin")
"""Calls that begin with such an event set a fight up."""

_NAMED = 4
"""How many of those who come in at once are named."""


_UNASKED = "Nobody is asked: nobody keeps anything ready for that, and it gives nobody an opening."
"""What is said where the GM calls for reactions and the rules give nobody one."""


def result_of(vantage: Vantage) -> Result | None:
    """Return what the last call came to up to the moment that is looked at; setting a fight up is no result.

    If that call was taken back, say so: what came before it is no news, but for what is asked again by that. Players
    are told what their log tells: of what they never saw nobody learns that it was taken back.
    """
    newest = vantage.events[: vantage.seq][-1:]
    if not newest or newest[0].kind not in MOVES:
        return _came_to(vantage, newest)
    moved, came = newest[0], _came_to(vantage, newest)
    told = [*vantage.log_lines.span(moved.seq, moved.seq)[0].values()]
    if vantage.players and not told:
        return came if moved.kind == "redo" else None
    if moved.kind == "redo":
        return came and {**came, "sub": ["Done again.", " ", *came["sub"]]}
    words = _condition(vantage, moved) or (plain(told[0]["text"]) if told else capital(moved.text))
    undone: Result = {"text": [f"{words}."], "sub": _again(vantage, moved) or [vantage.now.clock.label]}
    if came is not None and "owed" in came:
        undone["owed"] = came["owed"]
    return undone


def _condition(vantage: Vantage, undone: Event) -> str:
    """Say whom a condition in the GM's own words was taken back from; players read no more than that it was one."""
    rules, language = vantage.now.ruleset, vantage.now._state.language
    (first, last), *more = undone._data["calls"]
    struck = vantage.events[first - 1]
    if vantage.players or more or struck.kind not in ("effect", "effect_end"):
        return ""
    if not rules.keeps(vantage.now._state, str(struck._data["id"])):
        return ""
    names = dict.fromkeys(neutral(e.target or "") for e in vantage.events[first - 1 : last] if e.kind == struck.kind)
    who = ", ".join(names) if len(names) <= _NAMED else f"{len(names)} combatants"
    called = Title(f"{capital(str(struck._data['id']).replace('_', ' '))} ({who})")
    return capital(rules.languages[language].render(say("moved.undo", calls=called)))


def _again(vantage: Vantage, undone: Event) -> Parts:
    """Say what those who are played here have again, where what they lost or gained was taken back."""
    if not vantage.plays:
        return []
    state, rules = vantage.now._state, vantage.now.ruleset
    struck = [vantage.events[seq - 1] for first, last in undone._data["calls"] for seq in range(first, last + 1)]
    touched = {event.target for event in struck if event.kind in ("damage", "heal")}
    said = []
    for name in vantage.plays:
        if name in touched and (fighter := state.fighters.get(name)) is not None:
            left = " and ".join([signed(fighter.vitals[v.name] or 0) for v in rules.vitals if v.name in fighter.vitals])
            said.append(f"{name} has {left} again." if len(vantage.plays) > 1 else f"You have {left} again.")
    return [" ".join(said)] if said else []


def _came_to(vantage: Vantage, newest: Sequence[Event]) -> Result | None:
    """Return what the call that is the present came to; of those that set a fight up, the `newest` event tells."""
    log_lines, state = vantage.log_lines, vantage.now._state
    # Before the fight not every call has a line of its own.
    is_set_up = state.stage == "setup" and newest
    past = vantage.seq is not None
    at = newest[0].seq if is_set_up else log_lines.cursor(vantage.cursor, past) or 1
    whole, first = vantage.exchange_at(at)
    # Where only a step is over, what was done before is still the news.
    while not is_set_up and "step_end" in [event.kind for event in whole] and Told(vantage, whole, first).only_passes:
        at = log_lines.cursor(first - 1, past)
        if not at or vantage.exchange_at(at)[0][0].kind in (*_SET_UP, "begin"):
            break
        whole, first = vantage.exchange_at(at)
    events = whole if whole[0].seq == first else [event for event in whole if event.seq >= first]
    if events[0].kind == "begin":
        return _begun(vantage)
    came = [event for event in events if event.kind == "combatant" and "edited" not in event._data]
    if came and not vantage.players:
        was = next((str(event.actor) for event in events if event.kind == "leave"), "")
        return _come(vantage, came, was)
    if events[0].kind in _SET_UP and events[0].round is None and "edited" not in events[0]._data:
        return None
    answers = events[0].kind == "answer"
    told = Told(vantage, whole, first)
    if len(whole) > len(events) and not (told.people or told.stops):
        told = Told(vantage, events, first)
    if state.window is not None and not (told.people or answers):
        return None  # what play has stopped for is told in its place
    shown = told.result()
    if shown is not None and events[0].kind == "trigger" and not any(event.kind == "window" for event in whole):
        shown["sub"] = [_UNASKED]
    acts = answers and any(event.kind == "action" for event in events)  # who parries is news though others may still
    if shown is not None and state.window is not None and (told.people or acts):
        shown["news"] = True
    if shown is not None and (fell := _fell(vantage, told.events)):
        shown["fell"] = fell
    return shown


def _come(vantage: Vantage, came: Sequence[Event], was: str) -> Result:
    """Say who has come in, or back, or is called otherwise than they were, and on whose side."""
    names = [neutral(str(event.actor)) for event in came]
    sides = list(dict.fromkeys(neutral(event._data["side"]) for event in came))
    back = all(event._data.get("returns") for event in came)
    who = say_names([strong(name) for name in names]) if len(names) <= _NAMED else f"{len(names)} combatants"
    one = len(names) == 1
    does = f"{'is' if one else 'are'} back" if back else f"{'joins' if one else 'join'} the fight"
    if was:
        who, does = strong(neutral(was)), f"is now {who}"
    whose = f"(side: {sides[0]})" if len(sides) == 1 else f"on {len(sides)} sides"
    return about(vantage, came[-1].actor, marked(f"{who} {does} {whose}."), place(vantage, came[-1].seq))


def _begun(vantage: Vantage) -> Result:
    first = vantage.now.active
    sub = f"{neutral(first)} is first." if first else vantage.now.clock.label
    return about(vantage, first, ["The fight begins."], [sub])


def _fell(vantage: Vantage, events: Sequence[Event]) -> Fell | None:
    """Return who went down by what was done last, and how they stand; nothing of who stands by now, or was spoken of.

    Of several who fell together the GM is asked about one after the other.
    """
    if vantage.players or (now := vantage.now._state).stage != "running":
        return None
    names, _ = open_falls(vantage.encounter._timeline, now, events)
    if not names:
        return None
    return {"name": names[0], "stands": "dead" if now.fighters[names[0]].effect(DEAD) is not None else "down"}
