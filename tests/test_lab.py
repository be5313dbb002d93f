"""The faster kernel websocket, on a real server."""

from __future__ import annotations

import json
import shutil
import socket
import urllib.request
from contextlib import closing
from pathlib import Path

import pytest

from tests.browser.servers import NO_DELAY, PATIENCE, ROOT, run_jupyter
from tests.waiting import until

pytestmark = [pytest.mark.lab, pytest.mark.slow]

# An extension of the server under test: after each kernel websocket it opens, it writes down the socket's option.
PROBE = """
import json, socket
from pathlib import Path

from jupyter_server.services.kernels.websocket import KernelWebsocketHandler


def _load_jupyter_server_extension(app):
    opened = KernelWebsocketHandler.open

    async def open_and_tell(self, kernel_id):
        await opened(self, kernel_id)
        option = self.ws_connection.stream.socket.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY)
        answer = {"nodelay": bool(option), "connection": type(self.connection).__name__}
        Path("answer.part").write_text(json.dumps(answer))
        Path("answer.part").rename("answer.json")

    KernelWebsocketHandler.open = open_and_tell
"""

LOAD_PROBE = "--ServerApp.jpserver_extensions=nodelay_probe=True"


def open_kernel_websocket(url: str, folder: Path) -> dict[str, object]:
    """Start a kernel, open its websocket as a browser does, and give what the server saw."""
    request = urllib.request.Request(f"{url}/api/kernels", data=b"{}", method="POST")
    with urllib.request.urlopen(request, timeout=PATIENCE) as response:
        kernel = json.load(response)["id"]
    address = url.removeprefix("http://")
    host, port = address.split(":")
    handshake = (
        f"GET /api/kernels/{kernel}/channels?session_id=probe HTTP/1.1\r\nHost: {address}\r\nOrigin: http://{address}\r\n"
        "Connection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n"
        "Sec-WebSocket-Key: Y29tYmF0a2l0LXRlc3RzIQ==\r\n\r\n"
    )
    answer = folder / "answer.json"
    with closing(socket.create_connection((host, int(port)), timeout=PATIENCE)) as connection:
        connection.sendall(handshake.encode())
        assert b"101 Switching Protocols" in connection.recv(1024)
        until(answer.exists, "the websocket is open")
    return dict(json.loads(answer.read_text()))


def delay_seen(home: Path, connection: str | None = None) -> dict[str, object]:
    """Run a server in a home of its own and give what it saw of its kernel websocket."""
    (home / "nodelay_probe.py").write_text(PROBE)
    with run_jupyter(home, app="jupyter_server", connection=connection, options=[LOAD_PROBE]) as server:
        return open_kernel_websocket(server.url, home)


@pytest.mark.long
def test_stock_websocket_waits(tmp_path: Path) -> None:
    assert delay_seen(tmp_path) == {"nodelay": False, "connection": "ZMQChannelsWebsocketConnection"}


@pytest.mark.long
def test_our_websocket_sends_at_once(tmp_path: Path) -> None:
    assert delay_seen(tmp_path, NO_DELAY) == {"nodelay": True, "connection": "NoDelayWebsocketConnection"}


def test_binder_uses_our_websocket(tmp_path: Path) -> None:
    config = tmp_path / "config"
    config.mkdir()
    shutil.copy(ROOT / "binder" / "jupyter_server_config.json", config)
    assert delay_seen(tmp_path)["nodelay"] is True
