"""The blows of an attack that may be of several: each is an attack on one target."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.core.model import Act
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action

EACH = "attacks"
"""The parameter that says how many blows go to each target named."""


DECLARED_AT = "at"
"""Whom an action was declared at, in its result, once any of them is no target any more."""


def declared_at(act: Act) -> tuple[str, ...]:
    """Return whom an action was declared at: the dice given for one who is no target any more are for nobody else."""
    return tuple(act.result.get(DECLARED_AT, act.targets))


def are_several(case: Case) -> bool:
    """Check whether an attack that may be of several blows is."""
    params = case.params if "blows" in case.action.facts else {}
    return EACH in params or len(params.get("target", ())) > 1


def with_one(action: Action, params: Mapping[str, Any], id: str, name: object) -> dict[str, Any]:
    """Return what is given with an action, and one name where more may follow: what each gets waits until then."""
    each = action.facts.get("blows", ())
    return {**{k: v for k, v in params.items() if k not in each or type(v) is not list}, id: [name]}


def blows_of(case: Case) -> list[Case]:
    """Return each blow of an attack as an attack on one target, in order; of one under way, those still meant."""
    whole = case.params if case.act is None else case.act.params
    each = range(whole.get(EACH, 1))
    return [
        case.doing(case.action, _of_one(case, name, number))
        for number, name in enumerate(name for name in whole.get("target", ()) for _ in each)
        if name in case.targets
    ]


def _of_one(case: Case, name: str, number: int) -> dict[str, Any]:
    own = {**case.params, "target": [name]}
    own.pop(EACH, None)
    for id in case.action.facts["blows"]:
        given = own.get(id)
        if type(given) is list:
            own[id] = given[min(number, len(given) - 1)]
    return own
