"""Openings: who may strike at somebody who leaves their reach, comes closer within it, or drops their guard there.

What gives an opening, and to which reaction, is data: the fact ``openings`` of a reaction in the list of actions.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from combatkit.core.geometry import Square, as_pair
from combatkit.core.model import Act, Fighter, Lookup, State, foes_of
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action, Catalogue
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import apart, path_of
from combatkit.rules.windows import DECLARED
from combatkit.systems.ap.actions import is_counted, points_left
from combatkit.systems.ap.modes import mode_of, reach_of

HAD, PATH_LEFT = "had", "path"
"""What a move under way notes: who has already had an opening from it, and the squares still to come."""
BEFORE = "move"
"""The stage a move has passed as it stands before its next square."""


class Opening(NamedTuple):
    """Who may take which reaction, and the rule that gives it."""

    who: str
    action: str
    rule: str


def way_left(rules: Ruleset, state: State, act: Act) -> tuple[Square, ...]:
    """Return the squares a move still has to go; none if that can't be told."""
    return path_of(rules.board, state.fighters[act.who], act.params, act.result.get(PATH_LEFT))


def openings(rules: Ruleset, state: State, act: Act, stage: str) -> Iterator[Opening]:
    """Yield who has an opening and could take it: as an action is declared, or before the next square of its path."""
    catalogue = rules.catalogue(state)
    reactions, action = takers(catalogue), catalogue[act.action]
    if not reactions:
        return
    unaware = act.params.get("unaware", ())
    moves = any(each.moves for each in rules.mechanisms[action.does].stages)
    way = way_left(rules, state, act) if moves and stage in (DECLARED, BEFORE) else ()
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
    """Check whether somebody could react to a threat: able, with points and an attack left, and no try yet."""
    pools = fighter.pools
    attacks = pools.get("attacks")
    spent = attacks is not None and attacks.left < 1 and is_counted(action)
    left = points_left(fighter, reacts=True)
    return rules.able(fighter) and not spent and left >= max(1, action.facts["ap"]) and f"attempt:{threat}" not in pools


def _reactions(catalogue: Catalogue[Action]) -> tuple[Action, ...]:
    return tuple(action for action in catalogue if "openings" in action.facts)


takers = Lookup(_reactions)
"""The reactions of a list of actions that answer an opening."""


def in_reach(rules: Ruleset, foe: Fighter, other: Fighter) -> bool:
    """Check whether somebody is known to stand where another can strike them hand to hand."""
    here, there = as_pair(foe.position), as_pair(other.position)
    return here is not None and there is not None and apart(here, there) <= reach_of(rules, foe)


def _by_deed(case: Case, foe: Fighter, reaction: Action) -> str:
    """Return the rule that makes an action within somebody's reach an opening; empty if it isn't one."""
    action = case.action
    if action.cost == "free" or not in_reach(case.rules, foe, case.fighter):
        return ""
    mode = mode_of(case)
    for opening in reaction.facts["openings"]:
        if opening.get("tag") in action.tags and opening.get("mode", mode) == mode != opening.get("but"):
            return str(opening["rule"])
    return ""


def _by_step(case: Case, foe: Fighter, reaction: Action, step: Square) -> str:
    """Return the rule that makes the next step of a move an opening; empty if it isn't one."""
    rules, mover = case.rules, case.fighter
    here, there = as_pair(mover.position), as_pair(foe.position)
    if here is None or there is None or not in_reach(rules, foe, mover):
        return ""
    before, after = apart(here, there), apart(step, there)
    way = "out" if after > reach_of(rules, foe) else "closer" if after < before else ""
    for opening in reaction.facts["openings"]:
        if way and opening.get("move") == way and not mover.effect(opening.get("unless", "")):
            return str(opening["rule"])
    return ""
