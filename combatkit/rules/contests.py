"""Actions that come to something by a contest only the table knows: who falls, who breaks free, who is hidden.

What one brings or frees from is data: the facts ``brings``, ``lasts`` and ``frees`` of an action.
"""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.core.model import Act, Fighter, State
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.params import as_names
from combatkit.rules.parts import Question
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Title, say

WON, LOST, NOTHING = "wins", "loses", "nothing"
HIT, FAILED = "hit", "failed"
"""How a contest came out, if that is given with the action."""


def check_contest(case: Case) -> Iterable[Objection]:
    """Refuse to break free of nothing, and to make short work of somebody who can still defend themselves."""
    action = case.action
    frees, helpless = action.facts.get("frees", ()), action.facts.get("helpless", ())
    if frees and not held(case.fighter, action):
        words = [id.replace("_", " ") for id in frees]
        yield Objection(f"{case.fighter.name} is not {', '.join(words[:-1])} or {words[-1]}.", action.facts["says"])
    for name in case.targets if helpless else ():
        other = case.state.fighters[name]
        if not any(all(other.effect(id) is not None for id in ids) for ids in helpless):
            ways = ", ".join(" and ".join(ids) for ids in helpless)
            yield Objection(f"{name} isn't helpless, which takes one of these: {ways}.", action.facts["says"])


def held(fighter: Fighter, action: Action) -> tuple[str, ...]:
    """Return the conditions somebody has that an action may end."""
    return tuple(id for id in action.facts.get("frees", ()) if fighter.effect(id) is not None)


def contest_question(rules: Ruleset, state: State, act: Act) -> Question | None:
    """Ask how a contest came out, once it has come to one, unless that was given with it."""
    action = rules.catalogue(state)[act.action]
    if WON in act.result or "outcome" in act.params or action.facts.get("sure"):
        return None
    frees, rule = "frees" in action.facts, action.facts["says"]
    said = "question.frees" if frees else "question.wins"
    text = say(said, who=act.who, verb=Title(action.verb), targets=act.targets)
    if frees:
        choices = (*held(state.fighters[act.who], action), NOTHING)
        return Question(WON, text, choices, rule, many=True)
    return Question(WON, text, (WON, LOST), rule)


def contest(draft: Draft, act: Act) -> Act:
    """Do what a contest comes to: end what one breaks free of, or begin what it brings."""
    action, said = draft.rules.catalogue(draft.state)[act.action], act.result.get(WON)
    given = act.params.get("outcome")
    if "frees" in action.facts:
        ids = held(draft.fighter(act.who), action)
        free = ids if given == HIT else tuple(id for id in ids if said is not None and id in as_names(said))
        draft.end_effects(act.who, *free, rule=action.facts["says"])
        return act
    if given == HIT or said == WON or (given is None and action.facts.get("sure")):
        for name in act.targets or (act.who,):
            _begin(draft, act, name, action)
    return act


def _begin(draft: Draft, act: Act, name: str, action: Action) -> None:
    """Begin what a contest brings: for a round, until the next turn of the one who brought it."""
    id = action.facts["brings"]
    if draft.fighter(name).effect(id) is None:
        anchor = f"turn_start:{act.who}" if action.facts.get("lasts") == "round" else None
        draft.effect(name, id, anchor=anchor, rule=action.facts["says"])
