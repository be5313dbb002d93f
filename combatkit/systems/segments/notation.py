"""The source's own notation: attack lines, ability headers, hit dice."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from combatkit.core.dice import MINUS, parse_dice
from combatkit.errors import InvalidInput, within


class Strike(NamedTuple):
    """One kind of attack in a routine: how many, the damage of each (None by weapon), other effects, its own AAC0."""

    name: str
    times: int
    damages: tuple[str | None, ...]
    special: str = ""
    aac0: int | str | None = None


class Line(NamedTuple):
    """An attack line: MELEE or MISSILE, the attacks of one routine, and special effects."""

    kind: str
    strikes: tuple[Strike, ...]
    effects: str = ""


class Header(NamedTuple):
    """What an ability's notation says.

    Its kinds and attributes, whether it is declared, its type, its time in segments, and anything else.
    """

    tags: tuple[str, ...]
    declared: bool
    type: str
    segments: int
    other: tuple[str, ...] = ()


_STRIKE = re.compile(r"\s*(?:(\d+)\s+)?([^()]+?)\s*\(([^()]*)\)\s*")
_BY_WEAPON = re.compile(r"(?:by|as|per)\b.*\bweapon|weapon", re.IGNORECASE)
_AAC0 = re.compile(r"\[?\s*AAC0\b\s*(.*?)\s*\]?\Z", re.IGNORECASE)
_LOWEST, _HIGHEST = -20, 40


def read_aac0(given: object) -> int | str:
    """Read an AAC0: a number, or "20*", which needs a 20 against AC 1 as well.

    Raises
    ------
    InvalidInput
        If it is neither.

    Examples
    --------
    >>> read_aac0(17), read_aac0("-2"), read_aac0("20*")
    (17, -2, '20*')
    """
    if given == "20*":
        return "20*"
    number = given
    if isinstance(given, str) and re.fullmatch(r"-?[0-9]{1,3}", given):
        number = int(given)
    if type(number) is int and _LOWEST <= number <= _HIGHEST:
        return number
    raise InvalidInput(f"aac0 is {given!r}; give a number from {_LOWEST} to {_HIGHEST} or '20*'")


_BETWEEN = re.compile(r";\s*(?=(?:MELEE|MISSILE)\s*:)", re.IGNORECASE)


def split_lines(text: str) -> tuple[str, ...]:
    """Return the attack lines that are written in one, with a semicolon between them.

    Examples
    --------
    >>> split_lines("MELEE: bite (1d6; AAC0 15); MISSILE: spit (1d4);")
    ('MELEE: bite (1d6; AAC0 15)', 'MISSILE: spit (1d4);')
    """
    return tuple(_BETWEEN.split(text))


@lru_cache(maxsize=512)
def read_attack(text: str) -> Line:
    """Read an attack line as the source writes it.

    Parameters
    ----------
    text : str
        ``MELEE: <attack> (<damage> [<special damage>]; [AAC0 <#>]) [plus <special effects>];``

    Returns
    -------
    Line
        What it says.

    Raises
    ------
    InvalidInput
        If it is not an attack line.

    Examples
    --------
    >>> [(s.name, s.times, s.damages) for s in read_attack("MELEE: 2 claws (1d8/1d8) and bite (2d6)").strikes]
    [('claws', 2, ('1d8', '1d8')), ('bite', 1, ('2d6',))]
    """
    head, colon, body = text.partition(":")
    kind = head.strip().upper()
    if not colon or kind not in ("MELEE", "MISSILE"):
        raise InvalidInput(f"attack line {text!r}: it begins with 'MELEE:' or 'MISSILE:'")
    body = body.strip().rstrip(";").rstrip()
    strikes: list[Strike] = []
    at = 0
    while True:
        found = _STRIKE.match(body, at)
        if found is None:
            raise InvalidInput(f"attack line {text!r}: it goes on like '2 claws (1d8/1d8) and bite (2d6)'")
        strikes.append(_strike(text, *found.groups()))
        at = found.end()
        rest = body[at:]
        joined = re.match(r"(?:and\b|,(?:\s*and\b)?)\s*", rest)
        if joined is None:
            break
        at += joined.end()
    if rest and not rest.startswith("plus "):
        raise InvalidInput(f"attack line {text!r}: after its attacks comes 'plus' and what else it does")
    return Line(kind, tuple(strikes), rest.removeprefix("plus ").strip())


def _strike(line: str, number: str | None, name: str, inside: str) -> Strike:
    count = int(number or 1)
    aac0: int | str | None = None
    parts = []
    for part in (p.strip() for p in inside.split(";")):
        stated = _AAC0.match(part)
        if stated is not None:
            with within(f"attack line {line!r}"):
                aac0 = read_aac0(stated[1])
        elif part:
            parts.append(part)
    said = parts[0] if parts else ""
    damage, _, special = said.partition(" ") if _BY_WEAPON.match(said) is None else ("", "", said)
    damages: tuple[str | None, ...] = tuple(str(as_dice(d)) for d in damage.split("/") if d) or (None,)
    wrong = any(d is not None and parse_dice(d) is None for d in damages) or len(damages) not in (1, count)
    if wrong or not said:
        raise InvalidInput(f"attack line {line!r}: {name} needs its damage, or one for each attack, as in '(1d8/1d8)'")
    if len(damages) < count:
        damages *= count
    return Strike(name, count, damages, "; ".join([s for s in (special.strip(), *parts[1:]) if s]), aac0)


KINDS = ("innate", "incantation", "invocation", "simple", "delaying", "complex", "immediate")
"""The kinds of ability and activity; every other tag is an attribute."""

_TYPES = ("major", "minor", "immediate")
_HEADER = re.compile(r"\s*(?:\[([^\]]*)\])?\s*(?:\(([^)]*)\))?\s*\Z")
_TIME = re.compile(r"(\d+)\s+(segments?|rounds?)\Z")


def as_tag(word: str) -> str:
    """Return an attribute by its name: what is called a spell, and is no incantation or invocation, is spell-like.

    Examples
    --------
    >>> as_tag("spell"), as_tag("spell_like"), as_tag("fear")
    ('spell-like', 'spell-like', 'fear')
    """
    like = word.replace("_", " ").replace("-", " ") in ("spell", "spell like", "spell like ability")
    return "spell-like" if like else word


@lru_cache(maxsize=512)
def read_ability(text: str) -> Header:
    """Read the notation of an ability or activity.

    Parameters
    ----------
    text : str
        ``[innate; attributes] (declared; major, 3 segments; other requirements)``; either bracket may be missing.

    Returns
    -------
    Header
        What it says, with what the source takes for granted filled in.

    Raises
    ------
    InvalidInput
        If it is not such a notation.

    Examples
    --------
    >>> read_ability("[invocation; fear] (2 segments)")
    Header(tags=('invocation', 'fear'), declared=True, type='major', segments=2, other=())
    >>> read_ability("")
    Header(tags=('innate',), declared=False, type='minor', segments=1, other=())
    """
    found = _HEADER.match(text)
    if found is None:
        raise InvalidInput(f"ability {text!r}: it reads like '[innate; fear] (minor, 1 segment)'")
    tags = [t.strip().lower() for t in re.split(r"[;,]", found[1] or "") if t.strip()]
    starred = any(t.endswith("*") for t in tags)
    tags = [t.rstrip("*") for t in tags]
    tags = [as_tag(t) for t in tags]
    if not any(t in KINDS for t in tags):
        tags.insert(0, "innate")
    words = [w.strip().lower() for w in re.split(r"[;,]", found[2] or "") if w.strip()]
    spell = "invocation" in tags or "incantation" in tags
    declared = spell or "complex" in tags
    type, segments, other = "", None, []
    for word in words:
        time = _TIME.match(word)
        if word in _TYPES:
            type = word
        elif word == "declared":
            declared = True
        elif time is not None:
            segments = int(time[1]) * (10 if time[2].startswith("round") else 1)
        else:
            other.append(word)
    if type == "immediate" and "immediate" not in tags:
        tags = [t for t in tags if t != "innate"] + ["immediate"]
    if "immediate" in tags:
        type = type or "immediate"
    type = type or ("major" if spell or "complex" in tags else "minor")
    if segments is None:
        segments = 0 if starred or "immediate" in tags else 10 if "complex" in tags else 1
    return Header(tuple(tags), declared, type, segments, tuple(other))


_RANGE = re.compile(r"\s*(\d{1,4})\s*[-\N{EN DASH}\N{MINUS SIGN}]\s*(\d{1,4})\s*(?=[+-]|\Z)")
_USUAL = (2, 3, 4, 6, 8, 10, 12, 20, 100)
"""The sides of dice that people have."""


def as_dice(value: object) -> object:
    """Return dice for a range, the way the older books write damage; anything else as it is.

    It is as many dice as its lower end, if they have usual sides, else the fewest usual dice and a number to add.

    Raises
    ------
    InvalidInput
        If its higher end stands first.

    Examples
    --------
    >>> [as_dice(text) for text in ("2-8", "1-8", "8-32", "2-5", "4\N{EN DASH}10", "1-6+2", "2d4", "3-3")]
    ['2d4', '1d8', '8d4', '1d4+1', '2d4+2', '1d6+2', '2d4', '3']
    """
    found = _RANGE.match(value) if isinstance(value, str) else None
    if found is None or not (low := int(found[1])):
        return value
    if low > (high := int(found[2])):
        raise InvalidInput(f"{value!r} is a range from more to less; write {high}-{low}, or the number alone")
    if low == high:
        return f"{low}{found.string[found.end() :]}"
    count = next((n for n in (low, *range(1, low)) if (high - low) % n == 0 and (high - low) // n + 1 in _USUAL), 0)
    count = count or (low if high % low == 0 else 1)
    plus = f"{low - count:+d}" if low > count else ""
    return f"{count}d{(high - low) // count + 1}{plus}{found.string[found.end() :]}"


class HitDice(NamedTuple):
    """Hit dice: how many, the number after the sign, and the dice of hit points of what has less than one."""

    dice: int = 0
    plus: int = 0
    points: str = ""


_HIT_DICE = re.compile(
    r"(?P<dice>\d{1,3})\s*(?P<plus>[+-]\s*\d{1,3})?\Z|(?:½|1/2)\Z|(?P<points>1d[2-7])\s*(?:hp|hit points?)\Z"
)


def read_hit_dice(given: int | str | None) -> HitDice:
    """Read hit dice as sources write them.

    Raises
    ------
    InvalidInput
        If they are not written as in "4", "4+4", "1-1", "½" or "1d4 hp".

    Examples
    --------
    >>> read_hit_dice("4+4")[:2], read_hit_dice(3)[:2], read_hit_dice("1-1")[:2], read_hit_dice(None)[:2]
    ((4, 4), (3, 0), (1, -1), (0, 0))
    >>> read_hit_dice("½").points, read_hit_dice("1d6 hp").points
    ('1d4', '1d6')
    """
    if given is None or type(given) is int:
        return HitDice(given or 0)
    found = _HIT_DICE.match(str(given).translate(MINUS).strip().casefold())
    dice, plus = (int(found["dice"] or 0), int((found["plus"] or "0").replace(" ", ""))) if found else (0, 0)
    if found is None or (plus < 0 and (dice, plus) != (1, -1)):  # a goblin; nothing larger is written so
        raise InvalidInput(f"hit_dice is {given!r}; give them like '4', '4+4', '1-1', '½' or '1d4 hp'")
    return HitDice(dice, plus, "" if found["dice"] else found["points"] or "1d4")
