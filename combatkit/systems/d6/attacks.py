"""Rolls and what comes of them: attacks, damage, attribute checks."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from msgspec.structs import replace

from combatkit.core.dice import Dice, parse_dice
from combatkit.core.faces import NO_FACES, Rolled
from combatkit.core.model import Act, Effect, Fighter, State, Turn
from combatkit.errors import UnknownName
from combatkit.rules.case import Ask, Case, Mechanism, Objection, Stage
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import as_struck, is_stated, named_modifiers, roll_data, tell_attack
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import MELEE, Weapon, wielded, within_reach
from combatkit.systems.d6.aid import ROLLED, helpers, with_help
from combatkit.systems.d6.arms import PENALTIES, SIDES, attributes_of, check_named, code_of
from combatkit.systems.d6.fates import suffer
from combatkit.systems.d6.places import band_between
from combatkit.systems.d6.stats import check_rank, increase
from combatkit.text import Title, say

# ── the destiny die ──


MOMENTUM = "gain_momentum"


def throw(draft: Draft, dice: int, sides: int, *keys: str) -> Rolled:
    """Roll dice, or none if there are none to roll."""
    return draft.throw(dice, sides, *keys) if dice else Rolled((), "seeded", 0)


def by_hand(draft: Draft, dice: int, sides: int, *keys: str) -> Rolled | None:
    """Return dice that were rolled at the table; None if there are none, without asking the seed."""
    given = draft.faces.take((sides,) * dice, *keys) if dice else None
    return None if given is None else Rolled(given, "table", 0)


def check_destiny(state: State, params: Mapping[str, object]) -> None:
    """Check a destiny that was given: Gain Momentum, or one from the table.

    Raises
    ------
    UnknownName
        If there is no such effect.
    """
    given = params.get("destiny", MOMENTUM)
    if given not in destinies(state):
        raise UnknownName.of("destiny", given, destinies(state))


def destinies(state: State) -> tuple[str, ...]:
    """Return what a destiny die can bring."""
    rows = state.tables.get("destiny", ())
    return tuple(dict.fromkeys([MOMENTUM, *(row.get("effect", row["id"]) for row in rows)]))


def throw_destiny(draft: Draft, act: Act, *, of_table: bool = False) -> str | None:
    """Roll the destiny die if a table says which numbers bring what; if not, take only one rolled at the table."""
    rows = draft.state.tables.get("destiny")
    if not rows:
        return None
    rolled = by_hand(draft, 1, 20, "destiny") if of_table else draft.throw(1, 20, "destiny")
    if rolled is None:
        return None
    effect = next((str(r.get("effect", r["id"])) for r in rows if rolled.sum in r["faces"]), None)
    data = {**roll_data("destiny", Dice(1, 20), rolled, rolled.sum), "outcome": effect}
    text = say("destiny.rolls", total=rolled.sum, effect=Title((effect or "").replace("_", " ")))
    draft.emit("roll", act.who, act.action, amount=rolled.sum, text=text, data=data)
    return effect


def gain(draft: Draft, who: str, destiny: str | None) -> None:
    """Gain Momentum: one more Action this turn, and the cap goes up by one."""
    if destiny != MOMENTUM:
        return
    turn, cited = draft.state.turn, ("d6.turn.cap-momentum",)
    if turn is None or turn.who != who:  # a held action's: on another's turn there is no cap to lift
        draft.emit("fact", who, text=say("destiny.late"), rules=cited, data={"facts": {}})
        return
    data: dict[str, object] = {"pools": {}, "raised": {who: {"action": 1, "cap": 1}}, "at": "momentum"}
    draft.emit("refresh", who, text=say("destiny.momentum"), rules=cited, data=data)


# ── Defend and Aim ──


DEFEND_RANKS = ("agility", "athletics", "hide")
AIM_RANKS = ("tactics", "search")
AIMS = ("bonus", "range")


def aims(fighter: Fighter) -> list[Effect]:
    """Return the Aims that wait for the next attack roll."""
    return [e for e in fighter.effects if e.id == "aiming" and isinstance(e.value, dict) and "option" in e.value]


def added(aimed: Iterable[Effect]) -> dict[str, int]:
    """Return what Aims add to an attack roll, by rank."""
    found: dict[str, int] = {}
    for effect in aimed:
        if effect.value["option"] == "bonus":
            rank = effect.value["rank"]
            found[rank] = found.get(rank, 0) + effect.value["add"]
    return found


def end_aims(draft: Draft, who: str) -> None:
    """Use up all of somebody's Aims."""
    for effect in aims(draft.state.fighters[who]):
        draft.end_effect(who, effect, text=say("aim.used"))


