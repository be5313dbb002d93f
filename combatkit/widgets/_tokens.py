"""What stands for somebody where there is no room for a name: initials, in the shape of their side."""

from __future__ import annotations

import re
from functools import lru_cache
from typing import TYPE_CHECKING

from combatkit.core.curtain import bare_of_article
from combatkit.rules.weapons import said_spot
from combatkit.widgets.shapes import Token

if TYPE_CHECKING:
    from combatkit.core.model import Fighter
    from combatkit.rules.ruleset import Ruleset

_WORD = re.compile(r"[^\W\d_]+|\d+", re.UNICODE)


@lru_cache(maxsize=1024)
def initials(name: str) -> str:
    """Return the initials of a name, or its initial and number; two letters at most, and two figures.

    An article stands for nobody.

    Examples
    --------
    >>> [initials(name) for name in ("Mara", "Guard 12", "Captain Dray", "Gang boss of the lower docks 3", "!")]
    ['M', 'G12', 'CD', 'G3', '!']
    >>> initials("a hooded man"), initials("the captain"), initials("A")
    ('HM', 'C', 'A')
    """
    words: list[str] = _WORD.findall(bare_of_article(name))
    if not words:
        return name[:1]
    if words[-1].isdigit() and len(words) > 1:
        return words[0][0].upper() + words[-1][-2:]
    return "".join(word[0].upper() for word in (words[0], *words[1:][-1:]))


def token(fighter: Fighter, sides: dict[str, int]) -> Token:
    """Return what stands for a combatant."""
    shown: Token = {"side": sides[fighter.side] % 8, "initials": initials(fighter.name)}
    if portrait := fighter.stats.get("portrait"):
        shown["portrait"] = portrait
    return shown


def place_of(rules: Ruleset, fighter: Fighter) -> str:
    """Return where somebody is; nothing without positions, or where they stand in a strip of their own: in zones."""
    return "" if fighter.position is None or rules.board.kind == "zones" else said_spot(fighter.position)
