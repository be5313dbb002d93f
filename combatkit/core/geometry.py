"""Places: pairs of whole numbers, axial ``(q, r)`` for hexes and ``(x, y)`` for squares, and zones that touch."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from math import hypot
from typing import Any

from combatkit.errors import InvalidInput

Hex = tuple[int, int]
Square = tuple[int, int]

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


def hex_line(a: Hex, b: Hex) -> tuple[Hex, ...]:
    """Return the hexes from one to another, the first left out: a shortest way, as straight as hexes allow.

    Parameters
    ----------
    a, b : tuple of int
        Axial coordinates.

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
    """
    along = (b[0] - a[0], b[1] - a[1])
    way: list[Hex] = []
    here = a
    while here != b:
        left = hex_distance(here, b)
        nearer = [n for n in hex_neighbours(here) if hex_distance(n, b) < left]
        # The cross product says how far a hex lies off the straight line, in whole numbers.
        here = min(nearer, key=lambda n: abs((n[0] - a[0]) * along[1] - (n[1] - a[1]) * along[0]))
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


def lies_between(a: Square, b: Square, place: Square) -> bool:
    """Check whether a square lies on the straight way from one to another, both ends left out.

    Parameters
    ----------
    a, b : tuple of int
        The ends of the way.
    place : tuple of int
        The square.

    Returns
    -------
    bool
        Of two squares that the line runs between, the one of the higher number counts.

    Examples
    --------
    >>> [lies_between((0, 0), (4, 2), place) for place in ((1, 1), (2, 1), (3, 1), (4, 2), (5, 3))]
    [True, True, False, False, False]
    """
    long, short = (0, 1) if abs(b[0] - a[0]) >= abs(b[1] - a[1]) else (1, 0)
    length, gone = abs(b[long] - a[long]), abs(place[long] - a[long])
    onward = (place[long] - a[long]) * (b[long] - a[long]) > 0
    if not onward or not 0 < gone < length:
        return False
    # In whole numbers: how far the line has come to the side, rounded to the nearest square.
    aside = (2 * (b[short] - a[short]) * gone + length) // (2 * length)
    return place[short] - a[short] == aside


def square_line(a: Square, b: Square) -> tuple[Square, ...]:
    """Return the squares from one to another, the first left out: the straight way, a step to a corner as one.

    Parameters
    ----------
    a, b : tuple of int
        Columns and rows.

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
        for gone in range(1, length + 1)
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
    return tuple((x + dx, y + dy) for dx in (-1, 0, 1) for dy in (-1, 0, 1) if dx or dy)


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

    @classmethod
    def of(cls, map: Any) -> Zones:
        """Make zones of a map as a fight is given it.

        Raises
        ------
        InvalidInput
            If it is anything but pairs of names.
        """
        for pair in map:
            if not isinstance(pair, (list, tuple)) or len(pair) != 2 or not all(type(z) is str and z for z in pair):
                raise InvalidInput(f"map: {pair!r} is not a pair of zones; give the names of two zones that touch")
        return cls((a, b) for a, b in map)

    @property
    def names(self) -> tuple[str, ...]:
        """Every zone, in the order of the pairs."""
        return tuple(self._beside)

    def beside(self, zone: str) -> tuple[str, ...]:
        """Return the zones that touch one."""
        return self._beside[zone]

    def steps(self, a: str, b: str) -> int | None:
        """Return the fewest steps from one zone to another; None if no way leads there."""
        found = self._steps.get(a)
        if found is None:
            found = self._steps[a] = self._spread(a)
        return found.get(b)

    def _spread(self, zone: str) -> dict[str, int]:
        steps = {zone: 0}
        edge = deque([zone])
        while edge:
            here = edge.popleft()
            for there in self._beside[here]:
                if there not in steps:
                    steps[there] = steps[here] + 1
                    edge.append(there)
        return steps
