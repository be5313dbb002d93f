"""Where somebody stands, and getting elsewhere: zones, bands, Move, Dash, Escape, Shift, Hold."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from combatkit.core.geometry import Zones
from combatkit.core.model import Act, Distance, Effect, Fighter, State
from combatkit.rules import flow
from combatkit.rules.case import Case, Objection
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import MECHANISMS as COMMON
from combatkit.rules.parts import Mechanism, Stage
from combatkit.rules.readying import check_ready
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.d6.codes import BANDS, weapon_of
from combatkit.text import say

FAR = BANDS[-1]

_UNPLACED = "short"
"""The band between those of whom one has no place."""


# ── zones ──


def zones_of(state: State) -> Zones | None:
    """Return the zones of a fight's map, or None without one."""
    return None if state.map is None else _zones(tuple((a, b) for a, b in state.map))


@lru_cache(maxsize=64)
def _zones(pairs: tuple[tuple[str, str], ...]) -> Zones:
    return Zones(pairs)


def distance_between(state: State, a: Fighter, b: Fighter) -> Distance | None:
    """Return the zones between two and their band; None unless both stand somewhere and it is known how far apart.

    A zone to which no way leads is farther than all others.
    """
    if a.position is None or b.position is None:
        return None
    if a.position == b.position:
        return Distance(0, BANDS[0])
    zones = zones_of(state)
    if zones is None:
        return None
    steps = zones.steps(a.position, b.position)
    steps = len(zones.names) if steps is None else steps
    return Distance(steps, BANDS[min(steps, len(BANDS) - 1)] if steps < len(zones.names) else FAR)


def band_between(rules: Ruleset, state: State, a: Fighter, b: Fighter) -> str:
    """Return the band between two; without positions everybody is at Short."""
    found = rules.distance(state, a, b)
    return _UNPLACED if found is None or found.band is None else found.band


def goal_of(params: Mapping[str, Any]) -> list[str]:
    """Return the path of a move as a list of zones."""
    to = params.get("to")
    return [] if to is None else [to] if isinstance(to, str) else list(to)


def stays(state: State, fighter: Fighter, params: Mapping[str, Any]) -> bool:
    """Check whether a move stays in the zone it begins in."""
    return fighter.position is not None and goal_of(params) == [fighter.position]


def way_open(case: Case) -> Iterable[Objection]:
    """From a zone to one that touches it; within one's own zone a Move is free and a Dash pointless."""
    fighter, action = case.fighter, case.action
    goal = goal_of(case.params)
    zones = zones_of(case.state)
    if not goal:
        return
    if len(goal) > 1:
        yield case.object(f"One {action.title} leads to an adjacent zone, not through {len(goal)}.")
    elif stays(case.state, fighter, case.params):
        if action.id != "move":
            yield Objection(
                f"{fighter.name} is in {goal[0]}; moving within it takes no Dash.", "d6.range.close.free-move"
            )
    elif zones is not None and fighter.position is not None and goal[0] not in zones.beside(fighter.position):
        open_to = ", ".join(zones.beside(fighter.position))
        reason = f"{goal[0]} does not touch {fighter.position}; one {action.title} leads to {open_to}."
        yield case.object(reason)


def move_missing(case: Case) -> tuple[str, ...]:
    """With a map and a place on it, where to must be said."""
    return (
        ("to",) if case.state.map is not None and case.fighter.position is not None and "to" not in case.params else ()
    )


def move(draft: Draft, act: Act) -> Act:
    """Stand in another zone."""
    fighter = draft.fighter(act.who)
    goal = goal_of(act.params)
    if goal and goal[-1] != fighter.position:
        data = {"from": fighter.position, "to": goal[-1]}
        text = say("move.goes", origin=fighter.position, to=goal[-1])
        draft.emit("move", act.who, act.action, text=text, rules=("d6.zone.relative",), data=data)
    return act


# ── escape ──


def enemies(state: State, fighter: Fighter) -> tuple[Fighter, ...]:
    """Return those of other sides who are still in the fight."""
    return tuple(
        f
        for f in state.fighters.values()
        if f.side != fighter.side and not any(e.id in ("dead", "out", "left") for e in f.effects)
    )


