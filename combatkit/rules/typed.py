"""Lists of mappings as people type them, weapons above all: "blaster, 4D, 4D; blade, 5D, 4D+2"."""

from __future__ import annotations

import re
from collections.abc import Mapping

from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import Stat

_BESIDE, _NEXT = ",", ";"
_NUMBER = re.compile(r"[+-]?\d{1,9}")


def parts_of(stat: Stat) -> tuple[str, ...]:
    """Return what may be typed of each mapping in a list, in order: its parts, else those of its example."""
    if stat.parts:
        return tuple(part.name for part in stat.parts)
    rows = stat.example if isinstance(stat.example, (tuple, list)) else ()
    return tuple(dict.fromkeys(key for row in rows if isinstance(row, Mapping) for key in row))


def rows_typed(stat: Stat, text: str, where: str) -> list[dict[str, object]]:
    """Return the mappings that somebody has typed.

    Raises
    ------
    InvalidInput
        If one has more parts than there are.
    """
    names, rows = parts_of(stat), []
    texts = {names[0], *(part.name for part in stat.parts if part.type == "text")}
    for typed in text.split(_NEXT):
        words = [word.strip() for word in typed.split(_BESIDE)]
        if len(words) > len(names):
            raise InvalidInput(f"{where}: {stat.name} holds {short(typed.strip())}; give {', '.join(names)}")
        row = {name: _read(word, name in texts) for name, word in zip(names, words, strict=False) if word}
        if row:
            rows.append(row)
    return rows


def _read(word: str, is_text: bool) -> object:
    plain = word.replace("\N{MINUS SIGN}", "-")
    return int(plain) if not is_text and _NUMBER.fullmatch(plain) else word


def boxes_of(stat: Stat) -> list[tuple[str, str, str]]:
    """Return the boxes into which one such mapping is typed: what each holds, its title, and its kind."""
    if stat.parts:
        return [(part.id, part.title or part.id.capitalize(), part.type) for part in stat.parts]
    return [(key, key.capitalize(), "int|text" if at else "text") for at, key in enumerate(parts_of(stat))]


def rows_in_boxes(stat: Stat, value: object) -> list[dict[str, object]] | None:
    """Return mappings, or names alone, as they stand in such boxes; None where they can't."""
    if not isinstance(value, (tuple, list)):
        return None if value else []
    names = parts_of(stat)
    rows = [dict(each) if isinstance(each, Mapping) else {names[0]: each} for each in value]
    plain = all(key in names and isinstance(part, (int, str)) for row in rows for key, part in row.items())
    return rows if plain else None
