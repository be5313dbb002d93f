"""combatkit: tabletop combat in a notebook. A tracker for the table, a rules laboratory, a history in data frames.

`Encounter` is the one object you hold; `ruleset` and `rulesets` say what you can play; the widgets show a fight.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from combatkit.core.geometry import Board
from combatkit.core.model import (
    EVENT_KINDS,
    Area,
    Asked,
    Budget,
    Choice,
    Clock,
    Combatant,
    Condition,
    Distance,
    Event,
    Foresight,
    Ground,
    Offer,
    Option,
    Progress,
    Range,
    Reach,
    Ruling,
    Rung,
    Slot,
    Threat,
    Way,
)
from combatkit.errors import (
    CombatkitError,
    DamagedJournal,
    IllegalAction,
    InterruptedCall,
    InvalidInput,
    JournalError,
    UnknownName,
)
from combatkit.fight.fight import Encounter
from combatkit.registry import add_language, add_ruleset, languages, ruleset, rulesets

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
    from combatkit.study.quiz import gather, question
    from combatkit.study.scenes import scene
    from combatkit.tactics import Deed
    from combatkit.widgets import ActionBudget, CombatLog, Comparison, InitiativeLadder, Map, Quiz, RuleTable, Tracker
    from combatkit.widgets.quiz import quiz

__version__ = "0.2.0"

__all__ = [
    "EVENT_KINDS",
    "ActionBudget",
    "Area",
    "Asked",
    "Board",
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
    "Foresight",
    "Ground",
    "IllegalAction",
    "InitiativeLadder",
    "InterruptedCall",
    "InvalidInput",
    "JournalError",
    "Map",
    "Offer",
    "Option",
    "Progress",
    "Quiz",
    "Range",
    "Reach",
    "RuleTable",
    "Ruling",
    "Rung",
    "Shelf",
    "Slot",
    "Threat",
    "Tracker",
    "UnknownName",
    "Way",
    "add_language",
    "add_mapping",
    "add_ruleset",
    "campaign",
    "contrast",
    "exercise",
    "exercises",
    "foreign",
    "gather",
    "history",
    "languages",
    "load",
    "play",
    "question",
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
    "files.foreign": ("Foreign",),
    "journal": ("campaign", "load"),
    "shelf": ("Shelf", "add_mapping", "foreign"),
    "simulation.many": ("simulate",),
    "simulation.play": ("play",),
    "simulation.sweeping": ("sweep",),
    "study.differences": ("contrast",),
    "study.exercises": ("exercise", "exercises"),
    "study.quiz": ("gather", "question"),
    "study.scenes": ("scene",),
    "tactics": ("Deed",),
    "widgets": ("ActionBudget", "CombatLog", "Comparison", "InitiativeLadder", "Map", "Quiz", "RuleTable", "Tracker"),
    "widgets.quiz": ("quiz",),
}
"""What stands in which part."""


def __getattr__(name: str) -> object:
    """Load widgets and history when they are first asked for: the engine runs without them."""
    import importlib

    if name in ("history", "simulation", "tactics"):
        return importlib.import_module(f"combatkit.{name}")
    for part, names in _LATE.items():
        if name in names:
            return getattr(importlib.import_module(f"combatkit.{part}"), name)
    raise AttributeError(f"module 'combatkit' has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})


if "IPython" in sys.modules:
    from combatkit.notebook import offer as _offer

    _offer()
