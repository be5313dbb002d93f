"""Words that a ruleset declares besides the kit's: conditions, parameters, columns of a user's own actions."""

from __future__ import annotations

from msgspec import Struct

ELSEWHERE = ("begin", "end", "lapse", "rung")
"""What something else can tell about a condition. That rules set it; that they end it; that it runs out, unless it has
words of its own for that; that the owner of a rung has it.
"""


REACTION = "reaction"
"""What a condition forbids that lets its owner do nothing out of turn."""

TAG = "tag:"
"""What a condition forbids by a tag of actions begins with."""


MARKS = ("bang", "check", "down", "now", "pause", "ready", "slash", "wait")
"""What front ends can draw beside a status."""


class ConditionSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A condition that rules use.

    `out` keeps whoever has it from acting and from being called, `fallen` from being attacked; one that `fells` leaves
    its owner nothing to spend, and ends what they have begun of an action of several turns or parts; `had` is for what
    somebody has rather than is. One that `spares` lets somebody who is still there act, whatever else they have.
    `called` is the part of its value that it is called by as it ends. `status` is what a rung with it is called, one of
    the engine's or its own id, with a `mark`, one of `MARKS`. An `offered` one is listed where the GM sets one. A
    `secret` one is the GM's to know: players are shown and told nothing of it. `elsewhere`, some of `ELSEWHERE`, is
    what another line of the log tells of it, or the rung without a chip. One that is simply set rests on `rule`, and
    lasts `until` an anchor, with ``{who}`` for its owner, if no longer is said. One with a
    `holder` names them as its value, and ends as they can no longer hold on: they have fallen, have gone, or aren't
    beside its owner any more. What it `forbids` its owner: "reaction", or "tag:" and a tag, for actions with it.
    """

    id: str
    out: bool = False
    fallen: bool = False
    fells: bool = False
    had: bool = False
    spares: bool = False
    called: str = ""
    status: str = ""
    mark: str = ""
    offered: bool = False
    secret: bool = False
    holder: bool = False
    forbids: tuple[str, ...] = ()
    rule: str = ""
    until: str = ""
    elsewhere: tuple[str, ...] = ()


KINDS = ("action", "any", "dice", "int", "modifiers", "name", "names", "outcome", "places", "text", "trigger")
"""What a parameter can be."""


class ParameterSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """How a parameter is asked for and checked.

    `kind` names the check, one of `KINDS`. What an action lacks without it is called `wanted`, or else `title`; an
    empty list of names will do if it can be `nobody`. Where it is typed, an `example` stands in its field. One that is
    `told` stands in the log beside what was done.
    """

    id: str
    title: str
    kind: str
    wanted: str = ""
    example: str = ""
    nobody: bool = False
    told: bool = False

    @property
    def lacking(self) -> str:
        """Say that nothing or nobody will do: "No target is possible", "Nobody to come before"."""
        if self.kind == "name" and self.wanted:
            return self.wanted.replace("somebody", "nobody").capitalize()
        return f"No {self.title.lower()} is possible"


COLUMN_KINDS = ("", "text", "flag", "number")
"""What every system requires of a column of a user's own actions."""


class ColumnSpec(Struct, frozen=True, forbid_unknown_fields=True):
    """A column of a user's own actions; one frame serves several systems, so each accepts the others' columns, too.

    `kind` says what it holds, one of `COLUMN_KINDS`; if that is empty, the system judges. A `word` may stand for a
    number.
    """

    id: str
    kind: str = ""
    word: str = ""
