"""What an action costs, what it is paid from, and what each boundary fills."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.core.model import Fighter, State
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Cost
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments import (
    blows,
    checks,
    moving,
    places,
    spells,
    tables,
)

if TYPE_CHECKING:
    from combatkit.systems.segments.ruleset import Segments


def refill(rules: Segments, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
    """Fill everything with the round: one major action, one spell, ten segments; and clear the counters.

    Whoever comes back keeps theirs, and the routines left for step 6.
    """
    if boundary not in ("round", "join"):
        return {}
    totals: dict[str, int | None] = {"major": 1, "spell": 1, "segments": tables.SEGMENTS}
    if boundary == "round":
        totals |= {pool: None for pool in fighter.pools if ":" in pool or pool == "iterative"}
    return totals


def price(rules: Segments, case: Case) -> tuple[Cost, str]:
    """Return a price; for the delayed, a delaying activity costs as much as a complex one."""
    if case.fighter.effects and checks.counts_as_complex(case):
        return rules.costs["complex"], "segments.delayed.delaying-complex"
    cost, rule = Ruleset.price(rules, case)
    if cost.id == "routine" and (pool := case.fighter.pools.get("major")) is not None and pool.left < pool.total:
        went = rules.catalogue(case.state).get(pool.action)
        cost = cost if went is not None and went.cost == "routine" else replace(cost, rules=())
    return cost, rule


def payments(rules: Segments, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
    """Add the segments an action takes; a declared spell is already paid for, and multi-attack goes on in step 6."""
    state, fighter, action = case.state, case.fighter, case.action
    if cost.id == "declaration":
        chosen = spells.chosen_of(case) if action.id == "declare" else None
        spell = rules.catalogue(state)[chosen] if chosen is not None else None
        if spell is None or spell.cost != "spell":
            return ((),)
        before = [rules.catalogue(state)[plan.value["action"]].cost for plan in spells.replaced(case, spell)]
        return ((),) if "spell" in before else (("spell",),)
    if cost.id == "free_attack":
        return (blows.free_pools(rules, state, case.params),)
    if moving.due_last(case):
        return ((),)
    ways = cost.pay
    if cost.id == "spell" and checks.casting_of(fighter, action) is not None:
        ways = (("major",),)
    elif action.id == "delay":
        step = rules.present_step(state)
        return (("major",),) if step is not None and step.id == "low" else ((),)
    elif cost.id == "routine":
        place = state.turn_place(fighter.name)
        if place is not None and place.facts.get("kind") == "remaining":
            ways = (("iterative",),)
    time = checks.time_of(case)
    if action.facts.get("included") and not time and state.options["drawing"] != "any":
        drawn = sum(1 for id in fighter.pools if id.startswith(f"{places.DRAWN}:"))
        what = f":{case.params['weapon']}" if "weapon" in case.params else ""
        return ((f"{places.DRAWN}:{drawn + 1}{what}",),)
    pool = fighter.pools.get("segments")
    if not time or pool is None or (pool.left < time and cost.id != "complex"):
        return ways
    return tuple([(*way, *("segments",) * time) for way in ways])
