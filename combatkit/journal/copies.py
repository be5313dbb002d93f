"""A portable copy of an encounter: one text file, one line of JSON per step, undone calls included."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from io import BytesIO
from pathlib import Path
from typing import IO

import msgspec
from msgspec import Struct

from combatkit.core.model import Event
from combatkit.core.plain import short
from combatkit.core.timeline import Timeline
from combatkit.errors import CombatkitError, JournalError, clipped
from combatkit.fight.encounter import Encounter
from combatkit.fight.saving import Saving
from combatkit.files.paths import as_path, is_journal, open_file, whole_file
from combatkit.journal.door import check_past, check_shown
from combatkit.journal.form import version
from combatkit.journal.older import completed
from combatkit.journal.opening import known_ruleset
from combatkit.journal.pages import Run, Step
from combatkit.journal.replay import replayed
from combatkit.journal.rows import ROOT, UNREADABLE, mark_of, values
from combatkit.journal.store import Store

_FORM = 1

_MOST = 1 << 30
"""No copy has more bytes: of a fight of a million events it has half of that."""

_BEGINS = b'{"combatkit"'

_LINE = 1 << 25
"""No line of it has so many."""


class Heading(Struct, omit_defaults=True):
    """The first line: what this is, and which encounter."""

    combatkit: str
    form: int
    version: str
    id: str
    system: str
    title: str
    steps: int
    parent: tuple[str, int] | None = None


class Line(Struct, omit_defaults=True):
    """A call, or an undo or redo, as `combatkit.journal.form` tells of one; its events; its checksum."""

    parent: int
    depth: int | None
    tip: int | None
    title: str | None
    events: tuple[Event, ...]
    mark: str


def save_encounter(encounter: Saving, path: object) -> None:
    """Save a copy; see `Encounter.save`."""
    file = as_path(path, "a saved copy").resolve()
    if not _may_be_replaced(file):
        raise JournalError(f"{file} already exists and is not a saved copy: name another file")
    lines = copy_lines(encounter)
    try:
        with whole_file(file) as out:
            out.writelines(lines)
    except OSError as error:
        raise JournalError(f"{file} cannot be written: {error.strerror or error}") from error


def copy_lines(encounter: Saving) -> Iterator[bytes]:
    """Return the lines of a copy, of the fight as it stands now."""
    steps = list(steps_of(encounter._line))
    rules = encounter.ruleset
    parent = encounter.parent
    heading = Heading("encounter", _FORM, version(), encounter.id, rules.id, rules.title, len(steps), parent)

    def lines() -> Iterator[bytes]:
        yield msgspec.json.encode(heading) + b"\n"
        mark = ROOT
        for step, events in steps:
            mark = mark_of(mark, values((len(events), step.parent, step.depth, step.tip, step.title), events))
            line = Line(step.parent, step.depth, step.tip, step.title, tuple(events), mark.hex())
            yield msgspec.json.encode(line) + b"\n"

    return lines()


def _may_be_replaced(file: Path) -> bool:
    """Check whether nothing is there, or an empty file, or a saved copy."""
    try:
        if not file.exists():
            return True
        if not file.is_file() or is_journal(file):
            return False
        with file.open("rb") as there:
            return there.read(len(_BEGINS)) in (b"", _BEGINS)
    except OSError:
        return False


def steps_of(line: Timeline) -> Iterator[tuple[Step, Sequence[Event]]]:
    """Yield every step of a timeline with its events."""
    if isinstance(line.journal, Store):
        yield from line.journal.steps()
        return
    events = line.events
    for first, last, call, tip in line.now.passed():
        if call is not None and call.first == first:
            yield Step(first, last, call.parent, call.depth, None, call.title), events[first - 1 : last]
        else:
            yield Step(first, last, call.first if call else 0, None, tip, None), events[first - 1 : last]


def load(path: str | Path) -> Encounter:
    """Read a saved copy back.

    Parameters
    ----------
    path : str or Path
        What `Encounter.save` wrote.

    Returns
    -------
    Encounter
        The fight as it stood, with undo and redo; without a journal.

    Raises
    ------
    InvalidInput
        If `path` can't be a path.
    JournalError
        If there is no such file, or it is not as it was saved; it names the line.

    Examples
    --------
    >>> import combatkit as ck, tempfile, pathlib
    >>> folder = tempfile.TemporaryDirectory()
    >>> path = pathlib.Path(folder.name, "ambush.fight")
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4)
    >>> enc.save(path)
    >>> ck.load(path).digest == enc.digest
    True
    >>> folder.cleanup()
    """
    file = as_path(path, "a saved copy").resolve()
    try:
        if is_journal(file):
            right = f"ck.Encounter.open({file.name!r}) goes on with it"
            raise JournalError(f"{file.name} is a journal, not a saved copy: {right}")
        with open_file(file, "a saved copy", _MOST, JournalError) as there:
            return _loaded(file, there)
    except OSError as error:
        raise JournalError(f"{file} cannot be read: {error.strerror or error}; give a file that save wrote") from error


def is_copy(content: bytes) -> bool:
    """Check whether a file begins as a saved copy does."""
    return content.startswith(_BEGINS)


def load_content(name: str, content: bytes) -> Encounter:
    """Read a saved copy that is given by its content; see `load`."""
    return _loaded(Path(name), BytesIO(content))


def _loaded(file: Path, there: IO[bytes]) -> Encounter:
    lines = _lines(file, there)
    heading = _heading(file, next(lines))
    rules = known_ruleset(file, heading.id, heading.system)
    run = _run(file, lines, heading.steps)
    try:
        encounter = Encounter._of(
            heading.id, rules, replayed(Run(run.steps, completed(rules, run.events))), heading.parent
        )
        check_past(encounter)
        check_shown(encounter, encounter.names)
        encounter.log()  # it follows undo and redo by what they say of themselves
    except Exception as error:  # whatever events that nobody logged may cause
        why = short(str(error)) if isinstance(error, CombatkitError) else f"{type(error).__name__}: {short(str(error))}"
        raise JournalError(f"{file.name}: its events are not what a fight makes: {why}") from error
    return encounter


def _heading(file: Path, line: bytes) -> Heading:
    try:
        heading = msgspec.json.decode(line, type=Heading)
    except UNREADABLE as error:
        raise JournalError(f"{file.name}, line 1: this is not a saved copy of an encounter: {error}") from None
    if heading.form > _FORM:
        raise JournalError(
            f"{file.name} is of format {heading.form}, and combatkit {version()} reads up to {_FORM}: "
            f"install combatkit {heading.version} or newer (pip install --upgrade combatkit)"
        )
    return heading


def _lines(file: Path, there: IO[bytes]) -> Iterator[bytes]:
    """Yield a file's lines, each with its end; the last may lack it."""
    number, begins = 1, 0
    while (line := there.readline(_LINE)) or number == 1:
        if len(line) == _LINE:
            raise JournalError(f"{file.name}, line {number} has over {_LINE} bytes: this is not a saved copy")
        try:
            line.decode()
        except UnicodeDecodeError as error:
            raise JournalError(
                f"{file.name}, line {number}: byte {begins + error.start} is {line[error.start]:#x}, which is not "
                "text here: this is not a saved copy, or it was changed"
            ) from None
        yield line
        number, begins = number + 1, begins + len(line)


