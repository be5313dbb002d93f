"""Cutting what is shown or answered to a size: what nobody would read to the end need not be sent."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec import json

T = TypeVar("T")


def size(data: object) -> int:
    """Return how many bytes of JSON plain data has."""
    return len(json.encode(data))


def first(items: Iterable[T], most: int) -> list[T]:
    """Return the first items, as many as fit into so many bytes."""
    fitting = []
    for item in items:
        most -= size(item) + 1
        if most < 0:
            break
        fitting.append(item)
    return fitting


def newest(lines: Mapping[str, T], most: int) -> dict[str, T]:
    """Return the last entries of a mapping, as many as fit into so many bytes, in their order."""
    keys = []
    for key in reversed(list(lines)):
        line = lines[key]
        most -= size(line) + len(key) + 4
        if most < 0:
            break
        keys.append(key)
    return {key: lines[key] for key in reversed(keys)}


def around(sizes: list[int], centre: int, most: int) -> tuple[int, int]:
    """Return which part of a list is shown if the whole doesn't fit: from a little above one place on.

    Examples
    --------
    >>> around([1] * 20, 10, 8), around([1] * 20, 19, 8), around([1] * 20, 0, 40)
    ((8, 16), (12, 20), (0, 20))
    """
    if sum(sizes) <= most:
        return 0, len(sizes)
    start = stop = centre
    above = most // 3
    while start and above >= sizes[start - 1]:
        start -= 1
        above -= sizes[start]
    left = most - sum(sizes[start:stop])
    while stop < len(sizes) and left >= sizes[stop]:
        left -= sizes[stop]
        stop += 1
    while start and left >= sizes[start - 1]:
        start -= 1
        left -= sizes[start]
    return start, stop


def cut(words: str, most: int) -> str:
    """Return words, cut short if they have more characters than that."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
