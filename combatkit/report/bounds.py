"""How long a line of the log is at most, where it is sent to be shown."""

from __future__ import annotations

from typing import Any

from combatkit.rules.shapes import Parts

_PARTS, _LONG = 48, 1_200
"""How many parts, and how many characters, a line may have; the rest of it stands in the event."""


def bounded(parts: Parts) -> Parts:
    """Return a line's parts, cut where it would be longer than anybody reads."""
    left, kept = _LONG, list[Any]()
    for part in parts[:_PARTS]:
        key = next(iter(part)) if isinstance(part, dict) else ""
        words = part.get(key) if isinstance(part, dict) else part
        if isinstance(words, str):
            if len(words) > left:
                words = words[: max(left - 1, 0)].rstrip() + "\N{HORIZONTAL ELLIPSIS}"
                kept.append({**part, key: words} if isinstance(part, dict) else words)
                return kept
            left -= len(words)
        kept.append(part)
    if len(parts) > _PARTS:
        kept.append(f" and {len(parts) - _PARTS} more")
    return kept
