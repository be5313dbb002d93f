"""One fight's place in a journal: the engine's `Journal`."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from time import monotonic
from typing import Any
from weakref import finalize, ref

from combatkit.core.limits import PICTURE
from combatkit.core.timeline import Step, Timeline
from combatkit.errors import InvalidInput, JournalError
from combatkit.files.paths import read_file, whole_file
from combatkit.journal.book import Book
from combatkit.journal.lines import Line, Senseless, Settings, line_of, retell

_ENDS = frozenset(("turn_end", "step_end", "round_end", "over"))
"""The kinds of event whose call is brought to the disk."""

_LATE = 2.0
"""So is a call that comes so many seconds after the last one, or more."""


class Store:
    """Where a fight is kept.

    Parameters
    ----------
    book : Book
        The file.
    number : int
        The fight's number there.
    batch : bool
        Whether only the ends of turns are brought to the disk at once.

    Attributes
    ----------
    follows : bool
        Whether the file may hold more than is known.
    """

    def __init__(self, book: Book, number: int, *, batch: bool = False) -> None:
        self.book = book
        self.number = number
        self.batch = batch
        self.path = book.path
        self.follows = True
        self._last = monotonic()
        self._held = book.open[number] = ref(self)
        finalize(self, book.leave, number, self._held)

    @property
    def settings(self) -> Mapping[str, Any]:
        """What is settled about the fight."""
        return self.book.past.fights[self.number].settings

    @property
    def is_open(self) -> bool:
        """Whether it has not been closed."""
        return self.book.open.get(self.number) is self._held and self.book.is_ours

    def follow(self, line: Timeline) -> bool:
        """Let a timeline take in what the file holds beyond it; say whether that was made here."""
        book = self.book
        if not self.is_open:
            return False
        own = book.locked and not book.came
        book.look()
        length = line.now.length
        new = [place for place in book.past.fights[self.number].places if place[0] > length]
        try:
            retell(line, ((start, book.line(start, end)) for _, start, end in new))
        except Senseless as error:
            raise JournalError(f"{self.path.name}: what was added: {error}") from error
        self.follows = not own
        return own and bool(new)

    def in_step(self) -> None:
        """Note that what was written is known."""
        self.follows = False

    def write(self, step: Step) -> None:
        """Keep a call, an undo or redo, or raise `JournalError` and keep nothing."""
        now = monotonic()
        late, self._last = now - self._last >= _LATE, now
        sync = (late and not self.batch) or not _ENDS.isdisjoint([event.kind for event in step.events])
        self._write(line_of(self.number, step), sync=sync)

    def settle(self, settings: Mapping[str, Any]) -> None:
        """Keep settings, or raise `JournalError` and keep nothing; without any, that this fight is looked at now."""
        self._write(Line(self.number, set=Settings(**settings)), sync=False)

    def _write(self, line: Line, *, sync: bool) -> None:
        book = self.book
        if not self.is_open:
            raise JournalError(book.closed)
        try:
            book.claim()
            self.follows = True
            places = book.past.fights[self.number].places
            if line.call is not None and places and places[-1][0] >= line.call:
                raise JournalError(
                    f"{self.path.name}: another process has just gone on with this fight. What it did is shown now: "
                    "look, and make this call again"
                )
            book.write([line], sync=sync)
            book.writing.add(self.number)
        finally:
            book.let_go()

    def keep(self, name: str, content: bytes) -> None:
        """Keep a file beside the journal."""
        keep_beside(self.path, name, content)

    def kept(self, name: str) -> bytes | None:
        """Return what a file beside the journal holds."""
        return kept_beside(self.path, name)

    def close(self) -> None:
        """Let others write; the file is closed with the last of its fights."""
        self.follows = True
        self.book.leave(self.number, self._held)


def keep_beside(journal: Path, name: str, content: bytes) -> None:
    """Keep a file beside a journal, unless it is there.

    Raises
    ------
    JournalError
        If another file has that name, which stays as it is, or it can't be written.
    """
    path = journal.with_name(name)
    if kept_beside(journal, name) == content:
        return
    if os.path.lexists(path):
        raise JournalError(f"{path} is another file: move it away, and do this again")
    try:
        with whole_file(path) as out:
            out.write(content)
    except OSError as error:
        raise JournalError(f"{path} cannot be written: {error.strerror or error}") from error


def kept_beside(journal: Path, name: str) -> bytes | None:
    """Return what a file beside a journal holds; None if there is none, or it can't be read."""
    try:
        return read_file(journal.with_name(name), "a picture", PICTURE)
    except InvalidInput:
        return None
