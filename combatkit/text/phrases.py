"""Sentences that are looked up as they stand: English templates with named fields, and what a language says for each.

Rules, forms and pages say what they say in English, with names and numbers in it. A language has the same template:
``"{name} has no {slot} left." = "{name}: {slot} verbraucht."`` It is found by what stands between the fields, where
words are shown, so that no rule knows of languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial

_FIELD = re.compile(r"\{(\w+)\}")

NAMED = frozenset(
    [
        "name",
        "who",
        "names",
        "target",
        "other",
        "others",
        "side",
        "seat",
        "foes",
        "by",
        "leader",
        "unit",
        "plays",
        "fighter",
        "actor",
        "bearer",
        "file",
    ]
)
"""Fields for what people have named: it goes in as it is. What fills any other may be words of ours."""

_BETWEEN = re.compile(r"(, | or | and | · |; |: | \(|\)$)")
"""What stands between several words of ours."""


class Phrases:
    """The sentences of a language.

    Parameters
    ----------
    texts : mapping of str to str
        What it says for each English template.
    word : callable
        What says what stands in a field, if it is a word of ours.

    Examples
    --------
    >>> said = Phrases({"{name} has {left} left.": "{name} hat noch {left}."}, str)
    >>> said.find("Mara has 2 left."), said.find("Mara has none.")
    ('Mara hat noch 2.', None)
    """

    __slots__ = ("_plain", "_templates", "_word")

    def __init__(self, texts: Mapping[str, str], word: Callable[[str], str]) -> None:
        self._word = word
        self._plain = {text: said for text, said in texts.items() if not _FIELD.search(text)}
        fielded = sorted((t for t in texts if t not in self._plain), key=_weight, reverse=True)
        self._templates = [(max(_FIELD.split(t)[::2], key=len), _pattern(t), texts[t]) for t in fielded]

    def find(self, text: str) -> str | None:
        """Return a sentence in the language; None if it has none for it."""
        plain = self._plain.get(text)
        if plain is not None:
            return plain
        for part, pattern, said in self._templates:
            if part in text and (found := pattern.fullmatch(text)) is not None:
                return _FIELD.sub(partial(self._filled, found.groupdict()), said)
        return None

    def _filled(self, values: Mapping[str, str], field: re.Match[str]) -> str:
        """Return what fills a field."""
        value = values[field[1]]
        return value if field[1].rstrip("0123456789") in NAMED else self.of_several(value)

    def of_several(self, text: str) -> str:
        """Return words of ours in the language, one by one if there is nothing to say for all of them."""
        whole = self._word(text)
        if whole != text or not _BETWEEN.search(text):
            return whole
        pieces = _BETWEEN.split(text)
        return "".join(self._word(piece) for piece in pieces)


def _weight(template: str) -> tuple[int, int]:
    """Return how much of a template stands fast: the one that says most is tried first."""
    return len(_FIELD.sub("", template)), -len(_FIELD.findall(template))


def _pattern(template: str) -> re.Pattern[str]:
    """Return what a template looks like once it is filled in."""
    pieces = _FIELD.split(template)
    seen: set[str] = set()
    made = []
    for index, piece in enumerate(pieces):
        if index % 2 == 0:
            made.append(re.escape(piece))
        elif piece in seen:
            made.append(f"(?P={piece})")
        else:
            seen.add(piece)
            made.append(f"(?P<{piece}>.+?)")
    return re.compile("".join(made), re.DOTALL)
