"""The last step before anything is shown: words of ours in the fight's language, and those of the front ends with them.

Everything behind it is in English, but for the log, which has been told in the language already. Which parts of a view
are words of ours is said by their keys; names, and what people typed, go in as they are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import count
from operator import itemgetter
from typing import Any
from weakref import WeakKeyDictionary

from combatkit.fight.fight import Encounter
from combatkit.report.shapes import Tongue
from combatkit.text import ENGLISH, Language
from combatkit.text.phrases import capital
from combatkit.text.sources import front_end, numbered
from combatkit.widgets._vantage import Vantage

_OURS = frozenset(
    [
        "about",
        "after",
        "announce",
        "back",
        "brief",
        "call",
        "caption",
        "chip",
        "coming",
        "cost",
        "error",
        "example",
        "extra",
        "ends",
        "first",
        "foretold",
        "goes",
        "high",
        "hint",
        "hints",
        "hurt",
        "label",
        "lasts",
        "lead",
        "legend",
        "length",
        "lets",
        "needs",
        "note",
        "notice",
        "plus",
        "quiet",
        "rangeless",
        "reason",
        "result",
        "right",
        "said",
        "says",
        "score",
        "small",
        "state",
        "strong",
        "sub",
        "sum",
        "summary",
        "text",
        "then",
        "time",
        "title",
        "titles",
        "told",
        "unlimited",
        "veil",
        "was",
        "why",
        "wishes",
        "whys",
        "word",
        "words",
    ]
)
"""The keys of what people read."""

_PAIRS = frozenset(["vitals", "systems", "scenes", "topics", "actions", "choices", "parts", "near", "values"])
"""The keys of lists in which an id comes before what it is called."""

_TOLD = frozenset(["lines", "heads", "views", "rolls", "params", "given", "data", "modifiers"])
"""The keys of what has been told already, and of plain data."""

_TYPED = frozenset(["note", "name", "who", "names", "own", "side", "id", "value", "given", "params", "data"])
"""The keys of what somebody has typed, and of names by themselves."""

_MARKS = frozenset(["die", "rule", "was", "chip", "quiet", "side"])
"""The keys of what stands in the middle of rich text."""

_FIRST = itemgetter(slice(1))

_DATA = frozenset(["rule", "die", "side", "name", "id", "who", "kind", "url", "table", "mark", "number", "seq"])
"""The keys of what is never words, also within rich text."""


def in_words(
    view: Mapping[str, object], language: Language | None, names: Iterable[str] = (), people: Sequence[str] = ()
) -> dict[str, Any]:
    """Return a view, or an answer, with the words of ours in a language.

    Parameters
    ----------
    view : dict
        Plain data, as a front end gets it. A refusal with ``"whole"`` is said as a whole or not at all.
    language : Language, optional
        The language; in English nothing changes.
    names : iterable of str
        Names that may stand among words of ours.
    people : sequence of str
        Those of them with which sentences may begin.
    """
    if "locator" in view:  # a rule is in the words of its book
        return dict(view)
    whole = "whole" in view
    if whole:
        view = {key: each for key, each in view.items() if key != "whole"}
    if language is not None and language.id != ENGLISH:
        names = frozenset(names)
        say = _Saying(language.among(names, whole=whole), names)
        view = {key: _said(key, value, say) for key, value in view.items()}
    small = any(map(str.islower, map(_FIRST, people)))
    return _Capitals(people).begun(view) if small else dict(view)


class _Capitals:
    """Gives a capital to whatever people read where a sentence begins with a name, also where that is a phrase."""

    def __init__(self, names: Sequence[str]) -> None:
        self._names = frozenset(names)
        each = "|".join(map(re.escape, sorted(names, key=len, reverse=True)))
        self._starts = re.compile(rf"(?:^|(?<=[.!?] ))(?:{each})(?=[,:'\u2019]? ?\S)(?!\w)")

    def begun(self, view: Mapping[str, Any], begins: bool = True) -> dict[str, Any]:
        """Return a view, or a part of it; what somebody has typed, and a name by itself, stay as they are."""
        return {key: each if key in _TYPED else self._part(each, begins) for key, each in view.items()}

    def _part(self, value: Any, begins: bool) -> Any:
        kind = type(value)
        if kind is str:
            return self._words(value, begins)
        if kind is dict:
            return self.begun(value, begins)
        return self._list(value) if kind is list or kind is tuple else value

    def _words(self, text: str, begins: bool) -> str:
        if text in self._names:
            return text
        found = self._starts.sub(lambda name: capital(name[0]), text)
        return found if begins else f"{text[:1]}{found[1:]}"

    def _list(self, parts: Sequence[Any]) -> list[Any]:
        """Return a list of what is said in turn: a part begins a sentence if the one before it has ended."""
        said, begins = [], True
        for part in parts:
            said.append(self._part(part, begins))
            words = part if type(part) is str else part.get("strong") if type(part) is dict else None
            if type(words) is str:
                begins = (not words.strip() and begins) or words.rstrip().endswith((".", "!", "?"))
            else:
                begins = type(part) is not dict or part.keys().isdisjoint(_MARKS)
        return said


_QUOTED = re.compile("\ue7fe([^\ue7fe]*)\ue7fe")
"""What somebody has typed, in the midst of words of ours."""

_ASIDE = 0xE700
"""The first of the signs that stand for it meanwhile."""


def as_typed(vantage: Vantage, words: str) -> str:
    """Mark somebody's own words, in the midst of ours, as such: they are shown as they are in every language."""
    return words if language_at(vantage).id == ENGLISH else f"\ue7fe{words}\ue7fe"


