"""The room as a widget: who sits where, links on demand, and what seats ask the GM."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING, Literal

from combatkit.core.plain import counted
from combatkit.errors import InvalidInput
from combatkit.report.table import html_table
from combatkit.share.addresses import qr_of
from combatkit.share.shapes import RoomSeat, RoomView
from combatkit.text import Language
from combatkit.widgets._base import ViewWidget, bundle
from combatkit.widgets._message import Answer, Message, tagged
from combatkit.widgets._table import passed_in
from combatkit.widgets._tongue import language_at, names_in
from combatkit.widgets._vantage import Vantage

if TYPE_CHECKING:
    from combatkit.share.post import Post
    from combatkit.share.room import Room
    from combatkit.share.seats import Seat

_SAYS = {"seat": "nobody yet", "screen": "nobody: ladder and results", "gm": "whatever the GM may do"}


class AskLink(Message, frozen=True, tag="link"):
    """Show a seat's link: the picture, and a code to type."""

    seat: str

    def carry(self, vantage: RoomPanel) -> Answer:
        """Return the link; it stands in no view, so that no notebook keeps it."""
        return vantage.link(self.seat)


class Renew(Message, frozen=True, tag="renew"):
    """Give a seat a new link, and end the one it had."""

    seat: str

    def carry(self, vantage: RoomPanel) -> Answer:
        """Renew it."""
        vantage.room.renew(self.seat)
        return vantage.link(self.seat)


class RenewAstray(Message, frozen=True, tag="codes"):
    """Give every seat whose link leads elsewhere a new one, and show a code for each."""

    def carry(self, vantage: RoomPanel) -> Answer:
        """Renew them; no code stands in a view."""
        room = vantage.room
        codes = [[name, (room.renew(name), room.code(name))[1]] for name in room.astray]
        return {"kind": "codes", "codes": codes}


class Move(Message, frozen=True, tag="address"):
    """Give out another of this machine's addresses."""

    host: str

    def carry(self, vantage: RoomPanel) -> None:
        """Give it out."""
        vantage.room.move(self.host)


class NewSeat(Message, frozen=True, tag="seat"):
    """Make a seat."""

    name: str
    plays: list[str]

    def carry(self, vantage: RoomPanel) -> Answer:
        """Make it, and show its link."""
        if known := vantage.room.known(self.name):
            raise InvalidInput(f"{known} has a seat already; its link is in the list")
        return vantage.link(vantage.room.seat(self.name, self.plays).name)


class NewScreen(Message, frozen=True, tag="screen"):
    """Make a seat for the table's screen, or for a second screen of the GM's."""

    role: Literal["screen", "gm"]

    def carry(self, vantage: RoomPanel) -> Answer:
        """Make it, and show its link."""
        room = vantage.room
        return vantage.link((room.gm() if self.role == "gm" else room.screen()).name)


class Revoke(Message, frozen=True, tag="revoke"):
    """End a seat."""

    seat: str

    def carry(self, vantage: RoomPanel) -> None:
        """End it."""
        vantage.room.revoke(self.seat)


class Choose(Message, frozen=True, tag="choose"):
    """Choose how the fight is shared: whether seats are paused, roll their own dice, or ask before they do anything."""

    what: Literal["paused", "throws", "asks"]
    on: bool

    def carry(self, vantage: RoomPanel | Post) -> None:
        """Note it."""
        vantage.room.choose(**{self.what: self.on})


class Settle(Message, frozen=True, tag="settle"):
    """Let a seat do what it asked for, or refuse it."""

    number: int
    yes: bool

    def carry(self, vantage: RoomPanel) -> None:
        """Say so."""
        room = vantage.room
        (room.confirm if self.yes else room.decline)(self.number)


class Close(Message, frozen=True, tag="close"):
    """Close the room."""

    def carry(self, vantage: RoomPanel) -> None:
        """Close it."""
        vantage.room.close()


