"""What somebody waits for: whether it can ever come true, and whom it is about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from combatkit.core.model import Act, Fighter, State
from combatkit.rules.catalogue import Action
from combatkit.rules.ruleset import Ruleset


def fits(state: State, trigger: Mapping[str, str], act: Act, action: Action) -> bool:
    """Check whether a declared action fits a trigger given as a mapping."""
    if not is_by(state, trigger, act.who):
        return False
    if "action" in trigger and trigger["action"] != action.id and trigger["action"] not in action.tags:
        return False
    return "target" not in trigger or trigger["target"] in act.targets


def is_by(state: State, trigger: Any, who: str) -> bool:
    """Check whether a trigger may be about something that this one does; words may be about anybody."""
    if not isinstance(trigger, Mapping):
        return True
    if "actor" in trigger and trigger["actor"] != who:
        return False
    return "side" not in trigger or trigger["side"] == state.fighters[who].side


def told_of(state: State, fighter: Fighter, params: Mapping[str, Any]) -> str | None:
    """Return whom words given as a trigger tell of: who is active, with no window open; None if of nobody else."""
    turn = state.turn
    told = "trigger" in params and state.window is None and turn is not None and turn.who != fighter.name
    return turn.who if told and turn is not None else None


def never_comes_true(rules: Ruleset, state: State, fighter: Fighter, trigger: Any) -> str:
    """Say why a trigger can never come true, for one who waits for it; empty if it can."""
    if not isinstance(trigger, Mapping):
        return ""
    actor, side = trigger.get("actor"), trigger.get("side")
    if actor == fighter.name:
        return f"{fighter.name} can't wait for something they do: name somebody else."
    if actor is not None and side is not None and state.fighters[actor].side != side:
        return f"{actor} is not of {side}: nothing can be done by both."
    deed = trigger.get("action")
    if deed is not None and "target" in trigger:
        catalogue = rules.catalogue(state)
        meant = [action for action in catalogue if deed == action.id or deed in action.tags]
        if not any("target" in action.takes for action in meant):
            return f"{deed.replace('_', ' ').capitalize()} is aimed at nobody: leave out the target."
    return ""
