"""When a place moves, whose turn is under way, and who of tied groups comes first then."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Fighter, Place, State
from combatkit.rules import flow
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.agenda import explained
from combatkit.systems.segments.places import (
    STAGE,
    Plan,
    group_of,
    is_delayed,
    kept_to_low,
    loads,
    main_place,
    plan_of,
    planned_speed,
    spell_place,
    with_major,
)
from combatkit.systems.segments.weapons import used_weapon, weapon_speed
from combatkit.text import Said, Title, say


def move_place(draft: Draft, name: str, text: Said, rules: tuple[str, ...] = (), begun: str = "") -> bool:
    """Put somebody's own place, and that of its spell, where they belong now; say whether either moved.

    `begun` is the step in which it has acted, which ends D1 there.
    """
    ruleset, state = draft.rules, draft.state
    own = state.place_of(name)
    if own is None or not state.facts.get("dice"):
        return False
    fighter = state.fighters[name]
    moved = main_place(ruleset, state, fighter, own)
    if own.facts.get("placed") and not kept_to_low(ruleset, state, fighter):
        moved = _as_placed(own, moved)
    if begun:
        moved = replace(moved, facts={**moved.facts, "begun": begun})
    changed = moved.rank != own.rank
    if changed:
        draft.order(moved, text, rules)
    for place in draft.state.agenda:
        if place.who == name and place.facts.get("kind") == "spell":
            changed = _move_spell(draft, fighter, place) or changed
    if changed:
        explain(draft)
    return changed


def _as_placed(own: Place, moved: Place) -> Place:
    """Keep the half the GM has put somebody in: what it does moves it inside that half only."""
    if own.rank[0] not in (STAGE["high"], STAGE["low"]) or moved.rank[0] not in (STAGE["high"], STAGE["low"]):
        return moved
    half = dict(own.key)["half"]
    key = tuple(("half", half) if term == "half" else (term, value) for term, value in moved.key)
    return replace(moved, score=own.score, rank=(own.rank[0], *moved.rank[1:]), key=key)


def _move_spell(draft: Draft, fighter: Fighter, place: Place) -> bool:
    """Put a spell where it belongs now: in another half, or later by what its caster did before it."""
    casting = fighter.effect("casting")
    if casting is None:
        return False
    anew = spell_place(draft.rules, draft.state, fighter, casting)
    if anew.rank == place.rank:
        return False
    half, was = dict(anew.key)["half"], dict(place.key)["half"]
    if half != was:
        delayed = fighter.effect("delayed") is not None
        text = say("order.casts_in", half=Title(half))
        rule = "segments.delayed.spells-low" if delayed else "segments.delayed.always-low"
    else:
        text, rule = say("order.casts_later"), "segments.minor.adds-speed"
    draft.order(replace(anew, id=place.id, done=place.done), text, (rule,))
    return True


def explain(draft: Draft) -> None:
    """Say anew what broke each tie, every place staying where it is."""
    agenda = list(draft.state.agenda)
    for index, place in enumerate(agenda):
        told, why = explained(draft.rules, draft.state, agenda, index)
        if told is not place and not place.facts.get("placed"):
            at = ("after", agenda[index - 1].id) if index else ("before", agenda[1].id) if len(agenda) > 1 else None
            draft.order(told, why or say("order.stays"), (told.why_rule or "segments.seq.5-high-low",), at=at)


# ── blocks and turns ──


def turn_place(state: State, name: str) -> Place | None:
    """Return the place whose turn somebody is taking, or None."""
    turn = state.turn
    if turn is None or turn.who != name or not turn.place:
        return None
    return state.place(turn.place)


def in_block(rules: Ruleset, state: State, name: str, kind: str | None = None) -> bool:
    """Check whether somebody acts at the same time as the turn under way, and has yet to; `kind` narrows the places."""
    turn = state.turn
    step = flow.present_step(rules, state)
    if turn is None or not turn.place or turn.who == name or step is None:
        return False
    acting = state.place(turn.place)
    if acting.facts.get("placed"):
        return False
    return any(
        p.who == name
        and p.rank == acting.rank
        and p.done < state.occasion
        and kind in (None, p.facts.get("kind"))
        and not p.facts.get("placed")
        and rules.calls(state, step, p)
        for p in state.agenda
    )


def first_before(rules: Ruleset, state: State, place: Place) -> Place | None:
    """Return the first place still to come in this step that a place, standing as given, comes after.

    In a half only those of other groups count: inside a group it is all one who goes first. Spells come one by one.
    """
    step = flow.present_step(rules, state)
    if step is None:
        return None
    group = group_of(state.fighters[place.who])
    for other in state.agenda:
        if other.rank <= place.rank:
            break
        foe = state.fighters[other.who]
        if (
            other.id != place.id
            and other.done < state.occasion
            and (step.id == "spells" or group_of(foe) != group)
            and rules.calls(state, step, other)
            and rules.able(foe)
        ):
            return other
    return None


def give_way(draft: Draft, name: str, rule: str = "segments.minor.adds-speed") -> None:
    """Let those who now come first go first, if it is this one's turn."""
    state = draft.state
    place = turn_place(state, name)
    if place is None or len(state.focus) != 1 or first_before(draft.rules, state, place) is None:
        return
    flow.close_turn(draft, given_up=True, rules=(rule,))


