"""Conditions that the GM sets and ends, and what changes with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from combatkit.core.model import Effect, State
from combatkit.rules import flow
from combatkit.rules.case import Given
from combatkit.rules.draft import Draft
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments import (
    conditions,
    melee,
    moving,
)
from combatkit.systems.segments.concentration import IMPEDING, break_concentration, end_earlier
from combatkit.systems.segments.places import STAGE, half_of
from combatkit.systems.segments.weapons import routines_of
from combatkit.text import say

if TYPE_CHECKING:
    from combatkit.systems.segments.ruleset import Segments


def set_condition(rules: Segments, draft: Draft, given: Given) -> None:
    """Set or end a condition: impeding ones break concentration, a block keeps everybody's turn.

    The delayed go to LOW, and when they no longer are, back to their group's half.
    """
    name, id = given.who, given.id
    modifiers = _ends(rules, draft, given) if given.off else _begins(rules, draft, given)
    if draft.state.stage == "running" and not (given.off and _half_is_over(rules, draft.state, name)):
        if id == "delayed":
            moving.move_place(draft, name, say("order.changes_half"), ("segments.delayed.always-low",))
        speed_changes(rules, draft, name, modifiers)


def _half_is_over(rules: Segments, state: State, name: str) -> bool:
    """Check whether the half of somebody's group is over, so that they keep their place in the one after it."""
    step = rules.present_step(state)
    half = STAGE[half_of(rules, state, state.fighters[name]).lower()]
    return step is not None and step.stage is not None and step.stage < half


def _begins(rules: Segments, draft: Draft, given: Given) -> Mapping[str, int]:
    name, id = given.who, given.id
    conditions.check_condition(rules, draft.state, id, given.value)
    if id == "completing" and given.anchor is None:
        given = given._replace(anchor="round_end")
    lies = any(effect.id in rules.incapable for effect in draft.state.fighters[name].effects)  # and has had their say
    falls = id in rules.incapable and not lies
    at_once = falls and moving.in_block(rules, draft.state, name)
    if id == "concentration":
        end_earlier(draft, name)
    if id == melee.MELEE and given.value:
        melee.set_by_gm(draft, given)
    else:
        given = given._replace(value=given.value or None) if id == melee.MELEE else given
        Ruleset.set_condition(rules, draft, given)
    if at_once:
        text, rule = say("at_once.acts"), "segments.seq.2-tied-order"
        draft.effect(name, "at_the_same_time", anchor=f"turn_end:{name}", rule=rule, text=text)
    if id in rules.incapable:
        melee.settle(draft)
    if id in IMPEDING:
        break_concentration(draft, name, "segments.conc.break-impede", rules.said_of("begins", id))
    return given.modifiers or {}


def _ends(rules: Segments, draft: Draft, given: Given) -> Mapping[str, int]:
    ended = draft.state.fighters[given.who].effect(given.id)
    Ruleset.set_condition(rules, draft, given)
    if given.id == melee.MELEE:
        melee.settle(draft)
    return ended.modifiers if ended is not None else {}


def speed_changes(rules: Segments, draft: Draft, name: str, modifiers: Mapping[str, int]) -> None:
    """Move a combatant among those who are tied, because their weapon has become quicker or slower."""
    if "weapon_speed" in modifiers:
        moving.move_place(draft, name, say("order.speed"), ("segments.seq.2-tied-order",))


def lapse(rules: Segments, draft: Draft, name: str, effect: Effect) -> None:
    """Undo a change of weapon speed that lapses; at the end of a round all places are given anew anyway."""
    if effect.anchor != "round_end":
        speed_changes(rules, draft, name, effect.modifiers)
    if effect.id in ("at_the_same_time", melee.MELEE):
        melee.settle(draft)


def edited(draft: Draft, name: str) -> None:
    """Put somebody who has yet to act where the weapons on their new sheet belong; others may come first now.

    The routines left over for step 6 are as many as the sheet has now.
    """
    fighter, pool = draft.state.fighters[name], draft.state.fighters[name].pools.get("iterative")
    by = routines_of(fighter) - 1 - pool.total if pool is not None else 0
    if by:
        text = say("attack.left", number=max(0, pool.left + by) if pool is not None else 0)
        data: dict[str, object] = {"pools": {}, "raised": {name: {"iterative": by}}, "at": "multi-attack"}
        draft.emit("refresh", name, text=text, rules=("segments.seq.6-remaining",), data=data)
    place = draft.state.place_of(name)
    if place is not None and place.done < draft.state.occasion:
        moving.move_place(draft, name, say("order.speed"), ("segments.seq.2-tied-order",))
        flow.give_up_moved(draft, name)
