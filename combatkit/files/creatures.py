"""The creatures that a ruleset's folder brings, in ``shelf/``: a roster like any other."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from combatkit.rules.rulebook import Rulebook

if TYPE_CHECKING:
    from combatkit.files.rosters import RosterRow

SHELF = "shelf"
"""Where a ruleset's folder keeps its creatures, and the scenes with them."""

_FILES = ("creatures.toml", "creatures.csv")
"""In this order they stand on the shelf."""

_STRIKE = re.compile(r"\b(?!(?:and|or) )[a-z][a-z' -]*(?= \()")
"""What strikes, in an attack line: ``MELEE: 2 claws (1d4)``."""


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


def armed_in(stats: Mapping[str, Any], word: Callable[[str], str]) -> dict[str, Any]:
    """Return stats of the kit's own with their weapons as `word` calls them.

    Examples
    --------
    >>> armed_in({"attacks": ["MELEE: 2 claws (1d4)"], "hp": 9}, {"claws": "Krallen"}.get)
    {'attacks': ['MELEE: 2 Krallen (1d4)'], 'hp': 9}
    """
    told = dict(stats)
    if weapons := stats.get("weapons"):
        told["weapons"] = [{**each, "name": word(each["name"])} for each in weapons]
    if lines := stats.get("attacks"):
        told["attacks"] = [_STRIKE.sub(lambda found: word(found[0]), line) for line in lines]
    return told
