"""Rolls and what they come to: attacks, damage, attribute checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from combatkit.core.dice import Dice, parse_dice
from combatkit.core.model import Act, Fighter, State
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case, Objection
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import named_modifiers, roll_data
from combatkit.rules.params import as_names
from combatkit.rules.parts import Ask, Mechanism, Stage
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.d6.aid import ROLLED, helpers, with_help
from combatkit.systems.d6.codes import BANDS, MELEE, PENALTIES, SIDES, attributes_of, code_of, weapon_of, write_code
from combatkit.systems.d6.destiny import by_hand, check_destiny, gain, throw, throw_destiny
from combatkit.systems.d6.fates import suffer
from combatkit.systems.d6.places import band_between
from combatkit.systems.d6.stances import aim, aims, check_aim, check_defend, defend, end_aims
from combatkit.systems.d6.stats import check_rank
from combatkit.text import Title, say

_OUTCOMES = ("hit", "miss")
"""How an attack can come out."""

MARGIN = 7
"""An attack roll so far above Defense halves armour."""

# ── what is rolled ──


class Shot(NamedTuple):
    """An attack before its dice: the weapon, the band, the dice left after the penalty, what is added."""

    weapon: Mapping[str, Any]
    band: str | None
    penalty: int
    dice: int
    addends: tuple[tuple[int, str], ...]


def reach_of(state: State, weapon: Mapping[str, Any]) -> str:
    """Return the farthest band a weapon reaches; one that states none reaches all."""
    reach: str = weapon.get("range", BANDS[-1])
    return str(state.options["melee_reach"]) if reach == MELEE else reach


def shot_of(rules: Ruleset, state: State, fighter: Fighter, params: Mapping[str, Any]) -> Shot | None:
    """Return what an attack rolls; None for one who has no weapon to roll with."""
    weapon = weapon_of(fighter, params)
    if "attack" not in weapon:
        return None
    code = code_of(weapon["attack"])
    addends = [(code.plus, "pips")] if code.plus else []
    aimed = aims(fighter)
    if "bonus" in aimed:
        value = aimed["bonus"].value
        addends.append((value["add"], f"aim ({value['rank']})"))
    addends.extend(named_modifiers(params))
    band = None
    penalty = 0
    if params.get("target"):
        band = band_between(rules, state, fighter, state.fighters[params["target"][0]])
        if weapon.get("range") != MELEE:
            penalty = PENALTIES[band]
            if "range" in aimed and band in ("long", "extreme"):
                penalty += 1
    return Shot(weapon, band, penalty, max(0, code.count + penalty), tuple(addends))


def attack_asks(rules: Ruleset, state: State, fighter: Fighter, params: Mapping[str, Any]) -> tuple[Ask, ...]:
    """Return the rolls of an attack: to hit, the destiny die if a table says what it brings, damage."""
    shot = shot_of(rules, state, fighter, params)
    if shot is None:
        return ()
    target = state.fighters[params["target"][0]] if params.get("target") else None
    needed = rules.value(target, "defense") if target is not None else None
    asks = [Ask("attack", shot.dice, SIDES, shot.addends, needed, "d6.act.attack")]
    if "destiny" not in params and state.tables.get("destiny"):
        asks.append(Ask("destiny", 1, 20))
    dice = _damage_dice(params, shot.weapon)
    if dice is not None and dice.count:
        asks.append(Ask("damage", dice.count, dice.sides, ((dice.plus, "pips"),) if dice.plus else ()))
    return tuple(asks)


def check_asks(state: State, fighter: Fighter, params: Mapping[str, Any]) -> tuple[Ask, ...]:
    """Return the roll of an attribute check; none if no attribute is named."""
    named = params.get("option")
    code = attributes_of(fighter).get(named) if named else None
    if code is None:
        return ()
    addends = [(code.plus, "pips")] if code.plus else []
    if "rank" in params:
        addends.append((fighter.stats[params["rank"]], params["rank"]))
    addends.extend(named_modifiers(params))
    return (Ask("skill", code.count, SIDES, tuple(addends), None, "d6.act.skill"),)


# ── attack ──


def check_attack(case: Case) -> Iterable[Objection]:
    """The weapon, the destiny and the outcome are such as there are; a roll is against one, by anybody's word."""
    params = case.params
    weapon_of(case.fighter, params)
    check_destiny(case.state, params)
    _check_said(params)
    if len(as_names(params.get("target", ()))) > 1:
        yield case.object(f"{case.action.title} has a single target.", firm=True)


