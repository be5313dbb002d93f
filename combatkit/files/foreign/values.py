"""How a field is read: each reader takes what is in a file and gives a value, or says why it doesn't.

A mapping names them (``as = "dice"``). Anything that isn't exactly what a reader knows is not read, but listed as left
out.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from combatkit.core.dice import MINUS, parse_dice
from combatkit.core.plain import MOST, is_number
from combatkit.files.foreign.finding import text_of

_WHOLE = re.compile(r"([+-]?(?:[0-9]{1,9}|[0-9]{1,3}(?:,[0-9]{3}){1,2}))(?:\.0{1,9})?\Z")
_SQUARES = re.compile(r"([0-9]{1,4})(?: squares?)?\Z", re.IGNORECASE)
_HIT_DICE = re.compile(r"([0-9]{1,3}(?:\+[0-9]{1,3})?|1-1|½|1/2|1d[2-7] (?:hp|hit points?))\**\Z")
_BY_WEAPON = re.compile(r"(?:by|as|per) weapon", re.IGNORECASE)
_FEET = re.compile(
    r"\s*(?:(?P<before>[A-Z][a-z]+)\s+)?(?P<n>[0-9]{1,3}(?:,[0-9]{3})?|[0-9]{1,5})(?:(?P<tens>\")|'|-ft\b|\s?ft\.?)"
    r"(?:\s+(?P<after>[a-z]+))?(?:\s*\((?:[0-9]+'|AA:\s?[IVX]+)\))?\s*[,;]?"
)
_BRACKETS = re.compile(r"\((?=[0-9,]+-ft [a-z]+\))([^()]*)\)")
_MODE = re.compile(r"(walk|fly|swim|burrow|climb|hover|leap)(?:m?ing)?\Z")
_ATTACK = re.compile(
    r"(?P<name>.{1,100}?)\s*(?P<bonus>[+-][0-9]{1,3})(?P<again>(?:/[+-]?[0-9]{1,3})*)[*\u2020\u2021]*\s*"
    r"(?:\((?P<reach>[^()]{1,30} reach)\)\s*)?"
    r"\((?P<damage>[^(),*\u2020\u2021]*)[*\u2020\u2021]*(?:,\s*(?P<kind>[^()]{1,60}))?\)[*\u2020\u2021]*"
    r"(?:\s*\((?P<also>[^()+-]{1,60})\))?(?:\s*,?\s*(?P<more>(?:with|plus) [^()+-]{1,60}))?(?:,? and)?\Z",
    re.IGNORECASE,
)
"""An attack line: what footnote signs stand for is told elsewhere, and what it does besides is in its name."""

_SEVERAL = re.compile(r"(?<=\))[*\u2020\u2021]*(?:,| and| or|, and|, or)\s+(?=[^()]*[+-][0-9])")
"""What stands between two attacks in one line."""

_CALLED = re.compile(r"(?:(?:and|or)\b\s*)?(.*?)[*\u2020\u2021\s]*\Z")
"""A name without the word that joins it to the one before, and without footnote signs."""

_FIRST = re.compile(r"([+-]?[0-9]{1,4})\s*\(")
_TIMES = re.compile(r"([0-9]{1,2})(?:\s+(.{1,80}))?\Z")
_DAMAGE = re.compile(r"([0-9d+\-]{1,20})\s+(.{1,80})\Z")


class Unread(Exception):
    """A value that a reader refuses; it says why."""


def _number(value: object, _: object) -> int:
    if isinstance(value, bool):
        raise Unread("it isn't a number")
    if isinstance(value, float) and value.is_integer() and abs(value) <= MOST:
        return int(value)
    if is_number(value):
        return int(value)
    found = _WHOLE.match(value.strip()) if isinstance(value, str) else None
    if found:
        return int(found[1].replace(",", ""))
    raise Unread("it isn't a whole number")


def _text(value: object, _: object) -> str:
    if isinstance(value, bool) or not isinstance(value, (str, int, float)) or not str(value).strip():
        raise Unread("it isn't text")
    return " ".join(str(value).split())


def _filled(value: object, _: object) -> int:
    return int(bool(str(value).strip())) if isinstance(value, (str, int, float)) else int(bool(value))


def _first_number(value: object, _: object) -> int:
    """Read ``"11(13-2)"``: the number that counts, before how it came about."""
    found = _FIRST.match(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else _number(value, _)


def _true(value: object, _: object) -> int:
    if isinstance(value, bool):
        return int(value)
    if str(value).casefold() in ("true", "yes", "1", "false", "no", "0"):
        return int(str(value).casefold() in ("true", "yes", "1"))
    raise Unread("it is neither true nor false")


def _there(value: object, _: object) -> int:
    return 1


def _dice(value: object, _: object) -> str:
    text = value.replace(" ", "") if isinstance(value, str) else ""
    if not text or parse_dice(text) is None or not re.search("[dD]", text):
        raise Unread("it isn't dice")
    return text


def _squares(value: object, _: object) -> int:
    found = _SQUARES.match(value.strip()) if isinstance(value, str) else None
    return int(found[1]) if found else _number(value, _)


def _melee(value: object, _: object) -> str:
    if not 0 < _number(value, _) <= 3:
        raise Unread("it isn't a hand-to-hand reach")
    return "melee"


def _hit_dice(value: object, _: object) -> str | int:
    found = _HIT_DICE.match(str(value).translate(MINUS).strip())
    if found is None or isinstance(value, bool):
        raise Unread("these aren't plain hit dice, such as 3+1")
    return int(found[1]) if found[1].isdecimal() else found[1]


def _rolled(value: object) -> tuple[int, int, int]:
    if not isinstance(value, list) or len(value) != 3 or not all(is_number(n) and n >= 0 for n in value):
        raise Unread("it isn't dice, sides and bonus")
    return value[0], value[1], value[2]


def _rolled_dice(value: object, _: object) -> str | int:
    number, sides, plus = _rolled(value)
    if number < 1 or sides != 8:
        raise Unread("hit dice are eight-sided")
    return f"{number}+{plus}" if plus else number


def _rolled_points(value: object, _: object) -> int:
    number, _sides, plus = _rolled(value)
    if number:
        raise Unread("they are rolled")
    return plus


def _feet(value: object, _: object) -> int | dict[str, int]:
    if is_number(value):
        return int(value)
    text = _BRACKETS.sub(r"; \1", value).strip() if isinstance(value, str) else ""
    modes: dict[str, int] = {}
    at = 0
    while at < len(text):
        found = _FEET.match(text, at)
        way = _MODE.match((found["before"] or found["after"] or "walk").lower()) if found else None
        if found is None or way is None or way[1] in modes or (found["before"] and found["after"]):
            raise Unread("it isn't feet, or feet for each way of moving")
        modes[way[1]] = int(found["n"].replace(",", "")) * (10 if found["tens"] else 1)
        at = found.end()
    if not modes:
        raise Unread("it isn't feet")
    return modes["walk"] if set(modes) == {"walk"} else modes


def _attack(value: object, _: object) -> dict[str, object]:
    """Read ``"Bite +15 (1d6+13)"``; what it does besides, as in ``"... plus Poison"``, goes into its name."""
    text = " ".join(value.replace("\N{MINUS SIGN}", "-").split()) if isinstance(value, str) else ""
    found = _ATTACK.match(text)
    if found is None:
        raise Unread("it isn't a name, a bonus and dice")
    words = " ".join(filter(None, (_called(found["name"], _), found["more"])))
    again = found["again"] and found["bonus"] + found["again"]
    return {
        "name": ", ".join(filter(None, (words, again, found["reach"], found["kind"], found["also"]))),
        "attack": int(found["bonus"]),
        "damage": _number(found["damage"], _) if found["damage"].isdecimal() else _dice(found["damage"], _),
    }


def attacks_in(text: str) -> list[str]:
    """Return the attacks of a line, each for itself.

    Examples
    --------
    >>> attacks_in("2 Claws +7 (1d6+4) and Bite +2 (1d8); Tail +1 (1d4)")
    ['2 Claws +7 (1d6+4)', 'Bite +2 (1d8)', 'Tail +1 (1d4)']
    """
    return [each.strip() for part in text.split(";") for each in _SEVERAL.split(part) if each.strip()]


def _called(value: object, _: object) -> str:
    """Read a name that another may stand before: ``"and Wrist Blaster"``."""
    found = _CALLED.match(_text(value, _))
    if found is None or not found[1]:
        raise Unread("it isn't a name")
    return found[1]


def _routine(value: object, damage: object) -> list[str]:
    """Read attacks and their damage, given as two texts, as one attack line; only if that leaves no choice."""
    attacks, dealt = (str(text_of(each) or "").strip() for each in (value, damage))
    if not attacks or not dealt:
        raise Unread("attacks or damage are missing")
    numbers = _named_routine(attacks, dealt) or _counted_routine(attacks, dealt)
    if numbers is None:
        raise Unread("it doesn't say exactly which attack does which damage")
    strikes = [f"{f'{times} ' if times > 1 else ''}{name} ({'/'.join(dice)})" for times, name, dice in numbers]
    return ["MELEE: " + " and ".join(strikes)]


_Strikes = list[tuple[int, str, list[str]]]


def _named_routine(attacks: str, dealt: str) -> _Strikes | None:
    """Match ``"2 claws, 1 bite"`` with ``"1d6 claw, 3d8 bite"``."""
    kinds = [_TIMES.match(part.strip()) for part in attacks.split(",")]
    damages = [_DAMAGE.match(part.strip()) for part in dealt.split(",")]
    strikes: _Strikes = []
    if len(kinds) != len(damages):
        return None
    for kind, each in zip(kinds, damages, strict=True):
        if kind is None or each is None or not kind[2] or not _same(kind[2], each[2]) or not _plain(kind[2]):
            return None
        if parse_dice(each[1]) is None:
            return None
        strikes.append((int(kind[1]), kind[2], [each[1]]))
    return strikes


def _counted_routine(attacks: str, dealt: str) -> _Strikes | None:
    """Match ``"2 claws/1 bite"`` with ``"1d3/1d3/1d6"``: as many dice as attacks."""
    dice = [part.strip() for part in dealt.translate(MINUS).split("/")]
    dice = ["by weapon" if _BY_WEAPON.fullmatch(each) else each for each in dice]
    strikes: _Strikes = []
    if any(parse_dice(each) is None for each in dice if each != "by weapon"):
        return None
    for part in attacks.split("/"):
        found = _TIMES.match(part.strip())
        times = int(found[1]) if found else 0
        name = (found[2] if found and found[2] else "attacks" if times > 1 else "attack") if times else ""
        if not times or not _plain(name) or len(dice) < times:
            return None
        strikes.append((times, name, dice[:times]))
        dice = dice[times:]
    return None if dice else strikes


def _same(several: str, one: str) -> bool:
    return several.casefold().rstrip("s") == one.casefold().rstrip("s")


def _plain(name: str) -> bool:
    """Check whether a name leaves no choice and no note."""
    return re.fullmatch(r"[\w' -]+", name) is not None and not re.search(r"\b(?:or|and|special|weapon|by)\b", name)


READERS: dict[str, Callable[[object, object], object]] = {
    "number": _number,
    "first number": _first_number,
    "text": _text,
    "called": _called,
    "filled": _filled,
    "true": _true,
    "there": _there,
    "dice": _dice,
    "squares": _squares,
    "melee": _melee,
    "hit dice": _hit_dice,
    "rolled dice": _rolled_dice,
    "rolled points": _rolled_points,
    "ways and feet": _feet,
    "attack": _attack,
    "attacks and damage": _routine,
}
"""Readers of one value, by name; some take a second one beside it."""

TOGETHER: dict[str, Callable[[list[object]], object]] = {
    "texts": lambda values: [_text(value, None) for value in values],
    "sum": lambda values: sum(_number(value, None) for value in values),
}
"""Readers of everything a path leads to."""
