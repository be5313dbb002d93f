"""Readied and held actions: kept with what they wait for, and used when it happens."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, Deed, State, Window
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules import flow
from combatkit.rules.case import NOTHING, Case, Objection
from combatkit.rules.catalogue import Action, Cap
from combatkit.rules.contests import is_by, never_comes_true, told_of
from combatkit.rules.delays import beside
from combatkit.rules.draft import Draft
from combatkit.rules.judge import (
    demands,
    died_since,
    forbidden,
    goes_with,
    is_bound,
    itself,
    kept_case,
    lacking,
    never_aimed,
    readied,
    still_aimed,
)
from combatkit.rules.params import ALWAYS, said_trigger, trigger_text
from combatkit.rules.perform import carry_on
from combatkit.rules.weapons import said_spot, way_of, wielded
from combatkit.text import Said, Title, say, say_names

WAITING = ("delay", "act_now", "ready", "use")
"""Mechanisms that only say when somebody acts: none of them can itself be kept for later."""

ON_SHEET = "on_sheet"
"""Part of what is kept: that its weapon was on the sheet, which it then has to be as well when it is used."""


def check_ready(case: Case) -> Iterable[Objection]:
    """Allow only actions that the system lets people ready, and only as they could ever be done."""
    rules, state, fighter, action, params = case.rules, case.state, case.fighter, case.action, case.params
    reason = never_comes_true(rules, state, fighter, params.get("trigger"))
    if reason:
        yield Objection(reason, action.rule_of("trigger") or action.rule, firm=True)
    kept = rules.carried(case)
    if kept is not None:
        yield from untaken(case, kept.action, params)
        yield from _of_no_kind(case, kept.action)
        if kept.action.does not in WAITING:
            yield from as_said(kept)


def _of_no_kind(case: Case, chosen: Action) -> Iterable[Objection]:
    """Refuse an action of a kind that this system doesn't let people keep."""
    rules, action = case.rules, case.action
    never = chosen.does in WAITING or chosen.when != "own turn"
    if "actions" in action.facts:
        if chosen.id not in action.facts["actions"]:
            titles = say_names([rules.catalogue(case.state)[id].title for id in action.facts["actions"]])
            reason = f"Only {titles} can be held."
            yield Objection(reason, action.facts["kinds_rule"], firm=never)
        return
    cost, _ = rules.price(case.doing(chosen, {}))
    if cost.id not in action.facts["kinds"] or never or "special" in chosen.tags:
        kinds = say_names(action.facts["kinds"])
        reason = f"Only {kinds} actions can be readied."
        if chosen.does in WAITING:
            reason = f"{chosen.title} can't be readied: it only says when {case.fighter.name} acts."
        elif never:
            reason = "Only what is done on your own turn can be readied."
        yield Objection(reason, action.facts["kinds_rule"], firm=never)


def as_said(kept: Case) -> Iterable[Objection]:
    """Hold an action that is kept for later to what no moment changes: at whom, with what, what is left, its ground."""
    found = never_aimed(kept.fighter, kept.action, kept.targets)
    if len(kept.targets) > 1 and kept.action.facts.get("single"):
        reason = found[0].reason
        found[0] = replace(found[0], reason=f"{reason} Name nobody to choose one when it is used.")
    yield from found
    yield from kept.rules.arms.unheld(kept)
    yield from itself(kept)


def untaken(case: Case, chosen: Action, params: Mapping[str, object], *besides: str) -> Iterable[Objection]:
    """Refuse what somebody gives for an action that another one keeps or carries out, and that it doesn't take."""
    for id in params:
        if id not in besides and not goes_with(case, chosen, id):
            title = case.rules.parameters[id].title.lower()
            yield Objection(f"{chosen.title} takes no {title}.", "", firm=True)


_LATER = frozenset(("damage", "outcome", "modifiers", "pay", "option", "needed"))
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
            rule = _keeper(case).rule_of("action")
            word, how = case.action.facts.get("word", "readied"), _HOW.get(id, "with")
            reason = f"{case.fighter.name}'s {word} {chosen.title.lower()} is {how} {said}, not {how} {instead}."
            yield case.object(reason, rule)


def _keeper(case: Case) -> Action:
    """Return the action that keeps what an answer such as `use_readied` uses up."""
    return next(a for a in case.rules.catalogue(case.state) if a.facts.get("use") == case.action.id)


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
    effect = readied(case.fighter, case.action)
    if effect is not None and "attack" not in kept.action.tags:  # which refuses all the dead
        meant = effect.value.get("params", NOTHING).get("target", ())
        for target in kept.targets:
            if target in meant and died_since(case.state.fighters[target], effect.number):
                yield case.object(f"{target} is dead.")
    for cap in _limits(kept):
        if case.fighter.pools[cap.id].left < 1:
            yield Objection(cap.reason.format(name=case.fighter.name), cap.rule)


def spoiled(case: Case) -> Iterable[Objection]:
    """Object to using what was kept if it can't be done as it was said any more: the sheet has changed since."""
    free = "weapon" in case.params and not is_bound(case.state, case.action)
    instead = {"weapon": case.params["weapon"]} if free else NOTHING
    effect, kept = readied(case.fighter, case.action), kept_case(case.given(instead))
    if effect is None or kept is None:
        return
    weapon, word = effect.value.get("params", NOTHING).get("weapon"), case.action.facts.get("word", "readied")
    if effect.value.get(ON_SHEET) and kept.params["weapon"] == weapon and not wielded(kept):
        yield case.object(f"{case.fighter.name} has no {short(weapon)} on their sheet any more.")
        return
    try:
        yield from kept.rules.arms.unheld(kept)
        tuple(itself(kept))
    except (InvalidInput, UnknownName):
        title = kept.action.title.lower()
        yield case.object(f"{case.fighter.name}'s {word} {title} can't be done any more as it was said.", firm=True)


