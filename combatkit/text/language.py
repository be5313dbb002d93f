"""A language: the kit's templates and a ruleset's, with English where it has none of its own."""

from __future__ import annotations

from functools import lru_cache
from typing import TYPE_CHECKING, Any

from combatkit.errors import InvalidInput, short
from combatkit.text.said import Said, Title
from combatkit.text.shown import neutral, signed
from combatkit.text.template import Template, joined
from combatkit.text.toml import read_toml

if TYPE_CHECKING:
    from pathlib import Path

ENGLISH = "en"

SEVERAL = 5
"""With more names than this, all but one of so many are listed, then how many more there are: nobody is "1 more"."""

_SAID = 2048
"""How many of the latest texts are kept: much is said again turn after turn."""

_DEPTH = 16
"""How deep tables of templates may be nested."""


class Language:
    """The language a fight's log is told in.

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
    """

    __slots__ = ("_again", "id", "missing", "templates", "titles")

    def __init__(
        self, id: str, templates: dict[str, Template], titles: dict[str, str], missing: tuple[str, ...] = ()
    ) -> None:
        self.id = id
        self.templates = templates
        self.titles = titles
        self.missing = missing
        self._again = lru_cache(_SAID, typed=True)(self._filled)

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
            return self.titles.get(value, value) if self.titles else neutral(value)
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

    def __missing__(self, id: str) -> Language:
        """Read a language."""
        found = self[id] = read_language(id, self._own)
        return found


def read_language(id: str, own: Path) -> Language:
    """Read a language for a ruleset: the kit's templates, and those of the ruleset's folder.

    What it lacks is in English; without any file, all of it is.
    """
    english, _ = _read(own, ENGLISH)
    templates, titles = _read(own, id) if id != ENGLISH and id in languages(own) else (english, {})
    return Language(id, {**english, **templates}, titles, tuple(each for each in english if each not in templates))


def languages(own: Path) -> list[str]:
    """Return the codes of the languages that the kit or a ruleset's folder has a file for."""
    return sorted({path.stem for folder in (_kit(own), own) for path in folder.glob("[a-z][a-z].toml")})


def spoken(id: str, own: Path) -> str:
    """Return a language if the kit or a ruleset's folder has a file for it, else English: its file may be gone."""
    return id if id in languages(own) else ENGLISH


def _kit(own: Path) -> Path:
    return type(own)(__file__).parent  # not to load pathlib before anybody needs it


def _read(own: Path, id: str) -> tuple[dict[str, Template], dict[str, str]]:
    """Return what the kit and a ruleset's folder say in one language; the folder's words win."""
    templates: dict[str, Template] = {}
    titles: dict[str, str] = {}
    for path in (_kit(own) / f"{id}.toml", own / f"{id}.toml"):
        if path.is_file():
            where = f"{path.parent.name}/{path.name}"
            data = read_toml(path)
            titles |= _titles(where, data.pop("titles", {}))
            templates |= {key: Template(f"{where}: {key}", text) for key, text in _flat(where, data).items()}
    return templates, titles


def _titles(where: str, table: object) -> dict[str, str]:
    """Return the words for titles, which may have dots of their own."""
    if not isinstance(table, dict):
        raise InvalidInput(f"{where}: titles is {short(table)}; give a table")
    for title, word in table.items():
        if not isinstance(word, str):
            raise InvalidInput(f"{where}: titles.{title} is {short(word)}; give text")
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
