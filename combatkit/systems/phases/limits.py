"""What rules out an action whatever its target, and the rules behind exceptions and limits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from combatkit.core.model import Fighter, State
from combatkit.rules.case import Case, Objection
from combatkit.rules.checks import say_names
from combatkit.rules.judge import bid_of, unable
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.phases.deeds import forfeited
from combatkit.systems.phases.halves import STEP, has_stepped
from combatkit.systems.phases.threats import NEGATED, OPPORTUNITY

if TYPE_CHECKING:
    from combatkit.systems.phases.ruleset import Phases


def bars(rules: Phases, case: Case) -> Iterable[Objection]:
    """Yield what surprise, a single-action limit, an abort or a 1-hex step rules out."""
    state, fighter, action = case.state, case.fighter, case.action
    name = fighter.name
    if fighter.effects and action.despite and "action" in case.params:
        whole = rules.catalogue(state)[case.params["action"]]
        if not rules.able_to(fighter, whole):
            yield unable(rules, fighter)
    if state.round == 0 and fighter.effect("surprised") is not None:
        yield Objection(f"{name} is unaware and does not act in the Surprise Phase.", "phases.sur.unaware-idle")
    if action.id == OPPORTUNITY and (window := case.window) is not None:
        for _, _, *at in [used for used in window.used if used[:2] == (name, OPPORTUNITY)]:
            if set(at) & set(case.targets) or bid_of(window, name, OPPORTUNITY) is None:
                reason = f"{name} has already used this opportunity, on {say_names(at)}."
                yield Objection(reason, "phases.aoo.cr-one-per-opp")
    if action.when == "own turn" and forfeited(fighter):
        yield Objection(f"{name} gave up this phase's action to an abort.", "phases.abort.skip")
    if action.cost == "attack" and state.turn is not None and state.turn.who == name:
        yield from _second_attack(rules, state, fighter)
    if action.cost == "full_phase":
        if state.round == 0:
            yield Objection("No full-phase action fits in the Surprise Phase.", "phases.sur.no-full")
        if state.round == 0 or fighter.effect("limited") is not None:
            reason = f"{name} has only one attack or move action, but can start a full-phase action with a move."
            yield Objection(reason, "phases.act.limited-no-full")
    if "movement" in action.tags and has_stepped(fighter):
        yield Objection(f"{name} has already taken a 1-hex step this phase.", "phases.step.no-move")


def _second_attack(rules: Phases, state: State, fighter: Fighter) -> Iterable[Objection]:
    """Name the rule against two attack actions, if a second one is asked for and an action is still left for it."""
    pool = fighter.pools.get("attack")
    if pool is None or pool.left or "surprise" in fighter.pools or "single" in fighter.pools:
        return
    spent = rules.catalogue(state).get(pool.action)
    if spent is not None and spent.cost == "attack":
        reason = f"Only one attack action a phase, and {fighter.name} has taken it ({spent.title})."
        yield Objection(reason, "phases.act.no-two-attacks")


def cited(rules: Phases, case: Case, rule: str) -> tuple[str, ...]:
    """Return the rules an action rests on: exceptions, what a limit still allows, what allows it again."""
    cited = Ruleset.cited(rules, case, rule)
    more = tuple(_besides(rules, case))
    return (*cited, *(rule for rule in more if rule not in cited)) if more else cited


def _besides(rules: Phases, case: Case) -> Iterable[str]:
    state, fighter, action = case.state, case.fighter, case.action
    if case.params.get("outcome") == NEGATED and action.facts.get("provokes") == "yes":
        yield "phases.aoo.exceptions"
    if action.cost == "free":
        if state.round == 0:
            yield "phases.sur.free-ok"
        if "single" in fighter.pools:
            yield "phases.act.limited-free"
    elif action.id == STEP:
        whole = fighter.pools.get("attack")
        if whole is not None and whole.rule == "phases.full.entire":
            yield "phases.full.step-ok"
    elif action.id == OPPORTUNITY:
        if "manoeuvre" in case.params:
            yield "phases.aoo.not-same"
        if fighter.stats["combat_reflexes"]:
            yield from ("phases.aoo.cr-more", "phases.aoo.cr-same-foe")
            if state.options["combat_reflexes_limit"] is None:
                yield "phases.aoo.cr-limit"
    elif action.does == "delay":
        ended = state.turn.ends if state.turn is not None else ()
        if any(effect.id == "delayed" for _, effect in ended):
            yield "phases.delay.again"
