"""Keeping a fight: reopened from its journal, saved as a copy, branched, closed."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Self
from weakref import WeakValueDictionary

from combatkit.core.limits import NAME
from combatkit.core.model import Event
from combatkit.core.plain import bare, check_bool, free
from combatkit.core.timeline import Timeline
from combatkit.fight.session import Session, changing, check_note
from combatkit.rules.ruleset import Ruleset

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    from combatkit.history import History


class _Numbers:
    """The numbers of a system's fights that were given no id: one is given once, whatever becomes of its fight."""

    def __init__(self) -> None:
        self._least = 1
        self._beyond: set[int] = set()

    def free(self) -> Iterator[int]:
        """Yield those that none has, the least first."""
        return (n for n in count(self._least) if n not in self._beyond)

    def take(self, number: int) -> None:
        """Give one."""
        self._beyond.add(number)
        while self._least in self._beyond:
            self._beyond.remove(self._least)
            self._least += 1


_numbers: defaultdict[str, _Numbers] = defaultdict(_Numbers)
_living: WeakValueDictionary[str, Saving] = WeakValueDictionary()
"""The fights of this process that somebody holds, by their ids."""


class Saving(Session):
    """The part of an encounter that outlasts the kernel."""

    def __init__(self, id: str, rules: Ruleset, timeline: Timeline, parent: tuple[str, int] | None = None) -> None:
        super().__init__(id, rules, timeline, parent)
        self._history: History | None = None
        self._branches: list[Self] = []

    @classmethod
    def _of(cls, id: str, rules: Ruleset, timeline: Timeline, parent: tuple[str, int] | None = None) -> Self:
        """Return an encounter whose timeline already exists."""
        made = cls.__new__(cls)
        Saving.__init__(made, id, rules, timeline, parent)
        made._go_by()
        return made

    def _go_by(self, number: int = 0) -> None:
        """Note what a fight that has been made is called; if it was given none, with the number that its id has."""
        if number:
            _numbers[self.ruleset.id].take(number)
        _living[self.id] = self

    @staticmethod
    def _new_id(rules: Ruleset, journal: str | Path | None) -> tuple[str, int]:
        """Return an id that no fight has in this process or in its journal, and its number: nothing in it is random."""
        taken: frozenset[str] = frozenset()
        if journal is not None:
            from combatkit.journal.opening import held_ids

            taken = held_ids(journal)
        ids = ((f"{rules.id}-{n}" if n > 1 else rules.id, n) for n in _numbers[rules.id].free())
        return next((id, n) for id, n in ids if id not in taken and id not in _living)

    @classmethod
    def open(cls, path: str | Path | Sequence[str | Path], id: str | None = None, *, batch: bool = False) -> Self:
        """Reopen an encounter of a journal and go on with it, undo, redo and dice included.

        Opening works even while another process writes; the first call that changes something is refused then, and says
        who is writing. Until then, and as long as the other writes, what is shown follows the file. Opened again in the
        same process, it is the same encounter.

        Of a file that something else has touched all that fits is read, and a warning says the rest: a line that was
        changed by hand, one that is torn, another history, which is a branch. The file stays as it is until the first
        call; what has no place in it is kept beside it then (``friday.combat.damaged``).

        Parameters
        ----------
        path : str, Path or list of them
            The journal. Of several, such as conflicted copies, the first is gone on with, and histories that the others
            have beside it are its branches.
        id : str, optional
            Which of its encounters; the last one played if none is named.
        batch : bool
            Whether only the end of each turn is brought to the disk at once; see `Encounter`.

        Returns
        -------
        Encounter
            As it stood after the last call that had returned.

        Raises
        ------
        JournalError
            If there is no such file, it is not a journal, or it has a newer format.
        UnknownName
            If it has no encounter with this id.

        Warns
        -----
        DamagedJournal
            If it is not as it was written.

        Examples
        --------
        >>> import combatkit as ck, tempfile, pathlib
        >>> folder = tempfile.TemporaryDirectory()
        >>> path = pathlib.Path(folder.name, "friday.combat")
        >>> enc = ck.Encounter("saga", id="friday", journal=path)
        >>> _ = enc.add("Mara", side="rebels", dex=4)
        >>> enc.close()
        >>> again = ck.Encounter.open(path)
        >>> again, again.can_undo
        (<Encounter friday: Not begun, 1 combatant>, 'Add Mara')
        >>> again.close()
        >>> folder.cleanup()
        """
        from combatkit.journal.opening import open_encounter

        return open_encounter(cls, path, id, batch=batch)

    @changing
    def save(self, path: str | Path) -> None:
        """Save a copy: a journal of this fight alone, undone calls included.

        `combatkit.load` reads it, `open` goes on with it. An earlier copy is replaced in one step, once the new one is
        complete; one that somebody has gone on with is not.

        Parameters
        ----------
        path : str or Path
            The file.

        Raises
        ------
        JournalError
            If it cannot be written, or exists and is not a saved copy.
        """
        from combatkit.journal.opening import save_encounter

        save_encounter(self, path)

    @changing
    def close(self) -> None:
        """Bring everything to the disk, and let other processes go on with the fight.

        A fight without a journal has nothing to close. Python does this by itself when it exits.
        """
        journal = self._timeline.journal
        if journal is not None:
            journal.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    @changing
    def refresh(self) -> tuple[Event, ...]:
        """Take in what another process has added to the journal, and show it in open widgets.

        Any look at the encounter takes it in, but open widgets have to be told. They are also told of a call that was
        interrupted before they knew of it.

        Returns
        -------
        tuple of Event
            What widgets had not been told yet; empty if nothing was added.
        """
        events = tuple(self._timeline.events[self._told :])
        self._tell()
        return events

    @property
    def title(self) -> str:
        """What the fight is called: players read it too. It is kept with the fight, and no part of its digest."""
        title: str = self._line.settings.get("title", "")
        return title

    @title.setter
    @changing
    def title(self, title: str) -> None:
        self._timeline.settle(title=bare(check_note(title, NAME, "title")))

    def _settle_as(self, other: Saving) -> None:
        """Settle what another fight has settled, but for the room it is played in."""
        known = {name: value for name, value in other._line.settings.items() if name != "room"}
        if known:
            self._timeline.settle(**known)

    @property
    def table_dice(self) -> bool:
        """Whether the tracker asks for the dice we roll at the table; kept with the fight, part of no digest."""
        return bool(self._line.settings.get("table_dice", False))

    @table_dice.setter
    @changing
    def table_dice(self, on: bool) -> None:
        self._timeline.settle(table_dice=check_bool(on, "table_dice"))

    @property
    def parent(self) -> tuple[str, int] | None:
        """The id of the encounter this was branched from, and at which event; None if it was not."""
        return self._parent

    @changing
    def branch(self, seq: int) -> Self:
        """Return a new encounter that shares the past up to event `seq` and goes its own way from there.

        The call that made the event is kept whole, as ``undo(to=seq)`` keeps it. A branch of a journalled fight is kept
        in the same file.

        Parameters
        ----------
        seq : int
            The event's number.

        Returns
        -------
        Encounter
            With an id of its own.

        Raises
        ------
        InvalidInput
            If there is no such event.
        """
        seq = self._seq(seq)
        seq = self._timeline.now.end_of(seq)
        if self._timeline.journal is not None:
            from combatkit.journal.opening import branch

            return branch(self, seq)
        id = free(f"{self.id}@{seq}", {each.id for each in self._branches})
        other = self._of(id, self.ruleset, self._timeline.cut(seq), (self.id, seq))
        self._branches.append(other)
        return other

    @property
    def branches(self) -> tuple[Self, ...]:
        """The encounters that were branched from this one, oldest first; of a journalled fight, those in its file."""
        if self._timeline.journal is not None:
            from combatkit.journal.opening import branches

            self._branches = branches(self)
        return tuple(self._branches)
