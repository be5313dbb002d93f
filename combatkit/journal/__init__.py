"""The durable log: every accepted call is written to an SQLite file before it is shown, and can be read back."""

from combatkit.journal.branching import branch
from combatkit.journal.copies import copy_lines, is_copy, load, load_content, save_encounter
from combatkit.journal.keeping import keep
from combatkit.journal.listing import Campaign, Entry, campaign
from combatkit.journal.opening import begin, branches, held_ids, open_encounter, root_of, turn_to

__all__ = [
    "Campaign",
    "Entry",
    "begin",
    "branch",
    "branches",
    "campaign",
    "copy_lines",
    "held_ids",
    "is_copy",
    "keep",
    "load",
    "load_content",
    "open_encounter",
    "root_of",
    "save_encounter",
    "turn_to",
]
