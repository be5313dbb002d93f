"""A seat's place at the table: a player's view of a fight, in which those they play can be played."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple

from combatkit.core.curtain import VITAL_WORDS, VITALS, Names, asks_unseen, keeps_waiting, names_of
from combatkit.core.model import Event, State, open_bids
from combatkit.core.plain import bare
from combatkit.core.timeline import MOVES
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.fight.view import View
from combatkit.rules.vitals import DOWN, TEMPORARY
from combatkit.text import say_names, signed
from combatkit.text.phrases import capital
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._first_dice import first_dice
from combatkit.widgets._owed import owed_at
from combatkit.widgets._rung_acts import stands_by, who_is_asked
from combatkit.widgets._table import TRAVELS, passed_in, table_of
from combatkit.widgets._tokens import token
from combatkit.widgets._tracker_view import next_in, part_clock, tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import BudgetView, TrackerView, TurnWords

_OWN = ("turn", "turn_end", "action", "answer")
"""What somebody does, or has: with it, what they lost before is no news any more."""


_BEFALLS = ("damage", "effect", "effect_end")
"""What befalls somebody."""


class _Loss(NamedTuple):
    """What somebody lost in a call: from which event on, whether to somebody, and how much of which vital."""

    at: int
    to_somebody: bool
    of: Counter[str]


def _said_loss(now: View, who: str, loss: _Loss, several: bool) -> str:
    fighter, shown = now._state.fighters[who], now.ruleset.vitals
    lost = [vital for vital in shown if loss.of[vital.name] and vital.name in fighter.vitals]
    if not lost:
        return ""
    unit = len(shown) > 1 and now.ruleset.presentation.on_rung > 1
    amounts = [f"{loss.of[each.name]}{f' {(each.title or each.name).lower()}' if unit else ''}" for each in lost]
    rest = [fighter.vitals[each.name] or 0 for each in lost]
    left = " and ".join(map(signed, rest))
    verb = ("is hit for" if several else "are hit for") if loss.to_somebody else ("loses" if several else "lose")
    name = who if several else "You"
    down = f" {name} {'is' if several else 'are'} down." if fighter.effect(DOWN) is not None else ""
    if min(rest) < 0:
        return f"{name} {verb} {' and '.join(amounts)}, now at {left}.{down}"
    return f"{name} {verb} {' and '.join(amounts)}, {left} left.{down}"


def _written(state: State) -> list[object]:
    """Return what those the players play keep ready on words of their own."""
    values = [effect.value for fighter in state.fighters.values() if not fighter.npc for effect in fighter.effects]
    return [each["trigger"] for each in values if isinstance(each, dict) and isinstance(each.get("trigger"), str)]


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
    news : bool
        Whether something has happened to those who are played here, or was done by them, that is not shown yet.
    """

    gm_says = ("modifiers", "outcome", "damage")

    def __init__(self, encounter: Encounter, seat: str) -> None:
        self.at = table_of(encounter)
        self.seat = bare(seat)
        if self.seat not in self.at.plays:
            raise UnknownName.of("seat", seat, self.at.plays)
        self.made = 0
        self.news = False
        self._throws: bool | None = None
        self._lost: dict[str, _Loss] = {}
        self._undone: list[tuple[str, _Loss]] = []
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
    def stands_still(self) -> bool:
        """Whether nothing new is shown: what has begun waits for somebody whom players do not see.

        What concerns those who are played here is: what they have spent on what waits, and what they lose meanwhile.
        """
        return asks_unseen(self.encounter._state) and not self.news

    @property
    def asked(self) -> tuple[str, ...]:
        """Who of those that are played here are asked in the window on top, whether they have let it go or not."""
        window = self.now._state.window
        bids = {} if window is None or window.question else open_bids(window.bids)
        return tuple([name for name in self.plays if name in bids])

    @property
    def due(self) -> tuple[str, ...]:
        """Who of those that are played here has yet to say what they'll do, where everybody is asked."""
        called = self.now.ruleset.presentation.now(self.now._state).roll_call
        silent = [call["name"] for call in called["rows"].values() if not call["said"]] if called is not None else []
        return tuple([name for name in self.plays if name in silent])

    @property
    def still(self) -> str:
        """Who at another seat has not answered what is asked now, in words: nobody's turn is ended over them."""
        window = self.now._state.window
        asked = [] if window is None or window.question else [n for n in open_bids(window.bids) if n not in self.passed]
        seats = {name: self.at.seat_of(self.guises.meant(name)) for name in asked if name not in self.plays}
        names = [name for name, seat in seats.items() if seat in self.at.here]
        return f"{say_names(names)} may still react." if names else ""

    @property
    def let_go(self) -> bool:
        """Whether somebody who is played here has let go what is asked now."""
        return not {*self.passed}.isdisjoint(self.plays)

    @property
    def is_left(self) -> bool:
        """Whether only somebody whom players do not see has not let go what is asked."""
        state = self.encounter._state
        return keeps_waiting(state, passed_in(self.encounter, state.window))

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
        """What finds names in what is told from here that must not be; what players wrote themselves they may read."""
        state = self.encounter._state
        if self._names is None or self._names[0] is not state:
            names = names_of(state) | self.guises
            self._names = (state, names.besides(_written(state)) if names else names)
        return self._names[1]

    @property
    def whose(self) -> str | None:
        """Whose budget is shown: always that of somebody the seat plays."""
        now = self.now
        here = [name for name in self.plays if name in now._state.fighters]
        for name in (self.selected, *self._asked, now.active, *self.due):
            if name in here:
                return name
        return here[0] if here else None

    def _happened(self, events: tuple[Event, ...]) -> None:
        """Note what those who are played here lose, until something else comes that concerns them."""
        struck: dict[str, _Loss] = {}
        for event in events:
            if event.kind == "damage" and event.target in self.plays and event.amount and "vital" in event._data:
                loss = struck.setdefault(event.target, _Loss(event.seq, event.actor is not None, Counter()))
                loss.of[event._data["vital"]] += event.amount
            elif event.kind == "undo":
                self._undone += [(who, loss) for who, loss in self._lost.items() if loss.at > event._data["to"]]
                self._lost = {who: loss for who, loss in self._lost.items() if loss.at <= event._data["to"]}
            elif event.kind == "redo":
                calls = event._data["calls"]
                self._lost |= {w: each for w, each in self._undone if any(a <= each.at <= b for a, b in calls)}
            elif self._concerns(event):
                self.news, self._lost = True, {}
            self.news = self.news or (event.kind in _BEFALLS and event.target in self.plays)
        self._lost |= struck
        super()._happened(events)

    def _concerns(self, event: Event) -> bool:
        """Check whether somebody who is played here acts, is healed, has the turn, or is asked something."""
        if event.kind == "window":
            return any(bid["who"] in self.plays for bid in event._data.get("bids", ()))
        if event.kind == "vital":
            return event.target in self.plays and event._data.get("vital") != TEMPORARY
        return event.kind in _OWN and event.actor in self.plays

    @property
    def hurt(self) -> str:
        """What those who are played here have just lost, and have left; what is undone they have not lost."""
        now = self.now
        kept = {who: loss for who, loss in self._lost.items() if who in now._state.fighters}
        several = len(self.plays) > 1
        return " ".join([_said_loss(now, who, loss, several) for who, loss in kept.items()])

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
        view = super().__call__(vantage) | {"players": not _plays_on(vantage), "seat": True}
        if usual := view["group"].get("usual"):  # a phone shows few rows: what can be done stands first
            first = sorted(usual["actions"], key=lambda each: "off" in view["action"][each])
            view["group"] = view["group"] | {"usual": usual | {"actions": first}}
        catalogue = vantage.now.ruleset.catalogue(vantage.now._state)
        guards = [
            key
            for key, row in view["action"].items()
            if (action := catalogue.get(row["id"])) is not None and action.facts.get("guards")
        ]
        if guards:  # what has to be done before the next blow lands
            view["action"] = view["action"] | {key: view["action"][key] | {"urgent": True} for key in guards}
        return view


