"""A comparison as one file: lanes to look through, and three questions; no code, no kernel, no network."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from html import escape
from typing import TYPE_CHECKING

from combatkit.core.timeline import TURN_ENDS, standing
from combatkit.fight.fight import Encounter
from combatkit.report.table import html_table
from combatkit.simulation.wishes import wishes
from combatkit.text import ENGLISH, neutral
from combatkit.widgets._intents import AskRule
from combatkit.widgets.page import as_json, cited_in, frame

if TYPE_CHECKING:
    from combatkit.widgets.comparison import Comparison

_ABOUT = (
    "Move the needle over the lanes, with the pointer or the arrow keys. Under each lane stands who had the last turn, "
    "and what else the rules would have let them do."
)

_HOW = (
    "Find your own answer for every lane; then open those of the rulebooks, asked right after the first attack of each "
    "fight."
)

_QUESTIONS = {
    "second attack": "You have attacked. May you attack again in the same turn?",
    "move too": "You have attacked. May you move as well?",
    "delay": "You have attacked. May you still let others go first?",
}
"""What is asked, by the wish that answers it."""


def lanes_page(comparison: Comparison, title: str | None) -> str:
    """Return a comparison as the text of a page."""
    view = comparison.view
    lanes = {id: {**lane, "length": None} for id, lane in view["lanes"].items()}  # nobody is there to set it
    shown = {**view, "lanes": lanes}
    known = {id for rules in comparison.rulebooks for id in rules.rules.by_id}
    rules = {id: AskRule(rule=id).carry(comparison) for id in sorted(known & cited_in(as_json(shown)))}
    title = title or view["title"]
    code = comparison.language.id if comparison.language else ENGLISH
    about, questions = comparison._word(_ABOUT), _questions(comparison)
    head, rest = frame("lanes", "comparison", title, about, comparison._static(), questions, code)
    return f"{head}{as_json({'view': shown, 'rules': rules})}{rest}"


def _questions(comparison: Comparison) -> str:
    """Return the questions, each with the answers folded."""
    word = comparison._word
    answers: dict[str, list[list[str]]] = {wish: [] for wish in _QUESTIONS}
    for id, enc in zip(comparison.view["order"], comparison.encounters, strict=True):
        for wish, answer in _asked(enc, word):
            answers[wish].append([escape(comparison.view["lanes"][id]["title"]), answer])
    folded = {wish: html_table("", (), rows, headed=True) for wish, rows in answers.items()}
    asked = (
        f"<li><p>{word(question)}</p><details><summary>{word('Answers')}</summary>{folded[wish]}</details></li>"
        for wish, question in _QUESTIONS.items()
    )
    return f"<section><h2>{word('Three questions')}</h2><p>{word(_HOW)}</p><ol>{''.join(asked)}</ol></section>"


def _asked(enc: Encounter, word: Callable[[str], str]) -> Iterator[tuple[str, str]]:
    """Yield the answer to each wish right after the first attack: yes or no, why, and the rule."""
    catalogue = enc.ruleset.catalogue(enc._state)
    events = standing(enc._events)
    began = next((e for e in events if e.kind == "action" and "attack" in catalogue[e.action or ""].tags), None)
    if began is None:
        return
    later = (e for e in events if e.seq > began.seq)
    over = (e.seq for e in later if e.kind in TURN_ENDS or (e.kind, e.actor) == ("action", began.actor))
    view = enc.at(next(over, len(enc._events) + 1) - 1)
    for title, ruling in wishes(view, began.actor or ""):
        rule = enc.ruleset.rules.get(ruling.rule)
        told = [f"<b>{word('Yes' if ruling.allowed else 'No')}.</b> {escape(neutral(word(ruling.reason)))}"]
        text = (
            [f'<span lang="en">{escape(rule.text)}</span> <small lang="en">{escape(rule.locator)}</small>']
            if rule
            else []
        )
        yield title, "<br>".join(told + text)
