"""Work in pieces on any executor, in order; if a worker is lost, nothing else is."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import BrokenExecutor, Executor, Future
from typing import TYPE_CHECKING, Generic, TypeVar

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

    Parameters
    ----------
    workers : int, optional
        How many; as many as there are processors, if not given.

    Returns
    -------
    ProcessPoolExecutor
        Of the start method "spawn".
    """
    from concurrent.futures import ProcessPoolExecutor  # slow to load, and a browser has no processes
    from multiprocessing import get_context

    return ProcessPoolExecutor(workers, mp_context=get_context("spawn"))


def in_order(work: Callable[..., T], pieces: Sequence[tuple[object, ...]], executor: Executor) -> Iterator[T]:
    """Do each piece of work, and give what comes of it in the order of the pieces.

    Parameters
    ----------
    work : callable
        What is done with a piece. It raises nothing itself: whatever a future raises is the loss of a worker.
    pieces : sequence of tuple
        Its arguments, piece by piece.
    executor : Executor
        Where. A process pool that has lost a worker takes no more work: a fresh one takes its
        place for the rest. Executors of another kind, such as dask's, bring lost work to another worker themselves.

    Yields
    ------
    object
        What `work` gave.

    Raises
    ------
    LostWorkerError
        For a piece that has lost its worker `TRIES` times, or that the executor itself has given up.
    """
    pool = _Pool(executor, work, pieces)
    try:
        for number in range(len(pieces)):
            yield pool.result(number)
    finally:
        pool.close()


class _Pool(Generic[T]):
    """An executor with all pieces under way, until a worker is lost for the second time: then with one at a time.

    A lost process takes along whatever else its pool was at, so only what is done alone can be blamed.
    """

    def __init__(self, executor: Executor, work: Callable[..., T], pieces: Sequence[tuple[object, ...]]) -> None:
        self._executor = executor
        self._work = work
        self._pieces = pieces
        self._fresh: ProcessPoolExecutor | None = None
        self._losses = 0
        self._futures: dict[int, Future[T]] = {}
        for number in range(len(pieces)):
            self._submit(number)

    def result(self, number: int) -> T:
        """Wait for a piece."""
        tries = 0
        while True:
            if number not in self._futures:
                self._submit(number)
            try:
                return self._futures.pop(number).result()
            except BrokenExecutor as error:
                self._renew()
                tries += 1
                if tries == TRIES:
                    raise LostWorkerError(number) from error
            except Exception as error:
                raise LostWorkerError(number) from error

    def _submit(self, number: int) -> None:
        try:
            self._futures[number] = self._executor.submit(self._work, *self._pieces[number])
        except BrokenExecutor:
            self._renew()
            self._futures[number] = self._executor.submit(self._work, *self._pieces[number])

    def _renew(self) -> None:
        """Replace a broken pool with a fresh one, and start again what was lost with it."""
        self._losses += 1
        if self._fresh is not None:
            self._fresh.shutdown(wait=False, cancel_futures=True)
        self._executor = self._fresh = processes(getattr(self._executor, "_max_workers", None))
        for number in [number for number, future in self._futures.items() if not _is_done(future)]:
            del self._futures[number]
            if self._losses == 1:
                self._submit(number)

    def close(self) -> None:
        """Cancel what is no longer wanted; a pool that was given is left open."""
        for future in self._futures.values():
            future.cancel()
        if self._fresh is not None:
            self._fresh.shutdown(cancel_futures=True)


def _is_done(future: Future[T]) -> bool:
    return future.done() and not future.cancelled() and future.exception() is None
