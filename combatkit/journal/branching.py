"""A branch in the same file: an encounter of its own, with its own copy of the past that it shares."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from typing import TypeVar

from combatkit.fight.saving import Saving
from combatkit.journal.desk import PLAYED, bear
from combatkit.journal.form import BITS, connect, told
from combatkit.journal.opening import open_encounter, store_of

E = TypeVar("E", bound=Saving)

_EVENT_COLUMNS = (
    'round, kind, actor, action, target, amount, text, note, rules, "by", data, size, parent, depth, tip, title, mark'
)


def branch(encounter: E, seq: int) -> E:
    """Return a branch of an encounter from event `seq` on, the last of a call, kept in the same file."""
    store = store_of(encounter)
    store.flush()
    with closing(connect(store.path)) as db, told(store.path, "branch in it"):
        db.execute("BEGIN IMMEDIATE")
        id = _free_id(db, f"{encounter.id}@{seq}")
        number = int(db.execute("SELECT 1 + max(number) FROM encounters").fetchone()[0])
        bear(db, number, (id, encounter.ruleset.id, encounter.ruleset.title, encounter.id, seq))
        _copy(db, store.number, number, seq)
        db.execute("COMMIT")
    PLAYED[store.path] = number
    return open_encounter(type(encounter), store.path, id, batch=store.batch, check=False)


def _free_id(db: sqlite3.Connection, id: str) -> str:
    taken = {row[0] for row in db.execute("SELECT id FROM encounters")}
    return id if id not in taken else next(i for n in range(2, 1 << BITS) if (i := f"{id}-{n}") not in taken)


def _copy(db: sqlite3.Connection, of: int, to: int, last: int) -> None:
    """Copy the rows up to an event; checksums do not cover an encounter's number, so they hold as they are.

    What is kept beside the fight (`Store.keep_aside`) stays with it.
    """
    reach = ((to - of) << BITS, (of << BITS) + 1, (of << BITS) + last)
    db.execute(f"INSERT INTO events SELECT at + ?, {_EVENT_COLUMNS} FROM events WHERE at BETWEEN ? AND ?", reach)
    db.execute("INSERT INTO states SELECT at + ?, state, mark FROM states WHERE at BETWEEN ? AND ?", reach)
