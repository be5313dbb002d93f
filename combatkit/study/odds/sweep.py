"""The closed form behind the odds: one sweep over everything anybody can rank by, from the lowest key up.

At one key each unit of the draw (one who rolls alone, a group that shares a die) is a polynomial: in how many outcomes
of its die how many of its members stand above that key. The product over all units counts the ways in which so many
are ahead. A polynomial is one whole number, its coefficients side by side in equal slots, so that a product of
polynomials is a product of numbers. From one key to the next only those units change that have it: they are divided
out of the product, and multiplied in as they are now.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from fractions import Fraction
from math import comb, lcm, prod

from combatkit.errors import InvalidInput
from combatkit.rules.draw import GIVEN, ROLLED, Draw, Key, Lot

Event = tuple[int, int, list[int]]
"""A unit, an outcome of its die, and the members it brings to a key."""

Pieces = tuple[int, ...]
"""A unit's polynomial at a key, cut by how many of its members have that very key: none, one, two ..."""


class _Live:
    """A unit at a key that some of its members have.

    Its polynomial with these counted as ahead, without those outcomes, and with these counted as not ahead; the
    outcomes that bring them there: the weight, how many members are above the key, and who is at it.
    """

    __slots__ = ("after", "before", "outcomes", "rest")

    def __init__(self, before: int) -> None:
        self.before = self.rest = self.after = before
        self.outcomes: list[tuple[int, int, list[int]]] = []


