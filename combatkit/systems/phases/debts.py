"""A debt in phases: the next action, given up by an abort, or by the GM's word, and what forgives it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.errors import InvalidInput
from combatkit.rules import flow
from combatkit.systems.phases.deeds import FORFEIT
from combatkit.text import Title, say

if TYPE_CHECKING:
    from combatkit.core.model import Place
    from combatkit.rules.case import Given
    from combatkit.rules.draft import Draft

OWES = "owes"
"""The condition, which is the debt."""


def owe(draft: Draft, place: Place, *, late: bool, title: Title | None = None, by: str = "rules") -> None:
    """Take the next action from somebody: this phase's before their place has come, else the next one's."""
    state, step = draft.state, draft.rules.present_step(draft.state)
    now = int(step.phase or 0) if step is not None else 0
    phase = now % 4 + 1 if late else now
    occasion = state.occasion + 1 if late else state.occasion
    rule = "phases.abort.after" if late else "phases.abort.cost"
    which = say("which.phase", of=str(phase), number=phase)
    flow.lose_turn(draft, place, occasion, say("abort.gives_up", which=which), (rule,))
    text = None if title is None else say("abort.owes", title=title, which=which)
    anchor = f"place:{occasion}:{place.who}"
    draft.effect(place.who, OWES, value=phase, anchor=anchor, rule=rule, text=text, by=by)


def lay_on(draft: Draft, given: Given) -> None:
    """Let somebody owe their next action by the GM's word, as after an abort."""
    who, turn = given.who, draft.state.turn
    if draft.state.stage != "running" or draft.state.place_of(who) is None:
        raise InvalidInput(f"condition owes: {who} has no action to owe; start the fight first, or bring them back")
    if given.anchor is not None or given.value is not None or given.modifiers:
        raise InvalidInput(f"condition owes takes nothing else: {who} owes their next action, and that ends it")
    forgive(draft, given)
    place = draft.state.place_of(who)
    assert place is not None
    owe(draft, place, late=place.done >= draft.state.occasion or (turn is not None and turn.who == who), by="gm")


def forgive(draft: Draft, given: Given) -> None:
    """Let somebody off what they owe: the action that it would have cost is theirs again."""
    who, place = given.who, draft.state.place_of(given.who)
    owed = draft.state.fighters[who].effect(OWES)
    if owed is None:
        return
    draft.end_effect(who, owed, by=given.by)
    occasion = int((owed.anchor or "").split(":")[1])
    if place is None or place.done != occasion or occasion < draft.state.occasion:
        return
    agenda = draft.state.agenda
    below = agenda[agenda.index(place) + 1 :]
    at = ("before", below[0].id) if below else None
    draft.order(replace(place, done=occasion - 1, lost=""), say("abort.forgiven"), by=given.by, at=at)
    if occasion > draft.state.occasion:
        return
    pools = draft.state.fighters[who].pools
    totals: dict[str, int | None] = {id: 1 for id in ("attack", "move", "step") if id in pools}
    if FORFEIT in pools:
        totals[FORFEIT] = None
    data = {"pools": {who: totals}, "at": "condition"}
    draft.emit("refresh", who, text=say("abort.spends"), by=given.by, data=data)
