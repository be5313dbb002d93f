"""What is said, and how it becomes words: templates of the kit and of rulesets, in English if a language has none."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from itertools import chain
from string import Formatter
from typing import TYPE_CHECKING, Any, NamedTuple
from weakref import WeakSet

from msgspec import Struct

from combatkit.errors import InvalidInput, UnknownName, short, within
from combatkit.text.phrases import Phrases, capital, stopped
from combatkit.text.sources import front_end_only, spoken_before

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable
    from pathlib import Path


class Title(str):
    """A word of the rules that a language may have its own for: a title, a verb, the name of a condition."""

    __slots__ = ()


class Said(Struct, frozen=True, gc=False):
    """A template, and what fills it.

    Parameters
    ----------
    id : str
        The template's id.
    fields : dict
        What fills it: numbers, names, a `Title`, lists of those, or something else that is said.
    of : str, optional
        What it is said of, where a language may say it otherwise of that: the template ``id.of`` goes before ``id``.
    """

    id: str
    fields: dict[str, object]
    of: str = ""


PLAIN = "plain"
"""The template of what a person, or the data of a ruleset, says in full."""


def say(id: str, /, *, of: str = "", **fields: object) -> Said:
    """Return what is said by a template, filled with fields.

    Examples
    --------
    >>> say("vital.loses", amount=3, vital="hp", left=4)
    Said(id='vital.loses', fields={'amount': 3, 'vital': 'hp', 'left': 4}, of='')
    """
    return Said(id, fields, of)


# ── numbers and names: a real minus sign, and no name that turns round what stands beside it ──


_TURNING = re.compile("[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Characters that have no shape and set the direction of what follows them."""


def neutral(text: str) -> str:
    """Return text without the characters that would turn round what stands after it.

    Examples
    --------
    >>> neutral("Ma\u202era"), neutral("מרה")
    ('Mara', 'מרה')
    """
    return text if text.isascii() else _TURNING.sub("", text)


def signed(number: float, form: str = "") -> str:
    r"""Return a number as people write it: a minus sign before what is less than zero.

    Examples
    --------
    >>> signed(3, "+"), signed(0, "+"), signed(-7) == "\N{MINUS SIGN}7"
    ('+3', '0', True)
    """
    return format(number, form if number else form.lstrip("+")).replace("-", "\N{MINUS SIGN}")


# ── text with fields in braces, and brackets around what is left out where a field in it is empty ──


_PIECES = re.compile(r"\[([^\[\]]*)\]|([^\[\]]+)|(.)", re.DOTALL)
_SPEC = re.compile(r"|\^|all|and|[^{|}]*\|[^{|}]*|\+?,?(?:\.[0-9])?[dfg%]?")
_LITERAL = re.compile(r"\{[^{}|]*\}|\{\w*:|[\[\]|}]")
_EMPTY: tuple[object, ...] = ("", None, (), [])

_COMMA = Said("names.comma", {})
_LAST = {"all": _COMMA, "and": Said("names.and", {})}
"""What stands before the last of several that are all named, by how that is asked for."""

Write = Callable[[object], str]
"""How a language writes a value."""


class _Piece(NamedTuple):
    """A piece of a template: each text with the field after it, if there is one, and how that is written.

    It is left out if a field that it `hangs` on is empty.
    """

    hangs: tuple[str, ...]
    parts: tuple[tuple[str, str | None, str], ...]


