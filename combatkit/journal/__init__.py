"""The durable log: every accepted call in an SQLite file before it is shown, and the way back from there."""

from combatkit.journal.branching import branch
from combatkit.journal.copies import copy_lines, load, save_encounter
from combatkit.journal.keeping import keep
from combatkit.journal.listing import Campaign, Entry, campaign
from combatkit.journal.opening import begin, branches, held_ids, open_encounter

__all__ = [
    "Campaign",
    "Entry",
    "begin",
    "branch",
    "branches",
    "campaign",
    "copy_lines",
    "held_ids",
    "keep",
    "load",
    "open_encounter",
    "save_encounter",
]
