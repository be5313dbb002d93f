"""Dice codes such as ``3D+1``, and the stats that hold them: attributes and weapons."""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, TypedDict

from combatkit.core.dice import MINUS, Dice, is_dice
from combatkit.core.model import Fighter
from combatkit.core.plain import check_bool, check_whole
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.weapons import weapons_of

SIDES = 6

BANDS = ("close", "short", "medium", "long", "extreme")
"""The range bands, nearest first; each is a distance in zones, the last four or more."""

PENALTIES = {"close": -1, "short": 0, "medium": 0, "long": -1, "extreme": -2}
"""The dice a ranged attack loses in each band."""

MELEE = "melee"

_CODE = re.compile(r"\s*(\d{1,2})\s*[dD]6?\s*(?:([+-])\s*(\d{1,3}))?\s*\Z")


class Weapon(TypedDict, total=False):
    """A weapon on a sheet, once `check_codes` has checked it."""

    name: str
    attack: str
    damage: int | str
    type: str
    range: str
    piercing: bool


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
        raise UnknownName.of(f"weapon of {fighter.name}", named, names)


def check_codes(stats: Mapping[str, Any], where: str) -> None:
    """Check the stats that hold more than a number: attributes, weapons, armour by damage type, Free Actions.

    Raises ------ InvalidInput For an impossible value. UnknownName For a part of a weapon, or a range band, that
    doesn't exist.
    """
    for name, code in stats["attributes"].items():
        _check_code(code, f"{where}: attribute {name!r}")
    if isinstance(stats["armor"], Mapping):
        for kind, rating in stats["armor"].items():
            check_whole(rating, f"{where}: armor against {kind!r}", 0)
    names = [_check_weapon(weapon, where) for weapon in stats["weapons"]]
    if len({*map(str.casefold, names)}) < len(names):
        raise InvalidInput(f"{where}: weapons has a name twice; names must differ: {', '.join(names)}")
    if not isinstance(stats["free_actions"], int):
        for action in stats["free_actions"]:
            if not isinstance(action, str) or not action:
                raise InvalidInput(f"{where}: Free Action {action!r}; give a name")


def _check_code(code: object, where: str) -> None:
    if not isinstance(code, str) or parse_code(code) is None:
        raise InvalidInput(f"{where} is {code!r}; give a dice code such as '3D+1'")


def _check_weapon(weapon: object, where: str) -> str:
    if not isinstance(weapon, Mapping) or not isinstance(weapon.get("name"), str) or not weapon["name"]:
        raise InvalidInput(f"{where}: {weapon!r} is not a weapon; give a mapping of name, attack, damage, type, range")
    name: str = weapon["name"]
    where = f"{where}: {name}"
    for part, value in weapon.items():
        match part:
            case "attack":
                _check_code(value, f"{where}: attack")
            case "damage":
                if type(value) is not int:
                    if not is_dice(value):
                        _check_code(value, f"{where}: damage")
                elif value < 0:
                    raise InvalidInput(f"{where}: damage is {value}; give a number from 0 up, or a dice code")
            case "name" | "type":
                if not isinstance(value, str):
                    raise InvalidInput(f"{where}: {part} is {value!r}; give text")
            case "range":
                if value != MELEE and value not in BANDS:
                    raise UnknownName.of(f"range of {name}", value, (MELEE, *BANDS))
            case "piercing":
                check_bool(value, f"{where}: piercing")
            case _:
                raise UnknownName.of(f"part of a weapon ({where})", part, Weapon.__annotations__)
    return name
