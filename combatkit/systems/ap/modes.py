"""How an attack is made and what is added to it: hand to hand or from afar, its bonus, and any aim."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from combatkit.core.model import Act, Effect, Fighter
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import strike
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import MELEE, weapons_of, wielded, within_reach
from combatkit.text import say

RANGED = "ranged"
AIM = "aim"
UPPER_HAND = "upper_hand"
"""The condition of somebody who has an advantage on the next melee attack against whoever is its value."""


def reach_of(rules: Ruleset, fighter: Fighter) -> int:
    """Return how many metres away somebody can strike hand to hand."""
    reach = rules.value(fighter, "reach")
    return 1 if reach is None else reach


def modes_of(action: Action) -> tuple[str, ...]:
    """Return the ways an attack can be made, the usual one first; none if it isn't an attack."""
    usual = (MELEE, RANGED) if "attack" in action.tags else ()
    return tuple(action.facts.get("modes", usual))


def mode_of(case: Case) -> str:
    """Return the way an attack is made: as said, as its weapon says, from afar if out of reach, or the usual way."""
    modes, said = modes_of(case.action), case.params.get("option")
    if said in modes:
        return str(said)
    stated = wielded(case).get("range")
    if stated is not None and (kind := MELEE if stated == MELEE else RANGED) in modes:
        return kind
    if RANGED in modes and _is_far(case):
        return RANGED
    return modes[0] if modes else ""


def _is_far(case: Case) -> bool:
    reach = reach_of(case.rules, case.fighter)
    stated = case.action.facts.get("range")
    if type(stated) is int and stated > reach:
        return True
    aimed = (case.state.fighters[name] for name in case.targets)
    return any(
        (apart := case.rules.distance(case.state, case.fighter, each)) is not None and apart.steps > reach
        for each in aimed
    )


def check_mode(action: Action, said: object) -> None:
    """Refuse a way to attack that an action does not have.

    Raises
    ------
    InvalidInput
        It says which there are.
    """
    modes = action.facts.get("modes", ())
    if modes and said not in modes:
        raise InvalidInput(f"{action.id}: option is {said!r}; give {' or '.join(modes)}")


def farthest(case: Case) -> int | None:
    """Return how many metres away an action reaches; None if nothing says so."""
    facts = case.action.facts
    stated = facts.get("range")
    by_hand = "modes" in facts and mode_of(case) == MELEE
    if stated == "reach" or (stated is None and by_hand):
        return reach_of(case.rules, case.fighter)
    return stated


def in_range(case: Case, target: str) -> bool:
    """Check whether an action reaches somebody, as far as positions tell."""
    case = case.given({"target": target})
    reach = farthest(case)
    apart = None if reach is None else case.rules.distance(case.state, case.fighter, case.state.fighters[target])
    return (reach is None or apart is None or apart.steps <= reach) and not any(within_reach(case))


def added(case: Case) -> tuple[tuple[int, str], ...]:
    """Return what is added to an attack's roll, each with its name: for the kind of attack and for aiming."""
    own = case.action.facts.get("bonus", 0)
    found = [(own, case.action.title.lower())] if own else []
    aim = aim_of(case.fighter)
    if aim is not None and is_aimed(case, aim):
        found.append((aim.value["bonus"], AIM))
    return tuple(found)


# ── aim ──


def aim_of(fighter: Fighter) -> Effect | None:
    """Return the aim somebody has taken; not a condition the GM set under that name."""
    if not fighter.effects:
        return None
    return next((e for e in fighter.effects if e.id == AIM and isinstance(e.value, dict) and "bonus" in e.value), None)


def check_aim(case: Case) -> Iterable[Objection]:
    """Refuse to aim with what only strikes hand to hand, or to keep aiming when there is no more to gain."""
    named = str(case.params.get("weapon", "")).casefold()
    held = next((each for each in weapons_of(case.fighter) if each["name"].casefold() == named), None)
    if held is not None and held.get("range") == MELEE:
        reason = f"Aiming helps the next ranged attack, and the {held['name']} is for melee."
        yield Objection(reason, case.action.facts["says"])
    aim = aim_of(case.fighter)
    if aim is not None and aim.value["bonus"] >= case.action.facts["most"] and _is_same(aim, case.params):
        yield Objection(
            f"{case.fighter.name} has already aimed to +{aim.value['bonus']}, the most there is.",
            case.action.facts["says"],
        )


def aim(draft: Draft, act: Act) -> Act:
    """Add to the next ranged attack, on top of an earlier aim with the same weapon."""
    action = draft.actions[act.action]
    before, bonus = aim_of(draft.state.fighters[act.who]), action.facts["adds"]
    weapon = act.params.get("weapon")
    if before is not None:
        bonus, weapon = min(action.facts["most"], before.value["bonus"] + bonus), weapon or before.value.get("weapon")
        draft.end_effect(act.who, before, text=say("aim.goes_on"))
    value = {"id": f"+{bonus}", "bonus": bonus, "broken": action.facts["broken"]}
    if weapon is not None:
        value["weapon"] = weapon
    text = say("aim.adds", bonus=bonus)
    draft.effect(act.who, AIM, value=value, rule=action.facts["says"], text=text)
    return act


def is_aimed(case: Case, aim: Effect) -> bool:
    """Check whether an attack is the one the aim was for: from afar, and not with another weapon."""
    shot = "attack" in case.action.tags and mode_of(case) == RANGED
    return shot and _is_same(aim, case.params)


def _is_same(aim: Effect, params: Mapping[str, Any]) -> bool:
    """Check whether the aimed weapon is the one used; it is if nobody names one."""
    one, other = aim.value.get("weapon"), params.get("weapon")
    return one is None or other is None or one.casefold() == other.casefold()


def keep_aim(draft: Draft, act: Act, action: Action) -> None:
    """End the aim, unless the action is aiming again, shooting, or a Free Action."""
    fighter = draft.state.fighters[act.who]
    taken = aim_of(fighter)
    if taken is None or action.cost == "free":
        return
    aims_on = action.does == AIM and _is_same(taken, act.params)
    if not aims_on and not is_aimed(Case(draft.rules, draft.state, fighter, action, act.params), taken):
        draft.end_effect(act.who, taken, text=say("aim.lost"), rule=taken.value["broken"])


def shoot(draft: Draft, act: Act) -> Act:
    """Roll an attack, and use up what helps it."""
    act = strike(draft, act)
    use_up(draft, act)
    return act


def use_up(draft: Draft, act: Act) -> None:
    """End the aim, or an advantage over whoever is struck hand to hand, after its attack, whatever the outcome."""
    fighter = draft.state.fighters[act.who]
    gained = [e for e in fighter.effects if e.id == UPPER_HAND and e.value in act.targets]
    if gained and "attack" in draft.actions[act.action].tags and mode_of(draft.case(act)) == MELEE:
        for effect in gained:
            draft.end_effect(act.who, effect, text=say("upper_hand.used", target=effect.value))
    taken = aim_of(draft.state.fighters[act.who])
    if taken is not None and is_aimed(draft.case(act), taken):
        draft.end_effect(act.who, taken, text=say("aim.shot", bonus=taken.value["bonus"]))
