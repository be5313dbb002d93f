"""The creatures that a ruleset's folder brings, in ``shelf/``: a roster like any other."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING

from combatkit.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from combatkit.files.rosters import RosterRow

SHELF = "shelf"
"""Where a ruleset's folder keeps its creatures, and the scenes with them."""

_FILES = ("creatures.toml", "creatures.csv")
"""In this order they stand on the shelf."""


@lru_cache(maxsize=32)
def creatures_of(rules: Rulebook) -> tuple[RosterRow, ...]:
    """Return the creatures of a ruleset's folder, if it brings any.

    Examples
    --------
    >>> import combatkit as ck
    >>> [row.name for row in creatures_of(ck.ruleset("d6"))][:2]
    ['Dockhand', 'Harbour watch']
    """
    from combatkit.files.rosters import read_roster  # only who looks at creatures waits for polars

    paths = [rules.folder / SHELF / name for name in _FILES]
    return tuple(row for path in paths if path.is_file() for row in read_roster(rules, path))
