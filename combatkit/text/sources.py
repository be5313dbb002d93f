"""The words of ours there are, in English, wherever they are said: written down by ``tools/words.py``."""

from __future__ import annotations

import re
from functools import cache

_FIELD = re.compile(r"\{(\w+)\}")
_FRONT = "# front ends"


@cache
def _parts() -> tuple[tuple[str, ...], tuple[str, ...]]:
    from pathlib import Path  # only who translates waits for it

    text = Path(__file__).with_name("words.txt").read_text(encoding="utf-8")
    behind, _, front = text.partition(_FRONT)
    return _lines(behind), _lines(front)


def _lines(text: str) -> tuple[str, ...]:
    return tuple([line for line in text.splitlines() if line and not line.startswith("# ")])


def all_words() -> tuple[str, ...]:
    """Return every title, word and sentence of ours, with its fields."""
    behind, front = _parts()
    return tuple(dict.fromkeys([*behind, *front]))


def front_end() -> tuple[str, ...]:
    """Return those that the front ends say by themselves."""
    return _parts()[1]


def front_end_only() -> frozenset[str]:
    """Return those that nothing else says."""
    behind, front = _parts()
    return frozenset(front).difference(behind)


@cache
def _looks() -> re.Pattern[str]:
    """Return what everything looks like that a front end says by itself."""
    return re.compile("|".join(".+".join(map(re.escape, _FIELD.split(text)[::2])) for text in front_end()), re.DOTALL)


def spoken_before(text: str) -> bool:
    """Check whether a front end could say something by itself.

    Examples
    --------
    >>> spoken_before("Captain of Guards"), spoken_before("Mara")
    (True, False)
    """
    return _looks().fullmatch(text) is not None


def numbered(text: str, like: str = "") -> str:
    """Return a template with numbers for its fields, in the order in which they stand in another, or in itself.

    Examples
    --------
    >>> numbered("{left} of {all}"), numbered("von {all} noch {left}", "{left} of {all}")
    ('{0} of {1}', 'von {1} noch {0}')
    """
    fields = _FIELD.findall(like or text)
    return _FIELD.sub(lambda field: f"{{{fields.index(field[1])}}}", text)
