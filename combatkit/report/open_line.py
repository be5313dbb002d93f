"""The newest line of the log, while more may still come to it."""

from __future__ import annotations

from combatkit.core.curtain import NOBODY
from combatkit.core.model import Event
from combatkit.core.timeline import MOVES
from combatkit.rules.shapes import Parts

_TURNS = ("turn", "turn_end", "turn_back", "turn_lost")

_OF_ALL = frozenset(("round", "round_end", "step", "step_end", "window", "answer", "window_end", "over", *MOVES))
"""What is nobody's deed: with it something else begins than a line tells, also where no line says so."""


class OpenLine:
    """A line that is still being told: who it is about, what has been said, and by which rules."""

    __slots__ = (
        *("about", "action", "bare", "cite", "done", "event", "gm", "is_done", "names"),
        *("alike", "parts", "said", "struck", "tells", "veil", "who"),
    )

    def __init__(self, event: Event, who: str | None, parts: Parts, gm: bool) -> None:
        self.event = event
        self.who = who
        self.parts = parts
        self.gm = gm
        self.cite = event.rules
        self.done = event.seq
        """The event by which all is done that it says: whoever goes somewhere has arrived."""
        self.is_done = False
        self.bare = parts[0]
        """What it says first, without where that has led."""
        self.action = (event.actor, event.action) if event.kind == "action" else None
        self.names: list[str] = []
        self.about: object = None
        """What else it speaks of: whom it is done to, and what looks like a person's own words."""
        self.veil = NOBODY
        """Who was hidden when it began."""
        self.said = False
        """Whether another event has said it better than the action itself."""
        self.struck = False
        """Whether a blow of it has been told."""
        self.alike: tuple[str | None, str, int, str] = (None, "", 0, "")
        """Whom its latest blow was aimed at, what that came to, how many in a row came to it, and the words for it."""
        self.tells: list[int] = []
        """Which other events it tells: the blows of an action, what the action brings."""

    def goes_on(self, event: Event) -> None:
        """Note what comes of what it says, up to what is no part of that: another's turn, or what is asked."""
        others = event.kind in _TURNS and event.actor != self.who
        self.is_done = self.is_done or others or event.kind in _OF_ALL
        if not self.is_done:
            self.done = event.seq

    def add(self, text: str, rules: tuple[str, ...]) -> None:
        """Say beside an action what it brings, and by which rules."""
        self.parts.append(f"; {text}")
        self.cite = tuple(dict.fromkeys((*self.cite, *rules)))

    def aside(self, event: Event, text: str) -> None:
        """Say of an attack, before it lands, what it uses up."""
        self.parts += [" ", {"quiet": text}]
        self.cite = tuple(dict.fromkeys((*self.cite, *event.rules)))
        self.tells.append(event.seq)

    def blow(self, event: Event, parts: Parts) -> None:
        """Say what a blow came to."""
        self.parts += parts
        self.struck = True
        self.tells.append(event.seq)

    def say(self, text: str, rules: tuple[str, ...] = ()) -> bool:
        """Let what an action brings say it in the action's place; only the first does, and later ones are told so."""
        if self.said:
            return False
        self.said, self.parts[0], self.cite = True, text, rules or self.cite
        return True