def check_defend(case: Case) -> Iterable[Objection]:
    """Allow only one of three ranks."""
    params = case.params
    if "rank" in params:
        check_rank(params["rank"])
        if params["rank"] not in DEFEND_RANKS:
            reason = f"Defend uses the Agility, Athletics or Hide rank, not {params['rank'].capitalize()}."
            yield Objection(reason, "d6.act.defend.choice")


def defend(draft: Draft, act: Act) -> Act:
    """Raise Defense by twice a rank, until the next turn begins or the bonus has caused a miss; another adds to it."""
    rank = act.params["rank"]
    bonus = 2 * increase(draft.rules, draft.state.fighters[act.who], rank)
    text = say("defend.raises", of="" if bonus else "none", bonus=bonus)
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
    """Allow only one of two options; a rank belongs to the first."""
    option, rank = case.params.get("option"), case.params.get("rank")
    if option is not None and option not in AIMS:
        raise UnknownName.of("option", option, AIMS, owner="aim")
    if rank is not None:
        check_rank(rank)
        if option == "range":
            yield Objection("An Aim adds a rank or ignores a range penalty, not both.", "d6.act.aim.exclusive")
        elif rank not in AIM_RANKS:
            yield Objection(f"Aim adds the Tactics or Search rank, not {rank.capitalize()}.", "d6.act.aim.bonus")


def aim(draft: Draft, act: Act) -> Act:
    """Keep a bonus, or the right to ignore 1D of a far range's penalty, for the next attack roll."""
    option = act.params["option"]
    ranks = {rank: increase(draft.rules, draft.state.fighters[act.who], rank) for rank in AIM_RANKS}
    if not draft.state.options["aims_add"]:
        for old in aims(draft.state.fighters[act.who]):
            if old.value["option"] == option:
                draft.end_effect(act.who, old, text=say("aim.replaced"))
    value: dict[str, object] = {"option": option}
    if option == "bonus":
        rank = act.params.get("rank") or max(AIM_RANKS, key=lambda r: ranks[r])
        value |= {"rank": rank, "add": ranks[rank]}
        named = None if "rank" in act.params else Title(rank.capitalize())  # as the action says
        of = "" if ranks[rank] else "none"
        text, rule = say("aim.adds", of=of, add=ranks[rank], rank=named), "d6.act.aim.bonus"
    else:
        text, rule = say("aim.ignores"), "d6.act.aim.range"
    turn = draft.state.turn
    if turn is not None and turn.who == act.who and draft.state.options["aim_expires"] == "own_turn":
        value["turn"] = turn.seq
    draft.effect(act.who, "aiming", value=value, rule=rule, text=text)
    return act


def expire_aims(draft: Draft, turn: Turn) -> None:
    """End every Aim taken before the turn that ends now, if the table lets none wait longer."""
    if draft.state.options["aim_expires"] == "own_turn":
        for effect in aims(draft.state.fighters[turn.who]):
            if effect.value.get("turn") != turn.seq:
                draft.end_effect(turn.who, effect, text=say("aim.passes"))


# ── attacks and checks ──


MARGIN = 7
"""How far above Defense an attack roll halves armor."""

# ── what is rolled ──


class Shot(NamedTuple):
    """An attack before its dice: the weapon, the Aims, the band, the dice left after the penalty, what is added.

    `ranged` is whether the band's rule holds: from afar, at an enemy.
    """

    weapon: Weapon
    aimed: list[Effect]
    band: str | None
    ranged: bool
    penalty: int
    dice: int
    addends: tuple[tuple[int, str], ...]


class Thrown(NamedTuple):
    """An attack roll: what it comes to, what of that was added, what else is told of it, and the rules it rests on."""

    total: int
    modifiers: dict[str, int]
    data: dict[str, object]
    cited: tuple[str, ...]


