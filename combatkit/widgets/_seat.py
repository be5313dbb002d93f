"""A seat's place at the table: a player's view of a fight, in which those they play can be played."""

from __future__ import annotations

from combatkit.core.curtain import VITAL_WORDS, VITALS, Names, keeps_waiting, names_of
from combatkit.core.lookup import open_bids
from combatkit.core.model import Fighter, State
from combatkit.core.plain import bare
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.encounter import Encounter
from combatkit.rules.checks import say_names
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._first_dice import first_dice
from combatkit.widgets._table import table_of
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import BudgetView, TrackerView


class SeatVantage(Vantage):
    """A place at the table: what players may know, and a hand for those the seat plays.

    Parameters
    ----------
    encounter : Encounter
        The fight.
    seat : str
        The seat's name; who is played there is known to the table.

    Raises
    ------
    UnknownName
        If nobody sits at the fight's table under that name.

    Attributes
    ----------
    made : int
        The first event of the last call that was made from here.
    """

    gm_says = ("modifiers", "outcome", "damage")

    def __init__(self, encounter: Encounter, seat: str) -> None:
        self.at = table_of(encounter)
        self.seat = bare(seat)
        if self.seat not in self.at.plays:
            raise UnknownName.of("seat", seat, self.at.plays)
        self.made = 0
        self._throws: bool | None = None
        self._names: tuple[State, Names] | None = None
        super().__init__(encounter, "players")

    @property
    def plays(self) -> tuple[str, ...]:
        """Whom the seat plays, as long as they are there to be seen."""
        return self.at.plays.get(self.seat, ())

    @property
    def table(self) -> bool:
        """Whether whoever sits here throws the dice: as the table does, unless the seat has chosen for itself."""
        return self.at.throws and (self.encounter.table_dice if self._throws is None else self._throws)

    @table.setter
    def table(self, table: bool) -> None:
        self._throws = table

    @property
    def judges(self) -> bool:
        """Whether what no roll tells may be said here: where seats throw their own dice."""
        return self.at.throws

    @property
    def waits(self) -> bool:
        """Whether only somebody whom players do not see can do something now."""
        return keeps_waiting(self.encounter._state)

    @property
    def asked(self) -> tuple[str, ...]:
        """Who of those that are played here are asked in the window on top, whether they have let it go or not."""
        window = self.now._state.window
        bids = {} if window is None or window.question else open_bids(window.bids)
        return tuple([name for name in self.plays if name in bids])

    @property
    def let_go(self) -> bool:
        """Whether somebody who is played here has let go what is asked now."""
        return not {*self.passed}.isdisjoint(self.plays)

    @property
    def is_left(self) -> bool:
        """Whether only somebody whom players do not see has not let go what is asked."""
        state = self.encounter._state
        return keeps_waiting(state, self.at.passed_in(state.window))

    @property
    def shows_needed(self) -> bool:
        """Whether what a roll needs is told: another's number."""
        return self.encounter._state.options.get(VITAL_WORDS) == VITALS[2]

    @property
    def taken(self) -> str:
        """What can be taken back from here, in words: the last call, if it was made here and no die was thrown."""
        if self.let_go:
            return "Take back: let it go"
        now = self.encounter._timeline.now
        call = now.present
        if not self.made or call is None or call.first != self.made or call.last != now.length:
            return ""
        thrown = any(event._data.get("faces") or event.kind == "roll" for event in now.log[call.first - 1 :])
        return "" if thrown else f"Take back: {call.title}"

    @property
    def sealed(self) -> Names:
        """What finds names in what is told from here that must not be."""
        state = self.encounter._state
        if self._names is None or self._names[0] is not state:
            self._names = (state, names_of(state))
        return self._names[1]

    @property
    def whose(self) -> str | None:
        """Whose budget is shown: always that of somebody the seat plays."""
        now = self.now
        here = [name for name in self.plays if name in now._state.fighters]
        for name in (self.selected, *self._asked, now.active):
            if name in here:
                return name
        return here[0] if here else None

    def hides(self, fighter: Fighter) -> bool:
        """Check whether what somebody has and can do is not shown from here."""
        return fighter.npc and fighter.name not in self.plays

    def acts_for(self, name: str) -> bool:
        """Check whether somebody can be played from here."""
        return name in self.plays

    def look(self, name: str | None) -> None:
        """Choose whose budget is shown, of those the seat plays."""
        if name is not None and name not in self.plays:
            raise InvalidInput(f"{name} isn't yours to play")
        super().look(name)


class SeatBudget(BudgetProjector):
    """Makes the budget of somebody a seat plays; its actions can be done."""

    def __call__(self, vantage: Vantage) -> BudgetView:
        """Return the view."""
        return super().__call__(vantage) | {"players": not _plays_on(vantage), "seat": True}


def seat_tracker(vantage: Vantage) -> TrackerView:
    """Return the turn's controls of a seat: its own turn's end, its own answers, its own way back."""
    view = tracker_view(vantage)
    if isinstance(vantage, SeatVantage) and (dice := first_dice(vantage)):
        view["mine"] = dice
    if not isinstance(vantage, SeatVantage) or not _plays_on(vantage):
        return view
    now, plays = vantage.now, vantage.plays
    active = now.active
    view["players"] = False
    view["seat"] = True
    if active in plays:
        view["end"] = view["end"] | {"label": "End my turn"}
    else:
        whose = f"It's {active}'s turn." if active else "Your GM goes on."
        view["end"] = {"label": "End my turn", "allowed": False, "reason": [whose]}
    view["undo"] = {"allowed": bool(vantage.taken), "title": vantage.taken or "Nothing of yours to take back."}
    _mark_answers(vantage, view)
    return view


def _plays_on(vantage: Vantage) -> bool:
    return isinstance(vantage, SeatVantage) and bool(vantage.plays) and vantage.now._state.stage == "running"


def _mark_answers(vantage: SeatVantage, view: TrackerView) -> None:
    """Mark the answers that others owe, and those that have been let go here."""
    for shown in view["windows"]:
        for row in shown["rows"]:
            if "passed" in row or row["who"] not in vantage.plays:
                row["waits"] = True
        if not shown["question"]:
            shown["sub"] = [" ".join(_asked(vantage))]
    if vantage.let_go:
        view["announce"] = " ".join(_asked(vantage))


def _asked(vantage: SeatVantage) -> list[str]:
    """Say what is asked of whom a seat plays, whom of them has let it go, and who is waited for besides."""
    passed, plays, several = vantage.passed, vantage.plays, len(vantage.asked) > 1
    window = vantage.now._state.window
    bids = {} if window is None else open_bids(window.bids)
    gone = [name for name in vantage.asked if name in passed]
    still = [name for name in vantage.asked if name not in passed]
    said = (
        [f"{say_names(gone) if several else 'You'} let{'s' if several and len(gone) == 1 else ''} it go."]
        if gone
        else []
    )
    if still:
        word = "must answer" if any(bid.must for name in still for bid in bids[name]) else "may react"
        return [*said, f"{say_names(still) if several else 'You'} {word}."]
    others = [vantage.at.seat_of(name) for name in bids if name not in passed and name not in plays]
    seats = [*dict.fromkeys([seat for seat in others if seat])]
    gm = ["your GM"] if None in others or not others else []
    names = say_names([*seats, *gm])
    return [*said, f"{names[:1].upper()}{names[1:]} may react." if window and window.soft else f"Waiting for {names}."]
