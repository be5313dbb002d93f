"""The ways actions are carried out that more than one system has: attacks, delays, readied actions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from combatkit.engine import flow
from combatkit.engine.acts import carry_on
from combatkit.engine.case import Case, Objection
from combatkit.engine.catalogue import Action
from combatkit.engine.dice import Dice, parse_dice
from combatkit.engine.draft import Draft, Rolled
from combatkit.engine.model import Act, Deed, Fighter, Place, State, Window
from combatkit.engine.params import as_names, trigger_text
from combatkit.engine.ruleset import Ask, Mechanism, Ruleset, Stage
from combatkit.engine.rulings import demands, never_aimed, readied
from combatkit.engine.timing import turn_gone, wait_for
from combatkit.engine.triggers import is_by, never_comes_true, told_of

# ── attacks
# ────────────────────────────────────────────────────────────────────────────────────────────────────────────


def named_modifiers(params: Mapping[str, Any]) -> tuple[tuple[int, str], ...]:
    """Return the modifiers given with an action, each with its name."""
    given = params.get("modifiers")
    if given is None:
        return ()
    if type(given) is int:
        return ((given, "modifier"),) if given else ()
    return tuple((n, name) for name, n in given.items())


def roll_data(purpose: str, dice: Dice, rolled: Rolled, total: int) -> dict[str, Any]:
    """Return what an event with dice holds about them."""
    data: dict[str, Any] = {
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
    """Roll an attack where the attacker has a bonus or a face was thrown.

    Say hit or miss where the target's value is known.
    """
    rules = draft.rules
    action = rules.catalogue(draft.state)[act.action]
    outcomes: dict[str, Any] = {}
    for target in act.targets:
        params = act.params if len(act.targets) == 1 else {**act.params, "target": [target]}
        asks = rules.asks(Case(rules, draft.state, draft.fighter(act.who), action, params))
        ask = next(iter([each for each in asks if each.purpose == "attack"]), None)
        outcomes[target] = _strike_one(draft, act, action, target, ask)
    return replace(act, result={"outcome": outcomes})


def _strike_one(draft: Draft, act: Act, action: Action, target: str, ask: Ask | None) -> str | None:
    said = act.params.get("outcome")
    if ask is None or said:  # nothing to roll with, or nothing to roll for: only what was rolled at the table counts
        ask = ask or Ask("attack", 1, 20, named_modifiers(act.params))
        given = draft.faces.take(ask.dice, ask.sides, "attack", act.who)
        if given is None:
            return _strike_unrolled(draft, act, target, said)
        rolled = Rolled(given, "table", 0)
    else:
        rolled = draft.throw(ask.dice, ask.sides, "attack", act.who)
    modifier = sum([n for n, _ in ask.addends])
    total = rolled.sum + modifier
    lands = ask.needed is not None and draft.rules.lands(draft.state, ask, rolled.faces, total)
    outcome = said or (None if ask.needed is None else ("hit" if lands else "miss"))
    data = _attack_data(Dice(ask.dice, ask.sides, modifier), rolled, ask.needed, outcome, ask.addends)
    text = (
        f"rolls {total}"
        + (f" against {ask.needed}" if ask.needed is not None else "")
        + (f": {outcome}" if outcome else "")
    )
    cited = tuple(filter(None, (ask.rule, ask.even if total == ask.needed else "")))
    draft.emit("attack", act.who, act.action, target, total, text, cited, by="gm" if said else "rules", data=data)
    return outcome


@lru_cache(maxsize=4096)
def _attack_data(
    dice: Dice, rolled: Rolled, needed: int | None, outcome: str | None, addends: tuple[tuple[int, str], ...]
) -> dict[str, Any]:
    """Say how an attack was rolled; alike time and again, so that a long log holds it once."""
    data = roll_data("attack", dice, rolled, rolled.sum + dice.plus)
    return {**data, "needed": needed, "outcome": outcome, "modifiers": {name: n for n, name in addends}}


def _strike_unrolled(draft: Draft, act: Act, target: str, said: str | None) -> str | None:
    if said:
        data: dict[str, Any] = {"total": None, "needed": None, "outcome": said, "modifiers": {}}
        draft.emit("attack", act.who, act.action, target, text=said, by="gm", data=data)
    return said


def harm(draft: Draft, act: Act) -> Act:
    """Deal the damage given with an action to each target it did not miss."""
    outcomes = act.result.get("outcome", {})
    for target in act.targets:
        if outcomes.get(target) in ("hit", None):
            bookkeep_damage(draft, act, target)
        elif "damage" in act.params:
            draft.faces.pass_by(damage_dice(act.params["damage"]).count, "damage")
    return act


def damage_dice(given: int | str) -> Dice:
    """Return the dice of damage that was given with an action and has been checked: a number, or dice."""
    dice = Dice(0, 6, given) if type(given) is int else parse_dice(str(given))
    assert dice is not None
    return dice


def bookkeep_damage(draft: Draft, act: Act, target: str) -> None:
    """Take given damage, a number or dice, off the target's first vital."""
    given = act.params.get("damage")
    if given is None or not draft.rules.vitals:
        return
    dice = damage_dice(given)
    rolled = draft.throw(dice.count, dice.sides, "damage", act.who) if dice.count else Rolled((), "table", 0)
    total = max(0, rolled.sum + dice.plus)
    vital = draft.rules.vitals[0].name
    held = draft.fighter(target).vitals.get(vital)
    data: dict[str, Any] = roll_data("damage", dice, rolled, total) if dice.count else {}
    data |= {"rolled": total, "armor": 0}
    text = f"loses {total}"
    if held is not None:  # of what nobody has stated there is no rest
        data |= {"vital": vital, "left": held - total}
        text += f", {held - total} left"
    draft.emit("damage", act.who, act.action, target, total, text, data=data)


