"""A mapping: the table in TOML that says how to recognise a tool's files, and what in them is which stat.

``format`` and ``title`` name it, ``rows`` lists the paths where combatants may stand: the first that finds any counts.
``unfold`` are the beginnings of keys that hold a record as JSON text. ``[fields]`` gives places a name: a path, or
``{ at = ..., as = READER, or = VALUE, with = PATH }``; `values` has the readers. ``[own]`` has formulas over the fields
for ``name``, ``side``, ``npc`` and ``count``; ``[stats]`` those of the system's stats, of several the first that can be
worked out. ``[[lists]]`` gather a stat of several entries. ``[asks]`` says what a file of this kind cannot know, with a
formula for a proposal; ``[why]``, by path, why something is left out; ``quiet`` which keys say nothing of a combatant.

All that is for every record. ``[[shapes]]`` are the kinds of record, told by the paths they have and lack, each with
more of the same tables; the first that fits counts. A condition is a path, ``PATH = WORD`` or ``PATH ~ PART OF IT``.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import TypeVar

import msgspec

from combatkit.errors import InvalidInput, UnknownName
from combatkit.files.foreign.finding import find, read_path, text_of
from combatkit.files.foreign.formulas import names_in
from combatkit.files.foreign.values import READERS, TOGETHER
from combatkit.files.paths import as_path, read_toml
from combatkit.rules.rulebook import Rulebook

FOLDER = "foreign"
"""Where a ruleset's folder has the mappings of tools made for it."""

UNKNOWING = "any.toml"
"""The file there that says what a tool gives that doesn't know the system."""

OWN = ("name", "side", "npc", "count")
"""What every system has for a combatant."""


