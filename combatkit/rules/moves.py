"""Going somewhere else: the way that was given, and standing where it leads."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec import to_builtins

from combatkit.core.model import Act
from combatkit.core.plain import short
from combatkit.rules.case import Case, Objection
from combatkit.rules.draft import Draft
from combatkit.text import say


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


def stand(draft: Draft, act: Act, rules: tuple[str, ...]) -> Act:
    """Stand where an action leads, by these rules, if that was said."""
    way, spot = way_of(act.params), draft.state.fighters[act.who].position
    here = list(spot) if isinstance(spot, tuple) else spot  # an event holds lists, not tuples
    if way and way[-1] != here:
        data = {"from": here, "to": way[-1]}
        text = say("move.goes", origin=said_spot(here), to=said_spot(way[-1]))
        draft.emit("move", act.who, act.action, text=text, rules=rules, data=data)
    return act


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
