"""The order in phases: scores without dice, and ties that are drawn once and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.rules.case import Case, Later, Objection
from combatkit.rules.delays import is_beside, new_place
from combatkit.rules.draw import ROLLED, Claim, Draw, RollOff
from combatkit.rules.initiative import check_followed, chosen, part, put, roll, tie_die
from combatkit.text import Said, say

if TYPE_CHECKING:
    from combatkit.core.model import Fighter, Place, State
    from combatkit.rules.draft import Draft
    from combatkit.rules.ruleset import Ruleset

DRAW = Draw(
    ties=ROLLED,
    tie_sides=20,
    top_tie_first=True,
    rules=("phases.init.score", "phases.init.tie-random"),
    roll_off=RollOff("tie.rolls", ("phases.init.tie-random",), table=100),
    surprised_late=True,
)
"""Ties are drawn with a d20; at the table any die up to a d100 will do."""


def claim(rules: Ruleset, state: State, fighter: Fighter) -> Claim:
    """Return what a score is made of; it takes no dice."""
    value, quick = (rules.value(fighter, stat) or 0 for stat in ("combat_value", "lightning_reflexes"))
    return Claim(((value, "Combat Value"), (quick, "Lightning Reflexes")))


def take_places(rules: Ruleset, draft: Draft, names: Sequence[str]) -> None:
    """Put combatants on the ladder by Combat Value plus Lightning Reflexes, and draw for ties.

    Those already on it keep their order; a newcomer draws for a place among them.
    """
    for name, score in roll(draft, names).items():
        _, (quick, _) = score.claim.addends
        key = (("score", score.total), *((("lightning_reflexes", quick),) if quick else ()))
        put(draft, new_place(draft.state, name, score.total, score.rank, key), ("phases.init.score",))
    for shared in dict.fromkeys(p.score for p in draft.state.agenda if p.who in names):
        tied = [p for p in draft.state.agenda if p.score == shared]
        if len(tied) > 1:
            _settle(draft, tied, [p.who for p in tied if p.who in names])


def _settle(draft: Draft, tied: Sequence[Place], new: Sequence[str]) -> None:
    """Put the newcomers of a tie among the others, as drawn or as the table decided.

    A part of the order that has no dice, and a readied pair, is one block: a newcomer comes before it or after it.
    """
    held = [p for p in tied if p.who not in new]
    said = chosen(draft, [p.who for p in tied])
    if said:
        check_followed(draft, held)
        blocks, draws = [[p.who] for p in held], dict[str, tuple[int, ...]]()
        ahead = {name: sum(1 for (other,) in blocks if said.index(other) < said.index(name)) for name in new}
        new = sorted(new, key=said.index)
    else:
        blocks = [[p.who for p in block] for _, block in groupby(held, key=_drawn)]
        draws = _draw(draft, {block[0]: _drawn(_place(draft.state, block[0])) for block in blocks}, new)
        ahead = {name: sum(1 for block in blocks if draws[block[0]] > draws[name]) for name in new}
        new = sorted(new, key=lambda name: draws[name], reverse=True)
        draws |= {name: draws[block[0]] for block in blocks for name in block}
    order: list[str] = []
    for index in range(len(blocks) + 1):
        order.extend(name for name in new if ahead[name] == index)
        order.extend(name for block in blocks[index : index + 1] for name in block)
    for index in range(len(order)):
        _put(draft, order, index, draws, new)


def _drawn(place: Place) -> tuple[int, ...]:
    """Return what somebody drew for a tie; who stands beside another shares it."""
    return tuple(n for _, n in place.terms("drawn"))


def _put(
    draft: Draft, order: Sequence[str], index: int, draws: Mapping[str, tuple[int, ...]], new: Sequence[str]
) -> None:
    """Put one of the tied behind the previous one, and say what put them ahead of the next."""
    name = order[index]
    place = _place(draft.state, name)
    below = order[index + 1] if index + 1 < len(order) else None
    bare = tuple(t for t in place.key if t[0] != "drawn")
    end = len(bare) - is_beside(place)
    settled = replace(place, key=(*bare[:end], *(("drawn", face) for face in draws.get(name, ())), *bare[end:]))
    text = say("order.last", score=place.score)
    if below is not None and (name in new or below in new):
        why = _why(draws.get(name, ()), draws.get(below, ()))
        settled = replace(settled, why=draft.rules.english.render(why), why_rule="phases.init.tie-random")
        text = say("order.ahead", other=below, why=why)
    elif name not in new and settled == place:
        return
    elif below is not None:
        text = say("order.stays", other=below)
    if index:
        at = ("after", _place(draft.state, order[index - 1]).id)
    else:
        at = ("before", next(p.id for p in draft.state.agenda if p.score == place.score and p.who != name))
    draft.order(settled, text, ("phases.init.tie-random", "phases.init.tie-once"), at=at)


def ahead(_: Ruleset, state: State, index: int) -> tuple[Said | None, str]:
    """Say what puts a place ahead of the next with the same score, and by which rule."""
    place, below = state.agenda[index], next(iter(state.agenda[index + 1 :]), None)
    if below is None or below.score != place.score:
        return None, ""
    return _why(_drawn(place), _drawn(below)), DRAW.rules[1]


def _why(mine: Sequence[int], theirs: Sequence[int]) -> Said:
    for a, b in zip(mine, theirs, strict=False):
        if a != b:
            return say("why.drawn", mine=a, theirs=b)
    return say("why.table")


def _place(state: State, name: str) -> Place:
    found = state.place_of(name)
    assert found is not None
    return found


def _draw(draft: Draft, held: Mapping[str, tuple[int, ...]], new: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Roll a die for each of the tied, and again for those whose draws are equal; draws are kept."""
    draws = {**held, **dict.fromkeys(new, ())}

    def throw(group: list[str], depth: int) -> None:
        if any(name in new for name in group):
            for name in group:
                if len(draws[name]) <= depth:
                    draws[name] += tie_die(draft, DRAW, name)

    part(draws, throw)
    return draws


def later(rules: Ruleset, case: Case, place: Place) -> Later:
    """Return the place after those who act on the named score; a higher one comes in the next phase.

    Nobody can delay to their own place.
    """
    if case.action.does != "delay":
        return Later()
    state, params, name = case.state, case.params, case.fighter.name
    rule, against = "phases.delay.name-or-wait", list[Objection]()
    for beside, beyond in (("before", 1), ("after", -1)):
        there = state.place_of(params.get(beside, ""))
        if there is not None and state.agenda.index(there) == state.agenda.index(place) + beyond:
            against.append(Objection(f"{name} already acts just {beside} {there.who}.", rule))
    if "count" not in params:
        return Later(None, tuple(against))
    count = int(params["count"])
    if count == place.score:
        against = [Objection(f"{name} is already at {place.score}.", rule)]
    rises = place.score is not None and count > place.score
    moved = rules.placed(state, case.fighter, place, count)
    return Later(replace(moved, key=(("count", count),), done=state.occasion if rises else place.done), tuple(against))
