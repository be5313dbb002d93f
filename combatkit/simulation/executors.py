"""Work in pieces on any executor, in order; if a worker is lost, nothing else is."""

from __future__ import annotations

import gc
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from contextlib import ExitStack
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    from concurrent.futures import ProcessPoolExecutor

T = TypeVar("T")

TRIES = 3
"""How often a piece is tried whose process pool breaks, before the piece itself is taken to be the reason."""


class LostWorkerError(Exception):
    """A piece of work lost its worker for good; `piece` is its number."""

    def __init__(self, piece: int) -> None:
        super().__init__(piece)
        self.piece = piece


def processes(workers: int | None = None) -> ProcessPoolExecutor:
    """Return a pool of processes that is safe beside polars: its workers start afresh and inherit no threads.

    They start at once, a second before they can play. Keep the pool for the next call, which then finds them warm.
    Each loads the script that it is made in: there it stands under ``if __name__ == "__main__":``, in a notebook
    anywhere.

    Parameters
    ----------
    workers : int, optional
        How many; as many as there are processors, if not given.

    Returns
    -------
    ProcessPoolExecutor
        Of the start method "spawn"; its workers collect garbage between pieces of work only.
    """
    from concurrent.futures import ProcessPoolExecutor  # slow to load, and a browser has no processes
    from multiprocessing import get_context

    pool = ProcessPoolExecutor(workers, mp_context=get_context("spawn"), initializer=warm_up)
    for _ in range(pool._max_workers):  # type: ignore[attr-defined] # a worker starts with the first work it could do
        pool.submit(gc.isenabled)
    return pool


def warm_up() -> None:
    """Load in a worker what plays fights, and leave collecting garbage to the end of each piece of work."""
    from combatkit.simulation import work  # noqa: F401 - it is kept loaded

    gc.freeze()
    gc.disable()


def in_order(work: Callable[..., T], pieces: Sequence[tuple[object, ...]], executor: Executor) -> Iterator[T]:
    """Do each piece of work, and give what comes of it in the order of the pieces.

    Parameters
    ----------
    work : callable
        What is done with a piece. It raises nothing itself: whatever a future raises is the loss of a worker.
    pieces : sequence of tuple
        Its arguments, piece by piece.
    executor : Executor
        Where; it is left open. A process pool that has lost a worker takes no more work: a fresh one takes its place
        for the rest, after a second loss with one piece at a time, so that the guilty one is found. Executors of
        another kind, such as dask's, bring lost work to another worker themselves.

    Yields
    ------
    object
        What `work` gave.

    Raises
    ------
    LostWorkerError
        For a piece that has lost its worker `TRIES` times, or that the executor itself has given up.
    """
    fresh, under_way, losses = ExitStack(), deque[Future[T]](), 0
    try:
        for number, piece in enumerate(pieces):
            last = losses + TRIES
            while True:
                try:
                    if not under_way:
                        rest = [piece] if losses > 1 else pieces[number:]
                        under_way.extend(executor.submit(work, *each) for each in rest)
                    under_way[0].result()
                    break
                except BrokenExecutor as error:
                    losses += 1
                    if losses == last:
                        raise LostWorkerError(number) from error
                    under_way.clear()
                    executor = fresh.enter_context(processes(getattr(executor, "_max_workers", None)))
                except Exception as error:
                    raise LostWorkerError(number) from error
            yield under_way.popleft().result()
    finally:
        for future in under_way:
            future.cancel()
        fresh.close()
