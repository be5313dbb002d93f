"""A fight that was kept nowhere is kept from now on, with all that has happened."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from combatkit.errors import JournalError
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.saving import Saving
from combatkit.journal.copies import steps_of
from combatkit.journal.desk import Birth, Entry
from combatkit.journal.form import make
from combatkit.journal.opening import free_number, held_ids, journal_path, share
from combatkit.journal.store import Store, is_kept


@guarded(HOLDING)
def keep(encounter: Saving, path: Any) -> None:
    """Keep a fight in a journal, and its branches with it: everything so far, and each call from now on.

    Raises
    ------
    JournalError
        If it is kept already, the file holds a fight with such an id, or it cannot be written.
    """
    file = journal_path(path)
    family = list(_family(encounter))
    taken = held_ids(file) & {each.id for each in family}
    if encounter._timeline.journal is not None or taken:
        raise JournalError(f"{file.name} holds {min(taken or {encounter.id})!r} already: name another file")
    for each in family:
        line, parent = each._timeline, each.parent or (None, None)
        db = make(file)
        try:
            number = free_number(file, db, each.id)
        except BaseException:
            db.close()
            raise
        birth: Birth = (each.id, each.ruleset.id, each.ruleset.title, *parent)
        store = Store(file, db, number, each.id, each.ruleset, birth=birth)
        try:
            store.write_all(list(_entries(each)))
        except BaseException:
            store.close()
            raise
        line.keep_in(store)
        share(file, each)


def _family(encounter: Saving) -> Iterator[Saving]:
    yield encounter
    for branch in encounter.branches:
        yield from _family(branch)


def _entries(encounter: Saving) -> Iterator[Entry]:
    now = encounter._timeline.now
    for step, events in steps_of(encounter._timeline):
        wanted = step.depth is not None and is_kept(step.first, step.depth)
        state = now.state_of(now.call(step.first)) if wanted else None
        yield (len(events), step.parent, step.depth, step.tip, step.title), events, state