def shot_of(case: Case) -> Shot | None:
    """Return what an attack rolls; None for somebody with no weapon to roll with."""
    fighter, params = case.fighter, case.params
    weapon = wielded(case)
    if "attack" not in weapon:
        return None
    code = code_of(weapon["attack"])
    addends = [(code.plus, "pips")] if code.plus else []
    aimed = aims(fighter)
    addends.extend((add, f"aim ({rank})") for rank, add in added(aimed).items())
    addends.extend(_by_conditions(case, "attack"))
    addends.extend(named_modifiers(params, case.rules.struck_by))
    band, ranged = None, weapon.get("range") != MELEE
    penalty = 0
    if params.get("target"):
        target = case.state.fighters[params["target"][0]]
        band = band_between(case.rules, case.state, fighter, target)
        ranged = ranged and target.side != fighter.side
        if ranged:
            penalty = PENALTIES[band]
            if band in ("long", "extreme"):
                penalty = min(0, penalty + len([effect for effect in aimed if effect.value["option"] == "range"]))
    return Shot(weapon, aimed, band, ranged, penalty, max(0, code.count + penalty), tuple(addends))


def _by_conditions(case: Case, *numbers: str) -> list[tuple[int, str]]:
    """Return what conditions add to a roll, whatever else is added to it."""
    if not case.fighter.effects:
        return []
    more = sum([case.rules.bonus(case.fighter, number) for number in numbers])
    return [(more, "conditions")] if more else []


def attack_asks(case: Case) -> tuple[Ask, ...]:
    """Return the rolls of an attack: to hit, the destiny die if a table says what it brings, damage."""
    state, params = case.state, case.params
    shot = shot_of(case)
    if shot is None:
        return ()
    target = state.fighters[params["target"][0]] if params.get("target") else None
    needed = case.rules.value(as_struck(case.rules, target, params), "defense") if target is not None else None
    asks = [Ask("attack", shot.dice, SIDES, shot.addends, needed, "d6.act.attack")]
    if "destiny" not in params and state.tables.get("destiny"):
        asks.append(Ask("destiny", 1, 20))
    dice = _damage_dice(case, shot.weapon)
    if dice is not None and dice.count:
        asks.append(Ask.of("damage", dice, "pips"))
    return tuple(asks)


def check_asks(case: Case) -> tuple[Ask, ...]:
    """Return the roll of an attribute check; none if no attribute is named."""
    fighter, params = case.fighter, case.params
    named = params.get("option")
    code = attributes_of(fighter).get(named) if named else None
    if code is None:
        return ()
    addends = [(code.plus, "pips")] if code.plus else []
    if "rank" in params:
        addends.append((case.value(params["rank"]) or 0, params["rank"]))
    addends.extend(_by_conditions(case, "skill", *(() if named in case.rules.stats else (str(named),))))
    addends.extend(named_modifiers(params))
    return (Ask("skill", code.count, SIDES, tuple(addends), params.get("needed"), "d6.act.skill"),)


# ── attack ──


def check_attack(case: Case) -> Iterable[Objection]:
    """Check that weapon and destiny exist; a roll is always against one target."""
    params = case.params
    if "weapon" in params:
        check_named(case.fighter, params["weapon"])
    check_destiny(case.state, params)
    if len(case.targets) > 1:
        yield case.object(f"{case.action.title} takes one target.", firm=True)


def roll_attack(draft: Draft, act: Act) -> Act:
    """Roll to hit; where nobody can help, say at once what it came to."""
    case = draft.case(act)
    shot = shot_of(case)
    said = act.params.get("outcome")
    if shot is None:  # whatever is rolled is rolled at the table, and is the next attack roll all the same
        gain(draft, act.who, act.params.get("destiny"))
        act = act if said is None else _by_word(draft, act, said)
        end_aims(draft, act.who)
        return act
    if shot.penalty and shot.band is not None and draft.faces is not NO_FACES:
        whole = code_of(shot.weapon["attack"]).count
        draft.faces.why["attack"] = f"{whole}D, less {-shot.penalty}D at {shot.band.capitalize()}"
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
    thrown = {**roll_data("attack", dice, rolled, rolled.sum + plus), "notation": dice.code}
    thrown["modifiers"] = Ask("attack", shot.dice, SIDES, shot.addends).added
    if shot.band is not None:
        thrown |= {"band": shot.band, "penalty": shot.penalty}
    cited = tuple(_range_rules(shot))
    result: dict[str, object] = {"total": thrown["total"], "modifiers": thrown["modifiers"]}
    waits = said is None and helpers(draft.state, act.who)
    if waits:
        text = say("attack.to_hit", total=thrown["total"], needed=None, target=act.targets[0], outcome="")
        data = {**thrown, "waits": True}
        event = draft.emit("roll", act.who, act.action, act.targets[0], thrown["total"], text, cited, data=data)
        result |= {"roll": event.seq, "modifier": plus}
    else:
        result |= _conclude(draft, act, Thrown(thrown["total"], thrown["modifiers"], thrown, cited))
    end_aims(draft, act.who)
    gain(draft, act.who, act.params.get("destiny") or throw_destiny(draft, act))
    return replace(act, result=result)


