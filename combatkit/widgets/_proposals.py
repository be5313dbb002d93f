"""What a form begins with, and what is listed under Usual: what somebody did last, from the log as it stands."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice, takewhile

from combatkit.core.curtain import HIDDEN
from combatkit.core.model import Event, Fighter
from combatkit.core.timeline import backward
from combatkit.fight.view import View
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.judge import kept_for, readied, with_target
from combatkit.rules.params import as_names, check_params
from combatkit.widgets._decided import told_by_table

_FAR = 1_000
"""How many events back to look for it."""

_RECENT = 3
"""How many of the actions somebody last took are listed under Usual."""

_MOST = 40
"""How many enemies are tried to find one who can be attacked."""


def deeds(view: View, name: str) -> Iterator[Event]:
    """Return somebody's actions that still stand, the newest first."""
    return (e for e in islice(backward(view._events), _FAR) if e.kind == "action" and e.actor == name)


def recent(view: View, name: str, known: tuple[Event | None, list[str]] = (None, [])) -> list[str]:
    """Return what somebody did last, each action once, the newest first; in their turn, what they did before it.

    What is `known` of an earlier moment is not looked up again: its event, and what they had done last by then.
    """
    turn = view._state.turn
    began = turn.seq if turn is not None and turn.who == name else len(view._events)
    found: list[str] = []
    for event in islice(backward(view._events), _FAR):
        if event is known[0]:
            found += [action for action in known[1] if action not in found]
            break
        if event.actor == name and event.kind == "action" and event.action and event.seq <= began:
            found += [event.action] * (event.action not in found)
            if len(found) == _RECENT:
                break
    return found[:_RECENT]


def aimed(view: View) -> str | None:
    """Return whom whoever acts now attacked last in this turn."""
    turn = view._state.turn
    if turn is None:
        return None
    attacks = takewhile(lambda event: event.seq > turn.seq, deeds(view, turn.who))
    return next((target for event in attacks for target in _attacked(view, event)), None)


def proposed(view: View, name: str, action: Action, given: Mapping[str, object]) -> dict[str, object]:
    """Return what an action's form begins with, besides what is given already, and checked.

    For an attack, and for what must be answered, whomever it was readied against, announced for, or answers, else the
    attacker's last target, if they still stand and can be attacked, else the first enemy of whom that is true, those
    with nothing left after all others; and the dice named when they last did the same, or those on their sheet where no
    roll says whether it hits.
    """
    rules, state = view.ruleset, view._state
    case = Case(rules, state, state.fighters[name], action, given)
    wanted = [id for id in view._wanted(name, action, given) if id not in given]
    found: dict[str, object] = {}
    if "target" in wanted and (target := _target(view, case)) is not None:
        found["target"] = target
    dice = [id for id in wanted if rules.parameters[id].kind == "dice"]
    same = (e._data.get("params", {}) for e in deeds(view, name) if dice and e.action == action.id)
    last: Mapping[str, object] = next((p for p in same if p.get("weapon") == given.get("weapon")), {})
    found |= {id: last[id] for id in dice if id in last}
    if "damage" in dice and "damage" not in found:
        case = case.given({**given, **check_params(rules, state, action, found)})
        routine = rules.presentation.routine(case)
        if len(routine) == 1 and told_by_table(case):
            found["damage"] = routine[0]
    return found


def _target(view: View, case: Case) -> str | None:
    rules, state, fighter, action = case.rules, case.state, case.fighter, case.action
    several = rules.parameters["target"].kind == "names"
    values = view._values(fighter.name, action, "target", {}) or ()
    kept = readied(fighter, action) if action.does == "use" else None
    deed = action if kept is None else rules.catalogue(state)[kept.value["action"]]
    said = kept.value.get("params", {}).get("target", ()) if kept is not None else ()
    known = as_names(said) or kept_for(rules, state, fighter.name, action)
    if len(known) > 1:  # the form would keep only one of them
        return None
    known = known or with_target(case).targets
    foes: list[str] = []
    bids = state.window.bids if state.window is not None else ()
    if "attack" in deed.tags or any(bid.must and bid.who == fighter.name and action.id in bid.actions for bid in bids):
        enemies = [each for each in values if state.fighters[each].side != fighter.side]
        last = islice((target for event in deeds(view, fighter.name) for target in _attacked(view, event)), 1)
        foes += [*(each for each in last if each in enemies), *enemies[:_MOST]]
    for each in dict.fromkeys([*known, *first_to_attack(view, fighter, foes)]):
        other = state.fighters[each] if each in values else None
        if other is not None and not rules.is_beaten(other):
            target = {"target": [each] if several else each}
            if view._fits(fighter.name, action, {**case.params, **target}):
                return str(each)
    return None


def first_to_attack(view: View, fighter: Fighter, foes: Sequence[str]) -> list[str]:
    """Return foes in the order in which they come to mind: who is at hand first, who is hidden, fled or fell last."""
    rules, fighters = view.ruleset, view._state.fighters
    fled = _fled(view)

    def place(foe: str) -> tuple[bool, bool, bool]:
        other = fighters[foe]
        at_hand, unseen = rules.at_hand(fighter, other), other.effect(HIDDEN) is not None
        return rules.lies(view._state, other) or (foe in fled and not at_hand), unseen, not at_hand

    return sorted(foes, key=place)


def _fled(view: View) -> set[str]:
    """Return whose last deed was to flee; what they have said that they'd do is none."""
    catalogue = view.ruleset.catalogue(view._state)
    if not any(action.facts.get("flees") for action in catalogue):
        return set()
    last: dict[str, str] = {}
    for event in islice(backward(view._events), _FAR):
        if event.kind == "action" and event.actor and event.action and "action" not in catalogue[event.action].takes:
            last.setdefault(event.actor, event.action)
    return {name for name, action in last.items() if catalogue[action].facts.get("flees")}


def _attacked(view: View, event: Event) -> list[str]:
    """Return who an action's event aims an attack at."""
    action = view.ruleset.catalogue(view._state).get(event.action or "")
    target = event._data.get("params", {}).get("target", ())
    if action is None or "attack" not in action.tags:
        return []
    return [target] if isinstance(target, str) else list(target)[:1]
