"""Sentences that are looked up as they stand: English templates with named fields, and what a language says for each.

Rules, forms and pages say what they say in English, with names and numbers in it. A language has the same template:
``"{name} has no {slot} left." = "{name}: {slot} verbraucht."`` It is found by what stands between the fields, where
words are shown, so that no rule knows of languages.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Container, Mapping
from functools import partial

_FIELD = re.compile(r"\{(\w+)\}")

_SEVERAL = frozenset(("names", "targets", "others", "foes", "plays", "awaited"))
"""Fields for names of which there may be several."""

NAMED = _SEVERAL | frozenset(
    (
        *("name", "who", "target", "other", "side", "seat", "by", "leader", "unit", "fighter", "actor", "bearer"),
        *("file", "at", "spot", "position", "goal", "active", "after", "then", "waiting", "passed", "params"),
        *("wins", "encounter", "called"),
    )
)
"""Fields for what people have named: it goes in as it is. What fills any other may be words of ours."""

_SAYING = "reason"
"""The field for a whole sentence, of whatever parts: it has lost its stop where the one around it has its own."""

_STOP = "_stop"
"""What holds the stop behind a template that has none of its own."""

_STOPS = (".", "?", "!", ":", ",", ";", "\N{HORIZONTAL ELLIPSIS}")

_OTHERS = NAMED | {"digits", "number", "path", _STOP}
"""Fields that hold no words of ours."""

_TELLING = 7
"""A sentence is known by so many signs side by side: "the {name}" could be anything."""

_WORDS = re.compile("^[^'\"].*[A-Za-z]{2}")
"""What may be words of ours: more than a number or dice, and nothing in quotes."""

_NUMBER = "[\\d.,½\N{EN DASH}\N{MINUS SIGN}+-]+(?:D(?:\\+\\d)?)?"
"""What fills a field called ``digits``: a number, or a code of dice; in one called ``number`` stands a number or a word
for one."""

_STOPPED = "|[.?] "
"""Where a sentence ends, for whoever is `awaited`: they are named behind what they are asked. A name with a stop in it
is set aside before anything is looked up."""

_APART = ("; ", " · ")
"""What stands between whole sayings."""

_BETWEEN = (". ", "? ", *_APART, ": ", ", ", " or ", " and ", " + ", " - ")
"""What stands between several words of ours, the widest apart first."""

_AFTER = re.compile(r"(?<=[.?]) ")
"""What stands between sentences: each keeps its own stop, by which it is known."""

_REST = re.compile(r"(?:^|(?<= and ))(\d+ more)$")

_SOMEBODY = "somebody"
"""What stands for whoever has no name here: it stands where names do, and is a word of ours."""

_ROLES = re.compile(r"(?:^|(?<=, )|(?<= and )|(?<= or ))(?:you|your GM|the GM)(?=$|, | and | or )", re.IGNORECASE)
"""Who stands among several names, and is called by a word of ours."""


def capital(words: str) -> str:
    """Return words with a capital letter first, as a sentence begins."""
    return words[:1].upper() + words[1:]


def stopped(known: Callable[[str], str | None], text: str) -> str | None:
    """Return what is known for a text, or for the same without the stop that it ends with."""
    said = known(text)
    if said is None and text[-1:] in (".", "?"):
        bare = known(text[:-1])
        said = bare and bare + text[-1]
    return said


class Phrases:
    """The sentences of a language.

    Parameters
    ----------
    texts : mapping of str to str
        What it says for each English template.
    word : callable
        What says what stands in a field, if it is a word of ours.
    title : callable
        What says that of a title, or of a word by itself; None of anything else.
    told : container of str
        What is in the language already, and stays.
    dice : callable
        What writes dice as the language does: no words are said by that.

    Examples
    --------
    >>> said = Phrases({"{name} has {left} left.": "{name} hat noch {left}."}, str, str)
    >>> said.find("Mara has 2 left."), said.find("Mara has none.")
    ('Mara hat noch 2.', None)
    """

    __slots__ = ("_dice", "_plain", "_templates", "_title", "_told", "_word")

    def __init__(
        self,
        texts: Mapping[str, str],
        word: Callable[[str], str],
        title: Callable[[str], str | None],
        told: Container[str] = frozenset(),
        dice: Callable[[str], str] = str,
    ) -> None:
        self._word, self._title, self._told, self._dice = word, title, told, dice
        self._plain = {text: said for text, said in texts.items() if not _FIELD.search(text)}
        fielded = sorted((t for t in texts if t not in self._plain), key=_weight, reverse=True)
        self._templates = [(max(_FIELD.split(t)[::2], key=len), _pattern(t), texts[t]) for t in fielded]

    def whole(self, text: str) -> str | None:
        """Return a sentence in the language, if all of it is known: fields hold names, numbers, dice or a title."""
        plain = stopped(self._plain.get, text)
        if plain is not None:
            return plain
        for part, pattern, said in self._templates:
            if len(part) >= _TELLING and part in text and (found := pattern.fullmatch(text)) is not None:
                values = found.groupdict()
                ours = (value for field, value in values.items() if field.rstrip("0123456789") not in _OTHERS)
                if all(map(self._is_known, ours)):
                    return _FIELD.sub(partial(self._filled, values), said) + values.get(_STOP, "")
        return None

    def _is_known(self, text: str) -> bool:
        """Check whether a field holds what can be said, or what is in the language already."""
        is_told = text in self._told or f"{text}." in self._told
        return is_told or not _WORDS.search(self._dice(text)) or bool(self._title(text) or self.whole(text))

    def find(self, text: str, several: bool = False) -> str | None:
        """Return a sentence in the language, or one saying of `several` sentences; None if it has none for it."""
        plain = stopped(self._plain.get, text)
        if plain is not None:
            return plain
        apart = _APART[1] in text  # whole sayings side by side: none of them is a field of another
        for part, pattern, said in self._templates:
            if (
                part in text
                and not (apart and _APART[1] not in said)
                and not (several and not _AFTER.search(said))
                and (found := pattern.fullmatch(text)) is not None
            ):
                values = found.groupdict()
                if not several or not any(_AFTER.search(value) for value in values.values()):
                    return _FIELD.sub(partial(self._filled, values), said) + values.get(_STOP, "")
        return None

    def _filled(self, values: Mapping[str, str], field: re.Match[str]) -> str:
        """Return what fills a field."""
        name, value = field[1].rstrip("0123456789"), values[field[1]]
        if name in _SEVERAL:
            value = _REST.sub(lambda rest: self._word(rest[1]), value)
            value = _ROLES.sub(lambda role: self._role(role[0]), value)
            return value.replace(" and ", self._word(" and ")).replace(" or ", self._word(" or "))
        if name in NAMED:
            return self._role(value) if value.lower() == _SOMEBODY else value
        if name == _SAYING and (said := self.whole(value) or self.whole(f"{value}.")):
            return said if value.endswith(".") else said.removesuffix(".")
        return self.of_several(value)

    def _role(self, words: str) -> str:
        """Return what a word of ours is called; where it begins a sentence, with a capital."""
        said = words if words in self._told else self._word(f"{words[:1].lower()}{words[1:]}")
        return capital(said) if words[:1].isupper() else said

    def of_several(self, text: str) -> str:
        """Return words of ours in the language, one by one if there is nothing to say for all of them."""
        if text in self._told:
            return text
        if text.endswith("]") and " [" in text:  # by which rule
            before, _, rule = text.rpartition(" [")
            return f"{self.of_several(before)} [{rule}"
        pieces = _AFTER.split(text)
        known = self.find(text, several=True) if len(pieces) > 1 else None
        if known is not None:  # its sentences needn't be known by themselves
            return known
        sentences = [*map(self._word, pieces)] if len(pieces) > 1 else []
        if sentences and not any(map(str.__eq__, map(self._dice, pieces), sentences)):
            return " ".join(sentences)
        whole = self._word(text)
        if whole != self._dice(text):
            return whole
        before, _, inside = text[:-1].rpartition(" (") if text.endswith(")") else ("", "", "")
        if before and not any(mark in before for mark in _APART):
            return f"{self.of_several(before)} ({self.of_several(inside)})"
        for mark in _BETWEEN:
            if mark in text:
                return self._word(mark).join(map(self.of_several, text.split(mark)))
        return whole


def _weight(template: str) -> tuple[bool, int, bool, int]:
    """Return how much of a template stands fast: what leads in another saying is tried first, then what says most."""
    leads = template.rstrip(".").endswith(f" {{{_SAYING}}}")
    return leads, len(_FIELD.sub("", template)), not template.startswith("{"), -len(_FIELD.findall(template))


def _pattern(template: str) -> re.Pattern[str]:
    """Return what a template looks like once it is filled in."""
    pieces = _FIELD.split(template)
    made = [re.escape(pieces[0])]
    seen: set[str] = set()
    for before, field, after in zip(pieces[::2], pieces[1::2], pieces[2::2], strict=False):
        if field in seen:
            looks = f"(?P={field})"
        elif seen and not before:  # right behind another: nothing, or set off from it
            looks = f"(?P<{field}>(?:[,:;(].*?)?)"
        else:
            looks = f"(?P<{field}>{_looks(field, before[-1:], after[:1])})"
        # A last stop belongs to a sentence, not to what fills its last field.
        made += [looks, "" if after or not before.endswith(" ") else "(?<![.?])", re.escape(after)]
        seen.add(field)
    # Said as a sentence it has a stop more than as a part of one; or else one that says less would fit before it.
    made += [] if template.endswith(_STOPS) else [f"(?P<{_STOP}>[.?]?)"]
    return re.compile("".join(made), re.DOTALL)


def _looks(field: str, before: str, after: str) -> str:
    """Return what may fill a field between two signs: brackets as a whole, and nothing that begins another saying."""
    if field.startswith("digits"):
        return _NUMBER
    if field.startswith("number"):
        return f"(?:{_NUMBER}|[a-z]{{3,5}})"  # at most "three", "seven", "eight"
    if field.startswith(_SAYING):
        return ".+?"
    apart = f"[:;·] {_STOPPED if field == 'awaited' else ''}" if field.rstrip("0123456789") in NAMED else "; "
    least = "+" if before.isspace() or (after.isspace() and not before) else "*"  # what hangs on may be empty
    return rf"(?:\([^()]*\)|(?!{apart}).){least}?"
