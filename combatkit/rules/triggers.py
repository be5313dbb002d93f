"""What somebody waits for: whether it can ever happen, and who it is about."""

from __future__ import annotations

from collections.abc import Mapping

from combatkit.core.model import Act, Fighter, State
from combatkit.rules.catalogue import Action
from combatkit.rules.params import meant_by
from combatkit.rules.ruleset import Ruleset


def fits(state: State, trigger: Mapping[str, str], act: Act, action: Action) -> bool:
    """Check whether a declared action fits a trigger given as a mapping; what is no action fits only if it is named."""
    if not action.counts and "action" not in trigger:
        return False
    if not is_by(state, trigger, act.who):
        return False
    if "action" in trigger and trigger["action"] != action.id and trigger["action"] not in action.tags:
        return False
    return "target" not in trigger or any(is_meant(state, trigger["target"], name) for name in act.targets)


def is_meant(state: State, name: str, who: str) -> bool:
    """Check whether a name in a trigger stands for somebody, alone or among others."""
    return name == who or (name not in state.fighters and who in meant_by(state, name))


def is_by(state: State, trigger: object, who: str) -> bool:
    """Check whether a trigger may be about something this combatant does; words may be about anybody."""
    if not isinstance(trigger, Mapping):
        return True
    if "actor" in trigger and not is_meant(state, trigger["actor"], who):
        return False
    return "side" not in trigger or trigger["side"] == state.fighters[who].side


def told_of(state: State, fighter: Fighter, params: Mapping[str, object]) -> str | None:
    """Return who a trigger in words is about: whoever is active; None if that's nobody else."""
    turn = state.turn
    told = "trigger" in params and turn is not None and turn.who != fighter.name
    return turn.who if told and turn is not None else None


def never_comes_true(rules: Ruleset, state: State, fighter: Fighter, trigger: object) -> str:
    """Say why a trigger can never happen, for somebody who waits for it; empty if it can."""
    if not isinstance(trigger, Mapping):
        return ""
    actor, side = trigger.get("actor"), trigger.get("side")
    actors = () if actor is None else meant_by(state, actor)
    if actors == (fighter.name,):
        return f"{fighter.name} can't wait for something they do; name somebody else."
    if actors and side is not None and all(state.fighters[name].side != side for name in actors):
        return f"{actor} is on another side than {side}, so this can never happen."
    deed = trigger.get("action")
    if deed is not None and "target" in trigger:
        catalogue = rules.catalogue(state)
        meant = [action for action in catalogue if deed == action.id or deed in action.tags]
        if not any("target" in action.takes for action in meant):
            return f"{deed.replace('_', ' ').capitalize()} has no target; leave the target out."
    return ""
