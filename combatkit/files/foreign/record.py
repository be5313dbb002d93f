"""One record of a file, read by its mapping: what it gives, what it leaves out, what it asks."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sized
from typing import Any, NamedTuple

from combatkit.core.plain import is_text, short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.files.foreign.finding import Place, find, inner, text_of, told_path
from combatkit.files.foreign.formulas import names_in, read_formula, worked
from combatkit.files.foreign.mapping import Field, Format, Gathered, Tables, as_field
from combatkit.files.foreign.values import READERS, TOGETHER, Unread, attacks_in
from combatkit.rules.checks import check_stats
from combatkit.rules.ruleset import Ruleset

_TOLD = 200
_DEEP = 5
"""How far down left-out data is listed piece by piece."""


class Left(NamedTuple):
    """Something that was left out: whose, where it is, what it is, why; and whether it was wanted but unreadable."""

    name: str
    field: str
    value: str
    why: str
    unread: bool = False


class Asked(NamedTuple):
    """Something that is asked: about whom, which stat, why, and a proposal."""

    name: str
    stat: str
    why: str
    proposed: str | None


class Reading:
    """Reads one record: fields first, then what they add up to; notes every place that was used.

    Parameters
    ----------
    made : Format
        The mapping.
    tables : Tables
        What it says about this kind of record.
    record : mapping
        The record.
    """

    def __init__(self, made: Format, tables: Tables, record: Mapping[str, object]) -> None:
        self.made = made
        self.tables = tables
        self.record = record
        self.used: set[Place] = set()
        self.noted: list[tuple[Place, object, str]] = []
        self.gathered: dict[str, list[dict[str, Any]]] = {}
        self.places: dict[str, list[Place]] = {}
        self.fields: dict[str, object] = {}
        for name, given in tables.fields.items():
            self.fields[name], self.places[name] = self._field(as_field(given), record, ())

    def formula(self, given: str | list[str] | None, more: Mapping[str, object] = {}) -> object:
        """Work a formula out, or the first of several that works; mark the places it rests on as used."""
        for text in [given] if isinstance(given, str) else given or ():
            value = worked(read_formula(text), {**self.fields, **more})
            if value is not None:
                for name in names_in(text):
                    self.used.update(self.places.get(name, ()))
                return value
        return None

    def entries(self, gathered: Gathered) -> list[dict[str, object]]:
        """Return the entries of a stat with several, the first for each name; note what can't be read."""
        for place, value in find(self.record, gathered.at):
            for here, each in self._pieces(place, value, gathered):
                entry = self._entry(here, each, gathered)
                names = [other["name"].casefold() for other in self.gathered.setdefault(gathered.stat, [])]
                if entry and entry["name"].casefold() in names:
                    self.used.discard(here)
                    self.noted.append((here, each, "an earlier entry has that name"))
                elif entry:
                    self.gathered[gathered.stat].append(entry)
        return self.gathered.get(gathered.stat, [])

    def left_out(self, reason: str) -> Iterator[Left]:
        """Yield everything that was not used, of nobody yet."""
        noted = {place: (value, why) for place, value, why in self.noted if place not in self.used}
        for place, (value, why) in noted.items():
            if told(value, self.made.tell):
                yield Left("", told_path(place), told(value, self.made.tell), why, unread=True)
        skipped = {*noted, *self.used}
        above = {place[:end] for place in skipped for end in range(len(place))}
        for place, value in unused(self.record, (), (skipped, above), self.made):
            yield Left("", told_path(place), told(value, self.made.tell), self._why(place, reason))

    def _field(self, field: Field, record: object, start: Place) -> tuple[object, list[Place]]:
        """Return what a field holds, and where: at the first of its paths where something readable is found."""
        unread: list[tuple[Place, object, str]] = []
        for path in field.paths:
            found = [(place, text_of(value)) for place, value in find(record, path, start)]
            found = [(place, value) for place, value in found if value is not None and (value != "" or field.silent)]
            if found:
                if field.reader not in TOGETHER:
                    found = [found[0], *(find(self.record, field.beside) if field.beside else ())][:2]
                try:
                    return _read([value for _, value in found], field), [place for place, _ in found]
                except Unread as why:
                    unread += [(place, value, str(why)) for place, value in found]
        self.noted += unread
        return field.absent, []

    def _pieces(self, place: Place, value: object, gathered: Gathered) -> Iterator[tuple[Place, object]]:
        """Yield the entries at a place: it, or each attack of a text with several."""
        if gathered.reader and isinstance(value, str):
            self.used.add(place)
            yield from (((*place, n), piece) for n, piece in enumerate(attacks_in(value)))
        elif value is not None:
            yield place, value

    def _entry(self, place: Place, value: object, gathered: Gathered) -> dict[str, Any] | None:
        entry: object = None
        if gathered.reader:
            try:
                entry = READERS[gathered.reader](value, None)
            except Unread as why:
                self.noted.append((place, value, str(why)))
        elif isinstance(value, dict):
            fields = {key: self._field(as_field(given), value, place)[0] for key, given in gathered.fields.items()}
            entry = {key: got for key, got in fields.items() if got is not None}
        if not isinstance(entry, dict) or not entry.get("name"):
            return None
        self.used.add(place)
        return {**entry, **gathered.set}

    def _why(self, place: Place, reason: str) -> str:
        names = [str(step) for step in place if isinstance(step, str)]
        for end in range(len(names), 0, -1):
            found = self.tables.why.get(".".join(names[:end]))
            if found is not None:
                return found
        return reason


