"""A journal's file, open in this process: read, read on, written to; put right with the first call."""

from __future__ import annotations

import errno
import os
import stat
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING
from weakref import WeakSet, WeakValueDictionary, ref

import msgspec

from combatkit.core.timeline import Timeline
from combatkit.errors import DamagedJournal, JournalError, warn
from combatkit.files.paths import whole_file
from combatkit.journal.lines import LONGEST, MOST, Line, Past, Senseless, head, marked
from combatkit.journal.lock import appended, lock, unlock
from combatkit.journal.mending import Mended, put_in_order, read

if TYPE_CHECKING:
    from combatkit.fight.fight import Encounter
    from combatkit.journal.store import Store


class Book:
    """An open file and what it holds; all fights of it that are open in this process share one.

    Parameters
    ----------
    path : Path
        The file.
    make : bool
        Whether it is made if it is not there.
    others : sequence of Path
        Other files, whose histories are read as well.

    Attributes
    ----------
    past : Past
        What it holds.
    open : dict of weakref by int
        The fights that are open, by where they are kept.
    writing : set of int
        Those of them that have been gone on with here: for as long as there is one, nobody else may write.
    came : bool
        Whether another's lines have been taken in since one was written here.
    closed : str
        What is said of it once it is closed.
    encounters : mapping
        The encounters by their fights: who opens one again is given the same, so that all are always in step.
    """

    def __init__(self, path: Path, *, make: bool = False, others: Sequence[Path] = ()) -> None:
        self.path = path
        self.others = tuple(others)
        self._name = str(path)
        self.past = Past()
        self.open: dict[int, ref[Store]] = {}
        self.writing: set[int] = set()
        self.encounters: WeakValueDictionary[int, Encounter] = WeakValueDictionary()
        self.locked = False
        self.came = False
        self.closed = f"{path.name} is closed: ck.Encounter.open({path.name!r}) goes on with it"
        self._sure = True
        """Whether `past` is what the file holds: not while it is written, so not after a write that was interrupted."""
        self._is_made = make and not path.exists()
        """Whether the file is there for what is to be written now."""
        with self._told("make it" if make else "read it"):
            self._file = _opened(path, make)
        try:
            with self._told("read it"):
                self._seen = _stamp(os.fstat(self._file.fileno()))
                beside = [(file.name, _content(file)) for file in self.others]
                self.past, self._mended = read(path.name, self._held(0), *beside)
        except BaseException:
            self._file.close()
            raise
        _books.add(self)

    @property
    def is_ours(self) -> bool:
        """Whether it is open, and in this process."""
        return not self._file.closed

    def there(self) -> os.stat_result | None:
        """Return what the system says of the file that is found where it was, if there is one."""
        try:
            return os.stat(self._name)  # noqa: PTH116 - half of what Path.stat takes, in every call
        except OSError:
            return None

    @property
    def is_there(self) -> bool:
        """Whether the file that is found there is the one that was read."""
        there = self.there()
        return there is not None and there.st_ino == self._seen[0]

    # ── reading ──

    def _held(self, start: int) -> bytes:
        self._file.seek(start)
        return self._file.readall()

    def line(self, start: int, end: int) -> bytes:
        """Return a line."""
        if self._mended is not None:
            return self._mended.content[start:end]
        self._file.seek(start)
        return self._file.read(end - start)

    def look(self) -> None:
        """Take in what has come."""
        if not self._sure:
            self._settle()
        elif not self.locked:
            there = self.there()
            if there is not None and _stamp(there) != self._seen:
                self._catch_up(there)

    def _settle(self) -> None:
        """Read anew what the file holds; half a line is what a write that was interrupted has left."""
        past = Past()
        with self._told("read it"):
            past.read(self.path.name, self._held(0))
            if self.locked and not past.wrong:
                self._file.truncate(past.size)
            self._seen = _stamp(os.fstat(self._file.fileno()))
        self.past = past
        self._sure = True

    def _catch_up(self, there: os.stat_result) -> bool:
        """Take in a file that is another now, if it goes on from what is known; say whether it does."""
        stale = False
        if there.st_ino == self._seen[0] and there.st_size > self.past.size and self._mended is None:
            self._sure = False
            with self._told("read it"):
                seen = _stamp(os.fstat(self._file.fileno()))
                more = self._held(self.past.size)
                self.past.read(self.path.name, more)
            self._sure = True
            stale = not more  # in a browser, a file that is open shows nothing of what another kernel has written
            if not self.past.wrong and not stale:
                self._seen, self.came = seen, True
                return True
            self.past.wrong = ""
        try:
            new = Book(self.path)
        except JournalError:
            return False
        if new.said or not all(self._goes_on(new, number) for number in self.open):
            new.close()
            return False
        if stale or new._seen[0] != self._seen[0]:
            if self.locked and not new._lock():
                new.close()
                return False
            new._file, self._file = self._file, new._file
        self.past, self._mended, self._seen, self.came = new.past, new._mended, new._seen, True
        new.close()
        return True

    def _goes_on(self, new: Book, number: int) -> bool:
        """Check whether a fight is the same in a file, as far as it is known."""
        held, known = self.encounters.get(number), self.past.fights[number]
        if held is None:
            return True
        if new.past.ids().get(known.id) != number:
            return False
        now, there = held._timeline.now, new.timeline(number).now
        return msgspec.json.encode(there.log[: now.length]) == msgspec.json.encode(now.log[:])

    def timeline(self, number: int) -> Timeline:
        """Return what happened in a fight; what tells of nothing that a fight does is left out, and said."""
        data = self._held(0) if self._mended is None else self._mended.content
        id = self.past.fights[number].id
        try:
            return self.past.timeline(number, data)
        except Senseless as error:
            if self.open or self._mended is not None:
                raise JournalError(f"{self.path.name}: {error}. Close its other fights, and open it again") from error
        self.past, self._mended = put_in_order(self.path.name, data)
        if id not in (ids := self.past.ids()):
            raise JournalError(f"{self.path.name}: nothing of {id!r} could be read: {self.said}")
        return self.timeline(ids[id])

    def stage(self, number: int) -> str:
        """Return how far a fight has come, as ``State.stage`` says it."""
        held = self.encounters.get(number)
        return (self.timeline(number) if held is None else held._timeline).now.state.stage

    # ── damage ──

    @property
    def said(self) -> str:
        """What is to be said of it: what is not whole, was changed, or is another history's."""
        found = self._mended
        return found.said if found is not None and not (found.is_tail and self._others_write()) else ""

    @property
    def lost(self) -> bytes:
        """What has no place in it, but for half a line at its end."""
        return b"" if self._mended is None or self._mended.is_tail else self._mended.lost

    def tell(self) -> None:
        """Say what is to be said, and what becomes of the file: with no fight left, nothing."""
        if not (said := self.said):
            return
        assert self._mended is not None
        if not self.past.fights:
            said += ". It stays as it is"
        elif self._mended.lost:
            said += f". The next call takes what has no place out of the file; it is kept in {self._aside().name}"
        warn(DamagedJournal(f"{self.path.name}: {said}"))

    def tell_apart(self) -> None:
        """Say which branches the lines of other files became, that went on otherwise from the same past."""
        for file, id, at in self._mended.apart if self._mended is not None else ():
            name = self.path.name
            warn(
                f"{file} goes on otherwise than {name} after event {at:,}, and that is kept as a branch: "
                f"ck.Encounter.open([{name!r}, {file!r}], {id!r}) opens it"
            )

    def _others_write(self) -> bool:
        """Check whether another process writes, which may be in the middle of a line."""
        with suppress(OSError):
            if self.locked or not self._file.writable():
                return False
            if not lock(self._file):
                return True
            unlock(self._file)
        return False

    def _aside(self) -> Path:
        """Return where what has no place will be kept: the disk may tell other names apart than this does."""
        beside = (self.path.with_name(f"{self.path.name}.damaged{f'-{n}' if n > 1 else ''}") for n in count(1))
        return next(path for path in beside if not os.path.lexists(path))

    def _put_right(self, found: Mended) -> None:
        """Let the file hold what was read, and keep beside what has no place in it."""
        with self._told("put it right"):
            if found.lost:
                with whole_file(self._aside()) as out:
                    out.write(found.lost)
            if self._held(0).startswith(found.content):
                self._file.truncate(len(found.content))
            else:
                self._replace(found.content)
            self._seen = _stamp(os.fstat(self._file.fileno()))
        self._mended = None

    def _replace(self, content: bytes) -> None:
        """Let a file with other content take its place, and claim that."""
        try:
            with whole_file(self.path) as out:
                out.write(content)
                if sys.platform == "win32":
                    self._file.close()  # nobody may hold what is replaced there
        finally:
            self._file.close()
            self._file, self.locked = _opened(self.path, make=False), False
        if not self._lock():
            raise JournalError(f"{self.path.name} is being played in another notebook or program: make this call again")
        self.locked = True

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
        end = b"" if past.ended else b"\n"
        written = b"".join([end, begun, *(raw for raw, _ in told)])
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
                self._seen = _stamp(os.fstat(self._file.fileno()))
                self._sure = True
            with self._told("write to it"):
                raise
        past.read(self.path.name, end + begun)
        for line, (raw, mark) in zip(lines, told, strict=True):
            past.add(line, len(raw), mark)
        self._seen, self.came = _stamp(os.fstat(self._file.fileno())), False
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
                raise JournalError(
                    f"{name} may only be read, so this was not done. Make the file yours to write, or keep a copy "
                    "elsewhere with save(path) and open that"
                )
            with self._told("claim it"):
                if not self._lock():
                    raise JournalError(
                        f"{name} is being played in another notebook or program, and only one can play it at a time. "
                        "Nothing is lost: what is done there is shown here. To go on here, close it there (shut that "
                        "notebook down, or enc.close()), then do this again"
                    )
            self.locked = True
        if not self._sure:
            self._settle()
        if self.past.wrong:
            raise JournalError(f"{name}: {self.past.wrong}. Nothing is written: open it again")
        there = self.there()
        if there is None:
            raise JournalError(
                f"{self.path} is no longer there: nothing is written. Put it back, or make it anew: enc.save({name!r})"
            )
        if changed := self.changed():
            raise JournalError(changed)
        if self._mended is not None:
            self._put_right(self._mended)

    def changed(self) -> str:
        """Return what is said if something else has changed the file, so that no call goes on from what is known."""
        there, name = self.there(), self.path.name
        if there is None or _stamp(there) == self._seen or self._catch_up(there):
            return ""
        return (
            f"{name} was changed by something else: nothing is written. enc.close() and ck.Encounter.open({name!r})"
            f" go on with what it holds; enc.save({f'{self.path.stem}-2{self.path.suffix}'!r}) keeps what is here"
        )

    def _lock(self) -> bool:
        """Lock the file, unless another process has; where none can be locked, say so once and go on."""
        try:
            return lock(self._file)
        except OSError as error:
            if error.errno not in _UNLOCKED:
                raise
            if self.path not in _lockless:
                _lockless.add(self.path)
                warn(
                    f"{self.path.name} can't be locked where it is ({error.strerror}; a network drive?): the fight "
                    "goes on, but let no second kernel write in it. A folder on a disk of this machine is safer"
                )
            return True

    def let_go(self) -> None:
        """Let others write, unless a fight is gone on with here."""
        if self.locked and not self.writing and self.is_ours:
            for held in self.open.values():
                store = held()
                if store is not None:
                    store.follows = True
            with suppress(OSError):  # it may be where none can be locked
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
        """Close the file, unless a fight of it is open; one that was made and not written goes again."""
        if self.open:
            return
        self._file.close()
        if self._is_made and not self.past.count:
            with suppress(OSError):
                if not self.path.stat().st_size:
                    self.path.unlink()

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
_lockless: set[Path] = set()
"""The files that were said to be where none can be locked."""

