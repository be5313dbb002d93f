"""The order in phases: a score without dice, and ties that are drawn once and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.errors import InvalidInput
from combatkit.rules.delays import new_place
from combatkit.rules.draw import ROLLED, Claim, Draw, RollOff
from combatkit.rules.initiative import part, put, roll, tie_die
from combatkit.text import Said, say

if TYPE_CHECKING:
    from combatkit.core.model import Fighter, Place, State
    from combatkit.rules.draft import Draft

DRAW = Draw(
    ties=ROLLED,
    tie_sides=20,
    top_tie_first=True,
    rules=("phases.init.score", "phases.init.tie-random"),
    roll_off=RollOff("tie.rolls", ("phases.init.tie-random",), table=100),
    surprised_late=True,
)
"""A tie is drawn with a d20; at a table any die up to a d100 will do."""


def claim(fighter: Fighter) -> Claim:
    """Return what a score is made of; no die is thrown for it."""
    stats = fighter.stats
    return Claim(((stats["combat_value"], "Combat Value"), (stats["lightning_reflexes"], "Lightning Reflexes")))


def take_places(draft: Draft, names: Sequence[str]) -> None:
    """Put combatants on the ladder by Combat Value plus Lightning Reflexes; those tied draw for it.

    Those on it already keep their order among themselves: a newcomer is drawn into it.
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
    """Put the newcomers of a tie where the draw, or the table's word, puts them among the others."""
    held = [p.who for p in tied if p.who not in new]
    said = [name for name in draft.ties if name in held or name in new]
    draws: dict[str, tuple[int, ...]] = {}
    if said:
        missing = [name for name in (*held, *new) if name not in said]
        if missing:
            raise InvalidInput(f"ties: {', '.join(missing)} is tied with them on {tied[0].score}; name all who are")
        ahead = {name: sum(1 for other in held if said.index(other) < said.index(name)) for name in new}
        new = sorted(new, key=said.index)
    else:
        draws = _draw(draft, held, new)
        ahead = {name: sum(1 for other in held if draws[other] > draws[name]) for name in new}
        new = sorted(new, key=lambda name: draws[name], reverse=True)
    block: list[str] = []
    for index in range(len(held) + 1):
        block.extend(name for name in new if ahead[name] == index)
        block.extend(held[index : index + 1])
    for index in range(len(block)):
        _put(draft, block, index, draws, new)


def _put(
    draft: Draft, block: Sequence[str], index: int, draws: Mapping[str, tuple[int, ...]], new: Sequence[str]
) -> None:
    """Put one of those tied behind the one before it, and say what decided over the one after it."""
    name = block[index]
    place = _place(draft.state, name)
    below = block[index + 1] if index + 1 < len(block) else None
    key = (*(t for t in place.key if t[0] != "drawn"), *(("drawn", face) for face in draws.get(name, ())))
    settled = replace(place, key=key)
    text = say("order.last", score=place.score)
    if below is not None and (name in new or below in new):
        why = _why(draws.get(name, ()), draws.get(below, ()))
        settled = replace(settled, why=draft.rules.english.render(why), why_rule="phases.init.tie-random")
        text = say("order.ahead", other=below, why=why)
    if index:
        at = ("after", _place(draft.state, block[index - 1]).id)
    else:
        at = ("before", next(p.id for p in draft.state.agenda if p.score == place.score and p.who != name))
    draft.order(settled, text, ("phases.init.tie-random", "phases.init.tie-once"), at=at)


def _why(mine: Sequence[int], theirs: Sequence[int]) -> Said:
    for a, b in zip(mine, theirs, strict=False):
        if a != b:
            return say("why.drawn", mine=a, theirs=b)
    return say("why.table")


def _place(state: State, name: str) -> Place:
    found = state.place_of(name)
    assert found is not None
    return found


def _draw(draft: Draft, held: Sequence[str], new: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Throw a die for each of those tied, and again among those whose draws are even; what was drawn is kept."""
    draws = {name: tuple(n for term, n in _place(draft.state, name).key if term == "drawn") for name in held}
    draws |= dict.fromkeys(new, ())

    def throw(group: list[str], depth: int) -> None:
        if any(name in new for name in group):
            for name in group:
                if len(draws[name]) <= depth:
                    draws[name] += tie_die(draft, DRAW, name)

    part(draws, throw)
    return draws
