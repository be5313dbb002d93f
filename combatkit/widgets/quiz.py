"""A quiz: moments of real fights, and what the rules say to what somebody might do."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from hashlib import sha256
from hmac import compare_digest
from html import escape
from typing import TYPE_CHECKING, NamedTuple
from weakref import WeakSet

from combatkit.core.plain import counted, own, short
from combatkit.errors import InvalidInput, UnknownName
from combatkit.registry import ruleset
from combatkit.report.shapes import QuizProgress, QuizView
from combatkit.report.table import html_table
from combatkit.rules.ruleset import Ruleset
from combatkit.study.keeping import Keeper, key_of
from combatkit.study.quiz import Item, items_of, moments_of
from combatkit.study.quiz.gathering import begin_of
from combatkit.study.quiz.items import alike, check_told, check_topics, language_of, tell_few, words
from combatkit.study.quiz.secret import check_code, check_secret, code_of, drawn_by, fits
from combatkit.study.students import student_name
from combatkit.text import ENGLISH, Language, kit_language
from combatkit.widgets._base import bundle
from combatkit.widgets._handed import LessonWidget
from combatkit.widgets._intents import AskRule
from combatkit.widgets._message import Message, tagged
from combatkit.widgets._quiz_view import Given, end_view, hints_of, quiz_view, said_of

if TYPE_CHECKING:
    from os import PathLike

    import polars as pl

_MOST = 200
"""How many questions a quiz has, at most."""


_OPEN: WeakSet[Quiz] = WeakSet()
"""The quizzes there are."""


class _Counts(NamedTuple):
    """What a score counts."""

    asked: int
    answered: int
    right: int


class Score(_Counts):
    """How many questions there are, how many were answered, and how many of these right; said in a `language`."""

    language = ENGLISH

    def __repr__(self) -> str:
        """Say it."""
        return kit_language(self.language).tell("{answered} of {asked} answered, {right} right", **self._asdict())


class GiveAnswer(Message, frozen=True, tag="answer"):
    """Answer a question."""

    question: int
    allowed: bool
    rule: str = ""

    def carry(self, vantage: Quiz) -> None:
        """Answer it."""
        vantage._click(self.question, self.allowed, self.rule)


class Refuse(Message, frozen=True, tag="refuse"):
    """Say that they may not; by which rule is asked next."""

    question: int

    def carry(self, vantage: Quiz) -> None:
        """Keep it."""
        vantage._click_refuse(self.question)


class TakeHint(Message, frozen=True, tag="hint"):
    """Ask for the next hint."""

    question: int

    def carry(self, vantage: Quiz) -> None:
        """Show it."""
        vantage._click_hint(self.question)


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


class Quiz(LessonWidget):
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
    code : str, optional
        What a secret made elsewhere has to fit; see `code`.
    keep : path, optional
        A file that keeps what is clicked, and from which it comes back.
    made : mapping, optional
        What the questions can be made from again.

    Attributes
    ----------
    items : tuple of Item
        The questions.
    """

    _esm = bundle("quiz.js")
    _css = bundle("quiz.css")
    _kinds = tagged(GiveAnswer, Refuse, TakeHint, TurnTo, TurnToEnd, AskRule)

    def __init__(
        self,
        items: Iterable[Item],
        seed: int = 0,
        student: str | None = None,
        secret: str | None = None,
        *,
        code: str | None = None,
        keep: str | PathLike[str] | None = None,
        made: Mapping[str, object] | None = None,
    ) -> None:
        self.items = tuple(items)
        self._seed, self._student, self._secret, self._code, self._made = seed, student, secret, code, made
        self._given: dict[int, Given] = {}
        self._hints: dict[int, int] = {}
        self._refused: set[int] = set()
        self._at = 0
        told = [
            [item.system, item.name, item.action, item.question, item.situation, item.choices] for item in self.items
        ]
        self._keeper = Keeper(keep, key_of("quiz", student, told), student is not None)
        self._take_back()
        if self._given:  # it goes on where it was left
            self._at = next((i for i in range(len(self.items)) if i not in self._given), len(self.items))
        super().__init__(self._view)
        _OPEN.add(self)

    def _take_back(self) -> None:
        """Take back what was clicked before: the first answer counts."""
        for row in self._keeper.rows:
            match row:
                case {"question": int(i), "hints": int(hints), "allowed": bool(allowed), "rule": str(rule)}:
                    if 0 <= i < len(self.items):
                        when = str(row.get("at", ""))
                        self._given.setdefault(i, Given(allowed, rule, self._judge(i, allowed, rule), hints, when))
                case {"question": int(i), "refuses": True}:
                    self._refused.add(i)
                case {"question": int(i), "hints": int(hints)}:
                    self._hints[i] = max(hints, self._hints.get(i, 0))

    def _judge(self, i: int, allowed: bool, rule: str) -> bool:
        ruling = self.items[i].ruling
        return allowed == ruling.allowed and (allowed or rule in ruling.rules)

    # ── answering ──

    def answer(self, i: int, allowed: bool, rule: str = "") -> bool:
        """Answer a question; once is for good.

        Parameters
        ----------
        i : int
            Its place in `items`, from 0.
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
            raise UnknownName.of("rule", rule, rules.ids(), owner=item.system)
        given = Given(allowed, "" if allowed else rule, self._judge(i, allowed, rule), self._hints.get(i, 0))
        before = self._given.get(i)
        if before is not None and before[:2] != given[:2]:
            raise InvalidInput(f"question {i + 1} has been answered already")
        if before is None:
            self._given[i] = given
        self.refresh()
        self._hand_in()
        return given.right

    def _click(self, i: int, allowed: bool, rule: str) -> None:
        """Answer a question by hand: it is kept for the cell that is run again."""
        is_new = i not in self._given
        self.answer(i, allowed, rule)
        if is_new:
            given = self._given[i]
            row = {"question": i, "allowed": given.allowed, "rule": given.rule, "hints": given.hints}
            is_first = self._keeper.path is not None and not self._keeper.path.exists()
            try:
                self._keeper.add(**row)
                if is_first:
                    self._tell_of_file()
            finally:  # what no file keeps, the notebook does
                self._given[i] = given._replace(at=self._keeper.rows[-1]["at"])
                self.refresh()
                self._hand_in()

    def _tell_of_file(self) -> None:
        """Let other quizzes see that the file is there now, which they may share."""
        for other in [*_OPEN]:
            if other is not self and other._keeper.path == self._keeper.path and other.comm is not None:
                other.refresh()

    def _click_refuse(self, i: int) -> None:
        """Say by hand that they may not: no answer yet, and kept for the cell that is run again."""
        i, _ = self._item(i)
        if i not in self._given and i not in self._refused:
            self._refused.add(i)
            self._keeper.add(question=i, refuses=True)
            self.refresh()
            self._hand_in()

    def hint(self, i: int) -> str:
        """Return the next hint to a question: where to look, what is left, what the action costs, what to think of."""
        i, item = self._item(i)
        hints = hints_of(item)
        taken = min(self._hints.get(i, 0) + 1, len(hints))
        if i not in self._given:
            self._hints[i] = taken
            self.refresh()
        return hints[taken - 1]

    def _click_hint(self, i: int) -> None:
        """Show the next hint, by hand."""
        before = self._hints.get(i, 0)
        self.hint(i)
        if self._hints.get(i, 0) > before:
            self._keeper.add(question=i, hints=self._hints[i])
            self._hand_in()

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
            raise InvalidInput(f"there is no question {short(i)}; give its place in items, 0 to {len(self.items) - 1}")
        return i, self.items[i]

    # ── what came of it ──

    @property
    def score(self) -> Score:
        """How many questions there are, how many were answered, and how many of these right."""
        score = Score(len(self.items), len(self._given), sum(given.right for given in self._given.values()))
        score.language = self.language.id
        return score

    @property
    def answers(self) -> pl.DataFrame:
        """A row per answer: question (its number, from 1, as shown), system, action, allowed, rule, right, hints."""
        from combatkit.frames import pl

        kinds: dict[str, type[pl.DataType]] = {"question": pl.Int64, "system": pl.String, "action": pl.String}
        kinds |= {"allowed": pl.Boolean, "rule": pl.String, "right": pl.Boolean, "hints": pl.Int64}
        numbers = [i + 1 for i in sorted(self._given)]
        rows = [{**row, "question": number} for number, row in zip(numbers, self._rows(), strict=True)]
        return pl.DataFrame(rows, schema=kinds)

    def _rows(self) -> list[dict[str, object]]:
        return [
            {"question": i, "system": self.items[i].system, "action": self.items[i].action, **_told(given)}
            for i, given in sorted(self._given.items())
        ]

    @property
    def code(self) -> str | None:
        """What a hand-out is given instead of the secret, which it tells nothing of; None without a secret."""
        if self._code is None and self._secret is not None:
            self._code = code_of(self._secret)
        return self._code

    def key(self, secret: str) -> pl.DataFrame:
        """Return the right answers, for the secret that the quiz was made with.

        Parameters
        ----------
        secret : str
            The secret.

        Returns
        -------
        polars.DataFrame
            A row per question: question (its number, from 1, as shown), system, action, allowed, and the rules that
            are right; ``moment``, ``asks`` and ``says`` are the moment, the question and its answer in words, and
            ``text`` is what the rule says that refuses it. Shown or printed, it is whole.

        Raises
        ------
        InvalidInput
            If it is another, or the quiz was made without one.
        """
        from combatkit.frames import pl
        from combatkit.study.quiz.keys import Key

        known = self._secret is not None and compare_digest(str(secret).encode(), self._secret.encode())
        if self._secret is None and self._code is None:
            raise InvalidInput(
                "this quiz was made without a secret, so it has no key: make it with secret= in a notebook of yours, "
                "and hand it out with the code= that quiz.code is there"
            )
        if not known and not (self._code is not None and fits(secret, self._code)):
            raise InvalidInput("this secret doesn't open the key; the quiz opens it for the one it was made with")
        rulings = [(item, item.ruling) for item in self.items]
        rows = [
            (
                *(number, item.system, item.action, ruling.allowed, [] if ruling.allowed else list(ruling.rules)),
                *(f"{_clock(item)}. {item.situation}", item.question, said_of(item), _law(item)),
            )
            for number, (item, ruling) in enumerate(rulings, 1)
        ]
        names: dict[str, pl.DataType] = {"question": pl.Int64(), "system": pl.String(), "action": pl.String()}
        names |= {"allowed": pl.Boolean(), "rules": pl.List(pl.String())}
        names |= dict.fromkeys(("moment", "asks", "says", "text"), pl.String())
        return Key(rows, schema=names, orient="row")

    # ── what is shown ──

    @property
    def rulebooks(self) -> tuple[Ruleset, ...]:
        """The rulesets that are asked about, the present question's first."""
        ids = [self.items[min(self._at, len(self.items) - 1)].system, *(item.system for item in self.items)]
        return tuple(ruleset(id) for id in dict.fromkeys(ids))

    @property
    def language(self) -> Language:
        """What the present question's fight is told in."""
        return language_of(self.items[min(self._at, len(self.items) - 1)].moment)

    def _view(self) -> QuizView:
        last = len(self.items) - 1
        i = min(self._at, last)
        strip = [self._given[n].right if n in self._given else None for n in range(last + 1)]
        progress: QuizProgress = {"at": self._at, "strip": strip}
        given, taken = self._given.get(i), self._hints.get(i, 0)
        note = self._note() if not self._given else ""
        view = quiz_view(self.items[i], progress, taken, given, refuses=i in self._refused, note=note)
        if self._at > last:
            view["end"] = end_view(self.items, strip, self._keeper.path, shut=self._keeper.is_shut)
        return view

    def _note(self) -> str:
        """Say what becomes of answers as long as none is given: the file is not there yet, or can't be written."""
        path, shut = self._keeper.path, self._keeper.is_shut
        if path is None or not (shut or not path.exists()):
            return ""
        return self.language.tell(words()["keep"]["shut" if shut else "new"], file=path.name)

    def _about(self) -> str:
        asked, answered, right = self.score
        return self._word(f"{counted(asked, 'question')}, {answered} answered, {right} right")

    def _static(self) -> str:
        titles = (language_of(item.moment).word(ruleset(item.system).title) for item in self.items)
        rows = (
            [str(i + 1), escape(title), escape(f"{item.situation} {item.question}")]
            for i, (item, title) in enumerate(zip(self.items, titles, strict=True))
        )
        return html_table("Quiz", ("", *map(self._word, ("System", "Question"))), rows)

    def _record(self) -> dict[str, object]:
        asked = [
            {"question": i, "system": item.system, "action": item.action, "name": item.name, **_found(item)}
            for i, item in enumerate(self.items)
        ]
        answers = [
            {**row, "at": self._given[i].at, **_key(self.items[i])}
            for i, row in zip(sorted(self._given), self._rows(), strict=True)
        ]
        record: dict[str, object] = {"student": self._student, "seed": self._seed, "asked": asked, "answers": answers}
        record |= {"language": self.language.id, **self._keeper.stamp}
        return record if self._made is None else {**record, "made": self._made}

    def _handed_in(self) -> str:
        return self._word(repr(self.score))


