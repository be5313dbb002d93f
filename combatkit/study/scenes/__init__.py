"""Scenes: a fight described once, in no system's words, and turned into each system's stats by a mapping."""

from combatkit.study.scenes.description import Scene, scene
from combatkit.study.scenes.kit import scenes_of_kit
from combatkit.study.scenes.participant import Participant

__all__ = ["Participant", "Scene", "scene", "scenes_of_kit"]
