"""What a map asks: how somebody gets to a place, who may attack them for it, and who stands in an area."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from math import inf
from typing import Any

import msgspec

from combatkit.core.geometry import as_pair
from combatkit.core.model import Asked, Reach, Way, present
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.ground import moves_of, threats, way_by
from combatkit.fight.view import View
from combatkit.report.words import reason_parts, said_length
from combatkit.rules.case import Case
from combatkit.rules.weapons import next_to
from combatkit.text import neutral, say_names
from combatkit.text.phrases import capital
from combatkit.widgets._map_view import known, plain_spot, runs, threatened
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import MapAction, MapArea, MapWay, MapWays

_LISTED = 12
"""So many are named where a place is not known."""

_NO_LIMIT = "How far is up to your table: no rule limits it."


class AskWay(Message, frozen=True, tag="way"):
    """Ask how somebody gets to a place: the cheapest action that leads there, unless one is named.

    Instead of where `to`, a place or somebody's name, it may say over which `stops`, the last one where it ends.
    """

    name: str
    to: Any = None
    stops: list[Any] = msgspec.field(default_factory=list)
    action: str | None = None

    def carry(self, vantage: Vantage) -> Answer:
        """Return the actions that lead somewhere, and the ways of the one chosen."""
        return {"kind": "way", "name": self.name, **ways_answer(vantage, self)}


class AskSpot(Message, frozen=True, tag="spot"):
    """Ask which place is meant by what somebody typed: two numbers, a zone, or where somebody stands, or `beside` them.

    Whoever stands where nobody else may go is gone to as near as that leads. The beginning of a name is enough, or a
    whole word of it.
    """

    name: str
    to: str
    beside: bool = False

    def carry(self, vantage: Vantage) -> Answer:
        """Return the place."""
        return {"kind": "spot", "at": plain_spot(_meant(known(vantage), self))}


def _meant(now: View, asked: AskSpot) -> Any:
    board, state, mover = now.board, now._state, now._fighter(asked.name)
    text = " ".join(asked.to.replace("\N{MINUS SIGN}", "-").split())
    if (pair := board.pair(text)) is not None:
        return pair
    here = {name: state.fighters[name] for name in present(state.fighters)}
    stand = {name: fighter for name, fighter in here.items() if fighter.position is not None}
    names = [*board.zones, *(name for name in stand if name != mover.name)]
    exact = [name for name in names if name.casefold() == text.casefold()]
    found = exact or [name for name in names if text and name.casefold().startswith(text.casefold())]
    found = found or [name for name in names if text.casefold() in name.casefold().split()]
    if len(found) != 1:
        there = say_names((found or names)[:_LISTED])
        if not there:
            raise UnknownName(f"Nobody and no place is called {text} here.")
        raise UnknownName(f"Nobody and no place is called {text} here. There is {there}.")
    if found[0] in board.zones:
        return found[0]
    other, ground = stand[found[0]], now.ground(mover.name)
    begin = as_pair(mover.position)
    if begin is None or (other.position in ground and not asked.beside):
        return other.position
    case = Case(now.ruleset, state, mover, moves_of(now.ruleset, state)[0])
    free = [(ground.lengths.get(spot, inf), length, spot) for length, spot in next_to(case, begin, other)]
    return min(free)[-1] if free else other.position


class AskArea(Message, frozen=True, tag="area"):
    """Ask who stands in a circle, a cone or a line that begins at a place, or with somebody."""

    shape: str
    at: Any
    towards: Any = None
    size: float | None = None

    def carry(self, vantage: Vantage) -> Answer:
        """Return what it covers, and who can be seen there."""
        return {"kind": "area", **area_answer(vantage, self)}


def area_answer(vantage: Vantage, asked: AskArea) -> MapArea:
    """Return an area, as in ``docs/wire.md``."""
    area = known(vantage).area(asked.at, kind=asked.shape, size=asked.size, towards=asked.towards)
    far = said_length(area.size, area.unit)
    says = {"circle": f"Circle of {far}", "cone": f"Cone of {far}", "line": f"Line of {far}"}[area.kind]
    if vantage.now.board.kind == "zones":
        return {"says": says, "zones": sorted(area.places), "names": [*area.names]}
    return {"says": says, "cells": runs(area.places), "names": [*area.names]}


class AskFar(Message, frozen=True, tag="far"):
    """Ask how far one square or hex is from another."""

    start: Any
    end: Any

    def carry(self, vantage: Vantage) -> Answer:
        """Return it in the rulebook's measure."""
        far = vantage.now.distance(self.start, self.end)
        says = "" if far is None or far.length is None else said_length(far.length, far.unit)
        return {"kind": "far", "says": says}


class AskThreats(Message, frozen=True, tag="threats"):
    """Ask for all places that are threatened, whoever would leave them."""

    def carry(self, vantage: Vantage) -> Answer:
        """Return them by side."""
        now = known(vantage)
        found = threats(now.ruleset, now._state) if now._state.stage == "running" else ()
        return {"kind": "threats", "threat": threatened(found, vantage.sides)}


