"""The draw of a fight's order, carried out as a ruleset declares it: dice are thrown, ties parted, places taken."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from combatkit.core.dice import Dice
from combatkit.core.faces import Rolled
from combatkit.core.model import Fighter, Place, State
from combatkit.rules.delays import is_beside
from combatkit.rules.draft import Draft, plain
from combatkit.rules.draw import Claim, Draw, Key
from combatkit.rules.mechanisms import roll_data
from combatkit.rules.parts import Ask
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Said, say


class Score(NamedTuple):
    """What somebody's claim came to; `die` is None for one who has thrown none."""

    total: int
    die: Rolled | None
    claim: Claim

    @property
    def rank(self) -> Key:
        """What they rank by before any tie is parted."""
        return (self.total, *self.claim.terms)


def roll(draft: Draft, names: Sequence[str]) -> dict[str, Score]:
    """Throw for everybody named who throws, once for all who share a die, and log it."""
    claims = {name: draft.rules.claim(draft.state, draft.fighter(name)) for name in names}
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
    claim, group = claims[name], draft.fighter(name).group
    keys = [claim.unit, *(n for n, other in claims.items() if other.unit == claim.unit)] if claim.unit else [name]
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
        text=say("roll.initiative", total=total, unit=claim.unit),
        rules=claim.rules,
        by=claim.by,
        data=data,
    )
    return rolled


def ties(draft: Draft, draw: Draw, scores: Mapping[str, Score]) -> Iterator[tuple[Key, list[Place], list[str]]]:
    """Go through what newcomers rank by: each rank, the places that had it before, and who comes to it."""
    new: dict[Key, list[str]] = {}
    for name, score in scores.items():
        new.setdefault(score.rank, []).append(name)
    for rank in sorted(new, reverse=True) if draw.top_tie_first else new:
        held = [p for p in draft.state.agenda if p.rank[: len(rank)] == rank and not is_beside(p)]
        yield rank, held, new[rank]


def part(drawn: Mapping[str, tuple[Any, ...]], throw: Callable[[list[str], int], None]) -> None:
    """Let those who are even throw, and again those who still are, until nobody is or throws no more.

    `throw` is given who is even and how many throws each has behind them; it adds to `drawn`.
    """
    depth, tied = 0, [list(drawn)]
    while tied := [group for group in tied if len(group) > 1]:
        for group in tied:
            throw(group, depth)
        depth += 1
        even: dict[tuple[Any, ...], list[str]] = {}
        for name in (name for group in tied for name in group if len(drawn[name]) >= depth):
            even.setdefault(drawn[name][:depth], []).append(name)
        tied = list(even.values())


def tie_die(draft: Draft, draw: Draw, unit: str) -> tuple[int, ...]:
    """Throw the die that parts those who are even, and log it; nothing where only the table throws one and has not."""
    sides, (said, rules, table) = draw.tie_sides, draw.roll_off
    given = draft.faces.take(1, table or sides, unit, "tie")
    if given is None and not sides:
        return ()
    rolled = draft.throw(1, sides, unit, "tie") if given is None else Rolled(given, "table", 0)
    data = roll_data("tie", Dice(1, sides if rolled.sum <= sides else table), rolled, rolled.sum)
    fighters = draft.state.fighters
    who = unit if unit in fighters else next(f.name for f in fighters.values() if f.group == unit)
    draft.emit("roll", who, amount=rolled.sum, text=say(said, total=rolled.sum), rules=rules, data=data)
    return rolled.faces


def put(draft: Draft, place: Place, rules: tuple[str, ...], text: Said | None = None) -> None:
    """Put somebody on the ladder, logged."""
    said = text or say("initiative.is_at", score=place.score)
    amount = place.score if type(place.score) is int else None
    draft.emit("initiative", place.who, amount=amount, text=said, rules=rules, data={"place": plain(place)})


def asked(rules: Ruleset, state: State, fighter: Fighter) -> tuple[Ask, ...]:
    """Return the rolls a combatant makes as the fight begins; of those who share a die, the first throws it."""
    if rules.draw is None:
        return ()
    claim = rules.claim(state, fighter)
    mates = [f for f in state.fighters.values() if f.group == fighter.group] if claim.shares else []
    throwers = (f.name for f in mates if rules.claim(state, f).shares == claim.shares)
    if not claim.sides or next(throwers, fighter.name) != fighter.name:
        return ()
    return (Ask("initiative", 1, claim.sides, claim.addends, rule=rules.draw.rules[0]),)
