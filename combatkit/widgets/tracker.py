"""Ladder, budget and log together, and the map where people have places, with the turn's controls."""

from __future__ import annotations

from collections.abc import Iterable
from os import PathLike
from typing import TYPE_CHECKING, Any
from weakref import WeakKeyDictionary, ref

import anywidget

from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.fight.lock import HOLDING, guarded
from combatkit.fight.view import View
from combatkit.registry import rulesets
from combatkit.widgets._base import EncounterWidget, Project, bundle
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._map_static import map_picture
from combatkit.widgets._map_view import MapProjector, is_laid
from combatkit.widgets._seat import SeatBudget, SeatVantage, seat_tracker
from combatkit.widgets._static import budget_table, go_on, heading, ladder_table, log_list, members_table
from combatkit.widgets._tongue import language_at
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage, fight_of
from combatkit.widgets.budget import ActionBudget
from combatkit.widgets.ladder import InitiativeLadder
from combatkit.widgets.log import CombatLog, log_view
from combatkit.widgets.map import Map

if TYPE_CHECKING:
    from pathlib import Path

    from combatkit.shelf import Shelf

_SHOWN = 5
"""How many lines of the log the static picture has."""

_TAKES = "it takes an encounter, view=, shelf=, journal= and seat="


class Tracker(EncounterWidget):
    """Run a fight from here: ladder, budget and log, and the map where people have places, with the turn's controls.

    Parameters
    ----------
    encounter : Encounter or View, optional
        The fight, or a moment of it, such as ``enc.at(12)``, from which you can come back to now. Without one, or with
        one that has no combatants yet, it is set up in the tracker; a cell that is run again offers the fight that its
        tracker has begun.
    view : str
        ``"gm"``, or ``"players"`` for one that can only watch and hides NPC vitals and the GM's notes.
    shelf : Shelf, str or Path, or several paths, optional
        Where creatures and parties come from: a `Shelf`, or the folders of one. A party is kept in the first folder.
    seat : str, optional
        Whose seat at the fight's table it is, with ``view="players"``: they can play from it whom they play there.
    journal : str or Path, optional
        A file that keeps a fight set up here, from the first combatant on. If it already holds fights, the tracker goes
        on with the last one played. A fight that is given stays where it was kept, and what is run again is kept there
        too.

    Raises
    ------
    InvalidInput
        For a journal together with a given fight, a shelf that isn't one, or another `view`.
    JournalError
        If the journal is not a journal, or can't be written.

    Attributes
    ----------
    encounter : Encounter
        The fight that is shown: the one given, or the one set up here.

    Examples
    --------
    >>> import combatkit as ck
    >>> ck.Tracker()
    <Tracker: a new fight>
    >>> enc = ck.Encounter("saga", id="docks", seed=7)
    >>> _ = enc.add("Mara", side="rebels", dex=4, level=6), enc.start()
    >>> ck.Tracker(enc, view="players")
    <Tracker: docks, Round 1, Mara's turn, players' view>

    An evening is kept in a file, and picked up again:

    >>> import pathlib, tempfile
    >>> folder = tempfile.TemporaryDirectory()
    >>> friday = pathlib.Path(folder.name, "friday.combat")
    >>> tracker = ck.Tracker(journal=friday)
    >>> _ = tracker.encounter.add("Mara", side="rebels")
    >>> tracker.close(), tracker.encounter.close()
    (None, None)
    >>> again = ck.Tracker(journal=friday)
    >>> again.encounter.names
    ('Mara',)
    >>> again.encounter.close(), folder.cleanup()
    (None, None)
    """

    _esm = bundle("tracker.js")
    _css = bundle("tracker.css")

    ladder = anywidget.WidgetTrait().tag(sync=True)
    budget = anywidget.WidgetTrait().tag(sync=True)
    log = anywidget.WidgetTrait().tag(sync=True)
    map = anywidget.WidgetTrait().tag(sync=True)

    @guarded(HOLDING)
    def __init__(
        self,
        encounter: View | None = None,
        view: str = "gm",
        *,
        shelf: Shelf | str | PathLike[str] | Iterable[str | PathLike[str]] | None = None,
        journal: str | Path | None = None,
        seat: str | None = None,
        **other: object,
    ) -> None:
        for keyword, value in other.items():
            of_fight = f"a fight has it: ck.Tracker(ck.Encounter({value!r}))"
            fits = of_fight if keyword in ("system", "ruleset") else _TAKES
            raise TypeError(f"Tracker takes no {keyword}=; {fits}")
        if encounter is not None and journal is not None:
            raise InvalidInput(_given_twice(fight_of(encounter)))
        if seat is not None:
            if not isinstance(encounter, Encounter) or view != "players":
                raise InvalidInput(
                    "seat= is for the players' view of a fight: Tracker(enc, view='players', seat='Anna')"
                )
            vantage: Vantage = SeatVantage(encounter, seat)
            super().__init__(vantage, seat_tracker, parts=_parts(vantage, SeatBudget()))
            return
        stock = None if shelf is None else _shelf_of(shelf)
        vantage = Vantage(_begun(journal) if encounter is None else encounter, view, shelf=stock)
        if encounter is None:
            vantage.begin()
        super().__init__(vantage, tracker_view, parts=_parts(vantage, BudgetProjector()))

    def look_again(self) -> None:
        """Look again, and show the map from when on somebody has a place, or it is laid out."""
        if self.comm is not None and self.map is None and (self._vantage.lays or is_laid(self._vantage)):
            part = _part(Map, self._vantage, MapProjector())
            if not self.gone:
                part._wake()
            self._parts = {**self._parts, "map": part}
            self.map = part
        super().look_again()

    def close(self) -> None:
        """Close the tracker and what it is made of."""
        for part in self._parts.values():
            part.close()
        super().close()

    def _about(self) -> str:
        if self._vantage.own and self.encounter._state.stage == "setup":
            return "a new fight"
        return super()._about()

    def _static(self) -> str:
        if self.view["mode"] == "setup":
            return members_table(self._vantage)
        ladder, budget, log = self.ladder.view, self.budget.view, self.log.view
        said = language_at(self._vantage)
        lines = log_list(log["lines"], log["last"], _SHOWN, said)
        return (
            heading(self._vantage)
            + ladder_table(ladder, said)
            + budget_table(budget, said)
            + ("" if self.map is None else map_picture(self.map.view, self._vantage))
            + lines
            + go_on(self._vantage)
        )


