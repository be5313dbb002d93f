"""Widgets for notebooks: who acts when, what is left to spend, what happened, the three together; rulebooks; lanes."""

from combatkit.widgets.budget import ActionBudget
from combatkit.widgets.comparison import Comparison
from combatkit.widgets.ladder import InitiativeLadder
from combatkit.widgets.log import CombatLog
from combatkit.widgets.map import Map
from combatkit.widgets.quiz import Quiz
from combatkit.widgets.rule_table import RuleTable
from combatkit.widgets.tracker import Tracker, tracker_of

__all__ = [
    "ActionBudget",
    "CombatLog",
    "Comparison",
    "InitiativeLadder",
    "Map",
    "Quiz",
    "RuleTable",
    "Tracker",
    "tracker_of",
]
