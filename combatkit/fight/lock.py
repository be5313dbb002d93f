"""The lock: one thread at a time changes fights, their journals and what widgets show, and never from within.

There is one for all fights, so that what joins several (a comparison, a tracker that turns to a branch, two fights of
one journal) cannot wait in a circle. Looks never wait for it: they look at the last whole moment.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from functools import wraps
from threading import RLock
from typing import Any, Final, TypeVar, cast

from combatkit.errors import CombatkitError

PATIENCE = 30.0
"""How many seconds a call waits for another thread's."""

F = TypeVar("F", bound=Callable[..., object])


class Mark:
    """What may be under way besides calls of a fight, in words."""

    def __init__(self, words: str) -> None:
        self.words = words


SHOWING: Final = Mark("widgets are being updated")
"""What widgets show is worked out and sent; meanwhile nothing changes."""

HEARING: Final = Mark("a message from a front end is being carried out")
"""Each is carried out as a whole before the next is read."""

HOLDING: Final = Mark("a fight is locked")
"""Other threads have to wait; this one may do what it likes."""


class Gate:
    """Who holds the lock, and what for.

    Attributes
    ----------
    inside : tuple
        What is under way in the thread that holds it, the outermost first: fights whose calls they are, and marks.
        While nobody holds it, it says nothing.
    """

    def __init__(self) -> None:
        self.inside: tuple[object, ...] = ()
        self.renew()

    def renew(self) -> None:
        """Begin with a lock that nobody holds: a forked process has none of the threads that might."""
        lock: Any = RLock()
        self.acquire: Callable[..., bool] = lock.acquire
        self.release: Callable[[], None] = lock.release
        self.is_ours: Callable[[], bool] = lock._is_owned
        self.inside = ()

    def around(self) -> tuple[object, ...]:
        """Return what the call that asks is inside of, the lock being this thread's.

        An interrupt may strike just where the lock is let go of, if only by a debugger's hand. Then nobody on the
        stack holds it: it is let go of here.
        """
        above = sys._getframe(1).f_back
        while above is not None:
            if above.f_code is _HOLDER:
                return self.inside
            above = above.f_back
        while self.is_ours():
            self.release()
        return ()


gate: Final = Gate()

if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=gate.renew)


def guarded(mark: Mark | None = None, *, waits: bool = True) -> Callable[[F], F]:
    """Return a decorator that lets a method be called by one thread at a time, and not from within.

    The lock is asked for at once, so that every way from getting it leads to letting it go; no Python runs between the
    end of the call and that.

    Parameters
    ----------
    mark : Mark, optional
        What the method does; if none is given, it is a call of the fight whose method it is.
    waits : bool
        Whether another thread is waited for; else the call is left out, and gives None, as it is from within.
    """

    def decorate(call: F) -> F:
        @wraps(call)
        def held(self: object, *args: object, **kwargs: object) -> object:
            key = self if mark is None else mark
            around = gate.around() if gate.is_ours() else ()
            hindrance = _hindrance(key, around)
            if hindrance is not None:
                if waits:
                    raise CombatkitError(_inside(call.__name__, hindrance))
                return None
            try:
                if not (around or gate.acquire(timeout=PATIENCE if waits else 0)):
                    if waits:
                        raise CombatkitError(_late(call.__name__))
                    return None
                gate.inside = (*around, key)
                try:
                    return call(self, *args, **kwargs)
                finally:
                    gate.inside = around
            finally:
                if not around:
                    try:  # noqa: SIM105 - a call of `suppress` here is where an interrupt could strike
                        gate.release()
                    except RuntimeError:  # it was not to be had
                        pass

        held.__guarded__ = True  # type: ignore[attr-defined]
        return cast(F, held)

    return decorate


_HOLDER = guarded()(id).__code__
"""The code of every guarded method: where it stands on a thread's stack, the lock is held."""


def _hindrance(key: object, around: tuple[object, ...]) -> object | None:
    """Return what is under way that keeps something from beginning inside it."""
    if not around or key is HOLDING:
        return None
    if key is HEARING:
        return around[-1]
    return next((each for each in around if each is SHOWING or each is key), None)


def _inside(name: str, hindrance: object) -> str:
    call = f"a call of {getattr(hindrance, 'id', 'it')!r} is under way"
    what = hindrance.words if isinstance(hindrance, Mark) else call
    return (
        f"{name}: {what}, and this call came from inside it, in a signal handler or a callback. Nothing has changed; "
        "call again once that has returned"
    )


def _late(name: str) -> str:
    return (
        f"{name}: another thread has held the fight for {PATIENCE:g} seconds. Nothing has changed; let it finish, "
        "or interrupt it, and try again"
    )
