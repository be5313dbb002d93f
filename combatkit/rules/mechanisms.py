"""The ways actions are carried out that several systems share, with attacks and their damage."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, NamedTuple

from msgspec.structs import replace

from combatkit.core.dice import DICE, Dice, parse_dice
from combatkit.core.faces import Rolled
from combatkit.core.model import Act, Effect, Fighter, State
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Ask, Mechanism, Stage
from combatkit.rules.checks import check_known, check_some
from combatkit.rules.contests import FAILED, HIT, are_helpless, begin, check_begin, check_contest, contest
from combatkit.rules.delays import act_now, check_act_now, check_delay, delay
from combatkit.rules.draft import Draft
from combatkit.rules.moments import Harmed
from combatkit.rules.readying import check_ready, over, ready, usable, use, use_missing
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import DECLARED_AT, declared_at
from combatkit.rules.vitals import DAMAGE, HEAL, TEMPORARY, Change, buffered, fall_or_rise, rest_of
from combatkit.rules.weapons import damage_of, within_reach
from combatkit.text import Said, Title, say

# ── attacks
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def named_modifiers(params: Mapping[str, Any], but: str = "") -> tuple[tuple[int, str], ...]:
    """Return the modifiers given with an action that go to its roll, each with its name: all `but` the target's."""
    given = params.get("modifiers")
    if given is None:
        return ()
    if type(given) is int:
        return ((given, "modifier"),) if given else ()
    return tuple((n, name) for name, n in given.items() if name != but)


def as_struck(rules: Ruleset, target: Fighter, params: Mapping[str, Any]) -> Fighter:
    """Return a target as an attack strikes it: what the call's modifiers say of it holds for this one roll."""
    given = params.get("modifiers")
    more = given.get(rules.struck_by) if isinstance(given, Mapping) else None
    if not more:
        return target
    return replace(target, effects=(*target.effects, Effect(0, "", modifiers={rules.struck_by: more})))


def roll_data(purpose: str, dice: Dice, rolled: Rolled, total: int) -> dict[str, Any]:
    """Return what an event with dice holds about them."""
    data: dict[str, object] = {
        "purpose": purpose,
        "notation": dice.notation,
        "faces": list(rolled.faces),
        "modifier": dice.plus,
        "total": total,
        "source": rolled.source,
    }
    if rolled.drawn:
        data["drawn"] = rolled.drawn
    return data


def strike(draft: Draft, act: Act) -> Act:
    """Roll an attack if the attacker has a bonus or a face was rolled.

    Say whether it hits if the target's value is known.
    """
    if DECLARED_AT in act.result:
        return _strike_those_left(draft, act)
    outcomes = {target: _strike_one(draft, act, target, several=len(act.targets) > 1) for target in act.targets}
    return replace(act, result={"outcome": outcomes})


_LOST = "lost"
"""What an attack comes to on one who is no target any more, and whose damage would have been thrown for."""


def _strike_those_left(draft: Draft, act: Act) -> Act:
    """Strike those who are still targets; the dice that were given for the others are for nobody else."""
    outcomes: dict[str, object] = {}
    for target in act.result[DECLARED_AT]:
        one = replace(act, targets=(target,), params={**act.params, "target": [target]}, result={})
        if target in act.targets:
            outcomes[target] = _strike_one(draft, one, target, several=True)
        else:
            outcomes[target] = _forgo(draft, one)
    return replace(act, result={"outcome": outcomes, DECLARED_AT: act.result[DECLARED_AT]})


def _forgo(draft: Draft, act: Act) -> str:
    """Pass over the dice given for an attack that isn't made any more; return what it would have come to."""
    said = act.params.get("outcome")
    ask = next((ask for ask in draft.rules.asks(draft.case(act)) if ask.purpose == "attack"), Ask("attack", 1, 20))
    given = draft.faces.forgo(ask.thrown.each, "attack", act.who)
    missed = given is not None and ask.needed is not None and not ask.lands(sum(given))
    return "miss" if (said == "miss" if said else missed) else _LOST


