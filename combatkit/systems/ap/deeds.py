"""How actions are carried out: what they come to once reactions to them are over, and a turn that is skipped."""

from __future__ import annotations

from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, State
from combatkit.rules import flow
from combatkit.rules.draft import Draft
from combatkit.systems.ap.actions import SAVED
from combatkit.systems.ap.limits import answered
from combatkit.systems.ap.modes import spend_aim
from combatkit.systems.ap.places import OVER
from combatkit.text import Title, say

_COUNTERED = ("foiled", "negated")


def resolve(draft: Draft, act: Act) -> Act:
    """Let an action come to something: paid in full, and not countered by a reaction to it."""
    state = draft.state
    if act.action in state.fighters[act.who].progress:
        return replace(act, stage=OVER)
    foiled = _foiled(state, act.seq)
    if foiled is not None:
        left = tuple(t for t in act.targets if t not in foiled["by"])
        if not left or len(left) == len(act.targets):
            text = say("stopped.countered", title=draft.rules.catalogue(state)[act.action].called)
            rules = ("ap.react.purpose",)
            draft.emit("stopped", act.who, act.action, text=text, rules=rules, data={"act": act.seq})
            spend_aim(draft, act)
            return replace(act, stage=OVER)
        act = replace(act, targets=left)
    action = draft.rules.catalogue(state)[act.action]
    window = state.window
    if window is None or "reaction" not in action.when:
        return act
    outcome = act.params.get("outcome")
    if outcome in _COUNTERED:
        facts = {"foiled": _foil(state, window.threat, act.who)}
        text, rules = say("reaction.succeeds", outcome=Title(outcome)), ("ap.react.purpose",)
        draft.emit("fact", act.who, act.action, text=text, rules=rules, data={"facts": facts})
        return replace(act, stage=OVER)
    if outcome == "failed":
        rules = ("ap.react.attempt-counts",)
        draft.emit("fact", act.who, act.action, text=say("reaction.fails"), rules=rules, data={"facts": {}})
    return act if act.targets else replace(act, targets=answered(state, act.who, action))


def _foiled(state: State, threat: int) -> dict[str, Any] | None:
    """Return who has foiled a threat, if anybody has."""
    found: dict[str, Any] | None = state.facts.get("foiled")
    while found is not None and found["threat"] != threat:
        found = found.get("below")
    return found


def _foil(state: State, threat: int, who: str) -> dict[str, Any]:
    """Note that somebody has foiled a threat, beside those foiled before that still wait for it to be over."""
    found, last = _foiled(state, threat), state.facts.get("foiled")
    if found is not None:
        return {**found, "by": [*found["by"], who]}
    waits = last is not None and any(type(frame) is Act and frame.seq == last["threat"] for frame in state.focus)
    return {"threat": threat, "by": [who], **({"below": last} if waits else {})}


def skip(draft: Draft, act: Act) -> Act:
    """Skip the turn, and save the point of it for a reaction before the round ends."""
    rule = draft.rules.catalogue(draft.state)[act.action].facts["says"]
    draft.effect(act.who, SAVED, value=1, anchor="round_end", rule=rule, text=say("saved.saves"))
    flow.close_turn(draft, rules=(rule,))
    return act
