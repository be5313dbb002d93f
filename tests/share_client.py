"""A page at a table, without a browser: it keeps its views by what it is sent, as a page does."""

from __future__ import annotations

import json
from types import TracebackType
from typing import Any, Protocol, Self

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect
from websockets.typing import Origin

from combatkit.share import Room, Seat

PATIENCE = 20.0


def settled(room: Room) -> None:
    """Wait until the room has done what it is at: one page may be told of a call before others and trackers are."""
    assert room.desk._worker is not None
    room.desk._worker.submit(int).result()


class Place(Protocol):
    """Where a room is: its own port, or one that another process serves."""

    @property
    def port(self) -> int: ...


class Page:
    """A page at a seat; `link` is a seat, or a token."""

    def __init__(self, room: Place, link: Seat | str, *, origin: str | None = None, hello: object = None) -> None:
        token = link if isinstance(link, str) else link.url.partition("#")[2]
        self._open = connect(
            f"ws://127.0.0.1:{room.port}/wire",
            origin=Origin(origin or f"http://127.0.0.1:{room.port}"),
            max_size=None,
            max_queue=None,  # a page that hears no more still goes at once
        )
        self.socket: ClientConnection = self._open.__enter__()
        self.got: list[dict[str, Any]] = []
        self.bytes = 0
        self.raw: list[str] = []
        self.views: dict[str, dict[str, Any]] = {}
        self.code = 0
        self._number = 0
        self.send(hello or {"kind": "hello", "token": token})

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()

    def close(self) -> None:
        """Go away."""
        self._open.__exit__(None, None, None)

    def send(self, message: object) -> None:
        self.socket.send(message if isinstance(message, (str, bytes)) else json.dumps(message))

    def hear(self, timeout: float = PATIENCE) -> dict[str, Any] | None:
        """Give the next message; None if the connection has ended."""
        try:
            text = self.socket.recv(timeout)
        except ConnectionClosed as closed:
            self.code = closed.rcvd.code if closed.rcvd else 1006
            return None
        assert isinstance(text, str)
        self.bytes += len(text.encode())
        self.raw.append(text)
        message: dict[str, Any] = json.loads(text)
        self.got.append(message)
        self._take(message)
        return message

    def until(self, *kinds: str) -> dict[str, Any]:
        """Hear on until a message of one of these kinds, and give it."""
        while (message := self.hear()) is not None:
            if message["kind"] in kinds:
                return message
        raise AssertionError(f"the connection ended ({self.code}) before any of {kinds}")

    def ask(self, kind: str, **fields: object) -> dict[str, Any]:
        """Ask something, and give what has this very number."""
        self._number += 1
        self.send({"kind": kind, "id": self._number, **fields})
        while (message := self.hear()) is not None:
            if message.get("id") == self._number:
                return message
        raise AssertionError(f"the connection ended ({self.code})")

    def settled(self) -> list[dict[str, Any]]:
        """Hear all there is by now, and give it: a question that everybody may ask comes last."""
        before = len(self.got)
        self.ask("rule", rule=self.rule)
        return [each for each in self.got[before:] if each["kind"] != "rule"]

    rule = "none"

    def _take(self, message: dict[str, Any]) -> None:
        if message["kind"] in ("welcome", "full"):
            self.views = message["views"]
        elif message["kind"] == "delta":
            for part, delta in {**message.get("parts", {}), "tracker": message}.items():
                last = self.views[part]["revision"]
                if last < delta["revision"]:  # a whole state may have brought it already
                    assert last == delta["base"]
                    self.views[part] = applied(self.views[part], delta)


def applied(view: dict[str, Any], delta: dict[str, Any]) -> dict[str, Any]:
    """Apply a delta as `js/shared/delta.js` does."""
    made: dict[str, Any] = json.loads(json.dumps(view))
    for path, value, *splice in delta["set"]:
        places: list[Any] = [made]
        for key in path[:-1]:
            places = [place[_key(place, each)] for place in places for each in _keys(key)]
        for place in places:
            for key in _keys(path[-1]):
                if splice:
                    start, count = splice
                    place[_key(place, key)][start : start + count] = value
                elif value is None:
                    place.pop(key, None)
                else:
                    place[_key(place, key)] = value
    for part, most in (made.get("newest") or {}).items():
        keys = sorted(made[part], key=int)[-most:]
        made[part] = {key: made[part][key] for key in keys}
    return {**made, "revision": delta["revision"]}


def _keys(key: Any) -> list[Any]:
    return key if isinstance(key, list) else [key]


def _key(place: Any, key: Any) -> Any:
    return int(key) if isinstance(place, list) else key
