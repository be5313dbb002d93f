"""Scenes as they were when timings began, so that a number can be paired with that of any commit before."""

from __future__ import annotations

import combatkit as ck
from combatkit.study.scenes.description import Scene


def unarmed(id: str, system: str) -> Scene:
    """Return a scene of the kit in which nobody has a weapon that its mapping gives: what it says is dealt."""
    scene = ck.scene(id)
    mapping = scene.mapping(system)
    stats = mapping["stats"]
    assert isinstance(stats, dict)
    if "attack" in mapping and "weapons" in stats and "attacks" not in stats:
        del stats["weapons"]
    return scene.with_mapping(system, mapping)
