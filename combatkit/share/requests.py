"""What seats ask for where the GM confirms each: it waits for a word of theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from combatkit.errors import InvalidInput
from combatkit.widgets._message import Answer
from combatkit.widgets._table import Request

CHANGES = ("do", "end_turn", "pass", "resolve", "undo")
"""What changes the fight."""


class Requests:
    """Requests in the order they came.

    Parameters
    ----------
    later : callable
        Calls something soon in the server's loop.
    changed : callable
        Called as one comes or is settled.
    """

    def __init__(self, later: Callable[..., None], changed: Callable[[], None]) -> None:
        self._later = later
        self._changed = changed
        self._waiting: dict[int, tuple[Request, asyncio.Future[bool]]] = {}
        self._asked = 0

    @property
    def listed(self) -> tuple[Request, ...]:
        """Those that wait."""
        return tuple([request for request, _ in self._waiting.values()])

    def settle(self, number: int | None, yes: bool) -> None:
        """Say yes or no to a request; to the one that came first, if no number is given."""
        wanted = next(iter(self._waiting), None) if number is None else number
        if wanted not in self._waiting:
            raise InvalidInput(
                "no seat waits for the GM" if number is None else f"no request has the number {number!r}"
            )
        _, future = self._waiting.pop(wanted)
        self._changed()
        self._later(_settle, future, yes)

    def words(self, seat: str) -> str:
        """Return what a seat has asked for first, in words; nothing, if it waits for nothing."""
        return next((request.words for request in self.listed if request.seat == seat), "")

    async def confirmed(self, seat: str, words: str) -> bool:
        """Wait for the GM's word about what a seat asks; called in the server's loop."""
        self._asked += 1
        number = self._asked
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting[number] = (Request(number, seat, words), future)
        self._changed()
        try:
            return await future
        finally:
            if self._waiting.pop(number, None) is not None:
                self._changed()


def is_change(content: object) -> bool:
    """Check whether what a page asks changes the fight."""
    return isinstance(content, dict) and content.get("kind") in CHANGES


def asked_words(words: str, yes: bool, answer: Answer | None) -> str:
    """Say what became of a request, to whoever was not there when the GM settled it."""
    if not yes:
        return f"You asked: {words}. Your GM says no."
    return f"You asked: {words}. {'Your GM confirmed it.' if answer is None else answer['reason']}"


def refused(reason: str, content: object) -> Answer:
    """Return the refusal of what a page asked, with the number by which it knows that."""
    number = content.get("id") if isinstance(content, dict) else None
    return {"kind": "refused", "reason": reason, "rule": "", "id": number if isinstance(number, (int, float)) else None}


def _settle(future: asyncio.Future[bool], yes: bool) -> None:
    if not future.done():
        future.set_result(yes)
