"""Beginning a journal, going on with one, branching in one."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import TypeVar
from weakref import WeakValueDictionary

from combatkit.core.plain import short
from combatkit.core.timeline import Timeline
from combatkit.errors import InvalidInput, JournalError, UnknownName
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.saving import Saving
from combatkit.files.paths import as_path
from combatkit.journal.desk import Birth
from combatkit.journal.form import BITS, Damage, connect, make, told
from combatkit.journal.guard import check_files, limited, rows_of
from combatkit.journal.pages import Home
from combatkit.journal.rescue.damage import check_length, check_log, check_taken_in
from combatkit.journal.rescue.recovery import recover
from combatkit.journal.rows import ROOT, Row, mark_of
from combatkit.journal.store import Store
from combatkit.registry import ruleset
from combatkit.rules.ruleset import Ruleset

E = TypeVar("E", bound=Saving)

_shared: WeakValueDictionary[tuple[str, int, str], Saving] = WeakValueDictionary()
"""The encounters open in this process: who opens one again is given the same, so that all are always in step."""


_SPARE = 24
"""How much longer the names of what stands beside a journal are: its log, claims on it, what a damaged one becomes."""


def journal_path(path: object) -> Path:
    """Check a journal's path, and return it with all links resolved."""
    return as_path(path, "a journal", _SPARE).resolve()


@guarded(HOLDING)
def begin(encounter: Saving, path: object, batch: object, first: Callable[[], object]) -> None:
    """Let an encounter that has not been written yet be kept in a file; `first` makes its first call.

    Raises
    ------
    JournalError
        If the file holds one with this id, or cannot be written.
    """
    if type(batch) is not bool:
        raise InvalidInput(f"batch is {short(batch)}; give True or False")
    file = journal_path(path)
    store = new_store(file, encounter, batch=batch)
    encounter._timeline.keep_in(store)
    try:
        first()
    except BaseException:
        store.close()
        raise
    share(file, encounter)


def held_ids(path: object) -> frozenset[str]:
    """Return the ids of the encounters a file holds; none if the file does not exist yet."""
    file = journal_path(path)
    if not file.is_file():
        return frozenset()
    with closing(make(file)) as db, told(file, "read it"):
        return frozenset(row[0] for row in db.execute("SELECT id FROM encounters"))


def share(file: Path, encounter: Saving) -> None:
    """Give this encounter to whoever opens it again in this process."""
    _shared[(str(file), file.stat().st_ino, encounter.id)] = encounter


def store_of(encounter: Saving) -> Store:
    """Return where an encounter is kept."""
    store = encounter._timeline.journal
    assert isinstance(store, Store)
    return store


def new_store(file: Path, encounter: Saving, *, batch: bool = False) -> Store:
    """Return where a new encounter of a file will be kept; the file is made if it is not there."""
    id, rules = encounter.id, encounter.ruleset
    db = make(file)
    try:
        number = _free_number(file, db, id)
    except BaseException:
        db.close()
        raise
    birth: Birth = (id, rules.id, rules.title, *(encounter.parent or (None, None)))
    return Store(Home(file, db, number, id), rules, batch=batch, birth=birth)


def _free_number(file: Path, db: sqlite3.Connection, id: str) -> int:
    """Return the number a new encounter gets in a file, unless one there has its id."""
    with told(file, "read it"):
        there = {row[1]: row[0] for row in listed(file, db)}
    if id in there:
        again = next(n for n in range(2, 1 << BITS) if f"{id}-{n}" not in there)
        raise JournalError(
            f"{file.name} holds an encounter {id!r} already. To go on with it: "
            f"ck.Encounter.open({file.name!r}, {id!r}). For a new one give another id, such as id='{id}-{again}'"
        )
    return max(there.values(), default=0) + 1


