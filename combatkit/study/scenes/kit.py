"""The scenes that come with the kit: three in no system's words, and those in rulesets' folders, on their creatures.

In ``shelf/scenes.toml`` of a ruleset's folder a combatant may have `take` besides the fields of a scene's combatant:
the creature of the same folder whose stats it has, and whose name, if it has none of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from msgspec import to_builtins

from combatkit.errors import UnknownName
from combatkit.files.creatures import SHELF, creatures_of
from combatkit.registry import rulesets
from combatkit.rules.ruleset import Ruleset
from combatkit.study.scenes import mapping as mappings
from combatkit.text.words import read_toml


def scenes_of_kit() -> dict[str, tuple[dict[str, object], Ruleset | None]]:
    """Return every scene by its id, with the ruleset whose creatures it takes, if any."""
    found: dict[str, tuple[dict[str, object], Ruleset | None]] = {}
    for rules in reversed(rulesets()):
        path = rules.folder / SHELF / "scenes.toml"
        if path.is_file():
            found |= {id: (told, rules) for id, told in read_toml(path).items()}
    return {**{id: (told, None) for id, told in _general().items()}, **dict(reversed(found.items()))}


def find_scene(id: str) -> tuple[dict[str, Any], Ruleset | None]:
    """Return a scene by its id.

    Raises
    ------
    UnknownName
        If there is none; it suggests the nearest.
    """
    general = _general()
    if id in general:
        return general[id], None
    every = scenes_of_kit()
    if id not in every:
        raise UnknownName.of("scene of the kit", id, every)
    return every[id]


def mapping_of(rules: Ruleset, taken: Mapping[str, str], own: Mapping[str, Mapping[str, object]]) -> dict[str, object]:
    """Return what turns a scene on creatures into their ruleset's stats.

    Parameters
    ----------
    rules : Ruleset
        Whose creatures they are.
    taken : mapping of str to str
        By a combatant's name, the creature it takes.
    own : mapping of str to mapping
        By a combatant's name, the stats of those who take none.

    Returns
    -------
    dict
        The mapping of the ruleset's folder, with each stat by name.

    Raises
    ------
    UnknownName
        For a creature that the folder does not have.
    """
    creatures = {row.name: to_builtins(row.stats) for row in creatures_of(rules)}  # the scene may be changed
    for creature in taken.values():
        if creature not in creatures:
            raise UnknownName.of("creature", creature, creatures, owner=rules.id)
    people = {**own, **{name: creatures[creature] for name, creature in taken.items()}}
    made = mappings.copy_of(mappings.read(rules))
    made["stats"] = {
        stat.name: {
            "from": "name",
            "values": {name: stats.get(stat.name, stat.default) for name, stats in people.items()},
        }
        for stat in rules.stats
        if any(stat.name in stats for stats in people.values())
    }
    return made


def split(rows: Iterable[Mapping[str, Any]]) -> tuple[list[dict[str, object]], dict[str, str]]:
    """Return rows as a scene has them, and which creature each takes, by name."""
    told: list[dict[str, object]] = []
    taken: dict[str, str] = {}
    for row in rows:
        plain = {key: value for key, value in row.items() if key != "take"}
        if "take" in row:
            plain = {"name": row["take"], "role": "extra", **plain}
            taken[plain["name"]] = row["take"]
        told.append(plain)
    return told, taken


def _general() -> dict[str, dict[str, object]]:
    return read_toml(Path(__file__).parent / "examples.toml")
