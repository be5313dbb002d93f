"""What seats ask for where the GM confirms each: it waits for a word of theirs."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import NamedTuple

from combatkit.errors import InvalidInput
from combatkit.widgets._message import Answer
from combatkit.widgets._table import Request

CHANGES = ("do", "damage", "end_turn", "pass", "resolve", "undo")
"""What changes the fight."""

ASKED = ("do", "damage", "end_turn", "undo")
"""What the GM is to confirm; to let something go is everybody's own."""

NO = "Your GM says no."
"""What is said of what they decline."""

_FAILED = 4
"""Of how many requests that could not be done the GM is told at once."""


class Wish(NamedTuple):
    """What a seat asks for, in words: as it is `told` there, and with the names that are `known` to the GM."""

    told: str
    known: str


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
        self._waiting: dict[int, tuple[Request, str, object, asyncio.Future[str]]] = {}
        self._failed: dict[int, Request] = {}
        self._asked = 0

    @property
    def listed(self) -> tuple[Request, ...]:
        """Those that wait."""
        return tuple([request for request, *_ in self._waiting.values()])

    @property
    def failed(self) -> tuple[Request, ...]:
        """The last that could not be done and that the GM is told of, until they have seen it."""
        return tuple(self._failed.values())

    def settle(self, number: int | None, yes: bool) -> None:
        """Say yes or no to a request; to the one that came first, if no number is given."""
        if number is not None and self._failed.pop(number, None) is not None:
            self._changed()
            return
        wanted = next(iter(self._waiting), None) if number is None else number
        if wanted not in self._waiting:
            raise InvalidInput(
                "no seat waits for the GM" if number is None else f"no request has the number {number!r}"
            )
        self._end(wanted, "" if yes else NO)

    def drop(self, seat: str, why_not: Callable[[object], str]) -> None:
        """End what a seat has asked for and can't have any more; `why_not` says why, of what was sent."""
        for number, (request, _, content, _) in list(self._waiting.items()):
            if request.seat == seat and (why := why_not(content)):
                self._end(number, why)

    def fail(self, seat: str, words: str) -> None:
        """Tell the GM that something could not be done that they confirmed, or that fails by what only they know."""
        self._asked += 1
        last = [each for each in self._failed.values() if (each.seat, each.words) != (seat, words)][1 - _FAILED :]
        self._failed = {each.number: each for each in (*last, Request(self._asked, seat, words))}
        self._changed()

    def words(self, seat: str) -> str:
        """Return what a seat has asked for first, in words as it is told; nothing, if it waits for nothing."""
        return next((told for request, told, *_ in list(self._waiting.values()) if request.seat == seat), "")

    async def refusal(self, seat: str, wish: Wish, content: object) -> str:
        """Wait for the GM's word about what a seat asks, and say why not; called in the server's loop."""
        self._asked += 1
        number = self._asked
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._failed.clear()
        self._waiting[number] = (Request(number, seat, wish.known), wish.told, content, future)
        self._changed()
        try:
            return await future
        finally:
            if self._waiting.pop(number, None) is not None:
                self._changed()

    def _end(self, number: int, why: str) -> None:
        entry = self._waiting.pop(number, None)
        if entry is not None:
            self._changed()
            self._later(_settle, entry[-1], why)


def is_change(content: object) -> bool:
    """Check whether what a page asks changes the fight by the GM's word."""
    return isinstance(content, dict) and content.get("kind") in ASKED


def asked_words(words: str, reason: str) -> str:
    """Say what became of a request, to whoever was not there when the GM settled it."""
    wish = words.replace("; ", ", ")  # as one saying
    return " ".join([f"You asked: {wish}.", reason or "Your GM confirmed it."])


def refused(reason: str, content: object) -> Answer:
    """Return the refusal of what a page asked, with the number by which it knows that."""
    number = content.get("id") if isinstance(content, dict) else None
    return {"kind": "refused", "reason": reason, "rule": "", "id": number if isinstance(number, (int, float)) else None}


def late(reason: str, content: object) -> Answer:
    """Return the refusal of what came too late: its page keeps it in sight, whatever is shown next."""
    return {**refused(reason, content), "late": True}


def _settle(future: asyncio.Future[str], why: str) -> None:
    if not future.done():
        future.set_result(why)
