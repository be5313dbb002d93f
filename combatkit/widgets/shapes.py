"""Shapes of every view as it comes over the wire: see ``docs/wire.md``.

Front ends read them as JSDoc types, which ``tools/shapes.py`` makes of this module, of ``report/shapes.py`` and of
``rules/shapes.py``. A list that always has the same places is annotated with the tuple of their kinds.
"""

from __future__ import annotations

from typing import Annotated, Any, Literal, NotRequired, TypedDict

from combatkit.report.shapes import Clock, Numbered, Revised, Side, Words
from combatkit.rules.shapes import Parts, RollCall, RungExtras, Strip

_Two = Annotated[list[int], tuple[int, int]]
_Three = Annotated[list[str], tuple[str, str, str]]
_Left = Annotated[list[int | None], tuple[int | None, int | None, int | None]]
"""What is left of a vital, the most it can be, what it would come to."""


# ── the ladder ──


class Act(TypedDict):
    """What somebody may do out of turn: an action; without an id, to let it go."""

    id: str
    title: str
    needs: NotRequired[list[str]]


class Row(RungExtras):
    """A rung of the ladder; `mark` is of a status that a system brings."""

    name: str
    side: int
    score: str
    status: str
    word: NotRequired[str]
    mark: NotRequired[str]
    portrait: NotRequired[str]
    vital: NotRequired[_Two]
    acts: NotRequired[list[Act]]
    tie: Literal["", "top", "mid", "end"]
    label: Words


class Delay(TypedDict):
    """Where the active combatant may be put, or why nowhere."""

    name: str
    places: list[Numbered]
    reason: Parts


class LadderHead(TypedDict):
    """What the ladder shows besides its rungs; whether the GM `acts` on them."""

    system: str
    score: str
    clock: Clock
    sides: list[Side]
    words: dict[str, str]
    current: str | None
    selected: str | None
    delay: Delay | None
    players: bool
    acts: bool
    dice: Literal["seeded", "table"]
    strips: list[Strip]


class LadderView(LadderHead):
    """The ladder."""

    order: list[str]
    rows: dict[str, Row]


class LadderData(LadderView, Revised):
    """The ladder as it is sent."""


class Dealing(TypedDict):
    """What damage would come to: of whom, what is left now, at most, and then; and what may be chosen."""

    vitals: list[Words]
    vital: str
    conditions: list[str]
    untils: list[str]
    rungs: dict[str, _Left]
    why: Parts


# ── the budget ──


class Slot(TypedDict):
    """Something to spend, and what is left of it."""

    id: str
    title: str
    total: NotRequired[int]
    left: NotRequired[int]
    off: NotRequired[int]
    unlimited: NotRequired[str]


class Progress(TypedDict):
    """How far an action has come that takes longer."""

    action: str
    title: str
    done: int
    total: int
    text: Parts


class Action(TypedDict):
    """An action, with the `params` that are given with it where it stands there in several ways.

    `names` are other words by which it is found; `cost` stands beside one that is not among its like.
    """

    id: str
    title: str
    extra: NotRequired[str]
    names: NotRequired[str]
    cost: NotRequired[str]
    needs: NotRequired[list[str]]
    params: NotRequired[dict[str, str]]


class Group(TypedDict):
    """Actions, by key, that cost the same; or, with `whys`, that are refused: `own` says which reason is whose."""

    id: str
    title: str
    small: NotRequired[str]
    actions: list[str]
    whys: NotRequired[list[Parts]]
    own: NotRequired[dict[str, int]]


class Spending(TypedDict):
    """What somebody has to spend, and on what: groups by cost, then folds by reason; each action is sent once."""

    slots: list[Slot]
    progress: list[Progress]
    groups: list[str]
    folds: list[str]
    group: dict[str, Group]
    action: dict[str, Action]


class BudgetView(Spending):
    """The budget; where nobody acts, what everybody is asked."""

    name: str | None
    calls: RollCall | None
    caption: str
    dice: Literal["seeded", "table"]
    players: bool


class BudgetData(BudgetView, Revised):
    """The budget as it is sent; `busy` is a front end's own, while it is waiting."""

    busy: NotRequired[bool]


class Choice(TypedDict):
    """A value that may be chosen, or why not."""

    value: Any
    label: Parts
    allowed: bool
    why: NotRequired[Parts]


class Field(TypedDict):
    """What an action's form asks for."""

    id: str
    title: str
    required: bool
    kept: NotRequired[bool]
    values: NotRequired[list[Choice]]


