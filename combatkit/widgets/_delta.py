"""What changed between two views, as the front end can follow: see ``docs/wire.md``."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from msgspec.json import encode

_SHORT = 8
"""A list as long as this is told whole: that is shorter than where its items go."""


def changes(old: Mapping[str, object], new: Mapping[str, Any]) -> list[list[Any]]:
    """Return the entries of a delta that leads from one view to another.

    Parameters
    ----------
    old, new : dict
        Plain data. What is the same object in both is not looked into.

    Returns
    -------
    list of list
        ``[path, value]``, where None takes the key away and a key may be a list of keys; or
        ``[path, items, start, count]``, where items take the place of `count` others in a list.

    Examples
    --------
    >>> changes({"rows": {"1": {"hp": 3}, "2": {"hp": 4}}}, {"rows": {"1": {"hp": 2}, "2": {"hp": 2}}})
    [[['rows', ['1', '2'], 'hp'], 2]]
    """
    found: list[list[Any]] = []
    _compare((), old, new, found)
    full = [part for part, most in new.get("newest", {}).items() if len(new[part]) == most]
    oldest = {part: int(next(iter(new[part]))) for part in full}
    return _together(entry for entry in found if not _goes_by_itself(entry, oldest))


def _goes_by_itself(entry: list[Any], oldest: dict[str, int]) -> bool:
    """Check whether an entry only takes away what is older than the newest that are kept."""
    path, value = entry[:2]
    return value is None and len(path) == 2 and path[0] in oldest and int(path[1]) < oldest[path[0]]


def _compare(path: tuple[str, ...], old: Any, new: Any, found: list[list[Any]]) -> None:
    if type(old) is dict and type(new) is dict:
        for key, value in new.items():
            before = old.get(key)
            if before is not value and (before != value or type(before) is not type(value)):
                _compare((*path, key), before, value, found)
        if not old.keys() <= new.keys():
            found.extend([[*path, key], None] for key, before in old.items() if key not in new and before is not None)
    elif type(old) is list and type(new) is list:
        _compare_lists(path, old, new, found)
    elif old != new or type(old) is not type(new):
        found.append([list(path), new])


def _compare_lists(path: tuple[str, ...], old: list[Any], new: list[Any], found: list[list[Any]]) -> None:
    """Compare records one by one, so that what stays isn't drawn again; of others say what lies between equal ends."""
    if len(old) == len(new) and {dict}.issuperset(map(type, (*old, *new))):
        for index, (before, after) in enumerate(zip(old, new, strict=True)):
            if before is not after and before != after:
                _compare((*path, str(index)), before, after, found)
    elif old != new and len(new) <= _SHORT:
        found.append([list(path), new])
    elif old != new:
        start, end, shorter = 0, 0, min(len(old), len(new))
        while start < shorter and old[start] == new[start]:
            start += 1
        while end < shorter - start and old[-1 - end] == new[-1 - end]:
            end += 1
        found.append([list(path), new[start : len(new) - end], start, len(old) - start - end])


def _together(found: Iterable[list[Any]]) -> list[list[Any]]:
    """Join entries that put the same value at the same key of several things."""
    joined: dict[object, list[Any]] = {}
    for entry in found:
        path, value = entry[:2]
        key = (*path[:-2], path[-1], encode(value)) if len(path) > 1 == len(entry) - 1 else id(entry)
        first = joined.setdefault(key, entry)
        if first is not entry:
            many = first[0][-2]
            first[0][-2] = [*(many if isinstance(many, list) else [many]), path[-2]]
    return list(joined.values())
