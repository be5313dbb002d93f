"""Readied and held actions: kept with what they wait for, and used when it happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, Deed, State, Window
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action, Cap
from combatkit.rules.checks import say_names
from combatkit.rules.delays import beside
from combatkit.rules.draft import Draft
from combatkit.rules.judge import demands, is_bound, kept_case, lacking, never_aimed, readied
from combatkit.rules.moves import said_spot, way_of
from combatkit.rules.params import ALWAYS, said_trigger, trigger_text
from combatkit.rules.perform import carry_on
from combatkit.rules.triggers import is_by, never_comes_true, told_of
from combatkit.text import Said, Title, say

WAITING = ("delay", "act_now", "ready", "use")
"""Mechanisms that only say when somebody acts: none of them can itself be kept for later."""


def check_ready(case: Case) -> Iterable[Objection]:
    """Allow only actions that the system lets people ready, and only parameters that could ever be given to them."""
    rules, state, fighter, action, params = case.rules, case.state, case.fighter, case.action, case.params
    reason = never_comes_true(rules, state, fighter, params.get("trigger"))
    if reason:
        said = next((p.rule for p in action.parameters if p.id == "trigger" and p.rule), action.rule)
        yield Objection(reason, said, firm=True)
    if "action" in params:
        chosen = rules.catalogue(state)[params["action"]]
        given = {k: v for k, v in params.items() if k not in ("action", "trigger")}
        yield from untaken(case, chosen, params)
        yield from _against_several(case.doing(chosen, given))
        never = chosen.does in WAITING or chosen.when != "own turn"
        if "actions" in action.facts:
            if chosen.id not in action.facts["actions"]:
                titles = say_names([rules.catalogue(state)[id].title for id in action.facts["actions"]])
                reason = f"Only {titles} can be held."
                yield Objection(reason, action.facts["kinds_rule"], firm=never)
            return
        cost, _ = rules.price(case.doing(chosen, {}))
        if cost.id not in action.facts["kinds"] or never or "special" in chosen.tags:
            reason = f"Only {say_names(action.facts['kinds'])} actions can be readied."
            if chosen.does in WAITING:
                reason = "What only says when somebody acts can't be readied."
            elif never:
                reason = "Only what is done on your own turn can be readied."
            yield Objection(reason, action.facts["kinds_rule"], firm=never)


_CARRIERS = frozenset(("action", "trigger", "threat"))
"""What belongs to an action that keeps or carries another one, and not to that."""


def untaken(case: Case, chosen: Action, params: Mapping[str, object], *besides: str) -> Iterable[Objection]:
    """Refuse what somebody gives for an action that another one keeps or carries out, and that it doesn't take."""
    own = {*chosen.takes, *ALWAYS, *_CARRIERS, *case.action.facts.get("besides", ()), *besides}
    for id in params:
        if id not in own:
            title = case.rules.parameters[id].title.lower()
            yield case.object(f"{chosen.title} takes no {title}.", firm=True)


_LATER = frozenset(("damage", "outcome", "modifiers", "pay", "option"))
"""What is said only as a kept action is used, whatever was said before."""

_HOW = {"target": "for", "to": "to"}
"""How what was named for a kept action is told; anything else was to be done with it."""


def _otherwise(case: Case, chosen: Action) -> Iterable[Objection]:
    """Refuse to use what is kept on somebody else, or otherwise, than was said, unless the table allows it."""
    effect = readied(case.fighter, case.action)
    kept = effect.value.get("params", {}) if effect is not None and is_bound(case.state, case.action) else {}
    for id in [id for id in kept if id in case.params and id not in _LATER]:
        old, new = (_said(each, id) for each in (kept, case.params))
        other = [word for word in new if word.casefold() not in map(str.casefold, old)]
        if other:
            said, instead = say_names(old), say_names(other)
            keeper = next(a for a in case.rules.catalogue(case.state) if a.facts.get("use") == case.action.id)
            rule = next((p.rule for p in keeper.parameters if p.id == "action"), "")
            word, how = case.action.facts.get("word", "readied"), _HOW.get(id, "with")
            reason = f"{case.fighter.name}'s {word} {chosen.title.lower()} is {how} {said}, not {how} {instead}."
            yield case.object(reason, rule)


def _said(params: Mapping[str, Any], id: str) -> list[str]:
    """Return what is named for an action, in words: who or what, or where it leads."""
    if id == "to":
        return [said_spot(spot) for spot in way_of(params)[-1:]]
    value = params[id]
    return [str(each) for each in (value if isinstance(value, (list, tuple)) else [value])]


def _limits(case: Case) -> tuple[Cap, ...]:
    """Return the limits on a kept action that is free: nobody paid for it when it was kept."""
    cost, _ = case.rules.price(case)
    if cost.pay != ((),):
        return ()
    return tuple(cap for cap in case.rules.capping.get(cost.of or cost.id, ()) if cap.id in case.fighter.pools)


def against_use(case: Case, kept: Case) -> Iterable[Objection]:
    """Hold the use of what was kept to what was said when it was, and to what there is left to spend."""
    yield from told_of_another(case)
    yield from untaken(case, kept.action, case.params)
    yield from _otherwise(case, kept.action)
    for cap in _limits(kept):
        if case.fighter.pools[cap.id].left < 1:
            yield Objection(cap.reason.format(name=case.fighter.name), cap.rule)