def _strike_one(draft: Draft, act: Act, target: str, *, several: bool) -> str | None:
    case, said, at = draft.case(act), act.params.get("outcome"), "at" if several else ""
    asks = draft.rules.asks(case.given({**act.params, "target": [target]}) if several else case)
    ask = next((ask for ask in asks if ask.purpose == "attack"), None)
    if ask is None or said:  # nothing to roll with, or nothing to roll for: only what was rolled at the table counts
        ask = ask or Ask("attack", 1, 20, named_modifiers(act.params, draft.rules.struck_by))
        given = draft.faces.take(ask.thrown.each, "attack", act.who)
        if given is None:
            if said:
                tell_attack(draft, act, target, said, by="gm")
            return said
        rolled = Rolled(given, "table", 0)
    else:
        rolled = draft.throw(ask.dice, ask.sides, "attack", act.who)
    face, modifier = rolled.sum, sum([n for n, _ in ask.addends])
    total = face + modifier
    outcome = said or (None if ask.needed is None else ("hit" if ask.lands(face) else "miss"))
    data = _attack_data(ask, rolled, outcome)
    told = {"total": total, "needed": ask.needed, "at": target, "outcome": Title(outcome or "")}
    text = say("attack.rolls", of=at, **told)
    cited = tuple(filter(None, (ask.rule, ask.even if total == ask.needed else "")))
    draft.emit("attack", act.who, act.action, target, total, text, cited, by="gm" if said else "rules", data=data)
    return outcome


@lru_cache(maxsize=4096)
def _attack_data(ask: Ask, rolled: Rolled, outcome: str | None) -> dict[str, object]:
    """Say how an attack was rolled; the same text each time, so that a long log holds it once."""
    dice = Dice(ask.dice, ask.sides, sum([number for number, _ in ask.addends]))
    data = roll_data("attack", dice, rolled, rolled.sum + dice.plus)
    return {**data, "needed": ask.needed, "outcome": outcome, "modifiers": ask.added}


def tell_attack(
    draft: Draft,
    act: Act,
    target: str,
    outcome: str,
    text: Said | None = None,
    rules: tuple[str, ...] = (),
    by: str = "rules",
) -> None:
    """Log what an attack came to for which no dice are rolled."""
    text = text or say("attack.told", of=outcome, target=target, outcome=Title(outcome))
    data: dict[str, object] = {"total": None, "needed": None, "outcome": outcome, "modifiers": {}}
    draft.emit("attack", act.who, act.action, target, text=text, rules=rules, by=by, data=data)


def harm(draft: Draft, act: Act) -> Act:
    """Deal the damage stated with an action to each target it didn't miss, else its weapon's to each it hit."""
    outcomes = act.result.get("outcome", {})
    given = damage_of(draft.case(act))
    if given is None:
        return act
    for target in declared_at(act):
        outcome = outcomes.get(target, None if target in act.targets else _LOST)
        if outcome == "hit" or (outcome is None and is_stated(draft, act)):
            if draft.rules.vitals:
                take_damage(draft, act, target, *roll_amount(draft, given, "damage", act.who))
        elif outcome == _LOST:
            draft.faces.forgo(damage_dice(given).each, "damage", act.who)
        else:
            draft.faces.pass_by(len(damage_dice(given).each), "damage")
    return act


def is_stated(draft: Draft, act: Act) -> bool:
    """Check whether damage is stated with an action: how much, or what was thrown for it at the table."""
    return "damage" in act.params or draft.faces.has("damage")


def damage_dice(given: int | str) -> Dice:
    """Return the dice of damage that was given with an action and has been checked: a number, or dice."""
    dice = Dice(0, 6, given) if type(given) is int else parse_dice(str(given))
    assert dice is not None
    return dice


def roll_amount(draft: Draft, given: int | str, purpose: str, *keys: str) -> tuple[int, dict[str, object]]:
    """Return what given damage or healing comes to, and how it was rolled, if at all."""
    dice = damage_dice(given)
    rolled = draft.cast(dice.each, purpose, *keys)
    total = max(0, dice.total(rolled.faces))
    return total, roll_data(purpose, dice, rolled, total) if dice.each else {}


def take_damage(draft: Draft, act: Act, target: str, total: int, data: dict[str, object]) -> None:
    """Take an amount off the target's temporary points and then off the first vital; `data` says how it was rolled."""
    fall_or_rise(draft, target, log_damage(draft, act, target, total, data))
    draft.rules.follows(draft, Harmed(target, total))