class Template:
    """A template, taken apart once.

    ``{left}`` stands for a field, ``{left:+}`` for a number with its sign, ``{left:hex|hexes}`` for one of two words by
    whether the number is one, ``{who:^}`` for a field with a capital letter first, ``{names:all}`` and ``{names:and}``
    for several that are all named. What stands in ``[`` and ``]`` is left out if a field in it is empty, or not given.

    Parameters
    ----------
    where : str
        What to call it in an error.
    text : str
        The text.

    Raises
    ------
    InvalidInput
        If a brace or a bracket is alone, or a field is to be written in a form that is none of these.

    Examples
    --------
    >>> template = Template("en.toml: loses", "loses {amount}[, {left} {left:point|points} left]")
    >>> template.fill({"amount": 3, "left": 1}, str), template.fill({"amount": 3, "left": None}, str)
    ('loses 3, 1 point left', 'loses 3')
    """

    __slots__ = ("_pieces", "fields", "literal", "whole")

    def __init__(self, where: str, text: str) -> None:
        pieces = []
        for optional, plain, stray in _PIECES.findall(text):
            try:
                parsed = [_field(*each) for each in Formatter().parse(optional or plain)]
            except ValueError as error:
                raise InvalidInput(f"{where}: {text!r} isn't a template: {error}") from None
            if stray or any(name == "" for _, name, _ in parsed):
                raise InvalidInput(f"{where}: {text!r} isn't a template; close each bracket, and name each field")
            hangs = tuple(name for _, name, _ in parsed if name) if optional else ()
            pieces.append(_Piece(hangs, tuple(parsed)))
        self._pieces = tuple(pieces)
        self.whole = text if not any(name for piece in pieces for _, name, _ in piece.parts) else None
        """The text itself, if nothing has to be filled in."""
        self.literal = _LITERAL.sub(" ", text)
        """What stands in it besides fields."""
        self.fields = frozenset(name for piece in pieces for _, name, _ in piece.parts if name)

    def fill(self, fields: Mapping[str, object], write: Write) -> str:
        """Return the text with its fields filled in, each value as `write` writes it."""
        said: list[str] = []
        for hangs, parts in self._pieces:
            for name in hangs:
                if fields.get(name) in _EMPTY:
                    break
            else:
                for before, field, spec in parts:
                    said.append(before)
                    if field:
                        value = fields[field]
                        said.append(_formed(value, spec, write) if spec else write(value))
        return "".join(said)


def _field(before: str, name: str | None, spec: str | None, conversion: str | None) -> tuple[str, str | None, str]:
    """Return a text and the field after it, if it is named and formed as a template can have it."""
    if conversion is not None or not _SPEC.fullmatch(spec or ""):
        raise ValueError(f"a field cannot be written as {conversion or spec!r}")
    if name and not name.isidentifier():
        raise ValueError(f"no field is called {name!r}")
    return before, name, spec or ""


def _formed(value: Any, spec: str, write: Write) -> str:
    """Return a value in the form its template asks for."""
    one, bar, many = spec.partition("|")
    if bar:
        return one if value == 1 else many
    if spec == "^":
        return capital(write(value))
    return joined(value, spec, write) if spec in _LAST else signed(value, spec)


def joined(several: Sequence[object], spec: str, write: Write) -> str:
    """Return several with commas between, or with "and" before the last."""
    *first, last = map(write, several) if several else ("",)
    return write(_LAST[spec]).join([write(_COMMA).join(first), last] if first else [last])


def say_names(names: Sequence[str], last: str = " and ") -> str:
    """Say names in a sentence; if there are many, only the first and how many more."""
    if len(names) > SEVERAL:
        return f"{', '.join(names[: SEVERAL - 1])} and {len(names) - SEVERAL + 1} more"
    return last.join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def read_toml(path: Path) -> dict[str, Any]:
    """Read a TOML file.

    Raises
    ------
    InvalidInput
        If it is missing, or no TOML; it says where.
    """
    import tomllib

    where = f"{path.parent.name}/{path.name}"
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise InvalidInput(f"{path.parent.name} is not a ruleset: it lacks {path.name}") from None
    except (OSError, ValueError) as error:
        raise InvalidInput(f"{where} cannot be read: {error}; it is TOML, in UTF-8") from None
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        end = f"at the end, line {text.count(chr(10)) + 1}"
        raise InvalidInput(f"{where}: {str(error).replace('at end of document', end)}") from None
    except RecursionError:
        raise InvalidInput(f"{where} cannot be read: it is nested too deeply") from None


