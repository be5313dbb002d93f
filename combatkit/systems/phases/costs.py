"""What actions are paid from, what each boundary fills, and what has no limit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.core.model import Fighter, State
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Cost
from combatkit.rules.judge import readied
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.phases.deeds import FORFEIT
from combatkit.systems.phases.halves import STEP, moving

if TYPE_CHECKING:
    from combatkit.systems.phases.ruleset import Phases


def payments(rules: Phases, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
    """Return the pools that pay: a distance moved also uses up the 1-hex step, an abort the regular action."""
    state, fighter = case.state, case.fighter
    if cost.id == "opportunity" and rules.unlimited(state, fighter):
        return ((),)
    step = fighter.pools.get("step")
    if cost.id == "step" and step is not None and step.action not in ("", STEP):
        return ((),)  # other movement is against a step, not one that was taken
    if cost.id in ("abort", "readied"):
        place = state.place_of(fighter.name)
        regular = ("attack", "move") if place is not None and place.done < state.occasion else ()
        effect = readied(fighter, case.action) if cost.id == "readied" else None
        more = moving(fighter, rules.catalogue(state)[effect.value["action"]]) if effect is not None else ()
        return ((*regular, *more),)
    more = moving(fighter, case.action) if "movement" in case.action.tags else ()
    ways = Ruleset.payments(rules, case, cost) if cost.when else cost.pay
    return tuple([(*way, *more) for way in ways]) if more else ways


def refill(rules: Phases, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
    """Fill an attack, a move, a step and an opportunity per phase; only the last in a phase given up beforehand."""
    if boundary == "round":
        return _free_limit(rules, fighter)
    if boundary not in ("step", "join"):
        return {}
    place = state.place_of(fighter.name)
    if state.round == 0 and fighter.effect("surprised") is not None:  # who is unaware has nothing to spend
        return {"attack": 0, "move": 0, "step": 0, "aoo": 0, "surprise": 0}
    given_up = place is not None and place.done >= state.occasion
    each = 0 if given_up else 1
    totals: dict[str, int | None] = {"attack": each, "move": each, "step": each}
    totals["aoo"] = rules._opportunities(state, fighter)
    limited = fighter.effect("limited") is not None
    for cap, holds in (("surprise", state.round == 0), ("single", limited), (FORFEIT, given_up)):
        if holds:
            totals[cap] = 1
        elif cap in fighter.pools:
            totals[cap] = None
    return totals


def _free_limit(rules: Phases, fighter: Fighter) -> dict[str, int | None]:
    limit = fighter.effect("free_limit")
    if limit is not None and type(limit.value) is int:
        return {"free_limit": max(0, limit.value)}
    return {"free_limit": None} if "free_limit" in fighter.pools else {}
