"""Places: pairs of whole numbers, axial ``(q, r)`` for hexes and ``(x, y)`` for squares, and zones that touch."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import hypot
from typing import Any

from msgspec import Struct
from msgspec.structs import force_setattr, replace

from combatkit.core.dice import MINUS
from combatkit.core.model import Distance
from combatkit.core.plain import is_number, is_text, short
from combatkit.errors import InvalidInput, UnknownName

Hex = tuple[int, int]
Square = tuple[int, int]


def as_pair(value: object) -> tuple[int, int] | None:
    """Return a hex or a square that somebody named: a pair of whole numbers; None for anything else."""
    if isinstance(value, (tuple, list)) and len(value) == 2 and all(type(n) is int for n in value):
        return value[0], value[1]
    return None


_AROUND: tuple[Hex, ...] = ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))


def hex_distance(a: Hex, b: Hex) -> int:
    """Return how many steps one hex lies from another.

    Parameters
    ----------
    a, b : tuple of int
        Axial coordinates.

    Returns
    -------
    int
        The steps; 0 for the same hex.

    Examples
    --------
    >>> hex_distance((0, 0), (2, -1)), hex_distance((1, 1), (-1, -1))
    (2, 4)
    """
    q, r = a[0] - b[0], a[1] - b[1]
    return (abs(q) + abs(r) + abs(q + r)) // 2


def hex_neighbours(place: Hex) -> tuple[Hex, ...]:
    """Return the six hexes around one.

    Parameters
    ----------
    place : tuple of int
        Axial coordinates.

    Returns
    -------
    tuple of tuple of int
        Always in the same order.

    Examples
    --------
    >>> hex_neighbours((0, 0))
    ((1, 0), (1, -1), (0, -1), (-1, 0), (-1, 1), (0, 1))
    """
    q, r = place
    return tuple((q + dq, r + dr) for dq, dr in _AROUND)


def hexes_within(place: Hex, steps: int) -> frozenset[Hex]:
    """Return every hex at most so many steps from one, itself included.

    Parameters
    ----------
    place : tuple of int
        Axial coordinates.
    steps : int
        How far.

    Returns
    -------
    frozenset of tuple of int
        The hexes.

    Examples
    --------
    >>> [len(hexes_within((3, -1), n)) for n in range(4)]
    [1, 7, 19, 37]
    """
    q, r = place
    return frozenset(
        (q + dq, r + dr)
        for dq in range(-steps, steps + 1)
        for dr in range(max(-steps, -steps - dq), min(steps, steps - dq) + 1)
    )


def hex_line(a: Hex, b: Hex, most: int | None = None) -> tuple[Hex, ...]:
    """Return the hexes from one to another, the first left out: a shortest way, as straight as hexes allow.

    Parameters
    ----------
    a, b : tuple of int
        Axial coordinates.
    most : int, optional
        After how many hexes the way breaks off.

    Returns
    -------
    tuple of tuple of int
        One hex for each step; empty for the same hex.

    Examples
    --------
    >>> hex_line((0, 0), (3, 0))
    ((1, 0), (2, 0), (3, 0))
    >>> hex_line((0, 0), (2, 1))
    ((1, 0), (1, 1), (2, 1))
    >>> hex_line((1, 1), (-2, 6))
    ((0, 2), (0, 3), (-1, 4), (-1, 5), (-2, 6))
    """
    along, steps = (b[0] - a[0], b[1] - a[1]), hex_distance(a, b)
    walked = steps if most is None else min(steps, most)
    nearer = [n for n in _AROUND if hex_distance(n, along) < steps]  # a shortest way goes in one direction, or in two
    if len(nearer) < 2:
        return tuple([(a[0] + q * n, a[1] + r * n) for q, r in nearer for n in range(1, walked + 1)])
    (q, r), (s, t) = nearer
    ones = (along[0] * t - along[1] * s) * (q * t - r * s)
    others, left = steps - ones, ones
    way, here, off = list[Hex](), a, 0
    for ahead in range(steps, steps - walked, -1):
        # How far a hex lies off the straight line, in whole numbers, is what the cross product says.
        if left == ahead or (left and abs(off + others) <= abs(off - ones)):
            here, off, left = (here[0] + q, here[1] + r), off + others, left - 1
        else:
            here, off = (here[0] + s, here[1] + t), off - ones
        way.append(here)
    return tuple(way)


def square_distance(a: Square, b: Square) -> float:
    """Return how far apart the centres of two squares lie.

    Parameters
    ----------
    a, b : tuple of int
        Columns and rows.

    Returns
    -------
    float
        In squares: 1 for neighbours side by side, the root of 2 for neighbours corner to corner.

    Examples
    --------
    >>> square_distance((0, 0), (3, 4)), round(square_distance((0, 0), (1, 1)), 3)
    (5.0, 1.414)
    """
    return hypot(a[0] - b[0], a[1] - b[1])


def square_line(a: Square, b: Square, most: int | None = None) -> tuple[Square, ...]:
    """Return the squares from one to another, the first left out: the straight way, a step to a corner as one.

    Parameters
    ----------
    a, b : tuple of int
        Columns and rows.
    most : int, optional
        After how many squares the way breaks off.

    Returns
    -------
    tuple of tuple of int
        One square for each step; empty for the same square.

    Examples
    --------
    >>> square_line((0, 0), (3, 0))
    ((1, 0), (2, 0), (3, 0))
    >>> square_line((0, 0), (4, 2))
    ((1, 1), (2, 1), (3, 2), (4, 2))
    """
    dx, dy = b[0] - a[0], b[1] - a[1]
    length = max(abs(dx), abs(dy))
    return tuple(
        (a[0] + (2 * dx * gone + length) // (2 * length), a[1] + (2 * dy * gone + length) // (2 * length))
        for gone in range(1, (length if most is None else min(length, most)) + 1)
    )


def square_neighbours(place: Square) -> tuple[Square, ...]:
    """Return the eight squares around one.

    Parameters
    ----------
    place : tuple of int
        Column and row.

    Returns
    -------
    tuple of tuple of int
        Always in the same order.

    Examples
    --------
    >>> square_neighbours((0, 0))
    ((-1, -1), (-1, 0), (-1, 1), (0, -1), (0, 1), (1, -1), (1, 0), (1, 1))
    """
    x, y = place
    west, east, north, south = x - 1, x + 1, y - 1, y + 1
    return (west, north), (west, y), (west, south), (x, north), (x, south), (east, north), (east, y), (east, south)


class Zones:
    """Zones that touch: a map without measure, on which distance is counted in steps from zone to zone.

    Parameters
    ----------
    pairs : iterable of pairs of str
        The zones that touch, both ways.

    Examples
    --------
    >>> docks = Zones([("quay", "crane"), ("crane", "roof"), ("quay", "sea")])
    >>> docks.steps("roof", "sea"), docks.beside("crane")
    (3, ('quay', 'roof'))
    """

    def __init__(self, pairs: Iterable[tuple[str, str]]) -> None:
        touching: dict[str, dict[str, None]] = {}
        for a, b in pairs:
            touching.setdefault(a, {})[b] = None
            touching.setdefault(b, {})[a] = None
        self._beside = {zone: tuple(others) for zone, others in touching.items()}
        self._steps: dict[str, dict[str, int]] = {}

    @property
    def names(self) -> tuple[str, ...]:
        """Every zone, in the order of the pairs."""
        return tuple(self._beside)

    def beside(self, zone: str) -> tuple[str, ...]:
        """Return the zones that touch one."""
        return self._beside[zone]

    def steps(self, a: str, b: str) -> int | None:
        """Return the fewest steps from one zone to another; None if no way leads there."""
        if a not in self._steps:
            found, edge = {a: 0}, [a]
            for here in edge:  # which grows on the way
                for there in self._beside[here]:
                    if there not in found:
                        found[there] = found[here] + 1
                        edge.append(there)
            self._steps[a] = found
        return self._steps[a].get(b)


_PAIR = re.compile(r"\s*\(?\s*(-?\d{1,9})(?:\s*[,;/]\s*|\s+)(-?\d{1,9})\s*\)?\s*")
"""A place as it is written: ``(1, -2)``."""


class Board(Struct, frozen=True):
    """What a system's combatants stand on.

    Parameters
    ----------
    kind : str
        ``"names"``, places without measure; ``"squares"``, a diagonal step as one; ``"centres"``, squares measured from
        centre to centre; ``"hexes"``; ``"zones"`` that touch, on a map of them.
    bands : tuple of str
        What distances in zones are called, nearest first; a zone to which no way leads is in the last.
    unit : str
        What lengths are measured in; if it isn't said, squares, hexes or zones.
    length : int
        How long one step is, in that unit.
    zones : dict of str to tuple of str
        Of a fight's map, each zone with those that touch it.

    Examples
    --------
    >>> Board("squares").distance(None, (0, 0), (3, 1))
    Distance(steps=3, band=None, length=3, unit='squares')
    >>> Board("centres", unit="ft", length=5).distance(None, (0, 0), (3, 1))
    Distance(steps=3, band=None, length=15.8, unit='ft')
    >>> Board("zones", ("close", "far")).distance((("quay", "sea"),), "quay", "sea")
    Distance(steps=1, band='far', length=1, unit='zones')
    """

    kind: str = "names"
    bands: tuple[str, ...] = ()
    unit: str = ""
    length: int = 1
    zones: dict[str, tuple[str, ...]] = {}

    def __post_init__(self) -> None:
        """Measure in what there is to step on, unless something else is said."""
        if not self.unit and self.kind != "names":
            force_setattr(self, "unit", "squares" if self.kind == "centres" else self.kind)

    @property
    def cell(self) -> str:
        """What a measured place is called; empty where places have no measure."""
        return {"squares": "square", "centres": "square", "hexes": "hex"}.get(self.kind, "")

    def distance(self, map: Iterable[Sequence[str]] | None, a: object, b: object) -> Distance | None:
        """Return how far one place lies from another; None where that isn't known."""
        if self.kind == "zones":
            return self._zones_between(map, a, b)
        if self.kind == "names" or type(a) is not tuple or type(b) is not tuple:
            return None
        if self.kind == "centres":
            apart = square_distance(a, b)
            return Distance(round(apart), None, self.told(apart), self.unit)
        steps = hex_distance(a, b) if self.kind == "hexes" else max(abs(a[0] - b[0]), abs(a[1] - b[1]))
        return Distance(steps, None, steps * self.length, self.unit)

    def within(self, map: Iterable[Sequence[str]] | None, at: object, length: float) -> frozenset[Any]:
        """Return every place at most so far from one, in the board's unit, itself included."""
        spots: Iterable[Any] = self.on(map).zones or (at,)
        if (here := as_pair(at)) is not None:
            span = range(-int(length // self.length), int(length // self.length) + 1)
            spots = [(here[0] + x, here[1] + y) for x in span for y in span]
        apart = {spot: self.distance(map, at, spot) for spot in spots}
        return frozenset(
            [spot for spot, far in apart.items() if far is not None and far.length is not None and far.length <= length]
        )

    def cone(self, at: Square | Hex, towards: Square | Hex, length: float) -> frozenset[Any]:
        """Return the places at most so far away in a cone: a quarter of the circle on squares, a sixth on hexes."""
        (x, y), ahead = at, (towards[0] - at[0], towards[1] - at[1])
        hexes = self.kind == "hexes"

        def twice(a: Square, b: Square) -> int:  # the dot product, in whole numbers
            return 2 * (a[0] * b[0] + a[1] * b[1]) + (a[0] * b[1] + a[1] * b[0] if hexes else 0)

        found = [(spot, (spot[0] - x, spot[1] - y)) for spot in self.within(None, at, length) if spot != at]
        narrow = 3 if hexes else 2  # four times the square of the cosine of half its angle
        return frozenset(
            [
                spot
                for spot, off in found
                if (dot := twice(ahead, off)) > 0 and 4 * dot * dot >= narrow * twice(ahead, ahead) * twice(off, off)
            ]
        )

    def beam(self, at: Square | Hex, towards: Square | Hex, length: float) -> frozenset[Any]:
        """Return the places at most so far away on a straight line, the first left out."""
        (x, y), (dx, dy) = at, (towards[0] - at[0], towards[1] - at[1])
        steps = int(length // self.length)
        times = -(-steps // max(abs(dx), abs(dy)))  # so often as far as it leads, rounded up
        end = (x + dx * times, y + dy * times)
        way = (hex_line if self.kind == "hexes" else square_line)(at, end, steps)
        return frozenset(way) & self.within(None, at, length)

    def told(self, steps: float) -> float:
        """Return how long so many steps are in the rulebook's unit, to a tenth; whole if it is whole."""
        length = round(steps * self.length, 1)
        return int(length) if length == int(length) else length

    def on(self, map: Iterable[Sequence[str]] | None) -> Board:
        """Return the board of a fight with this map."""
        zones = zones_of(map) if self.kind == "zones" else None
        return self if zones is None else replace(self, zones={zone: zones.beside(zone) for zone in zones.names})

    def _zones_between(self, map: Iterable[Sequence[str]] | None, a: object, b: object) -> Distance | None:
        if not isinstance(a, str) or not isinstance(b, str):
            return None
        if a == b:
            return Distance(0, self.bands[0], 0, self.unit)
        zones = zones_of(map)
        if zones is None:
            return None
        steps = zones.steps(a, b)
        if steps is None:  # farther than all others
            return Distance(len(zones.names), self.bands[-1], unit=self.unit)
        return Distance(steps, self.bands[min(steps, len(self.bands) - 1)], steps, self.unit)

    def pair(self, text: str) -> tuple[int, int] | None:
        """Return the square or hex that is written as two numbers; None for another text."""
        found = _PAIR.fullmatch(text.translate(MINUS)) if self.cell else None
        return None if found is None else (int(found[1]), int(found[2]))

    def check_map(self, map: list[object]) -> None:
        """Check the map a fight is given; refuse one that can't be."""
        for pair in map if self.kind == "zones" else ():
            if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(type(z) is str and z for z in pair):
                raise InvalidInput(f"map: {pair!r} is not a pair of zones; give the names of two zones that touch")

    def check_position(self, map: Iterable[Sequence[str]] | None, at: object) -> object:
        """Check a place and return it in plain form; one that is written as a pair of numbers is that pair."""
        if self.kind == "zones":
            return _check_zone(map, at)
        if isinstance(at, str) and (pair := self.pair(at)) is not None:
            return pair
        if is_text(at, 200) and at.strip():
            return at
        if isinstance(at, (tuple, list)) and len(at) == 2 and all(is_number(n) for n in at):
            return (at[0], at[1])
        raise InvalidInput(f"a place is {short(at)}; give a name, or a pair of whole numbers")


def _check_zone(map: Iterable[Sequence[str]] | None, at: object) -> str:
    """Check that it is a zone, and one on the map if there is a map."""
    if not isinstance(at, str) or not at.strip():
        raise InvalidInput(f"{short(at)} is no zone; give a zone's name")
    zones = zones_of(map)
    if zones is not None and at not in zones.names:
        raise UnknownName.of("zone", at, zones.names)
    return at


def zones_of(map: Iterable[Sequence[str]] | None) -> Zones | None:
    """Return the zones of a fight's map, or None without one."""
    return None if map is None else _zones(tuple((a, b) for a, b in map))


_zones = lru_cache(maxsize=64)(Zones)
