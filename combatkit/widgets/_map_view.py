"""The map as plain data: what there is to stand on, who stands where, and how far whoever is looked at gets."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from functools import lru_cache
from itertools import count
from typing import Any, Literal

from msgspec.structs import replace

from combatkit.core.curtain import shows_numbers
from combatkit.core.geometry import Board
from combatkit.core.model import Act, Fighter, Ground, Look, Range, State, Threat, open_bids
from combatkit.core.timeline import standing
from combatkit.errors import InvalidInput
from combatkit.fight.view import View
from combatkit.report.words import said_length, sides_view
from combatkit.rules.ladder import status_of
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.typed import said_left, said_stat
from combatkit.rules.vitals import DOWN
from combatkit.study.exercises.played import PlayedEncounter
from combatkit.text import neutral
from combatkit.text.phrases import capital
from combatkit.widgets._budget_view import sheet_words
from combatkit.widgets._message import Message
from combatkit.widgets._tokens import token
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import (
    MapGhost,
    MapHalt,
    MapPicture,
    MapRange,
    MapReach,
    MapThreat,
    MapToken,
    MapView,
    MapZone,
)

_KINDS: dict[str, Literal["squares", "centres", "hexes", "zones"]] = {
    "squares": "squares",
    "centres": "centres",
    "hexes": "hexes",
    "zones": "zones",
}
"""What a map is drawn of."""

_NOTHING: MapView = {
    "board": "",
    "unit": "",
    "caption": "",
    "sides": [],
    "tokens": {},
    "current": None,
    "whose": None,
    "reach": [],
    "threat": [],
    "ranges": [],
    "apart": {},
    "zones": [],
    "goes": False,
    "players": False,
    "past": False,
}

_FAR = 24
"""A range of more steps than this has no contour: it would lie beyond what is seen."""


def known(vantage: Vantage) -> View:
    """Return the moment of which the ground may be asked: for players without what is readied, or it would tell."""
    now = vantage.now
    if not vantage.players or not now._state.watchers:
        return now
    return View(now.id, now.ruleset, replace(now._state, watchers=()), now._events)


class LayMap(Message, frozen=True, tag="map"):
    """Lay out the map of a fight in which nobody has a place yet, with those who are not on it."""

    def carry(self, vantage: Vantage) -> None:
        """Show it."""
        if not is_drawn(vantage.now.board):
            raise InvalidInput("There is no map: this fight has no zones. They are named as it is made.")
        vantage.lays = True
        vantage.refresh()


class MapProjector:
    """Makes the map's view, and asks for the ground again only once something has changed.

    If it is `alone`, there is a map though nobody stands on it. From a `second` screen no file can be laid below it.
    A `saved` one is of moments that are past, and asks nothing.
    """

    def __init__(self, *, alone: bool = False, second: bool = False, saved: bool = False) -> None:
        self._alone = alone
        self._second = second
        self._saved = saved
        self._known: tuple[State, str | None, Ground | None] | None = None

    def __call__(self, vantage: Vantage) -> MapView:
        """Return the view of the moment a vantage looks at; nothing where nobody has a place."""
        now = vantage.now
        board, state = now.board, now._state
        if not (is_drawn(board) if self._alone or vantage.lays else is_laid(vantage)):
            return _NOTHING
        here = _present(state)
        sides, ground = vantage.sides, self._ground(vantage)
        origin = _origin(vantage)
        numbers = {name: str(number) for number, name in enumerate(state.fighters, 1)}
        status = _statuses(now.ruleset, state)
        view: MapView = {
            "board": _KINDS[board.kind],
            "unit": board.unit,
            "caption": _caption(board, origin),
            "sides": sides_view(sides),
            "tokens": {numbers[each.name]: _token(vantage, each, sides, status) for each in here},
            "current": numbers.get(now.active or ""),
            "whose": None if ground is None else numbers[ground.name],
            "reach": [] if ground is None else _reaches(board, ground),
            "threat": [] if ground is None else threatened(ground.threats, sides),
            "ranges": [] if ground is None else _ranges(board, ground.ranges),
            "apart": {} if ground is None else _aparts(board, ground, numbers),
            "zones": _zones(vantage, origin) if board.kind == "zones" else [],
            "goes": ground is not None and vantage.acts_for(ground.name),
            "players": vantage.looks_on,
            "past": self._saved or vantage.past is not None,
        }
        if self._saved:
            view["saved"] = True
        if state.stage == "setup" and not vantage.players:
            view["setup"] = True
        if ground is not None and vantage.selected == ground.name:
            view["about"] = _about(vantage, ground)
        if isinstance(vantage.encounter, PlayedEncounter) and vantage.encounter.marked:
            view["marked"] = [list(each) for each in vantage.encounter.marked]
        if look := look_of(vantage):
            view["picture"] = _picture(vantage, look)
        if board.cell and vantage.task is None and not vantage.looks_on and ("picture" in view or not self._second):
            view["lays"] = True
            if self._second:
                view["second"] = True
        if halt := _halt(vantage, numbers):
            view["halt"] = halt
        if view["past"] and (ghosts := _ghosts(vantage, numbers)):
            view["ghosts"] = ghosts
        return view

    def _ground(self, vantage: Vantage) -> Ground | None:
        """Return the ground of whoever is looked at; none before the fight, in the past, or where it isn't told."""
        now, name = known(vantage), vantage.selected or _mover(vantage.now._state) or vantage.whose
        if (
            self._saved
            or vantage.past is not None
            or now._state.stage != "running"
            or name is None
            or name not in now._state.fighters
        ):
            return None
        fighter = now._state.fighters[name]
        if vantage.hides(fighter) or fighter.position is None or fighter.effect("left") is not None:
            return None
        if self._known is None or self._known[0] is not vantage.now._state or self._known[1] != name:
            self._known = (vantage.now._state, name, now.ground(name))
        return self._known[2]


