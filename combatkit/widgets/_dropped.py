"""Messages about a file that is dropped on a tracker: its pieces, its review, and what is added of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from msgspec import Struct

from combatkit.core.limits import ANSWER
from combatkit.errors import InvalidInput
from combatkit.widgets._fit import cut, first
from combatkit.widgets._message import Answer, Message

if TYPE_CHECKING:
    from combatkit.shelf.dropped import Dropped, Entry
    from combatkit.widgets._seat import Seat

_ROOM = ANSWER * 3 // 4
_ROWS = 100
"""So many rows of a file are reviewed: whoever wants one of more puts the file on the shelf, and looks for it."""

_WORDS = 300
_LEFT = 20
"""So much of what is left out is told of one combatant, a line each."""


class File(Message, frozen=True, tag="file"):
    """Send a piece of a file as base64, from byte `at` on; one file at a time, its pieces in order."""

    name: str
    size: int
    at: int
    data: str

    def carry(self, seat: Seat) -> Answer:
        """Return how much has come; of the whole file, what it holds, for review."""
        whole = seat.drop.take(self.name, self.size, self.at, self.data)
        if whole is None:
            return {"kind": "file", "at": seat.drop.come}
        from combatkit.shelf.dropped import read_dropped

        read = seat.drop.read = read_dropped(self.name, whole, seat.encounter.ruleset)
        return {"kind": "file", "at": self.size, "review": _review(read)}


def _review(read: Dropped) -> Answer:
    shown = first((_shown(number, entry) for number, entry in enumerate(read.entries[:_ROWS])), _ROOM)
    return {"file": cut(read.file, _WORDS), "title": read.title, "rows": shown, "more": len(read.entries) - len(shown)}


def _shown(number: int, entry: Entry) -> Answer:
    left = [cut(each, _WORDS) for each in entry.left[:_LEFT]]
    if len(entry.left) > _LEFT:
        left.append(f"{len(entry.left) - _LEFT} more")
    return {
        "row": number,
        "name": entry.row["name"],
        "side": entry.row.get("side") or "",
        "count": entry.row.get("count") or 1,
        "says": cut(entry.says, _WORDS),
        "left": left,
        "asks": [{**each, "why": cut(each["why"], _WORDS)} for each in entry.asks],
    }


class Chosen(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a file that is added: on which side, and what was asked."""

    row: int
    side: str = ""
    given: dict[str, str] = {}


class Bring(Message, frozen=True, tag="bring"):
    """Add rows of the file under review: by their numbers, each with its side and the answers to what was asked."""

    rows: list[Chosen]

    def carry(self, seat: Seat) -> None:
        """Add them all, or none."""
        read, fight = seat.drop.read, seat.encounter
        if read is None:
            raise InvalidInput("no file is under review; choose one first")
        if read.system != fight.ruleset.id:
            raise InvalidInput(f"{read.file} was read for {read.system}; choose it again for {fight.ruleset.id}")
        fight.add_roster(read.roster(fight.ruleset, [(each.row, each.side, each.given) for each in self.rows]))
        seat.drop.forget()
