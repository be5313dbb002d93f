"""What a ruleset gives the engine: rolls to be made, questions to the GM, and the stages of its mechanisms."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Any, NamedTuple

from msgspec import Struct

from combatkit.core.model import Act
from combatkit.rules.case import Case, Objection
from combatkit.text import Said

if TYPE_CHECKING:
    from combatkit.rules.draft import Draft


class Ask(Struct, frozen=True, gc=False):
    """A roll an action will ask for.

    Its purpose, the dice, what is added (each addend with its name), and what is needed.
    `rule` is what the roll rests on, `even` what says how a total of just what is needed comes out.
    """

    purpose: str
    dice: int
    sides: int
    addends: tuple[tuple[int, str], ...] = ()
    needed: int | None = None
    rule: str = ""
    even: str = ""


class Question(NamedTuple):
    """What the GM is asked in the middle of an action: the answer is kept in the action's result under `key`.

    `many` lets several of the choices be the answer.
    """

    key: str
    text: Said
    choices: tuple[str, ...]
    rule: str
    many: bool = False


Need = Callable[[Case], Iterable[Objection]]
"""Something a stage of an action needs of the world: what is against it now."""


class Stage(NamedTuple):
    """One stage of an action: its name, what carries it out, and what it needs of the world.

    `needs` are asked before the action is declared, and again before the stage goes on after anything happened in
    between; an empty tuple needs its targets to be there, None needs nothing. Somebody may stand elsewhere after a
    stage that `moves`.
    """

    name: str
    run: Callable[[Draft, Act], Act]
    needs: tuple[Need, ...] | None = None
    moves: bool = False


def _as_stage(given: Any) -> Stage:
    """Return a stage that may have been given as a plain pair: its name, and what carries it out."""
    return given if isinstance(given, Stage) else Stage(*given)


class Mechanism(NamedTuple):
    """How a kind of action is carried out.

    What is checked besides its cost and what its stages need, its stages in order, what it still wants, and whether the
    action says less than the condition it brings, which the log tells in its place.
    """

    check: Callable[[Case], Iterable[Objection]] | None
    stages: tuple[Stage, ...]
    missing: Callable[[Case], tuple[str, ...]] | None = None
    says_less: bool = False
