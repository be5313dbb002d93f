"""When places move, whose turn is under way, and who of the tied groups then comes first."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from msgspec.structs import replace

from combatkit.core.model import Fighter, Place, State
from combatkit.core.plain import counted
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
    in_d1,
    innate_place,
    is_delayed,
    is_major,
    kept_to_low,
    loads,
    main_place,
    multi_place,
    owed_for_drawing,
    plan_of,
    planned_speed,
    spell_place,
    with_major,
)
from combatkit.systems.segments.weapons import arm_of, settle, weapon_speed
from combatkit.text import Said, Title, say

AT_ONCE = "at_the_same_time"
"""What somebody has who fell in the turn of one they act at the same time as, until they have acted."""

BESIDE = ("spell", "innate", "remaining")
"""The places besides their own that go along with somebody who acts in another half."""


def move_place(draft: Draft, name: str, text: Said, rules: tuple[str, ...] = (), begun: str = "") -> bool:
    """Put a combatant's own place, and those beside it, where they belong now; return whether either moved.

    `begun` is the step in which they have acted, which ends D1 there.
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
        step = ruleset.present_step(state)
        if step is not None and step.stage == own.rank[0]:
            acts_no_longer(draft, name)
    for place in draft.state.agenda:
        if place.who == name and place.facts.get("kind") in BESIDE:
            changed = _move_beside(draft, fighter, place) or changed
    if changed:
        explain(draft)
    return changed


def follow(draft: Draft, name: str) -> None:
    """Let whoever the GM has placed in a half that is over come next, and their other places go along."""
    state = draft.state
    acts_no_longer(draft, name)
    own, step = state.place_of(name), draft.rules.present_step(state)
    halves = (STAGE["high"], STAGE["low"])
    if own is not None and step is not None and step.stage in halves and own.done < state.occasion:
        first = next((p for p in state.agenda if p.rank[0] == step.stage and p.done < state.occasion), None)
        if own.rank[0] in halves and own.rank[0] > step.stage:
            key = tuple((term, step.phase if term == "half" else value) for term, value in own.key)
            moved = replace(own, rank=(step.stage, *own.rank[1:]), key=key)
            at = ("before", first.id) if first is not None else None  # with nobody else to come in it
            draft.order(moved, say("order.next", half=Title(step.phase)), ("segments.seq.5-high-low",), at=at)
    for place in draft.state.agenda:
        if place.who == name and place.facts.get("kind") in BESIDE:
            _move_beside(draft, draft.state.fighters[name], place)


def acts_no_longer(draft: Draft, name: str) -> None:
    """Let somebody who fell act no more, as what they do is no longer at the same time as what felled them."""
    held = draft.state.fighters[name].effect(AT_ONCE)
    if held is not None:
        draft.end_effect(name, held, text=say("at_once.no_longer"))
        for effect in draft.state.fighters[name].effects:  # what was not to cost that turn costs the one that is left
            if effect.anchor == f"turn_end:{name}" and effect.counted == draft.state.occasion:
                draft.renew(name, replace(effect, counted=0), say("condition.anew"))
        settle(draft)


def is_up(draft: Draft, name: str) -> None:
    """Give somebody who fell and is up again the turn they would have had: they may act later as well."""
    fighter = draft.state.fighters[name]
    held = fighter.effect(AT_ONCE)
    if held is not None and all(effect.id not in draft.rules.incapable for effect in fighter.effects):
        draft.end_effect(name, held, text=say("at_once.up"))


def _as_placed(own: Place, moved: Place) -> Place:
    """Keep the half the GM chose for a combatant: their actions move them only inside it."""
    if own.rank[0] not in (STAGE["high"], STAGE["low"]) or moved.rank[0] not in (STAGE["high"], STAGE["low"]):
        return moved
    half = own.term("half")
    key = tuple(("half", half) if term == "half" else (term, value) for term, value in moved.key)
    return replace(moved, score=own.score, rank=(own.rank[0], *moved.rank[1:]), key=key)


