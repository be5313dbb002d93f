"""May I? One function answers that for options, buttons, refusals and actions, so they cannot disagree."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import chain, filterfalse
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from combatkit.core.geometry import as_pair
from combatkit.core.model import (
    Act,
    Bid,
    Effect,
    Fighter,
    Lookup,
    Pool,
    Ruling,
    State,
    Turn,
    Window,
    foes_first,
    open_bids,
    present,
    what_is_left,
)
from combatkit.core.plain import full_stop, short, with_article
from combatkit.errors import IllegalAction, InvalidInput, UnknownName
from combatkit.rules.case import NOTHING, Case, Objection, Stage, against
from combatkit.rules.catalogue import REACTION, TAG, Action, Cost, SlotSpec
from combatkit.rules.checks import spelled
from combatkit.rules.contests import besides
from combatkit.rules.params import ALWAYS, CARRIERS, OUTCOMES, check_params
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.several import with_one
from combatkit.rules.weapons import USES, apart, next_to, off_board, used_up, weapons_of
from combatkit.text import say_names
from combatkit.text.phrases import capital

# ── who may act now ──


_FORBIDDEN = {"reaction": "react", "tag:movement": "move", "tag:attack": "attack"}
"""What somebody can't do whose condition forbids it, if there is a word for all of it."""

_NAMED = 4
"""How many are named; if there are more, their number, or nothing."""


def bid_of(window: Window | None, who: str, action: str) -> Bid | None:
    """Return somebody's unanswered offer of an action in the window on top."""
    if window is not None:
        for bid in open_bids(window.bids).get(who, ()):
            if action in bid.actions:
                return bid
    return None


def not_under_way(state: State) -> str:
    """Say why nothing at all can be done in a fight: not begun, over, or looked at in the middle of its start."""
    if state.stage != "running":
        return "The fight is over." if state.stage == "over" else "The fight has not begun; start it first."
    if state.step < 0:
        return "The fight is only half begun at this event; look at a later one."
    return ""


def timing(case: Case) -> list[Objection] | None:
    """Return the objection to acting now, before any to the action itself; None if there is none."""
    rules, state, action, params = case.rules, case.state, case.action, case.params
    top = state.focus[-1] if state.focus else None
    turn = top if top is None or type(top) is Turn else state.turn
    window = top if type(top) is Window else None
    name = case.fighter.name
    if action.when == "reaction" and turn is not None and turn.who == name and "outside_turn" in rules.cite:
        reason = "You can't react on your own turn."
        cited = (rules.cite["outside_turn"], rules.reaction_rule(action), action.rule)
        return [Objection(reason, rule) for rule in cited]
    if window is not None and is_answer(case):
        return None
    held_up = window is not None and not window.soft
    when = rules.when(action, params) if "pay" in params else action.when
    own = turn is not None and turn.who == name
    if when == "own turn" or (own and when == "own turn or reaction"):
        if own:
            return [wait_for(rules, window)] if window is not None and held_up else None
        return _out_of_turn(case, turn)
    if when != "any time":
        nature = rules.reaction_rule(action)
        if own and len(state.focus) == 1 and "trigger" in params and action.does == "use":
            reason = f"{name} can use it only on something others do, and it's {name}'s own turn."
            return [Objection(reason, nature, late=True), Objection(reason, action.rule, late=True)]
        if window is not None and window.question:
            return [wait_for(rules, window)]
        if case.window is not None:
            return list(_unasked(case, case.window, nature))
        if "trigger" not in params:
            reason = "Nothing to react to right now."
            return [Objection(reason, nature, late=True), Objection(reason, action.rule, late=True)]
        return None
    return [wait_for(rules, window)] if window is not None and held_up and window.question else None


def is_answer(case: Case) -> bool:
    """Check whether an action would answer the open window: it is offered, or a reaction to what only words tell."""
    window, action = case.window, case.action
    if window is None:
        return False
    if bid_of(window, case.fighter.name, action.id) is not None:
        return True
    given = (case.fighter.name, action.id)
    caused = window.by and not besides(case.fighter.name, window.by)
    free = not window.question and not caused and all(u[:2] != given for u in window.used)
    return bool(action.facts.get("words")) and free


def _unasked(case: Case, window: Window, nature: str) -> Iterator[Objection]:
    """Say why an open window doesn't ask somebody, unless something else is in their way."""
    name, foes = case.fighter.name, case.action.facts.get("foes")
    by = besides(name, window.by)
    asked = next((below for below in _beneath(case.state) if bid_of(below, name, case.action.id)), None)
    if asked is not None:
        first = wait_for(case.rules, window)
        then = f"{first.reason} Then {name} may answer this: {full_stop(asked.about)}"
        yield Objection(then, first.rule or nature, late=True)
    elif any(used[:2] == (name, case.action.id) for used in window.used):
        reason = f"{name} has already answered this with {case.action.title.lower()}."
        yield Objection(reason, nature, late=True)
    elif name in window.excused:
        yield Objection(f"{name} left without an answer, and isn't asked again.", nature, late=True)
    elif window.by and not by:
        yield Objection(f"{name} can't react to what they do themselves.", nature, late=True)
    elif foes and by and all(case.state.fighters[other].side == case.fighter.side for other in by):
        reason = f"{say_names(by)} {'is' if len(by) == 1 else 'are'} on {name}'s side."
        yield Objection(reason, foes, late=True)
    elif window.to is not None and name not in window.to:
        yield Objection(f"Only {say_names(window.to)} can answer this: {full_stop(window.about)}", "", late=True)
    elif window.offers and case.action.id not in window.offers:
        wanted = say_names([case.rules.catalogue(case.state)[id].title for id in window.offers], " or ")
        yield Objection(f"The GM called for {wanted}, not for {case.action.title}.", "", late=True)
    else:
        found = [replace(o, late=True) for o in case.rules.unasked(case, window)]
        reason = f"That doesn't answer this: {full_stop(window.about)}"
        yield from found or [Objection(reason, nature, late=True)]


