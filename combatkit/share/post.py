"""What one seat is sent: its views as they change, worked out once for all who sit there."""

from __future__ import annotations

import time
from functools import partial
from typing import TYPE_CHECKING

import msgspec

from combatkit.errors import CombatkitError
from combatkit.fight.lock import HEARING, SHOWING, guarded
from combatkit.share.requests import needs_word, refused
from combatkit.widgets._asking import said_request
from combatkit.widgets._base import Project
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._delta import changes
from combatkit.widgets._intents import KINDS, hear
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._message import Answer
from combatkit.widgets._seat import SeatBudget, SeatVantage, seat_tracker
from combatkit.widgets._seat_rights import hear_seat
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.log import log_view

if TYPE_CHECKING:
    from combatkit.share.client import Client
    from combatkit.share.room import Room
    from combatkit.share.seats import Role

Views = dict[str, Answer]

_FILES = ("journal", "open", "keep", "file", "bring", "download")
_FIGHTS = ("restart", "ruleset", "branch", "switch", "anew", "settings", "shelf", "take", "scene", "clear", "timer")
_NOT_HERE = frozenset((*_FILES, *_FIGHTS))
"""What even a second GM's screen leaves to the notebook: files, and other fights than this one."""

_GM_KINDS = {kind: each for kind, each in KINDS.items() if kind not in _NOT_HERE}

WAIT = object()
"""Said instead of an answer while the GM is busy: what was asked is asked again then."""


