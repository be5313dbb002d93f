"""The ground: where somebody can go, what it costs, who may attack them for it, and what an action would come to.

Everything is the rules' own answer. A place is not judged one by one: of each action only the nearest and the farthest
places are, since the rules say how far it leads and what lies closed on the way.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from heapq import heappop, heappush
from itertools import pairwise
from typing import Any, NamedTuple

from msgspec.structs import replace

from combatkit.core.curtain import curtained
from combatkit.core.faces import NO_FACES, Rolled
from combatkit.core.geometry import (
    Board,
    as_pair,
    hex_line,
    hex_neighbours,
    square_distance,
    square_line,
    square_neighbours,
    zones_of,
)
from combatkit.core.guises import Guises
from combatkit.core.limits import PATH
from combatkit.core.model import (
    Area,
    Asked,
    Event,
    Fighter,
    Foresight,
    Ground,
    Range,
    Reach,
    Ruling,
    State,
    Threat,
    Way,
    Window,
    foes_of,
    open_bids,
    present,
)
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case
from combatkit.rules.catalogue import Action
from combatkit.rules.draft import Draft
from combatkit.rules.judge import is_answer, judge, ruling_of, spends, with_target
from combatkit.rules.params import as_names, check_params, find_action
from combatkit.rules.perform import close_window, let_pass, perform
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.windows import choices_left

FAR = 60
"""So many steps away places are listed one by one, however far a move leads."""

TRIED = 5_000
"""So many steps are tried for a way around; where that isn't enough, there are too many to get around."""

GM, PLAYERS = "gm", "players"

AREAS = ("circle", "cone", "line")

Spot = Any
"""A square, a hex, or a zone's name."""


def as_seen(view: str, state: State, events: Sequence[Event]) -> State:
    """Return a moment as it is known: to the GM as it is; to players without whoever is hidden and what is readied."""
    if view == GM:
        return state
    if view != PLAYERS:
        raise InvalidInput(f"view is {view!r}; it is 'gm' or 'players'")
    guises = Guises()
    guises.read(events)
    return replace(curtained(state, guises=guises.at(len(events))), watchers=())


# ── steps and ways ──


