"""How weapons are read here: what each adds to OCV, and from how many hexes away it hits."""

from __future__ import annotations

from combatkit.rules.case import Case
from combatkit.rules.weapons import MELEE, RANGED, Arms, Weapon
from combatkit.systems.phases.threats import OPPORTUNITY, by_nature, is_bound, own_reach, steps_to


class PhasesArms(Arms):
    """A weapon with a range attacks at range; any other hits as far as its own reach, or its owner's."""

    adds = "ocv"
    unit = "hex"

    def nature(self, case: Case) -> str:
        """Return how an attack is made by its manoeuvre, or else as it is said to be made from afar."""
        ranged = by_nature(case)
        if ranged is None:
            return RANGED if case.params.get("option") == RANGED else ""
        return RANGED if ranged else MELEE

    def suits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of the kind that an attack takes by its nature: only one with a range shoots."""
        nature = self.nature(case)
        return not nature or ("range" in weapon) is (nature == RANGED)

    def fits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of the kind an attack needs; an attack of opportunity is made in melee."""
        bound = False if case.action.id == OPPORTUNITY else is_bound(case)
        return bound is None or bound is ("range" in weapon)

    def reach(self, case: Case, weapon: Weapon) -> int | None:
        """Return how many hexes away a weapon hits."""
        bound = is_bound(case)
        ranged = "range" in weapon if bound is None else bound
        return weapon.get("range") if ranged else weapon.get("reach", own_reach(case.rules, case.fighter))

    def steps(self, case: Case, target: str) -> int | None:
        """Return the distance from a target to the nearest hex the attacker comes through."""
        return steps_to(case, target)
