"""Real time, measured for the table: how long turns take. It isn't part of a fight, its digest or its dice."""

from __future__ import annotations

from collections.abc import Callable
from time import monotonic, time

from combatkit.core.model import Event


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
