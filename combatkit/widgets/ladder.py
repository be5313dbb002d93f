"""Who acts when."""

from __future__ import annotations

from typing import Any

from combatkit.fight.encounter import Encounter
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._seat import Seat
from combatkit.widgets._static import heading, ladder_table


class InitiativeLadder(EncounterWidget):
    """Who acts when: order, scores, ties and why they broke so, who has acted, who waits.

    Parameters
    ----------
    encounter : Encounter
        The fight.
    view : str
        ``"gm"``, or ``"players"`` for one that only looks on and hides NPC vitals.

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

    def __init__(self, encounter: Encounter, *, view: str = "gm") -> None:
        super().__init__(Seat(encounter, view), LadderProjector())

    @classmethod
    def _in(cls, seat: Seat) -> InitiativeLadder:
        """Make one that shares a tracker's seat."""
        part = cls.__new__(cls)
        EncounterWidget.__init__(part, seat, LadderProjector(), within=True)
        return part

    def _static(self) -> str:
        view: Any = self.view
        return heading(self._seat) + ladder_table(view)
