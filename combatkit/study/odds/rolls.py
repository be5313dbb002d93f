"""What a roll comes to, exactly: the ways to each total, and the chance that it hits."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache

from combatkit.core.model import State
from combatkit.rules.parts import Ask
from combatkit.rules.ruleset import Ruleset


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
    counts = [1]
    for _ in range(dice):
        running = 0
        wider = []
        for total in range(len(counts) + sides - 1):
            running += counts[total] if total < len(counts) else 0
            running -= counts[total - sides] if total >= sides else 0
            wider.append(running)
        counts = wider
    return dict(enumerate(counts, dice))


def landing(rules: Ruleset, state: State, ask: Ask) -> Iterator[tuple[int, bool, Fraction]]:
    """Yield what an attack roll can come to: the total of the faces, whether it hits, and the chance of it.

    A ruleset sees the face of a single die; of several it is given faces that make up the total, because by the
    contract of the hook `lands` only their total counts.

    Parameters
    ----------
    rules : Ruleset
        Which says what hits.
    state : State
        The fight.
    ask : Ask
        The roll, with what it needs.

    Yields
    ------
    tuple of int, bool and Fraction
        The lowest total first.
    """
    modifier = sum(n for n, _ in ask.addends)
    whole = ask.sides**ask.dice
    for natural, count in ways(ask.dice, ask.sides).items():
        hit = rules.lands(state, ask, _faces(natural, ask.dice), natural + modifier)
        yield natural, hit, Fraction(count, whole)


def hit_chance(rules: Ruleset, state: State, ask: Ask) -> Fraction | None:
    """Return the chance that an attack roll hits.

    Parameters
    ----------
    rules, state, ask
        As `landing` takes them.

    Returns
    -------
    Fraction or None
        None where nobody knows what it needs.
    """
    if ask.needed is None:
        return None
    return sum((chance for _, hit, chance in landing(rules, state, ask) if hit), Fraction())


def _faces(total: int, dice: int) -> tuple[int, ...]:
    """Return faces, as even as can be, that come to a total."""
    return tuple((total + die) // dice for die in range(dice))
