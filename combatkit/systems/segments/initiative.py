"""Group initiative: one d6 per group, rolled again each round, and the places that follow from it."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from combatkit.core.dice import Dice
from combatkit.core.model import Fighter, State
from combatkit.rules.case import Ask
from combatkit.rules.delays import new_place
from combatkit.rules.draft import Draft
from combatkit.rules.draw import TOGETHER, Draw, Key, Lot
from combatkit.rules.initiative import put
from combatkit.rules.mechanisms import roll_data
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments import agenda, places
from combatkit.text import Title, say

DRAW = Draw(
    sides=6,
    ties=TOGETHER,
    highest=True,
    rules=("segments.seq.2-group", "segments.seq.2-high", "segments.seq.2-low", "segments.seq.2-tied-order"),
)


def drawn(rules: Ruleset, state: State) -> Draw:
    """Return what decides the order of a round: a die per group, the highest counting, then what each does.

    A fast action or a multi-attack comes before HIGH and LOW whatever is rolled, a spell after them.
    """
    groups = {places.group_of(f): 1 for f in state.fighters.values()}
    rolled = [
        replace(state, facts={**state.facts, "dice": groups, "halves": dict.fromkeys(groups, half)})
        for half in places.HALVES
    ]
    lots = []
    for fighter in state.fighters.values():
        keys = tuple(_first_place(rules, moment, fighter) for moment in rolled)
        halves = tuple(places.half_of(rules, moment, fighter) for moment in rolled)
        turns = fighter.effect("casting") is not None or places.acts_in_half(rules, state, fighter)
        lots.append(Lot(fighter.name, places.group_of(fighter), keys, halves, out=not (turns and rules.able(fighter))))
    return replace(DRAW, lots=tuple(lots))


def step_asks(rules: Ruleset, state: State, came: Sequence[str] = ()) -> tuple[tuple[str, Ask], ...]:
    """Ask each group for a die as step 1 closes, and later one that has just come."""
    dice, step = state.facts.get("dice") or {}, rules.present_step(state)
    asked = came if dice else ()
    if not came and step is not None and step.id == "declare":
        asked = [place.who for place in state.agenda]
    groups = dict.fromkeys(places.group_of(state.fighters[name]) for name in asked)
    ask = Ask("initiative", 1, DRAW.sides, rule=DRAW.rules[0])
    return tuple((group, ask) for group in groups if group not in dice)


def _first_place(rules: Ruleset, state: State, fighter: Fighter) -> Key:
    """Return the rank of a combatant's first place, if the dice were as this state has them."""
    own = state.place_of(fighter.name) or new_place(state, fighter.name)
    casting = fighter.effect("casting")
    extra = agenda.extra_places(rules, state, fighter)
    ranks = [place.rank for place in extra if casting is None or place.facts["kind"] != "multi"]
    if not ranks or places.acts_in_half(rules, state, fighter):
        ranks.append(places.main_place(rules, state, fighter, own).rank)
    return max(ranks)


def enter(draft: Draft, name: str) -> None:
    """Give a combatant a place; dice are rolled in step 2, except for a group that joins after it.

    Whoever comes back with routines of multi-attack left has their place in step 6, too.
    """
    fighter = draft.state.fighters[name]
    group = places.group_of(fighter)
    dice = draft.state.facts.get("dice")
    if dice and group not in dice:
        _roll_late(draft, group, fighter.side)
    place = places.main_place(draft.rules, draft.state, fighter, new_place(draft.state, name))
    rolled = place.score is not None
    text = say("places.half", half=Title(place.term("half"))) if rolled else say("places.waits")
    put(draft, place, ("segments.seq.2-group",), text)
    attacks, step = fighter.pools.get("iterative"), draft.rules.present_step(draft.state)
    to_come = step is not None and (step.stage or 0) >= places.STAGE["remaining"]
    if to_come and attacks is not None and attacks.left:
        agenda.attack_again(draft, name)


def forget(draft: Draft) -> None:
    """Drop last round's dice: each group rolls again."""
    cited = ("segments.seq.2-group",)
    facts: dict[str, object] = {"dice": {}, "halves": {}}
    draft.emit("fact", text=say("dice.none"), rules=cited, data={"facts": facts})
    agenda.build(draft, say("places.unrolled"), cited)


def roll_groups(draft: Draft) -> None:
    """Roll a die for each group; the highest act in HIGH, or all of them if they are tied."""
    sides: dict[str, str] = {}
    for place in draft.state.agenda:
        fighter = draft.state.fighters[place.who]
        sides.setdefault(places.group_of(fighter), fighter.side)
    dice: dict[str, int] = {}
    thrown: list[str] = []
    shared: dict[str, int] = {}
    for group, side in sides.items():
        dice[group], table = _roll(draft, group, side, shared)
        if table:
            thrown.append(group)
    top = max(dice.values(), default=0)
    halves = {group: "HIGH" if face == top else "LOW" for group, face in dice.items()}
    high = [group for group, half in halves.items() if half == "HIGH"]
    tied = len(high) > 1
    cited = ["segments.seq.2-high", "segments.seq.2-low"]
    if tied:
        cited = ["segments.seq.2-tied", "segments.seq.2-tied-order"]
    text = say("dice.tied" if tied else "dice.highest", groups=high)
    facts = {"dice": dice, "halves": halves, "thrown": thrown}
    draft.emit("fact", text=text, rules=tuple(cited), data={"facts": facts})
    agenda.build(draft, say("places.rolled"), tuple(cited))


def _roll(draft: Draft, group: str, side: str, shared: dict[str, int]) -> tuple[int, bool]:
    """Roll a group's d6; a face given for a side serves all its groups."""
    named = draft.faces.piles
    if group != side and not named.get(group) and side in shared:
        return shared[side], True
    for_side = group != side and not named.get(group) and bool(named.get(side))
    rolled = draft.throw(1, DRAW.sides, group, side, "initiative")
    table = rolled.source == "table"
    if table and (group == side or for_side):
        shared[side] = rolled.sum
    data = roll_data("initiative", Dice(1, DRAW.sides), rolled, rolled.sum)
    data["group"] = group
    text = say("dice.rolls", group=group, total=rolled.sum)
    draft.emit("roll", amount=rolled.sum, text=text, rules=("segments.seq.2-group",), data=data)
    return rolled.sum, table


def _roll_late(draft: Draft, group: str, side: str) -> None:
    facts = draft.state.facts
    face, table = _roll(draft, group, side, {})
    half = "HIGH" if face >= max(facts["dice"].values()) else "LOW"
    new = {
        "dice": {**facts["dice"], group: face},
        "halves": {**facts["halves"], group: half},
        "thrown": [*facts["thrown"], *([group] if table else [])],
    }
    text = say("dice.half", group=group, half=Title(half))
    draft.emit("fact", text=text, rules=("segments.seq.2-group",), data={"facts": new})


def add_attackers(draft: Draft) -> None:
    """Give a place in step 4 to those with multi-attack who have come into melee since the dice were rolled."""
    for place in draft.state.agenda:
        fighter = draft.state.fighters[place.who]
        if place.facts.get("kind") is not None or not agenda.attacks_first(draft.rules, draft.state, fighter):
            continue
        if not any(p.who == place.who and p.facts.get("kind") == "multi" for p in draft.state.agenda):
            new = places.multi_place(draft.rules, draft.state, fighter, "multi")
            if not agenda.idle(draft.rules, draft.state, new):
                agenda.add_place(draft, new, say("places.first"), ("segments.seq.4-multi",))
