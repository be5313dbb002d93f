"""The shelf in the tracker: creatures, parties and scenes are asked for by name; their stats never leave Python."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import msgspec

from combatkit.core.limits import ANSWER
from combatkit.core.model import State
from combatkit.errors import InvalidInput, UnknownName
from combatkit.widgets._fit import cut, first
from combatkit.widgets._message import Answer, Message

if TYPE_CHECKING:
    import polars as pl

    from combatkit.fight.encounter import Encounter
    from combatkit.rules.ruleset import Ruleset
    from combatkit.study.scenes import Scene
    from combatkit.widgets._seat import Seat

_FOUND = 12
"""So many creatures, and parties, are told at once: of more, another letter finds the right one."""

_SAYS = 200
_ROOM = ANSWER // 4


class AskShelf(Message, frozen=True, tag="shelf"):
    """Ask for creatures and parties on the shelf by words of their names, and for the scenes there are."""

    words: str = msgspec.field(name="text", default="")

    def carry(self, seat: Seat) -> Answer:
        """Return the first few, how many there are, and how many belong to other rules."""
        rules, shelf = seat.encounter.ruleset, seat.shelf
        found = shelf.search(self.words, system=rules.id)
        parties = shelf.parties(self.words, system=rules.id)
        scenes = [[each.id, each.name] for each in _scenes(seat).values()]
        return {
            "kind": "shelf",
            "rows": first((_creature(row) for row in found.head(_FOUND).iter_rows(named=True)), _ROOM),
            "parties": first((_party(row) for row in parties.head(_FOUND).iter_rows(named=True)), _ROOM),
            "found": found.height,
            "others": shelf.search(self.words).height - found.height,
            "scenes": first(scenes, _ROOM),
        }


def _creature(row: dict[str, Any]) -> Answer:
    return {"name": row["name"], "source": row["source"], "says": cut(row["says"], _SAYS)}


def _party(row: dict[str, Any]) -> Answer:
    return {"name": row["name"], "source": row["source"], "says": cut(", ".join(row["names"]), _SAYS)}


class Take(Message, frozen=True, tag="take"):
    """Bring in a creature of the shelf, several alike, or (with no name) a whole party from its file.

    Of a party, whoever is given no side is on that of the roster.
    """

    source: str
    name: str | None = None
    side: str = ""
    count: int = 1

    def carry(self, seat: Seat) -> None:
        """Add them, or let them join the fight."""
        fight, system = seat.encounter, seat.encounter.ruleset.id
        if self.name is None:
            bring(fight, seat.shelf.party(self.source, system), self.side)
            return
        taken = seat.shelf.take(self.name, self.count, system, source=self.source)
        name = taken["name"]
        names = free_names(fight._state, name, self.count)
        if names == as_added(name, self.count):
            (fight.add if fight._state.stage == "setup" else fight.join)(side=self.side, **taken)
        elif fight._state.stage != "setup":
            raise InvalidInput(f"{name!r} is in the fight already; bring another in by hand, under another name")
        else:
            from combatkit.files.rosters import roster_frame

            alike = {**taken, "count": 1, "side": self.side, "group": name}
            fight.add_roster(roster_frame(fight.ruleset, [{**alike, "name": each} for each in names]))


def as_added(name: str, count: int) -> list[str]:
    """Return the names that so many alike bear."""
    return [name] if count == 1 else [f"{name} {number}" for number in range(1, count + 1)]


def free_names(state: State, name: str, count: int) -> list[str]:
    """Return names for so many alike of which nobody bears one yet: numbered on from those who are there.

    Examples
    --------
    >>> import combatkit as ck
    >>> enc = ck.Encounter("saga", seed=1)
    >>> _ = enc.add("Nexu", side="wild", count=2)
    >>> free_names(enc._state, "Nexu", 1), free_names(enc._state, "Rat", 2)
    (['Nexu 3'], ['Rat 1', 'Rat 2'])
    """
    numbers = range(1, len(state.fighters) + 1)
    taken = [number for number in numbers if f"{name} {number}" in state.fighters]
    if not taken and name not in state.fighters:
        return as_added(name, count)
    last = max(taken, default=1)
    return [f"{name} {number}" for number in range(last + 1, last + count + 1)]


def bring(fight: Encounter, roster: pl.DataFrame, side: str) -> None:
    """Add everybody of a roster, on one side if it is said."""
    import polars as pl

    fight.add_roster(roster.with_columns(pl.lit(side).alias("side")) if side else roster)


def _scenes(seat: Seat) -> dict[str, Scene]:
    """Return the scenes that the fight's ruleset can express, by id."""
    rules = seat.encounter.ruleset
    return {each.id: each for each in seat.shelf.scenes if each.system in (None, rules.id) and _fits(each, rules)}


def _fits(scene: Scene, rules: Ruleset) -> bool:
    try:
        mapping = scene.mapping(rules)
    except InvalidInput:  # a ruleset without one
        return False
    return "surprise" in mapping or all(participant.aware for participant in scene.participants)


class LoadScene(Message, frozen=True, tag="scene"):
    """Set up one of the shelf's scenes, where nobody is in yet."""

    scene: str

    def carry(self, seat: Seat) -> None:
        """Turn to a fight with everybody of the scene in it."""
        fight = seat.encounter
        if fight.names or fight._state.stage != "setup":
            raise InvalidInput("a scene is loaded into an empty fight: remove the combatants first")
        fitting = _scenes(seat)
        if self.scene not in fitting:
            raise UnknownName.of(f"scene of {fight.ruleset.id}", self.scene, fitting)
        options = fight._state.options
        seat.adopt(fitting[self.scene].set_up(fight.ruleset, options=options, journal=seat.journal))


class Keep(Message, frozen=True, tag="keep"):
    """Keep a side as a party: a roster in the shelf's folder, by a bare name."""

    name: str
    side: str

    def carry(self, seat: Seat) -> Answer:
        """Return the file's name."""
        return {"kind": "keep", "file": seat.shelf.keep(self.name, seat.encounter, self.side).name}


class ClearFoes(Message, frozen=True, tag="clear"):
    """Keep a side and clear everybody else: in the set-up, or for a new fight after one that is over."""

    side: str

    def carry(self, seat: Seat) -> None:
        """Let the others go."""
        fight = seat.encounter
        state = fight._state
        if state.stage == "running":
            raise InvalidInput("the fight is running: end it first")
        staying = [f.name for f in state.fighters.values() if f.side == self.side and f.effect("left") is None]
        if not staying:
            raise UnknownName.of("side", self.side, dict.fromkeys(f.side for f in state.fighters.values()))
        if state.stage == "over":
            seat.adopt(fight.restart(names=staying, journal=seat.journal))
            return
        for name in [name for name in state.fighters if name not in staying]:
            fight.leave(name)


def party_of(state: State) -> str:
    """Return whose side players' characters are on, if others are there to be cleared; else nothing."""
    here = [fighter for fighter in state.fighters.values() if fighter.effect("left") is None]
    side = next((fighter.side for fighter in here if not fighter.npc), "")
    return side if any(fighter.side != side for fighter in state.fighters.values()) else ""