# ── the kit's templates and a ruleset's ──


Deed = tuple[str, str, str]
"""An action's id, its verb, and what leads to its targets."""

ENGLISH = "en"

SEVERAL = 5
"""With more names than this, all but one of so many are listed, then how many more there are: nobody is "1 more"."""

_SAID = 2048
"""How many of the latest texts are kept: much is said again turn after turn."""

_CODE = re.compile("[a-z]{2}")
_SPELLED = re.compile(r"([A-Za-z]{2})(?:[-_][A-Za-z0-9]{2,8})*(?:\.[A-Za-z0-9-]+)?(?<!\.toml)")

_DIGIT = re.compile(r"\d")

_ARTICLE = re.compile("an? ")

_FIELD = re.compile(r"\{(\w+)")
"""A field of a sentence."""

_STOPS = ".:,?"

_SAYINGS = re.compile(r"((?<=[.?]) |: )")
"""What stands between sentences, and between what was wrong and what would be right."""

_JOINS = re.compile(r" and | or |[;,:.?·] |[.?!]$")
"""What joins words of ours, or ends them."""

_STOP = re.compile(r"[.?!](?: |$)")
"""What ends a sentence, but in a name: wherever that stands, it is no word of ours."""

_SET_OFF = r"(?=\s*$|[,;:.?!()·]|['\u2019]s? | and | or )"
"""What follows a name that stands apart."""

_ASIDE = 0xE000
"""The first of the signs that stand for names while words around them are looked up."""

_DICE = re.compile(r"(?<!\w)(\d{0,3})d(?=(?:\d{1,3}|%)(?!\w|\.[a-z]))|(?<!\w)(\d{1,3})D(?!\w)")
"""Dice as they are written in English: ``2d6``, ``d%``, and a code such as ``3D+1``; no rule of ``d6`` is one."""

_D = "d"
"""The letter of dice in English."""

_DEPTH = 16
"""How deep tables of templates may be nested."""