class Post:
    """A seat as the fight sees it.

    Parameters
    ----------
    room : Room
        Whose seat it is; it is told what to send.
    name : str
        The seat's.
    role : str
        "seat", "screen" or "gm".

    Attributes
    ----------
    views : dict
        What is shown there.
    pages : list of Client
        The pages that are open there; like all that is done with them, a matter of the server's loop.
    left : float or None
        When the last one went, in milliseconds since 1970.
    """

    def __init__(self, room: Room, name: str, role: Role) -> None:
        self.room = room
        self.name = name
        self.role = role
        self.pages: list[Client] = []
        self.left: float | None = None
        self._is_closed = False
        self.vantage = SeatVantage(room.encounter, name) if role != "gm" else Vantage(room.encounter)
        self._projects: dict[str, Project] = {
            "tracker": tracker_view if role == "gm" else seat_tracker,
            "ladder": LadderProjector(),
            "budget": BudgetProjector() if role == "gm" else SeatBudget(),
            "log": log_view,
        }
        if role != "gm" and room.paused:
            self.vantage.hold(room.chosen.since)
        self.views: Views = {part: {"revision": 0, **view} for part, view in self._project().items()}
        self.vantage.hold(None)
        self.vantage.add(self)

    @property
    def waits(self) -> bool:
        """Whether nothing is told here now: the room is paused, the GM busy, or it is the turn of somebody hidden."""
        return self.role != "gm" and (self.room.paused or self.room.busy.with_cell or self.is_held)

    @property
    def is_held(self) -> bool:
        """Whether only somebody whom players do not see can do something now."""
        return isinstance(self.vantage, SeatVantage) and self.vantage.waits

    @property
    def is_left(self) -> bool:
        """Whether the GM is busy with what somebody is asked whom players do not see."""
        return isinstance(self.vantage, SeatVantage) and self.vantage.is_left

    @guarded(SHOWING)
    def refresh(self) -> None:
        """Look again, outside a call."""
        self.look_again()

    def look_again(self) -> None:
        """Look again, and send what has changed; whatever goes wrong here is nothing to the call that led to it."""
        try:
            self.room.settle()
            if not self.waits:
                self._send_changes()
        except Exception as error:  # noqa: BLE001 - a fight goes on, whatever is wrong with a seat's page
            self.room.note(f"{self.name}: {type(error).__name__}")

    def _send_changes(self) -> None:
        parts: dict[str, dict[str, object]] = {}
        for part, view in self._project().items():
            old = self.views[part]
            base = old["revision"]
            found = changes(old, {"revision": base, **view})
            if found:
                self.views = {**self.views, part: {"revision": base + 1, **view}}
                parts[part] = {"kind": "delta", "base": base, "revision": base + 1, "set": found}
        if parts:
            last = self.views["tracker"]["revision"]
            own = parts.pop("tracker", {"kind": "delta", "base": last, "revision": last, "set": []})
            self.room.later(self._push, encoded({**own, "parts": parts}))

    def _project(self) -> Views:
        views: Views = {part: dict(project(self.vantage)) for part, project in self._projects.items()}
        if self.role == "screen" and views["tracker"]["mode"] == "setup":
            views["tracker"]["join"] = self.room.join
        if isinstance(self.vantage, SeatVantage) and self.vantage.sealed:
            views = {part: self.vantage.sealed.seal(view) for part, view in views.items()}
        return views

    # ── its pages, in the server's loop ──

    def come(self, page: Client) -> None:
        """Welcome a page."""
        self.pages.append(page)
        page.state, page.about = self.state, self.about
        about = {"name": self.name, "role": self.role, "plays": list(self.room.table.plays.get(self.name, ()))}
        page.push(
            encoded({"kind": "welcome", "seat": about, "room": page.state, "about": page.about, "views": self.views})
        )
        self.room.news()

    def go(self, page: Client) -> None:
        """Let a page go."""
        self.pages.remove(page)
        self.left = 1000 * time.time()
        self.room.news()

    def _push(self, text: str) -> None:
        for page in self.pages:
            page.push(text)

    @property
    def state(self) -> str:
        """How the room stands for this seat."""
        if self.about:
            return "asking"
        if self.room.paused:
            return "paused"
        return "busy" if self.room.busy and self.role != "gm" else "open"

    @property
    def about(self) -> str:
        """What the GM is to confirm for this seat; nothing, where nothing waits for them."""
        return self.room.waiting.words(self.name)

    def tell(self) -> None:
        """Tell its pages how the room stands, if that is news."""
        for page in self.pages:
            page.tell(self.state, self.about)

    def end(self, state: str, code: int) -> None:
        """Say how it ends and close the pages."""
        for page in self.pages:
            page.tell(state)
            page.end(code)

    async def ask(self, content: object) -> object:
        """Do what a page asks, where things are done; first, the GM may want to confirm it."""
        if self._is_closed:
            return None
        asks = self.room.chosen.asks and self.role == "seat" and needs_word(content)
        if asks:
            words = await self.room.desk.do(partial(self._words, content))
            if not await self.room.waiting.confirmed(self.name, words):
                return refused("Your GM says no.", content)
        return await self.room.desk.do(partial(self.hear, content))

    @guarded(HEARING)
    def _words(self, content: object) -> str:
        assert isinstance(self.vantage, SeatVantage)
        assert isinstance(content, dict)
        return said_request(self.vantage, content)

    def hear(self, content: object) -> Answer | object | None:
        """Do what a message asks, in the thread it comes in; give what goes back."""
        if self._is_closed:  # on the way
            return None
        try:
            return self._carry_out(content)
        except CombatkitError as error:  # it could not begin
            return refused(str(error), content)

    @guarded(HEARING)
    def _carry_out(self, content: object) -> Answer | object | None:
        if self.role == "gm":
            return hear(self.vantage, content, _GM_KINDS)
        if self.room.paused:
            return refused("The table is paused.", content)
        if self.waits:
            return WAIT
        assert isinstance(self.vantage, SeatVantage)
        return hear_seat(self.vantage, content)

    def close(self) -> None:
        """Stop looking."""
        self._is_closed = True
        self.vantage.remove(self)
        self.vantage.encounter.unwatch(self.vantage._happened)


def encoded(message: object) -> str:
    """Return a message as it is sent."""
    return msgspec.json.encode(message).decode()
