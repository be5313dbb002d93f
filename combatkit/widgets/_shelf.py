"""The shelf in the tracker: creatures, parties and scenes are found by name; their stats never leave Python."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import msgspec

from combatkit.core.model import State
from combatkit.errors import InvalidInput, UnknownName
from combatkit.fight.commands import Rolls
from combatkit.fight.fight import Arrival, Comer, next_number
from combatkit.files.creatures import armed_in
from combatkit.rules.typed import sheet_line
from combatkit.widgets._fit import LINE, PART, cut, first
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._tongue import language_at

if TYPE_CHECKING:
    import polars as pl

    from combatkit.rules.ruleset import Ruleset
    from combatkit.shelf.items import Item
    from combatkit.study.scenes import Scene
    from combatkit.widgets._vantage import Vantage

_FOUND = 12
"""How many creatures, and parties, are listed at once; if there are more, one more letter finds the right one."""


class AskShelf(Message, frozen=True, tag="shelf"):
    """Ask for creatures and parties on the shelf by words in their names, and for the scenes."""

    words: str = msgspec.field(name="text", default="")
    whole: bool = msgspec.field(name="all", default=False)

    def carry(self, vantage: Vantage) -> Answer:
        """Return the first few or the whole, how many there are, and how many belong to other rules."""
        rules, shelf = vantage.encounter.ruleset, vantage.shelf
        word = language_at(vantage).word
        found = shelf._named(self.words, rules.id, word)
        parties = shelf.parties(self.words, system=rules.id)
        scenes = [[each.id, each.name] for each in _scenes(vantage).values()]
        return {
            "kind": "shelf",
            "rows": first((_creature(each, rules, word) for each in found[: None if self.whole else _FOUND]), PART),
            "parties": first(
                (
                    {"name": row["name"], "source": row["source"], "says": cut(", ".join(row["names"]), LINE)}
                    for row in parties.head(_FOUND).iter_rows(named=True)
                ),
                PART,
            ),
            "found": len(found),
            "others": len(shelf._named(self.words, None, word)) - len(found),
            "scenes": first(scenes, PART),
        }


def _creature(item: Item, rules: Ruleset, word: Callable[[str], str]) -> Answer:
    """Return a creature as it is listed; what the kit calls its own has words in the fight's language."""
    from combatkit.shelf.items import KIT

    row: Answer = {"name": item.name, "source": item.source}
    if item.source != KIT or item.row is None:
        return {**row, "says": cut(item.says, LINE)}
    told = {"title": title} if (title := word(item.name)) != item.name else {}
    return {**row, **told, "says": cut(sheet_line(rules, armed_in(item.row.stats, word)), LINE)}


class Take(Message, frozen=True, tag="take"):
    """Bring in a creature from the shelf, one or several alike, or (with no name) a whole party from its file.

    If no side is given, a party keeps the sides of its roster.
    """

    source: str
    name: str | None = None
    side: str = ""
    count: int = 1
    rolls: Rolls = None

    def carry(self, vantage: Vantage) -> None:
        """Add them, or let them join the fight."""
        fight = vantage.encounter
        if fight._state.stage != "setup":
            fight._join_all(self.comers(vantage), self.rolls)
        elif self.name is None:
            fight.add_roster(sided(vantage.shelf.party(self.source, fight.ruleset.id), self.side))
        else:
            fight._add_all(self.comers(vantage), f"Add {self.name}")

    def comers(self, vantage: Vantage) -> Sequence[Comer]:
        """Return those who are meant, as they will come into the fight, under names that are free."""
        fight, system = vantage.encounter, vantage.encounter.ruleset.id
        if self.name is None:
            from combatkit.files.rosters import read_roster

            return read_roster(fight.ruleset, sided(vantage.shelf.party(self.source, system), self.side))
        taken = vantage.shelf.take(self.name, self.count, system, source=self.source)
        from combatkit.shelf.items import KIT

        if self.source == KIT:
            word = language_at(vantage).word
            taken = {**armed_in(taken, word), "name": word(taken["name"])}
        name, number = taken["name"], next_number(fight._state.fighters, taken["name"])
        again = {"name": f"{name} {number}", "group": name} if self.count == 1 < number else {}
        return [Arrival.of({**taken, "side": self.side, **again})]


def sided(roster: pl.DataFrame, side: str) -> pl.DataFrame:
    """Return a roster with everybody on one side, if one is named."""
    from combatkit.frames import pl

    return roster.with_columns(pl.Series("side", [side] * roster.height, pl.String)) if side else roster


def _scenes(vantage: Vantage) -> dict[str, Scene]:
    """Return the scenes that the fight's ruleset can express, by id."""
    rules = vantage.encounter.ruleset
    return {each.id: each for each in vantage.shelf.scenes if each.system in (None, rules.id) and _fits(each, rules)}


def _fits(scene: Scene, rules: Ruleset) -> bool:
    try:
        mapping = scene.mapping(rules)
    except InvalidInput:  # a ruleset without one
        return False
    return "surprise" in mapping or all(participant.aware for participant in scene.participants)


class LoadScene(Message, frozen=True, tag="scene"):
    """Set up one of the shelf's scenes in a fight with nobody in it yet."""

    scene: str

    def carry(self, vantage: Vantage) -> None:
        """Turn to a fight with everybody of the scene in it."""
        fight = vantage.encounter
        if fight.names or fight._state.stage != "setup":
            raise InvalidInput("a scene goes into an empty fight; remove the combatants first")
        fitting = _scenes(vantage)
        if self.scene not in fitting:
            raise UnknownName.of("scene", self.scene, fitting, owner=fight.ruleset.id)
        options = fight._state.options
        more: dict[str, Any] = {"journal": vantage.journal, "language": fight._state.language}
        scene = fitting[self.scene].set_up(fight.ruleset, options=options, localized=True, **more)
        scene._settle_as(fight)
        vantage.adopt(scene)


class Keep(Message, frozen=True, tag="keep"):
    """Keep a side as a party: a roster in the shelf's folder, by a bare name."""

    name: str
    side: str

    def carry(self, vantage: Vantage) -> Answer:
        """Return the file's name."""
        return {"kind": "keep", "file": vantage.shelf.keep(self.name, vantage.encounter, self.side).name}


class ClearFoes(Message, frozen=True, tag="clear"):
    """Keep a side and clear everybody else: in the set-up, or for a new fight once one is over."""

    side: str
    rested: bool = True
    """Whether they begin the new one as they came into this; else as they are now."""

    def carry(self, vantage: Vantage) -> None:
        """Let the others go."""
        fight = vantage.encounter
        state = fight._state
        if state.stage == "running":
            raise InvalidInput("the fight is running; end it first")
        staying = [f.name for f in state.fighters.values() if f.side == self.side and f.effect("left") is None]
        if not staying:
            raise UnknownName.of("side", self.side, dict.fromkeys(f.side for f in state.fighters.values()))
        if state.stage == "over":
            vantage.adopt(fight.restart(names=staying, journal=vantage.journal, rested=self.rested))
            return
        fight.leave([name for name in state.fighters if name not in staying])


def party_of(state: State) -> str:
    """Return the side of the players' characters, if there are others to clear; else nothing."""
    here = [fighter for fighter in state.fighters.values() if fighter.effect("left") is None]
    side = next((fighter.side for fighter in here if not fighter.npc), "")
    return side if any(fighter.side != side for fighter in state.fighters.values()) else ""
