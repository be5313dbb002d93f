"""What the actions of the list ``book`` do: none of it is in the source, or used without that list."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from combatkit.core.model import Act, Fighter
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Given, Mechanism, Objection, Stage
from combatkit.rules.catalogue import Action
from combatkit.rules.contests import are_helpless, bring
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import as_struck, damage_dice, harm, roll_amount, strike, take_damage
from combatkit.rules.weapons import MELEE, damage_of, wielded, within_reach
from combatkit.text import Title, say

GRABBED, TOTAL = "grabbed", "total_defense"
_AIM, _FEINT = "aim", "feint"
TRACK = "condition_track"
"""The condition that says how far down the condition track somebody is."""
_RECOVER = "recover"
_PENALTIES = (-1, -2, -5, -10, -10)
"""What each step of it takes off; at the last one is out, too."""
_BESIDE = 1
"""How many squares away somebody next to you is."""


# ── may I? ──


def barred(case: Case) -> Iterable[Objection]:
    """Keep anybody grabbed where they are, and anybody on total defense from attacking."""
    known, name = case.rules.catalogue(case.state), case.fighter.name
    if "movement" in case.action.tags and case.has(GRABBED) and (grab := known.get("grab")) is not None:
        yield Objection(f"{name} is grabbed and can't move away.", grab.rule)
    if "attack" in case.action.tags and case.has(TOTAL) and (total := known.get(TOTAL)) is not None:
        yield Objection(f"{name} is on total defense and can't attack.", total.rule)


def check_way(case: Case) -> Iterable[Objection]:
    """Refuse a way to attack that the action does not have."""
    ways, said = case.action.facts.get("ways", {}), case.params.get("option")
    if said is not None and said not in ways:
        raise InvalidInput(f"{case.action.id}: option is {said!r}; give {' or '.join(ways)}, or none")
    yield from ()


def beside(case: Case) -> Iterable[Objection]:
    """Refuse a target that isn't next to whoever acts or strikes with bare hands, as far as positions tell."""
    unarmed = MELEE in case.action.tags and "weapon" not in case.params and not wielded(case)
    rule = case.action.facts.get("adjacent", case.action.rule if unarmed else "")
    for name in case.targets if rule else ():
        apart = case.rules.distance(case.state, case.fighter, case.state.fighters[name])
        if apart is not None and apart.steps > _BESIDE:
            far = f"{name} is {apart.steps} squares away"
            yield Objection(f"{far}; {case.action.title} needs them beside {case.fighter.name}.", rule)


def added(case: Case) -> tuple[tuple[int, str], ...]:
    """Return what an action adds to its roll, with its name."""
    facts = case.action.facts
    bonus = facts.get("ways", {}).get(case.params.get("option"), facts.get("bonus", 0))
    return ((bonus, case.action.title.lower()),) if bonus else ()


def provoked(case: Case, name: str) -> bool:
    """Check whether somebody is next to whoever provokes, as far as positions tell."""
    apart = case.rules.distance(case.state, case.fighter, case.state.fighters[name])
    return apart is None or apart.steps <= _BESIDE


# ── what others may not see: aim, and a feint that worked ──


def use_up(draft: Draft, act: Act, action: Action) -> None:
    """Use up an aim or a feint as an attack is made; doing anything else breaks the aim."""
    fighter = draft.state.fighters[act.who]
    if "attack" in action.tags:
        for name in act.targets:
            _use_feint(draft, act.who, draft.state.fighters[name])
    if not (fighter.effects or fighter.progress) or draft.rules.costs[action.cost].light:
        return
    for effect in fighter.effects:
        begun = draft.actions.get(_AIM) if effect.id == _AIM and effect.rule else None
        if begun is not None and begun.id != action.id:
            shot = _is_ranged(draft.case(act))
            text, rule = say("aim.shot" if shot else "aim.lost"), begun.facts["unbroken"]
            draft.end_effect(act.who, effect, text=text, rule=begun.rule if shot else rule)
    for id in fighter.progress:
        begun = draft.actions.get(id)
        if begun is not None and begun.id != action.id and "unbroken" in begun.facts:
            draft.lapse_progress(act.who, begun, begun.facts["unbroken"])


def _use_feint(draft: Draft, who: str, target: Fighter) -> None:
    feint = draft.actions.get(_FEINT) if target.effects else None
    if feint is None:
        return
    for effect in target.effects:
        if effect.rule == feint.rule and effect.value == who:
            draft.end_effect(target.name, effect, text=say("feint.used", who=who), rule=feint.rule)


def _is_ranged(case: Case) -> bool:
    """Check whether an attack is made from afar: any but a melee one, a charge, or an opportunity."""
    action = case.action
    melee = "melee" in action.tags or action.does == "charge" or action.when == "reaction"
    return "attack" in action.tags and not melee and wielded(case).get("range") != MELEE


# ── deeds ──


def area(draft: Draft, act: Act) -> Act:
    """Roll once, and compare it with each target's defense."""
    first, *rest = act.targets
    struck = strike(draft, replace(act, targets=(first,)))
    outcomes: dict[str, object] = dict(struck.result["outcome"])
    rolled = draft.events[-1]
    total = rolled._data.get("total") if rolled.kind == "attack" else None
    for name in rest:
        needed = draft.rules.value(as_struck(draft.rules, draft.state.fighters[name], act.params), "defense")
        outcome = act.params.get("outcome")
        if outcome is None and total is not None and needed is not None:
            outcome = "hit" if total >= needed else "miss"
        outcomes[name] = outcome
        if total is not None:
            text = say("attack.rolls", total=total, needed=needed, outcome=Title(outcome or ""))
            data = {"total": total, "needed": needed, "outcome": outcome, "modifiers": rolled._data["modifiers"]}
            draft.emit("attack", act.who, act.action, name, total, text, rolled.rules, data=data)
    return replace(act, result={**act.result, "outcome": outcomes})


