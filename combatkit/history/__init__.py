"""Fights as data frames: the log, and what it comes to, in one schema for all systems."""

from combatkit.history.frames import Frames, History, Stack, stack
from combatkit.history.schema import SCHEMAS

__all__ = ["SCHEMAS", "Frames", "History", "Stack", "stack"]