class RoomPanel(ViewWidget):
    """A room as its GM sees it; what it shows holds no link and no code.

    Parameters
    ----------
    room : Room
        The room.
    """

    _esm = bundle("room.js")
    _css = bundle("room.css")
    _kinds = tagged(AskLink, Renew, RenewAstray, Move, NewSeat, NewScreen, Revoke, Choose, Settle, Close)

    def __init__(self, room: Room) -> None:
        self.room = room
        self._vantage = Vantage(room.encounter)
        super().__init__(self._view)
        self._vantage.add(self)

    @property
    def language(self) -> Language:
        """The fight's language."""
        return language_at(self._vantage)

    @property
    def _names(self) -> list[str]:
        return [*names_in(self._vantage), *(seat.name for seat in self.room.seats if seat.plays)]

    def link(self, name: str) -> Answer:
        """Return a seat's link, with a new code."""
        seat = next((each for each in self.room.seats if each.name == name), None)
        if seat is None or not seat.url:
            raise InvalidInput(f"no link of {name!r} can be shown; give them a new one")
        whose = f"Whoever has it plays {' and '.join(seat.plays)}: hand it to {name} only." if seat.plays else ""
        code = self.room.code(name)
        return {"kind": "link", "seat": name, "whose": whose, "url": seat.url, "code": code, "qr": qr_of(seat.url)}

    def _view(self) -> RoomView:
        room = self.room
        fighters = room.encounter._state.fighters
        played = {who for seat in room.seats for who in seat.plays}
        unplayed = [each for each in fighters.values() if each.name not in played]
        return {
            "seats": [self._seat(seat, room.posts[seat.name]) for seat in room.seats if seat.name in room.posts],
            "unplayed": [each.name for each in unplayed if not each.npc],
            "requests": [{"number": r.number, "seat": r.seat, "words": r.words} for r in room.requests],
            "paused": room.chosen.paused,
            "closed": room.closed,
            "dice": room.chosen.throws,
            "asks": room.chosen.asks,
            "notice": room.openness,
            "astray": room.lost,
            "url": room.url,
            "elsewhere": [*room.elsewhere],
        }

    def _seat(self, given: Seat, post: Post) -> RoomSeat:
        state, plays = self.room.encounter._state, given.plays
        here, gone, role = bool(post.pages), post.left, post.role
        sides = self._vantage.sides
        seat: RoomSeat = {
            "name": given.name,
            "role": role,
            "plays": [[who, sides[state.fighters[who].side]] for who in plays if who in state.fighters],
            "says": _SAYS[role],
            "mark": "check" if here else "slash" if gone else "wait",
            "state": "connected" if here else "" if gone else "not here yet",
            "here": here,
            "code": bool(given.url),
        }
        if gone and not here:
            seat["gone"] = gone
        if given.name in self.room.codes.used:
            seat["used"] = True
        doing = self._doing(plays)
        if doing:
            if here and doing not in (_TURN, _GONE):
                seat["mark"] = "bang"
            seat["state"] = "; ".join(filter(None, [seat["state"], doing])) if here else f"{seat['state']}; {doing}"
        return seat

    def _doing(self, plays: tuple[str, ...]) -> str:
        enc = self.room.encounter
        asked = list(dict.fromkeys([offer.who for offer in enc.pending if offer.who in plays]))
        gone = passed_in(enc, enc._state.window)
        if still := [name for name in asked if name not in gone]:
            return f"asked: {', '.join(still)}"
        return _GONE if asked else _TURN if enc.active in plays else ""

    def _answer(self, content: object) -> dict[str, object] | None:
        answer = super()._answer(content)
        self.look_again()  # a link is shown in its seat's line: the line comes first
        return answer

    def _about(self) -> str:
        return f"{self.room.encounter.id}, {counted(len(self.room.seats), 'seat')}"

    def _static(self) -> str:
        rows = (
            (
                seat["name"] if seat["plays"] else self._word(seat["name"]),
                ", ".join(str(who) for who, _ in seat["plays"]) or self._word(seat["says"]),
                self._word(seat["state"]),
            )
            for seat in self._view()["seats"]
        )
        heads = map(self._word, ("Seat", "Plays", "State"))
        return html_table(self._word("Seats"), heads, (map(escape, row) for row in rows), left=True)


_TURN, _GONE = "has the turn", "lets it go"
