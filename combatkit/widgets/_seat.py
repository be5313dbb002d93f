"""What the widgets of one tracker share: the fight, the moment they look at, whose budget is shown, how dice fall."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
from weakref import ref

from combatkit.core.model import Event
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.encounter import Encounter
from combatkit.fight.lock import SHOWING, guarded
from combatkit.fight.view import View
from combatkit.rules.ruleset import Ruleset
from combatkit.widgets._drop import Drop

if TYPE_CHECKING:
    from pathlib import Path

    from combatkit.report.lines import LogLines
    from combatkit.shelf import Shelf
    from combatkit.widgets._downloads import Download


class Watcher(Protocol):
    """What sits in a seat: it is told when there is something new to see."""

    def look_again(self) -> None:
        """Look again, and say what has changed."""


class Seat:
    """A place from which some widgets look at one fight.

    Parameters
    ----------
    encounter : Encounter
        The fight.
    view : str
        ``"gm"``, or ``"players"`` for one that only looks on and is never shown what players may not know.
    shelf : Shelf, optional
        What a fight is filled from; that of the kit if none is given.
    journal : str or Path, optional
        Where a fight is kept that is made here.

    Attributes
    ----------
    own : bool
        Whether the fight is the tracker's own: set up in it, so that no caller has another under a name.

    Raises
    ------
    InvalidInput
        If `encounter` is none, or `view` is another word.
    """

    def __init__(
        self,
        encounter: Encounter,
        view: str = "gm",
        *,
        shelf: Shelf | None = None,
        journal: str | Path | None = None,
    ) -> None:
        if not isinstance(encounter, Encounter):
            raise InvalidInput(f"a widget shows an Encounter, not {encounter!r}")
        if view not in ("gm", "players"):
            raise InvalidInput(f"view is {view!r}; it is 'gm' or 'players'")
        self.encounter = encounter
        self.players = view == "players"
        self.past: View | None = None
        self.seq: int | None = None
        self.selected: str | None = None
        self.table = False
        self.own = False
        self.journal = journal
        self.drop = Drop()
        self._shelf = shelf
        self.download: Download | None = None
        self._given = self._home = encounter
        self._family: dict[str, Encounter] | None = None
        self._sides: dict[str, int] = {}
        self._log_lines: LogLines | None = None
        self._watchers: list[ref[Watcher]] = []
        encounter.watch(self._happened)

    @property
    def now(self) -> View:
        """The moment that is looked at."""
        return self.past or self.encounter

    @property
    def rulebooks(self) -> tuple[Ruleset, ...]:
        """The rulebooks whose rules may be asked for."""
        return (self.encounter.ruleset,)

    @property
    def shelf(self) -> Shelf:
        """What a fight is filled from; who never looks at it waits for none of what it needs."""
        if self._shelf is None:
            from combatkit.shelf import Shelf

            self._shelf = Shelf()
        return self._shelf

    @property
    def keeps(self) -> bool:
        """Whether a party can be kept: the shelf has a folder."""
        return self._shelf is not None and bool(self._shelf.folders)

    @property
    def looks_on(self) -> bool:
        """Whether nothing can be done from here: the players' view, and the past."""
        return self.players or self.past is not None

    @property
    def log_lines(self) -> LogLines:
        """The log as lines to read, up to the newest event."""
        # Put down while it is read on: one whose reading was interrupted is of no use.
        log_lines, self._log_lines = self._log_lines, None
        if log_lines is None:
            from combatkit.report.lines import LogLines

            log_lines = LogLines(self.encounter.ruleset, self.players)
        log_lines.read(self.encounter._events, self.encounter._state, self.sides)
        self._log_lines = log_lines
        return log_lines

    @property
    def sides(self) -> dict[str, int]:
        """Every side's number, in order of joining; it keeps its number for as long as the fight is looked at."""
        for view in (self.encounter,) if self.past is None else (self.encounter, self.past):
            for side in {fighter.side: None for fighter in view._state.fighters.values()}:
                self._sides.setdefault(side, len(self._sides))
        return self._sides

    @property
    def cursor(self) -> int:
        """The number of the event that is looked at: the newest that still holds, if not a past one."""
        if self.seq is not None:
            return self.seq
        present = self.encounter._timeline.present
        return present.last if present is not None else 0

    def add(self, watcher: Watcher) -> None:
        """Let a widget sit here; it is held weakly."""
        self._watchers.append(ref(watcher))

    def remove(self, watcher: Watcher) -> None:
        """Let a widget go."""
        self._watchers = [held for held in self._watchers if held() not in (None, watcher)]

    @guarded(SHOWING)
    def refresh(self) -> None:
        """Let every widget look again."""
        for held in self._watchers:
            watcher = held()
            if watcher is not None:
                watcher.look_again()

    def look(self, name: str | None) -> None:
        """Choose whose budget is shown; None follows whoever acts."""
        if name is not None:
            self.encounter._fighter(name)
        self.selected = name
        self.refresh()

    def throw(self, table: bool) -> None:
        """Choose whether dice are rolled at the table."""
        self.table = table
        self.refresh()

    def travel(self, seq: int | None) -> None:
        """Look at a past moment, or at the present again."""
        if self.past is None:
            self._family = None
        self.past = None if seq is None else self.encounter.at(seq)
        self.seq = seq
        self.refresh()

    def adopt(self, encounter: Encounter) -> None:
        """Turn to another fight."""
        if self.own:
            self._given = encounter
        self._home = encounter
        self._family = None
        self._turn_to(encounter)

    @property
    def elsewhere(self) -> str | None:
        """The id of the fight that was given, while another is shown: a caller's own name still holds the first."""
        return None if self.encounter is self._given else self._given.id

    @property
    def family(self) -> dict[str, Encounter]:
        """The fight that was come for and all its branches, by id, as they were when the present was left last."""
        if self._family is None:
            self._family = {self._home.id: self._home, **_branches(self._home)}
        return self._family

    def branch(self, seq: int) -> None:
        """Branch from a past moment, and turn to the branch."""
        branch = self.encounter.branch(seq)
        self._family = None
        self._turn_to(branch)

    def switch(self, id: str) -> None:
        """Turn to another branch, or back."""
        self._family = None
        family = self.family
        if id not in family:
            raise UnknownName.of("branch", id, family)
        self._turn_to(family[id])

    def time(self, on: bool) -> None:
        """Choose whether turns are timed."""
        self.encounter.timer(on)
        self.refresh()

    def _turn_to(self, encounter: Encounter) -> None:
        self.encounter.unwatch(self._happened)
        if self.encounter._stopwatch.runs and encounter is not self.encounter:
            self.encounter.timer(False)
            encounter.timer()
        self.encounter = encounter
        self.past = self.seq = self.selected = self.download = self._log_lines = None
        self._sides = {}
        encounter.watch(self._happened)
        self.refresh()

    def _happened(self, events: tuple[Event, ...]) -> None:
        """Show what has just happened: whoever looked at the past is called back."""
        self.past = self.seq = None
        if any(event.kind == "turn" for event in events):
            self.selected = None
        self.refresh()


def _branches(encounter: Encounter) -> dict[str, Encounter]:
    """Return an encounter's branches and theirs, by id."""
    found = {branch.id: branch for branch in encounter.branches}
    return found | {id: each for branch in found.values() for id, each in _branches(branch).items()}
