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

_BLOCK = 1 << 14
"""How many fights are looked at together: what is in work then stays in the processor's cache."""

_STEP = 0x9E3779B97F4A7C15
_MASK = (1 << 64) - 1


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
    if isinstance(number, int):
        z = seeds + np.uint64((number + 1) * _STEP & _MASK)
    else:
        z = (number + np.uint64(1)) * np.uint64(_STEP)
        z += seeds
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
        How many dice have been thrown for it.
    """

    names: tuple[str, ...]
    turn: Numbers
    place: Numbers
    dice: Numbers

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


def draw(lots: Draw, seeds: Seeds) -> Initiative:
    """Throw the dice of a draw in many fights.

    Parameters
    ----------
    lots : Draw
        The draw, as a ruleset's hook `lots` gives it.
    seeds : numpy.ndarray of uint64
        The fights' seeds.

    Returns
    -------
    Initiative
        A row per fight.
    """
    seeds = np.ascontiguousarray(seeds, np.uint64)
    plan = _Plan(lots)
    called = [i for i, lot in enumerate(lots.lots) if not lot.out]
    kind = np.uint8 if len(lots.lots) < 1 << 8 else np.uint16
    turn = np.empty((len(called), len(seeds)), kind)
    place = np.empty_like(turn) if lots.ties == TOGETHER else turn
    dice = np.empty(len(seeds), np.uint32)
    for start in range(0, len(seeds), _BLOCK):
        block = slice(start, start + _BLOCK)
        ahead, at_once, dice[block] = plan.throw(seeds[block])
        for row, lot in enumerate(called):
            np.add(ahead[lot], 1, out=turn[row, block])
            if at_once is not None:
                np.add(at_once[lot], 1, out=place[row, block])
    return Initiative(tuple(lots.lots[i].who for i in called), turn.T, place.T, dice)


class _Plan:
    """A draw prepared: which die is whose, each key as a number, who can tie with whom."""

    def __init__(self, lots: Draw) -> None:
        self.lots = lots
        self.count = len(lots.lots)
        numbers: dict[str, int] = {}
        self.die_of = [numbers.setdefault(lot.unit, len(numbers)) if len(lot.keys) > 1 else None for lot in lots.lots]
        self.units = len(numbers)
        rank = {key: n for n, key in enumerate(sorted({key for lot in lots.lots for key in lot.keys}))}
        kind = np.int16 if len(rank) < 1 << 15 else np.int32
        self.kind = kind
        pad = [0] if not lots.highest else []  # faces count from 1
        self.codes = [np.array([*pad, *(rank[key] for key in lot.keys)], kind) for lot in lots.lots]
        shown = [not lot.out for lot in lots.lots]
        pairs = list(combinations(range(self.count), 2))
        kept = [(i, j) for i, j in pairs if shown[i] and shown[j]]
        before = [lot.late for lot in lots.lots]
        self.ranked = [(i, j) for i, j in kept if before[i] == before[j]]
        self.behind = [i if before[i] else j for i, j in kept if before[i] != before[j]]
        self.counted = set(self.ranked)
        keys = [set(lot.keys) for lot in lots.lots]
        self.even = [(i, j) for i, j in pairs if keys[i] & keys[j]]

    def throw(self, seeds: Seeds) -> tuple[Numbers, Numbers | None, Numbers]:
        """Return how many are ahead of each; the same, but those at once as even; and how many dice were thrown."""
        fights = len(seeds)
        code = self._code(seeds)
        ahead = np.zeros((self.count, fights), np.uint8 if self.count < 1 << 8 else np.uint16)
        dice = np.full(fights, self.units, np.uint64)
        for i in self.behind:
            ahead[i] += 1
        if self.lots.ties == ROLLED:
            self._strictly(code, ahead)
            self._roll_off(seeds, code, ahead, dice)
            return ahead, None, dice
        at_once = None
        if self.lots.ties == TOGETHER:
            at_once = ahead.copy()
            self._strictly(code, at_once)
        for i, j in self.ranked:
            behind = code[i] < code[j]
            ahead[i] += behind
            ahead[j] += ~behind
        return ahead, at_once, dice

    def _code(self, seeds: Seeds) -> Numbers:
        thrown = [faces(seeds, number, self.lots.sides) for number in range(self.units)]
        if self.lots.highest and thrown:
            top = np.maximum.reduce(thrown)
            thrown = [(face == top).astype(np.intp) for face in thrown]
        code = np.empty((self.count, len(seeds)), self.kind)
        for lot, die in enumerate(self.die_of):
            if die is None:
                code[lot] = self.codes[lot][-1]
            else:
                np.take(self.codes[lot], thrown[die], out=code[lot], mode="clip")
        return code

    def _strictly(self, code: Numbers, ahead: Numbers) -> None:
        for i, j in self.ranked:
            ahead[i] += code[i] < code[j]
            ahead[j] += code[i] > code[j]

    def _roll_off(self, seeds: Seeds, code: Numbers, ahead: Numbers, dice: Numbers) -> None:
        """Break ties by dice, in the order the engine throws them: tie by tie, each to its end."""
        if not self.even:
            return
        tied = np.zeros(len(seeds), bool)
        for i, j in self.even:
            tied |= code[i] == code[j]
        rows = np.flatnonzero(tied)
        if not len(rows):
            return
        code = code[:, rows]
        waits = _RollOff(self, code)
        while len(rows):
            on, numbers = waits.asks()
            base = dice[rows]
            drawn = np.zeros(code.shape, np.uint8)
            for lot in range(self.count):
                who = np.flatnonzero(on[lot])
                if len(who):
                    drawn[lot, who] = faces(seeds[rows[who]], base[who] + numbers[lot, who], self.lots.tie_sides)
            dice[rows] += on.sum(axis=0, dtype=np.uint64)
            waits.settle(on, drawn, ahead, rows)
            left: Flags = np.any(waits.waiting, axis=0)
            if not left.all():
                rows = rows[left]
                waits.keep(left)
                code = code[:, left]


class _RollOff:
    """Who is still tied with whom, in the fights in which somebody is."""

    def __init__(self, plan: _Plan, code: Numbers) -> None:
        self.plan = plan
        self.waiting = np.zeros(code.shape, bool)
        self.tie = np.broadcast_to(np.arange(len(code), dtype=np.uint16)[:, None], code.shape).copy()
        """Which tie somebody is in: the smallest is settled first."""
        for i, j in plan.even:
            even = code[i] == code[j]
            self.waiting[i] |= even
            self.waiting[j] |= even
            np.minimum(self.tie[j], np.where(even, i, self.tie[j]), out=self.tie[j], casting="same_kind")
        if plan.lots.top_tie_first:
            above = np.zeros(code.shape, np.uint16)
            for i, j in combinations(range(len(code)), 2):
                above[i] += code[i] < code[j]
                above[j] += code[i] > code[j]
            self.tie = above
        self.part = np.zeros(code.shape, np.uint16)
        """Within a tie: those with the same number are even still, and the smallest throws first."""

    def asks(self) -> tuple[Flags, Numbers]:
        """Return who rolls now, and the number of each one's die among those rolled."""
        first = np.where(self.waiting, self.tie, np.iinfo(np.uint16).max).min(axis=0)
        on = self.waiting & (self.tie == first)
        numbers = np.zeros(on.shape, np.uint64)
        for i, j in self.plan.even:
            both = on[i] & on[j]
            earlier = self.part[i] <= self.part[j]
            numbers[j] += both & earlier
            numbers[i] += both & ~earlier
        return on, numbers

    def settle(self, on: Flags, drawn: Numbers, ahead: Numbers, rows: Numbers) -> None:
        """Rank those who threw; whoever is still tied waits, in the order in which the faces first came up."""
        still = np.zeros(on.shape, bool)
        first = np.broadcast_to(np.arange(len(on), dtype=np.uint16)[:, None], on.shape).copy()
        for i, j in self.plan.even:
            rivals = on[i] & on[j] & (self.part[i] == self.part[j])
            if not rivals.any():
                continue
            if (i, j) in self.plan.counted:
                ahead[i, rows] += rivals & (drawn[i] < drawn[j])
                ahead[j, rows] += rivals & (drawn[i] > drawn[j])
            even = rivals & (drawn[i] == drawn[j])
            still[i] |= even
            still[j] |= even
            np.minimum(first[j], np.where(even, i, first[j]), out=first[j], casting="same_kind")
        part = np.zeros_like(self.part)
        for i, j in self.plan.even:
            both = still[i] & still[j]
            earlier = (self.part[i] < self.part[j]) | ((self.part[i] == self.part[j]) & (first[i] < first[j]))
            later = (self.part[i] > self.part[j]) | ((self.part[i] == self.part[j]) & (first[i] > first[j]))
            part[j] += both & earlier
            part[i] += both & later
        self.part = np.where(on, part, self.part)
        self.waiting = np.where(on, still, self.waiting)

    def keep(self, left: Flags) -> None:
        """Go on with these fights only."""
        self.waiting, self.tie, self.part = self.waiting[:, left], self.tie[:, left], self.part[:, left]