def nobody_bars(case: Case) -> Iterable[Objection]:
    """To the letter all enemies are nearer than Extreme; as an option, none is."""
    state = case.state
    bands = {foe.name: band_between(case.rules, state, case.fighter, foe) for foe in enemies(state, case.fighter)}
    if state.options["escape_means_far"]:
        near = [f"{name} is at {band.capitalize()}" for name, band in bands.items() if band != FAR]
        if near:
            yield Objection(f"{', '.join(near)}: nearer than Extreme.", "d6.escape.cond")
    else:
        far = [name for name, band in bands.items() if band == FAR]
        if far:
            verb = "is" if len(far) == 1 else "are"
            yield Objection(f"{', '.join(far)} {verb} at Extreme, not closer.", "d6.escape.cond")


def escape(draft: Draft, act: Act) -> Act:
    """Be out of the combat."""
    flow.depart(draft, act.who, say("escape.leaves"), "d6.escape")
    return act


# ── shift ──


def check_shift(case: Case) -> Iterable[Objection]:
    """As one's turn begins, once a round, to just after somebody else who has yet to act."""
    name = case.fighter.name
    turn = case.state.turn
    if turn is None or turn.who != name:
        reason = f"{name} has no turn to shift right now; the GM can move them in the order instead (place)."
        yield Objection(reason, "d6.init.shift", firm=True)
    elif not turn.place:
        yield Objection(f"{name} has no place in the order to change in this turn.", "d6.init.shift", firm=True)
    elif turn.touched:
        yield Objection(f"{name} has begun to act; a shift is chosen as the turn starts.", "d6.init.shift.start-only")
    if case.has("shifted"):
        yield Objection(f"{name} has changed their place this round.", "d6.init.shift")


def still_to_come(case: Case) -> Iterable[Objection]:
    """Refuse a shift to after oneself, or after one who has no turn to come."""
    state = case.state
    name, params = case.fighter.name, case.params
    if "after" not in params:
        return
    other = state.place_of(params["after"])
    if params["after"] == name:
        yield Objection(f"{name} acts after another character, not after themselves.", "d6.init.shift.later", firm=True)
    elif other is None:
        yield Objection(f"{params['after']} has no place in the order.", "d6.init.shift.later", firm=True)
    elif other.done >= state.occasion or not case.rules.able(state.fighters[other.who]):
        yield Objection(f"{params['after']} has no turn to come in this round.", "d6.init.shift.not-acted")


def shift(draft: Draft, act: Act) -> Act:
    """Take the place just after another; the turn is still to come."""
    state = draft.state
    turn, other = state.turn, state.place_of(act.params["after"])
    assert turn is not None
    assert other is not None
    place = state.place(turn.place)
    rule = "d6.init.shift.later"
    moved = replace(place, rank=other.rank, why=f"just after {other.who}", why_rule=rule)
    value = None
    if not state.options["shift_persists"]:
        value = {"rank": list(place.rank), "why": place.why, "why_rule": place.why_rule}
    draft.order(moved, say("shift.moves", other=other.who), (rule,), at=("after", other.id))
    text = say("shift.once" if value else "shift.kept")
    draft.effect(act.who, "shifted", value=value, anchor="round_end", rule="d6.init.shift.persist", text=text)
    flow.close_turn(draft, given_up=True, rules=("d6.init.shift",))
    return act


def shift_back(draft: Draft, who: str, effect: Effect) -> None:
    """Give back the place a shift left, as the round ends."""
    place = draft.state.place_of(who)
    if effect.value is None or place is None:
        return
    kept = effect.value
    old = replace(place, rank=tuple(kept["rank"]), why=kept["why"], why_rule=kept["why_rule"])
    draft.order(old, say("shift.back"), ("d6.init.shift.persist",))


# ── hold ──


def check_hold(case: Case) -> Iterable[Objection]:
    """One of three actions; a weapon named for it is one there is, but its target may still come into range."""
    yield from check_ready(case)
    if "weapon" in case.params:
        weapon_of(case.fighter, case.params)


def end_turn(draft: Draft, act: Act) -> Act:
    """Holding an action ends the turn: an unspent Move is lost, the place in the order stays."""
    turn = draft.state.turn
    if turn is not None and turn.who == act.who:
        flow.close_turn(draft, rules=("d6.act.hold.ends-turn", "d6.act.hold.no-order-change"))
    return act


MECHANISMS: dict[str, Mechanism] = {
    "move": Mechanism(None, (Stage("move", move, (way_open,), moves=True),), move_missing),
    "escape": Mechanism(None, (Stage("escape", escape, (nobody_bars,)),)),
    "shift": Mechanism(check_shift, (Stage("shift", shift, (still_to_come,)),)),
    "hold": Mechanism(check_hold, (*COMMON["ready"].stages, Stage("end_turn", end_turn))),
}