def in_range(case: Case) -> Iterable[Objection]:
    """Refuse a target beyond the range of the weapon."""
    state = case.state
    weapon = weapon_of(case.fighter, case.params)
    for name in case.targets:
        band = band_between(case.rules, state, case.fighter, state.fighters[name])
        reach = reach_of(state, weapon)
        if weapon and BANDS.index(band) > BANDS.index(reach):
            reason = f"{name} is at {band.capitalize()}; the {weapon['name']} reaches {reach.capitalize()}."
            yield Objection(reason, "d6.act.attack.range")
            yield Objection("", "d6.zone.order")
            if weapon.get("range") == MELEE:
                yield Objection("", "d6.range.melee-open")


def _check_said(params: Mapping[str, Any]) -> None:
    """Refuse what the table cannot say of an attack."""
    said = params.get("outcome")
    if said is not None and said not in _OUTCOMES:
        raise InvalidInput(f"attack: outcome is {said!r}; it is {' or '.join(_OUTCOMES)}")


def roll_attack(draft: Draft, act: Act) -> Act:
    """Roll to hit; where nobody can help, say at once what it came to."""
    rules = draft.rules
    fighter = draft.fighter(act.who)
    shot = shot_of(rules, draft.state, fighter, act.params)
    said = act.params.get("outcome")
    if shot is None:
        gain(draft, act.who, act.params.get("destiny"))
        return act if said is None else _by_word(draft, act, said)
    keys = ("attack", act.who)
    rolled = throw(draft, shot.dice, SIDES, *keys) if said is None else by_hand(draft, shot.dice, SIDES, *keys)
    if rolled is None:
        assert said is not None
        act = _by_word(draft, act, said)
        end_aims(draft, act.who)
        gain(draft, act.who, act.params.get("destiny") or throw_destiny(draft, act, of_table=True))
        return act
    plus = sum(n for n, _ in shot.addends)
    dice = Dice(shot.dice, SIDES, plus)
    thrown = {**roll_data("attack", dice, rolled, rolled.sum + plus), "notation": write_code(dice)}
    thrown["modifiers"] = {name: n for n, name in shot.addends}
    if shot.band is not None:
        thrown |= {"band": shot.band, "penalty": shot.penalty}
    cited = tuple(_range_rules(fighter, shot))
    result: dict[str, Any] = {"total": thrown["total"], "modifiers": thrown["modifiers"]}
    waits = said is None and helpers(draft.state, act.who)
    if waits:
        text = say("attack.to_hit", total=thrown["total"], needed=None, target=act.targets[0], outcome="")
        data = {**thrown, "waits": True}
        event = draft.emit("roll", act.who, act.action, act.targets[0], thrown["total"], text, cited, data=data)
        result |= {"roll": event.seq, "modifier": plus}
    else:
        result |= _conclude(draft, act, thrown["total"], thrown["modifiers"], said, thrown, cited)
    end_aims(draft, act.who)
    gain(draft, act.who, act.params.get("destiny") or throw_destiny(draft, act))
    return replace(act, result=result)


def _by_word(draft: Draft, act: Act, said: str) -> Act:
    """Log what the table says an attack came to: no die is thrown, and so no rule of one is cited."""
    (name,) = act.targets
    data: dict[str, Any] = {"total": None, "needed": None, "outcome": said, "modifiers": {}}
    text = say("attack.told", of=said, outcome=Title(said), target=name)
    draft.emit("attack", act.who, act.action, name, text=text, by="gm", data=data)
    return replace(act, result={"outcome": said})


