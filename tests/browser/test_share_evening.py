"""Three phones and a table's screen at a kernel of their own: lines die, a phone sleeps, the kernel is killed.

Whatever was tapped is done once, or said to be not sent.
"""

from __future__ import annotations

import json
import re
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import BrowserContext, Locator, ViewportSize, expect

import combatkit as ck
from tests.browser.failures import Recorder, open_page
from tests.browser.harness import Watched, faults_of
from tests.browser.widget_views import THEMES

PHONE: ViewportSize = {"width": 390, "height": 844}
BEAMER: ViewportSize = {"width": 1280, "height": 720}
TABLE = """
import json, sys
from pathlib import Path
import combatkit as ck

path, port, origins = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])
if Path(path).exists():
    enc = ck.Encounter.open(path)
else:
    enc = ck.Encounter("saga", id="docks", seed=7, journal=path)
    for name in ("Mara", "Ossik", "Ilya"):
        enc.add(name, side="rebels", hp=38)
    enc.add("Guard", side="empire", npc=True, hp=16)
    enc.start(rolls={"Mara": 20, "Ossik": 15, "Ilya": 9, "Guard": 4})
room = enc.share(port=port, origins=origins)
seats = [room.seat(name, plays=[who]) for name, who in (("Anna", "Mara"), ("Ben", "Ossik"), ("Cleo", "Ilya"))]
print(json.dumps([seat.url.partition("#")[2] for seat in (*seats, room.screen())]), flush=True)
for line in sys.stdin:
    exec(line)
    print("done", flush=True)
"""


class Wire:
    """A line between a page and the room, which may swallow what goes `up` or `down`, or break.

    Attributes
    ----------
    swallows
        The ways on which every byte is lost, while the connection stands.
    """

    def __init__(self, port: int) -> None:
        self._to = port
        self._open: list[socket.socket] = []
        self.swallows: frozenset[str] = frozenset()
        self._server = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._server.getsockname()[1]}"
        self._threads: list[threading.Thread] = []
        self._begin(self._serve)

    def _begin(self, work: Callable[..., None], *given: object) -> None:
        self._threads.append(threading.Thread(target=work, args=given, daemon=True))
        self._threads[-1].start()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                near, _ = self._server.accept()
                try:
                    far = socket.create_connection(("127.0.0.1", self._to))
                except OSError:  # there is no kernel just now
                    near.close()
                    continue
                self._open += [near, far]
                for way, ends in (("up", (near, far)), ("down", (far, near))):
                    self._begin(self._carry, way, *ends)

    def _carry(self, way: str, source: socket.socket, target: socket.socket) -> None:
        with suppress(OSError):
            while data := source.recv(65536):
                if way not in self.swallows:
                    target.sendall(data)
        with suppress(OSError):
            target.shutdown(socket.SHUT_WR)

    def cut(self) -> None:
        """Break every connection."""
        for each in self._open:
            with suppress(OSError):
                each.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """Carry nothing more."""
        with suppress(OSError):
            self._server.shutdown(socket.SHUT_RDWR)
        self.cut()
        for thread in self._threads:
            thread.join()
        for each in (self._server, *self._open):
            each.close()


