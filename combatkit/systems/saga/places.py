"""Where somebody stands: squares, or places with names; how far a move leads, and whose reach it leaves."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec.structs import replace

from combatkit.core.geometry import Square, as_pair, square_line
from combatkit.core.model import Act, Fighter, State, foes_of
from combatkit.core.plain import counted
from combatkit.rules.case import Case, Mechanism, Objection, Stage
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.perform import again
from combatkit.rules.weapons import (
    apart,
    go,
    goes_straight,
    length_of,
    path_of,
    stand,
    stops_of,
    way_clear,
    whither,
    wielded,
)
from combatkit.systems.saga.arms import SAGA_ARMS

REACH = 1
"""How many squares away somebody can be struck hand to hand."""


def within_speed(case: Case) -> Iterable[Objection]:
    """Refuse a path that is longer than the speed, or than the share of it that the action covers.

    The source leaves diagonals open, and what it doesn't call longer is not refused as too long.
    """
    fighter, action = case.fighter, case.action
    if case.noted("path") is not None:  # it was measured as it began
        return
    share, times = action.facts.get("share", 1), action.facts.get("times")
    factor = case.state.options[times] if times else 1
    if not factor:
        return
    speed = case.rules.value(fighter, "speed") or 0
    if "to" not in case.params:
        yield from _too_far(case, speed * factor // share) if "target" in case.params else ()
        return
    stops = stops_of(fighter, case.params)
    length = None if stops is None else length_of(case.rules.board, stops)
    if length is not None and length * share > speed * factor:
        far = f"{max(0, speed * factor) // share}, at speed {speed}"
        yield case.object(f"That is {counted(length, 'square')}; {action.title} takes {fighter.name} only {far}.")


def _too_far(case: Case, squares: int) -> Iterable[Objection]:
    """Refuse a target that nobody who goes so many squares can come within reach of."""
    reach = SAGA_ARMS.reach(case, weapon) if (weapon := wielded(case)) else None
    for target in case.targets:
        apart = case.rules.distance(case.state, case.fighter, case.state.fighters[target])
        if apart is not None and reach is not None and apart.steps > squares + reach:
            far = f"{target} is {counted(apart.steps, 'square')} away"
            yield case.object(f"{far}; {case.action.title} takes {case.fighter.name} only {squares}.")


def opens_by_leaving(state: State) -> bool:
    """Check whether an enemy's reach is left with an opening for them, as this table plays it."""
    return bool(state.options["openings"] == "leaving_reach")


def left_by(state: State, mover: Fighter, here: Square, there: Square) -> list[str]:
    """Return the enemies whose reach a step from one square to another leaves."""
    spots = [(foe.name, as_pair(foe.position)) for foe in foes_of(state, mover.name)]
    return [name for name, at in spots if at is not None and apart(at, here) <= REACH < apart(at, there)]


def leaving(case: Case, act: Act) -> list[str]:
    """Return the enemies whose reach the next square of a move is out of, as far as squares tell."""
    here = as_pair(case.fighter.position)
    if here is None or "movement" not in case.action.tags or not opens_by_leaving(case.state):
        return []
    way = path_of(case.rules.board, case.fighter, case.params, act.result.get("path"))
    return left_by(case.state, case.fighter, here, way[0]) if way else []


def move(draft: Draft, act: Act) -> Act:
    """Put somebody where the action leads, if that was said; on the way, stop before an enemy's reach is left."""
    rules, mover = (draft.actions[act.action].rule,), draft.state.fighters[act.who]
    way = path_of(draft.rules.board, mover, act.params, act.result.get("path"))
    if not way or not opens_by_leaving(draft.state):
        return stand(draft, act, rules)
    stops = (n for n in range(1, len(way)) if left_by(draft.state, mover, way[n - 1], way[n]))
    stop = next(stops, len(way))
    go(draft, act, list(way[stop - 1]), rules)
    act = replace(act, result={**act.result, "path": [list(square) for square in way[stop:]]})
    return again(act) if way[stop:] else act


def straight_at(case: Case) -> Iterable[Objection]:
    """Refuse a charge that goes crooked, unless this table lets it, or ends on a square of those it is made at."""
    if "to" not in case.params:
        return
    here, way = as_pair(case.fighter.position), path_of(case.rules.board, case.fighter, case.params)
    if here is None or not way or case.noted("path") is not None:
        return
    if goes_straight(case) and not {*way} <= {*square_line(here, way[-1])}:
        yield case.object(f"{case.action.title} goes in a straight line from {here} to {way[-1]}.")
    for name in case.targets:
        if case.state.fighters[name].position == way[-1]:
            yield case.object(f"{case.action.title} ends beside {name}, not on their square {way[-1]}.")


_GO = Stage("move", move, (within_speed, way_clear), moves=True)
_CHARGE = _GO._replace(needs=(within_speed, straight_at, way_clear))

MOVES: dict[str, Mechanism] = {
    "move": Mechanism(None, (_GO,), whither),
    "charge": Mechanism(None, (_CHARGE, *MECHANISMS["attack"].stages), whither),
}
"""The mechanisms of actions that lead somewhere."""
