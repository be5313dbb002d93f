"""How much one fight, call or message may ask for; each limit is checked before the work is done.

``docs/wire.md`` tells them in these words.
"""

from __future__ import annotations

COMBATANTS = 1_000
"""How many combatants a fight holds, counting those who have left."""

ADDED = 100
"""How many combatants one call may add or bring in."""

SIDES = 100
"""How many sides a fight may have."""

CONDITIONS = 64
"""How many conditions somebody may have when the GM sets one more."""

ALL_CONDITIONS = 8_000
"""How many conditions all combatants together may have when the GM sets more."""

PATH = 1_000
"""How many steps a way may have, whoever says so, and how many places may be named for it."""

NAMES = 1_000
"""How many names one argument takes: targets, those surprised, an order of ties."""

DOERS = 100
"""How many names ``trigger`` takes for who did it."""

FACES = 1_000
"""How many natural faces one call takes."""

MODIFIERS = 32
"""How many numbers by name one argument takes: modifiers of an action or a condition."""

NOTE = 2_000
"""How many characters a note may have."""

WORDS = 500
"""How many characters any other free text may have: a trigger, what happened, an option."""

NAME = 200
"""How many characters the name of a combatant, side, group, place or fight may have."""

VALUE = 4_000
"""How many bytes a value of any form may take as JSON: that of a condition, multipliers, attributes."""

STAT = 16_000
"""How many bytes one stat of a combatant may take as JSON."""

DEPTH = 16
"""How deep lists and mappings may be nested in a value, a stat or a row."""

ROWS = 500
"""How many rows all of a fight's own tables may hold together."""

TABLES = 1_000_000
"""How many bytes of JSON one call may add to tables."""

TITLE = 200
"""How many characters any text in a row of a fight's own actions may have."""

MESSAGE = 16 * 1024
"""How many bytes of JSON a message may have."""

ANSWER = 64_000
"""How many bytes of JSON an answer or refusal may have."""

TOLD = 10_000
"""How many events a fight may have for a tracker to save its log or page; a call writes those of a longer one."""

RUNGS = 200
"""How many rungs of the ladder are shown, those around whose turn it is."""

PICTURE = 10_000_000
"""How many bytes a picture below the map may have; dropped there, it comes in pieces as well."""

PICTURE_SIDE = 8_192
"""How many px such a picture may be wide or high."""

FILE = 1 << 20
"""How many bytes a file dropped on a tracker may have; it comes in pieces, each in a message."""
