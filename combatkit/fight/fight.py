"""The one object you hold: a fight, from the first combatant added to the last word.

Every call that changes it is a draft, accepted or dropped as a whole.
"""

from __future__ import annotations

import os
import sys
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import nullcontext
from functools import partial, wraps
from itertools import count
from time import monotonic, time
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NamedTuple, NoReturn, Self, TypeVar, Union, cast
from weakref import WeakMethod, WeakValueDictionary

from msgspec import UNSET, UnsetType, to_builtins
from msgspec.structs import replace

from combatkit.core.curtain import PUBLIC, REVEALS, SHOWN_AS
from combatkit.core.dice import face
from combatkit.core.faces import NO_FACES, Faces
from combatkit.core.limits import ADDED, CONDITIONS, DOERS, NAME, NOTE, VALUE, WORDS
from combatkit.core.model import COUNTER, Act, Bid, Event, Fighter, Look, State, Window, present
from combatkit.core.plain import (
    bare,
    check_bool,
    check_whole,
    free,
    full_stop,
    is_number,
    is_text,
    looks,
    own,
    plain,
    short,
)
from combatkit.core.timeline import Call, Log, Moment, Timeline, as_added, begins_as, unaware_of
from combatkit.errors import IllegalAction, InterruptedCall, InvalidInput, JournalError, UnknownName, warn, within
from combatkit.fight.carried import carry, comes_as, put_on
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.owed import blow_of
from combatkit.fight.pictures import check_drawn, keep, kept, lay, look_at, otherwise, sent, take_picture
from combatkit.fight.view import View
from combatkit.files.tables import SCENE, check_rows, check_scene, read_table
from combatkit.registry import ruleset as find_ruleset
from combatkit.rules import flow, skipping, windows
from combatkit.rules.case import Case, Given
from combatkit.rules.checks import (
    anchor_of,
    check_begins,
    check_by_hand,
    check_condition,
    check_conditions,
    check_count,
    check_guise,
    check_known,
    check_map,
    check_name,
    check_room,
    check_row,
    check_said,
    check_segment,
    check_side,
    check_some,
    check_stats,
    check_words,
    known_condition,
    unread,
)
from combatkit.rules.delays import beside, call_next, settled
from combatkit.rules.draft import Draft
from combatkit.rules.initiative import check_followed, put_back
from combatkit.rules.judge import (
    check_alive,
    check_free,
    check_part,
    is_answer,
    is_reaction,
    refusal,
    ruling_of,
    window_first,
    with_target,
)
from combatkit.rules.mechanisms import Deal, deal_of, deal_out
from combatkit.rules.moments import Edited, Placed
from combatkit.rules.params import (
    as_names,
    check_modifiers,
    check_params,
    find_action,
    find_answer,
    meant_by,
    only_one,
    refuse_twice,
    said_trigger,
    stand_for,
)
from combatkit.rules.perform import close_window, let_pass, own_words, perform, proceed
from combatkit.rules.pools import adjust_pool, tell_later
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.sheet import (
    MOST,
    begun,
    changed,
    check_settled,
    said_changes,
    said_revealed,
    with_mosts,
)
from combatkit.rules.vitals import DAMAGE, HEAL, TEMPORARY, fall_or_rise, first_vital, give_temporary
from combatkit.rules.weapons import USES, set_down, spot_of
from combatkit.rules.windows import Happening
from combatkit.text import ENGLISH, PLAIN, Said, Title, check_language, say, say_names, spoken

if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

    import polars as pl

    from combatkit.files.rosters import RosterRow
    from combatkit.history import History
    from combatkit.history.summary import Summary
    from combatkit.report import Document
    from combatkit.share import Room


F = TypeVar("F", bound=Callable[..., object])

AS_WRITTEN = frozenset({"note", "portrait"})
"""What is shown as it was written and looked up by nobody."""

_NOWHERE: Mapping[str, object] = {}


def changing(call: F) -> F:
    """Let a method change a fight or its journal.

    Every method that does is a call: one at a time, and never from inside another. It holds the lock from reading the
    state to telling whoever watches. See `combatkit.fight.lock`. What it is given is made Python's own: `own`.
    """

    @wraps(call)
    def given(self: Encounter, *args: object, **params: object) -> object:
        _take_in(self)
        told = {key: value if key in AS_WRITTEN else own(value) for key, value in params.items()}
        try:
            return call(self, *map(own, args), **told)
        except IllegalAction as error:
            error.say(self._worded(error.ruling))
            raise

    return guarded()(cast("F", given))


def _take_in(fight: Encounter) -> None:
    """Take in what the journal holds and memory does not; whoever watches is told by the next call, or by `refresh`."""
    line = fight._timeline
    if line.journal is None or not line.journal.follows:
        return
    known = line.now.length
    if line.journal.follow(line):
        warn(
            InterruptedCall(
                f"{fight.id}: a call was interrupted after it had been written to the journal. It counts, and is "
                f"read in now: events {known + 1} to {line.now.length}"
            )
        )


class Stopwatch:
    """How many real seconds turns have taken while it ran, by the event each began with.

    Time between two calls belongs to the turn under way; a turn that interrupts another has its own.

    Parameters
    ----------
    present : callable
        Gives the number of the event with which the turn under way began; None if none is.
    clock : callable
        Gives seconds.

    Attributes
    ----------
    began : float
        When the turn under way would have begun had it run without a break, in calendar seconds.
    """

    def __init__(self, present: Callable[[], int | None], clock: Callable[[], float] = monotonic) -> None:
        self._present = present
        self._clock = clock
        self._turn: int | None = None
        self._since = 0.0
        self.seconds: dict[int, float] = {}
        self.began = 0.0
        self.runs = False

    def start(self) -> None:
        """Measure from now on; the time since it was stopped counts for nobody."""
        if not self.runs:
            self.runs = True
            self._mark()

    def stop(self) -> None:
        """Stop measuring; what has been measured stays."""
        self.lap()
        self.began = 0.0
        self.runs = False

    def lap(self, events: tuple[Event, ...] = ()) -> None:
        """Credit the time since the last call to the turn that was under way."""
        if self.runs:
            if self._turn is not None:
                self.seconds[self._turn] = self.seconds.get(self._turn, 0.0) + self._clock() - self._since
            self._mark()

    def _mark(self) -> None:
        turn = self._present()
        if turn != self._turn or not self.began:
            self.began = 0.0 if turn is None else time() - self.seconds.get(turn, 0.0)
        self._turn, self._since = turn, self._clock()


class Arrival(NamedTuple):
    """Somebody about to come into a fight, or several alike, as `Setup.add` was given them."""

    name: object = None
    side: object = None
    count: Any = 1
    npc: object = None
    group: object = None
    at: object = None
    conditions: object = ()
    stats: Mapping[str, object] = MappingProxyType({})

    @classmethod
    def of(cls, given: Mapping[str, object]) -> Arrival:
        """Return an arrival from what `Setup.add` takes, the stats by name beside the rest."""
        usual: dict[str, Any] = {key: value for key, value in given.items() if key in cls._fields[:-1]}
        return cls(**usual, stats={key: value for key, value in given.items() if key not in usual})


Comer = Union[Arrival, "RosterRow"]
"""Somebody to come, or a row of a roster."""


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
_living: WeakValueDictionary[str, Encounter] = WeakValueDictionary()
"""The fights of this process that somebody holds, by their ids."""


def living() -> tuple[Encounter, ...]:
    """Return the fights of this process that somebody holds."""
    held = (ref() for ref in _living.valuerefs())  # taken at once: other threads may make fights meanwhile
    return tuple(fight for fight in held if fight is not None)