# ── delay
# ──────────────────────────────────────────────────────────────────────────────────────────────────────────────


def check_delay(case: Case) -> Iterable[Objection]:
    """Refuse a delay once anything but a free action was taken, or to a place the system does not allow."""
    state, params = case.state, case.params
    name, turn = case.fighter.name, state.turn
    if turn is None or turn.who != name or not turn.place:
        reason = f"{name} has no turn to delay right now; the GM can move them in the order instead (place)."
        yield case.object(reason, firm=True)
        return
    if turn.touched > 1:
        yield case.object(f"{name} has already acted this turn.")
    named = [side for side in SIDES if side in params]
    if len(named) + ("count" in params) > 1:
        yield case.object("A delay goes to one place: give count, before or after.", firm=True)
        return
    place = state.place(turn.place)
    if named:
        other = state.place_of(params[named[0]])
        if other is None or other.id == place.id:
            yield case.object(f"{name} can't wait for {params[named[0]]}'s place.", firm=True)
            return
    yield from case.rules.delay_objections(state, case.fighter, place, params)


SIDES = ("before", "after")
"""The last term of a place's key if it stands beside another: ``("before", "Vex")``."""


def is_beside(place: Place) -> bool:
    """Check whether a place has its standing from another, which it was put just before or after."""
    return bool(place.key) and place.key[-1][0] in SIDES


def beside(place: Place, other: Place, side: str = "before") -> Place:
    """Return a place the standing of another, to be put just before or after it."""
    key = (*(term for term in other.key if term[0] not in SIDES), (side, other.who))
    return replace(place, score=other.score, rank=other.rank, key=key, was=None, why="", why_rule="", waits=False)


def rerank(
    draft: Draft, place: Place, rank: tuple[Any, ...], key: tuple[tuple[str, Any], ...], text: str, *rules: str
) -> None:
    """Put one on the ladder where a new rank belongs, and with it those who stand beside it."""
    if (rank, key) == (place.rank, place.key):
        return
    agenda = draft.state.agenda
    index = next(i for i, p in enumerate(agenda) if p.id == place.id)
    draft.order(replace(place, rank=rank, key=key), text, rules)
    along = _companions(agenda, place)
    for side, others in (("before", agenda[:index]), ("after", agenda[:index:-1])):
        for other in others:
            if other.who in along:
                stays = replace(other, rank=rank, key=(*key, other.key[-1]))
                draft.order(stays, f"stays just {side} {place.who}", rules, at=(side, place.id))


