"""What an action costs right now: a second move, a drawn weapon, a reaction when only extras are left."""

from __future__ import annotations

from collections.abc import Mapping

from msgspec.structs import replace

from combatkit.core.model import Pool
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Catalogue, Cost

_SECOND = "saga.move.second"
_GIVEN_UP = "saga.std.trade-to-move"
_UPWARD = "saga.std.no-trade-up"
_TAKEN, _BESIDE = "saga.full.excludes", "saga.full.free-ok"
"""What a full-round action is spent under, and what lets a free action go with it."""


class Prices:
    """The costs in the catalogue, each with the rules that are broken if it can't be paid as the turn stands."""

    def __init__(self, costs: Catalogue[Cost]) -> None:
        self._costs = costs
        ways = (("standard",), ("move",))  # the one that is still open first: what it went on is what a refusal names
        self._second_move = replace(costs["move"], pay=ways, rule=_SECOND, rules=("saga.move.one", _GIVEN_UP))
        self._traded = _with(costs["standard"], _GIVEN_UP)
        self._extras = {id: _with(costs[id], "saga.react.reflexes-aoo-only") for id in ("reaction", "readied")}

    def now(self, case: Case, cost: Cost, rule: str) -> tuple[Cost, str]:
        """Return what an action costs now, and the rule that says so.

        Parameters
        ----------
        case : Case
            The action; what was done with a slot says what it was given up for, and ``pay`` names the slot.
        cost, rule : Cost, str
            As the catalogue has it, feats and options counted in.

        Returns
        -------
        tuple of Cost and str
            The cost and its rule.
        """
        fighter, action, params = case.fighter, case.action, case.params
        pools, pay = fighter.pools, params.get("pay")
        if cost.id == "swift" and action.cost == "move" and (pay or _gone(pools, "swift")) and pay != "swift":
            cost, rule = self._costs["move"], action.rule  # a feat lets it be swift; it can still be what it is without
        if pay is not None and cost.pay and not any(pay in way for way in cost.pay):  # nothing is traded upward
            return replace(cost, rule=_UPWARD if cost.id == "standard" else rule), rule
        if cost.id == "free":
            whole = pools.get("standard")
            return cost, _BESIDE if whole is not None and whole.rule == _TAKEN else rule
        if cost.id in self._extras:
            if _gone(pools, "reaction") and "aoo" in pools and pools["aoo"].left > 0:
                return self._extras[cost.id], rule
        elif cost.id == "standard":
            if _gone(pools, "standard"):
                cost = self._traded if _went_on_a_move(pools["standard"], case) else cost
                return cost if any(not _gone(pools, slot) for slot in ("move", "swift")) else _without(cost), rule
        elif cost.id == "move" and "standard" in pools:
            if _gone(pools, "move") and not pools["move"].rule:
                if pools["standard"].left > 0:
                    return self._second_move, _SECOND
                if not _went_on_a_move(pools["standard"], case):
                    return self._second_move, rule
            elif pay == "standard":
                return cost, _GIVEN_UP
        return cost, rule

    def slots(self, action: Action, cost: Cost) -> tuple[str, ...]:
        """Return the slots an action can be paid from: those of its price now, and those of its own cost."""
        ways = dict.fromkeys((*cost.pay, *self._costs[action.cost].pay))
        return tuple(way[0] for way in ways if len(way) == 1)


def _with(cost: Cost, rule: str) -> Cost:
    return replace(cost, rules=(*cost.rules, rule))


def _without(cost: Cost) -> Cost:
    """Return a standard action's cost when nothing is left that could be traded up for it."""
    return replace(cost, rules=tuple(rule for rule in cost.rules if rule != _UPWARD))


def _gone(pools: Mapping[str, Pool], slot: str) -> bool:
    return slot in pools and pools[slot].left < 1


def _went_on_a_move(pool: Pool, case: Case) -> bool:
    spent = case.rules.catalogue(case.state).get(pool.action)
    return spent is not None and spent.cost == "move"
