"""A room: a fight at one table, with a seat for everybody who plays."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from contextlib import AbstractContextManager
from operator import attrgetter
from typing import TYPE_CHECKING

from combatkit.core.plain import counted
from combatkit.errors import CombatkitError, InvalidInput, UnknownName
from combatkit.fight.lock import HOLDING, guarded
from combatkit.rules.checks import check_known
from combatkit.rules.params import as_names, meant_by
from combatkit.share.addresses import Addresses, qr_of
from combatkit.share.busy import Busy
from combatkit.share.keeping import Keeper, Kept, Sitting, journal_of
from combatkit.share.requests import Requests
from combatkit.share.seats import Role, Seat
from combatkit.share.tokens import Codes, mint
from combatkit.widgets._first_dice import rolled
from combatkit.widgets._table import Request, table_of
from combatkit.widgets._tongue import language_of

if TYPE_CHECKING:
    from combatkit.fight.fight import Encounter
    from combatkit.share.post import Post
    from combatkit.widgets.shapes import Join, Sitter

_OTHER = "{!r} is shared from here as well, at {}: its pages stay there, until its room is closed."
_REVOKED = 4001
_PROBLEMS = 20
_MISSED = (
    "Port {taken} was taken as this room was opened, perhaps by another kernel that shares this fight. It is at port "
    "{port}, where no link from before leads, and stays there until you close it (room.close()). Let each phone scan "
    "its new code."
)


class Room(AbstractContextManager["Room"]):
    """A fight at one table: made by `Encounter.share`.

    Attributes
    ----------
    codes : Codes
        Codes that can be typed in the place of a link.
    busy : Busy
        Whether the GM is busy, as seats see it.
    posts : dict of str to Post
        What is sent to each seat, and its pages.
    closed : bool
        Whether nothing is served any more.
    name : str
        What pages know this very serving by: another one knows nothing of what they asked before.
    """

    def __init__(self, encounter: Encounter, addresses: Addresses, chosen: Mapping[str, bool]) -> None:
        from combatkit.share.desk import Desk
        from combatkit.share.server import Server

        self.encounter = encounter
        self.codes = Codes()
        self._kept = Keeper(encounter)
        self.table = table_of(encounter)
        self.posts: dict[str, Post] = {}
        self._problems: list[str] = []
        self.table.requests = self.waiting = Requests(self.later, self._asked)
        self.busy = Busy(self.later, self._tell, self._refresh)
        self.closed = False
        self.name = mint()
        self._server = Server(self, addresses.host, addresses.ports(self._kept.ports))
        self.desk = Desk(self.busy.begin, self.busy.end)
        self.port = self._kept.port = self._server.port
        self._addresses = addresses
        addresses.settle(self.port)
        for seat in self._kept.now.seats.values():
            self._sit(seat)
        self._kept.begin(chosen)
        self.table.throws = self._kept.now.throws
        self.table.passed = self.table.passed or self._kept.passed
        self.table.left_open = self.table.left_open or frozenset(self._kept.now.left_open)
        self.settle()
        self._server.start()
        _open.append(self)
        self._say()

    @guarded(HOLDING)
    def go_on(self, addresses: Addresses, chosen: Mapping[str, bool]) -> None:
        """Take over how the fight is shared now, where that is said again; its seats and their pages stay."""
        self._addresses = addresses.after(self._addresses, self.port)
        self.choose(**chosen)
        self._say()

    def _say(self) -> None:
        if self.notice:
            print(self.notice)  # noqa: T201 - who opens a fight to a network is told so, wherever they are

    @property
    def url(self) -> str:
        """Where the page is, without anybody's token."""
        return self._addresses.url

    @property
    def elsewhere(self) -> tuple[str, ...]:
        """Under which other addresses of this machine the page may be found."""
        return self._addresses.others

    @guarded(HOLDING)
    def move(self, host: str) -> None:
        """Give out another of this machine's addresses; links hold under each of them."""
        self._addresses.choose(host)
        self._refresh()
        self.news()

    @property
    def notice(self) -> str:
        """What is to be said of the room aloud: which links lead elsewhere, who can reach it, who is elsewhere."""
        return " ".join(filter(None, [self.lost, self.openness]))

    @property
    def lost(self) -> str:
        """Which links lead elsewhere, in words; nothing, if none does and everybody is here."""
        missed = self._addresses.missed
        if missed and (self.astray or not self.posts):
            return _MISSED.format(taken=missed, port=self.port)
        return self._kept.lost

    @property
    def openness(self) -> str:
        """Who can reach the room, whose page could not, and which other fights are shared from here."""
        others = [_OTHER.format(room.encounter.id, room.url) for room in _open if room is not self and not self.closed]
        return " ".join(filter(None, [self._addresses.notice, self._addresses.strayed, *others]))

    # ── seats ──

    @property
    def seats(self) -> tuple[Seat, ...]:
        """Every seat there is; the link only of those whose token was made here."""
        return self._kept.seats(self.url)

    def seat(self, name: str, plays: Iterable[str] | None = None) -> Seat:
        """Give somebody a seat.

        Parameters
        ----------
        name : str
            Who sits there. If a seat has that name, in capitals or not, it is that one: its link holds, and its pages
            go on.
        plays : iterable of str, optional
            Whom they play: nobody, if it is empty. Left out it stays as it is.

        Returns
        -------
        Seat
            With its link; without, where the link was given out before the kernel was started, and holds. A link that
            leads elsewhere by now is replaced.

        Raises
        ------
        UnknownName
            If nobody in the fight has such a name.
        InvalidInput
            If somebody else plays them, there are too many seats, or the name is a screen's.
        """
        return self._give(name, plays, "seat")

    def screen(self) -> Seat:
        """Give the table a screen: who acts when, and what happened, to be read from across the room."""
        return self._give("Table screen", None, "screen")

    def gm(self) -> Seat:
        """Give a second screen to the GM: whoever has its link may do whatever the GM may."""
        return self._give("GM", None, "gm")

    @guarded(HOLDING)
    def _give(self, name: str, plays: Iterable[str] | None, role: Role) -> Seat:
        self._check_open()
        name = self._kept.check_new(name)
        seat = Sitting(name, role, self._whom(plays or ()))
        for each in seat.plays:
            owner = self.table.seat_of(each)
            if owner not in (None, name):
                raise InvalidInput(f"{each} is {owner}'s to play; revoke({owner!r}) first")
        known = self._kept.now.seats.get(name)
        if known is not None and known.role != role:
            raise InvalidInput(f"{name} is a seat of another kind: revoke({name!r}) first, or give another name")
        if known is None or not self._kept.leads_here(known):
            self._kept.renew(seat if known is None else known)
        if known is None:
            self._sit(seat)
        elif plays is not None and seat.plays != known.plays:
            self._kept.play(name, seat.plays)
            self.table.plays[name] = seat.plays
            self.posts[name].greet()
        self.settle()
        self.news()
        return self._kept.seat(name, self.url)

    def _whom(self, plays: Iterable[str]) -> tuple[str, ...]:
        """Check whom a seat is to play; of somebody who isn't there, say who is, the players' own first."""
        state = self.encounter._state
        names = as_names(plays, state)
        there = [fighter.name for fighter in sorted(state.fighters.values(), key=attrgetter("npc"))]
        for name in names:
            if not meant_by(state, name):
                raise UnknownName.of("combatant", name, there)
        return check_known(state, names)

    def known(self, name: str) -> str | None:
        """Return how a seat is called that has a name, in capitals or not; None, if there is none."""
        return self._kept.known(name)

    def _sit(self, seat: Sitting) -> None:
        from combatkit.share.post import Post

        self.table.plays[seat.name] = seat.plays
        self.posts[seat.name] = Post(self, seat.name, seat.role)

    @property
    def astray(self) -> list[str]:
        """The seats whose links lead to another port; all nobody has come to, where the one asked for was taken."""
        strays, missed = self._kept.astray, self._addresses.missed
        absent = [name for name, post in self.posts.items() if missed and not post.pages and post.left is None]
        return [name for name in self.posts if name in strays or name in absent]

    def code(self, name: str) -> str:
        """Return a code that can be typed in the place of a link: once, within five minutes, with five tries.

        The link that the seat had ends as the code is used.
        """
        return self.codes.make(self._kept.of(name).name)

    def _end_pages(self, post: Post) -> None:
        self.codes.drop(post.name)
        self.later(post.end, "revoked", _REVOKED)
        self.news()

    @guarded(HOLDING)
    def revoke(self, name: str) -> None:
        """End a seat at once: its link works no more, and its pages are shut."""
        name = self._kept.of(name).name
        post = self.posts.pop(name)
        post.close()
        self.table.plays.pop(name, None)
        self._end_pages(post)
        self._kept.drop(name)

    def renew(self, name: str) -> Seat:
        """Give a seat a new link; the one it had ends at once, and its pages are shut."""
        name = self._kept.of(name).name
        self.renewed(name)
        self._end_pages(self.posts[name])
        return self._kept.seat(name, self.url)

    @guarded(HOLDING)
    def renewed(self, name: str) -> str:
        """Return a new token for a seat, in the place of the one it had."""
        token = self._kept.renew(self._kept.of(name))
        self.news()
        return token

    def _check_open(self) -> None:
        if self.closed:
            raise CombatkitError("this room is closed; enc.share() opens another")

    # ── what the GM does ──

    @guarded(HOLDING)
    def choose(self, **chosen: bool) -> None:
        """Choose whether seats are `paused`, whether each `throws` its own dice, whether each `asks` the GM first."""
        self._check_open()
        since = {} if self.paused else {"since": len(self.encounter._events)}
        if chosen.get("paused"):
            self._refresh(in_a_cell=True)  # a long cell has kept from them what led to the moment they now look at
        self._kept.settle(**chosen, **since)
        self.table.throws = self._kept.now.throws
        self.later(self._tell)
        self._refresh()
        self.news()

    def pause(self, on: bool = True) -> None:
        """Let seats do nothing, and tell them nothing, until ``pause(False)``."""
        self.choose(paused=bool(on))

    @property
    def chosen(self) -> Kept:
        """What the GM has chosen."""
        return self._kept.now

    @property
    def paused(self) -> bool:
        """Whether seats can do nothing, and are told nothing, just now."""
        return self.chosen.paused

    @property
    def rolled(self) -> dict[str, list[int]]:
        """What seats rolled for initiative before the start, for ``enc.start(rolls=room.rolled)``."""
        return rolled(self.encounter)

    @property
    def join(self) -> Join:
        """How to join, for all at the table to see: where the page is; no link and no code."""
        return {"url": self.url, "qr": qr_of(self.url)}

    @property
    def sitters(self) -> list[Sitter]:
        """Who has a seat, whom they play, and whether they are there, for all at the table to see."""
        seats = [(seat, self.posts[seat.name]) for seat in self.seats if seat.name in self.posts]
        word = language_of(self.encounter).word
        return [
            {
                "name": each.name,
                "plays": [*each.plays],
                "here": bool(post.pages),
                "word": word("is here") if post.pages else word("not here") if post.left else word("not here yet"),
            }
            for each, post in seats
            if post.role == "seat"
        ]

    @property
    def requests(self) -> tuple[Request, ...]:
        """What seats want to do, where the GM confirms each."""
        return self.waiting.listed

    def confirm(self, number: int | None = None) -> None:
        """Let a seat do what it asked for; the one that asked first, if no number is given.

        It is done as soon as the cell that says so has ended: look at what came of it in the next.
        """
        self.waiting.settle(number, True)

    def decline(self, number: int | None = None) -> None:
        """Refuse a seat what it asked for; the one that asked first, if no number is given."""
        self.waiting.settle(number, False)

    def close(self) -> None:
        """Close the room: pages are told so, and nothing is served any more."""
        if self.closed:
            return
        self.closed = True
        _open.remove(self)
        self.table.requests = None
        for post in self.posts.values():
            self.later(post.end)
        self.news()
        self._server.close()
        self.desk.close()
        for name, post in self.posts.items():
            post.close()
            self.table.plays.pop(name, None)

    def __exit__(self, *_: object) -> None:
        """Close the room."""
        self.close()

    # ── what pages ask of it, in the server's loop ──

    def admits(self, origin: str, host: str, reached: str) -> bool:
        """Check whether a page of some origin may connect; see `Addresses.admits`."""
        return not self.closed and self._addresses.admits(origin, host, reached)

    def refuse(self, origin: str) -> None:
        """Let the GM know of a page that could not connect; see `Addresses.refuse`."""
        if not self.closed and self._addresses.refuse(origin):
            self.news()

    def seat_of(self, token: object) -> str | None:
        """Return whose a token is."""
        return self._kept.owner(token)

    # ── how it stands ──

    def settle(self) -> None:
        """Keep what the table has settled, and see whether only somebody hidden can act: then seats wait for the GM."""
        self._kept.follow()
        self._kept.note(self.table.passed, self.table.left_open)
        self.busy.settle(any(post.is_held or post.is_left for post in self.posts.values()))

    def _tell(self) -> None:
        for post in list(self.posts.values()):
            post.tell()

    def _refresh(self, in_a_cell: bool = False) -> None:
        for post in list(self.posts.values()):
            post.refresh(in_a_cell)

    def later(self, call: Callable[..., object], *args: object) -> None:
        """Call something soon in the server's loop, wherever this is; nothing once it has stopped."""
        try:
            self._server.loop.call_soon_threadsafe(call, *args)
        except RuntimeError:  # the server has stopped
            return

    def note(self, problem: str) -> None:
        """Keep what went wrong with a page, for whoever looks for it."""
        self._problems = [*self._problems[1 - _PROBLEMS :], problem]

    # ── what a notebook shows ──

    def news(self) -> None:
        """Let everybody look again who shows what happens here, where cells run."""
        self.desk.soon(self.table.look_again)

    def _asked(self) -> None:
        self.later(self._tell)
        self.news()

    def __repr__(self) -> str:
        """Say where it is, and who is there."""
        seats = self._kept.now.seats
        how = "closed" if self.closed else "paused" if self.paused else "open"
        there = sum(bool(post.pages) for post in self.posts.values())
        language = self.encounter._language
        here = language.several(f"{how}, {counted(len(seats), 'seat')}, {there} connected")
        return language.tell("<Room of {id} at {url}: {here}>", id=self.encounter.id, url=self.url, here=here)

    def _repr_mimebundle_(self, **kwargs: object) -> object:
        """Return what a notebook shows: a panel, which holds no link."""
        from combatkit.share.panel import RoomPanel

        panel = RoomPanel(self)
        self.table.onlookers.add(panel)
        return panel._repr_mimebundle_(**kwargs)


_open: list[Room] = []
"""The rooms that are open in this kernel."""


def room_of(encounter: Encounter) -> Room | None:
    """Return the room in which a fight is shared from here, if it is."""
    return next((room for room in _open if room.encounter is encounter), None)


def room_before(encounter: Encounter) -> Room | None:
    """Return the room that ends as a fight is shared: of one in its journal that is over. A branch takes no place."""
    if (store := journal_of(encounter)) is None or encounter.parent is not None:
        return None
    for room in _open:
        theirs = journal_of(room.encounter)
        if theirs is not None and theirs.path == store.path and room.encounter._state.stage == "over":
            return room
    return None
