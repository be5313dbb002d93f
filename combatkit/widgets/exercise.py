"""The goal of an exercise, with its hints and its check, over the fights it is played in."""

from __future__ import annotations

from html import escape
from typing import TYPE_CHECKING
from weakref import WeakKeyDictionary

from combatkit.core.plain import counted
from combatkit.registry import ruleset
from combatkit.report.shapes import Checked, ExerciseView
from combatkit.rules.ruleset import Ruleset
from combatkit.text import Language
from combatkit.widgets._base import bundle
from combatkit.widgets._handed import LessonWidget
from combatkit.widgets._intents import AskRule
from combatkit.widgets._message import Message, tagged

if TYPE_CHECKING:
    from combatkit.study.exercises import Exercise


class CheckIt(Message, frozen=True, tag="check"):
    """Check what was done."""

    def carry(self, vantage: ExercisePanel) -> None:
        """Check it, and show what came of it."""
        vantage.check()


class NextHint(Message, frozen=True, tag="hint"):
    """Ask for the next hint."""

    def carry(self, vantage: ExercisePanel) -> None:
        """Show it."""
        vantage.hint()


class ExercisePanel(LessonWidget):
    """What an exercise asks for: its goal, its hints, and a button that checks it.

    Parameters
    ----------
    task : Exercise
        The exercise.
    """

    _esm = bundle("exercise.js")
    _css = bundle("exercise.css")
    _kinds = tagged(CheckIt, NextHint, AskRule)

    def __init__(self, task: Exercise) -> None:
        self.task = task
        self._verdict = self._said_before()
        super().__init__(self._view)

    def check(self) -> None:
        """Check the exercise, and show what came of it."""
        self._verdict = self._checked()
        self.refresh()

    def _checked(self) -> Checked:
        found = self.task.check()
        books = [book for book in self.rulebooks if found.rule in book.rules]
        return {
            "passed": found.passed,
            "text": f"The goal is reached, in {counted(found.calls, 'step')}." if found.passed else found.reason,
            "rules": [[found.rule, book.rules[found.rule].text] for book in books[:1]],
        }

    def _said_before(self) -> Checked | None:
        """Return that the goal is reached, if it is so by what was clicked before a cell was run again."""
        verdict = self._checked() if self.task.is_again else None
        return verdict if verdict is not None and verdict["passed"] else None

    def hint(self) -> None:
        """Show the next hint."""
        self.task._take_hint()
        self.refresh()
        self._hand_in()

    def heed(self) -> None:
        """Put away what came of the last check: something else has been done since."""
        self._verdict = self._said_before()
        self.refresh()
        self._hand_in()

    @property
    def rulebooks(self) -> tuple[Ruleset, ...]:
        """The rulesets it is played by."""
        return tuple(ruleset(id) for id in self.task.encounters)

    @property
    def language(self) -> Language:
        """What the exercise's fights are told in."""
        return self.task.language

    def _view(self) -> ExerciseView:
        view: ExerciseView = {
            "goal": self.task.goal,
            "hints": list(self.task.hints[: self.task._taken]),
            "more": len(self.task.hints) - self.task._taken,
        }
        if self._verdict is not None:
            view["verdict"] = self._verdict
        return view

    def _record(self) -> dict[str, object]:
        found = self.task.check()
        calls = {
            system: [{"call": made.call, "args": made.args, "given": made.given} for made in enc.calls]
            for system, enc in self.task._played.items()
        }
        return {
            "student": self.task.student,
            "exercise": self.task.id,
            "goal": self.task.goal,
            "asks": self.task.asks,
            "alike": self.task.alike,
            "language": self.language.id,
            "calls": calls,
            "hints": self.task._taken,
            "passed": found.passed,
            "rule": found.rule,
            "said": found._said(),
            **self.task._keeper.stamp,
        }

    def _handed_in(self) -> str:
        steps = self.task.steps
        return self._word(f"{counted(steps, 'step')} played." if steps else "Nothing is played yet.")

    def _about(self) -> str:
        return f"{self.task.id}, {self.task.goal}"

    def _static(self) -> str:
        return f"<p><b>{escape(self.task.goal)}</b></p>"


_shown: WeakKeyDictionary[Exercise, ExercisePanel] = WeakKeyDictionary()


def panel_of(task: Exercise) -> ExercisePanel:
    """Return what shows an exercise's goal as a cell's last line: always the same one, that heeds what is done."""
    panel = _shown.get(task)
    if panel is None or panel.comm is None:
        panel = _shown[task] = ExercisePanel(task)
        task.heed(panel.heed)
    return panel