def _companions(agenda: tuple[Place, ...], place: Place) -> set[str]:
    """Return who stands beside a place, or beside one who does: by name, if others are even with it.

    By name alone it would not do: whom one stepped in beside may have gone, or have stepped in beside that one since.
    """
    even = [p for p in agenda if p.rank == place.rank and p.id != place.id]
    if all(is_beside(p) for p in even):
        return {p.who for p in even}
    found, more = set[str](), {place.who}
    while more:
        found |= more
        more = {p.who for p in even if is_beside(p) and p.key[-1][1] in more} - found
    return found - {place.who}


def delay(draft: Draft, act: Act) -> Act:
    """Give the turn up and take a later place, or wait without one."""
    state, rules = draft.state, draft.rules
    turn = state.turn
    assert turn is not None
    place = state.place(turn.place)
    action = rules.catalogue(state)[act.action]
    cited = action.rules
    anchor = f"turn:{act.who}"
    params = act.params
    later = params.get("round")
    side = "before" if "before" in params else "after"
    other = state.place_of(params.get(side, ""))
    at = None
    moved = rules.delayed_place(state, draft.fighter(act.who), place, params)
    if moved is None and other is not None:
        why = f"delayed to just {side} {other.who}"
        moved, at = replace(beside(place, other, side), why=why, why_rule=action.rule), (side, other.id)
    if moved is None:
        value: dict[str, Any] = {"was": place.score}
        draft.order(replace(place, waits=True, was=place.score), "holds back", cited)
    else:
        value = {"was": place.score, "count": moved.score}
        if later is not None and state.round is not None and later > state.round:
            value["round"] = later
            moved = replace(moved, done=state.occasion + (later - state.round) - 1)
        elif other is not None and state.agenda.index(other) < state.agenda.index(place):
            moved = replace(moved, done=state.occasion)  # that place has passed: it comes next time round
        moved = replace(moved, was=place.score)
        draft.order(moved, f"is now at {moved.score} (was {place.score})", cited, at=at)
    # One who waits, and names no place, loses the delay at the next turn where a rule says so.
    lapse = action.facts.get("lapse_rule") if moved is None else None
    rule = lapse or (cited[0] if cited else "")
    draft.effect(act.who, "delayed", value=value, anchor=anchor, rule=rule, text="is delayed")
    flow.close_turn(draft, given_up=True, rules=cited)
    return act


def check_act_now(case: Case) -> Iterable[Objection]:
    """Let only a delayer step in, and only while the active combatant has done nothing."""
    rules, state, fighter = case.rules, case.state, case.fighter
    name = fighter.name
    place = state.place_of(name)
    if fighter.effect("delayed") is None or place is None:
        yield case.object(f"{name} isn't delaying.", firm=True)
        return
    window, turn = state.window, state.turn
    if turn is not None and turn.who == name:
        yield case.object(f"It's already {name}'s turn.", firm=True)
    elif turn is not None and turn.touched:
        reason = f"{turn.who} has already acted; wait for the end of that turn."
        yield Objection(reason, case.action.facts.get("untouched", case.action.rule), firm=True)
    elif window is not None:
        yield wait_for(rules, window)
    elif gone := turn_gone(rules, state, fighter):
        yield Objection(f"{gone}.", rules.cite["one_turn"])
    else:
        yield from rules.step_in_objections(state, fighter, place)


def act_now(draft: Draft, act: Act) -> Act:
    """Step in: the active combatant's untouched opening is taken back, and the delayer's place is just before."""
    state, rules = draft.state, draft.rules
    place = state.place_of(act.who)
    assert place is not None
    turn = state.turn
    cited = (rules.catalogue(state)[act.action].rule,)
    if turn is not None:
        before = state.place(turn.place)
        flow.take_back_turn(draft, cited)
        text = f"acts now, just before {turn.who}"
        moved = replace(beside(place, before), why=text, why_rule=cited[0])
        draft.order(moved, text, cited, at=("before", before.id))
    else:
        moved = rules.last_place(state, draft.fighter(act.who), place)
        draft.order(replace(moved, was=None, waits=False), f"acts now, at {moved.score}", cited)
    flow.open_turn(draft, draft.state.place(place.id), cited[0])
    return act


# ── readied and held actions
# ───────────────────────────────────────────────────────────────────────────────────────────


