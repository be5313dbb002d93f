"""Who acts when: the counts, what parts equal ones, and where a delayer comes."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec.structs import replace

from combatkit.engine.dice import Dice
from combatkit.engine.draft import Draft, plain
from combatkit.engine.mechanisms import is_beside, new_place, rerank, roll_data
from combatkit.engine.model import Fighter, Place, State
from combatkit.errors import InvalidInput

TIE_RULES = ("saga.init.tie.dex", "saga.init.tie.d20", "saga.init.tie.reroll")
_WAITED = "saga.delay.what"
_OURS = (*TIE_RULES, _WAITED, "")
"""Rules that what is said here of a place rests on; what others said of it stays."""

_DELAYED, _REGULAR = 0, 1
_TIE_TERMS = ("d20", "chosen", "added")
"""What parts equal counts with equal Dexterity: a d20, an order chosen at the table, the order of adding behind it."""

Term = tuple[str, Any]


# ── the counts ──


def settle(draft: Draft, scores: Mapping[str, int]) -> None:
    """Put everybody on the ladder by count, Dexterity, and what parts those who are still tied."""
    broken = _break_ties(draft, scores)
    for name, score in scores.items():
        dex = draft.fighter(name).stats["dex"]
        terms = broken[name]
        rank = (score, _REGULAR, dex, *(n for _, n in terms))
        key = (("count", score), ("dex", dex), *terms)
        place = _explained(draft.state, replace(new_place(draft.state, name), score=score, rank=rank, key=key))
        rules = ("saga.init.count", place.why_rule) if place.why_rule else ("saga.init.count",)
        draft.emit("initiative", name, amount=score, text=f"is at {score}", rules=rules, data={"place": plain(place)})
    explain(draft)


def delayed(state: State, fighter: Fighter, place: Place, count: int) -> Place:
    """Give the place of a delayer: after those who hold the count; among delayers by Dexterity, then as they came."""
    dex = fighter.stats["dex"]
    # Counted on from the last one, not from how many are left: some of those before may have gone.
    behind = min([p.rank[3] for p in state.agenda if p.rank[:3] == (count, _DELAYED, dex)], default=1) - 1
    key = (("count", count), ("delayed", True), ("dex", dex))
    moved = replace(place, score=count, was=place.score, rank=(count, _DELAYED, dex, behind), key=key)
    return _explained(state, moved)


def followed(state: State, place: Place, name: str) -> bool:
    """Say whether somebody else who has not delayed acts on the same count as the one named, but later."""
    other = state.place_of(name)
    if other is None:
        return False
    below = state.agenda[state.agenda.index(other) + 1 :]
    return any(p.id != place.id and p.rank[:2] == (other.score, _REGULAR) for p in below)


# ── ties ──


def _break_ties(draft: Draft, scores: Mapping[str, int]) -> dict[str, tuple[Term, ...]]:
    """Break equal counts with equal Dexterity: by the order chosen at the table, else by a d20 each.

    Those already on the ladder keep what they rolled and roll on only if still tied.
    """
    terms: dict[str, tuple[Term, ...]] = dict.fromkeys(scores, ())
    groups: dict[tuple[int, int], list[str]] = {}
    for name, score in scores.items():
        groups.setdefault((score, draft.fighter(name).stats["dex"]), []).append(name)
    for (score, dex), names in groups.items():
        own = [p for p in draft.state.agenda if p.rank[:3] == (score, _REGULAR, dex) and not is_beside(p)]
        for place in own:
            terms[place.who] = tuple(term for term in place.key if term[0] in _TIE_TERMS)
        _roll_off(draft, [*(p.who for p in own), *names], terms)
        for place in own:
            mine = terms.pop(place.who)
            rank = (*place.rank[:3], *(n for _, n in mine))
            key = (*(t for t in place.key if t[0] not in _TIE_TERMS), *mine)
            rerank(draft, place, rank, key, f"keeps {place.score}", *TIE_RULES[1:])
    return terms


def _roll_off(draft: Draft, names: list[str], terms: dict[str, tuple[Term, ...]]) -> None:
    depth = 0
    tied = [names]
    settled: set[str] = set()
    while tied := [group for group in tied if len(group) > 1]:
        for group in tied:
            chosen = [name for name in draft.ties if name in group]
            if len(chosen) == len(group):
                settled.update(group)
                for at, name in enumerate(chosen):
                    terms[name] = (*terms[name][:depth], ("chosen", len(group) - at))
            else:
                _draw(draft, group, terms, depth)
        tied = [
            same
            for group in tied
            for term in dict.fromkeys(terms[n][depth] for n in group)
            if len(same := [n for n in group if terms[n][depth] == term]) > 1
        ]
        depth += 1
    said = [name for name in draft.ties if name in names]
    if depth and not settled.issuperset(said):
        raise InvalidInput(f"ties names {_listed(said)} of the tied {_listed(names)}: name all of them")


def _draw(draft: Draft, group: list[str], terms: dict[str, tuple[Term, ...]], depth: int) -> None:
    """Let those of the tied who have none throw a d20; where the others' order was chosen, they come after it."""
    held = [terms[name][depth] for name in group if len(terms[name]) > depth]
    last = min((n for _, n in held), default=0)
    chosen = any(kind != "d20" for kind, _ in held)
    for name in group:
        if len(terms[name]) <= depth:
            last -= 1
            terms[name] = (*terms[name], ("added", last) if chosen else ("d20", _tie_die(draft, name)))


