"""Whether the GM is busy, as seats see it: with a cell that takes long, or with what only they may see."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from combatkit.fight.lock import HOLDING, guarded

_SOON = 0.3
"""How many seconds a cell may take before seats are told that the GM is busy."""


class Busy:
    """How the GM is.

    Parameters
    ----------
    later : callable
        Calls something soon in the server's loop.
    tell : callable
        Tells every page how things stand; called in the server's loop.
    rested : callable
        Shows seats what they were not shown; called where cells run.

    Attributes
    ----------
    with_cell : bool
        Whether a cell takes long.
    with_hidden : bool
        Whether only somebody hidden can do something.
    """

    def __init__(self, later: Callable[..., None], tell: Callable[[], None], rested: Callable[[], None]) -> None:
        self.with_cell = self.with_hidden = False
        self._later = later
        self._tell = tell
        self._rested = rested
        self._timer: asyncio.TimerHandle | None = None
        self._over = asyncio.Event()
        self._over.set()

    def __bool__(self) -> bool:
        """Check whether they are busy with anything."""
        return self.with_cell or self.with_hidden

    def settle(self, with_hidden: bool) -> None:
        """Note whether only somebody hidden can do something: seats are told that the GM is busy, and no more."""
        if with_hidden != self.with_hidden:
            self.with_hidden = with_hidden
            self._later(self._turn)

    def begin(self, *_: object) -> None:
        """Note that a cell begins; only one that takes long is told of."""
        self._later(self._wait)

    @guarded(HOLDING)
    def end(self, *_: object) -> None:
        """Note that it has ended."""
        self._later(self._forget)
        if self.with_cell:
            self.with_cell = False
            self._later(self._turn)
            self._rested()

    def work(self) -> None:
        """Note that the GM is at work: seats are told so, and nothing else until the work ends."""
        self.with_cell = True
        self._later(self._turn)

    async def over(self) -> None:
        """Wait until the GM is there again."""
        await self._over.wait()

    def _turn(self) -> None:
        if self:
            self._over.clear()
        else:
            self._over.set()
        self._tell()

    def _wait(self) -> None:
        self._forget()
        self._timer = asyncio.get_running_loop().call_later(_SOON, self.work)

    def _forget(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