def check_ready(case: Case) -> Iterable[Objection]:
    """Let only such actions be readied as the system allows, and with nothing that could never be given to them."""
    rules, state, fighter, action, params = case.rules, case.state, case.fighter, case.action, case.params
    reason = never_comes_true(rules, state, fighter, params.get("trigger"))
    if reason:
        said = next((p.rule for p in action.parameters if p.id == "trigger" and p.rule), action.rule)
        yield Objection(reason, said, firm=True)
    if "action" in params:
        chosen = rules.catalogue(state)[params["action"]]
        given = {k: v for k, v in params.items() if k not in ("action", "trigger")}
        yield from _against_several(rules, state, fighter, chosen, given)
        never = chosen.does in _WAITING or chosen.when != "own turn"
        if "actions" in action.facts:
            if chosen.id not in action.facts["actions"]:
                titles = ", ".join(rules.catalogue(state)[id].title for id in action.facts["actions"])
                reason = f"{chosen.title} can't be held: only {titles} can."
                yield Objection(reason, action.facts["kinds_rule"], firm=never)
            return
        cost, _ = rules.price(Case(rules, state, fighter, chosen))
        if cost.id not in action.facts["kinds"] or never or "special" in chosen.tags:
            why = f"only {', '.join(action.facts['kinds'])} actions can."
            if chosen.does in _WAITING:
                why = "it only says when somebody acts."
            elif never:
                why = "it isn't done on your own turn."
            reason = f"{chosen.title} can't be readied: {why}"
            yield Objection(reason, action.facts["kinds_rule"], firm=never)


def _against_several(
    rules: Ruleset, state: State, fighter: Fighter, chosen: Action, given: Mapping[str, Any]
) -> Iterable[Objection]:
    """Refuse wrong input for what is kept, and whom it can never be aimed at; all else that bars it may change."""
    targets = as_names(given.get("target", ()))
    yield from never_aimed(fighter, chosen, targets)
    check = rules.mechanisms[chosen.does].check
    if not given or check is None:
        return
    together = tuple(check(Case(rules, state, fighter, chosen, given)))
    if len(targets) > 1:
        alone = {
            o for name in targets for o in check(Case(rules, state, fighter, chosen, {**given, "target": (name,)}))
        }
        yield from (objection for objection in together if objection not in alone)


_WAITING = ("delay", "act_now", "ready", "use")
"""Mechanisms that only say when somebody acts: none can be kept for later in its turn."""


def ready(draft: Draft, act: Act) -> Act:
    """Keep an action for its trigger."""
    catalogue = draft.rules.catalogue(draft.state)
    chosen, verb = catalogue[act.params["action"]], catalogue[act.action].facts.get("verb", "readies")
    given = {k: v for k, v in act.params.items() if k not in ("action", "trigger")}
    return keep(draft, act, chosen.id, given, f"{verb} {chosen.title.lower()}")


def keep(draft: Draft, act: Act, action: str, params: dict[str, Any], words: str) -> Act:
    """Keep an action, with what is given with it, for the trigger that was named, in place of what was kept before."""
    catalogue = draft.rules.catalogue(draft.state)
    facts, trigger = catalogue[act.action].facts, act.params["trigger"]
    draft.end_effects(act.who, facts["effect"])
    value = {"action": action, "trigger": trigger, "use": facts["use"]}
    if params:
        value["params"] = params
    anchor = draft.rules.ready_anchor(draft.state, act.who)
    text, rule = f"{words}: {trigger_text(trigger, catalogue)}", facts["lapse_rule"]
    draft.effect(act.who, facts["effect"], value=value, anchor=anchor, rule=rule, watches=True, text=text)
    return act


def usable(case: Case) -> Iterable[Objection]:
    """Let somebody use only what was readied, and only if that could be done at all."""
    fighter, action = case.fighter, case.action
    effect = readied(fighter, action)
    if effect is None:
        reason = f"{fighter.name} has nothing {action.facts.get('word', 'readied')}."
        yield case.object(reason, firm=True)
        if "lapse_rule" in action.facts:  # it may have had its time
            yield Objection("", action.facts["lapse_rule"])
        return
    chosen = case.rules.catalogue(case.state)[effect.value["action"]]
    yield from told_of_another(case)
    yield from demands(Case(case.rules, case.state, fighter, chosen, {**effect.value.get("params", {}), **case.params}))


