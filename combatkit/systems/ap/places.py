"""Where somebody stands: squares of a metre, or places with names."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from combatkit.core.geometry import Square
from combatkit.core.limits import PATH
from combatkit.core.model import Act, Distance, Fighter
from combatkit.rules.case import Case, Objection
from combatkit.rules.draft import Draft
from combatkit.rules.moves import stand, way_of
from combatkit.rules.perform import again, stop
from combatkit.systems.ap.openings import (
    BEFORE,
    HAD,
    PATH_LEFT,
    apart,
    as_square,
    length_of,
    openings,
    takers,
    way_left,
)

OVER = 1_000
"""The stage of an action that comes to nothing more."""


def distance_between(a: Fighter, b: Fighter) -> Distance | None:
    """Count squares of one metre; a diagonal step counts as one, which the source leaves open."""
    if type(a.position) is not tuple or type(b.position) is not tuple:
        return None
    return Distance(max(abs(a.position[0] - b.position[0]), abs(a.position[1] - b.position[1])))


def check_way(case: Case) -> Iterable[Objection]:
    """Refuse a way so long that nobody could watch every step of it, where steps are watched."""
    length = length_of(case.fighter, case.params) if takers(case.rules.catalogue(case.state)) else None
    if length is not None and length > PATH:
        yield Objection(
            f"That is {length:,} m; no way that others watch has more than {PATH:,}.", "ap.map.metre", firm=True
        )


def move(draft: Draft, act: Act) -> Act:
    """Go to the next square where somebody has an opening, else where the action leads."""
    rules, state = draft.rules, draft.state
    if not takers(rules.catalogue(state)):
        return _stand(draft, act, None)
    mover, way = draft.fighter(act.who), way_left(state, act)
    if PATH_LEFT in act.result and _is_elsewhere(mover, way):
        against = [
            Objection(f"{mover.name} stands elsewhere now, and {way[0]} is not the next square.", "ap.map.metre")
        ]
        stop(draft, act, rules.catalogue(state)[act.action], against)
        return replace(act, stage=OVER, result={PATH_LEFT: []})
    had = [*act.result.get(HAD, ()), *(opening.who for opening in openings(rules, state, act, BEFORE))]
    act = replace(act, result={**act.result, HAD: had})
    for gone, spot in enumerate(way[:-1], 1):
        there = replace(state, fighters={**state.fighters, act.who: replace(mover, position=spot)})
        rest = replace(act, result={**act.result, PATH_LEFT: [list(each) for each in way[gone:]]})
        if next(openings(rules, there, rest, BEFORE), None) is not None:
            return again(_stand(draft, rest, spot))
    return _stand(draft, replace(act, result={**act.result, PATH_LEFT: []}), None)


def _is_elsewhere(mover: Fighter, way: tuple[Square, ...]) -> bool:
    """Check whether somebody no longer stands where the rest of their way begins."""
    here = as_square(mover.position)
    return bool(way) and (here is None or apart(here, way[0]) != 1)


def _stand(draft: Draft, act: Act, spot: Square | None) -> Act:
    """Stand where a move leads, or on a square of its way; how far that may be, the source does not tell."""
    params = act.params if spot is None else {**act.params, "to": list(spot)}
    goal = way_of(params)[-1:]
    rules = ("ap.map.metre",) if goal and not isinstance(goal[0], str) else ()
    stand(draft, replace(act, params=params), rules)
    return act