class Language:
    """The language a fight is told and shown in.

    Parameters
    ----------
    id : str
        Its code: ``"en"``.
    templates : dict of str to Template
        Every template by its id.
    titles : dict of str to str
        Its own words for titles that the rules have in English.
    missing : tuple of str
        The templates it takes from English because it has none of its own.
    sentences : dict of str to str
        Its own sentences for those that are said in English elsewhere: templates with the same fields.
    """

    __slots__ = (
        "__weakref__",
        "_again",
        "_die",
        "_is_odd",
        "_phrases",
        "_small",
        "_told",
        "_words",
        "die",
        "id",
        "missing",
        "sentences",
        "templates",
        "titles",
    )

    def __init__(
        self,
        id: str,
        templates: dict[str, Template],
        titles: dict[str, str],
        missing: tuple[str, ...] = (),
        sentences: dict[str, str] | None = None,
    ) -> None:
        self.id = id
        self.templates = templates
        self.titles = titles
        self.missing = missing
        self.sentences = sentences or {}
        self.die = (templates["die"].whole if "die" in templates else None) or _D
        """The letter of dice."""
        self._die = None if self.die == _D else rf"\1\2{self.die}"
        self._phrases: Phrases | None = None
        self._small = dict[str, str]()
        self._told = set[str]()
        self._again = lru_cache(_SAID, typed=True)(self._filled)
        self._is_odd = lru_cache(_SAID)(self._looks_ours)
        self._words = lru_cache(_SAID)(self._found)

    def word(self, text: str) -> str:
        """Return a title, word or sentence of ours in this language; in English where it has none for it.

        What has been said already stays as it is: a reason comes by here as a ruling, and again as it is shown.
        """
        if not (self.titles or self.sentences) or text in self._told:
            return text
        said = self._words(text)
        if said != text:
            self._keep(said)
        return said

    def _keep(self, told: str) -> None:
        """Keep in mind what has been said, also where a sentence begins with it."""
        if len(self._told) >= 2 * _SAID:
            self._told.clear()
        self._told.update((told, capital(told)))

    def own(self, sentence: str) -> str:
        """Return a whole sentence in this language if it is one of ours; somebody's own stays as it is."""
        told = self.sentences.get(sentence)
        if told is None:
            return sentence
        self._keep(told)
        return told

    def tell(self, sentence: str, /, **fields: object) -> str:
        """Return a sentence of ours in this language, filled in: no name in it is taken for a word."""
        told = (self.sentences.get(sentence) or self.titles.get(sentence, sentence)).format(**fields)
        self._keep(told)
        return told

    def dice(self, text: str) -> str:
        """Return text with the dice in it as this language writes them, such as ``2W6``."""
        return text if self._die is None else _DICE.sub(self._die, text)

    def several(self, text: str) -> str:
        """Return words of ours, one by one where nothing is said for all of them."""
        if not (self.titles or self.sentences):
            return text
        whole = self.titles.get(text) or self.sentences.get(text)
        if whole is not None:  # also a text of several sentences
            self._keep(whole)
            return whole
        bare = text.strip()
        if bare != text:
            return text.replace(bare, self.several(bare), 1) if bare else text
        self.word("")
        assert self._phrases is not None
        said = self._phrases.of_several(text)
        if said != text:
            self._keep(said)
        return said

    def whole(self, text: str) -> str:
        """Return a sentence of ours, or what was wrong and what would be right; as it stands if it is not known.

        None is told half in one language and half in another, now or as it is shown.
        """
        if not (self.titles or self.sentences) or text in self._told:
            return text
        self.word("")
        assert self._phrases is not None
        said = self.titles.get(text) or self._phrases.whole(text)
        if said is None:
            sayings = _SAYINGS.split(text)
            told = [*map(self._phrases.whole, sayings[::2])]
            sayings[::2] = [each or "" for each in told]
            said = text if None in told else "".join(sayings)
        self._keep(said)
        return said

    def among(self, names: Iterable[str], *, whole: bool = False) -> Callable[[str], str]:
        """Return what says words of ours, or `whole` sentences, where names may stand among them that stay.

        Whoever is called as an action is, all by themselves in a text, cannot be told from it.
        """
        say = self.whole if whole else self.several
        odd = [name for name in names if self._is_odd(name)]
        if not odd:
            return say
        odd = [*dict.fromkeys([*odd, *map(capital, odd)])]  # a sentence begins with it
        each = (
            re.escape(name) + ("" if _STOP.search(name) else _SET_OFF) for name in sorted(odd, key=len, reverse=True)
        )
        pattern = re.compile(rf"(?<!\w)(?:{'|'.join(each)})(?!\w)")

        def said(text: str) -> str:
            if text in self._told:
                return text
            if text in odd:
                return text if _JOINS.search(text) else say(text)
            signs = {name: chr(_ASIDE + at) for at, name in enumerate(odd)}
            told = say(pattern.sub(lambda found: signs[found[0]], text))
            for name, sign in signs.items():
                told = told.replace(f"{sign}.", f"{name.removesuffix('.')}.").replace(sign, name)
            return told

        return said

    def has(self, text: str) -> bool:
        """Check whether there are words for a title or sentence, given as it stands in the list of all."""
        known = {**self.titles, **self.sentences}
        bare = text.strip()
        return bare in known or bare[:1].swapcase() + bare[1:] in self.titles or bare.rstrip(".:") in known

    def _looks_ours(self, name: str) -> bool:
        """Check whether a name would be taken for words of ours."""
        return bool(self.titles or self.sentences) and (
            _JOINS.search(name) is not None or self.several(name) != name or spoken_before(name)
        )

    def _found(self, text: str) -> str:
        if self._phrases is None:
            apart = front_end_only()  # they are looked up there
            self._phrases = Phrases(
                {text: said for text, said in self.sentences.items() if text not in apart},
                self.word,
                self._title,
                self._told,
                self.dice,
            )
            self._small = {title.lower(): said for title, said in self.titles.items()}
        said = self.titles.get(text)
        bare = text.strip()
        if said is None and bare != text:
            return text.replace(bare, self.word(bare), 1) if bare else text
        if said is None:
            said = stopped(self._title, text)
        if said is None:
            said = stopped(self._aimed, text)
        if said is None:
            said = self._phrases.find(text)
        if said is None and (article := _ARTICLE.match(text)):  # which is English, whatever the word is in
            noun = text[article.end() :]
            said = self._title(noun)
        if said is None and text[-1:] in _STOPS and len(text) > 1:
            said = f"{self.several(text[:-1])}{text[-1]}"
        for stop in ".?" if said is None else "":  # as a part of more, it has lost its own
            whole = self.titles.get(text + stop) or self._phrases.find(text + stop)
            if whole is not None:
                return whole.removesuffix(stop)
        return self.dice(text) if said is None else said

    def _title(self, text: str) -> str | None:
        return self.titles.get(text) or self._in_other_case(text)

    def _aimed(self, text: str) -> str | None:
        """Return a title with what it is aimed at in brackets, whatever stands in the title."""
        head, _, aim = text[:-1].rpartition(" (") if text.endswith(")") else ("", "", "")
        is_one = head in self.titles and text not in self.sentences
        return f"{self.titles[head]} ({self.several(aim)})" if is_one else None

    def _in_other_case(self, text: str) -> str | None:
        """Return a title that is known with a small letter first, or with a capital one; or all in small letters."""
        other = self.titles.get(text[:1].swapcase() + text[1:]) or self._small.get(text)
        return other if other is None or text[:1].islower() else capital(other)

    def render(self, said: Said) -> str:
        """Return a template filled in, as words.

        Raises
        ------
        InvalidInput
            If there is no such template, or it needs a field that isn't given, or a number where text is given.
        """
        try:
            return self._again(said.id, said.of, **said.fields)
        except TypeError:  # a list, or something else that is said: that isn't kept
            return self._filled(said.id, said.of, **said.fields)

    def _filled(self, id: str, of: str, /, **fields: object) -> str:
        template = (self.templates.get(f"{id}.{of}") if of else None) or self.templates.get(id)
        if template is None:
            raise InvalidInput(f"no template is called {id!r}; add it to the ruleset's {ENGLISH}.toml")
        try:
            return template.fill(fields, self.write)
        except KeyError as error:
            raise InvalidInput(f"template {id!r} needs the field {error}; it has {[*fields]}") from None
        except (TypeError, ValueError) as error:
            raise InvalidInput(f"template {id!r} can't show what it was given: {error}") from None

    def write(self, value: Any) -> str:
        """Return a value as text: a title in the language's own words, several values as a list."""
        kind = type(value)
        if kind is str:
            return neutral(value)
        if kind is int:
            return signed(value)
        if kind is Title:
            return self.several(value) if self.titles or self.sentences else neutral(value)
        if kind is Said:
            return self.render(value)
        if kind is list or kind is tuple:
            if len(value) < 2:
                return self.write(value[0]) if value else ""
            if len(value) <= SEVERAL:
                return joined(value, "and", self.write)
            named = joined(value[: SEVERAL - 1], "all", self.write)
            return self.render(Said("names.more", {"names": named, "number": len(value) - SEVERAL + 1}))
        return str(value)