def _beneath(state: State) -> Iterator[Window]:
    """Yield the windows that wait until the one on top is done, newest first."""
    return (frame for frame in reversed(state.focus[:-1]) if type(frame) is Window)


def is_reaction(case: Case) -> bool:
    """Check whether an action done now is a reaction; one that can be either is one off turn, or with a trigger."""
    when = case.rules.when(case.action, case.params) if "pay" in case.params else case.action.when
    if when == "own turn or reaction":
        turn = case.state.turn
        return turn is None or turn.who != case.fighter.name or "trigger" in case.params
    return when == "reaction"


def forbidden(case: Case) -> Iterator[Objection]:
    """Yield the objections of conditions that forbid an action, as their data say."""
    rules, action = case.rules, case.action
    for effect in case.fighter.effects:
        for what in rules.forbidding.get(effect.id, ()):
            if is_reaction(case) if what == REACTION else what.removeprefix(TAG) in action.tags:
                deed, word = _FORBIDDEN.get(what, f"use “{action.title}”"), effect.id.replace("_", " ")
                reason = f"{case.fighter.name} can't {deed}: {word}."
                yield Objection(reason, effect.rule)


def refusal(reason: str, rule: str = "") -> IllegalAction:
    """Return the refusal of a call, by a rule if one says so."""
    return IllegalAction(Ruling(False, capital(reason), rule, (rule,) if rule else ()))


def window_first(rules: Ruleset, window: Window) -> IllegalAction:
    """Say that an open window must be answered or let go before anything else."""
    objection = wait_for(rules, window)
    return refusal(objection.reason, objection.rule)


def check_free(state: State, name: str) -> None:
    """Refuse to let somebody leave who must answer first, in a window on top or below."""
    for frame in state.focus:
        if type(frame) is not Window:
            continue
        for bid in open_bids(frame.bids).get(name, ()):
            if bid.must:
                raise refusal(f"{name} must answer first, or the GM for them: {full_stop(frame.about)}", bid.rule)


def check_alive(rules: Ruleset, fighter: Fighter) -> None:
    """Refuse to let somebody dead come in."""
    dead = fighter.effect("dead")
    if dead is not None:
        right = f'take that off first, with condition("{fighter.name}", "dead", off=True)'
        raise refusal(f"{fighter.name} is dead; {right}.", dead.rule or rules.cite.get("able", ""))


def check_part(rules: Ruleset, fighter: Fighter) -> None:
    """Refuse to let somebody have a part in what happens who has left, or is dead."""
    if fighter.effect("left") or _fallen(rules, fighter):
        objection = unable(rules, fighter)
        raise refusal(objection.reason, objection.rule)


def still_asked(state: State) -> str:
    """Say who may still answer the open window: "Ada may still answer this: Nox attacks Bes."; empty if nobody may."""
    window = state.window
    names = list(open_bids(window.bids)) if window is not None else []
    if window is None or not names:
        return ""
    said = say_names(names) if len(names) < _NAMED else f"{len(names)} combatants"
    return capital(f"{said} may still answer this: {full_stop(window.about)}")


def wait_for(rules: Ruleset, window: Window) -> Objection:
    """Return an open window's objection to anything else: that it must be answered or let go first."""
    reason, ids, rule = _waits_for(window)
    interrupts = {rules.actions[id].facts.get("interrupts", "") for id in ids if id in rules.actions.by_id}
    rule = (interrupts.pop() if len(interrupts) == 1 else "") or rules.cite.get("window") or rule
    return Objection(reason, rule, firm=True)


@Lookup
def _waits_for(window: Window) -> tuple[str, tuple[str, ...], str]:
    """Return what is waited for in a window, in words, the answers there are, and the rule for it."""
    waiting = [b for b in window.bids if not b.answered]
    names = list(dict.fromkeys([b.who for b in waiting]))
    said = say_names(names) if len(names) < _NAMED else f"{len(names)} combatants"
    if window.question:
        said = "the GM"
    must = bool(window.question) or any(b.must for b in waiting)
    waits = f"Waiting for {said}: answer or let it go." if said else "Carry on first."
    if must and said:
        awaited = capital(said)
        waits = f"{awaited} must answer first."
    ids = tuple(dict.fromkeys([id for b in waiting for id in b.actions]))
    rule = window.question or next((b.rule for b in waiting or window.bids), "")
    return capital(f"{full_stop(window.about)} {waits}"), ids, rule


def _out_of_turn(case: Case, turn: Turn | None) -> list[Objection]:
    rules, state = case.rules, case.state
    step = rules.present_step(state)
    whose = f"it's {turn.who}'s turn" if turn else "it's nobody's turn right now"
    if turn is None and step is not None and step.stops:
        first = next(each for each in rules.schedule(state) if each.turns)
        number = f"step {first.number}, " if first.number is not None else ""
        whose = f"the round is still being declared: nobody acts before {number}{first.title}"
    gone = turn_gone(rules, state, case.fighter) if turn is not None else None
    reason, rule = (f"{gone[0]}; {whose}.", gone[1]) if gone else (f"{whose}.", rules.order_rule(state))
    reason = capital(reason)
    bound = case.action.facts.get("bound")  # what ties it to your own turn besides the order of turns
    return [Objection(reason, bound), Objection("", rule)] if bound else [Objection(reason, rule)]


def turn_gone(rules: Ruleset, state: State, fighter: Fighter) -> tuple[str, str] | None:
    """Say if somebody has no turn left in this round or phase, whether they had it or lost it, and by which rule."""
    place = state.place_of(fighter.name)
    if place is None or not place.done >= state.occasion > 0:
        return None
    if rules.staged and (step := rules.next_step_of(state, fighter.name)) is not None:
        where = step.title if step.number is None else f"step {step.number}, {step.title}"
        return f"{fighter.name} comes again in {where}", rules.order_rule(state, step)
    when = f"this {rules.occasion_title}"
    had = any(p.opened >= state.occasion for p in state.agenda if p.who == fighter.name)
    if had and fighter.effect("delayed") is None:
        return f"{fighter.name} has already had a turn {when}", rules.cite["one_turn"]
    return f"{fighter.name} has no turn left {when}", (not had and place.lost) or rules.cite["one_turn"]