def ready(draft: Draft, act: Act) -> Act:
    """Keep an action for its trigger."""
    kept, verb = draft.rules.carried(draft.case(act)), draft.actions[act.action].facts.get("verb", "readies")
    assert kept is not None
    return keep(draft, act, kept, say("ready.keeps", of=kept.action.id, verb=Title(verb), title=kept.action.called))


def keep(draft: Draft, act: Act, kept: Case, words: Said) -> Act:
    """Keep an action with its parameters for the named trigger, in place of what was kept before."""
    keeper, trigger = draft.actions[act.action], act.params["trigger"]
    facts, begun = keeper.facts, tuple([keeper.rule_of(each) or keeper.rule for each in ("action", "trigger")])
    draft.end_effects(act.who, facts["effect"])
    value = {"action": kept.action.id, "trigger": trigger, "use": facts["use"]}
    if kept.params:
        value["params"] = dict(kept.params)
    if "weapon" in kept.params and wielded(kept):
        value[ON_SHEET] = True
    lost = all(draft.state.options[id] == value for id, value in facts.get("lapses_if", {}).items())
    anchor = f"turn_start:{act.who}" if lost else None
    told, rule = said_trigger(trigger, draft.rules, draft.state), facts["lapse_rule"]
    text = say("ready.for", keeps=words, trigger=told)
    draft.effect(act.who, facts["effect"], value=value, anchor=anchor, rule=rule, watches=True, text=text, begun=begun)
    return act


def usable(case: Case) -> Iterable[Objection]:
    """Let somebody use only what they readied, and only if that could be done at all."""
    fighter, action = case.fighter, case.action
    kept = kept_case(case)
    word, lapsed = action.facts.get("word", "readied"), fighter.lapsed
    if kept is None and lapsed is not None and lapsed.value["use"] == action.id:
        title = case.rules.catalogue(case.state)[lapsed.value["action"]].title.lower()
        yield Objection(f"What {fighter.name} had {word} ({title}) has lapsed.", lapsed.rule, firm=True)
        return
    if kept is None:
        yield case.object(f"{fighter.name} has nothing {word}.", firm=True)
        return
    against = [*spoiled(case)]
    yield from against
    if not against:
        yield from against_use(case, kept)
        yield from forbidden(kept)
        yield from kept.rules.bars(kept)
        yield from demands(kept)


def told_of_another(case: Case) -> Iterable[Objection]:
    """Refuse to use what waits for somebody other than the person the words are about: whoever is active."""
    state, fighter = case.state, case.fighter
    effect, by = readied(fighter, case.action), told_of(state, fighter, case.params)
    if effect is not None and by is not None and not is_by(state, effect.value["trigger"], by):
        kept = trigger_text(case.rules, state, effect.value["trigger"])
        word = case.action.facts.get("word", "readied")
        reason = f"{fighter.name}'s {word} action waits for this: {kept}. It's {by}'s turn."
        yield case.object(reason, _keeper(case).rule_of("trigger"))


def use_missing(case: Case) -> tuple[str, ...]:
    """Return the parameters the readied action still needs."""
    kept = kept_case(case)
    return () if kept is None else lacking(kept)


def use(draft: Draft, act: Act) -> Act:
    """Carry out what was readied; its cost is already paid."""
    act = as_before(draft, act)
    deed = use_up(draft, act)
    if deed is not None:
        carry_on(draft, act, (deed,))
    return act


_BEFORE = "before"
"""The last of the conditions there were before what was readied is carried out, in the result of its use."""


def as_before(draft: Draft, act: Act) -> Act:
    """Note which conditions there are before what was readied is carried out: what it brings waits for a later turn."""
    return replace(act, result={**act.result, _BEFORE: draft.state.effects})


def over(draft: Draft, act: Act) -> Act:
    """End what waited for the turn that the readied action took the place of, once that is done."""
    place, occasion = draft.state.place_of(act.who), draft.state.occasion
    if place is not None and place.opened < occasion <= place.done:
        flow.end_given_up(draft, act.who, "turn_start", "turn_end", until=act.result[_BEFORE])
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
    own = {*chosen.takes, *ALWAYS}
    bound, said = is_bound(draft.state, action), effect.value.get("params", {})
    still = still_aimed(draft.rules, draft.state, chosen, said, effect.number, bound=bound)
    params = {**still, **{k: v for k, v in act.params.items() if k in own}}
    on = draft.case(act).doing(chosen, params).targets
    draft.end_effect(
        act.who, effect, text=say("ready.uses", of=chosen.id, kept=kept, title=title, on=on), rule=action.rule
    )
    triggerer = _triggerer(draft.state, act.who, momentary=bool(action.facts.get("momentary")))
    if triggerer is not None and action.facts.get("moves"):
        step_before(draft, act.who, triggerer, action.facts["moves"])
    return Deed(chosen.id, params, tuple(cap.id for cap in _limits(draft.case(act).doing(chosen, params))))


def _triggerer(state: State, who: str, *, momentary: bool) -> str | None:
    """Return who set off the window being answered; if a trap did, nobody, or who is active if the moment counts."""
    for frame in reversed(state.focus):
        if type(frame) is Window:
            if not frame.by and momentary:
                break
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
        draft.end_effects(who, "delayed", rule=rule)  # what the delay waited for is gone
