"""The one way in: every call that changes a fight is a draft, accepted or dropped as a whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import wraps
from time import time
from typing import NoReturn, TypeVar, cast
from weakref import WeakMethod

from combatkit.core.faces import NO_FACES, Faces
from combatkit.core.limits import NOTE
from combatkit.core.model import Event, State
from combatkit.core.past import Log, Moment
from combatkit.core.plain import check_bool, is_text, own, short
from combatkit.core.timeline import Timeline
from combatkit.errors import IllegalAction, InterruptedCall, InvalidInput, warn
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.stopwatch import Stopwatch
from combatkit.fight.view import View
from combatkit.rules.draft import Draft
from combatkit.rules.perform import let_pass, proceed
from combatkit.rules.ruleset import Ruleset
from combatkit.rules.timing import refusal, window_first

F = TypeVar("F", bound=Callable[..., object])

AS_WRITTEN = frozenset({"note", "portrait"})
"""What is shown as it was written and looked up by nobody."""


def changing(call: F) -> F:
    """Let a method change a fight or its journal.

    Every method that does is a call: one at a time, and never from inside another. It holds the lock from reading the
    state to telling whoever watches. See `combatkit.fight.lock`. What it is given is made Python's own: `own`.
    """

    @wraps(call)
    def given(self: Session, *args: object, **params: object) -> object:
        _take_in(self)
        told = {key: value if key in AS_WRITTEN else own(value) for key, value in params.items()}
        try:
            return call(self, *map(own, args), **told)
        except IllegalAction as error:
            error.say(self.ruleset.languages[self._state.language].word(error.ruling.reason))
            raise

    return guarded()(cast("F", given))


class Session(View):
    """A fight that goes on: a view whose state is the present of a timeline.

    Parameters
    ----------
    id : str
        The encounter's id.
    rules : Ruleset
        The system.
    timeline : Timeline
        What has happened so far.
    """

    def __init__(self, id: str, rules: Ruleset, timeline: Timeline, parent: tuple[str, int] | None = None) -> None:
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

    @guarded(waits=False)
    def _follow(self) -> None:
        """Take in what the journal holds and memory doesn't, unless a call is under way."""
        _take_in(self)

    @property
    def _line(self) -> Timeline:
        line = self._timeline
        if line.journal is not None and line.journal.follows:
            self._follow()
        return line

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

    def __copy__(self, memo: object = None) -> NoReturn:
        self.__reduce_ex__(4)

    __deepcopy__ = __copy__

    @property
    def seed(self) -> int:
        """Where seeded dice come from."""
        return self._state.seed

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
            before, now = self._accept(passing, "Carry on"), self._timeline.now
        draft = Draft(self.ruleset, now.state, now.length + 1, faces, by, note)
        draft.before = before
        return draft

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
            events = tuple(now.log[self._told :])
            for reference in self._watchers:
                if (callback := reference()) is not None:
                    callback(events)
            self._watchers = tuple([held for held in self._watchers if held() is not None])
        self._told = now.length

    @guarded(HOLDING)
    def watch(self, callback: Callable[[tuple[Event, ...]], None]) -> None:
        """Call a bound method with the new events after every accepted call; it is held weakly.

        It runs before the call returns, and sees what the call has led to. It cannot make a call of the same fight. If
        a call was interrupted before everybody watching was told, the next one tells what it did as well.

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

    def _running(self, what: str) -> None:
        stage = self._timeline.now.state.stage
        if stage != "running":
            reason = "the fight is over" if stage == "over" else "the fight has not begun; start it first"
            raise refusal(f"{what}: {reason}.")

    def _at_rest(self, what: str, rolls: object = None, by: str = "player") -> Draft:
        """Return the draft of a call that goes on with a fight under way; refuse it while a window is open."""
        self._running(what)
        draft = self._draft(rolls, by=by, passes=True)
        if (window := draft.state.window) is not None:
            raise window_first(self.ruleset, window)
        return draft


def _take_in(session: Session) -> None:
    """Take in what the journal holds and memory does not; whoever watches is told by the next call, or by `refresh`."""
    line = session._timeline
    if line.journal is None or not line.journal.follows:
        return
    known = line.now.length
    if line.journal.follow(line):
        warn(
            InterruptedCall(
                f"{session.id}: a call was interrupted after it had been written to the journal. It counts, and is "
                f"read in now: events {known + 1} to {line.now.length}"
            )
        )


def check_note(note: object, most: int = NOTE, what: str = "note") -> str:
    """Check a person's words: text of a sensible length."""
    if note == "":
        return ""
    if not is_text(note, most):
        raise InvalidInput(f"{what} is {short(note)}; give text of at most {most:,} characters")
    return str(note)
