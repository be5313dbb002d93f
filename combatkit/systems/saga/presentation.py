"""What Saga Edition shows besides what all systems show."""

from __future__ import annotations

from combatkit.rules.case import Case
from combatkit.rules.presentation import Presentation
from combatkit.rules.several import are_several, blows_of
from combatkit.rules.weapons import damage_of


class SagaPresentation(Presentation):
    """An attack is rolled with the attack bonus against Reflex Defense."""

    strikes_with, struck_by = "attack_bonus", "defense"
    beside = ("defense", "speed")

    def routine(self, case: Case) -> tuple[str, ...]:
        """Return the damage of each blow of a full attack of several."""
        dealt = [damage_of(blow) for blow in blows_of(case)] if are_several(case) else []
        return () if None in dealt else tuple(map(str, dealt))
