"""Going somewhere else: the way that was given, and standing where it leads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from msgspec import to_builtins

from combatkit.core.geometry import Board, Square, as_pair, hex_distance, hex_line, square_line
from combatkit.core.limits import PATH
from combatkit.core.model import Act, Lookup
from combatkit.core.plain import short
from combatkit.rules.case import Case, Objection
from combatkit.rules.draft import Draft
from combatkit.text import say

if TYPE_CHECKING:
    from combatkit.core.model import Fighter, State
    from combatkit.rules.ruleset import Ruleset

THROUGH_FOES = "through_foes"
"""The option that says whether an enemy's square or hex is entered, in systems whose texts don't."""


def way_of(params: Mapping[str, Any]) -> list[object]:
    """Return where an action leads, place by place; empty if nothing was given."""
    to = params.get("to")
    if to is None:
        return []
    return [to] if isinstance(to, str) or isinstance(to[0], int) else list(to)


def whither(case: Case) -> tuple[str, ...]:
    """Return where a move goes, if that must still be named: for somebody on a square or hex, unless they may stay."""
    measured = type(case.fighter.position) is tuple and not case.action.facts.get("may_stay")
    return ("to",) if measured and "to" not in case.params else ()


def off_board(case: Case) -> Iterable[Objection]:
    """Refuse a place that is only a name to somebody on a square or hex: nobody could tell how far that is."""
    spot, board = case.fighter.position, case.rules.board
    named = [place for place in way_of(case.params) if isinstance(place, str)] if type(spot) is tuple else []
    if named and board.unit:
        here = f"{case.fighter.name} stands on the {board.unit} {spot}"
        yield case.object(f"{here}; name a {board.unit} to go to, not {short(named[0])}.")


def way_clear(case: Case) -> Iterable[Objection]:
    """Refuse a way through an enemy, or into an enemy's square or hex, as the system reads that."""
    board, cite = case.rules.board, case.rules.cite
    way = path_of(board, case.fighter, case.params, case.noted("path"))
    if not way:
        return
    passing, ending = case.rules.closed(case)
    around = "" if len(way_of(case.params)) > 1 or goes_straight(case) else "; give a path that goes around"
    for spot in dict.fromkeys(way[:-1]):
        if spot in passing:
            reason = f"{passing[spot]} stands in the way at {spot}: only allies pass through{around}."
            yield case.object(reason, cite.get("through", ""))
    if way[-1] in ending:
        reason = f"{ending[way[-1]]} stands at {way[-1]}: only allies share a {board.unit}."
        yield case.object(reason, cite.get("share", ""))


def goes_straight(case: Case) -> bool:
    """Check whether an action goes in a straight line, as the option says that the list of actions names for it."""
    option = case.action.facts.get("straight")
    return option is not None and case.state.options[option] == "straight"


def foes_on(rules: Ruleset, state: State, who: str) -> dict[Square, Fighter]:
    """Return the enemies on their feet, by the square or hex each stands on."""
    side = state.fighters[who].side
    return {
        spot: foe
        for spot, there in _standing(state.fighters)
        for foe in there
        if foe.side != side and not rules.is_felled(foe)
    }


@Lookup
def _standing(fighters: dict[str, Fighter]) -> list[tuple[Square, list[Fighter]]]:
    found: dict[Square, list[Fighter]] = {}
    for fighter in fighters.values():
        spot = as_pair(fighter.position) if fighter.position is not None else None
        if spot is not None and not (fighter.effects and fighter.effect("left")):
            found.setdefault(spot, []).append(fighter)
    return list(found.items())


def stand(draft: Draft, act: Act, rules: tuple[str, ...]) -> Act:
    """Stand where an action leads, by these rules, if that was said."""
    way = way_of(act.params)
    if way:
        go(draft, act, way[-1], rules)
    return act


def go(draft: Draft, act: Act, to: object, rules: tuple[str, ...]) -> None:
    """Go to a place, by these rules; whoever stands there stays."""
    spot = draft.state.fighters[act.who].position
    here = list(spot) if isinstance(spot, tuple) else spot  # an event holds lists, not tuples
    if to != here:
        text = say("move.goes", origin=said_spot(here), to=said_spot(to))
        draft.emit("move", act.who, act.action, text=text, rules=rules, data={"from": here, "to": to})


def set_down(draft: Draft, name: str, at: object) -> None:
    """Set somebody down at a place, by the GM's word."""
    spot = spot_of(draft, at)
    data = {"from": to_builtins(draft.state.fighters[name].position), "to": to_builtins(spot)}
    draft.emit("move", name, text=say("move.stands", to=str(spot)), by="gm", data=data)


def spot_of(draft: Draft, at: object) -> object:
    """Check a place that was given by hand, and return it in plain form."""
    return draft.rules.board.check_position(draft.state.map, at)


def said_spot(spot: Any) -> str:
    """Return a place as the log has it: a zone's name, or coordinates in parentheses; nothing for nowhere."""
    return "" if spot is None else spot if isinstance(spot, str) else f"({spot[0]}, {spot[1]})"


def stops_of(fighter: Fighter, params: Mapping[str, Any]) -> tuple[Square, ...] | None:
    """Return the square or hex a move leaves and those named for it; None if that isn't known."""
    way = way_of(params)
    if not way:
        return None
    stops = [as_pair(spot) for spot in (fighter.position, *way)]
    found = tuple([spot for spot in stops if spot is not None])
    return found if len(found) == len(stops) else None


def length_of(board: Board, stops: tuple[Square, ...]) -> int:
    """Count the steps of a path by arithmetic, since a named path may be too long to walk."""
    between = hex_distance if board.kind == "hexes" else apart
    return sum([between(a, b) for a, b in pairwise(stops)])


def apart(a: Square, b: Square) -> int:
    """Count the steps between two squares, a diagonal as one."""
    return max(abs(a[0] - b[0]), abs(a[1] - b[1]))


def path_of(board: Board, fighter: Fighter, params: Mapping[str, Any], left: Any = None) -> tuple[Square, ...]:
    """Return the squares or hexes ahead of a move: what it noted as `left`, or else the whole way that it names.

    Places that don't touch are joined by the straightest path; there are none if that isn't known, or too many.
    """
    if left is not None:
        return tuple((x, y) for x, y in left)
    stops = stops_of(fighter, params)
    if stops is None or length_of(board, stops) > PATH:
        return ()
    line = hex_line if board.kind == "hexes" else square_line
    return tuple(spot for here, there in pairwise(stops) for spot in line(here, there))