def ways_answer(vantage: Vantage, asked: AskWay) -> MapWays:
    """Return the actions and the ways, as in ``docs/wire.md``."""
    now = known(vantage)
    rules, state = now.ruleset, now._state
    who = now._fighter(asked.name).name
    if asked.to is None and not asked.stops:
        raise InvalidInput("say where to")
    spots: list[Any] = [now._spot(each) for each in asked.stops or [asked.to]]
    goal, given = spots[-1], spots[0] if len(spots) == 1 else spots
    ground = now.ground(who)
    led: dict[str, Reach] = {}
    for reach in ground.by(goal):
        led.setdefault(reach.action, reach)
    actions: list[MapAction] = []
    open_to: list[str] = []
    refused: dict[str, Any] = {}
    for action in moves_of(rules, state):
        ruling = now.can(who, action.id, to=given)
        shown: MapAction = {"id": action.id, "title": action.title, "cost": ruling.cost}
        around = led.get(action.id) if len(spots) == 1 and goal != ground.at else None
        if ruling.allowed:
            open_to.append(action.id)
        elif around is not None and around.limit is not None:  # the straight way alone is closed
            open_to.append(action.id)
            shown["cost"] = around.cost
        else:
            shown["no"] = refused[action.id] = reason_parts(ruling.reason, ruling.rule)
        actions.append(shown)
    actions.sort(key=lambda shown: "no" in shown)
    chosen = asked.action or next((each for each in [*led, *open_to] if each in open_to), None)
    answer: MapWays = {"action": chosen, "actions": actions, "ways": [], "why": []}
    if chosen in open_to:
        found: Sequence[Way | None] = now.ways(who, goal, action=chosen) if len(spots) == 1 else []
        if not found:
            found = [way_by(rules, state, who, chosen or "", spots, len(now._events) + 1)]
        limit = led[chosen].limit if chosen in led else None
        threatened = bool(ground.threats)
        # All cost the same: the first is the one that is taken unless another is chosen.
        for way in sorted(filter(None, found), key=lambda way: len({each.who for each in way.asked} - {"GM"})):
            answer["ways"].append(_way(now, who, way, limit, threatened))
        if answer["ways"] and limit is None:
            answer["why"] = [_NO_LIMIT]
    if not answer["ways"]:
        why = refused.get(chosen or "") or next(iter(refused.values()), None)
        answer["why"] = why or [neutral(ground.why)]
    return answer


def _way(now: View, who: str, way: Way, limit: float | None, threatened: bool) -> MapWay:
    here, board = now._state.fighters[who].position, now.board
    spots = [here, *way.path]
    asked = [each for each in way.asked if each.who != "GM"]
    title = now.ruleset.catalogue(now._state)[way.action].title
    return {
        "to": _plain(way.to),
        "path": [plain_spot(spot) for spot in way.path],
        "title": f"Around by {_said(spots[len(spots) // 2])}" if isinstance(way.to, list) else "Straight",
        "says": _how_far(title, way.length, limit, board.unit) if board.cell else title,
        "small": _how_many(now, asked, threatened),
        "text": " ".join(_who(now, asked)),
        "asks": [[each.who, _step(spots, each)] for each in asked],
    }


def _plain(to: Any) -> Any:
    return [plain_spot(each) for each in to] if isinstance(to, list) else plain_spot(to)


def _step(spots: Sequence[Any], asked: Asked) -> int:
    """Return after how many steps of a way somebody is asked: where it leads off, if they are not asked on it."""
    return spots.index(asked.at) if asked.at in spots else 0


def _said(spot: Any) -> str:
    return str(spot).replace("-", "\N{MINUS SIGN}")


def _how_far(title: str, length: float, limit: float | None, unit: str) -> str:
    """Say how long a way is, of how much: "Half move, 3 of 3 hexes"."""
    digits, most = f"{length:.0f}", said_length(length if limit is None else limit, unit)
    return f"{title}, {most}" if limit is None else f"{title}, {digits} of {most}"


def _how_many(now: View, asked: Iterable[Asked], threatened: bool) -> str:
    """Say how many may attack; nothing where no rule reads that."""
    strikes, others = _sorted(now, asked)
    if strikes:
        return f"{len(strikes)} may attack"
    if others:
        return f"{len(others)} may react"
    return "nobody may attack" if threatened else ""


def _who(now: View, asked: Iterable[Asked]) -> list[str]:
    strikes, others = _sorted(now, asked)
    said = [f"{capital(say_names(strikes))} may attack."] if strikes else []
    return [*said, f"{capital(say_names(others))} may react."] if others else said


def _sorted(now: View, asked: Iterable[Asked]) -> tuple[list[str], list[str]]:
    """Return who may attack, and who else may react."""
    catalogue = now.ruleset.catalogue(now._state)
    strikes, others = dict[str, None](), dict[str, None]()
    for each in asked:
        attacks = any("attack" in found.tags for id in each.actions if (found := catalogue.get(id)) is not None)
        (strikes if attacks else others)[each.who] = None
    return [*strikes], [name for name in others if name not in strikes]