def log_damage(
    draft: Draft, act: Act, target: str, total: int, data: dict[str, object], rules: tuple[str, ...] = ()
) -> int | None:
    """Log such a loss, and return what the target had."""
    vital, fighter = draft.rules.vitals[0].name, draft.state.fighters[target]
    held, first = fighter.vitals.get(vital), buffered(fighter, total)
    left, told = None, data | {"rolled": total, "armor": 0}
    if first:
        told[TEMPORARY] = first
    if held is not None:  # of what nobody has stated there is no rest
        left = held - total + first
        told |= {"vital": vital, "left": left}
    text = say("damage.loses", amount=total, temporary=first or None, **rest_of(left))
    draft.emit("damage", act.who, act.action, target, total - first, text, rules, data=told)
    return held


def amount_of(draft: Draft, given: int | str, change: Change) -> int:
    """Return what is dealt or healed by the GM's word: a number, or dice rolled once for everybody and logged."""
    total, data = roll_amount(draft, given, change.word)
    if data:
        note, draft.note = draft.note, ""  # it goes with what is done
        text = say(f"roll.{change.word}" if change.actor is None else "roll.blow", total=total)
        draft.emit("roll", change.actor, change.action, None, total, text, by="gm", data=data)
        draft.note = note
    return total


# ── all of them
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────

MECHANISMS: dict[str, Mechanism] = {
    "plain": Mechanism(None, ()),
    "attack": Mechanism(None, (Stage("strike", strike, (within_reach,)), Stage("harm", harm))),
    "begin": Mechanism(check_begin, (Stage("begin", begin),), holds=True, facts=("begins",)),
    "contest": Mechanism(check_contest, (Stage("contest", contest, (are_helpless,)),), outcomes=(HIT, FAILED)),
    "delay": Mechanism(check_delay, (Stage("delay", delay),)),
    "act_now": Mechanism(check_act_now, (Stage("act_now", act_now),)),
    "ready": Mechanism(check_ready, (Stage("ready", ready),), facts=("effect", "use", "kinds_rule", "lapse_rule")),
    "use": Mechanism(None, (Stage("use", use, (usable,)), Stage("over", over)), use_missing),
}
"""The mechanisms by the name a catalogue's ``does`` uses."""


# ── damage and healing by the GM's word ──


CHANGES = {change.word: change for change in (DAMAGE, HEAL)}
"""The ways an amount is dealt out, by the call's name."""


class Deal(NamedTuple):
    """An amount dealt out to some combatants, in full or by half."""

    change: Change
    who: tuple[str, ...]
    amount: int | str
    vital: str
    half: tuple[str, ...]


def deal_of(
    rules: Ruleset, state: State, change: Change, names: object, amount: object, vital: str | None, half: object
) -> Deal:
    """Check what a call deals out, and return it; if no vital is named, the ruleset's first is meant.

    Raises
    ------
    UnknownName
        For an unknown combatant or vital.
    InvalidInput
        For an amount that is neither a number nor dice, or somebody who takes half and is not named.
    """
    amount = rules.as_dice(amount)
    call = change.word
    who, halved = check_some(state, names, call), check_known(state, half)
    if others := [name for name in halved if name not in who]:
        raise InvalidInput(f"{call}: half is {short(others[0])}, who is not among those named; name them there too")
    vitals = [each.name for each in rules.vitals]
    meant = vitals[0] if vital is None and vitals else vital
    if meant not in vitals:
        raise UnknownName.of("vital", meant, vitals, owner=rules.id)
    if not rules.takes_dice(amount):
        raise InvalidInput(f"{call}: amount is {short(amount)}; give {DICE}")
    return Deal(change, who, amount, meant, halved)


def deal_out(draft: Draft, deal: Deal) -> None:
    """Deal an amount out; dice are rolled once for everybody."""
    whole = amount_of(draft, deal.amount, deal.change)
    for name in deal.who:
        part, told = (whole // 2, deal.change._replace(whole=whole)) if name in deal.half else (whole, deal.change)
        draft.rules.adjust(draft, name, deal.vital, part if deal.change is HEAL else -part, told)


def deal_asks(rules: Ruleset, change: Change, amount: object) -> tuple[Ask, ...]:
    """Return the roll for an amount that is dealt out; none for a plain number."""
    amount = rules.as_dice(amount)
    dice = parse_dice(amount) if isinstance(amount, str) and rules.takes_dice(amount) else None
    return (Ask.of(change.word, dice),) if dice is not None and dice.each else ()
