"""A quiz: moments of real fights, and what the rules say to what somebody might do."""

from __future__ import annotations

from collections.abc import Iterable
from hashlib import sha256
from hmac import compare_digest
from html import escape
from typing import TYPE_CHECKING, Any, NamedTuple

from combatkit.core.plain import own, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.registry import ruleset
from combatkit.report.shapes import QuizView
from combatkit.report.table import html_table
from combatkit.rules.ruleset import Ruleset
from combatkit.study.quiz import Item, items_of, moments_of
from combatkit.study.quiz.gathering import MIME
from combatkit.study.quiz.items import check_topics
from combatkit.study.students import student_name
from combatkit.widgets._base import ViewWidget, bundle
from combatkit.widgets._intents import AskRule
from combatkit.widgets._message import Message, tagged
from combatkit.widgets._quiz_view import Given, end_view, hints_of, quiz_view

if TYPE_CHECKING:
    import polars as pl

_MOST = 200
"""How many questions a quiz has, at most."""


class Score(NamedTuple):
    """How many questions there are, how many were answered, and how many of these right."""

    asked: int
    answered: int
    right: int


class GiveAnswer(Message, frozen=True, tag="answer"):
    """Answer a question."""

    question: int
    allowed: bool
    rule: str = ""

    def carry(self, vantage: Quiz) -> None:
        """Answer it."""
        vantage.answer(self.question, self.allowed, self.rule)


class TakeHint(Message, frozen=True, tag="hint"):
    """Ask for the next hint."""

    question: int

    def carry(self, vantage: Quiz) -> None:
        """Show it."""
        vantage.hint(self.question)


class TurnTo(Message, frozen=True, tag="turn_to"):
    """Turn to another question."""

    question: int

    def carry(self, vantage: Quiz) -> None:
        """Turn to it."""
        vantage.turn_to(self.question)


class TurnToEnd(Message, frozen=True, tag="turn_to_end"):
    """Turn to the last page."""

    def carry(self, vantage: Quiz) -> None:
        """Turn to it."""
        vantage.turn_to_end()


