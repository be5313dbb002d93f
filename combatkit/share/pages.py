"""The pages that are open at a room's seats, and when the last one at each went."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from combatkit.share.client import Client


class Pages:
    """Pages by their seats; what tells or ends them is called in the server's loop.

    Parameters
    ----------
    changed : callable
        Called as one comes or goes.
    """

    def __init__(self, changed: Callable[[], None]) -> None:
        self._open: list[Client] = []
        self._left: dict[str, float] = {}
        self._changed = changed

    def come(self, client: Client, most: int) -> bool:
        """Let a page in, unless too many are open at its seat."""
        if sum(each.seat == client.seat for each in self._open) >= most:
            return False
        self._open.append(client)
        self._changed()
        return True

    def go(self, client: Client) -> None:
        """Let a page go."""
        self._open = [each for each in self._open if each is not client]
        self._left[client.seat] = 1000 * time.time()
        self._changed()

    def push(self, seat: str, text: str) -> None:
        """Send a message to all pages of a seat."""
        for client in self._open:
            if client.seat == seat:
                client.push(text)

    def tell(self, state: Callable[[Client], str]) -> None:
        """Tell each how the room stands for it."""
        for client in self._open:
            client.tell(state(client))

    def end(self, state: str, code: int, seat: str | None = None) -> None:
        """Say how it ends and close the pages of a seat, or all."""
        for client in self._open:
            if seat in (None, client.seat):
                client.tell(state)
                client.end(code)

    def is_open(self, seat: str) -> bool:
        """Check whether a page is open at a seat."""
        return any(client.seat == seat for client in self._open)

    def left_at(self, seat: str) -> float | None:
        """Return when the last page at a seat went, in milliseconds since 1970; None while one is there."""
        return None if self.is_open(seat) else self._left.get(seat)
