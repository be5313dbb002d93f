"""What the conditions that rules read may hold: checked as they begin, not when a rule reads them."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from msgspec import Meta, Struct, ValidationError, convert

from combatkit.core.model import State
from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.rules.ruleset import Ruleset
from combatkit.systems.segments.tables import LONGEST

_Number = Annotated[float, Meta(ge=0)]
_PerCent = Annotated[float, Meta(ge=0, le=100)]
_Segments = Annotated[int, Meta(ge=0, le=LONGEST)]


class _Barrier(Struct, forbid_unknown_fields=True):
    """What lies between, and how wide its opening is."""

    what: str = ""
    opening: _Number = 0


class _Plan(Struct):
    """What is declared."""

    action: Any


class _Casting(Struct):
    """A spell under way."""

    spell: Any
    kind: Literal["incantation", "invocation"]
    segments: _Segments
    step: Literal["group", "spells"]
    done: _Segments = 0
    target: list[str] = []


_HELD: dict[str, tuple[Any, str]] = {
    "cover": (_PerCent | None, "per cent, a number from 0 to 100"),
    "concealment": (_PerCent | None, "per cent, a number from 0 to 100"),
    "restricted": (_Number | None, "feet, a number from 0"),
    "walked": (_Number | None, "feet, a number from 0"),
    "in_melee": (list[str] | None, "nothing, or a list of those it is with"),
    "barrier": (
        _Barrier | str | _Number | None,
        "what it is, the feet of its opening, or {'what': 'wall', 'opening': 1}",
    ),
    "declared": (_Plan, "{'action': 'attack'}, or declare it in step 1"),
    "casting": (
        _Casting,
        (
            "{'spell': 'incantation', 'kind': 'incantation', 'segments': 3, 'step': 'spells'}, or declare it in step 1"
            "; a target is a list of combatants"
        ),
    ),
    "completing": (Any, "an action's id"),
}
"""What the value of a condition must be, and how that is said."""


def check_condition(rules: Ruleset, state: State, id: str, value: object) -> None:
    """Check the value of a condition that a rule of this system reads.

    Raises
    ------
    InvalidInput, UnknownName
        If no rule could read it; it says what would be right.
    """
    kind, right = _HELD.get(id, (Any, ""))
    try:
        held = convert(value, kind)
        names = held.target if id == "casting" else held if id == "in_melee" else None
        if any(name not in state.fighters for name in names or ()) or (id == "casting" and held.done > held.segments):
            raise ValidationError
    except ValidationError:
        raise InvalidInput(f"condition {id}: value is {short(value)}; give {right}") from None
    if id in ("declared", "casting", "completing"):
        action = held.action if id == "declared" else held.spell if id == "casting" else held
        if not isinstance(action, str):
            raise InvalidInput(f"condition {id}: value is {short(action)}; give an action's id")
        if action not in rules.catalogue(state):
            raise UnknownName.of(f"action of a condition {id}", action, rules.catalogue(state).ids())