def _run(file: Path, lines: Iterator[bytes], steps: int) -> Run:
    run = Run([], [])
    mark = ROOT
    decoder = msgspec.json.Decoder(Line)
    for number in range(2, steps + 2):
        written = next(lines, b"")
        if not written.endswith(b"\n"):
            raise JournalError(f"{file.name}, line {number}: it ends here, but {steps} lines should follow line 1")
        try:
            line = decoder.decode(written[:-1])
            size = len(line.events)
            mark = mark_of(mark, values((size, line.parent, line.depth, line.tip, line.title), line.events))
        except (*UNREADABLE, OverflowError, TypeError) as error:
            raise JournalError(f"{file.name}, line {number}: {clipped(str(error))}") from None
        if not size or mark.hex() != line.mark:
            raise JournalError(f"{file.name}, line {number} is not what was saved: it, or one before it, was changed")
        first = len(run.events) + 1
        if [event.seq for event in line.events] != [*range(first, first + size)]:
            raise JournalError(f"{file.name}, line {number}: its events are not numbered from {first} on")
        run.steps.append(Step(first, first + size - 1, line.parent, line.depth, line.tip, line.title))
        run.events += line.events
    if next(lines, b""):
        raise JournalError(
            f"{file.name}, line {steps + 2}: there is more here, but only {steps} lines should follow line 1"
        )
    return run
