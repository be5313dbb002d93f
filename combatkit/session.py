"""The one way in: every call that changes a fight is a draft that is accepted whole, or dropped whole."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any
from weakref import WeakMethod

from combatkit.engine.draft import Draft, Faces
from combatkit.engine.model import Event, Ruling, State
from combatkit.engine.plain import is_text, short
from combatkit.engine.ruleset import Ruleset
from combatkit.engine.rulings import window_first
from combatkit.engine.timeline import Timeline
from combatkit.errors import IllegalAction, InvalidInput
from combatkit.view import View


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

    def __init__(self, id: str, rules: Ruleset, timeline: Timeline) -> None:
        super().__init__(id, rules, lambda: timeline.state, timeline.events)
        self._timeline = timeline
        self._untold: tuple[Event, ...] = ()
        self._watchers: list[WeakMethod[Callable[[tuple[Event, ...]], None]]] = []

    def _follow(self) -> None:
        """Take in what another process has added to the journal; whoever watches is told by `refresh`."""
        self._untold += self._timeline.follow()

    @property
    def _line(self) -> Timeline:
        if self._timeline.follows:
            self._follow()
        return self._timeline

    @property
    def _state(self) -> State:
        line = self._timeline
        return self._line.state if line.follows else line.state

    @property
    def _events(self) -> Sequence[Event]:
        line = self._timeline
        return self._line.events if line.follows else line.events

    @property
    def seed(self) -> int:
        """Where seeded dice come from."""
        return self._state.seed

    def _draft(self, rolls: Any = None, *, by: str = "player", note: str = "", setup: bool = False) -> Draft:
        draft = Draft(self.ruleset, self._state, self._timeline.next_seq, by=by, note=check_note(note))
        if rolls is not None:
            draft.faces = Faces(rolls)
            if not setup or draft.state.stage == "setup":
                draft.faces.check_keys(roll_keys(self._state))
        return draft

    def _accept(self, draft: Draft, title: str) -> tuple[Event, ...]:
        draft.faces.check_spent()
        events = tuple(draft.events)
        self._timeline.append(events, draft.state, title)
        if self._watchers:
            self._tell(events)
        return events

    def _tell(self, events: tuple[Event, ...]) -> None:
        for reference in list(self._watchers):
            callback = reference()
            if callback is None:
                self._watchers.remove(reference)
            else:
                callback(events)

    def watch(self, callback: Callable[[tuple[Event, ...]], None]) -> None:
        """Call a bound method with the new events after every accepted call; it is held weakly.

        Parameters
        ----------
        callback : bound method
            Takes a tuple of `Event`.
        """
        self._watchers.append(WeakMethod(callback))

    def unwatch(self, callback: Callable[[tuple[Event, ...]], None]) -> None:
        """Call a bound method no longer.

        Parameters
        ----------
        callback : bound method
            As it was given to `watch`.
        """
        self._watchers = [held for held in self._watchers if held() not in (None, callback)]

    def _running(self, what: str) -> None:
        stage = self._state.stage
        if stage != "running":
            reason = "the fight is over" if stage == "over" else "the fight has not begun: start it first"
            raise IllegalAction(Ruling(False, f"{what}: {reason}."))
        if self._state.step < 0:
            reason = "the fight is only half begun at this event: branch from a later one, or undo"
            raise IllegalAction(Ruling(False, f"{what}: {reason}."))

    def _no_window(self, draft: Draft) -> None:
        window = draft.state.window
        if window is not None:
            raise IllegalAction(window_first(self.ruleset, window))

    def _check_seq(self, seq: Any) -> None:
        if type(seq) is not int or not 1 <= seq <= len(self._events):
            raise InvalidInput(f"there is no event {seq!r}; the log has 1 to {len(self._events)}")


PURPOSES = ("initiative", "tie", "attack", "damage", "push", "regain", "destiny", "surprise", "skill", "morale", "save")
"""What dice can be thrown for."""


def roll_keys(state: State) -> set[str]:
    """Give every name that faces can be given by: purposes, combatants, sides, groups."""
    keys = set(PURPOSES)
    for fighter in state.fighters.values():
        keys.add(fighter.name)
        keys.add(fighter.side)
        if fighter.group:
            keys.add(fighter.group)
    return keys


def check_note(note: Any) -> str:
    """Check a person's words: text of a sensible length."""
    if note == "":
        return ""
    if not is_text(note, 10_000):
        raise InvalidInput(f"note is {short(note)}; give text of at most 10,000 characters")
    return str(note)
