"""What the widgets of one tracker share: the fight, the moment they look at, whose budget is shown, who rolls."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from itertools import count
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary, WeakSet

from combatkit.core.curtain import NOBODY, SHOWN_AS, Names, curtained, guised, hidden_in, is_hidden
from combatkit.core.guises import Guises
from combatkit.core.model import Condition, Event, Fighter, State, numbered, open_bids
from combatkit.errors import CombatkitError, InvalidInput, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.fight.lock import SHOWING, guarded
from combatkit.fight.view import View
from combatkit.report.effects import exchange
from combatkit.rules.ladder import explained_anew
from combatkit.rules.ruleset import Ruleset
from combatkit.study.exercises.played import PlayedEncounter
from combatkit.widgets._drop import Drop
from combatkit.widgets._rung_acts import by_concern, concerned, stops
from combatkit.widgets._table import passed_in, table_of

if TYPE_CHECKING:
    from pathlib import Path

    from combatkit.report.lines import LogLines
    from combatkit.shelf import Shelf
    from combatkit.widgets._downloads import Download


_LOOKS = ("portrait", SHOWN_AS)
"""The stats of every ruleset that say how somebody looks."""


_owners: WeakSet[Vantage] = WeakSet()
"""The trackers of this kernel that have fights of their own, for as long as their widgets."""

_numbers = count(1)

_EARLIER = 3
"""How many fights that were begun in this kernel are offered, besides one that is only set up."""


class Watcher(Protocol):
    """What looks from a vantage: it is told when there is something new to see."""

    def look_again(self) -> None:
        """Look again, and say what has changed."""


def fight_of(given: object) -> Encounter:
    """Return the fight that is given, or that has the moment that is.

    Raises
    ------
    InvalidInput
        If it is neither.
    """
    fight = given if isinstance(given, Encounter) else getattr(given, "_fight", None)
    if not isinstance(fight, Encounter):
        right = f"; give ck.Encounter({given!r})" if isinstance(given, str) else ""
        raise InvalidInput(f"a widget shows an Encounter, or a moment of one such as enc.at(12), not {given!r}{right}")
    return fight


class Vantage:
    """A place from which some widgets look at one fight.

    Parameters
    ----------
    encounter : Encounter or View
        The fight, or a moment of one, at which it is looked at until somebody goes elsewhere from there.
    view : str
        ``"gm"``, or ``"players"`` for one that can only watch and never shows what players may not know.
    shelf : Shelf, optional
        What a fight is filled from; the kit's own if none is given.

    Attributes
    ----------
    always : frozenset of str
        Who is kept from players even at moments at which they were not hidden.
    own : bool
        Whether the fight is the tracker's own: set up in it, so that no caller's variable holds another.
    lays : bool
        Whether the map is laid out, though nobody has a place yet.

    Raises
    ------
    InvalidInput
        If `encounter` is neither, or `view` is another word.
    """

    def __init__(
        self,
        encounter: View,
        view: str = "gm",
        *,
        shelf: Shelf | None = None,
    ) -> None:
        moment = None if isinstance(encounter, Encounter) else encounter
        encounter = fight_of(encounter)
        if view not in ("gm", "players"):
            raise InvalidInput(f"view is {view!r}; it is 'gm' or 'players'")
        self.encounter = encounter
        self.players = view == "players"
        self._came = self.past = moment
        self._held: View | None = None
        self.seq = None if moment is None else moment._events[-1].seq
        self.selected: str | None = None
        self.own = False
        self._begun: dict[int, Encounter] = {}
        self.lays = False
        self.drop = Drop()
        self._shelf = shelf
        self.download: Download | None = None
        self._given = self._home = encounter
        self._family: dict[str, Encounter] | None = None
        self._drafts: dict[str, Encounter] = {}
        self._joined: dict[str, bool] = {}
        self._sides: dict[str, int] = {}
        self._log_lines: LogLines | None = None
        self._watchers: WeakKeyDictionary[Watcher, None] = WeakKeyDictionary()
        self._seen: tuple[State, View | None] | None = None
        self._guises = Guises()
        self.always: frozenset[str] = frozenset()
        self._look_at(encounter)

    def hold(self, seq: int | None) -> None:
        """Take the moment after an event for the present; None lets go."""
        self._held, self.seq = None if seq is None else self.encounter.at(seq), seq

    @property
    def present(self) -> View:
        """What is taken for the present: the fight, unless a moment of it is held."""
        return self._held or self.encounter

    @property
    def now(self) -> View:
        """The moment that is looked at."""
        seen = self.past or self.present
        return self._curtained(seen) if self.players else seen

    @property
    def task(self) -> PlayedEncounter | None:
        """The fight, if it is an exercise's: nobody is its GM, and what its check refuses is not offered."""
        return self.encounter if isinstance(self.encounter, PlayedEncounter) else None

    @property
    def rulebooks(self) -> tuple[Ruleset, ...]:
        """The rulebooks whose rules may be asked for."""
        return (self.encounter.ruleset,)

    @property
    def shelf(self) -> Shelf:
        """What a fight is filled from; loaded on first use, so that nobody waits for it in vain."""
        if self._shelf is None:
            from combatkit.shelf import Shelf

            self._shelf = Shelf()
        return self._shelf

    @property
    def journal(self) -> Path | None:
        """The file that keeps the fight, and so what is made of it here: a fight run again, or by other rules."""
        path: Path | None = getattr(self.encounter._timeline.journal, "path", None)
        return path

    @property
    def keeps(self) -> bool:
        """Whether a party can be kept: the shelf has a folder."""
        return self._shelf is not None and bool(self._shelf.folders)

    @property
    def kept(self) -> tuple[Condition, ...]:
        """The conditions of one's own that are offered; none if the file that keeps them can't be read."""
        try:
            return self._shelf.conditions if self._shelf is not None else ()
        except CombatkitError:
            return ()

    @property
    def looks_on(self) -> bool:
        """Whether nothing can be done from here: the players' view, and the past."""
        return self.players or self.past is not None

    @property
    def log_lines(self) -> LogLines:
        """The log as lines to read, up to the newest event."""
        # Put down while it is read on: one whose reading was interrupted is of no use.
        sides = self.sides
        log_lines, self._log_lines = self._log_lines, None
        if log_lines is None:
            from combatkit.report.lines import LogLines

            log_lines = LogLines(self.encounter.ruleset, self.players, own=self.plays)
        now = self._held or self.encounter
        if log_lines.index.count != len(now._events):
            names = self.guises
            state = guised(now._state, names)
            log_lines.read(self.events[: len(now._events)], now._events.begins, state, sides, names)
        self._log_lines = log_lines
        return log_lines

    @property
    def sides(self) -> dict[str, int]:
        """Every side's number; one that is gone keeps its own for as long as the fight is looked at.

        Whose a side is goes by who is on it now: nobody put there by mistake, and taken back, makes it the players'.
        """
        if self.players and (names := self.guises):  # a reveal was taken back, maybe
            self._joined = {names.seal(side): npc for side, npc in self._joined.items()}
        moments = (self.encounter,) if self.past is None else (self.past, self.encounter)
        for view in (self.now,) if self.players else moments:
            self._joined |= _played_by_gm(view._state.fighters.values())
        sides = numbered(self._joined.items())
        if [*sides][: len(self._sides)] != [*self._sides]:  # the players' own have come after others
            self._log_lines = None
        self._sides = sides
        return sides

    @property
    def plays(self) -> tuple[str, ...]:
        """Whom those who look from here play: they know them by their names."""
        return ()

    @property
    def events(self) -> Sequence[Event]:
        """All that happened, with the names that were known here at its time."""
        return self._told() if self.players else self.encounter._events

    def _told(self) -> list[Event]:
        if self._guises.own != self.plays:
            self._guises, self._log_lines, self._seen = Guises(self.plays), None, None
        return self._guises.read(self.encounter._events)

    def guises_at(self, seq: int) -> Names:
        """Return what finds the names that were not known here after an event."""
        if not self.players:
            return NOBODY
        self._told()
        return self._guises.at(seq)

    @property
    def masks(self) -> Names:
        """As whom players see everybody whom they do not know by name."""
        self._told()
        return self._guises.at(self.seq or len(self.present._events))

    @property
    def guises(self) -> Names:
        """What finds the names that are not known here now."""
        return self.guises_at(len(self.present._events))

    @property
    def cursor(self) -> int:
        """The number of the event that is looked at: a past one, or else the newest that still stands."""
        if self.seq is not None:
            return self.seq
        present = self.encounter._timeline.present
        return present.last if present is not None else 0

    def exchange_at(self, seq: int) -> tuple[list[Event], int]:
        """Return what happened in the call that was the present after event `seq`, as far as one looks.

        What a window it answers has waited for belongs to it; the number is that of the call's own first event.
        """
        now = self.encounter._timeline.now
        call = now.call_at(seq)
        found = exchange(now, call, self.seq or call.last)
        if self.players:
            events = self.events
            found = [events[event.seq - 1] for event in found]
        return found, call.first

    @property
    def whose(self) -> str | None:
        """Whose budget is shown: the one chosen, else who is asked first, whoever acts, or who waits and may act."""
        return self.selected or self._follows

    @property
    def left(self) -> str | None:
        """Whose budget was left for another's that was chosen."""
        return None if self.selected in (None, self._follows) else self._follows

    @property
    def _follows(self) -> str | None:
        return next(self._asked, None) or self.now.active or next(self._waiting, None)

    @property
    def _waiting(self) -> Iterator[str]:
        """Who has delayed and may act now, where play waits for nobody else."""
        now, state = self.now, self.now._state
        if self.players or state.focus or state.stage != "running" or "act_now" not in now.ruleset.actions:
            return iter(())
        delayed = (each.name for each in state.fighters.values() if each.effects and each.effect("delayed") is not None)
        return (name for name in delayed if now.can(name, "act_now").allowed)

    @property
    def _asked(self) -> Iterator[str]:
        """Who may answer, while that is waited for, of those whom it concerns."""
        state, window = self.now._state, self.now._state.window
        if window is None or not stops(self.now.ruleset, state):
            return iter(())
        passed, near = self.passed, concerned(self.now.ruleset, state)
        asked = [bid.who for bid in by_concern(state, window) if bid.who not in passed]
        first = [name for name in asked if name in near]
        table = table_of(self.encounter)
        if self.players or not table.here:
            return iter(first)
        # What a player is looking at is theirs to answer: the GM answers for all others.
        theirs = {name for seat in table.here for name in table.plays.get(seat, ())}
        return iter([*(name for name in (*first, *asked) if name not in theirs), *first])

    @property
    def passed(self) -> tuple[str, ...]:
        """Who has let go what is asked now, the last one last."""
        window = None if self.past is not None else self.now._state.window
        if window is None:
            return ()
        names, asked = self.guises, open_bids(window.bids)
        passed = [names.instead(name) for name in passed_in(self.encounter, self.present._state.window)]
        return tuple([name for name in passed if name in asked])

    @property
    def sees_less(self) -> bool:
        """Whether there is something in the fight just now that is not shown from here."""
        return self.now._state is not self.present._state

    def hides(self, fighter: Fighter) -> bool:
        """Check whether what somebody has and can do is not shown from here: the GM plays them."""
        return self.players and fighter.npc and fighter.name not in self.plays

    @property
    def shows_needed(self) -> bool:
        """Whether what a roll needs is told here."""
        return True

    def veil(self, fighter: Fighter) -> str:
        """Say, to the GM, how players see somebody whom they do not see as they are."""
        if self.players:
            return ""
        if fighter.effects and is_hidden(fighter):
            return "players don't see them"
        if not fighter.stats.get(SHOWN_AS):
            return ""
        called = self.masks.instead(fighter.name)
        return f"players see {called}" if called != fighter.name else ""

    seat: str = ""
    """Which seat it is, if it is one's."""

    gm_says: tuple[str, ...] = ()
    """The parameters that only the GM says here, unless no roll tells."""

    @property
    def judges(self) -> bool:
        """Whether what no roll tells may be said here."""
        return True

    def acts_for(self, name: str) -> bool:
        """Check whether somebody can be played from here."""
        return not self.players

    def deals_for(self, name: str) -> bool:
        """Check whether it is said from here how much a blow of somebody takes."""
        return self.judges and self.acts_for(name)

    def _curtained(self, seen: View) -> View:
        """Return a moment as players may see it; it is made once."""
        state = seen._state
        if self._seen is None or self._seen[0] is not state:
            shown = curtained(state, self.always, self.guises_at(len(seen._events)))
            shown = explained_anew(seen.ruleset, state, shown, hidden_in(state) | self.always)
            told = None if shown is state else View(seen.id, seen.ruleset, shown, seen._events.retold(self._told()))
            self._seen = (state, told)
        return self._seen[1] or seen

    @property
    def away(self) -> Collection[str]:
        """Who is played at a seat whose pages are all gone just now."""
        table = table_of(self.encounter)
        if not table.away or self.past is not None:
            return ()
        names = self.guises
        away = [seat for seat in table.away if seat != self.seat]  # whoever looks is here
        return [names.instead(name) for seat in away for name in table.plays.get(seat, ())]

    def add(self, watcher: Watcher) -> None:
        """Let a widget look from here; it is only held weakly."""
        self._watchers[watcher] = None

    def remove(self, watcher: Watcher) -> None:
        """Let a widget go."""
        self._watchers.pop(watcher, None)

    @guarded(SHOWING)
    def refresh(self) -> None:
        """Let every widget look again."""
        for watcher in list(self._watchers):
            watcher.look_again()

    def look(self, name: str | None) -> None:
        """Choose whose budget is shown; None follows whoever acts."""
        if name is not None:
            (self.now if self.players else self.encounter)._fighter(name)
        self.selected = name
        self.refresh()

    @property
    def table(self) -> bool:
        """Whether dice are asked for, not rolled; the fight keeps it."""
        return self.encounter.table_dice

    @table.setter
    def table(self, table: bool) -> None:
        self.encounter.table_dice = table

    def throw(self, table: bool) -> None:
        """Choose whether dice are rolled at the table."""
        self.table = table
        table_of(self.encounter).look_again()

    def travel(self, seq: int | None) -> None:
        """Look at a past moment, or at the present again."""
        if self.past is None:
            self._family = None
        self.past = None if seq is None else self.encounter.at(seq)
        self.seq = seq
        self.refresh()

    def play_by(self, rules: Ruleset, language: str) -> None:
        """Turn to a fight by other rules, before it begins.

        Names, sides, groups, looks and who plays them come along; numbers belong to each ruleset. Rules that were
        chosen here before still have theirs.
        """
        old, drafts = self.encounter, self._drafts
        if old.names and rules.id == old.ruleset.id:
            return
        drafts[old.ruleset.id] = old
        new = drafts.pop(rules.id, None)
        if new is None or new._state.stage != "setup" or new is old:
            new = Encounter(rules, language=language, journal=self.journal, public=old._state.public)
            new._settle_as(old)
        for name in set(new.names) - set(old.names):
            new.leave(name)
        for fighter in old._state.fighters.values():
            if fighter.name not in new.names:
                looks = {stat: fighter.stats[stat] for stat in _LOOKS if fighter.stats.get(stat)}
                new.add(fighter.name, side=fighter.side, npc=fighter.npc, group=fighter.group, **looks)
        self._take(new)
        self._drafts = drafts

    def begin(self) -> None:
        """Call the fight the tracker's own: a cell that is run again finds it, and whatever comes after it here."""
        self.own = True
        self._begun[next(_numbers)] = self.encounter
        _owners.add(self)

    @property
    def earlier(self) -> dict[int, Encounter]:
        """The fights that trackers of this kernel have begun, those that are over too, by number, the last one first.

        Once somebody is in this one, those that were left for it in this tracker; and none where a file keeps what is
        begun here: it would not keep those.
        """
        if not self.own or self.journal is not None:
            return {}
        owners = [self] if self.encounter.names else list(_owners)
        owned = {number: fight for owner in owners for number, fight in owner._begun.items()}
        begun = {owned[number]: number for number in sorted(owned) if owned[number].names}
        begun.pop(self.encounter, None)
        left = {number: fight for fight, number in begun.items()}
        return {number: left[number] for number in sorted(left, reverse=True)[: _EARLIER + 1]}

    def adopt(self, encounter: Encounter) -> None:
        """Turn to another fight; the tracker's own that is left can be gone back to, and one that was only set up."""
        if self.own and (left := self.encounter).names:
            latest = {fight: number for number, fight in sorted(self._begun.items()) if fight is not encounter}
            begun = sorted(number for fight, number in latest.items() if fight._state.stage != "setup")
            waiting = sorted(number for fight, number in latest.items() if fight._state.stage == "setup")
            kept = [*begun[-_EARLIER:], *waiting[-1:]]
            self._begun = {number: self._begun[number] for number in kept} | {next(_numbers): left}
        self._drafts = {}
        self._take(encounter)

    def _take(self, encounter: Encounter) -> None:
        """Show another fight in the place of this one."""
        if self.own:
            self._given = encounter
        self._home = encounter
        self._turn_to(encounter)

    @property
    def elsewhere(self) -> str | None:
        """The id of the fight that was given, while another is shown: a caller's variable still holds the first."""
        return None if self.encounter is self._given else self._given.id

    @property
    def family(self) -> dict[str, Encounter]:
        """The fight first opened and all its branches, by id, as they were when the present was last left.

        Where a journal went on with a branch, it is the fight that this is a branch of.
        """
        if self._family is None:
            if self.own and self._home.parent is not None:  # a journal went on with a branch
                from combatkit.journal.opening import root_of

                self._home = self._given = root_of(self._home)
            self._family = {self._home.id: self._home, **_branches(self._home)}
        return self._family

    def branch(self, seq: int) -> None:
        """Branch from a past moment, and turn to the branch."""
        self._turn_to(self.encounter.branch(seq))

    def switch(self, id: str) -> None:
        """Turn to another branch, or back."""
        self._family = None
        family = self.family
        if id not in family:
            raise UnknownName.of("branch", id, family)
        from combatkit.journal.opening import turn_to

        turn_to(family[id])
        self._turn_to(family[id])

    def _turn_to(self, encounter: Encounter) -> None:
        self.encounter.unwatch(self._happened)
        table_of(self.encounter).onlookers.discard(self)
        if self.encounter._stopwatch.runs and encounter is not self.encounter:
            self.encounter.timer(False)
            encounter.timer()
        if self._begun:
            self._begun[max(self._begun)] = encounter
        self.encounter = encounter
        self.past = self.seq = self.selected = self.download = self._log_lines = self._family = None
        self._joined, self._sides, self._guises = {}, {}, Guises(self.plays)
        self._look_at(encounter)
        self.refresh()

    def _look_at(self, encounter: Encounter) -> None:
        """See what happens in a fight, and at its table."""
        encounter.watch(self._happened)
        self.at = table_of(encounter)
        self.at.onlookers.add(self)

    def _happened(self, events: tuple[Event, ...]) -> None:
        """Show what has just happened: anybody who has gone to the past is called back."""
        if self.past is None or self.past is not self._came:
            self.past = self.seq = None
        if any(event.kind in ("turn", "window_end") for event in events) or next(self._asked, None) is not None:
            self.selected = None
        self.refresh()


def _played_by_gm(fighters: Iterable[Fighter]) -> dict[str, bool]:
    """Return the sides of these, each with whether the GM plays all of them."""
    found: dict[str, bool] = {}
    for each in fighters:
        found[each.side] = each.npc and found.get(each.side, True)
    return found


def _branches(encounter: Encounter) -> dict[str, Encounter]:
    """Return an encounter's branches and their branches, by id."""
    found = {branch.id: branch for branch in encounter.branches}
    return found | {id: each for branch in found.values() for id, each in _branches(branch).items()}
