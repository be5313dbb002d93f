"""Star Wars Saga Edition: what only this system does."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from pathlib import Path
from types import MappingProxyType

from msgspec.structs import replace

from combatkit.core.geometry import Board, Square, as_pair, square_line
from combatkit.core.model import Act, Bid, Fighter, Pool, State, Step, Window, foes_of, present
from combatkit.core.plain import counted, full_stop
from combatkit.errors import InvalidInput
from combatkit.rules import flow
from combatkit.rules.blows import BLOWS
from combatkit.rules.case import Ask, Case, Entry, Given, Mechanism, Objection, Question, Stage, against
from combatkit.rules.catalogue import Action, Catalogue, Cost
from combatkit.rules.checks import spelled
from combatkit.rules.contests import are_helpless, besides, bring, contest_question
from combatkit.rules.draft import Draft
from combatkit.rules.initiative import roll
from combatkit.rules.judge import could_strike, would_strike
from combatkit.rules.mechanisms import (
    MECHANISMS,
    as_struck,
    damage_dice,
    harm,
    named_modifiers,
    roll_amount,
    strike,
    take_damage,
    tell_attack,
)
from combatkit.rules.moments import Declared, Harmed, Lapsed, Moment, Placed
from combatkit.rules.perform import again
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import are_several, blows_of
from combatkit.rules.weapons import (
    MELEE,
    Arms,
    Weapon,
    already_there,
    apart,
    arms_attack,
    bonus_of,
    damage_asks,
    damage_of,
    go,
    goes_straight,
    length_of,
    path_of,
    said_spot,
    stand,
    stops_of,
    way_clear,
    weapons_of,
    whither,
    wielded,
    within_reach,
)
from combatkit.rules.windows import DECLARED, watched_after
from combatkit.systems.saga.order import DELAY, DRAW, ahead, claim, explain, later, take_places
from combatkit.systems.saga.presentation import SagaPresentation
from combatkit.systems.saga.stats import STATS
from combatkit.text import Title, say

# ── weapons: bonuses, and ranges in squares; the source has no rule for them, the sheet says ──


class SagaArms(Arms):
    """A weapon is for melee, or reaches a number of squares."""

    def nature(self, case: Case) -> str:
        """Return how an attack is made whatever else is said: a charge ends hand to hand."""
        return MELEE if case.action.does == "charge" else super().nature(case)

    def suits(self, case: Case, weapon: Weapon) -> bool:
        """Check whether a weapon is of the kind an attack takes; a charge takes one for melee, if there is any."""
        if case.action.does == "charge" and all(other.get("range") != MELEE for other in weapons_of(case.fighter)):
            return True
        return super().suits(case, weapon)

    def unreached(self, case: Case) -> Iterable[Objection]:
        """Refuse a target out of reach; whoever has moved away could be struck only before they went."""
        for objection in super().unreached(case):
            if case.state.options["openings"] == "asked" and (case.action.when == "reaction" or _is_kept(case)):
                back = "If they were in reach before they moved: take the move back, call for reactions, then move."
                yield replace(objection, reason=f"{objection.reason} {back}")
            else:
                yield objection


def _is_kept(case: Case) -> bool:
    """Check whether somebody would strike with what they keep for later, in the turn of whom it is aimed at."""
    turn, own = case.state.turn, case.fighter
    waits = any(effect.watches for effect in own.effects)
    return waits and turn is not None and turn.who != own.name and turn.who in case.targets


SAGA_ARMS = SagaArms()


# ── squares, or places with names; how far a move leads, and whose reach it leaves ──


REACH = 1
"""How many squares away somebody can be struck hand to hand."""


def leads(rules: Ruleset, case: Case) -> int | None:
    """Return how many squares a move leads: the speed, a share of it, or some times that; None without limit."""
    share, times = case.action.facts.get("share", 1), case.action.facts.get("times")
    factor = case.state.options[times] if times else 1
    return (rules.value(case.fighter, "speed") or 0) * factor // share if factor else None


def way_on(case: Case) -> Iterable[Objection]:
    """Refuse a way that is too long, goes crooked or is barred; without one, a target that is too far away for any."""
    if case.act is not None and case.fighter.effects:
        yield from held(case)
    if "to" not in case.params:
        if "target" in case.params and (most := leads(case.rules, case)) is not None:
            yield from _too_far(case, most)
        return
    left = case.noted("path")
    if left is None:
        yield from _within_speed(case)
        yield from _straight(case)
    elif left:
        yield from _from_here(case, as_pair(left[0]), case.noted(_WALKED, 0) + len(left))
    yield from way_clear(case)


_WALKED = "walked"
"""How many squares of a way have been left behind, in the result of a move that stops on it."""


def _from_here(case: Case, there: Square | None, length: int) -> Iterable[Objection]:
    """Let a move under way go on only from where it has led, and only as far as its mover can go now."""
    here = as_pair(case.fighter.position)
    if here is None:
        yield case.object(f"{case.fighter.name} is off the map.")
    elif there is None or apart(here, there) > 1:
        yield case.object(f"{case.fighter.name} stands elsewhere now, and {said_spot(there)} is not the next square.")
    else:
        yield from _too_long(case, length)


def _within_speed(case: Case) -> Iterable[Objection]:
    """Refuse a path that is longer than the speed, or than the share of it that the action covers.

    The source leaves diagonals open, and what it doesn't call longer is not refused as too long.
    """
    stops = stops_of(case.fighter, case.params)
    if stops is not None:
        yield from _too_long(case, length_of(case.rules.board, stops))


def _too_long(case: Case, length: int) -> Iterable[Objection]:
    fighter, action, most = case.fighter, case.action, leads(case.rules, case)
    if most is not None and length > most:
        speed = case.rules.value(fighter, "speed") or 0
        far = f"{most}, at speed {speed}"
        yield case.object(f"That is {counted(length, 'square')}; {action.title} takes {fighter.name} only {far}.")


def _too_far(case: Case, squares: int) -> Iterable[Objection]:
    """Refuse a target that nobody who goes so many squares can come within reach of."""
    reach = SAGA_ARMS.reach(case, weapon) if (weapon := wielded(case)) else REACH
    for target in case.targets:
        apart = case.rules.distance(case.state, case.fighter, case.state.fighters[target])
        if apart is not None and reach is not None and apart.steps > squares + reach:
            far = f"{target} is {counted(apart.steps, 'square')} away"
            yield case.object(f"{far}; {case.action.title} takes {case.fighter.name} only {squares}.")


def opens_by_leaving(state: State) -> bool:
    """Check whether an enemy's reach is left with an opening for them, as this table plays it."""
    return bool(state.options["openings"] == "leaving_reach")


