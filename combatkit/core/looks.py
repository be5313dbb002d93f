"""What you see when you look at a fight: options and choices, offers, the ladder, budgets, combatants."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from msgspec import Struct

from combatkit.core.model import Ruling
from combatkit.errors import UnknownName


class Option(Struct, frozen=True, gc=False):
    """One action of the catalogue for one combatant, open or refused; `needs` are the parameters still to be given."""

    action: str
    title: str
    cost: str
    allowed: bool
    reason: str = ""
    rule: str = ""
    needs: tuple[str, ...] = ()

    def __repr__(self) -> str:
        """Say what it costs, or why not."""
        return f"Option({self.action!r}, {self.cost!r}, {'allowed' if self.allowed else self.reason!r})"


class Choice(Struct, frozen=True, gc=False):
    """One value a parameter can take, with its ruling.

    `open` ones (free text, dice, numbers) have no list of values.
    """

    param: str
    value: Any
    ruling: Ruling
    open: bool = False

    def __repr__(self) -> str:
        """Say whether it can be chosen, or why not."""
        value = "anything" if self.open else repr(self.value)
        return f"Choice({self.param}={value}, {'allowed' if self.ruling.allowed else repr(self.ruling.reason)})"


class Offer(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """What somebody may answer in an open window.

    ``who="GM"`` is a question to the GM, and a `must` cannot be declined.
    """

    who: str
    threat: int
    about: str
    actions: tuple[str, ...] = ()
    targets: tuple[str, ...] = ()
    choices: tuple[Any, ...] = ()
    must: bool = False
    rule: str = ""


class Rung(Struct, frozen=True, gc=False):
    """One place of the initiative ladder, top first.

    `key` names the terms that put it there, `why` says what broke a tie.
    """

    combatant: str
    initiative: int | float | None
    place: int
    status: str
    side: str
    group: str | None
    key: tuple[tuple[str, Any], ...]
    why: str = ""

    def __repr__(self) -> str:
        """Say who stands where, and how they stand."""
        return f"Rung({self.combatant!r}, {self.initiative}, {self.status})"


class Slot(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """One slot of a budget: what is left of its total, caps counted in; an `unlimited` one always has one left."""

    id: str
    title: str
    total: int
    left: int
    unlimited: bool = False


class Budget(Struct, frozen=True, gc=False):
    """What a combatant has left to spend: ``budget["standard"].left``."""

    combatant: str
    slots: tuple[Slot, ...]

    def __repr__(self) -> str:
        """Say what is left of what."""
        slots = (f"{slot.id} {'no limit' if slot.unlimited else f'{slot.left} of {slot.total}'}" for slot in self.slots)
        return f"Budget({self.combatant!r}: {', '.join(slots)})"

    def __getitem__(self, slot: str) -> Slot:
        """Return the slot with this id.

        Raises
        ------
        UnknownName
            If there is no such slot; it names the nearest.
        """
        for found in self.slots:
            if found.id == slot:
                return found
        raise UnknownName.of("slot of a budget", slot, [found.id for found in self.slots])

    def __iter__(self) -> Iterator[Slot]:
        """Go through the slots in the ruleset's order."""
        return iter(self.slots)


class Condition(Struct, frozen=True, gc=False, repr_omit_defaults=True):
    """A condition a combatant has: until when, and under which rule."""

    id: str
    value: Any = None
    modifiers: dict[str, int] = {}
    until: str | None = None
    rule: str = ""


class Progress(Struct, frozen=True, gc=False):
    """How far an extended action has come."""

    done: int
    total: int


class Combatant(Struct, frozen=True, gc=False):
    """A combatant as they stand now, read-only."""

    name: str
    side: str
    group: str | None
    stats: dict[str, Any]
    values: dict[str, Any]
    conditions: tuple[Condition, ...]
    progress: dict[str, Progress]
    position: Any
    threatens: frozenset[Any]

    def __repr__(self) -> str:
        """Say how they stand now; what is not stated, or is none, is left out."""
        values = {id: value for id, value in self.values.items() if value is not None}
        found = {"group": self.group, "values": values, "conditions": self.conditions, "progress": self.progress}
        said = [f"{what}={value!r}" for what, value in {**found, "position": self.position}.items() if value]
        return f"Combatant({', '.join([repr(self.name), f'side={self.side!r}', *said])})"