class Param(Field):
    """A field of an action's form, and how it is filled in."""

    type: Literal["one", "many", "text", "number", "flag"]


class Thrower(TypedDict):
    """Who rolls, for a line in a table of dice: what is added to the faces, and what it comes to once all are typed."""

    name: str
    side: int | None
    note: str
    plus: str
    total: NotRequired[int]


class Roll(TypedDict):
    """Dice that are rolled at the table; with `who`, those of a call in which many roll."""

    purpose: str
    legend: str
    sides: list[int]
    sum: Parts
    error: str
    who: NotRequired[Thrower]


class Ruling(TypedDict):
    """What the rules say; `param` is what is wrong."""

    allowed: bool
    reason: NotRequired[Parts]
    param: NotRequired[str]


class Choices(TypedDict):
    """What an action still needs."""

    params: list[Param]
    dice: list[Roll]
    ruling: Ruling


# ── the tracker ──


class Answer(TypedDict):
    """An action somebody may answer with."""

    id: str
    title: str
    needs: NotRequired[list[str]]


class Asked(TypedDict):
    """One who is asked in a window."""

    who: str
    side: int | None
    text: str
    sub: NotRequired[Parts]
    actions: NotRequired[list[Answer]]
    must: NotRequired[bool]
    choices: NotRequired[list[str | int | bool]]


class Window(TypedDict):
    """A window: what it is about, who is asked, who is not and why."""

    id: str
    title: str
    question: bool
    rows: list[Asked]
    notes: NotRequired[list[Parts]]
    soft: NotRequired[bool]


class Stat(TypedDict):
    """A stat that can be typed; those that come `first` are what a fight needs."""

    id: str
    title: str
    type: Literal["int", "text", "list", "bool", "either"]
    default: Any
    min: int | None
    max: int | None
    vital: bool
    first: NotRequired[bool]


class Member(TypedDict):
    """One who is in a fight that is being set up, with the `stats` that can be typed and are not as usual."""

    name: str
    side: int
    npc: bool
    summary: str
    stats: dict[str, Any]
    surprised: bool


class Held(TypedDict):
    """A condition that holds of somebody."""

    id: str
    word: str
    until: str


class CardWeapons(TypedDict):
    """The weapons of a sheet: the parts each has (id, title, kind), and those there are."""

    parts: list[_Three]
    rows: list[dict[str, Any]]


class Card(TypedDict):
    """The card of a combatant: what can be typed, what of it is not as usual (`has`), and `lines` only to read."""

    name: str
    side: str
    npc: bool
    stats: list[Stat]
    has: dict[str, Any]
    lines: list[Words]
    weapons: NotRequired[CardWeapons]
    conditions: list[Held]
    left: str


class Setup(TypedDict):
    """What setting a fight up needs.

    `party` is the side that stays when the others are cleared; `keeps` says whether a party can be kept.
    """

    stats: list[Stat]
    sides: list[Side]
    party: NotRequired[str]
    keeps: NotRequired[bool]
    combatants: NotRequired[list[Member]]


class Bookkeeping(TypedDict):
    """What the GM may write down of somebody."""

    names: list[str]
    vitals: list[Words]
    conditions: list[str]
    untils: list[str]


class TurnWords(TypedDict):
    """Whose turn it is."""

    title: str
    sub: str


class Ending(TypedDict):
    """The button that ends a turn."""

    label: str
    allowed: bool
    reason: Parts


class Way(TypedDict):
    """The button of undo or redo."""

    allowed: bool
    title: str


class TrackerView(TypedDict):
    """The turn's controls; a saved fight has those that only tell."""

    mode: Literal["setup", "play", "over", "past"]
    system: str
    systems: NotRequired[list[Words]]
    clock: NotRequired[Clock]
    turn: NotRequired[TurnWords]
    end: NotRequired[Ending]
    undo: NotRequired[Way]
    redo: NotRequired[Way]
    windows: NotRequired[list[Window]]
    result: NotRequired[list[Parts]]
    announce: NotRequired[str]
    setup: NotRequired[Setup]
    gm: NotRequired[Bookkeeping]
    sides: NotRequired[list[Side]]
    players: bool
    dice: NotRequired[Literal["seeded", "table"]]
    timer: NotRequired[int]


class TrackerData(TrackerView, Revised):
    """The turn's controls as they are sent."""