# ── how an action is paid for ──


Way = tuple[str, ...]


def payment(case: Case, cost: Cost, found: list[Objection], *, silent: bool = False) -> tuple[Way, int]:
    """Return the pools an action takes one from, and for how many of its parts; objections go into `found`.

    A `silent` one doesn't say what is too dear, and on what it was spent.
    """
    rules, fighter = case.rules, case.fighter
    ways = rules.payments(case, cost)
    pools = fighter.pools
    caps, capped = [], False
    for cap in rules.capping.get(cost.of or cost.id, ()):
        if cap.id in pools:
            capped = True
            if pools[cap.id].left > 0:
                caps.append(cap.id)
            else:  # the GM may go beyond it, and takes nothing from it
                found.append(Objection(cap.reason.format(name=fighter.name), cap.rule))
    wanted = case.params.get("pay")
    if wanted is not None:
        ways = tuple(w for w in ways if any(pool == wanted or pool.partition(":")[0] == wanted for pool in w))
        if not ways:
            found.append(_not_from(case, str(wanted), cost.rule))
            return (), 1
    if cost.times > 1 and not capped and (whole := _whole(case, cost, ways))[0]:
        return whole
    for way in ways:
        one = pools.get(way[0]) if len(way) == 1 and not cost.untouched else None
        if not way or (one.left > 0 if one is not None else not _short(pools, way, cost)):
            return (way if not caps else (*way, *caps)), 1
    if silent:
        found.append(Objection("", cost.rule))
        return (), 1
    own = {pool for way in cost.pay for pool in way}
    lacking = [pool for way in ways for pool in _short(pools, way, cost)]
    if not found or any(pool in own and pool in pools and pools[pool].total for pool in lacking):  # a system says else
        said, price = _said(case.state), (fighter.name, cost, ways, tuple(lacking))
        known = said.get(price)
        if known is None or known[0] is not fighter:
            known = said[price] = fighter, _too_dear(case, cost, ways, lacking)
        found.append(known[1])
        found.extend(Objection("", rule) for rule in cost.rules)
    return (what_is_left(pools, (*ways[0], *caps)) if ways else ()), 1


@Lookup
def _said(_: State) -> dict[tuple[object, ...], tuple[Fighter, Objection]]:
    """Keep why a price is too dear, by whom it is for and what is lacking: most of what is too dear costs the same."""
    return {}


def _whole(case: Case, cost: Cost, ways: tuple[Way, ...]) -> tuple[Way, int]:
    """Return how everything still due could be paid now; nothing if it couldn't."""
    progress = case.fighter.progress.get(case.action.id)
    due = cost.times - (progress.done if progress is not None else 0)
    paid: Way = ()
    for _ in range(due):
        way = next((way for way in ways if not _short(case.fighter.pools, (*paid, *way), cost)), None)
        if way is None:
            return (), 1
        paid += way
    return paid, due


def _short(pools: Mapping[str, Pool], way: Way, cost: Cost) -> list[str]:
    """Return the pools that hold less than a way to pay takes from them; a keyed one exists from its first use."""
    short: list[str] = []
    for pool in way:
        have = pools.get(pool)
        if have is None:
            lacks = ":" not in pool
        else:
            lacks = have.left < way.count(pool) or (cost.untouched and have.left < have.total)
        if lacks and pool not in short:
            short.append(pool)
    return short


def _takes(rules: Ruleset, action: Action, pools: list[str]) -> bool:
    """Check whether an action may be paid from one of these pools."""
    for way in rules.costs.by_id[action.cost].pay:
        for pool in way:
            if pool in pools:
                return True
    return False


def _too_dear(case: Case, cost: Cost, ways: tuple[tuple[str, ...], ...], lacking: list[str]) -> Objection:
    """Say which part of the price somebody can't pay, and what they spent it on."""
    rules, fighter = case.rules, case.fighter
    catalogue = rules.catalogue(case.state)
    gone: list[tuple[int, str]] = []
    rule = cost.rule
    pools = fighter.pools  # what somebody never has is nothing they could have kept
    own = [way for way in ways if all(":" in pool or (pool in pools and pools[pool].total) for pool in way)]
    if own and len(own) < len(ways):
        ways, lacking = tuple(own), [pool for pool in lacking if any(pool in way for way in own)]
    for pool in lacking:
        have = fighter.pools.get(pool)
        if have is not None and have.action and have.left < have.total:
            spent = catalogue.get(have.action)
            gone.append((have.seq, spent.title if spent else have.action))
            again = cost.again_rule if have.rule == cost.spent_rule else ""
            rule = again or have.rule or rule
        if pool in rules.endless and fighter.stats[rules.endless[pool].stat]:  # only an option's number ends it
            rule = rules.options[rules.endless[pool].option].rules[0]
    went = f" ({'; '.join(dict.fromkeys([title for _, title in sorted(gone)]))})" if gone else ""  # as it happened
    same = went == f" ({cost.title})"
    if same or went == f" ({case.action.title})":  # a step goes on a step, as nothing else does
        for each in catalogue.by_id.values():
            if each.id != case.action.id and (each.cost == cost.id if same else _takes(rules, each, lacking)):
                break
        else:
            went = ""
    if gone and cost.untouched and cost.untouched_reason:
        when = filled_in(case, ways)
        then = f"; it can be done in {when}" if when else ""
        return Objection(f"{cost.untouched_reason.format(name=fighter.name).rstrip('.')}{went}{then}.", rule)
    gaps = dict.fromkeys(lacking)
    short = [[_slot(rules, pool).so_many(way.count(pool)) for pool in gaps if pool in way] for way in ways]
    needed = list(dict.fromkeys(" and ".join(way) for way in short if way)) or [with_article(cost.title.lower())]
    have = fighter.pools.get(lacking[0]) if len(gaps) == 1 else None
    rest = have.left if have is not None else 0
    none = f"only {rest}" if rest else "neither" if len(needed) == 2 else "none"
    left = " left" if gone or rest else ""
    when = filled_in(case, [tuple([pool for pool in way if pool in gaps]) for way in ways]) if left else ""
    until = f" until {when}" if when else ""
    return Objection(f"Needs {_one_of(needed)}; {fighter.name} has {none}{left}{until}{went}.", rule)


