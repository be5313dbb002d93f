"""The lines of a journal, and the marks that chain them: how they are written, and how far they are what was written.

The first says what the file is; then comes a line for each thing accepted. Each ends with the mark of the line before
it and its own: so a line that is torn, changed, missing, doubled or another history's is found, whatever comes after.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator, Mapping
from datetime import UTC, datetime
from hashlib import blake2b
from typing import Annotated, Any

import msgspec
from msgspec import UNSET, Meta, Raw, Struct, UnsetType

from combatkit.core.model import Event, Laid
from combatkit.core.payloads import check_events
from combatkit.core.timeline import Step, Timeline
from combatkit.errors import JournalError, clipped

FORMAT = 3

MOST = 1 << 28
"""No journal has more bytes: of an evening it has some hundred thousand."""

LONGEST = 1 << 24
"""No line has more bytes."""

UNREADABLE = (msgspec.MsgspecError, ValueError, RecursionError)
"""What reading JSON that somebody else wrote can come to."""

_Number = Annotated[int, Meta(ge=1, le=2**53)]
_When = Annotated[datetime, Meta(tz=True)]


class Head(Struct, omit_defaults=True):
    """The first line; of a saved copy it says how many lines that has, for as long as nobody has gone on with it."""

    combatkit: str
    format: int
    version: str = ""
    copy: int = 0


class Settings(Struct, omit_defaults=True):
    """What is settled about a fight and is no part of it; what a line leaves out stays as it was.

    Of the pictures that `looks` names, a journal has those beside it that it was given as files; `pictures` are within,
    in base64 by the SHA-256 of what they were made of. `zones` is the column and row in which each is drawn.
    """

    title: str | UnsetType = UNSET
    table_dice: bool | UnsetType = UNSET
    looks: list[Laid] | UnsetType = UNSET
    pictures: dict[str, str] | UnsetType = UNSET
    zones: dict[str, tuple[int, int]] | UnsetType = UNSET
    room: dict[str, Any] | UnsetType = UNSET


class Line(Struct, omit_defaults=True):
    """Any other line.

    A fight that begins has an id, and the number that the lines after it name it by; either its first call, or the
    number of the fight whose past it shares up to an event (`past`, `parent`). A call has a title, and the call it
    comes `after`; an undo or redo the call it leads `to`; both by their first events.
    """

    fight: _Number
    id: str = ""
    system: str = ""
    title: str = ""
    begun: _When | None = None
    parent: tuple[str, _Number] | None = None
    past: _Number | None = None
    set: Settings | None = None
    call: _Number | None = None
    after: int | None = None
    to: _Number | None = None
    when: _When | None = None
    events: Any = ()


class Stored(Line, omit_defaults=True):
    """A line as it is read: its events are left for later."""

    events: Raw = Raw(b"")


class Fight(Struct):
    """What a journal says of a fight, and where its calls and moves are: each by its first event, start and end."""

    number: int
    id: str
    system: str
    begun: datetime
    parent: tuple[str, int] | None
    past: int | None
    settings: Mapping[str, Any] = {}
    places: list[tuple[int, int, int]] = []


_head = msgspec.json.Decoder(Head).decode
read_line = msgspec.json.Decoder(Stored).decode
_events = msgspec.json.Decoder(list[Event]).decode

_SIGN = b',"mark":"'
_END = len(_SIGN) + 32 + len(b'"}')

_BEGINS = b'{"combatkit":"journal"'
_HALF = "\N{REPLACEMENT CHARACTER}".encode()
"""What half a sign in UTF-16 is read as."""

NO_MARK = b"0" * 16
"""What the first line after the head has for the mark of one before it."""


def head(copy: int = 0) -> bytes:
    """Return the first line of a journal, or of a copy that will have so many."""
    from combatkit import __version__

    return msgspec.json.encode(Head("journal", FORMAT, __version__, copy)) + b"\n"


def marked(lines: Iterable[object], mark: bytes = NO_MARK) -> Iterator[tuple[bytes, bytes]]:
    """Yield each line as it is written, the first after one with a mark, and its own mark."""
    for line in lines:
        written, mark = marked_line(msgspec.json.encode(line), mark)
        yield written, mark


def marked_line(written: bytes, before: bytes) -> tuple[bytes, bytes]:
    """Return an object as JSON with both marks at its end, and its own."""
    body = written[:-1]
    mark = mark_of(body, before)
    return b'%b%b%b%b"}\n' % (body, _SIGN, before, mark), mark


def mark_of(body: bytes, before: bytes) -> bytes:
    """Return the mark of a line, of what stands before its marks, after one with a mark."""
    return blake2b(before + body, digest_size=8).hexdigest().encode()


def dated(when: float | None) -> datetime:
    """Return a date of seconds since 1970."""
    return datetime.fromtimestamp(when or 0.0, UTC)


def line_of(fight: int, step: Step) -> Line:
    """Return the line that tells of a step."""
    when, events = dated(step.when), step.events
    return Line(fight, call=step.first, after=step.after, to=step.to, title=step.title, when=when, events=events)


class Past:
    """What a journal holds, as far as its lines are what was written.

    Attributes
    ----------
    fights : dict of Fight by int
        By their numbers.
    last : int
        The fight that was played last, or looked at: whose room it is about says nothing of that.
    size : int
        How many bytes hold.
    ended : bool
        Whether the last line that holds ends as lines do.
    count : int
        How many lines hold.
    mark : bytes
        The last one's mark.
    copy : int
        How many lines it had when it was saved as a copy.
    wrong : str
        What is wrong with the line after them.
    """

    def __init__(self) -> None:
        self.fights: dict[int, Fight] = {}
        self.last = 0
        self.size = 0
        self.count = 0
        self.mark = NO_MARK
        self.ended = True
        self.copy = 0
        self.wrong = ""

    def read(self, name: str, data: bytes) -> None:
        """Read on: whole lines, up to one that is not what was written.

        Raises
        ------
        JournalError
            If the first line says that this is no journal, or one of a newer format.
        """
        start = 0
        while not self.wrong and start < len(data):
            end = data.find(b"\n", start)
            ended, line = end >= 0, data[start : end if end >= 0 else None]
            size, start = len(line) + ended, start + len(line) + 1
            line = line.removesuffix(b"\r")  # some tools end every line of a text like that
            try:
                if not line.strip():
                    self.size += size
                elif self.count:
                    self._take(line, size)
                else:
                    self.copy = check_head(name, line)
                    self.count, self.size = 1, self.size + size
            except UNREADABLE as error:
                if ended or len(line) > LONGEST:
                    self.wrong = f"line {self.count + 1} is not what was written ({clipped(str(error))})"
                return  # else a line that is being written just now, or was when the power failed
            self.ended = ended

    def _take(self, raw: bytes, size: int) -> None:
        if len(raw) > LONGEST:
            raise ValueError(f"it has over {LONGEST:,} bytes")
        if raw[-_END:] != b'%b%b%b"}' % (_SIGN, self.mark, mark := mark_of(raw[:-_END], self.mark)):
            raise ValueError("its mark does not go on from the line before")
        self.add(read_line(raw), size, mark)

    def add(self, line: Line, size: int, mark: bytes) -> None:
        """Take in what the next line says, which has so many bytes, and its mark."""
        fight = self._begun(line) if line.id else self.fights.get(line.fight)
        if fight is None:
            raise ValueError(f"no fight {line.fight} has begun")
        if line.call is not None and (line.when is None or not line.events):
            raise ValueError("a call has events, and a date")
        self.fights[line.fight] = fight
        if line.set is not None:
            fight.settings = {**fight.settings, **msgspec.to_builtins(line.set)}
        if line.call is not None:
            fight.places.append((line.call, self.size, self.size + size))
        if line.id or line.set is None or line.set.room is UNSET:
            self.last = line.fight
        self.mark = mark
        self.count, self.size = self.count + 1, self.size + size

    def _begun(self, line: Line) -> Fight:
        parent = line.parent
        known = line.past is None or line.past in self.fights
        if line.fight != len(self.fights) + 1 or line.id in self.ids() or not known or line.begun is None:
            raise ValueError(f"no fight {line.id[:40]!r} can begin here")
        if (line.past is None) == (line.call is None) or (line.past is not None and parent is None):
            raise ValueError(f"fight {line.fight} has no past")
        return Fight(line.fight, line.id, line.system, line.begun, parent, line.past)

    def ids(self) -> dict[str, int]:
        """Return the numbers of all fights by their ids."""
        return {fight.id: fight.number for fight in self.fights.values()}

    def timeline(self, number: int, data: bytes) -> Timeline:
        """Return what happened in a fight, as the lines of the whole file tell it.

        Raises
        ------
        Senseless
            If some of it makes no sense.
        """
        fight = self.fights[number]
        line = Timeline(fight.settings, fight.begun.timestamp())
        collects = gc.isenabled()
        try:
            gc.disable()  # all that is read stays: to look through it again and again takes as long as reading it
            retell(line, ((start, data[start:end]) for start, end in self.places(number)))
        finally:
            if collects:
                gc.enable()
        return line

    def places(self, number: int) -> Iterator[tuple[int, int]]:
        """Yield where the lines of a fight begin and end, those of a past that it shares first."""
        fight, limit = self.fights[number], 1 << 53
        chain = [(fight, limit)]
        while fight.past is not None:
            assert fight.parent is not None
            limit = min(limit, fight.parent[1])
            fight = self.fights[fight.past]
            chain.append((fight, limit))
        for each, limit in reversed(chain):
            for first, start, end in each.places:
                if first > limit:
                    break
                yield start, end


class Senseless(ValueError):
    """A line tells of nothing that a fight does: where it begins, and why."""

    def __init__(self, start: int, why: str) -> None:
        self.start = start
        super().__init__(why)


def retell(line: Timeline, told: Iterable[tuple[int, bytes]]) -> None:
    """Let a timeline take what lines tell, each given with where it begins.

    Raises
    ------
    Senseless
        If one makes no sense; those before it are taken.
    """
    for start, raw in told:
        try:
            line.take(step_of(read_line(raw)))
        except MemoryError:
            raise
        except Exception as error:  # whatever events that no fight made may cause
            raise Senseless(start, f"it tells of nothing that a fight does ({clipped(why_of(error))})") from error


def why_of(error: Exception) -> str:
    """Return why a line makes no sense, for whoever looks for it with an editor."""
    if isinstance(error, KeyError):
        return f"there is no {error}"
    is_told = type(error) is ValueError or isinstance(error, msgspec.MsgspecError)
    return str(error) if is_told else f"{type(error).__name__}: {error}"


def step_of(line: Stored) -> Step:
    """Return what a line tells of a fight.

    Raises
    ------
    ValueError
        If it is nothing that a fight does.
    """
    if line.call is None or line.when is None:
        raise ValueError("a call has events, and a date")
    events = _events(line.events)
    check_events(events)
    return Step(line.call, events, line.when.timestamp(), line.after, line.title, line.to)


def check_head(name: str, line: bytes) -> int:
    """Return how many lines a saved copy had, or 0; see `Past.read` for what is refused."""
    try:
        found = _head(line)
    except UNREADABLE:
        found = Head("", 0)
        begun = b"".join(line.split()).removesuffix(_HALF)[: len(_BEGINS)]
        if begun and _BEGINS.startswith(begun):
            raise JournalError(f"{name}: nothing of it can be read: not even its first line is whole") from None
    if found.combatkit != "journal":
        right = f"a journal has a first line like {msgspec.json.encode(Head('journal', FORMAT)).decode()}"
        raise JournalError(f"{name} is not a combatkit journal: {right}. It stays as it is")
    if found.format > FORMAT:
        raise JournalError(
            f"{name} is of format {found.format}, and this combatkit reads up to {FORMAT}: install combatkit "
            f"{found.version[:40]} or newer (pip install --upgrade combatkit)"
        )
    return found.copy
