"""The agenda of a round: which places everybody has in it, in what order, and why one comes before another."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec.structs import replace

from combatkit.core.model import Fighter, Place, State, Step
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft, plain
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments import places
from combatkit.systems.segments.places import (
    HALVES,
    STAGE,
    UNROLLED,
    declared,
    fast_place,
    group_half,
    group_of,
    kept_to_low,
    lost_spell,
    main_place,
    multi_place,
    score_of,
    spell_place,
)
from combatkit.systems.segments.tables import STEPS
from combatkit.systems.segments.weapons import routines_of
from combatkit.text import Said, Title, say


def extra_places(rules: Ruleset, state: State, fighter: Fighter) -> Iterator[Place]:
    """Yield a combatant's extra places: a fast action, multi-attack in melee, an innate ability, a declared spell."""
    if not fighter.effects:
        return
    catalogue = rules.catalogue(state)
    values = declared(fighter)
    fast = next(((v["action"], k) for v in values if (k := fast_kind(fighter, catalogue[v["action"]]))), None)
    if fast is not None:
        yield fast_place(state, fighter, *fast)
    if attacks_first(rules, state, fighter):
        yield multi_place(rules, state, fighter, "multi")
    if places.plans_innate(rules, state, fighter) and places.plan_of(rules, state, fighter).kind != "innate":
        yield places.innate_place(rules, state, fighter)
    casting = fighter.effect("casting")
    if casting is not None and casting.value["step"] == "spells":
        yield spell_place(rules, state, fighter, casting)


def attacks_first(rules: Ruleset, state: State, fighter: Fighter) -> bool:
    """Check whether a combatant takes a turn in step 4: with multi-attack, in melee, and not kept to LOW.

    A complex activity that was declared leaves room for no attack.
    """
    if routines_of(fighter) < 2 or fighter.effect("in_melee") is None or kept_to_low(rules, state, fighter):
        return False
    catalogue = rules.catalogue(state)
    return all(catalogue[value["action"]].cost != "complex" for value in declared(fighter))


def fast_kind(fighter: Fighter, action: Action) -> str:
    """Return the place of an action among the fast ones, or an empty text."""
    if action.facts.get("kind") == "fast":
        return action.id
    ordinary = action.cost in ("major", "routine", "minor") and action.facts.get("kind") != "delay"
    first = "go_first" in action.tags or fighter.effect("go_first") is not None
    return "go_first" if ordinary and first else ""


def build(draft: Draft, text: Said, rules_cited: tuple[str, ...] = ()) -> None:
    """Build the agenda again for everybody still in the fight."""
    rules, state = draft.rules, draft.state
    number = state.places
    places: list[Place] = []
    rolled = bool(state.facts.get("dice"))
    for fighter in state.fighters.values():
        own = state.place_of(fighter.name)
        if own is None:
            continue
        places.append(main_place(rules, state, fighter, replace(own, facts={})))
        if rolled:
            for extra in extra_places(rules, state, fighter):
                number += 1
                places.append(replace(extra, id=number))
    places.sort(key=lambda p: p.rank, reverse=True)
    places = [explained(rules, state, places, i)[0] for i in range(len(places))]
    draft.emit("order", text=text, rules=rules_cited, data={"agenda": [plain(p) for p in places]})


def explained(rules: Ruleset, state: State, places: list[Place], index: int) -> tuple[Place, Said | None]:
    """Return a place with the reason it comes before the next, and the words for it."""
    place = places[index]
    why, rule = _reason_of(state, places, index)
    words = "" if why is None else rules.english.render(why)
    return place if place.why == words else replace(place, why=words, why_rule=rule), why


def ahead(rules: Ruleset, state: State, index: int) -> tuple[Said | None, str]:
    """Say why a place comes before the next where initiative leaves that open, and by which rule."""
    return _reason_of(state, [*state.agenda], index)


def _reason_of(state: State, places: list[Place], index: int) -> tuple[Said | None, str]:
    """Say why a place comes before the next where initiative leaves that open, or that they act at the same time.

    Initiative leaves it open between members of different groups in the same half, and between any two spells.
    """
    row = places[index : index + 2]
    if len(row) < 2 or row[0].rank[0] != row[1].rank[0] or row[0].who == row[1].who:
        return None, ""
    place, below = row
    if place.rank[0] == STAGE["spells"]:
        return _why_of_spells(place, below), "segments.seq.7-spells"
    if place.rank[0] not in (STAGE["high"], STAGE["low"]):
        return None, ""
    if group_of(state.fighters[place.who]) == group_of(state.fighters[below.who]):
        return None, ""
    mine, theirs = dict(place.key), dict(below.key)
    if place.rank == below.rank:
        return say("why.at_once", other=below.who), "segments.seq.2-tied-order"
    if mine["type"] != theirs["type"]:
        return _before(mine["type"], theirs["type"]), "segments.seq.2-tied-order"
    if "delayed" in theirs and "delayed" not in mine:
        return say("why.delayed", other=below.who), "segments.delayed.loses-ties"
    why = _less(mine, theirs, "speed", "segments")
    return why, "segments.seq.2-tied-order" if why else ""


