"""The servers a browser talks to in tests: a real Jupyter server, and the site with the stub page."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any, ClassVar
from urllib.request import Request, urlopen

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 180
"""So many seconds a test waits for something before it fails: as long as a machine under load may need."""
FAILURES = ROOT / "build" / "failures"
"""Where what is kept of tests that fail goes."""
NO_DELAY = "combatkit.lab.NoDelayWebsocketConnection"


def free_port() -> int:
    """Give a port of this machine that nobody listens on."""
    with closing(socket.socket()) as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@dataclass(frozen=True)
class JupyterServer:
    """A running server: where it listens, which folder it shows, and where it and its kernels log."""

    url: str
    folder: Path
    log: Path

    def end_sessions(self) -> None:
        """Shut down every session with its kernel."""
        sessions = f"{self.url}/api/sessions"
        with urlopen(sessions) as answer:
            ids = [each["id"] for each in json.load(answer)]
        for id in ids:
            with urlopen(Request(f"{sessions}/{id}", method="DELETE")):
                pass


@contextmanager
def run_jupyter(
    home: Path, *, app: str = "jupyterlab", connection: str | None = None, options: Sequence[str] = ()
) -> Iterator[JupyterServer]:
    """Run a Jupyter server that knows nothing of this machine's settings.

    Parameters
    ----------
    home
        An empty folder for everything the server keeps. The notebooks it shows lie in ``home / "notebooks"``.
    app
        The module to start: ``"jupyterlab"``, or ``"jupyter_server"`` for the server alone.
    connection
        The kernel websocket's class, as ``ServerApp.kernel_websocket_connection_class`` takes it.
    options
        More command line options.
    """
    folder = home / "notebooks"
    folder.mkdir(parents=True, exist_ok=True)
    settings = home / "config" / "lab" / "user-settings" / "@jupyterlab"
    # All cells stay in the document, also those scrolled out of sight, so that a test can count them.
    write_json(settings / "notebook-extension" / "tracker.jupyterlab-settings", {"windowingMode": "none"})
    write_json(settings / "apputils-extension" / "notification.jupyterlab-settings", {"fetchNews": "false"})
    runtime = home / "runtime"
    environment = os.environ | {
        "HOME": str(home),
        "JUPYTER_CONFIG_DIR": str(home / "config"),
        "JUPYTER_DATA_DIR": str(home / "data"),
        "JUPYTER_RUNTIME_DIR": str(runtime),
        "IPYTHONDIR": str(home / "ipython"),
        "PYTHONPATH": os.pathsep.join([str(home), str(ROOT)]),
    }
    port = free_port()
    command = [sys.executable, "-m", app, "--no-browser", "--allow-root", "--IdentityProvider.token="]
    command += ["--ServerApp.ip=127.0.0.1", f"--ServerApp.port={port}", "--ServerApp.port_retries=0"]
    command += ["--ServerApp.disable_check_xsrf=True", f"--ServerApp.root_dir={folder}"]
    if app == "jupyterlab":
        command += ["--LabApp.news_url=", "--LabApp.check_for_updates_class=jupyterlab.NeverCheckForUpdate"]
        command += ["--LabApp.expose_app_in_browser=True"]
    if connection is not None:
        command += [f"--ServerApp.kernel_websocket_connection_class={connection}"]
    log = home / "server.log"
    with log.open("w") as output:
        server = subprocess.Popen([*command, *options], cwd=home, env=environment, stdout=output, stderr=output)
        try:
            written = (runtime / f"jpserver-{server.pid}.json").exists
            wait_until(lambda: written() and listens(port), server, log)
            yield JupyterServer(f"http://127.0.0.1:{port}", folder, log)
        finally:
            server.terminate()
            try:
                server.wait(timeout=PATIENCE)
            except subprocess.TimeoutExpired:
                server.kill()
                server.wait()


def write_json(path: Path, content: object) -> None:
    """Write a JSON file, with the folders above it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content))


def listens(port: int) -> bool:
    """Say whether somebody listens on a port of this machine."""
    with closing(socket.socket()) as probe:
        return probe.connect_ex(("127.0.0.1", port)) == 0


def wait_until(ready: Callable[[], bool], server: subprocess.Popen[bytes], log: Path) -> None:
    """Wait for a server to be ready; fail with its log if it dies or takes too long."""
    deadline = time.monotonic() + PATIENCE
    while not ready():
        if server.poll() is not None or time.monotonic() > deadline:
            pytest.fail(f"the server did not get ready:\n{log.read_text()[-4000:]}", pytrace=False)
        time.sleep(0.05)


class StubSite:
    """A site on this machine that serves the stub page, the built bundles and the fixtures.

    Attributes
    ----------
    folders
        Folder by address prefix; a test may add its own.
    """

    BUILT = ("/static/", "/axe/")
    TYPES: ClassVar = {".html": "text/html", ".js": "text/javascript", ".css": "text/css", ".json": "application/json"}

    def __init__(self) -> None:
        here = Path(__file__).parent
        self.folders = {
            "/static/": ROOT / "combatkit" / "static",
            "/fixtures/": here / "fixtures",
            "/axe/": ROOT / "js" / "node_modules" / "axe-core",
            "/": here / "stub",
        }
        site = self

        class Handler(BaseHTTPRequestHandler):
            def do_GET(self) -> None:
                site._answer(self)

            def log_message(self, *_: object) -> None:
                """Keep quiet: a missing file shows as a console error of the page, which fails the test."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def find(self, address: str) -> Path | None:
        """Give the file that an address names, or None."""
        prefix = max((prefix for prefix in self.folders if address.startswith(prefix)), key=len)
        folder = self.folders[prefix].resolve()
        file = (folder / address.removeprefix(prefix)).resolve()
        return file if file.is_relative_to(folder) and file.is_file() else None

    def close(self) -> None:
        """Stop serving."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _answer(self, request: BaseHTTPRequestHandler) -> None:
        address = request.path.partition("?")[0]
        file = self.find(address)
        if file is not None:
            body, kind = file.read_bytes(), file.suffix
        else:
            request.send_error(HTTPStatus.NOT_FOUND)
            return
        request.send_response(HTTPStatus.OK)
        request.send_header("Content-Type", f"{self.TYPES.get(kind, 'application/octet-stream')}; charset=utf-8")
        request.send_header("Content-Length", str(len(body)))
        # What is built stays as it is for a run: a page that many tests use fetches and compiles it once.
        request.send_header("Cache-Control", "max-age=86400" if address.startswith(self.BUILT) else "no-store")
        request.end_headers()
        request.wfile.write(body)


class FolderSite:
    """A folder on this machine, served as any static server does.

    Attributes
    ----------
    sent
        Each file that was sent, with its bytes.
    """

    def __init__(self, folder: Path) -> None:
        site = self

        class Handler(SimpleHTTPRequestHandler):
            def __init__(self, *given: Any) -> None:
                super().__init__(*given, directory=str(folder))

            def log_request(self, code: int | str = "-", size: int | str = "-") -> None:
                file = Path(self.translate_path(self.path))
                if file.is_dir():
                    file /= "index.html"
                if code == HTTPStatus.OK:
                    site.sent.append((file, file.stat().st_size))

            def log_message(self, *_: object) -> None:
                """Keep quiet: a missing file shows in the page."""

        self.sent: list[tuple[Path, int]] = []
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.05}, daemon=True)
        self._thread.start()
        self.url = f"http://127.0.0.1:{self._server.server_address[1]}"

    def close(self) -> None:
        """Stop serving: whoever asks for more finds nobody there."""
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()
