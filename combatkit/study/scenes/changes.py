"""A scene with something else in it: a word of it, a number of a system's sheet, or an option of the rules."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.structs import asdict, replace

from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.rules.ruleset import Ruleset
from combatkit.study.scenes.description import Scene, scene
from combatkit.study.scenes.participant import Participant

OPTIONS = "options"
DISTANCE = "distance"
_WORDS = tuple(field for field in Participant.__struct_fields__ if field != "name")


def check_change(scene: Scene, key: str, systems: Iterable[Ruleset]) -> None:
    """Check whether there is such a thing to change, in the scene or in one of the systems at least.

    Parameters
    ----------
    scene : Scene
        The scene.
    key : str
        ``"distance"``, ``"options.OPTION"``, or ``"NAME.WORD"``: a field of `Participant`, or a stat.
    systems : iterable of Ruleset
        The systems.

    Raises
    ------
    UnknownName
        If there isn't; it suggests the nearest.
    """
    who, _, word = key.rpartition(".")
    if key == DISTANCE:
        return
    if who == OPTIONS:
        known = dict.fromkeys(option for rules in systems for option in rules.options)
        if word not in known:
            raise UnknownName.of("option", word, known)
        return
    people = [p.name for p in scene.participants]
    if who not in people:
        raise UnknownName.of("combatant of the scene", who or key, [*people, OPTIONS, DISTANCE])
    stats = dict.fromkeys([*_WORDS, *(stat.id for rules in systems for stat in rules.stats)])
    if word not in stats:
        raise UnknownName.of("word or stat", word, stats, owner=who)


def changed(scene: Scene, rules: Ruleset, changes: Mapping[str, object], seed: int) -> Encounter:
    """Return a scene's fight in one system, begun, with everything that is changed.

    Parameters
    ----------
    scene : Scene
        The scene.
    rules : Ruleset
        The system.
    changes : mapping of str to object
        By what `check_change` knows, what it becomes.
    seed : int
        The fight's seed.

    Returns
    -------
    Encounter
        At the point where somebody may first choose.

    Raises
    ------
    InvalidInput, UnknownName
        If the system has no such thing, or it can't become that.
    """
    options: dict[str, object] = {}
    stats: dict[str, dict[str, object]] = {}
    for key, value in changes.items():
        who, _, word = key.rpartition(".")
        if who == OPTIONS:
            if word not in rules.options:
                raise InvalidInput(f"{rules.id} has no option {word}")
            options[word] = value
        elif key == DISTANCE or word in _WORDS:
            scene = _told_anew(scene, who, word, value)
        else:
            stats.setdefault(word, {})[who] = value
    return _with_stats(scene, rules, stats).encounter(rules, seed=seed, id=f"{rules.id}-{seed}", options=options)


def _told_anew(told: Scene, who: str, word: str, value: Any) -> Scene:
    """Return a scene with one of its words changed, checked as when it was first told."""
    rows = [{**asdict(p), **({word: value} if p.name == who else {})} for p in told.participants]
    anew = scene(rows, distance=value if word == DISTANCE else told.distance)
    return replace(told, participants=anew.participants, distance=anew.distance)


def _with_stats(told: Scene, rules: Ruleset, stats: Mapping[str, Mapping[str, object]]) -> Scene:
    """Return a scene in which some have other numbers on a system's sheet than its words come to."""
    if not stats:
        return told
    mapping, own = told.mapping(rules), told.stats(rules)
    sheet: Any = mapping.setdefault("stats", {})
    for id, by_name in stats.items():
        stat = next((stat for stat in rules.stats if stat.id == id), None)
        if stat is None:
            raise InvalidInput(f"{rules.id} has no {id}")
        values = {name: by_name.get(name, each.get(id, stat.default)) for name, each in own.items()}
        sheet[id] = {"from": "name", "values": values}
    return told.with_mapping(rules, mapping)
