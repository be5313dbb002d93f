"""A round of attacks in many fights at once: who strikes in which order, with which dice, for how much of its budget.

The rules are asked once: one fight is played on the engine, and what each turn came to (what was paid, which rolls were
asked for, what hits) is then repeated for every seed, with that fight's order and that fight's dice. So it holds for
plans in which neither depends on what is rolled: attacks without damage, against targets that stay. Needs the extra
``sim``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from combatkit.core.model import Event
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case
from combatkit.rules.params import find_action
from combatkit.simulation.vectors import Flags, Numbers, Seeds, draw, faces

if TYPE_CHECKING:
    import polars as pl

    from combatkit.fight.encounter import Encounter
    from combatkit.rules.case import Ask
    from combatkit.tactics import Deed

Plan = Mapping[str, Sequence["Deed"]]
"""For each combatant what it does in a turn; what its budget refuses is left out."""


class Blow(NamedTuple):
    """One attack roll of the round: who makes it against whom, in which of the passes through the order."""

    name: str
    target: str | None
    occasion: int
    dice: int
    sides: int
    lands: tuple[bool, ...]
    """Whether it hits, by the sum of its faces from 0 up."""


@dataclass(frozen=True)
class Volley:
    """A round of attacks in many fights.

    Attributes
    ----------
    blows : tuple of Blow
        The attack rolls; the columns of the arrays follow them.
    natural : numpy.ndarray, shape (fights, blows)
        The sum of the faces of each.
    hits : numpy.ndarray of bool, shape (fights, blows)
        Whether it hit.
    dice : numpy.ndarray, shape (fights,)
        How many dice have been thrown by the end of the round, those for initiative among them.
    spent : dict of str to dict of str to int
        What each combatant has spent of each slot: the same in every fight.
    """

    blows: tuple[Blow, ...]
    natural: Numbers
    hits: Flags
    dice: Numbers
    spent: dict[str, dict[str, int]]

    @property
    def frame(self) -> pl.DataFrame:
        """Return a row per attack roll: ``combatant``, ``target``, ``occasion``, ``hits`` (how many), ``share``."""
        import polars as pl

        return pl.DataFrame(
            {
                "combatant": [blow.name for blow in self.blows],
                "target": [blow.target for blow in self.blows],
                "occasion": [blow.occasion for blow in self.blows],
                "hits": self.hits.sum(axis=0, dtype=np.int64),
                "share": self.hits.mean(axis=0),
            },
            schema_overrides={"combatant": pl.String, "target": pl.String, "occasion": pl.Int64},
        )


def attacks(encounter: Encounter, seeds: Seeds, plan: Plan, *, surprised: Iterable[str] = ()) -> Volley:
    """Roll a round of attacks in many fights at once, the surprise round before it included.

    Parameters
    ----------
    encounter : Encounter
        A fight with everybody in it that has not begun.
    seeds : numpy.ndarray of uint64
        The fights' seeds; its own does not matter.
    plan : mapping of str to sequence of Deed
        What each does in each of its turns, in this order; what the budget refuses is left out, and whoever is not in
        it does nothing.
    surprised : iterable of str
        Who is unaware, as `Encounter.start` takes it.

    Returns
    -------
    Volley
        A row per fight.

    Raises
    ------
    InvalidInput
        If the fight has begun, the plan throws other dice than those of attacks, or somebody has several turns in one
        pass through the order.

    Examples
    --------
    >>> import combatkit as ck
    >>> from combatkit.simulation.vectors import seeds
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", attack_bonus=9, defense=19)
    >>> _ = enc.add("Vex", side="empire", attack_bonus=4, defense=17)
    >>> plan = {"Mara": [ck.Deed("attack", {"target": "Vex"})] * 2}
    >>> volley = attacks(enc, seeds(7, 100_000), plan)
    >>> volley.spent["Mara"]["standard"], volley.frame["share"].round(2).to_list()
    (1, [0.65])
    """
    if encounter._state.stage != "setup":
        raise InvalidInput("the fight has begun; give one that has not")
    unaware = tuple(surprised)
    probe = _Probe(encounter, plan, unaware)
    drawn = draw(encounter.odds(surprised=unaware).lots, seeds, late=False)
    column = {name: index for index, name in enumerate(drawn.names)}
    used = drawn.dice.astype(np.uint64)
    natural = np.empty((len(probe.blows), len(seeds)), np.uint16)
    hits = np.empty(natural.shape, bool)
    for occasion in dict.fromkeys(blow.occasion for blow in probe.blows):
        mine = [(row, blow) for row, blow in enumerate(probe.blows) if blow.occasion == occasion]
        thrown: dict[str, int] = {}
        for row, blow in mine:
            number = used + np.uint64(thrown.get(blow.name, 0))
            for _, other in mine:
                if other.name != blow.name:
                    earlier = drawn.turn[:, column[other.name]] < drawn.turn[:, column[blow.name]]
                    number += earlier * np.uint64(other.dice)
            total = np.zeros(len(seeds), np.uint16)
            for die in range(blow.dice):
                total += faces(seeds, number + np.uint64(die), blow.sides)
            natural[row] = total
            hits[row] = np.array(blow.lands)[total]
            thrown[blow.name] = thrown.get(blow.name, 0) + blow.dice
        used += np.uint64(sum(blow.dice for _, blow in mine))
    return Volley(probe.blows, natural.T, hits.T, used, probe.spent)


class _Probe:
    """One fight played on the engine, and what its round came to."""

    def __init__(self, encounter: Encounter, plan: Plan, surprised: tuple[str, ...]) -> None:
        self.encounter = encounter.restart(seed=0)
        for name in plan:
            self.encounter._fighter(name)
        self.encounter.start(surprised=surprised)
        self.spent: dict[str, dict[str, int]] = {}
        self.turns: set[tuple[int, str]] = set()
        self.blows = tuple(blow for turn in self._turns() for blow in self._turn(*turn, plan))

    def _turns(self) -> Iterator[tuple[int, str]]:
        """Go through the turns of the first round, and of a surprise round before it."""
        enc = self.encounter
        while (enc.clock.round or 0) <= 1:
            if enc.pending:
                raise InvalidInput(f"{enc.pending[0].about}: many fights cannot wait for an answer")
            if enc.active is not None:
                turn = (enc._state.occasion, enc.active)
                if turn in self.turns:
                    raise InvalidInput(f"{enc.active} has several turns in a round: play such fights one by one")
                self.turns.add(turn)
                yield turn
            enc.end_turn()

    def _turn(self, occasion: int, name: str, plan: Plan) -> Iterator[Blow]:
        enc = self.encounter
        refused: list[Deed] = []
        for deed in plan.get(name, ()):
            if deed in refused:
                continue
            if not enc.can(name, deed.action, **deed.params).allowed:
                refused.append(deed)
            else:
                blows = list(self._blows(occasion, name, deed))
                faces = {"attack": [1] * sum(blow.dice for blow in blows)} if blows else None
                events = list(enc.do(name, deed.action, rolls=faces, **self._as_hit(deed)))
                while enc.pending and not enc.pending[0].must:
                    events += enc.resolve()
                _check(events, name)
                yield from blows
        spent = self.spent.setdefault(name, {})
        for slot in enc.budget(name):
            spent[slot.id] = spent.get(slot.id, 0) + slot.total - slot.left

    def _as_hit(self, deed: Deed) -> dict[str, Any]:
        """Return the parameters of a deed that hits, so that dice which only a hit throws are thrown, and found."""
        rules, state = self.encounter.ruleset, self.encounter._state
        taken = [parameter.id for parameter in find_action(rules, state, deed.action).parameters]
        return {**({"outcome": "hit"} if "outcome" in taken else {}), **deed.params}

    def _blows(self, occasion: int, name: str, deed: Deed) -> Iterator[Blow]:
        enc = self.encounter
        rules, state = enc.ruleset, enc._state
        action = find_action(rules, state, deed.action)
        given: dict[str, Any] = dict(deed.params)
        targets = given.get("target")
        for target in [targets] if isinstance(targets, str) else targets or [None]:
            params = given if target is None else {**given, "target": [target]}
            for ask in rules.asks(Case(rules, state, state.fighters[name], action, params)):
                if ask.purpose != "attack":
                    raise InvalidInput(
                        f"{action.title} of {name} rolls for {ask.purpose} too: only attacks can be asked"
                    )
                yield Blow(name, target, occasion, ask.dice, ask.sides, _lands(ask))


def _lands(ask: Ask) -> tuple[bool, ...]:
    return (False,) * ask.dice + tuple(ask.lands(natural) for natural in range(ask.dice, ask.dice * ask.sides + 1))


def _check(events: Iterable[Event], name: str) -> None:
    """Check that the engine rolled only the dice that were asked for, which it was given."""
    if any(event._data.get("drawn", 0) for event in events):
        raise InvalidInput(f"{name} rolls dice other than for attacks: play such fights one by one")
