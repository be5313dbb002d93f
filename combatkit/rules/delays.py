"""Waiting for a later place in the order: a delay to a named place, or until the delayer steps in."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from combatkit.core.model import SIDES, Act, Place, State, tuples
from combatkit.core.plain import plain
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.catalogue import Action
from combatkit.rules.contests import says
from combatkit.rules.draft import Draft
from combatkit.rules.judge import turn_gone, wait_for
from combatkit.text import Said, say


def check_delay(case: Case) -> Iterable[Objection]:
    """Refuse a delay once anything but a free action has been taken, or to a place the system does not allow."""
    state, params = case.state, case.params
    name, turn = case.fighter.name, state.turn
    if turn is None or turn.who != name or not turn.place:
        reason = f"{name} can delay only on their own turn; the GM can change the order instead."
        yield case.object(reason, firm=True)
        return
    if turn.touched > 1:
        yield case.object(f"{name} has already acted this turn.")
    named = [side for side in SIDES if side in params]
    if len(named) + ("count" in params) > 1:
        rule = case.action.rule_of("count" if "count" in params else named[0])
        yield case.object("A delay goes to one place: give count, before or after.", rule, firm=True)
        return
    place = state.place(turn.place)
    if named:
        other = state.place_of(params[named[0]])
        if other is None or other.id == place.id:
            gone = other is None and state.fighters[params[named[0]]].effect("left") is not None
            whose = "their own" if params[named[0]] == name else f"{params[named[0]]}'s"
            reason = f"{params[named[0]]} has left the fight." if gone else f"{name} can't wait for {whose} place."
            yield case.object(reason, case.action.rule_of(named[0]), firm=True)
            return
    yield from case.rules.later(case, place).against


def is_beside(place: Place) -> bool:
    """Check whether a place takes its rank from another that it was put just before or after."""
    return bool(place.key) and place.key[-1][0] in SIDES


def beside(place: Place, other: Place, side: str = "before") -> Place:
    """Give a place the rank of another, to be put just before or after it."""
    key = (*(term for term in other.key if term[0] not in SIDES), (side, other.who))
    return replace(place, score=other.score, rank=other.rank, key=key, was=None, why="", why_rule="", waits=False)


def rerank(
    draft: Draft, place: Place, rank: tuple[object, ...], key: tuple[tuple[str, object], ...], text: Said, *rules: str
) -> None:
    """Put a place on the ladder where its new rank belongs, along with those beside it."""
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
                draft.order(stays, say(f"order.stays_{side}", other=place.who), rules, at=(side, place.id))


def _companions(agenda: tuple[Place, ...], place: Place) -> set[str]:
    """Return who is beside a place, or beside somebody who is: by name, if others are tied with it.

    Names alone won't do: the other may have left since, or have stepped in beside this one.
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
    """Let the turn go and take a later place, or wait without one."""
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
    moved = rules.later(Case(rules, state, state.fighters[act.who], action, params), place).place
    if moved is None and other is not None:
        why = f"delayed to just before {other.who}" if side == "before" else f"delayed to just after {other.who}"
        moved, at = replace(beside(place, other, side), why=why, why_rule=action.rule), (side, other.id)
    if moved is None:
        value: dict[str, object] = {"was": place.score}
        draft.order(
            replace(place, waits=True, was=place.score), say("order.holds_back"), cited, at=_among(state, place)
        )
    else:
        value = {"was": place.score, "count": moved.score}
        if later is not None and state.round is not None and later > state.round:
            value["round"] = later
            moved = replace(moved, done=state.occasion + (later - state.round) - 1)
        elif other is not None and state.agenda.index(other) < state.agenda.index(place):
            moved = replace(moved, done=state.occasion)  # that place has passed: it comes next time round
        moved = replace(moved, was=place.score)
        if other is not None and moved.score == place.score:
            text = say(f"order.now_{side}", other=other.who)
        else:
            text = say("order.now_at", score=moved.score, was=place.score)
        draft.order(moved, text, cited, at=at)
    # One who waits, and names no place, loses the delay at the next turn where a rule says so.
    lapse = action.facts.get("lapse_rule") if moved is None else None
    rule = lapse or says(action)
    draft.effect(act.who, "delayed", value=value, anchor=anchor, rule=rule, text=say("condition.delayed"))
    flow.close_turn(draft, given_up=True, rules=cited)
    return act


