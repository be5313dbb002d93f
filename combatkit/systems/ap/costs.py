"""What an action costs, what it is paid from, and the rules that its price cites."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Cost
from combatkit.systems.ap.actions import (
    ADVANTAGE,
    SAVED,
    advantages_of,
    is_counted,
    points_left,
    saved_of,
    still_due,
)
from combatkit.systems.ap.limits import (
    taken,
    threat_of,
)

if TYPE_CHECKING:
    from combatkit.systems.ap.ruleset import ActionPoints

_THROUGH = ("ap.special.advantage", "ap.special.style", "ap.special.advantage-cost")
"""What an action taken through Advantage rests on."""
_AGAIN: dict[str, tuple[str, ...]] = {
    "primary": ("ap.multi.allowed", "ap.primary.any-number"),
    "secondary": ("ap.multi.allowed", "ap.secondary.any-number"),
}
"""What a further action on your own turn rests on, by its type."""
_MORE = ("ap.react.any-number",)
"""What a further reaction in the round rests on."""


def price(rules: ActionPoints, case: Case) -> tuple[Cost, str]:
    """Return the points an action costs, by its type; through Advantage, what the chosen reading asks."""
    action = case.action
    if case.params.get("pay") != "advantage" or "special" not in action.tags:
        return rules._prices.get((action.cost, action.facts["ap"])) or _price(rules, action), action.rule
    cost = rules.costs["advantage"]
    if case.state.options["special_by_advantage"] == "ap":
        points = _price(rules, action)
        cost = replace(points, title=f"{points.title} + {cost.title}")
    return cost, _THROUGH[0]


def _price(rules: ActionPoints, action: Action) -> Cost:
    points: int = action.facts["ap"]
    found = rules._prices.get((action.cost, points))
    if found is None:
        base = rules.costs[action.cost]
        known = rules.costs.get(f"{base.id}_{points}")
        if points == (0 if base.id == "free" else 1):
            known = base
        found = known or replace(base, id=f"{base.id}_{points}", title=f"{points} AP", pay=(("ap",) * points,))
        rules._prices[action.cost, points] = found
    return found


def payments(rules: ActionPoints, case: Case, cost: Cost) -> tuple[tuple[str, ...], ...]:
    """Return what is paid: points, the attempt at a threat, the Advantage, one of the attacks of the round.

    An extended action takes what there is now, and the rest later.
    """
    state, fighter = case.state, case.fighter
    reacts, points, own = taken(case)
    way: tuple[str, ...] = ()
    if case.params.get("pay") == "advantage":
        effect = fighter.effect(ADVANTAGE)
        if effect is None:
            return ()
        held = advantages_of(fighter)
        way = (f"{ADVANTAGE}:{effect.number}{f':{held}' if held > 1 else ''}",)
        if state.options["special_by_advantage"] == "free":
            points = 0
    elif "attacks" in fighter.pools and is_counted(case.action):
        way = ("attacks",)
    saved = saved_of(fighter) if reacts and points else None
    if saved is not None:
        way, points = (*way, f"{SAVED}:{saved.number}"), points - 1
    way += ("ap",) * points
    if points and not own:
        way += ("off",) * points
    threat = threat_of(case) if reacts else None
    return ((*way, f"attempt:{threat}") if threat is not None else way,)


def cited(rules: ActionPoints, case: Case, rule: str) -> tuple[str, ...]:
    """Return what an action rests on; one through Advantage rests on that, not on its type.

    A second action in a turn, or a second reaction in a round, also rests on what allows more than one.
    """
    action = case.action
    if rule == _THROUGH[0]:
        return (*_THROUGH, *((action.facts["says"],) if action.facts["says"] else ()))
    cited = action.cited
    turn = case.state.turn
    if turn is not None and turn.who == case.fighter.name:
        more = _AGAIN.get(action.cost) if turn.touched > 1 else None
    else:
        more = _MORE if rules.spent_off_turn(case.state, case.fighter, "ap") and action.cost != "free" else None
    return (*cited, *more) if more else cited


def noted(rules: ActionPoints, case: Case) -> dict[str, object]:
    """For an extended action, how far it has come; for a reaction, what it answers."""
    state, fighter, action = case.state, case.fighter, case.action
    data: dict[str, object] = {}
    total = action.facts["ap"]
    if total > 1 and action.cost != "free":
        reacts, paid, _ = taken(case)
        due = still_due(fighter, action)
        left = points_left(fighter, reacts)
        bought = case.params.get("pay") == "advantage" and state.options["special_by_advantage"] == "free"
        if bought or paid > left:  # bought whole, or done by the GM's word without the points for it
            paid = due
        data = {"progress": [total - due + paid, total], "completed": paid == due}
    if state.window is not None and "reaction" in rules.when(action, case.params):
        data["threat"] = state.window.threat
    return data
