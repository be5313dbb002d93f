"""Conditions that the GM sets and ends, and what changes with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from combatkit.rules.draft import Draft
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments import (
    conditions,
    melee,
    moving,
)
from combatkit.systems.segments.concentration import IMPEDING, break_concentration, end_earlier
from combatkit.text import say

if TYPE_CHECKING:
    from combatkit.systems.segments.ruleset import Segments


def begin_condition(
    rules: Segments, draft: Draft, name: str, id: str, value: Any, modifiers: dict[str, int], anchor: str | None
) -> None:
    """What impedes breaks concentration; the delayed go to LOW; a blow in a block takes nobody's turn in it."""
    conditions.check_condition(rules, draft.state, id, value)
    if id in conditions.ROUND_LONG and anchor is None:
        anchor = "round_end"
    at_once = id in rules.incapable and moving.in_block(rules, draft.state, name)
    if id == "concentration":
        end_earlier(draft, name)
    Ruleset.begin_condition(rules, draft, name, id, value, modifiers, anchor)
    if at_once:
        text, rule = say("at_once.acts"), "segments.seq.2-tied-order"
        draft.effect(name, "at_the_same_time", anchor=f"turn_end:{name}", rule=rule, text=text)
    if id in rules.incapable:
        melee.settle(draft)
    if id in IMPEDING:
        break_concentration(draft, name, "segments.conc.break-impede", rules.said_of("begins", id))
    if draft.state.stage == "running":
        rules._derive(draft, name, id)
        speed_changes(rules, draft, name, modifiers)


def end_condition(rules: Segments, draft: Draft, name: str, id: str) -> None:
    """One delayed no longer goes back to the half of its group."""
    ended = draft.fighter(name).effect(id)
    Ruleset.end_condition(rules, draft, name, id)
    if id == melee.MELEE:
        melee.settle(draft)
    if draft.state.stage == "running":
        rules._derive(draft, name, id)
        speed_changes(rules, draft, name, ended.modifiers if ended is not None else {})


def speed_changes(rules: Segments, draft: Draft, name: str, modifiers: Mapping[str, int]) -> None:
    """Move somebody whose weapon has become quicker or slower among those who are tied."""
    if "weapon_speed" in modifiers:
        moving.move_place(draft, name, say("order.speed"), ("segments.seq.2-tied-order",))
