"""How weapons are read here: a bonus for each, and ranges in metres; hand to hand, as far as the owner reaches."""

from __future__ import annotations

from combatkit.rules.case import Case
from combatkit.rules.weapons import MELEE, Arms, Weapon
from combatkit.systems.ap.limits import answered
from combatkit.systems.ap.modes import RANGED, modes_of, reach_of


class ActionPointArms(Arms):
    """A weapon is for melee, as far as its owner reaches, or reaches a number of metres."""

    unit = "metre"
    rule = "ap.map.metre"

    def nature(self, case: Case) -> str:
        """Return the one way an attack can be made; empty if there are several."""
        modes = modes_of(case.action)
        return modes[0] if len(modes) == 1 else ""

    def fits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of a kind that an attack can be made with: hand to hand, or from afar."""
        said, modes = case.params.get("option"), modes_of(case.action)
        if "range" not in weapon:
            return True
        return (MELEE if weapon["range"] == MELEE else RANGED) in ((said,) if said in modes else modes)

    def reach(self, case: Case, weapon: Weapon) -> int | None:
        """Return how many metres a weapon reaches; hand to hand, as far as its owner reaches."""
        by_hand = MELEE in (weapon.get("range"), case.params.get("option"))
        return reach_of(case.rules, case.fighter) if by_hand else weapon.get("range")

    def aimed_at(self, case: Case) -> tuple[str, ...]:
        """Return who an attack is aimed at; for an answer, whoever it answers."""
        return case.targets or answered(case.state, case.fighter.name, case.action)
