"""The newest line of the log, while more may still come to it."""

from __future__ import annotations

from combatkit.core.curtain import NOBODY
from combatkit.core.model import Event
from combatkit.rules.shapes import Parts


class OpenLine:
    """A line that is still being told: who it is about, what has been said, and by which rules."""

    __slots__ = (
        *("about", "action", "bare", "cite", "event", "gm", "names"),
        *("parts", "said", "struck", "tells", "veil", "who"),
    )

    def __init__(self, event: Event, who: str | None, parts: Parts, gm: bool) -> None:
        self.event = event
        self.who = who
        self.parts = parts
        self.gm = gm
        self.cite = event.rules
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
        self.tells: list[int] = []
        """Which other events it tells: the blows of an action, what the action brings."""

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
