"""Rosters: combatants in a file or frame, read into a fight and written from one."""

from combatkit.files.rosters.read import RosterFile, RosterRow, columns, read_cell, read_roster
from combatkit.files.rosters.template import roster_template
from combatkit.files.rosters.write import roster_frame, write_roster

__all__ = [
    "RosterFile",
    "RosterRow",
    "columns",
    "read_cell",
    "read_roster",
    "roster_frame",
    "roster_template",
    "write_roster",
]