_read_already: WeakSet[Languages] = WeakSet()
"""Every ruleset's languages: a file that is added may have words for them."""


class Languages(dict[str, Language]):
    """The languages of a ruleset by their codes, each read when first asked for.

    Parameters
    ----------
    own : path
        The ruleset's folder.
    """

    def __init__(self, own: Path) -> None:
        super().__init__()
        self._own = own
        self.deeds: Iterable[Deed] = ()
        """What can be done: that is told outside the log as well."""
        _read_already.add(self)

    __hash__ = object.__hash__  # type: ignore[assignment]

    def __missing__(self, id: str) -> Language:
        """Read a language."""
        found = self[id] = read_language(id, self._own, self.deeds)
        return found


class _Words(NamedTuple):
    """What files say in one language."""

    templates: dict[str, Template]
    titles: dict[str, str]
    sentences: dict[str, str]


def read_language(id: str, own: Path, deeds: Iterable[Deed] = ()) -> Language:
    """Read a language for a ruleset: the kit's words, and those of the ruleset's folder.

    What it lacks is in English; without any file, all of it is.
    """
    english = _read(own, ENGLISH).templates
    said = _read(own, id) if id != ENGLISH and id in languages(own) else _Words(english, {}, {})
    missing = tuple(each for each in english if each not in said.templates)
    templates = {**english, **said.templates}
    for action, verb, on in deeds:
        if (done := said.templates.get(f"action.done.{action}")) is not None:
            for targets in ("", "{targets}"):
                told = f"{{who}} {done.fill({'targets': targets, 'target': targets}, str)}"
                plain = f"{{who}} {verb} {f'{on} {targets}'.strip() if targets else ''}".strip()
                said.sentences.setdefault(plain, told)
                said.sentences.setdefault(
                    *(
                        each["action.overruled"].fill({"action": text}, str)
                        for each, text in ((english, plain), (templates, told))
                    )
                )
    return Language(id, templates, said.titles, missing, said.sentences)


