"""Questions about many fights at once, in NumPy: the dice and the order are the engine's, fight by fight.

A die is a pure function of the seed and its number, so what a fight throws is known without playing it: see
`combatkit.core.dice`. Needs the extra ``sim``.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from combatkit.errors import InvalidInput
from combatkit.rules.draw import ROLLED, TOGETHER, Draw

if TYPE_CHECKING:
    from combatkit.fight.view import View

Seeds = npt.NDArray[np.uint64]
Numbers = npt.NDArray[np.integer[Any]]
Flags = npt.NDArray[np.bool_]

_STEP = 0x9E3779B97F4A7C15


def seeds(seed: int, count: int) -> Seeds:
    """Return the seeds of many fights, the ones `simulate` plays.

    Parameters
    ----------
    seed : int
        The seed of all fights, which is that of the first.
    count : int
        How many.

    Returns
    -------
    numpy.ndarray of uint64, shape (count,)
        As `combatkit.simulation.seed_of` gives them one by one.

    Examples
    --------
    >>> seeds(7, 3).tolist()
    [7, 16616101746187103088, 8346079844791664262]
    """
    first = 2 * np.arange(count, dtype=np.uint64)
    alike = np.full(count, seed, np.uint64)
    high, low = (faces(alike, first + np.uint64(n), 1 << 32) - 1 for n in range(2))
    found: Seeds = (high.astype(np.uint64) << np.uint64(32)) + low.astype(np.uint64)
    found[:1] = seed
    return found


def faces(seeds: Seeds, number: int | Seeds, sides: int) -> Numbers:
    """Return the natural face of one die in each of many fights.

    Parameters
    ----------
    seeds : numpy.ndarray of uint64, shape (n,)
        The fights' seeds.
    number : int or numpy.ndarray of uint64, shape (n,)
        Which die of the fight, from 0.
    sides : int
        How many faces it has, at most 2**32.

    Returns
    -------
    numpy.ndarray, shape (n,)
        From 1 to `sides`, in the narrowest type that holds them.

    Examples
    --------
    >>> faces(np.array([7, 7, 8], np.uint64), np.array([0, 1, 0], np.uint64), 20).tolist()
    [8, 1, 13]
    """
    z = (np.atleast_1d(np.asarray(number, np.uint64)) + np.uint64(1)) * np.uint64(_STEP) + seeds
    spare = z >> np.uint64(30)
    z ^= spare
    z *= np.uint64(0xBF58476D1CE4E5B9)
    np.right_shift(z, np.uint64(27), out=spare)
    z ^= spare
    z *= np.uint64(0x94D049BB133111EB)
    np.right_shift(z, np.uint64(31), out=spare)
    z ^= spare
    z >>= np.uint64(32)
    z *= np.uint64(sides)
    z >>= np.uint64(32)
    kind = np.uint8 if sides < 1 << 8 else np.uint16 if sides < 1 << 16 else np.uint64
    found: Numbers = z.astype(kind)
    found += kind(1)
    return found


@dataclass(frozen=True)
class Initiative:
    """The order of first turns in many fights.

    Attributes
    ----------
    names : tuple of str
        Those who can act, in the order they were added; the columns follow it.
    turn : numpy.ndarray, shape (fights, combatants)
        Whose first turn comes when: 1 for the first of all. No two of a fight have the same.
    place : numpy.ndarray, shape (fights, combatants)
        The same, those who act at once sharing a place.
    dice : numpy.ndarray, shape (fights,)
        How many dice have been thrown, with those before it.
    outcome : numpy.ndarray, shape (fights, combatants)
        Which of their lot's keys each has, from 0.
    """

    names: tuple[str, ...]
    turn: Numbers
    place: Numbers
    dice: Numbers
    outcome: Numbers

    @property
    def order(self) -> Numbers:
        """Who acts first, second ...: indices of `names`, shape (fights, combatants)."""
        order = np.empty(self.turn.shape, np.intp)
        np.put_along_axis(order, self.turn.astype(np.intp) - 1, np.arange(len(self.names))[None, :], axis=1)
        return order


def initiative(encounter: View, seeds: Seeds, *, surprised: Iterable[str] = ()) -> Initiative:
    """Roll initiative in many fights at once, as the engine would in each.

    Parameters
    ----------
    encounter : View
        A fight with everybody in it that has not begun.
    seeds : numpy.ndarray of uint64
        The fights' seeds; its own does not matter.
    surprised : iterable of str
        Who is unaware, as `Encounter.start` takes it.

    Returns
    -------
    Initiative
        A row per fight.

    Raises
    ------
    InvalidInput
        If the fight has begun, or as `View.odds` raises it.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4), enc.add("Vex", side="empire", dex=1)
    >>> found = initiative(enc, seeds(7, 100_000))
    >>> found.turn.shape, float((found.turn[:, 0] == 1).mean())
    ((100000, 2), 0.65991)
    """
    if encounter._state.stage != "setup":
        raise InvalidInput("the fight has begun; give one that has not")
    return draw(encounter.odds(surprised=surprised).lots, seeds)


def draw(lots: Draw, seeds: Seeds, before: int | Seeds = 0) -> Initiative:
    """Throw the dice of a draw in many fights.

    Parameters
    ----------
    lots : Draw
        The draw, as a ruleset's hook `lots` gives it.
    seeds : numpy.ndarray of uint64
        The fights' seeds.
    before : int or numpy.ndarray of uint64
        How many dice each has thrown already.

    Returns
    -------
    Initiative
        A row per fight.
    """
    dice = np.full(len(seeds), before, np.uint64)
    seeds = np.ascontiguousarray(seeds, np.uint64)
    rank = {key: n for n, key in enumerate(sorted({key for lot in lots.lots for key in lot.keys}))}
    units = dict.fromkeys(lot.unit for lot in lots.lots if len(lot.keys) > 1)
    thrown = {unit: faces(seeds, dice + np.uint64(number), lots.sides) for number, unit in enumerate(units)}
    if lots.highest and thrown:
        top = np.maximum.reduce([*thrown.values()])
        thrown = {unit: (face == top) + np.intp(1) for unit, face in thrown.items()}
    largest = (len(rank) + len(lots.lots)) * max(len(lots.lots), lots.tie_sides + 1)
    kind: Any = np.int16 if largest < 1 << 14 else np.int32
    code, outcome = np.empty((len(lots.lots), len(seeds)), kind), np.zeros((len(lots.lots), len(seeds)), np.intp)
    for row, which, lot in zip(code, outcome, lots.lots, strict=True):
        if len(lot.keys) > 1:
            which[:] = thrown[lot.unit] - 1
        row[:] = np.array([rank[key] for key in lot.keys], kind)[which]
    dice += np.uint64(len(units))
    if lots.ties == ROLLED:
        _roll_off(lots, seeds, code, dice)
    late = np.array([[lot.late] for lot in lots.lots], bool)
    able = [not lot.out for lot in lots.lots]
    code = np.where(late, code, code + len(rank) + len(code))[able]
    turn = smaller(np.arange(len(code), dtype=kind)[:, None] - code * len(code)) + 1
    place = smaller(-code) + 1 if lots.ties == TOGETHER else turn
    return Initiative(tuple(lot.who for lot in lots.lots if not lot.out), turn.T, place.T, dice, outcome[able].T)


def smaller(values: Numbers) -> Numbers:
    """Return how many are smaller than each in its fight."""
    found = np.zeros(values.shape, np.uint8 if len(values) < 1 << 8 else np.uint16)
    for i, j in combinations(range(len(values)), 2):
        found[i] += values[i] > values[j]
        found[j] += values[j] > values[i]
    return found


def _roll_off(lots: Draw, seeds: Seeds, code: Numbers, dice: Numbers) -> None:
    """Break ties by dice, in the order the engine throws them: tie by tie, each to its end.

    Of a tie all throw who are even with somebody still: those first who were parted first, and by faces that came up
    first.
    """
    count, kind, keys = len(code), code.dtype.type, [set(lot.keys) for lot in lots.lots]
    most = np.iinfo(kind).max
    even = [(i, j) for i, j in combinations(range(count), 2) if keys[i] & keys[j]]
    rows, tie, index = np.arange(len(seeds)), None, np.arange(count, dtype=kind)[:, None]
    part = np.zeros(code.shape, kind)
    while True:
        now = code[:, rows]
        waiting, first = np.zeros(now.shape, bool), np.repeat(index, len(rows), axis=1)
        for i, j in even:
            same = now[i] == now[j]
            waiting[i] |= same
            waiting[j] |= same
            first[j] = np.where(same, np.minimum(first[i], first[j]), first[j])
        left: Flags = np.any(waiting, axis=0)
        if not left.any():
            return
        rows, now, waiting, first, part = rows[left], now[:, left], waiting[:, left], first[:, left], part[:, left]
        tie = (-now if lots.top_tie_first else first) if tie is None else tie[:, left]
        part = smaller(part * count + first).astype(kind)
        on = waiting & (tie == np.where(waiting, tie, most).min(axis=0))
        number = smaller(np.where(on, part * count + index, most))
        drawn = np.zeros(now.shape, kind)
        for lot, who in enumerate(map(np.flatnonzero, on)):
            drawn[lot, who] = faces(seeds[rows[who]], dice[rows[who]] + number[lot, who], lots.tie_sides)
        dice[rows] += on.sum(axis=0, dtype=np.uint64)
        code[:, rows] = smaller(now * (lots.tie_sides + 1) + drawn)
