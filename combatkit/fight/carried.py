"""What somebody brings along from one fight into the next: what is left of them, what lasts, what they have spent."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combatkit.core.model import COUNTER, Effect, Fighter, State
from combatkit.rules.case import Given
from combatkit.rules.draft import Draft
from combatkit.rules.pools import ADJUSTED
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import USES
from combatkit.text import say


def comes_as(fighter: Fighter, data: dict[str, Any]) -> dict[str, Any]:
    """Return what an event says that adds somebody, with what they have left; what is on them is carried."""
    return {**data, "vitals": {**fighter.vitals}, "conditions": []}


def carry(draft: Draft, before: State, name: str) -> None:
    """Let what was on somebody hold again, and be spent what they had spent."""
    rules, fighter = draft.rules, before.fighters[name]
    for effect in _lasting(rules, before, fighter):
        put_on(draft, name, effect)
    held = {COUNTER + use: number for use, number in (fighter.stats.get(USES) or {}).items()}
    if spent := {id: by for id, number in held.items() if (by := fighter.pools[id].left - number)}:
        data = {"pools": {}, "at": ADJUSTED, "returned": {name: spent}}
        draft.emit("refresh", None, None, name, text=say("pool.carried"), by="gm", data=data)


def put_on(draft: Draft, name: str, effect: Effect) -> None:
    """Put on somebody, by the GM's word, what was on them or on who they were: it lasts until ended, or its rounds."""
    anchor = f"turn_end:{name}" if effect.rounds else None
    given = Given(name, effect.id, effect.value, {**effect.modifiers} or None, anchor, rounds=effect.rounds)
    draft.rules.set_condition(draft, given)


def _lasting(rules: Ruleset, state: State, fighter: Fighter) -> Iterator[Effect]:
    """Give what lasts longer than a fight: what a hand could have set, has no end but its rounds, and names nobody."""
    for effect in fighter.effects:
        spec = rules.conditions.get(effect.id)
        set_by_hand = effect.id not in rules.given and effect.id not in rules.moments and (spec is None or spec.offered)
        ends = effect.watches or (effect.anchor is not None and not effect.rounds)
        named = effect.value if isinstance(effect.value, (list, tuple)) else (effect.value,)
        others = any(isinstance(each, str) and each in state.fighters for each in named)
        if set_by_hand and not ends and not others and effect.id not in rules.told["begin"]:
            yield effect
