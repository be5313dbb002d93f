"""Who acts when: one d6 each or for a group, no die for the surprised, and what breaks a tie."""

from __future__ import annotations

from collections.abc import Mapping
from itertools import zip_longest
from typing import Any, NamedTuple

from msgspec.structs import replace

from combatkit.engine.dice import Dice
from combatkit.engine.draft import Draft, plain
from combatkit.engine.lots import Lots, scored
from combatkit.engine.mechanisms import is_beside, new_place, rerank, roll_data
from combatkit.engine.model import Fighter, Place, State
from combatkit.engine.ruleset import Ask, Ruleset
from combatkit.errors import InvalidInput

Standing = tuple[int, int, tuple[int, int]]
"""What a place is ranked by first: the result, the Initiative Rating, the Luck bonus."""

Terms = tuple[tuple[str, Any], ...]
"""Terms of a place's key."""

_DECIDES = ("word", "luck_roll")
"""Terms that decide among those of equal standing: the table's word, contested Luck."""


_SECOND = ("ap.init.tie.luck", "ap.init.tie.pc")


class Result(NamedTuple):
    """What somebody's initiative came to, and the group whose die it shares; `die` is None for the surprised."""

    score: int
    die: int | None
    group: str


def _rating(rules: Ruleset, fighter: Fighter) -> int:
    return rules.value(fighter, "initiative_rating") or 0


def _group(fighter: Fighter) -> str:
    """Give the group somebody rolls with: similar NPCs share one roll."""
    return fighter.group or "" if fighter.npc else ""


def standing_asks(state: State, fighter: Fighter) -> tuple[Ask, ...]:
    """Give the die somebody throws; the first of a group that shares one throws it for all."""
    if fighter.effect("surprised") is not None:
        return ()
    group = _group(fighter)
    if group:
        first = next((f for f in state.fighters.values() if _group(f) == group and not f.effect("surprised")), fighter)
        if first.name != fighter.name:
            return ()
    rating = fighter.stats["initiative_rating"]
    return (Ask("initiative", 1, 6, ((rating, "Initiative Rating"),), rule="ap.init.formula"),)


def drawn(rules: Ruleset, state: State) -> Lots:
    """Give what the order rests on: a die each or for a group, none for the surprised; Rating, Luck, then a choice."""
    lots = []
    for fighter in state.fighters.values():
        rating = _rating(rules, fighter)
        sides = 6 if fighter.effect("surprised") is None else 0
        unit = _group(fighter) if sides else ""
        terms = (rating, *_luck(rules, state, fighter))
        lots.append(scored(fighter, sides, rating, terms, unit=unit, out=not rules.able(fighter)))
    cited = ("ap.init.formula", "ap.init.group-roll", "ap.init.tie.ir", "ap.init.tie.luck", "ap.init.tie.further")
    return Lots(tuple(lots), 6, rules=cited, tie_rule=cited[-1])


def roll(draft: Draft, names: tuple[str, ...]) -> dict[str, Result]:
    """Roll for everybody named, once for each group of NPCs, and not at all for the surprised."""
    results: dict[str, Result] = {}
    thrown: dict[str, int] = {}
    for name in names:
        fighter = draft.fighter(name)
        rating = _rating(draft.rules, fighter)
        if fighter.effect("surprised") is not None:
            results[name] = Result(rating, None, "")
            continue
        group = _group(fighter)
        if group not in thrown or not group:
            mates = [n for n in names if group and _group(draft.fighter(n)) == group]
            rolled = draft.throw(1, 6, *([group, *mates] if group else [name]), *_named(fighter), "initiative")
            thrown[group] = rolled.sum
            _log_roll(draft, fighter, rating, roll_data("initiative", Dice(1, 6, rating), rolled, rolled.sum + rating))
        results[name] = Result(thrown[group] + rating, thrown[group], group)
    return results


def _named(fighter: Fighter) -> tuple[str, ...]:
    return (fighter.group,) if fighter.group else ()


def _log_roll(draft: Draft, fighter: Fighter, rating: int, data: dict[str, Any]) -> None:
    group = _group(fighter)
    text = f"rolls {data['total']} for initiative"
    rules = ["ap.init.all-roll", "ap.init.formula"]
    data["modifiers"] = {"Initiative Rating": rating}
    if fighter.npc:
        rules.append("ap.init.gm-rolls")
    if group:
        text += f", once for all of {group}"
        rules.append("ap.init.group-roll")
        data["group"] = group
    by = "gm" if fighter.npc else draft.by
    draft.emit("roll", fighter.name, amount=data["total"], text=text, rules=tuple(rules), by=by, data=data)