_added: dict[str, Path] = {}
"""Files of languages that were added."""


def add_language(path: Path) -> str:
    """Add a language by its file, called by its two letters, and return these; what it lacks is said in English.

    Raises
    ------
    InvalidInput
        If the file isn't called so, or cannot be read.
    """
    if not _CODE.fullmatch(path.stem) or path.suffix != ".toml" or path.stem == ENGLISH:
        raise InvalidInput(f"{path.name} is no language: it is called by two letters, such as fr.toml")
    _words_of(path, "")
    _added[path.stem] = path
    for each in _read_already:
        each.pop(path.stem, None)
    return path.stem


def languages(own: Path) -> list[str]:
    """Return the codes of the languages that the kit or a ruleset's folder has a file for, and of those added."""
    return sorted({path.stem for folder in (_kit(own), own) for path in folder.glob("[a-z][a-z].toml")} | {*_added})


def code_of(language: object) -> str | None:
    """Return the two letters of a language, however it is spelled: ``"de-AT"``, ``"de_DE"``, ``"DE"``.

    Examples
    --------
    >>> code_of("de-AT"), code_of("de_DE.UTF-8"), code_of("German")
    ('de', 'de', None)
    """
    found = _SPELLED.fullmatch(language) if isinstance(language, str) else None
    return found[1].lower() if found else None


def check_language(language: object, own: Path | None = None) -> str:
    """Return the two letters of a language there is a file for, in a ruleset's folder or in the kit's.

    Raises
    ------
    UnknownName
        If there is none.
    """
    code = code_of(language)
    if code == ENGLISH or (code is not None and code in languages(own or _folder())):
        return code
    raise UnknownName.of("language", language, languages(own or _folder()))


def kit_language(id: str) -> Language:
    """Return a language with the words that all systems share."""
    return _kit_languages()[id]


def meant_word(word: str, known: Collection[str]) -> str:
    """Return which of some words that rules read is meant: as it stands, or as a language has it; else the word itself.

    Examples
    --------
    >>> meant_word("Geschoss", ["missile"]), meant_word("Missile", ["missile"]), meant_word("oak", ["missile"])
    ('missile', 'missile', 'oak')
    """
    if not known or word in known or _DIGIT.search(word):
        return word
    small, own = word.strip().casefold(), _kit_languages()
    others = (own[id].titles for id in languages(_folder()) if id != ENGLISH)  # each is read only if it is asked for
    return next((k for said in chain([{}], others) for k in known if said.get(k, k).casefold() == small), word)


