"""What happened."""

from __future__ import annotations

from combatkit.fight.view import View
from combatkit.report.shapes import LogView
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._static import go_on, heading, log_list
from combatkit.widgets._tongue import language_at
from combatkit.widgets._travel_view import travel_view
from combatkit.widgets._vantage import Vantage

_SHOWN = 20
"""How many lines the static picture has."""


def log_view(vantage: Vantage) -> LogView:
    """Return the view of the log, its cursor at the moment that is looked at."""
    return {**vantage.log_lines.view(vantage.cursor, vantage.past is not None), **travel_view(vantage)}


class CombatLog(EncounterWidget):
    """The log, newest last, each line with its rules; click a line to travel there, or use the scrubber.

    Parameters
    ----------
    encounter : Encounter or View
        The fight; a moment of it, such as ``enc.at(12)``, is shown as it was.
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

    def __init__(self, encounter: View, *, view: str = "gm") -> None:
        super().__init__(Vantage(encounter, view), log_view)

    def _static(self) -> str:
        lines = log_list(self.view["lines"], self.view["last"], _SHOWN, language_at(self._vantage))
        return heading(self._vantage) + lines + go_on(self._vantage)
