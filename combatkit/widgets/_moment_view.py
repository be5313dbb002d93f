"""A question or an exercise of one's own, from the moment that is looked at: as lines of Python to copy."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Literal, NamedTuple, TypeVar

from combatkit.core.model import Ruling
from combatkit.core.plain import own
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.fight.view import View
from combatkit.rules.params import find_action
from combatkit.study.exercises.goals import checked, said_of
from combatkit.study.exercises.task import exercise, plain_name
from combatkit.study.quiz import question
from combatkit.widgets._fit import LINE, PART, cut, first
from combatkit.widgets._message import Answer, Message
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.shapes import MomentForm

T = TypeVar("T")


class AskMoment(Message, frozen=True, tag="moment"):
    """Ask for the lines that make a question or an exercise of a moment: who does what, to whom; a goal in words."""

    what: Literal["question", "exercise"]
    name: str = ""
    action: str = ""
    target: str = ""
    words: str = ""

    def carry(self, vantage: Vantage) -> Answer:
        """Return it, with what else may be chosen."""
        return {"kind": "moment", **moment_form(vantage.now, self, vantage.encounter.title)}


_MORE = "# Several parts, hints and places are written here: see help(ck.exercise), and the guide to a lesson.\n"
"""What stands in the lines of an exercise: the form makes a goal of one part."""


class _Load(NamedTuple):
    """Where a moment is found again: the fight's file, and the event."""

    file: str
    seq: int


def moment_form(view: View, asked: AskMoment, title: str = "") -> MomentForm:
    """Return what may be chosen, what is chosen, the lines, and what the rules say to it; the fight has a title."""
    if view._state.stage != "running":
        raise InvalidInput("The fight isn't running at this moment: go to one between its start and its end.")
    name = view._fighter(asked.name or view.active or view.names[0]).name
    options = sorted(view.options(name), key=lambda option: not option.allowed)
    catalogue = view.ruleset.catalogue(view._state)
    actions = [[option.action, catalogue[option.action].title] for option in options]
    action = asked.action if [asked.action] in [each[:1] for each in actions] else actions[0][0]
    targets = _targets(view, name, action)
    target = asked.target if asked.target in targets else targets[0] if targets else ""
    words = own(asked.words)
    load = _Load(file_of(view, title), view._events[-1].seq)
    form: MomentForm = {
        "people": _among(view.names, name),
        "actions": _among(actions, [action, catalogue[action].title]),
        "targets": _among(targets, target),
        "name": name,
        "action": action,
        "target": target,
        "words": words,
        "line": "",
        "why": "",
    }
    try:
        if asked.what == "question":
            _tell_question(form, view, load)
        else:
            _tell_exercise(form, view, load)
    except CombatkitError as error:
        reason, is_question = view._wrong(error, bare=True), asked.what == "question"
        told = f"This can't be asked: {reason}" if is_question else f"This can't be an exercise: {reason}"
        form["why"] = cut(view._said_whole(told), LINE)
        form["line"] = ""  # it would fail in a cell as it does here
    return form


def _among(listed: Sequence[T], chosen: T) -> list[T]:
    """Return what may be chosen, as much as fits, with what is."""
    fitting = first(listed, PART)
    return fitting if chosen in fitting or chosen not in listed else [*fitting, chosen]


def _targets(view: View, name: str, action: str) -> list[str]:
    """Return whom an action may be aimed at: foes first, then whoever a rule forbids."""
    if "target" not in find_action(view.ruleset, view._state, action).takes:
        return []
    side = view._fighter(name).side
    listed = [choice for choice in view.choices(name, action) if choice.param == "target" and not choice.open]
    listed.sort(key=lambda choice: (not choice.ruling.allowed, view._fighter(str(choice.value)).side == side))
    return [str(choice.value) for choice in listed]


def _tell_question(form: MomentForm, view: View, load: _Load) -> None:
    aim = {"target": form["target"]} if form["target"] else {}
    given = "".join(f", {id}={value!r}" for id, value in aim.items())
    form["line"] = _lines(load, f"ck.quiz(ck.question(moment, {form['name']!r}, {form['action']!r}{given})")
    item = question(view, form["name"], form["action"], **aim)
    form["told"] = item.question
    _tell_ruling(form, view, item.ruling, "They may not. {reason}")


def _tell_exercise(form: MomentForm, view: View, load: _Load) -> None:
    aim = {"target": form["target"]} if form["target"] else {}
    goal = {"kind": "does", "who": form["name"], "action": form["action"], **aim}
    said = f", words={form['words']!r}" if form["words"] else ""
    head, rest = _lines(load, f"ck.exercise(moment, goal={goal!r}{said}").split("\n", 1)
    form["line"] = f"{head}\n{_MORE}{rest}"
    form["told"] = form["words"] or said_of(view, checked(goal, view)[0])["asks"]
    _tell_ruling(
        form, view, view.can(form["name"], form["action"], **aim), "Not yet: {reason} The goal may come later."
    )
    exercise(view, goal=goal, words=form["words"] or None)


def _tell_ruling(form: MomentForm, view: View, ruling: Ruling, refused: str) -> None:
    """Say what the rules answer at this moment: a goal may well be something that is refused just now."""
    tell = view._language.tell
    form["right"] = tell("They may.") if ruling.allowed else tell(refused, reason=ruling.reason)
    form["rule"] = ruling.rule


def file_of(view: View, title: str) -> str:
    """Return a file's name for a fight: its title, an id that somebody gave, or who fights, with the id it was given.

    Fights of the same people have other files, so that none takes the place of one that was handed out.
    """
    rules = view.ruleset.id
    if title or not re.fullmatch(rf"{rules}(-\d+)?", view.id):
        return f"{plain_name(title or view.id)}.fight"
    return f"{plain_name(' and '.join(view.names[:2]))}-{view.id}.fight"


def _lines(load: _Load, call: str) -> str:
    """Return a call as a cell that runs wherever the fight's file is: a hand-out has no fight of its author's.

    Nothing takes the name of the fight that is played in the same notebook.
    """
    file, seq = load
    return (
        f"# Once, where the fight is: enc.save({file!r}). Hand that file out beside the notebook.\n"
        f"import combatkit as ck\nname = 'Anna'  # the student's own\n"
        f"moment = ck.load({file!r}).at({seq})\n"
        f"{call}, student=name, keep=f'{{name}}.answers')"
    )
