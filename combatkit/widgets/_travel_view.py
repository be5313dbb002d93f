"""Travel in time as plain data: which moment is looked at, what leads there, which branches there are."""

from __future__ import annotations

from combatkit.fight.fight import Encounter
from combatkit.report.shapes import Travel
from combatkit.widgets._vantage import Vantage


def travel_view(vantage: Vantage) -> Travel:
    """Return what a log's scrubber shows; in the players' view, and before the fight begins, there is none."""
    encounter = vantage.encounter
    if vantage.players or encounter._state.stage == "setup":
        return {"events": 0, "at": None}
    seq, family = vantage.seq, list(vantage.family)
    view: Travel = {
        "events": len(encounter._events),
        "at": seq,
        "label": vantage.now.clock.label,
        "way": None if seq is None else _way(vantage, seq),
        # A branch keeps the whole call; what is done in one is no part of an exercise.
        "fork": None if seq is None or vantage.task is not None else encounter._timeline.now.end_of(seq),
        "branch": encounter.id,
        "given": vantage.elsewhere,
        "branches": family,
        "titles": [_title(vantage, each) for each in vantage.family.values()],
    }
    if seq is not None and (call := encounter._timeline.now.call_at(seq)).last != seq:
        view["call"] = call.title
    given = vantage._given
    if vantage.elsewhere is not None and (_root(vantage, given).title or not given._is_unnamed):
        view["called"] = _title(vantage, given)
    return view


def _title(vantage: Vantage, fight: Encounter) -> str:
    """Return what a fight is called; a branch goes by the title of the fight that it has left."""
    return fight._named(_root(vantage, fight).title)


def _root(vantage: Vantage, fight: Encounter) -> Encounter:
    """Return the fight that a branch has left, where it is known; any other is its own."""
    if fight.parent is None:
        return fight
    return next((each for each in vantage.family.values() if each.parent is None), fight)


def _way(vantage: Vantage, seq: int) -> list[str | int] | None:
    """Say how to take the present to the moment of an event: by undo or redo, and to which event."""
    line = vantage.encounter._timeline
    call, present = line.now.call_at(seq), line.present
    if present is None:
        return None
    to = call.last  # it keeps the whole call
    if vantage.task is not None and to < vantage.task.began:
        return None
    if vantage.log_lines.index.holds(to):
        return ["undo", to] if to < present.first else None
    return ["redo", to] if any(ahead.first == call.first for ahead in line.now.undone()) else None
