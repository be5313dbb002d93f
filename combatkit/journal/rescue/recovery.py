"""Making a sound file of a damaged one: the longest true past of each encounter, and nothing else."""

from __future__ import annotations

import shutil
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from contextlib import closing
from glob import escape
from os.path import lexists
from pathlib import Path
from typing import NamedTuple

from combatkit.core.model import Event
from combatkit.core.timeline import Timeline
from combatkit.errors import DamagedJournal, JournalError, warn
from combatkit.files.paths import beside
from combatkit.journal.claim import is_claimed
from combatkit.journal.desk import Birth, Desk, bear
from combatkit.journal.form import BITS, make, told
from combatkit.journal.guard import check_files
from combatkit.journal.pages import Run, verified
from combatkit.journal.replay import replayed, write_past
from combatkit.journal.rescue.salvage import Found, salvage
from combatkit.journal.rows import ROOT, Row, mark_of


class Past(NamedTuple):
    """The true past of one encounter, as far as it could be made out, and what there was beyond."""

    birth: Birth
    run: Run
    line: Timeline
    beyond: int
    calls: int

    def __str__(self) -> str:
        """Say how far it reaches, and what is lost."""
        reach = f"{self.birth[0]!r} up to event {len(self.run.events)}"
        if not self.beyond:
            return f"{reach} (if there were more, they left no trace)"
        return f"{reach} (at least {self.calls} calls are lost, up to event {self.beyond} or further)"


def recover(path: Path, damage: JournalError) -> None:
    """Put a damaged file aside and a sound one in its place, and warn of what is missing.

    Raises
    ------
    JournalError
        If another process is writing in it, or nothing of it can be recovered: then it stays as it is.
    """
    check_files(path)
    for claim in path.parent.glob(f"{escape(path.name)}-writer-*"):
        if is_claimed(claim):
            raise JournalError(f"{damage}. Another process is writing in it: close it there, and open it again")
    with told(path, "recover it"):
        _recover(path, damage)


def _recover(path: Path, damage: JournalError) -> None:
    try:
        found = salvage(path)
        pasts = list(_pasts(found))
        if not pasts:
            raise JournalError(f"{damage}. Nothing of it could be recovered; it stays as it is")
        aside = next(p for n in range(1, 1000) if not lexists(p := path.with_name(f"{path.name}.damaged-{n}")))
        for file, kept in ((path, aside), (beside(path, "wal"), beside(aside, "wal"))):
            if file.exists():
                shutil.copy2(file, kept)
        with tempfile.TemporaryDirectory(dir=path.parent, prefix=".recovering-") as folder:
            sound = Path(folder) / "sound"  # short: SQLite opens no path of over some 500 bytes
            _write(sound, pasts)
            # An old log beside a new file would be taken for its own.
            beside(path, "wal").unlink(missing_ok=True)
            beside(path, "shm").unlink(missing_ok=True)
            sound.replace(path)
    except OSError as error:
        raise JournalError(f"{damage}. It cannot be put aside to recover what is sound: {error}") from error
    lost = [f"nothing of {id!r}" for id in _lost(found, pasts)]
    said = "; ".join([*map(str, pasts), *lost])
    warn(DamagedJournal(f"{damage}. Recovered: {said}. The damaged file is kept as {aside.name}"))


def _pasts(found: Found) -> Iterator[Past]:
    """Yield what can be made out of each encounter."""
    numbers: defaultdict[int, dict[int, tuple[object, ...]]] = defaultdict(dict)
    for key, row in found.events.items():
        numbers[key >> BITS][key & ((1 << BITS) - 1)] = row
    taken: set[str] = set()
    for number, rows in sorted(numbers.items()):
        run = _longest(rows)
        if not run.events or run.events[0].kind != "encounter":
            continue
        try:
            line = replayed(run)
        except Exception:  # noqa: BLE001 - whatever folding events may raise that no fight ever made
            continue
        birth = _birth(found.encounters.get(number), run.events[0], taken)
        taken.add(birth[0])
        last = len(run.events)
        beyond = [seq for seq in rows if seq > last]
        yield Past(birth, run, line, max(beyond, default=0), sum(rows[seq][11] is not None for seq in beyond))


def _lost(found: Found, pasts: list[Past]) -> list[str]:
    """Return the ids of the encounters that are listed, and of which no event is left."""
    births = [_listed(row) for row in found.encounters.values()]
    kept = {past.birth[0] for past in pasts}
    return [birth[0] for birth in births if birth is not None and birth[0] not in kept]


def _longest(rows: dict[int, Row]) -> Run:
    """Return the steps from the first on, as long as each is whole and what was written."""
    past = Run([], [])
    before, seq = ROOT, 1
    while seq in rows:
        *_, size, _, _, _, _, mark = rows[seq]
        if type(size) is not int or not 1 <= size <= len(rows) or any(seq + n not in rows for n in range(size)):
            break
        run = verified([_as_read(seq + n, rows[seq + n]) for n in range(size)], before, mark)
        if run is None:
            break
        past.steps += run.steps
        past.events += run.events
        before, seq = mark, seq + size
    return past


def _as_read(seq: int, row: tuple[object, ...]) -> tuple[object, ...]:
    """Return a row as it stands in the file in the order it is read by: the heading, the number, the event."""
    return (*row[11:16], seq, *row[:11])


def _birth(row: tuple[object, ...] | None, first: Event, taken: set[str]) -> Birth:
    """Return an encounter's own row, or what its first event says of it."""
    listed = None if row is None else _listed(row)
    if listed is not None and listed[0] not in taken:
        return listed
    id = first._data["id"]
    free = id if id not in taken else next(i for n in range(2, 1 << BITS) if (i := f"{id}-{n}") not in taken)
    return (free, first._data["system"], first.text, None, None)


def _listed(row: Row) -> Birth | None:
    """Return an encounter's own row as it was written, or None if it is not what was."""
    try:
        return (row[0], row[1], row[2], row[3], row[4]) if mark_of(ROOT, [*row[:5]]) == row[5] else None
    except (TypeError, OverflowError):
        return None


def _write(path: Path, pasts: list[Past]) -> None:
    """Write a sound file; the states are folded anew."""
    with closing(make(path)) as db:
        db.execute("BEGIN IMMEDIATE")
        for number, past in enumerate(pasts, 1):
            bear(db, number, past.birth)
            write_past(Desk(path, db, number, None), past.line, past.run.steps)
        db.execute("COMMIT")
