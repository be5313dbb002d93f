"""Who acts when, and where somebody stands."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from functools import partial
from itertools import zip_longest

from msgspec.structs import replace

from combatkit.core.geometry import Square, as_pair
from combatkit.core.limits import PATH
from combatkit.core.model import Act, Fighter, Place, State
from combatkit.errors import InvalidInput
from combatkit.rules.case import Case, Objection
from combatkit.rules.delays import is_beside, new_place
from combatkit.rules.draft import Draft
from combatkit.rules.draw import Claim, Draw, RollOff
from combatkit.rules.initiative import Score, Terms, only_some, part, put, settle, tie_die
from combatkit.rules.perform import again, stop
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import already_there, apart, length_of, stand, stops_of, way_of
from combatkit.systems.ap.reactions import BEFORE, HAD, PATH_LEFT, openings, takers, way_left
from combatkit.text import Said, say

# ── one d6 each or for a group, no die for the surprised, and what breaks ties ──


_FURTHER = "ap.init.tie.further"
_DECIDES = ("word", "luck_roll")
"""Terms that break the last ties: the table's decision, contested Luck."""


_SECOND = ("ap.init.tie.luck", "ap.init.tie.pc")

DRAW = Draw(
    sides=6,
    top_tie_first=True,
    rules=("ap.init.formula", "ap.init.group-roll", "ap.init.tie.ir", "ap.init.tie.luck", _FURTHER),
    tie_rule=_FURTHER,
    roll_off=RollOff("tie.rolls", (_FURTHER,), table=100),
)


def claim(rules: Ruleset, state: State, fighter: Fighter) -> Claim:
    """Return what a result is made of: a d6 (unless surprised) and the Rating; ties go by Rating and Luck.

    Similar NPCs share one roll.
    """
    rating = rules.value(fighter, "initiative_rating") or 0
    cited, unit = ["ap.init.all-roll", "ap.init.formula"], ""
    if fighter.npc:
        cited.append("ap.init.gm-rolls")
        unit = fighter.group or _named_after(state, fighter)
    if unit:
        cited.append("ap.init.group-roll")
    sides = DRAW.sides if fighter.effect("surprised") is None else 0
    terms, by = (rating, _luck(rules, state, fighter)), "gm" if fighter.npc else "player"
    return Claim(((rating, "Initiative Rating"),), terms, sides, unit, tuple(cited), by)


def _named_after(state: State, fighter: Fighter) -> str:
    """Return the group named after somebody similar who was there before the others."""
    name, side = fighter.name, fighter.side
    return name if any(f.group == name and f.npc and f.side == side for f in state.fighters.values()) else ""


def _luck(rules: Ruleset, state: State, fighter: Fighter) -> tuple[int, int]:
    """Return the Luck bonus as it ranks: an NPC without one, or by an option any NPC, is below every PC.

    Among NPCs those without one come last, whatever the option says.
    """
    stated = rules.value(fighter, "luck_bonus")
    below = (stated is None) + state.options["pcs_beat_npcs"] if fighter.npc else 0
    return (1 - below, rules.bonus(fighter, "luck_bonus") if stated is None else stated)


def place(draft: Draft, scores: Mapping[str, Score]) -> None:
    """Put everybody on the ladder: by result, Rating, Luck; then by contested Luck, the table's decision, or order."""
    for new, terms in settle(draft, DRAW, scores, _DECIDES, partial(_decide, draft, scores), _ranked):
        for name in new:
            score, fighter = scores[name], draft.state.fighters[name]
            rating, luck = (draft.rules.value(fighter, stat) for stat in ("initiative_rating", "luck_bonus"))
            key = (("initiative", score.total), ("rating", rating or 0), ("luck", luck), *terms[name])
            _put(draft, score, new_place(draft.state, name, score.total, (*score.rank, *_ranked(terms[name])), key))
    _explain(draft)


def _put(draft: Draft, score: Score, place: Place) -> None:
    came = ("ap.init.newcomer",) if draft.state.round is not None else ()
    if score.die is None:
        rules = ("ap.surprise.no-die", "ap.surprise.count-persists", *came)
        put(draft, replace(place, facts={"no_die": True}), rules, say("initiative.rating_alone", score=score.total))
    else:
        facts = {"group": score.claim.shares} if score.claim.shares else {}
        put(draft, replace(place, facts=facts), ("ap.init.order", "ap.init.once", *came))