@cache
def _kit_languages() -> Languages:
    return Languages(_folder())


def _folder() -> Path:
    from pathlib import Path

    return Path(__file__).parent


def spoken(id: str, own: Path) -> str:
    """Return a language if there is a file for it, else English: its file may be gone."""
    return id if id != ENGLISH and id in languages(own) else ENGLISH  # which is never looked for


def _kit(own: Path) -> Path:
    return type(own)(__file__).parent  # not to load pathlib before anybody needs it


def _read(own: Path, id: str) -> _Words:
    """Return what the kit, an added file and a ruleset's folder say in one language; the folder's words win."""
    said = _Words({}, {}, {})
    for path in (_kit(own) / f"{id}.toml", _added.get(id), own / f"{id}.toml"):
        if path is not None and path.is_file():
            more = _words_of(path, own.name)
            said.templates.update(more.templates)
            said.titles.update(more.titles)
            said.sentences.update(more.sentences)
    return said


def _words_of(path: Path, system: str) -> _Words:
    """Return what a file says; what it says only for one system stands under `systems` and the system's name."""
    shared, by_system = (_kit_parts if path.parent == _folder() else _parts_of)(path)
    own = _words_in(path, by_system.get(system, {}) if isinstance(by_system, dict) else {})
    return _Words(shared.templates | own.templates, shared.titles | own.titles, shared.sentences | own.sentences)


def _parts_of(path: Path) -> tuple[_Words, Any]:
    """Return what a file says for all systems, and what for single ones."""
    data = read_toml(path)
    by_system = data.pop("systems", {})
    return _words_in(path, data), by_system


_kit_parts = cache(_parts_of)
"""The same of the kit's own files, whose many words are read once for all rulesets."""


def _words_in(path: Path, table: dict[str, Any]) -> _Words:
    where = f"{path.parent.name}/{path.name}"
    titles, sentences = (_texts(where, part, table.get(part, {})) for part in ("titles", "sentences"))
    others = {key: value for key, value in table.items() if key not in ("titles", "sentences")}
    templates = {key: Template(f"{where}: {key}", text) for key, text in _flat(where, others).items()}
    for english, told in (*titles.items(), *sentences.items()):
        if "{" in told:
            _check_fields(f"{where}: {told!r}", _FIELD.findall(told), _FIELD.findall(english))
    return _Words(templates, titles, sentences)


def _check_fields(where: str, fields: Iterable[str], known: Collection[str]) -> None:
    """Refuse a field that nothing would ever fill in."""
    for field in fields:
        if not known:
            raise InvalidInput(f"{where}: what it is said for has no field to fill in; leave {{{field}}} out")
        if field not in known:
            with within(where):
                raise UnknownName.of("field", field, known)


def _texts(where: str, part: str, table: object) -> dict[str, str]:
    """Return a table of texts by what they are in English, which may have dots of its own."""
    if not isinstance(table, dict):
        raise InvalidInput(f"{where}: {part} is {short(table)}; give a table")
    for title, word in table.items():
        if not isinstance(word, str):
            raise InvalidInput(f"{where}: {part}.{title} is {short(word)}; give text")
    return table


def _flat(where: str, table: dict[str, object], prefix: str = "", depth: int = 0) -> dict[str, str]:
    """Return nested tables of texts as one, the names joined by dots; a table's own text is called ``""``."""
    if depth > _DEPTH:
        raise InvalidInput(f"{where} cannot be read: it is nested too deeply")
    flat: dict[str, str] = {}
    for key, value in table.items():
        name = f"{prefix}.{key}".strip(".")
        if isinstance(value, dict):
            flat |= _flat(where, value, name, depth + 1)
        elif isinstance(value, str):
            flat[name] = value
        else:
            raise InvalidInput(f"{where}: {name} is {short(value)}; give text")
    return flat
