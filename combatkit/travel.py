"""Back and forth: undo, redo, and looks at the past."""

from __future__ import annotations

from typing import Any

from combatkit.engine.model import Event
from combatkit.engine.past import Call
from combatkit.errors import InvalidInput
from combatkit.session import Session, changing
from combatkit.view import View


class Travel(Session):
    """The part of an encounter that goes back and forth; nothing is ever deleted."""

    @changing
    def undo(self, to: int | None = None) -> tuple[Event, ...]:
        """Take back the last accepted call with all it caused, or every call after event `to`.

        A call that changed nothing has no title and is no step of its own: it goes with the one before it.

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
            If there is nothing to take back, or `to` is not in the present's past.
        """
        line = self._line
        path: list[Call] = []
        call = line.present
        if to is not None:
            self._check_seq(to)
        while call is not None and call.parent:
            if to is not None and call.first <= to:
                break
            path.append(call)
            call = line.now.before(call)
            if to is None and path[-1].title:
                break
        if to is not None and (call is None or not call.first <= to <= call.last):
            raise InvalidInput(f"event {to!r} is not in the present's past: undo to one that is, and not undone")
        if not path or (to is None and not path[-1].title):
            raise InvalidInput("there is nothing to undo")
        data = {"calls": [[c.first, c.last] for c in path], "to": call.last if call else 0}
        event = self._moved("undo", f"takes back: {_titles(path)}", data)
        line.go_back(path, event)
        self._tell()
        return (event,)

    @changing
    def redo(self, to: int | None = None) -> tuple[Event, ...]:
        """Take up again the last call taken back, or every one up to event `to`.

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
            If there is nothing to take up again.
        """
        if to is not None:
            self._check_seq(to)
        line = self._line
        path: list[Call] = []
        for call in reversed(line.undone):
            if (path and to is None and call.title) or (to is not None and call.first > to):
                break
            path.append(call)
        if not path or (to is not None and not path[-1].first <= to <= path[-1].last):
            raise InvalidInput("there is nothing to redo" if to is None else f"event {to!r} was not undone from here")
        data = {"calls": [[c.first, c.last] for c in path], "to": path[-1].last}
        event = self._moved("redo", f"takes up again: {_titles(path)}", data)
        line.go_forth(path, event)
        self._tell()
        return (event,)

    def _moved(self, kind: str, text: str, data: dict[str, Any]) -> Event:
        return Event(self._timeline.next_seq, self._timeline.state.round, kind, text=text, by="gm", data=data)

    @property
    def can_undo(self) -> str:
        """The title of the call that `undo` would take back, or an empty string."""
        line = self._line
        call = line.present
        while call is not None and call.parent and not call.title:
            call = line.now.before(call)
        return call.title if call is not None and call.parent else ""

    @property
    def can_redo(self) -> str:
        """The title of the call that `redo` would take up again, or an empty string."""
        undone = self._line.undone
        return undone[-1].title if undone else ""

    def at(self, seq: int) -> View:
        """Give a read-only view of the moment when event `seq` had been logged.

        Parameters
        ----------
        seq : int
            The event's number.

        Returns
        -------
        View
            Everything that can be asked of the present, asked of the past.

        Raises
        ------
        InvalidInput
            If there is no such event.
        """
        self._check_seq(seq)
        now = self._timeline.now
        return View(self.id, self.ruleset, now.look(seq), now.log.upto(seq))


def _titles(path: list[Call]) -> str:
    """Name the first calls of a path."""
    titles = [call.title for call in path if call.title]
    return ", ".join(titles[:3]) + (" ..." if len(titles) > 3 else "")