class Quiz(ViewWidget):
    """Questions about moments of real fights: who may do what, and by which rule not.

    `combatkit.quiz` makes one. The right answers are in no page: each is worked out by the rules when it is needed.

    Parameters
    ----------
    items : sequence of Item
        The questions.
    seed : int
        What they were made from.
    student : str, optional
        Whose they are.
    secret : str, optional
        What opens the key.

    Attributes
    ----------
    items : tuple of Item
        The questions.
    """

    _esm = bundle("quiz.js")
    _css = bundle("quiz.css")
    _kinds = tagged(GiveAnswer, TakeHint, TurnTo, TurnToEnd, AskRule)

    def __init__(
        self, items: Iterable[Item], seed: int = 0, student: str | None = None, secret: str | None = None
    ) -> None:
        self.items = tuple(items)
        self._seed, self._student, self._secret = seed, student, secret
        self._given: dict[int, Given] = {}
        self._hints: dict[int, int] = {}
        self._at = 0
        super().__init__(self._view)

    # ── answering ──

    def answer(self, i: int, allowed: bool, rule: str = "") -> bool:
        """Answer a question; once is for good.

        Parameters
        ----------
        i : int
            Its number, from 0.
        allowed : bool
            Whether they may.
        rule : str
            If not, by which rule; where they may, no rule is asked.

        Returns
        -------
        bool
            Whether this is right: `allowed` is the ruling's and, where it is refused, `rule` is one of its rules.

        Raises
        ------
        InvalidInput, UnknownName
            If there is no such question or rule, or it has been answered otherwise.
        """
        i, item = self._item(i)
        allowed, rule = own(allowed), own(rule)
        if type(allowed) is not bool:
            raise InvalidInput(f"allowed is {short(allowed)}; answer True or False")
        rules = ruleset(item.system).rules
        if rule and rule not in rules:
            raise UnknownName.of(f"rule of {item.system}", rule, rules.ids())
        ruling = item.ruling
        right = allowed == ruling.allowed and (allowed or rule in ruling.rules)
        given = Given(allowed, "" if allowed else rule, right, self._hints.get(i, 0))
        before = self._given.setdefault(i, given)
        if before[:2] != given[:2]:
            raise InvalidInput(f"question {i} has been answered already")
        self.refresh()
        self._keep()
        return right

    def hint(self, i: int) -> str:
        """Return the next hint to a question: what is left to spend, what the action costs, what to think of."""
        i, item = self._item(i)
        hints = hints_of(item)
        taken = min(self._hints.get(i, 0) + 1, len(hints))
        if i not in self._given:
            self._hints[i] = taken
            self.refresh()
        return hints[taken - 1]

    def turn_to(self, i: int) -> None:
        """Show another question."""
        self._at = self._item(i)[0]
        self.refresh()

    def turn_to_end(self) -> None:
        """Show the last page: what came of it."""
        self._at = len(self.items)
        self.refresh()

    def _item(self, i: object) -> tuple[int, Item]:
        i = own(i)
        if type(i) is not int or not 0 <= i < len(self.items):
            raise InvalidInput(f"there is no question {short(i)}; give a number from 0 to {len(self.items) - 1}")
        return i, self.items[i]

    # ── what came of it ──

    @property
    def score(self) -> Score:
        """How many questions there are, how many were answered, and how many of these right."""
        return Score(len(self.items), len(self._given), sum(given.right for given in self._given.values()))

    @property
    def answers(self) -> pl.DataFrame:
        """A row per answer: question, system, action, allowed, rule, right, hints."""
        from combatkit.frames import pl

        kinds: dict[str, type[pl.DataType]] = {"question": pl.Int64, "system": pl.String, "action": pl.String}
        kinds |= {"allowed": pl.Boolean, "rule": pl.String, "right": pl.Boolean, "hints": pl.Int64}
        return pl.DataFrame(self._rows(), schema=kinds)

    def _rows(self) -> list[dict[str, object]]:
        return [
            {"question": i, "system": self.items[i].system, "action": self.items[i].action, **given._asdict()}
            for i, given in sorted(self._given.items())
        ]

    def key(self, secret: str) -> pl.DataFrame:
        """Return the right answers, for the secret that the quiz was made with.

        Parameters
        ----------
        secret : str
            The secret.

        Returns
        -------
        polars.DataFrame
            A row per question: question, system, action, allowed, and the rules that are right.

        Raises
        ------
        InvalidInput
            If it is another, or the quiz was made without one.
        """
        from combatkit.frames import pl

        given = str(secret).encode()
        if self._secret is None or not compare_digest(given, self._secret.encode()):
            raise InvalidInput("this secret doesn't open the key; the quiz opens it for the one it was made with")
        rulings = [(item, item.ruling) for item in self.items]
        rows = [
            (i, item.system, item.action, ruling.allowed, [] if ruling.allowed else list(ruling.rules))
            for i, (item, ruling) in enumerate(rulings)
        ]
        names = {"question": pl.Int64, "system": pl.String, "action": pl.String, "allowed": pl.Boolean}
        return pl.DataFrame(rows, schema={**names, "rules": pl.List(pl.String)}, orient="row")

    # ── what is shown ──

    @property
    def rulebooks(self) -> tuple[Ruleset, ...]:
        """The rulesets that are asked about, the present question's first."""
        ids = [self.items[min(self._at, len(self.items) - 1)].system, *(item.system for item in self.items)]
        return tuple(ruleset(id) for id in dict.fromkeys(ids))

    def _view(self) -> QuizView:
        last = len(self.items) - 1
        i = min(self._at, last)
        strip = [self._given[n].right if n in self._given else None for n in range(last + 1)]
        view = quiz_view(self.items[i], {"at": self._at, "strip": strip}, self._hints.get(i, 0), self._given.get(i))
        if self._at > last:
            view["end"] = end_view(self.items, strip)
        return view

    def _about(self) -> str:
        asked, answered, right = self.score
        return f"{asked} questions, {answered} answered, {right} right"

    def _static(self) -> str:
        rows = (
            [str(i + 1), escape(ruleset(item.system).title), escape(f"{item.situation} {item.question}")]
            for i, item in enumerate(self.items)
        )
        return html_table("Quiz", ("", "system", "question"), rows)

    def _repr_mimebundle_(self, **kwargs: Any) -> tuple[dict[str, Any], dict[str, object]] | None:
        """Return what a notebook shows; the answers stand beneath, as an output of their own."""
        self._keep(first=True)
        return super()._repr_mimebundle_(**kwargs)

    def _keep(self, first: bool = False) -> None:
        """Let the notebook hold the answers as data, where there is a notebook."""
        import sys

        shell = sys.modules.get("IPython")
        if shell is None or shell.get_ipython() is None:
            return
        from IPython.display import display

        record = {"student": self._student, "seed": self._seed, "answers": self._rows()}
        asked, answered, right = self.score
        told = f"{answered} of {asked} answered, {right} right"
        data = {MIME: record, "text/plain": told}
        display(data, raw=True, display_id=f"{self.model_id}-answers", update=not first)  # type: ignore[no-untyped-call]


