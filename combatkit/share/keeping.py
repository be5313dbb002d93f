"""What a journal keeps of a room, so that its seats come back after a restart: of each token only what proves it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping
from contextlib import suppress
from typing import Annotated

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from combatkit.core.plain import bare, is_text
from combatkit.errors import InvalidInput, JournalError, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.journal.store import Store
from combatkit.rules.checks import check_words
from combatkit.share.seats import NAME, SEATS, Role, Seat
from combatkit.share.tokens import digest_of, mint, owner_of
from combatkit.widgets._table import Passed

_Port = Annotated[int, Meta(ge=0, lt=65536)]
_Digest = Annotated[str, Meta(pattern="^[0-9a-f]{64}$")]


class Sitting(Struct, frozen=True):
    """A seat as it is kept.

    Parameters
    ----------
    name : str
        Who sits there.
    role : str
        What it is for.
    plays : tuple of str
        Whom they play.
    digest : str
        The SHA-256 of their token.
    port : int
        Where that lets them in: at another port somebody else might be asking for it.
    """

    name: str
    role: Role
    plays: tuple[str, ...]
    digest: _Digest = ""
    port: _Port = 0


class LetGo(Struct, frozen=True):
    """What somebody has let go, as a table knows it.

    Parameters
    ----------
    window : int
        The window's number.
    name : str
        Who is asked there.
    asked : tuple of tuple of str
        What they were asked.
    at : int
        After how many events.
    seat : str
        At which seat; at none, where the GM did.
    """

    window: int
    name: str
    asked: tuple[tuple[str, ...], ...]
    at: int
    seat: str


class Kept(Struct, frozen=True):
    """What is settled in a room: its seats by their names, what the GM chose, and the event at which they paused it.

    Also what has been let go in the window that was open last, and which hits seats have left to the GM.
    """

    seats: dict[str, Sitting] = {}
    asks: bool = False
    throws: bool = True
    paused: bool = False
    since: Annotated[int, Meta(ge=0)] = 0
    passed: tuple[LetGo, ...] = ()
    left_open: tuple[Annotated[int, Meta(ge=0)], ...] = ()


_LOST = (
    "Links from before lead to port {port}. This room is at another one, so they don't work here. Seats that are given "
    "again get new ones: let each phone scan its own."
)


def journal_of(encounter: Encounter) -> Store | None:
    """Return where a fight is kept, if it is."""
    journal = encounter._timeline.journal
    return journal if isinstance(journal, Store) else None


def _kept(settings: Mapping[str, object]) -> Kept:
    """Return what settings of a fight say of its room."""
    try:
        return msgspec.convert(settings["room"], Kept)
    except msgspec.ValidationError:
        return Kept()


class Keeper:
    """Keeps what is settled in a room: in the journal of its fight too, if it has one.

    Parameters
    ----------
    encounter : Encounter
        The fight.

    Attributes
    ----------
    now : Kept
        What is settled.
    port : int
        Where the room is.
    """

    port = 0

    def __init__(self, encounter: Encounter) -> None:
        self._encounter = encounter
        self._kept_in = self._store
        self._tokens: dict[str, str] = {}
        self.now = self._recalled()

    @property
    def _store(self) -> Store | None:
        return journal_of(self._encounter)

    def _recalled(self) -> Kept:
        """Return what was settled when the fight was last shared; what is no room's is as if nothing were.

        A fight that was never shared takes over the seats of the one before it in its journal: they are the evening's.
        """
        store = self._kept_in
        if store is None:
            return Kept()
        kept = _kept(store.settings) if "room" in store.settings else self._taken_over(store)
        return kept if self._can_be(kept) else Kept()

    def _taken_over(self, store: Store) -> Kept:
        shared = [fight for fight in store.book.past.fights.values() if "room" in fight.settings]
        if not shared or self._encounter.parent is not None or store.book.stage(shared[-1].number) != "over":
            return Kept()
        last, fighters = _kept(shared[-1].settings), self._encounter._state.fighters
        there = fighters.__contains__
        seats = {name: replace(seat, plays=tuple(filter(there, seat.plays))) for name, seat in last.seats.items()}
        return Kept(seats, last.asks, last.throws)

    def _can_be(self, kept: Kept) -> bool:
        named = all(is_text(name, NAME) and name == seat.name for name, seat in kept.seats.items())
        played = [who for seat in kept.seats.values() for who in seat.plays]
        fighters = self._encounter._state.fighters.keys()
        return named and len(kept.seats) <= SEATS and len({*played}) == len(played) and {*played} <= fighters

    @property
    def ports(self) -> tuple[int, ...]:
        """Where to listen, if nothing else is said: where most links from before lead, else anywhere."""
        ports = Counter([seat.port for seat in self.now.seats.values()])
        return (*[port for port, _ in ports.most_common()], 0)

    @property
    def lost(self) -> str:
        """What is to be said of links that lead elsewhere."""
        ports = {self.now.seats[name].port for name in self.astray}
        return " ".join([_LOST.format(port=port) for port in sorted(ports)])

    @property
    def astray(self) -> list[str]:
        """The seats whose links lead elsewhere."""
        return [name for name, seat in self.now.seats.items() if not self.leads_here(seat)]

    def begin(self, chosen: Mapping[str, bool]) -> None:
        """Take over how the fight is shared now; what is not said again stays as it was."""
        self.now = replace(self.now, **chosen)

    def seats(self, url: str) -> tuple[Seat, ...]:
        """Return every seat; the link only of those whose token was made here."""
        return tuple([self.seat(name, url) for name in self.now.seats])

    def seat(self, name: str, url: str) -> Seat:
        """Return a seat."""
        token = self._tokens.get(name)
        link = f"{url}#{token}" if token else ""
        return Seat(name, self.now.seats[name].plays, link, self._encounter._state.language)

    def of(self, name: str) -> Sitting:
        """Return what is kept of a seat."""
        given = self.known(name)
        if given is None:
            raise UnknownName.of("seat", name, self.now.seats)
        return self.now.seats[given]

    def known(self, name: str) -> str | None:
        """Return how a seat is called that has a name, in capitals or not; None, if there is none."""
        given = bare(name)
        alike = [each for each in self.now.seats if each.casefold() == given.casefold()]
        return given if given in alike else next(iter(alike), None)

    def check_new(self, name: object) -> str:
        """Check that there may be a seat of a name; return it as it is kept."""
        given = check_words(name, "seat: name", NAME)
        known = self.known(given)
        if known is None and len(self.now.seats) >= SEATS:
            raise InvalidInput(f"seat: there are {SEATS} seats already, which is as many as a room has")
        return known or given

    def owner(self, token: object) -> str | None:
        """Return whose a token is that lets in here."""
        return owner_of(token, {name: seat.digest for name, seat in self.now.seats.items() if self.leads_here(seat)})

    def renew(self, seat: Sitting) -> str:
        """Give a seat a token of its own; it is the only one that lets in there from now on."""
        token = mint()
        seat = replace(seat, digest=digest_of(token), port=self.port)
        self.settle(seats={**self.now.seats, seat.name: seat})
        self._tokens[seat.name] = token
        return token

    def leads_here(self, seat: Sitting) -> bool:
        """Check whether a seat's link leads to this room."""
        return seat.port == self.port

    def play(self, name: str, plays: tuple[str, ...]) -> None:
        """Let others be played at a seat."""
        self.settle(seats={**self.now.seats, name: replace(self.now.seats[name], plays=plays)})

    def drop(self, name: str) -> None:
        """Let nobody in at a seat, whatever the journal says to it."""
        self._tokens.pop(name, None)
        seats = {each: seat for each, seat in self.now.seats.items() if each != name}
        self.now = replace(self.now, seats=seats)
        self.settle()

    def settle(self, **chosen: object) -> None:
        """Settle something, or raise `JournalError` and settle nothing."""
        store, kept = self._store, replace(self.now, **chosen)
        if store is not None:
            store.settle({"room": msgspec.to_builtins(kept)})
        self._kept_in, self.now = store, kept

    @property
    def passed(self) -> Passed:
        """Return what has been let go, as a table knows it."""
        return {(each.window, each.name): (frozenset(each.asked), each.at, each.seat) for each in self.now.passed}

    def note(self, passed: Passed, left_open: Collection[int]) -> None:
        """Keep what has been let go and left open, if that is new: nobody is asked again after a restart."""
        open_now = tuple(sorted(left_open))
        if (passed, open_now) == (self.passed, self.now.left_open) or not self.now.seats:
            return
        let = [LetGo(*key, tuple(sorted(asked)), at, seat) for key, (asked, at, seat) in passed.items()]
        with suppress(JournalError):  # it holds all the same, as long as the kernel runs
            self.settle(passed=tuple(let), left_open=open_now)

    def follow(self) -> None:
        """Keep it where the fight is kept from now on, if that is new."""
        if self._store is not self._kept_in and self.now.seats:
            self.settle()
