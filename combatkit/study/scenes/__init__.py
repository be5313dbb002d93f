"""Scenes: a fight described once, in no system's words, and turned into each system's stats by a mapping."""

from combatkit.study.scenes.description import Participant, Scene, examples, scene

__all__ = ["Participant", "Scene", "examples", "scene"]
