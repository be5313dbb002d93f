"""Who wins within some rounds, exactly: every way the dice can fall, with those that lead to the same joined.

It plays what `combatkit.simulation.arrays` plays, by the same rules for a hit: a row is a state of the fight, with its
chance. Needs the extra ``sim``.
"""

from __future__ import annotations

from itertools import permutations, product
from math import prod

import numpy as np
import numpy.typing as npt

from combatkit.arrays import Fights, Flags, Whole
from combatkit.core.plain import check_whole
from combatkit.errors import InvalidInput
from combatkit.rules.draw import ROLLED, Draw
from combatkit.simulation.arrays import Blow, blows, kind_of, standing, started
from combatkit.simulation.engines import why_not
from combatkit.simulation.fights import BOUNDS, Setup, Tactics
from combatkit.simulation.vectors import smaller
from combatkit.simulation.work import Job

MOST = 1_000_000
"""How many ways of the dice are gone through at once."""

Weights = npt.NDArray[np.float64]


def chances(setup: Setup, tactics: Tactics, rounds: object) -> tuple[dict[str, float], float]:
    """Return each side's chance of having won within so many rounds, and that of nobody having won.

    Parameters
    ----------
    setup : Setup
        What is fought, from its beginning.
    tactics : callable or mapping of str to callable
        As `combatkit.simulate` takes them.
    rounds : int
        How many rounds.

    Raises
    ------
    InvalidInput
        If it can't be reckoned, with the reason, or has too many ways to be gone through, with their number.
    """
    job = Job(setup, tactics, BOUNDS)
    if against := why_not(job) or (kind_of(setup.ruleset) or Fights).unreckoned:
        raise InvalidInput(f"wins: it can't be reckoned, but simulated: {against}")
    if rounds is None:
        raise InvalidInput("wins: a fight without a last round has ways without end; give rounds, or simulate")
    number, enc = check_whole(rounds, "wins: rounds", 1), setup._model
    orders, weights = _orders(enc.odds().lots, enc.names)
    now = started(setup, np.zeros(len(orders), np.uint64))
    which = np.arange(len(orders))
    falls = [_fallen(blow) for blow in blows(enc)]
    sides = list(dict.fromkeys(fighter.side for fighter in now.people))
    turns = sum(step.turns for step in enc.ruleset.schedule(enc._state))
    won = dict.fromkeys(sides, 0.0)
    for _ in range(number):
        for slot in list(range(len(enc.names))) * turns:
            now, which, weights = _attacked(now, which, weights, orders[:, slot], falls)
            alive = standing(now, slice(None))
            decided = alive.sum(axis=1) == 1
            for index, side in enumerate(sides):
                won[side] += float(weights[decided & alive[:, index]].sum())
            now, which, weights = _of(now, ~decided), which[~decided], weights[~decided]
            if not len(weights):
                return won, 0.0
        now.end_round(np.arange(len(weights)))
    return won, float(weights.sum())


def _orders(lots: Draw, names: tuple[str, ...]) -> tuple[Whole, Weights]:
    """Return every order there can be, as numbers of combatants, and its chance."""
    units = dict.fromkeys(lot.unit for lot in lots.lots if len(lot.keys) > 1)
    _check(prod([lots.sides] * len(units)), "orders of the dice")
    rank = {key: n for n, key in enumerate(sorted({key for lot in lots.lots for key in lot.keys}))}
    grid = np.indices((lots.sides,) * len(units)).reshape(len(units), -1) if units else np.zeros((0, 1), np.intp)
    thrown = dict(zip(units, grid, strict=True))
    if lots.highest and units:
        top = grid.max(axis=0)
        thrown = {unit: (face == top).astype(np.intp) for unit, face in thrown.items()}
    code = np.empty((len(lots.lots), grid.shape[1]), np.int32)
    for line, lot in zip(code, lots.lots, strict=True):
        keys = np.array([rank[key] for key in lot.keys])
        line[:] = keys[thrown[lot.unit]] if len(keys) > 1 else keys
    if lots.ties != ROLLED:  # whoever was added first
        code = code * len(code) - np.arange(len(code), dtype=np.int32)[:, None]
    places, counts = np.unique(smaller(-code).T, axis=0, return_counts=True)
    who = [names.index(lot.who) for lot in lots.lots]
    found: dict[tuple[int, ...], float] = {}
    for place, count in zip(places.tolist(), counts.tolist(), strict=True):
        tied = [[who[i] for i, p in enumerate(place) if p == value] for value in sorted(set(place))]
        ways = [list(permutations(group)) for group in tied]
        for way in product(*ways):
            order = tuple(name for group in way for name in group)
            found[order] = found.get(order, 0.0) + count / grid.shape[1] / prod(map(len, ways))
    return np.array([*found], np.intp), np.array([*found.values()])


