"""What the order of a fight rests on, as data: who throws which die, what it ranks by, how ties are parted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, NamedTuple

from msgspec import Struct

from combatkit.core.model import Fighter

Key = tuple[Any, ...]
"""What somebody is ranked by, higher first; all keys of one draw can be compared."""

GIVEN, ROLLED, TOGETHER = "given", "rolled", "together"
"""How equal keys are parted: in the order of adding until somebody chooses; by dice, again while even; not at all."""


class Claim(NamedTuple):
    """What somebody's place in the order rests on, as their ruleset declares it.

    Attributes
    ----------
    addends : tuple of (int, str)
        What their score is made of besides the die, each part with its name.
    terms : tuple
        What parts equal scores, in this order.
    sides : int
        Of the die they throw; 0 if they throw none.
    unit : str
        The group that throws one die for all of it, if they are in one.
    rules : tuple of str
        The rules their score rests on.
    by : str
        Who throws, as the log has it.
    """

    addends: tuple[tuple[int, str], ...] = ()
    terms: Key = ()
    sides: int = 0
    unit: str = ""
    rules: tuple[str, ...] = ()
    by: str = "rules"

    @property
    def shares(self) -> str:
        """The group they share a die with; empty for one who throws alone, or not at all."""
        return self.unit if self.sides else ""

    @property
    def modifier(self) -> int:
        """What is added to the die, or stands for it."""
        return sum(n for n, _ in self.addends)

    def lot(self, fighter: Fighter, *, late: bool, out: bool) -> Lot:
        """Return the claim as a lot, with all its outcomes."""
        return scored(fighter, self.sides, self.modifier, self.terms, unit=self.shares, late=late, out=out)


class RollOff(NamedTuple):
    """How those who are even throw for it: the template and rules of a throw, and the largest die a table may use."""

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
        Whose die it is: its own, or that of a group that shares one.
    keys : tuple of tuple
        What it ranks by for each outcome of that die, the lowest first; a single one where none is thrown.
    scores : tuple of int or str
        What is shown for each outcome.
    late : bool
        Whether its first turn comes only after all others have had theirs: it is surprised.
    out : bool
        Whether it throws, but cannot be called at all.
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
        In the order of adding, which is the order in which dice are thrown; none as a ruleset declares it.
    sides : int
        Of the die each unit throws.
    ties : str
        How equal keys are parted: ``"given"``, ``"rolled"`` or ``"together"``.
    tie_sides : int
        Of the die that parts them.
    top_tie_first : bool
        Whether ties are rolled off from the top of the order, not in the order of adding.
    highest : bool
        Whether a die only says if its unit is among those with the highest face; each lot then has two keys, for
        those below and for those at the top.
    rules : tuple of str
        The rules it rests on.
    tie_rule : str
        The one that leaves a tie to somebody's choice, if one does.
    roll_off : RollOff
        How the die that parts equal keys is thrown and told.
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


def scored(
    fighter: Fighter,
    sides: int,
    modifier: int,
    terms: Key = (),
    *,
    unit: str = "",
    late: bool = False,
    out: bool = False,
) -> Lot:
    """Make the lot of one who is ranked by a score and, where scores are equal, by fixed terms.

    Parameters
    ----------
    fighter : Fighter
        Whose it is.
    sides : int
        Of the die that is thrown; 0 if none is.
    modifier : int
        What is added to it.
    terms : tuple
        What parts equal scores, in this order.
    unit : str
        The group that shares the die; the fighter's own name by default.
    late, out : bool
        As a `Lot` has them.

    Returns
    -------
    Lot
        With a key and a score for each face.

    Examples
    --------
    >>> scored(Fighter("Mara", "rebels", 1), 2, 7, (4,)).keys
    ((8, 4), (9, 4))
    """
    scores = tuple(modifier + face for face in range(1, sides + 1)) or (modifier,)
    return Lot(fighter.name, unit or fighter.name, tuple((n, *terms) for n in scores), scores, late, out)


def surprised_some(fighters: Iterable[Fighter]) -> bool:
    """Check whether some of them, but not all, are surprised: those who are aware then act before them."""
    unaware = [fighter.effect("surprised") is not None for fighter in fighters]
    return any(unaware) and not all(unaware)
