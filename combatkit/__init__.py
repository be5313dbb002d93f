"""combatkit: tabletop combat in a notebook. A tracker for the table, a rules laboratory, a history in data frames.

`Encounter` is the one object to hold; `ruleset` and `rulesets` tell what can be played; the widgets show a fight.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

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
    from combatkit.study.differences import contrast
    from combatkit.study.scenes import scene
    from combatkit.tactics import Deed
    from combatkit.widgets import ActionBudget, CombatLog, Comparison, InitiativeLadder, RuleTable, Tracker

__version__ = "0.1.0"

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
    "foreign",
    "history",
    "load",
    "play",
    "ruleset",
    "rulesets",
    "scene",
    "simulate",
    "simulation",
    "tactics",
]

_LATE = {
    "ActionBudget": "combatkit.widgets",
    "CombatLog": "combatkit.widgets",
    "Comparison": "combatkit.widgets",
    "Deed": "combatkit.tactics",
    "Foreign": "combatkit.files.foreign",
    "InitiativeLadder": "combatkit.widgets",
    "RuleTable": "combatkit.widgets",
    "Shelf": "combatkit.shelf",
    "Tracker": "combatkit.widgets",
    "add_mapping": "combatkit.shelf",
    "campaign": "combatkit.journal",
    "contrast": "combatkit.study.differences",
    "foreign": "combatkit.shelf",
    "load": "combatkit.journal",
    "play": "combatkit.simulation.play",
    "scene": "combatkit.study.scenes",
    "simulate": "combatkit.simulation.many",
}
_MODULES = ("history", "simulation", "tactics")


def __getattr__(name: str) -> Any:
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