# ── what decides among those of equal standing ──


def _ranked(terms: Terms) -> tuple[tuple[int, int], ...]:
    """Return terms as they rank, higher first: a decision before a roll, the first named before the next."""
    return tuple((2, -n) if term == "word" else (1, n) for term, n in terms)


def _decide(draft: Draft, scores: Mapping[str, Score], terms: dict[str, Terms], held: list[Place]) -> None:
    """Add what decides for each of those tied: the table's decision, Luck rolls, or only who was added first.

    Where nothing was decided before, the table may name only some: they come before the others.
    """
    said = [name for name in draft.ties if name in terms]
    if said and len(terms) > 1:
        if any(terms.values()) and len(said) < len(terms):
            raise only_some(terms, said)
        terms |= {name: (("word", draft.ties.index(name) + 1),) for name in said}
        return
    unit = {p.who: p.facts.get("group") or p.who for p in held}
    unit |= {name: scores[name].claim.shares or name for name in terms if name in scores}
    kept = {unit[p.who]: _luck_rolls(p) for p in held}
    rolls = dict.fromkeys(unit.values(), ()) | kept
    _contest(draft, rolls, new=rolls.keys() - kept.keys())
    terms |= {name: tuple(("luck_roll", n) for n in rolls[unit[name]]) or terms[name] for name in terms}


def _contest(draft: Draft, rolls: dict[str, tuple[int, ...]], new: AbstractSet[str]) -> None:
    """Use contested Luck rolls made at the table, again among those still tied if more were made.

    Where some have rolled before, only newcomers roll; without a roll they come after. The source does not say how to
    roll Luck: what is typed is each roll's total, higher first.
    """

    def throw(group: list[str], depth: int) -> None:
        rolled = [unit for unit in group if len(rolls[unit]) > depth]
        due = [unit for unit in group if unit not in rolled and (unit in new or not rolled)]
        faces = {unit: tie_die(draft, DRAW, unit) for unit in due}
        missing = [unit for unit in due if not faces[unit]]
        if missing and len(missing) < len(due):
            raise InvalidInput(f"rolls: {missing[0]} has no Luck roll; give one for each of {', '.join(due)}, or none")
        for unit in due:
            rolls[unit] += faces[unit]

    part(rolls, throw)


def _where(state: State, place: Place) -> tuple[str, int] | None:
    """Say where a place is, so that it stays there: before the next one, if any."""
    index = next(i for i, p in enumerate(state.agenda) if p.id == place.id)
    return ("before", state.agenda[index + 1].id) if index + 1 < len(state.agenda) else None


def _explain(draft: Draft) -> None:
    """Say what put each place ahead of the next with the same result."""
    agenda = [place for place in draft.state.agenda if not is_beside(place)]
    for held, below in zip_longest(agenda, agenda[1:]):
        if held.why_rule and not held.why_rule.startswith("ap.init."):
            continue
        said, rule = ahead(draft.rules, draft.state, draft.state.agenda.index(held))
        why = draft.rules.english.render(said) if said else ""
        if (why, rule) != (held.why, held.why_rule):
            text = say("order.ahead", other=below.who, why=said) if said and below is not None else say("order.stays")
            moved = replace(held, why=why, why_rule=rule)
            # Luck counts where the Rating is even: the two go in that order.
            cited = (rule, "ap.init.tie.order") if rule in _SECOND else (rule or "ap.init.order",)
            draft.order(moved, text, cited, at=_where(draft.state, held))


def ahead(_: Ruleset, state: State, index: int) -> tuple[Said | None, str]:
    """Say what puts a place ahead of the next with the same result, and by which rule."""
    held = state.agenda[index]
    below = next((place for place in state.agenda[index + 1 :] if not is_beside(place)), None)
    is_tied = below is not None and below.score == held.score and not is_beside(held)
    return _why(state, held, below) if below is not None and is_tied else (None, "")