def _clock(item: Item) -> str:
    return language_of(item.moment).several(item.moment.clock.label)


def _found(item: Item) -> dict[str, object]:
    """Return by what a question is found again, whoever is asked and in whatever cell; one's own has a title.

    Of two fights the same number may be another moment; what tells them apart gives no seed away.
    """
    found: dict[str, object] = {"moment": item.moment._events[-1].seq}
    if item.title:
        found |= {"title": item.title, "asks": f"{item.situation} {item.question}"}
        found |= {"fight": sha256(item.moment.digest.encode()).hexdigest()[:16], "alike": alike(item)}
    return found


def _key(item: Item) -> dict[str, str]:
    """Return what an answered question of one's own shows as right: nobody can make it again without its fight."""
    return {"key": f"{said_of(item)} {_law(item)}".rstrip()} if item.title else {}


def _law(item: Item) -> str:
    """Return the words of the rule that refuses what is asked about; none, if they may."""
    ruling = item.ruling
    return "" if ruling.allowed else ruleset(item.system).rules[ruling.rule].text


def _told(given: Given) -> dict[str, object]:
    return {"allowed": given.allowed, "rule": given.rule, "right": given.right, "hints": given.hints}


def quiz(
    source: object,
    *,
    topics: str | Iterable[str] | None = None,
    n: int = 10,
    seed: int | None = None,
    student: object = None,
    secret: str | None = None,
    code: str | None = None,
    keep: str | PathLike[str] | None = None,
    language: str = ENGLISH,
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
        What opens `Quiz.key`; another secret, other questions. It stands in the cell, so it is for your own notebook:
        `Quiz.code` is for a hand-out.
    code : str, optional
        The code of a quiz that was made with a secret: it asks the same questions, and `Quiz.key` wants that secret,
        which this one does not know.
    keep : path, optional
        A text file beside the notebook that keeps what is clicked: the same cell, run again, takes it from there. The
        first answer to a question counts. Without one, the answers of a student that is named outlast the cell, and
        not the kernel.
    language : str
        What the quiz is in, such as ``"de"``; questions about a fight that is given are in that fight's, and another
        is refused.

    Returns
    -------
    Quiz
        As a cell's last line it shows the questions, the easiest first of those that have the same answer.

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
    (True, 1 of 3 answered, 1 right)
    """
    n, seed = own(n), own(seed)
    if type(n) is not int or not 1 <= n <= _MOST:
        raise InvalidInput(f"quiz: n is {short(n)}; give a whole number from 1 to {_MOST}")
    if seed is not None and (type(seed) is not int or seed < 0):
        raise InvalidInput(f"quiz: seed is {short(seed)}; give a whole number from 0 up")
    about = check_topics(topics)
    name = None if student is None else student_name(student)
    code = None if code is None else check_code(code)
    if secret is not None:
        code = _code_for(check_secret(secret), code)
    draw = "" if code is None else drawn_by(code)
    begin = begin_of(seed or 0, name, draw)
    own_ones = _own_questions(source)
    items = own_ones or items_of(moments_of(source, language)(begin), n, about)
    if not items:
        raise InvalidInput("quiz: no question was found; give other topics, or a fight that goes on for longer")
    for item in items:
        check_told(item.moment, language, "quiz")
    if not own_ones and len(items) < n:
        tell_few(len(items), n)
    made = None
    if (ids := _ids(source)) is not None:
        made = {"source": ids, "topics": list(about), "n": n, "seed": seed or 0, "drawn_by": draw}
        made |= {"language": told_in} if (told_in := items[0].moment._state.language) != ENGLISH else {}
    return Quiz(items, begin, name, secret, code=code, keep=keep, made=made)


def _code_for(secret: str, code: str | None) -> str:
    """Return a code for a secret: the one that is given, if that is its own."""
    if code is not None and not fits(secret, code):
        raise InvalidInput("quiz: this code was made from another secret; give secret= or code=, or those that belong")
    return code or code_of(secret)


def _ids(source: object) -> list[str] | None:
    """Return the ids of systems that the questions are about, if that is all they are made from."""
    given = [source] if isinstance(source, str) else list(source) if isinstance(source, (list, tuple)) else []
    return [str(id) for id in given] if given and all(isinstance(id, str) for id in given) else None


def _own_questions(source: object) -> list[Item]:
    """Return the questions that somebody has made, if these are the source."""
    given = list(source) if isinstance(source, (list, tuple)) else [source]
    found = [each for each in given if isinstance(each, Item)]
    if found and len(found) < len(given):
        wrong = next(each for each in given if not isinstance(each, Item))
        raise InvalidInput(f"quiz: {short(wrong)} is no question; give only questions, or only ids of systems")
    return found