# ── what belongs later than the turn it is begun in ──


def due_later(case: Case) -> tuple[Place, Place] | None:
    """Return where a major action puts somebody, and who of a tied group comes before that; None if nobody does.

    What one declared, or is taken to mean, gives the place; another type of action, or a slower weapon, may belong
    further down, where others of tied groups have gone by then.
    """
    state, fighter, action = case.state, case.fighter, case.action
    if action.cost not in ("major", "routine") or action.facts.get("declared"):  # in step 1, not as an afterthought
        return None
    place = turn_place(state, fighter.name)
    if place is None or place.facts.get("kind") or place.facts.get("placed"):
        return None
    if place.rank[0] not in (STAGE["high"], STAGE["low"]):
        return None
    if not _shares_half(state, fighter, place):
        return None
    anew = main_place(case.rules, state, fighter, place, plan_with(case))
    if anew.rank >= place.rank or anew.rank[0] != place.rank[0]:
        return None
    other = first_before(case.rules, state, anew)
    return None if other is None else (anew, other)


def plan_with(case: Case) -> Plan:
    """Return what somebody means to do if it does this: of an attack, the weapon it is made with counts."""
    fighter, action = case.fighter, case.action
    plan = with_major(fighter, plan_of(case.rules, case.state, fighter), action, case.params)
    weapon = used_weapon(fighter, action, case.params) if "attack" in action.tags else None
    return plan if weapon is None else plan._replace(weapon=weapon["name"])


def due_low(case: Case) -> bool:
    """Check whether somebody, still to make its major action, would have to go to LOW for what it does in HIGH."""
    delaying = case.action.facts.get("kind") == "delaying" or loads(case.fighter, case.action, case.params)
    return delaying and _may_still_say(case.state, case.fighter, STAGE["high"])


def due_last(case: Case) -> bool:
    """Check whether somebody delayed would have to go last for an attack that takes loading with it."""
    fighter = case.fighter
    return (
        is_delayed(fighter)
        and loads(fighter, case.action, case.params)
        and _may_still_say(case.state, fighter, STAGE["low"])
    )


def _may_still_say(state: State, fighter: Fighter, stage: int) -> bool:
    """Check whether it is somebody's own turn in a half, its major action still to come."""
    place = turn_place(state, fighter.name)
    major = fighter.pools.get("major")
    own = place is not None and place.rank[0] == stage and not place.facts.get("kind")
    return own and major is not None and major.left > 0


def _shares_half(state: State, fighter: Fighter, place: Place) -> bool:
    """Check whether another group is still to act in the half, as tied ones are."""
    group, half = group_of(fighter), place.rank[0]
    return any(
        other.rank[0] == half and other.done < state.occasion and group_of(state.fighters[other.who]) != group
        for other in state.agenda
    )


def meets_others(state: State, fighter: Fighter, place: Place) -> bool:
    """Check whether somebody acts in one half with another group, so that what each does decides who is first."""
    if place.rank[0] not in (STAGE["high"], STAGE["low"]):
        return False
    group = group_of(fighter)
    return any(group_of(state.fighters[p.who]) != group for p in state.agenda if p.rank[0] == place.rank[0])


def show_speed(draft: Draft, name: str, action: Action, params: Mapping[str, Any], place: Place) -> None:
    """Put somebody where the weapon it has used belongs, if those of another group act in its half."""
    state, rules = draft.state, draft.rules
    terms, fighter = dict(place.key), draft.fighter(name)
    weapon = used_weapon(fighter, action, params)
    if weapon is None or "speed" not in terms or not meets_others(state, fighter, place):
        return
    planned = planned_speed(rules, state, fighter, plan_of(rules, state, fighter))
    speed = terms["speed"] + weapon_speed(rules, state, fighter, weapon["name"]) - planned
    if speed != terms["speed"]:
        key = tuple((term, speed if term == "speed" else value) for term, value in place.key)
        moved = replace(place, rank=(*place.rank[:3], -speed), key=key)
        text = say("order.weapon", weapon=weapon["name"], speed=speed)
        draft.order(moved, text, ("segments.seq.2-tied-order",))
        explain(draft)


def place_in_words(place: Place) -> str:
    """Say where a place stands in its half: the D phase, and the speed or segments in it."""
    terms = dict(place.key)
    return " ".join([str(terms["type"]), *(f"{t} {terms[t]}" for t in ("speed", "segments") if t in terms)])
