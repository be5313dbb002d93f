"""Lists of mappings as people type them, weapons above all: "blaster, 4D, 4D; blade, 5D, 4D+2"."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from combatkit.core.plain import short
from combatkit.errors import InvalidInput
from combatkit.rules.catalogue import Stat

_BESIDE, _NEXT = ",", ";"
_NUMBER = re.compile(r"[+-]?\d{1,9}")
_MARKS = re.compile(f"[{_BESIDE}{_NEXT}]")


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


def typed_text(stat: Stat, rows: Sequence[Mapping[str, object] | str]) -> str | None:
    """Return what would have to be typed for these mappings, or names alone; None where it can't be."""
    names, texts = parts_of(stat), []
    for each in rows:
        row: Mapping[str, object] = {names[0]: each} if isinstance(each, str) else each
        if any(key not in names or not _is_plain(value) for key, value in row.items()):
            return None
        texts.append(f"{_BESIDE} ".join(str(row.get(name, "")) for name in names).rstrip(f"{_BESIDE} "))
    return f"{_NEXT} ".join(texts)


def _is_plain(value: object) -> bool:
    return type(value) is int or (isinstance(value, str) and not _MARKS.search(value))


def hint_of(stat: Stat) -> str:
    """Say what to type."""
    example = typed_text(stat, stat.example[:1]) or ""
    told = f"{', '.join(parts_of(stat)).capitalize()}; a semicolon comes before the next."
    return f"{told} Example: {example}" if example else told