def is_laid(vantage: Vantage) -> bool:
    """Check whether there is something to stand on, and somebody who does or a picture below it."""
    now = vantage.now
    if look_of(vantage) is None and all(fighter.position is None for fighter in _present(now._state)):
        return False
    return is_drawn(now.board)


def look_of(vantage: Vantage) -> Look | None:
    """Return the picture below the map at the moment that is looked at; players see it if the GM shows it now."""
    look = vantage.encounter._look(vantage.seq)
    return None if look is None or (vantage.players and not look.shown) else look


def _picture(vantage: Vantage, look: Look) -> MapPicture:
    shown: MapPicture = {"id": look.sha[:16], "size": [*look.size], "square": look.square, "at": [*look.at]}
    return shown if vantage.players else shown | {"name": neutral(look.name), "shown": look.shown}


def _present(state: State) -> list[Fighter]:
    return [fighter for fighter in state.fighters.values() if fighter.effect("left") is None]


def is_drawn(board: Board) -> bool:
    """Check whether there is something to stand on."""
    return bool(board.zones) if board.kind == "zones" else board.kind in _KINDS


def _origin(vantage: Vantage) -> str | None:
    """Return from whom zones are counted: at a seat from its own, as squares are; elsewhere from whoever acts."""
    now = vantage.now
    return vantage.whose if vantage.plays and now._state.stage == "running" else now.active


def _caption(board: Board, active: str | None) -> str:
    """Say what the map is made of, and from whom it is measured."""
    if board.kind == "zones":
        return f"zones from {active}" if active else "zones"
    if board.unit == board.kind:
        return board.unit
    return f"squares of {board.length} {board.unit}"


def _statuses(rules: Ruleset, state: State) -> dict[str, str]:
    """Return how everybody stands: as on the first of their rungs; who is down is out."""
    found: dict[str, str] = {}
    for index, place in enumerate(state.agenda):
        if place.who not in found:
            found[place.who] = status_of(rules, state, index)
    return found


def _token(vantage: Vantage, fighter: Fighter, sides: dict[str, int], status: Mapping[str, str]) -> MapToken:
    state, vitals = vantage.now._state, vantage.now.ruleset.vitals
    how = "out" if fighter.effect(DOWN) is not None else status.get(fighter.name, "waits")
    idle = how == "out" and not vantage.now.ruleset.is_beaten(fighter)
    face = token(fighter, sides)
    shown: MapToken = {
        "name": fighter.name,
        "side": sides[fighter.side],
        "initials": face["initials"],
        "status": "waits" if idle else how,
    }
    if "portrait" in face:
        shown["portrait"] = face["portrait"]
    if veil := vantage.veil(fighter):
        shown["veil"] = veil
    if fighter.position is not None:
        shown["at"] = plain_spot(fighter.position)
    if vitals and (not vantage.hides(fighter) or shows_numbers(state, fighter)):
        left, full = fighter.vitals.get(vitals[0].name), fighter.stats.get(vitals[0].name)
        if left is not None and type(full) is int:
            shown["vital"] = [left, full]
    return shown