_UNLOCKED = {errno.ENOLCK, errno.ENOSYS, errno.EOPNOTSUPP, errno.ENOTSUP, errno.EINVAL, 524}
"""What a system says where files can't be locked; Linux lets network drives say 524, which has no name of its own."""


def _stamp(there: os.stat_result) -> tuple[int, ...]:
    """Return by what a file is told from another, or from itself before it was written to.

    Some editors and sync clients give a file its old date back: the time of change they can't set.
    """
    return there.st_ino, there.st_size, there.st_mtime_ns, there.st_ctime_ns


def _content(path: Path) -> bytes:
    with _opened(path, make=False) as file:
        file.seek(0)
        return file.readall()


def shared(path: Path) -> Book | None:
    """Return the file if a fight of it is open in this process."""
    known = [book for book in _books if book.path == path and book.open and book.is_ours]
    for book in known:
        book.look()
    return next((book for book in known if book.is_there), None)


def _opened(path: Path, make: bool) -> FileIO:
    if make and not path.parent.is_dir():
        raise JournalError(f"there is no folder {path.parent} to keep {path.name} in: make it, or name another")
    if not path.exists():
        if make:
            return appended(path)
        raise JournalError(f"{path} is not there; ck.Encounter(..., journal={path.name!r}) begins a journal")
    found = path.stat()
    if not stat.S_ISREG(found.st_mode):
        what = "a folder; give a journal in it" if stat.S_ISDIR(found.st_mode) else "not a regular file; name another"
        raise JournalError(f"{path} is {what}")
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
