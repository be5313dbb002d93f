"""The draw of a fight's order, carried out as a ruleset declares it: dice are rolled, ties broken, places taken."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from itertools import chain, pairwise
from typing import NamedTuple

from msgspec.structs import replace

from combatkit.core.dice import Dice
from combatkit.core.faces import Faces, Rolled
from combatkit.core.model import Place, State, spot_of
from combatkit.errors import InvalidInput
from combatkit.rules.case import Ask
from combatkit.rules.delays import at_home, is_beside, rerank
from combatkit.rules.draft import Draft
from combatkit.rules.draw import Claim, Draw, Key
from combatkit.rules.judge import refusal
from combatkit.rules.mechanisms import roll_data
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Said, say, say_names

Term = tuple[str, int]
"""What breaks a tie, by name."""

Terms = tuple[Term, ...]


class Score(NamedTuple):
    """What somebody's claim came to; `die` is None if they rolled none."""

    total: int
    die: Rolled | None
    claim: Claim

    @property
    def rank(self) -> Key:
        """What they rank by before any tie is broken."""
        return (self.total, *self.claim.terms)


def roll(draft: Draft, names: Sequence[str]) -> dict[str, Score]:
    """Roll for everybody named who rolls, once for all who share a die, and log it."""
    claims = {name: draft.rules.claim(draft.state, draft.state.fighters[name]) for name in names}
    shared: dict[str, Rolled] = {}
    scores = {}
    for name, claim in claims.items():
        die = None
        if claim.sides:
            die = shared.get(claim.unit) or _throw(draft, name, claims)
            if claim.unit:
                shared[claim.unit] = die
        scores[name] = Score((die.sum if die else 0) + claim.modifier, die, claim)
    return scores


def _throw(draft: Draft, name: str, claims: Mapping[str, Claim]) -> Rolled:
    claim, group = claims[name], draft.state.fighters[name].group
    mates = [n for n, other in claims.items() if other.shares == claim.unit] if claim.unit else [name]
    keys = [claim.unit, *mates] if claim.unit else mates
    rolled = draft.throw(1, claim.sides, *keys, *([group] if group else []), "initiative")
    dice = Dice(1, claim.sides, claim.modifier)
    total = rolled.sum + dice.plus
    data = roll_data("initiative", dice, rolled, total)
    data |= {"notation": draft.rules.notation(dice), "modifiers": {label: n for n, label in claim.addends}}
    if claim.unit:
        data["group"] = claim.unit
    draft.emit(
        "roll",
        name,
        amount=total,
        text=say("roll.initiative", total=total, unit=claim.unit if len(mates) > 1 else ""),
        rules=claim.rules,
        by=claim.by,
        data=data,
    )
    return rolled


def ties(draft: Draft, draw: Draw, scores: Mapping[str, Score]) -> Iterator[tuple[Key, list[Place], list[str]]]:
    """Go through what newcomers rank by: each rank, the places that already had it, and who comes to it."""
    new: dict[Key, list[str]] = {}
    for name, score in scores.items():
        new.setdefault(score.rank, []).append(name)
    for rank in sorted(new, reverse=True) if draw.top_tie_first else new:
        held = [p for p in draft.state.agenda if p.rank[: len(rank)] == rank and not is_beside(p)]
        yield rank, held, new[rank]


def values(terms: Terms) -> Key:
    """Return terms as they rank: by their values, higher first."""
    return tuple(value for _, value in terms)


def settle(
    draft: Draft,
    draw: Draw,
    scores: Mapping[str, Score],
    names: tuple[str, ...],
    decide: Callable[[dict[str, Terms], list[Place]], None],
    ranked: Callable[[Terms], Key] = values,
) -> Iterator[tuple[list[str], dict[str, Terms]]]:
    """Break each tie that newcomers come to; give who they are, and by what: terms of these names, added by `decide`.

    Those already on the ladder keep what they have, and are put by what is added to it.
    """
    for rank, held, new in ties(draft, draw, scores):
        terms: dict[str, Terms] = {p.who: p.terms(*names) for p in held} | dict.fromkeys(new, ())
        decide(terms, held)
        for place in held:
            mine = terms[place.who]
            key = (*(term for term in place.key if term[0] not in names), *mine)
            text = say("order.keeps", score=place.score)
            rerank(draft, place, (*rank, *ranked(mine)), key, text, *draw.roll_off.rules)
        yield new, terms


def chosen(draft: Draft, tied: Collection[str]) -> list[str]:
    """Return those tied in the order the table says; nobody if it names none of them, or nobody is tied.

    Raises
    ------
    InvalidInput
        If it names only some: nobody would have said where the others go.
    """
    said = [name for name in draft.ties if name in tied] if len(tied) > 1 else []
    if said and len(said) < len(tied):
        raise only_some(tied, said)
    return said


def only_some(tied: Iterable[str], said: Iterable[str]) -> InvalidInput:
    """Return the error for an order of ties that leaves somebody out."""
    return InvalidInput(f"ties: {say_names(list(tied))} are tied; name them all, not only {say_names(list(said))}")


