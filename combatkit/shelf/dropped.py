"""A file given by its content: a roster, or what another tool saved, row by row for review."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from combatkit.core.plain import short
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.files.foreign import Foreign
from combatkit.files.rosters import RosterFile, read_cell, read_roster, roster_frame
from combatkit.files.rosters.read import ENDINGS
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.typed import parts_of
from combatkit.shelf.items import FOREIGN, row_of
from combatkit.shelf.reading import foreign

if TYPE_CHECKING:
    import polars as pl


_FOES = "foes"
"""Whose side they are on where a table has no such column; the review asks."""

_TABLES = (".csv", ".tsv", ".txt", ".xlsx")

_AROUND = ("system", "flags", "data", "root")
"""Names in files around what is meant."""

_STEPS = re.compile(r"[.\[\]\d]+")
_CASES = re.compile("([a-z])([A-Z])")


class Entry(NamedTuple):
    """One row: what was taken, what is asked, what was left out.

    The `open` questions can be answered with text. What the rules have no use for is told in short in `unused`, kind by
    kind in `left`; what was wanted, but could not be read, in `unread`.
    """

    row: dict[str, Any]
    asks: Sequence[dict[str, Any]] = ()
    unused: str = ""
    left: Sequence[str] = ()
    unread: Sequence[str] = ()


class Dropped(NamedTuple):
    """A file that was read for a ruleset."""

    file: str
    title: str
    system: str
    entries: list[Entry]

    def roster(self, rules: Ruleset, chosen: Sequence[tuple[int, str, dict[str, str]]]) -> pl.DataFrame:
        """Return some rows as a roster: by number, with their sides, names, and the answers to what was asked.

        Raises
        ------
        InvalidInput
            For a row that doesn't exist or is chosen twice, an answer that nobody asked for or that can't be right, or
            no row at all.
        """
        rows: dict[int, dict[str, object]] = {}
        for number, side, given in chosen:
            if not 0 <= number < len(self.entries) or number in rows:
                raise InvalidInput(f"{self.file} has no row {number}, or it is chosen twice")
            entry = self.entries[number]
            unasked = given.keys() - {"name", *(each["stat"] for each in entry.asks if each["open"])}
            if unasked:
                raise InvalidInput(f"{entry.row['name']}: {short(min(unasked))} was not asked")
            answers = {key: read_cell(rules, key, text, entry.row["name"]) for key, text in given.items()}
            rows[number] = {**entry.row, **answers, "side": side or entry.row.get("side")}
        if not rows:
            raise InvalidInput(f"choose who to add from {self.file}")
        return roster_frame(rules, rows.values())


def read_dropped(name: str, content: bytes, rules: Ruleset) -> Dropped:
    r"""Read a file given by its content.

    Parameters
    ----------
    name : str
        What it is called; its ending says whether it may be a roster.
    content : bytes
        All of it.
    rules : Ruleset
        The ruleset it is read for.

    Returns
    -------
    Dropped
        Its rows, to be reviewed.

    Raises
    ------
    CombatkitError
        If it is neither; the message goes by what it most looks like.

    Examples
    --------
    >>> import combatkit as ck
    >>> read = read_dropped("crew.csv", b"name,side,dex\nMara,rebels,4\n", ck.ruleset("saga"))
    >>> read.title, [(entry.row["name"], entry.row["dex"]) for entry in read.entries]
    ('Roster', [('Mara', 4)])
    """
    ending = Path(name).suffix.casefold()
    refused: CombatkitError | None = None
    if ending in ENDINGS:
        try:
            return _of_table(name, content, rules, None)
        except CombatkitError as error:
            refused = error
    if ending in FOREIGN:
        try:
            return _of_foreign(name, foreign(content, system=rules.id, name=name), rules)
        except CombatkitError as error:
            refused = refused or error
    if ending in _TABLES:  # nothing but a table, in which not everything is a stat
        return _of_table(name, content, rules, {})
    known = ", ".join(dict.fromkeys((*ENDINGS, *FOREIGN)))
    raise refused or InvalidInput(f"{short(name)} isn't a file combatkit reads; choose one that ends in {known}")


def _of_table(name: str, content: bytes, rules: Ruleset, rest: dict[str, dict[str, object]] | None) -> Dropped:
    rows = read_roster(rules, RosterFile(name, content), side=_FOES, rest=rest)
    entries = []
    for row in rows:
        cells = (rest or {}).get(row.where, {}).items()
        pieces = [_Piece(column, "", str(cell), _unknown(rules, column)) for column, cell in cells]
        entries.append(Entry(row_of(row), (), *_gathered(pieces)))
    return Dropped(name, "Roster", rules.id, entries)


def _unknown(rules: Ruleset, column: str) -> str:
    """Say that a column is no stat; if it is a part of one, which that is, and how it is written."""
    called = column.strip().casefold()
    for stat in rules.stats:
        parts = parts_of(stat)
        if parts and called in (*parts, stat.name.removesuffix("s")):
            right = ", ".join(str(stat.example[0][part]) for part in parts if part in stat.example[0])
            return f"no stat is called so; the column is {stat.name}: {right}"
    return "no stat is called so"


def _of_foreign(name: str, read: Foreign, rules: Ruleset) -> Dropped:
    unread: dict[str, list[str]] = {}
    pieces: dict[str, list[_Piece]] = {}
    around = {*_AROUND, *read.format.split("-")}
    for who, field, value, why in read.left_out.select("name", "field", "value", "why").iter_rows():
        kind, words = _spoken(field, around)
        if (who, field) in read.unread:
            unread.setdefault(who, []).append(f"{words} “{value}”: {why}")
        else:
            pieces.setdefault(who, []).append(_Piece(kind, words, value, why))
    asks: dict[str, list[dict[str, object]]] = {}
    for who, stat, why, proposed in read.asks.select("name", "stat", "why", "proposed").iter_rows():
        if stat == "name" or stat in rules.stats:
            title = "Name" if stat == "name" else rules.stats[stat].title or stat
            kinds = {"text"} if stat == "name" else {*rules.stats[stat].type.split("|")}
            is_open = not kinds.isdisjoint(("text", "int", "bool"))
            ask = {"stat": stat, "title": title, "why": why, "proposed": proposed, "open": is_open}
            asks.setdefault(who, []).append(ask)
    rows = read_roster(rules, read.roster)
    entries = []
    for row in rows:
        unused, left = _gathered(pieces.get(row.name, ()))
        entries.append(Entry(row_of(row), asks.get(row.name, ()), unused, left, unread.get(row.name, ())))
    return Dropped(name, read.found.made.title, rules.id, entries)


class _Piece(NamedTuple):
    """Something in a file that the rules have no use for."""

    kind: str
    words: str
    value: str
    why: str


def _spoken(field: str, around: set[str]) -> tuple[str, str]:
    """Return of what kind something in a file is, and what it is called, without the way there.

    Examples
    --------
    >>> _spoken("system.skills.useTheForce", {"system"}), _spoken("items[12]", {"system"})
    (('skills', 'use the force'), ('items', ''))
    """
    steps = [_CASES.sub(r"\1 \2", each.strip("@#")).replace("_", " ").lower() for each in _STEPS.split(field) if each]
    inner = [each for each in steps if each not in around] or steps
    return inner[0], " ".join(inner[1:])


def _gathered(pieces: Iterable[_Piece]) -> tuple[str, list[str]]:
    """Say how many there are of each kind, the most first; and kind by kind which, and why.

    Examples
    --------
    >>> _gathered(
    ...     [_Piece("token", "", "x.png", "a picture"), *[_Piece("skills", each, "3", "no use") for each in "ab"]]
    ... )
    ('2 skills, token', ['skills: a, b (no use)', 'token: x.png (a picture)'])
    """
    kinds: dict[str, list[_Piece]] = {}
    for piece in pieces:
        kinds.setdefault(piece.kind, []).append(piece)
    told, lines = [], []
    for kind, held in sorted(kinds.items(), key=lambda each: -len(each[1])):
        told.append(
            kind if len(held) == 1 else f"{len(held)} {kind}" if kind.endswith("s") else f"{kind} ({len(held)})"
        )
        names = ", ".join(dict.fromkeys(each.words or each.value for each in held))
        lines.append(f"{kind}: {names} ({'; '.join(dict.fromkeys(each.why for each in held))})")
    return ", ".join(told), lines