def left_by(rules: Ruleset, state: State, mover: Fighter, here: Square, there: Square) -> list[str]:
    """Return the enemies who reach anywhere and whose reach a step from one square to another leaves."""
    foes = [foe for foe in foes_of(state, mover.name) if not rules.is_felled(foe)]
    spots = [(foe.name, as_pair(foe.position)) for foe in foes]
    return [name for name, at in spots if at is not None and apart(at, here) <= REACH < apart(at, there)]


def guarded(rules: Ruleset, state: State, fighter: Fighter, among: Collection[object]) -> dict[str, frozenset[object]]:
    """Return the enemies whose reach isn't left for nothing, as this table plays it, and the squares they reach."""
    found: dict[str, frozenset[object]] = {}
    for foe in foes_of(state, fighter.name) if opens_by_leaving(state) else ():
        squares = frozenset[object]() if rules.is_felled(foe) else rules.threatened(state, foe)
        if not squares.isdisjoint(among) and would_strike(rules, state, foe, "attack_of_opportunity", fighter):
            found[foe.name] = squares
    return found


def leaving(case: Case, act: Act) -> list[str]:
    """Return the enemies whose reach the next square of a move is out of, as far as squares tell."""
    here = as_pair(case.fighter.position)
    if here is None or "movement" not in case.action.tags or not opens_by_leaving(case.state):
        return []
    way = path_of(case.rules.board, case.fighter, case.params, act.result.get("path"))
    return left_by(case.rules, case.state, case.fighter, here, way[0]) if way else []


