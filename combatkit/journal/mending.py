"""A journal that something else has written in as well: what of it fits, in order, and what does not.

An editor, a formatter, a sync client or a merge may have touched it. Nothing is written here: of what files hold is
made what a journal would hold that says the same. That is read, and with the next call it takes the file's place.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from functools import cached_property
from pathlib import PurePath
from typing import Any, NamedTuple
from unicodedata import is_normalized, normalize

import msgspec
from msgspec import Struct

from combatkit.core.model import Event, State, Turn
from combatkit.core.plain import free
from combatkit.core.timeline import Step, Timeline, fold
from combatkit.errors import clipped
from combatkit.files.paths import in_utf8
from combatkit.journal.lines import (
    FORMAT,
    LONGEST,
    NO_MARK,
    UNREADABLE,
    Past,
    Settings,
    Stored,
    check_head,
    mark_of,
    marked,
    read_line,
    step_of,
    why_of,
)

_HISTORIES = 50
"""So many are told apart; no journal has more."""

_TOLD = 6
"""So many things are said of a file."""

_CHANGED = "{was} changed after {it} {was} written"
_UNREAD = "{is} not what was written"
_TORN = "{is} the last, and not whole: the call {it} tells of has not happened"
_NOTHING = "tell{s} of nothing that a fight does there"
_RESTS = "rest{s} on what is missing there"
_MISSING = "come{s} after one that is missing"
_TWICE = "{is} there in another form as well, as it was written, which counts"
_LATER = "{is} there in another form as well, which stands before {it} and counts"
_STRAY = "follow{s} nothing that is there"
_OTHER = "{is} of another history"
_ONE = {"was": "was", "it": "it", "is": "is", "s": "s"}
_MANY = {"was": "were", "it": "they", "is": "are", "s": ""}

_TRIES = 99
"""So often what begins in a line is looked for in those after it, and not found."""

_NUMBER = re.compile(r"\d+")
_DICE = re.compile(r"(\d{1,4})d\d+([+-]\d+)?")
_FILLED = re.compile(r"\S")
_MERGED = re.compile(rb"(<|=|>|\|)\1{6}(?: (.*))?")
"""What is left around what could not be merged."""


class Mended(NamedTuple):
    """What a journal would hold, what is to be said of it, and what has no place in it."""

    content: bytes
    said: str
    lost: bytes
    is_tail: bool = False
    """Whether that is half a line at the end, which may be one that is being written."""
    apart: tuple[tuple[str, str, int], ...] = ()
    """The branches that another file's lines became: which file, the branch's id, and from which event on."""


class _Entry(Struct, eq=False):
    """A line of a file: where it is, what it says, its marks, and whether it is as it was written."""

    file: int
    number: int
    raw: bytes
    told: dict[str, Any]
    line: Stored
    before: str
    mark: str
    sound: bool
    follows: _Entry | None = None
    """The line before it in the file."""
    gap: bool = False
    """Whether what can't be read comes between."""
    undated: list[str] = []
    """What is typed in place of a date and can't be read, and which counts."""
    origin: str = ""
    after: list[_Entry] = []
    """Those that say they follow it."""
    loose: list[_Entry] = []
    """Those that say they follow what is not there, and come after it in the file."""


class _Fight:
    """A fight, as far as it is told."""

    def __init__(self, number: int, line: Stored, id: str, parent: _Fight | None = None, at: int = 0) -> None:
        self.number = number
        self.id = id
        self.system = line.system
        self.begun = line.begun
        self.settings: Mapping[str, Any] = msgspec.to_builtins(line.set or {})
        self.parent = parent
        self.at = at
        self.is_other = False
        self.others: list[_Fight] = []
        """Its branches."""

    @cached_property
    def line(self) -> Timeline:
        """What happens in it."""
        if self.parent is None:
            return Timeline()
        now = self.parent.line.now
        return self.parent.line.cut(now.tape.stands[bisect_right(now.tape.firsts, self.at) - 1].step.events[-1].seq)

    def has(self, step: Step) -> bool:
        """Check whether it has a step."""
        tape = self.line.now.tape
        index = bisect_left(tape.firsts, step.first)
        if index == len(tape.stands):
            return False
        known = tape.stands[index].step
        return (known.first, known.when, [*known.events]) == (step.first, step.when, [*step.events])