def seat_tracker(vantage: Vantage) -> TrackerView:
    """Return the turn's controls of a seat: its own turn's end, its own answers, its own way back."""
    view = tracker_view(vantage)
    if isinstance(vantage, SeatVantage):
        view["clock"] = part_clock(vantage, 2)  # on a phone no strip stands beside it
        if dice := first_dice(vantage):
            view["mine"] = dice
        _turn_to(vantage, view)
        for window in view["windows"]:
            if not window["question"]:
                window["sub"] = [" ".join(_asked(vantage))]
    if not isinstance(vantage, SeatVantage) or not _plays_on(vantage):
        return view
    now, plays = vantage.now, vantage.plays
    active = now.active
    view["players"] = False
    view["seat"] = True
    if owed := owed_at(vantage):
        view["owed"] = owed
    if active in plays:
        view["end"] = view["end"] | {"label": "End my turn"}
        if still := vantage.still:
            view["end"] |= {"allowed": False, "reason": [still]}
    else:
        whose = f"It's {active}'s turn." if active else "Your GM goes on."
        view["end"] = {"label": "End my turn", "allowed": False, "reason": [whose]}
    view["undo"] = {"allowed": bool(vantage.taken), "title": vantage.taken or "Nothing of yours to take back."}
    _mark_answers(vantage, view)
    return view


