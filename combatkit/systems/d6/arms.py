"""Dice codes, and how weapons are read."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import Any

from combatkit.core.dice import MINUS, Dice, is_dice
from combatkit.core.model import Fighter
from combatkit.core.plain import check_whole
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.case import Case, Objection, against
from combatkit.rules.catalogue import Stat
from combatkit.rules.checks import check_made
from combatkit.rules.weapons import MELEE, Arms, Weapon, weapons_of

SIDES = 6

BANDS = ("close", "short", "medium", "long", "extreme")
"""The range bands, nearest first; each is a distance in zones, the last four or more."""

PENALTIES = {"close": -1, "short": 0, "medium": 0, "long": -1, "extreme": -2}
"""The dice a ranged attack loses in each band."""

_CODE = re.compile(r"\s*(\d{1,2})\s*[dDwW]6?\s*(?:([+-])\s*(\d{1,3}))?\s*\Z")


_WEAPONS = Stat(
    "weapons",
    "list",
    parts=(
        Stat("name", "text"),
        Stat("attack", "text"),
        Stat("damage", "int|text"),
        Stat("type", "text"),
        Stat("range", "text"),
        Stat("piercing", "bool"),
    ),
)
"""What a weapon on a sheet holds."""


@lru_cache(maxsize=1024)
def parse_code(text: str) -> Dice | None:
    """Read a dice code; None if it isn't one.

    Examples
    --------
    >>> parse_code("3D+1"), parse_code("0D"), parse_code("three")
    (Dice(count=3, sides=6, plus=1, more=()), Dice(count=0, sides=6, plus=0, more=()), None)
    """
    found = _CODE.match(text.translate(MINUS))
    if not found:
        return None
    count, sign, plus = found.groups()
    return Dice(int(count), SIDES, int(f"{sign}{plus}") if plus else 0)


def code_of(value: str) -> Dice:
    """Return the dice of a code that has been checked."""
    dice = parse_code(value)
    assert dice is not None
    return dice


def attributes_of(fighter: Fighter) -> dict[str, Dice]:
    """Return the attributes on the sheet, as dice."""
    return {name: code_of(code) for name, code in fighter.stats["attributes"].items()}


def check_named(fighter: Fighter, named: str) -> None:
    """Check that a weapon that is named is on the sheet; if that has none, any word will do.

    Raises
    ------
    UnknownName
        If there is no such weapon; it names the nearest.
    """
    names = [weapon["name"] for weapon in weapons_of(fighter)]
    if names and named.casefold() not in map(str.casefold, names):
        raise UnknownName.of("weapon", named, names, owner=fighter.name)


def check_codes(stats: Mapping[str, Any], where: str) -> None:
    """Check the stats that hold more than a number: attributes, weapons, armour by damage type, Free Actions.

    Raises
    ------
    InvalidInput
        For an impossible value.
    UnknownName
        For a part of a weapon, or a range band, that doesn't exist.
    """
    for name, code in stats["attributes"].items():
        _check_code(code, f"{where}: attribute {name!r}")
    if isinstance(stats["armor"], Mapping):
        for kind, rating in stats["armor"].items():
            check_whole(rating, f"{where}: armor against {kind!r}", 0)
    check_made(_WEAPONS, stats["weapons"], where)
    for weapon in stats["weapons"]:
        name, reach = weapon["name"], weapon.get("range", MELEE)
        if "attack" in weapon:
            _check_code(weapon["attack"], f"{where}: {name}: attack")
        damage = weapon.get("damage", 0)
        if type(damage) is int and damage < 0:
            raise InvalidInput(f"{where}: {name}: damage is {damage}; give a number from 0 up, or a dice code")
        if not is_dice(damage):
            _check_code(damage, f"{where}: {name}: damage")
        if reach not in (MELEE, *BANDS):
            raise UnknownName.of("range", reach, (MELEE, *BANDS), owner=name)
    if not isinstance(stats["free_actions"], int):
        for action in stats["free_actions"]:
            if not isinstance(action, str) or not action:
                raise InvalidInput(f"{where}: Free Action {action!r}; give a name")


def _check_code(code: object, where: str) -> None:
    if not isinstance(code, str) or parse_code(code) is None:
        raise InvalidInput(f"{where} is {code!r}; give a dice code such as '3D+1'")


# ── weapons ──


class D6Arms(Arms):
    """A weapon is for melee or reaches a band; one that states none reaches them all.

    Distances are the numbers of bands, and unknown where nobody has a place: then every weapon reaches.
    """

    rule = "d6.act.attack.range"

    def reach(self, case: Case, weapon: Weapon) -> int | None:
        """Return the farthest band a weapon reaches, by its number."""
        stated = weapon.get("range", BANDS[-1])
        return BANDS.index(case.state.options["melee_reach"] if stated == MELEE else stated)

    def bare(self, case: Case) -> int:
        """Return the band that somebody strikes in with bare hands, by its number."""
        return BANDS.index(str(case.state.options["melee_reach"]))

    def steps(self, case: Case, target: str) -> int | None:
        """Return the band between an attacker and a target, by its number; None without positions."""
        apart = case.rules.distance(case.state, case.fighter, case.state.fighters[target])
        return None if apart is None or apart.band is None else BANDS.index(apart.band)

    def unreached(self, case: Case) -> Iterable[Objection]:
        """Refuse a target beyond the range of the weapon."""
        weapon = self.wielded(case)
        for target, band in self.beyond(case, weapon) if weapon else ():
            far, reach = (BANDS[n].capitalize() for n in (band, self.reach(case, weapon) or 0))
            reason = f"{target} is at {far}; the {weapon['name']} reaches {reach}."
            open_to = "d6.range.melee-open" if weapon.get("range") == MELEE else ""
            yield from against(reason, self.rule, "d6.zone.order", open_to)