def move(draft: Draft, act: Act) -> Act:
    """Put somebody where the action leads, if that was said.

    On the way, stop before an enemy's reach is left, and where something that was readied for it could be used.
    """
    rules, mover = (draft.actions[act.action].rule,), draft.state.fighters[act.who]
    way = path_of(draft.rules.board, mover, act.params, act.result.get("path"))
    leaves = range(1, len(way)) if opens_by_leaving(draft.state) else ()
    left = next((n for n in leaves if left_by(draft.rules, draft.state, mover, way[n - 1], way[n])), len(way))
    stop = watched_after(draft, act, _GO.name, way[: left + 1]) or left
    if not way or (stop == len(way) and "path" not in act.result and not opens_by_leaving(draft.state)):
        return stand(draft, act, rules)
    go(draft, act, list(way[stop - 1]), rules)
    walked = act.result.get(_WALKED, 0) + stop
    act = replace(act, result={**act.result, "path": [list(square) for square in way[stop:]], _WALKED: walked})
    return again(act) if way[stop:] else act


def _straight(case: Case) -> Iterable[Objection]:
    """Refuse a charge that goes crooked, unless this table lets it, or ends on a square of those it is made at."""
    here, way = as_pair(case.fighter.position), path_of(case.rules.board, case.fighter, case.params)
    if here is None or not way:
        return
    if goes_straight(case) and not {*way} <= {*square_line(here, way[-1])}:
        begins, ends = said_spot(here), said_spot(way[-1])
        yield case.object(f"{case.action.title} goes in a straight line from {begins} to {ends}.")
    for name in case.targets:
        there = as_pair(case.state.fighters[name].position)
        if there == way[-1]:
            yield case.object(f"{case.action.title} ends beside {name}, not on their square {way[-1]}.")
        elif there is not None and not wielded(case) and (far := apart(way[-1], there)) > REACH:
            yield case.object(f"{case.action.title} ends beside {name}, not {counted(far, 'square')} away.")


_GO = Stage("move", move, (way_on,), moves=True)

MOVES: dict[str, Mechanism] = {
    "move": Mechanism(already_there, (_GO,), whither),
    "charge": Mechanism(already_there, (_GO, *MECHANISMS["attack"].stages), whither),
}
"""The mechanisms of actions that lead somewhere."""


# ── the list `book`: what the source names and leaves to a book ──


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
    yield from held(case)
    if "attack" in case.action.tags and case.has(TOTAL) and (total := known.get(TOTAL)) is not None:
        yield Objection(f"{name} is on total defense and can't attack.", total.rule)


def held(case: Case) -> Iterable[Objection]:
    """Keep anybody grabbed where they are, also in the middle of a move."""
    grab = (
        case.rules.catalogue(case.state).get("grab") if "movement" in case.action.tags and case.has(GRABBED) else None
    )
    if grab is not None:
        under_way, name = case.act is not None, case.fighter.name
        yield Objection(f"{name} is grabbed." if under_way else f"{name} is grabbed and can't move away.", grab.rule)


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


def discounted(case: Case) -> str:
    """Return what doesn't count against an attack, since it is a shot for which somebody has aimed; empty otherwise."""
    effect = case.fighter.effect(_AIM) if case.fighter.effects else None
    if effect is None or not effect.rule or not _is_ranged(case):
        return ""
    aim = case.rules.catalogue(case.state).get(_AIM)
    return "" if aim is None else aim.facts["discounts"]


def struck(case: Case, name: str) -> Fighter:
    """Return a target as an attack strikes it, without what doesn't count against an aim."""
    target = as_struck(case.rules, case.state.fighters[name], case.params)
    if not target.effects or not (gone := discounted(case)):
        return target
    return replace(target, effects=tuple(effect for effect in target.effects if not _is_of(gone, effect.id)))


def _is_of(word: str, id: str) -> bool:
    """Check whether a word is what a condition or a modifier is called, alone or among others: improved cover."""
    return word in spelled(id).split("_")