def _luck(rules: Ruleset, state: State, fighter: Fighter) -> tuple[int, int]:
    """Return the Luck bonus as it ranks: an NPC without one is below every PC, or any NPC is, as an option has it."""
    stated = rules.value(fighter, "luck_bonus")
    below = fighter.npc and (stated is None or state.options["pcs_beat_npcs"])
    return (0 if below else 1, stated or 0)


def place(draft: Draft, results: Mapping[str, Result]) -> None:
    """Put everybody on the ladder: by result, Rating, Luck; then by contested Luck, the table's word, or order."""
    tied: dict[Standing, list[str]] = {}
    for name, result in results.items():
        fighter = draft.fighter(name)
        tied.setdefault(
            (result.score, _rating(draft.rules, fighter), _luck(draft.rules, draft.state, fighter)), []
        ).append(name)
    for standing in sorted(tied, reverse=True):
        _put(draft, standing, tied[standing], results)
    _explain(draft)


def _put(draft: Draft, standing: Standing, names: list[str], results: Mapping[str, Result]) -> None:
    """Put those of equal standing on the ladder, and those who hold it already where they now belong among them."""
    held = [p for p in draft.state.agenda if p.rank[:3] == standing and not is_beside(p)]
    terms = _terms(draft, held, names, results)
    for old in held:
        mine = terms[old.who]
        told = ("is tied", "ap.init.tie.further")
        rerank(draft, old, (*old.rank[:3], *_ranked(mine)), (*old.key[:3], *mine), *told)
    score, rating, _ = standing
    luck = draft.rules.value(draft.fighter(names[0]), "luck_bonus")
    key: Terms = (("initiative", score), ("rating", rating), ("luck", luck))
    for name in names:
        result = results[name]
        facts = {"no_die": True} if result.die is None else {"group": result.group} if result.group else {}
        new = new_place(draft.state, name)
        rank = (*standing, *_ranked(terms[name]))
        new = replace(new, score=score, rank=rank, key=(*key, *terms[name]), facts=facts)
        rules, data = _rules(draft.state, result), {"place": plain(new)}
        draft.emit("initiative", name, amount=score, text=_text(result), rules=rules, data=data)


# ── what decides among those of equal standing ──


def _ranked(terms: Terms) -> tuple[tuple[int, int], ...]:
    """Give terms as they rank, the higher first: a word before a roll, the first named before the next."""
    return tuple((2, -n) if term == "word" else (1, n) for term, n in terms)


def _terms(draft: Draft, held: list[Place], names: list[str], results: Mapping[str, Result]) -> dict[str, Terms]:
    """Give what decides for each of equal standing: the table's word, Luck rolls, or nothing but the order of adding.

    Those who hold a place keep what decided for them.
    """
    terms: dict[str, Terms] = {p.who: tuple(term for term in p.key if term[0] in _DECIDES) for p in held}
    decided = any(terms.values())
    terms |= dict.fromkeys(names, ())
    said = [name for name in draft.ties if name in terms]
    if said and len(terms) > 1:
        if decided and len(said) < len(terms):
            raise InvalidInput(
                f"ties names {', '.join(said)} of the tied {', '.join(terms)}, whose order was decided before:"
                " name all of them"
            )
        return terms | {name: (("word", draft.ties.index(name) + 1),) for name in said}
    unit = {name: _unit(draft, name, results) for name in terms}
    rolls: dict[str, tuple[int, ...]] = dict.fromkeys(unit.values(), ())
    for old in held:
        rolls[unit[old.who]] = _luck_rolls(old)
    _contest(draft, rolls, new=set(rolls) - {unit[old.who] for old in held})
    return {name: tuple(("luck_roll", n) for n in rolls[unit[name]]) or terms[name] for name in terms}


def _contest(draft: Draft, rolls: dict[str, tuple[int, ...]], new: set[str]) -> None:
    """Take in contested Luck rolls made at the table, again among those still tied if more were made.

    Where some have rolled before, only newcomers roll; without a roll they come after. The source does not say how
    Luck is rolled: what is typed is what each roll came to, the higher first.
    """
    depth, tied = 0, [list(rolls)]
    while tied := [group for group in tied if len(group) > 1]:
        again: list[list[str]] = []
        for group in tied:
            rolled = [unit for unit in group if len(rolls[unit]) > depth]
            due = [unit for unit in group if unit not in rolled and (unit in new or not rolled)]
            faces = {unit: draft.faces.take(1, 100, unit, "tie") for unit in due}
            if any(face is not None for face in faces.values()):
                for unit, face in faces.items():
                    if face is None:
                        raise InvalidInput(f"rolls: a Luck roll is given for some of {', '.join(due)}, not for {unit}")
                    rolls[unit] += face
                    _log_luck(draft, unit, face)
            same: dict[int, list[str]] = {}
            for unit in group:
                if len(rolls[unit]) > depth:
                    same.setdefault(rolls[unit][depth], []).append(unit)
            again.extend(same.values())
        depth, tied = depth + 1, again


