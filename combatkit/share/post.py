"""What one seat is sent: its views as they change, worked out once for all who sit there."""

from __future__ import annotations

import time
from collections.abc import Mapping
from functools import partial
from secrets import randbelow
from typing import TYPE_CHECKING, Any

import msgspec

from combatkit.core.model import Event
from combatkit.fight.lock import HEARING, SHOWING, guarded
from combatkit.share.inbox import WAIT, Inbox
from combatkit.share.panel import Choose
from combatkit.share.requests import CHANGES, Wish, is_change, late, refused
from combatkit.share.seats import Role
from combatkit.text import neutral
from combatkit.widgets._asking import said_request
from combatkit.widgets._base import Project
from combatkit.widgets._budget_view import BudgetProjector
from combatkit.widgets._delta import changes
from combatkit.widgets._intents import hear
from combatkit.widgets._ladder_view import LadderProjector
from combatkit.widgets._map_view import MapProjector
from combatkit.widgets._message import Answer, tagged
from combatkit.widgets._seat import SeatBudget, SeatVantage, seat_tracker
from combatkit.widgets._seat_rights import QUESTIONS, check_seat, hear_seat
from combatkit.widgets._tongue import in_words, language_at, names_in, people_in, told_from, with_tongue
from combatkit.widgets._tracker_view import tracker_view
from combatkit.widgets._vantage import Vantage
from combatkit.widgets.log import log_view
from combatkit.widgets.shapes import TrackerView

if TYPE_CHECKING:
    from combatkit.share.client import Client
    from combatkit.share.room import Room

Views = dict[str, Answer]

_FILES = ("journal", "open", "keep", "file", "map_file", "bring", "download")
_FIGHTS = (
    "restart",
    "ruleset",
    "branch",
    "switch",
    "go_on",
    "anew",
    "fight",
    "shelf",
    "take",
    "scene",
    "clear",
)
_NOT_HERE = frozenset((*_FILES, *_FIGHTS))
"""What even a second GM's screen leaves to the notebook: files, and other fights than this one."""

_THERE = "The shelf, files and house rules are in your notebook, not on this page."

_TABLE = tagged(Choose)
"""What a second GM's screen chooses for all seats, as the room's list does."""

_FITS: Mapping[Role, int] = {"seat": 8, "gm": 8, "screen": 40}
"""How many pages may be open at a seat: a table's screen is opened by a whole class."""

_KNOWN = 32
"""How many pages that are not there any more are known by what they asked."""

_FIRST = 1 << 48
"""Moments are counted from a number below this."""

_CROWDED, _OVER = 4002, 1001
_LATE = "Not done: the fight went on. Do it again if you still want it."
_ENDED_ALREADY = "Your turn has ended already."
_GONE = "The fight has gone on without it."
_BACK = "You took it back."
_LET_GO = "Your GM let it go for you."
_ENDED = "Your GM ended your turn."
_OWN = ("do", "damage", "undo")
"""What is meant once, though neither turn nor window ends by it."""