def quiz(
    source: object,
    *,
    topics: str | Iterable[str] | None = None,
    n: int = 10,
    seed: int | None = None,
    student: object = None,
    secret: str | None = None,
) -> Quiz:
    """Make a quiz from moments of real fights: who may do what, and by which rule not.

    Parameters
    ----------
    source : Encounter, Scene, str or list of str, or list of Item
        A fight; a scene, played in every system; ids of systems; or questions of one's own, made by `question`, which
        are asked as they are.
    topics : str or iterable of str, optional
        What the rules are to be about, by ids as `contrast` has them; anything, if not given.
    n : int
        How many questions.
    seed : int, optional
        Where they come from: the same seed, the same questions; 0, if not given.
    student : object, optional
        A name or a number: everybody gets questions of their own.
    secret : str, optional
        What opens `Quiz.key`.

    Returns
    -------
    Quiz
        As a cell's last line it shows the questions, the easiest first.

    Raises
    ------
    InvalidInput, UnknownName
        If an argument is wrong, or `source` holds no such question.

    Examples
    --------
    >>> import combatkit as ck
    >>> quiz = ck.quiz("saga", n=3, seed=5)
    >>> item = quiz.items[0]
    >>> ruling = item.moment.can(item.name, item.action, **item.params)
    >>> quiz.answer(0, ruling.allowed, ruling.rule), quiz.score
    (True, Score(asked=3, answered=1, right=1))
    """
    n, seed = own(n), own(seed)
    if type(n) is not int or not 1 <= n <= _MOST:
        raise InvalidInput(f"quiz: n is {short(n)}; give a whole number from 1 to {_MOST}")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise InvalidInput(f"quiz: seed is {short(seed)}; give a whole number from 0 up")
    begin = seed or 0
    name = None if student is None else student_name(student)
    if name is not None:
        begin = int.from_bytes(sha256(f"{begin} {name}".encode()).digest()[:6])
    items = _own_questions(source)
    if not items:
        items = items_of(moments_of(source)(begin), n, check_topics(topics))
    if not items:
        raise InvalidInput("quiz: no question was found; give other topics, or a fight that goes on for longer")
    return Quiz(items, begin, name, secret)


def _own_questions(source: object) -> list[Item]:
    """Return the questions that somebody has made, if these are the source."""
    given = list(source) if isinstance(source, (list, tuple)) else [source]
    found = [each for each in given if isinstance(each, Item)]
    if found and len(found) < len(given):
        wrong = next(each for each in given if not isinstance(each, Item))
        raise InvalidInput(f"quiz: {short(wrong)} is no question; give only questions, or only ids of systems")
    return found
