"""Actions that bring a condition, at once or by a contest only the table can decide: who falls, who breaks free.

What one brings or frees from is data: the facts ``begins`` with ``modifiers``, ``brings``, ``frees``, ``gains`` (what
whoever wins has over the one who lost), and ``lasts`` of an action; ``says`` is the rule that says so, if it isn't the
action's own. What lasts a "round" ends as the next turn of whoever acts begins; what they have themselves for their
"next_turn", as that one ends.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from combatkit.core.model import Act, Fighter, State
from combatkit.rules.case import Case, Objection, Question
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.params import as_names, meant_by
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Title, say, say_names

WON, LOST, NOTHING = "wins", "loses", "nothing"
HIT, FAILED = "hit", "failed"
"""How a contest came out, if given with the action."""


def says(action: Action) -> str:
    """Return the rule that says what an action comes to."""
    rule: str = action.facts.get("says", action.rule)
    return rule


def check_begin(case: Case) -> Iterable[Objection]:
    """Refuse to become what somebody is already, where an action says so by its fact ``once``."""
    once = case.action.facts.get("once")
    if once and case.has(case.action.facts["begins"]):
        yield case.object(once.format(name=case.fighter.name))


def begin(draft: Draft, act: Act) -> Act:
    """Let a condition begin that the action brings to whoever acts."""
    action = draft.actions[act.action]
    id = action.facts["begins"]
    if draft.state.fighters[act.who].effect(id) is None:
        anchor, modifiers = _anchor(act, action), {**action.facts.get("modifiers", {}), **held_by(act)}
        draft.effect(act.who, id, modifiers=modifiers, anchor=anchor, rule=says(action))
    return act


def held_by(act: Act) -> dict[str, int]:
    """Return the numbers that a call's modifiers change as long as what the action brings."""
    given = act.params.get("modifiers")
    return dict(given) if isinstance(given, Mapping) else {}


def _anchor(act: Act, action: Action) -> str | None:
    """Return what ends a condition somebody brought about: for a round, their next turn; else the end of that one."""
    ends = {"round": "turn_start", "next_turn": "turn_end"}.get(action.facts.get("lasts", ""))
    return None if ends is None else f"{ends}:{act.who}"


def check_contest(case: Case) -> Iterable[Objection]:
    """Refuse to break free of nothing."""
    action = case.action
    frees = action.facts.get("frees", ())
    if frees and not held(case.fighter, action):
        words = [id.replace("_", " ") for id in frees]
        yield Objection(f"{case.fighter.name} is not {', '.join(words[:-1])} or {words[-1]}.", says(action))


def are_helpless(case: Case) -> Iterable[Objection]:
    """Refuse to finish off somebody who can still defend themselves."""
    action = case.action
    helpless = action.facts.get("helpless", ())
    for name in case.targets if helpless else ():
        other = case.state.fighters[name]
        if not any(all(other.effect(id) is not None for id in ids) for ids in helpless):
            ways = say_names([" and ".join(ids) for ids in helpless], " or ")
            yield Objection(f"{name} isn't {ways}.", says(action))


def held(fighter: Fighter, action: Action) -> tuple[str, ...]:
    """Return the conditions somebody has that an action may end."""
    return tuple(id for id in action.facts.get("frees", ()) if fighter.effect(id) is not None)


def contest_question(case: Case, act: Act) -> Question | None:
    """Ask how a contest came out, once it has come to one, unless that was given with it."""
    action = case.action
    if WON in act.result or "outcome" in act.params or action.facts.get("sure"):
        return None
    frees, rule = "frees" in action.facts, says(action)
    said = "question.frees" if frees else "question.wins"
    text = say(said, who=act.who, verb=Title(action.verb), targets=act.targets)
    if frees:
        choices = (*held(case.fighter, action), NOTHING)
        return Question(WON, text, choices, rule, many=True)
    return Question(WON, text, (WON, LOST), rule)


def contest(draft: Draft, act: Act) -> Act:
    """Do what a contest comes to: end what somebody breaks free of, or begin what it brings."""
    action, said = draft.actions[act.action], act.result.get(WON)
    given = act.params.get("outcome")
    if given not in (None, HIT) and draft.state.window is None:  # what an answer comes to is told as such
        draft.emit("fact", act.who, action.id, text=say("action.fails"), rules=(says(action),), data={"facts": {}})
    if "frees" in action.facts:
        ids = held(draft.state.fighters[act.who], action)
        free = ids if given == HIT else tuple(id for id in ids if said is not None and id in as_names(said))
        draft.end_effects(act.who, *free, rule=says(action))
        return act
    if given == HIT or said == WON or (given is None and action.facts.get("sure")):
        for name in act.targets or (act.who,):
            bring(draft, act, name, action)
            gain(draft, act, name, action)
    return act


def bring(draft: Draft, act: Act, name: str, action: Action) -> None:
    """Begin what a contest brings, if it brings anything; what somebody else holds them by goes on beside it."""
    id = action.facts.get("brings")
    if id is None:
        return
    whose = act.who if action.facts.get("for") == "actor" or id in draft.rules.holding else None  # or by them
    held = [effect.value for effect in draft.state.fighters[name].effects if effect.id == id]
    if whose not in held if whose is not None else not held:
        draft.effect(name, id, value=whose, anchor=_anchor(act, action), rule=says(action))


def gain(draft: Draft, act: Act, name: str, action: Action) -> None:
    """Let whoever won have something over the one who lost, if it gives anything; won again, it lasts anew."""
    id = action.facts.get("gains")
    if id is None:
        return
    turn, anchor, rule = draft.state.turn, _anchor(act, action), says(action)
    # the end of a turn under way is not yet that of their next one
    rounds = 2 if action.facts.get("lasts") == "next_turn" and turn is not None and turn.who == act.who else 0
    had = next((e for e in draft.state.fighters[act.who].effects if e.id == id and e.value == name), None)
    if had is not None:
        text = draft.rules.said_begun(draft.state, id, name)
        draft.renew(act.who, replace(had, anchor=anchor, rounds=rounds, counted=0), text, rule)
    else:
        draft.effect(act.who, id, value=name, anchor=anchor, rule=rule, rounds=rounds)


# ── what somebody waits for: whether it can ever happen, and who it is about ──


def fits(state: State, trigger: Mapping[str, str], act: Act, action: Action) -> bool:
    """Check whether a declared action fits a trigger given as a mapping; what is no action fits only if it is named."""
    if not action.counts and "action" not in trigger:
        return False
    if not is_by(state, trigger, act.who):
        return False
    if "action" in trigger and trigger["action"] != action.id and trigger["action"] not in action.kinds:
        return False
    return "target" not in trigger or any(is_meant(state, trigger["target"], name) for name in act.targets)


def besides(who: str, by: tuple[str, ...]) -> tuple[str, ...]:
    """Return who else caused something: what somebody did themselves, they don't react to."""
    return tuple([name for name in by if name != who]) if who in by else by


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


_NOTHING_DONE = ("delay", "act_now")
"""What only says when somebody acts: where that is no action, nobody can wait for it."""


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
    named = None if deed is None else rules.catalogue(state).get(deed)
    if named is not None and named.does in _NOTHING_DONE and not named.counts:
        return f"{named.title} is no action and sets nothing off; name something that is done."
    if deed is not None and "target" in trigger:
        catalogue = rules.catalogue(state)
        meant = [action for action in catalogue if deed == action.id or deed in action.kinds]
        if not any("target" in action.takes for action in meant):
            return f"{deed.replace('_', ' ').capitalize()} has no target; leave the target out."
    return ""
