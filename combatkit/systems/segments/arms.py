"""Which weapon an attack takes where squares tell how far its target is."""

from __future__ import annotations

from combatkit.rules.case import Case
from combatkit.rules.weapons import Arms, Weapon, counter_for
from combatkit.systems.segments.melee import fights
from combatkit.systems.segments.weapons import farther, used_weapon

_NONE: Weapon = {}


class SegmentsArms(Arms):
    """The source gives melee weapons no reach; who could as well shoot at somebody not beside them does that."""

    def wielded(self, case: Case) -> Weapon:
        """Return what is shot at somebody too far to strike, or is counted; nothing if nothing else need be said."""
        targets = case.targets
        if "attack" not in case.action.tags or not targets:
            return _NONE
        far = [self.steps(case, name) for name in targets if not fights(case.fighter, case.state.fighters[name])]
        name = farther(case.fighter, case.action, case.params) if any(n is not None and n > 1 for n in far) else None
        if name is None and case.fighter.stats.get("uses"):
            weapon = used_weapon(case.fighter, case.action, case.params)
            name = weapon["name"] if weapon is not None and counter_for(case.fighter, weapon) else None
        return _NONE if name is None else {"name": name}
