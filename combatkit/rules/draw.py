"""What the order of a fight rests on, as data: who rolls which die, what they rank by, how ties are broken."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from msgspec import Struct

from combatkit.core.model import Fighter

Key = tuple[object, ...]
"""What somebody is ranked by, higher first; all keys of one draw can be compared."""

GIVEN, ROLLED, TOGETHER = "given", "rolled", "together"
"""How ties are broken: in the order added until somebody chooses; by dice, again while tied; or not at all."""


class Claim(NamedTuple):
    """What somebody's place in the order rests on, as their ruleset declares it.

    Attributes
    ----------
    addends : tuple of (int, str)
        What their score is made of besides the die, each part with its name.
    terms : tuple
        What breaks ties, in this order.
    sides : int
        Sides of the die they roll; 0 if they roll none.
    unit : str
        The group that rolls one die together, if they are in one.
    rules : tuple of str
        The rules their score rests on.
    by : str
        Who rolls, as the log has it.
    """

    addends: tuple[tuple[int, str], ...] = ()
    terms: Key = ()
    sides: int = 0
    unit: str = ""
    rules: tuple[str, ...] = ()
    by: str = "rules"

    @property
    def shares(self) -> str:
        """The group they share a die with; empty for somebody who rolls alone, or not at all."""
        return self.unit if self.sides else ""

    @property
    def modifier(self) -> int:
        """What is added to the die, or stands for it."""
        return sum(n for n, _ in self.addends)

    def lot(self, fighter: Fighter, *, late: bool, out: bool) -> Lot:
        """Return the claim as a lot, with a key and a score for each face.

        Examples
        --------
        >>> Claim(((7, ""),), (4,), 2).lot(Fighter("Mara", "rebels", 1), late=False, out=False).keys
        ((8, 4), (9, 4))
        """
        modifier = self.modifier
        scores = tuple(modifier + face for face in range(1, self.sides + 1)) or (modifier,)
        keys = tuple((score, *self.terms) for score in scores)
        return Lot(fighter.name, self.shares or fighter.name, keys, scores, late, out)


class RollOff(NamedTuple):
    """How those who are tied roll it off: the template and rules of a roll, and the largest die a table may use."""

    said: str = ""
    rules: tuple[str, ...] = ()
    table: int = 0


class Lot(Struct, frozen=True):
    """One combatant's part in the draw.

    Parameters
    ----------
    who : str
        The combatant.
    unit : str
        Whose die it is: their own, or that of a group that shares one.
    keys : tuple of tuple
        What they rank by for each outcome of that die, the lowest first; a single one if none is rolled.
    scores : tuple of int or str
        What is shown for each outcome.
    late : bool
        Whether they are surprised, so that their first turn comes only after everybody else's.
    out : bool
        Whether they roll, but can't take a turn at all.
    """

    who: str
    unit: str
    keys: tuple[Key, ...]
    scores: tuple[int | str, ...]
    late: bool = False
    out: bool = False


class Draw(Struct, frozen=True):
    """How the order of a fight is drawn, and everybody's lots: what their first turns rest on.

    Parameters
    ----------
    lots : tuple of Lot
        In the order they were added, in which dice are rolled, too; none as a ruleset declares it.
    sides : int
        Sides of the die each unit rolls.
    ties : str
        How ties are broken: ``"given"``, ``"rolled"`` or ``"together"``.
    tie_sides : int
        Sides of the die that breaks them.
    top_tie_first : bool
        Whether ties are rolled off from the top of the order, not in the order they were added.
    highest : bool
        Whether a die only says if its unit is among those with the highest face; each lot then has two keys, for
        those below and for those at the top.
    rules : tuple of str
        The rules it rests on.
    tie_rule : str
        The rule that leaves a tie to somebody's choice, if one does.
    roll_off : RollOff
        How the die that breaks ties is rolled and told.
    surprised_late : bool
        Whether the aware have a round to themselves first, if some, but not all, are surprised.
    """

    lots: tuple[Lot, ...] = ()
    sides: int = 0
    ties: str = GIVEN
    tie_sides: int = 0
    top_tie_first: bool = False
    highest: bool = False
    rules: tuple[str, ...] = ()
    tie_rule: str = ""
    roll_off: RollOff = RollOff()
    surprised_late: bool = False


def surprised_some(fighters: Iterable[Fighter]) -> bool:
    """Check whether some of them, but not all, are surprised: those who are aware then act before them."""
    unaware = [fighter.effect("surprised") is not None for fighter in fighters]
    return any(unaware) and not all(unaware)