class Sweep:
    """The ways to each place, counted.

    Parameters
    ----------
    lots : Draw
        The draw.
    first : bool
        Whether to ask for the first place alone, which is quicker.

    Attributes
    ----------
    called : tuple of Lot
        Those who can act, in the order they were added; the lists below follow it.
    found : list of int
        The ways to each place, as the rules break ties: a polynomial each.
    alone : list of int
        The ways in which nobody is even with it; as the two below, only where no dice break ties.
    ahead, behind : list of int
        The ways to each place if it is put before, or behind, all who are even with it.

    Raises
    ------
    InvalidInput
        If those who share a die do not have a key for each of its faces.
    """

    def __init__(self, lots: Draw, *, first: bool = False) -> None:
        self.called = tuple(lot for lot in lots.lots if not lot.out)
        self.ties = lots.ties
        count = len(self.called)
        self.shown = 1 if first and count else count
        self.share = lcm(*range(1, count + 1)) if self.ties == ROLLED else 1
        self.units = _units(self.called)
        outcomes = [_outcomes(self.called, members) for members in self.units]
        self.total = prod([lots.sides if lots.highest and n > 1 else n for n in outcomes])
        # A slot holds all the ways there are, and one bit more: no coefficient runs over into its neighbour.
        self.slot = (self.total * self.share).bit_length() + 1
        unit = (1 << self.slot) - 1
        self.power = [1 << self.slot * n if n < self.shown or not first else 0 for n in range(count + 1)]
        """The polynomials 1, x, x squared ...; nothing where so many ahead are not asked for."""
        runs = [((1 << self.slot * min(n, self.shown)) - 1) // unit for n in range(count + 1)]
        self.parts = [self.share // max(1, n) * run for n, run in enumerate(runs)]
        """The polynomials 1 + x + ... of so many terms, the ways shared out evenly among them."""
        self.events = _events(self.called, self.units)
        self.found, self.alone, self.ahead, self.behind = ([0] * count for _ in range(4))
        for sign, weights in _scenarios(lots, outcomes):
            self._run(sign, weights)

    def fractions(self, packed: int) -> tuple[Fraction, ...]:
        """Return the coefficients of a polynomial as chances, the first place first."""
        one = (1 << self.slot) - 1
        whole = self.total * self.share
        return tuple(Fraction(packed >> self.slot * place & one, whole) for place in range(self.shown))

    def _run(self, sign: int, weights: Sequence[Sequence[int]]) -> None:
        """Go up through the keys; `reach` says how many members of a unit are not below the present one, by outcome."""
        reach = [[len(members)] * len(each) for each, members in zip(weights, self.units, strict=True)]
        now = [sum(each) * self.power[len(members)] for each, members in zip(weights, self.units, strict=True)]
        bars = now.count(0)  # units that are ahead for certain
        product = prod([polynomial for polynomial in now if polynomial])
        for events in self.events:
            live = self._live(events, weights, reach, now)
            for unit in live.values():
                if unit.before:
                    product //= unit.before
                else:
                    bars -= 1
            if not bars:
                self._settle(sign * product, list(live.values()))
            for number, unit in live.items():
                now[number] = unit.after
                if unit.after:
                    product *= unit.after
                else:
                    bars += 1

    def _live(
        self, events: Sequence[Event], weights: Sequence[Sequence[int]], reach: list[list[int]], now: Sequence[int]
    ) -> dict[int, _Live]:
        """Return the units that have the present key in some outcome of their die, which is then passed."""
        power = self.power
        live: dict[int, _Live] = {}
        for number, outcome, members in events:
            unit = live.get(number)
            if unit is None:
                unit = live[number] = _Live(now[number])
            weight, at = weights[number][outcome], reach[number][outcome]
            left = reach[number][outcome] = at - len(members)
            gone = weight * power[at]
            unit.rest -= gone
            unit.after += weight * power[left] - gone
            unit.outcomes.append((weight, left, members))
        return live

    def _settle(self, ways: int, live: Sequence[_Live]) -> None:
        """Add the ways of those who have the present key; `ways` are those of the units that cannot be even with it."""
        if self.ties == ROLLED:
            self._settle_rolled(ways, live)
            return
        for unit in live:
            rivals = [other for other in live if other is not unit]
            for weight, ahead, even in unit.outcomes:
                own = ways * weight * self.power[ahead]
                for index, member in enumerate(even):
                    self._settle_open(member, own, len(even), index, rivals)

    def _settle_rolled(self, ways: int, live: Sequence[_Live]) -> None:
        """Where dice break ties, each place among the tied is as likely; units that are alike are taken as a power."""
        power, parts = self.power, self.parts
        cut = [self._pieces(unit) for unit in live]
        alike: dict[Pieces, int] = {}
        for pieces in cut:
            alike[pieces] = alike.get(pieces, 0) + 1
        products = {pieces: _others(alike, pieces) for pieces in alike}
        for pieces, unit in zip(cut, live, strict=True):
            for weight, ahead, even in unit.outcomes:
                shared = 0
                for among, polynomial in enumerate(products[pieces], len(even)):
                    shared += polynomial * parts[among]
                found = ways * weight * power[ahead] * shared
                for member in even:
                    self.found[member] += found

    def _settle_open(self, member: int, ways: int, even: int, before: int, rivals: Sequence[_Live]) -> None:
        """Add one member's ways where no dice part ties; its own unit's, if any, stay in the order added."""
        power = self.power
        given = self.ties == GIVEN
        if given:
            ways *= power[before]
        alone, first, last, found = (0 if even > 1 and not given else ways), ways, ways, ways
        for unit in rivals:
            alone *= unit.rest
            first *= unit.after
            last *= unit.before
            if given:
                shifted = [w * power[ahead + sum(m < member for m in who)] for w, ahead, who in unit.outcomes]
                found *= unit.rest + sum(shifted)
        self.found[member] += found if given else first
        self.alone[member] += alone
        self.ahead[member] += first
        self.behind[member] += last

    def _pieces(self, unit: _Live) -> Pieces:
        most = max([len(even) for _, _, even in unit.outcomes])
        if most == 1:
            return unit.rest, unit.after - unit.rest
        pieces = [unit.rest] + [0] * most
        for weight, ahead, even in unit.outcomes:
            pieces[len(even)] += weight * self.power[ahead]
        return tuple(pieces)


def _others(alike: Mapping[Pieces, int], own: Pieces) -> Sequence[int]:
    """Return the product of all units but one, cut by how many are even."""
    product: Sequence[int] = ()
    for pieces, count in alike.items():
        left = count - (pieces == own)
        if left:
            power = _power(pieces, left) if left > 1 else pieces
            product = _times(product, power) if product else power
    return product or (1,)


def _power(pieces: Pieces, count: int) -> Sequence[int]:
    if len(pieces) == 2:
        rest, even = pieces
        return [comb(count, n) * rest ** (count - n) * even**n for n in range(count + 1)]
    power: Sequence[int] = pieces
    for _ in range(count - 1):
        power = _times(power, pieces)
    return power


def _times(a: Sequence[int], b: Sequence[int]) -> list[int]:
    product = [0] * (len(a) + len(b) - 1)
    for i, x in enumerate(a):
        if x:
            for j, y in enumerate(b):
                product[i + j] += x * y
    return product


def _units(called: Sequence[Lot]) -> list[list[int]]:
    """Return the members of each unit."""
    units: dict[str, list[int]] = {}
    for index, lot in enumerate(called):
        units.setdefault(lot.unit, []).append(index)
    return list(units.values())


def _outcomes(called: Sequence[Lot], members: Sequence[int]) -> int:
    """Return how many outcomes a unit's die has."""
    lengths = {len(called[member].keys) for member in members}
    if len(lengths) > 1:
        unit = called[members[0]].unit
        raise InvalidInput(f"{unit} shares a die, but not all of it have as many keys: give each a key for each face")
    return lengths.pop()


def _events(called: Sequence[Lot], units: Sequence[Sequence[int]]) -> list[list[Event]]:
    """Return who has which key, the lowest key first; those who are late rank below all who are not."""
    halves: tuple[dict[Key, list[Event]], dict[Key, list[Event]]] = ({}, {})
    for number, members in enumerate(units):
        for outcome in range(len(called[members[0]].keys)):
            for member in members:
                lot = called[member]
                at = halves[not lot.late].setdefault(lot.keys[outcome], [])
                if at and at[-1][0] == number and at[-1][1] == outcome:
                    at[-1][2].append(member)
                else:
                    at.append((number, outcome, [member]))
    return [by_key[key] for by_key in halves for key in sorted(by_key)]


def _scenarios(lots: Draw, outcomes: Sequence[int]) -> Iterator[tuple[int, list[Sequence[int]]]]:
    """Yield weights under which the units' outcomes are independent of one another, each with its sign.

    Where only the highest face counts they are so for each highest face by itself: the ways in which all are at or
    below it, less those in which all are below.
    """
    if not lots.highest:
        yield 1, [(1,) * n for n in outcomes]
        return
    for top in range(1, lots.sides + 1):
        yield 1, [(top - 1, 1) if n > 1 else (1,) for n in outcomes]
        if top > 1:
            yield -1, [(top - 1, 0) if n > 1 else (1,) for n in outcomes]
