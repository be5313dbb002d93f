"""What happened."""

from __future__ import annotations

from combatkit.fight.encounter import Encounter
from combatkit.report.shapes import LogView
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._seat import Seat
from combatkit.widgets._static import GO_ON, heading, log_list
from combatkit.widgets._travel_view import travel_view

_SHOWN = 20
"""So many lines stand in the static picture."""


def log_view(seat: Seat) -> LogView:
    """Return the view of the log; its cursor is at the moment that is looked at."""
    return {**seat.log_lines.view(seat.cursor, seat.past is not None), **travel_view(seat)}


class CombatLog(EncounterWidget):
    """The log, newest last, each line with its rules; click one to travel there, or use its scrubber.

    Parameters
    ----------
    encounter : Encounter
        The fight.
    view : str
        ``"gm"``, or ``"players"`` for one that hides NPC vitals and the GM's notes.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6), enc.start(rolls=[17]), enc.do("Mara", "climb")
    >>> list(ck.CombatLog(enc).view["lines"].values())[-1]["text"]
    ['climbs.']
    """

    _esm = bundle("log.js")
    _css = bundle("log.css")

    def __init__(self, encounter: Encounter, *, view: str = "gm") -> None:
        super().__init__(Seat(encounter, view), log_view)

    @classmethod
    def _in(cls, seat: Seat) -> CombatLog:
        """Make one that shares a tracker's seat."""
        part = cls.__new__(cls)
        EncounterWidget.__init__(part, seat, log_view, within=True)
        return part

    def _static(self) -> str:
        return heading(self._seat) + log_list(self.view["lines"], self.view["last"], _SHOWN) + GO_ON
