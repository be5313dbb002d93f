"""What Saga Edition shows besides what all systems show."""

from __future__ import annotations

from combatkit.rules.blows import are_several, blows_of
from combatkit.rules.case import Case
from combatkit.rules.presentation import Presentation
from combatkit.rules.weapons import damage_of


class SagaPresentation(Presentation):
    """An attack is rolled with the attack bonus against Reflex Defense."""

    strikes_with, struck_by = "attack_bonus", "defense"
    beside = ("defense", "speed")

    def routine(self, case: Case) -> tuple[str, ...]:
        """Return the damage of each blow of a full attack of several."""
        several = "blows" in case.action.facts and are_several(case)
        dealt = [damage_of(blow) for blow in blows_of(case)] if several else []
        return () if None in dealt else tuple(map(str, dealt))
