"""What Saga Edition shows besides what all systems show."""

from __future__ import annotations

from combatkit.rules.presentation import Presentation


class SagaPresentation(Presentation):
    """An attack is rolled with the attack bonus against Reflex Defense."""

    strikes_with, struck_by = "attack_bonus", "defense"
    beside = ("defense", "speed")
