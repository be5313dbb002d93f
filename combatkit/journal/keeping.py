"""A fight that was not kept in a file is kept from now on, with everything so far."""

from __future__ import annotations

from collections.abc import Iterator

from combatkit.errors import JournalError
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.saving import Saving
from combatkit.journal.copies import steps_of
from combatkit.journal.desk import Entry
from combatkit.journal.opening import held_ids, journal_path, new_store, share
from combatkit.journal.store import is_kept


@guarded(HOLDING)
def keep(encounter: Saving, path: object) -> None:
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
        store = new_store(file, each)
        try:
            store.write_all(list(_entries(each)))
        except BaseException:
            store.close()
            raise
        each._timeline.keep_in(store)
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