class _History:
    """Lines that follow one another: which fight each number means, and where they come from."""

    def __init__(self, fights: dict[int, _Fight], *, first: bool, origin: str) -> None:
        self.fights = fights
        self.first = first
        self.origin = origin
        self.found = {fight.number: fight.settings for fight in fights.values()}


class _Lines:
    """The lines of files, and how they follow one another."""

    def __init__(self, files: Sequence[tuple[str, bytes]]) -> None:
        self.head: dict[str, Any] = {}
        self.names = [name for name, _ in files]
        self.first: list[_Entry] = []
        self.said: list[tuple[int, int, str, str]] = []
        self.lost: list[tuple[int, int, bytes]] = []
        self._known: dict[str, _Entry] = {}
        self.all: list[_Entry] = []
        for file, (name, data) in enumerate(files):
            self._read(file, name, data)
        for entry in self.all:
            self._link(entry)

    def lose(self, entry: tuple[int, int, bytes], what: str, why: object = "") -> None:
        """Note that a line has no place."""
        self.lost.append(entry)
        self.said.append((*entry[:2], what, f" ({clipped(str(why))})" if why else ""))

    def _read(self, file: int, name: str, data: bytes) -> None:
        before: _Entry | None = None
        entry: _Entry | None
        theirs: list[_Entry] = []
        headed = gap = False
        objects = [*_objects(text := _spelled(in_utf8(data)))]
        last = objects[-1][0] if objects and (b"\n" in objects[-1][1] or not text.endswith(b"\n")) else 0
        for number, raw in objects:
            if merged := _MERGED.fullmatch(raw):
                for each in theirs:
                    each.origin = _origin((merged[2] or b"").decode(errors="replace"))
                theirs = []
                continue
            try:
                told = _plain(raw)
                entry = None if "combatkit" in told else _entry(file, number, raw, told, before)
            except UNREADABLE as error:
                if not headed:
                    check_head(name, raw)
                self.lose(
                    (file, number, raw), *((_TORN,) if number == last and len(raw) <= LONGEST else (_UNREAD, error))
                )
                gap = True
                continue
            if entry is None:
                check_head(name, raw)
                self.head, headed, before = self.head or told, True, None
                continue
            entry.gap, entry.origin = gap, _origin(PurePath(name).stem) if file else ""
            theirs.append(entry)
            gap, before = False, self._take(entry)
        if not headed and data:  # it may come last, if lines were sorted
            check_head(name, b"")

    def _take(self, entry: _Entry) -> _Entry:
        """Take a line in, unless it is there; return what stands for it."""
        twin = self._known.get(entry.mark)
        if twin is None:
            if entry.mark:
                self._known[entry.mark] = entry
            self.all.append(entry)
            return entry
        if twin.told != entry.told:
            worse = (entry.file, entry.number, entry.raw)
            if entry.sound and not twin.sound and entry.file == twin.file:  # whoever mended a file names it first
                worse = (twin.file, twin.number, twin.raw)
                twin.told, twin.line, twin.sound = entry.told, entry.line, True
            self.lose(worse, _TWICE if twin.sound else _LATER)
        return twin

    def _link(self, entry: _Entry) -> None:
        before = self._known.get(entry.before)
        if before is not None:
            before.after.append(entry)
        elif entry.before == NO_MARK.decode() or entry.follows is None:
            self.first.append(entry)
        else:
            entry.follows.loose.append(entry)
            if entry.sound and entry.follows.sound and not entry.gap:
                self.said.append((entry.file, entry.number, _MISSING, ""))


