"""Acting out of turn in phases: ready, the readied action, and abort."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.core.geometry import Hex, as_pair, hex_neighbours
from combatkit.core.model import Act, Deed
from combatkit.rules import flow, readying
from combatkit.rules.case import Case, Mechanism, Objection, Stage
from combatkit.rules.judge import demands, kept_case, lacking
from combatkit.rules.params import find_action
from combatkit.rules.perform import carry_on
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.phases.debts import owe
from combatkit.systems.phases.halves import (
    STEP,
    as_done,
    by_itself,
    carry_out,
    has_stepped,
    only_by_itself,
)
from combatkit.systems.phases.threats import BARRED, hex_of
from combatkit.text import say

if TYPE_CHECKING:
    from combatkit.core.model import State
    from combatkit.rules.catalogue import Action
    from combatkit.rules.draft import Draft

Params = Mapping[str, object]
BEFORE, AFTER = "before", "after"
STEPS = (BEFORE, AFTER, "step")
"""When a 1-hex step that is part of a readied action is taken: an option of using it, by default before it."""

# ── ready ──


def ready_missing(case: Case) -> tuple[str, ...]:
    """Ask which full-phase action will be started or completed: it is the option."""
    return ("option",) if readies_half(case) and "option" not in case.params else ()


def readies_half(case: Case) -> bool:
    """Check whether half of a full-phase action is readied."""
    kept = Ruleset.carried(case.rules, case) if case.action.does == "ready" else None
    return kept is not None and kept.action.does == "half"


def carried(rules: Ruleset, case: Case) -> Case | None:
    """Return the case of what an action keeps or carries out; of a readied half, the whole is named as the option."""
    kept = Ruleset.carried(rules, case)
    if kept is None or not readies_half(case):
        return kept
    given = dict(kept.params)
    whole = given.pop("option", None)
    return kept.given(given if whole is None else {"action": find_action(rules, case.state, whole).id, **given})


def ready(draft: Draft, act: Act) -> Act:
    """Keep an action for its condition, and with it the full-phase action that it starts or completes."""
    case = draft.case(act)
    kept = carried(draft.rules, case)
    if kept is None or not readies_half(case):
        return readying.ready(draft, act)
    return readying.keep(draft, act, kept, say("ready.half", title=_deed(kept).called))


# ── what was readied ──


def usable(case: Case) -> Iterable[Objection]:
    """Allow a readied action if it could be done now and there is a regular action to forfeit for it."""
    kept, fighter = kept_case(case), case.fighter
    if kept is None:
        yield from readying.usable(case)
        return
    acts = (frame for frame in case.state.focus if type(frame) is Act)
    if any(act.who == fighter.name and act.action == case.action.id for act in acts):
        yield case.object(f"{fighter.name} is already using it.", firm=True)
    against = [*readying.spoiled(case)]
    yield from against
    if against:
        return
    yield from readying.against_use(case, kept)
    if not _step_helps(kept):
        yield from as_done(_stepped(kept))
    if wants_step(kept):
        if has_stepped(fighter):
            yield Objection(f"{fighter.name} has already taken a 1-hex step this phase.", "phases.step.one")
        yield from demands(kept.doing(case.rules.actions[STEP], {"to": kept.params.get("to")}))


def use_missing(case: Case) -> tuple[str, ...]:
    """Return what a readied action still needs: a place to step to, if only that brings the target within reach."""
    kept = kept_case(case)
    if kept is None:
        return ()
    missing = lacking(kept)
    said = kept.params.get("option") in STEPS and "to" not in kept.params and hex_of(kept.fighter) is not None
    return (*missing, "to") if said or _step_helps(kept) else missing


def _deed(kept: Case) -> Action:
    """Return what a readied action does: for a half, the full-phase action it starts or completes."""
    return kept.rules.catalogue(kept.state)[kept.params["action"]] if kept.action.does == "half" else kept.action


def _stepped(kept: Case) -> Case:
    """Return a readied action as it is done: after the 1-hex step, if that comes first."""
    first = wants_step(kept) and kept.params.get("option") != AFTER
    spot = as_pair(kept.params.get("to")) if first else None
    kept = _bare(kept)
    return kept if spot is None else _from(kept, spot)


def _bare(kept: Case) -> Case:
    """Return a readied action without when a step is taken, which is no way to do it."""
    said = kept.params.get("option")
    return kept.given({k: v for k, v in kept.params.items() if k != "option"}) if said in STEPS else kept


def _from(kept: Case, spot: Hex) -> Case:
    return replace(kept, fighter=replace(kept.fighter, position=spot))


def _step_helps(kept: Case) -> bool:
    """Check whether a readied action can't be done from here, but could after a 1-hex step not yet named."""
    kept = _bare(kept)
    here, pool = hex_of(kept.fighter), kept.pool("step")
    moves = "movement" in _deed(kept).tags
    if here is None or "to" in kept.params or moves or pool is None or pool.left < 1 or not list(as_done(kept)):
        return False
    return not demands(kept.doing(kept.rules.actions[STEP], {})) and any(
        not list(as_done(_from(kept, spot))) for spot in hex_neighbours(here)
    )


