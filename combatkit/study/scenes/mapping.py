"""How a scene's words become a ruleset's stats: one TOML file in each ruleset's folder, ``scene.toml``.

``[stats]`` names stats of the ruleset. A value is a constant, or a table ``{ from = FIELD, values = ... }``: `values`
is a list of five, by grade, or a table by word (a role, a weapon). Within a value others may be chosen likewise.

What a source leaves out is the scene's matter, since a fight must come to an end in every system. ``[attack]`` says
what is given with an attack: `action` is the attack of choice, every other key a parameter of it, such as the damage.
``[falls]`` says what happens to one whose first vital sinks to `at`: the condition `becomes`, by the GM's word. Where
the source itself says such a thing, the file does not.

``[places]`` says how a distance becomes places: `metres` a step; pairs of numbers, or with ``zones = true`` named zones
in a row; `close` is where all stand at close quarters; `options` are the readings of a fight with places, unless others
are given. ``[surprise]`` is there if a combatant can be unaware. A file that lacks one of these two refuses a scene
that needs it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import pairwise
from typing import Any, TypeGuard

from combatkit.core.plain import plain, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.ruleset import Ruleset
from combatkit.text.words import read_toml

FILE = "scene.toml"

GRADES = ("poor", "fair", "good", "great", "superb")
"""How fast, skilled or tough somebody is, by word; a number from 0 to 4 says the same."""

_PARTS = ("stats", "attack", "falls", "places", "surprise")
_KNOWN = {"falls": ("at", "becomes"), "places": ("metres", "zones", "close", "options"), "surprise": ()}
_FIELDS = ("name", "side", "count", "speed", "skill", "toughness", "role", "weapon", "aware")


def read(rules: Ruleset) -> dict[str, object]:
    """Read the mapping of a ruleset's folder.

    Raises
    ------
    InvalidInput
        If the ruleset brings none, or one that isn't TOML.
    """
    path = rules.folder / FILE
    if not path.is_file():
        raise InvalidInput(f"{rules.id} has no {FILE}: put one in its folder, or give a mapping with with_mapping(...)")
    return check(rules, read_toml(path), f"{rules.id}/{FILE}")


def check(rules: Ruleset, mapping: Any, where: str) -> dict[str, object]:
    """Check a mapping's parts and give a copy of it.

    Raises
    ------
    UnknownName, InvalidInput
        For an unknown part, stat or field; it says where.
    """
    parts = mapping.values() if isinstance(mapping, Mapping) else (None,)
    if not all(isinstance(part, Mapping) for part in parts):
        raise InvalidInput(f"{where} is {short(mapping)}; give a mapping of {', '.join(_PARTS)}")
    for part, content in mapping.items():
        if part not in _PARTS:
            raise UnknownName.of(f"part of a {where}", part, _PARTS)
        known = rules.stats.ids() if part == "stats" else _KNOWN.get(part)
        for key, value in content.items():
            if known is not None and key not in known:
                raise UnknownName.of(f"key of [{part}] ({where})", key, known)
            for field in _fields_in(value):
                if field not in _FIELDS:
                    raise UnknownName.of(f"field that {key} is from ({where})", field, _FIELDS)
    return copy_of(mapping)


def copy_of(mapping: Mapping[str, object]) -> dict[str, object]:
    """Return a copy that can be changed without changing anything else."""
    copied: dict[str, object] = plain(dict(mapping), "mapping")
    return copied


def stats_of(rules: Ruleset, mapping: Mapping[str, Any], fields: Mapping[str, object]) -> dict[str, object]:
    """Return a combatant's stats.

    Raises
    ------
    InvalidInput
        If the mapping has no value for a field as it stands; it names the combatant, the field and the system.
    """
    return {stat: _chosen(rules, stat, given, fields) for stat, given in mapping.get("stats", {}).items()}


def row_of(
    rules: Ruleset, mapping: Mapping[str, Any], fields: Mapping[str, object], name: str, armed: bool
) -> dict[str, Any]:
    """Return a combatant's row of the table `scene`: what goes with its attacks, and when it falls.

    The `armed` deal the damage of their weapons, not what the mapping says.
    """
    attack = {key: _chosen(rules, key, given, fields) for key, given in mapping.get("attack", {}).items()}
    if armed:
        attack.pop("damage", None)
    row: dict[str, object] = {"id": name}
    action = attack.pop("action", None)
    if action is not None:
        row["action"] = action
    if attack:
        row["params"] = {key: value for key, value in attack.items() if value != ""}
    falls = mapping.get("falls")
    if falls:
        row["at"] = _chosen(rules, "at", falls["at"], fields)
        row["becomes"] = _chosen(rules, "becomes", falls["becomes"], fields)
    return row


def places(
    rules: Ruleset, mapping: Mapping[str, Any], distance: int | None, ranks: Mapping[str, tuple[int, int]]
) -> tuple[list[tuple[str, str]] | None, dict[str, object]]:
    """Return the map, if the system needs one, and where everybody stands.

    Parameters
    ----------
    rules : Ruleset
        The system.
    mapping : mapping
        Its mapping.
    distance : int or None
        Metres between the sides.
    ranks : mapping of str to (int, int)
        Everybody's side and number in it.

    Returns
    -------
    tuple
        Pairs of zones or None, and places by name.

    Raises
    ------
    InvalidInput
        If the mapping says nothing of places and the sides are apart.
    """
    rule = mapping.get("places", {})
    if distance is None:
        close = rule.get("close")
        return None, {} if close is None else dict.fromkeys(ranks, close)
    if "metres" not in rule:
        raise _cannot(rules, next(iter(ranks)), "distance", distance, "its mapping says nothing about [places]")
    steps = max(1, round(distance / rule["metres"]))
    last = max(side for side, _ in ranks.values())
    if rule.get("zones"):
        names = [f"Zone {i + 1}" for i in range(steps * last + 1)]
        return list(pairwise(names)), {n: names[side * steps] for n, (side, _) in ranks.items()}
    return None, {name: (side * steps, number) for name, (side, number) in ranks.items()}


def check_surprise(rules: Ruleset, mapping: Mapping[str, object], name: str) -> None:
    """Refuse a scene in which somebody is unaware, if the system does not know that."""
    if "surprise" not in mapping:
        raise _cannot(rules, name, "aware", False, "its mapping has no [surprise], since its rules know none")


def _chooses(value: object) -> TypeGuard[Mapping[str, Any]]:
    return isinstance(value, Mapping) and "from" in value


def _fields_in(value: object) -> Iterator[object]:
    """Yield the fields that a value, or anything within it, is chosen from."""
    if _chooses(value):
        yield value["from"]
    held = value.values() if isinstance(value, Mapping) else value if isinstance(value, (list, tuple)) else ()
    for each in held:
        yield from _fields_in(each)


def _chosen(rules: Ruleset, key: str, given: Any, fields: Mapping[str, Any]) -> object:
    """Return what a value comes to for somebody, with everything in it that is chosen."""
    if isinstance(given, (list, tuple)):
        return [_chosen(rules, key, each, fields) for each in given]
    if not isinstance(given, Mapping):
        return given
    if not _chooses(given):
        return {k: _chosen(rules, k, each, fields) for k, each in given.items()}
    field, values = given["from"], given.get("values")
    word = fields.get(field)
    if isinstance(values, Mapping):
        if word in values or "otherwise" in given:
            return _chosen(rules, key, values.get(word, given.get("otherwise")), fields)
    elif isinstance(values, (list, tuple)) and word in GRADES and GRADES.index(word) < len(values):
        return _chosen(rules, key, values[GRADES.index(word)], fields)
    raise _cannot(rules, fields["name"], field, word, f"its mapping has no value of {key} for that")


def _cannot(rules: Ruleset, name: str, field: str, value: object, why: str) -> InvalidInput:
    return InvalidInput(
        f"{rules.id} cannot express this scene: {name}: {field} is {value!r}, and {why}; "
        f"change the scene, or the mapping with with_mapping({rules.id!r}, ...)"
    )
