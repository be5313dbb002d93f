"""What history costs an event, to keep and to look at, as the log grows; beside rows appended with `vstack`."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median
from typing import TYPE_CHECKING, Any

from benchmarks import pairs
from benchmarks.pairs import Ratio, summary

if TYPE_CHECKING:
    from combatkit.core.model import Event

LENGTHS = (500, 5_000)
"""An evening."""

BLOCK = 500
LOOKS = 50
SMALLEST = {"LENGTHS": (100, 200), "BLOCK": 50, "LOOKS": 5}
FRAMES = ("events", "rolls", "turns", "rounds", "budgets")

Figures = dict[tuple[str, int], list[float]]


class Slice:
    """As much of a fight as a history reads: its id, its ruleset, the first events of its log, and no measured time."""

    def __init__(self, whole: Any, length: int) -> None:
        self.id = whole.id
        self.ruleset = whole.ruleset
        self._stopwatch = whole._stopwatch
        self._events: list[Event] = whole._events[:length]


def fight(length: int) -> Any:
    """Play eight combatants, a move and an attack a turn, until the log has so many events."""
    import combatkit as ck

    enc = ck.Encounter("saga", seed=7)
    names = [f"F{i}" for i in range(8)]
    for i, name in enumerate(names):
        enc.add(name, side="ab"[i % 2], dex=i % 4, level=i + 1, hp=100_000, attack_bonus=i, defense=15)
    enc.start()
    other = dict(zip(names, [*names[1:], names[0]], strict=True))
    while len(enc._events) < length:
        who = enc.active
        assert who is not None
        enc.do(who, "move")
        enc.do(who, "attack", target=other[who], damage="1d6")
        enc.end_turn()
    return enc


def _clock(work: Callable[[], None], count: int) -> float:
    gc.collect()
    began = time.perf_counter()
    work()
    return (time.perf_counter() - began) / count * 1e6


def _keep(whole: Any, length: int) -> float:
    """Microseconds an event: a block of events read into a history of `length`, and one look."""
    from combatkit.history import History

    part = Slice(whole, length)
    history: Any = History(part)  # type: ignore[arg-type]
    assert history.events.height == length
    part._events.extend(whole._events[length : length + BLOCK])
    return _clock(lambda: _look(history, ("events",)), BLOCK)


def _look(history: Any, names: Sequence[str]) -> None:
    for name in names:
        getattr(history, name)


def _looks(whole: Any, length: int, names: Sequence[str]) -> float:
    """Microseconds a look, one after each of the events that follow the first `length`."""
    from combatkit.history import History

    part = Slice(whole, length)
    history: Any = History(part)  # type: ignore[arg-type]
    _look(history, names)

    def work() -> None:
        for event in whole._events[length : length + LOOKS]:
            part._events.append(event)
            _look(history, names)

    return _clock(work, LOOKS)


def _vstack(whole: Any, length: int) -> float:
    """Microseconds a row: the same events, each appended to a polars frame that begins in one piece."""
    import polars as pl

    from combatkit.history import SCHEMAS

    frame = whole.history.events
    rows = [dict(zip(frame.columns, ([cell] for cell in row), strict=True)) for row in frame[length:][:LOOKS].rows()]
    grown = [frame.head(length).rechunk()]

    def work() -> None:
        for row in rows:
            grown.append(grown.pop().vstack(pl.DataFrame(row, schema=SCHEMAS["events"])))

    return _clock(work, LOOKS)


def measure() -> Figures:
    """Measure everything at every length in turn, as many times as there are pairs."""
    whole = fight(LENGTHS[-1] + BLOCK)
    figures: Figures = {}
    for _ in range(pairs.PAIRS):
        for length in LENGTHS:
            for name, figure in (
                ("keep", _keep(whole, length)),
                ("look", _looks(whole, length, ("events",))),
                ("all", _looks(whole, length, FRAMES)),
                ("vstack", _vstack(whole, length)),
            ):
                figures.setdefault((name, length), []).append(figure)
    return figures


def _ratio(ours: list[float], peer: list[float]) -> Ratio:
    return summary([a / b for a, b in zip(ours, peer, strict=True)])


def run() -> list[str]:
    """Measure and give the lines to print."""
    figures = measure()
    titles = {"keep": "to keep history", "look": "to look at history.events", "all": "to look at all five frames"}
    last = LENGTHS[-1]
    lines = []
    for name, title in titles.items():
        told = ", ".join(f"{median(figures[name, n]):.1f} at {n:,}" for n in LENGTHS)
        lines.append(f"history, {title}: microseconds an event {told} events")
    for length in LENGTHS:
        ratio = _ratio(figures["look", length], figures["vstack", length])
        lines.append(f"history, a look after each event over a polars vstack of its row, at {length:,}: {ratio}")
    ratio = _ratio(figures["vstack", last], figures["keep", last])
    lines.append(f"history, a polars vstack of a row over keeping an event, at {last:,}: {ratio}")
    return lines
