"""How much one fight, call or message may ask for: each limit is checked before the work is done.

``docs/wire.md`` tells them in these words.
"""

from __future__ import annotations

COMBATANTS = 1_000
"""So many combatants a fight holds, those included who have left."""

ADDED = 100
"""So many combatants are added, or join, in one call."""

SIDES = 100
"""So many sides a fight has."""

CONDITIONS = 64
"""So many conditions may hold of somebody when the GM sets one more."""

ALL_CONDITIONS = 8_000
"""So many conditions may hold of all combatants together when the GM sets more."""

PATH = 1_000
"""So many steps a way may have, by anybody's word, and so many places may be named for it."""

NAMES = 1_000
"""So many names one argument takes: targets, those surprised, an order of ties."""

DOERS = 100
"""So many names ``trigger`` takes for who did it."""

FACES = 1_000
"""So many natural faces one call takes."""

MODIFIERS = 32
"""So many numbers by name one argument takes: modifiers of an action or a condition."""

NOTE = 2_000
"""So many characters a note has."""

WORDS = 500
"""So many characters any other free text has: a trigger, what happened, an option."""

NAME = 200
"""So many characters the name of a combatant, side, group, place or fight has."""

VALUE = 4_000
"""So many bytes, written as JSON, a value of any form has: that of a condition, multipliers, attributes."""

STAT = 16_000
"""So many bytes, written as JSON, one stat of a combatant has."""

DEPTH = 16
"""So deep lists and mappings may stand in one another, in a value, a stat or a row."""

ROWS = 500
"""So many rows all of a fight's own tables hold together."""

TABLES = 1_000_000
"""So many bytes, written as JSON, one call adds to tables."""

TITLE = 200
"""So many characters any text in a row of a fight's own actions has."""

MESSAGE = 16 * 1024
"""So many bytes of JSON a message has."""

ANSWER = 64_000
"""So many bytes of JSON an answer or refusal has."""

TOLD = 10_000
"""So many events has a fight whose log or page a tracker saves; those of a longer one are written by a call."""

VIEW = 350_000
"""So many bytes of JSON the view of one widget has."""

FILE = 1 << 20
"""So many bytes a file has that is dropped on a tracker; it comes in pieces, each in a message."""
