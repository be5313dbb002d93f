"""Shapes of what a room shows the GM: see ``docs/wire.md``. No link and no code is among them."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

_Played = Annotated[list[str | int], tuple[str, int]]
"""Somebody who is played, and the mark of their side."""


class RoomSeat(TypedDict):
    """A seat; `gone` says since when nobody is there, in milliseconds, where somebody was.

    Without `code` there is no link to show: the token was made before the kernel started. A code that was shown with it
    has been `used`.
    """

    name: str
    role: Literal["seat", "screen", "gm"]
    plays: list[_Played]
    says: str
    mark: Literal["check", "bang", "slash", "wait"]
    state: str
    here: bool
    code: bool
    gone: NotRequired[float]
    used: NotRequired[bool]


class RoomRequest(TypedDict):
    """What a seat wants to do, for the GM to confirm."""

    number: int
    seat: str
    words: str


class RoomView(TypedDict):
    """A room; `unplayed` are those whom no seat plays, and `astray` says which links lead elsewhere.

    It is at `url`, or under an address that this machine has `elsewhere`.
    """

    seats: list[RoomSeat]
    unplayed: list[str]
    requests: list[RoomRequest]
    paused: bool
    closed: bool
    dice: bool
    asks: bool
    notice: str
    astray: str
    url: str
    elsewhere: list[str]


class RoomData(RoomView):
    """The room as a front end has it."""

    revision: int