class Field(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Where something is in a record, and how it is read.

    Parameters
    ----------
    at : str or list of str
        A path, or several, the first that leads anywhere.
    reader : str
        How it is read (``as``).
    absent : int, str or None
        What it is if nothing is there (``or``).
    beside : str
        The path of a second value that the reader takes (``with``).
    """

    at: str | list[str]
    reader: str = msgspec.field(default="number", name="as")
    absent: int | str | None = msgspec.field(default=None, name="or")
    beside: str = msgspec.field(default="", name="with")

    @property
    def paths(self) -> list[str]:
        """Where it may be."""
        return [self.at] if isinstance(self.at, str) else self.at

    @property
    def silent(self) -> bool:
        """Whether it also reads nothing: that nothing is there is what it tells."""
        return self.reader in ("filled", "there")


class Ask(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Why a stat is asked for, and a formula for a proposal; `always` asks even if there is a value."""

    why: str
    propose: str = ""
    always: bool = False


class Gathered(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A stat with several entries: where they are, how each is read, what is the same in all, what one may lack."""

    stat: str
    at: str
    reader: str = msgspec.field(default="", name="as")
    fields: dict[str, str | Field] = {}
    set: dict[str, str | int] = {}
    asks: dict[str, str] = {}


Formulas = dict[str, str | list[str]]


class Tables(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What a mapping says about all records, or a shape about its own."""

    fields: dict[str, str | Field] = {}
    own: Formulas = {}
    stats: Formulas = {}
    lists: list[Gathered] = []
    asks: dict[str, Ask] = {}
    why: dict[str, str] = {}


class Shape(Tables, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """One kind of record: the conditions that identify it, and what it adds."""

    id: str
    has: tuple[str, ...] = ()
    lacks: tuple[str, ...] = ()

    def fits(self, record: object) -> bool:
        """Check whether a record is of this kind."""
        return (
            isinstance(record, dict)
            and all(_holds(record, each) for each in self.has)
            and not any(_holds(record, each) for each in self.lacks)
        )


class Format(Tables, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A whole mapping, for files of one tool.

    Parameters
    ----------
    format, title : str
        What `Foreign.format` says, and what people call the tool.
    system : str or None
        The ruleset it was made for; None for a tool that knows no ruleset.
    rows, unfold, quiet, tell, bare : tuple of str
        See this module; `tell` are the keys that name an entry in what is left out, `bare` the fields, each a number,
        that are told as they are where no system is named.
    bestiary : bool
        Whether a file lists kinds: the same entry twice is one, and not two of a kind.
    shapes, others : list of Shape
        The kinds of record; and those of what the tool also writes and is no combatant, called by their ids.
    """

    format: str
    title: str
    system: str | None = None
    rows: tuple[str, ...] = (".",)
    unfold: tuple[str, ...] = ()
    quiet: tuple[str, ...] = ()
    tell: tuple[str, ...] = ("name",)
    bare: tuple[str, ...] = ()
    bestiary: bool = False
    shapes: list[Shape]
    others: list[Shape] = []

    def shape_of(self, record: object) -> Shape | None:
        """Return the first kind that fits a record."""
        return next((shape for shape in self.shapes if shape.fits(record)), None)

    def other_of(self, record: object) -> str:
        """Return what a record is that is no combatant; nothing if the mapping doesn't know."""
        return next((other.id for other in self.others if other.fits(record)), "")


Read = TypeVar("Read", Format, Tables)


def read_format(path: object) -> Format:
    """Read a mapping that a user supplies.

    Parameters
    ----------
    path : str or Path
        A TOML file.

    Returns
    -------
    Format
        Checked, except for the stats, which belong to its system.

    Raises
    ------
    InvalidInput, UnknownName
        If it can't be read, or something in it is wrong; it names the entry.
    """
    file = as_path(path, "a mapping")
    return check_format(_read(file, file.name, Format), file.name)


def check_format(made: Format, where: str) -> Format:
    """Check what types can't say: paths, readers, formulas and the fields they read."""
    for shape in made.shapes:
        tables = gathered(made, shape)
        place = f"{where}, shape {shape.id}"
        entry: object
        for each in (*tables.fields.values(), *(f for g in tables.lists for f in g.fields.values())):
            _check_field(as_field(each), place)
        for entry in tables.lists:
            read_path(entry.at)
            if entry.reader and entry.reader not in READERS:
                raise UnknownName.of(f"reader ({place})", entry.reader, READERS)
        for key in tables.own:
            if key not in OWN:
                raise UnknownName.of(f"key of [own] ({place})", key, OWN)
        known = {*tables.fields, *tables.stats}
        for text in _formulas(tables):
            for name in names_in(text):
                if name not in known:
                    raise UnknownName.of(f"field in {text!r} ({place})", name, known)
    for shape in (*made.shapes, *made.others):
        for condition in (*shape.has, *shape.lacks):
            read_path(_condition(condition)[0])
    for path in made.rows:
        read_path(path)
    return made


def check_stats_named(made: Format, rules: Rulebook, where: str) -> None:
    """Check that a mapping names only stats that its system has."""
    for shape in made.shapes:
        tables = gathered(made, shape)
        for stat in (*tables.stats, *tables.asks):
            if stat not in rules.stats and stat not in OWN:
                raise UnknownName.of(
                    "stat", stat, rules.stats.ids(), owner=rules.id, where=f"{where}, shape {shape.id}"
                )


def gathered(made: Format, shape: Shape) -> Tables:
    """Return what applies to a kind of record: what is said about all, overridden by its own."""
    return Tables(
        fields={**made.fields, **shape.fields},
        own={**made.own, **shape.own},
        stats={**made.stats, **shape.stats},
        lists=[*made.lists, *shape.lists],
        asks={**made.asks, **shape.asks},
        why={**made.why, **shape.why},
    )


def as_field(given: str | Field) -> Field:
    """Return a field; it may be written as just its path."""
    return Field(given) if isinstance(given, str) else given


@lru_cache(maxsize=1)
def general_formats() -> tuple[Format, ...]:
    """Return the kit's mappings of tools that know none of its systems."""
    return tuple(_in_folder(Path(__file__).parent / "formats"))


@lru_cache(maxsize=64)
def formats_of(rules: Rulebook) -> tuple[Format, ...]:
    """Return the mappings of tools that a ruleset's folder brings."""
    return tuple(msgspec.structs.replace(each, system=rules.id) for each in _in_folder(rules.folder / FOLDER))


@lru_cache(maxsize=64)
def unknowing(rules: Rulebook) -> Tables:
    """Return which stats a ruleset takes from a tool that doesn't know it, and what it asks about any file."""
    file = rules.folder / FOLDER / UNKNOWING
    return _read_own(file, Tables) if file.is_file() else Tables()


def _in_folder(folder: Path) -> Iterator[Format]:
    for file in sorted(folder.glob("*.toml")):
        if file.name != UNKNOWING:
            yield check_format(_read_own(file, Format), file.name)


def _read(file: Path, where: str, kind: type[Read]) -> Read:
    try:
        return msgspec.convert(read_toml(file, "a mapping"), kind)
    except msgspec.ValidationError as error:
        raise InvalidInput(f"{where}: {error}") from None


def _read_own(file: Path, kind: type[Read]) -> Read:
    return _read(file, f"{file.parent.parent.name}/{file.name}", kind)


def _check_field(field: Field, where: str) -> None:
    for path in (*field.paths, *([field.beside] if field.beside else [])):
        read_path(path)
    if field.reader not in READERS and field.reader not in TOGETHER:
        raise UnknownName.of(f"reader ({where})", field.reader, (*READERS, *TOGETHER))


def _formulas(tables: Tables) -> Iterable[str]:
    for given in (*tables.own.values(), *tables.stats.values()):
        yield from [given] if isinstance(given, str) else given
    yield from (ask.propose for ask in tables.asks.values() if ask.propose)


def _condition(text: str) -> tuple[str, str, str]:
    """Return a condition's path, how it compares, and with what."""
    for sign in (" ~ ", " = "):
        path, found, word = text.partition(sign)
        if found:
            return path.strip(), sign.strip(), word.strip()
    return text.strip(), "", ""


def _holds(record: dict[str, object], condition: str) -> bool:
    path, sign, word = _condition(condition)
    for _, value in find(record, path):
        text = str(text_of(value))
        if not sign or (text == word if sign == "=" else word in text):
            return True
    return False