def _among(state: State, place: Place) -> tuple[str, int] | None:
    """Say where a place is among those of the same rank, so that it stays there; None if it is the last of them."""
    below = state.agenda[state.agenda.index(place) + 1 :]
    return ("before", below[0].id) if below and below[0].rank == place.rank else None


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
        yield Objection(reason, case.action.facts.get("untouched", says(case.action)), firm=True)
    elif window is not None:
        yield wait_for(rules, window)
    elif gone := turn_gone(rules, state, fighter):
        yield Objection(f"{gone[0]}.", gone[1])
    else:
        yield from rules.later(case, place).against


def act_now(draft: Draft, act: Act) -> Act:
    """Step in: the active combatant's turn, not yet used, is taken back, and the delayer goes just before them."""
    state, rules = draft.state, draft.rules
    place = state.place_of(act.who)
    assert place is not None
    turn, action = state.turn, rules.catalogue(state)[act.action]
    cited = (says(action),)
    place = _from_home(place, action)
    if turn is not None:
        before = state.place(turn.place)
        flow.take_back_turn(draft, cited)
        text = say("order.acts_before", other=turn.who)
        moved = replace(beside(place, before), why=f"just before {turn.who}", why_rule=cited[0])
        draft.order(moved, text, cited, at=("before", before.id))
    else:
        case = Case(rules, state, state.fighters[act.who], action)
        moved = rules.later(case, place).place or _after_all(state, place)
        draft.order(replace(moved, was=None, waits=False), say("order.acts_at", score=moved.score), cited)
    flow.open_turn(draft, draft.state.place(place.id), cited[0])
    return act


def _from_home(place: Place, action: Action) -> Place:
    """Return a place that remembers where it was, if stepping in is for one round only."""
    return with_home(place, says(action)) if action.facts.get("one_round") else place


_HOME = ("rank", "key", "score", "why", "why_rule")
"""What a place has again once its owner, who was elsewhere for one round, goes back."""


def with_home(place: Place, rule: str) -> Place:
    """Return a place that remembers where it was, to be left for one round by a rule: as a file gives it back."""
    home = plain({part: getattr(place, part) for part in _HOME}, "home")
    return replace(place, facts={"home": home, "home_rule": rule, **place.facts})


def settled(place: Place) -> Place:
    """Return a place that remembers no other: it is where it is for good."""
    return replace(place, facts={id: fact for id, fact in place.facts.items() if id not in ("home", "home_rule")})


def at_home(place: Place) -> Place:
    """Return a place as it was before its owner left it for one round, and waiting no more; any other as it is."""
    home = {part: tuples(value) for part, value in place.facts.get("home", {}).items()}
    return settled(replace(place, **home, was=None, waits=False)) if home else place


def go_home(draft: Draft) -> None:
    """Put those back who were elsewhere for one round only."""
    for moved in draft.state.agenda:
        if "home" in moved.facts:
            place = at_home(moved)
            draft.order(place, say("order.home", score=place.score), (moved.facts["home_rule"],))


def call_next(draft: Draft, name: str) -> None:
    """Let somebody whose delay the GM has ended, and who waits without a place, come next."""
    state = draft.state
    place, turn = state.place_of(name), state.turn
    if place is None or not place.waits or place.done >= state.occasion:
        return
    stepping = next((action for action in draft.rules.catalogue(state) if action.does == "act_now"), None)
    place = place if stepping is None else _from_home(place, stepping)
    side, other = "after", state.place(turn.place) if turn is not None and turn.place else None
    if other is None:
        side, other = "before", flow.next_place(draft.rules, state)
    if other is None:
        draft.order(replace(place, waits=False, was=None), say("order.acts_at", score=place.score), by="gm")
        return
    text = say(f"order.placed_{side}", other=other.who)
    draft.order(beside(place, other, side), text, by="gm", at=(side, other.id))


def _after_all(state: State, place: Place) -> Place:
    last = state.agenda[-1]
    return place if last.id == place.id else beside(place, last, "after")


def new_place(
    state: State,
    who: str,
    score: int | None = None,
    rank: tuple[object, ...] = (),
    key: tuple[tuple[str, object], ...] = (),
) -> Place:
    """Return a place for somebody who has none; empty if nothing is said about it."""
    return Place(state.places + 1, who, score, rank, key)
