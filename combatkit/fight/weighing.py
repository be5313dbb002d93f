"""Weighing what somebody could do: for options, and for each choice."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from msgspec.structs import replace

from combatkit.core.looks import Option
from combatkit.core.model import Ruling, State
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import judge, ruling_of, values_of
from combatkit.rules.params import check_params
from combatkit.rules.perform import let_pass
from combatkit.rules.timing import bid_of

if TYPE_CHECKING:
    from combatkit.fight.view import View


def option(view: View, name: str, action: Action, state: State) -> Option:
    """Return an action as an option, judged in a state: allowed, with what is still needed, or refused and why."""
    fighter = state.fighters[name]
    judged = judge(Case(view.ruleset, state, fighter, action))
    if not judged.objections:
        return Option(action.id, action.title, judged.cost.title, True, "", judged.rule, judged.missing)
    if "pay" in action.takes:  # it may be bought in another way
        for way in values_of(Case(view.ruleset, state, fighter, action), "pay") or ():
            paid = judge(Case(view.ruleset, state, fighter, action, {"pay": way}))
            if not paid.objections:
                needs = ("pay", *paid.missing)  # first, since what else is chosen is weighed by it
                return Option(action.id, action.title, paid.cost.title, True, "", paid.rule, needs)
    first = judged.objections[0]
    return Option(action.id, action.title, judged.cost.title, False, first.reason, first.rule)


def moment(view: View, name: str, action: Action) -> State:
    """Return the state an action would be judged in: soft windows let pass, unless it answers one."""
    state = view._state
    window = state.window
    if window is None or not window.soft:
        return state
    if bid_of(window, name, action.id) is not None:
        return state
    if view._passed is None or view._passed[0] is not state:
        draft = Draft(view.ruleset, state, len(view._events) + 1)
        let_pass(draft)
        view._passed = (state, draft.state)
    return view._passed[1]


def wanted(view: View, name: str, action: Action, given: Mapping[str, object]) -> tuple[str, ...]:
    """Return the parameters an action takes with what is given, in order."""
    missing = view.ruleset.mechanisms[action.does].missing
    fighter = view._state.fighters[name]
    more = missing(Case(view.ruleset, view._state, fighter, action, given)) if missing else ()
    return tuple(dict.fromkeys([*(p.id for p in action.parameters), *more]))


def values(view: View, name: str, action: Action, param: str) -> tuple[Any, ...] | None:
    """Return the values a parameter can be chosen from; None for what is open."""
    return values_of(Case(view.ruleset, view._state, view._state.fighters[name], action), param)


def weigh(view: View, name: str, action: Action, params: dict[str, object]) -> Ruling:
    """Judge a choice by itself: what else is still missing does not count against it."""
    state = moment(view, name, action)
    try:
        params = check_params(view.ruleset, state, action, params)
        case = Case(view.ruleset, state, state.fighters[name], action, params)
        judged = judge(case)
    except InvalidInput as error:  # a value that goes with this kind of parameter, but not with this action
        return Ruling(False, str(error), action.rule, (action.rule,))
    return ruling_of(case, replace(judged, missing=()))