def _by_word(draft: Draft, act: Act, said: str) -> Act:
    """Log what the table says an attack came to: no dice are rolled, so no rule about dice is cited."""
    (name,) = act.targets
    tell_attack(draft, act, name, said, by="gm")
    return replace(act, result={"outcome": said})


def _range_rules(shot: Shot) -> Iterable[str]:
    aimed = {effect.value["option"] for effect in shot.aimed}
    if "bonus" in aimed:
        yield "d6.act.aim.bonus"
    if shot.band is None or not shot.ranged:
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
    total, modifiers, cited = with_help(draft, act)
    helped = total - act.result["total"]
    said = {"roll": act.result["roll"], "modifier": act.result["modifier"] + helped}
    came_to = _conclude(draft, act, Thrown(total, modifiers, said, cited))
    return replace(act, result={**act.result, "total": total, **came_to})


def _conclude(draft: Draft, act: Act, thrown: Thrown) -> dict[str, object]:
    """Compare an attack roll with Defense; a Defend bonus is spent only by a miss it caused."""
    (name,) = act.targets
    total, modifiers, data, cited = thrown
    said = None if "roll" in data else act.params.get("outcome")
    target = draft.state.fighters[name]
    needed = draft.rules.value(as_struck(draft.rules, target, act.params), "defense")
    defending = [effect for effect in target.effects if effect.id == "defending"]
    rolled = None if needed is None else "hit" if total >= needed else "miss"
    outcome = said or rolled
    data = {**data, "total": total, "needed": needed, "outcome": outcome, "modifiers": modifiers}
    told = "attack.comes_to" if "roll" in data else "attack.to_hit"  # dice thrown before, to which help may have come
    text = say(told, total=total, needed=needed, target=name, outcome=Title(outcome or ""))
    overruled = said is not None and rolled is not None and said != rolled
    if overruled:
        text = say("attack.overruled", attack=text)
    rules = cited if overruled else ("d6.hit.ge", *cited)
    # Neither a roll that would have missed anyway uses the bonus up, nor one that hits all the same.
    bonus = None if not defending or overruled else sum(effect.modifiers.get("defense", 0) for effect in defending)
    spent = bonus is not None and needed is not None and needed - bonus <= total < needed
    if bonus is not None and needed is not None and not spent:
        rules = (*rules, "d6.act.defend.not-expended")
    draft.emit("attack", act.who, act.action, name, total, text, rules, "gm" if said else "rules", data)
    for effect in defending if spent else ():
        draft.end_effect(name, effect, text=say("defend.spent"), rule="d6.act.defend.expend")
    return {"outcome": outcome, "needed": needed}


# ── damage ──


def _damage_dice(case: Case, weapon: Weapon) -> Dice | None:
    given: int | str | None = case.params.get("damage", weapon.get("damage"))
    if given is None:
        return None
    return parse_dice(given) or code_of(given) if isinstance(given, str) else Dice(0, SIDES, given)


def damage(draft: Draft, act: Act) -> Act:
    """Roll damage for a hit, subtract armor, and take the rest off Resolve."""
    outcome = act.result.get("outcome")
    case = draft.case(act)
    weapon = wielded(case)
    dice = _damage_dice(case, weapon)
    if dice is None:
        return act
    if outcome != "hit" and not (outcome is None and is_stated(draft, act)):
        draft.faces.pass_by(len(dice.each), "damage")
        return act
    (name,) = act.targets
    rolled = draft.cast(dice.each, "damage")
    total = max(0, dice.total(rolled.faces))
    data: dict[str, object] = {}
    if dice.each:
        data = {**roll_data("damage", dice, rolled, total), "notation": draft.rules.notation(dice)}
    armor, cited = _armor(draft, act, weapon, name)
    lost = max(0, total - armor)
    cited = ("d6.dmg.roll", "d6.dmg.resolve", *cited, *(("d6.dmg.floor",) if armor > total else ()))
    data |= {"rolled": total, "armor": armor}
    if "d6.dmg.margin7" in cited:
        data["halved"] = _rating(draft, weapon, name)
    suffer(draft, act, lost, cited, data)
    return act