class _Field(NamedTuple):
    """What somebody goes over: where from, and what is closed to them for passing and for ending."""

    board: Board
    map: Any
    start: Spot
    passing: Collection[Spot]
    ending: Collection[Spot]

    def around(self, spot: Spot) -> Iterable[Spot]:
        """Return the places one step away."""
        if self.board.kind == "zones":
            zones = zones_of(self.map)
            return zones.beside(spot) if zones is not None else ()
        return hex_neighbours(spot) if self.board.kind == "hexes" else square_neighbours(spot)

    def length(self, here: Spot, there: Spot) -> float:
        """Return how long a step, or a straight way, is in the board's unit."""
        if self.board.kind == "centres":
            return self.board.length * square_distance(here, there)
        apart = self.board.distance(self.map, here, there)
        return 0 if apart is None or apart.length is None else apart.length

    def line(self, here: Spot, there: Spot) -> tuple[Spot, ...]:
        """Return the straight way, the first place left out; of one too long for any path only where it ends."""
        if self.board.kind == "zones" or max(abs(here[0] - there[0]), abs(here[1] - there[1])) > PATH:
            return (there,)
        return hex_line(here, there) if self.board.kind == "hexes" else square_line(here, there)

    def is_open(self, way: Sequence[Spot]) -> bool:
        """Check whether nothing on a way is closed, apart from where it ends."""
        return not self.passing or not any(spot in self.passing for spot in way[:-1])

    def reached(self, limit: float) -> dict[Spot, float]:
        """Return the places within a length, nearest first, each with the length of the shortest way there."""
        centres = self.board.kind == "centres"
        found = self._measured(limit) if centres else self._counted(int(limit // self.board.length))
        if self.board.kind != "zones":
            del found[self.start]
        return {spot: length for spot, length in found.items() if spot not in self.ending}

    def _counted(self, steps: int) -> dict[Spot, float]:
        """Return the places within so many steps: ring by ring, since every step is as long as any other."""
        found: dict[Spot, float] = {self.start: 0}
        ring = [self.start]
        for number in range(1, steps + 1):
            length = number * self.board.length
            beyond = [spot for here in ring for spot in self.around(here) if spot not in found]
            ring = list(dict.fromkeys(beyond))
            found.update(dict.fromkeys(ring, length))
            ring = [spot for spot in ring if spot not in self.passing] if self.passing else ring
        return found

    def _measured(self, limit: float) -> dict[Spot, float]:
        """Return the squares within a length from centre to centre: straight where nothing is in the way."""
        found, edge = {self.start: 0.0}, [(0.0, self.start)]
        straight: dict[Spot, float] = {}
        while edge:
            gone, here = heappop(edge)
            if gone > found[here] or (here in self.passing and here != self.start):
                continue
            for there in self.around(here):
                if there not in straight:
                    is_open = self.is_open(self.line(self.start, there))
                    straight[there] = self.length(self.start, there) if is_open else limit + 1
                length = min(straight[there], gone + self.length(here, there))
                if length <= limit and length < found.get(there, limit + 1):
                    found[there] = length
                    heappush(edge, (length, there))
        return {spot: self.told(length) for spot, length in found.items()}

    def told(self, length: float) -> float:
        """Return a length as people are told it."""
        return self.board.told(length / self.board.length)

    def way(
        self, goal: Spot, limit: float, guarded: Mapping[str, Collection[Spot]], left: _Left
    ) -> tuple[list[Spot], int] | None:
        """Return the way within a length on which the fewest are left, and of those the shortest, and how many are.

        None if there is no such way, or too much would have to be tried.
        """
        start: tuple[int, float, float, Spot, frozenset[str], tuple[Spot, ...]] = (
            *(0, 0.0, 0.0),
            self.start,
            frozenset(),
            (),
        )
        edge, best = [start], dict[Spot, list[tuple[frozenset[str], float]]]()
        guards: dict[Spot, list[str]] = {}
        for foe, places in guarded.items():
            for place in places:
                guards.setdefault(place, []).append(foe)
        for _ in range(TRIED):
            if not edge:
                break
            _, gone, _, here, met, way = heappop(edge)
            if here == goal and way:
                return list(way), len(met)
            if here in self.passing and way:
                continue
            for there in self.around(here):
                length = gone + self.length(here, there)
                if length + self.length(there, goal) > limit + 1e-9 or (there in self.ending and there == goal):
                    continue
                by = guards.get(here, ())
                more = {foe for foe in by if foe not in met and left(guarded[foe], here, there)} if by else ()
                now = met.union(more) if more else met
                known = best.setdefault(there, [])
                if any(old <= now and was <= length for old, was in known):
                    continue
                known.append((now, length))
                aside = self.length(self.start, there) + self.length(there, goal)
                heappush(edge, (len(now), length, aside, there, now, (*way, there)))
        return None


_Left = Callable[[Collection[Any], object, object], bool]


# ── where somebody can go ──


def moves_of(rules: Ruleset, state: State) -> list[Action]:
    """Return the actions that do nothing but lead somewhere."""
    return [
        action
        for action in rules.catalogue(state)
        if "to" in action.takes
        and "action" not in action.takes
        and "target" not in action.takes
        and any(stage.moves for stage in rules.mechanisms[action.does].stages)
    ]


class _Led(NamedTuple):
    """Where an action leads, for whom it was judged: to places so far away, for what it spends."""

    action: Action
    cost: str
    price: tuple[int, int]
    limit: float | None
    least: float


def _here(rules: Ruleset, state: State, fighter: Fighter) -> Spot | None:
    """Return where on the map somebody stands; None where there is none, or at a place without measure."""
    if rules.board.kind == "zones":
        return None if state.map is None else fighter.position
    return as_pair(fighter.position)


def ground(rules: Ruleset, state: State, fighter: Fighter) -> Ground:
    """Return where somebody can go as things stand."""
    here = _here(rules, state, fighter)
    at = here if rules.board.kind == "zones" else fighter.position
    spots = {name: state.fighters[name].position for name in present(state.fighters) if name != fighter.name}
    lengths: dict[Spot, float] = {}
    found: list[Reach] = []
    why = "" if here is not None else f"{fighter.name} has no place on the map."
    if here is not None:
        moves = moves_of(rules, state)
        field = _field(rules, state, fighter, moves[0] if moves else None, here)
        led, why = _led(rules, state, fighter, moves, field)
        limit = max([each.limit for each in led if each.limit is not None], default=0)
        lengths = field.reached(min(limit, FAR * rules.board.length)) if limit else {}
        found = list(_reaches(led, lengths))
        taken = {spot for reach in found for spot in reach.places}
        lengths = {spot: length for spot, length in lengths.items() if spot in taken}
    guarded = rules.guarded(state, fighter, {here, *lengths}) if here is not None else {}
    threats = tuple([Threat(name, state.fighters[name].side, places) for name, places in guarded.items()])
    apart = {name: rules.board.distance(state.map, at, spot) for name, spot in spots.items()}
    known = {name: distance for name, distance in apart.items() if distance is not None}
    return Ground(fighter.name, at, tuple(found), lengths, threats, _ranges(rules, state, fighter), known, why)


def threats(rules: Ruleset, state: State) -> tuple[Threat, ...]:
    """Return all who may attack at least one of their enemies for leaving a place, and which places those are."""
    here = [state.fighters[name] for name in present(state.fighters)]
    places = {fighter.name: rules.threatened(state, fighter) for fighter in here if not rules.is_felled(fighter)}
    found: dict[str, frozenset[object]] = {}
    for mover in here:
        if rules.able(mover) and _here(rules, state, mover) is not None:
            foes = [foe.name for foe in foes_of(state, mover.name)]
            among = frozenset[object]().union(*[places[foe] for foe in foes if foe in places and foe not in found])
            found |= rules.guarded(state, mover, among) if among else {}
    return tuple([Threat(name, state.fighters[name].side, places) for name, places in found.items()])


def _field(rules: Ruleset, state: State, fighter: Fighter, action: Action | None, here: Spot) -> _Field:
    passing: Collection[Spot] = ()
    ending: Collection[Spot] = ()
    if action is not None:
        passing, ending = rules.closed(Case(rules, state, fighter, action))
    return _Field(rules.board, state.map, here, passing, ending)


def _led(
    rules: Ruleset, state: State, fighter: Fighter, moves: Sequence[Action], field: _Field
) -> tuple[list[_Led], str]:
    """Return which moves somebody may make and how far each leads, the cheapest first; and why not, if none."""
    found: list[_Led] = []
    why = ""
    for number, action in enumerate(moves):
        limit = rules.leads(Case(rules, state, fighter, action))
        for least, most, place in _samples(field, limit):
            case = Case(rules, state, fighter, action, {"to": _plain(place)})
            judged = judge(case)
            if judged.objections:
                why = why or judged.objections[0].reason
                continue
            now = _Led(action, spends(case, judged), (len(judged.pay), number), most, least)
            if found and found[-1][:3] == now[:3]:  # what leads so far leads to all that is nearer
                found[-1] = found[-1]._replace(limit=most)
            else:
                found.append(now)
    return sorted(found, key=lambda each: each.price), "" if found else why


def _samples(field: _Field, limit: float | None) -> Iterator[tuple[float, float | None, Spot]]:
    """Yield places that tell of all from one length to another: the own zone, one nearest, and one farthest away."""
    step = field.board.length
    if field.board.kind == "zones":  # somebody may move within their own
        yield 0, 0, field.start
    beside = [spot for spot in field.around(field.start) if spot not in field.ending]
    near = min(beside, key=partial(field.length, field.start), default=None)
    if near is None or (limit is not None and limit < step):
        return
    far = None if limit is None or limit < 2 * step else next(_ring(field, min(int(limit // step), FAR)), None)
    yield step, limit if far is None else step, near
    if far is not None:
        yield step, limit, far


def _ring(field: _Field, steps: int) -> Iterator[Spot]:
    """Yield places so many steps away in a straight line that nothing closes."""
    for x, y in [as_pair(spot) or (0, 0) for spot in field.around(field.start)]:
        dx, dy = x - field.start[0], y - field.start[1]
        if field.board.kind == "centres" and dx and dy:
            continue
        way = [(field.start[0] + dx * n, field.start[1] + dy * n) for n in range(1, steps + 1)]
        if field.is_open(way) and way[-1] not in field.ending:
            yield way[-1]


def _reaches(led: Sequence[_Led], lengths: Mapping[Spot, float]) -> Iterator[Reach]:
    """Yield each action with the places to which nothing cheaper leads."""
    taken: set[Spot] = set()
    for action, cost, _, limit, least in led:
        fits = {spot for spot, length in lengths.items() if limit is not None and least <= length <= limit} - taken
        taken |= fits
        yield Reach(action.id, action.title, cost, limit, frozenset(fits))


def _plain(spot: Spot) -> object:
    """Return a place as parameters hold it."""
    return list(spot) if isinstance(spot, tuple) else spot


def _ranges(rules: Ruleset, state: State, fighter: Fighter) -> tuple[Range, ...]:
    board = rules.board
    return tuple(
        [
            Range(weapon, steps, None if steps is None else board.told(steps), board.unit)
            for weapon, steps in rules.ranges(state, fighter)
        ]
    )


# ── areas ──


def area(board: Board, state: State, kind: str, size: object, spots: Mapping[str, Spot]) -> Area:
    """Return what a circle, a cone or a line covers, and who stands there; `spots` are ``at`` and maybe ``towards``."""
    if kind not in AREAS:
        raise UnknownName.of("area", kind, AREAS)
    zones = board.kind == "zones"
    if zones and kind != "circle":
        raise InvalidInput(f"among zones there is no {kind}; a circle takes in all zones so many steps away")
    for what, spot in spots.items():
        if spot is None or (not zones and as_pair(spot) is None):
            raise InvalidInput(f"{what} is nowhere on the map; give a place there, or somebody who stands on it")
    at, towards = spots["at"], spots.get("towards")
    if kind != "circle" and towards in (None, at):
        raise InvalidInput(f"a {kind} leads somewhere: give towards, another place than the one where it begins")
    if size is None and towards is not None:
        apart = board.distance(state.map, at, towards)
        size = None if apart is None else apart.length
    most = FAR * board.length
    if isinstance(size, bool) or not isinstance(size, (int, float)) or not 0 <= size <= most:
        raise InvalidInput(f"size is {short(size)}; give a number from 0 to {most} ({board.unit})")
    if kind == "circle" or towards is None:
        places = board.within(state.map, at, size)
    else:
        places = (board.cone if kind == "cone" else board.beam)(at, towards, size)
    fighters = [state.fighters[name] for name in present(state.fighters)]
    inside = {each.name for each in fighters if each.position in places and each.effect("dead") is None}
    return Area(kind, size, board.unit, places, as_names(inside, state))


# ── what an action would come to ──


class _Die(Exception):
    """Dice come next."""


class _Copy(Draft):
    """A call that is only looked at: it stops before its first die."""

    __slots__ = ()

    def cast(self, sides: Sequence[int], *keys: str) -> Rolled:
        """Stop here, if any dice would be thrown."""
        if sides:
            raise _Die
        return super().cast(sides, *keys)


def foresee(rules: Ruleset, state: State, who: str, action: str, params: Mapping[str, object], seq: int) -> Foresight:
    """Return what an action would come to, up to its first die, if nobody who is asked steps in."""
    found = find_action(rules, state, action)
    checked = check_params(rules, state, found, params)
    draft = _Copy(rules, state, seq, NO_FACES)
    asked, ruling = list[Asked](), None
    try:
        if not is_answer(Case(rules, state, state.fighters[who], found, checked)):
            let_pass(draft)
        case = with_target(Case(rules, draft.state, draft.state.fighters[who], found, checked))
        judged = judge(case)
        ruling = ruling_of(case, judged)
        if not ruling.allowed:
            return Foresight(ruling, case.fighter.position)
        below = len(draft.state.focus)
        perform(draft, case, judged)
        while len(draft.state.focus) > below and (window := draft.state.window) is not None:
            asked += _asked(draft, who, window)
            if any(bid.must for bid in window.bids):
                break
            close_window(draft, answer=_likely(draft.state, window), by="gm" if window.question else "rules")
    except _Die:
        ruling = ruling or Ruling(False, "Dice come first.")
        return _foreseen(draft, who, ruling, asked, dice=True)
    return _foreseen(draft, who, ruling, asked, dice=False)


def _foreseen(draft: Draft, who: str, ruling: Ruling, asked: Sequence[Asked], *, dice: bool) -> Foresight:
    return Foresight(ruling, draft.state.fighters[who].position, tuple(_path(draft, who)), tuple(asked), dice)


def _path(draft: Draft, who: str) -> list[Spot]:
    spots = [event._data["to"] for event in draft.events if event.kind == "move" and event.actor == who]
    return [tuple(spot) if isinstance(spot, list) else spot for spot in spots]


def _asked(draft: Draft, who: str, window: Window) -> list[Asked]:
    """Return whom a window asks, and where whoever acts stands then."""
    at, step = draft.state.fighters[who].position, len(_path(draft, who))
    if window.question:
        return [Asked("GM", at, step, (), window.question)]
    return [
        Asked(name, at, step, tuple(dict.fromkeys(id for bid in bids for id in bid.actions)), bids[0].rule, window.soft)
        for name, bids in open_bids(window.bids).items()
    ]


def _likely(state: State, window: Window) -> object:
    """Return the GM's answer by which most follows: the first of the choices, or everybody who is named."""
    if not window.question:
        return None
    choices = choices_left(state, window)
    return [each for each in choices if each in state.fighters] if window.many else choices[0]


# ── ways ──


def ways(rules: Ruleset, state: State, who: str, goal: Spot, action: str | None, seq: int) -> tuple[Way, ...]:
    """Return the straight way to a place, and the one with the fewest attackers for the same cost, if that has fewer.

    The action is the cheapest that leads there, unless one is named.
    """
    fighter = state.fighters[who]
    here, board = fighter.position, rules.board
    reach = ground(rules, state, fighter)
    led = next((each for each in reach.by(goal) if action in (None, each.action)), None)
    if led is None or (goal == here and board.kind != "zones"):
        return ()
    field = _field(rules, state, fighter, find_action(rules, state, led.action), here)
    line = list(field.line(here, goal))
    limit = led.limit
    if limit is None:  # a way around is looked for, but no endless one
        limit = 1.5 * field.length(here, goal) + 4 * board.length
    short: list[Spot] | None = [goal] if field.is_open(line) and goal not in field.ending else None
    if short is None and len(line) <= FAR:
        found = field.way(goal, limit, {}, rules.is_left)
        short = None if found is None else found[0]
    straight = None if short is None else way_by(rules, state, who, led.action, short, seq)
    if straight is None or not straight.asked or len(line) > FAR:
        return () if straight is None else (straight,)
    guarded: Mapping[str, Collection[Any]] = {threat.who: threat.places for threat in reach.threats}
    if led.limit is None:  # then the way may lead past anybody
        reached = [rules.threatened(state, foe) for foe in foes_of(state, who)]
        guarded = rules.guarded(state, fighter, frozenset[object]().union(*reached))
    around = field.way(goal, limit, guarded, rules.is_left) if guarded else None
    if around is None or around[1] >= _attackers(straight):
        return (straight,)
    other = way_by(rules, state, who, led.action, around[0], seq)
    return (straight,) if other is None or _attackers(other) >= _attackers(straight) else (straight, other)


def _attackers(way: Way) -> int:
    return len({each.who for each in way.asked} - {"GM"})


def way_by(rules: Ruleset, state: State, who: str, action: str, spots: Sequence[Spot], seq: int) -> Way | None:
    """Return the way by an action over some places, straight from one to the next; None if it isn't allowed.

    From nowhere on the map leads no way.
    """
    to = [_plain(spot) for spot in spots]
    given = to[0] if len(to) == 1 else to
    seen = foresee(rules, state, who, action, {"to": given}, seq)
    board, here = rules.board, _here(rules, state, state.fighters[who])
    if not seen.ruling.allowed or here is None:
        return None
    field = _Field(board, state.map, here, (), ())
    legs = [*pairwise([here, *spots])]
    length = sum(field.length(a, b) for a, b in legs)
    shown = spots[0] if len(spots) == 1 else list(spots)
    path = seen.path if len(seen.path) > 1 else tuple([spot for a, b in legs for spot in field.line(a, b)])
    return Way(action, seen.ruling.cost, shown, path, field.told(length), seen.asked)