@guarded(HOLDING)
def open_encounter(kind: type[E], path: object, id: object, *, batch: bool, check: bool) -> E:
    """Reopen an encounter of a journal; see `Encounter.open`."""
    if id is not None and not isinstance(id, str):
        raise InvalidInput(f"id is {short(id)}; give an encounter's id")
    for name, given in (("batch", batch), ("check", check)):
        if type(given) is not bool:
            raise InvalidInput(f"{name} is {short(given)}; give True or False")
    file = journal_path(path)
    try:
        return _open(kind, file, id, batch, check)
    except Damage as damage:
        recover(file, damage)
    return _open(kind, file, id, batch, check)


def _open(kind: type[E], file: Path, id: str | None, batch: bool, check: bool) -> E:
    db = connected(file)
    try:
        with told(file, "read it"):
            number, id, system, _, *parent = _find(file, db, id)[:6]
        shared = _shared.get((str(file), file.stat().st_ino, id))
        if isinstance(shared, kind) and store_of(shared).is_open:
            db.close()
            encounter = shared
        else:
            rules = known_ruleset(file, id, system)
            store = Store(Home(file, db, number, id), rules)
            origin = (parent[0], parent[1]) if parent[0] else None
            encounter = kind._of(id, rules, Timeline(store, store.standing()), origin)
            share(file, encounter)
    except BaseException:
        db.close()
        raise
    store_of(encounter).batch = batch
    if check:
        store_of(encounter).check(encounter._timeline.now)
    return encounter


def connected(file: Path) -> sqlite3.Connection:
    """Open a file and see that nothing of it is missing."""
    check_files(file)
    if file.is_file():
        check_log(file)
    db = connect(file)
    try:
        with told(file, "read it"):
            check_taken_in(file, db)
            check_length(file, db)
    except BaseException:
        db.close()
        raise
    return db


def listed(file: Path, db: sqlite3.Connection) -> list[Row]:
    """Return the rows of a file's encounters, the one last taken up first: number, id, system, title, parent."""
    sql = "SELECT number, id, system, title, parent, parent_seq, mark FROM encounters ORDER BY taken DESC, number DESC"
    with limited(db):
        rows = rows_of(file, db, sql)
    for row in rows:
        if type(row[0]) is not int or mark_of(ROOT, [*row[1:6]]) != row[6]:
            raise Damage(f"{file.name}: the list of encounters is not what was written: the file is damaged")
    return rows


def _find(file: Path, db: sqlite3.Connection, id: str | None) -> Row:
    rows = listed(file, db)
    if not rows:
        raise JournalError(f"{file.name} holds no encounter yet; ck.Encounter(..., journal={file.name!r}) begins one")
    if id is None:
        return rows[0]
    for row in rows:
        if row[1] == id:
            return row
    raise UnknownName.of(f"encounter of {file.name}", id, [row[1] for row in rows])


def known_ruleset(file: Path, id: str, system: str) -> Ruleset:
    """Return the ruleset an encounter is played by."""
    try:
        return ruleset(system)
    except UnknownName:
        raise JournalError(
            f"{file.name}: {id!r} is played by the ruleset {system!r}, which is not known here: install it, or make it "
            "known with ck.add_ruleset(folder), and open the file again"
        ) from None


def branches(encounter: E) -> list[E]:
    """Return the encounters of the same file that were branched from this one, oldest first."""
    store = store_of(encounter)
    with told(store.path, "read it"):
        ids = store.branch_ids()
    known = {each.id: each for each in encounter._branches}
    return [
        known.get(id) or open_encounter(type(encounter), store.path, id, batch=store.batch, check=False) for id in ids
    ]


def root_of(encounter: E) -> E:
    """Return the fight of the same file that this one branches from in the end: itself, if it is no branch of one."""
    while encounter.parent is not None and isinstance(encounter._timeline.journal, Store):
        store, id = store_of(encounter), encounter.parent[0]
        if id not in held_ids(store.path):
            break
        encounter = open_encounter(type(encounter), store.path, id, batch=store.batch, check=False)
    return encounter


def turn_to(encounter: Saving) -> None:
    """Note that a fight is gone on with: its file, opened again without an id, gives it."""
    if isinstance(encounter._timeline.journal, Store):
        store_of(encounter).turn_to()