def rated(rules: Ruleset, fighter: Fighter, armor: int) -> int:
    """Return an armor rating with what conditions add to it: armor adds nothing to damage."""
    return max(0, armor + rules.bonus(fighter, "armor"))


def _rating(draft: Draft, weapon: Weapon, name: str) -> int:
    """Return the armor that somebody has against a weapon."""
    target = draft.state.fighters[name]
    armor = target.stats["armor"]
    stated: int = armor.get(weapon.get("type", ""), 0) if isinstance(armor, Mapping) else armor
    return rated(draft.rules, target, stated)


def _armor(draft: Draft, act: Act, weapon: Weapon, name: str) -> tuple[int, tuple[str, ...]]:
    """Return the armor that counts; a roll seven above Defense halves it, unless the attack is Piercing."""
    rating = _rating(draft, weapon, name)
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
    """Check that attribute and rank are the character's own; a use that the text lists needs no attribute."""
    params = case.params
    check_destiny(case.state, params)
    if "rank" in params:
        check_rank(params["rank"])
    known = case.rules.listed(case, "option")
    if "option" in params and known is not None and params["option"] not in known:
        raise UnknownName.of("attribute or use of a skill", params["option"], known)
    if "needed" in params and not check_asks(case):
        return (case.object("Nothing is rolled: name an attribute, or leave out the number to meet."),)
    return ()


def roll_check(draft: Draft, act: Act) -> Act:
    """Roll an attribute check: it succeeds by the number to meet, if one was given, or as the table says."""
    destiny = act.params.get("destiny")
    asks = check_asks(draft.case(act))
    result: dict[str, object] = {}
    if asks:
        (ask,) = asks
        rolled = throw(draft, ask.dice, SIDES, "skill", act.who)
        plus = sum(n for n, _ in ask.addends)
        dice = Dice(ask.dice, SIDES, plus)
        total = rolled.sum + plus
        data = {**roll_data("skill", dice, rolled, total), "notation": dice.code}
        data["modifiers"] = ask.added
        waits = bool(helpers(draft.state, act.who))
        if waits:
            data["waits"] = True
        judged = {} if waits else judge(act.params.get("needed"), total)
        data |= judged
        text = say("check.rolls", total=total, attribute=Title(act.params["option"]), **said_of(judged))
        event = draft.emit("roll", act.who, act.action, amount=total, text=text, rules=("d6.act.skill",), data=data)
        if waits:
            result = {"total": total, "modifiers": data["modifiers"], "modifier": plus, "roll": event.seq}
    gain(draft, act.who, destiny)
    return replace(act, result=result)


def judge(needed: int | None, total: int) -> dict[str, object]:
    """Return the number a check needs, and whether it is met; nothing if the table judges it."""
    return {} if needed is None else {"needed": needed, "outcome": "passed" if total >= needed else "failed"}


def said_of(judged: Mapping[str, object]) -> dict[str, Any]:
    """Return what is said of it."""
    return {"needed": judged.get("needed"), "outcome": Title(str(judged.get("outcome", "")))}


def result_check(draft: Draft, act: Act) -> Act:
    """Say what a check that waited for Help came to."""
    if "roll" not in act.result:
        return act
    total, modifiers, cited = with_help(draft, act)
    modifier = act.result["modifier"] + total - act.result["total"]
    judged = judge(act.params.get("needed"), total)
    data = {"total": total, "modifier": modifier, "modifiers": modifiers, "roll": act.result["roll"], **judged}
    text = say("check.comes_to", total=total, help=say("check.helped") if cited else None, **said_of(judged))
    draft.emit("roll", act.who, act.action, amount=total, text=text, rules=cited or ("d6.act.skill",), data=data)
    return act


MECHANISMS: dict[str, Mechanism] = {
    "attack": Mechanism(
        check_attack,
        (Stage(ROLLED, roll_attack, (within_reach,)), Stage("result", result_attack, ()), Stage("damage", damage)),
    ),
    "check": Mechanism(check_check, (Stage(ROLLED, roll_check), Stage("result", result_check))),
    "defend": Mechanism(check_defend, (Stage("defend", defend),)),
    "aim": Mechanism(check_aim, (Stage("aim", aim),)),
}
