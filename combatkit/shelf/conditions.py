"""Conditions of your own that a shelf keeps: a name, the numbers it changes, how long it lasts."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import msgspec

from combatkit.core.model import Condition, State
from combatkit.errors import InvalidInput
from combatkit.files.paths import read_file, write_file
from combatkit.rules.checks import anchor_of, check_condition
from combatkit.rules.params import check_modifiers

FILE = "shelf.conditions"
"""The file in a shelf's folder that holds them, as JSON."""

_MOST, _BYTES = 200, 1 << 19


def conditions_in(folder: Path) -> dict[str, Condition]:
    """Return the conditions kept in a folder, by their ids in small letters.

    Raises
    ------
    InvalidInput
        If the file isn't as it was written.
    """
    path = folder / FILE
    if not path.exists():
        return {}
    try:
        rows = msgspec.json.decode(read_file(path, "conditions", _BYTES), type=list[Condition])
    except msgspec.MsgspecError as error:
        raise InvalidInput(f"{FILE} cannot be read: {error}; it is what keep_condition writes") from None
    made = (checked(row.id, row.modifiers, row.until) for row in rows)
    return {each.id.casefold(): each for each in made}


def checked(id: object, modifiers: Mapping[str, int] | None, until: object) -> Condition:
    """Check a condition to keep, and return it."""
    name = check_condition(id)
    numbers = check_modifiers(modifiers, f"condition {name}")
    anchor_of(State(), "", until)
    return Condition(name, modifiers=numbers, until=until if isinstance(until, str) and until else None)


def keep_in(folder: Path, kept: Condition) -> None:
    """Keep a condition in a folder, in the place of any of its name."""
    held = {**conditions_in(folder), kept.id.casefold(): kept}
    if len(held) > _MOST:
        raise InvalidInput(f"keep_condition: a shelf keeps at most {_MOST} conditions; take some out of {FILE}")
    write_file(folder / FILE, msgspec.json.format(msgspec.json.encode(list(held.values()))) + b"\n")
