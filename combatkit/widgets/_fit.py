"""Cutting what is shown or answered to a size: what nobody would read to the end need not be sent."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TypeVar

from msgspec import json

from combatkit.core.limits import ANSWER
from combatkit.rules.shapes import Parts

T = TypeVar("T")

MANY = 110_000
"""How many bytes a list of a view may take; a name that doesn't fit can be typed."""

PART = ANSWER // 5
"""How many bytes a list may take that is one of several in an answer."""

LINE = 400
"""How many characters a line may have that is only to be read."""

TEXT = 1_000
"""How many characters an option's text or a refusal's reason may have."""


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


def noted(whys: list[Parts], why: Parts) -> int:
    """Return the place of a reason in a list, in which it is put if it isn't there yet."""
    if why not in whys:
        whys.append(why)
    return whys.index(why)


def cut(words: str, most: int) -> str:
    """Return words, cut short if they have more characters than that."""
    return words if len(words) <= most else f"{words[: most - 1].rstrip()}…"
