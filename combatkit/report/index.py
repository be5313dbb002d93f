"""Where in the past you can go: what holds, and where the rounds begin."""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from combatkit.core.model import Event
from combatkit.core.timeline import MOVES, Line


class LogIndex(Line):
    """The log as ways to go; read on as events come, so that asking it costs the same however long the log is.

    Attributes
    ----------
    rounds : list of int
        The events by which rounds have opened: the rules' last before somebody could choose.
    """

    def __init__(self) -> None:
        super().__init__()
        self.rounds: list[int] = []
        self._opening = False

    def take(self, event: Event) -> None:
        """Take in the next event."""
        super().take(event)
        if event.kind in MOVES:
            return
        if event.kind == "round":
            self.rounds.append(event.seq)
        self._opening = event.kind == "round" or (self._opening and event.by == "rules")
        if self._opening:
            self.rounds[-1] = event.seq

    def round_from(self, seq: int, by: int) -> int:
        """Return the event a number of rounds on from another, or back; the ends of the log are the last to come to."""
        index = bisect_right(self.rounds, seq) - 1 + by if by > 0 else bisect_left(self.rounds, seq) + by
        if index < 0:
            return 1
        return self.rounds[index] if index < len(self.rounds) else self.count