class _Saying:
    """Says words of ours; what is set off by itself and is somebody's name stays one, whatever else it could mean."""

    def __init__(self, say: Callable[[str], str], names: frozenset[str]) -> None:
        self._say, self._names = say, names

    def __call__(self, text: str, key: str = "") -> str:
        """Return a text, or what stands under a key of rich text, in the language."""
        if key == "strong" and text in self._names:
            return text
        typed = [] if text.isascii() else _QUOTED.findall(text)
        signs = map(chr, count(_ASIDE))
        said = self._say(_QUOTED.sub(lambda _: next(signs), text) if typed else text)
        for at, words in enumerate(typed):
            said = said.replace(chr(_ASIDE + at), words)
        return said


def _said(key: str, value: Any, say: _Saying, ours: bool = False) -> Any:
    kind = type(value)
    ours = (ours or key in _OURS or (key == "lines" and kind is list)) and key not in _DATA
    if kind is str:
        return say(value, key) if ours and value else value
    if kind is dict:
        if (key in _TOLD and not ours) or value.get("theirs"):
            return value
        inner = ours and key == "words"
        return {k: _said(k, v, say, (ours and k not in _DATA) and (inner or k in _OURS)) for k, v in value.items()}
    if kind is list or kind is tuple:
        if key in _PAIRS and value and all(type(each) in (list, tuple) for each in value):
            return [[each[0], *(_said("title", more, say) for more in each[1:])] for each in value]
        if (
            key == "label" and len(value) == 2 and all(type(each) is str for each in value)
        ):  # a name, and what follows it
            return [*map(say, value)]
        key = "" if key == "params" else key  # what is asked for: what was given is no list
        return [_said(key, each, say, ours) for each in value]
    return value


_sent: WeakKeyDictionary[Language, Tongue] = WeakKeyDictionary()


def tongue_of(language: Language) -> Tongue:
    """Return the words that front ends say themselves, by what they are in English, with numbers for the fields."""
    found = _sent.get(language)
    if found is None:
        said = {text: language.sentences.get(text, language.word(text)) for text in front_end()}
        words = {numbered(k): numbered(v, k) for k, v in said.items() if v != k}
        found = {"lang": language.id, "words": words, "die": language.die}
        _sent[language] = found
    return found


def language_at(vantage: Vantage) -> Language:
    """Return the language of the fight that is looked at."""
    return language_of(vantage.encounter)


def language_of(encounter: Encounter) -> Language:
    """Return the language of a fight."""
    return encounter.ruleset.languages[encounter._state.language]


def told_from(vantage: Vantage, view: Mapping[str, object], *, root: bool = False) -> dict[str, Any]:
    """Return a view in the words of the fight; that of a widget's `root` brings those of the front ends along."""
    language, names = language_at(vantage), names_in(vantage)
    said = in_words(view, language, names, people_in(vantage))
    return with_tongue(said, language, names) if root else said


def people_in(vantage: Vantage) -> list[str]:
    """Return the names of those who fight, as somebody sees them."""
    return [*vantage.now._state.fighters]


def names_in(vantage: Vantage) -> list[str]:
    """Return what people have named, as somebody sees it: who fights, and on which sides; English needs none of it."""
    if language_at(vantage).id == ENGLISH:
        return []
    fighters = vantage.now._state.fighters.values()
    return [*dict.fromkeys([*(fighter.name for fighter in fighters), *(fighter.side for fighter in fighters)])]


def with_tongue(view: dict[str, Any], language: Language | None, names: Iterable[str] = ()) -> dict[str, Any]:
    """Return the view of a widget's root with the words that front ends say themselves, and with names like them."""
    if language is None or language.id == ENGLISH:
        return view
    own = [name for name in names if language._is_odd(name)]
    return view | {"tongue": tongue_of(language)} | ({"own": own} if own else {})
