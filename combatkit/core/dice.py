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
from functools import lru_cache

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
    return faces(seed, number, sides, 1)[0]


def faces(seed: int, number: int, sides: int, count: int) -> tuple[int, ...]:
    """Return the natural faces of so many dice, the first of them die `number` of the fight.

    Examples
    --------
    >>> faces(7, 0, 20, 5)
    (8, 1, 19, 12, 10)
    """
    found = []
    for i in range(number + 1, number + count + 1):
        z = (seed + i * 0x9E3779B97F4A7C15) & _MASK
        z = ((z ^ (z >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        z = ((z ^ (z >> 27)) * 0x94D049BB133111EB) & _MASK
        z ^= z >> 31
        found.append(1 + ((z >> 32) * sides >> 32))
    return tuple(found)


class Dice(msgspec.Struct, frozen=True, gc=False):
    """Some equal dice and a number to add: ``3d8+2``, or ``3D+1`` in a dice-code system."""

    count: int
    sides: int
    plus: int = 0

    @property
    def notation(self) -> str:
        """The usual way to write it, such as ``3d8+2``."""
        head = f"{self.count}d{self.sides}" if self.count else ""
        if not head:
            return str(self.plus)
        return f"{head}{self.plus:+d}" if self.plus else head

    @property
    def code(self) -> str:
        """How a dice-code system writes it.

        Examples
        --------
        >>> Dice(3, 6, 1).code, Dice(0, 6).code, Dice(2, 6, -1).code
        ('3D+1', '0D', '2D-1')
        """
        return f"{self.count}D{self.plus:+d}" if self.plus else f"{self.count}D"


_NOTATION = re.compile(r"\s*(\d{0,9})\s*([dD])\s*(\d{0,9})\s*(?:([+-])\s*(\d{1,9}))?\s*\Z")
_NUMBER = re.compile(r"\s*[+-]?\d{1,9}\s*\Z")


DICE = "a number from 0 up, or dice such as '2d6+3'"
"""What to give for damage, or anything else that may be rolled for."""


def is_dice(value: object) -> bool:
    """Check whether a value is a number from 0 up, or dice as they are written.

    Examples
    --------
    >>> [is_dice(value) for value in (3, "2d6+3", "7", "0", "1d1000000", -1, "-1", True, "1d1000001", "1e9d6", None)]
    [True, True, True, True, True, False, False, False, False, False, False]
    """
    if isinstance(value, str):
        dice = parse_dice(value)
        return dice is not None and (dice.count > 0 or dice.plus >= 0)
    return type(value) is int and 0 <= value <= MOST


@lru_cache(maxsize=1024)
def parse_dice(text: str) -> Dice | None:
    """Read dice as they are written; None if this isn't dice.

    Parameters
    ----------
    text : str
        ``"3d8+2"``, ``"d20"``, ``"3D+1"`` (six-sided when no sides are named) or a bare number.

    Returns
    -------
    Dice or None
        What was written, or None.

    Examples
    --------
    >>> parse_dice("3d8+2"), parse_dice("3D+1"), parse_dice("7"), parse_dice("a lot")
    (Dice(count=3, sides=8, plus=2), Dice(count=3, sides=6, plus=1), Dice(count=0, sides=6, plus=7), None)
    """
    if _NUMBER.match(text):
        return Dice(0, 6, int(text))
    found = _NOTATION.match(text)
    if not found:
        return None
    count, _, sides, sign, plus = found.groups()
    number, faces = int(count or 1), int(sides or 6)
    if not 1 <= number <= 1000 or not 2 <= faces <= 1_000_000:
        return None
    return Dice(number, faces, int(f"{sign}{plus}") if plus else 0)