def _why(state: State, above: Place, below: Place) -> tuple[Said | None, str]:
    (_, rating, luck), (_, other, less) = above.rank[:3], below.rank[:3]
    if rating != other:
        return say("why.rating", mine=rating, theirs=other), "ap.init.tie.ir"
    if luck != less:
        if luck[0] > less[0] and not state.fighters[above.who].npc:
            return say("why.pc", rating=rating), "ap.init.tie.pc"
        told = "why.luck" if less[0] == luck[0] else "why.luck_alone"
        return say(told, rating=rating, mine=luck[1], theirs=less[1]), "ap.init.tie.luck"
    named = [place.term("word") is not None for place in (above, below)]
    if all(named):
        return say("why.word"), _FURTHER
    if any(named):
        return say("why.unnamed", other=below.who), _FURTHER
    mine, theirs = _luck_rolls(above), _luck_rolls(below)
    for a, b in zip(mine, theirs, strict=False):
        if a != b:
            return say("why.luck_roll", mine=a, theirs=b), _FURTHER
    if len(mine) > len(theirs):
        return say("why.no_further" if theirs else "why.no_luck_roll", other=below.who), _FURTHER
    if above.facts.get("group") and above.facts.get("group") == below.facts.get("group"):
        return say("why.group"), "ap.init.group-roll"
    return say("why.added"), _FURTHER


def _luck_rolls(place: Place) -> tuple[int, ...]:
    return tuple(n for _, n in place.terms("luck_roll"))


# ── squares of a metre, or places with names ──


OVER = 1_000
"""The stage of an action with no further effect."""


def check_way(case: Case) -> Iterable[Objection]:
    """Refuse a way that leads nowhere, and one too long for others to watch each step, if steps are watched."""
    yield from already_there(case, "ap.map.metre")
    stops = stops_of(case.fighter, case.params) if takers(case.rules.catalogue(case.state)) else None
    length = 0 if stops is None else length_of(case.rules.board, stops)
    if length > PATH:
        yield Objection(
            f"That is {length:,} m; a move that others can react to has at most {PATH:,}.", "ap.map.metre", firm=True
        )


def move(draft: Draft, act: Act) -> Act:
    """Go to the next square where somebody has an opening, else where the action leads."""
    rules, state = draft.rules, draft.state
    if not takers(rules.catalogue(state)):
        return _stand(draft, act, None)
    mover, way = draft.state.fighters[act.who], way_left(rules, state, act)
    if PATH_LEFT in act.result and _is_elsewhere(mover, way):
        against = [
            Objection(f"{mover.name} is somewhere else now, and {way[0]} isn't the next square.", "ap.map.metre")
        ]
        stop(draft, act, rules.catalogue(state)[act.action], against)
        return replace(act, stage=OVER, result={PATH_LEFT: []})
    now = openings(rules, state, act, BEFORE)
    had = [*act.result.get(HAD, ()), *([opening.who, opening.rule] for opening in now)]
    act = replace(act, result={**act.result, HAD: had})
    for gone, spot in enumerate(way[:-1], 1):
        there = replace(state, fighters={**state.fighters, act.who: replace(mover, position=spot)})
        rest = replace(act, result={**act.result, PATH_LEFT: [list(each) for each in way[gone:]]})
        if next(openings(rules, there, rest, BEFORE), None) is not None:
            return again(_stand(draft, rest, spot))
    return _stand(draft, replace(act, result={**act.result, PATH_LEFT: []}), None)


def _is_elsewhere(mover: Fighter, way: tuple[Square, ...]) -> bool:
    """Check whether somebody no longer stands where the rest of their way begins."""
    here = as_pair(mover.position)
    return bool(way) and (here is None or apart(here, way[0]) != 1)


def _stand(draft: Draft, act: Act, spot: Square | None) -> Act:
    """Put somebody where a move leads, or on a square of its path; the source doesn't say how far that may be."""
    params = act.params if spot is None else {**act.params, "to": list(spot)}
    goal = way_of(params)[-1:]
    rules = ("ap.map.metre",) if goal and not isinstance(goal[0], str) else ()
    stand(draft, replace(act, params=params), rules)
    return act
