"""What the widgets show of a system beside ladder, budget and log: data, never code."""

from __future__ import annotations

from typing import TYPE_CHECKING

from combatkit.core.model import Fighter, Place, State
from combatkit.rules.catalogue import Action
from combatkit.rules.shapes import RollCall, RungExtras, Strip

if TYPE_CHECKING:
    from combatkit.rules.ruleset import Ruleset


class Presentation:
    """What a system shows besides what all show; one that has nothing of its own gives no class.

    Parameters
    ----------
    rules : Ruleset
        The system.
    """

    def __init__(self, rules: Ruleset) -> None:
        self.rules = rules

    def strips(self, state: State) -> list[Strip]:
        """Return this system's pictures above the ladder: zones, a flow of steps, ticks, cells; see docs/wire.md."""
        return []

    def rung_extras(self, state: State, place: Place) -> RungExtras:
        """Return what a rung shows besides the common parts.

        ``group``, ``cells``, ``pips``, more ``sub`` parts; see docs/wire.md.
        """
        return {}

    def progress_words(self, fighter: Fighter, action: Action) -> tuple[str, str]:
        """Say how an extended action stands, and by which rule."""
        return "under way", action.rule

    def roll_call(self, state: State) -> RollCall | None:
        """Return what everybody is asked in this step, and what each has said; None where nobody is asked."""
        return None

    def headline(self, state: State) -> str:
        """Say in one line what the present turn is about: what is spent, what comes next."""
        return ""
