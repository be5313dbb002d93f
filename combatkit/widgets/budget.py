"""What is left to spend."""

from __future__ import annotations

from typing import Any

from combatkit.fight.encounter import Encounter
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._seat import Seat
from combatkit.widgets._static import budget_table, heading


class ActionBudget(EncounterWidget):
    """What is left to spend this turn, and every action with its cost; what is refused says why.

    Parameters
    ----------
    encounter : Encounter
        The fight.
    name : str, optional
        Whose budget; that of whoever acts if nobody is named.
    view : str
        ``"gm"``, or ``"players"`` for one that only looks on.

    Raises
    ------
    UnknownName
        If nobody bears the name.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6), enc.start()
    >>> [slot["title"] for slot in ck.ActionBudget(enc).view["slots"]]
    ['Standard', 'Move', 'Swift', 'Reaction', 'Free']
    """

    _esm = bundle("budget.js")
    _css = bundle("budget.css")

    def __init__(self, encounter: Encounter, name: str | None = None, *, view: str = "gm") -> None:
        seat = Seat(encounter, view)
        if name is not None:
            encounter[name]
        super().__init__(seat, BudgetProjector(name))

    @classmethod
    def _in(cls, seat: Seat) -> ActionBudget:
        """Make one that shares a tracker's seat."""
        part = cls.__new__(cls)
        EncounterWidget.__init__(part, seat, BudgetProjector(), within=True)
        return part

    def _static(self) -> str:
        view: Any = self.view
        return heading(self._seat) + budget_table(view)
