"""Many fights at once: what of these rules the halves of a round and a routine come to."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from combatkit.arrays import Fights, Flags, Whole
from combatkit.core.model import Fighter, State, Step
from combatkit.rules.case import Ask, Case
from combatkit.rules.mechanisms import damage_dice
from combatkit.systems.segments.attacks import blows_of
from combatkit.systems.segments.initiative import drawn
from combatkit.systems.segments.weapons import is_missile, weapons_of

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset


class Arrays(Fights):
    """Groups roll anew each round, and act in the half they have rolled; out at 0 hit points."""

    read = frozenset({"weapon_speed_ties", "d_phases"})
    anew = True
    unreckoned = "the order is drawn anew each round"

    def __init__(self, rules: Ruleset, state: State, seeds: npt.NDArray[np.uint64]) -> None:
        super().__init__(rules, state, seeds)
        keys = [lot.keys for lot in drawn(rules, state).lots]
        number = {key: n for n, key in enumerate(sorted({key for each in keys for key in each}))}
        self.stages = np.array([[key[0] for key in each] for each in keys])
        self.ranks = np.array([[number[key] for key in each] for each in keys])
        self.acting = 0
        self.place = np.zeros(self.able.shape, np.int64)
        self.waits = np.zeros(self.able.shape, bool)

    def begin_round(self, rows: Whole) -> None:
        """Give everybody their place, by what their group has rolled."""
        self.place[rows] = self.ranks[np.arange(len(self.people)), self.outcome[rows]]
        self.waits[rows] = True

    def called(self, step: Step, rows: Whole) -> Flags:
        """Those whose half it is."""
        return np.asarray(self.stages[np.arange(len(self.people)), self.outcome[rows]] == step.stage)

    def pays(self, who: int, rows: Whole, done: int) -> Whole:
        """Take the major action."""
        rows = rows[self.waits[rows, who]]
        self.acting = who
        self.waits[rows, who] = False
        return rows

    def harm(self, rows: Whole, target: Whole, rolled: Whole, beyond: Whole) -> Whole:
        """Whoever has yet to act at the same time as who strikes them still acts."""
        self.left[rows, target] -= rolled
        at_once = self.waits[rows, target] & (self.place[rows, target] == self.place[rows, self.acting])
        self.able[rows, target] &= (self.left[rows, target] > 0) | at_once
        return rolled

    def end_turn(self, rows: Whole, slot: int) -> None:
        """Take down those who only acted because it was at the same time."""
        who = self.order[rows, slot]
        self.able[rows, who] &= self.left[rows, who] > 0

    @classmethod
    def asks(cls, case: Case) -> tuple[Ask, ...]:
        """A routine of one blow has a roll to hit, and its damage."""
        blows = blows_of(case.fighter, case.action, case.params)
        dealt = [Ask.of("damage", damage_dice(blow.damage)) for blow in blows if blow.damage is not None]
        return (*super().asks(case), *dealt)

    @classmethod
    def against(cls, fighter: Fighter) -> str:
        """Multi-attack has steps of its own, and whoever shoots is kept from it in melee."""
        if any(is_missile(weapon) for weapon in weapons_of(fighter)):
            return f"{fighter.name} shoots or throws"
        return f"{fighter.name} has several routines" if fighter.stats["routines"] > 1 else ""
