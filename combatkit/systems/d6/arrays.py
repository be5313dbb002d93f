"""Many fights at once: what of these rules a hit and a round come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combatkit.arrays import Fights, Whole
from combatkit.core.model import Fighter, State
from combatkit.rules.weapons import weapons_of
from combatkit.systems.d6.attacks import MARGIN
from combatkit.systems.d6.fates import ignores_left, reductions, threshold

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset


class Arrays(Fights):
    """Armor takes off, half of it far above Defense; at 0 Resolve wounded or out, and hurt again a fate."""

    placed = True
    told = False
    keeps = ("left", "able", "wounded", "ignores")

    def __init__(self, rules: Ruleset, state: State, seeds: npt.NDArray[np.uint64]) -> None:
        super().__init__(rules, state, seeds)
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
        empty = (lost > 0) & (self.left[rows, target] == 0)
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
