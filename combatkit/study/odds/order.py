"""Who acts in which place, and on which score: exact, as fractions."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from msgspec.structs import replace

from combatkit.rules.draw import ROLLED, TOGETHER, Draw, Lot
from combatkit.study.odds.sweep import Sweep


class Chances(NamedTuple):
    """Somebody's chance of each place, the first place first.

    `chance` is what it comes to as the rules break ties: by dice, or, where somebody may choose, in the order they were
    added; those who act at once share a place, and the next is empty. `least` and `most` bound it whatever is chosen;
    for those who act at once, `least` is the chance of a place alone.
    """

    chance: tuple[Fraction, ...]
    least: tuple[Fraction, ...]
    most: tuple[Fraction, ...]


def place_chances(lots: Draw, *, first: bool = False) -> dict[str, Chances]:
    """Return everybody's chance of each place in the order of first turns.

    Parameters
    ----------
    lots : Draw
        The draw, as a ruleset's hook `lots` gives it.
    first : bool
        Whether the first place alone is asked for: in a crowd that is much quicker.

    Returns
    -------
    dict of str to Chances
        By combatant, in the order they were added, without those who can't be called.

    Raises
    ------
    InvalidInput
        If those who share a die do not have a key for each of its faces.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4), enc.add("Vex", side="empire", dex=1)
    >>> place_chances(enc.ruleset.lots(enc._state))["Mara"].chance
    (Fraction(33, 50), Fraction(17, 50))
    """
    sweep = Sweep(lots, first=first)
    return {lot.who: _chances(lots.ties, sweep, index) for index, lot in enumerate(sweep.called)}


def _chances(ties: str, sweep: Sweep, index: int) -> Chances:
    found = sweep.fractions(sweep.found[index])
    if ties == ROLLED:
        return Chances(found, found, found)
    alone = sweep.fractions(sweep.alone[index])
    if ties == TOGETHER:
        return Chances(found, alone, found)
    ahead, behind = sweep.fractions(sweep.ahead[index]), sweep.fractions(sweep.behind[index])
    most = []
    open_to = Fraction()  # the ways in which this place lies between those that are ahead anyhow and those even
    for place, new in enumerate(ahead):
        open_to += new
        most.append(open_to)
        open_to -= behind[place]
    return Chances(found, alone, tuple(most))


def of_units(lots: Draw) -> Draw:
    """Return the draw between those who roll: a group that shares a die stands for its members, by the best of them.

    Parameters
    ----------
    lots : Draw
        The draw between combatants.

    Returns
    -------
    Draw
        The draw between units.
    """
    units: dict[str, list[Lot]] = {}
    for lot in lots.lots:
        units.setdefault(lot.unit, []).append(lot)
    best = []
    for unit, members in units.items():
        able = [lot for lot in members if not lot.out] or members
        late = all(lot.late for lot in able)
        now = [lot for lot in able if lot.late == late]
        keys = tuple(max(keys) for keys in zip(*(lot.keys for lot in now), strict=True))
        best.append(Lot(unit, unit, keys, now[0].scores, late, all(lot.out for lot in members)))
    return replace(lots, lots=tuple(best))


def score_chances(lots: Draw) -> dict[str, dict[int | str, Fraction]]:
    """Return the distribution of everybody's initiative: the chance of each score, or of each half of the round.

    Parameters
    ----------
    lots : Draw
        The draw.

    Returns
    -------
    dict of str to dict
        By combatant, the lowest score first.
    """
    units = len({lot.unit for lot in lots.lots})
    found: dict[str, dict[int | str, Fraction]] = {}
    for lot in lots.lots:
        chances = [Fraction(1, len(lot.keys))] * len(lot.keys)
        if lots.highest and len(lot.keys) > 1:
            top = Fraction(sum(n ** (units - 1) for n in range(1, lots.sides + 1)), lots.sides**units)
            chances = [1 - top, top]
        spread: dict[int | str, Fraction] = {}
        for score, chance in zip(lot.scores, chances, strict=True):
            spread[score] = spread.get(score, Fraction()) + chance
        found[lot.who] = spread
    return found
