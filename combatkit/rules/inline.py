"""A sheet in one line, as people say it: "Blaster +6, 3d8 · Defense 15 · 16 hp"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping

from combatkit.rules.catalogue import Stat
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.typed import parts_of
from combatkit.text import signed

_HEAD = re.compile("[:;,]")
_TOKEN = "portrait"
"""What is drawn, and not told."""

_LINES = "list|text"
"""The kind of a stat that holds attacks as a book prints them."""


def sheet_line(rules: Ruleset, stats: Mapping[str, object]) -> str:
    """Return a sheet in one line: the first weapon, what an attack has to reach, what can be lost, the rest.

    Whatever is as usual is left out.

    Examples
    --------
    >>> import combatkit as ck
    >>> blaster = {"name": "Blaster", "attack": 6, "damage": "3d8"}
    >>> sheet_line(ck.ruleset("saga"), {"dex": 2, "level": 1, "hp": 16, "defense": 15, "weapons": (blaster,)})
    'Blaster +6, 3d8 · Defense 15 · 16 hp · Dex 2'
    """
    attacks: list[str] = []
    struck: list[str] = []
    told: dict[bool, list[str]] = {True: [], False: []}
    for stat in rules.stats:
        value = stats.get(stat.id)
        if value in (None, False, (), [], stat.default) or stat.id == _TOKEN:
            continue
        if isinstance(value, (tuple, list)) and (parts_of(stat) or stat.type == _LINES):
            attacks += [_weapon(each, rules.arms.adds) for each in value]
        else:
            (struck if stat.id == rules.presentation.struck_by else told[stat.vital]).append(said_stat(stat, value))
    return " · ".join([*attacks[:1], *struck, *told[True], *told[False], *attacks[1:]])


def _weapon(weapon: object, adds: str) -> str:
    """Return a weapon in short: its name, what it adds, its damage."""
    if not isinstance(weapon, Mapping):
        return str(weapon)
    bonus = weapon.get(adds)
    words = [f"+{bonus}" if type(bonus) is int and bonus >= 0 else signed(bonus) if type(bonus) is int else bonus]
    name = " ".join(str(each) for each in (weapon.get("name"), *words) if each is not None)
    return ", ".join(str(each) for each in (name, weapon.get("damage")) if each is not None)


def said_stat(stat: Stat, value: object) -> str:
    """Return a stat in short: ``"Dex 2"``, ``"16 hp"``."""
    word = stat.short or _HEAD.split(stat.title or stat.id.replace("_", " ").capitalize())[0]
    if value is True:
        return word
    said = said_plain(value)
    if isinstance(value, (tuple, list)):
        return said
    return f"{said} {word}" if stat.vital else f"{word} {said}"


def said_plain(value: object) -> str:
    """Return plain data as words: ``{"walk": 90, "fly": 240}`` is "walk 90, fly 240"."""
    if isinstance(value, Mapping):
        return ", ".join(f"{str(key).replace('_', ' ')} {said_plain(each)}" for key, each in value.items())
    if isinstance(value, Iterable) and not isinstance(value, str):
        return ", ".join(map(said_plain, value))
    return signed(value) if type(value) is int else str(value)
