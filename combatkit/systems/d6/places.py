"""Where somebody stands, and how they get elsewhere: zones, bands, Move, Dash, Escape, Shift, Hold."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from msgspec.structs import replace

from combatkit.core.geometry import zones_of
from combatkit.core.model import Act, Fighter, State
from combatkit.rules import flow
from combatkit.rules.case import Case, Mechanism, Objection, Stage
from combatkit.rules.delays import with_home
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import MECHANISMS as COMMON
from combatkit.rules.readying import check_ready
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.weapons import stand, way_of
from combatkit.systems.d6.arms import BANDS
from combatkit.systems.d6.fates import is_gone
from combatkit.text import say, say_names

FAR = BANDS[-1]

_UNPLACED = "short"
"""The band between two combatants if one of them has no place."""


# ── zones ──


def band_between(rules: Ruleset, state: State, a: Fighter, b: Fighter) -> str:
    """Return the band between two combatants; without positions everybody is at Short."""
    found = rules.distance(state, a, b)
    return _UNPLACED if found is None or found.band is None else found.band


def stays(case: Case) -> bool:
    """Check whether a move stays in the zone it begins in."""
    spot = case.fighter.position
    return spot is not None and way_of(case.params) == [spot]


def way_open(case: Case) -> Iterable[Objection]:
    """Allow moves only to the next zone; within your own zone a Move is free and a Dash pointless."""
    fighter, action = case.fighter, case.action
    goal: list[Any] = way_of(case.params)
    zones = zones_of(case.state.map)
    if not goal:
        return
    if len(goal) > 1:
        yield case.object(f"One {action.title} goes to an adjacent zone, not through {len(goal)}.")
    elif stays(case):
        if action.id != "move":
            yield Objection(
                f"{fighter.name} is already in {goal[0]}; moving within it takes no Dash.", "d6.range.close.free-move"
            )
    elif zones is not None and fighter.position is not None and goal[0] not in zones.beside(fighter.position):
        open_to = say_names(zones.beside(fighter.position), " or ")
        reason = f"{goal[0]} isn't next to {fighter.position}; one {action.title} goes to {open_to}."
        yield case.object(reason)


def leads(rules: Ruleset, case: Case) -> int:
    """Return how many zones a move leads on: one."""
    return 1


def move_missing(case: Case) -> tuple[str, ...]:
    """Ask where to, with a map and a place on it."""
    return (
        ("to",) if case.state.map is not None and case.fighter.position is not None and "to" not in case.params else ()
    )


def move(draft: Draft, act: Act) -> Act:
    """Stand in another zone."""
    return stand(draft, act, ("d6.zone.relative",))


# ── escape ──


def enemies(state: State, fighter: Fighter) -> tuple[Fighter, ...]:
    """Return those of other sides who are still in the fight."""
    return tuple(f for f in state.fighters.values() if f.side != fighter.side and not is_gone(f))


def nobody_bars(case: Case) -> Iterable[Objection]:
    """Allow it only if all enemies are nearer than Extreme, as in the text, or, by the option, if none is."""
    state = case.state
    bands = {foe.name: band_between(case.rules, state, case.fighter, foe) for foe in enemies(state, case.fighter)}
    means_far: bool = state.options["escape_means_far"]
    against = [name for name, band in bands.items() if (band == FAR) is not means_far]
    if against:
        names, verb = say_names(against), "is" if len(against) == 1 else "are"
        told = f"{names} {verb} at Extreme; all enemies must be closer."
        if means_far:
            told = f"{names} {verb} closer than Extreme; all enemies must be that far."
        yield Objection(told, "d6.escape.cond")


def escape(draft: Draft, act: Act) -> Act:
    """Leave the fight."""
    flow.depart(draft, act.who, say("escape.leaves"), "d6.escape")
    return act


# ── shift ──


def check_shift(case: Case) -> Iterable[Objection]:
    """Allow a shift at the start of your turn, once a round, to just after somebody who has yet to act."""
    name = case.fighter.name
    turn = case.state.turn
    if turn is None or turn.who != name:
        reason = f"{name} can shift only at the start of their own turn; the GM can change the order instead."
        yield Objection(reason, "d6.init.shift", firm=True)
    elif not turn.place:
        yield Objection(f"{name} is on an extra turn, which has no place in the order.", "d6.init.shift", firm=True)
    elif turn.touched:
        yield Objection(
            f"{name} has already acted; a shift comes at the start of the turn.", "d6.init.shift.start-only"
        )
    if case.has("shifted"):
        yield Objection(f"{name} has already shifted this round.", "d6.init.shift")


def still_to_come(case: Case) -> Iterable[Objection]:
    """Refuse a shift to after yourself, or after somebody with no turn left."""
    state = case.state
    name, params = case.fighter.name, case.params
    if "after" not in params:
        return
    other = state.place_of(params["after"])
    if params["after"] == name:
        yield Objection(f"{name} can't shift behind themselves; name somebody else.", "d6.init.shift.later", firm=True)
    elif other is None:
        yield Objection(f"{params['after']} has no place in the order.", "d6.init.shift.later", firm=True)
    elif other.done >= state.occasion or not flow.may_come(case.rules, state, other):
        yield Objection(f"{params['after']} has no turn left this round.", "d6.init.shift.not-acted")


def shift(draft: Draft, act: Act) -> Act:
    """Take the place just after another; the turn is still to come."""
    state = draft.state
    turn, other = state.turn, state.place_of(act.params["after"])
    assert turn is not None
    assert other is not None
    place = state.place(turn.place)
    rule = "d6.init.shift.later"
    stays = state.options["shift_persists"]
    place = place if stays else with_home(place, "d6.init.shift.persist")
    moved = replace(place, rank=other.rank, why=f"just after {other.who}", why_rule=rule)
    text = say("shift.moves" if stays else "shift.once", other=other.who)
    draft.order(moved, text, (rule, "d6.init.shift.persist"), at=("after", other.id))
    draft.effect(act.who, "shifted", anchor="round_end", rule="d6.init.shift.persist")
    flow.close_turn(draft, given_up=True, rules=("d6.init.shift",))
    return act


# ── hold ──


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
    "hold": Mechanism(check_ready, (*COMMON["ready"].stages, Stage("end_turn", end_turn))),
}
