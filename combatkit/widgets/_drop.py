"""A file that is dropped on a tracker: put together piece by piece, in memory and nowhere else, one at a time."""

from __future__ import annotations

from base64 import b64decode
from binascii import Error
from typing import TYPE_CHECKING

from combatkit.core.limits import FILE, NAME
from combatkit.core.plain import is_text, short
from combatkit.errors import InvalidInput

if TYPE_CHECKING:
    from combatkit.fight.fight import Encounter
    from combatkit.shelf.dropped import Dropped


class Drop:
    """What has arrived of a file so far, and what was read of the last one.

    Attributes
    ----------
    copy : Encounter or None
        The fight of a saved copy that is under review.
    read : Dropped or None
        The file that is under review; forgotten when another begins to arrive, and when it has been used.
    """

    def __init__(self) -> None:
        self.read: Dropped | None = None
        self.copy: Encounter | None = None
        self._file = ("", 0)
        self._come = bytearray()

    @property
    def come(self) -> int:
        """How many bytes have arrived."""
        return len(self._come)

    def take(self, name: str, size: int, at: int, data: str, most: int = FILE) -> bytes | None:
        """Take one piece of a file of at most so many bytes, and return the whole when this was the last.

        Raises
        ------
        InvalidInput
            For a piece that is not the next, or is no piece of a file; what has arrived so far is forgotten.
        """
        come, file = (self._come, self._file) if at else (bytearray(), (name, size))
        self.forget()
        if not is_text(name, NAME) or not name.strip():
            raise InvalidInput(f"the file's name is {short(name)}; give text of 1 to {NAME} characters")
        if not 1 <= size <= most:
            words = "is empty" if size == 0 else f"has {size:,} bytes"
            raise InvalidInput(f"{short(name)} {words}; give a file of 1 to {most:,} bytes{in_a_cell(name)}")
        if (at, name, size) != (len(come), *file):
            raise InvalidInput(f"{short(name)} arrived out of order; choose it again")
        try:
            come += b64decode(data, validate=True)
        except (Error, ValueError):
            raise InvalidInput(f"a piece of {short(name)} is not base64; choose the file again") from None
        if not at < len(come) <= size:
            raise InvalidInput(f"{short(name)} didn't arrive whole; choose it again")
        if len(come) == size:
            return bytes(come)
        self._come, self._file = come, file
        return None

    def forget(self) -> None:
        """Forget all of it."""
        self.read = self.copy = None
        self._come = bytearray()


def in_a_cell(name: str) -> str:
    """Say how to open a saved copy, or a journal, that is too large to drop; for any other file, nothing.

    Examples
    --------
    >>> in_a_cell("docks.fight"), in_a_cell("crew.csv")
    ('. In a cell, ck.Tracker(ck.load("docks.fight")) opens it', '')
    """
    return f'. In a cell, ck.Tracker(ck.load("{name}")) opens it' if name.endswith((".fight", ".combat")) else ""