class _Fights:
    """What lines tell: fights, and the lines of a journal that tells of them."""

    def __init__(self, lines: _Lines) -> None:
        self.lines = lines
        self.out: list[dict[str, Any]] = []
        self.apart: dict[str, tuple[str, str, int]] = {}
        self._ids: dict[str, _Fight] = {}
        waits = deque((each, _History({}, first=n == 0, origin=each.origin)) for n, each in enumerate(lines.first))
        seen: set[int] = set()
        for _ in range(_HISTORIES):
            if waits:
                self._follow(*waits.popleft(), waits, seen)
        for entry in lines.all:
            if id(entry) not in seen:
                lines.lose((entry.file, entry.number, entry.raw), _STRAY)

    def _follow(
        self, here: _Entry | None, history: _History, waits: deque[tuple[_Entry, _History]], seen: set[int]
    ) -> None:
        """Go through a history, and leave those that part from it for later."""
        own = len(self.out)
        while here is not None:
            seen.add(id(here))
            self._fit(here, history)
            following = [each for each in (*here.after, *here.loose) if id(each) not in seen]
            here = following[0] if following else None
            for each in following[1:]:
                waits.append((each, _History({**history.fights}, first=False, origin=each.origin)))
        if own and len(self.out) > own:  # the fight that the first history went on with last stays the last
            self.out.append({"fight": self.out[own - 1]["fight"], "set": {}})

    def _fit(self, entry: _Entry, history: _History) -> None:
        """Let what a line tells happen, if it can."""
        length, doubts = len(self.out), entry.undated
        try:
            if not entry.sound and entry.line.call is not None and (fight := history.fights.get(entry.line.fight)):
                step, now = step_of(entry.line), fight.line.now
                doubts = [*doubts, *(_doubts(step, now.at(step.first - 1)) if 1 < step.first <= now.length + 1 else ())]
            self._happen(entry, history)
        except MemoryError:
            raise
        except Exception as error:  # noqa: BLE001 - whatever events that no fight made may cause
            said = (_RESTS, "") if self._rests(entry.line, history) else (_NOTHING, why_of(error))
            self.lines.lose((entry.file, entry.number, entry.raw), *said)
            return
        if not entry.sound and len(self.out) > length:
            what = clipped(", ".join(filter(None, (entry.line.title, *(entry.told.get("set") or {}), *doubts))))
            self.lines.said.append((entry.file, entry.number, _CHANGED, what and f": {what}"))

    def _rests(self, line: Stored, history: _History) -> bool:
        """Check whether a line is of a fight, or goes on from an event, that lines before it would tell of."""
        if line.id or not self.lines.said:
            return False
        fight = history.fights.get(line.fight)
        return fight is None or (line.call or 0) > fight.line.now.length + 1

    def _happen(self, entry: _Entry, history: _History) -> None:
        line, told = entry.line, {**entry.told}
        known = history.fights.get(line.fight) if not line.id else self._same(line, history)
        fight = known or self._new(line, told, history)
        given = msgspec.to_builtins(line.set or {})
        if line.call is not None:
            step = step_of(line)
            if known is not None and not history.first and step.first <= fight.line.now.length:
                history.fights[line.fight] = fight
                if fight.has(step):
                    return
                fight = self._other(fight, step, entry, history)
                if fight.has(step):
                    return
            fight.line.take(step)
        elif known is not None:
            history.fights[line.fight] = fight
            if line.id or not (history.first or self._settles(fight, given, history)):
                return
        if known is None:
            self._ids[fight.id] = fight
        if given:  # else it stays the one that histories parted from, and others may settle what it leaves open
            fight.settings = {**fight.settings, **given}
        history.fights[line.fight] = fight
        self.out.append({**told, "fight": fight.number})
        if fight.is_other and not entry.file:
            words = f": {fight.id!r}, a branch from event {fight.at:,} on"
            self.lines.said.append((entry.file, entry.number, _OTHER, words))
        if fight.is_other and entry.file:
            self.apart[fight.id] = (self.lines.names[entry.file], fight.id, fight.at)

    def _same(self, line: Stored, history: _History) -> _Fight | None:
        """Return a fight that begins here and in the first history as well."""
        twin = self._ids.get(line.id)
        same = twin is not None and (twin.system, twin.begun) == (line.system, line.begun)
        return twin if same and not history.first else None

    def _new(self, line: Stored, told: dict[str, Any], history: _History) -> _Fight:
        """Return a fight that begins here."""
        if not line.id:
            raise ValueError(f"no fight {line.fight} has begun")
        whole = line.begun is not None and (line.past is None) != (line.call is None)
        if not whole or (history.first and line.id in self._ids) or (line.past is not None and line.parent is None):
            raise ValueError(f"no fight {line.id[:40]!r} can begin here")
        told["id"] = id = free(line.id, self._ids)
        if line.past is None or line.parent is None:
            return _Fight(len(self._ids) + 1, line, id)
        if line.past not in history.fights:
            raise ValueError(f"no fight {line.past} has begun")
        parent, at = history.fights[line.past], line.parent[1]
        told |= {"past": parent.number, "parent": [parent.id, at]}
        fight = _Fight(len(self._ids) + 1, line, id, parent, at)
        parent.others.append(fight)
        return fight

    def _other(self, fight: _Fight, step: Step, entry: _Entry, history: _History) -> _Fight:
        """Return the branch that has a step where a fight has another; the branch is begun if there is none."""
        at = step.first - 1
        there = next((each for each in fight.others if each.at == at and each.has(step)), None)
        if there is not None:
            history.fights[entry.line.fight] = there
            return there
        id = free(f"{fight.id}@{at}{history.origin and f' ({history.origin})'}", self._ids)
        begun = Stored(
            len(self._ids) + 1, id, fight.system, begun=entry.line.when, parent=(fight.id, at), past=fight.number
        )
        if settings := {name: value for name, value in fight.settings.items() if name != "room"}:
            begun.set = Settings(**settings)
        made = _Fight(begun.fight, begun, id, fight, at)
        made.is_other = True
        fight.line.cut(at).take(step)
        if fight.line.now.end_of(at) != at:
            raise ValueError(f"event {at} ends no call")
        self._ids[id] = made
        fight.others.append(made)
        self.out.append(msgspec.to_builtins(begun))
        return made

    @staticmethod
    def _settles(fight: _Fight, given: Mapping[str, Any], history: _History) -> bool:
        """Check whether a later history settles something that the first left as it was."""
        if given.items() <= fight.settings.items():
            return False
        found = history.found.setdefault(fight.number, fight.settings)
        if found is not fight.settings:
            raise ValueError("it settles what is settled otherwise")
        history.found[fight.number] = fight.settings = {**fight.settings, **given}
        return True