def _about(vantage: Vantage, ground: Ground) -> str:
    """Say of somebody who is looked at what they have left, what hits them, and how far whoever acts is."""
    now = vantage.now
    rules, fighter = now.ruleset, now._state.fighters[ground.name]
    told: list[str] = []
    for vital in rules.vitals:
        left, full = fighter.vitals.get(vital.name), fighter.stats.get(vital.name)
        if left is not None:
            told.append(said_stat(rules.stats[vital.name], said_left(left, full)))
    told += sheet_words(vantage, rules, fighter)
    far = ground.apart.get(now.active or "")
    if far is not None and far.length is not None:
        told.append(f"{said_length(far.length, now.board.unit)} from {now.active}")
    return " · ".join(told)


def plain_spot(spot: Any) -> Any:
    """Return a place as it is sent: a list of two numbers, or a name."""
    return list(spot) if isinstance(spot, tuple) else spot


# ── regions ──


def runs(cells: Iterable[Any]) -> list[list[int]]:
    """Return squares or hexes as runs: row, from, to, both included.

    Examples
    --------
    >>> runs([(0, 1), (1, 1), (3, 1), (0, 0)])
    [[0, 0, 0], [1, 0, 1], [1, 3, 3]]
    """
    found: list[list[int]] = []
    for row, column in sorted((y, x) for x, y in cells):
        if found and found[-1][0] == row and found[-1][2] == column - 1:
            found[-1][2] = column
        else:
            found.append([row, column, column])
    return found


def _reaches(board: Board, ground: Ground) -> list[MapReach]:
    """Return where each action leads to which nothing cheaper does."""
    found: list[MapReach] = []
    for reach in ground.reach:
        if reach.places:
            each: MapReach = {"action": reach.action, "title": reach.title, "cost": reach.cost, "far": ""}
            if board.kind == "zones":
                each["zones"] = sorted(reach.places)
            else:
                each |= {"far": _far(board, reach.limit or 0), "cells": runs(reach.places)}
            found.append(each)
    return found


def _far(board: Board, length: float) -> str:
    """Say how far something leads: where the unit is a square or hex, it goes without saying."""
    return f"{length:.0f}" if board.unit == board.kind else said_length(length, board.unit)


def threatened(threats: Collection[Threat], sides: Mapping[str, int]) -> list[MapThreat]:
    """Return threatened places side by side."""
    by: dict[str, set[Any]] = {}
    for threat in threats:
        by.setdefault(threat.side, set()).update(threat.places)
    return [{"side": sides[side], "cells": runs(cells)} for side, cells in by.items()]


def _ranges(board: Board, ranges: Iterable[Range]) -> list[MapRange]:
    """Return how far weapons reach: the cells as runs around whoever stands there, so that they go along."""
    found: list[MapRange] = []
    for each in ranges:
        if each.steps is None or each.length is None or board.kind == "zones":
            continue
        shown: MapRange = {"weapon": each.weapon, "far": _far(board, each.length)}
        if each.steps <= _FAR:
            shown["cells"] = _disc(board, each.steps)
        found.append(shown)
    return found


def _aparts(board: Board, ground: Ground, numbers: Mapping[str, str]) -> dict[str, str]:
    """Return how far everybody else is; in zones the band says that."""
    if board.kind == "zones":
        return {}
    return {numbers[name]: _far(board, far.length) for name, far in ground.apart.items() if far.length is not None}


@lru_cache(maxsize=256)
def _spots(kind: str, steps: int) -> frozenset[Any]:
    return Board(kind).within(None, (0, 0), steps)


def _disc(board: Board, steps: int) -> list[list[int]]:
    return runs(_spots(board.kind, steps))


# ── on the way ──


def _move_in(state: State) -> Act | None:
    """Return the move that waits for an answer, if one does."""
    if state.window is None:
        return None
    return next((each for each in reversed(state.focus) if isinstance(each, Act) and "to" in each.params), None)


def _mover(state: State) -> str | None:
    act = _move_in(state)
    return None if act is None else act.who


def _halt(vantage: Vantage, numbers: Mapping[str, str]) -> MapHalt | None:
    """Return the move that play has stopped in; of somebody the GM plays, players are not told where it leads."""
    now = vantage.now
    state, window = now._state, now._state.window
    act = _move_in(state)
    if window is None or act is None or act.who not in numbers or state.fighters[act.who].position is None:
        return None
    since = [event for event in now._events[act.seq :] if event.kind == "move" and event.actor == act.who]
    steps = [event for event in since if event.by != "gm"]
    gone = [*(event._data["from"] for event in steps[:1]), *(event._data["to"] for event in steps)]
    given = act.params["to"]
    whole = given if isinstance(given, list) and given and isinstance(given[0], list) else [given]
    left = act.result.get("path", whole if not steps else [])
    passed = vantage.passed
    return {
        "who": numbers[act.who],
        "gone": [plain_spot(spot) for spot in gone],
        "left": [] if vantage.hides(state.fighters[act.who]) else [plain_spot(spot) for spot in left],
        "asks": [numbers[name] for name in open_bids(window.bids) if name in numbers and name not in passed],
    }


