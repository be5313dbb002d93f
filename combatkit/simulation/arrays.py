"""Fights as arrays: many fights of one setup at once in NumPy, die for die those that the engine plays.

A die is a pure function of the seed and its number, so what a fight comes to can be worked out without keeping what
happened. Only `combatkit.tactics.strike` is played, and only where a fight is nothing but attacks in an order: `covers`
says what is in the way. What an attack rolls, needs and deals is asked of the ruleset, for each attacker and target
once; how the order is drawn, too. How a hit is taken and who is out a
system says itself, in its `arrays`.
Needs the extra ``sim``.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from importlib import import_module
from importlib.util import find_spec
from itertools import count
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from combatkit.arrays import Fights, Flags, Whole
from combatkit.core.dice import Dice
from combatkit.core.model import Fighter
from combatkit.errors import CombatkitError
from combatkit.fight.fight import Encounter
from combatkit.files.tables import SCENE
from combatkit.rules.case import Ask, Case
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import weapons_of
from combatkit.simulation.fights import Bounds, Setup
from combatkit.simulation.vectors import draw, faces
from combatkit.tactics import basic, row, stated


class Blow(NamedTuple):
    """What an attack rolls at each target, and what it deals: asked of the ruleset, with nobody hurt."""

    dice: tuple[int, ...]
    plus: Whole
    needed: Whole
    above: bool
    naturals: bool
    damage: Dice

    def lands(self, natural: Any, beyond: Any) -> Any:
        """Say whether it hits, by the faces and by how much the total exceeds what is needed."""
        hit = beyond > 0 if self.above else beyond >= 0
        if self.naturals:
            hit = (hit | (natural == self.dice[0])) & (natural != 1)
        return hit


def kind_of(rules: Ruleset) -> type[Fights] | None:
    """Return what one of the kit's own systems says of fights as arrays; None of one that is played by its engine."""
    package = type(rules).__module__.rpartition(".")[0]
    if not package.startswith("combatkit.systems.") or find_spec(f"{package}.arrays") is None:
        return None
    kind: type[Fights] = import_module(f"{package}.arrays").Arrays
    return kind


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
    enc, kind = setup._model, kind_of(setup.ruleset)
    rules, state = enc.ruleset, enc._state
    if kind is None:
        return f"{rules.title} is played by its engine only"
    people = state.fighters.values()
    if setup._saved["surprised"]:
        return "somebody is surprised"
    if len({fighter.position for fighter in people}) > 1 or (not kind.placed and any(f.position for f in people)):
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
    if said.keys() - {"id", "action", "params", "at", "becomes"} or said.get("params") or not (falls or not kind.told):
        return f"the scene says something else of {name} than when they fall"
    return kind.against(fighter)


def started(setup: Setup, seeds: npt.NDArray[np.uint64]) -> Fights:
    """Return fights of a setup in which nothing has happened yet."""
    enc, kind = setup._model, kind_of(setup.ruleset)
    assert kind is not None
    return kind(enc.ruleset, enc._state, seeds)


def blows(enc: Encounter, answer: Action | None = None) -> list[Blow]:
    """Ask the ruleset what everybody rolls at everybody with their attack, or in answer, and what they deal.

    Raises
    ------
    CombatkitError
        If it is more than one roll to hit and one for damage, or differs from target to target.
    """
    rules, state, kind = enc.ruleset, enc._state, kind_of(enc.ruleset) or Fights
    found = []
    for name, fighter in state.fighters.items():
        action = answer or basic(enc, name, "attack")[0]
        asked: dict[str, Sequence[Ask]] = {}
        for foe in state.fighters:
            case = Case(rules, state, fighter, action, {"target": [foe], **stated(enc, name, action)})
            asked[foe] = kind.asks(case)
            kinds = [ask.purpose for ask in asked[foe]]
            if kinds != ["attack", "damage"] or asked[foe][0].needed is None:
                raise CombatkitError(f"{name}'s {action.title.lower()} is not a roll to hit and one for damage")
        hits = [asks[0] for asks in asked.values()]
        first, damage = hits[0], next(iter(asked.values()))[1].thrown
        alike = {(ask.thrown.each, ask.above, ask.naturals) for ask in hits}
        if len(alike) > 1 or any(asks[1].thrown != damage for asks in asked.values()) or min(_signs(damage)) < 0:
            raise CombatkitError(f"{name}'s {action.title.lower()} differs from target to target")
        plus, needed = np.array([ask.thrown.plus for ask in hits]), np.array([ask.needed for ask in hits])
        found.append(Blow(first.thrown.each, plus, needed, first.above, first.naturals, damage))
    return found


def answered(enc: Encounter) -> list[Blow]:
    """Ask what everybody rolls in answer to an attack; nothing where `strike` answers none."""
    kind = kind_of(enc.ruleset)
    answer = None if kind is None else kind.answering(enc.ruleset.catalogue(enc._state))
    return [] if answer is None else blows(enc, answer)