def use_up(draft: Draft, act: Act, action: Action) -> None:
    """Use up a feint as an attack is declared; an aim lasts as long as the shot, and anything else breaks it."""
    fighter = draft.state.fighters[act.who]
    if "attack" in action.tags:
        for name in act.targets:
            _use_feint(draft, act.who, draft.state.fighters[name])
    if not (fighter.effects or fighter.progress) or draft.rules.costs[action.cost].light:
        return
    for effect in fighter.effects:
        begun = draft.actions.get(_AIM) if effect.id == _AIM and effect.rule else None
        if begun is None or begun.id == action.id:
            continue
        if _is_ranged(draft.case(act)):
            draft.renew(act.who, replace(effect, anchor=f"action:{act.who}"), say("aim.shot"), begun.rule)
        else:
            draft.end_effect(act.who, effect, text=say("aim.lost"), rule=begun.facts["unbroken"])
    for id in fighter.progress:
        begun = draft.actions.get(id)
        if begun is not None and begun.id != action.id and "unbroken" in begun.facts:
            draft.lapse_progress(act.who, begun, begun.facts["unbroken"])


def _use_feint(draft: Draft, who: str, target: Fighter) -> None:
    for effect in target.effects:
        if effect.id in draft.rules.open_to_one and effect.value == who and effect.anchor is None:
            feint = draft.actions.get(_FEINT)
            rule = "" if feint is None else feint.rule  # by hand where the list of actions has none
            draft.end_effect(target.name, effect, text=say("feint.used", who=who), rule=rule)


def _is_ranged(case: Case) -> bool:
    """Check whether an attack is made from afar: any but a melee one, a charge, or an opportunity."""
    action = case.action
    melee = "melee" in action.tags or action.does == "charge" or action.when == "reaction"
    return "attack" in action.tags and not melee and wielded(case).get("range") != MELEE


# ── deeds ──


def area(draft: Draft, act: Act) -> Act:
    """Roll once, and compare it with each target's defense."""
    first, *rest = act.targets
    rolls = strike(draft, replace(act, targets=(first,)))
    outcomes: dict[str, object] = dict(rolls.result["outcome"])
    rolled = draft.events[-1]
    total = rolled._data.get("total") if rolled.kind == "attack" else None
    for name in rest:
        needed = draft.rules.value(struck(draft.case(act), name), "defense")
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
    """Hit without rolling: what is typed is thrown for damage."""
    for name in act.targets:
        tell_attack(draft, act, name, "hit")
    return replace(act, result={"outcome": dict.fromkeys(act.targets, "hit")})


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


def in_one_area(case: Case) -> Iterable[Objection]:
    """Refuse targets that no area of the squares an action covers holds, as far as their places are known."""
    side: int = case.action.facts.get("side", 0)
    known = {name: as_pair(case.state.fighters[name].position) for name in case.targets} if side else {}
    spots = {name: at for name, at in known.items() if at is not None}
    for one, here in spots.items():
        for other, there in spots.items():
            if one < other and apart(here, there) >= side:
                far = f"{one} and {other} are {counted(apart(here, there), 'square')} apart"
                yield case.object(f"{far}; {case.action.title} covers {side} by {side}.")
                return


_NEEDS = (beside, within_reach)
_STRIKE, _COUP = Stage("strike", strike, _NEEDS), Stage("strike", coup, (*_NEEDS, are_helpless))
DEEDS: dict[str, Mechanism] = {
    "area": Mechanism(None, (Stage("strike", area, (within_reach, in_one_area)), Stage("harm", area_harm))),
    "burst": Mechanism(None, (_STRIKE, Stage("harm", burst_harm))),
    "hold": Mechanism(check_way, (_STRIKE, Stage("hold", hold))),
    "coup": Mechanism(None, (_COUP, Stage("harm", harm), Stage("dispatch", dispatch))),
    "recover": Mechanism(None, (Stage("recover", recover),)),
}
"""The mechanisms of the list, by the name its ``does`` uses."""


# ── what an action costs right now: a second move, a drawn weapon, a reaction when only extras are left ──


