"""Who may react: openings that a list of actions gives, and answers to a threat."""

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
from combatkit.systems.ap.limits import is_counted, points_left
from combatkit.systems.ap.modes import in_range, mode_of, reach_of

# ── who may strike at somebody who leaves their reach, comes closer within it, or drops their guard there ──


HAD, PATH_LEFT = "had", "path"
"""What a move under way notes: who has had which opening from it, by its rule, and the squares still to come."""
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
    unaware, had = act.params.get("unaware", ()), act.result.get(HAD, ())
    moves = any(each.moves for each in rules.mechanisms[action.does].stages)
    way = way_left(rules, state, act) if moves and stage in (DECLARED, BEFORE) else ()
    case = Case(rules, state, state.fighters[act.who], action, act.params, act)
    for foe in foes_of(state, act.who):
        if foe.name in unaware or foe.name in had:  # an older file names only who had one, and gives no second
            continue
        for reaction in reactions:
            rule = _by_deed(case, foe, reaction) if stage == DECLARED else ""
            rule = rule or (_by_step(case, foe, reaction, way[0]) if way else "")
            if rule and [foe.name, rule] not in had and could(rules, foe, reaction, act.seq):
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


def is_free_to_go(fighter: Fighter, taking: tuple[Action, ...]) -> bool:
    """Check whether nobody whose reach somebody leaves has an opening from that."""
    leaving = [each for reaction in taking for each in reaction.facts["openings"] if each.get("move") == "out"]
    return all(fighter.effect(each.get("unless", "")) for each in leaving)


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


# ── what can be a reaction, by the list of actions, and which reactions somebody could take now ──


Means = tuple[int, frozenset[str], bool, bool]
"""What somebody has to answer with: points and conditions; whether only Reactions are open, no Secondary Action; and
whether the attacks of the round are spent.
"""


class Reactive(NamedTuple):
    """Which actions of a list can be reactions.

    Answers to any threat, Reactions first; those with a limited reach, of their own or with a weapon; those that take
    an opening; the conditions that answers need or free from; the tag of what some answer; those against
    enemies only; and what was worked out for somebody, by what it rests on.
    """

    answers: tuple[Action, ...]
    ranged: tuple[Action, ...]
    armed: tuple[Action, ...]
    takers: tuple[Action, ...]
    needed: frozenset[str]
    against: dict[str, str]
    foes: frozenset[str]
    known: dict[Means, tuple[str, ...]]


def _sort_out(catalogue: Catalogue[Action]) -> Reactive:
    taking = takers(catalogue)
    found = sorted(
        (a for a in catalogue if "reaction" in a.when and a not in taking), key=lambda a: a.cost != "reaction"
    )
    ranged = tuple(a for a in found if "range" in a.facts or "modes" in a.facts)
    needed = frozenset(id for a in found for id in (*a.requires, *a.facts.get("frees", ())))
    armed = tuple(a for a in found if a in ranged or ("attack" in a.tags and "weapon" in a.takes))
    foes = frozenset([a.id for a in found if "foes" in a.facts])
    against = {a.id: a.facts["against"] for a in found if "against" in a.facts}
    return Reactive(tuple(found), ranged, armed, taking, needed, against, foes, {})


reactive_of = Lookup(_sort_out)
"""What of a list of actions can be a reaction."""


def answers_of(fighter: Fighter, reactive: tuple[Action, ...], means: Means) -> tuple[str, ...]:
    """Return what somebody can answer a threat with."""
    left, held, only, spent = means
    paid = {id: come.done for id, come in fighter.progress.items()}
    return tuple(
        a.id
        for a in reactive
        if max(1, a.facts["ap"] - paid.get(a.id, 0)) <= left
        and not (only and a.cost == "secondary")
        and not (spent and is_counted(a))
        and held.issuperset(a.requires)
        and not ("frees" in a.facts and held.isdisjoint(a.facts["frees"]))
    )


def too_far(rules: Ruleset, state: State, who: str, by: str, ranged: tuple[Action, ...]) -> tuple[str, ...]:
    """Return the answers to an action that don't reach whoever they would strike: who does it."""
    fighter = state.fighters[who]
    return tuple(a.id for a in ranged if not in_range(Case(rules, state, fighter, a), by))