def filled_in(case: Case, ways: Iterable[Way]) -> str:
    """Return when the pools of one way to pay are filled again: "their next turn", "the next round"; empty if never."""
    rules, state = case.rules, case.state
    then = replace(state, round=(state.round or 0) + 1, occasion=state.occasion + 1)
    titles = {"turn": "their next turn", "step": f"the next {rules.occasion_title}"}
    titles["round"] = f"the next {rules.round_title.lower()}"
    for boundary, title in titles.items():
        filled = rules.refill(then, case.fighter, boundary)
        if any(way and all((filled.get(pool) or 0) >= way.count(pool) for pool in way) for way in ways):
            return title
    return ""


def _not_from(case: Case, wanted: str, rule: str) -> Objection:
    """Say that an action can't be paid for in the way asked for, and what would let it."""
    rules, action = case.rules, case.action
    open_to = [
        price for price in action.prices if price.cost and any(wanted in way for way in rules.costs[price.cost].pay)
    ]
    words = [price.word for price in open_to if price.word]
    if wanted in rules.slots.by_id:
        slot = rules.slots[wanted].so_many(1)
    elif wanted not in rules.costs.by_id:  # nothing that this system knows, so no rule is against it
        slot, rule = short(wanted), ""
    else:  # what takes none, such as a free action
        slot = with_article(f"{rules.costs[wanted].title.lower()} action")
    reason = f"{action.title} can't be paid from {slot}."
    if words:
        reason = f"{action.title} takes {slot} only with {say_names(words, ' or ')}."
    return Objection(reason, open_to[0].rule if words else rule)


def _one_of(needed: list[str]) -> str:
    """Say what would do: "a standard or move action", "an Action or a Move"."""
    words = [each.split(" ") for each in needed]
    if len(words) > 1 and all(len(each) == 3 and each[2] == "action" for each in words):
        return f"{words[0][0]} {say_names([each[1] for each in words], ' or ')} action"
    return say_names(needed, " or ")


def _slot(rules: Ruleset, pool: str) -> SlotSpec:
    """Return the slot that a pool is shown as; its own name if it isn't shown."""
    return rules.slots.get(pool) or SlotSpec(pool, pool.partition(":")[0])


# ── all together ──


_TRIED = 100
"""How many values are tried before another is assumed to be possible."""

_PLAIN = ("names", "name", "action")
"""Kinds of parameters whose listed values need no check: they come from the fight."""


class Judgement(Struct, frozen=True, gc=False):
    """The objections to an action, how it would be paid, and for how many of its parts."""

    objections: list[Objection]
    cost: Cost
    pay: tuple[str, ...]
    rule: str
    missing: tuple[str, ...]
    parts: int = 1


def judge(case: Case, *, brief: bool = False) -> Judgement:
    """Weigh an action: who may act now, what bars it, what it needs, what it costs, what is still missing.

    Parameters
    ----------
    case : Case
        Who would do what, with the parameters given so far, checked.
    brief : bool
        Whether the first objection is enough: then nothing is asked that could only bring others, or say what is paid.

    Returns
    -------
    Judgement
        Objections in order, the most specific first; the pools it would take, or, if it costs too much, what is left in
        them; required parameters not given.
    """
    rules, fighter, action = case.rules, case.fighter, case.action
    found: list[Objection] = []
    cost, rule = rules.price(case)
    if case.state.stage != "running" or case.state.step < 0:  # no rule says so, and none of a fight under way does
        return Judgement([Objection(not_under_way(case.state), "", firm=True)], cost, (), rule, ())
    missing = action.required
    if missing and case.params:
        missing = tuple(filterfalse(case.params.__contains__, missing))
    held = (unable(rules, fighter),) if fighter.effects and not rules.able_to(fighter, action) else ()
    unfit = forbidden(case) if fighter.effects and rules.forbidding else ()
    late = timing(case)
    for objection in chain(held, unfit, rules.bars(case), late or (), _at_hand(case)):
        if brief and (late is None or not objection.late):  # it comes first whatever else there is
            return Judgement([objection], cost, (), rule, missing)
        found.append(objection)
    pay, parts = payment(case, cost, found)
    own = len(found)
    for need in rules.needs[action.does]:  # going nearer wouldn't help, if nothing is left to spend
        found.extend(need(case))
    if action.does == "use":  # why what is kept can't be done is told first, whether or not its moment has come
        own = len(found)
    if late is not None and len(found) > len(late):
        found = _late_last(found, own, windowed=case.window is not None)
    if not found and (more := rules.mechanisms[action.does].missing) is not None:
        missing = (*missing, *more(case))
    if missing and not found:
        for id in missing:
            found.extend(_nothing_will_do(case, id))
    return Judgement(found, cost, pay, rule, missing, parts)