def _move_beside(draft: Draft, fighter: Fighter, place: Place) -> bool:
    """Put a place where it belongs now: with those of another half, or a spell later for what came before."""
    if place.facts["kind"] == "remaining":
        anew = multi_place(draft.rules, draft.state, fighter, "remaining")
        if anew.rank != place.rank and place.done < draft.state.occasion:
            text = say("order.again", half=Title(anew.term("half")))
            draft.order(replace(anew, id=place.id, done=place.done), text, ("segments.seq.6-remaining",))
        return False
    if place.facts["kind"] == "innate":
        anew = innate_place(draft.rules, draft.state, fighter)
        if anew.rank != place.rank and place.done < draft.state.occasion:
            text = say("order.innate", half=Title(anew.term("half")))
            draft.order(replace(anew, id=place.id, done=place.done), text, ("segments.innate.d1",))
        return False
    casting = fighter.effect("casting")
    if casting is None:
        return False
    anew = spell_place(draft.rules, draft.state, fighter, casting)
    if anew.rank == place.rank and anew.key == place.key:
        return False
    half, was = anew.term("half"), place.term("half")
    if half != was and any(p.who == place.who and p.facts.get("placed") for p in draft.state.agenda):
        text, rule = say("order.casts_in", half=Title(half)), "segments.target.d1"
    elif half != was:
        delayed = fighter.effect("delayed") is not None
        text = say("order.casts_in", half=Title(half))
        rule = "segments.delayed.spells-low" if delayed else "segments.delayed.always-low"
    else:
        text, rule = say("order.casts_later"), "segments.minor.adds-speed"
    draft.order(replace(anew, id=place.id, done=place.done), text, (rule,))
    return True


def explain(draft: Draft) -> None:
    """Explain each tie again, leaving every place where it is."""
    agenda = list(draft.state.agenda)
    for index, place in enumerate(agenda):
        told, why = explained(draft.rules, draft.state, agenda, index)
        if told is not place and not place.facts.get("placed"):
            stays = say("order.stays") if why is None else say("order.ahead", why=why)
            draft.order(told, stays, (told.why_rule or "segments.seq.5-high-low",), at=_spot(agenda, index))


def _spot(agenda: Sequence[Place], index: int) -> tuple[str, int] | None:
    """Say where a place is, so that it stays there: after the one before it, or before the one after it."""
    if index:
        return ("after", agenda[index - 1].id)
    return ("before", agenda[1].id) if len(agenda) > 1 else None


def tell_place(draft: Draft, name: str, text: Said, rules: tuple[str, ...]) -> None:
    """Say something of a combatant's own place, and leave it where it is."""
    agenda, own = draft.state.agenda, draft.state.place_of(name)
    if own is not None:
        draft.order(own, text, rules, at=_spot(agenda, agenda.index(own)))


# ── blocks and turns ──


def in_block(draft: Draft, name: str, kind: str | None = None) -> bool:
    """Check whether a combatant has yet to act at the same time as what happens now; `kind` narrows the places.

    That is what the one whose turn is under way does, or the GM says of it: nobody else's blow in it. Only tied groups
    act at the same time, and spells, whoever casts them.
    """
    rules, state = draft.rules, draft.state
    turn = state.turn
    step = rules.present_step(state)
    if turn is None or not turn.place or turn.who == name or step is None:
        return False
    acting = state.place(turn.place)
    does = next((event.actor for event in reversed(draft.events) if event.kind in ("action", "damage")), None)
    if acting.facts.get("placed") or does not in (None, turn.who):
        return False
    allied = group_of(state.fighters[turn.who]) == group_of(state.fighters[name])
    if allied and step.id != "spells":
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
    """Return the first place still to come in this step that goes before a given one.

    In a half only other groups count: inside a group anybody may go first, but for innate abilities in D1. Spells come
    one by one.
    """
    step = rules.present_step(state)
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
            and (step.id == "spells" or group_of(foe) != group or (in_d1(other) and not in_d1(place)))
            and rules.calls(state, step, other)
            and rules.able(foe)
        ):
            return other
    return None


def give_way(draft: Draft, name: str, rule: str = "segments.minor.adds-speed") -> None:
    """If this combatant's turn is under way, let those who now come before them go first."""
    state = draft.state
    place = state.turn_place(name)
    if place is None or len(state.focus) != 1 or first_before(draft.rules, state, place) is None:
        return
    flow.close_turn(draft, given_up=True, rules=(rule,))


# ── what belongs later than the turn it is begun in ──


def due_later(case: Case) -> tuple[Place, Place] | None:
    """Return where a major action puts a combatant, and who of a tied group goes before that; None if nobody does.

    The declared or assumed action decides the place; another type of action, or a slower weapon, may belong further
    down, after others of tied groups.
    """
    action = case.action
    if action.cost not in ("major", "routine") or action.facts.get("declared"):  # in step 1, not as an afterthought
        return None
    return comes_later(case)


