"""Shapes of the log, and of what is told alike everywhere, as they come over the wire."""

from __future__ import annotations

from typing import Annotated, Literal, NotRequired, TypedDict

from combatkit.rules.shapes import Parts

_Way = Annotated[list[str | int], tuple[Literal["undo", "redo"], int]]


class Revised(TypedDict):
    """What every view has once it is sent: how often it has changed."""

    revision: int


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
    """A line of the log: the number of its event, who it is about, and by which rules."""

    seq: int
    side: int | None
    actor: str
    text: Parts
    cite: list[str]
    undone: bool


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
    """Which moment is looked at, and what leads there."""

    events: int
    at: int | None
    label: NotRequired[str]
    way: NotRequired[_Way | None]
    fork: NotRequired[int | None]
    given: NotRequired[str | None]
    branch: NotRequired[str]
    branches: NotRequired[list[str]]


class LogView(LogPage, Travel):
    """The log."""


class LogData(LogView, Revised):
    """The log as it is sent; a saved fight's page sets `replay` itself."""

    replay: NotRequired[bool]