def allowed(case: Case) -> Judgement | None:
    """Weigh an action, yes or no: as `judge` does, but nothing is put into words.

    Parameters
    ----------
    case : Case
        Who would do what, with the parameters given so far, checked.

    Returns
    -------
    Judgement or None
        What `judge` would say, if nothing is against it; None if anything is.
    """
    rules, fighter, action = case.rules, case.fighter, case.action
    cost, rule = rules.price(case)
    if case.state.stage != "running" or case.state.step < 0:
        return None
    if (fighter.effects and not rules.able_to(fighter, action)) or timing(case):
        return None
    found: list[Objection] = []
    pay, parts = payment(case, cost, found, silent=True)  # what is too dear is the most common: it is asked first
    needs = rules.needs[action.does]
    if found or any(True for _ in chain(rules.bars(case), _at_hand(case), *[need(case) for need in needs])):
        return None
    more = rules.mechanisms[action.does].missing
    missing = tuple(
        filterfalse(case.params.__contains__, (*action.required, *(more(case) if more is not None else ())))
    )
    if any(_nothing_will_do(case, id, silent=True) for id in missing):
        return None
    return Judgement([], cost, pay, rule, missing, parts)


def demands(case: Case) -> list[Objection]:
    """Return the objections to an action, also within another, apart from who may act now and what it costs."""
    world = [objection for need in case.rules.needs[case.action.does] for objection in need(case)]
    return [*_at_hand(case), *world]


def _at_hand(case: Case) -> Iterator[Objection]:
    """Return the objections to an action wherever everybody stands."""
    return chain(itself(case), _targets(case)) if "target" in case.params else itself(case)


def itself(case: Case) -> Iterator[Objection]:
    """Yield the objections to an action that no moment changes by itself: also one kept for later is held to them."""
    check = case.rules.mechanisms[case.action.does].check
    if case.params or case.action.requires or case.fighter.stats.get(USES):  # else there is nothing to look at
        yield from grounds(case)
    if check is not None:
        yield from check(case)
    if "to" in case.params:
        yield from off_board(case)


def grounds(case: Case) -> Iterator[Objection]:
    """Yield the objections to what lacks a condition or is used up, and refuse an outcome that an action can't have."""
    for id in case.action.requires:
        if case.fighter.effect(id) is None:
            name, without = case.fighter.name, case.action.facts.get("without")
            yield case.object(without.format(name=name) if without else f"{name} is not {id}.")
    if (given := case.params.get("outcome")) is not None:
        several = type(given) is list and "outcome" in case.action.facts.get("blows", ())
        for said in given if several else (given,):
            if said not in (right := values_of(case, "outcome") or OUTCOMES):
                raise InvalidInput(f"{case.action.id}: outcome is {short(said)}; give {say_names(right, ' or ')}")
    if "modifiers" in case.params:
        _check_modifiers(case)
    if case.fighter.stats.get(USES):
        yield from used_up(case)


def _check_modifiers(case: Case) -> None:
    """Refuse modifiers of a call that nothing reads: they name a number that counts here, or a circumstance."""
    rules, action, given = case.rules, case.action, case.params["modifiers"]
    if {"modifiers", "action"} & {*action.takes} or carried(case) is not None:
        return  # it checks them itself, or what it keeps or carries out does
    rolled, holds = rules.rolled(case), rules.mechanisms[action.does].holds
    known = rules.numbers(case.state, case.fighter)
    read = known if holds else [*rolled, *([rules.struck_by] if _is_met(case) else ())]
    if not rolled and not holds:
        raise InvalidInput(f"{action.id}: nothing is rolled for it, so no modifiers are read; leave them out")
    right = f"{', '.join(read)}{'' if holds else ', or a circumstance such as cover'}"
    if holds and not isinstance(given, Mapping):
        raise InvalidInput(f"{action.id}: modifiers is {given}; give numbers by name: {right}")
    numbers = [*known, *rules.to_hit, *rules.follow_from, *(stat.name for stat in rules.stats)]
    words = set[str]() if holds else _circumstances(case).difference(numbers)
    for name in given if isinstance(given, Mapping) else ():
        if name not in read and spelled(name) not in words:
            raise InvalidInput(f"{action.id}: modifiers has {short(name)}, which nothing reads here; give {right}")


def _is_met(case: Case) -> bool:
    """Check whether what is rolled meets a number of somebody it is aimed at, as far as they are named."""
    rules, fighters = case.rules, case.state.fighters
    if not rules.struck_by or not rules.strikes(case.action):
        return False
    return not case.targets or any(rules.value(fighters[name], rules.struck_by) is not None for name in case.targets)


def _circumstances(case: Case) -> set[str]:
    """Return the words that say why a roll is modified: what is usual, conditions, what somebody may be doing."""
    words = [*case.rules.circumstances, *(condition.id for condition in case.rules.conditions)]
    words += [effect.id for fighter in case.state.fighters.values() for effect in fighter.effects]
    for action in case.rules.catalogue(case.state):
        words += (action.id, action.title, *action.also, *action.names)
    return {spelled(word) for word in words}


def hindrances(
    rules: Ruleset, state: State, act: Act, action: Action, stage: Stage
) -> tuple[list[Objection], dict[str, list[Objection]]]:
    """Ask again what a stage of an action under way needs from the world, which may have changed since it was declared.

    Returns
    -------
    tuple
        The objections to the whole, and to each target that is lost. What was paid is not asked again.
    """
    fighter, needs = state.fighters[act.who], stage.needs or ()
    bare = dict(act.params)
    bare.pop("target", None)
    lost = {}
    for name in act.targets:
        case = Case(rules, state, fighter, action, {**bare, "target": [name]}, act)
        found = [o for need in needs for o in need(case)]
        found.extend(_targets(case))
        if found:
            lost[name] = found
    case = Case(rules, state, fighter, action, bare, act)
    held = forbidden(case) if stage.moves and fighter.effects else ()
    return [*held, *(o for need in needs for o in need(case))], lost


