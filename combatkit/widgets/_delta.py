"""What changed between two views, as briefly as the front end can follow: see ``docs/wire.md``."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

import msgspec

_ABSENT = object()
_encode = msgspec.json.encode

_SMALL = 16
"""A part with fewer keys is replaced whole where that is shorter than naming what changed in it."""

_LONG = 8
"""A plain list longer than this is not sent again for the sake of a few values."""


def changes(old: Mapping[str, object], new: Mapping[str, Any]) -> list[list[object]]:
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
    found: list[list[object]] = []
    _dicts((), old, new, found)
    gone = {part: next(iter(new[part])) for part, most in new.get("newest", {}).items() if len(new[part]) == most}
    return _spread([entry for entry in found if not _goes_by_itself(entry, gone)])


def _goes_by_itself(entry: list[Any], gone: dict[str, str]) -> bool:
    """Check whether an entry only takes away what is older than the newest that are kept."""
    path = entry[0]
    return entry[1] is None and len(path) == 2 and path[0] in gone and int(path[1]) < int(gone[path[0]])


def _dicts(
    path: tuple[str, ...], old: Mapping[str, object], new: Mapping[str, object], found: list[list[object]]
) -> None:
    for key, value in new.items():
        before = old.get(key, _ABSENT)
        if before is not value:
            _value((*path, key), None if before is _ABSENT else before, value, found)
    if len(old) != len(new) or old.keys() != new.keys():
        found.extend([[*path, key], None] for key, before in old.items() if key not in new and before is not None)


def _value(path: tuple[str, ...], old: object, new: object, found: list[list[object]]) -> None:
    inner: list[list[object]] = []
    if type(old) is dict and type(new) is dict:
        if old == new:
            return
        _dicts(path, old, new, inner)
        whole = len(new) < _SMALL
    elif type(old) is list and type(new) is list:
        if old == new:
            return
        if _are_records(old, new):
            for index, (before, after) in enumerate(zip(old, new, strict=True)):
                _value((*path, str(index)), before, after, inner)
            whole = True
        else:
            found.append(_splice(path, old, new))
            return
    elif old != new or type(old) is not type(new):
        found.append([list(path), new])
        return
    else:
        return
    if whole and len(inner) > 1 and len(_encode(_spread(inner))) > len(_encode([path, new])):
        inner = [[list(path), new]]
    found.extend(inner)


def _are_records(old: list[object], new: list[object]) -> bool:
    return len(old) == len(new) and all(type(a) is dict and type(b) is dict for a, b in zip(old, new, strict=True))


def _splice(path: tuple[str, ...], old: list[object], new: list[object]) -> list[object]:
    """Say a changed list: whole if it is short, else what lies between the ends that stay."""
    if len(new) <= _LONG:
        return [list(path), new]
    start = 0
    shorter = min(len(old), len(new))
    while start < shorter and old[start] == new[start]:
        start += 1
    end = 0
    while end < shorter - start and old[-1 - end] == new[-1 - end]:
        end += 1
    return [list(path), new[start : len(new) - end], start, len(old) - start - end]


def _spread(found: list[list[object]]) -> list[list[object]]:
    """Join entries that put the same value at the same place of several things."""
    last = _join(found, -1, lambda entry: entry[1] is None)
    return _join(last, -2, lambda entry: len(entry[0]) > 1 and not isinstance(entry[0][-1], list))


def _join(found: Iterable[list[Any]], at: int, joins: Callable[[list[Any]], bool]) -> list[list[object]]:
    joined: list[list[object]] = []
    groups: dict[object, list[Any]] = {}
    for entry in found:
        if len(entry) != 2 or not joins(entry):
            joined.append(entry)
            continue
        path, value = entry
        rest = (*path[:at], _ABSENT, *path[len(path) + at + 1 :])
        same = (rest, _encode(value))
        group = groups.get(same)
        if group is None:
            groups[same] = group = [list(path), value]
            joined.append(group)
            continue
        key = group[0][at]
        group[0][at] = [*key, path[at]] if isinstance(key, list) else [key, path[at]]
    return joined
