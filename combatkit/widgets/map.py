"""Who stands where, and how far they get."""

from __future__ import annotations

from combatkit.fight.view import View
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._map_static import map_picture
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._static import go_on, heading
from combatkit.widgets._vantage import Vantage


class Map(EncounterWidget):
    """Who stands where, how far whoever acts gets, what that takes, and who may attack them for it.

    Parameters
    ----------
    encounter : Encounter or View
        The fight; a moment of it, such as ``enc.at(12)``, is shown as it was.
    view : str
        ``"gm"``, or ``"players"`` for one that can only watch, without whoever is hidden.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("phases", id="gantry", seed=7)
    >>> _ = enc.add("Mara", side="crew", at=(0, 0), movement=6), enc.start()
    >>> shown = ck.Map(enc)
    >>> shown
    <Map: gantry, Turn 1 · Phase 1, Mara's turn>
    >>> [(reach["title"], reach["far"]) for reach in shown.view["reach"]]
    [('1-hex step', '1'), ('Half move', '3'), ('Full move', '6')]
    """

    _esm = bundle("map.js")
    _css = bundle("map.css")

    def __init__(self, encounter: View, *, view: str = "gm") -> None:
        super().__init__(Vantage(encounter, view), MapProjector(alone=True))

    def _static(self) -> str:
        shown = map_picture(self.view, self._vantage)
        return heading(self._vantage) + shown + go_on(self._vantage)
