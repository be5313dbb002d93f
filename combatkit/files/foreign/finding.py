"""Where something is in a tree: paths as a mapping writes them, and the places they lead to.

A path is names with dots between them, from a record downward: ``"system.hp.max"``. ``*`` goes into everything there,
``name[key=word]`` only into list items whose key has that word; ``.`` is the record itself.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from combatkit.core.plain import short
from combatkit.errors import InvalidInput

Place = tuple[str | int, ...]
"""Where something is: keys, and numbers in lists."""

_STEP = re.compile(r"([^\[\]=]+?)(?:\[([^\[\]=]+)=([^\[\]]*)\])?\Z")
_LONGEST = 200


@lru_cache(maxsize=1024)
def read_path(path: str) -> tuple[tuple[str, str, str], ...]:
    """Read a path into its steps: a name, and the key and the word that it asks for.

    Raises
    ------
    InvalidInput
        If it isn't one.

    Examples
    --------
    >>> read_path("items[type=feat].name")
    (('items', 'type', 'feat'), ('name', '', ''))
    """
    if path == ".":
        return ()
    steps = []
    for part in re.split(r"\.(?![^\[]*\])", path) if len(path) <= _LONGEST else ("",):
        found = _STEP.match(part)
        if found is None:
            raise InvalidInput(
                f"{short(path)} isn't a path; write names with dots between them, such as 'system.hp.max'"
            )
        steps.append((found[1], found[2] or "", found[3] or ""))
    return tuple(steps)


def find(tree: object, path: str, start: Place = ()) -> Iterator[tuple[Place, object]]:
    """Yield every place a path leads to, and what is there.

    Examples
    --------
    >>> list(find({"items": [{"type": "feat", "name": "Run"}]}, "items[type=feat].name"))
    [(('items', 0, 'name'), 'Run')]
    """
    found = [(start, tree)]
    for name, key, word in read_path(path):
        found = [place for above in found for place in _into(*above, name, key, word)]
    yield from found


def inner(value: object) -> Iterable[tuple[str | int, object]]:
    """Return what a mapping or a list holds, each with its key or number; nothing for anything else."""
    return value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()


def text_of(value: object) -> object:
    """Return the text of an element that also has attributes; anything else is itself."""
    return value["#text"] if isinstance(value, dict) and "#text" in value else value


def told_path(place: Place) -> str:
    """Return a place as people write it.

    Examples
    --------
    >>> told_path(("system", "attacks", "melee", 0, "damage"))
    'system.attacks.melee[0].damage'
    """
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in place).lstrip(".")


def _into(place: Place, value: object, name: str, key: str, word: str) -> Iterator[tuple[Place, object]]:
    if name == "*":
        for step, each in inner(value):
            yield from _those(((*place, step), each), key, word)
    elif isinstance(value, dict) and name in value:
        yield from _those(((*place, name), value[name]), key, word)
    elif isinstance(value, list):
        for number, each in enumerate(value):
            if isinstance(each, dict) and name in each:
                yield from _those(((*place, number, name), each[name]), key, word)


def _those(found: tuple[Place, object], key: str, word: str) -> Iterator[tuple[Place, object]]:
    """Yield what was found, or the items in it with the required word: several may be written as just one element."""
    place, value = found
    if not key:
        yield found
        return
    several = enumerate(value) if isinstance(value, list) else ((None, value),)
    for number, each in several:
        if isinstance(each, dict) and str(text_of(each.get(key))) == word:
            yield (place if number is None else (*place, number)), each
