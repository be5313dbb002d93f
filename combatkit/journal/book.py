"""A journal's file, open in this process: read on, written to, cut off where it is damaged."""

from __future__ import annotations

import errno
import os
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet, WeakValueDictionary, ref

from combatkit.core.timeline import Timeline
from combatkit.errors import DamagedJournal, JournalError, warn
from combatkit.files.paths import whole_file
from combatkit.journal.lines import LONGEST, MOST, Line, Past, Senseless, head, marked
from combatkit.journal.lock import appended, lock, unlock

if TYPE_CHECKING:
    from combatkit.fight.saving import Saving
    from combatkit.journal.store import Store


class Book:
    """An open file and what it holds; all fights of it that are open in this process share one.

    Parameters
    ----------
    path : Path
        The file.
    make : bool
        Whether it is made if it is not there.

    Attributes
    ----------
    past : Past
        What it holds.
    open : dict of weakref by int
        The fights that are open, by where they are kept.
    writing : set of int
        Those of them that have been gone on with here: for as long as there is one, nobody else may write.
    closed : str
        What is said of it once it is closed.
    encounters : mapping
        The encounters by their fights: who opens one again is given the same, so that all are always in step.
    """

    def __init__(self, path: Path, *, make: bool = False) -> None:
        self.path = path
        self._name = str(path)
        self.past = Past()
        self.open: dict[int, ref[Store]] = {}
        self.writing: set[int] = set()
        self.encounters: WeakValueDictionary[int, Saving] = WeakValueDictionary()
        self.locked = False
        self.closed = f"{path.name} is closed: ck.Encounter.open({path.name!r}) goes on with it"
        self._sure = True
        """Whether `past` is what the file holds: not while it is written, so not after a write that was interrupted."""
        with self._told("make it" if make else "read it"):
            self._file = _opened(path, make)
        try:
            with self._told("read it"):
                self._inode = os.fstat(self._file.fileno()).st_ino
                self._read(self.past)
                self._mend()
        except BaseException:
            self._file.close()
            raise
        _books.add(self)

    @property
    def is_ours(self) -> bool:
        """Whether it is open, and in this process."""
        return not self._file.closed

    def there(self) -> os.stat_result | None:
        """Return what the system says of the file, if it is still found where it was."""
        try:
            there = os.stat(self._name)  # noqa: PTH116 - half of what Path.stat takes, in every call
        except OSError:
            return None
        return there if there.st_ino == self._inode else None

    # ── reading ──

    def _data(self, start: int) -> bytes:
        self._file.seek(start)
        return self._file.readall()

    def line(self, start: int, end: int) -> bytes:
        """Return a line."""
        self._file.seek(start)
        return self._file.read(end - start)

    def _read(self, past: Past) -> None:
        past.read(self.path.name, self._data(past.size))

    def look(self) -> None:
        """Take in what has come."""
        if not self._sure:
            self._settle()
        elif not self.locked and not self.past.wrong and os.fstat(self._file.fileno()).st_size > self.past.size:
            self._sure = False
            self._read(self.past)
            self._sure = True

    def _settle(self) -> None:
        """Read anew what the file holds; half a line is what a write that was interrupted has left."""
        past = Past()
        with self._told("read it"):
            self._read(past)
            if self.locked and not past.wrong:
                self._file.truncate(past.size)
        self.past = past
        self._sure = True

    def timeline(self, number: int) -> Timeline:
        """Return what happened in a fight; if some of it makes no sense, the file is cut off before that."""
        id, data = self.past.fights[number].id, self._data(0)
        try:
            return self.past.timeline(number, data)
        except Senseless as error:
            past = Past()
            past.read(self.path.name, data[: error.start])
            past.wrong = f"line {past.count + 1}: {error}"
        if self.open:
            raise JournalError(f"{self.path.name}: {past.wrong}. Close its other fights, and open it again")
        self.past = past
        self._mend()
        if number not in self.past.fights:
            raise JournalError(f"{self.path.name}: nothing of {id!r} could be read")
        return self.timeline(number)

    # ── damage ──

    def _mend(self) -> None:
        """Cut off what follows the lines that are as they were written, and say so; it is kept beside."""
        past = self.past
        if not past.wrong and not self._data(past.size):
            return
        writable = self._file.writable()
        if writable and not lock(self._file):
            if past.wrong:
                raise JournalError(
                    f"{self.path.name}: {past.wrong}. Another process is writing in it: close it there, open it again"
                )
            return  # a line is being written just now
        number, why = past.count + 1, ""
        try:
            if not writable:
                raise PermissionError(0, "it may only be read")
            said = self._put_aside() if past.wrong else self._end_line()
        except OSError as error:
            past.wrong = past.wrong or f"line {number} is not whole"
            why = error.strerror or str(error)
            said = f"{past.wrong}. It is read up to there; it cannot be put right: {why}"
        finally:
            if writable:
                unlock(self._file)
        if said:
            warn(DamagedJournal(f"{self.path.name}: {said}"))

    def _end_line(self) -> str:
        """End the last line; if it is not whole, as when the power fails, cut it off."""
        past = self.past
        self._file.write(b"\n")
        self._read(past)
        if not past.wrong:
            return ""
        past.wrong = ""
        self._file.truncate(past.size)
        return f"line {past.count + 1}, the last, was not whole and is cut off: the call it told of has not happened"

    def _put_aside(self) -> str:
        past, rest = self.past, self._data(self.past.size)
        beside = (self.path.with_name(f"{self.path.name}.damaged{'-' * (n > 1)}{n if n > 1 else ''}") for n in count(1))
        aside = next(path for path in beside if not os.path.lexists(path))  # the disk may tell other names apart
        with whole_file(aside) as out:
            out.write(rest)
        self._file.truncate(past.size)
        wrong, past.wrong = past.wrong, ""
        lost = rest.count(b"\n") or 1
        return f"{wrong}. What is before it holds; the rest, {lost:,} lines, is kept in {aside.name}"

    # ── writing ──

    def write(self, lines: Sequence[Line], *, sync: bool) -> None:
        """Write lines behind the others, all or none; `claim` comes first.

        Raises
        ------
        JournalError
            If they cannot be written.
        """
        past = self.past
        begun, told = b"" if past.count else head(), [*marked(lines, past.mark)]
        written = b"".join([begun, *(raw for raw, _ in told)])
        if past.size + len(written) > MOST or any(len(raw) > LONGEST for raw, _ in told):
            raise JournalError(
                f"{self.path.name}: a line has at most {LONGEST:,} bytes, and a journal {MOST:,}: this one would have "
                "more. For a new fight name another file"
            )
        self._sure = False
        try:
            done = self._file.write(written)
            while done < len(written):
                done += self._file.write(written[done:])
            if sync:
                os.fsync(self._file.fileno())
        except OSError:
            with suppress(OSError):  # else the next call looks what there is
                self._file.truncate(past.size)
                self._sure = True
            with self._told("write to it"):
                raise
        if begun:
            past.read(self.path.name, begun)
        for line, (raw, mark) in zip(lines, told, strict=True):
            past.add(line, len(raw), mark)
        self._sure = True

    def claim(self) -> None:
        """Take the right to write, and see that the file is still the one that was read.

        Raises
        ------
        JournalError
            If another process has it, or what would be written would be lost.
        """
        name = self.path.name
        if not self.is_ours:
            raise JournalError(self.closed)
        if not self.locked:
            if not self._file.writable():
                raise JournalError(f"{name} may only be read: cannot write to it. Make the file yours to write")
            with self._told("claim it"):
                if not lock(self._file):
                    raise JournalError(
                        f"{name} is being written by another process. Nothing is lost: what is done there is shown "
                        "here. To go on here, close it there (enc.close(), or end that kernel), and call again"
                    )
            self.locked = True
            self._sure = False
        if not self._sure:
            self._settle()
        if self.past.wrong:
            raise JournalError(f"{name}: {self.past.wrong}. Nothing is written: open it again")
        there = self.there()
        if there is None:
            raise JournalError(f"{self.path} is no longer there, or is another file: nothing is written. Put it back")
        if there.st_size != self.past.size:
            raise JournalError(f"{name} was changed by something else: nothing is written. Close it, and open it again")

    def let_go(self) -> None:
        """Let others write, unless a fight is gone on with here."""
        if self.locked and not self.writing and self.is_ours:
            for held in self.open.values():
                store = held()
                if store is not None:
                    store.follows = True
            unlock(self._file)
            self.locked = False

    def leave(self, number: int, held: ref[Store]) -> None:
        """Close a fight, and the file with the last one; if it is interrupted, it can be called again."""
        if not self.is_ours or self.open.get(number) is not held:
            return
        try:
            if number in self.writing:
                with self._told("write to it"):
                    os.fsync(self._file.fileno())
        finally:
            self.writing.discard(number)
            self.let_go()
            del self.open[number]
            self.close()

    def close(self) -> None:
        """Close the file, unless a fight of it is open."""
        if not self.open:
            self._file.close()

    @contextmanager
    def _told(self, doing: str) -> Iterator[None]:
        """Turn what the system refuses into our own errors."""
        try:
            yield
        except OSError as error:
            right = "see that the disk has room and is sound, and try again"
            if isinstance(error, PermissionError):
                right = "the file and its folder must be yours to write"
            raise JournalError(f"{self.path.name}: cannot {doing}: {error.strerror or error}; {right}") from error


