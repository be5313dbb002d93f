"""Attacks: what is needed to hit, routines, multipliers, and what damage breaks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from msgspec.structs import replace

from combatkit.core.dice import Dice
from combatkit.core.faces import Rolled
from combatkit.core.model import Act, Fighter, State
from combatkit.rules.case import Ask, Case, Question
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import as_struck, damage_dice, log_damage, named_modifiers, roll_data, tell_attack
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.vitals import fall_or_rise
from combatkit.systems.segments.concentration import break_concentration
from combatkit.systems.segments.moving import due_last, move_place, show_speed
from combatkit.systems.segments.notation import as_dice, read_aac0, read_hit_dice
from combatkit.systems.segments.tables import rows
from combatkit.systems.segments.weapons import arm_of, changed, engage, named_weapon
from combatkit.text import Title, say

OUTCOMES = ("hit", "miss", "foiled")
"""What an attack can come to."""

_PLATEAU = 5
"""Six 20s in a row: after the first, this many armor classes still need only a 20."""


def needed(aac0: int | str, ac: int) -> int:
    """Return the modified roll that hits an armor class.

    Parameters
    ----------
    aac0 : int or str
        What is needed against AC 0; ``"20*"`` needs a 20 against AC 1 as well.
    ac : int
        The target's armor class, lower being better.

    Returns
    -------
    int
        The modified score. The attack tables hold six 20s before a 21 is needed.

    Examples
    --------
    >>> [needed("20*", ac) for ac in (2, 1, -4, -5)], needed(15, 3), needed(21, 0)
    ([19, 20, 20, 21], 12, 21)
    """
    if isinstance(aac0, str):
        aac0 = read_aac0(aac0)
    first = 1 if isinstance(aac0, str) else aac0 - 20 if aac0 <= 20 else aac0 - 15
    if ac > first:
        return 20 + first - ac
    return 20 if ac >= first - _PLATEAU else 20 + (first - _PLATEAU) - ac


class Rating(NamedTuple):
    """What enhanced hit dice mean: the attack column, the hit dice for saves, the morale bonus, the hit points."""

    attack_as: int | str | None
    save_hd: int | None
    morale: int
    hp_dice: str | None
    table: str


def rating_of(stats: Mapping[str, Any]) -> Rating:
    """Return the hit dice a combatant attacks and saves with."""
    dice, plus, less = read_hit_dice(stats.get("hit_dice"))
    level: int = stats.get("class_level") or 0
    if less and not level:
        return Rating("½", 0, 0, less, "monster")
    if not dice and not plus:
        return Rating(level or None, None, 0, less or None, "class")
    if level:  # enhancements are for creatures without a class
        higher = level > dice
        return Rating(level if higher else dice, dice, 0, f"{dice}d8", "class" if higher else "monster")
    if plus < 0:
        return Rating(f"{dice}{plus}", dice, 0, f"{dice}d8{plus}", "monster")
    column: int | str = dice if not plus else f"{dice}+" if plus <= 3 else dice + 1
    points = f"{dice}d8+{dice * plus}" if plus else f"{dice}d8"
    return Rating(column, dice + -(-plus // 4), plus, points, "monster")


def aac0_of(rules: Ruleset, state: State, fighter: Fighter, stated: int | str | None = None) -> int | str | None:
    """Return a combatant's AAC0: the attack line's, their own, or the supplied table's; None if none says.

    Effects are added in; they leave a "20*" alone, since it lies between two numbers.
    """
    own = stated if stated is not None else fighter.stats.get("aac0")
    if own is None:
        rating = rating_of(fighter.stats)
        table = rows(rules, state, "attack_tables") if rating.attack_as is not None else ()
        fits = (r["aac0"] for r in table if r["table"] == rating.table and r["row"] == str(rating.attack_as))
        own = next(fits, None)
    if own is None:
        return None
    aac0 = read_aac0(own)
    return aac0 + changed(fighter, "aac0") if type(aac0) is int else aac0


def number_rules(fighter: Fighter, target: Fighter, stated: int | str | None, aac0: int | str) -> Iterator[str]:
    """Yield the rules behind the number that hits: whose table, which hit dice, repeated 20s, changes of AC.

    `stated` is the attack line's AAC0, `aac0` the one that counts.
    """
    level: int = fighter.stats.get("class_level") or 0
    charted = stated is None and fighter.stats.get("aac0") is None
    if charted:
        yield "segments.atk.tables"
        dice, plus, _ = read_hit_dice(fighter.stats.get("hit_dice"))
        if level and dice:
            yield "segments.hd.higher" if level > dice else "segments.hd.race"
        elif plus > 0 and not level:
            yield "segments.ehd.atk-low" if plus <= 3 else "segments.ehd.atk-high"
    if isinstance(aac0, str):
        yield "segments.aac0.star"
    ac = armor_class(target)
    if needed(aac0, ac) >= 20 and needed(aac0, ac + 1) >= 20:
        yield "segments.rep20.six"
        if level and not charted:
            yield "segments.rep20.borrow"
    if any(effect.modifiers.get("ac") for effect in target.effects):
        yield "segments.ac.bonus-lowers"


def armor_class(fighter: Fighter) -> int:
    """Return a combatant's AC with its bonuses, which are written positive and lower it, from -10 to 10."""
    bonus = sum([e.modifiers.get("ac", 0) for e in fighter.effects])
    return max(-10, min(10, int(fighter.stats["ac"]) - bonus))


