"""Many fights at once: what of these rules an attack costs, and who answers it."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combatkit.arrays import Fights, Whole
from combatkit.core.model import State
from combatkit.rules.catalogue import Action, Catalogue
from combatkit.systems.ap.limits import is_counted
from combatkit.systems.ap.reactions import reactive_of

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset


class Arrays(Fights):
    """Points for each round pay for attacks, and for one answer to each attack that others make."""

    read = frozenset({"actions", "max_attacks"})
    unreckoned = "an attack may be answered"

    def __init__(self, rules: Ruleset, state: State, seeds: npt.NDArray[np.uint64]) -> None:
        super().__init__(rules, state, seeds)
        pools = [rules.refill(state, fighter, "round") for fighter in self.people]
        most, limit = ([pool.get(name) for pool in pools] for name in ("ap", "attacks"))
        self.most = np.array(most, np.int64)
        self.limit = np.array([np.iinfo(np.int64).max if each is None else each for each in limit])
        self.points, self.spare = np.zeros((2, *self.able.shape), np.int64)
        answer = self.answering(rules.catalogue(state))
        self.counts = is_counted(answer)

    @classmethod
    def answering(cls, catalogue: Catalogue[Action]) -> Action:
        """A counter-attack."""
        return next(action for action in reactive_of(catalogue).answers if "attack" in action.tags)

    def begin_round(self, rows: Whole) -> None:
        """Fill everybody's points."""
        self.points[rows], self.spare[rows] = self.most, self.limit

    def pays(self, who: int, rows: Whole, done: int) -> Whole:
        """Take a point, and one of the attacks of the round, while there are any."""
        rows = rows[(self.points[rows, who] > 0) & (self.spare[rows, who] > 0)]
        self.points[rows, who] -= 1
        self.spare[rows, who] -= 1
        return rows

    def answers(self, who: int, rows: Whole) -> Iterator[tuple[int, Whole]]:
        """All enemies who have a point left, by their place on the ladder, as long as the attacker stands."""
        for slot in range(len(self.people)):
            for other in range(len(self.people)):
                if self.side[other] == self.side[who]:
                    continue
                can = self.able[rows, other] & self.able[rows, who] & (self.points[rows, other] > 0)
                can &= (self.order[rows, slot] == other) & (self.spare[rows, other] >= self.counts)
                if can.any():
                    some = rows[can]
                    self.points[some, other] -= 1
                    self.spare[some, other] -= self.counts
                    yield other, some
