"""Fights as arrays: many fights of one setup at once in NumPy, die for die those that the engine plays.

A die is a pure function of the seed and its number, so what a fight comes to can be worked out without keeping what
happened. Only `combatkit.tactics.strike` is played, and only where a fight is nothing but attacks in an order: `covers`
says what is in the way. What an attack rolls, needs and deals is asked of the ruleset, for each attacker and target
once; how the order is drawn, too. What is written down here is how a hit is taken and who is out, system by system.
Needs the extra ``sim``.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import count
from typing import Any, ClassVar, NamedTuple

import numpy as np
import numpy.typing as npt

from combatkit.core.dice import Dice
from combatkit.core.model import Fighter
from combatkit.errors import CombatkitError
from combatkit.fight.fight import Encounter
from combatkit.files.tables import SCENE
from combatkit.rules.case import Ask, Case
from combatkit.rules.weapons import weapons_of
from combatkit.simulation.fights import Bounds, Setup
from combatkit.simulation.vectors import draw, faces
from combatkit.systems.d6.attacks import MARGIN
from combatkit.systems.d6.fates import ignores_left, reductions, threshold
from combatkit.systems.d6.ruleset import D6
from combatkit.systems.phases.ruleset import Phases
from combatkit.systems.saga.ruleset import Saga
from combatkit.tactics import basic, row, stated

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Blow(NamedTuple):
    """What an attack rolls at each target, and what it deals: asked of the ruleset, with nobody hurt."""

    dice: tuple[int, ...]
    plus: Whole
    needed: Whole
    above: bool
    naturals: bool
    damage: Dice


class Fights:
    """Many fights of one setup under way: who has what left, who can act; a column a combatant, a row a fight.

    A system says in a class of its own how a hit is taken and what else a round holds.
    """

    ours: ClassVar[type] = object
    """The ruleset; one derived from it is a stranger's."""
    read: ClassVar[frozenset[str]] = frozenset()
    """Options that are asked of the ruleset as they are; any other must be as it is by default."""

    def __init__(self, enc: Encounter, seeds: npt.NDArray[np.uint64]) -> None:
        rules, people = enc.ruleset, list(enc._state.fighters.values())
        self.seeds, self.people, self.vital = seeds, people, rules.vitals[0].name
        sides = list(dict.fromkeys(fighter.side for fighter in people))
        self.side = np.array([sides.index(fighter.side) for fighter in people])
        shape = (len(seeds), len(people))
        self.left = np.tile(np.array([fighter.vitals[self.vital] for fighter in people], np.int64), (len(seeds), 1))
        self.able = np.ones(shape, bool)
        self.number = np.zeros(len(seeds), np.uint64)
        self.deeds = np.zeros(len(seeds), np.int64)
        self.attacks, self.turned, self.first, self.dealt, self.taken = np.zeros((5, *shape), np.int64)

    def throw(self, rows: Whole, dice: Sequence[int]) -> Whole:
        """Throw the same dice in some fights, and add them up."""
        total = np.zeros(len(rows), np.int64)
        for sides in dice:
            total += faces(self.seeds[rows], self.number[rows], sides)
            self.number[rows] += np.uint64(1)
        return total

    def attack(self, who: int, rows: Whole, blow: Blow) -> None:
        """Let somebody attack the weakest enemy, in some fights."""
        foes = self.able[rows] & (self.side != self.side[who])
        target = np.where(foes, self.left[rows], np.iinfo(np.int64).max).argmin(axis=1)
        natural = self.throw(rows, blow.dice)
        total, needed = natural + blow.plus[target], blow.needed[target]
        hit = total > needed if blow.above else total >= needed
        if blow.naturals:
            hit = (hit | (natural == blow.dice[0])) & (natural != 1)
        self.deeds[rows] += 1
        self.attacks[rows, who] += 1
        rows, target, beyond = rows[hit], target[hit], (total - needed)[hit]
        rolled = self.throw(rows, blow.damage.each) + blow.damage.plus
        lost = self.harm(rows, target, np.maximum(rolled, 0), beyond)
        self.dealt[rows, who] += lost
        self.taken[rows, target] += lost

    def harm(self, rows: Whole, target: Whole, rolled: Whole, beyond: Whole) -> Whole:
        """Take damage off, and whoever has nothing left out of the fight; give what each lost.

        `beyond` is by how much the attack exceeded what it needed.
        """
        self.left[rows, target] -= rolled
        self.able[rows, target] &= self.left[rows, target] > 0
        return rolled

    def end_round(self, rows: Whole) -> None:
        """Do what a round holds after everybody's turns."""

    @classmethod
    def against(cls, _: Fighter) -> str:
        """Say what in somebody's sheet keeps a fight from being nothing but attacks; empty if nothing does."""
        return ""