def _where(state: State, place: Place) -> tuple[str, int] | None:
    """Say where a place stands, so that it stays there: before the next one, if there is one."""
    index = next(i for i, p in enumerate(state.agenda) if p.id == place.id)
    return ("before", state.agenda[index + 1].id) if index + 1 < len(state.agenda) else None


def _unit(draft: Draft, name: str, results: Mapping[str, Result]) -> str:
    """Give what is contested for as one: somebody alone, or all who share a die."""
    if name in results:
        return results[name].group or name
    held = draft.state.place_of(name)
    return (held.facts.get("group") or name) if held is not None else name


def _text(result: Result) -> str:
    return f"is at {result.score}, their Initiative Rating alone" if result.die is None else f"is at {result.score}"


def _rules(state: State, result: Result) -> tuple[str, ...]:
    came = ("ap.init.newcomer",) if state.round is not None else ()
    if result.die is None:
        return ("ap.surprise.no-die", "ap.surprise.count-persists", *came)
    return ("ap.init.order", "ap.init.once", *came)


def _log_luck(draft: Draft, unit: str, face: tuple[int, ...]) -> None:
    fighters = draft.state.fighters
    who = unit if unit in fighters else next(f.name for f in fighters.values() if f.group == unit)
    data: dict[str, Any] = {"purpose": "tie", "notation": "1d100", "faces": list(face), "modifier": 0}
    data |= {"total": face[0], "source": "table"}
    rules = ("ap.init.tie.further",)
    draft.emit("roll", who, amount=face[0], text=f"rolls {face[0]} for Luck", rules=rules, data=data)


def _explain(draft: Draft) -> None:
    """Say of every place what put it ahead of the next with the same result."""
    agenda = [place for place in draft.state.agenda if not is_beside(place)]
    for held, below in zip_longest(agenda, agenda[1:]):
        if held.why_rule and not held.why_rule.startswith("ap.init."):
            continue
        why, rule = _why(draft.state, held, below) if below is not None and below.score == held.score else ("", "")
        if (why, rule) != (held.why, held.why_rule):
            text = f"is ahead of {below.who}: {why}" if why and below is not None else "stays in place"
            moved = replace(held, why=why, why_rule=rule)
            # Luck counts where the Rating is even: the two go in that order.
            cited = (rule, "ap.init.tie.order") if rule in _SECOND else (rule or "ap.init.order",)
            draft.order(moved, text, cited, at=_where(draft.state, held))


def _why(state: State, above: Place, below: Place) -> tuple[str, str]:
    if len(above.rank) < 3 or len(below.rank) < 3:
        return "", ""
    (_, rating, luck), (_, other, less) = above.rank[:3], below.rank[:3]
    if rating != other:
        return f"Rating {rating} over {other}", "ap.init.tie.ir"
    even = f"Rating {rating} = {other}"
    if luck != less:
        if not less[0] and not state.fighters[above.who].npc:
            return f"{even}, PC over NPC", "ap.init.tie.pc"
        return f"{even}, Luck {luck[1]} over {less[1] if less[0] == luck[0] else 'none'}", "ap.init.tie.luck"
    named = [any(term == "word" for term, _ in place.key) for place in (above, below)]
    if all(named):
        return "Rating and Luck equal, by the table's word", "ap.init.tie.further"
    if any(named):
        return f"Rating and Luck equal, {below.who} after those the table named", "ap.init.tie.further"
    mine, theirs = _luck_rolls(above), _luck_rolls(below)
    for a, b in zip(mine, theirs, strict=False):
        if a != b:
            return f"Rating and Luck equal, Luck roll {a} over {b}", "ap.init.tie.further"
    if len(mine) > len(theirs):
        more = "further " if theirs else ""
        return f"Rating and Luck equal, {below.who} after, without a {more}Luck roll", "ap.init.tie.further"
    if above.facts.get("group") and above.facts.get("group") == below.facts.get("group"):
        return "one die for the group, in order of adding", "ap.init.group-roll"
    return "Rating and Luck equal, in order of adding", "ap.init.tie.further"


def _luck_rolls(place: Place) -> tuple[int, ...]:
    return tuple(n for term, n in place.key if term == "luck_roll")
