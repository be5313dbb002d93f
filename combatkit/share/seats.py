"""A seat at the table, as it is given."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

SEATS = 64
"""As many as a room has."""

NAME = 60
"""As long as a seat's name may be."""


class Seat(Struct, frozen=True):
    """A place at the table.

    Parameters
    ----------
    name : str
        Who sits there.
    plays : tuple of str
        Whom they play.
    url : str
        The link: whoever has it sits there. It ends as a code is used; ``room.seat(name).url`` holds.
    """

    name: str
    plays: tuple[str, ...]
    url: str

    def __repr__(self) -> str:
        """Say whose it is; a link is a secret, and is shown only when it is asked for."""
        return f"<Seat {self.name}: plays {', '.join(self.plays) or 'nobody'}>"


Role = Literal["seat", "screen", "gm"]
"""What a seat is for."""
