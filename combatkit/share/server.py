"""The server of a room: a page, its scripts and styles, and a socket, in a thread of its own."""

from __future__ import annotations

import asyncio
import mimetypes
import socket as sockets
from collections.abc import Mapping
from contextlib import suppress
from errno import EACCES, EADDRINUSE
from string import Template
from threading import Thread
from typing import TYPE_CHECKING, Any

import uvicorn
from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Mount, Route, WebSocketRoute
from starlette.staticfiles import StaticFiles
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

from combatkit.core.limits import MESSAGE
from combatkit.core.plain import is_text
from combatkit.errors import CombatkitError, InvalidInput
from combatkit.share.client import Client, read
from combatkit.share.post import encoded
from combatkit.text import ENGLISH
from combatkit.widgets._base import _STATIC
from combatkit.widgets._tongue import language_of, tongue_of
from combatkit.widgets.page import as_json

if TYPE_CHECKING:
    from combatkit.share.room import Room

POLICY = "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:"
"""What a page may load, run and reach: what comes from here, and the picture below the map, which comes in messages."""

_HEADERS = {
    "Content-Security-Policy": POLICY,
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-cache",
}
"""Said with everything: a browser keeps what it has, and asks each time whether it is still the same."""

mimetypes.add_type("text/javascript", ".js")  # some machines call it plain text, which no browser would run
_PAGE = Template("""<!doctype html><html lang="$lang"><head><meta charset="utf-8"><title>$title</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<link rel="stylesheet" href="assets/seat.css"></head>
<body><main id="seat" data-ck-page></main><script type="application/json" id="tongue">$words</script>
<script type="module" src="assets/seat.js"></script></body></html>""")
_PATIENCE = 10.0
"""How many seconds a page has for its first message."""

_STRANGERS = 64
"""How many connections may be open that have not said who they are."""

_NAME = 64
"""How long the name may be that a page gives itself."""

_UNKNOWN = 4003
_TAKEN = (
    "share: port {} is taken, perhaps by another kernel that shares this fight, and url leads nowhere else. Shut that "
    "kernel down and run this again, or give another port and url"
)
_OURS = "one of this machine's addresses, or '0.0.0.0' for all of them"


class _Wire(WebSocketsSansIOProtocol):
    """A connection that logs no frame, at any level: the first one holds a token."""

    def __init__(self, *args: Any, **named: Any) -> None:
        super().__init__(*args, **named)
        self.conn.debug = False


