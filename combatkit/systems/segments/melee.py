"""Who is in melee with whom: attacks and charges begin it; fleeing ends it, and so does the last foe's fall."""

from __future__ import annotations

from collections.abc import Collection

from msgspec.structs import replace

from combatkit.core.model import Act, Effect, Fighter, State
from combatkit.errors import InvalidInput
from combatkit.rules.case import Given
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import unable
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.weapons import is_shot
from combatkit.text import Said, say

MELEE = "in_melee"
"""The condition: its value names the foes, or is empty where the GM says only that a combatant is in melee."""

_RULE = "segments.grid.melee-zone"


def engage(draft: Draft, act: Act, action: Action) -> None:
    """Put those in melee who come hand to hand by an attack or a charge; missiles don't count."""
    if not action.facts.get("engages") or is_shot(draft.state.fighters[act.who], action, act.params):
        return
    for target in act.targets:
        if draft.rules.able(draft.state.fighters[target]):
            _join(draft, act.who, target)
            _join(draft, target, act.who)


def _join(draft: Draft, name: str, foe: str) -> None:
    held = draft.state.fighters[name].effect(MELEE)
    if held is None:
        draft.effect(name, MELEE, value=[foe], rule=_RULE, text=say("melee.joins", foe=[foe]))
    elif held.value is not None and foe not in held.value:
        draft.renew(name, replace(held, value=[*held.value, foe]), say("melee.joins", foe=[foe]), _RULE)


def set_by_gm(draft: Draft, given: Given) -> None:
    """Put somebody in melee with those the GM names, and these with them, as a blow would have done.

    Raises
    ------
    InvalidInput
        For oneself, or somebody who can't fight.
    """
    who, id, value, modifiers, anchor, _, rounds, by = given
    for foe in value:
        if foe == who:
            raise InvalidInput(f"condition {id}: {who} can't be in melee with themselves; name somebody else")
        if not draft.rules.able(fighter := draft.state.fighters[foe]):
            why = unable(draft.rules, fighter).reason.removesuffix(".")
            raise InvalidInput(f"condition {id}: {why}; name somebody who can fight")
    for effect in draft.state.fighters[who].effects:
        if effect.id == id:
            draft.end_effect(who, effect, text=say("melee.anew"), by=by)
    for foe, held in [(f.name, e) for f in draft.state.fighters.values() for e in f.effects if e.id == id]:
        if foe in value or who not in (held.value or ()):
            continue
        if left := [name for name in held.value if name != who]:
            draft.renew(foe, replace(held, value=left), say("melee.still", foe=left), _RULE)
        else:
            draft.end_effect(foe, held, text=say("melee.over"), rule=_RULE)
    text = say("melee.joins", foe=value)
    draft.effect(who, id, value=value, modifiers=modifiers, anchor=anchor, rule=_RULE, rounds=rounds, by=by, text=text)
    for foe in value:
        _join(draft, foe, who)
    settle(draft)


def leave_melee(draft: Draft, name: str, text: Said) -> None:
    """Take a combatant out of melee, and everybody whose last foe that was."""
    for effect in draft.state.fighters[name].effects:
        if effect.id == MELEE:
            draft.end_effect(name, effect, text=text, rule=_RULE)
    settle(draft, draft.state.fighters[name].side)


def settle(draft: Draft, *parted: str) -> None:
    """End the melee of those who have fallen or left, and of those whose foes in it have all fallen.

    `parted` are the sides of those who have just got out of it.
    """
    over, sides = True, {*parted}
    while over:  # one who is out of it may have been the last foe of another
        over = False
        for fighter, held in [(f, e) for f in draft.state.fighters.values() for e in f.effects if e.id == MELEE]:
            if not _goes_on(draft.rules, draft.state, fighter, held, sides):
                draft.end_effect(fighter.name, held, text=say("melee.over"), rule=_RULE)
                sides.add(fighter.side)
                over = True


def _goes_on(rules: Ruleset, state: State, fighter: Fighter, held: Effect, parted: Collection[str]) -> bool:
    """Check whether somebody is still in melee.

    Where nobody is named, any foe will do, until one gets out of it: then somebody else must be in it.
    """
    if not rules.able(fighter):
        return False
    if held.value is None:
        standing = [f for f in state.fighters.values() if f.side != fighter.side and rules.able(f)]
        return any(f.effect(MELEE) for f in standing) or (bool(standing) and not {*parted} - {fighter.side})
    foes = (state.fighters[name] for name in held.value if name in state.fighters)
    return any(rules.able(foe) and foe.effect(MELEE) is not None for foe in foes)


def fights(foe: Fighter, other: Fighter) -> bool:
    """Check whether two are in the same melee; if the GM gave no foes, every foe in melee counts."""
    mine, theirs = foe.effect(MELEE), other.effect(MELEE)
    if mine is None or theirs is None or foe.side == other.side:
        return False
    return mine.value is None or theirs.value is None or other.name in mine.value or foe.name in theirs.value