def _late_last(found: list[Objection], own: int, *, windowed: bool) -> list[Objection]:
    """Return objections with those that ask for something after what it wouldn't help against.

    What stands in the way as everybody stands, as all but the first `own` do, may change by the time there is something
    to answer, so it comes last. In a window it is why somebody isn't asked, and comes instead.
    """
    now = [o for o in found if not o.late]
    if windowed and any(o.reason for o in now):
        return now
    first = [o for n, o in enumerate(found) if not o.late and (n < own or o.firm)]
    return list(dict.fromkeys([*first, *[o for o in found if o.late], *now]))


def carried(case: Case) -> Case | None:
    """Return the case of what an action keeps, carries out or uses up, as far as that is known."""
    return case.rules.carried(case) if "action" in case.action.takes else kept_case(case)


def goes_with(case: Case, chosen: Action, param: str) -> bool:
    """Check whether a parameter of an action that keeps or carries out another one is its own, or taken by that."""
    return param in {*CARRIERS, *ALWAYS, *chosen.takes, *case.action.facts.get("besides", ())}


def is_asked(case: Case, param: str) -> bool:
    """Check whether a form asks for a parameter, with the action that another one keeps or carries out.

    What may go with any action is no question, unless that one takes it or the system lists what it can be.
    """
    action, inner = case.action, carried(case)
    if inner is None and "action" not in action.takes:
        return True
    own = {*action.facts.get("besides", ()), *(() if inner is None else inner.action.takes)}
    idle = param in ALWAYS and param not in own and case.rules.listed(case, param) is None
    return not idle and (inner is None or goes_with(case, inner.action, param))


def values_of(case: Case, param: str) -> tuple[Any, ...] | None:
    """Return the values a parameter can be chosen from, allowed or not; None for text, numbers and dice.

    What belongs to an action that another keeps or carries out is chosen as for that.
    """
    rules = case.rules
    listed = rules.listed(case, param)
    if listed is not None:
        return listed
    if param not in CARRIERS and (inner := carried(case)) is not None and param in inner.action.takes:
        return values_of(inner, param)
    match rules.parameters.by_id[param].kind:
        case "names" | "name":
            name = case.fighter.name
            return tuple([n for n in present(case.state.fighters) if n != name])
        case "action":
            return rules.catalogue(case.state).ids()
        case "text" if param == "weapon":
            return tuple([weapon["name"] for weapon in weapons_of(case.fighter)]) or None
        case "outcome" if "action" not in case.action.takes:
            return rules.mechanisms[case.action.does].outcomes
        case "outcome":
            return ()
    return None


def _nothing_will_do(case: Case, param: str, *, silent: bool = False) -> list[Objection]:
    """Object if a parameter that an action needs has no allowed value, since the action isn't allowed then either.

    A `silent` objection says no reason.
    """
    action = case.action
    if (values := values_of(case, param)) is None:
        return []
    spec = case.rules.parameters.by_id[param]
    reason = f"There is no {spec.title.lower()} for {action.title}."
    if spec.kind in ("names", "name"):  # foes first: one of them will usually do
        answered = _openers(case) if len(case.state.focus) > 1 and "reaction" in action.when else ()
        values = foes_first(case.state.fighters, case.fighter.side, answered or values, _TRIED + 1)
        reason = f"{spec.lacking if spec.wanted else 'Nobody to target'} with {action.title}."
    cited: tuple[str, ...] = (action.rule,)
    for number, value in enumerate(values):
        if number == _TRIED:
            return []
        against = _against(case, param, value, silent=silent)
        if not against:
            return []
        if not number and not silent:
            head, _, why = against[0].reason.partition(": ")  # another parameter may have said that nothing will do
            lacks = why and any(head == each.lacking for each in case.rules.parameters)
            reason = f"{spec.lacking}: {why if lacks else against[0].reason}"
            cited = tuple(o.rule for o in against if o.rule) or cited
    return [Objection(reason if not number else "", rule, firm=True) for number, rule in enumerate(cited)]


def _against(case: Case, param: str, value: object, *, silent: bool = False) -> list[Objection]:
    """Return the objections to an action with one more parameter, as it is listed; a `silent` one says no reason."""
    kind = case.rules.parameters.by_id[param].kind
    try:
        if kind not in _PLAIN:
            value = check_params(case.rules, case.state, case.action, {param: value})[param]
        several = kind == "names"
        given = {**case.params, param: [value] if several else value}
        if several and "blows" in case.action.facts:
            given = with_one(case.action, case.params, param, value)
        tried = Case(case.rules, case.state, case.fighter, case.action, given, case.act)
        if silent:
            return [] if allowed(tried) is not None else [case.object("")]
        return judge(tried).objections
    except (InvalidInput, UnknownName) as error:
        return [case.object(str(error))]


def with_target(case: Case, *, by_word: bool = False) -> Case:
    """Return the case of an answer, with its target if what it answers leaves no doubt who that is.

    It is whoever an open window names for it, if that is one person; for an attack that was readied, or that answers
    something told by `trigger`, whoever set it off, if they are an enemy. What ends beside its target gets its place;
    what is done by the GM's word gets one although something bars it.
    """
    action = case.action
    if action.when == "own turn":
        return _beside_target(case, case.targets, by_word=by_word) if "beside" in action.facts else case
    kept = kept_case(case)
    deed = action if kept is None else kept.action
    named = case.targets if kept is None else kept.targets
    if not named and "target" in deed.required:
        aimed = _aimed_at(case, deed)
        if aimed is not None and not _against(case, "target", aimed, silent=True):
            case, named = case.given({**case.params, "target": [aimed]}), (aimed,)
    return _beside_target(case, named, by_word=by_word) if "beside" in deed.facts else case


