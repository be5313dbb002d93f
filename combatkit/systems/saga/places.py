"""Where somebody stands: squares, or places with names; how far a move leads."""

from __future__ import annotations

from collections.abc import Iterable

from combatkit.core.model import Act
from combatkit.core.plain import counted
from combatkit.rules.case import Case, Mechanism, Objection, Stage
from combatkit.rules.draft import Draft
from combatkit.rules.mechanisms import MECHANISMS
from combatkit.rules.moves import length_of, stand, stops_of, whither
from combatkit.rules.weapons import wielded
from combatkit.systems.saga.arms import SAGA_ARMS


def within_speed(case: Case) -> Iterable[Objection]:
    """Refuse a path that is longer than the speed, or than the share of it that the action covers.

    The source leaves diagonals open, and what it doesn't call longer is not refused as too long.
    """
    fighter, action = case.fighter, case.action
    share, times = action.facts.get("share", 1), action.facts.get("times")
    factor = case.state.options[times] if times else 1
    if not factor:
        return
    speed = case.rules.value(fighter, "speed") or 0
    if "to" not in case.params:
        yield from _too_far(case, speed * factor // share)
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


def move(draft: Draft, act: Act) -> Act:
    """Put somebody where the action leads, if that was said."""
    return stand(draft, act, (draft.actions[act.action].rule,))


_GO = Stage("move", move, (within_speed,), moves=True)

MOVES: dict[str, Mechanism] = {
    "move": Mechanism(None, (_GO,), whither),
    "charge": Mechanism(None, (_GO, *MECHANISMS["attack"].stages), whither),
}
"""The mechanisms of actions that lead somewhere."""
