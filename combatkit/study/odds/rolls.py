"""What a roll comes to, exactly: the ways to each total, and the chance that it hits."""

from __future__ import annotations

from fractions import Fraction
from functools import lru_cache

from combatkit.rules.case import Ask


@lru_cache(maxsize=256)
def ways(dice: int, sides: int) -> dict[int, int]:
    """Return in how many ways equal dice come to each total.

    Parameters
    ----------
    dice : int
        How many.
    sides : int
        Of each.

    Returns
    -------
    dict of int to int
        By total, the lowest first; they add up to ``sides ** dice``.

    Examples
    --------
    >>> ways(2, 3)
    {2: 1, 3: 2, 4: 3, 5: 2, 6: 1}
    """
    slot = (sides**dice).bit_length()  # a polynomial is one whole number, its coefficients side by side
    packed = sum(1 << slot * face for face in range(1, sides + 1)) ** dice
    return {total: packed >> slot * total & (1 << slot) - 1 for total in range(dice, dice * sides + 1)}


def hit_chance(ask: Ask) -> Fraction | None:
    """Return the chance that an attack roll hits.

    Parameters
    ----------
    ask : Ask
        The roll, with what it needs.

    Returns
    -------
    Fraction or None
        None where nobody knows what it needs.
    """
    if ask.needed is None:
        return None
    hits = sum(count for natural, count in ways(ask.dice, ask.sides).items() if ask.lands(natural))
    return Fraction(hits, ask.sides**ask.dice)
