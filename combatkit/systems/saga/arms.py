"""How Saga's weapons are read: a bonus for each, and ranges in squares."""

from __future__ import annotations

from combatkit.core.model import Fighter
from combatkit.rules.case import Case
from combatkit.rules.weapons import Arms, wielded

ARMS = Arms()
"""The source has no rule of ranges: a weapon reaches as far as the sheet says."""


def bonus_of(case: Case) -> tuple[int, str] | None:
    """Return the bonus an attack is made with and what it is called: the weapon's own, else the combatant's."""
    weapon = wielded(case)
    if "attack" in weapon:
        return weapon["attack"], weapon["name"]
    bonus = case.fighter.stats.get("attack_bonus")
    return None if bonus is None else (bonus, "attack bonus")


def under_conditions(fighter: Fighter) -> tuple[tuple[int, str], ...]:
    """Return what conditions add to attacks, whatever the bonus is."""
    more = sum([effect.modifiers.get("attack_bonus", 0) for effect in fighter.effects]) if fighter.effects else 0
    return ((more, "conditions"),) if more else ()
