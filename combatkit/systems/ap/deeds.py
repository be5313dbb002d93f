"""How actions are carried out: what comes of them once reactions are over, and skipping a turn."""

from __future__ import annotations

from msgspec.structs import replace

from combatkit.core.model import Act, State, Window
from combatkit.rules import flow
from combatkit.rules.case import Case, Question
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.perform import COMPLETES, tell_progress
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import DECLARED_AT
from combatkit.systems.ap.limits import (
    ADVANTAGE,
    SAVED,
    Foiled,
    advantages_of,
    answered,
    foiled_by,
    only_wards,
    saved_of,
    unfoiled,
)
from combatkit.systems.ap.modes import keep_aim, use_up
from combatkit.systems.ap.order import OVER
from combatkit.text import Said, Title, say

_COUNTERED = ("foiled", "negated")
_ANSWERED = ("foiled", "failed")
"""What an answer to a threat can come to."""
_FOILS = "foils"
"""What the GM said of a reaction, in its result."""

_EXTENDED = ("ap.extended.span", "ap.extended.def")
"""What an action of several turns rests on."""


def outcomes_of(rules: Ruleset, action: Action) -> tuple[str, ...]:
    """Return what an action can come to: a blow or a contest by itself, and an answer by what becomes of the threat."""
    own = rules.mechanisms[action.does].outcomes if action.does in ("attack", "charge", "contest") else ()
    answers = _ANSWERED if "reaction" in action.when or not own else ()
    return tuple(dict.fromkeys((*own, *answers)))


def foil_question(case: Case, act: Act) -> Question | None:
    """Ask whether a reaction foils what it answers, as nothing is rolled for it, unless that was given with it."""
    action, focus = case.action, case.state.focus
    threat = focus[-2] if len(focus) > 1 else None
    if type(threat) is not Act or not only_wards(action):
        return None
    goes_on = case.rules.able(case.state.fighters[threat.who])  # else there is nothing to foil
    if not goes_on or _FOILS in act.result or "outcome" in act.params:
        return None
    about = Title(focus[-1].about if type(focus[-1]) is Window else "")
    text = say("question.foils", about=about, who=act.who, verb=Title(action.verb))
    return Question(_FOILS, text, ("failed", "foiled"), action.facts["says"] or "ap.react.purpose")


def resolve(draft: Draft, act: Act) -> Act:
    """Let an action take effect: paid in full, and not countered by a reaction."""
    state = draft.state
    if act.action in state.fighters[act.who].progress:
        return replace(act, stage=OVER)
    foiled = foiled_by(state, act.seq)
    if foiled is not None:
        left = unfoiled(act, foiled)
        if not left:
            by = [[who, foiled.get("how", {}).get(who, "")] for who in foiled["by"]]
            told = [say("stopped.by", who=who, how=_foiling(draft, act, id)) for who, id in by]
            text, rules = say("stopped.countered", by=told), ("ap.react.purpose",)
            draft.emit("stopped", act.who, act.action, text=text, rules=rules, data={"act": act.seq, "by": by})
            use_up(draft, act)
            return replace(act, stage=OVER)
        act = replace(act, targets=left, result={DECLARED_AT: list(act.targets), **act.result})
    action = draft.actions[act.action]
    if COMPLETES in act.result:
        tell_progress(draft, act.who, action, act.result[COMPLETES], _EXTENDED)
    window = state.window
    if window is None or "reaction" not in action.when:
        return act
    outcome = act.params.get("outcome") or act.result.get(_FOILS)
    if outcome in _COUNTERED:
        facts = {"foiled": _foil(state, window.threat, act)}
        text, rules = say(f"reaction.{outcome}"), ("ap.react.purpose",)
        draft.emit("fact", act.who, act.action, text=text, rules=rules, data={"facts": facts})
        return replace(act, stage=OVER)
    if outcome == "failed":
        rules = ("ap.react.attempt-counts",)
        draft.emit("fact", act.who, act.action, text=say("reaction.fails"), rules=rules, data={"facts": {}})
    return act if act.targets else replace(act, targets=answered(state, act.who, action))


def _foiling(draft: Draft, act: Act, id: str) -> Said | str:
    """Return the words for what foiled an action: what is aimed at somebody was aimed at who did that."""
    if not id:
        return ""
    action = draft.actions[id]
    return action.said((act.who,) if "target" in action.required else ())


def _foil(state: State, threat: int, act: Act) -> Foiled:
    """Note that somebody has foiled a threat, besides those foiled before that are not over yet."""
    found, last = foiled_by(state, threat), state.facts.get("foiled")
    if found is not None:
        return {**found, "by": [*found["by"], act.who], "how": {**found.get("how", {}), act.who: act.action}}
    waits = last is not None and any(type(frame) is Act and frame.seq == last["threat"] for frame in state.focus)
    foiled: Foiled = {"threat": threat, "by": [act.who], "how": {act.who: act.action}}
    if last is not None and waits:
        foiled["below"] = last
    return foiled


def skip(draft: Draft, act: Act) -> Act:
    """Skip the turn and save a point of it for a reaction before the round ends. The GM may let it be done off turn."""
    rule, turn = draft.actions[act.action].facts["says"], draft.state.turn
    draft.effect(act.who, SAVED, value=1, anchor="round_end", rule=rule, text=say("saved.saves"))
    if turn is not None and turn.who == act.who:
        flow.close_turn(draft, rules=(rule,))
    return act


def spend(draft: Draft, act: Act, action: Action) -> None:
    """Use up points, Advantage and aim once spent, whatever others then do about it."""
    keep_aim(draft, act, action)
    fighter = draft.state.fighters[act.who]
    saved = saved_of(fighter) if fighter.effects else None
    if saved is not None and f"{SAVED}:{saved.number}" in fighter.pools:
        draft.end_effect(act.who, saved, text=say("saved.spends"))
    if "begins" in action.facts and draft.state.fighters[act.who].effect(action.facts["begins"]) is None:
        anchor, rule = f"turn_end:{act.who}", action.facts["says"]
        draft.effect(act.who, action.facts["begins"], anchor=anchor, rule=rule)
    if act.params.get("pay") == "advantage":
        effect, held = draft.state.fighters[act.who].effect(ADVANTAGE), advantages_of(draft.state.fighters[act.who])
        if effect is not None and held > 1:
            left = replace(effect, value=held - 1 if held > 2 else None)
            draft.renew(act.who, left, say("advantage.spends_one", left=held - 1), effect.rule)
        elif effect is not None:
            draft.end_effect(act.who, effect, text=say("advantage.spends"))
    if action.facts["ap"] < 2:
        return
    data, come = draft.events[act.seq - draft.events[0].seq]._data, fighter.progress.get(action.id)
    if come is not None and draft.case(act).begun is None:  # another target is another action
        text = say("progress.leaves", of=action.id, title=action.called, target=list(come.targets))
        draft.lapse_progress(act.who, action, _EXTENDED[1], text)
    done, total = data["progress"]
    if data["completed"] and action.id not in draft.state.fighters[act.who].progress:
        return
    # what is paid is not yet done: others may react first
    tell_progress(draft, act.who, action, (done, total), _EXTENDED, "paid", through="paid", targets=act.targets)
