"""Who is in melee with whom: blows and charges begin it; it is over by flight, and with the last foe standing."""

from __future__ import annotations

from typing import Any

from combatkit.core.model import Act, Effect, Fighter, State
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.weapons import is_shot
from combatkit.text import Said, say

MELEE = "in_melee"
"""The condition; its value names the foes, or is empty where the GM only says that somebody is in it."""

_RULE = "segments.grid.melee-zone"


def engage(draft: Draft, act: Act, action: Action) -> None:
    """Bring those together whom a blow or a charge brings hand to hand; shots do not."""
    if not action.facts.get("engages") or is_shot(draft.fighter(act.who), action, act.params):
        return
    for target in act.targets:
        for name, foe in ((act.who, target), (target, act.who)):
            if draft.rules.able(draft.fighter(target)):
                _join(draft, name, foe)


def _join(draft: Draft, name: str, foe: str) -> None:
    held = draft.fighter(name).effect(MELEE)
    text = say("melee.joins", foe=foe)
    if held is None:
        draft.effect(name, MELEE, value=[foe], rule=_RULE, text=text)
    elif held.value is not None and foe not in held.value:
        data: dict[str, Any] = {"number": held.number, "id": MELEE, "rule": held.rule, "value": [*held.value, foe]}
        draft.emit("effect", None, None, name, text=text, rules=(_RULE,), data=data)


def leave_melee(draft: Draft, name: str, text: Said) -> None:
    """Take somebody out of its melee, and those for whom it was the last foe."""
    for effect in draft.fighter(name).effects:
        if effect.id == MELEE:
            draft.end_effect(name, effect, text=text, rule=_RULE)
    settle(draft)


def settle(draft: Draft) -> None:
    """End the melee of those who have fallen or left, and of those with no foe of it left standing."""
    over = True
    while over:  # one who is out of it may have been the last foe of another
        over = False
        for fighter in draft.state.fighters.values():
            held = fighter.effect(MELEE) if fighter.effects else None
            if held is not None and not _goes_on(draft.rules, draft.state, fighter, held):
                draft.end_effect(fighter.name, held, text=say("melee.over"), rule=_RULE)
                over = True


def _goes_on(rules: Ruleset, state: State, fighter: Fighter, held: Effect) -> bool:
    if not rules.able(fighter):
        return False
    if held.value is None:
        return any(rules.able(f) for f in state.fighters.values() if f.side != fighter.side)
    foes = (state.fighters[name] for name in held.value if name in state.fighters)
    return any(rules.able(foe) and foe.effect(MELEE) is not None for foe in foes)


def fights(foe: Fighter, other: Fighter) -> bool:
    """Check whether two are in one melee: where the GM only says that somebody is in it, every foe in one is meant."""
    mine, theirs = foe.effect(MELEE), other.effect(MELEE)
    if mine is None or theirs is None or foe.side == other.side:
        return False
    return mine.value is None or theirs.value is None or other.name in mine.value or foe.name in theirs.value
