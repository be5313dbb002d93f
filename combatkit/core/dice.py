"""Dice that are a pure function of the seed and their own number.

Face ``i`` (from 0) of a fight with seed ``s`` is splitmix64's output ``i + 1``. All sums and products are modulo 2**64:

- ``z = s + (i + 1) * 0x9E3779B97F4A7C15``
- ``z = (z ^ z >> 30) * 0xBF58476D1CE4E5B9``
- ``z = (z ^ z >> 27) * 0x94D049BB133111EB``
- ``z = z ^ z >> 31``

The face of a die with ``n`` sides is ``1 + ((z >> 32) * n >> 32)``. All of it fits NumPy's ``uint64``.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TypeGuard

import msgspec

from combatkit.core.plain import MOST

_MASK = (1 << 64) - 1


def face(seed: int, number: int, sides: int) -> int:
    """Return the natural face of one die.

    Parameters
    ----------
    seed : int
        The encounter's seed; taken modulo 2**64.
    number : int
        Which die of the fight this is, from 0.
    sides : int
        How many faces it has, at most 2**32.

    Returns
    -------
    int
        From 1 to `sides`.

    Examples
    --------
    >>> [face(7, i, 20) for i in range(5)]
    [8, 1, 19, 12, 10]
    """
    return faces(seed, number, (sides,))[0]


def faces(seed: int, number: int, sides: Iterable[int]) -> tuple[int, ...]:
    """Return the natural faces of dice with such sides, the first of them die `number` of the fight.

    Examples
    --------
    >>> faces(7, 0, [20, 20, 20, 6])
    (8, 1, 19, 4)
    """
    found = []
    for i, most in enumerate(sides, number + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        z ^= z >> 31
        found.append(1 + ((z >> 32) * most >> 32))
    return tuple(found)


class Dice(msgspec.Struct, frozen=True, gc=False):
    """Some equal dice, a number to add, and more dice of other kinds: ``3d8+2``, ``1d6+1d4``, ``3D+1`` as a dice code.

    A negative `count` is taken off; `more` holds a count and the sides of each further term.
    """

    count: int
    sides: int
    plus: int = 0
    more: tuple[tuple[int, int], ...] = ()

    @property
    def terms(self) -> tuple[tuple[int, int], ...]:
        """The count and the sides of each kind of dice."""
        return ((self.count, self.sides), *self.more) if self.count else self.more

    @property
    def each(self) -> tuple[int, ...]:
        """The sides of every single die, in the order of the terms.

        Examples
        --------
        >>> Dice(2, 6, 1, ((-1, 4),)).each
        (6, 6, 4)
        """
        return tuple(sides for count, sides in self.terms for _ in range(abs(count)))

    def total(self, faces: Sequence[int]) -> int:
        """Return what natural faces, one for each die, come to.

        Examples
        --------
        >>> Dice(2, 6, 1, ((-1, 4),)).total((5, 2, 3))
        5
        """
        signs = (1 if count > 0 else -1 for count, _ in self.terms for _ in range(abs(count)))
        return sum(sign * face for sign, face in zip(signs, faces, strict=True)) + self.plus

    @property
    def notation(self) -> str:
        """The usual way to write it, such as ``3d8+2``.

        Examples
        --------
        >>> Dice(1, 6, 2, ((-1, 4),)).notation, Dice(0, 6, 7).notation
        ('1d6-1d4+2', '7')
        """
        written = "".join(f"{count:+d}d{sides}" for count, sides in self.terms)
        plus = f"{self.plus:+d}" if self.plus or not written else ""
        return f"{written}{plus}".removeprefix("+")

    @property
    def code(self) -> str:
        """How a dice-code system writes it.

        Examples
        --------
        >>> Dice(3, 6, 1).code, Dice(0, 6).code, Dice(2, 6, -1).code
        ('3D+1', '0D', '2D-1')
        """
        return f"{self.count}D{self.plus:+d}" if self.plus else f"{self.count}D"


MINUS = str.maketrans(dict.fromkeys("\N{MINUS SIGN}\N{EN DASH}\N{FULLWIDTH HYPHEN-MINUS}\N{SMALL HYPHEN-MINUS}", "-"))
"""Every minus that is written, as the plain one."""

_TERM = re.compile(
    r"\s*([+-]|\A)\s*(?:(?P<number>\d{1,9})(?!\d|\s*[dDwW½./]|\s*1/2)"
    r"|(?P<count>\d{0,9}?)\s*(?P<half>½|\.5|(?<!\d)1/2)?\s*[dDwW]\s*(?P<sides>%|\d{0,9}))\s*"
)
_TERMS = 20
_DICE, _SIDES = 1_000, 1_000_000


DICE = "a number from 0 up, or dice such as '2d6+3' or '1d6+1d4'"
"""What to give for damage, or anything else that may be rolled for."""


TIMES = "\N{MULTIPLICATION SIGN}"
"""The sign between dice and what they are multiplied by."""


def multiplied(notation: str | None, times: int) -> str | None:
    """Return how dice are written that are multiplied after all is added.

    Examples
    --------
    >>> multiplied("1d8+3", 3), multiplied("1d8", 2), multiplied("1d8", 1)
    ('(1d8+3) \N{MULTIPLICATION SIGN} 3', '1d8 \N{MULTIPLICATION SIGN} 2', '1d8')
    """
    if notation is None or times == 1:
        return notation
    dice = parse_dice(notation)
    several = dice is not None and (dice.plus or dice.more)
    return f"({notation}) {TIMES} {times}" if several else f"{notation} {TIMES} {times}"


def is_dice(value: object) -> TypeGuard[int | str]:
    """Check whether a value is a number from 0 up, or dice as they are written.

    Examples
    --------
    >>> [is_dice(value) for value in (3, "2d6+3", "7", "0", "1d1000000", -1, "-1", True, "1d1000001", "1e9d6", None)]
    [True, True, True, True, True, False, False, False, False, False, False]
    """
    if isinstance(value, str):
        dice = parse_dice(value)
        return dice is not None and (any(count > 0 for count, _ in dice.terms) or dice.plus >= 0)
    return type(value) is int and 0 <= value <= MOST


@lru_cache(maxsize=1024)
def parse_dice(text: str) -> Dice | None:
    """Read dice as they are written; None if this isn't dice.

    Parameters
    ----------
    text : str
        A sum of dice and numbers: ``"3d8+2"``, ``"1d6+1d4"``, ``"d20"``, ``"d%"``, ``"3D+1"`` (six-sided when no sides
        are named), ``"5½d6"`` (a half die has half the sides) or a bare number; a minus may be the typographic one.

    Returns
    -------
    Dice or None
        What was written, or None.

    Examples
    --------
    >>> parse_dice("3d8+2").notation, parse_dice("3D+1").notation, parse_dice("7").notation, parse_dice("a lot")
    ('3d8+2', '3d6+1', '7', None)
    >>> [parse_dice(text).notation for text in ("5½d6", "2.5d6 - 1", "1/2d6", "d%", "(1d8-1d4+2)")]
    ['5d6+1d3', '2d6+1d3-1', '1d3', '1d100', '1d8-1d4+2']
    """
    text = text.translate(MINUS).strip()
    if text.startswith("(") and text.endswith(")"):
        text = text[1:-1]
    terms: list[tuple[int, int]] = []
    plus, at, found = 0, 0, 0
    while at < len(text):
        term = _TERM.match(text, at)
        if term is None or found == _TERMS:
            return None
        at, found = term.end(), found + 1
        sign = -1 if term[1] == "-" else 1
        if term["number"]:
            plus += sign * int(term["number"])
            continue
        sides = 100 if term["sides"] == "%" else int(term["sides"] or 6)
        count = int(term["count"] or not term["half"])
        if sides % 2 and term["half"]:
            return None
        terms += [(sign * count, sides)] * (count > 0 or not term["half"]) + [(sign, sides // 2)] * bool(term["half"])
    if not found or any(not count or not 2 <= sides <= _SIDES for count, sides in terms):
        return None
    if sum(abs(count) for count, _ in terms) > _DICE or abs(plus) > MOST:
        return None
    return Dice(*terms[0], plus, tuple(terms[1:])) if terms else Dice(0, 6, plus)