# ── routines ──


class Blow(NamedTuple):
    """One attack of a routine."""

    name: str
    damage: int | str | None
    aac0: int | str | None


def blows_of(fighter: Fighter, action: Action, params: Mapping[str, object]) -> tuple[Blow, ...]:
    """Return the attacks of a routine: one, unless a line says otherwise."""
    weapon, line, _ = arm_of(fighter, action, params)
    if line is None:
        damage: Any = as_dice(weapon.get("damage")) if weapon is not None else None
        return (Blow(named_weapon(fighter, action, params) or "", damage, None),)
    blows = tuple(Blow(s.name, s.damages[i], s.aac0) for s in line.strikes for i in range(s.times))
    return blows[:1] if "called" in action.tags else blows


def attack_asks(case: Case) -> tuple[Ask, ...]:
    """Return the rolls of a routine, as far as they are known."""
    fighter, params = case.fighter, case.params
    if due_last(case):
        return ()
    target = (
        next(iter(params.get("target", ())), None) if not isinstance(params.get("target"), str) else params["target"]
    )
    known = [aac0_of(case.rules, case.state, fighter, blow.aac0) for blow in blows_of(fighter, case.action, params)]
    foe = None if target is None else as_struck(case.rules, case.state.fighters[target], params)
    flees = fleeing_bonus(case.state, case.action, target)
    return tuple([_ask(case.rules, fighter, foe, aac0, params, flees) for aac0 in known if aac0 is not None])


def fleeing_bonus(state: State, action: Action, target: str | None) -> int:
    """Return what the table adds to a free attack on somebody who flees, while that is under way."""
    if action.id != "free_attack" or not state.options["flee_bonus"]:
        return 0
    flees = any(type(frame) is Act and frame.action == "flee" and frame.who == target for frame in state.focus)
    return int(state.options["flee_bonus"]) if flees else 0


def _ask(
    rules: Ruleset,
    fighter: Fighter,
    foe: Fighter | None,
    aac0: int | str | None,
    params: Mapping[str, Any],
    flees: int = 0,
) -> Ask:
    """Return the roll of one attack on a foe as it is struck; what it needs is not known without an AAC0."""
    bonus = [(e.modifiers["attack"], e.id) for e in fighter.effects if e.modifiers.get("attack")]
    if flees:
        bonus.append((flees, "flees"))
    wanted = None if foe is None or aac0 is None else needed(aac0, armor_class(foe))
    rule = "segments.atk.roll" if aac0 is None else "segments.aac0"
    return Ask("attack", 1, 20, (*bonus, *named_modifiers(params, rules.struck_by)), wanted, rule, naturals=True)


def strike(draft: Draft, act: Act) -> Act:
    """Roll every attack of the routine; a natural 20 hits and a natural 1 misses, whatever is needed."""
    action = draft.actions[act.action]
    fighter = draft.state.fighters[act.who]
    if due_last(draft.case(act)):
        return _goes_last(draft, act)
    if len(fighter.stats.get("weapons") or ()) > 1 and "melee" in action.tags:
        show_speed(draft, act.who, action, act.params)
    outcomes: list[list[object]] = []
    waits: dict[str, object] = {}
    for target in act.targets:
        for blow in blows_of(fighter, action, act.params):
            outcome, face, waiting = _blow(draft, act, fighter, target, blow)
            outcomes.append([outcome, face, blow.damage, target])
            waits |= waiting
    engage(draft, act, action)
    return replace(act, result={**act.result, "blows": outcomes, **waits})


