"""How weapons are read here: dice to attack with, and the farthest band that each reaches."""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.rules.case import Case, Objection, against
from combatkit.rules.weapons import MELEE, Arms, Weapon
from combatkit.systems.d6.codes import BANDS


class D6Arms(Arms):
    """A weapon is for melee or reaches a band; one that states none reaches them all.

    Distances are the numbers of bands, and unknown where nobody has a place: then every weapon reaches.
    """

    rule = "d6.act.attack.range"

    def reach(self, case: Case, weapon: Weapon) -> int | None:
        """Return the farthest band a weapon reaches, by its number."""
        stated = weapon.get("range", BANDS[-1])
        return BANDS.index(case.state.options["melee_reach"] if stated == MELEE else stated)

    def steps(self, case: Case, target: str) -> int | None:
        """Return the band between an attacker and a target, by its number; None without positions."""
        apart = case.rules.distance(case.state, case.fighter, case.state.fighters[target])
        return None if apart is None or apart.band is None else BANDS.index(apart.band)

    def unreached(self, case: Case) -> Iterable[Objection]:
        """Refuse a target beyond the range of the weapon."""
        weapon = self.wielded(case)
        for target, band in self.beyond(case, weapon) if weapon else ():
            far, reach = (BANDS[n].capitalize() for n in (band, self.reach(case, weapon) or 0))
            reason = f"{target} is at {far}; the {weapon['name']} reaches {reach}."
            open_to = "d6.range.melee-open" if weapon.get("range") == MELEE else ""
            yield from against(reason, self.rule, "d6.zone.order", open_to)
