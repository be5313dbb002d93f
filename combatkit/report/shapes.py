"""Shapes of the log, of rulebooks and fights side by side, and of what is told alike everywhere."""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from combatkit.rules.shapes import Parts

Words = Annotated[list[str], tuple[str, str]]
"""An id and its title, or the halves of a name."""
Numbered = Annotated[list[Any], tuple[str, int | None]]
"""A rung and the count that asks for the place behind it, or a wish and which reason it was refused for."""

_Told = Annotated[list[str | bool], tuple[str, str, bool]]
"""A rule's words, its id, whether it is disputed; or a system's id, its title, whether it has an example."""

_Tick = Annotated[list[float | str], tuple[float, str]]
_Sums = Annotated[list[int], tuple[int, int, int, int]]
_Way = Annotated[list[str | int], tuple[Literal["undo", "redo"], int]]


class Tongue(TypedDict):
    """What a front end says by itself in another language, by what it is in English, with numbers for the fields.

    `die` is the letter of dice: a box for one with twenty sides says ``d20`` in English.
    """

    lang: str
    words: dict[str, str]
    die: str


class Revised(TypedDict):
    """What every view has once it is sent: how often it has changed, and in which `tongue` it is if not English.

    Names in `own` look like words of ours, and stay.
    """

    revision: int
    tongue: NotRequired[Tongue]
    own: NotRequired[list[str]]


class Side(TypedDict):
    """A side, and which of the eight marks it has."""

    name: str
    mark: int


class Clock(TypedDict):
    """Where a fight stands in time."""

    label: str
    time: NotRequired[str]
    note: NotRequired[str]


class Line(TypedDict):
    """A line of the log: the number of its event, who it is about, and by which rules.

    One that tells that calls were taken back, or made again, is `moved`. If what it says is `done` only by a later
    event, that one leads to its moment.
    """

    seq: int
    side: int | None
    actor: str
    text: Parts
    cite: list[str]
    undone: bool
    moved: NotRequired[bool]
    done: NotRequired[int]


class Head(TypedDict):
    """A heading in the log."""

    title: str
    time: NotRequired[str]


Lines = dict[str, Line]
Heads = dict[str, Head]


class LogPage(TypedDict):
    """The newest lines of the log."""

    first: int
    last: int
    cursor: int
    heads: Heads
    lines: Lines
    newest: NotRequired[dict[str, int]]
    sides: list[Side]
    players: bool


class Travel(TypedDict):
    """Which moment is looked at, and what leads there; the titles of its branches and of the fight given.

    Where a `call` has only begun, that is its title: whatever leads there leads to its end.
    """

    events: int
    at: int | None
    label: NotRequired[str]
    way: NotRequired[_Way | None]
    fork: NotRequired[int | None]
    call: NotRequired[str]
    given: NotRequired[str | None]
    called: NotRequired[str]
    branch: NotRequired[str]
    branches: NotRequired[list[str]]
    titles: NotRequired[list[str]]


class LogView(LogPage, Travel):
    """The log."""


class LogData(LogView, Revised):
    """The log as it is sent; a saved fight's page sets `replay` itself."""

    replay: NotRequired[bool]


# ── side by side: rulebooks, fights ──


class RulesRow(TypedDict):
    """A question, and what each system answers."""

    question: str
    cells: list[list[_Told]]


class RulesView(TypedDict):
    """A topic of rules."""

    topic: str
    topics: list[Words]
    systems: list[_Told]
    rows: list[RulesRow]
    more: RulesRow


class RulesData(RulesView, Revised):
    """A topic of rules as it is sent."""


class Moment(TypedDict):
    """The end of a turn: who waited, what was wished, what had been done by then."""

    t: float
    label: str
    who: str
    side: int
    waits: list[str]
    wishes: list[Numbered]
    sums: _Sums


class Deeds(TypedDict):
    """When a side did what."""

    turns: list[float]
    actions: list[float]
    reactions: list[float]


class LaneView(TypedDict):
    """A fight on the clock, and who won it; it has a `length` where the rules fix none, and `ends` once it is over."""

    system: str
    encounter: str
    label: str
    rounds: list[float]
    steps: list[float]
    rests: list[float]
    marks: dict[str, Deeds]
    moments: list[Moment]
    whys: list[Parts]
    sums: _Sums
    caption: Parts
    result: Parts
    ends: float | None
    length: float | None


class Lane(LaneView):
    """A fight among others, with what it is called there."""

    title: str


class ComparisonView(TypedDict):
    """Fights side by side."""

    title: str
    about: str
    span: float
    axis: list[_Tick]
    sides: list[Side]
    order: list[str]
    lanes: dict[str, Lane]


class ComparisonData(ComparisonView, Revised):
    """Fights side by side, as they are sent."""


class Held(TypedDict):
    """A condition that somebody has, and how long: "for 3 rounds", "until end of turn"."""

    id: str
    word: str
    lasts: str


class Verdict(TypedDict):
    """The message that says yes or no to what a seat asks for."""

    kind: Literal["confirm", "decline"]
    number: int


class FirstDie(TypedDict):
    """What a seat may roll for somebody's initiative before the start, and what it has."""

    name: str
    legend: str
    sides: list[int]
    faces: list[int]


class QuizRung(TypedDict):
    """Somebody in the turn order at the moment a question is about."""

    name: str
    score: str
    side: int
    status: str
    state: str
    asked: bool


class QuizSlot(TypedDict):
    """What whoever is asked about has left of a slot, in words where it has no limit."""

    title: str
    left: str
    spent: bool


class QuizAnswer(TypedDict):
    """How a question was answered, what is right, and what other systems say to the same."""

    allowed: bool
    rule: str
    right: bool
    may: bool
    head: str
    told: str
    because: list[Words]
    others: list[Words]


class QuizProgress(TypedDict):
    """How far a quiz has come: which question is shown, and of each one whether it was right, if it was answered."""

    at: int
    strip: list[bool | None]


class QuizRow(TypedDict):
    """A question, as the last page of a quiz has it: whether it was right, if it was answered, and then what is.

    `told` is that in words, with the rule behind it; both are empty while it is not answered.
    """

    text: str
    right: bool | None
    told: str
    rule: str


class QuizEnd(TypedDict):
    """The last page of a quiz: what came of it, and each question in a line."""

    title: str
    text: str
    rows: list[QuizRow]


class QuizView(QuizProgress):
    """A question of a quiz; its last page has an `end`."""

    moment: str
    system: str
    situation: str
    question: str
    order: list[QuizRung]
    slots: list[QuizSlot]
    laws: list[Words]
    hints: list[str]
    more: int
    refuses: bool
    note: str
    answer: NotRequired[QuizAnswer]
    end: NotRequired[QuizEnd]


class QuizData(QuizView, Revised):
    """What the front end of a quiz gets."""


# ── an exercise ──


class Checked(TypedDict):
    """What came of a check: what is missing, and the rules behind it in words."""

    passed: bool
    text: str
    rules: list[Words]


class ExerciseView(TypedDict):
    """What an exercise asks for, the hints that were taken, how many more there are; the last check's verdict."""

    goal: str
    hints: list[str]
    more: int
    verdict: NotRequired[Checked]


class ExerciseData(ExerciseView, Revised):
    """What the front end of an exercise gets."""
