"""How weapons are read here: bonuses, and ranges in squares; the source has no rule for them, the sheet says."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from combatkit.rules.case import Case, Objection
from combatkit.rules.weapons import MELEE, Arms, Weapon, weapons_of


class SagaArms(Arms):
    """A weapon is for melee, or reaches a number of squares."""

    def nature(self, case: Case) -> str:
        """Return how an attack is made whatever else is said: a charge ends hand to hand."""
        return MELEE if case.action.does == "charge" else super().nature(case)

    def suits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of the kind an attack takes; a charge takes one for melee, if there is any."""
        if case.action.does == "charge" and all(other.get("range") != MELEE for other in weapons_of(case.fighter)):
            return True
        return super().suits(case, weapon)

    def unreached(self, case: Case) -> Iterable[Objection]:
        """Refuse a target out of reach; whoever has moved away could be struck only before they went."""
        for objection in super().unreached(case):
            if case.action.when == "reaction" and case.state.options["openings"] == "asked":
                back = "If they were in reach before they moved: take the move back, call for reactions, then move."
                yield replace(objection, reason=f"{objection.reason} {back}")
            else:
                yield objection


SAGA_ARMS = SagaArms()
