"""The order in phases: a score without dice, and ties that are drawn once and kept."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from msgspec.structs import replace

from combatkit.engine.dice import Dice
from combatkit.engine.draft import Rolled, plain
from combatkit.engine.lots import ROLLED, Lots, scored, surprised_some
from combatkit.engine.mechanisms import new_place, roll_data
from combatkit.errors import InvalidInput

if TYPE_CHECKING:
    from combatkit.engine.draft import Draft
    from combatkit.engine.model import Fighter, Place, State
    from combatkit.engine.ruleset import Ruleset

DIE = 20
"""What a tie is drawn with, if not at the table."""

TABLE_DIE = 100
"""The largest die at a table: faces of any smaller one are among its own."""


def drawn(rules: Ruleset, state: State) -> Lots:
    """Give what the order rests on: fixed scores, and draws among those tied, from the top."""
    waits = not state.round and surprised_some(state.fighters.values())
    lots = [
        scored(f, 0, _score(f), late=waits and f.effect("surprised") is not None, out=not rules.able(f))
        for f in state.fighters.values()
    ]
    cited = ("phases.init.score", "phases.init.tie-random")
    return Lots(tuple(lots), 0, ROLLED, DIE, top_tie_first=True, rules=cited)


def _score(fighter: Fighter) -> int:
    value: int = fighter.stats["combat_value"]
    quick: int = fighter.stats["lightning_reflexes"]
    return value + quick


def take_places(draft: Draft, names: Sequence[str]) -> None:
    """Put combatants on the ladder by Combat Value plus Lightning Reflexes; those tied draw for it.

    Those on it already keep their order among themselves: a newcomer is drawn into it.
    """
    for name in names:
        _take_place(draft, name)
    for score in dict.fromkeys(p.score for p in draft.state.agenda if p.who in names):
        tied = [p for p in draft.state.agenda if p.score == score]
        if len(tied) > 1:
            _settle(draft, tied, [p.who for p in tied if p.who in names])


def _take_place(draft: Draft, name: str) -> None:
    fighter = draft.fighter(name)
    quick, score = fighter.stats["lightning_reflexes"], _score(fighter)
    key = (("score", score), *((("lightning_reflexes", quick),) if quick else ()))
    place = replace(new_place(draft.state, name), score=score, rank=(score,), key=key)
    text = f"is at {score}"
    rules = ("phases.init.score",)
    draft.emit("initiative", name, amount=score, text=text, rules=rules, data={"place": plain(place)})


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
    text = f"is last of those on {place.score}"
    if below is not None and (name in new or below in new):
        why = _why(draws.get(name, ()), draws.get(below, ()))
        settled = replace(settled, why=why, why_rule="phases.init.tie-random")
        text = f"is ahead of {below}: {why}"
    if index:
        at = ("after", _place(draft.state, block[index - 1]).id)
    else:
        at = ("before", next(p.id for p in draft.state.agenda if p.score == place.score and p.who != name))
    draft.order(settled, text, ("phases.init.tie-random", "phases.init.tie-once"), at=at)


def _why(mine: Sequence[int], theirs: Sequence[int]) -> str:
    for a, b in zip(mine, theirs, strict=False):
        if a != b:
            return f"drawn at random, once: {a} over {b}"
    return "the order drawn at the table, once"


def _place(state: State, name: str) -> Place:
    found = state.place_of(name)
    assert found is not None
    return found


def _draw(draft: Draft, held: Sequence[str], new: Sequence[str]) -> dict[str, tuple[int, ...]]:
    """Throw a die for each of those tied, and again among those whose draws are even; what was drawn is kept."""
    draws = {name: tuple(n for term, n in _place(draft.state, name).key if term == "drawn") for name in held}
    draws |= dict.fromkeys(new, ())
    depth = 0
    groups = [list(draws)]
    while groups := [group for group in groups if len(group) > 1 and any(name in new for name in group)]:
        for group in groups:
            for name in group:
                if len(draws[name]) <= depth:
                    draws[name] = (*draws[name], _die(draft, name))
        groups = [
            [name for name in group if draws[name][depth] == face]
            for group in groups
            for face in dict.fromkeys(draws[name][depth] for name in group)
        ]
        depth += 1
    return draws


def _die(draft: Draft, name: str) -> int:
    given = draft.faces.take(1, TABLE_DIE, name, "tie")
    rolled = draft.throw(1, DIE, name, "tie") if given is None else Rolled(given, "table", 0)
    dice = Dice(1, DIE if rolled.sum <= DIE else TABLE_DIE)
    data = roll_data("tie", dice, rolled, rolled.sum)
    rules = ("phases.init.tie-random",)
    draft.emit("roll", name, amount=rolled.sum, text=f"draws {rolled.sum} for a tie", rules=rules, data=data)
    return rolled.sum