def area_harm(draft: Draft, act: Act) -> Act:
    """Roll damage once: all of it for those hit, half for those missed."""
    given = damage_of(draft.case(act))
    if given is None or not draft.rules.vitals:
        return act
    total, data = roll_amount(draft, given, "damage", act.who)
    for name in act.targets:
        missed = act.result["outcome"].get(name) == "miss"
        take_damage(draft, act, name, total // 2 if missed else total, data)
        data = {}
    return act


def burst_harm(draft: Draft, act: Act) -> Act:
    """Deal damage with more dice of the same kind; a plain number already includes them."""
    given, more = damage_of(draft.case(act)), draft.actions[act.action].facts["more_dice"]
    dice = None if given is None else damage_dice(given)
    if dice is None or not dice.each:
        return harm(draft, act)
    larger = replace(dice, count=dice.count + more).notation
    harmed = harm(draft, replace(act, params={**act.params, "damage": larger}))
    return replace(harmed, params=act.params)


def hold(draft: Draft, act: Act) -> Act:
    """Give the condition an attack brings to those it hits."""
    action = draft.actions[act.action]
    for name in act.targets:
        if act.result["outcome"].get(name) == "hit":
            bring(draft, act, name, action)
    return act


def coup(draft: Draft, act: Act) -> Act:
    """Hit without rolling."""
    struck = strike(draft, replace(act, params={**act.params, "outcome": "hit"}))
    return replace(struck, params=act.params)


def dispatch(draft: Draft, act: Act) -> Act:
    """Mark a target with nothing left as dead."""
    vital, rule = draft.rules.vitals[0].name, draft.actions[act.action].rule
    for name in act.targets:
        left = draft.state.fighters[name].vitals.get(vital)
        if left is not None and left <= 0:
            draft.effect(name, "dead", rule=rule)
    return act


def recover(draft: Draft, act: Act) -> Act:
    """Take one step back up the condition track."""
    effect = draft.state.fighters[act.who].effect(TRACK)
    if effect is not None and type(effect.value) is int:
        to_step(draft, act.who, effect.value - 1, draft.actions[act.action].rule)
    return act


# ── the condition track ──


def harmed(draft: Draft, who: str, dealt: int) -> None:
    """Move somebody one step down the condition track if what was dealt reaches their threshold."""
    fighter = draft.state.fighters[who]
    threshold = draft.rules.value(fighter, "threshold")
    if threshold is None or dealt < threshold or not plays_book(draft):
        return
    to_step(draft, who, _step_of(fighter) + 1)


def _step_of(fighter: Fighter) -> int:
    """Return how many steps down the condition track somebody is."""
    effect = fighter.effect(TRACK)
    return effect.value if effect is not None and type(effect.value) is int else 0


def plays_book(draft: Draft) -> bool:
    """Check whether the list is played with."""
    return _RECOVER in draft.actions


def put_on(draft: Draft, given: Given) -> None:
    """Put somebody on a step of the condition track by the GM's word, one further down if none is said; or off it."""
    step, end = given.value, len(_PENALTIES)
    if given.anchor:
        raise InvalidInput("condition_track lasts until somebody recovers, or off=True; leave out until")
    if step is None:
        step = 0 if given.off else min(_step_of(draft.state.fighters[given.who]) + 1, end)
    elif type(step) is not int or not 1 <= step <= end:
        raise InvalidInput(f"condition_track: value is {step!r}; give a step from 1 to {end}, or off=True")
    to_step(draft, given.who, step, by="gm")


def to_step(draft: Draft, who: str, step: int, rule: str = "", by: str = "rules") -> None:
    """Put somebody on a step of the condition track, with what it takes off; 0 is off it, the last leaves them out."""
    fighter, end, track = draft.state.fighters[who], len(_PENALTIES), draft.actions[_RECOVER].facts["track"]
    held, fallen, step = fighter.effect(TRACK), fighter.effect("unconscious"), min(step, end)
    if step > 0:
        penalty = _PENALTIES[step - 1]
        text = say("track.end") if step == end else say("track.at", step=step, penalty=penalty)
        less = dict.fromkeys(("attack_bonus", "defense", "initiative_misc"), penalty)
        if held is None:
            draft.effect(who, TRACK, value=step, modifiers=less, rule=track, text=text, by=by)
        else:
            draft.renew(who, replace(held, value=step, modifiers=less), text, rule or track, by=by)
    elif held is not None:
        draft.end_effect(who, held, rule=rule or track, by=by)
    if step == end and fallen is None:
        draft.effect(who, "unconscious", rule=track, by=by)
    elif step < end and fallen is not None and fallen.rule == track:
        draft.end_effect(who, fallen, rule=rule or track, by=by)


_NEEDS = (beside, within_reach)
_STRIKE, _COUP = Stage("strike", strike, _NEEDS), Stage("strike", coup, (*_NEEDS, are_helpless))
DEEDS: dict[str, Mechanism] = {
    "area": Mechanism(None, (Stage("strike", area, (within_reach,)), Stage("harm", area_harm))),
    "burst": Mechanism(None, (_STRIKE, Stage("harm", burst_harm))),
    "hold": Mechanism(check_way, (_STRIKE, Stage("hold", hold))),
    "coup": Mechanism(None, (_COUP, Stage("harm", harm), Stage("dispatch", dispatch))),
    "recover": Mechanism(None, (Stage("recover", recover),)),
}
"""The mechanisms of the list, by the name its ``does`` uses."""
