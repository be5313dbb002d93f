"""What the last call came to, as one sentence and what it rests on."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from combatkit.core.curtain import vital_word
from combatkit.core.model import Event, Fighter
from combatkit.report.shapes import Line
from combatkit.report.words import dice_parts, plain, sentence
from combatkit.rules.checks import say_names
from combatkit.rules.shapes import Parts
from combatkit.rules.vitals import DOWN
from combatkit.text import neutral, say, signed
from combatkit.widgets._tokens import token
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import Fell, Result

_ASIDES = ("window", "answer", "refresh")
"""Kinds of event that are no result where a call came to something else: who was asked, and who let it go."""

_SET_UP = ("encounter", "table", "combatant", "begin")
"""Calls that begin with such an event set a fight up."""

_STRUCK = {"hit": "result.hits", "miss": "result.misses"}

_STRONG = re.compile("\ue000(.*?)\ue001")
"""What is to be strong in a sentence, between two characters that no text has."""

_DEAD = "dead"

_NAMED = 4
"""How many of those who come in at once are named."""


def result_of(vantage: Vantage) -> Result | None:
    """Return what the last call came to up to the moment that is looked at; setting a fight up is no result.

    If that call was taken back, say so: what came before it is no news.
    """
    timeline = vantage.encounter._timeline
    newest = timeline.events[: vantage.seq][-1:]
    if newest and newest[0].kind == "undo":
        return None if vantage.players else {"text": [sentence(f"{newest[0].text}.")], "sub": [vantage.now.clock.label]}
    log_lines = vantage.log_lines
    # Before the fight not every call has a line of its own.
    is_set_up = vantage.now._state.stage == "setup" and newest
    past = vantage.seq is not None
    events = vantage.call_at(newest[0].seq if is_set_up else log_lines.cursor(vantage.cursor, past) or 1)
    if events[0].kind == "begin":
        return _begun(vantage)
    came = [event for event in events if event.kind == "combatant" and "edited" not in event._data]
    if came and not vantage.players:
        was = next((str(event.actor) for event in events if event.kind == "leave"), "")
        return _come(vantage, came, was)
    if events[0].kind in _SET_UP and events[0].round is None and "edited" not in events[0]._data:
        return None
    lines = list(log_lines.span(events[0].seq, events[-1].seq)[0].values())
    lines = [each for each in lines if timeline.events[each["seq"] - 1].kind not in _ASIDES] or lines
    if not lines:
        return None
    if any(event.kind == "leave" for event in events):  # in their own turn they end it first, which is not the news
        lines.sort(key=lambda each: timeline.events[each["seq"] - 1].kind == "turn_end")
    shown = (None if vantage.players else _struck(vantage, events, lines)) or _told(vantage, lines)
    if rules := list(dict.fromkeys(id for line in lines for id in line["cite"])):
        shown["rules"] = rules
    if fell := _fell(vantage, events):
        shown["fell"] = fell
    return shown


def _come(vantage: Vantage, came: Sequence[Event], was: str) -> Result:
    """Say who has come in, or back, or is called otherwise than they were, and on whose side."""
    names = [neutral(str(event.actor)) for event in came]
    sides = list(dict.fromkeys(neutral(event._data["side"]) for event in came))
    back = all(event._data.get("returns") for event in came)
    who = say_names([_strong(name) for name in names]) if len(names) <= _NAMED else f"{len(names)} combatants"
    one = len(names) == 1
    does = f"{'is' if one else 'are'} back" if back else f"{'joins' if one else 'join'} the fight"
    if was:
        who, does = _strong(neutral(was)), f"is now {who}"
    whose = f"(side: {sides[0]})" if len(sides) == 1 else f"on {len(sides)} sides"
    return _about(vantage, came[-1].actor, _marked(f"{who} {does} {whose}."), _place(vantage, came[-1].seq))


def _begun(vantage: Vantage) -> Result:
    first = vantage.now.active
    sub = f"{neutral(first)} is first." if first else vantage.now.clock.label
    return _about(vantage, first, ["The fight begins."], [sub])


def _about(vantage: Vantage, who: str | None, text: Parts, sub: Parts) -> Result:
    """Return a result, with what stands for whoever it is about, if they are there."""
    fighter = vantage.now._state.fighters.get(who or "")
    shown: Result = {"text": text, "sub": sub}
    return shown if fighter is None else {**shown, "who": token(fighter, vantage.sides)}


def _told(vantage: Vantage, lines: list[Line]) -> Result:
    """Say it as the log does: the first line is the sentence, the next what it brings."""
    first, rest = lines[0], lines[1:]
    text = _sentence(first)
    more: Parts = [f"{len(rest)} more in the log."] if rest else _place(vantage, first["seq"])
    sub = _sentence(rest[0]) if len(rest) == 1 else more
    return _about(vantage, first["actor"], text, sub)


def _sentence(line: Line) -> Parts:
    """Return a line as a sentence: with a subject, and an end."""
    loud = [part for part in line["text"] if not (isinstance(part, dict) and "quiet" in part)]
    parts: Parts = loud if plain(loud) else [plain(line["text"])]
    while parts and isinstance(parts[-1], str) and not parts[-1].strip():
        parts = parts[:-1]
    actor = neutral(line["actor"])
    told: Parts = [f"{actor} ", *parts] if actor else parts
    return told if plain(told)[-1:] in ".!?" else [*told, "."]


def _place(vantage: Vantage, seq: int) -> Parts:
    """Return when an event was, for a line that is never empty: another round may have begun since."""
    return [vantage.encounter.at(seq).clock.label]


def _struck(vantage: Vantage, events: Sequence[Event], lines: list[Line]) -> Result | None:
    """Say an attack in one sentence: whether it hits, what it costs, what is left.

    Of several it is one for which nobody has said how much yet, else the gravest.
    """
    blows = [event for event in events if event.kind == "attack" and event._data.get("outcome") in _STRUCK]
    if not blows:
        return None
    hurts = {event.target: event for event in events if event.kind == "damage" and event.actor is not None}
    blow = max(blows, key=lambda event: (_is_owed(vantage, event, hurts), _harm(hurts.get(event.target))))
    hurt = hurts.get(blow.target)
    state = vantage.now._state
    attacker, struck = state.fighters.get(blow.actor or ""), state.fighters.get(blow.target or "")
    if attacker is None or struck is None:
        return None
    needed = "" if blow._data.get("needed") is None else blow._data["needed"]
    left, full = _left(struck, hurt)
    fields = {
        "who": neutral(attacker.name),
        "target": _strong(neutral(struck.name)),
        "whose": neutral(struck.name),
        "total": blow._data.get("total", ""),
        "needed": needed,
        "amount": "" if hurt is None else _strong(str(hurt.amount or 0)),
        "left": signed(left) if isinstance(left, int) and left >= 0 else "",
        "full": full,
    }
    told = vantage.log_lines.told(say(_STRUCK[blow._data["outcome"]], **fields))
    shown = _about(vantage, attacker.name, _marked(told), _rests_on(vantage, blow, hurt, struck, lines))
    faces: Sequence[int] = blow._data.get("faces") or ()
    if list(faces) == [20] and str(blow._data.get("notation", "")).startswith("1d20"):
        shown["twenty"] = True
    if _is_owed(vantage, blow, hurts) and not vantage.looks_on:
        shown["owed"] = struck.name
    return shown


def _is_owed(vantage: Vantage, blow: Event, hurts: Mapping[str | None, Event]) -> bool:
    """Check whether a hit takes something off somebody, and nobody has said how much."""
    rules, state = vantage.now.ruleset, vantage.now._state
    action, struck = rules.catalogue(state).get(blow.action or ""), state.fighters.get(blow.target or "")
    if action is None or struck is None or blow._data["outcome"] != "hit" or blow.target in hurts:
        return False
    keeps = bool(rules.vitals) and struck.vitals.get(rules.vitals[0].name) is not None
    return keeps and "attack" in action.tags and "damage" in action.takes


def _harm(hurt: Event | None) -> int:
    return -1 if hurt is None else hurt.amount or 0


def _left(struck: Fighter, hurt: Event | None) -> tuple[int | str, int | str]:
    """Return what is left of the vital that was harmed, and its maximum, if both are known."""
    if hurt is None or "left" not in hurt._data:
        return "", ""
    left, full = hurt._data["left"], struck.stats.get(hurt._data["vital"])
    return (left, full) if type(full) is int and left is not None else ("", "")


def _rests_on(vantage: Vantage, blow: Event, hurt: Event | None, struck: Fighter, lines: list[Line]) -> Parts:
    """Return the dice, and one consequence in words."""
    told = vantage.log_lines.told
    parts: Parts = []
    if dice := _dice(blow):
        parts = [*dice, f" {told(say('result.to_hit'))}"]
    if hurt is not None and (dice := _dice(hurt)):
        parts += [", " if parts else "", *dice, f" {told(say('result.damage'))}"]
    if parts:
        parts.append(".")
    lost = next((line for line in lines if line["actor"] == struck.name and _stops(vantage, line)), None)
    if lost is not None and struck.effect(DOWN) is None:
        return [*parts, " ", *_sentence(lost)]
    left, full = _left(struck, hurt)
    if isinstance(left, int) and isinstance(full, int) and left > 0 and 2 * left <= full < 2 * (left + _harm(hurt)):
        word = vital_word(left, full)  # news with the blow that makes it so
        parts.append(f" {told(say('result.stands', who=neutral(struck.name), word=word))}")
    elif hurt is not None and struck.effect(DOWN) is not None:
        parts.append(f" {told(say('result.down', who=neutral(struck.name)))}")
    elif len(lines) > 2:
        parts.append(f" {len(lines) - 2} more in the log.")
    return parts or _place(vantage, blow.seq)


def _stops(vantage: Vantage, line: Line) -> bool:
    """Check whether a line tells of what gets no further, such as a spell that damage breaks."""
    return vantage.encounter._timeline.events[line["seq"] - 1].kind == "stopped"


def _dice(event: Event) -> Parts:
    """Return the dice of a roll and what was added; the total stands in the sentence."""
    return [part.partition(" = ")[0] if isinstance(part, str) else part for part in dice_parts(event._data)][1:]


def _fell(vantage: Vantage, events: Sequence[Event]) -> Fell | None:
    """Return who went down by what was done last, and how they stand now."""
    now = vantage.now._state
    for event in () if vantage.players or now.stage != "running" else events:
        settles = event.kind in ("effect", "effect_end") and event._data.get("id") in (DOWN, _DEAD)
        fighter = now.fighters.get(event.target or "") if settles else None
        if fighter is not None:
            stands = next((id for id in (_DEAD, DOWN) if fighter.effect(id) is not None), "on")
            return {"name": fighter.name, "stands": stands}
    return None


def _strong(text: str) -> str:
    return f"\ue000{text}\ue001"


def _marked(text: str) -> Parts:
    """Return text with what is strong in it as marks."""
    pieces = _STRONG.split(text)
    return [{"strong": piece} if index % 2 else piece for index, piece in enumerate(pieces) if piece]
