"""The moments of a fight that a ruleset hears about, after which it may have something to do."""

from __future__ import annotations

from msgspec import Struct

from combatkit.core.model import Act, Effect, Step, Turn, Window
from combatkit.rules.catalogue import Action


class StepBegins(Struct, frozen=True, gc=False):
    """A step of the round has begun, and been logged: what it opens with follows."""

    step: Step


class StepEnds(Struct, frozen=True, gc=False):
    """A step closes; what lasts until its end is not over yet."""

    step: Step


class Declared(Struct, frozen=True, gc=False):
    """An action has been declared and paid for; nobody has stepped in yet."""

    act: Act
    action: Action


class Answered(Struct, frozen=True, gc=False):
    """A window has closed: `answer` is what the GM said to its question."""

    window: Window
    answer: object


class TurnEnds(Struct, frozen=True, gc=False):
    """A turn closes, by whoever has it or otherwise; what lasts until its end is not over yet."""

    turn: Turn
    by: str


class Lapsed(Struct, frozen=True, gc=False):
    """An effect of somebody's has reached the anchor that ends it; one used up or removed has not."""

    who: str
    effect: Effect


class Departed(Struct, frozen=True, gc=False):
    """Somebody has left the fight."""

    who: str


class Harmed(Struct, frozen=True, gc=False):
    """Somebody has taken damage: so much was dealt, whatever took it."""

    who: str
    dealt: int


class Edited(Struct, frozen=True, gc=False):
    """The sheet of somebody in a fight under way has been changed."""

    who: str


class Placed(Struct, frozen=True, gc=False):
    """The GM has moved somebody on the ladder."""

    who: str


Moment = StepBegins | StepEnds | Declared | Answered | TurnEnds | Lapsed | Departed | Harmed | Edited | Placed
"""A moment of the fight after which a system may have something to do."""