class _Serving(uvicorn.Server):
    """Ends at once when it is told to: uvicorn's own looks ten times a second, then waits a tenth more for nobody."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.told = asyncio.Event()

    async def main_loop(self) -> None:
        while not await self.on_tick(0):  # it keeps the date that answers have
            with suppress(TimeoutError):
                async with asyncio.timeout(1):
                    await self.told.wait()

    async def shutdown(self, sockets: list[sockets.socket] | None = None) -> None:
        for server in self.servers:
            server.close()
        for listening in sockets or []:
            listening.close()
        await self._let_go(0.1)  # each page was told that it is over, and goes by itself
        for connection in list(self.server_state.connections):
            with suppress(Exception):  # of one that is ending already; the others are told none the less
                connection.shutdown()
        await self._let_go(1)
        for task in self.server_state.tasks:
            task.cancel()

    async def _let_go(self, seconds: float) -> None:
        """Wait until everybody has gone, for so long at most."""
        with suppress(TimeoutError):
            async with asyncio.timeout(seconds):
                while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110 - their end isn't told
                    await asyncio.sleep(0.01)


class Server:
    """Serves a room until it is closed.

    Parameters
    ----------
    room : Room
        The room.
    host : str
        Where to listen.
    ports : tuple of int
        The port, 0 for any that is free; of several, the first that can be had.

    Raises
    ------
    InvalidInput
        If the last of them is taken, or the host is not this machine's.
    """

    def __init__(self, room: Room, host: str, ports: tuple[int, ...]) -> None:
        self.room = room
        self._strangers = 0
        self._socket = _listening(host, ports)
        self.loop = asyncio.new_event_loop()
        self.port: int = self._socket.getsockname()[1]
        app = Starlette(
            routes=[
                Route("/", self._page),
                Mount("/assets", StaticFiles(directory=_STATIC)),
                WebSocketRoute("/wire", self._wire),
                Route("/wire", self._unwired),
            ]
        )
        config = uvicorn.Config(
            app,
            log_config=None,
            access_log=False,
            lifespan="off",
            server_header=False,
            headers=[*_HEADERS.items()],
            ws=_Wire,
            ws_max_size=MESSAGE,
            ws_ping_interval=5,
            ws_ping_timeout=10,
            limit_concurrency=512,
        )
        self._server = _Serving(config)
        self._thread = Thread(target=self._run, name="combatkit-share", daemon=True)

    def start(self) -> None:
        """Begin to serve; who comes before that waits."""
        self._thread.start()

    def _run(self) -> None:
        with asyncio.Runner(loop_factory=lambda: self.loop) as runner:  # it ends what is still under way
            runner.run(self._server.serve([self._socket]))

    def close(self) -> None:
        """Stop serving, and wait until that is done."""
        self._server.should_exit = True
        with suppress(RuntimeError):  # it has ended by itself
            self.loop.call_soon_threadsafe(self._server.told.set)
        self._thread.join(10)
        self._socket.close()

    # ── pages ──

    async def _page(self, request: Request) -> Response:
        language = language_of(self.room.encounter)
        words = as_json(tongue_of(language)) if language.id != ENGLISH else ""
        page = _PAGE.substitute(lang=language.id, title=language.word("At the table"), words=words)
        return Response(page, media_type="text/html")

    # ── the socket ──

    async def _unwired(self, request: Request) -> Response:
        self.room.refuse("")
        return Response("This is a WebSocket.", 426, {"Upgrade": "websocket"}, "text/plain")

    async def _wire(self, socket: WebSocket) -> None:
        origin, host = socket.headers.get("origin", ""), socket.headers.get("host", "")
        reached = str((socket.scope.get("server") or ("",))[0])
        is_ours = self.room.admits(origin, host, reached)
        if not is_ours and origin:
            self.room.refuse(origin)
        if not is_ours or self._strangers >= _STRANGERS:
            await socket.close()  # before it was accepted: 403
            return
        await socket.accept()
        self._strangers += 1
        try:
            seat, hello = await self._ask_who(socket)
        finally:
            self._strangers -= 1
        try:
            if seat is None:
                await socket.close(_UNKNOWN)
            else:
                await self._sit(socket, seat, hello)
        except (WebSocketDisconnect, RuntimeError):  # it went away meanwhile
            return

    async def _ask_who(self, socket: WebSocket) -> tuple[str | None, Mapping[str, object]]:
        """Read the first message: whose seat it is, and what else it says."""
        try:
            hello = read(await asyncio.wait_for(socket.receive(), _PATIENCE))
        except TimeoutError:
            return None, {}
        seat = None
        if not isinstance(hello, dict):
            return None, {}
        if hello.get("kind") == "hello":
            seat = self.room.seat_of(hello.get("token"))
        elif hello.get("kind") == "pair":
            seat = await self._pair(socket, self.room.codes.take(hello.get("code")))
        return seat, hello

    async def _pair(self, socket: WebSocket, seat: str | None) -> str | None:
        if seat is None:
            return None
        try:
            token = await asyncio.to_thread(self.room.renewed, seat)  # it waits for a call that is under way
        except CombatkitError:  # the seat was revoked meanwhile, or the journal refuses
            return None
        await socket.send_text(encoded({"kind": "paired", "token": token}))
        return seat

    async def _sit(self, socket: WebSocket, seat: str, hello: Mapping[str, object]) -> None:
        post = self.room.posts.get(seat)
        if post is None:
            await socket.close(_UNKNOWN)
            return
        client = Client(post, socket)
        name = hello.get("page")
        post.come(client, name if is_text(name, _NAME) else "", hello.get("open"))
        if self.room.closed:  # just then: all others have been told
            post.end()
        tasks = [asyncio.ensure_future(each) for each in (client.write(), client.read())]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            post.go(client)
            for task in tasks:
                task.cancel()
            await asyncio.gather(*tasks, return_exceptions=True)


def _listening(host: str, ports: tuple[int, ...]) -> sockets.socket:
    """Listen at the first port that can be had."""
    port, *others = ports
    family = sockets.AF_INET6 if ":" in host else sockets.AF_INET
    both = host == "::" and sockets.has_dualstack_ipv6()  # what has no address of that kind finds it too
    try:
        return sockets.create_server((host, port), family=family, backlog=128, dualstack_ipv6=both)
    except OSError as error:
        if others and error.errno in (EADDRINUSE, EACCES):
            return _listening(host, (*others,))
        if error.errno == EADDRINUSE:
            raise InvalidInput(_TAKEN.format(port)) from None
        right = "another port, or 0 for any" if error.errno == EACCES else _OURS
        why = str(error.strerror).partition(" (while")[0]
        raise InvalidInput(f"share: {host}, port {port} cannot be had ({why}); give {right}") from None
