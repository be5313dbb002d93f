"""Who may act now: whose turn it is, what a window waits for, whether there is something to react to."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec.structs import replace

from combatkit.core.model import Bid, Fighter, Lookup, Ruling, State, Turn, Window, open_bids
from combatkit.core.plain import full_stop
from combatkit.errors import IllegalAction
from combatkit.rules.case import Case, Objection
from combatkit.rules.checks import say_names
from combatkit.rules.declared import REACTION, TAG
from combatkit.rules.ruleset import Ruleset

_FORBIDDEN = {"reaction": "react", "tag:movement": "move", "tag:attack": "attack"}
"""What somebody can't do whose condition forbids it, if there is a word for all of it."""

_NAMED = 4
"""How many are named; if there are more, their number."""


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
        if "trigger" not in params:
            cited = (cited[1], cited[0], action.rule)
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
    free = not window.question and case.fighter.name not in window.by and all(u[:2] != given for u in window.used)
    return bool(action.facts.get("words")) and free


def _unasked(case: Case, window: Window, nature: str) -> Iterator[Objection]:
    """Say why an open window doesn't ask somebody, unless something else is in their way."""
    name, foes = case.fighter.name, case.action.facts.get("foes")
    if any(used[:2] == (name, case.action.id) for used in window.used):
        reason = f"{name} has already answered this with {case.action.title.lower()}."
        yield Objection(reason, nature, late=True)
    elif name in window.by:
        yield Objection(f"{name} can't react to what they do themselves.", nature, late=True)
    elif foes and window.by and all(case.state.fighters[by].side == case.fighter.side for by in window.by):
        reason = f"{say_names(window.by)} {'is' if len(window.by) == 1 else 'are'} on {name}'s side."
        yield Objection(reason, foes, late=True)
    elif window.to is not None and name not in window.to:
        yield Objection(f"Only {say_names(window.to)} can answer this: {full_stop(window.about)}", "", late=True)
    elif window.offers and case.action.id not in window.offers:
        wanted = say_names([case.rules.catalogue(case.state)[id].title for id in window.offers], " or ")
        yield Objection(f"The GM called for {wanted}, not for {case.action.title}.", "", late=True)
    else:
        found = [replace(o, late=True) for o in case.rules.unasked(case, window)]
        reason = f"{case.action.title} doesn't answer this: {full_stop(window.about)}"
        yield from found or [Objection(reason, nature, late=True)]


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
                deed, word = _FORBIDDEN.get(what, f"use {action.title}"), effect.id.replace("_", " ")
                reason = f"{case.fighter.name} can't {deed}: {word}."
                yield Objection(reason, effect.rule)


def refusal(reason: str, rule: str = "") -> IllegalAction:
    """Return the refusal of a call, by a rule if one says so."""
    return IllegalAction(Ruling(False, reason, rule, (rule,) if rule else ()))


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


def still_asked(state: State) -> str:
    """Say who may still answer the open window: "Ada may still answer this: Nox attacks Bes."; empty if nobody may."""
    window = state.window
    names = list(open_bids(window.bids)) if window is not None else []
    if window is None or not names:
        return ""
    said = say_names(names) if len(names) < _NAMED else f"{len(names)} combatants"
    return f"{said} may still answer this: {full_stop(window.about)}"


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
        waits = f"{said[0].upper()}{said[1:]} must answer first."
    ids = tuple(dict.fromkeys([id for b in waiting for id in b.actions]))
    rule = window.question or next((b.rule for b in waiting or window.bids), "")
    return f"{full_stop(window.about)} {waits}", ids, rule


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
    reason = reason[0].upper() + reason[1:]
    bound = case.action.facts.get("bound")  # what ties it to your own turn besides the order of turns
    return [Objection(reason, bound), Objection("", rule)] if bound else [Objection(reason, rule)]


def turn_gone(rules: Ruleset, state: State, fighter: Fighter) -> tuple[str, str] | None:
    """Say if somebody has no turn left in this round or phase, whether they had it or lost it, and by which rule."""
    place = state.place_of(fighter.name)
    if place is None or not place.done >= state.occasion > 0:
        return None
    when = f"this {rules.occasion_title}"
    had = any(p.opened >= state.occasion for p in state.agenda if p.who == fighter.name)
    if had and fighter.effect("delayed") is None:
        return f"{fighter.name} has already had a turn {when}", rules.cite["one_turn"]
    return f"{fighter.name} has no turn left {when}", (not had and place.lost) or rules.cite["one_turn"]
