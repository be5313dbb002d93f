"""Messages about a file that is dropped on a tracker: its pieces, its review, and what is added from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import Struct

from combatkit.core.limits import ANSWER
from combatkit.core.plain import counted
from combatkit.errors import InvalidInput
from combatkit.fight.commands import Rolls
from combatkit.rules.typed import sheet_line
from combatkit.widgets._fit import LINE, cut, first
from combatkit.widgets._message import Answer, Message

if TYPE_CHECKING:
    import polars as pl

    from combatkit.fight.fight import Encounter
    from combatkit.files.rosters import RosterRow
    from combatkit.rules.ruleset import Ruleset
    from combatkit.shelf.dropped import Dropped, Entry
    from combatkit.widgets._vantage import Vantage

_ROOM = ANSWER * 3 // 4
_ROWS = 100
"""How many rows of a file are reviewed: to reach a later one, put the file in the shelf's folder and search for it."""

_LEFT = 20
"""How many lines tell what is left out for one combatant."""


class File(Message, frozen=True, tag="file"):
    """Send a piece of a file as base64, from byte `at` on; one file at a time, its pieces in order."""

    name: str
    size: int
    at: int
    data: str

    def carry(self, vantage: Vantage) -> Answer:
        """Return how much has arrived; once the file is whole, what it holds, for review."""
        whole = vantage.drop.take(self.name, self.size, self.at, self.data)
        if whole is None:
            return {"kind": "file", "at": vantage.drop.come}
        from combatkit.files.paths import begins_journal
        from combatkit.journal.opening import load_content
        from combatkit.shelf.dropped import read_dropped

        if begins_journal(whole):
            copy = vantage.drop.copy = load_content(self.name, whole)
            return {"kind": "file", "at": self.size, "copy": _copy(vantage, self.name, copy)}
        rules = vantage.encounter.ruleset
        read = vantage.drop.read = read_dropped(self.name, whole, rules)
        return {"kind": "file", "at": self.size, "review": {**_review(rules, read), "keeps": vantage.keeps}}


def _copy(vantage: Vantage, name: str, copy: Encounter) -> Answer:
    now = copy._whole()
    who = f", {now.active}'s turn" if now.active else ""
    says = f"{copy.ruleset.title}: {now.clock.label}{who}, {counted(len(now.names), 'combatant')}"
    return {"file": cut(name, LINE), "says": cut(says, LINE), "leaves": _is_left(vantage)}


def _is_left(vantage: Vantage) -> bool:
    """Check whether anybody is in the fight that is shown while no file keeps it."""
    fight = vantage.encounter
    return bool(fight.names) and vantage.journal is None


class OpenCopy(Message, frozen=True, tag="open"):
    """Go on with the saved fight under review; one that is being set up and kept nowhere is left only with `leave`."""

    leave: bool = False

    def carry(self, vantage: Vantage) -> None:
        """Turn to it; where fights are kept in a journal, it is kept there too."""
        from combatkit.journal.opening import held_ids, keep

        copy = vantage.drop.copy
        if copy is None:
            raise InvalidInput("no saved fight is under review; choose its file first")
        if vantage.encounter._state.stage != "setup":
            raise InvalidInput("A fight is under way here. Open the saved one in another tracker.")
        if _is_left(vantage) and not self.leave:
            raise InvalidInput("The fight set up here isn't kept in a file. Press again to leave it.")
        if (file := vantage.journal) is not None:
            if copy.id in held_ids(file):
                call = f"ck.Tracker(ck.Encounter.open({file.name!r}, {copy.id!r}))"
                raise InvalidInput(f"{file.name} already holds this fight. In a cell, {call} opens it.")
            keep(copy, file)
        vantage.drop.forget()
        vantage.adopt(copy)


def _review(rules: Ruleset, read: Dropped) -> Answer:
    shown = first((_shown(rules, number, entry) for number, entry in enumerate(read.entries[:_ROWS])), _ROOM)
    found = sum(_count(entry) for entry in read.entries)
    told = {"file": cut(read.file, LINE), "title": read.title, "found": found}
    return {**told, "rows": shown, "more": len(read.entries) - len(shown)}


def _count(entry: Entry) -> int:
    """Return how many combatants a row is."""
    count: int = entry.row.get("count") or 1
    return count


def _shown(rules: Ruleset, number: int, entry: Entry) -> Answer:
    return {
        "row": number,
        "name": entry.row["name"],
        "side": entry.row.get("side") or "",
        "count": _count(entry),
        "says": cut(sheet_line(rules, entry.row), LINE),
        "unused": cut(entry.unused, LINE),
        "left": [cut(each, LINE) for each in entry.left[:_LEFT]],
        "more": max(0, len(entry.left) - _LEFT),
        "unread": [cut(each, LINE) for each in entry.unread[:_LEFT]],
        "asks": [{**each, "why": cut(each["why"], LINE)} for each in entry.asks],
    }


class Chosen(Struct, frozen=True, forbid_unknown_fields=True):
    """One row of a file to add: on which side, with what answers, among them a name where it is another."""

    row: int
    side: str = ""
    given: dict[str, str] = {}


class Bring(Message, frozen=True, tag="bring"):
    """Add rows of the file under review: by their numbers, each with its side and the answers to what was asked.

    With `keep` they are kept on the shelf too, as a roster of their own.
    """

    rows: list[Chosen]
    rolls: Rolls = None
    keep: bool = False

    def carry(self, vantage: Vantage) -> None:
        """Add them all, or none; in a fight they join it."""
        fight, comers = vantage.encounter, self.comers(vantage)
        if self.keep and not vantage.keeps:
            raise InvalidInput("this tracker's shelf has no folder to keep anybody in; give it one with shelf=")
        if fight._state.stage == "setup":
            fight.add_roster(self._roster(vantage))
        else:
            fight._join_all(comers, self.rolls)
        file = vantage.drop.read.file if vantage.drop.read is not None else ""
        vantage.drop.forget()
        if self.keep:
            vantage.shelf._keep_file(file, fight.ruleset, comers)

    def comers(self, vantage: Vantage) -> Sequence[RosterRow]:
        """Return those who are meant, as they will come into the fight."""
        from combatkit.files.rosters import read_roster

        return read_roster(vantage.encounter.ruleset, self._roster(vantage))

    def _roster(self, vantage: Vantage) -> pl.DataFrame:
        read, fight = vantage.drop.read, vantage.encounter
        if read is None:
            raise InvalidInput("no file is under review; choose one first")
        if read.system != fight.ruleset.id:
            raise InvalidInput(f"{read.file} was read for {read.system}; choose it again for {fight.ruleset.id}")
        return read.roster(fight.ruleset, [(each.row, each.side, each.given) for each in self.rows])
