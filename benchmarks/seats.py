"""A call until it has reached every page at a table, and the GM's clicks while a page floods, beside a stock click."""

from __future__ import annotations

import asyncio
import json
import tempfile
import time
from collections.abc import Awaitable, Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from multiprocessing import get_context
from multiprocessing.connection import Connection
from pathlib import Path
from random import Random
from statistics import median, quantiles

from playwright.sync_api import Page as BrowserPage
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed
from websockets.typing import Origin

import combatkit as ck
from benchmarks import pairs
from benchmarks.clicks import CLICKS, COUNTER, COUNTER_AT, MEASURE, chromium
from benchmarks.pairs import summary, verdict
from combatkit.share import Room, Seat
from tests.browser.harness import LabPage
from tests.browser.servers import run_jupyter
from tests.share_client import Page
from tests.test_share_fuzz import forged

SEATS = 30
COMBATANTS = 60
CALLS = 40
SMALLEST = {"SEATS": 2, "COMBATANTS": 5, "CALLS": 4, "CLICKS": 2}
AT_ONCE = 8
"""So many pages of one seat flood the room."""

REACHED = 0.150
FLOODED = 2.0


def fight(system: str) -> ck.Encounter:
    """Begin a fight in which every seat has somebody, and the GM as many again."""
    enc = ck.Encounter(system, id="docks", seed=7)
    for number in range(SEATS):
        enc.add(f"Hero {number}", side="rebels")
    enc.add("Guard", side="empire", count=COMBATANTS - SEATS, npc=True)
    enc.start()
    return enc


# ── pages: each lot in a process of its own, as players' phones are elsewhere ──


def _connect(port: int) -> connect:
    return connect(f"ws://127.0.0.1:{port}/wire", origin=Origin(f"http://127.0.0.1:{port}"), max_size=None)


def _token(seat: Seat) -> str:
    return seat.url.partition("#")[2]


async def _listen(port: int, tokens: list[str], pipe: Connection) -> None:
    """Open a page for each token; say whenever all have heard of one more call, and when the last of them had."""
    heard = [0] * len(tokens)
    told = 0

    async def page(number: int, token: str) -> None:
        nonlocal told
        async with _connect(port) as socket:
            await socket.send(json.dumps({"kind": "hello", "token": token}))
            async for text in socket:
                heard[number] += json.loads(text)["kind"] in ("welcome", "delta")
                if min(heard) > told:
                    told += 1
                    pipe.send(time.monotonic())

    with suppress(ConnectionClosed):
        await asyncio.gather(*(page(number, token) for number, token in enumerate(tokens)))


async def _flood(port: int, token: str, pipe: Connection) -> None:
    """Send forged messages from several pages as fast as they are taken, from a new one where a page is shut."""
    rng = Random(7)

    async def drain(socket: ClientConnection) -> None:
        with suppress(ConnectionClosed):
            async for _ in socket:
                pass

    async def page() -> None:
        while True:
            with suppress(ConnectionClosed, OSError):
                async with _connect(port) as socket:
                    await socket.send(json.dumps({"kind": "hello", "token": token}))
                    draining = asyncio.ensure_future(drain(socket))
                    while not draining.done():
                        await socket.send(forged(rng))

    pages = [asyncio.ensure_future(page()) for _ in range(AT_ONCE)]
    await asyncio.sleep(1)
    pipe.send(None)
    await asyncio.gather(*pages)


def _run(work: Callable[..., Awaitable[None]], *given: object) -> None:
    asyncio.run(work(*given))  # type: ignore[arg-type]


@contextmanager
def elsewhere(work: Callable[..., Awaitable[None]], *given: object) -> Iterator[Connection]:
    """Do something in a process of its own, until it has been looked at; give the end of a pipe to it."""
    ours, theirs = get_context("spawn").Pipe()
    process = get_context("spawn").Process(target=_run, args=(work, *given, theirs), daemon=True)
    process.start()
    try:
        yield ours
    finally:
        process.terminate()
        process.join()


# ── what is measured ──


def p95(times: list[float]) -> float:
    """Return the time that 19 of 20 stay below."""
    return quantiles(times, n=20)[-1]


def reached(enc: ck.Encounter, pipe: Connection) -> list[float]:
    """Make calls, one after the other, and give how long each took until the last page had it."""
    times = []
    for number in range(CALLS):
        began = time.monotonic()
        if number % 2:
            enc.condition("Guard 3", "cover", off=number % 4 == 3)
        elif enc.pending:
            enc.resolve()
        else:
            enc.end_turn()
        times.append(pipe.recv() - began)
    return times


def clicks(room: Room, gm: Page) -> list[float]:
    """Click on the GM's second screen, and give how long each click took until what came of it was there."""
    times = []
    for number in range(CALLS):
        began = time.monotonic()
        gm.send({"kind": "condition", "name": "Guard 3", "condition": "cover", "off": number % 2 == 1})
        gm.until("delta")
        times.append(time.monotonic() - began)
        time.sleep(0.06)  # a page may not ask faster
    return times


def stock(page: BrowserPage) -> float:
    """Click a bare counter in a stock JupyterLab; give the p95, in seconds."""
    return p95(page.evaluate(MEASURE, [*COUNTER_AT, CLICKS])) / 1000


def run() -> Iterator[str]:
    """Measure and give the lines to print."""
    with ExitStack() as stack:
        home = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        browser = stack.enter_context(chromium())
        lab = LabPage(browser.new_page(), stack.enter_context(run_jupyter(home)))
        lab.open([COUNTER])
        lab.run_all()
        for ruleset in ck.rulesets():
            yield _load(ruleset.id, lab.page)
        yield _flooded()


def _load(system: str, page: BrowserPage) -> str:
    enc = fight(system)
    ours, theirs = [], []
    with enc.share() as room:
        seats = [room.seat(f"Seat {number}", plays=[f"Hero {number}"]) for number in range(SEATS)]
        with elsewhere(_listen, room.port, [_token(seat) for seat in seats]) as pipe:
            pipe.recv()
            for _ in range(pairs.PAIRS):
                theirs.append(stock(page))
                ours.append(p95(reached(enc, pipe)))
    met = "met" if median(ours) <= REACHED else "NOT MET"
    return (
        f"(s) {system}, {SEATS} seats, {COMBATANTS} combatants: a call has reached all pages within "
        f"{1000 * median(ours):.0f} ms at p95 ({1000 * min(ours):.0f} to {1000 * max(ours):.0f}, {len(ours)} blocks; "
        f"a stock click: {1000 * median(theirs):.0f} ms); target at most {1000 * REACHED:.0f} ms: {met}"
    )


def _flooded() -> str:
    enc = fight("saga")
    idle, flooded = [], []
    with enc.share() as room, Page(room, room.gm()) as gm:
        bad = room.seat("Anna", plays=["Hero 0"])
        gm.until("welcome")
        clicks(room, gm)
        for _ in range(pairs.PAIRS):
            idle.append(p95(clicks(room, gm)))
            with elsewhere(_flood, room.port, _token(bad)) as pipe:
                pipe.recv()
                flooded.append(p95(clicks(room, gm)))
    ratio = summary([one / other for one, other in zip(flooded, idle, strict=True)])
    against = f"({1000 * median(flooded):.0f} against {1000 * median(idle):.0f} ms)"
    name = f"(s) the GM's clicks while {AT_ONCE} pages flood: p95 over that of an idle room {against}"
    return verdict(name, ratio, at_most=FLOODED)
