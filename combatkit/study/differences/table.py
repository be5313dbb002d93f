"""Topics, and the answers of the rulebooks to their questions."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from msgspec import Struct

from combatkit.core.plain import short
from combatkit.errors import InvalidInput, UnknownName, close_to
from combatkit.registry import ruleset, rulesets
from combatkit.report.table import html_table
from combatkit.rules.catalogue import Rule
from combatkit.rules.ruleset import Ruleset
from combatkit.text.words import read_toml

if TYPE_CHECKING:
    import polars as pl

SILENT = "The rulebook says nothing."
MORE = "What else the rulebook says"


class Topic(Struct, frozen=True):
    """A topic of rules: its id, its title, and the questions put to every ruleset, by id; the first one leads."""

    id: str
    title: str
    questions: dict[str, str]


class Answer(Struct, frozen=True):
    """What one ruleset answers to one question; empty if its rulebook is silent."""

    topic: str
    question: str
    system: str
    rules: tuple[Rule, ...]

    @property
    def text(self) -> str:
        """The answer in words, each rule with its id."""
        return " ".join(f"{rule.text} [{rule.id}]" for rule in self.rules)


_NEAR = 0.7
"""So much like another a topic is that may be meant."""


@cache
def topics() -> dict[str, Topic]:
    """Return the closed list of topics, by id.

    Examples
    --------
    >>> topics()["delay"].questions["price"]
    'What does it cost?'
    """
    data = read_toml(Path(__file__).with_name("topics.toml"))
    return {row["id"]: Topic(**row) for row in data["topics"]}


def topic_ids(given: Iterable[object]) -> tuple[str, ...]:
    """Return topics by id, found by singular as well as by plural and in any case.

    Raises
    ------
    UnknownName
        For one that is not known.

    Examples
    --------
    >>> topic_ids(["Reaction", "ties", "free attack"])
    ('reactions', 'ties', 'free attacks')
    """
    known = {_singular(id): id for id in topics()}
    for name in given:
        if type(name) is not str or _singular(name) not in known:
            near = close_to(_singular(str(name)), known, 1, _NEAR)
            meant = f": did you mean {known[near[0]]!r}?" if near else "."
            raise UnknownName(f"unknown topic {short(name)}{meant} There are {', '.join(topics())}.")
    return tuple(known[_singular(str(name))] for name in given)


def _singular(name: str) -> str:
    return name.strip().lower().removesuffix("s")


class Differences:
    """Questions, and what each ruleset answers; a notebook shows it as a table from which to open rules and examples.

    Parameters
    ----------
    chosen : sequence of Topic
        The topics.
    systems : sequence of Ruleset
        The rulesets that are asked.
    brief : bool
        Whether only the leading question of each topic is put.

    Attributes
    ----------
    topics : tuple of str
        The topics, by id.
    systems : tuple of Ruleset
        The rulesets.
    """

    def __init__(self, chosen: Iterable[Topic], systems: Iterable[Ruleset], *, brief: bool = False) -> None:
        self._chosen = tuple(chosen)
        self.systems = tuple(systems)
        self._brief = brief

    @property
    def topics(self) -> tuple[str, ...]:
        """The topics, by id."""
        return tuple(topic.id for topic in self._chosen)

    def whole(self) -> Differences:
        """Return the same topics and rulesets with every question."""
        return Differences(self._chosen, self.systems)

    def rows(self, topic: str) -> list[tuple[str, tuple[Answer, ...]]]:
        """Return a topic's questions in words, each with an answer per ruleset.

        Parameters
        ----------
        topic : str
            The topic's id.

        Returns
        -------
        list of (str, tuple of Answer)
            In the order of the topic's questions, those left out that no rulebook answers.
        """
        asked = topics()[topic].questions
        chosen = list(asked)[:1] if self._brief else list(asked)
        found = [(asked[id], tuple(_answer(rules, topic, id) for rules in self.systems)) for id in chosen]
        return [(words, answers) for words, answers in found if self._brief or any(a.rules for a in answers)]

    def more(self, topic: str) -> tuple[Answer, ...]:
        """Return the rules of a topic that answer none of its questions, an answer per ruleset."""
        asked = {f"{topic}.{id}" for id in topics()[topic].questions}
        return tuple(
            Answer(topic, "", s.id, tuple(r for r in s.rules if r.topic == topic and not asked & set(r.answers)))
            for s in self.systems
        )

    @property
    def frame(self) -> pl.DataFrame:
        """A row per question and a column per ruleset; a cell is null where a rulebook is silent."""
        from combatkit.frames import pl

        rows = [(t.title, words, answers) for t in self._chosen for words, answers in self.rows(t.id)]
        columns: dict[str, object] = {"topic": [row[0] for row in rows], "question": [row[1] for row in rows]}
        for index, system in enumerate(self.systems):
            columns[system.id] = [row[2][index].text or None for row in rows]
        return pl.DataFrame(columns, schema=dict.fromkeys(columns, pl.String))

    @property
    def rules(self) -> pl.DataFrame:
        """A row per question, ruleset and rule, with the rule's locator, and whether its reading is disputed."""
        from combatkit.frames import pl

        rows = [
            (t.id, words, answer.system, rule.id, rule.text, rule.locator, rule.disputed)
            for t in self._chosen
            for words, answers in [*self.rows(t.id), *([] if self._brief else [(MORE, self.more(t.id))])]
            for answer in answers
            for rule in answer.rules
        ]
        names = ("topic", "question", "system", "rule", "text", "locator", "disputed")
        schema = {name: pl.Boolean if name == "disputed" else pl.String for name in names}
        return pl.DataFrame(rows, schema=schema, orient="row")

    def __repr__(self) -> str:
        """Say what is asked, and whom."""
        count = len(self._chosen)
        what = self._chosen[0].id if count == 1 else f"{count} topics"
        return f"<Differences: {what}, {', '.join(s.id for s in self.systems)}>"

    def _repr_html_(self) -> str:
        """Return the table as plain, escaped HTML without scripts."""
        return "".join(self._table(topic) for topic in self._groups())

    def _groups(self) -> list[tuple[str, list[tuple[str, tuple[Answer, ...]]]]]:
        if self._brief:
            return [("Differences by rule", [(f"{t.title}: {w}", a) for t in self._chosen for w, a in self.rows(t.id)])]
        return [(topic.title, self.rows(topic.id)) for topic in self._chosen]

    def _table(self, group: tuple[str, list[tuple[str, tuple[Answer, ...]]]]) -> str:
        title, rows = group
        heads = ("Question", *(system.title for system in self.systems))
        return html_table(title, heads, ([escape(words), *map(_cell, answers)] for words, answers in rows), headed=True)

    def _repr_mimebundle_(self, **kwargs: object) -> Any:
        from combatkit.widgets import RuleTable

        return RuleTable(self)._repr_mimebundle_(**kwargs)


