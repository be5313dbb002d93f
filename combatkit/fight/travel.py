"""Back and forth: undo, redo, and looks at the past."""

from __future__ import annotations

from functools import partial

from combatkit.core.model import Event
from combatkit.core.past import Call
from combatkit.errors import InvalidInput
from combatkit.fight.session import Session, changing
from combatkit.fight.view import View
from combatkit.text import Title, say


class Travel(Session):
    """The part of an encounter that goes back and forth; nothing is ever deleted."""

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


def _titles(path: list[Call]) -> str:
    """Name the first calls of a path."""
    titles = [call.title for call in path]
    return ", ".join(titles[:3]) + (" ..." if len(titles) > 3 else "")