def _against_several(case: Case) -> Iterable[Objection]:
    """Refuse wrong input for what is kept, and targets it can never have; any other obstacle may change."""
    targets, given = case.targets, case.params
    yield from never_aimed(case.fighter, case.action, targets)
    yield from case.rules.arms.unheld(case)
    check = case.rules.mechanisms[case.action.does].check
    if not given or check is None:
        return
    tuple(check(case))  # for wrong input
    if len(targets) > 1:  # what two can't be together, more can't be either
        two, one, other = (case.given({**given, "target": list(names)}) for names in (targets[:2], *zip(targets[:2])))
        alone = {*check(one), *check(other)}
        yield from (objection for objection in check(two) if objection not in alone)


def ready(draft: Draft, act: Act) -> Act:
    """Keep an action for its trigger."""
    catalogue = draft.actions
    chosen, verb = catalogue[act.params["action"]], catalogue[act.action].facts.get("verb", "readies")
    given = {k: v for k, v in act.params.items() if k not in ("action", "trigger")}
    return keep(draft, act, chosen.id, given, say("ready.keeps", verb=Title(verb), title=chosen.called))


def keep(draft: Draft, act: Act, action: str, params: dict[str, object], words: Said) -> Act:
    """Keep an action and its parameters for the named trigger, in place of what was kept before."""
    catalogue = draft.actions
    facts, trigger = catalogue[act.action].facts, act.params["trigger"]
    draft.end_effects(act.who, facts["effect"])
    value = {"action": action, "trigger": trigger, "use": facts["use"]}
    if params:
        value["params"] = params
    lost = all(draft.state.options[id] == value for id, value in facts.get("lapses_if", {}).items())
    anchor = f"turn_start:{act.who}" if lost else None
    text, rule = say("ready.for", keeps=words, trigger=said_trigger(trigger, catalogue)), facts["lapse_rule"]
    draft.effect(act.who, facts["effect"], value=value, anchor=anchor, rule=rule, watches=True, text=text)
    return act


def usable(case: Case) -> Iterable[Objection]:
    """Let somebody use only what they readied, and only if that could be done at all."""
    fighter, action = case.fighter, case.action
    kept = kept_case(case)
    word, lapsed = action.facts.get("word", "readied"), fighter.lapsed
    if kept is None and lapsed is not None and lapsed.value["use"] == action.id:
        title = case.rules.catalogue(case.state)[lapsed.value["action"]].title.lower()
        yield Objection(f"{fighter.name}'s {word} {title} has lapsed.", lapsed.rule, firm=True)
        return
    if kept is None:
        yield case.object(f"{fighter.name} has nothing {word}.", firm=True)
        return
    yield from against_use(case, kept)
    yield from demands(kept)


def told_of_another(case: Case) -> Iterable[Objection]:
    """Refuse to use what waits for somebody other than the person the words are about: whoever is active."""
    state, fighter = case.state, case.fighter
    effect, by = readied(fighter, case.action), told_of(state, fighter, case.params)
    if effect is not None and by is not None and not is_by(state, effect.value["trigger"], by):
        kept = trigger_text(case.rules, state, effect.value["trigger"])
        word = case.action.facts.get("word", "readied")
        yield case.object(f"{fighter.name}'s {word} action waits for this: {kept}. It's {by}'s turn.")


def use_missing(case: Case) -> tuple[str, ...]:
    """Return the parameters the readied action still needs."""
    kept = kept_case(case)
    return () if kept is None else lacking(kept)


def use(draft: Draft, act: Act) -> Act:
    """Carry out what was readied; its cost is already paid."""
    deed = use_up(draft, act)
    if deed is not None:
        carry_on(draft, act.who, (deed,))
    return act


def use_up(draft: Draft, act: Act) -> Deed | None:
    """Return what was readied, and end it; nothing if only the GM's word made it ready.

    Where the system says so, the place moves to just before whoever set it off.
    """
    fighter = draft.state.fighters[act.who]
    action = draft.actions[act.action]
    effect = readied(fighter, action)
    if effect is None:
        return None
    chosen = draft.actions[effect.value["action"]]
    kept, title = Title(action.facts.get("word", "readied")), chosen.called
    said = "ready.uses_several" if " " in title else "ready.uses"  # a sentence either way
    draft.end_effect(act.who, effect, text=say(said, kept=kept, title=title), rule=action.rule)
    triggerer = _triggerer(draft.state, act.who)
    if triggerer is not None and action.facts.get("moves"):
        step_before(draft, act.who, triggerer, action.facts["moves"])
    own = {*chosen.takes, *ALWAYS}
    params = {**effect.value.get("params", {}), **{k: v for k, v in act.params.items() if k in own}}
    return Deed(chosen.id, params, tuple(cap.id for cap in _limits(draft.case(act).doing(chosen, params))))


def _triggerer(state: State, who: str) -> str | None:
    """Return who set off the window being answered; nobody if a trap did."""
    for frame in reversed(state.focus):
        if type(frame) is Window:
            return frame.by[0] if frame.by and frame.by[0] != who else None
    turn = state.turn
    return turn.who if turn is not None and turn.who != who else None


def step_before(draft: Draft, who: str, other: str, rule: str) -> None:
    """Move somebody's place to just before another's, for good.

    If that place has passed, this round's turn is gone with it.
    """
    state = draft.state
    place, before = state.place_of(who), state.place_of(other)
    if place is None or before is None:
        return
    turn = state.turn
    passed = before.done >= state.occasion or (turn is not None and turn.place == before.id)
    moved = replace(beside(place, before), why=f"just before {other}", why_rule=rule)
    draft.order(moved, say("order.steps_before", other=other, was=place.score), (rule,), at=("before", before.id))
    if passed and place.done < state.occasion:
        text = say("turn.used_before", other=other)
        flow.lose_turn(draft, moved, state.occasion, text, (rule,))
