"""What one page asks, whichever connection it comes by: one thing after the other, and each number once."""

from __future__ import annotations

import asyncio
from collections import deque
from typing import TYPE_CHECKING, Any

from combatkit.errors import CombatkitError
from combatkit.share.requests import NO, asked_words, late, refused
from combatkit.widgets._message import Answer, is_number
from combatkit.widgets._seat_rights import GMS

if TYPE_CHECKING:
    from combatkit.share.client import Client
    from combatkit.share.post import Post

WAIT = object()
"""Said instead of an answer while the GM is busy: what was asked is asked again then."""

_ASKED = 64
"""How many of a page's messages may wait to be done, and how many numbers are known of those that are."""

_DONE, _UNSENT = "done", "unsent"


class Inbox:
    """A page as its seat knows it: it outlives the page's connections, and so does what was asked.

    Parameters
    ----------
    post : Post
        The seat.

    Attributes
    ----------
    client : Client or None
        The page's connection, while it has one; like all that is done here, a matter of the server's loop.
    """

    def __init__(self, post: Post) -> None:
        self.client: Client | None = None
        self._post = post
        self._known: dict[float, Answer | None] = {}
        self._waiting: deque[object] = deque()
        self._tasks: set[asyncio.Task[None]] = set()

    @property
    def is_full(self) -> bool:
        """Whether as much waits to be done as may."""
        return len(self._waiting) >= _ASKED

    @property
    def is_idle(self) -> bool:
        """Whether nothing is under way."""
        return not self._tasks

    def take(self, content: object) -> None:
        """Take a message: it is done when its turn comes; of one that came before, only the answer is told again."""
        number = number_of(content)
        if number in self._known:
            self._tell(self._known[number])
            return
        if number is not None:
            self._known[number] = None
        self._waiting.append(content)
        if len(self._waiting) == 1:
            self._begin(self._work())

    def told(self, numbers: object) -> None:
        """Tell a page that was away what became of what it had no answer to."""
        for number in numbers[:_ASKED] if isinstance(numbers, list) else ():
            if is_number(number):
                self._tell(self._known.get(number, {"kind": _UNSENT, "id": number}))

    def close(self) -> None:
        """Do no more."""
        for task in self._tasks:
            task.cancel()

    def _begin(self, work: Any) -> None:
        task = asyncio.ensure_future(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def _work(self) -> None:
        while self._waiting:
            content = self._waiting[0]
            if self._post.needs_word(content):
                self._begin(self._ask(content))
            else:
                self._answer(content, await self._done(content))
            self._waiting.popleft()

    async def _ask(self, content: object) -> None:
        """Wait for the GM's word, for as long as it takes: what comes meanwhile is not held up."""
        wish = await self._post.words(content)
        if isinstance(wish, dict):
            self._answer(content, wish)
            return
        waiting, seat, said = self._post.room.waiting, self._post.name, wish.known
        why = await waiting.refusal(seat, wish, content) if said else ""
        forgotten = why == NO or self.client is None  # by now nobody knows what they had asked
        refusal = asked_words(wish.told, why) if forgotten else why
        answer = late(refusal, content) if why else await self._done(content)
        if said and self.client is None and (not why or number_of(content) is None):  # no page would ask after it
            self._post.recount(asked_words(wish.told, why or ("" if answer is None else answer["reason"])))
        if said and not why and answer is not None and answer["kind"] == "refused" and answer["reason"] != GMS:
            waiting.fail(seat, f"Not done: {said}. {answer['reason']}")
        self._answer(content, answer)

    async def _done(self, content: object) -> Answer | None:
        answer: Answer | object | None = WAIT
        at_once = self._post.asks_only(content)
        while answer is WAIT:
            if not at_once:
                await self._post.ready()
            at_once = False
            try:
                answer = await self._post.ask(content)
            except CombatkitError as error:  # it could not begin
                answer = refused(str(error), content)
        return answer if isinstance(answer, dict) else None

    def _answer(self, content: object, answer: Answer | None) -> None:
        number = number_of(content)
        answer = answer and self._post.told(answer)
        if number is not None:
            answer = answer or {"kind": _DONE, "id": number}
            if answer["kind"] in (_DONE, "refused"):
                self._known[number] = answer
            else:  # a question may be asked again
                del self._known[number]
            for oldest in [each for each, known in self._known.items() if known is not None][:-_ASKED]:
                del self._known[oldest]
            if answer.get("late") and self.client is None:
                self._post.recount(answer["reason"])
        self._tell(answer)

    def _tell(self, answer: Answer | None) -> None:
        if self.client is not None and answer is not None:
            self.client.say(answer)


def number_of(content: object) -> float | None:
    """Return the number by which a page knows what it has asked."""
    number = content.get("id") if isinstance(content, dict) else None
    return number if is_number(number) else None
