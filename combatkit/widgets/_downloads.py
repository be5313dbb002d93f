"""What a game master takes home from a tracker: made here, sent in parts, saved by the browser and never by us."""

from __future__ import annotations

import re
from base64 import b64encode
from collections.abc import Callable, Iterator
from time import monotonic
from typing import Literal

from combatkit.core.limits import ANSWER, TOLD
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.fight import Encounter
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._table import table_of
from combatkit.widgets._vantage import Vantage

_PART = ANSWER * 2 // 3
"""How many bytes a part has; as text, a third more."""

_SLICE = 0.2
"""How many seconds are spent on one part; what is not made by then comes with the next."""

_LONGEST = 60
"""How many characters of what a fight is called go into a file's name."""


def _page(fight: Encounter, seen: str = "gm", seat: str = "") -> Iterator[bytes]:
    from combatkit.widgets.page import pieces

    return (piece.encode() for piece in pieces(fight, seen, fight.title or fight._called, seat))


def _log(fight: Encounter) -> Iterator[bytes]:
    document = fight.log()
    yield b""  # of a long fight each half takes a while
    yield document.markdown.encode()


def _roster(fight: Encounter) -> Iterator[bytes]:
    frame = fight.roster()
    filled = {name for name in frame.columns if any(cell is not None for cell in frame[name].to_list())}
    said = [name for name in frame.columns if name in filled | {"name", "side"}]
    return iter([frame.select(said).write_csv().encode()])


def _copy(fight: Encounter) -> Iterator[bytes]:
    from combatkit.journal.opening import copy_lines

    return copy_lines(fight)


_MADE: dict[str, tuple[str, str, Callable[..., Iterator[bytes]]]] = {
    "page": ("html", "text/html", _page),
    "log": ("md", "text/markdown", _log),
    "roster": ("csv", "text/csv", _roster),
    "copy": ("fight", "application/json", _copy),
}
"""What can be taken home: the file's ending, its kind, and what makes it."""


_CALLS = {"page": "to_html({!r})", "log": "log().write({!r})"}
"""What writes a file that would keep the table waiting."""


def file_name(called: str, ending: str) -> str:
    """Return a file's name for a fight: plain on any machine, whatever the fight is called.

    Examples
    --------
    >>> file_name("saga-2@31", "html"), file_name("../../etc: passwd", "md"), file_name("決闘", "csv")
    ('saga-2-31.html', 'etc-passwd.md', 'fight.csv')
    """
    plain = re.sub(r"[^A-Za-z0-9_-]+", "-", called).strip("-")[:_LONGEST].rstrip("-")
    reserved = re.fullmatch(r"(?i)con|prn|aux|nul|com\d|lpt\d", plain)
    return f"{'fight-' if reserved else ''}{plain or 'fight'}.{ending}"


class Download:
    """A download under way: its parts are asked for one after the other.

    Parameters
    ----------
    fight : Encounter
        What it is made from, as it stands now.
    what : str
        ``"page"``, ``"log"``, ``"roster"`` or ``"copy"``.
    seen, seat : str
        Whose page it is: ``"gm"`` or ``"players"``; with the latter also whoever sits at a seat.

    Raises
    ------
    UnknownName
        For another word, or a seat that isn't there.
    InvalidInput
        For the page or the log of a fight with very many events.
    """

    def __init__(self, fight: Encounter, what: str, seen: str = "gm", seat: str = "") -> None:
        if what not in _MADE:
            raise UnknownName.of("download", what, _MADE)
        if seat and seat not in table_of(fight).plays:
            raise UnknownName.of("seat", seat, table_of(fight).plays)
        ending, self.type, make = _MADE[what]
        self.what = what
        whose = seat or ("players" if seen == "players" else "")
        self.name = file_name(f"{fight.title or fight._called} {whose}".strip(), ending)
        self.next = 0
        self.events = len(fight._events)
        if what in _CALLS and self.events > TOLD:
            call = f"tracker.encounter.{_CALLS[what].format(self.name)}"
            raise InvalidInput(f"This fight has {self.events:,} events: {call} in a cell writes its {what}.")
        self._made = make(fight, seen, seat) if what == "page" else make(fight)
        self._left = bytearray()
        self._is_made = False

    def part(self) -> tuple[bytes, bool]:
        """Return the next part, and whether it is the last."""
        until = monotonic() + _SLICE
        while not self._is_made and len(self._left) < _PART:
            piece = next(self._made, None)
            self._left += piece or b""
            self._is_made = piece is None
            if monotonic() > until:
                break
        part = bytes(self._left[:_PART])
        del self._left[:_PART]
        self.next += 1
        return part, self._is_made and not self._left


class AskDownload(Message, frozen=True, tag="download"):
    """Ask for a part of a file to keep: ``"page"``, ``"log"``, ``"roster"`` or ``"copy"``; part 0 makes it anew.

    A page is as the GM has `seen` it, the players, or whoever sits at a `seat`.
    """

    what: str
    part: int = 0
    seen: Literal["gm", "players"] = "gm"
    seat: str = ""

    def carry(self, vantage: Vantage) -> Answer:
        """Return the part; one file is under way at a time, and it is forgotten with its last part."""
        if self.part == 0:
            vantage.download = None
            seen = "players" if self.seat else self.seen
            vantage.download = Download(vantage.encounter, self.what, seen, self.seat)
        found = vantage.download
        if found is None or (found.what, found.next) != (self.what, self.part):
            raise InvalidInput(f"part {short(self.part)} of {short(self.what)} isn't the next one; start with part 0")
        vantage.download = None
        if found.events != len(vantage.encounter._events):
            raise InvalidInput("The fight moved on while it was being saved. Save it again.")
        part, is_last = found.part()
        vantage.download = None if is_last else found
        data = b64encode(part).decode("ascii")
        told = {"what": self.what, "part": self.part, "name": found.name, "type": found.type}
        return {"kind": "download", **told, "data": data, "last": is_last}
