"""Rulebooks side by side: questions, each rulebook's answers, the rules behind them, and a few lines to see it work."""

from __future__ import annotations

from combatkit.errors import InvalidInput
from combatkit.report.shapes import RulesView
from combatkit.rules.ruleset import Ruleset
from combatkit.study.differences import Answer, Differences, contrast, topics
from combatkit.study.differences.examples import examples, outcome
from combatkit.study.differences.table import MORE
from combatkit.widgets._base import ViewWidget, bundle
from combatkit.widgets._intents import AskRule
from combatkit.widgets._message import Message, tagged


class ChooseTopic(Message, frozen=True, tag="topic"):
    """Turn to a topic."""

    topic: str

    def carry(self, vantage: RuleTable) -> None:
        """Turn to it."""
        vantage.topic = self.topic


class AskExample(Message, frozen=True, tag="example"):
    """Ask for a ruleset's example of the topic, and what comes of it."""

    system: str

    def carry(self, vantage: RuleTable) -> dict[str, object]:
        """Run it: always the ruleset's own code, never anything from the message."""
        found = {rules.id: examples(rules) for rules in vantage.differences.systems}
        code = found.get(self.system, {}).get(vantage.topic)
        if code is None:
            raise InvalidInput(f"there is no example of {vantage.topic!r} in {self.system!r}")
        return {"kind": "example", "system": self.system, "code": code, "outcome": outcome(code)}


class RuleTable(ViewWidget):
    """What rulebooks say, side by side, one topic at a time; a rule's mark opens its text, a button runs an example.

    Parameters
    ----------
    differences : Differences, optional
        What to show; see `combatkit.contrast`. If not given, every topic and every ruleset.

    Examples
    --------
    >>> import combatkit as ck
    >>> table = ck.RuleTable(ck.contrast("delay", systems=["saga", "d6"]))
    >>> table
    <RuleTable: delay, saga, d6>
    >>> table.view["rows"][2]["cells"][0]
    [['Delaying costs a free action.', 'saga.delay.free', False]]
    """

    _esm = bundle("rules.js")
    _css = bundle("rules.css")
    _kinds = tagged(ChooseTopic, AskRule, AskExample)

    def __init__(self, differences: Differences | None = None) -> None:
        if differences is not None and not isinstance(differences, Differences):
            raise InvalidInput(f"a rule table shows what ck.contrast(...) gives, not {differences!r}")
        self._given = contrast() if differences is None else differences
        self.differences = self._given.whole()
        self._topic = self.differences.topics[0]
        super().__init__(self._view)

    @property
    def rulebooks(self) -> tuple[Ruleset, ...]:
        """The rulesets side by side."""
        return self.differences.systems

    @property
    def topic(self) -> str:
        """The topic shown, by id."""
        return self._topic

    @topic.setter
    def topic(self, id: str) -> None:
        if id not in self.differences.topics:
            raise InvalidInput(f"topic is {id!r}; here, give one of {', '.join(self.differences.topics)}")
        self._topic = id
        self.refresh()

    def _view(self) -> RulesView:
        shown = self.differences
        rows = shown.rows(self._topic)
        return {
            "topic": self._topic,
            "topics": [[id, topics()[id].title] for id in shown.topics],
            "systems": [[s.id, s.title, self._topic in examples(s)] for s in shown.systems],
            "rows": [{"question": words, "cells": _cells(answers)} for words, answers in rows],
            "more": {"question": MORE, "cells": _cells(shown.more(self._topic))},
        }

    def _about(self) -> str:
        return ", ".join([self._topic, *(s.id for s in self.differences.systems)])

    def _static(self) -> str:
        return self._given._repr_html_()


def _cells(answers: tuple[Answer, ...]) -> list[list[list[str | bool]]]:
    return [[[rule.text, rule.id, rule.disputed] for rule in answer.rules] for answer in answers]
