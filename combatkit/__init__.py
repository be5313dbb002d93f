"""combatkit: tabletop combat in a notebook. A tracker for the table, a rules laboratory, a history in data frames.

`Encounter` is the one object you hold; `ruleset` and `rulesets` say what you can play; the widgets show a fight.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from combatkit.core.looks import Budget, Choice, Combatant, Condition, Offer, Option, Progress, Rung, Slot
from combatkit.core.model import EVENT_KINDS, Clock, Distance, Event, Ruling
from combatkit.errors import (
    CombatkitError,
    DamagedJournal,
    IllegalAction,
    InterruptedCall,
    InvalidInput,
    JournalError,
    UnknownName,
)
from combatkit.fight.encounter import Encounter
from combatkit.registry import add_ruleset, ruleset, rulesets

if TYPE_CHECKING:
    from combatkit import history, simulation, tactics
    from combatkit.files.foreign import Foreign
    from combatkit.journal import campaign, load
    from combatkit.shelf import Shelf, add_mapping, foreign
    from combatkit.simulation.many import simulate
    from combatkit.simulation.play import play
    from combatkit.simulation.sweeping import sweep
    from combatkit.study.differences import contrast
    from combatkit.study.exercises import exercise, exercises
    from combatkit.study.quiz import gather
    from combatkit.study.scenes import scene
    from combatkit.tactics import Deed
    from combatkit.widgets import ActionBudget, CombatLog, Comparison, InitiativeLadder, Quiz, RuleTable, Tracker
    from combatkit.widgets.quiz import quiz

__version__ = "0.2.0"

__all__ = [
    "EVENT_KINDS",
    "ActionBudget",
    "Budget",
    "Choice",
    "Clock",
    "CombatLog",
    "Combatant",
    "CombatkitError",
    "Comparison",
    "Condition",
    "DamagedJournal",
    "Deed",
    "Distance",
    "Encounter",
    "Event",
    "Foreign",
    "IllegalAction",
    "InitiativeLadder",
    "InterruptedCall",
    "InvalidInput",
    "JournalError",
    "Offer",
    "Option",
    "Progress",
    "Quiz",
    "RuleTable",
    "Ruling",
    "Rung",
    "Shelf",
    "Slot",
    "Tracker",
    "UnknownName",
    "add_mapping",
    "add_ruleset",
    "campaign",
    "contrast",
    "exercise",
    "exercises",
    "foreign",
    "gather",
    "history",
    "load",
    "play",
    "quiz",
    "ruleset",
    "rulesets",
    "scene",
    "simulate",
    "simulation",
    "sweep",
    "tactics",
]

_LATE = {
    "ActionBudget": "combatkit.widgets",
    "CombatLog": "combatkit.widgets",
    "Comparison": "combatkit.widgets",
    "Deed": "combatkit.tactics",
    "Foreign": "combatkit.files.foreign",
    "InitiativeLadder": "combatkit.widgets",
    "Quiz": "combatkit.widgets",
    "RuleTable": "combatkit.widgets",
    "Shelf": "combatkit.shelf",
    "Tracker": "combatkit.widgets",
    "add_mapping": "combatkit.shelf",
    "campaign": "combatkit.journal",
    "contrast": "combatkit.study.differences",
    "exercise": "combatkit.study.exercises",
    "exercises": "combatkit.study.exercises",
    "foreign": "combatkit.shelf",
    "gather": "combatkit.study.quiz",
    "load": "combatkit.journal",
    "play": "combatkit.simulation.play",
    "quiz": "combatkit.widgets.quiz",
    "scene": "combatkit.study.scenes",
    "simulate": "combatkit.simulation.many",
    "sweep": "combatkit.simulation.sweeping",
}
_MODULES = ("history", "simulation", "tactics")


def __getattr__(name: str) -> object:
    """Load widgets and history when they are first asked for: the engine runs without them."""
    import importlib

    if name in _MODULES:
        return importlib.import_module(f"combatkit.{name}")
    if name in _LATE:
        return getattr(importlib.import_module(_LATE[name]), name)
    raise AttributeError(f"module 'combatkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted([*globals(), *_LATE, *_MODULES])


if "IPython" in sys.modules:
    from combatkit.notebook import offer as _offer

    _offer()
