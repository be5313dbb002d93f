"""Fights as data frames: the log, and what it adds up to, in one schema for all systems.

For pandas, spreadsheets and `write_csv`, `flat` gives the same frames without lists: ``enc.history.flat.rounds``.
"""

from combatkit.history.frames import Frames, History, Stack, stack
from combatkit.history.parquet import Archive, archive, scan
from combatkit.history.schema import SCHEMAS

__all__ = ["SCHEMAS", "Archive", "Frames", "History", "Stack", "archive", "scan", "stack"]