def told_of_another(case: Case) -> Iterable[Objection]:
    """Refuse what waits for somebody else than the words given with it tell of: whoever is active."""
    state, fighter = case.state, case.fighter
    effect, by = readied(fighter, case.action), told_of(state, fighter, case.params)
    if effect is not None and by is not None and not is_by(state, effect.value["trigger"], by):
        kept = trigger_text(effect.value["trigger"], case.rules.catalogue(state))
        word = case.action.facts.get("word", "readied")
        yield case.object(f"{fighter.name}'s {word} action waits for this: {kept}. It's {by}'s turn.")


def use_missing(case: Case) -> tuple[str, ...]:
    """Return the parameters the readied action still wants."""
    effect = readied(case.fighter, case.action)
    if effect is None:
        return ()
    given = {**effect.value.get("params", {}), **case.params}
    chosen = case.rules.catalogue(case.state)[effect.value["action"]]
    return tuple(p.id for p in chosen.parameters if p.required and p.id not in given)


def use(draft: Draft, act: Act) -> Act:
    """Carry out what was readied, its cost already paid."""
    deed = use_up(draft, act)
    if deed is not None:
        carry_on(draft, act.who, (deed,))
    return act


def use_up(draft: Draft, act: Act) -> Deed | None:
    """Return what was readied, which is so no longer; nothing by the GM's word alone.

    Where the system says so, the place moves to just before the triggerer's.
    """
    rules = draft.rules
    fighter = draft.fighter(act.who)
    action = rules.catalogue(draft.state)[act.action]
    effect = readied(fighter, action)
    if effect is None:
        return None
    chosen = rules.catalogue(draft.state)[effect.value["action"]]
    kept, title = action.facts.get("word", "readied"), chosen.title.lower()
    text = f"uses what was {kept}: {title}" if " " in title else f"uses the {kept} {title}"  # a sentence either way
    draft.end_effect(act.who, effect, text=text, rule=action.rule)
    triggerer = _triggerer(draft.state, act.who)
    if triggerer is not None and action.facts.get("moves"):
        step_before(draft, act.who, triggerer, action.facts["moves"])
    own = {p.id for p in chosen.parameters} | {"modifiers", "pay", "option"}
    params = {**effect.value.get("params", {}), **{k: v for k, v in act.params.items() if k in own}}
    return Deed(chosen.id, params)


def _triggerer(state: State, who: str) -> str | None:
    """Return who set off the window that is answered; nobody if a trap did."""
    for frame in reversed(state.focus):
        if type(frame) is Window:
            return frame.by[0] if frame.by and frame.by[0] != who else None
    turn = state.turn
    return turn.who if turn is not None and turn.who != who else None


def step_before(draft: Draft, who: str, other: str, rule: str) -> None:
    """Move somebody's place to just before another's, for good.

    If that place has passed, this round's turn is gone with it.
    """
    state = draft.state
    place, before = state.place_of(who), state.place_of(other)
    if place is None or before is None:
        return
    turn = state.turn
    passed = before.done >= state.occasion or (turn is not None and turn.place == before.id)
    moved = replace(beside(place, before), why=f"just before {other}", why_rule=rule)
    draft.order(moved, f"is now just before {other} (was {place.score})", (rule,), at=("before", before.id))
    if passed and place.done < state.occasion:
        text = f"uses up this round's turn by acting before {other}"
        flow.lose_turn(draft, moved, state.occasion, text, (rule,))


MECHANISMS: dict[str, Mechanism] = {
    "plain": Mechanism(None, ()),
    "attack": Mechanism(None, (Stage("strike", strike, ()), Stage("harm", harm))),
    "delay": Mechanism(check_delay, (Stage("delay", delay),)),
    "act_now": Mechanism(check_act_now, (Stage("act_now", act_now),)),
    "ready": Mechanism(check_ready, (Stage("ready", ready),)),
    "use": Mechanism(None, (Stage("use", use, (usable,)),), use_missing),
}
"""The mechanisms by the name a catalogue's ``does`` uses."""


def new_place(
    state: State, who: str, score: int | None = None, rank: tuple[Any, ...] = (), key: tuple[tuple[str, Any], ...] = ()
) -> Place:
    """Return a place for somebody who has none; it is empty if nothing is said of it."""
    return Place(state.places + 1, who, score, rank, key)
