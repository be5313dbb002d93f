"""Somebody in a scene: what they are, in no system's words."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from msgspec import Struct

from combatkit.core.limits import ADDED
from combatkit.core.plain import check_bool, check_whole, is_number, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.checks import check_name, check_words
from combatkit.study.scenes.mapping import GRADES

ROLES = ("player", "leader", "extra")
"""A player's character, somebody with a name whom the GM plays, or one of many."""

WEAPONS = ("melee", "ranged")


class Participant(Struct, frozen=True, forbid_unknown_fields=True):
    """Somebody in a scene, or several alike.

    Parameters
    ----------
    name : str
        Their name; with a `count` above 1 they are ``"NAME 1"``, ``"NAME 2"`` ...
    side : str
        Whose side they are on.
    count : int
        How many there are.
    speed, skill, toughness : str or int
        One of `GRADES`, or 0 to 4.
    role : str
        One of `ROLES`.
    weapon : str
        ``"melee"`` or ``"ranged"``.
    aware : bool
        Whether they know about the enemy as the fight begins.
    """

    name: str
    side: str
    count: int = 1
    speed: str | int = "good"
    skill: str | int = "good"
    toughness: str | int = "good"
    role: str = "player"
    weapon: str = "melee"
    aware: bool = True

    @property
    def names(self) -> tuple[str, ...]:
        """The names they bear in a fight."""
        return (self.name,) if self.count == 1 else tuple(f"{self.name} {i}" for i in range(1, self.count + 1))


def participant_of(row: object) -> Participant:
    """Return a combatant of a scene as it is described, checked field by field."""
    if not isinstance(row, Mapping) or "name" not in row:
        raise InvalidInput(f"scene: {short(row)} is not a combatant; give a mapping with a name and a side")
    name = check_name(row["name"])
    for field in row:
        if field not in Participant.__struct_fields__:
            raise UnknownName.of(f"field of a scene's combatant ({name})", field, Participant.__struct_fields__)
    given: dict[str, Any] = {**row, "name": name, "side": check_words(row.get("side"), f"scene, {name}: side")}
    for field in ("speed", "skill", "toughness"):
        given[field] = _grade(name, field, given.get(field, "good"))
    for field, words in (("role", ROLES), ("weapon", WEAPONS)):
        if given.get(field, words[0]) not in words:
            raise InvalidInput(f"scene, {name}: {field} is {short(given[field])}; give one of {', '.join(words)}")
    check_bool(given.get("aware", True), f"scene, {name}: aware")
    check_whole(given.get("count", 1), f"scene, {name}: count", 1, ADDED)
    return Participant(**given)


def _grade(name: str, field: str, value: object) -> str:
    if is_number(value) and 0 <= value < len(GRADES):
        return GRADES[value]
    if value in GRADES:
        return str(value)
    last = len(GRADES) - 1
    raise InvalidInput(f"scene, {name}: {field} is {short(value)}; give one of {', '.join(GRADES)}, or 0 to {last}")
