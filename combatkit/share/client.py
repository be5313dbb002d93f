"""One page's connection: what it is sent, how fast it may ask, and what happens when it is slow."""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Mapping
from typing import TYPE_CHECKING

import msgspec

from combatkit.core.limits import MESSAGE
from combatkit.share.inbox import Inbox
from combatkit.share.post import Post, encoded
from combatkit.share.requests import refused
from combatkit.widgets._message import Answer

if TYPE_CHECKING:
    from starlette.websockets import WebSocket


_QUEUE = 32
"""How many messages wait for a slow page before it gets the whole state instead."""

_ANSWERS = 160
"""How many wait in all before such a page is let go."""

_LATER = 1013

_RATE, _BURST = 20.0, 60.0
"""How many messages a second a page may send, and how many at once."""

_TOO_FAST = "Too many messages: wait a moment."


class Pace:
    """How fast somebody may go on."""

    def __init__(self) -> None:
        self._left, self._at = _BURST, time.monotonic()

    def spend(self) -> bool:
        """Take one, if there is one left."""
        now = time.monotonic()
        self._left = min(_BURST, self._left + (now - self._at) * _RATE)
        self._at = now
        if self._left < 1:
            return False
        self._left -= 1
        return True


class Client:
    """A page at a seat.

    Parameters
    ----------
    post : Post
        The seat.
    socket : WebSocket
        Its connection.

    Attributes
    ----------
    inbox : Inbox
        What the page asks, by this connection or others.
    """

    inbox: Inbox

    def __init__(self, post: Post, socket: WebSocket) -> None:
        self.post = post
        self.socket = socket
        self.state = self.about = ""
        self.ends = 0
        self._out: deque[tuple[str, bool]] = deque()
        self._stale = False
        self._wake = asyncio.Event()
        self._pace = Pace()

    # ── out: called in the server's loop ──

    def push(self, text: str) -> None:
        """Send how things stand soon; a page that is too slow gets the whole state instead of a queue."""
        if self._stale:
            return
        if len(self._out) >= _QUEUE:
            self._out = deque(each for each in self._out if each[1])
            self._stale = True
        else:
            self._out.append((text, False))
        self._wake.set()

    def say(self, answer: Answer) -> None:
        """Answer something soon: that is never left out. A page that reads no answers is let go, and may ask again."""
        if len(self._out) >= _ANSWERS:
            self._out.clear()
            self.end(_LATER)
        else:
            self._out.append((encoded(answer), True))
        self._wake.set()

    def tell(self, state: str, about: str = "") -> None:
        """Say how the room stands, and what the GM is to confirm, if that is news."""
        if (state, about) != (self.state, self.about):
            self.state, self.about = state, about
            self.push(encoded(self._room))

    @property
    def _room(self) -> dict[str, str]:
        return {"kind": "room", "state": self.state, "about": self.about}

    def end(self, code: int) -> None:
        """Close the connection once everything before is sent."""
        self.ends = code
        self._wake.set()

    async def write(self) -> None:
        """Send what there is to send, until the connection ends."""
        while True:
            await self._wake.wait()
            self._wake.clear()
            while self._out or self._stale:
                if self._stale:
                    self._stale = False
                    await self.socket.send_text(encoded(self.post.whole))
                    await self.socket.send_text(encoded(self._room))
                else:
                    await self.socket.send_text(self._out.popleft()[0])
            if self.ends:
                await self.socket.close(self.ends)
                return

    # ── in ──

    async def read(self) -> None:
        """Take what comes, as fast as it may come."""
        while True:
            message = await self.socket.receive()
            if message["type"] == "websocket.disconnect":
                return
            content = read(message)
            if not self._pace.spend() or self.inbox.is_full:
                self.say(self.post.told(refused(_TOO_FAST, content)))
                await asyncio.sleep(0.05)  # what is not read waits at the sender's end
                continue
            kind = content.get("kind") if isinstance(content, dict) else None
            if kind == "ping":  # it wants to know whether anybody is there, whatever else is under way
                self.say({"kind": "pong"})
            elif kind == "full":
                self.say(self.post.whole)
            elif kind == "withdraw":
                self.post.withdraw()
            else:
                self.inbox.take(content)


def read(message: Mapping[str, object]) -> object:
    """Read what came as plain data; what isn't any is nothing, and is refused as such."""
    text = message.get("text")
    if not isinstance(text, str) or len(text) > MESSAGE:
        return None
    try:
        return msgspec.json.decode(text)
    except (msgspec.MsgspecError, RecursionError, ValueError):
        return None