def _plays_on(vantage: Vantage) -> bool:
    return isinstance(vantage, SeatVantage) and bool(vantage.plays) and vantage.now._state.stage == "running"


def _turn_to(vantage: SeatVantage, view: TrackerView) -> None:
    """Say whose turn it is as it concerns those a seat plays; of somebody hidden nothing is told."""
    now, turn = vantage.now, view["turn"]
    plays = [name for name in vantage.plays if name in now._state.fighters]
    several = len(plays) > 1
    if now._state.stage == "setup":
        title = f"You play {say_names(plays)}" if plays else "You play nobody yet"
        sub = "Your GM has not begun the fight." if plays else "Your GM gives you somebody."
        turn |= {"title": title, "sub": sub, "mine": "here"}
        if len(plays) == 1:
            turn["who"] = token(now._state.fighters[plays[0]], vantage.sides)
    if now._state.stage == "over":
        turn |= {"title": view["card"]["title"], "sub": turn["title"]}
    if now._state.stage != "running":
        return
    if then := next_in(now.ruleset, now._state):
        turn["then"] = then
    if not vantage.plays:
        turn["sub"] = "You play nobody yet. Your GM gives you somebody."
    asked = [name for name in vantage.asked if name not in vantage.passed]
    if hurt := vantage.hurt:
        view["hurt"] = hurt
    window = now._state.window
    bids = window.bids if window is not None else ()
    aimed = {bid.who for bid in bids if not bid.answered and not stands_by(now.ruleset, now._state, bid)}
    first = [name for name in asked if name in aimed]
    if first:  # the others of them may react too; whose chip says so is marked
        turn |= {"title": _may(vantage, first, several), "sub": turn["title"], "mine": "asked"}
    elif asked:
        turn |= {"sub": f"{say_names(asked)} may react too" if several else "You may react too", "mine": "may"}
        if now.active in plays:
            turn["title"] = f"Your turn: {now.active}"
    elif now.active in plays:
        fighter = now._state.fighters[now.active]
        title = f"Your turn: {now.active}" if several else "Your turn"
        if not now.ruleset.has_turns(fighter):
            title = f"{now.active} can't act" if several else "You can't act"
        turn |= {"title": title, "mine": "now"}
        if not now._state.window:
            view["announce"] = f"{turn['title']}. {view['announce'].partition('. ')[2]}"
    elif plays and now._state.turn is None and not now._state.window:
        _call_roll(vantage, turn, plays)
    elif then in plays:
        turn |= {"sub": f"{then} is next" if several else "You're next", "mine": "next"}