class Kernel:
    """A kernel that serves the fight, and does what the GM types."""

    def __init__(self, path: Path, port: int, origins: list[str]) -> None:
        command = [sys.executable, "-c", TABLE, str(path), str(port), json.dumps(origins)]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)
        self.tokens: list[str] = json.loads(self._said())

    def _said(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline()

    def type(self, line: str) -> None:
        """Do something as the GM."""
        assert self.process.stdin is not None
        self.process.stdin.write(f"{line}\n")
        self.process.stdin.flush()
        assert self._said() == "done\n"

    def kill(self) -> None:
        """End it, as a power cut does."""
        self.process.kill()
        with suppress(BrokenPipeError):
            self.process.communicate()


class Phone(Watched):
    """A page, and the line it hangs on."""

    def __init__(self, context: BrowserContext, wire: Wire, token: str) -> None:
        super().__init__(open_page(context))
        self.wire = wire
        self.context = context
        self.page.goto(f"{wire.url}/#{token}")

    @property
    def end(self) -> Locator:
        return self.page.get_by_role("button", name="End my turn")

    @property
    def lost(self) -> Locator:
        return self.page.get_by_role("heading", name="Not connected")

    @property
    def turn(self) -> Locator:
        return self.page.locator(".ck-turn, .scr-turn")

    def pictures(self, name: str) -> None:
        """Save how it looks in either theme, and look for what cannot be read."""
        for theme in THEMES:
            self.page.emulate_media(color_scheme=theme)
            assert faults_of(self.page) == []
            self.screenshot(f"evening-{name}-{theme}")
        self.page.emulate_media(color_scheme="light")


@contextmanager
def wires(port: int, count: int) -> Iterator[list[Wire]]:
    with ExitStack() as stack:
        yield [stack.enter_context(closing(Wire(port))) for _ in range(count)]


@pytest.mark.long
def test_nothing_is_lost_and_nothing_is_done_twice(new_context: Recorder, tmp_path: Path) -> None:
    path = tmp_path / "friday.combat"
    with closing(socket.create_server(("127.0.0.1", 0))) as probe:
        port = probe.getsockname()[1]
    with wires(port, 4) as lines, ExitStack() as stack:
        origins = [line.url for line in lines]
        kernel = Kernel(path, port, origins)
        stack.callback(kernel.kill)
        contexts = [stack.enter_context(new_context(viewport=size)) for size in (PHONE, PHONE, PHONE, BEAMER)]
        pages = [Phone(*each) for each in zip(contexts, lines, kernel.tokens, strict=True)]
        anna, ben, cleo, screen = pages

        def turn_of(phone: Phone | None, who: str) -> None:
            for each in pages:
                expect(each.turn).to_contain_text("Your turn" if each is phone else f"{who}'s turn")

        turn_of(anna, "Mara")
        anna.end.click()
        turn_of(ben, "Ossik")

        # What a dead line has swallowed was not sent.
        ben.wire.swallows = frozenset({"up", "down"})
        ben.end.click()
        expect(ben.lost).to_be_visible()
        expect(ben.page.get_by_text("If your GM started again, scan the new code.")).to_be_visible()
        ben.pictures("lost")
        ben.wire.swallows = frozenset()
        expect(ben.lost).to_have_count(0)
        expect(ben.page.get_by_text("Not sent: the connection was gone.").first).to_be_visible()
        ben.pictures("not-sent")
        turn_of(ben, "Ossik")
        ben.end.click()
        turn_of(cleo, "Ilya")

        # What arrived, though no answer came back, was done, and once.
        cleo.wire.swallows = frozenset({"down"})
        cleo.end.click()
        expect(screen.turn).to_contain_text("Guard's turn")
        expect(cleo.lost).to_be_visible()
        cleo.wire.swallows = frozenset()
        expect(cleo.page.get_by_text("What you did before the connection was lost has arrived.")).to_be_visible()
        turn_of(None, "Guard")

        # The GM is busy, and the phone that waits for them goes to sleep.
        kernel.type("enc.end_turn()")
        turn_of(anna, "Mara")
        kernel.type("room.busy.work()")
        expect(anna.page.get_by_role("heading", name="The GM is busy")).to_be_visible()
        anna.end.click()
        expect(anna.page.get_by_text("What you tapped waits, and comes next.")).to_be_visible()
        anna.pictures("busy")
        anna.context.set_offline(True)
        anna.wire.cut()
        expect(anna.lost).to_be_visible()
        kernel.type("room.busy.end()")
        expect(screen.turn).to_contain_text("Ossik's turn")
        anna.context.set_offline(False)
        expect(anna.lost).to_have_count(0)
        turn_of(ben, "Ossik")

        # The kernel is killed before its answer came, and started again.
        ben.wire.swallows = frozenset({"down"})
        ben.end.click()
        expect(screen.turn).to_contain_text("Ilya's turn")
        kernel.kill()
        ben.wire.swallows = frozenset()
        for each in pages:
            expect(each.lost).to_be_visible()
        screen.pictures("screen-lost")
        kernel = Kernel(path, port, origins)
        stack.callback(kernel.kill)
        for each in pages:
            expect(each.lost).to_have_count(0)
        expect(ben.page.get_by_text(re.compile("^Your GM started again just then")).first).to_be_visible()
        turn_of(cleo, "Ilya")
        cleo.end.click()
        turn_of(None, "Guard")

        ended: list[Any] = [event.actor for event in ck.load(path)._events if event.kind == "turn_end"]
        assert ended == ["Mara", "Ossik", "Ilya", "Guard", "Mara", "Ossik", "Ilya"]
        for each in pages:  # besides what a browser says of a line that is dead
            assert [problem for problem in each.problems if "ERR_" not in problem and "WebSocket" not in problem] == []
