"""What a file can hold: numbers of a sensible size, text in any script, values that are plain JSON."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, TypeGuard
from unicodedata import category

import msgspec

from combatkit.core.limits import DEPTH, TABLES
from combatkit.errors import InvalidInput, short

__all__ = ["MOST", "is_number", "is_text", "own_text", "plain", "short"]

MOST = 1_000_000_000
"""No number that people give is larger than this, or smaller than its negative."""


def is_number(value: object) -> TypeGuard[int]:
    """Check whether a value is a whole number of a sensible size."""
    return type(value) is int and -MOST <= value <= MOST


def is_text(value: object, most: int) -> TypeGuard[str]:
    """Check whether a value is text of at most so many characters, all of which a file can hold."""
    if not isinstance(value, str) or len(value) > most:
        return False
    return value.isascii() or not any("\ud800" <= character <= "\udfff" for character in value)


def seen(text: str) -> int:
    """Count the visible characters of a text; 0 if part of it can't be seen.

    Marks over a letter, variation selectors, and what is joined to another sign are not counted.

    Examples
    --------
    >>> seen("Ma"), seen("é"), seen("\N{WOMAN}\N{ZERO WIDTH JOINER}\N{ROCKET}"), seen("\N{RIGHT-TO-LEFT OVERRIDE}M")
    (2, 1, 1, 0)
    """
    count, joined = 0, False
    for sign in text:
        kind = category(sign)
        if kind in ("Cc", "Zl", "Zp") or sign in _TURNS:
            return 0
        if kind not in ("Cf", "Mn", "Me", "Zs") and not joined and sign not in _TONES:
            count += 1
        joined = sign == "\N{ZERO WIDTH JOINER}"
    return count


_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""Skin tones, which colour the sign before them."""

_TURNS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)))
"""What turns the direction of writing, and with it that of what stands beside."""


def counted(number: int, noun: str) -> str:
    """Say how many of something there are.

    Examples
    --------
    >>> counted(1, "square"), counted(2, "hex"), counted(0, "AP")
    ('1 square', '2 hexes', '0 AP')
    """
    if number == 1 or noun.isupper():
        return f"{number:,} {noun}"
    return f"{number:,} {noun}{'es' if noun[-1] in 'xs' else 's'}"


def with_article(noun: str) -> str:
    """Return a noun with "a" or "an"."""
    return f"{'an' if noun[:1] in 'aeiou' else 'a'} {noun}"


def several(number: int, noun: str) -> str:
    """Say a number of things, by a noun with its article.

    Examples
    --------
    >>> several(1, "an attack of opportunity"), several(2, "an attack of opportunity"), several(3, "a spell")
    ('an attack of opportunity', '2 attacks of opportunity', '3 spells')
    """
    if number == 1:
        return noun
    head, *rest = re.split(r"(?= (?:of|or|under) )", noun.partition(" ")[2], maxsplit=1)
    return counted(number, head) + "".join(rest)


def full_stop(words: str) -> str:
    """Return words as a sentence: with a full stop, if they do not end as one already."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def own_text(value: Any, depth: int = 4) -> Any:
    """Return text, alone or in lists and mappings, as Python's own: a draw from an array gives a kind of it.

    Examples
    --------
    >>> class Drawn(str):
    ...     pass
    >>> type(own_text([Drawn("Vex")])[0]) is str
    True
    """
    if isinstance(value, str):
        return str(value)
    if type(value) in (list, tuple) and depth:
        return type(value)([own_text(each, depth - 1) for each in value])
    if isinstance(value, Mapping) and depth:
        return {own_text(key): own_text(each, depth - 1) for key, each in value.items()}
    return value


def plain(value: object, where: str, most: int = TABLES) -> Any:
    """Return a value as JSON gives it back: lists for tuples, keys as text.

    Raises
    ------
    InvalidInput
        If it cannot be written down, if it takes too many bytes, or is nested too deep.
    """
    try:
        written = msgspec.json.encode(value)
        read = msgspec.json.decode(written)
        msgspec.msgpack.encode(read)
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        raise InvalidInput(
            f"{where} is {short(value)}; give what a file can hold: text, numbers, lists, mappings"
        ) from None
    if len(written) > most:
        raise InvalidInput(f"{where} takes {len(written):,} bytes; give at most {most:,}")
    if _is_deep(read):
        raise InvalidInput(f"{where} is nested more than {DEPTH} deep; give something flatter")
    return read


def _is_deep(value: object, depth: int = 0) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > DEPTH or any(_is_deep(each, depth + 1) for each in inner)