def _listed(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"


def _tie_die(draft: Draft, name: str) -> int:
    rolled = draft.throw(1, 20, name, "tie")
    data = roll_data("tie", Dice(1, 20), rolled, rolled.sum)
    text = f"rolls {rolled.sum} to break a tie"
    draft.emit("roll", name, amount=rolled.sum, text=text, rules=TIE_RULES[1:], data=data)
    return rolled.sum


# ── why ──


def explain(draft: Draft) -> None:
    """Write down of every place why it stands where it does, where that has changed; nobody moves."""
    agenda = draft.state.agenda
    for index, place in enumerate(agenda):
        told = _explained(draft.state, place)
        if told.why != place.why and not is_beside(place) and place.why_rule in _OURS:
            nearest = ("after", agenda[index - 1].id) if index else ("before", agenda[1].id) if agenda[1:] else None
            cited = (told.why_rule or "saga.init.count",)
            where = "behind" if place.rank[1] == _DELAYED else "ahead"
            draft.order(told, f"is {where}: {told.why}" if told.why else "keeps their place", cited, at=nearest)


def _explained(state: State, place: Place) -> Place:
    why, rule = _why(state, place)
    return replace(place, why=why, why_rule=rule)


def _why(state: State, place: Place) -> tuple[str, str]:
    """Say what put a place ahead of the next one with the same count; of a delayer, what put it behind the last."""
    others = (p for p in state.agenda if p.who != place.who and p.score == place.score and len(p.rank) > 2)
    if len(place.rank) > 2 and place.rank[1] == _DELAYED:
        before = [p for p in others if p.rank >= place.rank and not is_beside(p)]
        return _why_behind(place, before[-1]) if before else ("", "")
    below = next((p for p in others if p.rank < place.rank), None)
    if below is None or below.rank[1] != place.rank[1]:
        return "", ""
    if place.rank[2] != below.rank[2]:
        return f"Dex {place.rank[2]:+d} over {below.rank[2]:+d}", TIE_RULES[0]
    mine, theirs = place.rank[3:], below.rank[3:]
    for depth, (a, b) in enumerate(zip(mine, theirs, strict=False)):
        if a != b:
            kind = below.key[2 + depth][0]
            if kind == "added":
                return "Dex even, order of adding behind an order chosen at the table", ""
            if kind == "chosen":
                return "Dex even, order chosen at the table", ""
            return f"Dex even, d20 {a} over {b}", TIE_RULES[2 if depth else 1]
    return "", ""


def _why_behind(place: Place, above: Place) -> tuple[str, str]:
    said = f"delayed to {place.score}"
    if above.rank[1] != _DELAYED:
        return f"{said}: after those who hold it", _WAITED
    if above.rank[2] != place.rank[2]:
        return f"{said}: Dex {place.rank[2]:+d} after {above.rank[2]:+d}", TIE_RULES[0]
    return f"{said}: later than {above.who}", _WAITED