def _range_rules(fighter: Fighter, shot: Shot) -> Iterable[str]:
    aimed = aims(fighter)
    if "bonus" in aimed:
        yield "d6.act.aim.bonus"
    if shot.band is None or shot.weapon.get("range") == MELEE:
        return
    if "range" in aimed and shot.band in ("long", "extreme"):
        yield "d6.act.aim.range"
        if shot.band == "extreme":
            yield "d6.act.aim.extreme"
    if shot.band == "close":
        yield from ("d6.range.close.same", "d6.range.close.pen")
        if "range" in aimed:
            yield "d6.act.aim.not-close"
    else:
        yield f"d6.range.{shot.band}"


def result_attack(draft: Draft, act: Act) -> Act:
    """Say what an attack came to, once Help has been added to it."""
    if "roll" not in act.result:
        return act
    total, modifiers = with_help(draft, act)
    helped = total - act.result["total"]
    said = {"roll": act.result["roll"], "modifier": act.result["modifier"] + helped}
    came_to = _conclude(draft, act, total, modifiers, None, said, ("d6.act.help.add",))
    return replace(act, result={**act.result, "total": total, **came_to})


def _conclude(
    draft: Draft,
    act: Act,
    total: int,
    modifiers: dict[str, int],
    said: str | None,
    thrown: dict[str, Any],
    cited: tuple[str, ...],
) -> dict[str, Any]:
    """Set an attack roll against Defense; a Defend bonus is spent by exactly the miss it caused."""
    (name,) = act.targets
    target = draft.fighter(name)
    needed = draft.rules.value(target, "defense")
    defending = target.effect("defending")
    rolled = None if needed is None else "hit" if total >= needed else "miss"
    outcome = said or rolled
    data = {**thrown, "total": total, "needed": needed, "outcome": outcome, "modifiers": modifiers}
    told = "attack.comes_to" if "roll" in thrown else "attack.to_hit"  # dice thrown before, to which help may have come
    text = say(told, total=total, needed=needed, target=name, outcome=Title(outcome or ""))
    overruled = said is not None and rolled is not None and said != rolled
    if overruled:
        text = say("attack.overruled", attack=text)
    rules = cited if overruled else ("d6.hit.ge", *cited)
    # Neither a roll that would have missed anyway uses the bonus up, nor one that hits all the same.
    bonus = None if defending is None or said is not None else defending.modifiers["defense"]
    spent = bonus is not None and needed is not None and needed - bonus <= total < needed
    if bonus is not None and needed is not None and not spent:
        rules = (*rules, "d6.act.defend.not-expended")
    draft.emit("attack", act.who, act.action, name, total, text, rules, "gm" if said else "rules", data)
    if spent and defending is not None:
        draft.end_effect(name, defending, text=say("defend.spent"), rule="d6.act.defend.expend")
    return {"outcome": outcome, "needed": needed}


# ── damage ──


def _damage_dice(params: Mapping[str, Any], weapon: Mapping[str, Any]) -> Dice | None:
    given = params.get("damage", weapon.get("damage"))
    if given is None:
        return None
    return Dice(0, SIDES, given) if type(given) is int else parse_dice(given) or code_of(given)


def damage(draft: Draft, act: Act) -> Act:
    """Roll damage for a hit, take armour off it, and the rest off Resolve."""
    outcome = act.result.get("outcome")
    weapon = weapon_of(draft.fighter(act.who), act.params)
    dice = _damage_dice(act.params, weapon)
    if dice is None:
        return act
    if outcome != "hit" and not (outcome is None and "damage" in act.params):
        draft.faces.pass_by(dice.count, "damage")
        return act
    (name,) = act.targets
    rolled = throw(draft, dice.count, dice.sides, "damage")
    total = max(0, rolled.sum + dice.plus)
    data: dict[str, Any] = {}
    if dice.count:
        data = {**roll_data("damage", dice, rolled, total), "notation": draft.rules.notation(dice)}
    armor, cited = _armor(draft, act, weapon, name)
    lost = max(0, total - armor)
    cited = ("d6.dmg.roll", "d6.dmg.resolve", *cited, *(("d6.dmg.floor",) if armor > total else ()))
    data |= {"rolled": total, "armor": armor}
    suffer(draft, name, lost, cited, act, data)
    return act


