"""Who acts when: the counts, what breaks ties, and where a delayer goes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Act, Fighter, Place, State
from combatkit.rules.case import Case, Later, Objection, Stage
from combatkit.rules.delays import delay, is_beside, new_place
from combatkit.rules.draft import Draft
from combatkit.rules.draw import ROLLED, Claim, Draw, RollOff
from combatkit.rules.initiative import Score, Terms, only_some, part, put, settle, tie_die
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Said, say

TIE_RULES = ("saga.init.tie.dex", "saga.init.tie.d20", "saga.init.tie.reroll")
_WAITED = "saga.delay.what"
_OURS = (*TIE_RULES, _WAITED, "")
"""The rules behind what is said here about a place; what others said about it stays."""

_DELAYED, _REGULAR = 0, 1
_TIE_TERMS = ("d20", "chosen", "added")
"""What breaks ties of count and Dexterity: a d20, an order chosen at the table, then who was added first."""

DRAW = Draw(
    sides=20,
    ties=ROLLED,
    tie_sides=20,
    rules=("saga.init.formula", *TIE_RULES),
    roll_off=RollOff("tie.rolls", TIE_RULES[1:]),
    surprised_late=True,
)
_ROLLED: tuple[str, ...] = ("saga.init.formula", "saga.init.half-level-down", "saga.init.as-reaction")


# ── the counts ──


def claim(rules: Ruleset, state: State, fighter: Fighter) -> Claim:
    """Return what somebody's count is made of: a d20, Dexterity, half level and the rest; ties by Dexterity."""
    dex, level, other = (rules.value(fighter, stat) or 0 for stat in ("dex", "level", "initiative_misc"))
    addends, cited = [(dex, "Dex"), (level // 2, "half level")], _ROLLED
    if other:
        addends.append((other, "other"))
        cited = (*cited, "saga.init.other-mods")
    return Claim(tuple(addends), (_REGULAR, dex), DRAW.sides, rules=cited)


def take_places(draft: Draft, scores: Mapping[str, Score]) -> None:
    """Put everybody on the ladder by count, Dexterity, and what breaks the ties that are left."""
    ties = settle(draft, DRAW, scores, _TIE_TERMS, partial(_roll_off, draft))
    broken = {name: terms for _, tied in ties for name, terms in tied.items()}
    for name, score in scores.items():
        terms = broken[name]
        rank = (*score.rank, *(n for _, n in terms))
        key = (("count", score.total), ("dex", score.rank[-1]), *terms)
        place = _explained(draft.rules, draft.state, new_place(draft.state, name, score.total, rank, key))
        put(draft, place, ("saga.init.count", place.why_rule) if place.why_rule else ("saga.init.count",))
    explain(draft)


def delayed(rules: Ruleset, state: State, fighter: Fighter, place: Place, count: int) -> Place:
    """Return a delayer's place: after those on the count; among delayers by Dexterity, then as they came."""
    dex = rules.value(fighter, "dex") or 0
    rank, key = (count, _DELAYED, dex), (("count", count), ("delayed", True), ("dex", dex))
    # Counted on from the last one, not from how many are left: some of those before may have gone.
    behind = min([p.rank[-1] for p in state.agenda if p.score == count and p.rank[:-1] == rank], default=1)
    moved = replace(place, score=count, was=place.score, rank=(*rank, behind - 1), key=key)
    return _explained(rules, state, moved)


def followed(state: State, place: Place, name: str) -> bool:
    """Check whether somebody else who has not delayed acts on the same count as the one named, but later."""
    other = state.place_of(name)
    if other is None:
        return False
    below = state.agenda[state.agenda.index(other) + 1 :]
    return any(p.id != place.id and p.score == other.score and not p.term("delayed") for p in below)


def later(rules: Ruleset, case: Case, place: Place) -> Later:
    """Return a delayer's place: after those on the count, among delayers by Dexterity, then as they came.

    Anyone who steps in after everybody else takes the lowest count there is, or one below their own.
    """
    state, fighter = case.state, case.fighter
    if case.action.does == "delay":
        return Later(_delayed_place(rules, case, place), tuple(_against_delay(case, place)))
    if state.turn is not None:
        return Later(None, tuple(_against_stepping_in(state, fighter, place)))
    scores = [int(p.score) for p in state.agenda if p.score is not None and p.who != fighter.name]
    own = int(place.score) if place.score is not None else 0
    return Later(delayed(rules, state, fighter, place, min([own - 1, *scores])))


def _against_delay(case: Case, place: Place) -> Iterable[Objection]:
    """The new count is lower than the present one; with the option, it may rise in a later round."""
    state, number = case.state, case.params.get("round")
    assert state.round is not None
    if number is not None and number < state.round:
        yield Objection(f"Round {number} is over; choose round {state.round} or later.", "saga.delay.next-round")
    count = _count(state, case.params)
    if count is None:
        if number is not None and number > state.round:
            yield Objection("To delay into a later round, say which count.", "saga.delay.next-round")
        return
    rises = state.options["delay_may_rise"] and number is not None and number > state.round
    if place.score is not None and count >= place.score and not rises:
        reason = f"{case.fighter.name} is at {place.score}; delay to a lower count, {place.score - 1} or less."
        yield Objection(reason, "saga.delay.lower-only")
    elif number in (None, state.round):
        yield from _against_the_past(state, case.params, place, count)


def _against_the_past(state: State, params: Mapping[str, Any], place: Place, count: int) -> Iterable[Objection]:
    """Refuse a count that the order has come by, for whoever has the turn later than their own count."""
    come = [p for p in state.agenda if p.come >= state.occasion and p.id != place.id and p.score is not None]
    if not come or (last := come[-1]).score is None or count < last.score:
        return
    if count > last.score or any(p.who == params.get("before") for p in come):
        reason = (
            f"The order has come to {last.who} at {last.score}: delay to {last.score} or less, or to a later round."
        )
        yield Objection(reason, "saga.delay.what")


def _count(state: State, params: Mapping[str, Any]) -> int | None:
    if "count" in params:
        return int(params["count"])
    for side in ("after", "before"):
        if side in params:
            other = state.place_of(params[side])
            return None if other is None or other.score is None else int(other.score)
    return None


def _delayed_place(rules: Ruleset, case: Case, place: Place) -> Place | None:
    params = case.params
    if "count" not in params and ("after" not in params or followed(case.state, place, params["after"])):
        return None
    count = _count(case.state, params)
    return None if count is None else delayed(rules, case.state, case.fighter, place, count)


def _against_stepping_in(state: State, fighter: Fighter, place: Place) -> Iterable[Objection]:
    """Stepping in takes the count of whoever it comes before, which must be lower than the delayer's own."""
    turn = state.turn
    if turn is None or place.score is None:
        return
    score = state.place(turn.place).score
    if score is not None and score >= place.score and not state.options["delay_may_rise"]:
        yield Objection(
            f"{turn.who} is at {score}, {fighter.name} at {place.score}: a delay must go to a lower count.",
            "saga.delay.lower-only",
        )


# ── ties ──


def _roll_off(draft: Draft, terms: dict[str, Terms], _: object) -> None:
    """Break equal counts with equal Dexterity: by the order chosen at the table, else by a d20 each.

    Those already on the ladder roll on only if still tied.
    """
    settled: set[str] = set()

    def draw(group: list[str], depth: int) -> None:
        chosen = [name for name in draft.ties if name in group]
        if len(chosen) < len(group):
            _draw(draft, group, terms, depth)
            return
        settled.update(group)
        for at, name in enumerate(chosen):
            terms[name] = (*terms[name][:depth], ("chosen", len(group) - at))

    part(terms, draw)
    said = [name for name in draft.ties if name in terms]
    if len(terms) > 1 and not settled.issuperset(said):
        raise only_some(terms, said)


def _draw(draft: Draft, group: list[str], terms: dict[str, Terms], depth: int) -> None:
    """Let the tied who haven't rolled roll a d20; where the others' order was chosen, they come after it."""
    held = [terms[name][depth] for name in group if len(terms[name]) > depth]
    last = min((n for _, n in held), default=0)
    chosen = any(kind != "d20" for kind, _ in held)
    for name in group:
        if len(terms[name]) <= depth:
            last -= 1
            added: Terms = (("added", last),)
            terms[name] += added if chosen else tuple(("d20", face) for face in tie_die(draft, DRAW, name))


# ── why ──


def explained_delay(draft: Draft, act: Act) -> Act:
    """Give up a turn, and say what that changes for others on the ladder."""
    act = delay(draft, act)
    explain(draft)
    return act


DELAY = {"delay": MECHANISMS["delay"]._replace(stages=(Stage("delay", explained_delay),))}


def explain(draft: Draft) -> None:
    """Note why each place is where it is, if that has changed; nobody moves."""
    agenda = draft.state.agenda
    for index, place in enumerate(agenda):
        told = _explained(draft.rules, draft.state, place)
        if told.why != place.why and not is_beside(place) and place.why_rule in _OURS:
            nearest = ("after", agenda[index - 1].id) if index else ("before", agenda[1].id) if agenda[1:] else None
            why, _ = _why(draft.state, place)
            said = "order.stays" if why is None else "order.behind" if place.term("delayed") else "order.ahead"
            draft.order(told, say(said, why=why), (told.why_rule or "saga.init.count",), at=nearest)


def _explained(rules: Ruleset, state: State, place: Place) -> Place:
    why, rule = _why(state, place)
    return replace(place, why=rules.english.render(why) if why else "", why_rule=rule)


def ahead(_: Ruleset, state: State, index: int) -> tuple[Said | None, str]:
    """Say what puts a place ahead of the next with the same count, or a delayer behind the last, and by which rule."""
    return _why(state, state.agenda[index])


def _why(state: State, place: Place) -> tuple[Said | None, str]:
    """Say what put a place ahead of the next one with the same count; of a delayer, what put it behind the last."""
    others = [p for p in state.agenda if p.score == place.score and p.who != place.who]
    if others and place.term("delayed"):
        before = [p for p in others if p.rank >= place.rank and not is_beside(p)]
        return _why_behind(place, before[-1]) if before else (None, "")
    below = next((p for p in others if p.rank < place.rank), None)
    if below is None or below.term("delayed"):
        return None, ""
    if place.term("dex") != below.term("dex"):
        return say("why.dex", mine=place.term("dex"), theirs=below.term("dex")), TIE_RULES[0]
    both = zip(place.terms(*_TIE_TERMS), below.terms(*_TIE_TERMS), strict=False)
    for depth, ((_, mine), (kind, theirs)) in enumerate(both):
        if mine != theirs and kind == "d20":
            return say("why.d20", mine=mine, theirs=theirs), TIE_RULES[2 if depth else 1]
        if mine != theirs:
            return say(f"why.{kind}"), ""
    return None, ""


def _why_behind(place: Place, above: Place) -> tuple[Said, str]:
    score = place.score
    if not above.term("delayed"):
        return say("why.held", score=score), _WAITED
    mine, theirs = place.term("dex"), above.term("dex")
    if mine != theirs:
        return say("why.dex_after", score=score, mine=mine, theirs=theirs), TIE_RULES[0]
    return say("why.later", score=score, other=above.who), _WAITED
