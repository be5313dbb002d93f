"""What a journal holds: its encounters, as a table."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from datetime import datetime
from html import escape
from pathlib import Path

from msgspec import Struct

from combatkit.core.timeline import Timeline
from combatkit.errors import JournalError
from combatkit.journal.book import Book
from combatkit.journal.lines import Fight
from combatkit.journal.opening import journal_paths
from combatkit.report.table import html_table

_COLUMNS = ("id", "system", "title", "begun", "rounds", "calls", "stage", "parent")


class Entry(Struct, frozen=True):
    """One encounter of a journal.

    Parameters
    ----------
    id, system, title : str
        The encounter's id, its ruleset's id, and what it is called.
    begun : datetime
        When it was begun (UTC).
    rounds : int
        How many rounds have begun.
    calls : int
        How many calls stand; what was undone is not counted.
    stage : str
        ``"setup"``, ``"running"`` or ``"over"``.
    parent : tuple of str and int or None
        The encounter it was branched from, and at which event.
    """

    id: str
    system: str
    title: str
    begun: datetime
    rounds: int
    calls: int
    stage: str
    parent: tuple[str, int] | None = None


class Campaign(tuple[Entry, ...]):
    """The encounters of a journal, in the order they were begun; a notebook shows them as a table."""

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
    begun = f"{entry.begun:%Y-%m-%d %H:%M}"
    return (entry.id, entry.system, entry.title, begun, str(entry.rounds), str(entry.calls), entry.stage, parent)


def campaign(path: str | Path | Sequence[str | Path]) -> Campaign:
    """List the encounters of a journal; nothing is written.

    Parameters
    ----------
    path : str, Path or list of them
        The file; of several, such as conflicted copies, what they hold together.

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

    Warns
    -----
    DamagedJournal
        If it is not as it was written.

    Examples
    --------
    >>> import combatkit as ck, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "friday.combat")
    >>> with ck.Encounter("saga", id="friday", title="The warehouse", journal=path) as enc:
    ...     _ = enc.add("Mara", side="rebels", dex=4)
    >>> [(entry.id, entry.title, entry.calls, entry.stage) for entry in ck.campaign(path)]
    [('friday', 'The warehouse', 2, 'setup')]
    >>> folder.cleanup()
    """
    file, *others = journal_paths(path)
    with closing(Book(file, others=others)) as book:
        lines = _lines(book)
        book.tell()
        return Campaign(_entry(fight, line) for fight, line in zip(book.past.fights.values(), lines, strict=True))


def _lines(book: Book) -> list[Timeline]:
    """Return what happened in each fight; anew if what tells of nothing had to be left out."""
    past, lines = book.past, []
    for number in past.fights:
        try:
            lines.append(book.timeline(number))
        except JournalError:
            if book.past is past:
                raise
        if book.past is not past:
            return _lines(book)
    return lines


def _entry(fight: Fight, line: Timeline) -> Entry:
    calls, state = sum(1 for _ in line.done), line.now.state
    title = fight.settings.get("title", "")
    return Entry(fight.id, fight.system, title, fight.begun, state.round or 0, calls, state.stage, fight.parent)