_SECOND = "saga.move.second"
_GIVEN_UP = "saga.std.trade-to-move"
_UPWARD = "saga.std.no-trade-up"
_TAKEN, _GOES_WITH = "saga.full.excludes", "saga.full.free-ok"
"""What a full-round action is spent under, and what lets a free action go with it."""


class Prices:
    """The costs in the catalogue, each with the rules that are broken if it can't be paid as the turn stands."""

    def __init__(self, costs: Catalogue[Cost]) -> None:
        self._costs = costs
        ways = (("standard",), ("move",))  # the one that is still open first: what it went on is what a refusal names
        self._second_move = replace(costs["move"], pay=ways, rule="saga.move.one", rules=(_SECOND, _GIVEN_UP))
        whole = costs["full_round"]  # without a slot that was never there, nothing has been spent
        self._missing = replace(whole, rule="saga.full.replaces", rules=whole.rules[:1])
        self._traded = _with(costs["standard"], _GIVEN_UP)
        self._extras = {id: _with(costs[id], "saga.react.reflexes-aoo-only") for id in ("reaction", "readied")}

    def now(self, case: Case, cost: Cost, rule: str) -> tuple[Cost, str]:
        """Return what an action costs now, and the rule that says so.

        Parameters
        ----------
        case : Case
            The action; what was done with a slot says what it was given up for, and ``pay`` names the slot.
        cost, rule : Cost, str
            As the catalogue has it, feats and options counted in.

        Returns
        -------
        tuple of Cost and str
            The cost and its rule.
        """
        fighter, action, params = case.fighter, case.action, case.params
        pools, pay = fighter.pools, params.get("pay")
        if cost.id == "swift" and action.cost == "move" and (pay or _gone(pools, "swift")) and pay != "swift":
            cost, rule = self._costs["move"], action.rule  # a feat lets it be swift; it can still be what it is without
        if pay is not None and cost.pay:
            if not any(pay in way for way in cost.pay):  # nothing is traded upward
                return replace(cost, rule=_UPWARD if cost.id == "standard" else rule), rule
            if pay != cost.id and _gone(pools, pay) and not _went_on(cost.id, pools[pay], case):
                return replace(cost, rule=self._costs[pay].rule, rules=()), rule
        if cost.id == "free":
            whole = pools.get("standard")
            return cost, _GOES_WITH if whole is not None and whole.rule == _TAKEN else rule
        if cost.id in self._extras:
            if _gone(pools, "reaction") and "aoo" in pools and pools["aoo"].left > 0:
                return self._extras[cost.id], rule
        elif cost.id == "standard":
            if _gone(pools, "standard"):
                cost = self._traded if _went_on("move", pools["standard"], case) else cost
                return cost if any(not _gone(pools, slot) for slot in ("move", "swift")) else _without(cost), rule
        elif cost.id == "move" and "standard" in pools:
            if _gone(pools, "move") and not pools["move"].rule:
                if pools["standard"].left > 0:
                    return self._second_move, _SECOND
                if not _went_on("move", pools["standard"], case):
                    return self._second_move, rule
            elif pay == "standard":
                return cost, _GIVEN_UP
        elif cost.id == "full_round" and "standard" in pools:
            for id in cost.pay[0]:
                if id not in pools or not pools[id].total:  # by the GM's word there may be but one
                    spent = any(pools[each].action for each in cost.pay[0] if each in pools)
                    return (cost if spent else self._missing), rule
        return cost, rule

    def slots(self, action: Action, cost: Cost) -> tuple[str, ...]:
        """Return the slots an action can be paid from: those of its price now, and those of its own cost."""
        ways = dict.fromkeys((*cost.pay, *self._costs[action.cost].pay))
        return tuple(way[0] for way in ways if len(way) == 1)


def _with(cost: Cost, rule: str) -> Cost:
    return replace(cost, rules=(*cost.rules, rule))


def _without(cost: Cost) -> Cost:
    """Return a standard action's cost when nothing is left that could be traded up for it."""
    return replace(cost, rules=tuple(rule for rule in cost.rules if rule != _UPWARD))


