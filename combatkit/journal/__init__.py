"""The durable log: every accepted call is a line of a text file before it is shown, and can be read back."""

from combatkit.journal.listing import Campaign, Entry, campaign
from combatkit.journal.opening import (
    begin,
    branch,
    branches,
    copy_lines,
    held_ids,
    keep,
    load,
    load_content,
    open_encounter,
    root_of,
    save_encounter,
    turn_to,
)

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
    "load_content",
    "open_encounter",
    "root_of",
    "save_encounter",
    "turn_to",
]
