"""Shapes of what a system itself shows, as sent over the wire: rich text, strips, rung extras."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

_Placed = Annotated[list[int | str | bool], tuple[int, str, bool, str]]
"""A side, a name, whether it is whoever acts, and where they stand."""


class Mark(TypedDict):
    """A part of rich text that is more than words: its key says what it is.

    `table` goes with a die, `theirs` with a chip in somebody's own words.
    """

    rule: NotRequired[str]
    die: NotRequired[int]
    table: NotRequired[bool]
    chip: NotRequired[str]
    theirs: NotRequired[bool]
    was: NotRequired[str]
    note: NotRequired[str]
    quiet: NotRequired[str]
    strong: NotRequired[str]
    side: NotRequired[int]


Part = str | Mark
Parts = list[Part]


class Pips(TypedDict):
    """Points as pips: how many, how many are left, how many were spent off turn; in words."""

    total: int
    left: int
    off: int
    text: str


class RungExtras(TypedDict):
    """What a system adds to a rung of the ladder."""

    sub: NotRequired[list[Parts]]
    group: NotRequired[str]
    cells: NotRequired[list[str]]
    pips: NotRequired[Pips]


class Zone(TypedDict):
    """A band of distance from whoever acts, and who stands in it."""

    title: str
    note: str
    here: bool
    who: list[_Placed]


class Zones(TypedDict):
    """Bands of distance, the nearest first."""

    type: Literal["zones"]
    label: str
    zones: list[Zone]


class Step(TypedDict):
    """A step of a round, whether it is over or under way, and what is said about it."""

    number: int | None
    title: str
    stands: Literal["done", "now", ""]
    lines: list[Parts]


class Flow(TypedDict):
    """A round as a row of steps."""

    type: Literal["flow"]
    label: NotRequired[str]
    steps: list[Step]


_Reach = TypedDict("_Reach", {"from": int, "to": int})


class Bar(_Reach):
    """What somebody spends time on, from one tick to another."""

    side: int
    name: str
    text: str
    after: str


class Ticks(TypedDict):
    """Time as a row of ticks, and bars over it."""

    type: Literal["ticks"]
    label: NotRequired[str]
    title: NotRequired[str]
    of: NotRequired[int]
    now: int | None
    bars: list[Bar]


class Cells(TypedDict):
    """The heads of the cells on every rung, and a word about the present one, with why it is so."""

    type: Literal["cells"]
    label: str
    titles: list[str]
    now: int
    note: str
    why: NotRequired[str]


Strip = Zones | Flow | Ticks | Cells


class Call(TypedDict):
    """Somebody who is asked, or whose turn to do something comes, and what they have said they will do."""

    name: str
    side: int
    said: str


class RollCall(TypedDict):
    """What everybody is asked in a step: the action they answer with, and everybody by their number of joining."""

    action: str
    title: str
    rows: dict[str, Call]
