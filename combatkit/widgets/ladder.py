"""Who acts when."""

from __future__ import annotations

from combatkit.fight.view import View
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._static import heading, ladder_table
from combatkit.widgets._tongue import language_at
from combatkit.widgets._vantage import Vantage


class InitiativeLadder(EncounterWidget):
    """Who acts when: order, scores, ties and why they broke as they did, who has acted, who waits.

    Parameters
    ----------
    encounter : Encounter or View
        The fight; a moment of it, such as ``enc.at(12)``, is shown as it was.
    view : str
        ``"gm"``, or ``"players"`` for one that can only watch and hides NPC vitals.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", id="docks", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6), enc.start()
    >>> ck.InitiativeLadder(enc)
    <InitiativeLadder: docks, Round 1, Mara's turn>
    """

    _esm = bundle("ladder.js")
    _css = bundle("ladder.css")

    def __init__(self, encounter: View, *, view: str = "gm") -> None:
        super().__init__(Vantage(encounter, view), LadderProjector())

    def _static(self) -> str:
        return heading(self._vantage) + ladder_table(self.view, language_at(self._vantage))