def _check(size: int, what: str) -> None:
    if size > MOST:
        raise InvalidInput(f"wins: these are {size:,} {what}, and {MOST:,} are gone through; simulate instead")


def _sums(dice: tuple[int, ...]) -> dict[int, float]:
    """Return the chance of each sum of faces."""
    found = {0: 1.0}
    for sides in dice:
        more: dict[int, float] = {}
        for total, chance in found.items():
            for face in range(1, sides + 1):
                more[total + face] = more.get(total + face, 0.0) + chance / sides
        found = more
    return found


Fall = tuple[Whole, Flags, Whole, Weights]


def _fallen(blow: Blow) -> list[Fall]:
    """Return how an attack can fall out at each target: by how much it exceeds, if it hits, what it deals, its chance.

    Attacks that exceed what is needed by as much as any rule asks for are joined; so are all that miss.
    """
    damage = _sums(blow.damage.each)
    falls = []
    for plus, needed in zip(blow.plus.tolist(), blow.needed.tolist(), strict=True):
        found: dict[tuple[int, bool, int], float] = {}
        for natural, chance in _sums(blow.dice).items():
            beyond = natural + plus - needed
            if not blow.lands(natural, beyond):
                found[0, False, 0] = found.get((0, False, 0), 0.0) + chance
                continue
            for rolled, part in damage.items():
                key = (beyond, True, max(0, rolled + blow.damage.plus))
                found[key] = found.get(key, 0.0) + chance * part
        beyonds, hits, deals = zip(*found, strict=True)
        falls.append((np.array(beyonds), np.array(hits), np.array(deals), np.array([*found.values()])))
    return falls


def _attacked(
    now: Fights, which: Whole, weights: Weights, first: Whole, falls: list[list[Fall]]
) -> tuple[Fights, Whole, Weights]:
    """Let whoever is `first` in each order attack, in every state: it becomes as many as the attack has ways."""
    states = np.arange(len(weights))
    attacker = first[which]
    acts = now.able[states, attacker]
    rows, beyond, hit, dealt, chance, aims = [states[~acts]], [], [], [], [weights[~acts]], []
    for who, by_target in enumerate(falls):
        mine = states[acts & (attacker == who)]
        target = now.weakest(who, mine)
        for aim, (much, hits, deals, chances) in enumerate(by_target):
            there = mine[target == aim]
            rows.append(np.repeat(there, len(chances)))
            chance.append((weights[there][:, None] * chances).ravel())
            beyond.append(np.tile(much, len(there)))
            hit.append(np.tile(hits, len(there)))
            dealt.append(np.tile(deals, len(there)))
            aims.append(np.full(len(there) * len(chances), aim))
    source = np.concatenate(rows)
    _check(len(source), "states of the fight after one of its turns")
    now = _of(now, source)
    if hit:
        struck = np.flatnonzero(np.concatenate(hit))
        target, deals, much = (np.concatenate(each)[struck] for each in (aims, dealt, beyond))
        now.harm(struck + len(rows[0]), target, deals, much)
    now.left[~now.able] = 0  # how far below is no matter
    return _joined(now, which[source], np.concatenate(chance))


def _of(now: Fights, which: Whole | Flags) -> Fights:
    """Return the fights in some rows."""
    other = object.__new__(type(now))
    other.__dict__.update(now.__dict__)
    for name in now.keeps:
        setattr(other, name, getattr(now, name)[which])
    other.deeds = np.zeros(len(other.able), np.int64)
    return other


def _joined(now: Fights, which: Whole, weights: Weights) -> tuple[Fights, Whole, Weights]:
    """Join the states that are the same."""
    columns = [which, *(column for name in now.keeps for column in getattr(now, name).T)]
    spans = [int(column.max()) - int(column.min()) + 1 for column in columns]
    key: Whole = np.zeros(len(which), np.int64)
    for column, span in zip(columns, spans, strict=True):
        if int(key.max()) > np.iinfo(np.int64).max // (2 * span):  # numbered anew, so that the next fits
            key = np.unique(key, return_inverse=True)[1].ravel()
        key = key * span + (column - int(column.min()))
    _, first, place = np.unique(key, return_index=True, return_inverse=True)
    return _of(now, first), which[first], np.bincount(place.ravel(), weights).astype(np.float64)
