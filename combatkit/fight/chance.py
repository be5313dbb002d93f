"""Chance for a tactic: drawn from the moment, so that the same moment gives the same result."""

from __future__ import annotations

from combatkit.core.dice import face
from combatkit.fight.view import View


class Chance:
    """Numbers for a tactic, apart from the fight's own dice: the same in the same fight at the same event.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who draws.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> draw = Chance(enc, "Vex")
    >>> [draw.below(100) for _ in range(3)]
    [49, 96, 21]
    """

    def __init__(self, view: View, name: str) -> None:
        state = view._state
        self._seed = state.seed ^ _APART
        self._number = (len(view._events) * 4099 + state.fighters[name].number) * 257

    def below(self, count: int) -> int:
        """Draw a number from 0 up, below `count`."""
        self._number += 1
        return face(self._seed, self._number, count) - 1


_APART = 0x5EED
"""Turns the fight's seed into another, so that what a tactic draws has nothing to do with the fight's dice."""