def _goes_last(draft: Draft, act: Act) -> Act:
    """Put off a shot that takes loading, since that is complex for the delayed: it needs no words, and comes last."""
    value = {k: v for k, v in act.params.items() if k in ("weapon", "option", "target")}
    rule = "segments.delayed.delaying-complex"
    text = say("declared.last")
    draft.effect(act.who, "declared", value={"action": act.action, **value}, anchor="round_end", rule=rule, text=text)
    move_place(draft, act.who, text, (rule,))
    return replace(act, stage=len(draft.rules.mechanisms[draft.actions[act.action].does].stages))


def _blow(
    draft: Draft, act: Act, fighter: Fighter, target: str, blow: Blow
) -> tuple[str | None, int | None, dict[str, object]]:
    """Roll one attack: return its outcome, its face, and the roll if the GM has yet to rule on it."""
    state, action = draft.state, draft.actions[act.action]
    foe = state.fighters[target]
    foiled = _foils(foe, action)
    said = act.params.get("outcome") or ("foiled" if foiled else None)
    aac0 = aac0_of(draft.rules, state, fighter, blow.aac0)
    flees = fleeing_bonus(state, action, target)
    struck = as_struck(draft.rules, foe, act.params)
    ask = _ask(draft.rules, fighter, struck, aac0, act.params, flees)
    cited = [ask.rule, *(["segments.free.mods"] if flees else [])]
    if aac0 is not None:
        cited.extend(number_rules(fighter, struck, blow.aac0, aac0))
        rolled = draft.throw(1, 20, "attack", act.who)
    else:
        given = draft.faces.take((20,), "attack", act.who)
        if given is None:
            if said:
                tell_attack(draft, act, target, said, by="gm")
            return said, None, {}
        rolled = Rolled(given, "table", 0)
    modifier = sum([number for number, _ in ask.addends])
    face, outcome = rolled.sum, said
    total = face + modifier
    asked = False
    if modifier:
        cited.append("segments.atk.modified")
    if fighter.effects and fighter.effect("concentration") is not None:
        cited.append("segments.conc.no-penalty")
    if outcome is None and (ask.needed is not None or face in (1, 20)):
        outcome = "hit" if ask.lands(face) else "miss"
        if "called" in action.tags and outcome == "hit":
            asked = face == 20 and state.options["called_shot_on_20"] == "gm"
            outcome = None if asked else "wasted"
        if face in (1, 20):
            cited.append(f"segments.nat{face}")
    if outcome == "foiled":
        cited.append("segments.foiled")
        if foiled:
            cited.append("segments.foiled.apparent")
    data = roll_data("attack", Dice(1, 20, modifier), rolled, total)
    data |= {"needed": ask.needed, "outcome": outcome, "modifiers": ask.added}
    if blow.name:
        data["attack"] = blow.name
    if foiled:
        data["apparent"] = foiled == "hedged"
    shown = say("attack.hedged") if foiled == "hedged" else Title(outcome or "")
    needed = None if asked else ask.needed  # of a roll that waits, it is told with what the roll comes to
    known: dict[str, Any] = {} if needed is None else {"aac0": aac0, "ac": armor_class(struck)}
    text = say("attack.rolls_with", total=total, needed=needed, attack=blow.name, outcome=shown, **known)
    if not asked:
        draft.emit("attack", act.who, act.action, target, total, text, tuple(cited), data=data)
        return outcome, face, {}
    event = draft.emit("roll", act.who, act.action, target, total, text, tuple(cited), data=data | {"waits": True})
    kept = {key: data[key] for key in ("total", "modifier", "needed", "modifiers")}
    return outcome, rolled.sum, {"waiting": {"roll": event.seq, **kept}}


def _foils(target: Fighter, action: Action) -> str:
    """Say what protects a target from being touched: it is hedged, or immune to attacks altogether."""
    for effect in target.effects:
        if effect.id == "hedged" or (
            effect.id == "immune" and effect.value in (None, "attack", action.id, *action.tags)
        ):
            return effect.id
    return ""


