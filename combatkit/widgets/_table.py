"""Who sits at a fight, and what they ask for: what a room settles, and trackers show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import TYPE_CHECKING, Protocol
from weakref import WeakKeyDictionary, WeakSet

from msgspec import Struct

from combatkit.core.model import Event, Window, open_bids
from combatkit.errors import InvalidInput
from combatkit.fight.fight import Encounter
from combatkit.fight.owed import Unsaid
from combatkit.report.shapes import Verdict
from combatkit.widgets.shapes import Act, Asked

if TYPE_CHECKING:
    from combatkit.widgets._base import ViewWidget
    from combatkit.widgets._vantage import Vantage


TRAVELS = ("undo", "redo")

Passed = dict[tuple[int, str], tuple[frozenset[tuple[str, ...]], int, str]]
"""Who lets which window go, with what they were asked, after how many events, and at which seat."""


class Request(Struct, frozen=True):
    """What a seat wants to do and the GM has not confirmed yet."""

    number: int
    seat: str
    words: str


class Requests(Protocol):
    """Requests in the order they came."""

    @property
    def listed(self) -> tuple[Request, ...]: ...
    @property
    def failed(self) -> tuple[Request, ...]: ...

    def settle(self, number: int, yes: bool) -> None:
        """Say yes or no to one."""

    def fail(self, seat: str, words: str) -> None:
        """Tell the GM what a seat could not do."""


class Table:
    """Who sits at a fight, and what was settled there.

    Attributes
    ----------
    plays : dict of str to tuple of str
        Whom each seat plays.
    passed : dict
        Who lets which window go, by the window's number and their name: what they were asked then, after how many
        events, and at which seat; at none, where the GM did.
    here, away : set of str
        The seats that have a page open, and those whose pages are all gone.
    throws : bool
        Whether seats may type dice of their own.
    requests : Requests, optional
        What seats ask for where the GM confirms each.
    faces : dict of str to tuple of int
        What seats rolled for initiative before the start, by combatant.
    unsaid : Unsaid
        The hits for which nobody has said how much they take.
    left_open : frozenset of int
        Those of them that a seat has left to the GM, by their numbers.
    left : set of int
        The actions whose dice whoever did them was asked for, and left to the seed, by the event they begin with.
    onlookers : set
        Who shows what happens at the table; they are only held weakly.
    """

    def __init__(self) -> None:
        self.plays: dict[str, tuple[str, ...]] = {}
        self.passed: Passed = {}
        self.here: set[str] = set()
        self.away: set[str] = set()
        self.throws = True
        self.requests: Requests | None = None
        self.faces: dict[str, tuple[int, ...]] = {}
        self.unsaid = Unsaid()
        self.left_open: frozenset[int] = frozenset()
        self.left: set[int] = set()
        self.onlookers: WeakSet[Vantage | ViewWidget] = WeakSet()

    def seat_of(self, name: str) -> str | None:
        """Return the seat that plays somebody."""
        return next((seat for seat, plays in self.plays.items() if name in plays), None)

    def dealer(self, name: str) -> str | None:
        """Return the seat that says how much a blow of somebody takes: who plays them, where seats throw dice."""
        return self.seat_of(name) if self.throws else None

    def called(self, seat: str) -> str:
        """Return a seat's name for those who wait for it: they are told if nobody is there."""
        return f"{seat} (offline)" if seat in self.away else seat

    def let_go(self, window: Window, names: Iterable[str], at: int, seat: str) -> None:
        """Note that some let go, after so many events, what a window asks them; of other windows nothing is known."""
        self.passed = {key: kept for key, kept in self.passed.items() if key[0] == window.seq}
        for name in names:
            self.passed.pop((window.seq, name), None)
            self.passed[window.seq, name] = (_asked_of(window, name), at, seat)

    def take_back(self, names: Iterable[str]) -> None:
        """Ask some again who have let something go."""
        self.passed = {key: asked for key, asked in self.passed.items() if key[1] not in names}

    def passed_in(self, window: Window | None, events: Sequence[Event]) -> tuple[str, ...]:
        """Return who has let a window go, the last one last.

        Whoever is asked more since then has not, and all are asked anew once something has been taken back.
        """
        found = []
        for (seq, name), (asked, at, _) in self.passed.items():
            if window is None or seq != window.seq or any(event.kind in TRAVELS for event in events[at:]):
                continue
            now = _asked_of(window, name)
            if now and asked >= now:
                found.append(name)
        return tuple(found)

    def asked(self) -> list[Asked]:
        """Return the first request of each seat."""
        if self.requests is None:
            return []
        first = {request.seat: request for request in reversed(self.requests.listed)}
        return [*map(_failed, self.requests.failed), *map(_asked, reversed(first.values()))]

    def settle(self, number: int, yes: bool) -> None:
        """Say yes or no to a request."""
        if self.requests is None:
            raise InvalidInput("no seat waits for the GM")
        self.requests.settle(number, yes)

    def look_again(self) -> None:
        """Let everybody look again who shows the fight, or the room."""
        for onlooker in list(self.onlookers):
            onlooker.refresh()


def _asked_of(window: Window, name: str) -> frozenset[tuple[str, ...]]:
    """Return what a window still asks somebody: each answer with those it may be aimed at."""
    bids = [bid for bid in window.bids if bid.who == name and not bid.answered]
    return frozenset([(id, at) for bid in bids for id in bid.actions for at in bid.targets or ("",)])


def _asked(request: Request) -> Asked:
    words: list[Verdict] = [
        {"kind": "confirm", "number": request.number},
        {"kind": "decline", "number": request.number},
    ]
    actions: list[Act] = [{"id": each["kind"], "title": each["kind"].capitalize(), "sends": each} for each in words]
    return {"who": request.seat, "side": None, "text": request.words, "actions": actions}


def _failed(request: Request) -> Asked:
    seen: Verdict = {"kind": "decline", "number": request.number}
    return {
        "who": request.seat,
        "side": None,
        "text": request.words,
        "actions": [{"id": "seen", "title": "All right", "sends": seen}],
    }


_tables: WeakKeyDictionary[Encounter, Table] = WeakKeyDictionary()


def table_of(encounter: Encounter) -> Table:
    """Return the table of a fight."""
    return _tables.setdefault(encounter, Table())


def passed_in(fight: Encounter, window: Window | None) -> tuple[str, ...]:
    """Return who has let a window of a fight go, the last one last."""
    return table_of(fight).passed_in(window, fight._timeline.events)


def still_asked(fight: Encounter) -> tuple[list[str], list[str]]:
    """Return the seats that may still answer the window on top, and whom of those asked nobody plays at a seat."""
    window, table = fight._state.window, table_of(fight)
    passed = passed_in(fight, window)
    names = [] if window is None else [name for name in open_bids(window.bids) if name not in passed]
    seats = [table.seat_of(name) for name in names]
    return list(dict.fromkeys(filter(None, seats))), [n for n, seat in zip(names, seats, strict=True) if seat is None]
