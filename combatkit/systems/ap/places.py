"""Where somebody stands: squares of a metre, or places with names."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from combatkit.core.geometry import Square, as_pair
from combatkit.core.limits import PATH
from combatkit.core.model import Act, Fighter
from combatkit.rules.case import Case, Objection
from combatkit.rules.draft import Draft
from combatkit.rules.perform import again, stop
from combatkit.rules.weapons import apart, length_of, stand, stops_of, way_of
from combatkit.systems.ap.openings import (
    BEFORE,
    HAD,
    PATH_LEFT,
    openings,
    takers,
    way_left,
)

OVER = 1_000
"""The stage of an action with no further effect."""


def check_way(case: Case) -> Iterable[Objection]:
    """Refuse a path that is too long for others to watch each step, if steps are watched."""
    stops = stops_of(case.fighter, case.params) if takers(case.rules.catalogue(case.state)) else None
    length = 0 if stops is None else length_of(case.rules.board, stops)
    if length > PATH:
        yield Objection(
            f"That is {length:,} m; a move that others can react to has at most {PATH:,}.", "ap.map.metre", firm=True
        )


def move(draft: Draft, act: Act) -> Act:
    """Go to the next square where somebody has an opening, else where the action leads."""
    rules, state = draft.rules, draft.state
    if not takers(rules.catalogue(state)):
        return _stand(draft, act, None)
    mover, way = draft.state.fighters[act.who], way_left(rules, state, act)
    if PATH_LEFT in act.result and _is_elsewhere(mover, way):
        against = [
            Objection(f"{mover.name} is somewhere else now, and {way[0]} isn't the next square.", "ap.map.metre")
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
    here = as_pair(mover.position)
    return bool(way) and (here is None or apart(here, way[0]) != 1)


def _stand(draft: Draft, act: Act, spot: Square | None) -> Act:
    """Put somebody where a move leads, or on a square of its path; the source doesn't say how far that may be."""
    params = act.params if spot is None else {**act.params, "to": list(spot)}
    goal = way_of(params)[-1:]
    rules = ("ap.map.metre",) if goal and not isinstance(goal[0], str) else ()
    stand(draft, replace(act, params=params), rules)
    return act