def check_followed(draft: Draft, places: Iterable[Place] | None = None) -> None:
    """Refuse an order of ties that these places, or all there are, don't follow, since a rule says who goes first.

    Raises
    ------
    IllegalAction
        With that rule.
    """
    tied: dict[object, list[Place]] = {}
    for place in draft.state.agenda if places is None else places:
        if place.who in draft.ties:
            tied.setdefault(place.score, []).append(place)
    for above, below in chain.from_iterable(map(pairwise, tied.values())):
        if draft.ties.index(above.who) > draft.ties.index(below.who):
            why, rule = _why_ahead(draft, above, below)
            name, other, score = below.who, above.who, above.score
            raise refusal(f"{name} can't go ahead of {other} on {score}: {why}.", rule)


def _why_ahead(draft: Draft, above: Place, below: Place) -> tuple[str, str]:
    """Say what puts one place ahead of another with its score: that it was moved, or what else breaks the tie."""
    for place in (below, above):
        if is_beside(place) or place.rank[:1] != (place.score,):
            return f"{place.who} is {place.why}", place.why_rule
    rules, alone = draft.rules, replace(draft.state, agenda=(above, below))
    said, rule = next((told for told in map(partial(rules.ahead, alone), (0, 1)) if told[0] is not None), (None, ""))
    return rules.english.render(said) if said else "that is settled", rule


def part(drawn: Mapping[str, tuple[object, ...]], throw: Callable[[list[str], int], None]) -> None:
    """Let the tied roll, and those still tied roll again, until nobody is tied or nobody rolls any more.

    `throw` is told who is tied and how many rolls each has behind them; it adds to `drawn`.
    """
    depth, tied = 0, [list(drawn)]
    while tied := [group for group in tied if len(group) > 1]:
        for group in tied:
            throw(group, depth)
        depth += 1
        even: dict[tuple[object, ...], list[str]] = {}
        for name in (name for group in tied for name in group if len(drawn[name]) >= depth):
            even.setdefault(drawn[name][:depth], []).append(name)
        tied = list(even.values())


def tie_die(draft: Draft, draw: Draw, unit: str) -> tuple[int, ...]:
    """Roll the die that breaks a tie, and log it; nothing if only the table rolls it and hasn't."""
    sides, (said, rules, table) = draw.tie_sides, draw.roll_off
    given = draft.faces.take((table or sides,), unit, "tie")
    if given is None and (not sides or draft.faces.waits_for(unit)):
        return ()
    rolled = draft.throw(1, sides, unit, "tie") if given is None else Rolled(given, "table", 0)
    data = roll_data("tie", Dice(1, sides if rolled.sum <= sides else table), rolled, rolled.sum)
    fighters = draft.state.fighters
    who = unit if unit in fighters else next(f.name for f in fighters.values() if f.group == unit)
    draft.emit("roll", who, amount=rolled.sum, text=say(said, total=rolled.sum), rules=rules, data=data)
    return rolled.faces


def put(
    draft: Draft, place: Place, rules: tuple[str, ...], text: Said | None = None, before: Place | None = None
) -> None:
    """Put somebody on the ladder, just before another or else where their rank puts them, logged."""
    at = None if before is None else ("before", before.id)
    draft.order(place, text or say("initiative.is_at", score=place.score), rules, at=at, kind="initiative")


def put_back(draft: Draft, who: str) -> None:
    """Put somebody who comes back on the ladder where they were, with the score and the settled ties they had.

    Who held back, and has come back in the same occasion, may still step in; who stood elsewhere for one round that is
    over by now has their own place.
    """
    state = draft.state
    place, at = state.gone[who].place, spot_of(state.agenda, state.gone, who)
    if place.opened < state.occasion and (own := at_home(place)) is not place:
        put(draft, own, (draft.rules.cite["order"],))
        return
    delays = state.fighters[who].effect("delayed") is not None
    waits = delays and place.waits and place.opened >= state.occasion
    place = replace(place, waits=waits, was=place.was if delays else None)
    before = state.agenda[at] if at < len(state.agenda) else None
    put(draft, place, (draft.rules.cite["order"],), before=before)


def asked(rules: Ruleset, state: State, names: Sequence[str]) -> dict[str, Ask]:
    """Return the dice that those named roll for their places; of those who share one, the first rolls it."""
    asks = dict(rules.step_asks(state, names))
    if rules.draw is None:
        return asks
    shared: set[str] = set()
    for name in names:
        claim = rules.claim(state, state.fighters[name])
        if claim.sides and claim.shares not in shared:
            asks[name] = Ask("initiative", 1, claim.sides, claim.addends, rule=rules.draw.rules[0])
            shared |= {claim.shares} - {""}
    return asks


def roll_offs(draft: Draft, names: tuple[str, ...], given: Mapping[str, Sequence[int]]) -> dict[str, int]:
    """Return who rolls again because they are tied, and how often, once everybody has rolled these.

    Parameters
    ----------
    draft : Draft
        The fight before these roll; what is tried out in it is dropped.
    names : tuple of str
        Who comes to their place.
    given : mapping of str to sequence of int
        The faces of each, rerolls after the first roll.

    Returns
    -------
    dict of str to int
        How many dice each, already rolled or still to come.
    """
    wanted: list[str] = []
    draft.faces = Faces(given)
    draft.faces.wanted = wanted
    draft.rules.initiative(draft, names)
    thrown = [event.actor for event in draft.events if event.kind == "roll" and event._data["purpose"] == "tie"]
    return Counter(name for name in (*thrown, *wanted) if name is not None)
