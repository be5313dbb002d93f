"""Full-phase actions done in two halves, and actions that another action carries out."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, Fighter, Lookup
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action, Catalogue
from combatkit.rules.draft import Draft
from combatkit.rules.judge import demands, judge, lacking
from combatkit.rules.perform import perform, tell_progress
from combatkit.rules.readying import as_said, untaken
from combatkit.systems.phases.threats import FAILED, NEGATED

Params = Mapping[str, object]
STEP = "1_hex_step"


def has_stepped(fighter: Fighter) -> bool:
    """Check whether a combatant has taken this phase's 1-hex step."""
    pool = fighter.pools.get("step")
    return pool is not None and pool.left < 1 and pool.action == STEP


def _sorted(catalogue: Catalogue[Action]) -> tuple[str, ...]:
    return tuple(sorted(catalogue.ids(), key=lambda each: catalogue[each].cost != "full_phase"))


whole_first = Lookup(_sorted)
"""All actions, those that can be done in halves first."""


def check_half(case: Case) -> Iterable[Objection]:
    """Allow only a full-phase action to be started, if it could be done at all."""
    params = case.params
    if "action" not in params:
        return
    whole = case.rules.catalogue(case.state).by_id[params["action"]]
    yield from untaken(case, whole, params, "outcome")
    if whole.cost != "full_phase":
        reason = f"{whole.title} isn't a full-phase action."
        yield Objection(reason, "phases.act.start-complete", firm=only_by_itself(whole))
    elif whole.id not in case.fighter.progress:  # what is completed is judged as if it were done at once
        yield from as_said(by_itself(case.doing(whole, {k: v for k, v in params.items() if k != "outcome"})))


def whole_fits(case: Case) -> Iterable[Objection]:
    """Allow a full-phase action to be completed only if it could be done at once."""
    chosen = case.params.get("action")
    whole = None if chosen is None else case.rules.catalogue(case.state).get(chosen)
    if whole is not None and whole.cost == "full_phase" and whole.id in case.fighter.progress:
        yield from as_done(case.doing(whole, _for_whole(whole, case.params)))


def verdicts(case: Case) -> tuple[str, ...]:
    """Return what half of an action can come to: how its check went; of an attack completed, also whether it hits."""
    whole = case.rules.catalogue(case.state).get(case.params.get("action", ""))
    completes = whole is not None and whole.id in case.fighter.progress and "attack" in whole.tags
    return (FAILED, NEGATED, *(("hit", "miss") if completes else ()))


def _for_whole(whole: Action, params: Params) -> Params:
    """Return the full-phase action's own parameters: provoking nobody by completing it is not a miss."""
    if whole.facts.get("provokes") or params.get("outcome") not in (FAILED, NEGATED):
        return params
    return {k: v for k, v in params.items() if k != "outcome"}


def only_by_itself(action: Action) -> bool:
    """Check whether an action decides when or what somebody does, and so can't be part of another."""
    return action.when != "own turn" or action.does in ("delay", "ready", "half")


def as_done(case: Case) -> Iterable[Objection]:
    """Yield what rules out an action that another one carries out, besides its cost and time."""
    if "movement" in case.action.tags and has_stepped(case.fighter):
        yield Objection(f"{case.fighter.name} has already taken a 1-hex step this phase.", "phases.step.no-move")
    yield from demands(by_itself(case))


def by_itself(case: Case) -> Case:
    """Return an action that another one carries out with only the parameters that it takes itself."""
    own = {*case.action.takes, "modifiers"} - ({"action"} if case.action.does != "half" else set())
    return case.given({k: v for k, v in case.params.items() if k in own})


def half_missing(case: Case) -> tuple[str, ...]:
    """Return what an action still needs when it is completed."""
    whole = case.rules.catalogue(case.state).get(case.params.get("action", ""))
    if whole is None or whole.id not in case.fighter.progress:
        return ()
    return lacking(case.doing(whole))


def halves(fighter: Fighter, whole: str) -> dict[str, Any]:
    """Say how far a full-phase action is, with the half just done."""
    done = 2 if whole in fighter.progress else 1
    return {"progress": [done, 2], "completed": done == 2}


def half(draft: Draft, act: Act) -> Act:
    """Start a full-phase action, or complete it and carry it out."""
    whole = draft.actions[act.params["action"]]
    come = halves(draft.state.fighters[act.who], whole.id)
    tell_progress(draft, act.who, whole, come["progress"], ("phases.act.start-complete",), "starts")
    if come["completed"]:
        carry_out(draft, replace(act, params=dict(_for_whole(whole, act.params))), whole)
    return act


def carry_out(draft: Draft, act: Act, chosen: Action) -> None:
    """Carry out an action that another one has paid for; a distance moved still uses up the 1-hex step."""
    case = by_itself(draft.case(act).doing(chosen))
    perform(draft, case, replace(judge(case), pay=moving(case.fighter, chosen)), then=())


def moving(fighter: Fighter, action: Action) -> tuple[str, ...]:
    """Return the pool that any distance moved in a phase uses up."""
    pool = fighter.pools.get("step")
    return ("step",) if "movement" in action.tags and pool is not None and pool.left > 0 else ()