def comes_later(case: Case) -> tuple[Place, Place] | None:
    """Return the same of an action that is planned for its own place, whatever it costs."""
    state, fighter = case.state, case.fighter
    place = state.turn_place(fighter.name)
    if place is None or (not in_d1(place) and not meets_others(state, fighter, place, yet=True)):
        return None
    anew = _further_down(case)
    other = first_before(case.rules, state, anew) if anew is not None else None
    return None if anew is None or other is None else (anew, other)


def falls_behind(case: Case) -> Place | None:
    """Return where a major action puts somebody who fell, if that isn't at the same time as what felled them."""
    fallen = case.fighter.effect(AT_ONCE) is not None
    return _further_down(case) if fallen and is_major(case.action) else None


def _further_down(case: Case) -> Place | None:
    """Return the place of an action, if that is further down in the half than the turn under way."""
    place = case.state.turn_place(case.fighter.name)
    if place is None or place.facts.get("kind") or place.facts.get("placed"):
        return None
    anew = main_place(case.rules, case.state, case.fighter, place, plan_with(case))
    return anew if anew.rank < place.rank and anew.rank[0] == place.rank[0] else None


def plan_with(case: Case) -> Plan:
    """Return what a combatant plans if they do this; for an attack, the weapon it uses counts."""
    fighter, action = case.fighter, case.action
    plan = with_major(fighter, plan_of(case.rules, case.state, fighter), action, case.params)
    weapon = arm_of(fighter, action, case.params).weapon if "attack" in action.tags else None
    return plan if weapon is None else plan._replace(weapon=weapon["name"])


def due_low(case: Case) -> bool:
    """Check whether this action would send a combatant from HIGH to LOW, their major action still to come."""
    delaying = case.action.facts.get("kind") == "delaying" or loads(case.fighter, case.action, case.params)
    return delaying and _may_still_say(case.state, case.fighter, STAGE["high"])


def due_last(case: Case) -> bool:
    """Check whether a delayed combatant would go last because of an attack that includes loading."""
    fighter = case.fighter
    return (
        bool(fighter.effects)
        and is_delayed(fighter)
        and loads(fighter, case.action, case.params)
        and _may_still_say(case.state, fighter, STAGE["low"])
    )


def _may_still_say(state: State, fighter: Fighter, stage: int) -> bool:
    """Check whether it is a combatant's own turn in a half, with the major action still to come."""
    place = state.turn_place(fighter.name)
    major = fighter.pools.get("major")
    own = place is not None and place.rank[0] == stage and not place.facts.get("kind")
    return own and major is not None and major.left > 0


def meets_others(state: State, fighter: Fighter, place: Place, *, yet: bool = False) -> bool:
    """Check whether a combatant shares a half with another group, as tied ones do, so that what they do counts.

    It may be asked of those who have `yet` to act.
    """
    half, before = place.rank[0], state.occasion if yet else state.occasion + 1
    if half not in (STAGE["high"], STAGE["low"]):
        return False
    group = group_of(fighter)
    for other in state.agenda:
        if other.rank[0] == half and other.done < before and group_of(state.fighters[other.who]) != group:
            return True
    return False


def show_speed(draft: Draft, name: str, action: Action, params: Mapping[str, object]) -> None:
    """Put a combatant where the weapon they use belongs, before they strike: those who come there strike with them."""
    state, rules = draft.state, draft.rules
    fighter, place = state.fighters[name], state.turn_place(name)
    if place is None or place.facts.get("placed"):
        return
    terms, weapon = dict(place.key), arm_of(fighter, action, params).weapon
    if weapon is None or "speed" not in terms:
        return
    plan = plan_of(rules, state, fighter)
    more = owed_for_drawing(fighter, action, params) - plan.owed
    planned = planned_speed(rules, state, fighter, plan)
    speed = terms["speed"] + weapon_speed(rules, state, fighter, weapon["name"]) - planned + more
    if speed != terms["speed"]:
        key = tuple((term, speed if term == "speed" else value) for term, value in place.key)
        moved = replace(place, rank=(*place.rank[:3], -speed), key=key)
        text = say("order.weapon", weapon=weapon["name"], speed=speed)
        draft.order(moved, text, ("segments.seq.2-tied-order",))
        explain(draft)


def place_in_words(state: State, place: Place) -> str:
    """Say where a place is in its half: the D phase, and the speed or segments in it."""
    terms, name = dict(place.key), state.options["d_phases"][-int(place.rank[1])]
    taken = [f"speed {terms['speed']}"] if "speed" in terms else []
    taken += [counted(terms["segments"], "segment")] if "segments" in terms else []
    return f"{terms['type']} ({', '.join([name, *taken])})"