def wants_step(kept: Case) -> bool:
    """Check whether a 1-hex step is part of a readied action: it names a place and moves nobody by itself."""
    said = kept.params.get("to") is not None or kept.params.get("option") in STEPS
    return said and "movement" not in _deed(kept).tags


def use(draft: Draft, act: Act) -> Act:
    """Use what was readied; in the next phase it takes the place of the regular action."""
    state, kept = draft.state, kept_case(draft.case(act))
    if kept is None:
        return readying.use(draft, act)
    place = state.place_of(act.who)
    if place is not None and place.done < state.occasion:
        cited = ("phases.ready.next-phase",)
        flow.lose_turn(draft, place, state.occasion, say("ready.forfeits"), cited)
    said = act.params.get("option")
    if said in STEPS:
        act = replace(act, params={k: v for k, v in act.params.items() if k != "option"})
    if not wants_step(kept):
        return readying.use(draft, act)
    place_named = {"to": kept.params["to"]} if kept.params.get("to") is not None else {}
    step = Deed(STEP, place_named, ("step",), "phases.ready.step")
    act = replace(act, params={k: v for k, v in act.params.items() if k != "to"})
    deed = readying.use_up(draft, act)
    assert deed is not None
    carry_on(draft, act.who, (deed, step) if said == AFTER else (step, deed))
    return act


# ── abort ──


def check_abort(case: Case) -> Iterable[Objection]:
    """Allow a combatant to defend out of turn at the price of a later action, unless they owe one already."""
    rules, state = case.rules, case.state
    name = case.fighter.name
    owed = case.effect("owes")
    if owed is not None:
        yield Objection(f"{name} has already given up phase {owed.value}.", "phases.abort.no-chain")
    turn = state.turn
    if turn is not None and turn.who == name:
        yield Objection(f"It's {name}'s own turn: they can act, and needn't abort.", "phases.abort.what")
    attack = _attack_under_way(rules, state)
    if attack is not None:
        title = rules.catalogue(state)[attack.action].title.lower()
        reason = f"{attack.who}'s {title} is already declared: you abort before an attack, not against it."
        yield Objection(reason, "phases.abort.what")
    if "action" in case.params:
        chosen = rules.catalogue(state)[case.params["action"]]
        yield from readying.untaken(case, chosen, case.params)
        if "defensive" not in chosen.tags or chosen.cost not in ("attack", "move"):
            reason = f"{chosen.title} isn't a defensive attack or move action."
            yield Objection(reason, "phases.abort.what", firm=only_by_itself(chosen))


def defence_fits(case: Case) -> Iterable[Objection]:
    """Allow aborting only to what could be done now."""
    chosen = case.rules.catalogue(case.state).get(case.params.get("action", ""))
    if chosen is not None and not only_by_itself(chosen):
        yield from as_done(case.doing(chosen))


def _attack_under_way(rules: Ruleset, state: State) -> Act | None:
    """Return the attack that is declared but not yet carried out, if there is one."""
    catalogue = rules.catalogue(state)
    acts = (frame for frame in state.focus if type(frame) is Act)
    return next((act for act in acts if "attack" in catalogue[act.action].tags), None)


def abort_missing(case: Case) -> tuple[str, ...]:
    """Return what the defence itself still needs."""
    if "action" not in case.params:
        return ()
    return lacking(by_itself(case.doing(case.rules.catalogue(case.state)[case.params["action"]])))


def abort(draft: Draft, act: Act) -> Act:
    """Give up the next action for a defence now: this phase's before the combatant's place, the next one's after it."""
    rules, state = draft.rules, draft.state
    chosen = rules.catalogue(state)[act.params["action"]]
    place = state.place_of(act.who)
    assert place is not None
    # The next action is taken now: what a delay, a dodge or something readied kept until it is over.
    draft.end_effects(act.who, "delayed", BARRED, "readied")
    owe(draft, place, late=place.done >= state.occasion, title=chosen.called)
    carry_out(draft, act, chosen)
    return act


WAITING: dict[str, Mechanism] = {
    "ready": Mechanism(readying.check_ready, (Stage("ready", ready),), ready_missing),
    "use": Mechanism(None, (Stage("use", use, (usable,)),), use_missing),
    "abort": Mechanism(check_abort, (Stage("abort", abort, (defence_fits,)),), abort_missing),
}
"""The mechanisms of this module, by the name that the catalogue's ``does`` uses."""