def _armor(draft: Draft, act: Act, weapon: Mapping[str, Any], name: str) -> tuple[int, tuple[str, ...]]:
    """Return the armour that counts; a roll seven above Defense halves it, unless the attack is Piercing."""
    target = draft.fighter(name)
    armor = target.stats["armor"]
    rating: int = armor.get(weapon.get("type", ""), 0) if isinstance(armor, Mapping) else armor
    needed = act.result.get("needed")
    total = act.result.get("total")
    if needed is None or total is None or total < needed + MARGIN:
        return rating, ()
    if not rating:  # there is nothing to halve
        return rating, ()
    if weapon.get("piercing"):
        return rating, ("d6.dmg.margin7.piercing",)
    return rating // 2, ("d6.dmg.margin7", *(("d6.dmg.margin7.round",) if rating % 2 else ()))


# ── attribute checks ──


def check_check(case: Case) -> Iterable[Objection]:
    """The attribute and the rank are the character's own; a use that the text lists names no attribute."""
    params = case.params
    check_destiny(case.state, params)
    if "rank" in params:
        check_rank(params["rank"])
    known = case.rules.listed(case, "option")
    if "option" in params and known is not None and params["option"] not in known:
        raise UnknownName.of(f"attribute of {case.fighter.name}, or use of a skill", params["option"], known)
    return ()


def roll_check(draft: Draft, act: Act) -> Act:
    """Roll an attribute check; what it comes to is told at the table."""
    destiny = act.params.get("destiny")
    asks = check_asks(draft.state, draft.fighter(act.who), act.params)
    result: dict[str, Any] = {}
    if asks:
        (ask,) = asks
        rolled = throw(draft, ask.dice, SIDES, "skill", act.who)
        plus = sum(n for n, _ in ask.addends)
        dice = Dice(ask.dice, SIDES, plus)
        total = rolled.sum + plus
        data = {**roll_data("skill", dice, rolled, total), "notation": write_code(dice)}
        data["modifiers"] = {name: n for n, name in ask.addends}
        waits = bool(helpers(draft.state, act.who))
        if waits:
            data["waits"] = True
        text = say("check.rolls", total=total, attribute=act.params["option"])
        event = draft.emit("roll", act.who, act.action, amount=total, text=text, rules=("d6.act.skill",), data=data)
        if waits:
            result = {"total": total, "modifiers": data["modifiers"], "modifier": plus, "roll": event.seq}
    gain(draft, act.who, destiny)
    return replace(act, result=result)


def result_check(draft: Draft, act: Act) -> Act:
    """Say what a check came to that waited for Help."""
    if "roll" not in act.result:
        return act
    total, modifiers = with_help(draft, act)
    modifier = act.result["modifier"] + total - act.result["total"]
    data = {"total": total, "modifier": modifier, "modifiers": modifiers, "roll": act.result["roll"]}
    text = say("check.comes_to", total=total)
    draft.emit("roll", act.who, act.action, amount=total, text=text, rules=("d6.act.help.add",), data=data)
    return act


MECHANISMS: dict[str, Mechanism] = {
    "attack": Mechanism(
        check_attack,
        (Stage(ROLLED, roll_attack, (in_range,)), Stage("result", result_attack, ()), Stage("damage", damage)),
    ),
    "check": Mechanism(check_check, (Stage(ROLLED, roll_check), Stage("result", result_check))),
    "defend": Mechanism(check_defend, (Stage("defend", defend),)),
    "aim": Mechanism(check_aim, (Stage("aim", aim),)),
}
