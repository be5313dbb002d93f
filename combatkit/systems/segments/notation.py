"""The source's own notation: attack lines, ability headers, hit dice."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from combatkit.core.dice import parse_dice
from combatkit.errors import InvalidInput, within


class Strike(NamedTuple):
    """One kind of attack in a routine: how many, the damage of each, other effects, its own AAC0."""

    name: str
    times: int
    damages: tuple[str, ...]
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
    damage, _, special = (parts[0] if parts else "").partition(" ")
    damages = tuple(d for d in damage.split("/") if d)
    if not damages or any(parse_dice(d) is None for d in damages) or len(damages) not in (1, count):
        raise InvalidInput(f"attack line {line!r}: {name} needs its damage, or one for each attack, as in '(1d8/1d8)'")
    if len(damages) < count:
        damages *= count
    return Strike(name, count, damages, "; ".join([s for s in (special.strip(), *parts[1:]) if s]), aac0)


KINDS = ("innate", "incantation", "invocation", "simple", "delaying", "complex", "immediate")
"""The kinds of ability and activity; every other tag is an attribute."""

_TYPES = ("major", "minor", "immediate")
_HEADER = re.compile(r"\s*(?:\[([^\]]*)\])?\s*(?:\(([^)]*)\))?\s*\Z")
_TIME = re.compile(r"(\d+)\s+(segments?|rounds?)\Z")


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
    tags = ["spell-like" if t in ("spell", "spell-like ability") else t for t in tags]
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


_HIT_DICE = re.compile(r"(\d+)(?:\+(\d+))?\Z")


def read_hit_dice(given: int | str | None) -> tuple[int, int]:
    """Read hit dice: how many, and the number after the plus; no hit dice are (0, 0).

    Raises
    ------
    InvalidInput
        If they are not written as in "4" or "4+4".

    Examples
    --------
    >>> read_hit_dice("4+4"), read_hit_dice(3), read_hit_dice(None)
    ((4, 4), (3, 0), (0, 0))
    """
    if given is None:
        return 0, 0
    if type(given) is int:
        return given, 0
    found = _HIT_DICE.match(str(given).strip())
    if found is None:
        raise InvalidInput(f"hit_dice is {given!r}; give them like '4' or '4+4'")
    return int(found[1]), int(found[2] or 0)