def _signs(dice: Dice) -> Iterator[int]:
    yield from (many for many, _ in dice.terms)


def reason(setup: Setup) -> str:
    """Say why a setup is not played as arrays, as `covers` does, asking about everybody's attack as well."""
    against = covers(setup)
    if against:
        return against
    try:
        blows(enc := setup._model)
        answered(enc)
    except CombatkitError as error:
        return str(error)
    return ""


def _throw(now: Fights, rows: Whole, dice: Sequence[int]) -> Whole:
    """Throw the same dice in some fights, and add them up."""
    total = np.zeros(len(rows), np.int64)
    for sides in dice:
        total += faces(now.seeds[rows], now.number[rows], sides)
        now.number[rows] += np.uint64(1)
    return total


def _turn(now: Fights, who: int, rows: Whole, blow: Sequence[Blow], answer: Sequence[Blow]) -> None:
    """Let somebody attack the weakest enemy, as often as they can pay for it; whoever answers strikes first."""
    for done in count():
        rows = rows[now.able[rows, who] & now.foes(who, rows).any(axis=1)]
        rows = now.pays(who, rows, done)
        if not len(rows):
            return
        target = now.weakest(who, rows)
        now.attacks[rows, who] += 1
        now.deeds[rows] += 1
        for other, some in now.answers(who, rows):
            now.reacted[some, other] += 1
            now.deeds[some] += 1
            _attack(now, other, some, np.full(len(some), who), answer[other])
        able = now.able[rows, who]
        _attack(now, who, rows[able], target[able], blow[who])


def _attack(now: Fights, who: int, rows: Whole, target: Whole, blow: Blow) -> None:
    """Roll an attack of somebody's at somebody, in some fights."""
    natural = _throw(now, rows, blow.dice)
    beyond = natural + blow.plus[target] - blow.needed[target]
    hit = blow.lands(natural, beyond)
    rows, target, beyond = rows[hit], target[hit], beyond[hit]
    rolled = _throw(now, rows, blow.damage.each) + blow.damage.plus
    lost = now.harm(rows, target, np.maximum(rolled, 0), beyond)
    now.dealt[rows, who] += lost
    now.taken[rows, target] += lost


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
    now, blow, answer, lots = started(setup, seeds), blows(enc), answered(enc), enc.odds().lots
    schedule = rules.schedule(enc._state)
    length = sum(step.length for step in schedule)
    turn = np.zeros(len(seeds), np.int64)
    ended, seconds = np.ones(len(seeds), np.int64), np.zeros(len(seeds), np.int64)
    on = np.arange(len(seeds))
    for number in count(1):
        begins = (number - 1) * length
        ended[on], seconds[on] = number, begins + schedule[0].seconds
        on = on[standing(now, on).sum(axis=1) > 1]
        if not len(on) or (bounds.rounds is not None and number > bounds.rounds):
            break
        if now.anew or number == 1:
            drawn = draw(lots, seeds[on], now.number[on])
            now.number[on], now.order[on], now.outcome[on] = drawn.dice, drawn.order, drawn.outcome
        now.begin_round(on)
        for step in schedule:
            seconds[on] = begins + step.seconds
            for slot in range(len(names)) if step.turns else ():
                called, acted = now.called(step, on), np.zeros(len(on), bool)
                for who in range(len(names)):
                    acts = (now.order[on, slot] == who) & now.able[on, who] & called[:, who]
                    mine = on[acts]
                    if not len(mine):
                        continue
                    acted |= acts
                    _turn(now, who, mine, blow, answer)
                    turn[mine] += 1
                    now.turned[mine, who] += 1
                    now.first[mine, who] = np.where(now.turned[mine, who] == 1, turn[mine], now.first[mine, who])
                over = acted & (standing(now, on).sum(axis=1) < 2)
                now.end_turn(on[acted], slot)
                on = on[~over]
        now.end_round(on)
    return _columns(setup, fights, now, ended, seconds)


def standing(now: Fights, rows: Whole | slice) -> Flags:
    """Return on which sides somebody can still act, by fight."""
    sides = range(now.side.max() + 1)
    return np.stack([now.able[rows][:, now.side == side].any(axis=1) for side in sides], axis=1)


def _columns(
    setup: Setup, fights: Sequence[tuple[int, int]], now: Fights, ended: Whole, seconds: Whole
) -> list[tuple[object, ...]]:
    """Return the rows of fights that have been played, in the order of `combatkit.simulation.fights.COLUMNS`."""
    enc, many = setup._model, len(now.people)
    alive = standing(now, slice(None))
    sides = np.array(list(dict.fromkeys(fighter.side for fighter in now.people)), object)
    winner = sides[alive.argmax(axis=1)]
    winner[alive.sum(axis=1) != 1] = None
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
        now.reacted.ravel().tolist(),
        (now.attacks + now.reacted).ravel().tolist(),
        *(each_.ravel().tolist() for each_ in (now.dealt, now.taken, now.left)),
    ]
    return list(zip(*columns, strict=True))