def _check_whom(event: Event, state: State) -> None:
    """Check that whoever an event of a changed line names is there, is one person, and has the turn that they end.

    Raises
    ------
    KeyError
        If somebody isn't there.
    ValueError
        If somebody else has the name, or the turn.
    """
    there, data, actor = state.fighters, event._data, event.actor
    if event.kind == "combatant":
        if (known := there.get(data["name"])) is not None and known.number != data["number"]:
            raise ValueError(f"event {event.seq}: there is a {data['name'][:40]!r} already")
        return
    named = data["params"]["target"] if isinstance(data.get("params", {}).get("target"), list) else [event.target]
    also = {name for fighter in there.values() for name in (fighter.side, fighter.group)}
    for name in (actor, *named):
        if name is not None and name not in there and name not in also:
            raise KeyError(name[:40])
    turns = [frame.who for frame in state.focus if type(frame) is Turn]
    if event.kind == "turn":
        turns = [place.who for place in state.agenda if place.id == data["place"]]
    if event.kind in ("turn", "turn_end") and turns and turns[-1] != actor:
        raise ValueError(f"event {event.seq}: its actor is {str(actor)[:40]!r}, the turn is that of {turns[-1]!r}")


def _dice(event: Event) -> Iterator[str]:
    """Say where plain dice of an event make another total than stands there."""
    data = event._data
    faces, total, plain = data.get("faces"), data.get("total"), _DICE.fullmatch(str(data.get("notation")))
    if plain and faces and total is not None and len(faces) == int(plain[1]):
        makes = sum(faces) + int(plain[2] or 0)
        if makes != total:
            yield f"its dice still make {makes}, its total is {total}"


