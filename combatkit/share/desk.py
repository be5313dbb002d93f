"""Where what a seat asks is done: where cells run, if there is a kernel; else in a thread of the room's own."""

from __future__ import annotations

import asyncio
import sys
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any, TypeVar

T = TypeVar("T")


class Desk:
    """Does one thing after the other.

    Parameters
    ----------
    begins, ends : callable
        Called as a cell begins and as it has ended, in the thread in which it runs.
    """

    def __init__(self, begins: Callable[[], None], ends: Callable[[], None]) -> None:
        self._shell = _kernel_shell()
        self._loop = None if self._shell is None else _running()
        self._hooks = (("pre_run_cell", lambda *_: begins()), ("post_run_cell", lambda *_: ends()))
        self._worker: ThreadPoolExecutor | None = None
        if self._loop is None or self._shell is None:
            self._worker = ThreadPoolExecutor(1, "combatkit-table")
        else:
            for name, hook in self._hooks:
                self._shell.events.register(name, hook)

    async def do(self, call: Callable[[], T]) -> T:
        """Do something there, and give what comes of it; called in the server's loop."""
        if self._worker is not None:
            return await asyncio.get_running_loop().run_in_executor(self._worker, call)
        done = Future[T]()

        def run() -> None:
            try:
                done.set_result(call())
            except BaseException as error:  # noqa: BLE001 - whoever waits for it is told
                done.set_exception(error)

        assert self._loop is not None
        self._loop.call_soon_threadsafe(run)
        return await asyncio.shield(asyncio.wrap_future(done))  # it is carried out, whoever has gone meanwhile

    def soon(self, call: Callable[[], object]) -> None:
        """Do something there when it can be done; nobody waits for it."""
        try:
            if self._loop is not None:
                self._loop.call_soon_threadsafe(call)
            elif self._worker is not None:
                self._worker.submit(call)
        except RuntimeError:  # nothing is done there any more
            return

    def close(self) -> None:
        """Do no more."""
        if self._worker is not None:
            self._worker.shutdown(wait=False, cancel_futures=True)
        elif self._shell is not None:
            for name, hook in self._hooks:
                self._shell.events.unregister(name, hook)


def _kernel_shell() -> Any:
    """Return the shell of the kernel that runs here, if one does."""
    module = sys.modules.get("IPython")
    shell = module.get_ipython() if module is not None else None
    return shell if hasattr(shell, "kernel") else None


def _running() -> asyncio.AbstractEventLoop | None:
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        return None