def _read(values: list[object], field: Field) -> object:
    if field.reader in TOGETHER:
        return TOGETHER[field.reader](values)
    return READERS[field.reader](values[0], values[1] if len(values) > 1 else None)


def stat_or_why(rules: Ruleset, name: str, stat: str, value: object) -> tuple[object, str]:
    """Return a value as the stat has it, or None and the reason."""
    try:
        if stat not in rules.stats:
            raise InvalidInput(f"{rules.id} has no such stat")
        return check_stats(rules, {stat: value}, name)[stat], ""
    except CombatkitError as error:
        return None, str(error).removeprefix(f"{name}: ")


def unused(
    value: object, place: Place, skipped: tuple[set[Place], set[Place]], made: Format, deep: int = _DEEP
) -> Iterator[tuple[Place, object]]:
    """Yield what was not used, in pieces as large as possible: a whole entry, or parts of one partly used.

    `skipped` are the places that were used and all places above them; `deep`, how far down it goes otherwise.
    """
    if place in skipped[0] or _is_empty(value):
        return
    inside = place in skipped[1]
    parts = [(step, each) for step, each in inner(value) if step not in made.quiet]
    nested = any(isinstance(each, (dict, list)) for _, each in parts)
    named = isinstance(value, dict) and any(not _is_empty(value.get(key)) for key in made.tell)
    if isinstance(value, (dict, list)) and (inside or (nested and not named and len(place) < deep)):
        for step, each in parts:
            yield from unused(each, (*place, step), skipped, made, deep)
    elif place and (parts or not isinstance(value, (dict, list))):
        yield place, value


def _is_empty(value: object, depth: int = 0) -> bool:
    if isinstance(value, (dict, list)):
        return depth < _DEEP and all(_is_empty(each, depth + 1) for _, each in inner(value))
    return value is None or (isinstance(value, str) and not value.strip())


def told(value: object, tell: Iterable[str]) -> str:
    """Return something as people read it in a table: text, an entry's name, or how many there are."""
    if isinstance(value, dict):
        parts = [str(text_of(value[key])) for key in tell if not _is_empty(value.get(key))]
        words = " ".join(parts) or (str(value["#text"]) if "#text" in value else _listed(value))
    elif isinstance(value, list):
        plain = not any(isinstance(each, (dict, list)) for each in value) and len(value) <= 12
        words = ", ".join(map(str, value)) if plain else _counted(value)
    else:
        words = str(value)
    words = " ".join(words.split())
    return (words if len(words) <= _TOLD else f"{words[:_TOLD]}...") if is_text(words, len(words)) else short(words)


def _listed(entry: dict[str, object]) -> str:
    """Return an entry without a name by what is in it, if that is short."""
    if len(entry) > 12 or any(isinstance(each, (dict, list)) and each for each in entry.values()):
        return _counted(entry)
    return ", ".join(f"{key} {each}" for key, each in entry.items() if not _is_empty(each))


def _counted(several: Sized) -> str:
    return f"{len(several)} {'entry' if len(several) == 1 else 'entries'}"
