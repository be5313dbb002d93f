"""Openings: who may strike at somebody who leaves their reach, comes closer in it, or does in it what leaves one open.

What gives an opening, and to which reaction, is data: the fact ``openings`` of a reaction in the list of actions.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, NamedTuple

from combatkit.core.geometry import Square, square_line
from combatkit.core.limits import PATH
from combatkit.core.lookup import Lookup
from combatkit.core.model import Act, Fighter, State
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Catalogue
from combatkit.rules.moves import way_of
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.windows import DECLARED
from combatkit.systems.ap.actions import is_counted, points_left
from combatkit.systems.ap.modes import mode_of, reach_of

HAD, PATH_LEFT = "had", "path"
"""What a move under way notes: who has had their opening by it, and the squares still before it."""
BEFORE = "move"
"""The stage a move has passed as it stands before its next square."""


class Opening(NamedTuple):
    """Who may take which reaction, and the rule that gives it."""

    who: str
    action: str
    rule: str


def as_square(value: Any) -> Square | None:
    """Return a pair of whole numbers as a square; None for anything else."""
    pair = isinstance(value, (tuple, list)) and len(value) == 2 and all(type(n) is int for n in value)
    return (value[0], value[1]) if pair else None


def length_of(fighter: Fighter, params: Mapping[str, Any]) -> int | None:
    """Count the metres of a way, reckoned and not walked; None where it is not all squares."""
    stops = _stops(fighter, params)
    return None if stops is None else sum(apart(a, b) for a, b in pairwise(stops))


def apart(a: Square, b: Square) -> int:
    """Count the steps between two squares, a diagonal one as one."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def _stops(fighter: Fighter, params: Mapping[str, Any]) -> tuple[Square, ...] | None:
    stops = [as_square(spot) for spot in (fighter.position, *way_of(params))]
    found = tuple(spot for spot in stops if spot is not None)
    return found if len(found) == len(stops) > 1 else None


def way_left(state: State, act: Act) -> tuple[Square, ...]:
    """Return the squares a move still has before it; none where that cannot be told."""
    left = act.result.get(PATH_LEFT)
    if left is not None:
        return tuple((x, y) for x, y in left)
    mover = state.fighters[act.who]
    stops, length = _stops(mover, act.params), length_of(mover, act.params)
    if stops is None or length is None or length > PATH:
        return ()
    return tuple(spot for here, there in pairwise(stops) for spot in square_line(here, there))


def openings(rules: Ruleset, state: State, act: Act, stage: str) -> Iterator[Opening]:
    """Yield who has an opening and could take it: as an action is declared, or before the next square of its way."""
    catalogue = rules.catalogue(state)
    reactions, action = takers(catalogue), catalogue[act.action]
    if not reactions:
        return
    unaware = act.params.get("unaware", ())
    moves = any(each.moves for each in rules.mechanisms[action.does].stages)
    way = way_left(state, act) if moves and stage in (DECLARED, BEFORE) else ()
    case = Case(rules, state, state.fighters[act.who], action, act.params, act)
    for foe in foes_of(state, act.who):
        if foe.name in unaware or foe.name in act.result.get(HAD, ()):
            continue
        for reaction in reactions:
            rule = _by_deed(case, foe, reaction) if stage == DECLARED else ""
            rule = rule or (_by_step(case, foe, reaction, way[0]) if way else "")
            if rule and could(rules, foe, reaction, act.seq):
                yield Opening(foe.name, reaction.id, rule)


def could(rules: Ruleset, fighter: Fighter, action: Action, threat: int) -> bool:
    """Check whether somebody could react to a threat: able, with the points and the attack for it, not yet tried."""
    pools = fighter.pools
    attacks = pools.get("attacks")
    spent = attacks is not None and attacks.left < 1 and is_counted(action)
    left = points_left(fighter, reacts=True)
    return rules.able(fighter) and not spent and left >= max(1, action.facts["ap"]) and f"attempt:{threat}" not in pools


def _reactions(catalogue: Catalogue[Action]) -> tuple[Action, ...]:
    return tuple(action for action in catalogue if "openings" in action.facts)


takers = Lookup(_reactions)
"""The reactions of a list of actions that an opening is answered with."""


def foes_of(state: State, who: str) -> list[Fighter]:
    """Return everybody of another side who is on the ladder, in its order."""
    side = state.fighters[who].side
    names = dict.fromkeys(place.who for place in state.agenda)
    return [state.fighters[name] for name in names if state.fighters[name].side != side]


def in_reach(rules: Ruleset, foe: Fighter, other: Fighter) -> bool:
    """Check whether somebody is known to stand where another can strike them hand to hand."""
    here, there = as_square(foe.position), as_square(other.position)
    return here is not None and there is not None and apart(here, there) <= reach_of(rules, foe)


def _by_deed(case: Case, foe: Fighter, reaction: Action) -> str:
    """Return the rule by which what is done within somebody's reach is an opening; empty if it is none."""
    action = case.action
    if action.cost == "free" or not in_reach(case.rules, foe, case.fighter):
        return ""
    mode = mode_of(case)
    for opening in reaction.facts["openings"]:
        if opening.get("tag") in action.tags and opening.get("mode", mode) == mode != opening.get("but"):
            return str(opening["rule"])
    return ""


def _by_step(case: Case, foe: Fighter, reaction: Action, step: Square) -> str:
    """Return the rule by which the next step of a move is an opening; empty if it is none."""
    rules, mover = case.rules, case.fighter
    here, there = as_square(mover.position), as_square(foe.position)
    if here is None or there is None or not in_reach(rules, foe, mover):
        return ""
    before, after = apart(here, there), apart(step, there)
    way = "out" if after > reach_of(rules, foe) else "closer" if after < before else ""
    for opening in reaction.facts["openings"]:
        if way and opening.get("move") == way and not mover.effect(opening.get("unless", "")):
            return str(opening["rule"])
    return ""
