"""Actions that bring a condition, at once or by a contest only the table can decide: who falls, who breaks free.

What one brings or frees from is data: the facts ``begins`` with ``modifiers``, ``brings``, ``frees``, and ``lasts`` of
an action; ``says`` is the rule that says so, if it isn't the action's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from combatkit.core.model import Act, Fighter
from combatkit.rules.case import Case, Objection, Question
from combatkit.rules.catalogue import Action
from combatkit.rules.checks import say_names
from combatkit.rules.draft import Draft
from combatkit.rules.params import as_names
from combatkit.text import Title, say

WON, LOST, NOTHING = "wins", "loses", "nothing"
HIT, FAILED = "hit", "failed"
"""How a contest came out, if given with the action."""


def says(action: Action) -> str:
    """Return the rule that says what an action comes to."""
    rule: str = action.facts.get("says", action.rule)
    return rule


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
    """Return what ends a condition somebody brought about: for a round, their next turn."""
    return f"turn_start:{act.who}" if action.facts.get("lasts") == "round" else None


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
    if "frees" in action.facts:
        ids = held(draft.state.fighters[act.who], action)
        free = ids if given == HIT else tuple(id for id in ids if said is not None and id in as_names(said))
        draft.end_effects(act.who, *free, rule=says(action))
        return act
    if given == HIT or said == WON or (given is None and action.facts.get("sure")):
        for name in act.targets or (act.who,):
            bring(draft, act, name, action)
    return act


def bring(draft: Draft, act: Act, name: str, action: Action) -> None:
    """Begin what a contest brings, if it brings anything."""
    id = action.facts.get("brings")
    if id is not None and draft.state.fighters[name].effect(id) is None:
        whose = act.who if action.facts.get("for") == "actor" or id in draft.rules.holding else None  # or by them
        draft.effect(name, id, value=whose, anchor=_anchor(act, action), rule=says(action))
