"""A seat at the table, as it is given."""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from combatkit.text import ENGLISH, kit_language

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
    language : str
        The fight's.
    """

    name: str
    plays: tuple[str, ...]
    url: str
    language: str = ENGLISH

    def __repr__(self) -> str:
        """Say whose it is; a link is a secret, and is shown only when it is asked for."""
        language = kit_language(self.language)
        plays = ", ".join(self.plays) or language.word("nobody")
        return language.tell("<Seat {name}: plays {plays}>", name=self.name, plays=plays)


Role = Literal["seat", "screen", "gm"]
"""What a seat is for."""