def contrast(*chosen: str, systems: Iterable[str | Ruleset] | None = None) -> Differences:
    """Compare rulebooks: for each topic its questions, and what every ruleset answers by its own rules.

    Parameters
    ----------
    *chosen : str
        Topics, by id: ``"initiative"``, ``"ties"``, ``"surprise"``, ``"delay"``, ``"ready"``, ``"reactions"``,
        ``"free attacks"``, ``"economy"`` ..., or ``"tie"``; without any, every topic with its leading question.
    systems : iterable of str or Ruleset, optional
        The rulesets to ask; every known one if none is named, plug-ins and added folders included.

    Returns
    -------
    Differences
        `frame` has a row per question and a column per ruleset; `rules` a row per rule.

    Raises
    ------
    UnknownName
        For a topic or a ruleset that is not known.

    Examples
    --------
    >>> import combatkit as ck
    >>> ck.contrast("delay", systems=["saga", "phases"]).frame.row(2)
    ('Delay', 'What does it cost?', 'Delaying costs a free action. [saga.delay.free]', "Delaying and the \
1-hex step are not actions and don't provoke. [phases.tab.not-action]")
    >>> "free attacks" in ck.contrast().topics
    True
    """
    ids = topic_ids(chosen)
    one: object = systems
    if isinstance(one, (str, Ruleset)):
        only = one if isinstance(one, str) else one.id
        raise InvalidInput(f"systems is {only!r}; give a list of rulesets: [{only!r}]")
    asked = rulesets() if systems is None else [s if isinstance(s, Ruleset) else ruleset(s) for s in _listed(systems)]
    if not asked:
        raise InvalidInput("systems is empty; name at least one ruleset")
    return Differences([topics()[id] for id in ids or topics()], asked, brief=not ids)


def _listed(given: object) -> list[Any]:
    if not isinstance(given, Iterable):
        raise InvalidInput(f"systems is {short(given)}; give a list of rulesets, or None for all that are known")
    return list(given)


def _answer(rules: Ruleset, topic: str, question: str) -> Answer:
    id = f"{topic}.{question}"
    return Answer(topic, question, rules.id, tuple(rule for rule in rules.rules if id in rule.answers))


def _cell(answer: Answer) -> str:
    said = [
        f"{escape(r.text)} <small>{escape(r.locator)}{', disputed' if r.disputed else ''}</small>" for r in answer.rules
    ]
    return "<br>".join(said) or SILENT
