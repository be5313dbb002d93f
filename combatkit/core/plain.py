"""What a file can hold: numbers of a sensible size, text in any script, values that are plain JSON."""

from __future__ import annotations

import re
from collections.abc import Container, Mapping
from decimal import Decimal
from functools import lru_cache
from itertools import count
from math import isfinite
from numbers import Number
from operator import index
from typing import Any, TypeGuard
from unicodedata import category, normalize

import msgspec

from combatkit.core.limits import DEPTH, TABLES
from combatkit.errors import InvalidInput, short

__all__ = ["MOST", "is_number", "is_text", "own", "plain", "short"]

MOST = 1_000_000_000
"""No number that people give is larger than this, or smaller than its negative."""


def is_number(value: object) -> TypeGuard[int]:
    """Check whether a value is a whole number of a sensible size."""
    return type(value) is int and -MOST <= value <= MOST


def whole_number(least: int | None = None, most: int | None = None) -> str:
    """Say which whole numbers will do."""
    bounds = "" if least is None else f" from {least} up" if most is None else f" from {least} to {most}"
    return f"a whole number{bounds}"


def check_whole(value: object, what: str, least: int | None = None, most: int | None = None) -> int:
    """Check that something is a whole number of any type within bounds, and return it as Python's own."""
    value = own(value)
    if not is_number(value) or (least is not None and value < least) or (most is not None and value > most):
        raise InvalidInput(f"{what} is {short(value)}; give {whole_number(least, most)}")
    return value


def check_bool(value: object, what: str) -> bool:
    """Check that something is true or false, and return it."""
    if type(value) is not bool:
        raise InvalidInput(f"{what} is {short(value)}; give True or False")
    return value


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
        if kind not in _UNSEEN and not joined and sign not in _TONES and sign not in _BLANK:
            count += 1
        joined = sign == "\N{ZERO WIDTH JOINER}"
    return count


_UNSEEN = frozenset({"Cf", "Mn", "Me", "Zs"})
_BLANK = "\u115f\u1160\u2800\u3164\uffa0"
"""Signs that count as letters or symbols and have nothing on them."""

_ENDS = "".join(
    chr(sign)
    for first, last in (
        (0x00, 0x20), (0x7F, 0xA0), (0xAD, 0xAD), (0x34F, 0x34F), (0x61C, 0x61C), (0x1680, 0x1680), (0x17B4, 0x17B5),
        (0x180B, 0x180F), (0x2000, 0x200F), (0x2028, 0x202F), (0x205F, 0x206F), (0x3000, 0x3000), (0xFEFF, 0xFEFF),
    )
    for sign in range(first, last + 1)
) + _BLANK  # fmt: skip
"""What is taken off the ends of a name: spaces, and what nobody sees. Nothing that an emoji may end with."""

_BREAKS = re.compile(r"\s*[\x00-\x1f\x7f-\x9f\u2028\u2029]+\s*")
"""What breaks a line, or steers a terminal."""

_TAILS = "".join(map(chr, (*range(0xFE00, 0xFE10), *range(0xE0000, 0xE0080))))
"""What changes the sign before it."""


def bare(name: str) -> str:
    r"""Return a name in NFC, on one line, without invisible signs at its ends; nothing, if nothing of it can be seen.

    Examples
    --------
    >>> bare("\N{ZERO WIDTH NO-BREAK SPACE}Mara "), bare("Mara\r\nVex"), bare("\N{HANGUL FILLER}")
    ('Mara', 'Mara Vex', '')
    >>> bare("e\N{COMBINING ACUTE ACCENT}") == "é"
    True
    """
    if not name.isprintable():
        name = _BREAKS.sub(" ", name)
    if name.isascii():
        return name.strip(_ENDS)
    name = normalize("NFC", name).strip(_ENDS).lstrip(_ENDS + _TAILS)
    return name if any(category(sign) not in _UNSEEN for sign in name) else ""


_ALIKE = str.maketrans(
    "АВЕІЈКМНОРСЅТУХаеһіјӏорсѕухѵԁԛԝΑΒΕΖΗΙΚΜΝΟΡΤΥΧικνορυ\N{RIGHT SINGLE QUOTATION MARK}\N{LEFT SINGLE QUOTATION MARK}"
    "\N{MODIFIER LETTER APOSTROPHE}\N{PRIME}\N{HYPHEN}\N{EN DASH}\N{MINUS SIGN}",
    "ABEIJKMHOPCSTYXaehijlopcsyxvdqwABEZHIKMNOPTYXikvopu" + "'" * 4 + "---",
    _ENDS.replace(" ", ""),
)
"""Letters of other scripts, and signs, that look like another."""