_ONCE = frozenset((*CHANGES, "redo", "next_round", "finish")) - {"damage"}
"""What even the GM means for what they saw, and nothing that came later: an undo takes back what stood last then."""


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
    moment : int
        Which turn or window is shown, and after how many calls of the seat's own (for the GM, of anybody's): what is
        asked names it. It counts what was shown, so that it tells nobody of what was not, from a number that no other
        serving began with: what was meant for a moment before the kernel was started again fits none now.
    """

    def __init__(self, room: Room, name: str, role: Role) -> None:
        self.room = room
        self.name = name
        self.role = role
        self.pages: list[Client] = []
        self.left: float | None = None
        self._is_closed = False
        self._inboxes: dict[object, Inbox] = {}
        self._untold: list[str] = []
        self._done: dict[int, str] = {}
        self._is_heard = False
        self._calls = 0
        self.moment = self._since = randbelow(_FIRST)
        self._shown: object = None
        self.vantage = SeatVantage(room.encounter, name) if role != "gm" else Vantage(room.encounter)
        self._projects: dict[str, Project] = {
            "tracker": self._second_tracker if role == "gm" else seat_tracker,
            "ladder": LadderProjector(),
            "budget": BudgetProjector() if role == "gm" else SeatBudget(),
            "log": log_view,
            "map": MapProjector(second=role == "gm"),
        }
        if role != "gm" and room.paused:
            self.vantage.hold(room.chosen.since)
        self.views: Views = {part: {"revision": 0, **view} for part, view in self._project().items()}
        self._move()
        self.vantage.hold(None)
        self.vantage.add(self)
        if role == "seat":
            room.encounter.watch(self._miss)

    @property
    def waits(self) -> bool:
        """Whether nothing can be done here now: nothing is told, or it is the turn of somebody hidden."""
        return self.is_still or self.is_held

    @property
    def is_still(self) -> bool:
        """Whether nothing is told here now; in the turn of somebody hidden it is, what befalls those who are seen."""
        return self.is_shut or (self.role != "gm" and self.room.busy.with_cell)

    @property
    def is_shut(self) -> bool:
        """Whether nothing would be told here either if the GM were not busy with a cell."""
        stands = isinstance(self.vantage, SeatVantage) and self.vantage.stands_still
        return self.role != "gm" and (self.room.paused or stands)

    @property
    def is_held(self) -> bool:
        """Whether only somebody whom players do not see can do something now."""
        return isinstance(self.vantage, SeatVantage) and self.vantage.waits

    @property
    def is_left(self) -> bool:
        """Whether the GM is busy with what somebody is asked whom players do not see."""
        return isinstance(self.vantage, SeatVantage) and self.vantage.is_left

    @guarded(SHOWING)
    def refresh(self, in_a_cell: bool = False) -> None:
        """Look again, outside a call; in mid-cell, if that is wanted, however long it takes."""
        self.look_again(in_a_cell)

    def look_again(self, in_a_cell: bool = False) -> None:
        """Look again, and send what has changed; whatever goes wrong here is nothing to the call that led to it."""
        try:
            self.room.settle()
            if not (self.is_shut if in_a_cell else self.is_still):
                self._send_changes()
                if isinstance(self.vantage, SeatVantage):
                    self.vantage.news = False
            if not self.waits:
                self.room.waiting.drop(self.name, self._why_not)
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
        if self._move() or parts:
            last = self.views["tracker"]["revision"]
            own = parts.pop("tracker", {"kind": "delta", "base": last, "revision": last, "set": []})
            self.room.later(self._push, encoded({**own, "parts": parts, "moment": self.moment}))

    def _move(self) -> bool:
        """Note which moment is shown now, and say whether it is another."""
        state = self.vantage.now._state
        turn, window = state.turn, state.window
        calls = len(self.room.encounter._events) if self.role == "gm" else self._calls
        shown = (state.stage, state.round, state.step, turn and turn.seq, window and window.seq, calls)
        if shown == self._shown:
            return False
        self._shown = shown
        self.moment += 1
        return True

    def _second_tracker(self, vantage: Vantage) -> TrackerView:
        """Return the turn's controls of a second screen: what is the notebook's alone is not offered there."""
        chosen = self.room.chosen
        view = tracker_view(vantage) | {"second": True, "systems": [], "sits": self.room.sitters}
        view["chosen"] = {"throws": chosen.throws, "asks": chosen.asks}
        view["setup"].pop("party", None)
        return view

    def _project(self) -> Views:
        views: Views = {
            part: told_from(self.vantage, project(self.vantage)) for part, project in self._projects.items()
        }
        if self.role != "gm" and views["tracker"]["mode"] == "setup":
            views["tracker"]["sits"] = self.room.sitters
            if called := self.room.encounter.title:
                views["tracker"]["called"] = neutral(called)
            if self.role == "screen":
                views["tracker"]["join"] = self.room.join
        if isinstance(self.vantage, SeatVantage) and self.vantage.sealed:
            views = {part: self.vantage.sealed.seal(view) for part, view in views.items()}
        return views | {"tracker": with_tongue(views["tracker"], language_at(self.vantage), names_in(self.vantage))}

    # ── its pages, in the server's loop ──

    def come(self, page: Client, name: str, missed: object) -> None:
        """Welcome a page, by the name it has given itself, and tell it what became of what it had no answer to."""
        key = name or object()
        inbox = self._inboxes.pop(key, None) or Inbox(self)
        if inbox.client is not None:  # its last connection died without a word
            self._drop(inbox.client)
        page.inbox, inbox.client = inbox, page
        self._inboxes[key] = inbox
        if len(self.pages) >= _FITS[self.role]:
            self._drop(self.pages[0])
        self.pages.append(page)
        self._welcome(page)
        inbox.told(missed)
        self.room.table.here.add(self.name)
        self.room.table.away.discard(self.name)
        done, self._done = self._done, {}
        untold, self._untold = [*self._untold, *dict.fromkeys(done.values())], []
        if untold:
            self.recount(*untold)
        self.room.news()

    def _welcome(self, page: Client) -> None:
        page.state, page.about = self.state, self.about
        seat = {"name": self.name, "role": self.role, "plays": list(self.room.table.plays.get(self.name, ()))}
        how = {"table": self.room.name, "seat": seat, "room": page.state, "about": page.about}
        page.say({**self.whole, **how, "kind": "welcome"})

    def greet(self) -> None:
        """Tell the pages anew whom they play."""
        self.refresh()
        self.room.later(self._welcome_all)

    def _welcome_all(self) -> None:
        for page in self.pages:
            self._welcome(page)

    def _drop(self, page: Client) -> None:
        """Let the page that came first go: there is no more room, or it has come back by another connection."""
        page.tell("crowded")
        page.end(_CROWDED)
        self._leave(page)

    def _leave(self, page: Client) -> None:
        if page in self.pages:
            self.pages.remove(page)
        if page.inbox.client is page:
            page.inbox.client = None

    def go(self, page: Client) -> None:
        """Let a page go; what it asked is done none the less."""
        self._leave(page)
        gone = {key: inbox for key, inbox in self._inboxes.items() if inbox.client is None}
        known = [key for key, inbox in gone.items() if isinstance(key, str) or not inbox.is_idle][-_KNOWN:]
        for key in gone.keys() - known:
            self._inboxes.pop(key).close()
        self.left = 1000 * time.time()
        if not self.pages and not self._is_closed:
            self.room.table.here.discard(self.name)
            self.room.table.away.add(self.name)
        self.room.news()

    def _miss(self, events: tuple[Event, ...]) -> None:
        """Note what the GM does for those who are played here while nobody is: they are told as they come back."""
        table = self.room.table
        if self._is_heard or self.name not in table.away:
            return
        plays = table.plays.get(self.name, ())
        own = {name for (_, name), (_, _, seat) in table.passed.items() if seat == self.name}
        for event in events:
            if event.kind == "undo":
                self._done = {seq: words for seq, words in self._done.items() if seq <= event._data["to"]}
            if event.actor not in plays or event.by == "rules":
                continue
            if event.kind == "action":
                now = self.room.encounter
                done = now.ruleset.catalogue(now._state).get(str(event.action))
                title = done.title if done else str(event.action)
                self._done[event.seq] = f"Your GM acted for you: {title}."
            elif event.kind == "turn_end":
                self._done[event.seq] = _ENDED
            elif event.kind == "answer" and event._data.get("declined") and event.actor not in own:
                self._done[event.seq] = _LET_GO

    def recount(self, *words: str) -> None:
        """Tell those who sit here what became of something that a page asked which is not there any more."""
        if self.pages:
            said = " ".join([str(self.told({"words": each})["words"]) for each in words])
            self._push(encoded({"kind": "told", "words": said}))
        else:
            self._untold = [*self._untold, *words][-_FITS[self.role] :]

    def _push(self, text: str) -> None:
        for page in self.pages:
            page.push(text)

    @property
    def whole(self) -> Answer:
        """Everything that is shown here."""
        return {"kind": "full", "views": self.views, "moment": self.moment}

    @property
    def state(self) -> str:
        """How the room stands for this seat."""
        if self.about:
            return "asking"
        if self.room.paused:
            return "paused"
        busy = self.room.busy
        return "busy" if (busy.with_cell if self.role == "gm" else busy) else "open"

    @property
    def about(self) -> str:
        """What the GM is to confirm for this seat; nothing, where nothing waits for them."""
        return self.room.waiting.words(self.name)

    def tell(self) -> None:
        """Tell its pages how the room stands, if that is news."""
        for page in self.pages:
            page.tell(self.state, self.about)

    def end(self, state: str = "over", code: int = _OVER) -> None:
        """Say how it ends, as with the room if nothing else is said, and close the pages."""
        for page in self.pages:
            page.tell(state)
            page.end(code)

    def needs_word(self, content: object) -> bool:
        """Check whether the GM is to confirm what a page asks."""
        return self.room.chosen.asks and self.role == "seat" and is_change(content)

    async def words(self, content: object) -> Wish | Answer:
        """Return what a page asks in words, for the GM to confirm; none, if it needs no word of theirs.

        What could not be done anyway is refused, and so is all else while they have something to answer.
        """
        said = await self.room.desk.do(partial(self._words, content))
        if isinstance(said, Wish) and said.told and (about := self.about):
            return refused(f"Your GM has not answered yet: {about}.", content)
        return said

    def withdraw(self) -> None:
        """Take back what the seat has asked for."""
        self.room.waiting.drop(self.name, lambda _: _BACK)

    async def ready(self) -> None:
        """Wait while the GM is busy; what keeps seats waiting is theirs to do on a screen of their own."""
        if self.role != "gm":
            await self.room.busy.over()

    def asks_only(self, content: object) -> bool:
        """Check whether a page asks for what it may see: it changes nothing, and need not wait for somebody hidden."""
        return _read(content)[0] in QUESTIONS

    async def ask(self, content: object) -> object:
        """Do what a page asks, where things are done."""
        return await self.room.desk.do(partial(self.hear, content))

    @guarded(HEARING)
    def _words(self, content: object) -> Wish | Answer:
        assert isinstance(self.vantage, SeatVantage)
        kind, _, rest = _read(content)
        if self.waits or (kind == "undo" and self.vantage.let_go):  # a pass is taken back as it was made
            return Wish("", "")
        if why := self._why_not(content):
            return refused(why, content)
        assert isinstance(rest, dict)
        told = said_request(self.vantage, rest)
        return Wish(told, self.vantage.guises.unmasked(told))

    def _why_not(self, content: object) -> str:
        """Say why what a page asked can't be done any more; nothing, if it can."""
        _, moment, rest = _read(content)
        if moment is not None and moment != self.moment:
            return _GONE
        assert isinstance(self.vantage, SeatVantage)
        answer = check_seat(self.vantage, rest)
        return "" if answer is None else str(self.told(answer)["reason"])

    def told(self, answer: Answer) -> Answer:
        """Return what goes back to a page in the fight's language."""
        return in_words(answer, language_at(self.vantage), names_in(self.vantage), people_in(self.vantage))

    @guarded(HEARING)
    def hear(self, content: object) -> Answer | object | None:
        """Do what a message asks, in the thread it comes in; give what goes back."""
        if self._is_closed:  # on the way
            return None
        kind, moment, content = _read(content)
        is_late = moment is not None and moment != self.moment
        if kind == "damage" and isinstance(moment, int):  # of whichever moment: it names the hit that it is about
            is_late = not self._since <= moment <= self.moment
        if self.role == "gm" and kind in _TABLE:
            return hear(self, content, _TABLE)
        if self.role == "gm":
            why = _THERE if kind in _NOT_HERE else _LATE if is_late and kind in _ONCE else ""
            return refused(why, content) if why else hear(self.vantage, content)
        if self.room.paused:
            return refused("The table is paused.", content)
        if self.is_still or (self.is_held and kind not in QUESTIONS):
            return WAIT
        assert isinstance(self.vantage, SeatVantage)
        if is_late and kind in CHANGES:
            ended = kind == "end_turn" and self.vantage.now.active not in self.vantage.plays
            return late(_ENDED_ALREADY if ended else _LATE, content)
        before, calls, self._calls = self.moment, self._calls, self._calls + (kind in _OWN)
        self._is_heard = True
        try:
            answer = hear_seat(self.vantage, content)
        finally:
            self._is_heard = False
        if answer is not None:
            self._calls = calls
        elif kind in _OWN:
            self._since = before + 1
        return answer

    def close(self) -> None:
        """Stop looking."""
        self._is_closed = True
        for seats in (self.room.table.here, self.room.table.away):
            seats.discard(self.name)
        self.room.later(self._forget)
        self.vantage.remove(self)
        self.vantage.encounter.unwatch(self.vantage._happened)
        self.vantage.encounter.unwatch(self._miss)

    def _forget(self) -> None:
        for inbox in self._inboxes.values():
            inbox.close()


def _read(content: object) -> tuple[object, object, object]:
    """Return a message's kind, the moment it is meant for, and the rest of it."""
    if not isinstance(content, dict):
        return None, None, content
    rest: dict[str, Any] = {key: value for key, value in content.items() if key != "moment"}
    return content.get("kind"), content.get("moment"), rest


def encoded(message: object) -> str:
    """Return a message as it is sent."""
    return msgspec.json.encode(message).decode()