def _doubts(step: Step, state: State) -> list[str]:
    """Say where a line tells two things of a vital, and which counts, or its words or dice tell another."""
    said: list[str] = []
    for event in step.events if step.to is None else ():
        _check_whom(event, state)
        said += _dice(event)
        data, fighter = event._data, state.fighters.get(event.target or "")
        left, vital = data.get("left"), data.get("vital")
        before = None if fighter is None or vital is None else fighter.vitals.get(vital)
        amount = event.amount
        if left is not None and before is not None and amount is not None and abs(left - before) != abs(amount):
            said.append(f"amount {amount} does not lead from {before} to {left} left; left counts")
        counts = amount if left is None else left
        if (vital or event.kind == "damage") and counts is not None:
            told = _NUMBER.findall(event.text)
            if told and str(abs(counts)) not in told:
                said.append(f"its text still says {event.text!r}")
        state = fold((event,), state)
    return said


def mended(*files: tuple[str, bytes]) -> Mended:
    """Return what files hold that belongs together, as a journal has it.

    Parameters
    ----------
    files : tuple of str and bytes
        What each is called, and what it holds; the first is the journal, and of others it is told where they came from.

    Returns
    -------
    Mended
        The journal, what is to be said, and what is left of the first file: lines that have no place.

    Raises
    ------
    JournalError
        If one is no journal, or one of a newer format.
    """
    lines = _Lines(files)
    fights = _Fights(lines)
    told = fights.out
    head = {**lines.head, "format": FORMAT}
    if "copy" in head and head["copy"] != len(told) + 1:
        del head["copy"]
    content = b"".join([msgspec.json.encode(head) + b"\n", *(raw for raw, _ in marked(told))])
    lost = b"".join(raw + b"\n" for file, _, raw in sorted(lines.lost) if not file)
    if lost and files[0][1].startswith(content):
        lost = files[0][1][len(content) :]
    if lines.head["format"] < FORMAT:  # its marks are other ones
        lines.said = [each for each in lines.said if each[2] != _CHANGED and each[2] != _MISSING]
    return Mended(content, _words(lines.said, lines.names), lost, apart=(*fights.apart.values(),))


def put_in_order(name: str, data: bytes, *others: tuple[str, bytes]) -> tuple[Past, Mended]:
    """Read a journal as `mended` gives it."""
    found, past = mended((name, data), *others), Past()
    past.read(name, found.content)
    return past, found


def read(name: str, data: bytes, *others: tuple[str, bytes]) -> tuple[Past, Mended | None]:
    """Read a journal, and others of the same evening; give as well what it would be in order, unless it is.

    Raises
    ------
    JournalError
        If one is no journal, or one of a newer format.
    """
    past = Past()
    if others or not data.startswith(b'{"combatkit"'):
        return put_in_order(name, data, *others) if others or data.strip() else (past, None)
    past.read(name, data)
    tail = data[past.size :]
    if past.wrong or len(tail) > LONGEST:
        return put_in_order(name, data)
    if tail:
        number = data.count(b"\n") + 1
        return past, Mended(data[: past.size], f"line {number:,} {_TORN.format(**_ONE)}", tail, is_tail=True)
    if past.count < past.copy:
        return past, Mended(data, f"its last {past.copy - past.count:,} lines are missing", b"")
    return past, None


def _words(said: Sequence[tuple[int, int, str, str]], names: Sequence[str]) -> str:
    """Return what is said of lines, of neighbours in one."""
    parts: list[tuple[int, int, int, str, list[str]]] = []
    for file, number, what, more in sorted(said):
        if parts and parts[-1][0] == file and parts[-1][2] + 1 == number and parts[-1][3] == what:
            _, first, _, _, mores = parts.pop()
        else:
            first, mores = number, []
        parts.append((file, first, number, what, mores if more in mores or len(mores) > 2 else [*mores, more]))
    words = []
    for file, first, last, what, mores in parts[:_TOLD]:
        of = f" of {names[file]}" if file else ""
        lines = f"line {first:,}" if first == last else f"lines {first:,} to {last:,}"
        why = mores[0] if what != _CHANGED else ": " + ", ".join(each[2:] for each in mores if each)
        words.append(f"{lines}{of} {what.format(**(_ONE if first == last else _MANY))}{why.rstrip(': ')}")
    if len(parts) > _TOLD:
        words.append(f"and so on, {len(parts) - _TOLD} places more")
    return "; ".join(words)