def _beside_target(case: Case, names: Sequence[str], *, by_word: bool) -> Case:
    """Return the case of an action that ends beside its target with the nearest place there, if none is named.

    Where something bars it wherever it ends, there is one by the GM's word alone: the nearest that nothing more bars.
    """
    here = as_pair(case.fighter.position)
    if "to" in case.params or here is None or len(names) != 1:
        return case
    other = case.state.fighters[names[0]]
    there = as_pair(other.position)
    if there is None or apart(here, there) < 2:  # where else beside them is somebody's own choice
        return case
    placed = [case.given({**case.params, "to": [*spot]}) for _, spot in next_to(case, here, other)]
    clear = next((each for each in placed if not judge(each, brief=True).objections), None)
    if clear is not None or not by_word:
        return clear or case
    most = len(judge(case).objections)
    barred = [(against, each) for each in placed if (against := len(judge(each).objections)) <= most]
    return min(barred, key=lambda each: each[0], default=(0, case))[1]


def _aimed_at(case: Case, deed: Action) -> str | None:
    state = case.state
    bid, turn = bid_of(case.window, case.fighter.name, case.action.id), state.turn
    here = () if bid is None else present(state.fighters)
    if bid is not None and bid.targets:
        targets = [name for name in bid.targets if name in here]
        return targets[0] if len(targets) == 1 else None
    by: tuple[str, ...] = ()
    if bid is not None and case.window is not None:
        by = tuple([name for name in besides(case.fighter.name, case.window.by) if name in here])
    elif "trigger" in case.params and turn is not None:
        by = (turn.who,)
    foe = len(by) == 1 and state.fighters[by[0]].side != case.fighter.side
    return by[0] if foe and "attack" in deed.tags else None


def readied(fighter: Fighter, action: Action) -> Effect | None:
    """Return the effect an answer such as `use_readied` would use up."""
    for effect in fighter.effects:
        if effect.watches and effect.value["use"] == action.id:
            return effect
    return None


def is_bound(state: State, action: Action) -> bool:
    """Check whether what an answer such as `use_readied` uses up is used only as it was said to be."""
    return all(state.options[id] == value for id, value in action.facts.get("bound_if", {}).items())


def kept_for(rules: Ruleset, state: State, who: str, action: Action) -> tuple[str, ...]:
    """Return at whom alone something goes that was readied, or announced before; nobody if that is open, or new."""
    case = Case(rules, state, state.fighters[who], action)
    kept = kept_case(case) if is_bound(state, action) else None
    return rules.announced(case) if kept is None else kept.targets


def ruling_of(case: Case, judged: Judgement) -> Ruling:
    """Return a judgement as a `Ruling`, counting a missing parameter as a refusal."""
    rules = case.rules
    asks = rules.asks(case)
    notation, needed = (rules.notation(asks[0].thrown), asks[0].needed) if asks else (None, None)
    objections = judged.objections
    if not objections and judged.missing:
        objections = [_missing(case, judged.missing)]
    if objections:
        first = objections[0]
        cited = tuple(dict.fromkeys([o.rule for o in objections if o.rule]))
        cost = still_due(case, judged.cost).title
        return Ruling(False, capital(first.reason), first.rule, cited, cost, notation, needed)
    cited = rules.cited(case, judged.rule)
    return Ruling(True, "", judged.rule, cited, spends(case, judged), notation, needed)


def still_due(case: Case, cost: Cost) -> Cost:
    """Return what is still due of a cost: less for an action that is begun."""
    return case.rules.due(case, cost) if case.begun is not None else cost


def spends(case: Case, judged: Judgement) -> str:
    """Return what an allowed action takes: its cost by name, or the slots it takes in place of what that usually takes.

    What is taken of nothing, although its like costs something, is called as what is no action.
    """
    rules, cost, paid = case.rules, judged.cost, {*judged.pay}
    own = rules.costs.by_id.get(cost.id, cost)
    if cost.of and judged.parts < cost.times:  # a part now, the rest later
        return rules.times(cost, judged.parts).title
    now = {pool: judged.pay.count(pool) for pool in own.pay[0]}
    if any(0 < number < own.pay[0].count(pool) for pool, number in now.items()):
        return " + ".join([_slot(rules, pool).so_many(number) for pool, number in now.items() if number])
    if not own.pay[0] or {*own.pay[0]} <= paid or cost.times > 1 or cost.of:
        return cost.title
    if any({*ways[0]} <= paid for _, _, ways in own.when if ways[0]):
        return cost.title
    way = next((each for each in own.pay if each and {*each} <= paid), paid)  # not what it uses up beside
    slots = [slot.title for slot in rules.slots if slot.id in way]
    if not slots and not paid and not {*own.pay[0]} & {*rules.unlimited(case.state, case.fighter)}:
        slots = [each.title for each in rules.costs if each.pay == ((),)][:1]
    return " + ".join(slots) or cost.title


def unable(rules: Ruleset, fighter: Fighter) -> Objection:
    """Return what keeps somebody from acting at all."""
    held = disabling(rules, fighter)
    word = "has left the fight" if held.id == "left" else f"is {held.id}"
    return Objection(f"{fighter.name} {word}.", held.rule or rules.cite.get("able", ""), firm=held.id == "left")


def disabling(rules: Ruleset, fighter: Fighter) -> Effect:
    """Return the condition that keeps somebody from acting at all: that they have left or fallen, before any other."""
    gone = fighter.effect("left") or _fallen(rules, fighter)
    return gone or next(e for e in fighter.effects if e.id in rules.incapable)


def never_aimed(fighter: Fighter, action: Action, targets: Sequence[str]) -> list[Objection]:
    """Return the objections to an action's targets that no event can change: too many, or themselves."""
    found = []
    if len(targets) > 1 and (single := action.facts.get("single")):
        found.append(Objection(f"{action.title} takes one target.", single))
    if fighter.name in targets and ("attack" in action.tags or "others" in action.facts):
        rule = action.facts.get("single") or action.facts.get("others", "")
        found.append(Objection(f"{fighter.name} can't target themselves.", rule))
    return found


