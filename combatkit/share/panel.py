"""The room as a widget: who sits where, links on demand, and what seats ask the GM."""

from __future__ import annotations

from typing import TYPE_CHECKING

import segno

from combatkit.errors import InvalidInput
from combatkit.report.table import html_table
from combatkit.share.shapes import RoomSeat, RoomView
from combatkit.widgets._base import ViewWidget, bundle
from combatkit.widgets._intents import hear
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._vantage import Vantage

if TYPE_CHECKING:
    from combatkit.share.room import Room

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


class NewSeat(Message, frozen=True, tag="seat"):
    """Make a seat."""

    name: str
    plays: list[str]

    def carry(self, vantage: RoomPanel) -> Answer:
        """Make it, and show its link."""
        if any(seat.name == self.name for seat in vantage.room.seats):
            raise InvalidInput(f"{self.name} has a seat already; its link is in the list")
        return vantage.link(vantage.room.seat(self.name, self.plays).name)


class NewScreen(Message, frozen=True, tag="screen"):
    """Make a seat for the table's screen."""

    def carry(self, vantage: RoomPanel) -> Answer:
        """Make it, and show its link."""
        return vantage.link(vantage.room.screen().name)


class NewGM(Message, frozen=True, tag="gm"):
    """Make a seat for a second screen of the GM's."""

    def carry(self, vantage: RoomPanel) -> Answer:
        """Make it, and show its link."""
        return vantage.link(vantage.room.gm().name)


class Revoke(Message, frozen=True, tag="revoke"):
    """End a seat."""

    seat: str

    def carry(self, vantage: RoomPanel) -> None:
        """End it."""
        vantage.room.revoke(self.seat)


class Pause(Message, frozen=True, tag="pause"):
    """Pause all seats, or let them go on."""

    on: bool

    def carry(self, vantage: RoomPanel) -> None:
        """Pause them."""
        vantage.room.pause(self.on)


class RollTheirs(Message, frozen=True, tag="dice"):
    """Say whether seats roll their own dice."""

    on: bool

    def carry(self, vantage: RoomPanel) -> None:
        """Note it."""
        vantage.room.throws(self.on)


class AskFirst(Message, frozen=True, tag="ask"):
    """Say whether the GM confirms what seats do."""

    on: bool

    def carry(self, vantage: RoomPanel) -> None:
        """Note it."""
        vantage.room.asks_first = self.on


class Confirm(Message, frozen=True, tag="confirm"):
    """Let a seat do what it asked for."""

    number: int

    def carry(self, vantage: RoomPanel) -> None:
        """Let it."""
        vantage.room.confirm(self.number)


class Decline(Message, frozen=True, tag="decline"):
    """Refuse a seat what it asked for."""

    number: int

    def carry(self, vantage: RoomPanel) -> None:
        """Refuse it."""
        vantage.room.decline(self.number)


class Close(Message, frozen=True, tag="close"):
    """Close the room."""

    def carry(self, vantage: RoomPanel) -> None:
        """Close it."""
        vantage.room.close()


_ASKS = (AskLink, Renew, NewSeat, NewScreen, NewGM, Revoke, Pause, RollTheirs, AskFirst, Confirm, Decline, Close)
_KINDS: dict[str, type[Message]] = {str(each.__struct_config__.tag): each for each in _ASKS}


class RoomPanel(ViewWidget):
    """A room as its GM sees it; what it shows holds no link and no code.

    Parameters
    ----------
    room : Room
        The room.
    """

    _esm = bundle("room.js")
    _css = bundle("room.css")

    def __init__(self, room: Room) -> None:
        self.room = room
        self._vantage = Vantage(room.encounter)
        super().__init__(self._view)
        self._vantage.add(self)

    def link(self, name: str) -> Answer:
        """Return a seat's link, with a new code."""
        seat = next((each for each in self.room.seats if each.name == name), None)
        if seat is None or not seat.url:
            raise InvalidInput(f"no link of {name!r} can be shown; give them a new one")
        whose = f"Whoever has it plays {' and '.join(seat.plays)}: hand it to {name} only." if seat.plays else ""
        rows = ["".join("1" if dark else "0" for dark in row) for row in segno.make(seat.url, micro=False).matrix]
        code = self.room.code(name)
        return {"kind": "link", "seat": name, "whose": whose, "url": seat.url, "code": code, "qr": rows}

    def _view(self) -> RoomView:
        room = self.room
        fighters = room.encounter._state.fighters
        played = {who for seat in room.seats for who in seat.plays}
        unplayed = [each for each in fighters.values() if each.name not in played]
        return {
            "seats": [self._seat(seat.name, seat.plays, bool(seat.url)) for seat in room.seats],
            "unplayed": [each.name for each in unplayed if not each.npc],
            "requests": [{"number": r.number, "seat": r.seat, "words": r.words} for r in room.requests],
            "paused": room.paused,
            "closed": room.closed,
            "dice": room.dice == "seats",
            "asks": room.asks_first,
            "notice": room.notice,
        }

    def _seat(self, name: str, plays: tuple[str, ...], has_link: bool) -> RoomSeat:
        room, state = self.room, self.room.encounter._state
        here, gone = room.pages.is_open(name), room.pages.left_at(name)
        sides = self._vantage.sides
        role = room.role(name)
        seat: RoomSeat = {
            "name": name,
            "role": role,
            "plays": [[who, sides[state.fighters[who].side]] for who in plays if who in state.fighters],
            "says": _SAYS[role],
            "mark": "check" if here else "slash" if gone else "wait",
            "state": "connected" if here else "" if gone else "not here yet",
            "here": here,
            "code": has_link,
        }
        if gone and not here:
            seat["gone"] = gone
        doing = self._doing(plays)
        if doing:
            if here and doing != _TURN:
                seat["mark"] = "bang"
            seat["state"] = "; ".join(filter(None, [seat["state"], doing])) if here else f"{seat['state']}; {doing}"
        return seat

    def _doing(self, plays: tuple[str, ...]) -> str:
        enc = self.room.encounter
        asked = [offer.who for offer in enc.pending if offer.who in plays]
        return f"asked: {', '.join(asked)}" if asked else _TURN if enc.active in plays else ""

    def _answer(self, content: object) -> dict[str, object] | None:
        answer = hear(self, content, _KINDS)
        self.look_again()  # a link is shown in its seat's line: the line comes first
        return answer

    def _about(self) -> str:
        return f"{self.room.encounter.id}, {len(self.room.seats)} seats"

    def _static(self) -> str:
        rows = [
            [seat["name"], ", ".join(str(who) for who, _ in seat["plays"]) or seat["says"], seat["state"]]
            for seat in self._view()["seats"]
        ]
        return html_table("Seats", ("Seat", "Plays", "State"), rows, left=True)


_TURN = "has the turn"