def _call_roll(vantage: SeatVantage, turn: TurnWords, plays: list[str]) -> None:
    """Say what is asked of those a seat plays while it is nobody's turn; else it is the GM who goes on."""
    now = vantage.now
    sight = now.ruleset.presentation.now(now._state)
    asked = sight.roll_call
    due = vantage.due
    if asked:
        turn["sub"] = "Your GM goes on when everybody is ready."
    else:
        turn |= {"title": "Waiting for your GM", "sub": "Your GM goes on."}
        if [who := _ended(vantage)] == plays:
            turn["sub"] = "You ended your turn."
        elif who:
            turn["sub"] = f"{who} ended their turn."
    if asked and due:
        words = "Say what you'll do" if len(plays) == 1 else f"Say what {say_names(due)} will do"
        turn |= {"title": words, "sub": sight.unsaid or asked["title"], "mine": "asked"}


def _ended(vantage: SeatVantage) -> str:
    """Return who had the last turn that was seen from here, and ended it; nobody, if something was taken back since."""
    seen = vantage.now._state.fighters
    for event in reversed(vantage.events):
        if event.kind in MOVES:
            return ""
        if event.kind in ("turn", "turn_end") and event.actor in seen:
            return str(event.actor) if event.kind == "turn_end" and "given_up" not in event._data else ""
    return ""


def _may(vantage: SeatVantage, names: list[str], several: bool) -> str:
    """Say that some may react, or must answer."""
    window = vantage.now._state.window
    bids = {} if window is None else open_bids(window.bids)
    must = any(bid.must for name in names for bid in bids[name])
    if several:
        return who_is_asked(names, must)
    return "You must answer" if must else "You may react"


def _mark_answers(vantage: SeatVantage, view: TrackerView) -> None:
    """Mark the answers that others owe, those that have been let go here, and those that may be unasked."""
    rules, state, window = vantage.now.ruleset, vantage.now._state, vantage.now._state.window
    bids = {} if window is None else open_bids(window.bids)
    again = window is not None and any(event.kind in TRAVELS for event in vantage.encounter._events[window.seq :])
    for shown in view["windows"]:
        shown["rows"].sort(key=lambda row: row["who"] != vantage.whose)  # the first of them lets it go
        for row in shown["rows"]:
            who = row["who"]
            if "passed" in row or who not in vantage.plays:
                row["waits"] = True
                continue
            if not again and who in bids and all(stands_by(rules, state, bid) for bid in bids[who]):
                row["aside"] = True
            if len(vantage.plays) > 1:
                row["lets"] = f"{who} lets it go"
    if vantage.let_go:
        view["announce"] = " ".join(_asked(vantage))


def _asked(vantage: SeatVantage) -> list[str]:
    """Say whom of those a seat plays has let go what is asked, and who is waited for."""
    passed, plays, asked = vantage.passed, vantage.plays, vantage.asked
    several = len(plays) > 1
    window = vantage.now._state.window
    bids = {} if window is None else open_bids(window.bids)
    gone, still = [name for name in asked if name in passed], [name for name in asked if name not in passed]
    said = [f"{say_names(gone)} let{'s' * (len(gone) == 1)} it go." if several else "You let it go."] if gone else []
    others = [
        vantage.at.seat_of(vantage.guises.meant(name)) for name in bids if name not in passed and name not in plays
    ]
    seats = dict.fromkeys(vantage.at.called(seat) for seat in others if seat)
    gm = ["your GM" if plays else "the GM"] if None in others or not (others or still) else []
    names = say_names([*(still if several else ["you"] * len(still)), *seats, *gm])
    soft = window is not None and window.soft
    return [*said, f"{capital(names)} may react." if soft else f"Waiting for {names}."]
