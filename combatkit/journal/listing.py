"""What a journal holds: its encounters, as a table."""

from __future__ import annotations

import os
import sqlite3
from contextlib import closing
from html import escape
from pathlib import Path

from msgspec import Struct

from combatkit.core.timeline import Timeline
from combatkit.errors import UnknownName
from combatkit.journal.claim import is_claimed
from combatkit.journal.form import Damage, connect, told
from combatkit.journal.opening import connected, journal_path, listed
from combatkit.journal.pages import Home
from combatkit.journal.rescue.recovery import recover
from combatkit.journal.rows import Row
from combatkit.journal.store import Store, claim_path, signed
from combatkit.registry import ruleset
from combatkit.report.table import html_table

_COLUMNS = ("id", "system", "title", "stage", "clock", "events", "parent")


class Entry(Struct, frozen=True):
    """One encounter of a journal.

    Parameters
    ----------
    id, system, title : str
        The encounter's id, its ruleset's id and title.
    stage : str
        ``"setup"``, ``"running"`` or ``"over"``.
    clock : str
        The moment it has reached.
    events : int
        How many events it has.
    parent : tuple of str and int or None
        The encounter it was branched from, and at which event.
    writer : str
        Who has claimed the right to write it: process, host and since when; empty if nobody has.
    """

    id: str
    system: str
    title: str
    stage: str
    clock: str
    events: int
    parent: tuple[str, int] | None = None
    writer: str = ""


class Campaign(tuple[Entry, ...]):
    """The encounters of a journal, in the order they were begun; a notebook shows them as a table.

    Who is writing is left out of it, since that differs from one run to the next: see `Entry.writer`.
    """

    __slots__ = ()

    def __repr__(self) -> str:
        """Return a line per encounter."""
        rows = [_words(entry) for entry in self]
        widths = [max(map(len, column)) for column in zip(_COLUMNS, *rows, strict=True)]
        lines = ("  ".join(map(str.ljust, row, widths)).rstrip() for row in (_COLUMNS, *rows))
        return "\n".join(lines)

    def _repr_html_(self) -> str:
        return html_table("", _COLUMNS, (map(escape, _words(entry)) for entry in self))


def _words(entry: Entry) -> tuple[str, ...]:
    parent = f"{entry.parent[0]}, event {entry.parent[1]}" if entry.parent else ""
    return (entry.id, entry.system, entry.title, entry.stage, entry.clock, str(entry.events), parent)


def campaign(path: str | Path) -> Campaign:
    """List the encounters of a journal.

    Parameters
    ----------
    path : str or Path
        The file.

    Returns
    -------
    Campaign
        A tuple with one `Entry` per encounter.

    Raises
    ------
    InvalidInput
        If `path` can't be a path.
    JournalError
        If there is no such file, or it cannot be read.

    Examples
    --------
    >>> import combatkit as ck, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "friday.combat")
    >>> with ck.Encounter("saga", id="friday", journal=path) as enc:
    ...     _ = enc.add("Mara", side="rebels", dex=4)
    >>> ck.campaign(path)
    id      system  title                   stage  clock      events  parent
    friday  saga    Star Wars Saga Edition  setup  Not begun  2
    >>> folder.cleanup()
    """
    file = journal_path(path)
    try:
        return _campaign(file)
    except Damage as damage:
        recover(file, damage)
    return _campaign(file)


def _campaign(file: Path) -> Campaign:
    with closing(connected(file)) as db, told(file, "read it"):
        return Campaign(_entry(file, db, row) for row in sorted(listed(file, db)))


def _entry(file: Path, db: sqlite3.Connection, row: Row) -> Entry:
    number, id, system, title, parent, seq, _ = row
    try:
        rules = ruleset(system)
    except UnknownName:
        rules = None
    store = Store(Home(file, connect(file), number, id), rules)
    try:
        line = Timeline(store, store.standing())
    finally:
        store.close()
    if rules is not None:
        clock = rules.clock(line.state).label
    else:
        clock = "" if line.state.round is None else f"round {line.state.round}"
    writer = signed(db, number) if is_claimed(claim_path(file, number)) else ""
    if writer.startswith(f"process {os.getpid()} "):
        writer = f"this {writer}"
    return Entry(
        id, system, title, line.state.stage, clock, len(line.events), (parent, seq) if parent else None, writer
    )