_books: WeakSet[Book] = WeakSet()


def shared(path: Path) -> Book | None:
    """Return the file if a fight of it is open in this process."""
    known = (book for book in _books if book.path == path and book.open and book.is_ours)
    return next((book for book in known if book.there() is not None), None)


def _opened(path: Path, make: bool) -> FileIO:
    if make and not path.parent.is_dir():
        raise JournalError(f"there is no folder {path.parent} to keep {path.name} in: make it, or name another")
    if not path.exists():
        if make:
            return appended(path)
        raise JournalError(f"{path} is not there; ck.Encounter(..., journal={path.name!r}) begins a journal")
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        what = "a folder" if stat.S_ISDIR(found.st_mode) else "not a regular file"
        raise JournalError(f"{path} is {what}; ck.Encounter(..., journal={path.name!r}) begins a journal")
    if found.st_size > MOST:
        raise JournalError(f"{path.name} has {found.st_size:,} bytes; no journal has over {MOST:,}: name another file")
    try:
        return appended(path)
    except OSError as error:
        if error.errno not in (errno.EACCES, errno.EPERM, errno.EROFS):
            raise
        return FileIO(path)


def _forget() -> None:
    """Leave the files to the process that this one was forked from."""
    for book in list(_books):
        book._file.close()
        book.closed = f"{book.path.name} was opened in another process: open it in this one to go on with it"
    _books.clear()


if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_forget)
