"""Rolls and what they come to: attacks, damage, attribute checks; Aim and Defend, which bear on them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from combatkit.engine.case import Case, Objection
from combatkit.engine.dice import Dice, parse_dice
from combatkit.engine.draft import Draft, Rolled
from combatkit.engine.mechanisms import named_modifiers, roll_data
from combatkit.engine.model import Act, Effect, Fighter, State, Turn
from combatkit.engine.params import as_names
from combatkit.engine.ruleset import Ask, Mechanism, Ruleset, Stage
from combatkit.errors import InvalidInput, UnknownName
from combatkit.systems.d6.aid import ROLLED, helpers, with_help
from combatkit.systems.d6.codes import BANDS, MELEE, PENALTIES, SIDES, attributes_of, code_of, weapon_of, write_code
from combatkit.systems.d6.fates import suffer
from combatkit.systems.d6.places import band_between
from combatkit.systems.d6.stats import check_rank

DEFEND_RANKS = ("agility", "athletics", "hide")
AIM_RANKS = ("tactics", "search")
AIMS = ("bonus", "range")
MOMENTUM = "gain_momentum"
_SAID = {"hit": "hits", "miss": "misses"}
"""How an attack can come out, and how that is told."""

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


def aims(fighter: Fighter) -> dict[str, Effect]:
    """Return the Aims that wait for the next attack roll, by their option."""
    found = (e for e in fighter.effects if e.id == "aiming" and isinstance(e.value, dict))
    return {e.value["option"]: e for e in found if "option" in e.value} if fighter.effects else {}


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


def _throw(draft: Draft, dice: int, sides: int, *keys: str) -> Rolled:
    return draft.throw(dice, sides, *keys) if dice else Rolled((), "seeded", 0)


def _of_table(draft: Draft, dice: int, sides: int, *keys: str) -> Rolled | None:
    """Return dice that were rolled at the table; None if there are none, and the seed is not asked."""
    given = draft.faces.take(dice, sides, *keys) if dice else None
    return None if given is None else Rolled(given, "table", 0)


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
    if said is not None and said not in _SAID:
        raise InvalidInput(f"attack: outcome is {said!r}; it is {' or '.join(_SAID)}")


def roll_attack(draft: Draft, act: Act) -> Act:
    """Roll to hit; where nobody can help, say at once what it came to."""
    rules = draft.rules
    fighter = draft.fighter(act.who)
    shot = shot_of(rules, draft.state, fighter, act.params)
    said = act.params.get("outcome")
    if shot is None:
        _gain(draft, act.who, act.params.get("destiny"))
        return act if said is None else _by_word(draft, act, said)
    keys = ("attack", act.who)
    rolled = _throw(draft, shot.dice, SIDES, *keys) if said is None else _of_table(draft, shot.dice, SIDES, *keys)
    if rolled is None:
        assert said is not None
        act = _by_word(draft, act, said)
        _end_aims(draft, act.who)
        _gain(draft, act.who, act.params.get("destiny") or _throw_destiny(draft, act, of_table=True))
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
        text = f"rolls {thrown['total']} to hit {act.targets[0]}"
        data = {**thrown, "waits": True}
        event = draft.emit("roll", act.who, act.action, act.targets[0], thrown["total"], text, cited, data=data)
        result |= {"roll": event.seq, "modifier": plus}
    else:
        result |= _conclude(draft, act, thrown["total"], thrown["modifiers"], said, thrown, cited)
    _end_aims(draft, act.who)
    _gain(draft, act.who, act.params.get("destiny") or _throw_destiny(draft, act))
    return replace(act, result=result)


def _by_word(draft: Draft, act: Act, said: str) -> Act:
    """Log what the table says an attack came to: no die is thrown, and so no rule of one is cited."""
    (name,) = act.targets
    data: dict[str, Any] = {"total": None, "needed": None, "outcome": said, "modifiers": {}}
    draft.emit("attack", act.who, act.action, name, text=f"{_SAID[said]} {name}", by="gm", data=data)
    return replace(act, result={"outcome": said})


def _end_aims(draft: Draft, who: str) -> None:
    for effect in aims(draft.fighter(who)).values():
        draft.end_effect(who, effect, text="has used the aim")


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
    against = f" against {needed}" if needed is not None else ""
    verb = "comes to" if "roll" in thrown else "rolls"  # dice thrown before, to which help may have come
    text = f"{verb} {total}{against} to hit {name}" + (f": {outcome}" if outcome else "")
    overruled = said is not None and rolled is not None and said != rolled
    if overruled:
        text += ", by the table's word"
    rules = cited if overruled else ("d6.hit.ge", *cited)
    # Neither a roll that would have missed anyway uses the bonus up, nor one that hits all the same.
    bonus = None if defending is None or said is not None else defending.modifiers["defense"]
    spent = bonus is not None and needed is not None and needed - bonus <= total < needed
    if bonus is not None and needed is not None and not spent:
        rules = (*rules, "d6.act.defend.not-expended")
    draft.emit("attack", act.who, act.action, name, total, text, rules, "gm" if said else "rules", data)
    if spent and defending is not None:
        text = "has used up the Defend bonus: it turned a hit into a miss"
        draft.end_effect(name, defending, text=text, rule="d6.act.defend.expend")
    return {"outcome": outcome, "needed": needed}


# ── destiny ──


def check_destiny(state: State, params: Mapping[str, Any]) -> None:
    """Check a destiny that was given: Gain Momentum, or one of the table.

    Raises
    ------
    UnknownName
        If there is no such effect.
    """
    given = params.get("destiny")
    if given is not None:
        known = [MOMENTUM, *(row.get("effect", row["id"]) for row in state.tables.get("destiny", ()))]
        if given not in known:
            raise UnknownName.of("destiny", given, dict.fromkeys(known))


def _throw_destiny(draft: Draft, act: Act, *, of_table: bool = False) -> str | None:
    """Throw the destiny die where a table says which faces bring what; or take only a face rolled at the table."""
    rows = draft.state.tables.get("destiny")
    if not rows:
        return None
    rolled = _of_table(draft, 1, 20, "destiny") if of_table else draft.throw(1, 20, "destiny")
    if rolled is None:
        return None
    effect = next((str(r.get("effect", r["id"])) for r in rows if rolled.sum in r["faces"]), None)
    data = {**roll_data("destiny", Dice(1, 20), rolled, rolled.sum), "outcome": effect}
    text = f"rolls {rolled.sum} for destiny" + (f": {effect.replace('_', ' ')}" if effect else "")
    draft.emit("roll", act.who, act.action, amount=rolled.sum, text=text, data=data)
    return effect


def _gain(draft: Draft, who: str, destiny: str | None) -> None:
    """Gain Momentum: one more Action this turn, and a cap that is higher by one."""
    turn = draft.state.turn
    if destiny != MOMENTUM or turn is None or turn.who != who:
        return  # a held action's: on another's turn there is no cap to lift
    data: dict[str, Any] = {"pools": {}, "raised": {who: {"action": 1, "cap": 1}}, "at": "momentum"}
    draft.emit("refresh", who, text="gains momentum: one more Action", rules=("d6.turn.cap-momentum",), data=data)


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
    rolled = _throw(draft, dice.count, dice.sides, "damage")
    total = max(0, rolled.sum + dice.plus)
    data: dict[str, Any] = {}
    if dice.count:
        data = {**roll_data("damage", dice, rolled, total), "notation": draft.rules.notation(dice)}
    armor, cited = _armor(draft, act, weapon, name)
    lost = max(0, total - armor)
    cited = ("d6.dmg.roll", "d6.dmg.resolve", *cited, *(("d6.dmg.floor",) if armor > total else ()))
    data |= {"rolled": total, "armor": armor}
    suffer(draft, name, lost, cited, by_whom=act, data=data)
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
        rolled = _throw(draft, ask.dice, SIDES, "skill", act.who)
        plus = sum(n for n, _ in ask.addends)
        dice = Dice(ask.dice, SIDES, plus)
        total = rolled.sum + plus
        data = {**roll_data("skill", dice, rolled, total), "notation": write_code(dice)}
        data["modifiers"] = {name: n for n, name in ask.addends}
        waits = bool(helpers(draft.state, act.who))
        if waits:
            data["waits"] = True
        text = f"rolls {total} on {act.params['option']}"
        event = draft.emit("roll", act.who, act.action, amount=total, text=text, rules=("d6.act.skill",), data=data)
        if waits:
            result = {"total": total, "modifiers": data["modifiers"], "modifier": plus, "roll": event.seq}
    _gain(draft, act.who, destiny)
    return replace(act, result=result)


def result_check(draft: Draft, act: Act) -> Act:
    """Say what a check came to that waited for Help."""
    if "roll" not in act.result:
        return act
    total, modifiers = with_help(draft, act)
    modifier = act.result["modifier"] + total - act.result["total"]
    data = {"total": total, "modifier": modifier, "modifiers": modifiers, "roll": act.result["roll"]}
    text = f"comes to {total} with help"
    draft.emit("roll", act.who, act.action, amount=total, text=text, rules=("d6.act.help.add",), data=data)
    return act


# ── Defend, Aim ──


def check_defend(case: Case) -> Iterable[Objection]:
    """One of three ranks."""
    params = case.params
    if "rank" in params:
        check_rank(params["rank"])
        if params["rank"] not in DEFEND_RANKS:
            reason = f"Defend doubles the Agility, Athletics or Hide rank, not {params['rank'].capitalize()}."
            yield Objection(reason, "d6.act.defend.choice")


def defend(draft: Draft, act: Act) -> Act:
    """Raise Defense by twice a rank, until the next turn begins or the bonus has caused a miss."""
    rank = act.params["rank"]
    bonus = 2 * draft.fighter(act.who).stats[rank]
    draft.end_effects(act.who, "defending")
    text = f"has Defense +{bonus}: {rank} doubled"
    anchor = f"turn_start:{act.who}"
    draft.effect(
        act.who,
        "defending",
        value=rank,
        modifiers={"defense": bonus},
        anchor=anchor,
        rule="d6.act.defend.duration",
        text=text,
    )
    return act


def check_aim(case: Case) -> Iterable[Objection]:
    """One of two options; a rank belongs to the first."""
    option, rank = case.params.get("option"), case.params.get("rank")
    if option is not None and option not in AIMS:
        raise UnknownName.of("option of aim", option, AIMS)
    if rank is not None:
        check_rank(rank)
        if option == "range":
            yield Objection("An Aim adds a rank or ignores a range penalty, not both.", "d6.act.aim.exclusive")
        elif rank not in AIM_RANKS:
            yield Objection(f"Aim adds the Tactics or Search rank, not {rank.capitalize()}.", "d6.act.aim.bonus")


def aim(draft: Draft, act: Act) -> Act:
    """Keep a bonus, or the right to ignore 1D of a far range's penalty, for the next attack roll."""
    option = act.params["option"]
    stats = draft.fighter(act.who).stats
    old = aims(draft.fighter(act.who)).get(option)
    if old is not None:
        draft.end_effect(act.who, old)
    value: dict[str, Any] = {"option": option}
    if option == "bonus":
        rank = act.params.get("rank") or max(AIM_RANKS, key=lambda r: stats[r])
        value |= {"rank": rank, "add": stats[rank]}
        text, rule = f"has {stats[rank]:+d} ({rank}) on the next attack roll", "d6.act.aim.bonus"
    else:
        text, rule = "ignores up to 1D of the penalty at Long or further", "d6.act.aim.range"
    turn = draft.state.turn
    if turn is not None and turn.who == act.who and draft.state.options["aim_expires"] == "own_turn":
        value["turn"] = turn.seq
    draft.effect(act.who, "aiming", value=value, rule=rule, text=text)
    return act


def expire_aims(draft: Draft, turn: Turn) -> None:
    """End every Aim that was taken before the turn that ends now, where a table lets it wait no longer."""
    if draft.state.options["aim_expires"] == "own_turn":
        for effect in aims(draft.fighter(turn.who)).values():
            if effect.value.get("turn") != turn.seq:
                draft.end_effect(turn.who, effect, text="has let the aim pass")


MECHANISMS: dict[str, Mechanism] = {
    "attack": Mechanism(
        check_attack,
        (Stage(ROLLED, roll_attack, (in_range,)), Stage("result", result_attack, ()), Stage("damage", damage)),
    ),
    "check": Mechanism(check_check, (Stage(ROLLED, roll_check), Stage("result", result_check))),
    "defend": Mechanism(check_defend, (Stage("defend", defend),)),
    "aim": Mechanism(check_aim, (Stage("aim", aim),)),
}