def _why_of_spells(place: Place, below: Place) -> Said | None:
    mine, theirs = dict(place.key), dict(below.key)
    if place.rank == below.rank:
        return say("why.at_once", other=below.who)
    if "chart" not in mine and mine["half"] != theirs["half"]:
        return _before(mine["half"], theirs["half"])
    return _less(mine, theirs, "chart", "segments")


def _before(mine: str, theirs: str) -> Said:
    return say("why.before", mine=Title(mine), theirs=Title(theirs))


def _less(mine: dict[str, object], theirs: dict[str, Any], *terms: str) -> Said | None:
    """Say which of these terms is lower."""
    for term in terms:
        if term in mine and term in theirs and mine[term] < theirs[term]:
            return say("why.less", of=term, term=Title(term), mine=mine[term], theirs=theirs[term])
    return None


def add_place(draft: Draft, place: Place, text: Said, rules: tuple[str, ...]) -> None:
    """Give a combatant one more place this round."""
    place = replace(place, id=draft.state.places + 1)
    amount = score_of(draft.state, draft.state.fighters[place.who])
    draft.emit("initiative", place.who, amount=amount, text=text, rules=rules, data={"place": plain(place)})


def attack_again(draft: Draft, name: str) -> None:
    """Give a combatant a place in step 6, for the routines that multi-attack leaves."""
    place = multi_place(draft.rules, draft.state, draft.state.fighters[name], "remaining")
    add_place(draft, place, say("places.remaining"), ("segments.seq.6-remaining",))


def place_at(rules: Ruleset, state: State, fighter: Fighter, place: Place, count: Any) -> Place:
    """Return a place where the GM puts it: in a half, or on a die (in HIGH with the highest, else in LOW)."""
    dice = state.facts.get("dice") or {}
    if not dice:
        right = "nobody has initiative before step 2; declare a delay now, or place them before or after somebody then"
        raise InvalidInput(f"place: count is {count!r}, and {right}")
    half = count if count in HALVES else "HIGH" if count >= max(dice.values()) else "LOW"
    score = place.score if count in HALVES else count
    rank = (STAGE[half.lower()], *place.rank[1:]) if len(place.rank) == 4 else place.rank
    key = tuple(("half", half) if term == "half" else (term, value) for term, value in place.key)
    facts = {**place.facts, "placed": True}
    return replace(place, score=score, rank=rank, key=key, why="", why_rule="", was=None, facts=facts)


def calls(rules: Ruleset, state: State, step: Step, place: Place) -> bool:
    """Check whether a step calls a place: those of its stage that still have something to do in it.

    Who left before the dice were thrown would have had their turn in the half of their group.
    """
    fighter, stage = state.fighters[place.who], place.rank[0]
    if stage == UNROLLED:
        stage = STAGE[group_half(state, fighter).lower()]
    if stage != step.stage:
        return False
    kind = place.facts.get("kind")
    casting = fighter.effect("casting") if fighter.effects else None
    if kind is None and step.id != "end":
        return not fighter.effects or places.acts_in_half(rules, state, fighter)
    if kind == "spell":
        spell = lost_spell(fighter) if casting is None else casting.value["spell"]
        return bool(spell == place.facts["action"])
    if kind == "innate":  # where nothing else is planned any more, the combatant's own place is in D1
        planned = places.plans_innate(rules, state, fighter)
        return planned and places.plan_of(rules, state, fighter).kind != "innate"
    if kind == "remaining":
        pool = fighter.pools.get("iterative")
        return pool is not None and pool.left > 0
    if kind == "multi" and (casting is not None or not attacks_first(rules, state, fighter)):
        return False
    major = fighter.pools.get("major")
    return major is not None and major.left > 0


def idle(rules: Ruleset, state: State, place: Place) -> bool:
    """Check whether a place besides somebody's own would be called for nothing."""
    own = next((step for step in STEPS if step.stage == place.rank[0]), None)
    return own is not None and bool(place.facts.get("kind")) and not calls(rules, state, own, place)