def _targets(case: Case) -> list[Objection]:
    """Return the objections to an action's targets: themselves, too many, an ally, the wrong one, somebody gone."""
    fighter, action, targets = case.fighter, case.action, case.targets
    found = never_aimed(fighter, action, targets)
    strikes, foes = "attack" in action.tags, action.facts.get("foes")
    aimed = strikes or "target" in action.required
    answers = bool(targets) and "reaction" in action.when and action.does != "use"
    openers = _openers(case) if answers else ()
    unseen = answers and not openers and case.window is not None and case.window.unseen
    answering = case.rules.cite["reaction"] if answers and action.when != "reaction" else action.rule
    for target in targets:
        other = case.state.fighters[target]
        if target == fighter.name and strikes:
            continue
        if other.effects and other.effect("left"):
            found.append(Objection(f"{target} has left the fight.", "", firm=True))
        elif strikes and other.effects and (fallen := _fallen(case.rules, other)) is not None:
            found.append(Objection(f"{target} is {fallen.id}.", fallen.rule))
        elif foes and other.side == fighter.side:
            found.append(Objection(f"{target} isn't {fighter.name}'s enemy.", foes))
        elif unseen and (strikes or other.side != fighter.side):
            found.append(Objection(f"{fighter.name} doesn't see who did this.", answering))
        elif openers and target not in openers and (aimed or other.side != fighter.side):
            reason = f"{target} didn't do this; {say_names(openers)} did."
            if foes:
                reason = f"{target} gave {fighter.name} no opening; {say_names(openers)} did."
            found.extend(against(reason, answering, action.facts.get("opening", "")))
    return found


def _fallen(rules: Ruleset, fighter: Fighter) -> Effect | None:
    return next((e for e in fighter.effects if e.id in rules.fallen), None)


def _openers(case: Case) -> tuple[str, ...]:
    """Return whom an answer to the open window may strike: who did it; empty if words tell it or a trap did it."""
    window = case.window
    bid = bid_of(window, case.fighter.name, case.action.id)
    return () if bid is None or window is None else bid.targets or besides(case.fighter.name, window.by)


def _missing(case: Case, missing: tuple[str, ...]) -> Objection:
    """Say what is still to be given, by the rule that asks for it, if one does."""
    action, inner = case.action, carried(case)
    id = next(id for id in (*action.takes, *missing) if id in missing)
    rule = action.rule_of(id) or (inner.action.rule_of(id) if inner is not None else "")
    lacking: str | Mapping[str, str] = action.facts.get("lacking", NOTHING)
    words = lacking if isinstance(lacking, str) else lacking.get(id, "")
    spec = case.rules.parameters[id]
    title = spec.title.lower()
    wanted = spec.wanted or with_article(title)
    hint = ""
    if id == "target":
        known = values_of(case, id) or ()
        fit = [v for v in known if not _against(case, id, v)] if len(known) <= _TRIED else known
        fit = fit or known
        hint = f": {say_names(fit, ' or ')}"
    elif spec.kind in ("places", "text"):
        fit = [v for v in values_of(case, id) or () if not _against(case, id, v)]
        hint = f": {say_names([str(v) for v in fit], ' or ')}" if 0 < len(fit) <= _NAMED else ""
    if words and not ("{fit}" in words and not hint):
        return Objection(words.format(name=case.fighter.name, fit=hint.removeprefix(": ")), rule)
    if id == "to" and inner is not None:
        return Objection(f"Say where {case.fighter.name} goes{hint}.", rule)
    return Objection(f"{action.title} needs {wanted}{hint}.", rule)


def kept_case(case: Case) -> Case | None:
    """Return the case of what an answer such as `use_readied` would use up, with what was said before and is now."""
    effect = readied(case.fighter, case.action)
    if effect is None:
        return None
    chosen = case.rules.catalogue(case.state)[effect.value["action"]]
    bound, params = is_bound(case.state, case.action), effect.value.get("params", NOTHING)
    said = still_aimed(case.rules, case.state, chosen, params, effect.number, bound=bound)
    return case.doing(chosen, {**said, **case.params})


def died_since(fighter: Fighter, number: int) -> bool:
    """Check whether somebody is dead who was not when the effect of this number began."""
    dead = fighter.effect("dead") if fighter.effects else None
    return dead is not None and dead.number > number


def still_aimed(
    rules: Ruleset, state: State, action: Action, said: Mapping[str, Any], since: int, *, bound: bool = True
) -> Mapping[str, Any]:
    """Return what was said of an action as the effect `since` began, without the targets that are gone by now.

    What is no attack may have been meant for the dead: it leaves out those who have died since. If none is left, they
    stay where the action is `bound` to them, and else anybody may be its target.
    """
    named: Sequence[str] = said.get("target", ())
    if not named or (bound and len(named) < 2):
        return said
    fallen = rules.fallen if "attack" in action.tags else frozenset()
    there = [state.fighters[name] for name in named]
    left = [
        each.name
        for each in there
        if not died_since(each, since) and not any(e.id == "left" or e.id in fallen for e in each.effects)
    ]
    if left or bound:
        return {**said, "target": left} if left else said
    return {id: value for id, value in said.items() if id != "target"}


def lacking(case: Case) -> tuple[str, ...]:
    """Return the parameters still to be given for an action that another one carries out."""
    more = case.rules.mechanisms[case.action.does].missing
    found = tuple(id for id in case.action.required if id not in case.params)
    return found if more is None else (*found, *more(case))


def could_strike(rules: Ruleset, state: State, who: str, action: str, target: str) -> bool:
    """Check whether somebody could answer with this action, if another gave them an opening now."""
    told = {"trigger": "?", "target": [target]}
    case = Case(rules, state, state.fighters[who], rules.catalogue(state)[action], told)
    return not judge(case, brief=True).objections


def would_strike(rules: Ruleset, state: State, foe: Fighter, action: str, mover: Fighter) -> bool:
    """Check whether somebody could answer with this action, if another gave them an opening right beside them."""
    beside = {**state.fighters, mover.name: replace(mover, position=foe.position)}
    return could_strike(rules, replace(state, fighters=beside), foe.name, action, mover.name)