def _gone(pools: Mapping[str, Pool], slot: str) -> bool:
    return slot in pools and pools[slot].left < 1


def _went_on(cost: str, pool: Pool, case: Case) -> bool:
    spent = case.rules.catalogue(case.state).get(pool.action)
    return spent is not None and spent.cost == cost


# ── the ruleset ──


_OPPORTUNITY = "attack_of_opportunity"
_NO_REACTIONS: dict[str, int | None] = {"reaction": 0, "aoo": 0}
_FLAT_FOOTED = ("flat_footed", "saga.surprise.flat-footed")
_SURPRISED = (("surprised", "saga.surprise.surprised-no-actions"), _FLAT_FOOTED)


class Saga(Ruleset):
    """Slots a turn, a d20 for initiative, delay and ready that move a count for good."""

    score_title = "count"
    draw = DRAW
    arms = SAGA_ARMS
    shows = SagaPresentation
    board = Board("squares")
    foes_option = "through_foes"
    to_hit, struck_by = ("attack_bonus", "attack"), "defense"
    steps = (Step("turns", "Turns", length=6),)
    surprise_steps = (Step("surprise", "Surprise round", length=6),)
    mechanisms = MappingProxyType({**MECHANISMS, **MOVES, **DEEDS, **DELAY, "blows": BLOWS})
    """Those that systems share, and moves; a delay also says what it changes for others on the ladder."""

    def __init__(self) -> None:
        super().__init__(Path(__file__).parent, STATS)
        self._prices = Prices(self.costs)

    # ── surprise and initiative ──

    def surprise(self, draft: Draft, surprised: tuple[str, ...]) -> None:
        """The surprised have no actions and are flat-footed until their own first regular turn."""
        if len(surprised) < len(present(draft.state.fighters)):
            for name in surprised:
                self._surprise(draft, Given(name, "surprised", by="rules"))

    def _surprise(self, draft: Draft, given: Given) -> None:
        given = given._replace(anchor=given.anchor or f"turn:{given.who}")
        for id, rule in _SURPRISED:
            super().set_condition(draft, given._replace(id=id, rule=rule))
            given = given._replace(value=None, modifiers=None)  # what the GM says of it is said once

    def set_condition(self, draft: Draft, given: Given) -> None:
        """Being flat-footed comes and goes with surprise, which ends with their own first regular turn.

        So does the loss of reactions.
        """
        surprise = given.id == "surprised"
        if surprise and not given.off:
            self._surprise(draft, given)
            return
        if given.id == TRACK and not given.modifiers and plays_book(draft):
            put_on(draft, given)
            return
        super().set_condition(draft, given)
        if surprise and given.off:
            super().set_condition(draft, given._replace(id=_FLAT_FOOTED[0], rule=_FLAT_FOOTED[1]))
            self._aware(draft, given.who)

    def _aware(self, draft: Draft, who: str) -> None:
        """Give somebody who is no longer surprised the reactions that the round did not; what is spent stays spent."""
        fighter = draft.state.fighters[who]
        had = (id for id, pool in fighter.pools.items() if pool.total)
        if draft.state.stage == "running" and "reaction" not in had and fighter.effect("left") is None:
            flow.refill(draft, "join", who)

    claim = claim
    ahead = ahead

    def initiative(self, draft: Draft, names: tuple[str, ...]) -> None:
        """Everybody rolls; then ties are broken."""
        take_places(draft, roll(draft, names))

    # ── budgets ──

    def price(self, case: Case) -> tuple[Cost, str]:
        """Return what an action costs as the turn stands: the second move of a turn is the standard action given up."""
        cost, rule = super().price(case)
        return self._prices.now(case, cost, rule)

    def refill(self, state: State, fighter: Fighter, boundary: str) -> dict[str, int | None]:
        """Reactions refresh with the round, the rest with your own turn; the surprise round allows one action."""
        surprised = fighter.effect("surprised") is not None
        if boundary in ("round", "join"):
            return _NO_REACTIONS if surprised else self._reactions(fighter)
        totals: dict[str, int | None] = {"standard": 1, "move": 1, "swift": 1}
        if surprised:  # this turn ends that, and gives what the round did not
            had = {id for id, pool in fighter.pools.items() if pool.total}
            totals |= {id: total for id, total in self._reactions(fighter).items() if id not in had}
        if state.round == 0:
            totals["surprise"] = 1
        elif "surprise" in fighter.pools:
            totals["surprise"] = None
        cap = state.options["free_action_cap"]
        if cap is not None:
            totals["free"] = cap
        return totals

    def has_purse(self, state: State, fighter: Fighter) -> bool:
        """Check whether somebody has anything to spend; the surprised have not."""
        return super().has_purse(state, fighter) and fighter.effect("surprised") is None

    def listed(self, case: Case, param: str) -> tuple[object, ...] | None:
        """Return the slots an action can be paid from, and the ways it can be done."""
        if param == "option" and "ways" in case.action.facts:
            return tuple(case.action.facts["ways"])
        return self._prices.slots(case.action, super().price(case.given({}))[0]) if param == "pay" else None

    def _reactions(self, fighter: Fighter) -> dict[str, int | None]:
        return {"reaction": 1, "aoo": self._opportunities(fighter)}

    def _opportunities(self, fighter: Fighter) -> int:
        stated: int | None = fighter.stats["extra_opportunities"]
        if stated is None:
            dex = self.value(fighter, "dex") or 0
            stated = max(1, dex) if "Combat Reflexes" in fighter.stats["feats"] else 0
        return max(0, stated + self.bonus(fighter, "extra_opportunities"))

    def bars(self, case: Case) -> Iterable[Objection]:
        """The surprised may do nothing; the surprise round has no room for a full-round action."""
        state, fighter = case.state, case.fighter
        name = fighter.name
        if fighter.effects and fighter.effect("surprised"):
            reason = f"{name} is surprised and can't act before their first regular turn."
            if "standard" in fighter.pools:  # by the GM's word, later in the fight
                reason = f"{name} is surprised and can't act before their next turn."
            if case.action.when == "reaction":
                yield Objection(reason, "saga.surprise.no-reaction")
            idle = "saga.surprise.unaware-idle" if state.round == 0 else ""
            yield from against(reason, "saga.surprise.surprised-no-actions", idle)
        if fighter.effects:
            yield from barred(case)
        if state.round == 0:
            cost, _ = self.price(case.given({}))
            if cost.id == "full_round":
                yield Objection("A full-round action doesn't fit in the surprise round.", "saga.surprise.no-full-round")
            elif cost.id == "free" and not state.options["surprise_free_actions"]:
                yield Objection("Free actions aren't allowed in the surprise round.", "saga.surprise.free-open")

    def modified(self, fighter: Fighter) -> tuple[str, ...]:
        """Return what conditions may add to although the sheet states none: opportunities, and a weapon's attacks."""
        return ("extra_opportunities", *(["attack_bonus"] if arms_attack(fighter) else []))

    def unread(self, state: State) -> tuple[str, ...]:
        """Return what no rule reads without the list of actions that has the condition track."""
        return () if _RECOVER in self.catalogue(state) else ("threshold",)

    # ── delays, places, rolls, windows ──

    later = later
    leads = leads
    guarded = guarded

    def threatened(self, state: State, fighter: Fighter) -> frozenset[object]:
        """Return the squares within reach, the combatant's own included."""
        here = as_pair(fighter.position)
        if here is None:
            return frozenset()
        span = range(-REACH, REACH + 1)
        return frozenset((here[0] + x, here[1] + y) for x in span for y in span)

    def rolled(self, case: Case) -> tuple[str, ...]:
        """Return what goes to an attack's roll, where one is made: the source has none, and goes by a stated bonus."""
        if case.action.facts.get("sure"):
            return ()
        blows = blows_of(case) if "blows" in case.action.facts and are_several(case) else (case,)
        return super().rolled(case) if any(bonus_of(blow, "attack_bonus") is not None for blow in blows) else ()

    def asks(self, case: Case) -> tuple[Ask, ...]:
        """An attack is rolled where a bonus is stated: bookkeeping, since the source resolves none."""
        if "blows" in case.action.facts and are_several(case):
            return tuple(ask for blow in blows_of(case) for ask in self.asks(blow) if ask.purpose == "attack")
        if case.action.facts.get("sure"):
            return damage_asks(case)
        params = case.params
        bonus = bonus_of(case, "attack_bonus") if "attack" in case.action.tags else None
        if bonus is None:
            return ()
        named, targets = named_modifiers(params, self.struck_by), case.targets
        if named and (gone := discounted(case)):
            named = tuple(each for each in named if not _is_of(gone, each[1]))
        addends = (bonus, *_under_conditions(case.fighter), *added(case), *named)
        needed = self.value(struck(case, targets[0]), "defense") if targets else None
        return (Ask("attack", 1, 20, addends, needed, case.action.rule), *damage_asks(case))

    def follows(self, draft: Draft, moment: Moment) -> None:
        """Use up what was prepared for an attack, which any other action may break; damage moves down the track."""
        if isinstance(moment, Declared):
            use_up(draft, moment.act, moment.action)
        elif isinstance(moment, Harmed):
            harmed(draft, moment.who, moment.dealt)
        elif isinstance(moment, Lapsed) and moment.effect.id == "surprised":
            self._aware(draft, moment.who)  # who has lost that first turn, too
        elif isinstance(moment, Placed):
            explain(draft)

    def waits_for(self, case: Case, act: Act) -> Question | Entry | None:
        """Ask how a contest came out, before anything follows from it; then offer attacks of opportunity."""
        if act.passed in (DECLARED, "move") and (foes := leaving(case, act)):
            rule, whom = "saga.react.ex.aoo", (case.fighter.name,)
            able = [name for name in foes if could_strike(self, case.state, name, _OPPORTUNITY, case.fighter.name)]
            return Entry(tuple(Bid(name, (_OPPORTUNITY,), rule, targets=whom) for name in able)) if able else None
        if act.passed != DECLARED:
            return None
        contested = case.action.does == "contest"
        return (contest_question(case, act) if contested else None) or self._opportunity(case)

    def reactions(self, state: State, by: tuple[str, ...]) -> tuple[Bid, ...]:
        """Offer an attack of opportunity at whoever else caused it; or a talent, where the GM asks for one."""
        actions = (_OPPORTUNITY, "talent_reaction")
        return tuple(
            [
                Bid(place.who, actions, "saga.react.ex.aoo", targets=others)
                for place in state.agenda
                if (others := besides(place.who, by)) or not by
            ]
        )

    def unasked(self, case: Case, window: Window) -> Iterable[Objection]:
        """Say that nothing has given an opening."""
        if case.action.id == _OPPORTUNITY:
            about = (
                "." if window.soft else f": {full_stop(window.about)}"
            )  # of a soft one it is told who may still answer
            yield case.object(f"That gives {case.fighter.name} no opening by itself{about}")

    def _opportunity(self, case: Case) -> Entry | None:
        """Offer an attack of opportunity to the enemies beside somebody who gives one, by the list ``book``.

        Whoever is known to stand there is waited for; where only the table knows who does, nobody is.
        """
        state, fighter, provokes = case.state, case.fighter, case.action.facts.get("provokes")
        if not provokes:
            return None
        active = state.turn.who if state.turn is not None else None
        foes = (p.who for p in state.agenda if state.fighters[p.who].side != fighter.side and p.who != active)
        return Entry(
            tuple(
                Bid(name, (_OPPORTUNITY,), provokes, targets=(fighter.name,))
                for name in dict.fromkeys(foes)
                if provoked(case, name) and could_strike(self, state, name, _OPPORTUNITY, fighter.name)
            ),
            soft=fighter.position is None,
        )


def _under_conditions(fighter: Fighter) -> tuple[tuple[int, str], ...]:
    """Return what conditions add to attacks, whatever the bonus is."""
    more = sum([effect.modifiers.get("attack_bonus", 0) for effect in fighter.effects]) if fighter.effects else 0
    return ((more, "conditions"),) if more else ()


RULESET = Saga
