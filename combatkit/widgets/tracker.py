"""The three together, with the turn's controls."""

from __future__ import annotations

from weakref import WeakKeyDictionary, ref

import anywidget

from combatkit.fight.encounter import Encounter
from combatkit.fight.lock import HOLDING, guarded
from combatkit.registry import rulesets
from combatkit.widgets._base import EncounterWidget, bundle
from combatkit.widgets._seat import Seat
from combatkit.widgets._static import GO_ON, budget_table, heading, ladder_table, log_list, members_table
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets.budget import ActionBudget
from combatkit.widgets.ladder import InitiativeLadder
from combatkit.widgets.log import CombatLog

_SHOWN = 5
"""So many lines of the log stand in the static picture."""


class Tracker(EncounterWidget):
    """What a game master runs a fight from: ladder, budget and log, with the turn's controls.

    Parameters
    ----------
    encounter : Encounter, optional
        The fight. Without one, or with one that has no combatants yet, it is set up in the tracker.
    view : str
        ``"gm"``, or ``"players"`` for one that only looks on and hides NPC vitals and the GM's notes.

    Attributes
    ----------
    encounter : Encounter
        The fight that is shown: the one given, or what was set up.

    Examples
    --------
    >>> import combatkit as ck
    >>> ck.Tracker()
    <Tracker: a new fight>
    >>> enc = ck.Encounter("saga", id="docks", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6), enc.start()
    >>> ck.Tracker(enc, view="players")
    <Tracker: docks, Round 1, Mara's turn, players' view>
    """

    _esm = bundle("tracker.js")
    _css = bundle("tracker.css")

    ladder = anywidget.WidgetTrait().tag(sync=True)
    budget = anywidget.WidgetTrait().tag(sync=True)
    log = anywidget.WidgetTrait().tag(sync=True)

    @guarded(HOLDING)
    def __init__(self, encounter: Encounter | None = None, view: str = "gm") -> None:
        self._own = encounter is None
        seat = Seat(Encounter(rulesets()[0]) if encounter is None else encounter, view)
        parts = {"ladder": InitiativeLadder._in(seat), "budget": ActionBudget._in(seat), "log": CombatLog._in(seat)}
        super().__init__(seat, tracker_view, parts=parts)

    def close(self) -> None:
        """Close the tracker and its three parts."""
        for part in (self.ladder, self.budget, self.log):
            if part is not None:
                part.close()
        super().close()

    def _about(self) -> str:
        if self._own and self.encounter._state.stage == "setup":
            return "a new fight"
        return super()._about()

    def _static(self) -> str:
        if self.view["mode"] == "setup":
            return members_table(self._seat)
        ladder, budget, log = self.ladder.view, self.budget.view, self.log.view
        lines = log_list(log["lines"], log["last"], _SHOWN)
        return heading(self._seat) + ladder_table(ladder) + budget_table(budget) + lines + GO_ON


_shown: WeakKeyDictionary[Encounter, ref[Tracker]] = WeakKeyDictionary()


@guarded(HOLDING)
def tracker_of(encounter: Encounter) -> Tracker:
    """Return the tracker that shows an encounter as a cell's last line: one, however often it is shown.

    Parameters
    ----------
    encounter : Encounter
        The fight.

    Returns
    -------
    Tracker
        Open; the registry of open widgets keeps it for as long as it is.
    """
    held = _shown.get(encounter)
    tracker = held() if held is not None else None
    if tracker is None or tracker.comm is None or tracker.encounter is not encounter:
        tracker = Tracker(encounter)
        _shown[encounter] = ref(tracker)
    return tracker