def _ghosts(vantage: Vantage, numbers: Mapping[str, str]) -> list[MapGhost]:
    """Return where everybody goes next in the round that is looked at; that is for the GM to know."""
    if vantage.players or vantage.seq is None:
        return []
    end = vantage.log_lines.index.round_from(vantage.seq, 1)
    found: dict[str, MapGhost] = {}
    for event in standing(vantage.encounter._events):
        who, at = event.actor or "", event._data.get("to")
        if who in numbers and who not in found and event.kind == "move" and at and vantage.seq < event.seq <= end:
            found[who] = {"who": numbers[who], "at": plain_spot(at), "seq": event.seq}
    return [*found.values()]


# ── zones ──


def _zones(vantage: Vantage, origin: str | None) -> list[MapZone]:
    """Return the zones, where each is drawn, which touch, and how far each is from somebody."""
    now = vantage.now
    board, state = now.board, now._state
    here = state.fighters[origin].position if origin else None
    spots = laid(tuple(board.zones.items()), tuple(vantage.encounter._drawn.items()))
    names = list(board.zones)
    notes = {
        zone["title"]: zone["note"]
        for strip in now.ruleset.presentation.now(state).strips
        if strip["type"] == "zones"
        for zone in strip["zones"]
    }
    found: list[MapZone] = []
    for name, beside in board.zones.items():
        zone: MapZone = {"name": name, "at": [*spots[name]], "beside": [names.index(other) for other in beside]}
        apart = None if here is None else board.distance(state.map, here, name)
        if apart is not None and apart.band is not None:
            zone["word"] = capital(apart.band)
            zone["note"] = notes.get(zone["word"], "")
        found.append(zone)
    return found


@lru_cache(maxsize=64)
def laid(
    zones: tuple[tuple[str, tuple[str, ...]], ...], drawn: tuple[tuple[str, tuple[int, int]], ...] = ()
) -> dict[str, tuple[int, int]]:
    """Return a column and a row for each zone: those `drawn` by hand, and beside them what they touch.

    Examples
    --------
    >>> laid((("quay", ("crane",)), ("crane", ("quay", "roof")), ("roof", ("crane",))))
    {'quay': (0, 0), 'crane': (1, 0), 'roof': (2, 0)}
    """
    touching, placed = dict(zones), dict(drawn)
    for first in [*(other for name in placed for other in touching[name]), *touching]:
        line = [first] if first not in placed else []
        for name in line:  # which grows on the way
            if name not in placed:
                placed[name] = _room(placed, [placed[other] for other in touching[name] if other in placed])
                line += [other for other in touching[name] if other not in placed]
    west = min([x for x, _ in placed.values()], default=0)
    north = min([y for _, y in placed.values()], default=0)
    return {name: (placed[name][0] - west, placed[name][1] - north) for name in touching}


def _room(placed: Mapping[str, tuple[int, int]], near: list[tuple[int, int]]) -> tuple[int, int]:
    """Return the free spot nearest to those it should touch, in a map that stays about as wide as it is high."""
    taken = set(placed.values())
    if not near:
        return (min([x for x, _ in taken], default=0), max([y for _, y in taken], default=-1) + 1)
    for far in count(1):
        span = range(-far, far + 1)
        free = [(x + dx, y + dy) for x, y in near for dx in span for dy in span if (x + dx, y + dy) not in taken]
        if free:
            return min(free, key=lambda spot: (_off(spot, near), _spread(taken, spot), -spot[0], -spot[1]))
    raise AssertionError


def _off(spot: tuple[int, int], near: Iterable[tuple[int, int]]) -> int:
    return sum([_apart(spot, each) for each in near])


def _apart(a: tuple[int, int], b: tuple[int, int]) -> int:
    return (a[0] - b[0]) ** 2 + (a[1] - b[1]) ** 2


def _spread(taken: Collection[tuple[int, int]], spot: tuple[int, int]) -> int:
    """Return how long the longer side of the map would be."""
    columns, rows = [x for x, _ in (*taken, spot)], [y for _, y in (*taken, spot)]
    return max(max(columns) - min(columns), 2 * (max(rows) - min(rows)))
