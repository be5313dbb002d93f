"""Rich text and words that several widgets share: see "Rich text" in ``docs/wire.md``."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from combatkit.core.dice import TIMES, parse_dice
from combatkit.core.model import Clock, Event
from combatkit.core.timeline import taken_out
from combatkit.report import shapes
from combatkit.report.shapes import Side
from combatkit.rules.ruleset import sayable
from combatkit.rules.shapes import Part, Parts
from combatkit.text import Language, Said, neutral, say, say_names, signed

SIDE_MARKS = "●◆▲■○◇△□"
"""Every side's mark, in order of joining; a ninth has the first again."""

FAILS = {"failed": "miss"}
"""What an attack comes to in a word, where that is another than its outcome: who answers by one, and fails, misses."""

_NUMBERS = ("nobody", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten")
_ONE = {"hexes": "hex", "squares": "square", "zones": "zone"}
"""What one of a unit is called, where that is another word."""

_ENDINGS = {1: "st", 2: "nd", 3: "rd"}
_MINUS = "\N{MINUS SIGN}"
_FITS = 24
"""A name of so many characters fits on a line wherever it stands."""

_NUMBER = re.compile(r" (?=\d+$)")
"""What stands before the number of one of several."""

_PLUS = re.compile(r"\s*[+-]\s*\d+\Z")
_TIE_DICE = re.compile(r"(?<=d\d{2} )(\d+)|(?<= over )(\d+)")


def plain(parts: Iterable[Part]) -> str:
    """Return rich text as a person would read it aloud, rule marks left out."""
    words = []
    for part in parts:
        if isinstance(part, str):
            words.append(part)
        elif "chip" in part:  # it stands apart from its neighbours by itself
            words.append(f" {part['chip']} ")
        elif "rule" not in part and "side" not in part:
            words.append(str(next(iter(part.values()))))
    return neutral(re.sub(r"\s+", " ", "".join(words)).strip())


def whole(name: str) -> str:
    """Return a name that no line ends in: one that is long breaks between its words, but never before its number.

    Examples
    --------
    >>> whole("Gang gunner 2") == "Gang\N{NO-BREAK SPACE}gunner\N{NO-BREAK SPACE}2"
    True
    """
    name = neutral(name)
    return name.replace(" ", "\N{NO-BREAK SPACE}") if len(name) <= _FITS else _NUMBER.sub("\N{NO-BREAK SPACE}", name)


def said_length(length: float, unit: str) -> str:
    """Say a length in whole numbers, as people do: "3 hexes", "1 hex", "14 ft"."""
    return f"{length:.0f} {_ONE.get(unit, unit) if length == 1 else unit}"


def reason_parts(reason: str, rule: str = "") -> Parts:
    """Return a reason with the rule it rests on."""
    reason = neutral(reason)
    if not rule:
        return [reason]
    return [f"{reason} ", {"rule": rule}] if reason else [{"rule": rule}]


def dice_parts(data: Mapping[str, Any], language: Language) -> Parts:
    """Return what was rolled: dice as system and language write them, each face, what was added, the total."""
    faces, times = data.get("faces") or (), data.get("multiplier", 1)
    written = str(data.get("notation", ""))
    notation = parse_dice(written)
    if not faces and times != 1:  # of a plain number
        return [f"{data['rolled'] // times} {TIMES} {times} = {data['rolled']}"]
    if not faces or notation is None:
        return []
    table = data.get("source") == "table"
    parts: Parts = [f"{language.dice(_PLUS.split(written)[0])} "]
    for face in faces:
        if len(parts) > 1:
            parts.append(" ")
        parts.append({"die": face, "table": True} if table else {"die": face})
    plus = notation.plus
    sign = f" {'+' if plus > 0 else _MINUS} {abs(plus)}" if plus else ""
    if times != 1:
        several = bool(sign) or len(faces) > 1
        parts = [f"({parts[0]}", *parts[1:], f"{sign}) {TIMES} {times}"] if several else [*parts, f" {TIMES} {times}"]
        sign = ""
    if sign or len(faces) > 1 or times != 1:
        parts.append(f"{sign} = {signed(data['total'])}")
    return parts


def after_colon(parts: Parts) -> Parts:
    """Return parts with a colon before them; nothing, if there are none."""
    return [": ", *parts] if parts else []


def spaced(parts: Parts) -> Parts:
    """Return parts with a space before them; nothing, if there are none."""
    return [" ", *parts] if parts else []


def of_several(text: str, names: Sequence[str], language: Language) -> str:
    """Say of several what is said of one: "Ann and Bo let it go", from "lets it go"."""
    then = language.render(say("log.then"))
    clauses = re.split(f"({then})", text) if then else [text]
    said = "".join([_of_many(clause, language) for clause in clauses])
    return language.render(say("log.together", names=names, words=said))


def _of_many(clause: str, language: Language) -> str:
    """Say of several what a clause says of one: its verb ends otherwise, which adverbs may stand before."""
    adverbs = re.match(f"(?:(?:{language.render(say('log.adverbs'))}) )*", clause)
    before = adverbs[0] if adverbs is not None else ""
    verb, *rest = re.split(r"\b(?!^)", clause.removeprefix(before), maxsplit=1)
    for ending in language.render(say("log.endings")).split() if verb.islower() else ():
        one, _, many = ending.partition("=")
        if verb == one or (one[0] == "-" and verb.endswith(one[1:])):
            return before + "".join([verb.removesuffix(one.lstrip("-")) + many, *rest]).lstrip()
    return clause


def is_place(to: object) -> bool:
    """Check whether a destination is one place, not a path of them."""
    return isinstance(to, str) or (isinstance(to, list) and len(to) == 2 and type(to[0]) is int)


def tie_parts(why: str) -> Parts:
    """Return what broke a tie, the faces of roll-offs as dice."""
    if "d20" not in why:
        return [why]
    parts: Parts = []
    last = 0
    for found in _TIE_DICE.finditer(why):
        parts += [why[last : found.start()], {"die": int(found.group())}]
        last = found.end()
    return [*parts, why[last:]] if last < len(why) else parts


def condition_word(id: str) -> str:
    """Return a condition's id as words: ``in_melee`` reads in melee."""
    return id.replace("_", " ")


def condition_said(id: str, value: object) -> str:
    """Return a condition with its value, as a note says it: "in melee with Dray", "condition track 2"."""
    if isinstance(value, (list, tuple)) and value and all(isinstance(each, str) for each in value):
        return f"{condition_word(id)} with {say_names(value)}"
    said = sayable(value)
    return condition_word(id) if said is None else f"{condition_word(id)} {said}"


def setting_words(value: object, none: str = "none") -> str:
    """Return how an option is set, as people say it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, (list, tuple)):
        return ", ".join([setting_words(each, none) for each in value])
    return none if value is None else "GM" if value == "gm" else str(value).replace("_", " ")


def trigger_words(trigger: Said, language: Language) -> str:
    """Return a trigger as the end of a sentence: "if the door opens", whoever's words begin with the "if"."""
    conjunctions = language.render(say("log.conjunctions")).split()
    words = language.render(trigger)
    own, who = str(trigger.fields.get("text", "")), trigger.fields.get("who")
    if own and who and trigger.id == "trigger.told" and own.split(" ", 1)[0].lower() in conjunctions:
        named = language.write(who)
        return own if named.lower() in own.lower() else f"{own} ({named})"
    begins = words.split(" ", 1)[0].lower() in conjunctions
    return words if begins else language.render(say("log.if", trigger=words))


def number_word(number: int) -> str:
    """Return a small number in letters."""
    return _NUMBERS[number] if 0 <= number < len(_NUMBERS) else str(number)


def ordinal(number: int) -> str:
    """Return a place in a row: 1st, 2nd, 3rd, 11th."""
    last = 0 if 10 < number % 100 < 14 else number % 10
    return f"{number}{_ENDINGS.get(last, 'th')}"


def clock_time(seconds: float | None) -> str:
    """Return game time as minutes and seconds; nothing where a system has none."""
    return "" if seconds is None else f"{int(seconds) // 60}:{int(seconds) % 60:02d}"


def said_time(seconds: float | None) -> str:
    """Return game time in words, for those who listen."""
    if seconds is None:
        return ""
    minutes, rest = divmod(int(seconds), 60)
    words = []
    if minutes:
        words.append(f"{minutes} minute{'' if minutes == 1 else 's'}")
    if rest or not minutes:
        words.append(f"{rest} second{'' if rest == 1 else 's'}")
    return " ".join(words)


def clock_view(clock: Clock) -> shapes.Clock:
    """Return a clock as a front end shows it."""
    note = "no fixed length" if clock.seconds is None and clock.round is not None else ""
    return {"label": clock.label, "time": clock_time(clock.seconds), "note": note}


def joined(events: Sequence[Event]) -> list[tuple[str, str, bool]]:
    """Return who was ever added, on which side, and whether the GM plays them; those since taken back included.

    Who was taken out again before the fight began was never in it.
    """
    added = [event for event in events if event.kind == "combatant"]
    if out := taken_out(events):
        added = [event for event in added if not any(stay.about(event) for stay in out)]
    came = ((str(event.actor), event._data) for event in added)
    return list(dict.fromkeys((who, data["side"], data["npc"]) for who, data in came))


def sides_view(sides: Mapping[str, int]) -> list[Side]:
    """Return the sides as a front end shows them; a ninth has the mark of the first."""
    return [{"name": name, "mark": number % 8} for name, number in sides.items()]