class SagaFights(Fights):
    """Out at 0 hit points."""

    ours = Saga

    @classmethod
    def against(cls, fighter: Fighter) -> str:
        """Feats may let somebody attack more often."""
        return f"{fighter.name} has feats" if fighter.stats["feats"] else ""


class PhasesFights(Fights):
    """A turn in each of four phases; stun comes back in the Post-Turn, but whom the scene leaves out stays out."""

    ours = Phases
    read = frozenset({"meets_hits"})

    def __init__(self, enc: Encounter, seeds: npt.NDArray[np.uint64]) -> None:
        super().__init__(enc, seeds)
        gains = [(enc.ruleset.value(f, "recovery") or 0) * bool(f.stats["auto_recovery"]) for f in self.people]
        self.gains, self.top = np.array(gains), self.left[0].copy()

    def end_round(self, rows: Whole) -> None:
        """Give everybody a Recovery."""
        left = self.left[rows]
        self.left[rows] = np.where(left < self.top, np.minimum(left + self.gains, self.top), left)

    @classmethod
    def against(cls, fighter: Fighter) -> str:
        """Whoever is whole at fewer points than the sheet says recovers more."""
        return "" if fighter.vitals["stun"] == fighter.stats["stun"] else f"{fighter.name} is hurt already"


class D6Fights(Fights):
    """Armor takes off, half of it far above Defense; at 0 Resolve wounded or out, and hurt again a fate."""

    ours = D6

    def __init__(self, enc: Encounter, seeds: npt.NDArray[np.uint64]) -> None:
        super().__init__(enc, seeds)
        self.armor = np.array([max(0, f.stats["armor"]) for f in self.people])
        self.minor = np.array([f.npc and not f.stats["significant"] for f in self.people])
        self.most = np.array([threshold(f) for f in self.people])
        self.ignores = np.tile(np.array([ignores_left(f) for f in self.people]), (len(seeds), 1))
        self.wounded = np.zeros(self.able.shape, bool)

    def harm(self, rows: Whole, target: Whole, rolled: Whole, beyond: Whole) -> Whole:
        """Take what armor leaves of it; a fate that must be chosen is ignored, or else takes them from this fight."""
        armor = self.armor[target]
        armor = np.where(beyond >= MARGIN, armor // 2, armor)
        lost = np.maximum(rolled - armor, 0)
        taken = np.minimum(lost, self.left[rows, target])
        self.left[rows, target] -= taken
        again = (lost > 0) & self.wounded[rows, target]
        ignored = again & (lost <= self.most[target]) & (self.ignores[rows, target] > 0)
        self.ignores[rows, target] -= ignored
        self.deeds[rows] += again
        empty = (taken > 0) & (self.left[rows, target] == 0)
        self.able[rows, target] &= ~((again & ~ignored) | (empty & self.minor[target]))
        self.wounded[rows, target] |= empty & ~self.minor[target]
        return np.asarray(taken)

    @classmethod
    def against(cls, fighter: Fighter) -> str:
        """A fate that is not Never the Same, and armor by kind or that nothing pierces, are not written down here."""
        if not isinstance(fighter.stats["armor"], int) or any(w.get("piercing") for w in weapons_of(fighter)):
            return f"{fighter.name}'s armor or weapon tells kinds of damage apart"
        if fighter.stats["never_the_same_used"] or not reductions(fighter):
            return f"{fighter.name} may have to choose another fate than Never the Same"
        return f"{fighter.name} has free actions" if fighter.stats["free_actions"] else ""


KINDS: Mapping[str, type[Fights]] = {"saga": SagaFights, "d6": D6Fights, "phases": PhasesFights}
"""What is played as arrays, by system."""


def covers(setup: Setup) -> str:
    """Say what keeps a setup from being played as arrays; empty if nothing does.

    Parameters
    ----------
    setup : Setup
        What is to be fought.

    Returns
    -------
    str
        The first thing in the way.
    """
    enc, kind = setup._model, KINDS.get(setup.ruleset.id)
    rules, state = enc.ruleset, enc._state
    if kind is None or type(rules) is not kind.ours:
        return f"{rules.title} is played by its engine only"
    people = state.fighters.values()
    if setup._saved["surprised"]:
        return "somebody is surprised"
    if len({fighter.position for fighter in people}) > 1 or (rules.id != "d6" and any(f.position for f in people)):
        return "the fight has places"
    for id, setting in rules.options.items():
        if state.options[id] != setting.default and id not in kind.read:
            return f"the option {id} is {state.options[id]}"
    if table := next((id for id in state.tables if id != SCENE), None):
        return f"the fight has a table of its own: {table}"
    if len({fighter.side for fighter in people}) < 2:
        return "there is only one side"
    return next(filter(None, (_against(enc, kind, fighter) for fighter in people)), "")


def _against(enc: Encounter, kind: type[Fights], fighter: Fighter) -> str:
    """Say what in somebody's sheet is in the way."""
    name, stats, held, said = fighter.name, fighter.stats, weapons_of(fighter), row(enc, fighter.name)
    if len(held) != 1:
        return f"{name} has {('no weapon', 'two weapons')[len(held) > 1]}"
    if fighter.effects or fighter.pools or fighter.progress or stats.get("uses"):
        return f"{name} has a condition, or uses that are counted"
    if not fighter.vitals.get(enc.ruleset.vitals[0].name):
        return f"nobody says how much {name} can take"
    falls = said.get("at") == 0 and said.get("becomes") == "unconscious"
    if said.keys() - {"id", "params", "at", "becomes"} or said.get("params") or not (falls or kind is D6Fights):
        return f"the scene says something else of {name} than when they fall"
    return kind.against(fighter)


def blows(enc: Encounter) -> list[Blow]:
    """Ask the ruleset what everybody rolls at everybody, and what they deal.

    Raises
    ------
    CombatkitError
        If it is more than one roll to hit and one for damage, or differs from target to target.
    """
    rules, state = enc.ruleset, enc._state
    found = []
    for name, fighter in state.fighters.items():
        action = basic(enc, name, "attack")[0]
        asked: dict[str, Sequence[Ask]] = {}
        for foe in state.fighters:
            case = Case(rules, state, fighter, action, {"target": [foe], **stated(enc, name, action)})
            asked[foe] = rules.asks(case)
            kinds = [ask.purpose for ask in asked[foe]]
            if kinds != ["attack", "damage"] or asked[foe][0].needed is None:
                raise CombatkitError(f"{name}'s attack is not a roll to hit and one for damage")
        hits = [asks[0] for asks in asked.values()]
        first, damage = hits[0], next(iter(asked.values()))[1].thrown
        alike = {(ask.thrown.each, ask.above, ask.naturals) for ask in hits}
        if len(alike) > 1 or any(asks[1].thrown != damage for asks in asked.values()) or min(_signs(damage)) < 0:
            raise CombatkitError(f"{name}'s attack differs from target to target")
        plus, needed = np.array([ask.thrown.plus for ask in hits]), np.array([ask.needed for ask in hits])
        found.append(Blow(first.thrown.each, plus, needed, first.above, first.naturals, damage))
    return found


def _signs(dice: Dice) -> Iterator[int]:
    yield from (many for many, _ in dice.terms)


def reason(setup: Setup) -> str:
    """Say why a setup is not played as arrays, as `covers` does, asking about everybody's attack as well."""
    against = covers(setup)
    if against:
        return against
    try:
        blows(setup._model)
    except CombatkitError as error:
        return str(error)
    return ""


def rows(setup: Setup, fights: Sequence[tuple[int, int]], bounds: Bounds) -> list[tuple[object, ...]]:
    """Play fights at once, and return what `combatkit.simulation.fights.rows` would of each, one after the other.

    Parameters
    ----------
    setup : Setup
        What they are made of; nothing may be in the way by `reason`.
    fights : sequence of (int, int)
        Their numbers and seeds.
    bounds : Bounds
        When they are over.

    Returns
    -------
    list of tuple
        A row per fight and combatant.
    """
    enc = setup._model
    rules, names = enc.ruleset, enc.names
    seeds = np.array([seed for _, seed in fights], np.uint64)
    now, blow = KINDS[rules.id](enc, seeds), blows(enc)
    drawn = draw(enc.odds().lots, seeds)
    now.number[:] = drawn.dice
    order = np.array([names.index(name) for name in drawn.names])[drawn.order]
    schedule = rules.schedule(enc._state)
    steps, length = [step.seconds for step in schedule if step.turns], sum(step.length for step in schedule)
    turn = np.zeros(len(seeds), np.int64)
    ended, seconds = np.ones(len(seeds), np.int64), np.zeros(len(seeds), np.int64)
    on = np.arange(len(seeds))
    for number in count(1):
        begins = (number - 1) * length
        ended[on], seconds[on] = number, begins + steps[0]
        if not len(on) or (bounds.rounds is not None and number > bounds.rounds):
            break
        for step in steps:
            seconds[on] = begins + step
            for slot in range(len(names)):
                for who in range(len(names)):
                    mine = on[(order[on, slot] == who) & now.able[on, who]]
                    if not len(mine):
                        continue
                    now.attack(who, mine, blow[who])
                    turn[mine] += 1
                    now.turned[mine, who] += 1
                    now.first[mine, who] = np.where(now.turned[mine, who] == 1, turn[mine], now.first[mine, who])
                on = on[_standing(now, on).sum(axis=1) > 1]
        now.end_round(on)
    return _columns(setup, fights, now, ended, seconds)


def _standing(now: Fights, rows: Whole | slice) -> Flags:
    """Return on which sides somebody can still act, by fight."""
    sides = range(now.side.max() + 1)
    return np.stack([now.able[rows][:, now.side == side].any(axis=1) for side in sides], axis=1)


def _columns(
    setup: Setup, fights: Sequence[tuple[int, int]], now: Fights, ended: Whole, seconds: Whole
) -> list[tuple[object, ...]]:
    """Return the rows of fights that have been played, in the order of `combatkit.simulation.fights.COLUMNS`."""
    enc, many = setup._model, len(now.people)
    standing = _standing(now, slice(None))
    sides = np.array(list(dict.fromkeys(fighter.side for fighter in now.people)), object)
    winner = sides[standing.argmax(axis=1)]
    winner[standing.sum(axis=1) != 1] = None
    own = sides[now.side]

    def fight(column: Any) -> list[object]:
        found: list[object] = np.repeat(np.asarray(column), many).tolist()
        return found

    def each(column: Any) -> list[object]:
        found: list[object] = np.tile(np.asarray(column, object), len(fights)).tolist()
        return found

    first = now.first.astype(object)
    first[now.first == 0] = None
    columns = [
        each([enc.ruleset.id] * many),
        fight([number for number, _ in fights]),
        fight(now.seeds),
        each(enc.names),
        each(own),
        fight(winner),
        (winner[:, None] == own[None, :]).ravel().tolist(),
        now.able.ravel().tolist(),
        fight(ended),
        fight(seconds),
        fight(now.deeds),
        first.ravel().tolist(),
        now.turned.ravel().tolist(),
        now.attacks.ravel().tolist(),
        [0] * (many * len(fights)),
        *(each_.ravel().tolist() for each_ in (now.attacks, now.dealt, now.taken, now.left)),
    ]
    return list(zip(*columns, strict=True))
