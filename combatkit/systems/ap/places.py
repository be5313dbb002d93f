"""Where somebody stands: squares of a metre, or places with names."""

from __future__ import annotations

from combatkit.engine.draft import Draft
from combatkit.engine.model import Act, Distance, Fighter
from combatkit.engine.moves import stand, way_of


def distance_between(a: Fighter, b: Fighter) -> Distance | None:
    """Count squares of one metre; a diagonal step counts as one, which the source leaves open."""
    if type(a.position) is not tuple or type(b.position) is not tuple:
        return None
    return Distance(max(abs(a.position[0] - b.position[0]), abs(a.position[1] - b.position[1])))


def move(draft: Draft, act: Act) -> Act:
    """Stand where the action leads, if that was said; how far that may be, the source does not tell."""
    goal = way_of(act.params)[-1:]
    return stand(draft, act, ("ap.map.metre",) if goal and not isinstance(goal[0], str) else ())
