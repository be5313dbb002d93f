"""An attack of several blows: each goes to a target of its own or to the same again, with a roll and damage of its own.

An action is one by its fact ``blows``: the parameters that may be given once for all, or as a list, one for each blow.
"""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from combatkit.core.model import Act
from combatkit.rules.case import Case, Mechanism, Objection, Stage
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import harm, strike
from combatkit.rules.several import DECLARED_AT, EACH, are_several, blows_of
from combatkit.rules.weapons import within_reach

_MOST = 20
"""More blows than this in one attack are a slip."""


def check_blows(case: Case) -> Iterable[Objection]:
    """Refuse a number of blows that can't be, and lists that don't have as many parts."""
    params = case.params
    each = params.get(EACH, 1)
    number = each * len(params.get("target", ()))
    if not 1 <= each <= _MOST or number > _MOST:
        yield case.object(f"{case.action.title} has 1 to {_MOST} attacks in all.", firm=True)
        return
    for id in params:
        given = params[id]
        if number and id in case.action.facts["blows"] and type(given) is list and len(given) != number:
            counted = f"{number} {'attack' if number == 1 else 'attacks'}, and {len(given)} of {id}"
            said = f"{counted} {'is' if len(given) == 1 else 'are'} given"
            yield case.object(f"That is {said}; give one for all, or one for each.", firm=True)


def reach_each(case: Case) -> Iterable[Objection]:
    """Refuse a target out of reach of the weapon with which it is attacked."""
    if not case.params or not are_several(case):
        return within_reach(case)
    return dict.fromkeys(objection for blow in blows_of(case) for objection in within_reach(blow))


def strike_each(draft: Draft, act: Act) -> Act:
    """Roll each blow, and deal its damage before the next."""
    for blow in blows_of(draft.case(act)):
        left = tuple([name for name in blow.targets if name in act.targets])
        lost = {} if left else {DECLARED_AT: list(blow.targets)}
        harm(draft, strike(draft, replace(act, targets=left, params=blow.params, result=lost)))
    return act


BLOWS = Mechanism(check_blows, (Stage("strike", strike_each, (reach_each,)),))
"""The mechanism of an attack of several blows."""
