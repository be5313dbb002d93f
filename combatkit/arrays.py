"""Many fights under way at once, as arrays: what each system's own part builds on. Needs NumPy; `simulate` loads it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, ClassVar

import numpy as np
import numpy.typing as npt

from combatkit.core.model import Fighter, State, Step

if TYPE_CHECKING:
    from combatkit.rules.case import Ask, Case
    from combatkit.rules.catalogue import Action, Catalogue
    from combatkit.rules.ruleset import Ruleset

Whole = npt.NDArray[np.int64]
Flags = npt.NDArray[np.bool_]


class Fights:
    """Many fights of one setup under way: who has what left, who can act; a column a combatant, a row a fight.

    A system says in a class of its own how a hit is taken and what else a round holds.
    """

    keeps: ClassVar[tuple[str, ...]] = ("left", "able")
    """What makes a state of the fight, if how it came about is no matter."""
    read: ClassVar[frozenset[str]] = frozenset()
    """Options that are asked of the ruleset as they are; any other must be as it is by default."""

    placed: ClassVar[bool] = False
    """Whether people may have a place, if all have the same."""
    told: ClassVar[bool] = True
    """Whether the table `scene` says when they fall, which is at 0."""
    anew: ClassVar[bool] = False
    """Whether the order is drawn in each round."""
    unreckoned: ClassVar[str] = ""
    """Why the ways of a fight can't be gone through; empty if a turn is one attack, in the same order each round."""

    def __init__(self, rules: Ruleset, state: State, seeds: npt.NDArray[np.uint64]) -> None:
        people = list(state.fighters.values())
        self.seeds, self.people, self.vital = seeds, people, rules.vitals[0].name
        sides = list(dict.fromkeys(fighter.side for fighter in people))
        self.side = np.array([sides.index(fighter.side) for fighter in people])
        shape = (len(seeds), len(people))
        self.left = np.tile(np.array([fighter.vitals[self.vital] for fighter in people], np.int64), (len(seeds), 1))
        self.able = np.ones(shape, bool)
        self.number = np.zeros(len(seeds), np.uint64)
        self.deeds = np.zeros(len(seeds), np.int64)
        self.order, self.outcome = np.zeros((2, *shape), np.intp)
        self.attacks, self.reacted, self.turned, self.first = np.zeros((4, *shape), np.int64)
        self.dealt, self.taken = np.zeros((2, *shape), np.int64)

    def foes(self, who: int, rows: Whole) -> Flags:
        """Return which of somebody's enemies can act, in some fights."""
        return np.asarray(self.able[rows] & (self.side != self.side[who]))

    def weakest(self, who: int, rows: Whole) -> Whole:
        """Return somebody's weakest enemy who can act, in some fights."""
        return np.asarray(np.where(self.foes(who, rows), self.left[rows], np.iinfo(np.int64).max).argmin(axis=1))

    def harm(self, rows: Whole, target: Whole, rolled: Whole, beyond: Whole) -> Whole:
        """Take damage off, and whoever has nothing left out of the fight; give what each lost.

        `beyond` is by how much the attack exceeded what it needed.
        """
        self.left[rows, target] -= rolled
        self.able[rows, target] &= self.left[rows, target] > 0
        return rolled

    @classmethod
    def answering(cls, _: Catalogue[Action]) -> Action | None:
        """Return what `strike` answers an attack with; None where it answers none."""
        return None

    @classmethod
    def asks(cls, case: Case) -> tuple[Ask, ...]:
        """Return what an attack rolls: to hit, and its damage."""
        return case.rules.asks(case)

    def called(self, step: Step, rows: Whole) -> Flags:
        """Return who takes their turn in a step, by what their dice came to."""
        return np.ones((len(rows), len(self.people)), bool)

    def begin_round(self, rows: Whole) -> None:
        """Do what a round holds before everybody's turns."""

    def pays(self, who: int, rows: Whole, done: int) -> Whole:
        """Take what an attack of somebody's turn costs, after so many; give the fights in which they can pay."""
        return rows if not done else rows[:0]

    def answers(self, who: int, rows: Whole) -> Iterator[tuple[int, Whole]]:
        """Yield who answers somebody's attack before it is rolled, and in which fights, one after the other."""
        yield from ()

    def end_turn(self, rows: Whole, slot: int) -> None:
        """Do what the end of a turn brings: that of a place in the order."""

    def end_round(self, rows: Whole) -> None:
        """Do what a round holds after everybody's turns."""

    @classmethod
    def against(cls, _: Fighter) -> str:
        """Say what in somebody's sheet keeps a fight from being nothing but attacks; empty if nothing does."""
        return ""
