"""Words that a ruleset declares beside those of the kit: conditions, parameters, columns of a user's own actions."""

from __future__ import annotations

from msgspec import Struct

ELSEWHERE = ("begin", "end", "lapse", "rung")
"""What of a condition something else can tell.

That rules set it; that they end it; that it runs out, unless words of its own say how; that the owner of a rung has it.
"""


MARKS = ("bang", "check", "down", "now", "pause", "ready", "slash", "wait")
"""What front ends can draw beside a status."""


class ConditionSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that rules read.

    `out` keeps one who is it from acting and from being called, `fallen` from being attacked; a `had` one somebody has
    rather than is; a `lasting` one stays with one who has left; a rung is called by its `status`, one of the engine's
    or its own id, which bears a `mark`, one of `MARKS`; an `offered` one is named where the GM sets one. Of what stands
    in `elsewhere`, some of `ELSEWHERE`, another line of the log tells, or the rung in another way than by a chip.
    """

    id: str
    out: bool = False
    fallen: bool = False
    had: bool = False
    lasting: bool = False
    status: str = ""
    mark: str = ""
    offered: bool = False
    elsewhere: tuple[str, ...] = ()


KINDS = ("action", "any", "dice", "int", "modifiers", "name", "names", "outcome", "places", "text", "trigger")
"""What a parameter can be."""


class ParameterSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """How a parameter is asked for and checked.

    `kind` names the check, one of `KINDS`. An action needs `wanted`, or a `title`; names may be none at all if it can
    be `nobody`.
    """

    id: str
    title: str
    kind: str
    wanted: str = ""
    nobody: bool = False

    @property
    def lacking(self) -> str:
        """Say that nothing or nobody will do: "No target is possible", "Nobody to come before"."""
        if self.kind == "name" and self.wanted:
            return self.wanted.replace("somebody", "nobody").capitalize()
        return f"No {self.title.lower()} is possible"


COLUMN_KINDS = ("", "text", "flag", "number")
"""What every system holds a column of a user's own actions to."""


class ColumnSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a user's own actions; one frame serves several systems, so each takes those that mean nothing in it.

    `kind` says what it holds, one of `COLUMN_KINDS`; where that is empty, the system judges. A `word` may
    stand for a number.
    """

    id: str
    kind: str = ""
    word: str = ""
