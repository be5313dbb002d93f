"""What is left to spend."""

from __future__ import annotations

from combatkit.fight.view import View
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._static import budget_table, heading
from combatkit.widgets._tongue import language_at
from combatkit.widgets._vantage import Vantage


class ActionBudget(EncounterWidget):
    """What is left to spend this turn, and every action with its cost; refused ones say why.

    Parameters
    ----------
    encounter : Encounter or View
        The fight; a moment of it, such as ``enc.at(12)``, is shown as it was.
    name : str, optional
        Whose budget; if nobody is named, that of whoever is acting.
    view : str
        ``"gm"``, or ``"players"`` for one that can only watch.

    Raises
    ------
    UnknownName
        If nobody has the name.

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

    def __init__(self, encounter: View, name: str | None = None, *, view: str = "gm") -> None:
        vantage = Vantage(encounter, view)
        if name is not None:
            encounter[name]
        super().__init__(vantage, BudgetProjector(name))

    def _static(self) -> str:
        return heading(self._vantage) + budget_table(self.view, language_at(self._vantage))