def _parts(vantage: Vantage, budget: Project) -> dict[str, EncounterWidget]:
    """Return a ladder, a budget and a log that share a tracker's vantage, and a map where somebody has a place."""
    parts = {
        "ladder": _part(InitiativeLadder, vantage, LadderProjector()),
        "budget": _part(ActionBudget, vantage, budget),
        "log": _part(CombatLog, vantage, log_view),
    }
    return parts | {"map": _part(Map, vantage, MapProjector())} if is_laid(vantage) else parts


def _part(kind: type[EncounterWidget], vantage: Vantage, project: Project) -> EncounterWidget:
    part = kind.__new__(kind)
    EncounterWidget.__init__(part, vantage, project, within=True)
    return part


def _begun(journal: str | Path | None) -> Encounter:
    """Return the fight that a journal goes on with; a new one if it holds none, or if there is no journal."""
    if journal is not None:
        from combatkit.journal.opening import held_ids

        if held_ids(journal):
            return Encounter.open(journal)
    return Encounter(rulesets()[0], journal=journal)


def _given_twice(encounter: Encounter) -> str:
    kept = encounter._timeline.journal is not None
    right = "leave journal= out" if kept else f"make it with Encounter({encounter.ruleset.id!r}, journal=...)"
    where = "is already kept in a journal" if kept else "was made without a journal"
    return f"journal= is for a fight set up in the tracker; {encounter.id!r} {where}: {right}"


def _shelf_of(given: Any) -> Shelf:
    from combatkit.shelf import Shelf

    if isinstance(given, Shelf):
        return given
    return Shelf(*given) if isinstance(given, (list, tuple, set, frozenset)) else Shelf(given)


_shown: WeakKeyDictionary[Encounter, ref[Tracker]] = WeakKeyDictionary()


@guarded(HOLDING)
def tracker_of(encounter: Encounter) -> Tracker:
    """Return the tracker that shows an encounter as a cell's last line: always the same one.

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