def called_question(rules: Ruleset, state: State, act: Act, stage: str) -> Question | None:
    """Ask the GM what a natural 20 on a called shot does, while the target is there."""
    if stage != "strike" or "called" in act.result or "waiting" not in act.result:
        return None
    there = (state.fighters[name] for name in act.targets)
    if all(any(e.id == "left" or e.id in rules.fallen for e in target.effects) for target in there):
        return None
    text = say("question.called", who=act.who)
    return Question("called", text, ("some result", "wasted"), "segments.called.20")


def settle_called(draft: Draft, act: Act) -> Act:
    """Waste a called shot unless it is a natural 20 that the GM grants; what it then does is up to the GM.

    One that is foiled is wasted by that alone.
    """
    if act.params.get("outcome") == "hit" or any(outcome == "foiled" for outcome, *_ in act.result["blows"]):
        return act
    outcome = "hit" if act.result.get("called") == "some result" else "wasted"
    missed = all(came == "miss" for came, *_ in act.result["blows"])
    waiting = act.result.get("waiting")
    if waiting is not None:
        text = say("attack.called", total=waiting["total"], outcome=Title(outcome))
        data = {**waiting, "outcome": outcome}
        cited = ("segments.called.20",)
        draft.emit("attack", act.who, act.action, act.targets[0], waiting["total"], text, cited, data=data)
    if outcome == "wasted":
        of = "never" if draft.state.options["called_shot_on_20"] == "never" else ""
        text = say("attack.wasted", of=of) if waiting is None and not missed else say("attack.ruled")
        draft.emit("stopped", act.who, act.action, text=text, rules=("segments.called.20",), data={"act": act.seq})
    return replace(act, result={**act.result, "blows": [[outcome, *rest] for _, *rest in act.result["blows"]]})


# ── damage ──


def multiplier_of(given: int | Mapping[str, int] | Sequence[int] | None) -> int:
    """Return the damage multiplier: the highest one, combined only with what magic allows.

    Examples
    --------
    >>> (
    ...     multiplier_of([2, 3]),
    ...     multiplier_of({"back stab": 2, "set for charge": 3}),
    ...     multiplier_of({"charge": 2, "magic": 3}),
    ... )
    (3, 3, 6)
    """
    if given is None:
        return 1
    if isinstance(given, int):
        return max(1, given)
    if isinstance(given, Mapping):
        plain = [n for name, n in given.items() if name != "magic"]
        return max(plain, default=1) * int(given.get("magic", 1))
    return max(given, default=1)


def harm(draft: Draft, act: Act) -> Act:
    """Deal damage for each attack that hit: as given with the action, or else by the attack line.

    What a called shot comes to, or grabbing an item, is the GM's to say: its line deals nothing.
    """
    given, called = act.params.get("damage"), "called" in draft.actions[act.action].tags
    blows = act.result.get("blows", ()) if given is not None or not called else ()
    struck: set[str] = set()
    for outcome, _, damage, target in sorted(blows, key=lambda blow: blow[0] not in _HARMS):  # those that hit first
        amount = damage if given is None else given if target not in struck else None
        struck.add(target)
        if amount is None:
            continue
        if outcome in _HARMS:
            wound(draft, act, target, amount)
        else:
            draft.faces.pass_by(len(damage_dice(amount).each), "damage")
    return act


_HARMS = ("hit", None)
"""What an attack comes to that does damage: a hit, or what nobody has said."""


def wound(draft: Draft, act: Act, target: str, amount: int | str) -> None:
    """Take damage off the first vital, multiplied after all modifiers are added, and break concentration."""
    dice = damage_dice(amount)
    rolled = draft.cast(dice.each, "damage")
    usual = draft.actions[act.action].facts.get("multiplies")
    times = multiplier_of(act.params.get("multipliers", usual))
    total = max(0, dice.total(rolled.faces)) * times
    data: dict[str, object] = roll_data("damage", dice, rolled, total) if dice.each else {}
    rules: tuple[str, ...] = ()
    if times != 1:
        data["multiplier"] = times
        rules = ("segments.dmg.mult-all", "segments.dmg.mult-highest")
    held = log_damage(draft, act, target, total, data, rules)
    if total:
        break_concentration(draft, target, "segments.conc.break-damage", say("broken.damage"))
    fall_or_rise(draft, target, held)
