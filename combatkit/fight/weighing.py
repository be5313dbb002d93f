"""Weighing what somebody could do: for options, and for each choice."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from msgspec.structs import replace

from combatkit.core.looks import Option
from combatkit.core.model import Fighter, Ruling, State
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Cost
from combatkit.rules.judge import carried, goes_with, judge, ruling_of, values_of
from combatkit.rules.params import check_params
from combatkit.rules.timing import is_answer, still_asked

if TYPE_CHECKING:
    from combatkit.fight.view import View
    from combatkit.rules.ruleset import Ruleset


def options(view: View, name: str) -> list[tuple[Option, Cost]]:
    """Return every action as an option, and what it costs where nothing is said of that."""
    rules, state = view.ruleset, view._state
    fighter, catalogue = state.fighters[name], rules.catalogue(state)
    found = list(map(partial(judged_option, rules, state, fighter), catalogue))
    if state.window is None:
        return found
    each = zip(catalogue, found, strict=True)
    return [(told(view, name, action, {}, option), cost) for action, (option, cost) in each]


def option(view: View, name: str, action: Action) -> Option:
    """Return an action as an option: allowed, with what is still needed, or refused and why."""
    state = view._state
    return told(view, name, action, {}, judged_option(view.ruleset, state, state.fighters[name], action)[0])


def judged_option(rules: Ruleset, state: State, fighter: Fighter, action: Action) -> tuple[Option, Cost]:
    """Return an action as an option, whoever may still answer, and what it costs where nothing is said of that."""
    judged = judge(Case(rules, state, fighter, action), brief=True)
    cost = judged.cost
    if not judged.objections:
        return Option(action.id, action.title, cost.title, True, "", judged.rule, judged.missing), cost
    if "pay" in action.takes:  # it may be bought in another way
        for way in values_of(Case(rules, state, fighter, action), "pay") or ():
            paid = judge(Case(rules, state, fighter, action, {"pay": way}), brief=True)
            if not paid.objections:
                needs = ("pay", *paid.missing)  # first, since what else is chosen is weighed by it
                return Option(action.id, action.title, paid.cost.title, True, "", paid.rule, needs), cost
    first = judged.objections[0]
    return Option(action.id, action.title, cost.title, False, first.reason, first.rule), cost


Told = TypeVar("Told", Ruling, Option)


def told(view: View, name: str, action: Action, params: Mapping[str, object], found: Told) -> Told:
    """Return a ruling with who may still answer, if a soft window is let go first: what comes of that isn't known."""
    state = view._state
    if state.window is None or not state.window.soft:
        return found
    if is_answer(Case(view.ruleset, state, state.fighters[name], action, params)):
        return found
    return replace(found, reason=" ".join(filter(None, (found.reason, still_asked(state)))))


def wanted(view: View, name: str, action: Action, given: Mapping[str, object]) -> tuple[str, ...]:
    """Return the parameters an action takes with what is given, in order: of another's, those that this one takes."""
    missing = view.ruleset.mechanisms[action.does].missing
    case = Case(view.ruleset, view._state, view._state.fighters[name], action, given)
    more = missing(case) if missing else ()
    inner = carried(case)
    foreign = () if inner is None else [o.id for o in action.parameters if not goes_with(case, inner.action, o.id)]
    return tuple(dict.fromkeys([*(id for id in action.takes if id not in foreign), *more]))


def values(view: View, name: str, action: Action, param: str, given: Mapping[str, object]) -> tuple[Any, ...] | None:
    """Return the values a parameter can be chosen from, with what is given; None for what is open."""
    return values_of(Case(view.ruleset, view._state, view._state.fighters[name], action, given), param)


def weigh(view: View, name: str, action: Action, params: dict[str, object]) -> Ruling:
    """Judge a choice by itself: what else is still missing does not count against it."""
    state = view._state
    try:
        params = check_params(view.ruleset, state, action, params)
        case = Case(view.ruleset, state, state.fighters[name], action, params)
        judged = judge(case)
    except (
        InvalidInput,
        UnknownName,
    ) as error:  # a value that goes with such a parameter, but not with this action
        return Ruling(False, str(error), action.rule, (action.rule,))
    return told(view, name, action, params, ruling_of(case, replace(judged, missing=())))
