"""Initiative rolled at the seats before a fight begins: kept by the table, used when the GM starts it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from msgspec import field
from msgspec.structs import replace

from combatkit.errors import InvalidInput
from combatkit.fight.commands import Command
from combatkit.fight.fight import Encounter
from combatkit.report.shapes import FirstDie
from combatkit.rules import initiative
from combatkit.rules.case import Ask
from combatkit.widgets._dice import called, wrong_faces
from combatkit.widgets._message import Message
from combatkit.widgets._table import table_of

if TYPE_CHECKING:
    from combatkit.widgets._seat import SeatVantage


class RollInitiative(Message, frozen=True, tag="roll"):
    """Say what was rolled for somebody's initiative before the fight begins; no faces take it back."""

    name: str
    faces: list[int] = field(default_factory=list)

    def carry(self, vantage: SeatVantage) -> None:
        """Keep it, and let everybody see it."""
        ask = asked(vantage.encounter).get(self.name)
        if ask is None:
            raise InvalidInput(f"{self.name} rolls nothing for initiative now.")
        if self.faces and (wrong := _wrong(ask, self.faces)):
            raise InvalidInput(wrong)
        table = vantage.at
        table.faces.pop(self.name, None)
        if self.faces:
            table.faces[self.name] = tuple(self.faces)
        table.look_again()


def asked(fight: Encounter, surprised: Sequence[str] = ()) -> dict[str, Ask]:
    """Return who rolls for initiative alone as a fight begins, and which dice; nobody once it has begun."""
    rules, state = fight.ruleset, fight._state
    if state.stage != "setup" or not state.fighters:
        return {}
    draft, _ = fight._begin(surprised)
    able = [name for name, fighter in draft.state.fighters.items() if rules.able(fighter)]
    found = initiative.asked(rules, draft.state, able)
    units = [rules.claim(draft.state, draft.state.fighters[name]).shares for name in able]
    alone = {name for name, unit in zip(able, units, strict=True) if not unit or units.count(unit) == 1}
    return {name: ask for name, ask in found.items() if name in alone}


def _wrong(ask: Ask, faces: Sequence[int]) -> str:
    return wrong_faces([ask.sides] * ask.dice, faces) or ("A die is missing." if len(faces) < ask.dice else "")


def rolled(fight: Encounter, surprised: Sequence[str] = ()) -> dict[str, list[int]]:
    """Return what was rolled at the seats for those who will roll as the fight begins; nothing, where the GM rolls."""
    table = table_of(fight)
    faces = table.faces if table.throws else {}
    if not faces:
        return {}
    asks = asked(fight, surprised)  # who is surprised may roll nothing
    return {name: [*kept] for name, kept in faces.items() if name in asks and not _wrong(asks[name], kept)}


def with_first_dice(fight: Encounter, message: Command) -> Command:
    """Return a call that starts a fight with what was rolled at the seats; what the call says itself comes first."""
    given = getattr(message, "rolls", None)
    if message.call != "start" or isinstance(given, list):
        return message
    dice = rolled(fight, getattr(message, "surprised", ()))
    return replace(message, rolls={**dice, **(given or {})}) if dice else message


def first_dice(vantage: SeatVantage) -> list[FirstDie]:
    """Return what a seat may roll for initiative, and what it has."""
    if not vantage.at.throws:
        return []
    kept = vantage.at.faces
    asks = asked(vantage.encounter) if vantage.plays else {}
    return [
        {
            "name": name,
            "legend": called(name, ask).legend,
            "sides": [ask.sides] * ask.dice,
            "faces": [*kept.get(name, ())],
        }
        for name, ask in asks.items()
        if name in vantage.plays
    ]
