"""Reading a ruleset's files into typed records; errors name the file, the entry and what would be right."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, TypeGuard, TypeVar

from msgspec import Struct, ValidationError, convert

from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.catalogue import Parameter, Price, Stat
from combatkit.text.words import read_toml

if TYPE_CHECKING:
    from pathlib import Path

T = TypeVar("T", bound=Struct)
V = TypeVar("V", str, int, bool)


class Page:
    """One TOML file of a ruleset's folder, and what is taken from it.

    Parameters
    ----------
    path : Path
        The file.
    parts : tuple of str
        What it may hold.

    Raises
    ------
    InvalidInput
        If it is missing, or not TOML.
    UnknownName
        If it holds something else; it names the nearest.
    """

    def __init__(self, path: Path, parts: tuple[str, ...]) -> None:
        self.where = f"{path.parent.name}/{path.name}"
        self._data = read_toml(path)
        for part in self._data:
            if part not in parts:
                raise unknown(self.where, "part", part, parts)

    def value(self, part: str, kind: type[V], default: V | None = None) -> V:
        """Return a text, a whole number or a truth value, or its default; what has none is needed."""
        value = self._data.get(part, default)
        if type(value) is not kind:
            raise InvalidInput(f"{self.where}: {part} is {short(value)}; give {_KINDS[kind.__name__]}")
        return value

    def texts(self, part: str) -> dict[str, str]:
        """Return texts by name; there may be none."""
        found = self.table(part)
        for key, value in found.items():
            if not isinstance(value, str):
                raise InvalidInput(f"{self.where}: {key} of [{part}] is {short(value)}; give text")
        return found

    def tables(self, part: str) -> dict[str, list[dict[str, Any]]]:
        """Return tables of rows by name; there may be none."""
        found = self.table(part)
        for key, rows in found.items():
            if not _is_rows(rows):
                raise InvalidInput(f"{self.where}: {part}.{key} is {short(rows)}; write rows as [[{part}.{key}]]")
        return found

    def records(self, part: str, kind: type[T], *, needed: bool = True) -> list[T]:
        """Return the records of an array of tables; each has an id of its own."""
        found = self.rows(part, kind, needed=needed)
        for id, times in Counter(row["id"] for row in self._data.get(part, ())).items():
            if times > 1:
                raise InvalidInput(f"{self.where}, [[{part}]] {id!r} is listed twice; give one of them another id")
        return found

    def rows(self, part: str, kind: type[T], *, needed: bool = False) -> list[T]:
        """Return the records of an array of tables, with ids or without."""
        rows = self._data.get(part, None if needed else [])
        if not _is_rows(rows):
            wrong = "is missing" if rows is None else f"is {short(rows)}"
            raise InvalidInput(f"{self.where}: {part} {wrong}; write each as [[{part}]]")
        return [_record(f"{self.where}, {_named(part, number, row)}", row, kind) for number, row in enumerate(rows, 1)]

    def by_name(self, part: str, kind: type[T]) -> dict[str, T]:
        """Return records by their names; there may be none."""
        return {id: _record(f"{self.where}, [{part}.{id}]", row, kind) for id, row in self.table(part).items()}

    def table(self, part: str) -> dict[str, Any]:
        """Return what a table holds by name; there may be nothing."""
        found = self._data.get(part, {})
        if not isinstance(found, dict):
            raise InvalidInput(f"{self.where}: {part} is {short(found)}; write it as [{part}]")
        return found


def check_stats(folder: Path, stats: object) -> tuple[Stat, ...]:
    """Return a ruleset's stats, each a `Stat` with a name of its own.

    Raises
    ------
    InvalidInput
        If one is something else, or listed twice.
    """
    where = f"{folder.name}/stats.py"
    if not isinstance(stats, Iterable):
        raise InvalidInput(f"{where}: STATS is {short(stats)}; give several of combatkit.rules.catalogue.Stat")
    found = tuple(stats)
    seen: set[str] = set()
    for number, stat in enumerate(found, 1):
        if not isinstance(stat, Stat) or not isinstance(stat.name, str):
            raise InvalidInput(f"{where}, number {number} of STATS is {short(stat)}; write Stat('name', ...)")
        if stat.name in seen:
            raise InvalidInput(f"{where}: {stat.name!r} is in STATS twice; give one of them another name")
        seen.add(stat.name)
    return found


def unknown(where: str, what: str, name: object, known: Iterable[str]) -> UnknownName:
    """Say where a name is unknown, and name the nearest known ones."""
    return UnknownName(f"{where}: {UnknownName.of(what, name, known)}")


def _is_rows(value: Any) -> TypeGuard[list[dict[str, Any]]]:
    return isinstance(value, list) and all(isinstance(row, dict) for row in value)


def _named(part: str, number: int, row: dict[str, object]) -> str:
    """Say which entry it is: by id, or by number if it has none."""
    id = row.get("id")
    return f"[[{part}]] {id!r}" if isinstance(id, str) else f"[[{part}]] number {number}"


_PARTS: dict[str, type[Struct]] = {"parameters": Parameter, "prices": Price}
"""The types of a record's parts."""

_KINDS = {"str": "text", "int": "a whole number", "bool": "true or false", "array": "a list", "object": "a table"}


def _record(where: str, row: object, kind: type[T]) -> T:
    """Make one record, and say in the file's own words what is wrong with it."""
    try:
        return convert(row, kind)
    except ValidationError as error:
        said, _, place = str(error).partition(" - at `$")
        place = place.rstrip("`").lstrip(".")
        field = re.search(r"field `(\w+)`", said)
        if field is None:
            right = re.match(r"Expected `([\w |]+)`, got", said)
            kinds = right[1].split(" | ") if right else []
            wanted = " or ".join(_KINDS.get(k, k) for k in kinds if k != "null")
            given = short(_found(row, place))
            wrong = f"is {given}; give {wanted}" if wanted else f"is {given}: {said}"
            raise InvalidInput(f"{where}: {place or 'it'} {wrong}") from None
        where = f"{where}: {place}" if place else where
        if "unknown" in said:
            inner = _PARTS.get(place.partition("[")[0], kind) if place else kind
            raise unknown(where, "key", field[1], inner.__struct_fields__) from None
        raise InvalidInput(f"{where}: {field[1]} is missing; give it") from None


def _found(row: Any, place: str) -> object:
    """Return what stands at a place such as ``parameters[0].id``."""
    for step in re.findall(r"\w+", place):
        try:
            row = row[int(step)] if isinstance(row, list) else row[step]
        except (KeyError, IndexError, ValueError, TypeError):
            return row
    return row