def _objects(text: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield a text's lines that hold anything, with their numbers; what a formatter spread over several is one."""
    whole, decode = text.decode(errors="surrogateescape"), json.JSONDecoder().raw_decode
    at, number, tries = 0, 1, _TRIES
    all_spread = text.split(maxsplit=1)[:1] == [b"{"]
    while found := _FILLED.search(whole, at):
        number += whole.count("\n", at, found.start())
        at = found.start()
        end = whole.find("\n", at)
        end = len(whole) if end < 0 else end
        if tries and (all_spread or (whole[at] == "{" and not whole[at:end].rstrip().endswith("}"))):
            try:
                end = decode(whole, at)[1]
            except (ValueError, RecursionError) as error:
                tries -= 1
                place = error.pos if isinstance(error, json.JSONDecodeError) else 0
                if all_spread and "\n" not in whole[place:].rstrip():
                    end = len(whole)  # it is cut off
        yield number, whole[at:end].strip().encode(errors="surrogateescape")
        number += whole.count("\n", at, end)
        at = end


def _plain(raw: bytes) -> dict[str, Any]:
    if len(raw) > LONGEST:
        raise ValueError(f"it has over {LONGEST:,} bytes")
    told = msgspec.json.decode(raw)
    if not isinstance(told, dict):
        raise ValueError("it is no object")  # noqa: TRY004 - what is read may be anything
    return told


def _spelled(text: bytes) -> bytes:
    """Return a text in UTF-8; what Windows calls ANSI is known by a line that is as it was written if read so."""
    try:
        text.decode()
    except UnicodeDecodeError:
        pass
    else:
        return text
    try:
        ansi = text.decode("cp1252").encode()
    except UnicodeDecodeError:
        return text
    return ansi if any(_is_sound(line) for line in ansi.split(b"\n") if not line.isascii()) else text


def _is_sound(raw: bytes) -> bool:
    try:
        return _entry(0, 0, raw, _plain(raw), None).sound
    except UNREADABLE:
        return False


def _date(told: object) -> str | None:
    """Return a date as it is written, also one that was typed by hand."""
    try:
        date = datetime.fromisoformat(str(told))
    except ValueError:
        return None
    return (date if date.tzinfo else date.replace(tzinfo=UTC)).isoformat()


def _put_dates(told: dict[str, Any], before: _Entry | None) -> list[str]:
    """Put the dates of a line that was changed; one that can't be read is the line's other, or the one before's.

    Give what can't be read.
    """
    undated = []
    dates = {name: _date(told.get(name)) for name in ("begun", "when")}
    found = dates["when"] or dates["begun"] or (before and before.told.get("when"))
    for name, due in (("begun", "id"), ("when", "call")):
        if found and (name in told or due in told):
            if name in told and not dates[name]:
                typed = json.dumps(told[name], ensure_ascii=False)[:40]
                undated.append(
                    f"{name} {typed} is no date like 2026-11-27 20:00; {found[:16].replace('T', ' ')} counts"
                )
            told[name] = dates[name] or found
    return undated


def _entry(file: int, number: int, raw: bytes, told: dict[str, Any], follows: _Entry | None) -> _Entry:
    marks = str(told.pop("mark", ""))
    before, mark = marks[:16], marks[16:]
    body = msgspec.json.encode(told)
    sound = mark_of(body[:-1], before.encode()).decode() == mark
    if not sound and not is_normalized("NFC", text := body.decode()):  # as a Mac's tools spell names
        body = normalize("NFC", text).encode()
        told = _plain(body)
        sound = mark_of(body[:-1], before.encode()).decode() == mark
    undated = []
    if not sound:
        undated = _put_dates(told, follows)
        body = msgspec.json.encode(told)
    return _Entry(file, number, raw, told, read_line(body), before, mark, sound, follows, undated=undated)


def _origin(name: str) -> str:
    """Return where lines come from, in words that can be part of a name."""
    return " ".join(name.split())[:60]