class Encounter(View):
    """A fight played by one ruleset.

    Parameters
    ----------
    ruleset : str or Ruleset
        The system, by id.
    id : str, optional
        A name for the fight; if none is given, the ruleset's id, with a number where a fight in this process or in the
        journal has it already (``"saga"``, ``"saga-2"``).
    seed : int, optional
        Where seeded dice come from; if none is given, 64 bits are drawn, and logged for the GM alone. Anyone who knows
        it can work out every die to come, and a small number given by hand can be guessed from a few dice: leave it out
        if players should not.
    options : mapping, optional
        Readings that differ from the ruleset's defaults; see ``ruleset.options``.
    journal : str or Path, optional
        A text file that every accepted call is written to before it is shown, so that the fight outlasts the kernel;
        see `open`. One file holds a campaign: any number of encounters.
    batch : bool
        Whether the disk is waited for only at the end of each turn: every call is written at once either way, so a
        kernel that is killed loses nothing; a power cut may lose the current turn.
    map : iterable of pairs, optional
        Zones that touch, for systems with zones.
    tables : mapping, optional
        What a source leaves out, by table id; see `add_table`.
    language : str
        What people read: log, tracker, forms, refusals and pages. The code of a language there is a file for, such as
        ``"de"``, also spelled ``"de-AT"`` or ``"de_DE"``; see `combatkit.languages`.
    title : str
        What the fight is called, such as ``"The warehouse"``; see `title`.
    public : iterable of str
        What players are told of the GM's own words, which are otherwise for the GM: ``"conditions"``, those that no
        rule names, and ``"groups"``, what groups are called.

    Raises
    ------
    UnknownName
        For a ruleset, option or language that is not known.
    InvalidInput
        For a value that an option does not allow, or a word in `public` that is neither.
    JournalError
        If the journal holds an encounter with this id, or cannot be written.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6)
    >>> _ = enc.add("Guard", side="empire", count=2, npc=True, dex=1, level=2)
    >>> _ = enc.start(rolls={"Mara": 17, "Guard 1": 9, "Guard 2": 4})
    >>> [(rung.combatant, rung.initiative) for rung in enc.order]
    [('Mara', 24), ('Guard 1', 11), ('Guard 2', 6)]
    >>> enc.do("Mara", "attack", target="Guard 1")[0].text
    'attacks Guard 1'
    >>> enc.can("Mara", "full_attack", target="Guard 1").rule
    'saga.full.symmetric'
    """

    def __init__(
        self,
        ruleset: str | Ruleset,
        *,
        id: str | None = None,
        seed: int | None = None,
        options: Mapping[str, object] | None = None,
        journal: str | Path | None = None,
        batch: bool = False,
        map: Iterable[object] | None = None,
        tables: Mapping[str, object] | None = None,
        language: str = ENGLISH,
        title: str = "",
        public: Iterable[str] = (),
    ) -> None:
        rules = ruleset if isinstance(ruleset, Ruleset) else find_ruleset(ruleset)
        id, seed, options, map = own(id), own(seed), own(options), own(map)
        if seed is not None and not (type(seed) is int and 0 <= seed < 1 << 64):
            raise InvalidInput(f"seed is {short(seed)}; give a whole number from 0 to 2**64 - 1")
        if id is not None:
            id = check_words(id, "id")
        for what, given in (("options", options), ("tables", tables)):
            if given is not None and not isinstance(given, Mapping):
                raise InvalidInput(f"{what} is {short(given)}; give a mapping")
        language = check_language(language, rules.folder)
        told = (public,) if isinstance(public, str) else tuple(public) if isinstance(public, Collection) else None
        if told is None or not all(each in PUBLIC for each in told):
            raise InvalidInput(f"public is {short(public)}; give what players may read, of {PUBLIC}")
        seed = int.from_bytes(os.urandom(8)) if seed is None else seed
        id, number = (id, 0) if id else self._new_id(rules, journal)
        self._hold(id, rules, Timeline())
        draft = Draft(rules, replace(self._state, language=language), 1)
        data: dict[str, Any] = {"id": self.id, "system": rules.id, "seed": seed, "options": rules.settle(options)}
        if language != ENGLISH:
            data["language"] = language
        if told:
            data["public"] = [each for each in PUBLIC if each in told]
        if map is not None:
            data["map"] = check_map(map)
            rules.board.check_map(data["map"])
        draft.emit("encounter", text=say(PLAIN, text=Title(rules.title)), data=data)
        for table, source in (tables or {}).items():
            self._add_table(draft, table, own(source))
        self._timeline.settle(**({"title": bare(check_note(title, NAME, "title"))} if title else {}))
        self._accept(draft, "Make the fight")
        if journal is not None:
            from combatkit.journal.opening import keep, say_begun

            keep(self, journal, batch)
            if number:  # nobody gave it an id of its own
                say_begun(self)
        self._go_by(number)
        if "IPython" in sys.modules:  # a shell may have begun after the import that offers it all
            from combatkit.notebook import offer

            offer()

    def _hold(self, id: str, rules: Ruleset, timeline: Timeline, parent: tuple[str, int] | None = None) -> None:
        """Take up what has happened so far: a fight whose state is the present of a timeline."""
        super().__init__(id, rules, timeline.now.state, timeline.events)
        self._timeline = timeline
        timeline.clock = time
        timeline.begun = time() if timeline.begun is None else timeline.begun
        self._parent = parent
        self._told = timeline.now.length
        """How many events the watchers have been told about."""
        self._watchers: tuple[WeakMethod[Callable[[tuple[Event, ...]], None]], ...] = ()
        self._seen: tuple[Moment, View] | None = None
        self._stopwatch = Stopwatch(lambda: None if (turn := timeline.now.state.turn) is None else turn.seq)
        self._history: History | None = None
        self._branches: list[Self] = []
        self._small: dict[str, bytes] = {}
        """What is sent of the pictures below the map, by the SHA-256 of what they were made of."""

    @classmethod
    def _of(cls, id: str, rules: Ruleset, timeline: Timeline, parent: tuple[str, int] | None = None) -> Self:
        """Return an encounter whose timeline already exists."""
        made = cls.__new__(cls)
        made._hold(id, rules, timeline, parent)
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

    def restart(
        self,
        seed: int | None = None,
        *,
        id: str | None = None,
        journal: str | Path | None = None,
        names: Iterable[str] | None = None,
        options: Mapping[str, object] | None = None,
        rested: bool = True,
    ) -> Encounter:
        """Return a new encounter with the same combatants, options and tables.

        Parameters
        ----------
        seed : int, optional
            Its seed; drawn if none is given.
        id : str, optional
            Its name; made up if none is given.
        journal : str or Path, optional
            A file it is kept in.
        names : iterable of str, optional
            Only these combatants; if not given, all of them.
        options : mapping, optional
            Readings that differ from those of this fight; see ``ruleset.options``.
        rested : bool
            Whether everybody is as they came into this fight; else as they are now, with what they have lost and used
            up, and the conditions that last.

        Returns
        -------
        Encounter
            Not yet begun.

        Raises
        ------
        UnknownName
            For a name that nobody has.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.add("Guard", side="empire", npc=True), enc.start()
        >>> enc.restart(names=["Mara"]).names
        ('Mara',)
        """
        return self._anew(seed, id=id, journal=journal, names=names, options=options, rested=rested)

    def _anew(
        self,
        seed: int | None = None,
        *,
        id: str | None = None,
        journal: str | Path | None = None,
        names: Iterable[str] | None = None,
        options: Mapping[str, object] | None = None,
        caught: bool = False,
        rested: bool = True,
    ) -> Encounter:
        """Return what `restart` does; if it is to catch those who were surprised again, they are marked."""
        now = self._whole()
        state = now._state
        id, number = (id, 0) if id else self._new_id(self.ruleset, journal)
        other = Encounter(
            self.ruleset,
            id=id,
            seed=seed,
            options=self.ruleset.changed(state.options, options),
            map=state.map,
            tables=state.tables,
            language=spoken(state.language, self.ruleset.folder),
            public=state.public,
            journal=journal,
        )
        other._go_by(number)
        other._settle_as(self)
        added = as_added(now._events)
        who = state.fighters if names is None else check_known(state, names)
        unaware = unaware_of(now._events) if caught else ()
        people = [(name, begins_as(added[name]._data, surprised=name in unaware)) for name in who]
        if rested:
            other._bring_all(people)
        else:
            other._bring_all([(name, comes_as(state.fighters[name], data)) for name, data in people], state)
        return other

    def _settle_as(self, other: Encounter) -> None:
        """Settle what another fight has settled, but for the room it is played in; its picture lies here, too."""
        own = ("room", "looks", "pictures")
        known = {name: value for name, value in other._line.settings.items() if name not in own}
        if self.table_dice != other.table_dice:  # a new fight takes that from its journal
            known["table_dice"] = other.table_dice
        if known:
            self._timeline.settle(**known)
        look = other._look()
        if look is not None and self.board.cell:
            try:
                keep(self._timeline, look, kept(other._timeline, look))
                lay(self._timeline, look)
            except (InvalidInput, JournalError) as error:  # the fight is there, and is no worse without it
                warn(f"{error}: the new fight begins without it")

    def __repr__(self) -> str:
        """Say which fight it is and how it stands."""
        now = self._whole()
        return f"<Encounter {self.id}: {now._stands}, {now._people}>"

    def __copy__(self, memo: object = None) -> NoReturn:
        self.__reduce_ex__(4)

    __deepcopy__ = __copy__

    # ── the present moment ──

    @property
    def _line(self) -> Timeline:
        line = self._timeline
        if line.journal is not None and line.journal.follows:
            self._follow()
        return line

    @guarded(waits=False)
    def _follow(self) -> None:
        """Take in what the journal holds and memory doesn't, unless a call is under way."""
        _take_in(self)

    @property
    def _state(self) -> State:
        return self._line.now.state

    @property
    def _events(self) -> Log:
        return self._line.now.log

    def _whole(self) -> View:
        """Return the present moment to look at: it stays whole, whatever another thread does meanwhile."""
        now = self._line.now
        seen = self._seen
        if seen is None or seen[0] is not now:
            seen = self._seen = (now, View(self.id, self.ruleset, now.state, now.log, ended=True))
        return seen[1]

    @property
    def seed(self) -> int:
        """Where seeded dice come from."""
        return self._state.seed

    @property
    def parent(self) -> tuple[str, int] | None:
        """The id of the encounter this was branched from, and at which event; None if it was not."""
        return self._parent

    @property
    def title(self) -> str:
        """What the fight is called: players read it too. It is kept with the fight, and no part of its digest."""
        title: str = self._line.settings.get("title", "")
        return title

    @title.setter
    @changing
    def title(self, title: str) -> None:
        self._timeline.settle(title=bare(check_note(title, NAME, "title")))

    @property
    def table_dice(self) -> bool:
        """Whether the tracker asks for the dice we roll at the table; kept with the fight, part of no digest.

        A new fight of a journal begins as the one before it there was left.
        """
        return bool(self._line.settings.get("table_dice", False))

    @table_dice.setter
    @changing
    def table_dice(self, on: bool) -> None:
        self._timeline.settle(table_dice=check_bool(on, "table_dice"))

    # ── a call ──

    def _draft(
        self,
        rolls: object = None,
        *,
        by: str = "player",
        note: str = "",
        setup: bool = False,
        passes: bool = False,
    ) -> Draft:
        """Return the draft of a call; one that `passes` first lets soft windows go, as a call of its own.

        What comes of that stands, whatever becomes of the call.
        """
        now = self._timeline.now
        note, faces = check_note(note), NO_FACES
        if rolls is not None:
            faces = Faces(rolls)
            if not setup or now.state.stage == "setup":
                faces.check_keys(self.ruleset.purposes, now.state)
        before: tuple[Event, ...] = ()
        if passes and (window := now.state.window) is not None and window.soft:
            passing = Draft(self.ruleset, now.state, now.length + 1)
            let_pass(passing)
            before, now = self._accept(passing, *_passing(window)), self._timeline.now
        draft = Draft(self.ruleset, now.state, now.length + 1, faces, by, note)
        draft.before = before
        return draft

    def _at_rest(self, rolls: object = None, by: str = "player") -> Draft:
        """Return the draft of a call that goes on with a fight under way; refuse it while a window is open."""
        self._running()
        draft = self._draft(rolls, by=by, passes=True)
        if (window := draft.state.window) is not None:
            raise window_first(self.ruleset, window)
        return draft

    def _running(self) -> None:
        stage = self._timeline.now.state.stage
        if stage != "running":
            raise refusal("The fight is over." if stage == "over" else "The fight has not begun; start it first.")

    def _accept(self, draft: Draft, title: str, of: Sequence[str] = ()) -> tuple[Event, ...]:
        """Take a call in with what is due after it, under its title, with whose it is or whom it is about."""
        proceed(draft)
        if of:
            title = f"{title} ({of[0] if len(of) == 1 else f'{len(of)} combatants'})"
        if draft.faces is not NO_FACES:
            draft.faces.check_spent()
        events = tuple(draft.events)
        if events or not draft.before:  # soft windows let go may leave nothing to do: the turn has ended with them
            self._timeline.append(events, draft.state, title)
            self._tell()
        return (*draft.before, *events)

    def _tell(self) -> None:
        """Tell whoever watches what is new to them.

        It counts as told once all of them know; if that was interrupted, the next call tells it again.
        """
        now = self._timeline.now
        if self._watchers and self._told < now.length:
            self._call_watchers(tuple(now.log[self._told :]))
        self._told = now.length

    def _call_watchers(self, events: tuple[Event, ...]) -> None:
        """Call whoever watches with events that are new to them; with none, what is settled has changed."""
        for reference in self._watchers:
            if (callback := reference()) is not None:
                callback(events)
        self._watchers = tuple([held for held in self._watchers if held() is not None])

    # ── who is in it ──

    @changing
    def add(
        self,
        name: str,
        *,
        side: str,
        count: int = 1,
        npc: bool = False,
        group: str | None = None,
        at: object = None,
        conditions: Iterable[str] = (),
        **stats: object,
    ) -> tuple[Event, ...]:
        """Add a combatant, or several alike.

        Parameters
        ----------
        name : str
            The name; with a `count` above 1 they are called ``"NAME 1"``, ``"NAME 2"`` ..., numbered on from those of
            the name that are there. One more of a name on the same side is numbered too.
        side : str
            Whose side they are on.
        count : int
            How many.
        npc : bool
            Whether the GM plays them.
        group : str, optional
            A group that shares whatever the rules let groups share; for several alike it is `name`.
        at : object, optional
            Where they stand.
        conditions : iterable of str
            Conditions they begin with.
        **stats
            The ruleset's stats; see ``ruleset.stats``. A vital with ``_max`` (``hp=5, hp_max=7``) is its maximum.

        Returns
        -------
        tuple of Event
            One event for each combatant.

        Raises
        ------
        UnknownName
            For a stat this ruleset does not have.
        InvalidInput
            For a value out of range, a name that is taken on another side, or a fight that has begun.
        """
        if self._state.stage != "setup":
            raise InvalidInput(f"the fight is running; use join(...) to bring {name!r} in")
        draft = self._draft()
        begins = check_begins(self.ruleset, draft.state, name, conditions)
        new = self._add(draft, Arrival(name, side, count, npc, group, at, begins, stats), again=True)
        called = new[0] if len(new) == 1 else name
        return self._accept(draft, f"Add {called}")

    def _add(self, draft: Draft, new: Comer, *, again: bool = False) -> tuple[str, ...]:
        """Add somebody, or several; whether one more of a name that is there may be meant."""
        name, count = check_name(new.name), new.count
        side = check_side(draft.state, new.side, name)
        group = None if new.group is None else check_words(new.group, f"{name}: group")
        check_whole(count, f"{name}: count", 1, ADDED)
        npc = check_bool(new.npc, f"{name}: npc")
        begins = self._begins(draft, name, new.conditions)
        if len(begins) > CONDITIONS:
            raise InvalidInput(f"{name}: {len(begins):,} conditions given; nobody can have more than {CONDITIONS}")
        check_room(draft.state.fighters.values(), count, side)
        check_conditions(draft.state, count * len(begins))
        held = next((f.stats for f in draft.state.fighters.values() if f.stats == new.stats), _NOWHERE)
        checked, vitals = begun(self.ruleset, new.stats, name, held)
        spot = None if new.at is None else spot_of(draft, new.at)
        there = draft.state.fighters.get(name)
        if there is not None:  # one list may name several alike; a hero who is there comes in no second time
            again |= name not in self._state.fighters
            again = (again and there.side == side) or (npc and there.npc)
        names = _numbered(draft.state.fighters, name, count, again)
        last = max([f.number for f in draft.state.fighters.values()], default=0)
        for number, each in enumerate(names, last + 1):
            if each in draft.state.fighters:
                raise InvalidInput(f"{each!r} is already in the fight; give another name")
            group_name = group or (name if count > 1 else None)
            fighter = Fighter(each, side, number, group_name, npc, checked, vitals, position=spot)
            data = to_builtins(fighter)
            if begins:
                data["conditions"] = begins
            self._bring(draft, each, data)
        return names

    def _begins(self, draft: Draft, name: str, conditions: object) -> list[str]:
        """Return the conditions somebody comes with, each once, as rules spell them."""
        ids = [known_condition(self.ruleset, check_condition(each)) for each in as_names(conditions, of="condition")]
        for id in ids:
            check_by_hand(self.ruleset, draft.state, Given(name, id))
        return list(dict.fromkeys(ids))

    def _bring(self, draft: Draft, name: str, data: dict[str, Any]) -> None:
        """Add one combatant as their event says, with the conditions they begin with."""
        alike = [each for each in draft.state.fighters if each != name and looks(each) == looks(name)]
        aside = draft.language.render(say("combatant.alike", names=alike)) if alike else ""
        _check_guise(draft, (name, data["side"], data.get("group")), data["stats"])
        said = "combatant.returns" if data.get("returns") else "combatant.added"
        words = unread(self.ruleset.catalogue(draft.state), self.ruleset.stats, data["stats"])
        text = say(said, side=data["side"], unread=words)
        draft.emit("combatant", name, text=text, by="gm", data=data, aside=aside)
        for condition in data.get("conditions", ()):
            self.ruleset.set_condition(draft, Given(name, condition))
        if not data.get("returns"):
            fall_or_rise(draft, name, None)

    @changing
    def _add_all(
        self, people: Iterable[Comer], title: str, spots: Mapping[str, object] = _NOWHERE, unaware: Iterable[str] = ()
    ) -> None:
        """Add several in one step: who they are, where they stand, and who begins surprised."""
        draft = self._draft(by="gm")
        for each in people:
            self._add(draft, each)
        for name, spot in spots.items():
            set_down(draft, name, spot)
        for name in unaware:
            self.ruleset.set_condition(draft, Given(name, "surprised"))
        self._accept(draft, title)

    def _bring_all(self, people: Iterable[tuple[str, dict[str, object]]], before: State | None = None) -> None:
        """Add the combatants of another fight as their events say, name and data; with what was on them `before`."""
        draft = self._draft()
        for name, data in people:
            self._bring(draft, name, data)
            if before is not None:
                carry(draft, before, name)
        if draft.events:
            self._accept(draft, "Add the same combatants")

    @changing
    def add_roster(self, source: object) -> tuple[Event, ...]:
        """Add every combatant in a roster: all of them or, if a row is wrong, none.

        Parameters
        ----------
        source : path, text, bytes, frame, list, mapping or Foreign
            A table as spreadsheets save it (``.csv``, ``.tsv``, ``.txt``, with the extra ``sheets`` ``.xlsx``), one in
            Markdown (``.md``), a JSON, TOML or Parquet file; the text or bytes of one; a frame of polars or pandas, a
            list of mappings, a mapping of lists. Columns, in any case: ``name``, ``side``, and optionally ``count``,
            ``npc``, ``group``, ``at``, ``conditions`` and the ruleset's stats. In a cell a list is written with
            semicolons or commas. Or what `combatkit.foreign` has read from another tool's file.

        Returns
        -------
        tuple of Event
            One event for each combatant.

        Raises
        ------
        InvalidInput
            For a broken row; it names file, row and column.
        """
        from combatkit.files.foreign import Foreign
        from combatkit.files.rosters import columns, read_roster

        if self._state.stage != "setup":
            raise InvalidInput("the fight is running; use join(...) to bring combatants in")
        given = source.for_ruleset(self.ruleset).roster if isinstance(source, Foreign) else source
        rest: dict[str, dict[str, object]] = {}
        rows = read_roster(self.ruleset, given, rest=rest)
        draft = self._draft()
        for row in rows:
            with within(row.where):
                self._add(draft, row)
        known, file = [each.name for each in columns(self.ruleset)], rows[0].where.rpartition(", row ")[0]
        for column in dict.fromkeys(column for cells in rest.values() for column in cells):
            warn(f"left out of {file}: {UnknownName.of('column', column, known)}")
        return self._accept(draft, "Add a roster")

    @changing
    def add_table(self, id: str, source: object) -> tuple[Event, ...]:
        """Add rows to a table: actions of your own, or what a source leaves out.

        Parameters
        ----------
        id : str
            Which table: ``"actions"``, ``"scene"`` (what goes with whose attacks, and when they fall; see
            `combatkit.files.tables`), or one of ``ruleset.tables``.
        source : str, Path, mapping or sequence of them, mapping of lists, or frame
            A TOML file with an array of tables named `id`, a row or several, columns, or a frame of polars or pandas.

        Returns
        -------
        tuple of Event
            The event that logs it.

        Raises
        ------
        InvalidInput
            For no rows, or a row without an id or with one that is already there.
        """
        draft = self._draft()
        self._add_table(draft, id, source)
        if not draft.events:
            raise InvalidInput(f"table {id}: there are no rows; give at least one")
        table = id.replace("_", " ")
        return self._accept(draft, f"Add to {table}")

    def _add_table(self, draft: Draft, id: str, source: object) -> None:
        known = ("actions", SCENE, *self.ruleset.tables)
        if id not in known:
            raise UnknownName.of("table", id, known, owner=self.ruleset.id)
        rows = read_table(id, source)
        if not rows:
            return
        check_rows(draft.state, id, rows)
        listed = [*self.ruleset.tables.get(id, ()), *draft.state.tables.get(id, ())]
        present = {row.get("id") for row in listed}
        if id == "actions":
            present.update(self.ruleset.chosen(draft.state.options).ids())
        for number, row in enumerate(rows, 1):
            if not isinstance(row.get("id"), (str, int)):
                raise InvalidInput(f"table {id}, row {number}: id is {short(row.get('id'))}; give text")
            if row["id"] in present:
                raise InvalidInput(f"table {id}: {short(row['id'])} is already there; give the row another id")
            present.add(row["id"])
        named = [str(row.get("title") or str(row["id"]).replace("_", " ")) for row in rows]
        text = say("table.rows", of=id, number=len(rows), table=Title(id.replace("_", " ")), rows=named)
        draft.emit("table", text=text, by="gm", data={"table": id, "rows": rows})
        for row in rows if id in self.ruleset.rows else ():
            check_row(self.ruleset, id, row)
        if id == SCENE:
            check_scene(rows)
        else:
            self.ruleset.catalogue(draft.state)  # which makes each action that was added
            self.ruleset.check_table(draft.state, id)

    @changing
    def edit(self, name: str | Iterable[str], **stats: object) -> tuple[Event, ...]:
        """Change the sheet of one combatant or several, or set a vital, before the fight or in it.

        From now on everything goes by the new sheet: rolls, rulings, and budgets, where a lower number counts at once
        and a higher one when they are next filled, which an event of its own says (`adjust` gives at once). What has
        happened stays: nobody moves on the ladder, so what only their place was made of is refused while the fight runs
        (use `place`), and a vital that is set is neither damage nor healing (use `damage` and `heal`); whoever it
        leaves with 0 falls as always. What somebody keeps ready stays kept: without the weapon that it names it can't
        be used, until that is on the sheet again.

        Parameters
        ----------
        name : str or iterable of str
            Whose.
        **stats
            Stats, checked as `add` checks them; None restores the default. Before the fight a vital is the sheet's. In
            a fight it is what is left now: the maximum stays as it was stated, or rises to it. A vital's name with
            ``_max`` (``hp_max=45``) is its maximum, and heals nobody.

        Returns
        -------
        tuple of Event
            One event for each; one step of undo.

        Raises
        ------
        UnknownName
            For an unknown name or stat.
        InvalidInput
            For a bad value, no stat at all, somebody in the middle of an action, or a number that nothing reads once
            the order is made.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", dex=4, hp=38), enc.start()
        >>> enc.edit("Mara", dex=5, hp=20)[0].text
        'now has a Dexterity modifier of 5 (was 4) and 20 hp (was 38)'
        >>> enc["Mara"].stats["hp"], enc["Mara"].values["hp"]
        (38, 20)
        """
        names = check_some(self._state, name, "edit")
        who = names[0] if len(names) == 1 else f"{len(names)} combatants"
        if not stats:
            raise InvalidInput(f"edit: name what to change for {who}: {', '.join(self.ruleset.stats.ids())}")
        acting = [frame.who for frame in self._state.focus if type(frame) is Act and frame.who in names]
        if acting:
            raise InvalidInput(f"edit: {acting[0]} is in the middle of an action; carry on or undo it first")
        draft = self._draft(by="gm", passes=True)
        for each in names:
            self._edit(draft, each, stats)
        return self._accept(draft, f"Edit {who}")

    def _edit(self, draft: Draft, name: str, given: dict[str, object]) -> None:
        """Change one sheet; whoever is no longer shown as another is revealed."""
        old = draft.state.fighters[name]
        if SHOWN_AS in given and given[SHOWN_AS] is None and old.stats.get(SHOWN_AS):
            if rest := {stat: value for stat, value in given.items() if stat != SHOWN_AS}:
                self._edit(draft, name, rest)
            self._reveal(draft, name)
            return
        new = changed(self.ruleset, draft.state, old, given)
        check_settled(self.ruleset, draft.state, old, new)
        _check_guise(draft, (name, new.side, new.group), new.stats)
        said = said_changes(self.ruleset, draft.state, old, new, given)
        named = [s for s in self.ruleset.stats if s.name in given]
        words = unread(self.ruleset.catalogue(draft.state), named, new.stats)
        text = say("sheet.changes" if said else "sheet.same", changes=said, unread=words)
        before = draft.state
        draft.emit("combatant", name, text=text, by="gm", data={**to_builtins(new), "edited": [*given]})
        draft.cap(before, name, old)
        tell_later(draft, name, before)
        fall_or_rise(draft, name, first_vital(self.ruleset, old))
        if draft.state.stage == "running" and not all(
            self.ruleset.stats[key.removesuffix(MOST)].vital for key in given
        ):
            self.ruleset.follows(draft, Edited(name))

    @changing
    def reveal(self, name: str | Iterable[str]) -> tuple[Event, ...]:
        """Tell players who somebody is whom they know by another name (`shown_as`): from now on they read the true one.

        What they have read before stays as it was. An undo takes it back.

        Parameters
        ----------
        name : str or iterable of str
            Who.

        Returns
        -------
        tuple of Event
            One event for each; one step of undo.

        Raises
        ------
        UnknownName
            For an unknown name.
        InvalidInput
            If players know them by their own name already.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.add("Baron Vex", side="empire", npc=True, shown_as="a hooded man")
        >>> "Vex" in enc.log(view="players").markdown
        False
        >>> enc.reveal("Baron Vex")[0].text
        'is the hooded man'
        >>> "The hooded man is Baron Vex." in enc.log(view="players").markdown
        True
        """
        names = check_some(self._state, name, "reveal")
        draft = self._draft(by="gm", passes=True)
        for each in names:
            if not draft.state.fighters[each].stats.get(SHOWN_AS):
                raise InvalidInput(f"reveal: players know {each} by that name already")
            self._reveal(draft, each)
        return self._accept(draft, "Reveal", names)

    def _reveal(self, draft: Draft, name: str) -> None:
        old = draft.state.fighters[name]
        called = old.stats[SHOWN_AS]
        new = changed(self.ruleset, draft.state, old, {SHOWN_AS: None})
        data = {**to_builtins(new), "edited": [SHOWN_AS], REVEALS: called}
        draft.emit("combatant", name, text=said_revealed("shown.is", called, name), by="gm", data=data)

    @changing
    def _turn_into(self, name: str, called: str, side: str, stats: Mapping[str, object]) -> tuple[Event, ...]:
        """Change who somebody is before the fight, in one step: name, side, sheet."""
        if self._state.stage != "setup":
            raise InvalidInput("the fight is running: names and sides stay as they are")
        draft = self._draft(by="gm")
        (old,) = (draft.state.fighters[each] for each in check_some(self._state, name, "edit"))
        new = changed(self.ruleset, draft.state, old, dict(stats))
        who, whose = check_name(called), check_side(draft.state, side, called)
        if who != name:
            if who in draft.state.fighters:
                raise InvalidInput(f"{who!r} is already in the fight; give another name")
            flow.depart(draft, name, say("leave.leaves"), by="gm")
        whole = to_builtins(replace(new, name=who, side=whose, effects=()))
        more = [effect for effect in old.effects if effect.value is not None or effect.modifiers or effect.rounds]
        self._bring(draft, who, {**whole, "conditions": [each.id for each in old.effects if each not in more]})
        for effect in more:
            put_on(draft, who, effect)
        return self._accept(draft, f"Edit {who}")

    @changing
    def start(
        self, *, surprised: Iterable[str] = (), rolls: object = None, ties: Sequence[str] | None = None
    ) -> tuple[Event, ...]:
        """Begin: surprise, initiative, the first turn.

        Parameters
        ----------
        surprised : iterable of str
            Who is caught unawares as the fight begins.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, by combatant or group or in the order asked.
        ties : sequence of str, optional
            The order that the table has chosen or drawn among those tied.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            For an order of ties that a rule has already settled otherwise.
        InvalidInput
            If the fight has begun, nobody has been added, or a number is not on its die.
        """
        draft, unready = self._begin(surprised, rolls)
        draft.ties = check_ties(self._state, ties)
        self.ruleset.initiative(draft, present(draft.state.fighters))
        check_followed(draft)
        flow.open_round(draft, self.ruleset.first_round(draft.state), 0, unready)
        return self._accept(draft, "Start the fight")

    def _begin(self, surprised: Iterable[str], rolls: object = None) -> tuple[Draft, str]:
        """Begin, up to the first roll: return the draft, and whether none, some or all are surprised."""
        state = self._state
        if state.stage != "setup":
            raise InvalidInput("the fight has already begun; restart() sets it up again")
        if not state.fighters:
            raise InvalidInput("add a combatant first; nobody is in the fight")
        unaware = check_known(state, surprised)
        draft = self._draft(rolls, setup=True)
        here = present(state.fighters)
        marked = {name for name in here if state.fighters[name].effect("surprised")}.union(unaware)
        unready = "none" if not marked else "some" if len(marked) < len(here) else "all"
        cited = self.ruleset.cites(draft.state, "begin", unaware=unready)
        draft.emit(
            "begin",
            text=say("begin.begins", unaware=", ".join(unaware)),
            rules=cited,
            data={"surprised": list(unaware)},
        )
        self.ruleset.surprise(draft, unaware)
        return draft, unready

    @changing
    def join(
        self,
        name: str,
        *,
        side: str | None = None,
        rolls: object = None,
        ties: Sequence[str] | None = None,
        count: int = 1,
        npc: bool | None = None,
        group: str | None = None,
        at: object = None,
        conditions: Iterable[str] = (),
        **stats: object,
    ) -> tuple[Event, ...]:
        """Let a newcomer into a fight under way, or bring back somebody who has left.

        They roll, take their place, and act this round if that place is still to come and they have not acted in it.
        Somebody who comes back keeps whatever is not given again: side, sheet, damage, what they have spent, where they
        stood, and their place in the order: they roll no more, and the GM may `place` them elsewhere. Conditions last,
        too: only what was for the moment, such as an aim, ended as they left.

        Parameters
        ----------
        name, side, count, npc, group, at, conditions, **stats
            As `add` takes them; somebody who has left needs only their name, or that of their group, side or kind.
        rolls, ties
            As `start` takes them, for those who roll: in a system whose rounds roll anew, and where somebody left
            before they had a place, these are also who comes back.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            For somebody dead, or an order of ties that a rule has already settled otherwise.
        InvalidInput
            For dice or an order of somebody who comes back to the place they had.
        """
        begins = check_begins(self.ruleset, self._state, name, conditions)
        new = Arrival(name, side, count, npc, group, at, begins, stats)
        fighters = self._state.fighters
        several = side is None and count == 1 and type(name) is str and bare(name) not in fighters
        back = stand_for(self._state, bare(name), gone=True) if several and meant_by(self._state, bare(name)) else ()
        return self._join([new._replace(name=each) for each in back] or [new], rolls, ties)

    @changing
    def _join_all(self, people: Sequence[Comer], rolls: object = None) -> tuple[Event, ...]:
        """Let several join in one step, whatever they are called."""
        return self._join(people, rolls)

    def _join(
        self, people: Sequence[Comer], rolls: object, ties: Sequence[str] | None = None, note: str = ""
    ) -> tuple[Event, ...]:
        draft, acted = self._let_in(people, rolls, note)
        draft.faces.check_keys(self.ruleset.purposes, draft.state)
        draft.ties = check_ties(draft.state, ties)
        here = present(draft.state.fighters)
        back = [name for name in acted if name in here and self._keeps_place(draft, name)]
        for name in back:
            put_back(draft, name)
        if came := tuple(name for name in acted if name in here and name not in back):
            self.ruleset.initiative(draft, came)
            check_followed(draft)
        for name, number in acted.items():
            flow.admit(draft, name, acted=number or 0)
        if back and not came and (draft.ties or draft.faces.left()):
            what, come = "ties" if draft.ties else "rolls", "comes" if len(back) == 1 else "come"
            moves = f"to move them, place({back[0]!r}, ...)"
            raise InvalidInput(f"{what}: {say_names(back)} {come} back to the place they had; {moves}")
        who = people[0].name if len(people) == 1 else f"{len(acted)} combatants"
        word = "join" if len(people) > 1 else "joins" if None in acted.values() else "returns"
        return self._accept(draft, f"{who} {word}")

    def _keeps_place(self, draft: Draft, name: str) -> bool:
        """Check whether somebody comes back to the place they had, where no round rolls anew."""
        return name in draft.state.gone and not self.ruleset.staged

    def _let_in(
        self, people: Sequence[Comer], rolls: object = None, note: str = ""
    ) -> tuple[Draft, dict[str, int | None]]:
        """Let newcomers in up to their first roll: return the draft, and who they are.

        For somebody who returns, their name comes with how often they have acted in this round.
        """
        self._running()
        draft = self._draft(rolls, note=note, setup=True, passes=True)
        acted: dict[str, int | None] = {}
        for each in people:
            old = draft.state.fighters.get(bare(each.name)) if type(each.name) is str and each.count == 1 else None
            left = old.effect("left") if old is not None else None
            if old is not None and (left is not None or each.side is None):
                check_alive(self.ruleset, old)
            if old is not None and left is not None:
                if (rule := left.rule) and rule == self.ruleset.cite.get("removed"):
                    raise refusal(f"{old.name} has been taken out of this encounter and doesn't come back in it.", rule)
                acted[self._take_back(draft, old, each)] = left.value if type(left.value) is int else 0
                continue
            if old is not None and each.side is None:
                raise InvalidInput(f"{each.name!r} is already in the fight; only somebody who has left can come back")
            new = each._replace(npc=False) if isinstance(each, Arrival) and each.npc is None else each
            acted |= dict.fromkeys(self._add(draft, new))
        return draft, acted

    def _take_back(self, draft: Draft, old: Fighter, back: Comer) -> str:
        """Bring back somebody who has left; whatever is not given again is as it was."""
        name = old.name
        begins = self._begins(draft, name, back.conditions)
        checked = check_stats(self.ruleset, {**old.stats, **back.stats}, name, old.stats)
        vitals = {
            vital: checked[vital] if back.stats.get(vital) is not None else left for vital, left in old.vitals.items()
        }
        draft.end_effects(name, "left")
        fighter = Fighter(
            name,
            old.side if back.side is None else check_side(draft.state, back.side, name),
            old.number,
            old.group if back.group is None else check_words(back.group, f"{name}: group"),
            old.npc if back.npc is None else check_bool(back.npc, f"{name}: npc"),
            checked,
            vitals,
            pools=old.pools,  # filled like everybody's while they were gone: nobody spends anew what is spent
            effects=draft.state.fighters[name].effects,
            progress=old.progress,
            position=old.position if back.at is None else spot_of(draft, back.at),
        )
        data = {**to_builtins(fighter), "returns": True}
        if begins:
            data["conditions"] = begins
        self._bring(draft, name, data)
        fall_or_rise(draft, name, first_vital(self.ruleset, old))
        return name

    @changing
    def another(self, name: str, *, rolls: object = None) -> tuple[Event, ...]:
        """Bring in one more of a creature, before the fight or in it, numbered on.

        It comes with the sheet the other has now, unharmed and without conditions, to the same side, group and place;
        but if the other is surprised, so is this one. In a fight under way it rolls and takes its place as anybody does
        who joins.

        Parameters
        ----------
        name : str
            Of which combatant; the name that several bear without their numbers will do.
        rolls : list of int or mapping, optional
            As `join` takes them.

        Returns
        -------
        tuple of Event
            All that happened; one step of undo.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Guard", side="empire", count=3, npc=True, hp=20), enc.start()
        >>> _ = enc.another("Guard 2", rolls=[15])
        >>> enc.names[-1], enc["Guard 4"].values["hp"]
        ('Guard 4', 20)
        """
        fighters = self._state.fighters
        numbered = (each for each in fighters if (split := each.rpartition(" "))[0] == name and split[2].isdecimal())
        like = self._fighter(name if type(name) is not str or name in fighters else next(numbered, name))
        head, _, tail = like.name.rpartition(" ")
        stem = head if tail.isdecimal() and head else like.name
        called = f"{stem} {next_number(fighters, stem)}"
        unaware = ("surprised",) if like.effect("surprised") is not None else ()
        new = Arrival(called, like.side, 1, like.npc, like.group, like.position, unaware, like.stats)
        if self._state.stage != "setup":
            return self._join([new], rolls)
        draft = self._draft(rolls)
        self._add(draft, new)
        return self._accept(draft, f"Add {called}")

    @changing
    def leave(self, name: str | Iterable[str]) -> tuple[Event, ...]:
        """Take one or several out of the fight, or off the list before it starts; what they did stays in the log.

        Parameters
        ----------
        name : str or iterable of str
            Who leaves.

        Returns
        -------
        tuple of Event
            All that happened; one step of undo.
        """
        names = check_some(self._state, name, "leave")
        if self._state.stage == "setup":
            draft = self._draft(by="gm")
            for each in names:
                draft.emit("leave", each, text=say("leave.removed"), by="gm")
            who = names[0] if len(names) == 1 else f"{len(names)} combatants"
            return self._accept(draft, f"Remove {who}")
        return self._leave(names)

    def _leave(self, names: Sequence[str], note: str = "") -> tuple[Event, ...]:
        for each in names:
            if self._fighter(each).effect("left"):
                raise InvalidInput(f"{each} has already left")
        draft = self._draft(by="gm", note=note, passes=True)
        for each in names:
            check_free(draft.state, each)
            flow.depart(draft, each, say("leave.leaves"), by="gm")
        who = names[0] if len(names) == 1 else f"{len(names)} combatants"
        return self._accept(draft, f"{who} {'leaves' if len(names) == 1 else 'leave'}")

    # ── acting ──

    @changing
    def do(
        self,
        name: str,
        action: str,
        /,
        *,
        target: str | Iterable[str] | None = None,
        rolls: object = None,
        note: str = "",
        override: bool = False,
        **params: object,
    ) -> tuple[Event, ...]:
        """Carry out an action, in or out of turn.

        Parameters
        ----------
        name : str
            Who acts.
        action : str
            The action's id; see ``ruleset.actions``.
        target : str or sequence of str, optional
            Who they target.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, in the order asked or by purpose.
        note : str
            Somebody's own words for the log.
        override : bool
            The GM sets the rules aside; what was overruled is logged.
        **params
            The action's own parameters; see `choices`.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            If the rules refuse it; `ruling` is what `can` gives.
        UnknownName, InvalidInput
            If a name is unknown or a value cannot be.
        """
        if target is not None:
            params["target"] = target
        rules = self.ruleset
        state = self._timeline.now.state
        fighter = self._fighter(name)
        name = fighter.name
        found = find_action(rules, state, action)
        checked = check_params(rules, state, found, params)
        case = Case(rules, state, fighter, found, checked)
        answers = is_answer(case)
        draft = self._draft(rolls, note=note, passes=not answers)
        if draft.state is not state:
            case = Case(rules, draft.state, draft.state.fighters[name], found, checked)
        case = with_target(case, by_word=override)
        judged = (self if self._seen is None else self._seen[1])._judge(case)  # asked just before, it is judged already
        overruled: tuple[str, ...] = ()
        firm = [o for o in judged.objections if o.firm]
        if override and judged.objections:  # say first what no word can make up for, or change
            more = rules.mechanisms[found.does].missing
            missing = (*judged.missing, *(more(case) if more is not None else ()))
            against = firm if missing else list(dict.fromkeys([*firm, *judged.objections]))
            judged = replace(judged, objections=against, missing=missing)
        if judged.objections or judged.missing:
            ruling = ruling_of(case, judged)
            if not override or firm or judged.missing or draft.state.stage != "running":
                raise IllegalAction(ruling)
            overruled = ruling.rules or (found.rule,)
        reacts = found.when == "reaction" or "trigger" in checked or not overruled
        opened = found.when != "own turn" and case.window is None and reacts and is_reaction(case)
        if opened:
            self._open_for(draft, case)
        if answers or opened:
            text, cited = say("answer.uses", of=found.id, title=found.called), (found.rule,)
            used: dict[str, object] = {"used": found.id}
            if case.targets:
                used["targets"] = list(case.targets)
            draft.emit("answer", name, found.id, text=text, rules=cited, data=used)
        perform(draft, case, judged, overruled=overruled)
        return self._accept(draft, found.title, (name,))

    def _open_for(self, draft: Draft, case: Case) -> None:
        """Open a window for a reaction to something told in words: its target did it, or else whoever is active."""
        turn, trigger, name = draft.state.turn, case.params.get("trigger"), case.fighter.name
        by: tuple[str, ...] = (turn.who,) if turn is not None and turn.who != name else ()
        if "attack" in case.action.tags:
            by = case.targets or by
        what = said_trigger(trigger, draft.rules, draft.state) if trigger else say("trigger.happens")
        about = _said_of(by, what, trigger if isinstance(trigger, str) else "")
        windows.open_trigger(draft, Happening(by, about), (Bid(name, (case.action.id,), case.action.rule),))

    @changing
    def resolve(self, *, answer: object = None, rolls: object = None, note: str = "") -> tuple[Event, ...]:
        """Close the top window: anyone who has not answered lets it go, and what was interrupted goes on.

        Parameters
        ----------
        answer : object, optional
            Settles a question to the GM; one of its `choices`, or a list of them where it takes several.
        rolls : list of int or mapping, optional
            Natural dice for what goes on.
        note : str
            Somebody's own words for the log.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            If no window is open, or somebody must answer first (the GM too, with an `answer`).
        InvalidInput
            If the answer is none of the question's choices.
        """
        draft = self._draft(rolls, note=note)
        window = draft.state.window
        if window is None:
            raise refusal("Nobody is waiting to answer: there is nothing to resolve.")
        waiting = [b.who for b in window.bids if b.must and not b.answered]
        if waiting:
            raise refusal(f"{say_names(waiting)} must answer first: {full_stop(window.about)}", window.bids[0].rule)
        if window.question:
            if answer is None:
                raise refusal(f"The GM must answer first: {_asked(draft.state, window)}.", window.question)
            answer = _settled(draft.state, window, answer)
        if not window.question and answer is not None:
            raise InvalidInput(f"the GM wasn't asked anything; {window.about!r} is waiting for an answer")
        close_window(draft, answer=answer, by="gm" if window.question else "player")
        return self._accept(draft, *_passing(window))

    @changing
    def trigger(
        self,
        *by: str,
        offers: Iterable[str] = (),
        to: str | Sequence[str] | None = None,
        segment: int | None = None,
        text: str = "",
    ) -> tuple[Event, ...]:
        """Say that something happened that no declared action shows; a window opens if somebody can react.

        Whoever is dead, is out or has left causes nothing any more: for what merely befalls them, name nobody.

        Parameters
        ----------
        *by : str
            Who did it; leave it out for a trap.
        offers : iterable of str
            The actions they may react with; if none is named, all reactions.
        to : str or sequence of str, optional
            Who may react; if nobody is named, everybody. Of several who did it, each reacts to what the others did.
        segment : int, optional
            When in the round, where a system has segments.
        text : str
            What happened.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            If somebody who is to have caused it, or may react, is dead, is out or has left.
        """
        self._running()
        state = self._state
        doers = check_known(state, by)
        if (many := max(len(by), len(doers))) > DOERS:
            raise InvalidInput(f"trigger: {many:,} names are given as the cause; give at most {DOERS}, or none")
        words = check_note(text, WORDS, "text")
        happens = say("trigger.acts", who=doers, number=len(doers)) if doers else say("trigger.happens")
        about = _said_of(doers, say(PLAIN, text=words), words) if words else happens
        asked = check_known(state, to) if to is not None else None
        for name in (*doers, *(asked or ())):
            check_part(self.ruleset, state.fighters[name])
        wanted = tuple(find_answer(self.ruleset, state, a).id for a in as_names(offers, of="reaction"))
        data: dict[str, object] = {"by": list(doers)}
        if segment is not None:
            data["segment"] = check_segment(self.ruleset, segment)
        draft = self._draft(passes=True)
        if (window := draft.state.window) is not None and window.question:
            raise window_first(self.ruleset, window)
        draft.emit("trigger", doers[0] if doers else None, text=about, by="gm", data=data)
        windows.call_for(draft, Happening(doers, about, segment), asked, wanted)
        return self._accept(draft, "Call for reactions")

    @changing
    def end_turn(self, *, rolls: object = None) -> tuple[Event, ...]:
        """End the turn under way; with nobody active, close the present step.

        Parameters
        ----------
        rolls : list of int or mapping, optional
            Natural dice for what the end of the turn asks: group dice.

        Returns
        -------
        tuple of Event
            All that happened, until somebody may choose again.

        Raises
        ------
        IllegalAction
            While a window is open.
        """
        turn = self._state.turn
        draft = self._at_rest(rolls)
        now = draft.state.turn
        if turn is None and now is None:
            flow.leave_step(draft)
        elif turn is not None and now is not None and now.seq == turn.seq:  # not ended by what was let pass
            flow.close_turn(draft, by="player")
        title = self.ruleset.end_step_title if turn is None else self.ruleset.end_title
        return self._accept(draft, title, () if turn is None else (turn.who,))

    @changing
    def next_round(self, *, rolls: object = None) -> tuple[Event, ...]:
        """Skip to the next round by the GM's word; anyone who has not acted is logged.

        Parameters
        ----------
        rolls : list of int or mapping, optional
            Natural dice for what the new round asks.

        Returns
        -------
        tuple of Event
            All that happened.
        """
        draft = self._at_rest(rolls, "gm")
        skipping.skip_round(draft)
        return self._accept(draft, self.ruleset.next_title)

    @changing
    def finish(self) -> tuple[Event, ...]:
        """End the fight, with what is due at the end of the turn, the step and the round under way.

        Returns
        -------
        tuple of Event
            All that happened.

        Raises
        ------
        IllegalAction
            While a window is open.
        """
        draft = self._at_rest(by="gm")
        flow.end_round(draft)
        cited = self.ruleset.cites(draft.state, "over")
        draft.emit("over", text=say("over.ends"), rules=cited, by="gm")
        return self._accept(draft, "End the fight")

    # ── the GM's bookkeeping ──

    @changing
    def adjust(
        self, names: str | Iterable[str], vital: str | None = None, by: int = 0, note: str = ""
    ) -> tuple[Event, ...]:
        """Add to or take from a vital, a slot or a counted use, for one combatant or several.

        What a slot gains comes on top of what it held, until it is next filled; what was spent stays spent. What it
        loses comes off what is left of it.

        Parameters
        ----------
        names : str or iterable of str
            Whose.
        vital : str, optional
            Which vital, or which slot of the budget; if none is named, the vital that damage comes off. `temporary` are
            temporary points; any of their `uses` will do as well.
        by : int
            How much, negative for a loss.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            One for each.
        """
        who = check_some(self._state, names, "adjust")
        vitals = [*(s.name for s in self.ruleset.vitals), TEMPORARY]
        vital = vitals[0] if vital is None else vital
        pooled = vital not in vitals
        slots = self.ruleset.slots.ids()
        if pooled and type(vital) is str and any(vital in (self._fighter(name).stats.get(USES) or ()) for name in who):
            vital = COUNTER + vital
        # What else is counted, such as what may be spent off turn, follows from the slots.
        uses = [[id for id in self._fighter(name).pools if id.startswith(COUNTER)] for name in who]
        if pooled and (type(vital) is not str or not all(vital in (*slots, *own) for own in uses)):
            raise UnknownName.of("vital or slot", vital, [*vitals, *slots], owner=self.ruleset.id)
        if not is_number(by):
            raise InvalidInput(f"adjust: by is {short(by)}; give a whole number, negative for a loss")
        if pooled:
            self._running()
        draft = self._draft(by="gm", note=note, passes=True)
        change = adjust_pool if pooled else self.ruleset.adjust
        for name in who:
            change(draft, name, vital, by)
        titles = {TEMPORARY: "Temporary points"} | {each.name: each.title for each in self.ruleset.vitals}
        titles |= {slot.id: slot.title for slot in self.ruleset.slots}
        return self._accept(draft, titles.get(vital, vital.removeprefix(COUNTER)), who)

    @changing
    def damage(
        self,
        names: str | Iterable[str],
        amount: int | str,
        *,
        vital: str | None = None,
        half: str | Iterable[str] = (),
        attacker: str | None = None,
        rolls: object = None,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Deal damage to one combatant or several by the GM's word: a trap, a fall, a blast.

        What you say is what they lose: no armour is taken off. In d6 a loss of Resolve wounds and calls for fates, in
        segments a loss of hit points breaks concentration, as any harm does.

        Parameters
        ----------
        names : str or iterable of str
            Who takes it.
        amount : int or str
            A number, or dice (``"2d6+3"``) that are rolled once for all.
        vital : str, optional
            Which vital; the ruleset's first if none is named, as with attacks: ``hp``, in d6 ``resolve``, in phases
            ``stun`` (a loss of body is a call of its own).
        half : str or iterable of str
            Which of them take half, rounded down.
        attacker : str, optional
            Whose blow it is: what hit, and nobody had said for how much. Then it counts as dealt by them.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, for the purpose ``damage``.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened: the roll, if dice were rolled, and one event for each; one step of undo.

        Raises
        ------
        UnknownName
            For an unknown combatant or vital.
        InvalidInput
            For an amount that is neither, or somebody who takes half but is not named.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", hp=38), enc.add("Vex", side="empire", hp=20)
        >>> for event in enc.damage(["Mara", "Vex"], "2d6+3", half="Mara", rolls=[4, 4]):
        ...     print(event.subject, event.text)
         the GM rolls 11 for damage
        Mara takes 5 damage (half of 11), 33 left
        Vex takes 11 damage, 9 left
        """
        deal = deal_of(self.ruleset, self._state, DAMAGE, names, amount, vital, half)
        if attacker is not None:
            actor = self._fighter(attacker).name
            blow = blow_of(self._timeline.now.log, actor, deal.who)
            deal = deal._replace(change=DAMAGE._replace(actor=actor, action=None if blow is None else blow.action))
        return self._accept(*self._dealt(deal, rolls, note))

    @changing
    def heal(
        self,
        names: str | Iterable[str],
        amount: int | str,
        *,
        vital: str | None = None,
        half: str | Iterable[str] = (),
        rolls: object = None,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Heal one combatant or several by the GM's word, up to their full value; anyone already at full stays there.

        Parameters
        ----------
        names : str or iterable of str
            Who is healed.
        amount : int or str
            A number, or dice (``"1d8+2"``) that are rolled once for all.
        vital : str, optional
            Which vital; the ruleset's first if none is named.
        half : str or iterable of str
            Which of them get half, rounded down.
        rolls : list of int or mapping, optional
            Natural dice rolled at the table, for the purpose ``heal``.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened: the roll, if dice were rolled, and one event for each; one step of undo.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", hp=38), enc.damage("Mara", 5)
        >>> enc.heal("Mara", 3)[0].text, enc.heal("Mara", 3)[0].text, enc.heal("Mara", 3)[0].text
        ('heals 3, now at 36', 'heals 2, now at 38', 'is already at full: 38 hp')
        """
        return self._accept(
            *self._dealt(deal_of(self.ruleset, self._state, HEAL, names, amount, vital, half), rolls, note)
        )

    @changing
    def temporary(self, names: str | Sequence[str], amount: int, *, note: str = "") -> tuple[Event, ...]:
        """Give temporary points by the GM's word, which damage takes before the vital; nobody heals them.

        If there are some already, the greater number counts; they aren't added up.

        Parameters
        ----------
        names : str or sequence of str
            Who gets them.
        amount : int
            How many.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            One for each; one step of undo. What damage takes of them stands in its event's `data` as ``temporary``.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels", hp=38)
        >>> enc.temporary("Mara", 8)[0].text, enc.temporary("Mara", 5)[0].text
        ('has 8 temporary points', 'still has 8 temporary points: 5 are no more than that')
        >>> event = enc.damage("Mara", 10)[0]
        >>> event.text, event.amount, event.data["temporary"]
        ('takes 10 damage, 8 of it temporary, 36 left', 2, 8)
        """
        who = check_some(self._state, names, "temporary")
        check_whole(amount, "temporary: amount", 0)
        draft = self._draft(by="gm", note=note, passes=True)
        for name in who:
            give_temporary(draft, name, amount)
        return self._accept(draft, "Temporary points", who)

    def _dealt(self, deal: Deal, rolls: object, note: str) -> tuple[Draft, str, tuple[str, ...]]:
        """Return the call that deals damage or healing out, one amount in full or by half, its title and to whom."""
        draft = self._draft(rolls, by="gm", note=note, passes=True)
        deal_out(draft, deal)
        return draft, deal.change.word.capitalize(), deal.who

    @changing
    def condition(
        self,
        name: str | Iterable[str],
        id: str,
        *,
        value: object = None,
        modifiers: Mapping[str, int] | None = None,
        until: str | None = None,
        off: bool = False,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Begin or end a condition, for one combatant or several, by the GM's word.

        Parameters
        ----------
        name : str or iterable of str
            Whose.
        id : str
            Which one; some are read by rules, however they are spelled ("in melee"), others are free text.
        value : object, optional
            What goes with it.
        modifiers : mapping of str to int, optional
            What it adds to numbers while it lasts.
        until : str, optional
            "end of round", "end of step", "start of turn", "end of turn", "next action", "start of turn: NAME", "end
            of turn: NAME", or "3 rounds", which counts the bearer's turns; until ended if not given. Where the turn it
            waits for comes no more, it ends in that turn's place. However it is said, a look says it as the system
            does: in phases, where everybody has a turn in each and the round is a Turn of four, "3 rounds" is "3
            phases".
        off : bool
            Whether it ends.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened; one step of undo.
        """
        id = check_condition(id)
        names = check_some(self._state, name, "condition", gone=off and known_condition(self.ruleset, id) == "left")
        if any(self._state.fighters[each].effect(id) is None for each in names):
            id = known_condition(self.ruleset, id)
        if id == "left" and self._state.stage != "setup":
            return self._left(names, [value, modifiers, until], off=off, note=note)
        numbers = {} if off else check_modifiers(modifiers, f"condition {id}")
        for each in names if numbers else ():
            known = self.ruleset.numbers(self._state, self._state.fighters[each])
            for number in numbers:
                if number not in known:
                    if why := self.ruleset.unmoved(self._state, self._state.fighters[each], number):
                        raise InvalidInput(f"condition {id}: {why}")
                    raise UnknownName.of("number", number, known, owner=each)
        draft = self._draft(by="gm", note=note, passes=True)
        if off:
            self._end_conditions(draft, names, id)
        else:
            check_conditions(draft.state, len(names))
            value = plain(value, f"condition {id}: value", VALUE)
            if isinstance(value, str) and not value.strip():
                raise InvalidInput(f"condition {id}: value is {value!r}; leave it out, or say what it is")
            for each in names:
                anchor, rounds = anchor_of(draft.state, each, self.ruleset.span(until))
                given = Given(each, id, value, dict(numbers) or None, anchor, rounds=rounds)
                check_by_hand(self.ruleset, draft.state, given)
                check_said(self.ruleset, draft.state, given)
                _check_conditions_of(draft, each, id)
                self.ruleset.set_condition(draft, given)
        if self.ruleset.keeps(self._state, id):  # players read what undo takes back
            return self._accept(draft, "Condition")
        return self._accept(draft, id.replace("_", " ").capitalize(), names)

    def _left(self, names: Sequence[str], given: Iterable[object], *, off: bool, note: str) -> tuple[Event, ...]:
        """Let somebody leave or come back, as `leave` and `join` do."""
        if not off:
            if any(each is not None for each in given):
                raise InvalidInput("condition left takes nothing else: they are away until they come back, with join")
            return self._leave(names, note)
        for name in names:
            if self._fighter(name).effect("left") is None:
                raise InvalidInput(f"{name} has not left")
        return self._join([Arrival(name) for name in names], None, note=note)

    def _end_conditions(self, draft: Draft, names: Sequence[str], id: str) -> None:
        for name in names:
            if draft.state.fighters[name].effect(id) is None:
                lacks = self.ruleset.languages[draft.state.language].render(self.ruleset.said_of("lacks", id))
                raise InvalidInput(f"{name} {lacks}")
            self.ruleset.set_condition(draft, Given(name, id, off=True))
            if id == "delayed":
                call_next(draft, name)

    @changing
    def place(
        self,
        name: str | Mapping[str, object],
        *,
        at: object = None,
        off: bool = False,
        before: str | None = None,
        after: str | None = None,
        count: int | str | None = None,
        note: str = "",
    ) -> tuple[Event, ...]:
        """Move combatants on the map, or one of them on the ladder, by the GM's word.

        If a turn is under way and nothing has been done in it, it moves with its place, and whoever now comes first
        begins. Several are placed all together or, if one of them can't be, none.

        Parameters
        ----------
        name : str or mapping of str to object
            Who; or everybody with the place where they stand now, None for whoever is taken off the map.
        at : object, optional
            Where they stand now.
        off : bool
            Whether they are taken off the map.
        before, after : str, optional
            Who they act just before or after from now on.
        count : int or str, optional
            The score they act on from now on; in rounds of ten segments ``"HIGH"`` or ``"LOW"`` as well.
        note : str
            Why.

        Returns
        -------
        tuple of Event
            All that happened; one step of undo.

        Raises
        ------
        UnknownName
            For a name nobody has, or a zone that is not on the map.
        InvalidInput
            For what is no place; it says whose.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("phases", seed=7)
        >>> _ = enc.add("Mara", side="crew"), enc.add("Boss", side="gang", at=(4, 0))
        >>> for event in enc.place({"Mara": (0, 0), "Boss": None}):
        ...     print(event.subject, event.text)
        Mara stands at (0, 0)
        Boss is off the map
        >>> enc["Mara"].position, enc["Boss"].position
        ((0, 0), None)
        """
        spots = self._spots(name, at, off=check_bool(off, "place: off"))
        given = [k for k, v in (("before", before), ("after", after), ("count", count)) if v is not None]
        several = isinstance(name, Mapping)
        if not (spots or given) or len(given) > (0 if several else 1):
            right = (
                "a mapping of names to places alone" if several else "at= or off=, and one of before=, after= or count="
            )
            raise InvalidInput(f"place takes {right}")
        draft = self._draft(by="gm", note=note, passes=True)
        for who, spot in spots.items():
            with within(who) if several else nullcontext():
                set_down(draft, who, spot)
        if given:
            who = self._fighter(str(name)).name
            self._replace(draft, who, before, after, count)
            self.ruleset.follows(draft, Placed(who))
            flow.give_up_moved(draft, who)
        if len(spots) > 1:
            return self._accept(draft, "Place", tuple(spots))
        name = next(iter(spots), name)
        return self._accept(draft, f"Place {name}")

    def _spots(self, name: str | Mapping[str, object], at: object, *, off: bool) -> dict[str, object]:
        """Return who is placed where: None for whoever is taken off the map."""
        if at is not None and off:
            raise InvalidInput("place takes at= or off=, not both")
        if not isinstance(name, Mapping):
            who = self._fighter(name).name
            return {who: at} if at is not None or off else {}
        if at is not None or off:
            raise InvalidInput("a mapping says where everybody stands: give no at= or off= with it")
        return {self._fighter(who).name: spot for who, spot in name.items()}

    def _replace(self, draft: Draft, name: str, before: str | None, after: str | None, count: int | str | None) -> None:
        place = draft.state.place_of(name)
        if place is None:
            if draft.state.fighters[name].effect("left") is not None:
                raise InvalidInput(f"{name} has left the fight; bring them back first")
            raise InvalidInput(f"{name} has no place on the ladder yet; start the fight first")
        place = settled(place)
        if count is not None:
            count = check_count(self.ruleset, count)
            moved = self.ruleset.placed(draft.state, draft.state.fighters[name], place, count)
            said = say("order.placed_in", half=count) if isinstance(count, str) else say("order.placed_at", score=count)
            draft.order(moved, said, by="gm")
            return
        other_name = before if before is not None else after
        assert other_name is not None
        other_name = only_one(draft.state, *as_names([other_name]))
        other = draft.state.place_of(other_name)
        if other is None:
            raise InvalidInput(f"{other_name} has no place on the ladder; name somebody who is on it")
        if other.id == place.id:
            raise InvalidInput(f"{name} can't go before or after themselves; name somebody else")
        word = "before" if before is not None else "after"
        moved = beside(place, other, word)
        moved = replace(moved, why=f"placed just {word} {other_name}", facts={**moved.facts, "placed": True})
        draft.order(moved, say(f"order.placed_{word}", other=other_name), by="gm", at=(word, other.id))

    # ── the picture below the map ──

    @changing
    def map_look(
        self,
        picture: str | os.PathLike[str] | bytes | UnsetType | None = UNSET,
        *,
        name: str = "",
        square: float | None = None,
        at: tuple[float, float] | None = None,
        shown: bool | None = None,
        zones: Mapping[str, tuple[int, int]] | UnsetType | None = UNSET,
    ) -> Look | None:
        """Lay a picture below the map, lay it otherwise, or take it off; or say where zones are drawn.

        What is left out stays as it is.

        It is kept with the fight, and no part of its digest: in memory, or in a file of its own beside the journal.
        Another picture lies there for as long as the call stands that was the last when it was laid, so undo, redo,
        branches and past moments show the one of then; the first lies there from the beginning.

        Parameters
        ----------
        picture : str, Path or bytes, optional
            A PNG, JPEG or WebP of at most 10 MB and 8,192 px a side, as a file or what one holds; None for none.
        name : str
            What a picture is called that is given as what a file holds.
        square : float, optional
            How many px of it a square has, or a hex from side to side; at first, 24 of them are as long as it is.
        at : pair of float, optional
            Which px of it, from its upper left corner, lies below the middle of the place (0, 0); at first, that corner
            is the place's own.
        shown : bool, optional
            Whether players see it; at first they do.
        zones : dict of str to tuple of int, optional
            The column and the row in which zones are drawn, each from 0 to 11, in place of what was said of zones
            before; those that are left out find room beside what they touch. With None all do, as at first.

        Returns
        -------
        Look or None
            How it lies from now on, with its `name` and `size`; without arguments, how it lies.

        Raises
        ------
        InvalidInput
            For what is no such picture or too large, a place it can't have, a picture below zones, a zone that isn't
            there, or two in one place.
        JournalError
            If it can't be kept beside the journal.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> print(enc.map_look())
        None
        >>> pier = ck.Encounter("d6", map=[("quay", "deck")], seed=7)
        >>> pier.map_look(zones={"quay": (0, 1), "deck": (0, 0)})
        """
        look, line = self._look(), self._line
        drawn = {} if zones is UNSET or zones is None else check_drawn(zones, self.board)
        if picture is UNSET and square is None and at is None and shown is None:
            if zones is not UNSET:
                line.settle(zones=drawn)
                self._call_watchers(())
            return look
        if not self.board.cell:
            raise InvalidInput("A picture lies below squares or hexes; this fight has zones, which have no size.")
        if picture is None and look is None:
            return None
        if picture is None:
            look = None
        elif picture is UNSET and look is None:
            raise InvalidInput("No picture lies below the map: give one, as a file or its content.")
        elif picture is UNSET and look is not None:
            look = otherwise(look, square, at, shown)
        else:
            new, content, small = take_picture(picture, name)
            look = otherwise(new, square, at, look.shown if shown is None and look is not None else shown, is_new=True)
            keep(line, look, content)
            self._small[look.sha] = small
        lay(line, look)
        self._call_watchers(())
        return look

    @property
    def _drawn(self) -> Mapping[str, tuple[int, int]]:
        """In which column and row zones are drawn of which somebody has said so."""
        given = self._line.settings.get("zones", {})
        return {name: (column, row) for name, (column, row) in given.items() if name in self.board.zones}

    def _look(self, seq: int | None = None) -> Look | None:
        """Return the picture below the map, and how it lies: at present, or as it was after an event."""
        return look_at(self._line, seq)

    def _picture(self, look: Look) -> bytes:
        """Return what is sent of a picture; `InvalidInput` if its file is gone, another, or can't be read here."""
        if look.sha not in self._small:
            self._small[look.sha] = sent(self._line, look)
        return self._small[look.sha]

    # ── back and forth ──

    @changing
    def undo(self, to: int | None = None) -> tuple[Event, ...]:
        """Undo the last accepted call and everything it caused, or every call after event `to`.

        Parameters
        ----------
        to : int, optional
            The event to go back to.

        Returns
        -------
        tuple of Event
            The event that logs it; nothing is deleted.

        Raises
        ------
        InvalidInput
            If there is nothing to undo, or `to` is not in the present's past.
        """
        if to is not None:
            to = self._seq(to)
        line, path = self._line, list[Call]()
        for call in line.done:  # the first made the fight, and stays
            if not call.parent or (call.first <= to if to is not None else path):
                break
            path.append(call)
        if to is not None and not call.first <= to <= call.last:
            raise InvalidInput(f"event {to!r} isn't in the present's past; undo to an event that still stands")
        if not path:
            raise InvalidInput("there is nothing to undo")
        return self._go("undo", path, call)

    @changing
    def redo(self, to: int | None = None) -> tuple[Event, ...]:
        """Redo the last undone call, or every one up to event `to`.

        Parameters
        ----------
        to : int, optional
            The event to go forward to.

        Returns
        -------
        tuple of Event
            The event that logs it.

        Raises
        ------
        InvalidInput
            If there is nothing to redo.
        """
        if to is not None:
            to = self._seq(to)
        line, path = self._line, list[Call]()
        for call in reversed(line.now.undone()):
            if (path and to is None) or (to is not None and call.first > to):
                break
            path.append(call)
        if not path or (to is not None and to > path[-1].last):
            raise InvalidInput("there is nothing to redo" if to is None else f"event {to!r} was not undone from here")
        return self._go("redo", path, path[-1])

    def _go(self, kind: str, path: list[Call], to: Call) -> tuple[Event, ...]:
        """Move the present over some calls, and tell it."""
        line = self._timeline
        text = self.ruleset.languages[line.now.state.language].render(say(f"moved.{kind}", calls=Title(_titles(path))))
        data = {"calls": [[call.first, call.last] for call in path], "to": to.last}
        event = Event(line.next_seq, line.now.state.round, kind, text=text, by="gm", data=data)
        line.go(to, event)
        self._tell()
        return (event,)

    @property
    def can_undo(self) -> str:
        """The title of the call that `undo` would take back, or an empty string."""
        present = self._line.present
        return present.title if present is not None and present.parent else ""

    @property
    def can_redo(self) -> str:
        """The title of the call that `redo` would bring back, or an empty string."""
        undone = self._line.now.undone()
        return undone[-1].title if undone else ""

    def at(self, seq: int | None = None) -> View:
        """Return a read-only view of the moment when event `seq` had been logged, which a widget can show, too.

        Parameters
        ----------
        seq : int, optional
            The event's number; without one it is the newest, so that what is now stays to be looked at.

        Returns
        -------
        View
            Everything you can ask of the present, asked of the past.

        Raises
        ------
        InvalidInput
            If there is no such event.
        """
        if seq is None:
            seq = self._timeline.next_seq - 1
        seq = self._seq(seq)
        now = self._timeline.now
        view = View(self.id, self.ruleset, partial(now.at, seq), now.log.upto(seq))
        view._fight = self
        return view

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

    def _copied(self, length: int) -> Self:
        """Return the fight as it was after so many events, the last of a call, in memory only: same id, same digest."""
        return self._of(self.id, self.ruleset, self._timeline.cut(length), self._parent)

    @property
    def branches(self) -> tuple[Self, ...]:
        """The encounters that were branched from this one, oldest first; of a journalled fight, those in its file."""
        if self._timeline.journal is not None:
            from combatkit.journal.opening import branches

            self._branches = branches(self)
        return tuple(self._branches)

    # ── keeping it ──

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
            If it cannot be written, exists and is not a saved copy, or is called as a page is, which `to_html` writes.
        """
        from combatkit.journal.opening import save_encounter

        save_encounter(self, path)

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

    # ── showing it ──

    @property
    def history(self) -> History:
        """The fight as polars frames: events, rolls, turns, rounds, budgets."""
        if self._history is None:
            from combatkit.history import History

            self._history = History(self)
        return self._history

    def log(self, *, undone: bool = False, rules: bool = True, view: str = "gm") -> Document:
        """Return the log as a document: rounds in prose, with dice, notes, and the rules cited at the end.

        Parameters
        ----------
        undone : bool
            Whether to include what was undone, struck through.
        rules : bool
            Whether to mark rules and give their text.
        view : str
            ``"gm"``, or ``"players"`` for one that leaves out NPC vitals and the GM's notes.

        Returns
        -------
        Document
            The log as it stands: `str` gives Markdown, a notebook shows it as HTML, ``write(path)`` writes either.

        Raises
        ------
        InvalidInput
            If `view` is another word.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.start(rolls=[17]), enc.do("Mara", "move", note="up the ladder")
        >>> print(enc.log(rules=False))
        # docks
        <BLANKLINE>
        Star Wars Saga Edition, seed 7.
        <BLANKLINE>
        - ● **rebels**: Mara
        <BLANKLINE>
        Dice in double brackets were rolled at the table.
        <BLANKLINE>
        ## Before the fight
        <BLANKLINE>
        The fight begins. Mara rolls 17 for initiative: 1d20 ⟦17⟧.
        <BLANKLINE>
        ## Round 1 · 0:00
        <BLANKLINE>
        ● **Mara** moves, *“up the ladder”*.
        <BLANKLINE>
        """
        from combatkit.report import Document

        return Document(self._whole(), undone=undone, rules=rules, view=view, title=self.title)

    def summary(self) -> Summary:
        """Return the fight at a glance: a table with one row per round.

        It tells who acted, how many attacks were decided and hit, what each side dealt, who fell, and how much of the
        budgets was used.

        Returns
        -------
        Summary
            A `great_tables.GT`, to be styled and saved like any other; a notebook keeps it with a style of a few lines.

        Raises
        ------
        MissingExtra
            Without great_tables, which comes with the extra ``report``.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.start()
        >>> enc.summary()
        <Summary of docks: Round 1>
        """
        from combatkit.frames import PLAIN

        if PLAIN:
            from combatkit.history.overview import overview

            return overview(self)  # type: ignore[return-value]
        from combatkit.history.summary import summary

        return summary(self)

    def roster(self, path: str | Path | None = None) -> pl.DataFrame:
        """Return everybody as they were added, as a roster that `add_roster` turns into the same combatants.

        Parameters
        ----------
        path : str or Path, optional
            A file to write it to as well, replacing any that exists; it ends in ``.csv``, ``.json``, ``.toml`` or
            ``.parquet``. Columns that say nothing are left out there.

        Returns
        -------
        polars.DataFrame
            A row for each combatant in the order they were added; lists and mappings are text, as they are in CSV.
            Where somebody came with less than all of a vital, there is a column for its maximum besides (``hp_max``).

        Raises
        ------
        InvalidInput
            For a file with another ending, or a place that cannot be written to.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = enc.add("Mara", side="rebels", dex=4, feats=["Quick Draw"], hp=38)
        >>> again = ck.Encounter("saga", id="docks", seed=7)
        >>> _ = again.add_roster(enc.roster())
        >>> again["Mara"] == enc["Mara"]
        True
        """
        from combatkit.files.rosters import roster_frame, write_roster

        now = self._whole()
        added = {name: event._data for name, event in as_added(now._events).items()}
        rows = [
            {
                "name": fighter.name,
                "side": fighter.side,
                "npc": fighter.npc,
                "group": fighter.group,
                "at": added[fighter.name]["position"],
                "conditions": tuple(added[fighter.name].get("conditions", ())),
                **with_mosts(self.ruleset, fighter.stats, added[fighter.name]["vitals"]),
            }
            for fighter in now._state.fighters.values()
        ]
        if path is not None:
            write_roster(self.ruleset, rows, path)
        return roster_frame(self.ruleset, rows)

    @guarded(HOLDING)
    def to_html(self, path: str | os.PathLike[str], *, view: str = "gm", title: str | None = None) -> Path:
        """Write the fight as one file in which a reader steps through all of it, without a kernel or a network.

        Parameters
        ----------
        path : str or path
            The file; one that exists is replaced.
        view : str
            ``"gm"``, or ``"players"``: then nothing in the file tells what players may not know.
        title : str, optional
            The page's title; the fight's own, or its id, if none is given.

        Returns
        -------
        Path
            The file.

        Raises
        ------
        InvalidInput
            If `view` is another word, or `title` no text.
        """
        from combatkit.widgets.page import write_page

        return write_page(self, path, view, title)

    def _repr_mimebundle_(self, **kwargs: object) -> Any:
        from combatkit.widgets import tracker_of

        return tracker_of(self)._repr_mimebundle_(**kwargs)

    def share(
        self,
        host: str | None = None,
        port: int = 0,
        *,
        url: str | None = None,
        origins: Iterable[str] | None = None,
        dice: str | None = None,
        ask: bool | None = None,
    ) -> Room:
        """Serve the fight to everybody at the table, each on a screen of their own; needs the extra ``share``.

        Parameters
        ----------
        host, port : str, int
            Where to listen: only this machine hears, unless an address is named; port 0 is any that is free.
        url, origins : str, iterable of str
            What a proxy makes of it.
        dice, ask : str, bool
            Who throws for a seat, "seats" (the default) or "gm"; whether the GM confirms each call.

        Returns
        -------
        Room
            ``room.seat(name, plays=...)`` gives somebody a link. Of a fight that is shared from here it is that room:
            what is said anew holds from then on, except another place to listen; what is left out stays as it was.
        """
        from combatkit.share import share

        return share(self, host, port, url=url, origins=origins, dice=dice, ask=ask)

    # ── watching it ──

    @guarded(HOLDING)
    def watch(self, callback: Callable[[tuple[Event, ...]], None]) -> None:
        """Call a bound method with the new events after every accepted call; it is held weakly.

        It runs before the call returns, and sees what the call has led to. It cannot make a call of the same fight. A
        picture that `map_look` lays, or takes off, is no event: there are none to tell then. If a call was interrupted
        before everybody watching was told, the next one tells what it did as well.

        Parameters
        ----------
        callback : bound method
            Takes a tuple of `Event`.
        """
        self._watchers = (*(held for held in self._watchers if held() is not None), WeakMethod(callback))

    @guarded(HOLDING)
    def unwatch(self, callback: Callable[[tuple[Event, ...]], None]) -> None:
        """Stop calling a bound method.

        Parameters
        ----------
        callback : bound method
            As it was given to `watch`.
        """
        self._watchers = tuple(held for held in self._watchers if held() not in (None, callback))

    @guarded(HOLDING)
    def timer(self, on: bool = True) -> None:
        """Start or stop measuring how long turns take in real time.

        ``history.turns`` has it as ``real_seconds``. It is not part of the fight: neither its log, its digest nor its
        journal knows about it, and a fight that is opened again has measured nothing.

        Parameters
        ----------
        on : bool
            Whether it is measured from now on.

        Examples
        --------
        >>> import combatkit as ck
        >>> enc = ck.Encounter("saga", seed=7)
        >>> _ = enc.add("Mara", side="rebels"), enc.start()
        >>> enc.end_turn() and enc.history.turns["real_seconds"].null_count()
        2
        >>> enc.timer()
        >>> enc.end_turn() and enc.history.turns["real_seconds"].null_count()
        2
        """
        if check_bool(on, "timer: on") and not self._stopwatch.runs:
            self.watch(self._stopwatch.lap)
            self._stopwatch.start()
        elif not on:
            self._stopwatch.stop()
            self.unwatch(self._stopwatch.lap)


def check_note(note: object, most: int = NOTE, what: str = "note") -> str:
    """Check a person's words: text of a sensible length."""
    if note == "":
        return ""
    if not is_text(note, most):
        raise InvalidInput(f"{what} is {short(note)}; give text of at most {most:,} characters")
    return str(note)


def check_ties(state: State, ties: Sequence[str] | None) -> tuple[str, ...]:
    """Check an order that the table has settled: everybody in it once."""
    names = as_names(ties or ())
    refuse_twice(names, "ties")
    return check_known(state, names)


def next_number(fighters: Mapping[str, Fighter], name: str) -> int:
    """Return the number that the next one of a name bears: numbers go on from those there are."""
    tails = [each[len(name) + 1 :] for each in fighters if each.startswith(f"{name} ")]
    return max([int(tail) for tail in tails if tail.isdecimal()], default=int(name in fighters)) + 1


def _numbered(fighters: Mapping[str, Fighter], name: str, count: int, again: bool) -> tuple[str, ...]:
    """Return what so many of a name are called: numbers go on from those there are, and none is given again."""
    first, there = next_number(fighters, name), name in fighters
    if count == 1 and first == 1 + there and not (there and again and not name.rpartition(" ")[2].isdecimal()):
        return (name,)
    return tuple(f"{name} {number}" for number in range(first, first + count))


def _check_guise(draft: Draft, words: Sequence[str | None], stats: dict[str, Any]) -> None:
    """Check as whom somebody with such names is shown to players, and keep it as names are kept."""
    called = stats.get(SHOWN_AS)
    if called:
        stats[SHOWN_AS] = called = bare(called)
    check_guise(draft.state.fighters, words, called)


def _said_of(by: tuple[str, ...], what: Said, words: str) -> Said:
    """Return what happened with whoever did it in front, unless its words begin with them: "Guard runs past"."""
    return say("trigger.by", who=by, what=what) if by and not words.startswith(by[0]) else what


def _settled(state: State, window: Window, answer: object) -> object:
    """Check the GM's answer against the question's choices, and return it in plain form."""
    several = list(answer) if window.many and isinstance(answer, (list, tuple)) else None
    choices = windows.choices_left(state, window)
    if any(each not in choices for each in ([answer] if several is None else several)):
        raise InvalidInput(f"the answer is {answer!r}; {_asked(state, window)}")
    words = own_words(window)
    if several is not None and len(several) > 1 and (whole := next((e for e in several if e in words), None)):
        raise InvalidInput(f"the answer is {answer!r}; give {whole!r} alone, or only names")
    return answer if several is None else several


def _passing(window: Window) -> tuple[str, tuple[str, ...]]:
    """Return what closing a window is called, and by whom it is let go: an answer of the GM's is nobody's."""
    who = tuple(dict.fromkeys([bid.who for bid in window.bids if not bid.answered]))
    return ("The GM's answer", ()) if window.question else ("Let it go", who)


def _asked(state: State, window: Window) -> str:
    """Say what the GM is asked, and what may be answered."""
    right = ", ".join(repr(c) for c in windows.choices_left(state, window)) + (
        " or a list of them" if window.many else ""
    )
    return f"the question ({window.about}) takes {right}"


def _check_conditions_of(draft: Draft, name: str, id: str) -> None:
    """Refuse one more condition for somebody who has as many as they may."""
    held = draft.state.fighters[name].effects
    if len(held) >= CONDITIONS and all(effect.id != id for effect in held):
        raise InvalidInput(
            f"{name} has {len(held)} conditions, and nobody can have more than {CONDITIONS}; end some first"
        )


def _titles(path: list[Call]) -> str:
    """Name the first calls of a path."""
    titles = [call.title for call in path]
    return ", ".join(titles[:3]) + (" ..." if len(titles) > 3 else "")


class Chance:
    """Numbers for a tactic, apart from the fight's own dice: the same in the same fight at the same event.

    Parameters
    ----------
    view : View
        The fight.
    name : str
        Who draws.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.scene("catwalk").encounter("saga", seed=7)
    >>> draw = Chance(enc, "Vex")
    >>> [draw.below(100) for _ in range(3)]
    [49, 96, 21]
    """

    def __init__(self, view: View, name: str) -> None:
        state = view._state
        self._seed = state.seed ^ _APART
        self._number = (len(view._events) * 4099 + state.fighters[name].number) * 257

    def below(self, count: int) -> int:
        """Draw a number from 0 up, below `count`."""
        self._number += 1
        return face(self._seed, self._number, count) - 1


_APART = 0x5EED
"""Turns the fight's seed into another, so that what a tactic draws has nothing to do with the fight's dice."""
