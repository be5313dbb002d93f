"""How much one call or message may ask for: each limit is checked before the work is done.

``docs/wire.md`` tells the same numbers, kind of message by kind.
"""

PATH = 1_000
"""So many steps a way may have, and so many places may be named for it."""