@lru_cache(maxsize=4096)
def looks(name: str) -> str:
    """Return the same text for names that look the same, whatever letters they are made of.

    Examples
    --------
    >>> looks("M\N{CYRILLIC SMALL LETTER A}ra"), looks("Tuk\N{RIGHT SINGLE QUOTATION MARK}ata")
    ('Mara', "Tuk'ata")
    """
    return name if name.isascii() else normalize("NFC", normalize("NFKC", name).translate(_ALIKE))


_TONES = frozenset(map(chr, range(0x1F3FB, 0x1F400)))
"""Skin tones, which colour the sign before them."""

_TURNS = frozenset(map(chr, (*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C)))
"""What turns the direction of writing, and with it that of what stands beside."""


def free(stem: str, taken: Container[str]) -> str:
    """Return a name that nobody has: the stem, or the stem with a number from 2 on.

    Examples
    --------
    >>> free("docks", {}), free("docks", {"docks", "docks-2"})
    ('docks', 'docks-3')
    """
    return next(name for n in count(1) if (name := f"{stem}-{n}" if n > 1 else stem) not in taken)


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


def full_stop(words: str) -> str:
    """Return words as a sentence: with a full stop, if they do not end as one already."""
    return words if words.endswith((".", "?", "!")) else f"{words}."


def own(value: Any, depth: int = 4) -> Any:
    """Return what people give as Python's own: text in NFC, whole numbers of any type, arrays and columns as lists.

    Of a single line what nobody sees at its ends is taken off, as of a name; a table's text keeps its tabs.

    Examples
    --------
    >>> from decimal import Decimal
    >>> own(38.0), own(Decimal(38)), own(38.5), own([True, "e\N{COMBINING ACUTE ACCENT}"]) == [True, "é"]
    (38, 38, 38.5, True)
    """
    kind = type(value)
    if kind is int or kind is bool or value is None:
        return value
    if isinstance(value, str):
        text = str(value) if value.isascii() else normalize("NFC", value)
        return text if "\n" in text or "\r" in text else text.strip(_ENDS) or text
    if kind in (list, tuple):
        return kind([own(each, depth - 1) for each in value]) if depth else value
    if isinstance(value, Mapping):
        made = {own(key): own(each, depth - 1) for key, each in value.items()} if depth else value
        if len(made) < len(value):
            raise InvalidInput(f"{short([*value])}: one of these is given twice; give each once")
        return made
    if isinstance(value, Number):
        return _whole(value)
    if isinstance(value, (bytes, bytearray, memoryview)):
        return value
    for listing in ("tolist", "to_list"):  # NumPy and pandas, polars
        if depth and callable(listed := getattr(value, listing, None)):
            return own(listed(), depth - 1)
    return index(value) if hasattr(kind, "__index__") else value


def _whole(value: Any) -> Any:
    """Return a number that is whole as an int, any other of NumPy's as Python's own, else as it is."""
    try:
        number = int(value) if abs(value) <= 1 << 64 else None
    except (ArithmeticError, TypeError, ValueError):
        number = None
    if number is not None and number == value:
        return number
    return value.tolist() if value == value and hasattr(value, "tolist") else value


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
        if not _is_written(value):
            raise ValueError
    except (TypeError, ValueError, OverflowError, RecursionError, msgspec.MsgspecError):
        raise InvalidInput(
            f"{where} is {short(value)}; give what a file can hold: text, numbers, lists, mappings"
        ) from None
    if len(written) > most:
        raise InvalidInput(f"{where} takes {len(written):,} bytes; give at most {most:,}")
    if _is_deep(read):
        raise InvalidInput(f"{where} is nested more than {DEPTH} deep; give something flatter")
    return read


def _is_written(value: object) -> bool:
    """Check whether JSON has a value as it is given: for no number, an endless one, and bytes it writes others."""
    if isinstance(value, Mapping):
        return all(map(_is_written, value.values()))
    if isinstance(value, (list, tuple, set, frozenset)):
        return all(map(_is_written, value))
    if isinstance(value, (float, Decimal)):
        return isfinite(value)
    return not isinstance(value, (bytes, bytearray, memoryview))


def _is_deep(value: object, depth: int = 0) -> bool:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else ()
    return depth > DEPTH or any(_is_deep(each, depth + 1) for each in inner)
